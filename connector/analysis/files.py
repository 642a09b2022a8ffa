"""Files used as tables: stages, quoted paths, file formats as schemas, and functions that read files."""

from __future__ import annotations

from typing import Any

from sqlglot import exp
from sqlglot.errors import ParseError

from connector.analysis.nameless import NAMELESS
from connector.analysis.names import NameResolver
from connector.analysis.positions import first_offset
from connector.naming import split_parts
from connector.sql.locations import FILE_SCHEMAS, Location, location_of
from connector.sql.placeholders import OPENINGS

_ENDINGS = (
    ".csv",
    ".tsv",
    ".parquet",
    ".json",
    ".jsonl",
    ".ndjson",
    ".avro",
    ".orc",
    ".xlsx",
    ".gz",
    ".zst",
    ".txt",
    ".arrow",
)

_READING_FUNCTIONS = frozenset(
    """
    read_parquet read_csv read_csv_auto read_json read_json_auto read_json_objects read_ndjson read_ndjson_auto
    read_ndjson_objects read_text read_blob read_xlsx parquet_scan sniff_csv delta_scan iceberg_scan read_files cloud_files
    s3 s3cluster url urlcluster file filecluster hdfs hdfscluster gcs azureblobstorage azureblobstoragecluster deltalake
    deltalakecluster iceberg iceberghdfs icebergs3 iceberglocal hudi oss cosn files infer_schema read_arrow st_read
    """.split()
)
_LOCATION_LAST = frozenset(
    {"s3cluster", "urlcluster", "filecluster", "hdfscluster", "azureblobstoragecluster", "deltalakecluster"}
)
"""Functions whose first argument is a cluster."""


_NAMED_ARGUMENTS = (exp.Kwarg, exp.EQ, exp.PropertyEQ)
_UNKNOWN = f"{NAMELESS}0"


def file_locations(node: Any, names: NameResolver) -> list[Location] | None:
    """The places that a table of the tree means when it is no table; None for tables."""
    if node.__class__ is exp.Directory:
        found = _literal(node.args["this"], names, bool(node.args.get("local")))
        return [found] if found is not None else None
    this: Any = node.args["this"] if node.__class__ is exp.Table else node
    kind = this.__class__
    if kind is exp.Identifier:
        if this.args.get("quoted"):
            return _quoted(node, this, names)
        return None
    if kind is exp.Literal:
        if not this.name:
            raise ParseError("incomplete statement: the name of a table or file is missing")
        found = _literal(this, names, False)
        return [found] if found is not None else None
    if kind is exp.Var and this.name.startswith("@"):
        return [_stage(this.name, names, this)]
    if this.key == "directorystage" and this.args["this"].name.startswith("@"):
        # Snowflake: the files of a stage, as DIRECTORY(@stage) lists them.
        return [_stage(this.args["this"].name, names, this.args["this"])]
    if isinstance(this, exp.Func):
        return _function(this, names)
    return None


def _quoted(node: Any, this: Any, names: NameResolver) -> list[Location] | None:
    """`` parquet.`/data/events` `` and, in DuckDB, ``'events.parquet'``."""
    name = this.name
    schema = node.args.get("db")
    if isinstance(schema, exp.Identifier):
        if schema.name.lower() not in FILE_SCHEMAS or ("/" not in name and "://" not in name):
            return None
        found = _place(name, names, this, False)
        found.file_format = schema.name.lower()
        return [found]
    if "://" in name or (_in_single_quotes(this, names) and _is_path(name)):
        return [_place(name, names, this, False)]
    if names.dialect.files_by_name and name.lower().endswith(_ENDINGS):
        return [_place(name, names, this, False)]
    return None


def _is_path(text: str) -> bool:
    """Whether a text in FROM is no name: ``'in/a.csv'``, ``'a.csv'``, and ``'${folder}'``, which nobody would quote as one."""
    return "/" in text or text.lower().endswith(_ENDINGS) or text.startswith(OPENINGS)


def _in_single_quotes(identifier: Any, names: NameResolver) -> bool:
    span = names.span(identifier)
    return span is not None and span[0].text.startswith("'", span[1])


def _function(call: Any, names: NameResolver) -> list[Location] | None:
    name = call.name.lower() if call.__class__ is exp.Anonymous else call.sql_name().lower()
    arguments = [*_listed(call.args.get("this")), *_listed(call.args.get("expressions"))]
    if call.__class__ is exp.Anonymous:
        arguments = _listed(call.args.get("expressions"))
    if name == "openrowset":
        # Only BULK has one argument left when its options are taken out; otherwise these are connection strings.
        arguments = arguments[:1] if len(arguments) == 1 else []
    elif name not in _READING_FUNCTIONS:
        return None
    if name in _LOCATION_LAST:
        arguments = arguments[1:]
    for argument in arguments:
        found = _argument(argument, names)
        if found:
            return found
        if argument.__class__ not in _NAMED_ARGUMENTS:
            # What stands behind a place that is not constant says how it is read.
            if name.startswith("read_") and argument.__class__ is not exp.Column:
                return [_place(_UNKNOWN, names, argument, False)]
            break
    return None


def _listed(value: Any) -> list[Any]:
    if value is None or isinstance(value, str):
        return []
    return list(value) if isinstance(value, list) else [value]


def _argument(argument: Any, names: NameResolver) -> list[Location]:
    """A place, or a list of places, as the first argument or under the name of one."""
    if argument.__class__ in _NAMED_ARGUMENTS:
        if argument.args["this"].name.lower() not in ("location", "path", "files", "source", "uri", "url"):
            return []
        argument = argument.args["expression"]
    if argument.__class__ in (exp.Array, exp.Tuple):
        found = [_literal(item, names, False) for item in argument.args.get("expressions") or ()]
        return [location for location in found if location is not None]
    location = _literal(argument, names, False)
    return [location] if location is not None else []


def _joined(node: Any) -> str:
    """The text of strings with ``||`` between them; what is not constant among them stands as a mark."""
    if node.__class__ is exp.DPipe:
        return _joined(node.args["this"]) + _joined(node.args["expression"])
    if node.__class__ is exp.Concat:
        return "".join(map(_joined, node.args["expressions"]))
    if node.__class__ is exp.Paren:
        return _joined(node.args["this"])
    return str(node.name) if node.__class__ is exp.Literal else _UNKNOWN


def _literal(node: Any, names: NameResolver, local: bool) -> Location | None:
    while node.__class__ is exp.Paren:
        node = node.args["this"]
    if node.__class__ in (exp.DPipe, exp.Concat):
        return _place(_joined(node), names, node, local)
    if node.__class__ is not exp.National and (node.__class__ is not exp.Literal or not node.args.get("is_string")):
        return None
    if node.name.startswith("@"):
        return _stage(node.name, names, node)
    return _place(node.name, names, node, local)


def _place(uri: str, names: NameResolver, node: Any, local: bool) -> Location:
    start, end = _offsets(names, node)
    return location_of(uri, "'", start, end, local)


def _stage(text: str, names: NameResolver, node: Any) -> Location:
    name = text[1:].partition("/")[0] or "@"
    start, end = _offsets(names, node)
    return Location(name, name, start, end, parts=[(part, False) for part in split_parts(name)])


def _offsets(names: NameResolver, node: Any) -> tuple[int, int]:
    span = names.span(node)
    if span is None:
        start, _ = first_offset(node)
        return (start, start + 1) if start >= 0 else (-1, -1)
    base = names.builder.base
    return span[1] - base, span[2] - base
