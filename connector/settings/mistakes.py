"""Converts pydantic's errors to messages with the line in the file, the key as written, and a suggestion."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from difflib import get_close_matches
from typing import Any

from pydantic import ValidationError
from pydantic_core import ErrorDetails

from connector.common.located_yaml import Located, in_our_words
from connector.settings.models import SHORT_SOURCES

Schema = Mapping[str, Any]
Loc = tuple[str | int, ...]

_UNKNOWN = ("extra_forbidden", "unexpected_keyword_argument")
_TAGGED = ("sources", "catalogs")
"""Lists whose elements have a type, which pydantic adds to the path of their fields."""


def describe_errors(error: ValidationError, located: Located, schema: Schema) -> Iterator[str]:
    """One message per mistake, without the values in the file."""
    for problem in error.errors(include_url=False, include_input=False):
        loc, kind = problem["loc"], problem["type"]
        path = _written(loc, located.data)
        shown = [*path, loc[-1]] if kind == "missing" else path
        yield located.where(path) + "".join(
            f": {part}" for part in (".".join(map(str, shown)), _text(problem, schema)) if part
        )


def _text(problem: ErrorDetails, schema: Schema) -> str:
    kind, loc = problem["type"], problem["loc"]
    if kind in _UNKNOWN:
        return unknown_key(str(loc[-1]), _keys_at(schema, loc[:-1]))
    if kind == "union_tag_not_found":
        return "the type is missing"
    if kind == "union_tag_invalid":
        return f"unknown type; expected one of {problem['ctx']['expected_tags']}".replace("'", "")
    return in_our_words(problem)


def unknown_key(name: str, known: Iterable[str]) -> str:
    """The message for an unknown key."""
    names = sorted(known)
    near = get_close_matches(name.lower(), names, n=1, cutoff=0.6)
    if near:
        return f"unknown key; did you mean {near[0]}?"
    return f"unknown key; expected one of {', '.join(names)}" if names else "unknown key"


def _written(loc: Loc, data: Any) -> list[str | int]:
    """The path of a value in the file: without the types of sources and catalogs, and with short forms as written."""
    if len(loc) > 2 and loc[0] in _TAGGED:
        loc = (*loc[:2], *loc[3:])
    path: list[str | int] = []
    for part in loc:
        if isinstance(data, dict) and part not in data:
            short = next((key for key, field in SHORT_SOURCES.items() if field == part and key in data), None)
            part = short if short is not None and path[:1] == ["sources"] else part
        inside = (isinstance(data, dict) and part in data) or (
            isinstance(data, list) and isinstance(part, int) and part < len(data)
        )
        if not inside:
            break
        path.append(part)
        data = data[part]
    return path


def _keys_at(schema: Schema, loc: Loc) -> set[str]:
    """The keys that the schema allows at a path."""
    places = list(_forms(schema, schema))
    for part in loc:
        found: list[Schema] = []
        for place in places:
            if isinstance(part, int):
                found.extend(_forms(place.get("items", {}), schema))
            elif part in place.get("properties", {}):
                found.extend(_forms(place["properties"][part], schema))
        tagged = [place for place in places if place.get("properties", {}).get("type", {}).get("const") == part]
        places = tagged or found or places
    return {name for place in places for name in place.get("properties", {})}


def _forms(part: Schema, schema: Schema) -> Iterator[Schema]:
    """The alternatives of a part of the schema, with references resolved."""
    if "$ref" in part:
        yield from _forms(schema["$defs"][part["$ref"].rpartition("/")[2]], schema)
        return
    for name in ("anyOf", "oneOf", "allOf"):
        for form in part.get(name, ()):
            yield from _forms(form, schema)
    yield part
