"""Analytical statements over a small star schema, in the manner of the TPC benchmarks, and others from outside.

``LINEAGE_TPC=queries.jsonl:schema.json`` names a file with one statement in each line (``id``, ``schema``, ``sql``) and the
tables of each schema with their columns; these are judged as well.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

import duckdb

from tests.engines.goldens import Arranged
from tests.engines.guess import Types
from tests.engines.judge import Case

STATEMENTS = Path(__file__).parent / "statements"
SPELLING = {
    "DATE": re.compile(r"(_date|date)$"),
    "DECIMAL(12, 2)": re.compile(
        r"(price|cost|amt|amount|tax|paid|profit|loss|fee|cash|charge|credit|discount|acctbal|offset)$"
    ),
    "INTEGER": re.compile(
        r"(_sk|key|on_hand|number|quantity|year|moy|dom|qoy|dow|seq|hour|minute|second|t_time|count|estimate|_bound"
        r"|employees|_id|birth_day|birth_month|sq_ft|size|availqty|space)$"
    ),
}
"""The type of a column of TPC, by its name; the rest is text."""


def star_cases() -> Iterator[Arranged]:
    columns, types = _schema()
    for path in sorted(STATEMENTS.glob("*.sql")):
        if path.name != "schema.sql":
            text = path.read_text("utf-8")
            statements = tuple(statement.query.strip().rstrip(";") for statement in duckdb.extract_statements(text))
            yield Arranged((Case(path.stem, statements, "answer", spelled_out=True),), _named(columns, text), types)


def _schema() -> tuple[dict[str, list[str]], Types]:
    columns: dict[str, list[str]] = {}
    types: Types = {}
    with duckdb.connect() as connection:
        connection.execute((STATEMENTS / "schema.sql").read_text("utf-8"))
        found = connection.execute(
            "SELECT table_name, column_name, data_type FROM information_schema.columns ORDER BY table_name, ordinal_position"
        ).fetchall()
    for table, column, type_ in found:
        columns.setdefault(table, []).append(column)
        types[table, column] = type_.replace("(12,2)", "(12, 2)")
    return columns, types


def outside_cases(files: str) -> Iterator[Arranged]:
    """Statements that make a table, of a file that is no part of the project."""
    queries, schema = map(Path, files.split(":"))
    schemas = json.loads(schema.read_text("utf-8"))
    for line in queries.read_text("utf-8").splitlines():
        entry = json.loads(line)
        columns = _named(schemas[entry["schema"]], entry["sql"])
        types = {(table, name): _spelled_type(name) for table, names in columns.items() for name in names}
        made = re.match(r"\s*create\s+table\s+(\w+)", entry["sql"], re.IGNORECASE)
        if made:
            case = Case(entry["id"], (entry["sql"].strip().rstrip(";"),), made[1].lower(), spelled_out=True)
            yield Arranged((case,), columns, types)


def _spelled_type(column: str) -> str:
    return next((type_ for type_, spelling in SPELLING.items() if spelling.search(column)), "VARCHAR")


def _named(columns: Mapping[str, Sequence[str]], text: str) -> dict[str, list[str]]:
    """The tables and columns that stand in the text; a table keeps its first column in any case."""
    words = set(re.findall(r"\w+", text.lower()))
    return {
        table: [name for name in names if name in words or name == names[0]]
        for table, names in columns.items()
        if table in words
    }
