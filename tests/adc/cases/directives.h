static inline double inner(double a);
static inline double outer(double a) { return inner(a)*a; }
static inline double inner(double a) { return a*a; }
