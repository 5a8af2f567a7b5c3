"""What arrays on the tape cost: PyTorch's side. bench/run_arrays.sh runs it beside bench/arrays.c,
which has the protocol, the rows and what they compute.

Every row has one spelling or several; the fastest is found before the row is timed, and is the one
that counts. A gradient is left in memory as an array of its own, as the other side leaves it.
"""
import gc
import math
import sys
import time

import numpy as np
import torch
import torch.nn.functional as F

torch.set_num_threads(1)

ROUND = 40e-3
PARTS = 5
LINKS = 64


def hashed(salt, n):
    with np.errstate(over="ignore"):
        z = np.arange(1, n + 1, dtype=np.uint64) * np.uint64(0x9E3779B97F4A7C15)
        z += np.uint64(salt * 0xD1B54A32D192ED03 % (1 << 64))
        z = (z ^ z >> np.uint64(30)) * np.uint64(0xBF58476D1CE4E5B9)
        z = (z ^ z >> np.uint64(27)) * np.uint64(0x94D049BB133111EB)
        z ^= z >> np.uint64(31)
    return (z >> np.uint64(40)).astype(np.float64) / 16777216.0


def data(shape, salt, low, high, real=torch.float32, grad=False):
    x = low + (high - low) * hashed(salt, math.prod(shape))
    t = torch.from_numpy(x).to(real).reshape(shape)
    return t.requires_grad_(grad)


def classes(n, salt, count):
    return torch.from_numpy((hashed(salt, n) * count).astype(np.int64))


class Row:
    """A spelling of a row, with data of its own: step() does all; result() is called after it."""

    def __init__(self, step, result):
        self.step = step
        self.result = result


# ---------------------------------------------------------------- training steps

def trained(model, inputs, labels, foreach):
    """Adam's steps for parameters made as the other side makes them."""
    with torch.no_grad():
        for k, p in enumerate(model.parameters()):
            if p.dim() > 1:
                fan_in = math.prod(p.shape[1:])
            most = 1 / math.sqrt(fan_in)    # a bias has that of the weights before it
            p.copy_(data(list(p.shape), 11 + k, -most, most))
    optim = torch.optim.Adam(model.parameters(), lr=1e-3, foreach=foreach)
    parameters = list(model.parameters())
    last = [None]

    def step():
        for p in parameters:
            p.grad = None
        loss = F.cross_entropy(model(inputs), labels)
        loss.backward()
        optim.step()
        last[0] = loss
    return Row(step, lambda: (float(last[0].detach()), [p.grad for p in parameters]))


