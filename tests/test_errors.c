/* Everything that can go wrong: bad arguments, mixed and stale variables, limits,
   allocators that fail, fixed buffers of every size, and the debug mode's reports.
   Sections: Settings and Shared Tables; Checker: Reports and Suites; Choosing an Instruction Set;
   Kernels: Calling Them; The Whole Tape and Its Memory; Recording, the Slow Paths; Diagnostics;
   Graph Dump. */
#include <math.h>
#include <stdlib.h>
#include "test.h"
#include "heap.h"

TEST_DEF void suite_errors(void);

static size_t slots(const ad_tape *t) { return ad_tape_get_stats(t).slots; }
static int is_nan(double x) { return x != x; }
static int nan_constant(ad_var x) { return x.tape == NULL && x.v != x.v; }
static int near(double a, double b) { return test_near(a, b, 1e-12); }

/* The tape has this error, and the message holds these pieces. */
static void says(ad_tape *t, ad_status expected, const char *piece, const char *piece2, int line)
{
    const char *m = ad_tape_message(t);
    const ad_status s = ad_tape_status(t);
    test_check(s == expected, __FILE__, line, "status is %s, not %s", ad_status_name(s),
               ad_status_name(expected));
    test_check(m != NULL && m[0] != 0, __FILE__, line, "there is no message");
    if (m == NULL) return;
    test_check(strstr(m, piece) != NULL, __FILE__, line, "\"%s\" does not say \"%s\"", m, piece);
    test_check(strstr(m, piece2) != NULL, __FILE__, line, "\"%s\" does not say \"%s\"", m, piece2);
    test_check(strchr(m, '\n') == NULL, __FILE__, line, "\"%s\" is more than a line", m);
}
#define SAYS(t, expected, piece, piece2) says(t, expected, piece, piece2, __LINE__)

static int sink_write(void *user, const char *text, size_t length)
{
    size_t *n = (size_t *)user;
    (void)text;
    *n += length;
    return 0;
}

static ad_var square_sum(ad_tape *t, const ad_var *x, size_t n, void *user)
{
    (void)t;
    (void)user;
    return ad_var_dot(n, x, x);
}
static void pair(ad_tape *t, const ad_var *x, size_t n, ad_var *y, size_t m, void *user)
{
    size_t i;
    (void)t;
    (void)user;
    for (i = 0; i < m; i++) y[i] = ad_var_mul_r(x[i % n], (double)(i + 1));
}

/* ---------------------------------------------------------------- names and nothing */

static void test_names(void)
{
    int s;
    CHECK_STRING(ad_status_name(AD_OK), "AD_OK");
    CHECK_STRING(ad_status_name(AD_ERR_ARGUMENT), "AD_ERR_ARGUMENT");
    CHECK_STRING(ad_status_name(AD_ERR_MEMORY), "AD_ERR_MEMORY");
    CHECK_STRING(ad_status_name(AD_ERR_LIMIT), "AD_ERR_LIMIT");
    CHECK_STRING(ad_status_name(AD_ERR_STALE), "AD_ERR_STALE");
    CHECK_STRING(ad_status_name(AD_ERR_MIXED), "AD_ERR_MIXED");
    CHECK_STRING(ad_status_name(AD_ERR_UNSUPPORTED), "AD_ERR_UNSUPPORTED");
    CHECK_STRING(ad_status_name(AD_ERR_USER), "AD_ERR_USER");
    CHECK_STRING(ad_status_name(AD_ERR_WRITE), "AD_ERR_WRITE");
    CHECK_STRING(ad_status_name(AD_ERR_SHAPE), "AD_ERR_SHAPE");
    CHECK_STRING(ad_status_name(AD_ERR_BRANCH), "AD_ERR_BRANCH");
    for (s = 11; s < 16; s++) CHECK(ad_status_name((ad_status)s) != NULL);     /* never NULL */
}

static void test_null_tape(void)
{
    double v[2] = { 1, 2 }, out[4];
    ad_var x[2], y;
    size_t n = 0;
    ad_nonfinite report;
    ad_tape_stats stats;
    ad_health health;
    x[0] = x[1] = ad_const(1.0);
    ad_tape_destroy(NULL);
    ad_tape_reset(NULL);
    CHECK(ad_tape_mark(NULL) == 0);
    ad_tape_rewind(NULL, 0);
    ad_tape_clear_status(NULL);
    CHECK_STATUS(ad_tape_reserve(NULL, 10), AD_ERR_ARGUMENT);
    CHECK(ad_tape_message(NULL) != NULL);
    (void)ad_tape_status(NULL);
    stats = ad_tape_get_stats(NULL);
    CHECK(stats.slots == 0 && stats.bytes == 0 && stats.peak_bytes == 0);
    health = ad_tape_health(NULL);
    CHECK(health.slots == 0);
    CHECK(nan_constant(ad_input(NULL, 1.0)));
    CHECK_STATUS(ad_inputs(NULL, 2, v, x), AD_ERR_ARGUMENT);
    x[0] = x[1] = ad_const(1.0);
    y = ad_var_custom(NULL, 2, x, 3.0, v);
    CHECK(y.tape == NULL);
    CHECK(ad_branch(ad_const(1.0)) == 1);
    (void)ad_name(x[0], "x");
    (void)ad_name(x[0], NULL);
    CHECK_STATUS(ad_backward(x[0]), AD_ERR_ARGUMENT);              /* a constant has no tape */
    CHECK_STATUS(ad_backward_seeded(NULL, 2, x, v), AD_ERR_ARGUMENT);
    CHECK_STATUS(ad_forward(NULL, 2, x, v), AD_ERR_ARGUMENT);
    CHECK(ad_forward_over_reverse(x[0], 2, x, v) != AD_OK);
    CHECK_STATUS(ad_jacobian_reverse(NULL, 2, x, 2, x, out), AD_ERR_ARGUMENT);
    CHECK_STATUS(ad_jacobian_forward(NULL, 2, x, 2, x, out), AD_ERR_ARGUMENT);
    CHECK(ad_tape_nonfinite(NULL, &report) == 0);
    CHECK(ad_tape_nonfinite(NULL, NULL) == 0);
    ad_here(NULL, "file", 1);
    CHECK_STATUS(ad_graph_dump(NULL, AD_GRAPH_TEXT, NULL, sink_write, &n), AD_ERR_ARGUMENT);
    /* drivers have a tape of their own; no function or no point is an error */
    CHECK_STATUS(ad_gradient(NULL, NULL, NULL, v, 2, out, out), AD_ERR_ARGUMENT);
    CHECK_STATUS(ad_gradient(NULL, square_sum, NULL, NULL, 2, out, out), AD_ERR_ARGUMENT);
    CHECK_STATUS(ad_hessian(NULL, NULL, NULL, v, 2, NULL, NULL, out), AD_ERR_ARGUMENT);
    CHECK_STATUS(ad_hessian(NULL, square_sum, NULL, NULL, 2, NULL, NULL, out), AD_ERR_ARGUMENT);
    CHECK_STATUS(ad_hvp(NULL, NULL, NULL, v, 2, v, NULL, NULL, out), AD_ERR_ARGUMENT);
    CHECK_STATUS(ad_hvp(NULL, square_sum, NULL, NULL, 2, v, NULL, NULL, out), AD_ERR_ARGUMENT);
    CHECK_STATUS(ad_hvp(NULL, square_sum, NULL, v, 2, NULL, NULL, NULL, out), AD_ERR_ARGUMENT);
    CHECK_STATUS(ad_jacobian(NULL, NULL, NULL, v, 2, 2, NULL, out), AD_ERR_ARGUMENT);
    CHECK_STATUS(ad_jacobian(NULL, pair, NULL, NULL, 2, 2, NULL, out), AD_ERR_ARGUMENT);
    CHECK_STATUS(ad_jvp(NULL, NULL, NULL, v, 2, 2, v, NULL, out), AD_ERR_ARGUMENT);
    CHECK_STATUS(ad_jvp(NULL, pair, NULL, v, 2, 2, NULL, NULL, out), AD_ERR_ARGUMENT);
    CHECK_STATUS(ad_jvp(NULL, pair, NULL, NULL, 2, 2, v, NULL, out), AD_ERR_ARGUMENT);
    CHECK_STATUS(ad_vjp(NULL, NULL, NULL, v, 2, 2, v, NULL, out), AD_ERR_ARGUMENT);
    CHECK_STATUS(ad_vjp(NULL, pair, NULL, v, 2, 2, NULL, NULL, out), AD_ERR_ARGUMENT);
    CHECK_STATUS(ad_vjp(NULL, pair, NULL, NULL, 2, 2, v, NULL, out), AD_ERR_ARGUMENT);
    /* lists of nothing that exists */
    CHECK(nan_constant(ad_var_sum(2, NULL)));
    CHECK(nan_constant(ad_var_norm(2, NULL)));
    CHECK(nan_constant(ad_var_logsumexp(2, NULL)));
    CHECK(nan_constant(ad_var_logmeanexp(2, NULL)));
    CHECK(nan_constant(ad_var_dot(2, NULL, NULL)));
    CHECK(nan_constant(ad_var_dot(2, x, NULL)));
    CHECK(nan_constant(ad_var_dot(2, NULL, x)));
    CHECK(nan_constant(ad_var_lincomb(2, NULL, x)));
    CHECK(nan_constant(ad_var_lincomb(2, v, NULL)));
    CHECK(nan_constant(ad_var_polyval(2, NULL, x[0])));
    CHECK(nan_constant(ad_var_poly(2, NULL, 1, x[0])));
}

/* One bad call on a good tape: the status, the message's first word, and nothing recorded. */
static ad_status bad_call(ad_tape *t, int which, const ad_var *x, const char **name)
{
    static const double v[2] = { 1, 2 };
    double out[8];
    ad_var y[2], bad;
    size_t n = 0;
    switch (which) {
    case 0: *name = "inputs"; return ad_inputs(t, 2, NULL, y);
    case 1: *name = "inputs"; return ad_inputs(t, 2, v, NULL);
    case 2: *name = "dot"; bad = ad_var_dot(2, x, NULL); break;
    case 3: *name = "dot"; bad = ad_var_dot(2, NULL, x); break;
    case 4: *name = "lincomb"; bad = ad_var_lincomb(2, NULL, x); break;
    case 5: *name = "poly"; bad = ad_var_polyval(2, NULL, x[0]); break;
    case 6: *name = "poly"; bad = ad_var_poly(2, NULL, 1, x[0]); break;
    case 7: *name = "custom"; bad = ad_var_custom(t, 2, NULL, 1.0, v); break;
    case 8: *name = "custom"; bad = ad_var_custom(t, 2, x, 1.0, NULL); break;
    case 9: *name = "call"; return ad_var_call(t, NULL, NULL, 2, x, 2, y);
    case 10: *name = "seeded"; return ad_backward_seeded(t, 2, NULL, v);
    case 11: *name = "seeded"; return ad_backward_seeded(t, 2, x, NULL);
    case 12: *name = "forward"; return ad_forward(t, 2, NULL, v);
    case 13: *name = "forward"; return ad_forward(t, 2, x, NULL);
    case 14: *name = "forward_over_reverse"; return ad_forward_over_reverse(x[0], 2, NULL, v);
    case 15: *name = "forward_over_reverse"; return ad_forward_over_reverse(x[0], 2, x, NULL);
    case 16: *name = "jacobian_reverse"; return ad_jacobian_reverse(t, 2, NULL, 2, x, out);
    case 17: *name = "jacobian_reverse"; return ad_jacobian_reverse(t, 2, x, 2, NULL, out);
    case 18: *name = "jacobian_reverse"; return ad_jacobian_reverse(t, 2, x, 2, x, NULL);
    case 19: *name = "jacobian_forward"; return ad_jacobian_forward(t, 2, NULL, 2, x, out);
    case 20: *name = "jacobian_forward"; return ad_jacobian_forward(t, 2, x, 2, NULL, out);
    case 21: *name = "jacobian_forward"; return ad_jacobian_forward(t, 2, x, 2, x, NULL);
    case 22: *name = "hessian_of"; return ad_hessian_of(x[0], 2, NULL, out);
    case 23: *name = "hessian_of"; return ad_hessian_of(x[0], 2, x, NULL);
    case 24: *name = "grad_vars"; return ad_grad_vars(x[0], 2, NULL, y);
    case 25: *name = "grad_vars"; return ad_grad_vars(x[0], 2, x, NULL);
    case 26: *name = "gradient"; return ad_gradient(t, NULL, NULL, v, 2, out, out);
    case 27: *name = "gradient"; return ad_gradient(t, square_sum, NULL, NULL, 2, out, out);
    case 28: *name = "hessian"; return ad_hessian(t, NULL, NULL, v, 2, NULL, NULL, out);
    case 29: *name = "hvp"; return ad_hvp(t, square_sum, NULL, v, 2, NULL, NULL, NULL, out);
    case 30: *name = "jacobian"; return ad_jacobian(t, NULL, NULL, v, 2, 2, NULL, out);
    case 31: *name = "jvp"; return ad_jvp(t, pair, NULL, v, 2, 2, NULL, NULL, out);
    case 32: *name = "vjp"; return ad_vjp(t, pair, NULL, v, 2, 2, NULL, NULL, out);
    case 33: *name = "name"; ad_name(x[0], NULL); return ad_tape_status(t);
    case 34: *name = "graph"; return ad_graph_dump(t, AD_GRAPH_TEXT, NULL, NULL, &n);
    case 35: *name = "times"; return ad_jacobian_times(t, 2, NULL, 1, v, 2, x, out);
    case 36: *name = "times"; return ad_jacobian_times(t, 2, x, 1, NULL, 2, x, out);
    case 37: *name = "times"; return ad_jacobian_times(t, 2, x, 1, v, 2, NULL, out);
    case 38: *name = "times"; return ad_jacobian_times(t, 2, x, 1, v, 2, x, NULL);
    case 39: *name = "times"; return ad_jacobian_times(t, 2, x, SIZE_MAX / 8, v, 2, x, out);
    default: *name = NULL; return AD_OK;
    }
    CHECK(nan_constant(bad));
    return ad_tape_status(t);
}

