"""The columns that a view uses, as PostgreSQL records them, are the sources that the analyser reports.

Nothing is excused but what the record cannot show: columns behind a whole-row reference, which `difference` leaves out, and
the composite values in `COMPOSITES`.
"""

from __future__ import annotations

import contextlib
import itertools
import re
from pathlib import Path

import psycopg

from tests.engines.dependencies import (
    Connection,
    Difference,
    columns,
    copy_catalogs,
    definitions,
    dependencies,
    difference,
    used,
)
from tests.engines.goldens import golden_metadata
from tests.engines.guess import ATTEMPTS, SAMPLES, assignments, named_columns

VIEWS = Path(__file__).with_name("views.sql")
GOLDENS = Path(__file__).parents[1] / "golden" / "postgresql"

COMPOSITES = {"copied.pg_stats_ext_exprs": "copied.pg_statistic"}
"""`(unnest(stxdexpr)).stanullfrac` takes an attribute of a value whose type is the row of a table; the table is not read."""

PRINTED = {"join_using_alias": "of a column that both sides share the server prints the left one alone"}
"""Views that are printed with less than they say."""


def test_views_of_every_feature(database: Connection) -> None:
    database.execute("CREATE SCHEMA hand; SET search_path = hand")
    texts = _create(database, VIEWS.read_text("utf-8"), "hand")
    assert len(texts) >= 60
    _compare(database, texts, "hand")


def test_text_that_the_server_prints_has_the_same_lineage(database: Connection) -> None:
    database.execute("CREATE SCHEMA trip; SET search_path = trip")
    texts = _create(database, VIEWS.read_text("utf-8"), "trip")
    metadata = columns(database, "trip")
    printed = definitions(database, "trip")
    differences = []
    for view, text in texts.items():
        written = used(text, view, metadata, "trip").edges
        again = used(f"CREATE VIEW {view} AS {printed[view]}", view, metadata, "trip").edges
        # The server writes columns for a whole row or a star, never the other way round.
        if view.partition(".")[2] not in PRINTED and {edge for edge in written ^ again if edge[0][0] in metadata}:
            differences.append(
                f"{view}\n  only as written: {sorted(written - again)}\n  only as printed: {sorted(again - written)}"
            )
    assert not differences, "\n".join(differences)


def test_goldens(database: Connection) -> None:
    compared = 0
    for number, path in enumerate(sorted(GOLDENS.glob("*.sql"))):
        schema = f"golden_{number}"
        texts = _golden_views(database, path.read_text("utf-8"), schema)
        compared += len(texts)
        _compare(database, texts, schema)
    assert compared >= 20, "too few goldens have a view that the server takes"


def test_built_in_views(database: Connection) -> None:
    made = copy_catalogs(database, "copied")
    assert len(made) >= 130
    _compare(database, {view: f"CREATE VIEW {view} AS {text}" for view, text in made.items()}, "copied")


def _create(database: Connection, script: str, schema: str) -> dict[str, str]:
    """Run the script, one statement a line; the views and their texts."""
    texts = {}
    for line in script.splitlines():
        if line and not line.startswith("--"):
            database.execute(line.encode())
            words = line.replace("MATERIALIZED ", "").split()
            if words[1] == "VIEW":
                texts[f"{schema}.{words[2]}"] = line
    database.execute("RESET search_path")
    return texts


def _compare(database: Connection, texts: dict[str, str], schema: str) -> None:
    wanted, metadata = dependencies(database), columns(database, schema)
    differences: list[Difference] = []
    for view, text in texts.items():
        expected = {column for column in wanted.get(view, ()) if column[0] != COMPOSITES.get(view)}
        found = difference(view, expected, used(text, view, metadata, schema), metadata)
        if found:
            differences.append(found)
    assert not differences, "\n".join(map(str, differences))


def _golden_views(database: Connection, script: str, schema: str) -> dict[str, str]:
    """The views of a golden, and its CREATE TABLE AS as views, if there are types with which the server takes them."""
    made = re.compile(
        r"^create\s+(?:materialized\s+view|view|table)\s+(\w+)\s*((?:\([\w, ]+\)\s*)?as\b.*)", re.I | re.S
    )
    bare = "\n".join(line for line in script.splitlines() if not line.startswith("--"))
    matches = [made.match(statement.strip()) for statement in bare.split(";") if statement.strip()]
    queries = [(match[1], match[2]) for match in matches if match is not None]
    if not queries or len(queries) < len(matches):
        return {}
    texts = {f"{schema}.{name}": f"CREATE VIEW {schema}.{name} {query}" for name, query in queries}
    known = named_columns(bare, "postgresql", golden_metadata(script))
    known = {table: names for table, names in known.items() if table not in {name for name, _ in queries}}
    ends = [(table, name) for table, names in known.items() for name in names]
    for types in itertools.islice(assignments(ends, [*SAMPLES, "JSONB"]), ATTEMPTS):
        with contextlib.suppress(psycopg.Error), database.transaction():
            database.execute(f"CREATE SCHEMA {schema}; SET LOCAL search_path = {schema}".encode())
            for table, names in known.items():
                written = ", ".join(f'"{name}" {types[table, name]}' for name in names)
                database.execute(f'CREATE TABLE "{table}" ({written})'.encode())
            for text in texts.values():
                database.execute(text.encode())
            return texts
    return {}
