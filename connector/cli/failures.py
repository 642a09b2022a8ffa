"""What the operating system refuses, as one sentence and an exit code."""

from __future__ import annotations

import errno

from connector.cli import codes

__all__ = ["code_of_os_error", "describe_os_error"]

_MAY_PASS = frozenset(
    {errno.ENOSPC, errno.EDQUOT, errno.EIO, errno.EMFILE, errno.ENFILE, errno.ENOMEM, errno.ETIMEDOUT, errno.ESTALE}
)
"""A full disk, a device or a file server that fails: a later attempt may succeed."""


def describe_os_error(error: OSError) -> str:
    """The file and the reason, where the error names them."""
    reason = error.strerror or str(error) or type(error).__name__
    if error.filename is None:
        return f"Cannot read or write: {reason}"
    return f"{error.filename}: {reason}"


def code_of_os_error(error: OSError) -> int:
    """2 if something has to be changed first, such as a read-only file system; 3 if a later attempt may succeed."""
    return codes.UNAVAILABLE if error.errno in _MAY_PASS else codes.USAGE
