"""OpenLineage events, checked with the classes of the OpenLineage client."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hand_made import Builder, insert_with_cte
from openlineage.client.event_v2 import InputDataset, Job, OutputDataset, Run, RunEvent, RunState
from openlineage.client.facet_v2 import column_lineage_dataset, job_type_job
from openlineage.client.serde import Serde
from samples import SAMPLES, hiredate_view, insert_overwrite, where_clause

from connector.export import FORMATS, ExportOptions
from connector.export.as_openlineage import events
from connector.model import Model


def facet_of(event: dict[str, Any]) -> dict[str, Any]:
    facet: dict[str, Any] = event["outputs"][0]["facets"]["columnLineage"]
    return facet


def client_event(event: dict[str, Any]) -> RunEvent:
    """The event built with the client's own classes, which check what they are given."""
    outputs = []
    for output in event["outputs"]:
        facets: dict[str, Any] = {}
        if "columnLineage" in output["facets"]:
            given = output["facets"]["columnLineage"]
            facets["columnLineage"] = column_lineage_dataset.ColumnLineageDatasetFacet(
                fields={
                    name: column_lineage_dataset.Fields(inputFields=[input_field(one) for one in field["inputFields"]])
                    for name, field in given["fields"].items()
                },
                dataset=[input_field(one) for one in given.get("dataset", [])],
                producer=given["_producer"],
            )
        outputs.append(OutputDataset(output["namespace"], output["name"], facets=facets))
    job = event["job"]
    job_type = {key: value for key, value in job["facets"]["jobType"].items() if not key.startswith("_")}
    return RunEvent(
        eventTime=event["eventTime"],
        run=Run(event["run"]["runId"]),
        job=Job(
            job["namespace"],
            job["name"],
            facets={"jobType": job_type_job.JobTypeJobFacet(**job_type, producer=event["producer"])},
        ),
        eventType=RunState[event["eventType"]],
        inputs=[InputDataset(one["namespace"], one["name"]) for one in event["inputs"]],
        outputs=outputs,
        producer=event["producer"],
    )


def input_field(given: dict[str, Any]) -> column_lineage_dataset.InputField:
    ways = [column_lineage_dataset.Transformation(**way) for way in given["transformations"]]
    return column_lineage_dataset.InputField(given["namespace"], given["name"], given["field"], ways)


def without_empty(value: Any) -> Any:
    """The client leaves out what is empty."""
    if isinstance(value, dict):
        kept = {key: without_empty(item) for key, item in value.items()}
        return {key: item for key, item in kept.items() if item not in ({}, [], None)}
    if isinstance(value, list):
        return [without_empty(item) for item in value]
    return value


@pytest.mark.parametrize("sample", SAMPLES)
@pytest.mark.parametrize("top_select", [False, True])
def test_events_are_those_of_the_client(sample: str, top_select: bool) -> None:
    for event in events(SAMPLES[sample](), ExportOptions(top_select=top_select)):
        expected = json.loads(Serde.to_json(client_event(event)))
        assert without_empty(event) == without_empty(expected)


def test_one_event_stands_on_each_line() -> None:
    text = FORMATS["openlineage"].render(SAMPLES["rename_table"](), "column", ExportOptions())
    assert [json.loads(line)["outputs"][0]["name"] for line in text.splitlines()] == [
        "default.default.v1",
        "default.default.t3",
    ]


def ways(model: Model, target: str) -> dict[str, list[tuple[str, str | None]]]:
    (event,) = events(model, ExportOptions())
    facet = facet_of(event)
    found = facet["dataset"] if target == "rows" else facet["fields"][target]["inputFields"]
    return {one["field"]: [(way["type"], way.get("subtype")) for way in one["transformations"]] for one in found}


def test_direct_and_row_impact() -> None:
    model = insert_with_cte()
    assert ways(model, "y") == {"a": [("DIRECT", "IDENTITY")]}
    assert ways(model, "rows") == {"b": [("INDIRECT", "FILTER")]}


