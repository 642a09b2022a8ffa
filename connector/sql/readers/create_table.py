"""CREATE TABLE and CREATE VIEW: the name, the columns, what it is like, where its data lies, and the query."""

from __future__ import annotations

import json
import re
from typing import Any

from sqlglot.errors import ParseError
from sqlglot.tokenizer_core import Token, TokenType

from connector.model import ProcessType
from connector.sql.locations import Location, location_of
from connector.sql.readers.columns import TableItems, described, read_items
from connector.sql.readers.cursor import Cursor
from connector.sql.readers.faces import foreign_face, handler_face
from connector.sql.readers.moves import merged_changes
from connector.sql.readers.options import read_options
from connector.sql.readers.queries import query_range
from connector.sql.readers.readings import ColumnDefinition, Movement, Range, Restated, TableDefinition
from connector.sql.recovery.vocabulary import misspelled
from connector.sql.table_names import NameRef
from connector.sql.words import LITERALS, STRINGS, like

_TEMPORARY = frozenset({"TEMP", "TEMPORARY", "VOLATILE"})
_CLONES = frozenset({"CLONE", "COPY"})
_ORIGINS = _CLONES | {"LIKE", "FOR"}
_BEFORE_QUERY = frozenset(
    "SELECT WITH ( VALUES FROM TABLE SEL LOCKING PIVOT PIVOT_WIDER PIVOT_LONGER UNPIVOT SUMMARIZE DESCRIBE".split()
)
_BARE_QUERY = frozenset({"SELECT", "WITH", "SEL"})
_LISTS_OTHERS = frozenset(
    {"BY", "ON", "AS", "WITH", "OPTIONS", "STORAGE", "HASH", "RANGE", "LIST", "INDEX", "KEY", "PROPERTIES", "WHERE"}
)
_NO_TYPE = frozenset(
    {TokenType.COMMA, TokenType.R_PAREN, TokenType.EQ, TokenType.DOT, TokenType.L_PAREN, TokenType.COLON}
)
_ADDRESSES = frozenset({"URL", "DBTABLE", "QUERY", "PATH"})
"""Options that say where a source of Spark finds its rows."""
_TEXTS = STRINGS | {TokenType.IDENTIFIER}
_LABELS: dict[str, ProcessType] = {
    "DYNAMIC": "Create Dynamic Table",
    "EXTERNAL": "Create External Table",
    "FOREIGN": "Create External Table",
}


def read_create_table(cursor: Cursor) -> TableDefinition | Movement | Restated | None:
    """The cursor stands at TABLE or VIEW; the words before it say which kind."""
    words = {cursor.word_at(i) for i in range(cursor.i)}
    view = cursor.word() in ("VIEW", "PROJECTION")
    projection = cursor.word() == "PROJECTION"
    cursor.i += 1
    if cursor.word() == "FUNCTION":
        return None
    cursor.skip_if_exists()
    if cursor.at_string() and "EXTERNAL" in words:
        return _unload(cursor)
    named = cursor.i
    name = cursor.name()
    if name is None:
        return None
    cursor.skip_if_exists()
    if "STREAMING" in words and (flow := cursor.find("FLOW")) >= 0 and cursor.words(flow, "FLOW", "AUTO", "CDC"):
        return _changing(cursor, cursor.tokens[named : cursor.i], flow)
    if cursor.take("FROM", "SOURCE"):
        # Materialize: CREATE TABLE t FROM SOURCE s (REFERENCE x) …
        source = cursor.name()
        return Movement("Create Table", name, sources=[source], effect="create_table") if source is not None else None
    if (taken := _from_source(cursor, name)) is not None:
        return taken
    if cursor.at("FROM", "BACKUP", "SET") or cursor.at("FROM", "SNAPSHOT", "SET"):
        raise ParseError("The rows come from a backup: the table it contains is unknown")
    label: ProcessType = next(
        (_LABELS[word] for word in ("DYNAMIC", "EXTERNAL", "FOREIGN") if word in words), "Create Table"
    )
    if view:
        label = "Create Materialized View" if "MATERIALIZED" in words else "Create View"
        label = "Create Projection" if projection else label
    found = TableDefinition(
        label,
        name,
        view,
        bool(words & _TEMPORARY),
        external=label == "Create External Table",
        writable="WRITABLE" in words,
    )
    if "GLOBAL" in words and cursor.dialect.family.global_is_permanent:
        found.temporary = False
    _body(cursor, found)
    if not found.locations and found.query is None and cursor.find("USING", start=0) >= 0:
        found.locations = _behind_connection(cursor)
    made = found.query is not None or found.origin is not None or bool(found.locations) or found.refresh is not None
    if view and cursor.find("USING", start=0) >= 0 > cursor.find("AS", start=0):
        # Spark: ``CREATE TEMPORARY VIEW v (a INT) USING parquet`` is empty; with an address it shows what lies there.
        made = made or not any(token.text.upper() in _ADDRESSES for token in cursor.tokens)
    return found if made or not (view or _holds_query(cursor)) else None


