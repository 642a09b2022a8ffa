"""lineage.yaml: what it may say, what it means, and what is said of its mistakes."""

from __future__ import annotations

import json
import os
import pickle
from collections.abc import Callable
from pathlib import Path
from textwrap import dedent
from typing import Any

import jsonschema
import pytest
import yaml

from connector.catalogs import catalog_names
from connector.catalogs.atlas import AtlasSettings
from connector.catalogs.openlineage import OpenLineageSettings
from connector.catalogs.openmetadata import OpenMetadataSettings
from connector.errors import ConfigurationError
from connector.guard import Limits
from connector.options import Options
from connector.request import AnalysisRequest
from connector.settings import Settings, load_settings, settings_schema
from connector.sources import DatabaseSource, DbtSource, Defaults, FilesSource, LogSource

SCHEMA_FILE = Path(__file__).parents[2] / "examples" / "lineage.schema.json"

Load = Callable[[str], Settings]


@pytest.fixture(autouse=True)
def _no_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in list(os.environ):
        if name.startswith(("ATLAS_", "OPENMETADATA_", "OPENLINEAGE_")):
            monkeypatch.delenv(name)


@pytest.fixture
def load(tmp_path: Path) -> Load:
    """Reads settings from text, as lineage.yaml of a folder."""

    def read(text: str) -> Settings:
        file = tmp_path / "lineage.yaml"
        file.write_text(dedent(text), encoding="utf-8")
        return load_settings(file)

    return read


@pytest.fixture
def complain(load: Load, tmp_path: Path) -> Callable[[str], list[str]]:
    """The mistakes in a text, without the folder of the file."""

    def read(text: str) -> list[str]:
        with pytest.raises(ConfigurationError) as caught:
            load(text)
        return str(caught.value).replace(f"{tmp_path}{os.sep}", "").splitlines()

    return read


def test_five_lines_are_enough(load: Load, tmp_path: Path) -> None:
    settings = load(
        """\
        dialect: snowflake
        sources:
          - files: sql/
        store: lineage.db
        """
    )
    (job,) = settings.jobs
    assert job.sources == (FilesSource(name="sql/", paths=(str(tmp_path / "sql"),)),)
    assert job.store.url == str(tmp_path / "lineage.db")
    assert job.store.tables == job.tables == str(tmp_path / "lineage-tables")
    assert (job.store.compact_files, job.store.keep_days) == (100, 7)
    assert (job.guard.seconds, job.guard.memory_mb) == (30.0, 500)
    assert job.options == Options()
    assert job.catalogs == ()
    assert job.defaults == Defaults("snowflake")


def test_the_analysis_request_of_a_job(load: Load, tmp_path: Path) -> None:
    (job,) = load(
        """\
        dialect: snowflake
        cluster: prod
        default_database: shop
        default_schema: core
        metadata: columns.sql
        options: {link_orphans: true}
        guard: {seconds: 5}
        sources: [files: a.sql]
        """
    ).jobs
    columns = (tmp_path / "columns.sql",)
    assert job.request == AnalysisRequest(
        "snowflake", columns, "shop", "core", "prod", Options(link_orphans=True), Limits(5.0, 500)
    )


def test_a_file_without_a_store_has_one_beside_it(load: Load, tmp_path: Path) -> None:
    (job,) = load("sources: [files: a.sql]").jobs
    assert job.store.url == str(tmp_path / "lineage.db")


