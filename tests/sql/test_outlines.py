"""Texts that are recognised by their outline have the shape that reading them would have given."""

from __future__ import annotations

import random
import re
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from connector.model import Script
from connector.sql.dialects import SqlDialect, get_dialect, supported_dialects
from connector.sql.identity import says_where, shape
from connector.sql.outlines import _FREE, Outline, ShapeMemory, _literal_places, outline_of
from connector.sql.split import read_statements

GOLDENS = Path(__file__).parents[1] / "golden"
STRINGS = [
    "2024-01-02",
    "2024-01-02 03:04:05.678",
    "2024-01-02T03:04:05Z",
    "01/02/2024",
    "7",
    "12,5",
    "a1",
    "select1",
    "from_2",
    "t_2024",
    "IDENTIFIER1",
    "json1",
    "rows1",
    "dictget2",
    "550e8400-e29b-41d4-a716-446655440000",
    "",
]
"""Contents of strings that say nothing, some of them as near as possible to something that does."""
NUMBERS = ["0", "1", "2", "3", "12", "007", "123456789012345678901234567890"]
DECIMALS = ["0.5", "1.0", "12.25"]


def shapes(text: str, dialect: SqlDialect) -> list[str] | None:
    """What reading the whole text gives; None where it cannot be read."""
    read = read_statements(Script(text), dialect)
    return None if read.problems else [shape(statement) for statement in read.statements]


def with_other_literals(text: str, dialect: SqlDialect, choose: random.Random) -> str:
    """The text with other literals in the places of an outline's literals."""
    pieces, behind = [], 0
    for start, end in _literal_places(text, dialect):
        literal = text[start:end]
        if choose.random() < 0.7:
            if literal[0] == "'":
                literal = f"'{choose.choice(STRINGS)}'"
            else:
                literal = choose.choice(DECIMALS if "." in literal else NUMBERS)
        pieces += [text[behind:start], literal]
        behind = end
    return "".join([*pieces, text[behind:]])


def learned(text: str, dialect: SqlDialect, memory: ShapeMemory[list[str]]) -> Outline | None:
    """The outline of the text, whose shapes the memory knows from now on."""
    outline = outline_of(text, dialect)
    found = shapes(text, dialect)
    if outline is None or not found:
        return None
    memory.keep(outline, text, dialect, read_statements(Script(text), dialect).statements, found)
    return outline


@pytest.mark.parametrize("folder", sorted(path.name for path in GOLDENS.iterdir() if path.is_dir()))
def test_statements_of_the_goldens(folder: str) -> None:
    dialect = get_dialect(folder)
    choose = random.Random(folder)
    recognised = 0
    for file in sorted((GOLDENS / folder).glob("*.sql")):
        for statement in read_statements(Script(file.read_text(encoding="utf-8")), dialect).statements:
            text = statement.text
            memory: ShapeMemory[list[str]] = ShapeMemory()
            outline = learned(text, dialect, memory)
            if outline is None:
                continue
            for _ in range(3):
                other = with_other_literals(text, dialect, choose)
                found = outline_of(other, dialect)
                assert found is not None, (file.name, text, other)
                assert found.key == outline.key, (file.name, text, other)
                known = memory.find(found)
                if known is not None:
                    recognised += 1
                    assert known == shapes(other, dialect), (file.name, text, other)
                else:
                    learned(other, dialect, memory)
    assert recognised


PIECES = """
select|from|where|group by|order by|limit|values|in|insert into|copy into|identifier|table|json_extract|dictGet|exec sp_x|as|using
(|)|,|.|;|=|->|->>|:|$|@|#|&|%|--|/*|*/|"|`|[|]|'|''|$$|q'|N'|t|a.b|t1|x'|e'|-|+|date|interval|over
""".replace("\n", "|").split("|")


