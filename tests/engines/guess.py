"""Tables for statements that come without any: which columns there are, of which types, and values that matter.

The columns are those that the analyser's model names; the types are found by asking the engine until it takes the
statements. Values are drawn from a small domain and from the literals of the text, so that its conditions are met at times.
"""

from __future__ import annotations

import datetime
import itertools
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from random import Random

import duckdb
from sqlglot import TokenType, tokenize
from sqlglot.errors import TokenError

from connector import analyze
from tests.engines.data import Domain, Table, Value, choices, integers, lists
from tests.engines.lab import engine
from tests.engines.reported import ROWS, folded

HINTS = {
    "DATE": re.compile(r"(date|day|_at|hired|since)$|^(d|dt|ts)$|^date"),
    "VARCHAR": re.compile(
        r"(name|text|region|status|city|country|symbol|code|email|kind|type|title|segment|month|quarter|product|course|flag)$|^(s|g|m)$"
    ),
    "VARCHAR[]": re.compile(r"(tags|words)$"),
    "INTEGER[]": re.compile(r"(items|values|list|arr)$"),
}
SAMPLES = {
    "INTEGER": "{}",
    "VARCHAR": "'x{}'",
    "DATE": "DATE '2024-01-0{}'",
    "BOOLEAN": "TRUE",
    "INTEGER[]": "[{}]",
    "VARCHAR[]": "['x{}']",
    "DECIMAL(12, 2)": "{}.5",
    "TIMESTAMP": "TIMESTAMP '2024-01-0{} 10:00:00'",
}
JOINED = re.compile(r"_(key|sk)$")
"""Columns that join a star."""
KEY = re.compile(r"^(id|k|key)$|_id$")
"""Columns that often are keys."""

HOPELESS = re.compile(
    r"not found|does not exist|Ambiguous|must appear in the GROUP BY|not provided|conflict target|does not have a column"
    r"|columns but|STAR expression|time travel|Subquery returns|EXCLUDE list"
)
"""Errors of the engine that no other types would mend."""

ATTEMPTS = 150
"""How many choices of types are put to the engine before a statement is given up."""

Columns = Mapping[str, Sequence[str]]
Types = dict[tuple[str, str], str]


def named_columns(script: str, dialect: str, metadata: Columns) -> dict[str, list[str]]:
    """The tables that the script reads or changes but does not make, with the columns that are known of them."""
    complete = analyze(script, dialect=dialect, metadata=dict(metadata)).to_dict(level="complete")
    found: dict[str, dict[str, str]] = {
        table.lower(): {name.lower(): name for name in metadata[table]} for table in metadata
    }
    for entity in complete["dbobjs"]:
        if entity["type"] == "table":
            known = found.setdefault(folded(entity["name"]), {})
            for column in entity.get("columns", ()):
                if folded(column["name"]) not in (ROWS, "*"):
                    known.setdefault(folded(column["name"]), column["name"].strip('"`[]'))
    return {table: list(names.values()) for table, names in found.items()}


def accepted_types(statements: Sequence[str], columns: Columns) -> Types | None:
    """Types with which the engine runs the statements; None where no types would help."""
    ends = [(table, column) for table, names in columns.items() for column in names]
    with engine().cursor() as connection:
        for types in itertools.islice(assignments(ends, SAMPLES), ATTEMPTS):
            connection.execute("BEGIN")
            try:
                _run(connection, statements, columns, types)
            except (duckdb.BinderException, duckdb.ConversionException, duckdb.InvalidInputException) as error:
                if HOPELESS.search(str(error)):
                    return None
            except duckdb.Error:
                return None
            else:
                return types
            finally:
                connection.execute("ROLLBACK")
    return None


def assignments(ends: Sequence[tuple[str, str]], choices_: Iterable[str]) -> Iterator[Types]:
    """Types for all columns, the likely ones first."""
    hinted = {end: next((type_ for type_, hint in HINTS.items() if hint.search(end[1])), "INTEGER") for end in ends}
    starts: list[Types] = [hinted, dict.fromkeys(ends, "INTEGER"), dict.fromkeys(ends, "VARCHAR")]
    yield from starts
    for start in starts[:2]:
        for end, type_ in itertools.product(ends, choices_):
            yield {**start, end: type_}
    for first, second in itertools.combinations(ends, 2):
        for one, two in itertools.product(("VARCHAR", "DATE", "INTEGER"), repeat=2):
            yield {**hinted, first: one, second: two}


def _run(connection: duckdb.DuckDBPyConnection, statements: Sequence[str], columns: Columns, types: Types) -> None:
    """Two rows in every table, so that a word does not pass for a number."""
    for table, names in columns.items():
        written = ", ".join(f'"{name}" {types[table, name]}' for name in names)
        first, second = (", ".join(SAMPLES[types[table, name]].format(number) for name in names) for number in (1, 2))
        connection.execute(f'CREATE TABLE "{table}" ({written}); INSERT INTO "{table}" VALUES ({first}), ({second})')
    for statement in statements:
        connection.execute(statement)


def guessed_tables(columns: Columns, types: Types, script: str, seed: int, rows: int = 12) -> list[Table]:
    """Tables for one laboratory. Each column has a few values of its own, others in the next laboratory: a condition on
    all rows of a group is met somewhere, too. In every other laboratory there are keys."""
    rng = Random(seed)
    literals = _literals(script)
    tables = []
    for table, names in columns.items():
        domains = {
            name: integers(1, 5) if JOINED.search(name) else _domain(types[table, name], literals, rng)
            for name in names
        }
        keys = names[:1] if seed % 4 == 1 else [name for name in names if KEY.search(name.lower())] if seed % 2 else []
        unique = frozenset(key for key in keys if types[table, key] == "INTEGER")
        tables.append(Table(table, domains, rows, unique))
    return [table for table in tables if table.columns]


def _literals(script: str) -> list[str]:
    try:
        tokens = tokenize(script, read="duckdb")
    except TokenError:
        return []
    return [token.text for token in tokens if token.token_type in (TokenType.STRING, TokenType.NUMBER)]


def _domain(type_: str, literals: Sequence[str], rng: Random) -> Domain:
    if type_.endswith("[]"):
        return lists(_domain(type_.removesuffix("[]"), literals, rng))
    numbers = [int(text) for text in literals if re.fullmatch(r"\d{1,6}", text)]
    words = [text.replace("%", "").replace("_", "a") for text in literals if not re.fullmatch(r"[\d.]+", text)]
    pool: list[Value]
    if type_ == "VARCHAR":
        pool = ["a", "b", "ab", "c", *words, *words]
    elif type_ == "BOOLEAN":
        pool = [True, False]
    elif type_ in ("DATE", "TIMESTAMP"):
        pool = _days(words)
    else:
        pool = [*range(5), *(number + step for number in numbers for step in (-1, 0, 0, 1)), *numbers]
    return choices(type_, rng.sample(pool, min(len(pool), 4)) if type_ != "BOOLEAN" else pool)


def _days(words: Sequence[str]) -> list[Value]:
    written = [word[:10] for word in words if re.match(r"\d{4}-\d\d-\d\d", word)] or ["2024-01-02"]
    first = [datetime.date.fromisoformat(day) for day in written]
    return [day + datetime.timedelta(days=step) for day in first for step in (-40, -2, -1, 0, 1, 2, 40)]
