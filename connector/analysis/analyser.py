"""Turns scripts into the complete model: parses each statement, passes it to its reader, and continues after every failure."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, NoReturn

from sqlglot import exp
from sqlglot.errors import ParseError
from sqlglot.tokenizer_core import TokenType

from connector.analysis.context import Context
from connector.analysis.foreign import ForeignReader
from connector.analysis.later_views import LaterViews
from connector.analysis.parsing import explain, explain_slip, parse_statement
from connector.analysis.routines.results import FollowedCalls, Results
from connector.analysis.rowset import Rowset
from connector.analysis.scope import Scope
from connector.analysis.statements import READERS, READINGS, WORDS, read_inner_dml
from connector.analysis.statements.inner import refresh_of, statement_in
from connector.analysis.statements.movements import read_into_file
from connector.analysis.text_functions import TextFunctions
from connector.analysis.unreadable import STUMBLES, internal_fault, missing_part, read_approximately, suspected_dialect
from connector.metadata import MetadataProvider
from connector.model import Entity, Model, ProblemType, Script
from connector.options import Options
from connector.sql.dialects import SqlDialect
from connector.sql.harmless import moves_no_data, names_no_data
from connector.sql.metric_views import metric_view
from connector.sql.procedural.reading import is_procedural
from connector.sql.readers import Cursor, is_rename_call, read_outfile, read_statement, read_view
from connector.sql.readers.models import definition_of
from connector.sql.readers.readings import (
    DefaultChange,
    InnerStatement,
    NamedQuery,
    Reading,
    Restated,
    SchemaDefinition,
    TableDefinition,
)
from connector.sql.repair.tools import whole_table
from connector.sql.semantic_views import semantic_view
from connector.sql.split import read_in_parts
from connector.sql.statement import Statement
from connector.sql.words import COMMANDS, another_begins

if TYPE_CHECKING:
    from connector.analysis.routines.reader import RoutineReader

_log = logging.getLogger("connector")
logging.getLogger("sqlglot").addHandler(logging.NullHandler())


_NOTHING = Statement(Script(""), 0, [], 0, 0, 0)
"""The statement at hand before the first."""

_DEFINING = frozenset({"USE", "SET", "DROP", "ALTER", "DATABASE"})
"""First words of statements that move no data but change what names mean."""


_LOOKED_AT = 100
"""How many tokens of a statement that is not understood are searched for a misspelled word."""
_NO_STATEMENTS = (exp.Command, exp.Condition, exp.Alias)
"""What the grammar makes of a text that it does not know as a statement."""


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
    analyser = Analyser.of_scripts(scripts, model, dialect, options or Options(), metadata)
    catalog = analyser.ctx.catalog
    catalog.use_names(default_database, default_schema)
    defaults = catalog.defaults
    for script in scripts:
        # Each script is a session of its own: what USE and SET say ends with it.
        catalog.restore(defaults)
        analyser.script(script)
    analyser.suspect_dialect()
    analyser.ctx.builder.settle_names()
    analyser.release()
    return model


def _uses_views_early(scripts: Sequence[Script]) -> bool:
    """Whether a view may be used before it is defined: nothing stands before the one definition of a script."""
    lowered = [text for script in scripts if "view" in (text := script.text.lower())]
    if len(scripts) == 1 and lowered:
        return not lowered[0].lstrip().startswith("create") or lowered[0].count("create") > 1
    return bool(lowered)


class Analyser:
    """One run over a set of scripts. What a script creates stays known to those that follow."""

    def __init__(self, model: Model, dialect: SqlDialect, options: Options, metadata: MetadataProvider | None) -> None:
        self.dialect = dialect
        self.ctx = Context.create(model, dialect, options, metadata, _NOTHING)
        self.ctx.queries.dml = self._inner_dml
        self._foreign = ForeignReader(self.ctx)
        self._results = Results(self.ctx)
        texts = TextFunctions(self._foreign) if dialect.text_functions else None
        self.ctx.sources.calls = FollowedCalls(self._foreign, texts, self._results)
        functions = self.ctx.expressions.functions
        functions.routines = self._results
        if dialect.rows_have_functions:
            self.ctx.names.row_function = functions.row_function
        if texts is not None:
            functions.text_values = texts.values
        self.ctx.foreign_target = self._foreign.target
        self._routines: RoutineReader | None = None
        self._later: LaterViews | None = None
        """The views of the scripts, where this analyser reads their definitions."""
        self._head: tuple[Script, NamedQuery] | None = None
        """The head of a SQLMesh model, which says what the next query of its script makes."""
        self._count = 0
        self._refused: list[Statement] = []
        """How many statements were read, and those that the grammar refused."""

    @classmethod
    def of_scripts(
        cls,
        scripts: Sequence[Script],
        model: Model,
        dialect: SqlDialect,
        options: Options,
        metadata: MetadataProvider | None,
    ) -> Analyser:
        """An analyser of these scripts, which knows the views that they define from the start."""
        if not _uses_views_early(scripts):
            return cls(model, dialect, options, metadata)
        later = LaterViews(scripts, dialect, metadata)
        found = cls(model, dialect, options, later)
        found._later = later
        later.read = found.view_columns
        return found

    def view_columns(self, statement: Statement, metadata: MetadataProvider) -> tuple[Entity, list[str]] | None:
        """The view that a statement defines, read aside into a model of its own, where all its columns can be told."""
        aside = Analyser(Model(self.dialect.vendor, self.dialect.layers), self.dialect, self.ctx.options, metadata)
        catalog, around = aside.ctx.catalog, self.ctx.catalog
        catalog.around = around
        catalog.use(around.database, around.schema)
        aside.plain(statement)
        view = next((found for found in catalog.known_tables() if found.filled and found.entity.kind == "view"), None)
        aside.release()
        return (view.entity, list((view.known or {}).values())) if view is not None else None

    def release(self) -> None:
        """All is read: nothing that this analyser holds has to wait for the garbage collector."""
        self.ctx.release()
        self._routines = None
        self._results.instance = None
        if self._later is not None:
            self._later.read = None

    @property
    def routines(self) -> RoutineReader:
        """The reader of procedural statements, made for the first of them: most scripts have none."""
        if self._routines is None:
            # A third of the analysis in lines of code, and most commands never need it.
            from connector.analysis.routines.reader import RoutineReader

            self._routines = RoutineReader(self.ctx, self, self._results)
        return self._routines

    def _inner_dml(self, node: Any, scope: Scope) -> Rowset:
        return read_inner_dml(self.ctx, node, scope)

    def script(self, script: Script) -> None:
        if self._routines is not None:
            self._routines.begin_script()
        for read in read_in_parts(script, self.dialect):
            self.ctx.builder.model.problems.extend(read.problems)
            waiting = read.statements
            waiting.reverse()
            while waiting:
                self.statement(waiting.pop())
        self.ctx.builder.mark_approximate()
        # Tokens are freed at once if nothing refers to them.
        self.ctx.statement = self.ctx.expressions.statement = _NOTHING

    def suspect_dialect(self) -> None:
        """Says aloud when most statements fail and another dialect reads them."""
        problems = self.ctx.builder.model.problems
        if not problems or not any(problem.type == "SyntaxError" for problem in problems):
            return
        other = suspected_dialect(self._refused, self._count, self.dialect)
        if other is not None:
            first = self._refused[0]
            self.ctx.take(first)
            message = f"most statements cannot be parsed as {self.dialect.name}, but can be parsed as {other}: check the dialect"
            self.ctx.builder.problem("SyntaxHint", message, first.start, first.end)

    def statement(self, statement: Statement) -> None:
        """One statement; whatever goes wrong with it becomes an error of the model."""
        self._count += 1
        try:
            if (
                is_procedural(statement.tokens, self.dialect.family)
                and self.routines.takes(statement)
                and not is_rename_call(statement, self.dialect)
            ):
                self.routines.read(statement)
                return
        except (MemoryError, RecursionError):
            raise
        except Exception as error:  # noqa: BLE001 - as in `plain`
            self.ctx.take(statement)
            self._failed("InternalError", internal_fault(error, statement), statement.start, statement.end)
            return
        self.plain(statement)

    def plain(self, statement: Statement) -> None:
        """A statement that is not procedural."""
        ctx = self.ctx
        if self._routines is not None:
            statement = self._routines.named(statement)
        if self._head is not None:
            statement = self._named_query(*self._head, statement)
        builder = ctx.builder
        ctx.take(statement)
        if self._later is not None:
            self._later.at_hand = statement
        harmless = False
        try:
            reading = read_statement(statement, self.dialect, WORDS)
            harmless = reading is None and moves_no_data(statement)
            if harmless and statement.tokens[0].text.upper() not in _DEFINING:
                return
            if reading is not None:
                self._reading(reading)
            else:
                self._parsed(statement, harmless)
        except ParseError as error:
            if not harmless:
                self._failed("SyntaxError", *explain(error, statement))
        except RecursionError:
            self._failed("AnalyzeError", "the statement is nested too deeply", statement.start, statement.end)
        except MemoryError:
            raise  # not the statement's fault alone, and no state to go on in: a guard limits and reports it
        except Exception as error:  # noqa: BLE001 - one statement must never cost the others, whatever is wrong with it
            if not harmless:
                self._failed("InternalError", internal_fault(error, statement), statement.start, statement.end)
        builder.number_resultsets()

    def _named_query(self, script: Script, head: NamedQuery, statement: Statement) -> Statement:
        """The query after a head as the definition that it is; other statements as they are."""
        made = definition_of(head, statement) if script is statement.script else None
        if made is not None or script is not statement.script:
            self._head = None
        return made or statement

    def nodes(self, statement: Statement) -> list[Any]:
        """The trees of a statement inside a routine; none, and an error in the model, where the grammar gives up."""
        try:
            return [node for node in self.ctx.parse(statement) if node is not None]
        except ParseError as error:
            self._failed("SyntaxError", *explain(error, statement))
        except RecursionError:
            self._failed("AnalyzeError", "the statement is nested too deeply", statement.start, statement.end)
        return []

    def _reading(self, reading: Reading) -> None:
        """What a token reader found."""
        if isinstance(reading, Restated):
            self.statement(self.ctx.statement.with_tokens(reading.tokens))
            return
        if isinstance(reading, NamedQuery):
            self._head = (self.ctx.statement.script, reading)
            return
        if isinstance(reading, SchemaDefinition):
            catalog = self.ctx.catalog
            defaults = catalog.defaults
            READINGS[DefaultChange](self.ctx, DefaultChange(schema=reading.schema))
            for statement in [statement_in(self.ctx, body) for body in reading.bodies]:
                self.statement(statement)
            catalog.restore(defaults)
            return
        if not isinstance(reading, InnerStatement):
            self.ctx.parsed = []
            try:
                READINGS[reading.__class__](self.ctx, reading)
            except STUMBLES as fault:
                _raise_what_is_missing(self.ctx.parsed, fault)
            if isinstance(reading, TableDefinition) and reading.refresh is not None:
                self.statement(refresh_of(self.ctx, reading.name, reading.refresh))
            return
        outer = self.ctx.procedure
        self.ctx.procedure = ".".join(part for part, _ in reading.name.parts)
        for statement in [statement_in(self.ctx, body) for body in reading.bodies]:
            self.statement(statement)
        self.ctx.procedure = outer

    def _parsed(self, statement: Statement, harmless: bool) -> None:
        """What the grammar makes of the statement; a token reader's second look where the grammar gives up."""
        try:
            nodes = parse_statement(statement, self.dialect)
        except ParseError as error:
            if self._second_look(statement):
                return
            self._refused.append(statement)
            nodes = self.ctx.recover(statement, error)
        if exp.Command in [node.__class__ for node in nodes] and self._second_look(statement):
            return
        for node in nodes:
            if self._read(node) or harmless:
                continue
            if statement.tokens[0].token_type is TokenType.TABLE and len(statement.tokens) > 1:
                # TABLE t: all of it.
                self._parsed(statement.with_tokens(whole_table(statement.tokens)), harmless)
                return
            reason, start, end = _not_understood(statement)
            if start == statement.start and names_no_data(statement):
                reason = f"{reason}: the object is of an unknown kind, but its definition names no data"
                self.ctx.builder.problem("Note", reason, start, end)
                return
            self._refused.append(statement)
            self._failed("SyntaxError", reason, start, end)
            return

    def _second_look(self, statement: Statement) -> bool:
        semantic = semantic_view(statement.tokens) or metric_view(statement.tokens, self.dialect)
        if semantic is not None:
            self._parsed(statement.with_tokens(semantic), False)
            return True
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

    def _read(self, node: Any) -> bool:
        """Hands a tree to its reader; returns whether it is a known kind of statement."""
        reader = READERS.get(node.__class__)
        if reader is not None:
            try:
                reader(self.ctx, node)
            except STUMBLES as fault:
                _raise_what_is_missing([node], fault)
            return node.__class__ is not exp.Create or node.args["kind"] != "VIEW" or bool(node.args.get("expression"))
        return not isinstance(node, _NO_STATEMENTS) and not _moves_data(node)

    def _failed(self, kind: ProblemType, reason: str, start: int, end: int) -> None:
        self.ctx.builder.problem(kind, reason, start, end)
        read_approximately(self.ctx)


