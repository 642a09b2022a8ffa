"""Bulk loads and exports: LOAD DATA, BULK INSERT, EXPORT, IMPORT, INTO OUTFILE."""

from __future__ import annotations

from sqlglot.errors import ParseError
from sqlglot.tokenizer_core import TokenType

from connector.model import ProcessType
from connector.sql.locations import Location, location_of, without_credentials
from connector.sql.readers.copying import read_end
from connector.sql.readers.cursor import Cursor
from connector.sql.readers.options import read_options
from connector.sql.readers.queries import query_range
from connector.sql.readers.readings import Copies, Movement, Reading
from connector.sql.table_names import NameRef
from connector.sql.words import STRINGS

_QUERY = ("SELECT", "WITH")


def read_load(cursor: Cursor) -> Reading | None:
    """LOAD DATA of Hive, MySQL and BigQuery, LOAD LABEL of StarRocks and Doris, LOAD FROM of Db2 and Informix."""
    cursor.i += 1
    if cursor.word() in ("LABEL",):
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
    into = cursor.find("INTO")
    if place is None or into < 0:
        return None
    cursor.i = into + 1
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
            if before not in ("PARTITION",):
                movement.columns = [column for column in columns if not column.parts[0][0].startswith("@")]
        elif cursor.at("SET") and cursor.word(-1) != "CHARACTER":
            cursor.i += 1
            column = cursor.name()
            if column is not None:
                movement.columns.append(column)
            while cursor.find(",") >= 0:
                cursor.i = cursor.find(",") + 1
                column = cursor.name()
                if column is not None:
                    movement.columns.append(column)
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
        if not (cursor.take("DATA", "INFILE")):
            continue
        places = cursor.locations()
        into = cursor.find("INTO")
        if into < 0:
            continue
        cursor.i = into + 1
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


def read_export(cursor: Cursor) -> Reading | None:
    """EXPORT DATA of BigQuery, EXPORT of Exasol, Db2, HANA, Doris and Vertica."""
    cursor.i += 1
    if cursor.at("DATA"):
        return _export_data(cursor)
    if cursor.take("TO"):
        return _export_to(cursor)
    if cursor.at("DATABASE") or cursor.at("ALL"):
        raise ParseError("EXPORT writes every table of the database, of which the script names none")
    return _export_into(cursor)


def _export_data(cursor: Cursor) -> Reading | None:
    query = cursor.find("AS")
    if query < 0:
        return None
    places = read_options(cursor, (cursor.i, query)).finished()
    movements = [Movement("Export", place, query=(query + 1, cursor.stop), effect="export") for place in places[:1]]
    return movements[0] if movements else None


def _export_to(cursor: Cursor) -> Reading | None:
    """Db2 ``EXPORT TO f OF DEL SELECT …``; Vertica ``EXPORT TO PARQUET (directory = '…') AS SELECT …``."""
    if cursor.word(1) == "(":
        file_format = cursor.tokens[cursor.i].text
        query = cursor.find("AS")
        inside = (cursor.i + 2, cursor.close(cursor.i + 1))
        directory = next((i for i in range(*inside) if cursor.word_at(i) == "DIRECTORY"), -1)
        if query < 0 or directory < 0:
            return None
        cursor.i = directory + 2
        place = cursor.location()
        if place is None:
            return None
        place.file_format = file_format
        return Movement("Export", place, query=(query + 1, cursor.stop), effect="export")
    if cursor.at("VERTICA") and cursor.word(1) != "OF":
        return _export_to_database(cursor)
    place = cursor.bare_path()
    query = cursor.find(*_QUERY)
    if place is None or query < 0:
        return None
    if cursor.take("OF"):
        place.file_format = cursor.tokens[cursor.i].text
    return Movement("Export", place, query=(query, cursor.stop), effect="export")


def _export_to_database(cursor: Cursor) -> Reading | None:
    """Vertica: ``EXPORT TO VERTICA db.s.t (a, b) AS query | FROM s.u (c, d)``."""
    cursor.i += 1
    table = cursor.name()
    if table is None:
        return None
    movement = Movement("Export", table, cursor.name_list(), effect="export")
    if cursor.take("AS"):
        movement.query = (cursor.i, cursor.stop)
        return movement
    source = cursor.name() if cursor.take("FROM") else None
    if source is None:
        return None
    movement.sources.append(source)
    movement.source_columns = cursor.name_list()
    return movement


