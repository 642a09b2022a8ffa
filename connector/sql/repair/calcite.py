"""Rules for Druid and Dremio."""

from __future__ import annotations

from sqlglot.tokenizer_core import TokenType

from connector.sql.repair.tools import Rule, at_words, find_word
from connector.sql.words import Replacement, Tokens, drop_where, like, replace_where, word

_REFERENCES = frozenset({"BRANCH", "TAG", "COMMIT", "REF", "REFERENCE"})


def _segments(tokens: Tokens, i: int) -> int:
    """Druid: ``REPLACE INTO t OVERWRITE ALL SELECT … PARTITIONED BY DAY CLUSTERED BY a``: how the rows are stored."""
    if word(tokens, i) == "OVERWRITE" and word(tokens, i + 1) in ("ALL", "WHERE"):
        end = find_word(tokens, i, "SELECT", "WITH")
        return end - i if end > 0 else 0
    stored = word(tokens, i) == "PARTITIONED BY" or at_words(tokens, i, "PARTITIONED", "BY")
    return len(tokens) - i if stored and tokens[0].token_type in (TokenType.INSERT, TokenType.REPLACE) else 0


def _version(tokens: Tokens, i: int) -> int:
    """Dremio: ``t AT BRANCH b``, ``t AT COMMIT "…" AS OF '…'``: a version of the same table."""
    if word(tokens, i) != "AT" or word(tokens, i + 1) not in _REFERENCES:
        return 0
    return 6 if at_words(tokens, i + 3, "AS", "OF") else 3


@replace_where
def _virtual_dataset(tokens: Tokens, i: int) -> Replacement | None:
    """Dremio: ``CREATE VDS v AS …``: a view."""
    is_view = word(tokens, i) == "VDS" and word(tokens, i - 1) in ("CREATE", "REPLACE")
    return ([like(tokens[i], TokenType.VIEW, "VIEW")], 1) if is_view else None


DRUID: tuple[Rule, ...] = (drop_where(_segments),)
DREMIO: tuple[Rule, ...] = (drop_where(_version), _virtual_dataset)
