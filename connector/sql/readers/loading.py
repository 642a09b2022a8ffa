"""Bulk loads: LOAD, BULK INSERT, IMPORT, INGEST."""

from __future__ import annotations

from sqlglot.errors import ParseError
from sqlglot.tokenizer_core import TokenType

from connector.model import ProcessType
from connector.sql.locations import Location, location_of, without_credentials
from connector.sql.readers.copying import read_end
from connector.sql.readers.cursor import Cursor
from connector.sql.readers.options import read_options
from connector.sql.readers.readings import Copies, Movement, Reading
from connector.sql.table_names import NameRef
from connector.sql.words import STRINGS

QUERY = ("SELECT", "WITH")


def read_load(cursor: Cursor) -> Reading | None:
    """LOAD DATA of Hive, MySQL and BigQuery, LOAD LABEL of StarRocks and Doris, LOAD FROM of Db2 and Informix."""
    cursor.i += 1
    if cursor.at("LABEL"):
        return _load_label(cursor)
    if cursor.at("FROM"):
        return _file_into(cursor, "Load")
    if not cursor.take_any("DATA", "XML"):
        return None
    if cursor.word() in ("INTO", "OVERWRITE"):
        return _load_files(cursor)
    while cursor.word() in ("LOW_PRIORITY", "CONCURRENT"):
        cursor.i += 1
    local = cursor.take("LOCAL")
    hive = cursor.at("INPATH")
    if not cursor.take_any("INPATH", "INFILE"):
        return None
    place = cursor.bare_path(local)
    if place is None or not cursor.past("INTO"):
        return None
    cursor.take("TABLE")
    table = cursor.name()
    if table is None:
        return None
    if hive:
        return _hive(cursor, table, place)
    movement = Movement("Load", table, sources=[place], effect="load")
    _mysql_columns(cursor, movement)
    place.file_format = read_options(cursor, (cursor.i, cursor.stop)).file_format
    return movement


def _hive(cursor: Cursor, table: NameRef, place: Location) -> Movement:
    """The partition clause belongs to the table's place, and its columns are what is known to be filled."""
    movement = Movement("Hive Load", table, sources=[place], effect="load")
    if cursor.word() in ("PARTITION", "PARTITION BY"):
        cursor.i += 1
        movement.columns = cursor.name_list()
        end = cursor.tokens[cursor.i - 1].end + 1
        movement.target = NameRef(table.parts, table.start, end)
    return movement


def _mysql_columns(cursor: Cursor, movement: Movement) -> None:
    """``(a, @skipped, b) SET c = …``: the last parenthesis outside of the options."""
    while not cursor.at_end():
        if cursor.kind() is TokenType.L_PAREN:
            before = cursor.word(-1)
            columns = cursor.name_list()
            if before != "PARTITION":
                movement.columns = [column for column in columns if not column.parts[0][0].startswith("@")]
        elif cursor.at("SET") and cursor.word(-1) != "CHARACTER":
            for start, end in cursor.items((cursor.i + 1, cursor.stop)):
                cursor.i = start
                column = cursor.name()
                if column is None:
                    continue
                movement.columns.append(column)
                if any(token.token_type is TokenType.SELECT for token in cursor.tokens[start:end]):
                    movement.looked_up.append((column, (cursor.i + 1, end)))
            break
        else:
            cursor.i += 1


def _load_files(cursor: Cursor) -> Reading | None:
    """BigQuery: ``LOAD DATA INTO t (a INT64) … FROM FILES (format = 'CSV', uris = ['gs://…'])``."""
    cursor.i += 1
    cursor.take("TEMP") or cursor.take("TEMPORARY")
    cursor.take("TABLE")
    table = cursor.name()
    if table is None:
        return None
    columns = cursor.name_list()
    files = cursor.find("FROM")
    if files < 0:
        return None
    options = read_options(cursor, (files, cursor.stop))
    return Movement("Load", table, columns, list(options.finished()), effect="load")


