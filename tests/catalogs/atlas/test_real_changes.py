"""Changes on a real Atlas with soft deletes, its default: right lineage, and what others wrote stays."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import atlas_server
from atlas_reading import atlas_edges

from connector import Lineage, analyze
from connector.catalogs.atlas import AtlasSettings, push
from connector.catalogs.atlas.client import AtlasClient
from connector.catalogs.atlas.replacing import NO_PURGE, Outdated
from connector.catalogs.catalog import Seen
from connector.naming import Namer

_V2 = "/api/atlas/v2"


def through_temporary(first: str, cluster: str, second: str = "select a, b from tmp") -> Lineage:
    """The last statement keeps its text, and so its name, while what it reads changes."""
    sql = f"create temporary table tmp as {first}; insert into o {second}"
    return analyze(sql, dialect="snowflake", cluster=cluster)


def writer(lineage: Lineage) -> str:
    return Namer(lineage.model).process(lineage.model.processes[-1])


def table_edges(client: AtlasClient, name: str, cluster: str) -> set[tuple[str, str]]:
    edges = atlas_edges(client, [("sql_table", f"default.default.{name}@{cluster}")], "INPUT")
    return {(source.split(".")[2].split("@")[0], target.split(".")[2].split("@")[0]) for source, _, target in edges}


def column_edges(client: AtlasClient, name: str, cluster: str) -> set[tuple[str, str]]:
    table, _, column = name.partition(".")
    edges = atlas_edges(client, [("sql_column", f"default.default.{table}.{column}@{cluster}")], "INPUT")
    return {(".".join(s.split("@")[0].split(".")[2:]), ".".join(t.split("@")[0].split(".")[2:])) for s, _, t in edges}


def request(client: AtlasClient, method: str, path: str, body: Any = None) -> Any:
    data = json.dumps(body).encode() if body is not None else None
    return client.http.request(method, f"{_V2}{path}", data=data)


def classify(client: AtlasClient, guid: str, classification: str) -> None:
    document = {"classificationDefs": [{"name": classification, "superTypes": [], "attributeDefs": []}]}
    if classification not in {each["name"] for each in client.typedefs()["classificationDefs"]}:
        client.typedef.create_atlas_typedefs(document)
    request(client, "POST", f"/entity/guid/{guid}/classifications", [{"typeName": classification, "propagate": False}])


def describe(client: AtlasClient, type_name: str, name: str, **attributes: str) -> str:
    """What a person does in Atlas's own page; returns the guid."""
    client.set_attributes(type_name, name, attributes)
    (entity,) = client.read(type_name, [name])
    return str(entity["guid"])


def test_a_changed_statement_replaces_its_lineage(settings: AtlasSettings, client: AtlasClient, cluster: str) -> None:
    before = through_temporary("select x as a, y as b from t1 join t2 on t1.id = t2.id", cluster)
    after = through_temporary("select t3.x as a, t3.y as b from t3", cluster)
    assert writer(before) == writer(after)
    push([before], settings, source=cluster)
    assert table_edges(client, "o", cluster) == {("t1", "o"), ("t2", "o")}

    summary = push([after], settings, source=cluster)

    assert not summary.failures
    assert table_edges(client, "o", cluster) == {("t3", "o")}
    assert column_edges(client, "o.a", cluster) == {("t3.x", "o.a")}
    assert summary.total.updated
    assert not push([after], settings, source=cluster).changed


def test_and_back_again(settings: AtlasSettings, client: AtlasClient, cluster: str) -> None:
    one = through_temporary("select t1.x as a, t1.y as b from t1", cluster)
    two = through_temporary("select t2.x as a, t2.y as b from t2", cluster)
    for lineage in (one, two, one):
        push([lineage], settings, source=cluster)
    assert table_edges(client, "o", cluster) == {("t1", "o")}
    assert column_edges(client, "o.b", cluster) == {("t1.y", "o.b")}


def test_an_added_input_needs_no_replacement(settings: AtlasSettings, client: AtlasClient, cluster: str) -> None:
    push([through_temporary("select t1.x as a, t1.y as b from t1", cluster)], settings, source=cluster)
    wider = through_temporary("select t1.x as a, t2.y as b from t1 join t2 on t1.i = t2.i", cluster)
    (before,) = client.read("sql_process", [writer(wider)])

    push([wider], settings, source=cluster)

    (after,) = client.read("sql_process", [writer(wider)])
    assert before["guid"] == after["guid"]
    assert table_edges(client, "o", cluster) == {("t1", "o"), ("t2", "o")}


def test_columns_that_are_not_written_any_more(settings: AtlasSettings, client: AtlasClient, cluster: str) -> None:
    def star(columns: list[str]) -> Lineage:
        metadata = {"t": columns}
        return analyze("create view v as select * from t", dialect="snowflake", cluster=cluster, metadata=metadata)

    push([star(["a", "b"])], settings, source=cluster)
    assert column_edges(client, "v.b", cluster) == {("t.b", "v.b")}

    summary = push([star(["a", "c"])], settings, source=cluster)

    assert summary.counts["sql_column_lineage"].removed == 1
    edges = atlas_edges(client, [("sql_column", f"default.default.v.b@{cluster}")], "INPUT")
    assert not edges
    edges = atlas_edges(client, [("sql_column", f"default.default.v.c@{cluster}")], "INPUT")
    assert {(source, target) for source, _, target in edges} == {
        (f"default.default.t.c@{cluster}", f"default.default.v.c@{cluster}")
    }