def _moves_data(tree: Any) -> bool:
    """Whether a tree that has no reader is a statement of those that token readers know: they have refused this one."""
    if tree.__class__ is exp.Alter:
        return any(action.__class__ in (exp.AlterRename, exp.SwapTable) for action in tree.args.get("actions") or ())
    return tree.__class__ is exp.Copy


def _raise_what_is_missing(trees: list[Any], fault: Exception) -> NoReturn:
    """A reader has stumbled over one of these trees: raise what the tree lacks, or the fault where it lacks nothing."""
    lacking = next(filter(None, (missing_part(tree) for tree in trees if tree is not None)), None)
    if lacking is None:
        raise fault
    raise ParseError(f"incomplete statement: {lacking}") from fault


def _not_understood(statement: Statement) -> tuple[str, int, int]:
    """Why a statement that the grammar takes for something opaque is an error, and where."""
    slip = explain_slip(statement, 0, _LOOKED_AT)
    if slip is not None:
        return slip
    tokens = statement.tokens
    verb = tokens[0].text.upper()
    another = another_begins(tokens) if verb in COMMANDS or verb == "ALTER" else -1
    if another > 0 and tokens[another - 1].text.upper() not in ("AS", "DO"):
        token = tokens[another]
        return (
            f"the end of the statement before {token.text.upper()} is missing",
            statement.base + token.start,
            statement.base + token.end + 1,
        )
    words = " ".join(token.text.upper() for token in tokens[:3] if token.text[:1].isalpha())
    return f"cannot parse the statement {words} …", statement.start, statement.end
