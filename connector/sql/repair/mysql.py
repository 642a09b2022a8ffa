"""Rules for MySQL, MariaDB, Doris and StarRocks."""

from __future__ import annotations

from sqlglot.tokenizer_core import TokenType

from connector.sql.repair.tools import Rule, at_words, find_word, name_end, whole_table
from connector.sql.words import STRINGS, Replacement, Tokens, closing, drop_where, like, replace_where, word

_MODIFIERS = frozenset({"LOW_PRIORITY", "QUICK", "IGNORE", "DELAYED", "HIGH_PRIORITY", "SQL_CACHE", "SQL_NO_CACHE"}) | {
    "SQL_SMALL_RESULT",
    "SQL_BIG_RESULT",
    "SQL_BUFFER_RESULT",
    "SQL_CALC_FOUND_ROWS",
}
_HEADS = frozenset({TokenType.SELECT, TokenType.DELETE, TokenType.UPDATE, TokenType.INSERT})


def _modifiers(tokens: Tokens, i: int) -> int:
    """``DELETE LOW_PRIORITY QUICK IGNORE``, ``SELECT SQL_CACHE``: how, not what."""
    if i == 0 or tokens[i - 1].token_type not in _HEADS:
        return 0
    end = i
    while word(tokens, end) in _MODIFIERS and end + 1 < len(tokens):
        end += 1
    return end - i


def _deleted_star(tokens: Tokens) -> Tokens:
    """``DELETE t1.*, t2.* FROM …``: the rows of these tables."""
    if tokens[0].token_type is not TokenType.DELETE:
        return tokens
    end = find_word(tokens, 0, "USING", "WHERE")
    stop = end if end >= 0 else len(tokens)

    def star(found: Tokens, i: int) -> int:
        is_star = i + 1 < min(stop, len(found)) and found[i].token_type is TokenType.DOT
        return 2 if is_star and found[i + 1].token_type is TokenType.STAR else 0

    return drop_where(star)(tokens)


def _into_variables(tokens: Tokens) -> Tokens:
    """``SELECT … INTO @a, @b``: variables of the session."""
    if tokens[0].token_type not in (TokenType.SELECT, TokenType.WITH, TokenType.L_PAREN):
        return tokens
    into = find_word(tokens, 0, "INTO")
    if word(tokens, into + 1) in ("OUTFILE", "DUMPFILE"):
        return tokens
    if into < 0 or into + 1 >= len(tokens) or tokens[into + 1].token_type not in (TokenType.PARAMETER, TokenType.VAR):
        return tokens
    end = into + 1
    while end < len(tokens) and tokens[end].token_type in (TokenType.PARAMETER, TokenType.VAR, TokenType.COMMA):
        end += 1
    return tokens[:into] + tokens[end:]


@replace_where
def _assignment(tokens: Tokens, i: int) -> Replacement | None:
    """``@a := 1`` inside of a condition reads as a comparison."""
    return ([like(tokens[i], TokenType.EQ, "=")], 1) if tokens[i].token_type is TokenType.COLON_EQ else None


def _table_alias(tokens: Tokens) -> Tokens:
    """``INSERT INTO t1 TABLE t2 AS t3 (m, n)``: the whole table, the alias is for ON DUPLICATE KEY."""
    table = find_word(tokens, 0, "TABLE")
    if table < 1 or tokens[0].token_type is not TokenType.INSERT:
        return tokens
    alias = find_word(tokens, table, "AS")
    if alias < 0:
        return tokens
    end = alias + 2
    if end < len(tokens) and tokens[end].token_type is TokenType.L_PAREN:
        end = closing(tokens, end) + 1
    return tokens[:table] + whole_table(tokens[table:alias]) + tokens[end:]


def _deleted_partition(tokens: Tokens, i: int) -> int:
    """Doris: ``DELETE FROM t PARTITION p USING …``."""
    named = tokens[0].token_type is TokenType.DELETE and word(tokens, i) in ("PARTITION", "PARTITIONS") and i > 2
    return 2 if named and word(tokens, i + 2) in ("USING", "WHERE") else 0


def _label(tokens: Tokens, i: int) -> int:
    """Doris and StarRocks: ``INSERT … WITH LABEL l``."""
    return 3 if at_words(tokens, i, "WITH", "LABEL") else 0


def _separator(tokens: Tokens, i: int) -> int:
    """``GROUP_CONCAT(a ORDER BY b SEPARATOR '|')``, where the grammar does not know the function's own syntax."""
    return 2 if word(tokens, i) == "SEPARATOR" and i + 1 < len(tokens) and tokens[i + 1].token_type in STRINGS else 0


@replace_where
def _distinct_rows(tokens: Tokens, i: int) -> Replacement | None:
    """``SELECT DISTINCTROW a``: another word for DISTINCT."""
    return ([like(tokens[i], TokenType.DISTINCT, "DISTINCT")], 1) if word(tokens, i) == "DISTINCTROW" else None


@replace_where
def _default_of(tokens: Tokens, i: int) -> Replacement | None:
    """``VALUES (1, DEFAULT(b))``: the default of a column is a constant, whatever the column holds."""
    if not at_words(tokens, i, "DEFAULT", "("):
        return None
    end = name_end(tokens, i + 2)
    return ([like(tokens[i], TokenType.STRING, "")], end + 1 - i) if word(tokens, end) == ")" else None


MYSQL: tuple[Rule, ...] = (
    _default_of,
    _distinct_rows,
    drop_where(_modifiers),
    _deleted_star,
    _into_variables,
    _assignment,
    _table_alias,
    drop_where(_label),
    drop_where(_deleted_partition),
    drop_where(_separator),
)
