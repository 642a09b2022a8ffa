"""The options of the plugin: `connectionOptions` of the workflow, which are names and texts and nothing else.

Either ``config`` names a file of settings (and ``job`` a job in it), or the options are the settings of a job themselves,
with lists and mappings written as YAML. Beside both may stand what belongs to the catalog: ``mapping``, ``service``,
``missing``, ``prune`` and the like. Server and token always are those of the workflow.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import yaml
from pydantic import ValidationError

from connector.addresses import safe_url
from connector.catalogs.openmetadata import OpenMetadataSettings
from connector.common.located_yaml import Located
from connector.errors import ConfigurationError
from connector.lineage import Lineage
from connector.model import FAILURES, Model
from connector.pipeline.plain import analyse_plain, collect_units
from connector.pipeline.reading import context_of
from connector.settings import Job, load_settings
from connector.settings.loading import describe_errors, unknown_key
from connector.settings.references import Resolver, from_folder
from connector.sources import read_plain
from connector.sources.record import SourceStatement, Tally

_NAME = "connectionOptions"
_SERVERS = frozenset({"url", "token", "token_file", "token_env", "ca_file", "verify_tls", "headers"})
"""What the workflow says in `openMetadataServerConfig`."""
_OWN = ("config", "job", "source", "verify", "prune", "server_columns")
_TEXTS = frozenset({"name", "dialect", "cluster", "default_database", "default_schema", "store"})
"""Options of a job that are texts, whatever they look like; the others are YAML."""


@dataclass(frozen=True, slots=True)
class ServerLogin:
    """The server of the workflow, and how it logs in there."""

    url: str
    token: str | None = None
    ca_file: str | None = None
    verify_tls: bool = True
    headers: Mapping[str, str] | None = None

    def __repr__(self) -> str:
        return f"ServerLogin({safe_url(self.url)!r})"


@dataclass(frozen=True, slots=True)
class PluginOptions:
    """What the plugin does: a job's sources, and the catalog they are written to."""

    job: Job
    catalog: OpenMetadataSettings
    source: str
    """Name under which the lineage is written."""
    verify: bool = False
    prune: bool = False
    server_columns: bool = False
    """The columns of OpenMetadata's tables help to read the statements."""


def read_options(options: Mapping[str, str], login: ServerLogin, service: str) -> PluginOptions:
    """Read and check the options; every mistake is a `ConfigurationError` that says which option it is in."""
    located = Located(Path(_NAME), dict(options), {})
    resolver = Resolver(located)
    given: dict[str, Any] = resolver.resolve(dict(options))
    if resolver.problems:
        raise ConfigurationError("\n".join(_plain(problem) for problem in resolver.problems))
    for name in sorted(given.keys() & _SERVERS):
        raise ConfigurationError(f"{_NAME}.{name}: this belongs in the workflow's openMetadataServerConfig")
    catalog_fields = OpenMetadataSettings.model_fields.keys() - _SERVERS
    catalog = {name: given.pop(name) for name in [*given] if name in catalog_fields}
    own = {name: given.pop(name) for name in _OWN if name in given}
    job = _job_of_file(own, given) if "config" in own else _job_of_options(own, given, catalog_fields)
    known = _from_job(job)
    settings = _settings(known, catalog, login, service, resolver)
    source = own.get("source") or known.get("source") or job.name
    return PluginOptions(
        job,
        settings,
        str(source),
        _flag("verify", own.get("verify", known.get("verify", False))),
        _flag("prune", own.get("prune", known.get("prune", False))),
        _flag("server_columns", own.get("server_columns", False)),
    )


def _job_of_file(own: Mapping[str, str], rest: Mapping[str, str]) -> Job:
    if rest:
        name = min(rest)
        raise ConfigurationError(f"{_NAME}.{name}: with config, the settings of the job belong in that file")
    settings = load_settings(own["config"])
    if "job" in own:
        return settings.job(own["job"])
    if len(settings.jobs) > 1:
        names = ", ".join(job.name for job in settings.jobs)
        raise ConfigurationError(f"{_NAME}.job: {own['config']} has several jobs; name one of {names}")
    return settings.jobs[0]


