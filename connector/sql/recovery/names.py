"""The names in a region that the grammar does not understand."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from sqlglot.tokenizer_core import Token, TokenType

from connector.sql.recovery.layout import Layout
from connector.sql.recovery.vocabulary import TYPE_TOKENS, VERBS, VOCABULARY
from connector.sql.words import LITERALS, STRINGS, like, word

OPAQUE = "expression"
"""What stands for a region in the text that is parsed: a call of this name over the names in it."""

_NEVER = frozenset(
    """
    NULL TRUE FALSE UNKNOWN AND OR NOT IN IS LIKE ILIKE RLIKE BETWEEN CASE WHEN THEN ELSE END EXISTS DISTINCT ALL ANY SOME ESCAPE
    CURRENT_DATE CURRENT_TIME CURRENT_TIMESTAMP LOCALTIME LOCALTIMESTAMP CURRENT_USER SESSION_USER MINVALUE MAXVALUE SYSDATE SYSTIMESTAMP ROWNUM
    USER OVER ARRAY INTERVAL CAST ROW FROM ON USING AS BY DEFAULT XOR DIV MOD COLLATE ISNULL NOTNULL
    """.split()
)
"""Words that are no names wherever they stand."""
_OPERATORS = frozenset("AND OR NOT IN IS LIKE ILIKE RLIKE BETWEEN ESCAPE XOR DIV MOD".split())
"""Words that join two operands: next to one of them a name stands by itself."""
_OPTIONS = frozenset({"PARAMETERS", "OPTIONS", "OPTION", "SETTINGS", "WITH", "PROPERTIES"})
"""Words after which ``name = value`` is a setting."""
_BEFORE_OPERAND = frozenset("AND BY ELSE HAVING NOT ON OR RETURN SET THEN WHEN WHERE".split())
"""Words after which an expression begins."""
_INFIX = frozenset(
    {
        TokenType.EQ,
        TokenType.NEQ,
        TokenType.LT,
        TokenType.LTE,
        TokenType.GT,
        TokenType.GTE,
        TokenType.PLUS,
        TokenType.DASH,
        TokenType.SLASH,
        TokenType.DPIPE,
    }
)
_PARTS = frozenset({"PATTERN", "TYPE", "PARTITION", "PARTITIONS", "TABLET", "HINT", "INDEX", "LABEL", "COLUMNS"})


def names_in(layout: Layout, start: int, end: int, clause: bool = False) -> list[list[Token]]:
    """Dotted names and whole subqueries between `start` and `end`, each once; names of functions and types are none.

    `clause` says that the region begins with the word of a clause.
    """
    tokens = layout.tokens
    found: dict[tuple[str, ...], list[Token]] = {}
    defined: set[str] = set()
    settings = False
    i = start
    while i < end:
        kind = tokens[i].token_type
        if kind is TokenType.L_PAREN and layout.match[i] > i and layout.is_query(i):
            behind = layout.match[i] + 1
            found[("", str(i))] = tokens[i:behind]
            i = behind
        elif kind is TokenType.DCOLON:
            i = _behind_type(layout, i + 1, end)
        elif kind is TokenType.ALIAS and _names_columns(layout, i + 1, end):
            i = layout.behind(i + 1)
        elif kind is TokenType.ALIAS and word(tokens, i + 2) == "OVER" and tokens[i + 1].token_type in LITERALS:
            # Vertica: ``TIMESERIES slice AS '1 hour' OVER (…)``.
            defined.add(tokens[i - 1].text.upper())
            i += 2
        elif kind is TokenType.ALIAS and i + 1 < end and layout.is_word(i + 1):
            behind = _behind_name(layout, i + 1, end)
            if _goes_on(layout, behind, end):
                # ``WITH(x AS a + 1, …)``: the name comes first.
                defined.add(tokens[i - 1].text.upper())
                i += 1
            else:
                i = behind
        elif kind is TokenType.PARAMETER and i + 1 < end and layout.is_word(i + 1):
            # ``t @ branch``, ``@variable``
            i += 2
        elif _is_unit(tokens, i) or (word(tokens, i - 1) == "OVER" and layout.is_word(i)):
            # ``OVER w``: the name of a window.
            i += 1
        elif layout.is_word(i):
            behind = _behind_name(layout, i, end)
            settings = settings or word(tokens, i) in _OPTIONS
            if word(tokens, behind) == "(" and _lists_others(layout, i):
                i = layout.behind(behind)
                continue
            if word(tokens, i) == "PATTERN" and word(tokens, i + 2) == "AS" and word(tokens, i + 3) == "(":
                # Vertica: the name of a pattern, and the events that it is made of.
                i = layout.behind(i + 3)
                continue
            if word(tokens, i) == "SUBSET":
                # A name for several variables of a pattern.
                i = min(behind + 2, end)
                i = layout.behind(i) if word(tokens, i) == "(" else i
                continue
            if clause and i == start and behind == i + 1 and tokens[i].token_type is not TokenType.IDENTIFIER:
                i = behind
                continue
            if _is_name(layout, i, behind, start, end, settings):
                name = tokens[i if _is_source(layout, i, behind, start, end) else behind - 1 : behind]
                found.setdefault(tuple(token.text.upper() for token in name), name)
            i = behind
        else:
            i += 1
    for name_given in (*defined, *_lambda_parameters(layout, start, end)):
        found.pop((name_given,), None)
    return list(found.values())


def _lambda_parameters(layout: Layout, start: int, end: int) -> Iterator[str]:
    """``x -> x + 1``, ``(x, y) -> x + y``: names that the function gives to its arguments, and no columns."""
    tokens = layout.tokens
    for i in range(start + 1, end - 1):
        if tokens[i].token_type is not TokenType.ARROW or tokens[i + 1].token_type in LITERALS:
            continue
        opened = layout.match[i - 1]
        given = tokens[opened + 1 : i - 1] if start <= opened < i else tokens[i - 1 : i]
        used = {token.text.upper() for token in tokens[i + 1 : end]}
        # An arrow into JSON has a column on its left that hardly stands on its right, too.
        yield from (token.text.upper() for token in given if token.text.upper() in used)


def _is_unit(tokens: list[Token], i: int) -> bool:
    """Whether a word is the unit of an interval: ``INTERVAL '10' MINUTE``, ``INTERVAL '1' DAY TO SECOND``."""
    if word(tokens, i - 1) == "TO":
        return i > 2 and _is_unit(tokens, i - 2)
    return i > 1 and tokens[i - 1].token_type in LITERALS and word(tokens, i - 2) == "INTERVAL"


def _names_columns(layout: Layout, i: int, end: int) -> bool:
    """Whether a list of new names stands at `i`: ``USING 'cat' AS (x, y)``."""
    if i >= end or word(layout.tokens, i) != "(" or not i < layout.match[i] < end:
        return False
    inside = range(i + 1, layout.match[i])
    return all(layout.is_word(at) if (at - i) % 2 else layout.tokens[at].token_type is TokenType.COMMA for at in inside)


def _lists_others(layout: Layout, i: int) -> bool:
    """Whether the parenthesis after a word lists settings, hints or partitions: ``OPTIONS (…)``, ``t WITH (…)``."""
    text = word(layout.tokens, i)
    if text == "WITH":
        return i > 0 and (layout.is_word(i - 1) or layout.match[i - 1] >= 0) and not layout.begins_clause(i - 1)
    return text in _OPTIONS or text in _PARTS


def _is_source(layout: Layout, i: int, behind: int, start: int, end: int) -> bool:
    """Whether the first part of a dotted name is named outside of the region, too; a variable of a pattern is not."""
    if behind == i + 1:
        return True
    key = layout.tokens[i].text.upper()
    tokens = layout.tokens
    return any(token.text.upper() == key for token in tokens[:start]) or any(
        token.text.upper() == key for token in tokens[end:]
    )


def _goes_on(layout: Layout, i: int, end: int) -> bool:
    """Whether an expression goes on after its first name."""
    if i >= end:
        return False
    if layout.is_word(i):
        return word(layout.tokens, i) in _OPERATORS
    return layout.tokens[i].token_type not in (TokenType.COMMA, TokenType.R_PAREN, TokenType.L_PAREN, *LITERALS)


def _behind_name(layout: Layout, i: int, end: int) -> int:
    tokens = layout.tokens
    i += 1
    while i + 1 < end and tokens[i].token_type is TokenType.DOT:
        i += 2
    return i


def _behind_type(layout: Layout, i: int, end: int) -> int:
    """After a type with its size: ``::numeric(10, 2)[]``."""
    while i < end and not layout.is_word(i) and layout.tokens[i].text == "!":
        i += 1
    if i < end:
        i = _behind_name(layout, i, end)
    while i < end and layout.tokens[i].token_type in (TokenType.L_PAREN, TokenType.L_BRACKET):
        i = layout.behind(i)
    return i


def _is_name(layout: Layout, i: int, behind: int, start: int, end: int, settings: bool) -> bool:
    """Whether the word or dotted name at `i` is the name of a column."""
    tokens = layout.tokens
    following = tokens[behind] if behind < len(tokens) else None
    if following is not None and following.token_type in (TokenType.L_PAREN, TokenType.FARROW, TokenType.COLON_EQ):
        return False
    if tokens[behind - 1].token_type is TokenType.STAR:
        return False
    quoted = tokens[i].token_type is TokenType.IDENTIFIER
    if behind - i > 1 or quoted:
        return True
    text = tokens[i].text.upper()
    if text in _NEVER or " " in text or (following is not None and following.token_type in STRINGS and behind < end):
        return False
    if i and tokens[i - 1].token_type is TokenType.NUMBER:
        return False
    if settings and following is not None and following.token_type is TokenType.EQ and behind + 1 < len(tokens):
        return tokens[behind + 1].token_type not in LITERALS and word(tokens, behind + 1) not in _NEVER
    before = word(tokens, i - 1) if i > 0 and layout.is_word(i - 1) else ""
    after = word(tokens, behind) if following is not None and layout.is_word(behind) else ""
    if following is not None and behind < end and following.token_type in _INFIX:
        # An operand, unless it is the second word of a value: CURRENT DATE - 1.
        return text not in VOCABULARY or before not in VOCABULARY or before in _BEFORE_OPERAND
    if text in VOCABULARY and (
        (before and before not in _OPERATORS)
        or (after and after not in _OPERATORS)
        or (following is not None and following.token_type in LITERALS)
        or (i > 0 and behind < len(tokens) and layout.match[i - 1] == behind and i - 1 > start)
    ):
        return False
    if before == "WITH":
        return False
    types = TYPE_TOKENS
    if tokens[i].token_type in types and (before or after):
        return False
    if following is not None and after and following.token_type in types and after not in _OPERATORS:
        return False
    # Of adjacent unknown words the first is a name, and the last of three.
    unknown_before = i > start and _is_unknown(before)
    unknown_after = behind < end and _is_unknown(after)
    if unknown_before:
        return not unknown_after and i - 2 >= start and layout.is_word(i - 2) and word(tokens, i - 2) not in VOCABULARY
    return True


def _is_unknown(text: str) -> bool:
    """Whether a word is none of any grammar's. Some tokens are two words."""
    return bool(text) and text not in VOCABULARY and text not in _NEVER and " " not in text


