"""Every script of the goldens, through every format: each output is valid, and XML read back is the same model."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from lxml import etree

import connector.export
from connector import Lineage, analyze
from connector.export import FORMATS, read_xml

TESTS = Path(__file__).resolve().parent.parent
SCHEMAS = Path(connector.export.__file__).parent / "schemas"
SCRIPTS = sorted(path for folder in ("golden", "analysis/routines/golden") for path in (TESTS / folder).glob("*/*.sql"))


def schema(name: str) -> dict[str, Any]:
    content: dict[str, Any] = json.loads((SCHEMAS / name).read_text(encoding="utf-8"))
    return content


VALIDATORS = {
    level: jsonschema.validators.validator_for(schema(f"{level}.schema.json"))(schema(f"{level}.schema.json"))
    for level in ("complete", "column", "table")
}
XSD = etree.XMLSchema(etree.parse(str(SCHEMAS / "dlineage.xsd")))


def without_numbers(document: Any) -> str:
    """JSON of a model for comparison; the process of a bare SELECT is not written to XML."""
    return json.dumps(document, sort_keys=True)


@pytest.mark.parametrize("path", SCRIPTS, ids=lambda path: f"{path.parent.parent.name}/{path.parent.name}/{path.stem}")
def test_outputs_are_valid_and_read_back(path: Path) -> None:
    lineage = analyze(path.read_text(encoding="utf-8"), path.parent.name)
    for level, validator in VALIDATORS.items():
        problem = next(validator.iter_errors(lineage.to_dict(level)), None)
        assert problem is None, f"{level}: {problem.message} at {problem.json_path}"
        xml = lineage.to_xml(level)
        assert XSD.validate(etree.fromstring(xml.encode())), f"{level}: {XSD.error_log}"
    again = Lineage(read_xml(lineage.to_xml("complete", top_select=True)))
    assert without_numbers(again.to_dict("complete")["relations"]) == without_numbers(
        lineage.to_dict("complete")["relations"]
    )
    assert without_numbers(again.to_dict("column")["relations"]) == without_numbers(
        lineage.to_dict("column")["relations"]
    )
    for name, exporter in FORMATS.items():
        assert isinstance(lineage.render(name, exporter.levels[0]), str)
