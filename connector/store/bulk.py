"""Loading the rows of very many models in one transaction.

A load of one model asks the store what it knows of that model. Here many models are asked for together, and what was
asked once is remembered until the end, so that a hundred thousand small models cost little more than their rows.

The outcome does not depend on how the models are cut into pieces: the rows of a statement are those of all models that
hold it, and what the store has beyond them is taken away at the end.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import datetime, timezone
from typing import Any

from sqlalchemy import Connection, Table, insert, select

from connector.naming import join_name, parse_name
from connector.store.definitions import Definition
from connector.store.edges import EdgeRows, Key
from connector.store.identity import number_of, storable
from connector.store.objects import StoredObject, save_objects
from connector.store.portable import ObjectRow, StoreProcessRow, StoreRows
from connector.store.processes import PROCESS_NAMES, save_batch
from connector.store.rows import delete_rows, insert_rows, select_among, update_rows
from connector.store.summary import Counts, LoadSummary
from connector.store.tables import COLUMN_EDGES, COLUMNS, NO_PROCESS, PROCESSES, RUNS, TABLE_EDGES
from connector.store.wanted import TABLE_LIKE, WantedObject

__all__ = ["BulkLoad"]

_LINKS = frozenset({"join", "er"})


class BulkLoad:
    """One load in the caller's transaction: `add` models piece by piece, then `finish`."""

    def __init__(self, connection: Connection, *, source: str, run: str, started: datetime) -> None:
        self._connection = connection
        self._started = started
        self.summary = LoadSummary(run, source)
        self._objects = _Objects(connection, self.summary.objects)
        self._columns = _Columns(connection, self.summary.columns)
        self._processes = _Processes(connection, self.summary.processes)
        self._column_edges = _Edges(connection, COLUMN_EDGES, self.summary.column_edges)
        self._table_edges = _Edges(connection, TABLE_EDGES, self.summary.table_edges)
        self._written: set[tuple[int, int]] = set()
        """Statement and object, for statements that the store has from before."""

    def add(self, models: Sequence[StoreRows]) -> None:
        """Write the rows of some models."""
        objects = self._objects.save([model.objects for model in models])
        columns = self._columns.save(models, objects)
        processes = self._processes.save([model.processes for model in models])
        column_rows: EdgeRows = {}
        table_rows: EdgeRows = {}
        for model, stored, numbers, ids in zip(models, objects, columns, processes, strict=True):
            for edge in model.column_edges:
                process = ids[edge.process] if edge.process >= 0 else NO_PROCESS
                key: Key = (numbers[edge.target], numbers[edge.source], process, edge.type)
                _keep(column_rows, key, (edge.effect, edge.clause, edge.join_type, edge.condition))
                if edge.type not in _LINKS and process in self._processes.old:
                    self._written.add((process, stored[model.columns[edge.target].object].number))
            for link in model.table_edges:
                process = ids[link.process] if link.process >= 0 else NO_PROCESS
                target = stored[link.target].number
                key = (target, stored[link.source].number, process)
                if key not in table_rows or link.type == "fdd":
                    table_rows[key] = (link.type,)
                if process in self._processes.old:
                    self._written.add((process, target))
            for row, number in zip(model.processes, ids, strict=True):
                if number in self._processes.old:
                    self._written.update((number, stored[at].number) for at in row.writes)
        fresh, old = self._processes.fresh, self._processes.old
        self._column_edges.save(column_rows, fresh, old)
        self._table_edges.save(table_rows, fresh, old, data_wins=True)

    def finish(self, problems: int) -> LoadSummary:
        """Take away what statements do not say any more, and record the run."""
        owner = self._columns.owner
        self._column_edges.remove(
            self._processes.old,
            lambda key: key[0] in owner and (key[3] in _LINKS or (key[2], owner[key[0]]) in self._written),
        )
        self._table_edges.remove(self._processes.old, lambda key: (key[2], key[0]) in self._written)
        summary = self.summary
        self._connection.execute(
            insert(RUNS),
            {
                "run": summary.run,
                "source": summary.source,
                "batch_id": save_batch(self._connection, self._processes.met),
                "started_at": self._started,
                "finished_at": datetime.now(timezone.utc),
                "problems": problems,
                "created": summary.created,
                "updated": summary.updated,
                "removed": summary.removed,
                "unchanged": summary.unchanged,
            },
        )
        return summary


def _keep(rows: EdgeRows, key: Key, values: tuple[Any, ...]) -> None:
    """Of two things said about one edge the smaller one stays, whichever came first."""
    known = rows.get(key)
    if known is None or _order(values) < _order(known):
        rows[key] = values


