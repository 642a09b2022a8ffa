"""Rules for Teradata."""

from __future__ import annotations

from sqlglot.tokenizer_core import TokenType

from connector.sql.repair.tools import Rule, at_words, find_word, first_of_each
from connector.sql.words import NAMES, STRINGS, Replacement, Tokens, closing, drop_where, like, replace_where, word


@replace_where
def _table_function(tokens: Tokens, i: int) -> Replacement | None:
    """``TABLE (f(x) RETURNS (a INTEGER, b DATE)) AS t`` as ``f(x) AS t (a, b)``."""
    if not at_words(tokens, i, "TABLE", "(") or word(tokens, i + 3) != "(":
        return None
    end, call = closing(tokens, i + 1), closing(tokens, i + 3)
    if call >= end or word(tokens, call + 1) not in ("RETURNS", ")"):
        return None
    # The grammar knows some of these functions from other dialects, with other arguments.
    found = [like(tokens[i + 2], TokenType.VAR, f"{tokens[i + 2].text}_"), *tokens[i + 3 : call + 1]]
    alias = end + 2 if word(tokens, end + 1) == "AS" else end + 1
    found += [like(tokens[i], TokenType.ALIAS, "AS"), *tokens[alias : alias + 1]]
    if at_words(tokens, call + 1, "RETURNS", "("):
        found += [tokens[call + 2], *first_of_each(tokens, call + 3, closing(tokens, call + 2)), tokens[end - 1]]
    return found, alias + 1 - i


def _object_store(tokens: Tokens) -> Tokens:
    """``FROM READ_NOS (USING LOCATION ('/s3/…') …)`` as a call of a function that reads these files."""
    at = next((i for i in range(len(tokens)) if at_words(tokens, i, "READ_NOS", "(")), -1)
    end = closing(tokens, at + 1) if at > 0 else -1
    place = next((i for i in range(at, end) if at_words(tokens, i, "LOCATION", "(")), -1) if at > 0 else -1
    if place < 0 or place + 2 >= len(tokens) or tokens[place + 2].token_type not in STRINGS:
        return tokens
    here = tokens[at]
    read = like(here, TokenType.VAR, "read_files")
    return [*tokens[:at], read, tokens[at + 1], tokens[place + 2], tokens[end], *tokens[end + 1 :]]


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
    target: Tokens = []
    if word(tokens, found + 2) == "VALUES" or word(tokens, found + 2) == "(":
        end = 2
        while end + 1 < found and tokens[end].token_type is TokenType.DOT:
            end += 2
        target = [like(tokens[found], TokenType.INTO, "INTO"), *tokens[1:end]]
    inserting = [tokens[found + 1], *target, *tokens[found + 2 :]]
    return [*tokens[:found], like(tokens[found], TokenType.SEMICOLON, ";"), *inserting]


def _json_path(tokens: Tokens, i: int) -> int:
    """``payload..site.no``: a part of a document is read from its column."""
    if word(tokens, i) != "." or word(tokens, i + 1) != "." or i == 0 or tokens[i - 1].token_type not in NAMES:
        return 0
    end = i + 3
    while word(tokens, end) == "." and end + 1 < len(tokens):
        end += 2
    return end - i


TERADATA: tuple[Rule, ...] = (drop_where(_json_path), _table_function, _object_store, _update_from, _else_insert)
