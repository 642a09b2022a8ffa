"""Statements about whole tables and their names: RENAME, EXCHANGE, sp_rename, DROP, synonyms, and objects that run a statement."""

from __future__ import annotations

from connector.model import EffectType, ProcessType
from connector.sql.readers.cursor import Cursor
from connector.sql.readers.readings import (
    ColumnsChange,
    InnerStatement,
    Movement,
    Reading,
    Removal,
    Renamed,
    Synonym,
    Transfer,
)
from connector.sql.table_names import NameRef

_KINDS = frozenset(
    {"TABLE", "VIEW", "DYNAMIC", "EXTERNAL", "FOREIGN", "MATERIALIZED", "ICEBERG", "TEMPORARY", "PUBLIC"}
)


_NO_TABLES = frozenset(
    "INDEX CONSTRAINT USER ROLE SCHEMA DATABASE SEQUENCE MACRO PROCEDURE FUNCTION TRIGGER CONNECTION".split()
)
"""What may also get another name."""


def read_rename(cursor: Cursor) -> Reading | None:
    """``RENAME TABLE a TO b, c TO d``, ``RENAME a TO b``, ``RENAME TABLE a AS b``; HANA: ``RENAME COLUMN t.a TO b``."""
    cursor.i += 1
    if cursor.take("COLUMN"):
        column = cursor.name()
        renamed = cursor.name() if cursor.take("TO") else None
        if column is None or renamed is None or len(column.parts) < 2:
            return None
        return ColumnsChange(
            NameRef(column.parts[:-1], -1, -1), renamed=[Renamed(NameRef(column.parts[-1:], -1, -1), renamed)]
        )
    if cursor.word() in _NO_TABLES and cursor.word(1) not in ("TO", "AS", "."):
        return None
    if not cursor.take_any("TABLE", "VIEW", "OBJECT", "DICTIONARY") and cursor.word(1) not in ("TO", "AS", "."):
        cursor.take("TABLES")
    cursor.skip_if_exists()
    pairs: list[tuple[NameRef, NameRef]] = []
    while True:
        old = cursor.name()
        if not cursor.take("NOWAIT") and cursor.take("WAIT"):
            # MariaDB: for how many seconds.
            cursor.i += 1
        if old is None or not cursor.take_any("TO", "AS"):
            return Transfer("Alter Table", "rename_table", pairs, True, True) if pairs else None
        new = cursor.name()
        if new is None:
            return None
        pairs.append((old, new))
        if not cursor.take(","):
            return Transfer("Alter Table", "rename_table", pairs, True, True)


def read_exchange(cursor: Cursor) -> Reading | None:
    """ClickHouse: ``EXCHANGE TABLES a AND b``, and so for dictionaries."""
    cursor.i += 1
    if not cursor.take_any("TABLES", "DICTIONARIES"):
        return None
    pairs: list[tuple[NameRef, NameRef]] = []
    while True:
        left = cursor.name()
        if left is None or not cursor.take("AND"):
            break
        right = cursor.name()
        if right is None:
            break
        pairs += [(left, right), (right, left)]
        if not cursor.take(","):
            break
    return Transfer("Swap", "swap_table", pairs) if pairs else None


def read_execute(cursor: Cursor) -> Reading | None:
    """``[EXEC] sp_rename 'old', 'new'``; other procedures are not read here."""
    if cursor.word() != "SP_RENAME":
        cursor.i += 1
    name = cursor.name()
    if name is None or name.parts[-1][0].lower() != "sp_rename":
        return None
    values: list[NameRef] = []
    while not cursor.at_end():
        if cursor.at_string():
            value = cursor.named_string()
            if value is not None:
                values.append(value)
        else:
            cursor.i += 1
    if len(values) == 2 or (len(values) == 3 and values[2].parts[-1][0].upper() == "OBJECT"):
        old = values[0]
        # The new name is one part, whatever dots are in it.
        new = NameRef([(".".join(part for part, _ in values[1].parts), True)], values[1].start, values[1].end)
        return Transfer("Alter Table", "rename_table", [(old, new)], True, True)
    if len(values) == 3 and values[2].parts[-1][0].upper() == "COLUMN" and len(values[0].parts) > 1:
        table, column = NameRef(values[0].parts[:-1], -1, -1), NameRef(values[0].parts[-1:], -1, -1)
        return ColumnsChange(table, renamed=[Renamed(column, values[1])])
    return None


def read_drop(cursor: Cursor) -> Reading | None:
    """``DROP TABLE a, b``: what the script knew of them ends."""
    cursor.i += 1
    while cursor.word() in _KINDS:
        if cursor.word() in ("TABLE", "VIEW"):
            break
        cursor.i += 1
    if cursor.word() not in ("TABLE", "VIEW", "SYNONYM", "ALIAS", "NICKNAME"):
        return None
    cursor.i += 1
    cursor.skip_if_exists()
    names: list[NameRef] = []
    while True:
        name = cursor.name()
        if name is not None:
            names.append(name)
        if name is None or not cursor.take(","):
            return Removal(names)


def read_synonym(cursor: Cursor) -> Reading | None:
    """``CREATE [PUBLIC] SYNONYM a FOR b``, ``CREATE ALIAS a FOR [TABLE] b``, ``CREATE NICKNAME a FOR b``."""
    cursor.i += 1
    cursor.skip_if_exists()
    name = cursor.name()
    if name is None or not cursor.take("FOR"):
        return None
    cursor.take("TABLE")
    base = cursor.name()
    return Synonym(name, base) if base is not None else None


