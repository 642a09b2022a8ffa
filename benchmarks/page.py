"""How readable the page's pictures are, and how long people wait for a very large one.

    python benchmarks/page.py                      # the quickstart's store, 300 and 2,000 tables; 10,000 for the times
    python benchmarks/page.py --sizes 300 --waits  # one picture, and no times

Readable: crossings, length of the lines, lines under cards, and the zoom at which the picture fits. Each picture opens in
Chromium as people see it, in a window of 1280 by 800. A picture of many tables opens put away by schema, so all of its
tables are shown first. Waiting: how long it takes to build the file, from the analysed scripts and from edges, until the
first cards are drawn, and from a key in the search to the list below it. The last line of stdout is one JSON object.
"""

from __future__ import annotations

import argparse
import json
import random
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from connector import analyze
from connector.export.page import PageColumn, PageColumnEdge, PageObject, PageTableEdge, edges_document, render_page
from connector.store.picture import store_picture

ROOT = Path(__file__).parents[1]
sys.path[:0] = [str(ROOT), str(ROOT / "tests" / "support"), str(ROOT / "tests" / "web")]

DEMO = 128
"""About as many tables as the quickstart's store has."""
DEMO_ROWS = 20_000
"""Of its query log, as many as `make demo` makes."""
LAYERS = ("landing", "staging", "core", "mart", "report", "export")

MEASURE = """async () => {
    const {zoom, cards, lines} = lineagePage.picture();
    const pieces = [];
    let [length, under] = [0, 0];
    lines.forEach(([from, to, places], line) => {
        const passed = new Set();
        for (let at = 0; at + 3 < places.length; at += 2) {
            const [x1, y1, x2, y2] = places.slice(at, at + 4);
            length += Math.hypot(x2 - x1, y2 - y1);
            pieces.push([line, x1, y1, x2, y2]);
            cards.forEach(([x, y, w, h], card) => {
                if (card === from || card === to || passed.has(card)) return;
                for (let part = 0; part <= 8; part += 1) {
                    // Between two places a line is level or an even curve.
                    const t = part / 8, s = t * t * (3 - 2 * t);
                    const [px, py] = [x1 + (x2 - x1) * t, y1 + (y2 - y1) * s];
                    if (px > x + 1 && px < x + w - 1 && py > y + 1 && py < y + h - 1) { passed.add(card); break; }
                }
            });
        }
        under += passed.size > 0;
    });
    pieces.sort((one, other) => Math.min(one[1], one[3]) - Math.min(other[1], other[3]));
    const side = (ax, ay, bx, by, cx, cy) => Math.sign((bx - ax) * (cy - ay) - (by - ay) * (cx - ax));
    let crossings = 0;
    for (let at = 0; at < pieces.length; at += 1) {
        const [line, x1, y1, x2, y2] = pieces[at];
        const right = Math.max(x1, x2);
        for (let next = at + 1; next < pieces.length && Math.min(pieces[next][1], pieces[next][3]) < right; next += 1) {
            const [other, x3, y3, x4, y4] = pieces[next];
            if (other === line) continue;
            if (side(x1, y1, x2, y2, x3, y3) * side(x1, y1, x2, y2, x4, y4) < 0
                && side(x3, y3, x4, y4, x1, y1) * side(x3, y3, x4, y4, x2, y2) < 0) crossings += 1;
        }
    }
    return {tables: cards.length, lines: lines.length, crossings, length: Math.round(length), under, fit: zoom};
}"""


def warehouse_page(tables: int) -> str:
    """A warehouse in layers, in which most tables are fed by a few neighbours of the layer before."""
    chance = random.Random(4711)
    each = tables / len(LAYERS)
    objects, edges = [], {}
    for number in range(tables):
        layer = min(len(LAYERS) - 1, int(number / each))
        name = f"{LAYERS[layer]}_{chance.choice(('orders', 'customer', 'product_price', 'web_events'))}_{number}"
        objects.append(PageObject(number, "table", name, "shop", LAYERS[layer]))
        for _ in range(chance.choice((1, 1, 2, 3)) if layer else 0):
            before = layer - 1 if chance.random() < 0.85 else chance.randrange(layer)
            place = min(0.999, max(0.0, number / each - layer + chance.uniform(-0.03, 0.03)))
            edges[int((before + place) * each), number] = None
    rows = [PageTableEdge("fdd", source, target) for source, target in edges if source != target]
    return render_page(edges_document(title=f"{tables} tables", objects=objects, table_edges=rows, level="table"))


def demo_page(folder: Path) -> str:
    from quickstart_store import make_quickstart

    return store_picture(str(make_quickstart(folder, rows=DEMO_ROWS)), "Demo")


def measured(file: Path) -> dict[str, Any]:
    from browser import chromium

    with chromium() as browser:
        page = browser.new_page(viewport={"width": 1280, "height": 800}, reduced_motion="reduce")
        begin = time.perf_counter()
        page.goto(file.as_uri() + "#level=table&grouped=0&hide=processes")
        page.evaluate("lineagePage.ready")
        seconds = time.perf_counter() - begin
        return {**page.evaluate(MEASURE), "seconds": round(seconds, 2)}


