"""Keywords of several words with a comment between them: ``GROUP /* by day */ BY``.

The tokenizer takes such words for one token where only white space stands between them.
"""

from __future__ import annotations

from functools import cache

from sqlglot.tokenizer_core import Token, TokenType

from connector.sql.dialects import SqlDialect
from connector.sql.repair.tools import Tokens

__all__ = ["join_keywords"]

_Phrases = dict[str, list[tuple[tuple[str, ...], TokenType]]]


@cache
def _phrases(dialect: SqlDialect) -> _Phrases:
    """The keywords of several words by their first, long ones first."""
    found: _Phrases = {}
    for phrase, kind in dialect.sqlglot.tokenizer_class.KEYWORDS.items():
        words = tuple(phrase.upper().split())
        if len(words) > 1 and all(word.isalpha() for word in words):
            found.setdefault(words[0], []).append((words[1:], kind))
    for phrases in found.values():
        phrases.sort(key=lambda entry: -len(entry[0]))
    return found


def join_keywords(tokens: Tokens, dialect: SqlDialect) -> Tokens:
    """The tokens with the words of each such keyword in one; the same list when there is none."""
    phrases = _phrases(dialect)
    left: Tokens = []
    i = 0
    while i < len(tokens):
        joined = _keyword(tokens, i, phrases)
        left.append(joined[0] if joined is not None else tokens[i])
        i += joined[1] if joined is not None else 1
    return left if len(left) != len(tokens) else tokens


def _keyword(tokens: Tokens, i: int, phrases: _Phrases) -> tuple[Token, int] | None:
    first = tokens[i]
    if first.token_type is TokenType.IDENTIFIER or (i and tokens[i - 1].token_type is TokenType.DOT):
        return None
    for rest, kind in phrases.get(first.text.upper(), ()):
        following = tokens[i + 1 : i + 1 + len(rest)]
        if tuple(token.text.upper() for token in following) == rest:
            last = following[-1]
            text = " ".join((first.text, *(token.text for token in following)))
            return Token(kind, text, last.line, last.col, first.start, last.end, []), 1 + len(rest)
    return None
