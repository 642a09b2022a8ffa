"""The column level: chains, temporaries, variables, joins, repeats."""

from __future__ import annotations

from typing import Any

import pytest
from hand_made import Builder, insert_with_cte

from connector import analyze
from connector.model import Model
from connector.model.levels import ColumnEdge, column_level
from connector.model.levels.ways import Ways


def shown(edge: ColumnEdge) -> str:
    clause = f"({edge.clause})" if edge.clause else ""
    return f"{edge.source!r} -{edge.type}{clause}-> {edge.target!r}"


def edges(model: Model, **switches: bool) -> list[str]:
    return [shown(edge) for edge in column_level(model, **switches)]


def test_a_chain_through_a_cte_is_one_edge() -> None:
    assert edges(insert_with_cte()) == ["t.a -fdd-> o.y", "t.b -fdr(where)-> o.PseudoRows"]


def test_the_effect_and_the_process_are_those_of_the_write() -> None:
    model = insert_with_cte()
    edge = column_level(model)[0]
    assert (edge.effect, edge.process, edge.count) == ("insert", model.processes[0], 1)


def test_without_impact_only_data_flow_is_left() -> None:
    assert edges(insert_with_cte(), impact=False) == ["t.a -fdd-> o.y"]


def test_any_fdr_makes_the_chain_fdr() -> None:
    build = Builder()
    process = build.process("Insert")
    build.entity("B", "resultset", "select_list")
    build.entity("C", "resultset", "select_list")
    build.relation("a.x", "B.x", process)
    build.relation("B.x", "C.x", process, "fdr")
    build.relation("C.x", "d.x", process)
    assert edges(build.model) == ["a.x -fdr-> d.x"]


def test_of_several_chains_one_of_fdd_wins() -> None:
    build = Builder()
    process = build.process("Insert")
    for name in ("B1", "B2", "B3", "C1", "C3"):
        build.entity(name, "resultset", "select_list")
    for number in "123":
        build.relation("a.x", f"B{number}.x", process)
    build.relation("B1.x", "C1.x", process, "fdr")
    build.relation("B2.x", "C1.x", process, "fdr")
    build.relation("B3.x", "C3.x", process)
    build.relation("C1.x", "d.x", process)
    build.relation("C3.x", "d.x", process)
    assert edges(build.model) == ["a.x -fdd-> d.x"]


def test_a_column_reached_both_ways_still_passes_its_impact_on() -> None:
    build = Builder()
    process = build.process("Insert")
    build.entity("F", "resultset", "function")
    build.relation("t.v", "F.sum", process)
    build.relation("t.g", "F.sum", process, "fdr", clause="groupBy")
    build.relation("F.sum", "o.s", process, "fdr", clause="where")
    build.relation("F.sum", "o.s", process)
    assert edges(build.model) == ["t.v -fdd-> o.s", "t.g -fdr(groupBy)-> o.s"]


def test_the_clause_is_the_one_nearest_to_the_source() -> None:
    build = Builder()
    process = build.process("Insert")
    build.entity("F", "resultset", "function")
    build.entity("RS", "resultset", "select_list")
    build.relation("t.v", "F.sum", process)
    build.relation("t.g", "F.sum", process, "fdr", clause="groupBy")
    build.relation("F.sum", "RS.rows", process, "fdr", clause="having")
    build.relation("RS.rows", "o.rows", process, "fdr")
    assert edges(build.model) == ["t.v -fdr(having)-> o.PseudoRows", "t.g -fdr(groupBy)-> o.PseudoRows"]


def test_two_statements_to_one_column_keep_their_processes_and_types() -> None:
    build = Builder()
    first, second = build.process("Insert"), build.process("Update")
    build.relation("t.a", "o.x", first, effect="insert")
    build.relation("t.a", "o.x", second, "fdr", effect="update", clause="where")
    found = column_level(build.model)
    assert [(edge.type, edge.process, edge.effect) for edge in found] == [
        ("fdd", first, "insert"),
        ("fdr", second, "update"),
    ]


