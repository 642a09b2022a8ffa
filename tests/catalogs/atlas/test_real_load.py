"""Loads into a real Atlas, read back through its own lineage answers."""

from __future__ import annotations

import json
from collections.abc import Iterator
from datetime import datetime, timezone
from pathlib import Path

import pytest
import yaml
from atlas_reading import atlas_edges, planned_edges
from planted import SCRIPT, leaks

from connector import Lineage, analyze
from connector.catalogs.atlas import AtlasSettings, push
from connector.catalogs.atlas.client import AtlasClient
from connector.catalogs.atlas.plan import Plan
from connector.catalogs.atlas.sending import Letter
from connector.catalogs.atlas.statements import make_plan
from connector.catalogs.atlas.validation import checked_mapping
from connector.catalogs.catalog import Seen
from connector.common.resources import resource_folder
from connector.naming import Namer

SCRIPTS = sorted((Path(__file__).parent / "scripts").glob("*.sql"))
SAMPLES = sorted((Path(__file__).parents[2] / "analysis" / "reference").glob("*.sql"))


def read(file: Path, cluster: str) -> Lineage:
    """`name.dialect.sql`, on a cluster of its own."""
    return analyze(file.read_text(), dialect=file.suffixes[-2][1:], cluster=cluster)


def model_edges(lineage: Lineage, level: str) -> set[tuple[str, str, str]]:
    """The edges of a level: source, process and target, without what stands for an unknown table."""
    namer = Namer(lineage.model)
    names = {str(process.id): namer.process(process) for process in lineage.model.processes}
    return {
        (edge["source"]["qualifiedName"], names[edge["processId"]], edge["target"]["qualifiedName"])
        for edge in lineage.to_dict(level=level)["relations"]
        if edge["type"] in ("fdd", "fdr") and edge["source"]["table"] != "pseudo_table_include_orphan_column"
    }


def bare(edges: set[tuple[str, str, str]]) -> set[tuple[str, str, str]]:
    """Edges with the name of the statement alone: a column's process and a part of a statement carry more."""
    return {(source, process.partition("@")[0], target) for source, process, target in edges}


@pytest.fixture
def with_rows(tmp_path: Path) -> str:
    """The default mapping, with row columns, so that the whole model is written."""
    mapping = yaml.safe_load((resource_folder("mappings") / "default.yaml").read_text())
    mapping["row_columns"] = True
    file = tmp_path / "with_rows.yaml"
    file.write_text(yaml.safe_dump(mapping))
    return str(file)


def datasets(plan: Plan) -> list[tuple[str, str]]:
    return [entity.key for entity in plan.entities.values() if entity.kind in ("table", "view", "path", "stage")]


def columns(plan: Plan) -> list[tuple[str, str]]:
    return [entity.key for entity in plan.entities.values() if entity.kind == "column"]


def groups(cluster: str) -> Iterator[tuple[str, list[Lineage]]]:
    yield "reference", [read(file, f"{cluster}s{number}") for number, file in enumerate(SAMPLES)]
    for number, file in enumerate(SCRIPTS):
        yield file.name, [read(file, f"{cluster}f{number}")]


@pytest.mark.parametrize("group", ["reference", *[file.name for file in SCRIPTS]])
def test_lineage_in_atlas_is_the_model_edge_by_edge(
    group: str, settings: AtlasSettings, client: AtlasClient, cluster: str, with_rows: str
) -> None:
    lineages = dict(groups(cluster))[group]
    settings = settings.model_copy(update={"mapping": with_rows})

    summary = push(lineages, settings, source=cluster)

    assert not summary.failures
    assert not summary.missing
    plan = make_plan(lineages, checked_mapping(with_rows).mapping, cluster)
    tables = set().union(*(model_edges(lineage, "table") for lineage in lineages))
    wanted = set().union(*(model_edges(lineage, "column") for lineage in lineages))
    assert tables
    for direction in ("INPUT", "OUTPUT"):
        assert bare(atlas_edges(client, datasets(plan), direction)) == bare(tables)
        assert bare(atlas_edges(client, columns(plan), direction)) == bare(wanted)


def test_scripts_cover_every_kind_of_path_and_routine() -> None:
    models = [read(file, "c").model for file in (*SCRIPTS, *SAMPLES)]
    schemes = {entity.sub_type for model in models for entity in model.entities if entity.kind == "path"}
    assert {"hdfs", "s3", "gs", "abfs", "file"} <= schemes
    assert any(entity.kind == "stage" for model in models for entity in model.entities)
    kinds = {procedure.type for model in models for procedure in model.procedures}
    assert {"createprocedure", "createfunction", "createtrigger", "createpackage"} <= kinds


