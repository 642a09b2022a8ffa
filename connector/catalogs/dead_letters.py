"""The file of entities that a catalog did not take, one JSON object on a line, to be looked at and sent again."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, TextIO

from connector.errors import ConfigurationError

__all__ = ["DeadLetters"]


class DeadLetters:
    """Written as failures happen, so that a killed run leaves them too. Without failures there is no file."""

    def __init__(self, file: Path | None) -> None:
        self.file = file
        self._stream: TextIO | None = None
        if file is not None:
            try:
                file.unlink(missing_ok=True)
            except OSError as error:
                raise ConfigurationError(f"Cannot write {file}: {error.strerror or error}") from error

    def add(self, type_name: str, name: str, reason: str, entity: Any) -> None:
        if self.file is None:
            return
        if self._stream is None:
            try:
                self.file.parent.mkdir(parents=True, exist_ok=True)
                self._stream = self.file.open("w", encoding="utf-8")
            except OSError as error:
                raise ConfigurationError(f"Cannot write {self.file}: {error.strerror or error}") from error
        letter = {"type": type_name, "qualifiedName": name, "reason": reason, "entity": entity}
        self._stream.write(json.dumps(letter, ensure_ascii=False) + "\n")
        self._stream.flush()

    def close(self) -> None:
        if self._stream is not None:
            self._stream.close()
            self._stream = None
