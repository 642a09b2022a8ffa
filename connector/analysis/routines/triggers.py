"""Triggers: OLD and NEW, or whatever the dialect calls them, are rows of the trigger's table."""

from __future__ import annotations

from dataclasses import dataclass, field

from sqlglot.tokenizer_core import Token, TokenType

from connector.analysis.builder import ROWS
from connector.analysis.catalog import Defaults
from connector.analysis.context import Context
from connector.analysis.routines.conditions import Conditions
from connector.analysis.routines.registry import Given
from connector.analysis.routines.variables import Variable
from connector.analysis.rowset import Rowset
from connector.model import Column, Entity, Flow, Process
from connector.sql.procedural.heads import Head
from connector.sql.statement import Statement

_NAMES = ("new", "old", "inserted", "deleted", "new_table", "old_table")


@dataclass(slots=True, eq=False)
class _Function:
    """A function that triggers execute, and what its body has made."""

    rows: list[Variable]
    """NEW and OLD."""
    defaults: Defaults
    """The schema in which its bare names are looked up: it may set its own search path."""
    first_process: int
    first_relation: int
    processes: list[Process] = field(default_factory=list)
    written: set[Column] = field(default_factory=set)
    """The columns of its rows that it sets."""
    refusals: list[Given] = field(default_factory=list)
    """What may be NULL instead of a row, with what that depends on."""


@dataclass(slots=True, eq=False)
class _Use:
    """A trigger that executes a function."""

    head: Head
    statement: Statement
    table: Rowset
    process: Process | None
    """The one that defines the trigger."""

    @property
    def transition(self) -> list[Token]:
        """The names of the transition tables."""
        return [*self.head.new_names, *self.head.old_names]

    @property
    def decides(self) -> bool:
        """Whether a row is written depends on what the function returns."""
        return any(token.text.upper() == "BEFORE" for token in self.statement.tokens)


