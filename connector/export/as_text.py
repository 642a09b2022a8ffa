"""A tree for people: what each statement writes, and where it comes from.

Data flow is marked ``<-``, impact ``<~`` with its clause, joins ``--``. The complete level shows every step through the
resultsets, the others are end to end. Problems are not part of it: commands report them as messages.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from connector.export.derived import column_edges, table_edges
from connector.export.view import LEVELS, ExportOptions, complete_view, printable
from connector.model import BATCH, Column, Entity, Model, Process, Relation
from connector.naming import unquote

_ARROWS = {"fdd": "<-", "fdr": "<~", "join": "--", "er": "--", "call": "<="}
_RESET, _BOLD, _DIM, _CYAN, _GREEN = "\x1b[0m", "\x1b[1m", "\x1b[2m", "\x1b[36m", "\x1b[32m"


class TextExporter:
    name = "text"
    levels = LEVELS

    def render(self, model: Model, level: str, options: ExportOptions) -> str:
        paint = _Paint(options.color)
        if level == "table":
            trees = _table_trees(model, options, paint)
        elif level == "column":
            trees = _column_trees(model, options, paint)
        else:
            trees = _complete_trees(model, options, paint)
        lines = []
        for tree in trees:
            lines.append(tree.text)
            lines.extend(_branches(tree.children, ""))
        if not lines:
            lines.append("no lineage")
        return "\n".join(lines) + "\n"


@dataclass(slots=True, eq=False)
class _Tree:
    text: str
    children: list[_Tree] = field(default_factory=list)


@dataclass(slots=True)
class _Paint:
    """Colours for a terminal. Control characters in names never reach it."""

    on: bool

    def __call__(self, text: str, style: str = "") -> str:
        text = printable(text)
        return f"{style}{text}{_RESET}" if self.on and style else text


def _branches(trees: list[_Tree], margin: str) -> Iterator[str]:
    for tree in trees:
        last = tree is trees[-1]
        yield f"{margin}{'└─ ' if last else '├─ '}{tree.text}"
        yield from _branches(tree.children, margin + ("   " if last else "│  "))


def _statement(process: Process | None, paint: _Paint, count: int = 1) -> str:
    if process is None:
        return paint("(no statement)", _BOLD)
    script, start, _ = process.span
    place = f"line {script.position(start)[0]}"
    if script.name:
        place = f"{script.name}, {place}"
    if process.procedure_name != BATCH:
        place += f", in {process.procedure_name}"
    if process.approximate:
        place += ", tables only"
    if count > 1:
        place += f", {count} times"
    return f"{paint(process.type, _BOLD)}  {paint(place, _DIM)}"


def _table_trees(model: Model, options: ExportOptions, paint: _Paint) -> Iterator[_Tree]:
    """Statement, target, sources; then the statements that only read or only write."""
    level = table_edges(model, options)
    written: dict[Process | None, dict[Entity, list[_Tree]]] = {}
    counts: dict[Process | None, int] = {}
    for edge in level.relations:
        counts[edge.process] = max(edge.count, counts.get(edge.process, 1))
        sources = written.setdefault(edge.process, {}).setdefault(edge.target, [])
        sources.append(_Tree(f"{_ARROWS[edge.type]} {paint(edge.source.name, _CYAN)}"))
    for process, targets in written.items():
        children = [_Tree(paint(entity.name, _GREEN), sources) for entity, sources in targets.items()]
        yield _Tree(_statement(process, paint, counts[process]), children)
    shown = {process.identity for process in written if process is not None}
    for facts in level.statements:
        looked_through = bool(facts.outputs) and all(entity.temporary for entity in facts.outputs)
        if facts.process.identity not in shown and not looked_through:
            outputs = [_Tree(f"writes {paint(entity.name, _GREEN)}") for entity in facts.outputs]
            inputs = [_Tree(f"reads {paint(entity.name, _CYAN)}") for entity in facts.inputs]
            yield _Tree(_statement(facts.process, paint), outputs + inputs)


def _column_trees(model: Model, options: ExportOptions, paint: _Paint) -> Iterator[_Tree]:
    written: dict[Process | None, list[tuple[Column, Column, str, str | None]]] = {}
    counts: dict[Process | None, int] = {}
    for edge in column_edges(model, options):
        counts[edge.process] = max(edge.count, counts.get(edge.process, 1))
        note = edge.condition if edge.type == "join" else edge.clause
        written.setdefault(edge.process, []).append((edge.source, edge.target, edge.type, note))
    for process, edges in written.items():
        yield _Tree(_statement(process, paint, counts[process]), _targets(edges, paint))


def _complete_trees(model: Model, options: ExportOptions, paint: _Paint) -> Iterator[_Tree]:
    written: dict[Process | None, list[Relation]] = {}
    for relation in complete_view(model, options).relations:
        written.setdefault(relation.process, []).append(relation)
    for process, relations in written.items():
        edges = [
            (source, relation.target, relation.type, relation.condition if relation.type == "join" else relation.clause)
            for relation in relations
            for source in relation.sources
        ]
        yield _Tree(_statement(process, paint), _targets(edges, paint))


def _targets(edges: Iterable[tuple[Column, Column, str, str | None]], paint: _Paint) -> list[_Tree]:
    """Target entity, its columns, and below each of them its sources; joins are a separate branch."""
    entities: dict[Entity, dict[Column, list[_Tree]]] = {}
    joins: list[_Tree] = []
    for source, target, kind, note in edges:
        origin = f"{paint(source.entity.name, _CYAN)}.{paint(unquote(source.name))}"
        remark = f"  {paint(f'({note})', _DIM)}" if note else ""
        if kind in ("join", "er"):
            other = f"{paint(target.entity.name, _CYAN)}.{paint(unquote(target.name))}"
            joins.append(_Tree(f"{origin} {_ARROWS[kind]} {other}{remark}"))
            continue
        columns = entities.setdefault(target.entity, {})
        columns.setdefault(target, []).append(_Tree(f"{_ARROWS.get(kind, '<-')} {origin}{remark}"))
    trees = [
        _Tree(
            paint(entity.name, _GREEN), [_Tree(paint(unquote(column.name)), found) for column, found in columns.items()]
        )
        for entity, columns in entities.items()
    ]
    if joins:
        trees.append(_Tree(paint("joins", _DIM), joins))
    return trees
