"""Every preset reads a log as its vendor writes it."""

from __future__ import annotations

import os
from datetime import datetime, timezone
from pathlib import Path

import pytest
from pydantic import ValidationError
from vendor_logs import FOLDER, PRESETS, as_document, expected_file, vendor_log

from connector import analyze
from connector.errors import ConfigurationError, SourceError
from connector.sources import Defaults, LogSource, Tally, read_plain
from connector.sources.logs.layout import layout_of, load_preset
from connector.sql.dialects import get_dialect


@pytest.mark.parametrize("preset", PRESETS)
def test_a_vendors_log_is_read(preset: str) -> None:
    tally = Tally()
    found = as_document(list(read_plain(vendor_log(preset), tally=tally)), tally)
    if os.environ.get("LINEAGE_UPDATE") == "1":
        expected_file(preset).write_text(found, encoding="utf-8")
    assert found == expected_file(preset).read_text(encoding="utf-8")


@pytest.mark.parametrize("preset", PRESETS)
def test_what_is_read_can_be_analysed(preset: str) -> None:
    for statement in read_plain(vendor_log(preset)):
        if not statement.truncated:
            lineage = analyze(
                statement.text,
                statement.dialect,
                default_database=statement.database,
                default_schema=statement.schema,
            )
            assert lineage.problems == []


@pytest.mark.parametrize("preset", PRESETS)
def test_a_preset_knows_its_dialect_and_its_query(preset: str) -> None:
    known = load_preset(preset)
    assert get_dialect(known.dialect).name == known.dialect
    assert known.query
    assert analyze(known.query, known.dialect).problems == []


def test_presets_have_several_names() -> None:
    assert load_preset("Redshift") == load_preset("sys_query_history") == load_preset("redshift-sys")
    assert load_preset("V$SQL") == load_preset("oracle")
    with pytest.raises(ConfigurationError, match="did you mean teradata"):
        load_preset("terradata")


def test_settings_count_more_than_the_preset() -> None:
    source = LogSource(
        paths=("x.csv",),
        preset="snowflake",
        dialect="redshift",
        columns={"text": "SQL"},  # type: ignore[arg-type]
        only={"EXECUTION_STATUS|Status": ("DONE",)},
        timezone="Europe/Berlin",
    )
    layout, preset = layout_of(source), load_preset("snowflake")
    assert layout.columns.text == ("SQL",)
    assert layout.columns.user == preset.columns.user
    assert layout.only == {"EXECUTION_STATUS|Status": ("DONE",)}
    assert layout.without == preset.without
    assert layout.timezone == "Europe/Berlin"


def log_of(tmp_path: Path, text: str, **settings: object) -> LogSource:
    file = tmp_path / "log.csv"
    file.write_text(text, encoding="utf-8")
    return LogSource.model_validate({"name": "log", "paths": str(file), **settings})


def test_columns_of_ones_own(tmp_path: Path) -> None:
    source = log_of(
        tmp_path,
        "stmt;who;at;secs;lang;ok;sid;grp\n"
        '"select ""a"";\nselect 2";ana;01.05.2024 11:00;1.5;T-SQL;1;7;x\n'
        "select 3;bob;01.12.2024 11:00;;klingon;yes;8;x\n"
        "select 4;bob;01.12.2024 11:00;;;0;8;x\n",
        delimiter=";",
        columns={
            "text": "STMT",
            "user": "who",
            "started_at": "at",
            "duration": "secs",
            "dialect": "lang",
            "session_id": "grp+sid",
        },
        only={"OK": [1, True, "yes"]},
        time_formats="%d.%m.%Y %H:%M",
        timezone="Europe/Berlin",
        duration_unit="s",
        default_schema="core",
    )
    first, second = read_plain(source, Defaults("oracle", "prod", "shop", "public"))
    assert first.text == 'select "a";\nselect 2'
    assert (first.dialect, second.dialect) == ("mssql", "oracle")
    assert (first.user, first.duration_ms, first.session_id) == ("ana", 1500, "x+7")
    assert first.started_at == datetime(2024, 5, 1, 9, tzinfo=timezone.utc)
    assert second.started_at == datetime(2024, 12, 1, 10, tzinfo=timezone.utc)
    assert (first.database, first.schema, first.cluster, first.source) == ("shop", "core", "prod", "log")


def test_rows_from_before_are_left_out_and_rows_without_a_time_are_not(tmp_path: Path) -> None:
    source = log_of(
        tmp_path,
        "q,t\nselect 1,2024-05-01\nselect 2,2024-05-02T00:00:00Z\nselect 3,\n",
        columns={"text": "q", "started_at": "t"},
    )
    tally = Tally()
    found = list(read_plain(source, since=datetime(2024, 5, 2, tzinfo=timezone.utc), tally=tally))
    assert [each.text for each in found] == ["select 2", "select 3"]
    assert (tally.read, tally.old, tally.passed_over) == (2, 1, 0)


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({}, "no column is configured for the statement; set preset, or map the columns of the log with columns: q, t"),
        ({"preset": "snowflake"}, "no column for the statement (QUERY_TEXT or SQL Text); the log has q, t"),
        (
            {"columns": {"text": "q", "user": "tt"}},
            "no column for user (tt); did you mean t?; the log has q, t",
        ),
        (
            {"columns": {"text": "q"}, "texts": "log.csv"},
            "set pieces, with its key and sequence, to define how the pieces of a text are assembled",
        ),
    ],
)
def test_a_column_that_is_missing_is_said(tmp_path: Path, settings: dict[str, object], message: str) -> None:
    if "texts" in settings:
        settings = {**settings, "texts": str(tmp_path / "log.csv")}
    with pytest.raises(SourceError) as caught:
        list(read_plain(log_of(tmp_path, "q,t\nselect 1,2024-05-01\n", **settings)))
    assert str(caught.value) == f"{tmp_path / 'log.csv'}: {message}"


def test_an_unknown_preset_is_a_mistake_of_the_settings() -> None:
    with pytest.raises(ValidationError, match="did you mean snowflake"):
        LogSource(paths=("x.csv",), preset="snowflak")


def test_svl_statementtext_has_no_number_of_the_query(tmp_path: Path) -> None:
    source = log_of(
        tmp_path,
        "userid,xid,pid,label,starttime,endtime,sequence,type,text\n"
        "100,7,55,default,2024-05-01 09:00:00.5,2024-05-01 09:00:01,1,QUERY,from core.orders\n"
        "100,7,55,default,2024-05-01 09:00:02,2024-05-01 09:00:03,0,DDL,create table a (b int)\n"
        "100,7,55,default,2024-05-01 09:00:00.5,2024-05-01 09:00:01,0,QUERY,select 1\n",
        preset="redshift_stl",
    )
    found = sorted(each.text for each in read_plain(source))
    assert found == ["create table a (b int)", "select 1".ljust(200) + "from core.orders"]


def test_the_logs_have_no_stray_files() -> None:
    assert {path.name.split(".")[0] for path in FOLDER.iterdir()} == set(PRESETS)
