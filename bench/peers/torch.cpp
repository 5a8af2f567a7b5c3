/* libtorch, one thread, double precision: reverse mode over operations on arrays.

   The problems are not read from their texts but written with tensors, as a user does who wants
   speed: no loops over points or examples, matrix products where there are any, the library's own
   logsumexp, log_softmax, slogdet and prod. Data are tensors before the clock starts, over the
   problem's memory. A run makes the variables leaves, computes, calls autograd::grad and copies the
   result out. Second derivatives: the gradient with create_graph, then grad again. */
// package: libtorch-dev
// header: torch/version.h
// flags: -I/usr/include/torch/csrc/api/include -DNDEBUG
// libs: -ltorch -ltorch_cpu -lc10
#include <ATen/Parallel.h>
#include <torch/types.h>
#include <torch/csrc/autograd/autograd.h>
#undef LOG                       /* a word of the texts */
#include "peers.hpp"

using at::Tensor;
using torch::autograd::grad;
typedef int64_t integer;

struct torch_state {
    const bench_case *c;
    std::vector<double> x;
    std::vector<Tensor> data;
};

static Tensor over(const double *x, at::IntArrayRef shape)
{
    return torch::from_blob(const_cast<double *>(x), shape, torch::kFloat64);
}
static Tensor indices(const uint32_t *from, integer n)
{
    Tensor t = torch::empty({ n }, torch::kInt64);
    for (integer i = 0; i < n; i++) t.data_ptr<int64_t>()[i] = from[i];
    return t;
}
static integer size_of(const bench_case *c, int i) { return static_cast<integer>(c->size[i]); }
/* The next `count` of x as a vector. */
static Tensor take(const Tensor &x, integer &from, integer count)
{
    from += count;
    return x.narrow(0, from - count, count);
}

/* ---- losses of a vector of variables, with their data */
static void gmm_data_of(torch_state *s)
{
    const gmm_data *g = static_cast<const gmm_data *>(s->c->data);
    const integer d = size_of(s->c, 0), n = size_of(s->c, 2);
    Tensor below = torch::empty({ d * (d - 1) / 2 }, torch::kInt64);
    integer *at = below.data_ptr<int64_t>();
    for (integer j = 0; j < d; j++)
        for (integer i = j + 1; i < d; i++) *at++ = i * d + j;
    s->data = { over(g->x, { n, d }).t().contiguous(), below };
}
static Tensor gmm_loss(const torch_state *s, const Tensor &theta)
{
    const integer d = size_of(s->c, 0), k = size_of(s->c, 1), n = size_of(s->c, 2);
    integer from = 0;
    const Tensor alpha = take(theta, from, k), mu = take(theta, from, k * d).view({ k, d, 1 });
    const Tensor q = take(theta, from, k * d).view({ k, d });
    const Tensor l = take(theta, from, k * d * (d - 1) / 2).view({ k, -1 }), scale = q.exp();
    const Tensor Q = torch::zeros({ k, d * d }, torch::kFloat64).index_copy(1, s->data[1], l)
        .view({ k, d, d }) + scale.diag_embed();
    /* Q x of all points and components is one product of matrices */
    const Tensor y = Q.reshape({ k * d, d }).mm(s->data[0]).view({ k, d, n }) - Q.bmm(mu);
    const Tensor term = (alpha + q.sum(1)).unsqueeze(1) - 0.5 * y.square().sum(1);
    return term.logsumexp(0).sum() + GMM_M * q.sum()
        - 0.5 * GMM_GAMMA * GMM_GAMMA * (scale.square().sum() + l.square().sum())
        - static_cast<double>(n)
            * (alpha.logsumexp(0) + 0.5 * LOG_2_PI * static_cast<double>(d));
}

static Tensor rosenbrock_loss(const torch_state *s, const Tensor &x)
{
    const integer n = size_of(s->c, 0) - 1;
    const Tensor low = x.narrow(0, 0, n), a = x.narrow(0, 1, n) - low.square();
    return 100 * a.dot(a) + (1 - low).square().sum();
}

