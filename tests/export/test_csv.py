"""CSV: the headers and rows of the reference."""

from __future__ import annotations

import csv
from hashlib import md5

from hand_made import Builder
from samples import hiredate_view, hiredate_view_updated, insert_overwrite, where_clause

from connector.export import FORMATS, ExportOptions
from connector.model import Model


def lines(model: Model, level: str = "column", **switches: bool) -> list[str]:
    return FORMATS["csv"].render(model, level, ExportOptions(**switches)).splitlines()


def test_the_table_level_of_the_hiredate_sample() -> None:
    model = hiredate_view()
    digest = model.processes[0].query_hash_id
    assert lines(model, "table") == [
        "source_db;source_schema;source_table;target_db;target_schema;target_table;procedure_names;query_hash_id",
        f"default;Person;Person;default;dbo;hiredate_view;batchQueries;{digest}",
        f"default;HumanResources;Employee;default;dbo;hiredate_view;batchQueries;{digest}",
    ]


def test_the_column_level_has_no_intermediates() -> None:
    model = hiredate_view_updated()
    header, *rows = lines(model)
    assert header == (
        "source_db;source_schema;source_table;source_column;target_db;target_schema;target_table;target_column;"
        "procedure_names;query_hash_id"
    )
    update = model.processes[1].query_hash_id
    assert len(rows) == 5
    assert f"default;Person;Person;FirstName;default;dbo;hiredate_view;FirstName;batchQueries;{update}" in rows


def test_the_second_mode_goes_through_resultsets_named_by_their_hash() -> None:
    model = hiredate_view_updated()
    digest = model.processes[1].query_hash_id
    resultset = md5(b"update-set:FIRSTNAME").hexdigest()
    rows = [row for row in lines(model, intermediate_csv=True) if row.endswith(digest)]
    assert rows == [
        f"default;Person;Person;FirstName;default;default;{resultset};FirstName;batchQueries;{digest}",
        f"default;default;{resultset};FirstName;default;dbo;hiredate_view;FirstName;batchQueries;{digest}",
    ]


def test_impact_is_left_out_unless_asked_for() -> None:
    assert not any("PseudoRows" in row for row in lines(hiredate_view()))
    assert sum("PseudoRows" in row for row in lines(hiredate_view(), impact_csv=True)) == 2


def test_joins_are_no_lineage() -> None:
    rows = lines(hiredate_view(), impact_csv=True)
    assert not any(";Person;Person;BusinessEntityID;default;HumanResources" in row for row in rows)


def test_a_path_is_a_table_named_by_its_uri() -> None:
    assert lines(insert_overwrite(), "table")[1].startswith("default;default;pv_gender_sum;default;default;/tmp/pv")


def test_a_bare_select_has_rows_when_asked() -> None:
    assert len(lines(where_clause())) == 1
    assert len(lines(where_clause(), top_select=True)) == 2
    assert len(lines(where_clause(), intermediate_csv=True)) == 1


def awkward() -> Model:
    build = Builder()
    process = build.process("Insert", procedure="p;1")
    build.entity("o", table='say "hi"\nyou')
    build.relation("=cmd.-1", "o.+x", process)
    build.relation("=cmd.-1", "o.@x", process)
    return build.model


def test_awkward_names_survive() -> None:
    text = FORMATS["csv"].render(awkward(), "column", ExportOptions(safe_csv=False))
    _, first, _ = csv.reader(text.splitlines(keepends=True), delimiter=";")
    assert first[2:4] == ["=cmd", "-1"]
    assert first[6:9] == ['say "hi"\nyou', "+x", "p;1"]


def test_formulas_are_made_harmless() -> None:
    text = FORMATS["csv"].render(awkward(), "column", ExportOptions())
    _, first, second = csv.reader(text.splitlines(keepends=True), delimiter=";")
    assert first[2:4] == ["'=cmd", "'-1"]
    assert (first[7], second[7]) == ("'+x", "'@x")


def test_a_statement_in_two_procedures_is_one_row_that_names_both() -> None:
    build = Builder()
    for procedure in ("p", "q", "p"):
        process = build.process("Insert", text="insert", procedure=procedure)
        build.relation("t.a", "o.a", process)
    (row,) = lines(build.model)[1:]
    assert row.split(";")[8] == "p q"
