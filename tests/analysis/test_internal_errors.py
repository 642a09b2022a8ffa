"""A fault of this program is called one: its type and its place in our code, and the other statements go on."""

from __future__ import annotations

import logging
from typing import Any

import pytest
from sqlglot import exp

from connector import analyze
from connector.analysis.routines import reader
from connector.analysis.statements import READERS

SQL = "insert into a (x) select y from t;\nupdate b set x = 1;\ninsert into c (x) select y from t"


def broken(*_: Any) -> None:
    raise KeyError("this")


def test_it_is_reported_with_its_place(monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture) -> None:
    monkeypatch.setitem(READERS, exp.Update, broken)
    with caplog.at_level(logging.WARNING, "connector"):
        lineage = analyze(SQL)
    (problem,) = lineage.problems
    assert problem.type == "InternalError"
    assert "KeyError in connector/analysis/analyser.py, line " in problem.message
    assert problem.span[0].position(problem.span[1]) == (2, 1)
    (record,) = caplog.records
    assert record.levelno == logging.WARNING
    assert record.getMessage().startswith("statement:2: internal error (KeyError in connector/analysis/")
    assert [str(name) for name in lineage.targets] == ["a", "b", "c"]


def test_so_is_one_inside_a_routine(monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture) -> None:
    monkeypatch.setitem(READERS, exp.Update, broken)
    lineage = analyze(f"create procedure p as begin\n{SQL}; end", "mssql")
    assert [problem.type for problem in lineage.problems] == ["InternalError"]
    assert {str(name) for name in lineage.targets} >= {"a", "c"}
    assert any("internal error (KeyError" in record.getMessage() for record in caplog.records)


def test_so_is_one_of_the_reader_of_routines(monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture) -> None:
    monkeypatch.setattr(reader, "read_body", broken)
    routine = "create procedure p as begin insert into b (x) select y from s end"
    lineage = analyze(
        f"insert into a (x) select y from t;\ngo\n{routine}\ngo\ninsert into c (x) select y from t", "mssql"
    )
    (problem,) = lineage.problems
    assert problem.type == "InternalError"
    assert "KeyError in connector/analysis/routines/reader.py, line " in problem.message
    assert problem.span[0].position(problem.span[1]) == (3, 1)
    assert {str(name) for name in lineage.targets} >= {"a", "c"}
    assert {process.procedure_name for process in lineage.model.processes if process.type == "Insert"} == {
        "batchQueries"
    }
    assert any("internal error (KeyError" in record.getMessage() for record in caplog.records)