def test_functions_aggregates_windows_and_clauses() -> None:
    build = Builder()
    process = build.process("Create Table")
    build.entity("o")
    build.entity("t")
    for name, kind in (("F1", "function"), ("F2", "function"), ("RS", "select_list")):
        build.entity(name, "resultset", kind)
    build.relation("t.v", "F1.round", process, effect="function")
    build.relation("F1.round", "F2.SUM", process, effect="function")
    build.relation("t.g", "F2.SUM", process, "fdr", clause="partitionBy")
    build.relation("t.d", "F2.SUM", process, "fdr", clause="orderBy")
    build.relation("F2.SUM", "RS.total", process)
    build.relation("t.v", "RS.v", process)
    build.relation("t.a t.b", "RS.both", process)
    build.relation("t.rows", "F2.SUM", process, "fdr")
    build.relation("t.d", "RS.rows", process, "fdr", clause="orderBy")
    build.relation("t.k", "RS.rows", process, "fdr", clause="using")
    for column in ("total", "v", "both"):
        build.relation(f"RS.{column}", f"o.{column}", process, effect="create_table")
    build.relation("RS.rows", "o.rows", process, "fdr", effect="create_table")
    build.flow(process, "o", "t")
    assert ways(build.model, "total") == {
        "v": [("DIRECT", "AGGREGATION")],
        "g": [("INDIRECT", "WINDOW")],
        "d": [("INDIRECT", "WINDOW")],
    }
    assert ways(build.model, "v") == {"v": [("DIRECT", "IDENTITY")]}
    assert ways(build.model, "both") == {"a": [("DIRECT", "TRANSFORMATION")], "b": [("DIRECT", "TRANSFORMATION")]}
    assert ways(build.model, "rows") == {"d": [("INDIRECT", "SORT")], "k": [("INDIRECT", "JOIN")]}


def test_a_column_may_take_several_ways() -> None:
    build = Builder()
    process = build.process("Insert")
    build.entity("o")
    build.entity("t")
    build.entity("F", "resultset", "function")
    build.relation("t.a", "F.sum", process)
    build.relation("t.a", "F.sum", process, "fdr", clause="groupBy")
    build.relation("F.sum", "o.a", process)
    build.flow(process, "o", "t")
    assert ways(build.model, "a") == {"a": [("DIRECT", "AGGREGATION"), ("INDIRECT", "GROUP_BY")]}


def test_without_impact_only_direct_ways_are_left() -> None:
    (event,) = events(insert_with_cte(), ExportOptions(impact=False))
    assert "dataset" not in facet_of(event)


def test_paths_have_their_own_namespace() -> None:
    (event,) = events(insert_overwrite(), ExportOptions())
    assert event["outputs"][0]["namespace"] == "file"
    build = Builder()
    process = build.process("Copy")
    build.entity("p", "path", uri="s3://bucket/a/b.csv")
    build.entity("h", "path", uri="hdfs://node:8020/x")
    build.entity("t")
    build.flow(process, "t", "p h")
    (event,) = events(build.model, ExportOptions(namespace="warehouse"))
    assert [(one["namespace"], one["name"]) for one in event["inputs"] + event["outputs"]] == [
        ("s3://bucket", "a/b.csv"),
        ("hdfs://node:8020", "/x"),
        ("warehouse", "default.default.t"),
    ]


def test_a_statement_that_comes_back_is_one_job() -> None:
    build = Builder()
    build.entity("o")
    build.entity("t")
    for _ in range(2):
        build.flow(build.process("Insert", text="same"), "o", "t")
    assert len(events(build.model, ExportOptions())) == 1


def test_a_bare_select_is_an_event_when_asked() -> None:
    assert events(where_clause(), ExportOptions()) == []
    (event,) = events(where_clause(), ExportOptions(top_select=True))
    assert ([one["name"] for one in event["inputs"]], event["outputs"]) == (["default.scott.emp"], [])


def test_the_time_is_the_callers_and_decides_the_run() -> None:
    early, late = (events(hiredate_view(), ExportOptions(event_time=f"2024-01-0{day}T00:00:00Z"))[0] for day in (1, 2))
    assert early["eventTime"] == "2024-01-01T00:00:00Z"
    assert early["run"]["runId"] != late["run"]["runId"]
    assert early["job"] == late["job"]
