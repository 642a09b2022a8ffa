"""Loads settings from a file: YAML with line numbers, references, several jobs with shared defaults, relative paths."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Any

from pydantic import BaseModel, ValidationError

from connector.common.located_yaml import Located, Path_, read_yaml
from connector.errors import ConfigurationError
from connector.settings.mistakes import describe_errors, unknown_key
from connector.settings.models import Job, Settings
from connector.settings.references import Resolver, entry_from_folder, from_folder


def load_settings(path: Path | str) -> Settings:
    """The jobs of a file. All its mistakes are reported at once, each with its line."""
    file = Path(path)
    located = read_yaml(file)
    if not isinstance(located.data, dict):
        raise ConfigurationError(f"{file}:1: expected a mapping with keys such as dialect, sources and store")
    resolver = Resolver(located)
    located = Located(file, resolver.resolve(located.data), located.lines)
    problems = list(resolver.problems)
    jobs: list[Job] = []
    schema = Job.model_json_schema()
    for job in _jobs(located, problems):
        try:
            parsed = Job.model_validate(job.data)
        except ValidationError as error:
            problems.extend(resolver.conceal(message) for message in describe_errors(error, job, schema))
        else:
            jobs.append(from_folder(parsed, file.absolute().parent))
    problems.extend(_repeated(jobs, located))
    if problems:
        raise ConfigurationError("\n".join(sorted(dict.fromkeys(problems), key=_line)))
    return Settings(jobs=tuple(jobs), file=file)


def _jobs(located: Located, problems: list[str]) -> list[Located]:
    """The jobs, each merged with the defaults; a file without `jobs` is a single job."""
    data: dict[str, Any] = located.data
    if "jobs" not in data and "defaults" not in data:
        return [located]
    for name in data.keys() - {"jobs", "defaults"}:
        text = unknown_key(str(name), ("jobs", "defaults"))
        if name in Job.model_fields:
            text = "in a file with several jobs, move this key under defaults or into a job"
        problems.append(f"{located.where((name,))}: {name}: {text}")
    defaults = data.get("defaults") or {}
    if not isinstance(defaults, dict):
        problems.append(f"{located.where(('defaults',))}: defaults: expected a mapping with the keys of a job")
        defaults = {}
    jobs = data.get("jobs")
    if not isinstance(jobs, list) or not jobs:
        problems.append(f"{located.where(('jobs',))}: jobs: expected a list of at least one job")
        return []
    found = []
    for index, job in enumerate(jobs):
        where: Path_ = ("jobs", index)
        if not isinstance(job, dict):
            problems.append(f"{located.where(where)}: jobs.{index}: expected a mapping with the keys of a job")
            continue
        if len(jobs) > 1 and "name" not in job:
            problems.append(f"{located.where(where)}: jobs.{index}: a name is required because there are several jobs")
        found.append(_merged(located, ("defaults",), defaults, where, job))
    return found


def _merged(located: Located, under: Path_, defaults: dict[str, Any], over: Path_, job: dict[str, Any]) -> Located:
    """Merges a job into the defaults, section by section, preserving line numbers."""
    lines: dict[Path_, int] = {}

    def copy_lines(at: Path_, to: Path_) -> None:
        lines.update({(*to, *key[len(at) :]): line for key, line in located.lines.items() if key[: len(at)] == at})

    def merge(base: Any, base_at: Path_, top: Any, top_at: Path_, to: Path_) -> Any:
        if not (isinstance(base, dict) and isinstance(top, dict)):
            copy_lines(top_at, to)
            return top
        merged = {}
        lines[to] = located.line(top_at)
        for key in {**base, **top}:
            at = (*to, str(key))
            if key not in top:
                copy_lines((*base_at, str(key)), at)
                merged[key] = base[key]
            elif key not in base:
                copy_lines((*top_at, str(key)), at)
                merged[key] = top[key]
            else:
                merged[key] = merge(base[key], (*base_at, str(key)), top[key], (*top_at, str(key)), at)
        return merged

    return Located(located.file, merge(defaults, under, job, over, ()), lines)


def _repeated(jobs: list[Job], located: Located) -> list[str]:
    counts = Counter(job.name for job in jobs)
    return [
        f"{located.where(('jobs',))}: jobs: {count} jobs are named {name}; names must be unique"
        for name, count in counts.items()
        if count > 1
    ]


def _line(problem: str) -> int:
    """The line number in a message, for sorting: people fix a file from the top."""
    return int(problem.split(": ", 1)[0].rpartition(":")[2])


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
