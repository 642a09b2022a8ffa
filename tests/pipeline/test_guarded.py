"""Texts that nobody can analyse, among others that anybody can."""

from __future__ import annotations

import time
from pathlib import Path

import pytest

from connector import Lineage
from connector.guard import Guard, Limits
from connector.options import Options
from connector.pipeline.context import AnalysisContext, save_context
from connector.pipeline.guarded import GuardedIdentification, guarded_results, new_guard
from connector.pipeline.plain import analyse_plain, collect_units
from connector.pipeline.results import UnitResult
from connector.pipeline.storage import Storage
from connector.pipeline.units import Question, Unit, UnitText
from connector.sources.record import SourceStatement

LIMITS = Limits(2.0, 150)
CONTEXT = AnalysisContext(Options(), LIMITS)

STOPPED = {"timeout", "memory"}
ENDLESS = "insert into poisoned select " + "date (" * 40 + "a" + ")" * 40 + " from t"
"""The grammar tries a type and then a function, at each of forty levels. It runs out of memory or of time."""
HUGE = "insert into poisoned select a" + " + a" * 600_000 + " from t"


def unit(number: int, *texts: str, statements: int = 1) -> Unit:
    return Unit(f"k{number:03}", "snowflake", None, tuple(UnitText(text) for text in texts), "log", 1, statements)


def targets(results: list[UnitResult]) -> list[str]:
    return [
        relation["target"]["table"]
        for result in results
        if result.complete is not None
        for relation in Lineage(result.model).to_dict("table")["relations"]
    ]


def analyse(units: list[Unit], folder: Path) -> list[UnitResult]:
    storage = Storage(str(folder))
    context = storage.local_copy(save_context(CONTEXT, storage))
    with Guard("crashing_tasks:perform_or_crash", LIMITS) as guard:
        return list(guarded_results(units, guard, context))


def test_the_one_to_blame_is_reported_and_its_neighbours_are_analysed(tmp_path: Path) -> None:
    poison = {7: (ENDLESS, STOPPED), 20: (HUGE, STOPPED), 33: ("insert into crash_here select 1", {"crash"})}
    units = [
        unit(number, poison[number][0] if number in poison else f"insert into t{number} select a from s")
        for number in range(40)
    ]
    results = analyse(units, tmp_path)
    assert [result.key for result in results] == [each.key for each in units]
    failed = {int(result.key[1:]): result.reason for result in results if result.status == "failed"}
    assert failed.keys() == poison.keys()
    assert all(failed[number] in reasons for number, (_, reasons) in poison.items())
    assert targets(results) == [f"t{number}" for number in range(40) if number not in poison]


def test_of_a_script_only_the_statement_to_blame_is_lost(tmp_path: Path) -> None:
    script = (
        "create temporary table work as select a from source_one;\n"
        f"{ENDLESS};\n"
        "insert into result select a from work;\n"
    )
    results = analyse([unit(1, script, statements=3)], tmp_path)
    assert [(result.part, result.status) for result in results] == [(0, "ok"), (1, "failed")]
    assert results[1].reason in STOPPED
    assert targets(results) == ["result"]
    [relation] = Lineage(results[0].model).to_dict("table")["relations"]
    assert relation["source"]["table"] == "source_one"
    assert results[1].line == 2
    assert results[1].texts == [ENDLESS]


def test_of_a_session_only_the_statement_to_blame_is_lost(tmp_path: Path) -> None:
    texts = ["use schema s", "insert into crash_here select 1", "insert into result select a from b"]
    results = analyse([unit(1, *texts, statements=3)], tmp_path)
    assert [(result.part, result.status, result.reason) for result in results] == [
        (0, "ok", None),
        (1, "failed", "crash"),
    ]
    [relation] = Lineage(results[0].model).to_dict("table")["relations"]
    assert relation["target"]["qualifiedName"] == "default.s.result@default"


def test_depth_is_analysed_or_told() -> None:
    rows = [
        SourceStatement(
            "insert into o select " + "(" * depth + "a" + ")" * depth + " from t", "snowflake", origin=str(depth)
        )
        for depth in (3_000, 100_000)
    ]
    context = AnalysisContext(Options(), Limits(30, 500))
    results = {result.origin: result for result in analyse_plain(collect_units(rows, context).units, context)}
    assert targets([results["3000"]]) == ["o"]
    deep = results["100000"]
    told = deep.message if deep.complete is None else deep.complete.problems[0].message
    assert told in (
        "The SQL is nested too deeply",
        "the statement is nested too deeply",
        "The memory limit of 500 MB was exceeded",
    )


def test_texts_that_cannot_be_taken_apart_are_told_and_do_not_hold_up_the_others() -> None:
    began = time.monotonic()
    questions = [Question(f"select {number}", "snowflake", "shape") for number in range(30)]
    questions[11] = Question("select a" + ", a" * 4_000_000, "snowflake", "shape")
    with new_guard(LIMITS) as guard:
        found = list(GuardedIdentification(guard).identify(questions))
    assert [number for number, each in enumerate(found) if each.reason] == [11]
    assert found[11].reason in ("memory", "timeout")
    assert len(found[11].identities) == 1
    assert time.monotonic() - began < 60


@pytest.mark.parametrize("guarded", [True, False])
def test_with_and_without_a_guard_the_results_are_the_same(guarded: bool) -> None:
    rows = [SourceStatement(f"insert into t{at} select a from s{at}", "snowflake", origin="x") for at in range(5)]
    collected = collect_units(rows, CONTEXT, guarded=guarded)
    results = list(analyse_plain(collected.units, CONTEXT, guarded=guarded))
    assert sorted(targets(results)) == [f"t{at}" for at in range(5)]
