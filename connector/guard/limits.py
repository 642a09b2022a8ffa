"""The limits of a task, and the messages between the guard and its child."""

from __future__ import annotations

import pickle
import socket
import struct
from dataclasses import dataclass
from typing import Any, Literal

from connector.errors import ConfigurationError, ConnectorError

Reason = Literal["timeout", "memory", "depth", "crash"]


@dataclass(frozen=True, slots=True)
class Limits:
    """The limits of one call."""

    seconds: float = 30.0
    """Time from sending the argument until the result has arrived."""
    memory_mb: int = 500
    """Memory in addition to what the child itself needs."""

    def __post_init__(self) -> None:
        if not self.seconds > 0:
            raise ConfigurationError("A time limit must be greater than 0 seconds.")
        if self.memory_mb < 1:
            raise ConfigurationError("A memory limit must be at least 1 MB.")


class Stopped(ConnectorError):  # noqa: N818 - it describes what happened to the task; the guard itself did not fail
    """A task was stopped or crashed its process. The next call is not affected."""

    def __init__(self, reason: Reason, message: str) -> None:
        super().__init__(reason, message)
        self.reason = reason
        self.message = message

    def __str__(self) -> str:
        return self.message


RESULT, FAILED, STOPPED, CRASHED = range(4)
"""What a reply contains: the result, an exception of the task, the reason and message of a stop, or a failure of the child."""

_LENGTH = struct.Struct("!Q")
_PIECE = 1 << 16


class ClosedError(EOFError):
    """The other side is gone."""


def encode(message: Any) -> bytes:
    """The bytes of a message, preceded by its length."""
    payload = pickle.dumps(message, protocol=pickle.HIGHEST_PROTOCOL)
    return _LENGTH.pack(len(payload)) + payload


def decode(payload: bytes | bytearray) -> Any:
    # Both ends are this program: the bytes were written by `encode` in a process that this one has started.
    return pickle.loads(payload)


class Incoming:
    """Collects the bytes of one message. Memory is only allocated for bytes that have arrived, whatever the length claims."""

    __slots__ = ("_received", "_size")

    def __init__(self) -> None:
        self._received = bytearray()
        self._size: int | None = None

    def read(self, channel: socket.socket) -> bytearray | None:
        """Read what is available; returns the message once it is complete.

        No side sends a message before its previous one was answered, so all bytes belong to this message.
        """
        piece = channel.recv(_PIECE)
        if not piece:
            raise ClosedError
        received = self._received
        received += piece
        if self._size is None:
            if len(received) < _LENGTH.size:
                return None
            self._size = _LENGTH.unpack_from(received)[0] + _LENGTH.size
        if len(received) < self._size:
            return None
        del received[: _LENGTH.size]
        return received


def receive_message(channel: socket.socket) -> bytearray:
    """The next message, subject to the timeout of the socket."""
    incoming = Incoming()
    while True:
        message = incoming.read(channel)
        if message is not None:
            return message
