"""Cursors and loops: what a cursor reads, and how its rows reach variables."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sqlglot.tokenizer_core import Token, TokenType

from connector.analysis.routines.preparing import bare_query, cursor_query, is_execution, is_query
from connector.analysis.routines.values import RoutineSteps
from connector.analysis.routines.variables import Variable, name_tokens
from connector.analysis.rowset import Rowset
from connector.model import Column, ProcessType
from connector.sql.cursor import TokenCursor, split_list
from connector.sql.procedural.steps import Argument, Assign, Declare, Fetch, Loop, Open, Step
from connector.sql.statement import Statement

if TYPE_CHECKING:
    pass


class CursorSteps(RoutineSteps):
    """The steps that open, read and close cursors."""

    def declare(self, step: Declare) -> None:
        """A cursor with its query, or for a statement that is prepared later."""
        variable = self.scope.find(name_tokens(step.names[0], step.sign))
        if not isinstance(variable, Variable):
            return
        query = step.query or step.default
        if not query:
            return
        if is_execution(query):
            self.runner.values.assign(Assign(step.tokens, step.closed, [name_tokens(step.names[0], step.sign)], query))
            return
        if not is_query(query):
            rows = self.scope.find(query)
            if isinstance(rows, Variable) and rows.entity.sub_type != "scalar":
                self.ctx.take(self.runner.make(step))
                self.binder.copy(variable, rows, "cursor", "Declare Cursor")
            elif len(query) == 1:
                variable.prepared = self.scope.key(query[0])
            return
        names = self.ctx.names
        saved = names.variables
        if step.parameters:
            names.variables = dict(saved)
            for parameter in step.parameters:
                if parameter.name is not None:
                    variable.parameters.append(
                        self.scope.new(parameter.name, parameter.sign, "scalar", self.runner.statement)
                    )
        query = self._with_placeholders(cursor_query(query), variable)
        self.fill(variable, self.runner.make(step, query), "Declare Cursor")
        names.variables = saved

    def _with_placeholders(self, query: list[Token], cursor: Variable) -> list[Token]:
        """Snowflake: each ``?`` is a parameter without a name; OPEN … USING gives them their values in order."""
        names = self.ctx.names
        found: list[Token] = []
        for token in query:
            if token.token_type is not TokenType.PLACEHOLDER:
                found.append(token)
                continue
            if not cursor.parameters:
                names.variables = dict(names.variables)
            name = f"parameter_{len(cursor.parameters) + 1}"
            base = self.runner.statement.base
            span = (self.runner.statement.script, token.start + base, token.end + 1 + base)
            parameter = Variable("?", names.key_of(name), "scalar", span)
            names.variables[parameter.key[0]] = parameter
            cursor.parameters.append(parameter)
            found.append(Token(TokenType.COLON, ":", token.line, token.col, token.start, token.start))
            found.append(Token(TokenType.VAR, name, token.line, token.col, token.start, token.end))
        return found

    def fill(self, variable: Rowset, statement: Statement, label: ProcessType, *, alone: bool = False) -> None:
        """Reads a query into a cursor, a record or a table; `alone`: the query sees no variables."""
        ctx = self.ctx
        ctx.take(statement)
        for node in self.runner.parse(statement):
            result = self.runner.rows_of(node, label, alone=alone)
            if result is not None and isinstance(variable, Variable):
                if self.branches.certain:
                    variable.renew()
                variable.fill(ctx.builder, result, "cursor")
                ctx.writes(variable.entity)
        ctx.builder.number_resultsets()

    def open(self, step: Open) -> None:
        place = self.scope.place(step.cursor, self.runner.statement, records=True)
        variable = place.rowset if place is not None else None
        if not isinstance(variable, Variable):
            return
        if variable.entity.sub_type == "record" or variable.entity.sub_type == "scalar":
            variable.entity.sub_type = "cursor"
        if step.query and is_query(step.query):
            self.fill(variable, self.runner.make(step, cursor_query(step.query)), "Open Cursor")
        elif step.query:
            self.runner.dynamic.open(step, variable, [Argument(item) for item in step.using])
        elif variable.prepared:
            self.runner.dynamic.open_prepared(step, variable, step.arguments)
        self._pass_arguments(variable, step.arguments, step)

    def _pass_arguments(self, cursor: Variable, arguments: list[Argument], step: Step) -> None:
        for place, argument in enumerate(arguments):
            parameter = cursor.parameters[place] if place < len(cursor.parameters) else None
            if argument.name:
                key = self.ctx.names.key_of(argument.name)
                parameter = next((each for each in cursor.parameters if each.key[0] == key), None)
            if parameter is not None:
                limits: dict[Column, None] = {}
                columns = self.runner.values.value_columns(
                    argument.value, self.runner.make(step, argument.value), limits
                )
                self.binder.pass_value(parameter, columns, limits, "cursor", "Open Cursor")

    def fetch(self, step: Fetch) -> None:
        self.runner.forget(step.targets)
        cursor = self.scope.find(step.cursor)
        if cursor is None:
            return
        if isinstance(cursor, Variable):
            cursor.show(self.ctx.builder)
        self.ctx.take(self.runner.make(step))
        self.ctx.begin("Fetch")
        self.binder.bind(cursor, step.targets, "cursor", self.runner.statement)

    def loop(self, step: Loop) -> None:
        self._read_loop(step)
        records = split_list(step.record)
        self.runner.conditions.goes_round(self.scope.find(records[0]) if records else None)

    def _read_loop(self, step: Loop) -> None:
        source = step.source
        records = split_list(step.record)
        if not step.record and source:
            self.runner.plain(self.runner.make(step, source))
            return
        fresh = not self._family.loops_need_records and len(records) == 1
        target: Rowset | None = None
        if fresh:
            target = self.scope.new(step.record[0], "", "record", self.runner.statement)
        elif len(records) == 1:
            place = self.scope.place(records[0], self.runner.statement, records=True)
            target = place.rowset if place is not None else None
            if isinstance(target, Variable):
                if target.entity.sub_type == "scalar" and is_query(source):
                    target = None
                else:
                    # Inside the loop the record holds nothing but the rows of the loop.
                    target.renew()
        if step.dynamic:
            self.runner.dynamic.loop(step, records)
        elif is_query(source):
            if isinstance(target, Variable):
                self.fill(target, self.runner.make(step, cursor_query(source)), "For Loop")
                self._expose(step, target)
            else:
                self.runner.into(self.runner.make(step, bare_query(source)), records)
        else:
            self._loop_over(step, source, records)

    def _loop_over(self, step: Loop, source: list[Token], records: list[list[Token]]) -> None:
        """A loop over a cursor, with arguments or without, or over the elements of a value."""
        walker = TokenCursor(source)
        called = walker.seek(0, "(")
        name = source
        arguments: list[Argument] = []
        for i, token in enumerate(source):
            if token.token_type is TokenType.L_PAREN:
                called = i
                name = source[:i]
                break
        cursor = self.scope.find(name) if name else None
        if cursor is None or cursor.entity.kind != "variable":
            return
        if called < len(source):
            arguments = [Argument(item) for item in split_list(source[called + 1 : walker.close(called)])]
        if isinstance(cursor, Variable):
            cursor.show(self.ctx.builder)
            self._pass_arguments(cursor, arguments, step)
        self.ctx.take(self.runner.make(step, source))
        self.ctx.begin("For Loop")
        self.binder.bind(cursor, records, "cursor", self.runner.statement)

    def _expose(self, step: Loop, record: Variable) -> None:
        """DB2, Teradata and their relatives: the columns of the loop's query are variables by their own names too."""
        if self._family.loop_columns:
            names = self.ctx.names
            names.bindings = dict(names.bindings)
            for key, column in record.outputs:
                names.bindings[key] = [column]
        if step.cursor is not None:
            cursor = self.scope.new(step.cursor, "", "cursor", self.runner.statement)
            cursor.outputs = list(record.outputs)
