"""CREATE: which kind of object, and its reader."""

from __future__ import annotations

import re
from itertools import pairwise

from sqlglot.errors import ParseError
from sqlglot.tokenizer_core import TokenType

from connector.sql.analytic_views import analytic_view
from connector.sql.locations import Location, location_of
from connector.sql.readers.columns import read_items
from connector.sql.readers.create_table import read_create_table
from connector.sql.readers.cursor import Cursor
from connector.sql.readers.moves import read_alert, read_flow, read_inner, read_synonym
from connector.sql.readers.options import read_options
from connector.sql.readers.readings import (
    DefaultChange,
    End,
    InnerStatement,
    Movement,
    Range,
    Reading,
    Restated,
    RowType,
    SchemaDefinition,
    Stage,
)
from connector.sql.table_names import NameRef
from connector.sql.words import STRINGS, like

_MODIFIERS = frozenset(
    """
    OR REPLACE ALTER REFRESH TEMP TEMPORARY LOCAL GLOBAL VOLATILE TRANSIENT EXTERNAL FOREIGN DYNAMIC ICEBERG HYBRID UNLOGGED
    MULTISET SET PUBLIC PRIVATE EDITIONABLE NONEDITIONABLE STREAMING LIVE WRITABLE READABLE WEB COLUMN ROW IMMUTABLE
    BLOCKCHAIN SHARDED DUPLICATED INTERACTIVE EVENT MATERIALIZED FACT DIMENSION REFERENCE SECURE RECURSIVE FORCE NO CACHED
    SNAPSHOT FLEX FLEXIBLE ERROR TRACE HISTORY ROWSTORE COLUMNSTORE VIRTUAL PERSISTENT MANAGED TRANSACTIONAL READ ONLY
    """.split()
)
_RUNS_STATEMENT = frozenset({"TASK", "PIPE", "SCHEDULED"})


def read_create(cursor: Cursor) -> Reading | None:
    """Tables, stages, streams, synonyms and what runs a statement. Views go to the grammar first."""
    word = _to_object(cursor)
    if word == "TABLE" or (word == "VIEW" and _is_more_than_a_view(cursor)):
        return read_create_table(cursor)
    return _other(cursor)


def read_attach(cursor: Cursor) -> Reading | None:
    """ClickHouse: ``ATTACH TABLE | VIEW t [UUID '…'] (a Int8) …``, as a server stores what was created. ``_`` has no name."""
    is_defined = cursor.find("AS") >= 0 or cursor.find("ENGINE") >= 0
    if not cursor.dialect.views_feed_tables or not is_defined or "_" in [token.text for token in cursor.tokens[:5]]:
        return None
    tokens = [like(cursor.tokens[0], TokenType.CREATE, "CREATE"), *cursor.tokens[1:]]
    uuid = next((i for i in range(2, min(len(tokens), 8)) if cursor.word_at(i) == "UUID"), len(tokens))
    return Restated([*tokens[:uuid], *tokens[uuid + 2 :]])


def _is_more_than_a_view(cursor: Cursor) -> bool:
    """ClickHouse's materialized views write to a table; Spark's temporary views may read a file."""
    if cursor.dialect.views_feed_tables:
        return cursor.find("TO") >= 0
    return cursor.find("AS") < 0 and cursor.find("USING") >= 0


def read_view(cursor: Cursor) -> Reading | None:
    """A view whose options the grammar does not know."""
    if cursor.word() not in ("CREATE", "DEFINE", "REPLACE") or (
        _to_object(cursor) != "VIEW" and not _find_view(cursor)
    ):
        return None
    return read_create_table(cursor)


def _to_object(cursor: Cursor) -> str:
    """Goes to the word that says what is created."""
    cursor.i += 1
    while cursor.word() in _MODIFIERS and cursor.word(1) not in ("", "(", "."):
        if cursor.word() == "SYNONYM":
            break
        cursor.i += 1
    return cursor.word()


def _find_view(cursor: Cursor) -> bool:
    """MySQL writes ALGORITHM, DEFINER and SQL SECURITY before VIEW."""
    found = cursor.find("VIEW", "TABLE", "PROCEDURE", "FUNCTION", "AS")
    if found >= 0 and cursor.word_at(found) == "VIEW":
        cursor.i = found
        return True
    return False


