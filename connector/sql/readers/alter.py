"""ALTER TABLE and ALTER VIEW: renames, swaps, partitions that change tables, columns, foreign keys, places."""

from __future__ import annotations

from sqlglot.errors import ParseError
from sqlglot.tokenizer_core import Token, TokenType

from connector.model import EffectType
from connector.sql.readers.columns import TableItems, read_items
from connector.sql.readers.create_table import read_create_table
from connector.sql.readers.cursor import Cursor
from connector.sql.readers.moves import read_altered_alert, read_inner
from connector.sql.readers.options import read_options
from connector.sql.readers.readings import ColumnsChange, Placed, Reading, Renamed, Restated, Transfer
from connector.sql.readers.session import read_session
from connector.sql.table_names import NameRef
from connector.sql.words import like, runs_into_another

_TABLES = frozenset(
    {"TABLE", "VIEW", "DYNAMIC", "EXTERNAL", "FOREIGN", "MATERIALIZED", "ICEBERG", "TEMPORARY", "LIVE"}
) | {
    "SEMANTIC",
    "SEMANTIC VIEW",
}
_ADDED_OTHERS = frozenset(
    """
    PARTITION PARTITIONS CONSTRAINT PRIMARY UNIQUE CHECK INDEX KEY FULLTEXT SPATIAL SUPPLEMENTAL ROW SEARCH PROJECTION FILES
    STATISTICS VALUES SYSTEM EXTENDED ROLLUP TEMPORARY
    """.split()
)


_RENAMED_PARTS = frozenset("COLUMN INDEX KEY CONSTRAINT PARTITION ROLLUP SUBPARTITION BRANCH TAG".split())
_VIEW_OPTIONS = frozenset({"ALGORITHM", "DEFINER", "SQL"})
_VERBS = frozenset({"ADD", "DROP", "RENAME", "CHANGE", "MODIFY", "ALTER", "REPLACE", "SET", "LOCATION"})
_CHAINED = frozenset({"ADD", "DROP"})
"""Verbs after which another action may follow without a comma."""


def read_alter(cursor: Cursor) -> Reading | None:
    """ALTER TABLE and ALTER VIEW, as far as data moves or what is known of the columns changes; ALTER SESSION."""
    if cursor.word(1) == "SESSION":
        return read_session(cursor)
    cursor.i += 1
    if cursor.word() in _VIEW_OPTIONS and (found := cursor.find("VIEW", "AS")) >= 0:
        # MySQL: ALTER ALGORITHM = MERGE DEFINER = user SQL SECURITY INVOKER VIEW v AS …
        cursor.i = found
    if cursor.word() == "ALERT":
        return read_altered_alert(cursor)
    if cursor.word() == "TASK" and cursor.find("AS") > 0 and cursor.word_at(cursor.find("AS") - 1) == "MODIFY":
        return read_inner(cursor)
    if cursor.word() in ("SOURCE", "SINK") and cursor.find("RENAME") >= 0:
        # Materialize: a source is read as a table is.
        cursor.i += 1
        source = cursor.created_name()
        return _moved(cursor, source) if source is not None else None
    if cursor.word() not in _TABLES or runs_into_another(cursor.tokens):
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
    return _saved(cursor, table) or _mutation(cursor, cursor.tokens[start : cursor.i]) or _action(cursor, table)


def _saved(cursor: Cursor, table: NameRef) -> Reading | None:
    """Teradata: ``ALTER TABLE t TO CURRENT WITH INSERT INTO u``, and so behind MODIFY: rows of partitions that go."""
    insert = cursor.find("INSERT")
    if insert < 1 or cursor.word_at(insert - 1) != "WITH":
        return None
    cursor.i = insert + 1
    cursor.take("INTO")
    saved = cursor.name()
    return Transfer("Alter Table", "exchange_partition", [(table, saved)]) if saved is not None else None


def _mutation(cursor: Cursor, name: list[Token]) -> Reading | None:
    """ClickHouse: ``ALTER TABLE t UPDATE a = b WHERE c``, ``… DELETE WHERE c``, ``… MODIFY QUERY SELECT …``."""
    if cursor.take("ON", "CLUSTER"):
        cursor.i += 1
    here = cursor.tokens[min(cursor.i, cursor.stop - 1)]
    if cursor.take("MODIFY", "QUERY"):
        head = [like(here, TokenType.CREATE, "CREATE"), like(here, TokenType.VIEW, "VIEW"), *name]
        return Restated([*head, like(here, TokenType.ALIAS, "AS"), *cursor.tokens[cursor.i : cursor.stop]])
    verb = cursor.word()
    condition = cursor.find("WHERE")
    if verb not in ("UPDATE", "DELETE") or condition < 0:
        return None
    part = cursor.find("IN", end=condition)
    end = part if part > 0 and cursor.word_at(part + 1) == "PARTITION" else condition
    behind = cursor.find("SETTINGS", start=condition)
    rest = cursor.tokens[condition : behind if behind > 0 else cursor.stop]
    if verb == "DELETE":
        return Restated([here, like(here, TokenType.FROM, "FROM"), *name, *rest])
    return Restated([here, *name, like(here, TokenType.SET, "SET"), *cursor.tokens[cursor.i + 1 : end], *rest])


def _action(cursor: Cursor, table: NameRef) -> Reading | None:
    """All actions of the statement: each has a verb, or continues the list of the verb before it."""
    change = ColumnsChange(table)
    verb = ""
    for _, end in cursor.items((cursor.i, cursor.stop)):
        while cursor.i < end:
            moved = _moved(cursor, table)
            if moved is not None:
                return moved
            start = cursor.i
            if cursor.word() in _VERBS:
                verb = cursor.word()
                cursor.i += 1
            stop = cursor.find(*_VERBS, start=cursor.i + 1, end=end) if verb in _CHAINED else -1
            stop = stop if stop >= 0 else end
            _column_change(cursor, verb, stop, change)
            cursor.i = max(stop, start + 1)
        cursor.i = end + 1
        if verb == "RENAME" and cursor.word(-1) == "," and cursor.word() not in _VERBS:
            break
    return change


