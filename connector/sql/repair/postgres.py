"""Rules for PostgreSQL, its relatives and Vertica."""

from __future__ import annotations

from sqlglot.tokenizer_core import TokenType

from connector.sql.recovery.vocabulary import TYPE_TOKENS
from connector.sql.repair.tools import OPERANDS, Rule, at_words, find_word, name_end, unqualified_columns, whole_table
from connector.sql.words import (
    NAMES,
    STRINGS,
    Replacement,
    Tokens,
    closing,
    drop_where,
    like,
    opening,
    replace_where,
    select_all,
    word,
)


def _overriding(tokens: Tokens, i: int) -> int:
    """``INSERT … OVERRIDING SYSTEM VALUE``."""
    return 3 if word(tokens, i) == "OVERRIDING" and word(tokens, i + 2) == "VALUE" else 0


def _inserted_element(tokens: Tokens, i: int) -> int:
    """``INSERT INTO t (a, l[1], l[2:3])``: elements of a column."""
    if tokens[i].token_type is not TokenType.L_BRACKET or word(tokens, i - 1) in ("(", ","):
        return 0
    around = opening(tokens, i)
    start = around - 1
    while start > 0 and (tokens[start].token_type in NAMES or word(tokens, start) == "."):
        start -= 1
    return closing(tokens, i) + 1 - i if start < around - 1 and word(tokens, start) == "INTO" else 0


def _unicode_name(tokens: Tokens, i: int) -> int:
    """``U&"…" UESCAPE '!'``: the escaped name as written."""
    if at_words(tokens, i, "U", "&") and tokens[min(i + 2, len(tokens) - 1)].token_type is TokenType.IDENTIFIER:
        return 2
    return 2 if word(tokens, i) == "UESCAPE" else 0


def _lenient_cast(tokens: Tokens, i: int) -> int:
    """``a::!INT``: a cast that gives NULL where it fails."""
    before = i > 0 and tokens[i - 1].token_type is TokenType.DCOLON
    return 1 if before and tokens[i].token_type is TokenType.NOT else 0


@replace_where
def _join_kinds(tokens: Tokens, i: int) -> Replacement | None:
    """The plan's ``NULLAWARE ANTI JOIN`` and ``SEMIALL JOIN``."""
    if word(tokens, i) == "SEMIALL":
        return [like(tokens[i], TokenType.SEMI, "SEMI")], 1
    return ([], 1) if word(tokens, i) == "NULLAWARE" else None


@replace_where
def _unnest_in_group(tokens: Tokens, i: int) -> Replacement | None:
    """``FROM (unnest(a) x JOIN t ON …)``: the grammar takes any function there but this one."""
    if tokens[i].token_type is not TokenType.UNNEST or word(tokens, i - 1) != "(":
        return None
    return [like(tokens[i], TokenType.VAR, tokens[i].text)], 1


def _join_alias(tokens: Tokens) -> Tokens:
    """``JOIN u USING (k) AS j``: ``j.k`` is the column that both sides share."""
    left: Tokens = []
    names: set[str] = set()
    i = 0
    while i < len(tokens):
        if tokens[i].token_type is TokenType.USING and word(tokens, i + 1) == "(":
            end = closing(tokens, i + 1)
            left += tokens[i : end + 1]
            i = end + 1
            if i + 1 < len(tokens) and tokens[i].token_type is TokenType.ALIAS:
                names.add(tokens[i + 1].text.lower())
                i += 2
            continue
        left.append(tokens[i])
        i += 1
    if not names:
        return tokens

    def qualifier(found: Tokens, at: int) -> int:
        dot = at + 1 < len(found) and found[at + 1].token_type is TokenType.DOT
        return 2 if dot and found[at].text.lower() in names else 0

    return drop_where(qualifier)(left)


@replace_where
def _array_type(tokens: Tokens, i: int) -> Replacement | None:
    """``a::oid[]``: an array of a type that the grammar does not know counts as one of texts."""
    if not i or tokens[i - 1].token_type is not TokenType.DCOLON or word(tokens, i + 1) != "[":
        return None
    if tokens[i].token_type in TYPE_TOKENS and tokens[i].token_type is not TokenType.OBJECT_IDENTIFIER:
        return None
    return [like(tokens[i], TokenType.TEXT, "TEXT")], 1


