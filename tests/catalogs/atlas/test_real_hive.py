"""The Hive mapping on a real Atlas, beside entities in the form that the Hive hook gives them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from apache_atlas.model.instance import AtlasEntity
from atlas_reading import atlas_edges
from click.testing import Result
from typer.testing import CliRunner

from connector import analyze
from connector.catalogs.atlas import AtlasSettings, push
from connector.catalogs.atlas.client import AtlasClient
from connector.cli import app

_CREATED = 1715904000000


def made_by_the_hook(client: AtlasClient, database: str, tables: dict[str, list[str]], cluster: str) -> dict[str, str]:
    """A database, its tables and their columns in one request, as the hook sends them; guids by name."""
    db_name = f"{database}@{cluster}"
    entities = [
        {
            "typeName": "hive_db",
            "guid": "-1",
            "attributes": {"qualifiedName": db_name, "name": database, "clusterName": cluster, "owner": "hive"},
        }
    ]
    for table, columns in tables.items():
        number = f"-{len(entities) + 1}"
        name = f"{database}.{table}"
        entities.append(
            {
                "typeName": "hive_table",
                "guid": number,
                "attributes": {
                    "qualifiedName": f"{name}@{cluster}",
                    "name": table,
                    "owner": "etl",
                    "tableType": "MANAGED_TABLE",
                    "createTime": _CREATED,
                },
                "relationshipAttributes": {"db": {"guid": "-1", "typeName": "hive_db"}},
            }
        )
        entities.extend(
            {
                "typeName": "hive_column",
                "guid": f"{number}{position:03}",
                "attributes": {
                    "qualifiedName": f"{name}.{column}@{cluster}",
                    "name": column,
                    "type": "string",
                    "position": position,
                },
                "relationshipAttributes": {"table": {"guid": number, "typeName": "hive_table"}},
            }
            for position, column in enumerate(columns)
        )
    answer = client.save([AtlasEntity(entity) for entity in entities])
    return {
        entity["attributes"]["qualifiedName"]: answer["guidAssignments"][entity["guid"]]
        for entity in entities  # type: ignore[index]
    }


@pytest.fixture
def hive(settings: AtlasSettings) -> AtlasSettings:
    return settings.model_copy(update={"mapping": "hive"})


def test_lineage_attaches_to_what_the_hook_made(hive: AtlasSettings, client: AtlasClient, cluster: str) -> None:
    guids = made_by_the_hook(client, "sales", {"orders": ["id", "amount"], "totals": ["id", "amount"]}, cluster)
    before = {name: client.one(guid)["attributes"] for name, guid in guids.items()}
    sql = "INSERT OVERWRITE TABLE Sales.Totals SELECT ID, sum(Amount) FROM Sales.Orders GROUP BY ID"

    summary = push([analyze(sql, dialect="hive", cluster=cluster, metadata=_METADATA)], hive, source=cluster)

    assert not summary.failures
    assert not summary.missing
    assert summary.counts["hive_table"].created == summary.counts["hive_table"].updated == 0
    orders, totals = f"sales.orders@{cluster}", f"sales.totals@{cluster}"
    assert {(s, t) for s, _, t in atlas_edges(client, [("hive_table", totals)], "INPUT")} == {(orders, totals)}
    amounts = f"sales.orders.amount@{cluster}", f"sales.totals.amount@{cluster}"
    found = atlas_edges(client, [("hive_column", amounts[1])], "INPUT")
    assert {(s, t) for s, _, t in found} == {amounts}
    assert {client.one(guid)["attributes"]["owner"] for name, guid in guids.items() if name in (orders, totals)} == {
        "etl"
    }
    for name, guid in guids.items():
        assert client.one(guid)["attributes"] == before[name]
    assert not push([analyze(sql, dialect="hive", cluster=cluster, metadata=_METADATA)], hive, source=cluster).changed


_METADATA = {"sales.orders": ["id", "amount"], "sales.totals": ["id", "amount"]}


def test_missing_tables_are_reported_and_found_once_the_hook_has_made_them(
    hive: AtlasSettings, client: AtlasClient, cluster: str
) -> None:
    made_by_the_hook(client, "sales", {"orders": ["id"], "totals": ["id"]}, cluster)
    sql = "insert into sales.totals select o.id from sales.orders o join sales.fresh f on f.id = o.id"
    lineage = lambda: analyze(sql, dialect="hive", cluster=cluster)  # noqa: E731 - planned anew each time
    mapping_only_data = push([lineage()], hive, source=cluster)
    assert mapping_only_data.counts["hive_table"].created == 0

    union = "insert into sales.totals select id from sales.orders union all select id from sales.fresh"
    missing = push([analyze(union, dialect="hive", cluster=cluster)], hive, source=cluster)
    assert ("hive_table", f"sales.fresh@{cluster}") in missing.missing
    totals = ("hive_table", f"sales.totals@{cluster}")
    sources = {source for source, _, _ in atlas_edges(client, [totals], "INPUT")}
    assert sources == {f"sales.orders@{cluster}"}

    made_by_the_hook(client, "sales", {"fresh": ["id"]}, cluster)
    found = push([analyze(union, dialect="hive", cluster=cluster)], hive, source=cluster)
    assert not found.missing
    sources = {source for source, _, _ in atlas_edges(client, [totals], "INPUT")}
    assert sources == {f"sales.orders@{cluster}", f"sales.fresh@{cluster}"}


def test_paths_become_the_types_atlas_has_for_them(hive: AtlasSettings, client: AtlasClient, cluster: str) -> None:
    made_by_the_hook(client, "raw", {"a": ["x"], "b": ["x"], "c": ["x"]}, cluster)
    sql = """
        load data inpath 'hdfs://nn:8020/in/a' into table raw.a;
        load data inpath 's3a://bucket/in/b' into table raw.b;
        load data local inpath '/tmp/c.csv' into table raw.c
    """
    summary = push([analyze(sql, dialect="hive", cluster=cluster)], hive, source=cluster)
    assert not summary.failures
    for table, path in (
        ("a", f"hdfs://nn:8020/in/a@{cluster}"),
        ("b", f"s3a://bucket/in/b/@{cluster}"),
        ("c", f"/tmp/c.csv@{cluster}"),
    ):
        edges = atlas_edges(client, [("hive_table", f"raw.{table}@{cluster}")], "INPUT")
        assert {(s, t) for s, _, t in edges} == {(path, f"raw.{table}@{cluster}")}


def pushed(settings: AtlasSettings, script: Path, cluster: str, *more: str) -> Result:
    arguments = ["push", "atlas", str(script), "--dialect", "hive", "--cluster", cluster, "--mapping", "hive"]
    login = ["--url", settings.url, "--user", str(settings.user), "--state", str(settings.state)]
    return CliRunner().invoke(app, [*arguments, *login, *more])


def test_the_columns_of_the_hook_are_found_by_position(
    settings: AtlasSettings, client: AtlasClient, cluster: str, tmp_path: Path
) -> None:
    """The select list has other names than the table, and nobody gives metadata."""
    tables = {"orders": ["id", "amount", "day"], "totals": ["customer", "total"], "copied": ["id", "amount", "day"]}
    made_by_the_hook(client, "sales", tables, cluster)
    script = tmp_path / "a.hql"
    script.write_text(
        "INSERT OVERWRITE TABLE sales.totals SELECT id, sum(amount) FROM sales.orders GROUP BY id;\n"
        "INSERT INTO sales.copied SELECT * FROM sales.orders;\n",
        encoding="utf-8",
    )

    result = pushed(settings, script, cluster)

    assert result.exit_code == 0, result.output
    keys = [("hive_column", f"sales.{table}.{name}@{cluster}") for table in tables for name in tables[table]]
    found = {(s.split("@")[0], t.split("@")[0]) for s, _, t in atlas_edges(client, keys, "INPUT")}
    assert found == {
        ("sales.orders.id", "sales.totals.customer"),
        ("sales.orders.amount", "sales.totals.total"),
        ("sales.orders.id", "sales.copied.id"),
        ("sales.orders.amount", "sales.copied.amount"),
        ("sales.orders.day", "sales.copied.day"),
    }
    (process,) = [
        entity
        for entity in client.search("hive_process", ["name", "startTime"])
        if cluster in entity.get_attribute("qualifiedName") and entity.get_attribute("name").endswith("totals")
    ]
    assert process.get_attribute("name") == "Insert into sales.totals"
    assert process.get_attribute("startTime") > _CREATED
    again = pushed(settings, script, cluster, "--verify", "--json")
    assert json.loads(again.stdout)["total"]["updated"] == 0


def test_what_cannot_be_attached_is_named_with_its_place(
    settings: AtlasSettings, client: AtlasClient, cluster: str, tmp_path: Path
) -> None:
    made_by_the_hook(client, "sales", {"orders": ["id"]}, cluster)
    script = tmp_path / "a.hql"
    script.write_text("\n\nINSERT INTO sales.nowhere SELECT id FROM sales.orders;\n", encoding="utf-8")

    result = pushed(settings, script, cluster, "--quiet")

    assert result.exit_code == 1
    wanted = f"{script}:3: Insert into sales.nowhere: not attached, because Atlas does not have"
    assert f"{wanted} hive_table sales.nowhere@{cluster}" in result.stderr
