"""What pydantic says of a wrong value, in the words of somebody who writes a YAML file."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

__all__ = ["in_our_words"]

_WORDS = {
    "bool_parsing": "expected true or false",
    "bool_type": "expected true or false",
    "dict_type": "expected a mapping of keys to values",
    "float_parsing": "expected a number",
    "float_type": "expected a number",
    "int_from_float": "expected a whole number",
    "int_parsing": "expected a whole number",
    "int_type": "expected a whole number",
    "is_instance_of": "unexpected type of value",
    "list_type": "expected a list",
    "missing": "is missing",
    "model_attributes_type": "expected a mapping of keys to values",
    "model_type": "expected a mapping of keys to values",
    "dataclass_type": "expected a mapping of keys to values",
    "path_type": "expected the path of a file or folder",
    "string_type": "expected text; put numbers and dates in quotes",
    "tuple_type": "expected a list",
    "url_parsing": "expected an address, such as https://host:port",
    "url_scheme": "expected an address, such as https://host:port",
}
_LIMITS = {
    "greater_than": ("gt", "expected more than {}"),
    "greater_than_equal": ("ge", "expected {} or more"),
    "less_than": ("lt", "expected less than {}"),
    "less_than_equal": ("le", "expected {} or less"),
    "literal_error": ("expected", "expected one of {}"),
    "enum": ("expected", "expected one of {}"),
    "too_short": ("min_length", "expected at least {} of these"),
    "too_long": ("max_length", "expected at most {} of these"),
    "string_too_short": ("min_length", "expected at least {} characters"),
}


def in_our_words(problem: Mapping[str, Any]) -> str:
    """One of the errors of a `ValidationError`, without the value itself: it may be a secret."""
    kind = str(problem["type"])
    if kind in _WORDS:
        return _WORDS[kind]
    if kind in _LIMITS:
        name, text = _LIMITS[kind]
        limit = problem.get("ctx", {}).get(name, "")
        return text.format(f"{limit:g}" if isinstance(limit, float) else str(limit).replace("'", ""))
    return str(problem["msg"]).removeprefix("Value error, ")
