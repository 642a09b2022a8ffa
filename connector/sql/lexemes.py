"""A coarse view of script text, for what has to happen before a tokenizer may see it.

The tokenizers of sqlglot give up at the first quote that is never closed, and lines that belong to a client program
(``PROMPT it's done``) have such quotes. This module knows only where strings, quoted names and comments lie, and that
for each dialect as its tokenizer says.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from string import ascii_letters

from sqlglot.tokens import Tokenizer

from connector.sql.dialects import SqlDialect
from connector.sql.words import spaces

__all__ = [
    "Lexeme",
    "comment_pattern",
    "lexemes",
    "open_conditional_comments",
    "quoted_end",
    "quoted_pattern",
    "quoted_signs",
]

Lexeme = tuple[str, int, int]
"""Kind (``quoted``, ``comment``, ``open``, ``end``, ``text``), first offset, offset behind the last character.

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
    return "|".join(
        f"{re.escape(opening)}(?s:.*?){re.escape(ending)}" if ending else rf"{re.escape(opening)}[^\r\n]*"
        for opening, ending in dialect.sqlglot.tokenizer_class._COMMENTS.items()
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
    """The offset behind the quoted text whose quote stands at `at`, prefix or not; -1 when it is never closed."""
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
