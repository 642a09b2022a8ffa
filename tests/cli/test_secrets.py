"""No password, token or login leaves the program, whichever way it is given and whatever goes wrong with it."""

from __future__ import annotations

import logging
import traceback
from pathlib import Path

import pytest
from planted import READ, SCRIPT, leaks
from typer.testing import CliRunner

from connector import analyze
from connector.addresses import safe_text, safe_url
from connector.cli import _COMMANDS, app
from connector.cli.diff import DiffForm
from connector.cli.flags import TraceForm
from connector.errors import ConfigurationError, ConnectorError, UnavailableError
from connector.export import FORMATS

SECRET = "Hunter2-xyzzy"

ADDRESSES = (
    f"https://admin:{SECRET}@atlas.example:21443/path",
    f"https://{SECRET}@atlas.example",
    f"https://admin:{SECRET}/with/slash@host/x",
    f"postgresql+psycopg://admin:{SECRET}%40x@host:5432/name",
    f"jdbc:postgresql://host/name?user=admin&password={SECRET}",
    f"jdbc:sqlserver://host;user=admin;password={SECRET};encrypt=true",
    f"jdbc:oracle:thin:admin/{SECRET}@//host:1521/name",
    f"snowflake://admin@account/db?token={SECRET}",
    f"https://account.blob.core.windows.net/c/f.csv?sv=1&sig={SECRET}",
)


@pytest.mark.parametrize("address", ADDRESSES)
def test_addresses_are_shown_without_secrets(address: str) -> None:
    assert SECRET not in safe_url(address)
    assert "admin:" not in safe_url(address)


@pytest.mark.parametrize("address", ADDRESSES)
@pytest.mark.parametrize("kind", [ConnectorError, ConfigurationError, UnavailableError])
def test_exceptions_show_addresses_without_secrets(address: str, kind: type[ConnectorError]) -> None:
    error = kind(f"cannot reach {address} (it was given twice: {address})")
    assert SECRET not in "".join(traceback.format_exception(error))
    assert SECRET not in repr(error)
    assert "cannot reach " in str(error)


@pytest.mark.parametrize(
    "text",
    [
        "s3://bucket/folder/part@2026.csv: the file is damaged",
        "Atlas at https://host:21443 does not answer",
        "load.sql:3:1: a = b",
        "mailto a@b.example",
    ],
)
def test_what_is_no_secret_stays(text: str) -> None:
    assert safe_text(text) == text


CATALOGS = {
    "atlas": f"{{type: atlas, url: 'https://admin:{SECRET}@127.0.0.1:1', attempts: 1}}",
    "openmetadata": f"{{type: openmetadata, url: 'https://admin:{SECRET}@127.0.0.1:1/api', attempts: 1}}",
    "openlineage": f"{{type: openlineage, url: 'https://admin:{SECRET}@127.0.0.1:1', attempts: 1}}",
}


