"""Looking around in a store, in both databases."""

from __future__ import annotations

from datetime import datetime, timezone

import pytest
from sqlalchemy.exc import DatabaseError

from connector import Options, analyze
from connector.errors import ConfigurationError, UnavailableError
from connector.store import Store, TooSlowError
from connector.store.lookup import AmbiguousNameError, UnknownNameError
from connector.store.processes import LogHistory
from connector.store.reading.records import Graph

SCRIPT = """
create table raw.orders (id int, customer int, amount int, status varchar(10));
create view core.paid as select id, customer, amount from raw.orders where status = 'paid';
insert into mart.revenue (customer, total) select customer, sum(amount) from core.paid group by customer;
insert into mart.names (customer, name) select p.customer, c.name from core.paid p join raw.customers c on c.id = p.customer;
insert into core.feedback (id) select customer from mart.revenue;
insert into mart.revenue (customer) select id from core.feedback;
"""


@pytest.fixture
def reader(target, store):
    store.load(analyze(SCRIPT, "postgresql", cluster="prod"), run="monday")
    store.load(analyze(SCRIPT, "postgresql", cluster="prod"), run="tuesday")
    opened = Store.open(target, create=False)
    yield opened
    opened.close()


def names(graph: Graph) -> set[str]:
    return {found.place.name for found in graph.objects.values()}


def column_edges(graph: Graph, *kinds: str) -> set[tuple[str, str]]:
    called = {
        number: f"{graph.objects[column.owner].place.name}.{column.name}" for number, column in graph.columns.items()
    }
    return {(called[edge.source], called[edge.target]) for edge in graph.column_edges if edge.type in kinds}


# --- search -----------------------------------------------------------------------------------------------------------


def test_all_objects_in_pages(reader):
    everything = reader.search(size=100)
    assert everything.total == len(everything.hits) == 6
    assert everything.kinds == {"table": 5, "view": 1}
    paged = [hit.object for page in (1, 2, 3) for hit in reader.search(page=page, size=2).hits]
    assert paged == [hit.object for hit in everything.hits]
    assert reader.search(page=4, size=2).hits == []
    assert [hit.object.place.name for hit in reader.search(kind="view").hits] == ["paid"]


def test_a_hit_says_how_much_there_is_to_it(reader):
    hit = reader.search("revenue").hits[0]
    assert (hit.columns, hit.upstream, hit.downstream) == (2, 2, 1)


def test_the_best_name_comes_first(reader, store):
    store.load(analyze("insert into x.old_orders_2 (a) select a from x.orders_archive", "postgresql"))
    assert [hit.object.place.name for hit in reader.search("orders").hits] == [
        "orders",
        "orders_archive",
        "old_orders_2",
    ]


@pytest.mark.parametrize("wanted", ["revenue", "REVENUE", "mart revenue", "mart.rev", "revnue", "rvn", "  revenue "])
def test_names_are_found_by_what_is_remembered(reader, wanted):
    assert reader.search(wanted).hits[0].object.place.name == "revenue"


@pytest.mark.parametrize("wanted", ["%", "_", "\\", "zzzzzz", "'; drop table x --", "ü", "\0"])
def test_what_is_not_there_is_not_found(reader, wanted):
    assert reader.search(wanted).hits == []
    assert reader.search(wanted, "column").columns == []


def test_letters_beyond_ascii(reader, store):
    store.load(analyze('insert into x."Größe" ("Maß") select a from x.y', "postgresql"))
    assert reader.search("größe").hits[0].object.place.name == "Größe"
    assert reader.search("GRÖSSE").hits == [] or reader.search("GRÖSSE").hits[0].object.place.name == "Größe"
    assert reader.search("maß", "column").columns[0].column.name == "Maß"


def test_columns(reader):
    found = reader.search("customer", "column")
    assert {hit.column.name for hit in found.columns} >= {"customer"}
    assert found.columns[0].object.qualified_name.endswith("@prod")
    everything = reader.search("", "column", size=1000)
    assert everything.total == len(everything.columns) > found.total
    assert reader.search("", "column", page=2, size=3).columns == everything.columns[3:6]


# --- one object, one statement ------------------------------------------------------------------------------------------


