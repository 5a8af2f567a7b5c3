"""What adc says of the programs of messages.txt: each message, its place, its words, the exit code.
    messages.py ADC messages.txt DIRECTORY"""
import os
import re
import shlex
import subprocess
import sys

# What is quoted there comes from a macro.
ELSEWHERE = ['complex numbers', 'jumps out of functions']
USUAL = ['--function', 'f', '--in', 'x[3]', '--out', 'y[2]', '--as', 'var']


def programs(text):
    """Title, options, the lines of each."""
    for part in re.split(r'^== ', text, flags=re.M)[1:]:
        head, _, body = part.partition('\n')
        title, dashes, options = head.partition(' --')
        yield title, shlex.split(dashes + options), body


def check(adc, directory, title, options, body):
    """What is wrong, line by line."""
    wrong = []
    stray = [line[2:].replace('DIRECTORY', directory) for line in body.splitlines()
             if line.startswith('! ')]
    source = [line for line in body.splitlines() if not line.startswith('! ')]
    path = os.path.join(directory, re.sub(r'\W+', '_', title) + '.c')
    made = path[:-2] + '_made.c'
    with open(path, 'w') as file:
        file.write('\n'.join(source) + '\n')
    if os.path.exists(made):
        os.remove(made)
    expected = []
    for number, line in enumerate(source, 1):
        for kind, words in re.findall(r'/\*! (error|warning): (.*?) \*/', line):
            expected.append((number, kind, words))
    run = subprocess.run([adc, path] + USUAL + options + ['-o', made], stdout=subprocess.PIPE,
                         stderr=subprocess.PIPE, universal_newlines=True, timeout=60)
    refused = any(kind == 'error' for _, kind, _ in expected)
    if refused and not title.startswith('C: '):
        stray.append('adc: %s: nothing is written' % path)
    found = []
    for line in run.stderr.splitlines():
        place = re.match(re.escape(path) + r':(\d+):(\d+): (error|warning): (.*)$', line)
        if not place:
            if line in stray:
                stray.remove(line)
                refused |= ': error: ' in line
            else:
                wrong.append('said: ' + line)
            continue
        number, column, kind, words = int(place[1]), int(place[2]), place[3], place[4]
        found.append((number, kind, words))
        if found[-1] not in expected:
            wrong.append('said: ' + line)
        quoted = re.match(r"'(.*?)'", words)           # the words that the place is of
        there = source[number - 1][column - 1:]
        if quoted and not there.startswith(quoted[1]) and title not in ELSEWHERE \
                and not re.search(' does not (reach|depend)| gets memory | has no room ', words):
            wrong.append('the place is not that of %s: %s' % (quoted[1], line))
    wrong += ['not said, line %d: %s: %s' % e for e in expected if e not in found]
    wrong += ['not said: ' + s for s in stray]
    if run.returncode != (1 if refused else 0):
        wrong.append('exit code %d' % run.returncode)
    if os.path.exists(made) == refused:
        wrong.append('a file' if refused else 'no file')
    return wrong


def main():
    adc, table, directory = sys.argv[1:]
    with open(table) as file:
        text = file.read()
    with open(os.path.join(directory, 'numbers.inc'), 'w') as file:
        file.write('1.0, 2.0,\n3.0\n')
    with open(os.path.join(directory, 'acts.inc'), 'w') as file:
        file.write('static void (*const acts[2])(void *) = { kick, drift };\n')
    faults = count = 0
    for title, options, body in programs(text):
        wrong = check(adc, directory, title, options, body)
        count += 1
        faults += len(wrong)
        if wrong:
            print('-- ' + title)
        for line in wrong:
            print('   ' + line)
    print('%d programs, %d faults' % (count, faults))
    return faults > 0 or count == 0


sys.exit(main())
