"""Names that a dialect spells in another way than its grammar reads them: in strings, as arguments, with a sign of their own or
with all parts in one pair of quotes."""

from __future__ import annotations

import re

from sqlglot.tokenizer_core import Token, TokenType

from connector.naming import split_parts
from connector.sql.words import STRINGS, like, select_all, word

_Tokens = list[Token]
_NAMES = frozenset({TokenType.VAR, TokenType.IDENTIFIER})
_DECORATOR = re.compile(r"\$(?:\d+|__\w+__)\Z")


def _name(token: Token, spelled: str) -> _Tokens:
    """The tokens of a dotted name that stands in a string."""
    found: _Tokens = []
    at = 0
    for part in split_parts(spelled):
        if found:
            found.append(like(token, TokenType.DOT, "."))
        quoted = f'"{part}"' in spelled
        at = max(spelled.find(part, at), at)
        found.append(_within(token, TokenType.IDENTIFIER if quoted else TokenType.VAR, part, at))
        at += len(part)
    return found


def _within(token: Token, kind: TokenType, text: str, at: int = 0) -> Token:
    """A token at its place in a string; at the place of the string where escapes make that unsure."""
    if token.end - token.start != len(token.text) + 1 or token.text[at : at + len(text)] != text:
        return like(token, kind, text)
    start = token.start + 1 + at
    return Token(kind, text, token.line, token.col, start, start + len(text) - 1, [])


_BEFORE_TABLE = frozenset({"FROM", "JOIN", "INTO", "UPDATE", "USING", ",", "TABLE", "OVERWRITE"})


def names_in_strings(tokens: _Tokens) -> _Tokens:
    """Snowflake, Databricks: ``IDENTIFIER('db.s.t')``, and ``TABLE('t')`` where a table stands."""
    left: _Tokens = []
    i = 0
    while i < len(tokens):
        says = word(tokens, i)
        if says == "IDENTIFIER" or (says == "TABLE" and word(tokens, i - 1) in _BEFORE_TABLE):
            strings, behind = _constant(tokens, i + 1)
            if strings:
                left += _name(strings[0], "".join(token.text for token in strings))
                i = behind
                continue
        left.append(tokens[i])
        i += 1
    return left


def _constant(tokens: _Tokens, i: int) -> tuple[_Tokens, int]:
    """The strings in the parenthesis at `i` if it holds nothing else, and the token behind it."""
    if word(tokens, i) != "(":
        return [], i
    found: _Tokens = []
    i += 1
    while i < len(tokens) and tokens[i].token_type in STRINGS:
        found.append(tokens[i])
        i += 1
        if i >= len(tokens) or tokens[i].token_type is not TokenType.DPIPE:
            break
        i += 1
    closed = word(tokens, i) == ")" and any(token.text for token in found)
    return (found, i + 1) if closed else ([], i)


def parts_of_names(tokens: _Tokens) -> _Tokens:
    """BigQuery: ``t$20240101`` is a partition of t; ```p.d.INFORMATION_SCHEMA.TABLES``` has four parts."""
    left: _Tokens = []
    for token in tokens:
        if token.token_type in (TokenType.IDENTIFIER, TokenType.VAR) and "$" in token.text:
            left.append(like(token, token.token_type, _DECORATOR.sub("", token.text)))
        elif token.token_type is TokenType.IDENTIFIER and ".INFORMATION_SCHEMA." in token.text.upper():
            for number, part in enumerate(token.text.split(".")):
                if number:
                    left.append(like(token, TokenType.DOT, "."))
                plain = part.upper() == "INFORMATION_SCHEMA"
                left.append(like(token, TokenType.VAR if plain else TokenType.IDENTIFIER, part))
        else:
            left.append(token)
    return left


_BEFORE_ARGUMENT = frozenset({"(", ",", "=>"})


def table_arguments(tokens: _Tokens) -> _Tokens:
    """A whole table as an argument is a query of all of it: BigQuery ``ML.PREDICT(MODEL m, TABLE d.t)``, Trino and
    Databricks ``f(input => TABLE(t))``."""
    table = TokenType.TABLE
    places = {
        i for i, token in enumerate(tokens) if token.token_type is table and word(tokens, i - 1) in _BEFORE_ARGUMENT
    }
    if not places:
        return tokens
    left: _Tokens = []
    i = 0
    while i < len(tokens):
        token = tokens[i]
        name = end = i + 1
        is_argument = i in places
        if is_argument:
            if word(tokens, name) == "(":
                name += 1
            end = name + 1
            while end + 1 < len(tokens) and tokens[end].token_type is TokenType.DOT:
                end += 2
            closes = (")",) if name > i + 1 else (",", ")")
            is_argument = word(tokens, end) in closes and tokens[name].token_type in _NAMES
        if not is_argument:
            left.append(token)
            i += 1
            continue
        left += _all_of(token, tokens[name:end])
        i = end + (name > i + 1)
    return left


def _all_of(here: Token, name: _Tokens) -> _Tokens:
    """A query of all of a table, in parentheses."""
    return [like(here, TokenType.L_PAREN, "("), *select_all(here), *name, like(name[-1], TokenType.R_PAREN, ")")]


def changes_of_named_table(tokens: _Tokens) -> _Tokens:
    """Databricks: ``table_changes('s.t', 2, 5)`` reads a table that is named in a string."""
    left: _Tokens = []
    for i, token in enumerate(tokens):
        called = word(tokens, i - 1) == "(" and word(tokens, i - 2) in ("TABLE_CHANGES", "TABLE_CHANGES_BY_PATH")
        named = called and token.token_type in STRINGS and token.text
        left += _all_of(token, _name(token, token.text)) if named else [token]
    return left


