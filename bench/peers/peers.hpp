/* What the peers share: the problems' texts over a class N, and a driver for forward mode.

   A peer includes its library, says what a number's value is (numbers_value) and what functions the
   library lacks, all in the library's terms, and then includes this file. */
#ifndef BENCH_PEERS_HPP
#define BENCH_PEERS_HPP
#include "../suite.h"
#include <new>
#include <vector>
#define NUMBERS_CXX
#include "../problems/texts.h"

extern "C" {
#define X(name) extern const bench_problem name##_problem;
BENCH_TEXTS(X)
#undef X
}

/* The text of a case's problem; NULL where it is none of them. */
template <class N> struct peer_text {
    typedef void (*type)(const bench_case *, size_t, const N *, N *);
};
template <class N> typename peer_text<N>::type text_of(const bench_case *c)
{
#define X(name)                                                                                    \
    if (c->problem == &name##_problem) return static_cast<typename peer_text<N>::type>(&name<N>);
    BENCH_TEXTS(X)
#undef X
    return nullptr;
}
static inline bool peer_has_text(const bench_case *c)
{
#define X(name) if (c->problem == &name##_problem) return true;
    BENCH_TEXTS(X)
#undef X
    return false;
}

/* Where the operations of one record exceed this, a tape of `bytes` an operation takes more than
   4 GB. What a function of one point does is about c->work. */
static inline bool peer_too_large(const bench_case *c, double bytes)
{
    return c->work / (double)c->points * bytes > 4e9;
}

static inline size_t column_of(const bench_case *c, size_t input)
{
    return c->color ? c->color[input] : input;
}

/* Order 2: from a point's y, gradient and Hessian times direction, what is asked for. */
static inline void store_order2(const bench_case *c, size_t point, const double *from,
    double *result)
{
    const size_t all = 1 + 2 * c->inputs;
    if (c->pick == nullptr) memcpy(result + point * all, from, all * sizeof *from);
    else for (size_t i = 0; i < c->picked; i++)
        result[point * c->next_point + i * c->next_number] = from[c->pick[i]];
}

/* A Jacobian with a column for each input, as it is asked for: inputs of one colour are added, of
   which no output depends on two. */
static inline void store_row(const bench_case *c, const double *row, double *J)
{
    if (c->color == nullptr) memcpy(J, row, c->inputs * sizeof *row);
    else {
        for (size_t j = 0; j < c->columns; j++) J[j] = 0;
        for (size_t j = 0; j < c->inputs; j++) J[c->color[j]] += row[j];
    }
}

/* ---- forward mode with a width that the compiler knows

   Of a library: F::number<W> is a class with W tangents, F::number2<W> one with a tangent along the
   direction and W more of all that;
       F::set(x, v, k)           x = v with tangent k 1, the others 0; k < 0: all 0
       F::value(y), F::tangent(y, k)
       F::set2(x, v, dv, k)      the same with tangent dv along the direction
       F::tangent2(y, k)         of value and tangent k along the direction

   Widths are those of the problems, so that one pass gives everything; any other number of columns
   comes in passes of 8, the last of 4, 2 or 1. */
#define PEER_WIDTHS(X) X(1) X(2) X(4) X(5) X(6) X(8) X(10) X(15) X(26) X(28)

template <class F> struct forward_mode {
    struct state {
        const bench_case *c;
        std::vector<double> x, order2;
        std::vector<double> room_in, room_out;     /* of numbers of any width */
        void (*pass)(state *, size_t point, size_t from, double *result);
        size_t width;
    };

    template <class N> static N *in(state *s) { return reinterpret_cast<N *>(aligned(s->room_in)); }
    template <class N> static N *out(state *s)
    {
        return reinterpret_cast<N *>(aligned(s->room_out));
    }
    static char *aligned(std::vector<double> &room)
    {
        const uintptr_t at = reinterpret_cast<uintptr_t>(room.data());
        return reinterpret_cast<char *>((at + 63) & ~static_cast<uintptr_t>(63));
    }
    template <class N> static void make_room(state *s)
    {
        s->room_in.resize(s->c->inputs * (sizeof(N) / sizeof(double) + 1) + 8);
        s->room_out.resize(s->c->outputs * (sizeof(N) / sizeof(double) + 1) + 8);
        for (size_t i = 0; i < s->c->inputs; i++) new (in<N>(s) + i) N();
        for (size_t i = 0; i < s->c->outputs; i++) new (out<N>(s) + i) N();
    }

    /* columns from, from + 1, ... of a point */
    template <int W> static void pass(state *s, size_t point, size_t from, double *result)
    {
        typedef typename F::template number<W> N;
        const bench_case *c = s->c;
        N *x = in<N>(s), *y = out<N>(s);
        double *J = result + c->outputs;
        const size_t some = c->columns - from < W ? c->columns - from : W;
        for (size_t i = 0; i < c->inputs; i++) {
            const size_t k = column_of(c, i);
            F::set(x[i], s->x[i], k >= from && k < from + some ? static_cast<int>(k - from) : -1);
        }
        text_of<N>(c)(c, point, x, y);
        for (size_t i = 0; i < c->outputs; i++) {
            result[i] = F::value(y[i]);
            for (size_t j = 0; j < some; j++)
                J[i * c->columns + from + j] = F::tangent(y[i], static_cast<int>(j));
        }
    }
    template <int W> static void pass2(state *s, size_t point, size_t from, double *result)
    {
        typedef typename F::template number2<W> N;
        const bench_case *c = s->c;
        N *x = in<N>(s), *y = out<N>(s);
        const size_t some = c->inputs - from < W ? c->inputs - from : W;
        for (size_t i = 0; i < c->inputs; i++)
            F::set2(x[i], s->x[i], c->direction[i],
                i >= from && i < from + some ? static_cast<int>(i - from) : -1);
        text_of<N>(c)(c, point, x, y);
        result[0] = F::value(y[0]);
        for (size_t j = 0; j < some; j++) {
            result[1 + from + j] = F::tangent(y[0], static_cast<int>(j));
            result[1 + c->inputs + from + j] = F::tangent2(y[0], static_cast<int>(j));
        }
    }

    static void *open(const bench_case *c)
    {
        if (c->columns > 64 || !peer_has_text(c)) return nullptr;
        state *s = new state;
        s->c = c;
        s->x.resize(c->inputs + 1);
        s->order2.resize(1 + 2 * c->inputs);
        s->pass = nullptr;
        if (c->order == 2) {
            switch (c->inputs) {
#define X(W) case W: s->pass = pass2<W>; make_room<typename F::template number2<W>>(s); break;
            X(1) X(2) X(4) X(5)
#undef X
            default: s->pass = pass2<8>; make_room<typename F::template number2<8>>(s);
            }
            s->width = c->inputs <= 2 || c->inputs == 4 || c->inputs == 5 ? c->inputs : 8;
            return s;
        }
        switch (s->width = c->columns) {
#define X(W) case W: s->pass = pass<W>; make_room<typename F::template number<W>>(s); break;
        PEER_WIDTHS(X)
#undef X
        default:
            s->width = 0;
            make_room<typename F::template number<8>>(s);
        }
        return s;
    }
    static int run(void *what, double *result)
    {
        state *s = static_cast<state *>(what);
        const bench_case *c = s->c;
        for (size_t p = 0; p < c->points; p++) {
            c->problem->gather(c, p, s->x.data());
            if (c->order == 2) {
                for (size_t i = 0; i < c->inputs; i += s->width)
                    s->pass(s, p, i, s->order2.data());
                store_order2(c, p, s->order2.data(), result);
                continue;
            }
            if (s->pass) s->pass(s, p, 0, result);
            else for (size_t i = 0; i < c->columns;) {
                const size_t left = c->columns - i;
                if (left > 4) pass<8>(s, p, i, result);
                else if (left > 2) pass<4>(s, p, i, result);
                else if (left == 2) pass<2>(s, p, i, result);
                else pass<1>(s, p, i, result);
                i += left > 4 ? 8 : left > 2 ? 4 : left;
            }
            result += c->outputs * (1 + c->columns);
        }
        return 0;
    }
    static void close(void *what) { delete static_cast<state *>(what); }
};
#endif
