/* Sacado, of Trilinos.

   "sacado rad": Rad::ADvar, recorded anew at every point. Reverse sweeps are Weighted_Gradcomp, one
   for each output (Outvar_Gradcomp leaves the adjoint of the output before as it is); what is
   recorded next reuses the memory. RAD_EQ_ALIAS is defined, so that an assignment is a pointer and
   not an operation. Second derivatives: the same over numbers with one tangent along the direction,
   as in Sacado's examples of nested types.

   "sacado fad": Fad::SFad, the class for a number of tangents that is known when compiling, which
   the documentation recommends for speed; its expressions are templates. A width for each of the
   problems' numbers of columns (peers.hpp). Second derivatives: an SFad of SFads. */
// package: libtrilinos-sacado-dev
// header: trilinos/Sacado_config.h
// flags: -I/usr/include/trilinos -DNDEBUG
// libs: -lm
/* Sacado's configuration file wants Kokkos, another package, which only matters on graphics
   processors: this is what that file says of the rest. */
#define TRILINOS_NO_CONFIG_H
#define HAVE_SACADO_CXX11
#define SACADO_NEW_FAD_DESIGN_IS_DEFAULT
#define RAD_EQ_ALIAS
#include <Sacado_No_Kokkos.hpp>

typedef Sacado::Fad::SFad<double, 1> tangent;
static inline double plain(double x) { return x; }
template <class S> static inline double plain(const Sacado::Fad::Exp::GeneralFad<S> &x)
{
    return plain(x.val());
}
template <class T> static inline double numbers_value(const Sacado::Fad::Exp::Expr<T> &x)
{
    return plain(x.derived().val());
}
template <class T> static inline double numbers_value(const Sacado::Rad::ADvari<T> &x)
{
    return plain(x.Val);
}
template <class T> static inline double numbers_value(const Sacado::Rad::IndepADvar<T> &x)
{
    return plain(x.val());
}

/* The error function's complement, which Sacado lacks: in Fad from value and tangents, in Rad by
   ADf1, which is there for functions of one's own. */
#define ERFC_SLOPE -1.12837916709551257390              /* -2 / sqrt(pi) */
static inline double erfc_of(double x) { return std::erfc(x); }
template <class T, int n> static Sacado::Fad::SFad<T, n> erfc_of(const Sacado::Fad::SFad<T, n> &x)
{
    using std::exp;
    const T slope = ERFC_SLOPE * exp(-x.val() * x.val());
    Sacado::Fad::SFad<T, n> y(erfc_of(x.val()));
    for (int i = 0; i < n; i++) y.fastAccessDx(i) = slope * x.fastAccessDx(i);
    return y;
}
namespace Sacado {
namespace Fad { namespace Exp {
template <class E> typename BaseExprType<E>::type erfc(const Expr<E> &x)
{
    const typename BaseExprType<E>::type y(x.derived());
    return erfc_of(y);
}
} }
namespace Rad {
template <class T> ADvari<T> &erfc(const ADvari<T> &x)
{
    using std::exp;
    const T slope = ERFC_SLOPE * exp(-x.Val * x.Val);
    return ADf1<T>(erfc_of(x.Val), slope, x);
}
template <class T> ADvari<T> &erfc(const IndepADvar<T> &x)
{
    return erfc(static_cast<ADvari<T> &>(x));
}
}
}
#include "peers.hpp"

/* ---- reverse mode */
template <class T> struct rad_state {
    typedef Sacado::Rad::ADvar<T> N;
    const bench_case *c;
    std::vector<double> x, row;
    std::vector<N> in, out;
    std::vector<N *> at;             /* the outputs, and their weights in a sweep */
    std::vector<double> weight;

    explicit rad_state(const bench_case *of)
        : c(of), x(of->inputs + 1), row(1 + 2 * of->inputs), in(of->inputs), out(of->outputs),
          weight(of->outputs)
    {
        for (N &y : out) at.push_back(&y);
    }
};

