"""The parent's side: one child, its clock and its memory."""

from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import replace
from queue import LifoQueue
from typing import Any, Generic, TypeVar

from connector.errors import ConfigurationError
from connector.guard.limits import (
    FAILED,
    RESULT,
    STOPPED,
    ClosedError,
    Incoming,
    Limits,
    Reason,
    Stopped,
    decode,
    encode,
    receive_message,
)
from connector.guard.processes import await_end, resident_mb, starved_seconds

Argument = TypeVar("Argument")
Result = TypeVar("Result")

_BOOT = (
    "import sys, json; order = json.loads(sys.argv[1]); sys.path[:] = order.pop('path');"
    "from connector.guard.child import serve; serve(**order)"
)
_START_SECONDS = 120.0
"""Seconds after which a child that has not loaded its task is considered stuck."""
_LOOK_SECONDS = 0.1
"""Seconds between two checks of a busy child's memory."""
_END_SECONDS = 5.0
"""Seconds for a child to end after it has closed its end of the channel."""
_MOST_PATIENCE = 4
"""A child may wait for a processor for this multiple of its time limit."""


class Guard(Generic[Argument, Result]):
    """Calls a task in a child process. Serves one thread; `GuardPool` serves many.

    The task is a function of a module, or its name `module:function` if only the child should load that module. Its
    argument and result are pickled.
    """

    def __init__(self, task: Callable[[Argument], Result] | str, limits: Limits | None = None) -> None:
        if os.name != "posix":
            raise ConfigurationError("Time and memory limits need Linux or macOS.")
        self._task = task if isinstance(task, str) else _reference(task)
        self.limits = limits or Limits()
        self._child: _Child | None = None
        self._owner = os.getpid()

    def __enter__(self) -> Guard[Argument, Result]:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """End the child. The next call starts a new one."""
        child, self._child = self._child, None
        if child is not None:
            child.end()

    def interrupt(self) -> None:
        """End a call from another thread: its caller gets `Stopped`."""
        child = self._child
        if child is not None:
            child.interrupt()

    def start(self) -> None:
        """Start the child before the first call needs it."""
        if self._owner != os.getpid():
            # In a fork of the process that owns the child, the child must be neither used nor ended.
            self._owner = os.getpid()
            self._child = None
        if self._child is None:
            self._child = _Child(self._task, self.limits)

    def __call__(self, argument: Argument, seconds: float | None = None) -> Result:
        """Returns the task's result. Exceptions of the task are raised here; `Stopped` is raised if it does not finish.

        `seconds` is a shorter time limit for this call.
        """
        limits = self.limits if seconds is None else replace(self.limits, seconds=min(seconds, self.limits.seconds))
        message = encode(argument)
        self.start()
        child = self._child
        assert child is not None
        try:
            kind, content, worn = child.call(message, limits)
        except Stopped:
            self._replace()
            raise
        except BaseException:
            # Interrupted in the middle of a message: the rest of it would be mistaken for the next reply.
            self.close()
            raise
        if kind == RESULT:
            if worn:
                self._replace()
            result: Result = content
            return result
        self._replace()
        if kind == FAILED:
            raise content
        if kind == STOPPED:
            raise _stopped(content[0], limits)
        raise Stopped("crash", str(content))

    def _replace(self) -> None:
        """A new child, which loads its task in the background."""
        self.close()
        self.start()


