"""One script out of ES modules, because a page in a file cannot import anything.

Browsers refuse modules of ``file:`` addresses, and a policy of hashes allows one script only. So the modules that an entry
imports are put together here, in the order that their imports demand. Each keeps a scope of its own: what it does not
export, no other module sees. Only the forms that the page's modules use are read, and anything else is refused::

    import { name, other } from "./module.js";
    export function name() {}          // also async functions, classes and constants
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

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
        module = _read(path)
        for source, _ in module.imports:
            add(source)
        reading.pop()
        modules[path] = module

    add(entry.resolve())
    return list(modules.values())


def _read(path: Path) -> _Module:
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
