/* Fuzz target: sequences of public calls, with wrong arguments among them: variables and arrays
   that are stale, of another tape, constant or failed, shapes that do not fit, places out of range,
   NULL where a descriptor may be missing. What the interface forbids (a destroyed tape, a buffer
   too short) is not tried. After every call: the status is one of those that there are, an error
   has a message.
   Sections: The Whole Tape and Its Memory; Recording, the Slow Paths; Recorded Gradients; User
   Operations; Arrays: Recording; Arrays: The Public Functions. */
#include "../programs.h"
#include "fuzz.h"

enum { TAPES = 3, VARS = 12, ARRAYS = 8, FNS = 4, MARKS = 4, MOST = 600, STEPS = 200 };

typedef struct state {
    fuzz_bytes b;
    ad_tape  *tape[TAPES];
    ad_var    var[VARS];
    ad_array  array[ARRAYS];
    ad_fn    *fn[FNS];
    size_t    mark[MARKS];
    double   *out;                /* room for all results */
    double    data[MOST];         /* borrowed */
} state;

typedef ad_array (*array1)(ad_array);
typedef ad_array (*array2)(ad_array, ad_array);
typedef ad_array (*array3)(ad_array, ad_array, ad_array);
#define X1(n, class_, v, dx)         ad_array_##n,
#define X2(n, class_, v, dx, dy)
#define X3(n, class_, v, dx, dy, dz)
static const array1 rules1[] = { ADI_READ((X1, X2, X3, ADI_SKIPN, ADI_WORDS(ADI_WORD_TEXT)))
    ad_array_detach, ad_array_trace, ad_array_cholesky, ad_array_inverse, ad_array_logdet,
    ad_array_transpose };
#undef X1
#undef X2
#define X1(n, class_, v, dx)
#define X2(n, class_, v, dx, dy)     ad_array_##n,
static const array2 rules2[] = { ADI_READ((X1, X2, X3, ADI_SKIPN, ADI_WORDS(ADI_WORD_TEXT)))
    ad_array_matmul, ad_array_dot, ad_array_outer, ad_array_solve };
#undef X2
#undef X3
#define X2(n, class_, v, dx, dy)
#define X3(n, class_, v, dx, dy, dz) ad_array_##n,
static const array3 rules3[] = { ADI_READ((X1, X2, X3, ADI_SKIPN, ADI_WORDS(ADI_WORD_TEXT)))
    ad_array_where };
#undef X1
#undef X2
#undef X3
#define COUNT(a) (sizeof (a) / sizeof (a)[0])

static size_t next(state *s, size_t n) { return fuzz_next(&s->b, n); }
static ad_tape *a_tape(state *s) { return s->tape[next(s, TAPES)]; }
static ad_var a_var(state *s) { return s->var[next(s, VARS)]; }
static ad_array an_array(state *s) { return s->array[next(s, ARRAYS)]; }
static ad_fn *a_fn(state *s) { return s->fn[next(s, FNS)]; }
static void keep(state *s, ad_var v) { s->var[next(s, VARS)] = v; }

/* Arrays stay small: no product of two has more elements than there is room for. */
static void keep_array(state *s, ad_array a)
{
    REQUIRE(a.rank >= -1 && a.rank <= 4);
    if (ad_array_size(a) <= 24) s->array[next(s, ARRAYS)] = a;
}

static int a_shape(state *s, int32_t *dim)
{
    static const int32_t extents[] = { 1, 2, 3, 2, 1, 4, 0, -1 };
    const int rank = (int)next(s, 6);              /* 5 is one too many */
    int i;
    for (i = 0; i < 6; i++) dim[i] = extents[next(s, 8)];
    return rank == 5 && next(s, 4) ? 2 : rank;
}

static void status(ad_status code)
{
    REQUIRE((unsigned)code <= AD_ERR_BRANCH && ad_status_name(code)[0]);
}

static size_t some_vars(state *s, ad_var *x)
{
    const size_t n = next(s, 6);
    size_t i;
    for (i = 0; i < 6; i++) x[i] = i < n ? a_var(s) : ad_const(1);
    return n;
}

