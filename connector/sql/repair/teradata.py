"""Rules for Teradata."""

from __future__ import annotations

from sqlglot.tokenizer_core import TokenType

from connector.sql.repair.tools import OPERANDS, Rule, Tokens, closing, drop_where, like
from connector.sql.words import STRINGS, word

__all__ = ["TERADATA"]

_ATTRIBUTES = frozenset(
    {"CASESPECIFIC", "CS", "UPPERCASE", "UC", "NOT", "DATE", "CHAR", "VARCHAR", "INTEGER", "FORMAT", "TIME"}
)


def _phrases(tokens: Tokens) -> Tokens:
    """Teradata's `column (TITLE 'x')`, `(FORMAT 'x')`, `(NAMED x)`: how a value is shown, not what it is."""
    found: Tokens = []
    at = 0
    while at < len(tokens):
        token = tokens[at]
        if token.token_type is TokenType.L_PAREN and at + 1 < len(tokens) and found:
            word = tokens[at + 1].text.upper()
            close = closing(tokens, at)
            if word in ("TITLE", "FORMAT") and found[-1].token_type in OPERANDS:
                at = close + 1
                continue
            if word == "NAMED" and close == at + 3 and found[-1].token_type in OPERANDS:
                found += [like(token, TokenType.ALIAS, "AS"), tokens[at + 2]]
                at = close + 1
                continue
        found.append(token)
        at += 1
    return found if len(found) != len(tokens) else tokens


def _attribute(tokens: Tokens, i: int) -> int:
    """``'x' (NOT CASESPECIFIC)``, ``d (DATE, FORMAT 'YYYY')``: how a value is kept and shown."""
    if tokens[i].token_type is not TokenType.L_PAREN or i == 0 or word(tokens, i + 1) not in _ATTRIBUTES:
        return 0
    before = tokens[i - 1]
    end = closing(tokens, i)
    single = word(tokens, i + 1) in ("CASESPECIFIC", "CS", "UC", "UPPERCASE") or (
        word(tokens, i + 1) == "NOT" and end - i == 3
    )
    if before.token_type in STRINGS or before.token_type is TokenType.R_PAREN or single:
        return end + 1 - i
    return end + 1 - i if word(tokens, i - 1) == "DATE" else 0


TERADATA: tuple[Rule, ...] = (_phrases, drop_where(_attribute))
