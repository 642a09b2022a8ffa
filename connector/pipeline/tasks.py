"""What the guarded child of the pipeline does. Whatever its tasks need is loaded with this module, before time counts."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

# The tasks, loaded here for the child: an order names them.
from connector.pipeline import analysing, identify  # noqa: F401

__all__ = ["Order", "perform"]

Result = TypeVar("Result")

Order = tuple[Callable[[Any], Result], Any]
"""A function of a module, and its argument."""


def perform(order: Order[Result]) -> Result:
    """The task of the pipeline's guards: one child for whatever there is to do."""
    function, argument = order
    return function(argument)
