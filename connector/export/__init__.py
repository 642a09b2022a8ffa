"""All output formats of a model. A new format is one module here and one line in ``FORMATS``."""

from __future__ import annotations

from typing import Protocol

from connector.export.as_csv import CsvExporter
from connector.export.as_dot import DotExporter
from connector.export.as_graphml import GraphmlExporter
from connector.export.as_html import HtmlExporter
from connector.export.as_json import JsonExporter, to_dict
from connector.export.as_mermaid import MermaidExporter
from connector.export.as_openlineage import OpenLineageExporter
from connector.export.as_text import TextExporter
from connector.export.as_xml import XmlExporter
from connector.export.derived import column_edges
from connector.export.options import LEVELS, ExportOptions, Level
from connector.export.read_xml import read_xml
from connector.model import Model

__all__ = ["FORMATS", "LEVELS", "ExportOptions", "Exporter", "Level", "column_edges", "read_xml", "to_dict"]


class Exporter(Protocol):
    """Writes a model in one format."""

    @property
    def name(self) -> str: ...

    @property
    def levels(self) -> tuple[Level, ...]:
        """The levels that this format supports."""

    def render(self, model: Model, level: str, options: ExportOptions) -> str: ...


_EXPORTERS: tuple[Exporter, ...] = (
    TextExporter(),
    JsonExporter(),
    XmlExporter(),
    CsvExporter(),
    OpenLineageExporter(),
    MermaidExporter(),
    DotExporter(),
    GraphmlExporter(),
    HtmlExporter(),
)

FORMATS: dict[str, Exporter] = {exporter.name: exporter for exporter in _EXPORTERS}
"""The formats by name. The first level of an exporter is its default."""
