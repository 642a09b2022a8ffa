"""Who gets in, what a browser is told, and what never leaves the server."""

from __future__ import annotations

import json
import logging
import socket

import pytest
from planted import READ, SCRIPT, leaks

from connector import analyze
from connector.errors import ConfigurationError
from connector.store import Store
from connector.store.reading.details import Texts
from connector.web.access import SESSION_SECONDS, Token
from connector.web.layers import Clients
from connector.web.settings import ServeSettings

TOKEN = "a-token-that-nobody-guesses"


@pytest.fixture(scope="module")
def guarded(make_client, store_file):
    """A server that other machines can reach, and that has a token."""
    return make_client("http://lineage.example:8080", host="0.0.0.0", token=TOKEN, store=str(store_file))


def bearer(token: str) -> dict[str, str]:
    return {"authorization": f"Bearer {token}"}


# --- headers ----------------------------------------------------------------------------------------------------------

PATHS = ("/", "/api/info", "/api/objects", "/api/objects/nobody", "/nothing", "/healthz", "/api/openapi.json")


@pytest.mark.parametrize("path", PATHS)
def test_every_answer_is_closed(client, path):
    headers = client.get(path).headers
    policy = dict(part.strip().partition(" ")[::2] for part in headers["content-security-policy"].split(";"))
    assert policy["default-src"] == "'none'"
    assert policy["frame-ancestors"] == "'none'"
    assert policy["base-uri"] == "'none'"
    # Compiling the layout engine is all that is allowed beyond the page's own script; no text is ever evaluated.
    assert "unsafe" not in headers["content-security-policy"].replace("'wasm-unsafe-eval'", "")
    assert headers["x-content-type-options"] == "nosniff"
    assert headers["x-frame-options"] == "DENY"
    assert headers["referrer-policy"] == "no-referrer"
    assert headers["cache-control"] == "no-store"
    assert "access-control-allow-origin" not in headers
    assert "server" not in headers


def test_the_page_runs_only_its_own_scripts(client):
    answer = client.get("/")
    assert answer.status_code == 200
    assert answer.headers["content-type"].startswith("text/html")
    policy = dict(part.strip().partition(" ")[::2] for part in answer.headers["content-security-policy"].split(";"))
    assert policy["connect-src"] == "'self'"
    for source in policy["script-src"].split():
        assert source.startswith("'sha256-") or source == "'wasm-unsafe-eval'"


def test_a_page_that_is_downloaded_does_not_run_here(client):
    answer = client.post("/api/export/html", json={"sql": "select '</script><script>alert(1)</script>' from t"})
    assert answer.headers["content-disposition"].startswith("attachment")
    assert "sandbox" in answer.headers["content-security-policy"]
    assert "<script>alert(1)" not in answer.text


def test_markup_in_names_stays_data(client):
    for path in (
        "/api/objects?search=%3Cscript%3E",
        "/api/overview",
        "/api/lineage/both?name=%3Cscript%3Ealert(1)%3C/script%3E",
    ):
        answer = client.get(path)
        assert answer.status_code in (200, 404, 409)
        assert answer.headers["content-type"] == "application/json"
    assert "<script>" not in client.get("/").text.partition("application/json")[2].partition("</script>")[0]


# --- whose requests are answered --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "host", ["evil.example", "evil.example:8080", "127.0.0.1.evil.example", "", "[", "localhost.evil"]
)
def test_another_name_for_this_machine_is_not_answered(client, host):
    for path in ("/", "/api/objects"):
        answer = client.get(path, headers={"host": host})
        assert answer.status_code == 421
        assert answer.json()["code"] == "forbidden"


@pytest.mark.parametrize("host", ["localhost", "LOCALHOST:8080", "127.0.0.1", "127.0.0.1:9999", "[::1]:8080"])
def test_the_names_of_this_machine_are(client, host):
    assert client.get("/api/info", headers={"host": host}).status_code == 200


def test_a_proxy_may_have_its_name(make_client):
    client = make_client(allowed_hosts=("lineage.corp",))
    assert client.get("/api/info", headers={"host": "lineage.corp"}).status_code == 200
    assert client.get("/api/info", headers={"host": "other.corp"}).status_code == 421


@pytest.mark.parametrize(
    "headers",
    [
        {"origin": "http://evil.example"},
        {"origin": "null"},
        {"origin": "http://127.0.0.1:9090"},
        {"sec-fetch-site": "cross-site", "sec-fetch-mode": "no-cors"},
        {"sec-fetch-site": "same-site", "sec-fetch-mode": "cors"},
    ],
)
def test_other_sites_get_nothing(client, headers):
    answer = client.post("/api/analyze", json={"sql": "select 1"}, headers=headers)
    assert answer.status_code == 403
    assert client.get("/api/objects", headers=headers).status_code == 403


