"""Exit codes, the same for every command, so that a scheduler can act on them."""

from __future__ import annotations

from typing import Final

__all__ = ["DONE", "FAILURES", "UNAVAILABLE", "USAGE"]

DONE: Final = 0
"""Everything was done."""

FAILURES: Final = 1
"""Done, but statements or batches failed; they are listed on stderr."""

USAGE: Final = 2
"""Wrong usage or configuration, an input that cannot be read included; nothing was done."""

UNAVAILABLE: Final = 3
"""A catalog or a store could not be reached."""
