"""What a call needed is gone when it returns: the garbage collector has neither tokens nor readers to look for."""

from __future__ import annotations

import gc
from collections.abc import Iterator

import pytest
from sqlglot.tokenizer_core import Token

from connector import analyze
from connector.analysis.analyser import Analyser
from connector.analysis.context import Context
from connector.analysis.rowset import Rowset
from connector.model import Column, Relation
from connector.sql.statement import Statement

SCRIPTS = (
    "insert into o (a, b) select t.a, sum(s.b) from t join (select k, b from u) s on s.k = t.k group by t.a",
    "create table o as with c as (select a, max(b) as b from t group by a) select * from c union select a, b from d",
    "update o set a = (select max(t.a) from t where t.k = o.k) where b in (select b from w)",
    "insert into o select * from v; create view v as select a, b from t",
)


@pytest.fixture
def kept_garbage() -> Iterator[None]:
    """What the collector finds is kept in `gc.garbage`."""
    gc.collect()
    gc.disable()
    gc.set_debug(gc.DEBUG_SAVEALL)
    yield
    gc.set_debug(0)
    gc.garbage.clear()
    gc.enable()


@pytest.mark.parametrize("sql", SCRIPTS)
@pytest.mark.usefixtures("kept_garbage")
def test_nothing_of_a_call_waits_for_the_collector(sql: str) -> None:
    lineage = analyze(sql)
    gc.collect()
    needed = (Token, Statement, Rowset, Context, Analyser)
    assert [found for found in gc.garbage if isinstance(found, needed)] == []
    del lineage
    gc.collect()
    found = {type(each) for each in gc.garbage}
    assert Column in found  # a column and its table know each other
    assert Relation not in found
