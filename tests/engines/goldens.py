"""The goldens that DuckDB runs as they are, as cases of the experiment."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

import duckdb

from connector import analyze
from tests.engines.guess import Types, accepted_types, guessed_tables, named_columns
from tests.engines.judge import Case
from tests.engines.lab import Lab
from tests.engines.reported import folded

GOLDENS = Path(__file__).parents[1] / "golden"


@dataclass(frozen=True)
class Arranged:
    """The cases of one script, one for each of its targets, with tables of their own."""

    cases: tuple[Case, ...]
    columns: Mapping[str, list[str]]
    types: Types

    def lab(self, seed: int) -> Lab:
        tables = guessed_tables(self.columns, self.types, self.cases[0].script, seed)
        return Lab(tables, seed, [case.target for case in self.cases])


def arranged_goldens(part: int = 0, parts: int = 1) -> Iterator[Arranged]:
    """All of them, or one of several parts of the same size."""
    for path in sorted(GOLDENS.glob("*/*.sql"))[part::parts]:
        yield from arrange(path)


def arrange(path: Path) -> Iterator[Arranged]:
    """The cases of one script; none where DuckDB does not take the text."""
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
    outputs = _outputs(script, dialect)
    made = {table for kind, table in outputs if kind.startswith("Create")}
    columns = {table: names for table, names in columns.items() if table not in made}
    types = accepted_types(statements, columns)
    if types is None:
        return
    name = f"{dialect}/{path.stem}"
    cases = tuple(Case(name, tuple(statements), target, dialect) for target in sorted({table for _, table in outputs}))
    if cases:
        yield Arranged(cases, columns, types)


def golden_metadata(script: str) -> dict[str, list[str]]:
    """What the head of a golden says of its tables."""
    for line in script.splitlines():
        if line.startswith("-- metadata:"):
            given = json.loads(line.removeprefix("-- metadata:"))
            return {table: list(columns) for table, columns in given.items()}
    return {}


def _outputs(script: str, dialect: str) -> set[tuple[str, str]]:
    """The type of each statement that writes, and the table."""
    statements = analyze(script, dialect=dialect).to_dict(level="table")["statements"]
    return {(statement["type"], folded(end["table"])) for statement in statements for end in statement["outputs"]}
