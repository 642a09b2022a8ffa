"""What the tests of this folder share."""

from __future__ import annotations

from connector.model import Script
from connector.sql.dialects import get_dialect
from connector.sql.split import ReadResult, read_statements
from connector.sql.statement import Statement

__all__ = ["read", "statement", "texts", "token_texts"]


def read(text: str, dialect: str) -> ReadResult:
    return read_statements(Script(text), get_dialect(dialect))


def texts(text: str, dialect: str = "ansi") -> list[str]:
    """The statements of a script as written; the script must have no problem."""
    result = read(text, dialect)
    assert result.problems == []
    return [found.text for found in result.statements]


def statement(text: str, dialect: str = "ansi") -> Statement:
    result = read(text, dialect)
    assert result.problems == []
    assert len(result.statements) == 1
    return result.statements[0]


def token_texts(text: str, dialect: str = "ansi") -> list[str]:
    return [token.text for token in statement(text, dialect).tokens]
