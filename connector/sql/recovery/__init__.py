"""Recovers from the parts of a statement that the grammar rejects, without losing anything else.

Where a statement is refused, the smallest region around the refused token that explains it is replaced by an opaque
expression that reads every name in the region, and the statement is parsed again. The regions grow from an argument to
the call around it, the item, the clause; where none of them helps, a query is told in words that every grammar knows.
The search is bounded, and nothing is done to statements that parse.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from sqlglot.tokenizer_core import Token, TokenType

from connector.sql.recovery.coarse import coarse_regions
from connector.sql.recovery.layout import Layout
from connector.sql.recovery.names import OPAQUE, Change
from connector.sql.recovery.regions import regions
from connector.sql.recovery.vocabulary import VERBS, VOCABULARY, misspelled
from connector.sql.words import CLOSING, LITERALS, OPENING

__all__ = ["OPAQUE", "Attempt", "Region", "misspelled", "recover"]

Attempt = Callable[[list[Token]], tuple[Any, int]]
"""Parses tokens: the trees, or None and the index of the token that was refused (-1 if unknown)."""

_QUERIES = VERBS | {TokenType.VALUES, TokenType.FROM, TokenType.PIVOT, TokenType.UNPIVOT}
_LEVELS = 6
"""How many queries in one another are looked into."""
_PARSES = 40
"""How often a statement is parsed again at most."""


@dataclass(frozen=True, slots=True)
class Region:
    """A part of a statement that was not understood, and what it is called."""

    start: int
    """Offsets of tokens."""
    end: int
    construct: str


def recover(tokens: list[Token], failed: int, attempt: Attempt) -> tuple[Any, list[Region]] | None:
    """The trees of the statement without the regions that the grammar refuses, and these regions; None without success."""
    if failed < 0 or not any(token.token_type in _QUERIES for token in tokens):
        return None
    failed = _within_query(tokens, failed, attempt)
    if _is_slip(tokens, failed):
        return None
    found = _search(tokens, failed, attempt, regions)
    return found if found is not None else _search(tokens, failed, attempt, _all_regions)


def _within_query(tokens: list[Token], failed: int, attempt: Attempt) -> int:
    """The token that is refused inside of a query in brackets, where the grammar has refused the bracket."""
    layout = Layout(tokens)
    for _ in range(_LEVELS):
        if tokens[failed].token_type is not TokenType.L_PAREN or not layout.is_query(failed):
            break
        start, end = layout.inside(failed)
        nodes, refused = attempt(tokens[start:end]) if start < end else (None, -1)
        if nodes is not None or refused < 0:
            break
        failed = start + refused
    return failed


def _all_regions(tokens: list[Token], failed: int) -> Iterator[Change]:
    yield from coarse_regions(tokens, failed)
    yield from regions(tokens, failed)


def _search(
    tokens: list[Token], failed: int, attempt: Attempt, candidates: Callable[[list[Token], int], Iterator[Change]]
) -> tuple[Any, list[Region]] | None:
    found: list[Region] = []
    left = _PARSES
    while not _is_slip(tokens, failed):
        refused_at = tokens[failed].start
        best: tuple[int, Change, int] | None = None
        for change in candidates(tokens, failed):
            if not change.region:
                continue  # nothing would be left out, and the grammar has refused that already
            if not left:
                return None
            left -= 1
            nodes, refused = attempt(change.tokens)
            if nodes is not None:
                return nodes, _merged([*found, _region(change.region, tokens[failed])])
            reached = change.tokens[refused].start if refused >= 0 else -1
            if reached <= max(refused_at, change.region[-1].start):
                continue
            if best is None or reached > best[0]:
                best = reached, change, refused
            if reached > change.behind:
                break
        if best is None:
            return None
        _, taken, refused = best
        found.append(_region(taken.region, tokens[failed]))
        tokens, failed = taken.tokens, refused
    return None


def _region(tokens: list[Token], refused: Token) -> Region:
    """The region with its name: the words or the sign over which the grammar stumbled."""
    at = next((i for i, token in enumerate(tokens) if token.start == refused.start), -1)
    if at < 0:
        at = next((i for i, token in enumerate(tokens) if token.text.upper() in VOCABULARY or _is_sign(token)), 0)
    # Tokens that a rewriting has moved do not stand in the order of the text.
    start, end = min(token.start for token in tokens), max(token.end for token in tokens)
    return Region(start, end + 1, _construct(tokens, at))


def _construct(tokens: list[Token], at: int) -> str:
    while at and tokens[at].token_type in LITERALS | CLOSING:
        at -= 1
    token = tokens[at]
    if token.token_type in LITERALS:
        return "a literal"
    first = last = at
    if token.text[:1].isalpha():
        while last + 1 < len(tokens) and last - at < 3 and tokens[last + 1].text.upper() in VOCABULARY:
            last += 1
        while first and at - first < 2 and tokens[first - 1].text.upper() in VOCABULARY:
            first -= 1
        return " ".join(each.text.upper() for each in tokens[first : last + 1])
    while last + 1 < len(tokens) and _is_sign(tokens[last + 1]) and tokens[last + 1].start == tokens[last].end + 1:
        last += 1
    while first and _is_sign(tokens[first - 1]) and tokens[first - 1].end + 1 == tokens[first].start:
        first -= 1
    return "".join(each.text for each in tokens[first : last + 1])


def _is_sign(token: Token) -> bool:
    return not token.text[:1].isalnum() and token.token_type not in LITERALS | CLOSING | OPENING


def _merged(regions: list[Region]) -> list[Region]:
    """The regions in the order of the text; one inside another is a part of it."""
    ordered = sorted(regions, key=lambda region: (region.start, -region.end))
    kept: list[Region] = []
    for region in ordered:
        if not kept or region.end > kept[-1].end:
            kept.append(region)
    return kept


def _is_slip(tokens: list[Token], failed: int) -> bool:
    """Whether a word of the grammar is misspelled where the parser stumbled: that is an error, and no vendor's syntax."""
    return any(
        tokens[i].token_type is TokenType.VAR and misspelled(tokens[i].text) is not None
        for i in range(max(failed - 2, 0), min(failed + 1, len(tokens)))
    )
