"""Programs that SUNDIALS ships, compiled as they stand: do they print the same when the Jacobian
that their author wrote is replaced by the derivative of their own right-hand side?

    shipped.py EXAMPLES WORK OBJECT EXPECTED [PROGRAM...]
    shipped.py EXAMPLES WORK OBJECT EXPECTED --time

EXPECTED says what comes of each; anything else fails. adc translates the right-hand side,
tests/shipped.c takes it into ad_sundials.h. --time: how long a derivative takes, beside theirs."""
import glob
import os
import re
import shutil
import subprocess
import sys
import time

examples, work, implementation, expected = sys.argv[1:5]
only = sys.argv[5:]
CC = os.environ.get('CC', 'cc').split()
ADC = os.environ.get('BUILD', 'build') + '/adc'
KLU = ['-isystem', '/usr/include/suitesparse']
# Which argument of a registration is the function, and which of its parameters are inputs, output.
REGISTER = {
    'CVodeInit': ([1], [1], 2), 'CVodeInitB': ([2], [2], 3), 'ARKStepCreate': ([1], [1], 2),
    'MRIStepCreate': ([1], [1], 2), 'IDAInit': ([1], [1, 2], 3), 'IDAInitB': ([2], [3, 4], 5),
    'KINInit': ([1], [0], 1)}
WRAPS = {
    'cvode': ['CVodeInit', 'CVodeSetJacFn', 'CVodeSetJacTimes'],
    'ida': ['IDAInit', 'IDASetJacFn'],
    'kinsol': ['KINInit', 'KINSetJacFn', 'KINSetJacTimesVecFn'],
    'arkode': ['ARKStepCreate', 'MRIStepCreate', 'ARKStepSetJacFn', 'MRIStepSetJacFn',
               'ARKStepSetJacTimes']}
WRAPS['cvodes'] = WRAPS['cvode'] + ['CVodeInitB', 'CVodeSetJacFnB']
WRAPS['idas'] = WRAPS['ida'] + ['IDAInitB', 'IDASetJacFnB']


def run(command):
    done = subprocess.run(command, capture_output=True, text=True, errors='replace')
    if done.returncode != 0:
        raise RuntimeError(' '.join(command)[:300] + '\n' + (done.stdout + done.stderr)[-1500:])


def functions(text):
    """The right-hand sides that the program registers: (name, inputs, output, others)."""
    found = {}
    for call, arguments in re.findall(
            r'\b(' + '|'.join(REGISTER) + r')\s*\(([^;]*?)\)\s*;', text):
        arguments = [a.strip() for a in arguments.split(',')]
        which, inputs, output = REGISTER[call]
        for k in which:
            name = arguments[k]
            head = re.search(r'\b' + re.escape(name) + r'\s*\(([^()]*)\)\s*\{', text)
            if name == 'NULL' or not head:
                continue
            parameters = [p.split() for p in head.group(1).split(',')]
            names = [p[-1].lstrip('*') for p in parameters]
            taken = inputs + [output]
            others = [n for k, n in enumerate(names) if k not in taken and 'void' not in parameters[k]]
            found[name] = ([names[i] for i in inputs], names[output], others)
    return found


