"""From a row of a log to a statement.

The rows are sorted by their key, so that the pieces of a text are adjacent; their order within a text is determined here. The
same function is used whether Spark or this program has sorted them.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from fnmatch import translate
from itertools import groupby
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

from connector.errors import UnknownDialectError
from connector.sources.logs.binding import Binding, Getter, as_text
from connector.sources.logs.times import TimeReader, read_duration
from connector.sources.record import Defaults, SourceStatement

if TYPE_CHECKING:
    from connector.sources.logs.layout import DurationUnit, LogLayout
    from connector.sources.models import LogSource


Row: TypeAlias = Sequence[Any] | None
"""The values of a row; None for a malformed line."""

PIECE = Binding(
    ("key", "number", "text"), {}, (), (), Getter((((0, ()),),)), Getter((((1, ()),),)), Getter((((2, ()),),))
)
"""The uniform columns of pieces from a second export, whatever the columns of its files."""


@dataclass(frozen=True, slots=True)
class Joined:
    """A text from its pieces, with the first of their rows."""

    row: Row
    key: str
    text: str | None
    """None if the row has no pieces, so that its own text is used."""
    broken: bool
    """Whether a piece is missing."""


def sort_key(row: Row, binding: Binding) -> str:
    """The key as text, independent of the type that the reader returns."""
    value = None if row is None else binding.key.get(row)
    return "" if value is None else as_text(value).strip()


def canonical(row: Sequence[Any], binding: Binding) -> Sequence[Any]:
    """A piece in the form of `PIECE`."""
    return sort_key(row, binding), binding.piece_number.get(row), _text(row, binding)


def joined(rows: Iterable[Row], binding: Binding, size: int | None) -> Iterator[Joined]:
    """One text per key. Rows without a key or a number are not pieces and are passed through."""
    for key, group in groupby(rows, lambda row: sort_key(row, binding)):
        pieces: dict[int, Sequence[Any]] = {}
        others: list[Row] = []
        for row in group:
            number = _number(binding.piece_number.get(row)) if key and row is not None else None
            if number is None or row is None:
                others.append(row)
            elif number not in pieces or _order(row) < _order(pieces[number]):
                # A duplicate piece: the choice must not depend on the order of the log.
                pieces[number] = row
        for row in others if not pieces else ():
            yield Joined(row, key, None, False)
        if pieces:
            numbers = sorted(pieces)
            texts = [_text(pieces[number], binding) for number in numbers]
            if size is not None:
                texts = [text.ljust(size) for text in texts[:-1]] + texts[-1:]
            complete = numbers[0] in (0, 1) and numbers[-1] - numbers[0] == len(numbers) - 1
            yield Joined(pieces[numbers[0]], key, "".join(texts), not complete)


def _order(row: Sequence[Any]) -> tuple[str, ...]:
    return tuple(map(str, row))


def _text(row: Sequence[Any], binding: Binding) -> str:
    value = binding.piece_text.get(row)
    return "" if value is None else as_text(value)


def _number(value: Any) -> int | None:
    try:
        return int(as_text(value))
    except (TypeError, ValueError):
        return None


Passed: TypeAlias = Literal["failed", "hidden", "empty", "old", "unreadable"]
"""Why a row is skipped: its query failed or is not selected, its text is hidden, it has no text, it was read before, or it is
malformed."""

_ESCAPES = {"n": "\n", "r": "\r", "t": "\t", "\\": "\\"}
_ESCAPED = re.compile(r"\\(.)", re.S)


@dataclass(frozen=True)
class LogReader:
    """Turns rows into statements. Small enough to be sent to other processes."""

    binding: Binding
    source: str
    """Name of the log."""
    place: Defaults
    times: TimeReader
    duration_unit: DurationUnit
    hidden: tuple[str, ...]
    remove: tuple[str, ...]
    unescape: bool
    since: datetime | None = None

    @classmethod
    def of(
        cls,
        source: LogSource,
        layout: LogLayout,
        binding: Binding,
        defaults: Defaults,
        since: datetime | None = None,
    ) -> LogReader:
        from connector.sources.logs.layout import load_preset  # pydantic, which the workers do without

        return cls(
            binding,
            source.label,
            defaults.under(source, load_preset(source.preset).dialect if source.preset else None),
            TimeReader.of(layout),
            layout.duration_unit,
            tuple(translate(pattern) for pattern in layout.skip_text),
            layout.remove,
            layout.unescape,
            since,
        )

    def statements(self, rows: Iterable[Row]) -> Iterator[SourceStatement | Passed]:
        """For each row, the statement or the reason why there is none."""
        return (self.read(row, self.own_text(row)) for row in rows)

    def from_pieces(self, texts: Iterable[Joined]) -> Iterator[SourceStatement | Passed]:
        """The same for rows whose texts have been assembled."""
        for each in texts:
            text = self.own_text(each.row) if each.text is None else each.text
            yield self.read(each.row, text, broken=each.broken)

    def own_text(self, row: Row) -> Any:
        """The statement of a row that contains the complete text."""
        return None if row is None else self.binding.fields["text"].get(row)

    def read(self, row: Row, text: Any, *, broken: bool = False) -> SourceStatement | Passed:
        """The statement of a row with the given text; `broken` if part of the text is known to be missing."""
        if row is None:
            return "unreadable"
        fields = self.binding.fields
        if not all(rule.passes(row) for rule in self.binding.rules):
            return "failed"
        if text is None:
            return "empty"
        shown = as_text(text)
        truncated = broken or self._is_cut(row, shown)
        if self.unescape and "\\" in shown:
            shown = _ESCAPED.sub(lambda match: _ESCAPES.get(match[1], match[0]), shown)
        if self.hidden and any(re.match(pattern, shown.strip(), re.I) for pattern in self.hidden):
            return "hidden"
        for pattern in self.remove:
            shown = re.sub(pattern, "", shown)
        if "\0" in shown:
            shown = shown.replace("\0", "")
        if not shown.strip():
            return "empty"
        started = self.times.read(fields["started_at"].get(row))
        if self.since is not None and started is not None and started < self.since:
            return "old"
        return SourceStatement(
            text=shown,
            dialect=self._dialect(fields["dialect"].get(row)),
            kind="query",
            origin=self.source,
            database=_name(fields["database"].get(row)) or self.place.database,
            schema=_name(fields["schema_"].get(row)) or self.place.schema,
            user=_name(fields["user"].get(row)),
            started_at=started,
            duration_ms=self._duration(row, started),
            run_id=_name(fields["run_id"].get(row)),
            session_id=_name(fields["session_id"].get(row)),
            sequence=_whole(fields["sequence"].get(row)) or 0,
            cluster=self.place.cluster,
            source=self.source,
            truncated=truncated,
        )

    def _is_cut(self, row: Sequence[Any], text: str) -> bool:
        for getter, limit in self.binding.limits:
            value = getter.get(row)
            if value is not None and as_text(value) == text:
                # Some logs limit bytes; the last character may then be missing entirely.
                return len(text) >= limit or limit - 4 < len(text.encode("utf-8", "replace")) <= limit
        return False

    def _dialect(self, value: Any) -> str:
        if value is not None:
            from connector.sql.dialects import get_dialect

            try:
                return get_dialect(as_text(value)).name
            except UnknownDialectError:
                pass
        return self.place.dialect

    def _duration(self, row: Sequence[Any], started: datetime | None) -> int | None:
        duration = read_duration(self.binding.fields["duration"].get(row), self.duration_unit)
        if duration is None and started is not None:
            ended = self.times.read(self.binding.fields["ended_at"].get(row))
            if ended is not None and ended >= started:
                duration = (ended - started) // timedelta(milliseconds=1)
        return duration


@dataclass(frozen=True)
class BoundTable:
    """A table with the reader of its rows: iterating over it gives for each row the statement, or the reason why there is none.

    Where its rows can be sent to other processes, it can be, too.
    """

    reader: LogReader
    rows: Callable[[Sequence[str]], Iterator[Row]]
    piece_size: int | None = None

    def __iter__(self) -> Iterator[SourceStatement | Passed]:
        binding = self.reader.binding
        rows = self.rows(binding.columns)
        if not binding.in_pieces:
            return self.reader.statements(rows)
        together = sorted(rows, key=lambda row: sort_key(row, binding))
        return self.reader.from_pieces(joined(together, binding, self.piece_size))


def _name(value: Any) -> str | None:
    return (as_text(value).strip() or None) if value is not None else None


def _whole(value: Any) -> int | None:
    if value is None:
        return None
    try:
        return int(as_text(value))
    except ValueError:
        return None


def asked_columns(source: LogSource) -> frozenset[str]:
    """The columns that the settings map explicitly. A column of a preset may be missing from an export, but a missing column
    of the settings is a mistake."""
    return frozenset(source.columns.model_fields_set) if "columns" in source.model_fields_set else frozenset()
