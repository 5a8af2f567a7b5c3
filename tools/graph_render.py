#!/usr/bin/env python3
"""Renders a graph dump of autodiff.h (AD_GRAPH_JSON) as an SVG or as an HTML page.

The layout is Sugiyama's, in four steps, each a function below:
  layers       longest path from the inputs; what has no operands then moves up to its first user
  chains       an edge over several layers gets a place in each, shared by all edges of its source
  order        barycentres, sweep after sweep, then swaps of neighbours; the best order is kept
  coordinates  each layer as near to its neighbours' mean as spacing allows: isotonic regression
Only the standard library is used, and the output loads nothing from elsewhere.
"""
import argparse
import html
import json
import math
import os
import sys

EXAMPLE = """\
example:
  cc -std=c99 examples/graph_dump.c -o graph_dump -lm
  ./graph_dump json > dump.json
  python3 tools/graph_render.py dump.json -o graph.svg
  ./graph_dump json | python3 tools/graph_render.py - -o graph.html

In the page: drag to move, wheel to zoom, / to search, click a node to keep it, Esc to let go.
"""


class Malformed(Exception):
    """The dump is not what the header writes; the text is one line. Section: Graph Dump."""


# ------------------------------------------------------------------------------------ reading

class Node:
    """A slot of the tape. operands: ('slot', n), ('elided', n) or ('constant', number)."""

    def __init__(self, slot, op, name, output, value, adjoint, operands):
        self.slot, self.op, self.name, self.output = slot, op, name, output
        self.value, self.adjoint, self.operands = value, adjoint, operands
        self.is_input = op == "input"
        self.users = []


def number(x, where):
    """JSON has no nan and no infinity, so the dump quotes them."""
    if isinstance(x, (int, float)) and not isinstance(x, bool):
        try:
            return float(x)
        except OverflowError:
            raise Malformed("%s: number out of range" % where)
    if x in ("nan", "inf", "-inf"):
        return float(x)
    raise Malformed("%s: %s is no number" % (where, json.dumps(x)[:40]))


def text(x, where):
    """XML cannot hold control characters, not even escaped: show them by their pictures."""
    if not isinstance(x, str):
        raise Malformed("%s: %s is no string" % (where, json.dumps(x)[:40]))
    return "".join(chr(0x2400 + ord(c)) if c < " " else
                   "\ufffd" if "\x7f" <= c < "\xa0" or "\ud800" <= c <= "\udfff" or c in "\ufffe\uffff"
                   else c for c in x)


def is_count(x):
    return isinstance(x, int) and not isinstance(x, bool) and x >= 0


def single(row, key, where):
    """The number of a scalar, or of an array of one element; None where there is none, or several."""
    if key not in row:
        return None
    listed = row[key] if isinstance(row[key], list) else [row[key]]
    numbers = [number(x, where) for x in listed]
    return numbers[0] if len(numbers) == 1 else None


def load(data):
    """The dump's text as (title, elided, nodes by slot in increasing order)."""
    try:
        dump = json.loads(data)
    except json.JSONDecodeError as e:
        raise Malformed("line %d, column %d: not JSON: %s" % (e.lineno, e.colno, e.msg))
    except (ValueError, RecursionError):
        raise Malformed("not JSON of any use: nested too deeply or a number too long")
    if not isinstance(dump, dict) or dump.get("format") != "autodiff-graph":
        raise Malformed('not a graph dump: no "format": "autodiff-graph"')
    if dump.get("version") != 1:
        raise Malformed("version %s of the format; this tool reads version 1"
                        % json.dumps(dump.get("version"))[:20])
    rows = dump.get("nodes")
    if not isinstance(rows, list):
        raise Malformed('"nodes" is no list')
    elided = dump.get("elided", 0)
    if not is_count(elided):
        raise Malformed('"elided" is no count')
    nodes = {}
    for i, row in enumerate(rows):
        where = "nodes[%d]" % i
        if not isinstance(row, dict) or not is_count(row.get("slot")):
            raise Malformed("%s: no slot" % where)
        slot = row["slot"]
        if nodes and slot <= last:
            raise Malformed("%s: slot %d does not follow slot %d" % (where, slot, last))
        last = slot
        listed = row.get("operands", [])
        if not isinstance(listed, list):
            raise Malformed("%s: operands are no list" % where)
        operands = []
        for x in listed:
            if isinstance(x, dict) and "constant" in x:
                operands.append(("constant", number(x["constant"], where)))
            elif is_count(x) and x < slot:
                operands.append(("slot" if x in nodes else "elided", x))
            else:
                raise Malformed("%s: operand %s is neither an earlier slot nor a constant"
                                % (where, json.dumps(x)[:40]))
        nodes[slot] = Node(slot, text(row.get("op"), where), text(row.get("name", ""), where),
                           row.get("output") is True,
                           single(row, "value", where), single(row, "adjoint", where), operands)
    for node in nodes.values():
        for slot in sorted({x for kind, x in node.operands if kind == "slot"}):
            nodes[slot].users.append(node.slot)
    if not any(node.output for node in nodes.values()):
        for node in nodes.values():         # a dump of the whole tape: what nobody uses came out
            node.output = not node.users and not node.is_input
    return text(dump.get("title", ""), "title"), elided, nodes