def test_merge_branches_to_one_column_give_one_edge_with_the_first_effect() -> None:
    build = Builder()
    process = build.process("Merge")
    build.entity("MERGE-UPDATE-1", "resultset", "merge-update")
    build.entity("MERGE-INSERT-1", "resultset", "merge-insert")
    build.relation("s.a", "MERGE-UPDATE-1.a", process, effect="merge_update")
    build.relation("s.a", "MERGE-INSERT-1.a", process, effect="merge_insert")
    build.relation("MERGE-UPDATE-1.a", "t.a", process, effect="merge_update")
    build.relation("MERGE-INSERT-1.a", "t.a", process, effect="merge_insert")
    found = column_level(build.model)
    assert [(shown(edge), edge.effect) for edge in found] == [("s.a -fdd-> t.a", "merge_update")]


def test_views_and_tables_stop_a_chain() -> None:
    build = Builder()
    first, second = build.process("Create View"), build.process("Insert")
    build.entity("v", "view")
    build.relation("t.a", "v.a", first)
    build.relation("v.a", "o.a", second)
    assert edges(build.model) == ["t.a -fdd-> v.a", "v.a -fdd-> o.a"]


def test_a_column_may_feed_itself_and_its_neighbour() -> None:
    build = Builder()
    process = build.process("Update")
    build.entity("UPDATE-SET-1", "resultset", "update-set")
    build.relation("t.a t.b", "UPDATE-SET-1.a", process, effect="update")
    build.relation("UPDATE-SET-1.a", "t.a", process, effect="update")
    assert edges(build.model) == ["t.a -fdd-> t.a", "t.b -fdd-> t.a"]


def test_a_recursive_cte_ends() -> None:
    build = Builder()
    process = build.process("Insert")
    build.entity("CTE-1", "resultset", "with_cte")
    build.entity("RS-2", "resultset", "select_list")
    build.relation("t.a", "CTE-1.a", process)
    build.relation("CTE-1.a", "RS-2.a", process)
    build.relation("RS-2.a", "CTE-1.a", process)
    build.relation("CTE-1.a", "o.a", process)
    assert edges(build.model) == ["t.a -fdd-> o.a"]


def test_a_rename_is_data_flow_between_rows() -> None:
    build = Builder()
    build.relation("t2.rows", "t3.rows", build.process("Alter Table"), effect="rename_table")
    assert edges(build.model) == ["t2.PseudoRows -fdd-> t3.PseudoRows"]


def temporary_chain() -> Builder:
    build = Builder()
    fill, read = build.process("Create Table"), build.process("Insert")
    build.entity("tmp", temporary=True)
    build.relation("s.a", "tmp.a", fill)
    build.relation("s.w", "tmp.rows", fill, "fdr", clause="where")
    build.relation("tmp.a", "o.a", read, effect="insert")
    build.relation("tmp.rows", "o.rows", read, "fdr")
    return build


def test_temporary_tables_are_looked_through_across_statements() -> None:
    build = temporary_chain()
    found = column_level(build.model)
    assert [shown(edge) for edge in found] == ["s.a -fdd-> o.a", "s.w -fdr(where)-> o.PseudoRows"]
    assert {edge.process for edge in found} == {build.model.processes[1]}


def test_temporary_tables_are_kept_when_asked_and_never_both() -> None:
    assert edges(temporary_chain().model, keep_temporaries=True) == [
        "s.a -fdd-> tmp.a",
        "s.w -fdr(where)-> tmp.PseudoRows",
        "tmp.a -fdd-> o.a",
        "tmp.PseudoRows -fdr-> o.PseudoRows",
    ]


def test_a_temporary_table_that_feeds_itself_ends() -> None:
    build = temporary_chain()
    again = build.process("Insert")
    build.relation("tmp.a", "tmp.a", again, effect="insert")
    assert edges(build.model, impact=False) == ["s.a -fdd-> o.a"]


