"""`metadata ingest -c workflow.yaml` with our source: the installed command, in a process of its own."""

from __future__ import annotations

import pytest
from catalog import Catalog
from expected import expected_edges
from sending import entries, read
from server import OpenMetadataServer
from shop import COUNTRIES, DAILY, MAILS, ORDERS, SCRIPT, SERVICE, add_tables
from workflow import Run, Workflow


def told(run: Run) -> str:
    """The output on one line each, with what the logger broke put together."""
    return " ".join(run.output.split())


def test_first_second_and_changed_run(workflow: Workflow, catalog: Catalog, server: OpenMetadataServer) -> None:
    add_tables(catalog)
    workflow.write_job(SCRIPT)
    first = workflow.run(fresh=True)
    assert first.code == 0, first.output
    assert catalog.mappings() == expected_edges(read(SCRIPT), SERVICE)
    for ends in catalog.mappings():
        assert " -> ".join(ends) in told(first) or all(end in told(first) for end in ends)

    before = catalog.edges()
    server.log.clear()
    second = workflow.run(fresh=True)
    assert second.code == 0, second.output
    assert list(map(str, server.log.writes())) == []
    assert catalog.edges() == before

    changed = SCRIPT.replace("id, lower(email)", "day, trim(email)")
    workflow.write_job(changed)
    third = workflow.run(fresh=True)
    assert third.code == 0, third.output
    assert catalog.mappings() == expected_edges(read(changed), SERVICE)
    columns = entries(catalog.edges()[ORDERS, MAILS])
    assert columns["id"] == (["day"], None)
    assert "trim(email)" in str(columns["mail"][1])
    assert catalog.edges()[ORDERS, DAILY] == before[ORDERS, DAILY]


def test_a_server_that_is_down(workflow: Workflow, server: OpenMetadataServer) -> None:
    workflow.write_job(SCRIPT)
    server.stop()
    run = workflow.run(fresh=True)
    assert run.code != 0
    assert "Traceback" not in run.stdout


def test_a_wrong_token(workflow: Workflow, catalog: Catalog, server: OpenMetadataServer) -> None:
    add_tables(catalog)
    workflow.write_job(SCRIPT)
    workflow.token = server.token()[:-6] + "AAAAAA"
    run = workflow.run(fresh=True)
    assert run.code != 0
    assert "token" in told(run)
    assert workflow.token not in run.output
    assert catalog.edges() == {}
    assert server.log.writes() == []


def test_a_server_of_another_version(workflow: Workflow, catalog: Catalog, server: OpenMetadataServer) -> None:
    add_tables(catalog)
    workflow.write_job(SCRIPT)
    server.version = "1.9.3"
    run = workflow.run(fresh=True)
    assert run.code != 0
    assert "1.9.3" in run.output
    assert catalog.edges() == {}


def test_a_missing_table(workflow: Workflow, catalog: Catalog) -> None:
    add_tables(catalog)
    catalog.delete(catalog.find("table", COUNTRIES))
    workflow.write_job(SCRIPT)
    run = workflow.run(fresh=True)
    assert run.code != 0
    assert f"{COUNTRIES} -> {DAILY}" in told(run)
    assert catalog.mappings().keys() == {(ORDERS, DAILY), (ORDERS, MAILS)}


@pytest.mark.parametrize("written", [True, False], ids=["written", "not written"])
def test_a_500_in_the_middle(workflow: Workflow, catalog: Catalog, server: OpenMetadataServer, written: bool) -> None:
    add_tables(catalog)
    workflow.write_job(SCRIPT)
    server.faults.answer(500, skip=1, after_writing=written)
    run = workflow.run(fresh=written)
    assert run.code == 0, run.output
    assert catalog.mappings() == expected_edges(read(SCRIPT), SERVICE)
