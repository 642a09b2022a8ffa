"""Tables on S3: the same rows as in a folder, one driver at a time, and errors that say what to do."""

from __future__ import annotations

import json
import logging
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import nullcontext
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pyarrow as pa
import pytest
from object_store import BUCKET, s3_server
from pipeline_samples import good_rows, make_job, rows_as_text, session_rows, store_content, write_log

from connector.errors import UnavailableError
from connector.pipeline import driver_lock
from connector.pipeline.commits import Commit
from connector.pipeline.files import SCHEMAS, WrittenFile, write_batches
from connector.pipeline.run import run_job
from connector.pipeline.storage import Storage
from connector.pipeline.tables import LineageTables

if TYPE_CHECKING:
    from pyspark.sql import SparkSession


TEXT = {"query_identity": "text"}
"""So that the same shapes with other literals are something new to analyse."""


@pytest.fixture(scope="module")
def options() -> Iterator[dict[str, str]]:
    with s3_server() as found:
        yield found


@pytest.fixture
def storage(options: dict[str, str], request: pytest.FixtureRequest) -> Storage:
    return Storage(f"s3://{BUCKET}/{request.node.name}", options)


def write(tables: LineageTables, commit: Commit) -> list[WrittenFile]:
    batch = pa.RecordBatch.from_arrays([pa.array([b"a", b"b"], pa.binary())], names=["fingerprint"])
    return write_batches([("rows", batch)], tables.storage, commit.sequence, 0)


def test_a_job_with_tables_on_s3_is_the_same_as_in_a_folder(
    spark: SparkSession, storage: Storage, tmp_path: Path
) -> None:
    stores: list[Any] = []
    contents: list[Any] = []
    for place in ("folder", "s3"):
        folder = tmp_path / place
        write_log(folder / "log" / "day1.jsonl", [*good_rows(60, 20), *session_rows()])
        job = make_job(folder, options=TEXT)
        if place == "s3":
            where = {**job.store.model_dump(), "tables": storage.address, "options": storage.given}
            job = make_job(folder, options=TEXT, store=where)
        first = run_job(job, spark=spark)
        assert first.analysed > 20
        assert run_job(job, spark=_not_needed).analysed == 0
        write_log(folder / "log" / "day2.jsonl", good_rows(80, 20))
        second = run_job(job, spark=spark)
        assert (second.rows, second.analysed) == (20, 20)
        stores.append(store_content(folder))
        tables = LineageTables.of(job)
        contents.append({table: rows_as_text(tables, table) for table in SCHEMAS})
    assert stores[1] == stores[0]
    assert contents[1] == contents[0]
    assert not list(tmp_path.rglob("s3:*"))


def _not_needed() -> SparkSession:
    raise AssertionError("Spark was started for nothing")


def test_what_was_cut_off_is_taken_back(storage: Storage) -> None:
    tables = LineageTables(storage)
    with tables.only_run():
        kept = tables.begin("a")
        tables.commit(kept, write(tables, kept))
        lost = tables.begin("b")
        tables._commit("rows", write(tables, lost), lost.sequence)
        orphan = write(tables, lost)[0].name
    later = LineageTables(storage)
    with later.only_run():
        assert later.commits() == [kept]
        assert [file.rows for file in later.files("rows")] == [2]
        assert orphan not in storage.list_files("rows")


