"""The exceptions that leave this package.

::

    ConnectorError
    ├── ConfigurationError      wrong usage: an option, a file or a setting (exit code 2)
    │   └── UnknownDialectError a dialect that is not supported
    ├── SourceError             an input that cannot be read
    ├── LimitError              an analysis that exceeds its limits as a whole (exit code 1)
    └── UnavailableError        a catalog or a store that cannot be reached (exit code 3)

Bad SQL is never an exception: it becomes an ``error`` element of the model, and the rest of the script is analysed.
"""

from __future__ import annotations

import errno
from pathlib import Path

from connector.addresses import safe_text

MAY_PASS = frozenset(
    {errno.ENOSPC, errno.EDQUOT, errno.EIO, errno.EMFILE, errno.ENFILE, errno.ENOMEM, errno.ETIMEDOUT, errno.ESTALE}
)
"""A full disk, a device or a file server that fails: a later attempt may succeed."""


class ConnectorError(Exception):
    """Anything this package raises on purpose. An address in its text is shown without its login."""

    def __init__(self, *arguments: object) -> None:
        super().__init__(*(safe_text(each) if isinstance(each, str) else each for each in arguments))


class ConfigurationError(ConnectorError):
    """The caller asked for something that does not exist or does not fit together."""


class UnknownDialectError(ConfigurationError):
    """A dialect name that maps to no grammar."""


class SourceError(ConnectorError):
    """An input file or folder cannot be read."""


class LimitError(ConnectorError):
    """An analysis exceeds its time or memory limit although none of its statements does."""


class UnavailableError(ConnectorError):
    """A catalog or a store does not respond."""


def cannot_write(file: Path, error: OSError) -> ConnectorError:
    """The error for a file that cannot be written: what may pass by itself is no wrong usage."""
    kind = UnavailableError if error.errno in MAY_PASS else ConfigurationError
    return kind(f"Cannot write {file}: {error.strerror or error}")
