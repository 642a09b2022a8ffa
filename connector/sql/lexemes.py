"""A coarse lexer for the text of scripts, for what has to happen before the tokenizer runs.

The tokenizers of sqlglot give up at the first quote that is never closed, and lines that belong to a client program
(``PROMPT it's done``) have such quotes. This module knows only where strings, quoted names and comments lie, and that
for each dialect as its tokenizer says.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator
from functools import cache
from string import ascii_letters

from sqlglot.errors import TokenError
from sqlglot.tokenizer_core import Token
from sqlglot.tokens import Tokenizer

from connector.sql.dialects import SqlDialect
from connector.sql.grammars import with_backslash_escapes
from connector.sql.words import spaces

Lexeme = tuple[str, int, int]
"""Kind (``quoted``, ``comment``, ``open``, ``end``, ``text``), first offset, offset after the last character.

``open`` is a quote or comment that is never closed; it reaches to the end of the text.
"""


@cache
def _pairs(dialect: SqlDialect) -> dict[str, str]:
    """What opens quoted text and names, and what closes it; ``$`` stands for a tag between two of them."""
    tokenizer = dialect.sqlglot.tokenizer_class
    pairs: dict[str, str] = {}
    for quotes in (tokenizer._QUOTES, tokenizer._FORMAT_STRINGS, tokenizer._IDENTIFIERS):
        for opening, closing in quotes.items():
            pairs[opening] = closing if isinstance(closing, str) else closing[0]
    return {opening: closing for opening, closing in pairs.items() if closing}


@cache
def quoted_signs(dialect: SqlDialect) -> str:
    """The characters with which quoted text begins, prefixes like the one of ``N'...'`` aside."""
    return "".join(sorted({opening.lstrip("&" + ascii_letters)[0] for opening in _pairs(dialect)}))


def comment_pattern(dialect: SqlDialect) -> str:
    """The source of a pattern for one comment."""
    tokenizer = dialect.sqlglot.tokenizer_class
    # Older releases of sqlglot do not know the trait, and read every pair of dashes as a comment.
    boundary = r"(?=\s|\Z)" if getattr(tokenizer, "DASH_COMMENT_REQUIRES_BOUNDARY", False) else ""
    return "|".join(
        f"{re.escape(opening)}(?s:.*?){re.escape(ending)}"
        if ending
        else rf"{re.escape(opening)}{boundary if opening == '--' else ''}[^\r\n]*"
        for opening, ending in tokenizer._COMMENTS.items()
    )


@cache
def quoted_pattern(dialect: SqlDialect) -> re.Pattern[str]:
    """A pattern for one quoted text or name."""
    tokenizer = dialect.sqlglot.tokenizer_class
    backslash = "\\" in tokenizer.STRING_ESCAPES
    pairs = _pairs(dialect)
    # Long openings first, so that a triple quote is not read as an empty string and the start of another.
    quoted = [
        _at_word(re.escape(opening) + _until(pairs[opening], _escapes(opening, tokenizer, backslash)))
        for opening in sorted(pairs, key=lambda text: (-len(text), text))
        if opening != "$"
    ]
    if "$" in pairs:
        quoted.append(r"\$(?P<tag>(?:[^\W\d]\w*)?)\$(?s:.*?)\$(?P=tag)\$")
    return re.compile("|".join(quoted))


def _escapes(opening: str, tokenizer: type[Tokenizer], backslash: bool) -> bool:
    if opening in tokenizer._IDENTIFIERS:
        return False
    return backslash or (opening[0] in "eE" and "\\" in tokenizer.BYTE_STRING_ESCAPES)


def quoted_end(text: str, at: int, dialect: SqlDialect) -> int:
    """The offset after the quoted text whose quote stands at `at`, prefix or not; -1 when it is never closed."""
    pattern = quoted_pattern(dialect)
    first = at
    while first and at - first < 2 and (text[first - 1].isalpha() or text[first - 1] == "&"):
        first -= 1
    for start in range(first, at + 1):
        match = pattern.match(text, start)
        if match is not None and match.end() > at:
            return match.end()
    return -1


@cache
def _lexeme_pattern(dialect: SqlDialect) -> re.Pattern[str]:
    signs = [sign for sign in quoted_signs(dialect) if sign != "$"]
    opening = "|".join([r"/\*", *(re.escape(sign) for sign in signs)])
    quoted = quoted_pattern(dialect).pattern
    return re.compile(
        rf"(?P<comment>{comment_pattern(dialect)})|(?P<quoted>{quoted})|(?P<open>{opening})|(?P<end>;)|(?P<text>\s+|\w+|.)"
    )


def _at_word(part: str) -> str:
    """A prefix like the one of N'...' counts only where a word begins."""
    return rf"(?<!\w){part}" if part[0].isalpha() else part


def _until(closing: str, backslash: bool) -> str:
    """The rest of a quoted text up to and with its closing sign; a doubled sign stands for itself."""
    end = re.escape(closing)
    if len(closing) > 1:
        return rf"(?s:(?:\\.|.)*?){end}" if backslash else rf"(?s:.*?){end}"
    if backslash:
        return rf"[^\\{end}]*(?:(?:\\(?s:.)|{end}{end})[^\\{end}]*)*{end}"
    return rf"[^{end}]*(?:{end}{end}[^{end}]*)*{end}"


def lexemes(text: str, dialect: SqlDialect) -> Iterator[Lexeme]:
    """All lexemes of a text in order, white space included."""
    pattern = _lexeme_pattern(dialect)
    at = 0
    while at < len(text):
        match = pattern.match(text, at)
        assert match is not None  # the last branch takes any character
        # A tag is a group inside the one for quoted text.
        kind = "quoted" if match.lastgroup == "tag" else match.lastgroup or "text"
        end = len(text) if kind == "open" else match.end()
        yield kind, at, end
        at = end


_OPENING = re.compile(r"/\*M?!\d*")


def open_conditional_comments(text: str, dialect: SqlDialect) -> str:
    """The text without the signs around such comments, each place as it was."""
    if not dialect.family.executes_comments or ("/*!" not in text and "/*M!" not in text):
        return text
    pieces = []
    behind = 0
    for kind, start, end in lexemes(text, dialect):
        opening = _OPENING.match(text, start, end) if kind == "comment" else None
        if opening is None:
            continue
        pieces += [text[behind:start], spaces(opening[0]), text[opening.end() : end - 2], "  "]
        behind = end
    pieces.append(text[behind:])
    return "".join(pieces)


Broken = tuple[int, int, str]
"""First offset, offset after, and what is wrong there."""


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
    of a line, and reading starts anew after it.
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
    """After the first semicolon that ends a line, or the end of the text."""
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
    if dialect.sqlglot.tokenizer_class.NESTED_COMMENTS and piece.count("/*") > piece.count("*/"):
        return "The comment opened with /* is never closed: comments nest, and each needs its own */"
    return "The text cannot be split into tokens"