def test_the_page_of_a_view(reader):
    page = reader.object("core.paid")
    assert page.object.kind == "view"
    assert page.dialect == "postgresql"
    assert page.definition is not None
    assert page.definition.startswith("create view core.paid")
    assert [column.name for column in page.columns] == ["id", "customer", "amount", "PseudoRows"]
    assert [each.place.name for each in page.upstream] == ["orders"]
    assert [each.place.name for each in page.downstream] == ["names", "revenue"]
    assert [each.type for each in page.written_by] == ["Create View"]
    assert [each.type for each in page.read_by] == ["Insert", "Insert"]
    assert page.written_by[0].count == 2
    assert page.first_seen is not None
    assert page.last_seen is not None
    assert page.first_seen <= page.last_seen
    assert reader.object(str(page.object.number)) == page
    assert reader.object("core.paid.amount").object == page.object


def test_columns_stand_in_their_order(reader):
    assert [column.name for column in reader.object("raw.orders").columns][:4] == ["id", "customer", "amount", "status"]
    assert [column.name for column in reader.object("mart.names").columns][:2] == ["customer", "name"]
    graph = reader.graph("raw.orders", "downstream")
    owned = [column.name for column in graph.columns.values() if graph.objects[column.owner].place.name == "paid"]
    assert len(owned) > 1
    assert owned == sorted(owned, key=["id", "customer", "amount", "PseudoRows"].index)


def test_a_statement_by_its_hash_or_number(reader):
    made = reader.object("core.paid").written_by[0]
    page = reader.statement(made.hash)
    assert page.statement == made
    assert page.text is not None
    assert "status = 'paid'" in page.text
    assert page.dialect == "postgresql"
    assert ([each.place.name for each in page.inputs], [each.place.name for each in page.outputs]) == (
        ["orders"],
        ["paid"],
    )
    assert reader.statement(str(made.number)) == page
    assert reader.statement(made.hash.upper()) == page
    assert reader.texts({made.number}) == {made.number: (page.text, "postgresql")}


def test_query_logs_know_who_ran_it(reader, store):
    made = reader.object("core.paid").written_by[0]
    first, last = (datetime(2024, 5, day, 12, tzinfo=timezone.utc) for day in (1, 2))
    history = [
        LogHistory(made.hash, "warehouse log", first, first, 40, ("ann",)),
        LogHistory(made.hash, "lake log", last, last, 2, ("bob", "ann")),
    ]
    store.load_rows([], source="logs", run="log", started=last, history=history)
    page = reader.object("core.paid")
    seen = page.written_by[0]
    assert (seen.first_seen, seen.last_seen, seen.count) == (first, last, 42)
    assert (seen.users, seen.origin) == (("ann", "bob"), "lake log, warehouse log")
    assert page.users == ["ann", "bob"]
    assert page.first_seen == first
    owners = {each.object.place.name: each.owners for each in reader.impact("raw.orders").objects}
    assert owners["paid"] == ["ann", "bob"]
    assert owners["revenue"] == []


def test_a_statement_that_stands_in_two_places(reader, store):
    body = "insert into o (x) select a from t"
    store.load(analyze(f"use one; {body}", "mysql", options=Options()))
    store.load(analyze(f"use two; {body}", "mysql", options=Options()))
    made = reader.object("one.o").written_by[0]
    page = reader.statement(made.hash)
    assert len(page.alike) == 1
    assert {page.statement.qualified_name, page.alike[0].qualified_name} == {
        reader.object(f"{name}.o").written_by[0].qualified_name for name in ("one", "two")
    }


def test_names_that_mean_nothing_or_too_much(reader):
    with pytest.raises(UnknownNameError):
        reader.object("nobody")
    with pytest.raises(UnknownNameError):
        reader.object("12345")
    with pytest.raises(UnknownNameError):
        reader.statement("0" * 32)
    with pytest.raises(AmbiguousNameError) as caught:
        reader.graph("customer")
    assert len(caught.value.candidates) > 1
    assert isinstance(caught.value, ConfigurationError)


# --- lineage ----------------------------------------------------------------------------------------------------------


def test_lineage_both_ways(reader):
    graph = reader.graph("core.paid", columns=False)
    assert names(graph) == {"orders", "paid", "revenue", "names", "feedback"}
    assert not graph.column_edges
    assert not graph.truncated
    assert names(reader.graph("core.paid", "upstream", columns=False)) == {"paid", "orders"}
    assert names(reader.graph("core.paid", "downstream", depth=1, columns=False)) == {"paid", "revenue", "names"}
    assert {each.type for each in graph.statements.values()} == {"Create View", "Insert"}


