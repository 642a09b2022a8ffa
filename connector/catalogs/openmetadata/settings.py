"""The address and the credentials of OpenMetadata. The token comes from the environment or from a file, never from a flag."""

from __future__ import annotations

import os
from functools import partial
from pathlib import Path
from types import MappingProxyType
from typing import Literal
from urllib.parse import urlsplit

from pydantic import ConfigDict, Field, SecretStr, field_validator

from connector.catalogs.http import BearerToken, HttpClient
from connector.catalogs.openmetadata.client import OpenMetadataClient
from connector.catalogs.settings import Backoff, ServerSettings, read_secret, state_file
from connector.errors import ConfigurationError


class OpenMetadataSettings(ServerSettings):
    """A catalog of the type ``openmetadata``; what is left out comes from the environment."""

    model_config = ConfigDict(validate_default=True)
    files = "openmetadata"
    environment = MappingProxyType(
        {"url": "OPENMETADATA_URL", "token_file": "OPENMETADATA_TOKEN_FILE", "ca_file": "OPENMETADATA_CA_FILE"}
    )
    replaced_by = MappingProxyType({"token_file": "token"})

    url: str
    """Address of the server, with or without ``/api``: ``https://openmetadata:8585``."""
    token: SecretStr | None = None
    """JWT of a bot or a person with permission to edit lineage; in a file only as a reference, ``${env:…}`` or ``${file:…}``."""
    token_file: Path | None = None
    """File that holds the token."""
    token_env: str = "OPENMETADATA_TOKEN"
    """Name of the environment variable that holds the token, if neither of the above is set."""
    verify_tls: bool = True
    """Whether to verify the server's certificate."""
    headers: dict[str, SecretStr] = Field(default_factory=dict)
    """Additional headers for every request, for example for a proxy."""
    mapping: str = "openmetadata"
    """Name of a shipped mapping, or a YAML file."""
    service: str | None = None
    """Database service of all tables whose mapping rule does not name one."""
    missing: Literal["fail", "warn"] = "fail"
    """Whether an edge to a table that does not exist, and that the mapping does not create, fails or only causes a warning."""
    trust_ledger: bool = False
    """Trust the ledger for known edges after checking a sample, instead of reading every edge. This is faster, but does not
    notice changes that others have made since."""
    repair: bool = False
    """Repair the lineage view (the search index) of all tables of the services, whoever wrote the edges."""
    version_check: Literal["fail", "warn", "off"] = "fail"
    """What to do if the server has a version that the connector does not support."""
    state: Path = Field(default_factory=partial(state_file, "openmetadata"))
    """File of the ledger, which records what was written."""
    page_size: int = Field(default=100, ge=1, le=1000)
    """Number of objects per page of a listing."""

    @field_validator("url")
    @classmethod
    def _base(cls, value: str) -> str:
        """The address up to ``/api``, as every request starts."""
        parts = urlsplit(value)
        if parts.scheme not in ("http", "https") or not parts.hostname:
            raise ValueError("the address of OpenMetadata must look like https://host:8585")
        if parts.username or parts.password:
            raise ValueError("the address must not contain a user name or password; OpenMetadata uses a token")
        path = parts.path.rstrip("/").removesuffix("/v1").rstrip("/")
        return f"{parts.scheme}://{parts.netloc}{path if path.endswith('/api') else path + '/api'}"

    def connect(self, backoff: Backoff | None = None) -> OpenMetadataClient:
        """A client for this server. Nothing is asked yet."""
        http = HttpClient(
            self.url,
            name="OpenMetadata",
            auth=BearerToken(self._secret().get_secret_value()),
            credentials="the token",
            headers={name: value.get_secret_value() for name, value in self.headers.items()},
            verify_tls=self.verify_tls,
            **self.http_options(backoff),
        )
        return OpenMetadataClient(http, page_size=self.page_size)

    def _secret(self) -> SecretStr:
        if self.token is not None:
            token = self.token.get_secret_value()
        elif self.token_file is not None:
            token = read_secret("OpenMetadata", "token", self.token_file)
        else:
            token = os.environ.get(self.token_env, "")
        token = token.strip()
        if not token:
            raise ConfigurationError(
                f"OpenMetadata: no token is configured; set {self.token_env}, or point token_file at a file."
            )
        if not token.isascii() or not token.isprintable() or " " in token:
            raise ConfigurationError(
                "OpenMetadata: the token is not a valid JWT; it contains characters that are not allowed in one."
            )
        return SecretStr(token)
