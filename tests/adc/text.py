"""What adc leaves of a text: lines without a change are the file's own, to the byte and in their
order; lines that changed stand where they stood; comments are kept. Where a text has marks /*+*/,
those lines change and no others.
    text.py SOURCE TRANSLATION [SOURCE TRANSLATION ...]"""
import difflib
import re
import sys

OURS = re.compile(rb'\badf?_|_f?(var|dual|dual8)\b')
# The macro of constants that are variables.
NUMBER = re.compile(rb'#if defined\(__cplusplus\)\n#define ADC_NUMBER.*\n#else\n#define ADC.*\n#endif\n')
TOKENS = re.compile(rb'"(?:\\.|[^"\\])*"|\'(?:\\.|[^\'\\])*\'|/\*.*?\*/|//[^\n]*', re.S)


def comments(text):
    return [t for t in TOKENS.findall(text) if t.startswith(b'/')]


def words(line):
    """Of a line in which a parenthesis takes the place of an operator, what stays; a null pointer
    loses the type that it had."""
    return re.findall(rb'\w+', re.sub(rb'\(\w+ \*\)(?=0|NULL)', b'', line))


def parts(source, made):
    """Both texts without the cases' head, which not all of them keep, and without adc's own lines."""
    source = re.sub(rb'^/\* adc:.*\n', b'', source, flags=re.M)
    made = re.sub(rb'^/\* adc:.*\n', b'', made, flags=re.M)
    made = made.split(b'\n', 1)[1].replace(b'#include "autodiff.h"\n', b'', 1)
    made = re.sub(rb'^#(if !defined\(ADC|define ADC|endif /\*).*\n', b'', made, flags=re.M)
    made = re.sub(rb'^static \w+ \*?adf?_(var|dual\d?)_(step|post|narrow|whole|nearest|is\w+|signbit'
                  rb'|fpclassify|ilogb|[a-z0-9]+f)\(.*?^}\n', b'', made, flags=re.M | re.S)
    return source, re.split(rb'\n/\* y = \w+\(x\) for the drivers', made)[0]


def compare(path, made_path, totals):
    with open(path, 'rb') as file:
        source = file.read()
    with open(made_path, 'rb') as file:
        made = file.read()
    wrong = []
    if b'\r' in made:
        wrong.append('line ends of another system')
    source = source.replace(b'\r\n', b'\n')      # a translation has those of its own system
    if not made.startswith(b'/* Made by adc from '):
        return ['it does not say who made it']
    made = NUMBER.sub(b'', made)
    source, made = parts(source, made)
    kept, here = comments(made), comments(source)
    if kept != here:
        wrong.append('%d comments of %d: %s' % (len(kept), len(here),
                                                b' '.join(c for c in here if c not in kept)[:99]))
    a = [line for line in source.split(b'\n') if line.strip()]
    b = [line for line in made.split(b'\n') if line.strip()]
    marked = b'/*+*/' in source
    for kind, i, j, k, m in difflib.SequenceMatcher(None, a, b, False).get_opcodes():
        if kind == 'equal':
            totals['same'] += j - i
            wrong += ['as it was: %r' % line for line in a[i:j] if b'/*+*/' in line]
            continue
        wrong += ['changed: %r' % line for line in a[i:j] if marked and b'/*+*/' not in line]
        # A macro over lines becomes one, a declaration for both kinds of numbers two.
        totals['changed'] += m - k
        if kind == 'delete':
            wrong += ['gone: %r' % line for line in a[i:j]]
        wrong += ['changed, not in its numbers: %r' % line for line in b[k:m]
                  if not OURS.search(line) and line.strip() != b';'
                  and not any(words(line) == words(was) or was.startswith(line) for was in a)]
    totals['comments'] += len(kept)
    return wrong


def main():
    totals = dict(same=0, changed=0, comments=0)
    faults = 0
    for path, made in zip(sys.argv[1::2], sys.argv[2::2]):
        wrong = compare(path, made, totals)
        faults += len(wrong)
        for line in wrong[:8]:
            print('%s: %s' % (made, line))
    print('%(same)d lines as they were, %(changed)d changed, %(comments)d comments' % totals)
    return faults > 0 or not totals['same'] or not totals['comments']


sys.exit(main())
