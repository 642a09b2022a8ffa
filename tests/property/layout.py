"""The same script in another layout, and its lineage in a form that does not depend on the layout."""

from __future__ import annotations

import re
from typing import Any

from connector import analyze
from connector.model import Script
from connector.sql.dialects import get_dialect
from connector.sql.split import read_statements

__all__ = ["relations_by_name", "spread_out"]

_BLANKS = re.compile(r"[ \t]+")
_NOT_COUNTED = re.compile(r"/\*.*?\*/|--[^\n]*|\s+", re.S)


def spread_out(text: str, dialect: str) -> str:
    """The script with a comment and more blanks wherever blanks stand between two words of a line.

    Line ends stay where they are: to the clients of databases, which end a statement with a line, they are more than white
    space.
    """
    found = read_statements(Script(text), get_dialect(dialect)).statements
    gaps = set()
    for statement in found:
        if any(token.text.upper() == "SCRIPT" for token in statement.tokens[:6]):
            continue  # the body is Lua or Python, in which these are no comments
        for left, right in zip(statement.tokens, statement.tokens[1:], strict=False):
            start, end = statement.base + left.end + 1, statement.base + right.start
            if start < end and _BLANKS.fullmatch(text, start, end):
                gaps.add((start, end))
    parts = []
    behind = 0
    for start, end in sorted(gaps):
        parts.append(text[behind:start])
        # Inside of a conditional comment of MySQL another one would end it.
        parts.append("  " if "/*!" in text else "  /* note */  ")
        behind = end
    return "".join([*parts, text[behind:]])


def relations_by_name(text: str, dialect: str) -> list[Any]:
    """The relations of the derived levels by the names of their ends, without hashes, places and layout."""
    lineage = analyze(text, dialect=dialect)
    found = []
    for level in ("column", "table"):
        for edge in lineage.to_dict(level=level)["relations"]:
            ends = [_NOT_COUNTED.sub("", edge[end]["qualifiedName"]) for end in ("source", "target")]
            found.append((level, edge["type"], *ends, edge.get("effectType"), edge.get("clauseType")))
    return [*sorted(found, key=str), sorted(problem.type for problem in lineage.problems)]
