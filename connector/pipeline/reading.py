"""What a run reads: which sources have changed, and what is known of tables."""

from __future__ import annotations

import logging
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import astuple, dataclass
from datetime import datetime, timedelta, timezone
from hashlib import sha256
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Any

from connector.catalogs import catalog_of
from connector.errors import ConnectorError, SourceError
from connector.metadata import TableInfo
from connector.naming import parse_name
from connector.pipeline.context import AnalysisContext, Tables, tables_of
from connector.pipeline.definitions import definitions_in
from connector.sources import metadata_of, read_plain, table_columns
from connector.sources.logs.locating import fetched_files, is_for_workers, local_files
from connector.sources.models import LogSource
from connector.sources.record import SourceStatement, TableColumns

if TYPE_CHECKING:
    from connector.settings.models import Job
    from connector.sources.models import Source

_log = logging.getLogger("connector.pipeline")

Scripts = Mapping[str, list[SourceStatement]]
"""What the driver reads itself, by the name of the source: all but logs."""

_TEXT_FILES = frozenset({".csv", ".tsv", ".txt", ".json", ".jsonl", ".ndjson"})
"""Files whose size tells how much text they hold: neither packed nor in columns."""

Unread = dict[str, ConnectorError]
"""The sources that cannot be read, by name, and why. The others are analysed all the same."""


@dataclass(slots=True)
class ReadSource:
    """A source, and how it stands to what was read before."""

    source: Source
    mark: dict[str, Any]
    """What tells the next run whether the source has changed."""
    changed: bool = True
    statements: list[SourceStatement] | None = None
    """What the driver has read; None for a log, which Spark reads."""
    since: datetime | None = None
    """From when on a log is read; None for all of it."""

    @property
    def name(self) -> str:
        return self.source.name

    @property
    def letters(self) -> int | None:
        """About how much text it has; None for a log whose files do not tell."""
        if self.statements is not None:
            return sum(len(statement.text) for statement in self.statements)
        files = self.mark.get("files")
        if files is None or any(Path(name).suffix.lower() not in _TEXT_FILES for name, *_ in files):
            return None
        return sum(int(size) for _, size, _ in files)

    def seen(self, latest: datetime | None) -> None:
        """Remember up to when a log has been read, where its files do not tell what is new."""
        if self.statements is None and self.mark.get("files") is None and latest is not None:
            before = self.mark.get("until")
            moment = latest.astimezone(timezone.utc).isoformat()
            self.mark["until"] = moment if before is None else max(before, moment)


def read_scripts(job: Job, unread: Unread | None = None) -> Scripts:
    """The scripts, projects and definitions of a job. Without `unread` a source that cannot be read is an error."""
    found = {}
    for source in job.sources:
        if not isinstance(source, LogSource):
            with _noted(source, unread):
                found[source.name] = list(read_plain(source, job.defaults))
    return found


@contextmanager
def _noted(source: Source, unread: Unread | None) -> Iterator[None]:
    """Failures of one source, noted so that the others can be read."""
    try:
        yield
    except ConnectorError as error:
        if unread is None:
            raise
        unread.setdefault(source.name, error)
    except OSError as error:
        reason = SourceError(f"{error.filename or source.place}: {error.strerror or error}")
        if unread is None:
            raise reason from error
        unread.setdefault(source.name, reason)


def read_sources(
    job: Job,
    scripts: Scripts,
    context: str,
    known: Mapping[str, Any],
    unread: Unread | None = None,
    *,
    full: bool = False,
) -> list[ReadSource]:
    """The sources of a job, and whether they have changed. Logs are only looked at here."""
    found = []
    for source in job.sources:
        if unread is not None and source.name in unread:
            continue
        if isinstance(source, LogSource):
            mark: dict[str, Any] = {}
            with _noted(source, unread):
                mark["files"] = _files(source)
                if is_for_workers(source):
                    mark["digest"] = _remote_digest(source)
            if not mark:
                continue
            read = ReadSource(source, mark)
        else:
            statements = scripts[source.name]
            read = ReadSource(source, {"digest": _digest(statements)}, statements=statements)
        read.mark["context"] = context
        before = known.get(source.name)
        traceable = read.mark.get("files") is not None or read.mark.get("digest") is not None
        until = None if before is None else before.get("until")
        same = before is not None and {name: before[name] for name in before if name != "until"} == read.mark
        read.changed = full or not traceable or not same
        if until is not None and isinstance(source, LogSource) and read.mark.get("files") is None:
            read.mark["until"] = until
            # Under another context what was read before has to be understood anew.
            if not full and known[source.name]["context"] == context:
                read.since = datetime.fromisoformat(until) - timedelta(hours=source.lookback_hours)
        found.append(read)
    return found


def _files(source: LogSource) -> list[list[Any]] | None:
    """Names, sizes and times of a log's files; None for a log that is not in files of this machine."""
    paths = (*source.paths, *source.texts)
    if not paths or any("://" in path and not path.startswith("file:") for path in paths):
        return None
    files = [*local_files(source), *(local_files(source, source.texts) if source.texts else ())]
    stats = [(file, file.stat()) for file, _ in files]
    return [[str(file), stat.st_size, stat.st_mtime_ns] for file, stat in stats]


def _remote_digest(source: LogSource) -> str:
    """Names, sizes and times of a log's files on S3, in short: a year of them need not be kept with every commit."""
    listed = [(str(file), file.size, file.modified) for file in fetched_files(source)]
    return sha256(repr(listed).encode()).hexdigest()[:32]


def _digest(statements: Sequence[SourceStatement]) -> str:
    digest = sha256()
    for statement in statements:
        digest.update(repr(astuple(statement)).encode("utf-8", "surrogatepass"))
    return digest.hexdigest()[:32]


def context_of(
    job: Job, statements: Iterable[SourceStatement] | None = None, unread: Unread | None = None
) -> AnalysisContext:
    """How the statements of a job are understood.

    What is known of tables comes from the job's metadata files, else from databases and projects that tell their columns,
    else from the catalogs, else from what the scripts define. Whoever has read them already gives them here; else they are read for that.
    """
    request = job.request
    assert request.limits is not None
    providers = request.read_files()
    known: list[TableColumns] = []
    for source in job.sources:
        with _noted(source, unread):
            known.extend(table_columns(source, job.defaults))
    if known:
        providers.append(metadata_of(known))
    if statements is None:
        statements = chain.from_iterable(read_scripts(job).values())
    found = definitions_in(statements, request.limits)
    defined = tuple((dialect, cluster, tables_of(tables)) for (dialect, cluster), tables in found.items())
    tables = [tables_of(provider) for provider in providers]
    return AnalysisContext(request.options, request.limits, (*tables, *_known_to_catalogs(job)), defined)


def _known_to_catalogs(job: Job) -> Iterator[Tables]:
    """What the catalogs know of columns. One that does not answer is no reason not to analyse; it fails when it is told."""
    for settings in job.catalogs:
        try:
            known = catalog_of(settings).known_columns()
        except ConnectorError as error:
            _log.warning("%s: its columns are unknown: %s", settings.type, error)
            continue
        if known:
            yield [
                (tuple(parse_name(table).parts), TableInfo(tuple(columns))) for table, columns in sorted(known.items())
            ]
