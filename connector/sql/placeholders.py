"""Placeholders of templates and client programs: ``${db}``, ``&owner``, ``%(day)s``, ``{{ ref('orders') }}``.

They are replaced by names of the same length before the text is tokenised, so that every offset stays what it was,
and the tokens that hold them get their own spelling back afterwards. Quotes inside a placeholder are gone by then and
cannot confuse the tokenizer.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from dataclasses import dataclass
from typing import Literal

from sqlglot.tokenizer_core import Token, TokenType

from connector.sql.dialects import SqlDialect
from connector.sql.jinja import Template, name_of
from connector.sql.words import LITERALS

OPENINGS = ("${", "{{", "$(", "&{", "#{", "%(", "<%")
"""How a name or a text begins that is a placeholder."""

FillKind = Literal["name", "value", "any", "clause", "star"]


@dataclass(frozen=True, slots=True)
class Fill:
    """A placeholder that was replaced."""

    start: int
    end: int
    filler: str
    """What stands in the text that was tokenised."""
    shown: str
    """What a token that holds it shall show."""
    kind: FillKind = "any"
    """`name`, `value` and `star` are sure, `any` depends on its place, `clause` is a macro call that may stand for a
    clause."""
    name: str = ""
    """What to show where a name stands, if something else."""


# Every branch begins with a sign of its own: the search then costs next to nothing where the sign does not occur.
_ANYWHERE = (
    r"\$\{[^{}\r\n]*\}"
    r"|\$\([\w.\-]+\)"
    r"|#\{[^{}\r\n]*\}"
    r"|%\(\w+\)[sdif]"
    r"|%[sd](?!\w)"
    r"|@[A-Za-z_]\w*@"
    r"|<%[^%<>\r\n]+%>"
)
_BETWEEN_BRACES = r"|\{[A-Za-z_][\w.]*\}"
"""Where braces do not enclose a comment, as they do in Informix."""
_AMPERSAND = r"|&&?(?:[A-Za-z_]\w*|\d+)(?:\.(?=[\w.]))?|&\{\w+\}"
_BETWEEN_HASHES = r"|(?<![\w$#])#[A-Za-z_]\w*#(?!\w)"
"""Of tools that fill in schemas, where ``#`` begins neither a comment nor a name."""
_AMPERSAND_NAME = r"|&&?[A-Za-z_]\w*(?:\.(?=\.))?"
"""Macros of SAS and other tools, where the language has no such operator."""
_AMPERSAND_SNOWFLAKE = r"|&[A-Za-z_]\w*|&\{[^{}\r\n]+\}"
_PLAIN = re.compile(_ANYWHERE + _BETWEEN_BRACES)
_WITH_OWN_SIGNS: dict[str, re.Pattern[str] | None] = {
    "oracle": re.compile(_ANYWHERE + _BETWEEN_BRACES + _AMPERSAND + _BETWEEN_HASHES),
    "exasol": re.compile(_ANYWHERE + _BETWEEN_BRACES + _AMPERSAND + _BETWEEN_HASHES),
    "teradata": re.compile(_ANYWHERE + _BETWEEN_BRACES + _AMPERSAND_NAME + _BETWEEN_HASHES),
    "db2": re.compile(_ANYWHERE + _BETWEEN_BRACES + _AMPERSAND_NAME + _BETWEEN_HASHES),
    "informix": re.compile(_ANYWHERE + _AMPERSAND_NAME + _BETWEEN_HASHES),
    "snowflake": re.compile(_ANYWHERE + _BETWEEN_BRACES + _AMPERSAND_SNOWFLAKE),
}
_NOT_WORD = re.compile(r"\W")


