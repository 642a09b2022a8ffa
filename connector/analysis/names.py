"""Resolves column references to columns of the model."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from sqlglot import exp

from connector.analysis.builder import STAR, Builder
from connector.analysis.catalog import Catalog
from connector.analysis.methods import PROPERTIES
from connector.analysis.nameless import NAMELESS
from connector.analysis.rowset import Path, Rowset, Struct
from connector.analysis.scope import Scope
from connector.analysis.variable_names import VariableNames
from connector.model import Column, Script, Span
from connector.naming import unquote
from connector.options import Options
from connector.sql.dialects import SqlDialect
from connector.sql.placeholders import OPENINGS
from connector.sql.pseudo_columns import QUOTABLE, row_columns, value_words

_SEQUENCE_FIELDS = frozenset({"nextval", "currval", "previousvalue", "nextvalue"})

ALIAS = object()
"""Answer of the resolver: the name is an alias of the select list, whose expression is to be read instead."""


_LISTING = frozenset({"table", "view", "select_list", "select_union", "with_cte"})
"""Types of entities whose columns are listed somewhere; those of functions and unnested values are not."""


class NameResolver(VariableNames):
    """Looks names up in scopes, by the rules of one dialect."""

    __slots__ = ("_aliases_win", "_row_columns", "_structs", "_words", "catalog", "options", "row_function")

    def __init__(self, builder: Builder, catalog: Catalog, dialect: SqlDialect, options: Options) -> None:
        super().__init__(builder, dialect)
        self.catalog = catalog
        self.options = options
        self._structs = dialect.struct_columns
        self._aliases_win = dialect.aliases_anywhere
        self._words = value_words(dialect)
        self._row_columns = row_columns(dialect)
        self.row_function: Callable[[Any, Any, Scope, list[Column]], bool] | None = None
        """Reads ``t.f`` as the function f of the row t, in dialects where it may be one; whether it is."""

    def column(self, node: Any, scope: Scope, out: list[Column]) -> Any:
        """Adds the column that a reference means to `out`.

        Returns ALIAS (after adding nothing) when the name is an alias in the select list of `scope`.
        """
        args = node.args
        identifier = args["this"]
        inner = identifier.args
        name = inner.get("this")
        if name.__class__ is not str:
            if identifier.__class__ is exp.Star:
                return self._star_reference(args, scope, out)
            name = identifier.name
            if identifier.__class__ is exp.Parameter and name.isdecimal():
                return self._at_position(args, scope, int(name), out)
        quoted = inner.get("quoted")
        if not name and not quoted:
            return None
        key = self._fold(name, True) if quoted else self.fold_plain(name)
        builder = self.builder
        if builder.script.__class__ is not Script and key[: len(NAMELESS)].lower() == NAMELESS:
            # Part of dynamic SQL: which column it is only the run knows.
            return None
        table = args.get("table")
        span: Span | None = None
        meta = identifier._meta
        if meta:
            base, script = builder.base, builder.script
            start = meta["start"] + base
            end = meta["end"] + 1 + base
            if end > builder.reach:
                builder.reach = end
            if quoted:
                name = script.text[start:end]
            if table is not None:
                first = table if len(args) == 2 else args.get("catalog") or args.get("db") or table
                first_meta = first._meta
                if first_meta and first_meta["start"] + base < start:
                    # In text that was rewritten, a qualifier may come from after its name.
                    start = first_meta["start"] + base
            span = (script, start, end)
        if table is None:
            # Most names come back in the same query: GROUP BY repeats the select list, conditions repeat each other.
            source = scope.found.get(key)
            if (
                source is None
                or scope.found_among != len(scope.sources)
                or (scope.aliases is not None and key in scope.aliases)
                or self.variables
                or self.bindings
            ):
                return self._unqualified(scope, key, name, span, out, quoted)
        else:
            qualifier = table.args
            table_name = qualifier.get("this")
            if table_name.__class__ is not str or (len(args) > 2 and args.get("db") is not None):
                return self._qualified(args, scope, key, name, span, out)
            source = scope.sources.get(
                self._fold(table_name, True) if qualifier.get("quoted") else self.fold_plain(table_name)
            )
            if source is None:
                return self._qualified(args, scope, key, name, span, out)
        found = source.entity.columns.get(key)
        if found is None:
            if (source.known is not None or source.entity.kind == "resultset") and not source.may_have(key):
                if table is not None and self._is_own_field(table, scope, key, name, out):
                    return None
                if table is not None and self.row_function and self.row_function(table, identifier, scope, out):
                    return None
                self._missing(name, span, {table_name: source} if table is not None else scope.sources)
            found = source.column(builder, key, name, span)
        elif span is not None:
            found.note(span)
        out.append(found)
        return None

    def source_of(self, qualifier: Any, scope: Scope) -> Rowset | None:
        """The rowset that a qualifier means."""
        return self._source(scope, [self.key(qualifier)])

    def row_of(self, node: Any, scope: Scope) -> Rowset | None:
        """The rowset that a bare name means, where it means a whole row and no column."""
        args = node.args
        identifier = args["this"]
        if identifier.__class__ is exp.Star:
            return self.source_of(args["table"], scope) if args.get("table") is not None else None
        if args.get("table") is not None or identifier.__class__ is not exp.Identifier:
            return None
        key = self.key(identifier)
        level: Scope | None = scope
        while level is not None:
            found = level.sources.get(key)
            if found is not None and found.element is None:
                return None if any(source.has(key) for source in level.sources.values()) else found
            level = level.parent
        return None

    def fields_of_type(self, datatype: Any) -> dict[str, str]:
        """Key and name of the fields of a row type, written out or defined by the script; {} of any other type."""
        args = datatype.args
        kind = args.get("kind")
        if isinstance(kind, exp.Expression):
            parts = tuple((part.name, bool(part.args.get("quoted"))) for part in kind.find_all(exp.Identifier))
            return self.catalog.row_type(parts) or {}
        if kind.__class__ is str and kind:
            return self.catalog.row_type(((kind, False),)) or {}
        labels = [item.args["this"] for item in args.get("expressions") or () if item.__class__ is exp.ColumnDef]
        return {self.key(label): self.written(label) for label in labels}

    def struct_of(self, node: Any, scope: Scope) -> Struct | None:
        """The struct that a subquery makes and a column means; None where it means anything else."""
        identifier, table = node.args["this"], node.args.get("table")
        if identifier.__class__ is not exp.Identifier or node.args.get("db") is not None:
            return None
        key = self.key(identifier)
        if table is not None:
            source = self._source(scope, [self.key(table)])
            return source.structs.get(key) if source is not None and source.structs else None
        level: Scope | None = scope
        while level is not None:
            found = [source for source in level.sources.values() if source.may_have(key)]
            if found:
                structs = found[0].structs
                return structs.get(key) if len(found) == 1 and structs else None
            level = level.parent
        return None

    def _is_own_field(self, qualifier: Any, scope: Scope, key: str, name: str, out: list[Column]) -> bool:
        """`a.b` where the table `a` has no `b`, but a column `a` is there, which may be a struct."""
        outer = self.key(qualifier)
        if not self._structs or not any(source.has(outer) for source in scope.sources.values()):
            return False
        column = exp.Column(this=qualifier.copy())
        struct = self.struct_of(column, scope)
        field = struct.field([(key, name)]) if struct is not None else None
        if field is not None:
            out.append(field)
            return True
        return self.column(column, scope, out) is None

    # --- unqualified --------------------------------------------------------------------------------------------

    def _unqualified(
        self, scope: Scope, key: str, name: str, span: Span | None, out: list[Column], quoted: bool
    ) -> Any:
        builder = self.builder
        if (self.variables or self.bindings) and self.is_variable(scope, key, name, span, out):
            return None
        if scope.found_among != len(scope.sources):
            scope.found.clear()
            scope.found_among = len(scope.sources)
        if self._structs and key in scope.sources:
            row = scope.sources[key]
            if row.element is None and not row.has(key) and key not in row.entity.columns:
                out.extend(self.whole_row(row))
                return None
        is_alias = scope.aliases is not None and key in scope.aliases
        if is_alias and self._aliases_win and scope.prefers_alias:
            return ALIAS
        level: Scope | None = scope
        while level is not None:
            sources = level.sources
            if len(sources) == 1:
                (source,) = sources.values()
                if source.may_have(key):
                    seen = key in source.entity.columns
                    if is_alias and scope.prefers_alias and level is scope and not (seen or source.has(key)):
                        return ALIAS
                    if not seen and not quoted and key.lower() in self._words and not source.has(key):
                        return None
                    out.append(source.column(builder, key, name, span))
                    scope.found[key] = source
                    return None
            elif sources:
                found = self._among(level, key)
                if found:
                    if (
                        is_alias
                        and scope.prefers_alias
                        and level is scope
                        and not any(key in each.entity.columns or each.has(key) for each in found)
                    ):
                        return ALIAS
                    out.extend([each.column(builder, key, name, span) for each in found])
                    if len(found) == 1:
                        scope.found[key] = found[0]
                    return None
                if found is not None:
                    if is_alias and scope.prefers_alias and level is scope:
                        return ALIAS
                    break
            if level.aliases is not None and key in level.aliases:
                if level is scope:
                    return ALIAS
                column = level.aliases[key][0]
                if column is not None and (level.parent is None or self.dialect.lateral_aliases):
                    # A subquery sees the items that stand before it in the select list around it.
                    out.append(column)
                    return None
            if self._structs and level.parent is not None and self._is_unnamed_field(level, key, out):
                return None
            level = level.parent
        return self._nowhere(level, scope, key, name, span, out, quoted)

    def _nowhere(
        self,
        ambiguous: Scope | None,
        scope: Scope,
        key: str,
        name: str,
        span: Span | None,
        out: list[Column],
        quoted: bool,
    ) -> None:
        """A name that no single table has: a variable, a word of the dialect, an unnested value, or an orphan."""
        variable = self.variables.get(key)
        if variable is not None:
            self.variable(variable, scope, out, span)
            return
        lower = key.lower()
        if lower in self._words and (not quoted or lower in QUOTABLE):
            return
        if lower in self._row_columns:
            self._row_column(ambiguous or scope, key, name, span, out)
            return
        level = ambiguous
        if level is None:
            level = scope
            while level is not None and not level.sources:
                level = level.parent
            if level is None:
                # Outside any FROM the name is a constant or a variable nobody declared.
                return
            if self._element_of(level, key, out):
                return
        if scope.result is not None and key in scope.result.entity.columns:
            # `SELECT a.k … GROUP BY k`: of all that have a k, the one in the select list is meant.
            out.append(scope.result.entity.columns[key])
            return
        grouped = self._grouped_source(scope, key) if scope.group is not None else None
        if grouped is not None:
            out.append(grouped.column(self.builder, key, name, span))
            return
        if ambiguous is None:
            if name.startswith(OPENINGS):
                # What no table can have is a value.
                return
            self._missing(name, span, level.sources)
        elif self.dialect.first_source_wins:
            first = next((source for source in level.sources.values() if source.has(key)), None)
            if first is not None:
                out.append(first.column(self.builder, key, name, span))
                return
        self._orphan(level, key, name, span, out)

    def _missing(self, name: str, span: Span | None, sources: Mapping[str, Rowset]) -> None:
        """Notes a column that none of the tables in scope has, as far as their columns are known."""
        if span is None or unquote(name).lower() in self._row_columns or unquote(name).lower() in self._words:
            return
        if any(source.element is not None or source.entity.type not in _LISTING for source in sources.values()):
            return
        tables = [
            source.entity.name if source.entity.kind != "resultset" or alias.startswith("\0") else alias
            for alias, source in sources.items()
        ]
        whose = f"{tables[0]} has no" if len(tables) == 1 else f"None of {', '.join(tables)} has a"
        self.builder.problem("Note", f"{whose} column {name}", span[1], span[2])

    def _grouped_source(self, scope: Scope, key: str) -> Rowset | None:
        """`SELECT k … GROUP BY a.k`: of all that have a k, the one that is grouped by is meant (Hive)."""
        grouped = scope.grouped
        if grouped is None:
            grouped = scope.grouped = {}
            for item in scope.group.args.get("expressions") or () if scope.group is not None else ():
                if item.__class__ is exp.Column and item.args.get("table") is not None:
                    grouped.setdefault(self.key(item.args["this"]), item)
        found = grouped.get(key)
        return self._source(scope, [self.key(found.args["table"])]) if found is not None else None

    def _row_column(self, level: Scope, key: str, name: str, span: Span | None, out: list[Column]) -> None:
        """A column that tables have without declaring it: of the only table around, of nobody where there are more."""
        found: Scope | None = level
        while found is not None and not found.sources:
            found = found.parent
        tables = [each for each in found.sources.values() if each.entity.kind != "resultset"] if found else []
        if len(tables) == 1:
            out.append(tables[0].column(self.builder, key, name, span))

    def _among(self, level: Scope, key: str) -> list[Rowset] | None:
        """The rowset among several that has the column; [] when that cannot be told, None when none can have it."""
        if level.merged is not None:
            merged = level.merged.get(key)
            if merged is not None:
                return merged
        tables, others = level.sorted_sources()
        if not others:
            return tables if len(tables) == 1 else []
        sure: list[Rowset] = []
        maybe = tables.copy()
        for source in others:
            # The questions `has` and `may_have` answer, asked at once: this is the commonest way of all.
            if source.known is not None:
                if key in source.known or key in source.also:
                    sure.append(source)
            elif key in source.entity.columns or key in source.also:
                sure.append(source)
            elif source.stars or source.feeds is not None or STAR in source.entity.columns:
                if source.has(key):
                    sure.append(source)
                elif source.may_have(key):
                    maybe.append(source)
        if sure:
            return sure if len(sure) == 1 else []
        if maybe:
            return maybe if len(maybe) == 1 else []
        return None

    @staticmethod
    def _is_unnamed_field(level: Scope, key: str, out: list[Column]) -> bool:
        """``(SELECT value FROM UNNEST(t.params) WHERE key = 'a')``: fields of what has no name of its own, unless a table
        around is known to have such a column."""
        if len(level.sources) != 1:
            return False
        ((name, source),) = level.sources.items()
        element = source.element
        if element is None or source.entity.kind != "resultset" or not name.startswith("\0"):
            return False
        outer = level.parent
        while outer is not None:
            if any(each.has(key) for each in outer.sources.values()):
                return False
            outer = outer.parent
        out.append(element)
        return True

    def _element_of(self, level: Scope, key: str, out: list[Column]) -> bool:
        """In BigQuery and its like an unnested alias is itself a value, and so is a field of what is unnested."""
        source = level.sources.get(key)
        if source is not None and source.entity.kind == "resultset" and source.outputs:
            out.append(source.outputs[0][1])
            return True
        if self._structs:
            unnested = [each for each in level.sources.values() if each.element is not None]
            if len(unnested) == 1 and unnested[0].entity.kind == "resultset":
                out.append(unnested[0].column(self.builder, key, key, None))
                return True
        return False

    def _orphan(self, scope: Scope, key: str, name: str, span: Span | None, out: list[Column]) -> None:
        """A column that belongs to no single table: to the pseudo table, or to the first table when asked for."""
        builder = self.builder
        if self.options.link_orphans and scope.sources:
            first = next(iter(scope.sources.values()))
            out.append(first.column(builder, key, name, span))
            if span is not None:
                builder.problem(
                    "LinkOrphanColumn",
                    f"column {name} matches more than one table and is linked to the first, {first.entity.name}",
                    span[1],
                    span[2],
                )
            return
        orphans = self.catalog.orphans()
        out.append(orphans.column(builder, key, name, span))
        scope.found[key] = orphans

    # --- qualified ----------------------------------------------------------------------------------------------

    def _at_position(self, args: dict[str, Any], scope: Scope, place: int, out: list[Column]) -> None:
        """Snowflake ``t.$2``: the second column of t."""
        table = args.get("table")
        source = self._source(scope, [self.key(table)]) if table is not None else None
        column = source.at(self.builder, place) if source is not None else None
        if column is not None:
            out.append(column)

    def numbered(self, node: Any, scope: Scope) -> Column | None:
        """DuckDB ``#2``: the second of all columns in the FROM clause."""
        place = int(node.name)
        for source in scope.sources.values():
            count = len(source.names())
            if place <= count or not source.closed:
                return source.at(self.builder, place)
            place -= count
        return None

    def _qualified(
        self, args: dict[str, Any], scope: Scope, key: str, name: str, span: Span | None, out: list[Column]
    ) -> Any:
        builder = self.builder
        parts = [part for part in (args.get("catalog"), args.get("db"), args.get("table")) if part is not None]
        keys = [self._fold(part.name, bool(part.args.get("quoted"))) for part in parts]
        if not keys[0]:
            # A field of a parameter: ``$1.total``.
            return None
        source = self._source(scope, keys)
        if source is not None:
            out.append(source.column(builder, key, name, span))
            return None
        # The first word may be a rowset and the second a struct column, or the first a struct column itself.
        if len(keys) > 1:
            source = self._source(scope, keys[:1])
            if source is not None and keys[1]:
                if self._is_dotted([source], [*keys[1:], key], span, out):
                    return None
                struct = source.structs.get(keys[1]) if source.structs else None
                field = struct.field(_path(parts[2:], keys[2:], key, name)) if struct is not None else None
                out.append(field or source.column(builder, keys[1], parts[1].name, span))
                return None
        if self.variables and self.is_field(keys, scope, key, name, span, out):
            return None
        if key.lower() in _SEQUENCE_FIELDS:
            return None
        if (
            self._structs
            or any(level.has(keys[0]) for level in scope.sources.values())
            or (len(keys) == 1 and self.dialect.family.column_methods and key.lower() in PROPERTIES)
        ):
            struct = self.struct_of(exp.Column(this=parts[0].copy()), scope)
            field = struct.field(_path(parts[1:], keys[1:], key, name)) if struct is not None else None
            if field is not None:
                out.append(field)
                return None
            if self._is_dotted(scope.sources.values(), [*keys, key], span, out):
                return None
            return self._unqualified(scope, keys[0], parts[0].name, span, out, False)
        if self.dialect.family.packages and (self.blocks or not _reads_any(scope)):
            # A constant or a function of a package.
            return None
        if self.dialect.family.implicit_tables:
            out.append(self._implicit_table(parts).column(builder, key, name, span))
        else:
            self._orphan(scope, key, name, span, out)
        return None

    def _is_dotted(self, sources: Iterable[Rowset], keys: list[str], span: Span | None, out: list[Column]) -> bool:
        """ClickHouse: the parts of a nested column are columns whose names have dots."""
        dotted = ".".join(keys)
        found = next((each for each in sources if each.known and dotted in each.known), None)
        if found is not None:
            out.append(found.column(self.builder, dotted, dotted, span))
        return found is not None

    def _implicit_table(self, parts: list[Any]) -> Rowset:
        """Teradata: a table that is read by being named before a column, though FROM does not have it."""
        first, last = self.span(parts[0]), self.span(parts[-1])
        place = (first[0], first[1], last[2]) if first is not None and last is not None else None
        written = ".".join(self.written(part) for part in parts)
        found = self.catalog.table(
            tuple([(part.name, bool(part.args.get("quoted"))) for part in parts]), written, place
        )
        self.builder.flow.sources[found.entity] = None
        return found

    def _source(self, scope: Scope, keys: list[str]) -> Rowset | None:
        """The rowset a qualifier means: an alias, else the name of a table even where it has an alias."""
        last = keys[-1]
        level: Scope | None = scope
        if len(keys) == 1:
            while level is not None:
                found = level.sources.get(last)
                if found is not None:
                    return found
                level = level.parent
        level = scope
        wanted = [key.lower() for key in keys]
        while level is not None:
            for source in level.sources.values():
                entity = source.entity
                if entity.table and entity.table.lower() == wanted[-1]:
                    layers = [(part or "").lower() for part in (entity.database, entity.schema)][-(len(wanted) - 1) :]
                    if len(wanted) == 1 or all(
                        not have or have == want
                        for have, want in zip(reversed(layers), reversed(wanted[:-1]), strict=False)
                    ):
                        return source
            level = level.parent
        return None

    def _star_reference(self, args: dict[str, Any], scope: Scope, out: list[Column]) -> None:
        """`t.*` where a value stands, as in HASH(t.*): the whole row."""
        table = args.get("table")
        if table is not None:
            source = self.source_of(table, scope)
            if source is not None:
                out.extend(self.whole_row(source))

    def whole_row(self, source: Rowset) -> list[Column]:
        """All columns of a rowset; its star when they are not known."""
        builder = self.builder
        if not source.closed:
            return [source.column(builder, STAR, STAR, None)]
        if source.outputs:
            return [column for _, column in source.outputs]
        return [source.column(builder, key, name, None) for key, name in (source.known or {}).items()]


def _path(parts: list[Any], keys: list[str], key: str, name: str) -> Path:
    """The fields that lead from a struct to the one that is named last."""
    return [*((inner, part.name) for inner, part in zip(keys, parts, strict=True)), (key, name)]


def _reads_any(scope: Scope) -> bool:
    """Whether a table is in scope at all."""
    level: Scope | None = scope
    while level is not None:
        if level.sources:
            return True
        level = level.parent
    return False
