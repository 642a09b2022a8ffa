"""Whatever the text, an analysis ends, says what it could not read, and gives a model that holds together.

The texts are the goldens and the benchmark's statements, cut short, with words and characters taken out, doubled,
swapped, or replaced by parts of other statements. ``LINEAGE_LONG=1`` tries twenty times as many.
"""

from __future__ import annotations

import logging
import os
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from connector import analyze

TESTS = Path(__file__).parents[1]
LONG = os.environ.get("LINEAGE_LONG") == "1"
EXAMPLES = 20_000 if LONG else 1_000
LONGEST = 4_000

_WORDS = re.compile(r"\w+|\s+|[^\w\s]")
_NOISE = (
    *"()[]{}<>,;.'\"`$@:#?!%&|*+-/\\=~^ \n\t\x00",
    *("--", "/*", "*/", "||", "::", "->", "=>", "$$", "é", "名", "\U0001f600", "\ufeff", "\r\n"),
    *("select", "from", "join", "on", "using", "where", "group by", "order by", "having", "qualify", "union all"),
    *("with", "as", "case", "when", "then", "end", "over (", "in (", "exists (", "lateral", "unnest(", "pivot ("),
    *("insert into", "update", "set", "delete", "merge", "create view", "create table", "values", "returning", "into"),
    *("null", "1", "'x'", "t", "a.b", "a.b.c.d", "*", "t.*", "count(*)", "{{ ref('x') }}", "${v}", "begin", "go", "/"),
)


def read_sources() -> list[tuple[str, str]]:
    """Dialect and text of every golden and of every file of the benchmark."""
    folders = (TESTS / "golden", TESTS.parent / "benchmarks" / "statements")
    files = [file for folder in folders for file in sorted(folder.glob("*/*.sql"))]
    return [(file.parent.name, file.read_text(encoding="utf-8")) for file in files]


SOURCES = read_sources()
DIALECTS = sorted({dialect for dialect, _ in SOURCES})


@st.composite
def scripts(draw: st.DrawFn) -> tuple[str, str]:
    """A dialect and a damaged script; now and then the dialect is not the one the script was written in."""
    dialect, text = draw(st.sampled_from(SOURCES))
    if draw(st.integers(0, 9)) == 0:
        dialect = draw(st.sampled_from(DIALECTS))
    start = draw(st.integers(0, max(0, len(text) - LONGEST)))
    words = _WORDS.findall(text[start : start + LONGEST])
    for _ in range(draw(st.integers(0, 6))):
        words = draw(damaged(words))
    if draw(st.booleans()):
        words = words[: draw(st.integers(0, len(words)))]
    return dialect, "".join(words)


@st.composite
def damaged(draw: st.DrawFn, words: list[str]) -> list[str]:
    if not words:
        return [draw(st.sampled_from(_NOISE))]
    at = draw(st.integers(0, len(words) - 1))
    until = min(len(words), at + draw(st.integers(1, 8)))
    kind = draw(st.sampled_from(("drop", "double", "swap", "noise", "replace", "splice", "wrap")))
    if kind == "drop":
        return words[:at] + words[until:]
    if kind == "double":
        return words[:until] + words[at:until] + words[until:]
    if kind == "swap":
        other = draw(st.integers(0, len(words) - 1))
        swapped = list(words)
        swapped[at], swapped[other] = swapped[other], swapped[at]
        return swapped
    if kind == "noise":
        return [*words[:at], draw(st.sampled_from(_NOISE)), *words[at:]]
    if kind == "replace":
        return [*words[:at], draw(st.sampled_from(_NOISE)), *words[until:]]
    if kind == "wrap":
        return [*words[:at], "(", *words[at:until], ")", *words[until:]]
    _, donor = draw(st.sampled_from(SOURCES))
    pieces = _WORDS.findall(donor[:LONGEST])
    first = draw(st.integers(0, len(pieces) - 1))
    return words[:at] + pieces[first : first + 20] + words[at:]


def coordinate_pairs(value: Any) -> Iterator[list[list[int]]]:
    """Every pair of places anywhere in a document."""
    if isinstance(value, Mapping):
        for key, item in value.items():
            if key == "coordinates":
                yield item
            elif key == "occurrences":
                yield from item
            else:
                yield from coordinate_pairs(item)
    elif isinstance(value, list):
        for item in value:
            yield from coordinate_pairs(item)


def check_ends(complete: dict[str, Any]) -> None:
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
        assert relation.get("processId") is None or relation["processId"] in processes
    for entity in complete["dbobjs"]:
        assert set(entity.get("processIds", [])) <= processes


def check_ids(complete: dict[str, Any]) -> None:
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
    lengths = [len(line) for line in text.split("\n")]
    for (line, column, script), (last, behind, _) in coordinate_pairs(document):
        assert script == 0
        if line == -1:
            assert (column, last, behind) == (-1, -1, -1)
            continue
        assert (line, column) <= (last, behind), f"a place that ends before it begins: {line}:{column}-{last}:{behind}"
        for at_line, at_column in ((line, column), (last, behind)):
            assert 1 <= at_line <= len(lengths)
            assert 1 <= at_column <= lengths[at_line - 1] + 2, f"{at_line}:{at_column} is outside the text"


