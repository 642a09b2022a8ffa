"""A module that declares a reader is found, and every reader that is declared is reached by some golden script."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from connector import analyze
from connector.analysis import statements
from connector.common.lazy import declared

GOLDEN = Path(__file__).parents[1] / "golden"
TABLES = {"READERS": statements.READERS, "READINGS": statements.READINGS, "WORDS": statements.WORDS}


EXAMPLES = [
    (
        "ansi",
        "select a from t; select a from t union select a from s; select a from t except select a from s; (select a from t)",
    ),
    ("ansi", "select a from t intersect select a from s; delete from t; update t set a = 1; comment on table t is 'x'"),
    ("clickhouse", "exchange tables a and b; rename table a to b"),
    ("databricks", "apply changes into o from stream(s) keys (k) sequence by t; replace table o (a int)"),
    ("databricks", "create synonym a for b"),
    ("db2", "define table o (a int)"),
    ("duckdb", "pivot t on a using sum(b); copy t to 'x.parquet'; export database 'x'"),
    (
        "exasol",
        "import into t from csv at 'http://h' file 'f.csv'; export t into csv at 'http://h' file 'o.csv'; open schema s",
    ),
    ("hive", "load data inpath '/x' into table t; insert overwrite directory '/y' select a from t"),
    ("mssql", "bulk insert t from 'x.csv'; merge into t using s on t.a = s.a when matched then update set t.b = s.b"),
    ("mssql", "exec sp_rename 'a', 'b'"),
    ("mssql", "execute sp_rename 'a', 'b'"),
    ("mssql", "sp_rename 'a', 'b'"),
    ("mysql", "use warehouse"),
    ("oracle", "insert all into a (x) values (x) into b (x) values (x) select x from t"),
    (
        "postgresql",
        "set search_path to s; drop table t; alter table t rename to u; alter table t add b int; create table o as select a from t",
    ),
    ("redshift", "unload ('select a from t') to 's3://b/x'"),
    ("snowflake", "use schema s; create stage st url = 's3://b/x'; put file:///x @st; get @st file:///x"),
    ("snowflake", "copy into t from (select $1 from @st)"),
    ("duckdb", "copy from database a to b; create view v as select a from t"),
    ("sparksql", "cache table c as select a from t; insert into o select a from t"),
    ("starrocks", 'load label l (data infile ("hdfs://h/x") into table t (a, b)) with broker b'),
]
"""Scripts that reach the readers; where they do not suffice, the goldens are read too."""


def scripts() -> Iterator[tuple[str, str]]:
    yield from EXAMPLES
    for path in sorted(GOLDEN.glob("*/*.sql")):
        yield path.parent.name, path.read_text()


def test_every_reader_is_reached(monkeypatch: pytest.MonkeyPatch) -> None:
    waiting = {f"{name}[{key}]" for name, table in TABLES.items() for key in table}

    def watched(label: str, reader: Callable[..., Any], gives: bool) -> Callable[..., Any]:
        def read(*arguments: Any) -> Any:
            found = reader(*arguments)
            if found is not None or not gives:
                waiting.discard(label)
            return found

        return read

    for name, table in TABLES.items():
        for key, reader in list(table.items()):
            monkeypatch.setitem(table, key, watched(f"{name}[{key}]", reader, name == "WORDS"))
    for dialect, text in scripts():
        if not waiting:
            break
        analyze(text, dialect)
    assert waiting == set()


@pytest.fixture
def package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "kinds_of_a_test"
    folder.mkdir()
    (folder / "__init__.py").write_text("")
    (folder / "one.py").write_text("READS = {'ONE': 1}\n")
    monkeypatch.syspath_prepend(tmp_path)
    return folder


def collect(package: Path) -> dict[str, int]:
    try:
        return declared(package.name, [str(package)], "READS")
    finally:
        for name in [name for name in sys.modules if name.startswith(package.name)]:
            del sys.modules[name]


def test_a_new_module_is_found(package: Path) -> None:
    (package / "two.py").write_text("READS = {'TWO': 2}\n")
    (package / "helpers.py").write_text("OTHER = 3\n")
    assert collect(package) == {"ONE": 1, "TWO": 2}


def test_no_two_modules_declare_the_same(package: Path) -> None:
    (package / "two.py").write_text("READS = {'ONE': 2}\n")
    with pytest.raises(TypeError, match=r"READS has 'ONE' twice, the second time in two\.py"):
        collect(package)