static void test_arguments(void)
{
    const char *name = "";
    int i;
    for (i = 0;; i++) {
        ad_tape *t = ad_tape_create(NULL);
        ad_var x[2];
        ad_status s;
        x[0] = ad_input(t, 1.0);
        x[1] = ad_input(t, 2.0);
        s = bad_call(t, i, x, &name);
        if (name == NULL) {
            ad_tape_destroy(t);
            break;
        }
        test_check(slots(t) == 2, __FILE__, __LINE__, "bad call %d (%s) left %d slots", i, name,
                   (int)slots(t));
        if (i == 33) { /* no name is no error, or ARGUMENT: either is sane */
            CHECK(s == AD_OK || s == AD_ERR_ARGUMENT);
        } else {
            test_check(s == AD_ERR_ARGUMENT, __FILE__, __LINE__, "bad call %d (%s) gave %s", i,
                       name, ad_status_name(s));
            if (i != 34) { /* a dump takes a const tape and leaves no trace */
                test_check(ad_tape_status(t) == AD_ERR_ARGUMENT, __FILE__, __LINE__,
                           "bad call %d (%s) left the status %s", i, name,
                           ad_status_name(ad_tape_status(t)));
                test_check(strstr(ad_tape_message(t), name) != NULL, __FILE__, __LINE__,
                           "bad call %d: \"%s\" does not name %s", i, ad_tape_message(t), name);
            }
        }
        ad_tape_clear_status(t);
        CHECK_STATUS(ad_tape_status(t), AD_OK);
        CHECK_STRING(ad_tape_message(t), "");
        CHECK_STATUS(ad_backward(ad_var_mul(x[0], x[1])), AD_OK);
        CHECK(ad_adjoint(x[0]) == 2.0 && ad_adjoint(x[1]) == 1.0);
        ad_tape_destroy(t);
    }
    {   /* nothing of nothing is fine */
        ad_tape *t = ad_tape_create(NULL);
        ad_var x = ad_input(t, 1.0);
        CHECK_STATUS(ad_inputs(t, 0, NULL, NULL), AD_OK);
        CHECK_STATUS(ad_forward_over_reverse(x, 0, NULL, NULL), AD_OK);
        CHECK_STATUS(ad_jacobian_reverse(t, 0, NULL, 0, NULL, NULL), AD_OK);
        CHECK_STATUS(ad_jacobian_forward(t, 0, NULL, 0, NULL, NULL), AD_OK);
        CHECK_STATUS(ad_jacobian_reverse(t, 1, &x, 0, NULL, NULL), AD_OK);
        CHECK_STATUS(ad_jacobian_forward(t, 0, NULL, 1, &x, NULL), AD_OK);
        CHECK_STATUS(ad_hessian_of(x, 0, NULL, NULL), AD_OK);
        CHECK_STATUS(ad_grad_vars(x, 0, NULL, NULL), AD_OK);
        CHECK(ad_var_custom(t, 0, NULL, 4.0, NULL).v == 4.0);
        CHECK_STATUS(ad_tape_reserve(t, 0), AD_OK);
        CHECK_STATUS(ad_tape_status(t), AD_OK);
        ad_tape_destroy(t);
    }
}

/* ---------------------------------------------------------------- mixed and stale */

static void test_mixed(void)
{
    int i;
    for (i = 0; i < 16; i++) {
        ad_tape *s = ad_tape_create(NULL), *t = ad_tape_create(NULL);
        const ad_var a = ad_input(s, 2.0), b = ad_input(t, 3.0);
        ad_var l[3], r = ad_const((double)NAN), out[2];
        const double c[3] = { 1, 2, 3 };
        double J[9];
        const char *name = "";
        ad_status status = AD_ERR_MIXED;
        ad_tape *blamed = s; /* where a tape is given, that one; else either */
        l[0] = a;
        l[1] = ad_const(1.0);
        l[2] = b;
        switch (i) {
        case 0: r = ad_var_mul(a, b); name = "mul"; break;
        case 1: r = ad_var_atan2(b, a); name = "atan2"; break;
        case 2: r = ad_var_fma(a, ad_const(1.0), b); name = "fma"; break;
        case 3: r = ad_var_clamp(ad_const(1.0), b, a); name = "clamp"; break;
        case 4: r = ad_var_sum(3, l); name = "sum"; break;
        case 5: r = ad_var_norm(3, l); name = "norm"; break;
        case 6: r = ad_var_logsumexp(3, l); name = "logsumexp"; break;
        case 7: r = ad_var_lincomb(3, c, l); name = "lincomb"; break;
        case 8: r = ad_var_dot(1, &a, &b); name = "dot"; break;
        case 9: r = ad_var_custom(s, 3, l, 1.0, c); name = "custom"; break;
        case 10: status = ad_backward_seeded(s, 3, l, c); name = "seeded"; break;
        case 11: status = ad_forward(s, 3, l, c); name = "forward"; break;
        case 12: status = ad_jacobian_reverse(s, 1, l, 3, l, J); name = "jacobian_reverse"; break;
        case 13: status = ad_jacobian_forward(s, 3, l, 1, l, J); name = "jacobian_forward"; break;
        case 14: status = ad_grad_vars(a, 1, &b, out); name = "grad_vars"; break;
        default: status = ad_hessian_of(a, 1, &b, J); name = "hessian_of"; break;
        }
        if (i < 9 && ad_tape_status(s) == AD_OK) blamed = t;
        CHECK_STATUS(status, AD_ERR_MIXED);
        CHECK(nan_constant(r));
        SAYS(blamed, AD_ERR_MIXED, name, "");
        CHECK(slots(s) == 1 && slots(t) == 1);
        ad_tape_clear_status(s);
        ad_tape_clear_status(t);
        CHECK_STATUS(ad_backward(ad_var_square(a)), AD_OK);
        CHECK_STATUS(ad_backward(ad_var_square(b)), AD_OK);
        CHECK(ad_adjoint(a) == 4.0 && ad_adjoint(b) == 6.0);
        ad_tape_destroy(s);
        ad_tape_destroy(t);
    }
}

static void test_stale(void)
{
    int i;
    for (i = 0; i < 28; i++) {
        ad_tape *t = ad_tape_create(NULL);
        const ad_var old = ad_input(t, 2.0);
        ad_var now, l[2], r = ad_const((double)NAN), out[2];
        const double c[2] = { 1, 2 };
        double J[4];
        const char *name = "";
        ad_status status = AD_ERR_STALE;
        ad_tape_reset(t);
        CHECK(is_nan(ad_adjoint(old)));                /* asking is no error */
        CHECK(is_nan(ad_tangent(old)));
        CHECK(is_nan(ad_adjoint_tangent(old)));
        CHECK_STATUS(ad_tape_status(t), AD_OK);
        now = ad_input(t, 3.0);
        l[0] = now;
        l[1] = old;
        switch (i) {
        case 0: r = ad_var_mul(old, now); name = "mul"; break;
        case 1: r = ad_var_mul(now, old); name = "mul"; break;
        case 2: r = ad_var_sin(old); name = "sin"; break;
        case 3: r = ad_var_pow_r(old, 2.0); name = "pow"; break;
        case 4: r = ad_var_div_from_r(2.0, old); name = "div"; break;
        case 5: r = ad_var_fma(now, now, old); name = "fma"; break;
        case 6: r = ad_var_select(old, now, ad_const(1.0)); name = "select"; break;
        case 7: r = ad_var_sum(2, l); name = "sum"; break;
        case 8: r = ad_var_dot(2, l, l); name = "dot"; break;
        case 9: r = ad_var_norm(2, l); name = "norm"; break;
        case 10: r = ad_var_logsumexp(2, l); name = "logsumexp"; break;
        case 11: r = ad_var_lincomb(2, c, l); name = "lincomb"; break;
        case 12: r = ad_var_polyval(2, c, old); name = "poly"; break;
        case 13: r = ad_var_custom(t, 2, l, 1.0, c); name = "custom"; break;
        case 14: status = ad_backward(old); name = "backward"; break;
        case 15: status = ad_backward_seeded(t, 2, l, c); name = "seeded"; break;
        case 16: status = ad_forward(t, 2, l, c); name = "forward"; break;
        case 17: status = ad_forward_over_reverse(now, 2, l, c); name = "forward"; break;
        case 18: status = ad_forward_over_reverse(old, 1, l, c); name = "forward"; break;
        case 19: status = ad_jacobian_reverse(t, 1, l, 2, l, J); name = "jacobian_reverse"; break;
        case 20: status = ad_jacobian_reverse(t, 2, l, 1, l, J); name = "jacobian_reverse"; break;
        case 21: status = ad_jacobian_forward(t, 1, l, 2, l, J); name = "jacobian_forward"; break;
        case 22: status = ad_jacobian_forward(t, 2, l, 1, l, J); name = "jacobian_forward"; break;
        case 23: status = ad_hessian_of(now, 2, l, J); name = "hessian_of"; break;
        case 24: status = ad_grad_vars(now, 2, l, out); name = "grad_vars"; break;
        case 25: status = ad_grad_vars(old, 1, l, out); name = "grad_vars"; break;
        case 26: ad_branch(old); name = "branch"; break;
        default: ad_name(old, "old"); name = "name"; break;
        }
        CHECK_STATUS(status, AD_ERR_STALE);
        CHECK(nan_constant(r));
        SAYS(t, AD_ERR_STALE, name, "is of epoch 1, the tape was reset and is in 2");
        CHECK(slots(t) == 1);
        CHECK(ad_tape_get_stats(t).branches == 0 && ad_tape_get_stats(t).constants <= 1);
        ad_tape_reset(t);
        CHECK_STATUS(ad_tape_status(t), AD_OK);
        ad_tape_destroy(t);
    }
    {   /* a variable above the end of the trace after rewind */
        ad_tape *t = ad_tape_create(NULL);
        const ad_var x = ad_input(t, 2.0);
        const size_t mark = ad_tape_mark(t);
        const ad_var gone = ad_var_square(ad_var_add_r(x, 1.0));
        const double one = 1.0;
        double J;
        CHECK_STATUS(ad_backward(gone), AD_OK);
        ad_tape_rewind(t, mark);
        CHECK(is_nan(ad_adjoint(gone)));
        CHECK(is_nan(ad_tangent(gone)));
        CHECK_STATUS(ad_backward(gone), AD_ERR_STALE);
        ad_tape_clear_status(t);
        CHECK_STATUS(ad_backward_seeded(t, 1, &gone, &one), AD_ERR_STALE);
        ad_tape_clear_status(t);
        CHECK_STATUS(ad_forward(t, 1, &gone, &one), AD_ERR_STALE);
        ad_tape_clear_status(t);
        CHECK_STATUS(ad_jacobian_reverse(t, 1, &x, 1, &gone, &J), AD_ERR_STALE);
        ad_tape_clear_status(t);
        CHECK(nan_constant(ad_var_sum(1, &gone)));
        CHECK_STATUS(ad_tape_status(t), AD_ERR_STALE);
        ad_tape_destroy(t);
    }
}