# ------------------------------------------------------------------------------------- layout

class Item:
    """What occupies a place in a layer: a node's box, or a long edge passing through."""

    def __init__(self, node, layer, size):
        self.node, self.layer, self.size = node, layer, size
        self.before, self.after = [], []
        self.at = self.place = 0


# More long-edge places than this, and the longest edges go straight instead: time over beauty.
MOST_PLACES = 40000


def assign_layers(nodes):
    layer, waiting = {}, {}
    ready = []
    for slot, node in nodes.items():
        waiting[slot] = len({x for kind, x in node.operands if kind == "slot"})
        if waiting[slot] == 0:
            ready.append(slot)
    for slot in ready:                      # grows while it is read: Kahn's order
        layer[slot] = 1 + max([layer[x] for kind, x in nodes[slot].operands if kind == "slot"],
                              default=-1)
        for user in nodes[slot].users:
            waiting[user] -= 1
            if waiting[user] == 0:
                ready.append(user)
    for slot in reversed(ready):
        node = nodes[slot]
        if node.users and not any(kind == "slot" for kind, x in node.operands):
            layer[slot] = min(layer[user] for user in node.users) - 1
    return layer


def build_items(nodes, layer, size):
    """Items, and for every (source, user) the chain of items that the edge passes."""
    items = {slot: Item(node, layer[slot], size[slot]) for slot, node in nodes.items()}
    everything = list(items.values())
    routes = {}
    span = {slot: max([layer[u] for u in node.users], default=layer[slot]) - layer[slot] - 1
            for slot, node in nodes.items()}
    longest = max(span.values(), default=0)
    while sum(min(max(s, 0), longest) for s in span.values()) > MOST_PLACES:
        longest //= 2
    for slot, node in nodes.items():
        chain = [items[slot]]
        for user in sorted(node.users, key=lambda u: layer[u]):
            need = layer[user] - layer[slot] - 1
            if need > longest:
                routes[slot, user] = []
                continue
            while len(chain) <= need:
                passing = Item(None, chain[-1].layer + 1, 3.0)
                everything.append(passing)
                join(chain[-1], passing)
                chain.append(passing)
            join(chain[need], items[user])
            routes[slot, user] = chain[1:need + 1]
    return items, everything, routes


def join(a, b):
    a.after.append(b)
    b.before.append(a)


def first_order(everything):
    """Depth first from the ends, so that what belongs together starts together."""
    layers = [[] for _ in range(1 + max(i.layer for i in everything))]
    seen = set()
    for root in [i for i in everything if not i.after] + everything:
        stack = [root]
        while stack:
            item = stack.pop()
            if id(item) in seen:
                continue
            seen.add(id(item))
            item.at = len(layers[item.layer])
            layers[item.layer].append(item)
            stack.extend(reversed(item.before))
    return layers


def crossings(layers):
    """Pairs of edges that cross between neighbouring layers, by counting inversions in a tree."""
    total = 0
    for left, right in zip(layers, layers[1:]):
        ends = [b.at for a in left for b in sorted(a.after, key=lambda i: i.at)]
        tree, counted = [0] * (len(right) + 1), 0
        for end in ends:
            i, not_above = end + 1, 0
            while i > 0:
                not_above += tree[i]
                i -= i & -i
            total += counted - not_above
            counted += 1
            i = end + 1
            while i <= len(right):
                tree[i] += 1
                i += i & -i
    return total


def number_places(row):
    for i, item in enumerate(row):
        item.at = i


def sort_by_barycentre(row, side):
    def key(item):
        near = item.before if side < 0 else item.after
        return sum(i.at for i in near) / len(near) if near else item.at
    row.sort(key=key)
    number_places(row)


def pair_crossings(a, b):
    """Crossings of the edges of a with those of b when a stands first."""
    total = 0
    for near_a, near_b in ((a.before, b.before), (a.after, b.after)):
        for i in near_a:
            for j in near_b:
                total += i.at > j.at
    return total


def swap_neighbours(layers):
    improved = False
    for row in layers:
        for i in range(len(row) - 1):
            a, b = row[i], row[i + 1]
            if pair_crossings(a, b) > pair_crossings(b, a):
                row[i], row[i + 1] = b, a
                a.at, b.at = i + 1, i
                improved = True
    return improved


def order(everything):
    layers = first_order(everything)
    best, kept = crossings(layers), [row[:] for row in layers]
    idle, cost = 0, len(everything) + sum(len(i.after) for i in everything)
    for sweep in range(4 if cost > 20000 else 30):
        if best == 0 or idle == 6:
            break
        if sweep % 2 == 0:
            for row in reversed(layers[:-1]):
                sort_by_barycentre(row, 1)
        else:
            for row in layers[1:]:
                sort_by_barycentre(row, -1)
        if cost <= 20000 and max(len(i.before) + len(i.after) for i in everything) <= 200:
            for _ in range(4):
                if not swap_neighbours(layers):
                    break
        now = crossings(layers)
        idle += 1
        if now < best:
            best, kept, idle = now, [row[:] for row in layers], 0
    for row in kept:
        number_places(row)
    return kept


def gap(a, b):
    if a.node is None and b.node is None:
        return 9.0
    return 16.0 if a.node is not None and b.node is not None else 13.0


