"""A random C program for adc, of which no operation fails or has an order that C leaves open:
    generate.py SEED >FILE        void gSEED(const double *x, double *y), helpers before it
Every value stays small: what is carried from one statement to the next goes through functions that
are bounded, or grow slowly."""
import random
import sys

UNARY = ['sin(%s)', 'cos(%s)', 'tanh(%s)', 'atan(%s)', 'sqrt(1 + (%s)*(%s))', 'log(2 + fabs(%s))',
         'exp(sin(%s))', 'exp(-(%s)*(%s))', 'fabs(%s)', '-(%s)', 'asinh(%s)', 'erf(%s)', 'cbrt(%s + 9)',
         'log1p((%s)*(%s))', 'expm1(tanh(%s))', 'sinh(tanh(%s))', 'acos(tanh(%s)*0.5)']
BINARY = ['(%s)*(%s)', '%s + %s', '%s - (%s)', '(%s)/(2 + fabs(%s))', 'atan2(%s, 3 + fabs(%s))',
          'hypot(%s, 1 + fabs(%s))', 'fmin(%s, 0.1234 + %s)', 'fmax(%s, %s - 0.1234)',
          'pow(2 + fabs(%s), sin(%s))', '%s*0.5 + 0.25*(%s)', 'fma(%s, 0.5, %s)']
COMPARE = ['<', '>', '<=', '>=', '!=']


