"""The sqlglot dialects this package reads with.

Every grammar is a subclass of one of sqlglot's dialects with a tokenizer of ours. The parser classes are left alone:
they may be compiled and cannot be extended, so what a grammar lacks is closed in the tokenizer's tables or on the
token list.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cache
from string import ascii_letters, digits, punctuation
from typing import Any

from sqlglot.dialects.dialect import Dialect, DialectType
from sqlglot.tokenizer_core import Token, TokenType
from sqlglot.tokens import Tokenizer


def _open(tokenizer_class: type[Tokenizer]) -> Callable[..., None]:
    """A constructor for a tokenizer that never folds a statement into one opaque string.

    sqlglot reads whatever follows CALL, EXPLAIN, UNLOAD and the like as a single string up to the next semicolon.
    Readers of ours look into those statements, and scripts without semicolons would lose all that follows.
    """

    def init(self: Tokenizer, dialect: DialectType = None) -> None:
        tokenizer_class.__init__(self, dialect)
        self._core.commands = set()

    return init


_PARAMETER = "\ue000"
"""A sign that no script has, in the place of a ``$`` that quotes nothing."""
_POSITIONAL = re.compile(r"(?<![\w$])\$(?=\d)")


def read_tokens(text: str, read: Callable[[str], list[Token]]) -> list[Token]:
    """What `read` makes of a text in which ``$tag$`` quotes and ``$1`` is a parameter.

    The tokenizer takes any text without a blank for a tag: ``f($1,$2) = g($1,$2)`` would begin with a string. Where the
    text is none, it goes back and counts the lines on the way twice.
    """
    hidden = _POSITIONAL.sub(_PARAMETER, text) if "$" in text else text
    tokens = read(hidden)
    if hidden is not text and hidden != text:
        for token in tokens:
            if _PARAMETER in token.text:
                token.text = token.text.replace(_PARAMETER, "$")
    return tokens


def _reading_parameters(tokenizer_class: type[Tokenizer]) -> Callable[[Tokenizer, str], list[Token]]:
    def tokenize(self: Tokenizer, sql: str) -> list[Token]:
        return read_tokens(sql, lambda text: tokenizer_class.tokenize(self, text))

    return tokenize


def build_grammar(base: str, name: str, **settings: Any) -> Dialect:
    """An instance of a dialect of ours called `name` over sqlglot's dialect `base`.

    `settings` are tokenizer tables: ``keywords`` and ``without_keywords`` change the inherited keywords,
    ``word_characters`` are characters that sqlglot reads as tokens of their own and this dialect as part of a name,
    ``dollar_quotes`` lets ``$$`` and ``$tag$`` quote the body of a function in another language,
    anything else is a class attribute of the tokenizer.
    """
    base_class = Dialect.get_or_raise(base).__class__
    tokenizer_class = base_class.tokenizer_class
    attributes: dict[str, Any] = {}
    keywords = settings.pop("keywords", None)
    without = settings.pop("without_keywords", ())
    if keywords or without:
        merged = {**tokenizer_class.KEYWORDS, **(keywords or {})}
        for word in without:
            merged.pop(word, None)
        attributes["KEYWORDS"] = merged
    word_characters = settings.pop("word_characters", "")
    if word_characters:
        attributes["SINGLE_TOKENS"] = {
            character: kind
            for character, kind in tokenizer_class.SINGLE_TOKENS.items()
            if character not in word_characters
        }
    if settings.pop("dollar_quotes", False):
        attributes["HEREDOC_STRINGS"] = ["$"]
        attributes["HEREDOC_TAG_IS_IDENTIFIER"] = True
        attributes["HEREDOC_STRING_ALTERNATIVE"] = TokenType.PARAMETER
        attributes["SINGLE_TOKENS"] = {**tokenizer_class.SINGLE_TOKENS, "$": TokenType.HEREDOC_STRING}
    attributes.update(settings)
    if attributes.get("HEREDOC_TAG_IS_IDENTIFIER", tokenizer_class.HEREDOC_TAG_IS_IDENTIFIER):
        single_tokens = attributes.get("SINGLE_TOKENS", tokenizer_class.SINGLE_TOKENS)
        attributes["SINGLE_TOKENS"] = {**single_tokens, _PARAMETER: TokenType.PARAMETER}
        attributes["tokenize"] = _reading_parameters(tokenizer_class)
    attributes["__init__"] = _open(tokenizer_class)
    tokenizer = type("Tokenizer", (tokenizer_class,), attributes)
    grammar = type(f"Lineage{name.capitalize()}", (base_class,), {"Tokenizer": tokenizer})
    instance: Dialect = grammar()
    return instance


@cache
def with_backslash_escapes(grammar: type[Dialect]) -> Dialect | None:
    """The grammar with backslashes that escape quotes in strings; None where they do so already.

    Many servers can be told to read strings that way, and scripts written for one of those are read a second time.
    """
    tokenizer = grammar.tokenizer_class
    if "\\" in tokenizer.STRING_ESCAPES:
        return None
    escaping = type(
        "Tokenizer",
        (tokenizer,),
        {"STRING_ESCAPES": [*tokenizer.STRING_ESCAPES, "\\"], "IDENTIFIER_ESCAPES": ["\\"]},
    )
    instance: Dialect = type(f"{grammar.__name__}Escaping", (grammar,), {"Tokenizer": escaping})()
    return instance


CURRENT = {
    "CURRENT DATE": TokenType.CURRENT_DATE,
    "CURRENT TIME": TokenType.CURRENT_TIME,
    "CURRENT TIMESTAMP": TokenType.CURRENT_TIMESTAMP,
}
"""Db2 writes the special registers of time in two words."""
MINUS = {"MINUS": TokenType.EXCEPT}
PATTERNS = {"MATCH_RECOGNIZE": TokenType.MATCH_RECOGNIZE}
OUTER_MARK = {"(+)": TokenType.JOIN_MARKER}
TOP = {"TOP": TokenType.TOP}

RAW_STRINGS = [
    (prefix + quote, quote)
    for prefix in ("r", "R", "rb", "rB", "Rb", "RB", "br", "bR", "Br", "BR")
    for quote in ("'", '"', "'''", '"""')
]
"""BigQuery: strings and bytes without escapes."""

_BRACKETS = {"[": "]", "{": "}", "(": ")", "<": ">"}
Q_QUOTES = [
    (f"{prefix}'{opening}", f"{_BRACKETS.get(opening, opening)}'")
    for prefix in ("q", "Q", "nq", "nQ", "Nq", "NQ")
    for opening in ascii_letters + digits + punctuation
    if opening not in _BRACKETS.values()
]
"""Oracle's ``q'[it's]'``: any sign after the quote may delimit the text. Older releases of sqlglot do not know it."""
