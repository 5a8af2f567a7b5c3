/* The part of test_arrays.c that depends on the real type: trials of one operation, and what is
   tested without a reference loop. Parameters: AREAL the type, A(name) the library's names, T(name)
   the names here, AEPS the type's epsilon, ASINGLE 1 for float. */

/* ---------------------------------------------------------------- calling operations */

typedef struct T(rule_calls) {
    A(array) (*one)(A(array)), (*two)(A(array), A(array)), (*right)(A(array), AREAL),
        (*left)(AREAL, A(array)), (*three)(A(array), A(array), A(array));
} T(rule_calls);

static const T(rule_calls) T(rules)[] = {
#define X1(n, class_, v, dx) { A(array_##n), NULL, NULL, NULL, NULL },
#define X2(n, class_, v, dx, dy)                                                                   \
    { NULL, A(array_##n), A(array_##n##_r), A(array_##n##_from_r), NULL },
#define X3(n, class_, v, dx, dy, dz) { NULL, NULL, NULL, NULL, A(array_##n) },
    ADI_READ((X1, X2, X3, ADI_SKIPN, ADI_WORDS(ADI_WORD_TEXT)))
#undef X1
#undef X2
#undef X3
};

static A(fn) *T(map)[3];

static A(array) T(split)(A(array) a, const param *p)
{
    A(array) pieces[OPERANDS], r;
    size_t k;
    if (A(array_split)(a, p->axis, p->n, pieces) != AD_OK) return pieces[0];
    r = A(array_mul_r)(pieces[0], 1);
    for (k = 1; k < p->n; k++)
        if (!p->k || k % 2 == 0) r = A(array_add)(r, A(array_mul_r)(pieces[k], (AREAL)(k + 1)));
    return r;
}

static A(array) T(nothing)(void)
{
    A(array) none;
    memset(&none, 0, sizeof none);
    return none;
}

static A(array) T(attention)(const A(array) *u, const param *p)
{
    return A(array_attention)(u[0], u[1], u[2], T(nothing)(), p->flag_a, (AREAL)p->number);
}

static A(array) T(batch_norm_with)(const A(array) *u, const param *p)
{
    AREAL fixed[2][8];
    int i;
    for (i = 0; i < 8; i++) {
        fixed[0][i] = (AREAL)p->fixed[0][i];
        fixed[1][i] = (AREAL)p->fixed[1][i];
    }
    return A(array_batch_norm_with)(u[0], u[1], u[2], (AREAL)p->number, fixed[0], fixed[1]);
}

/* Weights of the classes, smoothing and the class that is left out, as the reference has them. */
static A(array) T(weighted)(const A(array) *u, const param *p)
{
    A(cross_entropy_desc) d;
    AREAL weight[24];
    const uint32_t ignored = (uint32_t)p->k;
    size_t k;
    memset(&d, 0, sizeof d);
    for (k = 0; k < 24; k++) weight[k] = (AREAL)class_weight(k);
    if (p->flag_a & 1) d.weight = weight;
    if (p->flag_a & 2) d.ignored = &ignored;
    d.smoothing = (AREAL)p->number;
    return A(array_cross_entropy_weighted)(u[0], p->index, p->flag_a || p->number > 0 ? &d : NULL,
        p->how);
}

static A(array) T(call)(operation op, const A(array) *u, const param *p)
{
    switch (op) {
#define X(name, call) case OP_##name: return call;
    OPERATIONS(X)
#undef X
    default: return u[0];
    }
}

static size_t T(slots)(const A(tape) *t) { return A(tape_get_stats)(t).slots; }

/* ---------------------------------------------------------------- trials */

static AREAL T(numbers)[OPERANDS][MOST + 16];            /* borrowed numbers live here */

static void T(doubles)(double *to, const AREAL *from, size_t n)
{
    size_t e;
    for (e = 0; e < n; e++) to[e] = from ? (double)from[e] : 0;
}

/* Operand k of the sample in the form that is asked for; x becomes the array behind it, or one
   without a tape. */
static A(array) T(operand)(A(tape) *t, const trial *q, int k, A(array) *x)
{
    const sample *const s = q->s;
    const double *const from = q->x[k] ? q->x[k] : s->x[k];
    const size_t n = s->n[k];
    const int rank = s->rank[k];
    const int32_t *const dim = s->dim[k];
    AREAL *const r = T(numbers)[k];
    A(array) u;
    size_t e;
    memset(x, 0, sizeof *x);
    for (e = 0; e < n; e++) {
        if (q->as[k] == NON_LEAF || q->as[k] == DETACHED) r[e] = (AREAL)from[e];
        else r[e] = (AREAL)(s->fixed >> k & 1 ? s->u[k][e] : g_of(from[e]));
    }
    switch (q->as[k]) {
    case NON_LEAF:
    case DETACHED:
        *x = A(array_input)(t, rank, dim, r);
        u = A(array_add)(A(array_mul_r)(*x, (AREAL)1.5),
            A(array_mul)(A(array_mul_r)(*x, (AREAL)0.125), *x));
        if (q->as[k] == DETACHED) {
            memset(x, 0, sizeof *x);
            return A(array_detach)(u);
        }
        return u;
    case LEAF: return A(array_input)(t, rank, dim, r);
    case BORROWED: return A(array_borrow)(t, rank, dim, r);
    case CONSTANT: return A(array_const)(t, rank, dim, r);
    case CONSTANT_BORROWED: return A(array_const_borrow)(t, rank, dim, r);
    case PIECE: {
        static AREAL longer[MOST + 8];
        const int32_t length = (int32_t)n + 8;
        const size_t inner = rank > 1 && dim[0] ? n / (size_t)dim[0] : (size_t)MOST;
        if (inner <= 4) {                                    /* rows of an array of its rank */
            int32_t more[4];
            memcpy(more, dim, sizeof more);
            more[0] = dim[0] + 2;
            for (e = 0; e < n + 2 * inner; e++)
                longer[e] = e >= inner && e < n + inner ? r[e - inner] : (AREAL)99;
            return A(array_slice)(A(array_input)(t, rank, more, longer), 0, 1, dim[0] + 1, 1);
        }
        for (e = 0; e < n + 8; e++) longer[e] = e >= 3 && e < n + 3 ? r[e - 3] : (AREAL)99;
        u = A(array_input)(t, 1, &length, longer);
        u = A(array_slice)(u, 0, 3, (int32_t)n + 3, 1);
        return A(array_reshape)(u, rank, dim);
    }
    default: {
        A(var) *const list = (A(var) *)malloc((n + 1) * sizeof *list);
        for (e = 0; e < n; e++) {
            const A(var) z = A(input)(t, (AREAL)from[e]);
            list[e] = e % 3 == 1 ? A(const)((AREAL)g_of(from[e]))
                : A(var_add)(A(var_mul_r)(z, (AREAL)1.5),
                    A(var_mul)(A(var_mul_r)(z, (AREAL)0.125), z));
        }
        u = A(array_pack)(t, rank, dim, list);
        free(list);
        return u;
    }
    }
}

static A(array) T(weights)(A(tape) *t, A(array) like, int which)
{
    static AREAL w[MOST_Y];
    const size_t n = A(array_size)(like);
    size_t e;
    for (e = 0; e < n; e++) w[e] = (AREAL)weight(e, which);
    return A(array_const)(t, like.rank, like.dim, w);
}

/* The loss as an array of rank 0. */
static A(array) T(loss_arrays)(A(tape) *t, const sample *s, A(array) y, const A(array) *u)
{
    A(array) l = A(array_sum)(A(array_mul)(T(weights)(t, y, W_LINEAR), y), AD_ALL_AXES, 0);
    int k;
    if (!(s->flags & LINEAR))
        l = A(array_add)(l, A(array_mul_r)(A(array_sum)(A(array_mul)(A(array_square)(y),
            T(weights)(t, y, W_SQUARE)), AD_ALL_AXES, 0), (AREAL)0.25));
    for (k = 0; k < s->operands; k++)
        if (!(s->fixed >> k & 1))
            l = A(array_add)(l, A(array_sum)(A(array_mul)(T(weights)(t, u[k], W_OPERAND + k),
                u[k]), AD_ALL_AXES, 0));
    return l;
}

/* The same by scalar operations on elements. */
static A(var) T(loss_scalars)(const sample *s, A(array) y, const A(array) *u)
{
    const size_t n = A(array_size)(y);
    A(var) *const e = (A(var) *)malloc((n + 1) * sizeof *e);
    AREAL *const w = (AREAL *)malloc((n + 1) * sizeof *w);
    A(var) l = A(const)(0);
    size_t i;
    int k;
    A(array_unpack)(y, e);
    for (i = 0; i < n; i++) {
        w[i] = (AREAL)weight(i, W_LINEAR);
        if (!(s->flags & LINEAR))
            l = A(var_add)(l, A(var_mul_r)(A(var_square)(e[i]),
                (AREAL)(0.25 * weight(i, W_SQUARE))));
    }
    l = A(var_add)(l, A(var_lincomb)(n, w, e));
    free(w);
    for (k = 0; k < s->operands; k++)
        for (i = 0; i < s->n[k]; i++)
            if (!(s->fixed >> k & 1))
                l = A(var_add)(l, A(var_mul_r)(A(array_at)(u[k], i),
                    (AREAL)weight(i, W_OPERAND + k)));
    free(e);
    return l;
}

/* y again: its elements, every third through a scalar operation, packed. */
static A(array) T(repacked)(A(tape) *t, A(array) y)
{
    const size_t n = A(array_size)(y);
    A(var) *const e = (A(var) *)malloc((n + 1) * sizeof *e);
    A(array) r;
    size_t i;
    A(array_unpack)(y, e);
    for (i = 0; i < n; i += 3) e[i] = A(var_add)(A(var_mul_r)(e[i], 2), A(var_neg)(e[i]));
    r = A(array_pack)(t, y.rank, y.dim, e);
    free(e);
    return r;
}

static void T(hessian_products)(A(tape) *t, const sample *s, A(var) l, const A(array) *x,
    const int *live, outcome *o, int work)
{
    A(array) g[OPERANDS], inputs[OPERANDS], seeds = A(array_full)(t, 0, NULL, 0);
    const size_t most = s->n[0] + s->n[1] + s->n[2] + 1;
    A(var) *const e = (A(var) *)malloc(most * sizeof *e);
    AREAL *const v = (AREAL *)malloc(most * sizeof *v);
    const AREAL *dot[OPERANDS];
    size_t n = 0, i, count = 0, j;
    int k;
    for (k = 0; k < s->operands; k++) {
        if (!live[k]) continue;
        inputs[count] = x[k];
        dot[count++] = v + n;
        for (i = 0; i < s->n[k]; i++) {
            e[n] = A(array_at)(x[k], i);
            v[n++] = (AREAL)s->v[k][i];
        }
    }
    EXPECT(A(array_grad)(l, count, inputs, g) == AD_OK);
    for (j = 0, k = 0; k < s->operands; k++) {
        if (!live[k]) continue;
        EXPECT(g[j].rank == x[k].rank && memcmp(g[j].dim, x[k].dim, sizeof g[j].dim) == 0);
        T(doubles)(o->grad[k], A(array_values)(g[j]), s->n[k]);
        j++;
    }
    EXPECT(A(array_forward)(t, count, inputs, dot) == AD_OK);
    for (j = 0, k = 0; k < s->operands; k++)
        if (live[k]) T(doubles)(o->hv_tangent[k], A(array_tangents)(g[j++]), s->n[k]);
    for (j = 0, k = 0; k < s->operands; k++) {
        if (!live[k]) continue;
        seeds = A(array_add)(seeds, A(array_sum)(A(array_mul)(g[j],
            A(array_const)(t, s->rank[k], s->dim[k], dot[j])), AD_ALL_AXES, 0));
        j++;
    }
    if (A(array_item)(seeds).tape) EXPECT(A(backward)(A(array_item)(seeds)) == AD_OK);
    for (k = 0; k < s->operands; k++)
        if (live[k])
            T(doubles)(o->hv_recorded[k], A(array_item)(seeds).tape ? A(array_adjoints)(x[k])
                : NULL, s->n[k]);
    EXPECT(A(forward_over_reverse)(l, n, e, v) == AD_OK);
    for (n = 0, k = 0; k < s->operands; k++) {
        int same = 1;
        for (i = 0; live[k] && i < s->n[k]; i++, n++) {
            o->hv_dual[k][i] = (double)A(adjoint_tangent)(e[n]);
            same &= fabs((double)A(adjoint)(e[n]) - o->x_bar[k][i])
                <= 64 * (double)AEPS * (1 + fabs(o->x_bar[k][i]));
        }
        EXPECT(same);
    }
    if (n <= 64 && (work & HESSIAN)) {
        AREAL *const H = (AREAL *)malloc((n * n + 1) * sizeof *H);
        size_t row = 0;
        EXPECT(A(hessian_of)(l, n, e, H) == AD_OK);
        for (k = 0; k < s->operands; k++)
            for (i = 0; live[k] && i < s->n[k]; i++, row++) {
                o->hv_matrix[k][i] = 0;
                for (j = 0; j < n; j++)
                    o->hv_matrix[k][i] += (double)H[row * n + j] * (double)v[j];
            }
        free(H);
    } else {
        for (k = 0; k < s->operands; k++)
            memcpy(o->hv_matrix[k], o->hv_dual[k], s->n[k] * sizeof o->hv_dual[k][0]);
    }
    free(e);
    free(v);
}

/* One trial: everything that it says it wants, in o. */
static void T(run)(const trial *q, outcome *o)
{
    const sample *const s = q->s;
    A(array) x[OPERANDS], u[OPERANDS], y, l;
    A(var) loss;
    A(tape) *t;
    ad_tape_desc desc;
    int k, live[OPERANDS] = { 0, 0, 0 }, any = 0;
    size_t e, before;
    now.real = ASINGLE ? "float" : "double";
    now.s = s;
    now.q = q;
    memset(&desc, 0, sizeof desc);
    desc.simd = q->simd;
    t = A(tape_create)(&desc);
    for (k = 0; k < OPERANDS; k++) {
        memset(&u[k], 0, sizeof u[k]);
        memset(&x[k], 0, sizeof x[k]);
        if (!q->zeroed) u[k].rank = -1;
        if (k >= s->operands) continue;
        if (k && q->alias >> k & 1) {
            u[k] = u[0];
            continue;
        }
        u[k] = T(operand)(t, q, k, &x[k]);
        live[k] = x[k].tape != NULL;
        any |= q->as[k] <= PACKED && s->n[k] > 0;
    }
    if (any) {         /* what is rewound leaves nothing, where there has been an array before */
        const size_t none = A(tape_get_stats)(t).bytes_used;
        const A(array) first = A(array_full)(t, 0, NULL, 1);
        const size_t mark = A(tape_mark)(t), used = A(tape_get_stats)(t).bytes_used;
        EXPECT(first.tape == t && used > none + sizeof(AREAL));
        T(call)(s->op, u, &s->p);
        A(tape_rewind)(t, mark);
        EXPECT(A(tape_get_stats)(t).bytes_used == used);
    }
    before = T(slots)(t);
    y = T(call)(s->op, u, &s->p);
    o->constant = T(slots)(t) == before;
    o->status = A(tape_status)(t);
    snprintf(o->message, sizeof o->message, "%s", A(tape_message)(t));
    o->rank = y.rank;
    memcpy(o->dim, y.dim, sizeof o->dim);
    o->n = A(array_size)(y);
    if (o->status != AD_OK || o->n > MOST_Y) {
        A(tape_destroy)(t);
        return;
    }
    T(doubles)(o->y, A(array_values)(y), o->n);
    if (s->flags & VALUE_ONLY) {
        A(tape_destroy)(t);
        return;
    }
    if (q->end == BY_SEED) {
        static AREAL seed[MOST_Y];
        o->loss = 0;
        for (e = 0; e < o->n; e++)
            seed[e] = (AREAL)(weight(e, W_LINEAR)
                + (s->flags & LINEAR ? 0 : 0.5 * weight(e, W_SQUARE) * o->y[e]));
        if (any && o->n) EXPECT(A(array_backward)(y, seed) == AD_OK);
        for (k = 0; k < s->operands; k++) {
            T(doubles)(o->u_bar[k], any && o->n ? A(array_adjoints)(u[k]) : NULL, s->n[k]);
            for (e = 0; e < s->n[k]; e++)
                if (!(s->fixed >> k & 1)) o->u_bar[k][e] += weight(e, W_OPERAND + k);
        }
        EXPECT(A(tape_status)(t) == AD_OK);
        A(tape_destroy)(t);
        return;
    }
    if (q->end == BY_SCALARS) {
        loss = T(loss_scalars)(s, y, u);
    } else {
        if (q->end == BY_BOTH) y = T(repacked)(t, y);
        l = T(loss_arrays)(t, s, y, u);
        EXPECT(l.rank == 0);
        loss = A(array_item)(l);
    }
    o->loss = (double)loss.v;
    EXPECT((loss.tape != NULL) == any);
    o->same_twice = 1;
    if (loss.tape) {
        EXPECT(A(backward)(loss) == AD_OK);
        for (k = 0; k < s->operands; k++) {
            EXPECT((A(array_adjoints)(u[k]) == NULL) == (q->as[k] > PACKED || s->n[k] == 0));
            T(doubles)(o->u_bar[k], A(array_adjoints)(u[k]), s->n[k]);
            if (live[k]) T(doubles)(o->x_bar[k], A(array_adjoints)(x[k]), s->n[k]);
        }
        EXPECT(A(backward)(loss) == AD_OK);
        for (k = 0; k < s->operands; k++) {
            const AREAL *const again = A(array_adjoints)(u[k]);
            for (e = 0; again && e < s->n[k]; e++)
                o->same_twice &= (double)again[e] == o->u_bar[k][e]
                    || (again[e] != again[e] && o->u_bar[k][e] != o->u_bar[k][e]);
        }
        if (!q->work) {                          /* of operands, whatever they are on the tape */
            static double recorded[MOST];
            A(array) g[OPERANDS];
            EXPECT(A(array_grad)(loss, (size_t)s->operands, u, g) == AD_OK);
            for (k = 0; k < s->operands; k++) {
                T(doubles)(recorded, A(array_values)(g[k]), s->n[k]);
                AGREE("recorded gradient of an operand", s->n[k], recorded, o->u_bar[k],
                    ASINGLE ? 3e-4 : 4e-13);
            }
        }
        if (q->work & TANGENTS) {
            A(array) inputs[OPERANDS];
            static AREAL dots[OPERANDS][MOST];
            const AREAL *dot[OPERANDS];
            size_t count = 0;
            for (k = 0; k < s->operands; k++) {
                if (!live[k]) continue;
                for (e = 0; e < s->n[k]; e++) dots[k][e] = (AREAL)s->v[k][e];
                dot[count] = dots[k];
                inputs[count++] = x[k];
            }
            EXPECT(A(array_forward)(t, count, inputs, dot) == AD_OK);
            T(doubles)(o->y_dot, A(array_tangents)(y), o->n);
            o->loss_dot = (double)A(tangent)(loss);
        }
        if (q->work & RECORDED) T(hessian_products)(t, s, loss, x, live, o, q->work);
    }
    if (q->work & JACOBIANS) {
        size_t n = 0, m = o->n;
        const size_t most = s->n[0] + s->n[1] + s->n[2];
        A(var) *const list = (A(var) *)malloc((most + m + 1) * sizeof *list);
        AREAL *const J = (AREAL *)malloc(2 * MOST_J * sizeof *J);
        A(var) *const out = list + most;
        for (k = 0; k < s->operands; k++)
            for (e = 0; live[k] && e < s->n[k]; e++) list[n++] = A(array_at)(x[k], e);
        A(array_unpack)(y, out);
        memset(J, 0, 2 * MOST_J * sizeof *J);
        if (n > 0 && n <= MOST_COLUMNS && m > 0 && n * m <= MOST_J && loss.tape) {
            EXPECT(A(jacobian_forward)(t, n, list, m, out, J) == AD_OK);
            EXPECT(A(jacobian_reverse)(t, n, list, m, out, J + MOST_J) == AD_OK);
        }
        T(doubles)(o->forward, J, MOST_J);
        T(doubles)(o->reverse, J + MOST_J, MOST_J);
        free(list);
        free(J);
    }
    if (!EXPECT(A(tape_status)(t) == AD_OK))
        test_check(0, __FILE__, __LINE__, "%s", A(tape_message)(t));
    A(tape_destroy)(t);
}

/* ---------------------------------------------------------------- conventions */

static A(array) T(make)(A(tape) *t, int rank, int32_t a, int32_t b, int32_t c, int32_t d)
{
    AREAL v[1000];
    int32_t dim[4];
    size_t e, n;
    dim[0] = a;
    dim[1] = b;
    dim[2] = c;
    dim[3] = d;
    n = size_of(rank, dim);
    for (e = 0; e < n; e++) v[e] = (AREAL)(weight(e, 5) + 0.0625);
    return A(array_input)(t, rank, dim, v);
}

static A(array) T(vector)(A(tape) *t, size_t n, const AREAL *v)
{
    const int32_t dim = (int32_t)n;
    return A(array_input)(t, 1, &dim, v);
}

/* The same numbers in another shape. */
static A(array) T(shaped)(A(array) x, int rank, int32_t a, int32_t b, int32_t c, int32_t d)
{
    int32_t dim[4];
    dim[0] = a;
    dim[1] = b;
    dim[2] = c;
    dim[3] = d;
    return A(array_reshape)(x, rank, dim);
}

/* A vector of the numbers in a text. */
static A(array) T(list)(A(tape) *t, const char *text)
{
    AREAL v[64];
    char *end = (char *)(uintptr_t)text;
    size_t n = 0;
    int32_t dim;
    while (*end) v[n++] = (AREAL)strtod(end, &end);
    dim = (int32_t)n;
    return A(array_input)(t, 1, &dim, v);
}

/* The adjoints of x under the sum of y, against what they are to be, in the numeric sweep and
   recorded. */
static void T(wants)(A(array) y, A(array) x, size_t n, const double *want, int line)
{
    const AREAL *bar;
    A(array) g;
    A(var) l;
    size_t e;
    if (!test_check(A(array_backward)(y, NULL) == AD_OK, __FILE__, line, "sweep: %s",
        A(tape_message)(x.tape))) return;
    bar = A(array_adjoints)(x);
    for (e = 0; e < n; e++)
        test_check(bar && test_near((double)bar[e], want[e], 8 * (double)AEPS), __FILE__, line,
            "%s: adjoint %d is %.9g, not %.9g", ASINGLE ? "float" : "double", (int)e,
            bar ? (double)bar[e] : 0, want[e]);
    l = A(array_item)(A(array_sum)(y, AD_ALL_AXES, 0));
    if (!test_check(A(array_grad)(l, 1, &x, &g) == AD_OK, __FILE__, line, "recorded: %s",
        A(tape_message)(x.tape))) return;
    bar = A(array_values)(g);
    for (e = 0; e < n; e++)
        test_check(bar && test_near((double)bar[e], want[e], 8 * (double)AEPS), __FILE__, line,
            "%s: recorded adjoint %d is %.9g, not %.9g", ASINGLE ? "float" : "double", (int)e,
            bar ? (double)bar[e] : 0, want[e]);
}
static void T(wants_text)(A(array) y, A(array) x, const char *text, int line)
{
    double want[64];
    char *end = (char *)(uintptr_t)text;
    size_t n = 0;
    while (*end) want[n++] = strtod(end, &end);
    if (test_check(A(array_size)(x) == n, __FILE__, line, "%d numbers wanted", (int)n))
        T(wants)(y, x, n, want, line);
}
#define WANTS(y, x, text) T(wants_text)(y, x, text, __LINE__)

/* The numbers of a, NaN being equal to NaN. */
static void T(holds)(A(array) a, const char *want, int line)
{
    const AREAL *const v = A(array_values)(a);
    size_t e, n = A(array_size)(a);
    for (e = 0; v && e < n; e++) {
        const AREAL w = (AREAL)strtod(want, (char **)(uintptr_t)&want);
        test_check(v[e] == w || (v[e] != v[e] && w != w), __FILE__, line,
            "element %d is %.9g, not %.9g", (int)e, (double)v[e], (double)w);
    }
    test_check(v && strspn(want, " ") == strlen(want), __FILE__, line, "%d elements", (int)n);
}
#define HOLDS(a, want) T(holds)(a, want, __LINE__)

/* Orders: NaN, infinities, zeros of both signs, equal ones; long lines; what is scattered to one
   place; functions, whose indices are computed anew, and may be none. */
static void T(places)(void)
{
    A(tape) *const t = A(tape_create)(NULL);
    AREAL many[1000], out[12], *to[2], *bar;
    const AREAL *in[3];
    A(array) x, y, i, b, all[3];
    A(fn) *f, *g;
    size_t e;
    x = T(list)(t, "3 nan -1 inf -1 -inf 3");
    HOLDS(A(array_argsort)(x, 0, 0), "5 2 4 0 6 3 1");
    HOLDS(A(array_argsort)(x, 0, 1), "1 3 0 6 2 4 5");
    HOLDS(A(array_sort)(x, -1, 0), "-inf -1 -1 3 3 inf nan");
    HOLDS(A(array_topk)(x, 0, 3, 1, &i), "nan inf 3");
    HOLDS(i, "1 3 0");
    HOLDS(A(array_topk)(x, 0, 2, 0, NULL), "-inf -1");
    HOLDS(A(array_topk)(x, 0, 0, 0, &i), "");
    HOLDS(A(array_argsort)(T(list)(t, "0 -0 0 -0"), 0, 1), "0 1 2 3");
    /* equal ones have adjoints of their own */
    x = T(list)(t, "2 7 7 -1 7");
    WANTS(A(array_slice)(A(array_sort)(x, 0, 0), 0, 2, 4, 1), x, "0 1 1 0 0");
    WANTS(A(array_topk)(x, 0, 2, 1, NULL), x, "0 1 1 0 0");
    WANTS(A(array_argsort)(x, 0, 0), x, "0 0 0 0 0");
    for (e = 0; e < 1000; e++) many[e] = (AREAL)(e * 617 % 1000 / 4);
    i = A(array_argsort)(T(vector)(t, 1000, many), 0, 0);
    for (e = 0; e + 1 < 1000; e++) {
        const size_t p = (size_t)A(array_values)(i)[e], q = (size_t)A(array_values)(i)[e + 1];
        test_check(many[p] < many[q] || (many[p] == many[q] && p < q), __FILE__, __LINE__,
            "%d before %d", (int)p, (int)q);
    }
    /* the last of those with the same index, in whatever order they come */
    x = T(list)(t, "1 2 3");
    b = T(list)(t, "10 20 30 40 50");
    i = A(array_detach)(T(list)(t, "2 0 2 2 0"));
    y = A(array_scatter_along)(x, 0, i, b);
    HOLDS(y, "50 2 40");
    WANTS(y, b, "0 0 0 1 1");
    WANTS(y, x, "0 1 0");
    HOLDS(A(array_scatter_add_along)(x, 0, i, b), "71 2 83");
    b = T(list)(t, "nan inf 1 2 3");             /* what does not count may be anything */
    HOLDS(A(array_scatter_along)(x, 0, i, b), "3 2 2");
    HOLDS(A(array_scatter_along)(x, 0, A(array_slice)(i, 0, 0, 0, 1), A(array_slice)(b, 0, 0, 0,
        1)), "1 2 3");

    /* running products through zeros, which have derivatives; extremes, the last of equal ones */
    x = T(list)(t, "2 0 3 0 5");
    HOLDS(A(array_cumprod)(x, 0), "2 0 0 0 0");
    WANTS(A(array_cumprod)(x, 0), x, "1 8 0 0 0");
    x = T(list)(t, "1 3 3 2 3 nan 4");
    HOLDS(A(array_cummax)(x, 0), "1 3 3 3 3 nan nan");
    WANTS(A(array_slice)(A(array_cummax)(x, 0), 0, 0, 5, 1), x, "1 1 2 0 1 0 0");
    HOLDS(A(array_cummin)(x, 0), "1 1 1 1 1 nan nan");
    x = T(list)(t, "-inf -inf 1000 1000 inf");
    y = A(array_logcumsumexp)(x, 0);
    CHECK(A(array_values)(y)[1] == (AREAL)-INFINITY && A(array_values)(y)[4] == (AREAL)INFINITY);
    CHECK_NEAR(A(array_values)(y)[3], 1000 + log(2.0), 1000 * (double)AEPS);
    WANTS(A(array_slice)(y, 0, 3, 4, 1), x, "0 0 .5 .5 0");
    x = T(list)(t, "-1 1 0 0");
    HOLDS(A(array_vector_norm)(x, (AREAL)INFINITY, AD_ALL_AXES, 0), "1");
    WANTS(A(array_vector_norm)(x, (AREAL)INFINITY, AD_ALL_AXES, 0), x, "-.5 .5 0 0");
    WANTS(A(array_vector_norm)(x, 1, AD_ALL_AXES, 1), x, "-1 1 0 0");
    x = A(array_slice)(x, 0, 2, 4, 1);
    HOLDS(A(array_vector_norm)(x, 3, AD_ALL_AXES, 0), "0");
    WANTS(A(array_vector_norm)(x, 3, AD_ALL_AXES, 0), x, "0 0");
    WANTS(A(array_vector_norm)(x, (AREAL)1.5, AD_AXIS(0), 1), x, "0 0");
    HOLDS(A(array_vector_norm)(T(list)(t, "1 nan"), 3, AD_ALL_AXES, 0), "nan");
    HOLDS(A(array_roll)(T(list)(t, "1 2 3"), 0, INT32_MIN), "3 1 2");
    x = T(shaped)(T(list)(t, "0 0 nan 0"), 2, 2, 2, 0, 0);       /* a row that nobody asks for */
    WANTS(A(array_slice)(A(array_log_softmax)(x, -1), 0, 0, 1, 1), x, "0 0 0 0");

    /* losses: of what cannot be said, of rows that are left out whatever they have */
    A(tape_reset)(t);
    x = A(array_log_softmax)(T(shaped)(T(list)(t, "1 2 3 0 1 0"), 3, 2, 1, 3, 0), -1);
    {
        static const uint32_t twice[2] = { 1, 1 }, two[1] = { 2 }, of[3] = { 0, 7, 7 };
        static const AREAL ahead[6] = { 1, 2, 1, 1, 1, 1 };
        const AREAL *const along = ahead;
        A(cross_entropy_desc) how;
        y = A(array_ctc)(x, 2, twice, two, NULL, 0, AD_NONE);
        CHECK(A(array_values)(y)[0] == (AREAL)INFINITY);
        WANTS(y, x, "0 0 0 0 0 0");
        x = T(shaped)(T(list)(t, "0 0 nan 1 inf 2"), 2, 3, 2, 0, 0);
        memset(&how, 0, sizeof how);
        how.ignored = &of[1];
        for (e = 0; e < 2; e++) {
            how.smoothing = e ? (AREAL)0.5 : 0;
            y = A(array_cross_entropy_weighted)(x, of, &how, AD_NONE);
            CHECK_NEAR(A(array_values)(y)[0], log(2.0), 4 * (double)AEPS);
            CHECK(A(array_values)(y)[1] == 0 && A(array_values)(y)[2] == 0);
            WANTS(y, x, e ? "-.25 .25 0 0 0 0" : "-.5 .5 0 0 0 0");
            CHECK_STATUS(A(array_forward)(t, 1, &x, &along), AD_OK);
            CHECK_NEAR(A(array_tangents)(y)[0], e ? 0.25 : 0.5, 4 * (double)AEPS);
            CHECK(A(array_tangents)(y)[1] == 0 && A(array_tangents)(y)[2] == 0);
            CHECK_NEAR(A(array_values)(A(array_cross_entropy_weighted)(x, of, &how, AD_MEAN))[0],
                log(2.0), 4 * (double)AEPS);
        }
        y = A(array_cross_entropy_weighted)(A(array_slice)(x, 0, 1, 3, 1), of + 1, &how, AD_MEAN);
        CHECK(A(array_values)(y)[0] != A(array_values)(y)[0]);
    }

    /* as functions of the indices too */
    A(tape_reset)(t);
    all[0] = T(list)(t, "1 2 3");
    all[1] = T(list)(t, "0 1 2 1");
    y = A(array_take_along)(A(array_sort)(all[0], 0, 1), 0, all[1]);
    f = A(fn_create_arrays)(t, 2, all, 1, &y, NULL);
    A(tape_reset)(t);
    CHECK_STATUS(A(fn_status)(f), AD_OK);
    many[0] = 5, many[1] = 9, many[2] = 7;
    many[3] = 2, many[4] = 2, many[5] = 0, many[6] = 1;
    in[0] = many, in[1] = many + 3, in[2] = many + 8;
    to[0] = out, to[1] = out + 4;
    CHECK_STATUS(A(fn_run)(f, in, to), AD_OK);
    CHECK(out[0] == 5 && out[1] == 5 && out[2] == 9 && out[3] == 7);
    g = A(fn_vjp)(f);
    CHECK_STATUS(A(fn_status)(g), AD_OK);
    for (e = 0; e < 4; e++) many[8 + e] = (AREAL)(1 << e);
    bar = out + 7;
    {
        AREAL *all_to[3];
        all_to[0] = out, all_to[1] = out + 4, all_to[2] = bar;
        CHECK_STATUS(A(fn_run)(g, in, all_to), AD_OK);
    }
    CHECK(out[4] == 3 && out[5] == 4 && out[6] == 8);
    for (e = 0; e < 4; e++) CHECK(bar[e] == 0);
    for (e = 0; e < 5; e++) {                    /* no index */
        static const double wrong[5] = { 3, -1, 0.5, 1e30, 0 };
        many[5] = e == 4 ? (AREAL)NAN : (AREAL)wrong[e];
        CHECK_STATUS(A(fn_run)(f, in, to), AD_ERR_ARGUMENT);
        CHECK(out[0] != out[0] && out[3] != out[3]);
    }
    many[5] = 0;
    CHECK_STATUS(A(fn_run)(f, in, to), AD_OK);
    CHECK(out[2] == 9);
    A(fn_destroy)(f);
    A(fn_destroy)(g);
    A(tape_destroy)(t);
}

static void T(ties)(void)
{
    A(tape) *const t = A(tape_create)(NULL);
    AREAL many[1300];
    double want[1300];
    A(array) x, y, m;
    uint32_t index[8];
    ad_pool_desc p;
    size_t e;
    const char *third = "0 .33333333333333333 .33333333333333333 0 .33333333333333333";

    x = T(list)(t, "2 7 7 -1 7");
    WANTS(A(array_amax)(x, AD_ALL_AXES, 0), x, third);
    WANTS(A(array_amin)(x, AD_AXIS(0), 1), x, "0 0 0 1 0");
    WANTS(A(array_neg)(A(array_amin)(A(array_neg)(x), AD_AXIS(0), 1)), x, third);
    CHECK(A(array_argmax)(x, 0, index) == AD_OK && index[0] == 1);
    CHECK(A(array_argmin)(x, -1, index) == AD_OK && index[0] == 3);
    x = T(list)(t, "1 5 5 1 5 2");
    m = T(shaped)(x, 2, 2, 3, 0, 0);
    WANTS(A(array_amax)(m, AD_AXIS(0), 0), x, ".5 .5 1 .5 .5 0");
    WANTS(A(array_amax)(m, AD_AXIS(1), 1), x, "0 .5 .5 0 1 0");
    WANTS(A(array_amax)(m, AD_AXIS(1) | AD_AXIS(0), 1), x,
        "0 .33333333333333333 .33333333333333333 0 .33333333333333333 0");
    CHECK(A(array_argmax)(m, 0, index) == AD_OK && index[0] == 0 && index[1] == 0 && index[2] == 0);
    CHECK(A(array_argmax)(m, 1, index) == AD_OK && index[0] == 1 && index[1] == 1);
    CHECK(A(array_argmin)(m, -2, index) == AD_OK && index[0] == 0 && index[1] == 0
          && index[2] == 1);
    for (e = 0; e < 1300; e++) {
        many[e] = e % 600 == 77 ? 3 : (AREAL)(e % 7) / 4;
        want[e] = e % 600 == 77 ? 1.0 / 3 : 0;
    }
    x = T(vector)(t, 1300, many);
    T(wants)(A(array_amax)(x, AD_AXIS(0), 0), x, 1300, want, __LINE__);
    CHECK(A(array_argmax)(x, 0, index) == AD_OK && index[0] == 77);
    /* two rows of 650, equal but for one place */
    for (e = 0; e < 1300; e++) {
        many[e] = (AREAL)(e % 650);
        want[e] = 0.5;
    }
    many[9] += 1;
    want[9] = 1;
    want[659] = 0;
    x = T(shaped)(T(vector)(t, 1300, many), 2, 2, 650, 0, 0);
    T(wants)(A(array_amax)(x, AD_AXIS(0), 0), x, 1300, want, __LINE__);

    /* max pooling: a plateau that several windows see */
    memset(&p, 0, sizeof p);
    p.size[0] = 3;
    p.stride[0] = 1;
    x = T(list)(t, "4 4 1 4 0");
    y = A(array_max_pool)(T(shaped)(x, 3, 1, 1, 5, 0), &p);
    CHECK(A(array_size)(y) == 3);
    WANTS(y, x, ".5 1 0 1.5 0");
    p.pad[0] = 1;                                            /* padding is below all */
    WANTS(A(array_max_pool)(T(shaped)(x, 3, 1, 1, 5, 0), &p), x, "1 1.5 0 2.5 0");
    x = T(list)(t, "-4 -4 -1 -4");
    WANTS(A(array_max_pool)(T(shaped)(x, 3, 1, 2, 2, 0), &p), x, "1 1 2 0");
    p.size[1] = 2;
    p.size[0] = 2;
    p.stride[0] = 0;
    p.pad[0] = 0;
    x = T(list)(t, "3 3 3 0 1 1 2 2");
    WANTS(A(array_max_pool)(T(shaped)(x, 4, 1, 2, 2, 2), &p), x,
        ".33333333333333333 .33333333333333333 .33333333333333333 0 0 0 .5 .5");

    /* many ties in every layout, against a loop */
    for (e = 0; e < 24; e++) {
        static const int32_t layout[6][3] = { { 1, 1300, 1 }, { 4, 30, 10 }, { 2, 3, 200 },
            { 30, 7, 5 }, { 3, 40, 1 }, { 1, 2, 600 } };
        const int32_t *const d = layout[e % 6];
        const size_t n = (size_t)(d[0] * d[1] * d[2]);
        const int least = e / 6 % 2 == 1;
        size_t i, j;
        for (i = 0; i < n; i++) many[i] = (AREAL)((int)(draw() % 9) - 4);
        x = T(vector)(t, n, many);
        m = T(shaped)(x, 3, d[0], d[1], d[2], 0);
        for (i = 0; i < n; i++) {
            const size_t first = i / (size_t)(d[1] * d[2]) * (size_t)(d[1] * d[2])
                + i % (size_t)d[2];
            int equal = 0, beaten = 0;
            for (j = 0; j < (size_t)d[1]; j++) {
                const AREAL v = many[first + j * (size_t)d[2]];
                equal += v == many[i];
                beaten |= least ? v < many[i] : v > many[i];
            }
            want[i] = beaten ? 0 : 1.0 / equal;
        }
        T(wants)(least ? A(array_amin)(m, AD_AXIS(1), e > 11) : A(array_amax)(m, AD_AXIS(1),
            e > 11), x, n, want, __LINE__);
    }
    for (e = 0; e < 8; e++) {                                /* and of windows */
        const int32_t h = 12, w = 17;
        int32_t r, c, i, j;
        memset(&p, 0, sizeof p);
        p.size[0] = 2 + (int32_t)e % 2;
        p.size[1] = 2 + (int32_t)e / 4;
        p.stride[0] = 1 + (int32_t)e / 2 % 2;
        p.stride[1] = 2;
        p.pad[1] = (int32_t)e / 4 % 2;
        for (i = 0; i < h * w; i++) {
            many[i] = (AREAL)((int)(draw() % 4) - 7);
            want[i] = 0;
        }
        for (r = 0; r * p.stride[0] + p.size[0] <= h; r++)
            for (c = 0; c * p.stride[1] + p.size[1] <= w + 2 * p.pad[1]; c++) {
                AREAL most = -100;
                int pass, equal = 0;
                for (pass = 0; pass < 3; pass++)
                    for (i = r * p.stride[0]; i < r * p.stride[0] + p.size[0]; i++)
                        for (j = c * p.stride[1] - p.pad[1];
                             j < c * p.stride[1] - p.pad[1] + p.size[1]; j++) {
                            if (j < 0 || j >= w) continue;
                            if (pass == 0 && many[i * w + j] > most) most = many[i * w + j];
                            if (pass == 1) equal += many[i * w + j] == most;
                            if (pass == 2 && many[i * w + j] == most)
                                want[i * w + j] += 1.0 / equal;
                        }
            }
        x = T(vector)(t, (size_t)(h * w), many);
        y = A(array_max_pool)(T(shaped)(x, 4, 1, 1, h, w), &p);
        T(wants)(y, x, (size_t)(h * w), want, __LINE__);
    }

    /* elementwise: at a tie half to each */
    x = T(list)(t, "1 2 3");
    m = T(list)(t, "2 2 2");
    WANTS(A(array_max)(x, m), x, "0 .5 1");
    WANTS(A(array_max)(x, m), m, "1 .5 0");
    WANTS(A(array_min)(x, m), x, "1 .5 0");
    WANTS(A(array_max_r)(x, 2), x, "0 .5 1");
    WANTS(A(array_clamp)(x, A(array_detach)(m), A(array_full)(t, 0, NULL, 4)), x, "0 .5 1");
    WANTS(A(array_max)(x, x), x, "1 1 1");
    x = T(list)(t, "0 -1 2 0");
    WANTS(A(array_relu)(x), x, "0 0 1 0");
    WANTS(A(array_abs)(x), x, "0 -1 1 0");
    WANTS(A(array_sign)(x), x, "0 0 0 0");
    WANTS(A(array_gt_r)(x, 0), x, "0 0 0 0");
    WANTS(A(array_leaky_relu_r)(x, (AREAL)0.25), x, ".25 .25 1 .25");

    /* NaN is beyond all */
    many[0] = 1;
    many[1] = (AREAL)NAN;
    many[2] = 3;
    x = T(vector)(t, 3, many);
    y = A(array_amax)(x, AD_AXIS(0), 0);
    CHECK(A(array_values)(y)[0] != A(array_values)(y)[0]);
    y = A(array_amin)(x, AD_AXIS(0), 0);
    CHECK(A(array_values)(y)[0] != A(array_values)(y)[0]);
    CHECK(A(array_argmax)(x, 0, index) == AD_OK && index[0] == 1);
    CHECK(A(array_argmin)(x, 0, index) == AD_OK && index[0] == 1);
    m = A(array_amax)(T(shaped)(x, 2, 3, 1, 0, 0), AD_AXIS(0), 0);
    CHECK(A(array_values)(m)[0] != A(array_values)(m)[0]);
    WANTS(A(array_amax)(x, AD_AXIS(0), 0), x, "0 0 0");
    WANTS(A(array_amin)(T(shaped)(x, 2, 3, 1, 0, 0), AD_AXIS(0), 0), x, "0 0 0");
    {
        A(array) pair[2];
        pair[0] = pair[1] = x;
        WANTS(A(array_amax)(A(array_stack)(2, pair, 1), AD_AXIS(0), 0), x, "0 0 0");
    }
    CHECK(A(tape_status)(t) == AD_OK);
    A(tape_destroy)(t);
}

/* Variances of a batch norm's two groups, in rows of one number or of more: as exact as ever where
   the first numbers are far from all others, and not below 0 where all are equal. */
static void T(far_beginnings)(void)
{
    enum { N = 200000 };
    static AREAL data[2 * N];
    AREAL mean[2], var[2];
    int way, i;
    for (way = 0; way < 2; way++) {
        A(tape) *const t = A(tape_create)(NULL);
        const int32_t dim[3] = { way ? N / 100 : N, 2, way ? 100 : 1 };
        const int32_t inner = dim[2];
        const A(array) none = T(nothing)();
        double sum = 0, squares = 0;
        for (i = 0; i < N; i++) {
            AREAL *const at = &data[(i / inner * 2) * inner + i % inner];
            *at = (AREAL)(i < 64 ? 3000 + i % 3 : i % 7 - 3);
            at[inner] = (AREAL)1234.567;
            sum += (double)*at;                      /* whole numbers: these are exact */
            squares += (double)*at * (double)*at;
        }
        A(array_batch_norm)(A(array_input)(t, 3, dim, data), none, none, 0, mean, var);
        sum /= (double)N;
        CHECK_NEAR(mean[0], sum, 64 * (double)AEPS);
        CHECK_NEAR(var[0], squares / (double)N - sum * sum, 64 * (double)AEPS);
        CHECK_NEAR(mean[1], (double)data[inner], 4 * (double)AEPS);
        CHECK(var[1] >= 0 && (double)var[1] < 1e-4);
        A(tape_destroy)(t);
    }
}

/* 0 times an infinite slope is 0; what is not selected does not count; logits as large as they
   come. */
static void T(zeros)(void)
{
    A(tape) *const t = A(tape_create)(NULL);
    const AREAL nothing[4] = { 0, 0, 0, 0 }, both[4] = { 1, -1, -2, 2 }, *const dot = nothing;
    const double tiny = 8 * (double)AEPS;
    A(array) x, y, c, l;
    A(var) s;
    size_t e;
    int how;
    const int32_t four = 4;
    const uint32_t right = 3, wrong = 4;

    x = T(list)(t, "0 4 0 1");
    WANTS(A(array_mul_r)(A(array_sqrt)(x), 0), x, "0 0 0 0");
    WANTS(A(array_mul_r)(A(array_sum)(A(array_log)(x), AD_AXIS(0), 0), 0), x, "0 0 0 0");
    c = A(array_gt_r)(x, (AREAL)0.5);
    WANTS(A(array_where)(c, A(array_log)(x), A(array_full)(t, 0, NULL, 0)), x, "0 .25 0 1");
    WANTS(A(array_select)(c, A(array_inv)(A(array_sqrt)(x)), x), x, "1 -.0625 1 -.5");
    y = A(array_sqrt)(x);
    CHECK(A(array_backward)(y, nothing) == AD_OK);
    for (e = 0; e < 4; e++) CHECK(A(array_adjoints)(x)[e] == 0);
    CHECK(A(array_forward)(t, 1, &x, &dot) == AD_OK);
    for (e = 0; e < 4; e++) CHECK(A(array_tangents)(y)[e] == 0);
    CHECK(A(array_forward)(t, 0, NULL, NULL) == AD_OK);
    for (e = 0; e < 4; e++) CHECK(A(array_tangents)(y)[e] == 0);
    /* what cancels where it was broadcast is nothing, and not some tiny number */
    x = T(list)(t, "2");
    c = T(list)(t, "3 3 3 3");
    for (how = 0; how < 3; how++) {
        y = how == 0 ? A(array_mul)(x, c) : how == 1 ? A(array_add)(c, x) : A(array_div)(c, x);
        CHECK(A(array_backward)(y, both) == AD_OK);
        CHECK(A(array_adjoints)(x)[0] == 0);
    }
    /* the zero vector has no direction; equal numbers no deviation */
    x = A(array_input)(t, 1, &four, nothing);
    WANTS(A(array_norm)(x, AD_AXIS(0), 0), x, "0 0 0 0");
    WANTS(A(array_std)(x, AD_AXIS(0), 0, 0), x, "0 0 0 0");
    WANTS(A(array_hypot)(x, x), x, "0 0 0 0");
    x = T(list)(t, "1 -2 2");
    for (e = 1; e < 5; e++)
        CHECK_NEAR(A(array_item)(A(array_vector_norm)(x, (AREAL)e, AD_AXIS(0), 0)).v,
            pow(1 + 2 * pow(2, (double)e), 1 / (double)e), 4 * (double)AEPS);
    x = T(list)(t, "3");
    WANTS(A(array_std)(A(array_broadcast_to)(x, 1, &four), AD_AXIS(0), 0, 1), x, "0");
    x = T(list)(t, "0 5 0");
    WANTS(A(array_prod)(x, AD_AXIS(0), 0), x, "0 0 0");
    x = T(list)(t, "0 5 2");
    WANTS(A(array_prod)(x, AD_AXIS(0), 0), x, "10 0 0");
    /* softmax and its kin at extremes */
    x = T(list)(t, "1000 -1000 0 30000 -30000 1");
    y = A(array_softmax)(x, 0);
    CHECK(A(array_values)(y)[3] == 1 && A(array_values)(y)[0] == 0);
    CHECK(A(array_item)(A(array_logsumexp)(x, AD_AXIS(0), 0)).v == 30000);
    WANTS(A(array_logsumexp)(x, AD_AXIS(0), 0), x, "0 0 0 1 0 0");
    l = A(array_cross_entropy)(x, &right, AD_MEAN);
    CHECK(A(array_item)(l).v == 0);
    WANTS(l, x, "0 0 0 0 0 0");
    l = A(array_cross_entropy)(x, &wrong, AD_SUM);
    CHECK(A(array_item)(l).v == 60000);
    WANTS(l, x, "0 0 0 1 -1 0");
    c = A(array_detach)(T(list)(t, "1 0 .5 0 1 1"));
    l = A(array_binary_cross_entropy)(x, c, AD_NONE);
    CHECK(A(array_values)(l)[0] == 0 && A(array_values)(l)[1] == 0);
    CHECK_NEAR(A(array_values)(l)[2], log(2.0), tiny);
    CHECK(A(array_values)(l)[3] == 30000 && A(array_values)(l)[4] == 30000);
    WANTS(l, x, "0 0 0 1 -1 -.26894142136999512075");
    for (how = AD_MEAN; how <= AD_SUM; how++) {
        s = A(array_item)(A(array_huber)(x, c, 1, (ad_reduction)how));
        CHECK_NEAR(s.v * (how == AD_MEAN ? 6 : 1), 61998.125, tiny);
    }
    /* exactly at delta both pieces meet */
    c = T(list)(t, "1");
    WANTS(A(array_huber)(T(list)(t, "2"), c, 1, AD_SUM), c, "-1");
    CHECK(A(tape_status)(t) == AD_OK);
    CHECK_STRING(A(tape_message)(t), "");
    A(tape_destroy)(t);
}

/* Arrays of nothing are the first that a tape sees: no memory is there yet. */
static void T(nothing_first)(void)
{
    const int32_t dim[2] = { 0, 3 };
    const AREAL none = 0;
    int op;
    for (op = 0; op < 12; op++) {
        A(tape) *const t = A(tape_create)(NULL);
        const A(array) x = op % 2 ? A(array_input)(t, 2, dim, &none)
                                  : A(array_borrow)(t, 2, dim, &none);
        const unsigned rows = AD_AXIS(1);
        A(array) y;
        switch (op) {
        case 0: case 1: y = A(array_var)(x, rows, 0, 0); break;
        case 2: y = A(array_std)(x, rows, 0, 0); break;
        case 3: y = A(array_norm)(x, rows, 0); break;
        case 4: y = A(array_amax)(x, rows, 0); break;
        case 5: y = A(array_logsumexp)(x, rows, 0); break;
        case 6: y = A(array_prod)(x, rows, 0); break;
        case 7: y = A(array_mean)(x, rows, 0); break;
        case 8: y = A(array_softmax)(x, 1); break;
        case 9: y = A(array_dropout)(x, (AREAL)0.5, 1, 2); break;
        case 10: y = A(array_cumsum)(x, 1); break;
        default: y = A(array_square)(x); break;
        }
        CHECK(y.rank == (op < 8 ? 1 : 2) && y.dim[0] == 0 && A(tape_status)(t) == AD_OK);
        y = A(array_sum)(y, AD_ALL_AXES, 0);
        CHECK(y.rank == 0 && A(array_values)(y)[0] == 0 && A(tape_status)(t) == AD_OK);
        A(tape_destroy)(t);
    }
}

/* Of all shapes of extents 1 to 3, every slice of step 1: what is contiguous is not copied. */
static void T(free_slices)(A(tape) *t)
{
    int shape, rank, axis, k;
    for (shape = 0; shape < 3 * 3 * 3 * 3; shape++)
        for (rank = 1; rank <= 4; rank++) {
            A(array) x, y;
            int32_t dim[4] = { 1, 1, 1, 1 };
            int outer = 1, inner, left = shape;
            for (k = 0; k < rank; k++, left /= 3) dim[k] = left % 3 + 1;
            if (left) continue;
            x = T(make)(t, rank, dim[0], dim[1], dim[2], dim[3]);
            for (axis = 0; axis < rank; outer *= dim[axis++]) {
                int32_t from, to;
                for (k = axis + 1, inner = 1; k < rank; k++) inner *= dim[k];
                for (from = 0; from < dim[axis]; from++)
                    for (to = from + 1; to <= dim[axis]; to++) {
                        const size_t slots = A(tape_get_stats)(t).slots;
                        const int whole = outer == 1 || to - from == dim[axis];
                        y = A(array_slice)(x, axis, from, to, 1);
                        CHECK(y.rank == rank && y.dim[axis] == to - from);
                        CHECK(!whole || A(tape_get_stats)(t).slots == slots);
                        CHECK(!whole || A(array_values)(y) == A(array_values)(x) + from * inner);
                    }
            }
        }
}

/* ---------------------------------------------------------------- what constants cost */

static void T(costs)(void)
{
    enum { N = 40000 };
    AREAL *const data = (AREAL *)calloc(N, sizeof *data);
    const int32_t dim = N, two[2] = { 200, 200 }, five = 5;
    A(tape) *const t = A(tape_create)(NULL);
    A(array) c, k, x, y, d, g;
    A(var) v;
    size_t before, slots, e;
    for (e = 0; e < N; e++) data[e] = (AREAL)(e % 17) / 8;
    before = A(tape_get_stats)(t).bytes;
    c = A(array_const_borrow)(t, 1, &dim, data);
    CHECK(A(array_values)(c) == data);
    CHECK(A(tape_get_stats)(t).bytes < before + N * sizeof *data / 2);
    c = A(array_const)(t, 1, &dim, data);
    CHECK(A(array_values)(c) != data && memcmp(A(array_values)(c), data, N * sizeof *data) == 0);
    data[5] = 99;
    CHECK(A(array_values)(c)[5] == (AREAL)0.625);
    k = A(array_add)(A(array_exp)(A(array_mul_r)(c, (AREAL)0.25)), c);
    k = A(array_reshape)(k, 2, two);
    k = A(array_matmul)(k, k);
    k = A(array_concatenate)(1, &k, 0);
    k = A(array_softmax)(A(array_transpose)(k), 1);
    y = A(array_sum)(k, AD_ALL_AXES, 0);
    CHECK(A(tape_get_stats)(t).slots == 0 && A(tape_get_stats)(t).instructions == 0);
    CHECK_NEAR(A(array_item)(y).v, 200, 200 * AEPS);
    CHECK(A(array_item)(y).tape == NULL && A(array_at)(k, 7).tape == NULL);
    CHECK(A(array_adjoints)(k) == NULL && A(array_tangents)(k) == NULL);
    CHECK(A(array_backward)(y, NULL) == AD_ERR_ARGUMENT);
    A(tape_clear_status)(t);

    x = A(array_borrow)(t, 1, &dim, data);
    CHECK(A(array_values)(x) == data);                       /* not copied */
    slots = A(tape_get_stats)(t).slots;
    CHECK(slots >= N);
    d = A(array_detach)(x);
    CHECK(A(tape_get_stats)(t).slots == slots);
    CHECK(memcmp(A(array_values)(d), data, N * sizeof *data) == 0);
    y = A(array_dot)(x, d);
    CHECK(A(array_backward)(y, NULL) == AD_OK);
    CHECK(memcmp(A(array_adjoints)(x), data, N * sizeof *data) == 0);    /* not twice */
    CHECK(A(array_adjoints)(d) == NULL);
    d = A(array_detach)(A(array_mul_r)(x, 2));               /* of a result */
    y = A(array_sum)(A(array_mul)(x, d), AD_AXIS(0), 0);
    CHECK(A(array_backward)(y, NULL) == AD_OK);
    CHECK(A(array_adjoints)(x)[3] == (AREAL)0.75);
    v = A(array_item)(y);
    CHECK(A(array_grad)(v, 1, &x, &g) == AD_OK);
    CHECK(A(array_values)(g)[3] == (AREAL)0.75);
    /* a gradient that does not depend on the input, or of an input that is not there */
    d = T(make)(t, 2, 3, 2, 0, 0);
    CHECK(A(array_grad)(v, 1, &d, &g) == AD_OK && g.rank == 2 && g.dim[0] == 3 && g.dim[1] == 2);
    for (e = 0; e < 6; e++) CHECK(A(array_values)(g)[e] == 0);
    CHECK(A(array_adjoints)(d) != NULL && A(array_adjoints)(d)[5] == 0);
    /* a gradient that fails: arrays that say so, the first one too */
    A(array_matmul)(T(make)(t, 2, 3, 2, 0, 0), T(make)(t, 2, 3, 2, 0, 0));
    g = x;
    CHECK(A(array_grad)(v, 1, &x, &g) == AD_ERR_SHAPE && g.rank == -1);
    A(tape_clear_status)(t);
    {   /* what does not depend on x takes no slots, joined scalars neither */
        A(tape) *const u = A(tape_create)(NULL);
        const int32_t pair = 2;
        const AREAL ab[2] = { 3, 5 };
        size_t taken[2];
        int joined;
        for (joined = 0; joined < 2; joined++) {
            A(var) list[2];
            A(tape_reset)(u);
            d = A(array_input)(u, 1, &pair, ab);
            CHECK(A(inputs)(u, 2, ab, list) == AD_OK);
            v = list[0];
            list[0] = list[1];
            list[1] = v;
            c = joined ? A(array_pack)(u, 1, &pair, list) : A(array_input)(u, 1, &pair, ab);
            v = A(array_item)(A(array_sum)(A(array_exp)(A(array_mul)(c, d)), AD_ALL_AXES, 0));
            before = A(tape_get_stats)(u).slots;
            CHECK(A(array_grad)(v, 1, &d, &g) == AD_OK);
            taken[joined] = A(tape_get_stats)(u).slots - before;
        }
        CHECK(taken[0] > 0 && taken[0] == taken[1]);
        A(tape_destroy)(u);
    }
    {   /* greatest elements that lie far apart in rows longer than a piece of work */
        enum { ROW = 3000 };
        const int32_t shape[2] = { 3, ROW };
        AREAL *const wide = (AREAL *)calloc(3 * ROW, sizeof *wide);
        int wrong = 0;
        for (e = 0; e < 3 * ROW; e++) wide[e] = e / ROW == e % 3 ? 90 : (AREAL)(e % 7);
        k = A(array_logsumexp)(A(array_const_borrow)(t, 2, shape, wide), AD_AXIS(0), 0);
        for (e = 0; e < ROW; e++) wrong += fabs((double)A(array_values)(k)[e] - 90) > 1e-4;
        for (e = 0; e < 3 * ROW; e++) wide[e] = e / ROW == e % 3 ? 700 : -700;
        k = A(array_logsumexp)(A(array_const_borrow)(t, 2, shape, wide), AD_AXIS(0), 0);
        for (e = 0; e < ROW; e++) wrong += !(fabs((double)A(array_values)(k)[e] - 700) < 1e-2);
        CHECK(wrong == 0);
        free(wide);
    }
    {   /* however often it is swept: what a sweep records is dropped again */
        A(tape) *const u = A(tape_create)(NULL);
        A(array) q, r;
        d = T(make)(u, 2, 4, 3, 0, 0);
        CHECK(A(array_qr)(d, &q, &r) == AD_OK);
        y = A(array_sum)(A(array_mul)(A(array_matmul)(q, r), d), AD_ALL_AXES, 0);
        for (e = before = 0; e < 300; e++) {
            const AREAL *const dot = A(array_values)(d);
            CHECK(A(array_backward)(y, NULL) == AD_OK);
            CHECK(A(array_forward)(u, 1, &d, &dot) == AD_OK);
            if (e == 2) before = A(tape_get_stats)(u).bytes;
        }
        CHECK(A(tape_get_stats)(u).bytes == before);
        A(tape_destroy)(u);
    }
    T(free_slices)(t);
    T(nothing_first)();
    /* free operations take no slots */
    slots = A(tape_get_stats)(t).slots;
    d = A(array_reshape)(x, 2, two);
    d = A(array_slice)(d, 0, 7, 13, 1);
    d = T(shaped)(d, 1, -1, 0, 0, 0);
    v = A(array_at)(d, 3);
    CHECK(A(tape_get_stats)(t).slots == slots);
    CHECK(v.v == data[1403] && A(array_values)(d) == data + 1400);
    CHECK(v.id == A(array_at)(x, 1403).id);
    {
        A(var) list[4];
        AREAL four[4] = { 1, 2, 3, 4 };
        const int32_t square[2] = { 2, 2 };
        int32_t length = 4;
        CHECK(A(inputs)(t, 4, four, list) == AD_OK);
        slots = A(tape_get_stats)(t).slots;
        d = A(array_pack)(t, 2, square, list);               /* one after another: free */
        CHECK(A(tape_get_stats)(t).slots == slots && d.rank == 2);
        CHECK(A(array_at)(d, 2).id == list[2].id);
        v = A(array_item)(A(array_logdet)(d));
        CHECK(A(backward)(v) == AD_OK);
        CHECK_NEAR(A(adjoint)(list[0]), -2, 16 * AEPS);      /* A^-T */
        CHECK_NEAR(A(adjoint)(list[1]), 1.5, 16 * AEPS);
        CHECK_NEAR(A(adjoint)(list[3]), -0.5, 16 * AEPS);
        list[1] = A(const)(2);                               /* a constant among them */
        d = A(array_pack)(t, 2, square, list);
        v = A(array_item)(A(array_logdet)(d));
        CHECK(A(backward)(v) == AD_OK);
        CHECK_NEAR(A(adjoint)(list[2]), 1, 16 * AEPS);
        for (e = 0; e < 4; e++) list[e] = A(const)((AREAL)e);
        slots = A(tape_get_stats)(t).slots;
        d = A(array_pack)(t, 1, &length, list);
        CHECK(A(tape_get_stats)(t).slots == slots && A(array_adjoints)(d) == NULL);
        CHECK(A(array_values)(d)[3] == 3);
        length = 0;
        d = A(array_pack)(t, 1, &length, NULL);
        CHECK(d.rank == 1 && A(array_size)(d) == 0);
    }
    d = A(array_input)(t, 1, &five, NULL);                   /* zeros */
    for (e = 0; e < 5; e++) CHECK(A(array_values)(d)[e] == 0);
    d = A(array_full)(t, 2, two, (AREAL)2.5);
    CHECK(A(array_values)(d)[0] == (AREAL)2.5 && A(array_values)(d)[39999] == (AREAL)2.5);
    CHECK(A(tape_status)(t) == AD_OK);
    CHECK_STRING(A(tape_message)(t), "");
    A(tape_destroy)(t);
    free(data);
}

/* ---------------------------------------------------------------- what is refused */

/* The operation before this failed as it should: status, words of the message, nothing recorded;
   and what is made of the result does nothing. */
static void T(refused)(A(tape) *t, A(array) r, size_t slots, int want, const char *one,
    const char *two, A(array) good, int line, const char *what)
{
    const int seen = (int)A(tape_status)(t);
    char first[400];
    A(array) next, list[2];
    AREAL *none = NULL;
    ad_conv_desc desc;
    snprintf(first, sizeof first, "%s", A(tape_message)(t));
    test_check(want == ANY ? seen != AD_OK : seen == want, __FILE__, line, "%s gave %s: %s", what,
        ad_status_name((ad_status)seen), first);
    test_check(first[0] != 0, __FILE__, line, "%s: no message", what);
    test_check(r.rank == -1, __FILE__, line, "%s: the result has rank %d", what, r.rank);
    test_check(T(slots)(t) == slots, __FILE__, line, "%s recorded something", what);
    if (one) test_check(strstr(first, one) != NULL, __FILE__, line, "%s: no %s in \"%s\"", what,
        one, first);
    if (two) test_check(strstr(first, two) != NULL, __FILE__, line, "%s: no %s in \"%s\"", what,
        two, first);
    CHECK(A(array_size)(r) == 0);
    CHECK(A(array_values)(r) == NULL);
    CHECK(A(array_adjoints)(r) == NULL);
    CHECK(A(array_tangents)(r) == NULL);
    memset(&desc, 0, sizeof desc);
    list[0] = good;
    list[1] = r;
    next = A(array_add)(r, good);
    next = A(array_matmul)(next, r);
    CHECK(next.rank == -1);
    next = A(array_concatenate)(2, list, 0);
    CHECK(next.rank == -1);
    next = A(array_sum)(A(array_exp)(good), AD_ALL_AXES, 0);         /* the tape is in error */
    CHECK(next.rank == -1);
    next = A(array_conv2d)(r, r, &desc);
    CHECK(next.rank == -1);
    CHECK(A(array_item)(r).tape == NULL && A(array_item)(r).v != A(array_item)(r).v);
    CHECK(A(array_at)(r, 0).tape == NULL && A(array_at)(r, 0).v != A(array_at)(r, 0).v);
    CHECK(A(array_backward)(r, none) != AD_OK);
    test_check((int)A(tape_status)(t) == seen && strcmp(A(tape_message)(t), first) == 0, __FILE__,
        line, "%s: the first error did not stay: %s", what, A(tape_message)(t));
    test_check(T(slots)(t) == slots, __FILE__, line, "%s: what came after recorded", what);
    A(tape_clear_status)(t);
    next = A(array_mul)(good, r);                                    /* a failed operand */
    test_check(next.rank == -1 && A(tape_status)(t) != AD_OK, __FILE__, line,
        "%s: its result could be used", what);
    CHECK(T(slots)(t) == slots);
    A(tape_clear_status)(t);
}
#define REFUSED(call, status, one, two) do {                                                       \
        const size_t slots_ = T(slots)(t);                                                         \
        const A(array) result_ = (call);                                                           \
        T(refused)(t, result_, slots_, (int)(status), one, two, a34, __LINE__, #call);             \
    } while (0)
static void T(refused_status)(A(tape) *t, int seen, size_t slots, int want, const char *one,
    int line, const char *what)
{
    test_check(want == ANY ? seen != AD_OK : seen == want, __FILE__, line, "%s gave %s", what,
        ad_status_name((ad_status)seen));
    test_check((int)A(tape_status)(t) == seen, __FILE__, line, "%s: the tape has %s", what,
        ad_status_name(A(tape_status)(t)));
    test_check(A(tape_message)(t)[0] != 0 && strstr(A(tape_message)(t), one), __FILE__, line,
        "%s: \"%s\"", what, A(tape_message)(t));
    test_check(T(slots)(t) == slots, __FILE__, line, "%s recorded something", what);
    A(tape_clear_status)(t);
}
#define REFUSED_STATUS(call, status, one) do {                                                     \
        const size_t slots_ = T(slots)(t);                                                         \
        const int seen_ = (int)(call);                                                             \
        T(refused_status)(t, seen_, slots_, (int)(status), one, __LINE__, #call);                  \
    } while (0)

static A(array) T(counted)(A(tape) *t, size_t n)
{
    AREAL v[240];
    size_t e;
    for (e = 0; e < n; e++) v[e] = (AREAL)(e % 17) / 8 - 1;
    return T(vector)(t, n, v);
}
/* Layers made of other operations: what is wrong is found before anything is recorded. */
static void T(refused_layers)(void)
{
    A(tape) *const t = A(tape_create)(NULL);
    static const int32_t ones[4] = { 1, 1, 1, 1 }, far[4] = { 0, INT32_MAX, 0, 0 };
    static const int32_t minus[4] = { 1, 1, 1, -1 }, large[2] = { 1 << 27, 1 << 27 };
    const A(array) x = T(counted)(t, 240), a34 = T(shaped)(T(counted)(t, 12), 2, 3, 4, 0, 0);
    const A(array) i4 = T(shaped)(x, 4, 2, 4, 5, 6), i3 = T(shaped)(x, 3, 4, 10, 6, 0);
    const A(array) w4 = T(shaped)(T(counted)(t, 72), 4, 2, 4, 3, 3);
    const A(array) w3 = T(shaped)(T(counted)(t, 60), 3, 2, 10, 3, 0);
    const A(array) none = A(array_slice)(i4, 2, 0, 0, 1), v2 = T(counted)(t, 2);
    const A(array) nothing = T(nothing)();
    A(attention) how;
    A(recurrent) w;
    ad_conv_desc d;
    ad_conv3d_desc v;
    int unknown = 4;                             /* not a constant, which compilers would refuse */
    memset(&d, 0, sizeof d);
    memset(&v, 0, sizeof v);

    REFUSED(A(array_pad_mode)(i4, ones, NULL, AD_PAD_REFLECT), AD_ERR_SHAPE, "[2, 4, 5, 6]", NULL);
    REFUSED(A(array_pad_mode)(i4, NULL, ones, AD_PAD_ZEROS), AD_ERR_SHAPE, "array_pad_mode", NULL);
    REFUSED(A(array_pad_mode)(i4, minus, ones, AD_PAD_CIRCULAR), AD_ERR_SHAPE, "padded so", NULL);
    REFUSED(A(array_pad_mode)(i4, ones, far, AD_PAD_REPLICATE), AD_ERR_SHAPE, "padded so", NULL);
    REFUSED(A(array_pad_mode)(none, ones, ones, AD_PAD_REPLICATE), AD_ERR_SHAPE, "[2, 4, 0, 6]",
            NULL);
    REFUSED(A(array_pad_mode)(i4, ones, ones, (ad_pad_mode)unknown), AD_ERR_ARGUMENT,
            "no such mode", NULL);

    d.pad_mode = AD_PAD_CIRCULAR + 1;
    REFUSED(A(array_conv2d)(i4, w4, &d), AD_ERR_SHAPE, "no such mode", NULL);
    d.pad_mode = -1;
    REFUSED(A(array_conv1d)(i3, w3, &d), AD_ERR_SHAPE, "no such mode", NULL);
    d.pad_mode = AD_PAD_REFLECT;
    d.pad[0] = -1;
    REFUSED(A(array_conv2d)(i4, w4, &d), AD_ERR_SHAPE, "negative", NULL);
    d.pad[0] = 0;
    REFUSED(A(array_conv2d_transpose)(w4, w4, &d), AD_ERR_SHAPE, "transposed", "[2, 4, 3, 3]");
    d.pad_mode = AD_PAD_ZEROS;
    d.same = 1;
    REFUSED(A(array_conv1d_transpose)(i3, i3, &d), AD_ERR_SHAPE, "transposed", "[4, 10, 6]");
    d.stride[1] = 2;
    REFUSED(A(array_conv2d)(i4, w4, &d), AD_ERR_SHAPE, "stride other than 1", "[2, 4, 5, 6]");
    d.stride[1] = 0;
    d.dilation[1] = INT32_MAX;
    REFUSED(A(array_conv2d)(i4, w4, &d), AD_ERR_SHAPE, "larger", NULL);
    d.dilation[1] = 0;
    REFUSED(A(array_conv2d)(i4, T(shaped)(x, 4, 1, 5, 6, 8), &d), AD_ERR_SHAPE, "[2, 4, 5, 6]",
            "[1, 5, 6, 8]");

    REFUSED(A(array_conv3d)(i3, w4, 1, NULL), AD_ERR_SHAPE, "[4, 10, 6]", "[2, 4, 3, 3]");
    REFUSED(A(array_conv3d)(i4, w3, 1, NULL), AD_ERR_SHAPE, "[2, 4, 5, 6]", "[2, 10, 3]");
    REFUSED(A(array_conv3d)(i4, w4, 0, NULL), AD_ERR_SHAPE, "the depth", NULL);
    REFUSED(A(array_conv3d)(i4, w4, 3, NULL), AD_ERR_SHAPE, "the depth", NULL);
    REFUSED(A(array_conv3d)(i4, T(shaped)(x, 4, 2, 5, 4, 6), 1, NULL), AD_ERR_SHAPE, "channels",
            "[2, 5, 4, 6]");
    v.groups = 3;
    REFUSED(A(array_conv3d)(i4, w4, 1, &v), AD_ERR_SHAPE, "channels, filters", NULL);
    v.groups = -1;
    REFUSED(A(array_conv3d)(i4, w4, 1, &v), AD_ERR_SHAPE, "negative", NULL);
    v.groups = 0;
    v.stride[0] = -1;
    REFUSED(A(array_conv3d)(i4, w4, 1, &v), AD_ERR_SHAPE, "negative", NULL);
    v.stride[0] = 0;
    v.dilation[2] = 4;
    REFUSED(A(array_conv3d)(i4, w4, 1, &v), AD_ERR_SHAPE, "larger", NULL);
    v.dilation[2] = 0;
    v.dilation[0] = 2;                           /* four slices, a depth of four */
    REFUSED(A(array_conv3d)(i4, w4, 4, &v), AD_ERR_SHAPE, "larger", NULL);
    v.pad_mode = 9;
    REFUSED(A(array_conv3d)(i4, w4, 1, &v), AD_ERR_SHAPE, "no such mode", NULL);
    v.pad_mode = 0;
    v.pad[0] = INT32_MAX / 4;
    REFUSED(A(array_conv3d)(i4, w4, 4, &v), ANY, NULL, NULL);
    v.pad[0] = 0;
    v.same = 1;
    v.stride[0] = 3;
    REFUSED(A(array_conv3d)(i4, w4, 1, &v), AD_ERR_SHAPE, "stride other than 1", NULL);

    REFUSED(A(array_adaptive_avg_pool)(a34, ones), AD_ERR_SHAPE, "[3, 4]", NULL);
    REFUSED(A(array_adaptive_max_pool)(i4, NULL), AD_ERR_SHAPE, "no size", NULL);
    REFUSED(A(array_adaptive_max_pool)(i4, far), AD_ERR_SHAPE, "a size", NULL);
    REFUSED(A(array_adaptive_max_pool)(none, ones), AD_ERR_SHAPE, "[2, 4, 0, 6]", NULL);
    REFUSED(A(array_interpolate)(i3, minus + 3, AD_LINEAR, 0), AD_ERR_SHAPE, "a size", NULL);
    REFUSED(A(array_interpolate)(i4, large, AD_NEAREST, 0), AD_ERR_SHAPE, "too large", NULL);
    REFUSED(A(array_interpolate)(i4, ones, AD_NEAREST, 1), AD_ERR_ARGUMENT, "corners", NULL);
    REFUSED(A(array_interpolate)(i4, ones, (ad_interpolation)(unknown / 2), 0), AD_ERR_ARGUMENT,
            "no such way", NULL);

    REFUSED(A(array_attention)(v2, a34, a34, nothing, 0, 0), AD_ERR_SHAPE, "[2]", "[3, 4]");
    REFUSED(A(array_attention)(a34, w3, w3, nothing, 0, 0), AD_ERR_SHAPE, "[3, 4]", "[2, 10, 3]");
    REFUSED(A(array_attention)(i3, w3, w3, nothing, 0, 0), AD_ERR_SHAPE, "[4, 10, 6]", NULL);
    REFUSED(A(array_attention)(a34, a34, i3, nothing, 0, 0), AD_ERR_SHAPE, "[4, 10, 6]", NULL);
    REFUSED(A(array_attention)(a34, a34, a34, i3, 0, 0), AD_ERR_SHAPE, "[3, 3]", "[4, 10, 6]");
    REFUSED(A(array_attention)(a34, A(array_slice)(a34, 0, 0, 0, 1), a34, nothing, 1, 0),
            AD_ERR_SHAPE, "[0, 4]", NULL);
    memset(&how, 0, sizeof how);
    how.in_proj_weight = T(shaped)(T(counted)(t, 48), 2, 12, 4, 0, 0);
    how.out_proj_weight = T(shaped)(T(counted)(t, 16), 2, 4, 4, 0, 0);
    REFUSED(A(array_multi_head_attention)(a34, a34, a34, NULL), AD_ERR_ARGUMENT, "0 heads", NULL);
    REFUSED(A(array_multi_head_attention)(a34, a34, a34, &how), AD_ERR_ARGUMENT, "0 heads", NULL);
    how.heads = 3;
    REFUSED(A(array_multi_head_attention)(a34, a34, a34, &how), AD_ERR_ARGUMENT, "3 heads", NULL);
    how.heads = 2;
    REFUSED(A(array_multi_head_attention)(v2, v2, v2, &how), AD_ERR_SHAPE, "[2]", NULL);
    REFUSED(A(array_multi_head_attention)(a34, i3, i3, &how), AD_ERR_SHAPE, "[3, 4]",
            "[4, 10, 6]");
    how.in_proj_bias = v2;
    REFUSED(A(array_multi_head_attention)(a34, a34, a34, &how), AD_ERR_SHAPE, "in_proj_bias is [2]",
            "it must be [12]");
    how.in_proj_bias = nothing;
    how.out_proj_weight = nothing;
    REFUSED(A(array_multi_head_attention)(a34, a34, a34, &how), AD_ERR_ARGUMENT, "without a tape",
            NULL);
    how.out_proj_weight = how.in_proj_weight;
    REFUSED(A(array_multi_head_attention)(a34, a34, a34, &how), AD_ERR_SHAPE, "out_proj_weight",
            "[4, 4]");
    how.out_proj_weight = T(shaped)(T(counted)(t, 16), 2, 4, 4, 0, 0);
    how.mask = i3;
    REFUSED(A(array_multi_head_attention)(a34, a34, a34, &how), AD_ERR_SHAPE, "mask",
            "[1, 2, 3, 3]");

    memset(&w, 0, sizeof w);
    w.weight_hh = T(shaped)(T(counted)(t, 16), 2, 8, 2, 0, 0);
    w.weight_ih = T(shaped)(T(counted)(t, 32), 2, 8, 4, 0, 0);
    REFUSED(A(array_lstm_cell)(a34, nothing, nothing, NULL, &w.bias_ih), AD_ERR_ARGUMENT, "NULL",
            NULL);
    CHECK(w.bias_ih.rank == -1);
    w.bias_ih = nothing;
    REFUSED(A(array_lstm)(a34, nothing, nothing, &w, NULL), AD_ERR_SHAPE, "steps are", "[3, 4]");
    REFUSED(A(array_gru)(A(array_slice)(i3, 0, 0, 0, 1), nothing, &w), AD_ERR_SHAPE, "[0, 10, 6]",
            NULL);
    REFUSED(A(array_gru_cell)(i3, nothing, &w), AD_ERR_SHAPE, "a step is", "[4, 10, 6]");
    REFUSED(A(array_gru_cell)(a34, nothing, &w), AD_ERR_SHAPE, "weight_hh is [8, 2]", "[6, 2]");
    REFUSED(A(array_lstm)(i3, nothing, nothing, &w, NULL), AD_ERR_SHAPE, "weight_ih is [8, 4]",
            "[8, 6]");
    REFUSED(A(array_lstm_cell)(a34, v2, nothing, &w, NULL), AD_ERR_SHAPE, "h is [2]", "[3, 2]");
    REFUSED(A(array_lstm_cell)(a34, nothing, a34, &w, NULL), AD_ERR_SHAPE, "c is [3, 4]", "[3, 2]");
    w.bias_hh = a34;
    REFUSED(A(array_lstm_cell)(a34, nothing, nothing, &w, NULL), AD_ERR_SHAPE, "bias_hh is [3, 4]",
            "[8]");
    w.bias_hh = nothing;
    w.weight_hh = v2;
    REFUSED(A(array_lstm_cell)(a34, nothing, nothing, &w, NULL), AD_ERR_SHAPE, "weight_hh is [2]",
            NULL);
    w.weight_hh = nothing;
    REFUSED(A(array_gru_cell)(a34, nothing, &w), AD_ERR_ARGUMENT, "without a tape", NULL);
    A(tape_destroy)(t);
}

/* Recurrent layers against their formulas in scalars, values and adjoints. */
static A(var) T(row_times)(const A(var) *w, const A(var) *x, int32_t n, const A(var) *bias)
{
    A(var) sum = bias ? *bias : A(const)(0);
    int32_t i;
    for (i = 0; i < n; i++) sum = A(var_add)(sum, A(var_mul)(w[i], x[i]));
    return sum;
}
static void T(recurrent_layers)(void)
{
    enum { steps = 3, lots = 2, inputs = 3, hidden = 2, all = 4 * hidden };
    A(tape) *const t = A(tape_create)(NULL);
    int way;
    for (way = 0; way < 16; way++) {         /* LSTM or GRU; steps or a cell; what is left out */
        const int gates = way & 1 ? 3 : 4, rows = gates * hidden, cell = way >> 1 & 1;
        const int biased = !(way & 4), started = !(way & 8), last = cell ? 1 : steps;
        A(array) x[7], y, c = T(nothing)(), g[7], difference[2], none = T(nothing)();
        A(recurrent) w;
        A(var) xs[steps * lots * inputs], ih[all * inputs], hh[all * hidden], bi[all], bh[all];
        A(var) hs[lots * hidden], cs[lots * hidden], ys[steps * lots * hidden], loss;
        int32_t two[2] = { lots, hidden };
        int s, b, i, k, n = 0;
        size_t e;
        A(tape_reset)(t);
        for (k = 0; k < 7; k++) {
            static const int32_t first[7] = { steps, 0, 0, 0, 0, lots, lots };
            static const int32_t second[7] = { lots, inputs, hidden, 0, 0, hidden, hidden };
            AREAL v[64];
            int32_t dim[3];
            for (e = 0; e < 64; e++) v[e] = (AREAL)weight(e, k + 7 * way);
            dim[0] = first[k] ? first[k] : rows;
            dim[1] = second[k];
            dim[2] = inputs;
            x[k] = k == 0 && !cell ? A(array_input)(t, 3, dim, v)
                : A(array_input)(t, second[k] ? 2 : 1, k == 0 ? dim + 1 : dim, v);
        }
        w.weight_ih = x[1];
        w.weight_hh = x[2];
        w.bias_ih = biased ? x[3] : none;
        w.bias_hh = biased ? x[4] : none;
        A(array_unpack)(x[0], xs);
        A(array_unpack)(x[1], ih);
        A(array_unpack)(x[2], hh);
        A(array_unpack)(x[3], bi);
        A(array_unpack)(x[4], bh);
        A(array_unpack)(x[5], hs);
        A(array_unpack)(x[6], cs);
        for (i = 0; i < lots * hidden && !started; i++) hs[i] = cs[i] = A(const)(0);
        for (s = 0; s < last; s++) {
            for (b = 0; b < lots; b++) {
                A(var) a[all], z[all], *const h = hs + b * hidden;
                for (i = 0; i < rows; i++) {
                    a[i] = T(row_times)(ih + i * inputs, xs + (s * lots + b) * inputs, inputs,
                                        biased ? bi + i : NULL);
                    z[i] = T(row_times)(hh + i * hidden, h, hidden, biased ? bh + i : NULL);
                }
                for (i = 0; i < hidden; i++) {
                    A(var) *const own = cs + b * hidden + i, p, q, r;
                    p = A(var_sigmoid)(A(var_add)(a[i], z[i]));
                    q = A(var_sigmoid)(A(var_add)(a[hidden + i], z[hidden + i]));
                    if (gates == 3) {
                        r = A(var_tanh)(A(var_add)(a[2 * hidden + i],
                                                   A(var_mul)(p, z[2 * hidden + i])));
                        h[i] = A(var_add)(A(var_mul)(A(var_sub_from_r)(1, q), r),
                                          A(var_mul)(q, h[i]));
                        continue;
                    }
                    r = A(var_tanh)(A(var_add)(a[2 * hidden + i], z[2 * hidden + i]));
                    *own = A(var_add)(A(var_mul)(q, *own), A(var_mul)(p, r));
                    p = A(var_sigmoid)(A(var_add)(a[3 * hidden + i], z[3 * hidden + i]));
                    h[i] = A(var_mul)(p, A(var_tanh)(*own));
                }
                for (i = 0; i < hidden; i++) ys[n++] = h[i];
            }
        }
        if (!started) x[5] = x[6] = none;
        if (gates == 4 && cell) y = A(array_lstm_cell)(x[0], x[5], x[6], &w, &c);
        else if (gates == 4) y = A(array_lstm)(x[0], x[5], x[6], &w, &c);
        else if (cell) y = A(array_gru_cell)(x[0], x[5], &w);
        else y = A(array_gru)(x[0], x[5], &w);
        CHECK(y.rank == (cell ? 2 : 3) && A(array_size)(y) == (size_t)n);
        CHECK(y.dim[0] == (cell ? lots : steps) && y.dim[y.rank - 1] == hidden);
        difference[0] = A(array_sub)(y, A(array_pack)(t, y.rank, y.dim, ys));
        difference[1] = gates == 3 ? difference[0] : A(array_sub)(c, A(array_pack)(t, 2, two, cs));
        for (k = 0; k < 2; k++) {
            const AREAL *const v = A(array_values)(difference[k]);
            for (e = 0; e < A(array_size)(difference[k]); e++)
                test_check(v && fabs((double)v[e]) < 8 * (double)AEPS, __FILE__, __LINE__,
                    "way %d: element %d is off by %g", way, (int)e, v ? (double)v[e] : 0);
        }
        difference[0] = A(array_mul_v)(A(array_sin)(A(array_add_r)(difference[0], 1)), ys[0]);
        loss = A(var_add)(A(array_item)(A(array_sum)(difference[0], AD_ALL_AXES, 0)),
                          A(array_item)(A(array_sum)(difference[1], AD_ALL_AXES, 0)));
        loss = A(var_sub)(loss, A(var_mul_r)(ys[0], (AREAL)(n * sin(1.0))));
        if (!started) x[5] = x[6] = x[0];
        if (!test_check(A(array_grad)(loss, 7, x, g) == AD_OK, __FILE__, __LINE__, "way %d: %s",
            way, A(tape_message)(t))) continue;
        for (k = 0; k < 7; k++) {
            const AREAL *const v = A(array_values)(g[k]);
            for (e = 0; e < A(array_size)(g[k]); e++)
                test_check(v && fabs((double)v[e]) < 64 * (double)AEPS, __FILE__, __LINE__,
                    "way %d: adjoint %d of array %d is off by %g", way, (int)e, k,
                    v ? (double)v[e] : 0);
        }
    }
    A(tape_destroy)(t);
}

/* What attention does not see may be anything, and has no part of the adjoint. */
static void T(attention_masks)(void)
{
    A(tape) *const t = A(tape_create)(NULL);
    const AREAL far = -(AREAL)INFINITY;
    AREAL hidden[3];
    A(array) q = T(shaped)(T(list)(t, "1 2 .5 1"), 2, 2, 2, 0, 0);
    A(array) k = T(shaped)(T(list)(t, "1 0 2 1 -1 3"), 2, 3, 2, 0, 0);
    const A(array) v = T(list)(t, "1 5 7"), none = T(nothing)();
    const A(array) column = T(shaped)(v, 2, 3, 1, 0, 0);
    A(array) mask;
    hidden[0] = hidden[2] = far;
    hidden[1] = 0;
    mask = T(vector)(t, 3, hidden);
    /* the second key alone */
    WANTS(A(array_attention)(q, k, column, mask, 0, 0), v, "0 2 0");
    hidden[0] = 0;
    hidden[1] = far;
    mask = A(array_const)(t, 1, k.dim, hidden);
    WANTS(A(array_attention)(q, k, column, mask, 1, 1), v, "2 0 0");
    /* the third key is after both queries; the first query sees one, the second two */
    k = T(shaped)(T(list)(t, "1 0 2 1 nan 3"), 2, 3, 2, 0, 0);
    WANTS(A(array_attention)(q, k, column, none, 1, 1), v,
        "1.18242552380635635 0.81757447619364365 0");
    /* a query that sees no key, since the mask hides the one before the diagonal: not the mean */
    k = T(shaped)(T(list)(t, "1 0 2 1 -1 3"), 2, 3, 2, 0, 0);
    hidden[0] = far;
    hidden[1] = 0;
    q = A(array_attention)(q, k, column, T(vector)(t, 3, hidden), 1, 0);
    EXPECT(q.rank == 2 && A(array_at)(q, 0).v != A(array_at)(q, 0).v
        && A(array_at)(q, 1).v == 5);
    A(tape_destroy)(t);
}

/* Logits may stand anywhere: what they have in common is neither in the loss nor in its gradient.
   One term that is -0 stays so, on the tape as in functions. */
static void T(far_logits)(void)
{
    static const uint32_t right = 0;
    static const AREAL at[] = { 0, (AREAL)1e4, (AREAL)-1e6, (AREAL)1e8, (AREAL)1e17 };
    const int32_t row[2] = { 1, 2 }, one[2] = { 1, 1 };
    const AREAL minus_zero = -(AREAL)0;
    const AREAL *const in[1] = { &minus_zero };
    size_t i;
    for (i = 0; i < COUNT(at); i++) {
        A(tape) *const t = A(tape_create)(NULL);
        const AREAL x[2] = { at[i], at[i] };
        const A(array) a = A(array_input)(t, 2, row, x);
        const A(array) y = A(array_cross_entropy)(a, &right, AD_MEAN);
        const A(array) l = A(array_log_softmax)(a, -1);
        AREAL of = 0, *const out[1] = { &of };
        const A(array) z = A(array_input)(t, 2, one, &minus_zero);
        const A(array) w = A(array_inv)(A(array_trace)(z));
        A(fn) *f;
        EXPECT(A(array_backward)(y, NULL) == AD_OK);
        EXPECT(fabs((double)A(array_item)(y).v - 0.69314718055994531) < 1e-7
            && A(array_at)(l, 0).v == -A(array_item)(y).v);
        EXPECT(A(array_adjoints)(a)[0] == (AREAL)-0.5 && A(array_adjoints)(a)[1] == (AREAL)0.5);
        f = A(fn_create_arrays)(t, 1, &z, 1, &w, NULL);
        EXPECT(A(fn_run)(f, in, out) == AD_OK && of == A(array_item)(w).v && of < 0);
        A(fn_destroy)(f);
        A(tape_destroy)(t);
    }
    {                                            /* met exactly, with a variance of exp(-800) */
        A(tape) *const t = A(tape_create)(NULL);
        const A(array) y = A(array_input)(t, 0, NULL, &at[0]);
        const A(array) v = A(array_add_r)(y, -800);
        const A(array) loss = A(array_gaussian_nll)(y, v, y, AD_SUM);
        EXPECT(fabs((double)A(array_item)(loss).v + 399.08106146679532) < 1e-3);
        A(tape_destroy)(t);
    }
}

/* Factors, at sizes on both sides of where they are made in another way. A matrix with one power of
   two in each row and column is solved exactly, whatever rows are exchanged; a column of zeros is
   singular. The adjoints of both operands are those of each alone, sweep after sweep, and those
   that are recorded. */
static void T(factors)(void)
{
    static const int32_t sizes[] = { 1, 2, 5, 16, 17, 31, 32, 33, 49, 100 };
    enum { most = 100 };
    static AREAL a[most * most], b[most * 2], g[most * 2], bar[most * most], row[most * 2];
    A(tape) *const t = A(tape_create)(NULL);
    size_t s, i, j, e;
    for (s = 0; s < COUNT(sizes); s++) {
        const int32_t square[2] = { sizes[s], sizes[s] }, two[2] = { sizes[s], 2 };
        const size_t n = (size_t)sizes[s];
        A(array) x, y, r, of[2], grad[2];
        A(var) v;
        int exact = 1, same = 1, near = 1, sweep;
        memset(a, 0, sizeof a);
        for (i = 0; i < n; i++) {
            j = (i + n / 3 + 1) % n;
            a[i * n + j] = (AREAL)ldexp(i % 2 ? 1 : -1, (int)(i % 7) - 3);
            b[2 * i] = (AREAL)i + 1;
            b[2 * i + 1] = -(AREAL)i;
        }
        A(tape_reset)(t);
        x = A(array_const)(t, 2, square, a);
        r = A(array_solve)(x, A(array_const)(t, 2, two, b));
        y = A(array_inverse)(x);
        for (i = 0; i < n; i++) {
            const AREAL p = a[i * n + (i + n / 3 + 1) % n];
            j = (i + n / 3 + 1) % n;
            exact &= A(array_values)(r)[2 * j] == b[2 * i] / p
                && A(array_values)(r)[2 * j + 1] == b[2 * i + 1] / p
                && A(array_values)(y)[j * n + i] == 1 / p;
        }
        test_check(exact, __FILE__, __LINE__, "a permuted diagonal of %d", (int)n);

        for (i = 0; i < n * n; i++) a[i] = (AREAL)sin(1.7 * (double)i) + (AREAL)(i % (n + 1) == 1);
        for (i = 0; i < 2 * n; i++) g[i] = (AREAL)cos((double)i);
        for (i = 0; i < n; i++) a[i * n + (i + 1) % n] += (AREAL)n;
        x = A(array_input)(t, 2, square, a);
        r = A(array_solve)(x, A(array_const)(t, 2, two, b));
        CHECK(A(array_backward)(r, g) == AD_OK);
        memcpy(bar, A(array_adjoints)(x), n * n * sizeof *bar);
        y = A(array_input)(t, 2, two, b);
        r = A(array_solve)(A(array_detach)(x), y);
        CHECK(A(array_backward)(r, g) == AD_OK);
        memcpy(row, A(array_adjoints)(y), 2 * n * sizeof *row);
        r = A(array_solve)(x, y);
        for (sweep = 0; sweep < 2; sweep++) {
            CHECK(A(array_backward)(r, g) == AD_OK);
            for (e = 0; e < n * n; e++) same &= A(array_adjoints)(x)[e] == bar[e];
            for (e = 0; e < 2 * n; e++) same &= A(array_adjoints)(y)[e] == row[e];
        }
        test_check(same, __FILE__, __LINE__, "adjoints of a solution, n = %d", (int)n);
        v = A(array_item)(A(array_sum)(A(array_mul)(r, A(array_const)(t, 2, two, g)),
            AD_ALL_AXES, 0));
        of[0] = x;
        of[1] = y;
        CHECK(A(array_grad)(v, 2, of, grad) == AD_OK);
        for (e = 0; e < n * n; e++)
            near &= fabs((double)(A(array_values)(grad[0])[e] - bar[e])) < 1e3 * (double)AEPS;
        for (e = 0; e < 2 * n; e++)
            near &= fabs((double)(A(array_values)(grad[1])[e] - row[e])) < 1e3 * (double)AEPS;
        test_check(near, __FILE__, __LINE__, "recorded adjoints of a solution, n = %d", (int)n);

        x = A(array_detach)(x);                  /* of a symmetric one only the lower part */
        x = A(array_matmul_t)(x, 0, x, 1);
        r = A(array_cholesky)(x);
        r = A(array_sub)(A(array_matmul_t)(r, 0, r, 1), x);
        for (near = 1, e = 0; e < n * n; e++)
            near &= fabs((double)A(array_values)(r)[e]) < 1e2 * (double)(n * n) * (double)AEPS;
        test_check(near, __FILE__, __LINE__, "a matrix's root, n = %d", (int)n);
        CHECK(A(tape_status)(t) == AD_OK);

        for (i = 0; i < n; i++) a[i * n + n / 2] = 0;
        x = A(array_input)(t, 2, square, a);
        r = A(array_logdet)(x);
        CHECK((double)A(array_values)(r)[0] == -(double)INFINITY);
        CHECK(A(array_backward)(r, NULL) == AD_ERR_ARGUMENT);
        A(tape_clear_status)(t);
        for (sweep = 0; sweep < 2; sweep++) {
            r = sweep ? A(array_inverse)(x) : A(array_solve)(x, y);
            CHECK(r.rank < 0 && A(tape_status)(t) == AD_ERR_ARGUMENT
                && strstr(A(tape_message)(t), "singular"));
            A(tape_clear_status)(t);
        }
    }
    A(tape_destroy)(t);
}

static void T(errors)(void)
{
    A(tape) *const t = A(tape_create)(NULL), *const second = A(tape_create)(NULL);
    A(array) a34, b52, v6, s, c234, c342, i4, small, w4, k3, sq4, sing, minus, empty, list[4];
    A(array) foreign, none, g;
    A(fn) *f1, *f2, *bad;
    char text[100];
    int32_t dim[5];
    int order[4];
    uint32_t index[4] = { 0, 1, 2, 3 };
    ad_conv_desc d;
    ad_pool_desc p;
    size_t e, mark;
    A(var) y, x[16];
    const AREAL *dot[1];
    AREAL numbers[16];
    memset(numbers, 0, sizeof numbers);
    memset(&none, 0, sizeof none);
    a34 = T(make)(t, 2, 3, 4, 0, 0);
    b52 = T(make)(t, 2, 5, 2, 0, 0);
    v6 = T(make)(t, 1, 6, 0, 0, 0);
    s = T(make)(t, 0, 0, 0, 0, 0);
    c234 = T(make)(t, 3, 2, 3, 4, 0);
    c342 = T(make)(t, 3, 3, 4, 2, 0);
    empty = T(make)(t, 2, 2, 0, 0, 0);
    i4 = T(make)(t, 4, 2, 3, 5, 5);
    small = T(make)(t, 4, 1, 4, 3, 3);
    w4 = T(make)(t, 4, 4, 2, 3, 3);
    k3 = T(make)(t, 3, 4, 2, 3, 0);
    sq4 = T(make)(t, 2, 4, 4, 0, 0);
    sing = T(shaped)(T(list)(t, "1 2 2 4"), 2, 2, 2, 0, 0);
    minus = A(array_neg)(sing);
    foreign = T(make)(second, 2, 3, 4, 0, 0);

    REFUSED(A(array_add)(a34, b52), AD_ERR_SHAPE, "[3, 4]", "[5, 2]");
    REFUSED(A(array_mul)(c234, v6), AD_ERR_SHAPE, "[2, 3, 4]", "[6]");
    REFUSED(A(array_fma)(a34, s, b52), AD_ERR_SHAPE, "[3, 4]", "[5, 2]");
    REFUSED(A(array_select)(a34, v6, s), AD_ERR_SHAPE, "[3, 4]", "[6]");
    REFUSED(A(array_where)(b52, v6, s), AD_ERR_SHAPE, "[5, 2]", "[6]");
    REFUSED(A(array_matmul)(a34, b52), AD_ERR_SHAPE, "[3, 4]", "[5, 2]");
    REFUSED(A(array_matmul)(a34, a34), AD_ERR_SHAPE, "[3, 4]", NULL);
    REFUSED(A(array_matmul_t)(a34, 1, b52, 0), AD_ERR_SHAPE, "[3, 4]", "[5, 2]");
    REFUSED(A(array_matmul)(s, a34), AD_ERR_SHAPE, "[]", "[3, 4]");
    REFUSED(A(array_matmul)(v6, a34), AD_ERR_SHAPE, "[6]", "[3, 4]");
    REFUSED(A(array_matmul)(c234, c342), AD_ERR_SHAPE, "[2, 3, 4]", "[3, 4, 2]");
    REFUSED(A(array_dot)(a34, b52), AD_ERR_SHAPE, "[3, 4]", "[5, 2]");
    REFUSED(A(array_outer)(a34, v6), AD_ERR_SHAPE, "[3, 4]", "[6]");
    REFUSED(A(array_diagonal)(v6, 0), AD_ERR_SHAPE, "[6]", NULL);
    REFUSED(A(array_trace)(s), AD_ERR_SHAPE, NULL, NULL);
    REFUSED(A(array_tril)(v6, 0), AD_ERR_SHAPE, "[6]", NULL);
    REFUSED(A(array_triu)(s, 0), AD_ERR_SHAPE, NULL, NULL);
    REFUSED(A(array_triangular_solve)(a34, b52, AD_LOWER, 0), AD_ERR_SHAPE, "[3, 4]", NULL);
    REFUSED(A(array_triangular_solve)(sq4, b52, AD_UPPER, 1), AD_ERR_SHAPE, "[4, 4]", "[5, 2]");
    REFUSED(A(array_solve)(a34, b52), AD_ERR_SHAPE, "[3, 4]", NULL);
    REFUSED(A(array_solve)(sq4, b52), AD_ERR_SHAPE, "[4, 4]", "[5, 2]");
    REFUSED(A(array_cholesky)(a34), AD_ERR_SHAPE, "[3, 4]", NULL);
    REFUSED(A(array_inverse)(v6), AD_ERR_SHAPE, "[6]", NULL);
    REFUSED(A(array_logdet)(c234), AD_ERR_SHAPE, "[2, 3, 4]", NULL);
    REFUSED(A(array_lstsq)(a34, b52), AD_ERR_SHAPE, "[3, 4]", "[5, 2]");
    REFUSED(A(array_lstsq)(sing, sing), AD_ERR_ARGUMENT, "column 1", NULL);
    REFUSED(A(array_cholesky)(sing), AD_ERR_ARGUMENT, NULL, NULL);
    REFUSED(A(array_cholesky)(minus), AD_ERR_ARGUMENT, NULL, NULL);
    REFUSED(A(array_inverse)(sing), AD_ERR_ARGUMENT, NULL, NULL);
    REFUSED(A(array_solve)(sing, sing), AD_ERR_ARGUMENT, NULL, NULL);
    CHECK((double)A(array_item)(A(array_logdet)(sing)).v == (double)-INFINITY);
    CHECK(A(tape_status)(t) == AD_OK);
    A(tape_clear_status)(t);

    dim[0] = 5;
    dim[1] = 3;
    dim[2] = dim[3] = dim[4] = 1;
    REFUSED(A(array_reshape)(a34, 2, dim), AD_ERR_SHAPE, "[3, 4]", "[5, 3]");
    REFUSED(A(array_broadcast_to)(a34, 2, dim), AD_ERR_SHAPE, "[3, 4]", "[5, 3]");
    REFUSED(A(array_broadcast_to)(c234, 2, dim), AD_ERR_SHAPE, "[2, 3, 4]", "[5, 3]");
    REFUSED(A(array_reshape)(a34, 5, dim), AD_ERR_SHAPE, NULL, NULL);
    REFUSED(A(array_reshape)(a34, -1, dim), AD_ERR_SHAPE, NULL, NULL);
    REFUSED(A(array_reshape)(a34, 2, NULL), ANY, NULL, NULL);
    REFUSED(A(array_broadcast_to)(a34, 5, dim), AD_ERR_SHAPE, NULL, NULL);
    REFUSED(A(array_broadcast_to)(a34, 3, NULL), ANY, NULL, NULL);
    REFUSED(A(array_input)(t, 5, dim, NULL), AD_ERR_SHAPE, NULL, NULL);
    REFUSED(A(array_full)(t, -1, dim, 0), AD_ERR_SHAPE, NULL, NULL);
    REFUSED(A(array_input)(t, 2, NULL, NULL), ANY, NULL, NULL);
    REFUSED(A(array_borrow)(t, 2, dim, NULL), AD_ERR_ARGUMENT, NULL, NULL);
    REFUSED(A(array_const_borrow)(t, 2, dim, NULL), AD_ERR_ARGUMENT, NULL, NULL);
    REFUSED(A(array_pack)(t, 2, dim, NULL), ANY, NULL, NULL);
    REFUSED(A(array_pack)(t, 5, dim, x), AD_ERR_SHAPE, NULL, NULL);
    REFUSED(A(array_uniform)(t, 5, dim, 1, 1), AD_ERR_SHAPE, NULL, NULL);
    dim[0] = -2;
    dim[1] = dim[2] = 0;
    REFUSED(A(array_reshape)(a34, 3, dim), AD_ERR_SHAPE, "[3, 4]", "[-2, 0, 0]");
    REFUSED(A(array_broadcast_to)(a34, 3, dim), AD_ERR_SHAPE, "[3, 4]", "[-2, 0, 0]");
    dim[0] = dim[1] = -1;
    REFUSED(A(array_reshape)(a34, 2, dim), AD_ERR_SHAPE, "[3, 4]", NULL);
    REFUSED(A(array_input)(t, 2, dim, NULL), AD_ERR_SHAPE, NULL, NULL);
    REFUSED(A(array_const)(t, 1, dim, numbers), AD_ERR_SHAPE, NULL, NULL);
    REFUSED(A(array_normal)(t, 1, dim, 1, 1), AD_ERR_SHAPE, NULL, NULL);
    REFUSED(A(array_pack)(t, 1, dim, x), AD_ERR_SHAPE, NULL, NULL);
    REFUSED(A(array_broadcast_to)(s, 1, dim), AD_ERR_SHAPE, NULL, NULL);
    dim[1] = 5;
    REFUSED(A(array_reshape)(a34, 2, dim), AD_ERR_SHAPE, "[3, 4]", NULL);
    dim[1] = -4;
    REFUSED(A(array_reshape)(a34, 2, dim), AD_ERR_SHAPE, "[3, 4]", NULL);
    dim[0] = dim[1] = 60000;
    REFUSED(A(array_broadcast_to)(s, 2, dim), ANY, NULL, NULL);
    REFUSED(A(array_input)(t, 2, dim, NULL), ANY, NULL, NULL);
    REFUSED(A(array_full)(t, 2, dim, 1), ANY, NULL, NULL);
    dim[0] = dim[1] = dim[2] = dim[3] = INT32_MAX;
    REFUSED(A(array_full)(t, 4, dim, 1), ANY, NULL, NULL);
    REFUSED(A(array_reshape)(a34, 4, dim), AD_ERR_SHAPE, "[3, 4]", NULL);
    REFUSED(A(array_tile)(a34, dim), ANY, "[3, 4]", NULL);
    REFUSED(A(array_pad)(a34, dim, dim, 0), ANY, "[3, 4]", NULL);
    order[0] = order[1] = 1;
    REFUSED(A(array_permute)(a34, order), AD_ERR_SHAPE, "[3, 4]", NULL);
    order[0] = 2;
    REFUSED(A(array_permute)(a34, order), AD_ERR_SHAPE, "[3, 4]", NULL);
    order[0] = -3;
    REFUSED(A(array_permute)(a34, order), AD_ERR_SHAPE, "[3, 4]", NULL);
    REFUSED(A(array_permute)(a34, NULL), ANY, NULL, NULL);
    REFUSED(A(array_slice)(a34, 2, 0, 1, 1), AD_ERR_SHAPE, "[3, 4]", NULL);
    REFUSED(A(array_slice)(a34, -3, 0, 1, 1), AD_ERR_SHAPE, "[3, 4]", NULL);
    REFUSED(A(array_slice)(s, 0, 0, 1, 1), AD_ERR_SHAPE, NULL, NULL);
    REFUSED(A(array_slice)(a34, 0, 0, 1, 0), AD_ERR_ARGUMENT, NULL, NULL);
    REFUSED(A(array_flip)(a34, AD_AXIS(2)), AD_ERR_SHAPE, "[3, 4]", NULL);
    REFUSED(A(array_flip)(s, AD_AXIS(0)), AD_ERR_SHAPE, NULL, NULL);
    REFUSED(A(array_flip)(a34, AD_AXIS(-3)), AD_ERR_SHAPE, "[3, 4]", NULL);
    dim[0] = -1;
    dim[1] = 1;
    REFUSED(A(array_tile)(a34, dim), AD_ERR_SHAPE, "[3, 4]", NULL);
    REFUSED(A(array_tile)(a34, NULL), ANY, NULL, NULL);
    REFUSED(A(array_pad)(a34, dim, dim, 0), AD_ERR_SHAPE, "[3, 4]", NULL);
    REFUSED(A(array_pad)(a34, NULL, dim, 0), ANY, NULL, NULL);
    list[0] = a34;
    list[1] = b52;
    list[2] = s;
    REFUSED(A(array_concatenate)(2, list, 0), AD_ERR_SHAPE, "[3, 4]", "[5, 2]");
    REFUSED(A(array_stack)(2, list, 0), AD_ERR_SHAPE, "[3, 4]", "[5, 2]");
    REFUSED(A(array_concatenate)(1, list, 2), AD_ERR_SHAPE, "[3, 4]", NULL);
    REFUSED(A(array_concatenate)(1, list + 2, 0), AD_ERR_SHAPE, NULL, NULL);
    REFUSED(A(array_stack)(1, list, 3), AD_ERR_SHAPE, "[3, 4]", NULL);
    REFUSED(A(array_stack)(1, &i4, 0), AD_ERR_SHAPE, "[2, 3, 5, 5]", NULL);
    list[1] = c234;
    REFUSED(A(array_concatenate)(2, list, 0), AD_ERR_SHAPE, "[3, 4]", "[2, 3, 4]");
    REFUSED_STATUS(A(array_split)(a34, 1, 3, list), AD_ERR_SHAPE, "[3, 4]");
    REFUSED_STATUS(A(array_split)(a34, 2, 2, list), AD_ERR_SHAPE, "[3, 4]");
    REFUSED_STATUS(A(array_split)(a34, 1, 0, list), ANY, "");
    REFUSED_STATUS(A(array_split)(a34, 1, 2, NULL), AD_ERR_ARGUMENT, "");
    A(array_split)(a34, 1, 3, list);
    CHECK(list[0].rank == -1 && list[1].rank == -1 && list[2].rank == -1);
    A(tape_clear_status)(t);
    index[3] = 3;
    REFUSED(A(array_gather)(a34, 0, 4, index), AD_ERR_ARGUMENT, "3", NULL);
    REFUSED(A(array_gather)(a34, 2, 2, index), AD_ERR_SHAPE, "[3, 4]", NULL);
    REFUSED(A(array_gather)(a34, 0, 2, NULL), AD_ERR_ARGUMENT, NULL, NULL);
    REFUSED(A(array_scatter_add)(a34, 0, 2, index, b52), AD_ERR_SHAPE, "[3, 4]", "[5, 2]");
    REFUSED(A(array_scatter_add)(a34, 0, 2, index, v6), AD_ERR_SHAPE, "[3, 4]", "[6]");
    REFUSED(A(array_scatter_add)(a34, 0, 3, index + 1, a34), AD_ERR_ARGUMENT, NULL, NULL);
    REFUSED(A(array_scatter_add)(a34, 0, 3, NULL, a34), AD_ERR_ARGUMENT, NULL, NULL);
    REFUSED(A(array_scatter_add)(a34, -3, 3, index, a34), AD_ERR_SHAPE, "[3, 4]", NULL);
    REFUSED(A(array_argsort)(a34, 2, 0), AD_ERR_SHAPE, "[3, 4]", NULL);
    REFUSED(A(array_sort)(s, 0, 0), AD_ERR_SHAPE, NULL, NULL);
    REFUSED(A(array_topk)(a34, 0, 4, 1, NULL), AD_ERR_ARGUMENT, "ad_array_topk: 4 of 3", NULL);
    REFUSED(A(array_topk)(a34, 0, -1, 1, &g), AD_ERR_ARGUMENT, "-1 of 3", NULL);
    CHECK(g.rank == -1);
    REFUSED(A(array_topk)(a34, 2, 1, 1, NULL), AD_ERR_SHAPE, "[3, 4]", NULL);
    REFUSED(A(array_take_along)(a34, 2, a34), AD_ERR_SHAPE, "[3, 4]", NULL);
    REFUSED(A(array_take_along)(a34, 0, v6), AD_ERR_SHAPE, "[3, 4]", "[6]");
    REFUSED(A(array_take_along)(a34, 0, b52), AD_ERR_SHAPE, "[3, 4]", "[5, 2]");
    for (e = 0; e < 4; e++) {
        static const double wrong[4] = { 3, -1, 1.5, 1e20 };
        const A(array) at = A(array_full)(t, 2, b52.dim, (AREAL)wrong[e]);
        const A(array) of = A(array_slice)(a34, 1, 0, 2, 1);
        REFUSED(A(array_take_along)(of, 0, at), AD_ERR_ARGUMENT, "of an axis of 3", NULL);
        REFUSED(A(array_scatter_along)(of, 0, at, b52), AD_ERR_ARGUMENT, "of an axis of 3", NULL);
        REFUSED(A(array_scatter_add_along)(of, 0, at, b52), AD_ERR_ARGUMENT, "of an axis of 3",
            NULL);
    }
    REFUSED(A(array_scatter_along)(a34, -3, a34, a34), AD_ERR_SHAPE, "[3, 4]", NULL);
    REFUSED(A(array_scatter_along)(a34, 0, a34, b52), AD_ERR_SHAPE, "[3, 4]", "[5, 2]");
    REFUSED(A(array_scatter_add_along)(a34, 0, b52, a34), AD_ERR_SHAPE, "[5, 2]", "[3, 4]");
    REFUSED(A(array_scatter_add_along)(a34, 0, v6, a34), AD_ERR_SHAPE, "[3, 4]", "[6]");
    REFUSED(A(array_scatter_add_along)(a34, 0, a34, c234), AD_ERR_SHAPE, "[3, 4]", "[2, 3, 4]");
    dim[0] = 4;
    REFUSED(A(array_embedding)(a34, 1, dim, index), AD_ERR_ARGUMENT, NULL, NULL);
    REFUSED(A(array_embedding)(v6, 1, dim, index), AD_ERR_SHAPE, "[6]", NULL);
    REFUSED(A(array_embedding)(a34, 4, dim, index), AD_ERR_SHAPE, NULL, NULL);
    REFUSED(A(array_embedding)(a34, 1, dim, NULL), AD_ERR_ARGUMENT, NULL, NULL);

    REFUSED(A(array_sum)(a34, AD_AXIS(2), 0), AD_ERR_SHAPE, "[3, 4]", NULL);
    REFUSED(A(array_mean)(a34, AD_AXIS(-3), 0), AD_ERR_SHAPE, "[3, 4]", NULL);
    REFUSED(A(array_prod)(s, AD_AXIS(0), 1), AD_ERR_SHAPE, NULL, NULL);
    REFUSED(A(array_amax)(a34, AD_AXIS(5), 1), AD_ERR_SHAPE, "[3, 4]", NULL);
    REFUSED(A(array_norm)(a34, AD_AXIS(2), 1), AD_ERR_SHAPE, "[3, 4]", NULL);
    REFUSED(A(array_logsumexp)(a34, AD_AXIS(2), 0), AD_ERR_SHAPE, "[3, 4]", NULL);
    REFUSED(A(array_var)(a34, AD_AXIS(2), 0, 0), AD_ERR_SHAPE, "[3, 4]", NULL);
    REFUSED(A(array_std)(a34, AD_AXIS(4), 0, 0), AD_ERR_SHAPE, "[3, 4]", NULL);
    REFUSED(A(array_var)(a34, AD_ALL_AXES, 0, -1), AD_ERR_ARGUMENT, "ad_array_var: ddof -1", NULL);
    REFUSED(A(array_std)(a34, AD_AXIS(0), 1, -2), AD_ERR_ARGUMENT, "ad_array_std: ddof -2", NULL);
    REFUSED(A(array_cumsum)(a34, 2), AD_ERR_SHAPE, "[3, 4]", NULL);
    REFUSED(A(array_cumsum)(s, 0), AD_ERR_SHAPE, NULL, NULL);
    REFUSED(A(array_cumprod)(a34, 2), AD_ERR_SHAPE, "ad_array_cumprod", NULL);
    REFUSED(A(array_logcumsumexp)(s, -1), AD_ERR_SHAPE, "ad_array_logcumsumexp", NULL);
    REFUSED(A(array_cummax)(a34, -3), AD_ERR_SHAPE, "ad_array_cummax", NULL);
    REFUSED(A(array_cummin)(s, 0), AD_ERR_SHAPE, "ad_array_cummin", NULL);
    REFUSED(A(array_vector_norm)(a34, (AREAL)0.5, AD_ALL_AXES, 0), AD_ERR_ARGUMENT, "order 0.5",
        NULL);
    REFUSED(A(array_vector_norm)(a34, (AREAL)NAN, AD_ALL_AXES, 0), AD_ERR_ARGUMENT, NULL, NULL);
    REFUSED(A(array_vector_norm)(a34, 3, 1, 0), AD_ERR_SHAPE, "plain number", NULL);
    REFUSED(A(array_vector_norm)(empty, (AREAL)INFINITY, AD_AXIS(1), 0), AD_ERR_SHAPE, NULL, NULL);
    /* cosines [3], and a label for each of 4 rows of such */
    CHECK(A(array_cosine_embedding)(a34, a34, A(array_transpose)(a34), 0, AD_NONE).rank == -1);
    CHECK_STATUS(A(tape_status)(t), AD_ERR_SHAPE);
    A(tape_clear_status)(t);
    REFUSED(A(array_repeat)(a34, 2, 1), AD_ERR_SHAPE, "[3, 4]", NULL);
    REFUSED(A(array_repeat)(a34, 0, -1), AD_ERR_SHAPE, "ad_array_repeat", NULL);
    REFUSED(A(array_repeat)(a34, 0, INT32_MAX), AD_ERR_LIMIT, "ad_array_repeat", NULL);
    REFUSED(A(array_roll)(a34, -3, 1), AD_ERR_SHAPE, "[3, 4]", NULL);
    {
        static const uint32_t labels[6] = { 1, 0, 1, 3, 1, 4 }, said[6] = { 1, 2, 2, 3, 1, 4 };
        static const uint32_t lengths[3] = { 2, 1, 0 }, ends[3] = { 2, 1, 0 };
        static const uint32_t more[3] = { 2, 1, 3 }, all[3] = { 2, 2, 2 };
        A(cross_entropy_desc) how;
        memset(&how, 0, sizeof how);
        how.smoothing = (AREAL)1.5;
        REFUSED(A(array_cross_entropy_weighted)(a34, labels, &how, AD_MEAN), AD_ERR_ARGUMENT,
            "smoothing 1.5", NULL);
        how.smoothing = (AREAL)NAN;
        REFUSED(A(array_cross_entropy_weighted)(a34, labels, &how, AD_MEAN), AD_ERR_ARGUMENT,
            NULL, NULL);
        how.smoothing = 0;
        how.ignored = &labels[5];
        REFUSED(A(array_cross_entropy_weighted)(b52, labels, &how, AD_SUM), AD_ERR_ARGUMENT,
            "class 3 of 2 in row 3", NULL);
        REFUSED(A(array_cross_entropy_weighted)(s, labels, &how, AD_SUM), AD_ERR_SHAPE, NULL, NULL);
        REFUSED(A(array_cross_entropy_weighted)(a34, NULL, NULL, AD_SUM), AD_ERR_ARGUMENT, NULL,
            NULL);
        REFUSED(A(array_binary_cross_entropy_weighted)(a34, a34, v6, AD_SUM), AD_ERR_SHAPE,
            "[3, 4]", "[6]");
        REFUSED(A(array_binary_cross_entropy_weighted)(a34, b52, v6, AD_SUM), AD_ERR_SHAPE,
            "[3, 4]", "[5, 2]");
        REFUSED(A(array_cosine_similarity)(a34, v6, 0), AD_ERR_SHAPE, "[3, 4]", "[6]");
        REFUSED(A(array_cosine_similarity)(a34, a34, 2), AD_ERR_SHAPE, "[3, 4]", NULL);
        REFUSED(A(array_cosine_similarity)(s, s, 0), AD_ERR_SHAPE, NULL, NULL);
        REFUSED(A(array_ctc)(a34, 2, said, lengths, NULL, 0, AD_SUM), AD_ERR_SHAPE, "[3, 4]", NULL);
        REFUSED(A(array_ctc)(c234, 2, NULL, lengths, NULL, 0, AD_SUM), AD_ERR_ARGUMENT, "NULL",
            NULL);
        REFUSED(A(array_ctc)(c234, 2, said, NULL, NULL, 0, AD_SUM), AD_ERR_ARGUMENT, "NULL", NULL);
        REFUSED(A(array_ctc)(c234, 2, said, lengths, ends, 0, AD_SUM), AD_ERR_ARGUMENT,
            "row 2 ends at 0 of 2", NULL);
        REFUSED(A(array_ctc)(c234, 2, said, more, NULL, 0, AD_SUM), AD_ERR_ARGUMENT,
            "row 2 has 3 labels of 2", NULL);
        REFUSED(A(array_ctc)(c234, 2, said, all, NULL, 0, AD_SUM), AD_ERR_ARGUMENT,
            "label 4 of row 2", NULL);
        REFUSED(A(array_ctc)(c234, 2, said, lengths, NULL, 2, AD_SUM), AD_ERR_ARGUMENT,
            "2 is the blank", NULL);
        REFUSED(A(array_ctc)(c234, 2, said, lengths, NULL, 4, AD_SUM), AD_ERR_ARGUMENT,
            "blank is class 4 of 4", NULL);
        REFUSED(A(array_ctc)(c234, SIZE_MAX / 4, said, lengths, NULL, 0, AD_SUM), AD_ERR_LIMIT,
            "too many", NULL);
    }
    REFUSED(A(array_softmax)(a34, -3), AD_ERR_SHAPE, "[3, 4]", NULL);
    REFUSED(A(array_log_softmax)(s, 0), AD_ERR_SHAPE, NULL, NULL);
    REFUSED(A(array_amax)(empty, AD_ALL_AXES, 0), ANY, NULL, NULL);
    REFUSED(A(array_amin)(empty, AD_AXIS(1), 0), ANY, NULL, NULL);
    REFUSED_STATUS(A(array_argmax)(a34, 2, index), AD_ERR_SHAPE, "[3, 4]");
    REFUSED_STATUS(A(array_argmin)(a34, 0, NULL), AD_ERR_ARGUMENT, "");
    REFUSED_STATUS(A(array_argmax)(a34, 1, NULL), AD_ERR_ARGUMENT, "ad_array_argmax");

    memset(&d, 0, sizeof d);
    memset(&p, 0, sizeof p);
    REFUSED(A(array_conv2d)(i4, w4, NULL), AD_ERR_SHAPE, "[2, 3, 5, 5]", "[4, 2, 3, 3]");
    REFUSED(A(array_conv2d)(a34, w4, NULL), AD_ERR_SHAPE, "[3, 4]", "[4, 2, 3, 3]");
    REFUSED(A(array_conv1d)(k3, w4, NULL), AD_ERR_SHAPE, "[4, 2, 3]", "[4, 2, 3, 3]");
    REFUSED(A(array_conv1d)(c234, k3, NULL), AD_ERR_SHAPE, "[2, 3, 4]", "[4, 2, 3]");
    REFUSED(A(array_conv2d_transpose)(i4, w4, NULL), AD_ERR_SHAPE, "[2, 3, 5, 5]", "[4, 2, 3, 3]");
    REFUSED(A(array_conv1d_transpose)(c234, k3, NULL), AD_ERR_SHAPE, "[2, 3, 4]", "[4, 2, 3]");
    d.groups = 2;
    REFUSED(A(array_conv2d)(i4, w4, &d), AD_ERR_SHAPE, "[2, 3, 5, 5]", "[4, 2, 3, 3]");
    d.groups = -1;
    REFUSED(A(array_conv2d)(w4, w4, &d), ANY, NULL, NULL);
    d.groups = 0;
    d.stride[0] = -1;
    REFUSED(A(array_conv2d)(w4, w4, &d), ANY, NULL, NULL);
    d.stride[0] = 0;
    d.pad[1] = -1;
    REFUSED(A(array_conv2d)(w4, w4, &d), ANY, NULL, NULL);
    d.pad[1] = 0;
    d.dilation[1] = 2;                           /* the kernel is wider than the image */
    REFUSED(A(array_conv2d)(w4, w4, &d), AD_ERR_SHAPE, "[4, 2, 3, 3]", NULL);
    d.dilation[1] = -2;
    REFUSED(A(array_conv2d)(w4, w4, &d), ANY, NULL, NULL);
    d.dilation[1] = 0;
    d.pad[0] = 5;                                /* the transpose would have nothing left */
    REFUSED(A(array_conv2d_transpose)(small, w4, &d), ANY, NULL, NULL);
    d.pad[0] = 0;
    d.extra[0] = -1;
    REFUSED(A(array_conv2d_transpose)(small, w4, &d), ANY, NULL, NULL);
    REFUSED(A(array_max_pool)(i4, &p), ANY, NULL, NULL);          /* no window */
    REFUSED(A(array_max_pool)(i4, NULL), ANY, NULL, NULL);
    p.size[0] = p.size[1] = 2;
    REFUSED(A(array_max_pool)(a34, &p), AD_ERR_SHAPE, "[3, 4]", NULL);
    p.pad[0] = 2;
    REFUSED(A(array_avg_pool)(i4, &p), ANY, NULL, NULL);
    p.pad[0] = -1;
    REFUSED(A(array_avg_pool)(i4, &p), ANY, NULL, NULL);
    p.pad[0] = 0;
    p.stride[1] = -1;
    REFUSED(A(array_avg_pool)(i4, &p), ANY, NULL, NULL);
    p.stride[1] = 0;
    p.size[0] = 6;
    REFUSED(A(array_avg_pool)(i4, &p), AD_ERR_SHAPE, "[2, 3, 5, 5]", NULL);
    REFUSED(A(array_layer_norm)(a34, v6, none, 0), AD_ERR_SHAPE, "[3, 4]", "[6]");
    REFUSED(A(array_layer_norm)(a34, none, v6, 0), AD_ERR_SHAPE, "[3, 4]", "[6]");
    REFUSED(A(array_layer_norm)(s, none, none, 0), AD_ERR_SHAPE, NULL, NULL);
    REFUSED(A(array_rms_norm)(a34, v6, 0), AD_ERR_SHAPE, "[3, 4]", "[6]");
    REFUSED(A(array_group_norm)(i4, 2, none, none, 0), ANY, "[2, 3, 5, 5]", NULL);
    REFUSED(A(array_group_norm)(i4, 0, none, none, 0), ANY, NULL, NULL);
    REFUSED(A(array_group_norm)(i4, 3, v6, none, 0), AD_ERR_SHAPE, "[2, 3, 5, 5]", "[6]");
    REFUSED(A(array_batch_norm)(i4, v6, none, 0, NULL, NULL), AD_ERR_SHAPE, "[2, 3, 5, 5]", "[6]");
    REFUSED(A(array_batch_norm)(v6, none, none, 0, NULL, NULL), AD_ERR_SHAPE, "[6]", NULL);
    REFUSED(A(array_batch_norm_with)(i4, none, none, 0, NULL, numbers), AD_ERR_ARGUMENT, NULL,
        NULL);
    REFUSED(A(array_dropout)(a34, (AREAL)1.5, 1, 1), AD_ERR_ARGUMENT, NULL, NULL);
    REFUSED(A(array_dropout)(a34, (AREAL)-0.5, 1, 1), AD_ERR_ARGUMENT, NULL, NULL);
    REFUSED(A(array_dropout)(a34, (AREAL)NAN, 1, 1), AD_ERR_ARGUMENT, NULL, NULL);
    REFUSED(A(array_dropout)(a34, 1, 1, 1), AD_ERR_ARGUMENT, "probability 1 ", NULL);
    REFUSED(A(array_dropout_at)(a34, 1, 1, 1, s), AD_ERR_ARGUMENT, "probability 1 ", NULL);
    REFUSED(A(array_dropout_at)(a34, (AREAL)0.5, 1, 1, v6), AD_ERR_SHAPE, "counter", "[6]");
    REFUSED(A(array_dropout_at)(a34, (AREAL)0.5, 1, 1, A(array_full)(t, 0, NULL, (AREAL)0.5)),
        AD_ERR_ARGUMENT, "counter 0.5", "ad_array_dropout_at");
    REFUSED(A(array_uniform_at)(A(array_full)(t, 0, NULL, -1), 1, a34.dim, 1, 1), AD_ERR_ARGUMENT,
        "counter -1", "ad_array_uniform_at");
    REFUSED(A(array_normal_at)(A(array_full)(t, 0, NULL, (AREAL)NAN), 1, a34.dim, 1, 1),
        AD_ERR_ARGUMENT, "counter", "ad_array_normal_at");
    REFUSED(A(array_normal_at)(A(array_full)(t, 0, NULL, 4 / AEPS), 1, a34.dim, 1, 1),
        AD_ERR_ARGUMENT, "counter", NULL);
    REFUSED(A(array_normal_at)(A(array_full)(t, 0, NULL, 1), 5, a34.dim, 1, 1), AD_ERR_SHAPE,
        "rank 5", NULL);
    REFUSED(A(array_huber)(a34, a34, 0, AD_MEAN), AD_ERR_ARGUMENT, "delta 0", NULL);
    REFUSED(A(array_huber)(a34, a34, (AREAL)NAN, AD_SUM), AD_ERR_ARGUMENT, "delta", NULL);
    REFUSED(A(array_batch_norm_with)(i4, none, none, 0, numbers, NULL), AD_ERR_ARGUMENT, NULL,
        NULL);
    REFUSED(A(array_squared_error)(a34, b52, AD_MEAN), AD_ERR_SHAPE, "[3, 4]", "[5, 2]");
    REFUSED(A(array_huber)(a34, b52, 1, AD_MEAN), AD_ERR_SHAPE, "[3, 4]", "[5, 2]");
    REFUSED(A(array_cross_entropy_with)(a34, b52, AD_SUM), AD_ERR_SHAPE, "[3, 4]", "[5, 2]");
    REFUSED(A(array_binary_cross_entropy)(a34, v6, AD_NONE), AD_ERR_SHAPE, "[3, 4]", "[6]");
    REFUSED(A(array_kl)(a34, b52, AD_NONE), AD_ERR_SHAPE, "[3, 4]", "[5, 2]");
    REFUSED(A(array_gaussian_nll)(a34, b52, a34, AD_MEAN), AD_ERR_SHAPE, "[3, 4]", "[5, 2]");
    REFUSED(A(array_gaussian_nll)(a34, a34, v6, AD_MEAN), AD_ERR_SHAPE, "[3, 4]", "[6]");
    REFUSED(A(array_poisson_nll)(a34, v6, AD_MEAN), AD_ERR_SHAPE, "[3, 4]", "[6]");
    index[1] = 4;
    REFUSED(A(array_cross_entropy)(a34, index, AD_MEAN), AD_ERR_ARGUMENT, "4", NULL);
    REFUSED(A(array_cross_entropy)(a34, NULL, AD_MEAN), AD_ERR_ARGUMENT, NULL, NULL);
    REFUSED(A(array_cross_entropy)(s, index, AD_MEAN), AD_ERR_SHAPE, NULL, NULL);

    f1 = A(fn_parse)("x*y", "x,y", text, sizeof text);
    f2 = A(fn_parse)("x*y; x+y", "x,y", text, sizeof text);
    bad = A(fn_parse)("x*", "x", text, sizeof text);
    list[0] = a34;
    list[1] = b52;
    REFUSED(A(array_map)(f1, 2, list), AD_ERR_SHAPE, "[3, 4]", "[5, 2]");
    list[1] = s;
    REFUSED(A(array_map)(NULL, 2, list), ANY, NULL, NULL);
    REFUSED(A(array_map)(bad, 1, list), ANY, NULL, NULL);
    REFUSED(A(array_map)(f1, 1, list), ANY, NULL, NULL);
    REFUSED(A(array_map)(f2, 2, list), ANY, NULL, NULL);
    A(fn_destroy)(f1);
    A(fn_destroy)(f2);
    A(fn_destroy)(bad);

    /* two tapes */
    list[1] = foreign;
    REFUSED(A(array_add)(a34, foreign), AD_ERR_MIXED, NULL, NULL);
    REFUSED(A(array_matmul)(a34, foreign), AD_ERR_MIXED, NULL, NULL);
    REFUSED(A(array_concatenate)(2, list, 0), AD_ERR_MIXED, NULL, NULL);
    REFUSED(A(array_select)(a34, a34, foreign), AD_ERR_MIXED, NULL, NULL);
    REFUSED(A(array_squared_error)(a34, foreign, AD_MEAN), AD_ERR_MIXED, NULL, NULL);
    REFUSED(A(array_layer_norm)(a34, A(array_reshape)(A(array_slice)(foreign, 0, 0, 1, 1), 1,
        a34.dim + 1), none, 0), AD_ERR_MIXED, NULL, NULL);
    for (e = 0; e < 12; e++) x[e] = A(array_at)(e == 7 ? foreign : a34, e);
    dim[0] = 12;
    REFUSED(A(array_pack)(t, 1, dim, x), AD_ERR_MIXED, NULL, NULL);
    y = A(array_item)(A(array_sum)(a34, AD_ALL_AXES, 0));
    dot[0] = numbers;
    REFUSED_STATUS(A(array_forward)(t, 1, &foreign, dot), AD_ERR_MIXED, "");
    REFUSED_STATUS(A(array_grad)(y, 1, &foreign, &g), AD_ERR_MIXED, "");
    CHECK(A(tape_status)(second) == AD_OK);

    /* places, and sweeps */
    REFUSED_STATUS((A(array_at)(a34, 12), A(tape_status)(t)), AD_ERR_ARGUMENT, "[3, 4]");
    REFUSED_STATUS((A(array_item)(a34), A(tape_status)(t)), AD_ERR_SHAPE, "[3, 4]");
    REFUSED_STATUS(A(array_unpack)(a34, NULL), AD_ERR_ARGUMENT, "");
    REFUSED_STATUS(A(array_backward)(A(array_detach)(a34), NULL), AD_ERR_ARGUMENT, "");
    REFUSED_STATUS(A(array_grad)(y, 1, NULL, &g), AD_ERR_ARGUMENT, "");
    REFUSED_STATUS(A(array_grad)(y, 1, &a34, NULL), AD_ERR_ARGUMENT, "");
    REFUSED_STATUS(A(array_forward)(t, 1, NULL, dot), AD_ERR_ARGUMENT, "");
    CHECK(A(array_backward)(none, NULL) == AD_ERR_ARGUMENT);
    CHECK(A(array_add)(none, none).rank == -1);
    CHECK(A(array_sum)(none, AD_AXIS(0), 0).rank == -1);
    CHECK(A(array_reshape)(none, 1, dim).rank == -1);
    CHECK(A(array_input)(NULL, 1, dim, numbers).rank == -1);
    CHECK(A(array_full)(NULL, 1, dim, 1).rank == -1);
    CHECK(A(array_pack)(NULL, 0, NULL, x).rank == -1);
    CHECK(A(array_uniform)(NULL, 1, dim, 1, 1).rank == -1);
    CHECK(A(array_concatenate)(0, NULL, 0).rank == -1);
    CHECK(A(array_stack)(1, NULL, 0).rank == -1);
    CHECK(A(array_map)(NULL, 0, NULL).rank == -1);
    CHECK(A(array_values)(none) == NULL && A(array_unpack)(none, x) == AD_ERR_ARGUMENT);
    CHECK(A(array_at)(none, 0).v != A(array_at)(none, 0).v);
    CHECK(A(tape_status)(t) == AD_OK);

    /* stale: rewound, then reset */
    mark = A(tape_mark)(t);
    g = A(array_exp)(a34);
    A(tape_rewind)(t, mark);
    REFUSED(A(array_add)(g, a34), AD_ERR_STALE, NULL, NULL);
    g = A(array_full)(t, 2, a34.dim, 1);                             /* takes no slots */
    A(tape_rewind)(t, mark);
    REFUSED(A(array_add)(g, a34), AD_ERR_STALE, NULL, NULL);
    CHECK(A(array_values)(g) == NULL);
    A(tape_clear_status)(t);
    CHECK(A(array_values)(a34) != NULL);
    g = a34;
    A(tape_reset)(t);
    a34 = T(make)(t, 2, 3, 4, 0, 0);
    REFUSED(A(array_add)(a34, g), AD_ERR_STALE, NULL, NULL);
    REFUSED(A(array_sum)(g, AD_AXIS(0), 0), AD_ERR_STALE, NULL, NULL);
    REFUSED(A(array_reshape)(g, 1, dim), AD_ERR_STALE, NULL, NULL);
    REFUSED(A(array_detach)(g), AD_ERR_STALE, NULL, NULL);
    REFUSED_STATUS(A(array_backward)(g, NULL), AD_ERR_STALE, "");
    REFUSED_STATUS((A(array_at)(g, 0), A(tape_status)(t)), AD_ERR_STALE, "");
    CHECK(A(array_values)(g) == NULL && A(array_adjoints)(g) == NULL);
    A(tape_clear_status)(t);
    CHECK(A(array_values)(A(array_add)(a34, a34)) != NULL);
    A(tape_destroy)(t);
    A(tape_destroy)(second);
}

/* ---------------------------------------------------------------- a program of many operations */

typedef struct T(numbers_out) {
    double v[400];
    size_t n;
    ad_status seen;             /* the first status that was not AD_OK */
} T(numbers_out);

static void T(note)(T(numbers_out) *o, ad_status s)
{
    if (s != AD_OK && o->seen == AD_OK) o->seen = s;
}
static void T(put)(T(numbers_out) *o, const AREAL *v, size_t n)
{
    size_t e;
    for (e = 0; e < n && o->n < COUNT(o->v); e++) o->v[o->n++] = v ? (double)v[e] : (double)NAN;
}

/* A scenario whose memory ends with its recording, but for some: `fill` numbers take it first. */
typedef struct T(famine) { heap *h; int32_t fill; int fits; } T(famine);
static T(famine) *T(starving);

/* Layers made of other operations, of w[4][1][3][3] and e[5][3]. */
static A(var) T(layers)(A(array) w, A(array) e)
{
    static const int32_t first[2] = { 1, 1 }, last[2] = { 2, 0 }, more[2] = { 4, 0 };
    static const int32_t none[2] = { 0, 0 }, up[2] = { 4, 5 }, down[2] = { 3, 2 };
    const A(array) nothing = T(nothing)(), row = T(shaped)(w, 1, -1, 0, 0, 0);
    const A(array) z = A(array_pad_mode)(e, first, last, AD_PAD_REFLECT);     /* [8, 4] */
    A(array) y, c;
    A(attention) how;
    A(recurrent) layer;
    ad_conv_desc d;
    ad_conv3d_desc v;
    memset(&how, 0, sizeof how);
    memset(&layer, 0, sizeof layer);
    memset(&d, 0, sizeof d);
    memset(&v, 0, sizeof v);
    how.heads = 2;
    how.causal = 1;
    how.in_proj_weight = A(array_pad_mode)(z, more, none, AD_PAD_CIRCULAR);
    how.out_proj_weight = T(shaped)(A(array_slice)(row, 0, 3, 19, 1), 2, 4, 4, 0, 0);
    y = A(array_multi_head_attention)(z, z, z, &how);
    layer.weight_ih = z;
    layer.weight_hh = T(shaped)(A(array_slice)(row, 0, 7, 23, 1), 2, 8, 2, 0, 0);
    y = A(array_lstm)(T(shaped)(y, 3, 4, 2, 4, 0), nothing, nothing, &layer, &c);
    layer.weight_ih = T(shaped)(A(array_slice)(row, 0, 0, 6, 1), 2, 3, 2, 0, 0);
    layer.weight_hh = T(shaped)(A(array_slice)(row, 0, 9, 12, 1), 2, 3, 1, 0, 0);
    y = A(array_gru)(y, nothing, &layer);                                     /* [4, 2, 1] */
    d.same = v.same = 1;
    d.pad_mode = AD_PAD_REPLICATE;
    v.pad_mode = AD_PAD_REFLECT;
    w = A(array_conv2d)(w, w, &d);
    w = A(array_conv3d)(A(array_tanh)(w), T(shaped)(row, 4, 2, 2, 3, 3), 2, &v);
    w = A(array_interpolate)(w, up, AD_LINEAR, 1);
    w = A(array_add)(A(array_adaptive_max_pool)(w, down), A(array_adaptive_avg_pool)(w, down));
    return A(var_add)(A(var_add)(A(array_item)(A(array_sum)(y, AD_ALL_AXES, 0)),
        A(array_item)(A(array_mean)(w, AD_ALL_AXES, 0))),
        A(array_item)(A(array_sum)(c, AD_ALL_AXES, 0)));
}

/* Every kind of record that the tape keeps for arrays, every sweep, a mark and a rewind; results in
   o. Runs to its end whatever fails. */
static void T(scenario)(A(tape) *t, T(numbers_out) *o)
{
    static AREAL weights[4 * 9], table[15], image[2 * 36];
    static const uint32_t classes[2] = { 1, 3 }, rows[6] = { 4, 0, 0, 2, 1, 0 };
    static const uint32_t said[3] = { 1, 2, 3 };         /* labels 1, 2; two of them; 3 times */
    static const int turned[3] = { 2, 0, 1 };
    const int32_t wd[4] = { 4, 1, 3, 3 }, td[2] = { 5, 3 }, id[4] = { 2, 1, 6, 6 };
    const int32_t rd[2] = { 2, 3 }, four = 4, thirty = 30, two[2] = { 2, 2 };
    const int32_t one_two[2] = { 1, 2 }, side[2] = { 0, 1 };
    A(array) w, e, x, y, z, b, m, list[4], in[3], g[3];
    A(var) l, s[6];
    const AREAL *dot[3];
    AREAL J[32];
    size_t i, mark, round, done;
    ad_pool_desc p;
    ad_conv_desc d;
    A(cross_entropy_desc) how;
    for (i = 0; i < COUNT(weights); i++) weights[i] = (AREAL)weight(i, 1);
    for (i = 0; i < COUNT(table); i++) table[i] = (AREAL)weight(i, 2);
    for (i = 0; i < COUNT(image); i++) image[i] = (AREAL)weight(i, 3);
    memset(o, 0, sizeof *o);
    memset(&p, 0, sizeof p);
    memset(&d, 0, sizeof d);
    memset(&how, 0, sizeof how);
    memset(list, 0, sizeof list);
    memset(g, 0, sizeof g);
    memset(s, 0, sizeof s);
    memset(J, 0, sizeof J);
    p.size[0] = p.size[1] = 2;
    d.pad[0] = d.pad[1] = 1;
    w = A(array_borrow)(t, 4, wd, weights);
    e = A(array_input)(t, 2, td, table);
    b = A(array_input)(t, 1, &four, table);
    x = A(array_const_borrow)(t, 4, id, image);
    /* a small network */
    y = A(array_conv2d)(x, w, &d);
    y = A(array_add)(y, T(shaped)(b, 3, 4, 1, 1, 0));
    y = A(array_batch_norm)(y, b, b, 0, NULL, NULL);
    y = A(array_add_r)(A(array_gelu)(y), (AREAL)0.1);
    y = A(array_max_pool)(y, &p);
    p.size[0] = p.size[1] = 3;
    p.stride[0] = p.stride[1] = 1;
    y = A(array_avg_pool)(y, &p);
    y = A(array_dropout)(y, (AREAL)0.25, 5, 6);
    y = T(shaped)(y, 2, 2, -1, 0, 0);
    m = T(shaped)(A(array_slice)(T(shaped)(w, 1, -1, 0, 0, 0), 0, 3, 19, 1), 2, 4, 4, 0, 0);
    y = A(array_matmul)(y, A(array_tanh)(m));
    y = A(array_layer_norm)(y, b, A(array_cumsum)(b, 0), (AREAL)0.01);
    l = A(array_item)(A(array_cross_entropy)(y, classes, AD_MEAN));
    T(put)(o, A(array_values)(y), 8);
    l = A(var_add)(l, T(layers)(w, e));
    /* tables, pieces, permutations */
    z = A(array_permute)(A(array_embedding)(e, 2, rd, rows), turned);         /* [3, 2, 3] */
    z = A(array_flip)(A(array_slice)(z, 0, AD_END, AD_END, -1), AD_AXIS(0));
    z = A(array_gather)(z, 2, 2, rows + 3);                                    /* [3, 2, 2] */
    list[0] = z;
    list[1] = A(array_scatter_add)(z, 1, 2, rows + 1, A(array_sin)(z));
    z = A(array_concatenate)(2, list, 0);
    list[0] = z;
    list[1] = A(array_exp)(A(array_mul_r)(z, (AREAL)0.5));
    z = A(array_stack)(2, list, 3);                                            /* [6, 2, 2, 2] */
    T(note)(o, A(array_split)(z, 0, 2, list));
    z = A(array_logsumexp)(A(array_add)(list[0], list[1]), AD_AXIS(-1) | AD_AXIS(0), 0);
    T(put)(o, A(array_values)(z), 4);
    z = A(array_map)(T(map)[0], 1, &z);
    l = A(var_add)(l, A(array_item)(A(array_std)(z, AD_ALL_AXES, 0, 1)));
    /* orders, places, losses that keep something */
    z = A(array_cumprod)(A(array_sort)(e, 0, 1), 0);
    z = A(array_scatter_along)(z, 0, A(array_argsort)(e, 0, 0), A(array_logcumsumexp)(e, 1));
    l = A(var_add)(l, A(array_item)(A(array_vector_norm)(z, 3, AD_ALL_AXES, 0)));
    T(put)(o, A(array_values)(z), 4);
    how.ignored = rows + 1;
    how.smoothing = (AREAL)0.25;
    z = A(array_cross_entropy_weighted)(A(array_roll)(e, 0, 2), rows + 1, &how, AD_MEAN);
    l = A(var_add)(l, A(array_item)(z));
    z = A(array_log_softmax)(T(shaped)(A(array_slice)(e, 0, 1, 5, 1), 3, 4, 1, 3, 0), -1);
    l = A(var_add)(l, A(array_item)(A(array_ctc)(z, 2, said, said + 1, said + 2, 0, AD_MEAN)));
    /* scalars among arrays, linear algebra */
    for (i = 0; i < 4; i++) s[i] = A(var_mul_r)(A(array_at)(e, i), (AREAL)0.25);
    s[1] = A(const)((AREAL)0.5);
    m = A(array_pack)(t, 2, two, s);
    z = A(array_normal)(t, 2, two, 1, 2);
    m = A(array_add)(A(array_matmul_t)(m, 0, m, 1),
        A(array_tril)(A(array_triu)(A(array_full)(t, 2, two, 4), 0), 0));
    y = A(array_triangular_solve)(A(array_cholesky)(m), z, AD_LOWER, 1);
    z = A(array_solve)(m, A(array_pad)(A(array_tile)(y, one_two), side, side, (AREAL)0.5));
    l = A(var_add)(l, A(array_item)(A(array_mean)(z, AD_ALL_AXES, 0)));
    z = A(array_where)(A(array_gt_r)(y, 0), y, A(array_inverse)(m));
    T(put)(o, A(array_values)(z), 4);
    l = A(var_add)(l, A(array_item)(A(array_logdet)(m)));
    T(note)(o, A(array_slogdet)(A(array_einsum)("ij,kj->ik", m, z), list, list + 1));
    l = A(var_add)(l, A(array_item)(A(array_mul)(list[0], list[1])));
    l = A(var_add)(l, A(array_item)(A(array_einsum)("ij,i->", m, A(array_diagonal)(z, 0))));
    T(note)(o, A(array_qr)(T(shaped)(A(array_slice)(e, 0, 0, 4, 1), 2, 6, 2, 0, 0), list,
        list + 1));
    l = A(var_add)(l, A(array_item)(A(array_sum)(A(array_matmul)(list[0], m), AD_ALL_AXES, 0)));
    T(note)(o, A(array_eigh)(A(array_add)(m, A(array_transpose)(m)), list, list + 1));
    l = A(var_add)(l, A(array_item)(A(array_sum)(A(array_mul)(list[0], list[1]), AD_ALL_AXES, 0)));
    T(note)(o, A(array_svd)(A(array_sin)(T(shaped)(e, 2, 3, 5, 0, 0)), list, list + 1, list + 2));
    l = A(var_add)(l, A(array_item)(A(array_sum)(A(array_mul)(list[0], list[1]), AD_ALL_AXES, 0)));
    l = A(var_add)(l, A(array_item)(A(array_sum)(A(array_lstsq)(A(array_transpose)(list[2]),
        A(array_transpose)(T(shaped)(e, 2, 3, 5, 0, 0))), AD_ALL_AXES, 0)));
    l = A(var_add)(l, A(array_item)(A(array_prod)(A(array_add_r)(z, 2), AD_ALL_AXES, 1)));
    l = A(var_add)(l, A(var_sin)(A(var_mul)(A(array_at)(z, 2), s[3])));
    T(put)(o, &l.v, 1);
    /* sweeps: without a loss there are none */
    T(note)(o, A(tape_status)(t));
    if (o->seen != AD_OK) return;
#define SWEEP(call) do { T(note)(o, call); if (T(starving)) A(tape_clear_status)(t); } while (0)
    in[0] = w;
    in[1] = e;
    in[2] = b;
    done = o->n;
    for (round = 0; round < (T(starving) ? 2u : 1u); round++) {  /* hungry with all else there */
        o->n = done;
        if (round) {
            const size_t calls = T(starving)->h->calls;
            A(array_full)(t, 1, &T(starving)->fill, 1);
            T(starving)->fits = T(starving)->h->calls == calls;
            T(starving)->h->fail_at = 1;
            T(starving)->h->from_then_on = 1;
        }
        SWEEP(A(backward)(l));
        T(put)(o, A(array_adjoints)(w), 36);
        T(put)(o, A(array_adjoints)(e), 15);
        T(put)(o, A(array_adjoints)(b), 4);
        dot[0] = image;
        dot[1] = image + 36;
        dot[2] = image + 60;
        SWEEP(A(array_forward)(t, 3, in, dot));
        J[0] = A(tangent)(l);
        T(put)(o, J, 1);
        for (i = 0; i < 4; i++) s[i] = A(array_at)(e, i);
        SWEEP(A(forward_over_reverse)(l, 4, s, image));
        for (i = 0; i < 4; i++) J[i] = A(adjoint_tangent)(A(array_at)(b, i));
        T(put)(o, J, 4);
        s[4] = l;
        s[5] = A(array_at)(y, 0);
        SWEEP(A(jacobian_reverse)(t, 4, s, 2, s + 4, J));
        T(put)(o, J, 8);
        SWEEP(A(jacobian_forward)(t, 4, s, 2, s + 4, J));
        T(put)(o, J, 8);
        SWEEP(A(hessian_of)(l, 4, s, J));
        T(put)(o, J, 16);
    }
#undef SWEEP
    /* the gradient recorded and swept, twice, in a scope; rewinding forgets that memory ended */
    T(note)(o, A(tape_status)(t));
    if (o->seen != AD_OK && !T(starving)) return;
    mark = A(tape_mark)(t);
    for (round = 0; round < 2; round++) {
        T(note)(o, A(array_grad)(l, 3, in, g));
        z = A(array_add)(A(array_sum)(A(array_square)(g[0]), AD_ALL_AXES, 0),
            A(array_dot)(g[2], A(array_full)(t, 1, &four, (AREAL)0.5)));
        T(put)(o, A(array_values)(g[1]), 15);
        T(note)(o, A(tape_status)(t));
        T(note)(o, A(array_backward)(z, NULL));
        T(put)(o, A(array_adjoints)(w), 36);
        T(note)(o, A(tape_status)(t));
        if (o->seen != AD_OK) return;
        A(tape_rewind)(t, mark);
    }
    T(note)(o, A(backward)(l));
    T(put)(o, A(array_adjoints)(b), 4);
    z = A(array_borrow)(t, 1, &thirty, image);
    T(put)(o, A(array_values)(A(array_mul_r)(z, 2)), 30);
    T(note)(o, A(tape_status)(t));
}

static int T(same_out)(const T(numbers_out) *a, const T(numbers_out) *b)
{
    size_t e;
    if (a->n != b->n) return 0;
    for (e = 0; e < a->n; e++)
        if (!test_near(a->v[e], b->v[e], 1000 * (double)AEPS)) return 0;
    return 1;
}

static T(numbers_out) T(right), T(got);

static void T(scenario_is_right)(A(tape) *t, int line, const char *what, size_t k)
{
    T(scenario)(t, &T(got));
    test_check(T(got).seen == AD_OK && T(same_out)(&T(got), &T(right)), __FILE__, line,
        "%s %d: %s, %s", what, (int)k, ad_status_name(T(got).seen), A(tape_message)(t));
}

static void T(starved)(T(famine) *f)
{
    ad_tape_desc desc;
    A(tape) *t;
    heap h;
    memset(&desc, 0, sizeof desc);
    memset(&h, 0, sizeof h);
    desc.resize = heap_resize;
    desc.resize_user = f->h = &h;
    t = A(tape_create)(&desc);
    T(starving) = f;
    T(scenario)(t, &T(got));
    T(starving) = NULL;
    test_check(T(got).seen == AD_ERR_MEMORY
        || (T(got).seen == AD_OK && T(same_out)(&T(got), &T(right))), __FILE__, __LINE__,
        "no memory after %d numbers: %s", (int)f->fill, A(tape_message)(t));
    h.fail_at = 0;
    h.from_then_on = 0;
    A(tape_reset)(t);
    T(scenario_is_right)(t, __LINE__, "after no memory", (size_t)f->fill);
    A(tape_destroy)(t);
    CHECK(h.live == 0 && h.blocks == 0 && h.wrong == 0);
}

static void T(memory)(void)
{
    ad_tape_desc desc;
    A(tape) *t = A(tape_create)(NULL);
    heap h;
    size_t k, e, total, bytes;
    int mode;
    T(scenario)(t, &T(right));
    CHECK_STATUS(T(right).seen, AD_OK);
    CHECK_STRING(A(tape_message)(t), "");
    for (e = 0; e < T(right).n; e++)
        if (!test_check(fabs(T(right).v[e]) < 1e6, __FILE__, __LINE__, "number %d of the scenario"
            " is %g", (int)e, T(right).v[e])) break;
    for (k = 0; k < 3; k++) {                    /* after a reset nothing more is allocated */
        bytes = A(tape_get_stats)(t).bytes;
        A(tape_reset)(t);
        T(scenario_is_right)(t, __LINE__, "after reset", k);
        CHECK(k == 0 || A(tape_get_stats)(t).bytes == bytes);
    }
    A(tape_rewind)(t, 0);
    T(scenario_is_right)(t, __LINE__, "after rewind", 0);
    bytes = 10 * A(tape_get_stats)(t).bytes;     /* more than enough, in a fixed buffer */
    A(tape_destroy)(t);
    /* the k-th allocation fails; mode 1: all later ones too; 2: small blocks; 3: both; 4: debug */
    for (mode = 0; mode < 5; mode++) {
        memset(&desc, 0, sizeof desc);
        memset(&h, 0, sizeof h);
        desc.resize = heap_resize;
        desc.resize_user = &h;
        desc.debug = mode == 4;
        if (mode & 2) desc.initial_slots = desc.grow_slots = 16;
        t = A(tape_create)(&desc);
        T(scenario_is_right)(t, __LINE__, "own allocator, mode", (size_t)mode);
        total = h.calls;
        CHECK(A(tape_get_stats)(t).bytes == h.live);
        A(tape_destroy)(t);
        CHECK(h.live == 0 && h.blocks == 0);
        for (k = 1; k <= total + 1; k += (k > 60 ? 1 + k / 16 : 1) * (size_t)test_stride()) {
            memset(&h, 0, sizeof h);
            h.fail_at = k;
            h.from_then_on = mode & 1;
            t = A(tape_create)(&desc);
            if (!t) {
                CHECK(h.live == 0 && h.blocks == 0);
                continue;
            }
            T(scenario)(t, &T(got));
            if (k <= total)
                test_check(T(got).seen == AD_ERR_MEMORY
                    || (!h.from_then_on && T(same_out)(&T(got), &T(right))), __FILE__, __LINE__,
                    "mode %d: allocation %d of %d failed, the status is %s: %s", mode, (int)k,
                    (int)total, ad_status_name(T(got).seen), A(tape_message)(t));
            if (A(tape_status)(t) == AD_ERR_MEMORY) CHECK(A(tape_message)(t)[0] != 0);
            h.fail_at = 0;
            if (k & 1) A(tape_reset)(t);
            else A(tape_rewind)(t, 0);
            CHECK(A(tape_status)(t) == AD_OK && T(slots)(t) == 0);
            T(scenario_is_right)(t, __LINE__, "after allocation", k);
            CHECK(A(tape_get_stats)(t).bytes == h.live);
            A(tape_destroy)(t);
            CHECK(h.live == 0 && h.blocks == 0);
        }
    }
    /* memory that ends before the sweeps, with room for so many numbers */
    {
        T(famine) f;
        int32_t low = 1, high = 1 << 15, left;
        while (high - low > 1) {
            f.fill = low + (high - low) / 2;
            T(starved)(&f);
            if (f.fits) low = f.fill;
            else high = f.fill;
        }
        for (left = 0; left < 5120; left += 64 * test_stride()) {
            f.fill = low - left / (int32_t)sizeof(AREAL);
            if (f.fill > 0) T(starved)(&f);
        }
    }
    /* a fixed buffer of any size is enough, or says that it is not; never a byte beyond */
    {
        enum { END = 64 };
        unsigned char *const buffer = (unsigned char *)malloc(bytes + END);
        char last[200] = "";
        size_t enough = 0, size;
        for (size = 1000; size <= bytes; size += size / 7) {
            memset(buffer, 0xA5, size + END);
            memset(&desc, 0, sizeof desc);
            desc.buffer = buffer;
            desc.buffer_bytes = size;
            t = A(tape_create)(&desc);
            if (t) {
                T(scenario)(t, &T(got));
                if (T(got).seen == AD_OK) {
                    test_check(T(same_out)(&T(got), &T(right)), __FILE__, __LINE__,
                        "wrong in a buffer of %d", (int)size);
                    if (!enough) enough = size;
                } else {
                    test_check(T(got).seen == AD_ERR_LIMIT || T(got).seen == AD_ERR_MEMORY,
                        __FILE__, __LINE__, "a buffer of %d gave %s", (int)size,
                        ad_status_name(T(got).seen));
                    CHECK(A(tape_message)(t)[0] != 0);
                    snprintf(last, sizeof last, "%s", A(tape_message)(t));
                    A(tape_rewind)(t, 0);
                    A(tape_clear_status)(t);
                    CHECK(A(input)(t, 1).tape == t || size < 4000);
                }
                A(tape_destroy)(t);
            }
            for (e = 0; e < END; e++)
                if (!CHECK(buffer[size + e] == 0xA5)) break;
        }
        test_check(enough != 0, __FILE__, __LINE__, "a buffer of %d is not enough: %s", (int)bytes,
            last);
        free(buffer);
    }
    /* a limit on slots */
    for (k = 1; k < 6000; k += 1 + k / 3) {
        memset(&desc, 0, sizeof desc);
        desc.max_slots = k;
        t = A(tape_create)(&desc);
        T(scenario)(t, &T(got));
        CHECK(T(got).seen == AD_ERR_LIMIT || (T(got).seen == AD_OK
              && T(same_out)(&T(got), &T(right))));
        CHECK(T(slots)(t) <= k);
        A(tape_destroy)(t);
    }
}

/* ---------------------------------------------------------------- scopes and long traces */

static void T(scopes)(void)
{
    A(tape) *const t = A(tape_create)(NULL);
    static AREAL w[30], first[30];
    const int32_t dim[2] = { 5, 6 }, six = 6;
    A(array) p, x, y, before, c, kept;
    size_t mark, inner, bytes = 0, e;
    int i, k;
    for (e = 0; e < 30; e++) w[e] = (AREAL)weight(e, 0);
    p = A(array_borrow)(t, 2, dim, w);
    before = A(array_full)(t, 1, &six, 3);                   /* a constant from before the mark */
    mark = A(tape_mark)(t);
    kept = A(array_const)(t, 1, &six, w);
    for (i = 0; i < 300; i++) {
        x = A(array_normal)(t, 1, &six, 11, (uint64_t)(i % 10));
        c = A(array_mul)(x, before);                         /* constants */
        y = A(array_matmul)(p, A(array_add)(c, x));
        inner = A(tape_mark)(t);
        for (k = 0; k < 3; k++) {
            A(array) h = A(array_full)(t, 1, &six, (AREAL)k);
            h = A(array_matmul)(p, A(array_mul)(h, c));
            CHECK(A(array_backward)(h, NULL) == AD_OK);
            A(tape_rewind)(t, inner);
        }
        CHECK(A(array_values)(c) != NULL);
        y = A(array_mean)(A(array_softplus)(y), AD_ALL_AXES, 0);
        CHECK(A(array_backward)(y, NULL) == AD_OK);
        if (i < 10) {
            if (i == 4) memcpy(first, A(array_adjoints)(p), sizeof first);
        } else {
            if (i % 10 == 4)
                CHECK(memcmp(first, A(array_adjoints)(p), sizeof first) == 0);
        }
        CHECK(A(array_values)(before)[5] == 3);
        if (i == 20) bytes = A(tape_get_stats)(t).bytes;
        if (i > 20) CHECK(A(tape_get_stats)(t).bytes == bytes);
        A(tape_rewind)(t, mark);
        CHECK(A(array_values)(before)[0] == 3);
        CHECK(A(array_values)(p) == w);
    }
    (void)kept;
    CHECK_STATUS(A(tape_status)(t), AD_OK);
    /* a constant made between two marks at the same place */
    A(tape_reset)(t);
    p = A(array_borrow)(t, 2, dim, w);
    mark = A(tape_mark)(t);
    c = A(array_full)(t, 1, &six, 5);
    inner = A(tape_mark)(t);
    x = A(array_full)(t, 1, &six, 6);
    y = A(array_matmul)(p, x);
    A(tape_rewind)(t, inner);
    CHECK(A(array_values)(c) && A(array_values)(c)[2] == 5);
    y = A(array_matmul)(p, c);
    x = A(array_full)(t, 1, &six, 7);
    CHECK(A(array_values)(c)[5] == 5 && A(array_values)(x)[0] == 7);
    CHECK(A(array_backward)(y, NULL) == AD_OK && A(array_adjoints)(p)[29] == 5);
    A(tape_rewind)(t, mark);
    x = A(array_full)(t, 1, &six, 8);
    CHECK(A(array_values)(x)[5] == 8);
    CHECK_STATUS(A(tape_status)(t), AD_OK);
    A(tape_destroy)(t);
}

static void T(long_traces)(void)
{
    enum { STEPS = 100000, LARGE = 1000000 };
    A(tape) *const t = A(tape_create)(NULL);
    AREAL *data;
    const int32_t large = LARGE;
    A(array) x = T(list)(t, "1 -1 .5 2"), h = x, y;
    A(var) l;
    double sum = 0, slope = 0;
    size_t e;
    int i;
    for (i = 0; i < STEPS; i++)                  /* h stays x, and dh/dx stays 1 */
        h = A(array_mul_r)(A(array_add)(h, x), (AREAL)0.5);
    y = A(array_sum)(A(array_mul)(h, h), AD_ALL_AXES, 0);
    CHECK(A(array_backward)(y, NULL) == AD_OK);
    for (e = 0; e < 4; e++) {
        const double v = (double)A(array_values)(x)[e];
        CHECK_NEAR(A(array_adjoints)(x)[e], 2 * v, 1e-5);
    }
    l = A(array_item)(y);
    CHECK(A(array_grad)(l, 1, &x, &h) == AD_OK);             /* half a million instructions more */
    CHECK_NEAR(A(array_values)(h)[3], 4, 1e-5);
    CHECK_STATUS(A(tape_status)(t), AD_OK);
    A(tape_reset)(t);
    data = (AREAL *)malloc(LARGE * sizeof *data);
    for (e = 0; e < LARGE; e++) data[e] = (AREAL)((double)(e % 1001) / 250 - 2);
    x = A(array_borrow)(t, 1, &large, data);
    h = T(list)(t, "1.5");
    y = A(array_mean)(A(array_sigmoid)(A(array_mul)(x, T(shaped)(h, 0, 0, 0, 0, 0))),
        AD_AXIS(0), 0);
    CHECK(A(array_backward)(y, NULL) == AD_OK);
    for (e = 0; e < LARGE; e++) {
        const double v = (double)data[e], s = 1 / (1 + exp(-1.5 * v));
        sum += s / (double)LARGE;
        slope += s * (1 - s) * v / (double)LARGE;
        if (e % 9973 == 0)
            CHECK(fabs((double)A(array_adjoints)(x)[e] * (double)LARGE - 1.5 * s * (1 - s)) < 20
                  * (double)AEPS);
    }
    CHECK_NEAR(A(array_values)(y)[0], sum, 1e-11 + 100 * (double)AEPS);
    CHECK(fabs((double)A(array_adjoints)(h)[0] - slope) < 1e-11 + 100 * (double)AEPS);
    /* long sums keep their digits */
    for (e = 0; e < LARGE; e++) data[e] = (AREAL)0.1;
    y = A(array_sum)(x, AD_AXIS(0), 0);
    CHECK_NEAR(A(array_values)(y)[0], (double)(AREAL)0.1 * (double)LARGE, 40 * (double)AEPS);
    y = A(array_sum)(A(array_reshape)(x, 1, &large), AD_ALL_AXES, 1);
    y = A(array_var)(x, AD_AXIS(0), 0, 0);
    CHECK((double)A(array_values)(y)[0] < 1e-12);
    CHECK_STATUS(A(tape_status)(t), AD_OK);
    A(tape_destroy)(t);
    free(data);
}

/* ---------------------------------------------------------------- random compositions */

enum { T(POOL) = 26 };

typedef struct T(composition) {
    A(tape) *t;
    uint64_t state;
    A(array) a[T(POOL)];
    int n, kinks;               /* kinks: operations that have them are allowed */
} T(composition);

static uint32_t T(next)(T(composition) *c)
{
    uint64_t z = c->state += 0x9E3779B97F4A7C15u;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
    return (uint32_t)((z ^ (z >> 31)) >> 32);
}
static int T(below)(T(composition) *c, int n) { return (int)(T(next)(c) % (uint32_t)n); }

static int T(broadcasts)(A(array) a, A(array) b)
{
    const int n = a.rank > b.rank ? a.rank : b.rank;
    size_t size = 1;
    int k;
    for (k = 1; k <= n; k++) {
        const int32_t p = k > a.rank ? 1 : a.dim[a.rank - k], q = k > b.rank ? 1
            : b.dim[b.rank - k];
        if (p != q && p != 1 && q != 1) return 0;
        size *= (size_t)(p > q ? p : q);
    }
    return size <= 200;
}

/* One operation, by the numbers of the generator and the shapes alone. Its result's size is not
   looked at here. rank -1: nothing fitted. */
static A(array) T(step)(T(composition) *c)
{
    const A(array) a = c->a[T(below)(c, c->n)];
    A(array) b = c->a[T(below)(c, c->n)], r = a, list[3];
    const size_t size = A(array_size)(a);
    const int32_t last = a.rank ? a.dim[a.rank - 1] : 1;
    const int axis = a.rank ? T(below)(c, a.rank) : 0;
    const unsigned mask = (unsigned)T(below)(c, 1 << a.rank) | AD_NO_AXES;
    const int keep = T(below)(c, 2);
    const int32_t extent = a.rank ? a.dim[axis] : 1;
    int32_t before[4] = { 0, 0, 0, 0 }, after[4] = { 0, 0, 0, 0 };
    int order[4] = { 0, 1, 2, 3 }, k, tries;
    uint32_t index[8];
    ad_conv_desc conv;
    ad_pool_desc window;
    A(var) x[4];
    memset(&conv, 0, sizeof conv);
    memset(&window, 0, sizeof window);
    r.rank = -1;
    for (tries = 0; tries < 6 && !T(broadcasts)(a, b); tries++) b = c->a[T(below)(c, c->n)];
    for (k = 0; k < 8; k++) index[k] = (uint32_t)T(below)(c, extent);
    switch (T(below)(c, 44)) {
    case 0: return A(array_sin)(a);
    case 1: return A(array_sigmoid)(a);
    case 2: return A(array_gelu)(a);
    case 3: return A(array_exp)(A(array_mul_r)(A(array_tanh)(a), (AREAL)0.7));
    case 4: return A(array_log)(A(array_add_r)(A(array_square)(a), (AREAL)1.5));
    case 5: return A(array_elu_r)(A(array_add_r)(A(array_square)(a), (AREAL)0.1), (AREAL)0.5);
    case 6: case 7: return T(broadcasts)(a, b) ? A(array_add)(a, b) : r;
    case 8: case 9: return T(broadcasts)(a, b) ? A(array_mul)(a, b) : r;
    case 10: return T(broadcasts)(a, b) ? A(array_sub)(b, A(array_silu)(a)) : r;
    case 11:
        if (!T(broadcasts)(a, b)) return r;
        return A(array_div)(b, A(array_add_r)(A(array_square)(a), 2));
    case 12: return T(broadcasts)(a, b) ? A(array_fma)(a, b, a) : r;
    case 13: return T(broadcasts)(a, b) ? A(array_logaddexp)(a, A(array_softplus)(b)) : r;
    case 14: return A(array_sum)(a, mask, keep);
    case 15: return A(array_mean)(a, mask, keep);
    case 16: return A(array_logsumexp)(a, mask, keep);
    case 17: return A(array_var)(a, mask | (a.rank ? 1u : 0), keep, 0);
    case 18: return A(array_norm)(A(array_add_r)(A(array_square)(a), (AREAL)0.5), mask, keep);
    case 19: return A(array_prod)(A(array_add_r)(A(array_mul_r)(A(array_tanh)(a), (AREAL)0.3), 1),
        mask, keep);
    case 20: return a.rank ? A(array_cumsum)(a, axis) : r;
    case 21: return a.rank > 1 ? A(array_matmul_t)(a, 0, a, 1) : r;
    case 22:
        if (a.rank < 1 || b.rank < 1 || b.rank + a.rank > 5
            || b.dim[b.rank < 2 ? 0 : b.rank - 2] != last) return r;
        return a.rank < 3 || b.rank < 3 ? A(array_matmul)(a, b) : r;
    case 23:
        for (k = a.rank; k > 1; k--) {
            const int j = T(below)(c, k), o = order[k - 1];
            order[k - 1] = order[j];
            order[j] = o;
        }
        return A(array_permute)(a, order);
    case 24: return a.rank > 1 ? A(array_transpose)(a) : r;
    case 25: return T(shaped)(a, 1, -1, 0, 0, 0);
    case 26: return size % 2 == 0 ? T(shaped)(a, 2, 2, -1, 0, 0) : r;
    case 27:
        if (!a.rank || extent < 2) return r;
        return A(array_slice)(a, axis, keep ? 1 : AD_END, AD_END, keep ? 1 : -1 - (int)mask % 2);
    case 28: return A(array_flip)(a, mask);
    case 29:
        list[0] = list[2] = a;
        list[1] = A(array_neg)(a);
        return a.rank ? A(array_concatenate)(3, list, axis) : r;
    case 30:
        list[0] = a;
        list[1] = A(array_mul_r)(a, 2);
        return a.rank < 4 ? A(array_stack)(2, list, axis) : r;
    case 31:
        if (!a.rank || extent % 2) return r;
        if (A(array_split)(a, axis, 2, list) != AD_OK) return r;
        return A(array_mul)(list[0], A(array_add_r)(list[1], 1));
    case 32:
        for (k = 0; k < a.rank; k++) {
            before[k] = T(below)(c, 2);
            after[k] = T(below)(c, 2);
        }
        return A(array_pad)(a, before, after, (AREAL)0.5);
    case 33: return a.rank ? A(array_gather)(a, axis, 1 + mask % 4, index) : r;
    case 34:
        if (!a.rank || extent > 8) return r;
        return A(array_scatter_add)(a, axis, (size_t)extent, index, A(array_sin)(a));
    case 35: return a.rank ? A(array_softmax)(a, axis) : r;
    case 36: return a.rank ? A(array_log_softmax)(a, axis) : r;
    case 37:
        list[0] = a;
        list[1] = list[2] = b;
        return T(broadcasts)(a, b) ? A(array_map)(T(map)[1 + keep], 2 + (size_t)keep, list) : r;
    case 38: {
        A(array) none;
        memset(&none, 0, sizeof none);
        if (a.rank < 1 || last < 2) return r;
        return keep ? A(array_layer_norm)(a, A(array_softmax)(A(array_slice)(T(shaped)(a, 1, -1,
            0, 0, 0), 0, 0, last, 1), 0), none, (AREAL)0.5) : A(array_rms_norm)(a, none, 1);
    }
    case 39:                                     /* scalars, then an array again */
        if (size < 2) return r;
        x[0] = A(var_sin)(A(array_at)(a, 1));
        x[1] = A(array_at)(a, 0);
        x[2] = A(const)((AREAL)0.25);
        x[3] = A(var_mul)(x[0], A(array_at)(b, A(array_size)(b) - 1));
        before[0] = 4;
        return A(array_pack)(c->t, 1, before, x);
    case 40:
        if (a.rank < 3) return r;
        conv.pad[0] = 1;
        conv.dilation[0] = 1 + keep;
        if (a.rank == 3) return keep && last == 1 ? r : A(array_conv1d)(a, a, NULL);
        conv.pad[1] = conv.stride[1] = 1 + (int)mask % 2;
        if (2 + a.dim[2] < conv.dilation[0] * (a.dim[2] - 1) + 1) return r;
        return A(array_conv2d)(a, A(array_mul_r)(a, (AREAL)0.5), &conv);
    case 41:
        if (a.rank < 3 || last < 2 || a.dim[2] < 2) return r;
        window.size[0] = window.size[1] = 2;
        window.stride[0] = window.stride[1] = 1;
        if (c->kinks && keep) return A(array_max_pool)(a, &window);
        return A(array_avg_pool)(a, &window);
    case 42:                                     /* a positive definite matrix and what it allows */
        if (a.rank < 2 || a.dim[a.rank - 2] > 6) return r;
        r = A(array_mul_r)(A(array_tanh)(a), (AREAL)0.5);
        r = A(array_matmul_t)(r, 0, r, 1);
        before[0] = before[1] = a.dim[a.rank - 2];
        r = A(array_add)(r, A(array_triu)(A(array_tril)(A(array_full)(c->t, 2, before, 3), 0), 0));
        switch ((int)mask % 4 + keep) {
        case 0: return A(array_cholesky)(r);
        case 1: return A(array_solve)(r, a);
        case 2: return A(array_inverse)(r);
        case 3: return A(array_triangular_solve)(r, a, keep ? AD_UPPER : AD_LOWER, (int)mask & 1);
        default: return A(array_logdet)(r);
        }
    default:
        if (!c->kinks) return A(array_mul)(a, A(array_atan)(a));
        switch ((int)mask % 4) {
        case 0: return A(array_relu)(a);
        case 1: return A(array_amax)(a, mask, keep);
        case 2: return T(broadcasts)(a, b) ? A(array_max)(a, b) : r;
        default: return A(array_where)(A(array_gt_r)(a, 0), A(array_sin)(a), a);
        }
    }
}

/* A loss made of x[n] by random operations. */
static A(var) T(compose)(A(tape) *t, uint64_t seed, int steps, int kinks, size_t n,
    const A(array) *x, int *made)
{
    T(composition) c;
    A(array) l = A(array_full)(t, 0, NULL, 0);
    size_t k;
    int done = 0, tries;
    memset(&c, 0, sizeof c);
    c.t = t;
    c.state = seed * 1000003u;
    c.kinks = kinks;
    for (k = 0; k < n; k++) c.a[c.n++] = x[k];
    for (tries = 0; done < steps && tries < 10 * steps; tries++) {
        A(array) r = T(step)(&c);
        if (A(tape_status)(t) != AD_OK) break;
        if (r.rank < 0 || A(array_size)(r) == 0 || A(array_size)(r) > 200) continue;
        if (T(next)(&c) & 1) r = A(array_tanh)(r);           /* nothing grows without bound */
        else r = A(array_mul_r)(A(array_sin)(A(array_mul_r)(r, (AREAL)0.5)), (AREAL)1.5);
        c.a[c.n < T(POOL) ? c.n++ : T(POOL) - 1 - T(below)(&c, T(POOL) - (int)n)] = r;
        done++;
    }
    for (k = n; k < (size_t)c.n; k++)
        l = A(array_add)(l, A(array_sum)(A(array_mul)(c.a[k], T(weights)(t, c.a[k], (int)k)),
            AD_ALL_AXES, 0));
    if (made) *made = done;
    return A(array_item)(l);
}

/* As a function of a vector of numbers, for the drivers and the checker. */
typedef struct T(recipe) {
    uint64_t seed;
    int steps, kinks;
} T(recipe);

enum { T(INPUTS) = 12 + 6 + 3 };

static void T(parts)(A(array) whole, A(array) *x)
{
    x[0] = T(shaped)(A(array_slice)(whole, 0, 0, 12, 1), 3, 2, 2, 3, 0);
    x[1] = T(shaped)(A(array_slice)(whole, 0, 12, 18, 1), 2, 3, 2, 0, 0);
    x[2] = A(array_slice)(whole, 0, 18, 21, 1);
}
static A(var) T(composed)(A(tape) *t, const A(var) *x, size_t n, void *user)
{
    const T(recipe) *const r = (const T(recipe) *)user;
    const int32_t dim = (int32_t)n;
    A(array) part[3];
    T(parts)(A(array_pack)(t, 1, &dim, x), part);
    return T(compose)(t, r->seed, r->steps, r->kinks, 3, part, NULL);
}
/* Several outputs. */
static void T(composed_many)(A(tape) *t, const A(var) *x, size_t n, A(var) *y, size_t m,
    void *user)
{
    const int32_t dim = (int32_t)n;
    A(array) part[3], r;
    (void)user;
    T(parts)(A(array_pack)(t, 1, &dim, x), part);
    r = A(array_tanh)(A(array_matmul)(part[0], part[1]));            /* [2, 2, 2] */
    part[0] = r;
    part[1] = A(array_softmax)(r, 1);
    r = A(array_concatenate)(2, part, 1);
    A(array_unpack)(A(array_slice)(T(shaped)(r, 1, -1, 0, 0, 0), 0, 0, (int32_t)m, 1), y);
}

/* The composition along a line, for the checker's engine of differences. */
typedef struct T(line) {
    A(tape) *t;
    T(recipe) r;
    double x[T(INPUTS)], d[T(INPUTS)];
} T(line);

static A(var) T(record)(A(tape) *t, const T(recipe) *r, const double *x, A(array) *whole, int *made)
{
    AREAL v[T(INPUTS)];
    A(array) part[3];
    size_t e;
    for (e = 0; e < T(INPUTS); e++) v[e] = (AREAL)x[e];
    *whole = T(vector)(t, T(INPUTS), v);
    T(parts)(*whole, part);
    return T(compose)(t, r->seed, r->steps, r->kinks, 3, part, made);
}
static AREAL T(along)(AREAL h, void *user)
{
    T(line) *const l = (T(line) *)user;
    double x[T(INPUTS)];
    A(array) whole;
    size_t e;
    for (e = 0; e < T(INPUTS); e++) x[e] = l->x[e] + (double)h * l->d[e];
    A(tape_reset)(l->t);
    return T(record)(l->t, &l->r, x, &whole, NULL).v;
}
/* The derivative of the loss along d at x + h d, by a reverse sweep. */
static AREAL T(slope_along)(AREAL h, void *user)
{
    T(line) *const l = (T(line) *)user;
    double x[T(INPUTS)], s = 0;
    A(array) whole;
    A(var) y;
    size_t e;
    for (e = 0; e < T(INPUTS); e++) x[e] = l->x[e] + (double)h * l->d[e];
    A(tape_reset)(l->t);
    y = T(record)(l->t, &l->r, x, &whole, NULL);
    if (!y.tape || A(backward)(y) != AD_OK) return (AREAL)NAN;
    for (e = 0; e < T(INPUTS); e++) s += (double)A(array_adjoints)(whole)[e] * l->d[e];
    return (AREAL)s;
}

/* Everything about one composition. gradient[] is left for the other real type. 1: differences
   could tell. */
static int T(one_composition)(uint64_t seed, int steps, int kinks, double *gradient, double *value)
{
    T(line) l;
    A(tape) *const t = A(tape_create)(NULL);
    const double tight = 200 * (double)AEPS;
    AREAL d[T(INPUTS)];
    const AREAL *const dot = d;
    const AREAL *bar;
    A(array) x, g, h;
    A(var) y, list[T(INPUTS)];
    double s = 0, size = 0, along, bound = 0, second = 0, second_size = 0;
    size_t e;
    int made, told;
    char where[80];
    memset(&l, 0, sizeof l);
    l.t = t;
    l.r.seed = seed;
    l.r.steps = steps;
    l.r.kinks = kinks;
    seed_now = seed * 77 + 5;
    for (e = 0; e < T(INPUTS); e++) {
        l.x[e] = floor(draw_between(-1.2, 1.2) * 1024) / 1024;
        l.d[e] = floor(draw_between(-1, 1) * 1024) / 1024;
        d[e] = (AREAL)l.d[e];
    }
    snprintf(where, sizeof where, "%s, composition %lu of %d steps", ASINGLE ? "float" : "double",
        (unsigned long)seed, steps);
#define MUST(c) test_check(!!(c), __FILE__, __LINE__, "%s: %s", where, #c)
    y = T(record)(t, &l.r, l.x, &x, &made);
    if (!test_check(A(tape_status)(t) == AD_OK, __FILE__, __LINE__, "%s: %s", where,
        A(tape_message)(t)) || !MUST(made == steps) || !MUST(y.tape == t)) {
        A(tape_destroy)(t);
        return 0;
    }
    *value = (double)y.v;
    MUST(A(backward)(y) == AD_OK);
    bar = A(array_adjoints)(x);
    for (e = 0; e < T(INPUTS); e++) {
        gradient[e] = (double)bar[e];
        s += gradient[e] * l.d[e];
        size += fabs(gradient[e] * l.d[e]);
    }
    MUST(size < 1e8);
    MUST(A(array_forward)(t, 1, &x, &dot) == AD_OK);
    MUST(fabs((double)A(tangent)(y) - s) <= tight * (1 + size));
    for (e = 0; e < T(INPUTS); e++) list[e] = A(array_at)(x, e);
    MUST(A(forward_over_reverse)(y, T(INPUTS), list, d) == AD_OK);
    for (e = 0; e < T(INPUTS); e++) {
        MUST(fabs((double)A(adjoint)(list[e]) - gradient[e]) <= tight * (1 + fabs(gradient[e])
             + size));
        second += (double)A(adjoint_tangent)(list[e]) * l.d[e];
        second_size += fabs((double)A(adjoint_tangent)(list[e]) * l.d[e]);
    }
    MUST(A(array_grad)(y, 1, &x, &g) == AD_OK);
    for (e = 0; e < T(INPUTS); e++)
        MUST(fabs((double)A(array_values)(g)[e] - gradient[e]) <= tight * (1 + size));
    h = A(array_dot)(g, A(array_const)(t, 1, x.dim, d));
    MUST(A(array_forward)(t, 1, &x, &dot) == AD_OK);
    if (A(array_item)(h).tape) {
        MUST(fabs((double)A(tangent)(A(array_item)(h)) - second) <= 50 * tight
             * (1 + second_size + size));
        MUST(A(array_backward)(h, NULL) == AD_OK);
        bar = A(array_adjoints)(x);
        for (s = 0, e = 0; e < T(INPUTS); e++) s += (double)bar[e] * l.d[e];
        MUST(fabs(s - second) <= 50 * tight * (1 + second_size + size));
    }
    MUST(A(tape_status)(t) == AD_OK);
    for (s = 0, e = 0; e < T(INPUTS); e++) s += gradient[e] * l.d[e];
    told = 0;
    if (!ASINGLE) {
        along = A(derivative)(T(along), 0, &l, NULL, &bound);
        told = along == along && bound < 1e-5 * (1 + size);
        if (told)
            test_check(fabs(along - s) <= bound + 1e-8 * (1 + size), __FILE__, __LINE__,
                "%s: slope %.12g, by differences %.12g +- %.2g", where, s, along, bound);
        if (told && !kinks) {
            along = A(derivative)(T(slope_along), 0, &l, NULL, &bound);
            if (along == along && bound < 1e-4 * (1 + second_size))
                test_check(fabs(along - second) <= bound + 1e-7 * (1 + second_size), __FILE__,
                    __LINE__, "%s: curvature %.12g, by differences %.12g +- %.2g", where, second,
                    along, bound);
        }
    }
#undef MUST
    A(tape_destroy)(t);
    return told;
}

/* ---------------------------------------------------------------- drivers */

static void T(drivers)(void)
{
    enum { N = T(INPUTS), M = 7 };
    AREAL x[N], v[N], g[N], one[N], hv[N], H[N * N], y, J[M * N], forward[M], w[M], back[N], out[M];
    A(tape) *const t = A(tape_create)(NULL);
    T(recipe) r;
    ad_check_result result;
    ad_verdict verdict;
    size_t e, k;
    const double tight = 2000 * (double)AEPS;
    int own;
    for (e = 0; e < N; e++) {
        x[e] = (AREAL)weight(e, 6);
        v[e] = (AREAL)weight(e, 7);
    }
    for (e = 0; e < M; e++) w[e] = (AREAL)weight(e, 8);
    memset(&r, 0, sizeof r);
    for (k = 1; k <= 6; k++) {
        r.seed = 900 + k;
        r.steps = 5 + (int)k;
        own = (int)k & 1;
        CHECK_STATUS(A(gradient)(own ? t : NULL, T(composed), &r, x, N, &y, g), AD_OK);
        CHECK_STATUS(A(hvp)(own ? t : NULL, T(composed), &r, x, N, v, &y, one, hv), AD_OK);
        for (e = 0; e < N; e++) CHECK_NEAR(one[e], g[e], tight);
        CHECK_STATUS(A(hessian)(own ? t : NULL, T(composed), &r, x, N, &y, one, H), AD_OK);
        for (e = 0; e < N; e++) {
            double s = 0;
            size_t j;
            for (j = 0; j < N; j++) {
                s += (double)H[e * N + j] * (double)v[j];
                CHECK(H[e * N + j] == H[j * N + e]);
            }
            test_check(fabs(s - (double)hv[e]) <= 10 * tight * (1 + fabs(s)), __FILE__, __LINE__,
                "seed %d: (H v)[%d] is %.12g, by ad_hvp %.12g", (int)r.seed, (int)e, s,
                (double)hv[e]);
        }
        if (k > 3) continue;
        verdict = A(check_tape)(T(composed), x, N, &r, NULL, &result);
        test_check(ad_check_ok(verdict) || (ASINGLE && verdict == AD_VERDICT_INCONCLUSIVE),
            __FILE__, __LINE__, "seed %d: %s", (int)r.seed, result.message);
    }
    CHECK_STATUS(A(jacobian)(t, T(composed_many), NULL, x, N, M, out, J), AD_OK);
    CHECK_STATUS(A(jvp)(t, T(composed_many), NULL, x, N, M, v, out, forward), AD_OK);
    CHECK_STATUS(A(vjp)(t, T(composed_many), NULL, x, N, M, w, out, back), AD_OK);
    for (e = 0; e < M; e++) {
        double s = 0;
        for (k = 0; k < N; k++) s += (double)J[e * N + k] * (double)v[k];
        CHECK_NEAR(forward[e], s, tight);
    }
    for (k = 0; k < N; k++) {
        double s = 0;
        for (e = 0; e < M; e++) s += (double)J[e * N + k] * (double)w[e];
        CHECK_NEAR(back[k], s, tight);
    }
    CHECK(T(slots)(t) == 0);                     /* as they found it */
    CHECK_STATUS(A(tape_status)(t), AD_OK);
    A(tape_destroy)(t);
}

/* ---------------------------------------------------------------- chance, and the rest */

static void T(random)(void)
{
    enum { N = 60000 };
    AREAL *const r = (AREAL *)malloc(2 * N * sizeof *r), *const q = r + N;
    A(tape) *const t = A(tape_create)(NULL);
    const int32_t dim[2] = { 300, 200 }, one = 1;
    const AREAL three = 3;
    A(array) a, b, x, counter;
    double mean, square, cube, fourth, lag;
    size_t e, kept;
    int k;
    for (k = 0; k < 2; k++) {
        const double n = N;
        double least = 1, most = 0;
        if (k) A(random_normal)(N, 42, 7, r);
        else A(random_uniform)(N, 42, 7, r);
        mean = square = cube = fourth = lag = 0;
        for (e = 0; e < N; e++) {
            const double v = k ? (double)r[e] : ((double)r[e] - 0.5) * sqrt(12.0);
            mean += v / n;
            square += v * v / n;
            cube += v * v * v / n;
            fourth += v * v * v * v / n;
            if (e) lag += v * (k ? (double)r[e - 1] : ((double)r[e - 1] - 0.5) * sqrt(12.0)) / n;
            if ((double)r[e] < least) least = (double)r[e];
            if ((double)r[e] > most) most = (double)r[e];
        }
        /* five deviations of each */
        CHECK(fabs(mean) < 5 / sqrt(n));
        CHECK(fabs(square - 1) < 5 * sqrt((k ? 2 : 0.8) / n));
        CHECK(fabs(cube) < 5 * sqrt((k ? 15 : 27.0 / 7) / n));
        CHECK(fabs(fourth - (k ? 3 : 1.8)) < 5 * sqrt((k ? 96 : 5.76) / n));
        CHECK(fabs(lag) < 5 / sqrt(n));
        CHECK(k ? least < -3.5 && most > 3.5 && least > -6 && most < 6
                : least >= 0 && least < 1e-3 && most < 1 && most > 0.999);
        /* the same again; a beginning is a beginning; other seeds and calls are other numbers */
        if (k) A(random_normal)(1001, 42, 7, q);
        else A(random_uniform)(1001, 42, 7, q);
        CHECK(memcmp(r, q, 1001 * sizeof *q) == 0);
        a = k ? A(array_normal)(t, 2, dim, 42, 7) : A(array_uniform)(t, 2, dim, 42, 7);
        CHECK(memcmp(A(array_values)(a), r, N * sizeof *r) == 0);
        b = k ? A(array_normal)(t, 2, dim, 42, 8) : A(array_uniform)(t, 2, dim, 42, 8);
        CHECK(memcmp(A(array_values)(b), r, N * sizeof *r) != 0);
        for (lag = 0, e = 0; e < N; e++)
            lag += ((double)A(array_values)(b)[e] - (k ? 0 : 0.5))
                * ((double)r[e] - (k ? 0 : 0.5)) / n * (k ? 1 : 12);
        CHECK(fabs(lag) < 5 / sqrt(n));
        b = k ? A(array_normal)(t, 2, dim, 43, 7) : A(array_uniform)(t, 2, dim, 43, 7);
        CHECK(memcmp(A(array_values)(b), r, N * sizeof *r) != 0);
        CHECK(A(array_adjoints)(a) == NULL && T(slots)(t) == 0);
    }
    /* the same bits on every instruction set, and on every machine */
    for (k = AD_SIMD_PLAIN; k <= AD_SIMD_NEON; k++) {
        ad_tape_desc desc;
        A(tape) *level;
        if (!ad_kernels_get((ad_simd)k)) continue;
        memset(&desc, 0, sizeof desc);
        desc.simd = (ad_simd)k;
        level = A(tape_create)(&desc);
        A(random_uniform)(N, 42, 9, r);
        a = A(array_uniform)(level, 2, dim, 42, 9);
        CHECK(memcmp(A(array_values)(a), r, N * sizeof *r) == 0);
        A(random_normal)(N, 42, 9, r);
        a = A(array_normal)(level, 2, dim, 42, 9);
        CHECK(memcmp(A(array_values)(a), r, N * sizeof *r) == 0);
        A(tape_destroy)(level);
    }
    A(random_normal)(0, 1, 1, NULL);
    A(random_uniform)(1, 1, 1, q);
    CHECK(q[0] >= 0 && q[0] < 1);
    for (k = 0; k < 4; k++) {
        const double p = k == 3 ? 0.9 : 0.25 * k;
        x = A(array_input)(t, 2, dim, NULL);
        x = A(array_add_r)(x, 1);
        a = A(array_dropout)(x, (AREAL)p, 3, 4);
        b = A(array_dropout)(x, (AREAL)p, 3, 4);
        CHECK(memcmp(A(array_values)(a), A(array_values)(b), N * sizeof *r) == 0);
        for (kept = 0, e = 0; e < N; e++) {
            const double v = (double)A(array_values)(a)[e];
            kept += v != 0;
            if (v != 0 && !test_near(v, 1 / (1 - p), 2 * (double)AEPS)) break;
        }
        CHECK(e == N);
        CHECK(fabs((double)kept / (double)N - (1 - p)) <= 5 * sqrt(p * (1 - p) / (double)N));
        CHECK(A(array_backward)(a, NULL) == AD_OK);
        CHECK(memcmp(A(array_adjoints)(x), A(array_values)(a), N * sizeof *r) == 0);
        b = A(array_dropout)(x, (AREAL)p, 3, 5);
        CHECK(k == 0 || memcmp(A(array_values)(a), A(array_values)(b), N * sizeof *r) != 0);
        counter = A(array_input)(t, 0, NULL, &three);        /* 1 + 3 */
        b = A(array_dropout_at)(x, (AREAL)p, 3, 1, counter);
        CHECK(memcmp(A(array_values)(a), A(array_values)(b), N * sizeof *r) == 0);
        CHECK(A(array_backward)(b, NULL) == AD_OK);
        CHECK(memcmp(A(array_adjoints)(x), A(array_values)(a), N * sizeof *r) == 0);
        CHECK(A(array_adjoints)(counter)[0] == 0);
        counter = A(array_const)(t, 1, &one, &three);
        a = A(array_normal_at)(counter, 2, dim, 3, 4), b = A(array_normal)(t, 2, dim, 3, 7);
        CHECK(memcmp(A(array_values)(a), A(array_values)(b), N * sizeof *r) == 0);
        a = A(array_uniform_at)(counter, 2, dim, 3, 4), b = A(array_uniform)(t, 2, dim, 3, 7);
        CHECK(memcmp(A(array_values)(a), A(array_values)(b), N * sizeof *r) == 0);
        A(tape_reset)(t);
    }
    CHECK_STATUS(A(tape_status)(t), AD_OK);
    A(tape_destroy)(t);
    free(r);
}

/* Sweeps that were not met above, and the tools that look at a tape. */
typedef struct T(dump) {
    char s[60000];
    size_t n;
} T(dump);
static T(dump) T(text);

static int T(gather)(void *user, const char *text, size_t length)
{
    T(dump) *const d = (T(dump) *)user;
    if (length > sizeof d->s - 1 - d->n) length = sizeof d->s - 1 - d->n;
    memcpy(d->s + d->n, text, length);
    d->n += length;
    return 0;
}

static void T(rest)(void)
{
    A(tape) *t = A(tape_create)(NULL);
    A(array) x = T(list)(t, "1 2 3 4 5 6"), m = T(shaped)(x, 2, 2, 3, 0, 0), y, g, z, in[2];
    A(array) list[2];
    const int32_t two = 2;
    A(var) l, v[2], gv[2];
    AREAL mean[3], var[3], dots[6] = { 1, 0, 0, 0, 0, 2 };
    const AREAL *dot[2];
    A(array) none;
    ad_tape_desc desc;
    A(nonfinite) report;
    int k;
    memset(&report, 0, sizeof report);
    memset(&none, 0, sizeof none);
    /* a sweep of nothing but the seed; of a view; seeds of zeros */
    CHECK(A(array_backward)(x, NULL) == AD_OK && A(array_adjoints)(m)[5] == 1);
    y = A(array_slice)(m, 0, 1, 2, 1);
    CHECK(A(array_backward)(y, dots) == AD_OK);
    CHECK(A(array_adjoints)(x)[2] == 0 && A(array_adjoints)(x)[3] == 1
          && A(array_adjoints)(y)[0] == 1 && A(array_adjoints)(x)[4] == 0);
    /* a result that the output does not use, before and after it */
    z = A(array_exp)(m);
    y = A(array_square)(m);
    g = A(array_mul)(y, z);
    CHECK(A(array_backward)(y, NULL) == AD_OK);
    CHECK(A(array_adjoints)(x)[3] == 8 && A(array_adjoints)(z)[3] == 0);
    CHECK(A(array_adjoints)(g)[0] == 0);
    CHECK(A(array_backward)(A(array_sum)(g, AD_AXIS(0) | AD_AXIS(1), 0), NULL) == AD_OK);
    CHECK_NEAR(A(array_adjoints)(x)[1], 8 * exp(2.0), 8 * (double)AEPS);
    CHECK(A(array_backward)(y, NULL) == AD_OK && A(array_adjoints)(x)[3] == 8);
    /* seeds by scalars, twice the same */
    v[0] = A(array_at)(y, 1);
    v[1] = A(array_at)(y, 1);
    dots[1] = 3;
    CHECK(A(backward_seeded)(t, 2, v, dots) == AD_OK && A(array_adjoints)(x)[1] == 16);
    CHECK(A(adjoint)(A(array_at)(x, 1)) == 16);
    gv[1] = A(array_at)(x, 1);
    CHECK(A(grad_vars)(v[0], 1, gv + 1, gv) == AD_OK && gv[0].v == 4);
    /* tangents: one input of two, NULL for the other; by a scalar's seed */
    in[0] = x;
    in[1] = T(list)(t, "1 1 1 1 1 1");
    y = A(array_mul)(in[0], in[1]);
    dot[0] = NULL;
    dot[1] = dots;
    CHECK(A(array_forward)(t, 2, in, dot) == AD_OK);
    CHECK(A(array_tangents)(y)[1] == 6 && A(array_tangents)(y)[5] == 12);
    CHECK(A(array_tangents)(x)[5] == 0);
    v[0] = A(array_at)(x, 2);
    dots[0] = 5;
    CHECK(A(forward)(t, 1, v, dots) == AD_OK);
    CHECK(A(array_tangents)(y)[2] == 5 && A(array_tangents)(y)[1] == 0);
    CHECK(A(tangent)(A(array_at)(y, 2)) == 5);
    /* a seed on a result is added to what it has: z = 3 y, y = 2 x */
    y = A(array_mul_r)(x, 2);
    z = A(array_mul_r)(y, 3);
    in[0] = x;
    in[1] = y;
    dot[0] = dot[1] = dots;
    CHECK(A(array_forward)(t, 2, in, dot) == AD_OK && A(array_tangents)(z)[1] == 27);
    /* pieces that overlap: sum of x[i] x[i + 1] */
    y = A(array_mul)(A(array_slice)(x, 0, 0, 5, 1), A(array_slice)(x, 0, 1, 6, 1));
    WANTS(y, x, "2 4 6 8 10 5");
    y = A(array_mul)(A(array_slice)(x, 0, 0, 5, 1), A(array_slice)(x, 0, AD_END, 0, -1));
    WANTS(y, x, "6 10 8 6 4 1");
    /* a piece and the whole, scalars before and after */
    l = A(var_square)(A(array_at)(x, 1));
    y = A(array_exp)(A(array_mul_r)(x, 0));
    z = A(array_mul)(y, x);
    l = A(var_add)(l, A(array_item)(A(array_sum)(A(array_slice)(z, 0, 2, 4, 1), AD_AXIS(0), 0)));
    l = A(var_add)(l, A(var_mul)(A(array_at)(z, 5), A(array_at)(x, 0)));
    l = A(var_add)(l, A(array_item)(A(array_dot)(A(array_slice)(x, 0, 0, 2, 1),
        A(array_slice)(z, 0, 4, 6, 1))));
    CHECK(A(backward)(l) == AD_OK);
    CHECK(A(array_adjoints)(x)[0] == 11 && A(array_adjoints)(x)[1] == 10);
    CHECK(A(array_adjoints)(x)[2] == 1 && A(array_adjoints)(x)[4] == 1);
    CHECK(A(array_adjoints)(x)[5] == 3 && A(array_adjoints)(z)[0] == 0);
    CHECK(A(array_adjoints)(z)[3] == 1 && A(array_adjoints)(z)[5] == 3);
    /* the gradient by a result, by a piece of one, by the same array twice */
    in[0] = y = A(array_square)(x);
    in[1] = A(array_slice)(y, 0, 2, 5, 1);
    l = A(array_item)(A(array_sum)(A(array_mul)(y, x), AD_AXIS(0), 0));
    CHECK(A(array_grad)(l, 2, in, list) == AD_OK);
    CHECK(list[0].dim[0] == 6 && A(array_values)(list[0])[3] == 4);
    CHECK(list[1].dim[0] == 3 && A(array_values)(list[1])[1] == 4);
    in[0] = in[1] = x;
    CHECK(A(array_grad)(l, 2, in, list) == AD_OK);
    CHECK(A(array_values)(list[0])[1] == 12 && A(array_values)(list[1])[1] == 12);
    /* operations of the user between arrays */
    v[0] = A(array_at)(y, 0);
    v[1] = A(array_at)(y, 1);
    dots[0] = 2;
    dots[1] = -3;
    v[1] = A(var_custom)(t, 2, v, 7, dots);
    z = A(array_mul)(A(array_pack)(t, 1, &two, v), A(array_slice)(x, 0, 0, 2, 1));
    CHECK(A(array_values)(z)[1] == 14);
    WANTS(z, x, "11 -17 0 0 0 0");
    dots[0] = 5;
    dots[1] = 3;
    /* the third derivative of sum x^4 is 24 x */
    l = A(array_item)(A(array_sum)(A(array_square)(A(array_square)(x)), AD_AXIS(0), 0));
    for (k = 0; k < 3; k++) {
        CHECK(A(array_grad)(l, 1, &x, &g) == AD_OK);
        l = A(array_item)(A(array_sum)(g, AD_AXIS(0), 0));
    }
    for (k = 0; k < 6; k++) CHECK_NEAR(A(array_values)(g)[k], 24 * (k + 1), 8 * (double)AEPS);
    /* the statistics of a batch */
    y = A(array_batch_norm)(m, none, none, 0, mean, var);
    CHECK_NEAR(mean[1], 3.5, 4 * (double)AEPS);
    CHECK_NEAR(var[2], 2.25, 8 * (double)AEPS);
    CHECK_NEAR(A(array_values)(y)[0], -1.5 / sqrt(2.25 + 1e-5), 8 * (double)AEPS);
    /* graph, names, health */
    A(name)(A(array_at)(x, 0), "first");
    for (k = AD_GRAPH_DOT; k <= AD_GRAPH_TEXT; k++) {
        T(text).n = 0;
        CHECK(A(graph_dump)(t, (ad_graph_format)k, NULL, T(gather), &T(text)) == AD_OK);
        T(text).s[T(text).n] = 0;
        CHECK(T(text).n > 100 && strstr(T(text).s, "square") && strstr(T(text).s, "first"));
        if (k == AD_GRAPH_DOT) CHECK(strstr(T(text).s, "->") != NULL);
    }
    CHECK(A(array_backward)(y, NULL) == AD_OK);
    CHECK(A(tape_health)(t).slots > 0 && A(tape_health)(t).nonfinite == 0);
    CHECK_STATUS(A(tape_status)(t), AD_OK);
    A(tape_destroy)(t);

    memset(&desc, 0, sizeof desc);
    desc.debug = 1;
    t = A(tape_create)(&desc);
    x = T(list)(t, "1 0 2");
    y = A(array_mul_r)(x, 2);
    CHECK(A(tape_nonfinite)(t, &report) == 0);
    y = A(array_log)(y);
    y = A(array_add_r)(y, 1);
    CHECK(A(tape_nonfinite)(t, &report) == 1);
    CHECK(report.operation && strstr(report.operation, "log") && strstr(report.message, "log"));
    A(tape_reset)(t);
    x = T(list)(t, "1 0 2");
    y = A(array_sqrt)(x);
    CHECK(A(tape_nonfinite)(t, &report) == 0);
    CHECK(A(array_backward)(y, NULL) == AD_OK);
    CHECK(A(tape_nonfinite)(t, &report) == 1 && report.backward == 1);
    CHECK(report.operation && strstr(report.operation, "sqrt"));
    for (k = 0; k < 6; k++) {                      /* to the letter, and of which slot */
        static const struct { size_t at, operands; const char *message; } want[6] = {
            { 1, 1, "log made -inf in element 1 of an array: 0" },
            { 2, 2, "div made inf in element 2 of an array: 2, 0" },
            { 0, 2, "div made inf in element 0 of an array: 1, 0" },
            { 3, 0, "matmul made inf in element 3 of an array:" },
            { 1, 1, "sqrt made the adjoint of an operand non-finite in element 1 of an array: 0" },
            { 1, 1, "log made -inf in element 1 of an array: 0" } };
        const AREAL most = A(real_exp)(sizeof(AREAL) == 8 ? 709 : 88);
        char said[sizeof report.message];
        size_t at, to;
        A(tape_reset)(t);
        x = T(list)(t, "1 0 2");
        A(here)(t, "before.c", 7);
        if (k == 1) y = A(array_div)(x, T(list)(t, "1 1 0"));
        else if (k == 2) y = A(array_div)(x, A(array_full)(t, 0, NULL, 0));
        else if (k == 3) {
            m = A(array_mul_r)(T(shaped)(T(list)(t, "0 0 0 1"), 2, 2, 2, 0, 0), most);
            y = A(array_matmul)(m, m);
        } else if (k == 4) {
            y = A(array_sqrt)(x);
            CHECK(A(array_backward)(y, NULL) == AD_OK);
        } else y = A(array_log)(k == 5 ? A(array_detach)(x) : x);
        A(here)(t, "after.c", 9);
        CHECK(A(tape_nonfinite)(t, &report) == 1 && report.backward == (k == 4));
        for (at = to = 0; report.message[at]; at++)    /* a blank before a comma does not count */
            if (strncmp(report.message + at, " ,", 2) != 0) said[to++] = report.message[at];
        said[to] = 0;
        CHECK_STRING(said, want[k].message);
        CHECK((size_t)report.operands == want[k].operands && report.line == 7);
        CHECK_STRING(report.file, "before.c");
        CHECK(report.slot == (k == 5 ? A(tape_get_stats)(t).slots     /* constants: where it was */
                              : A(array_at)(y, want[k].at).id));
        CHECK(k == 4 || report.result == A(array_values)(y)[want[k].at]);
    }
    /* two finite adjoints are too much together; what is kept of a triangle is a choice of three */
    A(tape_reset)(t);
    x = T(shaped)(T(list)(t, "2 3 5 7"), 2, 2, 2, 0, 0);
    y = A(array_tril)(x, 0);
    m = A(array_add)(y, A(array_neg)(A(array_neg)(x)));
    for (k = 0; k < 4; k++) dots[k] = 2 * A(real_exp)(sizeof(AREAL) == 8 ? 709 : 88);
    CHECK(A(array_backward)(m, dots) == AD_OK);
    CHECK(A(tape_nonfinite)(t, &report) == 1 && report.backward == 1);
    CHECK_STRING(report.operation, "select");
    CHECK(report.operands == 3 && report.operand[0] == 1 && report.operand[1] == 2
          && report.operand[2] == 0);
    A(tape_destroy)(t);
    /* an instruction set that this machine lacks */
    for (k = AD_SIMD_PLAIN; k <= AD_SIMD_NEON; k++) {
        if (ad_kernels_get((ad_simd)k)) continue;
        memset(&desc, 0, sizeof desc);
        desc.simd = (ad_simd)k;
        t = A(tape_create)(&desc);
        x = T(list)(t, "1 2");
        y = A(array_add)(x, x);
        CHECK(y.rank == -1);
        CHECK_STATUS(A(tape_status)(t), AD_ERR_UNSUPPORTED);
        A(tape_destroy)(t);
    }
}

/* A trace with arrays as a compiled function: the same numbers, or a refusal. */
static void T(compiled)(void)
{
    A(tape) *const t = A(tape_create)(NULL);
    T(recipe) r;
    AREAL x[T(INPUTS)], z[T(INPUTS)], out = 0;
    A(var) v[T(INPUTS)], y;
    A(fn) *f;
    size_t e;
    memset(&r, 0, sizeof r);
    r.seed = 31;
    r.steps = 6;
    for (e = 0; e < T(INPUTS); e++) {
        x[e] = (AREAL)weight(e, 6);
        z[e] = (AREAL)weight(e, 7);
    }
    CHECK(A(inputs)(t, T(INPUTS), x, v) == AD_OK);
    y = T(composed)(t, v, T(INPUTS), &r);
    f = A(fn_create)(t, T(INPUTS), v, 1, &y, NULL);
    if (A(fn_status)(f) == AD_OK) {
        CHECK(A(fn_eval)(f, x, &out) == AD_OK);
        CHECK_NEAR(out, y.v, 2000 * (double)AEPS);
        A(tape_reset)(t);
        A(inputs)(t, T(INPUTS), z, v);
        y = T(composed)(t, v, T(INPUTS), &r);
        CHECK(A(fn_eval)(f, z, &out) == AD_OK);
        CHECK_NEAR(out, y.v, 2000 * (double)AEPS);
    } else {
        CHECK_STATUS(A(fn_status)(f), AD_ERR_UNSUPPORTED);
        CHECK(A(fn_message)(f)[0] != 0);
    }
    A(fn_destroy)(f);
    A(tape_destroy)(t);
}

static void T(begin)(void)
{
    char text[100];
    int k;
    for (k = 0; k < 3; k++) {
        T(map)[k] = A(fn_parse)(map_text[k], map_variables[k], text, sizeof text);
        test_check(A(fn_status)(T(map)[k]) == AD_OK, __FILE__, __LINE__, "%s", text);
    }
}
static void T(end)(void)
{
    int k;
    for (k = 0; k < 3; k++) A(fn_destroy)(T(map)[k]);
}
