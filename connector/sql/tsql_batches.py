"""T-SQL: statements that no semicolon separates.

A batch is read as the server reads it: a statement ends where the next one begins, IF and WHILE own the statement
after them, BEGIN ... END is one statement, and a routine takes the rest of its batch.
"""

from __future__ import annotations

from bisect import bisect_left

from sqlglot.tokenizer_core import Token, TokenType

from connector.sql.words import CLOSING, OPENING, STRINGS, TRANSACTION_WORDS, first_on_line, word

_STARTERS = frozenset(
    """
    ALTER BACKUP BEGIN BREAK BULK CHECKPOINT CLOSE COMMIT CONTINUE CREATE DBCC DEALLOCATE DECLARE DELETE DENY DISABLE DROP
    ENABLE EXEC EXECUTE FETCH GOTO GRANT IF INSERT KILL MERGE OPEN PRINT RAISERROR RECONFIGURE RESTORE RETURN REVERT REVOKE
    ROLLBACK SAVE SELECT SET THROW TRUNCATE UPDATE USE WAITFOR WHILE WITH
    """.split()
) | {"UPDATE STATISTICS"}
_MARKS = _STARTERS | {";", "CASE", "END", "ELSE", "VALUES", "TO", "FROM", ":"}
_MARK, _OPEN, _CLOSE = 1, 2, 3
_SEMICOLON = TokenType.SEMICOLON
_VAR = TokenType.VAR
_PARAMETER = TokenType.PARAMETER
_ROLES = {
    **dict.fromkeys(
        (
            TokenType.ALTER,
            TokenType.BEGIN,
            TokenType.CASE,
            TokenType.COLON,
            TokenType.COMMAND,
            TokenType.COMMIT,
            TokenType.CREATE,
            TokenType.DECLARE,
            TokenType.DELETE,
            TokenType.DROP,
            TokenType.ELSE,
            TokenType.END,
            TokenType.EXECUTE,
            TokenType.FETCH,
            TokenType.FROM,
            TokenType.GRANT,
            TokenType.INSERT,
            TokenType.KILL,
            TokenType.MERGE,
            TokenType.REVOKE,
            TokenType.ROLLBACK,
            TokenType.SELECT,
            TokenType.SEMICOLON,
            TokenType.SET,
            TokenType.TRUNCATE,
            TokenType.UPDATE,
            TokenType.USE,
            TokenType.VALUES,
            TokenType.VAR,
            TokenType.WITH,
        ),
        _MARK,
    ),
    **dict.fromkeys(OPENING, _OPEN),
    **dict.fromkeys(CLOSING, _CLOSE),
}
"""What a token may be to the reader; most are nothing."""
_QUERY_FOLLOWS = frozenset({"UNION", "EXCEPT", "INTERSECT", "AS", "FOR", "EXPLAIN"})
_ABSORBED = frozenset({"SELECT", "INSERT", "UPDATE", "DELETE", "MERGE", "EXEC", "EXECUTE", "WITH"})
_BRANCH = frozenset({"THEN", "FOR", ",", ".", "AS", "OF", "AFTER", "BEFORE"})
_OBJECTS = frozenset(
    """
    TABLE VIEW PROC PROCEDURE FUNCTION TRIGGER INDEX SCHEMA DATABASE USER ROLE LOGIN TYPE SYNONYM SEQUENCE STATISTICS RULE
    DEFAULT COLUMN CONSTRAINT EXTERNAL CERTIFICATE ASSEMBLY
    """.split()
)
_MODULES = frozenset({"PROC", "PROCEDURE", "FUNCTION", "TRIGGER"})
_NEEDS = {
    "SAVE": ("TRAN", "TRANSACTION"),
    "BULK": ("INSERT",),
    "BACKUP": ("DATABASE", "LOG", "CERTIFICATE", "SERVICE", "MASTER"),
    "RESTORE": ("DATABASE", "LOG", "FILELISTONLY", "HEADERONLY", "VERIFYONLY", "SERVICE", "MASTER"),
    "ENABLE": ("TRIGGER",),
    "DISABLE": ("TRIGGER",),
}
_NAMES_TOO = frozenset({"THROW", "OPEN", "CLOSE", "KILL", "BREAK", "CONTINUE", "REVERT", "RETURN", "USE", "CHECKPOINT"})
"""Words that begin a statement only at the start of a line or after a condition: people use them as names."""
_DEPTH_LIMIT = 150