def _other(cursor: Cursor) -> Reading | None:
    word = cursor.word()
    if word == "STAGE":
        return _stage(cursor)
    if word == "TYPE":
        return _row_type(cursor)
    if word == "STREAM":
        return _stream(cursor)
    if word in ("SYNONYM", "ALIAS", "NICKNAME"):
        return read_synonym(cursor)
    if word in _RUNS_STATEMENT:
        return read_inner(cursor)
    if cursor.at("DATA", "LOADER"):
        # Vertica: CREATE DATA LOADER l AS COPY …
        cursor.i += 1
        return read_inner(cursor)
    if word == "SNOWFLAKE" and cursor.word(1) == ".":
        return _instance(cursor)
    if cursor.at("CORTEX", "SEARCH", "SERVICE"):
        return _search_service(cursor)
    if word == "ALERT":
        return read_alert(cursor)
    if word == "FLOW":
        return read_flow(cursor)
    if word == "PROJECTION" and cursor.dialect.projections:
        return read_create_table(cursor)
    if word == "SINK":
        return _sink(cursor)
    if word == "SOURCE":
        return _source(cursor)
    if word == "ROUTINE" and cursor.word(1) == "LOAD":
        return _routine_load(cursor)
    if word in ("SCHEMA", "DATABASE"):
        _refuse_copy(cursor)
        if cursor.dialect.schema_of_database:
            return _used_from_here(cursor, word)
        return _schema(cursor) if word == "SCHEMA" else None
    if word == "JOB":
        return _job(cursor)
    if word == "DICTIONARY":
        return _dictionary(cursor)
    if word in ("ANALYTIC", "ATTRIBUTE", "HIERARCHY"):
        view = analytic_view(cursor.tokens)
        return Restated(view) if view is not None else None
    return None


def _schema(cursor: Cursor) -> Reading | None:
    """``CREATE SCHEMA s [AUTHORIZATION u] CREATE TABLE t (…) CREATE VIEW v AS … GRANT …``: elements without semicolons."""
    starts: list[int] = []
    element = cursor.find("CREATE", "GRANT")
    while element >= 0:
        starts.append(element)
        element = cursor.find("CREATE", "GRANT", start=element + 1)
    if not starts:
        return None
    cursor.i += 1
    cursor.skip_if_exists()
    cursor.take("AUTHORIZATION")
    name = cursor.name()
    return SchemaDefinition(name.parts[-1], list(pairwise([*starts, cursor.stop]))) if name is not None else None


def _refuse_copy(cursor: Cursor) -> None:
    """Snowflake: ``… CLONE d``, ``… FROM BACKUP SET b``; SQL Server: ``… AS COPY OF d``, ``… AS SNAPSHOT OF d``."""
    copied = cursor.find("CLONE", "FROM", "AS")
    following = cursor.word_at(copied + 1) if copied >= 0 else ""
    is_copy = (following in ("BACKUP", "SNAPSHOT") and cursor.word_at(copied + 2) == "SET") or (
        following in ("COPY", "SNAPSHOT") and cursor.word_at(copied + 2) == "OF"
    )
    if is_copy or (copied > 2 and cursor.word_at(copied) == "CLONE" and copied + 1 < cursor.stop):
        raise ParseError("This copies all tables of a schema or a database, of which the script names none")


def _row_type(cursor: Cursor) -> Reading | None:
    """PostgreSQL: ``CREATE TYPE p AS (x INT, y INT)``, DuckDB: ``… AS STRUCT(x INT)``; nothing follows of other types."""
    cursor.i += 1
    name = cursor.name()
    if name is None or not cursor.take("AS"):
        return None
    cursor.take("STRUCT")
    if cursor.word() != "(":
        return None
    return RowType(name, read_items(cursor, (cursor.i + 1, cursor.close(cursor.i))).columns)


