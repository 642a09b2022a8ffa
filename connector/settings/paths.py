"""Resolves relative paths in a settings file against that file, wherever the command is started."""

from __future__ import annotations

from pathlib import Path
from typing import Any, TypeVar

from pydantic import BaseModel

from connector.settings.models import Job
from connector.sources.addresses import is_address, local_database

__all__ = ["entry_from_folder", "from_folder"]

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
    for name, field in model.model_fields.items():
        value = entry.get(name)
        if isinstance(value, str) and (
            field.annotation in (Path, Path | None) or (name == "mapping" and (folder / value).is_file())
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
