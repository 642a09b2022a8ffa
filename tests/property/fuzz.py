"""Damaged scripts in bulk: every check of `soundness` on each of them, and the same bytes under another hash seed.

``python tests/property/fuzz.py --first 0 --count 100000`` looks for more; a finding is printed as soon as it is made, with
the shortest text that shows it. Writing and validating every export costs more than the analysis, so ``--whole-every 10``
does that, and compares the bytes under another hash seed, for every tenth input only; the model of each one is checked.
"""

from __future__ import annotations

import argparse
import logging
import os
import signal
import subprocess
import sys
import traceback
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from types import FrameType, TracebackType

sys.path.insert(0, str(Path(__file__).parent))

from mutations import damaged_script, shrink
from soundness import check, check_model, finger

__all__ = ["Finding", "OtherSeed", "findings"]
_SECONDS = 20.0
"""What one input may take, in CPU time: a thousand times what most of them need."""


@dataclass(frozen=True)
class Finding:
    """A text for which something does not hold."""

    number: int
    dialect: str
    text: str
    reason: str

    def __str__(self) -> str:
        return f"input {self.number}, {self.dialect}: {self.text!r}: {self.reason}"


class OtherSeed:
    """A process with another hash seed that is asked for the digests of inputs, by their numbers."""

    def __init__(self) -> None:
        seed = "1" if os.environ.get("PYTHONHASHSEED", "0") != "1" else "2"
        self._process = subprocess.Popen(
            [sys.executable, __file__, "--digests"],
            env={**os.environ, "PYTHONHASHSEED": seed},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )

    def __enter__(self) -> OtherSeed:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.close()
        self._process.stdout.close()
        self._process.wait()

    def ask(self, number: int) -> None:
        """Begin with an input; the answer is fetched later, so that both processes work at the same time."""
        assert self._process.stdin is not None
        self._process.stdin.write(f"{number}\n")
        self._process.stdin.flush()

    def answer(self) -> str:
        """The digest of the oldest input that was asked for."""
        assert self._process.stdout is not None
        return self._process.stdout.readline().strip()


def findings(first: int, count: int, other: OtherSeed, whole_every: int = 1) -> Iterator[Finding]:
    """What does not hold for the inputs of these numbers."""
    for number in range(first, first + count):
        dialect, text = damaged_script(number)
        whole = number % whole_every == 0
        if whole:
            other.ask(number)
        digest, problem = _outcome(dialect, text, whole)
        theirs = other.answer() if whole else digest
        if problem is not None:
            kind = problem[0]
            endless = "TimeoutError" in problem[1]
            same = partial(_same_failure, dialect, kind)
            yield Finding(number, dialect, text if endless else shrink(text, same), problem[1])
        elif theirs != digest:
            yield Finding(number, dialect, text, "other bytes under another hash seed")


@contextmanager
def _limited() -> Iterator[None]:
    """Work that never ends is a finding too: after `_SECONDS` of CPU time an exception is raised wherever it is."""
    before = signal.signal(signal.SIGVTALRM, _too_long)
    signal.setitimer(signal.ITIMER_VIRTUAL, _SECONDS)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        signal.signal(signal.SIGVTALRM, before)


def _too_long(number: int, frame: FrameType | None) -> None:
    raise TimeoutError(f"still at work after {_SECONDS:.0f} s")


def _outcome(dialect: str, text: str, whole: bool = True) -> tuple[str, tuple[tuple[str, str, int], str] | None]:
    """The digest of the exports; or what failed, by its type and place, and its message."""
    try:
        with _limited():
            if whole:
                return check(dialect, text), None
            check_model(dialect, text)
    except Exception as error:  # noqa: BLE001 - whatever it is, it is a finding
        at = traceback.extract_tb(error.__traceback__)[-1]
        return "", ((type(error).__name__, at.filename, at.lineno or 0), f"{type(error).__name__}: {error}"[:500])
    return "", None


def _same_failure(dialect: str, kind: tuple[str, str, int], text: str) -> bool:
    problem = _outcome(dialect, text)[1]
    return problem is not None and problem[0] == kind


def _answer_with_digests() -> None:
    for line in sys.stdin:
        try:
            with _limited():
                digest = finger(*damaged_script(int(line)))
        except Exception as error:  # noqa: BLE001 - the asking process finds the same, and says where
            digest = type(error).__name__
        sys.stdout.write(digest + "\n")
        sys.stdout.flush()


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--count", type=int, default=10_000)
    parser.add_argument("--whole-every", type=int, default=1, help="export only every n-th input")
    parser.add_argument("--digests", action="store_true", help=argparse.SUPPRESS)
    asked = parser.parse_args()
    for name in ("sqlglot", "connector"):
        logging.getLogger(name).setLevel(logging.CRITICAL)
    if asked.digests:
        _answer_with_digests()
        return 0
    count = 0
    step = 1_000
    behind = asked.first + asked.count
    with OtherSeed() as other:
        for first in range(asked.first, behind, step):
            for finding in findings(first, min(step, behind - first), other, asked.whole_every):
                count += 1
                sys.stdout.write(f"{finding}\n")
                sys.stdout.flush()
            sys.stderr.write(f"\r{min(first + step, behind) - asked.first:,} inputs, {count} findings")
            sys.stderr.flush()
    sys.stderr.write("\n")
    return 1 if count else 0


if __name__ == "__main__":
    sys.exit(main())
