"""Steps of bodies in which a semicolon ends each statement: every family but T-SQL.

One reader for all of them: the families differ in how they declare and loop, and where they do the words differ too, so
that each spelling can be recognised wherever it stands. No recursion: what is open is kept on a list.
"""

from __future__ import annotations

from sqlglot.tokenizer_core import Token, TokenType

from connector.sql.cursor import TokenCursor
from connector.sql.families import Family
from connector.sql.procedural.statements import read_declaration, read_simple
from connector.sql.procedural.steps import Declare, Enter, Inner, Leave, Loop, Sql, Step, Turn, Unread
from connector.sql.words import TRANSACTION_WORDS

_CONTROL = frozenset({"IF", "LOOP", "WHILE", "CASE", "REPEAT", "FOR"})
_LABELLED = _CONTROL | {"BEGIN"}
_AFTER_LABEL = frozenset({";", "", "~", "/", "//", "$$"})
"""What comes after the name at the end of a block, the signs that scripts use as delimiters among them."""
_FORALL_ENDS = ("INSERT", "UPDATE", "DELETE", "MERGE", "EXECUTE")
_ROUTINES = frozenset({"PROCEDURE", "FUNCTION"})
_MEMBERS = frozenset({"MEMBER", "STATIC", "CONSTRUCTOR", "MAP", "ORDER", "OVERRIDING", "FINAL", "INSTANTIABLE", "NOT"})


