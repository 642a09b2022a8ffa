"""Steps of bodies in Informix's SPL, whose loops and handlers begin without a word that ends their head."""

from __future__ import annotations

from sqlglot.tokenizer_core import TokenType

from connector.sql.cursor import TokenCursor, split_list
from connector.sql.procedural.bodies import BodyReader
from connector.sql.procedural.statements import given_by, read_declaration, read_simple, targets_of
from connector.sql.procedural.steps import Assign, Declare, Fetch, Return, Sql
from connector.sql.words import like

_STATEMENTS = tuple(
    """
    LET IF FOREACH WHILE FOR LOOP RETURN CALL EXECUTE BEGIN ON RAISE EXIT CONTINUE SET TRACE SYSTEM END GOTO
    SELECT INSERT UPDATE DELETE MERGE TRUNCATE CREATE DROP ALTER COMMIT ROLLBACK ;
    """.split()
)
"""With what a statement begins: the head of a loop ends before it."""
_SET_OPERATIONS = frozenset({"UNION", "ALL", "MINUS", "INTERSECT", "EXCEPT", "DISTINCT"})


class SplReader(BodyReader):
    """Reads one body in SPL."""

    def _statement(self) -> None:
        i = self.i
        current = self.word_at(i)
        if self.words(i, "ON", "EXCEPTION"):
            self._exception(i)
        elif current in ("DEFINE", "LET", "RETURN", "TRACE", "SYSTEM"):
            end = self.end(i)
            if current == "DEFINE":
                start = i + 2 if self.word_at(i + 1) == "GLOBAL" else i + 1
                self.steps.extend(read_declaration(self.tokens[start:end], self.closed(end), self.family))
            elif current == "LET":
                self._let(i, end)
            elif current == "RETURN":
                self._return(i, end)
            self.i = end + 1
        else:
            super()._statement()

    def _exception(self, i: int) -> None:
        """``ON EXCEPTION [IN (…)] [SET a, b, c]``, before the statements that handle it."""
        self._enter("branch", i)
        at = i + 2
        if self.word_at(at) == "IN":
            at = self.close(at + 1) + 1
        if self.word_at(at) == "SET":
            at += 2
            while self.word_at(at) == ",":
                at += 2
        self.i = at

    def _end(self, i: int) -> None:
        following = self.word_at(i + 1)
        if following in ("PROCEDURE", "FUNCTION"):
            # The words that document the routine come after its end.
            self.i = self.stop
            return
        if following not in ("FOREACH", "EXCEPTION"):
            super()._end(i)
            return
        while len(self.open) > 1 and self.open[-1] == "block":
            self._leave(i)
        if self.open:
            self._leave(i)
        self.i = i + 4 if self.words(i + 2, "WITH", "RESUME") else i + 2

    def _let(self, i: int, end: int) -> None:
        """``LET a, b = x, y``, also from the columns of a query or the results of a procedure."""
        tokens, closed = self.tokens[i:end], self.closed(end)
        found = TokenCursor(tokens).seek(1, "=")
        targets, values = targets_of(tokens[1:found]), split_list(tokens[found + 1 :])
        if len(targets) == len(values):
            self.steps += [
                Assign(tokens, closed, [target], value) for target, value in zip(targets, values, strict=True)
            ]
        elif values:
            value = tokens[found + 1 :]
            called = len(values) == 1 and value[0].token_type is not TokenType.L_PAREN
            self.steps.append(Assign(tokens, closed, targets, given_by(value, len(targets)) if called else value))

    def _return(self, i: int, end: int) -> None:
        """``RETURN a, b [WITH RESUME]``: several values are a row."""
        tokens = self.tokens[i:end]
        value = tokens[1 : TokenCursor(tokens).seek(1, "WITH")]
        if len(split_list(value)) > 1:
            value = [like(tokens[0], TokenType.SELECT, "SELECT"), *value]
        if value:
            self.steps.append(Return(tokens, self.closed(end), value))

    def _loop(self, i: int, current: str) -> None:
        self._enter("loop", i)
        self.i = self._foreach(i) if current == "FOREACH" else self._head_end(i)
        if self.word_at(self.i) == "LOOP":
            self.i += 1

    def _foreach(self, i: int) -> int:
        """``FOREACH [cursor [WITH HOLD] FOR] query | EXECUTE PROCEDURE …``; where its head ends."""
        verb = self.seek(i, "SELECT", "EXECUTE", ";")
        end = self._head_end(verb)
        source = self.tokens[verb:end] or self.tokens[i:end]
        walker = TokenCursor(source)
        into = walker.seek(0, "INTO")
        if walker.word_at(0) == "EXECUTE":
            self.steps.extend(read_simple(source, 0, self.family))
        elif self.word_at(verb - 1) == "FOR" and self.is_name(i + 1) and into < walker.stop:
            cursor, behind = self.tokens[i + 1], walker.seek(into, "FROM")
            query = [*source[:into], *source[behind:]]
            self.steps.append(Declare(source, 0, [cursor], kind="cursor", query=query))
            self.steps.append(Fetch(source, 0, [cursor], targets_of(source[into + 1 : behind])))
        else:
            self.steps.append(Sql(source, 0))
        return end

    def _head_end(self, i: int) -> int:
        """Where the first statement behind the head at `i` begins."""
        while True:
            i = self.seek(i + 1, *_STATEMENTS)
            current, before = self.word_at(i), self.word_at(i - 1)
            goes_on = (
                (current == "SELECT" and before in _SET_OPERATIONS)
                or (current == "UPDATE" and before == "FOR")
                or (current == "FOR" and self.word_at(i + 1) in ("UPDATE", "READ"))
                or (current == "ON" and self.word_at(i + 1) != "EXCEPTION")
            )
            if not goes_on:
                return i
