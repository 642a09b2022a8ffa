"""SQL files, folders, globs and archives."""

from __future__ import annotations

import zipfile
from pathlib import Path
from typing import Any

import pytest

from connector.errors import SourceError
from connector.sources import Defaults, FilesSource, LogSource, check_source, read_plain


def files(*paths: Path | str, **settings: Any) -> FilesSource:
    return FilesSource.model_validate({"name": "etl", "paths": [str(path) for path in paths], **settings})


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for name, text in {
        "b.sql": "select 2",
        "a.SQL": "select 1",
        "sub/c.hql": "select 3",
        "sub/notes.md": "no",
        "sub/old/c.sql": "select 4",
    }.items():
        file = tmp_path / "sql" / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)
    with zipfile.ZipFile(tmp_path / "sql.zip", "w") as archive:
        archive.writestr("z/one.sql", "select 'größe'".encode("utf-16"))
        archive.writestr("__MACOSX/z/one.sql", "no")
        archive.writestr("readme.pdf", "no")
    return tmp_path


def test_a_folder_is_read_with_what_is_below_it(folder: Path) -> None:
    source = files(folder / "sql", dialect="hive", default_schema="core")
    found = list(read_plain(source, Defaults("oracle", "prod", "shop", "public")))
    assert [(each.origin, each.text, each.sequence) for each in found] == [
        ("a.SQL", "select 1", 0),
        ("b.sql", "select 2", 1),
        ("sub/c.hql", "select 3", 2),
        ("sub/old/c.sql", "select 4", 3),
    ]
    one = found[0]
    assert (one.dialect, one.kind, one.first_line, one.source) == ("hive", "script", 1, "etl")
    assert (one.database, one.schema, one.cluster) == ("shop", "core", "prod")
    assert (one.started_at, one.user, one.run_id) == (None, None, None)


@pytest.mark.parametrize(
    ("paths", "settings", "names"),
    [
        (["sql/b.sql"], {}, ["b.sql"]),
        (["sql/**/*.sql"], {}, ["b.sql", "sub/old/c.sql"]),
        (["sql/sub"], {"exclude": "old/*"}, ["c.hql"]),
        (["sql"], {"exclude": ["c.*", "b.sql"]}, ["a.SQL"]),
        (["sql.zip"], {}, ["sql.zip/z/one.sql"]),
        (["sql/b.sql", "sql", "sql/**/*"], {"exclude": "*/c.*"}, ["a.SQL", "b.sql"]),
        (["sql/sub/*.md"], {}, ["notes.md"]),
    ],
)
def test_what_is_read_can_be_chosen(folder: Path, paths: list[str], settings: dict[str, Any], names: list[str]) -> None:
    source = files(*(folder / path for path in paths), **settings)
    assert [each.origin for each in read_plain(source)] == names


def test_encodings_are_found_out_or_told(folder: Path) -> None:
    (found,) = read_plain(files(folder / "sql.zip"))
    assert found.text == "select 'größe'"
    (folder / "latin.sql").write_bytes("select 'größe'".encode("cp1252"))
    for settings in ({}, {"encoding": "cp1252"}):
        (found,) = read_plain(files(folder / "latin.sql", **settings))
        assert found.text == "select 'größe'"
    with pytest.raises(SourceError, match=r"latin\.sql: cannot decode latin\.sql as utf-8: invalid start byte"):
        list(read_plain(files(folder / "latin.sql", encoding="utf-8")))


@pytest.mark.parametrize(
    ("path", "message"),
    [
        ("none.sql", "none.sql: no such file or folder"),
        ("sql/*.none", "*.none: no SQL file found (.bteq, "),
        ("empty", "empty: no SQL file found (.bteq, "),
    ],
)
def test_a_path_without_files_is_a_mistake(folder: Path, path: str, message: str) -> None:
    (folder / "empty").mkdir()
    with pytest.raises(SourceError) as caught:
        list(read_plain(files(folder / path)))
    assert message in str(caught.value)
    (finding,) = check_source(files(folder / path))
    assert (finding.level, finding.message) == ("error", str(caught.value))


def test_an_archive_that_is_broken_is_said(folder: Path) -> None:
    data = bytearray((folder / "sql.zip").read_bytes())
    data[60:70] = b"0123456789"
    (folder / "sql.zip").write_bytes(data)
    with pytest.raises(SourceError, match=r"sql\.zip: z/one\.sql: "):
        list(read_plain(files(folder / "sql.zip")))


def test_the_check_counts_files(folder: Path) -> None:
    (finding,) = check_source(files(folder / "sql"))
    assert (finding.level, finding.message) == ("ok", f"{folder / 'sql'}: 4 SQL files")


def log(tmp_path: Path, text: str, **settings: Any) -> LogSource:
    (tmp_path / "log.csv").write_text(text)
    return LogSource.model_validate({"name": "log", "paths": str(tmp_path / "log.csv"), **settings})


@pytest.mark.parametrize(
    ("text", "settings", "levels", "message"),
    [
        (
            "QUERY_TEXT,START_TIME\nselect 1,2024-05-01\n",
            {"preset": "snowflake"},
            ["ok"],
            "columns for text, started_at",
        ),
        ("QUERY_TEXT\n", {"preset": "snowflake"}, ["warning"], "the log has no rows"),
        ("q\nselect 1\n", {"preset": "snowflake"}, ["error"], "no column for the statement"),
        (
            "QUERY_TEXT,EXECUTION_STATUS\nselect 1,OK\n",
            {"preset": "snowflake"},
            ["ok", "warning"],
            "none of the first 1 rows is selected",
        ),
        (
            "q,t\nselect 1,5/1/2024\n",
            {"columns": {"text": "q", "started_at": "t"}},
            ["ok", "error"],
            "cannot parse the times; set time_formats",
        ),
        (
            "q,u\nselect 1,\n",
            {"columns": {"text": "q", "user": "u"}},
            ["ok", "warning"],
            "none of the first 1 rows has a value for user (u)",
        ),
    ],
)
def test_a_log_is_checked(tmp_path: Path, text: str, settings: dict[str, Any], levels: list[str], message: str) -> None:
    found = check_source(log(tmp_path, text, **settings))
    assert [finding.level for finding in found] == levels
    assert message in found[-1].message


def test_a_log_of_spark_is_not_looked_at_without_it() -> None:
    for source in (
        LogSource(table="a.b", preset="hive"),
        LogSource(paths=("s3a://b/x.csv",), preset="hive"),
        LogSource(url="jdbc:x:y", table="t"),
    ):
        (finding,) = check_source(source)
        assert (finding.level, finding.failed) == ("warning", False)
        assert finding.message.endswith("not checked because only Spark can read this log")
