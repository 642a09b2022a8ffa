"""The manifest of a dbt project: its models, seeds and snapshots as the statements that create them.

dbt compiles a model to a query and wraps it when it runs. The manifest has the query and the name of the relation, so the
statement is assembled here: ``create view … as …``. Ephemeral models are already inside the queries that use them.
"""

from __future__ import annotations

import csv
import json
import logging
import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any

from connector.errors import SourceError, UnknownDialectError
from connector.sources.models import DbtSource
from connector.sources.record import Defaults, SourceStatement, TableColumns, Tally
from connector.sql.dialects import SqlDialect, get_dialect

_log = logging.getLogger("connector.sources")

_ADAPTERS = {
    "dremio": "dremio",
    "fabric": "fabric",
    "fabricspark": "sparksql",
    "glue": "sparksql",
    "ibmdb2": "db2",
    "postgres": "postgresql",
    "saphana": "hana",
    "spark": "sparksql",
    "sqlserver": "mssql",
    "synapse": "azuresql",
}
"""Adapters whose names differ from those of our dialects."""

_KINDS = ("model", "seed", "snapshot")
_TYPES: dict[str, type | tuple[type, ...]] = {
    **dict.fromkeys(("name", "alias", "identifier", "database", "schema", "relation_name"), str),
    **dict.fromkeys(("compiled_code", "compiled_sql", "raw_code", "raw_sql", "original_file_path", "path"), str),
    **dict.fromkeys(("config", "depends_on"), dict),
    "columns": (dict, list),
}
"""The fields of a node that are read, and what dbt writes there."""
_STRING = {"bigquery": "string", "databricks": "string", "sparksql": "string", "hive": "string", "athena": "string"}
_MACRO = re.compile(r"\{\{-?\s*(?P<name>ref|source|this)\s*(?:\((?P<arguments>[^()]*)\))?\s*-?\}\}")
_LITERAL = re.compile(r"'([^']*)'|\"([^\"]*)\"")
_END = re.compile(r"(?:\s|;)+\Z")


@dataclass(frozen=True)
class Manifest:
    """The required parts of a manifest."""

    file: Path
    project: Path
    """The folder of the project. No file outside of it is read, whatever the manifest says."""
    dialect: str | None
    """None if the adapter is unknown."""
    nodes: Mapping[str, Mapping[str, Any]]
    """Models, seeds and snapshots by their unique ids, sorted."""
    sources: Mapping[str, Mapping[str, Any]]

    @property
    def not_compiled(self) -> list[str]:
        """The models that have no compiled SQL."""
        return [
            name
            for name, node in self.nodes.items()
            if node["resource_type"] != "seed" and _is_sql(node) and not _is_ephemeral(node) and not _compiled(node)
        ]


def load_manifest(source: DbtSource) -> Manifest:
    """Reads the manifest; for a folder, the one that dbt has written there."""
    file = Path(source.manifest)
    if file.is_dir():
        places = [file / "target" / "manifest.json", file / "manifest.json"]
        file = next((place for place in places if place.is_file()), places[0])
    try:
        document = json.loads(file.read_text(encoding="utf-8"))
    except OSError as error:
        hint = "; run dbt compile" if isinstance(error, FileNotFoundError) else ""
        raise SourceError(f"{file}: {error.strerror or error}{hint}") from error
    except ValueError as error:
        raise SourceError(f"{file}: not valid JSON: {error}") from error
    except RecursionError as error:
        raise SourceError(f"{file}: the JSON is nested too deeply") from error
    if not isinstance(document, dict) or not isinstance(document.get("nodes"), dict):
        raise SourceError(f"{file}: not a dbt manifest: it has no nodes")
    nodes = {}
    for name, node in sorted(document["nodes"].items()):
        with _as_dbt_writes_it(file, name):
            if _mapping(node).get("resource_type") in _KINDS and not _excluded(name, node, source.exclude):
                nodes[name] = _checked(node)
    with _as_dbt_writes_it(file, "metadata"):
        adapter = str(_mapping(document.get("metadata") or {}).get("adapter_type") or "")
    with _as_dbt_writes_it(file, "sources"):
        sources = {name: _checked(node) for name, node in _mapping(document.get("sources") or {}).items()}
    return Manifest(file, _project_of(file), _dialect(adapter), nodes, sources)


@contextmanager
def _as_dbt_writes_it(file: Path, name: str) -> Iterator[None]:
    """Reports failures in reading a part of the manifest as a `SourceError`: another tool may have written almost anything."""
    try:
        yield
    except (TypeError, AttributeError, KeyError, ValueError) as error:
        reason = f"{error.args[0]} is missing" if isinstance(error, KeyError) else str(error)
        raise SourceError(
            f"{file}: {name} does not have the form that dbt writes: {reason}. Run dbt compile again."
        ) from error


