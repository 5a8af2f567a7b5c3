/* Plots of lines, points and bands as SVG. A plot brings its own light card, so it reads the same
   on a white and on a dark page. */
#ifndef PLOT_H
#define PLOT_H

#include <math.h>
#include <stdio.h>
#include <string.h>

typedef enum plot_kind { PLOT_LINE, PLOT_POINTS, PLOT_BAND } plot_kind;

/* n points (x, y); a band lies between y and upper. Later series are drawn over earlier ones. */
typedef struct plot_series {
    const char   *name;
    plot_kind     kind;
    size_t        n;
    const double *x, *y, *upper;
} plot_series;

static plot_series plot_make(const char *name, plot_kind kind, size_t n, const double *x,
                             const double *y, const double *upper)
{
    plot_series s;
    s.name = name;
    s.kind = kind;
    s.n = n;
    s.x = x;
    s.y = y;
    s.upper = upper;
    return s;
}

enum {
    PLOT_WIDTH = 880, PLOT_HEIGHT = 460,
    PLOT_LEFT = 72, PLOT_RIGHT = 856, PLOT_TOP = 84, PLOT_BOTTOM = 404          /* the frame */
};

/* value v stands at at + scale v */
typedef struct plot_axis { double low, high, at, scale; } plot_axis;

static void plot_include(plot_axis *a, size_t n, const double *v)
{
    size_t i;
    for (i = 0; v && i < n; i++) {
        a->low = fmin(a->low, v[i]);
        a->high = fmax(a->high, v[i]);
    }
}

static void plot_place(plot_axis *a, double margin, double from, double to)
{
    const double more = (a->high > a->low ? a->high - a->low : 1) * margin;
    a->low -= more;
    a->high += more;
    a->scale = (to - from) / (a->high - a->low);
    a->at = from - a->scale * a->low;
}

/* Five to ten ticks at 1, 2 or 5 times a power of ten. */
static void plot_ticks(FILE *file, plot_axis a, int vertical)
{
    const double rough = (a.high - a.low) / 10, power = pow(10, floor(log10(rough)));
    const double digit = rough / power, d = power * (digit <= 1 ? 1 : digit <= 2 ? 2 :
                                                     digit <= 5 ? 5 : 10);
    double k;
    for (k = ceil(a.low / d); k * d <= a.high; k++) {
        const double at = a.at + a.scale * k * d, value = k * d + 0.0;       /* -0 + 0 is 0 */
        if (vertical)
            fprintf(file, "<path class=\"grid\" d=\"M%d %.1fH%d\"/><text x=\"%d\" y=\"%.1f\" "
                          "text-anchor=\"end\">%.6g</text>\n",
                    PLOT_LEFT, at, PLOT_RIGHT, PLOT_LEFT - 8, at + 4.5, value);
        else
            fprintf(file, "<path class=\"grid\" d=\"M%.1f %dV%d\"/><text x=\"%.1f\" y=\"%d\" "
                          "text-anchor=\"middle\">%.6g</text>\n",
                    at, PLOT_TOP, PLOT_BOTTOM, at, PLOT_BOTTOM + 19, value);
    }
}

static void plot_draw(FILE *file, const plot_series *s, plot_axis x, plot_axis y, const char *c)
{
    size_t i;
    if (s->kind == PLOT_POINTS) {
        for (i = 0; i < s->n; i++)
            fprintf(file, "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"2.2\" fill=\"%s\"/>\n",
                    x.at + x.scale * s->x[i], y.at + y.scale * s->y[i], c);
        return;
    }
    fprintf(file, s->kind == PLOT_BAND ? "<path fill=\"%s\" fill-opacity=\".25\" d=\"" :
                  "<path fill=\"none\" stroke=\"%s\" stroke-width=\"1.8\" d=\"", c);
    for (i = 0; i < s->n; i++)
        fprintf(file, "%c%.1f %.1f%s", i ? 'L' : 'M', x.at + x.scale * s->x[i],
                y.at + y.scale * s->y[i], i % 8 == 7 ? "\n" : "");
    for (i = s->n; s->kind == PLOT_BAND && i-- > 0; )
        fprintf(file, "L%.1f %.1f%s", x.at + x.scale * s->x[i], y.at + y.scale * s->upper[i],
                i % 8 == 7 ? "\n" : "");
    fprintf(file, "\"/>\n");
}

