"""From the tables to the store and to catalogs: once, whatever is cut off on the way."""

from __future__ import annotations

import json
import random
import sqlite3
from collections.abc import Iterator
from datetime import datetime, timezone
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest
from pipeline_samples import STORE_TABLES, good_statement, make_job, store_content

from connector import analyze
from connector.common.progress import NoProgress
from connector.errors import ConfigurationError
from connector.guard import Limits
from connector.options import Options
from connector.pipeline.arrow import pack_results
from connector.pipeline.commits import Commit
from connector.pipeline.context import AnalysisContext
from connector.pipeline.delivery import deliver_to_catalogs, deliver_to_store
from connector.pipeline.files import SCHEMAS, WrittenFile, write_batches, write_results
from connector.pipeline.plain import analyse_plain, collect_units
from connector.pipeline.storage import Storage
from connector.pipeline.stored import levels_in, results_in
from connector.pipeline.tables import LineageTables
from connector.settings.models import Job
from connector.sources.record import SourceStatement
from connector.store import Store
from connector.store.level_rows import level_rows
from connector.store.processes import LogHistory

LIMITS = Limits(20, 300)
CONTEXT = AnalysisContext(Options(), LIMITS)
NOW = datetime(2024, 5, 1, tzinfo=timezone.utc)
TEXTS = [
    "create view mart.v as select a, b from raw.t",
    "insert into mart.o (x, y) select a, b from mart.v where b > 1",
    'insert into mart."o" (x) select a from raw.u',
    "create table MART.O (x int, y int, z int)",
    "insert into mart.star select * from raw.t join raw.u on t.k = u.k",
    "alter table raw.t add constraint fk foreign key (k) references raw.u (k)",
    "update mart.o set x = (select max(a) from raw.u)",
    *(good_statement(number) for number in range(20)),
]


def commit_texts(tables: LineageTables, texts: list[str], *, final: bool = True, files: int = 2) -> Commit:
    """What a run would leave behind."""
    rows = [SourceStatement(text, "snowflake", "query", "log", source="log") for text in texts]
    collected = collect_units(rows, CONTEXT, guarded=False)
    results = list(analyse_plain(collected.units, CONTEXT, guarded=False))
    commit = tables.begin("r", final=final)
    commit.started = commit.finished = NOW.isoformat()
    written: list[WrittenFile] = []
    for number in range(files):
        attempt = write_results([pack_results(results[number::files])], tables.storage, commit.sequence, number, LIMITS)
        assert attempt is not None
        written += attempt.files
    names = [name for name in SCHEMAS["statements"].names if name != "sequence"]
    columns = {name: [getattr(row, name) for row in collected.history] for name in names}
    columns["first_seen"] = columns["last_seen"] = [NOW] * len(collected.history)
    schema = SCHEMAS["statements"].remove(0)
    history = [("statements", batch) for batch in pa.table(columns, schema=schema).to_batches()]
    written += write_batches(history, tables.storage, commit.sequence, 0)
    tables.commit(commit, written)
    return commit


@pytest.fixture
def job(tmp_path: Path) -> Job:
    (tmp_path / "sql").mkdir()
    events = {
        "type": "openlineage",
        "file": str(tmp_path / "events.jsonl"),
        "state": str(tmp_path / "state.db"),
        "runs": False,
    }
    return make_job(tmp_path, catalogs=[events])


@pytest.fixture
def tables(job: Job) -> Iterator[LineageTables]:
    held = LineageTables.of(job)
    with held.only_run():
        yield held


def test_rows_load_as_their_models_do(tmp_path: Path) -> None:
    """The one load works model by model, the other with rows and many models at once."""
    models = [analyze(text, "snowflake").model for text in TEXTS]
    contents = []
    for name in ("models", "rows", "piecemeal"):
        folder = tmp_path / name
        folder.mkdir()
        with Store.open(folder / "lineage.db") as store:
            if name == "models":
                store.load(models)
            else:
                step = len(models) if name == "rows" else 3
                for at in range(0, len(models), step):
                    rows = [level_rows(model) for model in models[at : at + step]]
                    store.load_rows(rows, source="", run="x", started=NOW)
        contents.append(store_content(folder))
    assert contents[1] == contents[0]
    assert contents[2] == contents[0]


