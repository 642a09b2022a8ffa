"""The layout of a query log: what its columns contain, which rows to read, and how to assemble texts from pieces.

A preset is such a layout in a YAML file of this package. The settings of a log have the same fields and take precedence.
"""

from __future__ import annotations

import re
from typing import Annotated, Literal, TypeAlias

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, field_validator

from connector.sources.logs.times import find_zone

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
