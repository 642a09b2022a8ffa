"""Arrays made of buffers are those that Arrow makes itself, and pandas is not loaded for them."""

from __future__ import annotations

import subprocess
import sys
from datetime import datetime, timedelta, timezone
from typing import Any

import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from connector.common.arrow_columns import column_of, values_of

_TEXT = st.text(st.characters(exclude_categories=["Cs"]), max_size=8)
_TIME = st.datetimes(
    datetime(1902, 1, 1), datetime(2200, 1, 1), timezones=st.sampled_from([timezone.utc, timezone(timedelta(hours=2))])
)
_TYPES: dict[pa.DataType, st.SearchStrategy[Any]] = {
    pa.string(): _TEXT,
    pa.binary(): st.binary(max_size=8),
    pa.int64(): st.integers(-(2**63), 2**63 - 1),
    pa.bool_(): st.booleans(),
    pa.timestamp("us", tz="UTC"): _TIME,
    pa.list_(pa.string()): st.lists(st.none() | _TEXT, max_size=3),
    pa.list_(pa.binary()): st.lists(st.binary(max_size=4), max_size=3),
}


@pytest.mark.parametrize("type_", _TYPES, ids=str)
@settings(deadline=None)  # pyarrow.array loads pandas the first time
@given(data=st.data())
def test_the_same_as_arrows_own(type_: pa.DataType, data: st.DataObject) -> None:
    values = data.draw(st.lists(st.none() | _TYPES[type_], max_size=20))
    made = column_of(values, type_)
    made.validate(full=True)
    assert made.equals(pa.array(values, type_))
    assert values_of(made) == values


def test_half_a_letter_does_not_stop_a_batch() -> None:
    assert column_of(["a\ud800b"], pa.string()).to_pylist() == ["a?b"]


def test_a_type_that_nobody_needed_is_said() -> None:
    with pytest.raises(TypeError, match="no column of double"):
        column_of([1.0], pa.float64())


def test_a_worker_loads_what_it_needs_and_no_more() -> None:
    program = """
import sys, tempfile
from datetime import datetime, timezone
from pathlib import Path
from connector.guard import Limits
from connector.options import Options
from connector.pipeline.spark.deduplication import Deduplicate, worker_guard
from connector.common.arrow_columns import values_of
from connector.sources.record import SourceStatement

now = datetime.now(timezone.utc)
row = SourceStatement("insert into o (x) select a from t", "snowflake", "query", source="log", started_at=now)
(distinct,) = Deduplicate("log", "context", "shape", 20, 300)([row])
distinct = distinct.slice(distinct.column("kind").to_pylist().index("text"), 1)
assert values_of(distinct.column("first_seen"))[0] == now
print(*sorted({"pandas", "sqlalchemy", "sqlglot", "pydantic", "deltalake"} & sys.modules.keys()))

from connector.pipeline.context import AnalysisContext, save_context
from connector.pipeline.files import SCHEMAS
from connector.pipeline.spark.workers import AnalyseUnits
from connector.pipeline.storage import Storage

with tempfile.TemporaryDirectory() as folder:
    storage = Storage(folder)
    for table in SCHEMAS:
        storage.prepare(table)
    context = save_context(AnalysisContext(Options(), Limits(20, 300)), storage)
    (written,) = AnalyseUnits(context, Limits(20, 300), storage, 1)([distinct])
    assert written.num_rows == 1
    assert len(list(Path(folder).glob("*/part-*.parquet"))) == 3
worker_guard(20, 300).close()
print(*sorted({"pandas", "sqlalchemy", "pydantic", "deltalake"} & sys.modules.keys()))
"""
    done = subprocess.run([sys.executable, "-c", program], check=True, timeout=60, capture_output=True, text=True)
    assert done.stdout.split() == []
