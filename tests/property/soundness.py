"""What holds for the analysis of any text, whatever is written in it.

A model that holds together: every end of a relation is a column of the model, every id is there once, every place lies in
the text. Every export can be written as UTF-8, JSON and XML are valid by our own schemas. `finger` condenses all of it, to
be compared with what another process finds under another hash seed.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from hashlib import sha256
from importlib.resources import files
from typing import Any

import jsonschema_rs
from lxml import etree

from connector import Lineage, analyze
from connector.export import FORMATS, LEVELS
from connector.export.page import page_document
from connector.naming import join_name, parse_name

__all__ = ["all_exports", "check", "check_ends", "check_model", "check_places", "finger"]

_SCHEMAS = files("connector.export") / "schemas"
_VALIDATORS = {
    level: jsonschema_rs.validator_for(json.loads((_SCHEMAS / f"{level}.schema.json").read_text(encoding="utf-8")))
    for level in LEVELS
}
_XSD = etree.XMLSchema(etree.fromstring((_SCHEMAS / "dlineage.xsd").read_bytes()))


def check(dialect: str, text: str) -> str:
    """Assert everything that must hold, of the model and of every export; the digest of the exports."""
    lineage = _analysed(dialect, text)
    exports = all_exports(lineage)
    _check_documents({level: json.loads(exports["json", level]) for level in LEVELS}, text)
    check_exports(exports)
    return _digest(exports)


def check_model(dialect: str, text: str) -> None:
    """Assert what must hold of the model alone, at half the cost of `check`."""
    lineage = _analysed(dialect, text)
    _check_documents({level: lineage.to_dict(level=level) for level in LEVELS}, text)


def _analysed(dialect: str, text: str) -> Lineage:
    lineage = analyze(text, dialect=dialect)
    faults = [problem.message for problem in lineage.problems if problem.type == "InternalError"]
    assert not faults, faults[0]
    return lineage


def _check_documents(documents: dict[str, Any], text: str) -> None:
    """The three levels are valid by our own schemas and hold together."""
    for level, document in documents.items():
        for problem in _VALIDATORS[level].iter_errors(document):
            raise AssertionError(f"JSON, {level}: {problem.message} at {problem.instance_path}")
    complete = documents["complete"]
    check_ends(complete)
    check_ids(complete)
    check_places(complete, text)
    check_derived(documents["column"], documents["table"])


def finger(dialect: str, text: str) -> str:
    """The digest of every export, nothing asserted."""
    return _digest(all_exports(analyze(text, dialect=dialect)))


def all_exports(lineage: Lineage) -> dict[tuple[str, str], bytes]:
    """Every format at every level. Of the page only the document: the program around it is always the same."""
    found = {
        (name, level): lineage.render(name, level).encode("utf-8")
        for name, exporter in FORMATS.items()
        if name != "html"
        for level in exporter.levels
    }
    page = page_document(lineage.model, lineage.options, level="column")
    found["html", "column"] = json.dumps(page, ensure_ascii=False).encode("utf-8")
    return found


def _digest(exports: Mapping[tuple[str, str], bytes]) -> str:
    digest = sha256()
    for name in sorted(exports):
        digest.update(exports[name])
    return digest.hexdigest()


def check_exports(exports: Mapping[tuple[str, str], bytes]) -> None:
    """XML and GraphML are well formed, and XML is valid."""
    for level in LEVELS:
        assert _XSD.validate(etree.fromstring(exports["xml", level])), f"XML, {level}: {_XSD.error_log}"
    for level in FORMATS["graphml"].levels:
        etree.fromstring(exports["graphml", level])


def _coordinate_pairs(value: Any) -> Iterator[list[list[int]]]:
    """Every pair of places anywhere in a document."""
    if isinstance(value, Mapping):
        for key, item in value.items():
            if key == "coordinates":
                yield item
            elif key == "occurrences":
                yield from item
            else:
                yield from _coordinate_pairs(item)
    elif isinstance(value, list):
        for item in value:
            yield from _coordinate_pairs(item)


def check_ends(complete: dict[str, Any]) -> None:
    """Ends of relations are columns of the model."""
    columns = {
        column["id"]: (column["name"], entity["id"], entity["name"])
        for entity in complete["dbobjs"]
        for column in entity.get("columns", [])
    }
    processes = {process["id"] for process in complete["processes"]}
    for relation in complete["relations"]:
        assert relation["sources"] or relation["type"] == "call", f"a relation without a source: {relation}"
        for end in (relation["target"], *relation["sources"]):
            assert columns.get(end["id"]) == (end["column"], end["parentId"], end["parentName"])
            assert end["column"], f"an end without a column: {relation}"
        assert relation.get("processId") is None or relation["processId"] in processes
    for entity in complete["dbobjs"]:
        assert set(entity.get("processIds", [])) <= processes


def check_ids(complete: dict[str, Any]) -> None:
    """No id is given twice."""
    objects = [
        *(entity["id"] for entity in complete["dbobjs"]),
        *(column["id"] for entity in complete["dbobjs"] for column in entity.get("columns", [])),
        *(argument["id"] for entity in complete["dbobjs"] for argument in entity.get("arguments", [])),
        *(process["id"] for process in complete["processes"]),
    ]
    relations = [relation["id"] for relation in complete["relations"]]
    for ids in (objects, relations):
        assert all(isinstance(identity, str) for identity in ids)
        assert len(ids) == len(set(ids)), "an id twice"


def check_places(document: dict[str, Any], text: str) -> None:
    """Places lie in the text, and end behind where they begin."""
    lengths = [len(line) for line in text.split("\n")]
    for (line, column, script), (last, behind, _) in _coordinate_pairs(document):
        assert script == 0
        if line == -1:
            assert (column, last, behind) == (-1, -1, -1)
            continue
        assert (line, column) <= (last, behind), f"a place that ends before it begins: {line}:{column}-{last}:{behind}"
        for at_line, at_column in ((line, column), (last, behind)):
            assert 1 <= at_line <= len(lengths), f"line {at_line} is outside the text"
            assert 1 <= at_column <= lengths[at_line - 1] + 2, f"{at_line}:{at_column} is outside the text"


def check_derived(column: dict[str, Any], table: dict[str, Any]) -> None:
    """The derived levels speak of columns of tables, and of tables that are written."""
    for edge in column["relations"]:
        assert edge["type"] in ("fdd", "fdr", "join", "er", "call")
        for end in (edge["source"], edge["target"]):
            assert end["column"], f"an end without a column: {edge}"
            assert end["kind"] in ("table", "view", "path", "stage")
    written = {end["qualifiedName"] for statement in table["statements"] for end in statement["outputs"]}
    # A foreign key says which rows a table may hold, a generated column what it will hold: neither writes any.
    defined = ("foreign_key", "alter_table")
    written |= {_table_of(edge["target"]) for edge in column["relations"] if edge["effectType"] in defined}
    for edge in table["relations"]:
        assert edge["target"]["qualifiedName"] in written or edge["type"] in ("er", "join")


def _table_of(end: dict[str, Any]) -> str:
    """The qualified name of the table, from that of one of its columns."""
    name = parse_name(end["qualifiedName"])
    return join_name(name.parts[:-1], name.cluster)