PARTITION_FUNCTIONS = {
    "SWAP_PARTITIONS_BETWEEN_TABLES": 3,
    "MOVE_PARTITIONS_TO_TABLE": 3,
    "COPY_PARTITIONS_TO_TABLE": 3,
    "COPY_TABLE": 1,
}
"""Vertica's functions that move rows, with the argument that names the target."""


def read_select_call(cursor: Cursor) -> Reading | None:
    """Vertica: ``SELECT SWAP_PARTITIONS_BETWEEN_TABLES('staging', lo, hi, 'target')``."""
    place = PARTITION_FUNCTIONS.get(cursor.word(1))
    if place is None or cursor.word(2) != "(":
        return None
    verb = cursor.word(1)
    cursor.i += 2
    inside = cursor.group()
    ends: list[NameRef] = []
    arguments = list(cursor.items(inside)) if inside is not None else []
    for argument in (0, place):
        if argument < len(arguments):
            cursor.i = arguments[argument][0]
            name = cursor.named_string()
            if name is not None:
                ends.append(name)
    if len(ends) != 2:
        return None
    kind: ProcessType = "Swap" if verb.startswith("SWAP") else "Alter Table" if verb.startswith("MOVE") else "Copy"
    effect: EffectType = "copy" if verb.startswith("COPY") else "exchange_partition"
    return Transfer(kind, effect, [(ends[0], ends[1])])


def read_inner(cursor: Cursor) -> Reading | None:
    """CREATE TASK, PIPE and the like: the statement after AS is one of its own."""
    cursor.i += 1
    cursor.take("QUERY")
    cursor.skip_if_exists()
    name = cursor.name()
    body = cursor.find("AS")
    while body > 0 and cursor.word_at(body - 1) in ("EXECUTE", "EXECUTED"):
        # EXECUTE AS USER u
        body = cursor.find("AS", start=body + 1)
    if name is None or body < 0 or body + 1 >= cursor.stop:
        return None
    return InnerStatement(name, [(body + 1, cursor.stop)])


def read_alert(cursor: Cursor) -> Reading | None:
    """Snowflake: ``CREATE ALERT a … IF (EXISTS (query)) THEN statement``; without EXISTS, the condition runs a statement."""
    cursor.i += 1
    cursor.skip_if_exists()
    name = cursor.name()
    condition, action = cursor.find("IF"), cursor.find("THEN")
    if name is None or not 0 < condition < action or action + 1 >= cursor.stop:
        return None
    cursor.i = condition + 1
    inside = cursor.group()
    if inside is None:
        return None
    cursor.i = inside[0]
    query = cursor.group() if cursor.take("EXISTS") else inside
    return InnerStatement(name, [*([query] if query is not None else []), (action + 1, cursor.stop)])


def read_altered_alert(cursor: Cursor) -> Reading | None:
    """Snowflake: ``ALTER ALERT a MODIFY CONDITION EXISTS (query)``, ``ALTER ALERT a MODIFY ACTION statement``."""
    cursor.i += 1
    cursor.skip_if_exists()
    name = cursor.name()
    if name is None or not cursor.take("MODIFY"):
        return None
    if cursor.take("ACTION"):
        return InnerStatement(name, [(cursor.i, cursor.stop)]) if cursor.i < cursor.stop else None
    query = cursor.group() if cursor.take("CONDITION", "EXISTS") else None
    return InnerStatement(name, [query]) if query is not None else None


def read_flow(cursor: Cursor) -> Reading | None:
    """Databricks: ``CREATE FLOW f AS INSERT INTO …`` and ``CREATE FLOW f AS AUTO CDC INTO t FROM stream(s)``."""
    back = cursor.i
    start = cursor.find("AS")
    if start >= 0 and cursor.word_at(start + 1) in ("AUTO", "APPLY"):
        cursor.i = start + 1
        return read_changes(cursor)
    cursor.i = back
    return read_inner(cursor)


def read_changes(cursor: Cursor) -> Reading | None:
    """``APPLY CHANGES INTO t FROM stream(s)``, ``AUTO CDC INTO t FROM s``: a merge of a stream of changes."""
    if not (cursor.take("APPLY", "CHANGES", "INTO") or cursor.take("AUTO", "CDC", "INTO")):
        return None
    cursor.take("LIVE", ".")
    target = cursor.name()
    if target is None or not cursor.take("FROM"):
        return None
    if cursor.at("STREAM", "("):
        cursor.i += 2
    else:
        cursor.take("STREAM")
    source = cursor.name()
    return Movement("Merge", target, sources=[source], effect="merge") if source is not None else None


def read_submit(cursor: Cursor) -> Reading | None:
    """StarRocks: ``SUBMIT TASK [t] [SCHEDULE …] AS statement``."""
    task, body = cursor.find("TASK"), cursor.find("AS")
    if task < 0 or body < task or body + 1 >= cursor.stop:
        return None
    cursor.i = task + 1
    name = cursor.name() if task + 1 < body else None
    return InnerStatement(name or NameRef([("task", False)], -1, -1), [(body + 1, cursor.stop)])


READS = {
    "APPLY": read_changes,
    "DROP": read_drop,
    "EXCHANGE": read_exchange,
    "EXEC": read_execute,
    "EXECUTE": read_execute,
    "SP_RENAME": read_execute,
    "RENAME": read_rename,
    "SUBMIT": read_submit,
}
