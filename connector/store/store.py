"""The store: lineage that outlives the run that found it."""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime, timezone
from itertools import islice
from pathlib import Path
from typing import Any, TypeVar
from uuid import uuid4

from sqlalchemy import Connection, func, insert, select, text

from connector.common.collector import collector_paused
from connector.errors import ConfigurationError, UnavailableError
from connector.lineage import Lineage
from connector.model import Model
from connector.sql.identity import storable
from connector.store.engine import Database
from connector.store.level_rows import LevelRows, level_rows
from connector.store.loading import Load, record_run
from connector.store.processes import LogHistory, add_history, read_users
from connector.store.reading.details import read_object, read_statement, read_texts
from connector.store.reading.graph import Way, read_graph, read_impact, read_overview
from connector.store.reading.records import Direction, Found, Graph, Impact, ObjectPage, Overview, StatementPage
from connector.store.reading.search import search
from connector.store.rows import utc
from connector.store.schema import LATEST, bring_up_to_date, read_version, refuse_newer
from connector.store.summary import LoadSummary
from connector.store.tables import (
    COLUMN_EDGES,
    COLUMN_NAMES,
    DELIVERIES,
    OBJECT_NAMES,
    OBJECTS,
    PROCESS_HISTORY,
    PROCESSES,
    RUNS,
    TABLE_EDGES,
)
from connector.store.trace import Trace, read_trace

QUERY_SECONDS = 20.0
"""The default time limit of interactive queries."""

_STEPS = 20_000
"""Number of SQLite virtual machine instructions between two checks of the clock."""

_MANY_NEW_EDGES = 1000
_ROWS_AT_ONCE = 1000
"""Number of models whose rows are compared with the store at once."""

Piece = TypeVar("Piece")


class TooSlowError(UnavailableError):
    """The store did not respond within the time limit."""


@dataclass(frozen=True, slots=True)
class ProcessRecord:
    """A statement with its history."""

    qualified_name: str
    type: str
    query_hash_id: str
    procedure_name: str
    first_seen: datetime
    last_seen: datetime
    run_count: int
    users: tuple[str, ...] = ()
    """Who ran it, if a query log records that."""


@dataclass(frozen=True, slots=True)
class StoredEdge:
    """An edge between two names; the kinds are those of the objects at its ends."""

    type: str
    source: str
    source_kind: str
    target: str
    target_kind: str


