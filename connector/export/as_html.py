"""HTML: a single file with the diagram, the SQL next to it, and everything needed to explore both."""

from __future__ import annotations

from collections.abc import Callable

from connector.export.page import page_document, render_page
from connector.export.view import ExportOptions, Level
from connector.model import Model


class HtmlExporter:
    name = "html"
    levels: tuple[Level, ...] = ("column", "complete", "table")
    """The page contains all levels; this is the one it opens with."""

    def __init__(self, blank: Callable[[str], str] | None = None) -> None:
        self._blank = blank

    def render(self, model: Model, level: str, options: ExportOptions) -> str:
        return render_page(page_document(model, options, level=level, blank=self._blank))
