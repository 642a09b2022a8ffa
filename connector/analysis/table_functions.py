"""Functions in a FROM clause: UNNEST, FLATTEN, explode, JSON_TABLE, OPENJSON, GENERATE_SERIES and a script's own."""

from __future__ import annotations

from typing import Any

from sqlglot import exp

from connector.analysis.builder import Builder
from connector.analysis.expressions import ExpressionReader, Impacts
from connector.analysis.names import NameResolver
from connector.analysis.nodes import BASE
from connector.analysis.rowset import Rowset
from connector.analysis.scope import Scope
from connector.model import Column, Entity, Span

__all__ = ["TableFunctionReader"]


class TableFunctionReader:
    """A table function with column arguments is a resultset fed by them; one of the user's without is a table."""

    __slots__ = ("builder", "expressions", "names")

    def __init__(self, builder: Builder, names: NameResolver, expressions: ExpressionReader) -> None:
        self.builder = builder
        self.names = names
        self.expressions = expressions

    def read(self, node: Any, scope: Scope) -> Rowset:
        """The rowset of a function call, wherever the grammar put the call and its alias."""
        builder = self.builder
        alias = node.args.get("alias")
        call = _call(node)
        out: list[Column] = []
        impacts: Impacts = {}
        reach, builder.reach = builder.reach, -1
        self._arguments(call, scope, out, impacts)
        qualifiers = [part for part in (node.args.get("catalog"), node.args.get("db")) if isinstance(part, BASE)]
        if call.__class__ is exp.Anonymous and not out and not impacts:
            found = self._user_function(call, qualifiers)
        else:
            found = self._fed(call, out, impacts)
        self._columns(node, call, alias, found, out)
        if found.entity.kind == "resultset":
            builder.finish(found.entity, builder.reach)
        builder.reach = max(reach, builder.reach)
        return found

    def array_join(self, node: Any, scope: Scope) -> None:
        """ClickHouse ARRAY JOIN: each element of an array under the array's name or an alias."""
        builder = self.builder
        identifier = node.args["alias"] if node.__class__ is exp.Alias else node.args["this"]
        out: list[Column] = []
        self.expressions.value(node.args["this"] if node.__class__ is exp.Alias else node, scope, out, {})
        found = Rowset(builder.resultset("function", self.names.span(identifier)))
        key = self.names.key(identifier)
        column = builder.column(found.entity, key, self.names.written(identifier), self.names.span(identifier))
        builder.relate("fdd", column, out, "function")
        found.outputs.append((key, column))
        found.element = column
        builder.finish(found.entity, builder.reach)
        scope.add(key, found)

    def _arguments(self, call: Any, scope: Scope, out: list[Column], impacts: Impacts) -> None:
        for name, child in call.args.items():
            if name in ("offset", "alias"):
                continue
            for item in child if child.__class__ is list else (child,):
                if isinstance(item, BASE) and item.__class__ not in (exp.TableAlias, exp.Schema):
                    self.expressions.value(item, scope, out, impacts)

    def _user_function(self, call: Any, qualifiers: list[Any]) -> Rowset:
        """A table function nobody knows, without column arguments: a table of its own."""
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
        if impacts:
            rows = builder.rows(entity)
            for clause, columns in impacts.items():
                builder.relate("fdr", rows, columns, "function", clause)
        return Rowset(entity)

    def _columns(self, node: Any, call: Any, alias: Any, found: Rowset, out: list[Column]) -> None:
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
        if not columns:
            if found.entity.kind == "resultset":
                found.feeds = out
            return
        for key, name, span in columns:
            column = builder.column(found.entity, key, name, span)
            builder.relate("fdd", column, out, "function")
            found.outputs.append((key, column))
        if isinstance(offset, BASE):
            column = builder.column(found.entity, self.names.key(offset), offset.name, self.names.span(offset))
            builder.relate("fdd", column, out, "function")
            found.outputs.append((self.names.key(offset), column))
        if found.entity.kind != "resultset":
            found.known = {key: name for key, name, _ in columns}
        elif call.__class__ in (exp.Unnest, exp.Explode) and not defined and len(columns) == 1:
            found.element = found.outputs[0][1]
            if alias is not None and alias.args.get("this") is not None:
                found.entity.alias = alias.args["this"].name

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
            elif kind is exp.JSONColumnDef:
                identifier = item.args.get("this")
                if isinstance(identifier, BASE):
                    found.append(
                        (self.names.key(identifier), self.names.written(identifier), self.names.span(identifier))
                    )
                if item.args.get("nested_schema") is not None:
                    stack.append(item.args["nested_schema"])
            elif kind in (exp.OpenJSONColumnDef, exp.ColumnDef):
                identifier = item.args["this"]
                found.append((self.names.key(identifier), self.names.written(identifier), self.names.span(identifier)))
        return found


def _call(node: Any) -> Any:
    """The call inside TABLE(…), LATERAL … and the like."""
    while node.__class__ in (exp.Lateral, exp.TableFromRows, exp.Table, exp.Subquery, exp.Dot, exp.Alias, exp.Paren):
        node = node.args["expression"] if node.__class__ is exp.Dot else node.args["this"]
    return node
