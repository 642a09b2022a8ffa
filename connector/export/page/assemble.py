"""One HTML text out of the files in ``assets``, with nothing that it would have to fetch.

Browsers refuse modules of ``file:`` addresses, and a policy of hashes allows one script only. So the modules that an entry
imports are put together here, in the order that their imports demand. Each keeps a scope of its own: what it does not
export, no other module sees. Only the forms that the page's modules use are read, and anything else is refused::

    import { name, other } from "./module.js";
    export function name() {}          // also async functions, classes and constants

Scripts and styles are allowed by their hashes and nothing else is: text of the data that would become an element or an
attribute could not run even so. The data itself stands in a block that browsers do not execute, with ``<`` written so
that the block cannot end early.
"""

from __future__ import annotations

import base64
import hashlib
import json
import re
from dataclasses import dataclass
from functools import cache
from html import escape
from pathlib import Path
from typing import Any

_IMPORT = re.compile(r'^import \{([^}]*)\} from "(\.[^"]+)";\n', re.MULTILINE)
_EXPORT = re.compile(r"^export (?=(?:async )?(?:function|class|const) (\w+))", re.MULTILINE)
_LIST = re.compile(r"export\{([^}]*)\};?\s*$")
"""How minified libraries export: a list at the end, with other names outside than inside."""
_COMMENT = re.compile(r"^[ \t]*(?:/\*\*(?:(?!\*/)[\s\S])*\*/|//[^\n]*)\n", re.MULTILINE)
"""Comments on lines of their own, which are a quarter of the modules and of no use to a browser."""
_UNREAD = re.compile(r"^(?:import|export)\b.*", re.MULTILINE)


class ModuleError(Exception):
    """The modules cannot be put together."""


@dataclass(frozen=True, slots=True)
class _Module:
    path: Path
    body: str
    imports: tuple[tuple[Path, tuple[str, ...]], ...]
    exports: dict[str, str]
    """The name outside, and what it is called inside."""


def bundle(entry: Path) -> str:
    """The script of a module and of everything that it imports."""
    ordered = ordered_modules(entry)
    known: dict[str, Path] = {}
    for module in ordered:
        for name in module.exports:
            if name in known:
                raise ModuleError(f"{name} is exported by {known[name].name} and by {module.path.name}")
            known[name] = module.path
        for source, names in module.imports:
            missing = [name for name in names if known.get(name) != source]
            if missing:
                raise ModuleError(f"{source.name} does not export {', '.join(missing)}, imported by {module.path.name}")
    return '"use strict";\n' + "".join([_wrapped(module) for module in ordered])


def ordered_modules(entry: Path) -> list[_Module]:
    """Every module behind those that it imports."""
    modules: dict[Path, _Module] = {}
    reading: list[Path] = []

    def add(path: Path) -> None:
        if path in modules:
            return
        if path in reading:
            circle = " → ".join([each.name for each in [*reading[reading.index(path) :], path]])
            raise ModuleError(f"modules import each other in a circle: {circle}")
        reading.append(path)
        module = _read_module(path)
        for source, _ in module.imports:
            add(source)
        reading.pop()
        modules[path] = module

    add(entry.resolve())
    return list(modules.values())


def _read_module(path: Path) -> _Module:
    text = path.read_text(encoding="utf-8")
    imports = tuple(
        ((path.parent / source).resolve(), tuple(name.strip() for name in names.split(",") if name.strip()))
        for names, source in _IMPORT.findall(text)
    )
    exports = {name: name for name in _EXPORT.findall(text)}
    body = _EXPORT.sub("", _IMPORT.sub("", text))
    listed = _LIST.search(body)
    if listed:
        for each in listed[1].split(","):
            inside, _, outside = each.strip().partition(" as ")
            exports[outside or inside] = inside
        body = body[: listed.start()]
    else:
        body = _COMMENT.sub("", body)  # a library keeps its notices
    unread = _UNREAD.search(body)
    if unread:
        raise ModuleError(f"{path.name}: this form of import or export is not read: {unread[0]}")
    return _Module(path, body.strip("\n"), imports, exports)


def _wrapped(module: _Module) -> str:
    if not module.exports:
        return f"(() => {{\n{module.body}\n}})();\n"
    names = ", ".join(module.exports)
    inside = ", ".join([out if out == own else f"{out}: {own}" for out, own in module.exports.items()])
    return f"const {{ {names} }} = (() => {{\n{module.body}\nreturn {{ {inside} }};\n}})();\n"


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