static ad_status cube_value(void *user, size_t n, const double *x, size_t m, double *y);
/* What a rewind dropped is used nowhere without an error that says so. */
static void test_dropped(void)
{
    enum { WAYS = 31 };
    int i;
    for (i = 0; i < WAYS; i++) {
        ad_tape *const t = ad_tape_create(NULL);
        const ad_var x = ad_input(t, 2.0);
        const int32_t three = 3;
        const double c[3] = { 1, 2, 3 };
        const ad_array kept = ad_array_input(t, 1, &three, c);
        const size_t mark = ad_tape_mark(t), before = slots(t);
        const ad_var gone = ad_var_square(ad_var_add_r(x, 1.0));
        const ad_array a = ad_array_mul_r(kept, 2), k = ad_array_const(t, 1, &three, c);
        ad_array r_array = kept, list[2];
        ad_op op;
        ad_var l[3], out[3], r = ad_const((double)NAN);
        double J[9];
        const char *name = "";
        ad_status status = AD_ERR_STALE;
        ad_fn *f = NULL;
        memset(&op, 0, sizeof op);
        op.name = "my own";
        op.value = cube_value;
        ad_tape_rewind(t, mark);
        l[0] = x;
        l[1] = l[2] = gone;
        list[0] = kept;
        list[1] = a;
        switch (i) {
        case 0: r = ad_var_sum(2, l); name = "sum"; break;
        case 1: r = ad_var_dot(1, l, l + 1); name = "dot"; break;
        case 2: r = ad_var_norm(2, l); name = "norm"; break;
        case 3: r = ad_var_logsumexp(2, l); name = "logsumexp"; break;
        case 4: r = ad_var_lincomb(2, c, l); name = "lincomb"; break;
        case 5: r = ad_var_polyval(2, c, gone); name = "poly"; break;
        case 6: r = ad_var_custom(t, 2, l, 1.0, c); name = "custom"; break;
        case 7: r = ad_var_powi(gone, 3); name = "ipow"; break;
        case 8: ad_branch(gone); name = "branch"; break;
        case 9: ad_name(gone, "gone"); name = "name"; break;
        case 10: status = ad_var_call(t, &op, NULL, 1, &gone, 1, out); name = "my own"; break;
        case 11: status = ad_backward(gone); name = "backward"; break;
        case 12: status = ad_backward_seeded(t, 2, l, c); name = "seeded"; break;
        case 13: status = ad_forward(t, 2, l, c); name = "forward"; break;
        case 14: status = ad_forward_over_reverse(x, 2, l, c); name = "forward"; break;
        case 15: status = ad_forward_over_reverse(gone, 1, l, c); name = "forward"; break;
        case 16: status = ad_jacobian_reverse(t, 1, l, 2, l, J); name = "reverse"; break;
        case 17: status = ad_jacobian_forward(t, 2, l, 1, l, J); name = "forward"; break;
        case 18: status = ad_jacobian_times(t, 1, l, 1, c, 2, l, J); name = "times"; break;
        case 19: status = ad_hessian_of(gone, 1, l, J); name = "hessian"; break;
        case 20: status = ad_grad_vars(gone, 1, l, out); name = "grad_vars"; break;
        case 21: status = ad_grad_vars(x, 2, l, out); name = "grad_vars"; break;
        case 22: f = ad_fn_create(t, 2, l, 1, l, NULL); name = "ad_fn_create"; break;
        case 23: f = ad_fn_create(t, 1, l, 2, l, NULL); name = "ad_fn_create"; break;
        case 24: r_array = ad_array_pack(t, 1, &three, l); name = "pack"; break;
        case 25: r_array = ad_array_exp(a); name = "exp"; break;
        case 26: r_array = ad_array_add(kept, a); name = "add"; break;
        case 27: r_array = ad_array_mul(kept, k); name = "mul"; break;
        case 28: r_array = ad_array_concatenate(2, list, 0); name = "concatenate"; break;
        case 29: r_array = ad_array_sum(a, AD_ALL_AXES, 0); name = "sum"; break;
        default: status = ad_array_backward(a, NULL); name = "backward"; break;
        }
        CHECK_STATUS(status, AD_ERR_STALE);
        CHECK(nan_constant(r));
        CHECK(i < 24 || i == 30 || r_array.rank == -1);
        CHECK(i < 22 || i > 23 || ad_fn_status(f) == AD_ERR_STALE);
        test_check(ad_tape_status(t) == AD_ERR_STALE && strstr(ad_tape_message(t), name),
            __FILE__, __LINE__, "way %d, %s: %s, \"%s\"", i, name,
            ad_status_name(ad_tape_status(t)), ad_tape_message(t));
        CHECK(slots(t) == before);
        ad_tape_clear_status(t);
        /* asking is no error */
        CHECK(is_nan(ad_adjoint(gone)) && is_nan(ad_tangent(gone)));
        CHECK(is_nan(ad_adjoint_tangent(gone)));
        CHECK(ad_array_values(a) == NULL && ad_array_adjoints(a) == NULL);
        ad_tape_clear_status(t);
        ad_fn_destroy(f);
        ad_tape_destroy(t);
    }
}

/* The first error stays, and nothing is recorded under it. */
static void test_sticky(void)
{
    ad_tape *t = ad_tape_create(NULL), *other = ad_tape_create(NULL);
    ad_var x = ad_input(t, 2.0), y = ad_var_square(x), list[2], foreign = ad_input(other, 1.0),
           out[2];
    const ad_tape_stats before = ad_tape_get_stats(t);
    const double c[2] = { 1, 2 };
    double g[2];
    char message[256];
    ad_tape_stats after;
    list[0] = x;
    list[1] = y;
    CHECK(nan_constant(ad_var_mul(x, foreign)));
    CHECK_STATUS(ad_tape_status(t), AD_ERR_MIXED);
    strncpy(message, ad_tape_message(t), sizeof message - 1);
    message[sizeof message - 1] = 0;
    CHECK(nan_constant(ad_input(t, 1.0)));
    CHECK_STATUS(ad_inputs(t, 2, c, out), AD_ERR_MIXED);
    CHECK(nan_constant(ad_var_sin(x)));
    CHECK(nan_constant(ad_var_mul(x, y)));
    CHECK(nan_constant(ad_var_mul_r(x, 7.0)));
    CHECK(nan_constant(ad_var_mul_from_r(7.0, x)));
    CHECK(nan_constant(ad_var_fma(x, x, x)));
    CHECK(nan_constant(ad_var_sum(2, list)));
    CHECK(nan_constant(ad_var_dot(2, list, list)));
    CHECK(nan_constant(ad_var_lincomb(2, c, list)));
    CHECK(nan_constant(ad_var_custom(t, 2, list, 1.0, c)));
    CHECK(nan_constant(ad_var_polyval(2, c, x)));
    (void)ad_branch(x);
    (void)ad_name(x, "x");
    CHECK(ad_grad_vars(y, 1, &x, out) != AD_OK);
    CHECK(ad_inputs(t, 2, NULL, out) != AD_OK); /* a second error: the first stays */
    ad_gradient(t, square_sum, NULL, c, 2, NULL, g);
    after = ad_tape_get_stats(t);
    CHECK(after.slots == before.slots && after.constants == before.constants);
    CHECK(after.branches == before.branches && after.instructions == before.instructions);
    CHECK_STATUS(ad_tape_status(t), AD_ERR_MIXED);
    CHECK_STRING(ad_tape_message(t), message);
    ad_tape_rewind(t, ad_tape_mark(t)); /* of these two, rewind clears neither */
    CHECK_STATUS(ad_tape_status(t), AD_ERR_MIXED);
    ad_tape_clear_status(t);
    CHECK_STATUS(ad_tape_status(t), AD_OK);
    CHECK_STRING(ad_tape_message(t), "");
    CHECK_STATUS(ad_backward(ad_var_mul(x, y)), AD_OK);            /* x^3 */
    CHECK(ad_adjoint(x) == 12.0);
    CHECK(nan_constant(ad_var_mul(foreign, x)) || ad_tape_status(t) == AD_OK);
    ad_tape_reset(t);
    ad_tape_reset(other);
    CHECK_STATUS(ad_tape_status(t), AD_OK);                        /* reset clears as well */
    CHECK_STATUS(ad_tape_status(other), AD_OK);
    ad_tape_destroy(t);
    ad_tape_destroy(other);
}

/* Errors inside the user's function of a driver. */
static ad_var returns_foreign(ad_tape *t, const ad_var *x, size_t n, void *user)
{
    (void)t;
    (void)x;
    (void)n;
    return *(const ad_var *)user;
}
static ad_var mixes(ad_tape *t, const ad_var *x, size_t n, void *user)
{
    (void)t;
    (void)n;
    return ad_var_mul(x[0], *(const ad_var *)user);
}
static void foreign_vector(ad_tape *t, const ad_var *x, size_t n, ad_var *y, size_t m, void *user)
{
    size_t i;
    (void)t;
    (void)n;
    for (i = 0; i < m; i++) y[i] = x[0];
    y[m - 1] = *(const ad_var *)user;
}

/* Operands of two tapes are an error of both, whichever comes first. */
static ad_var mixture(int way, ad_var a, ad_var b)
{
    ad_var both[2], one[2];
    both[0] = a;
    both[1] = one[0] = one[1] = b;
    return way == 0 ? ad_var_mul(a, b) : way == 1 ? ad_var_fma(a, b, b)
        : way == 2 ? ad_var_select(a, b, b) : way == 3 ? ad_var_sum(2, both)
        : ad_var_dot(2, one, both);
}
static void test_told_both(void)
{
    ad_tape *const t = ad_tape_create(NULL), *const u = ad_tape_create(NULL);
    int way;
    for (way = 0; way < 10; way++) {
        const ad_var x = ad_input(t, 1), y = ad_input(u, 2);
        CHECK(nan_constant(mixture(way / 2, way % 2 ? x : y, way % 2 ? y : x)));
        CHECK_STATUS(ad_tape_status(t), AD_ERR_MIXED);
        CHECK_STATUS(ad_tape_status(u), AD_ERR_MIXED);
        CHECK(strstr(ad_tape_message(t), "two tapes") && strstr(ad_tape_message(u), "two tapes"));
        ad_tape_reset(t);
        ad_tape_reset(u);
    }
    ad_tape_destroy(t);
    ad_tape_destroy(u);
}

