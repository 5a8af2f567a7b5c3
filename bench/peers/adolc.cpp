/* ADOL-C.

   "adolc": a tape recorded anew at every point. trace_on's keep makes recording leave what a
   reverse sweep needs, so that fos_reverse (one output) or fov_reverse (few) follows at once,
   without a forward sweep; where there are fewer columns than outputs, fov_forward. Second
   derivatives: fos_forward along the direction, then hos_reverse.

   "adolc replay": recorded once; then zos_forward and fos_reverse or fov_reverse (what the drivers
   gradient and jacobian do), fov_forward or fos_forward with hos_reverse at the point. A tape holds
   the data that it was recorded with, so this is for functions of one point.

   The manual's advice is buffers so large that no tape goes to disk: they are given to trace_on,
   and are what a first record needed by its statistics.

   "adolc traceless": adtl::adouble with as many directions as there are columns, one pass. */
// package: libadolc-dev
// header: adolc/adolc.h
// flags: -DNDEBUG
// libs: -ladolc
#include <cstdio>
#include <adolc/internal/usrparms.h>
#include <adolc/internal/adolc_settings.h>
/* Directions' memory comes from a pool of Boost where that is installed: of the library's build
   options the one that its header alone decides. */
#if !__has_include(<boost/pool/pool_alloc.hpp>)
#undef USE_BOOST_POOL
#endif
/* setNumDir warns whenever it is called, whatever numbers there are. */
static FILE *const silence = fopen("/dev/null", "w");
#undef DIAG_OUT
#define DIAG_OUT silence
#include <adolc/adolc.h>
#include <adolc/adtl.h>

static inline double numbers_value(const badouble &x) { return x.value(); }
static inline double numbers_value(const adtl::adouble &x) { return x.getValue(); }

/* The library has erf alone. */
static inline adub erfc(const badouble &x) { return 1.0 - erf(x); }
namespace adtl {
static inline adouble erfc(const adouble &x) { return 1.0 - erf(x); }
}
#include "peers.hpp"

/* A tape that is kept in memory. */
struct adolc_state {
    const bench_case *c;
    short tag;
    bool replay;
    uint room[4];                    /* operations, locations, constants, Taylor coefficients */
    std::vector<double> x, y, row, matrix_room;
    std::vector<double *> seed, matrix;      /* of vector sweeps: rows */
    double nodes, bytes;
};
static const short TAG = 1, REPLAY_TAG = 2;

static bool forward_is_cheaper(const bench_case *c) { return c->columns < c->outputs; }

static void record(adolc_state *s, size_t point, int keep)
{
    const bench_case *c = s->c;
    trace_on(s->tag, keep, s->room[0], s->room[1], s->room[2], s->room[3]);
    {
        std::vector<adouble> x(c->inputs), y(c->outputs);
        for (size_t i = 0; i < c->inputs; i++) x[i] <<= s->x[i];
        text_of<adouble>(c)(c, point, x.data(), y.data());
        for (size_t i = 0; i < c->outputs; i++) y[i] >>= s->y[i];
    }
    trace_off();
}
/* Which derivative is wanted says how much a record keeps: one more than the degree that it
   computes itself, 0 where forward sweeps follow. */
static int keep_of(const bench_case *c)
{
    return c->order == 2 || forward_is_cheaper(c) ? 0 : 1;
}

static uint with_reserve(size_t count) { return static_cast<uint>(count + count / 8 + 4096); }

static void *adolc_open_as(const bench_case *c, bool replay)
{
    adolc_state *s;
    size_t stats[STAT_SIZE], m = c->outputs, n = c->inputs, p, i;
    /* an operation's code, about three locations and a coefficient */
    if (!peer_has_text(c) || peer_too_large(c, 24)) return NULL;
    s = new adolc_state;
    s->c = c;
    s->tag = replay ? REPLAY_TAG : TAG;
    s->replay = replay;
    s->x.resize(n + 1);
    s->y.resize(m + 1);
    s->row.resize(1 + 2 * n);
    if (c->order == 2 || m > 1) {              /* seeds, then what the sweeps give */
        const bool forward = c->order == 1 && forward_is_cheaper(c);
        p = c->order == 2 ? 1 : forward ? c->columns : m;
        const size_t rows = forward ? n : p, width = forward ? p : m;
        const size_t rows2 = c->order == 2 ? n : forward ? m : p;
        const size_t width2 = c->order == 2 ? 2 : forward ? p : n;
        s->matrix_room.assign(rows * width + rows2 * width2, 0);
        for (i = 0; i < rows; i++) {
            s->seed.push_back(s->matrix_room.data() + i * width);
            s->seed[i][forward ? column_of(c, i) : i] = 1;
        }
        for (i = 0; i < rows2; i++)
            s->matrix.push_back(s->matrix_room.data() + rows * width + i * width2);
    }
    /* Sweeps take time for as many numbers as have ever been alive at once. A new store forgets
       those of other problems. */
    setStoreManagerType(ADOLC_LOCATION_SINGLETONS);
    setStoreManagerType(ADOLC_LOCATION_BLOCKS);
    /* A first record says what is needed; a tape that is there keeps its buffers, so it has to go.
       Points may take other branches, hence some more. */
    {
        const double operations = fmin(3 * c->work / (double)c->points + 1048576, 3e8);
        for (i = 0; i < 4; i++)
            s->room[i] = static_cast<uint>(i == 1 ? 3 * operations : operations);
    }
    c->problem->gather(c, 0, s->x.data());
    record(s, 0, keep_of(c));
    tapestats(s->tag, stats);
    s->room[0] = with_reserve(stats[NUM_OPERATIONS]);
    s->room[1] = with_reserve(stats[NUM_LOCATIONS]);
    s->room[2] = with_reserve(stats[NUM_VALUES]);
    s->room[3] = with_reserve((c->order == 2 ? 2 : 1)
        * (stats[NUM_OPERATIONS] + stats[NUM_MAX_LIVES]));
    removeTape(s->tag, ADOLC_REMOVE_COMPLETELY);
    if (replay) record(s, 0, keep_of(c));
    s->nodes = (double)stats[NUM_OPERATIONS];
    s->bytes = s->nodes + (double)stats[NUM_LOCATIONS] * sizeof(locint)
        + (double)stats[NUM_VALUES] * sizeof(double)
        + (double)stats[TAY_STACK_SIZE] * sizeof(revreal);
    return s;
}
static void *adolc_open(const bench_case *c) { return adolc_open_as(c, false); }
static void *adolc_replay_open(const bench_case *c)
{
    return c->points == 1 ? adolc_open_as(c, true) : NULL;
}
static void adolc_close(void *what)
{
    adolc_state *s = static_cast<adolc_state *>(what);
    removeTape(s->tag, ADOLC_REMOVE_COMPLETELY);
    delete s;
}