def fit_layer(row, wanted):
    """Least squares of (wanted, weight) with neighbours apart: pool adjacent violators."""
    offset, pools = [0.0], []
    for a, b in zip(row, row[1:]):
        offset.append(offset[-1] + (a.size + b.size) / 2 + gap(a, b))
    for i, (target, weight) in enumerate(wanted):
        mean, mass, count = target - offset[i], weight, 1
        while pools and pools[-1][0] > mean:
            m, w, n = pools.pop()
            mean = (mean * mass + m * w) / (mass + w)
            mass += w
            count += n
        pools.append((mean, mass, count))
    i = 0
    for mean, mass, count in pools:
        for _ in range(count):
            row[i].place = mean + offset[i]
            i += 1


def pull(item, side):
    """Where its neighbours want it. Passing edges pull at each other hardest, so they run straight."""
    total, mass = 0.0, 0.0
    for near in (item.before if side <= 0 else []), (item.after if side >= 0 else []):
        for other in near:
            weight = 6.0 if item.node is None and other.node is None else \
                1.0 if item.node is not None and other.node is not None else 1.5
            total += weight * other.place
            mass += weight
    return (total / mass, mass) if mass else (item.place, 0.05)


def coordinates(layers):
    for row in layers:
        fit_layer(row, [(0.0, 1.0)] * len(row))
    for sweep in range(24):
        side = (-1, 1, 0)[sweep % 3]
        rows = layers if side <= 0 else layers[::-1]
        for row in rows:
            fit_layer(row, [pull(item, side) for item in row])
    low = min(row[0].place - row[0].size / 2 for row in layers if row)
    for row in layers:
        for item in row:
            item.place -= low
    return max(row[-1].place + row[-1].size / 2 for row in layers if row)


# ------------------------------------------------------------------------------------ drawing

PALETTES = {
    "light": dict(bg="#fbfbfa", ink="#1d2329", mute="#68707a", box="#ffffff", rim="#b4bcc5",
                  input="#e6f0fb", input_rim="#4f86c2", output="#e6f5eb", output_rim="#2c7a4b",
                  constant="#93540a", edge="#a3abb4", to="#1f6fd0", by="#c2560c", found="#b8860b"),
    "dark": dict(bg="#15181c", ink="#e8ebee", mute="#98a1ab", box="#22272d", rim="#505a65",
                 input="#1a2c42", input_rim="#5f9add", output="#17321f", output_rim="#55b97e",
                 constant="#e6ac57", edge="#5a6570", to="#69a9f5", by="#f0954c", found="#f2cc4d"),
}
MONO = "ui-monospace,'SF Mono',Menlo,Consolas,'DejaVu Sans Mono',monospace"
CHAR, SMALL_CHAR = 7.25, 6.65               # advance of a 12 and of an 11 pixel monospaced letter


def colours(p):
    return """
svg .bg{fill:%(bg)s} svg text{fill:%(ink)s} svg .mute{fill:%(mute)s} svg .constant{fill:%(constant)s}
svg .box{fill:%(box)s;stroke:%(rim)s} svg .input .box{fill:%(input)s;stroke:%(input_rim)s}
svg .output .box{fill:%(output)s;stroke:%(output_rim)s} svg .zero{fill:%(mute)s}
svg .edge{stroke:%(edge)s} svg .tip{fill:%(edge)s} svg .tip-in{fill:%(to)s} svg .tip-out{fill:%(by)s}
svg .edge.in{stroke:%(to)s} svg .edge.out{stroke:%(by)s}
svg .operand .box{stroke:%(to)s} svg .user .box{stroke:%(by)s} svg .on .box{stroke:%(ink)s}
svg .found .box{stroke:%(found)s}
""" % p


def style(theme):
    fixed = """
svg text{font:12px %s;white-space:pre} svg .small{font-size:11px} svg .name{font-weight:700}
svg .title{font:700 16px system-ui,sans-serif} svg .legend{font:12px system-ui,sans-serif}
svg .box{stroke-width:1} svg .input .box{stroke-width:1.3} svg .output .box{stroke-width:2.6}
svg .edge{fill:none;stroke-width:1.3;marker-end:url(#tip)}
svg .constant{font-style:italic}
""" % MONO
    if theme == "auto":
        return fixed + colours(PALETTES["light"]) + \
            "@media (prefers-color-scheme:dark){" + colours(PALETTES["dark"]) + "}\n"
    return fixed + colours(PALETTES[theme])


def short(x, digits=5):
    if x != x or x - x != 0:
        return "nan" if x != x else "inf" if x > 0 else "\u2212inf"
    return ("%.*g" % (digits, x)).replace("e+0", "e").replace("e-0", "e-").replace("e+", "e") \
        .replace("-", "\u2212")


def escape(s):
    return html.escape(s, quote=True)


def clip(s, most):
    return s if len(s) <= most else s[:most - 1] + "\u2026"


def operation(node):
    """Pieces (text, class): the operation, and its operands when some are numbers."""
    if not any(kind != "slot" for kind, x in node.operands):
        return [(clip(node.op, 20), "")]
    pieces, room = [(clip(node.op, 20) + "(", "")], 24
    for i, (kind, x) in enumerate(node.operands):
        word = "\u00b7" if kind == "slot" else "#%d" % x if kind == "elided" else short(x, 4)
        if i and (len(word) > room or i >= 6):
            pieces.append((", \u2026", ""))
            break
        room -= len(word) + 2
        if i:
            pieces.append((", ", ""))
        pieces.append((word, {"slot": "", "elided": "mute", "constant": "constant"}[kind]))
    return pieces + [(")", "")]


