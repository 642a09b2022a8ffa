"""The goldens that DuckDB runs as they are, as cases of the experiment."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

import duckdb

from connector import analyze
from tests.engines.data import Table
from tests.engines.guess import Types, accepted_types, guessed_tables, named_columns
from tests.engines.judge import Case
from tests.engines.reported import folded

GOLDENS = Path(__file__).parents[1] / "golden"


@dataclass(frozen=True)
class Arranged:
    """A case with tables of its own."""

    case: Case
    columns: Mapping[str, list[str]]
    types: Types

    def tables(self, seed: int) -> list[Table]:
        return guessed_tables(self.columns, self.types, self.case.script, seed)


def arranged_goldens(part: int = 0, parts: int = 1) -> Iterator[Arranged]:
    """All of them, or one of several parts of the same size."""
    for path in sorted(GOLDENS.glob("*/*.sql"))[part::parts]:
        yield from arrange(path)


def arrange(path: Path) -> Iterator[Arranged]:
    """One case for each target of the script; none where DuckDB does not take the text."""
    script, dialect = path.read_text(encoding="utf-8"), path.parent.name
    if "recursive" in script.lower():
        return  # on random rows it may never end
    try:
        extracted = duckdb.extract_statements(script)
    except duckdb.Error:
        return
    if any(statement.type is duckdb.StatementType.PREPARE for statement in extracted):
        return  # what is prepared does not run
    statements = [statement.query.strip().rstrip(";") for statement in extracted]
    columns = named_columns(script, dialect, golden_metadata(script))
    columns = {table: names for table, names in columns.items() if not _makes(script, dialect, table)}
    types = accepted_types(statements, columns)
    if types is None:
        return
    for target in _targets(script, dialect):
        name = f"{dialect}/{path.stem}"
        yield Arranged(Case(name, tuple(statements), target, dialect), columns, types)


def golden_metadata(script: str) -> dict[str, list[str]]:
    """What the head of a golden says of its tables."""
    for line in script.splitlines():
        if line.startswith("-- metadata:"):
            given = json.loads(line.removeprefix("-- metadata:"))
            return {table: list(columns) for table, columns in given.items()}
    return {}


def _statements(script: str, dialect: str) -> list[dict[str, object]]:
    found: list[dict[str, object]] = analyze(script, dialect=dialect).to_dict(level="table")["statements"]
    return found


def _makes(script: str, dialect: str, table: str) -> bool:
    """Whether the script itself creates the table."""
    return table in _outputs(script, dialect, "Create")


def _targets(script: str, dialect: str) -> list[str]:
    return sorted(_outputs(script, dialect, ""))


def _outputs(script: str, dialect: str, prefix: str) -> set[str]:
    return {
        folded(end["table"])
        for statement in _statements(script, dialect)
        if str(statement["type"]).startswith(prefix)
        for end in statement["outputs"]  # type: ignore[attr-defined]
    }
