"""Dynamic SQL: EXECUTE IMMEDIATE, sp_executesql, EXEC('…'), PREPARE, OPEN … FOR text.

Each text that the expression can make is analysed as the statement it is. A part nobody knows is harmless where a
value stands; where it hides the name of a table there is nothing to analyse, and a hint says so.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from sqlglot.errors import TokenError
from sqlglot.tokenizer_core import Token, TokenType

from connector.analysis.routines.dynamic import UNKNOWN, DynamicScript, Text, evaluate
from connector.analysis.routines.preparing import prepared_tokens
from connector.analysis.routines.variables import Variable
from connector.analysis.rowset import Rowset
from connector.model import Column
from connector.sql.harmless import moves_no_data
from connector.sql.procedural.statements import read_arguments
from connector.sql.procedural.steps import Argument, Execute, Loop, Open, Step
from connector.sql.procedural.walker import Walker
from connector.sql.statement import Statement

if TYPE_CHECKING:
    from connector.analysis.routines.runner import StepRunner

__all__ = ["DynamicRunner"]

_HINT = "The text of this dynamic SQL is not constant: what it reads and writes is not known"


class DynamicRunner:
    """Runs texts as statements."""

    def __init__(self, runner: StepRunner) -> None:
        self.runner = runner
        self.ctx = runner.ctx
        self.prepared: dict[str, list[Text]] = {}
        self._alone = runner.ctx.dialect.family != "tsql"
        """The text of a dynamic statement sees no variables but those it is given."""
        self._receivers: dict[str, Rowset] = {}
        """T-SQL: parameters of the text that come out, as the variables of the caller that receive them."""

    # --- entry points -------------------------------------------------------------------------------------------

    def execute(self, step: Execute) -> None:
        """EXECUTE, PREPARE, and INSERT … EXEC."""
        if self._is_prepared_elsewhere(step):
            return
        texts = self._texts(step.text)
        if step.prepare:
            assert step.name is not None
            self.prepared[self.runner.scope.key(step.name)] = texts
            return
        if step.head:
            texts = [self._headed(step, text) for text in texts]
        for statement in self._given(texts, step.using, step):
            if step.targets:
                self.runner.into(statement, step.targets, alone=self._alone)
            else:
                self._run(statement)

    def open(self, step: Open, cursor: Variable, using: list[Argument]) -> None:
        """A cursor for a text."""
        for statement in self._given(self._texts(step.query), using, step):
            self.runner.cursors.fill(cursor, statement, "Open Cursor", alone=self._alone)

    def open_prepared(self, step: Open, cursor: Variable, using: list[Argument]) -> None:
        """A cursor for a statement that was prepared under a name."""
        texts = self.prepared.get(cursor.prepared) or []
        for statement in self._given(texts, using, step):
            self.runner.cursors.fill(cursor, statement, "Open Cursor", alone=self._alone)

    def loop(self, step: Loop, records: list[list[Token]]) -> None:
        """FOR … IN EXECUTE text."""
        walker = Walker(step.source)
        using = walker.find(0, "USING")
        arguments = read_arguments(step.source[using + 1 :])
        for statement in self._given(self._texts(step.source[:using]), arguments, step):
            self.runner.into(statement, records, alone=self._alone)

    def _is_prepared_elsewhere(self, step: Execute) -> bool:
        """EXECUTE of a name that is no variable: a statement that some other session text prepared."""
        immediate = len(step.tokens) > 1 and step.tokens[1].text.upper() == "IMMEDIATE"
        if immediate or step.prepare or not step.text or step.tokens[0].text.upper() not in ("EXECUTE", "EXEC"):
            return False
        name = step.text[0]
        if name.token_type not in (TokenType.VAR, TokenType.IDENTIFIER):
            return False
        if len(step.text) > 1 and step.text[1].token_type is not TokenType.L_PAREN:
            return False
        key = self.runner.scope.key(name)
        return key not in self.prepared and self.runner.scope.find([name]) is None and name.text.upper() != "FORMAT"

    # --- texts --------------------------------------------------------------------------------------------------

    def _texts(self, tokens: list[Token]) -> list[Text]:
        """What the expression makes; a bare name may be that of a prepared statement."""
        if len(tokens) == 1 and tokens[0].token_type is not TokenType.STRING:
            prepared = self.prepared.get(self.runner.scope.key(tokens[0]))
            if prepared is not None:
                return prepared
        base = self.runner.statement.base
        return evaluate(tokens, self.runner.constants, self.ctx.dialect.fold_column, base) if tokens else []

    def _headed(self, step: Execute, text: Text) -> Text:
        """``INSERT INTO t EXEC('select …')`` is an INSERT of that query."""
        base = self.runner.statement.base
        start = step.head[0].start + base
        end = step.head[-1].end + 1 + base
        head = self.runner.statement.script.text[start:end] + " "
        return Text(head, (*range(start, end), end - 1)) + text

    def _statements(self, texts: list[Text], step: Step) -> list[Statement]:
        """The texts as statements; a hint where nothing can be said of them."""
        found: list[Statement] = []
        hidden = not texts
        for text in texts:
            text = _stripped(text)
            statement = self._statement(text, step)
            if statement is None or text.text.startswith(UNKNOWN):
                hidden = True
            elif text.complete or moves_no_data(statement):
                found.append(statement)
            elif _hides_a_table(statement.tokens):
                hidden = True
            else:
                statement.tokens = _with_constants(statement.tokens)
                found.append(statement)
        if hidden:
            base = self.runner.statement.base
            self.ctx.builder.script = self.runner.statement.script
            self.ctx.builder.problem("SyntaxHint", _HINT, step.tokens[0].start + base, step.tokens[-1].end + 1 + base)
        return found

    def _statement(self, text: Text, step: Step) -> Statement | None:
        try:
            tokens = self.ctx.dialect.sqlglot.tokenize(text.text)
        except TokenError:
            return None
        while tokens and tokens[-1].token_type is TokenType.SEMICOLON and not _is_block(tokens):
            tokens.pop()
        if not tokens:
            return None
        outer = self.runner.statement
        start = step.tokens[0].start + outer.base
        end = step.closed + outer.base if step.closed else step.tokens[-1].end + 1 + outer.base
        script = DynamicScript(outer.script, text, start, end)
        return Statement(script, 0, tokens, 0, tokens[-1].end + 1, len(text.text) + 1)

    def _run(self, statement: Statement) -> None:
        names = self.ctx.names
        variables = names.variables
        outer = self.runner.statement
        family = self.ctx.dialect.family
        if self._alone:
            names.variables = {}
        elif self._receivers:
            names.variables = {**variables, **self._receivers}
        statement.tokens = prepared_tokens(statement.tokens, family)
        for part in _parts(statement, family):
            self.runner.analyser.statement(part)
        names.variables = variables
        self.runner.statement = outer

    # --- arguments ----------------------------------------------------------------------------------------------

    def _given(self, texts: list[Text], using: list[Argument], step: Step) -> Iterator[Statement]:
        """The statements of the texts; while one is at hand, its placeholders are the only names that stand for values."""
        names = self.ctx.names
        around = names.bindings
        for statement in self._statements(texts, step):
            names.bindings = self._with_arguments(statement, using, step)
            yield statement
            names.bindings = around

    def _with_arguments(self, statement: Statement, arguments: list[Argument], step: Step) -> dict[str, list[Column]]:
        """The placeholders of the text become names of the values of USING, by name or in order."""
        bindings: dict[str, list[Column]] = {}
        if not arguments:
            return bindings
        names = self.ctx.names
        columns = [
            []
            if argument.out
            else self.runner.values.value_columns(argument.value, self.runner.make(step, argument.value))
            for argument in arguments
        ]
        tokens: list[Token] = []
        source = statement.tokens
        order: dict[str, int] = {}
        i = 0
        while i < len(source):
            token = source[i]
            width, label = _placeholder(source, i)
            if not width:
                tokens.append(token)
                i += 1
                continue
            place = self._argument(label, arguments, order)
            receiver = self._receiver(arguments[place]) if place < len(arguments) else None
            if receiver is not None and token.text == "@":
                self._receivers[self.runner.scope.key(source[i + 1], "@")] = receiver
                tokens.extend(source[i : i + width])
                i += width
                continue
            name = f"bind_{place}"
            if place < len(columns):
                bindings[names.key_of(name)] = columns[place]
            last = source[i + width - 1]
            tokens.append(Token(TokenType.COLON, ":", token.line, token.col, token.start, token.start))
            tokens.append(Token(TokenType.VAR, name, token.line, token.col, token.start, last.end))
            i += width
        statement.tokens = tokens
        return bindings

    def _receiver(self, argument: Argument) -> Rowset | None:
        """The variable of the caller that an argument marked OUTPUT fills."""
        return self.runner.scope.find(argument.value) if argument.out else None

    @staticmethod
    def _argument(label: str, arguments: list[Argument], order: dict[str, int]) -> int:
        """Which argument a placeholder means."""
        if label.isdigit() and label not in order and 0 < int(label) <= len(arguments):
            return int(label) - 1
        for place, argument in enumerate(arguments):
            if argument.name and argument.name.lower() == label.lower():
                return place
        if not label:
            order[f"?{len(order)}"] = len(order)
            return len(order) - 1
        return order.setdefault(label, len(order))


def _placeholder(tokens: list[Token], i: int) -> tuple[int, str]:
    """How many tokens the placeholder at `i` takes (0: there is none), and its name."""
    token = tokens[i]
    following = tokens[i + 1] if i + 1 < len(tokens) else None
    if token.token_type is TokenType.PLACEHOLDER:
        return 1, ""
    if token.text in (":", "@", "$") and following is not None and following.start == token.end + 1:
        if following.token_type in (TokenType.VAR, TokenType.NUMBER):
            return 2, following.text
    return 0, ""


def _stripped(text: Text) -> Text:
    """Without white space at both ends."""
    content = text.text
    start = len(content) - len(content.lstrip())
    end = len(content.rstrip())
    return Text(content[start:end], text.origins[start:end]) if start or end < len(content) else text


def _is_block(tokens: list[Token]) -> bool:
    return tokens[0].text.upper() in ("BEGIN", "DECLARE")


def _parts(statement: Statement, family: str) -> list[Statement]:
    """The statements of a text that holds several."""
    tokens = statement.tokens
    if _is_block(tokens) or not any(token.token_type is TokenType.SEMICOLON for token in tokens):
        return [statement]
    if tokens[0].token_type is TokenType.CREATE:
        return [statement]
    found: list[Statement] = []
    current: list[Token] = []
    for token in [*tokens, None]:
        if token is not None and token.token_type is not TokenType.SEMICOLON:
            current.append(token)
        elif current:
            end = current[-1].end + 1
            found.append(Statement(statement.script, 0, current, current[0].start, end, end))
            current = []
    return found


def _hides_a_table(tokens: list[Token]) -> bool:
    """Whether a part nobody knows stands where the name of a table, or a whole clause, may stand."""
    for i, token in enumerate(tokens):
        if UNKNOWN not in token.text or token.token_type is TokenType.STRING:
            continue
        before = tokens[i - 1].text.upper() if i else ""
        following = tokens[i + 1].text if i + 1 < len(tokens) else ""
        if not token.text.startswith(UNKNOWN) or before in (
            "FROM",
            "JOIN",
            "INTO",
            "UPDATE",
            "TABLE",
            "VIEW",
            "USING",
            ".",
        ):
            return True
        if following == "." or (before == "," and _in_from(tokens, i)):
            return True
        if before not in _VALUE_FOLLOWS:
            return True
    return False


_VALUE_FOLLOWS = frozenset(
    "= < > <= >= <> != + - * / || ( , BY AND OR NOT WHERE THEN ELSE WHEN SELECT BETWEEN LIKE IN SET LIMIT TOP ON HAVING VALUES".split()
)
"""What stands before a value."""


def _in_from(tokens: list[Token], i: int) -> bool:
    for j in range(i - 1, -1, -1):
        kind = tokens[j].token_type
        if kind is TokenType.FROM:
            return True
        if kind in (
            TokenType.SELECT,
            TokenType.WHERE,
            TokenType.L_PAREN,
            TokenType.SET,
            TokenType.VALUES,
            TokenType.GROUP_BY,
        ):
            return False
    return False


def _with_constants(tokens: list[Token]) -> list[Token]:
    """Values nobody knows are constants."""
    found: list[Token] = []
    for token in tokens:
        if token.token_type is not TokenType.STRING and token.text.startswith(UNKNOWN):
            found.append(Token(TokenType.NUMBER, "0", token.line, token.col, token.start, token.end))
        else:
            found.append(token)
    return found
