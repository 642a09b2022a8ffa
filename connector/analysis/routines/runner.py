"""Runs the steps of a body in the order of the text: each SQL statement through the analyser, each flow of data into
variables here."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Protocol

from sqlglot import exp
from sqlglot.tokenizer_core import Token, TokenType

from connector.analysis.context import Context
from connector.analysis.nodes import BASE
from connector.analysis.routines.assigning import Binder
from connector.analysis.routines.branches import Branches
from connector.analysis.routines.calls import Calls
from connector.analysis.routines.dynamic import Constants, evaluate
from connector.analysis.routines.executing import DynamicRunner
from connector.analysis.routines.preparing import expression_tokens, is_query, prepared_tokens, take_into
from connector.analysis.routines.scope import VariableScope
from connector.analysis.routines.variables import Variable, sub_type_of
from connector.analysis.rowset import Rowset
from connector.analysis.scope import Scope
from connector.analysis.statements import INNER_DML
from connector.model import Column
from connector.sql.harmless import moves_no_data
from connector.sql.procedural.declarations import read_variable_list
from connector.sql.procedural.steps import (
    Argument,
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
    Sql,
    Step,
    Turn,
    Unread,
)
from connector.sql.procedural.walker import Walker, split_list
from connector.sql.statement import Statement

__all__ = ["StatementAnalyser", "StepRunner"]

_DML = {"Insert": "insert", "Update": "update", "Delete": "delete", "Merge": "merge"}
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
        self.dynamic = DynamicRunner(self)
        self.statement: Statement
        """The statement of the script that the steps are part of."""
        self._family = ctx.dialect.family
        self._actions: dict[type, Callable[[Any], None]] = {
            Sql: self._sql,
            Declare: self._declare,
            Assign: self._assign,
            Open: self._open,
            Fetch: self._fetch,
            Loop: self._loop,
            Execute: self.dynamic.execute,
            Call: self._call,
            Return: self._return,
        }

    def run(self, steps: list[Step], statement: Statement) -> None:
        """All steps; what cannot be read costs itself and nothing else."""
        outer = getattr(self, "statement", None)
        self.statement = statement
        names = self.ctx.names
        scopes: list[tuple[dict[str, Rowset] | None, dict[str, list[Column]]]] = []
        bindings = names.bindings
        for step in steps:
            kind = step.__class__
            if kind is Enter:
                assert isinstance(step, Enter)
                scopes.append((names.variables if step.kind == "block" else None, names.bindings))
                if step.kind == "block":
                    names.variables = dict(names.variables)
                else:
                    self.branches.enter(self.constants, step.kind == "loop")
            elif kind is Leave:
                saved, names.bindings = scopes.pop() if scopes else (None, bindings)
                if saved is not None:
                    names.variables = saved
                else:
                    self.branches.leave(self.constants)
            elif kind is Turn:
                self.branches.turn(self.constants, otherwise=step.tokens[0].text.upper() == "ELSE")
            elif kind is Inner:
                self.inner(step, statement)
                self.statement = statement
            elif kind is Unread:
                assert isinstance(step, Unread)
                self._problem(step.reason, step)
            else:
                self._act(step)
        names.bindings = bindings
        if outer is not None:
            self.statement = outer

    def _act(self, step: Step) -> None:
        try:
            self._actions[step.__class__](step)
        except RecursionError:
            self._problem("the statement is nested too deeply", step, "AnalyzeError")
        except Exception as error:  # noqa: BLE001 - one step must never cost the others, whatever is wrong with it
            self._problem(f"the statement could not be analysed ({type(error).__name__}: {error})", step, "AnalyzeError")

    # --- statements ---------------------------------------------------------------------------------------------

    def make(self, step: Step, tokens: list[Token] | None = None) -> Statement:
        """The statement of a step: the text of the step, to be parsed from these tokens."""
        outer = self.statement
        base = outer.base
        start = step.tokens[0].start + base
        end = step.tokens[-1].end + 1 + base
        closed = step.closed + base if step.closed else end
        found = prepared_tokens(step.tokens if tokens is None else tokens, self._family)
        if self._family == "hana":
            found = self._without_table_signs(found)
        return Statement(outer.script, base, found, start, end, closed)

    def _without_table_signs(self, tokens: list[Token]) -> list[Token]:
        """``FROM :lt``: a table variable is a table wherever it stands, with or without its colon."""
        kept = []
        for token, following in zip(tokens, [*tokens[1:], None], strict=True):
            if token.token_type is TokenType.COLON and following is not None:
                found = self.scope.find([following])
                if found is not None and found.entity.sub_type == "table":
                    continue
            elif token.text.startswith(":") and len(token.text) > 1:
                name = Token(TokenType.VAR, token.text[1:], token.line, token.col, token.start + 1, token.end)
                token = name if self.scope.find([name]) is not None else token
            kept.append(token)
        return kept

    def plain(self, statement: Statement) -> None:
        """A statement of SQL by itself."""
        self.analyser.plain(statement)

    def _problem(self, reason: str, step: Step, kind: str = "SyntaxError") -> None:
        base = self.statement.base
        self.ctx.builder.script = self.statement.script
        self.ctx.builder.problem(
            kind, reason, step.tokens[0].start + base, step.tokens[-1].end + 1 + base
        )

    def _sql(self, step: Sql) -> None:
        tokens = step.tokens
        targets: list[list[Token]] = []
        first = tokens[0].token_type
        if self._family != "tsql" and first is not TokenType.CREATE:
            tokens, targets = take_into(tokens)
        statement = self.make(step, tokens)
        if targets:
            self.into(statement, targets)
        else:
            self.plain(statement)

    def into(self, statement: Statement, targets: list[list[Token]]) -> None:
        """A statement whose rows go into variables."""
        ctx = self.ctx
        ctx.take(statement)
        for node in self.parse(statement):
            result = self._rows_of(node)
            if result is not None:
                process = ctx.builder.process
                assert process is not None
                self.binder.bind(result, targets, _DML.get(process.type, "select"), self.statement)
        ctx.builder.number_resultsets()

    def _rows_of(self, node: Any, label: str = "Select Into") -> Rowset | None:
        ctx = self.ctx
        if isinstance(node, exp.Query) or node.__class__ is exp.Values:
            ctx.begin(label)
            return ctx.queries.read(node, None, None)
        reader = INNER_DML.get(node.__class__)
        if reader is not None:
            ctx.begin(node.__class__.__name__)
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
        for name in step.names:
            variable = self.scope.new(name, step.sign, sub_type, statement, known)
            self.constants.pop(variable.key[0], None)
            if sub_type == "scalar" and self._is_collection(step.datatype):
                variable.entity.sub_type = "table"
        if step.kind == "cursor" or (sub_type == "cursor" and step.default):
            self._declare_cursor(step)
        elif step.default:
            self._assign(Assign(step.tokens, step.closed, [self._name_tokens(step, name) for name in step.names], step.default))

    def declare_table(self, tokens: list[Token], statement: Statement) -> None:
        """``@rows TABLE (…)``: the table that a function fills and gives back."""
        for step in read_variable_list(tokens, 0):
            if step.kind == "table":
                self.scope.new(step.names[0], step.sign, "table", statement, self._columns(step.columns))

    @staticmethod
    def _name_tokens(step: Declare, name: Token) -> list[Token]:
        if not step.sign:
            return [name]
        return [Token(TokenType.PARAMETER, step.sign, name.line, name.col, name.start - 1, name.start - 1), name]

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
            (token.text, token.token_type is TokenType.IDENTIFIER) for token in datatype[:-2] if token.token_type is not TokenType.DOT
        )
        return self.ctx.catalog.known_columns(parts) if parts else None

    def _declare_cursor(self, step: Declare) -> None:
        """A cursor with its query, or for a statement that is prepared later."""
        variable = self.scope.find(self._name_tokens(step, step.names[0]))
        if not isinstance(variable, Variable):
            return
        query = step.query or step.default
        if not query:
            return
        if not is_query(query):
            rows = self.scope.find(query)
            if isinstance(rows, Variable) and rows.entity.sub_type != "scalar":
                self.ctx.take(self.make(step))
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
                        self.scope.new(parameter.name, parameter.sign, "scalar", self.statement)
                    )
        self.fill_cursor(variable, self.make(step, _cursor_query(query)), "Declare Cursor")
        names.variables = saved

    def fill_cursor(self, variable: Rowset, statement: Statement, label: str) -> None:
        """Reads a query into a cursor, a record or a table."""
        ctx = self.ctx
        ctx.take(statement)
        for node in self.parse(statement):
            result = self._rows_of(node, label)
            if result is not None and isinstance(variable, Variable):
                if self.branches.certain:
                    variable.renew()
                variable.fill(ctx.builder, result, "cursor")
                ctx.writes(variable.entity)
        ctx.builder.number_resultsets()

    # --- cursors ------------------------------------------------------------------------------------------------

    def _open(self, step: Open) -> None:
        place = self.scope.place(step.cursor, self.statement, records=True)
        variable = place.rowset if place is not None else None
        if not isinstance(variable, Variable):
            return
        if variable.entity.sub_type == "record" or variable.entity.sub_type == "scalar":
            variable.entity.sub_type = "cursor"
        if step.query and is_query(step.query):
            self.fill_cursor(variable, self.make(step, _cursor_query(step.query)), "Open Cursor")
        elif step.query:
            self.dynamic.open(step, variable, [Argument(item) for item in step.using])
        elif variable.prepared:
            self.dynamic.open_prepared(step, variable, step.arguments)
        self._cursor_arguments(variable, step.arguments, step)

    def _cursor_arguments(self, cursor: Variable, arguments: list[Argument], step: Step) -> None:
        for place, argument in enumerate(arguments):
            parameter = cursor.parameters[place] if place < len(cursor.parameters) else None
            if argument.name:
                key = self.ctx.names.key_of(argument.name)
                parameter = next((each for each in cursor.parameters if each.key[0] == key), None)
            if parameter is not None:
                limits: dict[Column, None] = {}
                columns = self.value_columns(argument.value, self.make(step, argument.value), limits)
                self.binder.pass_value(parameter, columns, limits, "cursor", "Open Cursor")

    def _fetch(self, step: Fetch) -> None:
        cursor = self.scope.find(step.cursor)
        if cursor is None:
            return
        if isinstance(cursor, Variable):
            cursor.show(self.ctx.builder)
        self.ctx.take(self.make(step))
        self.ctx.begin("Fetch")
        self.binder.bind(cursor, step.targets, "cursor", self.statement)

    def _loop(self, step: Loop) -> None:
        source = step.source
        records = split_list(step.record)
        if not step.record and source:
            self.plain(self.make(step, source))
            return
        fresh = self._family not in ("plpgsql",) and len(records) == 1
        target: Rowset | None = None
        if fresh:
            target = self.scope.new(step.record[0], "", "record", self.statement)
        elif len(records) == 1:
            place = self.scope.place(records[0], self.statement, records=True)
            target = place.rowset if place is not None else None
            if isinstance(target, Variable):
                if target.entity.sub_type == "scalar" and is_query(source):
                    target = None
                else:
                    # Inside the loop the record holds nothing but the rows of the loop.
                    target.renew()
        if step.dynamic:
            self.dynamic.loop(step, records)
        elif is_query(source):
            if isinstance(target, Variable):
                self.fill_cursor(target, self.make(step, _cursor_query(source)), "For Loop")
                self._expose(step, target)
            else:
                self.into(self.make(step, _bare_query(source)), records)
        else:
            self._loop_over(step, source, records)

    def _loop_over(self, step: Loop, source: list[Token], records: list[list[Token]]) -> None:
        """A loop over a cursor, with arguments or without, or over the elements of a value."""
        walker = Walker(source)
        called = walker.find(0, "(")
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
            self._cursor_arguments(cursor, arguments, step)
        self.ctx.take(self.make(step, source))
        self.ctx.begin("For Loop")
        self.binder.bind(cursor, records, "cursor", self.statement)

    def _expose(self, step: Loop, record: Variable) -> None:
        """DB2, Teradata and their like: the columns of the loop's query are variables by their own names too."""
        if self._family in ("db2", "teradata", "databricks", "ansi"):
            names = self.ctx.names
            names.bindings = dict(names.bindings)
            for key, column in record.outputs:
                names.bindings[key] = [column]
        if step.cursor is not None:
            cursor = self.scope.new(step.cursor, "", "cursor", self.statement)
            cursor.outputs = list(record.outputs)

    # --- values -------------------------------------------------------------------------------------------------

    def _assign(self, step: Assign) -> None:
        value = step.value
        if not value:
            return
        self._note_constant(step)
        if is_query(value) and _is_whole_query(value):
            self._assign_query(step, _bare_query(value))
            return
        statement = self.make(step, expression_tokens(value))
        self.ctx.take(statement)
        for node in self.parse(statement):
            if node.__class__ is not exp.Select:
                continue
            if node.args.get("from_") is not None:
                self._bind_query(node, step)
            else:
                self._assign_values(node, step)
        self.ctx.builder.number_resultsets()

    def _assign_query(self, step: Assign, query: list[Token]) -> None:
        statement = self.make(step, query)
        self.ctx.take(statement)
        for node in self.parse(statement):
            if node.__class__ is exp.Select and node.args.get("from_") is None and not node.find(exp.Query, bfs=False) is not node:
                self._assign_values(node, step)
            else:
                self._bind_query(node, step)
        self.ctx.builder.number_resultsets()

    def _bind_query(self, node: Any, step: Assign) -> None:
        result = self._rows_of(node, "Set")
        if result is None:
            return
        if self._family in ("hana", "snowflake") and len(step.targets) == 1:
            place = self.scope.place(step.targets[0], self.statement)
            if place is not None and isinstance(place.rowset, Variable) and place.field is None:
                undeclared = not place.rowset.entity.id and place.rowset.entity.sub_type == "scalar"
                if self._family == "hana" and undeclared and step.tokens[0].text.upper() != "SET":
                    place.rowset.entity.sub_type = "table"
                    place.rowset.entity.temporary = True
        self.binder.bind(result, step.targets, "select", self.statement)

    def _assign_values(self, node: Any, step: Assign) -> None:
        """Expressions without a FROM: each goes to its variable, with nothing between."""
        items = node.args.get("expressions") or []
        if len(items) == 1 and len(step.targets) > 1 and items[0].__class__ in (exp.Tuple, exp.Paren):
            items = items[0].args.get("expressions") or items
        for target, item in zip(step.targets, items, strict=False):
            inner = item.args["this"] if item.__class__ is exp.Alias else item
            scope = Scope(None)
            out: list[Column] = []
            impacts: dict[str, dict[Column, None]] = {}
            record = self.ctx.names.record_of(inner)
            place = self.scope.place(target, self.statement)
            if place is None:
                continue
            if record is not None and place.whole_record:
                self.binder.copy(place.rowset, record, "select", "Set")
                continue
            self.ctx.expressions.value(inner, scope, out, impacts)
            for clause, columns in scope.impacts.items():
                impacts.setdefault(clause, {}).update(columns)
            self.binder.set_place(place, out, impacts, "select", "Set", self.statement)

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
        for node in self.parse(statement):
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
        texts = evaluate(step.value, self.constants, self.ctx.dialect.fold_column, self.statement.base)
        for target in step.targets:
            place = self.scope.place(target, self.statement)
            if place is not None and place.field is None and isinstance(place.rowset, Variable):
                known = texts if len(step.targets) == 1 else []
                self.branches.assigned(self.constants, place.rowset.key[0], known)

    # --- calls and results --------------------------------------------------------------------------------------

    def _call(self, step: Call) -> None:
        statement = self.make(step)
        self.calls.call(self, step, statement)

    def _return(self, step: Return) -> None:
        value = step.value
        if step.dynamic:
            self.dynamic.execute(Execute(step.tokens, step.closed, value))
        elif is_query(value) and _is_whole_query(value):
            query = _bare_query(value)
            self.plain(self._part(query, step))
        elif any(token.token_type is TokenType.SELECT for token in value):
            self.plain(self.make(step, expression_tokens(value)))

    def _part(self, tokens: list[Token], step: Step) -> Statement:
        """A statement inside a step, with its own text."""
        return self.make(type(step)(tokens, step.closed, tokens) if isinstance(step, Return) else step, tokens)

    def is_harmless(self, statement: Statement) -> bool:
        return moves_no_data(statement)


def _bare_query(tokens: list[Token]) -> list[Token]:
    """Without the parentheses around all of it."""
    while tokens and tokens[0].token_type is TokenType.L_PAREN and Walker(tokens).close(0) == len(tokens) - 1:
        tokens = tokens[1:-1]
    return tokens


def _cursor_query(tokens: list[Token]) -> list[Token]:
    """Without the parentheses around it, and without what it says of updates through the cursor."""
    tokens = _bare_query(tokens)
    walker = Walker(tokens)
    at = walker.find(0, "FOR")
    while at < walker.stop:
        if walker.word(at + 1) in ("UPDATE", "READ", "FETCH", "BROWSE", "SHARE", "NO"):
            return tokens[:at]
        at = walker.find(at + 1, "FOR")
    return tokens


def _is_whole_query(tokens: list[Token]) -> bool:
    """Whether nothing but one query stands here: not a sum of subqueries."""
    if tokens[0].token_type is not TokenType.L_PAREN:
        return True
    walker = Walker(tokens)
    closing = walker.close(0)
    return closing == len(tokens) - 1 or walker.word(closing + 1) in ("UNION", "EXCEPT", "INTERSECT", "MINUS", "ORDER BY")