def _job(cursor: Cursor) -> Reading | None:
    """Doris: ``CREATE JOB j ON SCHEDULE EVERY 1 DAY DO INSERT …``."""
    cursor.i += 1
    name = cursor.created_name()
    body = cursor.find("DO")
    return InnerStatement(name, [(body + 1, cursor.stop)]) if name is not None and 0 < body < cursor.stop - 1 else None


def _dictionary(cursor: Cursor) -> Reading | None:
    """ClickHouse: ``CREATE DICTIONARY d (a UInt64) SOURCE(CLICKHOUSE(TABLE 't' DB 'x'))``; StarRocks: ``… d USING t (a KEY)``."""
    cursor.i += 1
    name = cursor.created_name()
    if name is None:
        return None
    dictionary = Movement("Create Table", name, effect="create_table")
    if cursor.take("USING"):
        table = cursor.name()
        inside = cursor.group()
        if table is None or inside is None:
            return None
        dictionary.sources.append(table)
        dictionary.columns = dictionary.source_columns = [item.name for item in read_items(cursor, inside).columns]
        return dictionary
    if cursor.take("ON", "CLUSTER"):
        cursor.i += 1
    inside = cursor.group()
    if inside is not None:
        dictionary.columns = [item.name for item in read_items(cursor, inside).columns]
    source = cursor.find("SOURCE")
    if source < 0 or cursor.word_at(source + 1) != "(" or cursor.word_at(source + 3) != "(":
        return dictionary
    kind = cursor.word_at(source + 2)
    cursor.i = source + 3
    _dictionary_source(cursor, kind, cursor.group() or (0, 0), dictionary)
    return dictionary


def _dictionary_source(cursor: Cursor, kind: str, inside: Range, dictionary: Movement) -> None:
    """What fills a dictionary: a table or a query of the same server, or a file. Tables of other servers are not known here."""
    parts: dict[str, NameRef] = {}
    cursor.i = inside[0]
    while cursor.i < inside[1]:
        key = cursor.word()
        cursor.i += 1
        if key in ("PATH", "URL") and cursor.at_string():
            dictionary.sources += cursor.locations(key == "PATH")
        elif key == "QUERY" and cursor.at_string() and kind == "CLICKHOUSE":
            dictionary.query_text = cursor.i
        elif key in ("TABLE", "DB") and (value := cursor.named_string()) is not None:
            parts[key] = value
    table = parts.get("TABLE")
    if table is None or kind != "CLICKHOUSE":
        return
    database = parts["DB"].parts if "DB" in parts and len(table.parts) == 1 else []
    dictionary.sources.append(NameRef([*database, *table.parts], table.start, table.end))
    dictionary.source_columns = dictionary.columns


_SERVERS = ("BOOTSTRAP.SERVER", "URL", "HOST", "HOSTNAME", "ENDPOINT")
_TARGETS = (
    "DATABASE",
    "DATABASE.NAME",
    "SCHEMA",
    "TABLE",
    "TABLE.NAME",
    "TOPIC",
    "STREAM",
    "INDEX",
    "BUCKET_NAME",
    "PATH",
)
"""How the names of options end that say where a sink of RisingWave writes to."""


def _delivery(cursor: Cursor) -> Reading | None:
    """RisingWave: ``CREATE SINK s [INTO t (a, b)] FROM u | AS query [WITH (connector = 'kafka', topic = 'x', …)]``."""
    cursor.i += 1
    cursor.skip_if_exists()
    if cursor.name() is None:
        return None
    movement = Movement("Create Sink", None, effect="export")
    if cursor.take("INTO"):
        movement.target = cursor.name()
        movement.columns = cursor.name_list()
    options = cursor.find("WITH")
    while options >= 0 and cursor.word_at(options + 1) != "(":
        options = cursor.find("WITH", start=options + 1)
    end = options if options >= 0 else cursor.stop
    if cursor.take("AS"):
        movement.query = (cursor.i, end)
    else:
        source = cursor.name() if cursor.take("FROM") else None
        if source is None:
            return None
        movement.sources.append(source)
        if cursor.take("INTO"):
            movement.target = cursor.name()
    if movement.target is None and options >= 0:
        movement.target = _connected(cursor, options)
    return movement if movement.target is not None else None


