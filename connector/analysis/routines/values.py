"""Assignments: from expressions and queries to variables."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from sqlglot import exp
from sqlglot.tokenizer_core import Token, TokenType

from connector.analysis.builder import Impacts
from connector.analysis.nodes import BASE
from connector.analysis.routines.dynamic import evaluate
from connector.analysis.routines.preparing import (
    bare_query,
    expression_tokens,
    is_execution,
    is_query,
    is_whole_query,
    prepared_tokens,
)
from connector.analysis.routines.variables import Variable
from connector.analysis.scope import Scope
from connector.model import Column
from connector.sql.cursor import TokenCursor, split_list
from connector.sql.procedural.statements import read_simple
from connector.sql.procedural.steps import Assign, Execute
from connector.sql.statement import Statement

if TYPE_CHECKING:
    from connector.analysis.routines.runner import StepRunner


_SETTINGS = frozenset({"ON", "DEFAULT", "ALL"})
"""Values of settings, which are no expressions."""


class RoutineSteps:
    """A part of the steps of a routine, with what its reader needs of the runner."""

    def __init__(self, runner: StepRunner) -> None:
        self.runner = runner
        self.ctx = runner.ctx
        self.scope = runner.scope
        self.binder = runner.binder
        self.branches = runner.branches
        self._family = runner.ctx.dialect.family


class ValueSteps(RoutineSteps):
    """The steps that give a variable a value."""

    def assign(self, step: Assign) -> None:
        value = step.value
        if not value or (len(value) == 1 and value[0].text.upper() in _SETTINGS):
            return
        self._note_constant(step)
        if is_execution(value):
            self._assign_execution(step, bare_query(value))
            return
        if is_query(value) and is_whole_query(value):
            self._assign_query(step, bare_query(value))
            return
        statement = self.runner.make(step, expression_tokens(value))
        self.ctx.take(statement)
        for node in self.runner.parse(statement):
            if node.__class__ is not exp.Select:
                continue
            if node.args.get("from_") is not None:
                self._bind_query(node, step)
            else:
                self._assign_values(node, step)
        self.ctx.builder.number_resultsets()

    def _assign_execution(self, step: Assign, execution: list[Token]) -> None:
        """Snowflake: the rows that a text gives go into a RESULTSET; of other statements only what they do counts."""
        for found in read_simple(execution, step.closed, self._family):
            if isinstance(found, Execute):
                self.runner.dynamic.execute(Execute(step.tokens, step.closed, found.text, step.targets, found.using))
            else:
                self.runner.act(found)

    def _assign_query(self, step: Assign, query: list[Token]) -> None:
        statement = self.runner.make(step, query)
        self.ctx.take(statement)
        for node in self.runner.parse(statement):
            if node.__class__ is exp.Select and node.args.get("from_") is None:
                self._assign_values(node, step)
            else:
                self._bind_query(node, step)
        self.ctx.builder.number_resultsets()

    def _bind_query(self, node: Any, step: Assign) -> None:
        result = self.runner.rows_of(node, "Set")
        if result is None:
            return
        if self._family.table_variables and len(step.targets) == 1:
            place = self.scope.place(step.targets[0], self.runner.statement)
            if place is not None and isinstance(place.rowset, Variable) and place.field is None:
                undeclared = not place.rowset.entity.id and place.rowset.entity.sub_type == "scalar"
                if undeclared and step.tokens[0].text.upper() != "SET":
                    place.rowset.entity.sub_type = "table"
                    place.rowset.entity.temporary = True
        self.binder.bind(result, step.targets, "select", self.runner.statement)

    def _assign_values(self, node: Any, step: Assign) -> None:
        """Expressions without a FROM: each goes to its variable, with nothing between."""
        items = node.args.get("expressions") or []
        if len(items) == 1 and len(step.targets) > 1 and items[0].__class__ in (exp.Tuple, exp.Paren):
            items = items[0].args.get("expressions") or items
        base, script = self.runner.statement.base, self.runner.statement.script
        texts = self._items(step)
        for at, (target, item) in enumerate(zip(step.targets, items, strict=False)):
            inner = item.args["this"] if item.__class__ is exp.Alias else item
            scope = Scope(None)
            out: list[Column] = []
            impacts: Impacts = {}
            record = self.ctx.names.record_of(inner)
            place = self.scope.place(target, self.runner.statement)
            if place is None:
                continue
            if record is not None and place.whole_record:
                self.binder.copy(place.rowset, record, "select", "Set")
                continue
            if (
                place.whole_record
                and inner.__class__ is exp.Anonymous
                and inner.name.lower() in self.runner.calls.results
            ):
                rows = exp.Select(expressions=[exp.Star()], from_=exp.From(this=exp.Table(this=inner.copy())))
                self._bind_query(rows, step)
                continue
            self.ctx.expressions.value(inner, scope, out, impacts)
            for clause, columns in scope.impacts.items():
                impacts.setdefault(clause, {}).update(columns)
            tokens = texts[at] if len(texts) == len(items) else []
            value = (script, tokens[0].start + base, tokens[-1].end + 1 + base) if tokens else None
            self.binder.set_place(place, out, impacts, "select", "Set", self.runner.statement, value)

    def value_columns(
        self, tokens: list[Token], statement: Statement, limits: dict[Column, None] | None = None
    ) -> list[Column]:
        """The columns a value is made of; what limits them goes to `limits`."""
        if not tokens:
            return []
        ctx = self.ctx
        statement.tokens = prepared_tokens(expression_tokens(tokens), self._family)
        ctx.take(statement)
        out: list[Column] = []
        for node in self.runner.parse(statement):
            for item in node.args.get("expressions") or () if isinstance(node, BASE) else ():
                scope = Scope(None)
                ctx.expressions.value(item, scope, out, scope.impacts)
                if limits is not None:
                    for columns in scope.impacts.values():
                        limits.update(columns)
        ctx.builder.number_resultsets()
        return out

    def _note_constant(self, step: Assign) -> None:
        """Keeps what text a variable holds, for dynamic SQL that is built of it."""
        items = self._items(step)
        for target, item in zip(step.targets, items, strict=False):
            place = self.scope.place(target, self.runner.statement)
            if place is not None and place.field is None and isinstance(place.rowset, Variable):
                text = evaluate(item, self.runner.constants, self.ctx.dialect.fold_column, self.runner.statement.base)
                self.branches.assigned(self.runner.constants, place.rowset.key[0], text)

    @staticmethod
    def _items(step: Assign) -> list[list[Token]]:
        """The value of each target."""
        value = step.value
        if value[0].token_type is TokenType.SELECT and step.tokens[0].token_type is TokenType.SELECT:
            # T-SQL: SELECT @a = x, @b = y FROM …
            value = value[1 : TokenCursor(value).seek(1, "FROM", "WHERE", "ORDER BY", "OPTION")]
            return split_list(value)
        return [value] if len(step.targets) == 1 else split_list(bare_query(value))
