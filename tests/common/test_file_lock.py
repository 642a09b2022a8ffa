"""One writer at a time for each catalog on this machine."""

from __future__ import annotations

import multiprocessing
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from connector.common.file_lock import only_writer
from connector.errors import UnavailableError

CATALOG = "http://catalog.example"


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """The temporary folder, where the locks are."""
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    return tmp_path


def test_a_second_writer_waits_and_gives_up(folder: Path) -> None:
    expected = pytest.raises(UnavailableError, match="Another run has been writing to http://catalog")
    with only_writer(CATALOG), expected, only_writer(CATALOG, wait=0):
        pass


def test_catalogs_do_not_wait_for_each_other(folder: Path) -> None:
    with only_writer(CATALOG), only_writer("http://other.example", wait=0):
        pass


def test_no_lock_file_stays_behind(folder: Path) -> None:
    with only_writer(CATALOG):
        assert len(list(folder.iterdir())) == 1
    assert list(folder.iterdir()) == []


def test_a_lock_file_that_was_left_behind_is_no_lock(folder: Path) -> None:
    with only_writer(CATALOG):
        (file,) = folder.iterdir()
    file.touch()
    with only_writer(CATALOG, wait=0):
        pass


def _writes(file: Path, rounds: int) -> None:
    for _ in range(rounds):
        with only_writer(CATALOG):
            number = int(file.read_text())
            time.sleep(0.001)
            file.write_text(str(number + 1))


def test_writers_that_take_turns_never_overlap(tmp_path: Path) -> None:
    """The file goes with every writer, so that the next ones hold the same file or a new one, never different ones."""
    counter = tmp_path / "counter"
    counter.write_text("0")
    forks = multiprocessing.get_context("fork")
    writers = [forks.Process(target=_writes, args=(counter, 20)) for _ in range(3)]
    for writer in writers:
        writer.start()
    for writer in writers:
        writer.join()
    assert counter.read_text() == "60"