def test_short_and_long_forms_of_sources_are_the_same(load: Load) -> None:
    short = load(
        """\
        sources:
          - files: [a.sql, b/]
          - dbt: target/manifest.json
          - log: history.csv
            preset: snowflake
          - database: postgresql://u@h/shop
          - table: system.query.history
            preset: databricks
          - log: jdbc:postgresql://h/shop
            preset: postgresql
          - log: s3a://bucket/log.csv
            preset: snowflake
        """
    )
    long = load(
        """\
        sources:
          - {type: files, paths: [a.sql, b/]}
          - {type: dbt, manifest: target/manifest.json}
          - {type: log, paths: history.csv, preset: snowflake}
          - {type: database, url: "postgresql://u@h/shop"}
          - {type: log, table: system.query.history, preset: databricks}
          - {type: log, url: "jdbc:postgresql://h/shop", preset: postgresql}
          - {type: log, paths: "s3a://bucket/log.csv", preset: snowflake}
        """
    )
    assert short.jobs[0].sources == long.jobs[0].sources
    kinds = [type(source) for source in short.jobs[0].sources]
    assert kinds == [FilesSource, DbtSource, LogSource, DatabaseSource, LogSource, LogSource, LogSource]


def test_sources_get_names_that_are_theirs_alone_and_hold_no_secret(load: Load) -> None:
    (job,) = load(
        """\
        sources:
          - files: sql/
          - files: sql/
            name: first
          - files: sql/
          - database: postgresql://me:secret@host:5432/shop?password=other
          - log: a.csv
            name: history
        """
    ).jobs
    names = [source.name for source in job.sources]
    assert names == ["sql/", "first", "sql/ (2)", "postgresql://host:5432/shop?password=***", "history"]
    assert "secret" not in repr(job)


def test_paths_are_relative_to_the_file(load: Load, tmp_path: Path) -> None:
    (tmp_path / "maps").mkdir()
    (tmp_path / "maps" / "own.yaml").touch()
    (job,) = load(
        """\
        metadata: [meta/columns.json, /etc/ddl]
        sources:
          - files: [sql/**/*.sql, s3a://bucket/sql, ~/sql]
          - log: logs/*.parquet
            texts: logs/texts.csv
          - dbt: ../shop
          - database: sqlite:///data/shop.db
          - database: sqlite:////data/shop.db
        store: {url: out/l.db, tables: out/t}
        html: l.html
        report: r.json
        prometheus: p.prom
        catalogs:
          - {type: atlas, url: "http://a", mapping: maps/own.yaml, password_file: pw, user: u}
          - {type: openlineage, file: events.jsonl}
        """
    ).jobs
    files, log, dbt, relative, absolute = job.sources
    assert isinstance(files, FilesSource)
    assert files.paths == (str(tmp_path / "sql/**/*.sql"), "s3a://bucket/sql", str(Path.home() / "sql"))
    assert isinstance(log, LogSource)
    assert (log.paths, log.texts) == ((str(tmp_path / "logs/*.parquet"),), (str(tmp_path / "logs/texts.csv"),))
    assert isinstance(dbt, DbtSource)
    assert dbt.manifest == str(tmp_path / "../shop")
    assert isinstance(relative, DatabaseSource)
    assert relative.url == f"sqlite:///{tmp_path}/data/shop.db"
    assert isinstance(absolute, DatabaseSource)
    assert absolute.url == "sqlite:////data/shop.db"
    assert job.metadata == (tmp_path / "meta/columns.json", Path("/etc/ddl"))
    assert (job.store.url, job.store.tables) == (str(tmp_path / "out/l.db"), str(tmp_path / "out/t"))
    assert (job.html, job.report, job.prometheus) == tuple(tmp_path / name for name in ("l.html", "r.json", "p.prom"))
    atlas, openlineage = job.catalogs
    assert isinstance(atlas, AtlasSettings)
    assert (atlas.mapping, atlas.password_file) == (str(tmp_path / "maps/own.yaml"), tmp_path / "pw")
    assert isinstance(openlineage, OpenLineageSettings)
    assert openlineage.file == tmp_path / "events.jsonl"


def test_every_catalog_has_its_own_settings(load: Load) -> None:
    (job,) = load(
        """\
        sources: [files: sql]
        catalogs:
          - {type: atlas, url: "http://a", prune: true, source: nightly}
          - {type: openmetadata, url: "http://m:8585", token: x}
          - {type: openlineage, url: "http://l", verify: true}
        """
    ).jobs
    atlas, openmetadata, openlineage = job.catalogs
    assert isinstance(atlas, AtlasSettings)
    assert isinstance(openmetadata, OpenMetadataSettings)
    assert isinstance(openlineage, OpenLineageSettings)
    assert atlas.type == "atlas"
    assert (atlas.prune, atlas.source) == (True, "nightly")
    assert openlineage.verify


