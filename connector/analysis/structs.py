"""Fields of values that are made in the query: `STRUCT(a AS x).x`, `ARRAY_AGG(t ORDER BY d LIMIT 1)[OFFSET(0)].*`,
`jsonb_build_object('x', a) ->> 'x'`."""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import takewhile
from typing import TYPE_CHECKING, Any

from sqlglot import exp

from connector.analysis.builder import STAR, Impacts
from connector.analysis.nodes import BASE, KIND, NodeKind
from connector.analysis.rowset import Path, Rowset, Struct
from connector.analysis.scope import Scope
from connector.analysis.written_lists import (
    at,
    is_position,
    position_taken,
    resolved,
    sliced,
    takes_element,
    without_positions,
)
from connector.model import ClauseType, Column

if TYPE_CHECKING:
    from connector.analysis.expressions import ExpressionReader
    from connector.analysis.names import NameResolver

_HOLDERS = (
    exp.Paren,
    exp.Bracket,
    exp.Explode,
    exp.IgnoreNulls,
    exp.RespectNulls,
    exp.Limit,
    exp.JSONFormat,
    exp.ParseJSON,
)
"""What hands a value on as it is, an element of it, or the same fields as a document."""

_DOCUMENTS = frozenset({"json_build_object", "jsonb_build_object"})
_AS_DOCUMENT = frozenset({"to_json", "to_jsonb", "row_to_json"})
"""Functions that make a document: of keys and values in turn, or of a struct or a row."""

DOCUMENT_FIELDS = frozenset(
    {exp.JSONExtract, exp.JSONExtractScalar, exp.JSONBExtract, exp.JSONBExtractScalar, exp.JSONValue}
)
"""What takes a field of a document."""
_DOCUMENT_TYPES = (exp.DataType.Type.JSON, exp.DataType.Type.JSONB, exp.DataType.Type.VARIANT, exp.DataType.Type.OBJECT)


STRUCT_MAKERS = frozenset(
    {
        exp.Struct,
        exp.JSONObject,
        exp.Anonymous,
        exp.Array,
        exp.Cast,
        exp.ArrayAgg,
        exp.AnyValue,
        exp.ArgMax,
        exp.ArgMin,
        exp.First,
        exp.Last,
        exp.Order,
        exp.Filter,
        *_HOLDERS,
    }
)
"""What may give a struct that is written out inside of it."""


@dataclass(slots=True)
class Origins:
    """Where the fields of a value come from, and what decided between several origins."""

    scope: Scope
    expressions: ExpressionReader
    structs: list[dict[str, tuple[str, Any]]] = field(default_factory=list)
    """Structs written out in the text: the name and the value of each field by key."""
    rowsets: list[Rowset] = field(default_factory=list)
    """Whole rows of a table, and queries that give a struct."""
    values: list[Any] = field(default_factory=list)
    """Columns whose fields are unknown."""
    made: list[tuple[Any, Struct]] = field(default_factory=list)
    """Columns that a subquery puts together."""
    queried: list[tuple[Rowset, Struct]] = field(default_factory=list)
    """Subqueries that give a struct as their only column."""
    deciding: list[tuple[ClauseType, Any]] = field(default_factory=list)
    """Conditions and orders, by clause."""

    def add(self, path: Path, out: list[Column], impacts: Impacts) -> None:
        """The columns that a field is made of."""
        expressions = self.expressions
        key, name = path[0]
        rowsets = [rowset for rowset in self.rowsets if rowset.may_have(key) or not self.structs]
        fitting = [found for fields in self.structs if (found := field_named(fields, key)) is not None]
        if not fitting and not rowsets:
            # A name that nobody wrote: it is one of the fields, and any may be meant.
            fitting = [found for fields in self.structs for found in fields.values()]
        for _, value in fitting:
            add_part(value, path[1:], self.scope, expressions, out, impacts)
        out.extend([rowset.column(expressions.builder, key, name, None) for rowset in rowsets])
        for value in self.values:
            expressions.value(value, self.scope, out, impacts)
        for node, struct in self.made:
            column = struct.field(path)
            if column is not None:
                out.append(column)
            else:
                expressions.value(node, self.scope, out, impacts)
        out.extend([struct.field(path) or rowset.outputs[0][1] for rowset, struct in self.queried])
        self._influence(out, impacts)

    def names(self) -> list[tuple[str, str]]:
        """Key and name of all fields; a star among them where not all are known."""
        found: dict[str, str] = {}
        for fields in self.structs:
            found.update({key: name for key, (name, _) in fields.items()})
        for rowset in self.rowsets:
            if rowset.outputs:
                found.update({key: column.name for key, column in rowset.outputs})
            else:
                found.update(rowset.known or {STAR: STAR})
        for _, struct in (*self.made, *self.queried):
            found.update(struct.names())
        if self.values:
            found[STAR] = STAR
        return list(found.items())

    def _influence(self, out: list[Column], impacts: Impacts) -> None:
        expressions = self.expressions
        direct = expressions.options.case_condition_direct
        for clause, node in self.deciding:
            if clause == "case condition" and direct:
                expressions.value(node, self.scope, out, impacts)
            else:
                impacts.setdefault(clause, {}).update(expressions.columns(node, self.scope))
        for rowset in (*self.rowsets, *(rowset for rowset, _ in self.queried)):
            rows = rowset.limiting_rows
            if rows is not None:
                impacts.setdefault("select", {})[rows] = None


