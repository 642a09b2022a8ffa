"""Rules for syntax that several dialects share, keywords of two words, and options behind a statement."""

from __future__ import annotations

from functools import cache

from sqlglot.tokenizer_core import Token, TokenType

from connector.sql.dialects import SqlDialect
from connector.sql.repair.json import JSON
from connector.sql.repair.tools import at_words, find_word, name_end, unqualified_columns, whole_table
from connector.sql.words import LITERALS, Tokens, closing, drop_where, like, select_all, word

_NAME_TYPES = frozenset({TokenType.VAR, TokenType.IDENTIFIER})


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


def _character_set(tokens: Tokens, i: int) -> int:
    """``CAST(x AS VARCHAR(50) CHARACTER SET LATIN NOT CASESPECIFIC)``: how the text is kept."""
    if at_words(tokens, i, "CHARACTER", "SET"):
        return 3
    if word(tokens, i) == "CHARACTER SET":
        return 2
    if at_words(tokens, i, "NOT", "CASESPECIFIC"):
        return 2
    return 0


def _next_value(tokens: Tokens) -> Tokens:
    """``NEXT VALUE FOR sequence``: a sequence is no data that anybody follows; a number stands for it."""
    if not any(at_words(tokens, i, "VALUE", "FOR") for i in range(1, len(tokens))):
        return tokens
    left: Tokens = []
    i = 0
    while i < len(tokens):
        if word(tokens, i) in ("NEXT", "PREVIOUS") and at_words(tokens, i + 1, "VALUE", "FOR"):
            left.append(like(tokens[i], TokenType.NUMBER, "1"))
            i += 4
            while i + 1 < len(tokens) and tokens[i].token_type is TokenType.DOT:
                i += 2
        else:
            left.append(tokens[i])
            i += 1
    return left


def _portion(tokens: Tokens, i: int) -> int:
    """``FOR PORTION OF period FROM a TO b``: a part of the time, of the same table."""
    if not at_words(tokens, i, "FOR", "PORTION", "OF"):
        return 0
    to = find_word(tokens, i, "TO")
    if to < 0:
        return 0
    end = find_word(tokens, to, "SET", "WHERE")
    return (end if end >= 0 else len(tokens)) - i


_PERIODS = frozenset({"SYSTEM_TIME", "BUSINESS_TIME", "APPLICATION_TIME"})


def _period(tokens: Tokens, i: int) -> int:
    """``t FOR BUSINESS_TIME FROM a TO b``: rows of some time, of the same table."""
    if word(tokens, i) != "FOR" or word(tokens, i + 1) not in _PERIODS or word(tokens, i + 2) != "FROM":
        return 0
    to = find_word(tokens, i, "TO")
    if to < 0:
        return 0
    return (closing(tokens, to + 2) + 1 if word(tokens, to + 2) == "(" else to + 2) - i


def _if_not_exists(tokens: Tokens) -> Tokens:
    """``INSERT … PARTITION (…) IF NOT EXISTS SELECT``: whether the partition is there does not change what goes in."""
    if tokens[0].token_type is not TokenType.INSERT:
        return tokens
    return drop_where(lambda found, i: 3 if at_words(found, i, "IF", "NOT", "EXISTS") else 0)(tokens)


def _own_type(tokens: Tokens) -> Tokens:
    """``CAST(x AS schema.type)``: a type of the user's counts as text."""
    left: Tokens = []
    i = 0
    while i < len(tokens):
        if (
            tokens[i].token_type is TokenType.ALIAS
            and i + 4 < len(tokens)
            and tokens[i + 2].token_type is TokenType.DOT
            and tokens[i + 4].token_type is TokenType.R_PAREN
        ):
            left += [tokens[i], like(tokens[i + 1], TokenType.TEXT, "TEXT")]
            i += 4
        else:
            left.append(tokens[i])
            i += 1
    return left if len(left) != len(tokens) else tokens


def _split_operators(tokens: Tokens) -> Tokens:
    """``< =``, ``> =`` and ``! =`` with a space between, and ``!~``."""
    joined = {
        (TokenType.LT, TokenType.EQ): (TokenType.LTE, "<="),
        (TokenType.GT, TokenType.EQ): (TokenType.GTE, ">="),
        (TokenType.NOT, TokenType.EQ): (TokenType.NEQ, "!="),
        (TokenType.NOT, TokenType.TILDE): (TokenType.NEQ, "!="),
    }
    left: Tokens = []
    i = 0
    while i < len(tokens):
        pair = joined.get((tokens[i].token_type, tokens[i + 1].token_type)) if i + 1 < len(tokens) else None
        if pair is not None and (tokens[i].token_type is not TokenType.NOT or tokens[i].text == "!"):
            left.append(like(tokens[i], *pair))
            i += 2
        else:
            left.append(tokens[i])
            i += 1
    return left if len(left) != len(tokens) else tokens


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