def length(pieces):
    return sum(len(s) for s, c in pieces)


def spans(pieces):
    return "".join('<tspan class="%s">%s</tspan>' % (c, escape(s)) if c else escape(s)
                   for s, c in pieces)


class Heat:
    """A colour for |adjoint| on a logarithmic scale: cool small, hot large, equally bright, so that
    it reads on both backgrounds. Six decades below the largest, the rest is one colour."""
    RAMP = ((0x3f, 0x7f, 0xd9), (0x8a, 0x66, 0xcf), (0xc9, 0x52, 0x9a), (0xe4, 0x57, 0x36))

    def __init__(self, nodes):
        sizes = [abs(n.adjoint) for n in nodes.values()
                 if n.adjoint is not None and n.adjoint == n.adjoint and 0 < abs(n.adjoint) < math.inf]
        self.known = any(n.adjoint is not None for n in nodes.values())
        self.high = math.log10(max(sizes)) if sizes else 0.0
        self.low = max(math.log10(min(sizes)), self.high - 6) if sizes else 0.0

    def ramp(self, u):
        i = min(int(u * 3), 2)
        a, b, f = self.RAMP[i], self.RAMP[i + 1], u * 3 - i
        return "#%02x%02x%02x" % tuple(int(round(p + (q - p) * f)) for p, q in zip(a, b))

    def of(self, x):
        """None for a zero; non-finite adjoints are the alarming end's colour."""
        if x == 0:
            return None
        if x != x or math.isinf(x):
            return "#ff2020"
        width = self.high - self.low
        u = (math.log10(abs(x)) - self.low) / width if width > 0 else 1.0
        return self.ramp(min(max(u, 0.0), 1.0))


