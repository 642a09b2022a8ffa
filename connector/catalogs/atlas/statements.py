"""Planned processes for statements and their lineage, from the levels of a model."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from connector.catalogs.atlas.mapping import Kind, Rule
from connector.catalogs.atlas.mapping import Mapping as CatalogMapping
from connector.catalogs.atlas.objects import Objects, add_entity, quoted
from connector.catalogs.atlas.plan import Key, Plan, PlannedEntity
from connector.catalogs.catalog import Seen
from connector.export.view import coordinate_text
from connector.lineage import Lineage
from connector.model import Model, Process
from connector.model.levels import Levels
from connector.naming import DEFAULT, Namer, join_name, parse_name, quote_part
from connector.sql.dialects import SqlDialect, get_dialect
from connector.sql.identity import mask_literals

_DATA = "dataset_process_inputs"
"""Atlas's own relationship of inputs. Classifications travel over it. It has to be named: where a type has several, Atlas
takes any of them."""
_JOINTS = {"insert": "into", "merge": "into", "copy": "into", "load": "into", "unload": "into", "delete": "from"}
_NAMED = 3
"""Targets that a title names."""


@dataclass(slots=True)
class _Inputs:
    """What flows into one target. Data wins where an input both flows and decides."""

    direct: dict[Key, None] = field(default_factory=dict)
    indirect: dict[Key, None] = field(default_factory=dict)
    effects: set[str] = field(default_factory=set)
    clauses: set[str] = field(default_factory=set)
    expressions: dict[str, None] = field(default_factory=dict)
    transformations: set[str] = field(default_factory=set)

    def add(self, kind: str, source: Key) -> None:
        if kind == "fdd":
            self.indirect.pop(source, None)
            self.direct[source] = None
        elif source not in self.direct:
            self.indirect[source] = None

    def keys(self) -> list[Key]:
        return [*self.direct, *self.indirect]


@dataclass(slots=True)
class _Statement:
    """All that is known of one statement, from however many places it was found in."""

    fields: dict[str, Any]
    procedure: Key | None
    tables: dict[Key, _Inputs] = field(default_factory=dict)
    columns: dict[Key, dict[Key, _Inputs]] = field(default_factory=dict)
    """By table and column."""
    names: dict[Key, tuple[str, str]] = field(default_factory=dict)
    """Table and column name of each target column."""
    rows: dict[Key, dict[str, None]] = field(default_factory=dict)
    """By table, the columns that decide which rows are written to it."""
    origin: str = ""


class Planner:
    """Collects the lineage of any number of models into one plan."""

    def __init__(self, mapping: CatalogMapping, source: str) -> None:
        self._mapping = mapping
        processes = {rule.type: rule.sources_attribute for kind, _, rule in mapping.rules() if kind == "process"}
        columns = frozenset(rule.type for kind, _, rule in mapping.rules() if kind == "column_lineage")
        self._plan = Plan(source, child_types=columns, process_types=processes)
        self._statements: dict[str, _Statement] = {}

    def add(self, lineage: Lineage, *, seen: Mapping[str, Seen] | None = None) -> None:
        """Take in a model with its levels. `seen` tells of statements by their identity.

        Temporary tables are looked through: a catalog is of things that stay.
        """
        model = lineage.model
        dialect = get_dialect(model.vendor)
        objects = Objects(model, self._mapping, self._plan, dialect.name)
        if self._mapping.objects == "all":
            for entity in model.entities:
                if objects.dataset(entity) is not None:
                    for column in entity.columns.values():
                        objects.column(column)
        procedures = _procedures(model, objects)
        reader = _Reader(self._mapping, model, dialect, objects, self._statements, procedures, seen or {})
        reader.read(lineage.levels())

    def plan(self) -> Plan:
        """The plan of everything that was added."""
        for statement in self._statements.values():
            _Writer(self._mapping, self._plan, statement).write()
        self._statements.clear()
        return self._plan


def _procedures(model: Model, objects: Objects) -> dict[str, Key | None]:
    """The routines by the names under which statements know them: that of a part of a package holds the package's."""
    used = {process.procedure_name for process in model.processes}
    found: dict[str, Key | None] = {}
    for procedure in model.procedures:
        longer = sorted(name for name in used if name.endswith(f".{procedure.name}"))
        full = longer[0] if procedure.name not in used and len(longer) == 1 else procedure.name
        found[full] = objects.procedure(procedure, full)
    return found