def _sort_operator(tokens: Tokens, i: int) -> int:
    """``ORDER BY a USING >``, ``USING OPERATOR(s.<^)``: how values are compared, which is no data."""
    if word(tokens, i) != "USING" or i + 1 >= len(tokens):
        return 0
    if at_words(tokens, i + 1, "OPERATOR", "("):
        return closing(tokens, i + 2) + 1 - i
    end = i + 1
    while end < len(tokens) and tokens[end].text and all(sign in "<>=~!@#%^&|*/+-" for sign in tokens[end].text):
        end += 1
    return end - i if end > i + 1 else 0


def _values_in_update(tokens: Tokens) -> Tokens:
    """``UPDATE … FROM (VALUES …) AS v (a, b), s``: the grammar ends FROM after VALUES, unless it stands last."""
    start = find_word(tokens, 1, "FROM") if tokens[0].token_type is TokenType.UPDATE else -1
    if start < 0 or not at_words(tokens, start + 1, "(", "VALUES"):
        return tokens
    name = closing(tokens, start + 1) + 1
    name += word(tokens, name) == "AS"
    end = closing(tokens, name + 1) + 1 if word(tokens, name + 1) == "(" else name + 1
    if word(tokens, end) != ",":
        return tokens
    behind = find_word(tokens, end, "WHERE", "RETURNING")
    behind = behind if behind >= 0 else len(tokens)
    if find_word(tokens, end, "LATERAL") < 0:
        return [
            *tokens[: start + 1],
            *tokens[end + 1 : behind],
            tokens[end],
            *tokens[start + 1 : end],
            *tokens[behind:],
        ]
    # What is lateral reads the rows of VALUES and has to come after them: a query may stand first.
    here = tokens[start + 1]
    return [
        *tokens[: start + 1],
        like(here, TokenType.L_PAREN, "("),
        *select_all(here),
        *tokens[start + 1 : end],
        like(tokens[end - 1], TokenType.R_PAREN, ")"),
        like(tokens[end - 1], TokenType.ALIAS, "AS"),
        tokens[name],
        *tokens[end:],
    ]


def _model(tokens: Tokens) -> Tokens:
    """Redshift: ``CREATE MODEL m FROM table | (query) TARGET …`` is a model made of the rows of a query."""
    if not at_words(tokens, 0, "CREATE", "MODEL"):
        return tokens
    start = find_word(tokens, 2, "FROM")
    if start < 0 or start + 1 >= len(tokens) or tokens[start + 1].token_type in STRINGS:
        return tokens
    if word(tokens, start + 1) == "(":
        query = tokens[start + 2 : closing(tokens, start + 1)]
    else:
        query = whole_table([tokens[start], *tokens[start + 1 : name_end(tokens, start + 1)]])
    model = like(tokens[1], TokenType.MODEL, tokens[1].text)
    return [tokens[0], model, *tokens[2:start], like(tokens[start], TokenType.ALIAS, "AS"), *query]


def _renamed_versions(tokens: Tokens) -> Tokens:
    """``RETURNING WITH (OLD AS o, NEW AS n) o.a, n.b``: other names for the row before and after."""
    i = next((i for i in range(len(tokens)) if at_words(tokens, i, "RETURNING", "WITH", "(")), -1)
    if i < 0:
        return tokens
    end = closing(tokens, i + 2)
    versions = {
        word(tokens, at + 2): tokens[at]
        for at in range(i + 3, end)
        if word(tokens, at) in ("OLD", "NEW") and word(tokens, at + 1) == "AS"
    }
    left = tokens[: i + 1]
    for at in range(end + 1, len(tokens)):
        version = versions.get(word(tokens, at)) if word(tokens, at + 1) == "." != word(tokens, at - 1) else None
        left.append(tokens[at] if version is None else like(tokens[at], TokenType.VAR, version.text))
    return left