def reused_temporary() -> Builder:
    build = Builder()
    build.entity("tmp", temporary=True)
    build.entity("o1")
    build.entity("o2")
    for number in "12":
        build.entity(f"s{number}")
        fill, read = build.process("Create Table"), build.process("Insert")
        build.relation(f"s{number}.a", "tmp.a", fill, effect="create_table")
        build.relation("tmp.a", f"o{number}.a", read, effect="insert")
        build.flow(fill, "tmp", f"s{number}")
        build.flow(read, f"o{number}", "tmp")
    return build


def test_a_temporary_name_used_again_is_another_table() -> None:
    assert edges(reused_temporary().model) == ["s1.a -fdd-> o1.a", "s2.a -fdd-> o2.a"]


def test_a_temporary_table_rebuilt_from_itself_reads_the_version_before() -> None:
    build = Builder()
    build.entity("tmp", temporary=True)
    build.entity("s")
    build.entity("o")
    first, second, read = build.process("Create Table"), build.process("Create Table"), build.process("Insert")
    build.relation("s.a", "tmp.a", first)
    build.relation("tmp.a", "tmp.a", second)
    build.relation("tmp.a", "o.a", read)
    build.flow(first, "tmp", "s")
    build.flow(second, "tmp", "tmp")
    build.flow(read, "o", "tmp")
    assert edges(build.model) == ["s.a -fdd-> o.a"]


def test_cursor_and_record_are_looked_through() -> None:
    build = Builder()
    opens, update = build.process("Cursor"), build.process("Update")
    build.entity("cur", "variable", sub_type="cursor")
    build.entity("rec", "variable", sub_type="record")
    build.entity("UPDATE-SET-1", "resultset", "update-set")
    build.relation("t.a", "cur.a", opens, effect="cursor")
    build.relation("t.w", "cur.rows", opens, "fdr", effect="cursor", clause="where")
    build.relation("cur.a", "rec.a", opens, effect="cursor")
    build.relation("cur.rows", "rec.rows", opens, "fdr", effect="cursor")
    build.relation("rec.a", "UPDATE-SET-1.x", update, effect="update")
    build.relation("rec.rows", "UPDATE-SET-1.rows", update, "fdr", effect="update")
    build.relation("UPDATE-SET-1.x", "u.x", update, effect="update")
    build.relation("UPDATE-SET-1.rows", "u.rows", update, "fdr", effect="update")
    found = column_level(build.model)
    assert [shown(edge) for edge in found] == ["t.a -fdd-> u.x", "t.w -fdr(where)-> u.PseudoRows"]
    assert {edge.process for edge in found} == {update}


def bare_select() -> Builder:
    build = Builder()
    process = build.process("Select")
    top = build.entity("RS-1", "resultset", "select_list")
    top.processes.append(process)
    build.entity("t")
    build.entity("s")
    build.relation("t.a", "RS-1.a", process)
    build.relation("t.k s.k", "RS-1.rows", process, "fdr", clause="joinCondition")
    build.relation("t.k", "s.k", process, "join", join_type="inner", condition="t.k = s.k")
    build.flow(process, None, "t s")
    return build


def test_a_bare_select_has_joins_and_no_targets() -> None:
    found = column_level(bare_select().model)
    assert [(shown(edge), edge.join_type, edge.condition) for edge in found] == [
        ("t.k -join-> s.k", "inner", "t.k = s.k")
    ]


def test_a_bare_selects_columns_are_targets_when_asked() -> None:
    assert edges(bare_select().model, top_select=True, joins=False) == [
        "t.a -fdd-> RS-1.a",
        "t.k -fdr(joinCondition)-> RS-1.PseudoRows",
        "s.k -fdr(joinCondition)-> RS-1.PseudoRows",
    ]


