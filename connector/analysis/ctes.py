"""Common table expressions: each query of a WITH clause as a resultset that the queries after it can name."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from sqlglot import exp

from connector.analysis.builder import ROWS, Builder
from connector.analysis.names import NameResolver
from connector.analysis.rowset import Rowset
from connector.analysis.scope import Scope
from connector.analysis.set_operations import read_set_operation
from connector.sql.dialects import SqlDialect

if TYPE_CHECKING:
    from connector.analysis.query import QueryReader


class CteReader:
    """Reads WITH clauses into scopes."""

    __slots__ = ("_any_order", "_implicit_recursion", "_queries", "builder", "names")

    def __init__(self, builder: Builder, names: NameResolver, queries: QueryReader, dialect: SqlDialect) -> None:
        self.builder = builder
        self.names = names
        self._queries = queries
        self._implicit_recursion = dialect.implicit_recursion
        self._any_order = dialect.ctes_in_any_order

    def read(self, node: Any, scope: Scope) -> None:
        """Reads a WITH clause into the scope, in order: each expression sees those before it."""
        recursive = bool(node.args.get("recursive"))
        if scope.ctes is None:
            scope.ctes = {}
        expressions = node.args.get("expressions") or ()
        if len(expressions) > 1 and (recursive or (self._any_order and self._may_name_later(expressions))):
            expressions = self._in_order_of_use(expressions)
        for cte in expressions:
            if cte.args.get("scalar"):
                # ClickHouse: WITH expression AS name. The expression is read where the name is used.
                scope.prefers_alias = True
                aliases = scope.aliases = scope.aliases or {}
                aliases[self.names.key(cte.args["alias"].args["this"])] = (None, cte.args["this"])
            elif cte.__class__ is exp.CTE:
                self._read_one(cte, scope, recursive)
        for clause in ("search", "cycle"):
            search = node.args.get(clause)
            if search is not None and scope.ctes:
                self._add_searched(search, next(reversed(scope.ctes.values())))

    def _add_searched(self, search: Any, found: Rowset) -> None:
        """SEARCH … SET a and CYCLE … SET a USING b: columns that the search makes of those it goes by."""
        args = search.args
        columns = [args["this"]]
        if args.get("to").__class__ is exp.Tuple:
            columns = [column.args["this"] for column in args["to"].args["expressions"]]
        sources = [found.column(self.builder, self.names.key(column), column.name, None) for column in columns]
        if args.get("kind") == "CYCLE":
            # Where these values come back, no more rows are looked for.
            self.builder.relate("fdr", self.builder.rows(found.entity), sources, "select", "where")
        for identifier in (args.get("expression"), args.get("using")):
            if identifier.__class__ is exp.Identifier:
                label = self.names.key(identifier), self.names.written(identifier), self.names.span(identifier)
                column = self.builder.column(found.entity, *label)
                self.builder.relate("fdd", column, sources, "select")
                found.outputs.append((label[0], column))

    def _may_name_later(self, ctes: Sequence[Any]) -> bool:
        """Whether the name of an expression stands in the text before the expression: looking into queries costs more."""
        spans = [self.names.span(cte.args["alias"].args["this"]) for cte in ctes if cte.__class__ is exp.CTE]
        known = [span for span in spans if span is not None]
        for script, start, end in known:
            name = script.text[start:end].strip("`").lower()
            if name in script.text[known[0][2] : start].lower():
                return True
        return False

    def _in_order_of_use(self, ctes: Sequence[Any]) -> list[Any]:
        """WITH RECURSIVE, and Hive without that word, let an expression name one that comes later: it is read first."""
        by_name = {self.names.key(cte.args["alias"].args["this"]): cte for cte in ctes if cte.__class__ is exp.CTE}
        places = {key: place for place, key in enumerate(by_name)}
        ordered: dict[int, Any] = {}
        entered: set[str] = set()
        waiting = [(key, False) for key in reversed(by_name)]
        while waiting:
            key, is_read = waiting.pop()
            if is_read:
                ordered[places[key]] = by_name[key]
            elif key not in entered:
                entered.add(key)
                waiting.append((key, True))
                for table in by_name[key].args["this"].find_all(exp.Table):
                    identifier = table.args["this"]
                    if table.args.get("db") is None and identifier.__class__ is exp.Identifier:
                        used = self.names.key(identifier)
                        if used in places and used not in entered:
                            waiting.append((used, False))
        return list(ordered.values())

    def _read_one(self, cte: Any, scope: Scope, recursive: bool) -> None:
        alias = cte.args["alias"]
        identifier = alias.args["this"]
        key = self.names.key(identifier)
        builder = self.builder
        assert scope.ctes is not None
        body = cte.args["this"]
        entity = builder.resultset("with_cte", self.names.span(identifier))
        found = Rowset(entity)
        columns = alias.args.get("columns") or ()
        reach, builder.reach = builder.reach, -1
        if isinstance(body, exp.SetOperation) and (recursive or self._implicit_recursion):
            self._recursive(body, columns, key, found, scope)
        else:
            result = self._queries.read(body, scope.parent, scope, ordered=True)
            self._fill(found, result, columns)
            if isinstance(body, exp.DML) and len(result.inputs) == 1:
                found.reads = result.inputs[0].entity
        builder.finish(entity, builder.reach, f"CTE-{identifier.name.upper()}")
        builder.reach = max(reach, builder.reach)
        scope.ctes[key] = found

    def _fill(self, found: Rowset, result: Rowset, columns: Any) -> None:
        """The columns of a CTE: those of its query, under the names of its column list where it has one."""
        self._queries.rename_columns(found, result, columns)
        rows = result.entity.columns.get(ROWS)
        if rows is not None:
            self.builder.relate("fdr", self.builder.rows(found.entity), [rows], "select")
        else:
            found.inputs.append(result)

    def _recursive(self, body: Any, columns: Any, key: str, found: Rowset, scope: Scope) -> None:
        """The anchor gives the columns; then the recursive branches may refer to the expression itself."""
        builder = self.builder
        assert scope.ctes is not None

        def anchor_read(anchor: Rowset) -> None:
            names = list(columns)
            for place, (anchor_key, column) in enumerate(anchor.outputs):
                if place < len(names) and names[place].name:
                    identifier = names[place]
                    self._empty_output(found, self.names.key(identifier), self.names.written(identifier))
                else:
                    self._empty_output(found, anchor_key, column.name)
            assert scope.ctes is not None
            scope.ctes[key] = found

        result = read_set_operation(self._queries, body, scope.parent, scope, True, anchor_read)
        for (_, target), (_, source) in zip(found.outputs, result.outputs, strict=False):
            builder.direct(target, source, "select")
        rows = result.entity.columns.get(ROWS)
        if rows is not None:
            builder.relate("fdr", builder.rows(found.entity), [rows], "select")

    def _empty_output(self, found: Rowset, key: str, name: str) -> None:
        column = self.builder.column(found.entity, key, name, None)
        found.outputs.append((key, column))
