"""Vendor syntax that the grammar does not know, rewritten token by token into syntax that it does.

The rules run only on statements that the grammar refused. Each is one function over the token list; tokens keep
their offsets, so coordinates still point at the text as written. A rule may drop what carries no lineage, and say the
rest in other words; it never drops a column or a table.
"""

from __future__ import annotations

from collections.abc import Callable

from sqlglot.tokenizer_core import Token, TokenType

from connector.sql.dialects import SqlDialect
from connector.sql.repair import repaired

__all__ = ["cut_trailing", "rewrite"]

Tokens = list[Token]
Rule = Callable[[Tokens, SqlDialect], Tokens]

_OPERANDS = frozenset(
    {TokenType.VAR, TokenType.IDENTIFIER, TokenType.STRING, TokenType.NUMBER, TokenType.R_PAREN, TokenType.PLACEHOLDER}
)
_QUERY_STARTS = frozenset({"SELECT", "WITH", "SEL", "VALUES", "TABLE"})
_OPTIONS: dict[str, frozenset[str]] = {
    "DISTRIBUTED": frozenset({"BY", "RANDOMLY", "REPLICATED"}),
    "DISTRIBUTE": frozenset({"ON"}),
    "SEGMENTED": frozenset({"BY"}),
    "UNSEGMENTED": frozenset({"ALL", "NODE", "SITE"}),
    "ORGANIZE": frozenset({"ON", "BY"}),
    "KSAFE": frozenset(),
    "WITH": frozenset({"UR", "CS", "RS", "RR", "DATA", "NO", "CHECK", "READ", "HINT"}),
    "FOR": frozenset({"READ", "FETCH", "BROWSE"}),
    "OPTIMIZE": frozenset({"FOR"}),
    "PRIMARY": frozenset({"INDEX"}),
    "UNIQUE": frozenset({"PRIMARY", "INDEX"}),
    "NO": frozenset({"PRIMARY"}),
    "QUERYNO": frozenset(),
    "IN": frozenset(),
    "TABLESPACE": frozenset(),
}
"""First words of options that may follow a query, each with the words that may come second (empty: any)."""


def rewrite(tokens: Tokens, dialect: SqlDialect) -> Tokens | None:
    """The statement in words the grammar may know; None when no rule has anything to say."""
    changed = tokens
    for rule in _RULES:
        changed = rule(changed, dialect)
    changed = repaired(changed, dialect)
    return None if changed is tokens else changed


def cut_trailing(tokens: Tokens, failed: int) -> Tokens | None:
    """The statement up to the token where the grammar gave up, when that token begins an option of the vendor."""
    if failed < 4 or _depth_at(tokens, failed) or not _is_option(tokens, failed):
        return None
    return tokens[:failed]


# --- rules ------------------------------------------------------------------------------------------------------


def _verb(tokens: Tokens, dialect: SqlDialect) -> Tokens:
    """REPLACE INTO and UPSERT write a table as INSERT INTO does."""
    first = tokens[0].text.upper()
    if first not in ("REPLACE", "UPSERT") or len(tokens) < 3:
        return tokens
    rest = tokens[1:]
    while rest and rest[0].text.upper() in ("LOW_PRIORITY", "DELAYED"):
        rest = rest[1:]
    head = [_like(tokens[0], TokenType.INSERT, "INSERT")]
    if rest and rest[0].token_type is not TokenType.INTO:
        head.append(_like(tokens[0], TokenType.INTO, "INTO"))
    return head + rest


