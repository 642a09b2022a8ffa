"""How much a task may take, and what is raised when it takes more."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from connector.errors import ConfigurationError, ConnectorError

__all__ = ["Limits", "Reason", "Stopped"]

Reason = Literal["timeout", "memory", "depth", "crash"]


@dataclass(frozen=True, slots=True)
class Limits:
    """What one call of a task may take."""

    seconds: float = 30.0
    """Time from handing the argument over until the result is back."""
    memory_mb: int = 500
    """Memory beyond what the child needs for itself."""

    def __post_init__(self) -> None:
        if not self.seconds > 0:
            raise ConfigurationError("A time limit must be greater than 0 seconds.")
        if self.memory_mb < 1:
            raise ConfigurationError("A memory limit must be at least 1 MB.")


class Stopped(ConnectorError):  # noqa: N818 - it says what happened to the task, and the guard has done its work
    """A task that was stopped, or that brought its process down. The next call is not affected."""

    def __init__(self, reason: Reason, message: str) -> None:
        super().__init__(reason, message)
        self.reason = reason
        self.message = message

    def __str__(self) -> str:
        return self.message