static void record(state *s)
{
    ad_var x[6], y[6];
    double c[6];
    size_t i, n;
    const d_form *f;
    for (i = 0; i < 6; i++) y[i] = ad_const(1);      /* a failing call leaves them as they are */
    switch (next(s, 16)) {
    case 0: keep(s, ad_input(a_tape(s), fuzz_number(&s->b))); break;
    case 1: keep(s, ad_const(fuzz_number(&s->b))); break;
    default:
        f = &d_forms[next(s, PROGRAM_RULES)];
        x[0] = a_var(s);
        if (f->var1) keep(s, f->var1(x[0]));
        else if (f->var3) keep(s, f->var3(x[0], a_var(s), a_var(s)));
        else if (next(s, 3) == 0) keep(s, f->right(x[0], fuzz_number(&s->b)));
        else if (next(s, 3) == 0) keep(s, f->left(fuzz_number(&s->b), x[0]));
        else keep(s, f->var2(x[0], a_var(s)));
        break;
    case 2: case 3: case 4: case 5:
        n = some_vars(s, x);
        for (i = 0; i < 6; i++) {
            y[i] = a_var(s);
            c[i] = fuzz_number(&s->b);
        }
        switch (next(s, 9)) {
        case 0: keep(s, ad_var_sum(n, x)); break;
        case 1: keep(s, ad_var_norm(n, x)); break;
        case 2: keep(s, ad_var_logsumexp(n, x)); break;
        case 3: keep(s, ad_var_logmeanexp(n, x)); break;
        case 4: keep(s, ad_var_dot(n, x, y)); break;
        case 5: keep(s, ad_var_lincomb(n, c, x)); break;
        case 6: keep(s, ad_var_polyval(n, c, y[0])); break;
        case 7: keep(s, ad_var_poly(n, c, next(s, 8), y[0])); break;
        default: keep(s, ad_var_custom(a_tape(s), n, x, c[0], c)); break;
        }
        break;
    case 6: ad_branch(a_var(s)); break;
    case 7: keep(s, ad_name(a_var(s), next(s, 2) ? "a \"name\" \\ */ " : "")); break;
    case 8: keep(s, ad_detach(a_var(s))); break;
    case 9:
        n = some_vars(s, x);
        status(ad_var_call(a_tape(s), &d_mill_op, NULL, n ? n : 1, x[0].tape || n ? x : s->var, 2,
                           y));
        keep(s, y[0]);
        keep(s, y[1]);
        break;
    case 10:
        n = some_vars(s, x);
        status(ad_grad_vars(a_var(s), n, x, y));
        for (i = 0; i < n; i++) keep(s, y[i]);
        break;
    }
}

static void sweep(state *s)
{
    ad_var x[6], y[6], of = a_var(s);
    double *const J = s->out, c[8];
    ad_tape *const t = a_tape(s);
    const size_t n = some_vars(s, x), m = some_vars(s, y);
    size_t i, pieces = next(s, 2) ? 3 : (size_t)-1;
    ad_nonfinite report;
    for (i = 0; i < 8; i++) c[i] = fuzz_number(&s->b);
    switch (next(s, 16)) {
    case 0: status(ad_backward(of)); break;
    case 1: status(ad_backward_seeded(t, m, y, c)); break;
    case 2: ad_adjoints(n, x, J); break;
    case 3: status(ad_forward(t, n, x, c)); break;
    case 4: J[0] = ad_tangent(of) + ad_adjoint(of) + ad_adjoint_tangent(of); break;
    case 5: status(ad_forward_over_reverse(of, n, x, c)); break;
    case 6: status(ad_jacobian_reverse(t, n, x, m, y, J)); break;
    case 7: status(ad_jacobian_forward(t, n, x, m, y, J)); break;
    case 8: status(ad_jacobian_times(t, n, x, 1, c, m, y, J)); break;
    case 9: status(ad_hessian_of(of, n, x, J)); break;
    case 10: ad_tape_health(t); ad_tape_nonfinite(t, &report); break;
    case 11:
        status(ad_graph_dump(t, (ad_graph_format)next(s, 4), NULL, fuzz_write, &pieces));
        break;
    case 12: s->mark[next(s, MARKS)] = ad_tape_mark(t); break;
    case 13:                                      /* what was recorded since is not used again */
        i = s->mark[next(s, MARKS)];
        if (i > ad_tape_mark(t)) break;
        ad_tape_rewind(t, i);
        for (i = 0; i < VARS; i++) if (s->var[i].tape == t) s->var[i] = ad_const(1);
        for (i = 0; i < ARRAYS; i++) if (s->array[i].tape == t) s->array[i].rank = -1;
        for (i = 0; i < MARKS; i++) s->mark[i] = (size_t)-1;
        break;
    case 14: if (next(s, 3) == 0) ad_tape_reset(t); else ad_tape_clear_status(t); break;
    default: status(ad_tape_reserve(t, next(s, 100))); break;
    }
}

