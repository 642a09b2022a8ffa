"""What the ingestion package itself does, as far as our source has to live with it."""

from __future__ import annotations

import json
from typing import Any

import pytest
from catalog import Catalog
from server import OpenMetadataServer
from workflow import Run, Workflow

Entity = dict[str, Any]


@pytest.fixture
def tables(catalog: Catalog) -> list[Entity]:
    return [catalog.table("warehouse", "db", "s", f"t{number}", ["a"]) for number in range(21)]


def edges(tables: list[Entity], number: int) -> list[Any]:
    return [
        {
            "edge": {
                "fromEntity": {"id": tables[0]["id"], "type": "table"},
                "toEntity": {"id": table["id"], "type": "table"},
                "lineageDetails": {"source": "QueryLineage"},
            }
        }
        for table in tables[1 : number + 1]
    ]


def run(workflow: Workflow, lines: list[Any]) -> Run:
    file = workflow.folder / "lines.jsonl"
    file.write_text("".join(json.dumps(line) + "\n" for line in lines))
    workflow.source_class = "plain_source.PlainSource"
    workflow.options = {"file": str(file)}
    return workflow.run()


def test_a_failure_above_the_threshold_ends_with_zero(
    workflow: Workflow, tables: list[Entity], catalog: Catalog
) -> None:
    done = run(workflow, [*edges(tables, 20), {"error": "this one failed"}])
    assert done.code == 0, done.output
    assert "this one failed" in done.output
    assert len(catalog.edges()) == 20


def test_a_failure_below_the_threshold_ends_with_one(workflow: Workflow, tables: list[Entity]) -> None:
    assert run(workflow, [*edges(tables, 1), {"error": "this one failed"}]).code == 1


def test_a_threshold_of_a_hundred_makes_every_failure_count(workflow: Workflow, tables: list[Entity]) -> None:
    workflow.workflow_config = {"successThreshold": 100}
    assert run(workflow, [*edges(tables, 20), {"error": "this one failed"}]).code == 1


def test_the_command_itself_does_the_same(
    workflow: Workflow, tables: list[Entity], server: OpenMetadataServer, catalog: Catalog
) -> None:
    run(workflow, edges(tables, 1))
    forked = [(logged.method, logged.path, logged.status) for logged in server.log.all()]
    server.log.clear()
    catalog.remove_edges()
    assert workflow.run(fresh=True).code == 0
    assert [(logged.method, logged.path, logged.status) for logged in server.log.all()] == forked
