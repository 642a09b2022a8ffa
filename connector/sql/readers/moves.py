"""Statements about whole tables and their names: RENAME, EXCHANGE, sp_rename, DROP, synonyms, and objects that run a statement."""

from __future__ import annotations

from itertools import pairwise

from sqlglot.tokenizer_core import Token, TokenType

from connector.model import EffectType, ProcessType
from connector.sql.readers.cursor import Cursor
from connector.sql.readers.readings import (
    ColumnsChange,
    InnerStatement,
    Reading,
    Removal,
    Renamed,
    Restated,
    Synonym,
    Transfer,
)
from connector.sql.table_names import NameRef
from connector.sql.words import STRINGS, in_parentheses, like, merge_all, runs_into_another

_KINDS = frozenset(
    {"TABLE", "VIEW", "DYNAMIC", "EXTERNAL", "FOREIGN", "MATERIALIZED", "ICEBERG", "TEMPORARY", "PUBLIC"}
)


_NO_TABLES = frozenset(
    "INDEX CONSTRAINT USER ROLE SCHEMA DATABASE SEQUENCE MACRO PROCEDURE FUNCTION TRIGGER CONNECTION".split()
)
"""What may also get another name."""
_CHANGES = frozenset("KEYS IGNORE APPLY SEQUENCE COLUMNS STORED TRACK".split())
"""With what the clauses of APPLY CHANGES begin."""


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
    if cursor.word() not in ("TABLE", "VIEW", "SYNONYM", "ALIAS", "NICKNAME") or runs_into_another(cursor.tokens):
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
    name = cursor.created_name()
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
    "CRON": 0,
}
"""Vertica's functions that move rows, with the argument that names the target; and the schema of PostgreSQL's jobs."""


def read_select_call(cursor: Cursor) -> Reading | None:
    """Vertica: ``SELECT SWAP_PARTITIONS_BETWEEN_TABLES('staging', lo, hi, 'target')``."""
    place = PARTITION_FUNCTIONS.get(cursor.word(1))
    if not place:
        return _scheduled(cursor)
    if cursor.word(2) != "(":
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


def _scheduled(cursor: Cursor) -> Reading | None:
    """PostgreSQL: ``SELECT cron.schedule('job', '0 3 * * *', $$INSERT …$$)``, a statement that runs later."""
    if not cursor.words(0, "SELECT", "CRON", ".") or not cursor.word_at(3).startswith("SCHEDULE"):
        return None
    cursor.i = 4
    inside = cursor.group()
    texts = [cursor.tokens[start] for start, _ in cursor.items(inside)] if inside is not None else []
    by_database = cursor.word_at(3) == "SCHEDULE_IN_DATABASE"
    text = texts[2] if by_database and len(texts) > 2 else texts[-1] if texts else None
    if text is None or text.token_type not in STRINGS:
        return None
    return Restated([like(text, TokenType.EXECUTE, "EXECUTE"), like(text, TokenType.STRING, text.text)])


def read_inner(cursor: Cursor) -> Reading | None:
    """CREATE TASK, PIPE and the like: the statement after AS is one of its own."""
    cursor.i += 1
    cursor.take("QUERY")
    name = cursor.created_name()
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
    name = cursor.created_name()
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
    name = cursor.created_name()
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
    """``APPLY CHANGES INTO t FROM stream(s) …``, ``AUTO CDC [ONCE] INTO t FROM stream(s) …``."""
    if not (cursor.take("APPLY", "CHANGES") or cursor.take("AUTO", "CDC")):
        return None
    cursor.take("ONCE")
    if not cursor.take("INTO"):
        return None
    into = cursor.i
    return merged_changes(cursor, cursor.tokens[into : cursor.i]) if cursor.name() is not None else None


def merged_changes(cursor: Cursor, target: list[Token], columns: list[Token] | None = None) -> Restated | None:
    """``FROM stream(s) KEYS (k) APPLY AS DELETE WHEN c SEQUENCE BY n COLUMNS * EXCEPT (c)``: a merge of the columns, or of
    those that the target is known to have, whose rows the keys, the sequence and the conditions decide."""
    if not cursor.at("FROM"):
        return None
    here = cursor.tokens[cursor.i]
    cursor.i += 1
    called = cursor.take("STREAM") and cursor.take("(")
    source = cursor.i
    if cursor.kind() is TokenType.L_PAREN:
        cursor.group()
    elif cursor.name() is None:
        return None
    changes = cursor.tokens[source : cursor.i]
    cursor.i += called
    clauses = _clauses_of_changes(cursor)
    columns = columns or clauses.get("COLUMNS") or [like(here, TokenType.STAR, "*")]
    deciding = [clauses[name] for name in ("KEYS", "SEQUENCE", "DELETE", "TRUNCATE") if name in clauses]
    condition = [token for clause in deciding for token in (like(here, TokenType.COMMA, ","), *clause)][1:]
    if condition:
        condition = [like(here, TokenType.QUALIFY, "QUALIFY"), *in_parentheses(condition, here)]
    query = [like(here, TokenType.SELECT, "SELECT"), *columns, here, *changes, *condition]
    head = [like(here, TokenType.MERGE, "MERGE"), like(here, TokenType.INTO, "INTO"), *target]
    return Restated([*head, like(here, TokenType.USING, "USING"), *in_parentheses(query, here), *_all_merged(here)])


def _clauses_of_changes(cursor: Cursor) -> dict[str, list[Token]]:
    """The clauses behind the source, by their first word: what they name, without parentheses around all of it."""
    starts = [i for i in range(cursor.i, cursor.stop) if cursor.word_at(i) in _CHANGES]
    found: dict[str, list[Token]] = {}
    for start, end in pairwise([*starts, cursor.stop]):
        word = cursor.word_at(start)
        inside = cursor.tokens[start + 1 : end]
        if word == "APPLY" and cursor.word_at(start + 3) == "WHEN":
            found[cursor.word_at(start + 2)] = cursor.tokens[start + 4 : end]
            continue
        if word == "SEQUENCE":
            inside = inside[1:]
        if inside and inside[0].token_type is TokenType.L_PAREN and cursor.close(end - len(inside)) == end - 1:
            inside = inside[1:-1]
        if inside:
            found[word] = inside
    return found


def _all_merged(here: Token) -> list[Token]:
    """``AS changes ON TRUE``, and all columns of all rows."""
    words = ((TokenType.ALIAS, "AS"), (TokenType.VAR, "changes"), (TokenType.ON, "ON"), (TokenType.TRUE, "TRUE"))
    return [*(like(here, kind, text) for kind, text in words), *merge_all(here)]


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
