"""Settings that catalogs share: request limits, the user's state directory, environment variables and files."""

from __future__ import annotations

import os
import random
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, ClassVar

from pydantic import BaseModel, ConfigDict, Field, model_validator

from connector.errors import ConfigurationError


class ServerSettings(BaseModel):
    """The settings of every catalog that is reached over HTTP."""

    model_config = ConfigDict(extra="forbid", frozen=True, use_attribute_docstrings=True)

    files: ClassVar[str]
    """What the names of its files begin with."""
    environment: ClassVar[Mapping[str, str]]
    """The environment variables of the settings that are left out, by the names of the settings."""
    replaced_by: ClassVar[Mapping[str, str]] = {}
    """Settings that are not taken from the environment if another one is given."""

    ca_file: Path | None = None
    """CA certificates to trust, in PEM format."""
    state: Path
    """File of the ledger, which records what was written."""
    dead_letters: Path | None = None
    """File for what the catalog rejects; next to the ledger by default."""
    connect_timeout: float = Field(default=10.0, gt=0)
    """Seconds to wait for a connection."""
    read_timeout: float = Field(default=120.0, gt=0)
    """Seconds to wait for a response."""
    attempts: int = Field(default=6, ge=1)
    """Attempts per request before the server is considered unreachable."""
    workers: int = Field(default=4, ge=1, le=32)
    """Number of concurrent requests."""

    @model_validator(mode="before")
    @classmethod
    def _from_environment(cls, data: Any) -> Any:
        if not isinstance(data, Mapping):
            return data
        found = {name: value for name, value in data.items() if value is not None}
        for name, variable in cls.environment.items():
            if name not in found and cls.replaced_by.get(name) not in found and os.environ.get(variable):
                found[name] = os.environ[variable]
        return cls._completed(found)

    @classmethod
    def _completed(cls, given: dict[str, Any]) -> dict[str, Any]:
        """The settings with those that follow from others."""
        return given

    @property
    def dead_letter_file(self) -> Path:
        return self.dead_letters or self.state.with_name(f"{self.files}-dead-letters.jsonl")

    def http_options(self, backoff: Backoff | None) -> dict[str, Any]:
        """The certificates, attempts and time limits of an `HttpClient`."""
        return {
            "ca_file": existing_ca_file(self.ca_file),
            "backoff": backoff or Backoff(attempts=self.attempts),
            "connect_timeout": self.connect_timeout,
            "read_timeout": self.read_timeout,
        }


def state_file(catalog: str) -> Path:
    """The ledger's place for this user, after the XDG rules."""
    home = os.environ.get("XDG_STATE_HOME") or Path.home() / ".local" / "state"
    return Path(home) / "lineage-connector" / f"{catalog}.db"


def existing_ca_file(file: Path | None) -> str | None:
    """The file of certificates, in the form that requests takes."""
    if file is not None and not file.exists():
        raise ConfigurationError(f"The CA file {file} does not exist.")
    return str(file) if file else None


def read_secret(catalog: str, what: str, file: Path) -> str:
    """A password, token or key from its file, as it stands there."""
    try:
        return file.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        reason = getattr(error, "strerror", None) or "it is not text"
        raise ConfigurationError(f"{catalog}: cannot read the {what} from {file}: {reason}") from None


def writable_folder(folder: Path) -> str:
    """The folder as text, or an error when this user cannot write there."""
    nearest = folder
    while not nearest.exists() and nearest != nearest.parent:
        nearest = nearest.parent
    if not nearest.is_dir():
        raise ConfigurationError(f"{nearest} is a file, but a directory is needed.")
    if not os.access(nearest, os.W_OK | os.X_OK):
        raise ConfigurationError(
            f"{nearest} is not writable; grant this user write access, or choose another directory."
        )
    return str(folder)


def writable_file(file: Path) -> str:
    """The file as text, or an error when this user cannot write it."""
    if file.is_dir():
        raise ConfigurationError(f"{file} is a directory, but a file is needed.")
    writable_folder(file.absolute().parent)
    if file.exists() and not os.access(file, os.W_OK):
        raise ConfigurationError(f"{file} is not writable; grant this user write access, or choose another file.")
    return str(file)


@dataclass(frozen=True)
class Backoff:
    """Waits that double, each cut to a random part, so that clients that failed together do not return together."""

    attempts: int = 6
    first: float = 0.5
    longest: float = 30.0
    sleep: Callable[[float], None] = field(default=time.sleep, repr=False)
    share: Callable[[], float] = field(default=random.random, repr=False)

    def wait(self, failures: int, at_least: float | None = None) -> None:
        """Pause after the given number of failures. What the server asks for (`at_least`) is kept to, within reason."""
        pause = min(self.longest, self.first * 2 ** (failures - 1)) * self.share()
        if at_least is not None:
            pause = max(pause, min(at_least, 2 * self.longest))
        self.sleep(pause)
