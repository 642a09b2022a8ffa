"""ALTER TABLE and ALTER VIEW: renames, swaps, partitions that change tables, columns, foreign keys, places."""

from __future__ import annotations

from connector.sql.readers.columns import TableItems, read_items
from connector.sql.readers.create_table import read_create_table
from connector.sql.readers.cursor import Cursor
from connector.sql.readers.options import read_options
from connector.sql.readers.readings import ColumnsChange, Reading, Renamed, Transfer
from connector.sql.tolerant import NameRef

__all__ = ["read_alter"]

_TABLES = frozenset({"TABLE", "VIEW", "DYNAMIC", "EXTERNAL", "FOREIGN", "MATERIALIZED", "ICEBERG", "TEMPORARY", "LIVE"})
_ADDED_OTHERS = frozenset(
    """
    PARTITION PARTITIONS CONSTRAINT PRIMARY UNIQUE CHECK INDEX KEY FULLTEXT SPATIAL SUPPLEMENTAL ROW SEARCH PROJECTION FILES
    STATISTICS VALUES SYSTEM EXTENDED ROLLUP TEMPORARY
    """.split()
)


def read_alter(cursor: Cursor) -> Reading | None:
    """ALTER TABLE and ALTER VIEW, as far as data moves or what is known of the columns changes."""
    cursor.i += 1
    if cursor.word() not in _TABLES:
        return None
    view = False
    while cursor.word() in _TABLES:
        view = view or cursor.word() == "VIEW"
        cursor.i += 1
    start = cursor.i
    cursor.skip_if_exists()
    cursor.take("ONLY")
    names = [cursor.name()]
    while cursor.take(","):
        names.append(cursor.name())
    table = names[0]
    if table is None:
        return None
    if view and cursor.find("AS") >= 0 and cursor.find("RENAME") < 0:
        cursor.i = start - 1
        return read_create_table(cursor)
    if len(names) > 1 and cursor.take("RENAME", "TO"):
        targets = [cursor.name()]
        while cursor.take(","):
            targets.append(cursor.name())
        renamed = [(old, new) for old, new in zip(names, targets, strict=False) if old is not None and new is not None]
        return Transfer("Alter Table", "rename_table", renamed, True, True)
    return _action(cursor, table)


def _action(cursor: Cursor, table: NameRef) -> Reading | None:
    change = ColumnsChange(table)
    while not cursor.at_end():
        moved = _moved(cursor, table)
        if moved is not None:
            return moved
        _column_change(cursor, change)
        behind = cursor.find(",")
        if behind < 0:
            break
        cursor.i = behind + 1
    return change


def _moved(cursor: Cursor, table: NameRef) -> Reading | None:
    """The alterations that move rows."""
    if cursor.at("PARTITION") and cursor.find("RENAME") >= 0:
        return ColumnsChange(table)
    if cursor.take("RENAME"):
        if cursor.word() in ("COLUMN", "INDEX", "KEY", "CONSTRAINT", "PARTITION", "ROLLUP", "SUBPARTITION"):
            cursor.i -= 1
            return None
        stated = cursor.take_any("TO", "AS")
        if cursor.at("PARTITION"):
            return ColumnsChange(table)
        new = cursor.name()
        if new is None or (not stated and cursor.word() in ("TO", "AS")):
            # RENAME a TO b: a column.
            cursor.i = cursor.i - 2 if new is not None else cursor.i - 1
            return None
        return Transfer("Alter Table", "rename_table", [(table, new)], True, True)
    if cursor.take("SWAP", "WITH"):
        other = cursor.name()
        return Transfer("Swap", "swap_table", [(table, other), (other, table)]) if other is not None else None
    if cursor.word() in ("EXCHANGE", "SWITCH", "REPLACE", "ATTACH", "MOVE", "APPEND"):
        return _partition_moved(cursor, table)
    if cursor.at("SET", "SCHEMA"):
        cursor.i += 2
        schema = cursor.name()
        if schema is None:
            return None
        new = NameRef([*schema.parts, table.parts[-1]], table.start, table.end)
        return Transfer("Alter Table", "rename_table", [(table, new)], True)
    return None


def _partition_moved(cursor: Cursor, table: NameRef) -> Reading | None:
    verb = cursor.word()
    if verb == "EXCHANGE":
        return _other(cursor, table, "TABLE", inwards=True)
    if verb == "SWITCH":
        return _other(cursor, table, "TO", inwards=False)
    if verb == "MOVE" and cursor.find("TABLE") >= 0:
        return _other(cursor, table, "TABLE", inwards=False)
    if verb in ("REPLACE", "ATTACH") and cursor.find("FROM") >= 0 and cursor.find("FOR") < 0:
        return _other(cursor, table, "FROM", inwards=True)
    if verb == "APPEND":
        return _other(cursor, table, "FROM", inwards=True)
    if verb == "REPLACE" and cursor.find("WITH") >= 0:
        return _other(cursor, table, "WITH", inwards=True)
    if verb == "ATTACH" and cursor.dialect.name in ("postgresql", "greenplum", "gaussdb"):
        return _other(cursor, table, "PARTITION", inwards=True)
    return None


def _other(cursor: Cursor, table: NameRef, word: str, *, inwards: bool) -> Reading | None:
    """The other table of a partition move stands behind `word`."""
    behind = cursor.find(word)
    if behind < 0:
        return None
    cursor.i = behind + 1
    cursor.take("TABLE")
    other = cursor.name()
    if other is None:
        return None
    effect = "append_table" if word == "FROM" and cursor.word_at(behind - 1) == "APPEND" else "exchange_partition"
    return Transfer("Alter Table", effect, [(other, table) if inwards else (table, other)])


def _column_change(cursor: Cursor, change: ColumnsChange) -> None:
    if cursor.take("ADD"):
        _added(cursor, change)
    elif cursor.at("DROP"):
        cursor.i += 1
        if cursor.take("COLUMN") or (
            cursor.kind() is not None and cursor.word() not in _ADDED_OTHERS | {"FOREIGN", "DEFAULT"}
        ):
            cursor.skip_if_exists()
            name = cursor.name()
            if name is not None:
                change.removed.append(name)
    elif cursor.at("RENAME"):
        cursor.i += 1
        cursor.take("COLUMN")
        old = cursor.name()
        new = cursor.name() if cursor.take("TO") else None
        if old is not None and new is not None:
            change.renamed.append(Renamed(old, new))
    elif cursor.at("SET", "LOCATION") or cursor.at("LOCATION"):
        change.locations += read_options(cursor, (cursor.i, cursor.size)).finished()


def _added(cursor: Cursor, change: ColumnsChange) -> None:
    items = TableItems()
    if cursor.word() in ("PARTITION", "IF") and cursor.find("LOCATION") >= 0:
        change.locations += read_options(cursor, (cursor.i, cursor.size)).finished()
        cursor.i = cursor.size
        return
    cursor.take_any("COLUMN", "COLUMNS")
    cursor.skip_if_exists()
    if cursor.word() in ("PARTITION", "FILES", "RANGE"):
        return
    behind = cursor.find(",")
    inside = (cursor.i, behind if behind >= 0 else cursor.size)
    if cursor.word() == "(":
        grouped = cursor.group()
        assert grouped is not None
        inside = grouped
    read_items(cursor, inside, items)
    change.added += items.columns
    change.foreign_keys += items.foreign_keys
