"""Names and fully qualified names as the server forms and checks them."""

from __future__ import annotations

import re

from .answers import Refused

__all__ = ["check_name", "join", "quoted"]

_ALLOWED = re.compile(r'((?!::)[^>"\x00-\x1f])*')
_PATTERN = r"^((?!::)[^>\"\x00-\x1f])*$"
_LONGEST = 256


def check_name(name: object, where: str = "name") -> str:
    """The name, or a refusal in the words of the server's bean validation."""
    if not isinstance(name, str):
        raise Refused(400, f"[query param {where} must not be null]")
    if not 1 <= len(name) <= _LONGEST:
        raise Refused(400, f"[query param {where} size must be between 1 and {_LONGEST}]")
    if not _ALLOWED.fullmatch(name):
        raise Refused(400, f'[query param {where} must match "{_PATTERN}"]')
    return name


def quoted(name: str) -> str:
    """A part of a fully qualified name: in quotes only when it holds a dot."""
    return f'"{name}"' if "." in name else name


def join(parent: str | None, name: str) -> str:
    return quoted(name) if parent is None else f"{parent}.{quoted(name)}"
