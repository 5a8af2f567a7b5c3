/* What a machine and a compiler are worth: ordinary C that never changes and includes nothing. The
   seconds that it takes to compile stand first in the table of compile_cost.sh, and the other rows
   are told as multiples of them too, so that figures of different machines can be compared. So do
   not improve it: whoever changes a line makes all older figures worthless.

   It is a few dozen lines each of what programs are made of (sorting, hashing, matrices, lists,
   trees, parsing, packing), written once for a type and a name and expanded for many of each. Run,
   it returns 0 if it was compiled rightly. */

typedef unsigned long word;

static word state = 88172645463325252ul;
static word draw(void)
{
    state ^= state << 13 & 0xffffffffffffffffu;
    state ^= state >> 7;
    state ^= state << 17 & 0xffffffffffffffffu;
    return state;
}

/* ---------------------------------------------------------------- sorting and searching */

#define SORTING(T, name)                                                                           \
static void name##_insert(T *a, long n)                                                            \
{                                                                                                  \
    long i, k;                                                                                     \
    for (i = 1; i < n; i++) {                                                                      \
        const T x = a[i];                                                                          \
        for (k = i; k > 0 && x < a[k - 1]; k--) a[k] = a[k - 1];                                   \
        a[k] = x;                                                                                  \
    }                                                                                              \
}                                                                                                  \
static long name##_part(T *a, long n)                                                              \
{                                                                                                  \
    const T pivot = a[n / 2];                                                                      \
    long i = -1, k = n;                                                                            \
    for (;;) {                                                                                     \
        T t;                                                                                       \
        do i++; while (a[i] < pivot);                                                              \
        do k--; while (pivot < a[k]);                                                              \
        if (i >= k) return k + 1;                                                                  \
        t = a[i]; a[i] = a[k]; a[k] = t;                                                           \
    }                                                                                              \
}                                                                                                  \
static void name##_quick(T *a, long n)                                                             \
{                                                                                                  \
    while (n > 12) {                                                                               \
        const long k = name##_part(a, n);                                                          \
        if (k < n - k) { name##_quick(a, k); a += k; n -= k; }                                     \
        else { name##_quick(a + k, n - k); n = k; }                                                \
    }                                                                                              \
    name##_insert(a, n);                                                                           \
}                                                                                                  \
static void name##_sift(T *a, long i, long n)                                                      \
{                                                                                                  \
    const T x = a[i];                                                                              \
    long k;                                                                                        \
    while ((k = 2 * i + 1) < n) {                                                                  \
        if (k + 1 < n && a[k] < a[k + 1]) k++;                                                     \
        if (!(x < a[k])) break;                                                                    \
        a[i] = a[k];                                                                               \
        i = k;                                                                                     \
    }                                                                                              \
    a[i] = x;                                                                                      \
}                                                                                                  \
static void name##_heap(T *a, long n)                                                              \
{                                                                                                  \
    long i;                                                                                        \
    for (i = n / 2; i-- > 0;) name##_sift(a, i, n);                                                \
    for (i = n; i-- > 1;) {                                                                        \
        const T t = a[0];                                                                          \
        a[0] = a[i]; a[i] = t;                                                                     \
        name##_sift(a, 0, i);                                                                      \
    }                                                                                              \
}                                                                                                  \
static void name##_merge(const T *a, long n, const T *b, long m, T *r)                             \
{                                                                                                  \
    while (n > 0 && m > 0)                                                                         \
        if (*b < *a) { *r++ = *b++; m--; } else { *r++ = *a++; n--; }                              \
    while (n-- > 0) *r++ = *a++;                                                                   \
    while (m-- > 0) *r++ = *b++;                                                                   \
}                                                                                                  \
static long name##_find(const T *a, long n, T x)                                                   \
{                                                                                                  \
    long low = 0;                                                                                  \
    while (n > 0) {                                                                                \
        const long half = n / 2;                                                                   \
        if (a[low + half] < x) { low += half + 1; n -= half + 1; } else n = half;                  \
    }                                                                                              \
    return low;                                                                                    \
}                                                                                                  \
static int name##_sorted(const T *a, long n)                                                       \
{                                                                                                  \
    long i;                                                                                        \
    for (i = 1; i < n; i++) if (a[i] < a[i - 1]) return 0;                                         \
    return 1;                                                                                      \
}                                                                                                  \
static int name##_sorting(void)                                                                    \
{                                                                                                  \
    T a[200], b[200], c[400];                                                                      \
    long i;                                                                                        \
    for (i = 0; i < 200; i++) { a[i] = (T)(draw() % 100); b[i] = (T)(draw() % 100); }              \
    name##_quick(a, 200);                                                                          \
    name##_heap(b, 200);                                                                           \
    name##_merge(a, 200, b, 200, c);                                                               \
    i = name##_find(c, 400, (T)50);                                                                \
    return name##_sorted(c, 400) && (i == 400 || !(c[i] < (T)50)) && (i == 0 || c[i - 1] < (T)50); \
}

/* ---------------------------------------------------------------- tables and trees */

#define TABLES(K, V, name)                                                                         \
typedef struct name##_table { K key[256]; V value[256]; unsigned char used[256]; int n; }          \
    name##_table;                                                                                  \
static unsigned name##_hash(K key)                                                                 \
{                                                                                                  \
    word h = (word)key * 0x9e3779b1u;                                                              \
    h ^= h >> 15;                                                                                  \
    h *= 0x85ebca6bu;                                                                              \
    return (unsigned)(h ^ h >> 13) & 255;                                                          \
}                                                                                                  \
static V *name##_at(name##_table *t, K key)                                                        \
{                                                                                                  \
    unsigned i = name##_hash(key), k;                                                              \
    for (k = 0; k < 256 && t->used[i]; k++, i = (i + 1) & 255)                                     \
        if (t->key[i] == key) return &t->value[i];                                                 \
    if (k == 256 || t->n > 200) return 0;                                                          \
    t->used[i] = 1;                                                                                \
    t->key[i] = key;                                                                               \
    t->value[i] = 0;                                                                               \
    t->n++;                                                                                        \
    return &t->value[i];                                                                           \
}                                                                                                  \
static void name##_remove(name##_table *t, K key)                                                  \
{                                                                                                  \
    unsigned i = name##_hash(key), hole, home, k;                                                  \
    for (k = 0; k < 256 && t->used[i] && t->key[i] != key; k++) i = (i + 1) & 255;                 \
    if (k == 256 || !t->used[i]) return;                                                           \
    hole = i;                                                                                      \
    t->n--;                                                                                        \
    for (;;) {                                                                                     \
        t->used[hole] = 0;                                                                         \
        do {                                                                                       \
            i = (i + 1) & 255;                                                                     \
            if (!t->used[i]) return;                                                               \
            home = name##_hash(t->key[i]);                                                         \
        } while (hole <= i ? hole < home && home <= i : hole < home || home <= i);                 \
        t->used[hole] = 1;                                                                         \
        t->key[hole] = t->key[i];                                                                  \
        t->value[hole] = t->value[i];                                                              \
        hole = i;                                                                                  \
    }                                                                                              \
}                                                                                                  \
typedef struct name##_node { K key; V value; struct name##_node *left, *right; int level; }        \
    name##_node;                                                                                   \
static name##_node *name##_skew(name##_node *t)                                                    \
{                                                                                                  \
    name##_node *l;                                                                                \
    if (!t || !t->left || t->left->level != t->level) return t;                                    \
    l = t->left;                                                                                   \
    t->left = l->right;                                                                            \
    l->right = t;                                                                                  \
    return l;                                                                                      \
}                                                                                                  \
static name##_node *name##_split(name##_node *t)                                                   \
{                                                                                                  \
    name##_node *r;                                                                                \
    if (!t || !t->right || !t->right->right || t->level != t->right->right->level) return t;       \
    r = t->right;                                                                                  \
    t->right = r->left;                                                                            \
    r->left = t;                                                                                   \
    r->level++;                                                                                    \
    return r;                                                                                      \
}                                                                                                  \
static name##_node *name##_add(name##_node *t, name##_node *x)                                     \
{                                                                                                  \
    if (!t) return x;                                                                              \
    if (x->key < t->key) t->left = name##_add(t->left, x);                                         \
    else if (t->key < x->key) t->right = name##_add(t->right, x);                                  \
    else { t->value += x->value; return t; }                                                       \
    return name##_split(name##_skew(t));                                                           \
}                                                                                                  \
static V name##_total(const name##_node *t)                                                        \
{                                                                                                  \
    return t ? name##_total(t->left) + t->value + name##_total(t->right) : 0;                      \
}                                                                                                  \
static int name##_depth(const name##_node *t)                                                      \
{                                                                                                  \
    int l, r;                                                                                      \
    if (!t) return 0;                                                                              \
    l = name##_depth(t->left);                                                                     \
    r = name##_depth(t->right);                                                                    \
    return 1 + (l > r ? l : r);                                                                    \
}                                                                                                  \
static int name##_tables(void)                                                                     \
{                                                                                                  \
    static name##_table t;                                                                         \
    static name##_node pool[300];                                                                  \
    name##_node *root = 0;                                                                         \
    V sum = 0, again = 0;                                                                          \
    int i;                                                                                         \
    for (i = 0; i < 300; i++) {                                                                    \
        const K key = (K)(draw() % 150);                                                           \
        V *v = name##_at(&t, key);                                                                 \
        if (!v) return 0;                                                                          \
        *v += (V)(i % 7);                                                                          \
        sum += (V)(i % 7);                                                                         \
        pool[i].key = key;                                                                         \
        pool[i].value = (V)(i % 7);                                                                \
        pool[i].level = 1;                                                                         \
        root = name##_add(root, &pool[i]);                                                         \
    }                                                                                              \
    for (i = 0; i < 256; i++) if (t.used[i]) again += t.value[i];                                  \
    if (again != sum || name##_total(root) != sum || name##_depth(root) > 16) return 0;            \
    for (i = 0; i < 150; i += 2) name##_remove(&t, (K)i);                                          \
    for (i = 0; i < 256; i++) if (t.used[i] && (long)t.key[i] % 2 == 0) return 0;                  \
    return 1;                                                                                      \
}

/* ---------------------------------------------------------------- matrices and series */

#define MATRICES(T, name, N)                                                                       \
static void name##_product(T (*r)[N], T (*a)[N], T (*b)[N])                                        \
{                                                                                                  \
    int i, j, k;                                                                                   \
    for (i = 0; i < N; i++)                                                                        \
        for (j = 0; j < N; j++) {                                                                  \
            T s = 0;                                                                               \
            for (k = 0; k < N; k++) s += a[i][k] * b[k][j];                                        \
            r[i][j] = s;                                                                           \
        }                                                                                          \
}                                                                                                  \
static int name##_factor(T (*a)[N], int *row)                                                      \
{                                                                                                  \
    int i, j, k, best;                                                                             \
    for (i = 0; i < N; i++) row[i] = i;                                                            \
    for (k = 0; k < N; k++) {                                                                      \
        for (best = k, i = k + 1; i < N; i++) {                                                    \
            const T x = a[i][k] < 0 ? -a[i][k] : a[i][k];                                          \
            const T y = a[best][k] < 0 ? -a[best][k] : a[best][k];                                 \
            if (y < x) best = i;                                                                   \
        }                                                                                          \
        if (a[best][k] == 0) return 0;                                                             \
        if (best != k) {                                                                           \
            for (j = 0; j < N; j++) { const T t = a[k][j]; a[k][j] = a[best][j]; a[best][j] = t; } \
            i = row[k]; row[k] = row[best]; row[best] = i;                                         \
        }                                                                                          \
        for (i = k + 1; i < N; i++) {                                                              \
            const T f = a[i][k] /= a[k][k];                                                        \
            for (j = k + 1; j < N; j++) a[i][j] -= f * a[k][j];                                    \
        }                                                                                          \
    }                                                                                              \
    return 1;                                                                                      \
}                                                                                                  \
static void name##_solve(T (*a)[N], const int *row, const T *b, T *x)                              \
{                                                                                                  \
    int i, j;                                                                                      \
    for (i = 0; i < N; i++) {                                                                      \
        x[i] = b[row[i]];                                                                          \
        for (j = 0; j < i; j++) x[i] -= a[i][j] * x[j];                                            \
    }                                                                                              \
    for (i = N; i-- > 0;) {                                                                        \
        for (j = i + 1; j < N; j++) x[i] -= a[i][j] * x[j];                                        \
        x[i] /= a[i][i];                                                                           \
    }                                                                                              \
}                                                                                                  \
static T name##_exp(T x)                                                                           \
{                                                                                                  \
    T term = 1, sum = 1;                                                                           \
    int i, halved = 0;                                                                             \
    while (x > 1 || x < -1) { x /= 2; halved++; }                                                  \
    for (i = 1; i < 24; i++) { term *= x / (T)i; sum += term; }                                    \
    while (halved-- > 0) sum *= sum;                                                               \
    return sum;                                                                                    \
}                                                                                                  \
static T name##_root(T x)                                                                          \
{                                                                                                  \
    T r = x > 1 ? x : 1;                                                                           \
    int i;                                                                                         \
    for (i = 0; i < 60; i++) r = (r + x / r) / 2;                                                  \
    return r;                                                                                      \
}                                                                                                  \
static void name##_smooth(T *r, const T *x, int n, int wide)                                       \
{                                                                                                  \
    int i, k;                                                                                      \
    for (i = 0; i < n; i++) {                                                                      \
        T s = 0;                                                                                   \
        int count = 0;                                                                             \
        for (k = i - wide; k <= i + wide; k++) if (k >= 0 && k < n) { s += x[k]; count++; }        \
        r[i] = s / (T)count;                                                                       \
    }                                                                                              \
}                                                                                                  \
static int name##_matrices(void)                                                                   \
{                                                                                                  \
    T a[N][N], b[N][N], c[N][N], x[N], y[N], worst = 0, e;                                         \
    int row[N], i, j;                                                                              \
    for (i = 0; i < N; i++)                                                                        \
        for (j = 0; j < N; j++) {                                                                  \
            a[i][j] = (T)(draw() % 1000) / 1000 + (i == j ? N : 0);                                \
            b[i][j] = a[i][j];                                                                     \
        }                                                                                          \
    for (i = 0; i < N; i++) y[i] = (T)i;                                                           \
    if (!name##_factor(a, row)) return 0;                                                          \
    name##_solve(a, row, y, x);                                                                    \
    for (i = 0; i < N; i++) {                                                                      \
        T s = 0;                                                                                   \
        for (j = 0; j < N; j++) s += b[i][j] * x[j];                                               \
        s -= y[i];                                                                                 \
        if (s < 0) s = -s;                                                                         \
        if (!(s <= worst)) worst = s;                                                              \
    }                                                                                              \
    name##_product(c, b, b);                                                                       \
    name##_smooth(x, y, N, 2);                                                                     \
    e = name##_exp((T)2) - name##_exp((T)1) * name##_exp((T)1);                                    \
    e += name##_root((T)2) * name##_root((T)2) - 2 + (x[N / 2] - (T)(N / 2));                      \
    return worst < (T)1e-3 && c[0][0] > 0 && e < (T)1e-3 && e > (T)-1e-3;                          \
}

/* ---------------------------------------------------------------- texts */

#define TEXTS(T, name)                                                                             \
typedef struct name##_reader { const char *at; int wrong; T variable[26]; } name##_reader;         \
static T name##_sum(name##_reader *r);                                                             \
static void name##_blank(name##_reader *r) { while (*r->at == ' ') r->at++; }                      \
static T name##_atom(name##_reader *r)                                                             \
{                                                                                                  \
    T v = 0;                                                                                       \
    name##_blank(r);                                                                               \
    switch (*r->at) {                                                                              \
    case '(':                                                                                      \
        r->at++;                                                                                   \
        v = name##_sum(r);                                                                         \
        name##_blank(r);                                                                           \
        if (*r->at == ')') r->at++; else r->wrong = 1;                                             \
        return v;                                                                                  \
    case '-': r->at++; return -name##_atom(r);                                                     \
    case '+': r->at++; return name##_atom(r);                                                      \
    default:                                                                                       \
        if (*r->at >= 'a' && *r->at <= 'z') return r->variable[*r->at++ - 'a'];                    \
        if (*r->at < '0' || *r->at > '9') { r->wrong = 2; return 0; }                              \
        while (*r->at >= '0' && *r->at <= '9') v = v * 10 + (T)(*r->at++ - '0');                   \
        return v;                                                                                  \
    }                                                                                              \
}                                                                                                  \
static T name##_term(name##_reader *r)                                                             \
{                                                                                                  \
    T v = name##_atom(r), w;                                                                       \
    for (;;) {                                                                                     \
        name##_blank(r);                                                                           \
        if (*r->at == '*') { r->at++; v *= name##_atom(r); }                                       \
        else if (*r->at == '/') {                                                                  \
            r->at++;                                                                               \
            w = name##_atom(r);                                                                    \
            if (w == 0) r->wrong = 3; else v /= w;                                                 \
        } else return v;                                                                           \
    }                                                                                              \
}                                                                                                  \
static T name##_sum(name##_reader *r)                                                              \
{                                                                                                  \
    T v = name##_term(r);                                                                          \
    for (;;) {                                                                                     \
        name##_blank(r);                                                                           \
        if (*r->at == '+') { r->at++; v += name##_term(r); }                                       \
        else if (*r->at == '-') { r->at++; v -= name##_term(r); }                                  \
        else return v;                                                                             \
    }                                                                                              \
}                                                                                                  \
static int name##_print(char *to, T value)                                                         \
{                                                                                                  \
    char digit[24];                                                                                \
    long v = (long)value;                                                                          \
    int n = 0, k = 0;                                                                              \
    if (v < 0) { to[k++] = '-'; v = -v; }                                                          \
    do digit[n++] = (char)('0' + v % 10); while (v /= 10);                                         \
    while (n > 0) to[k++] = digit[--n];                                                            \
    to[k] = 0;                                                                                     \
    return k;                                                                                      \
}                                                                                                  \
static int name##_same(const char *a, const char *b)                                               \
{                                                                                                  \
    while (*a && *a == *b) { a++; b++; }                                                           \
    return *a == *b;                                                                               \
}                                                                                                  \
static int name##_texts(void)                                                                      \
{                                                                                                  \
    name##_reader r = { "2*(x + 30) - -4*y + 14/2 - 6", 0, { 0 } };                                \
    char text[32];                                                                                 \
    T v;                                                                                           \
    r.variable['x' - 'a'] = 5;                                                                     \
    r.variable['y' - 'a'] = 3;                                                                     \
    v = name##_sum(&r);                                                                            \
    name##_print(text, v);                                                                         \
    return !r.wrong && *r.at == 0 && name##_same(text, "83");                                      \
}

/* ---------------------------------------------------------------- bytes */

#define BYTES(T, name, poly)                                                                       \
static T name##_crc(const unsigned char *p, long n)                                                \
{                                                                                                  \
    T c = (T)~(T)0;                                                                                \
    int k;                                                                                         \
    while (n-- > 0) {                                                                              \
        c ^= *p++;                                                                                 \
        for (k = 0; k < 8; k++) c = c & 1 ? (T)(c >> 1 ^ (T)poly) : (T)(c >> 1);                   \
    }                                                                                              \
    return (T)~c;                                                                                  \
}                                                                                                  \
static long name##_pack(const unsigned char *p, long n, unsigned char *r)                          \
{                                                                                                  \
    long i = 0, k = 0;                                                                             \
    while (i < n) {                                                                                \
        long best = 0, where = 0, back, m;                                                         \
        for (back = 1; back < 256 && back <= i; back++) {                                          \
            for (m = 0; m < 200 && i + m < n && p[i + m] == p[i + m - back]; m++) continue;        \
            if (m > best) { best = m; where = back; }                                              \
        }                                                                                          \
        if (best > 3) {                                                                            \
            r[k++] = (unsigned char)(best + 32);                                                   \
            r[k++] = (unsigned char)where;                                                         \
            i += best;                                                                             \
        } else {                                                                                   \
            r[k++] = 0;                                                                            \
            r[k++] = p[i++];                                                                       \
        }                                                                                          \
    }                                                                                              \
    return k;                                                                                      \
}                                                                                                  \
static long name##_unpack(const unsigned char *p, long n, unsigned char *r)                        \
{                                                                                                  \
    long i, k = 0;                                                                                 \
    for (i = 0; i + 1 < n; i += 2) {                                                               \
        int m = p[i] - 32;                                                                         \
        if (m <= 0) r[k++] = p[i + 1];                                                             \
        else while (m-- > 0) { r[k] = r[k - p[i + 1]]; k++; }                                      \
    }                                                                                              \
    return k;                                                                                      \
}                                                                                                  \
static int name##_bits(T v)                                                                        \
{                                                                                                  \
    int n = 0;                                                                                     \
    while (v) { v &= (T)(v - 1); n++; }                                                            \
    return n;                                                                                      \
}                                                                                                  \
static int name##_bytes(void)                                                                      \
{                                                                                                  \
    unsigned char a[500], b[1000], c[500];                                                         \
    long i, n;                                                                                     \
    for (i = 0; i < 500; i++) a[i] = (unsigned char)(i % 17 * (i / 100) + draw() % 2);             \
    n = name##_pack(a, 500, b);                                                                    \
    if (name##_unpack(b, n, c) != 500) return 0;                                                   \
    for (i = 0; i < 500; i++) if (a[i] != c[i]) return 0;                                          \
    return name##_crc(a, 500) == name##_crc(c, 500) && name##_bits((T)0x55) == 4;                  \
}

/* ---------------------------------------------------------------- all of it, for many types */

#define EACH(X, Y)                                                                                 \
    X(int, ai) X(long, al) X(unsigned, au) X(float, af) X(double, ad) X(short, as)                 \
    X(int, bi) X(long, bl) X(unsigned, bu) X(float, bf) X(double, bd) X(short, bs)                 \
    Y(float, cf, 8) Y(double, cd, 8) Y(float, df, 12) Y(double, dd, 12)                            \
    Y(float, ef, 16) Y(double, ed, 16) Y(float, ff, 20) Y(double, fd, 20)

#define ALL(T, name)                                                                               \
    SORTING(T, name) TABLES(T, long, name##_l) TABLES(int, T, name##_v) TEXTS(long, name##_t)      \
    TEXTS(T, name##_s) BYTES(unsigned, name##_u, 0xedb88320u) BYTES(word, name##_w, 0x42f0e1ebu)
#define REALS(T, name, N) MATRICES(T, name, N) SORTING(T, name) TEXTS(T, name)
#define RUN(T, name)                                                                               \
    right += name##_sorting() + name##_l_tables() + name##_v_tables() + name##_t_texts()           \
        + name##_s_texts() + name##_u_bytes() + name##_w_bytes();                                  \
    wanted += 7;
#define RUN_REALS(T, name, N)                                                                      \
    right += name##_matrices() + name##_sorting() + name##_texts();                                \
    wanted += 3;

EACH(ALL, REALS)

int main(void)
{
    int right = 0, wanted = 0;
    EACH(RUN, RUN_REALS)
    return right != wanted;
}
