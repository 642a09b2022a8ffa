"""The settings of the server."""

from __future__ import annotations

from dataclasses import dataclass, field
from ipaddress import ip_address

from connector.errors import ConfigurationError

_SHORTEST_TOKEN = 16


@dataclass(frozen=True, slots=True)
class ServeSettings:
    """All settings of a server; `checked` says whether they go together."""

    store: str | None = None
    """Where the store is, or None for a server that only analyses."""

    host: str = "127.0.0.1"
    port: int = 8080

    token: str | None = field(default=None, repr=False)
    """What a client has to know. Not shown by `repr`: settings end up in messages."""

    allowed_hosts: tuple[str, ...] = ()
    """Further names under which the server may be called, when a proxy stands before it."""

    proxies: tuple[str, ...] = ()
    """Addresses of proxies that are believed when they say for whom they ask. One on this machine is believed anyway
    where `allowed_hosts` says that there is one."""

    seconds: float = 20.0
    """How long one analysis may take."""

    memory_mb: int = 500
    """How much memory one analysis may take."""

    max_bytes: int = 5_000_000
    """How large the body of a request may be."""

    rate: int = 120
    """Analyses that one client may ask for in a minute."""

    workers: int = 2
    """Analyses at the same time."""

    head_seconds: float = 10.0
    """How long a client may take to say what it wants."""

    body_seconds: float = 15.0
    """How long a client may take to send the rest of its request."""

    show_literals: bool = False
    """Show the statements of the store with their literals."""

    def checked(self) -> ServeSettings:
        """The settings themselves, if a server with them is safe to start."""
        if self.token is not None and len(self.token) < _SHORTEST_TOKEN:
            raise ConfigurationError(f"The token is too short; use at least {_SHORTEST_TOKEN} characters.")
        if self.token is None and not is_loopback(self.host):
            raise ConfigurationError(
                f"Serving on {self.host}, which other machines can reach, requires a token; set one with --token-file or "
                "in LINEAGE_TOKEN, or serve on 127.0.0.1."
            )
        return self


def is_loopback(host: str) -> bool:
    """Whether only this machine can reach the address. A name other than localhost may mean anything tomorrow."""
    if host.lower() == "localhost":
        return True
    try:
        return ip_address(host.strip("[]")).is_loopback
    except ValueError:
        return False
