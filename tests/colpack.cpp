/* How many colours a plan takes (ad_sparse_create), beside the best of ColPack's orders: columns or
   rows of a Jacobian apart at two steps, stars of a Hessian, and its forests for substitution. The
   goal is never to have more than ColPack; what is above it is said in the table, and it is
   asserted that this gets no worse. Its random order is left out, since a clock seeds it. Another
   count is there to be seen, of a way to read entries that a plan does not have: of a Jacobian from
   rows and columns together (bicolouring). */
#include <ColPack/ColPackHeaders.h>
#include <algorithm>
#include <cstdint>
#include <set>
#include <string>
#include <vector>
#include "alone.h"

static int compared, more, more_trees;

typedef std::vector<size_t> Numbers;
struct Matrix {
    std::vector<std::set<size_t> > row;
    size_t columns;
    Matrix(size_t m, size_t n) : row(m), columns(n) {}
    void both(size_t i, size_t j)
    {
        row[i].insert(j);
        row[j].insert(i);
    }
};

static uint64_t state;
static size_t below(size_t n)                    /* as likely one as another; 64-bit LCG of Knuth */
{
    state = state * 6364136223846793005u + 1442695040888963407u;
    return static_cast<size_t>((state >> 33) % n);
}

/* ---------------------------------------------------------------- colours */

/* ColPack reads rows that begin with their length. */
struct Rows {
    std::vector<std::vector<unsigned> > text;
    std::vector<unsigned *> start;
    int rows, columns;
    explicit Rows(const Matrix &m) : text(m.row.size()), rows(static_cast<int>(m.row.size())),
        columns(static_cast<int>(m.columns))
    {
        for (size_t i = 0; i < m.row.size(); i++) {
            text[i].push_back(static_cast<unsigned>(m.row[i].size()));
            text[i].insert(text[i].end(), m.row[i].begin(), m.row[i].end());
            start.push_back(text[i].data());
        }
    }
};

typedef std::vector<int> Colours;
static size_t count(const Colours &colour)
{
    return std::set<int>(colour.begin(), colour.end()).size();
}
/* In the matrix times the seed, entry (i, j) stands alone: no other column of its row has that
   colour. */
static bool alone(const Matrix &m, const Colours &colour, size_t i, size_t j)
{
    return std::count_if(m.row[i].begin(), m.row[i].end(),
        [&](size_t k) { return colour[k] == colour[j]; }) == 1;
}
/* Every entry can be read; with `mirrored`, in its own place or in that of (j, i). */
static bool readable(const Matrix &m, const Colours &colour, bool mirrored)
{
    for (size_t i = 0; i < m.row.size(); i++)
        for (size_t j : m.row[i])
            if (!alone(m, colour, i, j) && !(mirrored && alone(m, colour, j, i))) return false;
    return true;
}

/* ColPack's colours: of a Jacobian's columns, both together, of a Hessian. */
static Colours columns_apart(Rows &r, const std::string &order)
{
    Colours colour;
    ColPack::BipartiteGraphPartialColoringInterface g(SRC_MEM_ADOLC, r.start.data(), r.rows,
        r.columns);
    g.PartialDistanceTwoColoring(order, "COLUMN_PARTIAL_DISTANCE_TWO");
    g.GetRightVertexColors(colour);
    return colour;
}
static size_t bicolours(Rows &r, const std::string &order)
{
    ColPack::BipartiteGraphBicoloringInterface g(SRC_MEM_ADOLC, r.start.data(), r.rows, r.columns);
    g.Bicoloring(order, "IMPLICIT_COVERING__STAR_BICOLORING");
    return static_cast<size_t>(g.GetVertexColorCount());
}
static Colours vertices(Rows &r, const std::string &order, const std::string &how)
{
    Colours colour;
    ColPack::GraphColoringInterface g(SRC_MEM_ADOLC, r.start.data(), r.rows);
    g.Coloring(order, how);
    g.GetVertexColors(colour);
    return colour;
}

