"""Reads the stars of select lists: expanded as far as the columns are known, and kept as stars beyond that."""

from __future__ import annotations

from typing import Any

from sqlglot import exp

from connector.analysis.builder import STAR, Builder, Impacts
from connector.analysis.column_patterns import excluded_keys
from connector.analysis.expressions import ExpressionReader
from connector.analysis.names import NameResolver
from connector.analysis.rowset import OpenStar, Rowset
from connector.analysis.scope import Scope
from connector.analysis.structs import struct_origins
from connector.model import Column, Entity, Span
from connector.sql.masked_names import DerivedName


class StarReader:
    """Turns stars into columns."""

    __slots__ = ("_has_value_tables", "_merged_first", "_numbers_duplicates", "builder", "expressions", "names")

    def __init__(self, builder: Builder, names: NameResolver, expressions: ExpressionReader) -> None:
        self.builder = builder
        self.names = names
        self.expressions = expressions
        self._has_value_tables = names.dialect.value_tables
        self._merged_first = not names.dialect.merged_in_place
        self._numbers_duplicates = names.dialect.numbers_duplicates

    def read(self, star: Any, table: Any, scope: Scope, result: Rowset, outer: Any = None) -> None:
        """`*` or `t.*` with EXCEPT, REPLACE and RENAME; `outer` is what stands before the name: ``t.struct.*``."""
        names = self.names
        args = star.args
        replaced: dict[str, Any] = {}
        for item in args.get("replace") or ():
            if item.__class__ is exp.Alias:
                replaced[names.key(item.args["alias"])] = item.args["this"]
        renamed: dict[str, Any] = {}
        for item in args.get("rename") or ():
            if item.__class__ is exp.Alias and item.args["this"].__class__ is exp.Column:
                renamed[names.key(item.args["this"].this)] = item.args["alias"]
        if table is None:
            sources = list(scope.sources.values())
        else:
            found = names.source_of(table, scope)
            if found is None or self._is_value(found, table):
                struct = exp.Column(this=table.copy(), table=outer.copy() if outer is not None else None)
                self.struct(star, struct, scope, result)
                return
            sources = [found]
        span = names.span(star)
        qualifier = names.span(table) if table is not None else None
        if span is not None and qualifier is not None:
            span = (span[0], qualifier[1], span[2])
        names.reach(star)
        merged_done: set[str] = set()
        for source in sources:
            excluded = excluded_keys(names, args.get("except_"), scope, source)
            if self._has_value_tables and source.element is not None and self._is_unnamed(source, scope):
                excluded |= self._fields_of(source.element, result, span)
            self._expand(
                source,
                scope,
                result,
                excluded,
                replaced,
                renamed,
                merged_done if table is None else None,
                span,
            )

    def _is_value(self, source: Rowset, name: Any) -> bool:
        """``UNNEST(t.items) AS x``: x is a value, and ``x.*`` are its fields."""
        if not self._has_value_tables or source.element is None:
            return False
        return source.entity.columns.get(self.names.key(name)) is source.element

    @staticmethod
    def _is_unnamed(source: Rowset, scope: Scope) -> bool:
        """``FROM UNNEST(t.items)``: nothing but the fields of its elements can be read."""
        return any(each is source and key.startswith("\0") for key, each in scope.sources.items())

    def _fields_of(self, element: Column, result: Rowset, span: Span | None) -> set[str]:
        """A star for the fields of an element, which nobody knows; the key of the element itself, which is none of them."""
        self.builder.direct(self._star_of(result, span), element, "select")
        return {key for key, column in element.entity.columns.items() if column is element}

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
        entries: list[tuple[str, str, Column | None]] = (
            [(key, column.name, column) for key, column in outputs]
            if outputs
            else [(key, name, None) for key, name in (source.known or {}).items()]
        )
        is_open = not source.closed
        shown = {key for key, _, _ in entries}
        given = {key: value for key, value in replaced.items() if is_open and key not in shown and key not in excluded}
        if merged_done is not None and scope.leading is not None and self._merged_first and not is_open:
            leading = [key for key in scope.leading.get(source, ()) if scope.merged and scope.merged[key][0].has(key)]
            entries = [*((key, self._merged_name(key, scope), None) for key in leading), *entries]
        if source.also:
            result.also = {**result.also, **source.also}
        for place, (key, name, output) in enumerate(entries):
            if place < source.last_star:
                result.last_star = len(result.outputs)
            if key == STAR:
                self._keep_star(source, result, excluded | frozenset(given), renamed, span)
            if key == STAR or key in excluded:
                continue
            if merged_done is not None and scope.merged is not None and key in scope.merged:
                if key in merged_done:
                    continue
                merged_done.add(key)
                froms = [each.column(builder, key, name, None) for each in scope.merged[key]]
            elif output is not None:
                froms = [output]
            else:
                froms = [source.column(builder, key, name, None)]
            impacts: Impacts = {}
            if key in replaced:
                froms = []
                self.expressions.value(replaced[key], scope, froms, impacts)
            new_key, new_name = key, name
            if key in renamed:
                new_key, new_name = names.key(renamed[key]), names.written(renamed[key])
            if self._numbers_duplicates and new_key in result.entity.columns:
                new_key, new_name = numbered(new_key, new_name, result.entity)
            column = builder.column(result.entity, new_key, new_name, span)
            builder.relate("fdd", column, froms, "select")
            for clause, impacting in impacts.items():
                builder.relate("fdr", column, impacting, "select", clause)
            result.outputs.append((new_key, column))
            if source.structs and key in source.structs and key not in replaced:
                result.structs = {**(result.structs or {}), new_key: source.structs[key]}
            if (
                self._has_value_tables
                and output is not None
                and output is source.element
                and all(each is source or each.closed for each in scope.sources.values())
            ):
                # The elements may be structs: then what no other source has is a field of theirs.
                result.element = column
        if is_open and STAR not in shown:
            self._keep_star(source, result, excluded | frozenset(given), renamed, span)
        for key, expression in given.items():
            self._replaced(key, expression, self._of(source, scope), result, span)

    def _replaced(self, key: str, expression: Any, scope: Scope, result: Rowset, span: Span | None) -> None:
        """``* REPLACE (a + 1 AS b)`` over columns that nobody knows: b is one of them, and made of a."""
        if any(shown == key for shown, _ in result.outputs):
            return
        builder = self.builder
        froms: list[Column] = []
        impacts: Impacts = {}
        self.expressions.value(expression, scope, froms, impacts)
        alias = expression.parent.args.get("alias") if expression.parent.__class__ is exp.Alias else None
        name = self.names.written(alias) if alias is not None else key
        column = builder.column(result.entity, key, name, span)
        builder.relate("fdd", column, froms, "select")
        for clause, impacting in impacts.items():
            builder.relate("fdr", column, impacting, "select", clause)
        result.outputs.append((key, column))

    @staticmethod
    def _of(source: Rowset, scope: Scope) -> Scope:
        """A scope in which unqualified names mean the columns of one source: in ``t.* REPLACE (…)`` those of t."""
        found = Scope(scope, scope)
        for key, each in scope.sources.items():
            if each is source:
                found.add(key, each)
        return found

    def _merged_name(self, key: str, scope: Scope) -> str:
        assert scope.merged is not None
        return scope.merged[key][0].column(self.builder, key, key, None).name

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
        builder.direct(self._star_of(result, span), inner, "select")

    def _star_of(self, result: Rowset, span: Span | None) -> Column:
        """The one column that stands for all those of a result that nobody knows."""
        star = result.entity.columns.get(STAR)
        if star is None:
            star = self.builder.column(result.entity, STAR, STAR, span)
            result.outputs.append((STAR, star))
        result.last_star = len(result.outputs)
        return star

    def struct(self, star: Any, value: Any, scope: Scope, result: Rowset) -> None:
        """`s.*` where s is a struct: its fields as far as they are known, else all of them, whatever they are."""
        origins = struct_origins(value, scope, self.expressions)
        builder = self.builder
        span = self.names.span(star)
        for key, name in origins.names() if origins is not None else [(STAR, STAR)]:
            out: list[Column] = []
            impacts: Impacts = {}
            if origins is not None:
                origins.add([(key, name)], out, impacts)
            else:
                self.expressions.value(value, scope, out, impacts)
            column = result.entity.columns.get(STAR) if key == STAR else None
            if column is None:
                column = builder.column(result.entity, key, name, span)
                result.outputs.append((key, column))
            if key == STAR:
                result.last_star = len(result.outputs)
                for item in star.args.get("replace") or ():
                    replaced = item.args["this"] if item.__class__ is exp.Alias else item
                    self.expressions.value(replaced, scope, out, impacts)
            builder.relate("fdd", column, out, "select")
            for clause, impacting in impacts.items():
                builder.relate("fdr", column, impacting, "select", clause)


def numbered(key: str, name: str, entity: Entity) -> tuple[str, str]:
    """A column whose name is taken, with the number that the engine puts after it."""
    count = 1
    while f"{key}_{count}" in entity.columns:
        count += 1
    numbered = f"{name}_{count}"
    return f"{key}_{count}", DerivedName(numbered, f"{name.masked}_{count}") if isinstance(
        name, DerivedName
    ) else numbered
