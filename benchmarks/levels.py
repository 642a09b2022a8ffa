"""How long the column and the table level of a large model take, and how much memory.

Four shapes with the same number of relations: many ordinary statements, long chains of CTEs, wide unions, and temporary
tables that pass data from statement to statement. The memory is that of the whole process, models included. Prints a
table, and as last line the slowest and the largest figure.
"""

from __future__ import annotations

import argparse
import gc
import json
import resource
import time
from collections.abc import Callable

from connector.export import ExportOptions, to_dict
from connector.model import Column, Entity, EntityKind, Flow, Model, Process, Relation, Script
from connector.model.levels import column_level, table_level


class Maker:
    """A model that grows; names do not matter, only how the columns hang together."""

    def __init__(self) -> None:
        self.script = Script("insert into t select 1")
        self.model = Model("dbvansi", scripts=[self.script])
        self._id = 0

    def _next(self) -> int:
        self._id += 1
        return self._id

    def process(self, target: Entity | None, sources: list[Entity]) -> Process:
        number = self._next()
        digest = f"{number:032x}"
        process = Process(number, "Insert", (self.script, 0, 10), digest, "batchQueries", digest)
        process.flows.append(Flow(target, dict.fromkeys(sources)))
        self.model.processes.append(process)
        return process

    def entity(self, kind: EntityKind, columns: int, *, temporary: bool = False) -> Entity:
        number = self._next()
        entity = Entity(number, kind, f"{kind}_{number}", kind, table=f"{kind}_{number}", temporary=temporary)
        for at in range(columns):
            entity.columns[f"c{at}"] = Column(self._next(), f"c{at}", entity)
        entity.columns[""] = Column(self._next(), "PseudoRows", entity, system=True)
        self.model.entities.append(entity)
        return entity

    def relate(self, kind: str, sources: list[Column], target: Column, process: Process) -> None:
        clause = "where" if kind == "fdr" else None
        relations = self.model.relations
        relations.append(Relation(len(relations) + 1, kind, target, sources, "select", clause, process))

    def copy(self, source: Entity, target: Entity, process: Process) -> None:
        """Each column to its namesake, and rows to rows."""
        for key, column in source.columns.items():
            self.relate("fdr" if column.system else "fdd", [column], target.columns[key], process)


def statements(relations: int) -> Model:
    """Statements of about forty relations: a table through a CTE and a select list into another, with a filter."""
    make = Maker()
    while len(make.model.relations) < relations:
        source, target = make.entity("table", 12), make.entity("table", 12)
        process = make.process(target, [source])
        cte, select = make.entity("resultset", 12), make.entity("resultset", 12)
        for key, column in source.columns.items():
            if not column.system:
                make.relate("fdd", [column], cte.columns[key], process)
        make.relate("fdr", [source.columns["c0"], source.columns["c1"]], cte.columns[""], process)
        make.copy(cte, select, process)
        make.copy(select, target, process)
    return make.model


def chains(relations: int) -> Model:
    """CTEs of ten columns, five hundred deep, each with a filter of its own."""
    make = Maker()
    while len(make.model.relations) < relations:
        table, target = make.entity("table", 10), make.entity("table", 10)
        process = make.process(target, [table])
        last = make.entity("resultset", 10)
        make.copy(table, last, process)
        for _ in range(min(500, relations // 12)):
            following = make.entity("resultset", 10)
            make.copy(last, following, process)
            make.relate("fdr", [table.columns["c3"]], following.columns[""], process)
            last = following
        make.copy(last, target, process)
    return make.model


def unions(relations: int) -> Model:
    """Unions of two thousand branches."""
    make = Maker()
    while len(make.model.relations) < relations:
        target, union = make.entity("table", 10), make.entity("resultset", 10)
        process = make.process(target, [])
        for _ in range(min(2000, relations // 24)):
            source, branch = make.entity("table", 10), make.entity("resultset", 10)
            process.flows[0].sources[source] = None
            make.copy(source, branch, process)
            make.copy(branch, union, process)
        make.copy(union, target, process)
    return make.model


def temporaries(relations: int) -> Model:
    """Scripts that hand data through twenty temporary tables before it reaches a table."""
    make = Maker()
    while len(make.model.relations) < relations:
        last = make.entity("table", 20)
        for _ in range(20):
            following = make.entity("table", 20, temporary=True)
            process = make.process(following, [last])
            following.processes.append(process)
            make.copy(last, following, process)
            last = following
        target = make.entity("table", 20)
        make.copy(last, target, make.process(target, [last]))
    return make.model


SHAPES: dict[str, Callable[[int], Model]] = {
    "statements": statements,
    "chains": chains,
    "unions": unions,
    "temporaries": temporaries,
}


def derive(model: Model) -> int:
    """What is measured: both levels, and the plain data of the column level."""
    edges = column_level(model)
    table_level(model, edges=edges)
    return len(to_dict(model, "column", ExportOptions())["relations"])


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--relations", type=int, default=100_000)
    options = parser.parse_args()
    seconds, peak = 0.0, 0.0
    print(f"{'shape':12} {'relations':>10} {'edges':>10} {'seconds':>8} {'peak MB':>8}")
    for name, shape in SHAPES.items():
        model = shape(options.relations)
        gc.collect()
        started = time.perf_counter()
        edges = derive(model)
        spent = time.perf_counter() - started
        megabytes = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
        print(f"{name:12} {len(model.relations):>10,} {edges:>10,} {spent:>8.2f} {megabytes:>8.0f}")
        seconds, peak = max(seconds, spent), max(peak, megabytes)
    print(json.dumps({"seconds": round(seconds, 3), "peak_mb": round(peak, 1)}))


if __name__ == "__main__":
    main()
