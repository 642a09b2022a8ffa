"""Rules for Informix."""

from __future__ import annotations

from sqlglot.tokenizer_core import TokenType

from connector.sql.repair.tools import Rule, at_words, find_word
from connector.sql.words import Replacement, Tokens, closing, drop_where, like, replace_where, word

_UNITS = frozenset({"YEAR", "MONTH", "DAY", "HOUR", "MINUTE", "SECOND", "FRACTION"})
_STORAGE = {"TEMP": True, "SCRATCH": True, "STANDARD": False, "RAW": False, "EXTERNAL": False}
"""What follows INTO where a query makes a table, and whether the table is temporary."""


def _made_table(tokens: Tokens) -> Tokens:
    """``SELECT … INTO TEMP t [WITH NO LOG]``: the rows of a query become a table."""
    into = find_word(tokens, 0, "INTO")
    while into > 0 and word(tokens, into + 1) not in _STORAGE:
        into = find_word(tokens, into + 1, "INTO")
    if into < 0 or into + 2 >= len(tokens) or word(tokens, 0) not in ("SELECT", "WITH"):
        return tokens
    here = tokens[into]
    words = [like(here, TokenType.CREATE, "CREATE"), like(here, TokenType.TABLE, "TABLE")]
    if _STORAGE[word(tokens, into + 1)]:
        words.insert(1, like(here, TokenType.TEMPORARY, "TEMPORARY"))
    return [*words, tokens[into + 2], like(here, TokenType.ALIAS, "AS"), *tokens[:into]]


def _outer_table(tokens: Tokens, i: int) -> int:
    """``FROM a, OUTER b``: an outer join whose condition stands in WHERE."""
    return 1 if word(tokens, i) == "OUTER" and word(tokens, i - 1) in (",", "FROM", "(") else 0


@replace_where
def _outer_tables(tokens: Tokens, i: int) -> Replacement | None:
    """``OUTER (b, c)``: the same with several tables."""
    if not at_words(tokens, i, "OUTER", "(") or word(tokens, i - 1) not in (",", "FROM", "("):
        return None
    end = closing(tokens, i + 1)
    return _outer_tables(tokens[i + 2 : end]), end + 1 - i


@replace_where
def _first_rows(tokens: Tokens, i: int) -> Replacement | None:
    """``SELECT SKIP 10 FIRST 5``: some of the rows."""
    if word(tokens, i) not in ("SKIP", "FIRST", "LIMIT") or word(tokens, i - 1) != "SELECT":
        return None
    end = i
    while word(tokens, end) in ("SKIP", "FIRST", "LIMIT"):
        end += 2
    if end > len(tokens):
        return None
    return [like(tokens[i], TokenType.TOP, "TOP"), tokens[end - 1]], end - i


def _precision(tokens: Tokens, i: int) -> int:
    """``YEAR TO SECOND`` after a value or as the last argument, ``UNITS DAY`` after a number."""
    comma = int(word(tokens, i) == ",")
    if not comma and at_words(tokens, i, "UNITS") and word(tokens, i + 1) in _UNITS:
        return 2
    at = i + comma
    if word(tokens, at) not in _UNITS:
        return 0
    end = at + 1
    if word(tokens, end) == "(":
        end = closing(tokens, end) + 1
    if word(tokens, end) != "TO" or word(tokens, end + 1) not in _UNITS:
        return 0
    end += 2
    return (closing(tokens, end) + 1 if word(tokens, end) == "(" else end) - i


INFORMIX: tuple[Rule, ...] = (
    _made_table,
    _outer_tables,
    drop_where(_outer_table),
    _first_rows,
    drop_where(_precision),
)
