"""The API reference as a page for people, with the same content as ``/api/openapi.json``.

Made here, once, without any script: the viewers that exist load theirs from elsewhere.
"""

from __future__ import annotations

import re
from base64 import b64encode
from hashlib import sha256
from html import escape
from typing import Any

_STYLE = """
:root { color-scheme: light dark; font: 16px/1.55 system-ui, sans-serif; }
body { max-width: 62rem; margin: 0 auto; padding: 2rem 1.25rem 4rem; background: Canvas; color: CanvasText; }
h1 { font-size: 1.6rem; margin: 0; }
h2 { font-size: 1.05rem; margin: 2.2rem 0 .3rem; font-family: ui-monospace, monospace; overflow-wrap: anywhere; }
h2 span { color: #2457c5; }
@media (prefers-color-scheme: dark) { h2 span, a { color: #86a8ff; } }
h3 { font-size: .9rem; margin: .9rem 0 .2rem; }
p { margin: .2rem 0; }
table { width: 100%; border-collapse: collapse; font-size: .9rem; }
th, td { padding: .3rem .8rem .3rem 0; border-bottom: 1px solid color-mix(in srgb, CanvasText 15%, Canvas); text-align: left; vertical-align: top; }
code { font: .92em ui-monospace, monospace; }
"""

_LONGEST_DEFAULT = 40
_CODE = re.compile(r"`+([^`]+)`+")


def reference_policy() -> str:
    """The Content-Security-Policy of the page: its own style and nothing else."""
    style = b64encode(sha256(_STYLE.encode()).digest()).decode()
    return (
        f"default-src 'none'; style-src 'sha256-{style}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
    )


def reference_page(described: dict[str, Any]) -> str:
    """HTML of an OpenAPI description."""
    info = described["info"]
    schemas = described.get("components", {}).get("schemas", {})
    parts = [
        f"<h1>{escape(info['title'])} {escape(info['version'])}</h1>",
        f"<p>{escape(info.get('description', ''))}</p>",
        '<p>For programs: <a href="api/openapi.json">openapi.json</a>. <a href="./">Back to the page</a>.</p>',
    ]
    for path, methods in described["paths"].items():
        for method, operation in methods.items():
            parts.extend(_operation(path, method, operation, schemas))
    parts.append("<h2>Types</h2>")
    parts.extend(_table(name, _fields(schemas[name], schemas), name) for name in _nested(described["paths"], schemas))
    return (
        '<!doctype html>\n<html lang="en"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<title>The interface of {escape(info['title'])}</title><style>{_STYLE}</style></head>"
        f"<body><main>{''.join(parts)}</main></body></html>"
    )


def _operation(path: str, method: str, operation: dict[str, Any], schemas: dict[str, Any]) -> list[str]:
    parts = [
        f'<h2 id="{escape(operation.get("operationId", path))}"><span>{method.upper()}</span> {escape(path)}</h2>',
        f"<p>{_words(operation.get('description') or operation.get('summary', ''))}</p>",
    ]
    rows = [_parameter(each, schemas) for each in operation.get("parameters", [])]
    if rows:
        parts.append(_table("Parameters", rows))
    body = operation.get("requestBody", {}).get("content", {}).get("application/json", {}).get("schema")
    if body is not None:
        parts.append(_table("Body, JSON", _fields(body, schemas)))
    answer = operation.get("responses", {}).get("200", {}).get("content", {}).get("application/json", {}).get("schema")
    fields = _fields(answer, schemas) if answer else []
    if fields:
        parts.append(_table("Answer, JSON", fields))
    return parts


def _parameter(each: dict[str, Any], schemas: dict[str, Any]) -> tuple[str, str, str]:
    schema = each.get("schema", {})
    notes = [each.get("description") or schema.get("description", ""), _default(schema)]
    needed = "needed" if each.get("required") else ""
    return each["name"], _type(schema, schemas), " ".join([note for note in (needed, *notes) if note])


def _fields(schema: dict[str, Any], schemas: dict[str, Any]) -> list[tuple[str, str, str]]:
    found = _resolved(schema, schemas)
    needed = set(found.get("required", ()))
    return [
        (
            name,
            _type(field, schemas),
            " ".join(
                [note for note in (field.get("description", ""), "" if name in needed else _default(field)) if note]
            ),
        )
        for name, field in found.get("properties", {}).items()
    ]


def _nested(paths: Any, schemas: dict[str, Any]) -> list[str]:
    """The names of the types that are named inside of bodies and answers, which the tables of these do not show."""
    found: dict[str, None] = {}
    waiting = [name for name in _references(paths) if name in schemas]
    shown = set(waiting)
    while waiting:
        for name in _references(schemas[waiting.pop(0)]):
            if name not in found and schemas.get(name, {}).get("properties"):
                found[name] = None
                waiting.append(name)
    return sorted(found.keys() - (shown - found.keys()))


def _references(part: Any) -> list[str]:
    """The names of all types that a part of the description refers to."""
    if isinstance(part, dict):
        own = [part["$ref"].rpartition("/")[2]] if "$ref" in part else []
        return own + [name for value in part.values() for name in _references(value)]
    return [name for value in part for name in _references(value)] if isinstance(part, list) else []


def _resolved(schema: dict[str, Any], schemas: dict[str, Any]) -> dict[str, Any]:
    reference = schema.get("$ref")
    found: dict[str, Any] = schemas.get(reference.rpartition("/")[2], {}) if reference else schema
    return found


def _type(schema: dict[str, Any], schemas: dict[str, Any]) -> str:
    if "$ref" in schema:
        return str(_resolved(schema, schemas).get("title", schema["$ref"].rpartition("/")[2]))
    if "anyOf" in schema:
        return " or ".join([_type(each, schemas) for each in schema["anyOf"]])
    if "enum" in schema:
        return " | ".join([str(each) for each in schema["enum"]])
    if schema.get("type") == "array":
        return f"list of {_type(schema.get('items', {}), schemas)}"
    return str(schema.get("type", "any"))


def _default(schema: dict[str, Any]) -> str:
    value = schema.get("default")
    text = "" if value is None else str(value)
    return f"Default: {text}." if text and len(text) <= _LONGEST_DEFAULT else ""


def _words(text: str) -> str:
    """Text as HTML, with code in it as code."""
    return _CODE.sub(r"<code>\1</code>", escape(text))


def _table(title: str, rows: list[tuple[str, str, str]], anchor: str = "") -> str:
    lines = [
        f"<tr><td><code>{escape(name)}</code></td><td>{escape(kind)}</td><td>{_words(notes)}</td></tr>"
        for name, kind, notes in rows
    ]
    head = '<tr><th scope="col">Name</th><th scope="col">Type</th><th scope="col">Meaning</th></tr>'
    mark = f' id="{escape(anchor)}"' if anchor else ""
    return f"<h3{mark}>{escape(title)}</h3><table><thead>{head}</thead><tbody>{''.join(lines)}</tbody></table>"