def _moved(cursor: Cursor, table: NameRef) -> Reading | None:
    """The alterations that move rows."""
    if cursor.at("PARTITION") and cursor.find("RENAME") >= 0:
        return ColumnsChange(table)
    if cursor.take("RENAME"):
        if cursor.word() in _RENAMED_PARTS:
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
        if other is None or cursor.kind() is TokenType.L_PAREN:
            raise ParseError("The name of the table to swap with is not constant")
        return Transfer("Swap", "swap_table", [(table, other), (other, table)])
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
    if verb == "REPLACE" and cursor.find("WITH") >= 0 and cursor.find("TEMPORARY") < 0:
        return _other(cursor, table, "WITH", inwards=True)
    if verb == "ATTACH" and cursor.dialect.attaches_tables:
        return _other(cursor, table, "PARTITION", inwards=True)
    return None


def _other(cursor: Cursor, table: NameRef, word: str, *, inwards: bool) -> Reading | None:
    """The other table of a partition move comes after `word`."""
    if not cursor.past(word):
        return None
    effect: EffectType = "append_table" if cursor.word(-2) == "APPEND" else "exchange_partition"
    cursor.take("TABLE")
    other = cursor.name()
    if other is None:
        return None
    return Transfer("Alter Table", effect, [(other, table) if inwards else (table, other)])


def _column_change(cursor: Cursor, verb: str, end: int, change: ColumnsChange) -> None:
    """One action; the cursor is after its verb."""
    if verb == "ADD":
        _added(cursor, end, change)
    elif verb == "DROP":
        _dropped(cursor, end, change)
    elif verb == "REPLACE":
        if cursor.take_any("COLUMNS"):
            _added(cursor, end, change)
            change.replaced = True
    elif verb == "RENAME":
        if not cursor.take("COLUMN") and cursor.word() in _RENAMED_PARTS and cursor.word(1) not in ("TO", "AS"):
            return
        old = cursor.created_name()
        new = cursor.name() if cursor.take_any("TO", "AS") else None
        if old is not None and new is not None:
            change.renamed.append(Renamed(old, new))
        elif old is not None and cursor.at(","):
            _renamed_together(cursor, old, change)
    elif verb == "CHANGE":
        cursor.take("COLUMN")
        old, new = cursor.name(), cursor.name()
        if old is not None and new is not None:
            if old.parts[-1][0] != new.parts[-1][0]:
                change.renamed.append(Renamed(old, new))
            _placed(cursor, new, end, change)
    elif verb in ("MODIFY", "ALTER"):
        cursor.take("COLUMN")
        name = cursor.name()
        if name is not None:
            _placed(cursor, name, end, change)
    elif verb in ("SET", "LOCATION"):
        if verb == "LOCATION" or cursor.at("LOCATION"):
            back = 1 if verb == "LOCATION" else 0
            change.locations += read_options(cursor, (cursor.i - back, cursor.stop)).finished()


def _renamed_together(cursor: Cursor, first: NameRef, change: ColumnsChange) -> None:
    """Vertica: ``RENAME COLUMN a, b TO x, y``."""
    old: list[NameRef | None] = [first]
    while cursor.take(","):
        old.append(cursor.name())
    new = [cursor.name()] if cursor.take("TO") else []
    while new and cursor.take(","):
        new.append(cursor.name())
    change.renamed += [
        Renamed(left, right) for left, right in zip(old, new, strict=False) if left is not None and right is not None
    ]


def _dropped(cursor: Cursor, end: int, change: ColumnsChange) -> None:
    if not cursor.take_any("COLUMN", "COLUMNS") and cursor.word() in _ADDED_OTHERS | {"FOREIGN", "DEFAULT"}:
        return
    cursor.skip_if_exists()
    names = cursor.name_list()
    if not names:
        name = cursor.name()
        names = [name] if name is not None and cursor.i <= end else []
    change.removed += names


def _placed(cursor: Cursor, column: NameRef, end: int, change: ColumnsChange) -> None:
    """FIRST or AFTER after the definition of a column."""
    at = cursor.find("FIRST", "AFTER", end=end)
    if at >= 0:
        first = cursor.word_at(at) == "FIRST"
        cursor.i = at + 1
        other = None if first else cursor.name()
        if first or other is not None:
            change.placed.append(Placed(column, other))


def _added(cursor: Cursor, end: int, change: ColumnsChange) -> None:
    items = TableItems()
    if cursor.word() in ("PARTITION", "IF") and cursor.find("LOCATION") >= 0:
        change.locations += read_options(cursor, (cursor.i, cursor.stop)).finished()
        cursor.i = cursor.stop
        return
    cursor.take_any("COLUMN", "COLUMNS")
    cursor.skip_if_exists()
    if cursor.word() in ("PARTITION", "FILES", "RANGE"):
        return
    inside = (cursor.i, end)
    if cursor.word() == "(":
        grouped = cursor.group()
        assert grouped is not None
        inside = grouped
    read_items(cursor, inside, items)
    change.added += items.columns
    change.foreign_keys += items.foreign_keys
    for start, stop in cursor.items(inside):
        cursor.i = start
        column = cursor.name()
        if column is not None:
            _placed(cursor, column, stop, change)


READS = {"ALTER": read_alter}