@pytest.mark.parametrize("catalog", CATALOGS)
@pytest.mark.parametrize("command", ["check", "run"])
def test_a_catalog_with_a_login_in_its_address(
    catalog: str, command: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    monkeypatch.setenv("ATLAS_PASSWORD", SECRET)
    monkeypatch.setenv("OPENMETADATA_JWT_TOKEN", SECRET)
    monkeypatch.setenv("OPENLINEAGE_API_KEY", SECRET)
    (tmp_path / "sql").mkdir()
    (tmp_path / "lineage.yaml").write_text(
        "sources: [{files: sql/}]\nreport: report.json\nprometheus: run.prom\nhtml: page.html\n"
        f"catalogs:\n  - {CATALOGS[catalog]}\n"
    )
    # Without a script nothing is analysed, and Spark is not started; with --no-spark check does not start it either.
    arguments = [command, "-c", str(tmp_path / "lineage.yaml"), "--verbose", *(["--no-spark"] * (command == "check"))]
    with caplog.at_level(logging.DEBUG):
        result = CliRunner().invoke(app, arguments)
    assert result.exit_code != 0
    assert SECRET not in result.output
    assert SECRET not in caplog.text
    assert "Traceback" not in result.output
    for file in tmp_path.rglob("*"):
        if file.is_file() and file.name != "lineage.yaml":
            assert SECRET.encode() not in file.read_bytes(), file


@pytest.mark.parametrize(
    "arguments",
    [
        ("load", "{script}", "--store", f"postgresql://admin:{SECRET}@127.0.0.1:1/x"),
        ("upstream", "a.b", "--store", f"postgresql://admin:{SECRET}@127.0.0.1:1/x"),
        ("diff", "{script}", f"postgresql://admin:{SECRET}@127.0.0.1:1/x"),
        ("push", "openlineage", "{script}", "--url", f"https://admin:{SECRET}@127.0.0.1:1"),
        ("push", "atlas", "{script}", "--url", f"https://admin:{SECRET}@127.0.0.1:1"),
        ("push", "openmetadata", "{script}", "--url", f"https://admin:{SECRET}@127.0.0.1:1/api"),
        ("typedefs", "diff", "--url", f"https://admin:{SECRET}@127.0.0.1:1"),
    ],
    ids=lambda arguments: " ".join(arguments[:2]),
)
def test_commands_with_a_login_in_an_address(
    arguments: tuple[str, ...], load: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    monkeypatch.setenv("OPENMETADATA_JWT_TOKEN", SECRET)
    result = CliRunner().invoke(app, [each.format(script=load) for each in arguments])
    assert result.exit_code in (2, 3), result.output
    assert SECRET not in result.output


CALLS: dict[str, list[tuple[str, ...]]] = {
    "analyze": [("{sql}", "-f", name, "-l", level) for name, exporter in FORMATS.items() for level in exporter.levels],
    "load": [("{sql}", "--store", "{folder}/new.db")],
    "upstream": [(name, "--columns", "-f", form.value, "--store", "{store}") for name in READ for form in TraceForm],
    "downstream": [("raw.t", "--columns", "-f", form.value, "--store", "{store}") for form in TraceForm],
    "diff": [
        *[("{empty}", "{sql}", "-f", form.value) for form in DiffForm],
        *[("{empty}", "{store}", "-f", form.value) for form in DiffForm],
        *[("{store}", "{changed}", "-f", form.value) for form in DiffForm],
    ],
    "push": [("openlineage", "{sql}", "--file", "{folder}/events.jsonl")],
    "dialects": [()],
}
"""What each command is asked here; {sql} is the planted script, {store} a store of it."""

ELSEWHERE = {
    "run": "tests/cli/running/test_faults.py: messages, report, metrics, page, catalogs, store, tables",
    "check": "test_a_catalog_with_a_login_in_its_address",
    "typedefs": "test_commands_with_a_login_in_an_address",
    "serve": "tests/web/test_security.py",
    "mcp": "tests/test_mcp_server.py",
    "pack": "it reads neither SQL nor settings",
}


def test_no_command_is_forgotten() -> None:
    assert {*CALLS, *ELSEWHERE} == set(_COMMANDS)


@pytest.mark.parametrize("command", CALLS)
def test_planted_words_reach_no_output(command: str, tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    """Exports of scripts contain the names and the text of the scripts, but no credential; all others no literal either."""
    places = {"folder": tmp_path, "store": tmp_path / "lineage.db"}
    for name, text in (("sql", SCRIPT), ("empty", "select 1"), ("changed", SCRIPT.replace("then x", "then y"))):
        places[name] = tmp_path / f"{name}.sql"
        places[name].write_text(text)
    made = ["load", str(places["sql"]), "--dialect", "snowflake", "--store", str(places["store"])]
    assert CliRunner().invoke(app, made).exit_code == 0
    dialect = ("--dialect", "snowflake") if command in ("analyze", "load", "diff", "push") else ()
    for call in CALLS[command]:
        caplog.clear()
        with caplog.at_level(logging.DEBUG):
            result = CliRunner().invoke(app, [command, *[each.format(**places) for each in call], *dialect])
        assert result.exit_code == 0, (call, result.output)
        holds_scripts = command == "analyze" and call[2] != "openlineage"
        assert not leaks(result.output + " ", holds_scripts=holds_scripts), call
        assert not leaks(caplog.text + " "), call
    for file in tmp_path.iterdir():
        if file.suffix == ".jsonl":
            assert not leaks(file.read_text()), file


def test_planted_words_in_python() -> None:
    lineage = analyze(SCRIPT, dialect="snowflake")
    assert not leaks(repr(lineage))
    assert not leaks(lineage._repr_html_(), holds_scripts=True)
    assert not leaks(repr(lineage.problems) + repr(lineage.to_networkx().nodes), holds_scripts=True)
