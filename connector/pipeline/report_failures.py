"""The part of a report that needs attention: units without lineage, statements that failed, and the slowest and largest ones.

A script with one broken statement is not lost, but the statement counts as a failure all the same, as `analyze` counts it,
because its lineage is missing.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import chain
from typing import Any

import pyarrow.compute as pc

from connector.model import FAILURES
from connector.pipeline.commits import Commit
from connector.pipeline.files import LEVELS, Attempt
from connector.pipeline.run_report import FailedUnit, RunReport, WorstUnit
from connector.pipeline.stored import batches_in
from connector.pipeline.tables import LineageTables
from connector.sql.dialects import get_dialect
from connector.sql.identity import mask_literals

_COLUMNS = ["key", "source", "origin", "line", "dialect", "texts", "problems"]
_FAILURE = ("reason", "message", "source", "origin", "line", "size")
_AT_ONCE = 1000
_SHOWN = 160
_LISTED = 20
_WORST = 10


def tell_failures(report: RunReport, tables: LineageTables, commits: Sequence[Commit]) -> None:
    """Fill in what has become of the units of some commits."""
    report.column_edges, report.table_edges = (sum(commit.rows.get(level, 0) for commit in commits) for level in LEVELS)
    report.errors, report.failed, report.problems = _problem_classes(tables, commits)
    failures = _failed_units(tables, commits, _LISTED)
    lost, listed = failed_statements(tables, commits, _LISTED)
    report.failed += lost
    report.problems -= lost
    report.failures = [*failures, *listed][:_LISTED]


def _failed_units(tables: LineageTables, commits: Sequence[Commit], most: int) -> list[FailedUnit]:
    """The first results without a model, by key."""
    found: list[dict[str, Any]] = []
    columns = ["key", "part", "status", *_FAILURE, "dialect", "texts"]
    for batch in batches_in(tables, "units", commits, columns, _AT_ONCE):
        found.extend(batch.filter(pc.equal(batch.column("status"), "failed")).to_pylist())
    found.sort(key=lambda row: (row["key"], row["part"]))
    return [
        FailedUnit(
            **{name: row[name] for name in _FAILURE},
            text=_shown(row["texts"][0] if row["texts"] else "", row["dialect"]),
        )
        for row in found[:most]
    ]


def _problem_classes(tables: LineageTables, commits: Sequence[Commit]) -> tuple[dict[str, int], int, int]:
    """How often each class of failure and problem occurs; how many failures and how many problems there are."""
    classes: dict[str, int] = {}
    failed = problems = 0
    for batch in batches_in(tables, "units", commits, ["reason", "problems"]):
        for reason in batch.column("reason").drop_null().to_pylist():
            classes[reason] = classes.get(reason, 0) + 1
            failed += 1
        for kind in batch.column("problems").flatten().field("type").to_pylist():
            classes[kind] = classes.get(kind, 0) + 1
            problems += 1
    return dict(sorted(classes.items(), key=lambda item: (-item[1], item[0]))), failed, problems


def tell_worst(report: RunReport, written: Sequence[Attempt]) -> None:
    """Fill in which units took longest, and which are largest."""

    def worst(rows: Iterable[dict[str, Any]], measure: str) -> list[WorstUnit]:
        chosen = sorted(rows, key=lambda row: row[measure], reverse=True)[:_WORST]
        return [
            WorstUnit(
                row["seconds"],
                row["size"],
                row["source"],
                row["origin"],
                row["line"],
                _shown(row["text"], row["dialect"]),
            )
            for row in chosen
        ]

    report.slowest = worst(chain.from_iterable(each.slow for each in written), "seconds")
    report.largest = worst(chain.from_iterable(each.large for each in written), "size")


def failed_statements(tables: LineageTables, commits: Sequence[Commit], most: int) -> tuple[int, list[FailedUnit]]:
    """How many there are, and the first of them by unit and place."""
    count = 0
    found: list[tuple[str, int, FailedUnit]] = []
    for row in _rows_with_problems(tables, commits):
        for position, problem in enumerate(row["problems"]):
            if problem["type"] in FAILURES:
                count += 1
                found.append((row["key"], position, _failure(row, problem)))
        if len(found) > 100 * most:
            found = sorted(found, key=lambda each: each[:2])[:most]
    found.sort(key=lambda each: each[:2])
    return count, [failure for _, _, failure in found[:most]]


def _rows_with_problems(tables: LineageTables, commits: Sequence[Commit]) -> Iterator[dict[str, Any]]:
    for batch in batches_in(tables, "units", commits, _COLUMNS, _AT_ONCE):
        lengths = pc.fill_null(pc.list_value_length(batch.column("problems")), 0)
        yield from batch.filter(pc.greater(lengths, 0)).to_pylist()


def _failure(row: dict[str, Any], problem: dict[str, Any]) -> FailedUnit:
    texts: list[str] = row["texts"]
    number, start = problem["script"], problem["start"]
    line, text = row["line"], ""
    if 0 <= number < len(texts):  # else a text that the analysis has put together itself
        whole = texts[number]
        line += whole.count("\n", 0, start)
        text = whole[whole.rfind("\n", 0, start) + 1 :].split("\n", 1)[0]
    return FailedUnit(
        problem["type"],
        problem["message"],
        row["source"],
        row["origin"],
        line,
        len(text),
        _shown(text, row["dialect"]),
    )


def _shown(text: str, dialect: str) -> str:
    """The beginning of a text as it may be shown: without literals, on one line."""
    masked = mask_literals(text[: 4 * _SHOWN], get_dialect(dialect))
    return " ".join(masked.split())[:_SHOWN]