def _changing(cursor: Cursor, target: list[Token], flow: int) -> Restated | None:
    """Databricks: ``CREATE STREAMING TABLE t (a INT) FLOW AUTO CDC FROM …``. Columns that begin with ``__`` say since when
    and until when a row is valid, and come from no other table."""
    inside = cursor.group() if cursor.kind() is TokenType.L_PAREN else None
    listed = read_items(cursor, inside).columns if inside is not None else []
    columns: list[Token] = []
    for column in listed:
        if not column.name.parts[-1][0].startswith("__"):
            columns += [like(target[0], TokenType.COMMA, ",")] if columns else []
            columns += [token for token in cursor.tokens if token.start == column.name.start]
    cursor.i = flow + 3
    return merged_changes(cursor, target, columns)


def _from_source(cursor: Cursor, name: NameRef) -> Movement | None:
    """RisingWave: ``CREATE TABLE t (a INT, …) FROM s TABLE 'public.t'``, one table of a source that has several."""
    if cursor.kind() is not TokenType.L_PAREN:
        return None
    columns = cursor.i
    source = cursor.close(columns) + 1
    if cursor.word_at(source) != "FROM" or cursor.find("TABLE", start=source) < 0:
        return None
    items = read_items(cursor, (columns + 1, source - 1))
    cursor.i = source + 1
    table = cursor.name()
    if table is None or not cursor.at("TABLE"):
        return None
    listed = [column.name for column in items.columns]
    return Movement("Create Table", name, listed, [table], effect="create_table")


def _behind_connection(cursor: Cursor) -> list[Location]:
    """Spark: ``USING jdbc OPTIONS (url 'jdbc:…', dbtable 's.t')``: a table of another server, which is named without what
    drivers put into the address besides it."""
    tokens = cursor.tokens
    values: dict[str, Token] = {}
    for i, token in enumerate(tokens):
        at = i + 2 if cursor.word_at(i + 1) == "=" else i + 1
        if token.text.upper() in ("URL", "DBTABLE") and at < len(tokens) and tokens[at].token_type in _TEXTS:
            values.setdefault(token.text.upper(), tokens[at])
    if len(values) < 2 or not values["URL"].text.lower().startswith("jdbc:"):
        return []
    server = re.split(r"[;?]", values["URL"].text)[0]
    if "@" in server:
        server = f"{':'.join(server.split(':')[:2])}:{server.rpartition('@')[2]}"
    table = values["DBTABLE"]
    return [location_of(f"{server}/{table.text}", "'", table.start, table.end + 1)]


def _holds_query(cursor: Cursor) -> bool:
    """Whether something stands there that was to be a query: ``AS SELCT a FROM t``. The grammar says what is wrong."""
    source = cursor.find("FROM", start=0)
    while source >= 0 and cursor.word_at(source - 1) in ("VALUES", "DISTINCT"):
        source = cursor.find("FROM", start=source + 1)
    return source >= 0


def _unload(cursor: Cursor) -> Movement | None:
    """Netezza and Db2: ``CREATE EXTERNAL TABLE 'file' USING (…) AS SELECT …`` writes a file and makes no table."""
    place = cursor.location()
    query = cursor.find("AS")
    if place is None or query < 0 or query + 1 >= cursor.stop:
        return None
    return Movement(
        "Create External Table", place, query=query_range(cursor, query + 1), effect="create_external_table"
    )


