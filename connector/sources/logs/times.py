"""Converts the times and durations of logs, in all vendor formats, to UTC and milliseconds."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import date, datetime, timedelta, timezone, tzinfo
from decimal import Decimal
from functools import lru_cache
from typing import TYPE_CHECKING
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

if TYPE_CHECKING:
    from connector.sources.logs.layout import DurationUnit, LogLayout, TimeUnit

_EPOCH = datetime(1970, 1, 1, tzinfo=timezone.utc)
_MICROSECONDS: dict[str, Decimal] = {
    "s": Decimal(10**6),
    "ms": Decimal(10**3),
    "us": Decimal(1),
    "ns": Decimal("0.001"),
}
_NUMBER = re.compile(r"[+-]?\d+(?:\.\d*)?(?:[eE][+-]?\d+)?\Z")
_TIME = re.compile(
    r"(\d{4})-(\d{2})-(\d{2})"
    r"(?:[T /](\d{1,2}):(\d{2})(?::(\d{2})(?:[.,](\d+))?)?)?"
    r"\s*(Z|[+-]\d{2}(?::?\d{2})?(?::?\d{2})?|[A-Za-z]\w*(?:/[\w+-]+)*)?\Z"
)


@dataclass(frozen=True)
class TimeReader:
    """Parses the times of one log."""

    formats: tuple[str, ...] = ()
    unit: TimeUnit = "auto"
    zone: str = "UTC"

    @classmethod
    def of(cls, layout: LogLayout) -> TimeReader:
        return cls(layout.time_formats, layout.time_unit, layout.timezone)

    def read(self, value: object) -> datetime | None:
        """The time in UTC; None if it cannot be parsed."""
        if value is None or isinstance(value, bool):
            return None
        try:
            if isinstance(value, datetime):
                return self._in_utc(value)
            if isinstance(value, date):
                return self._in_utc(datetime(value.year, value.month, value.day))
            if isinstance(value, (int, float, Decimal)):
                return self._number(Decimal(str(value)))
            return self._text(str(value).strip())
        except (ValueError, OverflowError, ArithmeticError):
            return None

    def written(self, moment: datetime, like: datetime) -> datetime:
        """A time in the form of the log, for comparisons: in the log's time zone if its times do not specify one."""
        return moment if like.tzinfo is not None else moment.astimezone(find_zone(self.zone)).replace(tzinfo=None)

    def _text(self, text: str) -> datetime | None:
        match = _TIME.match(text)
        if match is not None:
            year, month, day, hour, minute, second, fraction, zone = match.groups()
            time = datetime(
                int(year),
                int(month),
                int(day),
                int(hour or 0),
                int(minute or 0),
                min(int(second or 0), 59),
                int(fraction[:6].ljust(6, "0")) if fraction else 0,
                find_zone(zone or self.zone),
            )
            return time.astimezone(timezone.utc)
        for format_ in self.formats:
            try:
                return self._in_utc(datetime.strptime(text, format_))
            except ValueError:
                continue
        if _NUMBER.match(text):
            return self._number(Decimal(text))
        return None

    def _number(self, number: Decimal) -> datetime:
        unit: str = self.unit
        if unit == "auto":
            # Current times have ten digits in seconds, and three more for each smaller unit.
            size = abs(number)
            unit = "s" if size < 10**11 else "ms" if size < 10**14 else "us" if size < 10**17 else "ns"
        return _EPOCH + timedelta(microseconds=int(number * _MICROSECONDS[unit]))

    def _in_utc(self, time: datetime) -> datetime:
        if time.tzinfo is None:
            time = time.replace(tzinfo=find_zone(self.zone))
        return time.astimezone(timezone.utc)


def read_duration(value: object, unit: DurationUnit) -> int | None:
    """Milliseconds; None if the value is not a number or is negative."""
    if value is None or isinstance(value, bool):
        return None
    if isinstance(value, timedelta):
        number = Decimal(value // timedelta(microseconds=1))
        unit = "us"
    else:
        text = str(value).strip()
        if text.isdecimal() and unit in ("ms", "s"):
            return int(text) * (1000 if unit == "s" else 1)
        if not _NUMBER.match(text):
            return None
        number = Decimal(text)
    milliseconds = number * _MICROSECONDS[unit] / 1000
    return int(milliseconds) if milliseconds >= 0 else None


@lru_cache(maxsize=256)
def find_zone(name: str) -> tzinfo:
    """The zone of a name or an offset: ``UTC``, ``Europe/Berlin``, ``+02:00``, ``-0700``. Raises ValueError if it is unknown."""
    if name.upper() in ("Z", "UTC", "GMT"):
        return timezone.utc
    if name[:1] in ("+", "-"):
        digits = name[1:].replace(":", "").ljust(6, "0")
        offset = timedelta(hours=int(digits[:2]), minutes=int(digits[2:4]), seconds=int(digits[4:6]))
        return timezone(-offset if name[0] == "-" else offset)
    try:
        return ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError, OSError) as error:
        raise ValueError(f"unknown time zone {name!r}") from error
