"""Code in other languages: cells and magic commands of Databricks notebooks, and Exasol's scripts."""

from __future__ import annotations

import re

from connector.sql.words import spaces

_CELL = re.compile(r"^[ \t]*(?:--|#|//)[ \t]*COMMAND[ \t]+-{4,}[ \t]*\r?$", re.M)
_PYTHON = re.compile(r"\A\s*#[ \t]*Databricks notebook source")
_MAGIC_LINE = re.compile(r"^[ \t]*#[ \t]*MAGIC[ \t]?", re.M)
_MAGIC_CELL = re.compile(r"\n[ \t]*%[a-z]+")
_MAGIC = re.compile(r"(?:\s|--[^\n]*\n)*%(\w+)")


def has_cells(text: str) -> bool:
    """A cheap look for anything that only a notebook has."""
    return "COMMAND ---" in text or "MAGIC" in text or ("%" in text and _MAGIC_CELL.search("\n" + text) is not None)


def blank_notebook(text: str) -> tuple[str, list[int]]:
    """The text with everything that is not SQL replaced by spaces, and the offsets at which cells begin."""
    hidden = _PYTHON.match(text) is not None
    pieces: list[str] = []
    breaks: list[int] = []
    behind = 0
    for separator in [*_CELL.finditer(text), None]:
        end = separator.start() if separator else len(text)
        cell = text[behind:end]
        pieces.append(_hidden_cell(cell) if hidden else _cell(cell))
        breaks.append(end)
        if separator:
            pieces.append(spaces(separator[0]))
            behind = separator.end()
    return "".join(pieces), breaks


def _cell(cell: str) -> str:
    """A cell of SQL, unless it begins with the magic command of another language."""
    magic = _MAGIC.match(cell)
    if magic is None:
        return cell
    if magic[1].lower() == "sql":
        return spaces(cell[: magic.end()]) + cell[magic.end() :]
    return spaces(cell)


def _hidden_cell(cell: str) -> str:
    """A cell of a Python notebook: SQL comes after ``# MAGIC`` when the first of those lines says ``%sql``."""
    lines = cell.splitlines(keepends=True)
    kept = []
    sql = False
    for line in lines:
        prefix = _MAGIC_LINE.match(line)
        if prefix is None:
            kept.append(spaces(line))
            continue
        rest = line[prefix.end() :]
        magic = _MAGIC.match(rest)
        if magic is not None:
            sql = magic[1].lower() == "sql"
            rest = spaces(rest[: magic.end()]) + rest[magic.end() :]
        kept.append(spaces(prefix[0]) + (rest if sql else spaces(rest)))
    return "".join(kept)


_SCRIPT = re.compile(
    r"\bCREATE\s+(?:OR\s+REPLACE\s+)?(?:\w+\s+){0,3}SCRIPT\b.*?\bAS\b(?P<body>.*?)(?:\n[ \t]*/[ \t]*\r?$|\Z)",
    re.I | re.S | re.M,
)


_FUNCTION = re.compile(r"\b(?:SCALAR|SET|ADAPTER)\s+SCRIPT\b", re.I)
_LUA = re.compile(
    r"""--\[\[.*?\]\]|--[^\n]*|\[\[(?P<long>.*?)\]\]|"(?P<double>(?:[^"\\\n]|\\.)*)"|'(?P<single>(?:[^'\\\n]|\\.)*)'""",
    re.S,
)
_STATEMENT = re.compile(r"\s*(?:INSERT|UPDATE|DELETE|MERGE|CREATE|SELECT|WITH|TRUNCATE|IMPORT|EXPORT|RENAME)\b", re.I)
_JOINED = re.compile(r"""[\]"']{1,2}\s*\.\.(?P<value>[^\[\]"';\n]*\.\.)?\s*""")
"""What stands between two literals that are joined, or after one that is joined with a value."""


def blank_scripts(text: str) -> str:
    """The text with the bodies of scripts replaced by spaces; their heads, the slashes and the statements stay that a
    script in Lua runs."""
    if "script" not in text.lower():
        return text
    pieces = []
    behind = 0
    for match in _SCRIPT.finditer(text):
        pieces.append(text[behind : match.start("body")])
        head = text[match.start() : match.start("body")]
        pieces.append(spaces(match["body"]) if _FUNCTION.search(head) else _run_statements(match["body"]))
        behind = match.end("body")
    pieces.append(text[behind:])
    return "".join(pieces)


def _run_statements(body: str) -> str:
    """A body in Lua with nothing but the literals that are statements, each between semicolons; ``?`` for what is joined."""
    kept = list(spaces(body))
    last = 0
    """Where the literal before ends that belongs to a statement."""
    for match in _LUA.finditer(body):
        group = match.lastgroup
        if group is None:
            continue
        start, stop = match.span(group)
        joined = _JOINED.fullmatch(body, last, match.start()) if last else None
        if joined is None and not _STATEMENT.match(match[group]):
            last = 0
            continue
        if joined is None:
            kept[start - 1] = ";"
        else:
            kept[last] = " " if joined["value"] is None else "?"
            kept[last + 1] = " "
        kept[start:stop] = match[group]
        last = stop
        kept[stop : stop + 2] = "?;" if _JOINED.match(body, stop) else "; "
    return "".join(kept)
