"""Names that engines derive from expressions do not carry literals to other systems, and stay the names of the same columns."""

from __future__ import annotations

import json
from datetime import datetime, timezone

import pytest

from connector import Lineage, analyze
from connector.analysis.definitions import read_definitions
from connector.catalogs.atlas.mapping import load_mapping as atlas_mapping
from connector.catalogs.atlas.statements import make_plan as atlas_plan
from connector.catalogs.openlineage.collecting import collect
from connector.catalogs.openlineage.settings import OpenLineageSettings
from connector.catalogs.openmetadata.mapping import load_mapping as openmetadata_mapping
from connector.catalogs.openmetadata.planning import make_plan as openmetadata_plan
from connector.common.resources import resource_folder
from connector.compare import difference, document_edges, model_edges
from connector.compare.rendering import render_markdown, render_text
from connector.export import read_xml
from connector.model import Script
from connector.model.rows import model_of, rows_of
from connector.sql.dialects import get_dialect
from connector.sql.masked_names import mask_name, mask_names
from connector.store.level_rows import level_rows

PLANTED = ("4555000011112222", "4777000011112222", "hunter two", "4666000011112222", "remark")
VIEW = """
create view mart.v as
select case when c = '4555000011112222' then d else 4666000011112222 end,
       case when c = '4777000011112222' /* remark 1 */ then d else 4666000011112222 end,
       concat(c, 'hunter two'), count(1)
from raw.t group by c, d;
"""
COPY = "create table mart.w as select * from mart.v;"
SCRIPT = VIEW + COPY
DIALECTS = ("ansi", "clickhouse", "databricks", "duckdb", "mysql", "oracle", "snowflake", "spark", "sqlite")


def none_planted(text: str) -> None:
    assert text
    assert not [word for word in PLANTED if word in text]


def test_words_that_the_grammar_needs_as_strings_are_no_literals() -> None:
    trigger = "create trigger k before delete on t begin select raise(rollback, 'locked 12345') from u; end;"
    model = analyze(trigger, dialect="sqlite").model
    masked = [column.masked for entity in model.entities for column in entity.columns.values() if column.masked]
    assert masked
    assert all(name.startswith("raise(rollback, ?) #") for name in masked)


@pytest.fixture(params=DIALECTS)
def lineage(request: pytest.FixtureRequest) -> Lineage:
    return analyze(SCRIPT, dialect=request.param)


def test_outputs_for_other_systems(lineage: Lineage) -> None:
    model = lineage.model
    none_planted(lineage.render("openlineage", "column"))
    settings = OpenLineageSettings(file="events.jsonl")
    events = collect([lineage], settings, now=datetime(2026, 1, 1, tzinfo=timezone.utc))
    none_planted(json.dumps([event.content for event in events], ensure_ascii=False))
    rows = level_rows(model)
    none_planted(repr([[each.name for each in rows.objects], rows.columns]))
    mappings = resource_folder("mappings")
    none_planted(repr(openmetadata_plan([lineage], openmetadata_mapping(mappings / "openmetadata.yaml")[0], "n", "wh")))
    none_planted(repr(atlas_plan([lineage], atlas_mapping(mappings / "default.yaml")[0], source="nightly")))


def test_differences(lineage: Lineage) -> None:
    dialect = get_dialect(lineage.model.vendor)
    found = difference([], model_edges(lineage.model, "column"), "column", dialect)
    assert len(found.added) >= 8
    none_planted(render_markdown(found, "column", dialect))
    none_planted(render_text(found, "column"))


def test_columns_stay_apart_and_connected(lineage: Lineage) -> None:
    view, table = (next(e for e in lineage.model.entities if e.table.lower() == name) for name in ("v", "w"))
    names = [column.public_name for column in view.columns.values() if not column.system]
    assert len(names) == len({name.lower() for name in names}) == 4
    assert [column.public_name for column in table.columns.values() if not column.system] == names
    if get_dialect(lineage.model.vendor).labels != "oracle":
        assert names[3] == "count(1)", "small numbers are part of many engines' names, and no secret"


def test_names_survive_the_tables_of_a_run(lineage: Lineage) -> None:
    restored = model_of(rows_of(lineage.model), [script.text for script in lineage.model.scripts])
    assert level_rows(restored).columns == level_rows(lineage.model).columns


@pytest.mark.parametrize("dialect", DIALECTS)
def test_a_view_of_another_script_keeps_its_names(dialect: str) -> None:
    known = read_definitions([Script(VIEW)], get_dialect(dialect))
    reading = level_rows(analyze(COPY, dialect=dialect, metadata=known).model)
    none_planted(repr(reading.columns))
    writing = level_rows(analyze(VIEW, dialect=dialect).model)
    read = {column.name for column in reading.columns if ".v." in column.name.lower()}
    written = {column.name for column in writing.columns if ".v." in column.name.lower()}
    assert len(read) >= 4
    assert read <= written


def test_exports_of_earlier_runs() -> None:
    """An export has the names as they are; what is loaded from it does not."""
    lineage = analyze(SCRIPT, dialect="snowflake")
    model = read_xml(lineage.to_xml())
    mask_names(model, get_dialect("snowflake"))
    assert {column.name for column in level_rows(model).columns} == {
        column.name for column in level_rows(lineage.model).columns
    }
    document = lineage.to_dict(level="column")
    edges = document_edges(document, "column", get_dialect("snowflake"))
    assert not difference(edges, model_edges(lineage.model, "column"), "column", get_dialect("snowflake"), masked=True)


