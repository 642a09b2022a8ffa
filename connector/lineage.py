"""The result of an analysis."""

from __future__ import annotations

from dataclasses import fields, replace
from typing import Any

from connector.errors import ConfigurationError
from connector.export import FORMATS, column_edges, to_dict
from connector.model import Model, Problem
from connector.model.collector import pause, resume
from connector.model.levels import ColumnEdge
from connector.options import Switches

__all__ = ["Lineage"]

_SWITCHES = frozenset(field.name for field in fields(Switches))
_DEFAULT = Switches()


class Lineage:
    """A lineage model with the ways to look at it and to write it."""

    __slots__ = ("_edges", "model", "options")

    def __init__(self, model: Model, options: Switches = _DEFAULT) -> None:
        self.model = model
        self.options = options
        """What is shown, where a call does not say otherwise."""
        self._edges: dict[tuple[bool, ...], list[ColumnEdge]] = {}

    def __repr__(self) -> str:
        model = self.model
        return (
            f"<Lineage of {len(model.processes)} statements: {len(model.entities)} entities, "
            f"{len(model.relations)} relations, {len(model.problems)} problems>"
        )

    @property
    def problems(self) -> list[Problem]:
        """What could not be read or resolved."""
        return self.model.problems

    def to_dict(
        self, level: str = "complete", impact: bool | None = None, top_select: bool | None = None, **switches: Any
    ) -> dict[str, Any]:
        """The JSON object of a level: ``complete``, ``column`` or ``table``.

        Without `impact` only direct data flow is shown. With `top_select` a bare SELECT counts as a statement that
        writes: its columns are targets whose table is null. Further switches are those of ``connector.Options``;
        what is not given is as the options of the analysis say.
        """
        if impact is not None:
            switches["impact"] = impact
        if top_select is not None:
            switches["top_select"] = top_select
        options = self._options(**switches) if switches else self.options
        paused = pause()
        try:
            edges = self._column_edges(options, level) if level != "complete" else None
            return to_dict(self.model, level, options, edges)
        finally:
            resume(paused)

    def to_json(self, level: str = "complete", **switches: Any) -> str:
        """The same as text."""
        return self.render("json", level, **switches)

    def to_xml(self, level: str = "complete", **switches: Any) -> str:
        """XML in the form of the model's reference."""
        return self.render("xml", level, **switches)

    def to_csv(self, level: str = "column", **switches: Any) -> str:
        """Semicolon-separated rows of the column or the table level."""
        return self.render("csv", level, **switches)

    def render(self, format: str, level: str = "complete", **switches: Any) -> str:
        """The lineage in any of the formats of ``connector.export``."""
        exporter = FORMATS.get(format)
        if exporter is None:
            raise ConfigurationError(f"unknown format {format!r}: choose one of {', '.join(FORMATS)}")
        if level not in exporter.levels:
            raise ConfigurationError(f"{format} has no level {level!r}: choose one of {', '.join(exporter.levels)}")
        return exporter.render(self.model, level, self._options(**switches))

    def _column_edges(self, options: Switches, level: str) -> list[ColumnEdge]:
        """The column level, derived once for each way to look at it. The table level needs impact and data flow."""
        wanted = (options.impact, options.dataflow, options.joins, options.top_select, options.temporaries)
        if level == "table" and not (options.impact and options.dataflow):
            options = replace(options, impact=True, dataflow=True)
            wanted = (True, True, *wanted[2:])
        edges = self._edges.get(wanted)
        if edges is None:
            edges = self._edges[wanted] = column_edges(self.model, options)
        return edges

    def _options(self, **switches: Any) -> Switches:
        unknown = switches.keys() - _SWITCHES
        if unknown:
            raise ConfigurationError(
                f"unknown switch {sorted(unknown)[0]!r}: choose from {', '.join(sorted(_SWITCHES))}"
            )
        return replace(self.options, **switches)
