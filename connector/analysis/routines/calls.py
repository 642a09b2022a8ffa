"""Calls: which procedure is called, with which values, and what it gives back."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from sqlglot.tokenizer_core import Token, TokenType

from connector.analysis.builder import ROWS
from connector.analysis.context import Context
from connector.analysis.routines.variables import Variable
from connector.model import Column, Entity, Procedure, Process, Relation
from connector.sql.procedural.heads import Head
from connector.sql.procedural.steps import Argument, Call
from connector.sql.statement import Statement

if TYPE_CHECKING:
    from connector.analysis.routines.runner import StepRunner

__all__ = ["Calls", "Routine"]


@dataclass(slots=True, eq=False)
class Routine:
    """A procedure that the script defines."""

    procedure: Procedure
    full_name: str
    parameters: list[Variable] = field(default_factory=list)
    modes: list[str] = field(default_factory=list)


@dataclass(slots=True, eq=False)
class _Passed:
    """An argument as the caller sees it."""

    name: str
    columns: list[Column]
    limits: list[Column]
    variable: Variable | None
    """The variable it is, if it is one: what comes out goes there."""


@dataclass(slots=True, eq=False)
class _Pending:
    """A call of a procedure that is not defined yet."""

    arguments: list[_Passed]
    process: Process


class Calls:
    """The procedures of a run by name, and the calls that wait for theirs to be defined."""

    def __init__(self, ctx: Context) -> None:
        self.ctx = ctx
        self._routines: dict[str, Routine] = {}
        self._entities: dict[str, Entity] = {}
        self._pending: dict[str, list[_Pending]] = {}

    def _key(self, tokens: list[Token]) -> str:
        """A routine is known by the last part of its name; overloads and schemas are not told apart."""
        last = tokens[-1]
        return self.ctx.dialect.fold_table(last.text, last.token_type is TokenType.IDENTIFIER).lower()

    def define(self, head: Head, routine: Routine) -> None:
        if not head.name:
            return
        key = self._key(head.name)
        self._routines[key] = routine
        called = self._entities.get(key)
        if called is not None:
            called.name = routine.procedure.name

    def settle(self, head: Head, routine: Routine) -> None:
        """The calls that came before the definition; what they get back is known when the body has been read."""
        for pending in self._pending.pop(self._key(head.name), ()) if head.name else ():
            self._pass(routine, pending.arguments, pending.process)

    def call(self, runner: StepRunner, step: Call, statement: Statement) -> None:
        """The process of a call, its relation to the procedure, and the values that go in and come out."""
        ctx = self.ctx
        key = self._key(step.name)
        arguments = [self._argument(runner, argument, step) for argument in step.arguments]
        routine = self._routines.get(key)
        moves = any(argument.columns for argument in arguments)
        if routine is None and not moves and not step.head:
            self._note_call(key, step, statement, [])
            return
        ctx.take(statement)
        process = self._note_call(
            key, step, statement, [column for argument in arguments for column in argument.columns]
        )
        if step.head:
            self._insert(runner, step)
        if routine is not None:
            self._pass(routine, arguments, process)
        else:
            self._pending.setdefault(key, []).append(_Pending(arguments, process))

    @staticmethod
    def _argument(runner: StepRunner, argument: Argument, step: Call) -> _Passed:
        found = runner.scope.find(argument.value) if _is_name(argument.value) else None
        variable = found if isinstance(found, Variable) else None
        limits: dict[Column, None] = {}
        columns = runner.values.value_columns(argument.value, runner.make(step, argument.value), limits)
        return _Passed(argument.name, columns, list(limits), variable)

    def _note_call(self, key: str, step: Call, statement: Statement, columns: list[Column]) -> Process:
        """The relation `call` from the calling process to the procedure."""
        ctx = self.ctx
        builder = ctx.builder
        ctx.take(statement)
        process = ctx.begin("Call")
        entity = self._entity(key, step, statement)
        builder.model.relations.append(
            Relation(
                builder.next_id(), "call", builder.rows(entity), list(dict.fromkeys(columns)), "call", None, process
            )
        )
        return process

    def _entity(self, key: str, step: Call, statement: Statement) -> Entity:
        found = self._entities.get(key)
        if found is None:
            base = statement.base
            start, end = step.name[0].start + base, step.name[-1].end + 1 + base
            routine = self._routines.get(key)
            name = routine.procedure.name if routine is not None else statement.script.text[start:end]
            builder = self.ctx.builder
            found = Entity(
                builder.next_id(), "procedure", name, "procedure", table=name, span=(statement.script, start, end)
            )
            self._entities[key] = builder.entity(found)
        return found

    def _insert(self, runner: StepRunner, step: Call) -> None:
        """``INSERT INTO t EXEC p``: the table is written; with what, only the procedure knows."""
        tokens = [token for token in step.head if token.text.upper() not in ("INSERT", "INTO")]
        name: list[Token] = []
        for token in tokens:
            if token.token_type is TokenType.L_PAREN:
                break
            name.append(token)
        if not name:
            return
        place = runner.scope.find(name) if name[0].text == "@" else None
        ctx = self.ctx
        assert ctx.builder.process is not None
        ctx.builder.process.type = "Insert"
        if isinstance(place, Variable):
            ctx.writes(place.show(ctx.builder))
            return
        base = ctx.statement.base
        start, end = name[0].start + base, name[-1].end + 1 + base
        parts = tuple(
            (token.text, token.token_type is TokenType.IDENTIFIER)
            for token in name
            if token.token_type not in (TokenType.DOT, TokenType.HASH)
        )
        if name[0].token_type is TokenType.HASH:
            signs = "".join(token.text for token in name if token.token_type is TokenType.HASH)
            parts = ((signs + parts[0][0], parts[0][1]), *parts[1:])
        script = ctx.statement.script
        ctx.writes(ctx.catalog.table(parts, script.text[start:end], (script, start, end)).entity)

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


def _limits(variable: Variable | None) -> list[Column]:
    """The row column of a variable that a limited query filled."""
    rows = variable.entity.columns.get(ROWS) if variable is not None else None
    return [rows] if rows is not None else []


def _is_name(tokens: list[Token]) -> bool:
    return bool(tokens) and all(
        token.token_type is not TokenType.STRING and token.text not in "()+-*/|" for token in tokens
    )
