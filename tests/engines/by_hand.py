"""Statements written by hand, one script in each line: features that the grammar does not draw."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from tests.engines.judge import Case

_TARGET = re.compile(
    r"(?:create table|insert (?:or \w+ )?into|update|delete from|merge into|\binto)\s+(\w+)", re.IGNORECASE
)
_COMMON_TABLES = re.compile(r"^with .*\) (?=insert|update|delete|merge)")
_PERMANENT = re.compile(r"create (?:recursive |materialized )?(?:view|table) (\w+)")


def cases(name: str, dialect: str) -> Iterator[Case]:
    """The scripts of a file; the last statement of each writes the table that is looked at."""
    for number, line in enumerate(Path(__file__).with_name(name).read_text("utf-8").splitlines(), 1):
        if not line or line.startswith("--"):
            continue
        statements = tuple(line.split("; "))
        target = _TARGET.search(_COMMON_TABLES.sub("", statements[-1]))
        assert target is not None, line
        # What decides the rows of a permanent table or view is lineage of that one; it does not go on from there.
        made = {match[1] for match in map(_PERMANENT.match, statements[:-1]) if match is not None}
        rows_end = bool(made - {target[1]})
        yield Case(f"{name}:{number}", statements, target[1].lower(), dialect, rows_end=rows_end)
