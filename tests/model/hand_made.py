"""Models written by hand, the way the analyser fills them, so that levels and exports are tested by themselves."""

from __future__ import annotations

import hashlib
import re
from typing import Any

from connector.model import Argument, Column, Entity, Flow, Model, Problem, Procedure, Process, Relation, Script, Span


class Builder:
    """Adds elements to a model by name. A column is written ``entity.column``, the row column ``entity.rows``."""

    def __init__(self, sql: str = "", *, vendor: str = "dbvansi", **settings: Any) -> None:
        self.script = Script(sql)
        self.model = Model(vendor, scripts=[self.script], **settings)
        self.entities: dict[str, Entity] = {}
        self._id = 0

    def _next(self) -> int:
        self._id += 1
        return self._id

    def span(self, coordinate: str | None) -> Span | None:
        """``"1,6-1,17"``, lines and columns as the outputs show them."""
        if coordinate is None:
            return None
        line, column, last, behind = [int(number) for number in re.findall(r"\d+", coordinate)]
        return self.script, self._offset(line, column), self._offset(last, behind)

    def _offset(self, line: int, column: int) -> int:
        starts = [0, *[match.end() for match in re.finditer("\n", self.script.text)]]
        return starts[line - 1] + column - 1

    def process(
        self, kind: str, coordinate: str | None = None, *, text: str | None = None, procedure: str = "batchQueries"
    ) -> Process:
        span = self.span(coordinate) or (self.script, 0, len(self.script.text))
        text = text if text is not None else f"{kind} {len(self.model.processes)}"
        digest = hashlib.md5(text.encode()).hexdigest()
        process = Process(self._next(), kind, span, digest, procedure, digest)
        self.model.processes.append(process)
        return process

    def entity(
        self,
        name: str,
        kind: Any = "table",
        type: str | None = None,
        columns: str = "",
        at: str | None = None,
        **attributes: Any,
    ) -> Entity:
        parts = name.replace('"', "").split(".")
        layers: dict[str, Any] = {"table": parts[-1]}
        if kind in ("table", "view", "stage"):
            if len(parts) > 1:
                layers["schema"] = parts[-2]
            if len(parts) > 2:
                layers["database"] = parts[-3]
        entity = Entity(self._next(), kind, name, type or kind, span=self.span(at), **{**layers, **attributes})
        self.entities[name] = entity
        self.model.entities.append(entity)
        for column in columns.split():
            column_name, _, coordinate = column.partition("@")
            self.column(f"{name}.{column_name}", coordinate or None)
        return entity

    def column(self, path: str, at: str | None = None) -> Column:
        owner, _, name = path.rpartition(".")
        entity = self.entities.get(owner) or self.entity(owner)
        rows = name == "rows"
        key = "" if rows else name.lower()
        column = entity.columns.get(key)
        if column is None:
            span = self.span(at) or (entity.span if rows else None)
            column = Column(self._next(), "PseudoRows" if rows else name, entity, span, system=rows)
            entity.columns[key] = column
        return column

    def relation(
        self,
        sources: str,
        target: str,
        process: Process | None = None,
        type: str = "fdd",
        effect: str | None = "select",
        **attributes: Any,
    ) -> Relation:
        relation = Relation(
            len(self.model.relations) + 1,
            type,
            self.column(target),
            [self.column(source) for source in sources.split()],
            effect,
            process=process,
            **attributes,
        )
        self.model.relations.append(relation)
        return relation

    def flow(self, process: Process, target: str | None, sources: str = "") -> Flow:
        entity = self.entities[target] if target is not None else None
        flow = Flow(entity, dict.fromkeys(self.entities[source] for source in sources.split()))
        process.flows.append(flow)
        if entity is not None and process not in entity.processes:
            entity.processes.append(process)
        return flow

    def procedure(self, name: str, arguments: list[tuple[str, str, str]], at: str | None = None) -> Procedure:
        made = [Argument(self._next(), argument, datatype, inout) for argument, datatype, inout in arguments]
        procedure = Procedure(self._next(), name, "createprocedure", made, self.span(at))
        self.model.procedures.append(procedure)
        return procedure

    def problem(self, message: str, at: str = "1,1-1,2", type: str = "SyntaxError") -> Problem:
        span = self.span(at)
        assert span is not None
        problem = Problem(type, message, span)
        self.model.problems.append(problem)
        return problem


def insert_with_cte() -> Model:
    """``with c(x) as (select a from t where b > 1) insert into o (y) select x from c``"""
    build = Builder("with c(x) as (select a from t where b > 1) insert into o (y) select x from c")
    process = build.process("Insert", text=build.script.text)
    build.entity("o", columns="y")
    build.entity("t", columns="a b")
    for name, kind in (("RS-1", "select_list"), ("CTE-C-1", "with_cte"), ("INSERT-SELECT-1", "insert-select")):
        build.entity(name, "resultset", kind)
    build.relation("t.a", "RS-1.a", process)
    build.relation("t.b", "RS-1.rows", process, "fdr", clause="where")
    build.relation("RS-1.a", "CTE-C-1.x", process)
    build.relation("RS-1.rows", "CTE-C-1.rows", process, "fdr")
    build.relation("CTE-C-1.x", "INSERT-SELECT-1.x", process)
    build.relation("CTE-C-1.rows", "INSERT-SELECT-1.rows", process, "fdr")
    build.relation("INSERT-SELECT-1.x", "o.y", process, effect="insert")
    build.relation("INSERT-SELECT-1.rows", "o.rows", process, "fdr", effect="insert")
    build.flow(process, "o", "t")
    return build.model
