"""Resolves what a person types to an object or column of the store.

A name may be complete (`shop.core.orders@prod`), lack the cluster, or be only the end of the name (`core.orders`,
`orders`, `orders.id`). A complete match beats an ending, an exact spelling beats one in another case, and an object beats a
column. If the name is still ambiguous, the error lists the candidates.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from difflib import get_close_matches
from typing import Any, NoReturn

from sqlalchemy import Connection, Select, func

from connector.errors import ConfigurationError
from connector.naming import QualifiedName, parse_name
from connector.store.object_rows import DATASETS
from connector.store.rows import select_among
from connector.store.tables import COLUMN_NAMES, COLUMNS, OBJECT_NAMES, OBJECTS

_COMPARED = 20_000
"""Number of names that an unknown name is compared with."""

_LISTED = 10
"""Maximum number of candidates in an error message."""


class UnknownNameError(ConfigurationError):
    """Nothing in the store has this name."""


class AmbiguousNameError(ConfigurationError):
    """Several objects in the store match this name."""

    def __init__(self, message: str, candidates: list[str]) -> None:
        super().__init__(message)
        self.candidates = candidates


@dataclass(frozen=True, slots=True)
class Named:
    """An object or column of the store."""

    number: int
    name: str
    kind: str
    """The type of the object, or of the object the column belongs to."""
    is_column: bool = False


def find_name(connection: Connection, name: str) -> Named:
    """The object or column with this name. Raises one of the errors above if there is none or more than one."""
    wanted = parse_name(name)
    exact = _objects(connection, _OBJECTS.where(OBJECTS.c.qualified_name == name))
    if exact:  # a table and a view of one name, left by another program, cannot be told apart
        return exact[0]
    objects = _objects(connection, _OBJECTS.where(_holds(OBJECTS.c.qualified_name, wanted.parts[-1])))
    found = _best(wanted, objects)
    if not found:
        found = _best(wanted, _columns_by_name(connection, wanted))
    return _only(name, found) if found else _unknown(connection, name, wanted)


def _unknown(connection: Connection, name: str, wanted: QualifiedName) -> NoReturn:
    """The error for a name that the store does not know, with those that it may have been meant to be."""
    query = _OBJECTS.order_by(OBJECTS.c.qualified_name).limit(_COMPARED)
    size = len(wanted.parts)
    ends: dict[str, None] = {}
    # Besides all objects, the columns of the object that the name begins with.
    columns = _columns_by_name(connection, wanted) if size > 1 else []
    for named in [*_objects(connection, query), *columns]:
        ends[".".join(parse_name(named.name).parts[-size:])] = None
    written = {end.lower(): end for end in reversed(ends)}
    near = [written[end] for end in get_close_matches(".".join(wanted.parts).lower(), list(written), n=3, cutoff=0.75)]
    meant = f" Did you mean {' or '.join(near)}?" if near else ""
    raise UnknownNameError(f"The store has no table, view, path, stage or column {name!r}.{meant}")


_OBJECTS = OBJECT_NAMES.where(OBJECTS.c.object_type.in_(DATASETS))


def _objects(connection: Connection, query: Select[Any]) -> list[Named]:
    return _named(connection.execute(query))


def _named(rows: Iterable[Any], *, is_column: bool = False) -> list[Named]:
    return [Named(int(guid), name, kind, is_column) for guid, name, kind in rows if guid.isdecimal()]


def _columns_by_name(connection: Connection, wanted: QualifiedName) -> list[Named]:
    """Finds columns through their possible objects, which are few; a bare column name requires reading all columns."""
    *owner, last = wanted.parts
    if not owner:
        found = connection.execute(COLUMN_NAMES.where(_holds(COLUMNS.c.qualified_name, last)))
        return _named(found, is_column=True)
    objects = _objects(connection, _OBJECTS.where(_holds(OBJECTS.c.qualified_name, owner[-1])))
    fitting = QualifiedName(tuple(owner), wanted.cluster)
    guids = [
        str(named.number) for named in objects if _fits(fitting, parse_name(named.name), _any_case, complete=False)
    ]
    return _named(select_among(connection, COLUMN_NAMES, COLUMNS.c.parent_id, guids), is_column=True)


def _holds(column: Any, part: str) -> Any:
    """A condition that every name with this part satisfies, and few others; databases only agree on folding ASCII."""
    pattern = "".join(["%" if char == '"' else any_letter(char) for char in part.lower()])
    return like(column, f"%{pattern}%")


def like(column: Any, pattern: str) -> Any:
    """The condition that a column, in lower case, matches a pattern of `any_letter`."""
    return func.lower(column).like(pattern, escape="\\")


def any_letter(char: str) -> str:
    """One character of a pattern. Databases fold ASCII alone alike; for the rest any character does until we look again."""
    if not char.isascii():
        return "_"
    return "\\" + char if char in "\\%_" else char


def _same(text: str) -> str:
    return text


def _any_case(text: str) -> str:
    return text.lower()


def _best(wanted: QualifiedName, candidates: Iterable[Named]) -> list[Named]:
    """The best candidates: the whole name as written, its end as written, then both case-insensitive."""
    parsed = [(named, parse_name(named.name)) for named in candidates]
    for fold in (_same, _any_case):
        for complete in (True, False):
            found = [named for named, name in parsed if _fits(wanted, name, fold, complete=complete)]
            if found:
                return found
    return []


def _fits(wanted: QualifiedName, name: QualifiedName, fold: Callable[[str], str], *, complete: bool) -> bool:
    if wanted.cluster is not None and (name.cluster is None or fold(wanted.cluster) != fold(name.cluster)):
        return False
    size = len(wanted.parts)
    if complete and size != len(name.parts):
        return False
    return [fold(part) for part in wanted.parts] == [fold(part) for part in name.parts[-size:]]


def _only(name: str, found: list[Named]) -> Named:
    if len(found) == 1:
        return found[0]
    names = sorted(named.name for named in found)
    more = f" and {len(names) - _LISTED} more" if len(names) > _LISTED else ""
    message = f"{name!r} is ambiguous; choose one of {', '.join(names[:_LISTED])}{more}."
    raise AmbiguousNameError(message, names[:_LISTED])
