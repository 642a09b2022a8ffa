"""The laboratory in PostgreSQL: the same experiment for what DuckDB does not have, above all for statements that write."""

from __future__ import annotations

import datetime
import json
from collections.abc import Iterable, Sequence
from typing import Any

import psycopg

from tests.engines.data import Domain, Table, Value, choices, lists
from tests.engines.grammar.world import DAY, ID, NUMBER, WORD, YEARS
from tests.engines.lab import Lab

DOCUMENT = Domain("JSONB", lambda rng: {key: rng.randint(0, 3) for key in "ab" if rng.random() < 0.8})

TABLES = (
    Table("t", {"id": ID, "k": NUMBER, "a": NUMBER, "b": NUMBER, "s": WORD}, unique=frozenset({"id"})),
    Table("u", {"id": ID, "k": NUMBER, "c": NUMBER, "d": DAY, "s": WORD}, unique=frozenset({"id"})),
    Table("w", {"id": ID, "k": NUMBER, "l": lists(NUMBER), "j": DOCUMENT}, unique=frozenset({"id"})),
    Table("p", {"g": WORD, "y": choices("INTEGER", YEARS), "v": NUMBER, "n": NUMBER}, rows=12),
    Table("z", {"x": ID, "y": NUMBER, "s": WORD}, rows=6, key="x"),
)
"""The tables of the grammar, with a document in place of a struct and a map."""


class PostgresLab(Lab):
    """The tables in a database of their own."""

    errors = psycopg.Error

    def __init__(self, tables: Iterable[Table], seed: int, url: str) -> None:
        self._url = url
        super().__init__(tables, seed)

    def _connect(self) -> Any:
        # A table is another one in every schema: no statement may be prepared.
        connection = psycopg.connect(self._url, autocommit=True, prepare_threshold=None)
        connection.execute("CREATE SCHEMA main")
        return connection

    def close(self) -> None:
        self._connection.close()

    def _search(self, schemas: Sequence[str]) -> str:
        return f"SET search_path = {', '.join(schemas)}"

    def _literal(self, domain: Domain, value: Value) -> str:
        if value is None:
            return "NULL"
        if isinstance(value, dict):
            return f"'{json.dumps(value)}'::jsonb"
        if isinstance(value, list):
            return f"'{{{', '.join(map(str, value))}}}'::{domain.type}"
        if isinstance(value, datetime.date):
            return f"DATE '{value.isoformat()}'"
        return domain.literal(value)
