"""What people are told of a table beside its lineage: types and comments, from definitions, metadata and COMMENT ON."""

from __future__ import annotations

from connector.analysis.context import Context
from connector.analysis.rowset import Rowset
from connector.analysis.statements.inner import column_target
from connector.model import Description
from connector.sql.readers.readings import Comment, TableDefinition

__all__ = ["describe", "read_comment_on"]


def describe(ctx: Context, target: Rowset, reading: TableDefinition) -> None:
    """The words of a definition. A later one replaces them, as it replaces the table."""
    found = Description(reading.comment)
    for column in reading.columns:
        if column.data_type is None and column.comment is None:
            continue
        key = column_target(ctx, column.name)[0]
        if column.data_type is not None:
            found.types[key] = column.data_type
        if column.comment is not None:
            found.comments[key] = column.comment
    if found.comment is not None or found.types or found.comments:
        target.entity.description = found


def read_comment_on(ctx: Context, reading: Comment) -> None:
    """A table that no statement uses is not made known by a comment on it."""
    table = ctx.catalog.known_table(tuple(reading.table.parts))
    if table is None:
        return
    if table.entity.description is None:
        table.entity.description = Description()
    if reading.column is None:
        table.entity.description.comment = reading.text
    else:
        table.entity.description.comments[column_target(ctx, reading.column)[0]] = reading.text


MEANINGS = {Comment: read_comment_on}
