"""Dynamic SQL: EXECUTE IMMEDIATE, sp_executesql, EXEC('…'), PREPARE, OPEN … FOR text.

Each text that the expression can make is analysed as the statement it is. An unknown part is harmless where a
value stands; where it hides the name of a table there is nothing to analyse, and a hint says so.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from sqlglot.errors import ParseError, TokenError
from sqlglot.tokenizer_core import Token, TokenType

from connector.analysis.parsing import parse_statement
from connector.analysis.routines.dynamic import evaluate, filled, is_known, quoted
from connector.analysis.routines.preparing import prepared_tokens
from connector.analysis.routines.texts import UNKNOWN, DynamicScript, Text, Value, literal, render, singles
from connector.analysis.routines.unknown import CLAUSE, TABLE, VALUE, has_unknown, without_unknown
from connector.analysis.routines.variables import Variable
from connector.analysis.rowset import Rowset
from connector.model import Column, ProblemType
from connector.sql.cursor import TokenCursor, split_list
from connector.sql.harmless import moves_no_data
from connector.sql.placeholders import fill_placeholders, restore
from connector.sql.procedural.reading import is_procedural
from connector.sql.procedural.statements import read_arguments
from connector.sql.procedural.steps import Argument, Execute, Loop, Open, Step
from connector.sql.spelled_names import dotted_parts, names_in_strings
from connector.sql.spelling import spelled_out
from connector.sql.statement import Statement
from connector.sql.tsql_batches import batch_statements
from connector.sql.words import Replacement, like, replace_where, word

if TYPE_CHECKING:
    from connector.analysis.routines.runner import StepRunner

_GRAMMAR = frozenset(
    {
        TokenType.SELECT,
        TokenType.INSERT,
        TokenType.UPDATE,
        TokenType.DELETE,
        TokenType.MERGE,
        TokenType.WITH,
    }
)
"""With what a statement begins that nothing but the grammar reads."""
_QUERIES = frozenset({TokenType.SELECT, TokenType.WITH, TokenType.L_PAREN})
_HINT = "The text of this dynamic SQL is not constant: the tables it reads and writes are unknown"
_NOTE = "Part of this dynamic SQL is not constant: it may read further tables"
_STATEMENT_WORDS = frozenset("SELECT INSERT UPDATE DELETE MERGE WITH VALUES TABLE CREATE UNLOAD".split())
"""With what a statement begins that is prepared as it is."""


class DynamicRunner:
    """Runs texts as statements."""

    def __init__(self, runner: StepRunner) -> None:
        self.runner = runner
        self.ctx = runner.ctx
        self.prepared: dict[str, Value] = {}
        self._incomplete: set[Statement] = set()
        """Statements of which a part is not known."""
        self._alone = not runner.ctx.dialect.family.batches
        """The text of a dynamic statement sees no variables but those it is given."""

    # --- entry points -------------------------------------------------------------------------------------------

    def execute(self, step: Execute) -> None:
        """EXECUTE, PREPARE, and INSERT … EXEC."""
        if self._is_prepared_elsewhere(step):
            return
        if step.prepare and step.text and step.text[0].text.upper() in _STATEMENT_WORDS:
            # The statement itself, and no text of it: what it moves counts once, however often it is executed.
            assert step.name is not None
            self.prepared.pop(self.runner.scope.key(step.name), None)
            self.runner.analyser.statement(self.runner.make(step, step.text))
            return
        value = self._value(step.text)
        if step.prepare:
            assert step.name is not None
            self.prepared[self.runner.scope.key(step.name)] = value
            return
        if step.each:
            value = filled(value, "?")
        if step.targets:
            self.runner.forget(step.targets)
        for statement in self._given(value, step.using, step):
            if step.targets and not moves_no_data(statement):
                self.runner.into(statement, step.targets, alone=self._alone)
            elif not step.targets:
                self._run(statement)

    def open(self, step: Open, cursor: Variable, using: list[Argument]) -> None:
        """A cursor for a text."""
        for statement in self._given(self._value(step.query), using, step):
            self.runner.cursors.fill(cursor, statement, "Open Cursor", alone=self._alone)

    def open_prepared(self, step: Open, cursor: Variable, using: list[Argument]) -> None:
        """A cursor for a statement that was prepared under a name."""
        for statement in self._given(self.prepared.get(cursor.prepared, ()), using, step):
            self.runner.cursors.fill(cursor, statement, "Open Cursor", alone=self._alone)

    def loop(self, step: Loop, records: list[list[Token]]) -> None:
        """FOR … IN EXECUTE text."""
        walker = TokenCursor(step.source)
        using = walker.seek(0, "USING")
        arguments = read_arguments(step.source[using + 1 :])
        for statement in self._given(self._value(step.source[:using]), arguments, step):
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

    def _value(self, tokens: list[Token]) -> Value:
        """What the expression makes; a bare name may be that of a prepared statement."""
        if len(tokens) == 1 and tokens[0].token_type is not TokenType.STRING:
            prepared = self.prepared.get(self.runner.scope.key(tokens[0]))
            if prepared is not None:
                return prepared
        base = self.runner.statement.base
        return evaluate(tokens, self.runner.constants, self.ctx.dialect.fold_column, base) if tokens else ()

    def _headed(self, step: Execute, statement: Statement) -> Statement | None:
        """``INSERT INTO t EXEC('select …')`` is an INSERT of that query; another server's, where it runs there."""
        if statement.tokens[0].token_type not in _QUERIES:
            return statement
        script = statement.script
        assert isinstance(script, DynamicScript)
        query = script.part(statement.start, statement.end)
        base = self.runner.statement.base
        start = step.head[0].start + base
        end = step.head[-1].end + 1 + base
        head = self.runner.statement.script.text[start:end] + " "
        found: Value = (Text(head, (*range(start, end), end - 1)),)
        if step.server is None:
            found = (*found, query)
        else:
            call = literal(f"SELECT * FROM OPENQUERY([{step.server.text}], ", end - 1)
            found = (*found, call, *quoted((query,), ("'", "'")), literal(")", end - 1))
        texts, _ = render(found)
        return self._statement(texts[0], step) if texts else None

    def _statements(self, value: Value, step: Step) -> list[Statement]:
        """The texts as statements; a hint where something that matters is not known of them."""
        if not is_known(value):
            self._hint(step)
            return []
        texts, whole = render(value)
        found, hides = self._known_parts(texts, step)
        if not all(map(self._parses, found)):
            # Optional parts that exclude each other: each by itself.
            others, other_hides = self._known_parts(singles(value), step)
            others = [statement for statement in others if self._parses(statement)]
            if others:
                found, hides = others, other_hides
        if hides is TABLE or not whole:
            self._hint(step)
        elif hides is CLAUSE:
            self._hint(step, "Note", _NOTE)
        return found

    def _known_parts(self, texts: list[Text], step: Step) -> tuple[list[Statement], int]:
        """The statements of some texts without their unknown parts, and the worst that one of those hides."""
        found: list[Statement] = []
        hides = VALUE
        for text in texts:
            statement = self._statement(_stripped(text), step)
            if statement is None:
                hides = TABLE
                continue
            for part in self._parts(statement):
                kept: Statement | None = part
                if isinstance(step, Execute) and step.head:
                    kept = self._headed(step, part)
                if kept is not None and has_unknown(kept.tokens):
                    kept, hidden = self._reduced(kept)
                    hides = max(hides, hidden)
                if kept is not None:
                    found.append(kept)
        return found, hides

    def _reduced(self, part: Statement) -> tuple[Statement | None, int]:
        """A statement without its unknown parts; None when nothing is left that can be read."""
        first = part.tokens[0].token_type
        if all(UNKNOWN in token.text for token in part.tokens):
            # ``'EXECUTE AS USER = 'x'; ' + @command``: it is unknown which statement this is.
            return None, TABLE
        if first is TokenType.USE:
            self.ctx.catalog.use(None, None)
            return None, VALUE
        if moves_no_data(part):
            return None, VALUE
        part.tokens, hides = without_unknown(part.tokens)
        if hides is VALUE:
            return part, VALUE
        if not part.tokens or not self._parses(part):
            return None, TABLE
        self._incomplete.add(part)
        return part, hides

    def _parses(self, statement: Statement) -> bool:
        """Whether the grammar takes the statement, where it is one for the grammar."""
        tokens = statement.tokens
        if tokens[0].token_type not in _GRAMMAR or is_procedural(tokens, self.ctx.dialect.family):
            return True
        try:
            parse_statement(statement, self.ctx.dialect)
        except (ParseError, RecursionError):
            return False
        return True

    def _hint(self, step: Step, kind: ProblemType = "SyntaxHint", message: str = _HINT) -> None:
        base = self.runner.statement.base
        self.ctx.builder.script = self.runner.statement.script
        self.ctx.builder.problem(kind, message, step.tokens[0].start + base, step.tokens[-1].end + 1 + base)

    def _statement(self, text: Text, step: Step) -> Statement | None:
        dialect = self.ctx.dialect
        prepared, fills = fill_placeholders(text.text, dialect)
        try:
            tokens = dialect.sqlglot.tokenize(prepared)
        except TokenError:
            return None
        if fills:
            tokens, _ = restore(tokens, fills)
        tokens = spelled_out(tokens, prepared, dialect)
        if dialect.dots_in_quotes and not text.complete:
            tokens = _parts_apart(tokens)
        while tokens and tokens[-1].token_type is TokenType.SEMICOLON and not _is_block(tokens):
            tokens.pop()
        if not tokens:
            return None
        outer = self.runner.statement
        start = step.tokens[0].start + outer.base
        end = step.closed + outer.base if step.closed else step.tokens[-1].end + 1 + outer.base
        script = DynamicScript(outer.script, text, start, end)
        return Statement(script, 0, tokens, 0, tokens[-1].end + 1, len(text.text) + 1)

    def _parts(self, statement: Statement) -> list[Statement]:
        """The statements of a text that holds several."""
        tokens = statement.tokens
        if self.ctx.dialect.family.batches:
            ranges = batch_statements(tokens, [token.token_type for token in tokens], 0, len(tokens))
        elif _is_block(tokens) or tokens[0].token_type is TokenType.CREATE:
            return [statement]
        else:
            ends = [i for i, token in enumerate(tokens) if token.token_type is TokenType.SEMICOLON]
            starts = [0, *(end + 1 for end in ends)]
            ranges = list(zip(starts, [*ends, len(tokens)], strict=True))
        if len(ranges) == 1:
            return [statement]
        found: list[Statement] = []
        for start, stop in ranges:
            kept = tokens[start:stop]
            while kept and kept[-1].token_type is TokenType.SEMICOLON:
                kept.pop()
            if kept:
                end = kept[-1].end + 1
                found.append(Statement(statement.script, 0, kept, kept[0].start, end, end))
        return found

    def _run(self, statement: Statement) -> None:
        names = self.ctx.names
        variables = names.variables
        outer = self.runner.statement
        family = self.ctx.dialect.family
        if self._alone:
            names.variables = {}
        statement.tokens = prepared_tokens(statement.tokens, family)
        problems = self.ctx.builder.model.problems
        before = len(problems)
        self.runner.analyser.statement(statement)
        if statement in self._incomplete:
            # That something is missing has been said.
            self._incomplete.discard(statement)
            problems[before:] = [problem for problem in problems[before:] if problem.type != "SyntaxError"]
        names.variables = variables
        self.runner.statement = outer

    # --- arguments ----------------------------------------------------------------------------------------------

    def _given(self, value: Value, using: list[Argument], step: Step) -> Iterator[Statement]:
        """The statements of a text; while one is at hand, its placeholders are the only names that stand for values."""
        if self.ctx.dialect.family.batches:
            yield from self._given_batch(value, using, step)
            return
        names = self.ctx.names
        around = names.bindings
        for statement in self._statements(value, step):
            names.bindings = self._with_arguments(statement, using, step)
            yield statement
            names.bindings = around

    def _given_batch(self, value: Value, using: list[Argument], step: Step) -> Iterator[Statement]:
        """T-SQL: the text has variables for its parameters, and what it sets with USE ends with it."""
        names = self.ctx.names
        catalog = self.ctx.catalog
        around = names.variables, names.bindings
        defaults = catalog.defaults
        names.variables = self._parameters(using, step)
        names.bindings = {}
        if isinstance(step, Execute):
            if step.database is not None:
                catalog.use((step.database.text, step.database.token_type is TokenType.IDENTIFIER), None)
            if step.server is not None and not step.head:
                catalog.connect((step.server.text, True))
        yield from self._statements(value, step)
        catalog.restore(defaults)
        names.variables, names.bindings = around

    def _parameters(self, arguments: list[Argument], step: Step) -> dict[str, Rowset]:
        """The variables that the text knows: those it is given, under the names it declares."""
        found = dict(self.ctx.names.variables)
        declared = self._declared(step) if isinstance(step, Execute) and step.declares else []
        for place, argument in enumerate(arguments):
            name = argument.name or (declared[place] if place < len(declared) else "")
            if not name:
                continue
            key = self.ctx.names.key_of(f"@{name}")
            given = self.runner.scope.find(argument.value) if len(argument.value) == 2 else None
            if given is None:
                parameter = Variable(f"@{name}", key, "scalar", None)
                limits: dict[Column, None] = {}
                columns = self.runner.values.value_columns(
                    argument.value, self.runner.make(step, argument.value), limits
                )
                self.runner.binder.pass_value(parameter, columns, limits, "call", "Set")
                given = parameter
            found[key] = given
        return found

    def _declared(self, step: Execute) -> list[str]:
        """The names in ``N'@a INT, @b NVARCHAR(10) OUTPUT'``, in order."""
        texts, _ = render(self._value(step.declares))
        if not texts:
            return []
        try:
            tokens = self.ctx.dialect.sqlglot.tokenize(texts[0].text)
        except TokenError:
            return []
        return [item[1].text for item in split_list(tokens) if len(item) > 1 and item[0].text == "@"]

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
            name = f"bind_{place}"
            if place < len(columns):
                bindings[names.key_of(name)] = columns[place]
            last = source[i + width - 1]
            spelled = self._named(arguments[place]) if _names_object(source, i, i + width, place < len(columns)) else ""
            if spelled:
                tokens.append(like(last, TokenType.STRING, spelled))
                i += width
                continue
            tokens.append(Token(TokenType.COLON, ":", token.line, token.col, token.start, token.start))
            tokens.append(Token(TokenType.VAR, name, token.line, token.col, token.start, last.end))
            i += width
        statement.tokens = names_in_strings(tokens)
        return bindings

    def _named(self, argument: Argument) -> str:
        """The text that an argument of USING is known to be; empty where it is not."""
        texts, whole = render(self._value(argument.value))
        return texts[0].text if whole and len(texts) == 1 and UNKNOWN not in texts[0].text else ""

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


def _names_object(tokens: list[Token], i: int, behind: int, given: bool) -> bool:
    """Whether the placeholder between two tokens is the name of an object, ``IDENTIFIER(:t)``, and has a value."""
    return given and word(tokens, i - 2) == "IDENTIFIER" and word(tokens, i - 1) == "(" and word(tokens, behind) == ")"


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


@replace_where
def _parts_apart(tokens: list[Token], i: int) -> Replacement | None:
    """BigQuery: of a dotted name in one pair of quotes, the parts that are known count."""
    token = tokens[i]
    if token.token_type is not TokenType.IDENTIFIER or "." not in token.text or UNKNOWN not in token.text:
        return None
    return dotted_parts(token), 1


def _stripped(text: Text) -> Text:
    """Without white space at both ends."""
    content = text.text
    start = len(content) - len(content.lstrip())
    end = len(content.rstrip())
    return Text(content[start:end], text.origins[start:end]) if start or end < len(content) else text


def _is_block(tokens: list[Token]) -> bool:
    return tokens[0].text.upper() in ("BEGIN", "DECLARE")
