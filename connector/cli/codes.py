"""Exit codes, the same for every command, so that a scheduler can act on them."""

from __future__ import annotations

from typing import Final

from connector.errors import MAY_PASS, ConnectorError, LimitError, UnavailableError

DONE: Final = 0
"""Everything was done."""

FAILURES: Final = 1
"""Done, but statements or batches failed; they are listed on stderr."""

USAGE: Final = 2
"""Wrong usage or configuration, an input that cannot be read included; nothing was done."""

UNAVAILABLE: Final = 3
"""A catalog, a store or a source could not be reached, or the disk is full: the same command may succeed later."""

INTERRUPTED: Final = 130
"""Ctrl-C, as shells have it: 128 and the number of the signal."""


def describe_failure(error: ConnectorError | OSError) -> tuple[str, int]:
    """The sentence and the exit code for what went wrong.

    What the operating system refuses is usage if something has to be changed first, such as a read-only file system.
    """
    if isinstance(error, ConnectorError):
        code = (
            UNAVAILABLE if isinstance(error, UnavailableError) else FAILURES if isinstance(error, LimitError) else USAGE
        )
        return str(error), code
    reason = error.strerror or str(error) or type(error).__name__
    place = "Cannot read or write" if error.filename is None else error.filename
    return f"{place}: {reason}", UNAVAILABLE if error.errno in MAY_PASS else USAGE
