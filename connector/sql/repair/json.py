"""Rules for the functions of JSON, which the standard gives many clauses that change no lineage."""

from __future__ import annotations

from sqlglot.tokenizer_core import TokenType

from connector.sql.cursor import split_list
from connector.sql.repair.tools import Rule, at_words, find_word
from connector.sql.words import LITERALS, STRINGS, Replacement, Tokens, closing, drop_where, like, replace_where, word

_JSON_DEFAULTS = frozenset({"NULL", "ERROR", "ABSENT", "TRUE", "FALSE"})


def _on_empty_or_error(tokens: Tokens, i: int) -> int:
    """``NULL ON EMPTY``, ``DEFAULT 'x' ON ERROR``, ``ABSENT ON NULL``: what a JSON function gives instead of a value."""
    if word(tokens, i) in _JSON_DEFAULTS and at_words(tokens, i + 1, "ON"):
        return 3 if word(tokens, i + 2) in ("EMPTY", "ERROR", "NULL") else 0
    value = i + 2 if word(tokens, i + 1) == "-" else i + 1
    if word(tokens, i) == "DEFAULT" and value + 2 < len(tokens) and tokens[value].token_type in LITERALS:
        behind = word(tokens, value + 1) == "ON" and word(tokens, value + 2) in ("EMPTY", "ERROR")
        return value + 3 - i if behind else 0
    if word(tokens, i) == "EMPTY" and word(tokens, i + 1) in ("ARRAY", "OBJECT") and word(tokens, i + 2) == "ON":
        return 4
    return 0


def _json_wrapper(tokens: Tokens, i: int) -> int:
    """``WITH [CONDITIONAL] [ARRAY] WRAPPER``: the shape of what JSON_QUERY gives."""
    if word(tokens, i) not in ("WITH", "WITHOUT"):
        return 0
    end = i + 1
    while word(tokens, end) in ("CONDITIONAL", "UNCONDITIONAL", "ARRAY"):
        end += 1
    return end + 1 - i if word(tokens, end) == "WRAPPER" else 0


def _json_returning(tokens: Tokens, i: int) -> int:
    """``JSON_VALUE(j, '$.a' RETURNING type)``: the type does not matter. What a change returns follows no argument."""
    if word(tokens, i) != "RETURNING" or word(tokens, i - 2) != "," or tokens[i - 1].token_type not in STRINGS:
        return 0
    depth_end = i + 1
    while depth_end < len(tokens) and tokens[depth_end].token_type not in (TokenType.R_PAREN, TokenType.COMMA):
        if tokens[depth_end].token_type is TokenType.L_PAREN:
            depth_end = closing(tokens, depth_end)
        elif word(tokens, depth_end) in ("NULL", "ERROR", "DEFAULT", "ABSENT"):
            break
        depth_end += 1
    return depth_end - i


def _strictness(tokens: Tokens, i: int) -> int:
    """``IS JSON STRICT WITH UNIQUE KEYS``, ``IS JSON (LAX)``: how closely the text is looked at."""
    if word(tokens, i - 1) != "JSON" or word(tokens, i - 2) not in ("IS", "NOT"):
        return 0
    end = i
    while word(tokens, end) in ("STRICT", "LAX", "FORMAT", "OSON", "BSON", "JSON", "ALLOW", "DISALLOW", "SCALARS"):
        end += 1
    if word(tokens, end) == "(":
        return closing(tokens, end) + 1 - i
    if end > i and word(tokens, end) in ("WITH", "WITHOUT") and word(tokens, end + 1) == "UNIQUE":
        end += 3 if word(tokens, end + 2) == "KEYS" else 2
    return end - i


def _json_format(tokens: Tokens, i: int) -> int:
    """``JSON_TABLE(j FORMAT JSON, '$' TYPE(LAX) COLUMNS …)``: as what the text is read, and how closely."""
    if at_words(tokens, i, "FORMAT", "JSON"):
        return 2 if word(tokens, i + 2) in (",", ")", "COLUMNS", "PATH", "WITH", "WITHOUT", "ENCODING") else 0
    if at_words(tokens, i, "TYPE", "(") and word(tokens, i + 2) in ("LAX", "STRICT") and word(tokens, i + 3) == ")":
        return 4
    return 0


