"""Reads FROM clauses: tables, derived tables, table functions, joins and pivots, each into a rowset of the scope."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Protocol

from sqlglot import exp

from connector.analysis.builder import ROWS, STAR, Builder, Impacts
from connector.analysis.catalog import Catalog, NamePart
from connector.analysis.expressions import ExpressionReader
from connector.analysis.files import file_locations
from connector.analysis.from_items import (
    applied_table,
    bare_call,
    has_options,
    is_group,
    name_identifiers,
    name_part,
    named_as_table,
    unnested,
    unpivoted_object,
    with_call,
    without_reading_mode,
)
from connector.analysis.joins import JoinReader
from connector.analysis.labels import values_label
from connector.analysis.match_recognize import read_match
from connector.analysis.names import NameResolver
from connector.analysis.nodes import BASE, everything_from
from connector.analysis.pivots import read_pivot
from connector.analysis.rowset import OpenStar, Rowset
from connector.analysis.scope import Scope
from connector.analysis.table_functions import TableFunctionReader, is_dynamic_name, read_search
from connector.model import Column, Entity
from connector.sql.locations import Location

if TYPE_CHECKING:
    from connector.analysis.query import QueryReader


class Calls(Protocol):
    """Knows functions that can be followed: the input's own routines, and queries of other servers."""

    def rows(self, node: Any, scope: Scope) -> Rowset | None:
        """The rows of the function in a FROM item; None where they are not known yet."""

    def missed(self, node: Any, found: Rowset) -> None:
        """The function has been read without knowing its rows."""