def _create(tokens: Tokens, dialect: SqlDialect) -> Tokens:
    """CREATE TABLE or VIEW … AS query: what stands between the name and AS are options."""
    if tokens[0].token_type is not TokenType.CREATE:
        return tokens
    kind = next((at for at, token in enumerate(tokens[:9]) if token.text.upper() in ("TABLE", "VIEW")), -1)
    if kind < 0:
        return tokens
    query = _query_after_as(tokens, kind)
    if query < 0:
        return tokens
    name_end = _name_end(tokens, kind + 1)
    head = [token for token in tokens[: kind + 1] if token.text.upper() in _KEPT_BEFORE_NAME]
    if any(token.text.upper() == "VOLATILE" for token in tokens[:kind]):
        head.insert(1, _like(tokens[0], TokenType.TEMPORARY, "TEMPORARY"))
    columns_end = name_end
    if columns_end < query and tokens[columns_end].token_type is TokenType.L_PAREN:
        columns_end = _close(tokens, columns_end) + 1
    middle = tokens[kind + 1 : columns_end] if _are_names(tokens[name_end:columns_end]) else tokens[kind + 1 : name_end]
    new = head + middle + tokens[query - 1 : _options_after(tokens, query)]
    return new if len(new) != len(tokens) else tokens


def _options_after(tokens: Tokens, query: int) -> int:
    """Where the options behind the query of a CREATE begin."""
    depth = 0
    for at in range(query, len(tokens)):
        kind = tokens[at].token_type
        if kind is TokenType.L_PAREN:
            depth += 1
        elif kind is TokenType.R_PAREN:
            depth -= 1
        elif not depth and at > query and tokens[at].text.upper() != "IN" and _is_option(tokens, at):
            return at
    return len(tokens)


def _inline_view(tokens: Tokens, dialect: SqlDialect) -> Tokens:
    """Oracle's `UPDATE (query) SET …` is an update of a common table expression."""
    if tokens[0].token_type is not TokenType.UPDATE or len(tokens) < 4 or tokens[1].token_type is not TokenType.L_PAREN:
        return tokens
    close = _close(tokens, 1)
    if tokens[2].text.upper() not in _QUERY_STARTS:
        return tokens
    here = tokens[0]
    rest = tokens[close + 1 :]
    if rest and rest[0].token_type in (TokenType.VAR, TokenType.IDENTIFIER):
        name, rest = rest[0], rest[1:]
    else:
        name = _like(here, TokenType.VAR, "inline_view")
    return [
        _like(here, TokenType.WITH, "WITH"),
        name,
        _like(here, TokenType.ALIAS, "AS"),
        *tokens[1 : close + 1],
        here,
        name,
        *rest,
    ]


_KEPT_BEFORE_NAME = frozenset({"CREATE", "TABLE", "VIEW", "MATERIALIZED", "TEMPORARY", "TEMP", "OR", "REPLACE", "GLOBAL"})


def _oracle_merge_delete(tokens: Tokens, dialect: SqlDialect) -> Tokens:
    """Oracle's `UPDATE SET … DELETE WHERE c` inside MERGE is one more branch: WHEN MATCHED AND (c) THEN DELETE."""
    if tokens[0].token_type is not TokenType.MERGE:
        return tokens
    for at in range(1, len(tokens) - 1):
        before = tokens[at - 1].text.upper()
        if (
            tokens[at].token_type is TokenType.DELETE
            and tokens[at + 1].token_type is TokenType.WHERE
            and before != "THEN"
        ):
            end = at + 2
            depth = 0
            while end < len(tokens) and (depth or tokens[end].token_type is not TokenType.WHEN):
                depth += (tokens[end].token_type is TokenType.L_PAREN) - (tokens[end].token_type is TokenType.R_PAREN)
                end += 1
            here = tokens[at]
            branch = [
                _like(here, TokenType.WHEN, "WHEN"),
                _like(here, TokenType.VAR, "MATCHED"),
                _like(here, TokenType.AND, "AND"),
                _like(here, TokenType.L_PAREN, "("),
                *tokens[at + 2 : end],
                _like(here, TokenType.R_PAREN, ")"),
                _like(here, TokenType.THEN, "THEN"),
                here,
            ]
            return _oracle_merge_delete(tokens[:at] + branch + tokens[end:], dialect)
    return tokens


