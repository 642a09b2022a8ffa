"""The building blocks of the mappings of all catalogs, above all templates: text with model fields in braces.

``{database}.{table}@{cluster}`` puts fields into text. A template that is one field and nothing else, ``{run_count}``, keeps
the field's own type. Filters follow a bar: ``{table|lower}``, ``{first_seen|default:0}``. Braces are doubled to stand for
themselves. A field that has no value makes the whole template empty, so that the attribute is left alone rather than
filled with half a name; ``default`` says otherwise.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fnmatch import fnmatchcase
from functools import cached_property
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, PlainSerializer

from connector.common.resources import resource_folder
from connector.errors import ConfigurationError

_PART = re.compile(r"\{\{|\}\}|\{(?P<body>[^{}]*)\}|(?P<stray>[{}])")
_BODY = re.compile(r"\s*(?P<field>[a-z][a-z0-9_]*)\s*(?P<filters>(?:\|[^|]*)*)")


class TemplateError(ValueError):
    """A template that cannot be read."""


def _text(change: Callable[[str], str]) -> Callable[[Any, str], Any]:
    """A filter for text, which goes into lists and leaves everything else as it is."""

    def apply(value: Any, _: str) -> Any:
        if isinstance(value, str):
            return change(value)
        if isinstance(value, list):
            return [change(item) if isinstance(item, str) else item for item in value]
        return value

    return apply


def _default(value: Any, argument: str) -> Any:
    if value is not None:
        return value
    return int(argument) if re.fullmatch(r"-?\d+", argument) else argument


def _cut(value: Any, argument: str) -> Any:
    return value[: int(argument)] if isinstance(value, str) else value


FILTERS: Mapping[str, tuple[Callable[[Any, str], Any], bool]] = {
    "lower": (_text(str.lower), False),
    "upper": (_text(str.upper), False),
    "cut": (_cut, True),
    "default": (_default, True),
}
"""What may stand behind a bar, and whether an argument follows a colon."""


@dataclass(frozen=True, slots=True)
class _Field:
    name: str
    filters: tuple[tuple[str, str], ...]

    def value(self, fields: Mapping[str, Any]) -> Any:
        value = fields.get(self.name)
        for name, argument in self.filters:
            if value is not None or name == "default":
                value = FILTERS[name][0](value, argument)
        return value


@dataclass(frozen=True, slots=True)
class Template:
    """A template taken apart."""

    text: str
    _parts: tuple[str | _Field, ...]

    @classmethod
    def parse(cls, text: str) -> Template:
        """Take a template apart; what cannot be read is a `TemplateError`."""
        parts: list[str | _Field] = []
        at = 0
        for match in _PART.finditer(text):
            if match.start() > at:
                parts.append(text[at : match.start()])
            if match["stray"]:
                raise TemplateError(f"a single {match['stray']} in {text!r}; double it to write it literally")
            parts.append(match[0][0] if match["body"] is None else _field(match["body"]))
            at = match.end()
        if at < len(text):
            parts.append(text[at:])
        return cls(text, tuple(parts))

    @property
    def fields(self) -> list[str]:
        """The names of the fields, in order."""
        return [part.name for part in self._parts if isinstance(part, _Field)]

    @property
    def single(self) -> str | None:
        """The field that is the whole template."""
        if len(self._parts) == 1 and isinstance(self._parts[0], _Field):
            return self._parts[0].name
        return None

    def render(self, fields: Mapping[str, Any]) -> Any:
        """The value for an object with these fields; None when a field is missing."""
        if len(self._parts) == 1 and isinstance(self._parts[0], _Field):
            return self._parts[0].value(fields)
        pieces: list[str] = []
        for part in self._parts:
            if isinstance(part, str):
                pieces.append(part)
                continue
            value = part.value(fields)
            if value is None:
                return None
            pieces.append(", ".join(map(str, value)) if isinstance(value, list) else str(value))
        return "".join(pieces)


def _field(body: str) -> _Field:
    match = _BODY.fullmatch(body)
    if match is None:
        raise TemplateError(f"{{{body}}} is not a field: expected a lower-case name")
    filters: list[tuple[str, str]] = []
    for written in match["filters"].split("|")[1:]:
        name, colon, argument = written.partition(":")
        name, argument = name.strip(), argument.strip()
        if name not in FILTERS:
            raise TemplateError(f"there is no filter {name!r}; choose from {', '.join(FILTERS)}")
        if FILTERS[name][1] != bool(colon):
            raise TemplateError(f"the filter {name} {'needs an argument' if not colon else 'takes no argument'}")
        if name == "cut" and not argument.isdigit():
            raise TemplateError(f"the filter cut needs a number, not {argument!r}")
        filters.append((name, argument))
    return _Field(match["field"], tuple(filters))


_URI = re.compile(r"(?P<scheme>[A-Za-z][A-Za-z0-9+.\-]*)://(?P<bucket>[^/]*)(?P<path>/.*)?", re.S)


def uri_fields(uri: str, scheme: str | None) -> dict[str, str | None]:
    """Scheme, bucket (or host), the path without its last slash, and its last part as name.

    `scheme` is what the analysis knows where the text itself has none.
    """
    match = _URI.fullmatch(uri)
    if match is None:
        path = uri.rstrip("/") or uri
        return {"scheme": scheme or "file", "bucket": None, "path": path, "name": path.rsplit("/", 1)[-1] or path}
    path = (match["path"] or "").rstrip("/")
    return {
        "scheme": match["scheme"].lower(),
        "bucket": match["bucket"] or None,
        "path": path,
        "name": path.rsplit("/", 1)[-1] or match["bucket"] or uri,
    }


def _template(value: Any) -> Any:
    if isinstance(value, Template):
        return value
    if not isinstance(value, str):
        raise ValueError("expected a string")
    return Template.parse(value)


AS_WRITTEN = PlainSerializer(lambda value: value.text if isinstance(value, Template) else value)
"""Serialises a template as the text it was read from."""
NameTemplate = Annotated[Any, BeforeValidator(_template), AS_WRITTEN]
"""A template in a mapping, where a plain value is a mistake."""


# --- mapping files ----------------------------------------------------------------------------------------------------


class MappingModel(BaseModel):
    """A part of a mapping file."""

    model_config = ConfigDict(extra="forbid", frozen=True, arbitrary_types_allowed=True)


def _listed(value: Any) -> Any:
    return value if isinstance(value, list) else [value]


LISTED = BeforeValidator(_listed)
"""One value may stand for a list of one."""
Patterns = dict[str, Annotated[list[str], LISTED]]


class MappingFile(MappingModel):
    """What the mappings of all catalogs have in common."""

    name: str
    version: int = 1
    description: str = ""
    query_text: Literal["masked", "full", "none"] = "masked"
    skip: Annotated[list[str], LISTED] = Field(default_factory=list)
    """Patterns of names (``database.schema.table`` or a URI, any case) that are not written."""

    @cached_property
    def _skipped(self) -> list[str]:
        return [pattern.lower() for pattern in self.skip]

    def skips(self, name: str) -> bool:
        """Whether an object of this name, without cluster, stays out of the catalog."""
        folded = name.lower()
        return any(fnmatchcase(folded, pattern) for pattern in self._skipped)


def find_mapping(name: str, shipped: Callable[[str], bool]) -> Path:
    """The file of a mapping: a path, or the name of one of those that are shipped for a catalog."""
    file = Path(name)
    if file.suffix in (".yaml", ".yml") or file.is_file():
        return file
    files = {path.stem: path for path in resource_folder("mappings").glob("*.yaml")}
    if name not in files:
        names = ", ".join(sorted(filter(shipped, files)))
        raise ConfigurationError(f"There is no mapping {name!r}; name a YAML file, or one of: {names}.")
    return files[name]
