"""What goes wrong between us and a server."""

from __future__ import annotations

import logging
from collections.abc import Callable
from pathlib import Path

import pytest
import responses
from fake_atlas import FakeAtlas, Request

from connector import Lineage, analyze
from connector.catalogs.atlas import AtlasSettings, push
from connector.catalogs.http import HttpClient, RefusedError
from connector.catalogs.settings import Backoff
from connector.errors import ConfigurationError, UnavailableError


@pytest.fixture
def lineage() -> Lineage:
    targets = "".join(f"insert into o{n} (a, b) select x, y from t{n};\n" for n in range(12))
    return analyze(targets, dialect="snowflake", cluster="c")


def once(times: int, matches: Callable[[Request], bool], fault: tuple[int, object] | None):
    """Fails the first requests that match, then lets everything pass."""
    left = [times]

    def decide(request: Request):
        if matches(request) and left[0]:
            left[0] -= 1
            return fault
        return "pass"

    return decide


def saves(request: Request) -> bool:
    return request.method == "POST" and request.path.endswith("/entity/bulk")


@pytest.mark.parametrize("fault", [(429, {}), (500, {}), (503, {}), (504, {}), None], ids=str)
def test_what_may_pass_is_tried_again(
    fault, fake: FakeAtlas, fake_settings: AtlasSettings, lineage, no_waiting
) -> None:
    fake.fault = once(2, saves, fault)
    summary = push([lineage], fake_settings, source="s")
    assert not summary.failures
    assert summary.total.created == len(fake.lineage)
    assert len(no_waiting) == 2


def test_a_server_that_stays_away_is_unavailable(fake: FakeAtlas, fake_settings, lineage, no_waiting) -> None:
    fake.fault = lambda request: (503, {}) if saves(request) else "pass"
    with pytest.raises(UnavailableError, match="returned 503 Service Unavailable"):
        push([lineage], fake_settings, source="s")
    fake.fault = lambda request: "pass"
    assert not push([lineage], fake_settings, source="s").failures


def test_a_dropped_run_is_completed_by_the_next(fake: FakeAtlas, fake_settings, lineage, no_waiting) -> None:
    settings = fake_settings.model_copy(update={"batch_entities": 5, "workers": 1, "attempts": 1})
    seen: list[Request] = []

    def cut(request: Request):
        seen.append(request)
        return None if saves(request) and sum(map(saves, seen)) > 6 else "pass"

    fake.fault = cut
    with pytest.raises(UnavailableError, match="did not respond"):
        push([lineage], settings, source="s")
    before = len(fake.lineage)
    assert before
    fake.fault = lambda request: "pass"

    summary = push([lineage], settings, source="s")

    assert summary.total.created == len(fake.lineage) - before
    assert summary.total.unchanged == before


def test_the_guilty_entity_is_found_and_the_others_are_written(
    fake: FakeAtlas, fake_settings, lineage, no_waiting, tmp_path: Path
) -> None:
    def refuse(request: Request):
        guilty = saves(request) and any(
            entity["attributes"]["qualifiedName"] == "default.default.t3@c" for entity in request.body["entities"]
        )
        return (400, {"errorCode": "ATLAS-400-00-01D", "errorMessage": "it is not wanted here"}) if guilty else "pass"

    fake.fault = refuse
    summary = push([lineage], fake_settings, source="s")

    reasons = {(failure.type, failure.name): failure.reason for failure in summary.failures}
    assert reasons[("sql_table", "default.default.t3@c")] == "400 ATLAS-400-00-01D: it is not wanted here"
    blocked = {kind for kind, _ in reasons}
    assert blocked == {"sql_table", "sql_column", "sql_process", "sql_column_lineage"}
    assert ("sql_table", "default.default.t4@c") in fake.entities
    assert ("sql_table", "default.default.o3@c") in fake.entities
    letters = fake_settings.dead_letter_file.read_text().splitlines()
    assert len(letters) == len(summary.failures)
    assert not no_waiting  # a refusal is not tried again

    fake.fault = lambda request: "pass"
    healed = push([lineage], fake_settings, source="s")
    assert healed.total.created == len(reasons)
    assert not fake_settings.dead_letter_file.exists()


def test_a_server_error_that_stays_is_pinned_to_its_entity(fake: FakeAtlas, fake_settings, lineage, no_waiting) -> None:
    def break_down(request: Request):
        hit = saves(request) and any("o7" in str(e["attributes"].get("name")) for e in request.body["entities"])
        return (500, {"errorMessage": "null pointer"}) if hit else "pass"

    fake.fault = break_down
    summary = push([lineage], fake_settings, source="s")
    assert ("sql_table", "default.default.o7@c") in {(each.type, each.name) for each in summary.failures}
    assert ("sql_table", "default.default.o8@c") in fake.entities


def test_a_run_without_changes_sends_nothing_and_reads_next_to_nothing(
    fake: FakeAtlas, fake_settings: AtlasSettings, lineage
) -> None:
    push([lineage], fake_settings, source="s")
    fake.requests.clear()
    summary = push([lineage], fake_settings, source="s")
    assert not summary.changed
    assert not fake.sent("POST", "")
    assert len(fake.requests) == 2  # the types, and a sample of what the ledger knows


