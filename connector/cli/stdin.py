"""Standard input in the place of inputs that are not named."""

from __future__ import annotations

import sys
from pathlib import Path

from connector.errors import ConfigurationError

__all__ = ["piped_stdin"]


def piped_stdin(request: str) -> list[Path]:
    """Stdin stands in for inputs that are not named, unless somebody sits there and waits for an answer."""
    if sys.stdin.isatty():
        raise ConfigurationError(f"{request}, or - for stdin.")
    return [Path("-")]
