"""Runs the steps of a body in the order of the text: each SQL statement through the analyser, each flow of data into
variables here."""

from __future__ import annotations

from collections.abc import Callable
from itertools import zip_longest
from typing import Any, Protocol, cast

from sqlglot import exp
from sqlglot.errors import ParseError
from sqlglot.tokenizer_core import Token, TokenType

from connector.analysis.builder import ROWS
from connector.analysis.context import Context
from connector.analysis.parsing import explain
from connector.analysis.routines.assigning import Binder
from connector.analysis.routines.branches import Branches, assigned_within
from connector.analysis.routines.calls import Calls
from connector.analysis.routines.conditions import DML, Conditions
from connector.analysis.routines.cursors import CursorSteps
from connector.analysis.routines.dynamic import Constants, with_names
from connector.analysis.routines.executing import DynamicRunner
from connector.analysis.routines.preparing import (
    bare_query,
    expression_tokens,
    is_query,
    is_whole_query,
    prepared_tokens,
    take_into,
)
from connector.analysis.routines.registry import Given, Routine
from connector.analysis.routines.texts import UNKNOWN, literal, render
from connector.analysis.routines.values import ValueSteps
from connector.analysis.routines.variables import Variable, VariableScope, is_record, name_tokens, row_of, sub_type_of
from connector.analysis.rowset import Rowset
from connector.analysis.statements import INNER_DML
from connector.analysis.unreadable import STUMBLES, internal_fault, missing_in
from connector.model import Column, ProblemType, Process, ProcessType
from connector.sql.cursor import TokenCursor, name_end, split_list
from connector.sql.procedural.reading import is_procedural
from connector.sql.procedural.statements import read_variable_list
from connector.sql.procedural.steps import (
    Assign,
    Call,
    Declare,
    Enter,
    Execute,
    Fetch,
    Inner,
    Leave,
    Loop,
    Open,
    Return,
    Skip,
    Sql,
    Step,
    Turn,
    Unread,
)
from connector.sql.procedural.tsql_steps import executed_text
from connector.sql.statement import Statement

_WRITING = frozenset({TokenType.INSERT, TokenType.UPDATE, TokenType.DELETE, TokenType.MERGE})
_COLUMN_ATTRIBUTES = frozenset({"PRIMARY", "UNIQUE", "CHECK", "CONSTRAINT", "FOREIGN", "INDEX", "KEY"})


class StatementAnalyser(Protocol):
    """The analyser of statements, as the steps need it."""

    def statement(self, statement: Statement) -> None:
        """Any statement, procedural or not."""

    def plain(self, statement: Statement) -> None:
        """A statement of SQL."""

    def nodes(self, statement: Statement) -> list[Any]:
        """The syntax trees of a statement; none, and an error in the model, where it cannot be parsed."""


