"""Arrays of autodiff.h against PyTorch on random cases; run by tests/check_torch.sh.

    torch_check.py PROGRAM [--header autodiff.h] [--dir DIR] [--only KIND] [--cases N] [--seed S]

PROGRAM is tests/torch_check.c, compiled. Every kind of operation has random numbers of its own, so
that --only KIND gives the same cases as the whole run. What PyTorch computes, it computes in double
from the very numbers that the program gets; the program is to be near in double (1e-10) and in
float (1e-4). The error of a number is its distance from PyTorch's, divided by
    the sum of the sizes of the terms, where the operation is a sum of products (there the same
    operation on absolute values gives it); else
    the greatest of PyTorch's number; a part of the greatest one in the same array (all of it in
    float and in second derivatives, a thousandth in double); for derivatives, a hundredth (in
    double a thousandth) of the greatest weight, and for second ones the greatest first one: the
    sizes of the terms that cancel, as they do in softmax(x) - 1. Some kinds know more of theirs.
What is compared: values; adjoints of a random weighting; tangents, by their product with the same
weights; the recorded gradient, and the derivative of its product with a direction. For that one the
weighting is of squares in half of the cases, so that the second derivative of a linear operation is
not nothing. Values and gradients, and now and then the second derivatives, are those of a compiled
function, too, which was recorded with other numbers; or of what ad_fn_jvp and ad_fn_vjp made of it.
"""
import argparse
import math
import os
import re
import struct
import subprocess
import sys
import zlib

import numpy as np
import torch
import torch.nn.functional as F

torch.set_num_threads(1)
torch.set_default_dtype(torch.float64)

LIMIT = {8: 1e-10, 4: 1e-4}
INPUT, BORROW, CONST, CONST_BORROW, NEGATED, SCALARS, PIECE, SAME = range(8)
SEED, LOSS, TWICE, PLAIN, MORE, BENT, COMPILED, COMPILED_TWICE, DERIVED = range(9)
OUTPUT, GRADIENT, TANGENT, RECORDED, SECOND, IS_PLAIN = range(6)
WHAT = ("value", "gradient", "tangent", "recorded gradient", "second derivative", "result")
END = 1000000
ALL_AXES, NO_AXES = 0x30000, 0x10000
LEVELS = ("best", "plain", "avx2", "avx512")


class Skip(Exception):
    """A draw that is no case."""


# ---------------------------------------------------------------- random things

class Draw:
    """The random numbers of one case, and its operands."""

    def __init__(self, rng, real):
        self.rng = rng
        self.real = real
        self.dtype = np.float64 if real == 8 else np.float32
        self.operands = []

    def chance(self, p):
        return self.rng.random() < p

    def int(self, low, high):               # both included
        return int(self.rng.integers(low, high + 1))

    def pick(self, *choices):
        return choices[int(self.rng.integers(len(choices)))]

    def number(self, low, high):
        """A number that the program's real type has."""
        return float(self.dtype(self.rng.uniform(low, high)))

    def exact(self, x):
        return float(self.dtype(x))

    def shape(self, low=0, high=4, limit=200, empty=False):
        """Extents; empty: now and then one of them is 0."""
        dims = []
        for _ in range(self.int(low, high)):
            most = limit // max(1, math.prod(dims))
            dims.append(min(max(1, most), self.pick(1, 2, 3, 4, 5, 6, 7, 8, 9, 13, 16, 17, 33)))
        if empty and dims and self.chance(0.03):
            dims[self.int(0, len(dims) - 1)] = 0
        return dims

    def axis(self, rank):
        return self.int(-rank, rank - 1)

    def values(self, shape, domain):
        """domain: (low, high), ties (low, high, 'ties'), or (low, high, hole): |x| >= hole."""
        rng = self.rng
        if len(domain) == 3 and domain[2] == "ties":
            x = rng.integers(domain[0], domain[1] + 1, size=shape).astype(np.float64)
        else:
            x = rng.uniform(domain[0], domain[1], size=shape)
            if len(domain) == 3:
                x = np.where(np.abs(x) < domain[2], np.where(x < 0, -1.0, 1.0) * domain[2] + x, x)
        return np.asarray(x, dtype=self.dtype)

    def add(self, x, how=None, constant=0.12):
        """An operand; how it gets onto the tape is left to chance."""
        x = np.asarray(x, dtype=self.dtype)
        if how is None:
            how = self.pick(INPUT, INPUT, BORROW, NEGATED, PIECE, SCALARS)
            if how == PIECE and x.ndim == 4 or how == SCALARS and x.size > 300:
                how = INPUT
            if self.chance(constant):
                how = self.pick(CONST, CONST_BORROW)
        self.operands.append((how, x))
        return x

    def new(self, shape, domain=(-2, 2), how=None, constant=0.12):
        return self.add(self.values(shape, domain), how, constant)

    def constant(self, shape, domain=(-2, 2)):
        return self.new(shape, domain, self.pick(CONST, CONST_BORROW))

    def broadcast(self, n, limit=200):
        """Shapes of n operands that broadcast against each other."""
        shape = self.shape(limit=limit, empty=True)
        shapes = []
        for _ in range(n):
            s = [1 if self.chance(0.2) else d for d in shape]
            if self.chance(0.25):
                s = s[self.int(0, len(s)):]
            shapes.append(list(shape) if self.chance(0.4) else s)
        return shapes

    def batch(self, n, most=2):
        """Shapes of batches in front of matrices."""
        shape = [self.int(1, 4) for _ in range(self.int(0, most) if self.chance(0.6) else 0)]
        shapes = []
        for _ in range(n):
            s = [1 if self.chance(0.2) else d for d in shape]
            shapes.append(s[self.int(0, len(s)):] if self.chance(0.3) else s)
        return shapes


class Case:
    """What the program is told, and what PyTorch says of it."""

    def __init__(self, draw, name, f, ints=(), reals=(), positive=False, way=None, text="",
                 plain=None, smooth=True, check=None, again=None, terms=0.0, slopes=1e-2,
                 compiled=True):
        self.real = draw.real
        self.terms = terms                  # sizes of what cancels in a value, and in a derivative
        self.slopes = slopes
        self.text = name + (" " + text if text else "")
        self.ints = [int(i) for i in ints]
        self.reals = [float(r) for r in reals]
        self.operands = draw.operands
        self.check = check
        self.level = draw.int(0, 3)
        # the operation's part of the gradient is added to what another consumer left
        self.more = check is None and draw.chance(0.5)
        self.way = draw.pick(SEED, LOSS, LOSS, TWICE, COMPILED) if way is None else way
        if self.way == TWICE and not smooth or self.way == COMPILED and (
                not compiled or any(x.size == 0 for _, x in self.operands)):
            self.way = LOSS
        if self.way == COMPILED:            # what is no array is captured
            self.operands[:] = [(INPUT if how == SCALARS else how, x) for how, x in self.operands]
        self.weights = []
        self.expected = {}
        if plain is not None:
            self.way = PLAIN
            for k, p in enumerate(plain):
                self.expect(IS_PLAIN, k, np.asarray(p, dtype=np.float64).reshape(-1))
        self.twice = self.way == TWICE or self.way == COMPILED and smooth and draw.chance(0.4)
        self.derived = self.way == COMPILED and not self.twice and draw.chance(0.5)
        self.bent = self.twice and (self.way == COMPILED or draw.chance(0.5))
        self.greatest = 1.0                 # what the weights are multiplied with
        if f is None:
            return
        if self.way != PLAIN and all(how in (CONST, CONST_BORROW, SAME) for how, _ in
                                     self.operands):
            self.operands[0] = (INPUT, self.operands[0][1])
        self.leaves = []
        tensors = []
        for how, x in self.operands:
            if how == SAME:
                tensors.append(tensors[-1])
                continue
            t = torch.from_numpy(np.array(x, dtype=np.float64))
            t.requires_grad_(how not in (CONST, CONST_BORROW))
            tensors.append(t)
        # again: a spelling of f that PyTorch can differentiate twice
        outputs = listed((again if again and self.twice else f)(tensors))
        if self.way == SEED and (len(outputs) > 1 or any(x.size == 0 for _, x in self.operands)):
            self.way = LOSS                 # what has no elements is a constant, and may be refused
        sizes = None
        if positive:
            absolute = [t.detach().abs().requires_grad_(t.requires_grad) for t in tensors]
            for k, (how, _) in enumerate(self.operands):
                if how == SAME:
                    absolute[k] = absolute[k - 1]
            sizes = listed(f(absolute))
        for k, y in enumerate(outputs):
            if not np.isfinite(y.detach().numpy()).all():
                raise Skip()
            self.expect(OUTPUT, k, y.detach().numpy(),
                        sizes[k].detach().numpy() if positive else None)
        if self.way == PLAIN:
            return
        for y in outputs:
            self.weights.append(draw.values(list(y.shape), (-1, 1, 0.05)))
            if self.bent and y.numel():
                self.greatest = max(self.greatest, float(y.detach().abs().max()))
        w = [torch.from_numpy(np.array(v, dtype=np.float64)) for v in self.weights]
        self.differentiate(tensors, outputs, w)
        if positive and not self.twice:
            grads = gradients(sum((y * v.abs()).sum() for y, v in zip(sizes, w)), absolute)
            for k, g in enumerate(grads):
                if (GRADIENT, k) in self.expected:
                    self.expect(GRADIENT, k, self.expected[GRADIENT, k][0], g.detach().numpy())
        if self.way == LOSS and self.more:
            for k, (how, x) in enumerate(self.operands):
                if (GRADIENT, k) in self.expected:
                    g, size = self.expected[GRADIENT, k]
                    u = direction(k, x.size).reshape(x.shape)
                    self.expect(GRADIENT, k, g + u, None if size is None else size + np.abs(u))

    def expect(self, what, k, value, size=None):
        self.expected[what, k] = (value, size)

    def differentiate(self, tensors, outputs, w):
        """Gradients of the sum of weight times output with respect to what is on the tape."""
        own = [how not in (CONST, CONST_BORROW, SAME) for how, _ in self.operands]
        loss = sum(((y * y / 2 if self.bent else y) * v).sum() for y, v in zip(outputs, w))
        twice = self.twice
        grads = gradients(loss, tensors, twice)
        what = RECORDED if twice else GRADIENT
        for k, g in enumerate(grads):
            if own[k] and not (twice and self.operands[k][0] == SCALARS):
                self.expect(what, k, g.detach().numpy())
        if self.way == LOSS or self.derived:
            self.product = sum(float((grads[k].detach() * v).sum())
                               for k, v in self.directions(tensors))
        if twice:
            s = sum((grads[k] * v).sum() for k, v in self.directions(tensors))
            for k, g in enumerate(gradients(s, tensors)):     # zeros, where s does not depend on any
                if own[k] and self.operands[k][0] != SCALARS:
                    self.expect(SECOND, k, g.numpy())

    def directions(self, tensors):
        """What the program takes as directions, as seen by the operands."""
        for k, (how, x) in enumerate(self.operands):
            if how in (CONST, CONST_BORROW, SAME, SCALARS):
                continue
            v = direction(k, x.size, x.size if how == PIECE else 0)
            yield k, torch.from_numpy((-v if how == NEGATED else v).reshape(x.shape))

    def most(self):
        """The greatest weight, and what it is multiplied with."""
        return self.greatest * max([float(np.abs(w).max()) for w in self.weights if w.size] or [0.0])

    def write(self, out):
        out.write(self.text.encode().ljust(128, b"\0"))
        way = MORE if self.way == LOSS and self.more else BENT if self.bent else self.way
        if self.way == COMPILED:
            way = COMPILED_TWICE if self.twice else DERIVED if self.derived else COMPILED
        out.write(struct.pack("<8i", self.real, self.level, way, len(self.operands),
                              len(self.ints), len(self.reals), len(self.weights), 0))
        real = "<f8" if self.real == 8 else "<f4"
        for how, x in self.operands:
            out.write(struct.pack("<6i", how, x.ndim, *(list(x.shape) + [1] * (4 - x.ndim))))
            out.write(np.ascontiguousarray(x).astype(real).tobytes())
        out.write(np.array(self.ints, dtype=np.int64).astype("<i4").tobytes())
        out.write(np.array(self.reals, dtype="<f8").tobytes())
        for w in self.weights:
            out.write(struct.pack("<i", w.size) + np.ascontiguousarray(w).astype(real).tobytes())

    def __str__(self):
        shapes = " ".join("%s%s" % ("IBCDNSPA"[how], list(x.shape)) for how, x in self.operands)
        return "%s, %s, %s, %s; operands %s; %s %s" % (
            self.text, "double" if self.real == 8 else "float", LEVELS[self.level],
            {SEED: "backward from an array", LOSS: "loss", TWICE: "twice", PLAIN: "plain",
             COMPILED: "compiled"}[self.way] + (", second, of squares" if self.bent else
                                                ", ad_fn_jvp and ad_fn_vjp" if self.derived else ""), shapes, self.ints[:24], self.reals)


