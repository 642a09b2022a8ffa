"""The regions that may explain why the grammar rejects a statement, smallest first."""

from __future__ import annotations

from collections.abc import Iterator

from sqlglot.tokenizer_core import Token, TokenType

from connector.sql.recovery.layout import WORDS_BEFORE_AS, Layout
from connector.sql.recovery.names import Change, end_of_rows, holds_tables, names_in, opaque, replaced
from connector.sql.recovery.sources import argument_tables, source_regions
from connector.sql.recovery.vocabulary import CLAUSES, CONDITIONS, JOINING, LISTS, SOURCES, VERBS, VOCABULARY
from connector.sql.words import LITERALS, like, word

_OPERAND_ENDS = LITERALS | {
    TokenType.VAR,
    TokenType.IDENTIFIER,
    TokenType.R_PAREN,
    TokenType.R_BRACKET,
    TokenType.END,
}
_BEFORE_OPERAND = VOCABULARY - {"END"}
"""Words after which a name is no alias."""
_MODIFIERS = VOCABULARY | {
    "LOW_PRIORITY",
    "HIGH_PRIORITY",
    "DELAYED",
    "QUICK",
    "OVERWRITE",
    "EVOLUTION",
    "APPEND",
    "HISTORY",
}
"""Words between a verb and its table."""
_BEFORE_STATEMENT = frozenset(
    "AS AT EXPLAIN PROFILE USING NONSEQUENCED SEQUENCED CURRENT VALIDTIME TRANSACTIONTIME WITH DESCRIBE FOR TEMPORAL".split()
)
"""First words of what may stand before the verb of a statement."""
_SET_OPERATIONS = frozenset({TokenType.UNION, TokenType.EXCEPT, TokenType.INTERSECT})
_QUERIES = VERBS | {TokenType.WITH, TokenType.VALUES}
_SIDES = frozenset({TokenType.LEFT, TokenType.RIGHT, TokenType.FULL, TokenType.CROSS})
_JOIN_WORDS = 5
"""How many words may stand before JOIN."""
_LEVELS = 6
"""How many groups outwards the search goes."""


def regions(tokens: list[Token], failed: int) -> Iterator[Change]:
    """What to put into the place of what, tried in this order, when the grammar stumbled over the token `failed`."""
    layout = Layout(tokens)
    if not layout.complete:
        # A text that is cut off or has a bracket too many: it cannot be told what belongs together.
        return
    at = failed
    if layout.match[at] >= 0 and layout.match[at] < at:
        # A bracket is closed too early for the grammar: what stands before it is incomplete.
        at = layout.before(at)
    elif at and tokens[at].token_type is TokenType.COMMA:
        at = layout.before(at)
    for _ in range(_LEVELS):
        yield from _in_group(layout, at, at == failed)
        owner = layout.owner[at]
        if owner < 0:
            return
        at = owner


def _in_group(layout: Layout, at: int, here: bool) -> Iterator[Change]:
    """The regions around `at` within the brackets it stands in. `here` says that the grammar stumbled over it."""
    owner = layout.owner[at]
    if layout.is_query(owner):
        yield from _in_query(layout, at)
        return
    within = layout.in_sources(at)
    if within >= 0:
        yield from source_regions(layout, at, within)
    outer = owner
    while layout.owner[outer] >= 0 and not layout.is_query(layout.owner[outer]):
        outer = layout.owner[outer]
    clause = layout.in_sources(outer)
    if clause >= 0 and (outer == owner or argument_tables(layout, outer)):
        # The arguments of a function in FROM, or sources in brackets: a matter of the source around them.
        yield from source_regions(layout, at, clause)
    if clause < 0 or outer != owner:
        yield from _in_arguments(layout, at, owner, here)


