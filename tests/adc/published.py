"""Functions that others published, translated as they stand: values to the bit, derivatives against
differences. TABLE: published.txt (ROOT: SUNDIALS' examples) or sources.txt (ROOT: build/published).
Prints a table; fails where a translation is wrong, or where fewer than N pass.
    published.py ADC COMPILER TABLE ROOT DIRECTORY [--least N] [FILE ...]"""
import glob
import gzip
import os
import re
import subprocess
import sys
import time

REAL = ('realtype', 'sunrealtype')
PACKAGES = {'@gsl': ['-I%(made)s', '-lgsl', '-lgslcblas'],
            '@nlopt': ['-I%(made)s', '-I%(root)s/nlopt/src/api', '-I%(root)s/nlopt/src/util'],
            '@cminpack': ['-I%(root)s/cminpack']}
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


def options_of(path, function, sizes, setup):
    """Of a function with the types of SUNDIALS."""
    with open(path, errors='replace') as file:
        _, vectors, clock = parameters(file.read(), function)
    unknowns, _, outputs = sizes.partition(':')
    options = ['--in', ', '.join('%s[%s]' % (v, unknowns) for v in vectors[:-1]),
               '--out', '%s[%s]' % (vectors[-1], outputs or unknowns)]
    if clock:
        options += ['--set', clock + '=0.3']
    if setup:
        options += ['--setup', setup]
    return options + LIBRARIES


def other_sources(listed, root, directory):
    """Rows of a table that begins files with '= ': path, function, what is said of it, options."""
    here = os.path.dirname(os.path.abspath(listed))
    path, flags = None, []
    for name in ('config.h', 'nlopt_config.h'):            # what configure would have made
        open(os.path.join(directory, name), 'w').close()
    with open(listed) as file:
        for line in file:
            line = line.strip()
            if line.startswith('#') or not line:
                continue
            if line.startswith('= '):
                words = line[2:].split()
                path = os.path.join(here if words[0].startswith('own/') else root, words[0])
                flags = [os.path.join(here, w) if w.endswith('.h') else w for w in words[1:]]
                if '@gsl' in words and not os.path.exists('/usr/include/gsl/gsl_vector.h'):
                    path += ' (Debian: apt-get install libgsl-dev)'
                for package in PACKAGES:
                    if package in flags:
                        at = flags.index(package)
                        flags[at:at + 1] = [w % {'root': root, 'made': directory}
                                            for w in PACKAGES[package]]
                continue
            parts = [part.strip() for part in line.split('|')]
            words = parts[0].split(' ', 1)
            inputs, outputs = words[1].split(' -> ')
            options = ['--in', inputs, '--out', outputs]
            note = inputs
            for part in parts[1:]:
                if part.startswith('at '):
                    options += ['--at', part[3:]]
                elif part.startswith('setup '):
                    options += ['--setup', part[6:]]
                else:
                    for pair in part.split():
                        options += ['--set', pair]
                        note = pair if pair.startswith('nprob=') else note
            yield path, words[0], note, options + flags


def sundials(listed, root, directory):
    """Rows of the examples: copies of the files, some of which are compressed there."""
    setups, functions = table(listed)
    found = sources(root)
    for name, function, sizes, setup in functions:
        path = os.path.join(directory, name)
        if name in found:
            with open(path, 'wb') as file:
                file.write(text_of(found[name]))
        options = options_of(path, function, sizes, setups[setup] if setup else '') \
            if name in found else []
        yield path, function, sizes, options


def run(adc, compiler, path, function, options):
    """Passes, or the reason why not, and whether that is a refusal."""
    process = subprocess.run([adc, 'check', '--cc', compiler, '--function', function, path] + options,
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
    passed = wrong = lines = 0
    refused = []
    seen, functions = set(), set()
    rows = sundials if os.path.basename(listed) == 'published.txt' else other_sources
    for path, function, note, options in rows(listed, os.path.abspath(root), directory):
        name = os.path.basename(path)
        if only and name + ':' + function not in only:
            continue
        if not os.path.exists(path):
            if path not in seen:
                print('absent  %s' % path)
            seen.add(path)
            continue
        with open(path, 'rb') as file:
            text = file.read()
        if path not in seen:
            lines += text.count(b'\n')
            seen.add(path)
        functions.add((path, function))
        start = time.time()
        reason, refusal = run(adc, compiler, path, function, options)
        with open(path, 'rb') as file:
            if file.read() != text:
                reason = reason or 'the file changed'
        print('%-7s %-36s %-16s %-12s %4.1f s  %s'
              % ('refused' if refusal else 'WRONG' if reason else 'ok', name, function, note,
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
    cases = passed + len(refused) + wrong
    print('%d functions%s of %d files, %d lines read, 0 changed by hand: %d right, %d refused, %d wrong'
          % (len(functions), ' (%d problems)' % cases if cases > len(functions) else '', len(seen),
             lines, passed, len(refused), wrong))
    return wrong > 0 or passed < least or passed == 0


if __name__ == '__main__':
    sys.exit(main())
