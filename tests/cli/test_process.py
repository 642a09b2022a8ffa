"""What only a real process shows: the installed command, pipes, terminals, and runs that must be alike."""

from __future__ import annotations

import io
import os
import pty
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from connector.cli.output import _write_all

COMMAND = [sys.executable, "-m", "connector"]


def call(*arguments: str | Path, **settings: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [*COMMAND, *map(str, arguments)],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        encoding="utf-8",
        env={**os.environ, **settings},
        timeout=60,
        check=False,
    )


def on_a_terminal(*arguments: str | Path, **settings: str) -> str:
    """What the command shows when its stdout is a terminal."""
    ours, theirs = pty.openpty()
    environment = {name: value for name, value in os.environ.items() if name != "NO_COLOR"}
    environment |= {"TERM": "xterm", **settings}
    process = subprocess.Popen(
        [*COMMAND, *map(str, arguments)], stdin=subprocess.DEVNULL, stdout=theirs, env=environment
    )
    os.close(theirs)
    shown = b""
    with os.fdopen(ours, "rb", buffering=0) as screen:
        while True:
            try:
                part = screen.read(65536)
            except OSError:  # the terminal is gone once the process is
                break
            if not part:
                break
            shown += part
    assert process.wait(timeout=60) == 0
    return shown.decode("utf-8")


def test_the_installed_command_is_the_module(load):
    script = Path(sys.executable).parent / "lineage-connector"
    asked = ["analyze", str(load), "--format", "json"]
    by_script = subprocess.run([str(script), *asked], capture_output=True, check=True, timeout=60).stdout
    assert by_script.decode("utf-8") == call(*asked).stdout


def test_exit_codes_reach_the_shell(load, broken):
    assert call("analyze", load).returncode == 0
    assert call("analyze", broken).returncode == 1
    assert call("analyze", load, "--dialect", "klingon").returncode == 2


def test_two_runs_are_the_same_byte_for_byte():
    examples = Path(__file__).parents[2] / "examples" / "warehouse"
    asked = ("analyze", examples, "-d", "snowflake", "-f", "json")
    assert call(*asked, PYTHONHASHSEED="1").stdout == call(*asked, PYTHONHASHSEED="2").stdout


def test_a_reader_that_leaves_early_is_no_error(tmp_path):
    many = tmp_path / "many.sql"
    many.write_text("".join(f"insert into t{n} (a) select a from s{n};\n" for n in range(3000)), encoding="utf-8")
    process = subprocess.Popen(
        [*COMMAND, "analyze", str(many), "-f", "xml"], stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )
    assert process.stdout is not None
    assert process.stderr is not None
    process.stdout.readline()
    process.stdout.close()
    said = process.stderr.read()
    process.stderr.close()
    assert process.wait(timeout=60) == 0
    assert said == b""


def test_a_legacy_locale_does_not_change_the_bytes(tmp_path):
    script = tmp_path / "größe.sql"
    script.write_text("create table größe as select länge from maße", encoding="utf-8")
    plain = call("analyze", script, "-f", "xml")
    assert plain.returncode == 0
    assert call("analyze", script, "-f", "xml", PYTHONIOENCODING="latin-1").stdout == plain.stdout


@pytest.mark.parametrize(
    ("settings", "flags", "colored"),
    [
        ({}, (), True),
        ({"NO_COLOR": "1"}, (), False),
        ({"TERM": "dumb"}, (), False),
        ({}, ("--no-color",), False),
        ({"NO_COLOR": "1"}, ("--color",), True),
    ],
)
def test_colours_are_for_terminals_that_want_them(load, settings, flags, colored):
    assert ("\x1b[" in on_a_terminal("analyze", load, *flags, **settings)) is colored


def test_no_input_on_a_terminal_is_a_question_not_a_wait(load):
    ours, theirs = pty.openpty()
    try:
        result = subprocess.run(
            [*COMMAND, "analyze"], stdin=theirs, capture_output=True, text=True, timeout=60, check=False
        )
    finally:
        os.close(theirs)
        os.close(ours)
    assert result.returncode == 2
    assert "stdin" in result.stderr


@pytest.mark.parametrize("unbuffered", ["", "1"])
def test_output_that_does_not_fit_is_an_error(load, unbuffered):
    with Path("/dev/full").open("wb") as full:
        result = subprocess.run(
            [*COMMAND, "analyze", str(load), "-f", "json"],
            stdin=subprocess.DEVNULL,
            stdout=full,
            stderr=subprocess.PIPE,
            text=True,
            env={**os.environ, "PYTHONUNBUFFERED": unbuffered},
            timeout=60,
            check=False,
        )
    assert result.returncode == 3
    assert result.stderr == "Cannot read or write: the output cannot be written: No space left on device\n"


def test_a_stream_that_takes_a_part_gets_the_rest():
    class Narrow(io.RawIOBase):
        taken = b""

        def write(self, data):
            self.taken += bytes(data[:7])
            return min(len(data), 7)

    stream = Narrow()
    _write_all(stream, b"more than seven bytes at once")
    assert stream.taken == b"more than seven bytes at once"


def test_an_interrupt_is_one_line():
    # A program that is started in the background inherits that interrupts are ignored.
    program = (
        "import signal, sys; signal.signal(signal.SIGINT, signal.default_int_handler)\n"
        "sys.argv = ['lineage-connector', 'analyze', '-']\n"
        "import connector.cli.analyze\n"
        "from connector.cli import main\n"
        "print('ready', flush=True)\n"
        "main()"
    )
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    with subprocess.Popen([sys.executable, "-c", program], **pipes) as process:
        assert process.stdout.readline() == b"ready\n"
        state = Path(f"/proc/{process.pid}/stat")
        asleep = 0
        while asleep < 10:  # until it waits for its input
            asleep = asleep + 1 if state.read_text().rpartition(")")[2].split()[0] == "S" else 0
            time.sleep(0.02)
        process.send_signal(signal.SIGINT)
        interrupted = process.stderr.read()
    assert process.returncode == 130
    assert interrupted == b"Interrupted.\n"
