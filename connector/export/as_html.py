"""HTML: one file with the diagram, the SQL beside it and everything needed to look around in both."""

from __future__ import annotations

from connector.export.options import ExportOptions, Level
from connector.export.page import page_document, render_page
from connector.model import Model

__all__ = ["HtmlExporter"]


class HtmlExporter:
    name = "html"
    levels: tuple[Level, ...] = ("column", "complete", "table")
    """The level is the one that the page opens with; it holds all of them."""

    def render(self, model: Model, level: str, options: ExportOptions) -> str:
        return render_page(page_document(model, options, level=level))
