"""Words that vendors use between names, and that are therefore not columns."""

from __future__ import annotations

from sqlglot.parser import Parser
from sqlglot.tokenizer_core import TokenType

VERBS = frozenset({TokenType.SELECT, TokenType.INSERT, TokenType.UPDATE, TokenType.DELETE, TokenType.MERGE})

CONDITIONS = frozenset(
    {
        TokenType.WHERE,
        TokenType.HAVING,
        TokenType.QUALIFY,
        TokenType.ON,
        TokenType.CONNECT_BY,
        TokenType.START_WITH,
        TokenType.PREWHERE,
    }
)
LISTS = frozenset(
    {
        TokenType.SELECT,
        TokenType.GROUP_BY,
        TokenType.ORDER_BY,
        TokenType.SORT_BY,
        TokenType.CLUSTER_BY,
        TokenType.DISTRIBUTE_BY,
        TokenType.PARTITION_BY,
        TokenType.RETURNING,
        TokenType.SET,
        TokenType.WINDOW,
    }
)
SOURCES = frozenset(
    {
        TokenType.FROM,
        TokenType.JOIN,
        TokenType.STRAIGHT_JOIN,
        TokenType.APPLY,
        TokenType.INTO,
        TokenType.UPDATE,
        TokenType.USING,
    }
)
_OTHERS = frozenset(
    {
        TokenType.LIMIT,
        TokenType.FETCH,
        TokenType.OFFSET,
        TokenType.UNION,
        TokenType.EXCEPT,
        TokenType.INTERSECT,
        TokenType.VALUES,
        TokenType.INSERT,
        TokenType.DELETE,
        TokenType.MERGE,
        TokenType.WITH,
        TokenType.WHEN,
        TokenType.THEN,
        TokenType.PIPE_GT,
    }
)
CLAUSES = CONDITIONS | LISTS | SOURCES | _OTHERS
"""What begins a clause, or ends the one before it."""

TYPE_TOKENS = frozenset(Parser.TYPE_TOKENS) - {TokenType.IDENTIFIER}
"""The names of types that the grammar knows."""

JOINING = frozenset(
    {
        TokenType.LEFT,
        TokenType.RIGHT,
        TokenType.FULL,
        TokenType.INNER,
        TokenType.CROSS,
        TokenType.NATURAL,
        TokenType.OUTER,
        TokenType.ASOF,
        TokenType.SEMI,
        TokenType.ANTI,
    }
)
"""What stands before JOIN."""

