"""Golden pairs: a script and the lineage it must have, both readable by a person.

A golden is ``<dialect>/<feature>.sql`` beside ``<dialect>/<feature>.lineage``. The lineage file holds any of these
sections, and each section that is there is compared as a whole, whatever its order:

``[complete]``
    every relation of the complete model, one line for each source and target: ``t.a -fdd-> RS-1.a [select]``,
    ``t.b -fdr(where)-> RS-1.rows [select]``, ``t.k -join-> s.k``. ``rows`` is the row column.
    A clause or an effect that is not written is not compared.
``[column]``
    the end-to-end edges: ``t.a -fdd-> o.y``, ``t.b -fdr-> o.rows``.
``[join]``
    the join edges of the column level.
``[table]``
    one line for each statement that reads or writes: ``Insert: t, u -> o``.
``[errors]``
    one line for each problem: its type, and where it stands if written (``SyntaxError 2:15``).
``[notes]``
    one line for each part that was not understood and cost nothing but itself: ``Note 2:15``.

Lines that start with ``#`` are remarks. In names, quotes do not count; the default schema of the dialect and a missing
database are left out at the column and table level.

The script may begin with settings, one comment each::

    -- metadata: {"t": ["a", "b"]}
    -- default_schema: sales
    -- options: link_orphans, top_select

``LINEAGE_UPDATE=1 pytest tests/golden`` writes what the analyser gives into the sections that exist. The difference is
for a person to read: a golden says what is right, not what happens to come out.
"""

from __future__ import annotations

import json
import os
import re
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import Any, NamedTuple

import pytest
import sqlglot

from connector import analyze
from connector.options import Options

HERE = Path(__file__).parent
SECTIONS = ("complete", "column", "join", "table", "errors", "notes")
UPDATE = os.environ.get("LINEAGE_UPDATE") == "1"

_SETTING = re.compile(r"--\s*(metadata|default_database|default_schema|options)\s*:\s*(.*)$")
_RELATION = re.compile(
    r"^(?P<source>.*?) -(?P<type>\w+)(?:\((?P<clause>[^()]*)\))?-> (?P<target>.*?)(?: \[(?P<effect>\w+)\])?$"
)
_QUOTES = re.compile(r'["`\[\]]')
_ROW_COLUMNS = frozenset({"PseudoRows", "RelationRows"})
_UNNAMED = frozenset({"", "default", "dbo"})


@dataclass(slots=True)
class Settings:
    """What the comments at the top of a script ask for."""

    metadata: dict[str, Any] | None = None
    default_database: str | None = None
    default_schema: str | None = None
    options: dict[str, Any] = field(default_factory=dict)
    top_select: bool = False


class Line(NamedTuple):
    """A relation as written; a part that is None is not compared."""

    source: str
    type: str
    clause: str | None
    target: str
    effect: str | None

    def accepts(self, other: Line) -> bool:
        return all(mine is None or mine == theirs for mine, theirs in zip(self, other, strict=True))

    def __str__(self) -> str:
        clause = f"({self.clause})" if self.clause else ""
        effect = f" [{self.effect}]" if self.effect else ""
        return f"{self.source} -{self.type}{clause}-> {self.target}{effect}"


def read_settings(sql: str) -> Settings:
    settings = Settings()
    known = {option.name for option in fields(Options)}
    for line in sql.splitlines():
        if not line.startswith("--"):
            break
        match = _SETTING.match(line)
        if not match:
            continue
        key, value = match.groups()
        if key == "metadata":
            settings.metadata = json.loads(value)
        elif key == "options":
            for word in value.split(","):
                name, _, given = word.strip().partition("=")
                if name == "top_select":
                    settings.top_select = True
                else:
                    assert name in known, f"unknown option {name}"
                    settings.options[name] = json.loads(given) if given else True
        else:
            setattr(settings, key, value.strip())
    return settings


def read_sections(text: str) -> dict[str, list[str]]:
    sections: dict[str, list[str]] = {}
    current: list[str] | None = None
    for raw in text.splitlines():
        line = raw.strip()
        if not line or line.startswith("#"):
            continue
        if line.startswith("[") and line[1:-1] in SECTIONS:
            current = sections.setdefault(line[1:-1], [])
        else:
            assert current is not None, f"a line before the first section: {line}"
            current.append(line)
    assert sections, "no section"
    return sections