def direction(k, n, start=0):
    """The program's, for operand k."""
    return ((np.arange(start, start + n) * 37 + k * 17 + 11) % 64 - 31.5) / 32


def listed(x):
    return list(x) if isinstance(x, (list, tuple)) else [x]


def gradients(y, tensors, twice=False):
    """Of every tensor; zeros for one that y does not depend on."""
    wanted = []
    for t in tensors:                       # one that stands twice is asked for once
        if t.requires_grad and not any(t is u for u in wanted):
            wanted.append(t)
    got = [None] * len(wanted)
    if torch.is_tensor(y) and y.requires_grad and wanted:
        got = torch.autograd.grad(y, wanted, create_graph=twice, allow_unused=True)
    result = []
    for t in tensors:
        g = [g for u, g in zip(wanted, got) if u is t]
        result.append(g[0] if g and g[0] is not None else torch.zeros_like(t))
    return result


KINDS = {}


def kind(*names, share=1.0):
    """Registers a maker of cases: maker(draw, name) -> Case. share: of the usual number."""
    def register(maker):
        for name in names:
            KINDS[name] = (maker, share)
        return maker
    return register


# ---------------------------------------------------------------- the rules

R, UNIT, POSITIVE, ABOVE, APART = (-4, 4), (-0.95, 0.95), (0.15, 5), (1.05, 6), (-3, 3, 0.2)


def polygamma(n, x):
    """torch.polygamma(1, x) and what rests on it have no more than ten digits; zeta has all."""
    n = torch.as_tensor(n, dtype=torch.float64)
    sign = 1 - 2 * torch.remainder(n + 1, 2)
    return sign * torch.exp(torch.lgamma(n + 1)) * torch.special.zeta(n + 1, x)


