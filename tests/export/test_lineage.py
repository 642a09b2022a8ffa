"""The class that analyses return."""

from __future__ import annotations

import json

import pytest
from hand_made import Builder, insert_with_cte
from samples import hiredate_view

from connector.errors import ConfigurationError
from connector.export import ExportOptions, read_xml, to_dict
from connector.lineage import Lineage
from connector.model import Model
from connector.options import Options


def test_levels_are_the_exports_objects() -> None:
    lineage = Lineage(hiredate_view())
    for _ in range(2):
        for impact in (True, False):
            for level in ("complete", "column", "table"):
                assert lineage.to_dict(level, impact=impact) == to_dict(
                    lineage.model, level, ExportOptions(impact=impact)
                )
    assert json.loads(lineage.to_json("table")) == lineage.to_dict("table")
    assert to_dict(read_xml(lineage.to_xml()), "column") == lineage.to_dict("column")
    assert lineage.to_csv("table").startswith("source_db;")
    assert lineage.render("mermaid", "table").startswith("flowchart")


def test_asking_for_the_columns_of_a_select_does_not_change_the_tables() -> None:
    lineage = Lineage(hiredate_view())
    lineage.to_dict("column", top_select=True)
    assert lineage.to_dict("table", top_select=True)["relations"] == lineage.to_dict("table")["relations"]


def with_temporary() -> Model:
    build = Builder()
    fill, read = build.process("Create Table"), build.process("Insert")
    build.entity("tmp", temporary=True)
    build.relation("s.a", "tmp.a", fill)
    build.relation("tmp.a", "o.a", read)
    return build.model


def test_temporaries_are_kept_as_the_analysis_was_told() -> None:
    assert len(Lineage(with_temporary()).to_dict("column")["relations"]) == 1
    assert len(Lineage(with_temporary(), Options(temporaries=True)).to_dict("column")["relations"]) == 2
    assert (
        len(Lineage(with_temporary(), Options(temporaries=True)).to_dict("column", temporaries=False)["relations"]) == 1
    )


def test_problems() -> None:
    build = Builder("x")
    problem = build.problem("what?")
    assert Lineage(build.model).problems == [problem]


def test_it_says_what_it_is() -> None:
    assert repr(Lineage(insert_with_cte())) == "<Lineage: 1 statement, 2 tables, 0 problems>"


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda lineage: lineage.to_dict("tables"), "unknown level 'tables'"),
        (lambda lineage: lineage.render("yaml"), "Unknown format 'yaml'; choose one of text, json"),
        (
            lambda lineage: lineage.to_csv("complete"),
            "The format csv does not support the level 'complete'; choose one of column, table",
        ),
        (lambda lineage: lineage.to_dict(impakt=False), "unknown switch 'impakt'"),
    ],
)
def test_wrong_usage_is_explained(call, message: str) -> None:  # type: ignore[no-untyped-def]
    with pytest.raises(ConfigurationError, match=message):
        call(Lineage(insert_with_cte()))
