"""How edges are brought to what they should be by a server that does not always do what it says."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from copy import deepcopy
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import pytest

from connector.catalogs.http import RefusedError
from connector.catalogs.ledger import Ledger
from connector.catalogs.openmetadata.client import OpenMetadataClient
from connector.catalogs.openmetadata.details import Contribution, TextLimits
from connector.catalogs.openmetadata.lookup import Found
from connector.catalogs.openmetadata.writing import EdgeWriter, Outcome, ResolvedEdge
from connector.catalogs.settings import Backoff
from connector.common.progress import NoProgress
from connector.errors import UnavailableError

Ids = tuple[str, str]


class Server:
    """Keeps edges, and does what `on_put` says instead where that is set."""

    def __init__(self) -> None:
        self.edges: dict[Ids, dict[str, Any]] = {}
        self.puts: list[Ids] = []
        self.gets = 0
        self.on_put: Callable[[Ids, dict[str, Any]], None] = self.store
        self.http = SimpleNamespace(backoff=Backoff(attempts=3, sleep=lambda _: None))

    def store(self, ids: Ids, details: dict[str, Any]) -> None:
        self.edges[ids] = deepcopy(details)

    def edge(self, source: str, target: str) -> dict[str, Any] | None:
        self.gets += 1
        return deepcopy(self.edges.get((source, target)))

    def put_edge(self, source: dict[str, Any], target: dict[str, Any], details: dict[str, Any]) -> None:
        ids = (source["id"], target["id"])
        self.puts.append(ids)
        self.on_put(ids, details)


def edge(number: int, function: str = "f") -> ResolvedEdge:
    source, target = (
        Found("table", {"id": f"{end}{number}", "fullyQualifiedName": f"s.d.s.{end}{number}"}) for end in "ab"
    )
    columns = [{"fromColumns": [f"{source.fqn}.x"], "toColumn": f"{target.fqn}.y", "function": function}]
    return ResolvedEdge(source, target, Contribution("nightly", "QueryLineage", columns, {"0" * 32: "insert"}))


@pytest.fixture
def write(tmp_path: Path) -> Iterator[Callable[..., list[Outcome]]]:
    with ThreadPoolExecutor(2) as pool, Ledger(tmp_path / "ledger.db", "http://om") as ledger:

        def run(
            server: Server, edges: list[ResolvedEdge], into: list[Outcome] | None = None, *, verify: bool = True
        ) -> list[Outcome]:
            client = cast(OpenMetadataClient, server)
            writer = EdgeWriter(client, ledger, "nightly", pool, TextLimits(), NoProgress())
            found: list[Outcome] = [] if into is None else into
            for outcome in writer.write_all(edges, verify=verify):
                found.append(outcome)  # noqa: PERF402  what was told before an error counts
            return found

        yield run


Write = Callable[..., list[Outcome]]


def verdicts(outcomes: list[Outcome]) -> list[str]:
    return sorted(outcome.verdict for outcome in outcomes)


def test_first_second_and_changed_run(write: Write) -> None:
    server = Server()
    assert verdicts(write(server, [edge(1), edge(2)])) == ["created", "created"]
    assert verdicts(write(server, [edge(1), edge(2)])) == ["unchanged", "unchanged"]
    assert len(server.puts) == 2
    assert verdicts(write(server, [edge(1, "g"), edge(2)])) == ["unchanged", "updated"]
    assert server.edges["a1", "b1"]["columnsLineage"][0]["function"] == "g"


def test_a_500_after_writing_is_no_failure(write: Write) -> None:
    server = Server()

    def write_and_fail(ids: Ids, details: dict[str, Any]) -> None:
        server.store(ids, details)
        raise RefusedError(500, "", "the search engine is down")

    server.on_put = write_and_fail
    assert verdicts(write(server, [edge(1)])) == ["created"]
    assert len(server.puts) == 1


def test_a_500_without_writing_is_tried_again(write: Write) -> None:
    server = Server()

    def fail_once(ids: Ids, details: dict[str, Any]) -> None:
        server.on_put = server.store
        raise RefusedError(500, "", "once")

    server.on_put = fail_once
    assert verdicts(write(server, [edge(1)])) == ["created"]
    assert len(server.puts) == 2


def test_an_edge_that_is_refused_does_not_stop_the_others(write: Write) -> None:
    server = Server()

    def refuse_one(ids: Ids, details: dict[str, Any]) -> None:
        if ids == ("a2", "b2"):
            raise RefusedError(403, "", "operations [EditLineage] not allowed")
        server.store(ids, details)

    server.on_put = refuse_one
    outcomes = write(server, [edge(1), edge(2), edge(3)])
    assert verdicts(outcomes) == ["created", "created", "failed"]
    failed = next(outcome for outcome in outcomes if outcome.verdict == "failed")
    assert "EditLineage" in failed.reason
    assert failed.details is not None
    assert len(server.puts) == 3


def test_columns_that_are_dropped_silently_are_found_out(write: Write) -> None:
    server = Server()
    server.on_put = lambda ids, details: server.store(ids, {**details, "columnsLineage": []})
    (outcome,) = write(server, [edge(1)])
    assert outcome.verdict == "failed"
    assert "1 pairs of columns are missing, s.d.s.a1.x -> s.d.s.b1.y" in outcome.reason


def test_a_server_that_goes_away_ends_the_run_and_nothing_is_lost(write: Write) -> None:
    server = Server()

    def last_one(ids: Ids, details: dict[str, Any]) -> None:
        if len(server.edges) == 3:
            raise UnavailableError("OpenMetadata does not answer")
        server.store(ids, details)

    server.on_put = last_one
    told: list[Outcome] = []
    with pytest.raises(UnavailableError, match="does not answer"):
        write(server, [edge(number) for number in range(30)], told)
    assert verdicts(told) == ["created"] * 3
    assert len(server.puts) < 10
    server.on_put = server.store
    assert verdicts(write(server, [edge(number) for number in range(30)])) == ["created"] * 27 + ["unchanged"] * 3


def test_the_ledger_is_believed_only_when_asked_and_only_while_it_is_right(write: Write) -> None:
    server = Server()
    edges = [edge(number) for number in range(100)]
    write(server, edges)
    before = server.gets
    assert verdicts(write(server, edges, verify=False)) == ["unchanged"] * 100
    assert server.gets - before == 40
    server.edges.clear()  # another server at the same address
    assert verdicts(write(server, edges, verify=False)) == ["created"] * 100
    del server.edges["a77", "b77"]
    assert verdicts(write(server, edges, verify=True)) == ["created"] + ["unchanged"] * 99