static void logistic_data_of(torch_state *s)
{
    const logistic_data *g = static_cast<const logistic_data *>(s->c->data);
    const integer d = size_of(s->c, 0), n = size_of(s->c, 1);
    s->data = { over(g->x, { n, d }), over(g->label, { n }) };
}
/* softplus becomes linear from a threshold on, by default where that is seen in the ninth digit */
static Tensor logistic_loss_of(const torch_state *s, const Tensor &w)
{
    const Tensor z = s->data[0].mv(w);
    return at::softplus(z, 1, 40).sum() - z.dot(s->data[1]);
}

static void network_data_of(torch_state *s)
{
    const network_data *g = static_cast<const network_data *>(s->c->data);
    const Tensor all = over(g->examples, { size_of(s->c, 0), NET_IN + 1 });
    s->data = { all.narrow(1, 0, NET_IN).contiguous(), all.narrow(1, NET_IN, 1).contiguous() };
}
static Tensor layer(const Tensor &x, const Tensor &w, integer &from, integer in, integer out)
{
    const Tensor m = take(w, from, in * out).view({ in, out });
    return at::addmm(take(w, from, out), x, m);
}
static Tensor network_loss_of(const torch_state *s, const Tensor &w)
{
    integer from = 0;
    Tensor x = layer(s->data[0], w, from, NET_IN, NET_HIDDEN).tanh();
    x = layer(x, w, from, NET_HIDDEN, NET_HIDDEN).tanh();
    x = layer(x, w, from, NET_HIDDEN, 1) - s->data[1];
    return 0.5 * x.square().sum();
}

static void helmholtz_data_of(torch_state *s)
{
    const helmholtz_data *g = static_cast<const helmholtz_data *>(s->c->data);
    const integer n = size_of(s->c, 0);
    s->data = { over(g->b, { n }), over(g->a, { n, n }) };
}
static Tensor helmholtz_loss(const torch_state *s, const Tensor &x)
{
    const Tensor b = s->data[0].dot(x), entropy = x.dot((x / (1 - b)).log());
    const Tensor ratio = (1 + (1 + ROOT_2) * b) / (1 + (1 - ROOT_2) * b);
    return GAS_RT * entropy - x.dot(s->data[1].mv(x)) / (2 * ROOT_2 * b) * ratio.log();
}

static Tensor product_loss(const torch_state *, const Tensor &x) { return x.prod(); }
static Tensor logsumexp_loss(const torch_state *, const Tensor &x) { return x.logsumexp(0); }
static Tensor lu_loss(const torch_state *s, const Tensor &x)
{
    const integer n = size_of(s->c, 0);
    return std::get<1>(at::linalg_slogdet(x.view({ n, n })));
}

static void lstm_data_of(torch_state *s)
{
    const lstm_data *g = static_cast<const lstm_data *>(s->c->data);
    const integer layers = static_cast<integer>(g->layers), steps = static_cast<integer>(g->steps);
    const Tensor text = over(g->text, { steps + 1, LSTM_UNITS });
    s->data = { text.narrow(0, 0, steps), text.narrow(0, 1, steps),
        over(g->state, { layers, 2, LSTM_UNITS }) };
}
/* The four products of a layer as one; what comes below and above all layers, for all steps. */
static Tensor lstm_loss(const torch_state *s, const Tensor &theta)
{
    const lstm_data *g = static_cast<const lstm_data *>(s->c->data);
    const integer layers = static_cast<integer>(g->layers), steps = static_cast<integer>(g->steps);
    const Tensor ends = theta.narrow(0, layers * LSTM_LAYER, 3 * LSTM_UNITS).view({ 3, -1 });
    const std::vector<Tensor> below = (s->data[0] * ends[0]).unbind(0);
    std::vector<Tensor> w, v, cell, h, top;
    for (integer l = 0; l < layers; l++) {
        const Tensor both = theta.narrow(0, l * LSTM_LAYER, LSTM_LAYER).view({ 2, 2, 2, -1 });
        w.push_back(both[0]);
        v.push_back(both[1]);
        cell.push_back(s->data[2][l][0]);
        h.push_back(s->data[2][l][1]);
    }
    for (integer t = 0; t < steps; t++) {
        Tensor at = below[t];
        for (integer l = 0; l < layers; l++) {
            const Tensor in = at::addcmul(v[l], w[l], at::stack({ at, h[l] })).view({ 4, -1 });
            const std::vector<Tensor> gate = in.narrow(0, 0, 3).sigmoid().unbind(0);
            cell[l] = at::addcmul(cell[l] * gate[0], gate[1], in[3].tanh());
            h[l] = gate[2] * cell[l].tanh();
            at = h[l];
        }
        top.push_back(at);
    }
    const Tensor logits = at::addcmul(ends[2], at::stack(top), ends[1]);
    return -(logits.log_softmax(1) * s->data[1]).sum();
}

