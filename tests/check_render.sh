#!/bin/sh
# Dumps graphs with a small C program, renders them as SVG and HTML, and checks that both are
# well-formed XML and mention every name; then that bad dumps are refused in one line.
set -u
root=$(cd "$(dirname "$0")/.." && pwd)
render=$root/tools/graph_render.py
if ! command -v python3 >/dev/null 2>&1; then
    echo "SKIP check_render: no python3"
    exit 0
fi
dir=$(mktemp -d) || exit 1
trap 'rm -rf "$dir"' EXIT
failed=0
fail()
{
    echo "check_render: FAILED: $*" >&2
    failed=1
}

cat > "$dir/dump.c" <<'PROGRAM'
#define AUTODIFF_GRAPH
#define AUTODIFF_STATIC
#include "autodiff.h"

static int put(void *user, const char *text, size_t length)
{
    return fwrite(text, 1, length, (FILE *)user) != length;
}

/* y[0] = a*b, y[1] = a + b: an operation with two results */
static ad_status both(void *user, size_t n, const double *x, size_t m, double *y)
{
    (void)user; (void)n; (void)m;
    y[0] = x[0] * x[1];
    y[1] = x[0] + x[1];
    return AD_OK;
}
static ad_status both_reverse(void *user, size_t n, const double *x, size_t m, const double *y,
                              const double *y_bar, double *x_bar)
{
    (void)user; (void)n; (void)m; (void)y;
    x_bar[0] += y_bar[0] * x[1] + y_bar[1];
    x_bar[1] += y_bar[0] * x[0] + y_bar[1];
    return AD_OK;
}

int main(int argc, char **argv)
{
    ad_tape *t = ad_tape_create(NULL);
    ad_op op;
    ad_var x[2], y[2], z;
    ad_graph_desc desc;
    int i;
    memset(&op, 0, sizeof op);
    memset(&desc, 0, sizeof desc);
    op.name = "both";
    op.value = both;
    op.reverse = both_reverse;
    desc.n_outputs = 1;
    desc.outputs = &z;
    desc.title = "names <that> need & \"escapes\"";
    if (argc < 2) {                                    /* an empty graph */
        desc.n_outputs = 0;
        return ad_graph_dump(t, AD_GRAPH_JSON, &desc, put, stdout) != AD_OK;
    }
    x[0] = ad_name(ad_input(t, 2), "a < b & \"c\" 'd' ]]> </script>");
    x[1] = ad_name(ad_input(t, -3), "a name that is much too long for any box, yet must be found");
    if (ad_var_call(t, &op, NULL, 2, x, 2, y) != AD_OK) return 1;
    ad_name(y[0], "product");
    ad_name(y[1], "\317\203\tsum");
    z = ad_name(ad_var_log(ad_var_mul_r(ad_var_add(y[0], y[1]), 0.0)), "infinite");
    for (i = 0; i < 40; i++) z = ad_var_add(ad_var_sin(z), ad_var_mul_r(x[i % 2], 0.125 * i));
    z = ad_name(ad_var_fma(z, ad_const(2.5), y[0]), "output");
    ad_backward(z);
    if (argv[1][0] == 'e') desc.max_nodes = 20;        /* elided */
    if (argv[1][0] == 'n') desc.no_values = 1;
    return ad_graph_dump(t, AD_GRAPH_JSON, &desc, put, stdout) != AD_OK;
}
PROGRAM
cat > "$dir/look.py" <<'PROGRAM'
import json, sys, xml.etree.ElementTree as tree
dump = json.load(open(sys.argv[1], encoding="utf-8"))
for path in sys.argv[2:]:
    told = "\n".join(tree.parse(path).getroot().itertext())
    boxes = sum(1 for e in tree.parse(path).iter() if e.get("data-slot") is not None)
    if boxes != len(dump["nodes"]):
        sys.exit("%s: %d nodes, not %d" % (path, boxes, len(dump["nodes"])))
    for node in dump["nodes"]:
        name = "".join(chr(0x2400 + ord(c)) if c < " " else c for c in node.get("name", node["op"]))
        if name not in told:
            sys.exit("%s: no mention of %s" % (path, name))
PROGRAM

${CC:-cc} -std=c99 -I"$root" "$dir/dump.c" -o "$dir/dump" -lm || { fail "the program does not compile"; exit 1; }
for graph in "" full elided no_values; do
    # shellcheck disable=SC2086
    "$dir/dump" $graph > "$dir/g.json" || fail "dump '$graph'"
    for form in svg html; do
        python3 "$render" "$dir/g.json" -o "$dir/g.$form" || fail "rendering '$graph' as $form"
    done
    python3 "$render" --flow down --theme dark --no-heat - < "$dir/g.json" > "$dir/h.svg" || fail "stdin, '$graph'"
    python3 "$dir/look.py" "$dir/g.json" "$dir/g.svg" "$dir/g.html" "$dir/h.svg" || fail "contents of '$graph'"
    grep -q -E '(src|href)=' "$dir/g.html" && fail "the page of '$graph' loads something"
done

# Each must be refused: one line that names the file, exit 1, no traceback.
head='{"format": "autodiff-graph", "version": 1, "title": "", "nodes": '
refuse()
{
    printf '%s' "$1" > "$dir/bad.json"
    message=$(python3 "$render" "$dir/bad.json" -o "$dir/bad.svg" 2>&1)
    code=$?
    [ $code -eq 1 ] || fail "exit $code for: $1"
    [ "$(printf '%s\n' "$message" | wc -l)" -eq 1 ] || fail "more than a line for: $1"
    case $message in *bad.json*) ;; *) fail "no file name for: $1" ;; esac
}
refuse ''
refuse '{'
refuse '[]'
refuse '{"nodes": []}'
refuse '{"format": "autodiff-graph", "version": 2, "nodes": []}'
refuse "$head 3}"
refuse "$head [3]}"
refuse "$head [{\"op\": \"input\"}]}"
refuse "$head [{\"slot\": true, \"op\": \"input\"}]}"
refuse "$head [{\"slot\": 0}]}"
refuse "$head [{\"slot\": 0, \"op\": \"neg\", \"operands\": [0]}]}"
refuse "$head [{\"slot\": 0, \"op\": \"neg\", \"operands\": [1]}, {\"slot\": 1, \"op\": \"neg\", \"operands\": [0]}]}"
refuse "$head [{\"slot\": 0, \"op\": \"neg\", \"operands\": [{}]}]}"
refuse "$head [{\"slot\": 0, \"op\": \"neg\", \"operands\": 7}]}"
refuse "$head [{\"slot\": 0, \"op\": \"input\", \"value\": \"high\"}]}"
refuse "$head [{\"slot\": 1, \"op\": \"input\"}, {\"slot\": 1, \"op\": \"input\"}]}"
refuse "$(printf '%0200000d' 0 | tr 0 '[')"
python3 "$render" "$dir/absent.json" -o "$dir/bad.svg" 2>/dev/null && fail "an absent file was accepted"
python3 "$render" --help | grep -q 'example' || fail "--help has no example"

[ $failed -eq 0 ] && echo "check_render: passed"
exit $failed
