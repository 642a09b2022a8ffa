"""Exit codes, the same for every command, so that a scheduler can act on them."""

from __future__ import annotations

from typing import Final

__all__ = ["DONE", "FAILURES", "INTERRUPTED", "UNAVAILABLE", "USAGE"]

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
