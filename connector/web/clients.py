"""Who asks: the address that limits are counted by, behind a proxy as well.

A proxy says in ``X-Forwarded-For`` for whom it asks. Anybody can send that header, so it is believed only of a peer that is
known to be a proxy, and only as far back as the chain of known proxies reaches.
"""

from __future__ import annotations

from ipaddress import IPv4Network, IPv6Network, ip_address, ip_network
from typing import TypeAlias

from starlette.datastructures import Headers
from starlette.types import Scope

from connector.errors import ConfigurationError

__all__ = ["Clients"]

_Network: TypeAlias = IPv4Network | IPv6Network

_LOOPBACK = ("127.0.0.0/8", "::1/128")


class Clients:
    """Tells clients apart."""

    def __init__(self, proxies: tuple[str, ...], *, behind_local_proxy: bool = False) -> None:
        """`behind_local_proxy`: somebody on this machine passes requests on, as a server with further names expects."""
        named = [*proxies, *(_LOOPBACK if behind_local_proxy else ())]
        self._proxies = [_network(each) for each in named]

    def address(self, scope: Scope) -> str:
        """The address of whoever asks, as far as it can be believed."""
        peer = scope["client"][0] if scope.get("client") else ""
        if not self._proxies or not self._is_proxy(peer):
            return peer
        said = ",".join(Headers(scope=scope).getlist("x-forwarded-for"))
        believed = peer
        for address in reversed([part.strip() for part in said.split(",") if part.strip()]):
            believed = address[:64]
            if not self._is_proxy(address):
                break
        return believed

    def _is_proxy(self, address: str) -> bool:
        try:
            parsed = ip_address(address.strip("[]"))
        except ValueError:
            return False
        return any(parsed in network for network in self._proxies)


def _network(text: str) -> _Network:
    try:
        return ip_network(text, strict=False)
    except ValueError as error:
        raise ConfigurationError(
            f"{text} is no address of a proxy: give one such as 10.0.0.5 or 10.0.0.0/8."
        ) from error
