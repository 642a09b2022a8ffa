"""Opening stores: new, older, newer, foreign, absent."""

from __future__ import annotations

import sqlite3
from uuid import uuid4

import pytest
from sqlalchemy import MetaData, create_engine, insert, inspect, text
from sqlalchemy.pool import NullPool

from connector import ConfigurationError, UnavailableError, analyze
from connector.store import Store
from connector.store.schema import LATEST
from connector.store.tables import LINEAGE, OBJECTS, REFERENCE


def engine_of(target):
    url = target.replace("postgresql:", "postgresql+psycopg:") if "://" in target else f"sqlite:///{target}"
    return create_engine(url, poolclass=NullPool)


def shape(target):
    """Tables with their columns, keys and indexes."""
    with engine_of(target).connect() as connection:
        look = inspect(connection)
        return {
            name: (
                [(column["name"], str(column["type"]), column["nullable"]) for column in look.get_columns(name)],
                look.get_pk_constraint(name)["constrained_columns"],
                sorted(index["name"] for index in look.get_indexes(name)),
            )
            for name in look.get_table_names()
        }


def test_the_reference_tables_have_the_fields_of_the_reference(store, target):
    found = shape(target)
    assert [name for name, _, _ in found["sqlflow_dbobjects"][0]] == [
        "guid", "parent_id", "qualified_name", "object_type", "ddl", "ddl_hashId", "comment",
    ]  # fmt: skip
    assert [name for name, _, _ in found["sqlflow_columns"][0]] == ["guid", "parent_id", "qualified_name", "comment"]


def test_a_name_is_unique_in_its_type(store, target):
    with engine_of(target).begin() as connection:
        connection.execute(insert(OBJECTS), {"guid": "1", "qualified_name": "x", "object_type": "table"})
        connection.execute(insert(OBJECTS), {"guid": "2", "qualified_name": "x", "object_type": "view"})
        with pytest.raises(Exception, match=r"(?i)unique"):
            connection.execute(insert(OBJECTS), {"guid": "3", "qualified_name": "x", "object_type": "table"})


def test_a_new_store_has_the_tables_of_this_version(store, target):
    assert shape(target).keys() == {*REFERENCE.tables, *LINEAGE.tables}


def older(target):
    """A store of version 1, as the reference's own export leaves it, with a table and a column in it."""
    reference = MetaData()
    for table in REFERENCE.tables.values():
        table.to_metadata(reference)
    with engine_of(target).begin() as connection:
        reference.create_all(connection)
        rows = [
            ("108", "1", "sqldialect", "hive"),
            ("1001", "108", "cluster", "primary"),
            ("2001", "1001", "database", "sampledb@primary"),
            ("3001", "2001", "table", "sampledb.tableA@primary"),
        ]
        names = ("guid", "parent_id", "object_type", "qualified_name")
        connection.execute(insert(OBJECTS), [dict(zip(names, row, strict=True)) for row in rows])
        connection.execute(
            text(
                "INSERT INTO sqlflow_columns (guid, parent_id, qualified_name, comment) "
                "VALUES ('3001', '3001', 'sampledb.tableA.columnB@primary', 'this is the comment')"
            )
        )


def test_an_older_store_is_migrated_and_keeps_its_rows(target, rows):
    older(target)
    with Store.open(target, create=False) as store:
        summary = store.load(analyze("insert into sampledb.tableA (columnB) select x from sampledb.t", "hive"))
        assert summary.objects.created == 1
        assert [node.qualified_name for node in store.upstream("tableA.columnB").nodes] == ["sampledb.t.x@primary"]
    assert rows()["lineage_schema_version"] == [(LATEST,)]
    kept = {row[2]: row for row in rows()["sqlflow_dbobjects"]}
    assert kept["sampledb.tableA@primary"][0] == "3001"
    assert kept["sampledb.t@primary"][1] == "2001"
    assert ("3001", "3001", "sampledb.tableA.columnB@primary", "this is the comment") in rows()["sqlflow_columns"]


