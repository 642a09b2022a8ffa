"""The token that lets a client in, and the session that stands for it in a browser.

A browser gets a signed date instead of the token: what lies in its cookie store opens nothing once the date has passed or
the token was changed, and the server has nothing to remember.
"""

from __future__ import annotations

import hmac
import time
from collections.abc import Callable
from hashlib import sha256

__all__ = ["SESSION_SECONDS", "Token"]

SESSION_SECONDS = 12 * 3600


class Token:
    """Compares in constant time."""

    def __init__(self, token: str, clock: Callable[[], float] = time.time) -> None:
        self._token = token.encode()
        self._clock = clock

    def matches(self, given: str) -> bool:
        """Whether it is the token. Digests are compared, so that not even its length shows."""
        return hmac.compare_digest(sha256(given.encode("utf-8", "replace")).digest(), sha256(self._token).digest())

    def new_session(self) -> str:
        until = str(int(self._clock()) + SESSION_SECONDS)
        return f"{until}.{self._sign(until)}"

    def accepts_session(self, session: str) -> bool:
        until, _, signature = session.partition(".")
        if not hmac.compare_digest(signature.encode("utf-8", "replace"), self._sign(until).encode()):
            return False
        return int(until) > self._clock()

    def _sign(self, until: str) -> str:
        return hmac.new(self._token, b"session until " + until.encode("utf-8", "replace"), sha256).hexdigest()
