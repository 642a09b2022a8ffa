"""Which pieces of a guarded call are to blame, and what is left without them."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from connector.guard import Stopped
from connector.guard.blame import attempt, blank_out, isolate, together_or_alone


def joined(pieces: Sequence[str]) -> str:
    """Stopped by every text with an x, and by more than four letters together."""
    text = "".join(pieces)
    if "x" in text:
        raise Stopped("crash", f"crashed at {text}")
    if len(text) > 4:
        raise Stopped("memory", "too long")
    return text


def test_attempt() -> None:
    assert attempt(lambda: joined(["a"])) == "a"
    stopped = attempt(lambda: joined(["x"]))
    assert isinstance(stopped, Stopped)
    assert stopped.reason == "crash"


@pytest.mark.parametrize(
    ("pieces", "expected"),
    [
        (["a", "b"], [(["a", "b"], "ab")]),
        (["a", "x", "b"], [(["a"], "a"), (["x"], "crashed at x"), (["b"], "b")]),
        (["x"], [(["x"], "crashed at x")]),
    ],
)
def test_together_or_alone(pieces: list[str], expected: list[tuple[list[str], str]]) -> None:
    calls: list[list[str]] = []

    def call(some: Sequence[str]) -> str:
        calls.append(list(some))
        return joined(some)

    assert [(list(some), str(result)) for some, result in together_or_alone(pieces, call)] == expected
    assert calls[0] == pieces
    assert len(calls) == len(expected) + (len(expected) > 1), "a single piece is not tried twice"


def test_the_rest_is_tried_together_without_those_to_blame() -> None:
    pieces = ["a", "x", "b", "xx"]
    found = isolate(
        pieces, lambda piece: joined([piece]), lambda blamed: joined([each for each in pieces if each not in blamed])
    )
    assert [(piece, stopped.reason) for piece, stopped in found.blamed] == [("x", "crash"), ("xx", "crash")]
    assert found.rest == "ab"
    assert found.alone == ["a", "b"]


def test_pieces_that_are_only_too_much_together() -> None:
    pieces = ["aaa", "bbb"]
    seen: list[list[str]] = []

    def rest(blamed: list[str]) -> str:
        seen.append(blamed)
        return joined(pieces)

    found = isolate(pieces, lambda piece: joined([piece]), rest)
    assert (found.blamed, seen) == ([], [[]])
    assert isinstance(found.rest, Stopped)
    assert found.alone == pieces


def test_blanks_keep_lines_and_columns() -> None:
    text = "select 1;\nselect\n  2; select 3"
    blank = blank_out(text, [(10, 21), (22, len(text))])
    assert blank == "select 1;\n      \n" + " " * len("  2; select 3")
