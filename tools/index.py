#!/usr/bin/env python3
"""What autodiff.h has to say of itself, made and checked: the index of public names in the manual
(declarations are written AD_FN(name), so that grep -w ad_name would find nothing without it), and
the numbers of lines that #line gives back.

  python3 tools/index.py autodiff.h            prints the index
  python3 tools/index.py autodiff.h --write    puts both into the header
  python3 tools/index.py autodiff.h --check    exit code 1 where the header's differ
"""
import re
import sys
import textwrap

BEGIN, END = '   INDEX\n', '   CONTENTS\n'


def index(text):
    """A line a section: its number, and its names in the order in which they are declared."""
    interface = text[text.index('] VERSION AND PLATFORM\n   The'):text.index('## IMPLEMENTATION')]
    # declarations alone: no comments, no bodies of macros
    interface = re.sub(r'/\* =+ \[(S\d+)\].*?\*/', r'@\1@', interface, flags=re.S)
    interface = re.sub(r'/\*.*?\*/|^#.*?(?<!\\)$', '', interface, flags=re.S | re.M)
    lines, seen = [], set()
    for part in interface.split('@S')[1:]:
        section, body = part.split('@', 1)
        found = re.findall(r'^(?:AD_DEF|AD_CHECK_DEF)\s(?:AD_FN\(\w+\)|[^;()])*?(?:\bAD_FN\((\w+)\)|\b(ad_\w+))\(|'
                           r'^ADI_INLINE\s(?:AD_FN\(\w+\)|[^;(){])*?AD_FN\((?!private_|prim_|real_)(\w+)\)\(|'
                           r'^\}\s*(?:AD_FN\((\w+)\)|(ad_\w+));|'
                           r'^typedef [^;{]*\(\*(?:AD_FN\((\w+)\)|(ad_\w+))\) ?\(|'
                           r'^typedef struct \S+ (?:AD_FN\((\w+)\)|(ad_\w+));', body, re.M)
        names = []
        for groups in found:
            for place, name in enumerate(groups):
                full = name if name.startswith('ad_') else 'ad_' + name if name else ''
                if full and full not in seen and not full.startswith('ad_private'):
                    seen.add(full)
                    names.append(full)
        if names:
            lines += textwrap.wrap('[S%s] %s' % (section, ' '.join(names)), 97, initial_indent='   ',
                                   subsequent_indent='      ', break_long_words=False)
    return '\n'.join(lines) + '\n'


def numbered(text):
    """The text, with the numbers that are true now in "#line N   /* the next line's number ... */"."""
    rows = text.split('\n')
    for i, row in enumerate(rows):
        rows[i] = re.sub(r"^#line \d+( *)(?=/\* the next line's number)",
                         lambda m: ('#line %d' % (i + 2)) + m.group(1), row)
    return '\n'.join(rows)


def main():
    path, how = sys.argv[1], sys.argv[2] if len(sys.argv) > 2 else ''
    with open(path, encoding='ascii') as file:
        text = file.read()
    made = index(text)
    if not how:
        print(made, end='')
        return 0
    first = text.index(BEGIN) + len(BEGIN)
    first = text.index('\n\n', text.index('\n\n', first - 1) + 2) + 2      # after its paragraph
    last = text.index('\n' + END, first)
    new = numbered(text[:first] + made + text[last:])
    if how == '--write':
        with open(path, 'w', encoding='ascii') as file:
            file.write(new)
    elif new != text:
        print('the index of names in the manual, or a #line, is old: '
              'python3 tools/index.py autodiff.h --write')
        return 1
    return 0


sys.exit(main())
