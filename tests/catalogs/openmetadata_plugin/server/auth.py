"""Who is asking: tokens as the server hands them out and reads them."""

from __future__ import annotations

import base64
import json
import secrets
import time
from dataclasses import dataclass
from typing import Any

import jwt

from .answers import Refused

__all__ = ["BOT", "PERSON", "READER", "Authority", "User"]

_KEY_ID = "test-key"
_CHALLENGE = {"WWW-Authenticate": "om-auth"}


@dataclass(frozen=True, slots=True)
class User:
    """A person or a bot."""

    name: str
    bot: bool = False
    writes: bool = True


BOT = User("ingestion-bot", bot=True)
PERSON = User("ada")
READER = User("joe", writes=False)
_USERS = {user.name: user for user in (BOT, PERSON, READER)}


class Authority:
    """Issues tokens and checks them."""

    def __init__(self) -> None:
        self._secret = secrets.token_hex(32)

    def token(self, user: User = BOT, *, key_id: bool = True, expired: bool = False) -> str:
        issued = int(time.time())
        claims: dict[str, Any] = {
            "iss": "open-metadata.org",
            "sub": user.name,
            "roles": [],
            "email": f"{user.name}@open-metadata.org",
            "isBot": user.bot,
            "tokenType": "BOT" if user.bot else "PERSONAL_ACCESS",
            "iat": issued - 7200,
            "exp": issued - 3600 if expired else issued + 86400,
        }
        return jwt.encode(claims, self._secret, algorithm="HS256", headers={"kid": _KEY_ID} if key_id else None)

    def user(self, authorization: str | None) -> User:
        """The user of a request's Authorization header."""
        if not authorization or not authorization.startswith("Bearer "):
            raise Refused(401, "Not Authorized! Token not present", headers=_CHALLENGE)
        token = authorization.removeprefix("Bearer ").strip()
        if "kid" not in _header(token):
            raise Refused(500, 'Cannot invoke "String.length()" because the key id is null')
        try:
            claims = jwt.decode(token, self._secret, algorithms=["HS256"])
        except jwt.ExpiredSignatureError as error:
            raise Refused(401, "Not Authorized! Expired token!", headers=_CHALLENGE) from error
        except jwt.PyJWTError as error:
            raise Refused(401, "Not Authorized! Invalid token.", headers=_CHALLENGE) from error
        user = _USERS.get(claims["sub"])
        if user is None:
            raise Refused(401, "Not Authorized! Invalid token.", headers=_CHALLENGE)
        return user

    @staticmethod
    def allow(user: User, operation: str) -> None:
        if not user.writes:
            principal = f"CatalogPrincipal{{name='{user.name}'}}"
            raise Refused(403, f"Principal: {principal} operations [{operation}] not allowed")


def _header(token: str) -> dict[str, Any]:
    """The header of a token; what is not even a token is refused."""
    try:
        part = token.split(".")[0]
        header = json.loads(base64.urlsafe_b64decode(part + "=" * (-len(part) % 4)))
    except ValueError as error:
        raise Refused(401, "Not Authorized! Invalid token.", headers=_CHALLENGE) from error
    return header if isinstance(header, dict) else {}