class Program:
    def __init__(self, seed):
        self.r = random.Random(seed)
        self.seed = seed
        self.n = self.r.randint(2, 6)
        self.m = self.r.randint(1, 4)
        self.helpers = []              # (kind, name)
        self.text = []
        self.names = 0
        self.tab = 0

    # ---- pieces of text
    def put(self, s):
        self.text.append('    '*self.tab + s)

    def name(self, stem):
        self.names += 1
        return '%s%d' % (stem, self.names)

    def chance(self, p):
        return self.r.random() < p

    def number(self):
        return self.r.choice(['1', '2', '0.5', '-1.25', '3', '0.75', '1e-1', '(double)2.5f', '0x3', 'RATE',
                              'table%d[%d]' % (self.seed, self.r.randint(0, 3))])

    def index(self, scope, size):
        """An element's number, in range: a constant or what a loop counts."""
        loops = [name for name, below in scope['ints'] if below <= size]
        if loops and self.chance(0.6):
            name = self.r.choice(loops)
            return name if self.chance(0.7) else '%d - %s' % (size - 1, name)
        return str(self.r.randrange(size))

    def leaf(self, scope):
        r = self.r.random()
        if r < 0.15:
            return self.number()
        if r < 0.22 and scope['ints']:
            return self.r.choice(scope['ints'])[0]
        if r < 0.45 and scope['arrays']:
            name, size = self.r.choice(scope['arrays'])
            return '%s[%s]' % (name, self.index(scope, size)) if self.chance(0.7) \
                else '*(%s + %s)' % (name, self.index(scope, size))
        if r < 0.55 and scope['structs']:
            name, arrow = self.r.choice(scope['structs'])
            return name + arrow + self.r.choice(['a', 'b', 'v[0]', 'v[1]', 'in.c', 'n'])
        return self.r.choice(scope['numbers']) if scope['numbers'] else self.number()

    def expression(self, scope, depth):
        r = self.r.random()
        if depth == 0 or r < 0.1:
            return self.leaf(scope)
        if r < 0.35:
            e = self.expression(scope, depth - 1)
            u = self.r.choice(UNARY)
            return u.replace('%s', e)
        if r < 0.42:
            return '(%s ? %s : %s)' % (self.condition(scope), self.expression(scope, depth - 1),
                                       self.expression(scope, depth - 1))
        if r < 0.47:
            return '(double)(int)(3*%s)' % self.paren(scope, depth - 1)
        if r < 0.62 and self.helpers:
            call = self.call(scope, depth - 1)
            if call:
                return call
        if r < 0.66:
            return 'BLEND(%s, %s)' % (self.expression(scope, depth - 1),
                                      self.expression(scope, depth - 1))
        b = self.r.choice(BINARY)
        return b % (self.paren(scope, depth - 1), self.paren(scope, depth - 1))

    def paren(self, scope, depth):
        e = self.expression(scope, depth)
        return e if e.replace('_', '').isalnum() else '(%s)' % e

    def condition(self, scope):
        r = self.r.random()
        a, b = self.expression(scope, 1), self.expression(scope, 1)
        simple = '%s %s %s' % (a, self.r.choice(COMPARE), b)
        if r < 0.2:
            return '%s && %s' % (simple, '%s > %s' % (self.leaf(scope), self.number()))
        if r < 0.35:
            return '!(%s) || %s' % (simple, '%s < 0.5' % self.leaf(scope))
        if r < 0.45 and scope['ints']:
            return '%s %% 2 == 0' % self.r.choice(scope['ints'])[0]
        return simple

    def call(self, scope, depth):
        kind, name = self.r.choice(self.helpers)
        e = lambda: self.expression(scope, depth)
        if kind == 'two':
            return '%s(%s, %s)' % (name, e(), e())
        if kind == 'recursive':
            return '%s(%s, %d)' % (name, e(), self.r.randint(0, 4))
        if kind == 'apply' and 'two' in dict(self.helpers):
            return '%s(%s, %s)' % (name, dict(self.helpers)['two'], e())
        if kind == 'sum' and scope['arrays']:
            array, size = self.r.choice(scope['arrays'])
            return '%s(%s, %d)' % (name, array, self.r.randint(1, size))
        if kind == 'measure' and scope['structs']:
            s, arrow = self.r.choice(scope['structs'])
            return '%s(%s)' % (name, '*' + s if arrow == '->' else s)
        return None

    # ---- statements
    def place(self, scope):
        places = [p for p in scope['numbers'] if p in scope['written']]
        r = self.r.random()
        if r < 0.4 and scope['arrays']:
            arrays = [a for a in scope['arrays'] if a[0] in scope['written']]
            if arrays:
                name, size = self.r.choice(arrays)
                return '%s[%s]' % (name, self.index(scope, size))
        if r < 0.6 and scope['structs']:
            name, arrow = self.r.choice(scope['structs'])
            if name in scope['written']:
                return name + arrow + self.r.choice(['a', 'b', 'v[0]', 'v[1]', 'in.c'])
        return self.r.choice(places) if places else None

    def assignment(self, scope):
        p = self.place(scope)
        if not p:
            return
        e = self.expression(scope, self.r.randint(1, 3))
        r = self.r.random()
        if r < 0.5:
            self.put('%s = %s;' % (p, e))
        elif r < 0.6:
            self.put('%s += %s;' % (p, 'tanh(%s)' % e))
        elif r < 0.7:
            self.put('%s -= %s;' % (p, '0.5*sin(%s)' % e))
        elif r < 0.8:
            self.put('%s *= %s;' % (p, 'cos(%s)' % e))
        elif r < 0.85:
            self.put('%s /= %s;' % (p, '1.5 + fabs(%s)' % e))
        elif r < 0.9:
            self.put(self.r.choice(['%s++;', '--%s;', '++%s;', '%s--;']) % p)
        else:
            q = self.place(scope)
            self.put('%s = %s = 2*atan(%s);' % (p, q or p, e) if q != p else '%s = atan(%s);' % (p, e))
        if self.chance(0.3):
            self.put('%s = 3*tanh(%s);' % (p, p))

    def block(self, scope, count, level):
        inner = {k: list(v) for k, v in scope.items()}
        for _ in range(count):
            self.statement(inner, level)

    def statement(self, scope, level):
        r = self.r.random()
        if r < 0.45 or level > 2:
            self.assignment(scope)
        elif r < 0.57:
            self.put('if (%s) {' % self.condition(scope))
            self.nest(scope, level)
            if self.chance(0.5):
                self.put('} else {')
                self.nest(scope, level)
            self.put('}')
        elif r < 0.72:
            i = self.name('i')
            below = self.r.randint(2, 4)
            inner = {k: list(v) for k, v in scope.items()}
            inner['ints'].append((i, below))
            self.put('{')
            self.tab += 1
            self.put('int %s;' % i)
            self.put(self.r.choice(['for (%s = 0; %s < %d; %s++) {' % (i, i, below, i),
                                    'for (%s = %d; %s >= 0; --%s) {' % (i, below - 1, i, i)]))
            self.tab += 1
            if self.chance(0.3):
                self.put('if (%s) %s;' % (self.condition(inner), self.r.choice(['continue', 'break'])))
            self.tab -= 1
            self.nest(inner, level)
            self.put('}')
            self.tab -= 1
            self.put('}')
        elif r < 0.78:
            self.put('switch (%s) {' % self.r.choice(
                ['(int)(%s)' % self.leaf(scope)] + [n for n, _ in scope['ints']]))
            for k in range(self.r.randint(1, 3)):
                self.put('case %d: {' % k)
                self.nest(scope, level)
                self.put('    break;' if self.chance(0.7) else '} /* falls through */')
                if self.text[-1].endswith('break;'):
                    self.put('}')
            self.put('default: {')
            self.nest(scope, level)
            self.put('}')
            self.put('}')
        elif r < 0.86:
            self.declaration(scope)
        elif r < 0.92:
            arrays = [a for a in scope['arrays'] if a[0] in scope['written']]
            if arrays and scope['arrays']:
                to, from_ = self.r.choice(arrays), self.r.choice(scope['arrays'])
                size = min(to[1], from_[1])
                if to != from_:
                    self.put('memcpy(%s, %s, %d*sizeof *%s);' % (to[0], from_[0], size, to[0]))
                else:
                    self.put('memset(%s, 0, %d*sizeof(double));' % (to[0], max(1, size - 1)))
        else:
            self.side_effect(scope)

    def nest(self, scope, level):
        self.tab += 1
        self.block(scope, self.r.randint(1, 2), level + 1)
        self.tab -= 1

    def side_effect(self, scope):
        for kind, name in self.r.sample(self.helpers, len(self.helpers)):
            if kind == 'change':
                arrays = [a for a in scope['arrays'] if a[0] in scope['written']]
                if arrays:
                    array, size = self.r.choice(arrays)
                    self.put('%s(%s, %d, %s);' % (name, array, size, self.expression(scope, 2)))
                    return
            if kind == 'move' and [s for s in scope['structs'] if s[0] in scope['written']]:
                s, arrow = self.r.choice([s for s in scope['structs'] if s[0] in scope['written']])
                self.put('%s(%s, %s);' % (name, s if arrow == '->' else '&' + s,
                                          self.expression(scope, 2)))
                return

    def declaration(self, scope):
        r = self.r.random()
        if r < 0.3:
            a, b = self.name('u'), self.name('w')
            self.put('double %s = %s, %s = %s;' % (a, self.expression(scope, 2), b, self.number()))
            scope['numbers'] += [a, b]
            scope['written'] += [a, b]
        elif r < 0.45:
            a = self.name('k')
            self.put('const double %s = %s;' % (a, self.expression(scope, 2)))
            scope['numbers'].append(a)
        elif r < 0.65:
            a, size = self.name('v'), self.r.randint(2, 4)
            self.put('double %s[%d] = { %s };' % (a, size, ', '.join(
                self.expression(scope, 1) for _ in range(self.r.randint(1, size)))))
            scope['arrays'].append((a, size))
            scope['written'].append(a)
        elif r < 0.8:
            s = self.name('s')
            self.put('struct pack%d %s = { %s, %s, { %s, 1 }, { %s }, %d };' % (
                self.seed, s, self.expression(scope, 1), self.number(), self.expression(scope, 1),
                self.expression(scope, 1), self.r.randint(0, 3)))
            scope['structs'].append((s, '.'))
            scope['written'].append(s)
            if self.chance(0.4):
                p = self.name('p')
                self.put('struct pack%d *const %s = &%s;' % (self.seed, p, s))
                scope['structs'].append((p, '->'))
                scope['written'].append(p)
        elif scope['arrays']:
            array, size = self.r.choice(scope['arrays'])
            if size > 2:
                p = self.name('p')
                written = array in scope['written']
                self.put('%sdouble *%s = %s + 1;' % ('' if written else 'const ', p, array))
                scope['arrays'].append((p, size - 1))
                if written:
                    scope['written'].append(p)

    # ---- functions
    def empty(self):
        return dict(numbers=[], ints=[], arrays=[], structs=[], written=[])

    def body(self, scope, count, result):
        self.put('{')
        self.tab += 1
        self.declaration(scope)
        for _ in range(count):
            self.statement(scope, 0)
        if result:
            if self.chance(0.3):
                self.put('if (%s) return %s;' % (self.condition(scope), self.expression(scope, 1)))
            self.put('return %s;' % ('2*sin(%s)' % self.expression(scope, 2)))
        self.tab -= 1
        self.put('}')

    def helper(self, kind):
        name = '%s%d_%s' % (kind, self.seed, self.name(''))
        scope = self.empty()
        heads = {'two': 'static double %s(double a, double b)',
                 'sum': 'static double %s(const double *a, int n)',
                 'recursive': 'static double %s(double a, int n)',
                 'change': 'static void %s(double *a, int n, double b)',
                 'apply': 'static double %s(double (*f)(double a, double b), double a)',
                 'measure': 'static double %%s(struct pack%d s)' % self.seed,
                 'move': 'static void %%s(struct pack%d *s, double a)' % self.seed}
        self.put(heads[kind] % name)
        if kind == 'two':
            scope['numbers'] += ['a', 'b']
            scope['written'] += ['a', 'b']
            self.body(scope, 2, True)
        elif kind == 'recursive':
            scope['numbers'] += ['a']
            self.put('{')
            self.put('    if (n <= 0) return %s;' % self.expression(scope, 2))
            self.put('    return %s(tanh(%s), n - 1)*0.5 + sin(%s);'
                     % (name, self.expression(scope, 1), self.expression(scope, 1)))
            self.put('}')
        elif kind == 'sum':
            self.put('{')
            self.put('    double s = 0;')
            self.put('    const double *p = a;')
            self.put('    while (n-- > 0) s += %s;' % self.r.choice(['*p++*0.5', 'sin(*p++)', 'a[n]']))
            self.put('    return s + (double)(p - a);')
            self.put('}')
        elif kind == 'change':
            scope['numbers'] += ['b']
            self.put('{')
            self.put('    int i;')
            self.put('    for (i = 0; i < n; i++) a[i] %s;' % self.r.choice(
                ['+= sin(%s)', '*= cos(%s)', '= tanh(a[i]*(%s))']) % self.expression(scope, 2))
            if self.chance(0.5):
                self.put('    *a%s b;' % self.r.choice([' =', ' +=', ' -=']))
            self.put('}')
        elif kind == 'apply':
            scope['numbers'] += ['a']
            self.put('{')
            self.put('    return f(%s, %s)%s;' % (self.expression(scope, 1), self.expression(scope, 1),
                                                  self.r.choice(['', ' + (*f)(a, 1)', '*0.5'])))
            self.put('}')
        else:
            scope['structs'].append(('s', '->' if kind == 'move' else '.'))
            scope['written'].append('s')
            if kind == 'move':
                scope['numbers'] += ['a']
            self.body(scope, 2, kind == 'measure')
        self.put('')
        self.helpers.append((kind, name))

    def write(self):
        self.put('/* adc: %d -> %d in [-2, 2]: random program %d */' % (self.n, self.m, self.seed))
        self.put('#include <math.h>')
        self.put('#include <string.h>')
        self.put('')
        self.put('#define RATE 0.125')
        self.put('#define BLEND(p, q) (0.25*(p) + 0.75*(q))')
        self.put('struct pack%d { double a, b, v[2]; struct { double c; } in; int n; };' % self.seed)
        self.put('static const double table%d[4] = { 0.5, -1, 2.25, 1e-2 };' % self.seed)
        self.put('')
        kinds = ['two', 'sum', 'recursive', 'change', 'apply', 'measure', 'move']
        for kind in self.r.sample(kinds, self.r.randint(2, 6)):
            self.helper(kind)
        name = 'g%d' % self.seed
        self.put('void %s(const double *x, double *y);' % name)
        self.put('void %s(const double *x, double *y)' % name)
        scope = self.empty()
        scope['arrays'] += [('x', self.n), ('y', self.m)]
        scope['written'] += ['y']
        self.put('{')
        self.tab += 1
        for k in range(self.m):
            self.put('y[%d] = %s;' % (k, self.r.choice(['0', 'x[0]', '1.5', 'x[%d]*2' % (self.n - 1)])))
        self.declaration(scope)
        self.declaration(scope)
        for _ in range(self.r.randint(5, 10)):
            self.statement(scope, 0)
        for k in range(self.m):
            self.put('y[%d] += sin(%s);' % (k, self.expression(scope, 2)))
        self.tab -= 1
        self.put('}')
        return '\n'.join(self.text) + '\n'


print(Program(int(sys.argv[1])).write(), end='')
