"""From objects of the model to names in OpenMetadata, through the mapping."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from connector.catalogs.openmetadata.client import encode_name
from connector.catalogs.openmetadata.mapping import ANY, Case, Mapping, ServiceRule
from connector.catalogs.openmetadata.plan import ColumnRef, Key, Plan, PlannedObject, SecretName
from connector.catalogs.templates import uri_fields
from connector.model import BATCH, Column, Entity, Model, Procedure
from connector.naming import Namer, bare_name, split_parts, unquote
from connector.sql.dialects import Fold, SqlDialect
from connector.sql.identity import mask_literals, storable

_QUOTES = {'"': '"', "`": "`", "[": "]"}
_SAME_STORE = {"s3a": "s3", "s3n": "s3", "gcs": "gs", "abfss": "abfs", "wasbs": "wasb"}
_BODY = re.compile(r"(?P<quote>\$\w*\$)(?P<text>.*)(?P=quote)", re.S)
_CREATING = frozenset({"Create Procedure", "Create Function", "Create Trigger", "Create Package"})
_ROUTINE_TYPES = {"createfunction": "Function", "createpackage": "StoredPackage"}


class Objects:
    """Plans the objects of one model, each once."""

    def __init__(self, model: Model, mapping: Mapping, plan: Plan, dialect: SqlDialect, service: str | None) -> None:
        self._model = model
        self._mapping = mapping
        self._plan = plan
        self._dialect = dialect
        self._service = service
        self._namer = Namer(model, masked=True)
        self._keys: dict[Entity, Key | None] = {}
        self._routines: dict[str, Key | None] = {}
        self._place = {"cluster": model.cluster, "dialect": dialect.name}

    def dataset(self, entity: Entity) -> Key | None:
        """The key of a table, view, path or stage; None when it is not written."""
        if entity not in self._keys:
            self._keys[entity] = self._add_dataset(entity)
        return self._keys[entity]

    def routine(self, name: str) -> Key | None:
        """The key of the routine that statements know by this name; None outside of routines."""
        if not self._mapping.procedures or name in ("", BATCH):
            return None
        if name not in self._routines:
            self._routines[name] = self._add_routine(name)
        return self._routines[name]

    # --- tables -----------------------------------------------------------------------------------------------------

    def _add_dataset(self, entity: Entity) -> Key | None:
        if entity.temporary or entity.type == "pseudoTable" or not entity.permanent:
            return None
        if entity.kind == "table" and entity.sub_type == "function":
            return None  # the rows of a table function are stored nowhere
        label = self._namer.entity(entity)
        if entity.kind in ("path", "stage"):
            planned = self._container(entity, label)
        else:
            planned = self._table(entity, label)
        if planned is None:
            return None
        known = self._plan.objects.setdefault(planned.key, planned)
        known.view = known.view or planned.view
        self._keys[entity] = known.key
        for column in entity.columns.values():
            if is_real(column):
                known.columns[self.column(column)] = None
        return known.key

    def column(self, column: Column, inner: tuple[str, ...] = ()) -> ColumnRef:
        """A column, or a field inside of it, under the name by which it is first looked for."""
        name = unquote(column.public_name)
        quoted = name != column.public_name
        key = self._keys.get(column.entity)
        rule = self._plan.objects[key].rule if key is not None else None
        if not quoted and isinstance(rule, ServiceRule):
            name = _in_case(name, rule.case, self._dialect.fold_column)
        exact = quoted and _sensitive(self._dialect.fold_column)
        unmasked = None if column.masked is None else SecretName(encode_name(column.name))
        return ColumnRef((encode_name(name), *map(encode_name, inner)), exact, unmasked)

    def _table(self, entity: Entity, label: str) -> PlannedObject | None:
        written = _written(entity.name, entity)
        schema = entity.schema or (self._model.default_schema if self._model.default_schema != "default" else None)
        database = entity.database
        layers = self._model.layers
        if layers == 2 and entity.database and entity.schema:
            layers = 3  # a catalog stands before the database: prod.db.t of Spark
        elif layers == 2:
            database, schema = entity.database or entity.schema, None
        names = {"database": database, "schema": schema, "table": bare_name(entity)}
        if self._mapping.skips(".".join(part for part in names.values() if part)):
            return None
        fields = {**self._place, "layers": str(layers), "kind": entity.kind, **names}
        return self._in_service("table", fields, written, label, view=entity.kind == "view")

    def _in_service(
        self, kind: Any, fields: dict[str, Any], quoted: dict[str, bool], label: str, **more: Any
    ) -> PlannedObject | None:
        rule = self._mapping.service_rule(fields)
        if rule is None:
            self._leave_out(f"{label}: no rule of the mapping's services fits it")
            return None
        cased = {**fields}
        for name in ("database", "schema", "table"):
            if cased[name] is not None and not quoted.get(name, False):
                cased[name] = _in_case(cased[name], rule.case, self._dialect.fold_table)
        exact = frozenset(fields[name] for name, is_quoted in quoted.items() if is_quoted and fields.get(name))
        if _sensitive(self._dialect.fold_table):
            more["exact"] = frozenset(map(encode_name, exact))
        service = rule.service.render(fields) if rule.service is not None else self._service or self._model.cluster
        parts = [service, *(template.render(cased) for template in (rule.database, rule.schema_, rule.table))]
        if not all(parts):
            self._leave_out(f"{label}: a field of its name has no value; give it a default in the mapping")
            return None
        encoded = tuple(part if part == ANY else encode_name(str(part)) for part in parts)
        return PlannedObject(kind, encoded, rule, **more)

    # --- paths and stages -------------------------------------------------------------------------------------------

    def _container(self, entity: Entity, label: str) -> PlannedObject | None:
        name = bare_name(entity)
        fields: dict[str, Any] = {**self._place, "kind": entity.kind, "file_format": entity.file_format}
        uri = entity.uri if entity.kind == "stage" else name
        if uri:
            fields |= {"uri": uri, **uri_fields(uri, entity.sub_type)}
            if fields["bucket"]:
                fields["path"] = str(fields["path"]).strip("/")
        if entity.kind == "stage":
            fields |= {"database": entity.database, "schema": entity.schema, "stage": name, "name": name}
        if self._mapping.skips(name):
            return None
        rule = self._mapping.storage_rule(fields)
        if rule is None:
            self._leave_out(f"{label}: no rule of the mapping's storage fits it")
            return None
        service = rule.service.render(fields)
        names = [template.render(fields) for template in rule.containers]
        if not service or any(each is None for each in names) or not any(names):
            self._leave_out(f"{label}: a field of its name has no value; give it a default in the mapping")
            return None
        parts = tuple(encode_name(str(each)) for each in (service, *names) if each)
        same = uri if entity.kind == "path" else None
        located = _same_store(same) if same else None
        return PlannedObject("container", parts, rule, uri=located, stage=entity.kind == "stage")

    # --- routines ---------------------------------------------------------------------------------------------------

    def _add_routine(self, name: str) -> Key | None:
        parts, procedure = self._routine_parts(name)
        above = parts[:-1]
        database: str | None = None
        schema: str | None = None
        if self._model.layers == 2:
            database = above[-1] if above else None
        else:
            default = self._model.default_schema
            schema = above[-1] if above else (default if default != "default" else None)
            database = above[-2] if len(above) > 1 else None
        fields = {
            **self._place,
            "layers": str(self._model.layers),
            "kind": "procedure",
            "database": database,
            "schema": schema,
            "table": parts[-1],
        }
        planned = self._in_service("storedProcedure", fields, {}, name)
        if planned is None:
            return None
        planned.sub_type = _ROUTINE_TYPES.get(procedure.type if procedure else "", "StoredProcedure")
        planned.text = self._definition(name) or parts[-1]
        return self._plan.objects.setdefault(planned.key, planned).key

    def _routine_parts(self, name: str) -> tuple[list[str], Procedure | None]:
        """The parts of a routine's name, and its definition. One in a package stands in OpenMetadata as its package."""
        parts = split_parts(name)
        found: Procedure | None = None
        for procedure in self._model.procedures:
            known = split_parts(procedure.name)
            if procedure.type == "createpackage" and parts[:-1][-len(known) :] == known:
                return parts[:-1], procedure
            if parts[-len(known) :] == known:
                found = procedure
        return parts, found

    def _definition(self, name: str) -> str | None:
        """The text of the statement that creates a routine."""
        if self._mapping.query_text == "none":
            return None
        for process in self._model.processes:
            if process.procedure_name == name and process.type in _CREATING:
                return self._masked_routine(process.text.rstrip("; \t\r\n/"))
        return None

    def _masked_routine(self, text: str) -> str:
        """A routine with its literals masked. A body between dollars is a literal for the tokenizer and not for people."""
        masked = self._mapping.query_text == "masked"
        body = _BODY.search(text)
        if body is None:
            return storable(mask_literals(text, self._dialect, literals=masked))
        pieces = (text[: body.start()], body["text"], text[body.end() :])
        head, inner, tail = (storable(mask_literals(piece, self._dialect, literals=masked)) for piece in pieces)
        return f"{head.rstrip()} {body['quote']}{inner}{body['quote']}{tail}"

    def _leave_out(self, note: str) -> None:
        if note not in self._plan.notes:
            self._plan.notes.append(note)