def _in_arguments(layout: Layout, at: int, owner: int, here: bool) -> Iterator[Change]:
    """Within the arguments of a call, a parenthesis, a list or CASE: an argument, the rest after a word, all of it."""
    first, last = layout.item(at, conditions=True)
    whole = layout.item(at)
    rest = layout.inside(owner)[1]
    case = layout.tokens[owner].token_type is TokenType.CASE
    follows = here and not case and layout.is_word(at) and at > first and not _is_keyword_before(layout, at, first)
    if follows:
        yield _rest_of_arguments(layout, at, rest)
    yield _expression(layout, first, last)
    if whole != (first, last):
        yield _expression(layout, *whole)
    if not follows and not case and at > first:
        yield _rest_of_arguments(layout, at, rest)
    start = layout.call_start(owner)
    end = layout.match[owner]
    if end > owner:
        yield _expression(layout, start, end + 1)


def _is_keyword_before(layout: Layout, at: int, first: int) -> bool:
    """``XMLPARSE(DOCUMENT c)``: the word before belongs to what is not understood."""
    return at == first + 1 and layout.is_word(first) and word(layout.tokens, first) in VOCABULARY


def _rest_of_arguments(layout: Layout, at: int, end: int) -> Change:
    """What follows an argument without a comma, up to the bracket: its names become one more argument."""
    names = names_in(layout, at, end, clause=layout.is_word(at))
    here = layout.tokens[at]
    comma = Token(TokenType.COMMA, ",", here.line, here.col, here.start, here.end, [])
    return replaced(layout, at, end, [comma, *opaque(here, names)] if names else [])


def _expression(layout: Layout, first: int, last: int) -> Change:
    return replaced(layout, first, last, opaque(layout.tokens[first], names_in(layout, first, last)))


def _in_query(layout: Layout, at: int) -> Iterator[Change]:
    """Within a statement or a subquery: what is to be done depends on the clause."""
    tokens = layout.tokens
    clause = layout.clause_before(at)
    if layout.begins_clause(at) and at and clause >= 0 and at - 1 > clause:
        # Stumbled over the next clause: the one before it is incomplete.
        yield from _in_clause(layout, layout.before(at), clause)
    yield from _pipe_operator(layout, at)
    yield from _join_words(layout, at)
    yield from _prefix(layout, at, clause)
    if clause >= 0 and at > clause:
        yield from _in_clause(layout, at, clause)
    yield from _unknown_clause(layout, at, clause)
    if tokens[at].token_type is TokenType.VALUES and at and tokens[at - 1].token_type is TokenType.COMMA:
        end = layout.clause_behind(at + 1)
        if not names_in(layout, at + 1, end):
            yield replaced(layout, at - 1, end, [])
    if clause >= 0 and tokens[clause].token_type in (TokenType.LIMIT, TokenType.OFFSET, TokenType.FETCH):
        yield replaced(layout, clause, layout.clause_behind(clause + 1), [])


def _pipe_operator(layout: Layout, at: int) -> Iterator[Change]:
    """``|> OPERATOR …`` that the grammar does not know: what it reads has an influence on the rows, all columns stay."""
    tokens = layout.tokens
    if not at or tokens[at - 1].token_type is not TokenType.PIPE_GT:
        return
    end = layout.clause_behind(at + 1, frozenset({TokenType.PIPE_GT, TokenType.SEMICOLON}))
    end = min(end, layout.inside(layout.owner[at])[1])
    if holds_tables(layout, at, end):
        return
    names = names_in(layout, at, end, clause=True)
    here = tokens[at]
    if names:
        yield replaced(layout, at, end, [like(here, TokenType.WHERE, "WHERE"), *opaque(here, names)])
    else:
        yield replaced(layout, at - 1, end, [], at)


def _join_words(layout: Layout, at: int) -> Iterator[Change]:
    """Words before JOIN that the grammar does not know, or not in this order: the side of the join stays."""
    tokens = layout.tokens
    join = at
    while join < len(tokens) and join - at < _JOIN_WORDS and layout.is_word(join):
        if tokens[join].token_type is TokenType.JOIN:
            break
        join += 1
    if join == at or join >= len(tokens) or tokens[join].token_type is not TokenType.JOIN:
        return
    first = at
    while first and tokens[first - 1].token_type in JOINING:
        first -= 1
    side = [token for token in tokens[first:join] if token.token_type in _SIDES]
    yield replaced(layout, first, join, side[:1])