class Store:
    """An open store. Use it as a context manager, or close it.

    Every call opens a connection of its own, so a store can be used from any thread.
    """

    def __init__(self, database: Database, seconds: float | None = None) -> None:
        self._database = database
        self._seconds = seconds

    @classmethod
    def open(cls, target: str | Path, *, create: bool = True, seconds: float | None = None) -> Store:
        """Open a SQLite file or a PostgreSQL database (`postgresql://user@host/name`).

        An older store is upgraded, a newer one is refused. Without `create`, a store that does not exist is an error instead of
        being created. `seconds` is a time limit for each query.
        """
        database = Database(target)
        try:
            if database.path is not None and not create and not database.path.exists():
                raise UnavailableError(
                    f"The store {database.label} does not exist. Create it with the command load, or choose another with --store."
                )
            with database.reading() as connection:
                version = read_version(connection)
            refuse_newer(version, database.label)
            if version == 0 and not create:
                raise ConfigurationError(
                    f"{database.label} does not contain a lineage store. Create one with the command load."
                )
            if version < LATEST:
                with database.writing() as connection:
                    bring_up_to_date(connection, database.label)
        except BaseException:
            database.close()
            raise
        return cls(database, seconds)

    def close(self) -> None:
        self._database.close()

    def __enter__(self) -> Store:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    @property
    def label(self) -> str:
        """The name of the store in messages, without its password."""
        return self._database.label

    # --- writing ------------------------------------------------------------------------------------------------

    def load(
        self,
        lineage: Lineage | Model | Sequence[Lineage | Model],
        *,
        source: str = "",
        run: str | None = None,
        keep_temporaries: bool = False,
    ) -> LoadSummary:
        """Loads one or more lineages into the store, in a single transaction.

        `source` records where the statements come from. Loads with the same `run` form one run; without it, each load is a run
        of its own.
        """
        started = datetime.now(timezone.utc)
        several = [lineage] if isinstance(lineage, (Lineage, Model)) else lineage
        models = [one.model if isinstance(one, Lineage) else one for one in several]
        with collector_paused():
            rows = [level_rows(model, keep_temporaries=keep_temporaries) for model in models]
        summary = LoadSummary(run or uuid4().hex, source)
        processes: set[int] = set()
        with self._database.writing() as connection:
            bring_up_to_date(connection, self.label)  # a newer version may have upgraded the store since it was opened
            for each in rows:  # if two models contain the same statement, the later one is right
                load = Load(connection, source=source, run=summary.run)
                load.add([each])
                summary.add(load.finish())
                processes |= load.processes
            problems = sum(len(model.problems) for model in models)
            record_run(connection, summary, processes, started=started, problems=problems)
            self._refresh_statistics(connection, summary)
        return summary

    def load_rows(
        self,
        models: Iterable[LevelRows],
        *,
        source: str,
        run: str,
        started: datetime,
        history: Iterable[LogHistory] = (),
        problems: int = 0,
        deliveries: Sequence[str] = (),
    ) -> LoadSummary | None:
        """Loads the rows of many models, and the log history of their statements, in a single transaction.

        Deliveries are recorded with the load. If the store already has all of them, nothing is loaded and None is returned: a
        caller that was interrupted after a load, and does not know that it succeeded, tries again.
        """
        with self._database.writing() as connection:
            bring_up_to_date(connection, self.label)
            known = set(connection.execute(select(DELIVERIES.c.delivery)).scalars())
            missing = [delivery for delivery in deliveries if delivery not in known]
            if deliveries and not missing:
                return None
            load = Load(connection, source=source, run=run)
            for piece in _pieces(models, _ROWS_AT_ONCE):
                load.add(piece)
            summary = load.finish()
            record_run(connection, summary, load.processes, started=started, problems=problems)
            add_history(connection, history)
            if missing:
                now = datetime.now(timezone.utc)
                connection.execute(insert(DELIVERIES), [{"delivery": each, "delivered_at": now} for each in missing])
            self._refresh_statistics(connection, summary)
        return summary

    def _refresh_statistics(self, connection: Connection, summary: LoadSummary) -> None:
        if summary.column_edges.created + summary.table_edges.created >= _MANY_NEW_EDGES:
            self._database.refresh_statistics(connection)

    def deliveries(self) -> set[str]:
        """The deliveries of a pipeline."""
        with self._database.reading() as connection:
            return set(connection.execute(select(DELIVERIES.c.delivery)).scalars())

    def size(self) -> dict[str, int]:
        """The number of objects and statements. Loads only ever add to both."""
        with self._database.reading() as connection:
            return {
                kind: connection.execute(select(func.count()).select_from(table)).scalar_one()
                for kind, table in (("objects", OBJECTS), ("statements", PROCESSES))
            }

    # --- reading ------------------------------------------------------------------------------------------------

    def upstream(self, name: str, depth: int | None = None, columns: bool = False) -> Trace:
        """What feeds a table or column, up to `depth` steps back; with `columns`, column by column."""
        return self._trace(name, "upstream", depth, columns)

    def downstream(self, name: str, depth: int | None = None, columns: bool = False) -> Trace:
        """What a table or column feeds."""
        return self._trace(name, "downstream", depth, columns)

    def _trace(self, name: str, direction: Direction, depth: int | None, columns: bool) -> Trace:
        if depth is not None and depth < 1:
            raise ConfigurationError("The depth must be at least 1.")
        with self._reading() as connection:
            return read_trace(connection, name, direction, depth=depth, columns=columns)

    def search(self, wanted: str = "", kind: str | None = None, *, page: int = 1, size: int = 50) -> Found:
        """Objects whose names are like `wanted`, best first; with the kind `column`, columns."""
        with self._reading() as connection:
            return search(connection, storable(wanted), kind, page=page, size=size)

    def object(self, reference: str) -> ObjectPage:
        """The details of an object, by its number, its name or the end of its name."""
        with self._reading() as connection:
            return read_object(connection, storable(reference))

    def statement(self, reference: str) -> StatementPage:
        """The details of a statement, by its hash or number."""
        with self._reading() as connection:
            return read_statement(connection, storable(reference))

    def graph(
        self, reference: str, way: Way = "both", *, depth: int | None = None, columns: bool = True, most: int = 3000
    ) -> Graph:
        """The lineage around an object or column, as far as `most` objects go."""
        with self._reading() as connection:
            return read_graph(connection, storable(reference), way, depth=depth, columns=columns, most=most)

    def impact(self, reference: str, *, most: int = 3000) -> Impact:
        """What a change to an object or column affects."""
        with self._reading() as connection:
            return read_impact(connection, storable(reference), most=most)

    def overview(self, *, most: int = 5000) -> Overview:
        """All objects with the edges between them, as far as `most` objects go."""
        with self._reading() as connection:
            return read_overview(connection, most=most)

    def texts(self, numbers: set[int]) -> dict[int, tuple[str, str]]:
        """The text of statements with the dialect each is written in."""
        with self._reading() as connection:
            return read_texts(connection, numbers)

    def processes(self) -> list[ProcessRecord]:
        """The statements with their history, sorted by name."""
        table, history = PROCESSES.c, PROCESS_HISTORY.c
        query = (
            select(
                table.qualified_name,
                table.type,
                table.query_hash_id,
                table.procedure_name,
                history.first_seen,
                history.last_seen,
                history.run_count,
            )
            .join(PROCESS_HISTORY, history.process_id == table.id)
            .order_by(table.qualified_name)
        )
        with self._reading() as connection:
            users = read_users(connection)
            return [
                ProcessRecord(
                    *row[:4],
                    utc(row.first_seen),
                    utc(row.last_seen),
                    row.run_count,
                    users.get(row.query_hash_id, ()),
                )
                for row in connection.execute(query)
            ]

    def runs(self) -> list[dict[str, Any]]:
        """The runs, oldest first."""
        with self._reading() as connection:
            rows = connection.execute(select(RUNS).order_by(RUNS.c.id)).mappings()
            return [
                {**row, "started_at": utc(row["started_at"]), "finished_at": utc(row["finished_at"])} for row in rows
            ]

    def edges(self, level: str = "column") -> list[StoredEdge]:
        """All edges of a level, each pair of ends and type once, whichever statements created it."""
        if level not in ("column", "table"):
            raise ConfigurationError(f"The store has no level {level!r}: choose column or table.")
        nodes, edges = (COLUMN_NAMES, COLUMN_EDGES) if level == "column" else (OBJECT_NAMES, TABLE_EDGES)
        with self._reading() as connection:
            known = {int(guid): (name, kind) for guid, name, kind in connection.execute(nodes) if guid.isdecimal()}
            query = select(edges.c.type, edges.c.source_id, edges.c.target_id).distinct()
            rows = connection.execute(query).all()
        return [StoredEdge(kind, *known[source], *known[target]) for kind, source, target in rows]

    @contextmanager
    def _reading(self) -> Iterator[Connection]:
        """A consistent, read-only snapshot of the store, with a time limit."""
        deadline = None if self._seconds is None else time.monotonic() + self._seconds
        try:
            with self._database.reading() as connection:
                if self._database.path is None:
                    connection.execute(text("SET TRANSACTION READ ONLY"))
                    if self._seconds is not None:
                        connection.execute(text(f"SET LOCAL statement_timeout = {int(self._seconds * 1000)}"))
                else:
                    connection.execute(text("PRAGMA query_only = ON"))
                    if deadline is not None:
                        driver: Any = connection.connection.driver_connection
                        driver.set_progress_handler(lambda: time.monotonic() > deadline, _STEPS)
                yield connection
        except UnavailableError as error:
            if deadline is not None and time.monotonic() > deadline:
                raise TooSlowError(f"The store did not respond within {self._seconds:g} seconds.") from error
            raise


def _pieces(items: Iterable[Piece], size: int) -> Iterator[list[Piece]]:
    rest = iter(items)
    while piece := list(islice(rest, size)):
        yield piece
