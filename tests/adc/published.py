"""Functions that others published, translated as they stand: values to the bit, derivatives against
differences. Prints a table; fails where a translation is wrong, or where fewer than N pass.
    published.py ADC COMPILER published.txt EXAMPLES DIRECTORY [--least N] [FILE ...]"""
import glob
import gzip
import os
import re
import subprocess
import sys
import time

REAL = ('realtype', 'sunrealtype')
LIBRARIES = ['-I/usr/include/suitesparse', '-lsundials_nvecserial', '-lsundials_generic']


def table(path):
    """The setups by their names, and the functions."""
    setups, functions, name = {}, [], None
    with open(path) as file:
        for line in file:
            line = line.strip()
            if line.startswith('#'):
                continue
            if line.startswith('= '):
                name = line[2:]
                setups[name] = ''
            elif not line:
                name = None
            elif name:
                setups[name] += line + ' '
            else:
                functions.append((line.split() + ['', ''])[:4])
    return setups, functions


def sources(root):
    """All the files under the examples, by their names; those that are compressed as well."""
    found = {}
    for path in sorted(glob.glob(os.path.join(root, '**', '*.c*'), recursive=True)):
        if path.endswith('.c') or path.endswith('.c.gz'):
            found.setdefault(os.path.basename(path).replace('.gz', ''), path)
    return found


def text_of(path):
    with (gzip.open if path.endswith('.gz') else open)(path, 'rb') as file:
        return file.read()


def parameters(text, function):
    """The names of a function's parameters, those of its vectors, and that of the time."""
    plain = re.sub(r'/\*.*?\*/', ' ', text, flags=re.S)
    found = re.search(r'^(?:static )?int\s+%s\s*\(([^()]*)\)\s*\{' % function, plain, re.M)
    if not found:
        return None
    names, vectors, time_ = [], [], None
    for parameter in found[1].split(','):
        words = parameter.replace('*', ' * ').split()
        names.append(words[-1])
        if words[:-1] == ['N_Vector']:
            vectors.append(words[-1])
        elif words[0] in REAL:
            time_ = words[-1]
    return names, vectors, time_


def run(adc, compiler, path, function, sizes, setup):
    """Passes, or the reason why not, and whether that is a refusal."""
    with open(path, errors='replace') as file:
        _, vectors, clock = parameters(file.read(), function)
    unknowns, _, outputs = sizes.partition(':')
    options = ['--function', function,
               '--in', ', '.join('%s[%s]' % (v, unknowns) for v in vectors[:-1]),
               '--out', '%s[%s]' % (vectors[-1], outputs or unknowns)]
    if clock:
        options += ['--set', clock + '=0.3']
    if setup:
        options += ['--setup', setup]
    process = subprocess.run([adc, 'check', '--cc', compiler] + options + [path] + LIBRARIES,
                             stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                             universal_newlines=True, errors='replace', timeout=600,
                             env=dict(os.environ, AD_CHECK_MAX_EVALS='1000000'))
    said = process.stdout.replace(os.path.dirname(path) + '/', '').strip().splitlines()
    if process.returncode == 0:
        return '', False
    refusals = [line for line in said if re.search(r': error: ', line) and 'nothing is written'
                in said[-1]]
    if refusals:
        return refusals[0], True
    wrong = [line for line in said if re.search('WRONG|DISCONT|INACC|INCONC|of its translation|'
                                                'error:|adc: |NONFINITE|BUDGET|UNBOUNDED', line)]
    return 'exit code %d: %s' % (process.returncode, (wrong or said or ['nothing said'])[0]), False


def main():
    arguments = sys.argv[1:]
    least = 0
    if '--least' in arguments:
        at = arguments.index('--least')
        least = int(arguments[at + 1])
        del arguments[at:at + 2]
    adc, compiler, listed, root, directory = arguments[:5]
    only = arguments[5:]
    setups, functions = table(listed)
    found = sources(root)
    passed = wrong = lines = 0
    refused = []
    seen = set()
    for name, function, sizes, setup in functions:
        if only and name + ':' + function not in only:
            continue
        if name not in found:
            print('absent  %s' % name)
            continue
        path = os.path.join(directory, name)
        text = text_of(found[name])
        with open(path, 'wb') as file:
            file.write(text)
        if name not in seen:
            lines += text.count(b'\n')
            seen.add(name)
        start = time.time()
        reason, refusal = run(adc, compiler, path, function, sizes, setups[setup] if setup else '')
        with open(path, 'rb') as file:
            if file.read() != text:
                reason = reason or 'the file changed'
        print('%-7s %-36s %-10s %-8s %4.1f s  %s'
              % ('refused' if refusal else 'WRONG' if reason else 'ok', name, function, sizes,
                 time.time() - start, reason))
        sys.stdout.flush()
        if refusal:
            refused.append(reason)
        elif reason:
            wrong += 1
        else:
            passed += 1
    reasons = {}
    for reason in refused:
        reason = re.sub("'[^']*'", "'...'", re.sub(r'^.*?: error: ', '', reason))
        reasons[reason] = reasons.get(reason, 0) + 1
    for reason, count in sorted(reasons.items()):
        print('%4d refused: %s' % (count, reason))
    print('%d functions of %d files, %d lines read, 0 changed by hand: %d right, %d refused, %d wrong'
          % (passed + len(refused) + wrong, len(seen), lines, passed, len(refused), wrong))
    return wrong > 0 or passed < least or passed == 0


if __name__ == '__main__':
    sys.exit(main())
