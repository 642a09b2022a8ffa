"""Splits a script into statements.

The text is tokenised once. Client commands and placeholders are dealt with before that, and only where a cheap look
finds any; the cutting looks at the few tokens that may end or begin a statement.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import compress
from operator import attrgetter
from threading import local

from sqlglot.errors import TokenError
from sqlglot.tokenizer_core import Token, TokenizerCore, TokenType

from connector.model import Problem, Script
from connector.sql.client_commands import Cleared, clear_commands
from connector.sql.cutting import WATCHED, cut
from connector.sql.dialects import SqlDialect
from connector.sql.grammars import read_tokens
from connector.sql.jinja import Template, expand_loops, is_template, resolve_jinja
from connector.sql.lexemes import open_conditional_comments, tokenize_in_pieces
from connector.sql.placeholders import fill_placeholders, restore
from connector.sql.spelling import spelled_out
from connector.sql.sqlx import is_sqlx, resolve_sqlx
from connector.sql.statement import Statement
from connector.sql.tokens import STRUCTURE

_MARKS = STRUCTURE | WATCHED
_type = attrgetter("token_type")

_LARGE = 1_000_000
"""Longer scripts are read in parts."""
_PART = 200_000
_MAY_HOLD_BODIES = re.compile(
    r"\b(?:BEGIN|BEGIN_PROC|DECLARE|PROC|PROCEDURE|FUNCTION|TRIGGER|PACKAGE|MACRO|RULE|EVENT|TASK|ALERT|TYPE|SCRIPT|DO|LOOP"
    r"|WHILE|REPEAT)\b",
    re.I,
)
"""Words without which no statement has a body with semicolons in it."""
_MAY_BEGIN_A_BODY = re.compile(r"\b(?:IF|FOR|CASE)\b|<<", re.I)
"""The same, where a statement begins with them."""

_BRANCHES = 8
"""How many branches of the conditions of a template are read."""


@dataclass(slots=True, eq=False)
class ReadResult:
    """The statements of a script in order, and what could not be read."""

    statements: list[Statement] = field(default_factory=list)
    problems: list[Problem] = field(default_factory=list)


def read_statements(script: Script, dialect: SqlDialect) -> ReadResult:
    """The statements of a whole script."""
    return read_fragment(script, script.text, 0, dialect)


def read_in_parts(script: Script, dialect: SqlDialect) -> Iterator[ReadResult]:
    """As `read_statements`, but a large script comes part by part: its tokens need fifty times the memory of its text.

    Only scripts are read so in which every semicolon ends a statement, and which need nothing done before they are
    tokenised.
    """
    text = script.text
    if len(text) > _LARGE and not (dialect.family.batches or dialect.family.slash_lines) and not _may_hold_bodies(text):
        cleared = clear_commands(open_conditional_comments(text, dialect), dialect)
        if not (cleared.breaks or cleared.bodies or is_template(cleared.text) or is_sqlx(cleared.text)):
            prepared, fills = fill_placeholders(cleared.text, dialect)
            if not fills:
                yield from _parts(script, prepared, dialect)
                return
    yield read_statements(script, dialect)


def _may_hold_bodies(text: str) -> bool:
    """Whether a semicolon may stand inside a statement."""
    return _MAY_HOLD_BODIES.search(text) is not None or any(
        _may_begin_a_statement(text, found.start()) for found in _MAY_BEGIN_A_BODY.finditer(text)
    )


def _may_begin_a_statement(text: str, at: int) -> bool:
    """Whether nothing but white space, or a comment, stands between this place and the statement before it."""
    before = at - 1
    while before >= 0 and text[before].isspace():
        before -= 1
    if before < 0 or text[before] in ";/":
        return True
    return "--" in text[text.rfind("\n", 0, before) + 1 : before + 1]


def _parts(script: Script, text: str, dialect: SqlDialect) -> Iterator[ReadResult]:
    """The statements of a text, some hundred kilobytes at a time, each part up to its last semicolon."""
    start, line, size = 0, 0, _PART
    while start < len(text):
        is_last = start + size >= len(text)
        try:
            tokens = _tokenize(text[start : start + size], dialect)
        except TokenError:
            if not is_last:
                # The part ends inside of something quoted.
                size *= 2
                continue
            tokens, broken = tokenize_in_pieces(text[start:], dialect)
        else:
            broken = []
            if not is_last:
                while tokens and tokens[-1].token_type is not TokenType.SEMICOLON:
                    tokens.pop()
                if not tokens:
                    size *= 2
                    continue
        end = start + tokens[-1].end + 1 if tokens and not is_last else len(text)
        for token in tokens:
            token.start += start
            token.end += start
            token.line += line
        result = ReadResult()
        cleared = Cleared(text)
        for first, behind, message in broken:
            result.problems.append(Problem("SyntaxError", message, (script, start + first, start + behind)))
            cleared.breaks.extend((start + first, start + behind))
        _statements(script, tokens, text, 0, dialect, cleared, result)
        yield result
        line += text.count("\n", start, end)
        start, size = end, _PART


def read_fragment(script: Script, text: str, base: int, dialect: SqlDialect) -> ReadResult:
    """The statements of a part of a script that is SQL in itself (a quoted routine body) and starts at offset `base`."""
    result = ReadResult()
    cleared = clear_commands(open_conditional_comments(text, dialect), dialect)
    taken: dict[int, list[int]] = {}
    template = resolve_jinja(cleared.text, taken) if is_template(cleared.text) else None
    if template is None and is_sqlx(cleared.text):
        template = resolve_sqlx(cleared.text)
    _read(script, cleared, base, dialect, template, result)
    if template is not None:
        for start, end, message in template.left:
            result.problems.append(Problem("Note", message, (script, base + start, base + end)))
        for _ in range(_BRANCHES):
            if template.complete:
                break
            template = resolve_jinja(cleared.text, taken)
            _read_branches(script, cleared, base, dialect, template, result)
    return result


def _read_branches(
    script: Script, cleared: Cleared, base: int, dialect: SqlDialect, template: Template, result: ReadResult
) -> None:
    """Adds the statements that are others when other branches of the template's conditions are taken."""
    other = ReadResult()
    _read(script, cleared, base, dialect, template, other)
    result.problems.extend(Problem("Note", problem.message, problem.span) for problem in other.problems)
    known = {tuple(token.text for token in statement.tokens) for statement in result.statements}
    for statement in other.statements:
        if tuple(token.text for token in statement.tokens) not in known:
            result.statements.append(statement)


