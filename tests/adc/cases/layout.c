/* adc: 2 -> 5 in [0.5, 2]: calls, comments, strings that go on in another line; #line */
#define MOST(a, b) ((a) > (b) ? (a) : (b))
#define SUM3(a, b, c) ((a) + (b) + (c))
#define LIMIT 1.0
#define NEXT(v) \
    (v) * \
    2.0
static double twice(double a) { return 2*a; } /* it is
    used */ static double thrice(double a) { return 3*a; } /* and
    this, too */
/* Its name
   ends here: */ static double energy(double m, double h)
{
    return SUM3(
        m*LIMIT,
        0.5*m*h*h,
        LIMIT
    );
}
#line 100 "model.y"
void layout(const double *x, double *y);
#line 3 "model.c"
void layout(const double *x, double *y)
{
    y[0] = MOST(
        x[0],
        LIMIT
    );
#ifdef NEVER
    y[0] = 0;
#else
    y[0] *= 2;
#endif
    y[1] = energy(x[0], NEXT(x[1])) + MOST(
        SUM3(x[0], x[1], LIMIT),
        LIMIT
    ); y[2] =
    twice(x[0])*x[1]; /* second
        */ y[2] += x[1];
    y[3] = thrice(x[0])*"\1\
\2"[1];
#ifndef NEVER
    y[3] *= x[1];
#endif
    y[4] = x[0]*x[1];
} /* the
end */ extern int after_the_end;
