"""Files that are gone or damaged are an error that says what to do, in a folder and on S3; never a smaller result."""

from __future__ import annotations

import errno
from collections.abc import Iterator
from pathlib import Path

import pyarrow as pa
import pytest
from deltalake import DeltaTable
from object_store import BUCKET, s3_server
from pipeline_samples import make_job

from connector.errors import ConfigurationError, UnavailableError
from connector.pipeline.delivery import deliver_to_store
from connector.pipeline.files import write_batches
from connector.pipeline.storage import Storage
from connector.pipeline.tables import LineageTables
from connector.settings.models import Job
from connector.store import Store


@pytest.fixture(scope="module")
def s3_options() -> Iterator[dict[str, str]]:
    with s3_server() as found:
        yield found


@pytest.fixture(params=["folder", "s3"])
def storage(request: pytest.FixtureRequest, tmp_path: Path) -> Storage:
    if request.param == "folder":
        return Storage(str(tmp_path / "tables"))
    return Storage(f"s3://{BUCKET}/{tmp_path.name}", request.getfixturevalue("s3_options"))


def commit_rows(tables: LineageTables, run: str, *, final: bool = False) -> None:
    commit = tables.begin(run, final=final)
    commit.started = commit.finished = "2024-05-01T00:00:00+00:00"
    marks = [f"{commit.name}-{at}".encode() for at in range(3)]
    batch = pa.RecordBatch.from_arrays([pa.array(marks, pa.binary())], names=["fingerprint"])
    tables.commit(commit, write_batches([("rows", batch)], tables.storage, commit.sequence, 0))


@pytest.fixture
def left(storage: Storage) -> Storage:
    """Tables with three commits, which nobody holds."""
    tables = LineageTables(storage)
    with tables.only_run():
        for run in ("a", "b", "c"):
            commit_rows(tables, run)
    return storage


def refuse(storage: Storage, what: str) -> None:
    way_out = "Restore them from a backup, or move them and the store away and run again"
    with (
        pytest.raises(ConfigurationError, match=rf"{storage.label} are damaged: {what}.*{way_out}"),
        LineageTables(storage).only_run(),
    ):
        pass


def files_of(storage: Storage, table: str) -> list[str]:
    return sorted(f"{table}/{name}" for name in storage.list_files(table) if name.endswith(".parquet"))


def entries_of(storage: Storage, table: str) -> list[str]:
    folder = f"{table}/_delta_log"
    return sorted(f"{folder}/{name}" for name in storage.list_files(folder) if name.endswith(".json"))


@pytest.mark.parametrize("table", ["rows", "runs"])
def test_a_file_that_is_gone(left: Storage, table: str) -> None:
    file = files_of(left, table)[0]
    left.delete(file)
    refuse(left, f"the file {file} is gone")


def test_a_file_that_was_cut(left: Storage) -> None:
    file = files_of(left, "rows")[0]
    content = left.read(file) or b""
    left.write(file, content[:-10])
    refuse(left, rf"the file {file} has {len(content) - 10:,} bytes instead of {len(content):,}")


def test_a_file_with_other_content(left: Storage) -> None:
    file = files_of(left, "runs")[0]
    left.write(file, b"x" * len(left.read(file) or b""))
    refuse(left, f"the file {file} cannot be read")


def test_a_file_with_a_letter_changed(left: Storage) -> None:
    """It has the right size and can be parsed, and says something else than was written."""
    file = files_of(left, "runs")[0]
    content = left.read(file) or b""
    assert content.count(b"2024-05-01") >= 1
    left.write(file, content.replace(b"2024-05-01", b"2023-05-01"))
    refuse(left, f"the file {file} cannot be read")


def test_something_else_where_a_table_belongs(tmp_path: Path) -> None:
    storage = Storage(str(tmp_path))
    (tmp_path / "rows").touch()
    with (
        pytest.raises(ConfigurationError, match=r"cannot be read or written: .*File exists.*Name a folder"),
        LineageTables(storage).only_run(),
    ):
        pass


def test_a_full_disk(left: Storage, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    tables = LineageTables(left)
    with tables.only_run():
        monkeypatch.setattr(Storage, "open_output", full)
        with pytest.raises(UnavailableError, match=r"No space left on device.*a later run resumes here"):
            tables.commit(tables.begin("d"))
        monkeypatch.undo()
    assert [commit.run for commit in LineageTables(left).commits()] == ["a", "b", "c"]


@pytest.mark.parametrize(
    ("table", "entries"),
    [("rows", [0]), ("rows", [2]), ("rows", [-1]), ("runs", [0]), ("runs", [2]), ("runs", [-1, -2])],
)
def test_a_log_entry_that_is_gone(left: Storage, table: str, entries: list[int]) -> None:
    """The very last one of `runs` alone looks as if a run had been cut off; see the store below."""
    log = entries_of(left, table)
    for entry in entries:
        left.delete(log[entry])
    refuse(left, "")


@pytest.mark.parametrize("table", ["rows", "runs"])
def test_a_table_that_is_gone(left: Storage, table: str) -> None:
    for entry in entries_of(left, table):
        left.delete(entry)
    refuse(left, "")


def test_rows_that_somebody_has_deleted(left: Storage) -> None:
    DeltaTable(left.table("rows"), storage_options=left.options).delete("sequence = 2")
    refuse(left, "rows has 6 rows, and the runs have committed 9")


@pytest.fixture
def job(tmp_path: Path) -> Job:
    (tmp_path / "sql").mkdir()
    return make_job(tmp_path)


@pytest.fixture
def delivered(storage: Storage, job: Job) -> Storage:
    """Tables whose two runs are in a store."""
    tables = LineageTables(storage)
    with tables.only_run():
        for run in ("a", "b"):
            commit_rows(tables, run, final=True)
            deliver_to_store(job, tables)
    return storage


def test_a_store_that_has_lost_statements(delivered: Storage, job: Job) -> None:
    """It is filled again from the tables once it is out of the way."""
    tables = LineageTables(delivered)
    with tables.only_run():
        with Store.open(job.store.url) as store:
            tables.mark_delivered(f"store {store.label}", tables.commits(), {"statements": 5})
        lost = r"has 0 statements, and had 5 after the last run.*Move it away.*rebuilt"
        with pytest.raises(ConfigurationError, match=lost):
            deliver_to_store(job, tables)
        Path(job.store.url).unlink()
        assert len(deliver_to_store(job, tables)) == 2


def test_tables_that_lack_the_last_run_of_the_store(delivered: Storage, job: Job) -> None:
    """The last entry of the log is gone, which by itself looks like a run that was cut off."""
    delivered.delete(entries_of(delivered, "runs")[-1])
    tables = LineageTables(delivered)
    with tables.only_run(), pytest.raises(ConfigurationError, match=r"has runs that the tables at .* lack.*Restore"):
        deliver_to_store(job, tables)
