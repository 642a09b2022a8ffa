"""Ctrl-C that a library turned into an error of its own."""

from __future__ import annotations


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
