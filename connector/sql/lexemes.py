"""A coarse view of script text, for what has to happen before a tokenizer may see it.

The tokenizers of sqlglot give up at the first quote that is never closed, and lines that belong to a client program
(``PROMPT it's done``) have such quotes. This module knows only where strings, quoted names and comments lie, and that
for each dialect as its tokenizer says.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache

from connector.sql.dialects import SqlDialect

__all__ = ["Lexeme", "lexemes", "next_lexeme", "quoted_pattern"]

Lexeme = tuple[str, int, int]
"""Kind (``quoted``, ``comment``, ``open``, ``end``, ``text``), first offset, offset behind the last character.

``open`` is a quote or comment that is never closed; it reaches to the end of the text.
"""


@lru_cache(maxsize=None)
def quoted_pattern(dialect: SqlDialect) -> re.Pattern[str]:
    """One pattern per dialect: each match is one lexeme, and its group says which kind."""
    tokenizer = dialect.sqlglot.tokenizer_class
    backslash = "\\" in tokenizer.STRING_ESCAPES
    pairs: dict[str, str] = {}
    for quotes in (tokenizer._QUOTES, tokenizer._FORMAT_STRINGS, tokenizer._IDENTIFIERS):
        for opening, closing in quotes.items():
            pairs[opening] = closing if isinstance(closing, str) else closing[0]
    pairs = {opening: closing for opening, closing in pairs.items() if closing}
    heredoc = pairs.pop("$", None) is not None
    names = set(tokenizer._IDENTIFIERS)
    quoted = []
    # Long openings first, so that a triple quote is not read as an empty string and the start of another.
    for opening in sorted(pairs, key=lambda text: (-len(text), text)):
        closing = pairs[opening]
        quoted.append(re.escape(opening) + _until(closing, backslash and opening not in names))
    if heredoc:
        quoted.append(r"\$(?P<tag>(?:[^\W\d]\w*)?)\$(?s:.*?)\$(?P=tag)\$")
    comments, block_starts = [], []
    for opening, ending in tokenizer._COMMENTS.items():
        if ending:
            comments.append(f"{re.escape(opening)}(?s:.*?){re.escape(ending)}")
            block_starts.append(re.escape(opening))
        else:
            comments.append(rf"{re.escape(opening)}[^\r\n]*")
    openings = sorted({re.escape(opening) for opening in pairs} | set(block_starts), key=len, reverse=True)
    word_quotes = [opening for opening in openings if opening[0].isalpha()]
    # A prefix like N'...' counts only where a word begins.
    body = "|".join(
        [
            rf"(?P<comment>{'|'.join(comments)})",
            rf"(?P<quoted>{'|'.join(_at_word(part) for part in quoted)})",
            rf"(?P<open>{'|'.join(opening for opening in openings if opening not in word_quotes)})",
            r"(?P<end>;)",
            r"(?P<space>\s+)",
            r"(?P<text>\w+|.)",
        ]
    )
    return re.compile(body)


def _at_word(part: str) -> str:
    return rf"(?<!\w){part}" if part[0].isalpha() else part


def _until(closing: str, backslash: bool) -> str:
    """The rest of a quoted text up to and with its closing sign; a doubled sign stands for itself."""
    end = re.escape(closing)
    if len(closing) > 1:
        return rf"(?s:(?:\\.|.)*?){end}" if backslash else rf"(?s:.*?){end}"
    inner = rf"[^\\{end}]|\\(?s:.)|{end}{end}" if backslash else rf"[^{end}]|{end}{end}"
    return rf"(?:{inner})*+{end}" if False else rf"(?:{inner})*{end}"


def next_lexeme(pattern: re.Pattern[str], text: str, at: int) -> Lexeme:
    """The lexeme at an offset inside the text."""
    match = pattern.match(text, at)
    assert match is not None  # the last branch takes any character
    kind = match.lastgroup or "text"
    if kind == "tag":
        kind = "quoted"
    return kind, at, len(text) if kind == "open" else match.end()


def lexemes(text: str, dialect: SqlDialect) -> Iterator[Lexeme]:
    """All lexemes of a text in order, white space included."""
    pattern = quoted_pattern(dialect)
    at = 0
    while at < len(text):
        lexeme = next_lexeme(pattern, text, at)
        yield lexeme
        at = lexeme[2]
