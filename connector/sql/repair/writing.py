"""Rules for statements that write, in syntax that several dialects share."""

from __future__ import annotations

from sqlglot.tokenizer_core import TokenType

from connector.sql.repair.tools import Rule, at_words, find_word, name_end
from connector.sql.words import (
    Replacement,
    Tokens,
    closing,
    drop_where,
    in_parentheses,
    like,
    on_level,
    replace_where,
    select_all,
    word,
)


def _verb(tokens: Tokens) -> Tokens:
    """REPLACE INTO and UPSERT write a table as INSERT INTO does; REPLACE VIEW is CREATE OR REPLACE VIEW."""
    first = tokens[0].text.upper()
    if first == "WITH":
        verb = find_word(tokens, 1, "UPSERT", "SELECT", "INSERT")
        if word(tokens, verb) == "UPSERT" and word(tokens, verb + 1) == "INTO":
            return [*tokens[:verb], like(tokens[verb], TokenType.INSERT, "INSERT"), *tokens[verb + 1 :]]
    if first not in ("REPLACE", "UPSERT") or len(tokens) < 3:
        return tokens
    if tokens[1].token_type is TokenType.VIEW:
        return [like(tokens[0], TokenType.CREATE, "CREATE"), like(tokens[0], TokenType.OR, "OR"), *tokens]
    rest = tokens[1:]
    while rest and rest[0].text.upper() in ("LOW_PRIORITY", "DELAYED"):
        rest = rest[1:]
    head = [like(tokens[0], TokenType.INSERT, "INSERT")]
    if rest and rest[0].token_type is not TokenType.INTO:
        head.append(like(tokens[0], TokenType.INTO, "INTO"))
    return head + rest


def _model(tokens: Tokens) -> Tokens:
    """``CREATE MODEL m OPTIONS (…) AS query``: the options say how the model learns, not what from."""
    at = next((i for i in range(1, min(5, len(tokens))) if word(tokens, i) == "MODEL"), 0)
    if not at or tokens[0].token_type is not TokenType.CREATE:
        return tokens
    behind, query = name_end(tokens, at + 1), find_word(tokens, at, "AS")
    if query < behind or word(tokens, query + 1) not in ("SELECT", "WITH", "("):
        return tokens
    if word(tokens, query + 1) == "(" and word(tokens, query + 3) == "AS":
        tokens = [*tokens[: query + 1], *_named_queries(tokens, query + 1)]
    return [*tokens[:at], like(tokens[at], TokenType.MODEL, "MODEL"), *tokens[at + 1 : behind], *tokens[query:]]


def _named_queries(tokens: Tokens, opened: int) -> Tokens:
    """BigQuery: ``AS (training_data AS (…), custom_holiday AS (…))`` as common table expressions, of which all are read."""
    end = closing(tokens, opened)
    here = tokens[opened]
    names = [i for i in range(opened + 1, end) if word(tokens, i - 1) in ("(", ",") and word(tokens, i + 1) == "AS"]
    names = [i for i in names if word(tokens, i + 2) == "(" and closing(tokens, i + 2) < end]
    listed = [token for i in names for token in (like(here, TokenType.COMMA, ","), tokens[i])]
    return [like(here, TokenType.WITH, "WITH"), *tokens[opened + 1 : end], *select_all(here), *listed[1:]]


@replace_where
def _default_row(tokens: Tokens, i: int) -> Replacement | None:
    """``WHEN NOT MATCHED THEN INSERT DEFAULT VALUES`` in MERGE: a row of defaults, ``VALUES (DEFAULT)``."""
    if not at_words(tokens, i - 1, "THEN", "INSERT", "DEFAULT", "VALUES"):
        return None
    default, values = tokens[i + 1 : i + 3]
    return [tokens[i], values, *in_parentheses([default])], 3


