"""From a script to its statements."""

from __future__ import annotations

from dataclasses import dataclass, field

from sqlglot.errors import TokenError
from sqlglot.tokens import Token, TokenType

from connector.model import Problem, Script
from connector.sql.dialects import SqlDialect
from connector.sql.statement import Statement

__all__ = ["ReadResult", "read_fragment", "read_statements"]


@dataclass(slots=True, eq=False)
class ReadResult:
    """The statements of a script in order, and what could not be read."""

    statements: list[Statement] = field(default_factory=list)
    problems: list[Problem] = field(default_factory=list)


def read_statements(script: Script, dialect: SqlDialect) -> ReadResult:
    """Tokenises the script once and cuts the tokens into statements."""
    return read_fragment(script, script.text, 0, dialect)


def read_fragment(script: Script, text: str, base: int, dialect: SqlDialect) -> ReadResult:
    """As `read_statements`, for a part of the script that is SQL in itself (a quoted routine body) and starts at `base`."""
    result = ReadResult()
    try:
        tokens = dialect.sqlglot.tokenize(text)
    except TokenError as error:
        result.problems.append(Problem("SyntaxError", str(error), (script, base, base + len(text))))
        return result
    start = 0
    for i, token in enumerate(tokens):
        if token.token_type is TokenType.SEMICOLON:
            _add(result, script, base, tokens[start:i], token.end + 1)
            start = i + 1
    _add(result, script, base, tokens[start:], None)
    return result


def _add(result: ReadResult, script: Script, base: int, tokens: list[Token], behind: int | None) -> None:
    if tokens:
        end = base + tokens[-1].end + 1
        span_end = end if behind is None else base + behind
        result.statements.append(Statement(script, base, tokens, base + tokens[0].start, end, span_end))
