"""Exceptions that libraries raise: their reason in one line, and Ctrl-C behind them."""

from __future__ import annotations

import re

_LONGEST = 600
_IN_WORKER = re.compile(r"(?!org\.|java\.)[\w.]+(?:Error|Exception|Interrupt): ")
"""The last line of a Python traceback, which Spark quotes in its own message."""


def first_line(error: BaseException) -> str:
    """The line of a message that states the reason.

    Usually the first one. Spark quotes an exception of a worker with its traceback, and Java's message under a line of its own;
    SQLAlchemy wraps the exception of the driver.
    """
    error = getattr(error, "orig", None) or error
    said = (line.strip().removeprefix(": ") for line in str(error).splitlines())
    lines = [line for line in said if line and not line.startswith(("SQLSTATE", "at "))]
    if len(lines) > 1 and lines[0].startswith("An error occurred while calling"):
        del lines[0]
    if not lines:
        return type(error).__name__
    quoted = [line for line in lines if _IN_WORKER.match(line)]
    reason = quoted[-1] if quoted else lines[-1] if lines[0].endswith(":") else lines[0]
    return reason.rstrip(".")[:_LONGEST]


def raise_if_interrupted(error: BaseException) -> None:
    """Raise KeyboardInterrupt if `error` was raised while one was being handled.

    Spark's client tidies up its connections when it is interrupted. If that fails, its error takes the place of the interrupt, and
    whoever retries after errors would carry on with a run that somebody wants to end.
    """
    seen: BaseException | None = error
    while seen is not None:
        if isinstance(seen, KeyboardInterrupt):
            raise KeyboardInterrupt from error
        seen = seen.__cause__ or seen.__context__