def _order(values: tuple[Any, ...]) -> tuple[tuple[bool, str], ...]:
    return tuple((value is None, value or "") for value in values)


class _Objects:
    """The objects of a load by the guid that models call them by."""

    def __init__(self, connection: Connection, counts: Counts) -> None:
        self._connection = connection
        self._counts = counts
        self._wishes: dict[str, WantedObject] = {}
        self._stored: dict[str, StoredObject] = {}

    def save(self, models: Sequence[Sequence[ObjectRow]]) -> list[list[StoredObject]]:
        asked: dict[str, WantedObject] = {}
        for rows in models:
            for row in rows:
                self._want(row, rows, asked)
        if asked:
            # A parent that is known already is asked for again, because its children name it.
            wanted: dict[str, WantedObject] = {}
            for wish in asked.values():
                _with_parents(wish, wanted)
            counts = Counts()
            for wish, stored in save_objects(self._connection, wanted.values(), counts).items():
                self._stored[wish.guid] = stored
            self._counts.created += counts.created
            self._counts.updated += counts.updated
            self._counts.unchanged = len(self._stored) - self._counts.created - self._counts.updated
        return [[self._stored[row.guid] for row in rows] for rows in models]

    def _want(self, row: ObjectRow, rows: Sequence[ObjectRow], asked: dict[str, WantedObject]) -> None:
        known = self._wishes.get(row.guid)
        definition = None
        if row.ddl is not None and row.ddl_hash is not None:
            definition = Definition(row.ddl, row.ddl_hash, row.type)
        if known is None:
            parent = self._wishes[rows[row.parent].guid] if row.parent >= 0 else None
            alike = TABLE_LIKE if row.table_like else (row.type,)
            known = self._wishes[row.guid] = WantedObject(row.guid, row.name, row.type, alike, parent, definition)
            asked[row.guid] = known
        elif definition is not None and definition != known.definition:
            known.type, known.definition = row.type, definition
            asked[row.guid] = known
        elif row.type == "view" and known.type != "view" and known.definition is None:
            known.type = row.type
            asked[row.guid] = known


def _with_parents(wish: WantedObject, wanted: dict[str, WantedObject]) -> None:
    if wish.guid not in wanted:
        if wish.parent is not None:
            _with_parents(wish.parent, wanted)
        wanted[wish.guid] = wish


class _Columns:
    """The numbers of columns, and of which object each is."""

    def __init__(self, connection: Connection, counts: Counts) -> None:
        self._connection = connection
        self._counts = counts
        self._numbers: dict[tuple[str, str], int] = {}
        """By the guid of the object and the folded name."""
        self._by_parent: dict[str, dict[str, str]] = {}
        self.owner: dict[int, int] = {}

    def save(self, models: Sequence[StoreRows], objects: Sequence[Sequence[StoredObject]]) -> list[list[int]]:
        self._ask({stored.guid for each in objects for stored in each} - self._by_parent.keys())
        created: list[tuple[str, str, str]] = []
        result: list[list[int]] = []
        for model, each in zip(models, objects, strict=True):
            numbers: list[int] = []
            for row in model.columns:
                stored = each[row.object]
                number = self._numbers.get((stored.guid, row.key))
                if number is None:
                    own_name = model.objects[row.object].name == stored.name
                    name = row.name if own_name else _column_name(stored, row.bare)
                    number = self._number(stored, row.key, name, created)
                numbers.append(number)
            result.append(numbers)
        created.sort()
        insert_rows(self._connection, COLUMNS, ("guid", "parent_id", "qualified_name"), created)
        self._counts.created += len(created)
        self._counts.unchanged = len(set(self._numbers.values())) - self._counts.created
        return result

    def _ask(self, parents: set[str]) -> None:
        for parent in parents:
            self._by_parent[parent] = {}
        query = select(COLUMNS.c.guid, COLUMNS.c.parent_id, COLUMNS.c.qualified_name)
        for guid, parent, name in select_among(self._connection, query, COLUMNS.c.parent_id, parents):
            if guid.isdecimal():
                self._by_parent[parent][name] = guid
                self.owner[int(guid)] = int(parent)

    def _number(self, stored: StoredObject, key: str, name: str, created: list[tuple[str, str, str]]) -> int:
        number = number_of("column", stored.guid, key)
        if number not in self.owner:
            siblings = self._by_parent[stored.guid]
            guid = siblings.get(name)
            if guid is None:
                siblings[name] = guid = str(number)
                created.append((guid, stored.guid, name))
                self.owner[number] = stored.number
            number = int(guid)
        self._numbers[stored.guid, key] = number
        return number