def test_what_is_no_literal_stays() -> None:
    dialect = get_dialect("snowflake")
    for text in ("sum(a * b)", "count(1)", "round(price, 2)", "cast(a as varchar(200))", "upper(name)"):
        assert mask_name(text, text, dialect) is None
    named = analyze('create view v as select a * 12345 as "Total 12345" from t', dialect="snowflake")
    assert "Total 12345" in named.render("openlineage", "column")


PIVOTS = {
    "snowflake": "create view mart.v as select * from (select k, amt, c from raw.t) pivot (sum(amt) for c in ({}))",
    "databricks": "create view mart.v as select * from (select k, amt, c from raw.t) pivot (sum(amt) for c in ({}))",
    "bigquery": "create view mart.v as select * from (select k, amt, c from raw.t) pivot (sum(amt) for c in ({}))",
    "oracle": "create view mart.v as select * from (select k, amt, c from raw.t) pivot (sum(amt) for c in ({}))",
    "redshift": "create view mart.v as select * from (select k, amt, c from raw.t) pivot (sum(amt) for c in ({}))",
    "duckdb": "create view mart.v as pivot (select k, amt, c from raw.t) on c in ({}) using sum(amt)",
}
VALUES = ("4555000011112222", "hunter two", "remark")


@pytest.fixture(params=PIVOTS)
def pivoting(request: pytest.FixtureRequest) -> tuple[str, str]:
    """A dialect, and a view whose columns are named after values."""
    return request.param, PIVOTS[request.param].format(", ".join(f"'{value}'" for value in VALUES))


def test_values_of_a_pivot(pivoting: tuple[str, str]) -> None:
    dialect, view = pivoting
    lineage = analyze(f"{view};\n{COPY}\ncreate table mart.z as select * from mart.w", dialect=dialect)
    assert {type(c.name) for e in lineage.model.entities for c in e.columns.values()} == {str}
    rows = level_rows(lineage.model)
    none_planted(repr([[each.name for each in rows.objects], rows.columns]))
    none_planted(lineage.render("openlineage", "column"))
    mappings = resource_folder("mappings")
    none_planted(repr(openmetadata_plan([lineage], openmetadata_mapping(mappings / "openmetadata.yaml")[0], "n", "wh")))
    none_planted(repr(atlas_plan([lineage], atlas_mapping(mappings / "default.yaml")[0], source="nightly")))
    view_columns, copied = (
        [c.public_name for c in e.columns.values() if not c.system and c.masked]
        for name in ("v", "z")
        for e in lineage.model.entities
        if e.table.lower() == name
    )
    assert len(set(view_columns)) == len(VALUES)
    assert copied == view_columns


def test_values_of_a_pivot_in_another_script(pivoting: tuple[str, str]) -> None:
    dialect, view = pivoting
    known = read_definitions([Script(view)], get_dialect(dialect))
    assert {type(name) for _, info in known.entries() for name in info.columns} == {str}
    written = {column.name for column in level_rows(analyze(view, dialect=dialect).model).columns}
    reading = level_rows(analyze(COPY, dialect=dialect, metadata=known).model)
    none_planted(repr(reading.columns))
    read = {column.name for column in reading.columns if ".v." in column.name.lower()}
    assert len(read) >= len(VALUES)
    assert read <= written


@pytest.mark.parametrize("dialect", ["databricks", "bigquery", "duckdb", "redshift"])
def test_columns_called_like_a_value(dialect: str) -> None:
    """The value of a pivot may be the name of a real column; that one keeps it, whoever reads or writes it."""
    view = PIVOTS[dialect].format("'paid', 'open'")
    script = f"{view};\ninsert into mart.t (k, paid, open) select * from mart.v;\ncreate table mart.u as select open from mart.t"
    columns = {column.name.lower() for column in level_rows(analyze(script, dialect=dialect).model).columns}
    assert {"paid", "open"} <= {name.rpartition("mart.t.")[2].partition("@")[0] for name in columns}
    assert not [name for name in columns if "mart.v.paid" in name]
    known = read_definitions([Script(view)], get_dialect(dialect))
    reading = analyze("create table mart.x as select paid from mart.v", dialect=dialect, metadata=known)
    read = {column.name for column in level_rows(reading.model).columns if ".v." in column.name.lower()}
    written = {column.name for column in level_rows(analyze(view, dialect=dialect).model).columns}
    assert read
    assert read <= written, "a view has one column of this name, not one for each spelling"


def test_columns_that_are_numbered_and_aliases() -> None:
    lineage = analyze(
        "create table w as select a.*, b.* from (select * from t pivot (sum(x) for c in ('hunter two' as h, 'remark'))) a, "
        "(select * from t pivot (sum(x) for c in (12, 'remark'))) b",
        dialect="duckdb",
    )
    names = {column.name.rpartition("w.")[2] for column in level_rows(lineage.model).columns if ".w." in column.name}
    none_planted(repr(names))
    assert {name.partition("@")[0] for name in names} >= {"h", "12"}
