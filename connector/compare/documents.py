"""Exports of an earlier run, as lineage to compare with or to load.

The derived levels list their edges. The complete level is a model: it is converted to the form of the XML export, whose reader
derives what the document does not state.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any
from xml.etree.ElementTree import Element, SubElement, tostring

from connector.compare.difference import FLOWS, ComparedLevel, Edge
from connector.errors import SourceError, UnknownDialectError
from connector.export import read_xml
from connector.model import Model
from connector.naming import join_name, parse_name
from connector.sql.dialects import SqlDialect, get_dialect
from connector.sql.masked_names import mask_name

_TAGS = {"pseudoTable": "table", "cursor": "variable"}
_ATTRIBUTES = ("name", "database", "schema", "alias", "uri", "fileFormat", "subType")


def document_level(document: Any) -> str | None:
    """`complete`, `column` or `table`; None if the object is not a lineage export."""
    if not isinstance(document, dict) or not isinstance(document.get("relations"), list):
        return None
    if "dbobjs" in document:
        return "complete"
    return "table" if "statements" in document else "column"


def document_edges(document: dict[str, Any], level: ComparedLevel, dialect: SqlDialect) -> Iterator[Edge]:
    """The edges of a JSON document of the column or table level."""
    if document_level(document) != level:
        raise SourceError(f"the document contains the {document_level(document)} level, not the {level} level")
    try:
        for relation in document["relations"]:
            source, target = relation["source"], relation["target"]
            if relation["type"] in FLOWS and source["qualifiedName"] and target["qualifiedName"]:
                yield Edge(
                    relation["type"],
                    source["qualifiedName"],
                    source["kind"],
                    target["qualifiedName"],
                    target["kind"],
                    transformation=relation.get("transformation"),
                    expression=relation.get("expression"),
                    masked=_masked(source["qualifiedName"], target["qualifiedName"], dialect)
                    if level == "column"
                    else None,
                )
    except (KeyError, TypeError) as error:
        raise SourceError(
            f"the document is not an export of the {level} level: {error!r} is missing or invalid"
        ) from error


def _masked(source: str, target: str, dialect: SqlDialect) -> tuple[str, str] | None:
    """The names without the literals of names that look like expressions: an export does not say which ones are."""
    if not any(sign in name for name in (source, target) for sign in "('"):
        return None
    return _without_literals(source, dialect), _without_literals(target, dialect)


def _without_literals(name: str, dialect: SqlDialect) -> str:
    parts, cluster = parse_name(name)
    column = parts[-1]
    if not any(sign in column for sign in "('"):
        return name
    return join_name([*parts[:-1], mask_name(column, column, dialect) or column], cluster)


def model_of_document(document: dict[str, Any], cluster: str | None = None) -> Model:
    """The model of a JSON document of the complete level."""
    root = Element("dlineage", dbvendor=str(document.get("dbvendor", "dbvansi")))
    try:
        dialect = get_dialect(root.get("dbvendor", ""))
    except UnknownDialectError:
        pass
    else:
        root.set("layers", str(dialect.layers))
        root.set("defaultSchema", dialect.default_schema)
        root.set("cluster", cluster or dialect.default_cluster)
    try:
        for process in document.get("processes", ()):
            _add_process(root, process)
        for described in document["dbobjs"]:
            if described["type"] != "procedure":
                _add_entity(root, described)
        for relation in document["relations"]:
            _add_relation(root, relation)
    except (KeyError, TypeError, AttributeError) as error:
        raise SourceError(
            f"the document is not an export of the complete level: {error!r} is missing or invalid"
        ) from error
    model = read_xml(tostring(root, encoding="unicode"))
    for process in model.processes:
        for flow in process.flows:
            # Worked out from the columns, of which a target's own do not make it an input of its statement.
            if flow.target is not None:
                flow.sources.pop(flow.target, None)
    return model


def _add_process(root: Element, process: dict[str, Any]) -> None:
    element = SubElement(root, "process", coordinate=_coordinate(process))
    for name in ("id", "name", "type", "queryHashId", "textHashId", "procedureName"):
        if name in process:
            element.set(name, _text(process[name]))
    if process.get("approximate"):
        element.set("approximate", "true")


def _add_entity(root: Element, described: dict[str, Any]) -> None:
    type_ = described["type"]
    element = SubElement(root, _TAGS.get(type_, type_), id=described["id"], coordinate=_coordinate(described))
    for name in _ATTRIBUTES:
        if described.get(name):
            element.set(name, _text(described[name]))
    if type_ == "resultset":
        element.set("type", described.get("subType", "select_list"))
    else:
        element.set("type", type_)
    if described.get("temporary"):
        element.set("temporary", "true")
    if described.get("processIds"):
        element.set("processIds", " ".join(described["processIds"]))
    for column in described.get("columns", ()):
        child = SubElement(
            element, "column", id=column["id"], name=_text(column["name"]), coordinate=_coordinate(column)
        )
        if column.get("source"):
            child.set("source", column["source"])


def _add_relation(root: Element, relation: dict[str, Any]) -> None:
    element = SubElement(root, "relation")
    for name in ("id", "type", "effectType", "processId", "joinType", "condition", "expression"):
        if relation.get(name):
            element.set(name, _text(relation[name]))
    if relation.get("approximate"):
        element.set("approximate", "true")
    _add_end(element, "target", relation["target"])
    for source in relation["sources"]:
        _add_end(element, "source", source)


def _add_end(relation: Element, tag: str, end: dict[str, Any]) -> None:
    element = SubElement(relation, tag)
    for name in ("id", "column", "clauseType"):
        if end.get(name):
            element.set(name, _text(end[name]))


def _coordinate(described: dict[str, Any]) -> str:
    places = described.get("coordinates") or []
    return ",".join("[" + ",".join(map(str, place)) + "]" for place in places)


def _text(value: str) -> str:
    """XML cannot represent control characters; names that contain any are distinguished by the rest."""
    return (
        value
        if value.isprintable()
        else "".join(c if c >= " " or c in "\t\n\r" else "\N{REPLACEMENT CHARACTER}" for c in value)
    )