static void compare(const std::string &name, const Matrix &m, bool hessian)
{
    static const char *const jacobian_orders[] = { "NATURAL", "LARGEST_FIRST", "SMALLEST_LAST",
        "INCIDENCE_DEGREE" };
    static const char *const hessian_orders[] = { "NATURAL", "LARGEST_FIRST",
        "DYNAMIC_LARGEST_FIRST", "DISTANCE_TWO_LARGEST_FIRST", "SMALLEST_LAST",
        "DISTANCE_TWO_SMALLEST_LAST", "INCIDENCE_DEGREE", "DISTANCE_TWO_INCIDENCE_DEGREE" };
    Matrix turned(m.columns, m.row.size());
    Numbers start(1, 0), column;
    ad_pattern p;
    ad_sparse_desc desc;
    memset(&p, 0, sizeof p);
    memset(&desc, 0, sizeof desc);
    for (size_t i = 0; i < m.row.size(); i++) {
        column.insert(column.end(), m.row[i].begin(), m.row[i].end());
        start.push_back(column.size());
        for (size_t j : m.row[i]) turned.row[j].insert(i);
    }
    p.rows = m.row.size();
    p.columns = m.columns;
    p.row_start = start.data();
    p.column = column.data();
    desc.hessian = hessian;
    ad_sparse *const plan = ad_sparse_create(&p, &desc);
    const ad_sparse_stats ours = ad_sparse_get_stats(plan);
    CHECK_STATUS(ad_sparse_status(plan), AD_OK);
    ad_sparse_destroy(plan);
    size_t by_substitution = 0;
    if (hessian) {
        desc.indirect = 1;
        ad_sparse *const trees = ad_sparse_create(&p, &desc);
        by_substitution = ad_sparse_get_stats(trees).colours;
        CHECK_STATUS(ad_sparse_status(trees), AD_OK);
        ad_sparse_destroy(trees);
    }

    Rows rows(m), columns(turned);
    size_t best = SIZE_MAX, other = SIZE_MAX;
    std::string by;
    const auto take = [&](const Matrix &of, const Colours &colour, const std::string &what) {
        if (count(colour) >= best || !readable(of, colour, hessian)) return;
        best = count(colour);
        by = what;
    };
    if (hessian)
        for (const std::string order : hessian_orders) {
            for (const std::string how : { "STAR", "RESTRICTED_STAR" })
                take(m, vertices(rows, order, how), order + " " + how);
            other = std::min(other, count(vertices(rows, order, "ACYCLIC_FOR_INDIRECT_RECOVERY")));
        }
    else
        for (const std::string order : jacobian_orders) {
            take(m, columns_apart(rows, order), order + " COLUMNS");
            take(turned, columns_apart(columns, order), order + " ROWS");
            other = std::min(other, bicolours(rows, order));
        }
    std::printf("%-8s %-42s %5zu %7zu %5zu %8zu %5zu %6zu  %s%s%s\n", hessian ? "Hessian"
        : "Jacobian", name.c_str(), m.row.size(), column.size(), ours.colours, best,
        by_substitution, other, by.c_str(), ours.colours > best ? "   GREATER" : "",
        hessian && by_substitution > other ? "   GREATER BY SUBSTITUTION" : "");
    compared++;
    more += ours.colours > best;
    more_trees += hessian && by_substitution > other;
    if (hessian)
        test_check(by_substitution <= other + 1 + other / 5, __FILE__, __LINE__,
            "%s: %zu colours by substitution, ColPack %zu", name.c_str(), by_substitution, other);
    test_check(ours.colours <= best + 1 + best / 20, __FILE__, __LINE__,
        "%s, %s: %zu colours, ColPack's %s %zu", name.c_str(), hessian ? "Hessian" : "Jacobian",
        ours.colours, by.c_str(), best);
}

