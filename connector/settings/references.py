"""References to values that do not belong in a file: ``${env:NAME}``, ``${env:NAME:-default}`` and ``${file:path}``."""

from __future__ import annotations

import os
import re
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from connector.common.located_yaml import Located, Path_

__all__ = ["Resolver"]

_REFERENCE = re.compile(r"(?P<escaped>\$)?\$\{(?P<kind>[A-Za-z_]+):(?P<what>[^{}]*)\}")


@dataclass
class Resolver:
    """Replaces the references of one file, and remembers the values so that no message shows them."""

    located: Located
    problems: list[str] = field(default_factory=list)
    _values: dict[str, str] = field(default_factory=dict, repr=False)

    def resolve(self, data: Any, path: Path_ = ()) -> Any:
        """The data with references replaced by values, in every string at any depth."""
        if isinstance(data, dict):
            return {key: self.resolve(value, (*path, str(key))) for key, value in data.items()}
        if isinstance(data, list):
            return [self.resolve(value, (*path, index)) for index, value in enumerate(data)]
        if isinstance(data, str) and "${" in data:
            return _REFERENCE.sub(lambda match: self._replace(match, path), data)
        return data

    def conceal(self, message: str) -> str:
        """The message with values replaced by references."""
        for value, reference in sorted(self._values.items(), key=lambda item: -len(item[0])):
            # A short value may well be part of an unrelated word.
            whole = rf"(?<!\w){re.escape(value)}(?!\w)" if len(value) < 6 else re.escape(value)
            message = re.sub(whole, lambda _, shown=reference: shown, message)  # type: ignore[misc]
        return message

    def _replace(self, match: re.Match[str], path: Path_) -> str:
        if match["escaped"]:
            return match[0][1:]
        kind, what = match["kind"], match["what"]
        value: str | None = None
        if kind == "env":
            value = self._variable(what, path)
        elif kind == "file":
            value = self._file(what, path)
        else:
            self._problem(path, f"unknown reference type {kind!r}; use ${{env:NAME}} or ${{file:path}}")
        if value is None:
            return match[0]
        if value:
            self._values[value] = match[0]
        return value

    def _variable(self, what: str, path: Path_) -> str | None:
        name, separator, default = what.partition(":-")
        value = os.environ.get(name)
        if separator and not value:
            return default
        if value is None:
            self._problem(path, f"the environment variable {name} is not set")
        return value

    def _file(self, what: str, path: Path_) -> str | None:
        file = self.located.file.parent / Path(what).expanduser()
        try:
            return file.read_text(encoding="utf-8").strip("\r\n")
        except (OSError, UnicodeDecodeError) as error:
            reason = getattr(error, "strerror", None) or "it is not UTF-8 text"
            self._problem(path, f"cannot read the file {file}: {reason}")
            return None

    def _problem(self, path: Path_, text: str) -> None:
        key = ".".join(map(str, path))
        self.problems.append(f"{self.located.where(path)}: {key}: {text}")
