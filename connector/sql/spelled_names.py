"""Names that a dialect spells in another way than its grammar reads them: in strings, as arguments, with a sign of their own or
with all parts in one pair of quotes."""

from __future__ import annotations

import re
from itertools import pairwise

from sqlglot.tokenizer_core import Token, TokenType

from connector.naming import split_parts
from connector.sql.cursor import split_list
from connector.sql.words import (
    NAMES,
    STRINGS,
    Replacement,
    Tokens,
    closing,
    in_parentheses,
    like,
    opening,
    replace_where,
    select_all,
    word,
)

_DECORATOR = re.compile(r"(?<=[^.])\$(?:\d+|__\w+__)\Z")
"""Behind a name: ```$1``` on its own is a name that a client fills in."""


def spelled_name(token: Token, spelled: str) -> Tokens:
    """The tokens of a dotted name that stands in a string."""
    found: Tokens = []
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


@replace_where
def names_in_strings(tokens: Tokens, i: int) -> Replacement | None:
    """Snowflake, Databricks: ``IDENTIFIER('db.s.t')``, and ``TABLE('t')`` where a table stands."""
    return _named_by_strings(tokens, i) if takes_name(tokens, i) else None


def takes_name(tokens: Tokens, i: int) -> bool:
    """Whether the word at `i` makes a name of a text: IDENTIFIER, and TABLE where a table stands."""
    return word(tokens, i) == "IDENTIFIER" or (word(tokens, i) == "TABLE" and word(tokens, i - 1) in _BEFORE_TABLE)


@replace_where
def queried_tables(tokens: Tokens, i: int) -> Replacement | None:
    """DuckDB: ``FROM query_table('t')`` is ``FROM t``, and so is Greenplum's ``gp_dist_random('t')``, t as its segments hold it."""
    return _named_by_strings(tokens, i) if word(tokens, i) in ("QUERY_TABLE", "GP_DIST_RANDOM") else None


def _named_by_strings(tokens: Tokens, i: int) -> Replacement | None:
    """The name in the string, or in the strings with ``||`` between, that the function at `i` is called with."""
    strings, behind = _constant(tokens, i + 1)
    return (spelled_name(strings[0], "".join(token.text for token in strings)), behind - i) if strings else None


def _constant(tokens: Tokens, i: int) -> tuple[Tokens, int]:
    """The strings in the parenthesis at `i` if it holds nothing else, and the token after it."""
    if word(tokens, i) != "(":
        return [], i
    found: Tokens = []
    i += 1
    while i < len(tokens) and tokens[i].token_type in STRINGS:
        found.append(tokens[i])
        i += 1
        if i >= len(tokens) or tokens[i].token_type is not TokenType.DPIPE:
            break
        i += 1
    closed = word(tokens, i) == ")" and any(token.text for token in found)
    return (found, i + 1) if closed else ([], i)


@replace_where
def parts_of_names(tokens: Tokens, i: int) -> Replacement | None:
    """BigQuery: ``t$20240101`` is a partition of t; ```p.d.INFORMATION_SCHEMA.TABLES``` has four parts."""
    token = tokens[i]
    if token.token_type in NAMES and "$" in token.text:
        return [like(token, token.token_type, _DECORATOR.sub("", token.text))], 1
    if token.token_type is not TokenType.IDENTIFIER or ".INFORMATION_SCHEMA." not in token.text.upper():
        return None
    return dotted_parts(token), 1


def dotted_parts(token: Token) -> Tokens:
    """The parts of a name in one pair of quotes, each at its own place."""
    parts: Tokens = []
    start = token.end - len(token.text)
    for part in token.text.split("."):
        kind = TokenType.VAR if part.upper() == "INFORMATION_SCHEMA" else TokenType.IDENTIFIER
        end = start + len(part)
        parts.append(Token(TokenType.DOT, ".", token.line, token.col, start - 1, start - 1))
        parts.append(Token(kind, part, token.line, token.col, start, end - 1, token.comments))
        start = end + 1
    return parts[1:]


_BEFORE_ARGUMENT = frozenset({"(", ",", "=>"})


@replace_where
def table_arguments(tokens: Tokens, i: int) -> Replacement | None:
    """A whole table as an argument is a query of all of it: BigQuery ``ML.PREDICT(MODEL m, TABLE d.t)``, Trino and
    Databricks ``f(input => TABLE(t))``."""
    if tokens[i].token_type is not TokenType.TABLE or word(tokens, i - 1) not in _BEFORE_ARGUMENT:
        return None
    called = word(tokens, i + 1) == "("
    name = i + 1 + called
    end = name + 1
    while end + 1 < len(tokens) and tokens[end].token_type is TokenType.DOT:
        end += 2
    if word(tokens, end) not in ((")",) if called else (",", ")")) or tokens[name].token_type not in NAMES:
        return None
    return _all_of(tokens[i], tokens[name:end]), end + called - i


def _all_of(here: Token, name: Tokens) -> Tokens:
    """A query of all of a table, in parentheses."""
    return in_parentheses([*select_all(here), *name])


