"""Conditions around statements that write: those of IF, CASE and WHILE, of a trigger and of a rule.

Whether the statement runs depends on them, so their columns decide the rows of its target as those of a WHERE clause do,
and what a variable holds. They are read when the first statement inside them has written something; most never are.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from sqlglot.errors import ParseError
from sqlglot.tokenizer_core import Token, TokenType

from connector.analysis.builder import ROWS, Impacts
from connector.analysis.nodes import BASE
from connector.analysis.parsing import parse_statement
from connector.analysis.routines.preparing import expression_tokens
from connector.analysis.routines.registry import Given
from connector.analysis.rowset import Rowset
from connector.analysis.scope import Scope
from connector.model import EffectType, Entity, Flow, Process
from connector.sql.procedural.steps import Assign, Step
from connector.sql.statement import Statement
from connector.sql.words import in_parentheses

if TYPE_CHECKING:
    from connector.analysis.routines.runner import StepRunner

DML: dict[str, EffectType] = {"Insert": "insert", "Update": "update", "Delete": "delete", "Merge": "merge"}
_WRITES: dict[str, EffectType] = {**DML, "Set": "select", "Select Into": "select", "Fetch": "cursor"}
_NOTE = "cannot parse this condition: the columns it reads are missing from the lineage"


@dataclass(slots=True, eq=False)
class _Condition:
    """The tokens of a condition, and what it reads as soon as that is known."""

    tokens: list[Token]
    impacts: Impacts | None = None
    flow: Flow | None = None


@dataclass(slots=True, eq=False)
class _Level:
    """The conditions of a statement with branches, or of a loop."""

    loop: bool = False
    conditions: list[_Condition] = field(default_factory=list)
    left: bool = False
    """The routine may end within it."""
    passed: list[_Condition] = field(default_factory=list)
    """Those of levels inside that have ended, in which the routine may have ended, too: what it returns depends on them.

    Every later statement does as well, but a routine that begins with checks would then draw each of them to each of its targets.
    """


class Conditions:
    """The conditions in force."""

    def __init__(self, runner: StepRunner) -> None:
        self._runner = runner
        self._open: list[_Level] = []
        self._done = 0
        """How many processes have got their conditions."""

    def enter(self, tokens: list[Token], loop: bool = False) -> None:
        self._open.append(_Level(loop))
        self.turn(tokens)

    def turn(self, tokens: list[Token]) -> None:
        """Another branch: it is taken where its own condition holds, and none of those before."""
        if tokens and self._open and self._reads(tokens):
            self._open[-1].conditions.append(_Condition(tokens))

    def goes_round(self, record: Rowset | None) -> None:
        """A loop over the rows of a query: what limits them decides how often its statements run."""
        rows = record.entity.columns.get(ROWS) if record is not None else None
        if rows is not None and self._open:
            self._open[-1].conditions.append(_Condition([], {"where": {rows: None}}, Flow(None)))

    def skip(self) -> None:
        """A loop may end here, or go on from its beginning: the rest of it runs where the branches around are not taken."""
        around = next((i for i in reversed(range(len(self._open))) if self._open[i].loop), len(self._open))
        for level in self._open[around + 1 :]:
            self._open[around].conditions += level.conditions

    def ends_routine(self) -> None:
        for level in self._open:
            level.left = True

    def leave(self) -> None:
        if self._open:
            level = self._open.pop()
            if level.left and self._open:
                self._open[-1].passed += [*level.conditions, *level.passed]

    def close(self, depth: int) -> None:
        """All levels end but the first ones: a body without its END has left some open."""
        del self._open[depth:]

    @contextmanager
    def set_aside(self) -> Iterator[None]:
        """While a definition is read: the conditions decide whether there is such a routine, not what it writes."""
        around, self._open = self._open, []
        try:
            yield
        finally:
            self._open = around
            self._done = len(self._runner.ctx.builder.model.processes)

    @property
    def depth(self) -> int:
        return len(self._open)

    @property
    def in_force(self) -> list[_Condition]:
        return [condition for level in self._open for condition in level.conditions]

    @property
    def deciding(self) -> list[_Condition]:
        """Those that decide what the routine returns here."""
        return [condition for level in self._open for condition in (*level.conditions, *level.passed)]

    def limit(self, first: int) -> None:
        """The processes from `first` on stand within the conditions in force."""
        processes = self._runner.ctx.builder.model.processes
        conditions = self.in_force
        if conditions:
            self._limit(processes[max(first, self._done) :], conditions)
        self._done = len(processes)

    def limit_constants(self, step: Assign) -> None:
        """A constant, which moves no data: which of several a variable holds depends on the conditions in force."""
        conditions = self.in_force
        ctx = self._runner.ctx
        for place in map(self._runner.scope.find, step.targets if conditions else ()):
            if place is None or place.entity.kind != "variable":
                continue
            ctx.take(self._runner.make(step))
            process = ctx.begin("Set")
            ctx.writes(place.entity)
            self._limit([process], conditions)
        self._done = len(ctx.builder.model.processes)

    def limit_given(self, given: Iterable[Given]) -> None:
        """What a routine gives back depends on the conditions in force."""
        for each in given:
            impacts, sources = self._together(self.deciding, each.process)
            each.sources.update(sources)
            each.limits.extend(column for columns in impacts.values() for column in columns)

    def limit_to(self, tokens: list[Token], processes: Iterable[Process], statement: Statement) -> None:
        """Some processes depend on a condition of another statement."""
        if self._reads(tokens):
            self._runner.statement = statement
            self._limit(processes, [_Condition(tokens)])

    def _limit(self, processes: Iterable[Process], conditions: list[_Condition]) -> None:
        builder = self._runner.ctx.builder
        for process in processes:
            effect = _WRITES.get(process.type)
            if effect is None:
                continue
            impacts, sources = self._together(conditions, process)
            for flow in process.flows:
                if flow.target is None:
                    continue
                flow.sources.update(sources)
                builder.process = process
                is_variable = flow.target.kind == "variable"
                for clause, columns in impacts.items():
                    limiting = [each for each in columns if not (is_variable and each.entity is flow.target)]
                    if limiting:
                        builder.relate("fdr", builder.rows(flow.target), limiting, effect, clause)

    def _together(self, conditions: list[_Condition], process: Process) -> tuple[Impacts, dict[Entity, None]]:
        """What some conditions read, each column once: a ladder of branches asks for the same ones again and again."""
        impacts: Impacts = {}
        sources: dict[Entity, None] = {}
        for condition in conditions:
            for clause, columns in self._impacts(condition, process).items():
                impacts.setdefault(clause, {}).update(columns)
            assert condition.flow is not None
            sources.update(condition.flow.sources)
        return impacts, sources

    def _reads(self, tokens: list[Token]) -> bool:
        """Whether there is anything to read: a query, or a variable."""
        variables = self._runner.ctx.names.variables
        key = self._runner.scope.key
        return any(
            token.token_type is TokenType.SELECT or key(token) in variables or key(token, "@") in variables
            for token in tokens
        )

    def _impacts(self, condition: _Condition, process: Process) -> Impacts:
        if condition.impacts is not None:
            return condition.impacts
        ctx = self._runner.ctx
        tokens = condition.tokens
        # In parentheses, because in a select list of T-SQL ``@x = 1`` would name a column.
        statement = self._runner.make(Step(tokens, 0), expression_tokens(in_parentheses(tokens)))
        ctx.take(statement)
        builder = ctx.builder
        builder.process = process
        condition.flow = builder.flow
        scope = Scope(None)
        try:
            nodes = parse_statement(statement, ctx.dialect)
        except ParseError:
            nodes = []
            builder.problem("Note", _NOTE, statement.start, statement.end)
        for node in nodes:
            for item in node.args.get("expressions") or () if isinstance(node, BASE) else ():
                ctx.sources.joins.condition(item, scope, "where", None)
        builder.number_resultsets()
        condition.impacts = scope.impacts
        return condition.impacts
