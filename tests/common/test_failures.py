"""Which line of a library's exception is shown."""

from __future__ import annotations

import pytest

from connector.common.failures import first_line

JAVA = "An error occurred while calling o42.count.\n: org.apache.spark.SparkException: no disk\n\tat a.b.C(D.java:1)\n"
WORKER = (
    "An exception was thrown from the Python worker:\nTraceback (most recent call last):\n"
    '  File "x.py", line 1, in f\nconnector.errors.SourceError: gone.\n\nSQLSTATE: 38000'
)


class WrappedError(Exception):
    orig = ValueError("driver: refused\nIs the server running?")


@pytest.mark.parametrize(
    ("error", "line"),
    [
        (OSError("\n  no such table.  \nmore"), "no such table"),
        (ValueError(""), "ValueError"),
        (RuntimeError(JAVA), "org.apache.spark.SparkException: no disk"),
        (RuntimeError(WORKER), "connector.errors.SourceError: gone"),
        (WrappedError("(driver.Error) at length"), "driver: refused"),
    ],
)
def test_the_line_with_the_reason(error: Exception, line: str) -> None:
    assert first_line(error) == line