def test_a_run_that_is_alive_is_not_disturbed(storage: Storage, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(driver_lock, "BEAT_SECONDS", 0.5)
    read, contents = driver_lock._content, list[bytes]()

    def once(storage: Storage, path: str) -> bytes | None:
        """On a busy machine, a run has often moved on before its file is read."""
        found = None if contents else read(storage, path)
        contents.extend(filter(None, [found]))
        return found

    monkeypatch.setattr(driver_lock, "_content", once)
    refused = pytest.raises(UnavailableError, match=r"Another run is using .* \(process \d+ on ")
    with LineageTables(storage).only_run(), refused, LineageTables(storage).only_run():
        pass
    with LineageTables(storage).only_run():
        pass


def test_a_run_that_no_longer_shows_itself_is_taken_over_and_cannot_commit(
    storage: Storage, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """As on another machine that hangs: its file stays as it is, and its process comes back later."""
    monkeypatch.setattr(driver_lock, "BEAT_SECONDS", 10_000.0)
    monkeypatch.setattr(driver_lock, "SILENT_SECONDS", 0.5)
    slow, fast = LineageTables(storage), LineageTables(storage)
    with slow.only_run():
        late = slow.begin("slow", final=True)
        files = write(slow, late)
        with caplog.at_level(logging.WARNING), fast.only_run():
            assert "no longer responds" in caplog.text
            with pytest.raises(UnavailableError, match="Another run has taken over"):
                slow.commit(late, files)
            mine = fast.begin("fast", final=True)
            fast.commit(mine, write(fast, mine))
    assert [commit.run for commit in LineageTables(storage).commits()] == ["fast"]


def test_a_run_of_this_machine_that_was_killed_is_not_waited_for(storage: Storage) -> None:
    gone = {**driver_lock._this_driver(), "pid": 2**22 + 1}
    storage.write(f"_drivers/{gone['id']}-1-holds.json", json.dumps(gone).encode())
    with LineageTables(storage).only_run():
        assert len(storage.list_files("_drivers")) == 1
    assert storage.list_files("_drivers") == {}


@pytest.mark.parametrize("rival", ["0" * 32 + "-1-wants.json", "f" * 32 + "-2-holds.json"])
def test_of_two_drivers_that_begin_at_the_same_moment_one_steps_back(
    storage: Storage, monkeypatch: pytest.MonkeyPatch, rival: str
) -> None:
    """Both have found the tables free. The other one comes first by its id, or has taken them in the meantime."""
    content = json.dumps({**driver_lock._this_driver(), "id": rival[:32]}).encode()
    monkeypatch.setattr(driver_lock, "_wait_until_free", lambda *_: storage.write(f"_drivers/{rival}", content))
    with pytest.raises(UnavailableError, match="Another run is using"), LineageTables(storage).only_run():
        pass
    assert list(storage.list_files("_drivers")) == [rival]


@pytest.mark.parametrize("takes", [True, False])
def test_a_driver_that_may_have_looked_too_early_is_waited_for(
    storage: Storage, monkeypatch: pytest.MonkeyPatch, takes: bool
) -> None:
    """One with a higher id has not seen this one's file and takes the tables, or has seen it and steps back."""
    rival = driver_lock._this_driver() | {"id": "f" * 32}
    content = json.dumps(rival).encode()

    def decide() -> None:
        if takes:
            storage.write(f"_drivers/{rival['id']}-2-holds.json", content)
        storage.delete(f"_drivers/{rival['id']}-1-wants.json")

    monkeypatch.setattr(
        driver_lock, "_wait_until_free", lambda *_: storage.write(f"_drivers/{rival['id']}-1-wants.json", content)
    )
    monkeypatch.setattr(driver_lock, "_pause", decide)
    refused = pytest.raises(UnavailableError, match="Another run is using") if takes else nullcontext()
    with refused, LineageTables(storage).only_run():
        assert not takes


def test_of_many_drivers_at_once_one_at_a_time_holds_the_tables(
    storage: Storage, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(driver_lock, "BEAT_SECONDS", 0.05)
    monkeypatch.setattr(driver_lock, "SILENT_SECONDS", 600.0)
    holding: list[int] = []
    most = 0

    def drive(number: int) -> None:
        nonlocal most
        with driver_lock.only_driver(storage, wait=600.0):
            holding.append(number)
            most = max(most, len(holding))
            time.sleep(0.02)
            holding.remove(number)

    with ThreadPoolExecutor(6) as pool:
        list(pool.map(drive, range(12)))
    assert most == 1


def test_a_driver_always_shows_a_file(storage: Storage, monkeypatch: pytest.MonkeyPatch) -> None:
    """Also while it moves on to the next one: another run that looks at that moment must not find the tables free."""
    monkeypatch.setattr(driver_lock, "BEAT_SECONDS", 0.001)
    with LineageTables(storage).only_run():
        looks = [driver_lock._drivers(storage) for _ in range(50)]
    assert all(looks)
    assert len({path for look in looks for path in look.values()}) > 1, "it has moved on"
    assert len({driver for look in looks for driver in look}) == 1


def test_of_two_drivers_that_begin_at_the_same_moment_one_commits(
    storage: Storage, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Neither sees the other's file; the tables decide."""
    monkeypatch.setattr(driver_lock, "_drivers", lambda _: {})
    with LineageTables(storage).only_run():
        pass
    both = threading.Barrier(2)
    outcomes: list[str] = []

    def drive(run: str) -> None:
        tables = LineageTables(storage)
        both.wait()
        try:
            with tables.only_run():
                both.wait()
                commit = tables.begin(run, final=True)
                tables.commit(commit, write(tables, commit))
        except UnavailableError as error:
            both.abort()
            outcomes.append(str(error))
        except threading.BrokenBarrierError:
            commit = tables.begin(run, final=True)
            tables.commit(commit, write(tables, commit))

    drivers = [threading.Thread(target=drive, args=(run,)) for run in ("a", "b")]
    for driver in drivers:
        driver.start()
    for driver in drivers:
        driver.join()
    assert len(outcomes) == 1
    assert "Another run has taken over" in outcomes[0]
    assert len(LineageTables(storage).commits()) == 1


def test_a_server_that_does_not_answer_is_told_without_secrets() -> None:
    options = {
        "AWS_ENDPOINT_URL": "http://127.0.0.1:1",
        "AWS_ALLOW_HTTP": "true",
        "AWS_ACCESS_KEY_ID": "tester",
        "AWS_SECRET_ACCESS_KEY": "hunter2",
        "max_retries": "0",
    }
    with pytest.raises(UnavailableError, match=r"s3://nobody/x cannot be read or written: .*refused") as refused:
        LineageTables(Storage("s3://nobody/x", options)).check()
    assert "hunter2" not in str(refused.value)