@replace_where
def _nested_path(tokens: Tokens, i: int) -> Replacement | None:
    """``NESTED '$.a[*]' COLUMNS (…)`` in JSON_TABLE: the word PATH is optional."""
    if word(tokens, i) != "NESTED" or i + 1 >= len(tokens) or tokens[i + 1].token_type not in STRINGS:
        return None
    return [tokens[i], like(tokens[i], TokenType.VAR, "PATH")], 1


def _truncated(tokens: Tokens, i: int) -> int:
    """Oracle: ``a VARCHAR2(5) PATH '$.a' TRUNCATE`` in JSON_TABLE."""
    if word(tokens, i) != "TRUNCATE":
        return 0
    return 1 if word(tokens, i - 2) == "PATH" or (word(tokens, i - 1) == ")" and word(tokens, i + 1) == "PATH") else 0


def _exists_path(tokens: Tokens, i: int) -> int:
    """``has_price INT EXISTS PATH '$.price'`` in JSON_TABLE: a column as any other."""
    return 1 if at_words(tokens, i, "EXISTS", "PATH") else 0


def _quotes(tokens: Tokens, i: int) -> int:
    """``KEEP QUOTES``, ``OMIT QUOTES ON SCALAR STRING``: the shape of a string."""
    if word(tokens, i) not in ("KEEP", "OMIT") or word(tokens, i + 1) != "QUOTES":
        return 0
    return 5 if at_words(tokens, i + 2, "ON", "SCALAR", "STRING") else 2


_PASSED_TO = frozenset({"JSON_TABLE", "JSON_VALUE", "JSON_QUERY", "JSON_EXISTS"})


@replace_where
def _passed(tokens: Tokens, i: int) -> Replacement | None:
    """``JSON_TABLE(a, '$.x' AS p PASSING b AS c COLUMNS (…) PLAN (p))``: the document is made of all values that are passed."""
    if word(tokens, i) not in _PASSED_TO or word(tokens, i + 1) != "(":
        return None
    end = closing(tokens, i + 1)
    comma = find_word(tokens, i + 2, ",")
    path = comma + 1
    if comma < 0 or path >= end or tokens[path].token_type not in STRINGS:
        return None
    behind = path + 3 if word(tokens, path + 1) == "AS" else path + 1
    passing: Tokens = []
    if word(tokens, behind) == "PASSING":
        start = behind + 1
        behind = find_word(
            tokens, start, "COLUMNS", "RETURNING", "DEFAULT", "WITH", "WITHOUT", "NULL", "ERROR", "TRUE", "FALSE"
        )
        behind = behind if 0 < behind < end else end
        passing = [token for item in split_list(tokens[start:behind]) for token in _value_of(item)]
    plan = find_word(tokens, behind, "PLAN")
    stop = plan if 0 < plan < end else end
    rest = _passed_inside(tokens[behind:stop])
    if not passing and behind == path + 1 and stop == end and rest == tokens[behind:stop]:
        return None
    here = tokens[i]
    value = tokens[i + 2 : comma]
    if passing:
        call = [like(here, TokenType.VAR, "json_with"), tokens[i + 1]]
        value = [*call, *value, *passing, like(here, TokenType.R_PAREN, ")")]
    return [*tokens[i : i + 2], *value, *tokens[comma : path + 1], *rest, tokens[end]], end + 1 - i


def _value_of(item: Tokens) -> Tokens:
    """``b AS c`` as one more argument: the value, without the name that it has in the path."""
    end = next((at for at in range(len(item)) if word(item, at) == "AS"), len(item))
    return [like(item[0], TokenType.COMMA, ","), *item[:end]] if item else []


def _passed_inside(tokens: Tokens) -> Tokens:
    """The columns of JSON_TABLE without the names of nested paths."""
    return drop_where(lambda found, i: 2 if word(found, i) == "AS" and word(found, i - 2) == "PATH" else 0)(tokens)


JSON: tuple[Rule, ...] = (
    drop_where(_quotes),
    _passed,
    _nested_path,
    drop_where(_strictness),
    drop_where(_truncated),
    drop_where(_exists_path),
    drop_where(_on_empty_or_error),
    drop_where(_json_format),
    drop_where(_json_wrapper),
    drop_where(_json_returning),
)
