"""Times and durations in the forms in which logs have them."""

from __future__ import annotations

from datetime import date, datetime, timedelta, timezone
from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from connector.sources.logs.layout import DurationUnit
from connector.sources.logs.times import TimeReader, read_duration

NINE = datetime(2024, 5, 1, 9, 0, tzinfo=timezone.utc)


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ("2024-05-01 09:00:00", NINE),
        ("2024-05-01T09:00:00Z", NINE),
        (" 2024-05-01 09:00 UTC ", NINE),
        ("2024-05-01/09:00:00", NINE),
        ("2024-05-01 11:00:00.000 +0200", NINE),
        ("2024-05-01 02:00:00.000 -0700", NINE),
        ("2024-05-01T11:00:00.0000000+02:00", NINE),
        ("2024-05-01 14:30:00+05:30", NINE),
        ("2024-05-01 11:00:00.000 Europe/Berlin", NINE),
        ("2024-05-01 9:00:00", NINE),
        ("2024-05-01 09:00:00,123456789", NINE + timedelta(microseconds=123456)),
        ("2024-05-01 09:00:00.5", NINE + timedelta(milliseconds=500)),
        ("2024-05-01 08:59:60", NINE - timedelta(seconds=1)),
        ("2024-05-01", NINE - timedelta(hours=9)),
        (date(2024, 5, 1), NINE - timedelta(hours=9)),
        (datetime(2024, 5, 1, 9), NINE),
        (datetime(2024, 5, 1, 11, tzinfo=timezone(timedelta(hours=2))), NINE),
        (1714554000, NINE),
        (1714554000.25, NINE + timedelta(milliseconds=250)),
        ("1714554000000", NINE),
        (Decimal("1714554000000000"), NINE),
        (1714554000000000000, NINE),
        ("1.714554E9", NINE),
        (0, datetime(1970, 1, 1, tzinfo=timezone.utc)),
        ("yesterday", None),
        ("2024-13-01 09:00:00", None),
        ("2024-05-01 09:00:00 Nowhere/City", None),
        ("", None),
        (None, None),
        (True, None),
        ("9" * 400, None),
        (float("nan"), None),
    ],
)
def test_a_time_is_read(value: object, expected: datetime | None) -> None:
    assert TimeReader().read(value) == expected


def test_what_the_settings_say() -> None:
    assert TimeReader(zone="America/New_York").read("2024-05-01 05:00") == NINE
    assert TimeReader(unit="s").read("171455400000") == datetime(7403, 3, 17, 12, tzinfo=timezone.utc)
    assert TimeReader(formats=("%d.%m.%y %H:%M",)).read("01.05.24 09:00") == NINE
    assert TimeReader(formats=("%Y%m%d%H%M%S",)).read("20240501090000") == NINE


@given(st.datetimes(datetime(1971, 1, 1), datetime(2200, 1, 1), timezones=st.timezones(), allow_imaginary=False))
def test_a_time_in_iso_form_is_itself(time: datetime) -> None:
    assert TimeReader().read(time.isoformat()) == time.astimezone(timezone.utc)


@given(st.text() | st.integers() | st.floats() | st.decimals() | st.none() | st.binary())
def test_nothing_makes_the_reader_fail(value: object) -> None:
    found = TimeReader().read(value)
    assert found is None or found.tzinfo is not None
    assert (read_duration(value, "ms") or 0) >= 0


@pytest.mark.parametrize(
    ("value", "unit", "expected"),
    [
        ("1500", "ms", 1500),
        (1.5, "s", 1500),
        ("1500000", "us", 1500),
        (1500000000, "ns", 1500),
        (Decimal("2500.75"), "us", 2),
        (timedelta(seconds=2), "ms", 2000),
        ("-1", "ms", None),
        ("soon", "ms", None),
        (None, "ms", None),
    ],
)
def test_a_duration_is_read(value: object, unit: DurationUnit, expected: int | None) -> None:
    assert read_duration(value, unit) == expected
