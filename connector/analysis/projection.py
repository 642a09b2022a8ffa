"""Reading a select list: one column of the result for each item, stars expanded as far as the columns are known."""

from __future__ import annotations

from typing import Any

from sqlglot import exp

from connector.analysis.builder import STAR, Builder, Impacts
from connector.analysis.column_patterns import (
    applied_functions,
    columns_node,
    excluded_keys,
    is_filtered_star,
    matching_columns,
    new_name,
)
from connector.analysis.expressions import ExpressionReader
from connector.analysis.labels import Labeller
from connector.analysis.names import ALIAS, NameResolver
from connector.analysis.nodes import KIND, NodeKind, children
from connector.analysis.rowset import OpenStar, Rowset
from connector.analysis.scope import Scope
from connector.analysis.set_returning import stacked_columns
from connector.analysis.structs import MadeStruct, struct_origins
from connector.model import Column, Entity, Span
from connector.sql.masked_names import DerivedName
from connector.sql.statement import Statement

_REGEX_SIGNS = (".*", ".+", "?+")
_HANDED_ON = (exp.Column, exp.Subquery)
"""Select items that give a column on as it is; of a subquery its own select list says what it computes."""

_COMMENTS = ("--", "/*", "//", "#")
"""What begins a comment in one dialect or another."""

Aliases = dict[str, tuple[Column | None, Any]]


