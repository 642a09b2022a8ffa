"""From a script to its statements.

The text is tokenised once. Client commands and placeholders are dealt with before that, and only where a cheap look
finds any; the cutting looks at the few tokens that may end or begin a statement.
"""

from __future__ import annotations

from bisect import bisect_left
from dataclasses import dataclass, field
from operator import attrgetter
from threading import local

from sqlglot.errors import TokenError
from sqlglot.tokenizer_core import Token, TokenizerCore

from connector.model import Problem, Script
from connector.sql.boundaries import WATCHED
from connector.sql.clients import Cleared, clear_commands
from connector.sql.conditional import open_conditional_comments
from connector.sql.cutting import cut
from connector.sql.dialects import SqlDialect
from connector.sql.jinja import Template, expand_loops, resolve_jinja
from connector.sql.placeholders import fill_placeholders, is_template, restore
from connector.sql.rescue import tokenize_in_pieces
from connector.sql.spelling import spelled_out
from connector.sql.statement import Statement
from connector.sql.tokens import STRUCTURE

__all__ = ["ReadResult", "read_fragment", "read_statements"]


_MARKS = STRUCTURE | WATCHED
_type = attrgetter("token_type")

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


def read_fragment(script: Script, text: str, base: int, dialect: SqlDialect) -> ReadResult:
    """The statements of a part of a script that is SQL in itself (a quoted routine body) and starts at offset `base`."""
    result = ReadResult()
    cleared = clear_commands(open_conditional_comments(text, dialect), dialect)
    taken: dict[int, list[int]] = {}
    template = resolve_jinja(cleared.text, taken) if is_template(cleared.text) else None
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
            message = f"the statement that {fill.shown} stands for is not known"
            result.problems.append(Problem("Note", message, (script, base + fill.start, base + fill.end)))
    if template is not None and template.loops:
        tokens = expand_loops(tokens, template.loops)
    tokens = spelled_out(tokens, prepared, dialect)
    # Asking a token for its type costs more than any use of it, and few types matter: each token is asked once.
    kinds = list(map(_type, tokens))
    marks = [i for i, kind in enumerate(kinds) if kind in _MARKS]
    for start, end, span_end in cut(tokens, kinds, marks, dialect, cleared):
        inside = marks[bisect_left(marks, start) : bisect_left(marks, end)]
        if start:
            inside = [i - start for i in inside]
        first = base + tokens[start].start
        behind = base + tokens[end - 1].end + 1
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
        return core.tokenize(text)
    finally:
        # It would hold on to the text and the tokens until it reads the next text.
        core.reset()
