"""The second reading of a statement that the grammar cannot parse: its tables, without columns."""

from __future__ import annotations

from connector.analysis.context import Context
from connector.analysis.rowset import Rowset
from connector.sql.tolerant import NameRef, read_tables

__all__ = ["read_approximately"]


def read_approximately(ctx: Context) -> None:
    """Adds a process, marked approximate, with the tables that the statement reads and writes."""
    reading = read_tables(ctx.statement, ctx.dialect)
    if reading is None or not (reading.inputs or reading.outputs):
        return
    process = ctx.begin(reading.type)
    process.approximate = True
    builder = ctx.builder
    sources = [_table(ctx, ref) for ref in reading.inputs]
    for source in sources:
        builder.flow.sources[source.entity] = None
    if not reading.outputs:
        process.flows.append(builder.flow)
    for ref in reading.outputs:
        ctx.writes(_table(ctx, ref).entity)


def _table(ctx: Context, ref: NameRef) -> Rowset:
    base = ctx.statement.base
    script = ctx.statement.script
    start, end = ref.start + base, ref.end + base
    return ctx.catalog.table(tuple(ref.parts), script.text[start:end], (script, start, end))