class _Reader:
    """Reads the levels of one model into statements."""

    def __init__(
        self,
        mapping: CatalogMapping,
        model: Model,
        dialect: SqlDialect,
        objects: Objects,
        statements: dict[str, _Statement],
        procedures: dict[str, Key | None],
        seen: Mapping[str, Seen],
    ) -> None:
        self._mapping = mapping
        self._model = model
        self._dialect = dialect
        self._objects = objects
        self._statements = statements
        self._procedures = procedures
        self._seen = seen
        self._namer = Namer(model, masked=True)
        self._names: dict[Process, str] = {}
        self._now = int(time.time() * 1000)
        self._repeats = Counter(process.identity for process in model.processes)

    def read(self, levels: Levels) -> None:
        mapping = self._mapping
        counted: set[str] = set()
        for table_edge in levels.tables.relations:
            if table_edge.type in mapping.relations and table_edge.process is not None:
                source, target = self._objects.dataset(table_edge.source), self._objects.dataset(table_edge.target)
                if source is not None and target is not None:
                    statement = self._statement(table_edge.process, counted)
                    statement.tables.setdefault(target, _Inputs()).add(table_edge.type, source)
        if "column" not in mapping.levels:
            return
        for edge in levels.columns:
            if edge.type not in mapping.relations or edge.process is None:
                continue
            origin, table = self._objects.column(edge.source), self._objects.dataset(edge.target.entity)
            if origin is None or table is None:
                continue
            statement = self._statement(edge.process, counted)
            if edge.target.system and not edge.source.system:
                statement.rows.setdefault(table, {})[origin[1]] = None
            column = self._objects.column(edge.target)
            if column is None:
                continue
            inputs = statement.columns.setdefault(table, {}).setdefault(column, _Inputs())
            inputs.add(edge.type, origin)
            if edge.effect:
                inputs.effects.add(edge.effect)
            if edge.clause:
                inputs.clauses.add(edge.clause)
            inputs.transformations.add(edge.transformation)
            expression = self._masked(edge.expression or "") if edge.type == "fdd" else None
            if expression:
                inputs.expressions[expression] = None
            statement.names.setdefault(column, self._column_name(edge.target.entity.kind, table, column))

    def _column_name(self, kind: str, table: Key, column: Key) -> tuple[str, str]:
        """Table and column as they stand in the name of a column lineage."""
        short = quote_part(table[1]) if kind == "path" else quote_part(parse_name(table[1]).parts[-1])
        return short, quote_part(parse_name(column[1]).parts[-1])

    def _statement(self, process: Process, counted: set[str]) -> _Statement:
        name = self._names.get(process)
        if name is None:
            name = self._names[process] = self._namer.process(process)
        statement = self._statements.get(name)
        if statement is None:
            statement = self._statements[name] = _Statement(
                self._fields(process, name), self._procedures.get(process.procedure_name), origin=_place(process)
            )
        if process.identity not in counted:
            self._count(statement.fields, process, counted)
        return statement

    def _count(self, fields: dict[str, Any], process: Process, counted: set[str]) -> None:
        """How often a statement was seen: what a log says, or how often it stands in the scripts."""
        counted.add(process.identity)
        seen = self._seen.get(process.identity) or Seen(count=self._repeats[process.identity])
        fields["run_count"] = (fields["run_count"] or 0) + seen.count
        for name, found, best in (("first_seen", seen.first, min), ("last_seen", seen.last, max)):
            if found is not None:
                moment = int(found.timestamp() * 1000)
                fields[name] = moment if fields[name] is None else best(fields[name], moment)

    def _fields(self, process: Process, name: str) -> dict[str, Any]:
        database = self._mapping.cased(parse_name(name).parts[0]) or ""
        script = process.span[0]
        return {
            "cluster": self._model.cluster,
            "dialect": self._dialect.name,
            "database": database,
            "procedure": process.procedure_name,
            "query_hash_id": process.identity,
            "text_hash_id": process.query_hash_id,
            "process_type": process.type,
            "qualified_name": f"{quote_part(database)}.{process.procedure_name}.{process.identity}"
            + join_name((), self._model.cluster),
            "query_text": self._text(process),
            "coordinates": coordinate_text(process.span),
            "script": self._objects.script(script.name),
            "approximate": process.approximate,
            "run_count": None,
            "first_seen": None,
            "last_seen": None,
            "load_time": self._now,
        }

    def _text(self, process: Process) -> str | None:
        return self._masked(process.text)

    def _masked(self, text: str) -> str | None:
        wanted = self._mapping.query_text
        if wanted == "none" or not text:
            return None
        return mask_literals(text, self._dialect, literals=wanted == "masked")