def test_the_page_itself_gets_answers(client):
    own = {"origin": "http://127.0.0.1:8080", "sec-fetch-site": "same-origin", "sec-fetch-mode": "cors"}
    assert client.post("/api/analyze", json={"sql": "select 1"}, headers=own).status_code == 200
    link = {"sec-fetch-site": "cross-site", "sec-fetch-mode": "navigate"}
    assert client.get("/", headers=link).status_code == 200


def test_there_is_no_preflight(client):
    asked = {"origin": "http://evil.example", "access-control-request-method": "POST"}
    answer = client.options("/api/analyze", headers=asked)
    assert answer.status_code in (403, 405)
    assert not [name for name in answer.headers if name.startswith("access-control")]


def test_a_form_of_another_site_cannot_pretend_to_be_json(client):
    answer = client.post("/api/analyze", content=b'{"sql": "select 1"}', headers={"content-type": "text/plain"})
    assert answer.status_code == 422


# --- the token --------------------------------------------------------------------------------------------------------


def test_nothing_without_the_token(guarded):
    for path in ("/api/info", "/api/objects", "/api/openapi.json", "/nothing", "/api/overview"):
        answer = guarded.get(path)
        assert answer.status_code == 401
        assert answer.json() == {
            "detail": "This server requires a token; log in, or send it as a Bearer token.",
            "code": "unauthorized",
            "login": "login",
        }
        assert answer.headers["www-authenticate"] == "Bearer"
    assert guarded.post("/api/analyze", json={"sql": "select 1"}).status_code == 401
    assert guarded.get("/").headers["location"] == "login"
    assert guarded.get("/healthz").json() == {"status": "ok"}


def test_the_token_lets_in(guarded):
    assert guarded.get("/api/info", headers=bearer(TOKEN)).status_code == 200
    assert guarded.get("/api/info", headers={"authorization": f"bearer   {TOKEN}"}).status_code == 200
    for wrong in ("", "x", TOKEN[:-1], TOKEN + "x", "ü" * 20):
        assert guarded.get("/api/info", headers={"authorization": f"Bearer {wrong}".encode()}).status_code == 401
    assert guarded.get(f"/api/info?token={TOKEN}").status_code == 401


def test_logging_in_leaves_a_session_and_no_token(guarded):
    form = guarded.get("/login")
    assert form.status_code == 200
    assert form.text.count("<script") == 1
    assert "script-src 'sha256-" in form.headers["content-security-policy"]
    answer = guarded.post("/login", data={"token": TOKEN})
    assert (answer.status_code, answer.headers["location"]) == (303, "./")
    cookie = answer.headers["set-cookie"].lower()
    assert "httponly" in cookie
    assert "samesite=lax" in cookie
    assert TOKEN not in answer.headers["set-cookie"]
    session = answer.cookies["lineage_session"]
    guarded.cookies.clear()
    assert guarded.get("/api/info", headers={"cookie": f"lineage_session={session}"}).status_code == 200
    for forged in (session[:-1] + "x", "9999999999." + session.partition(".")[2], "1.x", ".", "x", "é"):
        answer = guarded.get("/api/info", headers={"cookie": f"lineage_session={forged}".encode()})
        assert answer.status_code == 401
    assert 'lineage_session=""' in guarded.post("/logout").headers["set-cookie"]


def test_a_link_with_the_token_forgets_it(guarded):
    answer = guarded.get(f"/?token={TOKEN}&x=1")
    assert (answer.status_code, answer.headers["location"]) == (303, "./?x=1")
    assert "lineage_session" in answer.headers["set-cookie"]
    guarded.cookies.clear()
    assert guarded.get("/?token=wrong-wrong-wrong").status_code == 401


def test_guessing_is_slow(make_client):
    """Who guesses too often has to wait; who knows the token or is in stays in, even at the same address."""
    client = make_client("http://lineage.example", host="0.0.0.0", token=TOKEN)
    session = client.post("/login", data={"token": TOKEN}).cookies["lineage_session"]
    client.cookies.clear()
    codes = [client.post("/login", data={"token": f"guess {n}"}).status_code for n in range(30)]
    assert codes[0] == 401
    assert codes[-1] == 429
    answer = client.get("/api/info", headers=bearer("a wrong token"))
    assert answer.status_code == 429
    assert int(answer.headers["retry-after"]) >= 1
    assert client.get("/api/info", headers=bearer(TOKEN)).status_code == 200
    assert client.post("/login", data={"token": TOKEN}).status_code == 303
    client.cookies.clear()
    assert client.get("/api/info", headers={"cookie": f"lineage_session={session}"}).status_code == 200


