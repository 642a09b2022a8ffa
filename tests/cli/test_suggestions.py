"""What is nearly right is met with a suggestion."""

from __future__ import annotations

import json
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest
from typer.testing import Result

from connector import ConfigurationError, analyze
from connector.settings import load_settings
from connector.store import Store

Run = Callable[..., Result]


@pytest.mark.parametrize(
    ("written", "meant"),
    [("snowflak", "snowflake"), ("postgresq", "postgresql"), ("orcale", "oracle"), ("tsq", "mssql")],
)
def test_a_dialect(written: str, meant: str, run: Run, load: Path) -> None:
    result = run("analyze", load, "--dialect", written)
    assert result.exit_code == 2
    assert f"did you mean {meant}?" in result.stderr


def test_no_dialect_is_suggested_for_what_is_like_none(run: Run, load: Path) -> None:
    assert "did you mean" not in run("analyze", load, "--dialect", "klingon").stderr


def test_a_command(run: Run) -> None:
    result = run("analyz")
    assert result.exit_code == 2
    assert "Did you mean 'analyze'?" in result.stderr


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        ("raw.ordres", "raw.orders"),
        ("ORDESR", "orders"),
        ("raw.order", "raw.orders"),
        ("core.orders.idd", "core.orders.id"),
        ("nothing.of.the.kind", None),
    ],
)
def test_a_name_of_the_store(written: str, meant: str | None, run: Run, load: Path, tmp_path: Path) -> None:
    store = tmp_path / "lineage.db"
    assert run("load", load, "--store", store).exit_code == 0
    result = run("upstream", written, "--store", store)
    assert result.exit_code == 2
    assert "The store has no table" in result.stderr
    assert meant is None or f"Did you mean {meant}" in result.stderr or f"or {meant}" in result.stderr


@pytest.mark.parametrize("word", ["custmoer", "costumer", "dim_custmer"])
def test_letters_in_the_wrong_order_find_a_table(word: str, tmp_path: Path) -> None:
    with Store.open(tmp_path / "lineage.db") as store:
        store.load(analyze("create table core.dim_customer as select a from raw.t").model, source="test")
    with closing(Store.open(str(tmp_path / "lineage.db"), create=False)) as reader:
        assert [hit.object.place.name for hit in reader.search(word).hits][:1] == ["dim_customer"]


def test_metadata_may_be_a_file(tmp_path: Path) -> None:
    file = tmp_path / "columns.json"
    file.write_text(json.dumps({"s.t": ["a", "b"]}))
    for metadata in (str(file), file):
        lineage = analyze("create table o as select * from s.t", metadata=metadata)
        assert {edge["source"]["column"] for edge in lineage.to_dict("column")["relations"]} >= {"a", "b"}
    with pytest.raises(ConfigurationError, match="nowhere"):
        analyze("select 1", metadata=str(tmp_path / "nowhere.json"))


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("guard: {seconds: soon}", "guard.seconds: expected a number"),
        ("guard: {seconds: -1}", "guard.seconds: expected more than 0"),
        ("guard: {memory_mb: 5}", "guard.memory_mb: expected 50 or more"),
        ("guard: 5", "guard: expected a mapping"),
        ("cluster: [a]", "cluster: expected text"),
        ("spark: {partitions: 1.5}", "spark.partitions: expected a whole number"),
    ],
)
def test_mistakes_in_settings_are_told_in_our_words(line: str, said: str, tmp_path: Path) -> None:
    file = tmp_path / "lineage.yaml"
    file.write_text(f"sources: [{{files: sql/}}]\n{line}\n")
    with pytest.raises(ConfigurationError) as error:
        load_settings(file)
    assert said in str(error.value)
    assert "nput should" not in str(error.value)
