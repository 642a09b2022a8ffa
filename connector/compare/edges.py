"""What is compared: edges between qualified names."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Literal

from connector.model import Model, Span
from connector.model.levels import column_level, table_level
from connector.naming import Namer

__all__ = ["FLOWS", "ComparedLevel", "Edge", "model_edges", "place_of"]

ComparedLevel = Literal["column", "table"]

FLOWS = frozenset({"fdd", "fdr"})
"""Joins are not data flow; the effect of a join condition on the rows is part of the fdr edges."""


@dataclass(frozen=True, slots=True)
class Edge:
    """Data flow or impact from one name to another, with its expression and statement as far as they are known."""

    type: str
    source: str
    source_kind: str
    target: str
    target_kind: str
    place: str | None = field(default=None, compare=False)
    """`file:line` of a statement that creates it."""
    transformation: str | None = field(default=None, compare=False)
    expression: str | None = field(default=None, compare=False)
    masked: tuple[str, str] | None = field(default=None, compare=False)
    """Source and target without the literals in names that were derived from expressions; None if there are none."""

    @property
    def public(self) -> tuple[str, str]:
        """Source and target as they may leave the machine, and as stores know them."""
        return self.masked or (self.source, self.target)


def model_edges(model: Model, level: ComparedLevel) -> Iterator[Edge]:
    """The edges of a model, in order of appearance."""
    namer, public = Namer(model), Namer(model, masked=True)
    edges = column_level(model, joins=False)
    if level == "column":
        for edge in edges:
            source, target, how = edge.source, edge.target, edge.how
            yield Edge(
                edge.type,
                namer.column(source),
                source.entity.kind,
                namer.column(target),
                target.entity.kind,
                place_of(edge.process.span) if edge.process is not None else None,
                how.transformation,
                how.expression,
                None
                if source.masked is None and target.masked is None
                else (public.column(source), public.column(target)),
            )
    else:
        for pair in table_level(model, edges=edges).relations:
            yield Edge(
                pair.type,
                namer.entity(pair.source),
                pair.source.kind,
                namer.entity(pair.target),
                pair.target.kind,
                place_of(pair.process.span) if pair.process is not None else None,
            )


def place_of(span: Span) -> str | None:
    """`file:line`, as compilers write it."""
    script, start, _ = span
    return f"{script.name}:{script.position(start)[0]}" if script.name else None
