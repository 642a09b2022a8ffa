"""COPY and UNLOAD in the warehouses' spellings."""

from __future__ import annotations

from sqlglot.tokenizer_core import TokenType

from connector.sql.locations import Location, location_of
from connector.sql.readers.cursor import Cursor
from connector.sql.readers.options import read_options
from connector.sql.readers.queries import query_range
from connector.sql.readers.readings import End, Movement, Range, Reading
from connector.sql.table_names import NameRef
from connector.sql.words import STRINGS

_NO_FILE = frozenset({"STDIN", "STDOUT", "PROGRAM"})
_FORMAT_WORDS = frozenset(
    {"CSV", "PARQUET", "ORC", "AVRO", "JSON", "NATIVE", "TEXT", "BINARY", "DELIMITED", "FIXEDWIDTH"}
)


def read_copy(cursor: Cursor) -> Reading | None:
    """``COPY INTO target FROM source`` and ``COPY table FROM | TO file``."""
    cursor.i += 1
    if cursor.take("INTO") or cursor.take("FILES", "INTO"):
        return _copy_into(cursor)
    if cursor.at("FROM", "DATABASE"):
        return None
    return _copy_file(cursor)


def read_end(cursor: Cursor) -> End | None:
    """A stage, a file, or the name of a table."""
    return cursor.location() or cursor.name()


def _copy_into(cursor: Cursor) -> Reading | None:
    """Snowflake, Databricks, Fabric: either side may be a stage or a file."""
    target = read_end(cursor)
    if target is None:
        return None
    movement = Movement("Copy", target)
    if cursor.kind() is TokenType.L_PAREN:
        movement.columns = cursor.name_list()
    if cursor.at("BY", "POSITION"):
        cursor.i += 2
    if not cursor.past("FROM"):
        if not cursor.dialect.stages or not isinstance(target, NameRef):
            return None
        movement.sources.append(_own_stage(target))
        _format(cursor, movement)
        return movement
    if cursor.kind() is TokenType.L_PAREN:
        movement.query = query_range(cursor, cursor.i)
        cursor.i = movement.query[1]
    else:
        movement.sources += cursor.locations()
        if not movement.sources:
            name = cursor.name()
            if name is None:
                return None
            movement.sources.append(name)
            if cursor.kind() is TokenType.L_PAREN and isinstance(target, Location):
                movement.source_columns = cursor.name_list()
    _format(cursor, movement)
    return movement


def _own_stage(table: NameRef) -> Location:
    """Snowflake: without FROM, the files come from the stage that every table has, ``@%t``."""
    *schema, (name, quoted) = table.parts
    parts = [*schema, ("%" + name, quoted)]
    written = "@" + ".".join(part for part, _ in parts)
    return Location(written, written, table.start, table.end, parts=parts)


def _copy_file(cursor: Cursor) -> Reading | None:
    """PostgreSQL, Redshift, Greenplum, Vertica, DuckDB: a table or query TO a file, a table FROM a file."""
    query = None
    name = None
    columns = []
    if cursor.kind() is TokenType.L_PAREN:
        query = query_range(cursor, cursor.i)
        cursor.i = query[1]
        if cursor.word_at(query[0] + 1) in ("INSERT", "UPDATE", "DELETE", "MERGE"):
            # What a data-changing statement returns; the grammar knows only queries in parentheses.
            query = query[0] + 1, query[1] - 1
    else:
        cursor.take_any("BINARY", "TABLE", "ONLY")
        name = cursor.name()
        if name is None:
            return None
        columns = cursor.name_list()
    if not cursor.past("FROM", "TO", "SOURCE"):
        return None
    if cursor.word(-1) == "SOURCE":
        return _copy_from_function(cursor, name, columns)
    inwards = cursor.word(-1) == "FROM"
    if inwards and cursor.take("VERTICA"):
        other = cursor.name()
        if name is None or other is None:
            return None
        return Movement("Copy", name, columns, [other], cursor.name_list())
    local = cursor.take("LOCAL")
    if cursor.word() in _NO_FILE or (cursor.word() in ("S3", "EMR") and cursor.kind() not in STRINGS):
        cursor.i += 1
        return _stream(name, query, inwards)
    places = cursor.locations(local)
    while places and (more := _further_files(cursor, local)):
        places += more
    if not places:
        # psql: ``\\copy t FROM data/t.csv``.
        bound = cursor.bound_path()
        place = bound or cursor.bare_path(local=True)
        if place is None or not (bound or "." in place.uri or "/" in place.uri):
            return _stream(name, query, inwards)
        places = [place]
    if inwards:
        if name is None:
            return None
        movement = Movement("Copy", name, columns, list(places))
    else:
        movement = Movement("Copy", places[0], query=query)
        if name is not None:
            movement.sources.append(name)
            movement.source_columns = columns
    _format(cursor, movement)
    return movement


