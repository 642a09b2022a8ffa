"""An analysis leaves alone what is not its own: the collector of the process, the grammar, and the trees that it reads."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from connector import analyze
from connector.analysis import analyser, context

GOLDEN = Path(__file__).parents[1] / "golden"
SCRIPTS = sorted(
    path
    for dialect in ("bigquery", "duckdb", "impala", "mssql", "mysql", "oracle")
    for path in (GOLDEN / dialect).glob("*.sql")
)


def nodes(tree: Any) -> Iterator[tuple[int, int]]:
    """Every node with its parent, in order."""
    for node in tree.walk():
        yield id(node), id(node.parent)


def test_the_collector_of_the_process_is_left_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    def touched(*arguments: object) -> None:
        raise AssertionError("the collector belongs to the process")

    for name in ("disable", "enable", "freeze", "collect", "set_threshold"):
        monkeypatch.setattr(gc, name, touched)
    lineage = analyze("insert into o select a from t; create view v as select b from o; select from from")
    for level in ("complete", "column", "table"):
        lineage.to_dict(level)
    lineage.render("html")


@pytest.mark.parametrize("script", SCRIPTS, ids=lambda path: f"{path.parent.name}-{path.stem}")
def test_no_tree_is_changed_while_it_is_read(script: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    parsed: list[tuple[Any, list[tuple[int, int]]]] = []

    def parse(*arguments: Any) -> Any:
        found = original(*arguments)
        parsed.extend((tree, list(nodes(tree))) for tree in found if tree is not None)
        return found

    original = analyser.parse_statement
    monkeypatch.setattr(analyser, "parse_statement", parse)
    monkeypatch.setattr(context, "parse_statement", parse)
    analyze(script.read_text(), script.parent.name)
    for tree, before in parsed:
        assert list(nodes(tree)) == before


@pytest.mark.parametrize("dialect", ["ansi", "oracle", "snowflake"])
def test_a_refused_hierarchy_does_not_change_how_later_statements_are_read(dialect: str) -> None:
    """The grammar makes PRIOR an operator while it reads CONNECT BY; here it gives up before the end of the clause."""
    later = (
        "create view v as select prior, a from t",
        "create view w as select a from t start with a is null connect by b = prior a",
    )
    before = [analyze(text, dialect=dialect).to_json("complete") for text in later]
    analyze("select a from t start with a is null connect by b = prior (", dialect=dialect)
    assert [analyze(text, dialect=dialect).to_json("complete") for text in later] == before