/* Drivers may write their results over what they were given. */
static void squares(ad_tape *t, const ad_var *x, size_t n, ad_var *y, size_t m, void *user)
{
    size_t i;
    (void)t; (void)user;
    for (i = 0; i < m; i++) y[i] = ad_var_mul(x[i % n], x[i % n]);
}
static void test_written_over(void)
{
    const double at[2] = { 3, 5 }, along[2] = { 1, 2 };
    double x[2], v[2], out[2], H[4];
    int way;
    for (way = 0; way < 6; way++) {
        memcpy(x, at, sizeof x);
        memcpy(v, along, sizeof v);
        switch (way) {
        case 0: CHECK_STATUS(ad_jvp(NULL, squares, NULL, x, 2, 2, v, v, out), AD_OK); break;
        case 1: CHECK_STATUS(ad_vjp(NULL, squares, NULL, x, 2, 2, v, v, out), AD_OK); break;
        case 2: CHECK_STATUS(ad_jvp(NULL, squares, NULL, x, 2, 2, v, x, out), AD_OK); break;
        case 3: CHECK_STATUS(ad_jvp(NULL, squares, NULL, x, 2, 2, v, out, v), AD_OK); break;
        case 4: CHECK_STATUS(ad_vjp(NULL, squares, NULL, x, 2, 2, v, out, x), AD_OK); break;
        default: CHECK_STATUS(ad_jacobian(NULL, squares, NULL, x, 2, 2, x, H), AD_OK);
        }
        switch (way) {
        case 0: case 1: CHECK(v[0] == 9 && v[1] == 25 && out[0] == 6 && out[1] == 20); break;
        case 2: CHECK(x[0] == 9 && x[1] == 25 && out[0] == 6 && out[1] == 20); break;
        case 3: CHECK(v[0] == 6 && v[1] == 20 && out[0] == 9 && out[1] == 25); break;
        case 4: CHECK(x[0] == 6 && x[1] == 20 && out[0] == 9 && out[1] == 25); break;
        default: CHECK(x[0] == 9 && x[1] == 25 && H[0] == 6 && H[1] == 0 && H[3] == 10);
        }
    }
    x[0] = 3;
    x[1] = 1;
    CHECK_STATUS(ad_hvp(NULL, square_sum, NULL, at, 2, x, x, NULL, out), AD_OK);
    CHECK(x[0] == 34 && out[0] == 6 && out[1] == 2);
    x[0] = 3;
    x[1] = 1;
    CHECK_STATUS(ad_hvp(NULL, square_sum, NULL, at, 2, x, v, out, x), AD_OK);
    CHECK(x[0] == 6 && x[1] == 2 && v[0] == 34 && out[0] == 6 && out[1] == 10);
    memcpy(x, at, sizeof x);
    CHECK_STATUS(ad_gradient(NULL, square_sum, NULL, x, 2, v, x), AD_OK);
    CHECK(v[0] == 34 && x[0] == 6 && x[1] == 10);
}

static void test_driver_errors(void)
{
    ad_tape *t = ad_tape_create(NULL), *other = ad_tape_create(NULL), *on;
    ad_var foreign = ad_input(other, 1.0), kept = ad_input(t, 5.0);
    const double x[2] = { 1, 2 };
    double y, g[2], H[4];
    int k;
    for (k = 0; k < 2; k++) {
        on = k ? t : NULL;
        CHECK_STATUS(ad_gradient(on, returns_foreign, &foreign, x, 2, &y, g), AD_ERR_MIXED);
        if (on) ad_tape_clear_status(on);
        CHECK_STATUS(ad_hessian(on, returns_foreign, &foreign, x, 2, &y, g, H), AD_ERR_MIXED);
        if (on) ad_tape_clear_status(on);
        CHECK_STATUS(ad_hvp(on, returns_foreign, &foreign, x, 2, x, &y, g, H), AD_ERR_MIXED);
        if (on) ad_tape_clear_status(on);
        CHECK_STATUS(ad_gradient(on, mixes, &foreign, x, 2, &y, g), AD_ERR_MIXED);
        if (on) ad_tape_clear_status(on);
        CHECK_STATUS(ad_jacobian(on, foreign_vector, &foreign, x, 2, 2, g, H), AD_ERR_MIXED);
        if (on) ad_tape_clear_status(on);
        CHECK_STATUS(ad_jvp(on, foreign_vector, &foreign, x, 2, 2, x, NULL, g), AD_ERR_MIXED);
        if (on) ad_tape_clear_status(on);
        CHECK_STATUS(ad_vjp(on, foreign_vector, &foreign, x, 2, 2, x, NULL, g), AD_ERR_MIXED);
        if (on) ad_tape_clear_status(on);
    }
    CHECK(slots(t) == 1);                              /* left as found */
    CHECK_STATUS(ad_backward(ad_var_square(kept)), AD_OK);
    CHECK(ad_adjoint(kept) == 10.0);
    ad_tape_destroy(t);
    ad_tape_destroy(other);
}

/* A constant has no tape, so nothing is swept from it: every sweep from one says so alike. Recorded
   gradients of it are the constant 0, all the same. Drivers, which know their inputs, take it. */
static void test_constant_outputs(void)
{
    static const double values[] = { 0, 2.5, -1, (double)NAN };
    ad_tape *const t = ad_tape_create(NULL);
    const ad_var x = ad_input(t, 2.0);
    const int32_t three = 3;
    const double one = 1;
    const ad_array a = ad_array_input(t, 1, &three, NULL);
    size_t k;
    for (k = 0; k < sizeof values / sizeof values[0]; k++) {
        const ad_var y = ad_const(values[k]);
        ad_var g = x;
        ad_array g_array;
        double H = 7;
        const ad_status swept = ad_backward(y);
        CHECK_STATUS(swept, AD_ERR_ARGUMENT);
        CHECK_STATUS(ad_grad_vars(y, 1, &x, &g), swept);
        CHECK(g.tape == NULL && g.v == 0);
        CHECK_STATUS(ad_grad_vars(y, 0, NULL, NULL), swept);
        CHECK_STATUS(ad_grad_vars(y, 1, &x, NULL), AD_ERR_ARGUMENT);
        CHECK_STATUS(ad_hessian_of(y, 1, &x, &H), swept);
        CHECK_STATUS(ad_forward_over_reverse(y, 1, &x, &one), swept);
        CHECK_STATUS(ad_array_grad(y, 1, &a, &g_array), swept);
        CHECK_STATUS(ad_tape_status(t), AD_OK);
    }
    ad_tape_destroy(t);
}

/* Callbacks that are told m = 3 and write less: `user` has a bit for each output written. */
static void some_outputs(ad_tape *t, const ad_var *x, size_t n, ad_var *y, size_t m, void *user)
{
    size_t i;
    (void)t;
    for (i = 0; i < m; i++)
        if (*(const unsigned *)user >> i & 1) y[i] = ad_var_mul_r(x[i % n], (double)(i + 2));
}
static void some_outputs_f(adf_tape *t, const adf_var *x, size_t n, adf_var *y, size_t m,
    void *user)
{
    size_t i;
    (void)t;
    for (i = 0; i < m; i++)
        if (*(const unsigned *)user >> i & 1) y[i] = adf_var_mul_r(x[i % n], (float)(i + 2));
}
/* NaN and infinity are numbers that an output may be. */
static void odd_outputs(ad_tape *t, const ad_var *x, size_t n, ad_var *y, size_t m, void *user)
{
    (void)t; (void)n; (void)m; (void)user;
    y[0] = ad_const((double)NAN);
    y[1] = ad_var_log(ad_var_sub_r(x[0], 1000));
    y[2] = ad_const(0);
}

/* A slot that is used again holds another value than the variables of before the rewind: in debug
   mode, that is an error. */
static void test_refilled(void)
{
    const double one = 1;
    int way;
    for (way = 0; way < 6; way++) {
        ad_tape_desc desc;
        ad_tape *t;
        ad_var kept, gone, l[3], y;
        size_t mark;
        memset(&desc, 0, sizeof desc);
        desc.debug = 1;
        t = ad_tape_create(&desc);
        kept = ad_input(t, 7.0);
        mark = ad_tape_mark(t);
        gone = ad_var_mul_r(kept, way == 5 ? (double)NAN : 10.0);
        ad_tape_rewind(t, mark);
        l[0] = ad_var_exp(kept);
        l[1] = l[2] = gone;
        y = ad_var_mul(ad_var_add(kept, l[0]), l[0]);
        CHECK_STATUS(ad_backward(y), AD_OK);
        CHECK(y.id > gone.id && isnan(ad_adjoint(gone)));        /* not that of what is there */
        CHECK_STATUS(ad_forward(t, 1, &kept, &one), AD_OK);
        CHECK(isnan(ad_tangent(gone)) && ad_tangent(kept) == 1);
        switch (way) {
        case 0: y = ad_var_mul_r(gone, 2); break;
        case 1: y = ad_var_sub(kept, gone); break;
        case 2: y = ad_var_fma(kept, kept, gone); break;
        case 3: y = ad_var_sum(3, l); break;
        case 4: ad_branch(gone); y = ad_const((double)NAN); break;
        default: y = ad_var_sin(gone);
        }
        CHECK_STATUS(ad_tape_status(t), AD_ERR_STALE);
        CHECK(nan_constant(y) && strstr(ad_tape_message(t), "dropped by a rewind: it is"));
        ad_tape_clear_status(t);
        CHECK_STATUS(ad_backward(ad_var_log(l[0])), AD_OK);
        CHECK(ad_adjoint(kept) == 1);
        kept.v *= 1 + 2.3e-16;                   /* the same, as x87 may round it */
        CHECK_STATUS(ad_backward(ad_var_mul_r(kept, 2)), AD_OK);
        kept.v = HUGE_VAL;
        CHECK(nan_constant(ad_var_mul_r(kept, 2)));
        CHECK_STATUS(ad_tape_status(t), AD_ERR_STALE);
        ad_tape_destroy(t);
    }
}
/* Two marks with constants between them, and nothing else, wherever the tape is full. */
static void test_marks_at_the_end(void)
{
    const int32_t three = 3;
    const double c[3] = { 1, 2, 3 };
    int n;
    for (n = 1; n < 300; n += 1) {
        ad_tape_desc desc;
        ad_tape *t;
        ad_var x;
        ad_array a;
        size_t first, second;
        int i;
        memset(&desc, 0, sizeof desc);
        desc.max_slots = 300;
        t = ad_tape_create(&desc);
        x = ad_input(t, 1.5);
        for (i = 1; i < n; i++) x = ad_var_add_r(x, 1);
        first = ad_tape_mark(t);
        a = ad_array_const(t, 1, &three, c);
        second = ad_tape_mark(t);
        CHECK(a.rank == 1 && second >= first && second <= first + 1);
        ad_tape_rewind(t, second);
        CHECK(ad_array_values(a) != NULL && ad_array_values(a)[2] == 3);
        ad_tape_rewind(t, first);
        CHECK(ad_var_mul_r(x, 2).v == 2 * x.v);
        CHECK_STATUS(ad_tape_status(t), AD_OK);
        ad_tape_destroy(t);
    }
}
/* Results that a value callback does not write, and what is made of an x beyond the last. */
static ad_status writes_two(void *user, size_t n, const double *x, size_t m, double *y)
{
    (void)user;
    (void)n;
    y[0] = x[0];
    if (m > 1) y[1] = 2 * x[0];
    return AD_OK;
}
static ad_status reads_on(void *user, size_t n, const double *x, size_t m, double *y)
{
    (void)user;
    (void)m;
    y[0] = x[n - 1] * x[n];
    return AD_OK;
}
static void test_unwritten_results(void)
{
    ad_tape *const t = ad_tape_create(NULL);
    ad_var x[2], y[3];
    ad_op op;
    memset(&op, 0, sizeof op);
    op.name = "two";
    op.value = writes_two;
    x[0] = ad_input(t, 1.5);
    x[1] = ad_const(2);
    CHECK_STATUS(ad_var_call(t, &op, NULL, 1, x, 2, y), AD_OK);
    CHECK(y[0].v == 1.5 && y[1].v == 3);
    CHECK_STATUS(ad_var_call(t, &op, NULL, 1, x, 3, y), AD_ERR_ARGUMENT);
    CHECK(nan_constant(y[0]) && strstr(ad_tape_message(t), "two: y[2] of 3 was not written"));
    ad_tape_clear_status(t);
    CHECK_STATUS(ad_var_call(t, &op, NULL, 1, x + 1, 3, y), AD_ERR_ARGUMENT);
    ad_tape_clear_status(t);
    op.value = reads_on;
    CHECK_STATUS(ad_var_call(t, &op, NULL, 1, x, 1, y), AD_ERR_ARGUMENT);
    CHECK(strstr(ad_tape_message(t), "an x beyond the 1") != NULL);
    ad_tape_clear_status(t);
    x[0] = ad_input(t, (double)NAN);                     /* another NaN is a result */
    op.value = writes_two;
    CHECK_STATUS(ad_var_call(t, &op, NULL, 1, x, 2, y), AD_OK);
    CHECK(is_nan(y[1].v) && y[1].tape);
    ad_tape_destroy(t);
}
static void test_unwritten_outputs(void)
{
    enum { M = 3 };
    const double x[5] = { 1, 2, 3, 4, 5 }, w[5] = { 1, 1, 1, 1, 1 };
    const float x_f[5] = { 1, 2, 3, 4, 5 };
    ad_tape *const t = ad_tape_create(NULL);
    unsigned written;
    size_t n, k;
    for (n = 1; n <= 5; n += 2)                   /* forwards and in reverse */
        for (written = 0; written < 1u << M; written++) {
            const int all = written == (1u << M) - 1;
            double y[M], J[5 * M], r[5];
            float y_f[M], J_f[5 * M];
            char first[40];
            int kind, own;
            for (k = 0; written >> k & 1; k++) {}
            sprintf(first, "y[%d] of %d", (int)k, M);
            for (kind = 0; kind < 4; kind++)
                for (own = 0; own < 2; own++) {
                    ad_tape *const on = own ? t : NULL;
                    ad_status s;
                    switch (kind) {
                    case 0: s = ad_jacobian(on, some_outputs, &written, x, n, M, y, J); break;
                    case 1: s = ad_jvp(on, some_outputs, &written, x, n, M, w, y, r); break;
                    case 2: s = ad_vjp(on, some_outputs, &written, x, n, M, w, y, r); break;
                    default: s = ad_jacobian(on, some_outputs, &written, x, n, M, y, NULL); break;
                    }
                    test_check((s == AD_OK) == all, __FILE__, __LINE__,
                        "n = %d, outputs %x written, way %d: %s", (int)n, written, kind,
                        ad_status_name(s));
                    if (!own) continue;
                    test_check(ad_tape_status(t) == s && (all
                        || strstr(ad_tape_message(t), first)), __FILE__, __LINE__,
                        "\"%s\" does not say \"%s\"", ad_tape_message(t), first);
                    CHECK(slots(t) == 0);
                    ad_tape_clear_status(t);
                }
            CHECK((adf_jacobian(NULL, some_outputs_f, &written, x_f, n, M, y_f, J_f) == AD_OK)
                == all);
        }
    {
        double y[M], J[M];
        CHECK_STATUS(ad_jacobian(t, odd_outputs, NULL, x, 1, M, y, J), AD_OK);
        CHECK(is_nan(y[0]) && is_nan(y[1]) && y[2] == 0 && J[0] == 0 && J[2] == 0);
    }
    ad_tape_destroy(t);
}