def _body(cursor: Cursor, found: TableDefinition) -> None:
    """Column list, options and query in whatever order the dialect has them."""
    start = cursor.i
    items = TableItems()
    listed = False
    column_list: Range = (start, start)
    while not cursor.at_end():
        if cursor.kind() is TokenType.L_PAREN and not listed and _lists_columns(cursor, start):
            listed = True
            inside = cursor.group()
            assert inside is not None
            column_list = inside
            read_items(cursor, inside, items)
            continue
        word = cursor.word()
        if word.startswith("PARTITIONED") and (cursor.take("PARTITIONED", "BY") or cursor.take("PARTITIONED BY")):
            inside = cursor.group()
            if inside is not None:
                found.partitions = cursor.names(inside)
                if cursor.word_at(inside[0] + 1) not in ("", "(", ",", ")"):
                    # Hive: the partition columns are columns of the table, after the others.
                    read_items(cursor, inside, items)
            continue
        if word in ("COMMENT", "OPTIONS") and found.comment is None and _take_comment(cursor, found):
            continue
        if found.view and cursor.dialect.views_feed_tables and cursor.take("TO"):
            found.feeds = cursor.name()
            continue
        if found.origin is None and word in _ORIGINS and _origin(cursor, found):
            continue
        if word in ("INHERITS", "PARTITION") and _parents(cursor, found):
            continue
        if word == "REFRESH" and cursor.take("REFRESH", "USING"):
            # Snowflake: what a dynamic table runs, in place of a query.
            found.refresh = cursor.group()
            continue
        if _query(cursor, found):
            break
        if cursor.kind() in (TokenType.L_PAREN, TokenType.L_BRACKET):
            cursor.group()
        else:
            cursor.i += 1
    found.columns = items.columns
    if not listed and found.query is None and not found.view:
        stated = avro_columns(cursor, start)
        found.complete = bool(stated)
        found.columns = stated + found.columns
    if cursor.dialect.storage_handlers:
        found.columns += handler_columns(cursor, start)
    found.foreign_keys = items.foreign_keys
    found.primary_key = items.primary_key
    found.unique_keys = items.unique_keys
    found.origin = found.origin or items.origin
    if not found.view or found.query is None:
        end = found.query[0] if found.query is not None else cursor.stop
        found.locations = _storage(cursor, found, (start, column_list[0]), (column_list[1], end))


def _parents(cursor: Cursor, found: TableDefinition) -> bool:
    """``INHERITS (a, b)`` and ``PARTITION OF a``."""
    if cursor.take("PARTITION", "OF"):
        name = cursor.name()
        found.parents += [name] if name is not None else []
        return True
    if cursor.word() != "INHERITS" or cursor.kind(1) is not TokenType.L_PAREN:
        return False
    end = cursor.close(cursor.i + 1)
    cursor.i += 2
    while cursor.i < end:
        name = cursor.name()
        if name is None:
            break
        found.parents.append(name)
        cursor.i += 1
    cursor.i = end + 1
    return True


def _take_comment(cursor: Cursor, found: TableDefinition) -> bool:
    """``COMMENT 'words'``, ``COMMENT = 'words'``, ``OPTIONS (description = 'words')``."""
    if cursor.word() == "OPTIONS":
        if cursor.kind(1) is not TokenType.L_PAREN:
            return False
        found.comment = described(cursor, (cursor.i + 2, cursor.close(cursor.i + 1)))
        cursor.i += 1
        return True
    behind = 2 if cursor.kind(1) is TokenType.EQ else 1
    if cursor.kind(behind) not in STRINGS:
        return False
    cursor.i += behind
    found.comment = cursor.string()
    return True


def _lists_columns(cursor: Cursor, start: int) -> bool:
    """Whether this parenthesis is the column list: it follows the name, or comes after options and defines columns."""
    if cursor.i == start:
        return cursor.word(1) not in _BARE_QUERY
    if cursor.kind(-1) is TokenType.EQ or cursor.word(-1) in _LISTS_OTHERS:
        return False
    first, second = cursor.kind(1), cursor.kind(2)
    return first in (TokenType.VAR, TokenType.IDENTIFIER) and second not in _NO_TYPE and second not in LITERALS


def _origin(cursor: Cursor, found: TableDefinition) -> bool:
    """LIKE, CLONE and COPY: the table that the new one is made of."""
    word = cursor.word()
    if word == "LIKE":
        cursor.i += 1
        if cursor.at_string() or (cursor.word() in ("PARQUET", "ORC", "FILE") and cursor.kind(1) is not TokenType.DOT):
            return False
        found.origin = cursor.name()
    elif word in _CLONES and cursor.word(1) not in ("=", "GRANTS"):
        cursor.i += 1
        # Fabric: AS CLONE OF t
        cursor.take_any("AS", "OF")
        found.origin = cursor.name()
        found.with_rows = True
    elif word == "FOR" and cursor.at("FOR", "EXCHANGE", "WITH", "TABLE"):
        cursor.i += 4
        found.origin = cursor.name()
    else:
        return False
    return found.origin is not None


