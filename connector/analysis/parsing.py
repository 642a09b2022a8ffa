"""Parses the tokens of a statement into a syntax tree: as written, or repaired to syntax that the grammar knows."""

from __future__ import annotations

from threading import local
from typing import Any

from sqlglot import exp
from sqlglot.errors import ErrorLevel, ParseError
from sqlglot.tokenizer_core import TokenType

from connector.sql.dialects import SqlDialect
from connector.sql.recovery import Attempt, Region, misspelled, recover
from connector.sql.repair import OWN, cut_trailing, repaired, with_name, with_own_function
from connector.sql.statement import Statement
from connector.sql.words import STRINGS

_NAMES_TRIED = 4
"""How many reserved words of a statement are read as names at most."""


class _Parsers(local):
    """The parsers of one thread by the name of the dialect. For a short statement making one is a good part of the work."""

    def __init__(self) -> None:
        self.known: dict[str, Any] = {}


_PARSERS = _Parsers()


def parser_of(dialect: SqlDialect) -> Any:
    parser = _PARSERS.known.get(dialect.name)
    if parser is None:
        parser = _PARSERS.known[dialect.name] = dialect.sqlglot.parser(error_level=ErrorLevel.IMMEDIATE)
        if dialect.implicit_unnest:
            parser.__class__ = _leaving_arrays(parser.__class__)
    return parser


def _leaving_arrays(parser_class: Any) -> Any:
    """A parser class that leaves ``FROM t, t.items`` as it is written.

    sqlglot would look for arrays by copying the whole FROM clause of every query, which costs the square of the depth.
    A compiled parser class cannot be instantiated through a subclass, but a parser can be moved to one.
    """
    return type(parser_class)(
        parser_class.__name__, (parser_class,), {"SUPPORTS_IMPLICIT_UNNEST": False, "__slots__": ()}
    )


def parse_tokens(parser: Any, tokens: list[Any], text: str) -> list[Any]:
    """The trees of some tokens. A parser that fails over them, instead of refusing them, has not understood them either."""
    operators = parser.NO_PAREN_FUNCTION_PARSERS
    keeps_prior = "PRIOR" in operators
    try:
        nodes: list[Any] = parser.parse(tokens, text)
    except (ParseError, RecursionError, MemoryError):
        raise
    except Exception as fault:
        at = parser._curr or (tokens[-1] if tokens else None)
        place = {"line": at.line, "col": at.col} if at is not None else {}
        reason = "Invalid expression / Unexpected token"
        raise ParseError(reason, [{"description": reason, **place}]) from fault
    finally:
        # While it reads CONNECT BY, sqlglot lists PRIOR as an operator in a table that all parsers share. After a clause
        # that it gave up, the word would stay there, and later statements would be read differently.
        if not keeps_prior and "PRIOR" in operators:
            del operators["PRIOR"]
    return nodes


def parse_statement(statement: Statement, dialect: SqlDialect) -> list[Any]:
    """The trees of a statement. Raises the ParseError of the text as written when no rewriting helps."""
    text = statement.script.text
    parser = parser_of(dialect)
    first_error: ParseError | None = None
    nodes: list[Any] = []
    try:
        nodes = parse_tokens(parser, statement.tokens, text)
        # The parser would hold on to the tokens until it reads the next statement.
        parser.reset()
        if len(nodes) == 1 and nodes[0] is not None and nodes[0].__class__ is not exp.Command:
            return nodes
        nodes = [node for node in nodes if node is not None]
        if not any(node.__class__ is exp.Command for node in nodes):
            return nodes
    except ParseError as error:
        first_error = error
    found = _parse_rewritten(parser, statement, dialect, first_error)
    if found is None and first_error is not None:
        found = _parse_with_names(parser, statement, dialect, first_error)
    if found is not None:
        return found
    if first_error is not None:
        raise first_error
    return nodes


def _parse_rewritten(
    parser: Any, statement: Statement, dialect: SqlDialect, error: ParseError | None
) -> list[Any] | None:
    tokens = statement.tokens
    changed: list[Any] | None = _repaired(statement, dialect)
    if changed is tokens:
        changed = None
    attempts = 0
    while attempts < 3:
        attempts += 1
        if changed is None:
            failed = failed_token(error, tokens) if error is not None else -1
            changed = cut_trailing(tokens, failed) if failed >= 0 else None
            if changed is None:
                return None
        tokens = changed
        changed = None
        try:
            nodes = [node for node in parse_tokens(parser, tokens, statement.script.text) if node is not None]
        except ParseError as next_error:
            error = next_error
            continue
        return None if any(node.__class__ is exp.Command for node in nodes) else nodes
    return None