def add_part(
    value: Any, path: Path, scope: Scope, expressions: ExpressionReader, out: list[Column], impacts: Impacts
) -> None:
    """The columns of what a path leads to inside a value; of the whole value where that cannot be told apart."""
    value, path = resolved(value, path)
    if path and value.__class__ is exp.Column and is_position(path[0]):
        struct = expressions.names.struct_of(value, scope)
        column = struct.field(path) if struct is not None else None
        if column is not None:
            out.append(column)
            return
    path = without_positions(path)
    origins = struct_origins(value, scope, expressions) if path else None
    if origins is not None:
        origins.add(path, out, impacts)
    else:
        expressions.value(value, scope, out, impacts)


def read_field(node: Any, scope: Scope, expressions: ExpressionReader, out: list[Column], impacts: Impacts) -> bool:
    """Whether a field or an element is one of a value that the query puts together; adds what it is made of."""
    names = expressions.names
    items = sliced(node, names) if node.__class__ is exp.Bracket else None
    if items is not None:
        for item in items:
            expressions.value(item, scope, out, impacts)
        return True
    value: Any
    path: Path
    value, path = field_path(node, names)
    if not path:
        return False
    if value.__class__ is exp.Column and (node.__class__ in DOCUMENT_FIELDS or is_position(path[0])):
        # The usual: a document or a list of a table. A name that means a whole row here is the value of a function in FROM.
        if names.struct_of(value, scope) is None:
            path = without_positions(path)
            if not path or node.__class__ in DOCUMENT_FIELDS:
                return False
    elif resolved(value, path)[1] is path:
        path = without_positions(path)
        if not path or struct_origins(value, scope, expressions) is None:
            return False
    add_part(value, path, scope, expressions, out, impacts)
    return True


def makes_struct(node: Any, names: NameResolver | None = None, scope: Scope | None = None) -> bool:
    """Whether a value is a struct or a document that is written out in the text, or one or all of many such.

    Where names can be looked up, a whole row is such a struct.
    """
    typed = document = False
    while node.__class__ in STRUCT_MAKERS:
        if node.__class__ in (exp.Struct, exp.JSONObject):
            return True
        if node.__class__ is exp.Array:
            return any(makes_struct(item, names, scope) for item in node.args.get("expressions") or ())
        if node.__class__ is exp.Anonymous:
            if node.name.lower() in _DOCUMENTS:
                return True
            if node.name.lower() not in _AS_DOCUMENT:
                break
            node = next(iter(node.args.get("expressions") or ()), None)
            continue
        typed = node.__class__ is exp.Cast
        document = typed and _is_document(node)
        node = node.args.get("this")
    if typed and not document:
        return _is_row(node)
    return (
        node.__class__ is exp.Column
        and scope is not None
        and names is not None
        and names.row_of(node, scope) is not None
    )


def _is_document(cast: Any) -> bool:
    return cast.args["to"].args.get("this") in _DOCUMENT_TYPES


def _is_row(node: Any) -> bool:
    """`ROW(a, b)` or `(a, b)`: a row whose fields get their names from a type."""
    return node.__class__ is exp.Tuple or (node.__class__ is exp.Anonymous and node.name.lower() == "row")


def field_named(fields: dict[str, tuple[str, Any]], key: str) -> tuple[str, Any] | None:
    """The field of that name; Hive calls the second one ``col2``, whatever it is made of."""
    found = fields.get(key)
    place = key[3:]
    if found is None and key[:3].lower() == "col" and place.isdigit() and 0 < int(place) <= len(fields):
        return list(fields.values())[int(place) - 1]
    return found