def bare(name: str) -> str:
    return _QUOTES.sub("", name)


def column_name(column: str) -> str:
    return "rows" if column in _ROW_COLUMNS else bare(column)


def end_name(end: Mapping[str, Any]) -> str:
    """Name of a table of the derived levels: as many layers as were given, `(select)` for the result of a query."""
    if end.get("table") is None:
        return "(select)"
    layers = [bare(end.get(layer) or "") for layer in ("database", "schema")]
    return ".".join([*(layer for layer in layers if layer not in _UNNAMED), bare(end["table"])])


def parse_relation(text: str) -> Line:
    match = _RELATION.match(text)
    assert match, f"not a relation: {text}"
    return Line(bare(match["source"]), match["type"], match["clause"], bare(match["target"]), match["effect"])


def complete_lines(lineage: dict[str, Any]) -> set[Line]:
    def name(end: Mapping[str, Any]) -> str:
        return f"{bare(end['parentName'])}.{column_name(end['column'])}"

    return {
        Line(
            name(source),
            relation["type"],
            source.get("clauseType"),
            name(relation["target"]),
            relation.get("effectType"),
        )
        for relation in lineage["relations"]
        for source in relation["sources"]
    }


def column_lines(lineage: dict[str, Any], *, joins: bool) -> set[Line]:
    def name(end: Mapping[str, Any]) -> str:
        return f"{end_name(end)}.{column_name(end['column'])}"

    return {
        Line(name(relation["source"]), relation["type"], None, name(relation["target"]), None)
        for relation in lineage["relations"]
        if (relation["type"] == "join") is joins
    }


def compare_relations(expected: list[str], actual: set[Line]) -> list[str]:
    """The differences, as lines of a diff."""
    wanted = [parse_relation(text) for text in expected]
    missing = [f"- {line}" for line in wanted if not any(line.accepts(found) for found in actual)]
    extra = [f"+ {found}" for found in sorted(actual, key=str) if not any(line.accepts(found) for line in wanted)]
    return missing + extra


def statement_line(type_: str, inputs: Iterable[str], outputs: Iterable[str]) -> str:
    return f"{type_}: {', '.join(sorted(inputs))} -> {', '.join(sorted(outputs))}".replace("  ", " ").strip()


def parse_statement(text: str) -> str:
    type_, _, ends = text.partition(":")
    inputs, arrow, outputs = f"{ends} ".partition("->")
    assert arrow, f"not a statement: {text}"
    split = [[bare(name.strip()) for name in side.split(",") if name.strip()] for side in (inputs, outputs)]
    return statement_line(type_.strip(), *split)


ROUTINES = ("Create Procedure", "Create Function", "Create Trigger")
"""Sums of the statements inside; a golden lists the statements themselves."""


def table_lines(lineage: dict[str, Any]) -> list[str]:
    return sorted(
        statement_line(
            statement["type"],
            {end_name(end) for end in statement["inputs"]},
            {end_name(end) for end in statement["outputs"]},
        )
        for statement in lineage["statements"]
        if statement["type"] not in ROUTINES
    )


def compare_texts(expected: list[str], actual: list[str]) -> list[str]:
    wanted, found = Counter(expected), Counter(actual)
    return [f"- {text}" for text in (wanted - found).elements()] + [f"+ {text}" for text in (found - wanted).elements()]


def error_line(error: Mapping[str, Any]) -> str:
    line, column, _ = error["coordinates"][0]
    return f"{error['errorType']} {line}:{column}"


def compare_errors(expected: list[str], actual: list[str]) -> list[str]:
    shortened = [found if any(" " in text for text in expected) else found.split(" ")[0] for found in actual]
    return compare_texts(expected, shortened)


