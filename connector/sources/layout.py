"""The layout of a query log: which column is what, which rows count, how pieces of a text are put together.

A preset is such a layout in a YAML file of this package; the settings of a log have the same fields, and what they say
counts more.
"""

from __future__ import annotations

import re
from typing import Annotated, Literal, TypeAlias

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, field_validator

from connector.sources.zones import find_zone

__all__ = ["Columns", "DurationUnit", "LogLayout", "Names", "Pieces", "TimeUnit"]

DurationUnit: TypeAlias = Literal["s", "ms", "us", "ns"]
TimeUnit: TypeAlias = Literal["auto", "s", "ms", "us", "ns"]


def _texts(value: object) -> object:
    """One value in place of several, and numbers or truth values as text: a status may be any of them."""
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
"""Spellings of one column; the first that has a value is taken. Case does not count, a dot leads into a nested field, and
``a+b`` puts two columns together."""


class _Part(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True, use_attribute_docstrings=True, populate_by_name=True)


class Columns(_Part):
    """Which column of the log is what."""

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
    """When it began."""
    ended_at: Names = ()
    """When it ended; for the duration where the log has none."""
    duration: Names = ()
    """How long it took, in the unit that `duration_unit` says."""
    run_id: Names = ()
    """The log's name of the run."""
    session_id: Names = ()
    """The session, within which temporary tables and USE are followed."""
    sequence: Names = ()
    """A number that grows within a session."""


class Pieces(_Part):
    """How a text that is spread over several rows is put together."""

    key: Names = ()
    """The column that is equal in all the pieces of one text, or several of them as ``a+b``."""
    sequence: Names = ()
    """The number of the piece."""
    text: Names = ()
    """The piece, where it is not in the column of the text."""
    size: int | None = Field(default=None, ge=1)
    """The length of a full piece: blanks that an export has dropped from the end of a piece are put back, except from
    the last."""


class LogLayout(_Part):
    """What is known of a log's columns and rows."""

    columns: Columns = Columns()
    """Which column of the log is what: one name, or several spellings of it."""
    only: dict[str, Names] = Field(default_factory=dict)
    """Rows that count: for each column the values that it may have, case aside; an empty text stands for no value. Other
    rows, such as failed queries, are passed over."""
    without: dict[str, Names] = Field(default_factory=dict)
    """Rows that do not count: for each column the values that it may not have; ``*`` stands for any value."""
    skip_text: Names = ()
    """Texts that are no statements, as patterns with ``*``: ``<insufficient privilege>``."""
    remove: Names = ()
    """Regular expressions for what is taken out of a text, such as a list of parameters before it."""
    unescape: bool = False
    """The text has ``\\\\n`` where a line ends."""
    pieces: Pieces | None = None
    """How a text that is spread over several rows is put together."""
    text_limits: dict[str, int] = Field(default_factory=dict)
    """For each column of text the length at which the log cuts it off; such a text is reported."""
    time_formats: Names = ()
    """Formats of times as Python's `strptime` has them, where they are neither ISO 8601 nor numbers."""
    time_unit: TimeUnit = "auto"
    """Unit of times that are numbers since 1970; seen from their size when left out."""
    duration_unit: DurationUnit = "ms"
    """Unit of the duration."""
    timezone: str = "UTC"
    """Time zone of times that name none."""

    @field_validator("remove")
    @classmethod
    def _are_patterns(cls, value: tuple[str, ...]) -> tuple[str, ...]:
        for pattern in value:
            try:
                re.compile(pattern)
            except re.error as error:
                raise ValueError(f"{pattern!r} is no regular expression: {error}") from None
        return value

    @field_validator("timezone")
    @classmethod
    def _is_zone(cls, value: str) -> str:
        find_zone(value)
        return value
