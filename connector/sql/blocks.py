"""Finds the end of statements with an unquoted body, such as routines and blocks, in all families except T-SQL.

Only what opens and closes is looked at. A stack holds blocks (``BEGIN``), declaration parts that wait for their
``BEGIN``, packages and CASE; control statements close with a word of their own (``END IF``) and are counted only where they
stand outside any block.
"""

from __future__ import annotations

from enum import Enum

from sqlglot.tokenizer_core import Token, TokenType

from connector.sql.families import FAMILIES, Family
from connector.sql.words import TRANSACTION_WORDS, first_on_line, word

BODY_STARTS = frozenset(
    {
        TokenType.CREATE,
        TokenType.ALTER,
        TokenType.REPLACE,
        TokenType.BEGIN,
        TokenType.DECLARE,
        TokenType.WITH,
        TokenType.CASE,
        TokenType.FOR,
        TokenType.COMMAND,
        TokenType.VAR,
        TokenType.LT,
    }
)
"""Token types with which a statement with a body may start."""


class _Open(Enum):
    """What may be open."""

    BLOCK = "BEGIN"
    DECLARATIONS = "DECLARE"
    PACKAGE = "PACKAGE"
    CASE = "CASE"
    CASE_STATEMENT = "END CASE"
    CONTROL = "IF"
    NETEZZA = "BEGIN_PROC"


_ROUTINES = frozenset({"PROCEDURE", "PROC", "FUNCTION"})
_HEADS = frozenset({"(", "RETURNS", "RETURN", "IS"})
"""What stands behind the name of a routine in a query."""
_OBJECTS_WITH_BODY = _ROUTINES | {"JAVA", "TRIGGER", "PACKAGE", "TYPE", "MACRO", "RULE", "EVENT", "TASK", "ALERT"}
_HEADER_WORDS = frozenset(
    """
    OR REPLACE ALTER EDITIONABLE NONEDITIONABLE TEMP TEMPORARY AGGREGATE SECURE EXTERNAL DEFINER SQL SECURITY INVOKER
    TRANSIENT PUBLIC PRIVATE IF NOT EXISTS CONSTRAINT UNIQUE TABLE SPECIFIC NO FORCE LANGUAGE DBA GLOBAL LOCAL ONLY MEMORY SCALAR
    CONTINUOUS AND RESOLVE COMPILE NOFORCE
    """.split()
)
_CONTROL = frozenset({"IF", "LOOP", "WHILE", "FOR", "REPEAT"})
_STATEMENT_FOLLOWS = frozenset({";", "THEN", "ELSE", "DO", "LOOP", "BEGIN", "REPEAT"})
_CASE_FOLLOWS = _STATEMENT_FOLLOWS - {"THEN", "ELSE"}
_MEMBER_STARTS = frozenset(
    {
        ";",
        "IS",
        "AS",
        "DECLARE",
        "MEMBER",
        "STATIC",
        "CONSTRUCTOR",
        "MAP",
        "ORDER",
        "FINAL",
        "INSTANTIABLE",
        "OVERRIDING",
        "WITH",
    }
)
_DEFINING = frozenset({"CREATE", "DROP", "ALTER"})
_NAME_NEIGHBOURS = frozenset({",", "=", ")", ".", "<", ">", "+", "-", "*"})


def body_end(tokens: list[Token], i: int, stop: int, family: Family) -> int:
    """The index of the terminator of the statement at `i` (or `stop`); -1 when it has no body and ends at a plain ``;``."""
    first = word(tokens, i)
    if first in ("CREATE", "ALTER", "REPLACE"):
        kind = _object_with_body(tokens, i, stop)
        if not kind:
            routine = _with_routine(tokens, i, stop) if family.declares_after_is else -1
            return _Scanner(tokens, routine, stop, family).with_routine() if routine > 0 else -1
        if kind in ("MACRO", "RULE") or (kind == "TRIGGER" and family.parenthesised_triggers):
            return _behind_parentheses(tokens, i, stop)
        if kind == "JAVA":
            # Whatever it says, up to the line with the slash.
            return stop
        if family.spl and kind in _ROUTINES:
            return _spl_end(tokens, i, stop)
        if kind == "PACKAGE" and family.oracle_routines:
            family = FAMILIES["plsql"]
        return _Scanner(tokens, i, stop, family).routine(kind)
    if first == "BEGIN":
        following = word(tokens, i + 1)
        if i + 1 >= stop or following == ";" or following in TRANSACTION_WORDS:
            return -1
        if family.begin_is_transaction:
            return -1
        return _Scanner(tokens, i, stop, family).block()
    if first == "DECLARE":
        if family.declares_after_is or (family.declare_may_open_block and _leads_to_begin(tokens, i, stop)):
            return _Scanner(tokens, i, stop, family).block()
        if family.handlers_in_scripts and "HANDLER" in (word(tokens, i + 1), word(tokens, i + 2)):
            return _Scanner(tokens, i, stop, family).block()
        return -1
    if first == "WITH":
        if word(tokens, i + 1) in _ROUTINES and word(tokens, i + 3) in _HEADS:
            return _Scanner(tokens, i, stop, family).with_routine()
        return -1
    if first == "DO":
        return _Scanner(tokens, i, stop, family).block()
    if first == "<":
        return _Scanner(tokens, i, stop, family).block() if family.angle_labels else -1
    if (first in _CONTROL or first == "CASE") and family.control_in_scripts:
        return _Scanner(tokens, i, stop, family).control()
    if word(tokens, i + 1) == ":" and word(tokens, i + 2) in ("BEGIN", *_CONTROL):
        return body_end(tokens, i + 2, stop, family)
    return -1