def _load_label(cursor: Cursor) -> Reading | None:
    """``LOAD LABEL l (DATA INFILE ("…") INTO TABLE t (a, b), …) WITH BROKER``."""
    cursor.i += 1
    cursor.name()
    inside = cursor.group()
    movements: list[Movement] = []
    for start, _ in cursor.items(inside) if inside is not None else ():
        cursor.i = start
        if not cursor.take("DATA", "INFILE"):
            continue
        places = cursor.locations()
        if not cursor.past("INTO"):
            continue
        cursor.take("TABLE")
        table = cursor.name()
        if table is not None:
            columns = cursor.name_list()
            movements.append(Movement("Load", table, columns, list(places), effect="load"))
    return Copies(movements) if movements else None


def read_bulk(cursor: Cursor) -> Reading | None:
    """SQL Server: ``BULK INSERT t FROM 'file' WITH (…)``."""
    cursor.i += 1
    if not cursor.take("INSERT"):
        return None
    table = cursor.name()
    if table is None or not cursor.take("FROM"):
        return None
    place = cursor.location()
    if place is None:
        return None
    place.file_format = read_options(cursor, (cursor.i, cursor.stop)).file_format
    return Movement("Bulk Insert", table, sources=[place], effect="load")


def script_of(cursor: Cursor) -> Location | None:
    """Exasol: ``INTO SCRIPT s.f``, ``FROM SCRIPT s.f``: a function that knows where the rows go to, or come from."""
    if not cursor.take("SCRIPT"):
        return None
    name = cursor.name()
    if name is None:
        return None
    written = ".".join(part for part, _ in name.parts)
    return location_of(f"{written}()", "", name.start, name.end)


def remote_table(cursor: Cursor) -> NameRef | None:
    """Exasol: ``INTO JDBC AT connection … TABLE s.t``."""
    return cursor.name() if cursor.past("TABLE") else None


def files_at(cursor: Cursor, local: bool, file_format: str | None) -> list[Location]:
    """Exasol: ``AT 'https://host/folder' … FILE 'a.csv' FILE 'b.csv'``."""
    found: list[Location] = []
    folder = ""
    at = cursor.find("AT")
    if 0 <= at < cursor.stop - 1 and cursor.tokens[at + 1].token_type in STRINGS:
        folder = without_credentials(cursor.tokens[at + 1].text).rstrip("/")
    while cursor.past("FILE"):
        place = cursor.location(local)
        if place is None:
            continue
        if folder:
            place = location_of(f"{folder}/{place.uri}", "'", place.start, place.end, local)
        place.file_format = file_format
        found.append(place)
    return found


def _import_file(cursor: Cursor) -> Reading | None:
    """SQLite and DuckDB: ``.import FILE TABLE``."""
    place = cursor.bare_path(local=True)
    table = cursor.name()
    return (
        Movement("Import", table, sources=[place], effect="load") if place is not None and table is not None else None
    )


def read_import(cursor: Cursor) -> Reading | None:
    """IMPORT of Exasol (``INTO t FROM CSV … FILE 'f'``), of Db2 (``FROM f OF DEL INSERT INTO t``) and HANA."""
    cursor.i += 1
    if cursor.at("DATABASE"):
        raise ParseError("IMPORT creates and fills tables that the script does not name")
    if cursor.at("FROM"):
        return _file_into(cursor, "Import")
    if cursor.at("TABLE") or cursor.at("EXTERNAL", "TABLE"):
        return _import_table(cursor)
    if not cursor.take("INTO"):
        return _import_file(cursor) if cursor.dialect.imports_files else None
    table = read_end(cursor)
    if not isinstance(table, NameRef):
        return None
    columns = cursor.name_list()
    if not cursor.past("FROM"):
        return None
    script = script_of(cursor)
    if script is not None:
        return Movement("Import", table, columns, [script], effect="load")
    local = cursor.take("LOCAL")
    cursor.take("SECURE")
    file_format = cursor.tokens[cursor.i].text if not cursor.at_end() else None
    movement = Movement("Import", table, columns, list(files_at(cursor, local, file_format)), effect="load")
    remote = remote_table(cursor) if not movement.sources else None
    if remote is not None:
        movement.sources.append(remote)
    elif (
        (found := cursor.find("STATEMENT")) >= 0
        and found + 1 < cursor.stop
        and cursor.tokens[found + 1].token_type in STRINGS
    ):
        movement.query_text = found + 1
    return movement