/* Counts that no array has, such as -1: too many, and nothing is read or written. */
static ad_status product_value(void *user, size_t n, const double *x, size_t m, double *y)
{
    (void)user; (void)n; (void)m;
    y[0] = x[0] * x[1];
    return AD_OK;
}
static void test_counts_that_cannot_be(void)
{
    static const ad_op product = { "product", product_value, NULL, NULL, NULL, NULL };
    ad_tape *const t = ad_tape_create(NULL);
    const double at[2] = { 1, 2 };
    const size_t n = (size_t)-1;
    const size_t start[2] = { 0, 0 };
    ad_pattern p;
    ad_sparse *plan;
    ad_var x[2], y, z;
    ad_fn *const f = ad_fn_parse("a*b", "a, b", NULL, 0);
    ad_inputs(t, 2, at, x);
    y = ad_var_mul(x[0], x[1]);
    CHECK_STATUS(ad_inputs(t, n, at, x), AD_ERR_LIMIT);
    ad_tape_clear_status(t);
    ad_var_sum(n, x);
    CHECK_STATUS(ad_tape_status(t), AD_ERR_LIMIT);
    ad_tape_clear_status(t);
    ad_var_polyval(n, at, x[0]);
    CHECK_STATUS(ad_tape_status(t), AD_ERR_LIMIT);
    ad_tape_clear_status(t);
    CHECK_STATUS(ad_backward_seeded(t, n, &y, at), AD_ERR_ARGUMENT);
    CHECK(strstr(ad_tape_message(t), "ad_backward_seeded: ")
        && strstr(ad_tape_message(t), " variables are too many"));
    ad_tape_clear_status(t);
    CHECK_STATUS(ad_jvp_vars(t, n, x, x, 1, &y, &z), AD_ERR_ARGUMENT);
    ad_tape_clear_status(t);
    CHECK_STATUS(ad_jvp_vars(t, 2, x, x, n, &y, &z), AD_ERR_ARGUMENT);
    ad_tape_clear_status(t);
    CHECK_STATUS(ad_var_call(t, &product, NULL, 2, x, n, &z), AD_ERR_LIMIT);
    CHECK(strstr(ad_tape_message(t), "product: 2 operands and ")
        && strstr(ad_tape_message(t), " results are too many"));
    ad_tape_clear_status(t);
    CHECK_STATUS(ad_var_call(t, &product, NULL, n, x, 1, &z), AD_ERR_LIMIT);
    ad_tape_clear_status(t);
    CHECK_STATUS(ad_kinds(t, n, x, 1, &y, NULL, NULL), AD_ERR_ARGUMENT);
    ad_tape_clear_status(t);
    ad_linear_destroy(ad_linearise(t, n, x, 1, &y));
    CHECK_STATUS(ad_tape_status(t), AD_ERR_ARGUMENT);
    ad_tape_clear_status(t);
    CHECK_STATUS(ad_grad_vars(y, n, x, x), AD_ERR_ARGUMENT);
    ad_tape_clear_status(t);
    CHECK_STATUS(ad_fn_call(f, t, 2, NULL, 1, &y), AD_ERR_ARGUMENT);
    CHECK_STRING(ad_tape_message(t), "ad_fn_call: NULL for 2 operands or 1 results");
    memset(&p, 0, sizeof p);
    p.rows = n;
    p.columns = 2;
    p.row_start = (size_t *)start;
    plan = ad_sparse_create(&p, NULL);
    CHECK_STATUS(ad_sparse_status(plan), AD_ERR_ARGUMENT);
    ad_sparse_destroy(plan);
    ad_fn_destroy(f);
    ad_tape_destroy(t);
}

/* What is behind x and y, and in y before it is written, says so when it is touched. */
typedef struct overrun { size_t read, write; } overrun;
static void overruns(ad_tape *t, const ad_var *x, size_t n, ad_var *y, size_t m, void *user)
{
    const overrun *const o = (const overrun *)user;
    size_t i;
    (void)t;
    for (i = 0; i < m + o->write; i++) y[i] = ad_var_exp(x[i % n]);
    for (i = 0; i < o->read; i++) y[0] = ad_var_add(y[0], x[n + i]);
}
static void early(ad_tape *t, const ad_var *x, size_t n, ad_var *y, size_t m, void *user)
{
    size_t i;
    (void)t; (void)user;
    CHECK(is_nan(x[n].v) && is_nan(y[m - 1].v) && is_nan(y[m].v));      /* nor has it a value */
    for (i = 0; i < m; i++) y[i] = ad_var_mul_r(ad_var_add(y[i], x[i % n]), 2);
}
static void copies(ad_tape *t, const ad_var *x, size_t n, ad_var *y, size_t m, void *user)
{
    (void)t; (void)user;
    memcpy(y, x + n, m * sizeof *y);
}
static ad_var beyond(ad_tape *t, const ad_var *x, size_t n, void *user)
{
    (void)t; (void)user;
    return n ? ad_var_sin(x[n]) : ad_const(0);
}
static void test_overruns(void)
{
    const double x[3] = { 1, 2, 3 };
    double y[3], J[9], v;
    ad_tape *const t = ad_tape_create(NULL);
    overrun o = { 0, 0 };
    CHECK_STATUS(ad_jacobian(t, overruns, &o, x, 3, 2, y, J), AD_OK);
    o.read = 1;
    CHECK_STATUS(ad_jacobian(t, overruns, &o, x, 3, 2, y, J), AD_ERR_ARGUMENT);
    CHECK_STRING(ad_tape_message(t), "add: x[3] of 3 was read");
    ad_tape_clear_status(t);
    o.read = 0;
    o.write = 1;
    CHECK_STATUS(ad_jacobian(t, overruns, &o, x, 3, 2, y, J), AD_ERR_ARGUMENT);
    CHECK_STRING(ad_tape_message(t), "the driver's function: y[2] of 2 was written");
    ad_tape_clear_status(t);
    CHECK_STATUS(ad_jacobian(t, early, NULL, x, 3, 2, y, J), AD_ERR_ARGUMENT);
    CHECK_STRING(ad_tape_message(t), "add: y[0] of 2 was read before it was written");
    ad_tape_clear_status(t);
    CHECK_STATUS(ad_jacobian(t, copies, NULL, x, 3, 2, y, J), AD_ERR_ARGUMENT);
    CHECK_STRING(ad_tape_message(t), "the driver's function: x[3] of 3 was read");
    ad_tape_clear_status(t);
    CHECK_STATUS(ad_gradient(t, beyond, NULL, x, 1, &v, J), AD_ERR_ARGUMENT);
    CHECK_STRING(ad_tape_message(t), "sin: x[1] of 1 was read");
    CHECK(is_nan(v) && slots(t) == 0);
    ad_tape_clear_status(t);
    CHECK_STATUS(ad_gradient(t, beyond, NULL, x, 0, &v, J), AD_OK);
    ad_tape_destroy(t);
}

/* ---------------------------------------------------------------- limits */

static void test_limits(void)
{
    ad_tape_desc desc;
    ad_tape *t;
    ad_var x, y, many[20];
    double v[20];
    char number[32];
    size_t limit, mark;
    int i, how;
    for (i = 0; i < 20; i++) v[i] = i;
    for (limit = 3; limit < 12; limit++) {
        for (how = 0; how < 6; how++) {
            const char *name = "";
            memset(&desc, 0, sizeof desc);
            desc.max_slots = limit;
            t = ad_tape_create(&desc);
            CHECK(t != NULL);
            x = ad_input(t, 2.0);
            mark = ad_tape_mark(t);
            y = x;
            for (i = 1; i < (int)limit; i++) y = ad_var_mul_r(y, 2.0);
            CHECK_STATUS(ad_tape_status(t), AD_OK);
            CHECK(slots(t) == limit);
            CHECK_STATUS(ad_backward(y), AD_OK);       /* a full tape can be swept */
            CHECK(ad_adjoint(x) == ldexp(1.0, (int)limit - 1));
            switch (how) {
            case 0: name = "input"; y = ad_input(t, 1.0); break;
            case 1: name = "sin"; y = ad_var_sin(x); break;
            case 2: name = "add"; y = ad_var_add(x, x); break;
            case 3: name = "mul"; y = ad_var_mul_r(x, 2.0); break;
            case 4: name = "fma"; y = ad_var_fma(x, x, x); break;
            default: name = "sum"; y = ad_var_sum(1, &x); break;
            }
            CHECK(nan_constant(y));
            sprintf(number, "%u", (unsigned)limit);
            SAYS(t, AD_ERR_LIMIT, name, number);
            CHECK(slots(t) == limit);
            CHECK(nan_constant(ad_var_neg(x)));
            ad_tape_rewind(t, mark);                   /* drops the status and makes room */
            CHECK_STATUS(ad_tape_status(t), AD_OK);
            CHECK_STRING(ad_tape_message(t), "");
            y = ad_var_mul(x, x);
            CHECK_STATUS(ad_backward(y), AD_OK);
            CHECK(ad_adjoint(x) == 4.0);
            CHECK_STATUS(ad_inputs(t, 20, v, many), AD_ERR_LIMIT);
            CHECK(slots(t) == 2);                      /* before the first effect */
            ad_tape_reset(t);
            CHECK_STATUS(ad_inputs(t, limit, v, many), AD_OK);
            ad_tape_reset(t);
            CHECK_STATUS(ad_tape_reserve(t, limit), AD_OK);
            CHECK_STATUS(ad_tape_reserve(t, limit + 1), AD_ERR_LIMIT);
            sprintf(number, "%u", (unsigned)limit + 1);
            SAYS(t, AD_ERR_LIMIT, "reserve", number);
            ad_tape_destroy(t);
        }
    }
    t = ad_tape_create(NULL);
    CHECK_STATUS(ad_tape_reserve(t, (size_t)-1), AD_ERR_LIMIT);
    SAYS(t, AD_ERR_LIMIT, "reserve", "");
    ad_tape_reset(t);
    CHECK_STATUS(ad_tape_reserve(t, (size_t)1 << 28), AD_ERR_LIMIT);
    ad_tape_destroy(t);
    /* more than the most an instruction can name: the most */
    memset(&desc, 0, sizeof desc);
    desc.max_slots = (size_t)-1;
    t = ad_tape_create(&desc);
    if (t) {
        CHECK(ad_tape_reserve(t, (size_t)1 << 28) != AD_OK);
        ad_tape_destroy(t);
    }
    /* a driver that does not fit */
    memset(&desc, 0, sizeof desc);
    desc.max_slots = 4;
    t = ad_tape_create(&desc);
    x = ad_input(t, 1.0);
    CHECK_STATUS(ad_gradient(t, square_sum, NULL, v, 3, NULL, NULL), AD_ERR_LIMIT);
    CHECK(slots(t) == 1);
    ad_tape_clear_status(t);
    CHECK_STATUS(ad_gradient(t, square_sum, NULL, v + 1, 2, v + 3, NULL), AD_OK);
    CHECK(v[3] == 5.0);
    CHECK_STATUS(ad_tape_status(t), AD_OK);
    ad_tape_destroy(t);
    /* grad_vars that does not fit: nothing, or an error; never half a gradient that looks right */
    for (limit = 2; limit < 40; limit++) {
        ad_var g[2], in[2];
        ad_status s;
        memset(&desc, 0, sizeof desc);
        desc.max_slots = limit;
        t = ad_tape_create(&desc);
        in[0] = ad_input(t, 0.5);
        in[1] = ad_input(t, 0.25);
        y = ad_var_mul(ad_var_sin(ad_var_mul(in[0], in[1])), ad_var_exp(in[0]));
        s = ad_tape_status(t);
        if (s == AD_OK) s = ad_grad_vars(y, 2, in, g);
        if (s == AD_OK) {
            CHECK_NEAR(g[0].v, exp(0.5) * (sin(0.125) + 0.25 * cos(0.125)), 1e-15);
            CHECK_NEAR(g[1].v, exp(0.5) * 0.5 * cos(0.125), 1e-15);
        } else {
            CHECK_STATUS(s, AD_ERR_LIMIT);
            CHECK_STATUS(ad_tape_status(t), AD_ERR_LIMIT);
        }
        if (limit < 6) CHECK(s == AD_ERR_LIMIT);
        if (limit == 39) CHECK(s == AD_OK);
        ad_tape_destroy(t);
    }
}