def test_several_jobs_share_defaults(load: Load, tmp_path: Path) -> None:
    settings = load(
        """\
        defaults:
          dialect: snowflake
          cluster: prod
          options: {query_identity: shape, impact: false}
          store: {url: all.db, keep_days: 30}
          sources: [files: common]
        jobs:
          - name: etl
            options: {impact: true}
          - name: reports
            dialect: bigquery
            store: {url: reports.db}
            sources: [files: reports]
        """
    )
    etl, reports = settings.job("etl"), settings.job("reports")
    assert (etl.dialect, etl.cluster) == ("snowflake", "prod")
    assert etl.options == Options(query_identity="shape", impact=True)
    assert [source.name for source in etl.sources] == ["common"]
    assert (reports.dialect, reports.cluster, reports.store.keep_days) == ("bigquery", "prod", 30)
    assert [source.name for source in reports.sources] == ["reports"]
    assert reports.store.url == str(tmp_path / "reports.db")
    with pytest.raises(ConfigurationError, match=r"unknown job 'etls'; the file defines etl, reports"):
        settings.job("etls")


def test_references_are_replaced_anywhere(load: Load, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SHOP_USER", "ana")
    monkeypatch.setenv("SHOP_MEMORY", "250")
    monkeypatch.setenv("SHOP_EMPTY", "")
    (tmp_path / "password").write_text("pa:ss\n")
    (job,) = load(
        """\
        default_schema: ${env:SHOP_SCHEMA:-public}
        cluster: ${env:SHOP_EMPTY:-none}
        sources:
          - database: postgresql://${env:SHOP_USER}@${env:SHOP_HOST:-localhost}/shop
            password: ${file:password}
        guard:
          memory_mb: ${env:SHOP_MEMORY}
        name: $${env:KEPT} ${plain} $1
        """
    ).jobs
    (source,) = job.sources
    assert isinstance(source, DatabaseSource)
    assert source.url == "postgresql://ana@localhost/shop"
    assert source.password is not None
    assert source.password.get_secret_value() == "pa:ss"
    assert (job.default_schema, job.cluster, job.guard.memory_mb) == ("public", "none", 250)
    assert job.name == "${env:KEPT} ${plain} $1"


def test_all_mistakes_are_said_with_their_lines(complain: Callable[[str], list[str]]) -> None:
    found = complain(
        """\
        dialect: snowflak
        sorces: []
        sources:
          - files: sql/
            exlude: "*.bak"
          - type: log
            paths: h.csv
            preset: snowflaek
            columns: {txt: q}
          - database: postgresql://${env:LINEAGE_TEST_UNSET}@h/d
          - foo: 1
          - log: h.csv
            timezone: Mars/Olympus
            remove: "("
        options:
          impct: false
        store:
          url: lineage.db
          tables: ftp://h/tables
        catalogs:
          - type: atlas
            url: http://a
            workers: 99
          - type: bla
          - url: http://b
        guard: {seconds: -1}
        spark: {master: local, remote: "sc://h"}
        """
    )
    assert found == [
        "lineage.yaml:1: dialect: unknown dialect 'snowflak'; did you mean snowflake?",
        "lineage.yaml:2: sorces: unknown key; did you mean sources?",
        "lineage.yaml:5: sources.0.exlude: unknown key; did you mean exclude?",
        "lineage.yaml:8: sources.1.preset: unknown preset 'snowflaek'; did you mean snowflake?",
        "lineage.yaml:9: sources.1.columns.txt: unknown key; did you mean text?",
        "lineage.yaml:10: sources.2.database: the environment variable LINEAGE_TEST_UNSET is not set",
        "lineage.yaml:11: sources.3: a source needs a type: files, dbt, log or database",
        "lineage.yaml:13: sources.4.timezone: unknown time zone 'Mars/Olympus'",
        "lineage.yaml:14: sources.4.remove: '(' is not a valid regular expression: missing ), unterminated subpattern at position 0",
        "lineage.yaml:16: options.impct: unknown key; did you mean impact?",
        "lineage.yaml:19: store.tables: tables cannot be kept at ftp:// addresses; use a folder or one of file://, s3://, s3a://, hdfs://, viewfs://, gs://, abfs://, abfss://, az://, adl://",
        "lineage.yaml:23: catalogs.0.workers: expected 32 or less",
        f"lineage.yaml:24: catalogs.1: unknown type; expected one of {', '.join(catalog_names())}",
        "lineage.yaml:25: catalogs.2: the type is missing",
        "lineage.yaml:26: guard.seconds: expected more than 0",
        "lineage.yaml:27: spark: set either master or remote, not both",
    ]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("- a", "lineage.yaml:1: expected a mapping with keys such as dialect, sources and store"),
        ("dialect: hive", "lineage.yaml:1: sources: is missing"),
        ("dialect: hive\nsources: []", "lineage.yaml:2: sources: at least one source is required"),
        ("a: [", "lineage.yaml:1: invalid YAML: expected the node content, but found '<stream end>'"),
        ("sources: [files: a]\nsources: [files: b]", "lineage.yaml:2: duplicate key sources"),
        (
            "sources:\n  - {files: a, name: x}\n  - {files: b, name: x}",
            "lineage.yaml:1: sources: source names must be unique; used more than once: x",
        ),
        (
            "sources:\n  - type: log",
            "lineage.yaml:2: sources.0: set the location of the log: log (a file), table, query or url",
        ),
        (
            "sources:\n  - {log: a.csv, table: t}",
            "lineage.yaml:2: sources.0: a log is read either from files or from a database, but paths and table are both set",
        ),
        ("sources:\n  - files: []", "lineage.yaml:2: sources.0.files: at least one value is required"),
        ("sources: [files: '${env:X:y}']", "lineage.yaml:1: sources.0.files: the environment variable X:y is not set"),
        (
            "sources: [files: '${evn:X}']",
            "lineage.yaml:1: sources.0.files: unknown reference type 'evn'; use ${env:NAME} or ${file:path}",
        ),
        ("dialect: hive\njobs:\n  - sources: [files: a]", "lineage.yaml:1: dialect: in a file with several jobs, move this key under defaults or into a job"),
        ("defaults: {dialect: hive}", "lineage.yaml:1: jobs: expected a list of at least one job"),
        (
            "jobs:\n  - {sources: [files: a]}\n  - {name: b, sources: [files: a]}",
            "lineage.yaml:2: jobs.0: a name is required because there are several jobs",
        ),
        (
            "jobs:\n  - {name: b, sources: [files: a]}\n  - {name: b, sources: [files: a]}",
            "lineage.yaml:1: jobs: 2 jobs are named b; names must be unique",
        ),
        (
            "defaults:\n  dialect: hive\n  guard: {secons: 3}\njobs:\n  - sources: [files: a]",
            "lineage.yaml:3: guard.secons: unknown key; did you mean seconds?",
        ),
    ],
)  # fmt: skip
def test_a_mistake_is_said_clearly(complain: Callable[[str], list[str]], text: str, message: str) -> None:
    assert complain(text) == [message]


