"""T-SQL: statements that no semicolon separates.

A batch is read as the server reads it: a statement ends where the next one begins, IF and WHILE own the statement
behind them, BEGIN ... END is one statement, and a routine takes the rest of its batch.
"""

from __future__ import annotations

from sqlglot.tokens import Token, TokenType

from connector.sql.words import CLOSING, OPENING, TRANSACTION_WORDS, first_on_line

__all__ = ["batch_statements"]

_STARTERS = frozenset(
    """
    ALTER BACKUP BEGIN BREAK BULK CHECKPOINT CLOSE COMMIT CONTINUE CREATE DBCC DEALLOCATE DECLARE DELETE DENY DISABLE DROP
    ENABLE EXEC EXECUTE FETCH GOTO GRANT IF INSERT KILL MERGE OPEN PRINT RAISERROR RECONFIGURE RESTORE RETURN REVERT REVOKE
    ROLLBACK SAVE SELECT SET THROW TRUNCATE UPDATE USE WAITFOR WHILE WITH
    """.split()
) | {"UPDATE STATISTICS"}
_QUERY_FOLLOWS = frozenset({"UNION", "EXCEPT", "INTERSECT", "AS", "FOR", "EXPLAIN"})
_BRANCH = frozenset({"THEN", "FOR", "ON", ",", ".", "AS", "OF", "AFTER", "BEFORE"})
_DROPPED = frozenset(
    """
    TABLE VIEW PROC PROCEDURE FUNCTION TRIGGER INDEX SCHEMA DATABASE USER ROLE LOGIN TYPE SYNONYM SEQUENCE STATISTICS RULE
    DEFAULT COLUMN CONSTRAINT EXTERNAL LOGIN CERTIFICATE ASSEMBLY
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
_DEPTH_LIMIT = 150


def batch_statements(tokens: list[Token], start: int, stop: int) -> list[tuple[int, int]]:
    """The statements of one batch as half-open token ranges, without their semicolons."""
    return _Batch(tokens, start, stop).statements()


class _Batch:
    """A recursive reader of statement boundaries; it looks at nothing else."""

    def __init__(self, tokens: list[Token], start: int, stop: int) -> None:
        self.tokens = tokens
        self.start = start
        self.stop = stop
        self.words = [
            "" if token.token_type is TokenType.IDENTIFIER or token.token_type is TokenType.STRING else token.text.upper()
            for token in tokens[start:stop]
        ]
        self.words.extend(("", "", "", ""))

    def statements(self) -> list[tuple[int, int]]:
        found = []
        i = 0
        count = self.stop - self.start
        while i < count:
            if self.words[i] == ";":
                i += 1
                continue
            end = max(self._statement(i, 0), i + 1)
            found.append((self.start + i, self.start + end))
            i = end
        return found

    def _statement(self, i: int, depth: int) -> int:
        verb = self.words[i]
        count = self.stop - self.start
        if depth > _DEPTH_LIMIT:
            return count
        if verb == "IF" or verb == "WHILE":
            return self._conditional(i, depth)
        if verb == "BEGIN" and self.words[i + 1] not in TRANSACTION_WORDS:
            return self._block(i, depth)
        if verb in ("CREATE", "ALTER") and self._is_module(i):
            return self._module_end(i)
        if self.words[i + 1] == ":" and verb not in _STARTERS and self.tokens[self.start + i].token_type is TokenType.VAR:
            return i + 2
        return self._simple(i)

    def _conditional(self, i: int, depth: int) -> int:
        """IF or WHILE with its condition, the statement it governs, and the ELSE branch."""
        count = self.stop - self.start
        words = self.words
        j = self._condition_end(i + 1)
        if j >= count or words[j] == ";":
            return j
        j = self._statement(j, depth + 1)
        if words[i] == "IF":
            k = j + 1 if words[j] == ";" else j
            if k < count and words[k] == "ELSE":
                j = self._statement(k + 1, depth + 1) if k + 1 < count else k + 1
        return j

    def _condition_end(self, j: int) -> int:
        count = self.stop - self.start
        level = 0
        while j < count:
            kind = self.tokens[self.start + j].token_type
            if kind in OPENING:
                level += 1
            elif kind in CLOSING:
                level -= 1
            elif level <= 0:
                current = self.words[j]
                if current == ";":
                    return j
                if current in _STARTERS and not (current == "UPDATE" and self.words[j + 1] == "("):
                    return j
            j += 1
        return j

    def _block(self, i: int, depth: int) -> int:
        """BEGIN ... END, and a CATCH block with its TRY block."""
        count = self.stop - self.start
        words = self.words
        trying = words[i + 1] == "TRY"
        j = i + 2 if words[i + 1] in ("TRY", "CATCH") else i + 1
        while j < count and words[j] != "END":
            j = j + 1 if words[j] == ";" else max(self._statement(j, depth + 1), j + 1)
        if j >= count:
            return count
        j += 2 if words[j + 1] in ("TRY", "CATCH") else 1
        if trying:
            k = j + 1 if words[j] == ";" else j
            if words[k] == "BEGIN" and words[k + 1] == "CATCH":
                return self._block(k, depth)
        return min(j, count)

    def _is_module(self, i: int) -> bool:
        words = self.words
        j = i + 3 if words[i + 1] == "OR" else i + 1
        return words[j] in _MODULES

    def _module_end(self, i: int) -> int:
        """A routine takes the rest of the batch; where somebody forgot the GO, the next CREATE ends it."""
        count = self.stop - self.start
        words = self.words
        for j in range(i + 1, count):
            if words[j] in ("CREATE", "ALTER") and (self._is_module(j) or words[j + 1] == "VIEW"):
                if first_on_line(self.tokens, self.start + j):
                    return j
        return count

    def _simple(self, i: int) -> int:
        words = self.words
        tokens = self.tokens
        base = self.start
        count = self.stop - self.start
        verb = words[i]
        query_due = verb in ("INSERT", "WITH")
        set_due = verb == "UPDATE"
        granting = verb in ("GRANT", "REVOKE", "DENY")
        level = cases = 0
        j = i + 1
        while j < count:
            kind = tokens[base + j].token_type
            if kind in OPENING:
                level += 1
            elif kind in CLOSING:
                level -= 1
            elif level <= 0:
                current = words[j]
                if current == ";":
                    return j
                if current == "CASE":
                    cases += 1
                elif current == "END":
                    if not cases:
                        return j
                    cases -= 1
                elif current == "ELSE":
                    if not cases:
                        return j
                elif current == "VALUES" and verb == "INSERT":
                    query_due = False
                elif granting:
                    granting = current not in ("TO", "FROM")
                elif current in _STARTERS:
                    if query_due and current in ("SELECT", "INSERT", "UPDATE", "DELETE", "MERGE", "EXEC", "EXECUTE", "WITH"):
                        if current != "WITH" or self._is_cte(j):
                            query_due = current in ("INSERT", "WITH")
                            set_due = current == "UPDATE"
                            verb = current
                    elif current == "SET" and set_due:
                        set_due = False
                    elif self._begins(j, verb):
                        return j
            j += 1
        return j

    def _begins(self, j: int, verb: str) -> bool:
        """Whether the word at `j` begins a statement although it might continue one that began with `verb`."""
        words = self.words
        current = words[j]
        before = words[j - 1]
        following = words[j + 1]
        if before == "." or following == ".":
            return False
        if current == "SELECT":
            return before not in _QUERY_FOLLOWS and not (before in ("ALL", "DISTINCT") and words[j - 2] in _QUERY_FOLLOWS)
        if current == "WITH":
            return before not in ("AS", "FOR") and self._is_cte(j)
        if before in _BRANCH:
            return False
        if current in _NEEDS and following not in _NEEDS[current]:
            return False
        if current == "SET":
            return verb != "ALTER" and before not in ("UPDATE", "DELETE")
        if current == "UPDATE":
            return following != "("
        if current == "MERGE":
            return following not in ("JOIN", "UNION")
        if current == "FETCH":
            return before not in ("ROW", "ROWS")
        if current == "IF":
            return before not in _DROPPED
        if current in ("DROP", "ALTER", "CREATE"):
            return verb != "ALTER" or (following in _DROPPED and following not in ("COLUMN", "CONSTRAINT"))
        if current in ("ROLLBACK", "GRANT", "EXECUTE", "EXEC"):
            return before not in ("WITH", "REVOKE")
        if current in ("ENABLE", "DISABLE"):
            return verb != "ALTER"
        if current in ("THROW", "OPEN", "CLOSE", "KILL", "BREAK", "CONTINUE", "REVERT", "RETURN", "USE"):
            return first_on_line(self.tokens, self.start + j) or before == ")"
        if current == "INSERT":
            return before != "BULK"
        return True

    def _is_cte(self, j: int) -> bool:
        """``WITH name AS (`` or ``WITH name (columns) AS (``; every other WITH is an option of a statement."""
        words = self.words
        if words[j + 1] == "XMLNAMESPACES":
            return True
        if words[j + 1] in ("(", ";"):
            return False
        k = j + 2
        if words[k] == "(":
            limit = min(k + 2000, self.stop - self.start)
            while k < limit and words[k] != ")":
                k += 1
            k += 1
        return k + 1 < len(words) and words[k] == "AS" and words[k + 1] == "("
