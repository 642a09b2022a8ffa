"""The part of a settings file about one catalog, for commands that write to a catalog without running a job."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from pydantic import BaseModel

from connector.catalogs.located import Located, Path_, read_yaml
from connector.errors import ConfigurationError
from connector.settings.paths import entry_from_folder
from connector.settings.references import Resolver

__all__ = ["catalog_section"]


def catalog_section(file: Path, type_: str, model: type[BaseModel]) -> Located:
    """What the file says about a catalog: an entry of `catalogs`, at the top, in the defaults or in a job, or a section
    with the name of the catalog. References are resolved, and paths are relative to the file."""
    located = read_yaml(file)
    at = _find(located.data, type_)
    if at is None:
        raise ConfigurationError(f"{file}:1: expected a section {type_}, or an entry of that type in catalogs")
    resolver = Resolver(located)
    section = located.data
    for part in at:
        section = section[part]
    section = resolver.resolve(section, at)
    if resolver.problems:
        raise ConfigurationError("\n".join(resolver.problems))
    lines = {path[len(at) :]: line for path, line in located.lines.items() if path[: len(at)] == at}
    return Located(file, entry_from_folder(section, model, file.absolute().parent), lines)


def _find(data: Any, type_: str) -> Path_ | None:
    if not isinstance(data, dict):
        return None
    if isinstance(data.get(type_), dict):
        return (type_,)
    jobs = data.get("jobs")
    places: list[tuple[Path_, Any]] = [((), data), (("defaults",), data.get("defaults"))]
    if isinstance(jobs, list):
        places += [(("jobs", index), job) for index, job in enumerate(jobs)]
    for path, place in places:
        entries = place.get("catalogs") if isinstance(place, dict) else None
        for index, entry in enumerate(entries if isinstance(entries, list) else ()):
            if isinstance(entry, dict) and entry.get("type") == type_:
                return (*path, "catalogs", index)
    return None
