"""Output of commands: results go to stdout or to a file, everything else to stderr."""

from __future__ import annotations

import logging
import os
import sys
from pathlib import Path
from tempfile import NamedTemporaryFile
from typing import TYPE_CHECKING, BinaryIO

import typer

from connector.addresses import safe_text
from connector.errors import cannot_write
from connector.model import FAILURES

if TYPE_CHECKING:
    from collections.abc import Sequence

    from connector.catalogs.summary import Summary
    from connector.model import Problem

_log = logging.getLogger("connector")

_STDIN = "<stdin>"


class _ToStderr(logging.Handler):
    """Writes one message per line to the current stderr."""

    def emit(self, record: logging.LogRecord) -> None:
        typer.echo(safe_text(self.format(record)), err=True)


def configure_messages(*, quiet: bool, verbose: bool) -> None:
    """Send the package's log to stderr: errors only, errors and failed statements, or everything."""
    if quiet and verbose:
        raise typer.BadParameter("--quiet and --verbose cannot be combined.")
    _log.handlers[:] = [_ToStderr()]
    _log.propagate = False
    _log.setLevel(logging.ERROR if quiet else logging.DEBUG if verbose else logging.WARNING)


def report_problems(problems: Sequence[Problem]) -> int:
    """List the problems as `file:line:column: reason`, in the order of the text, and count those that cost lineage."""
    failures = 0
    for problem in sorted(problems, key=lambda problem: (problem.span[0].index, problem.span[1])):
        script, start, _ = problem.span
        line, column = script.position(start)
        failed = problem.type in FAILURES
        failures += failed
        name = _STDIN if script.name in ("", "-") else script.name
        _log.warning("%s:%d:%d: %s%s", name, line, column, "" if failed else "note: ", problem.message)
    return failures


def tell_summary(summary: Summary, before: str = "") -> None:
    """Report what a catalog lacks or rejected, and its notes, each once."""
    for note in dict.fromkeys(summary.notes):
        _log.warning("%snote: %s", before, note)
    # With --quiet, lineage that could not be attached is still reported.
    level = logging.ERROR if any(failure.lacking for failure in summary.failures) else logging.WARNING
    for line in summary.missing_lines():
        _log.log(level, "%smissing: %s", before, line)
    for line in summary.unattached:
        _log.error("%s%s", before, line)
    for failure in summary.failures:
        if not failure.lacking:  # reported above, with everything that refers to it
            _log.warning("%srejected: %s %s: %s", before, failure.type, failure.name, failure.reason)


def terminal_wants_color() -> bool:
    """Whether stdout is a terminal that supports colours and NO_COLOR is not set (https://no-color.org)."""
    return sys.stdout.isatty() and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"


def write_result(text: str, out: Path | None) -> None:
    """Write a result as UTF-8 to a file, or to stdout if there is none or it is `-`.

    A file is replaced atomically, so that a concurrent reader never sees half of it, even if the run is killed.
    """
    if text and not text.endswith("\n"):
        text += "\n"
    data = text.encode("utf-8")
    if out is None or str(out) == "-":
        try:
            _write_all(sys.stdout.buffer, data)
        except BrokenPipeError:
            raise
        except OSError as error:
            raise OSError(error.errno, f"the output cannot be written: {error.strerror}") from error
        return
    try:
        if out.exists() and not out.is_file():  # a pipe or a device: there is nothing to replace
            out.write_bytes(data)
        else:
            _replace(out.resolve(), data)
    except OSError as error:
        raise cannot_write(out, error) from error


def _write_all(stream: BinaryIO, data: bytes) -> None:
    """Write everything: an unbuffered stream (``PYTHONUNBUFFERED``) may accept only a part and returns its length."""
    rest = memoryview(data)
    while rest:
        rest = rest[stream.write(rest) or 0 :]
    stream.flush()


def _replace(path: Path, data: bytes) -> None:
    mode = path.stat().st_mode & 0o777 if path.exists() else 0o666 & ~_umask()
    with NamedTemporaryFile(dir=path.parent, prefix=f".{path.name}.", delete=False) as file:
        part = Path(file.name)
        try:
            file.write(data)
            file.close()
            part.chmod(mode)
            part.replace(path)
        except BaseException:
            part.unlink(missing_ok=True)
            raise


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask
