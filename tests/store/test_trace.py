"""Upstream and downstream: what is reached, how far it is, and whether by data or impact."""

from __future__ import annotations

import json

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from connector import ConfigurationError, analyze
from connector.store import Store
from connector.store.trace_formats import TRACE_FORMATS

CHAIN = """
insert into b (x) select x from a;
insert into c (x) select x from b;
insert into d (x) select x from c where x > 1;
insert into d (y) select y from a2;
"""


def short(name):
    return name.removeprefix("default.default.").removesuffix("@default")


def reached(trace):
    return {short(node.qualified_name): (node.distance, node.type) for node in trace.nodes}


@pytest.fixture
def chain(store):
    store.load(analyze(CHAIN))
    return store


def test_tables(chain):
    assert reached(chain.upstream("d")) == {"c": (1, "fdd"), "a2": (1, "fdd"), "b": (2, "fdd"), "a": (3, "fdd")}
    assert reached(chain.downstream("a")) == {"b": (1, "fdd"), "c": (2, "fdd"), "d": (3, "fdd")}
    assert reached(chain.upstream("a")) == {}


def test_depth(chain):
    assert reached(chain.upstream("d", depth=1)).keys() == {"c", "a2"}
    assert reached(chain.upstream("d", depth=2)).keys() == {"c", "a2", "b"}
    assert reached(chain.upstream("d", depth=100)).keys() == {"c", "a2", "b", "a"}
    assert {step.source.distance for step in chain.upstream("d", depth=2).steps} == {1, 2}
    with pytest.raises(ConfigurationError):
        chain.upstream("d", depth=0)


def test_columns_of_a_table(chain):
    trace = chain.upstream("d", columns=True)
    assert trace.columns
    assert reached(trace) == {
        "c.x": (1, "fdd"),
        "a2.y": (1, "fdd"),
        "b.x": (2, "fdd"),
        "a.x": (3, "fdd"),
    }


def test_one_column(chain):
    assert reached(chain.upstream("d.x")) == {"c.x": (1, "fdd"), "b.x": (2, "fdd"), "a.x": (3, "fdd")}
    assert reached(chain.upstream("d.PseudoRows")) == {"c.x": (1, "fdr"), "b.x": (2, "fdr"), "a.x": (3, "fdr")}


def test_a_chain_with_an_impact_is_impact_and_one_of_data_is_data(store):
    store.load(
        analyze(
            """
            create view v as select a, b from t1;
            create view w as select sum(b) as n from v group by a;
            insert into o (x) select n from w;
            insert into o (x) select a from t1;
            """,
            "snowflake",
        )
    )
    found = reached(store.upstream("o.x"))
    assert found["w.n"] == (1, "fdd")
    assert found["v.a"][1] == "fdr"
    assert found["t1.a"] == (1, "fdd")


def test_circles_end(store):
    store.load(analyze("insert into a (x) select x from b; insert into b (x) select x from a"))
    assert reached(store.upstream("a")) == {"b": (1, "fdd")}
    assert len(store.upstream("a").steps) == 2
    for render in TRACE_FORMATS.values():
        assert render(store.upstream("a", columns=True))


def test_a_long_chain(store):
    store.load(analyze("".join(f"insert into t{n + 1} (x) select x from t{n};" for n in range(1500))))
    trace = store.upstream("t1500")
    assert trace.nodes[-1].distance == 1500
    for render in TRACE_FORMATS.values():
        assert render(trace)


def test_joins_are_not_followed(store):
    store.load(analyze("insert into o (x) select t.a from t join u on t.k = u.k"))
    assert "u.k" not in reached(store.downstream("t.k"))


edges = st.sets(st.tuples(st.integers(0, 7), st.integers(0, 7)), max_size=20)


@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(edges=edges, start=st.integers(0, 7), depth=st.integers(1, 12))
def test_distances_are_shortest_paths(tmp_path_factory, edges, start, depth):
    """Against a walk in Python over the same edges."""
    with Store.open(tmp_path_factory.mktemp("walk") / "lineage.db") as store:
        script = f"insert into t{start} (c) select 1;"
        script += "".join(f"insert into t{b} (c) select c from t{a};" for a, b in sorted(edges) if a != b)
        store.load(analyze(script))
        expected = {start: 0}
        queue = [start]
        for node in queue:
            for a, b in edges:
                if b == node and a != b and a not in expected:
                    expected[a] = expected[node] + 1
                    queue.append(a)
        del expected[start]
        trace = store.upstream(f"default.default.t{start}@default", depth=depth)
        found = {int(short(node.qualified_name)[1:]): node.distance for node in trace.nodes}
        assert found == {node: distance for node, distance in expected.items() if distance <= depth}


# --- names ----------------------------------------------------------------------------------------------------------