class Cnn(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.a = torch.nn.Conv2d(3, 32, 3, padding=1)
        self.b = torch.nn.Conv2d(32, 64, 3, padding=1)
        self.c = torch.nn.Conv2d(64, 128, 3, padding=1)
        self.d = torch.nn.Linear(2048, 256)
        self.e = torch.nn.Linear(256, 10)

    def forward(self, x):
        x = F.max_pool2d(F.relu_(self.a(x)), 2)
        x = F.max_pool2d(F.relu_(self.b(x)), 2)
        x = F.max_pool2d(F.relu_(self.c(x)), 2)
        return self.e(F.relu_(self.d(x.flatten(1))))


def cnn(n, k, way):
    def make(layout, foreach, script):
        model = Cnn().to(memory_format=layout)
        x = data([64, 3, 32, 32], 1, -1, 1).contiguous(memory_format=layout)
        return lambda: trained(torch.jit.script(model) if script else model, x,
                               classes(64, 2, 10), foreach)
    return [make(layout, foreach, script)
            for layout in (torch.channels_last, torch.contiguous_format)
            for foreach in (True, False) for script in (False, True)]


def mlp(n, k, way):
    def make(foreach, script):
        def go():
            model = torch.nn.Sequential(
                torch.nn.Linear(784, 256), torch.nn.ReLU(inplace=True), torch.nn.Linear(256, 128),
                torch.nn.ReLU(inplace=True), torch.nn.Linear(128, 10))
            return trained(torch.jit.script(model) if script else model, data([64, 784], 1, -1, 1),
                           classes(64, 2, 10), foreach)
        return go
    return [make(foreach, script) for foreach in (True, False) for script in (False, True)]


# ---------------------------------------------------------------- parts of networks

SEQUENCES, LENGTH, WIDTH, HEADS = 8, 64, 256, 8
STEPS, BATCH, INPUTS, UNITS = 16, 32, 64, 128


def attention(n, k, way):
    size = WIDTH // HEADS

    def operands():
        shape = [SEQUENCES, LENGTH, WIDTH]
        return [data(shape, 1, -1, 1), data(shape, 2, -1, 1)] + [
            data(s, salt, -0.0625, 0.0625, grad=True)
            for s, salt in (([3 * WIDTH, WIDTH], 3), ([3 * WIDTH], 4), ([WIDTH, WIDTH], 5),
                            ([WIDTH], 6))]

    def whole(x, y, w, b, v, c):
        z = x.transpose(0, 1)
        h = F.multi_head_attention_forward(z, z, z, WIDTH, HEADS, w, b, None, None, False, 0.0, v,
                                           c, need_weights=False)[0]
        return F.mse_loss(x + h.transpose(0, 1), y)

    def plain(x, y, w, b, v, c):
        h = F.linear(x, w, b).view(SEQUENCES, LENGTH, 3, HEADS, size).permute(2, 0, 3, 1, 4)
        score = torch.softmax(h[0] @ h[1].transpose(-1, -2) * (1 / math.sqrt(size)), -1)
        h = (score @ h[2]).transpose(1, 2).reshape(SEQUENCES, LENGTH, WIDTH)
        return F.mse_loss(x + F.linear(h, v, c), y)

    def batched(x, y, w, b, v, c):
        h = F.linear(x, w, b).view(SEQUENCES, LENGTH, 3, HEADS, size).permute(2, 0, 3, 1, 4)
        q, p, u = h.reshape(3, SEQUENCES * HEADS, LENGTH, size).unbind(0)
        score = torch.baddbmm(q.new_empty([1, 1, 1]), q, p.transpose(1, 2), beta=0,
                              alpha=1 / math.sqrt(size))
        h = torch.bmm(torch.softmax(score, -1), u).view(SEQUENCES, HEADS, LENGTH, size)
        h = h.transpose(1, 2).reshape(SEQUENCES, LENGTH, WIDTH)
        return F.mse_loss(x + F.linear(h, v, c), y)

    def make(f):
        def go():
            x, y, w, b, v, c = operands()
            return scalar(lambda: f(x, y, w, b, v, c), [w, b, v, c])
        return go
    return [make(f) for f in (whole, plain, batched, torch.jit.script(attention_typed))]


def attention_typed(x: torch.Tensor, y: torch.Tensor, w: torch.Tensor, b: torch.Tensor,
                    v: torch.Tensor, c: torch.Tensor) -> torch.Tensor:
    h = F.linear(x, w, b).view(8, 64, 3, 8, 32).permute(2, 0, 3, 1, 4)
    score = torch.softmax(torch.matmul(h[0], h[1].transpose(-1, -2)) * 0.17677669529663687, -1)
    h = torch.matmul(score, h[2]).transpose(1, 2).reshape(8, 64, 256)
    return F.mse_loss(x + F.linear(h, v, c), y)


def lstm_batch(n, k, way):
    def operands():
        return [data([STEPS, BATCH, INPUTS], 1, -1, 1), data([STEPS, BATCH, UNITS], 2, -1, 1)] + [
            data(s, salt, -0.088, 0.088, grad=True)
            for s, salt in (([4 * UNITS, INPUTS], 3), ([4 * UNITS, UNITS], 4), ([4 * UNITS], 5))]

    def module():
        x, y, w, u, b = operands()
        net = torch.nn.LSTM(INPUTS, UNITS)
        with torch.no_grad():
            for p, v in zip(net.parameters(), (w, u, b, torch.zeros(4 * UNITS))):
                p.copy_(v)
        return scalar(lambda: F.mse_loss(net(x)[0], y), list(net.parameters())[:3])

    def cells():
        x, y, w, u, b = operands()
        none = torch.zeros(4 * UNITS)

        def f():
            h = c = torch.zeros(BATCH, UNITS)
            every = []
            for part in x.unbind(0):
                h, c = torch.lstm_cell(part, (h, c), w, u, b, none)
                every.append(h)
            return F.mse_loss(torch.stack(every), y)
        return scalar(f, [w, u, b])

    def make(f):
        def go():
            x, y, w, u, b = operands()
            return scalar(lambda: f(x, y, w, u, b), [w, u, b])
        return go
    return [module, cells, make(batch_typed), make(torch.jit.script(batch_typed))]


def batch_typed(x: torch.Tensor, y: torch.Tensor, w: torch.Tensor, u: torch.Tensor,
                b: torch.Tensor) -> torch.Tensor:
    h = torch.zeros([x.shape[1], u.shape[1]])
    c = torch.zeros([x.shape[1], u.shape[1]])
    every = []
    for z in F.linear(x, w, b).unbind(0):
        i, f, g, o = torch.addmm(z, h, u.t()).chunk(4, 1)
        c = torch.sigmoid(f) * c + torch.sigmoid(i) * torch.tanh(g)
        h = torch.sigmoid(o) * torch.tanh(c)
        every.append(h)
    return F.mse_loss(torch.stack(every), y)


# ---------------------------------------------------------------- layers and reductions

def swept(f, leaves, seed=None, backward=False):
    """Gradients of f() by autograd.grad, or by backward() into fresh .grad."""
    last = [None, None]
    ones = [seed]

    def step():
        if backward:
            for x in leaves:
                x.grad = None
        y = f()
        if ones[0] is None:
            ones[0] = torch.ones_like(y)
        if backward:
            y.backward(ones[0])
        else:
            last[1] = torch.autograd.grad(y, leaves, ones[0])
        last[0] = y
    return Row(step, lambda: (float(last[0].detach().abs().double().sum()),
                              [x.grad for x in leaves] if backward else last[1]))


def chain(n, k, way):
    def make(f):
        def go():
            a, x, b, c = [data([n], s, -1, 1, grad=True) for s in (1, 2, 3, 4)]
            return swept(lambda: f(a, x, b, c), [a, x, b, c])
        return go

    def plain(a, x, b, c):
        return torch.sigmoid(a * x + b) * c

    def fused(a, x, b, c):
        return torch.sigmoid(torch.addcmul(b, a, x)) * c

    def in_place(a, x, b, c):
        return torch.sigmoid_((a * x).add_(b)) * c
    return [make(f) for f in (plain, fused, in_place, torch.jit.script(plain))]


def ten(n, k, way):
    def make(f):
        def go():
            operands = [data([n], s, -1, 1, grad=True) for s in (1, 2, 3, 4)]
            return swept(lambda: f(*operands), operands)
        return go

    def plain(a, b, c, d):
        s = torch.sigmoid(a * b + c)
        t = torch.tanh(s * d)
        return (torch.square(t - a) + b) * s + t

    def fused(a, b, c, d):
        s = torch.sigmoid_(torch.addcmul(c, a, b))
        t = torch.tanh_(s * d)
        return torch.addcmul(t, torch.square(t - a).add_(b), s)
    return [make(f) for f in (plain, fused, torch.jit.script(plain))]


def ten_tanh(n, k, way):
    def make(f):
        def go():
            x = data([n], 1, -1, 1, grad=True)
            return swept(lambda: f(x), [x])
        return go

    def plain(x):
        for _ in range(10):
            x = torch.tanh(x)
        return x
    return [make(plain), make(torch.jit.script(plain))]


def softmax(n, k, way):
    def make(f):
        def go():
            x = data([64, 1000], 1, -4, 4, grad=True)
            y = classes(64, 2, 1000)
            return swept(lambda: f(x, y), [x])
        return go
    return [make(F.cross_entropy),
            make(lambda x, y: F.nll_loss(torch.log_softmax(x, 1), y))]


def layer_norm(n, k, way):
    def make(f):
        def go():
            x = data([64, 1024], 1, -2, 2, grad=True)
            g = data([1024], 2, 0.5, 1.5, grad=True)
            b = data([1024], 3, -1, 1, grad=True)
            return swept(lambda: f(x, g, b), [x, g, b], data([64, 1024], 4, -1, 1))
        return go
    return [make(lambda x, g, b: F.layer_norm(x, [1024], g, b, 1e-5)),
            make(lambda x, g, b: torch.layer_norm(x, [1024], g, b, 1e-5))]


def layer(name):
    def spellings(n, k, way):
        shape, more, result = {
            "batch-norm": ([64, 64, 16, 16], [64], [64, 64, 16, 16]),
            "conv-5": ([32, 16, 28, 28], [32, 16, 5, 5], [32, 32, 28, 28]),
            "max-pool-3": ([32, 32, 32, 32], None, [32, 32, 16, 16]),
            "gather": ([1000, 1000], None, [1000, 1000]),
            "transpose": ([1024, 1024], None, [1024, 1024]),
            "outer": ([1000, 1], [1, 1000], [1000, 1000])}[name]
        index = classes(1000, 5, 1000)

        def make(f, layout=torch.contiguous_format):
            def place(t):
                return t.contiguous(memory_format=layout) if t.dim() == 4 else t

            def go():
                x = [place(data(shape, 1, -2, 2)).requires_grad_()]
                if more:
                    x.append(place(data(more, 2, 0.5, 1.5)).requires_grad_())
                if name == "batch-norm":
                    x.append(data(more, 3, -1, 1, grad=True))
                return swept(lambda: f(*x), x, place(data(result, 4, -1, 1)))
            return go
        f = {"batch-norm": lambda x, g, b: F.batch_norm(x, None, None, g, b, True, 0.1, 1e-5),
             "conv-5": lambda x, w: F.conv2d(x, w, padding=2),
             "max-pool-3": lambda x: F.max_pool2d(x, 3, 2, 1),
             "gather": lambda x: torch.index_select(x, 1, index),
             "transpose": lambda x: x.t().contiguous(),
             "outer": lambda x, y: x * y}[name]
        found = [make(f)]
        if len(shape) == 4:
            found.append(make(f, torch.channels_last))
        if name == "gather":
            found += [make(lambda x: x[:, index]),
                      make(lambda x: torch.gather(x, 1, index.expand(1000, 1000)))]
        if name == "outer":
            found.append(make(lambda x, y: torch.outer(x.view(-1), y.view(-1))))
        return found
    return spellings


REDUCTIONS = {
    "sum": [lambda x, a: torch.sum(x, a) if a else torch.sum(x)],
    "mean": [lambda x, a: torch.mean(x, a) if a else torch.mean(x)],
    "prod": [lambda x, a: torch.prod(x, a[0]) if a else torch.prod(x)],
    "max": [lambda x, a: torch.amax(x, a or ()), lambda x, a: torch.max(x, a[0])[0] if a
            else torch.max(x)],
    "min": [lambda x, a: torch.amin(x, a or ()), lambda x, a: torch.min(x, a[0])[0] if a
            else torch.min(x)],
    "var": [lambda x, a: torch.var(x, a, unbiased=True) if a else torch.var(x)],
    "std": [lambda x, a: torch.std(x, a, unbiased=True) if a else torch.std(x)],
    "norm": [lambda x, a: torch.linalg.vector_norm(x, dim=a),
             lambda x, a: torch.sqrt(torch.sum(x * x, a) if a else torch.sum(x * x)),
             lambda x, a: torch.norm(x, dim=a) if a else torch.norm(x)],
    "logsumexp": [lambda x, a: torch.logsumexp(x, a or (0, 1)),
                  lambda x, a: torch.logsumexp(x, a) if a else torch.logsumexp(x.view(-1), 0)],
}


def reduction(name):
    def spellings(n, k, way):
        axes = None if k == 0 else (k - 1,)

        def make(f):
            def go():
                x = data([1000, 1000], 1, 0.97, 1.030306, grad=True) if name == "prod" \
                    else data([1000, 1000], 1, -1, 1, grad=True)
                # not autograd.grad, which would give a sum's gradient as a view of one number
                return swept(lambda: f(x, axes), [x], backward=True)
            return go
        return [make(f) for f in REDUCTIONS[name]]
    return spellings


# ---------------------------------------------------------------- statistics

def scalar(f, leaves):
    last = [None, None]

    def step():
        last[0] = f()
        last[1] = torch.autograd.grad(last[0], leaves)
    return Row(step, lambda: (float(last[0].detach()), last[1]))


def mixture(d, K, way):
    double = torch.float64

    def operands():
        size = d * (d + 1) // 2
        alpha = data([K], 1, -1, 1, double, True)
        mu = data([K, d], 2, -1, 1, double, True)
        icf = data([K, size], 3, -0.5, 0.5, double, True)
        x = data([1000, d], 4, -2, 2, double)
        rows, columns = torch.triu_indices(d, d, 1).flip(0)      # below, column by column
        return alpha, mu, icf, x, rows * d + columns

    def factors(icf, below):
        Q = icf.new_zeros([icf.shape[0], d * d])
        Q = Q.index_copy(1, below, icf[:, d:])
        return Q.view(-1, d, d) + torch.diag_embed(torch.exp(icf[:, :d]))

    def rest(alpha, icf, Q, square):
        inner = alpha + icf[:, :d].sum(1) - 0.5 * square
        return torch.logsumexp(inner, 1).sum() - 1000 * torch.logsumexp(alpha, 0) \
            + 0.5 * (Q * Q).sum()

    def make(square):
        def go():
            alpha, mu, icf, x, below = operands()
            extended = torch.cat([x, -torch.ones(1000, 1, dtype=double)], 1)

            def f():
                Q = factors(icf, below)
                m = torch.bmm(Q, mu.unsqueeze(2))
                return rest(alpha, icf, Q, square(Q, m, x, extended, mu))
            return scalar(f, [alpha, mu, icf])
        return go

    # |Q_k (x_i - mu_k)|^2, n x K
    def one_product(Q, m, x, extended, mu):
        y = x @ Q.view(K * d, d).t() - m.view(K * d)
        return y.view(1000, K, d).square().sum(2)

    def fused_product(Q, m, x, extended, mu):
        y = torch.addmm(m.view(K * d), x, Q.view(K * d, d).t(), beta=-1)
        return y.view(1000, K, d).square().sum(2)

    def fused_norms(Q, m, x, extended, mu):
        y = torch.addmm(m.view(K * d), x, Q.view(K * d, d).t(), beta=-1)
        return torch.linalg.vector_norm(y.view(1000, K, d), dim=2).square()

    def extended_norms(Q, m, x, extended, mu):
        y = extended @ torch.cat([Q, m], 2).view(K * d, d + 1).t()
        return torch.linalg.vector_norm(y.view(1000, K, d), dim=2).square()

    def extended_squares(Q, m, x, extended, mu):
        y = extended @ torch.cat([Q, m], 2).view(K * d, d + 1).t()
        return y.view(1000, K, d).square().sum(2)

    def one_by_one(Q, m, x, extended, mu):
        return torch.stack([torch.linalg.vector_norm(extended @ q.t(), dim=1)
                            for q in torch.cat([Q, m], 2).unbind(0)], 1).square()

    def batched(Q, m, x, extended, mu):
        y = torch.bmm(Q, (x.unsqueeze(0) - mu.unsqueeze(1)).transpose(1, 2))
        return (y * y).sum(1).t()

    def batched_rows(Q, m, x, extended, mu):
        y = torch.baddbmm(m, Q, x.t().expand(K, d, 1000), beta=-1)
        return (y * y).sum(1).t()
    return [make(f) for f in (one_product, fused_product, fused_norms, extended_norms,
                              extended_squares, one_by_one, batched, batched_rows)]


def logistic(n, k, way):
    double = torch.float64

    def make(f, signs=False):
        def go():
            X = data([n, k], 1, -1, 1, double)
            w = data([k], 2, -0.1, 0.1, double, True)
            y = (data([n], 3, 0, 1, double) < 0.5).to(double)
            y = 2 * y - 1 if signs else y
            return scalar(lambda: f(X, w, y), [w])
        return go
    return [make(lambda X, w, y: F.binary_cross_entropy_with_logits(X @ w, y)),
            make(lambda X, w, y: F.soft_margin_loss(X @ w, y), True),
            make(lambda X, w, y: -F.logsigmoid((X @ w) * y).mean(), True),
            make(lambda X, w, y: F.softplus(-(X @ w) * y, threshold=100).mean(), True)]


def linear(f):
    def spellings(n, k, way):
        def make(f):
            def go():
                most = 1 / math.sqrt(n)
                a = data([n, n], 1, -most, most, torch.float64) + 2 * torch.eye(n)
                a.requires_grad_()
                b = data([n, 1], 2, -1, 1, torch.float64, True)
                return scalar(lambda: f(a, b).sum(), [a, b] if f is torch.linalg.solve else [a])
            return go
        return [make(f)]
    return spellings


# ---------------------------------------------------------------- recurrent networks

def lstm(n, k, way):
    def operands():
        return [data([n, k], 1, -1, 1), data([n, k], 2, -1, 1)] + [
            data(s, salt, -0.26, 0.26, grad=True)
            for s, salt in (([4 * k, k], 3), ([4 * k, k], 4), ([4 * k], 5))]

    def module():
        x, y, w, u, b = operands()
        net = torch.nn.LSTM(k, k)
        with torch.no_grad():
            for p, v in zip(net.parameters(), (w, u, b, torch.zeros(4 * k))):
                p.copy_(v)
        x = x.unsqueeze(1)
        return scalar(lambda: F.mse_loss(net(x)[0].squeeze(1), y), list(net.parameters())[:3])

    def cells():
        x, y, w, u, b = operands()
        none = torch.zeros(4 * k)

        def f():
            h = c = torch.zeros(1, k)
            every = []
            for row in x.unsqueeze(1).unbind(0):
                h, c = torch.lstm_cell(row, (h, c), w, u, b, none)
                every.append(h)
            return F.mse_loss(torch.cat(every), y)
        return scalar(f, [w, u, b])

    def unrolled(x, y, w, u, b):
        k = x.shape[1]
        h = torch.zeros(k)
        c = torch.zeros(k)
        every = []
        for z in torch.addmm(b, x, w.t()).unbind(0):
            z = torch.addmv(z, u, h)
            s = torch.sigmoid(z)
            i, f, _, o = s.chunk(4)
            c = f * c + i * torch.tanh(z[2 * k:3 * k])
            h = o * torch.tanh(c)
            every.append(h)
        return F.mse_loss(torch.stack(every), y)

    def make(f):
        def go():
            x, y, w, u, b = operands()
            return scalar(lambda: f(x, y, w, u, b), [w, u, b])
        return go
    return [module, cells, make(unrolled), make(torch.jit.script(unrolled_typed))]


def unrolled_typed(x: torch.Tensor, y: torch.Tensor, w: torch.Tensor, u: torch.Tensor,
                   b: torch.Tensor) -> torch.Tensor:
    k = x.shape[1]
    h = torch.zeros([k])
    c = torch.zeros([k])
    every = []
    for z in torch.addmm(b, x, w.t()).unbind(0):
        z = torch.addmv(z, u, h)
        i, f, g, o = z.chunk(4)
        c = torch.sigmoid(f) * c + torch.sigmoid(i) * torch.tanh(g)
        h = torch.sigmoid(o) * torch.tanh(c)
        every.append(h)
    return F.mse_loss(torch.stack(every), y)


def gates_typed(x: torch.Tensor, y: torch.Tensor, w: torch.Tensor, v: torch.Tensor) -> torch.Tensor:
    n = x.shape[0]
    k = x.shape[1]
    w0, b0, w1, b1 = w[0:4].view(-1), w[4:8].view(-1), w[8:12].view(-1), w[12:16].view(-1)
    h0 = torch.zeros([k])
    c0 = torch.zeros([k])
    h1 = torch.zeros([k])
    c1 = torch.zeros([k])
    every = []
    for z in (x * v[0]).unbind(0):
        g = torch.addcmul(b0, torch.cat([z, h0, z, h0]), w0)
        f, i, o, a = g.chunk(4)
        c0 = c0 * torch.sigmoid(f) + torch.sigmoid(i) * torch.tanh(a)
        h0 = torch.sigmoid(o) * torch.tanh(c0)
        g = torch.addcmul(b1, torch.cat([h0, h1, h0, h1]), w1)
        f, i, o, a = g.chunk(4)
        c1 = c1 * torch.sigmoid(f) + torch.sigmoid(i) * torch.tanh(a)
        h1 = torch.sigmoid(o) * torch.tanh(c1)
        every.append(h1)
    p = torch.addcmul(v[2], torch.stack(every), v[1])
    p = p - torch.log(2 + torch.exp(p).sum(1, keepdim=True))
    return -(y * p).sum() / n


def gates(n, k, way):
    def together(x, y, w, v):
        """The three sigmoids of a step as one."""
        w0, b0, w1, b1 = w[0:4].view(-1), w[4:8].view(-1), w[8:12].view(-1), w[12:16].view(-1)
        zero = torch.zeros([k])
        h0, c0, h1, c1 = zero, zero, zero, zero
        every = []
        for z in (x * v[0]).unbind(0):
            g = torch.addcmul(b0, torch.cat([z, h0, z, h0]), w0)
            f, i, o = torch.sigmoid(g[:3 * k]).chunk(3)
            c0 = torch.addcmul(c0 * f, i, torch.tanh(g[3 * k:]))
            h0 = o * torch.tanh(c0)
            g = torch.addcmul(b1, torch.cat([h0, h1, h0, h1]), w1)
            f, i, o = torch.sigmoid(g[:3 * k]).chunk(3)
            c1 = torch.addcmul(c1 * f, i, torch.tanh(g[3 * k:]))
            h1 = o * torch.tanh(c1)
            every.append(h1)
        p = torch.addcmul(v[2], torch.stack(every), v[1])
        p = p - torch.log(2 + torch.exp(p).sum(1, keepdim=True))
        return -(y * p).sum() / n

    def make(f):
        def go():
            x, y = data([n, k], 1, -1, 1), data([n, k], 2, 0, 1)
            w, v = data([16, k], 3, -1, 1, grad=True), data([3, k], 4, -1, 1, grad=True)
            return scalar(lambda: f(x, y, w, v), [w, v])
        return go
    return [make(gates_typed), make(torch.jit.script(gates_typed)), make(together)]


# ---------------------------------------------------------------- tiny arrays

def tiny_mul(x, c):
    y = x
    for _ in range(LINKS):
        y = y * c
    return y


def tiny_add(x, c):
    y = x
    for _ in range(LINKS):
        y = y + c
    return y


def tiny_exp(x, c):
    y = c
    for _ in range(LINKS):
        y = x.exp() + y
    return y


def tiny_sum(x, c):
    y = c.sum()
    for _ in range(LINKS):
        y = x.sum() + y
    return y


def tiny(f):
    """What an operation costs where it is recorded anew each time. TorchScript, which compiles the
    loop and computes exp(x) once, is to be compared with compiled functions."""
    def spellings(n, k, way):
        def go():
            x, c = data([n], 1, -1, 1, grad=True), data([n], 2, 0.98, 1.02, grad=True)
            if k:
                return swept(lambda: f(x, c), [x, c])
            last = [None]

            def step():
                last[0] = f(x, c)
            return Row(step, lambda: (float(last[0].detach().abs().double().sum()), []))
        return [go]
    return spellings


# ---------------------------------------------------------------- the rows

ROWS = {"cnn": (cnn, 0, 0), "mlp": (mlp, 0, 0), "softmax": (softmax, 0, 0),
        "layer-norm": (layer_norm, 0, 0), "gmm-20": (mixture, 20, 25), "gmm-64": (mixture, 64, 50),
        "attention": (attention, 0, 0), "lstm-16": (lstm_batch, 0, 0), "ten": (ten, 1000000, 0),
        "tanh": (ten_tanh, 1000000, 0), "solve-50": (linear(torch.linalg.solve), 50, 0),
        "solve-200": (linear(torch.linalg.solve), 200, 0),
        "solve-1000": (linear(torch.linalg.solve), 1000, 0),
        "logdet-1000": (linear(lambda a, b: torch.logdet(a)), 1000, 0),
        "inverse-1000": (linear(lambda a, b: torch.linalg.inv(a)), 1000, 0),
        "logistic": (logistic, 100000, 50), "lstm": (lstm, 1024, 14), "lstm-gates": (gates, 1024, 14)}
for e in range(3, 8):
    ROWS["chain-1e%d" % e] = ROWS["map-1e%d" % e] = (chain, 10 ** e, 0)
for e in ("batch-norm", "conv-5", "max-pool-3", "gather", "transpose", "outer"):
    ROWS[e] = (layer(e), 0, 0)
for r in REDUCTIONS:
    for axis_number, axis_text in enumerate(("all", "0", "1")):
        ROWS[r + "-" + axis_text] = (reduction(r), 0, axis_number)
for tiny_text, tiny_f in (("mul", tiny_mul), ("add", tiny_add), ("exp", tiny_exp),
                          ("sum", tiny_sum)):
    for tiny_n in (4, 8, 16, 32):
        ROWS["tiny-%s-%d" % (tiny_text, tiny_n)] = (tiny(tiny_f), tiny_n, 0)
        ROWS["tiny-%s-%d-back" % (tiny_text, tiny_n)] = (tiny(tiny_f), tiny_n, 1)
for e in ("cnn", "mlp", "attention", "lstm-16", "ten", "tanh"):
    ROWS[e + "-fn"] = ROWS[e]               # what the other side compiles


def operations(name):
    """Of a step, where the time is that of one."""
    if not name.startswith("tiny"):
        return 1
    return LINKS * (2 if name.split("-")[1] in ("exp", "sum") else 1)


def timed(step, n):
    begin = time.process_time()
    for _ in range(n):
        step()
    return (time.process_time() - begin) / n


def fastest(name):
    """The spelling that is, as a function that makes it anew."""
    f, n, k = ROWS[name]
    best, least = None, math.inf
    for make in f(n, k, 0):
        step = make().step
        for _ in range(3):                  # TorchScript compiles in the first ones
            once = timed(step, 1)
        times = sorted(timed(step, max(1, int(0.01 / once))) for _ in range(5 if once < 0.3 else 2))
        if times[len(times) // 2] < least:
            best, least = make, times[len(times) // 2]
    return best


def resident(field):
    """Of the process, in bytes."""
    for line in open("/proc/self/status", encoding="ascii"):
        if line.startswith(field + ":"):
            return int(line.split()[1]) * 1024
    raise OSError("no " + field)


def memory(name):
    """By how much the resident set has grown at most in the second step of the first spelling."""
    f, n, k = ROWS[name]
    warm = f(max(1, n // 1000), k, 0)[0]()  # what is loaded once
    warm.step()
    step = f(n, k, 0)[0]().step
    gc.collect()
    open("/proc/self/clear_refs", "w", encoding="ascii").write("5")     # the peak is now
    before = resident("VmRSS")
    step()
    return resident("VmHWM") - before


def blas():
    """Whose matrix products PyTorch calls."""
    names = {line.split("/")[-1].strip() + (" (OpenBLAS)" if "openblas" in line else "")
             for line in open("/proc/self/maps", encoding="ascii") if "blas" in line}
    n = 256
    x = torch.ones(n, n)
    x @ x
    begin = time.perf_counter()
    for _ in range(5):
        x @ x
    each = (time.perf_counter() - begin) / 5
    return "%s, %.0f Gflop/s" % (", ".join(sorted(names)) or "no BLAS", 2e-9 * n ** 3 / each)


def main():
    gc.disable()
    name, make, row, each = None, None, None, 0.0
    for line in sys.stdin:
        what, wanted = line.split()
        try:
            if wanted != name:
                row = make = None
                gc.collect()
                make = fastest(wanted)
                row, name = make(), wanted
            if what == "value":
                row = make()
                row.step()
                norm = math.sqrt(sum(float(g.double().square().sum()) for g in row.result()[1]))
                row.step()
                print("%.9g %.9g" % (row.result()[0], norm))
            else:
                start = time.perf_counter()
                for _ in range(3):
                    each = timed(row.step, 1)
                n = int(ROUND / PARTS / each) + 1
                parts = [timed(row.step, n)]
                while len(parts) < PARTS and time.perf_counter() - start < 5 * ROUND:
                    parts.append(timed(row.step, n))
                print("%.9g" % (sorted(parts)[len(parts) // 2] * 1e9 / operations(name)))
        except Exception as e:              # told in the table
            name = None
            print("error " + " ".join(str(e).split()) or type(e).__name__)
        sys.stdout.flush()


if __name__ == "__main__":
    if sys.argv[1:] == ["--about"]:
        print("PyTorch %s, NumPy %s, %s" % (torch.__version__, np.__version__, blas()))
    elif sys.argv[1:2] == ["--memory"]:
        print(memory(sys.argv[2]))
    else:
        main()