def test_a_bare_selects_own_columns_are_no_sources() -> None:
    build = bare_select()
    process = build.model.processes[0]
    build.relation("RS-1.a", "RS-1.twice", process)
    build.relation("RS-1.a", "s.k", process, "join")
    assert edges(build.model, top_select=True, impact=False) == [
        "t.a -fdd-> RS-1.a",
        "t.a -fdd-> RS-1.twice",
        "t.k -join-> s.k",
        "t.a -join-> s.k",
    ]


def test_a_join_of_computed_sides_links_the_columns_they_are_computed_from() -> None:
    build = Builder()
    process = build.process("Insert")
    build.entity("UNION-1", "resultset", "select_union")
    build.relation("t1.k t2.k", "UNION-1.k", process)
    build.relation("t1.w", "UNION-1.k", process, "fdr", clause="where")
    build.relation("UNION-1.k", "s.k", process, "join")
    assert edges(build.model) == ["t1.k -join-> s.k", "t2.k -join-> s.k"]


def test_two_long_unions_joined_cost_no_product() -> None:
    build = Builder()
    process = build.process("Insert")
    build.entity("U1", "resultset", "select_union")
    build.entity("U2", "resultset", "select_union")
    build.relation(" ".join(f"a{number}.k" for number in range(300)), "U1.k", process)
    build.relation(" ".join(f"b{number}.k" for number in range(200)), "U2.k", process)
    build.relation("U1.k", "U2.k", process, "join")
    found = column_level(build.model)
    assert len(found) == 300
    assert len({edge.source for edge in found} | {edge.target for edge in found}) == 500


def test_a_foreign_key_as_er_is_a_link() -> None:
    build = Builder()
    build.relation("m.id", "f.m_id", None, "er", effect="foreign_key")
    assert edges(build.model) == ["m.id -er-> f.m_id"]
    assert edges(build.model, joins=False) == []


def test_the_same_statement_twice_gives_one_set_of_edges_and_a_count() -> None:
    build = Builder()
    for _ in range(3):
        process = build.process("Insert", text="insert into o select a, b from t join s using (k)")
        build.relation("t.a", "o.x", process)
        build.relation("t.k", "s.k", process, "join")
        build.relation("t.k", "s.k", process, "join")
    other = build.process("Insert", text="insert into o select a from t")
    build.relation("t.a", "o.x", other)
    found = column_level(build.model)
    assert [(shown(edge), edge.count) for edge in found] == [
        ("t.a -fdd-> o.x", 3),
        ("t.a -fdd-> o.x", 1),
        ("t.k -join-> s.k", 3),
    ]


def test_a_deep_chain_needs_no_stack() -> None:
    build = Builder()
    process = build.process("Insert")
    build.relation("t.a", "R0.a", process)
    for number in range(5000):
        build.relation(f"R{number}.a", f"R{number + 1}.a", process)
    for name, entity in build.entities.items():
        if name.startswith("R"):
            entity.kind = "resultset"
    build.relation("R5000.a", "o.a", process)
    assert edges(build.model) == ["t.a -fdd-> o.a"]


def test_a_temporary_table_that_many_statements_update_costs_in_proportion(monkeypatch: pytest.MonkeyPatch) -> None:
    calls = 0
    go_back = Ways._go_back

    def counted(self: Ways, *arguments: Any) -> None:
        nonlocal calls
        calls += 1
        go_back(self, *arguments)

    monkeypatch.setattr(Ways, "_go_back", counted)

    def cost(statements: int) -> int:
        nonlocal calls
        calls = 0
        updates = "".join(
            f"insert into #found (a, b) select x{i}, y from source_{i}; update #found set b = b + 'x' where a = {i};"
            for i in range(statements)
        )
        script = f"create table #found (a int, b varchar(100)); {updates} insert into kept select a, b from #found;"
        relations = analyze(script, "mssql").to_dict(level="column")["relations"]
        read = {edge["source"]["table"] for edge in relations if edge["target"]["table"] == "kept"}
        assert len(read) == statements
        return calls

    assert cost(120) < 3 * cost(60)