class _Child:
    """A child process and the channel to it."""

    def __init__(self, task: str, limits: Limits) -> None:
        ours, theirs = socket.socketpair()
        watched, self._life = os.pipe()
        order = {
            "path": sys.path,
            "task": task,
            "channel_at": theirs.fileno(),
            "life_at": watched,
            "seconds": limits.seconds,
            "memory_mb": limits.memory_mb,
        }
        self._errors = tempfile.TemporaryFile()  # noqa: SIM115 - closed with the child
        self._channel = ours
        self._ready = False
        self._waiting = 0.0
        self._starved_before: float | None = None
        self._limits = limits
        self._baseline = 0.0
        self._inherited = 0.0
        try:
            self._process = subprocess.Popen(
                [sys.executable, "-c", _BOOT, json.dumps(order)],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=self._errors,
                pass_fds=(theirs.fileno(), watched),
                start_new_session=True,
            )
        except BaseException:
            os.close(self._life)
            ours.close()
            self._errors.close()
            raise
        finally:
            theirs.close()
            os.close(watched)

    def call(self, message: bytes, limits: Limits) -> tuple[int, Any, bool]:
        if not self._ready:
            self._await_start()
        deadline = time.monotonic() + limits.seconds
        self._starved_before = None
        try:
            self._send(message, deadline, limits)
            reply: tuple[int, Any, bool] = decode(self._receive(deadline, limits))
        except (ClosedError, ConnectionError):
            raise self._died(limits) from None
        return reply

    def _await_start(self) -> None:
        try:
            self._channel.settimeout(_START_SECONDS)
            kind, content, _ = decode(receive_message(self._channel))
        except (ClosedError, ConnectionError, TimeoutError):
            self._kill()
            self._errors.seek(0)
            told = self._errors.read().decode("utf-8", "replace").strip().splitlines()
            reason = told[-1] if told else f"it exited with code {self._process.returncode}"
            raise Stopped("crash", f"The guarded process could not be started: {reason}") from None
        if kind != RESULT:
            raise Stopped("crash", str(content))
        self._ready = True
        self._baseline, self._inherited = content

    def _send(self, message: bytes, deadline: float, limits: Limits) -> None:
        rest = memoryview(message)
        while rest:
            self._wait(deadline)
            try:
                rest = rest[self._channel.send(rest) :]
            except TimeoutError:
                self._look(deadline, limits)

    def _receive(self, deadline: float, limits: Limits) -> bytearray:
        incoming = Incoming()
        while True:
            self._wait(deadline)
            try:
                message = incoming.read(self._channel)
            except TimeoutError:
                self._look(deadline, limits)
                continue
            if message is not None:
                return message

    def _wait(self, deadline: float) -> None:
        """Limits how long the next operation on the channel waits: briefly, and never beyond the deadline."""
        left = deadline - time.monotonic()
        wait = min(_LOOK_SECONDS, left) if left > 0 else _LOOK_SECONDS
        if wait != self._waiting:
            self._channel.settimeout(wait)
            self._waiting = wait

    def _look(self, deadline: float, limits: Limits) -> None:
        """Between two waits: checks whether there is time left and the child is within its memory limit.

        Time that the child spent waiting for a processor is not counted, within reason. Otherwise a busy machine would report
        statements that are fine on another day.
        """
        starved = starved_seconds(self._process.pid)
        if self._starved_before is None:
            self._starved_before = starved
        allowance = min(starved - self._starved_before, _MOST_PATIENCE * limits.seconds)
        if time.monotonic() >= deadline + allowance:
            self._kill()
            raise _stopped("timeout", limits)
        if resident_mb(self._process.pid) - self._baseline > limits.memory_mb:
            self._kill()
            raise _stopped("memory", limits)

    def _died(self, limits: Limits) -> Stopped:
        """The child ended without a reply.

        If it used more memory than allowed, that is the reason, however it ended: compiled code fails in all sorts of ways when
        memory is refused or the stack is full.
        """
        code, peak = await_end(self._process, _END_SECONDS)
        self._kill()
        # A peak from before the first call was inherited from this process.
        if peak > max(self._baseline + limits.memory_mb, self._inherited):
            return _stopped("memory", limits)
        if code is None or code >= 0:
            return Stopped("crash", f"The worker process exited with code {code}")
        try:
            name = signal.Signals(-code).name
        except ValueError:
            name = f"signal {-code}"
        if -code == signal.SIGXCPU:
            return _stopped("timeout", limits)
        if -code == signal.SIGKILL:
            return Stopped("memory", "The worker process was killed, probably because the system ran out of memory")
        return Stopped("crash", f"The worker process crashed ({name})")

    def interrupt(self) -> None:
        self._process.kill()

    def end(self) -> None:
        self._kill()
        self._channel.close()
        self._errors.close()
        if self._life >= 0:
            os.close(self._life)
            self._life = -1

    def _kill(self) -> None:
        if self._process.poll() is None:
            self._process.kill()
        self._process.wait()


def _stopped(reason: Reason, limits: Limits) -> Stopped:
    messages: dict[Reason, str] = {
        "timeout": f"The time limit of {limits.seconds:g} s was exceeded",
        "memory": f"The memory limit of {limits.memory_mb} MB was exceeded",
        "depth": "The SQL is nested too deeply",
        "crash": "The worker process crashed",
    }
    return Stopped(reason, messages[reason])


def _reference(task: Callable[..., Any]) -> str:
    """`module:function`, from which the child imports the task."""
    module = getattr(task, "__module__", None)
    name = getattr(task, "__qualname__", None)
    if not module or not name or "<" in name or module == "__main__":
        raise ConfigurationError(f"A guarded task must be a function of an importable module, not {task!r}.")
    return f"{module}:{name}"


class GuardPool(Generic[Argument, Result]):
    """Calls a task from any thread, at most `size` at once; further callers wait for their turn.

    Children are started on demand, and the most recently used one is used first, so that an idle server keeps few.
    """

    def __init__(self, task: Callable[[Argument], Result], limits: Limits | None = None, size: int = 2) -> None:
        guards = [Guard(task, limits) for _ in range(max(size, 1))]
        self._all = guards
        self._free: LifoQueue[Guard[Argument, Result]] = LifoQueue()
        for guard in guards:
            self._free.put(guard)

    def __enter__(self) -> GuardPool[Argument, Result]:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def call(self, argument: Argument) -> Result:
        """The task's result, or what `Guard` raises."""
        guard = self._free.get()
        try:
            return guard(argument)
        finally:
            self._free.put(guard)

    def interrupt(self) -> None:
        """End all calls now: a server that is shutting down does not wait for them."""
        for guard in self._all:
            guard.interrupt()

    def close(self) -> None:
        """End the children as soon as their calls are done."""
        for _ in self._all:
            self._free.get().close()
        for guard in self._all:
            self._free.put(guard)