def _mapping(value: Any) -> Mapping[str, Any]:
    if not isinstance(value, Mapping):
        raise TypeError(f"expected an object, not {type(value).__name__}")
    return value


def _checked(node: Any) -> Mapping[str, Any]:
    """The node, if what is read from it later has the types that dbt gives it."""
    for field, kind in _TYPES.items():
        value = _mapping(node).get(field)
        if value is not None and not isinstance(value, kind):
            raise TypeError(f"unexpected {type(value).__name__} in {field}")
    if not (node.get("relation_name") or node.get("alias") or node.get("identifier") or node.get("name")):
        raise KeyError("name")
    return _mapping(node)


def _project_of(file: Path) -> Path:
    """The project that a manifest describes: the folder above the one that dbt writes to, which is called target."""
    folder = file.absolute().parent
    if (folder / "dbt_project.yml").is_file():
        return folder
    if folder.name == "target" or (folder.parent / "dbt_project.yml").is_file():
        return folder.parent
    return folder


def read_dbt(source: DbtSource, defaults: Defaults, tally: Tally | None = None) -> Iterator[SourceStatement]:
    """A statement for each model, seed and snapshot that becomes a relation."""
    manifest = load_manifest(source)
    missing = manifest.not_compiled
    if missing:
        _log.warning("%s", not_compiled_text(manifest))
    place = defaults.under(source, manifest.dialect)
    dialect = get_dialect(place.dialect)
    for sequence, (name, node) in enumerate(manifest.nodes.items()):
        if _is_ephemeral(node):
            continue
        with _as_dbt_writes_it(manifest.file, name):
            text = _statement(node, manifest, dialect)
        if text is None:
            # A Python model, or a seed of which only the name is known.
            if tally is not None:
                tally.empty += 1
            continue
        database, schema = node.get("database"), node.get("schema")
        if dialect.layers == 2:
            database, schema = schema or database, None
        if tally is not None:
            tally.read += 1
        yield SourceStatement(
            text=text,
            dialect=dialect.name,
            kind="view" if _materialized(node) in ("view", "materialized_view") else "script",
            origin=str(node.get("original_file_path") or node.get("path") or name),
            database=database or place.database,
            schema=schema or place.schema,
            sequence=sequence,
            cluster=place.cluster,
            source=source.label,
        )


def not_compiled_text(manifest: Manifest) -> str:
    """The message about models without compiled SQL."""
    missing = manifest.not_compiled
    shown = ", ".join(missing[:3]) + (", …" if len(missing) > 3 else "")
    return (
        f"{manifest.file}: {len(missing)} of {len(manifest.nodes)} nodes are not compiled ({shown}): "
        "their templates are read as they are, which finds less lineage; run dbt compile"
    )