static void function(state *s)
{
    ad_var x[6], y[6];
    const size_t n = some_vars(s, x), m = some_vars(s, y), at = next(s, FNS);
    ad_fn *f = a_fn(s), *made = NULL;
    const ad_fn_stats stats = ad_fn_get_stats(f);
    double in[64];
    ad_port from[64], to[64];
    ad_emit_desc e;
    ad_fn_desc d;
    size_t i, pieces = (size_t)-1;
    ad_array a[4], r;
    memset(&d, 0, sizeof d);
    memset(&e, 0, sizeof e);
    for (i = 0; i < 64; i++) in[i] = fuzz_number(&s->b);
    d.flags = (unsigned)next(s, 4);
    d.skip = (unsigned)next(s, 4) ? 0 : (unsigned)next(s, 256) * 4;
    switch (next(s, 12)) {
    case 0: case 1: case 2: made = ad_fn_create(a_tape(s), n, x, m, y, &d); break;
    case 3: made = ad_fn_gradient(f); break;
    case 4: made = ad_fn_jacobian(f); break;
    case 5: made = ad_fn_jvp(f); break;
    case 6: made = ad_fn_vjp(f); break;
    case 7: if (stats.inputs <= 64) status(ad_fn_eval(f, in, s->out)); break;
    case 8:
        if (stats.inputs > 64 || stats.outputs > 64) break;
        for (i = 0; i < 64; i++) {
            from[i] = next(s, 3) ? ad_port_in(in + i, 0) : ad_port_in(in, 1);
            to[i] = next(s, 3) ? ad_port_out(s->out + i * 64, 1) : ad_port_sum(s->out + i * 64);
        }
        status(ad_fn_map(f, next(s, 64), from, to, NULL));
        break;
    case 9:
        e.form = (ad_emit_form)next(s, 4);
        e.piece = next(s, 9);
        status(ad_fn_emit(f, &e, fuzz_write, &pieces));
        break;
    case 10:
        if (stats.inputs > 6 || stats.outputs > 6) break;
        for (i = 0; i < 6; i++) x[i] = a_var(s);
        status(ad_fn_record(f, a_tape(s), x, y));
        for (i = 0; i < stats.outputs && ad_fn_status(f) == AD_OK; i++) keep(s, y[i]);
        break;
    default:
        for (i = 0; i < 4; i++) a[i] = an_array(s);
        r = ad_array_map(f, next(s, 5), a);          /* f must live as long: so it is not kept */
        if (r.tape) ad_tape_reset(r.tape);
        break;
    }
    if (!made) return;
    if (ad_fn_get_stats(made).outputs > 64 || ad_fn_get_stats(made).nodes > 2000) {
        ad_fn_destroy(made);
        return;
    }
    REQUIRE(ad_fn_status(made) == AD_OK || ad_fn_message(made)[0]);
    ad_fn_destroy(s->fn[at]);
    s->fn[at] = made;
}

