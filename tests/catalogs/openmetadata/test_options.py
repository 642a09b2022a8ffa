"""The options of the plugin, which come as texts."""

from __future__ import annotations

from pathlib import Path

import pytest

from connector.catalogs.openmetadata.plugin_options import PluginOptions, ServerLogin, read_options
from connector.errors import ConfigurationError
from connector.sources.models import FilesSource, LogSource

LOGIN = ServerLogin("http://om:8585/api", "the.token", "/ca.pem", verify_tls=True)


def read(**options: str) -> PluginOptions:
    return read_options(options, LOGIN, "warehouse")


def test_the_settings_of_a_job_as_options(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    options = read(
        dialect="snowflake",
        sources="sql/",
        cluster="1",
        options="{query_identity: canonical}",
        missing="warn",
        workers="2",
        prune="true",
    )
    assert options.job.dialect == "snowflake"
    assert options.job.cluster == "1"
    assert options.job.options.query_identity == "canonical"
    assert isinstance(options.job.sources[0], FilesSource)
    assert options.job.sources[0].paths == (str(tmp_path / "sql"),)
    assert (options.catalog.missing, options.catalog.workers, options.prune, options.verify) == ("warn", 2, True, False)
    assert options.source == "lineage"


def test_server_and_service_are_those_of_the_workflow() -> None:
    catalog = read(sources="sql/").catalog
    assert catalog.url == "http://om:8585/api"
    assert catalog.token is not None
    assert catalog.token.get_secret_value() == "the.token"
    assert catalog.ca_file == Path("/ca.pem")
    assert catalog.service == "warehouse"
    assert "the.token" not in repr(LOGIN) + repr(catalog)


def test_several_sources_as_yaml(tmp_path: Path) -> None:
    sources = read(sources=f"- files: {tmp_path}\n- log: {tmp_path}/*.csv\n  preset: snowflake\n").job.sources
    assert [type(source) for source in sources] == [FilesSource, LogSource]


def test_a_file_of_settings(tmp_path: Path) -> None:
    file = tmp_path / "lineage.yaml"
    file.write_text(
        "defaults: {dialect: oracle, store: x.db}\n"
        "jobs:\n"
        "  - {name: one, sources: [{files: a/}]}\n"
        "  - name: two\n"
        "    sources: [{files: b/}]\n"
        "    catalogs: [{type: openmetadata, url: 'https://elsewhere', missing: warn, source: ours, prune: true}]\n",
        encoding="utf-8",
    )
    options = read(config=str(file), job="two", workers="7")
    assert options.job.name == "two"
    assert options.source == "ours"
    assert options.prune
    assert (options.catalog.missing, options.catalog.workers) == ("warn", 7)
    assert options.catalog.url == "http://om:8585/api"
    with pytest.raises(ConfigurationError, match="name one of one, two"):
        read(config=str(file))
    with pytest.raises(ConfigurationError, match="unknown job 'three'"):
        read(config=str(file), job="three")


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({}, "config .* or sources"),
        ({"sorces": "sql/"}, "connectionOptions.sorces: .* did you mean sources"),
        ({"sources": "sql/", "dialect": "snowflak"}, "connectionOptions.dialect: .*snowflak"),
        ({"sources": "[{files: "}, "connectionOptions.sources: invalid YAML"),
        ({"sources": "[{type: carrier_pigeon}]"}, "connectionOptions.sources.0"),
        ({"sources": "sql/", "url": "http://x"}, "connectionOptions.url: .*openMetadataServerConfig"),
        ({"sources": "sql/", "token": "x"}, "connectionOptions.token: .*openMetadataServerConfig"),
        ({"sources": "sql/", "workers": "many"}, "connectionOptions.workers"),
        ({"sources": "sql/", "prune": "perhaps"}, "connectionOptions.prune: expected true or false"),
        ({"sources": "sql/", "job": "x"}, "connectionOptions.job"),
        ({"config": "lineage.yaml", "dialect": "oracle"}, "connectionOptions.dialect: with config"),
        ({"config": "/nowhere/lineage.yaml"}, "/nowhere/lineage.yaml"),
        ({"sources": "${env:NOT_SET_AT_ALL}"}, "connectionOptions.sources: .*NOT_SET_AT_ALL"),
    ],
)
def test_mistakes_name_the_option(options: dict[str, str], message: str) -> None:
    with pytest.raises(ConfigurationError, match=message):
        read(**options)


def test_references_in_options(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("WHERE_THE_SQL_IS", "/srv/sql")
    source = read(sources="${env:WHERE_THE_SQL_IS}").job.sources[0]
    assert isinstance(source, FilesSource)
    assert source.paths == ("/srv/sql",)
