"""Tokenizing a text that the tokenizer refuses as a whole: it is cut coarsely, and each piece is tried by itself."""

from __future__ import annotations

from bisect import bisect_right

from sqlglot.errors import TokenError
from sqlglot.tokenizer_core import Token

from connector.sql.dialects import SqlDialect
from connector.sql.grammars import with_backslash_escapes
from connector.sql.lexemes import lexemes

__all__ = ["tokenize_in_pieces"]

Broken = tuple[int, int, str]
"""First offset, offset behind, and what is wrong there."""


def tokenize_in_pieces(text: str, dialect: SqlDialect) -> tuple[list[Token], list[Broken]]:
    """The tokens of all pieces that can be read, with offsets in the whole text, and the pieces that cannot."""
    tokens: list[Token] = []
    broken: list[Broken] = []
    lines = _line_starts(text)
    escaping = with_backslash_escapes(type(dialect.sqlglot))
    if escaping is not None and "\\" in text:
        try:
            return escaping.tokenize(text), []
        except TokenError:
            # Not that, then: piece by piece.
            pass
    for start, end in _pieces(text, dialect):
        try:
            found = dialect.sqlglot.tokenize(text[start:end])
        except TokenError:
            message = _reason(text[start:end], dialect)
            begin = start + len(text[start:end]) - len(text[start:end].lstrip())
            broken.append((begin, end, message))
            continue
        line = bisect_right(lines, start) - 1
        for token in found:
            token.start += start
            token.end += start
            token.line += line
        tokens.extend(found)
    return tokens, broken


def _line_starts(text: str) -> list[int]:
    return [0, *(i + 1 for i, character in enumerate(text) if character == "\n")]


def _pieces(text: str, dialect: SqlDialect) -> list[tuple[int, int]]:
    """Pieces between semicolons.

    A quote that is never closed swallows the rest of the text; there the piece ends at the next semicolon at the end
    of a line, and reading starts anew behind it.
    """
    pieces: list[tuple[int, int]] = []
    start = at = 0
    while at < len(text):
        resumed = at
        for kind, first, end in lexemes(text[at:], dialect):
            if kind == "end":
                pieces.append((start, at + end))
                start = at + end
            elif kind == "open":
                stop = _line_with_semicolon(text, at + first)
                pieces.append((start, stop))
                start = resumed = stop
                break
        else:
            break
        at = resumed
    if start < len(text):
        pieces.append((start, len(text)))
    return pieces


def _line_with_semicolon(text: str, at: int) -> int:
    """Behind the first semicolon that ends a line, or the end of the text."""
    while True:
        at = text.find(";", at)
        if at < 0:
            return len(text)
        end = text.find("\n", at)
        if not text[at + 1 : end if end >= 0 else len(text)].strip():
            return at + 1
        at += 1


def _reason(piece: str, dialect: SqlDialect) -> str:
    for kind, start, _ in lexemes(piece, dialect):
        if kind == "open":
            sign = piece[start : start + 2] if piece.startswith("/*", start) else piece[start]
            what = "comment" if sign == "/*" else "quote"
            return f"The {what} opened with {sign} is never closed"
    return "The text cannot be split into tokens"
