"""What is damaged costs itself alone: one sentence with its name, the other sources and jobs go on, the code is right."""

from __future__ import annotations

import errno
import gzip
import json
import lzma
import re
import socket
import sqlite3
import zipfile
from pathlib import Path
from typing import TYPE_CHECKING

import jsonschema
import pyarrow as pa
import pytest
from collecting_service import collecting_service
from deltalake import DeltaTable
from fake_atlas import FakeAtlas
from planted import LITERALS, SCRIPT, SECRET
from pyarrow import parquet

from connector.pipeline.run_report import report_schema

if TYPE_CHECKING:
    from conftest import Project

pytestmark = pytest.mark.usefixtures("spark")

ROWS = "query_text,start_time\n" + "insert into core.q (x) select a from raw.u where b > 1,2026-01-01T00:00:00Z\n" * 500


def cut(data: bytes) -> bytes:
    """The first two thirds, with the middle overwritten."""
    kept = bytearray(data[: len(data) * 2 // 3])
    middle = len(kept) // 2
    kept[middle : middle + 20] = b"\xff" * len(kept[middle : middle + 20])
    return bytes(kept)


def packed_gzip(folder: Path) -> str:
    (folder / "log.csv.gz").write_bytes(cut(gzip.compress(ROWS.encode())))
    return "log: log.csv.gz, columns: {text: query_text}"


def packed_xz(folder: Path) -> str:
    (folder / "log.csv.xz").write_bytes(cut(lzma.compress(ROWS.encode())))
    return "log: log.csv.xz, columns: {text: query_text}"


def an_archive(folder: Path) -> str:
    with zipfile.ZipFile(folder / "sql.zip", "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("a.sql", "insert into a select b from c;\n" * 100)
    (folder / "sql.zip").write_bytes(cut((folder / "sql.zip").read_bytes()))
    return "files: sql.zip"


def a_bomb(folder: Path) -> str:
    with zipfile.ZipFile(folder / "bomb.zip", "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("a.sql", "--" + " " * 5_000_000)
    return "files: bomb.zip"


def damaged_parquet(folder: Path) -> str:
    table = pa.table({"query_text": ["select a from b"] * 5000})
    parquet.write_table(table, folder / "log.parquet", compression="none", use_dictionary=False)
    data = bytearray((folder / "log.parquet").read_bytes())
    data[10:2000] = b"\xff" * 1990
    (folder / "log.parquet").write_bytes(data)
    return "log: log.parquet, columns: {text: query_text}"


def no_parquet(folder: Path) -> str:
    (folder / "log.parquet").write_bytes(b"PAR1" + b"\0" * 100)
    return "log: log.parquet, columns: {text: query_text}"


def deep_json(folder: Path) -> str:
    (folder / "log.json").write_text("[" * 50_000 + "]" * 50_000)
    return "log: log.json, columns: {text: query_text}"


def deep_manifest(folder: Path) -> str:
    (folder / "manifest.json").write_text('{"nodes": ' + "[" * 50_000 + "]" * 50_000 + "}")
    return "dbt: manifest.json"


def odd_manifest(folder: Path) -> str:
    nodes = {"model.a.b": {"resource_type": "model", "name": "b", "config": [1], "compiled_code": "select 1"}}
    (folder / "manifest.json").write_text(json.dumps({"nodes": nodes, "metadata": {"adapter_type": "postgres"}}))
    return "dbt: manifest.json"


def node_of_nothing(folder: Path) -> str:
    (folder / "manifest.json").write_text(json.dumps({"nodes": {"model.a.b": 7}}))
    return "dbt: manifest.json"


def empty_log(folder: Path) -> str:
    (folder / "log.csv").write_bytes(b"")
    return "log: log.csv, columns: {text: query_text}"


def damaged_database(folder: Path) -> str:
    file = folder / "source.db"
    with sqlite3.connect(file) as database:
        for number in range(200):
            database.execute(f"create view v{number} as select {number} as a, '{'x' * 200}' as b")
    database.close()
    data = bytearray(file.read_bytes())
    data[4096:] = b"\xff" * (len(data) - 4096)
    file.write_bytes(data)
    return f"database: 'sqlite:///{file}'"


FAULTS = (
    packed_gzip,
    packed_xz,
    an_archive,
    a_bomb,
    damaged_parquet,
    no_parquet,
    deep_json,
    deep_manifest,
    odd_manifest,
    node_of_nothing,
    empty_log,
    damaged_database,
)


def test_damaged_sources_cost_themselves_alone(project: Project) -> None:
    sources = []
    for fault in FAULTS:
        folder = project / fault.__name__
        folder.mkdir()
        kind, file, *more = re.split(r": |, ", fault(folder), maxsplit=2)
        place = file if "://" in file else f"{folder}/{file}"
        sources.append(f"  - {{name: {fault.__name__}, {', '.join([f'{kind}: {place}', *more])}}}\n")
    project.settings(
        whole="dialect: snowflake\nspark: {partitions: 2}\nsources:\n"
        + "".join(sources)
        + "  - {name: good, files: sql/}\n"
    )
    result = project.call("run", "--report", str(project / "report.json"))
    assert result.exit_code == 2, result.output
    assert "Traceback" not in result.output
    document = json.loads((project / "report.json").read_text())
    jsonschema.validate(document, report_schema())
    (job,) = document["jobs"]
    errors = {each["name"]: each["error"] for each in job["sources"]}
    assert errors.pop("good") is None
    assert job["table_edges"] == 1, "the good source was analysed"
    assert set(errors) == {fault.__name__ for fault in FAULTS}
    for name, error in errors.items():
        assert result.stderr.count(f"lineage: {name} cannot be read: {error}\n") == 1, name
        assert str(project / name) in error, f"{error}: which file?"


def test_a_source_that_may_be_back_is_code_3(project: Project) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        port = taken.getsockname()[1]
        project.settings(
            whole="dialect: snowflake\nspark: {partitions: 2}\nsources:\n"
            f"  - {{name: away, database: 'postgresql://u:hidden-word@127.0.0.1:{port}/d'}}\n"
            "  - {name: good, files: sql/}\n"
        )
        result = project.call("run")
    assert result.exit_code == 3, result.output
    assert result.stderr.count("away cannot be read") == 1
    assert "hidden-word" not in result.output
    assert "good" in result.stdout


def test_a_damaged_store_costs_its_job_alone(project: Project) -> None:
    both(project)
    assert project.call("run", "--job", "first").exit_code == 0
    file = project / "first.db"
    data = bytearray(file.read_bytes())
    data[4096:] = b"\xff" * (len(data) - 4096)
    file.write_bytes(data)
    project.script("more.sql", "insert into core.p (x) select a from core.o;\n")
    result = project.call("run")
    assert result.exit_code == 2, result.output
    assert "first: The store" in result.stderr
    assert "is damaged" in result.stderr
    assert "second: done" in result.stdout


def test_a_store_without_a_version_costs_its_job_alone(project: Project) -> None:
    both(project)
    assert project.call("run", "--job", "first").exit_code == 0
    with sqlite3.connect(project / "first.db") as database:
        database.execute("delete from lineage_schema_version")
    database.close()
    project.script("more.sql", "insert into core.p (x) select a from core.o;\n")
    result = project.call("run")
    assert result.exit_code == 2, result.output
    assert "version is unknown" in result.stderr
    assert "second: done" in result.stdout


@pytest.mark.parametrize(("number", "code"), [(errno.EROFS, 2), (errno.ENOSPC, 3)])
def test_a_file_system_that_takes_nothing(
    number: int, code: int, project: Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    both(project)
    from connector.pipeline import run as module

    original = module.deliver_to_store

    def refusing(job: object, *others: object) -> object:
        if job.name == "first":  # type: ignore[attr-defined]
            raise OSError(number, "the file system refuses", "first.db")
        return original(job, *others)  # type: ignore[arg-type]

    monkeypatch.setattr(module, "deliver_to_store", refusing)
    result = project.call("run")
    assert result.exit_code == code, result.output
    assert "first: " in result.stderr
    assert "the file system refuses" in result.stderr
    assert "second: done" in result.stdout


def test_a_bug_costs_its_job_alone(project: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    both(project)
    from connector.pipeline import run as module

    original = module.read_scripts

    def stumbling(job: object, *others: object) -> object:
        if job.name == "first":  # type: ignore[attr-defined]
            raise ZeroDivisionError("at postgresql://u:hidden-word@h/d")
        return original(job, *others)  # type: ignore[arg-type]

    monkeypatch.setattr(module, "read_scripts", stumbling)
    result = project.call("run")
    assert result.exit_code == 2
    assert "first: unexpected failure: ZeroDivisionError" in result.stderr
    assert "hidden-word" not in result.output
    assert "Traceback" not in result.stderr
    assert "second: done" in result.stdout


def test_a_malformed_row_is_told_and_costs_itself_alone(project: Project) -> None:
    deep = '{"q": "insert into lost select a from t", "plan": ' + "[" * 50_000 + "]" * 50_000 + "}"
    rows = [deep, '{"q": "insert into o select a from t"}', '{"q": "insert into half sel']
    (project / "log.jsonl").write_text("\n".join(rows) + "\n")
    project.settings(
        whole="dialect: snowflake\nspark: {partitions: 2}\nreport: report.json\n"
        "sources:\n  - {name: history, log: log.jsonl, columns: {text: q}}\n"
    )
    result = project.call("run")
    assert result.exit_code == 1, result.output
    assert "history: 2 rows are malformed and skipped" in result.stderr
    (job,) = json.loads((project / "report.json").read_text())["jobs"]
    assert job["status"] == "failures"
    (source,) = job["sources"]
    assert (source["rows"], source["malformed"], source["passed_over"]) == (1, 2, 0)


def both(project: Project) -> None:
    project.settings(
        whole="defaults:\n  dialect: snowflake\n  spark: {partitions: 2}\njobs:\n"
        "  - {name: first, sources: [{files: sql/}], store: first.db}\n"
        "  - {name: second, sources: [{files: sql/}], store: second.db}\n"
    )


def test_no_secret_and_no_literal_reaches_an_output(project: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    """Literals are in the statements that the store and the tables keep, and in nothing else: not even in names there."""
    monkeypatch.setenv("ATLAS_PASSWORD", SECRET)
    project.script("card.sql", SCRIPT)
    project.script("bad.sql", f"select ( from where (( '{LITERALS[0]}';\n")
    with FakeAtlas() as atlas, collecting_service() as collector:
        project.settings(
            "html: page.html\nreport: report.json\nprometheus: run.prom\ncatalogs:\n"
            f"  - {{type: atlas, url: 'https://admin:{SECRET}@127.0.0.1:1', attempts: 1}}\n"
            f"  - {{type: openlineage, url: 'https://admin:{SECRET}@127.0.0.1:1', attempts: 1}}\n"
            f"  - {{type: atlas, url: '{atlas.url}', user: u, state: atlas.db}}\n"
            f"  - {{type: openlineage, url: '{collector.url}'}}\n"
            "  - {type: openlineage, file: events.jsonl}\n"
        )
        result = project.call("run", "--verbose")
        requests = [json.dumps(request.body, ensure_ascii=False) for request in atlas.requests]
        events = [json.dumps(event, ensure_ascii=False) for event in collector.events]
    assert result.exit_code == 2, result.output
    assert len(requests) > 3
    assert len(events) > 3
    texts = {"output": result.output, "Atlas": "\n".join(requests), "OpenLineage": "\n".join(events)}
    texts |= {name: (project / name).read_text() for name in ("page.html", "report.json", "run.prom", "events.jsonl")}
    for name, text in texts.items():
        assert "127.0.0.1:1" in text or name not in ("output", "report.json", "run.prom"), name
        assert SECRET not in text, name
        assert not [literal for literal in LITERALS if literal in text], name
        if name in ("Atlas", "OpenLineage", "page.html", "events.jsonl", "run.prom"):
            assert str(project.folder) not in text, f"{name}: a path of this machine"
    with sqlite3.connect(project / "lineage.db") as store:
        names = json.dumps(store.execute("select * from sqlflow_columns").fetchall(), default=str)
        statements = "\n".join(store.iterdump())
    store.close()
    tables = DeltaTable(str(project / "lineage-tables" / "column_edges")).to_pyarrow_table()
    names += json.dumps(tables.select(["source", "target", "source_table", "target_table"]).to_pylist())
    units = DeltaTable(str(project / "lineage-tables" / "units")).to_pyarrow_table()
    statements += "\n".join(text for texts in units["texts"].to_pylist() for text in texts)
    assert statements.count("aws_secret_key = ") >= 2, "the statement is kept"
    assert f"aws_secret_key = '{SECRET}'" not in statements.replace("''", "'")
    assert "case when card = ? then x else ? end #" in names
    assert not [word for word in (SECRET, *LITERALS) if word in names]


class Killed(BaseException):
    """The end of a process as nothing catches it."""


@pytest.mark.parametrize("stage", ["connector.pipeline.run.deliver_to_store", "connector.cli.run._write_files"])
def test_failures_of_a_run_that_was_killed_behind_its_last_commit(
    project: Project, monkeypatch: pytest.MonkeyPatch, stage: str
) -> None:
    project.script("bad.sql", "insert into core.o (x) select from where;\n")

    def kill(*_: object) -> None:
        raise Killed

    with monkeypatch.context() as patched:
        patched.setattr(stage, kill)
        with pytest.raises(Killed):
            project.call("run")
    following = project.call("run", "--report", "-")
    assert following.exit_code == 1, following.output
    (job,) = json.loads(following.stdout)["jobs"]
    assert (job["failed"], job["analysed"]) == (1, 0)
    assert [Path(failure["origin"]).name for failure in job["failures"]] == ["bad.sql"]
    assert project.call("run").exit_code == 0, "failures are reported once"
