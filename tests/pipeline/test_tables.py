"""What counts in the tables and what does not, who may commit, and what is said when something is missing."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pyarrow as pa
import pytest
from deltalake import DeltaTable

from connector.errors import ConfigurationError, UnavailableError
from connector.pipeline import driver_lock
from connector.pipeline.commits import Commit, final_groups, open_commits, sources_read
from connector.pipeline.files import SCHEMAS, WrittenFile, write_batches
from connector.pipeline.storage import Storage
from connector.pipeline.tables import LineageTables


@pytest.fixture
def tables(tmp_path: Path) -> Iterator[LineageTables]:
    held = LineageTables(Storage(str(tmp_path)))
    with held.only_run():
        yield held


def write(tables: LineageTables, commit: Commit, count: int = 3, table: str = "rows") -> list[WrittenFile]:
    """Some rows of a commit, in a file that nobody has committed yet."""
    marks = [f"{commit.name}-{at}".encode() for at in range(count)]
    batch = pa.RecordBatch.from_arrays([pa.array(marks, pa.binary())], names=["fingerprint"])
    return write_batches([(table, batch)], tables.storage, commit.sequence, 0)


def add(tables: LineageTables, run: str, *, final: bool = False) -> Commit:
    commit = tables.begin(run, final=final)
    tables.commit(commit, write(tables, commit))
    return commit


def again(tables: LineageTables) -> LineageTables:
    """The same tables as another process sees them."""
    return LineageTables(tables.storage)


def rows_seen(tables: LineageTables) -> int:
    return DeltaTable(tables.storage.table("rows"), storage_options=tables.storage.options).count()


def test_every_table_is_there_from_the_beginning(tables: LineageTables) -> None:
    for table in (*SCHEMAS, "runs", "deliveries"):
        assert DeltaTable(tables.storage.table(table)).count() == 0
    assert tables.commits() == []


def test_what_is_committed_counts_and_is_described(tables: LineageTables) -> None:
    one, two = add(tables, "a"), tables.begin("b", final=True, context="c")
    two.sources, two.units, two.shared = {"log": {"until": "x"}}, {"scripts": ["k"]}, ["k"]
    tables.commit(two, write(tables, two, 2))
    seen = again(tables)
    assert seen.commits() == [one, two]
    assert [commit.rows for commit in seen.commits()] == [{"rows": 3}, {"rows": 2}]
    assert [(file.rows, file.first, file.last) for file in seen.files("rows", [two])] == [
        (2, two.sequence, two.sequence)
    ]
    assert len(seen.files("rows")) == 2
    assert DeltaTable(tables.storage.table("rows")).transaction_version("lineage-connector") == two.sequence


@pytest.mark.parametrize("committed", [False, True])
def test_what_never_became_complete_is_taken_back(tmp_path: Path, *, committed: bool) -> None:
    """A run that is cut off before, or between, its commits."""
    tables = LineageTables(Storage(str(tmp_path)))
    with tables.only_run():
        kept = add(tables, "a")
        lost = tables.begin("b")
        files = write(tables, lost)
        if committed:
            tables._commit("rows", files, lost.sequence)
    left = tmp_path / "rows" / files[0].name
    assert left.exists()
    assert rows_seen(tables) == (6 if committed else 3)
    later = again(tables)
    with later.only_run():
        assert later.commits() == [kept]
        assert not left.exists()
        assert rows_seen(tables) == 3
        more = add(later, "c")
        assert more.sequence > lost.sequence
    assert rows_seen(tables) == 6


def test_a_driver_that_was_taken_over_cannot_commit(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Two drivers that for some reason both hold the tables: the one that came first is refused, whatever it does."""
    slow, fast = (LineageTables(Storage(str(tmp_path))) for _ in range(2))
    with slow.only_run():
        add(slow, "slow")
        late = slow.begin("slow", final=True)
        files = write(slow, late)
        monkeypatch.setattr(driver_lock, "try_lock", lambda _: True)
        with fast.only_run():
            with pytest.raises(UnavailableError, match="Another run has taken over"):
                slow.commit(late, files)
            add(fast, "fast")
            with pytest.raises(UnavailableError, match="start it again when the other one has finished"):
                slow.commit(late, [])
    assert [commit.run for commit in again(slow).commits()] == ["slow", "fast"]


def test_a_commit_whose_answer_was_lost_is_not_made_twice(
    tables: LineageTables, monkeypatch: pytest.MonkeyPatch
) -> None:
    commit = tables.begin("a")
    files = write(tables, commit)
    whole = DeltaTable.create_write_transaction

    def cut_off(self: DeltaTable, *given: object, **named: object) -> None:
        whole(self, *given, **named)  # type: ignore[arg-type]
        raise OSError("the connection was reset")

    monkeypatch.setattr(DeltaTable, "create_write_transaction", cut_off)
    tables.commit(commit, files)
    assert again(tables).commits() == [commit]
    assert rows_seen(tables) == 3