def build(source, family, place):
    """Leaves hand, as it was shipped, and ours, with the Jacobian replaced, unless they are there."""
    if os.path.exists(place + '/ours'):
        return
    os.makedirs(place)
    with open(source, errors='replace') as file:
        text = re.sub(r'/\*.*?\*/', ' ', file.read(), flags=re.S)
    rhs = functions(text)
    if not rhs:
        raise RuntimeError('no right-hand side found')
    plain, table, objects = place + '/plain.o', [], []
    run(CC + ['-O2', '-w'] + KLU + ['-c', source, '-o', plain])
    for name, (inputs, output, others) in rhs.items():
        translated = f'{place}/{name}_var.c'
        command = [ADC, source, '--function', name, '--as', 'var', '-o', translated,
                   '--in', ', '.join(n + '[1]' for n in inputs), '--out', output + '[1]']
        for n in others:
            command += ['--set', n + '=0']
        run(command + ['-I/usr/include/suitesparse'])
        glue = f'{place}/{name}_glue.c'
        with open(glue, 'w') as file:
            file.write(f'#include "{os.path.abspath(translated)}"\n'
                       f'void (*const shipped_active_{name})(void) = (void (*)(void)){name}_var;\n')
        run(CC + ['-O1', '-w', '-I.'] + KLU + ['-c', glue, '-o', glue[:-2] + '.o'])
        objects.append(glue[:-2] + '.o')
        table.append(name)
    ours = place + '/ours.o'
    run(['objcopy'] + [f'--globalize-symbol={n}' for n in table] + [plain, ours])
    with open(place + '/table.c', 'w') as file:
        file.write('#include "tests/shipped.h"\n')
        for n in table:
            file.write(f'void {n}(void);\nextern void (*const shipped_active_{n})(void);\n')
        # The addresses of other files' variables are no constants: filled in before main.
        file.write(f'static shipped_function list[{len(table)} + 1];\n'
                   'const shipped_function *const shipped_functions = list;\n'
                   '__attribute__((constructor)) static void fill(void)\n{\n')
        for i, n in enumerate(table):
            file.write(f'    list[{i}].name = "{n}";\n    list[{i}].plain = {n};\n'
                       f'    list[{i}].active = shipped_active_{n};\n')
        file.write('}\n')
    run(CC + [plain, '-o', place + '/hand'] + libraries(family))
    link(family, place, objects, place + '/ours')


def libraries(family):
    return [f'-lsundials_{family}', '-lsundials_sunlinsolklu', '-lsundials_nvecserial', '-lm']


def link(family, place, objects, program):
    run(CC + ['-w', '-I.', '-Wl,' + ','.join('--wrap=' + w for w in WRAPS[family]),
              place + '/ours.o', place + '/table.c', f'{work}/{family}.o', implementation]
        + objects + ['-o', program] + libraries(family))


def result(source, arguments, family, place, name):
    """What comes of it, and how often the solver asked for a derivative."""
    build(source, family, place)
    printed = {}
    log = os.path.abspath(f'{place}/{name}.asked')
    for which in 'hand', 'ours':
        where = f'{place}/{name}.{which}'
        os.makedirs(where)
        done = subprocess.run([os.path.abspath(f'{place}/{which}')] + arguments, cwd=where,
                              timeout=300, capture_output=True, text=True, errors='replace',
                              env=dict(os.environ, SHIPPED_LOG=log))
        printed[which] = done.stdout.splitlines() + [f'exit code {done.returncode}']
        with open(f'{place}/{name}.{which}.out', 'w') as file:
            file.write(done.stdout + done.stderr)
    asked, apart = 0, False
    if os.path.exists(log):
        with open(log) as file:
            for line in file:
                word = line.split()
                if word[0] == 'asked':
                    asked += int(word[2])
                elif float(word[2]) > 1e-9:
                    apart = True
                    hand, ours, quotient = map(float, word[3:6])
                    # Where the two differ, a difference quotient says which is right.
                    if abs(ours - quotient) > 1e-3 * abs(hand - quotient):
                        return f'wrong: {line.strip()}', asked
    if asked == 0:
        return 'not asked', 0
    if printed['hand'] == printed['ours']:
        return 'same', asked
    return 'hand' if apart else 'rounding', asked