/* ---------------------------------------------------------------- an allocator that fails */

static ad_status cube_value(void *user, size_t n, const double *x, size_t m, double *y)
{
    size_t j;
    (void)user;
    (void)n;
    for (j = 0; j < m; j++) y[j] = x[j] * x[j] * x[j];
    return AD_OK;
}
static ad_status cube_reverse(void *user, size_t n, const double *x, size_t m, const double *y,
                              const double *y_bar, double *x_bar)
{
    size_t j;
    (void)user;
    (void)n;
    (void)y;
    for (j = 0; j < m; j++) x_bar[j] += 3 * x[j] * x[j] * y_bar[j];
    return AD_OK;
}
static ad_status cube_tangent(void *user, size_t n, const double *x, size_t m, const double *y,
                              const double *x_dot, double *y_dot)
{
    size_t j;
    (void)user;
    (void)n;
    (void)y;
    for (j = 0; j < m; j++) y_dot[j] = 3 * x[j] * x[j] * x_dot[j];
    return AD_OK;
}
static ad_status cube_dual(void *user, size_t n, const ad_dual *x, size_t m, const ad_dual *y,
                           const ad_dual *y_bar, ad_dual *x_bar)
{
    size_t j;
    (void)user;
    (void)n;
    (void)y;
    for (j = 0; j < m; j++)
        x_bar[j] = ad_dual_add(x_bar[j],
                               ad_dual_mul(ad_dual_mul_r(ad_dual_mul(x[j], x[j]), 3.0), y_bar[j]));
    return AD_OK;
}
static ad_status cube_record(void *user, ad_tape *t, size_t n, const ad_var *x, size_t m,
                             const ad_var *y, const ad_var *y_bar, ad_var *x_bar)
{
    size_t j;
    (void)user;
    (void)t;
    (void)n;
    (void)y;
    for (j = 0; j < m; j++) x_bar[j] = ad_var_mul(ad_var_mul_r(ad_var_square(x[j]), 3.0), y_bar[j]);
    return AD_OK;
}
static const ad_op cube = { "cube", cube_value, cube_reverse, cube_tangent, cube_dual,
    cube_record };

/* f = sum of x_i^3, through the user's operation */
static ad_var cubes(ad_tape *t, const ad_var *x, size_t n, void *user)
{
    ad_var y[8];
    (void)user;
    if (ad_var_call(t, &cube, NULL, n, x, n, y) != AD_OK) return ad_const((double)NAN);
    return ad_var_sum(n, y);
}

/* One of everything. 1: all numbers right. *seen: the first status that was not AD_OK. */
#define DO(call) do {                                                                              \
        const ad_status s_ = (call);                                                               \
        if (*seen == AD_OK) *seen = s_;                                                            \
        if (s_ != AD_OK) right = 0;                                                                \
    } while (0)
#define WANT(a, b) do { if (!near(a, b)) right = 0; } while (0)
#define STATUS do { if (*seen == AD_OK) *seen = ad_tape_status(t); } while (0)
static int scenario(ad_tape *t, ad_status *seen)
{
    const double v[4] = { 1, 2, 3, 4 }, c[3] = { 0.5, -2, 1 };
    double y, g[4], H[16], J[12], values[3];
    ad_var x[4], q[3], f, h[4], k;
    size_t i, n = 0, mark;
    int right = 1;
    *seen = AD_OK;
    for (i = 0; i < 4; i++) x[i] = ad_const((double)NAN);
    DO(ad_inputs(t, 4, v, x));
    ad_here(t, __FILE__, __LINE__);
    for (i = 0; i < 4; i++)
        x[i] = ad_name(x[i], i ? "x" : "a name that is longer than any small buffer would hold");
    q[0] = ad_var_mul(x[0], ad_var_exp(ad_var_mul_r(x[1], 0.25)));
    q[1] = ad_var_norm(4, x);
    q[2] = ad_branch(ad_var_lt(x[2], x[3])) ? ad_var_fma(x[2], x[3], ad_const(0.125)) : x[0];
    f = ad_var_lincomb(3, c, q);
    f = ad_var_add(f, ad_var_custom(t, 4, x, 100.0, v));
    WANT(f.v, 0.5 * exp(0.5) - 2 * sqrt(30.0) + 12.125 + 100);
    STATUS;
    DO(ad_backward(f));
    WANT(ad_adjoint(x[0]), 0.5 * exp(0.5) - 2 / sqrt(30.0) + 1);
    WANT(ad_adjoint(x[3]), -8 / sqrt(30.0) + 3 + 4);
    DO(ad_forward(t, 4, x, v));
    WANT(ad_tangent(q[1]), sqrt(30.0));
    DO(ad_backward_seeded(t, 3, q, c));
    WANT(ad_adjoint(x[3]), -8 / sqrt(30.0) + 3);
    DO(ad_forward_over_reverse(q[2], 4, x, v));
    WANT(ad_adjoint_tangent(x[2]), 4);
    DO(ad_jacobian_reverse(t, 4, x, 3, q, J));
    if (right) WANT(J[7], 4 / sqrt(30.0));
    DO(ad_jacobian_forward(t, 4, x, 3, q, J));
    if (right) WANT(J[7], 4 / sqrt(30.0));
    DO(ad_hessian_of(f, 4, x, H));
    if (right) WANT(H[1], 0.125 * exp(0.5) + 2 * 2 / pow(30.0, 1.5));
    for (i = 0; i < 4; i++) h[i] = ad_const((double)NAN);
    DO(ad_grad_vars(f, 4, x, h));
    WANT(h[0].v, 0.5 * exp(0.5) - 2 / sqrt(30.0) + 1);
    DO(ad_backward(h[0]));
    WANT(ad_adjoint(x[1]), 0.125 * exp(0.5) + 2 * 2 / pow(30.0, 1.5));
    DO(ad_graph_dump(t, AD_GRAPH_DOT, NULL, sink_write, &n));
    STATUS;
    mark = ad_tape_mark(t);
    for (i = 0, k = x[0]; i < 200; i++) {
        k = ad_var_add_r(k, (double)(i % 50));
        if (i % 40 == 0) k = ad_name(ad_var_sum(4, x), "k");
        if (i % 40 == 20) (void)ad_branch(ad_var_gt_r(k, (double)i));
    }
    STATUS;
    DO(ad_backward(k));
    WANT(ad_adjoint(x[3]), 1);
    STATUS;
    ad_tape_rewind(t, mark);
    k = cubes(t, x, 4, NULL);
    WANT(k.v, 100);
    STATUS;
    DO(ad_backward(k));
    WANT(ad_adjoint(x[3]), 48);
    DO(ad_forward(t, 4, x, v));
    WANT(ad_tangent(k), 300);
    DO(ad_jacobian_reverse(t, 4, x, 1, &k, J));
    if (right) WANT(J[2], 27);
    DO(ad_grad_vars(k, 4, x, h));
    WANT(h[1].v, 12);
    STATUS;
    ad_tape_rewind(t, mark);
    DO(ad_gradient(t, cubes, NULL, v, 4, &y, g));
    if (right) WANT(g[2], 27);
    STATUS;
    DO(ad_hessian(t, cubes, NULL, v, 4, &y, g, H));
    if (right) WANT(H[10], 18);
    DO(ad_hvp(t, cubes, NULL, v, 4, v, &y, g, g));
    if (right) WANT(g[3], 96);
    DO(ad_jacobian(t, pair, NULL, v, 4, 3, values, J));
    if (right) WANT(J[10], 3);
    DO(ad_jvp(t, pair, NULL, v, 4, 3, v, values, g));
    if (right) WANT(g[1], 4);
    DO(ad_vjp(t, pair, NULL, v, 4, 3, c, values, g));
    if (right) WANT(g[1], -4);
    STATUS;
    DO(ad_backward(f));                                /* still there, under all that */
    WANT(ad_adjoint(x[0]), 0.5 * exp(0.5) - 2 / sqrt(30.0) + 1);
    STATUS;
    return right && *seen == AD_OK;
}

/* After whatever happened: the tape can be put in order, and then everything is right. */
static void recovers(ad_tape *t, int how, const char *what, size_t k)
{
    ad_status seen;
    int right;
    if (how % 3 == 0) ad_tape_reset(t);
    else if (how % 3 == 1) {
        ad_tape_rewind(t, 0); /* clears AD_ERR_MEMORY and AD_ERR_LIMIT itself */
    } else {
        ad_tape_clear_status(t);
        ad_tape_rewind(t, 0);
    }
    test_check(ad_tape_status(t) == AD_OK, __FILE__, __LINE__,
               "%s %d: status %s after clearing (%d)", what, (int)k,
               ad_status_name(ad_tape_status(t)), how % 3);
    CHECK(slots(t) == 0);
    right = scenario(t, &seen);
    test_check(right, __FILE__, __LINE__, "%s %d: wrong after recovery (%d): %s %s", what, (int)k,
               how % 3, ad_status_name(seen), ad_tape_message(t));
}