@replace_where
def changes_of_named_table(tokens: Tokens, i: int) -> Replacement | None:
    """Databricks: ``table_changes('s.t', 2, 5)`` reads a table that is named in a string."""
    token = tokens[i]
    if token.token_type not in STRINGS or not token.text or word(tokens, i - 1) != "(":
        return None
    if word(tokens, i - 2) not in ("TABLE_CHANGES", "TABLE_CHANGES_BY_PATH"):
        return None
    return _all_of(token, spelled_name(token, token.text)), 1


@replace_where
def dictionaries(tokens: Tokens, i: int) -> Replacement | None:
    """ClickHouse: ``dictGet('d', 'a', key)`` and ``joinGet`` read a column of a table that is named in a string."""
    function = tokens[i].text.lower()
    if not function.startswith(("dictget", "joinget", "dicthas", "dictionary")) or word(tokens, i + 1) != "(":
        return None
    if i + 2 >= len(tokens) or tokens[i + 2].token_type not in STRINGS:
        return None
    here = tokens[i + 2]
    table = spelled_name(here, here.text)
    if function == "dictionary":
        # As an engine it is the dictionary that a table shows.
        return (table, 4) if word(tokens, i - 1) not in ("=", "ENGINE") else None
    if function.startswith("dicthas"):
        return [*tokens[i : i + 2], *_all_of(here, table)], 3
    attributes, behind = _attributes(tokens, i + 4)
    query = [like(here, TokenType.SELECT, "SELECT"), *attributes, like(here, TokenType.FROM, "FROM"), *table]
    return [*tokens[i : i + 2], *in_parentheses(query, here)], behind - i


@replace_where
def names_of_parameters(tokens: Tokens, i: int) -> Replacement | None:
    """ClickHouse: ``{db:Identifier}.t``: a name that a parameter gives, under the name of the parameter."""
    is_name = word(tokens, i) == "{" and word(tokens, i + 2) == ":" and word(tokens, i + 3) == "IDENTIFIER"
    return ([like(tokens[i + 1], TokenType.VAR, tokens[i + 1].text)], 5) if is_name else None


@replace_where
def whole_paths(tokens: Tokens, i: int) -> Replacement | None:
    """ClickHouse: ``json.data.^path`` gives the object at a path, as ``json.data.path`` gives a value."""
    if word(tokens, i) == ".^":
        return [like(tokens[i], TokenType.DOT, ".")], 1
    # Older grammars have two tokens.
    return ([tokens[i]], 2) if word(tokens, i) == "." and word(tokens, i + 1) == "^" else None


@replace_where
def elements_of_tuples(tokens: Tokens, i: int) -> Replacement | None:
    """ClickHouse: ``untuple(t)`` has a column for each element, like ``t.*``; ``untuple((a, b)) AS n`` has n.1 and n.2."""
    if word(tokens, i) != "UNTUPLE" or word(tokens, i + 1) != "(":
        return None
    here, end = tokens[i], closing(tokens, i + 1)
    if word(tokens, end) != ")":
        return None
    inside = tokens[i + 2 : end]
    behind = end + 3 if word(tokens, end + 1) == "AS" and end + 2 < len(tokens) else end + 1
    if inside and all(token.token_type in NAMES or token.token_type is TokenType.DOT for token in inside):
        return [*inside, like(tokens[end], TokenType.DOT, "."), like(tokens[end], TokenType.STAR, "*")], behind - i
    if word(inside, 0) != "(" or closing(inside, 0) != len(inside) - 1:
        return None
    found: Tokens = []
    for place, item in enumerate(filter(None, split_list(inside[1:-1])), start=1):
        found += [like(here, TokenType.COMMA, ","), *item]
        if behind > end + 1 and word(item, 0) != "*":
            name = tokens[end + 2]
            found += [tokens[end + 1], like(name, TokenType.VAR, f"{name.text}.{place}")]
    return (found[1:], behind - i) if found else None


_SAME_SERVER = {"CLUSTER": 1, "CLUSTERALLREPLICAS": 1, "LOOP": 0}
"""Functions that give the rows of a table of this database, and which argument names it."""


@replace_where
def tables_of_clusters(tokens: Tokens, i: int) -> Replacement | None:
    """ClickHouse: ``cluster('c', db.t)``, ``clusterAllReplicas('c', db, t)`` and ``loop(db.t)`` are the table that they name."""
    first = _SAME_SERVER.get(word(tokens, i), -1)
    if first < 0 or word(tokens, i + 1) != "(" or word(tokens, i - 1) not in _BEFORE_TABLE:
        return None
    end = closing(tokens, i + 1)
    found: Tokens = []
    for item in split_list(tokens[i + 2 : end])[first : first + 2]:
        if word(item, 0) == "CURRENTDATABASE":
            continue
        part = spelled_name(item[0], item[0].text) if item and item[0].token_type in STRINGS else item
        found += [like(part[0], TokenType.DOT, "."), *part] if found and part else part
        if len(part) > 1:
            break
    is_name = found and all(token.token_type in NAMES or token.token_type is TokenType.DOT for token in found)
    return (found, end + 1 - i) if is_name else None