def _job_of_options(own: Mapping[str, str], given: Mapping[str, str], catalog_fields: set[str]) -> Job:
    if "job" in own:
        raise ConfigurationError(f"{_NAME}.job: this requires config, the file that contains the job")
    known = {*Job.model_fields, *_OWN, *catalog_fields}
    unknown = sorted(given.keys() - Job.model_fields.keys())
    if unknown:
        raise ConfigurationError("\n".join(f"{_NAME}.{name}: {unknown_key(name, known)}" for name in unknown))
    if "sources" not in given:
        raise ConfigurationError(f"{_NAME}: nothing to read; set config (a settings file) or sources")
    data = {name: value if name in _TEXTS else _yaml(name, value) for name, value in given.items()}
    if isinstance(data["sources"], str):
        data["sources"] = {"files": data["sources"]}
    if isinstance(data["sources"], dict):
        data["sources"] = [data["sources"]]
    try:
        job = Job.model_validate(data)
    except ValidationError as error:
        located = Located(Path(_NAME), data, {})
        problems = describe_errors(error, located, Job.model_json_schema())
        raise ConfigurationError("\n".join(map(_plain, problems))) from None
    return from_folder(job, Path.cwd())


def _from_job(job: Job) -> dict[str, Any]:
    """The settings of the job's own catalog of this type, where it has one."""
    for catalog in job.catalogs:
        if isinstance(catalog, OpenMetadataSettings):
            return {name: getattr(catalog, name) for name in catalog.model_fields_set if name not in _SERVERS}
    return {}


def _settings(
    known: Mapping[str, Any], given: Mapping[str, str], login: ServerLogin, service: str, resolver: Resolver
) -> OpenMetadataSettings:
    fields = {name: value for name, value in known.items() if name in OpenMetadataSettings.model_fields}
    data = {
        "service": service,
        **fields,
        **given,
        "url": login.url,
        "token": login.token,
        "ca_file": login.ca_file,
        "verify_tls": login.verify_tls,
        "headers": dict(login.headers or {}),
    }
    try:
        return OpenMetadataSettings.model_validate(data)
    except ValidationError as error:
        located = Located(Path(_NAME), dict.fromkeys(given), {})
        problems = describe_errors(error, located, OpenMetadataSettings.model_json_schema())
        raise ConfigurationError("\n".join(resolver.conceal(_plain(problem)) for problem in problems)) from None


def _yaml(name: str, value: str) -> Any:
    try:
        return yaml.safe_load(value)
    except yaml.YAMLError as error:
        reason = getattr(error, "problem", None) or "it cannot be read"
        raise ConfigurationError(f"{_NAME}.{name}: invalid YAML: {reason}") from None


def _flag(name: str, value: Any) -> bool:
    if isinstance(value, bool):
        return value
    if str(value).strip().lower() in ("true", "yes", "on", "1", "false", "no", "off", "0", ""):
        return str(value).strip().lower() in ("true", "yes", "on", "1")
    raise ConfigurationError(f"{_NAME}.{name}: expected true or false")


def _plain(problem: str) -> str:
    """A message without the line of a file that there is not: ``connectionOptions:1: key: …``."""
    return problem.replace(f"{_NAME}:1: ", f"{_NAME}.", 1)


class Input:
    """Reads a job once, and keeps count of what could not be read."""

    def __init__(self, job: Job) -> None:
        self._job = job
        self.statements = 0
        """Distinct ones."""
        self.failures: list[tuple[str, str]] = []
        """Where, and why."""
        self.notes: list[str] = []
        """What was skipped."""

    def lineages(self) -> Iterator[Lineage]:
        """The lineage of everything that the job's sources hold. No statement can stop the others."""
        rows = list(self._rows())
        context = context_of(self._job, rows)
        collected = collect_units(rows, context)
        self.statements = collected.statements
        for result in analyse_plain(collected.units, context):
            if result.status == "failed":
                place = f"{result.origin or result.source}:{result.line}"
                self.failures.append((place, f"{place}: {result.reason}: {result.message}"))
                continue
            model = result.model
            self._keep(model, result.line)
            yield Lineage(model, self._job.options)

    def _rows(self) -> Iterator[SourceStatement]:
        for source in self._job.sources:
            tally = Tally()
            yield from read_plain(source, self._job.defaults, tally=tally)
            if tally.unreadable:
                self.failures.append((source.name, f"{source.name}: {tally.unreadable} malformed rows were skipped"))
            if tally.passed_over or tally.truncated:
                self.notes.append(
                    f"{source.name}: {tally.passed_over} rows were skipped ({tally.failed} of failed queries, "
                    f"{tally.hidden} without a visible text, {tally.empty} empty), "
                    f"{tally.truncated} texts are truncated by the log"
                )

    def _keep(self, model: Model, first_line: int) -> None:
        for problem in model.problems:
            if problem.type in FAILURES:
                script, start, _ = problem.span
                line, column = script.position(start)
                place = f"{script.name}:{line + first_line - 1}:{column}"
                self.failures.append((place, f"{place}: {problem.message}"))
