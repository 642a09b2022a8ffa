"""Damaged scripts in bulk: every check of `soundness` on each of them, and the same bytes under another hash seed.

``python tests/property/fuzz.py --first 0 --count 100000`` looks for more; a finding is printed as soon as it is made, with
the shortest text that shows it.
"""

from __future__ import annotations

import argparse
import logging
import os
import subprocess
import sys
import traceback
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType

sys.path.insert(0, str(Path(__file__).parent))

from mutations import damaged_script, shrink
from soundness import check, finger

__all__ = ["Finding", "OtherSeed", "findings"]


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


def findings(first: int, count: int, other: OtherSeed | None = None) -> Iterator[Finding]:
    """What does not hold for the inputs of these numbers."""
    for number in range(first, first + count):
        dialect, text = damaged_script(number)
        if other is not None:
            other.ask(number)
        digest, problem = _outcome(dialect, text)
        theirs = other.answer() if other is not None else digest
        if problem is not None:
            kind = problem[0]
            shortest = shrink(text, lambda shorter, d=dialect, k=kind: _same_failure(d, shorter, k))
            yield Finding(number, dialect, shortest, problem[1])
        elif theirs != digest:
            yield Finding(number, dialect, text, "other bytes under another hash seed")


def _outcome(dialect: str, text: str) -> tuple[str, tuple[tuple[str, str, int], str] | None]:
    """The digest of the exports; or what failed, by its type and place, and its message."""
    try:
        return check(dialect, text), None
    except Exception as error:  # noqa: BLE001 - whatever it is, it is a finding
        at = traceback.extract_tb(error.__traceback__)[-1]
        return "", ((type(error).__name__, at.filename, at.lineno or 0), f"{type(error).__name__}: {error}"[:500])


def _same_failure(dialect: str, text: str, kind: tuple[str, str, int]) -> bool:
    problem = _outcome(dialect, text)[1]
    return problem is not None and problem[0] == kind


def _answer_with_digests() -> None:
    for line in sys.stdin:
        try:
            digest = finger(*damaged_script(int(line)))
        except Exception as error:  # noqa: BLE001 - the asking process finds the same, and says where
            digest = type(error).__name__
        sys.stdout.write(digest + "\n")
        sys.stdout.flush()


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--count", type=int, default=10_000)
    parser.add_argument("--same-seed", action="store_true", help="without the second process, on a busy machine")
    parser.add_argument("--digests", action="store_true", help=argparse.SUPPRESS)
    asked = parser.parse_args()
    logging.getLogger("sqlglot").setLevel(logging.CRITICAL)
    if asked.digests:
        _answer_with_digests()
        return 0
    count = 0
    step = 1_000
    other = None if asked.same_seed else OtherSeed()
    for first in range(asked.first, asked.first + asked.count, step):
        for finding in findings(first, min(step, asked.first + asked.count - first), other):
            count += 1
            sys.stdout.write(f"{finding}\n")
            sys.stdout.flush()
        sys.stderr.write(f"\r{first + step - asked.first:,} inputs, {count} findings")
        sys.stderr.flush()
    sys.stderr.write("\n")
    return 1 if count else 0


if __name__ == "__main__":
    sys.exit(main())