@replace_where
def _selected_conflict(tokens: Tokens, i: int) -> Replacement | None:
    """``ON CONFLICT (k) DO SELECT FOR UPDATE WHERE … RETURNING …``: the row that is there stays as it is."""
    if word(tokens, i) != "SELECT" or word(tokens, i - 1) != "DO":
        return None
    end = find_word(tokens, i, "RETURNING")
    return [like(tokens[i], TokenType.VAR, "NOTHING")], (end if end > 0 else len(tokens)) - i


def _collation(tokens: Tokens, i: int) -> int:
    """``COLLATION FOR (a)`` is a function."""
    return 1 if word(tokens, i) == "FOR" and word(tokens, i - 1) == "COLLATION" and word(tokens, i + 1) == "(" else 0


_LITERAL_TYPES = frozenset(
    """
    BOX CIDR CIRCLE GEOGRAPHY GEOMETRY HSTORE INET JSONPATH LINE LQUERY LSEG LTREE MACADDR MACADDR8 PG_LSN POINT POLYGON
    REGCLASS REGTYPE TSQUERY TSVECTOR
    """.split()
)


def _literal_type(tokens: Tokens, i: int) -> int:
    """``point '(1,2)'``: a constant of a type that the grammar does not know as such."""
    if word(tokens, i) not in _LITERAL_TYPES or i + 1 == len(tokens) or tokens[i + 1].token_type not in STRINGS:
        return 0
    return 1 if i and tokens[i - 1].token_type not in OPERANDS else 0


POSTGRES: tuple[Rule, ...] = (
    drop_where(_overriding),
    drop_where(_inserted_element),
    unqualified_columns(0),
    drop_where(_sort_operator),
    _values_in_update,
    drop_where(_unicode_name),
    _unnest_in_group,
    _join_alias,
    _array_type,
    _renamed_versions,
    _selected_conflict,
    drop_where(_literal_type),
    drop_where(_collation),
)


def _subscript(tokens: Tokens, i: int) -> int:
    """``FROM t, UNPIVOT t.objects[0] AS v AT k``: one element of the same column."""
    if tokens[i].token_type is not TokenType.L_BRACKET:
        return 0
    start = i - 1
    while start > 0 and (tokens[start].token_type in NAMES or word(tokens, start) == "."):
        start -= 1
    return closing(tokens, i) + 1 - i if word(tokens, start) == "UNPIVOT" else 0


REDSHIFT: tuple[Rule, ...] = (_model, drop_where(_subscript))


def _into_temporary(tokens: Tokens, i: int) -> int:
    """Vertica: ``SELECT … INTO LOCAL TEMP TABLE t ON COMMIT PRESERVE ROWS FROM …``: for whom, and how long the rows stay."""
    if word(tokens, i - 1) == "INTO" and word(tokens, i) in ("LOCAL", "GLOBAL"):
        return 1 if word(tokens, i + 1) in ("TEMP", "TEMPORARY") else 0
    if not at_words(tokens, i, "ON", "COMMIT") or word(tokens, i + 2) not in ("PRESERVE", "DELETE"):
        return 0
    return 4 if word(tokens, i + 3) == "ROWS" and tokens[0].token_type in (TokenType.SELECT, TokenType.WITH) else 0


def _column_storage(tokens: Tokens, i: int) -> int:
    """Vertica: ``CREATE TABLE t AS SELECT a ENCODING RLE ACCESSRANK 5``: how a column is kept."""
    if word(tokens, i) not in ("ENCODING", "ACCESSRANK"):
        return 0
    return 2 if word(tokens, i + 2) in (",", "FROM", ")", "ENCODING", "ACCESSRANK") else 0


def _parameters(tokens: Tokens, i: int) -> int:
    """``f(a USING PARAMETERS model_name='m')``: constants for a function of Vertica."""
    if not at_words(tokens, i, "USING", "PARAMETERS"):
        return 0
    around = opening(tokens, i)
    return closing(tokens, around) - i if around > 0 else 0


VERTICA: tuple[Rule, ...] = (
    drop_where(_parameters),
    drop_where(_lenient_cast),
    _join_kinds,
    drop_where(_into_temporary),
    drop_where(_column_storage),
)