class Digamma(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return torch.digamma(x)

    @staticmethod
    def backward(ctx, g):
        return g * polygamma(1, ctx.saved_tensors[0])


class Lgamma(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return torch.lgamma(x)

    @staticmethod
    def backward(ctx, g):
        return g * Digamma.apply(ctx.saved_tensors[0])


def sinc(x):
    """The derivatives of torch.sinc cancel near 0; those of its series do not."""
    near = torch.abs(x) < 0.5
    far = torch.where(near, torch.ones(()), x)
    square = torch.where(near, x * x, torch.zeros(()))
    series = sum((-1) ** k / math.factorial(2 * k + 1) * square ** k for k in range(10))
    return torch.where(near, series, torch.sin(far) / far)


UNARY = {
    "neg": (torch.neg, R), "abs": (torch.abs, (-3, 3, "ties")), "sign": (torch.sign, R),
    "sqrt": (torch.sqrt, POSITIVE), "square": (torch.square, R), "inv": (torch.reciprocal, APART),
    "cbrt": (lambda x: torch.sign(x) * torch.abs(x) ** (1 / 3), APART),
    "exp": (torch.exp, (-20, 20)), "exp2": (torch.exp2, (-20, 20)), "expm1": (torch.expm1, R),
    "log": (torch.log, POSITIVE), "log2": (torch.log2, POSITIVE), "log10": (torch.log10, POSITIVE),
    "log1p": (torch.log1p, (-0.9, 9)), "sin": (torch.sin, (-9, 9)), "cos": (torch.cos, (-9, 9)),
    "sinc": (sinc, (-9, 9)),
    "tan": (torch.tan, (-1.3, 1.3)), "asin": (torch.asin, UNIT), "acos": (torch.acos, UNIT),
    "atan": (torch.atan, R), "sinh": (torch.sinh, R), "cosh": (torch.cosh, R),
    "tanh": (torch.tanh, R), "asinh": (torch.asinh, R), "acosh": (torch.acosh, ABOVE),
    "atanh": (torch.atanh, UNIT), "erf": (torch.erf, R), "erfc": (torch.erfc, R),
    "lgamma": (Lgamma.apply, (0.2, 9)), "digamma": (Digamma.apply, (0.2, 9)),
    "trigamma": (lambda x: polygamma(1, x), (0.2, 9)),
    "sigmoid": (torch.sigmoid, (-9, 9)), "relu": (F.relu, (-3, 3, "ties")),
    "softplus": (lambda x: F.softplus(x, threshold=600), (-9, 9)), "selu": (F.selu, R),
    "gelu": (F.gelu, R), "gelu_tanh": (lambda x: F.gelu(x, approximate="tanh"), R),
    "silu": (F.silu, (-9, 9)), "floor": (torch.floor, R), "ceil": (torch.ceil, R),
    "round": (torch.round, R), "trunc": (torch.trunc, R),
}


@kind(*UNARY)
def unary(d, name):
    f, domain = UNARY[name]
    if domain[-1] == "ties" and d.chance(0.5):
        domain = R
    d.new(d.shape(limit=400, empty=True), domain, constant=0)
    # PyTorch 1.13 leaves its second derivative of abs unset
    again = (lambda t: t[0] * torch.sign(t[0].detach())) if name == "abs" else None
    return Case(d, name, lambda t: f(t[0]), again=again)


def leaky(x, y):
    return F.leaky_relu(x, y) if not torch.is_tensor(y) else torch.where(x > 0, x, y * x)


def elu(x, y):
    if not torch.is_tensor(y):
        return F.elu(x, y)
    return torch.where(x > 0, x, y * torch.expm1(torch.clamp(x, max=0)))


def fixed(f):
    """The second operand has no derivative."""
    return lambda x, y: f(x, y.detach() if torch.is_tensor(y) else y)


def compare(f):
    return lambda x, y: f(x, y).to(torch.float64)


def divide0(x, y):
    y = torch.as_tensor(y)
    return torch.where(y == 0, torch.zeros(()), x / torch.where(y == 0, torch.ones(()), y))


def both(f):
    return lambda x, y: f(torch.as_tensor(x), torch.as_tensor(y))


TIES = (-2, 2, "ties")
BINARY = {                     # function, domains, forms: arrays, with _r, with _from_r
    "add": (both(torch.add), R, R, 7), "sub": (both(torch.sub), R, R, 7),
    "mul": (both(torch.mul), R, R, 7), "div": (both(torch.div), R, APART, 7),
    "sub0": (both(torch.sub), TIES, TIES, 7), "mul0": (both(torch.mul), TIES, TIES, 7),
    "div0": (divide0, R, TIES, 7), "copysign": (both(torch.copysign), APART, APART, 7),
    "hypot": (both(torch.hypot), APART, R, 7), "pow": (torch.pow, POSITIVE, (-3, 3), 7),
    "ipow": (fixed(torch.pow), APART, (-4, 5, "ties"), 3),
    "atan2": (both(torch.atan2), APART, R, 7),
    "polygamma": (fixed(lambda x, n: polygamma(n, x)), (0.3, 9), (1, 3, "ties"), 3),
    "logaddexp": (both(torch.logaddexp), (-9, 9), (-9, 9), 7),
    "leaky_relu": (leaky, R, (0.01, 1), 3), "elu": (elu, R, (0.3, 2), 3),
    "min": (both(torch.minimum), TIES, TIES, 7), "max": (both(torch.maximum), TIES, TIES, 7),
    "fmod": (both(torch.fmod), (-9, 9), APART, 7),
    "lt": (compare(torch.lt), TIES, TIES, 3), "le": (compare(torch.le), TIES, TIES, 3),
    "gt": (compare(torch.gt), TIES, TIES, 3), "ge": (compare(torch.ge), TIES, TIES, 3),
    "eq": (compare(torch.eq), TIES, TIES, 3), "ne": (compare(torch.ne), TIES, TIES, 3),
}


@kind(*BINARY)
def binary(d, name):
    f, first, second, forms = BINARY[name]
    form = d.pick(*[k for k in (0, 0, 0, 1, 2, 3, 4) if forms >> k & 1 or k > 2])
    if form > 2:                            # beside a variable
        d.new(d.shape() if form == 3 else [], first)
        d.new(d.shape() if form == 4 else [], second)
        return Case(d, name, lambda t: f(t[0], t[1]), [form], positive=name in ("add", "mul"))
    if form == 0:
        a, b = d.broadcast(2)
        x = d.new(a, first)
        if a == b and first == second and d.chance(0.15):
            d.add(x, SAME)
        else:
            d.new(b, second)
        return Case(d, name, lambda t: f(t[0], t[1]), [0], positive=name in ("add", "mul"))
    c = float(d.values([], second if form == 1 else first))
    d.new(d.shape(), first if form == 1 else second, constant=0)
    if form == 1:
        return Case(d, name, lambda t: f(t[0], c), [1], [c])
    return Case(d, name, lambda t: f(c, t[0]), [2], [c])


@kind("fma")
def fma(d, name):
    for s in d.broadcast(3):
        d.new(s, R)
    return Case(d, name, lambda t: t[0] * t[1] + t[2], positive=True)


@kind("clamp")
def clamp(d, name):
    for s, domain in zip(d.broadcast(3), ((-3, 3), (-2, -0.5), (0.5, 2))):
        d.new(s, domain)
    # expanded, since PyTorch's own gradient fails where x is the one to be broadcast
    return Case(d, name, lambda t: torch.clamp(*torch.broadcast_tensors(*t)))


@kind("select", "where")
def select(d, name):
    a, b, c = d.broadcast(3)
    d.new(a, (-1, 1, "ties"))
    d.new(b), d.new(c)
    return Case(d, name, lambda t: torch.where(t[0] != 0, t[1], t[2]))


MAPS = (
    ("sigmoid(a*b + c)*d", 4, lambda a, b, c, d: torch.sigmoid(a * b + c) * d),
    ("exp(-a^2/2)", 1, lambda a: torch.exp(-a ** 2 / 2)),
    ("a*sin(b) + log(1 + a^2)", 2, lambda a, b: a * torch.sin(b) + torch.log(1 + a ** 2)),
    ("a > 0 ? a*b : b - a", 2, lambda a, b: torch.where(a > 0, a * b, b - a)),
    ("tanh(a)*tanh(b)*c + a", 3, lambda a, b, c: torch.tanh(a) * torch.tanh(b) * c + a),
    ("3*b - b", 2, lambda a, b: 2 * b + 0 * a),
    ("sqrt(a^2 + b^2 + c^2 + 1)/(2 + cos(d))", 4,
     lambda a, b, c, d: torch.sqrt(a ** 2 + b ** 2 + c ** 2 + 1) / (2 + torch.cos(d))),
)


@kind("map", share=2)
def array_map(d, name):
    text, n, f = d.pick(*MAPS)
    for s in d.broadcast(n, 400):
        d.new(s)
    return Case(d, name, lambda t: f(*t), text=text)


BESIDES = (
    lambda a, v, w, c: a * v + w,
    lambda a, v, w, c: torch.clamp(*torch.broadcast_tensors(a, v, w)),
    lambda a, v, w, c: torch.where(a > v, w, a * v),
    lambda a, v, w, c: a / ((v * w) ** 2 + 1),
    lambda a, v, w, c: ((a * a).sum() - a + v * w) * c,
    lambda a, v, w, c: torch.tanh(torch.stack([w, a.sum(), v])),
)


@kind("beside", share=2)
def beside(d, name):
    which, c = d.int(0, len(BESIDES) - 1), d.number(-2, 2)
    d.new(d.shape())
    d.new([], (-2, -0.5)), d.new([], (0.5, 2))
    return Case(d, name, lambda t: BESIDES[which](*t, c), [which], [c],
                terms=float(np.abs(d.operands[0][1]).sum()) if which == 5 else 0.0)


@kind("call", share=2)
def call(d, name):
    """Operations of the user's on whole arrays, which compiled functions do not take."""
    which = d.int(0, 2)
    if which == 0:
        times = d.int(1, 3)
        d.new(d.shape(limit=60), (-1.2, 1.2, 0.3))

        def ring(t):
            y = t[0]
            for _ in range(times):
                y = y * y * torch.roll(y.reshape(-1), -1).reshape(y.shape)
            return y
        return Case(d, name, ring, [which, times], positive=True, compiled=False)
    m, k, n, apart = d.int(1, 9), d.int(1, 6), d.int(1, 9), d.int(0, 1)

    def outputs(y):
        return [y[0], torch.tanh(y)] if apart else y
    if which == 1:
        x = d.new([m, k])
        if m == k == n and d.chance(0.5):
            d.add(x, SAME)
        else:
            d.new([k, n])
        return Case(d, name, lambda t: outputs(t[0] @ t[1]), [which, apart], positive=not apart,
                    compiled=False)
    d.new([m, k], (-1, 1)), d.new([n, k], (-1, 1)), d.new([], (0.2, 1.5))
    return Case(d, name, lambda t: outputs(torch.exp(
        -t[2] * ((t[0][:, None] - t[1][None]) ** 2).sum(-1))), [which, apart], compiled=False)


# ---------------------------------------------------------------- reductions

def axes_of(d, rank):
    """Some axes, as the mask of the interface."""
    if rank == 0 or d.chance(0.3):
        return list(range(rank)), ALL_AXES
    axes = [k for k in range(rank) if d.chance(0.5)] or [d.int(0, rank - 1)]
    mask = NO_AXES
    for k in axes:
        mask |= 1 << ((k if d.chance(0.7) else k - rank) & 31)
    return axes, mask


def signed(mask):
    return mask - (1 << 32) if mask >> 31 else mask


def product(x, axes, keep):
    for k in sorted(axes, reverse=True):
        x = torch.prod(x, k, keepdim=keep)
    return x


def factor_by_factor(x, axes, keep):
    """The same; twice differentiable where there are zeros, which PyTorch's own is not."""
    for k in sorted(axes, reverse=True):
        shape = [n for j, n in enumerate(x.shape) if j != k]
        y = torch.ones(shape)
        for part in x.unbind(k):
            y = y * part
        x = y.unsqueeze(k) if keep else y
    return x


REDUCE = {
    "sum": lambda x, a, k: torch.sum(x, a, keepdim=k) if a else x.clone(),
    "mean": lambda x, a, k: torch.mean(x, a, keepdim=k) if a else x.clone(),
    "prod": product,
    "amax": lambda x, a, k: torch.amax(x, a, keepdim=k),
    "amin": lambda x, a, k: torch.amin(x, a, keepdim=k),
    "norm": lambda x, a, k: torch.linalg.vector_norm(x, dim=a or None, keepdim=k),
    "logsumexp": lambda x, a, k: torch.logsumexp(x, a, keepdim=k) if a else x.clone(),
}


@kind(*REDUCE)
def reduction(d, name):
    shape = d.shape(limit=60 if name == "prod" else 600, empty=name in ("sum", "prod", "norm"))
    axes, mask = axes_of(d, len(shape))
    keep = d.int(0, 1)
    domain = {"sum": R, "mean": R, "prod": (-1.6, 1.6, 0.4), "norm": R, "logsumexp": (-9, 9)}.get(
        name, TIES if d.chance(0.5) else R)
    x = d.values(shape, domain)
    if name == "prod" and d.chance(0.3):
        x = np.where(d.rng.random(x.shape) < d.pick(0.05, 0.3), 0, x)
    if name == "norm" and len(shape) > 1 and x.size and d.chance(0.2):
        x[0] = 0
    d.add(x, constant=0)
    f = REDUCE[name]
    again = None
    if name == "prod":
        def again(t):
            return factor_by_factor(t[0], axes, bool(keep))
    # the norm of zeros has no second derivative
    zero = name == "norm" and x.size and not np.abs(x).max(axis=tuple(axes)).all()
    return Case(d, name, lambda t: f(t[0], axes, bool(keep)), [signed(mask), keep],
                positive=name in ("sum", "mean"), smooth=not zero, again=again)


@kind("var", "std")
def spread(d, name):
    shape = d.shape(low=1, limit=600)
    axes, mask = axes_of(d, len(shape))
    keep, ddof = d.int(0, 1), d.int(0, 1)
    if math.prod(shape[k] for k in axes) < 3:
        raise Skip()
    d.new(shape, R, constant=0)
    f = torch.var if name == "var" else torch.std
    return Case(d, name, lambda t: f(t[0], dim=axes, correction=ddof, keepdim=bool(keep)),
                [signed(mask), keep, ddof])


@kind("cumsum")
def cumsum(d, name):
    shape = d.shape(low=1, limit=400)
    axis = d.axis(len(shape))
    d.new(shape, R, constant=0)
    return Case(d, name, lambda t: torch.cumsum(t[0], axis), [axis], positive=True)


@kind("cumprod", "logcumsumexp", "cummax", "cummin")
def cumulated(d, name):
    shape = d.shape(low=1, limit=200)
    axis = d.axis(len(shape))
    x = d.values(shape, {"cumprod": (-1.4, 1.4, 0.5), "logcumsumexp": d.pick(R, (-90, 90))}.get(
        name, TIES if d.chance(0.5) else R))
    if name == "cumprod" and d.chance(0.4):
        x = np.where(d.rng.random(x.shape) < d.pick(0.05, 0.3), 0, x)
    d.add(x, constant=0)

    def by_factors(t):                      # PyTorch's second derivative divides
        parts = [t[0].narrow(axis, 0, 1)]
        for j in range(1, shape[axis]):
            parts.append(parts[-1] * t[0].narrow(axis, j, 1))
        return torch.cat(parts, axis)

    def by_terms(t):
        parts = [t[0].narrow(axis, 0, 1)]
        for j in range(1, shape[axis]):
            parts.append(torch.logaddexp(parts[-1], t[0].narrow(axis, j, 1)))
        return torch.cat(parts, axis)
    f = {"cumprod": lambda t: torch.cumprod(t[0], axis), "logcumsumexp": by_terms,
         "cummax": lambda t: torch.cummax(t[0], axis)[0],
         "cummin": lambda t: torch.cummin(t[0], axis)[0]}[name]
    return Case(d, name, f, [axis], again=by_factors if name == "cumprod" else None)


@kind("vector_norm")
def vector_norm(d, name):
    shape = d.shape(limit=400)
    axes, mask = axes_of(d, len(shape))
    keep, p = d.int(0, 1), d.pick(1.0, 2.0, 3.0, math.inf, d.number(1.1, 5))
    x = d.values(shape, TIES if p == math.inf and d.chance(0.5) else (-3, 3, 0.2))
    zero = len(shape) > 1 and d.chance(0.2)
    if zero:
        x[0] = 0
    d.add(x, constant=0)

    def formula(t):                         # PyTorch's takes p as a float, and abs has no second
        a = t[0] * torch.sign(t[0].detach())
        if p == math.inf or not axes:
            return torch.amax(a, axes, bool(keep)) if axes else a
        y = torch.sum(a ** p, axes, bool(keep))
        some = y > 0
        return torch.where(some, torch.where(some, y, torch.ones(())) ** (1 / p), y)

    def f(t):
        return torch.linalg.vector_norm(t[0], p, axes, bool(keep))
    return Case(d, name, f if axes and p in (1, 2, 3, math.inf) else formula, [signed(mask), keep],
                [p], smooth=not zero and p != math.inf, again=formula)


@kind("argmax", "argmin")
def extreme(d, name):
    shape = d.shape(low=1, limit=400)
    axis = d.axis(len(shape))
    x = d.new(shape, (-3, 3, "ties") if d.chance(0.5) else R)
    f = np.argmax if name == "argmax" else np.argmin      # the first, as PyTorch does not promise
    t = getattr(torch, name)(torch.from_numpy(x), axis).numpy()
    index = f(x, axis)
    value = np.take_along_axis(x, np.expand_dims(index, axis), axis)
    if not np.array_equal(np.take_along_axis(x, np.expand_dims(t, axis), axis), value):
        raise AssertionError("NumPy and PyTorch differ")
    return Case(d, name, None, [axis], plain=[index])


# ---------------------------------------------------------------- linear algebra

def extent(d):
    return d.pick(1, 2, 3, 4, 5, 7, 8, 9, 15, 16, 17, 24, 33, 50, 70)


@kind("matmul", share=2)
def matmul(d, name):
    m, k, n = extent(d), extent(d) if d.chance(0.98) else 0, extent(d)
    a, b = d.batch(2)
    a, b = a + [m, k], b + [k, n]
    if d.chance(0.15):
        a = [k]
    if d.chance(0.15):
        b = [k]
    d.new(a), d.new(b)
    return Case(d, name, lambda t: torch.matmul(t[0], t[1]), positive=True)


@kind("matmul_t", share=2)
def matmul_t(d, name):
    m, k, n = extent(d), extent(d), extent(d)
    ta, tb = d.int(0, 1), d.int(0, 1)
    a, b = d.batch(2)
    d.new(a + ([k, m] if ta else [m, k])), d.new(b + ([n, k] if tb else [k, n]))
    return Case(d, name, lambda t: torch.matmul(t[0].mT if ta else t[0], t[1].mT if tb else t[1]),
                [ta, tb], positive=True)


@kind("dot")
def dot(d, name):
    shape = d.shape(limit=600)
    x = d.new(shape)
    if d.chance(0.2):
        d.add(x, SAME)
    else:
        d.new(shape)
    return Case(d, name, lambda t: (t[0] * t[1]).sum(), positive=True)


@kind("outer")
def outer(d, name):
    d.new([extent(d)]), d.new([extent(d)])
    return Case(d, name, lambda t: torch.outer(t[0], t[1]), positive=True)


@kind("diagonal")
def diagonal(d, name):
    m, n = d.int(1, 9), d.int(1, 9)
    k = d.int(-m + 1, n - 1)
    d.new(d.batch(1)[0] + [m, n], constant=0)
    return Case(d, name, lambda t: torch.diagonal(t[0], k, -2, -1), [k])


@kind("trace")
def trace(d, name):
    n = d.int(1, 12)
    d.new(d.batch(1)[0] + [n, n], constant=0)
    return Case(d, name, lambda t: torch.diagonal(t[0], 0, -2, -1).sum(-1), positive=True)


@kind("tril", "triu")
def triangle(d, name):
    m, n = d.int(1, 9), d.int(1, 9)
    k = d.int(-m - 1, n + 1)
    d.new(d.batch(1)[0] + [m, n], constant=0)
    return Case(d, name, lambda t: getattr(torch, name)(t[0], k), [k])


def regular(d, batch, n):
    """Far from singular, and in need of pivoting."""
    x = d.values(batch + [n, n], (-1, 1)) / (2 * math.sqrt(n))
    return d.add((x + 1.5 * np.eye(n))[..., d.rng.permutation(n), :])


def share_batch(a, b):
    batch = torch.broadcast_shapes(a.shape[:-2], b.shape[:-2])
    return a.expand(batch + a.shape[-2:]), b.expand(batch + b.shape[-2:])


@kind("triangular_solve")
def triangular_solve(d, name):
    n, m = d.pick(1, 2, 3, 5, 8, 16, 33), d.pick(1, 2, 5, 9)
    upper, transpose = d.int(0, 1), d.int(0, 1)
    a, b = d.batch(2)
    d.add(d.values(a + [n, n], (-1, 1)) / math.sqrt(n) + 2 * np.eye(n)), d.new(b + [n, m])

    def f(t):
        x, y = share_batch(*t)
        # what it does not read has no gradient, whatever LAPACK makes of it
        x = torch.triu(x) if upper else torch.tril(x)
        if transpose:
            return torch.linalg.solve_triangular(x.mT, y, upper=not upper)
        return torch.linalg.solve_triangular(x, y, upper=bool(upper))
    return Case(d, name, f, [upper, transpose])


@kind("cholesky")
def cholesky(d, name):
    n = d.pick(1, 2, 3, 5, 8, 16, 33)
    x = np.asarray(d.values(d.batch(1)[0] + [n, n], (-1, 1)), dtype=np.float64)
    x = x @ np.swapaxes(x, -1, -2) / n + np.eye(n)
    x = np.asarray(x, dtype=d.dtype).astype(np.float64)
    x = np.tril(x) + np.swapaxes(np.tril(x, -1), -1, -2)
    d.add(x, d.pick(INPUT, BORROW, NEGATED))
    return Case(d, name, lambda t: torch.linalg.cholesky(t[0]))


@kind("solve")
def solve(d, name):
    n, m = d.pick(1, 2, 3, 5, 8, 16, 33), d.pick(1, 2, 5, 9)
    a, b = d.batch(2)
    regular(d, a, n), d.new(b + [n, m])
    return Case(d, name, lambda t: torch.linalg.solve(*share_batch(*t)))


@kind("inverse", "logdet")
def inverse(d, name):
    regular(d, d.batch(1)[0], d.pick(1, 2, 3, 5, 8, 16, 33))
    if name == "inverse":
        return Case(d, name, lambda t: torch.linalg.inv(t[0]))
    return Case(d, name, lambda t: torch.linalg.slogdet(t[0])[1])


@kind("slogdet")
def slogdet(d, name):
    regular(d, d.batch(1)[0], d.pick(1, 2, 3, 5, 8, 16, 33))
    return Case(d, name, lambda t: list(torch.linalg.slogdet(t[0])))


def tall(d, batch, m, n):
    """Of independent columns: so are those of the same numbers in opposite order."""
    x = d.values(batch + [m, n], (-1, 1)) / (2 * math.sqrt(n))
    x[..., :n, :] += 1.5 * np.eye(n)
    return d.add(x[..., d.rng.permutation(m), :])


def spread(d, batch, m, n, symmetric):
    """Of values that are well apart."""
    k = min(m, n)
    u, v = (np.linalg.qr(d.rng.normal(size=batch + [i, k]))[0] for i in (m, n))
    values = 0.5 + 0.5 * np.arange(k) + d.rng.uniform(0, 0.25, size=batch + [1, k])
    if symmetric:
        x = (u * (values - k / 4)) @ np.swapaxes(u, -1, -2)
        x = np.asarray(x, dtype=d.dtype)
        return d.add(np.tril(x) + np.swapaxes(np.tril(x, -1), -1, -2))
    return d.add((u * values) @ np.swapaxes(v, -1, -2))


def upright(v):
    """1 or -1 for each column: its first number that is not small becomes positive."""
    size = v.detach().abs()
    first = (size * 100 >= size.amax(-2, keepdim=True)).int().argmax(-2, keepdim=True)
    return torch.sign(torch.gather(v.detach(), -2, first))


@kind("qr", "lstsq")
def qr(d, name):
    n = d.pick(1, 2, 3, 5, 8, 16, 19)
    m = n + d.pick(0, 1, 2, 5, 20)
    batch = d.batch(2)
    tall(d, batch[0], m, n)
    if name == "lstsq":
        d.new(batch[1] + [m, d.pick(1, 2, 5, 9)])

    def f(t):
        q, r = torch.linalg.qr(t[0])
        sign = torch.sign(torch.diagonal(r.detach(), dim1=-2, dim2=-1)).unsqueeze(-2)
        if name == "lstsq":
            return torch.linalg.solve_triangular(r, q.mT @ t[1], upper=True)
        return [q * sign, r * sign.mT]
    return Case(d, name, f)


@kind("eigh")
def eigh(d, name):
    n = d.pick(1, 2, 3, 5, 8, 16)
    spread(d, d.batch(1)[0], n, n, True)

    def f(t):
        w, v = torch.linalg.eigh((t[0] + t[0].mT) / 2)
        return [w, v * upright(v)]
    return Case(d, name, f)


@kind("svd")
def svd(d, name):
    spread(d, d.batch(1)[0], d.pick(1, 2, 3, 5, 8, 17), d.pick(1, 2, 3, 5, 8, 17), False)

    def f(t):
        u, s, v = torch.linalg.svd(t[0], full_matrices=False)
        sign = upright(u)
        return [u * sign, s, v * sign.mT]
    return Case(d, name, f)


@kind("einsum")
def einsum(d, name):
    """Letters of four kinds: in both operands or in one, in the result or not; now and then one
    stands twice in an operand. The result is named, or as NumPy would have it."""
    letters = [c for c in d.rng.permutation(list("ijkXYzabN"))][:d.int(1, 6)]
    extent = {c: d.pick(1, 2, 3, 4, 5, 7) for c in letters}
    two = d.chance(0.8)
    told = []
    for _ in range(2 if two else 1):
        own = [c for c in d.rng.permutation(letters) if d.chance(0.6)][:4]
        if own and len(own) < 4 and d.chance(0.2):
            own.insert(d.int(0, len(own)), own[d.int(0, len(own) - 1)])
        told.append("".join(own))
    text = ",".join(told)
    if d.chance(0.75):
        most = list(d.rng.permutation(sorted(set("".join(told)))))
        text += "->" + "".join(most[:d.int(0, min(4, len(most)))])
    elif len([c for c in set("".join(told)) if "".join(told).count(c) == 1]) > 4:
        raise Skip()
    for own in told:
        d.new([extent[c] for c in own])
    spaced = text.replace(",", " , ") if d.chance(0.2) else text

    # PyTorch gives capitals another place in the alphabet: the result is named for it
    whole = text if "->" in text else text + "->" + "".join(
        sorted(c for c in set("".join(told)) if "".join(told).count(c) == 1))
    return Case(d, name, lambda t: torch.einsum(whole, *t), text=spaced, positive=True)


# ---------------------------------------------------------------- shape

def four(x):
    return list(x) + [0] * (4 - len(x))


@kind("reshape")
def reshape(d, name):
    shape = d.shape()
    left, dims = math.prod(shape), []
    for _ in range(d.int(0, 3)):
        k = d.pick(*[k for k in range(1, left + 1) if left % k == 0])
        dims.append(k)
        left //= k
    if left > 1 or not dims:
        dims.append(left)
    d.rng.shuffle(dims)
    dims = [int(k) for k in dims]
    told = list(dims)
    if d.chance(0.5):
        told[d.int(0, len(told) - 1)] = -1
    d.new(shape, constant=0)
    return Case(d, name, lambda t: t[0].reshape(dims), [len(told)] + four(told))


@kind("broadcast_to")
def broadcast_to(d, name):
    shape = d.shape()
    s = [1 if d.chance(0.4) else k for k in shape]
    d.new(s[d.int(0, len(s)):] if d.chance(0.5) else s, constant=0)
    return Case(d, name, lambda t: torch.broadcast_to(t[0], shape), [len(shape)] + four(shape),
                positive=True)


@kind("permute")
def permute(d, name):
    shape = d.shape(low=1, limit=600)
    axes = [int(k) for k in d.rng.permutation(len(shape))]
    d.new(shape, constant=0)
    return Case(d, name, lambda t: t[0].permute(axes), four(axes))


@kind("transpose")
def transpose(d, name):
    d.new(d.shape(low=2, limit=600), constant=0)
    return Case(d, name, lambda t: t[0].mT)


@kind("slice", share=2)
def array_slice(d, name):
    shape = d.shape(low=1, limit=400)
    axis = d.axis(len(shape))
    n = shape[axis]
    step = d.pick(1, 1, 1, 2, 3, -1, -2)
    start, stop = d.int(-n - 2, n + 2), d.int(-n - 2, n + 2)
    if d.chance(0.3):
        start = END
    if d.chance(0.3):
        stop = END
    where = range(n)[slice(None if start == END else start, None if stop == END else stop, step)]
    if len(where) == 0:
        raise Skip()
    index = torch.tensor(list(where))
    d.new(shape, constant=0)
    return Case(d, name, lambda t: torch.index_select(t[0], axis, index),
                [axis, start, stop, step])


@kind("flip")
def flip(d, name):
    shape = d.shape(low=1)
    axes, mask = axes_of(d, len(shape))
    d.new(shape, constant=0)
    return Case(d, name, lambda t: torch.flip(t[0], axes), [signed(mask)])


@kind("concatenate")
def concatenate(d, name):
    shape = d.shape(low=1, limit=100)
    axis = d.axis(len(shape))
    for _ in range(d.int(1, 5)):
        shape[axis] = d.int(0 if d.chance(0.05) else 1, 6)
        d.new(shape)
    return Case(d, name, lambda t: torch.cat(t, axis), [axis])


@kind("stack")
def stack(d, name):
    shape = d.shape(high=3, limit=100)
    axis = d.axis(len(shape) + 1)
    for _ in range(d.int(1, 5)):
        d.new(shape)
    return Case(d, name, lambda t: torch.stack(t, axis), [axis])


@kind("split")
def split(d, name):
    shape = d.shape(low=1, limit=100)
    axis, k = d.axis(len(shape)), d.int(1, 5)
    shape[axis] = k * d.int(1, 4)
    d.new(shape, constant=0)
    return Case(d, name, lambda t: torch.chunk(t[0], k, axis), [axis, k])


@kind("pad")
def pad(d, name):
    shape = d.shape(limit=100)
    before, after = [[d.int(0, 3) for _ in shape] for _ in range(2)]
    value = d.number(-2, 2)
    sides = [s for pair in reversed(list(zip(before, after))) for s in pair]
    d.new(shape, constant=0)
    return Case(d, name, lambda t: F.pad(t[0], sides, value=value) if shape else t[0].clone(),
                four(before) + four(after), [value])


@kind("tile")
def tile(d, name):
    shape = d.shape(limit=60)
    times = [d.int(1, 3) for _ in shape]
    d.new(shape, constant=0)
    return Case(d, name, lambda t: torch.tile(t[0], times) if shape else t[0].clone(), four(times),
                positive=True)


@kind("repeat", "roll")
def repeat(d, name):
    shape = d.shape(low=1, limit=100)
    axis, n = d.axis(len(shape)), d.int(0, 4) if name == "repeat" else d.int(-20, 20)
    d.new(shape, constant=0)
    return Case(d, name, lambda t: torch.repeat_interleave(t[0], n, axis) if name == "repeat"
                else torch.roll(t[0], n, axis), [axis, n], positive=True)


def indices(d, extent_, n):
    return [d.int(0, extent_ - 1) for _ in range(n)]


@kind("gather")
def gather(d, name):
    shape = d.shape(low=1)
    axis = d.axis(len(shape))
    index = indices(d, shape[axis], d.int(1, 12))
    i = torch.tensor(index)
    d.new(shape, constant=0)
    return Case(d, name, lambda t: torch.index_select(t[0], axis, i), [axis, len(index)] + index,
                positive=True)


@kind("scatter_add")
def scatter_add(d, name):
    shape = d.shape(low=1)
    axis = d.axis(len(shape))
    index = indices(d, shape[axis], d.int(1, 12))
    i = torch.tensor(index)
    d.new(shape)
    shape[axis] = len(index)
    d.new(shape)
    return Case(d, name, lambda t: torch.index_add(t[0], axis, i, t[1]),
                [axis, len(index)] + index, positive=True)


def in_order(x, axis, descending):
    return torch.sort(x, dim=axis, descending=bool(descending), stable=True)


@kind("argsort", "sort", "topk")
def order(d, name):
    shape = d.shape(low=1, limit=400)
    axis, down = d.axis(len(shape)), d.int(0, 1)
    d.new(shape, (-3, 3, "ties") if d.chance(0.5) else R, constant=0)
    if name == "topk":
        k = d.int(0, shape[axis]) if d.chance(0.1) else d.int(1, shape[axis])

        def f(t):
            return [part.narrow(axis, 0, k).to(torch.float64)
                    for part in in_order(t[0], axis, down)]
        return Case(d, name, f, [axis, k, down])
    return Case(d, name, lambda t: in_order(t[0], axis, down)[name == "argsort"].to(torch.float64),
                [axis, down])


def beside(d, shape, axis):
    """A shape that broadcasts to this one beside an axis, where it has another extent."""
    own = [1 if d.chance(0.15) else n for n in shape]
    own[axis] = d.int(1, 9)
    return own


@kind("take_along")
def take_along(d, name):
    shape = d.shape(low=1)
    axis = d.axis(len(shape))
    index = beside(d, shape, axis)
    d.new([1 if k != axis % len(shape) and d.chance(0.15) else n for k, n in enumerate(shape)],
          constant=0)
    d.new(index, (0, shape[axis] - 1, "ties"))
    return Case(d, name, lambda t: torch.take_along_dim(t[0], t[1].detach().long(), axis), [axis],
                positive=True)


@kind("scatter_along", "scatter_add_along")
def scatter_along(d, name):
    shape = d.shape(low=1)
    axis = d.axis(len(shape))
    index, b = beside(d, shape, axis), beside(d, shape, axis)
    b[axis] = d.pick(index[axis], 1)
    d.new(shape), d.new(index, (0, shape[axis] - 1, "ties"))
    d.new(b[d.int(0, axis % len(shape)):] if d.chance(0.2) else b)
    whole = list(shape)
    whole[axis] = index[axis]

    def f(t):
        a, i = t[0], t[1].detach().long().expand(whole)
        x = t[2].expand(whole)
        if name == "scatter_add_along":
            return torch.scatter_add(a, axis, i, x)
        places = torch.arange(shape[axis]).reshape([-1] + [1] * ((-axis - 1) % len(shape)))
        for j in range(whole[axis]):        # the last one counts
            a = torch.where(places == i.narrow(axis, j, 1), x.narrow(axis, j, 1), a)
        return a
    return Case(d, name, f, [axis], positive=name == "scatter_add_along")


@kind("embedding")
def embedding(d, name):
    rows, shape = d.int(1, 12), d.shape(high=3, limit=40)
    index = indices(d, rows, math.prod(shape))
    i = torch.tensor(index).reshape(shape)
    d.new([rows, d.int(1, 20)], constant=0)
    return Case(d, name, lambda t: F.embedding(i, t[0]), [len(shape)] + four(shape) + index,
                positive=True)


@kind("elements")
def elements(d, name):
    d.new(d.shape(limit=60), constant=0)
    return Case(d, name, lambda t: t[0] * t[0] * t[0].reshape(-1)[0], positive=True)


@kind("detach")
def detach(d, name):
    d.new(d.shape(), constant=0)
    # a compiled function captures what it gave
    return Case(d, name, lambda t: t[0] * t[0].detach(), compiled=False)


@kind("full")
def full(d, name):
    a, b = d.broadcast(2)
    v = d.number(-2, 2)
    d.new(a, constant=0)
    return Case(d, name, lambda t: t[0] * torch.full(b, v), [len(b)] + four(b), [v], positive=True)


# ---------------------------------------------------------------- networks

@kind("softmax", "log_softmax")
def softmax(d, name):
    shape = d.shape(low=1, limit=600)
    axis = d.axis(len(shape))
    d.new(shape, (-6, 6), constant=0)
    return Case(d, name, lambda t: getattr(F, name)(t[0], axis), [axis])


PADS = ["constant", "reflect", "replicate", "circular"]


def bordered(x, before, after, mode):
    """NumPy's padding of every axis, by index, so that it has a gradient."""
    for k, (b, a) in enumerate(zip(before, after)):
        if mode and (b or a):
            at = np.pad(np.arange(x.shape[k]), (b, a), ["", "reflect", "edge", "wrap"][mode])
            x = torch.index_select(x, k, torch.from_numpy(at))
        elif b or a:
            x = F.pad(x, [0] * (2 * (x.dim() - 1 - k)) + [b, a])
    return x


@kind("pad_mode")
def pad_mode(d, name):
    shape = d.shape(limit=60)
    mode = d.int(0, 3)
    before, after = [[d.int(0, 7 if d.chance(0.1) else 2) for _ in shape] for _ in range(2)]
    d.new(shape, constant=0)
    rest = [0] * (4 - len(shape))
    return Case(d, name, lambda t: bordered(t[0], before, after, mode),
                before + rest + after + rest + [mode])


def padding(d, shape, kernel, stride, around, dilation):
    """Now and then x padded with something, or to the same size: same, mode, how x is padded."""
    same, mode = int(d.chance(0.25)), d.pick(0, 0, 0, 1, 2, 3)
    if same:
        stride[:] = [1] * len(stride)
    if not same and not mode:
        return 0, 0, lambda x: x, around
    first, last = list(around), list(around)
    if same:
        whole = [e * (k - 1) for e, k in zip(dilation, kernel)]
        first, last = [n // 2 for n in whole], [n - n // 2 for n in whole]
    zeros = [0, 0]
    return same, mode, lambda x: bordered(x, zeros + first, zeros + last, mode), [0] * len(around)


def convolution(d, name, axes, transposed):
    groups = d.pick(1, 1, 1, 2, 3)
    big = d.chance(0.1)
    inputs, filters = d.int(1, 4), d.int(1, 4)
    if big:
        groups, inputs, filters = d.pick(1, 1, 2), d.pick(8, 16, 17), d.pick(8, 16, 33)
    kernel = [d.pick(1, 2, 3, 3, 4, 5) for _ in range(axes)]
    stride = [d.pick(1, 1, 2, 3) for _ in range(axes)]
    around = [d.pick(0, 1, 1, 2) for _ in range(axes)]
    dilation = [d.pick(1, 1, 2, 3) for _ in range(axes)]
    more = [d.int(0, s - 1) if transposed else 0 for s in stride]
    size = [d.int(1, 11) + (6 if big else 0) for _ in range(axes)]
    if d.chance(0.3):                       # what most networks have
        kernel, stride, dilation = [3] * axes, [1] * axes, [1] * axes
        around, more = [1] * axes, [0] * axes
    plain = d.chance(0.1)
    if plain:
        stride, around, dilation, groups, more = [1] * axes, [0] * axes, [1] * axes, 1, [0] * axes
    same, mode, pad, left = 0, 0, None, around
    if not transposed and not plain:
        same, mode, pad, left = padding(d, size, kernel, stride, around, dilation)
    for n, k, s, p, e, m in zip(size, kernel, stride, around, dilation, more):
        after = (n - 1) * s - 2 * p + e * (k - 1) + 1 + m if transposed \
            else n if same else n + 2 * p - e * (k - 1)
        if after < 1:
            raise Skip()
    d.new([d.int(1, 3), groups * inputs] + size)
    d.new(([groups * inputs, filters] if transposed else [groups * filters, inputs]) + kernel)
    pair = [v + [0] * (2 - axes) for v in (stride, around, dilation)]
    ints = pair[0] + pair[1] + pair[2] + [groups if groups > 1 or d.chance(0.5) else 0]
    ints += more + [0] * (2 - axes) + [int(plain), same, mode]
    if transposed:
        f = F.conv_transpose2d if axes == 2 else F.conv_transpose1d
        return Case(d, name, lambda t: f(t[0], t[1], None, stride, around, more, groups, dilation),
                    ints, positive=True)
    f = F.conv2d if axes == 2 else F.conv1d
    return Case(d, name, lambda t: f(pad(t[0]) if pad else t[0], t[1], None, stride, left,
                                     dilation, groups), ints, positive=True)


@kind("conv3d", share=2)
def conv3d(d, name):
    groups = d.pick(1, 1, 1, 2)
    inputs, filters = d.int(1, 3), d.int(1, 3)
    kernel = [d.int(1, 3) for _ in range(3)]
    stride = [d.pick(1, 1, 2, 3) for _ in range(3)]
    around = [d.pick(0, 1, 1, 2) for _ in range(3)]
    dilation = [d.pick(1, 1, 2) for _ in range(3)]
    size = [d.int(1, 6) for _ in range(3)]
    plain = d.chance(0.1)
    if plain:
        stride, around, dilation, groups = [1] * 3, [0] * 3, [1] * 3, 1
    same, mode, pad, left = 0, 0, None, around
    if not plain:
        same, mode, pad, left = padding(d, size, kernel, stride, around, dilation)
    for n, k, p, e in zip(size, kernel, around, dilation):
        if not same and n + 2 * p - e * (k - 1) < 1:
            raise Skip()
    images, channels = d.int(1, 2), groups * inputs
    d.new([images, channels * size[0]] + size[1:])
    d.new([groups * filters, inputs * kernel[0]] + kernel[1:])

    def f(t):
        x = t[0].reshape([images, channels] + size)
        w = t[1].reshape([groups * filters, inputs] + kernel)
        y = F.conv3d(pad(x) if pad else x, w, None, stride, left, dilation, groups)
        return y.flatten(1, 2)
    return Case(d, name, f, size[:1] + stride + around + dilation + [groups, same, mode,
                                                                     int(plain)], positive=True)


@kind("conv1d", share=2)
def conv1d(d, name):
    return convolution(d, name, 1, False)


@kind("conv2d", share=3)
def conv2d(d, name):
    return convolution(d, name, 2, False)


@kind("conv1d_transpose", share=2)
def conv1d_transpose(d, name):
    return convolution(d, name, 1, True)


@kind("conv2d_transpose", share=2)
def conv2d_transpose(d, name):
    return convolution(d, name, 2, True)


@kind("max_pool", "avg_pool", share=2)
def pool(d, name):
    axes = d.pick(1, 2, 2)
    size = [d.int(1, 4) for _ in range(axes)]
    stride = [d.pick(0, 1, 2, 3) for _ in range(axes)]
    around = [d.int(0, (k - 1) // 2) for k in size]
    shape = [d.int(1, 3), d.int(1, 4)] + [d.int(k, k + 9) for k in size]
    if d.chance(0.3):
        size, stride, around = [2] * axes, [d.pick(0, 2)] * axes, [0] * axes
        shape[2:] = [max(2, n) for n in shape[2:]]
    steps = [s or k for s, k in zip(stride, size)]
    counted = d.int(0, 1)
    d.new(shape, (-3, 3), constant=0)
    ints = []
    for v in (size, stride, around):
        ints += v + [0] * (2 - axes)
    if name == "max_pool":
        f = F.max_pool2d if axes == 2 else F.max_pool1d
        return Case(d, name, lambda t: f(t[0], size, steps, around), ints + [0])
    f = F.avg_pool2d if axes == 2 else F.avg_pool1d
    return Case(d, name, lambda t: f(t[0], size, steps, around, False, bool(counted)),
                ints + [counted])


@kind("adaptive_max_pool", "adaptive_avg_pool")
def adaptive_pool(d, name):
    axes = d.pick(1, 2, 2)
    size = [d.int(1, 6) for _ in range(axes)]
    shape = [d.int(1, 3), d.int(1, 4)] + [d.pick(n, 2 * n, d.int(1, 12)) for n in size]
    d.new(shape, (-3, 3), constant=0)
    f = getattr(F, name + "%dd" % axes)
    return Case(d, name, lambda t: f(t[0], size), size)


@kind("interpolate")
def interpolate(d, name):
    axes = d.pick(1, 2, 2)
    shape = [d.int(1, 3), d.int(1, 4)] + [d.int(1, 9) for _ in range(axes)]
    size = [d.pick(n, 2 * n, d.int(1, 13)) for n in shape[2:]]
    linear = d.int(0, 1)
    corners = d.int(0, 1) if linear else 0
    d.new(shape, (-3, 3), constant=0)

    def nearest(t):                         # PyTorch multiplies with a rounded n / m
        x = t[0]
        for k, m in enumerate(size):
            at = torch.arange(m) * shape[2 + k] // m
            x = torch.index_select(x, 2 + k, at)
        return x
    if not linear:
        return Case(d, name, nearest, [0, 0] + size)
    return Case(d, name, lambda t: F.interpolate(
        t[0], size, mode="bilinear" if axes == 2 else "linear", align_corners=bool(corners)),
        [1, corners] + size)


def gain_and_bias(d, n):
    """Their operands' numbers, or -1; and how to get them out of the tensors."""
    places = []
    for _ in range(2):
        places.append(len(d.operands) if d.chance(0.75) else -1)
        if places[-1] >= 0:
            d.new([n])
    return places, lambda t: [t[k] if k >= 0 else None for k in places]


def epsilon(d):
    """As it is told, and as it is."""
    e = d.pick(0, d.exact(1e-3), d.exact(0.1))
    return e, e or d.exact(1e-5)


def normal(x, axes, eps):
    var, mean = torch.var_mean(x, axes, unbiased=False, keepdim=True)
    return (x - mean) * torch.rsqrt(var + eps)


def scaled(x, gain, bias, axis=-1):
    shape = [1] * x.dim()
    shape[axis] = -1
    if gain is not None:
        x = x * gain.reshape(shape)
    return x if bias is None else x + bias.reshape(shape)


@kind("layer_norm", "rms_norm")
def layer_norm(d, name):
    shape = d.shape(low=1, limit=600)
    shape[-1] = d.int(3, 40)
    d.new(shape, R, constant=0)
    places, get = gain_and_bias(d, shape[-1])
    told, eps = epsilon(d)
    if name == "layer_norm":
        return Case(d, name, lambda t: F.layer_norm(t[0], shape[-1:], *get(t), eps), places, [told],
                    again=lambda t: scaled(normal(t[0], [-1], eps), *get(t)))

    def f(t):
        y = t[0] * torch.rsqrt(torch.mean(t[0] * t[0], -1, keepdim=True) + eps)
        return scaled(y, get(t)[0], None)
    return Case(d, name, f, places, [told])


@kind("group_norm")
def group_norm(d, name):
    groups = d.int(1, 3)
    shape = [d.int(1, 3), groups * d.int(1, 4)] + [d.int(3, 7) for _ in range(d.int(1, 2))]
    d.new(shape, R, constant=0)
    places, get = gain_and_bias(d, shape[1])
    told, eps = epsilon(d)

    def again(t):
        y = normal(t[0].reshape([shape[0], groups, -1]), [-1], eps)
        return scaled(y.reshape(shape), *get(t), 1)

    def f(t):                               # PyTorch's own gradient fails without a gain
        return F.group_norm(t[0], groups, *get(t), eps) if places[0] >= 0 else again(t)
    return Case(d, name, f, places + [groups], [told], again=again)


@kind("batch_norm", "batch_norm_with")
def batch_norm(d, name):
    shape = [d.int(4, 8), d.int(1, 6)] + [d.int(1, 5) for _ in range(d.int(0, 2))]
    x = d.new(shape, R, constant=0).astype(np.float64)
    places, get = gain_and_bias(d, shape[1])
    told, eps = epsilon(d)
    if name == "batch_norm":
        out = d.int(0, 1)
        c = Case(d, name, lambda t: F.batch_norm(t[0], None, None, *get(t), True, 0.1, eps),
                 places + [out], [told], again=lambda t: scaled(normal(
                     t[0], [k for k in range(len(shape)) if k != 1], eps), *get(t), 1))
        if out and c.way != COMPILED:       # there it is that of the numbers that were recorded
            axes = tuple(k for k in range(x.ndim) if k != 1)
            c.expect(IS_PLAIN, 0, x.mean(axes), np.abs(x).mean(axes))
            c.expect(IS_PLAIN, 1, x.var(axes))
        return c
    k = len(d.operands)
    mean, var = d.constant([shape[1]]), d.constant([shape[1]], (0.3, 2))
    mean, var = [torch.from_numpy(v.astype(np.float64)) for v in (mean, var)]
    return Case(d, name, lambda t: F.batch_norm(t[0], mean, var, *get(t), False, 0.1, eps),
                places + [k], [told], again=lambda t: scaled(scaled(
                    scaled(t[0], None, -mean, 1), torch.rsqrt(var + eps), None, 1), *get(t), 1))


@kind("dropout", "dropout_at", share=0.5)
def dropout(d, name):
    """The program says which elements it kept; then all is as in PyTorch."""
    x = d.new([d.int(20, 40), d.int(20, 30)], APART, INPUT)
    p = d.number(0.05, 0.8)

    def check(c, got):
        y = got.get((OUTPUT, 0))
        kept = (y != 0).astype(np.float64)
        c.expect(OUTPUT, 0, x.astype(np.float64) * kept / (1 - p))
        g = c.weights[0].astype(np.float64) * kept / (1 - p)
        if c.bent:
            h = g * kept / (1 - p)          # the same for every element
            c.expect(RECORDED, 0, h * x)
            c.expect(SECOND, 0, h * [v.numpy() for _, v in c.directions(None)][0])
        elif c.twice:
            c.expect(RECORDED, 0, g)
        else:
            c.expect(GRADIENT, 0, g)
        if c.way == LOSS or c.derived:
            c.product = sum(float((g * v.numpy()).sum()) for k, v in c.directions(None))
        share = kept.mean()
        if abs(share - (1 - p)) > 6 * math.sqrt(p * (1 - p) / x.size):
            return "%g of the elements are kept, not %g" % (share, 1 - p)
        return None
    c = Case(d, name, lambda t: t[0] * 1, [d.int(0, 1000), d.int(0, 1000)], [p], check=check)
    return c


@kind("uniform", "normal", "uniform_at", "normal_at", share=0.1)
def random_numbers(d, name):
    """Moments, and how they are distributed; on the tape and as plain numbers the same."""
    shape = [d.int(40, 60), d.int(40, 60)]
    n = math.prod(shape)

    def check(c, got):
        x, y = got[IS_PLAIN, 0], got[IS_PLAIN, 1]
        c.expected = {(IS_PLAIN, 0): (y, None), (IS_PLAIN, 1): (x, None)}
        if name.startswith("uniform") and (x.min() < 0 or x.max() >= 1):
            return "outside of [0, 1)"
        s = np.sort(x)
        t = torch.from_numpy(s)
        cdf = (t if name.startswith("uniform") else torch.special.ndtr(t)).numpy()
        apart = np.abs(cdf - (np.arange(n) + 0.5) / n).max() * math.sqrt(n)
        if apart > 2.5:                     # Kolmogorov's distribution: once in 130,000
            return "Kolmogorov's distance is %g" % apart
        if abs(np.corrcoef(x[1:], x[:-1])[0, 1]) > 6 / math.sqrt(n):
            return "neighbours are correlated"
        return None
    return Case(d, name, None, [2] + four(shape) + [d.int(0, 1000), d.int(0, 1000)],
                plain=[np.zeros(n), np.zeros(n)], check=check)


# ---------------------------------------------------------------- losses

def reduced(x, how):
    return x.mean() if how == 0 else x.sum() if how == 1 else x


@kind("squared_error", "huber", "binary_cross_entropy")
def loss_of_elements(d, name):
    shape, how = d.shape(limit=400), d.int(0, 2)
    word = ("mean", "sum", "none")[how]
    d.new(shape, (-4, 4) if name != "binary_cross_entropy" else (-30, 30))
    if name == "squared_error":
        d.new(shape)
        return Case(d, name, lambda t: F.mse_loss(t[0], t[1], reduction=word), [how])
    if name == "huber":
        d.new(shape)
        delta = d.number(0.3, 2)
        return Case(d, name, lambda t: F.huber_loss(t[0], t[1], reduction=word, delta=delta), [how],
                    [delta])
    d.new(shape, (0, 1))
    return Case(d, name, lambda t: F.binary_cross_entropy_with_logits(t[0], t[1], reduction=word),
                [how])


@kind("cross_entropy")
def cross_entropy(d, name):
    shape, how = d.shape(low=1, limit=600), d.int(0, 2)
    rows, classes = math.prod(shape[:-1]), shape[-1]
    labels = indices(d, classes, rows)
    i = torch.tensor(labels)
    x = d.new(shape, (-30, 30) if d.chance(0.5) else R, constant=0)
    word = ("mean", "sum", "none")[how]

    def f(t):
        y = F.cross_entropy(t[0].reshape(rows, classes), i, reduction=word)
        return y.reshape(shape[:-1]) if how == 2 else y
    return Case(d, name, f, [how] + labels, terms=float(np.abs(x).max()))


@kind("cross_entropy_with")
def cross_entropy_with(d, name):
    shape, how = d.shape(low=1, limit=600), d.int(0, 2)
    rows, classes = math.prod(shape[:-1]), shape[-1]
    d.new(shape, R), d.new(shape, (0, 1))
    word = ("mean", "sum", "none")[how]

    def f(t):
        y = F.cross_entropy(t[0].reshape(rows, classes), t[1].reshape(rows, classes),
                            reduction=word)
        return y.reshape(shape[:-1]) if how == 2 else y
    return Case(d, name, f, [how])


@kind("cross_entropy_weighted")
def cross_entropy_weighted(d, name):
    shape, how = d.shape(low=1, limit=400), d.int(0, 2)
    rows, classes = math.prod(shape[:-1]), shape[-1]
    labels = indices(d, classes, rows)
    weighted, out = d.int(0, 1), d.int(0, 1)
    left_out = d.pick(classes + 5, d.int(0, classes - 1))
    if out and left_out >= classes:         # a number that is no class
        labels = [left_out if d.chance(0.3) else k for k in labels]
    if out and how == 0 and all(k == left_out for k in labels):
        raise Skip()                        # the mean of nothing
    smoothing = d.pick(0.0, 1.0, d.number(0.01, 0.9))
    weight = [d.number(0.1, 2) for _ in range(classes)]
    i = torch.tensor(labels)
    x = d.new(shape, (-30, 30) if d.chance(0.5) else R, constant=0)

    def f(t):
        y = F.cross_entropy(
            t[0].reshape(rows, classes), i, torch.tensor(weight) if weighted else None,
            ignore_index=left_out if out else -100, label_smoothing=smoothing,
            reduction=("mean", "sum", "none")[how])
        return y.reshape(shape[:-1]) if how == 2 else y
    return Case(d, name, f, [how, weighted, out, left_out] + labels, [smoothing] + weight,
                terms=2 * float(np.abs(x).max()))


@kind("binary_cross_entropy_weighted")
def binary_cross_entropy_weighted(d, name):
    shape, how = d.shape(limit=400), d.int(0, 2)
    d.new(shape, (-30, 30) if d.chance(0.3) else R), d.new(shape, (0, 1))
    d.constant(shape[d.int(0, len(shape)):], (0.2, 4))

    def f(t):
        y = t[2] * t[1] * F.softplus(-t[0], threshold=600)
        y = y + (1 - t[1]) * F.softplus(t[0], threshold=600)
        if not t[1].requires_grad:
            return F.binary_cross_entropy_with_logits(
                t[0], t[1], pos_weight=t[2], reduction=("mean", "sum", "none")[how])
        return reduced(y, how)
    return Case(d, name, f, [how], terms=30.0)


@kind("cosine_similarity", "cosine_embedding")
def cosine(d, name):
    shape = d.shape(low=1, limit=300)
    axis = d.axis(len(shape)) if name == "cosine_similarity" else -1
    shape[axis] = max(2, shape[axis])
    other = [1 if d.chance(0.1) and k != axis % len(shape) else n for k, n in enumerate(shape)]
    x = d.values(shape, (-2, 2, 0.1))
    zero = len(shape) > 1 and axis % len(shape) and d.chance(0.1)
    if zero:
        x[0] = 0
    d.add(x), d.new(other[d.int(0, axis % len(shape)):] if d.chance(0.2) else other, (-2, 2, 0.1))
    if name == "cosine_similarity":
        return Case(d, name, lambda t: F.cosine_similarity(t[0], t[1], axis), [axis],
                    smooth=not zero, terms=1.0, slopes=1.0)
    y = np.where(d.rng.random(shape[:-1]) < 0.5, -1.0, 1.0)
    d.add(y, d.pick(CONST, CONST_BORROW))
    margin, how = d.pick(0.0, d.number(-0.5, 0.5)), d.int(0, 2)

    def f(t):
        c = F.cosine_similarity(t[0], t[1], -1)
        return reduced(torch.where(t[2] > 0, 1 - c, torch.relu(c - margin)), how)
    return Case(d, name, f, [how], [margin], smooth=not zero, terms=1.0, slopes=1.0)


def probability(log_p, labels, blank):
    """The logarithm of CTC's, over its states; -1e30 for that of 0."""
    never = torch.tensor(-1e30)
    states = [blank]
    for label in labels:
        states += [label, blank]
    alpha = [log_p[0, k] if j < 2 else never for j, k in enumerate(states)]
    for t in range(1, log_p.shape[0]):
        following = []
        for j, k in enumerate(states):
            come = [alpha[j]]
            if j > 0:
                come.append(alpha[j - 1])
            if j > 1 and k != blank and k != states[j - 2]:
                come.append(alpha[j - 2])
            following.append(torch.logsumexp(torch.stack(come), 0) + log_p[t, k])
        alpha = following
    return torch.logsumexp(torch.stack(alpha[-2:]), 0)


@kind("ctc", share=0.5)
def ctc(d, name):
    times, rows, classes, most = d.int(1, 8), d.int(1, 4), d.int(2, 6), d.int(0, 4)
    how, blank = d.int(0, 2), d.int(0, classes - 1)
    lengths = [d.int(0, most) for _ in range(rows)]
    told = d.int(0, 1)
    ends = [d.int(1, times) if told else times for _ in range(rows)]
    labels = [[d.pick(*[k for k in range(classes) if k != blank]) for _ in range(most)]
              for _ in range(rows)]
    for n, end, row in zip(lengths, ends, labels):
        if n + sum(row[k] == row[k + 1] for k in range(n - 1)) > end:
            raise Skip()                    # nothing can say it
    d.new([times, rows, classes], (-4, 4), constant=0)

    def f(t):
        y = F.ctc_loss(torch.log_softmax(t[0], -1), torch.tensor(labels, dtype=torch.long).reshape(
            rows, most), torch.tensor(ends), torch.tensor(lengths), blank=blank, reduction="none")
        if how == 0:
            y = y / torch.tensor(lengths).clamp(min=1)
        return reduced(y, how)

    def again(t):
        log_p = torch.log_softmax(t[0], -1)
        y = -torch.stack([probability(log_p[:ends[i], i], labels[i][:lengths[i]], blank)
                          for i in range(rows)])
        return reduced(y / torch.tensor(lengths).clamp(min=1) if how == 0 else y, how)
    return Case(d, name, f if most else again, [how, blank, told, most] + lengths + ends
                + sum(labels, []), again=again, terms=8.0)


@kind("kl")
def kl(d, name):
    shape, how = d.shape(low=1, limit=400), d.int(0, 2)
    d.new(shape, (-3, 0)), d.new(shape, (-3, 0))
    return Case(d, name, lambda t: reduced(
        F.kl_div(t[1], t[0], reduction="none", log_target=True).sum(-1), how), [how])


@kind("gaussian_nll")
def gaussian_nll(d, name):
    shape, how = d.shape(limit=400), d.int(0, 2)
    for _ in range(3):
        d.new(shape)
    return Case(d, name, lambda t: reduced(F.gaussian_nll_loss(
        t[0], t[2], torch.exp(t[1]), full=True, eps=1e-300, reduction="none"), how), [how])


@kind("poisson_nll")
def poisson_nll(d, name):
    shape, how = d.shape(limit=400), d.int(0, 2)
    d.new(shape), d.new(shape, (0, 9, "ties"), d.pick(CONST, CONST_BORROW, INPUT))
    return Case(d, name, lambda t: reduced(
        F.poisson_nll_loss(t[0], t[1], log_input=True, full=False, reduction="none")
        + Lgamma.apply(t[1] + 1), how), [how])


# ---------------------------------------------------------------- models

def parameter(d, *shape):
    return d.new(list(shape), (-1, 1), d.pick(INPUT, BORROW, BORROW))


@kind("mlp", share=0.5)
def mlp(d, name):
    rows, sizes, tanh = d.int(1, 9), [d.int(2, 20) for _ in range(d.int(2, 5))], d.int(0, 1)
    d.new([rows, sizes[0]])
    for a, b in zip(sizes, sizes[1:]):
        parameter(d, b, a), parameter(d, b)
    labels = indices(d, sizes[-1], rows)
    i = torch.tensor(labels)

    def f(t):
        h = t[0]
        for k in range(1, len(t), 2):
            h = F.linear(h, t[k], t[k + 1])
            if k + 2 < len(t):
                h = torch.tanh(h) if tanh else F.relu(h)
        return F.cross_entropy(h, i)
    return Case(d, name, f, [tanh] + labels)


@kind("cnn", share=0.5)
def cnn(d, name):
    layers, greatest, rows = d.int(1, 2), d.int(0, 1), d.int(2, 4)
    channels = [d.int(1, 3)] + [d.int(1, 6) for _ in range(layers)]
    size = (1 << layers) * d.int(1, 2) + 2
    d.new([rows, channels[0], size, size])
    for a, b in zip(channels, channels[1:]):
        parameter(d, b, a, 3, 3), parameter(d, b), parameter(d, b)
        size //= 2
    classes = d.int(2, 6)
    parameter(d, classes, channels[-1] * size * size), parameter(d, classes)
    labels = indices(d, classes, rows)
    i = torch.tensor(labels)
    eps = d.exact(1e-2)

    def f(t):
        h = t[0]
        for k in range(layers):
            h = F.conv2d(h, t[1 + 3 * k], padding=1)
            h = F.relu(F.batch_norm(h, None, None, t[2 + 3 * k], t[3 + 3 * k], True, 0.1, eps))
            h = F.max_pool2d(h, 2) if greatest else F.avg_pool2d(h, 2)
        return F.cross_entropy(F.linear(h.flatten(1), t[-2], t[-1]), i)
    return Case(d, name, f, [layers, greatest] + labels, [eps])


def perhaps(d, *shapes):
    """Operands that may be left out: their numbers or -1, and how to get at them."""
    places = []
    for shape in shapes:
        places.append(len(d.operands) if d.chance(0.75) else -1)
        if places[-1] >= 0:
            parameter(d, *shape)
    return places, lambda t: [None if k < 0 else t[k] for k in places]


@kind("lstm", "gru", "lstm_cell", "gru_cell", share=0.5)
def recurrent(d, name):
    """PyTorch's cells, one step after the other."""
    steps = 1 if name.endswith("cell") else d.int(1, 8)
    rows, inputs, hidden = d.int(1, 3), d.int(1, 5), d.int(1, 9)
    long = name.startswith("lstm")
    gates = 4 if long else 3
    d.new(([steps] if steps > 1 or not name.endswith("cell") else []) + [rows, inputs])
    parameter(d, gates * hidden, inputs), parameter(d, gates * hidden, hidden)
    places, get = perhaps(d, [gates * hidden], [gates * hidden], *[[rows, hidden]] * (1 + long))

    def f(t):
        b_ih, b_hh, *state = get(t)
        nothing = torch.zeros(gates * hidden)
        b_ih = nothing if b_ih is None else b_ih
        b_hh = nothing if b_hh is None else b_hh
        state = [torch.zeros(rows, hidden) if s is None else s for s in state]
        every = []
        for x in t[0] if t[0].dim() == 3 else [t[0]]:
            if long:
                state = torch.lstm_cell(x, state, t[1], t[2], b_ih, b_hh)
            else:
                state = [torch.gru_cell(x, state[0], t[1], t[2], b_ih, b_hh)]
            every.append(state[0])
        y = every[0] if name.endswith("cell") else torch.stack(every)
        return [y, state[1]] if long else y
    return Case(d, name, f, places)


@kind("attention")
def attention(d, name):
    n, m, width, values = d.int(1, 6), d.int(1, 6), d.int(1, 5), d.int(1, 5)
    q, k, v, scores = d.batch(4)
    whole = list(np.broadcast_shapes(q, k))
    d.new(q + [n, width]), d.new(k + [m, width]), d.new(v + [m, values])
    place, causal = -1, d.int(0, 1)
    scale = d.pick(0, d.number(0.2, 2))
    if d.chance(0.5):
        place = len(d.operands)
        shape = whole[len(whole) - d.int(0, len(whole)):] + [d.pick(1, n), d.pick(1, m)]
        mask = d.values(shape, (-2, 2))
        hidden = d.chance(0.4)
        if hidden:                          # some keys, never the first
            mask[..., 1:][d.rng.random(mask[..., 1:].shape) < 0.3] = -np.inf
        d.add(mask, d.pick(CONST, CONST_BORROW) if hidden else None)

    def f(t):
        s = t[0] @ t[1].transpose(-1, -2) * (scale or d.exact(1) / math.sqrt(width))
        if place >= 0:
            s = s + t[place]
        if causal:
            s = s.masked_fill(torch.ones(n, m).tril() == 0, -math.inf)
        return torch.softmax(s, -1) @ t[2]
    return Case(d, name, f, [place, causal], [scale])


@kind("multi_head_attention", share=0.5)
def multi_head_attention(d, name):
    images, n, m, heads = d.int(1, 3), d.int(1, 5), d.int(1, 5), d.int(1, 3)
    width = heads * d.int(1, 4)
    one = d.chance(0.4)
    m = n if one else m
    alone = d.chance(0.2)
    images = 1 if alone else images
    front = [] if alone else [images]
    d.new(front + [n, width])
    if not one:
        d.new(front + [m, width]), d.new(front + [m, width])
    parameter(d, 3 * width, width), parameter(d, width, width)
    places, get = perhaps(d, [3 * width], [width], d.pick([n, m], [images, 1, 1, m], [m]))
    causal = d.int(0, 1)
    k = 1 if one else 3

    def f(t):
        q, key, v = [t[0 if one else i].reshape(images, -1, width).transpose(0, 1)
                     for i in range(3)]
        b_in, b_out, mask = get(t)
        scores = torch.zeros(images, heads, n, m)
        if mask is not None:
            scores = scores + mask
        if causal:
            scores = scores.masked_fill(torch.ones(n, m).tril() == 0, -math.inf)
        y = F.multi_head_attention_forward(
            q, key, v, width, heads, t[k], b_in, None, None, False, 0.0, t[k + 1],
            torch.zeros(width) if b_out is None else b_out, training=True, need_weights=False,
            attn_mask=scores.reshape(-1, n, m))[0].transpose(0, 1)
        return y[0] if alone else y
    return Case(d, name, f, [k] + places + [heads, causal])


@kind("transformer", share=0.3)
def transformer(d, name):
    rows, length, heads = d.int(1, 2), d.int(2, 5), d.int(1, 3)
    # a normalisation of two elements has no gradient to speak of
    width, hidden = heads * (d.pick(2, 4) if heads > 1 else 4), d.int(3, 9)
    causal, tanh = d.int(0, 1), d.int(0, 1)
    d.new([rows, length, width])
    for shape in ([width], [width], [3 * width, width], [3 * width], [width, width], [width],
                  [width], [width], [hidden, width], [hidden], [width, hidden], [width]):
        parameter(d, *shape)
    eps = d.exact(1e-5)
    scale = d.exact(1 / math.sqrt(width // heads))

    def f(t):
        x = t[0].transpose(0, 1)
        mask = torch.triu(torch.full([length, length], -1e9), 1) if causal else None
        h = F.layer_norm(x, [width], t[1], t[2], eps)
        h = F.multi_head_attention_forward(
            h, h, h, width, heads, t[3], t[4], None, None, False, 0.0, t[5], t[6], training=True,
            need_weights=False, attn_mask=mask)[0]
        x = x + h
        h = F.linear(F.layer_norm(x, [width], t[7], t[8], eps), t[9], t[10])
        h = F.gelu(h, approximate="tanh" if tanh else "none")
        return (x + F.linear(h, t[11], t[12])).transpose(0, 1)
    return Case(d, name, f, [heads, causal, tanh], [eps, scale])


@kind("gaussian_process", share=0.3)
def gaussian_process(d, name):
    n = d.int(2, 12)
    d.new([n], (-2, 2)), d.new([n])
    d.new([], (-1, 0.5), INPUT), d.new([], (-1.5, 0), INPUT)

    def f(t):
        s = t[0] / torch.exp(t[2])
        K = torch.exp(-0.5 * (s[:, None] - s[None, :]) ** 2) + torch.exp(t[3]) * torch.eye(n)
        half = 0.5 * torch.logdet(K)
        return [0.5 * t[1] @ torch.linalg.solve(K, t[1]) + half, half]
    return Case(d, name, f, slopes=0.1, terms=1.0)        # logarithms that cancel


# ---------------------------------------------------------------- learning

def optimiser(d, which, flag, told, x):
    """torch.optim's, with the defaults of the interface."""
    rate, first, decay, second, eps = told
    if which == 0:
        return torch.optim.SGD(x, rate or d.exact(0.01), momentum=first, weight_decay=decay,
                               nesterov=bool(flag))
    if which == 1:
        make = torch.optim.AdamW if flag else torch.optim.Adam
        return make(x, rate or d.exact(1e-3), (first or d.exact(0.9), second or d.exact(0.999)),
                    eps or d.exact(1e-8), decay)
    if which == 3:
        return torch.optim.Adagrad(x, rate or d.exact(0.01), eps=eps or d.exact(1e-10),
                                   weight_decay=decay)
    return torch.optim.RMSprop(x, rate or d.exact(0.01), second or d.exact(0.99),
                               eps or d.exact(1e-8))


@kind("sgd", "adam", "adamw", "rmsprop", "adagrad", share=0.4)
def learn(d, name):
    which, flag = {"sgd": (0, d.int(0, 1)), "adam": (1, 0), "adamw": (1, 1),
                   "rmsprop": (2, 0), "adagrad": (3, 0)}[name]
    schedule, clipping, steps = d.int(0, 3), d.int(0, 2), 20
    rows, inputs, hidden, outputs = d.int(2, 9), d.int(1, 6), d.int(1, 9), d.int(1, 4)
    data = [d.new(s, domain, INPUT) for s, domain in (
        ([rows, inputs], R), ([rows, outputs], R), ([inputs, hidden], (-1, 1)),
        ([hidden, outputs], (-1, 1)))]
    told = [d.number(0.005, 0.05), 0, d.number(0, 0.1), 0, 0]
    if which == 0:
        told[1] = d.number(0.3, 0.95) if flag or d.chance(0.6) else 0
    else:
        told[1] = d.number(0.6, 0.95) if which == 1 else 0
        told[3], told[4] = d.number(0.8, 0.999), d.number(1e-8, 1e-3)
    if schedule == 0 and d.chance(0.3):     # what is 0 is left to the library
        told = [0, told[1], told[2], 0, 0] if which == 0 else [0, 0, told[2], 0, 0]
    most, factor, least = d.number(0.05, 1), d.number(0.5, 0.95), d.number(0, 0.002)
    X, Y, A, B = [torch.from_numpy(x.astype(np.float64)) for x in data]
    x = [A.clone().requires_grad_(), B.clone().requires_grad_()]
    optim = optimiser(d, which, flag, told, x)
    rates = torch.optim.lr_scheduler
    plan = (None, lambda: rates.StepLR(optim, 7, factor),
            lambda: rates.ExponentialLR(optim, factor),
            lambda: rates.CosineAnnealingLR(optim, steps, least))[schedule]
    plan = plan() if plan else None
    losses = []
    for _ in range(steps):
        optim.zero_grad()
        loss = F.mse_loss(torch.tanh(X @ x[0]) @ x[1], Y)
        loss.backward()
        losses.append(float(loss.detach()))
        if clipping == 1:                   # torch's own adds 1e-6 to the norm
            norm = torch.linalg.vector_norm(torch.stack(
                [torch.linalg.vector_norm(p.grad) for p in x]))
            if norm > most:
                for p in x:
                    p.grad.mul_(most / norm)
        if clipping == 2:
            torch.nn.utils.clip_grad_value_(x, most)
        optim.step()
        if plan:
            plan.step()
    return Case(d, "learn", None, [which, flag, schedule, clipping, steps],
                told + [0, most, factor, least], plain=[losses] + [p.detach().numpy() for p in x],
                terms=5.0)                  # errors of twenty steps, each g / sqrt(v)


@kind("clip", share=0.5)
def clip(d, name):
    by_norm, most = d.int(0, 1), d.number(0.5, 8)
    arrays = [d.new(d.shape(limit=100), R, INPUT).astype(np.float64) for _ in range(d.int(1, 4))]
    t = [torch.from_numpy(a.copy()) for a in arrays]
    norm = 0.0
    if by_norm:
        norm = float(torch.linalg.vector_norm(torch.cat([a.reshape(-1) for a in t])))
        t = [a * min(1.0, most / norm) for a in t]
    else:
        for a in t:
            a.clamp_(-most, most)
    return Case(d, name, None, [by_norm], [most], plain=[a.numpy() for a in t] + [[norm]])


@kind("rates", share=0.3)
def schedules(d, name):
    n, every, warmup = d.int(2, 40), d.int(1, 9), d.int(1, 9)
    warmup = min(warmup, n - 1)
    rate, factor, least = d.number(0.01, 1), d.number(0.3, 0.99), d.number(0, 0.005)
    rates = torch.optim.lr_scheduler

    def run(make):
        optim = torch.optim.SGD([torch.zeros(1, requires_grad=True)], rate)
        plan, seen = make(optim), []
        for _ in range(n + 1):
            seen.append(optim.param_groups[0]["lr"])
            optim.step()
            plan.step()
        return seen

    def warm(optim):
        return rates.LambdaLR(optim, lambda s: (s + 1) / warmup if s < warmup else (
            least + (rate - least) * (1 + math.cos(math.pi * (s - warmup) / (n - warmup))) / 2)
            / rate)
    return Case(d, name, None, [n, every, warmup], [rate, factor, least], plain=[
        run(lambda o: rates.StepLR(o, every, factor)),
        run(lambda o: rates.ExponentialLR(o, factor)),
        run(lambda o: rates.CosineAnnealingLR(o, n, least)), run(warm)])


@kind("plateau", share=0.5)
def plateau(d, name):
    greater, patience, cooldown = d.int(0, 1), d.int(1, 4), d.int(0, 3)
    rate, factor, least = d.number(0.5, 2), d.number(0.2, 0.9), d.pick(0.0, d.number(0.01, 0.3))
    threshold = d.pick(0.0, d.number(0.01, 0.2))
    x = d.values([d.int(1, 60)], (1, 9, "ties")).astype(np.float64) if d.chance(0.5) else \
        np.maximum.accumulate(d.values([d.int(1, 60)], (1, 2)))[::1 if greater else -1]
    if d.chance(0.2):
        x[d.int(0, len(x) - 1)] = math.nan
    x = d.add(x, INPUT).astype(np.float64)
    optim = torch.optim.SGD([torch.zeros(1, requires_grad=True)], rate)
    plan = torch.optim.lr_scheduler.ReduceLROnPlateau(
        optim, "max" if greater else "min", factor, patience, threshold or d.exact(1e-4),
        cooldown=cooldown, min_lr=least, eps=0)
    seen = []
    for v in x:
        plan.step(v)
        seen.append(optim.param_groups[0]["lr"])
    return Case(d, name, None, [patience, cooldown, greater], [rate, factor, least, threshold],
                plain=[seen])


# ---------------------------------------------------------------- running and comparing

# Of the interface, what has no case of its own, and why.
WITHOUT_CASE = {
    "array_name": "dumps", "array_input": "every case", "array_borrow": "every case",
    "array_const": "every case",
    "array_const_borrow": "every case", "array_pack": "operands that are scalars",
    "array_at": "elements", "array_unpack": "elements", "array_item": "every loss",
    "array_size": "every result", "array_values": "every result",
    "array_adjoints": "every result", "array_tangents": "every result",
    "array_backward": "a way to differentiate", "array_forward": "a way to differentiate",
    "array_grad": "a way to differentiate",
}


def uncovered(header, known):
    """Operations of the interface that no case here names."""
    text = open(header, encoding="ascii").read()
    m = re.search(r"=+ \[S\w+\] ARRAYS\n(.*?)\n/\* =+ \[S", text, re.S)
    if not m:
        sys.exit("torch_check.py: no section ARRAYS in " + header)
    names = set(re.findall(r"AD_FN\((array_\w+)\)\(", m.group(1)))
    return sorted(n for n in names if n not in WITHOUT_CASE and n[len("array_"):] not in known)


def error_of(value, truth, size, part, floor):
    """The worst relative error, and the number of the element. NaN is near NaN alone."""
    value, truth = value.reshape(-1), truth.reshape(-1)
    if truth.size == 0:
        return 0.0, 0
    scale = np.abs(truth)
    least = size.reshape(-1) if size is not None else max(floor, part * scale.max())
    scale = np.maximum(scale, least)
    with np.errstate(all="ignore"):
        e = np.abs(value - truth) / scale
    e = np.where(value == truth, 0.0, np.where(np.isnan(e), np.inf, e))
    e = np.where(np.isnan(value) & np.isnan(truth), 0.0, e)
    k = int(e.argmax())
    return float(e[k]), k


def read_results(data, place, real):
    status, length = struct.unpack_from("<2i", data, place)
    message = data[place + 8:place + 168].split(b"\0")[0].decode(errors="replace")
    got, p, end = {}, place + 168, place + length
    while p < end:
        what, index, rank, d0, d1, d2, d3, size = struct.unpack_from("<8i", data, p)
        p += 32
        x = np.frombuffer(data, "<f8" if real == 8 else "<f4", size, p).astype(np.float64)
        p += size * real
        shape = (d0, d1, d2, d3)[:rank]
        got[what, index] = x.reshape(shape) if math.prod(shape) == size else x
    return status, message, got, end


def judge(case, status, message, got):
    """The worst error and what is wrong, or None."""
    for (what, k), (truth, _) in case.expected.items():
        y = got.get((what, k))
        if what == OUTPUT and y is not None and tuple(y.shape) != tuple(truth.shape):
            return math.inf, "shape %s, not %s" % (list(y.shape), list(truth.shape))
    if status != 0:
        return math.inf, "status %d: %s" % (status, message)
    if case.check:
        wrong = case.check(case, got)
        if wrong:
            return math.inf, wrong
    worst, words = 0.0, None
    limit = LIMIT[case.real]
    for (what, k), (truth, size) in case.expected.items():
        value = got.get((what, k))
        if value is None and what not in (GRADIENT, RECORDED, SECOND):
            return math.inf, "no %s %d" % (WHAT[what], k)
        if value is None:                   # of a constant
            value = np.zeros(truth.shape)
        elif what in (GRADIENT, RECORDED, SECOND):
            how, x = case.operands[k]
            if how == NEGATED:
                value = -value
            if how == PIECE:
                if value.size != 3 * truth.size:
                    return math.inf, "%s %d has %d elements" % (WHAT[what], k, value.size)
                value = value.reshape(3, -1)
                if value[0].any() or value[2].any():
                    return math.inf, "%s %d of the whole, outside of the piece" % (WHAT[what], k)
                value = value[1]
        if value.size != truth.size:
            return math.inf, "%s %d has %d elements, not %d" % (WHAT[what], k, value.size,
                                                               truth.size)
        part = 1.0 if case.real == 4 or what == SECOND else 1e-3
        floor = case.terms * part
        if what in (GRADIENT, RECORDED, SECOND):
            floor = case.most() * (case.slopes if case.real == 4 else 1e-3)
        if what == SECOND:
            floor = max(floor, float(np.abs(case.expected[RECORDED, k][0]).max(initial=0)))
        e, i = error_of(value, truth, size, part, floor)
        if e > worst:
            worst = e
            if not e <= limit:
                words = "%s %d, element %d: %.17g, not %.17g; error %.1e" % (
                    WHAT[what], k, i, value.reshape(-1)[i], truth.reshape(-1)[i], e)
    if (case.way == LOSS or case.derived) and not words:
        total, size = 0.0, 1e-30
        for k, w in enumerate(case.weights):
            t = got.get((TANGENT, k))
            if t is None or t.size != w.size:
                if w.size and case.product != 0:
                    return math.inf, "no tangent of output %d" % k
                continue
            terms = w.reshape(-1).astype(np.float64) * t.reshape(-1)
            total += terms.sum()
            size += np.abs(terms).sum()
        size = max(size, sum(float(np.abs(case.expected[GRADIENT, k][0] * v.numpy()).sum())
                             for k, v in case.directions(None)))
        size = max(size, case.most() * (1e-2 if case.real == 4 else 1e-3))
        e = abs(total - case.product) / size
        if not e <= worst:
            worst = e if e == e else math.inf
            if not e <= limit:
                words = "tangents: %.17g, not %.17g; error %.1e" % (total, case.product, e)
    return worst, words


def make_cases(name, seed, n):
    maker, share = KINDS[name]
    cases = []
    for real in (8, 4):
        wanted = max(4, int(share * n * (1 if real == 8 else 0.5)))
        rng = np.random.default_rng([seed, zlib.crc32(name.encode()), real])
        tries = 0
        while len(cases) < wanted if real == 8 else sum(c.real == 4 for c in cases) < wanted:
            tries += 1
            if tries > 20 * wanted:
                raise AssertionError("no cases of " + name)
            try:
                cases.append(maker(Draw(rng, real), name))
            except Skip:
                pass
    return cases


def main():
    a = argparse.ArgumentParser(description=__doc__,
                                formatter_class=argparse.RawDescriptionHelpFormatter)
    a.add_argument("program")
    a.add_argument("--header", default="autodiff.h")
    a.add_argument("--dir", default="build/check-torch")
    a.add_argument("--only", action="append")
    a.add_argument("--cases", type=int, default=250, help="of a kind in double; half in float")
    a.add_argument("--seed", type=int, default=1)
    a.add_argument("--show", type=int, default=3, help="failures printed of a kind")
    args = a.parse_args()
    names = subprocess.run([args.program, "--rules"], stdout=subprocess.PIPE, check=True,
                           text=True).stdout.split()
    failed = 0
    # Learning is one operation of the program and several kinds here.
    known = set(KINDS) | {"learn"}
    for n in sorted(set(names) - known):
        print("FAILED: no cases of " + n)
        failed += 1
    for n in uncovered(args.header, set(KINDS)):
        print("FAILED: no cases of " + n)
        failed += 1
    os.makedirs(args.dir, exist_ok=True)
    path, out = os.path.join(args.dir, "cases"), os.path.join(args.dir, "results")
    total = 0
    print("PyTorch %s; limits: double %g, float %g" % (torch.__version__, LIMIT[8], LIMIT[4]))
    print("%-30s %6s %9s %9s" % ("operation", "cases", "double", "float"))
    for name in args.only or KINDS:
        cases = make_cases(name, args.seed, args.cases)
        with open(path, "wb") as f:
            for c in cases:
                c.write(f)
        run = subprocess.run([args.program, path, out], stderr=subprocess.PIPE, text=True)
        data = open(out, "rb").read() if os.path.exists(out) else b""
        place, worst, wrong = 0, {8: 0.0, 4: 0.0}, []
        for number, c in enumerate(cases):
            if place + 168 > len(data):
                wrong.append("case %d: no result, the program ended with %d %s; %s" % (
                    number, run.returncode, run.stderr.strip(), c))
                break
            status, message, got, place = read_results(data, place, c.real)
            e, words = judge(c, status, message, got)
            worst[c.real] = max(worst[c.real], e)
            if words:
                wrong.append("case %d: %s; %s" % (number, words, c))
        if run.returncode != 0 and not wrong:
            wrong.append("the program ended with %d %s" % (run.returncode, run.stderr.strip()))
        # results that are not on the tape have no derivatives
        ways = {c.way for c in cases}
        for way, what in (LOSS, "tangents"), (TWICE, "second derivatives"), (COMPILED, "functions"):
            if ways != {PLAIN} and len(cases) > 60 and way not in ways and (
                    name not in ("call", "detach") or way != COMPILED):
                wrong.append("no cases of " + what)
        total += len(cases)
        failed += len(wrong)
        print("%-30s %6d %9.1e %9.1e%s" % (name, len(cases), worst[8], worst[4],
                                           "  FAILED: %d" % len(wrong) if wrong else ""))
        for w in wrong[:args.show]:
            print("    " + w)
        sys.stdout.flush()
    if failed:
        print("%d of %d cases failed" % (failed, total))
        return 1
    print("%d cases" % total)
    return 0


if __name__ == "__main__":
    sys.exit(main())
