/* adc: 2 -> 10 in [0.5, 2]: no blank where C needs none, numbers as conditions, commas, comments */
#include <math.h>

static double sum(double a,double b){return(a+b)*b;}
static double none(double a){if(a>100)return(0.0);return(double)a;}
static double less(double a,double b){return-a*b;}
static double plus(double a){return+a;}
static double place(const double*p){return*p*2;}
static double up(double a,int n){if(n)a=2;else++a;do++a;while(a<0);return a;}
static double side(double*p){return*p+=1,0.0;}
static double both(double*p){return*p+=1,*p;}
static double count(double a)
{
    double d, s = 0;
    int n = 0;
    for (d = floor(4*a); d; d -= 1.0) s += d*a;
    for (d = floor(3*a); d--;) n++;
    for (d = 2, n++; d -= 1, d; ) s += a;
    return s*n;
}

void tight(const double *x, double *y);

void tight(const double *x, double *y)
{
    const /* of x */ double a = x[0];
    static /* none */ const /* (at all) */ double /* in */ k = 3;
    double t, *const p = &(double){ x[1] };
    y[0] = sum(x[0], x[1]) + none(x[1]) + plus(x[0]);
    y[1] = less(x[0], x[1])*place(x);
    y[2] = up(x[0], 0)*up(x[1], 1);
    t = x[0];
    y[3] = side(&t);
    y[3] += t*t;
    y[4] = both(&t)*x[1];
    y[5] = count(x[0]);
    if (t = x[1], t) y[6] = t*2;
    else y[6] = 1;
    *p *= a;
    y[7] = *p + (double){ x[0] }*k;
    y[8] = (double)/* of () */x[0]*2 + (double) /* ) */ (a*k) + a*(float)/* ( */2.5f;
    y[9] = x[0] > 0 ? t = a, t*2 : 0;
}
