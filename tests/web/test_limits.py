"""Too large, too slow, too often, too much: each has its answer, and the next request is not harmed."""

from __future__ import annotations

import asyncio
import contextlib
import json
import socket
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

import pytest
from live_server import running_with
from starlette.requests import Request

from connector.web.analysing import Analyser
from connector.web.endpoints import unless_gone
from connector.web.layers import RateLimit
from connector.web.refusal import Refusal, refusal_response
from connector.web.settings import ServeSettings
from connector.web.work import Job

GOOD = {"sql": "create view v as select a from t"}
LONG = {"sql": "insert into t (a) select b from s where c = 1;\n" * 60_000}


def test_a_request_that_is_too_large(make_client):
    client = make_client(max_bytes=1000)
    assert client.post("/api/analyze", json=GOOD).status_code == 200
    answer = client.post("/api/analyze", json={"sql": "x" * 1000})
    assert answer.status_code == 413
    assert answer.json() == {
        "detail": "The request exceeds the limit of 1,000 bytes.",
        "code": "too_large",
    }
    assert client.post("/api/analyze", json=GOOD).status_code == 200


def test_a_request_that_does_not_say_how_large_it_is(make_client):
    client = make_client(max_bytes=1000)
    sent = []

    def endless() -> Iterator[bytes]:
        while len(sent) < 10_000:
            sent.append(None)
            yield b"x" * 100

    answer = client.post("/api/analyze", content=endless(), headers={"content-type": "application/json"})
    assert answer.status_code == 413


def test_a_length_that_is_a_lie(live):
    with socket.create_connection((live.host, live.port), timeout=20) as connection:
        head = f"POST /api/analyze HTTP/1.1\r\nHost: {live.host}:{live.port}\r\nContent-Length: 99999999999\r\n\r\n"
        connection.sendall(head.encode())
        assert connection.recv(65536).startswith(b"HTTP/1.1 413 ")


def test_an_analysis_that_takes_too_long(make_client):
    client = make_client(seconds=1.0)
    answer = client.post("/api/analyze", json=LONG)
    assert answer.status_code == 422
    assert answer.json() == {
        "detail": "The analysis was stopped after 1 seconds; try a part of the script.",
        "code": "timeout",
    }
    assert client.post("/api/export/json", json=LONG).json()["code"] == "timeout"
    assert client.post("/api/analyze", json=GOOD).status_code == 200


def test_an_analysis_that_takes_too_much_memory(make_client):
    client = make_client(memory_mb=60)
    answer = client.post("/api/analyze", json=LONG)
    assert answer.status_code == 422
    assert answer.json()["code"] == "memory"
    assert "60 MB" in answer.json()["detail"]
    assert client.post("/api/analyze", json=GOOD).status_code == 200


def test_nesting_without_end(client):
    for sql in ("select " + "(" * 200_000 + "1", "select " + "case when a then " * 100_000):
        answer = client.post("/api/analyze", json={"sql": sql})
        assert answer.status_code in (200, 422)
        if answer.status_code == 422:
            assert answer.json()["code"] in ("depth", "timeout", "memory", "crash")
        else:
            assert answer.json()["problems"]
    assert client.post("/api/analyze", json=GOOD).status_code == 200


def test_one_long_analysis_does_not_hold_up_the_rest(make_client, store_file):
    client = make_client(store=str(store_file), workers=2, seconds=5.0)
    assert client.post("/api/analyze", json=GOOD).status_code == 200
    with ThreadPoolExecutor(1) as elsewhere:
        long = elsewhere.submit(client.post, "/api/analyze", json=LONG)
        for _ in range(3):
            assert client.post("/api/analyze", json=GOOD).status_code == 200
            assert client.get("/api/objects").status_code == 200
        assert not long.done()
        assert long.result(30).status_code in (200, 422)


def test_a_queue_that_is_full():
    """Twelve at once for one worker: it takes one, eight wait, and the rest are told to come back."""

    async def ask() -> list[bytes | BaseException]:
        analyser = Analyser(ServeSettings(workers=1))
        try:
            return await asyncio.gather(*[analyser.run(Job(GOOD["sql"])) for _ in range(12)], return_exceptions=True)
        finally:
            await analyser.close()

    answers = asyncio.run(ask())
    assert [type(answer) for answer in answers] == [bytes] * 9 + [Refusal] * 3
    busy = answers[-1]
    assert isinstance(busy, Refusal)
    assert (busy.status, busy.code) == (503, "busy")
    assert int(refusal_response(busy).headers["retry-after"]) > 0


