"""The lineage view: a second copy of the edges, in the search index, that has to show what the server stores."""

from __future__ import annotations

import threading
from typing import Any

import pytest
from catalog import Catalog
from rest import Rest
from sending import read, send
from server import PERSON, OpenMetadataServer
from shop import DAILY, MAILS, ORDERS, SCRIPT, SERVICE, add_tables, named

from connector.catalogs.openmetadata import OpenMetadataSettings, push

SOURCES, TARGETS = 30, 4


def add_many(catalog: Catalog) -> None:
    for number in range(SOURCES):
        catalog.table(SERVICE, "shop", "raw", f"s{number}", ["a", "b"])
    for number in range(TARGETS):
        catalog.table(SERVICE, "shop", "mart", f"t{number}", ["x", "y"])


def script(function: str, sources: int = SOURCES) -> str:
    """Every source into every target."""
    return ";\n".join(
        f"insert into mart.t{target} (x, y) select {function}(a), b from raw.s{source}"
        for target in range(TARGETS)
        for source in range(sources)
    )


def shown(catalog: Catalog, rest: Rest) -> set[tuple[str, str]]:
    """What getLineage answers, asked target by target."""
    found = set()
    for number in range(TARGETS):
        asked = {"fqn": named("mart", f"t{number}"), "type": "table", "upstreamDepth": 1, "downstreamDepth": 0}
        answer: dict[str, Any] = rest.get("lineage/getLineage", **asked).json()
        found |= {
            (edge["fromEntity"]["fullyQualifiedName"], edge["toEntity"]["fullyQualifiedName"])
            for edge in answer["upstreamEdges"].values()
        }
    return found


@pytest.mark.parametrize("workers", [1, 4, 16])
def test_shows_every_edge_after_every_run(
    workers: int,
    catalog: Catalog,
    rest: Rest,
    server: OpenMetadataServer,
    settings: OpenMetadataSettings,
    pauses: list[float],
) -> None:
    add_many(catalog)
    settings = settings.model_copy(update={"workers": workers})

    def run(sql: str) -> None:
        assert not send(sql, settings, prune_if=lambda outdated: True).failures
        assert shown(catalog, rest) == catalog.edges().keys() == set(catalog.shown())

    run(script("upper"))
    assert len(catalog.edges()) == SOURCES * TARGETS
    assert server.index.passed_over == []
    assert server.log.most_at_once <= workers

    server.log.clear()
    run(script("upper"))
    assert [str(each) for each in server.log.writes()] == []

    run(script("lower"))
    assert server.index.passed_over == []
    functions = {entry.get("function") for edge in catalog.edges().values() for entry in edge["columnsLineage"]}
    assert any("lower" in (function or "") for function in functions)
    assert not any("upper" in (function or "") for function in functions)

    run(script("lower", SOURCES // 3))
    assert len(catalog.edges()) == SOURCES // 3 * TARGETS
    assert server.index.passed_over, "deletions were lost, and mended"


def test_several_workers_are_used(catalog: Catalog, server: OpenMetadataServer, settings: OpenMetadataSettings) -> None:
    add_many(catalog)
    server.index.seconds = 0.05
    send(script("upper", 4), settings)
    assert 1 < server.log.most_at_once <= settings.workers


def test_the_server_loses_what_overlaps(server: OpenMetadataServer, catalog: Catalog) -> None:
    """What the lanes are for. Two requests with one target at once: the index shows one of them."""
    add_tables(catalog)
    server.index.seconds = 0.5
    target = {"id": catalog.find("table", MAILS)["id"], "type": "table"}
    requests = [{"id": catalog.find("table", name)["id"], "type": "table"} for name in (ORDERS, DAILY)]

    def put(source: dict[str, str]) -> None:
        with Rest(server.url, server.token()) as rest:
            assert rest.put("lineage", {"edge": {"fromEntity": source, "toEntity": target}}).status_code == 200

    threads = [threading.Thread(target=put, args=(source,)) for source in requests]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(catalog.edges()) == 2
    assert len(catalog.shown()) == len(server.index.passed_over) == 1


class TestVerify:
    def test_writes_again_what_the_view_lacks(
        self,
        catalog: Catalog,
        server: OpenMetadataServer,
        settings: OpenMetadataSettings,
        pauses: list[float],
    ) -> None:
        add_tables(catalog)
        send(SCRIPT, settings)
        before = catalog.edges()
        catalog.lose(ORDERS, DAILY)
        catalog.lose(ORDERS, MAILS)
        server.log.clear()
        assert not send(SCRIPT, settings).changed, "nobody has asked for the view"
        assert server.log.writes() == []
        summary = send(SCRIPT, settings, verify=True)
        assert catalog.shown() == before.keys()
        assert summary.counts["lineage view"].updated == 2
        assert not summary.failures
        for edge in (*before.values(), *(after := catalog.edges()).values()):
            edge.pop("updatedAt")
        assert after == before, "the edges are as they were"
        server.log.clear()
        send(SCRIPT, settings, verify=True)
        assert server.log.writes() == []

    def test_leaves_the_edges_of_others_alone(
        self, catalog: Catalog, server: OpenMetadataServer, settings: OpenMetadataSettings, pauses: list[float]
    ) -> None:
        add_tables(catalog)
        catalog.edge(catalog.find("table", DAILY), catalog.find("table", MAILS), {"description": "by hand"}, PERSON)
        send(SCRIPT, settings)
        catalog.lose(DAILY, MAILS)
        send(SCRIPT, settings, verify=True)
        assert (DAILY, MAILS) not in catalog.shown()

    def test_a_search_engine_that_is_down_is_a_note(
        self, catalog: Catalog, server: OpenMetadataServer, settings: OpenMetadataSettings, pauses: list[float]
    ) -> None:
        add_tables(catalog)
        send(SCRIPT, settings)
        server.search.down = True
        summary = send(SCRIPT, settings, verify=True)
        assert not summary.failures
        assert any("The lineage view could not be checked" in note for note in summary.notes)


def test_repair_mends_what_exists_whoever_wrote_it(
    catalog: Catalog, server: OpenMetadataServer, settings: OpenMetadataSettings, pauses: list[float]
) -> None:
    add_tables(catalog)
    theirs = {"description": "by hand", "source": "Manual", "columnsLineage": []}
    catalog.edge(catalog.find("table", DAILY), catalog.find("table", MAILS), theirs, PERSON)
    send(SCRIPT, settings)
    before = catalog.edges()
    for source, target in before:
        catalog.lose(source, target)
    ghost = (catalog.find("table", MAILS)["id"], catalog.find("table", DAILY)["id"])
    server.index.settle([(ghost, {"columnsLineage": []})])
    assert (MAILS, DAILY) in catalog.shown()
    summary = push([read("select 1")], settings.model_copy(update={"repair": True}), source="nobody")
    assert catalog.shown() == before.keys()
    assert catalog.edges().keys() == before.keys()
    assert catalog.edges()[DAILY, MAILS]["description"] == "by hand"
    assert summary.counts["lineage view"].updated == len(before) + 1
    assert summary.counts["lineage view"].updated == summary.total.updated
