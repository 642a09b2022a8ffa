"""Whatever a task does, the caller gets an answer in time, and the next call is unharmed."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from guarded_tasks import perform

from connector.errors import ConfigurationError
from connector.guard import Guard, GuardPool, Limits, Stopped

LIMITS = Limits(seconds=1.0, memory_mb=120)
HERE = Path(__file__).parent


@pytest.fixture(scope="module")
def shared() -> Iterator[Guard[Any, Any]]:
    """One guard for the whole module, so that each test shows that the one before it did no harm."""
    with Guard(perform, LIMITS) as guard:
        yield guard


def stopped_by(guard: Guard[Any, Any], *order: Any) -> Stopped:
    with pytest.raises(Stopped) as caught:
        guard(order)
    assert guard(("echo", "next")) == "next"
    return caught.value


def test_returns_what_the_task_returns(shared: Guard[Any, Any]) -> None:
    assert shared(("echo", {"a": [1, None, "é\ud800"]})) == {"a": [1, None, "é\ud800"]}


def test_one_child_serves_many_calls(shared: Guard[Any, Any]) -> None:
    assert len({shared(("pid", None)) for _ in range(20)} | {os.getpid()}) == 2


@pytest.mark.parametrize("deed", ["spin", "spin in C"])
def test_time_is_limited(shared: Guard[Any, Any], deed: str) -> None:
    shared(("echo", 1))
    began = time.monotonic()
    with pytest.raises(Stopped) as caught:
        shared((deed, 60))
    # A child that finds no processor on a busy machine has more time, and one that sleeps has not.
    assert time.monotonic() - began < LIMITS.seconds * (6 if deed == "spin" else 2) + 5
    assert caught.value.reason == "timeout"
    assert str(caught.value) == "The time limit of 1 s was exceeded"
    assert shared(("echo", 2)) == 2


def test_memory_is_limited(shared: Guard[Any, Any]) -> None:
    stopped = stopped_by(shared, "memory", 4000)
    assert (stopped.reason, str(stopped)) == ("memory", "The memory limit of 120 MB was exceeded")


def test_memory_below_the_limit_is_free_and_not_counted_twice(shared: Guard[Any, Any]) -> None:
    assert [shared(("memory", 80)) for _ in range(4)] == [80] * 4


def test_addresses_that_are_not_used_are_no_memory(shared: Guard[Any, Any]) -> None:
    child = shared(("pid", None))
    assert [shared(("reserve", 300)) for _ in range(3)] == [300] * 3
    assert shared(("memory", 40)) == 40
    assert shared(("pid", None)) == child


def test_memory_counts_when_nobody_looks() -> None:
    # A library that is refused memory, or a stack that is full, ends in a signal that says nothing of that.
    orders = [("memory", 300), ("memory and crash", 300), ("memory and crash", 20)]
    assert told_unseen(0, orders) == ["memory", "memory", "crash"]


def test_a_large_parent_does_not_hide_what_its_child_takes() -> None:
    """A process begins with the peak of the one that starts it, in some of what the system tells."""
    orders = [("pid", None), ("memory", 80), ("pid", None), ("memory", 200), ("segfault", None)]
    first, *told = told_unseen(500, orders)
    assert told == [80, told[1], "memory", "crash"]
    assert told[1] != first, "a child that has seen a large task is worn"


def told_unseen(parent_mb: int, orders: list[tuple[str, Any]]) -> list[Any]:
    """Results, or reasons of stops, in a process that has so much memory and does not look at its child's."""
    program = (
        f"import json, sys; sys.path.insert(0, {str(HERE)!r})\n"
        "import connector.guard.guard\n"
        "from connector.guard import Guard, Limits, Stopped\n"
        "from guarded_tasks import perform\n"
        "connector.guard.guard._LOOK_SECONDS = 30.0\n"
        f"ours = bytearray({parent_mb} << 20)\n"
        "def told(order):\n"
        "    try:\n        return guard(order)\n"
        "    except Stopped as stopped:\n        return stopped.reason\n"
        "with Guard(perform, Limits(seconds=30, memory_mb=120)) as guard:\n"
        "    print(json.dumps([told(order) for order in json.loads(sys.argv[1])]))\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", program, json.dumps(orders)], capture_output=True, timeout=60, check=True
    )
    told: list[Any] = json.loads(done.stdout)
    return told


def test_an_argument_beyond_the_limit_stops_that_call_only() -> None:
    # Sending the argument takes time that a busy machine may not have within the limit of the other tests.
    with Guard(perform, Limits(seconds=60, memory_mb=LIMITS.memory_mb)) as guard:
        assert guard(("length", "x" * (10 << 20))) == 10 << 20
        assert stopped_by(guard, "length", "x" * (200 << 20)).reason == "memory"


def test_depth_is_large_and_limited(shared: Guard[Any, Any]) -> None:
    assert shared(("nest", 20_000)) == 20_000
    assert stopped_by(shared, "nest", 10_000_000).reason in ("depth", "memory")


@pytest.mark.parametrize(("deed", "told"), [("segfault", "SIGSEGV"), ("abort", "SIGABRT"), ("exit", "code 3")])
def test_a_crash_is_told(shared: Guard[Any, Any], deed: str, told: str) -> None:
    stopped = stopped_by(shared, deed, 3)
    assert stopped.reason == "crash"
    assert told in str(stopped)


def test_a_killed_child_is_replaced(shared: Guard[Any, Any]) -> None:
    os.kill(shared(("pid", None)), signal.SIGKILL)
    assert stopped_by(shared, "echo", 1).reason == "memory"