def fill_placeholders(text: str, dialect: SqlDialect, template: Template | None = None) -> tuple[str, list[Fill]]:
    """The text with names in the place of placeholders, and what was replaced, in order. A template comes resolved."""
    fills: list[Fill] = []
    if template is not None:
        text = template.text
        loop_variables = {loop.variable for loop in template.loops}
        for start, end, shown, kind in template.found:
            name = shown if shown.strip("{}-+ \t\r\n") in loop_variables or not shown.startswith("{") else ""
            fills.append(Fill(start, end, text[start:end], shown, kind, name or name_of(shown)))
    own = dialect.of(_WITH_OWN_SIGNS, None) if "&" in text or "#" in text or "{" in text else None
    if own is not None or "{" in text or "@" in text or "%" in text or "$(" in text:
        text = _fill(text, own or _PLAIN, fills)
    if ":" in text:
        text = _fill_bound_names(text, fills)
    if fills:
        fills.sort(key=lambda fill: fill.start)
    return text, fills


def _fill(text: str, pattern: re.Pattern[str], fills: list[Fill]) -> str:
    pieces = []
    behind = 0
    for match in pattern.finditer(text):
        start = match.start()
        before = text[start - 1] if start else " "
        if _is_operator(match[0], before) or (before == "$" and match[0].startswith("${")):
            # ``$${…}$$`` is a text between dollar signs that begins with a brace.
            continue
        filler = _NOT_WORD.sub("_", match[0])
        pieces.append(text[behind:start])
        pieces.append(filler)
        behind = match.end()
        # An expression with blanks or calls in it is no name, but what is between its signs makes one.
        name = name_of(match[0].strip("<>%&={}")) if match[0][:2] in ("<%", "&{") else ""
        fills.append(Fill(start, behind, filler, match[0], "value" if match[0][0] == "%" else "any", name))
    if not pieces:
        return text
    pieces.append(text[behind:])
    return "".join(pieces)


_BOUND_NAME = re.compile(r":[A-Za-z_]\w*")
_BEFORE_BOUND_NAME = re.compile(
    r"\b(?:FROM|JOIN|TABLE|UPDATE|COPY|TRUNCATE|(?:INSERT|MERGE)\s+INTO)(?:\s|/\*[^*]*\*/)+\Z", re.I
)


def _fill_bound_names(text: str, fills: list[Fill]) -> str:
    """``:name`` in the place of a table. As a value the grammar knows it."""
    pieces = []
    behind = 0
    for match in _BOUND_NAME.finditer(text):
        start = match.start()
        if text[start - 1 : start].isspace() and _BEFORE_BOUND_NAME.search(text, max(start - 40, 0), start):
            pieces.append(text[behind:start] + "_" + match[0][1:])
            behind = match.end()
            fills.append(Fill(start, behind, "_" + match[0][1:], match[0], "name"))
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
_BEFORE_NAME = frozenset(
    {
        TokenType.ALIAS,
        TokenType.DATABASE,
        TokenType.DOT,
        TokenType.EXISTS,
        TokenType.FROM,
        TokenType.INTO,
        TokenType.JOIN,
        TokenType.OVERWRITE,
        TokenType.SCHEMA,
        TokenType.TABLE,
        TokenType.UPDATE,
        TokenType.USE,
        TokenType.VIEW,
    }
)
_BEFORE_VALUE = frozenset(
    {
        TokenType.BETWEEN,
        TokenType.COLON_EQ,
        TokenType.DASH,
        TokenType.DPIPE,
        TokenType.ELSE,
        TokenType.EQ,
        TokenType.FARROW,
        TokenType.GT,
        TokenType.GTE,
        TokenType.ILIKE,
        TokenType.IN,
        TokenType.INTERVAL,
        TokenType.LIKE,
        TokenType.LIMIT,
        TokenType.LT,
        TokenType.LTE,
        TokenType.L_BRACKET,
        TokenType.L_PAREN,
        TokenType.NEQ,
        TokenType.OFFSET,
        TokenType.PLUS,
        TokenType.RLIKE,
        TokenType.SLASH,
        TokenType.STAR,
        TokenType.THEN,
        TokenType.TOP,
    }
)


