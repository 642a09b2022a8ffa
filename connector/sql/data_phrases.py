"""Teradata's data phrases: ``a (CHAR(5))``, ``b (DATE, FORMAT 'YYYY')``, ``c (NAMED d)``, ``'x' (NOT CASESPECIFIC)``.

They say after an expression which type it is to have and how it is shown. Without them stays the expression itself, under the
name that one of them may give it; read by the grammar, ``a (CHAR(5))`` would be a call of a function called a.
"""

from __future__ import annotations

from sqlglot.parser import Parser
from sqlglot.tokenizer_core import Token, TokenType

from connector.sql.words import LITERALS, STRINGS, Replacement, Tokens, closing, like, replace_where, word

_TYPES = frozenset(
    """
    BIGINT BLOB BYTE BYTEINT CHAR CHARACTER CLOB DATE DEC DECIMAL DOUBLE FLOAT GRAPHIC INT INTEGER LONG NUMBER NUMERIC REAL
    SMALLINT TIME TIMESTAMP VARBYTE VARCHAR VARGRAPHIC
    """.split()
)
_ATTRIBUTES = frozenset({"CASESPECIFIC", "CS", "UC", "UPPERCASE"})
_SHOWN = frozenset({"FORMAT", "TITLE"})
_WORDS_OF_TYPES = frozenset(
    "VARYING PRECISION CHARACTER SET LATIN UNICODE KANJISJIS GRAPHIC WITH TIME ZONE AT LOCAL".split()
)
_FIRST_WORDS = (*_TYPES, *_ATTRIBUTES, *_SHOWN, "NAMED", "NOT")
SIGNS = tuple(f"({space}{first.lower()}" for first in _FIRST_WORDS for space in ("", " "))
"""What a script holds that has such a phrase."""
_BEFORE_NAMES = frozenset({"INTO", "TABLE", "VIEW", "MACRO", "PROCEDURE", "INS", "INSERT", ".", "ON", "BY", "INDEX"})


@replace_where
def without_phrases(tokens: Tokens, i: int) -> Replacement | None:
    """The tokens without data phrases; a name that one of them gives becomes an alias."""
    phrase = _phrase(tokens, i) if tokens[i].token_type is TokenType.L_PAREN and i else None
    if phrase is None:
        return None
    end, name = phrase
    return [] if name is None else [like(tokens[i], TokenType.ALIAS, "AS"), name], end - i


def _phrase(tokens: Tokens, i: int) -> tuple[int, Token | None] | None:
    """The token after the phrase that begins with the parenthesis at `i`, and the name that it gives."""
    if word(tokens, i + 1) not in _FIRST_WORDS or not _ends_operand(tokens, i):
        return None
    end = closing(tokens, i)
    name: Token | None = None
    at = i + 1
    doubtful = True
    while at < end:
        says = word(tokens, at)
        if says in _SHOWN and tokens[at + 1].token_type in STRINGS:
            at += 2
            doubtful = False
        elif says == "NAMED" and at + 1 < end:
            name = tokens[at + 1]
            at += 2
            doubtful = False
        elif says == "NOT" and word(tokens, at + 1) in ("CASESPECIFIC", "CS"):
            at += 2
            doubtful = False
        elif says in _ATTRIBUTES:
            at += 1
        elif says in _TYPES:
            at, sized = _behind_type(tokens, at)
            doubtful = doubtful and not sized
        else:
            return None
        if at < end:
            if word(tokens, at) != ",":
                if word(tokens, at) not in (*_ATTRIBUTES, *_SHOWN, "NOT", "NAMED"):
                    return None
            else:
                at += 1
    if doubtful and (word(tokens, i - 2) in _BEFORE_NAMES or word(tokens, i - 1) in Parser.FUNCTIONS):
        # Columns in a list, or the arguments of a function.
        return None
    return end + 1, name


def _ends_operand(tokens: Tokens, i: int) -> bool:
    before = tokens[i - 1]
    if before.token_type in LITERALS or before.token_type in (TokenType.R_PAREN, TokenType.IDENTIFIER, TokenType.VAR):
        return True
    return word(tokens, i - 1) in ("DATE", "TIME", "USER", "CURRENT_DATE", "CURRENT_TIME", "CURRENT_TIMESTAMP", "END")


def _behind_type(tokens: Tokens, at: int) -> tuple[int, bool]:
    """After a type, and whether it has a size: ``DECIMAL(10, 2)``, ``VARCHAR(5) CHARACTER SET LATIN``."""
    at += 1
    sized = False
    while word(tokens, at) in _WORDS_OF_TYPES or (word(tokens, at) == "(" and not sized):
        if word(tokens, at) == "(":
            close = closing(tokens, at)
            if any(
                token.token_type is not TokenType.COMMA
                for token in tokens[at + 1 : close]
                if token.token_type not in LITERALS
            ):
                return at, False
            sized = True
            at = close
        at += 1
    return at, sized
