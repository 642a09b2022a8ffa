"""The address and the credentials of Atlas. Passwords and tokens come from the environment or from files, never from flags."""

from __future__ import annotations

import os
from functools import partial
from importlib import import_module
from pathlib import Path
from types import MappingProxyType
from typing import Any, Literal

from pydantic import Field, SecretStr
from requests.auth import AuthBase, HTTPBasicAuth

from connector.catalogs.atlas.client import AtlasClient
from connector.catalogs.atlas.sending import Limits
from connector.catalogs.http import BearerToken, HttpClient
from connector.catalogs.settings import Backoff, ServerSettings, read_secret, state_file
from connector.common.extras import missing_package
from connector.errors import ConfigurationError


class AtlasSettings(ServerSettings):
    """The section ``atlas`` of a configuration file; what it leaves out comes from the environment."""

    files = "atlas"
    environment = MappingProxyType(
        {
            "url": "ATLAS_URL",
            "user": "ATLAS_USER",
            "password_file": "ATLAS_PASSWORD_FILE",
            "token_file": "ATLAS_TOKEN_FILE",
            "ca_file": "ATLAS_CA_FILE",
        }
    )

    url: str
    """Address of the server."""
    auth: Literal["basic", "bearer", "kerberos", "none"] = "none"
    """Authentication method; derived from the other settings by default."""
    user: str | None = None
    """User name, for basic authentication."""
    password_env: str = "ATLAS_PASSWORD"
    """Name of the environment variable that holds the password."""
    password_file: Path | None = None
    """File that holds the password."""
    token_env: str = "ATLAS_TOKEN"
    """Name of the environment variable that holds a bearer token."""
    token_file: Path | None = None
    """File that holds a bearer token."""
    mapping: str = "default"
    """Name of a shipped mapping, or a YAML file."""
    server_columns: bool = True
    """Use the columns that Atlas knows as metadata, if the mapping names the attribute of their position."""
    repair: bool = False
    """Merge entities that exist more than once under the same name."""
    state: Path = Field(default_factory=partial(state_file, "atlas"))
    """File of the ledger, which records what was written."""
    batch_entities: int = Field(default=60, ge=1)
    """Maximum number of entities in a request."""
    batch_bytes: int = Field(default=2_000_000, ge=1000)
    """Maximum size of a request."""

    @classmethod
    def _completed(cls, given: dict[str, Any]) -> dict[str, Any]:
        """Choose the way to log in."""
        if "auth" not in given:
            token = given.get("token_file") or os.environ.get(given.get("token_env", "ATLAS_TOKEN"))
            given["auth"] = "bearer" if token else "basic" if given.get("user") else "none"
        return given

    @property
    def limits(self) -> Limits:
        return Limits(self.batch_entities, self.batch_bytes, self.workers)

    def connect(self, backoff: Backoff | None = None) -> AtlasClient:
        """A client for this server. Nothing is asked yet."""
        http = HttpClient(
            self.url,
            name="Atlas",
            auth=self._login(),
            **self.http_options(backoff),
        )
        return AtlasClient(http)

    def _login(self) -> AuthBase | None:
        if self.auth == "basic":
            if not self.user:
                raise ConfigurationError("Atlas: basic authentication needs a user name; set user or ATLAS_USER.")
            password = _secret(self.password_file, self.password_env, "password")
            return HTTPBasicAuth(self.user.encode(), password.get_secret_value().encode())
        if self.auth == "bearer":
            return BearerToken(_secret(self.token_file, self.token_env, "token").get_secret_value())
        if self.auth == "kerberos":
            return _kerberos()
        return None


def _secret(file: Path | None, variable: str, what: str) -> SecretStr:
    if file is not None:
        return SecretStr(read_secret("Atlas", what, file).strip("\r\n"))
    value = os.environ.get(variable)
    if value is None:
        raise ConfigurationError(f"Atlas: no {what} is configured; set {variable}, or point {what}_file at a file.")
    return SecretStr(value)


def _kerberos() -> AuthBase:
    try:
        kerberos = import_module("requests_kerberos")
    except ModuleNotFoundError as error:
        raise missing_package(error, "kerberos") from None
    auth: AuthBase = kerberos.HTTPKerberosAuth()
    return auth
