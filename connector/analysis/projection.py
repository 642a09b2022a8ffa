"""Reading a select list: one column of the result for each item, stars expanded as far as the columns are known."""

from __future__ import annotations

from typing import Any

from sqlglot import exp

from connector.analysis.builder import STAR, Builder
from connector.analysis.expressions import ExpressionReader, Impacts
from connector.analysis.names import ALIAS, NameResolver
from connector.analysis.nodes import BASE, KIND, NodeKind
from connector.analysis.rowset import OpenStar, Rowset
from connector.analysis.scope import Scope
from connector.model import Column, Span

__all__ = ["ProjectionReader"]

Aliases = dict[str, tuple[Column | None, Any]]


class ProjectionReader:
    """Turns select items into columns."""

    __slots__ = ("_names_postfix_casts", "builder", "expressions", "names")

    def __init__(self, builder: Builder, names: NameResolver, expressions: ExpressionReader) -> None:
        self.builder = builder
        self.names = names
        self.expressions = expressions
        self._names_postfix_casts = names.dialect.family in ("ansi", "plpgsql")

    def read(self, items: list[Any], scope: Scope, result: Rowset) -> None:
        """Adds the columns to the result, and their aliases to the scope: later items and clauses may use them."""
        spans = self._spans(items)
        aliases: Aliases = dict(scope.aliases or {})
        builder = self.builder
        names = self.names
        entity = result.entity
        if spans:
            entity.span = (builder.script, spans[0][0], spans[-1][1])
        script = builder.script
        span: Span | None = None
        for place, item in enumerate(items):
            kind = item.__class__
            out: list[Column] = []
            impacts: Impacts | None = None
            if kind is exp.Alias:
                identifier = item.args["alias"]
                expression = item.args["this"]
                key, name = names.label(identifier)
            elif kind is exp.Column:
                expression = item
                identifier = item.args["this"]
                if identifier.__class__ is exp.Star:
                    self._star(identifier, item.args["table"], scope, result)
                    continue
                name = identifier.args.get("this")
                if name.__class__ is str and not identifier.args.get("quoted"):
                    key = names.fold_plain(name)
                else:
                    key, name = names.label(identifier)
                if identifier.__class__ is exp.Parameter:
                    name = f"${name}"
            elif kind is exp.Star:
                self._star(item, None, scope, result)
                continue
            elif kind in (exp.Aliases, exp.QueryTransform, exp.Tuple) and self._many(item, scope, result):
                continue
            else:
                expression = item
                name = self._text(item, spans[place] if spans else None)
                key = names.key_of(name)
            if expression.__class__ is exp.Column:
                if names.column(expression, scope, out) is ALIAS:
                    impacts = {}
                    self.expressions.value(expression, scope, out, impacts)
            else:
                impacts = {}
                self.expressions.value(expression, scope, out, impacts)
            if spans:
                start, end = spans[place]
                span = (script, start, end)
            column = builder.column(entity, key, name, span)
            if len(out) == 1:
                builder.direct(column, out[0], "select")
            elif out:
                builder.relate("fdd", column, out, "select")
            if impacts:
                for clause, impacting in impacts.items():
                    builder.relate("fdr", column, impacting, "select", clause)
            result.outputs.append((key, column))
            if kind is exp.Alias and not (
                expression.__class__ is exp.Column and expression.name.lower() == identifier.name.lower()
            ):
                # `a AS a` is an alias that means nothing new.
                aliases[key] = (column, expression)
                scope.aliases = aliases

    # --- names and places ---------------------------------------------------------------------------------------

    def _spans(self, items: list[Any]) -> list[tuple[int, int]] | None:
        """The places of the items in the script; None when the text cannot be told apart."""
        index = self.expressions.statement.index
        base = self.builder.base
        for item in items:
            offset = _own_offset(item)
            if offset >= 0:
                found = index.select_items(offset)
                break
        else:
            for item in items:
                offset = _any_offset(item)
                if offset >= 0:
                    found = index.enclosing_items(offset)
                    break
            else:
                return None
        if len(found) != len(items):
            return None
        return [(start + base, end + base) for start, end in found] if base else found

    def _text(self, item: Any, span: tuple[int, int] | None) -> str:
        """An expression without an alias is named by its text as written; `x::type` keeps the name of x."""
        if item.__class__ is exp.Cast and item.args["this"].__class__ is exp.Column and self._names_postfix_casts:
            identifier = item.args["this"].args["this"]
            meta = identifier._meta
            if (
                meta
                and span is not None
                and self.builder.script.text.startswith("::", meta["end"] + 1 + self.builder.base)
            ):
                return self.names.written(identifier)
        if span is not None:
            return self.builder.script.text[span[0] : span[1]]
        return str(item.sql())

    # --- items that make several columns ------------------------------------------------------------------------

    def _many(self, item: Any, scope: Scope, result: Rowset) -> bool:
        """`f(x) AS (a, b)` and `TRANSFORM (…) USING … AS (a, b)`: every column is made from all that goes in."""
        if item.__class__ is exp.Tuple:
            return False
        if item.__class__ is exp.Aliases:
            identifiers = item.args.get("expressions") or []
            inputs = [item.args["this"]]
        else:
            schema = item.args.get("schema")
            definitions = schema.args.get("expressions") or [] if schema is not None else []
            identifiers = [entry.args["this"] if entry.__class__ is exp.ColumnDef else entry for entry in definitions]
            inputs = item.args.get("expressions") or []
        out: list[Column] = []
        impacts: Impacts = {}
        for expression in inputs:
            self.expressions.value(expression, scope, out, impacts)
        if not identifiers:
            return False
        for identifier in identifiers:
            key = self.names.key(identifier)
            column = self.builder.column(
                result.entity, key, self.names.written(identifier), self.names.span(identifier)
            )
            self.builder.relate("fdd", column, out, "select")
            result.outputs.append((key, column))
        return True

    # --- stars --------------------------------------------------------------------------------------------------

    def _star(self, star: Any, table: Any, scope: Scope, result: Rowset) -> None:
        """`*` or `t.*` with EXCEPT, REPLACE and RENAME."""
        names = self.names
        args = star.args
        excluded = frozenset(_keys(names, args.get("except_")))
        replaced: dict[str, Any] = {}
        for item in args.get("replace") or ():
            if item.__class__ is exp.Alias:
                replaced[names.key(item.args["alias"])] = item.args["this"]
        renamed: dict[str, Any] = {}
        for item in args.get("rename") or ():
            if item.__class__ is exp.Alias:
                renamed[names.key(item.args["this"].this)] = item.args["alias"]
        if table is None:
            sources = list(scope.sources.values())
        else:
            found = names.source_of(table, scope)
            if found is None:
                self._struct_star(star, table, scope, result)
                return
            sources = [found]
        span = names.span(star)
        qualifier = names.span(table) if table is not None else None
        if span is not None and qualifier is not None:
            span = (span[0], qualifier[1], span[2])
        names.reach(star)
        merged_done: set[str] = set()
        for source in sources:
            self._expand(
                source, scope, result, excluded, replaced, renamed, merged_done if table is None else None, span
            )

    def _expand(
        self,
        source: Rowset,
        scope: Scope,
        result: Rowset,
        excluded: frozenset[str],
        replaced: dict[str, Any],
        renamed: dict[str, Any],
        merged_done: set[str] | None,
        span: Span | None,
    ) -> None:
        builder = self.builder
        names = self.names
        outputs = source.outputs if source.entity.kind == "resultset" else []
        entries: list[tuple[str, str]] = (
            [(key, column.name) for key, column in outputs] if outputs else list((source.known or {}).items())
        )
        is_open = not source.closed
        for key, name in entries:
            if key == STAR or key in excluded:
                continue
            if merged_done is not None and scope.merged is not None and key in scope.merged:
                if key in merged_done:
                    continue
                merged_done.add(key)
                froms = [each.column(builder, key, name, None) for each in scope.merged[key]]
            elif outputs:
                froms = [column for other, column in outputs if other == key][:1]
            else:
                froms = [source.column(builder, key, name, None)]
            impacts: Impacts = {}
            if key in replaced:
                froms = []
                self.expressions.value(replaced[key], scope, froms, impacts)
            new_key, new_name = key, name
            if key in renamed:
                new_key, new_name = names.key(renamed[key]), names.written(renamed[key])
            column = builder.column(result.entity, new_key, new_name, span)
            builder.relate("fdd", column, froms, "select")
            for clause, impacting in impacts.items():
                builder.relate("fdr", column, impacting, "select", clause)
            result.outputs.append((new_key, column))
        if is_open:
            self._keep_star(source, result, excluded, renamed, span)

    def _keep_star(
        self, source: Rowset, result: Rowset, excluded: frozenset[str], renamed: dict[str, Any], span: Span | None
    ) -> None:
        """A star over columns nobody knows stays a star, and later names are looked up through it."""
        builder = self.builder
        back = {self.names.key(identifier): key for key, identifier in renamed.items()}
        result.stars.append(OpenStar(source, excluded | frozenset(renamed), back))
        if source.element is not None or (source.feeds is not None and source.entity.kind == "resultset"):
            inner = source.element or source.column(builder, STAR, STAR, span)
        else:
            inner = source.column(builder, STAR, STAR, span)
        star = result.entity.columns.get(STAR)
        if star is None:
            star = builder.column(result.entity, STAR, STAR, span)
            result.outputs.append((STAR, star))
        builder.direct(star, inner, "select")

    def _struct_star(self, star: Any, table: Any, scope: Scope, result: Rowset) -> None:
        """`s.*` where s is a struct column: all its fields, whatever they are."""
        out: list[Column] = []
        self.names.column(exp.Column(this=table), scope, out)
        column = result.entity.columns.get(STAR)
        if column is None:
            column = self.builder.column(result.entity, STAR, STAR, self.names.span(star))
            result.outputs.append((STAR, column))
        self.builder.relate("fdd", column, out, "select")