def field_path(node: Any, names: NameResolver) -> tuple[Any, list[tuple[str, str]]]:
    """`(value).a['b']`: the value, and the fields that lead into it."""
    path: list[tuple[str, str]] = []
    while True:
        args = node.args
        inner = args.get("this")
        if node.__class__ is exp.Dot:
            field = args["expression"]
            if field.__class__ is exp.Literal and (taken := position_taken(node, names)) is not None:
                # ClickHouse: ``(a, b).1``
                path.insert(0, taken)
                node = inner
                continue
            if field.__class__ is not exp.Identifier or inner.__class__ is exp.Identifier:
                break
            path.insert(0, (names.key(field), names.written(field)))
        elif node.__class__ in (exp.Bracket, exp.StructExtract) or (
            node.__class__ is exp.Anonymous and takes_element(node)
        ):
            indices = args.get("expressions") or [args.get("expression")]
            if node.__class__ is exp.Anonymous:
                inner, *indices = indices
            if len(indices) == 1 and indices[0].__class__ is exp.Literal and indices[0].is_string:
                path.insert(0, (names.key_of(indices[0].name), indices[0].name))
            elif (taken := position_taken(node, names)) is not None:
                path.insert(0, taken)
            else:
                break
        elif node.__class__ in DOCUMENT_FIELDS:
            keys = _document_path(args.get("expression") or args.get("path"))
            if not keys or not all(key.__class__ in (str, int) for key in keys):
                break
            path[:0] = [at(key) if key.__class__ is int else (names.key_of(key), key) for key in keys]
        elif not (node.__class__ is exp.Paren and inner.__class__ in (exp.Dot, exp.Bracket)):
            break
        node = inner
    return node, path


def _document_path(node: Any) -> list[Any]:
    """The keys and positions of ``$.a[0]`` or ``{a,0}``, up to the first that is neither."""
    if node.__class__ is exp.Literal and node.name[:1] == "{":
        keys = takewhile(bool, node.name.strip("{} ").split(","))
        return [int(key) if key.isdecimal() else key for key in keys]
    if node.__class__ is exp.Neg and node.args["this"].__class__ is exp.Literal:
        return [-int(node.name)] if node.name.isdecimal() else []
    parts = node.args.get("expressions") or [] if node.__class__ is exp.JSONPath else []
    known = takewhile(lambda part: part.__class__ in (exp.JSONPathKey, exp.JSONPathSubscript), parts[1:])
    return list(takewhile(lambda key: key.__class__ in (str, int), (part.args["this"] for part in known)))


def struct_origins(node: Any, scope: Scope, expressions: ExpressionReader) -> Origins | None:
    """The origins of a value's fields; None where the value is not put together in this query."""
    found = Origins(scope, expressions)
    if _collect(node, found) and (found.structs or found.rowsets or found.made or found.queried):
        return found
    return None


