"""How long a large lineage takes into the store, and how long the store takes to answer.

The lineage is a warehouse of five layers: tables of twenty columns, each made from two tables of the layer before, with a
filter, and a calendar that many of them use. It is loaded into a new SQLite file, loaded again, and then asked upstream and downstream, tables and columns, by
complete names and by endings. Prints a table, and as last line the first load and the slowest answer.
"""

from __future__ import annotations

import argparse
import json
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from statistics import median

from connector.model import Column, Entity, Flow, Model, Process, Relation, Script
from connector.store import Store

LAYERS = ("landing", "staging", "core", "mart", "report")
COLUMNS = 20
FILTERS = 2
CALENDAR = 20
"""One table in so many is filtered by the calendar, the table that every warehouse uses everywhere."""


def warehouse(edges: int) -> Model:
    """A model with at least so many edges between columns."""
    script = Script("insert into t select 1")
    model = Model("dbvsnowflake", cluster="prod", scripts=[script])
    made = 0

    def number() -> int:
        nonlocal made
        made += 1
        return made

    def table(layer: str, at: int) -> Entity:
        name = f"t_{at:05}"
        entity = Entity(number(), "table", f"{layer}.{name}", "table", database="shop", schema=layer, table=name)
        for place in range(COLUMNS):
            entity.columns[f"C{place}"] = Column(number(), f"c{place}", entity)
        entity.columns[""] = Column(number(), "PseudoRows", entity, system=True)
        model.entities.append(entity)
        return entity

    def relate(kind: str, source: Column, target: Column, process: Process) -> None:
        clause = "where" if kind == "fdr" else None
        relations = model.relations
        relations.append(Relation(len(relations) + 1, kind, target, [source], "insert", clause, process))

    for_each = COLUMNS + FILTERS
    width = max(4, -(-edges // (for_each * (len(LAYERS) - 1))))
    calendar = table("core", 99999)
    before = [table(LAYERS[0], at) for at in range(width)]
    for layer in LAYERS[1:]:
        tables = [table(layer, at) for at in range(width)]
        for at, target in enumerate(tables):
            left, right = before[at], before[(at * 7 + 1) % width]
            digest = f"{number():032x}"
            process = Process(number(), "Insert", (script, 0, 10), digest, "batchQueries", digest)
            process.flows.append(Flow(target, {left: None, right: None}))
            model.processes.append(process)
            for place in range(COLUMNS):
                source = left if place % 2 else right
                relate("fdd", source.columns[f"C{place}"], target.columns[f"C{place}"], process)
            for place in range(FILTERS):
                filtered = calendar if place == 0 and at % CALENDAR == 0 else right
                relate("fdr", filtered.columns[f"C{place}"], target.columns[""], process)
                process.flows[0].sources[filtered] = None
        before = tables
    return model


def clock(work: Callable[[], object], times: int = 1) -> float:
    """Seconds, the median of some tries."""
    taken = []
    for _ in range(times):
        started = time.perf_counter()
        work()
        taken.append(time.perf_counter() - started)
    return median(taken)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--edges", type=int, default=200_000)
    parser.add_argument("--store", help="another store than a SQLite file that is thrown away")
    options = parser.parse_args()
    model = warehouse(options.edges)
    with tempfile.TemporaryDirectory() as folder, Store.open(options.store or Path(folder) / "lineage.db") as store:
        load_seconds = clock(lambda: store.load(model, source="benchmark"))
        again_seconds = clock(lambda: store.load(model, source="benchmark"))
        questions: dict[str, Callable[[], object]] = {
            "upstream, table": lambda: store.upstream("shop.report.t_00042@prod"),
            "upstream, table, end of a name": lambda: store.upstream("report.t_00042"),
            "upstream, all columns of a table": lambda: store.upstream("shop.report.t_00042@prod", columns=True),
            "upstream, column": lambda: store.upstream("shop.report.t_00042.c3@prod"),
            "upstream, column, end of a name": lambda: store.upstream("report.t_00042.c3"),
            "downstream, table": lambda: store.downstream("shop.landing.t_00042@prod"),
            "downstream, all columns of a table": lambda: store.downstream("shop.landing.t_00042@prod", columns=True),
            "downstream, a table used everywhere": lambda: store.downstream("shop.core.t_99999@prod"),
            "downstream, two steps": lambda: store.downstream("landing.t_00042", depth=2, columns=True),
        }
        print(f"{'what':40} {'time':>12}")
        print(f"{f'load of {len(model.relations):,} edges':40} {load_seconds:>10.2f} s")
        print(f"{'the same load again':40} {again_seconds:>10.2f} s")
        slowest = 0.0
        for question, ask in questions.items():
            milliseconds = clock(ask, times=5) * 1000
            slowest = max(slowest, milliseconds)
            print(f"{question:40} {milliseconds:>9.1f} ms")
    print(json.dumps({"load_seconds": round(load_seconds, 3), "query_ms": round(slowest, 1)}))


if __name__ == "__main__":
    main()
