"""Tables and views that the scripts of a job define, as metadata for all its statements.

Each script is analysed by itself, on any machine and in any order. What one script creates another one reads all the
same, and a `select *` in it can only be expanded by somebody who has read both.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from connector.analysis.definitions import read_definitions
from connector.guard import Guard, Limits, Stopped
from connector.metadata import MappingMetadata, TableInfo
from connector.model import Script
from connector.sources.record import SourceStatement
from connector.sql.dialects import get_dialect

__all__ = ["definitions_in"]

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

    They are read in order. A script that cannot be read in time or memory defines nothing.
    """
    texts: dict[_Place, list[str]] = {}
    for statement in statements:
        if statement.kind in ("script", "view"):
            place = _Place(statement.dialect, statement.cluster, statement.database, statement.schema)
            texts.setdefault(place, []).append(statement.text)
    found: dict[tuple[str, str | None], MappingMetadata] = {}
    if not texts:
        return found
    with Guard(_read, limits) as guard:
        for place, scripts in texts.items():
            for parts, info in _guarded(guard, place, scripts):
                found.setdefault((place.dialect, place.cluster), MappingMetadata()).add(parts, info)
    return found


def _guarded(guard: Guard[_Request, _Tables], place: _Place, texts: list[str]) -> _Tables:
    """All scripts together, since a view of one may be made of a table of another; by halves around one that is too much."""
    try:
        return guard(_Request(place, texts))
    except Stopped:
        if len(texts) == 1:
            return []
        middle = len(texts) // 2
        return _guarded(guard, place, texts[:middle]) + _guarded(guard, place, texts[middle:])


def _read(request: _Request) -> _Tables:
    place = request.place
    scripts = [Script(text, number) for number, text in enumerate(request.texts)]
    found = read_definitions(
        scripts, get_dialect(place.dialect), default_database=place.database, default_schema=place.schema
    )
    return list(found.entries())