def _object_with_body(tokens: list[Token], i: int, stop: int) -> str:
    """The kind of object a CREATE is about when that kind may have a body."""
    i += 1
    limit = min(i + 14, stop)
    while i < limit:
        current = word(tokens, i)
        if current in _OBJECTS_WITH_BODY:
            if current == "TYPE":
                return "TYPE BODY" if word(tokens, i + 1) == "BODY" else ""
            return current
        if current == "DEFINER" or word(tokens, i - 1) in ("DEFINER", "=", "@"):
            # MySQL: DEFINER = 'user'@'host', quoted or not
            i += 1
        elif current in _HEADER_WORDS or current in ("=", "@", ""):
            i += 1
        elif current == "(" and word(tokens, i + 1) == ")":
            # DEFINER = current_user()
            i += 2
        else:
            return ""
    return ""


def _with_routine(tokens: list[Token], i: int, stop: int) -> int:
    """``CREATE VIEW v AS WITH FUNCTION f …``: where the routine of a query begins that the statement holds, -1 without one."""
    for j in range(i, stop):
        if tokens[j].token_type is TokenType.SEMICOLON:
            return -1
        if (
            tokens[j].token_type is TokenType.WITH
            and word(tokens, j + 1) in _ROUTINES
            and word(tokens, j + 3) in _HEADS
        ):
            return j
    return -1


def _behind_parentheses(tokens: list[Token], i: int, stop: int) -> int:
    """The first semicolon outside parentheses: the body of a macro or rule is a list of statements in them."""
    depth = 0
    for j in range(i, stop):
        kind = tokens[j].token_type
        if kind is TokenType.L_PAREN:
            depth += 1
        elif kind is TokenType.R_PAREN:
            depth -= 1
        elif kind is TokenType.SEMICOLON and depth <= 0:
            return j
    return -1 if depth > 0 else stop


def _spl_end(tokens: list[Token], i: int, stop: int) -> int:
    """After ``END PROCEDURE``, and after what may document it there."""
    for j in range(i, stop):
        if tokens[j].token_type is TokenType.END and word(tokens, j + 1) in _ROUTINES:
            if word(tokens, j + 2) not in ("DOCUMENT", "WITH"):
                return min(j + 2, stop)
            return next((k for k in range(j, stop) if tokens[k].token_type is TokenType.SEMICOLON), stop)
    return -1


def _leads_to_begin(tokens: list[Token], i: int, stop: int) -> bool:
    """Whether the declarations at `i` belong to a block: a BEGIN follows before any other statement does."""
    for j in range(i, stop):
        if tokens[j].token_type is TokenType.SEMICOLON:
            following = word(tokens, j + 1)
            if following == "BEGIN":
                return True
            if following in (
                "SELECT",
                "INSERT",
                "UPDATE",
                "DELETE",
                "MERGE",
                "CREATE",
                "DROP",
                "ALTER",
                "SET",
                "DECLARE",
                "WITH",
            ):
                return False
        elif tokens[j].token_type is TokenType.BEGIN and word(tokens, j) == "BEGIN":
            return True
    return False


