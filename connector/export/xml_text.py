"""Tags as text. SQL can contain characters that XML does not allow in attribute values."""

from __future__ import annotations

import re

__all__ = ["element", "escape"]

_SPECIAL = re.compile(r'[&<>"\t\r\n]|[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]')
_ENTITIES = {"&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "\t": "&#9;", "\r": "&#13;", "\n": "&#10;"}
_NO_CHARACTER = "\N{REPLACEMENT CHARACTER}"


def escape(text: str) -> str:
    """Text for an attribute value or an element. White space is preserved; characters that XML does not allow are replaced."""
    return _SPECIAL.sub(_replacement, text)


def _replacement(match: re.Match[str]) -> str:
    return _ENTITIES.get(match[0], _NO_CHARACTER)


def element(tag: str, *, close: bool = True, **attributes: str | int | None) -> str:
    """A tag with its attributes in the given order; those without a value are omitted."""
    pieces = [f'{name}="{escape(str(value))}"' for name, value in attributes.items() if value is not None]
    return f"<{' '.join([tag, *pieces])}{'/>' if close else '>'}"
