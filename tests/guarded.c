/* Emitted gradients of the functions of guarded.h, each recorded at two points: prints a C program
   that evaluates them at all points and compares with the tape, recorded there.
       guarded FORM      of ad_emit_form: 0, 1, 2 */
#include <stdio.h>
#include <stdlib.h>
#include "../autodiff.h"
#include "guarded.h"

#define G_VAR(op) ad_var_##op
GUARDED_FUNCTION(guarded_var, ad_var, G_VAR, ad_const)

static int put(void *user, const char *text, size_t length)
{
    return fwrite(text, 1, length, (FILE *)user) != length;
}
static void number(double v)
{
    if (v != v) printf("NAN, ");
    else if (v - v != 0) printf("%sINFINITY, ", v < 0 ? "-" : "");
    else printf("%.17g, ", v);
}

int main(int argc, char **argv)
{
    static const int recorded[2] = { 0, 7 };
    ad_tape *const t = ad_tape_create(NULL);
    int which, r, p;
    for (which = 0; which < GUARDED; which++)
        for (r = 0; r < 2; r++) {
            ad_fn *f, *g;
            ad_emit_desc d;
            ad_var x, y;
            char name[40];
            memset(&d, 0, sizeof d);
            sprintf(name, "g_%d_%d", which, r);
            d.name = name;
            d.form = (ad_emit_form)(argc > 1 ? atoi(argv[1]) : 0);
            ad_tape_reset(t);
            x = ad_input(t, guarded_point[recorded[r]]);
            y = guarded_var(which, x);
            f = ad_fn_create(t, 1, &x, 1, &y, NULL);
            g = ad_fn_gradient(f);
            if (ad_fn_emit(g, &d, put, stdout) != AD_OK) {
                fprintf(stderr, "%s: %s\n", guarded_name[which], ad_fn_message(g));
                return 2;
            }
            ad_fn_destroy(g);
            ad_fn_destroy(f);
        }
    printf("#include <stdio.h>\nstatic const double point[] = { ");
    for (p = 0; p < GUARDED_POINTS; p++) number(guarded_point[p]);
    printf("};\nstatic const struct { const char *name; void (*f[2])(const double *, double *); "
        "double want[2][%d]; } all[] = {\n", (int)GUARDED_POINTS);
    for (which = 0; which < GUARDED; which++) {
        double want[2][GUARDED_POINTS];
        for (p = 0; p < GUARDED_POINTS; p++) {
            ad_var x, y;
            ad_tape_reset(t);
            x = ad_input(t, guarded_point[p]);
            y = guarded_var(which, x);
            ad_backward(y);
            want[0][p] = y.v;
            want[1][p] = ad_adjoint(x);
        }
        printf("    { \"%s\", { g_%d_0, g_%d_1 }, { { ", guarded_name[which], which, which);
        for (p = 0; p < GUARDED_POINTS; p++) number(want[0][p]);
        printf("}, { ");
        for (p = 0; p < GUARDED_POINTS; p++) number(want[1][p]);
        printf("} } },\n");
    }
    printf("};\nint main(void)\n{\n    int k, r, p, i, bad = 0;\n"
        "    for (k = 0; k < %d; k++)\n        for (r = 0; r < 2; r++)\n"
        "            for (p = 0; p < %d; p++) {\n                double y[2];\n"
        "                all[k].f[r](point + p, y);\n"
        "                for (i = 0; i < 2; i++) {\n"
        "                    const double w = all[k].want[i][p];\n"
        "                    if (w != w || y[i] == w || fabs(y[i] - w) <= 1e-9*fmax(1, fabs(w)))\n"
        "                        continue;\n"
        "                    if (bad++ < 12) printf(\"%%s, %%s at %%g: %%g, not %%g\\n\", "
        "all[k].name, i ? \"gradient\" : \"value\", point[p], y[i], w);\n"
        "                }\n            }\n"
        "    printf(\"%%d wrong\\n\", bad);\n    return bad != 0;\n}\n",
        (int)GUARDED, (int)GUARDED_POINTS);
    ad_tape_destroy(t);
    return 0;
}
