"""The output formats of a trace. A new format is one module here and one line in ``TRACE_FORMATS``."""

from __future__ import annotations

from collections.abc import Callable

from connector.store.render.as_csv import render_csv
from connector.store.render.as_json import render_json
from connector.store.render.as_picture import render_dot, render_mermaid
from connector.store.render.as_text import render_text
from connector.store.trace import Trace

__all__ = ["TRACE_FORMATS"]

TRACE_FORMATS: dict[str, Callable[[Trace], str]] = {
    "text": render_text,
    "json": render_json,
    "csv": render_csv,
    "mermaid": render_mermaid,
    "dot": render_dot,
}