static void array(state *s)
{
    ad_array a = an_array(s), b = an_array(s), many[3], pieces[4];
    int32_t dim[6], other[6];
    const int rank = a_shape(s, dim), axis = (int)next(s, 7) - 3, k = (int)next(s, 9) - 4;
    const unsigned axes = next(s, 3) ? AD_AXIS(axis) : (unsigned)next(s, 256) | AD_NO_AXES;
    const int keepdims = (int)next(s, 2);
    uint32_t index[24];
    ad_conv_desc c;
    ad_pool_desc p;
    ad_var x[24];
    size_t i, which;
    for (i = 0; i < 24; i++) {
        index[i] = (uint32_t)next(s, 5);
        x[i] = s->var[i % VARS];
    }
    for (i = 0; i < 3; i++) many[i] = pieces[i] = an_array(s);
    memset(&c, 0, sizeof c);
    memset(&p, 0, sizeof p);
    for (i = 0; i < 2; i++) {
        c.stride[i] = (int32_t)next(s, 4);
        c.pad[i] = (int32_t)next(s, 3);
        c.dilation[i] = (int32_t)next(s, 4);
        c.extra[i] = (int32_t)next(s, 3) ? 0 : 1;
        p.size[i] = (int32_t)next(s, 4);
        p.stride[i] = (int32_t)next(s, 3);
        p.pad[i] = (int32_t)next(s, 3) - 1;
    }
    c.groups = (int32_t)next(s, 3);
    a_shape(s, other);
    which = next(s, 256);
    /* older files mean what they did */
    switch (which < 224 ? which % 56 : which < 248 ? which % 8 + 56 : which % 8 + 64) {
    default:
        keep_array(s, ad_array_input(a_tape(s), rank, dim, next(s, 2) ? s->data : NULL));
        break;
    case 0: keep_array(s, ad_array_borrow(a_tape(s), rank, dim, s->data)); break;
    case 1: keep_array(s, ad_array_const(a_tape(s), rank, dim, s->data)); break;
    case 2: keep_array(s, ad_array_const_borrow(a_tape(s), rank, dim, s->data)); break;
    case 3: keep_array(s, ad_array_full(a_tape(s), rank, dim, 0.5)); break;
    case 4:
        if (rank < 3) keep_array(s, ad_array_pack(a_tape(s), rank, dim, x));
        break;
    case 5: keep(s, ad_array_at(a, next(s, 30))); break;
    case 6: keep(s, ad_array_item(a)); break;
    case 7: if (ad_array_size(a) <= 24) status(ad_array_unpack(a, x)); break;
    case 8: keep_array(s, ad_array_name(a, "n")); break;
    case 9: status(ad_array_backward(a, next(s, 2) ? s->data : NULL)); break;
    case 10: {
        const double *dot[2];
        dot[0] = s->data;
        dot[1] = NULL;
        status(ad_array_forward(a_tape(s), 2, many, dot));
        break;
    }
    case 11: if (ad_array_adjoints(a) && ad_array_values(a)) ad_array_tangents(a); break;
    case 12:
        status(ad_array_grad(a_var(s), 2, many, pieces));
        keep_array(s, pieces[1]);
        break;
    case 13: case 14: case 15: case 16: keep_array(s, rules1[next(s, COUNT(rules1))](a)); break;
    case 17: case 18: case 19: case 20: keep_array(s, rules2[next(s, COUNT(rules2))](a, b)); break;
    case 21: keep_array(s, rules3[next(s, COUNT(rules3))](a, b, many[0])); break;
    case 22: keep_array(s, ad_array_mul_r(a, fuzz_number(&s->b))); break;
    case 23: keep_array(s, ad_array_sum(a, axes, keepdims)); break;
    case 24: keep_array(s, ad_array_mean(a, axes, keepdims)); break;
    case 25: keep_array(s, ad_array_prod(a, axes, keepdims)); break;
    case 26: keep_array(s, ad_array_amax(a, axes, keepdims)); break;
    case 27: keep_array(s, ad_array_norm(a, axes, keepdims)); break;
    case 28: keep_array(s, ad_array_logsumexp(a, axes, keepdims)); break;
    case 29: keep_array(s, ad_array_std(a, axes, keepdims, k)); break;
    case 30: keep_array(s, ad_array_cumsum(a, axis)); break;
    case 31: if (ad_array_size(a) <= 24) status(ad_array_argmax(a, axis, index)); break;
    case 32: keep_array(s, ad_array_matmul_t(a, keepdims, b, (int)next(s, 2))); break;
    case 33: keep_array(s, ad_array_diagonal(a, k)); break;
    case 34: keep_array(s, ad_array_tril(a, k)); break;
    case 35:
        keep_array(s, ad_array_triangular_solve(a, b, (ad_triangle)next(s, 2), keepdims));
        break;
    case 36: keep_array(s, ad_array_reshape(a, rank, dim)); break;
    case 37: keep_array(s, ad_array_broadcast_to(a, rank, dim)); break;
    case 38: {
        int order[4];
        for (i = 0; i < 4; i++) order[i] = (int)next(s, 5) - (int)(next(s, 9) == 0);
        keep_array(s, ad_array_permute(a, order));
        break;
    }
    case 39:
        keep_array(s, ad_array_slice(a, axis, (int32_t)next(s, 8) - 4, next(s, 3) ? AD_END
            : (int32_t)next(s, 8) - 4, k));
        break;
    case 40: keep_array(s, ad_array_flip(a, axes)); break;
    case 41: keep_array(s, ad_array_concatenate(next(s, 4), many, axis)); break;
    case 42: keep_array(s, ad_array_stack(next(s, 4), many, axis)); break;
    case 43: status(ad_array_split(a, axis, next(s, 4), pieces)); break;
    case 44: if (a.rank >= 0) keep_array(s, ad_array_pad(a, dim, other, 1.5)); break;
    case 45: if (a.rank >= 0) keep_array(s, ad_array_tile(a, dim)); break;
    case 46: keep_array(s, ad_array_gather(a, axis, next(s, 6), index)); break;
    case 47: keep_array(s, ad_array_scatter_add(a, axis, next(s, 6), index, b)); break;
    case 48: if (rank < 3) keep_array(s, ad_array_embedding(a, rank, dim, index)); break;
    case 49: keep_array(s, next(s, 2) ? ad_array_softmax(a, axis) : ad_array_log_softmax(a, axis));
        break;
    case 50:
        keep_array(s, next(s, 2) ? ad_array_conv1d(a, b, &c) : ad_array_conv2d(a, b, &c));
        break;
    case 51:
        keep_array(s, next(s, 2) ? ad_array_conv1d_transpose(a, b, &c)
                                 : ad_array_conv2d_transpose(a, b, &c));
        break;
    case 52: keep_array(s, next(s, 2) ? ad_array_max_pool(a, &p) : ad_array_avg_pool(a, &p)); break;
    case 53:
        keep_array(s, next(s, 2) ? ad_array_layer_norm(a, b, many[0], 0)
                                 : ad_array_group_norm(a, k, b, many[0], 0));
        break;
    case 54: keep_array(s, ad_array_huber(a, b, 0.5, (ad_reduction)next(s, 3))); break;
    case 55: keep_array(s, ad_array_cross_entropy(a, index, (ad_reduction)next(s, 3))); break;
    case 56:
        if (a.rank >= 0) keep_array(s, ad_array_pad_mode(a, dim, other, (ad_pad_mode)next(s, 5)));
        break;
    case 57: {
        ad_conv3d_desc v;
        memset(&v, 0, sizeof v);
        for (i = 0; i < 3; i++) {
            v.stride[i] = (int32_t)next(s, 3);
            v.pad[i] = (int32_t)next(s, 4);
            v.dilation[i] = (int32_t)next(s, 3);
        }
        v.groups = (int32_t)next(s, 3), v.same = (int32_t)next(s, 2);
        v.pad_mode = (int32_t)next(s, 5);
        keep_array(s, ad_array_conv3d(a, b, (int32_t)next(s, 4), &v));
        break;
    }
    case 58:
        keep_array(s, next(s, 2) ? ad_array_adaptive_max_pool(a, dim)
                                 : ad_array_adaptive_avg_pool(a, dim));
        break;
    case 59:
        keep_array(s, ad_array_interpolate(a, dim, (ad_interpolation)next(s, 3), (int)next(s, 2)));
        break;
    case 61: case 62: {
        ad_recurrent layer;
        ad_array last;
        layer.weight_ih = many[0], layer.weight_hh = many[1];
        layer.bias_ih = layer.bias_hh = an_array(s);
        if (next(s, 2)) memset(&layer.bias_ih, 0, sizeof layer.bias_ih);
        keep_array(s, which % 2 ? ad_array_lstm(a, b, b, &layer, &last)
                                : ad_array_gru(a, b, &layer));
        keep_array(s, ad_array_attention(a, b, many[0], many[1], (int)next(s, 2), 0));
        break;
    }
    case 63: {
        ad_attention how;
        memset(&how, 0, sizeof how);
        how.in_proj_weight = many[0], how.out_proj_weight = many[1];
        how.heads = k, how.causal = (int)next(s, 2);
        keep_array(s, ad_array_multi_head_attention(a, b, b, &how));
        break;
    }
    case 64: case 65: {
        static const char *const letters[] = { "ij,jk", "ii", "ab->ba", "bij,bjk->bik", "i,j->ij",
            "abc,cd->dab", "ii->i", ",", "aab,b->a", "ij,ij->", "abcd", "ab,bc->cab", "i.j", "" };
        keep_array(s, ad_array_einsum(letters[next(s, COUNT(letters))], a, b));
        break;
    }
    case 66:
        status(ad_array_slogdet(a, pieces, next(s, 2) ? pieces + 1 : NULL));
        keep_array(s, pieces[next(s, 2)]);
        break;
    case 67:
        status(ad_array_qr(a, pieces, pieces + 1));
        keep_array(s, pieces[next(s, 2)]);
        break;
    case 68:
        status(ad_array_eigh(a, pieces, next(s, 2) ? pieces + 1 : NULL));
        keep_array(s, pieces[next(s, 2)]);
        break;
    case 69: case 70:
        status(ad_array_svd(a, pieces, pieces + 1, next(s, 2) ? pieces + 2 : NULL));
        keep_array(s, pieces[next(s, 3)]);
        break;
    case 71: keep_array(s, ad_array_lstsq(a, b)); break;
    case 60:
        c.same = (int32_t)next(s, 2), c.pad_mode = (int32_t)next(s, 5);
        keep_array(s, next(s, 2) ? ad_array_conv1d(a, b, &c) : ad_array_conv2d(a, b, &c));
        break;
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static union { char bytes[6000]; double align; } buffer;
    static state s;
    ad_tape_desc d;
    size_t i;
    memset(&s, 0, sizeof s);
    memset(&d, 0, sizeof d);
    s.b.at = data;
    s.b.end = data + size;
    s.out = (double *)malloc(64 * 64 * sizeof *s.out);
    for (i = 0; i < MOST; i++) s.data[i] = 0.25 * (double)(i % 9) - 0.5;
    d.debug = (int)fuzz_next(&s.b, 2);
    s.tape[0] = ad_tape_create(&d);
    if (fuzz_next(&s.b, 2)) {
        d.buffer = buffer.bytes;
        d.buffer_bytes = sizeof buffer.bytes;
    } else {
        d.max_slots = 40;
    }
    s.tape[1] = ad_tape_create(&d);
    for (i = 0; i < FNS; i++) s.fn[i] = i ? NULL : ad_fn_parse("x*y + exp(x)", "x, y", NULL, 0);
    for (i = 0; i < ARRAYS; i++) s.array[i].rank = -1;
    for (i = 0; i < STEPS && s.b.at < s.b.end && s.out; i++) {
        size_t k;
        switch (fuzz_next(&s.b, 8)) {
        case 0: case 1: record(&s); break;
        case 2: sweep(&s); break;
        case 3: function(&s); break;
        default: array(&s); break;
        }
        for (k = 0; k < 2; k++)
            REQUIRE(!s.tape[k] || ad_tape_status(s.tape[k]) == AD_OK
                    || ad_tape_message(s.tape[k])[0]);
    }
    for (i = 0; i < FNS; i++) ad_fn_destroy(s.fn[i]);
    for (i = 0; i < TAPES; i++) ad_tape_destroy(s.tape[i]);
    free(s.out);
    return 0;
}