/* A symmetric pattern, both ways; then with its vertices numbered by chance, as a mesh may be. */
static void symmetric(const std::string &name, const Matrix &m)
{
    const size_t n = m.columns;
    Numbers to(n);
    Matrix shuffled(n, n);
    state = 1;
    for (size_t i = 0; i < n; i++) to[i] = i;
    for (size_t i = n; i > 1; i--) std::swap(to[i - 1], to[below(i)]);
    for (size_t i = 0; i < n; i++)
        for (size_t j : m.row[i]) shuffled.both(to[i], to[j]);
    for (int hessian = 0; hessian < 2; hessian++) {
        compare(name, m, hessian != 0);
        compare(name + ", shuffled", shuffled, hessian != 0);
    }
}

/* ---------------------------------------------------------------- patterns */

/* A grid of k[0] x k[1] x k[2] points, each with those at most `reach` steps along an axis away, or
   in a box of that size. */
static Matrix stencil(const Numbers &k, long reach, bool box)
{
    const long n[3] = { static_cast<long>(k[0]), static_cast<long>(k[1]), static_cast<long>(k[2]) };
    Matrix m(k[0] * k[1] * k[2], k[0] * k[1] * k[2]);
    for (long p = 0; p < n[0] * n[1] * n[2]; p++)
        for (long a = -reach; a <= reach; a++)
            for (long b = -reach; b <= reach; b++)
                for (long c = -reach; c <= reach; c++) {
                    const long x = p % n[0] + a, y = p / n[0] % n[1] + b, z = p / n[0] / n[1] + c;
                    if (!box && (a != 0) + (b != 0) + (c != 0) > 1) continue;
                    if (x < 0 || y < 0 || z < 0 || x >= n[0] || y >= n[1] || z >= n[2]) continue;
                    m.row[static_cast<size_t>(p)].insert(
                        static_cast<size_t>((z * n[1] + y) * n[0] + x));
                }
    return m;
}
/* Everything meets the last `hubs`; besides that a band. */
static Matrix arrow(size_t n, size_t hubs, size_t band)
{
    Matrix m(n, n);
    for (size_t i = 0; i < n; i++) {
        for (size_t j = i; j < n && j <= i + band; j++) m.both(i, j);
        for (size_t j = n - hubs; j < n; j++) m.both(i, j);
    }
    return m;
}
/* Dense blocks on the diagonal, and beside it where they are chained. */
static Matrix blocks(size_t count, size_t size, bool chained)
{
    const size_t n = count * size;
    Matrix m(n, n);
    for (size_t i = 0; i < n; i++)
        for (size_t j = i; j < n && j / size <= i / size + chained; j++) m.both(i, j);
    return m;
}
static Matrix random_symmetric(size_t n, size_t each, uint64_t seed)
{
    Matrix m(n, n);
    state = seed;
    for (size_t i = 0; i < n; i++) {
        m.both(i, i);
        for (size_t k = 0; k < each; k++) m.both(i, below(n));
    }
    return m;
}
static Matrix random_rectangle(size_t rows, size_t columns, size_t each, uint64_t seed)
{
    Matrix m(rows, columns);
    state = seed;
    for (size_t i = 0; i < rows; i++)
        for (size_t k = 0; k < each; k++) m.row[i].insert(below(columns));
    return m;
}

