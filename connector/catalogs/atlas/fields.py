"""The fields that mapping templates may use, for each kind of object, and the types of their values.

One table, so that the mapping's check, the records and the documentation cannot say different things.
"""

from __future__ import annotations

from typing import Final, Literal, get_args

Kind = Literal[
    "instance",
    "database",
    "schema",
    "bucket",
    "table",
    "view",
    "path",
    "stage",
    "column",
    "procedure",
    "process",
    "column_lineage",
]
KINDS: Final[tuple[Kind, ...]] = get_args(Kind)
"""Parents before children: the order in which they are written."""

_PLACE = {"cluster": "string", "dialect": "string"}
_DATABASE = {**_PLACE, "database": "string"}
_SCHEMA = {**_DATABASE, "schema": "string"}
_DATASET = {
    **_SCHEMA,
    "table": "string",
    "name": "string",
    "qualified_name": "string",
    "type": "string",
    "sub_type": "string",
}
_FILES = {"uri": "string", "scheme": "string", "bucket": "string", "path": "string", "file_format": "string"}
_TEXT = {"coordinates": "string", "script": "string"}
_STATEMENT = {
    **_DATABASE,
    "title": "string",
    "procedure": "string",
    "query_hash_id": "string",
    "process_type": "string",
    "relation_types": "array<string>",
    "effect_types": "array<string>",
    "direct_inputs": "array<string>",
    "indirect_inputs": "array<string>",
}

FIELDS: Final[dict[Kind, dict[str, str]]] = {
    "instance": _PLACE,
    "database": _DATABASE,
    "schema": _SCHEMA,
    "bucket": {**_PLACE, "scheme": "string", "bucket": "string"},
    "table": _DATASET,
    "view": _DATASET,
    "path": {**_DATASET, **_FILES},
    "stage": {**_DATASET, **_FILES},
    "column": {**_DATASET, "column": "string", "owner": "string", "owner_kind": "string", "row_column": "boolean"},
    "procedure": {
        **_SCHEMA,
        **_TEXT,
        "procedure": "string",
        "name": "string",
        "type": "string",
        "arguments": "array<string>",
    },
    "process": {
        **_STATEMENT,
        **_TEXT,
        "qualified_name": "string",
        "text_hash_id": "string",
        "query_text": "string",
        "approximate": "boolean",
        "first_seen": "date",
        "last_seen": "date",
        "run_count": "long",
        "load_time": "date",
        "row_inputs": "array<string>",
        "sources": "array<string>",
        "target": "string",
    },
    "column_lineage": {
        **_STATEMENT,
        "process": "string",
        "column": "string",
        "target": "string",
        "clause_types": "array<string>",
        "dependency": "string",
        "expression": "string",
        "transformations": "array<string>",
    },
}

PARENTS: Final[dict[Kind, tuple[str, ...]]] = {
    "instance": (),
    "database": ("instance",),
    "schema": ("instance", "database", "namespace"),
    "bucket": ("instance",),
    "table": ("instance", "database", "schema", "namespace"),
    "view": ("instance", "database", "schema", "namespace"),
    "path": ("instance", "bucket"),
    "stage": ("instance", "database", "schema", "namespace", "bucket"),
    "column": ("table",),
    "procedure": ("instance", "database", "schema", "namespace"),
    "process": ("instance", "database", "procedure"),
    "column_lineage": ("process",),
}
"""What each kind may refer to. ``namespace`` is the schema, or the database where there are no schemas."""