def queried_table(tokens: _Tokens) -> _Tokens:
    """DuckDB: ``FROM query_table('t')`` is ``FROM t``."""
    left: _Tokens = []
    i = 0
    while i < len(tokens):
        strings, behind = _constant(tokens, i + 1) if word(tokens, i) == "QUERY_TABLE" else ([], i)
        left += _name(strings[0], strings[0].text) if len(strings) == 1 else [tokens[i]]
        i = behind if len(strings) == 1 else i + 1
    return left


def dictionaries(tokens: _Tokens) -> _Tokens:
    """ClickHouse: ``dictGet('d', 'a', key)`` and ``joinGet`` read a column of a table that is named in a string."""
    left: _Tokens = []
    i = 0
    while i < len(tokens):
        function = tokens[i].text.lower()
        called = i + 2 < len(tokens) and word(tokens, i + 1) == "(" and tokens[i + 2].token_type in STRINGS
        if not called or not function.startswith(("dictget", "joinget", "dicthas", "dictionary")):
            left.append(tokens[i])
            i += 1
            continue
        table = _name(tokens[i + 2], tokens[i + 2].text)
        if function == "dictionary":
            left += table
            i += 4
            continue
        attributes, i_behind = _attributes(tokens, i + 4)
        here = tokens[i + 2]
        star = [like(here, TokenType.STAR, "*")]
        left += [
            *tokens[i : i + 2],
            like(here, TokenType.L_PAREN, "("),
            like(here, TokenType.SELECT, "SELECT"),
            *(attributes if not function.startswith("dicthas") else star),
            like(here, TokenType.FROM, "FROM"),
            *table,
            like(here, TokenType.R_PAREN, ")"),
        ]
        i = i_behind if not function.startswith("dicthas") else i + 3
    return left


def _attributes(tokens: _Tokens, i: int) -> tuple[_Tokens, int]:
    """The attributes of a dictionary, one string or a tuple of them, as a select list; and the token behind them."""
    end = i
    if word(tokens, i) == "(":
        while end < len(tokens) and word(tokens, end) != ")":
            end += 1
    names = [token for token in tokens[i : end + 1] if token.token_type in STRINGS]
    found: _Tokens = []
    for token in names:
        if found:
            found.append(like(token, TokenType.COMMA, ","))
        found.append(_within(token, TokenType.VAR, token.text))
    return found or [like(tokens[min(i, len(tokens) - 1)], TokenType.STAR, "*")], end + 1


def rows_from(tokens: _Tokens) -> _Tokens:
    """PostgreSQL: ``ROWS FROM (f(a), g(b)) AS r (x, y)``: the functions side by side, as one."""
    left: _Tokens = []
    for i, token in enumerate(tokens):
        if word(tokens, i) == "ROWS" and word(tokens, i + 1) == "FROM" and word(tokens, i + 2) == "(":
            left.append(like(token, TokenType.VAR, token.text))
        elif not (word(tokens, i - 1) == "ROWS" and word(tokens, i) == "FROM" and word(tokens, i + 1) == "("):
            left.append(token)
    return left


def _qualifies(tokens: list[Token], i: int) -> bool:
    """Informix writes ``database:owner.table``; with a dot in its place the grammar reads it as it is meant."""
    if tokens[i].token_type is not TokenType.COLON or not 0 < i < len(tokens) - 1:
        return False
    before, following = tokens[i - 1], tokens[i + 1]
    adjacent = before.end + 1 == tokens[i].start and tokens[i].end + 1 == following.start
    return adjacent and before.token_type in _NAMES and following.token_type in _NAMES


def _dot(token: Token) -> Token:
    return Token(TokenType.DOT, ".", token.line, token.col, token.start, token.end, token.comments)


def numbered_tables(tokens: _Tokens) -> _Tokens:
    """T-SQL: ``#3``, a temporary table that is called by a number."""
    left: _Tokens = []
    for token in tokens:
        before = left[-1] if left else None
        if (
            token.token_type is TokenType.NUMBER
            and before is not None
            and before.token_type is TokenType.HASH
            and before.end + 1 == token.start
        ):
            token = like(token, TokenType.VAR, token.text)
        left.append(token)
    return left


def qualifying_colons(tokens: _Tokens) -> _Tokens:
    """Informix: ``database:owner.table``."""
    return [_dot(token) if _qualifies(tokens, i) else token for i, token in enumerate(tokens)]


def tables_of_containers(tokens: _Tokens) -> _Tokens:
    """Oracle: ``FROM CONTAINERS(t)``, ``FROM SHARDS(t)``: the table in each container or shard."""
    left: _Tokens = []
    i = 0
    while i < len(tokens):
        if (
            word(tokens, i) in ("CONTAINERS", "SHARDS")
            and word(tokens, i + 1) == "("
            and word(tokens, i - 1) in _BEFORE_TABLE
        ):
            end = i + 2
            while end < len(tokens) and (tokens[end].token_type in _NAMES or word(tokens, end) == "."):
                end += 1
            if word(tokens, end) == ")":
                left += tokens[i + 2 : end]
                i = end + 1
                continue
        left.append(tokens[i])
        i += 1
    return left


def tables_of_segments(tokens: _Tokens) -> _Tokens:
    """Greenplum: ``gp_dist_random('s.t')`` is the table as its segments hold it."""
    left: _Tokens = []
    i = 0
    while i < len(tokens):
        strings, behind = _constant(tokens, i + 1) if word(tokens, i) == "GP_DIST_RANDOM" else ([], i)
        if strings:
            left += _name(strings[0], "".join(token.text for token in strings))
            i = behind
            continue
        left.append(tokens[i])
        i += 1
    return left
