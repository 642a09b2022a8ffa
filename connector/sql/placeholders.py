"""Placeholders of templates and client programs: ``${db}``, ``&owner``, ``%(day)s``, ``{{ ref('orders') }}``.

They are replaced by names of the same length before the text is tokenised, so that every offset stays what it was,
and the tokens that hold them get their own spelling back afterwards. Quotes inside a placeholder are gone by then and
cannot confuse the tokenizer.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from dataclasses import dataclass

from sqlglot.tokenizer_core import Token, TokenType

from connector.sql.dialects import SqlDialect
from connector.sql.jinja import resolve_jinja
from connector.sql.words import LITERALS

__all__ = ["Fill", "fill_placeholders", "restore"]


@dataclass(frozen=True, slots=True)
class Fill:
    """A placeholder that was replaced."""

    start: int
    end: int
    filler: str
    """What stands in the text that was tokenised."""
    shown: str
    """What a token that holds it shall show."""
    loose: bool = False
    """A call of a template macro: it may stand for a whole clause."""


# Every branch begins with a sign of its own: the search then costs next to nothing where the sign does not occur.
_ANYWHERE = (
    r"\$\{[^{}\r\n]*\}"
    r"|\$\([\w.\-]+\)"
    r"|#\{[^{}\r\n]*\}"
    r"|%\(\w+\)[sdif]"
    r"|%[sd](?!\w)"
    r"|@[A-Za-z_]\w*@"
    r"|\{[A-Za-z_][\w.]*\}"
)
_AMPERSAND = r"|&&?(?:[A-Za-z_]\w*|\d+)(?:\.(?=[\w.]))?|&\{\w+\}"
_AMPERSAND_SNOWFLAKE = r"|&[A-Za-z_]\w*|&\{\w+\}"
_PLAIN = re.compile(_ANYWHERE)
_WITH_AMPERSAND = {
    "oracle": re.compile(_ANYWHERE + _AMPERSAND),
    "exasol": re.compile(_ANYWHERE + _AMPERSAND),
    "snowflake": re.compile(_ANYWHERE + _AMPERSAND_SNOWFLAKE),
}
_NOT_WORD = re.compile(r"\W")
_SIGNS = ("{", "$(", "%(", "%s", "%d")


def fill_placeholders(text: str, dialect: SqlDialect) -> tuple[str, list[Fill]]:
    """The text with names in the place of placeholders, and what was replaced, in order."""
    fills: list[Fill] = []
    if "{{" in text or "{%" in text or "{#" in text:
        text, found = resolve_jinja(text)
        fills.extend(Fill(start, end, text[start:end], shown, loose) for start, end, shown, loose in found)
    ampersand = _WITH_AMPERSAND.get(dialect.name) if "&" in text else None
    if ampersand is not None or "@" in text or any(sign in text for sign in _SIGNS):
        text = _fill(text, ampersand or _PLAIN, fills)
        fills.sort(key=lambda fill: fill.start)
    return text, fills


def _fill(text: str, pattern: re.Pattern[str], fills: list[Fill]) -> str:
    pieces = []
    behind = 0
    for match in pattern.finditer(text):
        start = match.start()
        before = text[start - 1] if start else " "
        if _is_operator(match[0], before):
            continue
        filler = _NOT_WORD.sub("_", match[0])
        pieces.append(text[behind:start])
        pieces.append(filler)
        behind = match.end()
        fills.append(Fill(start, behind, filler, match[0]))
    if not pieces:
        return text
    pieces.append(text[behind:])
    return "".join(pieces)


def _is_operator(found: str, before: str) -> bool:
    """``a%s`` is a remainder and ``x{2}`` part of a pattern; ``t_%s`` and ``t_{day}`` are names with a placeholder."""
    if found[0] == "%" and len(found) == 2:
        return before.isalnum() or before in ")]'\"%"
    return found[0] == "{" and (before.isalnum() or before in "$#}")


_OPERANDS = frozenset({TokenType.VAR, TokenType.IDENTIFIER, TokenType.NUMBER, TokenType.STRING, TokenType.R_PAREN})


def restore(tokens: list[Token], fills: list[Fill]) -> list[Token]:
    """The tokens with the spelling of the placeholders they hold."""
    starts = [token.start for token in tokens]
    changed: dict[int, list[Fill]] = {}
    for fill in fills:
        found = bisect_right(starts, fill.start) - 1
        if found >= 0 and tokens[found].end >= fill.end - 1:
            changed.setdefault(found, []).append(fill)
    dropped = set()
    for i, inside in changed.items():
        token = tokens[i]
        if inside[0].loose and token.start == inside[0].start and token.end == inside[0].end - 1:
            if i and tokens[i - 1].token_type in _OPERANDS and tokens[i - 1].line < token.line:
                dropped.add(i)
                continue
        tokens[i] = _restored(token, inside)
    return [token for i, token in enumerate(tokens) if i not in dropped] if dropped else tokens


def _restored(token: Token, fills: list[Fill]) -> Token:
    text = token.text
    at = 0
    for fill in fills:
        found = text.find(fill.filler, at)
        if found < 0:
            continue
        text = text[:found] + fill.shown + text[found + len(fill.filler) :]
        at = found + len(fill.shown)
    kind = token.token_type
    if kind not in LITERALS and kind is not TokenType.IDENTIFIER:
        kind = TokenType.VAR
    return Token(kind, text, token.line, token.col, token.start, token.end, token.comments)