def test_requests_are_bounded_by_count_and_bytes(fake: FakeAtlas, fake_settings: AtlasSettings, lineage) -> None:
    settings = fake_settings.model_copy(update={"batch_entities": 7, "batch_bytes": 3000})
    push([lineage], settings, source="s")
    bodies = [request.body["entities"] for request in fake.sent("POST", "/entity/bulk")]
    assert max(map(len, bodies)) <= 7
    assert max(len(str(body)) for body in bodies if len(body) > 1) < 4500


def test_connections_are_kept(fake: FakeAtlas, fake_settings: AtlasSettings, lineage) -> None:
    settings = fake_settings.model_copy(update={"batch_entities": 5})
    push([lineage], settings, source="s")
    assert all(request.headers.get("Connection", "keep-alive") == "keep-alive" for request in fake.requests)


def test_no_purge_right(fake: FakeAtlas, fake_settings: AtlasSettings) -> None:
    def through(name: str) -> Lineage:
        sql = f"create temporary table x as select a from {name}; insert into o (a) select a from x"
        return analyze(sql, dialect="snowflake", cluster="c")

    fake.purge_allowed = False
    push([through("t1")], fake_settings, source="s")
    summary = push([through("t2")], fake_settings, source="s")
    assert any("may not delete and purge" in note for note in summary.notes)
    assert not fake.sent("DELETE", "")


# --- addresses, credentials and answers that no Atlas gives ----------------------------------------------------------


@pytest.mark.parametrize(
    ("url", "said"),
    [
        ("atlas:21000", "must look like"),
        ("ftp://atlas", "must look like"),
        ("https://me:hunter2@atlas", "through the environment"),
    ],
)
def test_addresses(url: str, said: str) -> None:
    with pytest.raises(ConfigurationError, match=said) as caught:
        HttpClient(url, name="Atlas")
    assert "hunter2" not in str(caught.value)


@responses.activate
def test_answers(no_waiting) -> None:
    http = HttpClient("http://atlas:21000", name="Atlas", backoff=Backoff(attempts=2))
    where = "http://atlas:21000/x"
    responses.get(where, status=401)
    with pytest.raises(UnavailableError, match="rejected the user name or the password"):
        http.request("GET", "/x")
    responses.replace(responses.GET, where, status=302, headers={"Location": "https://login.corp/sso?back=1"})
    with pytest.raises(UnavailableError, match=r"redirects to https://login\.corp;"):
        http.request("GET", "/x")
    responses.replace(responses.GET, where, body="<html>", status=200)
    with pytest.raises(UnavailableError, match="is not Atlas"):
        http.request("GET", "/x")
    responses.replace(responses.GET, where, status=409, json={"errorCode": "ATLAS-409", "errorMessage": "twice"})
    with pytest.raises(RefusedError, match="409 ATLAS-409: twice"):
        http.request("GET", "/x")
    responses.replace(responses.GET, where, status=204)
    assert http.request("GET", "/x") is None
    http.close()


@responses.activate
def test_the_server_may_ask_for_a_longer_pause(no_waiting) -> None:
    responses.get("http://atlas:1/x", status=429, headers={"Retry-After": "7"})
    responses.get("http://atlas:1/x", json={})
    with HttpClient("http://atlas:1", name="Atlas") as http:
        http.request("GET", "/x")
    assert no_waiting == [7.0]


def test_pauses_grow_and_vary() -> None:
    pauses: list[float] = []
    backoff = Backoff(first=1, longest=5, sleep=pauses.append, share=lambda: 0.5)
    for failures in range(1, 6):
        backoff.wait(failures)
    backoff.wait(1, at_least=60)
    assert pauses == [0.5, 1, 2, 2.5, 2.5, 10]


def test_nobody_listens(tmp_path: Path, no_waiting, lineage) -> None:
    settings = AtlasSettings(url="http://127.0.0.1:9", user="u", state=tmp_path / "s.db", attempts=2)
    with pytest.raises(UnavailableError, match="did not respond: Connection refused"):
        push([lineage], settings, source="s")


def test_credentials(monkeypatch: pytest.MonkeyPatch, tmp_path: Path, fake: FakeAtlas, caplog) -> None:
    caplog.set_level(logging.DEBUG)
    token = tmp_path / "token"
    token.write_text("s3cr3t-token\n")
    with AtlasSettings(url=fake.url, token_file=token).connect() as client:
        client.typedefs()
    assert fake.requests[-1].headers["Authorization"] == "Bearer s3cr3t-token"
    monkeypatch.setenv("OTHER", "p4ss")
    settings = AtlasSettings(url=fake.url, user="ü", password_env="OTHER")
    with settings.connect() as client:
        client.typedefs()
    assert fake.requests[-1].headers["Authorization"].startswith("Basic ")
    with AtlasSettings(url=fake.url).connect() as client:
        client.typedefs()
    assert "Authorization" not in fake.requests[-1].headers
    assert "s3cr3t" not in caplog.text + repr(settings)
    assert "p4ss" not in caplog.text + repr(settings)
    monkeypatch.delenv("OTHER")
    with pytest.raises(ConfigurationError, match="set OTHER"):
        settings.connect()
    with pytest.raises(ConfigurationError, match="cannot read the token"):
        AtlasSettings(url=fake.url, token_file=tmp_path / "none").connect()
    with pytest.raises(ConfigurationError, match="CA file"):
        AtlasSettings(url=fake.url, ca_file=tmp_path / "none").connect()
    with pytest.raises(ConfigurationError, match="pip install 'requests-kerberos"):
        AtlasSettings(url=fake.url, auth="kerberos").connect()