def _in_clause(layout: Layout, at: int, clause: int) -> Iterator[Change]:
    kind = layout.tokens[clause].token_type
    if kind in CONDITIONS:
        first, last = layout.item(at, conditions=True)
        if holds_tables(layout, first, last):
            return
        yield _expression(layout, first, last)
        end = layout.clause_behind(clause + 1)
        if (first, last) != (clause + 1, end):
            yield _expression(layout, clause + 1, end)
    elif kind is TokenType.SELECT:
        yield from _select_item(layout, at, clause)
    elif kind is TokenType.SET:
        first, last = layout.item(at)
        equals = next((i for i in range(first, last) if layout.tokens[i].token_type is TokenType.EQ), -1)
        if 0 <= equals < last - 1 and not holds_tables(layout, first, last):
            yield _expression(layout, equals + 1, last)
    elif kind in LISTS:
        first, last = layout.item(at)
        if not holds_tables(layout, first, last):
            yield _expression(layout, first, last)
    elif kind in SOURCES:
        yield from source_regions(layout, at, layout.in_sources(at))
    elif kind is TokenType.VALUES:
        end = layout.clause_behind(clause + 1)
        named = layout.find(TokenType.ALIAS, clause + 1, end)
        end = named if named >= 0 else end
        here = layout.tokens[clause]
        row = [
            Token(TokenType.L_PAREN, "(", here.line, here.col, here.start, here.end, []),
            *opaque(here, names_in(layout, clause + 1, end)),
            Token(TokenType.R_PAREN, ")", here.line, here.col, here.start, here.end, []),
        ]
        yield replaced(layout, clause + 1, end, row)


def _select_item(layout: Layout, at: int, clause: int) -> Iterator[Change]:
    """An item of the select list: it keeps its alias."""
    first, last = layout.item(at)
    if first >= last or holds_tables(layout, first, last):
        return
    alias, behind = alias_of(layout, first, last)
    names = names_in(layout, first, alias)
    kept = layout.tokens[alias:behind]
    if not kept and len(names) == 1 and names[0][-1] is layout.tokens[last - 1] and last - first > len(names[0]):
        # Words before a column.
        if layout.is_word(last - len(names[0]) - 1):
            yield replaced(layout, first, last, names[0], first, last - len(names[0]))
    if layout.tokens[last - 1].token_type is TokenType.STAR and layout.is_word(last - 2) and last - 2 >= first:
        yield replaced(layout, first, last, layout.tokens[last - 1 : last], first, last - 1)
    if not names and len(kept) == 1 and layout.is_word(first):
        # Words before a column rather than an alias after an expression.
        yield replaced(layout, first, last, kept[-1:], first, alias)
    if behind < last:
        yield replaced(layout, first, last, [*layout.tokens[first:alias], *kept], behind, last)
    yield replaced(layout, first, last, [*opaque(layout.tokens[first], names), *kept], first, alias)


def alias_of(layout: Layout, first: int, last: int) -> tuple[int, int]:
    """The alias of an item: where it begins and the token after it, both `last` where it has none."""
    tokens = layout.tokens
    i = first
    found = last
    while i < last:
        if tokens[i].token_type is TokenType.ALIAS and i + 1 < last:
            found = i
        i = layout.behind(i)
    if found < last:
        return found, min(layout.behind(found + 1), last)
    if (
        last - first > 1
        and tokens[last - 1].token_type in (TokenType.VAR, TokenType.IDENTIFIER)
        and tokens[last - 2].token_type in _OPERAND_ENDS
        and tokens[last - 1].text.upper() not in VOCABULARY
        and word(tokens, last - 2) not in _BEFORE_OPERAND
    ):
        return last - 1, last
    return last, last


