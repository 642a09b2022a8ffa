"""From scripts to the complete model: parse each statement, hand it to its reader, keep going whatever happens."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from typing import Any

from sqlglot import exp
from sqlglot.errors import ParseError

from connector.analysis.approximate import read_approximately
from connector.analysis.context import Context
from connector.analysis.parsing import explain, parse_statement
from connector.analysis.routines import RoutineReader
from connector.analysis.rowset import Rowset
from connector.analysis.scope import Scope
from connector.analysis.statements import READERS, READINGS, read_inner_dml
from connector.analysis.statements.inner import statement_in
from connector.analysis.statements.movements import read_into_file
from connector.metadata import MetadataProvider
from connector.model import Model, Script
from connector.model.collector import pause, relieve, resume
from connector.options import Options
from connector.sql.dialects import SqlDialect
from connector.sql.harmless import moves_no_data
from connector.sql.procedural.reading import is_procedural
from connector.sql.readers import Cursor, is_rename_call, read_outfile, read_statement, read_view
from connector.sql.readers.readings import InnerStatement, Reading
from connector.sql.split import read_statements
from connector.sql.statement import Statement

__all__ = ["Analyser", "analyse_scripts"]

_log = logging.getLogger("connector")
logging.getLogger("sqlglot").addHandler(logging.NullHandler())


_NOTHING = Statement(Script(""), 0, [], 0, 0, 0)
"""The statement at hand before the first."""

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
    analyser = Analyser(model, dialect, options or Options(), metadata)
    analyser.ctx.catalog.use(
        (default_database, False) if default_database else None, (default_schema, False) if default_schema else None
    )
    for script in scripts:
        analyser.script(script)
    analyser.ctx.release()
    return model


class Analyser:
    """One run over a set of scripts. What a script creates stays known to those that follow."""

    def __init__(self, model: Model, dialect: SqlDialect, options: Options, metadata: MetadataProvider | None) -> None:
        self.dialect = dialect
        self.ctx = Context.create(model, dialect, options, metadata, _NOTHING)
        self.ctx.queries.dml = self._inner_dml
        self._routines: RoutineReader | None = None

    @property
    def routines(self) -> RoutineReader:
        """The reader of procedural statements, made for the first of them: most scripts have none."""
        if self._routines is None:
            self._routines = RoutineReader(self.ctx, self)
        return self._routines

    def _inner_dml(self, node: Any, scope: Scope) -> Rowset:
        return read_inner_dml(self.ctx, node, scope)

    def script(self, script: Script) -> None:
        paused = pause()
        try:
            read = read_statements(script, self.dialect)
            self.ctx.builder.model.problems.extend(read.problems)
            if self._routines is not None:
                self._routines.begin_script()
            for statement in read.statements:
                self.statement(statement)
                relieve(paused)
        finally:
            resume(paused)

    def statement(self, statement: Statement) -> None:
        """One statement; whatever goes wrong with it becomes an error of the model."""
        if (
            is_procedural(statement.tokens, self.dialect.family)
            and self.routines.takes(statement)
            and not is_rename_call(statement, self.dialect)
        ):
            self.routines.read(statement)
        else:
            self.plain(statement)

    def plain(self, statement: Statement) -> None:
        """A statement that is not procedural."""
        ctx = self.ctx
        builder = ctx.builder
        ctx.take(statement)
        reading = read_statement(statement, self.dialect)
        harmless = reading is None and moves_no_data(statement)
        if harmless and statement.tokens[0].text.upper() not in _DEFINING:
            return
        try:
            if reading is not None:
                self._reading(reading)
            else:
                self._parsed(statement)
        except ParseError as error:
            if not harmless:
                self._failed("SyntaxError", *explain(error, statement))
        except RecursionError:
            self._failed("AnalyzeError", "the statement is nested too deeply", statement.start, statement.end)
        except MemoryError:
            raise  # not the statement's fault alone, and no state to go on in: a guard limits and reports it
        except Exception:  # noqa: BLE001 - one statement must never cost the others, whatever is wrong with it
            if not harmless:
                _log.debug("statement at offset %d of %s", statement.start, statement.script.name, exc_info=True)
                reason = "the statement is incomplete: a part that its kind needs is missing or not understood"
                self._failed("AnalyzeError", reason, statement.start, statement.end)
        builder.number_resultsets()

    def nodes(self, statement: Statement) -> list[Any]:
        """The trees of a statement inside a routine; none, and an error in the model, where the grammar gives up."""
        try:
            return [node for node in parse_statement(statement, self.dialect) if node is not None]
        except ParseError as error:
            self._failed("SyntaxError", *explain(error, statement))
        except RecursionError:
            self._failed("AnalyzeError", "the statement is nested too deeply", statement.start, statement.end)
        return []

    def _reading(self, reading: Reading) -> None:
        """What a token reader found."""
        if not isinstance(reading, InnerStatement):
            READINGS[reading.__class__](self.ctx, reading)
            return
        outer = self.ctx.procedure
        self.ctx.procedure = ".".join(part for part, _ in reading.name.parts)
        self.statement(statement_in(self.ctx, reading.body))
        self.ctx.procedure = outer

    def _parsed(self, statement: Statement) -> None:
        """What the grammar makes of the statement; a token reader's second look where the grammar gives up."""
        try:
            nodes = parse_statement(statement, self.dialect)
        except ParseError:
            if not self._second_look(statement):
                raise
            return
        if exp.Command in [node.__class__ for node in nodes] and self._second_look(statement):
            return
        for node in nodes:
            self._read(node)

    def _second_look(self, statement: Statement) -> bool:
        view = read_view(Cursor(statement, self.dialect))
        if view is not None:
            self._reading(view)
            return True
        outfile = read_outfile(Cursor(statement, self.dialect))
        if outfile is None:
            return False
        place, kept = outfile
        read_into_file(self.ctx, place, [token for start, end in kept for token in statement.tokens[start:end]])
        return True

    def _read(self, node: Any) -> None:
        reader = READERS.get(node.__class__)
        if reader is not None:
            reader(self.ctx, node)
        elif node.__class__ is exp.Command:
            read_approximately(self.ctx)

    def _failed(self, kind: str, reason: str, start: int, end: int) -> None:
        self.ctx.builder.problem(kind, reason, start, end)
        read_approximately(self.ctx)
