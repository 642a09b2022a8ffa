"""Calls: which procedure is called, with which values, and what it returns."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from sqlglot.errors import ParseError
from sqlglot.tokenizer_core import Token, TokenType

from connector.analysis.builder import ROWS, STAR, Builder
from connector.analysis.context import Context, Target
from connector.analysis.routines.registry import Routine
from connector.analysis.routines.results import Results
from connector.analysis.routines.variables import Variable
from connector.analysis.rowset import Rowset
from connector.analysis.writing import write_columns
from connector.model import Column, Entity, Process, Relation
from connector.sql.cursor import TokenCursor, split_list
from connector.sql.procedural.steps import Argument, Call
from connector.sql.statement import Statement

if TYPE_CHECKING:
    from connector.analysis.routines.runner import StepRunner


@dataclass(slots=True, eq=False)
class _Passed:
    """An argument as the caller sees it."""

    name: str
    columns: list[Column]
    limits: list[Column]
    variable: Variable | None
    """The variable it is, if it is one: what comes out goes there."""


class Calls:
    """Calls of procedures; those of one that is not defined yet wait for it."""

    def __init__(self, ctx: Context, results: Results) -> None:
        self.ctx = ctx
        self.results = results
        self._entities: dict[str, Entity] = {}

    def _key(self, tokens: list[Token]) -> str:
        """In the model a procedure goes by the last part of its name."""
        last = tokens[-1]
        return self.ctx.dialect.fold_table(last.text, last.token_type is TokenType.IDENTIFIER).lower()

    def define(self, routine: Routine) -> None:
        self.results.registry.add(routine)
        called = self._entities.get(routine.path[-1])
        if called is not None:
            called.name = routine.procedure.name

    def call(self, runner: StepRunner, step: Call, statement: Statement) -> None:
        """The process of a call, its relation to the procedure, and the values that go in and come out."""
        ctx = self.ctx
        path = tuple(token.text.lower() for token in step.name if token.token_type is not TokenType.DOT and token.text)
        arguments = [self._argument(runner, argument, step) for argument in step.arguments]
        routine = self.results.registry.find(path, len(arguments), ctx.procedure)
        moves = any(argument.columns for argument in arguments)
        if routine is None and not moves and not step.head:
            self._note_call(step, statement, [], routine)
            return
        ctx.take(statement)
        columns = [column for argument in arguments for column in argument.columns]
        process = self._note_call(step, statement, columns, routine)
        taking = self._insert(runner, step) if step.head else None

        def link(found: Routine) -> None:
            self._pass(found, arguments, process)
            if taking is not None:
                taking(found)

        if routine is not None and routine.done:
            link(routine)
        else:
            self.results.wait(path, len(arguments), link)

    @staticmethod
    def _argument(runner: StepRunner, argument: Argument, step: Call) -> _Passed:
        found = runner.scope.find(argument.value) if _is_name(argument.value) else None
        if found is None and runner.ctx.dialect.family.session_variables and _is_signed(argument.value):
            # MySQL: a variable of the session comes into being where something is written to it.
            place = runner.scope.place(argument.value, runner.statement)
            found = place.rowset if place is not None else None
        variable = found if isinstance(found, Variable) else None
        limits: dict[Column, None] = {}
        columns = runner.values.value_columns(argument.value, runner.make(step, argument.value), limits)
        return _Passed(argument.name, columns, list(limits), variable)

    def _note_call(self, step: Call, statement: Statement, columns: list[Column], routine: Routine | None) -> Process:
        """The relation `call` from the calling process to the procedure."""
        ctx = self.ctx
        builder = ctx.builder
        ctx.take(statement)
        process = ctx.begin("Call")
        entity = self._entity(step, statement, routine)
        builder.model.relations.append(
            Relation(
                builder.next_id(), "call", builder.rows(entity), list(dict.fromkeys(columns)), "call", None, process
            )
        )
        return process

    def _entity(self, step: Call, statement: Statement, routine: Routine | None) -> Entity:
        key = self._key(step.name)
        found = self._entities.get(key)
        if found is None:
            base = statement.base
            start, end = step.name[0].start + base, step.name[-1].end + 1 + base
            name = routine.procedure.name if routine is not None else statement.script.text[start:end]
            builder = self.ctx.builder
            found = Entity(
                builder.next_id(), "procedure", name, "procedure", table=name, span=(statement.script, start, end)
            )
            self._entities[key] = builder.entity(found)
        return found

    def _insert(self, runner: StepRunner, step: Call) -> Callable[[Routine], None] | None:
        """``INSERT INTO t EXEC p``: the table is written; with what, the routine says that is given to the answer."""
        ctx = self.ctx
        tokens = [token for token in step.head if token.text.upper() not in ("INSERT", "INTO")]
        walker = TokenCursor(tokens)
        behind = 0
        while behind < len(tokens) and walker.word_at(behind) != "(" and not walker.words(behind, "WITH", "("):
            behind += 1
        name = tokens[:behind]
        if not name:
            return None
        if walker.words(behind, "WITH", "("):
            # Hints.
            behind = walker.close(behind + 1) + 1
        process = ctx.builder.process
        assert process is not None
        process.type = "Insert"
        variable = runner.scope.find(name) if name[0].text == "@" else None
        target: Rowset
        if isinstance(variable, Variable):
            variable.show(ctx.builder)
            target = variable
        else:
            target = self._table(name)
        flow = ctx.writes(target.entity)
        items = split_list(tokens[behind + 1 : walker.close(behind)]) if walker.word_at(behind) == "(" else []
        names: list[Target] | None = [(runner.scope.key(item[-1]), item[-1].text, None) for item in items] or None

        def take(routine: Routine) -> None:
            rows = self.results.result(routine)
            if rows is None or not rows.outputs:
                return
            builder = ctx.builder
            around = builder.process, builder.flow
            builder.process, builder.flow = process, flow
            flow.sources[rows.entity] = None
            write_columns(ctx, target, rows, names, "insert")
            builder.process, builder.flow = around

        return take

    def _table(self, name: list[Token]) -> Rowset:
        ctx = self.ctx
        base = ctx.statement.base
        start, end = name[0].start + base, name[-1].end + 1 + base
        parts = tuple(
            (token.text, token.token_type is TokenType.IDENTIFIER)
            for token in name
            if token.token_type not in (TokenType.DOT, TokenType.HASH)
        )
        if not parts:
            raise ParseError("incomplete statement: the name of a table is missing")
        if name[0].token_type is TokenType.HASH:
            signs = "".join(token.text for token in name if token.token_type is TokenType.HASH)
            parts = ((signs + parts[0][0], parts[0][1]), *parts[1:])
        script = ctx.statement.script
        return ctx.catalog.table(parts, script.text[start:end], (script, start, end))

    def _pass(self, routine: Routine, arguments: list[_Passed], process: Process) -> None:
        """Values to parameters, and what comes out of the parameters to the variables of the caller."""
        builder = self.ctx.builder
        outer, builder.process = builder.process, process
        by_name = {parameter.key[0].lstrip("@").lower(): place for place, parameter in enumerate(routine.parameters)}
        for position, argument in enumerate(arguments):
            place = by_name.get(argument.name.lower(), -1) if argument.name else position
            if not 0 <= place < len(routine.parameters):
                continue
            parameter = routine.parameters[place]
            mode = routine.modes[place]
            variable = argument.variable
            if variable is not None and parameter.entity.sub_type == "table":
                _pass_table(builder, parameter, variable)
                continue
            if mode != "OUT" and argument.columns:
                current, parameter.entity = parameter.entity, parameter.first
                builder.relate("fdd", parameter.own(builder), argument.columns, "call")
                # The body of the procedure may have been read before: what limits the value goes with the value.
                builder.relate("fdr", parameter.own(builder), argument.limits, "call", "select")
                parameter.entity = current
            if mode != "IN" and variable is not None:
                builder.direct(variable.own(builder), parameter.own(builder), "call")
                builder.relate("fdr", variable.own(builder), _limits(parameter), "call", "select")
        builder.process = outer


def _pass_table(builder: Builder, parameter: Variable, variable: Variable) -> None:
    """A table goes to a parameter column by column, and by position where their names differ."""
    current, parameter.entity = parameter.entity, parameter.first
    named = list((parameter.known or {}).items())
    given = [(key, column) for key, column in variable.entity.columns.items() if key not in (ROWS, STAR)]
    for place, (key, column) in enumerate(given):
        name = column.name
        if parameter.known is not None and key not in parameter.known and place < len(named):
            key, name = named[place]
        taken = parameter.column(builder, key, name, None)
        builder.direct(taken, column, "call")
        builder.relate("fdr", taken, _limits(variable), "call", "select")
        if STAR in parameter.entity.columns:
            builder.direct(parameter.entity.columns[STAR], column, "call")
    parameter.entity = current


def _limits(variable: Variable | None) -> list[Column]:
    """The row column of a variable that a limited query filled."""
    rows = variable.entity.columns.get(ROWS) if variable is not None else None
    return [rows] if rows is not None else []


def _is_signed(tokens: list[Token]) -> bool:
    """``@x``, and nothing else."""
    return len(tokens) == 2 and tokens[0].token_type is TokenType.PARAMETER


def _is_name(tokens: list[Token]) -> bool:
    return bool(tokens) and all(
        token.token_type is not TokenType.STRING and token.text not in "()+-*/|" for token in tokens
    )
