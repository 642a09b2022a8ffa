"""Bodies in another language: the SQL that stands in them as plain string literals."""

from __future__ import annotations

import re
from collections.abc import Iterator

from sqlglot.errors import TokenError
from sqlglot.tokenizer_core import Token

from connector.sql.dialects import SqlDialect
from connector.sql.statement import Statement

__all__ = ["literal_statements"]

_LEXEME = re.compile(
    r"""(?P<comment>//[^\n]*|/\*.*?\*/)|(?P<string>"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'|`(?:[^`\\]|\\.)*`)""",
    re.DOTALL,
)
_SQL = re.compile(r"\s*(?:insert|update|delete|merge|create|select|with|truncate|copy)\b", re.IGNORECASE)


def literal_statements(statement: Statement, body: Token, dialect: SqlDialect) -> Iterator[Statement]:
    """Each literal of a JavaScript body that is a whole statement of SQL; one that is put together is left alone."""
    script = statement.script
    base = statement.base
    text = script.text
    end = body.end + 1 + base
    for match in _LEXEME.finditer(text, body.start + base, end):
        literal = match["string"]
        if literal is None or "${" in literal or "\\" in literal or not _SQL.match(literal, 1):
            continue
        if _is_joined(text, match.start(), match.end(), end):
            continue
        start = match.start() + 1
        try:
            tokens = dialect.sqlglot.tokenize(literal[1:-1])
        except TokenError:
            continue
        for token in tokens:
            token.start += start
            token.end += start
        while tokens and tokens[-1].text == ";":
            tokens.pop()
        if len(tokens) > 2:
            stop = tokens[-1].end + 1
            yield Statement(script, 0, tokens, tokens[0].start, stop, stop)


def _is_joined(text: str, start: int, end: int, stop: int) -> bool:
    """Whether a plus before or behind joins the literal with something else."""
    before = text[max(start - 200, 0) : start].rstrip()[-1:]
    behind = text[end : min(end + 200, stop)].lstrip()[:1]
    return before == "+" or behind == "+"
