"""Planned entities for tables, columns and the databases and schemas that contain them."""

from __future__ import annotations

import os
from pathlib import PurePath
from typing import Any

from connector.catalogs.atlas.mapping import Kind, Mapping, Rule
from connector.catalogs.atlas.plan import Key, Plan, PlannedEntity
from connector.catalogs.templates import Template, uri_fields
from connector.export.view import coordinate_text
from connector.model import Column, Entity, Model, Procedure
from connector.naming import DEFAULT, Namer, bare_name, join_name, quote_part, split_parts, unquote

Parents = dict[str, Key | None]

_QUOTED = ("database", "schema", "table", "column")
"""Names that stand in a qualified name as :mod:`connector.naming` writes them, so that a dot in a name splits nothing."""


def quoted(fields: dict[str, Any]) -> dict[str, Any]:
    """The fields as they stand in a qualified name."""
    return {name: quote_part(value) if name in _QUOTED and value else value for name, value in fields.items()}


def add_entity(
    plan: Plan, kind: Kind, rule: Rule, fields: dict[str, Any], parents: Parents, name: str | None = None
) -> PlannedEntity | None:
    """Plan an entity under the name that its rule gives it, unless one is given.

    An entity that is planned already under the same name stays as it is.
    """
    name = name or rule.qualifiedName.render(quoted(fields))
    if not name:
        plan.notes.append(f"{kind} {fields.get('qualified_name', '')}: a field of its qualified name has no value")
        return None
    key = (rule.type, name)
    known = plan.entities.get(key)
    if known is not None:
        return known
    attributes = {"qualifiedName": name, **_filled(rule.attributes, fields)}
    references = {name: parent for name, wanted in rule.references.items() if (parent := parents.get(wanted))}
    merged = rule.sources_attribute if kind == "process" else None
    entity = PlannedEntity(kind, key, attributes, references, create=rule.create, update=rule.update, merged=merged)
    entity.initial = {each: value for each, value in _filled(rule.initial, fields).items() if each not in attributes}
    plan.entities[key] = entity
    return entity


def _filled(templates: dict[str, Any], fields: dict[str, Any]) -> dict[str, Any]:
    """The attributes that have a value."""
    found: dict[str, Any] = {}
    for name, value in templates.items():
        if isinstance(value, Template):
            value = value.render(fields)
        if value is not None:
            found[name] = value
    return found