class Drawing:
    """Boxes and curves in one coordinate system. The flow is along the main axis, layers across it."""

    def __init__(self, title, elided, nodes, flow, heat):
        self.title, self.elided, self.nodes, self.flow = title, elided, nodes, flow
        self.heat = Heat(nodes) if heat else None
        if self.heat and not self.heat.known:
            self.heat = None
        self.label = {slot: operation(node) for slot, node in nodes.items()}
        self.box = {slot: self.measure(node) for slot, node in nodes.items()}
        self.items, self.routes, self.layers = {}, {}, []
        self.main, self.width, self.height = [], 0.0, 0.0
        self.layout()

    def measure(self, node):
        top = length(self.label[node.slot]) + len("  #%d" % node.slot)
        if node.name:
            top = len(clip(node.name, 26)) + 2 + length(self.label[node.slot])
        width, height = top * CHAR, 28.0
        if node.value is not None:
            bottom = short(node.value) + ("   \u2202 " + short(node.adjoint)
                                          if node.adjoint is not None else "")
            width, height = max(width, len(bottom) * SMALL_CHAR), 44.0
        return max(width + 26, 84.0), height

    def layout(self):
        down = self.flow == "down"
        top = 92.0 if self.heat or self.nodes else 70.0
        wide = 760.0 if self.heat else 560.0
        if not self.nodes:
            self.width, self.height = wide, top + 60
            return
        cross = {s: w if down else h for s, (w, h) in self.box.items()}
        layer = assign_layers(self.nodes)
        self.items, everything, self.routes = build_items(self.nodes, layer, cross)
        self.layers = order(everything)
        extent = coordinates(self.layers)
        at = top if down else 24.0
        for row in self.layers:
            deep = max([self.box[i.node.slot][1 if down else 0] for i in row if i.node], default=20.0)
            self.main.append((at, deep))
            edges = sum(len(i.after) for i in row)
            at += deep + min(56.0 + 1.5 * edges, 150.0)      # the more edges, the more room to bend
        at = self.main[-1][0] + self.main[-1][1] + 24
        self.width = max(wide, (extent + 48) if down else at)
        self.height = at if down else extent + top + 24
        lead = (self.width - extent) / 2 if down else top
        for row in self.layers:
            for item in row:
                item.place += lead

    def corner(self, slot):
        """Left, top, width, height of a box. In a row to the right, boxes of a layer are as wide as
        the widest: ragged columns are hard to scan."""
        item, (w, h) = self.items[slot], self.box[slot]
        start, deep = self.main[item.layer]
        if self.flow == "down":
            return item.place - w / 2, start + (deep - h) / 2, w, h
        return start, item.place - h / 2, deep, h

    def ports(self):
        """Where on a box each operand arrives. Their order is the operands', unless it says nothing."""
        free = {"add", "mul", "min", "max", "hypot", "eq", "ne", "logaddexp"}
        port = {}
        for slot, node in self.nodes.items():
            own = [(k, x) for k, (kind, x) in enumerate(node.operands) if kind == "slot"]
            ranked = own
            if node.op in free or len(node.operands) > 3:
                ranked = sorted(own, key=lambda e: self.entry(e[1], slot))
            x, y, w, h = self.corner(slot)
            size = w if self.flow == "down" else h
            room = min(size - 14, 13.0 * (len(own) - 1))
            for i, (k, source) in enumerate(ranked):
                shift = room * (i / (len(own) - 1) - 0.5) if len(own) > 1 else 0.0
                port[slot, k] = self.items[slot].place + shift
        return port

    def entry(self, source, user):
        route = self.routes[source, user]
        return (route[-1] if route else self.items[source]).place

    def path(self, source, user, port):
        """Bends between layers, straight through them: so a curve never crosses a box of its layer."""
        down = self.flow == "down"
        points, item = [], self.items[source]
        x, y, w, h = self.corner(source)
        start, place = (y + h if down else x + w), item.place
        out = []

        def put(along, across):
            return "%.1f %.1f" % ((across, along) if down else (along, across))
        out.append("M" + put(start, place))
        for passing in self.routes[source, user]:
            a, deep = self.main[passing.layer]
            points.append((a, a + deep, passing.place))
        x, y, w, h = self.corner(user)
        end = (y if down else x) - 1.5
        points.append((end, None, port))
        for a, b, target in points:
            half = (a - start) / 2
            if abs(target - place) < 0.3 and b is not None:
                target = place                      # straight runs stay one line
            else:
                out.append("C" + ",".join((put(start + half, place), put(a - half, target),
                                           put(a, target))))
            start, place = (a if b is None else b), target
            if b is not None:
                out.append("L" + put(b, target))
        return "".join(out)

    def tooltip(self, node):
        lines = ["#%d %s" % (node.slot, node.name or node.op)]
        words = []
        for kind, x in node.operands:
            words.append("%.9g" % x if kind == "constant" else
                         (self.nodes[x].name or "#%d" % x) if kind == "slot" else "#%d (elided)" % x)
        if words:
            more = ", \u2026 %d more" % (len(words) - 12) if len(words) > 12 else ""
            lines.append("%s(%s%s)" % (node.op, ", ".join(words[:12]), more))
        if node.value is not None:
            lines.append("value %.17g" % node.value)
        if node.adjoint is not None:
            lines.append("adjoint %.17g" % node.adjoint)
        return "\n".join(lines)

    def node(self, node):
        x, y, w, h = self.corner(node.slot)
        kind = "".join((" input" if node.is_input else "", " output" if node.output else ""))
        round_ = h / 2 if node.is_input else 5
        out = ['<g class="node%s" data-slot="%d"><title>%s</title>' % (kind, node.slot,
                                                                       escape(self.tooltip(node))),
               '<rect class="box" x="%.1f" y="%.1f" width="%.1f" height="%.1f" rx="%.1f"/>'
               % (x, y, w, h, round_)]
        if self.heat and node.adjoint is not None:
            colour = self.heat.of(node.adjoint)
            paint = 'fill="%s"' % colour if colour else 'style="opacity:.25"'
            if colour and not (node.is_input or node.output):     # those have a colour of their own
                out.append('<rect class="heat" x="%.1f" y="%.1f" width="%.1f" height="%.1f" rx="%.1f" '
                           'fill="%s" fill-opacity="0.15"/>' % (x, y, w, h, round_, colour))
            out.append('<rect class="heat%s" x="%.1f" y="%.1f" width="%.1f" height="3.5" rx="1.7" %s/>'
                       % ("" if colour else " zero", x + 12, y + h - 6.5, w - 24, paint))
        left, right = x + 13, x + w - 13
        first = y + (17 if node.value is not None else h / 2 + 4)
        if node.name:
            title = '<tspan class="name">%s</tspan>' % escape(clip(node.name, 26))
            aside = spans(self.label[node.slot])
        else:
            title, aside = spans(self.label[node.slot]), "#%d" % node.slot
        out.append('<text x="%.1f" y="%.1f">%s</text>' % (left, first, title))
        out.append('<text class="mute" x="%.1f" y="%.1f" text-anchor="end">%s</text>'
                   % (right, first, aside))
        if node.value is not None:
            out.append('<text class="small" x="%.1f" y="%.1f">%s</text>'
                       % (left, y + 33, short(node.value)))
        if node.adjoint is not None:
            out.append('<text class="small" x="%.1f" y="%.1f" text-anchor="end">'
                       '<tspan class="mute">\u2202 </tspan>%s</text>'
                       % (right, y + 33, short(node.adjoint)))
        return "".join(out) + "</g>"

    def header(self):
        counts = ["%d node%s" % (len(self.nodes), "" if len(self.nodes) == 1 else "s"),
                  "%d input%s" % self.count(lambda n: n.is_input),
                  "%d output%s" % self.count(lambda n: n.output)]
        if self.elided:
            counts.append("%d more elided" % self.elided)
        out = ['<text class="title" x="24" y="30">%s</text>' % escape(clip(self.title, 70) or "graph"),
               '<text class="legend mute" x="24" y="50">%s</text>' % ", ".join(counts)]
        if not self.nodes:
            return out + ['<text class="legend" x="24" y="100">The graph is empty.</text>']
        for x, kind, word in ((24, "input", "input"), (104, "", "operation"), (210, "output", "output")):
            out.append('<g class="%s"><rect class="box" x="%d" y="61" width="24" height="14" rx="%d"/></g>'
                       '<text class="legend" x="%d" y="72">%s</text>'
                       % (kind, x, 7 if kind == "input" else 3, x + 31, word))
        out.append('<text x="296" y="72">f(\u00b7, <tspan class="constant">2.5</tspan>)</text>'
                   '<text class="legend" x="366" y="72">a constant operand</text>')
        if self.heat:
            out.append('<g class="heat"><text class="legend" x="508" y="72">|adjoint|</text>'
                       '<rect x="610" y="63" width="100" height="10" rx="2" fill="url(#ramp)"/>'
                       '<text class="small" x="604" y="72" text-anchor="end">%s</text>'
                       '<text class="small" x="716" y="72">%s</text></g>'
                       % (short(10 ** self.heat.low, 2), short(10 ** self.heat.high, 2)))
        return out

    def count(self, what):
        n = sum(1 for node in self.nodes.values() if what(node))
        return n, "" if n == 1 else "s"

    def svg(self, theme, inline=False):
        w, h = math.ceil(self.width), math.ceil(self.height)
        out = ['<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %d %d"%s role="img">'
               % (w, h, ' id="graph"' if inline else ' width="%d" height="%d"' % (w, h)),
               "<title>%s</title>" % escape(self.title or "graph"),
               "<style>%s</style>" % style(theme), "<defs>"]
        for mark in ("tip", "tip-in", "tip-out"):
            out.append('<marker id="%s" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" '
                       'markerHeight="7" markerUnits="userSpaceOnUse" orient="auto">'
                       '<path class="%s" d="M0 0.8L8 4L0 7.2z"/></marker>' % (mark, mark))
        if self.heat:
            out.append('<linearGradient id="ramp">%s</linearGradient>' % "".join(
                '<stop offset="%.3f" stop-color="%s"/>' % (i / 3, self.heat.ramp(i / 3)) for i in range(4)))
        out.append('</defs><rect class="bg" x="0" y="0" width="%d" height="%d"/>' % (w, h))
        out.append('<g id="edges">')
        port = self.ports()
        for slot, node in self.nodes.items():
            for k, (kind, x) in enumerate(node.operands):
                if kind == "slot":
                    out.append('<path class="edge" data-a="%d" data-b="%d" d="%s"/>'
                               % (x, slot, self.path(x, slot, port[slot, k])))
        out.append('</g><g id="nodes">')
        out.extend(self.node(node) for node in self.nodes.values())
        out.append("</g>")
        out.extend(self.header())
        out.append("</svg>\n")
        return "\n".join(out)


