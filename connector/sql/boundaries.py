"""Where a semicolon was forgotten, in all families but T-SQL.

Query logs and scripts from clients that send one statement at a time often have none. A statement is taken to begin
only where nothing else can be meant: at the start of a line, outside parentheses, with the words that only a statement
begins with, behind something that is complete.
"""

from __future__ import annotations

from bisect import bisect_left

from sqlglot.tokenizer_core import Token, TokenType

from connector.sql.words import CLOSING, OPENING, word

__all__ = ["WATCHED", "begins_anew"]

WATCHED = frozenset(
    {
        TokenType.SEMICOLON,
        TokenType.SELECT,
        TokenType.INSERT,
        TokenType.UPDATE,
        TokenType.DELETE,
        TokenType.MERGE,
        TokenType.CREATE,
        TokenType.DROP,
        TokenType.ALTER,
        TokenType.TRUNCATE,
    }
)
"""Tokens that end a statement or may begin one."""

_OBJECTS = frozenset("TABLE VIEW DATABASE SCHEMA INDEX SEQUENCE PROCEDURE FUNCTION MACRO".split())
_FOLLOWING: dict[str, frozenset[str]] = {
    "INSERT": frozenset({"INTO", "OVERWRITE"}),
    "MERGE": frozenset({"INTO"}),
    "DELETE": frozenset({"FROM"}),
    "TRUNCATE": frozenset({"TABLE"}),
    "DROP": _OBJECTS,
    "ALTER": _OBJECTS,
    "CREATE": _OBJECTS
    | frozenset(
        "OR TEMPORARY TEMP EXTERNAL MATERIALIZED VOLATILE MULTISET SET GLOBAL TRANSIENT UNIQUE UNLOGGED".split()
    ),
}
_COMPLETE = frozenset(
    {
        TokenType.VAR,
        TokenType.IDENTIFIER,
        TokenType.NUMBER,
        TokenType.STRING,
        TokenType.R_PAREN,
        TokenType.END,
        TokenType.NULL,
        TokenType.STAR,
        TokenType.ASC,
        TokenType.DESC,
        TokenType.TRUE,
        TokenType.FALSE,
    }
)
"""Tokens with which a statement may end."""
_AWAITS_QUERY = frozenset({TokenType.INSERT, TokenType.WITH, TokenType.CREATE})
_OPEN_WORDS = frozenset("DO THEN ALSO INSTEAD NOTHING IGNORE MINUS ATOMIC LOOP CORRESPONDING".split())
_INTERRUPTIBLE = frozenset(
    "SELECT SEL INSERT INS UPDATE UPD DELETE DEL MERGE CREATE DROP ALTER TRUNCATE WITH SET USE DATABASE".split()
)
_DEFINES_DATA = frozenset("TABLE VIEW DATABASE SCHEMA INDEX SEQUENCE".split())


def begins_anew(
    tokens: list[Token], kinds: list[TokenType], marks: list[int], start: int, i: int, queried: bool
) -> bool:
    """Whether the token at `i` begins a statement although the one that began at `start` has not been ended.

    `kinds` are the types of the tokens, `marks` the places of brackets, SELECT and FROM (and of others).
    `queried` says whether a SELECT stands between the two; the first one is nearly always what a statement waits for.
    """
    before = kinds[i - 1]
    if before not in _COMPLETE or tokens[i - 1].line >= tokens[i].line:
        return False
    if word(tokens, i - 1) == "NAME" and word(tokens, i - 2) == "BY":
        # UNION ALL BY NAME
        return False
    opening = kinds[start]
    if not queried and opening in _AWAITS_QUERY and kinds[i] is TokenType.SELECT:
        # Only the rows of VALUES can have been it instead.
        if opening is not TokenType.INSERT or before is not TokenType.R_PAREN:
            return False
    verb = word(tokens, start)
    if verb not in _INTERRUPTIBLE or word(tokens, i - 1) in _OPEN_WORDS or not _has_words_of_a_statement(tokens, i):
        return False
    current = word(tokens, i)
    if verb == "ALTER" and current in ("DROP", "ALTER", "CREATE", "TRUNCATE"):
        # ALTER TABLE t DROP INDEX i
        return word(tokens, i + 1) == "TABLE"
    if verb == "CREATE" and not any(word(tokens, j) in _DEFINES_DATA for j in range(start + 1, start + 7)):
        return False
    return _is_complete(tokens, kinds, marks, start, i, verb, current)


def _has_words_of_a_statement(tokens: list[Token], i: int) -> bool:
    current = word(tokens, i)
    if current in ("SELECT", "SEL"):
        return True
    if current == "UPDATE":
        ahead = [word(tokens, j) for j in range(i + 2, i + 9)]
        return "SET" in (ahead[: ahead.index(";")] if ";" in ahead else ahead)
    return word(tokens, i + 1) in _FOLLOWING.get(current, ())


def _is_complete(
    tokens: list[Token], kinds: list[TokenType], marks: list[int], start: int, i: int, verb: str, current: str
) -> bool:
    """Whether all parentheses are closed before `i` and the verb at `start` has got what it needs."""
    depth = 0
    queries = verb in ("SELECT", "SEL")
    reads = False
    # The word VALUES, which only INSERT is interested in, is not among the marks.
    looked_at = range(start, i) if verb == "INSERT" else marks[bisect_left(marks, start) : bisect_left(marks, i)]
    for j in looked_at:
        kind = kinds[j]
        if kind in OPENING:
            depth += 1
        elif kind in CLOSING:
            depth -= 1
        elif not depth:
            if kind is TokenType.SELECT:
                queries = True
            elif kind is TokenType.FROM:
                reads = True
                if not queries and verb == "WITH":
                    # Hive: one source and several inserts
                    return False
            elif verb == "INSERT" and word(tokens, j) == "VALUES" and word(tokens, start + 1) not in ("ALL", "FIRST"):
                queries = reads = True
    if depth:
        return False
    if current in ("SELECT", "SEL"):
        # A query may be what the statement is still waiting for.
        return (queries and reads) or verb in ("UPDATE", "DELETE", "DROP", "TRUNCATE", "USE", "DATABASE", "SET")
    return queries or verb not in ("WITH", "INSERT")
