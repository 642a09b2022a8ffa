"""Templates in Jinja, as dbt writes them, read without being run.

Expressions become names, statements and comments become white space. Of the branches of an ``if`` the first counts:
they nearly always read the same tables, and all of them together would not be SQL.
"""

from __future__ import annotations

import re
from typing import Literal

from connector.sql.words import spaces

__all__ = ["resolve_jinja"]

Kind = Literal["name", "value", "any", "clause"]
Found = tuple[int, int, str, Kind]
"""First offset, offset behind, what to show, and what the expression stands for."""

_PART = re.compile(r"\{\{(?P<expression>.*?)\}\}|\{%[-+]?\s*(?P<tag>[a-z_]+)(?P<rest>.*?)%\}|\{#.*?#\}", re.S)
_REFERENCE = re.compile(r"\s*(ref|source)\s*\((.*)\)\s*\Z", re.S)
_ARGUMENT = re.compile(r"'([^']*)'|\"([^\"]*)\"")
_VALUE = re.compile(r"\s*(?:var|env_var)\s*\(", re.S)
_BLANK_CALLS = re.compile(r"\s*(?:config|log|print|do|exceptions|set_sql_header|return)\b\s*[(.]", re.S)
_HIDING = {"macro": "endmacro", "set": "endset", "docs": "enddocs"}
_FALSE = re.compile(r"\s*(?:not\s+loop\.last|not\s+loop\.first|loop\.index\s*>\s*1|false)\b", re.I)


def resolve_jinja(text: str) -> tuple[str, list[Found]]:
    """The text without Jinja, of the same length, and the names that stand for its expressions."""
    characters: list[str] = []
    found: list[Found] = []
    branches: list[bool] = []
    """For each open ``if`` whether one of its branches has been taken."""
    hidden_until = ""
    hidden_depth = 0
    hidden_from = 0
    behind = 0
    for match in _PART.finditer(text):
        if hidden_until:
            tag = match["tag"]
            if hidden_until == "endif":
                if tag == "if":
                    hidden_depth += 1
                elif tag == "endif" and hidden_depth:
                    hidden_depth -= 1
                elif tag == "endif" or (not hidden_depth and tag in ("else", "elif") and not branches[-1]):
                    characters.append(spaces(text[hidden_from : match.end()]))
                    behind = match.end()
                    hidden_until = ""
                    if tag == "endif":
                        branches.pop()
                    else:
                        branches[-1] = True
            elif tag == hidden_until:
                characters.append(spaces(text[hidden_from : match.end()]))
                behind = match.end()
                hidden_until = ""
            continue
        characters.append(text[behind : match.start()])
        behind = match.end()
        if match["expression"] is not None:
            characters.append(_expression(match, found))
            continue
        tag = match["tag"]
        if tag in _HIDING and not (tag == "set" and "=" in match["rest"]):
            hidden_until, hidden_from = _HIDING[tag], match.start()
        elif tag == "if":
            taken = _FALSE.match(match["rest"]) is None
            branches.append(taken)
            if not taken:
                hidden_until, hidden_from, hidden_depth = "endif", match.start(), 0
        elif tag in ("else", "elif") and branches:
            hidden_until, hidden_from, hidden_depth = "endif", match.start(), 0
        elif tag == "endif" and branches:
            branches.pop()
        if not hidden_until:
            characters.append(spaces(match[0]))
    if hidden_until:
        characters.append(spaces(text[hidden_from:]) if hidden_until == "endif" else text[hidden_from:])
    else:
        characters.append(text[behind:])
    return "".join(characters), found


def _expression(match: re.Match[str], found: list[Found]) -> str:
    start, end = match.span()
    inner = match["expression"].strip("-+ \t\r\n")
    length = end - start
    if not inner or _BLANK_CALLS.match(inner):
        return spaces(match[0])
    reference = _REFERENCE.match(inner)
    if reference:
        names = [single or double for single, double in _ARGUMENT.findall(reference[2])]
        if reference[1] == "source" and len(names) >= 2 and length >= 3:
            half = start + max(length // 2 - 1, 1)
            found.append((start, half, names[0], "name"))
            found.append((half + 1, end, names[1], "name"))
            return "_" * (half - start) + "." + "_" * (end - half - 1)
        if names:
            found.append((start, end, names[-1] if reference[1] == "ref" else names[0], "name"))
            return "_" * length
    kind: Kind = "value" if _VALUE.match(inner) else "name" if inner == "this" else "clause" if "(" in inner else "any"
    found.append((start, end, match[0], kind))
    return "_" * length