/* From the tape at s->x; its values are in s->y already where it has just been recorded. */
static int adolc_derive(adolc_state *s, size_t point, double *result)
{
    const bench_case *c = s->c;
    const int m = static_cast<int>(c->outputs), n = static_cast<int>(c->inputs);
    double *J = result + m, one = 1;
    int code = 0;
    bench_part(s->replay ? BENCH_REPLAY : BENCH_SWEEP);
    if (c->order == 2) {
        code = fos_forward(s->tag, 1, n, 2, s->x.data(), const_cast<double *>(c->direction),
            s->y.data(), s->row.data());
        if (code < 0 || hos_reverse(s->tag, 1, n, 1, &one, s->matrix.data()) < 0) return 1;
        s->row[0] = s->y[0];
        for (int i = 0; i < n; i++) {
            s->row[1 + i] = s->matrix[i][0];
            s->row[1 + n + i] = s->matrix[i][1];
        }
        store_order2(c, point, s->row.data(), result);
        return 0;
    }
    if (forward_is_cheaper(c)) {
        const int p = static_cast<int>(c->columns);
        code = fov_forward(s->tag, m, n, p, s->x.data(), s->seed.data(), s->y.data(),
            s->matrix.data());
        memcpy(J, s->matrix[0], c->outputs * c->columns * sizeof *J);
    } else {
        if (s->replay) code = zos_forward(s->tag, m, n, 1, s->x.data(), s->y.data());
        if (code < 0) return 1;
        if (m == 1) code = fos_reverse(s->tag, 1, n, &one, c->color ? s->row.data() : J);
        else code = fov_reverse(s->tag, m, n, m, s->seed.data(), s->matrix.data());
        if (m > 1)
            for (int i = 0; i < m; i++) store_row(c, s->matrix[i], J + i * c->columns);
        else if (c->color) store_row(c, s->row.data(), J);
    }
    memcpy(result, s->y.data(), c->outputs * sizeof *result);
    return code < 0;
}
static int adolc_run(void *what, double *result)
{
    adolc_state *s = static_cast<adolc_state *>(what);
    const bench_case *c = s->c;
    if (bench_told.wanted) {
        bench_told.nodes = s->nodes * (double)c->points;
        bench_told.bytes = s->bytes * (double)c->points;
    }
    for (size_t p = 0; p < c->points; p++) {
        bench_part(s->replay ? BENCH_REPLAY : BENCH_RECORD);
        c->problem->gather(c, p, s->x.data());
        if (!s->replay) record(s, p, keep_of(c));
        if (adolc_derive(s, p, result)) return 1;
        if (c->order == 1) result += c->outputs * (1 + c->columns);
    }
    return 0;
}

/* ---- without a tape */
struct traceless_state {
    const bench_case *c;
    std::vector<double> x;
};
static void *traceless_open(const bench_case *c)
{
    if (c->columns > 64 || c->order == 2 || !peer_has_text(c)) return NULL;
    traceless_state *s = new traceless_state;
    s->c = c;
    s->x.resize(c->inputs + 1);
    if (adtl::getNumDir() != c->columns) adtl::setNumDir(c->columns);
    return s;
}
static void traceless_close(void *what) { delete static_cast<traceless_state *>(what); }
static int traceless_run(void *what, double *result)
{
    traceless_state *s = static_cast<traceless_state *>(what);
    const bench_case *c = s->c;
    const size_t row = c->columns * sizeof(double);
    std::vector<adtl::adouble> x(c->inputs), y(c->outputs);
    std::vector<double> seed(c->columns);
    for (size_t p = 0; p < c->points; p++) {
        c->problem->gather(c, p, s->x.data());
        for (size_t i = 0; i < c->inputs; i++) {
            x[i].setValue(s->x[i]);
            seed[column_of(c, i)] = 1;
            x[i].setADValue(seed.data());
            seed[column_of(c, i)] = 0;
        }
        text_of<adtl::adouble>(c)(c, p, x.data(), y.data());
        for (size_t i = 0; i < c->outputs; i++) {
            result[i] = y[i].getValue();
            memcpy(result + c->outputs + i * c->columns, y[i].getADValue(), row);
        }
        result += c->outputs * (1 + c->columns);
    }
    return 0;
}

extern "C" const bench_version adolc_versions[] = {
    { "adolc", BENCH_TAPE, adolc_open, adolc_run, adolc_close },
    { "adolc replay", BENCH_COMPILED, adolc_replay_open, adolc_run, adolc_close },
    { "adolc traceless", BENCH_FORWARD, traceless_open, traceless_run, traceless_close },
    { NULL, BENCH_OTHER, NULL, NULL, NULL }
};