def _attributes(tokens: Tokens, i: int) -> tuple[Tokens, int]:
    """The attributes of a dictionary, one string or a tuple of them, as a select list; and the token after them."""
    end = i
    if word(tokens, i) == "(":
        while end < len(tokens) and word(tokens, end) != ")":
            end += 1
    names = [token for token in tokens[i : end + 1] if token.token_type in STRINGS]
    found: Tokens = []
    for token in names:
        if found:
            found.append(like(token, TokenType.COMMA, ","))
        found.append(_within(token, TokenType.VAR, token.text))
    return found or [like(tokens[min(i, len(tokens) - 1)], TokenType.STAR, "*")], end + 1


@replace_where
def rows_from(tokens: Tokens, i: int) -> Replacement | None:
    """PostgreSQL: ``ROWS FROM (f(a), g(b)) AS r (x, y)``: the functions side by side, as one."""
    if word(tokens, i) != "ROWS" or word(tokens, i + 1) != "FROM" or word(tokens, i + 2) != "(":
        return None
    if word(tokens, i - 1) in ("PRESERVE", "DELETE"):
        # Vertica: SELECT … INTO TEMPORARY TABLE t ON COMMIT PRESERVE ROWS FROM (…)
        return None
    return [like(tokens[i], TokenType.VAR, tokens[i].text)], 2


@replace_where
def numbered_tables(tokens: Tokens, i: int) -> Replacement | None:
    """T-SQL: ``#3``, a temporary table that is called by a number."""
    token = tokens[i]
    if token.token_type is not TokenType.NUMBER or word(tokens, i - 1) != "#" or tokens[i - 1].end + 1 != token.start:
        return None
    return [like(token, TokenType.VAR, token.text)], 1


_NAME_FOLLOWS = frozenset(
    "FROM INTO TABLE UPDATE JOIN AS VIEW PROCEDURE FUNCTION INDEX EXISTS SYNONYM TRIGGER SCHEMA OUTER".split()
)


@replace_where
def quoted_strings(tokens: Tokens, i: int) -> Replacement | None:
    """Informix: what is in double quotes is a string, unless the client sets DELIMIDENT; owners are written so as well."""
    token = tokens[i]
    if token.token_type is not TokenType.IDENTIFIER or "." in (word(tokens, i - 1), word(tokens, i + 1)):
        return None
    if word(tokens, i - 1) in _NAME_FOLLOWS or _is_inserted(tokens, i):
        return None
    return [Token(TokenType.STRING, token.text, token.line, token.col, token.start, token.end, token.comments)], 1


def _is_inserted(tokens: Tokens, i: int) -> bool:
    """Whether the name stands in the list of columns after ``INSERT INTO t``."""
    at = opening(tokens, i) - 1
    while at > 0 and (tokens[at].token_type in NAMES or word(tokens, at) == "."):
        at -= 1
    return word(tokens, at) == "INTO"


@replace_where
def qualifying_colons(tokens: Tokens, i: int) -> Replacement | None:
    """Informix writes ``database[@server]:owner.table``; with a dot in its place the grammar reads it as it is meant."""
    database = tokens[i]
    colon = i + 3 if word(tokens, i + 1) == "@" else i + 1
    if colon + 1 >= len(tokens) or word(tokens, colon) != ":":
        return None
    parts = tokens[i : colon + 2]
    adjacent = all(before.end + 1 == part.start for before, part in pairwise(parts))
    if not adjacent or any(part.token_type not in NAMES for part in parts[::2]):
        return None
    if colon > i + 1:
        # Wherever the server is, the table is in that database there.
        name, end = f"{database.text}@{parts[2].text}", parts[2].end
        database = Token(TokenType.IDENTIFIER, name, database.line, database.col, database.start, end, [])
    sign = tokens[colon]
    return [
        database,
        Token(TokenType.DOT, ".", sign.line, sign.col, sign.start, sign.end, sign.comments),
    ], colon + 1 - i


@replace_where
def tables_of_containers(tokens: Tokens, i: int) -> Replacement | None:
    """Oracle: ``FROM CONTAINERS(t)``, ``FROM SHARDS(t)``: the table in each container or shard; ``FROM ONLY (v)``, Db2's
    ``OUTER (v)``: a view or table without, or with, those below it."""
    if word(tokens, i) not in ("CONTAINERS", "SHARDS", "ONLY", "OUTER") or word(tokens, i - 1) not in _BEFORE_TABLE:
        return None
    if word(tokens, i + 1) != "(":
        return None
    end = i + 2
    while end < len(tokens) and (tokens[end].token_type in NAMES or word(tokens, end) == "."):
        end += 1
    return (tokens[i + 2 : end], end + 1 - i) if word(tokens, end) == ")" else None
