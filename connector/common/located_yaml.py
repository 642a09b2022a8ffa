"""YAML that remembers its lines, so that a mistake in a file can be shown where it is."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

import yaml
from pydantic import BaseModel, ValidationError

from connector.common.failures import first_line
from connector.errors import ConfigurationError

Path_ = tuple[str | int, ...]
"""The way to a value: keys and indexes from the top of the document."""

_Model = TypeVar("_Model", bound=BaseModel)


@dataclass(frozen=True)
class Located:
    """The data of a YAML file with the line of each of its values."""

    file: Path
    data: Any
    lines: dict[Path_, int]

    def line(self, path: Sequence[str | int]) -> int:
        """The line of a value, or of the nearest thing around it that is written in the file."""
        for size in range(len(path), -1, -1):
            line = self.lines.get(tuple(path[:size]))
            if line is not None:
                return line
        return 1

    def where(self, path: Sequence[str | int]) -> str:
        """``file:line``, the form that editors and terminals turn into a link."""
        return f"{self.file}:{self.line(path)}"

    def parse(self, model: type[_Model]) -> _Model:
        """The data as a model; every mistake is reported with its line."""
        try:
            return model.model_validate(self.data)
        except ValidationError as error:
            found = [
                f"{self.where(problem['loc'])}: {'.'.join(map(str, problem['loc']))}: {in_our_words(problem)}"
                for problem in error.errors(include_url=False, include_input=False)
            ]
            raise ConfigurationError("\n".join(found)) from None


def read_yaml(file: Path) -> Located:
    """Read a YAML file."""
    try:
        text = file.read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        raise ConfigurationError(f"Cannot read {file}: {getattr(error, 'strerror', None) or error}") from error
    try:
        node = yaml.compose(text, Loader=yaml.SafeLoader)
        data = yaml.safe_load(text)
    except yaml.MarkedYAMLError as error:
        line = error.problem_mark.line + 1 if error.problem_mark else 1
        raise ConfigurationError(f"{file}:{line}: invalid YAML: {error.problem}") from None
    except (yaml.YAMLError, RecursionError) as error:
        raise ConfigurationError(f"{file}:1: invalid YAML: {first_line(error)}") from None
    located = Located(file, data, {})
    if node is not None:
        _collect(node, (), located)
    return located


def _collect(node: yaml.Node, path: Path_, located: Located) -> None:
    located.lines[path] = node.start_mark.line + 1
    if isinstance(node, yaml.MappingNode):
        seen: set[str] = set()
        for key, value in node.value:
            name = str(key.value)
            line = key.start_mark.line + 1
            if name in seen:
                raise ConfigurationError(f"{located.file}:{line}: duplicate key {name}")
            seen.add(name)
            _collect(value, (*path, name), located)
            located.lines[(*path, name)] = line
    elif isinstance(node, yaml.SequenceNode):
        for index, value in enumerate(node.value):
            _collect(value, (*path, index), located)


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
