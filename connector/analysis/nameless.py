"""Parts of dynamic SQL that are not known, where a name or a text is shown."""

from __future__ import annotations

import re

NAMELESS = "unknown_part_"
"""How a name begins that stands for an unknown one: the table has none."""

_PARTS = re.compile(rf"{NAMELESS}v?\d*", re.I)


def shown(text: str, mark: str = "?") -> str:
    """A text with a mark for each part that is not known."""
    return _PARTS.sub(mark, text) if "unknown_part_" in text or "UNKNOWN_PART_" in text else text
