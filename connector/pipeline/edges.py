"""The levels as tables of their own: one row for each edge of a unit, its ends and its statement by name.

Results name the ends of an edge by numbers within the unit. Names are put in their place for many units at once, column by
column, where the results are written.
"""

from __future__ import annotations

from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

from connector.common.arrow_columns import column_of

_ZERO = column_of([0], pa.int64()).cast(pa.int32())[0]
_NOTHING = pa.nulls(1, pa.int32())[0]


def column_edges(results: pa.RecordBatch) -> pa.RecordBatch:
    """The edges of the column level of some results."""
    edges = _Edges(results, "column_edges")
    columns, objects = edges.elements("object_columns"), edges.elements("objects")
    source, target = columns.rows(edges.field("source")), columns.rows(edges.field("target"))
    return edges.batch(
        {
            "type": edges.field("type"),
            "source_table": objects.field("name", objects.rows(columns.field("object", source))),
            "source": columns.field("name", source),
            "target_table": objects.field("name", objects.rows(columns.field("object", target))),
            "target": columns.field("name", target),
            "effect": edges.field("effect"),
            "clause": edges.field("clause"),
            "join_type": edges.field("join_type"),
            "condition": edges.field("condition"),
            "expression": edges.field("expression"),
            "transformation": edges.field("transformation"),
        }
    )


def table_edges(results: pa.RecordBatch) -> pa.RecordBatch:
    """The edges of the table level of some results."""
    edges = _Edges(results, "table_edges")
    objects = edges.elements("objects")
    source, target = objects.rows(edges.field("source")), objects.rows(edges.field("target"))
    return edges.batch(
        {
            "type": edges.field("type"),
            "source": objects.field("name", source),
            "source_kind": objects.field("type", source),
            "target": objects.field("name", target),
            "target_kind": objects.field("type", target),
        }
    )


class _Elements:
    """A list of each result, as seen from the edges: numbers within the list become places in all lists together."""

    def __init__(self, lists: pa.ListArray, owner: pa.Array) -> None:
        self._values = lists.values
        self._begin = lists.offsets[:-1].take(owner)

    def rows(self, numbers: pa.Array) -> pa.Array:
        """Where the elements with these numbers stand, one for each edge; nothing for a negative number."""
        places = pc.add(numbers, self._begin)
        return pc.if_else(pc.less(numbers, _ZERO), _NOTHING, places)

    def field(self, name: str, rows: pa.Array) -> pa.Array:
        return self._values.field(name).take(rows)


class _Edges:
    """The edges of one level of all results, and of which result each one is."""

    def __init__(self, results: pa.RecordBatch, level: str) -> None:
        self._results = results
        lists = results.column(level)
        self._owner = pc.list_parent_indices(lists)
        self._edges = pc.list_flatten(lists)

    def field(self, name: str) -> pa.Array:
        return self._edges.field(name)

    def elements(self, name: str) -> _Elements:
        return _Elements(self._results.column(name), self._owner)

    def batch(self, columns: dict[str, Any]) -> pa.RecordBatch:
        """A batch of edges: the unit first, the statement last."""
        statements = self.elements("statements")
        rows = statements.rows(self.field("process"))
        return pa.RecordBatch.from_pydict(
            {
                "key": self._results.column("key").take(self._owner),
                **columns,
                "process": statements.field("name", rows),
                "identity": statements.field("identity", rows),
                "text_hash": statements.field("text_hash", rows),
            }
        )
