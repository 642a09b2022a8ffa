"""Where the server is, how we log in, and what a mistake in settings or mapping says."""

from __future__ import annotations

from pathlib import Path

import pytest
import responses
from pydantic import ValidationError

from connector import analyze
from connector.catalogs.openmetadata import OpenMetadataSettings, push
from connector.catalogs.openmetadata.catalog import check_server
from connector.catalogs.openmetadata.mapping import load_mapping
from connector.errors import ConfigurationError, UnavailableError

URL = "https://om.example:8585"
TOKEN = "eyJ.secret.token"


@pytest.mark.parametrize("url", [URL, URL + "/", URL + "/api", URL + "/api/", URL + "/api/v1", URL + "/api/v1/"])
def test_the_address_with_and_without_api(url: str) -> None:
    assert OpenMetadataSettings(url=url).url == URL + "/api"
    assert OpenMetadataSettings(url="https://proxy/om/").url == "https://proxy/om/api"


@pytest.mark.parametrize("url", ["om.example:8585", "ftp://om", "https://user:pass@om.example"])
def test_an_address_that_is_none(url: str) -> None:
    with pytest.raises(ValidationError, match="address"):
        OpenMetadataSettings(url=url)


def test_the_token_from_three_places(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "token"
    file.write_text(TOKEN + "\n")
    monkeypatch.setenv("OPENMETADATA_TOKEN", TOKEN)
    monkeypatch.setenv("OTHER", TOKEN)
    for settings in (
        OpenMetadataSettings(url=URL),
        OpenMetadataSettings(url=URL, token=TOKEN),
        OpenMetadataSettings(url=URL, token_file=file),
        OpenMetadataSettings(url=URL, token_env="OTHER"),
    ):
        assert TOKEN not in repr(settings)
        assert TOKEN not in settings.model_dump_json()
        with responses.RequestsMock() as server, settings.connect() as client:
            server.get(URL + "/api/v1/services/databaseServices", json={"data": []})
            client.check_token()
            assert server.calls[0].request.headers["Authorization"] == f"Bearer {TOKEN}"


def test_without_a_token_nothing_is_asked() -> None:
    with pytest.raises(ConfigurationError, match="OPENMETADATA_TOKEN"):
        OpenMetadataSettings(url=URL).connect()
    with pytest.raises(ConfigurationError, match="not a valid JWT") as raised:
        OpenMetadataSettings(url=URL, token="two words").connect()
    assert "two words" not in str(raised.value)


@responses.activate
@pytest.mark.parametrize(
    ("version", "check", "accepted"),
    [("2.0.0", "fail", True), ("2.4.1", "fail", True), ("1.12.0", "fail", False), ("3.0.0", "warn", True)],
)
def test_versions(version: str, check: str, accepted: bool) -> None:
    responses.get(URL + "/api/v1/system/version", json={"version": version})
    responses.get(URL + "/api/v1/services/databaseServices", json={"data": []})
    settings = OpenMetadataSettings.model_validate({"url": URL, "token": TOKEN, "version_check": check})
    with settings.connect() as client:
        if accepted:
            assert check_server(client, settings) == version
        else:
            with pytest.raises(ConfigurationError, match=r"is version 1\.12\.0.*version_check"):
                check_server(client, settings)


@responses.activate
def test_a_token_that_is_not_accepted(tmp_path: Path) -> None:
    responses.get(URL + "/api/v1/system/version", json={"version": "2.0.0"})
    responses.get(URL + "/api/v1/services/databaseServices", status=401, json={"message": "Not Authorized!"})
    settings = OpenMetadataSettings(url=URL, token=TOKEN, state=tmp_path / "state.db")
    with pytest.raises(UnavailableError, match="rejected the token") as raised:
        push([analyze("insert into o select a from t")], settings, source="nightly")
    assert TOKEN not in str(raised.value)


@responses.activate
def test_something_else_at_the_address() -> None:
    responses.get(URL + "/api/v1/system/version", body="<html>", content_type="text/html")
    settings = OpenMetadataSettings(url=URL, token=TOKEN)
    with settings.connect() as client, pytest.raises(UnavailableError, match="not OpenMetadata"):
        check_server(client, settings)


@pytest.mark.parametrize(
    ("text", "line", "message"),
    [
        ("services:\n  - {case: dialect}\nskipp: []", 4, "skipp"),
        ("services:\n  - case: title", 3, "services.0.case"),
        ("services:\n  - case: keep\n    database: '{databse}'", 4, "unknown field databse"),
        ("services:\n  - database: '{database'", 3, "single"),
        ("services:\n  - when: {vendor: x}", 3, "unknown field vendor"),
        ("services:\n  - create: [tables]", 3, "services.0.create.0"),
        ("services: []", 2, "services"),
        ("services: [{}]\nstorage:\n  - service: s3\n    containers: []", 5, "storage.0.containers"),
        ("entities: {}", 2, "mapping is for Atlas"),
    ],
)
def test_mistakes_in_a_mapping_have_a_line(tmp_path: Path, text: str, line: int, message: str) -> None:
    file = tmp_path / "own.yaml"
    file.write_text(f"name: own\n{text}\n", encoding="utf-8")
    with pytest.raises(ConfigurationError) as raised:
        load_mapping(file)
    assert f"{file}:{line}: " in str(raised.value)
    assert message in str(raised.value)


def test_a_mapping_that_is_not_there() -> None:
    with pytest.raises(ConfigurationError, match="There is no mapping 'other'"):
        load_mapping("other")
