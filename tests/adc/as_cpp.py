"""Files of C that a C++ compiler is to read with another type of number for double, each in a
namespace of its own, and what tests/adc/driver.c compares them with.
    as_cpp.py DIRECTORY SOURCE.c ...                         cases of tests/adc/cases
    as_cpp.py DIRECTORY published.txt EXAMPLES FILE:FUNCTION ...
Writes to DIRECTORY: cases (CASE lines), singles, var.cpp, dual.cpp, dual8.cpp, plain.c."""
import os
import re
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from published import parameters, sources, table, text_of  # noqa: E402

KINDS = ('var', 'dual', 'dual8')
# Names that the rule table has, too: the user's get another one, by a macro before.
RENAMED = ['square']
PROTOTYPE = 'extern "C" void %s(const %s *x, %s *y);\n'
TAPED = '''extern "C" void %s_vfun(%s *, const %s *x, size_t, %s *y, size_t, void *);
void %s_vfun(%s *, const %s *x, size_t, %s *y, size_t, void *) { var_%s::%s(x, y); }
'''


def renamed(name, single, kind):
    return '%s_%s%s' % (name, 'f' if single else '', kind)


def cpp(kind, name, single, include, extra=''):
    """One file in its namespace, its function by the name that the driver has for it."""
    number = ('adf_' if single else 'ad_') + kind
    other = renamed(name, single, kind)
    text = 'namespace %s_%s {\n' % (kind, name) + PROTOTYPE % (other, number, number)
    text += '#define %s %s\n#define %s %s\n' % (name, other, 'float' if single else 'double',
                                               number)
    text += include + extra + '#undef %s\n#undef %s\n}\n' % (name, 'float' if single else 'double')
    if kind == 'var':
        tape = number.replace('var', 'tape')
        text += TAPED % (name, tape, number, number, name, tape, number, number, name, other)
    return text


def write(directory, name, text):
    with open(os.path.join(directory, name), 'w') as file:
        file.write(text)


def cases(directory, paths):
    texts = dict((kind, '#include "examples/c_as_cpp.hpp"\n'
                  + ''.join('#define %s %s_of_the_file\n' % (n, n) for n in RENAMED))
                 for kind in KINDS)
    lists = {False: '', True: ''}
    for path in paths:
        name = os.path.basename(path)[:-2]
        with open(path) as file:
            head = file.readline()
        n, m, low, high = re.match(r'/\* adc: (\d+) -> (\d+) in \[(.*?), (.*?)\]', head).groups()
        single = ' single' in head
        lists[single] += 'CASE(%s, %s, %s, %s, %s)\n' % (name, n, m, low, high)
        for kind in KINDS:
            texts[kind] += cpp(kind, name, single, '#include "%s"\n' % os.path.abspath(path))
    for kind in KINDS:
        write(directory, kind + '.cpp', texts[kind])
    write(directory, 'cases', lists[False])
    write(directory, 'singles', lists[True])


# Vectors of SUNDIALS made of numbers; what the library does with numbers is given as text.
VECTORS = '''
static void adc_vector(N_Vector v, N_VectorContent_Serial c, double *data, long n)
{
    memset(v, 0, sizeof *v);
    memset(c, 0, sizeof *c);
    v->content = c;
    c->data = data;
    c->length = n;
}
static void adc_const(double value, N_Vector v)
{
    N_VectorContent_Serial c = (N_VectorContent_Serial)v->content;
    long i;
    for (i = 0; i < c->length; i++) c->data[i] = value;
}
static double adc_power(double x, int n)
{
    int i;
    double p = 1;
    for (i = n < 0 ? -n : n; i > 0; i--) p *= x;
    return n < 0 ? 1/p : p;
}
#define N_VConst   adc_const
#define SUNRpowerI adc_power
'''
HEADERS = '''#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
'''


def caller(name, function, names, vectors, clock, n, m, setup):
    """void NAME(x, y) that calls the file's function with vectors."""
    text = '#undef main\nvoid %s(const double *x, double *y)\n{\n' % name
    for v in vectors:
        text += '    struct _generic_N_Vector v_%s; struct _N_VectorContent_Serial c_%s;\n' % (v, v)
        text += '    static double d_%s[%s];\n' % (v, m if v == vectors[-1] else n)
    text += '    void *user = NULL;\n    int i;\n    %s\n' % setup
    for k, v in enumerate(vectors[:-1]):
        text += '    for (i = 0; i < %s; i++) d_%s[i] = x[%d*%s + i];\n' % (n, v, k, n)
    text += '    memset(d_%s, 0, sizeof d_%s);\n' % (vectors[-1], vectors[-1])
    for v in vectors:
        text += '    adc_vector(&v_%s, &c_%s, d_%s, %s);\n' % (v, v, v,
                                                            m if v == vectors[-1] else n)
    arguments = ['&v_' + p if p in vectors else '0.3' if p == clock else 'user' for p in names]
    text += '    %s(%s);\n' % (function, ', '.join(arguments))
    return text + '    (void)user;\n    for (i = 0; i < %s; i++) y[i] = d_%s[i];\n}\n' % (
        m, vectors[-1])


def published(directory, listed, root, wanted):
    setups, functions = table(listed)
    found = sources(root)
    headers, bodies, lines = set(), [], ''
    for file, function, sizes, setup in functions:
        if file + ':' + function not in wanted or file not in found:
            continue
        path = os.path.join(directory, file)
        text = text_of(found[file])
        with open(path, 'wb') as out:
            out.write(text)
        text = text.decode(errors='replace')
        headers.update(re.findall(r'^#include\s+[<"](\w+/\w+\.h)[>"]', text, re.M))
        names, vectors, clock = parameters(text, function)
        n, _, m = sizes.partition(':')
        name = 'F%d_%s' % (len(bodies), function)
        lines += 'CASE(%s, %d, %s, 0.5, 1.5)\n' % (name, int(n)*(len(vectors) - 1), m or n)
        bodies.append((name, VECTORS + '#define main main_of_%s\n#include "%s"\n' % (name, path),
                       caller(name, function, names, vectors, clock, n, m or n,
                              setups[setup] if setup else '')
                       + ''.join('#undef %s\n' % macro for macro
                                 in re.findall(r'^[ ]*#\s*define\s+(\w+)', text, re.M))))
    common = ''.join('#include <%s>\n' % h for h in sorted(headers))
    for kind in KINDS:
        write(directory, kind + '.cpp', '#include <memory>\n'
              '#include "examples/c_as_cpp.hpp"\n#define double ad_%s\n%s#undef double\n' % (kind, common)
              + ''.join(cpp(kind, name, False, include, extra) for name, include, extra in bodies))
    for name, include, extra in bodies:
        write(directory, name + '.c', HEADERS + common + include
              + extra.replace('void %s(' % name, 'void %s(const double *x, double *y);\nvoid %s('
                              % (name, name)))
    write(directory, 'vectors.c', common + '#include <nvector/nvector_serial.h>\n'
          'realtype *N_VGetArrayPointer(N_Vector v)\n'
          '{ return ((N_VectorContent_Serial)v->content)->data; }\n')
    write(directory, 'cases', lines)


if __name__ == '__main__':
    if sys.argv[2].endswith('.txt'):
        published(sys.argv[1], sys.argv[2], sys.argv[3], sys.argv[4:])
    else:
        cases(sys.argv[1], sys.argv[2:])
