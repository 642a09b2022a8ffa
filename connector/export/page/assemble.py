"""One HTML text out of the files in ``assets``, with nothing that it would have to fetch.

Scripts and styles are allowed by their hashes and nothing else is: text of the data that would become an element or an
attribute could not run even so. The data itself stands in a block that browsers do not execute, with ``<`` written so
that the block cannot end early.
"""

from __future__ import annotations

import base64
import hashlib
import json
from dataclasses import dataclass
from functools import cache
from html import escape
from pathlib import Path
from typing import Any

from connector.export.page.modules import bundle

_ASSETS = Path(__file__).resolve().parent / "assets"

_STYLES = (
    "theme.css",
    "elements.css",
    "frame.css",
    "diagram.css",
    "floating.css",
    "side.css",
    "panels.css",
    "phone.css",
    "print.css",
)
"""In the order in which later ones may overrule earlier ones."""


@dataclass(frozen=True, slots=True)
class ServerPage:
    """The page without data, which it asks the server for."""

    html: str
    content_security_policy: str
    """To be sent as the header of that name."""


def render_page(document: dict[str, Any], *, light: bool = False) -> str:
    """The page of a document, as one file that works without a network.

    A light one does without Graphviz, which is two thirds of the file: its pictures are laid out more simply.
    """
    return _fill(document, document["title"], _policy("'none'"), layout="" if light else _layout_worker())


@cache
def server_page() -> ServerPage:
    """The page as the server gives it out. It is always the same text."""
    html = _fill({"server": True}, "SQL lineage", _policy("'self'"), layout=_layout_worker())
    return ServerPage(html, f"{_policy(chr(39) + 'self' + chr(39))}; frame-ancestors 'none'")


def _fill(data: dict[str, Any], title: str, policy: str, *, layout: str) -> str:
    parts = {
        "policy": escape(policy),
        "title": escape(title),
        "style": _style(),
        "layout": layout,
        "data": _harmless_json(data),
        "script": _script(),
    }
    pieces = _template().split("{{")
    text = [pieces[0]]
    for piece in pieces[1:]:
        name, _, rest = piece.partition("}}")
        text.extend((parts[name], rest))
    return "".join(text)


def _harmless_json(data: dict[str, Any]) -> str:
    """JSON in which no ``<`` stands, so that neither a closing tag nor a comment can begin in it."""
    text = json.dumps(data, ensure_ascii=False, separators=(",", ":"))
    return text.replace("<", "\\u003c").replace("\u2028", "\\u2028").replace("\u2029", "\\u2029")


def _policy(connect: str) -> str:
    return "; ".join(
        (
            "default-src 'none'",
            f"script-src '{_hash(_script())}' 'wasm-unsafe-eval'",  # the layout; no text is evaluated by that
            f"style-src '{_hash(_style())}'",
            "img-src data: blob:",
            "worker-src blob:",
            f"connect-src {connect}",
            "base-uri 'none'",
            "form-action 'none'",
        )
    )


def _hash(text: str) -> str:
    return "sha256-" + base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()


@cache
def _template() -> str:
    return _read("index.html")


@cache
def _style() -> str:
    return "".join([_read(f"css/{name}") for name in _STYLES])


@cache
def _script() -> str:
    return f"(() => {{\n{bundle(_ASSETS / 'js' / 'start.js')}}})();\n"  # nothing of it is global


@cache
def _layout_worker() -> str:
    """What runs beside the page: it is text to the browser until the page makes a worker of it."""
    return bundle(_ASSETS / "worker" / "worker.js")


def _read(name: str) -> str:
    return (_ASSETS / name).read_text(encoding="utf-8")