def test_a_form_that_is_none(guarded):
    assert guarded.post("/login", content=b"token=" + b"x" * 100_000).status_code == 413
    assert guarded.post("/login", content=b"\xff\xfe").status_code == 401
    assert guarded.put("/login", content=b"token=x").status_code == 405


def test_a_session_ends():
    now = [1000.0]
    token = Token(TOKEN, lambda: now[0])
    session = token.new_session()
    assert token.accepts_session(session)
    now[0] += SESSION_SECONDS + 1
    assert not token.accepts_session(session)
    assert not Token("another-token-altogether", lambda: 0.0).accepts_session(session)


def test_settings_do_not_show_the_token():
    assert TOKEN not in repr(ServeSettings(token=TOKEN))


@pytest.mark.parametrize("host", ["0.0.0.0", "::", "192.168.1.5", "lineage.example", "127.evil.example", ""])
def test_other_machines_need_a_token(host):
    with pytest.raises(ConfigurationError, match="token"):
        ServeSettings(host=host).checked()
    assert ServeSettings(host=host, token=TOKEN).checked()
    with pytest.raises(ConfigurationError, match="short"):
        ServeSettings(host=host, token="short").checked()


@pytest.mark.parametrize("host", ["127.0.0.1", "localhost", "::1", "[::1]", "127.0.0.2"])
def test_this_machine_needs_none(host):
    assert ServeSettings(host=host).checked()


# --- what stays inside ------------------------------------------------------------------------------------------------

TRAVERSALS = (
    "/../../etc/passwd",
    "/..%2f..%2fetc%2fpasswd",
    "/%2e%2e/%2e%2e/etc/passwd",
    "/static/../../pyproject.toml",
    "/assets/index.html",
    "/api/../../etc/passwd",
    "/api/objects/../../../../etc/passwd",
    "/api/objects/%2Fetc%2Fpasswd",
    "/api/objects/file:%2F%2F%2Fetc%2Fpasswd",
    "/api/export/..%2f..%2fetc%2fpasswd",
    "//etc/passwd",
    "/etc/passwd%00.html",
    "\\..\\..\\etc\\passwd",
)


@pytest.mark.parametrize("path", TRAVERSALS)
def test_no_path_leads_to_a_file(live, path):
    """Sent as it is: a client library would tidy the path up."""
    with socket.create_connection((live.host, live.port), timeout=20) as connection:
        request = f"GET {path} HTTP/1.1\r\nHost: {live.host}:{live.port}\r\nConnection: close\r\n\r\n"
        connection.sendall(request.encode("latin-1"))
        answer = b"".join(iter(lambda: connection.recv(65536), b""))
    status = int(answer.split(b" ", 2)[1])
    assert status in (400, 404, 405)
    assert b"root:" not in answer
    assert b"build-system" not in answer


def test_sql_is_never_read_as_a_file_name(client):
    answer = client.post("/api/analyze", json={"sql": "/etc/passwd", "metadata": {"t": ["a"]}})
    assert answer.status_code == 200
    assert "root:" not in answer.text


def test_a_store_that_breaks_is_named_in_the_log_alone(make_client, store_file, tmp_path, caplog):
    path = tmp_path / "lineage.db"
    path.write_bytes(store_file.read_bytes())
    client = make_client(store=str(path))
    path.write_bytes(b"SQLite format 3\0" + b"\0" * 4096)
    answer = client.get("/api/objects")
    assert answer.status_code in (500, 503)
    assert str(path) not in answer.text
    path.unlink()
    path.mkdir()
    with caplog.at_level(logging.ERROR, "connector"):
        answer = client.get("/api/objects")
    assert answer.status_code == 503
    assert answer.json()["code"] == "store"
    assert str(path) not in answer.text
    assert int(answer.headers["retry-after"]) > 0


def test_a_fault_of_the_server_shows_a_sentence_and_logs_no_sql(make_client, monkeypatch, caplog):
    from connector.web.analysing import Analyser

    async def broken(self: Analyser, job: object) -> bytes:
        raise RuntimeError(f"cannot cope with {job}")

    client = make_client()
    with monkeypatch.context() as patched, caplog.at_level(logging.DEBUG):
        patched.setattr(Analyser, "run", broken)
        answer = client.post("/api/analyze", json={"sql": "select secret_4711"})
    assert answer.status_code == 500
    assert answer.json()["code"] == "internal"
    assert "secret_4711" not in answer.text
    assert "RuntimeError" not in answer.text
    said = " ".join(record.getMessage() for record in caplog.records if record.name == "connector")
    assert "RuntimeError at " in said
    assert "secret_4711" not in said


