/* A page of hand-written derivatives, checked against the functions alone: rotation, camera,
   Gaussian mixture, LSTM. Sixteen mistakes are made in them on purpose, one at a time. Exit code 1
   if one of them is missed or misnamed, or if a right derivative does not pass.

       cc -O2 -std=c99 examples/seeded_bugs.c -o seeded_bugs -lm && ./seeded_bugs                */
#define AUTODIFF_CHECK
#define AUTODIFF_STATIC double
#include "../autodiff.h"

#include <stdio.h>
#include "seeded_models.h"

enum model { ROTATION, SLIGHT, REST, CAMERA, CAMERA_VJP, MIXTURE, LSTM };

/* Of a mistake the table says what must be found: the verdict; the hint, unless that is NONE; the
   name of the worst component, or how it begins, unless that is NULL. */
static const struct example {
    enum model      model;
    enum seeded_bug bug;
    const char     *name, *seeded;
    ad_verdict      verdict;
    ad_hint         hint;
    const char     *component;
    int             in_full;                   /* print the whole report, not one line of it */
} examples[] = {
#define RIGHT BUG_NONE
#define PASSES NULL, AD_VERDICT_CORRECT, AD_HINT_NONE, NULL, 0
    { ROTATION,   RIGHT, "rotation by 76 degrees",  PASSES },
    { SLIGHT,     RIGHT, "rotation by 1.6 degrees", PASSES },
    { REST,       RIGHT, "rotation by 0 degrees",   PASSES },
    { CAMERA,     RIGHT, "camera, Jacobian",        PASSES },
    { CAMERA_VJP, RIGHT, "camera, backwards",       PASSES },
    { MIXTURE,    RIGHT, "mixture",                 PASSES },
    { LSTM,       RIGHT, "LSTM",                    PASSES },

    { ROTATION, BUG_SINE_SIGN, "rotation", "d cos(t) taken for +sin(t)",
      AD_VERDICT_WRONG, AD_HINT_NONE, "axis", 0 },
    { ROTATION, BUG_TRANSPOSED, "rotation", "rows and columns of the Jacobian exchanged",
      AD_VERDICT_WRONG, AD_HINT_TRANSPOSED, "axis", 0 },
    { ROTATION, BUG_PI, "rotation", "3.1416 for pi, in degrees to radians",
      AD_VERDICT_INACCURATE, AD_HINT_NONE, "axis", 0 },
    { REST, BUG_ZERO_BY_ZERO, "rotation", "no series near angle 0: 0/0 there",
      AD_VERDICT_G_NONFINITE, AD_HINT_NONE, "axis", 0 },
    { CAMERA, BUG_DISTORTION, "camera", "the distortion's own derivative left out",
      AD_VERDICT_WRONG, AD_HINT_NONE, "point", 1 },
    { CAMERA, BUG_SWAPPED, "camera", "the columns of k1 and k2 exchanged",
      AD_VERDICT_WRONG, AD_HINT_SWAPPED, "camera.k", 0 },
    { CAMERA_VJP, BUG_DEPTH_SIGN, "camera", "(1/Z)' = +1/Z^2",
      AD_VERDICT_WRONG, AD_HINT_SIGN, "point.Z", 0 },
    { CAMERA, BUG_PAST_END, "camera", "rows one too long: a word behind the Jacobian is written",
      AD_VERDICT_OUT_OF_BOUNDS, AD_HINT_NONE, NULL, 0 },
    { CAMERA, BUG_IN_PLACE, "camera", "the point is divided by Z in place",
      AD_VERDICT_X_MODIFIED, AD_HINT_NONE, NULL, 0 },
    { MIXTURE, BUG_CHAIN_RULE, "mixture", "slope in sigma where it is due in log sigma",
      AD_VERDICT_WRONG, AD_HINT_NONE, "log_sigma", 0 },
    { MIXTURE, BUG_SHIFTED, "mixture", "the means' gradient is read one place too far",
      AD_VERDICT_WRONG, AD_HINT_SHIFTED, "mean", 1 },
    { MIXTURE, BUG_UNWRITTEN, "mixture", "the first logit's component is never written",
      AD_VERDICT_UNWRITTEN, AD_HINT_NONE, "logit[0]", 0 },
    { MIXTURE, BUG_STALE, "mixture", "responsibilities left over from the last call of f",
      AD_VERDICT_STALE_STATE, AD_HINT_NONE, NULL, 0 },
    { LSTM, BUG_GATE, "LSTM", "the forget gate's sigmoid' = 1 - s, not s (1 - s)",
      AD_VERDICT_WRONG, AD_HINT_NONE, "W_forget", 1 },
    { LSTM, BUG_FACTOR, "LSTM", "the 2 of the squared error forgotten",
      AD_VERDICT_WRONG, AD_HINT_FACTOR, "W_", 0 },
    { LSTM, BUG_ACCUMULATES, "LSTM", "+= into a gradient that nobody has zeroed",
      AD_VERDICT_ACCUMULATES, AD_HINT_NONE, NULL, 0 }
};
enum { EXAMPLES = sizeof examples / sizeof examples[0] };