def argument_list(here: Token, names: list[list[Token]]) -> list[Token]:
    """The names between commas."""
    written: list[Token] = []
    for name in names:
        if written:
            written.append(like(here, TokenType.COMMA, ","))
        written += name
    return written


def opaque(here: Token, names: list[list[Token]]) -> list[Token]:
    """A call that reads the names and says nothing else, at the place of the token `here`."""
    return [
        like(here, TokenType.VAR, OPAQUE),
        like(here, TokenType.L_PAREN, "("),
        *argument_list(here, names),
        like(here, TokenType.R_PAREN, ")"),
    ]


_MOVING = VERBS | {TokenType.FROM, TokenType.JOIN, TokenType.INTO, TokenType.STRAIGHT_JOIN}
_ROW_CLAUSES = frozenset(
    {
        TokenType.WHERE,
        TokenType.GROUP_BY,
        TokenType.HAVING,
        TokenType.ORDER_BY,
        TokenType.LIMIT,
        TokenType.FETCH,
        TokenType.OFFSET,
        TokenType.UNION,
        TokenType.EXCEPT,
        TokenType.INTERSECT,
        TokenType.WINDOW,
        TokenType.QUALIFY,
    }
)
_BEFORE_NAMES = frozenset({TokenType.DOT, TokenType.ALIAS})
"""After these any word is a name, the first word of a clause too."""