def dbt_columns(source: DbtSource) -> tuple[TableColumns, ...]:
    """The columns of the project's relations, from the catalog.json that ``dbt docs generate`` writes next to the manifest.

    Without it, only the columns of seeds are known; documented columns may be incomplete.
    """
    manifest = load_manifest(source)
    known: dict[tuple[str | None, ...], TableColumns] = {}
    for node in manifest.nodes.values():
        with _as_dbt_writes_it(manifest.file, str(node.get("name"))):
            header = _seed_header(node, manifest) if node["resource_type"] == "seed" else []
        if header:
            name = str(node.get("alias") or node["name"])
            known[node.get("database"), node.get("schema"), name] = TableColumns(
                node.get("database"), node.get("schema"), name, tuple(header)
            )
    file = manifest.file.with_name("catalog.json")
    if file.is_file():
        try:
            document = json.loads(file.read_text(encoding="utf-8"))
            for entry in [*(document.get("sources") or {}).values(), *(document.get("nodes") or {}).values()]:
                table = _columns(entry)
                known[table.database, table.schema, table.name] = table
        except (OSError, ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
            raise SourceError(f"{file}: not a dbt catalog: {error}") from error
    return tuple(sorted(known.values(), key=lambda table: (table.database or "", table.schema or "", table.name)))


def _columns(entry: Mapping[str, Any]) -> TableColumns:
    table = entry["metadata"]
    columns = sorted(entry["columns"].values(), key=lambda column: int(column.get("index") or 0))
    return TableColumns(
        table.get("database"),
        table.get("schema"),
        str(table["name"]),
        tuple(str(column["name"]) for column in columns),
        "VIEW" in str(table.get("type")).upper(),
        tuple(str(column["type"]) if column.get("type") else None for column in columns),
    )


def _dialect(adapter: str) -> str | None:
    try:
        return get_dialect(_ADAPTERS.get(adapter, adapter)).name if adapter else None
    except UnknownDialectError:
        return None


def _excluded(name: str, node: Mapping[str, Any], patterns: tuple[str, ...]) -> bool:
    return any(fnmatchcase(name, pattern) or fnmatchcase(str(node.get("name")), pattern) for pattern in patterns)


def _materialized(node: Mapping[str, Any]) -> str:
    return str((node.get("config") or {}).get("materialized") or "view").lower()


def _is_ephemeral(node: Mapping[str, Any]) -> bool:
    return _materialized(node) == "ephemeral"


def _is_sql(node: Mapping[str, Any]) -> bool:
    return str(node.get("language") or "sql") == "sql"


def _compiled(node: Mapping[str, Any]) -> str | None:
    """The compiled query; the key had another name before dbt 1.3."""
    return node.get("compiled_code") or node.get("compiled_sql") or None


def _statement(node: Mapping[str, Any], manifest: Manifest, dialect: SqlDialect) -> str | None:
    relation = _relation(node, dialect)
    if node["resource_type"] == "seed":
        return _seed(node, relation, manifest, dialect)
    query = _compiled(node)
    if query is None and _is_sql(node):
        query = _with_relations(str(node.get("raw_code") or node.get("raw_sql") or ""), node, manifest, dialect)
    if not query or not _is_sql(node) or not query.strip():
        return None
    materialized = _materialized(node)
    made = materialized.replace("_", " ") if materialized in ("view", "materialized_view") else "table"
    return f"create {made} {relation} as\n{_END.sub('', query)}\n"


def _relation(node: Mapping[str, Any], dialect: SqlDialect) -> str:
    name = node.get("relation_name")
    if name:
        return str(name)
    layers = (node.get("database"), node.get("schema"), node.get("alias") or node.get("identifier") or node["name"])
    return ".".join(_quoted(layer, dialect) for layer in layers if layer)


def _quoted(name: str, dialect: SqlDialect) -> str:
    quote = dialect.quotes[0]
    return f"{quote}{name}{']' if quote == '[' else quote}"


def _seed(node: Mapping[str, Any], relation: str, manifest: Manifest, dialect: SqlDialect) -> str | None:
    """A seed is a CSV file that dbt loads; its columns are those of the file, or those that are documented."""
    columns = _seed_header(node, manifest) or [str(column) for column in node.get("columns") or ()]
    if not columns:
        return None
    given = (node.get("config") or {}).get("column_types") or {}
    type_ = _STRING.get(dialect.name, "varchar")
    defined = ",\n".join(
        f"  {column if column.isidentifier() else _quoted(column, dialect)} {given.get(column, type_)}"
        for column in columns
    )
    return f"create table {relation} (\n{defined}\n)\n"


def _seed_header(node: Mapping[str, Any], manifest: Manifest) -> list[str]:
    """The first line of a seed's file, where the file lies in the project.

    A manifest may come from elsewhere. The paths in it lead to no other file of this machine, nor do links.
    """
    path = node.get("original_file_path")
    if not path:
        return []
    project = manifest.project.resolve()
    file = (project / path).resolve()
    if not file.is_relative_to(project) or not file.is_file():
        return []
    delimiter = str((node.get("config") or {}).get("delimiter") or ",")
    try:
        with file.open(encoding="utf-8-sig", newline="", errors="replace") as text:
            return [name.strip() for name in next(csv.reader(text, delimiter=delimiter), [])]
    except (OSError, csv.Error) as error:
        raise SourceError(f"{file}: {getattr(error, 'strerror', None) or error}") from error


def _with_relations(template: str, node: Mapping[str, Any], manifest: Manifest, dialect: SqlDialect) -> str:
    """A template with ref, source and this replaced by relations, as far as they are simple."""
    depends = (node.get("depends_on") or {}).get("nodes") or []

    def relation(match: re.Match[str]) -> str:
        if match["name"] == "this":
            return _relation(node, dialect)
        words = [single or double for single, double in _LITERAL.findall(match["arguments"] or "")]
        for unique in depends:
            parts = str(unique).split(".")
            target = manifest.sources.get(unique) if match["name"] == "source" else manifest.nodes.get(unique)
            fits = parts[-2:] == words[-2:] if match["name"] == "source" else words and words[-1] in parts[2:]
            if target is not None and fits and not _is_ephemeral(target):
                return _relation(target, dialect)
        return match[0]

    return _MACRO.sub(relation, template)
