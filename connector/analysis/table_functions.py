"""Functions in a FROM clause: UNNEST, FLATTEN, explode, JSON_TABLE, OPENJSON, GENERATE_SERIES and a script's own."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from sqlglot import exp
from sqlglot.errors import ParseError

from connector.analysis.builder import Builder, Impacts
from connector.analysis.catalog import UNKNOWN_SOURCE
from connector.analysis.expressions import ExpressionReader
from connector.analysis.made_structs import MadeStruct
from connector.analysis.methods import method_value, qualified_value
from connector.analysis.names import NameResolver
from connector.analysis.nodes import BASE
from connector.analysis.rowset import Rowset
from connector.analysis.scope import Scope
from connector.analysis.set_returning import output_names, stacked_columns, takes_name_of_alias
from connector.analysis.structs import makes_struct
from connector.model import Column, Entity, Span
from connector.sql.dialects import SqlDialect

if TYPE_CHECKING:
    from connector.analysis.sources import SourceReader


_VARIABLES = (exp.Column, exp.Parameter, exp.Placeholder)


class TableFunctionReader:
    """A table function with column arguments is a resultset fed by them; one of the user's without is a table."""

    __slots__ = ("_dialect", "builder", "expressions", "names")

    def __init__(self, builder: Builder, names: NameResolver, expressions: ExpressionReader) -> None:
        self.builder = builder
        self.names = names
        self.expressions = expressions
        self._dialect = names.dialect

    def read(self, node: Any, scope: Scope) -> Rowset:
        """The rowset of a function call, wherever the grammar put the call and its alias."""
        builder = self.builder
        alias = node.args.get("alias")
        qualifiers, call = function_call(node)
        if call.__class__ in _VARIABLES and call.parent.__class__ is exp.TableFromRows:
            held = self._held(call)
            if held is not None:
                return held
            self._unknown_source("TABLE")
        dynamic = is_dynamic_name(call)
        if dynamic:
            self._unknown_source("IDENTIFIER", "?")
        out: list[Column] = []
        impacts: Impacts = {}
        reach, builder.reach = builder.reach, -1
        owner = _owner(node, call, qualifiers, self.names.dialect)
        if owner is not None:
            self.expressions.value(owner, scope, out, impacts)
        several = self._side_by_side(call, alias, scope, out, impacts)
        if not several:
            self._arguments(call, scope, out, impacts)
        if call.__class__ is exp.XMLTable:
            several = self._xml_columns(call, scope, out)
        if call.__class__ is exp.Anonymous and not (out or impacts or dynamic or _has_no_rows_of_its_own(call)):
            found = self._user_function(call, qualifiers)
        else:
            found = self._fed(call, out, impacts)
        # ``x(e)`` gives the elements a name, and leaves their fields inside.
        whole = alias.__class__ is exp.TableAlias and alias.args.get("this") and alias.args.get("columns")
        fields = _written_fields(call) if call.__class__ is exp.Unnest and not whole else {}
        if fields:
            self._fields(fields, found, scope)
        else:
            self._columns(node, call, alias, found, out, several)
            if found.element is not None:
                self._element_fields(call, found, scope)
        if found.entity.kind == "resultset":
            builder.finish(found.entity, builder.reach)
        builder.reach = max(reach, builder.reach)
        return found

    def _held(self, variable: Any) -> Rowset | None:
        """Snowflake ``TABLE(rows)``: what a variable holds. A text in it, as in ``TABLE($name)``, names a table."""
        found = self.names.variables.get(self.names.key_of(variable.name))
        if found is None or found.entity.sub_type != "cursor":
            return None
        self.builder.enter(found.entity)
        return found

    def _unknown_source(self, *words: str) -> None:
        """Says that which table is read depends on a value; the place is that of the function that takes it."""
        base = self.builder.base
        tokens = self.expressions.statement.tokens
        named = next((token for token in tokens if token.text.upper() in words), tokens[0])
        self.builder.problem("AnalyzeError", UNKNOWN_SOURCE, named.start + base, named.end + 1 + base)

    def array(self, node: Any, scope: Scope) -> Rowset:
        """Impala `FROM t, t.items x`: each element of an array, by its name alone."""
        args = node.args
        parts = [part.copy() for part in (args.get("catalog"), args["db"], args["this"]) if part is not None]
        column = exp.Column(this=parts[-1], table=parts[-2], db=parts[-3] if len(parts) > 2 else None)
        out: list[Column] = []
        self.names.column(column, scope, out)
        found = self._fed(column, out, {})
        identifier = args["this"]
        label = self.names.key(identifier), self.names.written(identifier), self.names.span(identifier)
        found.element = self.builder.column(found.entity, *label)
        self.builder.relate("fdd", found.element, out, "function")
        found.outputs.append((label[0], found.element))
        self.builder.finish(found.entity, self.builder.reach)
        return found

    def array_join(self, node: Any, scope: Scope) -> None:
        """ClickHouse ARRAY JOIN: each element of an array under the array's name or an alias."""
        builder = self.builder
        identifier = node.args["alias"] if node.__class__ is exp.Alias else node.args.get("this")
        out: list[Column] = []
        self.expressions.value(node.args["this"] if node.__class__ is exp.Alias else node, scope, out, {})
        if identifier.__class__ is not exp.Identifier:
            # A computed array without an alias: its elements have no name, but they decide how many rows there are.
            nameless = self._fed(node, out, {})
            builder.finish(nameless.entity, builder.reach)
            scope.add(nameless.entity.name, nameless)
            return
        found = Rowset(builder.resultset("function", self.names.span(identifier)))
        key = self.names.key(identifier)
        column = builder.column(found.entity, key, self.names.written(identifier), self.names.span(identifier))
        builder.relate("fdd", column, out, "function")
        builder.relate("fdr", builder.rows(found.entity), out, "function", "unnest")
        found.outputs.append((key, column))
        found.element = column
        builder.finish(found.entity, builder.reach)
        scope.add(key, found)
        # From here on the name of the array means its elements.
        scope.merged = {**(scope.merged or {}), key: [found]}

    def _arguments(self, call: Any, scope: Scope, out: list[Column], impacts: Impacts) -> None:
        for name, child in call.args.items():
            if name in ("offset", "alias"):
                continue
            for item in child if child.__class__ is list else (child,):
                if isinstance(item, BASE) and item.__class__ not in (exp.TableAlias, exp.Schema, exp.ColumnDef):
                    self.expressions.value(item, scope, out, impacts)

    def _side_by_side(
        self, call: Any, alias: Any, scope: Scope, out: list[Column], impacts: Impacts
    ) -> list[list[Column]]:
        """`UNNEST(a, b)`, `stack(1, a, b)`: what each of several columns is made of; [] for any other call."""
        arguments = call.args.get("expressions") or []
        values = [[item] for item in arguments] if call.__class__ is exp.Unnest else stacked_columns(call)
        if len(values) < 2:
            return []
        found: list[list[Column]] = []
        for items in values:
            found.append([])
            for item in items:
                self.expressions.value(item, scope, found[-1], impacts)
            out.extend(found[-1])
        named = alias.args.get("columns") or [] if alias.__class__ is exp.TableAlias else []
        if call.__class__ is not exp.Unnest or len(named) <= len(arguments):
            return found
        widths = _widths(arguments, len(named) - (call.args.get("offset") is True))
        return [columns for columns, width in zip(found, widths, strict=True) for _ in range(width)]

    def _element_fields(self, call: Any, found: Rowset, scope: Scope) -> None:
        """The elements of an array that a subquery puts together from structs: each field is known by itself."""
        array = call.args.get("this") or next(iter(call.args.get("expressions") or ()), None)
        if not found.outputs or array is None:
            return
        key, column = found.outputs[0]
        struct = self.names.struct_of(array, scope) if array.__class__ is exp.Column else None
        if struct is None and array.__class__ is exp.Array and makes_struct(array):
            struct = MadeStruct(array, column.name, found, scope, self.expressions)
        if struct is not None:
            found.structs = {key: struct}

    def _xml_columns(self, call: Any, scope: Scope, out: list[Column]) -> list[list[Column]]:
        """What each column of an XMLTABLE is made of: the document, and its DEFAULT; a number of rows of neither."""
        found: list[list[Column]] = []
        for item in call.args.get("columns") or ():
            columns = [] if item.args.get("ordinality") else list(out)
            for default in item.find_all(exp.DefaultColumnConstraint):
                self.expressions.value(default.args["this"], scope, columns, {})
            found.append(columns)
        return found

    def _user_function(self, call: Any, qualifiers: list[Any]) -> Rowset:
        """An unknown table function without column arguments: a table of its own."""
        builder = self.builder
        name = ".".join([*(part.name for part in qualifiers), call.name])
        span = self.names.span(call)
        schema = qualifiers[-1].name if qualifiers else None
        database = qualifiers[0].name if len(qualifiers) > 1 else None
        entity = builder.entity(
            Entity(
                builder.next_id(),
                "table",
                name,
                "table",
                sub_type="function",
                database=database,
                schema=schema,
                table=call.name,
                span=span,
            )
        )
        return Rowset(entity)

    def _fed(self, call: Any, out: list[Column], impacts: Impacts) -> Rowset:
        builder = self.builder
        span = self.names.span(call)
        if span is not None:
            index = self.expressions.statement.index
            span = (span[0], span[1], index.call_end(span[1] - builder.base) + builder.base)
        entity = builder.resultset("function", span)
        if out or impacts:
            # What is taken apart decides how many rows there are.
            rows = builder.rows(entity)
            builder.relate("fdr", rows, out, "function", "unnest")
            for clause, columns in impacts.items():
                builder.relate("fdr", rows, columns, "function", clause)
        return Rowset(entity)

    def _fields(self, fields: dict[str, tuple[Any, list[Any]]], found: Rowset, scope: Scope) -> None:
        """The fields of structs that are written out in the text, each made of its own values."""
        builder = self.builder
        for identifier, values in fields.values():
            out: list[Column] = []
            for value in values:
                self.expressions.value(value, scope, out, {})
            key = self.names.key(identifier)
            column = builder.column(found.entity, key, self.names.written(identifier), self.names.span(identifier))
            builder.relate("fdd", column, out, "function")
            found.outputs.append((key, column))

    def _columns(
        self, node: Any, call: Any, alias: Any, found: Rowset, out: list[Column], several: list[list[Column]]
    ) -> None:
        """The columns: those the call defines, those of the alias, or the alias itself where a value is unnested."""
        defined = [(key, name, span) for key, name, span in self._defined(call)]
        named = alias.args.get("columns") or [] if isinstance(alias, BASE) and alias.__class__ is exp.TableAlias else []
        columns = defined or [
            (self.names.key(item), self.names.written(item), self.names.span(item))
            for item in named
            if item.__class__ is exp.Identifier
        ]
        if defined and named:
            columns = [
                (self.names.key(item), self.names.written(item), self.names.span(item)) for item in named
            ] + defined[len(named) :]
        offset = node.args.get("offset")
        builder = self.builder
        single = False
        if not columns and found.entity.kind == "resultset":
            columns = [(self.names.key_of(name), name, None) for name in output_names(call, self._dialect)]
            if not columns:
                columns = self._single(call, alias)
                single = bool(columns)
            if offset is True or node.args.get("ordinality"):
                columns.append((self.names.key_of("ordinality"), "ordinality", None))
        if not columns:
            if found.entity.kind == "resultset":
                found.feeds = out
            return
        for place, (key, name, span) in enumerate(columns):
            column = builder.column(found.entity, key, name, span)
            builder.relate("fdd", column, several[place] if place < len(several) else out, "function")
            found.outputs.append((key, column))
        if isinstance(offset, BASE):
            column = builder.column(found.entity, self.names.key(offset), offset.name, self.names.span(offset))
            builder.relate("fdd", column, out, "function")
            found.outputs.append((self.names.key(offset), column))
        if found.entity.kind != "resultset":
            found.known = {key: name for key, name, _ in columns}
        elif single or (call.__class__ in (exp.Unnest, exp.Explode) and not defined and len(columns) == 1):
            found.element = found.outputs[0][1]
            if alias is not None and alias.args.get("this") is not None:
                named = alias.args["this"]
                found.entity.alias = named if isinstance(named, str) else named.name

    def _single(self, call: Any, alias: Any) -> list[tuple[str, str, Span | None]]:
        """The one column of a function that gives values: it is called as the function, or as the alias."""
        name = takes_name_of_alias(call)
        if name is None:
            return []
        takes_alias = (
            isinstance(alias, BASE) and not self._dialect.functions_name_columns and call.__class__ is not exp.Column
        )
        identifier = (alias if alias.__class__ is exp.Identifier else alias.args.get("this")) if takes_alias else None
        if identifier is not None:
            return [(self.names.key(identifier), self.names.written(identifier), self.names.span(identifier))]
        return [(self.names.key_of(name), name, None)]

    def _defined(self, call: Any) -> list[tuple[str, str, Span | None]]:
        """Columns that the call itself lists: JSON_TABLE, XMLTABLE, OPENJSON WITH."""
        found: list[tuple[str, str, Span | None]] = []
        stack: list[Any] = [
            call.args.get("schema"),
            *(call.args.get("columns") or ()),
            *(call.args.get("expressions") or ()),
        ]
        stack.reverse()
        while stack:
            item = stack.pop()
            kind = item.__class__
            if kind is exp.JSONSchema:
                stack.extend(reversed(item.args.get("expressions") or []))
            elif kind in (exp.JSONColumnDef, exp.OpenJSONColumnDef, exp.ColumnDef):
                identifier = item.args.get("this")
                if isinstance(identifier, BASE) and identifier.name:
                    found.append(
                        (self.names.key(identifier), self.names.written(identifier), self.names.span(identifier))
                    )
                if item.args.get("nested_schema") is not None:
                    stack.append(item.args["nested_schema"])
        return found