class Objects:
    """Plans the objects of one model, each once."""

    def __init__(self, model: Model, mapping: Mapping, plan: Plan, dialect: str) -> None:
        self._mapping = mapping
        self._plan = plan
        self._place = {"cluster": model.cluster, "dialect": dialect}
        self._model = model
        self._namer = Namer(model, masked=True)
        self._entities: dict[Entity, Key | None] = {}
        self._fields: dict[Entity, dict[str, Any]] = {}
        self._columns: dict[Column, Key | None] = {}
        self._left_out: set[tuple[str, str]] = set()
        self._scripts = _inside([script.name for script in model.scripts])

    def script(self, name: str) -> str | None:
        """A file as its place in the input: the same wherever the input lies."""
        return self._scripts.get(name)

    def dataset(self, entity: Entity) -> Key | None:
        """The key of a table, view, path or stage; None when it is not written."""
        if entity not in self._entities:
            self._entities[entity] = self._add_dataset(entity)
        return self._entities[entity]

    def column(self, column: Column) -> Key | None:
        """The key of a column; None when it, or its table, is not written."""
        if column not in self._columns:
            self._columns[column] = self._add_column(column)
        return self._columns[column]

    def procedure(self, procedure: Procedure, name: str) -> Key | None:
        """The key of a routine that is known under this name."""
        parts = split_parts(name)
        database, schema = self._layers_of(parts)
        fields: dict[str, Any] = {
            **self._place,
            "database": database,
            "schema": schema,
            "procedure": name,
            "name": parts[-1],
            "type": procedure.type,
            "arguments": [
                " ".join(filter(None, (each.inout, each.name, each.datatype))) for each in procedure.arguments
            ],
            "coordinates": coordinate_text(procedure.span),
            "script": self.script(procedure.span[0].name) if procedure.span else None,
        }
        return self._add("procedure", fields, self._containers(database, schema))

    def _add(self, kind: Kind, fields: dict[str, Any], parents: Parents) -> Key | None:
        rule = self._mapping.rule(kind, fields)
        if rule is None:
            return None
        entity = add_entity(self._plan, kind, rule, fields, parents)
        return entity.key if entity is not None else None

    def _add_dataset(self, entity: Entity) -> Key | None:
        if entity.temporary or entity.type == "pseudoTable" or not entity.permanent:
            return None
        fields = self._dataset_fields(entity)
        if self._mapping.skips(".".join(filter(None, (fields["database"], fields["schema"], fields["table"])))):
            return None
        # Every permanent kind of the model is a kind of a mapping; the type checker cannot see that the others left above.
        kind: Kind = entity.kind  # type: ignore[assignment]
        if self._mapping.rule(kind, fields) is None:
            self._leave_out(kind, fields["qualified_name"])
            return None
        parents: Parents = {} if kind == "path" else self._containers(fields["database"], fields["schema"])
        if fields.get("bucket"):
            bucket = {**self._place, "scheme": fields["scheme"], "bucket": fields["bucket"]}
            parents["bucket"] = self._add("bucket", bucket, {"instance": self._instance()})
        return self._add(kind, fields, parents)

    def _dataset_fields(self, entity: Entity) -> dict[str, Any]:
        known = self._fields.get(entity)
        if known is not None:
            return known
        fields: dict[str, Any] = {**self._place, "type": entity.type, "sub_type": entity.sub_type}
        if entity.kind == "path":
            uri = bare_name(entity)
            fields |= {"database": None, "schema": None, "table": uri, "uri": uri, "file_format": entity.file_format}
            fields |= uri_fields(uri, entity.sub_type)
            fields["qualified_name"] = self._namer.entity(entity)
        else:
            parts = [self._mapping.cased(part) or part for part in self._namer.parts(entity)]
            database, schema = parts[0], parts[1] if len(parts) > 2 else None
            fields |= {"database": database, "schema": schema, "table": parts[-1], "name": parts[-1]}
            fields["qualified_name"] = join_name(parts, self._model.cluster)
            if entity.kind == "stage":
                fields |= {"uri": entity.uri, "file_format": entity.file_format}
                if entity.uri:
                    fields |= {k: v for k, v in uri_fields(entity.uri, None).items() if k != "name"}
        self._fields[entity] = fields
        return fields

    def _add_column(self, column: Column) -> Key | None:
        if column.system and not self._mapping.row_columns:
            return None
        owner = self.dataset(column.entity)
        if owner is None:
            return None
        entity = column.entity
        name = unquote(column.public_name)
        table = self._dataset_fields(entity)
        fields = {
            **table,
            "column": name if entity.kind == "path" else self._mapping.cased(name),
            "name": name if entity.kind == "path" else self._mapping.cased(name),
            "owner": owner[1],
            "owner_kind": entity.kind,
            "row_column": column.system,
        }
        if entity.kind == "path":
            fields["qualified_name"] = self._namer.column(column)
        else:
            parts = [table["database"], table["schema"], table["table"], fields["column"]]
            fields["qualified_name"] = join_name([p for p in parts if p is not None], self._model.cluster)
        if self._mapping.rule("column", fields) is None:
            self._leave_out(f"columns of a {entity.kind}:", table["qualified_name"])
            return None
        return self._add("column", fields, {"table": owner})

    def _containers(self, database: str, schema: str | None) -> Parents:
        instance = self._instance()
        in_database = {**self._place, "database": database}
        parents: Parents = {
            "instance": instance,
            "database": self._add("database", in_database, {"instance": instance}),
        }
        parents["namespace"] = parents["database"]
        if schema is not None:
            parents["schema"] = self._add("schema", {**in_database, "schema": schema}, dict(parents))
            parents["namespace"] = parents["schema"] or parents["database"]
        return parents

    def _instance(self) -> Key | None:
        return self._add("instance", dict(self._place), {})

    def _layers_of(self, parts: list[str]) -> tuple[str, str | None]:
        """Database and schema of a routine's name, as those of a table of that name would be."""
        names = [self._mapping.cased(part) or part for part in parts[:-1]]
        if self._model.layers == 2:
            return (names[-1] if names else DEFAULT), None
        schema = names[-1] if names else self._model.default_schema
        return (names[-2] if len(names) > 1 else DEFAULT), schema

    def _leave_out(self, what: str, name: str) -> None:
        if (what, name) not in self._left_out:
            self._left_out.add((what, name))
            self._plan.notes.append(f"{what} {name}: the mapping has no rule for it")


def _inside(files: list[str]) -> dict[str, str]:
    """Files by their places in the folder that holds them all."""
    paths = {name: PurePath(name) for name in files if name not in ("", "-")}
    try:
        folder = os.path.commonpath([str(path.parent) for path in paths.values()]) if paths else ""
    except ValueError:  # on several drives, or some of them relative
        return {name: path.name for name, path in paths.items()}
    return {name: path.relative_to(folder).as_posix() for name, path in paths.items()}