def _parse_with_names(parser: Any, statement: Statement, dialect: SqlDialect, error: ParseError) -> list[Any] | None:
    """The trees of a statement in which a word of the grammar is the name of a table, a column or a function."""
    tokens = _repaired(statement, dialect)
    failed = failed_token(error, tokens)
    for _ in range(_NAMES_TRIED):
        changed = (with_name(tokens, failed) or with_own_function(tokens, failed)) if failed >= 0 else None
        if changed is None:
            return None
        tokens = changed
        try:
            nodes = [node for node in parse_tokens(parser, tokens, statement.script.text) if node is not None]
        except ParseError as next_error:
            failed = failed_token(next_error, tokens)
            continue
        return None if any(node.__class__ is exp.Command for node in nodes) else _without_marks(nodes)
    return None


def _without_marks(nodes: list[Any]) -> list[Any]:
    """The trees with the names of functions as they are written."""
    for node in nodes:
        for call in node.find_all(exp.Anonymous):
            name = call.args["this"]
            if name.__class__ is str and name.endswith(OWN):
                call.set("this", name.removesuffix(OWN))
    return nodes


def _repaired(statement: Statement, dialect: SqlDialect) -> list[Any]:
    """The tokens after all rules of the dialect, which is the same for all readers of a statement."""
    found = statement.repaired
    if found is None:
        found = statement.repaired = repaired(statement.tokens, dialect)
    return found


def recover_statement(
    statement: Statement, dialect: SqlDialect, error: ParseError
) -> tuple[list[Any], list[Region]] | None:
    """The trees of a statement without the parts that the grammar refuses, and these parts."""
    tokens = _repaired(statement, dialect)
    attempt = _attempt(parser_of(dialect), statement.script.text)
    failed = failed_token(error, tokens)
    if tokens is not statement.tokens:
        nodes, failed = attempt(tokens)
        if nodes is not None:
            return nodes, []
    found = recover(tokens, failed, attempt)
    return None if found is None or _writes_no_more(tokens, found[0]) else found


def _writes_no_more(tokens: list[Any], nodes: list[Any]) -> bool:
    """A query that has lost the table that it writes: ``SELECT … INTO EXTERNAL t …`` would be one for display."""
    if tokens[0].token_type is not TokenType.SELECT or not any(token.token_type is TokenType.INTO for token in tokens):
        return False
    return not any(node.find(exp.Into, exp.DML) for node in nodes)


def _attempt(parser: Any, text: str) -> Attempt:
    def attempt(tokens: list[Any]) -> tuple[Any, int]:
        try:
            nodes = [node for node in parse_tokens(parser, tokens, text) if node is not None]
        except ParseError as error:
            return None, failed_token(error, tokens)
        if any(node.__class__ is exp.Command or _sets_nothing(node) for node in nodes):
            return None, -1
        return nodes, -1

    return attempt


def _sets_nothing(node: Any) -> bool:
    """An UPDATE that has lost what it sets: the region was none, and the statement would be lost."""
    return node.__class__ is exp.Update and not node.args.get("expressions")


def failed_token(error: ParseError, tokens: list[Any]) -> int:
    """Which token the parser stumbled over; -1 when it cannot be told."""
    details = error.errors[0] if error.errors else {}
    line, column = details.get("line"), details.get("col")
    return next((at for at, token in enumerate(tokens) if token.line == line and token.col == column), -1)


def explain(error: ParseError, statement: Statement) -> tuple[str, int, int]:
    """What a person needs: the reason in words and the place. The text of a string is not shown: it may be a password."""
    details = error.errors[0] if error.errors else {}
    description = str(details.get("description") or error).strip().partition(" but got <")[0].rstrip(".")
    at = failed_token(error, statement.tokens)
    if at < 0:
        return description, statement.start, statement.end
    slip = explain_slip(statement, max(at - 3, 0), at + 1)
    if slip is not None:
        return slip
    token = statement.tokens[at]
    near = "a string" if token.token_type in STRINGS else repr(token.text)
    return _in_words(description, near), token.start + statement.base, token.end + 1 + statement.base


def explain_slip(statement: Statement, first: int, last: int) -> tuple[str, int, int] | None:
    """The reason and the place where a word of the grammar is misspelled between two tokens."""
    for token in statement.tokens[first:last]:
        meant = misspelled(token.text) if token.token_type is TokenType.VAR else None
        if meant is not None:
            reason = f"unexpected {token.text!r}: did you mean {meant}?"
            return reason, token.start + statement.base, token.end + 1 + statement.base
    return None


def _in_words(description: str, near: str) -> str:
    """The parser's reason as a person would say it."""
    if description.startswith("Required keyword"):
        return f"expected an expression after {near}"
    if description.startswith("Invalid expression"):
        return f"unexpected {near}"
    if description.startswith("Expecting "):
        return f"expected {description.removeprefix('Expecting ')} after {near}"
    if description.startswith("Expected "):
        expected = description.removeprefix("Expected ")
        article = "" if expected[:1].isupper() else "an " if expected[:1] in "aeiou" else "a "
        return f"expected {article}{expected} after {near}"
    return f"{description} near {near}"
