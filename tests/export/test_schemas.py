"""Every output is valid: JSON against its schema, XML against the XSD, whatever the switches."""

from __future__ import annotations

import json
from importlib.resources import files
from itertools import product
from typing import Any

import jsonschema
import pytest
from lxml import etree
from samples import SAMPLES

from connector.export import FORMATS, LEVELS, ExportOptions, to_dict

SCHEMAS = files("connector.export") / "schemas"
SWITCHES = ("impact", "dataflow", "joins", "function", "recordset", "columns", "top_select", "temporaries")


def schema(level: str) -> dict[str, Any]:
    loaded: dict[str, Any] = json.loads((SCHEMAS / f"{level}.schema.json").read_text(encoding="utf-8"))
    jsonschema.Draft202012Validator.check_schema(loaded)
    return loaded


VALIDATORS = {level: jsonschema.Draft202012Validator(schema(level)) for level in LEVELS}
XSD = etree.XMLSchema(etree.fromstring((SCHEMAS / "dlineage.xsd").read_bytes()))


def all_options() -> list[ExportOptions]:
    """The defaults, each switch turned by itself, and each pair of them."""
    defaults = ExportOptions()
    found = {(): defaults}
    for first, second in product(SWITCHES, repeat=2):
        names = tuple(sorted({first, second}))
        found[names] = ExportOptions(**{name: not getattr(defaults, name) for name in names})
    return list(found.values())


@pytest.mark.parametrize("sample", SAMPLES)
@pytest.mark.parametrize("level", LEVELS)
def test_outputs_are_valid(sample: str, level: str) -> None:
    model = SAMPLES[sample]()
    for options in all_options():
        VALIDATORS[level].validate(to_dict(model, level, options))
        XSD.assertValid(etree.fromstring(FORMATS["xml"].render(model, level, options).encode()))


@pytest.mark.parametrize("sample", SAMPLES)
@pytest.mark.parametrize("name", FORMATS)
def test_every_format_renders_every_level_the_same_twice(sample: str, name: str) -> None:
    exporter = FORMATS[name]
    for level in exporter.levels:
        for options in all_options():
            assert exporter.render(SAMPLES[sample](), level, options) == exporter.render(
                SAMPLES[sample](), level, options
            )


@pytest.mark.parametrize("sample", SAMPLES)
def test_ids_point_to_elements(sample: str) -> None:
    document = to_dict(SAMPLES[sample]())
    columns = {column["id"] for entity in document["dbobjs"] for column in entity.get("columns", ())}
    entities = {entity["id"] for entity in document["dbobjs"]}
    processes = {process["id"] for process in document["processes"]}
    for relation in document["relations"]:
        assert relation.get("processId") in processes | {None}
        for end in (relation["target"], *relation["sources"]):
            assert end["id"] in columns
            assert end["parentId"] in entities