def _column_name(stored: StoredObject, bare: str) -> str:
    """The name under an object that the store spells otherwise than this model does."""
    parts, cluster = parse_name(stored.name)
    return storable(join_name([*parts, bare], cluster))


class _Processes:
    """The statements of a load."""

    def __init__(self, connection: Connection, counts: Counts) -> None:
        self._connection = connection
        self._counts = counts
        self.met: dict[int, tuple[Any, ...]] = {}
        """Number, and what of the row may change."""
        self.old: set[int] = set()
        """Those that the store has from before this load."""
        self.fresh: set[int] = set()
        """Those that came with the latest piece and were not there before."""

    def save(self, models: Sequence[Sequence[StoreProcessRow]]) -> list[list[int]]:
        rows: dict[int, tuple[Any, ...]] = {}
        result: list[list[int]] = []
        for model in models:
            numbers = []
            for row in model:
                number = number_of("process", row.name)
                numbers.append(number)
                values = (
                    number,
                    row.type,
                    row.approximate,
                    row.name,
                    row.identity,
                    row.text_hash,
                    row.procedure,
                    row.text,
                )
                rows.setdefault(number, values)
            result.append(numbers)
        new = {number: row for number, row in rows.items() if number not in self.met}
        query = select(PROCESSES.c.id, PROCESSES.c.type, PROCESSES.c.approximate)
        known = {row.id: tuple(row) for row in select_among(self._connection, query, PROCESSES.c.id, new)}
        self.old.update(known)
        self.fresh = new.keys() - known.keys()
        insert_rows(self._connection, PROCESSES, PROCESS_NAMES, [new[number] for number in sorted(self.fresh)])
        updated = [
            dict(zip(PROCESS_NAMES[:3], row[:3], strict=True))
            for number, row in new.items()
            if number in known and known[number] != row[:3]
        ]
        update_rows(self._connection, PROCESSES, ("id",), updated)
        self.met.update({number: row[:3] for number, row in new.items()})
        self._counts.created += len(self.fresh)
        self._counts.updated += len(updated)
        self._counts.unchanged += len(new) - len(self.fresh) - len(updated)
        return result


class _Edges:
    """The edges of one level."""

    def __init__(self, connection: Connection, table: Table, counts: Counts) -> None:
        self._connection = connection
        self._table = table
        self._counts = counts
        self._keys = [column.name for column in table.primary_key]
        self._others = [column.name for column in table.c if not column.primary_key]
        self._process_at = self._keys.index("process_id")
        self._said: set[Key] = set()
        """Edges of old statements that this load has."""

    def save(self, rows: EdgeRows, fresh: set[int], old: set[int], *, data_wins: bool = False) -> None:
        """Write some edges. What an earlier piece of this load has said of one of them is weighed against this one."""
        at = self._process_at
        known = self._known({key[at] for key in rows} - fresh)
        created = sorted([key for key in rows if key not in known])
        updated: list[Key] = []
        for key, values in rows.items():
            before = known.get(key)
            if before is None or before == values:
                continue
            if key[at] in old and key not in self._said:
                updated.append(key)  # from an earlier load: the later one is right
            elif values == ("fdd",) if data_wins else _order(values) < _order(before):
                updated.append(key)
        self._said.update(key for key in rows if key[at] in old)
        names = [*self._keys, *self._others]
        insert_rows(self._connection, self._table, names, [(*key, *rows[key]) for key in created])
        changes = [dict(zip(names, (*key, *rows[key]), strict=True)) for key in updated]
        update_rows(self._connection, self._table, self._keys, changes)
        self._counts.created += len(created)
        self._counts.updated += len(updated)
        self._counts.unchanged += len(rows) - len(created) - len(updated)

    def _known(self, processes: Iterable[int]) -> EdgeRows:
        width = len(self._keys)
        query = select(*[self._table.c[name] for name in (*self._keys, *self._others)])
        return {
            tuple(row[:width]): tuple(row[width:])
            for row in select_among(self._connection, query, self._table.c.process_id, set(processes))
        }

    def remove(self, old: set[int], stale: Any) -> None:
        """Edges of old statements that this load should have had, and has not."""
        removed = [key for key in self._known(old) if key not in self._said and stale(key)]
        delete_rows(self._connection, self._table, self._keys, removed)
        self._counts.removed += len(removed)
