"""Columns of known tables: how names are matched, and what the files may look like."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from connector import ConfigurationError, analyze, read_metadata
from connector.metadata import (
    MappingMetadata,
    TableInfo,
    as_provider,
    load_metadata,
    merge_metadata,
    parse_json_metadata,
)


def describe(metadata: object, *name: str | None) -> tuple[str, ...] | None:
    padded = (None,) * (3 - len(name)) + name
    found = as_provider(metadata).describe(*padded)  # type: ignore[arg-type,union-attr]
    return found.columns if found is not None else None


@pytest.mark.parametrize(
    ("table", "reference"),
    [
        ("t", ("t",)),
        ("t", ("s", "t")),
        ("s.t", ("s", "t")),
        ("s.t", ("t",)),
        ("d.s.t", ("d", "s", "t")),
        ("d.s.t", ("s", "t")),
        ("S.T", ("s", "t")),
        ('"s"."t"', ("s", "t")),
    ],
)
def test_a_table_is_found_by_the_layers_both_name(table: str, reference: tuple[str, ...]) -> None:
    assert describe({table: ["a", "b"]}, *reference) == ("a", "b")


def test_another_schema_is_another_table() -> None:
    assert describe({"s.t": ["a"]}, "x", "t") is None


def test_a_bare_name_that_fits_two_tables_finds_neither() -> None:
    assert describe({"a.t": ["x"], "b.t": ["y"]}, "t") is None


def test_the_exact_name_wins_over_a_longer_one() -> None:
    assert describe({"t": ["x"], "b.t": ["y"]}, "t") == ("x",)


def test_columns_may_come_with_types() -> None:
    assert describe({"t": {"a": "int", "b": "text"}}, "t") == ("a", "b")


def test_plain_json_may_nest_the_layers() -> None:
    found = parse_json_metadata({"d": {"s": {"t": ["a", {"name": "b"}]}}})
    assert found.describe("d", "s", "t") == TableInfo(("a", "b"))


def test_exported_json_knows_views_and_schemas() -> None:
    found = parse_json_metadata(
        {
            "databases": [
                {
                    "name": "d",
                    "tables": [{"name": "t", "columns": [{"name": "a"}]}],
                    "schemas": [{"name": "s", "views": [{"name": "v", "columns": [{"name": "b"}]}]}],
                }
            ]
        }
    )
    assert found.describe("d", None, "t") == TableInfo(("a",))
    assert found.describe("d", "s", "v") == TableInfo(("b",), view=True)


@pytest.mark.parametrize("content", [[1], {"t": 3}, {"t": [3]}])
def test_json_of_another_form_is_refused(content: object, tmp_path: Path) -> None:
    file = tmp_path / "m.json"
    file.write_text(json.dumps(content))
    with pytest.raises(ConfigurationError, match=r"m\.json"):
        load_metadata(file)


def test_broken_json_is_refused_with_its_line(tmp_path: Path) -> None:
    file = tmp_path / "m.json"
    file.write_text('{\n"t": [')
    with pytest.raises(ConfigurationError, match="line 2"):
        load_metadata(file)


def test_a_missing_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(ConfigurationError, match=r"none\.json"):
        load_metadata(tmp_path / "none.json")


def test_several_files_are_asked_in_turn() -> None:
    first, second = MappingMetadata([(["t"], TableInfo(("a",)))]), MappingMetadata([(["u"], TableInfo(("b",)))])
    merged = merge_metadata([first, second])
    assert merged is not None
    assert merged.describe(None, None, "u") == TableInfo(("b",))
    assert merge_metadata([]) is None


def test_ddl_gives_the_columns_that_stand_at_its_end(tmp_path: Path) -> None:
    ddl = tmp_path / "schema.sql"
    ddl.write_text(
        """
        create table shop.orders (id int, total numeric, "Note" text);
        alter table shop.orders add column placed date;
        create view shop.big as select id, total from shop.orders where total > 100;
        create table gone (a int);
        drop table gone;
        """
    )
    metadata = read_metadata(ddl, "postgresql")
    assert metadata.describe(None, "shop", "orders") == TableInfo(
        ("id", "total", "Note", "placed"), types=("int", "numeric", "text", None)
    )
    assert metadata.describe(None, "shop", "big") == TableInfo(("id", "total"), view=True)
    assert metadata.describe(None, None, "gone") is None
    edges = analyze("insert into o select * from shop.orders", "postgresql", metadata=metadata).to_dict("column")[
        "relations"
    ]
    assert [edge["target"]["column"] for edge in edges] == ["id", "total", "Note", "placed"]
