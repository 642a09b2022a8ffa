"""No password, token or login leaves the program, whichever way it is given and whatever goes wrong with it."""

from __future__ import annotations

import logging
import traceback
from pathlib import Path

import pytest
from typer.testing import CliRunner

from connector.addresses import safe_text, safe_url
from connector.cli import app
from connector.errors import ConfigurationError, ConnectorError, UnavailableError

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