def _collect(node: Any, found: Origins) -> bool:
    """Follows a value to what it is made of; False when a step on the way is not understood."""
    if node is None:
        return False
    kind = node.__class__
    args = node.args
    names = found.expressions.names
    if kind is exp.Column:
        rowset = names.row_of(node, found.scope)
        if rowset is not None:
            found.rowsets.append(rowset)
            return True
        struct = names.struct_of(node, found.scope)
        if struct is not None:
            found.made.append((node, struct))
        else:
            found.values.append(node)
        return True
    if kind is exp.Struct:
        fields: dict[str, tuple[str, Any]] = {}
        for place, item in enumerate(args.get("expressions") or (), 1):
            label = item.args.get("this") if item.__class__ in (exp.PropertyEQ, exp.Column) else None
            value = item.args["expression"] if item.__class__ is exp.PropertyEQ else item
            if value.is_star:
                return False
            if label.__class__ is exp.Identifier and label.name:
                fields[names.key(label)] = (names.written(label), value)
            elif label.__class__ is exp.Literal:
                fields[names.key_of(label.name)] = (label.name, value)
            else:
                fields[names.key_of(f"col{place}")] = (f"col{place}", value)
        found.structs.append(fields)
        return bool(fields)
    if kind in _HOLDERS or kind is exp.ToMap:
        return _collect(args["this"], found)
    if kind is exp.Cast:
        return _collect_cast(node, found)
    if kind is exp.JSONObject:
        pairs = [(item.args.get("this"), item.args.get("expression")) for item in args.get("expressions") or ()]
        return _collect_document(pairs, found)
    if kind is exp.Anonymous and node.name.lower() in _DOCUMENTS:
        values = args.get("expressions") or []
        return _collect_document(list(zip(values[::2], values[1::2], strict=False)), found)
    if kind is exp.Anonymous and node.name.lower() in _AS_DOCUMENT:
        return _collect(next(iter(args.get("expressions") or ()), None), found)
    if kind is exp.Anonymous or (kind is exp.Dot and args["expression"].__class__ is exp.Anonymous):
        called = found.expressions.functions.called_row(node, found.scope)
        if called is not None:
            found.rowsets.append(called)
        return called is not None
    if kind in (exp.If, exp.Case):
        return _collect_branches(node, found)
    if kind in (exp.Coalesce, exp.Array):
        values = [args.get("this"), *(args.get("expressions") or ())]
        return all(_collect(value, found) for value in values if isinstance(value, BASE))
    if kind is exp.DPipe:
        return _collect_joined(node, found)
    if kind is exp.Order:
        found.deciding.extend([("orderBy", item) for item in args.get("expressions") or ()])
        return _collect(args["this"], found)
    if kind in (exp.HavingMax, exp.Filter):
        found.deciding.append(("having" if kind is exp.HavingMax else "where", args["expression"]))
        return _collect(args["this"], found)
    if KIND[kind] is NodeKind.AGGREGATE and isinstance(args.get("this"), BASE):
        if isinstance(args.get("expression"), BASE):
            found.deciding.append(("select", args["expression"]))
        if kind in (exp.Max, exp.Min):
            # Structs are compared field by field.
            found.deciding.append(("select", args["this"]))
        return _collect(args["this"], found)
    if KIND[kind] is NodeKind.QUERY:
        query = node
        while query.__class__ is exp.Subquery:
            query = query.args["this"]
        if query.__class__ is exp.Select and str(query.args.get("kind") or "").upper() == "STRUCT":
            found.rowsets.append(found.expressions.queries.subquery(node, found.scope))
            return True
        items = query.args.get("expressions") or [] if query.__class__ is exp.Select else []
        if len(items) == 1 and makes_struct(items[0].unalias()):
            rowset = found.expressions.queries.subquery(node, found.scope)
            found.queried.extend([(rowset, struct) for struct in (rowset.structs or {}).values()])
            return bool(found.queried)
    return False


def _collect_document(pairs: list[tuple[Any, Any]], found: Origins) -> bool:
    """A document of keys and values: the keys have to be constants."""
    names = found.expressions.names
    fields: dict[str, tuple[str, Any]] = {}
    for key, value in pairs:
        if key.__class__ is not exp.Literal or not isinstance(value, BASE):
            return False
        fields[names.key_of(key.name)] = (key.name, value)
    found.structs.append(fields)
    return len(fields) == len(pairs) > 0


def _collect_joined(node: Any, found: Origins) -> bool:
    """``a || b`` of two documents: where both have a field, it is the one of the second."""
    fields: dict[str, tuple[str, Any]] = {}
    for part in (node.args["this"], node.args["expression"]):
        inner = Origins(found.scope, found.expressions)
        if not _collect(part, inner) or len(inner.structs) != 1 or inner.rowsets or inner.values or inner.made:
            return False
        fields.update(inner.structs[0])
        found.deciding += inner.deciding
    found.structs.append(fields)
    return True


def _collect_cast(node: Any, found: Origins) -> bool:
    """`CAST(ROW(a, b) AS p)`: the fields of the type, each made of the value of its name, else of its place."""
    value = node.args["this"]
    if _is_document(node):
        return _collect(value, found)
    while value.__class__ is exp.Paren:
        value = value.args["this"]
    names = found.expressions.names
    if value.__class__ is exp.Struct and not _collect(value, found):
        return False
    fields = found.structs.pop() if value.__class__ is exp.Struct else {}
    if _is_row(value):
        fields = {f"\0{place}": ("", item) for place, item in enumerate(value.args.get("expressions") or ())}
    typed = names.fields_of_type(node.args["to"])
    if len(fields) != len(typed) or not fields:
        return False
    if not fields.keys() <= typed.keys():
        fields = dict(zip(typed, fields.values(), strict=True))
    found.structs.append({key: (typed[key], item) for key, (_, item) in fields.items()})
    return True


def _collect_branches(node: Any, found: Origins) -> bool:
    args = node.args
    if node.__class__ is exp.Case and args.get("this") is not None:
        found.deciding.append(("case condition", args["this"]))
    for branch in args.get("ifs") or [node]:
        found.deciding.append(("case condition", branch.args["this"]))
        for part in ("true", "false"):
            value = branch.args.get(part)
            if isinstance(value, BASE) and not _collect(value, found):
                return False
    default = args.get("default")
    return default is None or _collect(default, found)
