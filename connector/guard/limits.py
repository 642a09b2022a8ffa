"""The limits of a task, and the exception that is raised when it exceeds them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from connector.errors import ConfigurationError, ConnectorError

__all__ = ["Limits", "Reason", "Stopped"]

Reason = Literal["timeout", "memory", "depth", "crash"]


@dataclass(frozen=True, slots=True)
class Limits:
    """The limits of one call."""

    seconds: float = 30.0
    """Time from sending the argument until the result has arrived."""
    memory_mb: int = 500
    """Memory in addition to what the child itself needs."""

    def __post_init__(self) -> None:
        if not self.seconds > 0:
            raise ConfigurationError("A time limit must be greater than 0 seconds.")
        if self.memory_mb < 1:
            raise ConfigurationError("A memory limit must be at least 1 MB.")


class Stopped(ConnectorError):  # noqa: N818 - it describes what happened to the task; the guard itself did not fail
    """A task was stopped or crashed its process. The next call is not affected."""

    def __init__(self, reason: Reason, message: str) -> None:
        super().__init__(reason, message)
        self.reason = reason
        self.message = message

    def __str__(self) -> str:
        return self.message