def test_second_load_changes_nothing(settings: AtlasSettings, client: AtlasClient, cluster: str) -> None:
    lineage = read(SCRIPTS[-1], cluster)
    first = push([lineage], settings, source=cluster)
    assert first.total.created > 50

    second = push([lineage], settings, source=cluster)
    read_again = push([lineage], settings, source=cluster, verify=True)

    for summary in (second, read_again):
        assert not summary.changed
        assert summary.total.unchanged == first.total.created
    # And in the server's own words: everything once more, whether we know it or not.
    plan = make_plan([lineage], checked_mapping("default").mapping, cluster)
    letters = [Letter(entity).document(f"-{number}") for number, entity in enumerate(plan.entities.values(), start=1)]
    for start in range(0, len(letters), 50):
        assert not client.save(letters[start : start + 50]).get("mutatedEntities")


def test_a_load_elsewhere_does_not_need_the_ledger(settings: AtlasSettings, cluster: str, tmp_path: Path) -> None:
    lineage = analyze("insert into o (a) select x from t where y > 1", dialect="snowflake", cluster=cluster)
    push([lineage], settings, source=cluster)

    summary = push([lineage], settings.model_copy(update={"state": tmp_path / "other.db"}), source=cluster)

    assert not summary.changed


def test_attributes_of_a_process(settings: AtlasSettings, client: AtlasClient, cluster: str) -> None:
    sql = "insert into o (a) select x from t where note = 'secret' and z > 1"
    lineage = analyze(sql, dialect="snowflake", cluster=cluster)
    process = lineage.model.processes[0]
    day = datetime(2024, 5, 17, tzinfo=timezone.utc)
    seen = {process.identity: Seen(day, day.replace(day=18), 7)}

    push([lineage], settings, source="nightly", seen=seen)

    (entity,) = client.read("sql_process", [Namer(lineage.model).process(process)])
    attributes = entity["attributes"]
    assert attributes["queryHashId"] == process.identity
    assert attributes["procedureName"] == "batchQueries"
    assert "secret" not in json.dumps(entity)
    assert attributes["queryText"].startswith("insert into o (a) select x")
    assert (attributes["processType"], attributes["dialect"]) == ("Insert", "snowflake")
    assert attributes["relationTypes"] == ["fdd"]
    assert (attributes["firstSeen"], attributes["lastSeen"], attributes["runCount"]) == (
        1715904000000,
        1715990400000,
        7,
    )
    assert attributes["sources"] == ["nightly"]
    assert attributes["coordinates"] == f"[1,1,0],[1,{len(sql) + 1},0]"


def test_no_literal_and_no_secret_reaches_the_server(
    settings: AtlasSettings, client: AtlasClient, cluster: str
) -> None:
    """Columns whose names contain literals are written under masked names, and lineage connects them."""
    lineage = analyze(SCRIPT, dialect="snowflake", cluster=cluster)

    summary = push([lineage], settings, source=cluster)

    assert not summary.failures
    plan = make_plan([lineage], checked_mapping("default").mapping, cluster)
    by_type: dict[str, list[str]] = {}
    for type_name, name in [entity.key for entity in plan.entities.values()]:
        by_type.setdefault(type_name, []).append(name)
    written = [entity for type_name, names in by_type.items() for entity in client.read(type_name, names)]
    assert len(written) == len(plan.entities)
    assert leaks(json.dumps(written)) == []
    wanted = planned_edges(plan, "column_lineage")
    assert any("?" in target for _, _, target in wanted), "names were masked"
    assert atlas_edges(client, columns(plan), "INPUT") == wanted
    assert not push([lineage], settings, source=cluster, verify=True).changed


def test_rdbms_types(settings: AtlasSettings, client: AtlasClient, cluster: str) -> None:
    sql = "create view v as select a, b from s.t; copy into 's3://bucket/out/' from s.t"
    lineage = analyze(sql, dialect="snowflake", cluster=cluster)

    summary = push([lineage], settings.model_copy(update={"mapping": "rdbms"}), source=cluster)

    assert not summary.failures
    table, view = ("rdbms_table", f"default.s.t@{cluster}"), ("rdbms_table", f"default.default.v@{cluster}")
    edges = {(source, target) for source, _, target in atlas_edges(client, [table], "OUTPUT")}
    assert edges == {(table[1], view[1]), (table[1], f"s3://bucket/out/@{cluster}")}
    edges = {(s, t) for s, _, t in atlas_edges(client, [("rdbms_column", f"default.s.t.a@{cluster}")], "OUTPUT")}
    assert edges == {(f"default.s.t.a@{cluster}", f"default.default.v.a@{cluster}")}
