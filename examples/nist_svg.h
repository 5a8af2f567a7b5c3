/* A picture of one fit as SVG: the data, the model at the start values and the fitted model. It
   brings its own light card, so it reads the same on a white and on a dark page. */
#ifndef NIST_SVG_H
#define NIST_SVG_H

#include <math.h>
#include <stdio.h>
#include "nist_data.h"
#include "nist_models.h"

enum {
    SVG_WIDTH = 880, SVG_HEIGHT = 520,
    SVG_LEFT = 76, SVG_RIGHT = 852, SVG_TOP = 92, SVG_BOTTOM = 460,      /* the frame */
    SVG_MARGIN = 20                       /* a twentieth of the data's range on either side */
};

typedef struct svg_axis {
    double low, high;             /* what is shown, */
    double at_low, at_high;       /* and where on the canvas */
} svg_axis;

static double svg_place(svg_axis a, double value)
{
    return a.at_low + (value - a.low) / (a.high - a.low) * (a.at_high - a.at_low);
}

/* An axis over the values value[0], value[stride], ... and the margin. */
static svg_axis svg_span(const double *value, size_t count, size_t stride,
                         double at_low, double at_high)
{
    svg_axis a;
    double margin;
    size_t i;
    a.low = a.high = value[0];
    a.at_low = at_low;
    a.at_high = at_high;
    for (i = 1; i < count; i++) {
        a.low = fmin(a.low, value[i * stride]);
        a.high = fmax(a.high, value[i * stride]);
    }
    margin = (a.high > a.low ? a.high - a.low : 1) / SVG_MARGIN;
    a.low -= margin;
    a.high += margin;
    return a;
}

/* Five to ten ticks at 1, 2 or 5 times a power of ten. */
static double svg_tick(svg_axis a)
{
    const double rough = (a.high - a.low) / 10, power = pow(10, floor(log10(rough)));
    const double digit = rough / power;
    return power * (digit <= 1 ? 1 : digit <= 2 ? 2 : digit <= 5 ? 5 : 10);
}

static void svg_grid(FILE *file, svg_axis x, svg_axis y)
{
    const double dx = svg_tick(x), dy = svg_tick(y);
    double k;
    for (k = ceil(x.low / dx); k * dx <= x.high; k++) {
        const double value = k * dx + 0.0, at = svg_place(x, value);       /* -0 + 0 is 0 */
        fprintf(file, "<path class=\"grid\" d=\"M%.1f %dV%d\"/>"
                      "<text x=\"%.1f\" y=\"%d\" text-anchor=\"middle\">%.6g</text>\n",
                at, SVG_TOP, SVG_BOTTOM, at, SVG_BOTTOM + 19, value);
    }
    for (k = ceil(y.low / dy); k * dy <= y.high; k++) {
        const double value = k * dy + 0.0, at = svg_place(y, value);
        fprintf(file, "<path class=\"grid\" d=\"M%d %.1fH%d\"/>"
                      "<text x=\"%d\" y=\"%.1f\" text-anchor=\"end\">%.6g</text>\n",
                SVG_LEFT, at, SVG_RIGHT, SVG_LEFT - 9, at + 4.5, value);
    }
    fprintf(file, "<rect class=\"frame\" x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\"/>\n",
            SVG_LEFT, SVG_TOP, SVG_RIGHT - SVG_LEFT, SVG_BOTTOM - SVG_TOP);
    fprintf(file, "<text class=\"name\" x=\"%d\" y=\"%d\">x</text>\n"
                  "<text class=\"name\" x=\"22\" y=\"%d\">y</text>\n",
            (SVG_LEFT + SVG_RIGHT) / 2, SVG_BOTTOM + 42, (SVG_TOP + SVG_BOTTOM) / 2);
}

/* The model with parameters b. On constants a model is an ordinary function. Where it is far off
   or not finite the line is interrupted. */
static void svg_curve(FILE *file, const char *style, svg_axis x, svg_axis y,
                      nist_model f, const double *b, size_t n)
{
    const double margin = (x.high - x.low) / (SVG_MARGIN + 2);
    ad_var at[NIST_MAX_B];
    int i, drawing = 0;
    size_t j;
    for (j = 0; j < n; j++) at[j] = ad_const(b[j]);
    fprintf(file, "<path class=\"%s\" clip-path=\"url(#plot)\" d=\"", style);
    for (i = 0; i <= 400; i++) {
        const double here = x.low + margin + (x.high - x.low - 2 * margin) * i / 400;
        const double there = svg_place(y, ad_var_value(f(at, &here)));
        const int shown = there > -1e4 && there < 1e4;
        if (shown) fprintf(file, "%c%.1f %.1f", drawing ? 'L' : 'M', svg_place(x, here), there);
        if (i % 10 == 0) fputc('\n', file);
        drawing = shown;
    }
    fprintf(file, "\"/>\n");
}