def test_a_client_that_asks_too_often(make_client):
    client = make_client(rate=8)
    codes = [client.post("/api/analyze", json=GOOD).status_code for _ in range(4)]
    assert codes == [200, 200, 429, 429]
    answer = client.post("/api/export/json", json=GOOD)
    assert answer.status_code == 429
    assert answer.json()["code"] == "rate"
    assert 1 <= int(answer.headers["retry-after"]) <= 8
    assert client.get("/api/info").status_code == 200


def test_permissions_come_back_with_time():
    now = [0.0]
    limit = RateLimit(60, 2, lambda: now[0])
    assert [limit.take("a") for _ in range(3)] == [0, 0, 1]
    assert limit.take("b") == 0
    now[0] = 0.5
    assert limit.take("a") == pytest.approx(0.5)
    now[0] = 1.0
    assert limit.take("a") == 0
    now[0] = 1000.0
    assert [limit.take("a") for _ in range(3)] == [0, 0, 1]


def test_slow_clients_are_cut():
    """One that says nothing, one that does not finish its first line, one that does not finish its body."""
    with running_with(head_seconds=0.5, body_seconds=1.0, workers=1) as server:
        place = (server.host, server.port)
        with (
            socket.create_connection(place, timeout=20) as silent,
            socket.create_connection(place, timeout=20) as half,
            socket.create_connection(place, timeout=20) as body,
        ):
            half.sendall(b"GET / HTTP/1.1\r\nHost: 127")
            body.sendall(b"POST /api/analyze HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 100\r\n\r\n{")
            for connection in (silent, half):
                with contextlib.suppress(ConnectionResetError):
                    assert connection.recv(1000) == b""
            assert body.recv(1000).startswith(b"HTTP/1.1 408 ")


def test_a_connection_may_be_used_again_after_a_pause():
    """Patience counts from the beginning of a request, not from the beginning of the connection."""
    ask = b"GET /healthz HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n"
    with (
        running_with(head_seconds=0.3, workers=1) as server,
        socket.create_connection((server.host, server.port), timeout=20) as connection,
    ):
        for _ in range(2):
            connection.settimeout(20)
            connection.sendall(ask)
            answer = b""
            while not answer.endswith(b'"ok"}'):
                part = connection.recv(4000)
                assert part
                answer += part
            connection.settimeout(0.6)
            with pytest.raises(TimeoutError):
                connection.recv(1)


def test_headers_without_end(live):
    with socket.create_connection((live.host, live.port), timeout=20) as connection:
        connection.sendall(b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\n")
        received = b""
        try:
            for _ in range(200):
                connection.sendall(b"X-Long: " + b"x" * 1000 + b"\r\n")
            received = connection.recv(1000)
        except (BrokenPipeError, ConnectionResetError):
            pass
        assert received == b"" or received.startswith(b"HTTP/1.1 4")


def test_answers_stay_json(client):
    assert json.loads(client.post("/api/analyze", json=GOOD).content)["version"] >= 1


def test_whoever_leaves_the_queue_makes_room():
    async def ask() -> None:
        analyser = Analyser(ServeSettings(workers=1))
        waiting = [asyncio.ensure_future(analyser.run(Job(LONG["sql"]))) for _ in range(9)]
        await asyncio.sleep(0)
        with pytest.raises(Refusal, match="Too many"):
            await analyser.run(Job(GOOD["sql"]))
        for each in waiting:
            each.cancel()
        await asyncio.gather(*waiting, return_exceptions=True)
        accepted = asyncio.ensure_future(analyser.run(Job(GOOD["sql"])))
        await asyncio.sleep(0)
        assert not accepted.done()
        accepted.cancel()
        await analyser.close()

    asyncio.run(ask())


def test_nobody_works_for_a_client_that_has_gone():
    ended = []

    async def work() -> bytes:
        try:
            await asyncio.sleep(3600)
        finally:
            ended.append("work")
        return b""

    async def hang_up() -> dict[str, str]:
        return {"type": "http.disconnect"}

    async def ask() -> None:
        with pytest.raises(Refusal, match="closed the connection"):
            await unless_gone(Request({"type": "http"}, hang_up), work())
        await asyncio.sleep(0)

    asyncio.run(ask())
    assert ended == ["work"]