class _Writer:
    """Plans the processes of one statement and its column lineage."""

    def __init__(self, mapping: CatalogMapping, plan: Plan, statement: _Statement) -> None:
        self._mapping = mapping
        self._plan = plan
        self._statement = statement

    def write(self) -> None:
        statement = self._statement
        for table in statement.columns:
            statement.tables.setdefault(table, _Inputs())
        apart = any(rule.indirect_inputs for kind, _, rule in self._mapping.rules() if kind == "process")
        groups: dict[tuple[frozenset[Key], ...], list[Key]] = {}
        for target, inputs in statement.tables.items():
            fed = (frozenset(inputs.direct), frozenset(inputs.indirect)) if apart else (frozenset(inputs.keys()),)
            groups.setdefault(fed, []).append(target)
        for targets in groups.values():
            self._write_group(targets, alone=len(groups) == 1)

    def _write_group(self, targets: list[Key], *, alone: bool) -> None:
        """One process for the targets that have the same inputs.

        Atlas connects every input of a process with every output. A statement whose targets are fed by different tables
        (a Hive multi-insert) is therefore several processes, which carry the first of their targets in their names.
        """
        statement = self._statement
        suffix = None if alone else parse_name(targets[0][1]).parts
        fields = {
            **statement.fields,
            **self._inputs(statement.tables[target] for target in targets),
            "title": _title(statement.fields["process_type"], [readable(self._plan, target) for target in targets]),
            "sources": [self._plan.source],
            "target": ".".join(map(quote_part, suffix)) if suffix else None,
            "row_inputs": sorted({name for target in targets for name in statement.rows.get(target, ())}) or None,
        }
        effects = {
            effect
            for target in targets
            for each in statement.columns.get(target, {}).values()
            for effect in each.effects
        }
        fields["effect_types"] = sorted(effects) or None
        rule = self._mapping.rule("process", fields)
        if rule is None:
            return
        name = rule.qualifiedName.render(quoted(fields))
        if name and suffix:
            name = f"{name}->{fields['target']}"
        on_tables = "table" in self._mapping.levels
        inputs = statement.tables[targets[0]] if on_tables else _Inputs()
        parents = {"procedure": statement.procedure}
        added = self._add("process", rule, fields, parents, name, inputs, targets if on_tables else [])
        if not added:
            return
        process = added[0]
        for target in targets:
            for column, fed in statement.columns.get(target, {}).items():
                self._write_column(process, column, fed, several=len(targets) > 1)

    def _write_column(self, process: PlannedEntity, column: Key, inputs: _Inputs, *, several: bool) -> None:
        table, name = self._statement.names[column]
        fields = {
            **self._statement.fields,
            **self._inputs([inputs]),
            "title": readable(self._plan, column),
            "process": process.key[1],
            "column": f"{table}.{name}" if several else name,
            "target": column[1],
            "effect_types": sorted(inputs.effects) or None,
            "clause_types": sorted(inputs.clauses) or None,
            "dependency": "SIMPLE"
            if inputs.transformations == {"identity"} and len(inputs.direct) == 1
            else "EXPRESSION",
            "expression": "\n".join(inputs.expressions) or None,
            "transformations": sorted(inputs.transformations) or None,
        }
        rule = self._mapping.rule("column_lineage", fields)
        if rule is None:
            return
        full = rule.qualifiedName.render(fields)  # its names are quoted already
        parents: dict[str, Key | None] = {"process": process.key}
        added = self._add("column_lineage", rule, fields, parents, full, inputs, [column])
        process.children.extend(entity.key for entity in added)

    def _add(
        self,
        kind: Kind,
        rule: Rule,
        fields: dict[str, Any],
        parents: dict[str, Key | None],
        name: str | None,
        inputs: _Inputs,
        outputs: list[Key],
    ) -> list[PlannedEntity]:
        """A process, and beside it one of its own for the inputs that only decide, where the mapping tells them apart.

        All edges of an entity's inputs go through the same relationship, and by that classifications travel or do not.
        """
        entity = self._planned(kind, rule, fields, parents, name)
        if entity is None:
            return []
        entity.outputs = list(outputs)
        apart = rule.indirect_inputs
        if apart is None:
            entity.inputs, entity.through = inputs.keys(), _DATA
            return [entity]
        entity.inputs = list(inputs.direct or inputs.indirect)
        entity.through = _DATA if inputs.direct or not inputs.indirect else apart
        if not (inputs.direct and inputs.indirect):
            return [entity]
        fields = {**fields, "title": f"{fields['title']} (indirect)"}
        beside = self._planned(kind, rule, fields, parents, f"{entity.key[1]}:indirect")
        if beside is None:
            return [entity]
        beside.inputs, beside.outputs, beside.through = list(inputs.indirect), list(outputs), apart
        return [entity, beside]

    def _planned(
        self, kind: Kind, rule: Rule, fields: dict[str, Any], parents: dict[str, Key | None], name: str | None
    ) -> PlannedEntity | None:
        entity = add_entity(self._plan, kind, rule, fields, parents, name)
        if entity is not None:
            entity.origin = f"{self._statement.origin}: {fields['title']}"
        return entity

    def _inputs(self, several: Iterable[_Inputs]) -> dict[str, Any]:
        direct: dict[str, None] = {}
        indirect: dict[str, None] = {}
        for inputs in several:
            direct.update(dict.fromkeys(name for _, name in inputs.direct))
            indirect.update(dict.fromkeys(name for _, name in inputs.indirect))
        types = [kind for kind, names in (("fdd", direct), ("fdr", indirect)) if names]
        return {
            "relation_types": types or None,
            "direct_inputs": sorted(direct) or None,
            "indirect_inputs": sorted(set(indirect) - set(direct)) or None,
        }


