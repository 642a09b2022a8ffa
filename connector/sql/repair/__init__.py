"""Statements that the grammar refuses, in words that it knows.

Each rule looks at the tokens of a statement that could not be parsed and takes out one kind of clause that carries no
lineage, or says it in other words; else it gives the same list. No rule drops a column or a table. Tokens keep their
offsets, so places in the text stay right. Nothing is done to statements that parse.
"""

from __future__ import annotations

from sqlglot.tokenizer_core import Token

from connector.sql.dialects import SqlDialect
from connector.sql.repair.common import COMMON
from connector.sql.repair.keywords import join_keywords
from connector.sql.repair.trailing import cut_trailing
from connector.sql.repair.vendors import BY_DIALECT, BY_FAMILY

__all__ = ["cut_trailing", "repaired"]


def repaired(tokens: list[Token], dialect: SqlDialect) -> list[Token]:
    """The tokens after all rules of the dialect; the same list when no rule finds anything."""
    tokens = join_keywords(tokens, dialect)
    for rule in (*BY_DIALECT.get(dialect.name, ()), *BY_FAMILY.get(dialect.family, ()), *COMMON):
        if tokens:
            tokens = rule(tokens)
    return tokens
