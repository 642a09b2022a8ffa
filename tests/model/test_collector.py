"""The collector rests while something is built, and runs again afterwards, whatever happens."""

from __future__ import annotations

import gc
from collections.abc import Iterator

import pytest

from connector import analyze
from connector.model.collector import pause, relieve, resume


@pytest.fixture(autouse=True)
def collector() -> Iterator[None]:
    gc.enable()
    yield
    gc.enable()


def test_a_pause_ends() -> None:
    paused = pause()
    assert paused
    assert not gc.isenabled()
    resume(paused)
    assert gc.isenabled()


def test_only_the_outer_pause_ends_it() -> None:
    outer = pause()
    inner = pause()
    resume(inner)
    assert not gc.isenabled()
    resume(outer)
    assert gc.isenabled()


def test_a_collector_that_the_caller_stopped_stays_stopped() -> None:
    gc.disable()
    lineage = analyze("insert into o select a from t; select from from")
    for level in ("complete", "column", "table"):
        lineage.to_dict(level)
    assert not gc.isenabled()


def test_the_collector_runs_again_behind_an_analysis() -> None:
    lineage = analyze("insert into o select a from t; select from from")
    assert gc.isenabled()
    lineage.to_dict("column")
    assert gc.isenabled()
    with pytest.raises(Exception, match="unknown level"):
        lineage.to_dict("cell")
    assert gc.isenabled()


def test_garbage_does_not_pile_up_in_a_long_pause() -> None:
    paused = pause()
    for _ in range(60_000):
        circle: list[object] = []
        circle.append([circle])
    assert gc.get_count()[0] > 100_000
    relieve(paused)
    assert gc.get_count()[0] < 100_000
    resume(paused)


@pytest.mark.parametrize("dialect", ["ansi", "clickhouse", "hive", "postgresql", "sparksql"])
def test_readers_are_gone_with_their_analysis(dialect: str) -> None:
    """They know each other in circles, which are ended so that no collection is needed for them."""
    gc.collect()
    gc.disable()
    analyze(
        "insert into o select a, count(*), f(b) from t join s on t.k = s.k group by a; create view v as select 1",
        dialect,
    )
    readers = [found for found in gc.get_objects() if type(found).__module__ == "connector.analysis.query"]
    assert readers == []