class ProjectionReader:
    """Turns select items into columns."""

    __slots__ = (
        "_found_patterns",
        "_has_patterns",
        "_has_regex_names",
        "_labels",
        "_looked_at",
        "_merged_first",
        "_numbers_duplicates",
        "_spreads_structs",
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
        self._merged_first = not names.dialect.merged_in_place
        self._numbers_duplicates = names.dialect.numbers_duplicates
        """Whether the second column `a` of a result is called `a_1`."""
        self._labels = Labeller(expressions, names.dialect)

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
        entity = result.entity
        if spans:
            entity.span = (builder.script, spans[0][0], spans[-1][1])
        script = builder.script
        span: Span | None = None
        unnamed = 0
        has_patterns = self._has_patterns and self._may_hold_patterns()
        for place, item in enumerate(items):
            kind = item.__class__
            if has_patterns and self._patterns(item, scope, result):
                continue
            out: list[Column] = []
            impacts: Impacts | None = None
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
            elif kind is exp.Column:
                expression = item
                identifier = item.args["this"]
                if identifier.__class__ is exp.Star:
                    self._star(identifier, item.args["table"], scope, result, item.args.get("db"))
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
                self._star(item, None, scope, result)
                continue
            elif (kind in (exp.Aliases, exp.QueryTransform, exp.Tuple) and self._many(item, scope, result)) or (
                kind is exp.JSONExtract and item.args.get("emits") and self._many(_emitted(item), scope, result)
            ):
                continue
            elif kind is exp.Dot and item.args["expression"].__class__ is exp.Star:
                self._struct_star(item.args["expression"], item.args["this"], scope, result)
                continue
            else:
                expression = item
                text = self._without_comments(*spans[place]) if spans else item.sql(comments=False)
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
            if self._numbers_duplicates and key in entity.columns:
                key, name = _numbered(key, name, entity)
            if text is not None:
                masked = self._labels.masked(name, text)
                if masked is not None:
                    builder.masked[name] = masked
                    builder.masks = True
            column = builder.column(entity, key, name, span)
            if expression.__class__ in _HANDED_ON:
                if len(out) == 1:
                    builder.direct(column, out[0], "select")
                elif out:
                    builder.relate("fdd", column, out, "select")
            elif out:
                builder.compute(column, out, "select", _expression(span, item, builder.base))
            if impacts:
                for clause, impacting in impacts.items():
                    builder.relate("fdr", column, impacting, "select", clause)
            result.outputs.append((key, column))
            if expression.__class__ is exp.Struct:
                result.structs = result.structs or {}
                result.structs[key] = MadeStruct(expression, name, result, scope, self.expressions)
            if kind is exp.Explode and self._spreads_structs:
                # Of a list these are its elements; of a struct its fields become columns, and nobody knows their names.
                result.element = column
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

    # --- items that make several columns ------------------------------------------------------------------------

    def _many(self, item: Any, scope: Scope, result: Rowset) -> bool:
        """`f(x) AS (a, b)` and `TRANSFORM (…) USING … AS (a, b)`: every column is made from all that goes in."""
        if item.__class__ is exp.Tuple:
            return False
        if item.__class__ is exp.Aliases:
            identifiers = item.args.get("expressions") or []
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
                    key, name = _numbered(key, name, result.entity)
                target = builder.column(result.entity, key, name, None)
                result.outputs.append((key, target))
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

    # --- stars --------------------------------------------------------------------------------------------------

    def _star(self, star: Any, table: Any, scope: Scope, result: Rowset, outer: Any = None) -> None:
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
            if found is None:
                struct = exp.Column(this=table.copy(), table=outer.copy() if outer is not None else None)
                self._struct_star(star, struct, scope, result)
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
                source,
                scope,
                result,
                excluded_keys(names, args.get("except_"), scope, source),
                replaced,
                renamed,
                merged_done if table is None else None,
                span,
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
        entries: list[tuple[str, str, Column | None]] = (
            [(key, column.name, column) for key, column in outputs]
            if outputs
            else [(key, name, None) for key, name in (source.known or {}).items()]
        )
        is_open = not source.closed
        if merged_done is not None and scope.leading is not None and self._merged_first and not is_open:
            leading = [key for key in scope.leading.get(source, ()) if scope.merged and scope.merged[key][0].has(key)]
            entries = [*((key, self._merged_name(key, scope), None) for key in leading), *entries]
        if source.also:
            result.also = {**result.also, **source.also}
        for key, name, output in entries:
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
                new_key, new_name = _numbered(new_key, new_name, result.entity)
            column = builder.column(result.entity, new_key, new_name, span)
            builder.relate("fdd", column, froms, "select")
            for clause, impacting in impacts.items():
                builder.relate("fdr", column, impacting, "select", clause)
            result.outputs.append((new_key, column))
        if is_open:
            shown = {key for key, _, _ in entries}
            given = {key: value for key, value in replaced.items() if key not in shown and key not in excluded}
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
        star = result.entity.columns.get(STAR)
        if star is None:
            star = builder.column(result.entity, STAR, STAR, span)
            result.outputs.append((STAR, star))
        builder.direct(star, inner, "select")

    def _struct_star(self, star: Any, value: Any, scope: Scope, result: Rowset) -> None:
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
                for item in star.args.get("replace") or ():
                    self.expressions.value(item.args["this"], scope, out, impacts)
            builder.relate("fdd", column, out, "select")
            for clause, impacting in impacts.items():
                builder.relate("fdr", column, impacting, "select", clause)


def _expression(span: Span | None, item: Any, base: int) -> Span | None:
    """Where the expression of a select item stands: up to its alias, or behind it in ``alias = expression``."""
    if span is None or item.__class__ is not exp.Alias:
        return span
    meta = item.args["alias"]._meta
    if not meta or "start" not in meta:
        return span
    script, start, end = span
    alias = meta["start"] + base
    return (script, start, alias) if alias > start else (script, meta["end"] + 1 + base, end)


def _numbered(key: str, name: str, entity: Entity) -> tuple[str, str]:
    """A column whose name is taken, with the number that the engine puts behind it."""
    count = 1
    while f"{key}_{count}" in entity.columns:
        count += 1
    numbered = f"{name}_{count}"
    return f"{key}_{count}", DerivedName(numbered, f"{name.masked}_{count}") if isinstance(
        name, DerivedName
    ) else numbered


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
    names = [column.args["this"].copy() for column in item.args["emits"].args["expressions"]]
    values = [value.copy() for value in item.args.get("expressions") or ()]
    return exp.Aliases(this=exp.Anonymous(this="JSON_EXTRACT", expressions=values), expressions=names)