def _import_table(cursor: Cursor) -> Reading | None:
    """Hive: ``IMPORT [EXTERNAL] TABLE t [PARTITION (…)] FROM 'path'``."""
    cursor.take("EXTERNAL")
    cursor.i += 1
    table = cursor.name()
    if table is None or not cursor.past("FROM"):
        return None
    place = cursor.location()
    return Movement("Import", table, sources=[place], effect="load") if place is not None else None


def _file_into(cursor: Cursor, kind: ProcessType) -> Reading | None:
    """``FROM file OF DEL [METHOD …] INSERT INTO t (a, b)``, ``FROM CSV FILE 'f' INTO t``, ``FROM 'f' INSERT INTO t``."""
    cursor.i += 1
    if cursor.word(1) == "FILE":
        cursor.i += 2
    rows = _rows_into(cursor, kind)
    if rows is not None:
        return rows
    place = cursor.bare_path()
    into = cursor.find("INTO")
    if place is None or into < 0:
        return None
    if cursor.take("OF"):
        place.file_format = cursor.tokens[cursor.i].text
    cursor.i = into + 1
    cursor.take("TABLE")
    table = cursor.name()
    if table is None:
        return None
    return Movement(kind, table, cursor.name_list(), [place], effect="load")


def _rows_into(cursor: Cursor, kind: ProcessType) -> Movement | None:
    """Db2: ``FROM c OF CURSOR … INSERT INTO t (a, b)``, and ``FROM (query) OF CURSOR …``."""
    query = None
    behind = cursor.i + 1
    if cursor.kind() is TokenType.L_PAREN:
        behind = cursor.close(cursor.i) + 1
        # (DATABASE d SELECT …): of another database.
        start = cursor.find(*QUERY, start=cursor.i + 1)
        query = (start, behind - 1) if start >= 0 else None
    if cursor.word_at(behind) != "OF" or cursor.word_at(behind + 1) != "CURSOR":
        return None
    declared = cursor.name() if query is None else None
    into = cursor.find("INTO", start=behind)
    if into < 0:
        return None
    cursor.i = into + 1
    table = cursor.name()
    if table is None:
        return None
    return Movement(kind, table, cursor.name_list(), query=query, cursor=declared, effect="load")


def read_ingest(cursor: Cursor) -> Reading | None:
    """Db2: ``INGEST FROM FILE f FORMAT DELIMITED (…) INSERT INTO t (a, b) VALUES (…)``; also with UPDATE, MERGE and DELETE."""
    if not cursor.past("FROM") or not cursor.take_any("FILE", "PIPE"):
        return None
    place = cursor.bare_path()
    if place is None or not cursor.past("INSERT", "REPLACE", "UPDATE", "MERGE", "DELETE"):
        return None
    cursor.take_any("INTO", "FROM")
    table = cursor.name()
    return Movement("Load", table, cursor.name_list(), [place], effect="load") if table is not None else None


def read_infile(cursor: Cursor) -> Reading | None:
    """ClickHouse: ``INSERT INTO t FROM INFILE 'data.csv' COMPRESSION 'gzip' FORMAT CSV``."""
    table = cursor.name()
    if table is None or not cursor.take("FROM", "INFILE"):
        return None
    places = cursor.locations(True)
    return Movement("Insert", table, sources=[*places], effect="load") if places else None


READS = {
    "BULK": read_bulk,
    "IMPORT": read_import,
    "INGEST": read_ingest,
    "LOAD": read_load,
}