def is_real(column: Column) -> bool:
    """Whether the column is one of a table, and not one that stands for rows, for files or for all columns."""
    if column.system or column.name == "*":
        return False
    return not (column.entity.kind in ("path", "stage") and column.entity.columns.get("uri") is column)


def _in_case(name: str, case: Case, fold: Fold) -> str:
    if case == "keep":
        return name
    if case != "dialect":
        return name.lower() if case == "lower" else name.upper()
    return fold(name, False) if _sensitive(fold) else name


def _sensitive(fold: Fold) -> bool:
    """Whether two names in quotes that differ in case are two names."""
    return fold("aA", True) == "aA"


def _written(name: str, entity: Entity) -> dict[str, bool]:
    """Which layers of a name stood in quotes, by the text of its first appearance."""
    layers = ("table", "schema", "database")
    if entity.schema is None and entity.database is not None:
        layers = ("table", "database", "schema")
    return dict(zip(layers, reversed([text[:1] in _QUOTES for text in _split_written(name)]), strict=False))


def _split_written(name: str) -> Iterator[str]:
    """The dotted parts with their quotes."""
    start = at = 0
    while at < len(name):
        close = _QUOTES.get(name[at]) if at == start else None
        if close is not None:
            end = name.find(close, at + 1)
            at = len(name) if end < 0 else end + 1
        elif name[at] == ".":
            yield name[start:at]
            start = at = at + 1
        else:
            at += 1
    yield name[start:]


def _same_store(uri: str) -> str:
    """One spelling for the schemes that mean the same store."""
    scheme, separator, rest = uri.partition("://")
    if not separator:
        return uri
    return f"{_SAME_STORE.get(scheme.lower(), scheme.lower())}://{rest.rstrip('/')}"