class SourceReader:
    """Adds FROM items to scopes."""

    __slots__ = (
        "_functions",
        "_lateral_subqueries",
        "_names_arrays",
        "_shorter_lists",
        "builder",
        "calls",
        "catalog",
        "expressions",
        "joins",
        "names",
        "queries",
    )

    def __init__(self, builder: Builder, catalog: Catalog, names: NameResolver, expressions: ExpressionReader) -> None:
        self.builder = builder
        self.catalog = catalog
        self.names = names
        self.expressions = expressions
        self._functions = TableFunctionReader(builder, names, expressions)
        self.joins = JoinReader(builder, names, expressions, self)
        self._names_arrays = names.dialect.tables_of_arrays or names.dialect.implicit_unnest
        """Whether an array of a table before it may stand in FROM by its name alone."""
        self._shorter_lists = names.dialect.short_alias_lists
        self._lateral_subqueries = names.dialect.lateral_subqueries
        self.queries: QueryReader
        self.calls: Calls | None = None

    # --- the FROM clause ----------------------------------------------------------------------------------------

    def read_from(self, node: Any, scope: Scope) -> None:
        """All that stands in FROM, JOIN and LATERAL VIEW of a SELECT, UPDATE or DELETE."""
        args = node.args
        from_clause = args.get("from_")
        if from_clause is not None:
            self.add(from_clause.args["this"], scope)
        joins = args.get("joins")
        if joins:
            self.joins.read(joins, scope)
        for lateral in args.get("laterals") or ():
            self.add(lateral, scope)
        match = args.get("match")
        if match is not None and isinstance(match, BASE):
            read_match(self, match, scope)

    def array_join(self, node: Any, scope: Scope) -> None:
        """ClickHouse ARRAY JOIN."""
        self._functions.array_join(node, scope)

    def add(self, node: Any, scope: Scope) -> Rowset:
        """One FROM item with the joins and pivots that hang on it."""
        if node.__class__ is not exp.Table:
            node = without_reading_mode(node)
            if node.__class__ is exp.TableAlias:
                # |> AS z: the grammar leaves the bare alias in FROM.
                node = exp.Table(this=node.args["this"].copy())
            elif node.__class__ is exp.Lateral:
                applied = applied_table(node)
                if applied is not None and not (
                    applied.args.get("db") and scope.sees(self.names.key(applied.args["db"]))
                ):
                    node = applied
        args = node.args
        first = len(scope.sources)
        if node.__class__ is exp.Subquery and args["this"].__class__ in (exp.Table, exp.Subquery) and is_group(node):
            # A parenthesis around joins, or around one more parenthesis.
            found = self._group(node, scope)
        else:
            found = self.read(node, scope)
            pivots = args.get("pivots")
            if pivots:
                found, key = self._pivoted(pivots, found, node, scope)
            else:
                key = self._key(node, found)
            scope.add(key, found)
        if args.get("joins"):
            self.joins.read(args["joins"], scope, first)
        for lateral in args.get("laterals") or ():
            self.add(lateral, scope)
        return found

    def _group(self, node: Any, scope: Scope) -> Rowset:
        alias = node.args.get("alias")
        if alias is not None and alias.args.get("this") is not None and node.args["this"].args.get("joins"):
            return self._named_joins(node, scope)
        found = self.add(node.args["this"], scope)
        if alias is not None and alias.args.get("this") is not None:
            scope.add(self.names.key(alias.args["this"]), found)
        return found

    def _named_joins(self, node: Any, scope: Scope) -> Rowset:
        """`(t JOIN u …) AS j (a, b)`: all columns of the joined tables under one name, which hides theirs."""
        everything = self.queries.derived(everything_from(node.args["this"]), scope)
        found = self._with_alias_columns(node, everything)
        scope.add(self._key(node, found), found)
        return found

    def read(self, node: Any, scope: Scope) -> Rowset:
        """One FROM item by itself."""
        kind = node.__class__
        if kind is exp.Table:
            this = node.args["this"]
            if this.__class__ is exp.Identifier and not this.args.get("quoted"):
                return self._table(node, scope)
            return self._file(node) or self._table(node, scope)
        if kind is exp.Pivot and node.args["this"].__class__ in (exp.Alias, exp.AtIndex):
            return self._called(unpivoted_object(node.args["this"]), scope)
        if kind is exp.AtIndex and node.args["this"].__class__ is exp.Alias:
            return self._called(unpivoted_object(node), scope)
        if kind in (exp.Subquery, exp.Pivot) or isinstance(node, exp.Query):
            return self._derived(node, scope, self._lateral_subqueries)
        if kind is exp.Lateral:
            inner = node.args["this"]
            if isinstance(inner, (exp.Subquery, exp.Query)) and not isinstance(inner, exp.UDTF):
                return self._derived(node, scope, True)
            return self._called(node, scope)
        if kind is exp.Values:
            return self._values(node, scope)
        return self._called(node, scope)

    def _called(self, node: Any, scope: Scope) -> Rowset:
        """A function: its rows where it can be followed, else what its arguments say."""
        if self.names.dialect.family.packages:
            name = bare_call(node)
            if name is not None and not self._is_value(name, scope):
                node = with_call(node, name)
        calls = self.calls
        found = calls.rows(node, scope) if calls is not None else None
        if found is not None:
            return self._with_alias_columns(node, found)
        found = read_search(self, node, scope)
        if found is not None:
            return self._with_alias_columns(node, found)
        found = self._functions.read(node, scope)
        if calls is not None:
            calls.missed(node, found)
        return found

    def _is_value(self, name: Any, scope: Scope) -> bool:
        """Whether what qualifies a name is a FROM item, a record or what has such a variable: then it is no function."""
        names = self.names
        key = names.key(name.args["table"])
        return scope.sees(key) or key in names.variables or names.member(key, names.key(name.args["this"])) is not None

    def _key(self, node: Any, found: Rowset) -> str:
        """The name a FROM item is known by."""
        alias = node.args.get("alias")
        if alias is not None:
            identifier = alias.args.get("this") if alias.__class__ is exp.TableAlias else alias
            if identifier is not None:
                return self.names.key(identifier)
            columns = alias.args.get("columns")
            if columns:
                return self.names.key(columns[0])
        this = node.args.get("this")
        if this.__class__ is exp.Anonymous and found.entity.kind == "resultset":
            # Without an alias a function goes by its own name.
            return self.names.key_of(str(this.args["this"]))
        if node.__class__ is exp.Table:
            if this.__class__ is exp.Identifier:
                return self.names.key(this)
            return self.names.key_of(found.entity.table or found.entity.name)
        return f"\0{len(found.entity.columns)}{found.entity.id}"

    # --- tables -------------------------------------------------------------------------------------------------

    def _table(self, node: Any, scope: Scope) -> Rowset:
        args = node.args
        this = args["this"]
        if this.__class__ is exp.Identifier and (args.get("db") is None or self._is_recurring(args["db"])):
            names = self.names
            key = names.key(this)
            cte = scope.cte(key)
            if cte is not None:
                names.reach(this)
                if cte.reads is not None:
                    self.builder.flow.sources[cte.reads] = None
                return self._with_alias_columns(node, cte)
            variable = names.variables.get(key) if names.variables else None
            if variable is not None and (variable.entity.sub_type == "table" or variable.entity.kind != "variable"):
                self.builder.enter(variable.entity)
                self.builder.flow.sources[variable.entity] = None
                return variable
        elif this.__class__ in (exp.Parameter, exp.Placeholder) and not is_dynamic_name(this):
            found = self.names.signed(this) or self.table_variable(this)
            self.builder.enter(found.entity)
            self.builder.flow.sources[found.entity] = None
            return found
        elif this.__class__ is not exp.Identifier and has_options(this, self.names.dialect):
            around = {name: args[name].copy() for name in ("db", "alias") if args.get(name) is not None}
            node = exp.Table(this=named_as_table(this).copy(), **around)
        elif not isinstance(this, (exp.Identifier, exp.Dot, exp.Var)):
            return self._called(node, scope)
        elif self._names_arrays and args["db"].__class__ is exp.Identifier:
            if scope.sees(self.names.key(args.get("catalog") or args["db"])):
                if self.names.dialect.implicit_unnest:
                    return self._called(unnested(node), scope)
                return self._functions.array(node, scope)
        found = self.base_table(node)
        self.builder.flow.sources[found.entity] = None
        return self._with_alias_columns(node, found)

    def _is_recurring(self, schema: Any) -> bool:
        if not self.names.dialect.recurring_ctes or schema.__class__ is not exp.Identifier:
            return False
        return str(schema.name).lower() == "recurring"

    def _file(self, node: Any) -> Rowset | None:
        """A file, a stage or a function that reads files in the place of a table."""
        locations = file_locations(node, self.names)
        if not locations:
            return None
        found = self._place(locations)
        return self._with_alias_columns(node, found)

    def _place(self, locations: list[Location]) -> Rowset:
        """One place, or the union of several."""
        places = [
            self.catalog.stage(location) if location.is_stage else self.catalog.places.path(location)
            for location in locations
        ]
        for place in places:
            self.builder.flow.sources[place.entity] = None
        if len(places) == 1:
            return places[0]
        entity = self.builder.resultset("function")
        self.builder.finish(entity, self.builder.reach)
        found = Rowset(entity)
        found.feeds = [place.element for place in places if place.element is not None]
        return found

    def base_table(self, node: Any) -> Rowset:
        """The table a name means, whether it is read or written; a file or a stage where one is written."""
        builder = self.builder
        args = node.args
        this = args["this"]
        if (
            node.__class__ is not exp.Table
            or this.__class__ is not exp.Identifier
            or (this.args.get("quoted") and args.get("db") is not None)
        ):
            locations = file_locations(node, self.names)
            if locations:
                location = locations[0]
                return self.catalog.stage(location) if location.is_stage else self.catalog.places.path(location)
        identifiers = name_identifiers(args)
        start = end = -1
        parts: list[NamePart] = []
        for identifier in identifiers:
            parts.append(name_part(identifier))
            meta = identifier._meta
            if meta and meta.get("end") is not None:
                if start < 0:
                    start = meta["start"]
                if meta["end"] >= end:  # what stands for a part that was not understood may have its place before
                    end = meta["end"] + 1
        alias = args.get("alias")
        alias_name = None
        name_end = end
        if alias is not None:
            identifier = alias.args.get("this")
            if identifier is not None:
                alias_name = self.names.written(identifier)
                meta = identifier._meta
                if meta and "start" in meta and meta["end"] >= end:  # some syntax has the alias before the name
                    end = meta["end"] + 1
        if start < 0:
            return self.catalog.table(tuple(parts), ".".join(name for name, _ in parts), None, alias_name)
        base = builder.base
        start, end, name_end = start + base, end + base, name_end + base
        if len(parts) == 1 and parts[0][0].startswith("#"):
            # The tokenizer cuts the # of a temporary table off its name.
            start -= len(parts[0][0]) - (name_end - start)
        if end > builder.reach:
            builder.reach = end
        script = builder.script
        return self.catalog.table(tuple(parts), script.text[start:name_end], (script, start, end), alias_name)

    def table_variable(self, parameter: Any) -> Rowset:
        name = "@" + parameter.name
        key = self.names.key_of(name)
        found = self.names.variables.get(key)
        if found is None:
            builder = self.builder
            entity = builder.entity(
                Entity(builder.next_id(), "variable", name, "variable", sub_type="table", table=name, temporary=True)
            )
            found = self.names.variables[key] = Rowset(entity, None, (key,))
        return found

    def _with_alias_columns(self, node: Any, found: Rowset) -> Rowset:
        """`t AS x (a, b)` names the columns of the table anew."""
        alias = node.args.get("alias")
        if alias is None:
            return found
        columns = alias.args.get("columns")
        if not columns:
            return found
        columns = [item.args["this"] if item.__class__ is exp.ColumnDef else item for item in columns]
        if not all(map(self.names.written, columns)):
            return found
        entity = self.builder.resultset("alias", self.names.span(columns[0]))
        renamed = Rowset(entity)
        rows = found.entity.columns.get(ROWS) if found.entity.kind == "resultset" else None
        if found.outputs:
            self.queries.rename_columns(renamed, found, columns)
        else:
            self._rename_table(renamed, found, columns)
        if rows is not None:
            self.builder.relate("fdr", self.builder.rows(entity), [rows], "select")
        else:
            renamed.inputs.append(found)
        self.builder.finish(entity, self.builder.reach)
        return renamed

    def _rename_table(self, renamed: Rowset, found: Rowset, columns: list[Any]) -> None:
        """The columns of a table under new names by position; those after the list keep theirs."""
        builder = self.builder
        names = list((found.known or {}).items())
        for place, identifier in enumerate(columns):
            key, name = names[place] if place < len(names) else (STAR, STAR)
            source = found.column(builder, key, name, None)
            label = self.names.key(identifier), self.names.written(identifier), self.names.span(identifier)
            self.queries.direct_output(renamed, *label, source)
        for key, name in names[len(columns) :]:
            self.queries.direct_output(renamed, key, name, None, found.column(builder, key, name, None))
        if found.known is None and self._shorter_lists:
            star = builder.column(renamed.entity, STAR, STAR, None)
            builder.direct(star, found.column(builder, STAR, STAR, None), "select")
            renamed.stars.append(OpenStar(found))
            renamed.outputs.append((STAR, star))

    # --- derived tables -----------------------------------------------------------------------------------------

    def _derived(self, node: Any, scope: Scope, lateral: bool) -> Rowset:
        inner = node.args["this"] if node.__class__ in (exp.Subquery, exp.Lateral) else node
        alias = node.args.get("alias")
        if node.__class__ is exp.Subquery and (
            node.args.get("with_") or node.args.get("limit") or node.args.get("order")
        ):
            inner = node
        found = self.queries.derived(inner, scope, lateral)
        columns = alias.args.get("columns") if alias is not None else None
        identifier = alias.args.get("this") if alias is not None else None
        if identifier is not None:
            self.names.reach(identifier)
            if found.entity.kind == "resultset" and found.entity.alias is None:
                found.entity.alias = self.names.written(identifier)
        if columns:
            return self._with_alias_columns(node, found)
        return found

    def _values(self, node: Any, scope: Scope) -> Rowset:
        builder = self.builder
        entity = builder.resultset("select_list")
        found = Rowset(entity)
        alias = node.args.get("alias")
        names = alias.args.get("columns") or [] if alias is not None else []
        rows = [
            row.args.get("expressions") or [] if row.__class__ is exp.Tuple else [row]
            for row in node.args.get("expressions") or ()
        ]
        width = max((len(row) for row in rows), default=0)
        sources: list[list[Column]] = [[] for _ in range(width)]
        impacts: list[Impacts] = [{} for _ in range(width)]
        for row in rows:
            for place, item in enumerate(row):
                if isinstance(item, BASE):
                    self.expressions.value(item, scope, sources[place], impacts[place])
        for place in range(width):
            if place < len(names):
                key, name = self.names.key(names[place]), self.names.written(names[place])
            else:
                name = values_label(self.catalog.dialect, place)
                key = self.names.key_of(name)
            column = builder.column(entity, key, name, None)
            builder.relate("fdd", column, sources[place], "select")
            for clause, impacting in impacts[place].items():
                builder.relate("fdr", column, impacting, "select", clause)
            found.outputs.append((key, column))
        builder.finish(entity, builder.reach)
        return found

    def _pivoted(self, pivots: list[Any], found: Rowset, node: Any, scope: Scope) -> tuple[Rowset, str]:
        key = self._key(node, found)
        for pivot in pivots:
            found = read_pivot(self, pivot, found, key, scope)
            alias = pivot.args.get("alias")
            if alias is not None:
                identifier = alias.args.get("this")
                if identifier is not None:
                    key = self.names.key(identifier)
                found = self._with_alias_columns(pivot, found)
        return found, key
