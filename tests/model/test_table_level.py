"""The table level: flows, types from the columns, temporaries, statements."""

from __future__ import annotations

from hand_made import Builder, insert_with_cte

from connector.model import Model
from connector.model.levels import column_level, table_level


def relations(model: Model, **switches: bool) -> list[str]:
    return [
        f"{edge.source.name} -{edge.type}-> {edge.target.name}" for edge in table_level(model, **switches).relations
    ]


def statements(model: Model) -> list[tuple[str, list[str], list[str]]]:
    return [
        (facts.process.type, [entity.name for entity in facts.inputs], [entity.name for entity in facts.outputs])
        for facts in table_level(model).statements
    ]


def test_columns_decide_the_type() -> None:
    model = insert_with_cte()
    assert relations(model) == ["t -fdd-> o"]
    assert statements(model) == [("Insert", ["t"], ["o"])]


def test_given_edges_give_the_same_level() -> None:
    model = insert_with_cte()
    given = table_level(model, edges=column_level(model))
    assert [(edge.type, edge.source, edge.target) for edge in given.relations] == [
        (edge.type, edge.source, edge.target) for edge in table_level(model).relations
    ]


def test_a_table_that_gives_no_column_is_read_all_the_same() -> None:
    build = Builder()
    process = build.process("Insert")
    build.entity("o")
    build.entity("t")
    build.flow(process, "o", "t")
    assert relations(build.model) == ["t -fdr-> o"]
    assert relations(build.model, impact=False) == []
    assert statements(build.model) == [("Insert", ["t"], ["o"])]


def test_unknown_columns_count_as_data() -> None:
    build = Builder()
    process = build.process("Insert")
    process.approximate = True
    build.entity("o")
    build.entity("t")
    build.flow(process, "o", "t")
    assert relations(build.model) == ["t -fdd-> o"]


def test_an_orphan_column_may_be_any_tables_data_and_its_table_is_no_table() -> None:
    build = Builder()
    process = build.process("Insert")
    build.entity("o")
    build.entity("pseudo_table_include_orphan_column", type="pseudoTable")
    build.entity("t1")
    build.entity("t2")
    build.relation("pseudo_table_include_orphan_column.a", "o.a", process)
    build.relation("t2.k", "o.rows", process, "fdr", clause="where")
    build.flow(process, "o", "t1 t2 pseudo_table_include_orphan_column")
    assert relations(build.model) == ["t1 -fdd-> o", "t2 -fdr-> o"]
    assert statements(build.model) == [("Insert", ["t1", "t2"], ["o"])]


def test_own_columns_in_set_do_not_make_a_target_its_own_input() -> None:
    build = Builder()
    process = build.process("Update")
    build.entity("t")
    build.entity("s")
    build.relation("t.a s.b", "t.a", process)
    build.flow(process, "t", "s")
    assert relations(build.model) == ["s -fdd-> t"]


def test_a_target_read_in_from_is_its_own_input() -> None:
    build = Builder()
    process = build.process("Insert")
    build.entity("t")
    build.relation("t.a", "t.a", process)
    build.flow(process, "t", "t")
    assert relations(build.model) == ["t -fdd-> t"]
    assert statements(build.model) == [("Insert", ["t"], ["t"])]


def temporary() -> Builder:
    build = Builder()
    fill, read = build.process("Create Table"), build.process("Insert")
    build.entity("s")
    build.entity("w")
    build.entity("tmp", temporary=True)
    build.entity("o")
    build.relation("s.a", "tmp.a", fill)
    build.relation("tmp.a", "o.a", read)
    build.flow(fill, "tmp", "s w")
    build.flow(read, "o", "tmp")
    return build


def test_relations_and_statements_look_through_temporaries() -> None:
    build = temporary()
    assert relations(build.model) == ["s -fdd-> o", "w -fdr-> o"]
    assert statements(build.model) == [("Create Table", ["s", "w"], []), ("Insert", ["s", "w"], ["o"])]


def test_temporaries_are_kept_when_asked() -> None:
    assert relations(temporary().model, keep_temporaries=True) == ["s -fdd-> tmp", "w -fdr-> tmp", "tmp -fdd-> o"]


def test_a_temporary_name_used_again_is_another_table() -> None:
    build = temporary()
    fill, read = build.process("Create Table"), build.process("Insert")
    build.entity("s2")
    build.entity("o2")
    build.relation("s2.a", "tmp.a", fill)
    build.relation("tmp.a", "o2.a", read)
    build.flow(fill, "tmp", "s2")
    build.flow(read, "o2", "tmp")
    assert relations(build.model) == ["s -fdd-> o", "w -fdr-> o", "s2 -fdd-> o2"]


def test_temporaries_that_feed_each_other_end() -> None:
    build = temporary()
    again = build.process("Insert")
    build.flow(again, "tmp", "tmp o")
    assert relations(build.model) == ["s -fdd-> o", "w -fdr-> o", "o -fdr-> o"]


def test_a_table_behind_a_cursor_is_found_by_its_columns() -> None:
    build = Builder()
    update = build.process("Update")
    build.entity("u")
    build.entity("cur", "variable", sub_type="cursor")
    build.relation("t.a", "cur.a", None, effect="cursor")
    build.relation("cur.a", "u.x", update, effect="update")
    build.flow(update, "u", "cur")
    assert relations(build.model) == ["t -fdd-> u"]
    assert statements(build.model) == [("Update", [], ["u"])]


def test_a_bare_select_is_a_statement_without_outputs() -> None:
    build = Builder()
    process = build.process("Select")
    build.entity("t")
    build.flow(process, None, "t")
    assert relations(build.model) == []
    assert statements(build.model) == [("Select", ["t"], [])]


def test_a_statement_that_moves_nothing_is_no_statement() -> None:
    build = Builder()
    build.process("Create Procedure")
    assert statements(build.model) == []


def test_a_relation_without_a_process_is_an_edge_too() -> None:
    build = Builder()
    build.relation("m.id", "f.m_id", None, effect="foreign_key")
    assert relations(build.model) == ["m -fdd-> f"]


def test_a_process_without_flows_is_found_by_its_columns() -> None:
    build = Builder()
    build.relation("m.id", "f.m_id", build.process("Create Table"), effect="foreign_key")
    assert relations(build.model) == ["m -fdd-> f"]


def test_repeated_statements_are_counted() -> None:
    build = Builder()
    build.entity("o")
    build.entity("t")
    for _ in range(2):
        process = build.process("Insert", text="insert into o select a from t")
        build.relation("t.a", "o.a", process)
        build.flow(process, "o", "t")
    (edge,) = table_level(build.model).relations
    assert (edge.type, edge.count) == ("fdd", 2)
    assert len(table_level(build.model).statements) == 2
