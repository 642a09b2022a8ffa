"""From scripts to the complete model: parse each statement, hand it to its reader, keep going whatever happens."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from typing import Any

from sqlglot import exp
from sqlglot.errors import ErrorLevel, ParseError, SqlglotError

from connector.analysis.approximate import read_approximately
from connector.analysis.context import Context
from connector.analysis.scope import Scope
from connector.analysis.rowset import Rowset
from connector.analysis.statements import READERS, read_inner_dml
from connector.metadata import MetadataProvider
from connector.model import Model, Script
from connector.options import Options
from connector.sql.dialects import SqlDialect
from connector.sql.split import read_statements
from connector.sql.statement import Statement
from connector.sql.harmless import moves_no_data

__all__ = ["analyse_scripts"]

logging.getLogger("sqlglot").addHandler(logging.NullHandler())


_DEFINING = frozenset({"USE", "SET", "DROP", "ALTER", "DATABASE"})
"""First words of statements that move no data but change what names mean."""


def analyse_scripts(
    scripts: Sequence[Script],
    dialect: SqlDialect,
    *,
    metadata: MetadataProvider | None = None,
    default_database: str | None = None,
    default_schema: str | None = None,
    cluster: str | None = None,
    options: Options | None = None,
) -> Model:
    """The complete model of some scripts, read in order: what one creates the next ones know."""
    model = Model(
        vendor=dialect.vendor,
        layers=dialect.layers,
        default_schema=default_schema or dialect.default_schema,
        cluster=cluster or dialect.default_cluster,
        scripts=list(scripts),
    )
    analyser = _Analyser(model, dialect, options or Options(), metadata)
    analyser.ctx.catalog.use(
        (default_database, False) if default_database else None, (default_schema, False) if default_schema else None
    )
    for script in scripts:
        analyser.script(script)
    return model


class _Analyser:
    """One run."""

    def __init__(
        self, model: Model, dialect: SqlDialect, options: Options, metadata: MetadataProvider | None
    ) -> None:
        self.dialect = dialect
        self.parser = dialect.sqlglot.parser(error_level=ErrorLevel.IMMEDIATE)
        nothing = Statement(Script(""), 0, [], 0, 0, 0)
        self.ctx = Context.create(model, dialect, options, metadata, nothing)
        self.ctx.queries.dml = self._inner_dml

    def _inner_dml(self, node: Any, scope: Scope) -> Rowset:
        return read_inner_dml(self.ctx, node, scope)

    def script(self, script: Script) -> None:
        read = read_statements(script, self.dialect)
        self.ctx.builder.model.problems.extend(read.problems)
        for statement in read.statements:
            self.statement(statement)

    def statement(self, statement: Statement) -> None:
        """One statement; whatever goes wrong with it becomes an error of the model."""
        ctx = self.ctx
        builder = ctx.builder
        ctx.statement = ctx.expressions.statement = statement
        builder.script = statement.script
        builder.base = statement.base
        builder.process = None
        builder.reach = -1
        harmless = moves_no_data(statement)
        if harmless and statement.tokens[0].text.upper() not in _DEFINING:
            return
        try:
            for node in self.parser.parse(statement.tokens, statement.script.text):
                if node is not None:
                    self._read(node)
        except ParseError as error:
            if not harmless:
                self._failed("SyntaxError", *_explain(error, statement))
        except (SqlglotError, RecursionError) as error:
            reason = "nested too deeply" if isinstance(error, RecursionError) else str(error)
            self._failed("SyntaxError", reason, statement.start, statement.end)
        builder.number_resultsets()

    def _read(self, node: Any) -> None:
        reader = READERS.get(node.__class__)
        if reader is not None:
            reader(self.ctx, node)
        elif node.__class__ is exp.Command:
            read_approximately(self.ctx)

    def _failed(self, kind: str, reason: str, start: int, end: int) -> None:
        self.ctx.builder.problem(kind, reason, start, end)
        read_approximately(self.ctx)


def _explain(error: ParseError, statement: Statement) -> tuple[str, int, int]:
    """What a person needs: the reason in words and the place."""
    details = error.errors[0] if error.errors else {}
    description = str(details.get("description") or error).strip().rstrip(".")
    highlight = str(details.get("highlight") or "")
    message = f"{description} near {highlight!r}" if highlight else description
    line, column = details.get("line"), details.get("col")
    for token in statement.tokens:
        if token.line == line and token.col == column:
            start = token.start + statement.base
            return message, start, token.end + 1 + statement.base
    return message, statement.start, statement.end