def _connected(cursor: Cursor, options: int) -> Location | None:
    """``WITH (connector = 'kafka', properties.bootstrap.server = 'h:9092', topic = 'x')``: ``kafka://h:9092/x``."""
    cursor.i = options + 1
    inside = cursor.group()
    given: dict[str, str] = {}
    for start, end in cursor.items(inside) if inside is not None else ():
        if end - start > 2 and cursor.tokens[end - 1].token_type in STRINGS:
            key = "".join(token.text for token in cursor.tokens[start : end - 2]).upper()
            given[key] = cursor.tokens[end - 1].text
    connector = given.pop("CONNECTOR", "")
    if not connector:
        return None
    names = [value for key, value in given.items() if key.endswith(_SERVERS)][:1]
    names = [re.split(r"[?;]", name.rpartition("//")[2])[0].rpartition("@")[2] for name in names]
    names += [value for ending in _TARGETS for key, value in given.items() if f".{key}".endswith(f".{ending}")]
    return location_of(f"{connector}://{'/'.join(name.strip('/') for name in names)}")


def _sink(cursor: Cursor) -> Reading | None:
    """Materialize: ``CREATE SINK s FROM t INTO KAFKA CONNECTION c (TOPIC 'x')``."""
    source, into = cursor.find("FROM"), cursor.find("INTO")
    if source < 0 or into < source or cursor.word_at(into + 2) != "CONNECTION":
        return _delivery(cursor)
    cursor.i = source + 1
    table = cursor.name()
    system = cursor.word_at(into + 1).lower()
    cursor.i = into + 3
    connection = cursor.name()
    inside = cursor.group()
    if table is None or connection is None or inside is None:
        return None
    topic = next((cursor.tokens[i].text for i in range(*inside) if cursor.tokens[i].token_type in STRINGS), "")
    place = location_of(f"{system}://{'.'.join(part for part, _ in connection.parts)}/{topic}")
    return Movement("Create Sink", place, sources=[table], effect="export")


def _source(cursor: Cursor) -> Reading | None:
    """Materialize: ``CREATE SOURCE s (a, b) FROM KAFKA CONNECTION c (TOPIC 'x') …`` and ``FROM LOAD GENERATOR AUCTION``."""
    cursor.i += 1
    name = cursor.created_name()
    start = cursor.find("FROM")
    if name is None or start < 0:
        return None
    columns = cursor.name_list()
    system = cursor.word_at(start + 1).lower()
    if cursor.word_at(start + 2) == "GENERATOR":
        place = location_of(f"generator://{cursor.word_at(start + 3).lower()}")
        return Movement("Create External Table", name, columns, [place], effect="create_external_table")
    if cursor.word_at(start + 2) != "CONNECTION":
        return None
    cursor.i = start + 3
    connection = cursor.name()
    if connection is None:
        return None
    inside = cursor.group()
    texts = [cursor.tokens[i] for i in range(*inside)] if inside is not None else []
    topic = next((token.text for token in texts if token.token_type in STRINGS), "")
    place = location_of(f"{system}://{'.'.join(part for part, _ in connection.parts)}/{topic}".rstrip("/"))
    return Movement("Create External Table", name, columns, [place], effect="create_external_table")


def _search_service(cursor: Cursor) -> Reading | None:
    """Snowflake: ``CREATE CORTEX SEARCH SERVICE s ON a ATTRIBUTES b … AS query`` keeps the rows of a query to be searched, as
    a materialized view keeps them to be read."""
    cursor.i += 3
    cursor.skip_if_exists()
    start = cursor.i
    query = cursor.find("AS")
    if cursor.name() is None or query < 0:
        return None
    head = [
        like(cursor.tokens[0], TokenType.CREATE, "CREATE"),
        like(cursor.tokens[0], TokenType.VAR, "MATERIALIZED"),
        like(cursor.tokens[0], TokenType.VIEW, "VIEW"),
    ]
    return Restated([*head, *cursor.tokens[start : cursor.i], *cursor.tokens[query:]])