def test_what_a_run_has_analysed_is_delivered_with_its_last_commit() -> None:
    pieces = (("a", False), ("a", True), ("b", False), ("c", False), ("c", True), ("d", False))
    groups = final_groups([Commit(at, run, final=final) for at, (run, final) in enumerate(pieces)])
    assert [[commit.run for commit in group] for group in groups] == [["a", "a"], ["b", "c", "c"]]


def test_what_waits_for_its_last_commit() -> None:
    commits = [Commit(1, "a"), Commit(2, "a", final=True), Commit(3, "b"), Commit(4, "b")]
    assert [commit.sequence for commit in open_commits(commits)] == [3, 4]
    assert open_commits(commits[:2]) == []


def test_the_latest_word_about_a_source_counts() -> None:
    commits = [Commit(1, "a", sources={"x": 1, "y": 1}), Commit(2, "b", sources={"x": 2})]
    assert sources_read(commits) == {"x": 2, "y": 1}


def test_deliveries_are_remembered_for_each_receiver(tables: LineageTables) -> None:
    one, two = add(tables, "a"), add(tables, "b")
    tables.mark_delivered("atlas http://x", [one])
    tables.mark_delivered("atlas http://x", [two], {"statements": 7})
    seen = again(tables)
    assert seen.delivered("atlas http://x") == {one.name, two.name}
    assert seen.held("atlas http://x") == {"statements": 7}
    assert (seen.delivered("atlas http://y"), seen.held("atlas http://y")) == (set(), {})


def test_a_second_run_is_refused_and_told_whose_turn_it_is(tmp_path: Path) -> None:
    storage = Storage(str(tmp_path))
    with LineageTables(storage).only_run():
        program = (
            "import sys; from connector.pipeline.storage import Storage; from connector.pipeline.tables import LineageTables\n"
            "with LineageTables(Storage(sys.argv[1])).only_run(): pass\n"
        )
        done = subprocess.run(
            [sys.executable, "-c", program, str(tmp_path)], capture_output=True, text=True, timeout=60, check=False
        )
        assert done.returncode == 1
        assert "Another run is using" in done.stderr
        with pytest.raises(UnavailableError, match="Try again"), LineageTables(storage).only_run():
            pass
    with LineageTables(storage).only_run():
        pass


# --- upkeep -----------------------------------------------------------------------------------------------------------


def test_small_files_are_combined_and_what_they_said_stays(tmp_path: Path) -> None:
    tables = LineageTables(Storage(str(tmp_path)), compact_files=4, keep_days=1)
    with tables.only_run():
        commits = [add(tables, f"r{at}") for at in range(4)]
        tables.tidy()
        assert len(tables.files("rows")) == 4
        commits.append(add(tables, "r4"))
        tables.tidy()
        assert len(tables.files("rows")) == len(tables.files("runs")) == 1
        commits.append(add(tables, "r5"))
        assert tables.commits() == commits
        assert len(tables.files("rows", commits[4:])) == 2
    later = LineageTables(Storage(str(tmp_path)), keep_days=1)
    with later.only_run():
        assert later.commits() == commits
    assert len(list((tmp_path / "rows").glob("*.parquet"))) == 7, "replaced files are kept for readers"
    assert DeltaTable(str(tmp_path / "rows")).metadata().configuration == {
        "delta.deletedFileRetentionDuration": "interval 1 days",
        "delta.logRetentionDuration": "interval 1 days",
    }


# --- what is no table of ours ----------------------------------------------------------------------------------------


def test_tables_of_an_older_version_are_refused_with_what_to_do(tmp_path: Path) -> None:
    (tmp_path / "_version").write_text("2", encoding="ascii")
    tables = LineageTables(Storage(str(tmp_path)))
    with pytest.raises(ConfigurationError, match=r"tables of version 2, .*Move them and the store away and run again"):
        tables.check()
    with pytest.raises(ConfigurationError, match="version 2"), tables.only_run():
        pass
    assert not (tmp_path / "runs").exists()


def test_a_table_of_somebody_else_is_refused(tmp_path: Path) -> None:
    DeltaTable.create(str(tmp_path / "runs"), SCHEMAS["rows"], description="mine")
    with (
        pytest.raises(ConfigurationError, match="does not recognise"),
        LineageTables(Storage(str(tmp_path))).only_run(),
    ):
        pass


def test_credentials_are_not_shown(tmp_path: Path) -> None:
    storage = Storage("s3://user:hunter2@bucket/x?token=hunter2", {"AWS_SECRET_ACCESS_KEY": "hunter2"})
    assert "hunter2" not in repr(storage.label)
    assert "hunter2" not in json.dumps(storage.label)
