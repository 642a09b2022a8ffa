"""The tables of a job: Delta tables that runs append to, on any storage.

    units                        results: status, complete model and levels of each unit
    column_edges, table_edges    the levels of these units, one row for each edge
    statements                   what logs tell of statements: first and last seen, runs, users
    rows                         fingerprints of the log rows that have been counted
    runs                         what counts: one row for each piece of work that is complete
    deliveries                   which of it the store and the catalogs have

Workers write Parquet files next to a table, and the driver commits those of successful attempts; nothing is moved or
renamed. A piece of work touches several tables, each with a commit of its own, and counts from the moment at which `runs`
has its row. What a run leaves behind that was cut off before that is taken back by the next one.

Each commit carries an application transaction, and every run begins with one on `runs`. So a commit is made at most once,
and of two drivers that work at the same time only one can go on: the tables refuse whatever the other tries to commit.
"""

from __future__ import annotations

import json
import re
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import asdict, fields
from datetime import datetime, timezone
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple
from uuid import uuid4

import pyarrow as pa
import pyarrow.parquet as pq
from deltalake import CommitProperties, DeltaTable, Transaction
from deltalake.exceptions import CommitFailedError, DeltaError, TableNotFoundError
from deltalake.transaction import AddAction, RemoveAction

from connector.catalogs.settings import writable_folder
from connector.common.failures import first_line
from connector.errors import ConfigurationError, UnavailableError
from connector.pipeline.commits import Commit
from connector.pipeline.driver_lock import only_driver
from connector.pipeline.files import SCHEMAS, WrittenFile, damaged, file_name, read_file
from connector.pipeline.storage import Storage, storage_failures

if TYPE_CHECKING:
    from connector.settings.models import Job

_APPLICATION = "lineage-connector"
_VERSION = "lineage-connector tables, version 6"
_OLD_VERSION = "_version"
"""A file of the format before Delta."""
_TARGET_SIZE = 128 << 20
_SMALL = _TARGET_SIZE // 4

_TIME = pa.timestamp("us", tz="UTC")
_AS_JSON = frozenset({"rows", "sources", "units"})
_RUNS = pa.schema(
    [
        ("sequence", pa.int64()),
        ("number", pa.int64()),
        ("run", pa.string()),
        ("final", pa.bool_()),
        ("rows", pa.string()),
        ("sources", pa.string()),
        ("context", pa.string()),
        ("units", pa.string()),
        ("shared", pa.list_(pa.string())),
        ("started", pa.string()),
        ("finished", pa.string()),
        ("problems", pa.int64()),
    ]
)
"""A commit as a row. `number` counts them without gaps, so that one that is lost is missed."""
_DELIVERIES = pa.schema(
    [
        ("sequence", pa.int64()),
        ("receiver", pa.string()),
        ("delivery", pa.string()),
        ("delivered_at", _TIME),
        ("held", pa.string()),
    ]
)
_ALL = {**SCHEMAS, "deliveries": _DELIVERIES, "runs": _RUNS}
"""In the order in which they are created: where there is `runs`, there are all of them."""
_OURS = re.compile(r"part-(\d+)-")


class TableFile(NamedTuple):
    """A file that is part of a table."""

    path: str
    """Seen from the storage."""
    rows: int
    size: int
    first: int
    last: int
    """The commits whose rows it holds, by sequence."""


class LineageTables:
    """The tables of one job."""

    def __init__(self, storage: Storage, *, compact_files: int = 100, keep_days: int = 7) -> None:
        self.storage = storage
        self._compact_files = compact_files
        self._keep_days = keep_days
        self._driver = uuid4().hex
        self._number = 0
        """The last transaction of this driver."""
        self._open: dict[str, DeltaTable] = {}

    @classmethod
    def of(cls, job: Job) -> LineageTables:
        """The tables that a job names."""
        address = job.tables if "://" in job.tables else str(Path(job.tables).absolute())
        storage = Storage(address, job.store.options)
        return cls(storage, compact_files=job.store.compact_files, keep_days=job.store.keep_days)

    # --- one run at a time ------------------------------------------------------------------------------------------

    @contextmanager
    def only_run(self, wait: float = 0.0) -> Iterator[None]:
        """Hold the tables for the time of a run, with what an earlier one has left unfinished taken back."""
        with only_driver(self.storage, wait):
            with self._failures():
                self._refuse_older()
                self._create()
                self._claim()
                self._take_back()
                self._verify()
            yield

    def check(self) -> str:
        """Where the tables are, or an error that says why a run could not use them. Nothing is changed."""
        if self.storage.is_local:
            writable_folder(Path(self.storage.address))
        with self._failures():
            self._refuse_older()
            if not self._has("runs"):
                return f"{self.storage.label}, which the first run creates"
            self._refuse_unknown()
        return f"{self.storage.label}, {len(self.commits()):,} commits"

    def _refuse_older(self) -> None:
        old = self.storage.read(_OLD_VERSION)
        if old is not None:
            raise ConfigurationError(
                f"{self.storage.label} holds tables of version {old.decode('ascii', 'replace').strip()}, which this release "
                "cannot read. Move them and the store away and run again: both are rebuilt from the sources."
            )

    def _refuse_unknown(self) -> None:
        described = self._load("runs").metadata().description
        if described != _VERSION:
            raise ConfigurationError(
                f"{self.storage.label} holds a table `runs` that this release of lineage-connector does not recognise "
                f"({described or 'without a description'}). Name another address in store.tables."
            )

    def _create(self) -> None:
        kept = f"interval {self._keep_days} days"
        wanted = {"delta.logRetentionDuration": kept, "delta.deletedFileRetentionDuration": kept}
        exists = self._has("runs")
        if exists:
            self._refuse_unknown()
        for name, schema in _ALL.items():
            self.storage.prepare(name)
            try:
                table = self._load(name)
            except TableNotFoundError:
                if exists or (name == "runs" and any(self.files(each) for each in SCHEMAS)):
                    raise self._damaged(f"the table {name} is gone") from None
                table = DeltaTable.create(
                    self.storage.table(name),
                    schema,
                    mode="ignore",
                    description=_VERSION,
                    configuration=wanted,
                    storage_options=self.storage.options,
                )
            self._open[name] = table
            described = table.metadata()
            if any(described.configuration.get(key) != value for key, value in wanted.items()):
                table.alter.set_table_properties(wanted)

    def _claim(self) -> None:
        """From here on no other driver's commits are taken."""
        self._number = self._open["runs"].transaction_version(_APPLICATION) or 0
        if any(file.last > self._number + 1 for name in SCHEMAS for file in self.files(name)):
            raise self._damaged("the table runs lacks its latest rows")
        self._commit("runs", [], self._number + 1)

    def _take_back(self) -> None:
        """Remove what was written or committed for work that never became complete."""
        known = {commit.sequence for commit in self.commits()}
        for name in SCHEMAS:
            left = {file.first for file in self.files(name)} - known
            for sequence in sorted(left):
                self._open[name].delete(f"sequence = {sequence}")
            live = {file.path for file in self.files(name)}
            for file in self.storage.list_files(name):
                ours = _OURS.match(file)
                if ours and int(ours[1]) not in known and f"{name}/{file}" not in live:
                    self.storage.delete(f"{name}/{file}")

    def _verify(self) -> None:
        """Whether everything that was committed is still there."""
        commits = self.commits()
        for name in ("runs", "deliveries", *SCHEMAS):
            sizes = self.storage.list_files(name)
            for file in self.files(name):
                there = sizes.get(file.path.rpartition("/")[2])
                if there is None:
                    raise self._damaged(f"the file {file.path} is gone")
                if there != file.size:
                    raise self._damaged(f"the file {file.path} has {there:,} bytes instead of {file.size:,}")
            if name in SCHEMAS:
                expected = sum(commit.rows.get(name, 0) for commit in commits)
                found = sum(file.rows for file in self.files(name))
                if found != expected:
                    raise self._damaged(f"{name} has {found:,} rows, and the runs have committed {expected:,}")

    def _damaged(self, what: str) -> ConfigurationError:
        return damaged(self.storage, what)

    # --- commits ----------------------------------------------------------------------------------------------------

    def commits(self) -> list[Commit]:
        """What counts, oldest first."""
        with self._failures():
            rows = sorted(self._rows("runs"), key=lambda row: row["sequence"])
        if [row["number"] for row in rows] != list(range(1, len(rows) + 1)):
            raise self._damaged("the table runs lacks some of its rows")
        names = [field.name for field in fields(Commit)]
        return [
            Commit(**{name: json.loads(row[name]) if name in _AS_JSON else row[name] for name in names}) for row in rows
        ]

    def begin(self, run: str, *, final: bool = False, context: str = "") -> Commit:
        """The next piece of work. It counts when it is committed."""
        return Commit(self._number + 1, run, final=final, context=context)

    def commit(self, commit: Commit, files: Iterable[WrittenFile] = ()) -> None:
        """Add the files to their tables. From here on the work counts."""
        by_table: dict[str, list[WrittenFile]] = {}
        for file in files:
            by_table.setdefault(file.table, []).append(file)
        commit.rows = {name: sum(file.rows for file in added) for name, added in sorted(by_table.items())}
        row = {name: json.dumps(value) if name in _AS_JSON else value for name, value in asdict(commit).items()}
        row["number"] = len(self._rows("runs")) + 1
        with self._failures():
            if self._load("runs").version() != self._open["runs"].version():
                raise self._taken_over()
            for added in by_table.values():
                self._commit(added[0].table, added, commit.sequence)
            self._commit("runs", [self._write("runs", [row], commit.sequence)], commit.sequence)

    def _commit(self, name: str, files: Sequence[WrittenFile], sequence: int) -> None:
        table = self._open[name]
        if name != "runs":
            table.update_incremental()
        now = int(time.time() * 1000)
        added: list[AddAction | RemoveAction] = [
            AddAction(file.name, file.size, {}, now, True, file.statistics(sequence)) for file in files
        ]
        properties = CommitProperties({"driver": self._driver}, app_transactions=[Transaction(_APPLICATION, sequence)])
        try:
            table.create_write_transaction(added, "append", table.schema(), commit_properties=properties)
        except (CommitFailedError, OSError) as error:
            latest = self._load(name)
            last = latest.history(1)[0]
            if latest.transaction_version(_APPLICATION) != sequence or last.get("driver") != self._driver:
                if isinstance(error, OSError):
                    raise
                raise self._taken_over() from error
        if name == "runs":  # seen from this version on, so that whatever another driver commits is a conflict
            table.load_as_version(table.version() + 1)
            self._number = sequence
        else:
            table.update_incremental()

    def _taken_over(self) -> UnavailableError:
        return UnavailableError(
            f"Another run has taken over the tables at {self.storage.label}. This run stops here; start it "
            "again when the other one has finished."
        )

    def _write(self, name: str, rows: list[dict[str, Any]], sequence: int) -> WrittenFile:
        """Write some rows into a file next to a table."""
        file = file_name(sequence, 0)
        with self.storage.open_output(f"{name}/{file}") as stream:
            pq.write_table(pa.Table.from_pylist(rows, _ALL[name]), stream, write_page_checksum=True)
        return WrittenFile(name, file, self.storage.size(f"{name}/{file}"), len(rows))

    # --- files ------------------------------------------------------------------------------------------------------

    def files(self, name: str, commits: Sequence[Commit] | None = None) -> list[TableFile]:
        """The files of a table that hold rows of some commits, or of all."""
        with self._failures():
            if name not in self._open and not self._has("runs"):
                return []
            actions = pa.table(self._table(name).get_add_actions(flatten=True)).to_pylist()
        found = sorted(
            TableFile(
                f"{name}/{action['path']}",
                action["num_records"],
                action["size_bytes"],
                action["min.sequence"],
                action["max.sequence"],
            )
            for action in actions
        )
        if commits is None:
            return found
        wanted = {commit.sequence for commit in commits}
        return [file for file in found if any(file.first <= sequence <= file.last for sequence in wanted)]

    @contextmanager
    def opened(self, file: TableFile) -> Iterator[pq.ParquetFile]:
        """A file of a table, open for reading."""
        with self._failures(), read_file(self.storage, file.path) as opened:
            yield opened

    def _rows(self, name: str) -> list[dict[str, Any]]:
        rows: list[dict[str, Any]] = []
        for file in self.files(name):
            with self.opened(file) as opened:
                rows.extend(opened.read().to_pylist())
        return rows

    def tidy(self) -> None:
        """Combine small files into large ones, and delete what readers have had time to let go of."""
        with self._failures():
            for name, table in self._open.items():
                small = sum(1 for file in self.files(name) if file.size < _SMALL)
                if self._compact_files and small > self._compact_files:
                    table.optimize.compact(target_size=_TARGET_SIZE)
                    table.create_checkpoint()
                hours = 24 * self._keep_days
                if table.vacuum(hours, dry_run=True, enforce_retention_duration=False):
                    table.vacuum(hours, dry_run=False, enforce_retention_duration=False)

    # --- deliveries -------------------------------------------------------------------------------------------------

    @property
    def id(self) -> str:
        """What tells these tables from others that have been at the same place."""
        with self._failures():
            return str(self._table("runs").metadata().id)[:8]

    def delivered(self, receiver: str) -> set[str]:
        """The commits that a receiver has, by name."""
        return {row["delivery"] for row in self._rows("deliveries") if row["receiver"] == receiver}

    def held(self, receiver: str) -> Mapping[str, int]:
        """What a receiver held after the latest delivery to it."""
        rows = [row for row in self._rows("deliveries") if row["receiver"] == receiver]
        latest = max(rows, key=lambda row: (row["delivered_at"], row["sequence"]), default=None)
        return json.loads(latest["held"]) if latest is not None else {}

    def mark_delivered(self, receiver: str, commits: Sequence[Commit], held: Mapping[str, int] | None = None) -> None:
        """A receiver has taken what these commits hold."""
        now = datetime.now(timezone.utc)
        rows = [
            {
                "sequence": each.sequence,
                "receiver": receiver,
                "delivery": each.name,
                "delivered_at": now,
                "held": json.dumps(held or {}),
            }
            for each in commits
        ]
        with self._failures():
            table = self._table("deliveries")
            table.update_incremental()
            file = self._write("deliveries", rows, commits[-1].sequence)
            added = AddAction(
                file.name, file.size, {}, int(now.timestamp() * 1000), True, file.statistics(commits[-1].sequence)
            )
            table.create_write_transaction([added], "append", table.schema())
            table.update_incremental()

    # --- help -------------------------------------------------------------------------------------------------------

    def _table(self, name: str) -> DeltaTable:
        """A table as it was last seen; loaded if it is not open."""
        if name not in self._open:
            self._open[name] = self._load(name)
        return self._open[name]

    def _load(self, name: str) -> DeltaTable:
        return DeltaTable(self.storage.table(name), storage_options=self.storage.options)

    def _has(self, name: str) -> bool:
        return DeltaTable.is_deltatable(self.storage.table(name), storage_options=self.storage.options)

    @contextmanager
    def _failures(self) -> Iterator[None]:
        with storage_failures(self.storage):
            try:
                yield
            except TableNotFoundError as error:
                raise self._damaged("a table is gone") from error
            except CommitFailedError as error:
                raise self._taken_over() from error
            except DeltaError as error:
                raise self._damaged(f"their log cannot be read ({first_line(error)})") from error
