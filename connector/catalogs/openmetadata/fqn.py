"""Fully qualified names as OpenMetadata writes them: parts separated by dots, and parts that contain a dot in quotes."""

from __future__ import annotations

from collections.abc import Iterable
from urllib.parse import quote

_RESERVED = (
    ("::", "__reserved__colon__"),
    (">", "__reserved__arrow__"),
    ('"', "__reserved__quote__"),
    ("\n", "__reserved__newline__"),
    ("\r", "__reserved__carriage_return__"),
    ("\t", "__reserved__tab__"),
)
"""What may not stand in a name, and the words that its own ingestion client writes instead."""


def encode_name(name: str) -> str:
    """A name as the server takes it."""
    name = name.encode("utf-8", "replace").decode()  # half a character is in no name that the server has
    for character, word in _RESERVED:
        name = name.replace(character, word)
    return name


def decode_name(name: str) -> str:
    """The inverse of :func:`encode_name`."""
    for character, word in _RESERVED:
        name = name.replace(word, character)
    return name


def quote_part(part: str) -> str:
    """One part; quoted only when it holds a dot, because the server does not know a needlessly quoted one."""
    return f'"{part}"' if "." in part else part


def build(parts: Iterable[str]) -> str:
    """The name of these parts, which are encoded already."""
    return ".".join(quote_part(part) for part in parts)


def split(fqn: str) -> list[str]:
    """The parts of a name, without quotes."""
    parts: list[str] = []
    current: list[str] = []
    quoted = False
    for character in fqn:
        if character == '"':
            quoted = not quoted
        elif character == "." and not quoted:
            parts.append("".join(current))
            current.clear()
        else:
            current.append(character)
    parts.append("".join(current))
    return parts


def in_path(fqn: str) -> str:
    """A name as it stands in the path of a request."""
    return quote(fqn, safe="")
