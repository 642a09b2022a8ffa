"""Loads settings from a file: YAML with line numbers, references, several jobs with shared defaults, relative paths."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from difflib import get_close_matches
from pathlib import Path
from typing import Any

from pydantic import BaseModel, ValidationError
from pydantic_core import ErrorDetails

from connector.common.located_yaml import Located, Path_, in_our_words, read_yaml
from connector.errors import ConfigurationError
from connector.settings.models import SHORT_SOURCES, Job, Settings
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


Schema = Mapping[str, Any]
Loc = tuple[str | int, ...]

_UNKNOWN = ("extra_forbidden", "unexpected_keyword_argument")
_TAGGED = ("sources", "catalogs")
"""Lists whose elements have a type, which pydantic adds to the path of their fields."""


def describe_errors(error: ValidationError, located: Located, schema: Schema) -> Iterator[str]:
    """One message per mistake, without the values in the file."""
    for problem in error.errors(include_url=False, include_input=False):
        loc, kind = problem["loc"], problem["type"]
        path = _written(loc, located.data)
        shown = [*path, loc[-1]] if kind == "missing" else path
        yield located.where(path) + "".join(
            f": {part}" for part in (".".join(map(str, shown)), _text(problem, schema)) if part
        )


def _text(problem: ErrorDetails, schema: Schema) -> str:
    kind, loc = problem["type"], problem["loc"]
    if kind in _UNKNOWN:
        return unknown_key(str(loc[-1]), _keys_at(schema, loc[:-1]))
    if kind == "union_tag_not_found":
        return "the type is missing"
    if kind == "union_tag_invalid":
        return f"unknown type; expected one of {problem['ctx']['expected_tags']}".replace("'", "")
    return in_our_words(problem)


def unknown_key(name: str, known: Iterable[str]) -> str:
    """The message for an unknown key."""
    names = sorted(known)
    near = get_close_matches(name.lower(), names, n=1, cutoff=0.6)
    if near:
        return f"unknown key; did you mean {near[0]}?"
    return f"unknown key; expected one of {', '.join(names)}" if names else "unknown key"


def _written(loc: Loc, data: Any) -> list[str | int]:
    """The path of a value in the file: without the types of sources and catalogs, and with short forms as written."""
    if len(loc) > 2 and loc[0] in _TAGGED:
        loc = (*loc[:2], *loc[3:])
    path: list[str | int] = []
    for part in loc:
        if isinstance(data, dict) and part not in data:
            short = next((key for key, field in SHORT_SOURCES.items() if field == part and key in data), None)
            part = short if short is not None and path[:1] == ["sources"] else part
        inside = (isinstance(data, dict) and part in data) or (
            isinstance(data, list) and isinstance(part, int) and part < len(data)
        )
        if not inside:
            break
        path.append(part)
        data = data[part]
    return path


def _keys_at(schema: Schema, loc: Loc) -> set[str]:
    """The keys that the schema allows at a path."""
    places = list(_forms(schema, schema))
    for part in loc:
        found: list[Schema] = []
        for place in places:
            if isinstance(part, int):
                found.extend(_forms(place.get("items", {}), schema))
            elif part in place.get("properties", {}):
                found.extend(_forms(place["properties"][part], schema))
        tagged = [place for place in places if place.get("properties", {}).get("type", {}).get("const") == part]
        places = tagged or found or places
    return {name for place in places for name in place.get("properties", {})}


def _forms(part: Schema, schema: Schema) -> Iterator[Schema]:
    """The alternatives of a part of the schema, with references resolved."""
    if "$ref" in part:
        yield from _forms(schema["$defs"][part["$ref"].rpartition("/")[2]], schema)
        return
    for name in ("anyOf", "oneOf", "allOf"):
        for form in part.get(name, ()):
            yield from _forms(form, schema)
    yield part