/* Of finite elements: every node of an element meets every other. */
static void element(Matrix &m, const Numbers &nodes)
{
    for (size_t i : nodes)
        for (size_t j : nodes) m.both(i, j);
}
/* Squares cut into two triangles, all alike or by chance; quadratic: with nodes on the edges. */
static Matrix triangles(size_t k, bool quadratic, bool by_chance)
{
    const size_t s = quadratic ? 2 : 1, side = s * k + 1;
    Matrix m(side * side, side * side);
    state = 5;
    for (size_t x = 0; x < k; x++)
        for (size_t y = 0; y < k; y++) {
            const size_t at = s * y * side + s * x, corner[4] = { at, at + s, at + s * side + s,
                at + s * side };
            const size_t turn = by_chance ? below(2) : 0;
            for (size_t half = 0; half < 4; half += 2) {
                Numbers nodes;
                for (size_t i = 0; i < 3; i++) {
                    const size_t u = corner[(i + half + turn) % 4];
                    const size_t v = corner[(i + 1 + (i == 2) + half + turn) % 4];
                    nodes.push_back(u);
                    if (quadratic) nodes.push_back((u + v) / 2);
                }
                element(m, nodes);
            }
        }
    return m;
}
/* Cubes cut into six tetrahedra about a diagonal. */
static Matrix tetrahedra(size_t k)
{
    const size_t side = k + 1, step[3] = { 1, side, side * side };
    Matrix m(side * side * side, side * side * side);
    for (size_t x = 0; x < k; x++)
        for (size_t y = 0; y < k; y++)
            for (size_t z = 0; z < k; z++) {
                Numbers axis = { 0, 1, 2 };
                do {
                    Numbers nodes(1, (z * side + y) * side + x);
                    for (size_t a : axis) nodes.push_back(nodes.back() + step[a]);
                    element(m, nodes);
                } while (std::next_permutation(axis.begin(), axis.end()));
            }
    return m;
}
/* So many unknowns at every node. */
static Matrix vectors(const Matrix &m, size_t unknowns)
{
    Matrix v(unknowns * m.row.size(), unknowns * m.columns);
    for (size_t i = 0; i < v.row.size(); i++)
        for (size_t j : m.row[i / unknowns])
            for (size_t k = 0; k < unknowns; k++) v.row[i].insert(unknowns * j + k);
    return v;
}

int main()
{
    std::printf("%-51s %5s %7s %5s %8s %5s %6s  %s\n", "colours", "rows", "entries", "ours",
        "ColPack", "trees", "theirs", "ColPack's order");
    symmetric("1D, 3 points", stencil({ 1000, 1, 1 }, 1, false));
    symmetric("1D, 7 points", stencil({ 1000, 1, 1 }, 3, false));
    symmetric("2D, 5 points", stencil({ 40, 37, 1 }, 1, false));
    symmetric("2D, 9 points", stencil({ 40, 37, 1 }, 1, true));
    symmetric("2D, 9 points in a cross", stencil({ 40, 40, 1 }, 2, false));
    symmetric("3D, 7 points", stencil({ 15, 15, 15 }, 1, false));
    symmetric("3D, 13 points", stencil({ 12, 13, 14 }, 2, false));
    symmetric("3D, 27 points", stencil({ 12, 12, 12 }, 1, true));
    symmetric("arrow", arrow(500, 1, 0));
    symmetric("arrow, 3 heads and a band", arrow(400, 3, 2));
    symmetric("blocks", blocks(60, 5, false));
    symmetric("blocks, chained", blocks(60, 5, true));
    for (size_t each = 1; each < 7; each++)
        for (uint64_t seed = 1; seed < 4; seed++) {
            const std::string word = std::to_string(each) + " a row (" + std::to_string(seed) + ")";
            symmetric("random, symmetric, " + word, random_symmetric(400, each, seed));
            compare("random, tall, " + word, random_rectangle(900, 300, each, seed), false);
            compare("random, wide, " + word, random_rectangle(300, 900, each, seed), false);
        }
    symmetric("triangles", triangles(25, false, false));
    symmetric("triangles, diagonals by chance", triangles(25, false, true));
    symmetric("triangles, quadratic", triangles(14, true, false));
    symmetric("triangles, quadratic, by chance", triangles(14, true, true));
    symmetric("triangles, 2 unknowns a node", vectors(triangles(15, false, true), 2));
    symmetric("tetrahedra", tetrahedra(10));
    symmetric("tetrahedra, 3 unknowns a node", vectors(tetrahedra(5), 3));
    symmetric("bricks, 2 unknowns a node", vectors(stencil({ 7, 7, 7 }, 1, true), 2));
    std::printf("more colours than ColPack: %d of %d; by substitution %d\n", more, compared,
                more_trees);
    CHECK(more <= 1 && more_trees <= 8);
    return test_finish();
}
