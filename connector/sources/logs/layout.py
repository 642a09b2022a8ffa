"""The layout of a query log: what its columns contain, which rows to read, and how to assemble texts from pieces.

A preset is such a layout in a YAML file of this package. The settings of a log have the same fields and take precedence.
"""

from __future__ import annotations

import re
from difflib import get_close_matches
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING, Annotated, Any, Literal, TypeAlias

import yaml
from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, field_validator

from connector.errors import ConfigurationError
from connector.sources.logs.times import find_zone

if TYPE_CHECKING:
    from connector.sources.models import LogSource

DurationUnit: TypeAlias = Literal["s", "ms", "us", "ns"]
TimeUnit: TypeAlias = Literal["auto", "s", "ms", "us", "ns"]


def _texts(value: object) -> object:
    """Accepts a single value instead of a list, and numbers and booleans as text: a status can be any of these."""
    values = value if isinstance(value, (list, tuple)) else (value,)
    return tuple(
        ""
        if each is None
        else str(each).lower()
        if isinstance(each, bool)
        else str(each)
        if isinstance(each, int)
        else each
        for each in values
    )


Names: TypeAlias = Annotated[tuple[str, ...], BeforeValidator(_texts)]
"""Spellings of one column; the first one that has a value is used. Case is ignored, a dot refers to a nested field, and
``a+b`` concatenates two columns."""


class _Part(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True, use_attribute_docstrings=True, populate_by_name=True)


class Columns(_Part):
    """Which columns of the log contain what."""

    text: Names = ()
    """The statement."""
    dialect: Names = ()
    """Its dialect."""
    database: Names = ()
    """The current database."""
    schema_: Names = Field(default=(), alias="schema")
    """The current schema."""
    user: Names = ()
    """Who ran it."""
    started_at: Names = ()
    """When it started."""
    ended_at: Names = ()
    """When it ended; used to compute the duration if the log has none."""
    duration: Names = ()
    """How long it took, in the unit given by `duration_unit`."""
    run_id: Names = ()
    """The log's id of the run."""
    session_id: Names = ()
    """The session, within which temporary tables and USE are followed."""
    sequence: Names = ()
    """A number that increases within a session."""


class Pieces(_Part):
    """How to assemble a text that is spread over several rows."""

    key: Names = ()
    """The column that is equal in all pieces of a text, or several columns as ``a+b``."""
    sequence: Names = ()
    """The number of the piece."""
    text: Names = ()
    """The piece itself, if it is not in the column of the text."""
    size: int | None = Field(default=None, ge=1)
    """The length of a full piece. Trailing blanks that an export has stripped are restored, except in the last piece."""


class LogLayout(_Part):
    """What is known about the columns and rows of a log."""

    columns: Columns = Columns()
    """Which columns of the log contain what: a name, or several spellings of it."""
    only: dict[str, Names] = Field(default_factory=dict)
    """Rows to read: columns and their accepted values, case-insensitive; an empty text means no value. Other rows, such as
    those of failed queries, are skipped."""
    without: dict[str, Names] = Field(default_factory=dict)
    """Rows to skip: columns and their rejected values; ``*`` stands for any value."""
    skip_text: Names = ()
    """Texts that are not statements, as patterns with ``*``: ``<insufficient privilege>``."""
    remove: Names = ()
    """Regular expressions for what to remove from the text, such as a parameter list before it."""
    unescape: bool = False
    """The text contains ``\\\\n`` instead of line breaks."""
    pieces: Pieces | None = None
    """How to assemble a text that is spread over several rows."""
    text_limits: dict[str, int] = Field(default_factory=dict)
    """Columns, and the length at which the log truncates them; truncated texts are reported."""
    time_formats: Names = ()
    """Formats of times for Python's `strptime`, in addition to ISO 8601 and numbers."""
    time_unit: TimeUnit = "auto"
    """Unit of times given as numbers since 1970; inferred from their magnitude by default."""
    duration_unit: DurationUnit = "ms"
    """Unit of the duration."""
    timezone: str = "UTC"
    """Time zone of times that do not specify one."""

    @field_validator("remove")
    @classmethod
    def _are_patterns(cls, value: tuple[str, ...]) -> tuple[str, ...]:
        for pattern in value:
            try:
                re.compile(pattern)
            except re.error as error:
                raise ValueError(f"{pattern!r} is not a valid regular expression: {error}") from None
        return value

    @field_validator("timezone")
    @classmethod
    def _is_zone(cls, value: str) -> str:
        find_zone(value)
        return value


_FOLDER = files(__package__) / "presets"
"""A resource and not a path: Spark's `--py-files` brings the package as an archive."""


class Preset(LogLayout):
    """A predefined layout."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    title: str
    aliases: tuple[str, ...] = ()
    dialect: str
    query: str | None = None
    """The query for reading the log directly from the database."""


def preset_names() -> list[str]:
    """The names of all presets."""
    return sorted(_presets())


def load_preset(name: str) -> Preset:
    """The preset with this name; case, spaces and dashes are ignored."""
    key = re.sub(r"[\s.-]+", "_", name.strip().lower())
    for known, preset in _presets().items():
        if key == known or key in preset.aliases:
            return preset
    near = get_close_matches(key, preset_names(), n=1)
    hint = f"did you mean {near[0]}?" if near else f"expected one of {', '.join(preset_names())}"
    raise ConfigurationError(f"unknown preset {name!r}; {hint}")


@cache
def _presets() -> dict[str, Preset]:
    found = sorted((file for file in _FOLDER.iterdir() if file.name.endswith(".yaml")), key=lambda file: file.name)
    return {
        file.name.removesuffix(".yaml"): Preset.model_validate(yaml.safe_load(file.read_text(encoding="utf-8")))
        for file in found
    }


def layout_of(source: LogSource) -> LogLayout:
    """The effective layout of a log: its settings, completed by its preset."""
    if source.preset is None:
        return LogLayout(**{name: getattr(source, name) for name in LogLayout.model_fields})
    preset = load_preset(source.preset)
    merged: dict[str, Any] = {}
    for name in LogLayout.model_fields:
        base, given = getattr(preset, name), getattr(source, name)
        if name not in source.model_fields_set:
            merged[name] = base
        elif isinstance(given, (Columns, Pieces)) and isinstance(base, BaseModel):
            merged[name] = base.model_copy(update={each: getattr(given, each) for each in given.model_fields_set})
        elif isinstance(given, dict):
            merged[name] = {**base, **given}
        else:
            merged[name] = given
    return LogLayout(**merged)