# -------------------------------------------------------------------------------- the HTML page

PAGE_STYLE = """
html,body{margin:0;height:100%;overflow:hidden;font:14px system-ui,sans-serif;background:VAR_bg}
#graph{position:absolute;inset:0;width:100%;height:100%;cursor:grab;touch-action:none;user-select:none}
#graph.drag{cursor:grabbing} .node{cursor:pointer}
#bar,#facts{position:absolute;background:VAR_box;color:VAR_ink;border:1px solid VAR_rim;
 border-radius:8px;padding:8px 10px;box-shadow:0 2px 10px rgba(0,0,0,.18)}
#bar{right:12px;top:12px;display:flex;gap:8px;align-items:center;flex-wrap:wrap;max-width:calc(100% - 46px)}
#bar input[type=search]{width:13em} #bar input,#bar button{font:inherit;color:inherit;background:VAR_bg;
 border:1px solid VAR_rim;border-radius:5px;padding:3px 8px}
#count{min-width:4.5em;color:VAR_mute} #facts{right:12px;top:66px;width:330px;max-height:calc(100% - 100px);
 overflow:auto;box-sizing:border-box;overflow-wrap:anywhere;font:12px MONO} #facts[hidden]{display:none}
#facts h2{font-size:14px;margin:0 0 6px} #facts h3{font-size:12px;margin:9px 0 2px;color:VAR_mute}
#facts table{border-spacing:0} #facts td{padding:1px 10px 1px 0;vertical-align:top}
#facts a{color:VAR_to;cursor:pointer} #facts .number{white-space:nowrap}
svg.focus .node:not(.on):not(.operand):not(.user){opacity:.25} svg.focus .edge:not(.in):not(.out){opacity:.15}
svg .on .box{stroke-width:2.6} svg .operand .box,svg .user .box{stroke-width:2.2} svg .found .box{stroke-width:4}
svg .edge.in{stroke-width:2.2;marker-end:url(#tip-in)} svg .edge.out{stroke-width:2.2;marker-end:url(#tip-out)}
svg.plain .heat{display:none}
"""