@dataclass(slots=True)
class Golden:
    """One pair of files and what the analyser makes of the script."""

    script: Path

    @property
    def answer(self) -> Path:
        return self.script.with_suffix(".lineage")

    def differences(self) -> dict[str, list[str]]:
        sections = read_sections(self.answer.read_text(encoding="utf-8"))
        found = self._found(sections)
        compare: dict[str, Callable[[list[str], Any], list[str]]] = {
            "complete": compare_relations,
            "column": compare_relations,
            "join": compare_relations,
            "table": lambda expected, actual: compare_texts([parse_statement(text) for text in expected], actual),
            "errors": compare_errors,
            "notes": compare_errors,
        }
        return {name: compare[name](expected, found[name]) for name, expected in sections.items()}

    def update(self) -> None:
        """Write what was found into the sections that differ, keeping the remarks at the top."""
        text = self.answer.read_text(encoding="utf-8")
        sections = read_sections(text)
        found = self._found(sections)
        differing = {name for name, lines in self.differences().items() if lines}
        remarks = [line for line in text.splitlines() if line.startswith("#")]
        for name in differing:
            sections[name] = sorted(str(line) for line in found[name])
        blocks = ["\n".join([f"[{name}]", *sections[name]]) for name in SECTIONS if name in sections]
        self.answer.write_text("\n".join([*remarks, "\n\n".join(blocks)]) + "\n", encoding="utf-8")

    def _found(self, sections: Iterable[str]) -> dict[str, Any]:
        sql = self.script.read_text(encoding="utf-8")
        settings = read_settings(sql)
        lineage = analyze(
            sql,
            dialect=self.script.parent.name,
            metadata=settings.metadata,
            default_database=settings.default_database,
            default_schema=settings.default_schema,
            options=Options(**settings.options),
        )
        column = lineage.to_dict(level="column", top_select=settings.top_select)
        found: dict[str, Any] = {
            "column": column_lines(column, joins=False),
            "join": column_lines(column, joins=True),
            "errors": sorted(error_line(error) for error in column["errors"]),
            "notes": sorted(error_line(note) for note in column.get("notes", ())),
        }
        if "complete" in sections:
            found["complete"] = complete_lines(lineage.to_dict(level="complete"))
        if "table" in sections:
            found["table"] = table_lines(lineage.to_dict(level="table"))
        return found


GOLDENS = sorted(HERE.glob("*/*.sql"))


def test_there_is_an_answer_for_each_script() -> None:
    scripts = {path.with_suffix("") for path in GOLDENS}
    answers = {path.with_suffix("") for path in HERE.glob("*/*.lineage")}
    assert scripts == answers
    assert len(scripts) >= 120


OLD_GRAMMAR = int(sqlglot.__version__.split(".")[0]) < 30
NEEDS_SQLGLOT_30 = {
    "databricks/fields_in_lambdas",
    "databricks/structs_handed_on",
    "databricks/structs_of_set_operations",
    "hive/multi_insert",
    "mysql/update_two_tables",
    "oracle/flashback_and_partition",
    "postgresql/searched_by_several_columns",
    "sparksql/fields_in_lambdas",
    "sparksql/structs_handed_on",
    "sparksql/structs_of_set_operations",
}
"""Syntax that the grammar of sqlglot 29 lacks: there the tolerant reader still gives the tables, but no columns,
and the fields of Spark's structs are not told apart."""


def check_golden(path: Path) -> None:
    """Compare what is found with what is expected; LINEAGE_UPDATE=1 writes the expectation first."""
    golden = Golden(path)
    if UPDATE:
        golden.update()
    report = ["\n".join([f"[{name}]", *lines]) for name, lines in golden.differences().items() if lines]
    assert not report, "- expected, + found\n" + "\n".join(report)


def golden_parameters() -> list[Any]:
    parameters = []
    for path in GOLDENS:
        name = f"{path.parent.name}/{path.stem}"
        marks = []
        if name in NEEDS_SQLGLOT_30 and OLD_GRAMMAR:
            marks = [pytest.mark.xfail(strict=True, reason="the grammar of sqlglot 29 does not know it")]
        parameters.append(pytest.param(path, id=name, marks=marks))
    return parameters


@pytest.mark.parametrize("path", golden_parameters())
def test_golden(path: Path) -> None:
    check_golden(path)


@pytest.mark.parametrize("path", GOLDENS, ids=lambda path: f"{path.parent.name}/{path.stem}")
def test_answers_are_kept_sorted(path: Path) -> None:
    sections = read_sections(path.with_suffix(".lineage").read_text(encoding="utf-8"))
    for name, lines in sections.items():
        assert lines == (lines if name == "table" else sorted(lines)), f"[{name}] is not in text order"
        assert len(lines) == len(set(lines)) or name in ("table", "errors", "notes"), f"[{name}] has a line twice"