def _from_first(tokens: Tokens, i: int) -> int:
    """``NTH_VALUE(a, 2) FROM LAST OVER (…)``: from which end of the window is counted."""
    if word(tokens, i) != "FROM" or word(tokens, i + 1) not in ("FIRST", "LAST") or word(tokens, i - 1) != ")":
        return 0
    return 2 if word(tokens, i + 2) in ("OVER", "RESPECT", "IGNORE") else 0


def _outer_join_in_braces(tokens: Tokens) -> Tokens:
    """``FROM {OJ a LEFT OUTER JOIN b ON …}``, as ODBC writes an outer join."""
    opened = next((i for i in range(len(tokens)) if tokens[i].text == "{" and word(tokens, i + 1) == "OJ"), -1)
    if opened < 0:
        return tokens
    end = closing(tokens, opened)
    return _outer_join_in_braces([*tokens[:opened], *tokens[opened + 2 : end], *tokens[end + 1 :]])


def _subset(tokens: Tokens, i: int) -> int:
    """``SUBSET s = (a, b)`` in MATCH_RECOGNIZE: a name for several variables of the pattern."""
    if word(tokens, i) not in ("SUBSET", ",") or word(tokens, i + 2) != "=" or word(tokens, i + 3) != "(":
        return 0
    return closing(tokens, i + 3) + 1 - i if _in_subset(tokens, i) else 0


def _in_subset(tokens: Tokens, i: int) -> bool:
    """Whether the word SUBSET stands at `i`, or before the list that `i` continues."""
    while word(tokens, i) == "," and word(tokens, i - 1) == ")":
        depth = 0
        while i and (depth or word(tokens, i) != "="):
            i -= 1
            depth += (word(tokens, i) == ")") - (word(tokens, i) == "(")
        i -= 2
    return word(tokens, i) == "SUBSET"


def _restricted_cycle(tokens: Tokens, i: int) -> int:
    """MariaDB: ``CYCLE a, b RESTRICT`` behind a recursive common table expression."""
    if word(tokens, i) != "CYCLE" or word(tokens, i - 1) != ")":
        return 0
    end = i + 2
    while word(tokens, end) == ",":
        end += 2
    return end + 1 - i if word(tokens, end) == "RESTRICT" else 0


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
    opened, closed = like(here, TokenType.L_PAREN, "("), like(here, TokenType.R_PAREN, ")")
    row = [like(here, TokenType.VALUES, "VALUES"), opened, *values, closed]
    return [*tokens[:start], opened, *columns, closed, *row, *tokens[end:]]


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


_FUNCTION_VERBS = frozenset({TokenType.DELETE, TokenType.INSERT, TokenType.UPDATE, TokenType.SET, TokenType.MERGE})
_BEFORE_FUNCTION = frozenset(
    {
        TokenType.SELECT,
        TokenType.DISTINCT,
        TokenType.COMMA,
        TokenType.L_PAREN,
        TokenType.EQ,
        TokenType.NEQ,
        TokenType.LT,
        TokenType.GT,
        TokenType.PLUS,
        TokenType.DASH,
        TokenType.DPIPE,
        TokenType.WHERE,
        TokenType.AND,
        TokenType.OR,
        TokenType.NOT,
    }
)


def _verbs_as_functions(tokens: Tokens) -> Tokens:
    """``SELECT delete(h, 'a')``: a function may be called like a verb."""
    left = [
        like(token, TokenType.VAR, token.text)
        if token.token_type in _FUNCTION_VERBS
        and i
        and tokens[i - 1].token_type in _BEFORE_FUNCTION
        and word(tokens, i + 1) == "("
        else token
        for i, token in enumerate(tokens)
    ]
    return left if any(new is not old for new, old in zip(left, tokens, strict=True)) else tokens


