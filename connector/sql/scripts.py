"""Exasol: scripts in Lua, Python, R or Java, which end with a slash on a line of its own and are no SQL inside."""

from __future__ import annotations

import re

from connector.sql.words import spaces

__all__ = ["blank_scripts"]

_SCRIPT = re.compile(
    r"\bCREATE\s+(?:OR\s+REPLACE\s+)?(?:\w+\s+){0,3}SCRIPT\b.*?\bAS\b(?P<body>.*?)(?:\n[ \t]*/[ \t]*\r?$|\Z)",
    re.I | re.S | re.M,
)


def blank_scripts(text: str) -> str:
    """The text with the bodies of scripts replaced by spaces; their heads and the slashes stay."""
    if "script" not in text.lower():
        return text
    pieces = []
    behind = 0
    for match in _SCRIPT.finditer(text):
        pieces.append(text[behind : match.start("body")])
        pieces.append(spaces(match["body"]))
        behind = match.end("body")
    pieces.append(text[behind:])
    return "".join(pieces)