def _owner(node: Any, call: Any, qualifiers: list[Any], dialect: SqlDialect) -> Any:
    """The value that a method takes apart: ``doc.nodes('…')``."""
    inner = node.args.get("this")
    if inner.__class__ is exp.Dot:
        return method_value(inner.args["this"], call.name, dialect)
    return qualified_value(qualifiers, call.name) if qualifiers else None


def function_call(node: Any) -> tuple[list[Any], Any]:
    """The call of a FROM item inside TABLE(…), LATERAL … and the like, and what qualifies its name."""
    qualifiers = [part for part in (node.args.get("catalog"), node.args.get("db")) if isinstance(part, BASE)]
    while True:
        kind = node.__class__
        if kind is exp.Dot:
            left = node.args["this"]
            qualifiers = []
            while left.__class__ is exp.Dot and left.args["expression"].__class__ is exp.Identifier:
                qualifiers.insert(0, left.args["expression"])
                left = left.args["this"]
            if left.__class__ is exp.Identifier:
                qualifiers.insert(0, left)
            node = node.args["expression"]
            if node is None:
                raise ParseError("incomplete statement: the function to call is missing")
        elif kind in (exp.Lateral, exp.TableFromRows, exp.Table, exp.Subquery, exp.Alias, exp.Paren):
            node = node.args["this"]
        elif _is_wrapper(node) and _is_call(node.args["expressions"][0]):
            node = node.args["expressions"][0]
        else:
            return qualifiers, node


