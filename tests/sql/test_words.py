"""Helpers for tokens: what is outside brackets, what a rule replaces, and that nothing to do costs no copy."""

from __future__ import annotations

from sql_reading import statement
from sqlglot.tokenizer_core import TokenType

from connector.sql.words import Replacement, Tokens, drop_where, like, on_level, opening, replace_where, word


def tokens_of(text: str) -> Tokens:
    return statement(text).tokens


def texts(tokens: Tokens) -> list[str]:
    return [token.text for token in tokens]


@replace_where
def plus_for_or(tokens: Tokens, i: int) -> Replacement | None:
    """``a OR NOT b`` as ``a + b``."""
    if word(tokens, i) != "OR":
        return None
    return [like(tokens[i], TokenType.PLUS, "+")], 2 if word(tokens, i + 1) == "NOT" else 1


def test_every_place_is_replaced_and_the_rest_stays() -> None:
    tokens = tokens_of("select a or not b or c")
    changed = plus_for_or(tokens)
    assert texts(changed) == ["select", "a", "+", "b", "+", "c"]
    assert [changed[0], changed[-1]] == [tokens[0], tokens[-1]]


def test_a_replacement_stands_at_the_place_of_what_it_replaces() -> None:
    tokens = tokens_of("select a or b")
    assert (plus_for_or(tokens)[2].start, plus_for_or(tokens)[2].end) == (tokens[2].start, tokens[2].end)


def test_the_same_list_where_nothing_is_found() -> None:
    tokens = tokens_of("select a from t")
    assert plus_for_or(tokens) is tokens
    assert drop_where(lambda found, i: 0)(tokens) is tokens


def test_clauses_are_dropped_at_the_beginning_and_the_end() -> None:
    rule = drop_where(lambda found, i: 2 if word(found, i) == "X" else 0)
    assert texts(rule(tokens_of("x 1 select a x 2"))) == ["select", "a"]


def test_what_is_outside_further_brackets() -> None:
    tokens = tokens_of("select f(a, (b)) from (select c) t")
    assert texts([tokens[i] for i in on_level(tokens)]) == ["select", "f", "from", "t"]
    inside = opening(tokens, next(i for i, token in enumerate(tokens) if token.text == "c"))
    assert texts([tokens[i] for i in on_level(tokens, inside + 1)]) == ["select", "c"]


def test_the_parenthesis_around_a_token() -> None:
    tokens = tokens_of("select f(a, (b), c) from t")
    at = {token.text: i for i, token in enumerate(tokens)}
    assert word(tokens, opening(tokens, at["c"]) - 1) == "F"
    assert opening(tokens, at["b"]) == opening(tokens, at["c"]) + 3
    assert opening(tokens, at["t"]) == -1
