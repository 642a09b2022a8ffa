"""A trace as semicolon-separated rows: the columns of the exports, then type and distance.

One row for each edge and statement; the distance is that of the farther end.
"""

from __future__ import annotations

import csv
import io

from connector.export.as_csv import COLUMN_HEADER, TABLE_HEADER
from connector.naming import DEFAULT
from connector.store.render.ends import end_of
from connector.store.trace import Trace, TraceNode

__all__ = ["render_csv"]


def render_csv(trace: Trace) -> str:
    text = io.StringIO()
    writer = csv.writer(text, delimiter=";", lineterminator="\n")
    writer.writerow([*(COLUMN_HEADER if trace.columns else TABLE_HEADER), "type", "distance"])
    for step in trace.steps:
        ends = [*_cells(step.source, trace), *_cells(step.target, trace)]
        distance = trace.near(step).distance + 1
        if not step.processes:
            writer.writerow([*ends, "", "", step.type, distance])
        for process in step.processes:
            writer.writerow([*ends, process.procedure_name, process.query_hash_id, step.type, distance])
    return text.getvalue()


def _cells(node: TraceNode, trace: Trace) -> list[str]:
    end = end_of(node, is_column=trace.columns)
    cells = [end.database or DEFAULT, end.schema or DEFAULT, end.table]
    return [*cells, end.column or ""] if trace.columns else cells
