"""Structs and lists that a query puts together: who reads the query may ask for one field or element of them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from sqlglot import exp

from connector.analysis.builder import STAR, Builder, Impacts
from connector.analysis.rowset import Path, Rowset, Struct
from connector.analysis.scope import Scope
from connector.analysis.structs import add_part, field_named, struct_origins
from connector.analysis.written_lists import at, is_position, resolved, without_positions, written_items
from connector.model import Column, EffectType, Flow

if TYPE_CHECKING:
    from connector.analysis.expressions import ExpressionReader

_READ_ONCE = (exp.AggFunc, exp.Query, exp.Window)
"""Parts of a value that make entities or belong to the groups of their query."""


class MadeStruct:
    """A struct in the select list of a query. A field becomes a column of the result when it is referenced."""

    __slots__ = ("_expressions", "_fields", "_name", "_node", "_parts", "_result", "_scope")

    def __init__(self, node: Any, name: str, result: Rowset, scope: Scope, expressions: ExpressionReader) -> None:
        self._node = node
        self._name = name
        self._result = result
        self._scope = scope
        self._expressions = expressions
        self._fields: dict[str, Column] = {}
        self._parts: dict[str, tuple[list[Column], Impacts]] = {}
        """By the key of a field what it is made of, where the value was read field by field."""

    def read(self, out: list[Column], impacts: Impacts) -> None:
        """The whole value. Where a field has a part that is read only once, it is kept apart while it is read."""
        expressions, scope, node = self._expressions, self._scope, self._node
        parts = self._apart() if node.find(*_READ_ONCE) is not None else {}
        if not parts:
            expressions.value(node, scope, out, impacts)
            return
        for key, value in parts.items():
            columns: list[Column] = []
            deciding: Impacts = {}
            expressions.value(value, scope, columns, deciding)
            self._parts[key] = columns, deciding
            out.extend(columns)
            for clause, found in deciding.items():
                impacts.setdefault(clause, {}).update(found)

    def _apart(self) -> dict[str, Any]:
        """The fields of a struct, or the elements of a list, that is written out; {} of any other value."""
        node = self._node
        if node.__class__ is exp.Struct:
            origins = struct_origins(node, self._scope, self._expressions)
            return {key: value for key, (_, value) in origins.structs[0].items()} if origins is not None else {}
        return {at(place)[0]: item for place, item in enumerate(written_items(node) or ())}

    def names(self) -> list[tuple[str, str]]:
        origins = struct_origins(self._node, self._scope, self._expressions)
        return origins.names() if origins is not None else [(STAR, STAR)]

    def field(self, path: Path) -> Column | None:
        """The field by itself; None where a part of it is read only once, and was not kept apart."""
        label = self._name + "".join([name if is_position((key, name)) else f".{name}" for key, name in path])
        found = self._fields.get(label)
        if found is not None:
            return found
        parts = self._parts.get(path[0][0])
        if parts is None:
            parts = self._made_of(path)
        if parts is None:
            return None
        out, impacts = parts
        builder = self._expressions.builder
        found = self._fields[label] = builder.column(self._result.entity, f"{label}\0field", label, None)
        builder.relate("fdd", found, out, "select")
        for clause, columns in impacts.items():
            builder.relate("fdr", found, columns, "select", clause)
        return found

    def _made_of(self, path: Path) -> tuple[list[Column], Impacts] | None:
        node, rest = resolved(self._node, path)
        if len(rest) < len(path) and node.find(*_READ_ONCE) is None:
            out: list[Column] = []
            impacts: Impacts = {}
            add_part(node, rest, self._scope, self._expressions, out, impacts)
            return out, impacts
        path = without_positions(path)
        origins = struct_origins(self._node, self._scope, self._expressions) if path else None
        if origins is None:
            return None
        values = [field_named(fields, path[0][0]) for fields in origins.structs]
        read = [value and value[1] for value in values] + [node for _, node in origins.deciding]
        if any(node is None or node.find(*_READ_ONCE) is not None for node in read):
            return None
        out, impacts = [], {}
        origins.add(path, out, impacts)
        return out, impacts


class MergedStruct:
    """A column of a set operation that is a struct in each of its branches."""

    __slots__ = ("_builder", "_result", "_structs")

    def __init__(self, structs: list[Struct], result: Rowset, builder: Builder) -> None:
        self._structs = structs
        self._result = result
        self._builder = builder

    def names(self) -> list[tuple[str, str]]:
        return list(dict(name for struct in self._structs for name in struct.names()).items())

    def field(self, path: Path) -> Column | None:
        """The field of all branches; None where one of them cannot tell it apart, or has other fields at its places."""
        if len({tuple(key for key, _ in struct.names()) for struct in self._structs}) > 1:
            return None
        sources = [column for struct in self._structs if (column := struct.field(path)) is not None]
        if len(sources) < len(self._structs):
            return None
        name = sources[0].name
        found = self._result.entity.columns.get(f"{name}\0field")
        if found is None:
            found = self._builder.column(self._result.entity, f"{name}\0field", name, None)
            self._builder.relate("fdd", found, sources, "select")
        return found


def merge_structs(result: Rowset, read: list[Rowset], builder: Builder) -> None:
    """The structs of a set operation, whose columns are those at the same places of its branches."""
    for place, (key, _) in enumerate(result.outputs):
        found = [(rowset.structs or {}).get(rowset.outputs[place][0]) for rowset in read if place < len(rowset.outputs)]
        structs = [struct for struct in found if struct is not None]
        if len(structs) == len(read):
            result.structs = {**(result.structs or {}), key: MergedStruct(structs, result, builder)}


class StoredStruct:
    """A struct in a temporary table that one query filled: a field of it is the field that the query put into it."""

    __slots__ = ("_effect", "_expressions", "_process", "_statement", "_struct", "_target")

    def __init__(self, struct: Struct, target: Rowset, effect: EffectType, expressions: ExpressionReader) -> None:
        self._struct = struct
        self._target = target
        self._effect = effect
        self._expressions = expressions
        self._statement = expressions.statement
        self._process = expressions.builder.process

    def names(self) -> list[tuple[str, str]]:
        return self._struct.names()

    def field(self, path: Path) -> Column | None:
        """The field as a column of the table; None once another statement has written to the table too."""
        entity = self._target.entity
        if entity.processes != [self._process]:
            return None
        expressions = self._expressions
        builder, reading = expressions.builder, expressions.statement
        around = builder.script, builder.base, builder.reach, builder.process, builder.flow
        # The field belongs to the statement that made the table, and its places are places there.
        statement = expressions.statement = self._statement
        builder.script, builder.base, builder.process, builder.flow = (
            statement.script,
            statement.base,
            self._process,
            Flow(None),
        )
        source = self._struct.field(path)
        found = entity.columns.get(f"{source.name}\0field") if source is not None else None
        if source is not None and found is None:
            found = builder.column(entity, f"{source.name}\0field", source.name, None)
            builder.direct(found, source, self._effect)
        expressions.statement = reading
        builder.script, builder.base, builder.reach, builder.process, builder.flow = around
        return found


def store_structs(
    target: Rowset, result: Rowset, keys: Sequence[str], effect: EffectType, expressions: ExpressionReader
) -> None:
    """Remembers which columns of a new temporary table are structs that a query put together."""
    structs = result.structs or {}
    places = [(key, structs.get(own)) for key, (own, _) in zip(keys, result.outputs, strict=False)]
    target.structs = {
        key: StoredStruct(struct, target, effect, expressions) for key, struct in places if struct is not None
    }
