"""Lineage sent as OpenLineage events: once, completely, and again only when there is something new to say."""

from __future__ import annotations

import json
from datetime import datetime, timezone
from pathlib import Path
from typing import Any

import pytest
from collecting_service import Collector
from openlineage.client.event_v2 import InputDataset, Job, OutputDataset, Run, RunEvent, RunState
from openlineage.client.facet_v2 import column_lineage_dataset, sql_job
from openlineage.client.serde import Serde
from pydantic import ValidationError

from connector import Lineage, analyze
from connector.catalogs.catalog import Seen
from connector.catalogs.openlineage import OpenLineageCatalog, OpenLineageSettings, push
from connector.catalogs.openlineage.catalog import RunEvents
from connector.errors import ConfigurationError, UnavailableError

NOON = datetime(2026, 3, 1, 12, 0, tzinfo=timezone.utc)
SCRIPT = """
create view mart.v as select a, b from raw.t where c > 5;
insert into core.o (x, y) select a, sum(b) from raw.t where password = 'hunter2' group by a;
"""


@pytest.fixture(autouse=True)
def no_settings_of_the_machine(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    for name in ("OPENLINEAGE_URL", "OPENLINEAGE_ENDPOINT", "OPENLINEAGE_NAMESPACE", "OPENLINEAGE_API_KEY"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))


def lineage(sql: str = SCRIPT, cluster: str = "prod") -> Lineage:
    return analyze(sql, dialect="snowflake", default_database="dwh", cluster=cluster)


def names(events: list[dict[str, Any]]) -> set[str]:
    return {event["job"]["name"] for event in events}


def test_every_statement_arrives_once(collector: Collector) -> None:
    settings = OpenLineageSettings(url=collector.url)
    summary = OpenLineageCatalog(settings, NOON).deliver([lineage()], source="s")
    assert (summary.total.created, summary.total.failed) == (2, 0)
    assert set(collector.paths) == {"/api/v1/lineage"}
    assert len(names(collector.events)) == 2
    again = push([lineage()], settings, source="s")
    assert (again.total.unchanged, again.changed, collector.requests) == (2, False, 2)


def test_only_what_changes_is_sent_again(collector: Collector) -> None:
    settings = OpenLineageSettings(url=collector.url)
    push([lineage()], settings, source="s")
    metadata = {"dwh.raw.t": ["a", "b", "c", "password"]}
    more = analyze(
        SCRIPT.replace("select a, b", "select *"),
        dialect="snowflake",
        default_database="dwh",
        cluster="prod",
        metadata=metadata,
    )
    summary = push([more], settings, source="s")
    assert (summary.total.created, summary.total.unchanged) == (1, 1)
    assert collector.requests == 3


def test_the_events_are_those_of_the_clients_own_types(collector: Collector) -> None:
    OpenLineageCatalog(OpenLineageSettings(url=collector.url), NOON).deliver([lineage()], source="s")
    for event in collector.events:
        assert plain(json.loads(Serde.to_json(rebuilt(event)))) == plain(event)
        assert event["eventTime"] == "2026-03-01T12:00:00.000Z"


def rebuilt(event: dict[str, Any]) -> RunEvent:
    """The event made with the client's classes, which check what they are given."""

    def fields(given: list[dict[str, Any]]) -> list[column_lineage_dataset.InputField]:
        return [
            column_lineage_dataset.InputField(
                one["namespace"],
                one["name"],
                one["field"],
                [column_lineage_dataset.Transformation(**way) for way in one["transformations"]],
            )
            for one in given
        ]

    outputs = []
    for output in event["outputs"]:
        facet = output["facets"]["columnLineage"]
        made = column_lineage_dataset.ColumnLineageDatasetFacet(
            fields={
                name: column_lineage_dataset.Fields(inputFields=fields(field["inputFields"]))
                for name, field in facet["fields"].items()
            },
            dataset=fields(facet.get("dataset", [])),
            producer=facet["_producer"],
        )
        outputs.append(OutputDataset(output["namespace"], output["name"], facets={"columnLineage": made}))
    job = event["job"]
    facets: dict[str, Any] = {
        "jobType": job["facets"]["jobType"],
        "sql": sql_job.SQLJobFacet(job["facets"]["sql"]["query"], producer=event["producer"]),
    }
    return RunEvent(
        eventTime=event["eventTime"],
        run=Run(event["run"]["runId"]),
        job=Job(job["namespace"], job["name"], facets=facets),
        eventType=RunState[event["eventType"]],
        inputs=[InputDataset(one["namespace"], one["name"]) for one in event["inputs"]],
        outputs=outputs,
        producer=event["producer"],
    )