@settings(max_examples=300, deadline=None)
@given(
    st.sampled_from(supported_dialects()),
    st.lists(
        st.tuples(
            st.one_of(
                st.sampled_from([piece for piece in PIECES if piece]),
                st.sampled_from([f"'{text}'" for text in STRINGS] + NUMBERS + DECIMALS),
            ),
            st.sampled_from([" ", "", "\n"]),
        ),
        max_size=25,
    ),
    st.integers(0, 1000),
)
def test_any_text(name: str, pieces: list[tuple[str, str]], seed: int) -> None:
    text = "".join(piece + gap for piece, gap in pieces)
    dialect = get_dialect(name)
    memory: ShapeMemory[list[str]] = ShapeMemory()
    if learned(text, dialect, memory) is None:
        return
    other = with_other_literals(text, dialect, random.Random(seed))
    found = outline_of(other, dialect)
    known = memory.find(found) if found is not None else None
    assert known is None or known == shapes(other, dialect)


@settings(max_examples=100, deadline=None)
@given(st.from_regex(re.compile(_FREE), fullmatch=True))
def test_what_is_taken_out_says_nothing(content: str) -> None:
    assert not says_where(content)
    assert not content.isalpha()
    assert "'" not in content
    assert "\n" not in content


@pytest.mark.parametrize(
    ("dialect", "one", "other", "same"),
    [
        ("ansi", "select a from t where d = '2024-01-01' and n > 5", "select a from t where d = '2024-01-02' and n > 6", True),
        ("ansi", "select a from t where n > 1.5", "select a from t where n > 2.25", True),
        ("ansi", "select a from t where n = 'x1' limit 5", "select a from t where n = 'y2' limit 10", True),
        ("ansi", "select a, b from t group by 1 having c > 1", "select a, b from t group by 2 having c > 1", False),
        ("ansi", "select a, b from t order by a limit 1", "select a, b from t order by a limit 2", True),
        ("snowflake", "select * from identifier('t1')", "select * from identifier('t2')", False),
        ("snowflake", "select x[1] from t", "select x[2] from t", False),
        ("postgresql", "select v ->> 'a1' from t", "select v ->> 'a2' from t", False),
        ("mysql", "select json_extract(v, 'a1') from t", "select json_extract(v, 'a2') from t", False),
        ("clickhouse", "select dictGet('d1', 'a1', k) from t", "select dictGet('d2', 'a1', k) from t", False),
        ("hive", "load data inpath 'x1' into table t", "load data inpath 'x2' into table t", False),
        ("ansi", "select a from t -- it's 5\nwhere b = 6", "select a from t -- it's 5\nwhere b = 7", True),
        ("ansi", "select a from t where b = 5 or b is null", "select a from t where b = 5.5 or b is null", True),
    ],
)  # fmt: skip
def test_which_literals_count(dialect: str, one: str, other: str, same: bool) -> None:
    memory: ShapeMemory[list[str]] = ShapeMemory()
    grammar = get_dialect(dialect)
    assert learned(one, grammar, memory) is not None
    assert (shapes(one, grammar) == shapes(other, grammar)) is same
    found = outline_of(other, grammar)
    assert found is not None
    known = memory.find(found)
    assert known == shapes(other, grammar) if same and "." not in other else known in (None, shapes(other, grammar))


@pytest.mark.parametrize(
    ("dialect", "text"),
    [
        ("ansi", "select 'it\\'s' from t where a = 1"),
        ("ansi", "select 'open from t where a = 1"),
        ("ansi", 'select "open from t where a = 1'),
        ("ansi", "select a /* open from t where a = 1"),
        ("oracle", "select q'[it's 5]' from t where a = 1"),
        ("mysql", "select 5--'a' from t"),
        ("mysql", "select a # it's\n from t where a = 1"),
        ("mysql", "select /*! 5 + */ a from t where a = 1"),
        ("postgresql", "select $a$ it's 5 $a$ from t where a = 1"),
        ("postgresql", "select /* /* it's */ 5 */ a from t where a = 1"),
        ("snowflake", "select {{ 5 }} from t where a = 1"),
        ("ansi", "select $(5) from t where a = 1"),
    ],
)
def test_ambiguous_texts_have_no_outline(dialect: str, text: str) -> None:
    assert outline_of(text, get_dialect(dialect)) is None


def test_a_memory_is_bounded() -> None:
    memory: ShapeMemory[list[str]] = ShapeMemory(most=3)
    dialect = get_dialect("ansi")
    outlines = [learned(f"select a from t{number} where b = 1", dialect, memory) for number in range(4)]
    assert [memory.find(outline) is not None for outline in outlines if outline] == [False, False, False, True]
