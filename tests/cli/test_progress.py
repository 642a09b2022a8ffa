"""How far a command is: bars on a terminal, lines elsewhere, nothing when nobody wants to know."""

from __future__ import annotations

import io
import logging
import re

import pytest
from rich.console import Console

from connector.cli.progress import Bars, shown_progress
from connector.common.progress import LogProgress


def test_away_from_a_terminal_there_is_a_line_for_each_step(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.INFO, "connector")
    with shown_progress(quiet=False) as progress:
        progress.begin("Starting Spark")
        progress.begin("Starting Spark")  # goes on
        progress.end()
        progress.begin("Sending to catalogs", 1)
        progress.begin("Writing lineage", 1000)
        progress.advance(400)
        progress.advance(600)
        progress.end()
        progress.begin("Nothing to do", 0)
        progress.end()
        progress.advance(1)
        progress.end()
    assert [re.sub(r"\d+\.\d s", "… s", line) for line in caplog.messages] == [
        "Starting Spark: … s",
        "Writing lineage: 1,000, … s",
        "Sending to catalogs: 1, … s",
    ]
    caplog.clear()
    with shown_progress(quiet=True) as progress:
        progress.begin("Starting Spark")
        progress.end()
    assert not caplog.messages


def test_a_long_step_is_told_of_while_it_lasts(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.INFO, "connector")
    now = [0.0]
    log = LogProgress(5, lambda: now[0])
    log.begin("Writing", 200)
    now[0] = 2
    log.advance(20)
    assert not caplog.messages
    now[0] = 10
    log.advance(20)
    log.end()
    assert caplog.messages == ["Writing: 40/200, 4/s, 0:40 left", "Writing: 40, 10.0 s"]


def test_on_a_terminal_there_is_a_bar_for_each_step() -> None:
    stream = io.StringIO()
    bars = Bars(Console(file=stream, force_terminal=True, width=100))
    bars.begin("Starting Spark")
    bars.end()
    bars.begin("Sending to catalogs", 2)
    bars.begin("Writing lineage", 1000)
    bars.advance(400)
    bars.end()
    bars.advance(2)
    bars.end()
    drawn = re.sub(r"\x1b\[[0-9;?]*[a-zA-Z]", "", stream.getvalue())
    for line in ("Starting Spark", "Sending to catalogs", "    Writing lineage".strip(), "1000/1000", "2/2"):
        assert line in drawn
    assert "\x1b[?25h" in stream.getvalue(), "the cursor is back"


def test_what_is_broken_off_leaves_the_terminal_in_order() -> None:
    stream = io.StringIO()
    bars = Bars(Console(file=stream, force_terminal=True, width=100))
    bars.begin("Writing lineage", 1000)
    bars.close()
    assert stream.getvalue().endswith("\x1b[?25h")
    bars.begin("Another", 1)
    bars.end()