class _Scanner:
    """Walks from the start of a statement to the semicolon that ends it."""

    def __init__(self, tokens: list[Token], start: int, stop: int, family: Family) -> None:
        self.tokens = tokens
        self.start = start
        self.stop = stop
        self.family = family
        self.stack: list[_Open] = []
        self.header = False
        """In the head of a routine, before its IS, AS or semicolon."""
        self.controls = False
        self.query_due = False
        """Semicolons end inline routines only, until the query after them begins."""

    def routine(self, kind: str) -> int:
        self.header = self.family.declares_after_is and kind in (*_ROUTINES, "PACKAGE", "TYPE BODY")
        end = self._run()
        if end >= 0:
            return end
        return self._next_routine()

    def block(self) -> int:
        return self._run()

    def with_routine(self) -> int:
        self.query_due = True
        return self._run()

    def control(self) -> int:
        self.controls = True
        return self._run()

    def _run(self) -> int:
        tokens = self.tokens
        stack = self.stack
        for j in range(self.start, self.stop):
            kind = tokens[j].token_type
            if kind is TokenType.SEMICOLON:
                self.header = False
                if not stack and not self.query_due:
                    return j
                continue
            current = word(tokens, j)
            if current == "BEGIN":
                self._begin(j)
            elif current == "END" or current == "END_PROC":
                self._end(j, current)
            elif current == "CASE":
                if word(tokens, j - 1) != "END" and word(tokens, j - 1) != ".":
                    stack.append(self._case(j))
            elif current in _DEFINING and not stack and j > self.start and self._follows_end(j):
                return j
            elif current == "BEGIN_PROC":
                stack.append(_Open.NETEZZA)
            elif self.query_due and not stack and current in ("SELECT", "INSERT", "UPDATE", "DELETE", "MERGE"):
                self.query_due = False
            elif self.controls and current in _CONTROL:
                if j == self.start or word(tokens, j - 1) in _STATEMENT_FOLLOWS:
                    stack.append(_Open.CONTROL)
            elif self.family.declares_before_begin:
                self._declarations(j, current)
        return -1 if stack else self.stop

    def _case(self, j: int) -> _Open:
        """An expression, or a statement: other statements stand in the latter, whose ``END IF`` does not close it."""
        before = word(self.tokens, j - 1)
        if before in ("THEN", "ELSE"):
            inside = self.stack[-1] if self.stack else None
            return _Open.CASE if inside is _Open.CASE else _Open.CASE_STATEMENT
        labelled = before == ">" and word(self.tokens, j - 2) == ">"
        return _Open.CASE_STATEMENT if before in _CASE_FOLLOWS or labelled or j == self.start else _Open.CASE

    def _follows_end(self, j: int) -> bool:
        """Whether a definition begins on the line after ``END`` or ``END name``, where the terminator is missing."""
        tokens = self.tokens
        if not first_on_line(tokens, j):
            return False
        return word(tokens, j - 1) == "END" or (
            word(tokens, j - 2) == "END" and tokens[j - 2].line == tokens[j - 1].line
        )

    def _begin(self, j: int) -> None:
        tokens = self.tokens
        following = word(tokens, j + 1)
        if following in TRANSACTION_WORDS and not self.family.declares_after_is:
            return
        labelled = following == "<" and word(tokens, j + 2) == "<"
        if (following in _NAME_NEIGHBOURS and not labelled) or word(tokens, j - 1) == ".":
            return
        if following == ";" and not self.family.declares_after_is:
            return
        stack = self.stack
        self.header = False
        if stack and stack[-1] in (_Open.DECLARATIONS, _Open.PACKAGE):
            stack[-1] = _Open.BLOCK
        else:
            stack.append(_Open.BLOCK)

    def _end(self, j: int, current: str) -> None:
        stack = self.stack
        if not stack or word(self.tokens, j - 1) == ".":
            return
        if current == "END_PROC":
            while stack and stack.pop() is not _Open.NETEZZA:
                pass
            return
        if stack[-1] is _Open.CASE:
            stack.pop()
        elif word(self.tokens, j + 1) in _CONTROL:
            if stack[-1] is _Open.CONTROL:
                stack.pop()
        else:
            stack.pop()

    def _declarations(self, j: int, current: str) -> None:
        """PL/SQL: declarations stand between IS (or DECLARE) and BEGIN, and hold semicolons and routines of their own."""
        stack = self.stack
        tokens = self.tokens
        if current == "DECLARE":
            if not stack or stack[-1] is _Open.BLOCK or stack[-1] is _Open.CONTROL:
                stack.append(_Open.DECLARATIONS)
        elif not self.family.declares_after_is:
            return
        elif current in _ROUTINES:
            if word(tokens, j - 1) in _MEMBER_STARTS:
                self.header = True
        elif current in ("IS", "AS"):
            if self.header:
                self._open_body(j)
            elif stack and stack[-1] is _Open.PACKAGE and word(tokens, j - 1) in ("STATEMENT", "ROW"):
                stack.append(_Open.DECLARATIONS)
        elif current == "COMPOUND" and word(tokens, j + 1) == "TRIGGER":
            stack.append(_Open.PACKAGE)

    def _open_body(self, j: int) -> None:
        following = word(self.tokens, j + 1)
        if following in ("LANGUAGE", "EXTERNAL", "RESULT_CACHE", "IDENTIFIER"):
            return
        if following == "" and j + 1 < self.stop and self.tokens[j + 1].token_type is not TokenType.IDENTIFIER:
            # A quoted body: the declarations are in the string.
            self.header = False
            return
        self.header = False
        packaged = not self.stack and _is_package(self.tokens, self.start)
        self.stack.append(_Open.PACKAGE if packaged else _Open.DECLARATIONS)

    def _next_routine(self) -> int:
        """A body that is never closed ends before the next routine: no routine defines another one in its body."""
        tokens = self.tokens
        for j in range(self.start, self.stop):
            if tokens[j].token_type is TokenType.SEMICOLON and word(tokens, j + 1) == "CREATE":
                if _object_with_body(tokens, j + 1, self.stop):
                    return j
        return self.stop


def _is_package(tokens: list[Token], start: int) -> bool:
    for j in range(start + 1, min(start + 8, len(tokens))):
        current = word(tokens, j)
        if current == "PACKAGE" or (current == "TYPE" and word(tokens, j + 1) == "BODY"):
            return True
        if current in _ROUTINES:
            return False
    return False