# --- waiting --------------------------------------------------------------------------------------------------------

COLUMNS = ("id", "amount", "customer", "created_at", "state")
TYPED = ("t", "ta", "amount", "table_77", "tbl 9", "schema_3 state")

FIRST_CARDS = """new Promise(done => {
    const look = () => document.querySelector('#picture .card') ? done() : requestAnimationFrame(look);
    look();
})"""
TYPE = """text => {
    const input = document.getElementById('search');
    input.focus();
    input.value = text;
    input.dispatchEvent(new Event('input'));
    document.body.offsetHeight;
}"""


def edges_page(tables: int) -> str:
    chance = random.Random(4711)
    objects = [
        PageObject(
            number,
            "table",
            f"table_{number}",
            "shop",
            f"schema_{number % 40}",
            columns=[PageColumn(name) for name in COLUMNS],
        )
        for number in range(tables)
    ]
    pairs = {(chance.randrange(target), target): None for target in range(1, tables) for _ in range(2)}
    columns = [PageColumnEdge("fdd", (a, name), (b, name)) for a, b in pairs for name in COLUMNS[:2]]
    rows = [PageTableEdge("fdd", a, b) for a, b in pairs]
    return render_page(
        edges_document(title=f"{tables} tables", objects=objects, column_edges=columns, table_edges=rows)
    )


def scripts(tables: int) -> str:
    """A table each, made of two others."""
    chance = random.Random(4711)
    listed = ", ".join(COLUMNS)
    statements = [f"create table schema_0.table_0 ({', '.join(f'{name} int' for name in COLUMNS)});"]
    for number in range(1, tables):
        one, other = chance.randrange(number), chance.randrange(number)
        statements.append(
            f"create table schema_{number % 40}.table_{number} as select a.{listed.replace(', ', ', a.')}, "
            f"b.amount as other_amount from schema_{one % 40}.table_{one} a join schema_{other % 40}.table_{other} b on b.id = a.id;"
        )
    return "\n".join(statements)


def waits(tables: int, folder: Path) -> dict[str, float]:
    """Time of the processor, so that a busy machine gives the figures of a quiet one."""
    lineage = analyze(scripts(tables), dialect="snowflake")
    found = {}
    for name, build in (("scripts", lambda: lineage.render("html", "table")), ("edges", lambda: edges_page(tables))):
        begin = time.process_time()
        text = build()
        found[f"build_{name}_seconds"] = time.process_time() - begin
        file = folder / f"waits-{name}.html"
        file.write_text(text, encoding="utf-8")
        first, typing = _waits_in_browser(file)
        found |= {f"{name}_mb": len(text) / 1e6, f"first_cards_{name}_seconds": first, f"typing_{name}_ms": typing}
    return {name: round(value, 2) for name, value in found.items()}


def _waits_in_browser(file: Path) -> tuple[float, float]:
    """Seconds until the first cards, and milliseconds for the slowest of several words typed, each at its best."""
    from browser import chromium

    with chromium() as browser:
        page = browser.new_page(viewport={"width": 1280, "height": 800}, reduced_motion="reduce")
        session = page.context.new_cdp_session(page)
        session.send("Performance.enable", {"timeDomain": "threadTicks"})

        def busy() -> float:
            found = session.send("Performance.getMetrics")["metrics"]
            return float(next(each["value"] for each in found if each["name"] == "TaskDuration"))

        def typed(text: str) -> float:
            begin = busy()
            page.evaluate(TYPE, text)
            return (busy() - begin) * 1000

        page.goto(file.as_uri(), wait_until="commit")
        page.evaluate(FIRST_CARDS)
        first = busy()
        page.evaluate("lineagePage.ready")
        page.wait_for_timeout(1500)
        return first, max(min(typed(text) for _ in range(5)) for text in TYPED)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--sizes", type=int, nargs="+", default=[DEMO, 300, 2000], help="numbers of tables")
    parser.add_argument(
        "--waits", type=int, nargs="?", const=0, default=10_000, help="tables of the times; without a number: none"
    )
    settings = parser.parse_args()
    sizes = settings.sizes
    figures: dict[str, Any] = {}
    print(f"{'tables':>7} {'lines':>6} {'crossings':>10} {'length':>9} {'under cards':>12} {'fit':>6} {'seconds':>8}")
    with tempfile.TemporaryDirectory() as folder:
        for size in sizes:
            file = Path(folder) / f"{size}.html"
            text = demo_page(Path(folder)) if size == DEMO else warehouse_page(size)
            file.write_text(text, encoding="utf-8")
            found = measured(file)
            figures[str(size)] = found
            print(
                f"{found['tables']:>7} {found['lines']:>6} {found['crossings']:>10} {found['length']:>9} "
                f"{found['under']:>12} {found['fit']:>6.3f} {found['seconds']:>8.2f}",
                flush=True,
            )
        if settings.waits:
            figures["waits"] = found = waits(settings.waits, Path(folder))
            print(f"\n{settings.waits:,} tables")
            for name, value in found.items():
                print(f"{name.replace('_', ' '):>30} {value:>8.2f}")
    print(json.dumps(figures))


if __name__ == "__main__":
    main()