def test_exceptions_of_the_task_reach_the_caller(shared: Guard[Any, Any]) -> None:
    with pytest.raises(ConfigurationError, match="no such thing"):
        shared(("raise", "no such thing"))
    assert shared(("echo", 1)) == 1


@pytest.mark.parametrize(
    ("deed", "told"), [("raise unpicklable", "UnpicklableError: odd"), ("return unpicklable", "cannot pickle")]
)
def test_what_cannot_be_handed_back_is_told(shared: Guard[Any, Any], deed: str, told: str) -> None:
    stopped = stopped_by(shared, deed, "odd")
    assert stopped.reason == "crash"
    assert told in str(stopped)


def test_an_argument_that_cannot_be_pickled_is_the_callers_mistake(shared: Guard[Any, Any]) -> None:
    with pytest.raises(TypeError, match="pickle"):
        shared(("echo", threading.Lock()))
    assert shared(("echo", 1)) == 1


def test_the_child_prints_nothing(shared: Guard[Any, Any], capfd: pytest.CaptureFixture[str]) -> None:
    shared(("print", "noise"))
    stopped_by(shared, "abort", None)
    assert capfd.readouterr() == ("", "")


def test_the_child_stands_apart_from_the_terminal(shared: Guard[Any, Any]) -> None:
    assert shared(("session", None)) != os.getsid(0)


def test_a_task_must_be_found_by_name() -> None:
    with pytest.raises(ConfigurationError, match="function of an importable module"):
        Guard(lambda value: value)


def test_a_task_that_cannot_be_loaded_is_told() -> None:
    def moved(value: int) -> int:
        return value

    moved.__module__, moved.__qualname__ = "connector.guard.nowhere", "moved"
    with Guard(moved) as guard, pytest.raises(Stopped, match=r"No module named 'connector\.guard\.nowhere'"):
        guard(1)


@pytest.mark.parametrize("limits", [{"seconds": 0}, {"seconds": -1}, {"memory_mb": 0}])
def test_limits_are_checked(limits: dict[str, Any]) -> None:
    with pytest.raises(ConfigurationError):
        Limits(**limits)


def test_a_closed_guard_leaves_no_process() -> None:
    with Guard(perform, LIMITS) as guard:
        pid = guard(("pid", None))
    with pytest.raises(ProcessLookupError):
        os.kill(pid, 0)


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere the child's own clock ends it, later")
def test_the_child_ends_with_its_parent_whatever_it_does(tmp_path: Path) -> None:
    told = tmp_path / "pid"
    program = (
        f"import sys; sys.path.insert(0, {str(HERE)!r})\n"
        "from connector.guard import Guard, Limits\n"
        "from guarded_tasks import perform\n"
        f"Guard(perform, Limits(seconds=600))(('touch and spin', {str(told)!r}))\n"
    )
    with subprocess.Popen([sys.executable, "-c", program]) as parent:
        _until(lambda: told.exists() and told.read_text() != "")
        parent.kill()
    child = int(told.read_text())
    _until(lambda: not _alive(child))


def test_an_interrupt_shows_one_traceback_and_ends_the_child() -> None:
    program = (
        f"import os, signal, sys, threading; sys.path.insert(0, {str(HERE)!r})\n"
        # A program that is started in the background inherits that interrupts are ignored.
        "signal.signal(signal.SIGINT, signal.default_int_handler)\n"
        "from connector.guard import Guard, Limits\n"
        "from guarded_tasks import perform\n"
        "guard = Guard(perform, Limits(seconds=60))\n"
        "pid = guard(('pid', None))\n"
        "threading.Timer(0.3, os.kill, (os.getpid(), signal.SIGINT)).start()\n"
        "try:\n    guard(('sleep', 50))\n"
        "except KeyboardInterrupt:\n    print('interrupted')\n"
        "assert guard(('pid', None)) != pid\n"
        "guard.close()\n"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=30, check=False)
    assert (done.stdout, done.stderr, done.returncode) == ("interrupted\n", "", 0)


def test_a_forked_process_starts_a_child_of_its_own() -> None:
    program = (
        f"import os, sys; sys.path.insert(0, {str(HERE)!r})\n"
        "from connector.guard import Guard, Limits\n"
        "from guarded_tasks import perform\n"
        "guard = Guard(perform, Limits(seconds=60))\n"
        "pid = guard(('pid', None))\n"
        "forked = os.fork()\n"
        "if not forked:\n    os._exit(0 if guard(('pid', None)) != pid else 1)\n"
        "assert os.waitpid(forked, 0)[1] == 0\n"
        "assert guard(('pid', None)) == pid\n"
        "guard.close()\n"
    )
    subprocess.run([sys.executable, "-c", program], timeout=30, check=True)


def test_a_pool_serves_threads_and_survives_stops() -> None:
    found: dict[int, Any] = {}

    def call(number: int) -> None:
        try:
            found[number] = pool.call(("spin", None) if number == 3 else ("echo", number))
        except Stopped as stopped:
            found[number] = stopped.reason

    with GuardPool(perform, Limits(seconds=1.0, memory_mb=100), size=2) as pool:
        threads = [threading.Thread(target=call, args=(number,)) for number in range(10)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert pool.call(("echo", "after")) == "after"
    assert found == {number: "timeout" if number == 3 else number for number in range(10)}


def _until(condition: Any, seconds: float = 20.0) -> None:
    deadline = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < deadline, "it did not happen in time"
        time.sleep(0.01)


def _alive(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False
