"""The column list of CREATE TABLE and the items of ALTER TABLE ADD: columns, generated columns, foreign keys."""

from __future__ import annotations

from dataclasses import dataclass, field

from sqlglot.tokenizer_core import TokenType

from connector.sql.readers.cursor import Cursor
from connector.sql.readers.readings import ColumnDefinition, ForeignKey, Range, UniqueKey
from connector.sql.table_names import NameRef
from connector.sql.words import OPENING, STRINGS

_TABLE_LEVEL = frozenset(
    """
    PRIMARY UNIQUE CHECK FULLTEXT SPATIAL EXCLUDE PROJECTION SUPPLEMENTAL DISTRIBUTE DISTRIBUTED PARTITION
    """.split()
)
"""First words of items that are no column where a parenthesis or another keyword follows."""

_NOT_GENERATED = frozenset({"IDENTITY", "ROW", "VALIDTIME", "TRANSACTIONTIME", "SEQUENCE", "DEFAULT"})
_ENDS_EXPRESSION = frozenset(
    """
    STORED VIRTUAL PERSISTED COMMENT PRIMARY KEY UNIQUE CHECK CONSTRAINT DEFAULT REFERENCES MASKING WITH TAG ENABLE DISABLE
    INVISIBLE VISIBLE CODEC TTL SETTINGS OPTIONS STATISTICS TITLE FORMAT COMPRESS
    """.split()
)
_SPEAKING = OPENING | {TokenType.FOREIGN_KEY, TokenType.PRIMARY_KEY}
_SPEAKING_WORDS = frozenset({"FOREIGN", "PRIMARY", "UNIQUE", "REFERENCES", "AS", "MATERIALIZED", "ALIAS", "COMPUTED"})
"""What the words after a column's name are looked through for."""

_BEHIND_TYPE = frozenset(
    """
    NOT NULL DEFAULT PRIMARY KEY UNIQUE CHECK CONSTRAINT REFERENCES FOREIGN COMMENT COLLATE GENERATED AS IDENTITY AUTO_INCREMENT
    AUTOINCREMENT ENCODE DISTKEY SORTKEY MASKING TAG ENABLE DISABLE MATERIALIZED ALIAS EPHEMERAL CODEC TTL OPTIONS SETTINGS
    STATISTICS TITLE FORMAT COMPRESS CASESPECIFIC UPPERCASE INVISIBLE VISIBLE HIDDEN STORED VIRTUAL PERSISTED COMPUTED SPARSE
    ROWGUIDCOL ON INLINE COLUMN_FORMAT STORAGE POLICY PROJECTION ENCODING SECURITY FILESTREAM MASKED
    """.split()
)
"""Words at which the type of a column has ended."""

_KEYS = frozenset({TokenType.PRIMARY_KEY, TokenType.FOREIGN_KEY})
_VALUE_WORDS = frozenset({"IS", "AND", "OR", "WHEN", "THEN", "ELSE", "NOT"})


@dataclass(slots=True)
class TableItems:
    """What a column list says."""

    columns: list[ColumnDefinition] = field(default_factory=list)
    foreign_keys: list[ForeignKey] = field(default_factory=list)
    primary_key: list[NameRef] = field(default_factory=list)
    unique_keys: list[UniqueKey] = field(default_factory=list)
    origin: NameRef | None = None


def read_items(cursor: Cursor, inside: Range, found: TableItems | None = None) -> TableItems:
    """All items of a list. The cursor stays where it is."""
    items = found or TableItems()
    back = cursor.i
    for start, end in cursor.items(inside):
        _read_item(cursor, start, end, items)
    cursor.i = back
    return items


def _read_item(cursor: Cursor, start: int, end: int, items: TableItems) -> None:
    cursor.i = start
    word = cursor.word()
    if word == "LIKE":
        cursor.i += 1
        items.origin = cursor.name()
        return
    if word == "CONSTRAINT":
        name = cursor.tokens[start + 1].text if start + 1 < end else ""
        cursor.i += 2
        _constraints(cursor, end, None, items, name)
        return
    if _is_table_level(cursor, end):
        _constraints(cursor, end, None, items)
        return
    ref = cursor.name()
    if ref is None or cursor.i > end:
        return
    if len(ref.parts) > 1:
        # ClickHouse: a part of a nested column is a column whose name has a dot.
        ref = NameRef([(".".join(part for part, _ in ref.parts), ref.parts[0][1])], ref.start, ref.end)
    column = ColumnDefinition(ref, data_type=_type(cursor, end), comment=_comment(cursor, end))
    items.columns.append(column)
    _constraints(cursor, end, column, items)


def _type(cursor: Cursor, end: int) -> str | None:
    """The type of a column as it is written. The cursor is after the name and stays there."""
    i = first = cursor.i
    while i < end:
        if cursor.tokens[i].token_type in OPENING and i > first:
            i = cursor.close(i) + 1
            continue
        word = cursor.word_at(i)
        zoned = word == "WITH" and cursor.word_at(i + 1).split(" ")[0] in ("TIME", "LOCAL", "TIMEZONE")
        ends = (
            word in _BEHIND_TYPE or (word == "WITH" and not zoned) or word.startswith(("NOT ", "PRIMARY ", "FOREIGN "))
        )
        if ends or not word:
            break  # a string, or a quoted name, is no part of a type
        i += 1
    if i == first:
        return None
    tokens = cursor.tokens
    return " ".join(cursor.text_of(tokens[first].start, tokens[min(i, end) - 1].end + 1).split())


