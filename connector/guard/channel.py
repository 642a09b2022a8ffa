"""Messages between the guard and its child: a pickle behind eight bytes that say how long it is."""

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
    """The bytes of a message, its length in front."""
    payload = pickle.dumps(message, protocol=pickle.HIGHEST_PROTOCOL)
    return _LENGTH.pack(len(payload)) + payload


def decode(payload: bytes | bytearray) -> Any:
    # Both ends are this program: what is read here was written by `encode` in a process that this one has started.
    return pickle.loads(payload)


class Incoming:
    """The bytes of one message as they come. Room is made for bytes that are there, whatever the length says."""

    __slots__ = ("_received", "_size")

    def __init__(self) -> None:
        self._received = bytearray()
        self._size: int | None = None

    def read(self, channel: socket.socket) -> bytearray | None:
        """Take what the channel has; the message once it is complete.

        Nobody sends a message before the one before it is answered, so what comes belongs to this one.
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
    """The next message, as long as the socket's own timeout allows."""
    incoming = Incoming()
    while True:
        message = incoming.read(channel)
        if message is not None:
            return message