def plain(value: Any) -> Any:
    """Without what the client adds empty, and without the versions of schemas, which are the client's own."""
    if isinstance(value, list):
        return [plain(each) for each in value]
    if not isinstance(value, dict):
        return value
    left_out = ("inputFacets", "outputFacets", "tags", "_schemaURL", "schemaURL")
    return {key: plain(inner) for key, inner in value.items() if key not in left_out}


def test_no_literal_and_no_key_leaves_the_machine(
    collector: Collector, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("OPENLINEAGE_API_KEY", "secret-key")
    settings = OpenLineageSettings(url=collector.url)
    push([lineage()], settings, source="s")
    assert set(collector.keys) == {"Bearer secret-key"}
    sent = json.dumps(collector.events)
    assert "hunter2" not in sent
    assert "secret-key" not in sent
    assert "secret-key" not in repr(settings)
    assert any("password = ?" in event["job"]["facets"]["sql"]["query"] for event in collector.events)
    push([lineage()], OpenLineageSettings(url=collector.url, query="none", state=tmp_path / "x.db"), source="s")
    assert "sql" not in collector.events[-1]["job"]["facets"]


def test_the_key_may_stand_in_a_file(collector: Collector, tmp_path: Path) -> None:
    file = tmp_path / "key"
    file.write_text("from-file\n")
    push([lineage()], OpenLineageSettings(url=collector.url, api_key_file=file), source="s")
    assert set(collector.keys) == {"Bearer from-file"}
    with pytest.raises(ConfigurationError, match="cannot read the key"):
        push([lineage()], OpenLineageSettings(url=collector.url, api_key_file=tmp_path / "none"), source="s")


def test_a_statement_of_several_models_is_one_event_whatever_their_order(collector: Collector, tmp_path: Path) -> None:
    sql = "insert into o (x) select a from t join u using (id)"
    one = analyze(sql, dialect="snowflake", metadata={"t": ["id", "a"], "u": ["id"]})
    other = analyze(sql, dialect="snowflake", metadata={"t": ["id"], "u": ["id", "a"]})
    for number, models in enumerate(([one, other], [other, one])):
        settings = OpenLineageSettings(url=collector.url, state=tmp_path / f"{number}.db")
        OpenLineageCatalog(settings, NOON).deliver(models, source="s")
    first, second = collector.events
    assert first == second
    fields = first["outputs"][0]["facets"]["columnLineage"]["fields"]["x"]["inputFields"]
    assert {field["name"] for field in fields} == {"default.default.t", "default.default.u"}


def test_the_time_is_that_of_the_log(collector: Collector) -> None:
    found = lineage("insert into core.o (x) select a from raw.t")
    (process,) = found.model.processes
    last = datetime(2026, 2, 1, 8, 30, tzinfo=timezone.utc)
    push([found], OpenLineageSettings(url=collector.url), source="s", seen={process.identity: Seen(last=last)})
    assert collector.events[0]["eventTime"] == "2026-02-01T08:30:00.000Z"


def test_a_passing_fault_is_overcome(collector: Collector) -> None:
    seen: list[str] = []

    def fault(event: dict[str, Any]) -> int | None:
        name = event["job"]["name"]
        seen.append(name)
        return 503 if seen.count(name) == 1 else None

    collector.fault = fault
    summary = push([lineage()], OpenLineageSettings(url=collector.url), source="s")
    assert (summary.total.created, collector.requests) == (2, 4)


def test_what_is_refused_is_listed_and_sent_again_next_time(collector: Collector) -> None:
    settings = OpenLineageSettings(url=collector.url)
    collector.fault = lambda event: 422 if "sum" in event["job"]["facets"]["sql"]["query"] else None
    summary = push([lineage()], settings, source="s")
    assert (summary.total.created, summary.total.failed) == (1, 1)
    assert summary.failures[0].reason == "422: as told"
    (letter,) = settings.dead_letter_file.read_text().splitlines()
    assert json.loads(letter)["entity"]["eventType"] == "COMPLETE"
    collector.fault = lambda event: None
    assert push([lineage()], settings, source="s").total.created == 1


@pytest.mark.parametrize(
    ("status", "said"),
    [(401, "rejected a request without a key"), (404, "rejected the event"), (403, "rejected the event")],
)
def test_a_service_that_is_none_or_wants_a_key(collector: Collector, status: int, said: str) -> None:
    collector.fault = lambda event: status
    with pytest.raises(UnavailableError, match=said):
        push([lineage()], OpenLineageSettings(url=collector.url), source="s")


def test_a_service_that_is_not_there() -> None:
    with pytest.raises(UnavailableError, match="did not respond"):
        push([lineage()], OpenLineageSettings(url="http://127.0.0.1:9", attempts=1), source="s")


def test_a_file_gets_every_event_once(tmp_path: Path) -> None:
    file = tmp_path / "out" / "events.jsonl"
    settings = OpenLineageSettings(file=file)
    OpenLineageCatalog(settings, NOON).deliver([lineage()], source="s")
    before = file.read_bytes()
    assert len(before.splitlines()) == 2
    push([lineage()], settings, source="s")
    assert file.read_bytes() == before


def test_a_killed_run_leaves_no_half_line_and_no_event_twice(tmp_path: Path) -> None:
    file = tmp_path / "events.jsonl"
    OpenLineageCatalog(OpenLineageSettings(file=file, state=tmp_path / "a.db"), NOON).deliver([lineage()], source="s")
    whole = file.read_bytes()
    first, second = whole.splitlines(keepends=True)
    file.write_bytes(first + second[:50])
    OpenLineageCatalog(OpenLineageSettings(file=file, state=tmp_path / "b.db"), NOON).deliver([lineage()], source="s")
    assert file.read_bytes() == whole


def test_a_file_that_was_taken_away_starts_anew_with_what_is_new(tmp_path: Path) -> None:
    file = tmp_path / "events.jsonl"
    settings = OpenLineageSettings(file=file)
    push([lineage()], settings, source="s")
    file.unlink()
    push([lineage(), lineage("insert into core.p (x) select a from raw.t")], settings, source="s")
    assert len(file.read_text().splitlines()) == 1


def test_the_run_itself(collector: Collector, tmp_path: Path) -> None:
    run_id = "6f4a3c1e-0000-4000-8000-000000000001"
    told = RunEvents(OpenLineageSettings(url=collector.url), job="nightly", run_id=run_id)
    told.tell("START", NOON)
    told.tell("FAIL", NOON, "no store")
    start, end = collector.events
    assert (start["eventType"], end["eventType"]) == ("START", "FAIL")
    assert {event["run"]["runId"] for event in (start, end)} == {run_id}
    assert end["run"]["facets"]["errorMessage"]["message"] == "no store"
    assert start["job"]["namespace"] == "lineage-connector"
    file = tmp_path / "e.jsonl"
    told = RunEvents(OpenLineageSettings(file=file), job="nightly", run_id=run_id)
    told.tell("START", NOON)
    told.tell("COMPLETE", NOON)
    assert [json.loads(line)["eventType"] for line in file.read_text().splitlines()] == ["START", "COMPLETE"]


def test_settings_name_one_place(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    for wrong in ({}, {"url": "http://x", "file": "y"}):
        with pytest.raises(ValidationError, match="set the url of a service"):
            OpenLineageSettings.model_validate(wrong)
    monkeypatch.setenv("OPENLINEAGE_URL", "http://marquez:5000")
    monkeypatch.setenv("OPENLINEAGE_NAMESPACE", "ours")
    assert OpenLineageSettings().place == "http://marquez:5000"
    assert OpenLineageSettings().namespace == "ours"
    assert OpenLineageSettings(file=tmp_path / "f").url is None
