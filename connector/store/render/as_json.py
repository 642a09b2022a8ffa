"""A trace as JSON: the ends and relations look like those of the derived levels."""

from __future__ import annotations

import json
from typing import Any

from connector.store.render.ends import end_of
from connector.store.trace import Trace, TraceNode

__all__ = ["render_json"]


def render_json(trace: Trace) -> str:
    document = {
        "name": trace.name,
        "direction": trace.direction,
        "level": "column" if trace.columns else "table",
        "objects": [
            {**_end(node, trace), "distance": node.distance, "type": node.type}
            for node in (*trace.starts, *trace.nodes)
        ],
        "relations": [
            {
                "type": step.type,
                "source": _end(step.source, trace),
                "target": _end(step.target, trace),
                "processes": [
                    {
                        "qualifiedName": process.qualified_name,
                        "type": process.type,
                        "queryHashId": process.query_hash_id,
                        "procedureName": process.procedure_name,
                    }
                    for process in step.processes
                ],
            }
            for step in trace.steps
        ],
    }
    return json.dumps(document, indent=2, ensure_ascii=False) + "\n"


def _end(node: TraceNode, trace: Trace) -> dict[str, Any]:
    end = end_of(node, is_column=trace.columns)
    document: dict[str, Any] = {
        "kind": node.kind,
        "database": end.database,
        "schema": end.schema,
        "table": end.table,
    }
    if trace.columns:
        document["column"] = end.column
    document["qualifiedName"] = node.qualified_name
    return document
