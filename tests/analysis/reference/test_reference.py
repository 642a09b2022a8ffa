"""The samples of the model's reference: the entities and relations each of them must give, ids aside.

A sample is ``<name>.<dialect>.sql`` beside ``<name>.<dialect>.model``. The model file holds

``[entities]``
    ``kind name key=value … @line:column-line:column``, its columns indented below in the same way. ``rows`` is the row
    column, ``@none`` an entity that has no text, an attribute or place that is not written is not compared, and
    ``processes`` is the number of processes that write the entity.
``[relations]``
    the complete model's relations, written as in the goldens: ``t.a -fdd-> RS-1.a [select]``.
``[column]``
    the end-to-end edges.

A line ``...`` in a section says that there may be more than what is listed.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from connector import analyze

HERE = Path(__file__).parent
SAMPLES = sorted(HERE.glob("*.sql"))

_PLACE = re.compile(r"^(?P<rest>.*?)(?: @(?P<place>none|\d+:\d+-\d+:\d+))?$")
_RELATION = re.compile(r"^(?P<ends>.*?-\w+)(?:\((?P<clause>\w+)\))?(?P<target>-> .*?)(?: \[(?P<effect>\w+)\])?$")
_QUOTES = re.compile(r'["`\[\]]')
_ROW_COLUMNS = frozenset({"PseudoRows", "RelationRows"})


@dataclass(slots=True)
class Thing:
    """An entity or a process: what is written about it, and its columns with their places."""

    name: str
    attributes: dict[str, str] = field(default_factory=dict)
    columns: dict[str, str | None] = field(default_factory=dict)


@dataclass(slots=True)
class Sample:
    """The expectation of one sample."""

    things: list[Thing] = field(default_factory=list)
    relations: list[str] = field(default_factory=list)
    edges: list[str] = field(default_factory=list)
    sections: set[str] = field(default_factory=set)
    open_sections: set[str] = field(default_factory=set)


def bare(name: str) -> str:
    return _QUOTES.sub("", name)


def split_place(line: str) -> tuple[str, str | None]:
    match = _PLACE.match(line)
    assert match
    return match["rest"], match["place"]


def read_sample(text: str) -> Sample:
    sample = Sample()
    section = ""
    for line in text.splitlines():
        if not line or line.startswith("#"):
            continue
        if line in ("[entities]", "[relations]", "[column]"):
            section = line[1:-1]
            sample.sections.add(section)
        elif line == "...":
            sample.open_sections.add(section)
        elif section == "relations":
            sample.relations.append(bare_relation(line))
        elif section == "column":
            sample.edges.append(bare_relation(line))
        elif line.startswith("  "):
            name, place = split_place(line.strip())
            sample.things[-1].columns[bare(name)] = place
        else:
            rest, place = split_place(line)
            words = rest.split(" ")
            attributes = dict(word.split("=", 1) for word in words[1:] if re.match(r"^[A-Za-z]+=", word))
            name = " ".join(word for word in words if word.split("=", 1)[0] not in attributes)
            if place:
                attributes["place"] = place
            sample.things.append(Thing(bare(name), {key: bare(value) for key, value in attributes.items()}))
    return sample


def bare_relation(line: str) -> str:
    """Quotes go, the brackets of the effect stay."""
    ends, bracket, effect = line.partition(" [")
    return bare(ends) + bracket + effect


def place_text(coordinates: list[list[int]]) -> str:
    (line, column, _), (last, behind, _) = coordinates
    return "none" if line < 0 else f"{line}:{column}-{last}:{behind}"


def column_text(name: str) -> str:
    return "rows" if name in _ROW_COLUMNS else bare(name)


def things_of(lineage: Mapping[str, Any]) -> list[Thing]:
    things = [
        Thing(f"process {process['type']}", {"place": place_text(process["coordinates"])})
        for process in lineage["processes"]
    ]
    for entity in lineage["dbobjs"]:
        kind = "table" if entity["type"] == "pseudoTable" else entity["type"]
        attributes = {key: bare(value) for key, value in entity.items() if isinstance(value, str)}
        attributes["place"] = place_text(entity["coordinates"])
        attributes["processes"] = str(len(entity.get("processIds", [])))
        columns: dict[str, str | None] = {
            column_text(column["name"]): place_text(column["coordinates"]) for column in entity.get("columns", [])
        }
        things.append(Thing(f"{kind} {bare(entity['name'])}", attributes, columns))
    return things


def compare_thing(wanted: Thing, found: Thing) -> list[str]:
    problems = [
        f"{wanted.name}: {key} should be {value}, is {found.attributes.get(key)}"
        for key, value in wanted.attributes.items()
        if found.attributes.get(key) != value
    ]
    if wanted.columns:
        problems += [f"{wanted.name}: no column {name}" for name in wanted.columns.keys() - found.columns.keys()]
        problems += [f"{wanted.name}: a column {name}" for name in found.columns.keys() - wanted.columns.keys()]
        problems += [
            f"{wanted.name}.{name} should be at {place}, is at {found.columns[name]}"
            for name, place in wanted.columns.items()
            if place and found.columns.get(name, place) != place
        ]
    return problems


def compare_things(wanted: list[Thing], found: list[Thing], *, more: bool) -> list[str]:
    problems: list[str] = []
    left = list(found)
    for thing in wanted:
        match = next((other for other in left if other.name == thing.name), None)
        if match is None:
            problems.append(f"missing: {thing.name}")
            continue
        left.remove(match)
        problems += compare_thing(thing, match)
    return problems if more else problems + [f"unexpected: {thing.name}" for thing in left]


def relations_of(lineage: Mapping[str, Any]) -> set[str]:
    lines = set()
    for relation in lineage["relations"]:
        target = relation["target"]
        for source in relation["sources"]:
            clause = f"({source['clauseType']})" if source.get("clauseType") else ""
            effect = f" [{relation['effectType']}]" if relation.get("effectType") else ""
            lines.add(
                f"{bare(source['parentName'])}.{column_text(source['column'])} -{relation['type']}{clause}-> "
                f"{bare(target['parentName'])}.{column_text(target['column'])}{effect}"
            )
    return lines


def edges_of(lineage: Mapping[str, Any]) -> set[str]:
    return {
        f"{bare(edge['source']['table'])}.{column_text(edge['source']['column'])} -{edge['type']}-> "
        f"{bare(edge['target']['table'])}.{column_text(edge['target']['column'])}"
        for edge in lineage["relations"]
        if edge["type"] != "join"
    }


def accepts(wanted: str, found: str) -> bool:
    """Whether a relation is the one that is asked for; clause and effect count where they are written."""
    mine, theirs = _RELATION.match(wanted), _RELATION.match(found)
    assert mine
    assert theirs
    return all(mine[part] is None or mine[part] == theirs[part] for part in ("ends", "clause", "target", "effect"))


def compare_relations(wanted: list[str], found: set[str], *, more: bool) -> list[str]:
    problems = [f"- {line}" for line in wanted if not any(accepts(line, other) for other in found)]
    if more:
        return problems
    return problems + [f"+ {other}" for other in sorted(found) if not any(accepts(line, other) for line in wanted)]


def sample_parameters() -> list[Any]:
    parameters = []
    for path in SAMPLES:
        name, dialect = path.stem.split(".")
        parameters.append(pytest.param(path, dialect, id=name))
    return parameters


@pytest.mark.parametrize(("path", "dialect"), sample_parameters())
def test_sample(path: Path, dialect: str) -> None:
    sample = read_sample(path.with_suffix(".model").read_text(encoding="utf-8"))
    lineage = analyze(path.read_text(encoding="utf-8"), dialect=dialect)
    complete = lineage.to_dict(level="complete")
    problems: list[str] = [f"{error['errorType']}: {error['errorMessage']}" for error in complete["errors"]]
    if "entities" in sample.sections:
        problems += compare_things(sample.things, things_of(complete), more="entities" in sample.open_sections)
    if "relations" in sample.sections:
        more = "relations" in sample.open_sections
        problems += compare_relations(sample.relations, relations_of(complete), more=more)
    if "column" in sample.sections:
        problems += compare_relations(sample.edges, edges_of(lineage.to_dict(level="column")), more=False)
    assert not problems, "- expected, + found\n" + "\n".join(problems)


def test_query_hash_of_the_reference_vector() -> None:
    text = "INSERT INTO raw_customers (id, first_name, last_name) VALUES(0, '', '')"
    for script in (text, f"  -- load\n{text} ; -- done\n"):
        (process,) = analyze(script, dialect="snowflake").to_dict(level="complete")["processes"]
        assert process["queryHashId"] == "04ebc5aec1a07e1db80b0bc798742875"
        assert process["procedureName"] == "batchQueries"


def test_same_statement_twice_gives_one_set_of_edges() -> None:
    script = (HERE / "hiredate_view_updated.mssql.sql").read_text(encoding="utf-8")
    update = script[script.index("update") : script.index("insert")]

    def updates(sql: str) -> list[tuple[str, str, str]]:
        return sorted(
            (edge["type"], edge["source"]["column"], edge["target"]["column"])
            for edge in analyze(sql, dialect="mssql").to_dict(level="column")["relations"]
            if edge.get("effectType") == "update"
        )

    assert updates(script) == updates(script + "\n" + update)
    assert ("fdd", "FirstName", "FirstName") in updates(script)


def test_table_level_of_the_view_sample() -> None:
    script = (HERE / "hiredate_view.mssql.sql").read_text(encoding="utf-8")
    (statement,) = analyze(script, dialect="mssql").to_dict(level="table")["statements"]
    assert statement["type"] == "Create View"
    assert {end["table"] for end in statement["inputs"]} == {"Employee", "Person"}
    assert [(end["schema"], end["table"]) for end in statement["outputs"]] == [("dbo", "hiredate_view")]