def _insert_set(tokens: Tokens) -> Tokens:
    """``INSERT INTO t SET a = x, b = y`` as ``INSERT INTO t (a, b) VALUES (x, y)``."""
    if tokens[0].token_type is not TokenType.INSERT or word(tokens, 1) != "INTO":
        return tokens
    start = name_end(tokens, 2)
    if word(tokens, start) != "SET":
        return tokens
    columns: Tokens = []
    values: Tokens = []
    i = start
    stop = find_word(tokens, start, "RETURNING", "RETURN", "LOG", "ON", "AS")
    end = stop if stop >= 0 else len(tokens)
    while i < end:
        comma = find_word(tokens, i + 1, ",")
        behind = comma if 0 <= comma < end else end
        equals = find_word(tokens, i + 1, "=")
        if not i < equals < behind:
            return tokens
        separator = [like(tokens[i], TokenType.COMMA, ",")] if values else []
        columns += [*separator, *tokens[i + 1 : equals]]
        values += [*separator, *tokens[equals + 1 : behind]]
        i = behind
    here = tokens[start]
    row = [like(here, TokenType.VALUES, "VALUES"), *in_parentheses(values, here)]
    return [*tokens[:start], *in_parentheses(columns, here), *row, *tokens[end:]]


def _signalled(tokens: Tokens) -> Tokens:
    """Db2: ``WHEN MATCHED AND … THEN SIGNAL SQLSTATE '…' …`` in MERGE: a branch that writes nothing."""
    if tokens[0].token_type is not TokenType.MERGE:
        return tokens
    when = find_word(tokens, 1, "WHEN")
    while when >= 0:
        following = find_word(tokens, when + 1, "WHEN")
        then = find_word(tokens, when + 1, "THEN")
        if then > 0 and word(tokens, then + 1) in ("SIGNAL", "RAISE_ERROR"):
            end = following if following >= 0 else find_word(tokens, then, "ELSE", "NOT")
            return _signalled([*tokens[:when], *(tokens[end:] if end >= 0 else [])])
        when = following
    return tokens


def _joined_source(tokens: Tokens) -> Tokens:
    """``MERGE INTO t USING a JOIN b ON … ON …``: the last ON before the branches belongs to the MERGE; all before it is the
    source."""
    merge = next((i for i, token in enumerate(tokens) if token.token_type is TokenType.MERGE), len(tokens))
    using = find_word(tokens, merge, "USING")
    joins = False
    condition = -1
    for i in on_level(tokens, using + 1) if using >= 0 else ():
        current = word(tokens, i)
        if current == "WHEN" and word(tokens, i + 1) in ("MATCHED", "NOT"):
            break
        joins = joins or current in ("JOIN", "APPLY")
        if current == "ON":
            condition = i
    if not joins or condition < 0:
        return tokens
    return [
        *tokens[: using + 1],
        *in_parentheses(tokens[using + 1 : condition], tokens[using]),
        *tokens[condition:],
    ]


def _portion(tokens: Tokens, i: int) -> int:
    """``FOR PORTION OF period FROM a TO b``, ``FOR PORTION OF period (range)``: a part of the time, of the same table."""
    if not at_words(tokens, i, "FOR", "PORTION", "OF"):
        return 0
    if word(tokens, i + 4) == "(":
        return closing(tokens, i + 4) + 1 - i
    to = find_word(tokens, i, "TO")
    if to < 0:
        return 0
    end = find_word(tokens, to, "AS", "SET", "WHERE")
    return (end if end >= 0 else len(tokens)) - i


def _if_not_exists(tokens: Tokens) -> Tokens:
    """``INSERT … PARTITION (…) IF NOT EXISTS SELECT``: whether the partition is there does not change what goes in."""
    if tokens[0].token_type is not TokenType.INSERT:
        return tokens
    return drop_where(lambda found, i: 3 if at_words(found, i, "IF", "NOT", "EXISTS") else 0)(tokens)


def _returned_into(tokens: Tokens) -> Tokens:
    """``RETURNING a, b INTO :x, :y``: variables of the client."""
    returning = find_word(tokens, 0, "RETURNING", "RETURN")
    if returning < 0:
        return tokens
    into = find_word(tokens, returning, "INTO")
    if into < 0 or tokens[min(into + 1, len(tokens) - 1)].token_type is not TokenType.COLON:
        return tokens
    return tokens[:into]


def _current_of(tokens: Tokens, i: int) -> int:
    """``WHERE CURRENT OF cursor``: the row that the cursor stands on."""
    if at_words(tokens, i, "WHERE", "CURRENT", "OF"):
        return 5 if word(tokens, i + 3) == "GLOBAL" else 4
    return 0


WRITING: tuple[Rule, ...] = (
    _verb,
    _model,
    _default_row,
    _insert_set,
    _signalled,
    _joined_source,
    drop_where(_portion),
    _if_not_exists,
    _returned_into,
    drop_where(_current_of),
)
