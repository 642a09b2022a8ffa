"""The pipeline's task, and one more kind of statement that brings its process down.

No SQL is known that crashes the parser, and the day somebody's does is too late to find out what happens then.
"""

from __future__ import annotations

import ctypes
from typing import Any

from connector.pipeline.tasks import perform
from connector.pipeline.units import Work


def perform_or_crash(order: tuple[str, Any]) -> Any:
    """The task of a guard; this module is loaded with it."""
    argument = order[1]
    if isinstance(argument, Work):
        if any("crash_here" in text.text for unit in argument.units for text in unit.texts):
            ctypes.string_at(0)
    return perform(order)