def restore(tokens: list[Token], fills: list[Fill]) -> tuple[list[Token], list[Fill]]:
    """The tokens with the spelling of the placeholders they hold, and the expressions of a template that were left out
    because they stand for whole statements or for common table expressions. (Macros are reported where they are found.)

    A placeholder that is a token of its own and stands where a value stands becomes a placeholder of the grammar, so
    that it is not taken for a column.
    """
    starts = [token.start for token in tokens]
    changed: dict[int, list[Fill]] = {}
    for fill in fills:
        found = bisect_right(starts, fill.start) - 1
        if found >= 0 and tokens[found].end >= fill.end - 1:
            changed.setdefault(found, []).append(fill)
    depths = _depths(tokens)
    dropped: set[int] = set()
    unknown: list[Fill] = []
    called: list[int] = []
    for i, inside in changed.items():
        token, fill = tokens[i], inside[0]
        alone = token.start == fill.start and token.end == fill.end - 1 and token.token_type not in LITERALS
        if alone and fill.kind == "star":
            tokens[i] = _copy(token, TokenType.STAR, "*")
        elif alone and fill.kind == "clause" and i and _ends_clause(tokens, i):
            dropped.add(i)
        elif alone and fill.shown.startswith("{{") and _is_statement(tokens, i, changed, dropped):
            dropped.add(i)
            if fill.kind != "clause":
                unknown.append(fill)
        elif alone and fill.kind in ("any", "clause") and (common := _common_tables(tokens, i)):
            dropped.update(common)
            if fill.kind != "clause":
                unknown.append(fill)
        elif alone and _is_value(tokens, i, fill.kind, depths[i]):
            tokens[i] = _copy(token, TokenType.PLACEHOLDER, fill.shown)
        else:
            tokens[i] = _restored(token, inside)
            if alone and fill.kind == "clause" and _is_source(tokens, i):
                tokens[i] = _copy(token, TokenType.VAR, name_of(fill.shown.partition("(")[0]))
                called.append(i)
    return _with_calls(tokens, called, dropped), unknown


_STATEMENTS = frozenset(
    {
        TokenType.ALTER,
        TokenType.BEGIN,
        TokenType.CREATE,
        TokenType.DECLARE,
        TokenType.DELETE,
        TokenType.DROP,
        TokenType.INSERT,
        TokenType.MERGE,
        TokenType.SELECT,
        TokenType.SEMICOLON,
        TokenType.SET,
        TokenType.TRUNCATE,
        TokenType.UPDATE,
        TokenType.WITH,
    }
)
"""What follows an expression that stands for a whole statement, or for text before one."""
_STATEMENT_WORDS = frozenset({"ASSERT", "CALL", "COPY", "EXEC", "EXECUTE", "GRANT", "REFRESH", "USE"})
_SOURCES = frozenset({TokenType.FROM, TokenType.JOIN})


def _is_statement(tokens: list[Token], i: int, changed: dict[int, list[Fill]], dropped: set[int]) -> bool:
    """Whether an expression stands where a statement begins and is not a part of one: ``{{ header }} CREATE …``."""
    if i and tokens[i - 1].token_type is not TokenType.SEMICOLON and i - 1 not in dropped:
        return False
    following = i + 1
    while following in changed and changed[following][0].shown.startswith("{{"):
        following += 1
    if following >= len(tokens):
        return True
    return tokens[following].token_type in _STATEMENTS or tokens[following].text.upper() in _STATEMENT_WORDS


def _common_tables(tokens: list[Token], i: int) -> tuple[int, ...]:
    """What to leave out where an expression stands for common table expressions: ``WITH {{ pairs() }}, a AS (``.

    After the last of them a query follows: ``a AS (…), {{ pairs() }} SELECT``.
    """
    before = tokens[i - 1].token_type if i else None
    if before is TokenType.COMMA and i > 1 and tokens[i - 2].token_type is TokenType.R_PAREN:
        if i + 1 < len(tokens) and tokens[i + 1].token_type in (TokenType.SELECT, TokenType.INSERT):
            return (i - 1, i)
    elif before is not TokenType.WITH:
        return ()
    behind = [token.token_type for token in tokens[i + 1 : i + 5]]
    if behind[:1] == [TokenType.COMMA] and behind[2:] == [TokenType.ALIAS, TokenType.L_PAREN]:
        return (i, i + 1)
    if behind[1:3] == [TokenType.ALIAS, TokenType.L_PAREN] and tokens[i].line < tokens[i + 1].line:
        return (i,)
    return ()


