"""Mappings: the shipped ones fit their types, and a mistake is shown with file, line and what is wrong."""

from __future__ import annotations

from pathlib import Path

import pytest

from connector.catalogs.atlas.mapping import FIELDS, KINDS
from connector.catalogs.atlas.validation import checked_mapping
from connector.catalogs.templates import Template, TemplateError
from connector.common.resources import resource_folder
from connector.errors import ConfigurationError

SMALL = """\
name: small
typedefs: [structure.json, processes.json, atlas/base.json]
levels: [table]
entities:
  instance:
    type: sql_instance
    qualifiedName: "{cluster}"
    attributes: {name: "{cluster}"}
  database:
    type: sql_database
    qualifiedName: "{database}@{cluster}"
    attributes: {name: "{database}"}
    references: {instance: instance}
  table:
    type: sql_table
    qualifiedName: "{qualified_name}"
    attributes:
      name: "{table}"
      dialect: "{dialect}"
    references: {namespace: namespace}
  process:
    type: sql_process
    qualifiedName: "{qualified_name}"
    attributes:
      name: "{query_hash_id}"
      runCount: "{run_count}"
"""


def mistakes(tmp_path: Path, old: str, new: str) -> list[str]:
    """What is said about the small mapping after one replacement, with the line of each mistake in front."""
    assert old in SMALL
    file = tmp_path / "small.yaml"
    file.write_text(SMALL.replace(old, new))
    with pytest.raises(ConfigurationError) as caught:
        checked_mapping(str(file))
    lines = str(caught.value).splitlines()
    assert all(line.startswith(f"{file}:") for line in lines)
    return [line.removeprefix(f"{file}:") for line in lines]


_SHIPPED = [file for file in sorted(resource_folder("mappings").glob("*.yaml")) if file.stem != "openmetadata"]


@pytest.mark.parametrize("file", _SHIPPED, ids=lambda file: file.stem)
def test_shipped_mappings_fit_their_types(file: Path) -> None:
    assert checked_mapping(file.stem).mapping.name == file.stem


def test_the_small_mapping_is_right(tmp_path: Path) -> None:
    file = tmp_path / "small.yaml"
    file.write_text(SMALL)
    checked_mapping(str(file))


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ('dialect: "{dialect}"', 'dialects: "x"', "19: table.attributes.dialects: sql_table has no attribute dialects"),
        ('dialect: "{dialect}"', 'Dialect: "x"', "did you mean dialect?"),
        ('dialect: "{dialect}"', 'dialect: "{dialekt}"', "19: table.attributes.dialect: a table has no field dialekt"),
        ('dialect: "{dialect}"', 'dialect: "{dialect|shout}"', "there is no filter 'shout'"),
        ('dialect: "{dialect}"', 'dialect: "{dialect"', "a single { in"),
        (
            'dialect: "{dialect}"',
            "dialect: 5",
            "19: table.attributes.dialect: 5 does not fit the attribute's type string",
        ),
        ('dialect: "{dialect}"', "columns: x", "columns points to another entity: put it under references"),
        ("type: sql_table", "type: sql_tabel", "15: table.type: there is no type sql_tabel in the typedefs"),
        ("type: sql_table", "type: sql_instance", "does not extend DataSet"),
        ('runCount: "{run_count}"', 'runCount: "{query_hash_id}"', "the template gives string"),
        ('runCount: "{run_count}"', 'runCount: "n {run_count}"', "the template gives string"),
        ("    references: {namespace: namespace}\n", "", "15: table.type: sql_table cannot be without namespace"),
        ("{namespace: namespace}", "{namespace: procedure}", "a table cannot refer to 'procedure'"),
        ("{namespace: namespace}", "{namespace: instance}", "points to sql_namespace, and sql_instance is none"),
        ("levels: [table]", "levels: [column]", "3: levels: the level column is asked for"),
        ("levels: [table]", "levels: [row]", "3: levels.0: expected one of"),
        ("structure.json", "other.json", "2: there are no typedefs 'other.json'"),
        ("name: small", "name: small\nowner: me", "2: owner: Extra inputs are not permitted"),
        ("name: small", "name: small\nname: again", "2: duplicate key name"),
        ("name: small", "name: [small", "invalid YAML"),
        ('    qualifiedName: "{cluster}"\n', "", "entities.instance.0.qualifiedName: is missing"),
    ],
)
def test_mistakes_are_shown_where_they_are(tmp_path: Path, old: str, new: str, said: str) -> None:
    found = mistakes(tmp_path, old, new)
    assert any(said in line for line in found), found


def test_all_mistakes_are_shown_at_once(tmp_path: Path) -> None:
    assert len(mistakes(tmp_path, "      name:", "      nome:")) == 4


def test_an_unknown_mapping_names_the_shipped_ones() -> None:
    with pytest.raises(ConfigurationError, match="default, hive, rdbms"):
        checked_mapping("nosuch")


def test_templates() -> None:
    fields = {"a": "Xy", "n": 5, "none": None, "list": ["B", "a"]}
    assert Template.parse("{a}.{n}").render(fields) == "Xy.5"
    assert Template.parse("{n}").render(fields) == 5
    assert Template.parse("{a|lower|upper}").render(fields) == "XY"
    assert Template.parse("{list|lower}").render(fields) == ["b", "a"]
    assert Template.parse("{none}").render(fields) is None
    assert Template.parse("x{none}").render(fields) is None
    assert Template.parse("x{none|default:y}").render(fields) == "xy"
    assert Template.parse("{none|default:0}").render(fields) == 0
    assert Template.parse("{a|cut:1}").render(fields) == "X"
    assert Template.parse("{{{a}}}").render(fields) == "{Xy}"
    assert Template.parse("plain").render({}) == "plain"
    for wrong in ("{", "}", "{A}", "{a|cut}", "{a|cut:x}", "{a|lower:x}", "{}"):
        with pytest.raises(TemplateError):
            Template.parse(wrong)


def test_every_kind_has_fields() -> None:
    assert list(FIELDS) == list(KINDS)
