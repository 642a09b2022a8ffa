"""The catalogs, the paths and the environment variables that settings refer to."""

from __future__ import annotations

import os
import re
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeVar

from pydantic import BaseModel

from connector.common.located_yaml import Located, Path_
from connector.settings.models import Job
from connector.sources.addresses import is_address, local_database

_Model = TypeVar("_Model", bound=BaseModel)

_TEXT_PATHS = {
    "FilesSource": ("paths",),
    "LogSource": ("paths", "texts"),
    "DbtSource": ("manifest",),
    "StoreSettings": ("tables",),
}
"""Paths that are kept as text, because they may be globs or addresses."""
_URLS = {"StoreSettings", "DatabaseSource", "LogSource"}


def from_folder(job: Job, folder: Path) -> Job:
    """The job with all relative paths made absolute."""
    located = _located(job, folder)
    if located.store.tables is None:
        store = located.store.model_copy(update={"tables": str(folder / located.tables)})
        located = located.model_copy(update={"store": store})
    return located


def entry_from_folder(entry: dict[str, Any], model: type[BaseModel], folder: Path) -> dict[str, Any]:
    """The same for a section that has not been parsed into a model yet."""
    moved = dict(entry)
    for name, info in model.model_fields.items():
        value = entry.get(name)
        if isinstance(value, str) and (
            info.annotation in (Path, Path | None) or (name == "mapping" and (folder / value).is_file())
        ):
            moved[name] = str(folder / Path(value).expanduser())
    return moved


def _located(model: _Model, folder: Path) -> _Model:
    changes: dict[str, Any] = {}
    for name in type(model).model_fields:
        value = getattr(model, name)
        moved = _value(value, folder)
        if moved is not value:
            changes[name] = moved
    kind = type(model).__name__
    for name in _TEXT_PATHS.get(kind, ()):
        value = getattr(model, name)
        if value is not None:
            one = isinstance(value, str)
            changes[name] = _text(value, folder) if one else tuple(_text(each, folder) for each in value)
    url = getattr(model, "url", None) if kind in _URLS else None
    if url is not None:
        changes["url"] = local_database(url, folder) if is_address(url) else _text(url, folder)
    mapping = getattr(model, "mapping", None)
    if isinstance(mapping, str) and (folder / mapping).is_file():
        changes["mapping"] = str(folder / mapping)
    return model.model_copy(update=changes) if changes else model


def _value(value: Any, folder: Path) -> Any:
    if isinstance(value, Path):
        return folder / value.expanduser()
    if isinstance(value, BaseModel):
        return _located(value, folder)
    if isinstance(value, tuple) and any(isinstance(each, (Path, BaseModel)) for each in value):
        return tuple(_value(each, folder) for each in value)
    return value


def _text(path: str, folder: Path) -> str:
    return path if is_address(path) else str(folder / Path(path).expanduser())


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