def test_a_later_load_replaces_what_a_statement_said_and_the_pieces_of_one_load_do_not(tmp_path: Path) -> None:
    star = "insert into mart.star select * from raw.t"
    vague, exact = analyze(star, "snowflake"), analyze(star, "snowflake", metadata={"raw.t": ["a", "b"]})
    with Store.open(tmp_path / "lineage.db") as store:
        store.load_rows([level_rows(vague.model)], source="", run="1", started=NOW)
        summary = store.load_rows([level_rows(exact.model)], source="", run="2", started=NOW)
        assert summary is not None
        assert summary.column_edges.removed == 1
        assert {edge.target for edge in store.edges() if edge.type == "fdd"} == {
            "default.mart.star.a@default",
            "default.mart.star.b@default",
        }
        both = store.load_rows([level_rows(vague.model), level_rows(exact.model)], source="", run="3", started=NOW)
        assert both is not None
        assert both.column_edges.removed == 0
        assert len([edge for edge in store.edges() if edge.type == "fdd"]) == 3


def test_history_adds_up(tmp_path: Path) -> None:
    first, last = datetime(2024, 1, 1, tzinfo=timezone.utc), datetime(2024, 2, 1, tzinfo=timezone.utc)
    lineage = analyze("insert into o select a from t", "snowflake")
    identity = lineage.model.processes[0].identity
    with Store.open(tmp_path / "lineage.db") as store:
        store.load_rows(
            [level_rows(lineage.model)],
            source="",
            run="1",
            started=NOW,
            history=[
                LogHistory(identity, "log", last, last, 2, ("bob",)),
                LogHistory(identity, "other", None, None, 1),
            ],
        )
        store.load_rows(
            [], source="", run="2", started=NOW, history=[LogHistory(identity, "log", first, first, 3, ("ann",))]
        )
        [process] = store.processes()
    assert (process.first_seen, process.last_seen, process.run_count) == (first, last, 6)
    assert process.users == ("ann", "bob")


def test_results_come_back_in_order_and_the_latest_counts(tables: LineageTables) -> None:
    shuffled = list(TEXTS)
    random.Random(2).shuffle(shuffled)
    commit_texts(tables, shuffled[:15], final=False, files=3)
    commit_texts(tables, shuffled[10:], files=2)
    keys = [result.key for result in results_in(tables, tables.commits())]
    assert keys == sorted(set(keys))
    assert len(keys) == len(list(levels_in(tables, tables.commits()))) == len(TEXTS)


def test_the_store_gets_each_finished_run_once(job: Job, tables: LineageTables, tmp_path: Path) -> None:
    commit_texts(tables, TEXTS[:5], final=False)
    assert deliver_to_store(job, tables) == []
    commit_texts(tables, TEXTS[5:])
    assert len(deliver_to_store(job, tables)) == 1
    before = store_content(tmp_path, (*STORE_TABLES, "lineage_runs"))
    assert deliver_to_store(job, tables) == []
    assert store_content(tmp_path, (*STORE_TABLES, "lineage_runs")) == before
    with Store.open(tmp_path / "lineage.db") as store:
        assert {process.run_count for process in store.processes()} == {1}


def test_a_lost_store_is_filled_again(job: Job, tables: LineageTables, tmp_path: Path) -> None:
    for part in (TEXTS[:9], TEXTS[9:]):
        commit_texts(tables, part)
        deliver_to_store(job, tables)
    before = store_content(tmp_path)
    (tmp_path / "lineage.db").unlink()
    assert len(deliver_to_store(job, tables)) == 2
    assert store_content(tmp_path) == before


