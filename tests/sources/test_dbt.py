"""A dbt project. The manifests in ``dbt`` were written by dbt 1.11 with DuckDB, and shortened to what is read of them."""

from __future__ import annotations

import json
import logging
from pathlib import Path
from typing import Any

import pytest

from connector import analyze
from connector.errors import SourceError
from connector.sources import (
    DbtSource,
    Defaults,
    TableColumns,
    Tally,
    check_source,
    metadata_of,
    read_plain,
    table_columns,
)

PROJECT = Path(__file__).parent / "dbt"
COMPILED = PROJECT / "target" / "manifest.json"
PARSED = PROJECT / "parsed_manifest.json"


def test_models_seeds_and_snapshots_become_statements() -> None:
    tally = Tally()
    found = {each.origin: each for each in read_plain(DbtSource(name="shop", manifest=str(PROJECT)), tally=tally)}
    assert {name: (each.kind, each.database, each.schema) for name, each in found.items()} == {
        "models/marts/everything.sql": ("script", "shop", "main_marts"),
        "models/marts/revenue.sql": ("script", "shop", "main_marts"),
        "models/staging/stg_orders.sql": ("view", "shop", "main"),
        "seeds/countries.csv": ("script", "shop", "main"),
        "seeds/raw_orders.csv": ("script", "shop", "main"),
        "snapshots/orders_history.sql": ("script", "shop", "history"),
    }
    assert {(each.dialect, each.source) for each in found.values()} == {("duckdb", "shop")}
    assert found["models/staging/stg_orders.sql"].text == (
        'create view "shop"."main"."orders_clean" as\n\n-- cleaned orders\n'
        'select id, customer, amount, country from "shop"."main"."raw_orders"\n'
    )
    assert found["seeds/countries.csv"].text == (
        'create table "shop"."main"."countries" (\n  code varchar,\n  name varchar,\n  "tax rate" varchar\n)\n'
    )
    # The model in Python has no SQL, the ephemeral one is inside of the model that uses it.
    assert (tally.read, tally.empty) == (6, 1)


def test_the_lineage_goes_through_an_ephemeral_model() -> None:
    (revenue,) = [each for each in read_plain(DbtSource(manifest=str(COMPILED))) if "revenue" in each.origin]
    lineage = analyze(revenue.text, revenue.dialect)
    assert lineage.problems == []
    edges = {
        (relation["source"]["qualifiedName"], relation["target"]["qualifiedName"])
        for relation in lineage.to_dict("column")["relations"]
        if relation["type"] == "fdd"
    }
    assert edges == {
        ("shop.main.orders_clean.id@default", "shop.main_marts.revenue.id@default"),
        ("shop.main.orders_clean.amount@default", "shop.main_marts.revenue.gross@default"),
        ("shop.main.countries.tax rate@default", "shop.main_marts.revenue.gross@default"),
    }


def test_a_project_that_is_not_compiled_is_said_and_read_as_far_as_it_goes(caplog: pytest.LogCaptureFixture) -> None:
    source = DbtSource(manifest=str(PARSED))
    with caplog.at_level(logging.WARNING, "connector.sources"):
        found = {each.origin: each for each in read_plain(source)}
    (message,) = [record.getMessage() for record in caplog.records]
    assert "4 of 8 nodes are not compiled (model.shop.everything, " in message
    assert message.endswith("run dbt compile")
    staged = found["models/staging/stg_orders.sql"]
    lineage = analyze(staged.text, staged.dialect)
    assert lineage.problems == []
    assert {relation["source"]["qualifiedName"] for relation in lineage.to_dict("table")["relations"]} == {
        "shop.main.raw_orders@default"
    }
    assert [finding.level for finding in check_source(source)] == ["ok", "warning"]


def test_the_catalog_beside_the_manifest_gives_columns() -> None:
    assert table_columns(DbtSource(manifest=str(PROJECT))) == (
        TableColumns(
            "shop", "main", "countries", ("code", "name", "tax rate"), False, ("VARCHAR", "VARCHAR", "INTEGER")
        ),
        TableColumns(
            "shop",
            "main",
            "raw_orders",
            ("id", "customer", "amount", "country"),
            False,
            ("INTEGER", "VARCHAR", "INTEGER", "VARCHAR"),
        ),
    )
    metadata = metadata_of(table_columns(DbtSource(manifest=str(PROJECT))))
    known = metadata.describe("SHOP", "main", "Raw_Orders")
    assert known is not None
    assert known.columns == ("id", "customer", "amount", "country")