_MAPS = frozenset({"MAP_AGG", "MAP_CONCAT", "MAP_FILTER", "MAP_FROM_ENTRIES", "TRANSFORM_KEYS", "TRANSFORM_VALUES"})
_MAP_NODES = (exp.Map, exp.VarMap, exp.MapFromEntries)


def _widths(items: list[Any], count: int) -> list[int]:
    """How many of so many columns each argument of UNNEST makes: a map has two, an array of rows their fields.

    What cannot be known is left out: those columns come from all arguments.
    """
    widths = [_width(item) for item in items]
    if widths.count(0) == 1:
        widths[widths.index(0)] = max(count - sum(widths), 1)
    elif sum(width or 1 for width in widths) == count:
        widths = [width or 1 for width in widths]
    return widths if sum(widths) == count else [0] * len(items)


def _width(item: Any) -> int:
    """0 for a value of an unknown type."""
    if item.__class__ in _MAP_NODES or (item.__class__ is exp.Anonymous and item.name.upper() in _MAPS):
        return 2
    if item.__class__ not in (exp.Cast, exp.TryCast):
        return 0
    kind = item.args["to"]
    inner = kind.args.get("expressions") or [kind]
    if kind.args.get("this") is exp.DataType.Type.MAP:
        return 2
    is_row = inner[0].__class__ is exp.DataType and inner[0].args.get("this") is exp.DataType.Type.STRUCT
    return len(inner[0].args.get("expressions") or [inner[0]]) if is_row else 1