def _export_into(cursor: Cursor) -> Reading | None:
    """``EXPORT t | (query) INTO CSV … FILE 'f'`` and ``EXPORT TABLE t TO 'path'``."""
    movement = Movement("Export", NameRef([], 0, 0), effect="export")
    if cursor.kind() is TokenType.L_PAREN:
        movement.query = query_range(cursor, cursor.i)
        cursor.i = movement.query[1]
    else:
        cursor.take("TABLE")
        name = cursor.name()
        if name is None:
            return None
        movement.sources.append(name)
        movement.source_columns = cursor.name_list()
    into = cursor.find("INTO", "TO")
    if into < 0:
        return None
    cursor.i = into + 1
    target = _script(cursor) or _exported_file(cursor) or _remote_table(cursor)
    if target is None:
        return None
    movement.target = target
    return movement


def _script(cursor: Cursor) -> Location | None:
    """Exasol: ``INTO SCRIPT s.f``, ``FROM SCRIPT s.f``: a function that knows where the rows go to, or come from."""
    if not cursor.take("SCRIPT"):
        return None
    name = cursor.name()
    if name is None:
        return None
    written = ".".join(part for part, _ in name.parts)
    return location_of(f"{written}()", "", name.start, name.end)


def _remote_table(cursor: Cursor) -> NameRef | None:
    """Exasol: ``INTO JDBC AT connection … TABLE s.t``."""
    found = cursor.find("TABLE")
    if found < 0:
        return None
    cursor.i = found + 1
    return cursor.name()


def _exported_file(cursor: Cursor) -> Location | None:
    """The file after INTO: in Exasol after FILE, with the format before it."""
    if cursor.at_string():
        return cursor.location()
    local = cursor.take("LOCAL")
    cursor.take("SECURE")
    file_format = cursor.tokens[cursor.i].text if not cursor.at_end() else None
    places = _files(cursor, local, file_format)
    return places[0] if places else None


def _files(cursor: Cursor, local: bool, file_format: str | None) -> list[Location]:
    """Exasol: ``AT 'https://host/folder' … FILE 'a.csv' FILE 'b.csv'``."""
    found: list[Location] = []
    folder = ""
    at = cursor.find("AT")
    if 0 <= at < cursor.stop - 1 and cursor.tokens[at + 1].token_type in STRINGS:
        folder = without_credentials(cursor.tokens[at + 1].text).rstrip("/")
    while (behind := cursor.find("FILE")) >= 0:
        cursor.i = behind + 1
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
    source = cursor.find("FROM")
    if source < 0:
        return None
    cursor.i = source + 1
    script = _script(cursor)
    if script is not None:
        return Movement("Import", table, columns, [script], effect="load")
    local = cursor.take("LOCAL")
    cursor.take("SECURE")
    file_format = cursor.tokens[cursor.i].text if not cursor.at_end() else None
    movement = Movement("Import", table, columns, list(_files(cursor, local, file_format)), effect="load")
    remote = _remote_table(cursor) if not movement.sources else None
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
    source = cursor.find("FROM")
    if table is None or source < 0:
        return None
    cursor.i = source + 1
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
        start = cursor.find(*_QUERY, start=cursor.i + 1)
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


def read_outfile(cursor: Cursor) -> tuple[Location, list[tuple[int, int]]] | None:
    """``SELECT … INTO OUTFILE 'f' …``: the file, and the ranges of tokens that are left of the query without it."""
    into = -1
    for i in range(cursor.stop - 1):
        if cursor.word_at(i) == "INTO" and cursor.word_at(i + 1) in ("OUTFILE", "DUMPFILE"):
            into = i
            break
    if into < 0 or into + 2 >= cursor.stop:
        return None
    cursor.i = into + 2
    place = cursor.location()
    if place is None:
        return None
    behind = cursor.find("FROM", "UNION", "WHERE", start=cursor.i)
    place.file_format = read_options(cursor, (cursor.i, behind if behind >= 0 else cursor.stop)).file_format
    kept = [(0, into)]
    if behind < 0:
        # The last of several queries in parentheses.
        behind = next((i for i in range(cursor.i, cursor.stop) if cursor.kind_at(i) is TokenType.R_PAREN), -1)
    if behind >= 0:
        kept.append((behind, cursor.stop))
    return place, kept


def _into_external(cursor: Cursor) -> Reading | None:
    """Db2, Netezza: ``INSERT INTO EXTERNAL 'f' [USING (…)] query``."""
    cursor.i += 1
    place = cursor.location()
    query = cursor.find(*_QUERY)
    if place is None or query < 0:
        return None
    return Movement("Export", place, query=(query, cursor.stop), effect="export")