def _is_source(tokens: list[Token], i: int) -> bool:
    """Whether a macro stands where rows come from: which tables it reads is not known, it is none itself."""
    following = tokens[i + 1].token_type if i + 1 < len(tokens) else None
    if following is TokenType.DOT or following is TokenType.L_PAREN or not i:
        return False
    deletes = i > 1 and tokens[i - 2].token_type is TokenType.DELETE
    return tokens[i - 1].token_type in _SOURCES and not deletes


def _with_calls(tokens: list[Token], called: list[int], dropped: set[int]) -> list[Token]:
    """The tokens with brackets after those that are calls, and without those that are dropped."""
    if not called and not dropped:
        return tokens
    calls = set(called)
    found: list[Token] = []
    for i, token in enumerate(tokens):
        if i in dropped:
            continue
        found.append(token)
        if i in calls:
            found.append(Token(TokenType.L_PAREN, "(", token.line, token.col, token.end, token.end))
            found.append(Token(TokenType.R_PAREN, ")", token.line, token.col, token.end, token.end))
    return found


def _ends_clause(tokens: list[Token], i: int) -> bool:
    return tokens[i - 1].token_type in _OPERANDS and tokens[i - 1].line < tokens[i].line


def _depths(tokens: list[Token]) -> list[int]:
    depths = []
    depth = 0
    for token in tokens:
        kind = token.token_type
        if kind is TokenType.R_PAREN or kind is TokenType.SEMICOLON:
            depth = max(depth - 1, 0) if kind is TokenType.R_PAREN else 0
        depths.append(depth)
        if kind is TokenType.L_PAREN:
            depth += 1
    return depths


def _is_value(tokens: list[Token], i: int, kind: FillKind, depth: int) -> bool:
    if kind == "name":
        return False
    following = tokens[i + 1].token_type if i + 1 < len(tokens) else None
    if following is TokenType.DOT or following is TokenType.L_PAREN:
        return False
    before = tokens[i - 1].token_type if i else None
    if kind in ("value", "clause"):
        return before is not None and before not in _BEFORE_NAME
    if before is TokenType.L_PAREN and following is TokenType.R_PAREN and i > 1:
        return tokens[i - 2].token_type not in _BEFORE_NAME
    if before is TokenType.COMMA:
        return depth > 0
    if before is TokenType.AND:
        return i > 2 and tokens[i - 3].token_type is TokenType.BETWEEN
    return before in _BEFORE_VALUE


def _restored(token: Token, fills: list[Fill]) -> Token:
    text = token.text
    pieces = []
    behind = 0
    for fill in fills:
        found = _find(token, fill, behind)
        if found < 0:
            continue
        shown = fill.shown if token.token_type in LITERALS else fill.name or fill.shown
        pieces += [text[behind:found], shown]
        behind = found + len(fill.filler)
    text = "".join([*pieces, text[behind:]])
    kind = token.token_type
    if kind not in LITERALS and kind is not TokenType.IDENTIFIER:
        kind = TokenType.VAR if _is_plain(text) else TokenType.IDENTIFIER
    return _copy(token, kind, text)


def _find(token: Token, fill: Fill, behind: int) -> int:
    """Where a placeholder is in the text of a token. Of a text with escapes only the place after which it is is known.

    A short one looks like a part of a name: in `` `blm_seta.product_%s` `` both ``_s`` and ``%s`` read ``_s``.
    """
    offset = fill.start - token.start
    surplus = token.end + 1 - token.start - len(token.text)
    expected = offset - (surplus + 1) // 2
    if expected >= behind and token.text.startswith(fill.filler, expected):
        return expected
    return token.text.find(fill.filler, max(behind, offset - surplus))


def _is_plain(text: str) -> bool:
    """Whether a name may stand without quotes; a placeholder always does."""
    return " " not in text or text.startswith("{")


def _copy(token: Token, kind: TokenType, text: str) -> Token:
    return Token(kind, text, token.line, token.col, token.start, token.end, token.comments)