def _has_no_rows_of_its_own(call: Any) -> bool:
    """What only takes apart a value that it is given: no table, whatever the value is."""
    return _is_wrapper(call) or str(call.args["this"]).upper() == "OPENXML"


def _is_wrapper(node: Any) -> bool:
    """Oracle: ``TABLE(…)`` around a function or a collection is no function itself."""
    return (
        node.__class__ is exp.Anonymous
        and str(node.args["this"]).upper() in ("TABLE", "THE")
        and len(node.args.get("expressions") or ()) == 1
    )


def _is_call(node: Any) -> bool:
    return node.__class__ is exp.Anonymous or (
        node.__class__ is exp.Dot and node.args["expression"].__class__ is exp.Anonymous
    )


def is_dynamic_name(call: Any) -> bool:
    """Snowflake: ``IDENTIFIER($name)``, or a bare ``?``. One that names a table in a string is a name by now."""
    if call.__class__ is exp.Placeholder:
        return not call.args.get("this")
    return call.key == "dynamicidentifier" or (call.__class__ is exp.Anonymous and call.name.upper() == "IDENTIFIER")


def _written_fields(call: Any) -> dict[str, tuple[Any, list[Any]]]:
    """The fields of an array of structs that is written out in the text: the name of each, and its values row by row."""
    array = (call.args.get("expressions") or [None])[0]
    names: list[Any] = []
    if array.__class__ is exp.Cast:
        names = [item.args["this"] for item in array.args["to"].find_all(exp.ColumnDef)]
        array = array.args["this"]
    if array.__class__ is not exp.Array:
        return {}
    items = array.args.get("expressions") or []
    if not names and items and items[0].__class__ is exp.Cast:
        # [STRUCT<a INT64, b STRING>(1, 'x'), (2, 'y')]
        names = [item.args["this"] for item in items[0].args["to"].args.get("expressions") or ()]
    items = [item.args["this"] if item.__class__ is exp.Cast else item for item in items]
    rows = [item.args.get("expressions") or [] for item in items]
    kinds = {item.__class__ for item in items}
    if not kinds or not kinds <= {exp.Struct, exp.Tuple}:
        return {}
    if not names:
        names = [item.args["this"] if item.__class__ is exp.PropertyEQ else None for item in rows[0]]
    fields: dict[str, tuple[Any, list[Any]]] = {}
    for place, identifier in enumerate(names):
        if identifier.__class__ is not exp.Identifier:
            return {}
        values = [row[place] for row in rows if place < len(row)]
        values = [value.args["expression"] if value.__class__ is exp.PropertyEQ else value for value in values]
        fields[identifier.name.lower()] = (identifier, values)
    return fields


