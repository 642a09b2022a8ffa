"""All output formats of a model. A new format is one module here and one line in ``_EXPORTERS``.

A format is loaded when it is first used: a command that writes JSON has no use for the page.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from importlib import import_module
from typing import TYPE_CHECKING, Protocol

from connector.common.lazy import lazy_names
from connector.errors import ConfigurationError
from connector.export.view import LEVELS, ExportOptions, Level
from connector.model import Model

if TYPE_CHECKING:
    from connector.export.as_json import to_dict
    from connector.export.derived import column_edges
    from connector.export.xml_reader import read_xml
else:
    __getattr__ = lazy_names(
        __name__, {"as_json": ("to_dict",), "derived": ("column_edges",), "xml_reader": ("read_xml",)}
    )

__all__ = [
    "FORMATS",
    "LEVELS",
    "ExportOptions",
    "Exporter",
    "Level",
    "column_edges",
    "find_exporter",
    "read_xml",
    "to_dict",
]


class Exporter(Protocol):
    """Writes a model in one format."""

    @property
    def name(self) -> str: ...

    @property
    def levels(self) -> tuple[Level, ...]:
        """The levels that this format supports."""

    def render(self, model: Model, level: str, options: ExportOptions) -> str: ...


_EXPORTERS = {
    "text": "as_text:TextExporter",
    "json": "as_json:JsonExporter",
    "xml": "as_xml:XmlExporter",
    "csv": "as_csv:CsvExporter",
    "openlineage": "as_openlineage:OpenLineageExporter",
    "mermaid": "as_mermaid:MermaidExporter",
    "dot": "as_dot:DotExporter",
    "graphml": "as_graphml:GraphmlExporter",
    "html": "as_html:HtmlExporter",
}


class _Formats(Mapping[str, Exporter]):
    """The exporters by the names of their formats."""

    def __init__(self) -> None:
        self._loaded: dict[str, Exporter] = {}

    def __getitem__(self, name: str) -> Exporter:
        found = self._loaded.get(name)
        if found is None:
            module, _, exporter = _EXPORTERS[name].partition(":")
            found = self._loaded[name] = getattr(import_module(f"connector.export.{module}"), exporter)()
        return found

    def __iter__(self) -> Iterator[str]:
        return iter(_EXPORTERS)

    def __len__(self) -> int:
        return len(_EXPORTERS)


FORMATS: Mapping[str, Exporter] = _Formats()
"""The formats by name. The first level of an exporter is its default."""


def find_exporter(format: str, level: str | None = None) -> Exporter:
    """The exporter of a format. An unknown format, or a level that it does not support, is a `ConfigurationError`."""
    exporter = FORMATS.get(format)
    if exporter is None:
        raise ConfigurationError(f"Unknown format {format!r}; choose one of {', '.join(FORMATS)}.")
    if level is not None and level not in exporter.levels:
        offered = ", ".join(exporter.levels)
        raise ConfigurationError(f"The format {format} does not support the level {level!r}; choose one of {offered}.")
    return exporter
