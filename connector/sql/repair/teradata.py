"""Rules for Teradata."""

from __future__ import annotations

from sqlglot.tokenizer_core import TokenType

from connector.sql.repair.tools import OPERANDS, Rule, Tokens, closing, drop_where, find_word, like
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


def _update_from(tokens: Tokens) -> Tokens:
    """``UPDATE t FROM s SET …``: without an alias the grammar takes SET for one."""
    if word(tokens, 0) not in ("UPDATE", "UPD"):
        return tokens
    start = find_word(tokens, 1, "FROM", "SET")
    if start < 0 or word(tokens, start) != "FROM":
        return tokens
    end = find_word(tokens, start, "SET")
    if end < 0 or tokens[end - 1].token_type not in (TokenType.VAR, TokenType.IDENTIFIER):
        return tokens
    named = end - 1
    while named - 2 > start and tokens[named - 1].token_type is TokenType.DOT:
        named -= 2
    if tokens[named - 1].token_type not in (TokenType.FROM, TokenType.COMMA):
        return tokens
    return [*tokens[:end], like(tokens[end - 1], TokenType.ALIAS, "AS"), tokens[end - 1], *tokens[end:]]


def _else_insert(tokens: Tokens) -> Tokens:
    """``UPDATE … ELSE INSERT …``: the row is inserted where none is updated. Both are statements about the same table."""
    if word(tokens, 0) not in ("UPDATE", "UPD"):
        return tokens
    found = find_word(tokens, 1, "ELSE")
    if found < 0 or word(tokens, found + 1) not in ("INSERT", "INS"):
        return tokens
    return [*tokens[:found], like(tokens[found], TokenType.SEMICOLON, ";"), *tokens[found + 1 :]]


TERADATA: tuple[Rule, ...] = (_phrases, drop_where(_attribute), _update_from, _else_insert)