_OUTPUTS = {
    "CONTAINSTABLE": ("key", "rank"),
    "FREETEXTTABLE": ("key", "rank"),
    "SEMANTICKEYPHRASETABLE": ("column_id", "document_key", "keyphrase", "score"),
    "SEMANTICSIMILARITYDETAILSTABLE": ("keyphrase", "score"),
    "SEMANTICSIMILARITYTABLE": ("source_column_id", "matched_column_id", "matched_document_key", "score"),
}
_COMPUTED = ("rank", "keyphrase", "score")
"""Columns made from the text that is searched. The others say which row or column it stands in."""


def read_search(sources: SourceReader, node: Any, scope: Scope) -> Rowset | None:
    """The rows that a full-text search finds; None for any other function.

    Its first argument is a table and its second a list of columns of that table: neither is a value of the tables around.
    """
    _, call = function_call(node)
    outputs = _OUTPUTS.get(str(call.args["this"]).upper()) if call.__class__ is exp.Anonymous else None
    arguments = call.args.get("expressions") or []
    if outputs is None or len(arguments) < 2 or arguments[0].__class__ is not exp.Column:
        return None
    builder, names = sources.builder, sources.names
    parts = [arguments[0].args.get(part) for part in ("this", "table", "db")]
    searched = exp.Table(
        **{place: part.copy() for place, part in zip(("this", "db", "catalog"), parts, strict=True) if part is not None}
    )
    table = sources.base_table(searched)
    builder.flow.sources[table.entity] = None
    inner = Scope(None, scope)
    inner.add(names.key(searched.args["this"]), table)
    looked_at: list[Column] = []
    for item in arguments[1].args.get("expressions") or [arguments[1]]:
        if item.__class__ is exp.Star:
            looked_at.extend(names.whole_row(table))
        else:
            looked_at.extend(sources.expressions.columns(item, inner))
    found = Rowset(builder.resultset("function", names.span(call)))
    for name in outputs:
        column = builder.column(found.entity, names.key_of(name), name, None)
        if name in _COMPUTED:
            builder.relate("fdd", column, looked_at, "function")
        found.outputs.append((names.key_of(name), column))
    builder.relate("fdr", builder.rows(found.entity), looked_at, "function", "where")
    builder.finish(found.entity, builder.reach)
    return found
