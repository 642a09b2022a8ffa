"""Faults of this program: an exception inside a reader is reported as one, with its place in our code."""

from __future__ import annotations

import logging
import traceback
from pathlib import Path

from connector.sql.statement import Statement

__all__ = ["internal_fault"]

_log = logging.getLogger("connector")
_PACKAGE = Path(__file__).parents[1]


def internal_fault(error: Exception, statement: Statement) -> str:
    """What to say of an exception that a statement caused. It is logged with the place in our code."""
    script = statement.script
    where = f"{script.name or 'statement'}:{script.position(statement.start)[0]}"
    message = (
        f"internal error ({type(error).__name__} in {_place(error)}): the statement's tables are kept, not its columns"
    )
    _log.warning("%s: %s; please report it together with the statement", where, message)
    _log.debug("%s", where, exc_info=error)
    return message


def _place(error: Exception) -> str:
    """The innermost line of this package that the exception passed."""
    ours = [frame for frame in traceback.extract_tb(error.__traceback__) if _PACKAGE in Path(frame.filename).parents]
    if not ours:
        return "unknown code"
    file = Path(ours[-1].filename).relative_to(_PACKAGE.parent).as_posix()
    return f"{file}, line {ours[-1].lineno}"
