"""A large script that is read part by part has the statements that it has as a whole."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from connector import analyze
from connector.model import Script
from connector.sql import split
from connector.sql.dialects import get_dialect
from connector.sql.split import read_in_parts, read_statements

GOLDENS = Path(__file__).parents[1] / "golden"


def facts(statements: list[Any]) -> list[tuple[Any, ...]]:
    return [
        (
            statement.start,
            statement.end,
            statement.span_end,
            statement.base,
            [(token.token_type, token.text, token.start, token.end, token.line) for token in statement.tokens],
            statement.kinds,
        )
        for statement in statements
    ]


@pytest.mark.parametrize("folder", sorted(path.name for path in GOLDENS.iterdir() if path.is_dir()))
def test_goldens_in_small_parts(folder: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """All scripts of a dialect that are read in parts by themselves, one behind the other as well."""
    dialect = get_dialect(folder)
    texts = [file.read_text(encoding="utf-8") for file in sorted((GOLDENS / folder).glob("*.sql"))]
    joined = "\n;\n".join(text for text in texts if not split._MAY_HOLD_BODIES.search(text) and "{" not in text)
    for size in (40, 500):
        monkeypatch.setattr(split, "_LARGE", 0)
        monkeypatch.setattr(split, "_PART", size)
        for text in [*texts, joined]:
            script = Script(text)
            whole = read_statements(script, dialect)
            parts = list(read_in_parts(script, dialect))
            assert facts([found for part in parts for found in part.statements]) == facts(whole.statements)
            assert [found for part in parts for found in part.problems] == [] or whole.problems


@pytest.mark.parametrize(
    "between",
    [
        "-- a comment;\n",
        "/* a comment;\n with; semicolons; */ ",
        "insert into p select ';\n; '';' from q;\n",
        'insert into "p;\n" select a from q;\n',
        ";;\n",
    ],
)
def test_what_looks_like_an_end(between: str, monkeypatch: pytest.MonkeyPatch) -> None:
    text = "".join(f"{between}insert into o{number} select a from t{number};\n" for number in range(50))
    dialect = get_dialect("ansi")
    whole = facts(read_statements(Script(text), dialect).statements)
    monkeypatch.setattr(split, "_LARGE", 0)
    for size in (1, 7, 30, 100):
        monkeypatch.setattr(split, "_PART", size)
        parts = list(read_in_parts(Script(text), dialect))
        assert len(parts) > 1
        assert facts([found for part in parts for found in part.statements]) == whole


def test_a_quote_that_is_never_closed(monkeypatch: pytest.MonkeyPatch) -> None:
    text = (
        "insert into o select a from t;\n" * 20 + "insert into p select 'open from u;\ninsert into q select b from v;\n"
    )
    whole = analyze(text).to_dict()
    monkeypatch.setattr(split, "_LARGE", 0)
    monkeypatch.setattr(split, "_PART", 100)
    assert analyze(text).to_dict() == whole
    assert whole["errors"]


def test_bodies_are_read_as_a_whole(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(split, "_LARGE", 0)
    monkeypatch.setattr(split, "_PART", 10)
    text = "create function f() returns int as begin insert into o select a from t; return 1; end;\nselect 1;\n"
    assert len(list(read_in_parts(Script(text), get_dialect("mysql")))) == 1