def _separates_login(tokens: list[Token], i: int) -> bool:
    """``OPENROWSET('provider', 'server';'user';'password', …)``: the one place where a semicolon ends nothing."""
    return (
        0 < i < len(tokens) - 1
        and tokens[i - 1].token_type in STRINGS
        and tokens[i + 1].token_type in STRINGS
        and any(token.text.upper() == "OPENROWSET" for token in tokens[max(i - 8, 0) : i])
    )


def batch_statements(tokens: list[Token], kinds: list[TokenType], start: int, stop: int) -> list[tuple[int, int]]:
    """The statements of one batch as half-open token ranges, without their semicolons. `kinds` are the tokens' types."""
    return Batch(tokens, start, stop, kinds).statements()


class Batch:
    """A recursive reader of statement boundaries. It looks only at marks: the words outside parentheses that matter."""

    def __init__(self, tokens: list[Token], start: int, stop: int, kinds: list[TokenType] | None = None) -> None:
        self.tokens = tokens
        self.start = start
        self.stop = stop
        self.at: list[int] = []
        """Indexes of the marks, in order, and after them the end of the batch."""
        self.words: list[str] = []
        self._find_marks(kinds[start:stop] if kinds is not None else [token.token_type for token in tokens[start:stop]])

    def _find_marks(self, kinds: list[TokenType]) -> None:
        level = 0
        tokens, at, words, roles = self.tokens, self.at, self.words, _ROLES
        for i, kind in enumerate(kinds, self.start):
            if kind not in roles:
                continue
            role = roles[kind]
            if role == _MARK:
                if not level:
                    text = tokens[i].text.upper()
                    if text in _MARKS and not (kind is _VAR and i and tokens[i - 1].token_type is _PARAMETER):
                        # After its sign, any word is the name of a variable: @Execute, @Open.
                        at.append(i)
                        words.append(text)
                elif kind is _SEMICOLON and not _separates_login(tokens, i):
                    # No semicolon stands in parentheses: one of them was never closed.
                    level = 0
                    at.append(i)
                    words.append(";")
            elif role == _OPEN:
                level += 1
            elif level:
                level -= 1
        at.append(self.stop)
        words.append("")

    def statements(self) -> list[tuple[int, int]]:
        found = []
        i = self.start
        while i < self.stop:
            if self.tokens[i].token_type is TokenType.SEMICOLON:
                i += 1
                continue
            end = max(self._statement(i, 0), i + 1)
            found.append((i, end))
            i = end
        return found

    def _word(self, i: int) -> str:
        return word(self.tokens, i) if i < self.stop else ""

    def _statement(self, i: int, depth: int) -> int:
        verb = self._word(i)
        if depth > _DEPTH_LIMIT:
            return self.stop
        if verb == "IF" or verb == "WHILE":
            return self._conditional(i, verb, depth)
        if verb == "BEGIN" and self._word(i + 1) not in TRANSACTION_WORDS:
            return self._block(i, depth)
        if verb in ("CREATE", "ALTER") and self._is_module(i):
            return self._module_end(i)
        if verb not in _STARTERS and self._word(i + 1) == ":":
            return min(i + 2, self.stop)
        return self.simple_end(i, verb)

    def _conditional(self, i: int, verb: str, depth: int) -> int:
        """IF or WHILE with its condition, the statement it governs, and the ELSE branch."""
        j = self.condition_end(i)
        if j >= self.stop or self._word(j) == ";":
            return j
        j = self._statement(j, depth + 1)
        if verb == "IF":
            behind = j + 1 if self._word(j) == ";" else j
            if self._word(behind) == "ELSE":
                return self._statement(behind + 1, depth + 1) if behind + 1 < self.stop else behind + 1
        return j

    def condition_end(self, i: int) -> int:
        for m in range(bisect_left(self.at, i + 1), len(self.at)):
            current = self.words[m]
            if current == "UPDATE" and self._word(self.at[m] + 1) == "(":
                continue
            if current in _STARTERS or current == ";":
                return self.at[m]
        return self.stop

    def _block(self, i: int, depth: int) -> int:
        """BEGIN ... END, and a CATCH block with its TRY block."""
        kind = self._word(i + 1)
        j = i + 2 if kind in ("TRY", "CATCH") else i + 1
        while j < self.stop and self._word(j) != "END":
            j = j + 1 if self._word(j) == ";" else max(self._statement(j, depth + 1), j + 1)
        if j >= self.stop:
            return self.stop
        j += 2 if self._word(j + 1) in ("TRY", "CATCH") else 1
        if kind == "TRY":
            behind = j + 1 if self._word(j) == ";" else j
            if self._word(behind) == "BEGIN" and self._word(behind + 1) == "CATCH":
                return self._block(behind, depth)
        return min(j, self.stop)

    def _is_module(self, i: int) -> bool:
        return self._word(i + 3 if self._word(i + 1) == "OR" else i + 1) in _MODULES

    def _module_end(self, i: int) -> int:
        """A routine takes the rest of the batch; if GO is missing, the next CREATE ends it."""
        for m in range(bisect_left(self.at, i + 1), len(self.at)):
            if self.words[m] in ("CREATE", "ALTER"):
                j = self.at[m]
                if (self._is_module(j) or self._word(j + 1) == "VIEW") and first_on_line(self.tokens, j):
                    return j
        return self.stop

    def simple_end(self, i: int, verb: str) -> int:
        query_due = verb in ("INSERT", "WITH")
        set_due = verb == "UPDATE"
        granting = verb in ("GRANT", "REVOKE", "DENY")
        cases = 0
        for m in range(bisect_left(self.at, i + 1), len(self.at)):
            current = self.words[m]
            j = self.at[m]
            if current == ";":
                return j
            if current == ":":
                if j > i + 1 and self._is_label(j - 1):
                    return j - 1
            elif current == "CASE":
                cases += 1
            elif current == "END" or current == "ELSE":
                if not cases:
                    return j
                cases -= current == "END"
            elif current == "VALUES":
                query_due = query_due and verb != "INSERT"
            elif granting:
                granting = current not in ("TO", "FROM")
            elif current not in _STARTERS:
                continue
            elif query_due and current in _ABSORBED:
                if current != "WITH" or self._is_cte(j):
                    query_due = current in ("INSERT", "WITH")
                    set_due = current == "UPDATE"
                    verb = current
            elif current == "SET" and set_due:
                set_due = False
            elif current == "WITH" and word(self.tokens, j - 1) in ("AS", "FOR") and self._is_cte(j):
                query_due = True
            elif self._begins(j, current, verb):
                return j
        return self.stop

    def _is_label(self, j: int) -> bool:
        """``fail: ROLLBACK``: whether the word before a colon begins its line, and stands before the next statement."""
        name, colon = self.tokens[j], self.tokens[j + 1]
        return name.token_type is _VAR and name.line == colon.line and first_on_line(self.tokens, j)

    def _begins(self, j: int, current: str, verb: str) -> bool:
        """Whether the word at `j` begins a statement although it might continue one that began with `verb`."""
        before, following = word(self.tokens, j - 1), self._word(j + 1)
        if j > 1 and self.tokens[j - 2].token_type is _PARAMETER:
            # The name of a variable says nothing: @proc, @index.
            before = "@"
        if before == "." or following == ".":
            return False
        if current == "SELECT":
            after_set = before in ("ALL", "DISTINCT") and word(self.tokens, j - 2) in _QUERY_FOLLOWS
            return before not in _QUERY_FOLLOWS and not after_set
        if current == "WITH":
            return before not in ("AS", "FOR") and self._is_cte(j)
        if before in _BRANCH or (current in _NEEDS and following not in _NEEDS[current]):
            return False
        if current in ("SET", "MERGE", "ENABLE", "DISABLE") and verb == "ALTER":
            return False
        if before == "ON" and current in ("DELETE", "UPDATE", "INSERT"):
            # ON DELETE CASCADE continues; SET NOCOUNT ON is complete.
            return verb == "SET"
        if current == "SET":
            return before not in ("UPDATE", "DELETE")
        if current == "UPDATE":
            return following != "("
        if current == "MERGE":
            return following not in ("JOIN", "UNION")
        if current == "FETCH":
            return before not in ("ROW", "ROWS")
        if current == "IF":
            return before not in _OBJECTS
        if current == "ALTER" and before == "OR":
            # CREATE OR ALTER VIEW
            return False
        if current in ("DROP", "ALTER", "CREATE"):
            return verb != "ALTER" or (following in _OBJECTS and following not in ("COLUMN", "CONSTRAINT"))
        if current in ("ROLLBACK", "GRANT", "EXECUTE", "EXEC"):
            return before not in ("WITH", "REVOKE")
        if current == "INSERT":
            return before != "BULK"
        return current not in _NAMES_TOO or first_on_line(self.tokens, j) or before == ")"

    def _is_cte(self, j: int) -> bool:
        """``WITH name AS (`` or ``WITH name (columns) AS (``; every other WITH is an option of a statement."""
        following = self._word(j + 1)
        if following == "XMLNAMESPACES":
            return True
        if following in ("(", ";"):
            return False
        k = j + 2
        if self._word(k) == "(":
            while k < self.stop and self._word(k) != ")":
                k += 1
            k += 1
        return self._word(k) == "AS" and self._word(k + 1) == "("
