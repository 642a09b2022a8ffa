"""Messages between the guard and its child: a pickle, preceded by its length in eight bytes."""

from __future__ import annotations

import pickle
import socket
import struct
from typing import Any

__all__ = ["ClosedError", "Incoming", "decode", "encode", "receive_message"]

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
