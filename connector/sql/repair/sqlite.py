"""Rules for SQLite."""

from __future__ import annotations

from connector.sql.repair.tools import Rule, at_words
from connector.sql.words import Tokens, drop_where


def _index_choice(tokens: Tokens, i: int) -> int:
    """``t INDEXED BY ix``, ``t NOT INDEXED``: by which index the table is read."""
    if at_words(tokens, i, "NOT", "INDEXED"):
        return 2
    if at_words(tokens, i, "INDEXED", "BY"):
        return 3
    return 0


def _update_or(tokens: Tokens) -> Tokens:
    """``UPDATE OR ROLLBACK t SET …``: what happens when a constraint fails."""
    return [tokens[0], *tokens[3:]] if at_words(tokens, 0, "UPDATE", "OR") else tokens


SQLITE: tuple[Rule, ...] = (_update_or, drop_where(_index_choice))
