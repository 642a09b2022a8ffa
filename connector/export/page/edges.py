"""What the page shows of lineage that is known as edges: a store, or the part of one around an object.

Here is no model and no text of a script, only objects, statements and the edges between them, so whoever has edges can
have the page; it need not be this project's store.

Relations are arrays without field names, because a large store has tens of thousands of them::

    complete   [type, id, target column, [source columns], effect, clause, process, join type, condition, approximate,
                expression]
    column     [type, source column, target column, effect, clause, process, count, join type, condition, approximate,
                transformation, expression]
    table      [type, source entity, target entity, process, count]

    columns    [name, id, stands for the rows, place, further places, type, comment], inside of their entity

Columns are counted through all entities in order, entities and processes are counted from 0; -1 is no process. A place
is ``[script, start, end]`` in the units of JavaScript's strings.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from connector.model import BATCH
from connector.naming import DEFAULT, join_name, parse_name, quote_part

VERSION = 1
"""Which form a document has; the page refuses one that it does not know."""

Place = list[int]


def trimmed(row: list[Any]) -> list[Any]:
    """A row without the empty cells at its end."""
    end = len(row)
    while end and row[end - 1] is None:
        end -= 1
    return row[:end]


def present(fields: dict[str, Any]) -> dict[str, Any]:
    """The fields that say something."""
    return {key: value for key, value in fields.items() if value}


@dataclass(frozen=True, slots=True)
class PageColumn:
    name: str
    """Without quotes."""
    system: bool = False
    """It stands for the rows of its table."""
    data_type: str | None = None
    comment: str | None = None


@dataclass(frozen=True, slots=True)
class PageObject:
    """A table, view, path, stage, variable or procedure."""

    key: Hashable
    """What the edges call it."""
    kind: str
    name: str
    """The bare name, without layers and quotes; of a path its URI."""
    database: str | None = None
    schema: str | None = None
    qualified_name: str | None = None
    columns: Sequence[PageColumn] = ()
    """As far as known; columns that edges name are added."""
    temporary: bool = False
    uri: str | None = None
    comment: str | None = None


@dataclass(frozen=True, slots=True)
class PageProcess:
    """A statement, and when it was seen."""

    key: Hashable
    type: str
    hash: str
    procedure: str = BATCH
    text: str | None = None
    """The text as it may be shown; literals have been masked by the caller if necessary."""
    users: Sequence[str] = ()
    first_seen: datetime | str | None = None
    last_seen: datetime | str | None = None
    count: int | None = None
    origin: str | None = None
    """The file or log it came from."""


@dataclass(frozen=True, slots=True)
class PageColumnEdge:
    type: str
    source: tuple[Hashable, str]
    """Key of the object, name of the column."""
    target: tuple[Hashable, str]
    process: Hashable | None = None
    effect: str | None = None
    clause: str | None = None
    count: int = 1
    join_type: str | None = None
    condition: str | None = None
    transformation: str | None = None
    expression: str | None = None
    """The text as it may be shown; literals have been masked by the caller if necessary."""


@dataclass(frozen=True, slots=True)
class PageTableEdge:
    type: str
    source: Hashable
    target: Hashable
    process: Hashable | None = None
    count: int = 1


@dataclass(slots=True)
class _Numbers:
    """Objects and columns in the order in which the document counts them."""

    entities: dict[Hashable, int] = field(default_factory=dict)
    columns: dict[tuple[Hashable, str], int] = field(default_factory=dict)


def edges_document(
    *,
    title: str,
    objects: Iterable[PageObject],
    column_edges: Iterable[PageColumnEdge] = (),
    table_edges: Iterable[PageTableEdge] = (),
    processes: Iterable[PageProcess] = (),
    level: str | None = None,
    truncated: bool = False,
) -> dict[str, Any]:
    """The data of the page. Edges whose ends are not among the objects raise a KeyError: nothing is lost silently.

    `truncated` says that the store holds more than what is given here, and the page says so too.
    """
    things = list(objects)
    column_rows, table_rows = list(column_edges), list(table_edges)
    members = _columns(things, column_rows)
    numbers = _Numbers()
    entities = [_entity(thing, members[thing.key], numbers) for thing in things]
    statements = list(processes)
    made_by: dict[Hashable | None, int] = {statement.key: at for at, statement in enumerate(statements)}
    made_by[None] = -1
    document: dict[str, Any] = {
        "version": VERSION,
        "title": title,
        "opens": {"level": level or ("column" if column_rows else "table")},
        "scripts": [],
        "entities": entities,
        "processes": [_process(statement) for statement in statements],
        "procedures": [],
        "levels": {
            "column": [
                trimmed(
                    [
                        edge.type,
                        numbers.columns[edge.source],
                        numbers.columns[edge.target],
                        edge.effect,
                        edge.clause,
                        made_by[edge.process],
                        edge.count,
                        edge.join_type,
                        edge.condition,
                        None,
                        edge.transformation,
                        edge.expression,
                    ]
                )
                for edge in column_rows
            ],
            "table": [
                [
                    edge.type,
                    numbers.entities[edge.source],
                    numbers.entities[edge.target],
                    made_by[edge.process],
                    edge.count,
                ]
                for edge in table_rows
            ],
        },
        "problems": [],
    }
    if truncated:
        document["truncated"] = True
    return document


def _columns(things: Iterable[PageObject], edges: Iterable[PageColumnEdge]) -> dict[Hashable, dict[str, PageColumn]]:
    """The columns of each object: those it is known to have, then those that only edges name."""
    columns = {thing.key: {column.name: column for column in thing.columns} for thing in things}
    for edge in edges:
        for key, name in (edge.source, edge.target):
            known = columns[key]
            if name not in known:
                known[name] = PageColumn(name)
    return columns


def _entity(thing: PageObject, columns: dict[str, PageColumn], numbers: _Numbers) -> dict[str, Any]:
    at = numbers.entities[thing.key] = len(numbers.entities)
    before, behind = _around(thing)
    document: dict[str, Any] = {
        "id": str(at + 1),
        "kind": thing.kind,
        "type": thing.kind,
        "name": ".".join([quote_part(part) for part in (thing.schema, thing.name) if part]),
        "table": thing.name,
        "qualifiedName": thing.qualified_name or f"{before[:-1]}{behind}",
        "around": [before, behind],
    }
    document.update(
        present(
            {
                "database": thing.database,
                "schema": thing.schema,
                "uri": thing.uri,
                "temporary": thing.temporary,
                "comment": thing.comment,
            }
        )
    )
    rows = []
    for column in columns.values():
        number = numbers.columns[thing.key, column.name] = len(numbers.columns)
        head = [column.name, f"c{number}", 1 if column.system else 0]
        rows.append(trimmed([*head, None, None, column.data_type, column.comment]))
    document["columns"] = rows
    return document


def _around(thing: PageObject) -> tuple[str, str]:
    """What stands before and behind the name of a column in its qualified name."""
    if thing.qualified_name is None:
        return join_name([thing.database or DEFAULT, thing.schema or DEFAULT, thing.name]) + ".", ""
    name = parse_name(thing.qualified_name)
    behind = "" if name.cluster is None else join_name([""], name.cluster)[2:]
    return join_name(name.parts) + ".", behind


def _process(statement: PageProcess) -> dict[str, Any]:
    document: dict[str, Any] = {
        "id": statement.hash,
        "type": statement.type,
        "hash": statement.hash,
        "procedure": statement.procedure,
    }
    document.update(
        present(
            {
                "text": statement.text,
                "users": list(statement.users),
                "firstSeen": _time(statement.first_seen),
                "lastSeen": _time(statement.last_seen),
                "count": statement.count,
                "origin": statement.origin,
            }
        )
    )
    return document


def _time(value: datetime | str | None) -> str | None:
    return value.isoformat() if isinstance(value, datetime) else value
