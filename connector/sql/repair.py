"""Statements that the grammar refuses for a clause that carries no lineage: the clause is taken out of the tokens.

Each rule looks at the tokens of a statement that could not be parsed and gives what is left without one kind of clause,
or the same list. Tokens keep their offsets, so places in the text stay right. Nothing is done to statements that parse.
"""

from __future__ import annotations

from collections.abc import Callable

from sqlglot.tokenizer_core import Token

from connector.sql.dialects import SqlDialect
from connector.sql.words import CLOSING, OPENING, word

__all__ = ["repaired"]

Rule = Callable[[list[Token]], list[Token]]


def repaired(tokens: list[Token], dialect: SqlDialect) -> list[Token]:
    """The tokens after all rules; the same list when no rule finds anything."""
    for rule in (*_RULES.get(dialect.name, ()), *_FAMILY_RULES.get(dialect.family, ()), *_COMMON):
        tokens = rule(tokens)
    return tokens


def _closing(tokens: list[Token], i: int) -> int:
    """The bracket that closes the one at `i`."""
    depth = 0
    for j in range(i, len(tokens)):
        if tokens[j].token_type in OPENING:
            depth += 1
        elif tokens[j].token_type in CLOSING:
            depth -= 1
            if not depth:
                return j
    return len(tokens) - 1


def _words(tokens: list[Token], i: int, *words: str) -> bool:
    return all(word(tokens, i + n) == each for n, each in enumerate(words))


_COMMON: tuple[Rule, ...] = ()
_FAMILY_RULES: dict[str, tuple[Rule, ...]] = {}
_RULES: dict[str, tuple[Rule, ...]] = {}
