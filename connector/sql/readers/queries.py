"""Finds the end of a query inside another statement, whose own clauses follow it."""

from __future__ import annotations

from sqlglot.tokenizer_core import TokenType

from connector.sql.readers.cursor import Cursor
from connector.sql.readers.readings import Range
from connector.sql.words import OPENING, STRINGS

_AFTER_PARENTHESIS = frozenset(
    {
        TokenType.UNION,
        TokenType.EXCEPT,
        TokenType.INTERSECT,
        TokenType.ORDER_BY,
        TokenType.LIMIT,
        TokenType.FETCH,
        TokenType.OFFSET,
        TokenType.ALIAS,
        TokenType.JOIN,
    }
)
"""What goes on with a query that begins with a parenthesis."""

_TAILS = (
    ("WITH", "DATA"),
    ("WITH", "NO", "DATA"),
    ("WITH", "CHECK", "OPTION"),
    ("WITH", "LOCAL", "CHECK"),
    ("WITH", "CASCADED", "CHECK"),
    ("WITH", "READ", "ONLY"),
    ("WITH", "NO", "SCHEMA"),
    ("WITH", "SCHEMA"),
    ("WITH", "ROW", "MOVEMENT"),
    ("DISTRIBUTED", "BY"),
    ("DISTRIBUTED", "RANDOMLY"),
    ("DISTRIBUTED", "REPLICATED"),
    ("DISTRIBUTE", "ON"),
    ("ORGANIZE", "ON"),
    ("SEGMENTED", "BY"),
    ("UNSEGMENTED",),
    ("ON", "COMMIT"),
    ("PRIMARY", "INDEX"),
    ("NO", "PRIMARY", "INDEX"),
    ("UNIQUE", "PRIMARY", "INDEX"),
    ("DATA", "INITIALLY"),
    ("INITIALLY", "DEFERRED"),
    ("REFRESH", "DEFERRED"),
    ("DEFINITION", "ONLY"),
    ("KSAFE",),
    ("LOG", "ERRORS"),
    ("INCLUDING", "IDENTITY"),
    ("EXCLUDING", "IDENTITY"),
)
"""Clauses after the query of a CREATE statement."""

_TAILS_BY_FIRST = {
    first: [tail[1:] for tail in _TAILS if tail[0] == first] for first in dict.fromkeys(tail[0] for tail in _TAILS)
}
"""The same by their first word: what has to follow it."""

_FIRST_WORDS = frozenset({*_TAILS_BY_FIRST, "COMMENT"})

_RARE_WORDS = tuple(
    """
    DATA CHECK ONLY SCHEMA MOVEMENT DISTRIBUTE ORGANIZE SEGMENTED COMM PRIMARY INITIALLY DEFERRED KSAFE ERRORS IDENTITY
    """.split()
)
"""Of each tail a word (or the beginning of one) that few queries hold: a text without them all has no tail."""


def query_range(cursor: Cursor, start: int, end: int | None = None) -> Range:
    """The tokens of the query that starts at `start`."""
    stop = cursor.stop if end is None else end
    i = start
    if cursor.tokens[start].token_type is TokenType.L_PAREN:
        closed = cursor.close(start)
        if closed + 1 >= stop or cursor.tokens[closed + 1].token_type not in _AFTER_PARENTHESIS:
            return start, min(closed + 1, stop)
        i = closed + 1
    text = cursor.statement.text.upper()
    if not [word for word in _RARE_WORDS if word in text]:
        return start, stop
    tokens = cursor.tokens
    # Most queries hold none of these words: then there is nothing to look for between the brackets.
    candidates = [at for at in range(max(i, start + 1), stop) if tokens[at].text.upper() in _FIRST_WORDS]
    for candidate in candidates:
        while i < candidate:
            i = cursor.close(i) + 1 if tokens[i].token_type in OPENING else i + 1
        if i == candidate and _is_tail(cursor, i, stop):
            return start, i
    return start, stop


def _is_tail(cursor: Cursor, i: int, stop: int) -> bool:
    first = cursor.word_at(i)
    if first == "COMMENT":
        return i + 2 == stop and cursor.tokens[i + 1].token_type in STRINGS
    for following in _TAILS_BY_FIRST.get(first, ()):
        if all(cursor.word_at(i + n) == word for n, word in enumerate(following, 1)):
            return True
    return False
