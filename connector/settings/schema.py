"""The JSON Schema of lineage.yaml, for completion and validation in editors."""

from __future__ import annotations

from typing import Any

from pydantic import TypeAdapter

from connector.options import explain_options
from connector.settings.models import SHORT_SOURCES, Job, Settings, catalog_models
from connector.sources.logs.layout import preset_names
from connector.sql.dialects import supported_dialects

_SOURCES = {"files": "FilesSource", "dbt": "DbtSource", "log": "LogSource", "database": "DatabaseSource"}


def settings_schema() -> dict[str, Any]:
    """The schema of a file: one job at the top, or jobs with defaults."""
    job = TypeAdapter(Job).json_schema(ref_template="#/$defs/{model}")
    definitions: dict[str, Any] = job.pop("$defs")
    for type_, name in _SOURCES.items():
        _allow_short(definitions[name], type_)
    definitions["SourceEntry"] = _source_entry(definitions)
    job["properties"]["sources"] |= {"items": {"$ref": "#/$defs/SourceEntry"}, "minItems": 1}
    job["properties"]["store"] = {
        "description": job["properties"]["store"].get("description", ""),
        "anyOf": [{"type": "string"}, {"$ref": "#/$defs/StoreSettings"}],
    }
    for model in catalog_models().values():
        # A catalog's address may come from the environment.
        definitions[model.__name__]["required"] = ["type"]
    definitions["Job"] = job
    definitions["Defaults"] = {**job, "required": [], "description": "Settings that all jobs share."}
    for definition in definitions.values():
        _forgive(definition)
    _name_values(definitions)
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "lineage.yaml",
        "description": "The settings of lineage-connector run: one job, or several jobs with shared defaults.",
        "if": {"anyOf": [{"required": ["jobs"]}, {"required": ["defaults"]}]},
        "then": {
            "type": "object",
            "additionalProperties": False,
            "required": ["jobs"],
            "properties": {
                "defaults": {"$ref": "#/$defs/Defaults"},
                "jobs": {
                    "type": "array",
                    "minItems": 1,
                    "description": Settings.model_fields["jobs"].description or "The jobs of the file.",
                    "items": {"$ref": "#/$defs/PartialJob"},
                },
            },
        },
        "else": {"$ref": "#/$defs/Job"},
        "$defs": {**definitions, "PartialJob": {**definitions["Job"], "required": []}},
    }


def _source_entry(definitions: dict[str, Any]) -> dict[str, Any]:
    """The form of a source depends on its type, or on the key that represents the type."""
    branches = [
        {
            "if": {
                "anyOf": [
                    {"required": ["type"], "properties": {"type": {"const": type_}}},
                    {"not": {"required": ["type"]}, "required": [type_]},
                    *([_unnamed_log()] if type_ == "log" else []),
                ]
            },
            "then": {"$ref": f"#/$defs/{name}"},
        }
        for type_, name in _SOURCES.items()
    ]
    keys = sorted({key for name in _SOURCES.values() for key in definitions[name]["properties"]})
    return {
        "type": "object",
        "description": "A source: its type, or the type as a key with the location as its value.",
        "properties": {key: {} for key in keys},
        "allOf": branches,
        "anyOf": [{"required": [key]} for key in ("type", *_SOURCES, "table", "query", "preset")],
    }


def _unnamed_log() -> dict[str, Any]:
    """A source without a type that has a table, a query or a preset can only be a log."""
    named = [{"required": [key]} for key in ("type", *_SOURCES)]
    return {"not": {"anyOf": named}, "anyOf": [{"required": [key]} for key in ("table", "query", "preset")]}


def _allow_short(definition: dict[str, Any], type_: str) -> None:
    """``files: sql/`` instead of ``type: files`` and ``paths: sql/``."""
    field = SHORT_SOURCES[type_]
    properties = definition["properties"]
    description = properties[field].get("description", "")
    value = {key: inner for key, inner in properties[field].items() if key not in ("title", "default")}
    properties[type_] = {**value, "description": description}
    required = [name for name in definition.pop("required", []) if name != field]
    if required:
        definition["required"] = required
    if type_ != "log":
        definition["anyOf"] = [{"required": [type_]}, {"required": [field]}]


def _forgive(definition: dict[str, Any]) -> None:
    """Allows a single value instead of a list, and a reference instead of a number or a boolean."""
    for name, field in definition.get("properties", {}).items():
        kind = field.get("type")
        if kind == "array" and field.get("items", {}).get("type") == "string":
            rest = {key: field.pop(key) for key in ("type", "items", "minItems", "default") if key in field}
            default = rest.pop("default", None)
            field["anyOf"] = [rest, {"type": "string"}]
            if default:
                field["default"] = default
        elif kind in ("integer", "number", "boolean"):
            limits = ("type", "minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum")
            field["anyOf"] = [{key: field.pop(key) for key in limits if key in field}, {"$ref": "#/$defs/Reference"}]
        elif name == "conf" or kind == "object":
            field.pop("additionalProperties", None)


def _name_values(definitions: dict[str, Any]) -> None:
    """Adds known names and the descriptions of options."""
    for option, text in explain_options().items():
        definitions["Options"]["properties"][option]["description"] = text
    definitions["Reference"] = {"type": "string", "pattern": r"\$\{(env|file):[^}]+\}", "description": "${env:NAME}"}
    for definition in definitions.values():
        properties = definition.get("properties", {})
        if "dialect" in properties and "sources" in properties:
            properties["dialect"]["examples"] = supported_dialects()
    definitions["LogSource"]["properties"]["preset"]["examples"] = preset_names()
