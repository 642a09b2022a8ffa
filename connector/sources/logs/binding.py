"""Matches a layout with the columns that a log actually has."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from typing import TYPE_CHECKING, Any

from connector.errors import SourceError

if TYPE_CHECKING:
    from connector.sources.logs.layout import LogLayout, Names

_NULLS = ("\\N", "NULL")
"""What exports write for a missing value; neither is a statement or a name."""

Row = Sequence[Any]
Path = tuple[int, tuple[str, ...]]
"""The position of a column in a row, and the path inside it if it is nested."""


@dataclass(frozen=True, slots=True)
class Getter:
    """Extracts a value from a row: that of the first of several columns that has one."""

    choices: tuple[tuple[Path, ...], ...] = ()

    def get(self, row: Row) -> Any:
        for paths in self.choices:
            if len(paths) == 1:
                index, inner = paths[0]
                value = row[index]
                # Most values are plain strings, and there are many rows.
                if value.__class__ is str and not inner:
                    if value and value not in _NULLS and not value.isspace():
                        return value
                    continue
                value = _value(value, inner)
                if value is not None:
                    return value
            else:
                values = [_value(row[index], inner) for index, inner in paths]
                if any(value is not None for value in values):
                    return "+".join("" if value is None else as_text(value) for value in values)
        return None

    def __bool__(self) -> bool:
        return bool(self.choices)


@dataclass(frozen=True, slots=True)
class Rule:
    """Selects rows by the value of a column."""

    getter: Getter
    values: frozenset[str]
    wanted: bool
    """Whether the value must be among `values`, or must not."""

    def passes(self, row: Row) -> bool:
        value = self.getter.get(row)
        text = "" if value is None else as_text(value).strip().lower()
        if self.wanted:
            return text in self.values
        return not (text in self.values or ("*" in self.values and text))


@dataclass(frozen=True, slots=True)
class Binding:
    """Where the values are in a row."""

    columns: tuple[str, ...]
    """The required columns of the log, in the order of the rows."""
    fields: Mapping[str, Getter]
    limits: tuple[tuple[Getter, int], ...]
    rules: tuple[Rule, ...]
    key: Getter = Getter()
    piece_number: Getter = Getter()
    piece_text: Getter = Getter()

    @property
    def in_pieces(self) -> bool:
        """Whether one text is spread over several rows of this log."""
        return bool(self.key and self.piece_number and self.piece_text)

    @property
    def time_column(self) -> str | None:
        """The single column with the start time of a statement; None if there is no such column."""
        choices = self.fields["started_at"].choices if self.fields else ()
        if len(choices) != 1 or len(choices[0]) != 1 or self.in_pieces:
            return None
        index, inner = choices[0][0]
        return None if inner else self.columns[index]


def as_text(value: Any) -> str:
    """A value as the text that an export would write."""
    if isinstance(value, str):
        return value
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, (bytes, bytearray)):
        return value.decode("utf-8", "replace")
    text = str(value)
    # Databases return numbers as decimals: 7.00 is session 7.
    return text.rstrip("0").rstrip(".") if "." in text and text.replace(".", "", 1).lstrip("-").isdigit() else text


def wanted_names(layout: LogLayout) -> list[str]:
    """The columns that a layout may refer to, without nested fields; for logs whose rows have no fixed columns."""
    spellings: list[str] = []
    for names in _all_names(layout):
        for name in names:
            for part in name.split("+"):
                spellings.extend((part, part.split(".")[0]))
    return list(dict.fromkeys(spelling.strip().lower() for spelling in spellings))


def bind(
    layout: LogLayout,
    columns: Iterable[str],
    *,
    log: str,
    asked: frozenset[str] = frozenset(),
    texts_apart: bool = False,
) -> Binding:
    """Finds the columns.

    `asked` are the fields that the settings map explicitly: these must exist. With `texts_apart` the statements come from a
    second export, and this one needs the key that refers to them.
    """
    finder = _Finder(columns)
    fields = {name: finder.getter(getattr(layout.columns, name)) for name in type(layout.columns).model_fields}
    pieces = layout.pieces
    key = number = piece = Getter()
    if pieces is not None:
        key, number = finder.getter(pieces.key), finder.getter(pieces.sequence)
        piece = finder.getter(pieces.text) or fields["text"]
    binding_pieces = key and number and piece
    if texts_apart:
        if not key:
            raise SourceError(f"{log}: {_lacking('the key of the texts', pieces.key if pieces else (), finder.names)}")
    elif not fields["text"] and not binding_pieces:
        names = (*layout.columns.text, *(pieces.text if pieces else ()))
        raise SourceError(f"{log}: {_lacking('the statement', names, finder.names)}")
    for name in sorted(asked):
        if not fields[name]:
            raise SourceError(f"{log}: {_lacking(name.rstrip('_'), getattr(layout.columns, name), finder.names)}")
    rules = [
        Rule(getter, frozenset(value.lower() for value in values), wanted)
        for wanted, table in ((True, layout.only), (False, layout.without))
        for column, values in table.items()
        if (getter := finder.getter(tuple(column.split("|"))))
    ]
    limits = [(finder.getter((column,)), limit) for column, limit in layout.text_limits.items()]
    return Binding(
        tuple(finder.used),
        fields,
        tuple((getter, limit) for getter, limit in limits if getter),
        tuple(rules),
        key,
        *((number, piece) if binding_pieces else ()),
    )


def bind_loose(layout: LogLayout, columns: Iterable[str], *, log: str, texts_apart: bool = False) -> Binding:
    """The same for rows with varying columns, some of which are known from the first rows.

    A rule applies only if its column is among these: otherwise all rows of a log without a status would seem to have failed.
    """
    names = list(columns)
    strict = bind(layout, names, log=log, texts_apart=texts_apart)
    finder = _Finder(names)
    known: dict[str, Any] = {
        table: {
            column: values
            for column, values in getattr(layout, table).items()
            if finder.getter(tuple(column.split("|")))
        }
        for table in ("only", "without")
    }
    if not strict.in_pieces and not texts_apart:
        known["pieces"] = None
    return bind(layout.model_copy(update=known), wanted_names(layout), log=log, texts_apart=texts_apart)


def bind_pieces(layout: LogLayout, columns: Iterable[str], *, log: str) -> Binding:
    """The same for a second export that contains only the pieces of texts."""
    pieces = layout.pieces
    if pieces is None:
        raise SourceError(
            f"{log}: set pieces, with its key and sequence, to define how the pieces of a text are assembled"
        )
    finder = _Finder(columns)
    key, number = finder.getter(pieces.key), finder.getter(pieces.sequence)
    text = finder.getter(pieces.text) or finder.getter(layout.columns.text)
    for what, getter, names in (
        ("the key of the pieces", key, pieces.key),
        ("the number of the piece", number, pieces.sequence),
        ("the text", text, (*pieces.text, *layout.columns.text)),
    ):
        if not getter:
            raise SourceError(f"{log}: {_lacking(what, names, finder.names)}")
    return Binding(tuple(finder.used), {}, (), (), key, number, text)


class _Finder:
    """Finds columns by their spellings, and remembers which were used."""

    def __init__(self, columns: Iterable[str]) -> None:
        self.names = list(columns)
        self._by_key = {_key(name): name for name in reversed(self.names)}
        self.used: dict[str, int] = {}

    def getter(self, names: Names) -> Getter:
        choices: list[tuple[Path, ...]] = []
        for name in names:
            parts = [self._paths(part) for part in name.split("+")]
            if len(parts) == 1:
                choices.extend((path,) for path in parts[0])
            elif all(parts):
                choices.append(tuple(paths[0] for paths in parts))
        return Getter(tuple(choices))

    def _paths(self, name: str) -> list[Path]:
        """A column with exactly this name, or a field inside a column."""
        key = _key(name)
        outer, *inner = key.split(".")
        found = []
        for column, way in ((key, ()), (outer, tuple(inner))) if inner else ((key, ()),):
            actual = self._by_key.get(column)
            if actual is not None:
                found.append((self.used.setdefault(actual, len(self.used)), way))
        return found


def _key(name: str) -> str:
    return name.strip().lstrip("\ufeff").strip('"').lower()


def _value(value: Any, inner: tuple[str, ...]) -> Any:
    for name in inner:
        if not isinstance(value, Mapping):
            return None
        value = next((found for key, found in value.items() if key.lower() == name), None)
    if isinstance(value, str):
        return value if value.strip() and value not in _NULLS else None
    if isinstance(value, Mapping) and all(found is None for found in value.values()):
        return None
    return value


def _all_names(layout: LogLayout) -> Iterable[Names]:
    for name in type(layout.columns).model_fields:
        yield getattr(layout.columns, name)
    for table in (layout.only, layout.without):
        for column in table:
            yield tuple(column.split("|"))
    yield tuple(layout.text_limits)
    if layout.pieces is not None:
        yield from (layout.pieces.key, layout.pieces.sequence, layout.pieces.text)


def _lacking(what: str, names: Names, columns: Sequence[str]) -> str:
    shown = ", ".join(columns[:40]) + (", …" if len(columns) > 40 else "")
    if not names:
        return f"no column is configured for {what}; set preset, or map the columns of the log with columns: {shown}"
    by_key = {column.lower(): column for column in columns}
    near = get_close_matches(names[0].lower(), by_key, n=1)
    hint = f"; did you mean {by_key[near[0]]}?" if near else ""
    return f"no column for {what} ({' or '.join(names)}){hint}; the log has {shown}"
