"""BACKUP and RESTORE of tables, which write rows to a place and bring them back. Whole databases name no table."""

from __future__ import annotations

from sqlglot.errors import ParseError
from sqlglot.tokenizer_core import TokenType

from connector.sql.locations import Location, location_of
from connector.sql.readers.cursor import Cursor
from connector.sql.readers.readings import Copies, Movement, Range, Reading
from connector.sql.table_names import NameRef
from connector.sql.words import STRINGS

_KINDS = frozenset({"TABLE", "VIEW", "DICTIONARY"})


def read_backup(cursor: Cursor) -> Reading | None:
    """``BACKUP TABLE t TO Disk('d', 'f')``, ``BACKUP SNAPSHOT s TO repository ON (t)``."""
    return _read(cursor, "TO")


def read_restore(cursor: Cursor) -> Reading | None:
    """``RESTORE TABLE t AS u FROM Disk('d', 'f')``, ``RESTORE SNAPSHOT s FROM repository ON (t AS u)``."""
    return _read(cursor, "FROM")


def _read(cursor: Cursor, direction: str) -> Reading | None:
    cursor.i += 1
    cursor.take("ASYNC")
    way = cursor.find(direction)
    if way < 0:
        return None
    snapshot = cursor.find("SNAPSHOT", end=way)
    if snapshot >= 0:
        return _snapshot(cursor, snapshot, way)
    if cursor.word() not in _KINDS | {"TEMPORARY"}:
        return None
    pairs = _pairs(cursor, (cursor.i, way), [])
    cursor.i = way + 1
    place = _place(cursor)
    if not pairs or place is None:
        raise ParseError("expected the names of tables, and the place of the backup")
    return _moved(direction, place, pairs)


def _snapshot(cursor: Cursor, snapshot: int, way: int) -> Reading | None:
    """Doris and StarRocks: bare tables are those of the database of the snapshot. Without a list it is the database."""
    listed = cursor.find("ON", start=way)
    cursor.i = way + 1
    repository = cursor.name()
    cursor.i = snapshot + 1
    name = cursor.name()
    if name is None or repository is None or listed < 0 or cursor.word_at(listed + 1) != "(":
        return None
    database = cursor.names((2, 3)) if cursor.word_at(1) == "DATABASE" else []
    around = database[0].parts if database else name.parts[:-1]
    place = location_of(f"{repository.parts[-1][0]}://{name.parts[-1][0]}")
    pairs = _pairs(cursor, (listed + 2, cursor.close(listed + 1)), around)
    return _moved(cursor.word_at(way), place, pairs) if pairs else None


def _pairs(cursor: Cursor, inside: Range, around: list[tuple[str, bool]]) -> list[tuple[NameRef, NameRef]]:
    """The tables, each with the name that it gets."""
    found: list[tuple[NameRef, NameRef]] = []
    for start, _ in cursor.items(inside):
        cursor.i = start
        cursor.take("TEMPORARY")
        cursor.take_any(*_KINDS)
        name = cursor.name()
        if name is None:
            continue
        if cursor.word() in ("PARTITION", "PARTITIONS") and cursor.kind(1) is TokenType.L_PAREN:
            cursor.i += 1
            cursor.group()
        new = cursor.name() if cursor.take("AS") else None
        found.append((_within(name, around), _within(new or name, around)))
    return found


def _within(name: NameRef, around: list[tuple[str, bool]]) -> NameRef:
    return NameRef([*around, *name.parts], name.start, name.end) if around and len(name.parts) == 1 else name


def _place(cursor: Cursor) -> Location | None:
    """``File('path')``, ``Disk('disk', 'path')``, ``S3('url', …)``; of the strings behind the address none is looked at."""
    kind = cursor.word()
    cursor.i += 1
    inside = cursor.group()
    texts = [cursor.tokens[i] for i in range(*inside or (0, 0)) if cursor.tokens[i].token_type in STRINGS]
    if not texts:
        return None
    if kind == "DISK":
        return location_of("disk://" + "/".join(token.text for token in texts[:2]))
    return location_of(texts[0].text, "'", texts[0].start, texts[0].end + 1)


def _moved(direction: str, place: Location, pairs: list[tuple[NameRef, NameRef]]) -> Reading:
    if direction == "TO":
        return Copies([Movement("Export", place, sources=[name], effect="export") for name, _ in pairs])
    return Copies([Movement("Load", new, sources=[place], effect="load") for _, new in pairs])


READS = {"BACKUP": read_backup, "RESTORE": read_restore}