def read_directory(cursor: Cursor) -> Reading | None:
    """Hive and Spark: ``INSERT OVERWRITE [LOCAL] DIRECTORY 'path' [STORED AS … | USING … OPTIONS (…)] query``."""
    cursor.i += 1
    if not cursor.take_any("OVERWRITE", "INTO"):
        return None
    if cursor.word(2) == "INFILE" or cursor.word(4) == "INFILE":
        return _from_infile(cursor)
    if cursor.at("FILES", "("):
        return _into_files(cursor)
    if cursor.at("EXTERNAL") and cursor.kind(1) in STRINGS:
        return _into_external(cursor)
    if cursor.at("EXTERN", "("):
        return _into_extern(cursor)
    local = cursor.take("LOCAL")
    if not cursor.take("DIRECTORY"):
        return None
    query = cursor.find("SELECT", "WITH", "FROM", "VALUES", "TABLE", "MAP", "REDUCE")
    start = cursor.i
    if query < 0:
        return None
    while cursor.word_at(query) == "WITH" and cursor.word_at(query + 1) == "SERDEPROPERTIES":
        query = cursor.find("SELECT", "WITH", "FROM", start=query + 1)
    options = read_options(cursor, (start, query))
    place = cursor.location(local) or (options.locations[0] if options.locations else None)
    if place is None:
        return None
    place.file_format = options.file_format
    return Movement("Insert", place, query=(query, cursor.stop), effect="insert")


_STORES = {"S3": "s3", "GOOGLE": "gs"}
"""Where Druid exports to, and the scheme of such an address."""


def _into_extern(cursor: Cursor) -> Reading | None:
    """Druid: ``INSERT INTO EXTERN(s3(bucket => 'b', prefix => 'p')) AS CSV query``, or ``local(exportPath => '/p')``."""
    store = _STORES.get(cursor.word(2))
    end = cursor.close(cursor.i + 1)
    given = [token for token in cursor.tokens[cursor.i : end] if token.token_type in STRINGS]
    query = cursor.find("SELECT", "WITH", start=end)
    if not given or query < 0:
        return None
    path = "/".join(token.text.strip("/") for token in given)
    uri = f"{store}://{path}" if store is not None else given[0].text
    place = location_of(uri, "'", given[0].start, given[-1].end + 1)
    if cursor.word_at(end + 1) == "AS":
        place.file_format = cursor.tokens[end + 2].text
    return Movement("Export", place, query=(query, cursor.stop), effect="export")


def read_ingest(cursor: Cursor) -> Reading | None:
    """Db2: ``INGEST FROM FILE f FORMAT DELIMITED (…) INSERT INTO t (a, b) VALUES (…)``; also with UPDATE, MERGE and DELETE."""
    if not cursor.take("INGEST") or cursor.find("FROM") < 0:
        return None
    cursor.i = cursor.find("FROM") + 1
    if not cursor.take_any("FILE", "PIPE"):
        return None
    place = cursor.bare_path()
    verb = cursor.find("INSERT", "REPLACE", "UPDATE", "MERGE", "DELETE")
    if place is None or verb < 0:
        return None
    cursor.i = verb + 1
    cursor.take_any("INTO", "FROM")
    table = cursor.name()
    return Movement("Load", table, cursor.name_list(), [place], effect="load") if table is not None else None


def read_subscribe(cursor: Cursor) -> Reading | None:
    """Materialize: ``SUBSCRIBE [TO] t | (query) …`` sends the rows to a client as they change."""
    cursor.i += 1
    cursor.take("TO")
    if cursor.kind() is TokenType.L_PAREN:
        return Movement("Select", None, query=(cursor.i + 1, cursor.close(cursor.i)))
    table = cursor.name()
    return Movement("Select", None, sources=[table]) if table is not None else None


def _from_infile(cursor: Cursor) -> Reading | None:
    """ClickHouse: ``INSERT INTO t FROM INFILE 'data.csv' COMPRESSION 'gzip' FORMAT CSV``."""
    table = cursor.name()
    if table is None or not cursor.take("FROM", "INFILE"):
        return None
    places = cursor.locations(True)
    return Movement("Insert", table, sources=[*places], effect="load") if places else None


def _into_files(cursor: Cursor) -> Reading | None:
    """StarRocks: ``INSERT INTO FILES("path" = "s3://…", "format" = "parquet") SELECT …``."""
    cursor.i += 1
    inside = cursor.group()
    query = cursor.find("SELECT", "WITH", "VALUES")
    options = read_options(cursor, inside) if inside is not None else None
    if options is None or query < 0 or not options.locations:
        return None
    place = options.locations[0]
    place.file_format = options.file_format
    return Movement("Insert", place, query=(query, cursor.stop), effect="insert")


READS = {
    "BULK": read_bulk,
    "EXPORT": read_export,
    "IMPORT": read_import,
    "INSERT": read_directory,
    "INGEST": read_ingest,
    "LOAD": read_load,
    "SUBSCRIBE": read_subscribe,
}