def test_owner_description_and_classification_survive(
    settings: AtlasSettings, client: AtlasClient, cluster: str
) -> None:
    before = through_temporary("select t1.x as a, t1.y as b from t1", cluster)
    push([before], settings, source=cluster)
    table = ("sql_table", f"default.default.t1@{cluster}")
    guid = describe(client, *table, owner="ada", description="all orders")
    classify(client, guid, f"pii_{cluster}")
    process = describe(client, "sql_process", writer(before), owner="grace")
    classify(client, process, f"pii_{cluster}")

    # Once with everything written again, once with the process replaced.
    push([before], settings, source=cluster, verify=True)
    push([through_temporary("select t2.x as a, t2.y as b from t2", cluster)], settings, source="other")

    kept = client.one(guid)
    assert (kept["attributes"]["owner"], kept["attributes"]["description"]) == ("ada", "all orders")
    assert [each["typeName"] for each in kept["classifications"]] == [f"pii_{cluster}"]
    (found,) = client.read("sql_process", [writer(before)])
    assert found["guid"] != process
    replaced = client.one(found["guid"])
    assert replaced["attributes"]["owner"] == "grace"
    assert [each["typeName"] for each in replaced["classifications"]] == [f"pii_{cluster}"]
    assert sorted(replaced["attributes"]["sources"]) == sorted([cluster, "other"])


def test_prune_removes_what_the_source_lost_and_nothing_else(
    settings: AtlasSettings, client: AtlasClient, cluster: str
) -> None:
    def statements(*targets: str) -> Lineage:
        return analyze("".join(f"insert into {t} select a from s;\n" for t in targets), "snowflake", cluster=cluster)

    push([statements("o1", "o2", "both")], settings, source=f"{cluster}-a")
    push([statements("o3", "both")], settings, source=f"{cluster}-b")
    shown: list[Outdated] = []

    kept = push([statements("o1")], settings, source=f"{cluster}-a")
    assert not kept.changed
    pruned = push([statements("o1")], settings, source=f"{cluster}-a", prune_if=lambda o: not shown.append(o))

    assert len(shown[0].remove) == 1
    assert len(shown[0].release) == 1
    assert pruned.counts["sql_process"].removed == 1
    assert table_edges(client, "o1", cluster) == {("s", "o1")}
    assert table_edges(client, "o2", cluster) == set()
    assert table_edges(client, "o3", cluster) == {("s", "o3")}
    assert table_edges(client, "both", cluster) == {("s", "both")}
    again = push([statements("o1")], settings, source=f"{cluster}-a", prune_if=lambda o: not shown.append(o))
    assert len(shown) == 1
    assert not again.changed


def test_the_server_says_whom_a_process_belongs_to(settings: AtlasSettings, cluster: str, tmp_path: Path) -> None:
    """Pruning from another machine, whose ledger knows nothing."""
    both = analyze("insert into o1 select a from s; insert into o2 select a from s", "snowflake", cluster=cluster)
    one = analyze("insert into o1 select a from s", "snowflake", cluster=cluster)
    push([both], settings, source=cluster)
    elsewhere = settings.model_copy(update={"state": tmp_path / "elsewhere.db"})

    summary = push([one], elsewhere, source=cluster, prune_if=lambda outdated: True)

    assert summary.counts["sql_process"].removed == 1


def test_a_user_who_may_not_purge_is_told(settings: AtlasSettings, client: AtlasClient, cluster: str) -> None:
    steward = settings.model_copy(update={"user": atlas_server.STEWARD})
    push([through_temporary("select t1.x as a, t1.y as b from t1", cluster)], steward, source=cluster)

    summary = push([through_temporary("select t2.x as a, t2.y as b from t2", cluster)], steward, source=cluster)

    assert NO_PURGE in summary.notes
    assert not summary.failures
    assert ("t2", "o") in table_edges(client, "o", cluster)


def test_a_server_that_was_wiped_is_filled_again(settings: AtlasSettings, client: AtlasClient, cluster: str) -> None:
    lineage = analyze("insert into o (a) select x from t", dialect="snowflake", cluster=cluster)
    push([lineage], settings, source=cluster)
    guids = [entity["guid"] for entity in client.read("sql_instance", [cluster])]
    client.delete(guids)

    summary = push([lineage], settings, source=cluster)

    assert summary.total.created
    assert any("read again" in note for note in summary.notes)
    assert table_edges(client, "o", cluster) == {("t", "o")}


def test_what_the_server_refuses_is_found_and_put_aside(settings: AtlasSettings, cluster: str, tmp_path: Path) -> None:
    """Atlas refuses a whole request for one entity that it cannot take: here a process whose count is too large a number."""
    settings = settings.model_copy(update={"dead_letters": tmp_path / "dead.jsonl"})
    sql = "insert into o1 select a from s; merge into o2 using s on o2.a = s.a when matched then update set b = s.b"
    lineage = analyze(f"{sql}; insert into o3 select c from s", dialect="snowflake", cluster=cluster)
    merge = next(process for process in lineage.model.processes if process.type == "Merge")
    seen = {merge.identity: Seen(count=10**30)}

    summary = push([lineage], settings, source=cluster, seen=seen)

    name = Namer(lineage.model).process(merge)
    assert summary.failures[0].name == name
    assert "runCount" in summary.failures[0].reason
    assert summary.counts["sql_process"].created == 2
    letters = [json.loads(line) for line in settings.dead_letter_file.read_text().splitlines()]
    assert letters[0]["qualifiedName"] == name
    assert all("not sent, because" in letter["reason"] for letter in letters[1:])
    whole = push([lineage], settings, source=cluster)
    assert not whole.failures
    assert whole.counts["sql_process"].created == 1
    assert not settings.dead_letter_file.exists()
