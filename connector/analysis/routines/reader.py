"""Reads a procedural statement: the routine's name, arguments and scope of names, and its steps."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import cast

from sqlglot.tokenizer_core import Token, TokenType

from connector.analysis.context import Context
from connector.analysis.nameless import shown
from connector.analysis.routines.calls import Calls
from connector.analysis.routines.dynamic import Constants
from connector.analysis.routines.registry import Given, Routine
from connector.analysis.routines.results import Results
from connector.analysis.routines.runner import StatementAnalyser, StepRunner
from connector.analysis.routines.templates import template_of
from connector.analysis.routines.texts import literal_statements
from connector.analysis.routines.triggers import Triggers
from connector.analysis.routines.variables import Variable, sub_type_of
from connector.analysis.rowset import Rowset
from connector.model import BATCH, Argument, Flow, Procedure, Process, ProcessType, Script, Span
from connector.naming import quote_part
from connector.sql.cursor import TokenCursor, name_end, split_list
from connector.sql.procedural.heads import Head, family_of, overloads, read_head
from connector.sql.procedural.reading import is_table_type, quoted_tokens, read_body, read_steps
from connector.sql.procedural.steps import Enter, Leave, Parameter, Step
from connector.sql.statement import Statement
from connector.sql.words import STRINGS, word

_TYPES = {"macro": "createmacro", "event": "createevent", "type": "createtype"}
_SQL_LANGUAGES = frozenset({"", "sql", "plpgsql", "nzplsql", "plvsql", "plsql", "sqlscript", "edbspl", "tsql"})
_JAVASCRIPT = frozenset({"javascript", "js"})
_NESTING_LIMIT = 12
_WRAPPED = "The source of this routine is wrapped: the tables it reads and writes are unknown"


_STATEMENTS = frozenset("SELECT WITH INSERT UPDATE DELETE MERGE VALUES CREATE TRUNCATE (".split())
"""How the quoted body of a function begins that is a statement, and no expression."""


class RoutineReader:
    """Reads routines and procedural statements, one after another, for one run."""

    def __init__(self, ctx: Context, analyser: StatementAnalyser, results: Results) -> None:
        self.ctx = ctx
        self.results = results
        self.calls = Calls(ctx, results)
        self.runner = StepRunner(ctx, analyser, self.calls, self._inner)
        self.triggers = Triggers(ctx, self.runner.conditions)
        self._family = ctx.dialect.family
        self._depth = 0
        self._texts: dict[str, Constants] = {}
        """The texts that the variables of packages hold, by the folded name of the package."""
        results.instance = self._instance

    def begin_script(self) -> None:
        """A new script: its variables are its own."""
        self.ctx.names.variables = {}
        self.ctx.names.reads = set()
        self.runner.constants = {}

    def named(self, statement: Statement) -> Statement:
        """The statement with the names that stand in variables."""
        tokens = self.runner.named(statement.tokens, statement.base)
        return statement.with_tokens(tokens) if tokens is not statement.tokens else statement

    def takes(self, statement: Statement) -> bool:
        """Whether a statement that looks procedural is: SET may be about a setting instead of a variable."""
        tokens = statement.tokens
        return tokens[0].token_type is not TokenType.SET or self._sets_variable(tokens)

    def _sets_variable(self, tokens: list[Token]) -> bool:
        """SET is about a variable if its prefix says so or it is declared; else it is about a setting."""
        target = tokens[1].text
        if target == "@":
            return tokens[2].text != "@"
        if target.upper() in ("VAR", "VARIABLE") or target == "(":
            return self._family.set_lists
        if self._family.set_declares:
            return tokens[2].text == "="
        return self.runner.scope.key(tokens[1]) in self.ctx.names.variables

    def read(self, statement: Statement) -> None:
        """A routine, a block, or a procedural statement of the script itself."""
        if self._depth >= _NESTING_LIMIT:
            return
        self._depth += 1
        around_family = self._family
        try:
            tokens = statement.tokens
            self.ctx.take(statement)
            self._family = family_of(tokens, self.ctx.dialect.family)
            if self._family.batches and is_table_type(tokens):
                self.runner.define_type(tokens)
                return
            head = read_head(tokens, 0, len(tokens), self._family)
            if head is not None:
                for part in overloads(tokens, self._family):
                    own = head if part is tokens else read_head(part, 0, len(part), self._family)
                    if own is not None:
                        self._routine(own, statement, part)
            elif tokens[0].text.upper() == "DO" and any(token.token_type in STRINGS for token in tokens[1:4]):
                self._quoted_block(statement)
            else:
                names = self.ctx.names
                around, names.blocks = names.blocks, names.blocks | {""}
                self.runner.run(read_steps(tokens, self._family), statement)
                names.blocks = around
        finally:
            self._depth -= 1
            self._family = around_family

    # --- routines -----------------------------------------------------------------------------------------------

    def _routine(self, head: Head, statement: Statement, tokens: list[Token], outer: str = "") -> None:
        ctx = self.ctx
        names = ctx.names
        full_name = self._full_name(head, outer)
        saved = (names.variables, ctx.procedure, self.runner.constants, names.bare_variables, names.blocks)
        defaults = ctx.catalog.defaults
        around = ctx.returned, self.runner.routine
        try:
            if self._family.packages and _is_wrapped(head, tokens):
                ctx.builder.problem("SyntaxHint", _WRAPPED, statement.start, statement.end)
            elif head.kind in ("package", "type"):
                if not outer:
                    names.variables = {}
                self._members(head, statement, tokens, full_name)
            else:
                names.variables = dict(names.variables) if outer else self._session_variables()
                self.runner.constants = dict(self.runner.constants) if outer else {}
                names.bare_variables = not self._family.signed_variables or head.kind == "function"
                if head.name:
                    names.blocks = names.blocks | {names.key_of(head.name[-1].text)}
                routine = self._define(head, statement, full_name)
                if ctx.dialect.own_query_functions:
                    routine.template = template_of(head, statement, tokens, self.results.registry.is_template)
                if head.search_path is not None:
                    ctx.catalog.use(
                        ctx.catalog.database,
                        (head.search_path.text, head.search_path.token_type is TokenType.IDENTIFIER),
                    )
                ctx.procedure = full_name
                whole: Process | None = None
                if not outer:
                    # The routine as a whole: the table level says of it what all its statements read and write.
                    whole = ctx.begin(cast(ProcessType, f"Create {head.kind.title()}"))
                self.triggers.enter(head, statement)
                ctx.returned, self.runner.routine = _taker(routine), routine
                self.runner.conditions.enter(head.condition if not head.executes else [])
                first = len(ctx.builder.model.processes)
                self._body(head, statement, tokens)
                routine.writes = _writes(ctx.builder.model.processes[first:])
                self.runner.conditions.leave()
                ctx.returned, self.runner.routine = around
                if whole is not None and head.kind == "function" and not routine.given:
                    self.runner.give_row(routine, whole)
                if head.language == "sql":
                    # Of several statements the last one gives the rows.
                    routine.given = routine.given[-1:]
                if head.name:
                    self.results.settle(routine)
                self.triggers.leave(head, routine.given)
        finally:
            ctx.returned, self.runner.routine = around
            names.variables, ctx.procedure, self.runner.constants, names.bare_variables, names.blocks = saved
            # To define a routine is not to run it.
            ctx.catalog.restore(defaults)

    def _instance(self, routine: Routine, texts: Mapping[str, str]) -> Routine:
        """The routine read once more, with the texts of a call in it, while the statement that calls it is at hand."""
        template = routine.template
        found = replace(routine, given=[], result=None, template=None, instances={})
        if template is None or self._depth >= _NESTING_LIMIT:
            return found
        ctx = self.ctx
        names, builder = ctx.names, ctx.builder
        saved = names.variables, names.bare_variables, ctx.procedure, ctx.returned, self.runner.routine
        calling = ctx.statement, builder.process, builder.flow, builder.reach
        self._depth += 1
        names.variables = {parameter.key[0]: parameter for parameter in routine.parameters}
        names.bare_variables = True
        ctx.procedure, ctx.returned, self.runner.routine = routine.full_name, _taker(found), found
        self.runner.run(read_body(template.head, template.filled(texts), self._family), template.statement)
        self._depth -= 1
        names.variables, names.bare_variables, ctx.procedure, ctx.returned, self.runner.routine = saved
        ctx.take(calling[0])
        _, builder.process, builder.flow, builder.reach = calling
        return found

    def _session_variables(self) -> dict[str, Rowset]:
        """MySQL: what has an @ belongs to the session and is there in every routine."""
        if not self._family.session_variables:
            return {}
        return {key: found for key, found in self.ctx.names.variables.items() if key.startswith("@")}

    def _members(self, head: Head, statement: Statement, tokens: list[Token], full_name: str) -> None:
        """A package: its routines know its variables, and each is a routine of its own."""
        ctx = self.ctx
        ctx.builder.model.procedures.append(
            Procedure(
                ctx.builder.next_id(),
                self._written(head.name, statement),
                "createpackage",
                span=self._span(head.name, statement),
            )
        )
        ctx.procedure = full_name
        names = ctx.names
        package = names.key_of(head.name[-1].text) if head.name else ""
        # What the specification declares is known in the body, too, which comes later.
        names.variables = names.packages[package] = {**names.variables, **names.packages.get(package, {})}
        names.blocks = names.blocks | {package}
        saved, self.runner.constants = self.runner.constants, dict(self._texts.get(package, {}))
        steps = read_body(head, tokens, self._family)
        self.runner.run(steps[1:-1] if _is_one_block(steps) else steps, statement)
        self._texts[package] = self.runner.constants
        self.runner.constants = saved

    def _inner(self, step: Step, statement: Statement) -> None:
        """A routine among the declarations of a package or of another routine."""
        head = read_head(step.tokens, 0, len(step.tokens), self._family)
        if head is not None and self._depth < _NESTING_LIMIT:
            self._depth += 1
            names = self.ctx.names
            around = names.unwritten
            names.unwritten = frozenset(found for found in names.variables.values() if not found.entity.columns)
            self._routine(head, statement, step.tokens, self.ctx.procedure)
            for variable in names.unwritten & names.reads:
                if isinstance(variable, Variable):
                    variable.shared = True
            names.unwritten = around
            self._depth -= 1

    def _define(self, head: Head, statement: Statement, full_name: str) -> Routine:
        """The procedure element, and its parameters as variables."""
        ctx = self.ctx
        builder = ctx.builder
        kind = _TYPES.get(head.kind, f"create{head.kind}")
        procedure = Procedure(
            builder.next_id(), self._written(head.name, statement), kind, span=self._span(head.name, statement)
        )
        builder.model.procedures.append(procedure)
        routine = Routine(procedure, full_name, head.kind, self._path(head, full_name))
        for place, parameter in enumerate(head.parameters, 1):
            variable = self._parameter(parameter, place, statement)
            routine.parameters.append(variable)
            routine.modes.append(parameter.inout)
            routine.optional += bool(parameter.default)
            datatype = self._written(parameter.datatype, statement)
            procedure.arguments.append(
                Argument(builder.next_id(), variable.entity.name, datatype, parameter.inout, variable.entity.span)
            )
        if head.result[:1] and head.result[0].text == "@":
            # T-SQL: RETURNS @rows TABLE (…)
            self.runner.declare_table(head.result, statement)
            routine.result = self.runner.scope.find(head.result[:2])
        routine.columns = _result_columns(head.result)
        if not routine.columns and head.kind == "function":
            # Of a function in FROM the parameters that are filled are the columns.
            filled = [
                variable for variable, mode in zip(routine.parameters, routine.modes, strict=True) if mode != "IN"
            ]
            routine.columns = [variable.entity.name for variable in filled]
        routine.several = bool(head.result) and head.result[0].text.upper() in ("SETOF", "TABLE")
        routine.columns = routine.columns or self._row_columns(head)
        if head.name:
            self.calls.define(routine)
        return routine

    def _row_columns(self, head: Head) -> list[str]:
        """``RETURNS p``, ``RETURNS SETOF p``: the fields of a row type; values in rows go by the name of the function."""
        result = head.result
        walker = TokenCursor(result)
        several = walker.word_at(0) == "SETOF"
        named = result[several : name_end(walker, int(several))]
        if several and len(named) == 1 and named[0].token_type not in (TokenType.VAR, TokenType.IDENTIFIER):
            return [head.name[-1].text] if head.name else []
        parts = tuple(
            (token.text, token.token_type is TokenType.IDENTIFIER)
            for token in named
            if token.token_type is not TokenType.DOT
        )
        catalog = self.ctx.catalog
        if not parts:
            return []
        known = catalog.known_columns(parts) if several else catalog.row_type(parts)
        return list((known or {}).values())

    def _path(self, head: Head, full_name: str) -> tuple[str, ...]:
        """The folded parts of the name; of a member of a package that of the package too."""
        own = [token.text.lower() for token in head.name if token.token_type is not TokenType.DOT and token.text]
        outer = full_name.lower().split(".")[: -len(own)] if own else []
        return (*(part.strip('"') for part in outer), *own)

    def _parameter(self, parameter: Parameter, place: int, statement: Statement) -> Variable:
        names = self.ctx.names
        token = parameter.name
        position = f"${place}"
        if token is None:
            variable = Variable(position, position, sub_type_of(parameter.datatype), None)
        else:
            known = self.runner.table_type(parameter.datatype)
            is_table = known is not None or parameter.readonly
            sub_type = "table" if is_table else sub_type_of(parameter.datatype)
            variable = self.runner.scope.new(token, parameter.sign, sub_type, statement, known)
        if self._family.positional_parameters:
            names.variables[position] = variable
        names.variables[variable.key[0]] = variable
        return variable

    def _body(self, head: Head, statement: Statement, tokens: list[Token]) -> None:
        if head.quoted is None:
            self.runner.run(read_body(head, tokens, self._family), statement)
        elif head.language in _JAVASCRIPT:
            for found in literal_statements(statement, head.quoted, self.ctx.dialect):
                self.runner.plain(found)
        elif head.language in _SQL_LANGUAGES:
            inner = quoted_tokens(statement.script, head.quoted, statement.base, self.ctx.dialect)
            self._read_quoted(head, inner, statement)

    def _read_quoted(self, head: Head, tokens: list[Token], statement: Statement) -> None:
        if not any(token.text[:1].isalpha() for token in tokens):
            return
        unquoted = Head(head.kind, head.name, body=(0, len(tokens)))
        first = tokens[0].text.upper()
        if (
            head.kind == "function"
            and first not in ("BEGIN", "DECLARE", "<", "BEGIN_PROC")
            and head.language in ("", "sql")
        ):
            if first not in _STATEMENTS and all(token.token_type is not TokenType.SEMICOLON for token in tokens[:-1]):
                tokens = [Token(TokenType.VAR, "RETURN", 1, 1, tokens[0].start, tokens[0].start - 1), *tokens]
                unquoted.body = (0, len(tokens))
        self.runner.run(read_body(unquoted, tokens, self._family), statement)

    def _quoted_block(self, statement: Statement) -> None:
        """``DO $$ … $$``: a block without a name."""
        names = self.ctx.names
        saved = names.variables
        names.variables = dict(saved)
        for token in statement.tokens[1:]:
            if token.token_type in STRINGS:
                tokens = quoted_tokens(statement.script, token, statement.base, self.ctx.dialect)
                self._read_quoted(Head("block", language="plpgsql"), tokens, statement)
                break
        names.variables = saved

    # --- names --------------------------------------------------------------------------------------------------

    def _full_name(self, head: Head, outer: str) -> str:
        """Qualified as far as the text and the defaults in force say."""
        parts = [
            (shown(token.text), token.token_type is TokenType.IDENTIFIER)
            for token in head.name
            if token.token_type is not TokenType.DOT
        ]
        if not parts:
            return outer or BATCH
        written = [part for part in parts if part[0]]
        if outer and outer != BATCH:
            return ".".join([outer, *(quote_part(name) for name, _ in written)])
        catalog = self.ctx.catalog
        layers = []
        missing = 3 - len(written) if self.ctx.dialect.layers > 2 else 2 - len(written)
        if missing > 1 and catalog.database and catalog.schema:
            layers.append(catalog.database[0])
        if missing > 0:
            default = catalog.schema if self.ctx.dialect.layers > 2 else catalog.database
            if default:
                layers.append(default[0])
            if missing == 1 and self.ctx.dialect.layers > 2 and catalog.database:
                layers = [catalog.database[0]]
        return ".".join([*map(quote_part, layers), *(quote_part(name) for name, _ in written)])

    @staticmethod
    def _written(tokens: list[Token], statement: Statement) -> str:
        if not tokens:
            return ""
        base = statement.base
        return shown(statement.script.text[tokens[0].start + base : tokens[-1].end + 1 + base])

    @staticmethod
    def _span(tokens: list[Token], statement: Statement) -> Span | None:
        if not tokens:
            return None
        script: Script = statement.script
        return script, tokens[0].start + statement.base, tokens[-1].end + 1 + statement.base


def _writes(processes: list[Process]) -> bool:
    return any(flow.target is not None and flow.target.permanent for each in processes for flow in each.flows)


def _is_one_block(steps: list[Step]) -> bool:
    """Whether the first step enters what the last one leaves."""
    depth = 0
    for place, step in enumerate(steps):
        depth += isinstance(step, Enter) - isinstance(step, Leave)
        if not depth:
            return place == len(steps) - 1 > 0
    return False


def _is_wrapped(head: Head, tokens: list[Token]) -> bool:
    """Oracle: ``PACKAGE BODY p WRAPPED a000000 …``, a source that nobody shall read."""
    behind = next((i + 1 for i, token in enumerate(tokens) if head.name and token is head.name[-1]), len(tokens))
    return word(tokens, behind) == "WRAPPED"


def _taker(routine: Routine) -> Callable[[Rowset, Process, Flow], None]:
    """Keeps what the queries of a routine give back."""

    def take(result: Rowset, process: Process, flow: Flow) -> None:
        routine.given.append(Given(process, dict(flow.sources), result))

    return take


def _result_columns(result: list[Token]) -> list[str]:
    """The names in ``RETURNS TABLE (a INT, b TEXT)``."""
    walker = TokenCursor(result)
    if walker.word_at(0) != "TABLE" or walker.word_at(1) != "(":
        return []
    items = split_list(result[2 : walker.close(1)])
    return [item[0].text for item in items if len(item) > 1]
