"""The head of a SQLMesh model, which names the table that the query of its file makes."""

from __future__ import annotations

from sqlglot.errors import ParseError
from sqlglot.tokenizer_core import TokenType

from connector.sql.readers.cursor import Cursor
from connector.sql.readers.readings import NamedQuery, Reading
from connector.sql.statement import Statement
from connector.sql.words import Replacement, Tokens, like, replace_where


def read_model(cursor: Cursor) -> Reading | None:
    """``MODEL (name shop.totals, kind FULL, …)``. Without a kind it is a view."""
    cursor.i += 1
    inside = cursor.group()
    if inside is None:
        return None
    start, end = inside
    named = cursor.find("NAME", start=start, end=end)
    kind = cursor.find("KIND", start=start, end=end)
    if named < 0:
        if kind < 0:
            return None
        raise ParseError("The model has no name: it depends on the path of its file")
    cursor.i = named + 1
    if cursor.name() is None:
        return None
    view = kind < 0 or cursor.word_at(kind + 1) in ("VIEW", "EMBEDDED")
    return NamedQuery(cursor.tokens[named + 1 : cursor.i], view)


def definition_of(head: NamedQuery, statement: Statement) -> Statement | None:
    """The query of a model as the statement that creates it; None for what is no query."""
    here = statement.tokens[0]
    if here.token_type not in (TokenType.SELECT, TokenType.WITH):
        return None
    kind = like(here, TokenType.VIEW, "VIEW") if head.view else like(here, TokenType.TABLE, "TABLE")
    start = [like(here, TokenType.CREATE, "CREATE"), kind, *head.name, like(here, TokenType.ALIAS, "AS")]
    return statement.with_tokens([*start, *_macro_variable(statement.tokens)])


@replace_where
def _macro_variable(tokens: Tokens, i: int) -> Replacement | None:
    """``@start_date`` is a value here, and ``@source('x')`` a function, whatever the sign means in the dialect."""
    if tokens[i].text != "@" or i + 1 == len(tokens) or tokens[i + 1].token_type is not TokenType.VAR:
        return None
    is_call = i + 2 < len(tokens) and tokens[i + 2].token_type is TokenType.L_PAREN
    return ([], 1) if is_call else ([like(tokens[i], TokenType.PLACEHOLDER, "?")], 2)


READS = {"MODEL": read_model}