VOCABULARY = frozenset(
    """
    ABSENT ACCURACY AFTER AGAINST ALL ALLOCATION ALLOW ALWAYS ANALYSE ANALYZE AND ANY ARRAY AS ASC ASOF AT AUTO AUTOMATIC BEFORE
    BEGIN BERNOULLI BEST BETWEEN BINARY BLOCK BOOLEAN BOTH BROADCAST BROWSE BUCKET BUCKETS BY CACHE CASE CASESPECIFIC CHARACTER
    CHECK CLUSTER COLLATE COLUMN COLUMNS COMMIT COMPACT COMPUTE CONCAT CONDITIONAL CONSTRAINT CONTAINS CONTENT CONVERSION COST CS
    COUNT CROSS CUBE CURRENT CYCLE DATA DATE DAY DAYS DEFAULT DEFINE DEPTH DESC DESCRIPTOR DETERMINISTIC DIMENSION DISTINCT
    DISTRIBUTED DOCUMENT EACH ELSE EMITS EMPTY END EPOCH EQUALS ERROR ERRORS ESCAPE EVENT EVERY EXCEPT EXCLUDE EXISTS EXPAND
    EXPANSION FACTS FALSE FETCH FILL FILTER FINAL FIRST FOLLOWING FOR FORCE FORCESCAN FORCESEEK FORMAT FRAME FROM FULL FULLTEXT FUZZY GAP GLOB
    GLOBAL GROUP GROUPS HASH HAVING HIGH HINT HOLDLOCK HOUR HOURS IGNORE ILIKE IMMEDIATE IN INCLUDE INCREMENT INDENT INDEX
    INDICATOR INNER INPUT INTERPOLATE INTERSECT INTERVAL INTO INVALID IS ISNULL ISOLATION ITERATE JOIN JSON KEEP KEY KEYS KSAFE
    LABEL LANGUAGE LAST LATIN LAX LATERAL LATEST LEADING LEAST LEFT LEVEL LIKE LIMIT LINEAR LOCAL LOCATION LOCK LOCKED LOG LOW LOWER
    MAIN MAPPING MASTER MATCH MATCHED MATCHES MATERIALIZED MEASURES MEETS MEMBER METRICS MICROSECOND MICROSECONDS MINUS MINUTE MINUTES
    MODE MODEL MONTH MONTHS MULTISET NAMED NANOSECOND NATURAL NAV NESTED NEXT NOCYCLE NOLOCK NONSEQUENCED NORMALIZE NORMALIZED
    NOT NOTHING NOTNULL NOWAIT NULL NULLAWARE NULLS OF OFFSET OMIT ON ONE ONLY OPTION OPTIMIZE OPTIONS OR ORDER ORDINALITY OTHERS OUT
    OUTER OVER OVERFLOW OVERLAPS OVERLAY OVERRIDING PARAMETERS PARTITION PARTITIONS PASSING PAST PATH PATTERN PER PERCENT
    PERIOD PERMUTE PLACING PLUS PORTION POSITION PRECEDES PRECEDING PREFERRING PREFETCH PREVIOUS PRIMARY PRIOR PRUNE
    QUALIFY QUARTER QUERY QUOTES RANDOMIZED RANGE READ RECURSIVE REFERENCE REGEXP REJECT REPEATABLE REPLACE REPLICATED RESAMPLE
    RESET RESPECT RETURN RETURNING RETURNS RIGHT RLIKE ROLLUP ROW ROWS RULES SAMPLE SCALAR SCATTER SCHEMA SCN SEARCH SECOND
    SECONDS SEED SEGMENTED SELECT SEMI SEPARATOR SEQUENCED SEQUENTIAL SERIES SET SETS SETTINGS SHARE SHOW SIBLING SIBLINGS SIMILAR SINGLE SIZE SKIP
    SNAPSHOT SOME SORT SOUNDS SOURCE START STEP STRATIFY STREAM STRICT STRING SUBSET SUCCEEDS SYSTEM SYSTEM_TIME SYSTEM_VERSION TABLE TABLESAMPLE
    TABLET TEXT THEN TIES TIME TIMESERIES TIMESTAMP TITLE TO TOP TRAILING TRUE TRUNCATE UC UNBOUNDED UNCOMMITTED
    UNCONDITIONAL UNION UNIQUE UNKNOWN UNMATCHED UNPIVOT UNTIL UPDATE UPDATED UPSERT USE USER USING VALID VALIDTIME VIEW
    VALUE VALUES VARIADIC VERSION VERSIONS VIRTUAL WAIT WEEK WEEKS WELLFORMED WHEN WHERE WHILE WINDOW WITH WITHIN WITHOUT WRAPPER XML
    YEAR YEARS ZONE
    """.split()
)
"""Words of clauses. Next to another word they are no names; by themselves they may be."""

_STRUCTURE = (
    "SELECT",
    "FROM",
    "WHERE",
    "GROUP",
    "ORDER",
    "HAVING",
    "JOIN",
    "LEFT",
    "RIGHT",
    "INNER",
    "OUTER",
    "UNION",
    "INSERT",
    "UPDATE",
    "DELETE",
    "MERGE",
    "VALUES",
    "INTO",
    "USING",
    "LIMIT",
    "CREATE",
    "TABLE",
    "VIEW",
)


def misspelled(word: str) -> str | None:
    """The word of the grammar that was probably meant by one that is none: ``SELCT``, ``FORM``, ``JION``."""
    word = word.upper()
    if word in VOCABULARY or word in _STRUCTURE or not 3 <= len(word) <= 8 or not word.isalpha():
        return None
    return next(
        (
            meant
            for meant in _STRUCTURE
            if word[0] == meant[0] and not _inflects(word, meant) and _one_slip(word, meant)
        ),
        None,
    )


def _inflects(word: str, meant: str) -> bool:
    """``orders``, ``groups``, ``views``, ``deleted``: another form of the word, which many tables are called."""
    return word[:-1] == meant and word[-1] != meant[-1]


def _one_slip(word: str, meant: str) -> bool:
    """Whether one letter too many, too few, wrong or swapped with its neighbour is all that differs."""
    if len(word) == len(meant):
        differ = [i for i in range(len(word)) if word[i] != meant[i]]
        if len(differ) == 1:
            return len(word) > 4
        return (
            len(differ) == 2
            and differ[1] == differ[0] + 1
            and word[differ[0]] == meant[differ[1]]
            and word[differ[1]] == meant[differ[0]]
        )
    short, long = sorted((word, meant), key=len)
    if len(long) != len(short) + 1 or len(short) < 3:
        return False
    return any(long[:i] + long[i + 1 :] == short for i in range(len(long)))
