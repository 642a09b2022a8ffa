"""The statements that a run could not read, among units that it could: a script with one broken statement is not lost.

They count as failures all the same, as `analyze` counts them, because their lineage is missing.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from connector.pipeline.outcome import FailedUnit
from connector.pipeline.tables import Commit, TableFolder
from connector.sql.dialects import get_dialect
from connector.sql.identity import mask_literals

__all__ = ["failed_statements"]

_COSTLY = frozenset({"SyntaxError", "AnalyzeError", "Timeout"})
"""Problems that cost lineage. The others say how something was read."""
_COLUMNS = ["key", "source", "origin", "line", "dialect", "texts", "problems"]
_AT_ONCE = 1000
_SHOWN = 160


def failed_statements(tables: TableFolder, commits: Sequence[Commit], most: int) -> tuple[int, list[FailedUnit]]:
    """How many there are, and the first of them by unit and place."""
    count = 0
    found: list[tuple[str, int, FailedUnit]] = []
    for row in _rows_with_problems(tables, commits):
        for position, problem in enumerate(row["problems"]):
            if problem["type"] in _COSTLY:
                count += 1
                found.append((row["key"], position, _failure(row, problem)))
        if len(found) > 100 * most:
            found = sorted(found, key=lambda each: each[:2])[:most]
    found.sort(key=lambda each: each[:2])
    return count, [failure for _, _, failure in found[:most]]


def _rows_with_problems(tables: TableFolder, commits: Sequence[Commit]) -> Iterator[dict[str, Any]]:
    for folder in tables.folders("units", commits):
        for file in sorted(folder.glob("*.parquet")):
            with pq.ParquetFile(file) as opened:
                for batch in opened.iter_batches(_AT_ONCE, columns=_COLUMNS):
                    lengths = pc.fill_null(pc.list_value_length(batch.column("problems")), 0)
                    yield from pa.Table.from_batches([batch]).filter(pc.greater(lengths, 0)).to_pylist()


def _failure(row: dict[str, Any], problem: dict[str, Any]) -> FailedUnit:
    texts: list[str] = row["texts"]
    number, start = problem["script"], problem["start"]
    line, text = row["line"], ""
    if 0 <= number < len(texts):  # else a text that the analysis has put together itself
        whole = texts[number]
        line += whole.count("\n", 0, start)
        text = whole[whole.rfind("\n", 0, start) + 1 :].split("\n", 1)[0]
    masked = mask_literals(text[: 4 * _SHOWN], get_dialect(row["dialect"]))
    shown = " ".join(masked.split())[:_SHOWN]
    return FailedUnit(problem["type"], problem["message"], row["source"], row["origin"], line, len(text), shown)
