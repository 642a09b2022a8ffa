"""What a dialect does is said once, in its line of the table: no other code asks who it is.

A name of a dialect or family may stand as the key of a table that `SqlDialect.of` looks through, and nowhere in a
comparison or a set.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import fields
from pathlib import Path

import pytest

import connector
from connector.sql.dialects import SqlDialect, get_dialect, supported_dialects
from connector.sql.families import FAMILIES, Family

ROOT = Path(connector.__file__).parent
TABLES = {ROOT / "sql" / "dialects.py", ROOT / "sql" / "families.py"}
DATABASES = {ROOT / "sources", ROOT / "store"}
"""These ask what kind of database SQLAlchemy is connected to."""
NAMES = {*supported_dialects(), *FAMILIES}


def texts(node: ast.AST) -> Iterator[str]:
    """The words in the strings of an expression: those of a set, a tuple, or a list that is split."""
    for inner in ast.walk(node):
        if isinstance(inner, ast.Constant) and isinstance(inner.value, str):
            yield from inner.value.split() or [""]


def name_checks(source: str) -> list[int]:
    """The lines that compare something with names of dialects, or collect such names in a set, a tuple or a list."""
    found = set()
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Compare):
            sides = [node.left, *node.comparators]
        elif isinstance(node, (ast.Set, ast.MatchValue)) or (
            isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in ("frozenset", "set")
        ):
            sides = [node]
        else:
            continue
        words = [word for side in sides for word in texts(side)]
        if words and all(word in NAMES for word in words):
            found.add(node.lineno)
    return sorted(found)


@pytest.mark.parametrize(
    "source",
    [
        'x = dialect.name == "oracle"',
        'x = dialect.name in ("hive", "impala")',
        'x = dialect.family.name != "tsql"',
        'A = frozenset({"duckdb", "clickhouse"})',
        'A = frozenset("duckdb clickhouse".split())',
        'match dialect.name:\n    case "oracle":\n        pass',
    ],
)
def test_a_name_check_is_found(source: str) -> None:
    assert name_checks(source) == [1] or name_checks(source) == [2]


def test_a_table_is_no_name_check() -> None:
    assert not name_checks('RULES = {"oracle": 1, "hive": 2}\nx = dialect.of(RULES, 0)\ny = x == "text"')


def test_nobody_asks_for_the_name_of_a_dialect() -> None:
    found = [
        f"{path.relative_to(ROOT)}:{line}"
        for path in sorted(ROOT.rglob("*.py"))
        if path not in TABLES and not DATABASES.intersection(path.parents)
        for line in name_checks(path.read_text())
    ]
    assert found == []


def test_every_trait_is_read() -> None:
    """A trait that no code reads says nothing."""
    code = "\n".join(path.read_text() for path in sorted(ROOT.rglob("*.py")) if path not in TABLES)
    traits = [each.name for kind in (SqlDialect, Family) for each in fields(kind) if each.type == "bool"]
    assert len(traits) > 40
    assert [trait for trait in traits if f".{trait}" not in code] == []


def test_every_trait_tells_dialects_apart() -> None:
    dialects = [get_dialect(name) for name in supported_dialects()]
    for each in fields(SqlDialect):
        if each.type == "bool":
            assert {getattr(dialect, each.name) for dialect in dialects} == {True, False}, each.name
    for each in fields(Family):
        if each.type == "bool":
            assert {getattr(dialect.family, each.name) for dialect in dialects} == {True, False}, each.name


def test_a_table_is_searched_for_the_dialect_its_kin_and_its_family() -> None:
    table = {"impala": "own", "hive": "kin", "plsql": "family"}
    assert get_dialect("impala").of(table, "") == "own"
    assert get_dialect("impala").of({"hive": "kin"}, "") == "kin"
    assert get_dialect("oracle").of(table, "") == "family"
    assert get_dialect("duckdb").of(table, "none") == "none"