def check_derived(column: dict[str, Any], table: dict[str, Any]) -> None:
    for edge in column["relations"]:
        assert edge["type"] in ("fdd", "fdr", "join", "er", "call")
        for end in (edge["source"], edge["target"]):
            assert end["column"]
            assert end["kind"] in ("table", "view", "path", "stage")
    written = {end["qualifiedName"] for statement in table["statements"] for end in statement["outputs"]}
    for edge in table["relations"]:
        assert edge["target"]["qualifiedName"] in written or edge["type"] in ("er", "join")


def check(dialect: str, text: str) -> None:
    """All that must hold for any text."""
    lineage = analyze(text, dialect=dialect)
    complete = lineage.to_dict(level="complete")
    check_ends(complete)
    check_ids(complete)
    check_places(complete, text)
    column, table = lineage.to_dict(level="column"), lineage.to_dict(level="table")
    check_derived(column, table)
    again = analyze(text, dialect=dialect)
    assert again.to_dict(level="complete") == complete
    assert again.to_dict(level="column") == column
    assert again.to_dict(level="table") == table


@pytest.fixture(autouse=True)
def _quiet_parser() -> Iterator[None]:
    """sqlglot warns about what it passes over; here that is most of it."""
    logger = logging.getLogger("sqlglot")
    level = logger.level
    logger.setLevel(logging.CRITICAL)
    yield
    logger.setLevel(level)


@settings(
    max_examples=EXAMPLES,
    deadline=None,
    derandomize=not LONG,
    database=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large, HealthCheck.function_scoped_fixture],
)
@given(scripts())
def test_damaged_scripts_give_a_sound_model(script: tuple[str, str]) -> None:
    dialect, text = script
    check(dialect, text)


@pytest.mark.parametrize(("dialect", "text"), SOURCES, ids=[f"{dialect}-{n}" for n, (dialect, _) in enumerate(SOURCES)])
def test_whole_scripts_give_a_sound_model(dialect: str, text: str) -> None:
    check(dialect, text)


ONCE_BROKEN = (
    ("ansi", "insert select a from t"),
    ("ansi", "insert into -- o\nselect"),
    ("ansi", "insert into o (a, a) select b, c from t"),
    ("ansi", "create view v as select a as x, b as x from t"),
    ("ansi", 'create view v as select 1 as "", t."" from t'),
    ("databricks", "merge into t using s on t.id = s.id when not matched then insert (*)"),
    ("ansi", "delete from\nfrom tbl a"),
    ("ansi", "merge into t using s on t.id = s.id when not matched then insert (deletes.a)"),
    ("hive", "from source s\ninsert overwrite table a "),
    ("hive", "create view v as select t.id, p.val from t lateral view posexplode(t.arr) p as pos, val, val"),
    ("mssql", "create view v as select c.id, s.value from customers c outer apply string_splitc."),
    ("oracle", "insert into o (a, b) select seq.(nextval)"),
    ("sybase", "update titles titles set x = titles.x + y.qty from titles, sales where titles.id"),
    ("hana", "delete t from dbo.target as t where not exists ( from dbo.source s where s.id.id = t.(id))"),
    ("hive", "insert into o select a from raw..orders o lateral view explode(o.items) x as i"),
    ("mssql", "select a into b..c from ...d"),
    ("oracle", "create table o as select * from (select s, m, v from k) pivot (sum(v) for x in ('x' as m, 'y' as y))"),
    ("postgresql", "create view v as select count(*) ?where s = 'ok') as n from p"),
    ("postgresql", "create view v as select t.x from t where (t.a, t(select s (select s.a, s?.b from "),
    ("postgresql", "update a set b, () = (select x, y from p)"),
    (
        "postgresql",
        "insert into c ( , a, b d, b) select e, f, g, h from i on conflict (a) do update set b = excluded.b",
    ),
    ("snowflake", "select object_construct('id', t.id, 'v') as x from t"),
    ("teradata", "update t from a t, b s set x = s.x where t.id = s.(id)"),
)
"""Texts that an analysis or an exporter stumbled over once."""


@pytest.mark.parametrize(("dialect", "text"), ONCE_BROKEN)
def test_texts_that_were_stumbled_over(dialect: str, text: str) -> None:
    check(dialect, text)


@pytest.mark.parametrize("dialect", DIALECTS)
def test_texts_that_say_nothing(dialect: str) -> None:
    for text in ("", " \n\t", ";", ";;;", "-- only a remark", "/* open", "'", '"', "(", ")" * 50, "\x00", "\ufeff"):
        complete = analyze(text, dialect=dialect).to_dict(level="complete")
        assert complete["relations"] == []
        check_places(complete, text)


@pytest.mark.parametrize("depth", [50, 400, 2_000])
@pytest.mark.parametrize("shape", ["parentheses", "case", "derived", "functions", "not"])
def test_deep_nesting_is_an_error_at_worst(shape: str, depth: int) -> None:
    expression = {
        "parentheses": "(" * depth + "t.a" + ")" * depth,
        "case": "case when t.a = 1 then " * depth + "t.b" + " end" * depth,
        "functions": "f(" * depth + "t.a" + ")" * depth,
        "not": "not " * depth + "t.a",
    }.get(shape, "t.a")
    source = "(select * from " * depth + "t" + ")" * depth + " t" if shape == "derived" else "t"
    text = f"insert into o (x) select {expression} from {source};\ninsert into p (y) select b from u;"
    lineage = analyze(text, dialect="ansi")
    check_ends(lineage.to_dict(level="complete"))
    edges = {
        (edge["source"]["table"], edge["target"]["table"]) for edge in lineage.to_dict(level="column")["relations"]
    }
    assert ("u", "p") in edges, "the statement after the deep one was lost"
