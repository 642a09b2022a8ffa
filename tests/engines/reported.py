"""What the analyser says of a script, in the words of the experiment: which base columns reach which target."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from connector import analyze
from connector.options import Options

Column = tuple[str, str]
"""A table and one of its columns, folded."""

ROWS = "rows"
"""The row column: how many rows there are, and which."""

_ROW_COLUMNS = frozenset({"pseudorows", "relationrows"})
_OPTIONS = Options(write_through_views=True)
"""What an engine writes through a view is in a table afterwards."""


@dataclass
class Reported:
    """The lineage of one target."""

    sources: dict[Column, set[str]] = field(default_factory=lambda: defaultdict(set))
    """Column level: base columns and the target's columns they have a relation to, direct or not."""
    direct: set[tuple[Column, str]] = field(default_factory=set)
    """Column level: base columns whose values go into a column of the target."""
    reached: dict[Column, set[str]] = field(default_factory=dict)
    """Complete level: the target's columns that a base column reaches over any number of steps."""
    errors: list[str] = field(default_factory=list)


def folded(name: str | None) -> str:
    text = (name or "").lower()
    if text[:1] + text[-1:] in ('""', "``", "[]") and len(text) > 1:
        text = text[1:-1]
    return ROWS if text in _ROW_COLUMNS else text


def report(script: str, target: str, metadata: Mapping[str, Sequence[str]], dialect: str = "duckdb") -> Reported:
    lineage = analyze(script, dialect=dialect, metadata=dict(metadata), options=_OPTIONS)
    column = lineage.to_dict(level="column")
    reported = Reported(errors=[f"{error['errorType']}: {error['errorMessage']}" for error in column["errors"]])
    edges = [
        (_end(relation["source"]), relation["type"], _end(relation["target"]))
        for relation in column["relations"]
        if relation["type"] != "join"
    ]
    made = {table for _, _, (table, _) in edges} - set(metadata)
    for source, outputs in _chained(edges, target, made).items():
        reported.sources[source] |= outputs
    reported.direct = _direct(edges, target, made)
    reported.reached = _reached(lineage.to_dict(level="complete"), target)
    return reported


def _end(end: Mapping[str, Any]) -> Column:
    return folded(end["table"]), folded(end["column"])


def _chained(edges: Iterable[tuple[Column, str, Column]], target: str, made: set[str]) -> dict[Column, set[str]]:
    """Base columns of the target, through the views and tables that the script makes on the way.

    On the way any relation into a view counts for the whole view: the column level leaves out that a column decides the
    rows where it reaches the view by another edge already.
    """
    into: dict[str, list[tuple[Column, str]]] = defaultdict(list)
    for source, _, (table, column) in edges:
        into[table].append((source, column))
    found: dict[Column, set[str]] = defaultdict(set)
    seen = {target}
    waiting = [(source, column) for source, column in into[target]]
    while waiting:
        source, column = waiting.pop()
        if source[0] in made and source[0] != target:
            if source[0] not in seen:
                seen.add(source[0])
                waiting += [(further, column) for further, _ in into[source[0]]]
        else:
            found[source].add(column)
    return found


def _direct(edges: Iterable[tuple[Column, str, Column]], target: str, made: set[str]) -> set[tuple[Column, str]]:
    into: dict[Column, list[Column]] = defaultdict(list)
    for source, kind, end in edges:
        if kind == "fdd" and ROWS not in (source[1], end[1]):
            into[end].append(source)
    found: set[tuple[Column, str]] = set()
    for end in list(into):
        if end[0] != target:
            continue
        seen, waiting = set(), list(into[end])
        while waiting:
            source = waiting.pop()
            if source in seen:
                continue
            seen.add(source)
            if source[0] in made and source[0] != target:
                waiting += into[source]
            else:
                found.add((source, end[1]))
    return found


def _reached(complete: Mapping[str, Any], target: str) -> dict[Column, set[str]]:
    """Every relation of every step is followed; what decides the rows of an entity decides its columns."""
    names: dict[str, Column] = {}
    onward: dict[str, set[str]] = defaultdict(set)
    starts: list[str] = []
    for entity in complete["dbobjs"]:
        columns = [(column["id"], folded(column["name"])) for column in entity.get("columns", ())]
        table = folded(entity["name"].rsplit(".", 1)[-1])
        for id_, name in columns:
            names[id_] = (table, name)
            if name == ROWS:
                onward[id_] |= {other for other, _ in columns}
        if entity["type"] in ("table", "view"):
            starts += [id_ for id_, _ in columns]
    for relation in complete["relations"]:
        if relation["type"] != "join":
            for source in relation["sources"]:
                onward[source["id"]].add(relation["target"]["id"])
    reached: dict[Column, set[str]] = defaultdict(set)
    for start in starts:
        seen: set[str] = set()
        waiting = list(onward[start])
        while waiting:
            id_ = waiting.pop()
            if id_ not in seen:
                seen.add(id_)
                waiting += onward[id_]
        reached[names[start]] |= {column for table, column in map(names.__getitem__, seen) if table == target}
    return reached