# --- for people -------------------------------------------------------------------------------------------------------


def readable(plan: Plan, key: Key) -> str:
    """A name without the cluster, and without what is merely the default."""
    if plan.entities[key].kind == "path":
        return key[1].rpartition("@")[0] or key[1]
    parts = list(parse_name(key[1]).parts)
    least = 2 if plan.entities[key].kind == "column" else 1
    while len(parts) > least and parts[0] == DEFAULT:
        del parts[0]
    return ".".join(map(quote_part, parts))


def _title(process_type: str, targets: list[str]) -> str:
    """What a statement does, and to what."""
    words = process_type.capitalize()
    joint = _JOINTS.get(process_type.split(" ")[0].lower(), "")
    named = ", ".join(targets[:_NAMED]) + (f" and {len(targets) - _NAMED} more" if len(targets) > _NAMED else "")
    return " ".join(filter(None, (words, joint, named)))


def _place(process: Process) -> str:
    script, start, _ = process.span
    name = "<stdin>" if script.name in ("", "-") else script.name
    return f"{name}:{script.position(start)[0]}"


def make_plan(
    lineages: Iterable[Lineage], mapping: CatalogMapping, source: str, seen: Mapping[str, Seen] | None = None
) -> Plan:
    """What the catalog should hold for these models together."""
    planner = Planner(mapping, source)
    for lineage in lineages:
        planner.add(lineage, seen=seen)
    return planner.plan()