def test_a_migrated_store_is_like_a_new_one(tmp_path):
    old, new = str(tmp_path / "old.db"), str(tmp_path / "new.db")
    older(old)
    for target in (old, new):
        with Store.open(target):
            pass
    assert shape(old) == shape(new)


def test_a_newer_store_is_refused_and_left_alone(store, target, rows):
    with engine_of(target).begin() as connection:
        connection.execute(text(f"UPDATE lineage_schema_version SET version = {LATEST + 5}"))
    before = rows()
    with pytest.raises(ConfigurationError, match=f"schema version {LATEST + 5}.*newer.*up to {LATEST}"):
        Store.open(target)
    with pytest.raises(ConfigurationError, match="newer"):
        store.load(analyze("insert into o select a from t"))
    assert rows() == before


def test_a_store_that_is_not_there(tmp_path):
    with pytest.raises(UnavailableError, match="does not exist"):
        Store.open(tmp_path / "none.db", create=False)
    assert not (tmp_path / "none.db").exists()
    with pytest.raises(UnavailableError, match="cannot be reached"):
        Store.open(tmp_path / "no folder" / "lineage.db")


def test_a_database_without_a_store(tmp_path):
    with sqlite3.connect(tmp_path / "other.db") as connection:
        connection.execute("create table t (a)")
    connection.close()
    with pytest.raises(ConfigurationError, match="does not contain a lineage store"):
        Store.open(tmp_path / "other.db", create=False)


def test_a_file_that_is_no_database(tmp_path):
    path = tmp_path / "notes.txt"
    path.write_text("not a database, but long enough to look at " * 10, encoding="utf-8")
    with pytest.raises(ConfigurationError, match="not a SQLite file"):
        Store.open(path)


def test_a_server_that_does_not_answer():
    with pytest.raises(UnavailableError) as error:
        Store.open("postgresql://somebody:secret@127.0.0.1:1/lineage")
    assert "secret" not in str(error.value)
    assert "127.0.0.1" in str(error.value)


@pytest.mark.parametrize("url", ["mysql://host/db", "sqlite://", "nonsense://"])
def test_other_databases_are_refused(url):
    with pytest.raises(ConfigurationError):
        Store.open(url)


def test_a_locked_store_is_unavailable(tmp_path, monkeypatch):
    monkeypatch.setattr("connector.store.engine._WAIT", 0.2)
    path = tmp_path / "lineage.db"
    with Store.open(path) as store:
        other = sqlite3.connect(path, isolation_level=None)
        other.execute("BEGIN IMMEDIATE")
        with pytest.raises(UnavailableError, match="locked"):
            store.load(analyze("insert into o select a from t"))
        other.close()
        assert store.load(analyze("insert into o select a from t")).changed


def test_who_may_read_only_is_told_so(postgres):
    sql = "insert into o select a from t"
    with Store.open(postgres) as store:
        store.load(analyze(sql))
    schema, role = postgres.rpartition("%3D")[2], f"reader_{uuid4().hex}"
    with engine_of(postgres).begin() as connection:
        connection.execute(text(f"CREATE ROLE {role} LOGIN"))
        connection.execute(text(f"GRANT USAGE ON SCHEMA {schema} TO {role}"))
        connection.execute(text(f"GRANT SELECT ON ALL TABLES IN SCHEMA {schema} TO {role}"))
    try:
        with Store.open(postgres.replace("//lineage@", f"//{role}@")) as store:
            with pytest.raises(UnavailableError, match="permission denied"):
                store.load(analyze("insert into p select b from u"))
            assert store.upstream("o").nodes
    finally:
        with engine_of(postgres).begin() as connection:
            connection.execute(text(f"DROP OWNED BY {role}"))
            connection.execute(text(f"DROP ROLE {role}"))
