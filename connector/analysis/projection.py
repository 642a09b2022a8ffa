"""Reads a select list: one column of the result for each item, with stars expanded as far as the columns are known."""

from __future__ import annotations

from typing import Any

from sqlglot import exp

from connector.analysis.builder import STAR, Builder, Impacts
from connector.analysis.column_patterns import (
    applied_functions,
    columns_node,
    is_filtered_star,
    matching_columns,
    new_name,
)
from connector.analysis.expressions import ExpressionReader
from connector.analysis.labels import Labeller
from connector.analysis.made_structs import MadeStruct
from connector.analysis.names import ALIAS, NameResolver
from connector.analysis.nodes import KIND, NodeKind, children
from connector.analysis.rowset import Rowset, Struct
from connector.analysis.scope import Scope
from connector.analysis.set_returning import stacked_columns
from connector.analysis.stars import StarReader, numbered
from connector.analysis.structs import STRUCT_MAKERS, makes_struct
from connector.analysis.written_lists import LIST_MAKERS, written_items
from connector.model import Column, Span
from connector.sql.statement import Statement

_REGEX_SIGNS = (".*", ".+", "?+")
_COMMENTS = ("--", "/*", "//", "#")
"""What begins a comment in one dialect or another."""

Aliases = dict[str, tuple[Column | None, Any]]