static void test_allocator(void)
{
    ad_tape_desc desc;
    ad_status seen;
    ad_tape *t;
    heap h;
    size_t k, total;
    int mode, right;
    /* bit 0 of mode: all later calls fail as well; bit 1: blocks of one slot; bit 2: debug */
    for (mode = 0; mode < 8; mode++) {
        memset(&h, 0, sizeof h);
        memset(&desc, 0, sizeof desc);
        desc.resize = heap_resize;
        desc.resize_user = &h;
        if (mode & 2) desc.initial_slots = desc.grow_slots = 1;
        if (mode & 4) desc.debug = 1;
        t = ad_tape_create(&desc);
        CHECK(t != NULL);
        right = scenario(t, &seen);
        test_check(right, __FILE__, __LINE__, "mode %d: %s %s", mode, ad_status_name(seen),
                   ad_tape_message(t));
        total = h.calls;
        CHECK(h.wrong == 0);
        CHECK(ad_tape_get_stats(t).bytes == h.live);   /* what the tape says is what it holds */
        CHECK(ad_tape_get_stats(t).peak_bytes <= h.peak);
        ad_tape_destroy(t);
        CHECK(h.live == 0 && h.blocks == 0);
        if (total > 400) total = total / 4; /* growing slot by slot: the beginning says enough */
        for (k = 1; k <= total + 1; k++) {
            memset(&h, 0, sizeof h);
            h.fail_at = k;
            h.from_then_on = mode & 1;
            h.also = mode == 4;                        /* less, for which it asks again, neither */
            t = ad_tape_create(&desc);
            if (t == NULL) {
                CHECK(h.calls >= k && h.live == 0 && h.blocks == 0);
                continue;
            }
            right = scenario(t, &seen);
            if (h.calls >= k) {
                test_check(right || seen == AD_ERR_MEMORY, __FILE__, __LINE__,
                           "mode %d, allocation %d failed: wrong, and the status is %s", mode,
                           (int)k, ad_status_name(seen));
                test_check(!right || !h.from_then_on || total != k, __FILE__, __LINE__,
                           "mode %d, allocation %d failed and nobody noticed", mode, (int)k);
                if (ad_tape_status(t) == AD_ERR_MEMORY) {
                    CHECK(ad_tape_message(t)[0] != 0);
                    CHECK(nan_constant(ad_input(t, 1.0)));
                }
            } else CHECK(right);
            h.fail_at = 0;
            recovers(t, (int)k, "after failed allocation", k);
            CHECK(ad_tape_get_stats(t).bytes == h.live);
            ad_tape_destroy(t);
            CHECK(h.live == 0 && h.blocks == 0 && h.wrong == 0);
        }
    }
}

/* Each kind of instruction as the first that needs a list or the pool of constants, where memory
   ends at every call of the allocator: its value with the tape in order, or NaN. */
static ad_var first_of_its_kind(int kind, ad_var x, const ad_var *list)
{
    static const double c[3] = { 1, 2, 3 };
    switch (kind) {
    case 0: return ad_var_sub_from_r(4.0, x);
    case 1: return ad_var_sub_r(x, 4.0);
    case 2: return ad_var_fma(x, x, list[1]);
    case 3: return ad_var_sum(3, list);
    case 4: return ad_var_dot(2, list, list + 1);
    case 5: return ad_var_lincomb(1, c, &x);
    default: return ad_var_poly(3, c, 0, x);
    }
}
static void test_first_constants(void)
{
    static const double want[7] = { 3.5, -3.5, 5.25, 8, 18, 0.5, 2.75 };
    int kind, done;
    size_t k;
    for (kind = 0; kind < 7; kind++)
        for (k = 1, done = 0; !done && k < 20; k++) {
            heap h;
            ad_tape_desc desc;
            ad_tape *t;
            ad_var list[3], x, y;
            memset(&h, 0, sizeof h);
            memset(&desc, 0, sizeof desc);
            desc.resize = heap_resize;
            desc.resize_user = &h;
            t = ad_tape_create(&desc);
            x = ad_input(t, 0.5);
            list[0] = kind == 4 ? x : ad_const(2.5);
            list[1] = ad_const(kind == 4 ? 4 : 5);
            list[2] = kind == 4 ? ad_const(4.0) : x;
            h.fail_at = h.calls + k;
            h.from_then_on = 1;
            y = first_of_its_kind(kind, x, list);
            done = h.calls < h.fail_at;
            if (done) CHECK(y.tape == t && y.v == want[kind]);
            else CHECK(nan_constant(y));
            CHECK_STATUS(ad_tape_status(t), done ? AD_OK : AD_ERR_MEMORY);
            CHECK(ad_tape_get_stats(t).slots == (done ? 2u : 1u));
            h.fail_at = 0;
            ad_tape_clear_status(t);
            CHECK(first_of_its_kind(kind, x, list).v == want[kind]);
            CHECK_STATUS(ad_tape_status(t), AD_OK);
            ad_tape_destroy(t);
            CHECK(h.blocks == 0 && h.wrong == 0);
        }
}

/* Blocks of a few slots at any size give the same as big ones. */
static void test_blocks(void)
{
    ad_tape_desc desc;
    ad_status seen;
    size_t i, g;
    for (i = 1; i < 20; i++) {
        for (g = 0; g < 20; g++) {
            ad_tape *t;
            memset(&desc, 0, sizeof desc);
            desc.initial_slots = i;
            desc.grow_slots = g;
            t = ad_tape_create(&desc);
            CHECK(t != NULL);
            CHECK(scenario(t, &seen));
            CHECK_STATUS(seen, AD_OK);
            ad_tape_destroy(t);
        }
    }
    memset(&desc, 0, sizeof desc);
    desc.initial_slots = 5000;
    desc.max_slots = 2000; /* contradictory: the limit wins, or no tape */
    {
        ad_tape *t = ad_tape_create(&desc);
        if (t) {
            for (i = 0; i < 2000; i++) ad_input(t, 1.0);
            CHECK_STATUS(ad_tape_status(t), AD_OK);
            CHECK(nan_constant(ad_input(t, 1.0)));
            CHECK_STATUS(ad_tape_status(t), AD_ERR_LIMIT);
            ad_tape_destroy(t);
        }
    }
}

/* ---------------------------------------------------------------- fixed buffers */

enum { GUARD = 64 };
static void *no_resize(void *user, void *old, size_t old_bytes, size_t new_bytes)
{
    ++*(int *)user;
    (void)old;
    (void)old_bytes;
    (void)new_bytes;
    return NULL;
}

/* What fits a small tape. 1: right; 0: *seen says why not. */
static int small_scenario(ad_tape *t, ad_status *seen)
{
    int right = 1;
    ad_var x = ad_input(t, 2.0), y;
    *seen = AD_OK;
    y = ad_var_mul_r(ad_var_mul(x, x), 3.0);
    STATUS;
    DO(ad_backward(y));
    WANT(y.v, 12);
    WANT(ad_adjoint(x), 12);
    return right;
}

static void test_buffers(void)
{
    enum { MOST = 1 << 18 };
    unsigned char *memory = (unsigned char *)malloc(MOST + 4 * GUARD);
    size_t bytes, offset, i, small_from = 0, full_from = 0, created_from = 0, many_before = 0;
    int called = 0, step = 0;
    for (bytes = 0; bytes <= MOST; bytes += bytes < 4096 ? 13 : bytes < 65536 ? 1021 : 8191) {
        ad_tape_desc desc;
        ad_tape *t;
        ad_status seen;
        int small, full;
        size_t many;
        ad_var x, y;
        step++;
        offset = (size_t)(step * 7 % 33);
        memset(memory, 0xA5, MOST + 4 * GUARD);
        memset(&desc, 0, sizeof desc);
        desc.buffer = memory + GUARD + offset;
        desc.buffer_bytes = bytes;
        desc.resize = no_resize;
        desc.resize_user = &called;
        desc.debug = step % 5 == 0;
        t = ad_tape_create(&desc);
        if (bytes < 64) CHECK(t == NULL);
        if (bytes > 8192) CHECK(t != NULL);
        if (t && !created_from) created_from = bytes;
        if (t) {
            CHECK((unsigned char *)t >= memory + GUARD + offset
                  && (unsigned char *)t < memory + GUARD + offset + bytes);
            CHECK(ad_tape_get_stats(t).bytes <= bytes);
            small = small_scenario(t, &seen);
            if (!small) CHECK_STATUS(seen, AD_ERR_LIMIT);
            else if (!small_from) small_from = bytes;
            ad_tape_rewind(t, 0);
            full = scenario(t, &seen);
            if (!full) CHECK_STATUS(seen, AD_ERR_LIMIT);
            else if (!full_from) full_from = bytes;
            ad_tape_rewind(t, 0);
            CHECK_STATUS(ad_tape_status(t), AD_OK);
            /* to the brim */
            x = y = ad_input(t, 1.0);
            for (many = 0; many < 100000 && y.tape; many++) y = ad_var_add(y, x);
            SAYS(t, AD_ERR_LIMIT, "add", "");
            CHECK(nan_constant(y));
            CHECK(many < bytes / 16 + 1);
            if (bytes > 8192) CHECK(many > bytes / 64 && many + 64 > many_before);
            many_before = many;
            (void)ad_backward(x);
            ad_tape_rewind(t, 0);
            CHECK_STATUS(ad_tape_status(t), AD_OK);
            {   /* lists and constants fill it too */
                ad_var l[8];
                for (i = 0; i < 8; i++) l[i] = ad_const(1.0);
                l[0] = ad_input(t, 1.0);
                for (i = 0; i < 100000 && l[i % 8].v == l[i % 8].v; i++)
                    l[(i + 1) % 8] = ad_name(ad_var_add_r(ad_var_sum(8, l), (double)i), "name");
                CHECK_STATUS(ad_tape_status(t), AD_ERR_LIMIT);
            }
            if (step & 1) ad_tape_reset(t);
            else ad_tape_rewind(t, 0);
            /* what it could before, it can again */
            if (small) {
                CHECK(small_scenario(t, &seen));
                CHECK_STATUS(seen, AD_OK);
            }
            ad_tape_rewind(t, 0);
            if (full) {
                CHECK(scenario(t, &seen));
                CHECK_STATUS(seen, AD_OK);
            }
            CHECK(ad_tape_get_stats(t).peak_bytes <= bytes);
            ad_tape_destroy(t);
        }
        for (i = 0; i < GUARD + offset; i++)
            if (memory[i] != 0xA5) break;
        test_check(i == GUARD + offset, __FILE__, __LINE__,
                   "buffer of %d bytes: written %d before it", (int)bytes,
                   (int)(GUARD + offset - i));
        for (i = GUARD + offset + bytes; i < MOST + 4 * GUARD; i++)
            if (memory[i] != 0xA5) break;
        test_check(i == MOST + 4 * GUARD, __FILE__, __LINE__,
                   "buffer of %d bytes: written %d after it", (int)bytes,
                   (int)(i - GUARD - offset - bytes));
    }
    CHECK(called == 0);                                /* it never allocates */
    CHECK(created_from > 0 && created_from < 4096);
    CHECK(small_from > 0 && small_from < 4096);
    CHECK(full_from > 0 && full_from < MOST);
    { /* sweeps over traces of ever other lengths: working memory must not pile up behind a mark */
        ad_tape_desc desc;
        ad_tape *t;
        ad_var x, y, g;
        const double one = 1;
        double H;
        size_t mark;
        int k;
        memset(&desc, 0, sizeof desc);
        desc.buffer = memory;
        desc.buffer_bytes = MOST;
        t = ad_tape_create(&desc);
        CHECK(t != NULL);
        x = ad_input(t, 0.5);
        mark = ad_tape_mark(t);
        for (k = 1; k <= 300 && ad_tape_status(t) == AD_OK; k++) {
            for (i = 0, y = x; i < (size_t)k; i++) y = ad_var_sin(y);
            ad_backward(y);
            ad_forward(t, 1, &x, &one);
            ad_hessian_of(y, 1, &x, &H);
            if (k <= 100) ad_grad_vars(y, 1, &x, &g);
            if (ad_tape_status(t) == AD_OK) ad_tape_rewind(t, mark);
        }
        test_check(k == 301, __FILE__, __LINE__,
                   "with %d slots at most, 256 KiB were full at length %d: %s",
                   (int)ad_tape_get_stats(t).peak_slots, k, ad_tape_message(t));
        ad_tape_rewind(t, mark); /* usable again after rewind, above a mark too */
        y = ad_var_square(x);
        CHECK_STATUS(ad_backward(y), AD_OK);
        CHECK_STATUS(ad_forward(t, 1, &x, &one), AD_OK);
        CHECK_STATUS(ad_hessian_of(y, 1, &x, &H), AD_OK);
        CHECK(H == 2.0);
        ad_tape_destroy(t);
    }
    {   /* a reservation that cannot be met leaves the tape as it was */
        ad_tape_desc desc;
        ad_tape *t;
        ad_var x;
        memset(&desc, 0, sizeof desc);
        desc.buffer = memory;
        desc.buffer_bytes = 8192;
        t = ad_tape_create(&desc);
        CHECK(t != NULL);
        x = ad_input(t, 3.0);
        CHECK_STATUS(ad_tape_reserve(t, 100000), AD_ERR_LIMIT);
        CHECK(slots(t) == 1);
        ad_tape_rewind(t, 1);
        CHECK_STATUS(ad_backward(ad_var_square(x)), AD_OK);
        CHECK(ad_adjoint(x) == 6.0);
        ad_tape_destroy(t);
    }
    {   /* no buffer, but a size: no tape, or one that allocates; a buffer without bytes: no tape */
        ad_tape_desc desc;
        memset(&desc, 0, sizeof desc);
        desc.buffer = memory;
        CHECK(ad_tape_create(&desc) == NULL);
    }
    {   /* float in the same buffer */
        ad_tape_desc desc;
        adf_tape *t;
        adf_var x, y;
        int n;
        memset(&desc, 0, sizeof desc);
        memset(memory, 0xA5, MOST + 4 * GUARD);
        desc.buffer = memory + 1;
        desc.buffer_bytes = 4999;
        t = adf_tape_create(&desc);
        CHECK(t != NULL);
        for (n = 0; n < 3; n++) {
            x = y = adf_input(t, 1.0f);
            while (y.tape) y = adf_var_mul(y, x);
            CHECK_STATUS(adf_tape_status(t), AD_ERR_LIMIT);
            adf_tape_rewind(t, 0);
            x = adf_input(t, 3.0f);
            CHECK_STATUS(adf_backward(adf_var_square(x)), AD_OK);
            CHECK(adf_adjoint(x) == 6.0f);
            adf_tape_reset(t);
        }
        adf_tape_destroy(t);
        CHECK(memory[0] == 0xA5 && memory[5000] == 0xA5);
    }
    free(memory);
}