def _query(cursor: Cursor, found: TableDefinition) -> bool:
    """The query after AS, or without AS where the dialect lets it be left out."""
    word = cursor.word()
    if word in _BARE_QUERY and (word != "WITH" or cursor.kind(1) is not TokenType.L_PAREN) and _is_query(cursor):
        found.query = query_range(cursor, cursor.i)
        return True
    if word != "AS" or cursor.word(-1) == "STORE":
        # Oracle: LOB (a) STORE AS (TABLESPACE t)
        return False
    following = cursor.word(1)
    if following == "COPY":
        # Vertica: an external table reads with a COPY statement.
        if cursor.past("FROM"):
            found.locations = cursor.locations()
        cursor.i = cursor.stop
        return True
    if following == "REPLICA" and cursor.word(2) == "OF":
        cursor.i += 3
        found.origin = cursor.name()
        found.with_rows = True
        return True
    if following in _BEFORE_QUERY:
        cursor.i += 1
        found.query = query_range(cursor, cursor.i)
        return True
    if cursor.dialect.copies_by_name and cursor.kind(1) in (
        TokenType.VAR,
        TokenType.IDENTIFIER,
    ):
        cursor.i += 1
        slip = misspelled(cursor.word())
        name = cursor.name()
        if name is not None and cursor.kind() is not TokenType.L_PAREN and slip is None:
            found.origin = name
            found.with_rows = cursor.find("DATA") >= 0 and cursor.word_at(cursor.find("DATA") - 1) != "NO"
            return True
    return False


def _is_query(cursor: Cursor) -> bool:
    if cursor.word() != "WITH":
        return True
    # WITH of a common table expression: a name, perhaps columns, AS and a parenthesis.
    back = cursor.i
    cursor.i += 1
    cursor.take("RECURSIVE")
    name: NameRef | None = cursor.name()
    if cursor.kind() is TokenType.L_PAREN:
        cursor.group()
    is_query = name is not None and cursor.at("AS") and (cursor.word(1) in ("(", "MATERIALIZED", "NOT"))
    cursor.i = back
    return is_query


def _storage(cursor: Cursor, found: TableDefinition, *options: Range) -> list[Location]:
    storage = read_options(cursor, *options)
    face = storage.face
    if face is None and not storage.locations and cursor.word_at(1) in ("FOREIGN", "VIRTUAL"):
        face = foreign_face(cursor, options[0][0])
    elif face is None and not storage.locations and cursor.dialect.storage_handlers:
        face = handler_face(cursor, options[0][0])
        storage.locations += face.places if face is not None else []
    if face is not None:
        found.shows = face.tables
        found.shows_matching = face.pattern
    if found.locations:
        storage.locations = found.locations
    if not storage.locations and found.external:
        # Db2 and Netezza: CREATE EXTERNAL TABLE t 'path' USING (…)
        back = cursor.i
        cursor.i = options[0][0]
        storage.locations = cursor.locations()
        cursor.i = back
    locations = storage.finished()
    tail = range(*options[-1])
    if locations and any(cursor.word_at(i) == "EXTERNAL" and cursor.word_at(i - 1) == "ORGANIZATION" for i in tail):
        found.external = True
        found.type = "Create External Table"
    return locations


_AVRO = "avro.schema.literal"
_KAFKA = "KafkaStorageHandler"
_KAFKA_COLUMNS = ("__key", "__partition", "__offset", "__timestamp")


def avro_columns(cursor: Cursor, start: int) -> list[ColumnDefinition]:
    """The fields of the schema that the properties of the table hold, none when they hold none."""
    for token, value in zip(cursor.tokens[start:], cursor.tokens[start + 2 :], strict=False):
        if token.token_type in STRINGS and token.text == _AVRO and value.token_type in STRINGS:
            try:
                schema: Any = json.loads(value.text)
            except ValueError:
                return []
            fields = schema.get("fields") if isinstance(schema, dict) else None
            names = [entry.get("name") for entry in fields or () if isinstance(entry, dict)]
            return [_column(name) for name in names if isinstance(name, str) and name]
    return []


def handler_columns(cursor: Cursor, start: int) -> list[ColumnDefinition]:
    """``STORED BY '…KafkaStorageHandler'`` puts the place of the message after the columns of the table."""
    for i in range(start, cursor.stop - 1):
        if cursor.word_at(i) == "BY" and cursor.word_at(i - 1) == "STORED":
            token = cursor.tokens[i + 1]
            if token.token_type in STRINGS and token.text.endswith(_KAFKA):
                return [_column(name) for name in _KAFKA_COLUMNS]
    return []


def _column(name: str) -> ColumnDefinition:
    return ColumnDefinition(NameRef([(name, False)], -1, -1))