def _output_into(tokens: Tokens, dialect: SqlDialect) -> Tokens:
    """T-SQL `OUTPUT a, b INTO t (x, y)`: the columns of t become aliases of what is put out."""
    if dialect.family != "tsql":
        return tokens
    start = next((at for at, token in enumerate(tokens) if token.text.upper() == "OUTPUT"), -1)
    into = next((at for at in range(start + 1, len(tokens)) if tokens[at].token_type is TokenType.INTO), -1)
    if start <= 0 or into < 0:
        return tokens
    variable = into + 1 < len(tokens) and tokens[into + 1].token_type is TokenType.PARAMETER
    name_end = into + 3 if variable else _name_end(tokens, into + 1)
    if name_end >= len(tokens) or tokens[name_end].token_type is not TokenType.L_PAREN:
        if name_end - into > 2 and not variable:
            return [*tokens[: into + 1], _whole_name(tokens[into + 1 : name_end]), *tokens[name_end:]]
        return tokens
    close = _close(tokens, name_end)
    columns = [token for token in tokens[name_end + 1 : close] if token.token_type is not TokenType.COMMA]
    items = _split(tokens[start + 1 : into])
    if len(items) != len(columns):
        return tokens
    aliased: Tokens = []
    for item, column in zip(items, columns, strict=True):
        if aliased:
            aliased.append(_like(column, TokenType.COMMA, ","))
        bare = item[:-2] if len(item) > 2 and item[-2].token_type is TokenType.ALIAS else item
        aliased += [*bare, _like(column, TokenType.ALIAS, "AS"), column]
    name = tokens[into + 1 : name_end]
    return [*tokens[: start + 1], *aliased, tokens[into], *(name if variable else [_whole_name(name)]), *tokens[close + 1 :]]


def _output_last(tokens: Tokens, dialect: SqlDialect) -> Tokens:
    """T-SQL `DELETE … OUTPUT … WHERE …`: the grammar wants the OUTPUT clause at the end."""
    if dialect.family != "tsql" or not any(token.token_type is TokenType.DELETE for token in tokens[:1]):
        return tokens
    start = next((at for at, token in enumerate(tokens) if token.text.upper() == "OUTPUT"), -1)
    if start < 0:
        return tokens
    end = start + 1
    depth = 0
    while end < len(tokens) and (depth or tokens[end].token_type not in (TokenType.WHERE, TokenType.FROM)):
        depth += (tokens[end].token_type is TokenType.L_PAREN) - (tokens[end].token_type is TokenType.R_PAREN)
        end += 1
    return tokens if end == len(tokens) else tokens[:start] + tokens[end:] + tokens[start:end]


def _whole_name(tokens: Tokens) -> Token:
    """One token for a qualified name, where the grammar wants a single word."""
    first, last = tokens[0], tokens[-1]
    text = "".join(f'"{token.text}"' if token.token_type is TokenType.IDENTIFIER else token.text for token in tokens)
    return Token(TokenType.IDENTIFIER, text, last.line, last.col, first.start, last.end, [])


def _concat_operator(tokens: Tokens, dialect: SqlDialect) -> Tokens:
    """DB2's infix CONCAT is ||."""
    if dialect.family != "db2":
        return tokens
    found = [
        _like(token, TokenType.DPIPE, "||")
        if token.text.upper() == "CONCAT" and at and _stands_between(tokens, at)
        else token
        for at, token in enumerate(tokens)
    ]
    return found if any(new is not old for new, old in zip(found, tokens, strict=True)) else tokens