def _comment(cursor: Cursor, end: int) -> str | None:
    """The comment of a column: ``COMMENT 'words'``, and in BigQuery an option."""
    for i in range(cursor.i, end - 1):
        word = cursor.word_at(i)
        if word == "COMMENT" and cursor.tokens[i + 1].token_type in STRINGS:
            return cursor.tokens[i + 1].text
        if word == "OPTIONS" and cursor.tokens[i + 1].token_type in OPENING:
            return described(cursor, (i + 2, cursor.close(i + 1)))
    return None


def described(cursor: Cursor, inside: Range) -> str | None:
    """The description among options: ``OPTIONS (description = 'words')``."""
    for i in range(inside[0], inside[1] - 2):
        if cursor.word_at(i) == "DESCRIPTION" and cursor.tokens[i + 1].token_type is TokenType.EQ:
            token = cursor.tokens[i + 2]
            # In BigQuery text may stand between double quotes, which elsewhere make a name.
            return token.text if token.token_type in STRINGS or token.token_type is TokenType.IDENTIFIER else None
    return None


def _is_table_level(cursor: Cursor, end: int) -> bool:
    kind = cursor.kind()
    if kind in (TokenType.FOREIGN_KEY, TokenType.PRIMARY_KEY):
        return True
    word = cursor.word()
    following = cursor.kind(1)
    if word in ("FOREIGN", "PRIMARY"):
        return cursor.word(1) == "KEY"
    if word in ("PERIOD", "WATERMARK"):
        # RisingWave, Flink: WATERMARK FOR ts AS ts - INTERVAL '5' SECOND
        return cursor.word(1) == "FOR"
    if word in ("KEY", "INDEX"):
        return following is TokenType.L_PAREN or (cursor.dialect.indexes_in_tables and cursor.i + 2 < end)
    if word in _TABLE_LEVEL:
        return (
            following is TokenType.L_PAREN
            or cursor.word(1) in ("KEY", "INDEX", "USING", "BY", "LOG")
            or (word in ("UNIQUE", "FULLTEXT", "SPATIAL", "PROJECTION") and cursor.i + 2 < end)
        )
    return False


def _constraints(cursor: Cursor, end: int, column: ColumnDefinition | None, items: TableItems, name: str = "") -> None:
    """What follows the name of a column or a constraint: references and expressions among words that do not matter."""
    own: list[NameRef] = [column.name] if column is not None else []
    while cursor.i < end:
        token = cursor.tokens[cursor.i]
        if token.token_type not in _SPEAKING and token.text.upper() not in _SPEAKING_WORDS:
            cursor.i += 1
        elif token.token_type in OPENING:
            cursor.group()
        elif cursor.kind() is TokenType.FOREIGN_KEY or cursor.at("FOREIGN", "KEY"):
            cursor.i += 1 if cursor.kind() is TokenType.FOREIGN_KEY else 2
            if cursor.kind() is not TokenType.L_PAREN and cursor.word() != "REFERENCES":
                cursor.name()
            # A comma before it may be missing: a list of its own tells a foreign key of the table.
            own = cursor.name_list() or own
        elif cursor.kind() is TokenType.PRIMARY_KEY or cursor.at("PRIMARY", "KEY"):
            cursor.i += 1 if cursor.kind() is TokenType.PRIMARY_KEY else 2
            while cursor.word() in ("CLUSTERED", "NONCLUSTERED", "HASH") and cursor.i < end:
                cursor.i += 1
            items.primary_key += cursor.name_list() or own
        elif cursor.at("UNIQUE"):
            cursor.i += 1
            while column is None and cursor.i < end and cursor.kind() is not TokenType.L_PAREN:
                # UNIQUE KEY name (a), UNIQUE NULLS NOT DISTINCT (a)
                cursor.i += 1
            unique = own if column is not None else cursor.name_list() if cursor.i < end else []
            items.unique_keys += [UniqueKey(name, unique)] if unique else []
        elif cursor.at("REFERENCES"):
            cursor.i += 1
            if cursor.take("WITH"):
                # Teradata: REFERENCES WITH NO CHECK OPTION t (a)
                cursor.take("NO")
                cursor.take("CHECK", "OPTION")
            table = cursor.name()
            if table is not None and own:
                items.foreign_keys.append(ForeignKey(own, table, cursor.name_list()))
        elif column is not None and column.expression is None and _begins_expression(cursor):
            column.expression = _expression(cursor, end)
        else:
            cursor.i += 1


def _begins_expression(cursor: Cursor) -> bool:
    """Moves past the word that a generated column's expression follows."""
    word = cursor.word()
    if word in ("AS", "MATERIALIZED", "ALIAS") or (word == "COMPUTED" and cursor.word(1) == "BY"):
        if word in ("MATERIALIZED", "ALIAS") and not cursor.dialect.computed_aliases:
            return False
        behind = 2 if word == "COMPUTED" else 1
        if cursor.word(behind) in _NOT_GENERATED:
            return False
        cursor.i += behind
        return True
    return False


def _expression(cursor: Cursor, end: int) -> Range | None:
    start = cursor.i
    while cursor.i < end:
        if cursor.kind() in OPENING:
            cursor.group()
            continue
        word = cursor.word()
        if (word in _ENDS_EXPRESSION or cursor.kind() in _KEYS) and cursor.i > start:
            break
        if word == "NOT" and cursor.word(1) == "NULL" and cursor.word(-1) not in _VALUE_WORDS:
            break
        cursor.i += 1
    return (start, cursor.i) if cursor.i > start else None
