/* A header of the file's own: what becomes active there gets a second form. */
typedef double (*objective)(double, void *);
typedef double real;
typedef struct vec_s { double x, y, z; } vec;
typedef struct mat { double a[2][2]; } mat;
struct item;
typedef struct item item;
struct item { double value; item *next; };
typedef struct { vec p; vec q[2]; int n; } pair;
struct solver { objective f; void *user; int steps; };
static const vec origin = { 0, 0, 1 };
static double cache[4] __attribute__((unused));
static double store[2] = { 1, 2 };
static double *const kept = store;
static inline double shaped(double a) { return fdim(2*a, 1) + ldexp(a, 2); }
extern double gain;
extern double shared[3];
extern real norm_of(const double *w, int n);
double half(double);