def _values_behind_with(tokens: Tokens) -> Tokens:
    """``WITH c AS (…) VALUES (…)`` is a query over the rows of VALUES."""
    for i in range(1, len(tokens)):
        if tokens[i].token_type is not TokenType.VALUES or tokens[i - 1].token_type is not TokenType.R_PAREN:
            continue
        start = _start_of_level(tokens, i)
        if word(tokens, start) != "WITH" or 0 <= find_word(tokens, start, "SELECT", "INSERT", "UPDATE", "DELETE") < i:
            continue
        end = i + 1
        while word(tokens, end) == "(":
            end = closing(tokens, end) + 1
            if word(tokens, end) == ",":
                end += 1
        here = tokens[i]
        tail = ((TokenType.R_PAREN, ")"), (TokenType.ALIAS, "AS"), (TokenType.IDENTIFIER, "values"))
        return [
            *tokens[:i],
            *select_all(here),
            like(here, TokenType.L_PAREN, "("),
            *tokens[i:end],
            *(like(here, kind, text) for kind, text in tail),
            *_values_behind_with(tokens[end:]),
        ]
    return tokens


_BEFORE_QUERY = frozenset({"UNION", "ALL", "DISTINCT", "EXCEPT", "INTERSECT", "MINUS", "AS", "|>"})
_BEHIND_QUERY = _BEFORE_QUERY | {"", ")", ";", "ORDER BY", "LIMIT"}


def _table_queries(tokens: Tokens) -> Tokens:
    """``SELECT a FROM t UNION ALL TABLE u``: a whole table is a query."""
    left: Tokens = []
    i = 0
    while i < len(tokens):
        end = name_end(tokens, i + 1) if tokens[i].token_type is TokenType.TABLE else 0
        begins = i == 0 or word(tokens, i - 1) in _BEFORE_QUERY or _opens_query(tokens, i - 1)
        if end and begins and tokens[min(i + 1, len(tokens) - 1)].token_type in _NAME_TYPES:
            if word(tokens, end) in _BEHIND_QUERY:
                left += whole_table(tokens[i:end])
                i = end
                continue
        left.append(tokens[i])
        i += 1
    return left if len(left) != len(tokens) else tokens


def _opens_query(tokens: Tokens, i: int) -> bool:
    """Whether the parenthesis at `i` holds a query, and no arguments."""
    return word(tokens, i) == "(" and (i == 0 or tokens[i - 1].token_type not in _NAME_TYPES)


_BEHIND_VALUES = frozenset("AS INTO LIMIT OFFSET FETCH UNION EXCEPT INTERSECT MINUS RETURNING ON".split()) | {
    "ORDER BY",
    ";",
}


def _bare_values(tokens: Tokens) -> Tokens:
    """``VALUES 1, a + 2``: a row of one column needs no parentheses in Db2, Spark and Derby."""
    left: Tokens = []
    i = 0
    while i < len(tokens):
        left.append(tokens[i])
        i += 1
        if tokens[i - 1].token_type is not TokenType.VALUES or word(tokens, i) in ("(", ""):
            continue
        while True:
            end = i
            while end < len(tokens) and tokens[end].token_type not in (TokenType.COMMA, TokenType.R_PAREN):
                if word(tokens, end) in _BEHIND_VALUES:
                    break
                end = closing(tokens, end) + 1 if tokens[end].token_type is TokenType.L_PAREN else end + 1
            if end == i:
                return tokens
            row = tokens[i:end]
            if row[0].token_type is not TokenType.L_PAREN or closing(row, 0) != len(row) - 1:
                row = [like(row[0], TokenType.L_PAREN, "("), *row, like(row[-1], TokenType.R_PAREN, ")")]
            left += row
            i = end
            if word(tokens, i) != ",":
                break
            left.append(tokens[i])
            i += 1
    return left if len(left) != len(tokens) else tokens


def _fragment_of_with(tokens: Tokens) -> Tokens:
    """``name AS (SELECT …),``: common table expressions that a template puts into a statement elsewhere."""
    if not tokens or tokens[0].token_type not in (TokenType.VAR, TokenType.IDENTIFIER):
        return tokens
    if word(tokens, 1) != "AS" or word(tokens, 2) != "(" or word(tokens, 3) not in ("SELECT", "WITH"):
        return tokens
    last, end = 0, closing(tokens, 2) + 1
    while word(tokens, end) == "," and word(tokens, end + 2) == "AS" and word(tokens, end + 3) == "(":
        last, end = end + 1, closing(tokens, end + 3) + 1
    behind = tokens[end:]
    if any(token.token_type is not TokenType.COMMA for token in behind):
        return tokens
    first = tokens[0]
    return [like(first, TokenType.WITH, "WITH"), *tokens[:end], *select_all(tokens[end - 1]), tokens[last]]