/* ---- many points at once */

/* All numbers of a portfolio: price, delta, gamma, vega, theta, rho, of n options each. */
static void options_data_of(torch_state *s)
{
    const options_data *g = static_cast<const options_data *>(s->c->data);
    const integer n = size_of(s->c, 0);
    s->data = { over(g->spot, { n }), over(g->strike, { n }), over(g->years + n, { n }),
        over(g->volatility, { n }), torch::full({ n }, g->rate, torch::kFloat64) };
}
static void options_of(const torch_state *s, double *result)
{
    const Tensor K = s->data[1];
    const Tensor S = s->data[0].detach().requires_grad_(), T = s->data[2].detach().requires_grad_();
    const Tensor v = s->data[3].detach().requires_grad_(), r = s->data[4].detach().requires_grad_();
    const Tensor years = -T, deviation = v * years.sqrt();
    const Tensor d1 = ((S / K).log() + (r + 0.5 * v.square()) * years) / deviation;
    const Tensor d2 = d1 - deviation;
    const Tensor n1 = 0.5 * (d1 * (-1 / ROOT_2)).erfc(), n2 = 0.5 * (d2 * (-1 / ROOT_2)).erfc();
    const Tensor y = S * n1 - K * (r * T).exp() * n2, one = torch::ones_like(y);
    bench_part(BENCH_SWEEP);
    const std::vector<Tensor> g = grad({ y }, { S, v, T, r }, { one }, true, true);
    const Tensor gamma = grad({ g[0] }, { S }, { one })[0];
    const integer n = size_of(s->c, 0);
    torch::NoGradGuard plain;
    Tensor out = over(result, { GREEKS, n });
    const Tensor all[GREEKS] = { y, g[0], gamma, g[1], g[2], g[3] };
    for (int i = 0; i < GREEKS; i++) out[i].copy_(all[i]);
}

static void bundle_data_of(torch_state *s)
{
    const bundle_data *g = static_cast<const bundle_data *>(s->c->data);
    const integer cameras = size_of(s->c, 0), n = size_of(s->c, 1);
    s->data = { over(g->cameras, { cameras, 11 }), over(g->points, { n / 4 + 1, 3 }),
        over(g->weights, { n, 1 }), over(g->pixels, { n, 2 }).t().contiguous(),
        indices(g->camera, n), indices(g->point, n) };
}
/* Variables of all observations as 15 rows; a pass for each of the two residuals. */
static void bundle_of(const torch_state *s, double *result)
{
    const integer n = size_of(s->c, 1);
    const Tensor x = at::cat({ s->data[0].index_select(0, s->data[4]),
        s->data[1].index_select(0, s->data[5]), s->data[2] }, 1).t().contiguous().requires_grad_();
    const Tensor r = x.narrow(0, 0, 3), d = x.narrow(0, 11, 3) - x.narrow(0, 3, 3);
    const Tensor t2 = r.square().sum(0), small = t2 < 1e-8;
    const Tensor safe = at::where(small, torch::ones_like(t2), t2), angle = safe.sqrt();
    const Tensor a = at::where(small, 1 + t2 * (t2 * (1.0 / 120) - 1.0 / 6), angle.sin() / angle);
    const Tensor b = at::where(small, 0.5 + t2 * (t2 * (1.0 / 720) - 1.0 / 24),
        (1 - angle.cos()) / safe);
    const Tensor q = (1 - b * t2) * d + a * at::cross(r, d, 0) + (b * (r * d).sum(0)) * r;
    const Tensor uv = q.narrow(0, 0, 2) / q[2], rho = uv.square().sum(0);
    const Tensor stretch = (1 + rho * (x[9] + x[10] * rho)) * x[6];
    const Tensor y = x[14] * (stretch * uv + x.narrow(0, 7, 2) - s->data[3]);
    const Tensor one = torch::ones({ n }, torch::kFloat64);
    bench_part(BENCH_SWEEP);
    const Tensor first = grad({ y[0] }, { x }, { one }, true)[0];
    const Tensor second = grad({ y[1] }, { x }, { one })[0];
    torch::NoGradGuard plain;
    Tensor out = over(result, { n, BUNDLE_OUTPUTS });
    out.narrow(1, 0, 2).copy_(y.t());
    out.narrow(1, 2, BUNDLE_VARIABLES).copy_(first.t());
    out.narrow(1, 2 + BUNDLE_VARIABLES, BUNDLE_VARIABLES).copy_(second.t());
}