PAGE_SCRIPT = r"""
'use strict';
const svg = document.getElementById('graph'), facts = document.getElementById('facts');
const search = document.getElementById('search'), count = document.getElementById('count');
const [, , W, H] = svg.getAttribute('viewBox').split(' ').map(Number);
const element = new Map(), arriving = new Map(), leaving = new Map();
for (const g of svg.querySelectorAll('.node')) element.set(+g.dataset.slot, g);
for (const p of svg.querySelectorAll('.edge')) {
    const a = +p.dataset.a, b = +p.dataset.b;
    if (!leaving.has(a)) leaving.set(a, []);
    if (!arriving.has(b)) arriving.set(b, []);
    leaving.get(a).push(p);
    arriving.get(b).push(p);
}

/* The view: the drawing's point in the middle of the window, and pixels per unit. */
const view = { x: W / 2, y: H / 2, k: 1 };
function apply() {
    const w = svg.clientWidth / view.k, h = svg.clientHeight / view.k;
    svg.setAttribute('viewBox', [view.x - w / 2, view.y - h / 2, w, h].join(' '));
}
function zoom(factor, px, py) {
    const k = Math.min(Math.max(view.k * factor, 0.004), 8);
    view.x += px * (1 / view.k - 1 / k);        /* the point under the pointer stays there */
    view.y += py * (1 / view.k - 1 / k);
    view.k = k;
    apply();
}
function fit() {
    view.k = Math.min(svg.clientWidth / W, svg.clientHeight / H, 1.4);
    view.x = W / 2;
    view.y = H / 2;
    apply();
}
function centre(slot) {
    const b = element.get(slot).querySelector('.box').getBBox();
    view.x = b.x + b.width / 2;
    view.y = b.y + b.height / 2;
    view.k = Math.max(view.k, 0.7);
    apply();
}

let pinned = null, shown = null;
function mark(list, name) { for (const e of list || []) e.classList.add(name); }
function show(slot) {
    if (slot === shown) return;
    for (const name of ['on', 'operand', 'user', 'in', 'out'])
        for (const e of svg.querySelectorAll('.' + name)) e.classList.remove(name);
    shown = slot;
    svg.classList.toggle('focus', slot !== null);
    facts.hidden = slot === null;
    if (slot === null) return;
    element.get(slot).classList.add('on');
    mark(arriving.get(slot), 'in');
    mark(leaving.get(slot), 'out');
    for (const p of arriving.get(slot) || []) element.get(+p.dataset.a).classList.add('operand');
    for (const p of leaving.get(slot) || []) element.get(+p.dataset.b).classList.add('user');
    tell(slot);
}
function add(parent, tag, text) {
    const e = document.createElement(tag);
    if (text !== undefined) e.textContent = text;
    parent.append(e);
    return e;
}
function link(row, slot) {
    const a = add(add(row, 'td'), 'a', GRAPH[slot].name || GRAPH[slot].op + ' #' + slot);
    a.addEventListener('click', () => { pinned = slot; show(slot); centre(slot); });
    add(row, 'td', GRAPH[slot].value === undefined ? '' : GRAPH[slot].value);
}
function tell(slot) {
    const n = GRAPH[slot], users = new Set((leaving.get(slot) || []).map(p => +p.dataset.b));
    facts.replaceChildren();
    add(facts, 'h2', (n.name ? n.name + ' = ' : '') + n.op + '  #' + slot);
    const table = add(facts, 'table');
    for (const key of ['value', 'adjoint']) if (n[key] !== undefined) {
        const row = add(table, 'tr');
        add(row, 'td', key);
        add(row, 'td', n[key]).className = 'number';
    }
    if (n.operands.length) add(facts, 'h3', 'operands');
    const operands = add(facts, 'table');
    n.operands.slice(0, 60).forEach(o => {
        const row = add(operands, 'tr');
        if (o.slot !== undefined) link(row, o.slot);
        else add(row, 'td', o.constant !== undefined ? 'constant ' + o.constant : '#' + o.elided + ' (elided)');
    });
    if (users.size) add(facts, 'h3', 'users');
    const by = add(facts, 'table');
    [...users].slice(0, 60).forEach(u => link(add(by, 'tr'), u));
}
svg.addEventListener('pointerover', e => {
    const g = e.target.closest('.node');
    if (pinned === null) show(g ? +g.dataset.slot : null);
});

let drag = null;
svg.addEventListener('pointerdown', e => { drag = { x: e.clientX, y: e.clientY, far: 0 }; });
addEventListener('pointermove', e => {
    if (!drag) return;
    const dx = e.clientX - drag.x, dy = e.clientY - drag.y;
    drag.far += Math.abs(dx) + Math.abs(dy);
    svg.classList.add('drag');
    view.x -= dx / view.k;
    view.y -= dy / view.k;
    drag.x = e.clientX;
    drag.y = e.clientY;
    apply();
});
addEventListener('pointerup', e => {
    if (drag && drag.far < 5 && svg.contains(e.target)) {
        const g = e.target.closest('.node');
        pinned = g ? +g.dataset.slot : null;
        show(pinned);
    }
    drag = null;
    svg.classList.remove('drag');
});
svg.addEventListener('wheel', e => {
    e.preventDefault();
    zoom(Math.exp(-e.deltaY * (e.deltaMode ? 0.05 : 0.0015)),
         e.clientX - svg.clientWidth / 2, e.clientY - svg.clientHeight / 2);
}, { passive: false });

let found = [], at = -1;
function look() {
    const want = search.value.trim().toLowerCase();
    for (const e of svg.querySelectorAll('.found')) e.classList.remove('found');
    found = !want ? [] : [...element.keys()].filter(s =>
        (GRAPH[s].name + '\n' + GRAPH[s].op).toLowerCase().includes(want) || '#' + s === want);
    for (const s of found) element.get(s).classList.add('found');
    at = -1;
    count.textContent = want ? found.length + ' found' : '';
}
search.addEventListener('input', look);
search.addEventListener('keydown', e => {
    if (e.key !== 'Enter' || !found.length) return;
    at = (at + (e.shiftKey ? found.length - 1 : 1)) % found.length;
    pinned = found[at];
    show(pinned);
    centre(pinned);
    count.textContent = (at + 1) + ' of ' + found.length;
});
addEventListener('keydown', e => {
    if (e.key === 'Escape') {
        pinned = null;
        search.value = '';
        look();
        show(null);
    } else if (e.target === search) {
        return;
    } else if (e.key === '/') {
        e.preventDefault();
        search.focus();
    } else if (e.key === 'f') {
        fit();
    }
});
document.getElementById('fit').addEventListener('click', fit);
const colour = document.getElementById('colour');
if (colour) colour.addEventListener('change', () => svg.classList.toggle('plain', !colour.checked));
addEventListener('resize', apply);
svg.querySelector('.bg').style.display = 'none';    /* the page is the background */
fit();
if (view.k < 0.2 && element.size) centre(Math.max(...element.keys()));
if (location.hash.length > 1 && element.has(+location.hash.slice(1))) {
    pinned = +location.hash.slice(1);
    show(pinned);
}
"""