def _teradata_phrases(tokens: Tokens, dialect: SqlDialect) -> Tokens:
    """Teradata's `column (TITLE 'x')`, `(FORMAT 'x')`, `(NAMED x)`: how a value is shown, not what it is."""
    if dialect.family != "teradata":
        return tokens
    found: Tokens = []
    at = 0
    while at < len(tokens):
        token = tokens[at]
        if token.token_type is TokenType.L_PAREN and at + 1 < len(tokens) and found:
            word = tokens[at + 1].text.upper()
            close = _close(tokens, at)
            if word in ("TITLE", "FORMAT") and found[-1].token_type in _OPERANDS:
                at = close + 1
                continue
            if word == "NAMED" and close == at + 3 and found[-1].token_type in _OPERANDS:
                found += [_like(token, TokenType.ALIAS, "AS"), tokens[at + 2]]
                at = close + 1
                continue
        found.append(token)
        at += 1
    return found if len(found) != len(tokens) else tokens


_RULES: tuple[Rule, ...] = (
    _verb,
    _create,
    _inline_view,
    _oracle_merge_delete,
    _output_into,
    _output_last,
    _concat_operator,
    _teradata_phrases,
)


# --- small tools ------------------------------------------------------------------------------------------------


def _like(token: Token, kind: TokenType, text: str) -> Token:
    """A token that is not in the text, at the place of one that is."""
    return Token(kind, text, token.line, token.col, token.start, token.end, [])


def _is_option(tokens: Tokens, at: int) -> bool:
    seconds = _OPTIONS.get(tokens[at].text.upper())
    if seconds is None:
        return False
    return not seconds or (at + 1 < len(tokens) and tokens[at + 1].text.upper() in seconds)


def _stands_between(tokens: Tokens, at: int) -> bool:
    """Whether a word stands between two operands, not before an argument list."""
    called = at + 1 < len(tokens) and tokens[at + 1].token_type is TokenType.L_PAREN
    return not called or tokens[at - 1].token_type in _OPERANDS


def _depth_at(tokens: Tokens, place: int) -> int:
    depth = 0
    for token in tokens[:place]:
        depth += (token.token_type is TokenType.L_PAREN) - (token.token_type is TokenType.R_PAREN)
    return depth


def _close(tokens: Tokens, opening: int) -> int:
    """The parenthesis that closes the one at `opening`; the last token when none does."""
    depth = 0
    for at in range(opening, len(tokens)):
        if tokens[at].token_type is TokenType.L_PAREN:
            depth += 1
        elif tokens[at].token_type is TokenType.R_PAREN:
            depth -= 1
            if not depth:
                return at
    return len(tokens) - 1


def _name_end(tokens: Tokens, start: int) -> int:
    """Behind a name that starts at `start`, IF NOT EXISTS before it included."""
    at = start
    while at < len(tokens) and tokens[at].text.upper() in ("IF", "NOT", "EXISTS"):
        at += 1
    at += 1
    while at + 1 < len(tokens) and tokens[at].token_type is TokenType.DOT:
        at += 2
    return at


def _query_after_as(tokens: Tokens, start: int) -> int:
    """Where the query of a CREATE … AS begins, -1 when there is none."""
    depth = 0
    for at in range(start, len(tokens) - 1):
        kind = tokens[at].token_type
        if kind is TokenType.L_PAREN:
            depth += 1
        elif kind is TokenType.R_PAREN:
            depth -= 1
        elif kind is TokenType.ALIAS and not depth:
            after = tokens[at + 1]
            if after.text.upper() in _QUERY_STARTS or after.token_type is TokenType.L_PAREN:
                return at + 1
    return -1


def _are_names(tokens: Tokens) -> bool:
    """`(a, b, c)` and nothing else."""
    inner = tokens[1:-1]
    return bool(inner) and all(
        (token.token_type is TokenType.COMMA) == bool(at % 2) for at, token in enumerate(inner)
    )


def _split(tokens: Tokens) -> list[Tokens]:
    """Items between commas outside parentheses."""
    items: list[Tokens] = [[]]
    depth = 0
    for token in tokens:
        depth += (token.token_type is TokenType.L_PAREN) - (token.token_type is TokenType.R_PAREN)
        if token.token_type is TokenType.COMMA and not depth:
            items.append([])
        else:
            items[-1].append(token)
    return items