/* ---- which are written here */
struct torch_text {
    const bench_problem *problem;
    void (*data)(torch_state *);
    Tensor (*loss)(const torch_state *, const Tensor &);
    void (*whole)(const torch_state *, double *);       /* where it is not a loss */
};
static const torch_text torch_texts[] = {
    { &gmm_problem, gmm_data_of, gmm_loss, nullptr },
    { &rosenbrock_problem, nullptr, rosenbrock_loss, nullptr },
    { &logistic_problem, logistic_data_of, logistic_loss_of, nullptr },
    { &network_problem, network_data_of, network_loss_of, nullptr },
    { &helmholtz_problem, helmholtz_data_of, helmholtz_loss, nullptr },
    { &product_problem, nullptr, product_loss, nullptr },
    { &logsumexp_problem, nullptr, logsumexp_loss, nullptr },
    { &lu_problem, nullptr, lu_loss, nullptr },
    { &lstm_problem, lstm_data_of, lstm_loss, nullptr },
    { &options_problem, options_data_of, nullptr, options_of },
    { &bundle_problem, bundle_data_of, nullptr, bundle_of }
};
static const torch_text *torch_text_of(const bench_case *c)
{
    for (const torch_text &t : torch_texts)
        if (t.problem == c->problem) return &t;
    return nullptr;
}

/* The library that products of matrices and factorisations are left to has threads of its own. */
extern "C" void openblas_set_num_threads(int) __attribute__((weak));

static void *torch_open(const bench_case *c)
{
    const torch_text *text = torch_text_of(c);
    if (text == nullptr) return nullptr;
    at::set_num_threads(1);
    if (openblas_set_num_threads) openblas_set_num_threads(1);
    torch_state *s = new torch_state;
    s->c = c;
    s->x.resize(c->inputs);
    if (text->data) text->data(s);
    return s;
}
static int torch_run(void *what, double *result)
{
    torch_state *s = static_cast<torch_state *>(what);
    const torch_text *text = torch_text_of(s->c);
    bench_part(BENCH_RECORD);
    if (text->whole) {
        text->whole(s, result);
        return 0;
    }
    const integer n = static_cast<integer>(s->c->inputs);
    s->c->problem->gather(s->c, 0, s->x.data());
    const Tensor x = over(s->x.data(), { n }).requires_grad_();
    const Tensor y = text->loss(s, x);
    bench_part(BENCH_SWEEP);
    const Tensor g = grad({ y }, { x })[0].contiguous();
    result[0] = y.item<double>();
    memcpy(result + 1, g.data_ptr<double>(), s->c->inputs * sizeof(double));
    return 0;
}
static void torch_close(void *what) { delete static_cast<torch_state *>(what); }

extern "C" const bench_version torch_versions[] = {
    { "torch", BENCH_ARRAYS, torch_open, torch_run, torch_close },
    { NULL, BENCH_OTHER, NULL, NULL, NULL }
};