def _prefix(layout: Layout, at: int, clause: int) -> Iterator[Change]:
    """Words before the verb of a statement, or between the verb and what it is about."""
    tokens = layout.tokens
    start, end = layout.inside(layout.owner[at])
    if clause < 0:
        verb = layout.clause_behind(at, VERBS | {TokenType.WITH})
        if start < verb < end or (verb == start < end and at > start):
            if (
                verb > start
                and word(tokens, start) in _BEFORE_STATEMENT
                and not holds_tables(layout, start, verb)
                and not layout.holds_query(start, verb)
            ):
                yield replaced(layout, start, verb, [])
        return
    if tokens[clause].token_type is TokenType.WITH:
        yield from _before_query(layout, at, end)
        yield from _before_expression(layout, clause, end)
    if tokens[clause].token_type in (TokenType.INSERT, TokenType.DELETE, TokenType.MERGE):
        about = layout.clause_behind(clause + 1)
        modifies = all(
            token.text.upper() in _MODIFIERS or token.token_type is TokenType.STAR
            for token in tokens[clause + 1 : about]
        )
        if modifies and clause + 1 < about < end and tokens[about].token_type in (TokenType.INTO, TokenType.FROM):
            yield replaced(layout, clause + 1, about, [])
    if tokens[clause].token_type is TokenType.INSERT and at > clause + 1:
        query = layout.clause_behind(at, _QUERIES)
        if at < query < end and not holds_tables(layout, at, query):
            yield replaced(layout, at, query, [])


def _before_expression(layout: Layout, clause: int, end: int) -> Iterator[Change]:
    """Words between WITH and the first common table expression."""
    tokens = layout.tokens
    i = clause + 1
    while i < end:
        behind = i + 2 if word(tokens, i + 1) != "(" else layout.behind(i + 1) + 1
        if layout.is_word(i) and word(tokens, behind - 1) == "AS" and word(tokens, behind) == "(":
            if i > clause + 1:
                recursive = [token for token in tokens[clause + 1 : i] if token.text.upper() == "RECURSIVE"]
                yield replaced(layout, clause + 1, i, recursive)
            if word(tokens, i + 1) == "(":
                columns = list(_columns(layout, i + 1))
                yield replaced(layout, clause + 1, behind - 1, [*tokens[clause + 1 : i + 1], *columns])
            return
        if tokens[i].token_type is TokenType.COMMA:
            return
        i = layout.behind(i)


def _before_query(layout: Layout, at: int, end: int) -> Iterator[Change]:
    """Words between the name of a common table expression, or its columns, and AS."""
    behind = layout.find(TokenType.ALIAS, at, end)
    if at and 0 < behind - at < WORDS_BEFORE_AS and word(layout.tokens, behind + 1) == "(":
        if not holds_tables(layout, at, behind) and not layout.holds_query(at, behind):
            yield replaced(layout, at, behind, [])


def _columns(layout: Layout, opened: int) -> Iterator[Token]:
    """A list of columns without their types."""
    tokens = layout.tokens
    yield tokens[opened]
    i = opened + 1
    while i < layout.match[opened]:
        if tokens[i - 1].token_type in (TokenType.COMMA, TokenType.L_PAREN) or tokens[i].token_type is TokenType.COMMA:
            yield tokens[i]
        i = layout.behind(i)
    yield tokens[layout.match[opened]]


def _unknown_clause(layout: Layout, at: int, clause: int) -> Iterator[Change]:
    """A clause that the grammar does not know: it goes, and what it reads has an influence on the rows."""
    tokens = layout.tokens
    if (
        clause < 0
        or at == 0
        or tokens[at].token_type in VERBS
        or (layout.in_sources(at) >= 0 and not layout.begins_clause(at))
    ):
        return
    if tokens[at].token_type is TokenType.L_PAREN and layout.is_word(at - 1):
        return
    end = layout.clause_behind(layout.behind(at))
    for _ in range(3):
        if end <= at or holds_tables(layout, at, end):
            return
        yield from end_of_rows(layout, at, end, names_in(layout, at, end, clause=True))
        if end >= len(layout.tokens) or layout.tokens[end].token_type not in CLAUSES:
            return
        end = layout.clause_behind(end + 1)