class BodyReader(TokenCursor):
    """Reads one body into steps."""

    def __init__(self, tokens: list[Token], start: int, stop: int, family: Family) -> None:
        super().__init__(tokens, start, stop)
        self.family = family
        self.steps: list[Step] = []
        self.open: list[str] = []
        self._handlers: list[tuple[int, int]] = []
        """Of each open handler where its statement begins and which is its first step."""
        self._last: list[tuple[int, list[Step]]] = []
        """Steps that come last in their block, by how many are open in it."""

    def read(self, *, declaring: bool = False) -> list[Step]:
        """All steps. `declaring`: the body begins with declarations that no word announces."""
        if declaring:
            self._enter("block", self.i)
            self._declarations()
        while self.i < self.stop:
            before = self.i
            self._statement()
            if self.i <= before:
                self.i = before + 1
            while self.open and self.open[-1] == "handler" and self.i > self._handlers[-1][0]:
                self._leave(self.i - 1)
        while self.open:
            self._leave(self.stop - 1)
        self._add_last(0)
        return self.steps

    # --- one statement ------------------------------------------------------------------------------------------

    def _statement(self) -> None:
        i = self.i
        current = self.word_at(i)
        if current in (";", "/", "~", "//", "$$"):
            self.i = i + 1
        elif current == "<" and self.word_at(i + 1) == "<":
            self.i = self.seek(i, ">") + 2
        elif self.word_at(i + 1) == ":" and self.is_name(i) and self._is_label(i):
            self.i = i + 2
        elif current == "BEGIN" or current == "BEGIN_PROC":
            self._begin(i)
        elif current == "END" or current == "END_PROC":
            self._end(i)
        elif current == "DECLARE":
            self._declare(i)
        elif current in ("IF", "ELSIF", "ELSEIF", "ELIF", "ELSE", "CASE", "WHEN", "EXCEPTION", "UNTIL"):
            self._branch(i, current)
        elif current in ("WHILE", "LOOP", "REPEAT", "FOR", "FOREACH", "FORALL"):
            self._loop(i, current)
        elif current in _ROUTINES and self.open and self.family.declares_after_is and self.is_name(i + 1):
            self._inner(i)
        elif self._is_section(i, current):
            self._section(i)
        else:
            self._simple(i)

    def _is_label(self, i: int) -> bool:
        """``name: statement``, where GOTO leads; the colon of a variable stands close to its name."""
        if i + 2 >= self.stop:
            return True
        return self.word_at(i + 2) in _LABELLED or self.tokens[i + 1].end + 1 < self.tokens[i + 2].start

    def _simple(self, i: int) -> None:
        end = self.end(i)
        if end > i:
            self.steps.extend(read_simple(self.tokens[i:end], self.closed(end), self.family))
        self.i = end + 1

    # --- blocks -------------------------------------------------------------------------------------------------

    def _enter(self, kind: str, i: int, end: int = 0) -> None:
        """`end`: where a condition ends that follows the first word."""
        self.open.append(kind)
        self.steps.append(Enter(self.tokens[i : i + 1], 0, kind, self.tokens[i + 1 : end]))

    def _leave(self, i: int) -> None:
        self._add_last(len(self.open))
        kind = self.open.pop()
        self.steps.append(Leave(self.tokens[i : i + 1], 0))
        if kind == "handler":
            _, first = self._handlers.pop()
            self._last.append((len(self.open), self.steps[first:]))
            del self.steps[first:]

    def _add_last(self, depth: int) -> None:
        """The handlers that leave the block: they see what its statements did, and none of those sees them."""
        for _, steps in [each for each in self._last if each[0] == depth]:
            self.steps.extend(steps)
        self._last = [each for each in self._last if each[0] != depth]

    def _begin(self, i: int) -> None:
        following = self.word_at(i + 1)
        if not self.family.declares_after_is and (following in TRANSACTION_WORDS or following == ";"):
            self.i = self.end(i) + 1
            return
        self._enter("block", i)
        self.i = self._behind_begin(i)

    def _behind_begin(self, i: int) -> int:
        """The first statement of the block that begins at `i`: after ATOMIC, AUTOCOMMIT ON and similar words."""
        i += 1
        if self.words(i, "AUTONOMOUS", "TRANSACTION") or (
            self.word_at(i) == "AUTOCOMMIT" and self.word_at(i + 1) in ("ON", "OFF")
        ):
            i += 2
        if self.word_at(i) == "REQUEST" and self.family.begin_request:
            i += 1
        while (
            self.word_at(i) in ("NOT", "ATOMIC", "SEQUENTIAL", "PARALLEL", "EXECUTION") and self.word_at(i + 1) != "."
        ):
            i += 1
        return i

    def _end(self, i: int) -> None:
        following = self.word_at(i + 1)
        if self.open:
            if following in _CONTROL:
                while len(self.open) > 1 and self.open[-1] == "block":
                    self._leave(i)
            elif following != "BEFORE" and following != "AFTER":
                while len(self.open) > 1 and self.open[-1] != "block":
                    self._leave(i)
            self._leave(i)
        j = i + 1
        if following in _CONTROL:
            j += 1
        if self.word_at(j) in ("BEFORE", "AFTER") and self.family.declares_after_is:
            j = self.end(j)
        elif self.is_name(j) and self.word_at(j) not in _CONTROL | {"END", "ELSE", "ELSEIF", "ELSIF"}:
            if self.word_at(j + 1) in _AFTER_LABEL or j + 1 >= self.stop:
                j += 1
        self.i = j

    def _declare(self, i: int) -> None:
        if self.family.declare_sections:
            self._enter("block", i)
            self.i = i + 1
            self._declarations()
            return
        handler = self._handler(i)
        if handler:
            if self.word_at(i + 1) != "CONTINUE":
                self._handlers.append((handler, len(self.steps)))
                self._enter("handler", i)
            self.i = handler
            return
        end = self.end(i)
        if self.word_at(i + 1) in ("GLOBAL", "LOCAL") and self.words(i + 2, "TEMPORARY", "TABLE"):
            self.steps.append(Sql(_creating(self.tokens[i:end]), self.closed(end)))
            self.i = end + 1
            return
        self.steps.extend(read_declaration(self.tokens[i + 1 : end], self.closed(end), self.family))
        self.i = end + 1

    def _handler(self, i: int) -> int:
        """``DECLARE CONTINUE HANDLER FOR NOT FOUND statement``: where the statement begins, 0 when it is none."""
        if self.word_at(i + 1) not in ("CONTINUE", "EXIT", "UNDO") or self.word_at(i + 2) != "HANDLER":
            return 0
        j = i + 4
        while j < self.stop:
            current = self.word_at(j)
            if current == "SQLSTATE":
                j += 2 if self.word_at(j + 1) != "VALUE" else 3
            elif current == "NOT" and self.word_at(j + 1) == "FOUND":
                j += 2
            elif (
                current in ("SQLEXCEPTION", "SQLWARNING", "NOTFOUND", "CONDITION")
                or self.word_at(j + 1) == ","
                or self.tokens[j].token_type in (TokenType.NUMBER, TokenType.STRING)
                or self.word_at(j - 1) in ("FOR", ",")
                or current == ","
            ):
                j += 1
            else:
                break
        labelled = self.word_at(j + 1) == ":" and self.is_name(j) and self.word_at(j + 2) in _LABELLED
        return j + 2 if labelled else j

    def _declarations(self) -> None:
        """A list of declarations up to the BEGIN of their block, which has been entered with them."""
        while self.i < self.stop:
            i = self.i
            current = self.word_at(i)
            if current == ";":
                self.i = i + 1
            elif current == "BEGIN":
                self.i = self._behind_begin(i)
                return
            elif current == "END":
                return
            elif current == "DECLARE" or (current in _MEMBERS and self.word_at(i + 1) in _ROUTINES | _MEMBERS):
                self.i = i + 1
            elif current in _ROUTINES and self.is_name(i + 1):
                self._inner(i)
            elif self._is_section(i, current):
                self._section(i)
                return
            else:
                end = self.end(i)
                begin = self.seek(i, "BEGIN")
                if begin < end:
                    # A semicolon is missing.
                    end = begin
                self.steps.extend(read_declaration(self.tokens[i:end], self.closed(end), self.family))
                self.i = max(end, i + 1)

    def _is_section(self, i: int, current: str) -> bool:
        """``AFTER EACH ROW IS``: a section of a compound trigger."""
        return (
            self.family.declares_after_is
            and current in ("BEFORE", "AFTER", "INSTEAD")
            and self.seek(i, "IS") < self.end(i)
        )

    def _section(self, i: int) -> None:
        self.i = self.seek(i, "IS") + 1
        self._enter("block", i)
        self._declarations()

    def _inner(self, i: int) -> None:
        """A routine among the declarations: its head up to IS, and the body up to its END."""
        body = self.seek(i, "IS", "AS", ";")
        if self.word_at(body) not in ("IS", "AS") or self.word_at(body + 1) in ("LANGUAGE", "EXTERNAL"):
            self.i = self.end(i) + 1
            return
        end = self._inner_end(body + 1)
        self.steps.append(Inner(self.tokens[i:end], 0))
        self.i = end + 1

    def _inner_end(self, i: int) -> int:
        """After the END that closes the routine whose declarations begin at `i`."""
        waiting = 1
        """Bodies whose BEGIN is still to come."""
        depth = cases = 0
        while i < self.stop:
            current = self.word_at(i)
            if current in _ROUTINES and not depth and self.word_at(i - 1) in (";", "IS", "AS") and self.is_name(i + 1):
                body = self.seek(i, "IS", "AS", ";")
                if self.word_at(body) in ("IS", "AS"):
                    waiting += 1
                i = body
            elif current == "DECLARE" and depth:
                pass
            elif current == "BEGIN":
                depth += 1
            elif current == "CASE" and self.word_at(i - 1) != "END":
                cases += 1
            elif current == "END":
                if cases:
                    cases -= 1
                elif self.word_at(i + 1) in _CONTROL:
                    i += 1
                else:
                    depth -= 1
                    if depth <= 0:
                        waiting -= 1
                        depth = 0
                        if waiting <= 0:
                            return self.end(i)
            i += 1
        return self.stop

    # --- branches and loops -------------------------------------------------------------------------------------

    def _branch(self, i: int, current: str) -> None:
        if current == "EXCEPTION":
            # The handlers of a block, each after a WHEN.
            if self.word_at(i + 1) == "WHEN":
                self._enter("branch", i)
            self.i = i + 1
        elif current == "ELSE":
            self.steps.append(Turn(self.tokens[i : i + 1], 0))
            self.i = i + 1
        elif current == "UNTIL":
            self.i = self.seek(i, "END", ";")
        elif current == "IF" and self.word_at(i + 1) in ("EXISTS", "NOT") and self.seek(i, "THEN") >= self.stop:
            self._simple(i)
        else:
            then = self._condition_end(i, current)
            if then >= self.stop:
                end = self.end(i)
                self.steps.append(Unread(self.tokens[i:end], self.closed(end), f"{current} without THEN"))
                self.i = end + 1
                return
            if current == "CASE":
                when = self.seek(i + 1, "WHEN")
                self._enter("branch", i, when)
                self.steps.append(Turn(self.tokens[when : when + 1], 0, self.tokens[when + 1 : then]))
            elif current == "IF":
                self._enter("branch", i, then)
            else:
                self.steps.append(Turn(self.tokens[i : i + 1], 0, self.tokens[i + 1 : then]))
            self.i = then + 1

    def _condition_end(self, i: int, current: str) -> int:
        """The THEN that ends a condition; of a CASE statement that of its first WHEN."""
        return self.seek(i + 1, "THEN") if current != "CASE" else self.seek(self.seek(i + 1, "WHEN"), "THEN")

    def _loop(self, i: int, current: str) -> None:
        if current == "FORALL":
            self.i = self.seek(i + 1, *_FORALL_ENDS, ";")
            return
        if current == "LOOP" or current == "REPEAT":
            self._enter("loop", i)
            self.i = i + 1
            return
        end = self._loop_head_end(i)
        if end >= self.stop:
            closing = self.end(i)
            self.steps.append(Unread(self.tokens[i:closing], self.closed(closing), f"{current} without its loop"))
            self.i = closing + 1
            return
        self._enter("loop", i, end if current == "WHILE" else 0)
        if current == "FOR" or current == "FOREACH":
            self._for(i, end)
        self.i = end + 1

    def _loop_head_end(self, i: int) -> int:
        """LOOP or DO; a query in the head of the loop may hold neither."""
        return self.seek(i + 1, "LOOP", "DO")

    def _for(self, i: int, end: int) -> None:
        head = self.tokens[i:end]
        walker = TokenCursor(head)
        at = walker.seek(1, "IN", "AS")
        cursor = None
        if at >= walker.stop:
            if walker.word_at(1) in ("SELECT", "WITH", "("):
                self.steps.append(Loop(head, 0, [], head[1:]))
            return
        record = head[1:at]
        if walker.word_at(1) == "(" and walker.close(1) == at - 1:
            record = head[2 : at - 1]
        source = head[at + 1 :]
        if walker.word_at(at + 1) in ("ARRAY", "QUERY", "CURSOR") and len(source) > 1:
            source = source[1:]
        elif walker.word_at(at + 2) == "CURSOR" or (
            walker.word_at(at + 2) in ("INSENSITIVE", "SENSITIVE", "ASENSITIVE")
        ):
            found = walker.seek(at + 2, "FOR")
            cursor = head[at + 1]
            source = head[found + 1 :]
        if _is_range(source):
            self.steps.append(Declare(head, 0, record[:1]))
            return
        dynamic = walker.word_at(at + 1) == "EXECUTE"
        self.steps.append(Loop(head, 0, record, source[1:] if dynamic else source, cursor, dynamic))