class ProjectionReader:
    """Turns select items into columns."""

    __slots__ = (
        "_aliases_win",
        "_found_patterns",
        "_has_patterns",
        "_has_regex_names",
        "_labels",
        "_looked_at",
        "_numbers_duplicates",
        "_spreads_structs",
        "_stars",
        "builder",
        "expressions",
        "names",
    )

    def __init__(self, builder: Builder, names: NameResolver, expressions: ExpressionReader) -> None:
        self.builder = builder
        self.names = names
        self.expressions = expressions
        self._has_patterns = names.dialect.column_patterns
        self._looked_at: Statement | None = None
        self._found_patterns = False
        self._has_regex_names = names.dialect.regex_columns
        self._spreads_structs = names.dialect.spreads_structs
        self._aliases_win = names.dialect.aliases_anywhere
        self._numbers_duplicates = names.dialect.numbers_duplicates
        """Whether the second column `a` of a result is called `a_1`."""
        self._labels = Labeller(expressions, names.dialect)
        self._stars: StarReader | None = None

    @property
    def _star_reader(self) -> StarReader:
        """Made for the first star: most statements name everything they select."""
        found = self._stars
        if found is None:
            found = self._stars = StarReader(self.builder, self.names, self.expressions)
        return found

    def _without_comments(self, start: int, end: int) -> str:
        """The text of an item as an engine sees it: a comment is white space, and no part of a name."""
        text = self.builder.script.text[start:end]
        if not [sign for sign in _COMMENTS if sign in text]:
            return text
        base, index = self.builder.base, self.expressions.statement.index
        first, last = index.at(start - base), index.at(end - 1 - base)
        if first < 0 or last < 0:
            return text
        tokens = index.tokens[first : last + 1]
        whole = self.builder.script.text
        parts: list[str] = []
        behind = start
        for token in tokens:
            gap = whole[behind : token.start + base]
            parts.append(gap if not gap.strip() else " ")
            behind = token.end + 1 + base
            parts.append(whole[token.start + base : behind])
        return "".join(parts)

    def read(self, items: list[Any], scope: Scope, result: Rowset) -> None:
        """Adds the columns to the result, and their aliases to the scope: later items and clauses may use them."""
        spans = self._spans(items)
        aliases: Aliases = dict(scope.aliases or {})
        builder = self.builder
        names = self.names
        value = self.expressions.value
        entity = result.entity
        outputs = result.outputs
        script = builder.script
        if spans:
            entity.span = (script, spans[0][0], spans[-1][1])
        span: Span | None = None
        unnamed = 0
        has_patterns = self._has_patterns and self._may_hold_patterns()
        has_structs = any(source.structs for source in scope.sources.values())
        for place, item in enumerate(items):
            kind = item.__class__
            if has_patterns and self._patterns(item, scope, result):
                continue
            out: list[Column] = []
            impacts: Impacts | None
            text = None
            if kind is exp.Alias:
                identifier = item.args["alias"]
                expression = item.args["this"]
                if expression.__class__ is exp.QueryTransform:
                    # TRANSFORM (…) USING … AS a, b, c: where only names follow, they are the other names.
                    following = [each.args["this"] for each in items[place + 1 :] if each.__class__ is exp.Column]
                    are_names = len(following) == len(items) - place - 1
                    self._transformed(
                        expression, [identifier, *following] if are_names else [identifier], scope, result
                    )
                    if are_names:
                        break
                    continue
                key, name = names.label(identifier)
                if self._aliases_win and key in aliases:
                    # In its own expression the name means the column.
                    scope.aliases = {each: entry for each, entry in aliases.items() if each != key}
            elif kind is exp.Column:
                expression = item
                identifier = item.args["this"]
                if identifier.__class__ is exp.Star:
                    self._star_reader.read(identifier, item.args["table"], scope, result, item.args.get("db"))
                    continue
                name = identifier.args.get("this")
                if name.__class__ is str and not identifier.args.get("quoted"):
                    name = name or (script.text[slice(*spans[place])] if spans else '""')
                    key = names.fold_plain(name)
                elif self._has_regex_names and self._named_by_regex(item, scope, result):
                    continue
                else:
                    key, name = names.label(identifier)
                if identifier.__class__ is exp.Parameter:
                    name = f"${name}"
            elif kind is exp.Star:
                self._star_reader.read(item, None, scope, result)
                continue
            elif (kind in (exp.Aliases, exp.QueryTransform, exp.Tuple) and self._many(item, scope, result)) or (
                kind is exp.JSONExtract and item.args.get("emits") and self._many(_emitted(item), scope, result)
            ):
                continue
            elif kind is exp.Dot and item.args["expression"].__class__ is exp.Star:
                self._star_reader.struct(item.args["expression"], item.args["this"], scope, result)
                continue
            elif kind is exp.PositionalColumn and (numbered_column := names.numbered(item, scope)) is not None:
                expression = item
                key, name = names.key_of(numbered_column.name), numbered_column.name
            else:
                expression = item
                text = self._without_comments(*spans[place]) if spans else item.sql(comments=False) or item.key
                generated = self._labels.generated(item)
                if generated is not None:
                    self._generated(generated, item, spans[place] if spans else None, scope, result)
                    continue
                label = self._labels.label(item, place, len(result.outputs), unnamed, text)
                if label.__class__ is str:
                    unnamed += 1
                    name = label
                    key = names.key_of(name)
                else:
                    text = None
                    key, name = names.label(label)
            is_column = expression.__class__ is exp.Column
            struct: Struct | None = None
            if is_column and names.column(expression, scope, out) is not ALIAS:
                impacts = None
                if len(out) > 1 and names.row_of(expression, scope) is not None:
                    # A whole row: its columns are the fields of one value.
                    struct = MadeStruct(expression, name, result, scope, self.expressions)
                elif has_structs:
                    # Handed on, fields and all.
                    struct = names.struct_of(expression, scope)
            elif (expression.__class__ in STRUCT_MAKERS and makes_struct(expression, names, scope)) or (
                expression.__class__ in LIST_MAKERS and written_items(expression) is not None
            ):
                impacts = {}
                made = struct = MadeStruct(expression, name, result, scope, self.expressions)
                made.read(out, impacts)
            else:
                impacts = {}
                value(expression, scope, out, impacts)
            if spans:
                start, end = spans[place]
                span = (script, start, end)
            if self._numbers_duplicates and key in entity.columns:
                key, name = numbered(key, name, entity)
            if text is not None:
                masked = self._labels.masked(name, text, spans[place] if spans else None)
                if masked is not None:
                    builder.masked[name] = masked
                    builder.masks = True
            column = builder.column(entity, key, name, span)
            outputs.append((key, column))
            if is_column or expression.__class__ is exp.Subquery:
                # Handed on as it is; of a subquery its own select list says what it computes.
                if len(out) == 1:
                    builder.direct(column, out[0], "select")
                elif out:
                    builder.relate("fdd", column, out, "select")
            else:
                if out:
                    builder.compute(column, out, "select", _expression(span, item, builder.base))
                if kind is exp.Explode and self._spreads_structs:
                    # Of a list these are its elements; of a struct its fields become columns, and nobody knows their names.
                    result.element = column
            if struct is not None:
                result.structs = result.structs or {}
                result.structs[key] = struct
            if impacts:
                for clause, impacting in impacts.items():
                    builder.relate("fdr", column, impacting, "select", clause)
            if kind is exp.Alias and not (is_column and _name(expression.args["this"]) == _name(identifier)):
                # `a AS a` is an alias that means nothing new.
                aliases[key] = (column, expression)
                scope.aliases = aliases
            elif self._aliases_win and kind is exp.Alias:
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

    # --- items that make several columns ------------------------------------------------------------------------

    def _many(self, item: Any, scope: Scope, result: Rowset) -> bool:
        """`f(x) AS (a, b)` and `TRANSFORM (…) USING … AS (a, b)`: every column is made from all that goes in."""
        if item.__class__ is exp.Tuple:
            return False
        if item.__class__ is exp.Aliases:
            identifiers = [each for each in item.args.get("expressions") or () if each.name]
            stacked = stacked_columns(item.args["this"])
            if len(stacked) == len(identifiers):
                for identifier, values in zip(identifiers, stacked, strict=True):
                    self._made([identifier], values, scope, result)
            else:
                self._made(identifiers, [item.args["this"]], scope, result)
            return bool(identifiers)
        schema = item.args.get("schema")
        definitions = schema.args.get("expressions") or [] if schema is not None else []
        self._transformed(
            item,
            [entry.args["this"] if entry.__class__ is exp.ColumnDef else entry for entry in definitions],
            scope,
            result,
        )
        return True

    def _transformed(self, item: Any, identifiers: list[Any], scope: Scope, result: Rowset) -> None:
        """What a script makes of rows; without names it is a key and a value."""
        named = [identifier for identifier in identifiers if identifier.name]
        self._made(
            named or [exp.to_identifier("key"), exp.to_identifier("value")],
            item.args.get("expressions") or [],
            scope,
            result,
        )

    def _made(self, identifiers: list[Any], inputs: list[Any], scope: Scope, result: Rowset) -> None:
        out: list[Column] = []
        impacts: Impacts = {}
        for expression in inputs:
            if expression.__class__ is exp.Star:
                for source in scope.sources.values():
                    out.extend(self.names.whole_row(source))
            else:
                self.expressions.value(expression, scope, out, impacts)
        for identifier in identifiers:
            key = self.names.key(identifier)
            column = self.builder.column(
                result.entity, key, self.names.written(identifier), self.names.span(identifier)
            )
            self.builder.relate("fdd", column, out, "select")
            result.outputs.append((key, column))

    def _named_by_regex(self, item: Any, scope: Scope, result: Rowset) -> bool:
        """Hive and Spark, where it is switched on: ``SELECT `(ds|hr)?+.+` ``, all columns whose whole name fits."""
        name = item.name
        if item.args.get("table") is not None or not any(sign in name for sign in _REGEX_SIGNS):
            return False
        key = self.names.key(item.args["this"])
        if any(source.has(key) for source in scope.sources.values()):
            return False
        return self._patterns(exp.Columns(this=exp.Literal.string(f"^(?:{name})$")), scope, result)

    def _patterns(self, item: Any, scope: Scope, result: Rowset) -> bool:
        """Items that stand for several columns, chosen by a pattern: each is read for every column by itself."""
        bare = item.args["this"] if item.__class__ is exp.Alias else item
        expression, pattern = applied_functions(bare)
        if is_filtered_star(expression) or (expression.__class__ is exp.Star and expression.args.get("ilike")):
            node = exp.Columns(this=expression.copy()) if expression.__class__ is exp.Star else expression
            repeated = False
        else:
            node = columns_node(expression)
            repeated = node is not expression
            if node is None:
                return False
        builder = self.builder
        for key, name, column in matching_columns(node, scope, self.names):
            out = [column]
            impacts: Impacts = {}
            if repeated:
                out = []
                self.expressions.chosen = column
                self.expressions.value(expression, scope, out, impacts)
                self.expressions.chosen = None
            if item is not bare and key != STAR:
                name = new_name(node, item.alias, name)
                key = self.names.key_of(name)
            elif pattern and key != STAR:
                name = pattern.format(name)
                key = self.names.key_of(name)
            target = result.entity.columns.get(STAR) if key == STAR else None
            if target is None:
                if self._numbers_duplicates and key in result.entity.columns:
                    key, name = numbered(key, name, result.entity)
                target = builder.column(result.entity, key, name, None)
                result.outputs.append((key, target))
            if key == STAR:
                result.last_star = len(result.outputs)
            builder.relate("fdd", target, out, "select")
            for clause, impacting in impacts.items():
                builder.relate("fdr", target, impacting, "select", clause)
        return True

    def _generated(
        self, labels: list[str], item: Any, place: tuple[int, int] | None, scope: Scope, result: Rowset
    ) -> None:
        """A function that makes rows of several columns, without names for them."""
        out: list[Column] = []
        impacts: Impacts = {}
        self.expressions.value(item, scope, out, impacts)
        span = (self.builder.script, *place) if place is not None else None
        for label in labels:
            column = self.builder.column(result.entity, label, label, span)
            self.builder.relate("fdd", column, out, "select")
            for clause, impacting in impacts.items():
                self.builder.relate("fdr", column, impacting, "select", clause)
            result.outputs.append((label, column))

    def _may_hold_patterns(self) -> bool:
        """Looking into every select item costs more than looking once at the text of the statement."""
        statement = self.expressions.statement
        if self._looked_at is not statement:
            self._looked_at = statement
            lower = statement.text.lower()
            words = ("columns", " like", "ilike", "glob", "similar", "apply")
            self._found_patterns = any(word in lower for word in words)
        return self._found_patterns


def _name(identifier: Any) -> str:
    name = identifier.args.get("this")
    return str(name if name.__class__ is str else identifier.name).lower()


def _expression(span: Span | None, item: Any, base: int) -> Span | None:
    """Where the expression of a select item stands: up to its alias, or after it in ``alias = expression``."""
    if span is None or item.__class__ is not exp.Alias:
        return span
    meta = item.args["alias"]._meta
    if not meta or "start" not in meta:
        return span
    script, start, end = span
    alias = meta["start"] + base
    return (script, start, alias) if alias > start else (script, meta["end"] + 1 + base, end)


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
        stack += children(item)
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


def _emitted(item: Any) -> Any:
    """Exasol: ``JSON_EXTRACT(a, '$.b') EMITS (x INT)`` names the columns that it gives."""
    names = [column.args["this"].copy() for column in item.args["emits"].args["expressions"] if column.name]
    values = [value.copy() for value in item.args.get("expressions") or ()]
    return exp.Aliases(this=exp.Anonymous(this="JSON_EXTRACT", expressions=values), expressions=names)
