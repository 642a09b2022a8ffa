"""The switches: what they hide, and what then leads past it."""

from __future__ import annotations

from typing import Any

from hand_made import Builder, insert_with_cte
from samples import hiredate_view, round_function, where_clause

from connector.export import ExportOptions, to_dict
from connector.model import Model


def relations(model: Model, **switches: bool) -> list[str]:
    document = to_dict(model, "complete", ExportOptions(**switches))
    return [
        f"{source['parentName']}.{source.get('column', '')} -{relation['type']}-> "
        f"{relation['target']['parentName']}.{relation['target'].get('column', '')}"
        for relation in document["relations"]
        for source in relation["sources"]
    ]


def names(model: Model, **switches: bool) -> list[str]:
    return [entity["name"] for entity in to_dict(model, "complete", ExportOptions(**switches))["dbobjs"]]


def test_without_functions_arguments_lead_to_the_result() -> None:
    assert relations(round_function(), function=False) == ["scott.emp.salary -fdd-> RS-1.sal"]
    assert names(round_function(), function=False) == ["scott.emp", "RS-1"]


def test_without_recordsets_only_the_result_of_a_bare_select_stays() -> None:
    assert names(insert_with_cte(), recordset=False) == ["o", "t"]
    assert relations(insert_with_cte(), recordset=False) == ["t.a -fdd-> o.y", "t.b -fdr-> o.PseudoRows"]
    assert names(where_clause(), recordset=False) == ["scott.emp", "RS-1"]


def test_functions_may_stay_when_recordsets_go() -> None:
    build = Builder()
    process = build.process("Insert")
    build.entity("FUNCTION-1", "resultset", "function")
    build.entity("RS-1", "resultset", "select_list")
    build.relation("t.a", "FUNCTION-1.sum", process)
    build.relation("FUNCTION-1.sum", "RS-1.s", process)
    build.relation("RS-1.s", "o.s", process)
    assert relations(build.model, recordset=False) == ["t.a -fdd-> FUNCTION-1.sum", "FUNCTION-1.sum -fdd-> o.s"]
    assert relations(build.model, recordset=False, function=False) == ["t.a -fdd-> o.s"]


def test_types_are_switched_by_themselves() -> None:
    def kinds(**switches: bool) -> set[str]:
        document = to_dict(hiredate_view(), "complete", ExportOptions(**switches))
        return {relation["type"] for relation in document["relations"]}

    assert kinds() == {"fdd", "fdr", "join"}
    assert kinds(impact=False) == {"fdd", "join"}
    assert kinds(dataflow=False) == {"fdr", "join"}
    assert kinds(joins=False) == {"fdd", "fdr"}


def test_derived_levels_follow_the_switches() -> None:
    def kinds(level: str, **switches: bool) -> set[str]:
        document = to_dict(hiredate_view(), level, ExportOptions(**switches))
        return {relation["type"] for relation in document["relations"]}

    assert kinds("column") == {"fdd", "fdr", "join"}
    assert kinds("column", dataflow=False, joins=False) == {"fdr"}
    assert kinds("table") == {"fdd"}
    assert kinds("table", dataflow=False) == set()


def test_without_columns_entities_are_related() -> None:
    assert relations(insert_with_cte(), columns=False, impact=False) == [
        "t. -fdd-> RS-1.",
        "RS-1. -fdd-> CTE-C-1.",
        "CTE-C-1. -fdd-> INSERT-SELECT-1.",
        "INSERT-SELECT-1. -fdd-> o.",
    ]
    document = to_dict(insert_with_cte(), "complete", ExportOptions(columns=False))
    assert not any("columns" in entity for entity in document["dbobjs"])


def test_a_bare_select_has_no_process_unless_asked_for() -> None:
    document = to_dict(where_clause())
    assert document["processes"] == []
    assert not any("processId" in relation for relation in document["relations"])
    assert not any("processIds" in entity for entity in document["dbobjs"])
    document = to_dict(where_clause(), "complete", ExportOptions(top_select=True))
    (process,) = document["processes"]
    assert all(relation["processId"] == process["id"] for relation in document["relations"])


def test_columns_of_a_bare_select_have_no_table() -> None:
    document: dict[str, Any] = to_dict(where_clause(), "column", ExportOptions(top_select=True))
    direct, impact = document["relations"]
    assert direct["target"] == {
        "kind": "resultset",
        "database": None,
        "schema": None,
        "table": None,
        "column": "eName",
        "qualifiedName": None,
    }
    assert (impact["type"], impact["clauseType"], impact["target"]["column"]) == ("fdr", "where", "PseudoRows")
    assert direct["processId"] == document["processes"][0]["id"]


def test_a_coarser_identity_is_shown_beside_the_hash_of_the_text() -> None:
    model = insert_with_cte()
    text = model.processes[0].query_hash_id
    model.processes[0].identity = "0" * 32
    (process,) = to_dict(model)["processes"]
    assert (process["queryHashId"], process["textHashId"]) == ("0" * 32, text)