def _instance(cursor: Cursor) -> Reading | None:
    """Snowflake: ``CREATE SNOWFLAKE.ML.FORECAST m (INPUT_DATA => TABLE(v), …)``, a model that learns from a table.

    The table may also be named by ``SYSTEM$REFERENCE('VIEW', 'v')``.
    """
    cursor.name()
    name = cursor.created_name()
    inside = cursor.group()
    if name is None or inside is None:
        return None
    sources: list[End] = []
    for i in range(*inside):
        cursor.i = i + 2
        if cursor.word_at(i + 1) != "(":
            continue
        if cursor.word_at(i) in ("TABLE", "REFERENCE"):
            found = cursor.named_string() if cursor.at_string() else cursor.name()
        elif cursor.word_at(i).endswith("REFERENCE"):
            cursor.i = i + 4
            found = cursor.named_string() if cursor.at_string() else None
        else:
            continue
        if found is not None:
            sources.append(found)
    return Movement("Create Model", name, sources=sources, effect="create_table") if sources else None


def _routine_load(cursor: Cursor) -> Reading | None:
    """Doris, StarRocks: ``CREATE ROUTINE LOAD j ON t COLUMNS (…) … FROM KAFKA ("kafka_topic" = "x", …)``."""
    cursor.i += 2
    job = cursor.name()
    source, on = cursor.find("FROM"), cursor.find("ON")
    cursor.i = on + 1
    table = cursor.name() if 0 < on < source else None
    if job is None or table is None or source < 0:
        return None
    if table.parts[:-1] == [] and len(job.parts) > 1:
        # A bare table is one of the database of the job.
        table = NameRef([*job.parts[:-1], *table.parts], -1, -1)
    values = {
        cursor.tokens[i].text.lower(): cursor.tokens[i + 2].text
        for i in range(source, cursor.stop - 2)
        if cursor.word_at(i + 1) == "="
    }
    system = cursor.word_at(source + 1).lower()
    servers, topic = values.get("kafka_broker_list", ""), values.get("kafka_topic", values.get("pulsar_topic", ""))
    place = location_of(f"{system}://{servers or values.get('pulsar_service_url', '')}/{topic}")
    return Movement("Load", table, sources=[place], effect="load")


def _stage(cursor: Cursor) -> Reading | None:
    cursor.i += 1
    name = cursor.created_name()
    if name is None:
        return None
    written = cursor.text_of(name.start, name.end)
    options = read_options(cursor, (cursor.i, cursor.stop))
    url = options.finished()[0] if options.locations else None
    return Stage(
        Location(written, written, name.start, name.end, file_format=options.file_format, parts=list(name.parts)), url
    )


def _used_from_here(cursor: Cursor, kind: str) -> Reading | None:
    """Snowflake: a new database or schema is the one in use. Of one that may have existed nobody knows."""
    cursor.i += 1
    name = cursor.name() if cursor.word() != "IF" else None
    if name is None:
        return None
    if kind == "DATABASE":
        return DefaultChange(name.parts[-1], (cursor.dialect.schema_of_database, False))
    return DefaultChange(name.parts[-2] if len(name.parts) > 1 else None, name.parts[-1])


def _stream(cursor: Cursor) -> Reading | None:
    """Snowflake: ``CREATE STREAM s ON TABLE t``; the stream has the columns of what it watches."""
    cursor.i += 1
    name = cursor.created_name()
    if name is None or not cursor.past("ON", "CLONE"):
        return None
    while cursor.word() in ("TABLE", "VIEW", "EXTERNAL", "DYNAMIC", "EVENT") and cursor.kind(1) is not TokenType.DOT:
        cursor.i += 1
    stage = cursor.take("STAGE")
    if cursor.take("DIRECTORY", "("):
        place = cursor.location()
        return Movement("Create Stream", name, sources=[place], effect="create_stream") if place is not None else None
    base = cursor.name()
    if base is None:
        return None
    if stage:
        written = cursor.text_of(base.start, base.end)
        watched = Location(written, written, base.start, base.end, parts=list(base.parts))
        return Movement("Create Stream", name, sources=[watched], effect="create_stream", creates=True)
    return Movement("Create Stream", name, sources=[base], effect="create_stream", creates=True)


READS = {"ATTACH": read_attach, "CREATE": read_create, "DEFINE": read_create, "REPLACE": read_create}