@pytest.fixture
def names(store):
    store.load(
        analyze(
            'insert into shop.core.orders (id) select "a.b" from shop.raw.orders; '
            'insert into shop.core."odd.name" (id) select größe from shop.raw.maße',
            "snowflake",
            cluster="db.example.com",
        )
    )
    return store


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("shop.core.orders@db.example.com", "shop.core.orders@db.example.com"),
        ("shop.core.orders", "shop.core.orders@db.example.com"),
        ("core.orders", "shop.core.orders@db.example.com"),
        ("CORE.Orders", "shop.core.orders@db.example.com"),
        ("core.orders@db.example.com", "shop.core.orders@db.example.com"),
        ("core.orders.id", "shop.core.orders.id@db.example.com"),
        ("orders.ID", "shop.core.orders.id@db.example.com"),
        ('"odd.name"', 'shop.core."odd.name"@db.example.com'),
        ('orders."a.b"', 'shop.raw.orders."a.b"@db.example.com'),
        ("MASSE", None),
        ("MAßE", "shop.raw.maße@db.example.com"),
        ("größe", "shop.raw.maße.größe@db.example.com"),
        ("GRÖßE", "shop.raw.maße.größe@db.example.com"),
    ],
)
def test_what_a_name_means(names, typed, meant):
    if meant is None:
        with pytest.raises(ConfigurationError, match="The store has no table, view, path, stage or column"):
            names.upstream(typed)
    else:
        assert names.upstream(typed).name == meant


def test_a_name_that_may_be_two_things_lists_them(names):
    with pytest.raises(ConfigurationError) as error:
        names.upstream("orders")
    assert "shop.core.orders@db.example.com, shop.raw.orders@db.example.com" in str(error.value)
    with pytest.raises(ConfigurationError, match="is ambiguous; choose one of"):
        names.upstream("id")


@pytest.mark.parametrize("typed", ["core.orders@elsewhere", "or%", "order_", "", "."])
def test_a_name_nobody_has(names, typed):
    with pytest.raises(ConfigurationError):
        names.upstream(typed)


def test_search(names):
    assert [found.object.qualified_name for found in names.search("ORDERS").hits] == [
        "shop.core.orders@db.example.com",
        "shop.raw.orders@db.example.com",
    ]
    assert names.search().total == 4
    assert names.search("%").total == 0


# --- forms ----------------------------------------------------------------------------------------------------------


def test_text_is_a_tree(chain):
    assert TRACE_FORMATS["text"](chain.upstream("d")) == (
        "default.default.d\n"
        "├─ <- default.default.a2  [Insert]\n"
        "└─ <- default.default.c  [Insert]\n"
        "   └─ <- default.default.b  [Insert]\n"
        "      └─ <- default.default.a  [Insert]\n"
    )
    assert TRACE_FORMATS["text"](chain.upstream("a")) == "default.default.a: nothing upstream\n"
    assert TRACE_FORMATS["text"](chain.downstream("d")) == "default.default.d: nothing downstream\n"


def test_text_of_columns_begins_with_each_of_them(chain):
    assert TRACE_FORMATS["text"](chain.upstream("d", depth=1, columns=True)) == (
        "default.default.d\n"
        "├─ default.default.d.PseudoRows\n"
        "│  └─ <~ default.default.c.x  [Insert]\n"
        "├─ default.default.d.x\n"
        "│  └─ <- default.default.c.x  [Insert]\n"
        "└─ default.default.d.y\n"
        "   └─ <- default.default.a2.y  [Insert]\n"
    )


def test_json(chain):
    document = json.loads(TRACE_FORMATS["json"](chain.downstream("c.x")))
    assert document["level"] == "column"
    assert [(entry["table"], entry["column"], entry["distance"]) for entry in document["objects"]] == [
        ("c", "x", 0),
        ("d", "PseudoRows", 1),
        ("d", "x", 1),
    ]
    relation = document["relations"][1]
    assert relation["type"] == "fdd"
    assert relation["target"]["qualifiedName"] == "default.default.d.x@default"
    assert relation["processes"][0]["type"] == "Insert"


def test_csv(chain):
    lines = TRACE_FORMATS["csv"](chain.upstream("b")).splitlines()
    assert lines[0] == (
        "source_db;source_schema;source_table;target_db;target_schema;target_table;"
        "procedure_names;query_hash_id;type;distance"
    )
    assert len(lines) == 2
    assert lines[1].startswith("default;default;a;default;default;b;batchQueries;")
    assert lines[1].endswith(";fdd;1")


def test_pictures(chain):
    assert TRACE_FORMATS["mermaid"](chain.upstream("b", columns=True)).startswith("flowchart LR\n")
    picture = TRACE_FORMATS["dot"](chain.upstream("d"))
    assert picture.startswith("digraph lineage {")
    assert picture.count("Query Insert") == 4