def _keys(names: NameResolver, items: Any) -> list[str]:
    if items is None:
        return []
    if not isinstance(items, list):
        items = [items]
    found = []
    for item in items:
        identifier = item.args["this"] if item.__class__ is exp.Column else item
        found.append(names.key(identifier))
    return found


def _own_offset(node: Any) -> int:
    """An offset inside a select item that does not lie in a query of its own."""
    if node.__class__ is exp.Alias or node.__class__ is exp.Column:
        meta = node.args["alias" if node.__class__ is exp.Alias else "this"]._meta
        if meta and "start" in meta:
            return int(meta["start"])
    stack = [node]
    while stack:
        item = stack.pop()
        if item._meta and "start" in item._meta:
            return int(item._meta["start"])
        if KIND[item.__class__] == NodeKind.QUERY:
            continue
        for child in item.args.values():
            if child.__class__ is list:
                stack.extend(entry for entry in child if isinstance(entry, BASE))
            elif isinstance(child, BASE):
                stack.append(child)
    return -1


def _any_offset(node: Any) -> int:
    """An offset in the outermost select list of the first query below a node."""
    for found in node.find_all(exp.Select):
        for item in found.args.get("expressions") or ():
            offset = _own_offset(item)
            if offset >= 0:
                return offset
        break
    return -1