def manifest_of(tmp_path: Path, nodes: dict[str, Any], adapter: str = "postgres") -> DbtSource:
    file = tmp_path / "manifest.json"
    file.write_text(json.dumps({"metadata": {"adapter_type": adapter}, "nodes": nodes}))
    return DbtSource(manifest=str(file))


@pytest.mark.parametrize(
    ("adapter", "dialect", "database", "schema", "relation"),
    [
        ("postgres", "postgresql", "db", "sc", '"db"."sc"."a"'),
        ("spark", "sparksql", "sc", None, "`db`.`sc`.`a`"),
        ("sqlserver", "mssql", "db", "sc", "[db].[sc].[a]"),
        ("bigquery", "bigquery", "db", "sc", "`db`.`sc`.`a`"),
        ("unheard_of", "oracle", "db", "sc", '"db"."sc"."a"'),
    ],
)
def test_the_adapter_says_the_dialect(
    tmp_path: Path, adapter: str, dialect: str, database: str, schema: str | None, relation: str
) -> None:
    node = {"resource_type": "model", "name": "m", "alias": "a", "database": "db", "schema": "sc"}
    old = {**node, "compiled_sql": "select 1 as x", "config": {"materialized": "materialized_view"}}
    (found,) = read_plain(manifest_of(tmp_path, {"model.p.m": old}, adapter), Defaults("oracle"))
    assert (found.dialect, found.database, found.schema, found.kind) == (dialect, database, schema, "view")
    assert found.text == f"create materialized view {relation} as\nselect 1 as x\n"


@pytest.mark.parametrize("way", ["absolute", "above", "through a link", "root_path alone"])
def test_nothing_outside_the_project_is_read(tmp_path: Path, way: str) -> None:
    """Whoever writes a manifest decides what is analysed, but not which files of the machine are read for it."""
    outside = tmp_path / "outside"
    outside.mkdir()
    (outside / "seed.csv").write_text("secret_column,b\n1,2\n")
    project = tmp_path / "project"
    (project / "seeds").mkdir(parents=True)
    (project / "seeds" / "link.csv").symlink_to(outside / "seed.csv")
    (project / "seeds" / "own.csv").write_text("own_column,b\n1,2\n")
    path, root = {
        "absolute": (str(outside / "seed.csv"), str(project)),
        "above": ("../outside/seed.csv", str(project)),
        "through a link": ("seeds/link.csv", str(project)),
        "root_path alone": (str(outside / "seed.csv").lstrip("/"), "/"),
    }[way]
    seed = {"resource_type": "seed", "name": "s", "alias": "s", "database": "d", "schema": "c", "config": {}}
    source = manifest_of(project, {"seed.p.s": {**seed, "original_file_path": path, "root_path": root}})
    assert not [text for each in read_plain(source) if "secret_column" in (text := each.text)]
    own = manifest_of(project, {"seed.p.s": {**seed, "original_file_path": "seeds/own.csv", "root_path": "/"}})
    assert "own_column" in "".join(each.text for each in read_plain(own)), "a file of the project is read"


def test_models_can_be_left_out(tmp_path: Path) -> None:
    nodes = {
        f"model.p.{name}": {"resource_type": "model", "name": name, "compiled_code": "select 1", "config": {}}
        for name in ("stg_a", "stg_b", "mart", "test_x")
    }
    nodes["test.p.check"] = {"resource_type": "test", "name": "check", "compiled_code": "select 1", "config": {}}
    source = manifest_of(tmp_path, nodes).model_copy(update={"exclude": ("stg_*", "model.p.test_*")})
    assert [each.origin for each in read_plain(source)] == ["model.p.mart"]


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (None, "No such file or directory; run dbt compile"),
        ("{", "not valid JSON"),
        ("[]", "not a dbt manifest: it has no nodes"),
        (
            '{"nodes": {"model.p.m": 5}}',
            "model.p.m does not have the form that dbt writes: expected an object, not int",
        ),
        (
            '{"nodes": {"model.p.m": {"resource_type": "model"}}}',
            "model.p.m does not have the form that dbt writes: name is missing. Run dbt compile again.",
        ),
        (
            '{"nodes": {}, "sources": [1]}',
            "sources does not have the form that dbt writes: expected an object, not list",
        ),
    ],
)
def test_a_manifest_that_cannot_be_read_is_said(tmp_path: Path, content: str | None, message: str) -> None:
    if content is not None:
        (tmp_path / "manifest.json").write_text(content)
    source = DbtSource(manifest=str(tmp_path / "manifest.json"))
    with pytest.raises(SourceError, match=message):
        list(read_plain(source))
    (finding,) = check_source(source)
    assert finding.failed