def _creating(tokens: list[Token]) -> list[Token]:
    """``DECLARE GLOBAL TEMPORARY TABLE`` of DB2 says of a table what CREATE says in other dialects."""
    first = tokens[0]
    return [Token(TokenType.CREATE, "CREATE", first.line, first.col, first.start, first.end), *tokens[1:]]


def _is_range(source: list[Token]) -> bool:
    """``1 .. n``, ``REVERSE 1..n``, ``1 TO 10``: numbers, no rows."""
    walker = TokenCursor(source)
    if walker.word_at(0) == "REVERSE":
        return True
    depth = 0
    for i, token in enumerate(source):
        kind = token.token_type
        if kind is TokenType.L_PAREN:
            depth += 1
        elif kind is TokenType.R_PAREN:
            depth -= 1
        elif depth:
            continue
        elif kind is TokenType.SELECT:
            return False
        elif walker.word_at(i) == "TO":
            return True
        elif kind is TokenType.DOT:
            before = source[i - 1] if i else None
            if before is not None and before.end + 1 == token.start:
                if before.token_type is TokenType.DOT:
                    return True
                if before.token_type is TokenType.NUMBER and before.text.endswith("."):
                    return True
        elif (
            kind is TokenType.NUMBER and token.text.startswith(".") and i and source[i - 1].token_type is TokenType.DOT
        ) or (
            kind is TokenType.NUMBER
            and "." in token.text
            and i + 1 < len(source)
            and source[i + 1].text.startswith(".")
        ):
            return True
    return bool(source) and source[0].token_type is TokenType.NUMBER and len(source) > 1