def _repeated_except(tokens: Tokens) -> Tokens:
    """``* EXCEPT (a) EXCEPT (b)``, which a template with several conditions makes, is one list."""
    left: Tokens = []
    listed = False
    i = 0
    while i < len(tokens):
        if word(tokens, i) != "EXCEPT" or word(tokens, i + 1) != "(":
            left.append(tokens[i])
            listed = False
            i += 1
            continue
        end = closing(tokens, i + 1) + 1
        if listed:
            left[-1] = like(tokens[i], TokenType.COMMA, ",")
            left += tokens[i + 2 : end]
        else:
            listed = i > 0 and tokens[i - 1].token_type is TokenType.STAR
            left += tokens[i:end]
        i = end
    return left if len(left) != len(tokens) else tokens


def _start_of_level(tokens: Tokens, i: int) -> int:
    """The first token of the brackets that `i` stands in, or the word WITH that begins the query of a statement."""
    depth = 0
    found = i
    while i:
        i -= 1
        kind = tokens[i].token_type
        if kind is TokenType.R_PAREN:
            depth += 1
        elif kind is TokenType.L_PAREN:
            if not depth:
                return i + 1
            depth -= 1
        elif not depth and kind is TokenType.WITH:
            found = i
    return found


_VERSIONS = frozenset({"SYSTEM_VERSION", "SYSTEM_TIME", "VERSION", "TIMESTAMP", "TIME"})


def _version(tokens: Tokens, i: int) -> int:
    """``t FOR SYSTEM_VERSION AS OF 3``, ``FOR TIME AS OF '2024-01-01'``, ``FOR SYSTEM_TIME BEFORE …``: the same table."""
    at = i + 1
    if word(tokens, i) != "FOR" or word(tokens, at) not in _VERSIONS or i == 0:
        return 0
    behind = at + 3 if at_words(tokens, at + 1, "AS", "OF") else at + 2 if word(tokens, at + 1) == "BEFORE" else 0
    if not behind:
        return 0
    behind += word(tokens, behind) in ("TIMESTAMP", "DATE")
    return behind + 1 - i if behind < len(tokens) and tokens[behind].token_type in LITERALS else 0


def _counted_from(tokens: Tokens, i: int) -> int:
    """``NTH_VALUE(a, 2) FROM FIRST IGNORE NULLS OVER (…)``: from which end of the window the rows are counted."""
    if word(tokens, i) != "FROM" or word(tokens, i - 1) != ")" or word(tokens, i + 1) not in ("FIRST", "LAST"):
        return 0
    behind = i + 4 if word(tokens, i + 2) in ("IGNORE", "RESPECT") else i + 2
    return 2 if word(tokens, behind) == "OVER" else 0


def _pattern_words(tokens: Tokens, i: int) -> int:
    """In MATCH_RECOGNIZE: ``SUBSET u = (a, b)``, ``INITIAL PATTERN``, ``OPTIONS (…)``: which rows match, not of what."""
    if word(tokens, i) == "SUBSET" and word(tokens, i + 2) == "=":
        return max(find_word(tokens, i, "DEFINE") - i, 0)
    if word(tokens, i) in ("INITIAL", "SEEK"):
        return 1 if at_words(tokens, i + 1, "PATTERN", "(") else 0
    if at_words(tokens, i, "OPTIONS", "("):
        end = closing(tokens, i + 1) + 1
        matches = any(token.token_type is TokenType.MATCH_RECOGNIZE for token in tokens[:i])
        return end - i if matches and word(tokens, end) == ")" else 0
    return 0


def _sample_seed(tokens: Tokens, i: int) -> int:
    """``TABLESAMPLE (10) SEED (42) AS t``: which rows a sample takes."""
    seeded = word(tokens, i) in ("SEED", "REPEATABLE") and word(tokens, i - 1) == ")" and word(tokens, i + 1) == "("
    return 4 if seeded and word(tokens, i + 3) == ")" else 0


def _bracketed_hint(tokens: Tokens, i: int) -> int:
    """``JOIN [BROADCAST] t``, ``INSERT INTO t [SHUFFLE] SELECT``: how rows are sent around."""
    if tokens[i].token_type is not TokenType.L_BRACKET or word(tokens, i + 2) != "]" or i == 0:
        return 0
    hints = word(tokens, i - 1) == "JOIN" or (
        tokens[0].token_type is TokenType.INSERT and word(tokens, i + 3) == "SELECT"
    )
    return 3 if hints else 0