static void svg_head(FILE *file, const nist_data *d, const char *title)
{
    const double fit = (SVG_RIGHT - SVG_LEFT) / (0.61 * (double)strlen(d->formula));
    fprintf(file,
        "<svg xmlns=\"http://www.w3.org/2000/svg\" role=\"img\" viewBox=\"0 0 %d %d\" "
        "width=\"%d\" height=\"%d\">\n"
        "<title>%s</title>\n<style>\n"
        "text { font: 13px system-ui, 'DejaVu Sans', sans-serif; fill: #4a5361 }\n"
        ".title { font-size: 19px; font-weight: 600; fill: #1d232c }\n"
        ".formula { font: %.1fpx ui-monospace, 'DejaVu Sans Mono', monospace }\n"
        ".name { font-style: italic; font-size: 15px; text-anchor: middle }\n"
        ".card { fill: #fcfcfa; stroke: #c8cdd5 }\n.grid { stroke: #e4e7ec }\n"
        ".frame { fill: none; stroke: #8b94a2 }\n"
        ".point { fill: #2b6cb0; fill-opacity: .55 }\n"
        ".fit { fill: none; stroke: #d1495b; stroke-width: 2.4; stroke-linejoin: round }\n"
        ".start { fill: none; stroke: #7d8794; stroke-width: 1.6; stroke-dasharray: 7 5 }\n"
        "</style>\n"
        "<clipPath id=\"plot\">"
        "<rect x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\"/></clipPath>\n"
        "<rect class=\"card\" x=\".5\" y=\".5\" width=\"%d\" height=\"%d\" rx=\"10\"/>\n"
        "<text class=\"title\" x=\"%d\" y=\"38\">%s</text>\n"
        "<text class=\"formula\" x=\"%d\" y=\"66\">%s</text>\n",
        SVG_WIDTH, SVG_HEIGHT, SVG_WIDTH, SVG_HEIGHT, title, fmin(14, fit), SVG_LEFT, SVG_TOP,
        SVG_RIGHT - SVG_LEFT, SVG_BOTTOM - SVG_TOP, SVG_WIDTH - 1, SVG_HEIGHT - 1,
        SVG_LEFT, title, SVG_LEFT, d->formula);
}

/* What the three drawings are, at the right below the plot. */
static void svg_legend(FILE *file, int start)
{
    const int y = SVG_BOTTOM + 38;
    fprintf(file, "<circle class=\"point\" cx=\"%d\" cy=\"%d\" r=\"3.6\"/>"
                  "<text x=\"%d\" y=\"%d\">data</text>\n",
            SVG_RIGHT - 216, y, SVG_RIGHT - 206, y + 4);
    fprintf(file, "<path class=\"fit\" d=\"M%d %dh28\"/><text x=\"%d\" y=\"%d\">fit</text>\n",
            SVG_RIGHT - 158, y, SVG_RIGHT - 124, y + 4);
    fprintf(file, "<path class=\"start\" d=\"M%d %dh36\"/>"
                  "<text x=\"%d\" y=\"%d\">start %d</text>\n",
            SVG_RIGHT - 86, y, SVG_RIGHT - 44, y + 4, start);
}

/* 1, or 0 with one line on stderr. */
static int nist_svg(const char *path, const char *title, const nist_data *d, nist_model f,
                    const double *fitted, int start)
{
    const svg_axis x = svg_span(d->x[0], d->m, NIST_MAX_X, SVG_LEFT, SVG_RIGHT);
    const svg_axis y = svg_span(d->y, d->m, 1, SVG_BOTTOM, SVG_TOP);
    FILE *file;
    size_t i;
    int failed;
    if (d->predictors != 1) {
        fprintf(stderr, "nist_fit: no picture of %s, it has two predictors\n", d->name);
        return 0;
    }
    file = fopen(path, "w");
    if (!file) {
        fprintf(stderr, "nist_fit: cannot write %s\n", path);
        return 0;
    }
    svg_head(file, d, title);
    svg_grid(file, x, y);
    svg_curve(file, "start", x, y, f, d->start[start - 1], d->n);
    for (i = 0; i < d->m; i++)
        fprintf(file, "<circle class=\"point\" cx=\"%.1f\" cy=\"%.1f\" r=\"3.6\"/>\n",
                svg_place(x, d->x[i][0]), svg_place(y, d->y[i]));
    svg_curve(file, "fit", x, y, f, fitted, d->n);
    svg_legend(file, start);
    fprintf(file, "</svg>\n");
    failed = ferror(file);
    if (fclose(file) != 0 || failed) {
        fprintf(stderr, "nist_fit: cannot write all of %s\n", path);
        return 0;
    }
    return 1;
}

#endif