static const char *const axis_names[] = { "axis.x", "axis.y", "axis.z" };
static const char *const camera_names[] = {
    "camera.f", "camera.k1", "camera.k2", "point.X", "point.Y", "point.Z"
};
static const ad_check_block mixture_blocks[] = {
    { "logit", 0, 2 }, { "mean", 2, 4 }, { "log_sigma", 6, 4 }
};
static const ad_check_block lstm_blocks[] = {
    { "W_in", 0, 8 }, { "W_forget", 8, 8 }, { "W_cell", 16, 8 }, { "W_out", 24, 8 }
};
static const double rotations[][3] = { { 25, -40, 60 }, { 0.6, -1.1, 1 }, { 0, 0, 0 } };
static const double camera_x[6] = { 800, -0.28, 0.07, 0.9, -0.7, 1.6 };
static const double mixture_x[10] = { 0.3, -0.2, -1, 0.5, 1.2, 1.5, -0.4, -0.7, 0.1, 0.25 };

static ad_verdict check(const struct example *e, ad_check_result *r)
{
    ad_check_options options;
    double W[LSTM_WEIGHTS];
    seeded user;
    size_t i;
    memset(&options, 0, sizeof options);
    memset(&user, 0, sizeof user);
    user.bug = e->bug;
    options.label = e->name;
    switch (e->model) {
    case ROTATION:
    case SLIGHT:
    case REST:
        options.names = axis_names;
        return ad_check_jacobian(rotation, rotation_jacobian, rotations[e->model], 3, 3, &user,
                                 &options, r);
    case CAMERA:
        options.names = camera_names;
        return ad_check_jacobian(camera, camera_jacobian, camera_x, 6, 2, &user, &options, r);
    case CAMERA_VJP:
        options.names = camera_names;
        return ad_check_vjp(camera, camera_vjp, camera_x, 6, 2, &user, &options, r);
    case MIXTURE:
        options.blocks = mixture_blocks;
        options.n_blocks = 3;
        return ad_check_gradient(mixture, mixture_gradient, mixture_x, 10, &user, &options, r);
    default:
        for (i = 0; i < LSTM_WEIGHTS; i++) W[i] = sin(1.7 * (double)i + 0.4);
        options.blocks = lstm_blocks;
        options.n_blocks = 4;
        return ad_check_fgradient(lstm, W, LSTM_WEIGHTS, &user, &options, r);
    }
}

static int to_stdout(void *user, const char *text, size_t length)
{
    (void)user;
    return fwrite(text, 1, length, stdout) != length;
}

/* Is the result what the table says? Prints what is not. */
static int as_expected(const struct example *e, const ad_check_result *r)
{
    const char *const worst = r->n_findings ? r->findings[0].name : "";
    const ad_hint hint = r->hint || !r->n_findings ? r->hint : r->findings[0].hint;
    if (r->verdict != e->verdict)
        printf("BUT     expected is %s\n", ad_verdict_name(e->verdict));
    else if (e->hint && hint != e->hint)
        printf("BUT     expected is \"%s\", not \"%s\"\n",
               ad_hint_name(e->hint), ad_hint_name(hint));
    else if (e->component && strncmp(worst, e->component, strlen(e->component)) != 0)
        printf("BUT     expected is %s, not \"%s\"\n", e->component, worst);
    else
        return 1;
    return 0;
}

int main(void)
{
    int seeds = 0, named = 0, right = 0, passed = 0, i;
    puts("Derivatives written by hand against differences of the function: no tape.\n");
    for (i = 0; i < EXAMPLES; i++) {
        const struct example *const e = &examples[i];
        ad_check_result r;
        int good;
        check(e, &r);
        if (e->bug == BUG_NONE) {
            printf("right   %-24s %s\n", e->name, r.message);
        } else {
            printf("\nseeded  %s: %s\nfound   ", e->name, e->seeded);
            if (e->in_full) ad_check_print(&r, to_stdout, NULL);
            else puts(r.message);
        }
        good = as_expected(e, &r);
        if (e->bug == BUG_NONE) right++, passed += good;
        else seeds++, named += good;
    }
    printf("\n%d seeded mistakes, %d named; %d right derivatives, %d passed\n",
           seeds, named, right, passed);
    return named < seeds || passed < right;
}