/* ---------------------------------------------------------------- debug mode */

static void test_debug(void)
{
    ad_tape_desc desc;
    ad_tape *t;
    ad_var x, y, z, s;
    ad_nonfinite r;
    ad_status seen;
    int line;
    size_t mark, bytes = 0;
    memset(&desc, 0, sizeof desc);
    desc.debug = 1;
    t = ad_tape_create(&desc);
    x = ad_name(ad_input(t, 0.0), "level");
    CHECK(ad_tape_nonfinite(t, &r) == 0);
    y = ad_var_cos(x);
    CHECK(ad_tape_nonfinite(t, &r) == 0);
    AD_HERE(t); line = __LINE__;
    z = ad_var_log(x);                                 /* -infinity of 0 */
    AD_HERE(t);
    ad_var_sub(z, z); /* NaN, but not of finite operands, and not the first */
    ad_var_div(y, x);                                  /* infinity, but not the first */
    memset(&r, 0x55, sizeof r);
    CHECK(ad_tape_nonfinite(t, &r) == 1);
    CHECK(r.backward == 0);
    CHECK(r.operation != NULL && strstr(r.operation, "log") != NULL);
    CHECK(r.slot == z.id);
    CHECK(r.operands == 1 && r.operand[0] == 0.0);
    CHECK(r.result < 0 && r.result - r.result != 0);
    CHECK(r.file != NULL && strcmp(r.file, __FILE__) == 0);
    CHECK(r.line == line);
    CHECK(strlen(r.message) > 10 && strlen(r.message) < sizeof r.message);
    CHECK(strstr(r.message, "level") != NULL);         /* the operand's name */
    CHECK(strstr(r.message, "log") != NULL);
    CHECK(ad_tape_nonfinite(t, NULL) == 1);            /* asking alone */
    CHECK_STATUS(ad_tape_status(t), AD_OK);            /* a report is no error */
    CHECK(slots(t) == 5);
    ad_tape_reset(t);
    CHECK(ad_tape_nonfinite(t, &r) == 0);
    AD_HERE(t); line = __LINE__;                       /* a place on an empty tape stays there */
    mark = ad_tape_mark(t);
    ad_var_square(ad_input(t, 0.5));
    ad_tape_rewind(t, mark);
    ad_var_log(ad_input(t, 0.0));
    CHECK(ad_tape_nonfinite(t, &r) == 1 && r.line == line);
    ad_tape_reset(t);
    x = ad_input(t, 0.5);                              /* an infinite number makes no infinity */
    ad_var_mul_r(x, (double)INFINITY);
    CHECK(ad_tape_nonfinite(t, &r) == 0);
    ad_tape_reset(t);

    /* two operands; without AD_HERE no place */
    x = ad_input(t, 1e300);
    y = ad_input(t, 1e10);
    z = ad_var_mul(x, y);
    CHECK(ad_tape_nonfinite(t, &r) == 1);
    CHECK(r.backward == 0 && r.slot == z.id && r.operands == 2);
    CHECK(r.operand[0] == 1e300 && r.operand[1] == 1e10);
    CHECK(strstr(r.operation, "mul") != NULL);
    CHECK(r.file == NULL);
    ad_tape_reset(t);
    /* one operand and a constant, at either side */
    x = ad_input(t, 0.0);
    ad_var_div_from_r(3.0, x);
    CHECK(ad_tape_nonfinite(t, &r) == 1);
    CHECK(r.operands == 2 && r.operand[0] == 3.0 && r.operand[1] == 0.0
          && strstr(r.operation, "div") != NULL);
    ad_tape_reset(t);
    x = ad_input(t, -8.0);
    ad_var_pow_r(x, 0.5);
    CHECK(ad_tape_nonfinite(t, &r) == 1);
    CHECK(r.operands == 2 && r.operand[0] == -8.0 && r.operand[1] == 0.5 && is_nan(r.result));
    ad_tape_reset(t);
    x = ad_input(t, 1e200);
    {
        ad_var l[4];
        l[0] = l[1] = l[2] = l[3] = x;
        y = ad_var_fma(x, x, x);
        CHECK(ad_tape_nonfinite(t, &r) == 1 && r.operands == 3 && r.operand[2] == 1e200
              && r.slot == y.id);
        ad_tape_reset(t);
        x = ad_input(t, 1e200);
        l[0] = l[1] = l[2] = l[3] = x;
        y = ad_var_dot(4, l, l);
        CHECK(ad_tape_nonfinite(t, &r) == 1 && r.slot == y.id
              && strstr(r.operation, "dot") != NULL);
        CHECK(r.operands <= 8 && r.operand[0] == 1e200);           /* at most 3 are given */
    }
    ad_tape_reset(t);
    /* not finite from the start: nobody made it here */
    x = ad_input(t, (double)INFINITY);
    ad_var_mul_r(x, 2.0);
    ad_var_sub(x, x);
    y = ad_input(t, (double)NAN);
    ad_var_sin(y);
    if (ad_tape_nonfinite(t, &r))
        CHECK(r.slot == x.id && strstr(r.operation, "input") != NULL && r.operands == 0);

    ad_tape_reset(t);
    {
        const double at[2] = { 1, (double)NAN };
        const int32_t two = 2;
        ad_array a = ad_array_input(t, 1, &two, at);
        ad_array_exp(a);
        ad_array_add(ad_array_full(t, 1, &two, 1), a);
        CHECK(ad_tape_nonfinite(t, &r) == 0);
        a = ad_array_log(ad_array_full(t, 1, &two, 0));
        CHECK(ad_tape_nonfinite(t, &r) == 1 && strstr(r.operation, "log") != NULL);
    }

    /* on the way back: sqrt at 0 is 0, its derivative is not finite */
    ad_tape_reset(t);
    x = ad_input(t, 0.0);
    AD_HERE(t); line = __LINE__;
    s = ad_var_sqrt(x);
    AD_HERE(t);
    y = ad_var_mul_r(s, 2.0);
    CHECK(ad_tape_nonfinite(t, &r) == 0);
    CHECK_STATUS(ad_backward(y), AD_OK);
    CHECK(is_nan(ad_adjoint(x)) || ad_adjoint(x) > 1e308);
    CHECK(ad_tape_nonfinite(t, &r) == 1);
    CHECK(r.backward == 1 && strstr(r.operation, "sqrt") != NULL && r.slot == s.id);
    CHECK(r.operands == 1 && r.operand[0] == 0.0 && r.result > 1e308);
    CHECK(r.file != NULL && strcmp(r.file, __FILE__) == 0 && r.line == line);
    CHECK(strstr(r.message, "sqrt") != NULL);
    ad_tape_reset(t);
    /* a zero adjoint stops, and is no report; the finite part is right in debug mode too */
    x = ad_input(t, 0.0);
    y = ad_var_add(ad_var_mul_r(ad_var_sqrt(x), 0.0), ad_var_mul_r(x, 5.0));
    CHECK_STATUS(ad_backward(y), AD_OK);
    CHECK(ad_adjoint(x) == 5.0);
    CHECK(ad_tape_nonfinite(t, &r) == 0);
    /* an output that is not finite, and its sweep */
    ad_tape_reset(t);
    x = ad_input(t, 2.0);
    y = ad_var_exp(ad_var_mul_r(x, 1000.0));
    CHECK(ad_tape_nonfinite(t, &r) == 1 && r.backward == 0 && r.slot == y.id
          && r.operand[0] == 2000.0);
    CHECK_STATUS(ad_backward(y), AD_OK);
    CHECK(ad_tape_nonfinite(t, &r) == 1 && r.backward == 0 && r.slot == y.id);

    /* places and marks: rewind forgets the places after the mark, and does not grow */
    ad_tape_reset(t);
    x = ad_input(t, 0.0);
    AD_HERE(t); line = __LINE__;
    mark = ad_tape_mark(t);
    {
        int i;
        for (i = 0; i < 100000; i++) {
            AD_HERE(t);
            ad_var_sin(x);
            ad_here(t, "elsewhere", i);
            ad_var_cos(x);
            ad_tape_rewind(t, mark);
            if (i == 1000) bytes = ad_tape_get_stats(t).bytes;
        }
    }
    CHECK(ad_tape_get_stats(t).bytes == bytes);
    y = ad_var_inv(x);
    CHECK(ad_tape_nonfinite(t, &r) == 1 && r.slot == y.id && r.file != NULL
          && strcmp(r.file, __FILE__) == 0);
    CHECK(r.line == line);
    ad_tape_reset(t);
    CHECK(scenario(t, &seen));                         /* the same numbers as without debug */
    CHECK(ad_tape_nonfinite(t, &r) == 0);
    /* a stale variable is found out even where the fast path would not look */
    mark = ad_tape_mark(t);
    y = ad_var_sin(ad_input(t, 1.0));
    ad_tape_rewind(t, mark);
    CHECK(nan_constant(ad_var_sin(y)));
    CHECK_STATUS(ad_tape_status(t), AD_ERR_STALE);
    ad_tape_destroy(t);

    /* without debug: nothing */
    t = ad_tape_create(NULL);
    x = ad_input(t, 0.0);
    AD_HERE(t);
    ad_var_log(x);
    CHECK(ad_tape_nonfinite(t, &r) == 0);
    ad_tape_destroy(t);
    {
        adf_tape *f = adf_tape_create(&desc);
        adf_nonfinite fr;
        adf_var a = adf_input(f, 0.0f), b;
        adf_here(f, "place", 17);
        b = adf_var_log(a);
        CHECK(adf_tape_nonfinite(f, &fr) == 1 && fr.slot == b.id && fr.line == 17);
        CHECK(fr.file != NULL && strcmp(fr.file, "place") == 0 && fr.operand[0] == 0.0f);
        adf_tape_destroy(f);
    }
}

TEST_DEF void suite_errors(void)
{
    test_names();
    test_null_tape();
    test_arguments();
    test_mixed();
    test_stale();
    test_dropped();
    test_refilled();
    test_marks_at_the_end();
    test_sticky();
    test_driver_errors();
    test_constant_outputs();
    test_unwritten_outputs();
    test_unwritten_results();
    test_counts_that_cannot_be();
    test_told_both();
    test_written_over();
    test_overruns();
    test_limits();
    test_allocator();
    test_first_constants();
    test_blocks();
    test_buffers();
    test_debug();
}
