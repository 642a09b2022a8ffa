"""Rules for Exasol."""

from __future__ import annotations

from sqlglot.tokenizer_core import Token, TokenType

from connector.sql.repair.tools import Rule, at_words, find_word, first_of_each, name_end
from connector.sql.words import Tokens, closing, in_parentheses, like, select_all, word


def _import_query(tokens: Tokens) -> Tokens:
    """Exasol: ``(IMPORT INTO (a INT) FROM EXA AT c TABLE s.t)``, or a file, in the place of a query."""
    bare = next((i for i in range(1, len(tokens)) if at_words(tokens, i, "IMPORT", "FROM")), 0)
    source = next((i + 1 for i in range(bare, len(tokens)) if bare and word(tokens, i) in ("TABLE", "STATEMENT")), 0)
    if 0 < source < len(tokens) and word(tokens, bare - 1) in ("(", "AS"):
        # Without INTO, the columns are those of the source.
        end = closing(tokens, bare - 1) if word(tokens, bare - 1) == "(" else len(tokens)
        rows = tokens[source : name_end(tokens, source)]
        if word(tokens, source - 1) == "STATEMENT":
            rows = _query_of_server(_connection(tokens, bare, source), tokens[source])
        return [*tokens[:bare], *select_all(tokens[bare]), *rows, *tokens[end:]]
    start = next((i for i in range(1, len(tokens)) if at_words(tokens, i, "IMPORT", "INTO", "(")), 0)
    if not start or word(tokens, start - 1) not in ("(", "AS"):
        return tokens
    opened = start + 2
    behind = closing(tokens, opened) + 1
    end = closing(tokens, start - 1) if word(tokens, start - 1) == "(" else len(tokens)
    source = next((i + 1 for i in range(behind, end) if word(tokens, i) in ("TABLE", "FILE", "STATEMENT")), 0)
    if not source or not at_words(tokens, behind, "FROM") or source >= end:
        return tokens
    last = name_end(tokens, source) if word(tokens, source - 1) == "TABLE" else source + 1
    rows = tokens[source:last]
    if word(tokens, source - 1) == "STATEMENT":
        rows = _query_of_server(_connection(tokens, behind, source), tokens[source])
    listed = first_of_each(tokens, opened + 1, behind - 1)
    here = tokens[start]
    # The columns are those of the source by their place, whatever they are called there.
    query = [like(here, TokenType.SELECT, "SELECT"), like(here, TokenType.STAR, "*"), tokens[behind]]
    query += [*rows, like(here, TokenType.ALIAS, "AS"), like(here, TokenType.IDENTIFIER, "imported")]
    query += in_parentheses(listed, here)
    return _import_query([*tokens[:start], *query, *tokens[end:]])


def _connection(tokens: Tokens, start: int, source: int) -> Token:
    """The name behind AT; the source itself where none stands."""
    return tokens[next((i + 1 for i in range(start, source) if word(tokens, i) == "AT"), source)]


def _query_of_server(connection: Token, text: Token) -> Tokens:
    """A function that is known to ask another server."""
    call = [like(text, TokenType.VAR, "OPENQUERY"), like(text, TokenType.L_PAREN, "("), connection]
    return [*call, like(text, TokenType.COMMA, ","), text, like(text, TokenType.R_PAREN, ")")]


def _emits(tokens: Tokens) -> Tokens:
    """Exasol: ``f(a) EMITS (x INT, y DATE)`` as ``f(a) AS (x, y)``."""
    at = next((i for i in range(1, len(tokens) - 1) if at_words(tokens, i, "EMITS", "(")), 0)
    if not at:
        return tokens
    end = closing(tokens, at + 1)
    names = first_of_each(tokens, at + 2, end)
    return [*tokens[:at], like(tokens[at], TokenType.ALIAS, "AS"), tokens[at + 1], *names, *_emits(tokens[end:])]


def _converted(tokens: Tokens) -> Tokens:
    """Exasol: ``CONVERT(DATE, a)`` as ``CAST(a AS DATE)``."""
    for i in range(len(tokens) - 3):
        comma = find_word(tokens, i + 2, ",") if at_words(tokens, i, "CONVERT", "(") else -1
        if comma > 0:
            end = closing(tokens, i + 1)
            cast = [like(tokens[i], TokenType.VAR, "CAST"), tokens[i + 1], *_converted(tokens[comma + 1 : end])]
            cast += [like(tokens[i], TokenType.ALIAS, "AS"), *tokens[i + 2 : comma]]
            return [*tokens[:i], *cast, *_converted(tokens[end:])]
    return tokens


EXASOL: tuple[Rule, ...] = (_import_query, _emits, _converted)
