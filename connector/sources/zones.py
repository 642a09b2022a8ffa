"""Time zones in the forms that logs and settings use."""

from __future__ import annotations

from datetime import timedelta, timezone, tzinfo
from functools import lru_cache
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

__all__ = ["find_zone"]


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