/* 1, or 0 with one line on stderr. */
static int plot_svg(const char *path, const char *title, const char *x_name, const char *y_name,
                    size_t k, const plot_series *s)
{
    static const char *const colour[] = { "#2b6cb0", "#d1495b", "#2f855a", "#b7791f" };
    plot_axis x = { HUGE_VAL, -HUGE_VAL, 0, 0 }, y = { HUGE_VAL, -HUGE_VAL, 0, 0 };
    FILE *const file = fopen(path, "w");
    int at = PLOT_LEFT, failed;
    size_t i;
    if (!file) return fprintf(stderr, "cannot write %s\n", path), 0;
    for (i = 0; i < k; i++) {
        plot_include(&x, s[i].n, s[i].x);
        plot_include(&y, s[i].n, s[i].y);
        plot_include(&y, s[i].n, s[i].upper);
    }
    plot_place(&x, 0.01, PLOT_LEFT, PLOT_RIGHT);
    plot_place(&y, 0.05, PLOT_BOTTOM, PLOT_TOP);
    fprintf(file,
        "<svg xmlns=\"http://www.w3.org/2000/svg\" role=\"img\" viewBox=\"0 0 %d %d\" "
        "width=\"%d\" height=\"%d\">\n<title>%s</title>\n<style>\n"
        "text { font: 13px system-ui, 'DejaVu Sans', sans-serif; fill: #4a5361 }\n"
        ".title { font-size: 18px; font-weight: 600; fill: #1d232c }\n"
        ".grid { stroke: #e4e7ec }\n</style>\n"
        "<rect x=\".5\" y=\".5\" width=\"%d\" height=\"%d\" rx=\"10\" fill=\"#fcfcfa\" "
        "stroke=\"#c8cdd5\"/>\n<text class=\"title\" x=\"%d\" y=\"36\">%s</text>\n",
        PLOT_WIDTH, PLOT_HEIGHT, PLOT_WIDTH, PLOT_HEIGHT, title, PLOT_WIDTH - 1, PLOT_HEIGHT - 1,
        PLOT_LEFT, title);
    plot_ticks(file, x, 0);
    plot_ticks(file, y, 1);
    for (i = 0; i < k; i++) {
        const char *const c = colour[i % (sizeof colour / sizeof colour[0])];
        plot_draw(file, &s[i], x, y, c);
        fprintf(file, "<rect x=\"%d\" y=\"58\" width=\"18\" height=\"5\" fill=\"%s\"/>"
                      "<text x=\"%d\" y=\"65\">%s</text>\n", at, c, at + 24, s[i].name);
        at += 52 + 8 * (int)strlen(s[i].name);
    }
    fprintf(file, "<rect x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\" fill=\"none\" "
                  "stroke=\"#8b94a2\"/>\n"
                  "<text x=\"%d\" y=\"%d\" text-anchor=\"middle\">%s</text>\n"
                  "<text transform=\"translate(20 %d) rotate(-90)\" text-anchor=\"middle\">%s"
                  "</text>\n</svg>\n",
            PLOT_LEFT, PLOT_TOP, PLOT_RIGHT - PLOT_LEFT, PLOT_BOTTOM - PLOT_TOP,
            (PLOT_LEFT + PLOT_RIGHT) / 2, PLOT_BOTTOM + 42, x_name, (PLOT_TOP + PLOT_BOTTOM) / 2,
            y_name);
    failed = ferror(file);
    if (fclose(file) != 0 || failed) return fprintf(stderr, "cannot write all of %s\n", path), 0;
    return 1;
}

#endif