def test_the_command_logs_no_sql(live):
    import httpx2

    body = {"sql": "select secret_4712 from ((", "dialect": "klingon"}
    for asked in (body, {**body, "dialect": "oracle"}, {**body, "options": {"x": "secret_4712"}}):
        httpx2.post(f"{live.address}api/analyze", json=asked, timeout=20)
    httpx2.get(f"{live.address}api/objects/secret_4712", timeout=20)
    httpx2.get(f"{live.address}secret_4712?secret_4712", timeout=20)
    assert live.messages().splitlines() == [f"Serving on {live.address}"]


def test_problems_do_not_repeat_what_was_sent(client):
    answer = client.post("/api/analyze", json={"sql": {"nested": "secret-4713"}})
    assert "secret-4713" not in json.dumps(answer.json())


def test_text_in_a_dialect_that_nobody_knows_is_masked_all_the_same():
    texts = Texts(show_literals=False)
    assert texts.shown("select 'x', 42 from t -- secret", "odbc") == "select ?, ? from t"
    assert texts.shown("select 'x' from t where password = 'x'", "oracle") == "select ? from t where password = ?"
    assert (
        Texts(show_literals=True).shown("connect with password = 'x' and 'y'", "oracle")
        == "connect with password = ? and 'y'"
    )
    assert texts.shown(None, "oracle") is None


def test_the_session_is_for_encrypted_connections_where_there_are_any(guarded):
    answer = guarded.post("/login", data={"token": TOKEN}, headers={"x-forwarded-proto": "https"})
    assert "secure" in answer.headers["set-cookie"].lower()
    guarded.cookies.clear()


@pytest.mark.parametrize(
    ("view", "location"),
    [
        ("object=shop.core.orders%40prod&depth=1", "./#object=shop.core.orders%40prod&depth=1"),
        ("level=table\r\nSet-Cookie: x=1", "./#level=table%0D%0ASet-Cookie:%20x=1"),
        ("//evil.example/#x", "./#//evil.example/%23x"),
        ("", "./"),
    ],
)
def test_the_view_that_was_asked_for_opens_after_logging_in(guarded, view, location):
    answer = guarded.post("/login", data={"token": TOKEN, "view": view})
    assert (answer.status_code, answer.headers["location"]) == (303, location)
    guarded.cookies.clear()


@pytest.mark.parametrize(
    ("proxies", "local", "peer", "forwarded", "client"),
    [
        ((), False, "127.0.0.1", "1.2.3.4", "127.0.0.1"),
        ((), True, "127.0.0.1", "1.2.3.4", "1.2.3.4"),
        ((), True, "127.0.0.1", "6.6.6.6, 1.2.3.4", "1.2.3.4"),
        ((), True, "127.0.0.1", "", "127.0.0.1"),
        ((), True, "8.8.8.8", "1.2.3.4", "8.8.8.8"),
        (("10.0.0.0/8",), False, "10.1.2.3", "1.2.3.4, 10.9.9.9", "1.2.3.4"),
        (("10.0.0.0/8",), False, "10.1.2.3", "not an address", "not an address"),
        (("::1",), False, "::1", "2001:db8::7", "2001:db8::7"),
    ],
)
def test_who_asks_behind_a_proxy(proxies, local, peer, forwarded, client):
    scope = {"type": "http", "client": (peer, 1), "headers": [(b"x-forwarded-for", forwarded.encode())]}
    assert Clients(proxies, behind_local_proxy=local).address(scope) == client


def test_a_proxy_that_is_no_address():
    with pytest.raises(ConfigurationError, match="not the address of a proxy"):
        Clients(("proxy.example",))


def test_planted_words_reach_no_answer(make_client, tmp_path):
    path = tmp_path / "lineage.db"
    with Store.open(path) as opened:
        opened.load(analyze(SCRIPT, "snowflake").model, source="test")
    client = make_client(store=str(path))
    asked = ["/", "/api/info", "/api/overview", "/api/openapi.json"]
    asked += [f"/api/objects?search={word}&kind={kind}" for word in ("", "4555", "Hunter") for kind in ("", "column")]
    for name in READ:
        asked += [f"/api/impact?name={name}", *([f"/api/objects/{name}"] if name.count(".") == 1 else [])]
        asked += [f"/api/lineage/{way}?name={name}&columns=true" for way in ("upstream", "downstream", "both")]
    answers = {address: client.get(address) for address in asked}
    assert {address: answer.status_code for address, answer in answers.items() if answer.status_code != 200} == {}
    written = [each["hash"] for name in READ[:5] for each in client.get(f"/api/objects/{name}").json()["writtenBy"]]
    assert len(written) == 5
    answers |= {number: client.get(f"/api/processes/{number}") for number in written}
    assert sum("case when card = ? then x else ? end #" in answer.text for answer in answers.values()) > 3
    assert not [address for address, answer in answers.items() if leaks(answer.text)]
