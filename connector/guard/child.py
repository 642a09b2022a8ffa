"""The child's side: receive an argument, run the task, return the result, until the parent is gone.

The child ends with its parent, however the parent ends and whatever the child is doing: the kernel sends it a signal when the
parent's end of a pipe closes. A thread of the child could not ensure that, because compiled code does not release the
interpreter.
"""

from __future__ import annotations

import contextlib
import fcntl
import gc
import importlib
import os
import resource
import select
import signal
import socket
import sys
import threading
import time
from collections.abc import Callable
from typing import Any

from connector.common.collector import collect_rarely
from connector.guard.limits import CRASHED, FAILED, RESULT, STOPPED, ClosedError, decode, encode, receive_message
from connector.guard.processes import TakenMemory, bound_mb, limit_reserved

_STACK = 512 << 20
"""Bytes of stack for the task. Only what is used takes memory."""
_RECURSION = 100_000
"""Recursion limit: this many compiled frames of the parser fit into the stack."""
_SPARE_SECONDS = 10


def serve(task: str, channel_at: int, life_at: int, seconds: float, memory_mb: int) -> None:
    """Answer calls of the task, named `module:function`, until the parent goes away."""
    _die_with_parent(life_at)
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.stack_size(_STACK)
    sys.setrecursionlimit(_RECURSION)
    with socket.socket(fileno=channel_at) as channel:
        worker = threading.Thread(target=_work, args=(channel, task, seconds, memory_mb), daemon=True)
        worker.start()
        worker.join()


def _die_with_parent(life_at: int) -> None:
    signal.signal(signal.SIGIO, signal.SIG_DFL)
    fcntl.fcntl(life_at, fcntl.F_SETOWN, os.getpid())
    fcntl.fcntl(life_at, fcntl.F_SETFL, fcntl.fcntl(life_at, fcntl.F_GETFL) | os.O_ASYNC)
    if select.select([life_at], [], [], 0)[0]:
        os._exit(0)  # the parent was gone before the kernel started watching


def _work(channel: socket.socket, name: str, seconds: float, memory_mb: int) -> None:
    try:
        task = _resolve(name)
    except Exception as error:  # noqa: BLE001 - importing a caller's module may raise anything; the parent is told
        channel.sendall(encode((CRASHED, f"{name} cannot be loaded: {type(error).__name__}: {error}", False)))
        return
    gc.collect()
    gc.freeze()
    collect_rarely()
    limit_reserved(memory_mb)
    memory = TakenMemory()
    channel.sendall(encode((RESULT, (memory.before_mb, bound_mb()), False)))
    _silence_errors()
    with contextlib.suppress(ClosedError, BrokenPipeError, ConnectionResetError):
        while True:
            reply = _answer(channel, task, seconds)
            taken = memory.above(memory_mb / 2)
            if taken > memory_mb:
                # The parent only checks now and then, and the outcome must not depend on when it does.
                reply = STOPPED, ("memory", "")
            # Memory that one task has used may not be reusable by the next one, which would then
            # be blamed: a child that has run a large task is replaced.
            worn = taken > 0
            channel.sendall(_encoded(reply, worn))


def _answer(channel: socket.socket, task: Callable[[Any], Any], seconds: float) -> tuple[int, Any]:
    try:
        payload = receive_message(channel)
        _limit_processor(seconds)
        argument = decode(payload)
        del payload
        return RESULT, task(argument)
    except (ClosedError, ConnectionError):
        raise
    except MemoryError:
        return STOPPED, ("memory", "")
    except RecursionError:
        return STOPPED, ("depth", "")
    except Exception as error:  # noqa: BLE001 - whatever the task raises is the caller's to handle
        return FAILED, error


def _encoded(reply: tuple[int, Any], worn: bool) -> bytes:
    kind, content = reply
    try:
        return encode((kind, content, worn))
    except MemoryError:
        return encode((STOPPED, ("memory", ""), True))
    except RecursionError:
        return encode((STOPPED, ("depth", ""), True))
    except Exception as error:  # noqa: BLE001 - pickle raises what the objects' own methods raise
        told = content if kind == FAILED else error
        return encode((CRASHED, f"{type(told).__name__}: {told}", worn))


def _resolve(name: str) -> Callable[[Any], Any]:
    module, _, function = name.partition(":")
    found: Any = importlib.import_module(module)
    for part in function.split("."):
        found = getattr(found, part)
    task: Callable[[Any], Any] = found
    return task


def _limit_processor(seconds: float) -> None:
    """The parent enforces the time limit. This one is for a child whose parent is gone, on systems without a signal for that."""
    _, hard = resource.getrlimit(resource.RLIMIT_CPU)
    limit = int(time.process_time() + seconds) + _SPARE_SECONDS
    if hard == resource.RLIM_INFINITY or limit <= hard:
        resource.setrlimit(resource.RLIMIT_CPU, (limit, hard))


def _silence_errors() -> None:
    """From here on the parent reports what happened; anything a crashing interpreter prints would be noise."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, 2)
    os.close(nowhere)
