"""From the tokens of a statement to its syntax tree, in the words of the vendor or in words the grammar knows."""

from __future__ import annotations

from threading import local
from typing import Any

from sqlglot import exp
from sqlglot.errors import ErrorLevel, ParseError
from sqlglot.tokenizer_core import TokenType

from connector.analysis.nesting import parse_nested, too_deep
from connector.sql.dialects import SqlDialect
from connector.sql.recovery import Attempt, Region, misspelled, recover
from connector.sql.repair import cut_trailing, repaired
from connector.sql.statement import Statement
from connector.sql.words import STRINGS

__all__ = ["explain", "explain_slip", "parse_statement", "recover_statement"]


class _Parsers(local):
    """The parsers of one thread by the name of the dialect. For a short statement making one is a good part of the work."""

    def __init__(self) -> None:
        self.known: dict[str, Any] = {}


_PARSERS = _Parsers()


def _parser(dialect: SqlDialect) -> Any:
    parser = _PARSERS.known.get(dialect.name)
    if parser is None:
        parser = _PARSERS.known[dialect.name] = dialect.sqlglot.parser(error_level=ErrorLevel.IMMEDIATE)
    return parser


def _parse(parser: Any, tokens: list[Any], text: str) -> list[Any]:
    """The trees of some tokens. A parser that fails over them, instead of refusing them, has not understood them either."""
    try:
        nodes: list[Any] = parser.parse(tokens, text)
    except (ParseError, RecursionError, MemoryError):
        raise
    except Exception as fault:
        at = parser._curr or (tokens[-1] if tokens else None)
        place = {"line": at.line, "col": at.col} if at is not None else {}
        reason = "Invalid expression / Unexpected token"
        raise ParseError(reason, [{"description": reason, **place}]) from fault
    return nodes


def parse_statement(statement: Statement, dialect: SqlDialect) -> list[Any]:
    """The trees of a statement. Raises the ParseError of the text as written when no rewriting helps."""
    text = statement.script.text
    parser = _parser(dialect)
    first_error: ParseError | None = None
    nodes: list[Any] = []
    try:
        if dialect.implicit_unnest and too_deep(statement.kinds, statement.text):
            nodes = parse_nested(parser, statement.tokens, text)
        else:
            nodes = _parse(parser, statement.tokens, text)
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
    if found is not None:
        return found
    if first_error is not None:
        raise first_error
    return nodes


def _parse_rewritten(
    parser: Any, statement: Statement, dialect: SqlDialect, error: ParseError | None
) -> list[Any] | None:
    tokens = statement.tokens
    changed: list[Any] | None = repaired(tokens, dialect)
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
            nodes = [node for node in _parse(parser, tokens, statement.script.text) if node is not None]
        except ParseError as next_error:
            error = next_error
            continue
        return None if any(node.__class__ is exp.Command for node in nodes) else nodes
    return None


def recover_statement(
    statement: Statement, dialect: SqlDialect, error: ParseError
) -> tuple[list[Any], list[Region]] | None:
    """The trees of a statement without the parts that the grammar refuses, and these parts."""
    tokens = repaired(statement.tokens, dialect)
    attempt = _attempt(_parser(dialect), statement.script.text)
    failed = failed_token(error, tokens)
    if tokens is not statement.tokens:
        nodes, failed = attempt(tokens)
        if nodes is not None:
            return nodes, []
    return recover(tokens, failed, attempt)


def _attempt(parser: Any, text: str) -> Attempt:
    def attempt(tokens: list[Any]) -> tuple[Any, int]:
        try:
            nodes = [node for node in _parse(parser, tokens, text) if node is not None]
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