def _read(
    script: Script, cleared: Cleared, base: int, dialect: SqlDialect, template: Template | None, result: ReadResult
) -> None:
    prepared, fills = fill_placeholders(cleared.text, dialect, template)
    try:
        tokens = _tokenize(prepared, dialect)
    except TokenError:
        tokens, broken = tokenize_in_pieces(prepared, dialect)
        for start, end, message in broken:
            result.problems.append(Problem("SyntaxError", message, (script, base + start, base + end)))
            cleared.breaks.extend((start, end))
        cleared.breaks.sort()
    if fills:
        tokens, unknown = restore(tokens, fills)
        for fill in unknown:
            message = f"the statement that {fill.shown} stands for is unknown"
            result.problems.append(Problem("Note", message, (script, base + fill.start, base + fill.end)))
    if template is not None and template.loops:
        tokens = expand_loops(tokens, template.loops)
    _statements(script, tokens, prepared, base, dialect, cleared, result)


def _statements(
    script: Script,
    tokens: list[Token],
    text: str,
    base: int,
    dialect: SqlDialect,
    cleared: Cleared,
    result: ReadResult,
) -> None:
    """Cuts the tokens of a text into statements."""
    written = tokens
    tokens = spelled_out(tokens, text, dialect)
    # Asking a token for its type costs more than any use of it, and few types matter: each token is asked once.
    kinds = list(map(_type, tokens))
    marks = list(compress(range(len(kinds)), map(_MARKS.__contains__, kinds)))
    for start, end, span_end in cut(tokens, kinds, marks, dialect, cleared):
        inside = marks[bisect_left(marks, start) : bisect_left(marks, end)]
        if start:
            inside = [i - start for i in inside]
        first = base + tokens[start].start
        behind = base + tokens[end - 1].end + 1
        if behind < first:
            # A statement that goes on in the next turn of a template's loop.
            behind = base + max(token.end for token in tokens[start:end]) + 1
        if tokens is not written:
            # Some may have been moved.
            first = base + min([token.start for token in tokens[start:end]])
            behind = base + max([token.end for token in tokens[start:end]]) + 1
        span_end = max(behind, base + span_end)
        result.statements.append(
            Statement(script, base, tokens[start:end], first, behind, span_end, kinds[start:end], inside)
        )


class _Tokenizers(local):
    """The tokenizers of one thread by the name of the dialect. For a short statement making one is half of the work."""

    def __init__(self) -> None:
        self.known: dict[str, TokenizerCore] = {}


_TOKENIZERS = _Tokenizers()


def _tokenize(text: str, dialect: SqlDialect) -> list[Token]:
    core = _TOKENIZERS.known.get(dialect.name)
    if core is None:
        core = _TOKENIZERS.known[dialect.name] = dialect.sqlglot.tokenizer()._core
    try:
        return read_tokens(text, core.tokenize) if core.heredoc_tag_is_identifier else core.tokenize(text)
    finally:
        # It would hold on to the text and the tokens until it reads the next text.
        core.reset()