def page_colours(p):
    css = PAGE_STYLE
    for key in sorted(p, key=len, reverse=True):
        css = css.replace("VAR_" + key, p[key])
    return css.replace("MONO", MONO)


def page_data(nodes):
    """What the page tells about a node. Its numbers are text: JSON has no nan, and %.17g is exact."""
    graph = {}
    for slot, node in nodes.items():
        row = {"op": node.op, "name": node.name, "operands": [
            {kind: "%.17g" % x if kind == "constant" else x} for kind, x in node.operands]}
        if node.value is not None:
            row["value"] = "%.17g" % node.value
        if node.adjoint is not None:
            row["adjoint"] = "%.17g" % node.adjoint
        graph[slot] = row
    data = json.dumps(graph)
    for c in "<>&":                         # inside a script, and inside CDATA
        data = data.replace(c, "\\u%04x" % ord(c))
    return data


def page(drawing, theme):
    """Well-formed as XML too, so that any XML tool can read it."""
    if theme == "auto":
        css = page_colours(PALETTES["light"]) + "@media (prefers-color-scheme:dark){" + \
            page_colours(PALETTES["dark"]) + "}\n"
    else:
        css = page_colours(PALETTES[theme])
    colour = '<label><input type="checkbox" id="colour" checked="checked" /> colour by |adjoint|</label>' \
        if drawing.heat else ""
    return """<!DOCTYPE html>
<html xmlns="http://www.w3.org/1999/xhtml" lang="en"><head><meta charset="utf-8" />
<meta name="viewport" content="width=device-width, initial-scale=1" />
<title>%s</title><style>%s</style></head><body>
%s<div id="bar"><input type="search" id="search" placeholder="name, op or #slot" aria-label="search" />
<span id="count"></span>%s<button id="fit" type="button">fit</button></div>
<div id="facts" hidden="hidden"></div>
<script>//<![CDATA[
const GRAPH = %s;
%s//]]></script></body></html>
""" % (escape(drawing.title or "graph"), css, drawing.svg(theme, True), colour, page_data(drawing.nodes),
       PAGE_SCRIPT)


# ---------------------------------------------------------------------------------------- main

def main():
    parser = argparse.ArgumentParser(
        description="Renders a JSON graph dump of autodiff.h as an SVG picture or an HTML page.",
        epilog=EXAMPLE, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("dump", help="the dump, as ad_graph_dump writes it with AD_GRAPH_JSON; - for stdin")
    parser.add_argument("-o", "--output", metavar="FILE",
                        help="what to write; .svg or .html decides the form (default: SVG to stdout)")
    parser.add_argument("--flow", choices=("right", "down"), default="right",
                        help="where the graph runs to (default: right)")
    parser.add_argument("--theme", choices=("auto", "light", "dark"), default="auto",
                        help="auto follows the viewer's setting (default)")
    parser.add_argument("--no-heat", action="store_true", help="no colours by magnitude of the adjoint")
    options = parser.parse_args()
    kind = os.path.splitext(options.output)[1].lower() if options.output else ".svg"
    if kind not in (".svg", ".html", ".htm"):
        parser.error("the output's name must end in .svg or .html")
    where = "stdin" if options.dump == "-" else options.dump
    try:
        if options.dump == "-":
            data = sys.stdin.buffer.read()
        else:
            with open(options.dump, "rb") as f:
                data = f.read()
        title, elided, nodes = load(data.decode("utf-8", "replace"))
        drawing = Drawing(title, elided, nodes, options.flow, not options.no_heat)
        result = drawing.svg(options.theme) if kind == ".svg" else page(drawing, options.theme)
        if kind == ".svg":
            result = '<?xml version="1.0" encoding="UTF-8"?>\n' + result
        where = options.output or "stdout"
        if options.output:
            with open(options.output, "wb") as f:
                f.write(result.encode("utf-8"))
        else:
            sys.stdout.buffer.write(result.encode("utf-8"))
            sys.stdout.buffer.flush()
    except Malformed as e:
        sys.stderr.write("graph_render.py: %s: %s\n" % (where, e))
        return 1
    except OSError as e:
        sys.stderr.write("graph_render.py: %s: %s\n" % (where, e.strerror or e))
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
