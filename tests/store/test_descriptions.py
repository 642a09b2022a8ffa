"""Data types and comments: what is stored, what replaces it, and who sees it."""

from __future__ import annotations

import pytest
from sqlalchemy import text

from connector import analyze
from connector.store import Store

DDL = """create table raw.orders (id int, amount numeric(10, 2));
comment on table raw.orders is 'As the shop sends them';
comment on column raw.orders.amount is 'In euros';"""
VIEW = "create view mart.v as select sum(amount) as total from raw.orders"


def described(target: str, name: str = "raw.orders") -> tuple[object, ...]:
    """The comment of an object, and the name, data type and comment of each of its columns."""
    reader = Store.open(target, create=False)
    try:
        page = reader.object(name)
    finally:
        reader.close()
    return page.object.comment, [(each.name, each.data_type, each.comment) for each in page.columns]


def test_types_and_comments_are_stored(store, target):
    summary = store.load(analyze(DDL, "postgresql"))
    assert described(target) == (
        "As the shop sends them",
        [("id", "int", None), ("amount", "numeric(10, 2)", "In euros")],
    )
    assert summary.descriptions.created == 3


def test_the_same_load_again_changes_nothing(store, rows):
    store.load(analyze(DDL, "postgresql"))
    before = rows()["lineage_descriptions"]
    summary = store.load(analyze(DDL, "postgresql"))
    assert not summary.changed
    assert summary.descriptions.unchanged == 3
    assert rows()["lineage_descriptions"] == before


def test_a_statement_that_says_nothing_takes_nothing_back(store, target):
    store.load(analyze(DDL, "postgresql"))
    assert store.load(analyze(VIEW, "postgresql")).descriptions.updated == 0
    assert described(target)[0] == "As the shop sends them"


def test_the_latest_statement_counts(store, target):
    store.load(analyze(DDL, "postgresql"))
    summary = store.load(analyze("create table raw.orders (id bigint, amount numeric(10, 2));", "postgresql"))
    assert summary.descriptions.updated == 1
    assert described(target) == (
        "As the shop sends them",
        [("id", "bigint", None), ("amount", "numeric(10, 2)", "In euros")],
    )


def test_parts_of_one_load_are_put_together(store, target):
    bare, *comments = [f"{statement};" for statement in DDL.split(";")[:-1]]
    summary = store.load([analyze(bare + comment, "postgresql") for comment in comments])
    assert described(target)[0] == "As the shop sends them"
    assert described(target)[1] == [("id", "int", None), ("amount", "numeric(10, 2)", "In euros")]
    assert summary.descriptions.created == 3


def test_the_metadata_describes_as_well(store, target):
    store.load(analyze(VIEW, "postgresql", metadata={"raw.orders": {"amount": "decimal(18, 4)"}}))
    assert ("amount", "decimal(18, 4)", None) in described(target)[1]


def test_what_people_write_into_the_store_counts_more(store, target):
    store.load(analyze(DDL, "postgresql"))
    with store._database.writing() as connection:
        connection.execute(text("UPDATE sqlflow_dbobjects SET comment = 'Ask Ann' WHERE object_type = 'table'"))
        connection.execute(text("UPDATE sqlflow_columns SET comment = '' WHERE qualified_name LIKE '%amount%'"))
    store.load(analyze(DDL, "postgresql"))
    comment, columns = described(target)
    assert comment == "Ask Ann"
    assert ("amount", "numeric(10, 2)", "In euros") in columns  # an empty comment says nothing


@pytest.mark.parametrize("name", ["raw.orders.id", "raw.orders"])
def test_objects_are_described_whichever_way_they_are_found(store, target, name):
    store.load(analyze(DDL, "postgresql"))
    assert described(target, name)[0] == "As the shop sends them"


def test_a_store_of_the_version_before_gets_descriptions_with_the_next_load(tmp_path):
    target = str(tmp_path / "lineage.db")
    with Store.open(target) as store:
        store.load(analyze(DDL, "postgresql"))
        with store._database.writing() as connection:
            connection.execute(text("DROP TABLE lineage_descriptions"))
            connection.execute(text("UPDATE lineage_schema_version SET version = 4"))
    assert described(target) == (None, [("id", None, None), ("amount", None, None)])
    with Store.open(target) as store:
        store.load(analyze(DDL, "postgresql"))
    assert described(target)[0] == "As the shop sends them"
