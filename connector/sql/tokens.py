"""An index of the tokens of a statement: by offset, by parenthesis and by select list."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from operator import attrgetter

from sqlglot.tokenizer_core import Token, TokenType

_CLOSING = {
    TokenType.R_PAREN: TokenType.L_PAREN,
    TokenType.R_BRACKET: TokenType.L_BRACKET,
    TokenType.R_BRACE: TokenType.L_BRACE,
}
_OPENING = frozenset(_CLOSING.values())

_LIST_END = frozenset(
    {
        TokenType.FROM,
        TokenType.INTO,
        TokenType.BULK_COLLECT_INTO,
        TokenType.WHERE,
        TokenType.GROUP_BY,
        TokenType.HAVING,
        TokenType.QUALIFY,
        TokenType.ORDER_BY,
        TokenType.SORT_BY,
        TokenType.CLUSTER_BY,
        TokenType.DISTRIBUTE_BY,
        TokenType.LIMIT,
        TokenType.FETCH,
        TokenType.ON,
        TokenType.INSERT,
        TokenType.PIPE_GT,
        TokenType.UNION,
        TokenType.EXCEPT,
        TokenType.INTERSECT,
        TokenType.SEMICOLON,
    }
)
_NAME_OR_END = frozenset({TokenType.QUALIFY, TokenType.LIMIT, TokenType.FETCH, TokenType.INSERT})
"""List ends that are also column names where they stand in the place of an operand."""

_TYPE_BRACKETS = frozenset({TokenType.STRUCT, TokenType.ARRAY, TokenType.MAP, TokenType.NESTED, TokenType.OBJECT})
"""Type names that may be followed by ``<...>``, in which commas do not separate items."""

_BEFORE_ROW = frozenset({TokenType.VALUES, TokenType.COMMA, TokenType.EQ})
_OPERAND_END = _LIST_END | frozenset({TokenType.WHEN, TokenType.RETURNING, TokenType.DELETE})
"""What ends a value in a SET list."""

STRUCTURE = _LIST_END | _OPENING | _TYPE_BRACKETS | frozenset({TokenType.SELECT, TokenType.COMMA, *_CLOSING})
"""The types of the tokens that brackets and select lists are told by."""

# Reading a member from an enumeration costs more than the rest of a step.
_SELECT = TokenType.SELECT
_COMMA = TokenType.COMMA
_DOT = TokenType.DOT
_CASE = TokenType.CASE
_END = TokenType.END
_FROM = TokenType.FROM
_HINT = TokenType.HINT
_ALIAS = TokenType.ALIAS
_IDENTIFIER = TokenType.IDENTIFIER
_DISTINCT = TokenType.DISTINCT
_L_PAREN = TokenType.L_PAREN
_R_PAREN = TokenType.R_PAREN

_start = attrgetter("start")

_ROW_COUNT_WORDS = frozenset({"TOP", "SKIP", "FIRST", "LIMIT"})
_PLAIN_MODIFIERS = frozenset(
    {
        "ALL",
        "DISTINCT",
        "DISTINCTROW",
        "UNIQUE",
        "STRAIGHT_JOIN",
        "HIGH_PRIORITY",
        "SQL_SMALL_RESULT",
        "SQL_BIG_RESULT",
        "SQL_BUFFER_RESULT",
        "SQL_CACHE",
        "SQL_NO_CACHE",
        "SQL_CALC_FOUND_ROWS",
        "STREAM",
    }
)
_MODIFIER_WORDS = _ROW_COUNT_WORDS | _PLAIN_MODIFIERS | {"WITH"}
"""Words that may stand between SELECT and the first item."""
_COUNT = frozenset({TokenType.NUMBER, TokenType.PLACEHOLDER, TokenType.PARAMETER, TokenType.COLON})


class TokenIndex:
    """The structure of a token list, built in one pass when it is first needed."""

    __slots__ = ("_borders", "_lists", "_match", "_owners", "kinds", "tokens")

    def __init__(
        self, tokens: list[Token], kinds: list[TokenType] | None = None, marks: Sequence[int] | None = None
    ) -> None:
        """`kinds` are the types of the tokens, `marks` the places of those in STRUCTURE (and perhaps of others)."""
        self.tokens = tokens
        self.kinds = kinds if kinds is not None else [token.token_type for token in tokens]
        self._match: dict[int, int] = {}
        self._lists: list[tuple[int, list[tuple[int, int]]]] = []
        """Each select list: number of the list around it (-1: none) and the spans of its items."""
        self._borders: list[int] = []
        """The offsets from which another select list than before is the innermost one."""
        self._owners: list[int] = []
        """For each border that select list, -1 for none."""
        self._build(marks if marks is not None else range(len(tokens)))

    def at(self, offset: int) -> int:
        """The token that starts at `offset` or covers it, -1 when there is none."""
        found = bisect_right(self.tokens, offset, key=_start) - 1
        if found >= 0 and self.tokens[found].end >= offset:
            return found
        return -1

    def close(self, i: int) -> int:
        """The closing parenthesis that matches the opening one at `i`; the last token when it is never closed."""
        return self._match.get(i, len(self.tokens) - 1)

    def call_end(self, offset: int) -> int:
        """The offset after the call, cast or CASE that starts at `offset`; after the token when it is none."""
        i = self.at(offset)
        if i < 0:
            return offset
        tokens, kinds = self.tokens, self.kinds
        if kinds[i] is _CASE:
            depth = 0
            for j in range(i, len(tokens)):
                kind = kinds[j]
                if kind is _CASE:
                    depth += 1
                elif kind is _END:
                    depth -= 1
                    if not depth:
                        return tokens[j].end + 1
            return tokens[i].end + 1
        j = i + 1
        while j + 1 < len(tokens) and kinds[j] is _DOT:
            j += 2
        if j < len(tokens) and kinds[j] is _L_PAREN:
            return tokens[self.close(j)].end + 1
        return tokens[i].end + 1

    def assigned(self, offset: int) -> tuple[int, int] | None:
        """The value of ``column = value`` in a SET list, where the column ends at `offset`."""
        kinds = self.kinds
        first = self.at(offset - 1) + 2
        if first < 2 or first >= len(kinds) or kinds[first - 1] not in (TokenType.EQ, TokenType.COLON_EQ):
            return None
        return self._operand(first)

    def row_items(self, offset: int, count: int) -> list[tuple[int, int]]:
        """The values of the row (of VALUES, or assigned to several columns) in which `offset` stands, if there are `count`."""
        kinds = self.kinds
        closed = 0
        for i in range(self.at(offset), 0, -1):
            kind = kinds[i]
            if kind is _R_PAREN:
                closed += 1
            elif kind is _L_PAREN and closed:
                closed -= 1
            elif kind is _L_PAREN and kinds[i - 1] in _BEFORE_ROW:
                found = []
                end = i
                while end < self.close(i) and (item := self._operand(end + 1)) is not None:
                    found.append(item)
                    end = self.at(item[1] - 1) + 1
                if len(found) == count:
                    return found
        return []

    def _operand(self, first: int) -> tuple[int, int] | None:
        """The expression that begins with the token at `first`: up to a comma or the end of its clause or bracket."""
        tokens, kinds = self.tokens, self.kinds
        i, cases = first, 0
        while i < len(kinds):
            kind = kinds[i]
            if kind in _OPENING:
                i = self.close(i)
            elif kind is _CASE:
                cases += 1
            elif kind is _END and cases:
                cases -= 1
            elif not cases and (kind is _COMMA or kind in _CLOSING or kind in _OPERAND_END):
                break
            i += 1
        return (tokens[first].start, tokens[i - 1].end + 1) if i > first else None

    def select_items(self, offset: int) -> list[tuple[int, int]]:
        """The items of the innermost select list in which `offset` stands."""
        owner = self._list_of(offset)
        return self._lists[owner][1] if owner >= 0 else []

    def enclosing_items(self, offset: int) -> list[tuple[int, int]]:
        """The items of the select list around the one in which `offset` stands."""
        owner = self._list_of(offset)
        outer = self._lists[owner][0] if owner >= 0 else -1
        return self._lists[outer][1] if outer >= 0 else []

    def _list_of(self, offset: int) -> int:
        found = bisect_right(self._borders, offset) - 1
        return self._owners[found] if found >= 0 else -1

    def _build(self, marks: Sequence[int]) -> None:
        """One pass with a stack of what is open: the brackets, each with the select list around it."""
        tokens, match, lists = self.tokens, self._match, self._lists
        kinds = self.kinds
        stack: list[tuple[int, int, int, int]] = []
        """Open bracket, and around it: the list being read, the list further out, first token of the item."""
        current = outer = item = -1
        resume = 0
        for i in marks:
            if i < resume:
                continue
            kind = kinds[i]
            if kind is _COMMA:
                if current >= 0:
                    self._end_item(current, item, i)
                    item = i + 1
            elif kind is _L_PAREN or kind in _OPENING:
                stack.append((i, current, outer, item))
                if current >= 0:
                    outer, current = current, -1
            elif kind is _R_PAREN or kind in _CLOSING:
                if stack and kinds[stack[-1][0]] is _CLOSING[kind]:
                    inner = outer
                    if current >= 0:
                        inner = current
                        self._end_item(current, item, i)
                    opened, current, outer, item = stack.pop()
                    match[opened] = i
                    owner = current if current >= 0 else outer
                    if owner != inner:
                        self._begin(owner, i)
            elif kind is _SELECT:
                if current >= 0:
                    self._end_item(current, item, i)
                current = len(lists)
                lists.append((outer, []))
                self._begin(current, i)
                item = resume = self._skip_modifiers(i + 1)
            elif current < 0:
                continue
            elif kind in _TYPE_BRACKETS:
                resume = self._skip_type(i)
            elif kind in _LIST_END and self._ends_list(i, item):
                self._end_item(current, item, i)
                self._begin(outer, i)
                current = -1
        while True:
            if current >= 0:
                self._end_item(current, item, len(tokens))
            if not stack:
                break
            _, current, outer, item = stack.pop()

    def _begin(self, owner: int, i: int) -> None:
        """From the token at `i` on, `owner` is the innermost select list."""
        self._borders.append(self.tokens[i].start)
        self._owners.append(owner)

    def _end_item(self, current: int, item: int, end: int) -> None:
        if end > item:
            first, last = self.tokens[item], self.tokens[end - 1]
            if last.end < first.start:
                # A loop of a template repeats its text: the item began in one round and ends in the next.
                first, last = last, first
            self._lists[current][1].append((first.start, last.end + 1))

    def _ends_list(self, i: int, item: int) -> bool:
        kind = self.kinds[i]
        if kind is _FROM:
            return not (i > item and self.kinds[i - 1] is _DISTINCT)
        tokens = self.tokens
        if kind is TokenType.EXCEPT:
            if i == item or tokens[i - 1].token_type is not TokenType.STAR or i + 2 >= len(tokens):
                return True
            if tokens[i + 1].token_type is not TokenType.L_PAREN:
                return tokens[i + 1].token_type not in (TokenType.VAR, TokenType.IDENTIFIER)
            return tokens[i + 2].token_type in (TokenType.SELECT, TokenType.WITH, TokenType.L_PAREN)
        if kind in _NAME_OR_END:
            return i > item and tokens[i - 1].token_type not in (TokenType.DOT, TokenType.ALIAS)
        return True

    def _skip_type(self, i: int) -> int:
        """After ``STRUCT<a INT, b ARRAY<...>>``; after the token when it opens no angle bracket."""
        tokens = self.tokens
        i += 1
        if i >= len(tokens) or tokens[i].token_type is not TokenType.LT:
            return i
        depth = 0
        for j in range(i, len(tokens)):
            kind = tokens[j].token_type
            if kind is TokenType.LT:
                depth += 1
            elif kind is TokenType.GT:
                depth -= 1
                if not depth:
                    return j + 1
            elif kind is TokenType.SEMICOLON or kind is TokenType.FROM:
                break
        return i

    def _skip_modifiers(self, i: int) -> int:
        """The first token of the select list after DISTINCT, TOP and their like."""
        tokens, kinds = self.tokens, self.kinds
        count = len(tokens)
        while i < count:
            kind = kinds[i]
            following = kinds[i + 1] if i + 1 < count else None
            if following is _DOT or kind is _IDENTIFIER:
                break
            word = tokens[i].text.upper()
            if word not in _MODIFIER_WORDS and kind is not _HINT and kind is not _ALIAS:
                break
            if kind is _HINT:
                i += 1
            elif word == "DISTINCT" and following is TokenType.ON:
                i = self._skip_parenthesis(i + 2)
            elif word in _PLAIN_MODIFIERS:
                if following is TokenType.COMMA or (following is TokenType.FROM and word != "DISTINCT"):
                    break
                i += 1
            elif kind is _ALIAS and i + 1 < count and tokens[i + 1].text.upper() in ("STRUCT", "VALUE"):
                i += 2
            elif (
                word == "WITH"
                and i + 1 < count
                and tokens[i + 1].text.upper()
                in (
                    "TIES",
                    "DIFFERENTIAL_PRIVACY",
                    "ANONYMIZATION",
                    "AGGREGATION_THRESHOLD",
                )
            ):
                i = i + 2 if tokens[i + 1].text.upper() == "TIES" else self._skip_options(i + 2)
            elif word in _ROW_COUNT_WORDS and (
                following in _COUNT or (word == "TOP" and following is TokenType.L_PAREN)
            ):
                i = self._skip_count(i + 1)
            else:
                break
        return i

    def _skip_count(self, i: int) -> int:
        tokens = self.tokens
        if tokens[i].token_type is TokenType.L_PAREN:
            i = self._skip_parenthesis(i)
        else:
            i += 2 if tokens[i].token_type in (TokenType.PARAMETER, TokenType.COLON) else 1
        if i < len(tokens) and tokens[i].token_type is TokenType.PERCENT:
            i += 1
        return min(i, len(tokens))

    def _skip_options(self, i: int) -> int:
        if i < len(self.tokens) and self.tokens[i].text.upper() == "OPTIONS":
            i += 1
        return self._skip_parenthesis(i)

    def _skip_parenthesis(self, i: int) -> int:
        """After the parenthesis that opens at `i`, before the index of parentheses exists."""
        tokens = self.tokens
        depth = 0
        for j in range(i, len(tokens)):
            kind = tokens[j].token_type
            if kind is TokenType.L_PAREN:
                depth += 1
            elif kind is TokenType.R_PAREN:
                depth -= 1
            if depth <= 0:
                return j + 1 if j > i else i
        return len(tokens)
