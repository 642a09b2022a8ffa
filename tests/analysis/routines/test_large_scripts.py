"""Scripts of five thousand lines: no error, and no more time than a person waits."""

from __future__ import annotations

import time
from collections.abc import Callable

import pytest
from generated import plsql_script, tsql_script

from connector import analyze

LINES = 5_000
SECONDS = 3.0


@pytest.mark.parametrize(("dialect", "script"), [("oracle", plsql_script), ("mssql", tsql_script)])
def test_five_thousand_lines(dialect: str, script: Callable[[int], str]) -> None:
    text = script(LINES)
    assert text.count("\n") >= LINES
    started = time.process_time()
    lineage = analyze(text, dialect=dialect)
    spent = time.process_time() - started
    column = lineage.to_dict(level="column")
    assert column["errors"] == []
    assert spent < SECONDS
    members = {process["procedureName"] for process in column["processes"]}
    assert len(members) > 90


@pytest.mark.parametrize(("dialect", "script"), [("oracle", plsql_script), ("mssql", tsql_script)])
def test_every_member_has_the_same_lineage(dialect: str, script: Callable[[int], str]) -> None:
    """What one procedure does is not changed by those around it."""
    edges: dict[str, set[tuple[str, str, str]]] = {}
    for edge in analyze(script(200), dialect=dialect).to_dict(level="column")["relations"]:
        number = edge["procedureName"].rsplit("_", 1)[1]
        ends = [
            f"{edge[end]['schema']}.{edge[end]['table'].removesuffix('_' + number)}.{edge[end]['column']}"
            for end in ("source", "target")
        ]
        edges.setdefault(number, set()).add((ends[0], edge["type"], ends[1]))
    first = edges.pop("0")
    assert ("stage.orders.amount", "fdd", "mart.orders.amount") in first
    assert all(found == first for found in edges.values())


def test_a_thousand_triggers_with_conditions() -> None:
    """Each condition belongs to the statements of one function; nothing is searched for them."""
    script = "".join(
        f"CREATE FUNCTION f{i}() RETURNS trigger AS $$ BEGIN NEW.total := NEW.price;"
        f" INSERT INTO log{i} (id) VALUES (NEW.id); RETURN NEW; END $$ LANGUAGE plpgsql;\n"
        f"CREATE TRIGGER g{i} BEFORE INSERT ON t{i} FOR EACH ROW WHEN (NEW.active) EXECUTE FUNCTION f{i}();\n"
        for i in range(2 * LINES // 5)
    )
    started = time.process_time()
    lineage = analyze(script, dialect="postgresql")
    assert time.process_time() - started < 2 * SECONDS
    edges = lineage.to_dict(level="column")["relations"]
    assert sum(edge["source"]["column"] == "active" and edge["type"] == "fdr" for edge in edges) >= 2 * LINES // 5