def test_a_store_that_lacks_what_it_was_given_is_an_error(job: Job, tables: LineageTables, tmp_path: Path) -> None:
    commit_texts(tables, TEXTS[:9])
    deliver_to_store(job, tables)
    with sqlite3.connect(tmp_path / "lineage.db") as connection:
        connection.execute("delete from lineage_processes")
    connection.close()
    with pytest.raises(ConfigurationError, match=r"has 0 statements, and had \d+ after the last run.*Move it away"):
        deliver_to_store(job, tables)
    (tmp_path / "lineage.db").unlink()
    assert len(deliver_to_store(job, tables)) == 1


def test_tables_that_lack_what_the_store_has_are_an_error(job: Job, tmp_path: Path) -> None:
    """The last entry of the log is gone, which by itself looks like a run that was cut off."""
    tables = LineageTables.of(job)
    with tables.only_run():
        for part in (TEXTS[:9], TEXTS[9:]):
            commit_texts(tables, part)
            deliver_to_store(job, tables)
    log = sorted((tmp_path / "tables" / "runs" / "_delta_log").glob("*.json"))
    log[-1].unlink()
    later = LineageTables.of(job)
    with later.only_run(), pytest.raises(ConfigurationError, match=r"runs that the tables at .* lack.*Restore"):
        deliver_to_store(job, later)


def test_combined_files_are_read_in_order(job: Job, tmp_path: Path) -> None:
    tables = LineageTables(Storage(str(tmp_path / "tables")), compact_files=2)
    with tables.only_run():
        commits = [commit_texts(tables, TEXTS[at : at + 9], files=3) for at in range(0, len(TEXTS), 6)]
        before = [[result.key for result in results_in(tables, chosen)] for chosen in (commits, commits[1:3])]
        tables.tidy()
        assert len(tables.files("units")) == 1
        assert [[result.key for result in results_in(tables, chosen)] for chosen in (commits, commits[1:3])] == before
        assert before[0] == sorted(set(before[0]))
        assert len(before[0]) == len(TEXTS)


def test_catalogs_are_told_once_and_again_after_a_failure(job: Job, tables: LineageTables, tmp_path: Path) -> None:
    commit_texts(tables, TEXTS[:5])
    [outcome] = deliver_to_catalogs(job, tables, NoProgress())
    assert outcome.error is None
    assert outcome.statements == 5
    events = _events(tmp_path)
    assert events
    [outcome] = deliver_to_catalogs(job, tables, NoProgress())
    assert (outcome.summary, outcome.statements) == (None, 0)
    assert _events(tmp_path) == events

    commit_texts(tables, TEXTS[5:9])
    state = tmp_path / "state.db"
    kept = state.read_bytes()
    state.write_bytes(b"no database at all, but long enough to look like one")
    [outcome] = deliver_to_catalogs(job, tables, NoProgress())
    assert outcome.error
    state.write_bytes(kept)
    [outcome] = deliver_to_catalogs(job, tables, NoProgress())
    assert outcome.error is None
    assert len(_events(tmp_path)) > len(events)


def test_a_delivery_derives_no_level(job: Job, tables: LineageTables, monkeypatch: pytest.MonkeyPatch) -> None:
    commit_texts(tables, TEXTS)

    def again(*_: Any, **__: Any) -> Any:
        raise AssertionError("a level is derived again")

    for name in ("column.sort_by_target", "walk.edges_between", "table._add_flows", "table._statements"):
        monkeypatch.setattr(f"connector.model.levels.{name}", again)
    [summary] = deliver_to_store(job, tables)
    assert summary.column_edges.created
    [outcome] = deliver_to_catalogs(job, tables, NoProgress())
    assert outcome.error is None
    assert outcome.statements > len(TEXTS) / 2


def _events(folder: Path) -> list[Any]:
    return [json.loads(line) for line in (folder / "events.jsonl").read_text(encoding="utf-8").splitlines()]
