"""The part of a complete model that the options select: the elements to show, and relations that bypass the others."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Literal

from connector.model import ClauseType, Column, EffectType, Entity, Model, Process, Relation, RelationType, Script, Span
from connector.model.levels.walk import ColumnEdge, edges_between, sort_by_target
from connector.options import Switches

Level = Literal["complete", "column", "table"]
LEVELS: tuple[Level, ...] = ("complete", "column", "table")

ExportOptions = Switches
"""The options of an analysis that exports look at."""


Pair = list[list[int]]
"""Start and end, each as line, column and script index; the end is after the last character."""

_NOWHERE: Pair = [[-1, -1, 0], [-1, -1, 0]]


def coordinates(span: Span | None) -> Pair:
    """``[[line, column, script], [line, column, script]]``; -1 where there is no text."""
    if span is None:
        return _NOWHERE
    script, start, end = span
    index = script.index
    starts = script.line_starts
    if starts is None and script.__class__ is Script:
        starts = script.find_lines()
    if starts is not None:
        # Start and end are nearly always on the same line, and one search is enough: the next line starts after the end.
        line = bisect_right(starts, start)
        column = start - starts[line - 1] + 1
        if start <= end < starts[line]:
            return [[line, column, index], [line, column + end - start, index]]
    (line, column), (last, behind) = script.extent(start, end)
    return [[line, column, index], [last, behind, index]]


def coordinate_text(span: Span | None) -> str:
    """The same as text: ``[1,6,0],[1,17,0]``."""
    (line, column, index), (last, behind, _) = coordinates(span)
    return f"[{line},{column},{index}],[{last},{behind},{index}]"


@dataclass(slots=True, eq=False)
class View:
    """The visible part of a complete model."""

    entities: list[Entity]
    relations: list[Relation]
    processes: list[Process]


def complete_view(model: Model, options: ExportOptions) -> View:
    """Applies the options. With the defaults, the entities and relations of the model are returned unchanged."""
    entities, relations, processes = model.entities, model.relations, model.processes
    if not options.top_select:
        processes = [process for process in processes if process.type != "Select"]
    if not (options.function and options.recordset):
        entities = [entity for entity in entities if _shown(entity, options)]
        relations = list(_past_hidden(model, set(entities)))
    if not (options.impact and options.dataflow and options.joins):
        hidden = _hidden_types(options)
        relations = [relation for relation in relations if relation.type not in hidden]
    return View(entities, relations, processes)


def _shown(entity: Entity, options: ExportOptions) -> bool:
    if entity.kind != "resultset":
        return True
    if entity.type == "function":
        return options.function
    return options.recordset or bool(entity.processes)


def _hidden_types(options: ExportOptions) -> set[str]:
    hidden = set()
    if not options.impact:
        hidden.add("fdr")
    if not options.dataflow:
        hidden.add("fdd")
    if not options.joins:
        hidden.update(("join", "er"))
    return hidden


def _past_hidden(model: Model, shown: set[Entity]) -> Iterator[Relation]:
    """The relations between visible entities; chains through hidden ones are combined into one relation by the chain rule."""
    roots, between, links = sort_by_target(model.relations, shown)
    bundles: dict[_Bundle, list[Column]] = {}
    for edge in edges_between(roots, between, shown, impact=True):
        bundles.setdefault(_bundle(edge), []).append(edge.source)
    number = 0
    for (kind, target, effect, clause, process), sources in bundles.items():
        number += 1
        yield Relation(number, kind, target, sources, effect, clause, process)
    for link in links:
        sources = [source for source in link.sources if source.entity in shown]
        if sources and link.target.entity in shown:
            number += 1
            yield replace(link, id=number, sources=sources)
    for relation in model.relations:
        if relation.type == "call":
            number += 1
            yield replace(relation, id=number)


_Bundle = tuple[RelationType, Column, EffectType | None, ClauseType | None, Process | None]


def _bundle(edge: ColumnEdge) -> _Bundle:
    return edge.type, edge.target, edge.effect, edge.clause, edge.process


def printable(text: str) -> str:
    """Text without control characters, which must not reach a terminal from a name."""
    return text if text.isprintable() else "".join([c if c.isprintable() else repr(c)[1:-1] for c in text])


_SPECIAL = re.compile(r'[&<>"\t\r\n]|[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]')
_ENTITIES = {"&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "\t": "&#9;", "\r": "&#13;", "\n": "&#10;"}
_NO_CHARACTER = "\N{REPLACEMENT CHARACTER}"


def escape(text: str) -> str:
    """Text for an attribute value or an element. White space is preserved; characters that XML does not allow are replaced."""
    return _SPECIAL.sub(_replacement, text)


def _replacement(match: re.Match[str]) -> str:
    return _ENTITIES.get(match[0], _NO_CHARACTER)


def element(tag: str, *, close: bool = True, **attributes: str | int | None) -> str:
    """A tag with its attributes in the given order; those without a value are omitted."""
    pieces = [f'{name}="{escape(str(value))}"' for name, value in attributes.items() if value is not None]
    return f"<{' '.join([tag, *pieces])}{'/>' if close else '>'}"