COMMON = (
    *JSON,
    drop_where(_version),
    drop_where(_counted_from),
    drop_where(_pattern_words),
    drop_where(_bracketed_hint),
    drop_where(_sample_seed),
    _verb,
    _model,
    _verbs_as_functions,
    _values_behind_with,
    _bare_values,
    _table_queries,
    _fragment_of_with,
    _repeated_except,
    _outer_join_in_braces,
    _insert_set,
    _signalled,
    drop_where(_from_first),
    drop_where(_subset),
    drop_where(_restricted_cycle),
    drop_where(_character_set),
    _next_value,
    drop_where(_portion),
    drop_where(_period),
    _if_not_exists,
    unqualified_columns(-1),
    _own_type,
    _split_operators,
    _returned_into,
    drop_where(_current_of),
)


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


def cut_trailing(tokens: Tokens, failed: int) -> Tokens | None:
    """The statement up to the token where the grammar gave up, when that token begins an option of the vendor."""
    if failed < 4 or _depth_at(tokens, failed) or not _is_option(tokens, failed):
        return None
    return tokens[:failed]


def _is_option(tokens: Tokens, at: int) -> bool:
    seconds = _OPTIONS.get(tokens[at].text.upper())
    if seconds is None:
        return False
    return not seconds or (at + 1 < len(tokens) and tokens[at + 1].text.upper() in seconds)


def _depth_at(tokens: Tokens, place: int) -> int:
    depth = 0
    for token in tokens[:place]:
        depth += (token.token_type is TokenType.L_PAREN) - (token.token_type is TokenType.R_PAREN)
    return depth


_BEFORE_NAME = frozenset("SELECT DISTINCT FROM JOIN INTO UPDATE TABLE WHERE AND OR ON BY SET HAVING".split()) | set(
    ",.=<>+-*/"
)
"""Words and signs behind which a name may stand."""
_BEHIND_NAME = frozenset("FROM AS WHERE AND OR ON GROUP ORDER HAVING JOIN LEFT INNER SET VALUES LIMIT UNION".split())
_BEHIND_NAME |= {"", ",", ".", ")", "=", "<", ">", "+", "-", "*", "/", "<>", "!=", "GROUP BY", "ORDER BY"}
_NO_NAMES = frozenset("SELECT FROM WHERE JOIN INTO VALUES ON AND OR NOT CASE WHEN THEN ELSE END UNION NULL".split())


def with_name(tokens: Tokens, failed: int) -> Tokens | None:
    """The tokens with the keyword that the grammar stumbled over, or the one before it, as a name where one may stand."""
    for i in (failed, failed - 1):
        if i < 1 or tokens[i].token_type in LITERALS or tokens[i].token_type in _NAME_TYPES:
            continue
        said = word(tokens, i)
        if not said.isidentifier() or said in _NO_NAMES or word(tokens, i + 1) not in _BEHIND_NAME:
            continue
        if word(tokens, i - 1) in _BEFORE_NAME:
            return [*tokens[:i], like(tokens[i], TokenType.VAR, tokens[i].text), *tokens[i + 1 :]]
    return None


_Phrases = dict[str, list[tuple[tuple[str, ...], TokenType]]]


@cache
def _phrases(dialect: SqlDialect) -> _Phrases:
    """The keywords of several words by their first, long ones first."""
    found: _Phrases = {}
    for phrase, kind in dialect.sqlglot.tokenizer_class.KEYWORDS.items():
        words = tuple(phrase.upper().split())
        if len(words) > 1 and all(word.isalpha() for word in words):
            found.setdefault(words[0], []).append((words[1:], kind))
    for phrases in found.values():
        phrases.sort(key=lambda entry: -len(entry[0]))
    return found


def join_keywords(tokens: Tokens, dialect: SqlDialect) -> Tokens:
    """The tokens with the words of each such keyword in one; the same list when there is none."""
    phrases = _phrases(dialect)
    left: Tokens = []
    i = 0
    while i < len(tokens):
        joined = _keyword(tokens, i, phrases)
        left.append(joined[0] if joined is not None else tokens[i])
        i += joined[1] if joined is not None else 1
    return left if len(left) != len(tokens) else tokens


def _keyword(tokens: Tokens, i: int, phrases: _Phrases) -> tuple[Token, int] | None:
    first = tokens[i]
    if first.token_type is TokenType.IDENTIFIER or (i and tokens[i - 1].token_type is TokenType.DOT):
        return None
    for rest, kind in phrases.get(first.text.upper(), ()):
        following = tokens[i + 1 : i + 1 + len(rest)]
        if tuple(token.text.upper() for token in following) == rest:
            last = following[-1]
            text = " ".join((first.text, *(token.text for token in following)))
            return Token(kind, text, last.line, last.col, first.start, last.end, []), 1 + len(rest)
    return None
