"""Tables that keep no rows of their own: what they show, and what is written to them, is in other tables.

ClickHouse's engines, MySQL's MERGE and FEDERATED, external tables of StarRocks and Doris, PostgreSQL's foreign tables and
HANA's virtual ones. A table of another server is named by its connection, like one that a query reads there.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from sqlglot.tokenizer_core import TokenType

from connector.sql.locations import Location, connection_in, location_of, without_credentials
from connector.sql.readers.cursor import Cursor
from connector.sql.readers.readings import Range
from connector.sql.table_names import NameRef
from connector.sql.words import STRINGS


@dataclass(slots=True)
class Face:
    """What lies behind a table."""

    tables: list[NameRef] = field(default_factory=list)
    pattern: tuple[str, str] | None = None
    """ClickHouse: a database, or nothing for the one in use, and a regular expression for the names of its tables."""
    places: list[Location] = field(default_factory=list)


@dataclass(slots=True)
class _Arguments:
    """What stands in the parentheses of an engine: values by position, and by name those of named collections."""

    values: list[str]
    named: dict[str, str]

    def value(self, at: int, *names: str) -> str:
        """The value under one of these names, or at this position."""
        found = next((self.named[name] for name in names if name in self.named), None)
        if found is not None:
            return found
        return self.values[at] if at < len(self.values) else ""


def engine_face(cursor: Cursor, engine: str, inside: Range | None) -> Face | None:
    """What is behind a table with this engine; the cursor stands behind the engine and its arguments."""
    reader = _ENGINES.get(engine)
    if reader is None:
        return None
    arguments = _arguments(cursor, inside) if inside is not None else _Arguments([], {})
    # ``Kafka()`` and ``Kafka('host:port')`` leave to the settings what they do not say themselves.
    return reader(arguments) or reader(_Arguments(arguments.values, {**_options(cursor), **arguments.named}))


def _arguments(cursor: Cursor, inside: Range) -> _Arguments:
    found = _Arguments([], {})
    for start, end in cursor.items(inside):
        if end - start == 3 and cursor.kind_at(start + 1) is TokenType.EQ:
            found.named[cursor.tokens[start].text.upper()] = cursor.tokens[end - 1].text
            continue
        texts = [token.text for token in cursor.tokens[start:end]]
        # A call, as of currentDatabase(), gives no name that could be known.
        found.values.append("" if "(" in texts else "".join(texts))
    return found


def _options(cursor: Cursor) -> dict[str, str]:
    """Options behind an engine: ``SETTINGS kafka_topic_list = 'x'``, ``PROPERTIES ("table" = "t")``."""
    tokens = cursor.tokens
    return {
        tokens[i - 1].text.upper(): tokens[i + 1].text
        for i in range(cursor.i, cursor.stop - 1)
        if tokens[i].token_type is TokenType.EQ and tokens[i + 1].token_type is not TokenType.L_PAREN
    }


def _table(*parts: str) -> Face | None:
    """A table of the same server."""
    named = [(part, True) for part in parts if part]
    return Face([NameRef(named, -1, -1)]) if parts[-1] else None


def remote_table(connection: str, table: str, schema: str = "") -> Face | None:
    """A table of another server, whose connection stands before its name."""
    return _table(connection, schema, table) if connection and table else None


def _joined(*parts: str) -> str:
    return ".".join(part for part in parts if part)


def _distributed(arguments: _Arguments) -> Face | None:
    """``Distributed(cluster, db, t, key)``."""
    return _table(arguments.value(1), arguments.value(2))


def _buffer(arguments: _Arguments) -> Face | None:
    """``Buffer(db, t, layers, …)``, and ``Alias(db, t)``; without a table the rows are thrown away."""
    return _table(arguments.value(0), arguments.value(1))


def _named_in_full(arguments: _Arguments) -> Face | None:
    """``Dictionary(db.d)``."""
    return _table(*arguments.value(0).split("."))


def _merge(arguments: _Arguments) -> Face | None:
    """``Merge(db, '^t')``."""
    return Face(pattern=(arguments.value(0), arguments.value(1))) if arguments.value(1) else None


def _server(arguments: _Arguments) -> Face | None:
    """``MySQL('host:port', 'db', 't', …)``: address, database, table. StarRocks names them in properties."""
    address = arguments.value(0, "HOST", "ADDRESSES_EXPR", "RESOURCE", "DATASOURCE", "URI")
    port = arguments.named.get("PORT", "")
    connection = connection_in(f"{address}:{port}" if port else address)
    database = arguments.value(1, "DB", "DATABASE")
    return remote_table(_joined(connection, database), arguments.value(2, "TABLE", "COLLECTION"))


def _mongodb(arguments: _Arguments) -> Face | None:
    """As other servers, or ``MongoDB('mongodb://host/db', 'collection')``."""
    address = arguments.value(0, "URI")
    if "://" not in address:
        return _server(arguments)
    return remote_table(connection_in(address), arguments.value(1, "COLLECTION"))


def _postgresql(arguments: _Arguments) -> Face | None:
    """As other servers, with the schema behind the password."""
    found = _server(arguments)
    schema = arguments.value(5, "SCHEMA")
    if found is not None and schema:
        parts = found.tables[0].parts
        parts.insert(1, (schema, True))
    return found


def _sqlite(arguments: _Arguments) -> Face | None:
    """``SQLite('file', 't')``."""
    return remote_table(arguments.value(0), arguments.value(1))


def _queue(system: str, server: str, topic: str) -> Callable[[_Arguments], Face | None]:
    """``Kafka('host:port', 'topic', …)``, or the same in settings: what a queue brings."""

    def read(arguments: _Arguments) -> Face | None:
        address = arguments.value(0, server).rpartition("://")[2].strip()
        topics = [each.strip() for each in arguments.value(1, topic).split(",") if each.strip()]
        return Face(places=[location_of(f"{system}://{address}/{each}") for each in topics]) if topics else None

    return read


def _elasticsearch(arguments: _Arguments) -> Face | None:
    server = arguments.value(0, "HOSTS").rpartition("//")[2].strip("/")
    return (
        Face(places=[location_of(f"elasticsearch://{server}/{index}")])
        if (index := arguments.value(1, "INDEX"))
        else None
    )


def _federated(arguments: _Arguments) -> Face | None:
    """MySQL: ``CONNECTION = 'mysql://user@host:9306/db/t'``, or a server and a table: ``CONNECTION = 's/t'``."""
    scheme, _, path = arguments.value(0, "CONNECTION").rpartition("://")
    server, *names = without_credentials(f"{scheme}://{path}").rpartition("://")[2].split("/")
    return remote_table(_joined(server, *names[:-1]), names[-1]) if names else None


_ENGINES: Mapping[str, Callable[[_Arguments], Face | None]] = {
    "DISTRIBUTED": _distributed,
    "BUFFER": _buffer,
    "ALIAS": _buffer,
    "DICTIONARY": _named_in_full,
    "MERGE": _merge,
    "MYSQL": _server,
    "MONGODB": _mongodb,
    "ODBC": _server,
    "JDBC": _server,
    "HIVE": _server,
    "POSTGRESQL": _postgresql,
    "MATERIALIZEDPOSTGRESQL": _postgresql,
    "SQLITE": _sqlite,
    "KAFKA": _queue("kafka", "KAFKA_BROKER_LIST", "KAFKA_TOPIC_LIST"),
    "RABBITMQ": _queue("rabbitmq", "RABBITMQ_HOST_PORT", "RABBITMQ_EXCHANGE_NAME"),
    "NATS": _queue("nats", "NATS_URL", "NATS_SUBJECTS"),
    "ELASTICSEARCH": _elasticsearch,
    "FEDERATED": _federated,
}
"""Engines of tables that are kept elsewhere."""


def united_tables(cursor: Cursor) -> list[NameRef]:
    """MySQL: ``ENGINE = MERGE UNION = (a, b)``; the cursor stands behind the engine."""
    union = cursor.find("UNION")
    if union < 0:
        return []
    cursor.i = union + 1
    cursor.take("=")
    return cursor.name_list()


def foreign_face(cursor: Cursor, start: int) -> Face | None:
    """PostgreSQL: ``SERVER s OPTIONS (schema_name 'x', table_name 't')``; HANA: ``AT "source"."db"."x"."t"``."""
    server = cursor.find("SERVER", start=start)
    if server < 0:
        return _virtual(cursor, start)
    tokens = cursor.tokens
    options = {
        tokens[i - 1].text.upper(): tokens[i].text
        for i in range(server + 2, cursor.stop)
        if tokens[i].token_type in STRINGS
    }
    table = options.get("TABLE_NAME") or options.get("TABLE", "")
    schema = next((options[name] for name in ("SCHEMA_NAME", "SCHEMA", "DBNAME") if name in options), "")
    return remote_table(tokens[server + 1].text, table, schema) if server + 1 < cursor.stop else None


def _virtual(cursor: Cursor, start: int) -> Face | None:
    cursor.i = cursor.find("AT", start=start) + 1
    name = cursor.name() if cursor.i else None
    if name is None or len(name.parts) < 2:
        return None
    parts = [part for part, _ in name.parts if part.upper() not in ("<NULL>", "NULL")]
    schema = parts[-2] if len(parts) > 2 else ""
    return remote_table(_joined(*parts[: -2 if schema else -1]), parts[-1], schema)


def handler_face(cursor: Cursor, start: int) -> Face | None:
    """Hive: ``STORED BY 'handler' TBLPROPERTIES ('hbase.table.name' = 't')``, a table of another system."""
    handler = cursor.find("BY", start=start)
    while handler >= 0 and cursor.word_at(handler - 1) != "STORED":
        handler = cursor.find("BY", start=handler + 1)
    if handler < 0:
        return None
    cursor.i = handler + 1
    given = _options(cursor)
    if "HIVE.SQL.TABLE" in given:
        return remote_table(connection_in(given.get("HIVE.SQL.JDBC.URL", "jdbc")), given["HIVE.SQL.TABLE"])
    if "KAFKA.TOPIC" in given:
        server = given.get("KAFKA.BOOTSTRAP.SERVERS", "")
        return Face(places=[location_of(f"kafka://{server}/{given['KAFKA.TOPIC']}")])
    found = [(system, given[name]) for name, system in _HANDLED.items() if name in given]
    return Face(places=[location_of(f"{system}://{name}") for system, name in found[:1]]) if found else None


_HANDLED = {"HBASE.TABLE.NAME": "hbase", "ES.RESOURCE": "elasticsearch", "DRUID.DATASOURCE": "druid"}
"""Properties that name what a storage handler reads and writes, and the system that has it."""