class StepRunner:
    """The steps of one body after another."""

    def __init__(
        self,
        ctx: Context,
        analyser: StatementAnalyser,
        calls: Calls,
        inner: Callable[[Step, Statement], None],
    ) -> None:
        self.ctx = ctx
        self.analyser = analyser
        self.parse = analyser.nodes
        self.calls = calls
        self.inner = inner
        self.scope = VariableScope(ctx)
        self.branches = Branches()
        self.binder = Binder(ctx, self.scope, self.branches)
        self.constants: Constants = {}
        self.values = ValueSteps(self)
        self.cursors = CursorSteps(self)
        self.dynamic = DynamicRunner(self)
        self.conditions = Conditions(self)
        self.routine: Routine | None = None
        """The routine whose body is being read."""
        self.statement: Statement
        """The statement of the script that the steps are part of."""
        self._family = ctx.dialect.family
        self._table_types: dict[str, dict[str, str]] = {}
        """T-SQL: table types by the last part of their names, with their columns."""
        self._actions: dict[type, Callable[[Any], None]] = {
            Sql: self._sql,
            Declare: self._declare,
            Assign: self.values.assign,
            Open: self.cursors.open,
            Fetch: self.cursors.fetch,
            Loop: self.cursors.loop,
            Execute: self.dynamic.execute,
            Call: self._call,
            Return: self._return,
        }

    def run(self, steps: list[Step], statement: Statement) -> None:
        """All steps; what cannot be read costs itself and nothing else."""
        outer = getattr(self, "statement", None)
        self.statement = statement
        names = self.ctx.names
        paths = (catalog := self.ctx.catalog).path_depth
        scopes: list[tuple[dict[str, Rowset] | None, dict[str, list[Column]]]] = []
        bindings = names.bindings
        processes = self.ctx.builder.model.processes
        depth = self.conditions.depth
        self.conditions.enter([])
        for at, step in enumerate(steps):
            kind = step.__class__
            if kind is Enter:
                assert isinstance(step, Enter)
                scopes.append((names.variables if step.kind == "block" else None, names.bindings))
                if step.kind == "block":
                    names.variables = dict(names.variables)
                else:
                    if self.branches.certain:
                        self._keep_apart(steps, at)
                    self.branches.enter(self.constants)
                    catalog.enter_path(step.condition)
                    self.conditions.enter(step.condition, loop=step.kind == "loop")
            elif kind is Leave:
                saved, names.bindings = scopes.pop() if scopes else (None, bindings)
                if saved is not None:
                    names.variables = saved
                else:
                    self.branches.leave(self.constants)
                    catalog.leave_paths(max(paths, catalog.path_depth - 1))
                    self.conditions.leave()
            elif kind is Turn:
                assert isinstance(step, Turn)
                self.branches.turn(self.constants, otherwise=step.tokens[0].text.upper() == "ELSE")
                catalog.turn_path(step.condition)
                self.conditions.turn(step.condition)
            elif kind is Skip:
                assert isinstance(step, Skip)
                if step.condition:
                    self.conditions.turn(step.condition)
                else:
                    self.conditions.skip()
            elif kind is Inner:
                self.inner(step, statement)
                self.statement = statement
            elif kind is Unread:
                assert isinstance(step, Unread)
                self._problem(step.reason, step)
            elif step.tokens:
                first = len(processes)
                given = len(self.routine.given) if self.routine is not None else 0
                self.act(step)
                self.conditions.limit(first)
                if kind is Assign and len(processes) == first:
                    assert isinstance(step, Assign)
                    self.conditions.limit_constants(step)
                if self.routine is not None:
                    self.conditions.limit_given(self.routine.given[given:])
        names.bindings = bindings
        catalog.leave_paths(paths)
        self.conditions.close(depth)
        if outer is not None:
            self.statement = outer

    def _keep_apart(self, steps: list[Step], at: int) -> None:
        """Before a loop or a branch: what it writes does not reach those who read the variable before."""
        reads = self.ctx.names.reads
        if not reads:
            return
        for target in assigned_within(steps, at, self._family):
            variable = self.scope.find(target)
            if isinstance(variable, Variable) and variable in reads:
                reads.discard(variable)
                variable.divide(self.ctx.builder)

    def act(self, step: Step) -> None:
        try:
            self._actions[step.__class__](step)
        except ParseError as error:
            self._problem(explain(error, self.make(step))[0], step)
        except RecursionError:
            self._problem("the statement is nested too deeply", step, "AnalyzeError")
        except Exception as error:  # noqa: BLE001 - one step must never cost the others, whatever is wrong with it
            statement = self.make(step)
            lacking = missing_in(statement, self.ctx.dialect) if isinstance(error, STUMBLES) else None
            if lacking is not None:
                self._problem(f"incomplete statement: {lacking}", step, "SyntaxError")
            else:
                self._problem(internal_fault(error, statement), step, "InternalError")

    # --- statements ---------------------------------------------------------------------------------------------

    def make(self, step: Step, tokens: list[Token] | None = None) -> Statement:
        """The statement of a step: the text of the step, to be parsed from these tokens."""
        outer = self.statement
        base = outer.base
        start = step.tokens[0].start + base
        end = step.tokens[-1].end + 1 + base
        closed = step.closed + base if step.closed else end
        named = self.named(step.tokens if tokens is None else tokens, base)
        found = prepared_tokens(named, self._family)
        if self._family.table_variables:
            found = self._without_table_signs(found)
        return Statement(outer.script, base, found, start, end, closed)

    def named(self, tokens: list[Token], base: int) -> list[Token]:
        """The tokens with the names that stand in variables."""
        return with_names(tokens, self.constants, self.ctx.names.variables, self.ctx.dialect, base)

    def _without_table_signs(self, tokens: list[Token]) -> list[Token]:
        """``FROM :lt``: a table variable is a table wherever it stands, with or without its colon."""
        kept: list[Token] = []
        for token, following in zip_longest(tokens, tokens[1:]):
            if kept and kept[-1].token_type in (TokenType.FROM, TokenType.JOIN):
                self._note_table(token, following)
            if token.token_type is TokenType.COLON and following is not None:
                found = self.scope.find([following])
                if found is not None and found.entity.sub_type == "table":
                    continue
            elif token.text.startswith(":") and len(token.text) > 1:
                name = Token(TokenType.VAR, token.text[1:], token.line, token.col, token.start + 1, token.end)
                token = name if self.scope.find([name]) is not None else token
            kept.append(token)
        return kept

    def _note_table(self, token: Token, following: Token | None) -> None:
        """``FROM :lt``: what is not declared (it comes from a call or a built-in function) is a table of unknown content."""
        name = following if token.token_type is TokenType.COLON else None
        if name is None and token.text.startswith(":") and len(token.text) > 1:
            name = Token(TokenType.VAR, token.text[1:], token.line, token.col, token.start + 1, token.end)
        if name is None:
            return
        found = self.scope.find([name])
        if found is None:
            self.scope.new(name, "", "table", self.statement)
        elif found.entity.kind == "variable" and found.entity.sub_type == "scalar" and not found.entity.columns:
            found.entity.sub_type = "table"
            found.entity.temporary = True

    def plain(self, statement: Statement) -> None:
        """A statement of SQL by itself."""
        self.analyser.plain(statement)

    def _problem(self, reason: str, step: Step, kind: ProblemType = "SyntaxError") -> None:
        base = self.statement.base
        self.ctx.builder.script = self.statement.script
        self.ctx.builder.problem(kind, reason, step.tokens[0].start + base, step.tokens[-1].end + 1 + base)

    def _sql(self, step: Sql) -> None:
        tokens = step.tokens
        targets: list[list[Token]] = []
        first = tokens[0].token_type
        if first is TokenType.CREATE:
            if is_procedural(tokens, self._family):
                # A migration that creates a function or a trigger where it is missing.
                with self.conditions.set_aside():
                    self.analyser.statement(self.make(step))
                return
        elif not self._family.batches:
            tokens, targets = take_into(tokens)
        elif first is TokenType.INSERT:
            self._note_table_variable(tokens)
        statement = self.make(step, tokens)
        if targets:
            self.into(statement, targets)
        elif step.discarded:
            returned, self.ctx.returned = self.ctx.returned, None
            self.plain(statement)
            self.ctx.returned = returned
        else:
            self.plain(statement)

    def _note_table_variable(self, tokens: list[Token]) -> None:
        """``INSERT INTO @rows (a, b)``: a variable whose type is defined elsewhere is a table all the same."""
        walker = TokenCursor(tokens)
        at = 2 if walker.word_at(1) == "INTO" else 1
        found = self.scope.find(tokens[at : at + 2]) if walker.word_at(at) == "@" else None
        if isinstance(found, Variable) and found.entity.sub_type == "scalar":
            found.entity.sub_type = "table"
            found.entity.temporary = True
            if walker.word_at(at + 2) == "(":
                found.known = self._columns(tokens[at + 3 : walker.close(at + 2)])

    def into(self, statement: Statement, targets: list[list[Token]], *, alone: bool = False) -> None:
        """A statement whose rows go into variables. `alone`: it is the text of dynamic SQL, which sees no variables."""
        ctx = self.ctx
        ctx.take(statement)
        self.forget(targets)
        for node in self.parse(statement):
            result = self.rows_of(node, alone=alone)
            if result is not None:
                process = ctx.builder.process
                assert process is not None
                self.binder.bind(result, targets, DML.get(process.type, "select"), self.statement)
        ctx.builder.number_resultsets()

    def forget(self, targets: list[list[Token]]) -> None:
        """Variables take what only the run knows: the texts they held are gone."""
        base = self.statement.base
        for target in targets:
            found = self.scope.find(target)
            if isinstance(found, Variable):
                start = target[0].start
                value = (literal(f"{UNKNOWN}{start}", start + base),)
                self.branches.assigned(self.constants, found.key[0], value)

    def rows_of(self, node: Any, label: ProcessType = "Select Into", *, alone: bool = False) -> Rowset | None:
        names = self.ctx.names
        variables = names.variables
        if alone:
            names.variables = {}
        result = self._read_rows(node, label)
        names.variables = variables
        return result

    def _read_rows(self, node: Any, label: ProcessType) -> Rowset | None:
        ctx = self.ctx
        if isinstance(node, exp.Query) or node.__class__ is exp.Values:
            ctx.begin(label)
            return ctx.queries.read(node, None, None)
        reader = INNER_DML.get(node.__class__)
        if reader is not None:
            ctx.begin(cast(ProcessType, node.__class__.__name__))
            return reader(ctx, node, ctx.scope(node))
        return None

    # --- declarations -------------------------------------------------------------------------------------------

    def _declare(self, step: Declare) -> None:
        statement = self.statement
        if step.is_type:
            words = [token.text.upper() for token in step.datatype[:3]]
            if "REF" in words:
                self.scope.new(step.names[0], "", "cursor", statement)
            return
        sub_type = step.kind or sub_type_of(step.datatype)
        known = self._columns(step.columns) if step.columns else self._row_type(step.datatype)
        if known is None and (known := self.table_type(step.datatype)) is not None:
            sub_type = "table"
        for name in step.names:
            variable = self.scope.new(name, step.sign, sub_type, statement, known)
            self.constants.pop(variable.key[0], None)
            if sub_type == "scalar" and self._is_collection(step.datatype):
                variable.entity.sub_type = "table"
        if step.kind == "cursor" or (sub_type == "cursor" and step.default):
            self.cursors.declare(step)
        elif step.default:
            targets = [name_tokens(name, step.sign) for name in step.names]
            self.values.assign(Assign(step.tokens, step.closed, targets, step.default))

    def declare_table(self, tokens: list[Token], statement: Statement) -> None:
        """``@rows TABLE (…)``: the table that a function fills and gives back."""
        for step in read_variable_list(tokens, 0):
            if step.kind == "table":
                self.scope.new(step.names[0], step.sign, "table", statement, self._columns(step.columns))

    def define_type(self, tokens: list[Token]) -> None:
        """``CREATE TYPE t AS TABLE (…)``: keeps the columns that variables of the type have."""
        walker = TokenCursor(tokens)
        end = name_end(walker, 2)
        self._table_types[self.scope.key(tokens[end - 1])] = self._columns(tokens[end + 3 : walker.close(end + 2)])

    def table_type(self, datatype: list[Token]) -> dict[str, str] | None:
        """The columns of a table type that the scripts define; None for every other type."""
        if not self._table_types or not datatype:
            return None
        return self._table_types.get(self.scope.key(datatype[-1]))

    def _is_collection(self, datatype: list[Token]) -> bool:
        words = {token.text.upper() for token in datatype}
        return bool(words & {"VARRAY"}) or ({"TABLE", "OF"} <= words)

    def _columns(self, tokens: list[Token]) -> dict[str, str]:
        """The columns of a table variable."""
        columns: dict[str, str] = {}
        for item in split_list(tokens):
            if item[0].text.upper() not in _COLUMN_ATTRIBUTES or item[0].token_type is TokenType.IDENTIFIER:
                columns[self.scope.key(item[0])] = item[0].text
        return columns

    def _row_type(self, datatype: list[Token]) -> dict[str, str] | None:
        """The columns of a record declared like the rows of a table, as far as they are known."""
        if len(datatype) < 3 or datatype[-1].text.upper() != "ROWTYPE":
            return None
        parts = tuple(
            (token.text, token.token_type is TokenType.IDENTIFIER)
            for token in datatype[:-2]
            if token.token_type is not TokenType.DOT
        )
        return self.ctx.catalog.known_columns(parts) if parts else None

    # --- calls and results --------------------------------------------------------------------------------------

    def _call(self, step: Call) -> None:
        if step.name[0].text == "@" and self._family.batches:
            self._call_by_variable(step)
        else:
            self.calls.call(self, step, self.make(step))

    def _call_by_variable(self, step: Call) -> None:
        """``EXEC @procedure …``: the name of what is called stands in a variable; mostly it is sp_executesql."""
        texts, _ = render(self.constants.get(self.scope.key(step.name[-1], "@"), ()))
        for text in texts:
            parts = [part.strip(" []") for part in text.text.split(".")]
            if parts[-1].lower() == "sp_executesql":
                known = len(parts) > 2 and parts[0] and UNKNOWN not in parts[0]
                token = step.name[-1]
                database = (
                    Token(TokenType.IDENTIFIER, parts[0], token.line, token.col, token.start, token.end)
                    if known
                    else None
                )
                for found in executed_text(step.tokens, step.closed, step.arguments, step.head, database):
                    self.act(found)
                return
        self.calls.call(self, step, self.make(step))

    def _return(self, step: Return) -> None:
        value = step.value
        if not step.goes_on:
            self.conditions.ends_routine()
        if not value:
            if step.goes_on and self.routine is not None:
                self.ctx.take(self.make(step))
                self.give_row(self.routine)
        elif step.dynamic:
            self.dynamic.execute(Execute(step.tokens, step.closed, value))
        elif is_query(value) and is_whole_query(value):
            query = bare_query(value)
            self.plain(self._part(query, step))
        elif value and value[0].token_type in _WRITING:
            # RETURN QUERY INSERT … RETURNING …
            self.plain(self.make(step, value))
        elif any(token.token_type is TokenType.SELECT for token in value):
            self.plain(self.make(step, expression_tokens(value)))
        elif self.routine is not None and value and (self.routine.kind == "function" or not self._family.batches):
            self._give(step, self.routine)

    def _give(self, step: Return, routine: Routine) -> None:
        """RETURN of a value: a variable as a whole, or what an expression is made of."""
        value = step.value
        walker = TokenCursor(value)
        if walker.word_at(0) == "(" and walker.close(0) == walker.stop - 1:
            # PIPE ROW (record)
            value = value[1:-1]
            walker = TokenCursor(value)
        whole = name_end(walker, 0, subscripts=True) == walker.stop and walker.seek(0, ".") == walker.stop
        rows = self.scope.find(value) if whole else None
        if isinstance(rows, Variable) and is_record(rows):
            self.ctx.names.wholes.add(rows)
            if rows.entity.columns:
                self.ctx.take(self.make(step))
                routine.given.append(Given(self.ctx.begin("Return"), {rows.entity: None}, row_of(rows)))
            return
        limits: dict[Column, None] = {}
        columns = self.values.value_columns(value, self.make(step, value), limits)
        if columns or limits or self.conditions.deciding:
            sources = dict(self.ctx.builder.flow.sources)
            routine.given.append(Given(self.ctx.begin("Return"), sources, None, columns, list(limits)))

    def give_row(self, routine: Routine, process: Process | None = None) -> None:
        """What the parameters and columns of a function hold that are returned without being named."""
        builder = self.ctx.builder
        keys = map(self.ctx.names.key_of, routine.columns)
        found = {key: each for key in keys if isinstance(each := self.ctx.names.variables.get(key), Variable)}
        held = {key: each for key, each in found.items() if each.entity.columns}
        if held:
            row = Rowset(next(iter(held.values())).entity)
            row.outputs = [(key, variable.own(builder)) for key, variable in held.items()]
            limits = [rows for each in held.values() if (rows := each.entity.columns.get(ROWS)) is not None]
            sources = {variable.entity: None for variable in held.values()}
            routine.given.append(Given(process or self.ctx.begin("Return"), sources, row, [], limits, named=True))

    def _part(self, tokens: list[Token], step: Step) -> Statement:
        """A statement inside a step, with its own text."""
        return self.make(type(step)(tokens, step.closed, tokens) if isinstance(step, Return) else step, tokens)
