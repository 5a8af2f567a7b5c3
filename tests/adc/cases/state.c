/* adc: 2 -> 3 in [0.5, 1.5] C++ warns 1: memory that outlives the call and is written by it */
static double last[2];
static struct { double sum; int calls; } log_of_calls;

static double accumulate(double v, int fresh)
{
    static double all;
    static int count = 0;
    if (fresh) all = 0;
    all += v*v;
    count++;
    return all;
}
static void note(double v)
{
    log_of_calls.sum = log_of_calls.calls++ ? log_of_calls.sum + v : v;
}

void state(const double *x, double *y);

void state(const double *x, double *y)
{
    int i;
    last[0] = x[0];
    last[1] = last[0]*x[1];
    y[0] = last[1];
    accumulate(x[0], 1);
    y[1] = accumulate(x[1], 0);
    log_of_calls.calls = 0;
    for (i = 0; i < 3; i++) note(x[i & 1]);
    y[2] = log_of_calls.sum*log_of_calls.calls;
}