@dataclass(frozen=True, slots=True)
class Change:
    """The tokens with one region replaced, and the tokens of the region as they were."""

    tokens: list[Token]
    region: list[Token]
    behind: int
    """Where the first token after the region stands: who stumbles over that has not been helped much."""


def replaced(
    layout: Layout, first: int, last: int, written: list[Token], shown: int | None = None, until: int | None = None
) -> Change:
    """The tokens with `written` in the place of those from `first` to `last`; the region may be smaller than that."""
    tokens = layout.tokens
    region = tokens[first if shown is None else shown : last if until is None else until]
    return Change([*tokens[:first], *written, *tokens[last:]], region or tokens[first:last], _start(tokens, last))


def _start(tokens: list[Token], i: int) -> int:
    return tokens[i].start if i < len(tokens) else tokens[-1].end


def holds_tables(layout: Layout, first: int, last: int) -> bool:
    """Whether a word stands there, outside of brackets, that brings tables with it: nothing of that may be left out."""
    i = first
    while i < last:
        kind = layout.tokens[i].token_type
        if kind in _MOVING and not layout.locks(i) and (kind is not TokenType.FROM or layout.begins_clause(i)):
            return True
        i = layout.behind(i)
    return False


def end_of_rows(layout: Layout, first: int, last: int, names: list[list[Token]]) -> Iterator[Change]:
    """The tokens without a clause; its names are read in a condition of the same query, if it takes one."""
    tokens = layout.tokens
    if names:
        here = tokens[first]
        end = layout.clause_behind(last, _ROW_CLAUSES) if last < len(tokens) else last
        end = min(end, layout.inside(layout.owner[first])[1])
        before = tokens[end - 1 if end > last else first - 1].token_type
        condition = [like(here, TokenType.QUALIFY, "QUALIFY"), *opaque(here, names)]
        if before not in _BEFORE_NAMES:
            yield Change(
                [*tokens[:first], *tokens[last:end], *condition, *tokens[end:]],
                tokens[first:last],
                _start(tokens, last),
            )
    if not layout.holds_query(first, last):
        yield Change([*tokens[:first], *tokens[last:]], tokens[first:last], _start(tokens, last))
