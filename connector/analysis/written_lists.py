"""Elements of lists and rows that are written out in the text: `[a, b][1]`, `(a, b).1`, `json_array(a, b) -> 0`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from sqlglot import exp

from connector.analysis.rowset import Path

if TYPE_CHECKING:
    from connector.analysis.names import NameResolver

_POSITION = "\0"
"""How the key of a position begins, among those of fields."""

LIST_MAKERS = frozenset({exp.Array, exp.Tuple, exp.JSONArray, exp.Anonymous, exp.DPipe, exp.ArrayConcat})
"""What may give a list or a row that is written out inside of it."""

_WRAPPERS = (exp.Paren, exp.JSONFormat, exp.ParseJSON)
_LISTING = frozenset({"row", "json_array", "json_build_array", "jsonb_build_array", "list_pack"})
_AS_DOCUMENT = frozenset({"to_json", "to_jsonb", "array_to_json"})
_DOCUMENT_TYPES = (exp.DataType.Type.JSON, exp.DataType.Type.JSONB)

_TAKING = frozenset(
    {"list_extract", "array_extract", "list_element", "struct_extract_at", "tupleelement", "arrayelement", "element_at"}
)
"""Functions that take the element at a place, counted from 1, or a field."""


def at(position: int) -> tuple[str, str]:
    """A position as a part of a path: counted from 0, or from the end."""
    return f"{_POSITION}{position}", f"[{position}]"


def is_position(part: tuple[str, str]) -> bool:
    return part[0].startswith(_POSITION)


def without_positions(path: Path) -> Path:
    """The path from the first field on: which element it is a field of is not known."""
    start = next((place for place, part in enumerate(path) if not is_position(part)), len(path))
    return path[start:]


def position_taken(node: Any, names: NameResolver) -> tuple[str, str] | None:
    """The place of the element that is taken of a list, as a part of a path; None where it is no constant."""
    args = node.args
    kind = node.__class__
    base: int | None = 1
    index = args.get("expression")
    if kind is exp.Bracket:
        indices = args.get("expressions") or [None]
        index = indices[0] if len(indices) == 1 else None
        base = args.get("offset")
    elif kind is exp.Anonymous:
        index = args["expressions"][1]
    number = _number(index)
    if number is None:
        return None
    if base is None:
        base = names.dialect.sqlglot.INDEX_OFFSET
        number += base if _is_shifted(args["this"]) else 0
    return at(number if number < 0 else number - base)


def _is_shifted(value: Any) -> bool:
    """Whether the grammar has made an index into the value one that counts from 0."""
    return value.type is None or value.type.this in (exp.DataType.Type.UNKNOWN, exp.DataType.Type.ARRAY)


def takes_element(node: Any) -> bool:
    """Whether a function takes an element or a field: ``list_extract(l, 1)``."""
    return node.name.lower() in _TAKING and len(node.args.get("expressions") or ()) == 2


def sliced(node: Any, names: NameResolver) -> list[Any] | None:
    """``[a, b, c][2:3]``: the written elements of a part of a list; None where they are not known."""
    indices = node.args.get("expressions") or []
    if len(indices) != 1 or indices[0].__class__ is not exp.Slice or names.dialect.sqlglot.INDEX_OFFSET != 1:
        return None
    part = indices[0].args
    first, last = _number(part.get("this")), _number(part.get("expression"))
    items = written_items(node.args["this"]) if part.get("step") is None else None
    if items is None or first is None or last is None or not 0 < first <= last:
        return None
    return items[first - 1 : last]


def _number(node: Any) -> int | None:
    if node.__class__ is exp.Neg:
        number = _number(node.args["this"])
        return None if number is None else -number
    if node.__class__ is exp.Literal and not node.args.get("is_string") and node.name.isdecimal():
        return int(node.name)
    return None


def resolved(node: Any, path: Path) -> tuple[Any, Path]:
    """The written element that the positions at the start of a path lead to, and what is left of the path."""
    while path and is_position(path[0]):
        items = written_items(node)
        position = int(path[0][0][1:])
        if items is None or not -len(items) <= position < len(items):
            break
        node, path = items[position], path[1:]
    return node, path


def written_items(node: Any) -> list[Any] | None:
    """The elements of a list or a row that the text shows one by one; None of any other value."""
    while True:
        args = node.args
        kind = node.__class__
        if kind in _WRAPPERS or (kind is exp.Cast and args["to"].args.get("this") in _DOCUMENT_TYPES):
            node = args["this"]
        elif kind is exp.Anonymous and node.name.lower() in _AS_DOCUMENT and len(args.get("expressions") or ()) == 1:
            node = args["expressions"][0]
        else:
            break
        if not isinstance(node, exp.Expression):
            return None
    if kind in (exp.Array, exp.Tuple, exp.JSONArray) or (kind is exp.Anonymous and node.name.lower() in _LISTING):
        items = list(args.get("expressions") or ())
        return items if all(_is_one(item, items) for item in items) else None
    return _joined(node) if kind in (exp.DPipe, exp.ArrayConcat) else None


def _is_one(item: Any, items: list[Any]) -> bool:
    """Whether an item is one element: a query or a comprehension by itself is a list of them, and a star any number."""
    return not item.is_star and (len(items) > 1 or not isinstance(item, (exp.Query, exp.Comprehension)))


def _joined(node: Any) -> list[Any] | None:
    """``[a] || [b, c]``, ``list_concat([a], [b, c])``: the elements of all lists; of ordinary texts the last says None."""
    parts: list[Any] = []
    while node.__class__ is exp.DPipe:
        parts.insert(0, node.args["expression"])
        if written_items(parts[0]) is None:
            return None
        node = node.args["this"]
    first = [node.args["this"], *(node.args.get("expressions") or ())] if node.__class__ is exp.ArrayConcat else [node]
    found: list[Any] = []
    for part in (*first, *parts):
        items = written_items(part)
        if items is None:
            return None
        found += items
    return found
