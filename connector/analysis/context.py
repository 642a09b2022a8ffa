"""What the reader of one statement works with."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from sqlglot import exp
from sqlglot.errors import ParseError

from connector.analysis.builder import Builder
from connector.analysis.catalog import UNKNOWN_TARGET, Catalog
from connector.analysis.expressions import ExpressionReader
from connector.analysis.files import file_locations
from connector.analysis.names import NameResolver
from connector.analysis.parsing import parse_statement, recover_statement
from connector.analysis.query import QueryReader
from connector.analysis.rowset import Rowset
from connector.analysis.scope import Scope
from connector.analysis.sources import SourceReader
from connector.analysis.table_functions import is_dynamic_name
from connector.metadata import MetadataProvider
from connector.model import BATCH, Entity, Flow, Model, Process, ProcessType, Span
from connector.options import Options
from connector.sql.dialects import SqlDialect
from connector.sql.identity import identity_hash
from connector.sql.locations import Location
from connector.sql.statement import Statement

Target = tuple[str, str, Span | None]
"""Key, spelling and place of a column that is written."""

_UNDERSTOOD = "cannot parse {}: every name in it is treated as read, and the rest of the statement is analysed as usual"

_RECENT = 8


def _no_target(node: Any) -> tuple[Rowset, list[Target]] | None:
    return None


@dataclass(slots=True, eq=False)
class Context:
    """The readers, bound together, and the statement at hand."""

    dialect: SqlDialect
    options: Options
    builder: Builder
    catalog: Catalog
    names: NameResolver
    expressions: ExpressionReader
    sources: SourceReader
    queries: QueryReader
    statement: Statement
    procedure: str = BATCH
    parsed: list[Any] = field(default_factory=list)
    """The trees of the part of the statement that was parsed last."""
    returned: Callable[[Rowset, Process, Flow], None] | None = None
    """Takes the rows of a bare SELECT inside a routine: they go to its caller."""
    foreign_target: Callable[[Any], tuple[Rowset, list[Target]] | None] = _no_target
    """The table behind a query of another server that is written through, and the columns that the query shows."""

    @classmethod
    def create(
        cls,
        model: Model,
        dialect: SqlDialect,
        options: Options,
        metadata: MetadataProvider | None,
        statement: Statement,
        builder: Builder | None = None,
    ) -> Context:
        """The readers for one run over a set of scripts; with the `builder` of another run they add to its model."""
        if builder is None:
            builder = Builder(model, options.row_column)
        catalog = Catalog(builder, dialect, metadata)
        names = NameResolver(builder, catalog, dialect, options)
        expressions = ExpressionReader(builder, names, options)
        sources = SourceReader(builder, catalog, names, expressions)
        queries = QueryReader(builder, names, expressions, sources, dialect, _no_dml)
        return cls(dialect, options, builder, catalog, names, expressions, sources, queries, statement)

    def release(self) -> None:
        """Unties the readers, which know one another, when all is read: whatever they hold is gone at once.

        Otherwise the tokens, rowsets and readers of every call would have to be found by the garbage collector.
        """
        del self.expressions.functions, self.expressions.queries
        del self.sources.joins, self.sources.queries, self.sources.calls
        del self.queries.ctes, self.queries.dml
        self.foreign_target = _no_target
        self.returned = None
        self.names.row_function = None
        self.catalog.forget_structs()

    def take(self, statement: Statement) -> None:
        """Makes a statement the one at hand."""
        builder = self.builder
        self.statement = self.expressions.statement = statement
        builder.script = statement.script
        builder.base = statement.base
        builder.process = None
        builder.flow = Flow(None)
        builder.reach = -1

    def begin(self, kind: ProcessType) -> Process:
        """A new process for the statement at hand."""
        builder = self.builder
        statement = self.statement
        mode = self.options.identity_of(log=False)
        process = Process(
            builder.next_id(),
            kind,
            (statement.script, statement.start, statement.span_end),
            statement.hash,
            self.procedure,
            statement.hash if mode == "text" else identity_hash(statement, mode),
        )
        builder.model.processes.append(process)
        builder.process = process
        builder.flow = Flow(None)
        return process

    def writes(self, target: Entity) -> Flow:
        """The process at hand writes this entity; what is read from now on is read for it."""
        builder = self.builder
        process = builder.process
        assert process is not None
        flow = builder.flow
        builder.enter(target)
        if flow.target is None:
            flow.target = target
        else:
            flow = Flow(target, dict(flow.sources))
        builder.flow = flow
        process.flows.append(flow)
        if process not in target.processes[-_RECENT:]:
            # A table may have thousands of writers; the process at hand is one of the last.
            target.processes.append(process)
        return flow

    def parse(self, statement: Statement) -> list[Any]:
        """The trees of a statement; what the grammar does not understand in it costs itself alone, and is noted."""
        try:
            self.parsed = parse_statement(statement, self.dialect)
        except ParseError as error:
            self.parsed = self.recover(statement, error)
        return self.parsed

    def recover(self, statement: Statement, error: ParseError) -> list[Any]:
        """The trees of a statement that the grammar has refused, without what it does not understand."""
        recovered = recover_statement(statement, self.dialect, error)
        if recovered is None:
            raise error
        nodes, regions = recovered
        for region in regions:
            self.builder.opaque(
                region.start + statement.base, region.end + statement.base, _UNDERSTOOD.format(region.construct)
            )
        return nodes

    def target(self, node: Any) -> Rowset:
        """The table a statement writes; it is not an input by being the target."""
        if node.__class__ is exp.Anonymous:
            # ClickHouse: INSERT INTO FUNCTION remote(…)
            node = exp.Table(this=node)
        name = node.args.get("this") if node is not None else None
        if name is None:
            raise ParseError("incomplete statement: the target table is missing")
        kind = name.__class__
        if kind is exp.Parameter:
            return self.sources.table_variable(node.args["this"])
        if kind is not exp.Identifier and is_dynamic_name(name):
            raise ParseError(UNKNOWN_TARGET)
        if kind is exp.Anonymous:
            behind = self.foreign_target(node)
            if behind is not None:
                return behind[0]
            if node.args.get("db") is None and not file_locations(node, self.names):
                # What an unknown function reads is no table of this database.
                name = f"{node.args['this'].name}()"
                return self.catalog.places.path(Location(name, name))
        return self.sources.base_table(node)

    def scope(self, node: Any, outer: Scope | None = None) -> Scope:
        """A scope for a statement, with its WITH clause read."""
        scope = Scope(None, outer)
        with_clause = node.args.get("with_")
        if with_clause is not None:
            self.queries.ctes.read(with_clause, scope)
        return scope


def _no_dml(node: Any, scope: Scope) -> Rowset:
    raise AssertionError("a data-changing statement inside a query needs the statement readers")