static void *rad_open(const bench_case *c)
{
    /* Many outputs of few variables are for forward mode: there is no sweep for several. An
       addition's node has two edges; products have partials besides. */
    if (c->order == 1 && c->columns < c->outputs) return NULL;
    if (!peer_has_text(c) || peer_too_large(c, c->order == 2 ? 150 : 88)) return NULL;
    if (c->order == 2) return new rad_state<tangent>(c);
    return new rad_state<double>(c);
}
static void rad_close(void *what)
{
    rad_state<double> *s = static_cast<rad_state<double> *>(what);
    if (s->c->order == 2) delete static_cast<rad_state<tangent> *>(what);
    else delete s;
}

static void rad_order2(rad_state<tangent> *s, size_t p, double *result)
{
    typedef Sacado::Rad::ADvar<tangent> N;
    const bench_case *c = s->c;
    bench_part(BENCH_RECORD);
    c->problem->gather(c, p, s->x.data());
    for (size_t i = 0; i < c->inputs; i++) {
        tangent x(s->x[i]);
        x.fastAccessDx(0) = c->direction[i];
        s->in[i] = N(x);
    }
    text_of<N>(c)(c, p, s->in.data(), s->out.data());
    bench_part(BENCH_SWEEP);
    N::Outvar_Gradcomp(s->out[0]);
    s->row[0] = s->out[0].val().val();
    for (size_t i = 0; i < c->inputs; i++) {
        const tangent a = s->in[i].adj();
        s->row[1 + i] = a.val();
        s->row[1 + c->inputs + i] = a.fastAccessDx(0);
    }
    store_order2(c, p, s->row.data(), result);
}
static int rad_run(void *what, double *result)
{
    typedef Sacado::Rad::ADvar<double> N;
    rad_state<double> *s = static_cast<rad_state<double> *>(what);
    const bench_case *c = s->c;
    if (c->order == 2) {
        for (size_t p = 0; p < c->points; p++)
            rad_order2(static_cast<rad_state<tangent> *>(what), p, result);
        return 0;
    }
    for (size_t p = 0; p < c->points; p++) {
        bench_part(BENCH_RECORD);
        c->problem->gather(c, p, s->x.data());
        for (size_t i = 0; i < c->inputs; i++) s->in[i] = N(s->x[i]);
        text_of<N>(c)(c, p, s->in.data(), s->out.data());
        bench_part(BENCH_SWEEP);
        for (size_t i = 0; i < c->outputs; i++) {
            s->weight[i] = 1;
            N::Weighted_Gradcomp(c->outputs, s->at.data(), s->weight.data());
            s->weight[i] = 0;
            result[i] = s->out[i].val();
            for (size_t j = 0; j < c->inputs; j++) s->row[j] = s->in[j].adj();
            store_row(c, s->row.data(), result + c->outputs + i * c->columns);
        }
        result += c->outputs * (1 + c->columns);
    }
    return 0;
}

/* ---- forward mode */
struct sacado_fads {
    template <int W> using number = Sacado::Fad::SFad<double, W>;
    template <int W> using number2 = Sacado::Fad::SFad<Sacado::Fad::SFad<double, W>, 1>;

    template <int W> static void set(Sacado::Fad::SFad<double, W> &x, double v, int k)
    {
        x = v;
        if (k >= 0) x.fastAccessDx(k) = 1;
    }
    template <int W> static double value(const Sacado::Fad::SFad<double, W> &y) { return y.val(); }
    template <int W> static double tangent(const Sacado::Fad::SFad<double, W> &y, int k)
    {
        return y.fastAccessDx(k);
    }
    template <int W> static void set2(number2<W> &x, double v, double dv, int k)
    {
        set(x.val(), v, k);
        set(x.fastAccessDx(0), dv, -1);
    }
    template <int W> static double value(const number2<W> &y) { return y.val().val(); }
    template <int W> static double tangent(const number2<W> &y, int k)
    {
        return y.val().fastAccessDx(k);
    }
    template <int W> static double tangent2(const number2<W> &y, int k)
    {
        return y.fastAccessDx(0).fastAccessDx(k);
    }
};

extern "C" const bench_version sacado_versions[] = {
    { "sacado rad", BENCH_TAPE, rad_open, rad_run, rad_close },
    { "sacado fad", BENCH_FORWARD, forward_mode<sacado_fads>::open, forward_mode<sacado_fads>::run,
      forward_mode<sacado_fads>::close },
    { NULL, BENCH_OTHER, NULL, NULL, NULL }
};
