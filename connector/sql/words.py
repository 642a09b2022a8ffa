"""Helpers for tokens, and for rules that replace them."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from sqlglot.tokenizer_core import Token, TokenType

Tokens = list[Token]

STRINGS = frozenset(
    {
        TokenType.STRING,
        TokenType.NATIONAL_STRING,
        TokenType.RAW_STRING,
        TokenType.UNICODE_STRING,
        TokenType.BYTE_STRING,
        TokenType.HEREDOC_STRING,
        TokenType.BIT_STRING,
        TokenType.HEX_STRING,
        *(kind for kind in TokenType if kind.name == "NATIONAL_RAW_STRING"),
    }
)
"""Everything in quotes that is not a name. One of the types exists only in newer releases of sqlglot."""

LITERALS = STRINGS | {TokenType.NUMBER}

NAMES = frozenset({TokenType.VAR, TokenType.IDENTIFIER})
"""A name, plain or in quotes."""

OPENING = frozenset({TokenType.L_PAREN, TokenType.L_BRACKET, TokenType.L_BRACE})
CLOSING = frozenset({TokenType.R_PAREN, TokenType.R_BRACKET, TokenType.R_BRACE})

COMMANDS = frozenset(
    """
    ANALYZE CALL COLLECT COMMENT COMMIT COMPUTE DATABASE DROP GRANT INVALIDATE LOCK MSCK OPTIMIZE REFRESH REVOKE ROLLBACK SET
    SHOW START TRUNCATE USE VACUUM
    """.split()
) | {"MSCK REPAIR"}
"""Verbs whose statements hold no other statement."""
TRANSACTION_WORDS = frozenset(
    """
    TRANSACTION TRAN WORK DISTRIBUTED ISOLATION ISOLATED READ DEFERRED IMMEDIATE EXCLUSIVE DEFERRABLE NAME DIALOG QUERY LOGGING LOADING CONVERSATION
    """.split()
)
"""Words after BEGIN that make it the start of a transaction, a dialog or a log instead of a block."""

QUOTED = STRINGS | {TokenType.IDENTIFIER}
"""What is not a word of the language, whatever it says."""


def word(tokens: list[Token], i: int) -> str:
    """The unquoted word or sign at `i` in upper case; empty for what is quoted and where there is no token."""
    if 0 <= i < len(tokens):
        token = tokens[i]
        if token.token_type not in QUOTED:
            return token.text.upper()
    return ""


def closing(tokens: list[Token], i: int, stop: int | None = None) -> int:
    """The bracket that closes the one at `i`; the last token (before `stop`) where none does."""
    end = len(tokens) if stop is None else stop
    depth = 0
    for j in range(i, end):
        kind = tokens[j].token_type
        if kind in OPENING:
            depth += 1
        elif kind in CLOSING:
            depth -= 1
            if not depth:
                return j
    return end - 1


def opening(tokens: list[Token], i: int) -> int:
    """The parenthesis around the token at `i`, -1 when there is none."""
    depth = 0
    for j in range(i - 1, -1, -1):
        kind = tokens[j].token_type
        if kind is TokenType.R_PAREN:
            depth += 1
        elif kind is TokenType.L_PAREN:
            if not depth:
                return j
            depth -= 1
    return -1


def on_level(tokens: list[Token], start: int = 0) -> Iterator[int]:
    """The positions from `start` on that are inside no further brackets, up to the bracket that closes around them."""
    i = start
    while i < len(tokens):
        kind = tokens[i].token_type
        if kind in CLOSING:
            return
        if kind in OPENING:
            i = closing(tokens, i)
        else:
            yield i
        i += 1


_WRITES = frozenset({TokenType.INSERT, TokenType.MERGE, TokenType.DELETE, TokenType.UPDATE})
_INTRODUCED = frozenset({"FOR", "USING", "WITH", "ON"})
"""Words before the name of an action, which is no statement: ``ON DELETE SET NULL``, ``FOR UPDATE``."""


def another_begins(tokens: list[Token]) -> int:
    """``DROP TABLE a INSERT INTO b …``: where a command runs into another statement, as its end is missing; -1 if not."""
    return next(
        (
            i
            for i, token in enumerate(tokens)
            if token.token_type in _WRITES and word(tokens, i - 1) not in _INTRODUCED and _writes_from(tokens, i)
        ),
        -1,
    )


def runs_into_another(tokens: list[Token]) -> bool:
    """Whether the end of a command is missing, and another statement follows."""
    return another_begins(tokens) >= 0


def _writes_from(tokens: list[Token], i: int) -> bool:
    """Whether the words after the verb at `i` are those of a statement."""
    kind = tokens[i].token_type
    if kind is TokenType.UPDATE:
        return "SET" in (word(tokens, j) for j in range(i + 2, i + 7))
    return word(tokens, i + 1) in (("FROM",) if kind is TokenType.DELETE else ("INTO", "OVERWRITE"))


def first_on_line(tokens: list[Token], i: int) -> bool:
    """Whether no other token stands before the one at `i` on its line."""
    return i == 0 or tokens[i - 1].line < tokens[i].line


def last_on_line(tokens: list[Token], i: int) -> bool:
    """Whether no other token comes after the one at `i` on its line."""
    return i + 1 >= len(tokens) or tokens[i + 1].line > tokens[i].line


def like(token: Token, kind: TokenType, text: str) -> Token:
    """A token that is not in the text, at the place of one that is."""
    return Token(kind, text, token.line, token.col, token.start, token.end, [])


def in_parentheses(tokens: Tokens, here: Token | None = None) -> Tokens:
    """The tokens with parentheses around them, placed at the first and the last of them, or at `here`."""
    first, last = (here, here) if here is not None else (tokens[0], tokens[-1])
    return [like(first, TokenType.L_PAREN, "("), *tokens, like(last, TokenType.R_PAREN, ")")]


def spaces(text: str) -> str:
    """White space of the same length and with the same line ends as `text`."""
    return _NOT_LINE_END.sub(" ", text)


_NOT_LINE_END = re.compile(r"[^\r\n]")


Replacement = tuple[Tokens, int]
"""Tokens that replace others, and the number of those that they replace, which is at least one."""


def replace_where(find: Callable[[Tokens, int], Replacement | None]) -> Callable[[Tokens], Tokens]:
    """A rule that makes every replacement that `find` returns for a position; the same list when there is none."""

    def rule(tokens: Tokens) -> Tokens:
        changed: Tokens = []
        i = done = 0
        while i < len(tokens):
            found = find(tokens, i)
            if found is None:
                i += 1
                continue
            changed += tokens[done:i]
            changed += found[0]
            i += found[1]
            done = i
        return [*changed, *tokens[done:]] if done else tokens

    return rule


def drop_where(size: Callable[[Tokens, int], int]) -> Callable[[Tokens], Tokens]:
    """A rule that takes out every clause for which `size` returns the number of its tokens, 0 where none begins."""

    def find(tokens: Tokens, i: int) -> Replacement | None:
        found = size(tokens, i)
        return ([], found) if found else None

    return replace_where(find)


_MERGED_ROWS = (
    (TokenType.WHEN, "WHEN"),
    (TokenType.VAR, "MATCHED"),
    (TokenType.THEN, "THEN"),
    (TokenType.UPDATE, "UPDATE"),
    (TokenType.SET, "SET"),
    (TokenType.STAR, "*"),
    (TokenType.WHEN, "WHEN"),
    (TokenType.NOT, "NOT"),
    (TokenType.VAR, "MATCHED"),
    (TokenType.THEN, "THEN"),
    (TokenType.INSERT, "INSERT"),
    (TokenType.STAR, "*"),
)


def merge_all(here: Token) -> Tokens:
    """``WHEN MATCHED THEN UPDATE SET * WHEN NOT MATCHED THEN INSERT *``, at the place of a token."""
    return [like(here, kind, text) for kind, text in _MERGED_ROWS]


def select_all(here: Token) -> Tokens:
    """``SELECT * FROM``, at the place of a token."""
    words = ((TokenType.SELECT, "SELECT"), (TokenType.STAR, "*"), (TokenType.FROM, "FROM"))
    return [like(here, kind, text) for kind, text in words]
