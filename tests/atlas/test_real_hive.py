"""The Hive mapping on a real Atlas, beside entities in the form that the Hive hook gives them."""

from __future__ import annotations

import json

import pytest
from atlas_reading import atlas_edges

from connector import analyze
from connector.catalogs.atlas import AtlasClient, AtlasSettings, push

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
    answer = client.save([json.dumps(entity).encode() for entity in entities])
    return {
        entity["attributes"]["qualifiedName"]: answer["guidAssignments"][entity["guid"]]
        for entity in entities  # type: ignore[index]
    }


@pytest.fixture
def hive(settings: AtlasSettings) -> AtlasSettings:
    return settings.model_copy(update={"mapping": "hive"})


def test_lineage_attaches_to_what_the_hook_made(hive: AtlasSettings, client: AtlasClient, cluster: str) -> None:
    guids = made_by_the_hook(client, "sales", {"orders": ["id", "amount"], "totals": ["id", "amount"]}, cluster)
    before = {name: client.entity(guid)["attributes"] for name, guid in guids.items()}
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
    assert {client.entity(guid)["attributes"]["owner"] for name, guid in guids.items() if name in (orders, totals)} == {
        "etl"
    }
    for name, guid in guids.items():
        assert client.entity(guid)["attributes"] == before[name]
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
