"""Options that a vendor lets follow a statement: where the grammar gives up at one, the rest is left out."""

from __future__ import annotations

from sqlglot.tokenizer_core import TokenType

from connector.sql.repair.tools import Tokens

__all__ = ["cut_trailing"]

_OPTIONS: dict[str, frozenset[str]] = {
    "DISTRIBUTED": frozenset({"BY", "RANDOMLY", "REPLICATED"}),
    "DISTRIBUTE": frozenset({"ON"}),
    "SEGMENTED": frozenset({"BY"}),
    "UNSEGMENTED": frozenset({"ALL", "NODE", "SITE"}),
    "ORGANIZE": frozenset({"ON", "BY"}),
    "KSAFE": frozenset(),
    "WITH": frozenset({"UR", "CS", "RS", "RR", "DATA", "NO", "CHECK", "READ", "HINT"}),
    "FOR": frozenset({"READ", "FETCH", "BROWSE"}),
    "OPTIMIZE": frozenset({"FOR"}),
    "PRIMARY": frozenset({"INDEX"}),
    "UNIQUE": frozenset({"PRIMARY", "INDEX"}),
    "NO": frozenset({"PRIMARY"}),
    "QUERYNO": frozenset(),
    "IN": frozenset(),
    "TABLESPACE": frozenset(),
}
"""First words of options that may follow a query, each with the words that may come second (empty: any)."""


def cut_trailing(tokens: Tokens, failed: int) -> Tokens | None:
    """The statement up to the token where the grammar gave up, when that token begins an option of the vendor."""
    if failed < 4 or _depth_at(tokens, failed) or not _is_option(tokens, failed):
        return None
    return tokens[:failed]


def _is_option(tokens: Tokens, at: int) -> bool:
    seconds = _OPTIONS.get(tokens[at].text.upper())
    if seconds is None:
        return False
    return not seconds or (at + 1 < len(tokens) and tokens[at + 1].text.upper() in seconds)


def _depth_at(tokens: Tokens, place: int) -> int:
    depth = 0
    for token in tokens[:place]:
        depth += (token.token_type is TokenType.L_PAREN) - (token.token_type is TokenType.R_PAREN)
    return depth
