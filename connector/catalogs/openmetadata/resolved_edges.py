"""Planned edges, with names resolved to the server's objects and columns."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from connector.catalogs.openmetadata.client import Document
from connector.catalogs.openmetadata.details import Contribution
from connector.catalogs.openmetadata.edge_descriptions import Told
from connector.catalogs.openmetadata.lookup import Found
from connector.catalogs.openmetadata.plan import (
    ARROW,
    LINEAGE_SOURCES,
    ColumnRef,
    Key,
    Mappings,
    PlannedEdge,
    PlannedStatement,
)

_LONGEST_FUNCTION = 10_000


@dataclass(slots=True)
class ResolvedEdge:
    """An edge between two objects of the server."""

    source: Found
    target: Found
    contribution: Contribution
    missing_columns: list[str] = field(default_factory=list)
    """Columns that statements name and the server does not have."""
    notes: list[str] = field(default_factory=list)
    """What else of it the server has no place for."""

    @property
    def name(self) -> str:
        return f"{self.source.fqn}{ARROW}{self.target.fqn}"

    @property
    def ids(self) -> tuple[str, str]:
        return self.source.id, self.target.id


@dataclass(slots=True)
class _Columns:
    sources: set[str] = field(default_factory=set)
    functions: set[str] = field(default_factory=set)


def resolve(edges: Iterable[PlannedEdge], found: Mapping[Key, Found], source: str) -> list[ResolvedEdge]:
    """The edges whose ends are both there. Names that turn out to be one object make one edge."""
    groups: dict[tuple[str, str], list[PlannedEdge]] = {}
    for edge in edges:
        if edge.source in found and edge.target in found:
            ids = found[edge.source].id, found[edge.target].id
            groups.setdefault(ids, []).append(edge)
    return [_resolve(group, found, source) for group in groups.values()]


def _resolve(group: list[PlannedEdge], found: Mapping[Key, Found], source: str) -> ResolvedEdge:
    first = group[0]
    start, end = found[first.source], found[first.target]
    missing: dict[str, None] = {}
    direct: dict[str, _Columns] = {}
    indirect: dict[str, _Columns] = {}
    for edge in group:
        _collect(edge.direct, start, end, direct, missing)
        _collect(edge.indirect, start, end, indirect, missing)
    made = {edge.made for edge in group}
    routines = sorted({key for edge in group for key in edge.routines})
    known = [found[key] for key in routines if key in found]
    contribution = Contribution(
        source,
        next((each for each in LINEAGE_SOURCES if each in made), "QueryLineage"),
        [*_entries(direct), *_entries(_impact(indirect, direct))],
        {each.identity: each.text for edge in group for each in edge.statements},
        tuple(sorted({found[key].fqn if key in found else key[1] for key in routines})),
        known[0].reference if known else None,
        _told(each for edge in group for each in edge.statements),
    )
    resolved = ResolvedEdge(start, end, contribution, list(missing))
    if any(edge.stars for edge in group):
        resolved.notes.append(f"{resolved.name}: a * was not expanded, its columns are not known")
    if len(known) > 1:
        resolved.notes.append(f"{resolved.name}: several routines write it, {known[0].fqn} is named as its pipeline")
    return resolved


def _told(statements: Iterable[PlannedStatement]) -> dict[str, Told]:
    """What people are told; of a statement that stands in several places, the first."""
    found: dict[str, Told] = {}
    for each in statements:
        told = Told(each.kind, each.place, each.since)
        found[each.identity] = min(told, found.get(each.identity, told))
    return found


def _collect(
    mappings: Mapping[ColumnRef, Mappings],
    start: Found,
    end: Found,
    into: dict[str, _Columns],
    missing: dict[str, None],
) -> None:
    for ref, made_of in mappings.items():
        target = end.column(ref)
        if target is None:
            missing[f"{end.fqn}.{ref.text}"] = None
            continue
        names = set()
        for origin in made_of.sources:
            name = start.column(origin)
            if name is None:
                missing[f"{start.fqn}.{origin.text}"] = None
            else:
                names.add(name)
        if names:
            columns = into.setdefault(target, _Columns())
            columns.sources |= names
            columns.functions |= made_of.functions


def _impact(indirect: dict[str, _Columns], direct: dict[str, _Columns]) -> dict[str, _Columns]:
    """Impact where there is no data flow between the same two columns."""
    found = {}
    for target, columns in indirect.items():
        rest = columns.sources - (direct[target].sources if target in direct else set())
        if rest:
            clauses = ", ".join(sorted(columns.functions))
            found[target] = _Columns(rest, {f"impact ({clauses})" if clauses else "impact"})
    return found


def _entries(columns: dict[str, _Columns]) -> list[Document]:
    entries = []
    for target in sorted(columns):
        entry: Document = {"fromColumns": sorted(columns[target].sources), "toColumn": target}
        functions = "; ".join(sorted(columns[target].functions))
        if functions:
            cut = len(functions) > _LONGEST_FUNCTION
            entry["function"] = functions[:_LONGEST_FUNCTION] + "…" if cut else functions
        entries.append(entry)
    return entries