def test_lineage_by_column(reader):
    graph = reader.graph("core.paid", depth=1)
    assert {("orders.amount", "paid.amount"), ("paid.amount", "revenue.total")} <= column_edges(graph, "fdd")
    assert ("orders.status", "paid.PseudoRows") in column_edges(graph, "fdr")
    assert graph.table_edges


def test_joins_between_what_is_shown(reader):
    graph = reader.graph("mart.names")
    assert column_edges(graph, "join") in ({("customers.id", "paid.customer")}, {("paid.customer", "customers.id")})


def test_a_column_leads_to_its_own_tables_alone(reader):
    graph = reader.graph("orders.amount", "downstream")
    assert graph.start_column is not None
    assert graph.start_column.name == "amount"
    assert {"orders", "paid", "revenue"} <= names(graph)
    assert "names" not in names(graph)
    ends = {
        (graph.objects[edge.source].place.name, graph.objects[edge.target].place.name) for edge in graph.table_edges
    }
    assert ("orders", "paid") in ends


def test_a_circle_ends(reader):
    graph = reader.graph("mart.revenue", "downstream", columns=False)
    assert names(graph) == {"revenue", "feedback"}
    assert len(graph.table_edges) == 2


def test_a_large_answer_is_cut_and_says_so(reader):
    graph = reader.graph("raw.orders", "downstream", columns=False, most=2)
    assert graph.truncated
    assert names(graph) == {"orders", "paid"}
    assert reader.impact("raw.orders", most=1).truncated


# --- impact and overview ------------------------------------------------------------------------------------------------


def test_impact_of_a_column(reader):
    impact = reader.impact("orders.amount")
    touched = {each.object.place.name: each for each in impact.objects}
    assert (touched["paid"].relation, touched["paid"].distance) == ("direct", 1)
    assert (touched["revenue"].relation, touched["revenue"].distance) == ("direct", 2)
    assert [each.column.name for each in touched["revenue"].columns] == ["total"]
    assert [each.type for each in touched["revenue"].statements] == ["Insert"]
    assert "names" not in touched


def test_impact_of_a_filter_is_indirect(reader):
    touched = {each.object.place.name: each for each in reader.impact("orders.status").objects}
    assert touched["paid"].relation == "indirect"
    assert {each.relation for each in touched["paid"].columns} == {"indirect"}


def test_impact_of_a_table_without_known_columns(reader, store):
    store.load(analyze("insert into far.away select * from far.unknown", "postgresql", cluster="prod"))
    assert [each.object.place.name for each in reader.impact("far.unknown").objects] == ["away"]


def test_overview(reader):
    overview = reader.overview()
    assert (overview.total, len(overview.objects), overview.truncated) == (6, 6, False)
    assert {edge.process for edge in overview.edges} == set(overview.statements)
    part = reader.overview(most=3)
    assert (part.total, len(part.objects), part.truncated) == (6, 3, True)
    assert all(edge.source in part.objects and edge.target in part.objects for edge in part.edges)
    assert {found.place.schema for found in part.objects.values()} == {"raw", "core", "mart"}


# --- how it reads -----------------------------------------------------------------------------------------------------


def test_it_cannot_write(reader):
    with pytest.raises((DatabaseError, UnavailableError)), reader._reading() as connection:
        connection.exec_driver_sql("DELETE FROM lineage_processes")
    assert reader.object("core.paid").written_by


def test_it_does_not_wait_for_ever(target, reader):
    endless = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT count(*) FROM n"
    hasty = Store.open(target, seconds=0.3, create=False)
    with pytest.raises(TooSlowError, match=r"0\.3 seconds"), hasty._reading() as connection:
        connection.exec_driver_sql(endless)
    assert hasty.search("paid").total == 1
    hasty.close()


def test_it_sees_what_others_write(reader, target):
    with Store.open(target) as other:
        other.load(analyze("insert into late.comer (a) select b from raw.orders", "postgresql", cluster="prod"))
    assert reader.object("late.comer").upstream[0].place.name == "orders"


def test_a_store_that_is_not_there(tmp_path):
    with pytest.raises(UnavailableError):
        Store.open(tmp_path / "none.db", create=False)
    assert not (tmp_path / "none.db").exists()
