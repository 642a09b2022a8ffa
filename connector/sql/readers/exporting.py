"""Exports: EXPORT, INTO OUTFILE, INSERT into a directory or file, SUBSCRIBE."""

from __future__ import annotations

from sqlglot.errors import ParseError
from sqlglot.tokenizer_core import TokenType

from connector.sql.locations import Location, location_of
from connector.sql.readers.cursor import Cursor
from connector.sql.readers.loading import QUERY, files_at, read_infile, remote_table, script_of
from connector.sql.readers.options import read_options
from connector.sql.readers.queries import query_range
from connector.sql.readers.readings import Movement, Reading
from connector.sql.table_names import NameRef
from connector.sql.words import STRINGS


def read_export(cursor: Cursor) -> Reading | None:
    """EXPORT DATA of BigQuery, EXPORT of Exasol, Db2, HANA, Doris and Vertica."""
    cursor.i += 1
    if cursor.at("DATA"):
        return _export_data(cursor)
    if cursor.take("TO"):
        return _export_to(cursor)
    if cursor.at("DATABASE") or cursor.at("ALL"):
        raise ParseError("EXPORT writes every table of the database, but the script names none of them")
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
    query = cursor.find(*QUERY)
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
    if not cursor.past("INTO", "TO"):
        return None
    target = script_of(cursor) or _exported_file(cursor) or remote_table(cursor)
    if target is None:
        return None
    movement.target = target
    return movement


def _exported_file(cursor: Cursor) -> Location | None:
    """The file after INTO: in Exasol after FILE, with the format before it."""
    if cursor.at_string():
        return cursor.location()
    local = cursor.take("LOCAL")
    cursor.take("SECURE")
    file_format = cursor.tokens[cursor.i].text if not cursor.at_end() else None
    places = files_at(cursor, local, file_format)
    return places[0] if places else None


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
    query = cursor.find(*QUERY)
    if place is None or query < 0:
        return None
    return Movement("Export", place, query=(query, cursor.stop), effect="export")


def read_insert(cursor: Cursor) -> Reading | None:
    """Hive and Spark: ``INSERT OVERWRITE [LOCAL] DIRECTORY 'path' [STORED AS … | USING … OPTIONS (…)] query``."""
    cursor.i += 1
    if not cursor.take_any("OVERWRITE", "INTO"):
        return None
    if cursor.word(2) == "INFILE" or cursor.word(4) == "INFILE":
        return read_infile(cursor)
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


def read_subscribe(cursor: Cursor) -> Reading | None:
    """Materialize: ``SUBSCRIBE [TO] t | (query) …`` sends the rows to a client as they change."""
    cursor.i += 1
    cursor.take("TO")
    if cursor.kind() is TokenType.L_PAREN:
        return Movement("Select", None, query=(cursor.i + 1, cursor.close(cursor.i)))
    table = cursor.name()
    return Movement("Select", None, sources=[table]) if table is not None else None


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


READS = {"EXPORT": read_export, "INSERT": read_insert, "SUBSCRIBE": read_subscribe}
