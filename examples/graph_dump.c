/* Dumps the graph of a small two-layer network, with names, values and adjoints.
       cc -std=c99 examples/graph_dump.c -o graph_dump -lm
       ./graph_dump json | python3 tools/graph_render.py - -o graph.html
       ./graph_dump dot  | dot -Tsvg > graph.svg
       ./graph_dump text
   The gradient is checked against back-propagation written by hand; the verdict goes to stderr. */
#define AUTODIFF_GRAPH
#define AUTODIFF_STATIC double
#include "../autodiff.h"
#include <stdio.h>
#include <string.h>

enum { IN = 2, HIDDEN = 3 };

static int to_file(void *file, const char *text, size_t length)
{
    return fwrite(text, 1, length, (FILE *)file) != length;
}

static ad_var named(ad_var x, const char *name, int i)
{
    char text[32];
    snprintf(text, sizeof text, "%s[%d]", name, i);
    return ad_name(x, text);
}

int main(int argc, char **argv)
{
    static const double x0[IN] = { 0.8, -0.4 }, target = 0.25;
    static const double w0[HIDDEN][IN] = { { 0.5, -1.2 }, { -0.3, 0.7 }, { 1.1, 0.2 } };
    static const double b0[HIDDEN] = { 0.1, -0.2, 0.05 }, v0[HIDDEN] = { 0.9, -0.6, 0.4 };
    const char *form = argc > 1 ? argv[1] : "text";
    const ad_graph_format format = strcmp(form, "json") == 0 ? AD_GRAPH_JSON
                                 : strcmp(form, "dot") == 0 ? AD_GRAPH_DOT : AD_GRAPH_TEXT;
    ad_tape *t = ad_tape_create(NULL);
    ad_var x[IN], w[HIDDEN][IN], b[HIDDEN], v[HIDDEN], hidden[HIDDEN], y, loss;
    ad_graph_desc desc;
    double worst = 0, error, y_bar;
    int i, j;

    for (j = 0; j < IN; j++) x[j] = named(ad_input(t, x0[j]), "x", j);
    for (i = 0; i < HIDDEN; i++) {
        ad_var sum = b[i] = named(ad_input(t, b0[i]), "bias", i);
        for (j = 0; j < IN; j++) {
            w[i][j] = named(ad_input(t, w0[i][j]), "weight", i * IN + j);
            sum = ad_var_add(sum, ad_var_mul(w[i][j], x[j]));
        }
        hidden[i] = named(ad_var_tanh(sum), "hidden", i);
        v[i] = named(ad_input(t, v0[i]), "readout", i);
    }
    y = ad_name(ad_var_dot(HIDDEN, v, hidden), "prediction");
    loss = ad_name(ad_var_mul_r(ad_var_square(ad_var_sub_r(y, target)), 0.5), "loss");
    if (ad_backward(loss) != AD_OK) {
        fprintf(stderr, "%s\n", t ? ad_tape_message(t) : "no memory for a tape");
        return 1;
    }

    y_bar = y.v - target;                                   /* d loss / d prediction */
    for (i = 0; i < HIDDEN; i++) {
        const double h = hidden[i].v, sum_bar = y_bar * v0[i] * (1 - h * h);
        worst = fmax(worst, fabs(ad_adjoint(v[i]) - y_bar * h));
        worst = fmax(worst, fabs(ad_adjoint(b[i]) - sum_bar));
        for (j = 0; j < IN; j++) worst = fmax(worst, fabs(ad_adjoint(w[i][j]) - sum_bar * x0[j]));
    }
    for (j = 0; j < IN; j++) {
        for (i = 0, error = ad_adjoint(x[j]); i < HIDDEN; i++) error -= ad_adjoint(b[i]) * w0[i][j];
        worst = fmax(worst, fabs(error));
    }

    memset(&desc, 0, sizeof desc);
    desc.n_outputs = 1;
    desc.outputs = &loss;
    desc.title = "a two-layer network";
    if (ad_graph_dump(t, format, &desc, to_file, stdout) != AD_OK) worst = HUGE_VAL;
    ad_tape_destroy(t);
    fprintf(stderr, "gradient: largest error %.1e: %s\n", worst, worst < 1e-14 ? "right" : "WRONG");
    return !(worst < 1e-14);
}