def _copy_from_function(cursor: Cursor, name: NameRef | None, columns: list[NameRef]) -> Reading | None:
    """Vertica: ``COPY t SOURCE Curl(url = 'http://…') PARSER p()``: a function of the user's gets the rows from somewhere."""
    if name is None or cursor.name() is None:
        return None
    inside = cursor.group() or (0, 0)
    texts = [cursor.tokens[i] for i in range(*inside) if cursor.kind_at(i) in STRINGS]
    places = [location_of(token.text, "'", token.start, token.end + 1) for token in texts if "/" in token.text]
    return Movement("Copy", name, columns, list(places))


def _further_files(cursor: Cursor, local: bool) -> list[Location]:
    """Vertica: ``'a.dat' ON node1, 'b.dat' ON ANY NODE ORC``."""
    back = cursor.i
    if not cursor.past(","):
        return []
    found = cursor.locations(local)
    if not found:
        cursor.i = back
    return found


def _stream(name: NameRef | None, query: Range | None, inwards: bool) -> Reading | None:
    """Through a pipe of the client: the table is written from nowhere that has a name, or read for nowhere."""
    if inwards:
        return Movement("Copy", name) if name is not None else None
    return Movement("Copy", None, sources=[name] if name is not None else [], query=query)


def read_unload(cursor: Cursor) -> Reading | None:
    """``UNLOAD ('query') TO 's3://…'`` of Redshift, ``UNLOAD (query) TO …`` of Athena, ``UNLOAD TO 'f' query`` of Informix."""
    cursor.i += 1
    if cursor.take("TO"):
        place = cursor.location()
        query = cursor.find("SELECT", "WITH")
        if place is None or query < 0:
            return None
        return Movement("Unload", place, query=(query, cursor.stop), effect="unload")
    if cursor.kind() is not TokenType.L_PAREN:
        return None
    inside = cursor.group()
    if inside is None or not cursor.take("TO"):
        return None
    place = cursor.location() or cursor.bound_path()
    if place is None:
        return None
    movement = Movement("Unload", place, effect="unload")
    if cursor.tokens[inside[0]].token_type in STRINGS:
        movement.query_text = inside[0]
    else:
        movement.query = inside
    _format(cursor, movement)
    return movement


def read_put(cursor: Cursor) -> Reading | None:
    """Snowflake: ``PUT file:///tmp/x.csv @stage``."""
    cursor.i += 1
    place = cursor.bare_path(local=True)
    stage = cursor.location()
    if place is None or stage is None or not stage.is_stage:
        return None
    return Movement("Put", stage, sources=[place])


def read_get(cursor: Cursor) -> Reading | None:
    """Snowflake: ``GET @stage file:///tmp/``."""
    cursor.i += 1
    stage = cursor.location()
    if stage is None or not stage.is_stage:
        return None
    place = cursor.bare_path(local=True)
    return Movement("Get", place, sources=[stage]) if place is not None else None


def _format(cursor: Cursor, movement: Movement) -> None:
    """The file format from the options after the places."""
    value = read_options(cursor, (cursor.i, cursor.stop)).file_format
    if value is None:
        found = cursor.find(*_FORMAT_WORDS)
        value = cursor.tokens[found].text if found >= 0 else None
    for end in (movement.target, *movement.sources):
        if isinstance(end, Location) and not end.is_stage and end.file_format is None:
            end.file_format = value


READS = {"COPY": read_copy, "GET": read_get, "PUT": read_put, "UNLOAD": read_unload}