class Triggers:
    """Binds transition rows; trigger functions and their triggers find each other in any order."""

    def __init__(self, ctx: Context, conditions: Conditions) -> None:
        self.ctx = ctx
        self._conditions = conditions
        self._functions: dict[str, _Function] = {}
        self._uses: dict[str, list[_Use]] = {}
        """Triggers by the function that they execute."""
        self._linked: set[tuple[Entity, Entity]] = set()
        """Transition tables with the tables whose rows they hold."""

    def enter(self, head: Head, statement: Statement) -> None:
        """Before the body: puts the transition rows into force."""
        ctx = self.ctx
        variables = ctx.names.variables
        if head.kind == "trigger":
            if not head.table:
                return
            table = self._table(head.table, statement)
            # On a view the trigger writes instead of the statement.
            table.shown = None
            if head.executes:
                self._executes(_Use(head, statement, table, ctx.builder.process))
                return
            variables.update(self._rows(head, table))
        elif self._is_trigger_function(head):
            rows = []
            for name in ("new", "old"):
                folded = ctx.names.key_of(name)
                variable = Variable(name.upper(), folded, "record", None)
                variables[folded] = variable
                rows.append(variable)
            model = ctx.builder.model
            self._functions[self._key(head.name)] = _Function(
                rows, ctx.catalog.defaults, len(model.processes), len(model.relations)
            )

    def leave(self, head: Head, given: list[Given]) -> None:
        """After the body of a trigger function, with what it returns: what its triggers' tables give and take."""
        if self._is_trigger_function(head):
            key = self._key(head.name)
            function = self._functions[key]
            model = self.ctx.builder.model
            entities = {variable.entity for variable in function.rows}
            made = (relation.target for relation in model.relations[function.first_relation :])
            function.written = {column for column in made if column.entity in entities}
            function.processes = model.processes[function.first_process :]
            function.refusals = [each for each in given if each.result is None and not each.columns and each.limits]
            for use in self._uses.get(key, ()):
                self._connect(function, use)

    def _rows(self, head: Head, table: Rowset) -> dict[str, Rowset]:
        """The names that mean a row of the trigger's table."""
        ctx = self.ctx
        found = dict.fromkeys(map(ctx.names.key_of, _NAMES), table)
        for token in (*head.new_names, *head.old_names):
            found[ctx.dialect.fold_column(token.text, token.token_type is TokenType.IDENTIFIER)] = table
        return found

    @staticmethod
    def _is_trigger_function(head: Head) -> bool:
        return head.kind == "function" and any(token.text.lower() == "trigger" for token in head.result[:2])

    def _executes(self, use: _Use) -> None:
        key = self._key(use.head.executes)
        self._uses.setdefault(key, []).append(use)
        if key in self._functions:
            self._connect(self._functions[key], use)

    def _connect(self, function: _Function, use: _Use) -> None:
        """A trigger and its function, as soon as both are known."""
        builder = self.ctx.builder
        outer, builder.process = builder.process, use.process
        written = self._link(function, use.table)
        self._link_transition_tables(function, use.transition, use.table)
        for refusal in function.refusals if use.decides else ():
            builder.relate("fdr", builder.rows(use.table.entity), refusal.limits, "trigger", "where")
            written |= refusal.sources or {use.table.entity: None}
        if written and use.process is not None:
            use.process.flows.append(Flow(use.table.entity, written))
        if use.head.condition:
            names = self.ctx.names
            variables = names.variables
            names.variables = self._rows(use.head, use.table)
            self._conditions.limit_to(use.head.condition, function.processes, use.statement)
            names.variables = variables
        builder.process = outer

    def _link(self, function: _Function, table: Rowset) -> dict[Entity, None]:
        """Every column of the rows comes from the table; one the function sets goes back into it. Returns the rows it sets."""
        builder = self.ctx.builder
        changed: dict[Entity, None] = {}
        for variable in function.rows:
            for key, column in list(variable.entity.columns.items()):
                if key == ROWS:
                    if column in function.written:
                        builder.relate("fdr", builder.rows(table.entity), [column], "trigger")
                    continue
                source = table.column(builder, key, column.name, None)
                if column in function.written:
                    builder.direct(source, column, "trigger")
                    changed[variable.entity] = None
                else:
                    builder.direct(column, source, "trigger")
        return changed

    def _link_transition_tables(self, function: _Function, names: list[Token], table: Rowset) -> None:
        """``REFERENCING NEW TABLE AS n``: what the function reads as a table of that name holds rows of the table."""
        builder = self.ctx.builder
        catalog = self.ctx.catalog
        defaults = catalog.defaults
        catalog.restore(function.defaults)
        for token in names:
            found = catalog.find(((token.text, token.token_type is TokenType.IDENTIFIER),))
            if found is None or found.known is not None or (found.entity, table.entity) in self._linked:
                continue
            self._linked.add((found.entity, table.entity))
            found.entity.temporary = True
            found.entity.database = found.entity.schema = None
            for process in function.processes:
                for flow in process.flows:
                    if found.entity in flow.sources:
                        flow.sources[table.entity] = None
            for key, column in list(found.entity.columns.items()):
                if key == ROWS:
                    builder.relate("fdr", column, [builder.rows(table.entity)], "trigger")
                else:
                    builder.direct(column, table.column(builder, key, column.name, None), "trigger")
        catalog.restore(defaults)

    def _table(self, tokens: list[Token], statement: Statement) -> Rowset:
        base = statement.base
        start, end = tokens[0].start + base, tokens[-1].end + 1 + base
        parts = tuple(
            (token.text, token.token_type is TokenType.IDENTIFIER)
            for token in tokens
            if token.token_type is not TokenType.DOT
        )
        script = statement.script
        return self.ctx.catalog.table(parts, script.text[start:end], (script, start, end))

    def _key(self, tokens: list[Token]) -> str:
        return tokens[-1].text.lower() if tokens else ""
