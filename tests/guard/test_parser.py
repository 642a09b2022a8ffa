"""The compiled parser at its limits: whatever stops it, the reason is told, and it is no crash."""

from __future__ import annotations

import pytest
from parsing_tasks import parse

from connector.guard import Guard, Limits, Stopped

ENDLESS = "select " + "date (" * 40 + "a" + ")" * 40
"""The grammar tries a type and then a function, at each of forty levels."""
DEEP = "select " + "not " * 200_000 + "a"


def reason(sql: str, memory_mb: int, reserved_mb: int = 0) -> str:
    with Guard(parse, Limits(seconds=10, memory_mb=memory_mb)) as guard:
        assert guard(("select 1; select 2", 0)) == 2
        with pytest.raises(Stopped) as caught:
            guard((sql, reserved_mb))
        assert guard(("select 1", 0)) == 1
    return caught.value.reason


@pytest.mark.parametrize("reserved_mb", [0, 50, 500])
def test_without_end(reserved_mb: int) -> None:
    """What a library has reserved does not bring the parser nearer to its limit, and at the limit it is stopped from
    outside: compiled code that is refused memory while it raises an error brings the interpreter down.
    """
    assert reason(ENDLESS, 60, reserved_mb) in ("memory", "timeout")


def test_too_deep() -> None:
    """The calls are counted before the stack is full."""
    assert reason(DEEP, 2000) in ("depth", "timeout")
