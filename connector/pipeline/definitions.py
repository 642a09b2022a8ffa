"""Tables and views that the scripts of a job define, as metadata for all its statements.

Each script is analysed by itself, on any machine and in any order. What one script creates another one reads all the
same, and a `select *` in it can only be expanded with the knowledge of both.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import NamedTuple

from connector.analysis.definitions import read_definitions
from connector.guard import Guard, Limits, Stopped
from connector.guard.blame import attempt, isolate
from connector.metadata import MappingMetadata, TableInfo
from connector.model import Script
from connector.sources.record import SourceStatement
from connector.sql.dialects import get_dialect

_Tables = list[tuple[tuple[str, ...], TableInfo]]


class _Place(NamedTuple):
    """What decides how the names in a script are understood."""

    dialect: str
    cluster: str | None
    database: str | None
    schema: str | None


class _Request(NamedTuple):
    place: _Place
    texts: list[str]


def definitions_in(
    statements: Iterable[SourceStatement], limits: Limits
) -> dict[tuple[str, str | None], MappingMetadata]:
    """What the scripts and views define, by dialect and cluster.

    They are read in order. A script that exceeds the limits defines nothing.
    """
    texts: dict[_Place, list[str]] = {}
    for statement in statements:
        if statement.kind in ("script", "view"):
            place = _Place(statement.dialect, statement.cluster, statement.database, statement.schema)
            texts.setdefault(place, []).append(statement.text)
    found: dict[tuple[str, str | None], MappingMetadata] = {}
    with Guard(_read, limits) as guard:
        for place, scripts in texts.items():
            for parts, info in _guarded(guard, place, scripts):
                found.setdefault((place.dialect, place.cluster), MappingMetadata()).add(parts, info)
    return found


def _guarded(guard: Guard[_Request, _Tables], place: _Place, texts: list[str]) -> _Tables:
    """All scripts together, because a view of one may select from a table of another; without those that cannot be read."""

    def rest(blamed: list[int]) -> _Tables:
        # If no script is to blame, they are only a lot of work together.
        limits = guard.limits
        longer = limits if blamed else replace(limits, seconds=limits.seconds * len(texts))
        with Guard(_read, longer) as patient:
            return patient(_Request(place, [text for number, text in enumerate(texts) if number not in blamed]))

    tables = attempt(lambda: guard(_Request(place, texts)))
    if not isinstance(tables, Stopped):
        return tables
    if len(texts) == 1:
        return []
    found = isolate(range(len(texts)), lambda number: guard(_Request(place, [texts[number]])), rest)
    return [table for each in found.alone for table in each] if isinstance(found.rest, Stopped) else found.rest


def _read(request: _Request) -> _Tables:
    place = request.place
    scripts = [Script(text, number) for number, text in enumerate(request.texts)]
    found = read_definitions(
        scripts, get_dialect(place.dialect), default_database=place.database, default_schema=place.schema
    )
    return list(found.entries())