def timed(lines):
    """The table of make bench-solvers: one row for each function and size of a program."""
    ratios = []
    print(f'{"nanoseconds":28} {"function":8} unknowns   by hand  compiled   emitted   ratio of each')
    for path in dict.fromkeys(line.split()[0] for line in lines):
        arguments = next(line for line in lines if line.split()[0] == path).partition(' = ')[0].split()
        family, name = path.split('/')[0], os.path.basename(path)
        place = f'{work}/{name}'
        prepare(family)
        try:
            build(f'{examples}/{path}.c', family, place)
        except RuntimeError as error:
            print(f'{name}: {error}')
            continue
        where = os.path.abspath(place)

        def measure(program, log, **environment):
            subprocess.run([program] + arguments[1:], cwd=place, timeout=300, capture_output=True,
                           env=dict(os.environ, SHIPPED_TIME=log, **environment))

        # Once to have it emitted, then with what was emitted.
        measure(where + '/ours', '/dev/null', SHIPPED_EMIT=where)
        objects = glob.glob(where + '/*_glue.o')
        for source in glob.glob(where + '/emitted_*.c'):
            with open(source) as file:
                if 'data[' not in file.read():
                    continue
            run(CC + ['-O2', '-w', '-c', source, '-o', source[:-2] + '.o'])
            objects.append(source[:-2] + '.o')
        link(family, place, objects, where + '/timed')
        measure(where + '/timed', where + '/times')
        found = {}
        if os.path.exists(where + '/times'):
            with open(where + '/times') as file:
                for line in file:
                    _, function, n, *seconds = line.split()
                    found.setdefault((function, n), []).append([float(x) for x in seconds])
        own = []
        for (function, n), times in found.items():
            hand, ours, emitted = (sorted(t[i] for t in times)[len(times) // 2] for i in (0, 1, 2))
            own.append((ours / hand, (emitted or ours) / hand))
            print(f'{name:28} {function:8} {n:>8} {1e9 * hand:9.0f} {1e9 * ours:9.0f} '
                  f'{1e9 * emitted:9.1f} {ours / hand:8.2f} {emitted / hand:8.2f}', flush=True)
        if own:
            ratios.append([sorted(o[k] for o in own)[len(own) // 2] for k in (0, 1)])
    for k, what in enumerate(('compiled function', 'emitted C, where there is a matrix')):
        column = sorted(r[k] for r in ratios)
        median = column[len(column) // 2]
        print(f'{what}: median of {len(column)} programs {median:.2f} times by hand; goal: at most '
              f'1.5: {"reached" if median <= 1.5 else "missed"}; {sum(r <= 1.5 for r in column)} are')
    return 0


def prepare(family):
    """The library's side of a program of this family."""
    if not os.path.exists(f'{work}/{family}.o'):
        run(CC + ['-std=c99', '-O2', '-Wall', '-Wextra', '-Wshadow', '-Wconversion', '-Werror']
            + KLU + [f'-DWITH_{family.upper()}', '-c', 'tests/shipped.c', '-o', f'{work}/{family}.o'])


def main():
    count = {'same': 0, 'hand': 0, 'rounding': 0}
    programs = set()
    shutil.rmtree(work, ignore_errors=True)
    os.makedirs(work)
    wrong = 0
    with open(expected) as file:
        lines = [line.strip() for line in file if line.strip() and not line.startswith('#')]
    if only == ['--time']:
        return timed(lines)
    for line in lines:
        what, _, wanted = line.partition(' = ')
        path, *arguments = what.split()
        name = os.path.basename(path) + ''.join('_' + a for a in arguments)
        if only and name not in only:
            continue
        family = path.split('/')[0]
        place = f'{work}/{os.path.basename(path)}'
        begun = time.time()
        prepare(family)
        try:
            found, asked = result(f'{examples}/{path}.c', arguments, family, place, name)
        except (RuntimeError, subprocess.TimeoutExpired) as error:
            found, asked = 'failed: ' + str(error), 0
        # Rounding may also decide, on another machine, that it is the same.
        if found == wanted.split(':')[0] or (found, wanted[:8]) == ('same', 'rounding'):
            count[found] += 1
            programs |= {path} if found == 'same' else set()
        else:
            wrong += 1
            print(f'{name}: {found}, expected {wanted}')
        if only or os.environ.get('V'):
            print(f'{name} {found} {asked} {time.time() - begun:.1f} s')
    print(f'{len(programs)} of {len({line.split()[0] for line in lines})} programs of SUNDIALS print '
          f'the same with their Jacobians replaced ({count["same"]} of {len(lines)} runs); '
          f'{count["hand"]} brought something else than the derivative, '
          f'{count["rounding"]} print what rounding decides')
    return 1 if wrong else 0


sys.exit(main())
