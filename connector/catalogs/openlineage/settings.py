"""The destination of OpenLineage events. The API key comes from the environment or from a file, never from a flag."""

from __future__ import annotations

import os
from functools import partial
from pathlib import Path
from types import MappingProxyType
from typing import Literal

from pydantic import Field, SecretStr, model_validator

from connector.addresses import safe_url
from connector.catalogs.http import BearerToken, HttpClient
from connector.catalogs.settings import Backoff, ServerSettings, read_secret, state_file
from connector.errors import ConfigurationError


class OpenLineageSettings(ServerSettings):
    """An OpenLineage service, or a file of events; what is left out comes from the environment."""

    files = "openlineage"
    # The variables that OpenLineage's own clients read.
    environment = MappingProxyType(
        {"url": "OPENLINEAGE_URL", "endpoint": "OPENLINEAGE_ENDPOINT", "namespace": "OPENLINEAGE_NAMESPACE"}
    )
    replaced_by = MappingProxyType({"url": "file"})

    url: str | None = None
    """Address of the service, such as ``https://marquez:5000``."""
    endpoint: str = "api/v1/lineage"
    """Path of the endpoint, relative to the address."""
    file: Path | None = None
    """File for the events, instead of a service; one JSON object per line."""
    api_key: SecretStr | None = None
    """API key; in a file only as a reference, ``${env:…}`` or ``${file:…}``."""
    api_key_file: Path | None = None
    """File that holds the API key."""
    api_key_env: str = "OPENLINEAGE_API_KEY"
    """Name of the environment variable that holds the API key, if neither of the above is set."""
    namespace: str | None = None
    """Namespace of jobs and datasets; defaults to the cluster."""
    level: Literal["column", "table"] = "column"
    """Whether events include column lineage."""
    query: Literal["masked", "none"] = "masked"
    """Whether events include the text of the statement, without its literals and comments."""
    runs: bool = True
    """Whether to send events about the run of the connector itself: its start and its outcome."""
    state: Path = Field(default_factory=partial(state_file, "openlineage"))
    """File of the ledger, which records what was written."""
    read_timeout: float = Field(default=60.0, gt=0)
    """Seconds to wait for a response."""

    @model_validator(mode="after")
    def _one_place(self) -> OpenLineageSettings:
        if (self.url is None) == (self.file is None):
            raise ValueError("set the url of a service (or OPENLINEAGE_URL), or a file for the events")
        return self

    @property
    def place(self) -> str:
        """What messages and the ledger call the destination."""
        return safe_url(self.url).rstrip("/") if self.url else str(self.file and self.file.resolve())

    def connect(self, backoff: Backoff | None = None) -> HttpClient:
        """A client for the service. Nothing is asked yet."""
        if self.url is None:
            raise ConfigurationError("OpenLineage: the settings name a file, not a service.")
        key = self._key()
        return HttpClient(
            self.url,
            name="OpenLineage",
            auth=BearerToken(key) if key else None,
            credentials="the key" if key else "a request without a key",
            **self.http_options(backoff),
        )

    def _key(self) -> str | None:
        if self.api_key is not None:
            return self.api_key.get_secret_value()
        if self.api_key_file is None:
            return os.environ.get(self.api_key_env) or None
        return read_secret("OpenLineage", "key", self.api_key_file).strip()