def test_a_file_that_is_missing_is_said(tmp_path: Path, complain: Callable[[str], list[str]]) -> None:
    with pytest.raises(ConfigurationError, match=r"Cannot read .*none\.yaml: No such file"):
        load_settings(tmp_path / "none.yaml")
    (message,) = complain("sources:\n  - database: postgresql://h/d\n    password: ${file:none}")
    assert message.startswith("lineage.yaml:3: sources.0.password: cannot read the file ")
    assert message.endswith(": No such file or directory")


def test_no_message_shows_the_value_of_a_reference(
    complain: Callable[[str], list[str]], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LINEAGE_TEST_SECRET", "hunter2hunter2")
    monkeypatch.setenv("LINEAGE_TEST_SHORT", "abc")
    found = complain(
        """\
        dialect: ${env:LINEAGE_TEST_SECRET}
        sources:
          - log: a.csv
            preset: ${env:LINEAGE_TEST_SHORT}
        """
    )
    assert "hunter2" not in "".join(found)
    assert "'${env:LINEAGE_TEST_SECRET}'" in found[0]
    assert "'${env:LINEAGE_TEST_SHORT}'" in found[1]


def test_settings_can_be_sent_to_another_process(load: Load) -> None:
    (job,) = load("sources: [files: sql]\noptions: {impact: false}").jobs
    assert pickle.loads(pickle.dumps(job)) == job
    assert type(job.options) is Options


# The schema for editors ---------------------------------------------------------------------------------------------


def errors_of(document: Any) -> list[str]:
    validator = jsonschema.Draft202012Validator(settings_schema())
    return [error.message for error in validator.iter_errors(document)]


def test_the_schema_is_one_and_the_file_of_it_is_current() -> None:
    schema = settings_schema()
    jsonschema.Draft202012Validator.check_schema(schema)
    text = json.dumps(schema, indent=2, ensure_ascii=False) + "\n"
    if os.environ.get("LINEAGE_UPDATE") == "1":
        SCHEMA_FILE.write_text(text, encoding="utf-8")
    assert SCHEMA_FILE.read_text(encoding="utf-8") == text, "write it anew with LINEAGE_UPDATE=1"


@pytest.mark.parametrize(
    "text",
    [
        "dialect: snowflake\nsources: [files: sql/]\nstore: lineage.db",
        "sources: [{dbt: target/manifest.json}, {database: sqlite:///x.db, schemas: a*}]",
        "sources: [{log: h.csv, preset: snowflake, only: {S: OK}, columns: {text: q, user: [a, b]}}]",
        "sources: [{table: a.b, preset: databricks}]",
        "sources: [{type: log, url: 'jdbc:x', table: t, pieces: {key: a, sequence: b}}]",
        "sources: [files: a]\nguard: {seconds: '${env:SECONDS}', memory_mb: 100}\nspark: {conf: {a.b: true, c: 1}}",
        "sources: [files: a]\ncatalogs: [{type: atlas}, {type: openlineage, file: a}]",
        "defaults: {dialect: hive}\njobs: [{sources: [files: a]}]",
        "defaults: {sources: [files: a]}\njobs: [{name: b}]",
    ],
)
def test_the_schema_takes_what_is_right(text: str, load: Load) -> None:
    assert errors_of(yaml.safe_load(text)) == []
    load(text.replace("${env:SECONDS}", "5").replace("{type: atlas}", "{type: atlas, url: x}"))


@pytest.mark.parametrize(
    "text",
    [
        "dialect: hive",
        "sources: [files: a]\nstor: x",
        "sources: [{files: a, exlude: b}]",
        "sources: [{log: h.csv, colums: {}}]",
        "sources: [{table: a.b, preset: databricks, nme: x}]",
        "sources: [{name: x}]",
        "sources: [files: a]\ncatalogs: [{type: x}]",
        "sources: [files: a]\nguard: {seconds: 0}",
        "jobs: []",
        "jobs: [{sources: [files: a]}]\ndialect: hive",
    ],
)
def test_the_schema_refuses_what_is_wrong(text: str) -> None:
    assert errors_of(yaml.safe_load(text))


def test_every_key_is_explained() -> None:
    unexplained = [
        f"{name}.{key}"
        for name, definition in settings_schema()["$defs"].items()
        for key, field in definition.get("properties", {}).items()
        if name not in ("SourceEntry",) and not field.get("description") and "$ref" not in field
    ]
    assert unexplained == []
