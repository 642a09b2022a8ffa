"""Finds the boundaries of statements in the tokens, and cuts there.

Query logs and scripts from clients that send one statement at a time often have no semicolons. There, a statement is taken
to begin only where nothing else can be meant: at the start of a line, outside parentheses, with the words that only a statement
begins with, after something that is complete.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Iterator
from itertools import compress

from sqlglot.tokenizer_core import Token, TokenType

from connector.sql.blocks import BODY_STARTS, body_end
from connector.sql.client_commands import Cleared
from connector.sql.dialects import SqlDialect
from connector.sql.families import Family
from connector.sql.recovery.vocabulary import TYPE_TOKENS
from connector.sql.tsql_batches import batch_statements
from connector.sql.words import CLOSING, COMMANDS, OPENING, TRANSACTION_WORDS, first_on_line, last_on_line, word

WATCHED = frozenset(
    {
        TokenType.SEMICOLON,
        TokenType.SELECT,
        TokenType.INSERT,
        TokenType.UPDATE,
        TokenType.DELETE,
        TokenType.MERGE,
        TokenType.CREATE,
        TokenType.DROP,
        TokenType.ALTER,
        TokenType.TRUNCATE,
        TokenType.ANALYZE,
        TokenType.COMMENT,
        TokenType.COMMIT,
        TokenType.GRANT,
        TokenType.ROLLBACK,
        TokenType.SHOW,
    }
)
"""Tokens that end a statement or may begin one."""

_OBJECTS = frozenset("TABLE VIEW DATABASE SCHEMA INDEX SEQUENCE PROCEDURE FUNCTION MACRO".split())
_FOLLOWING: dict[str, frozenset[str]] = {
    "INSERT": frozenset({"INTO", "OVERWRITE"}),
    "MERGE": frozenset({"INTO"}),
    "DELETE": frozenset({"FROM"}),
    "TRUNCATE": frozenset({"TABLE"}),
    "ANALYZE": frozenset({"TABLE"}),
    "COMMENT": frozenset({"ON"}),
    "SHOW": frozenset({"TABLES", "PARTITIONS", "CREATE"}),
    "DROP": _OBJECTS,
    "ALTER": _OBJECTS,
    "CREATE": _OBJECTS
    | frozenset(
        """
        OR TEMPORARY TEMP EXTERNAL MATERIALIZED VOLATILE MULTISET SET GLOBAL TRANSIENT UNIQUE UNLOGGED EXTENSION ROLE USER TYPE
        """.split()
    ),
}
_COMPLETE = (TYPE_TOKENS - {TokenType.UNION}) | frozenset(
    {
        TokenType.VAR,
        TokenType.IDENTIFIER,
        TokenType.NUMBER,
        TokenType.STRING,
        TokenType.R_PAREN,
        TokenType.END,
        TokenType.NULL,
        TokenType.STAR,
        TokenType.ASC,
        TokenType.DESC,
        TokenType.TRUE,
        TokenType.FALSE,
        TokenType.COMMIT,
        TokenType.ROLLBACK,
    }
)
"""Tokens with which a statement may end."""
_AWAITS_QUERY = frozenset({TokenType.INSERT, TokenType.WITH, TokenType.CREATE})
_OPEN_WORDS = frozenset("DO THEN ALSO INSTEAD NOTHING IGNORE MINUS ATOMIC LOOP CORRESPONDING".split())
_INTERRUPTIBLE = COMMANDS | set("SELECT SEL INSERT INS UPDATE UPD DELETE DEL MERGE CREATE ALTER WITH".split())
_DEFINES_DATA = frozenset("TABLE VIEW DATABASE SCHEMA INDEX SEQUENCE EXTENSION ROLE USER TYPE SYNONYM".split())


def begins_anew(
    tokens: list[Token], kinds: list[TokenType], marks: list[int], start: int, i: int, queried: bool
) -> bool:
    """Whether the token at `i` begins a statement although the one that began at `start` has not been ended.

    `kinds` are the types of the tokens, `marks` the places of brackets, SELECT and FROM (and of others).
    `queried` says whether a SELECT stands between the two; the first one is nearly always what a statement waits for.
    """
    before = kinds[i - 1]
    if before not in _COMPLETE or tokens[i - 1].line >= tokens[i].line:
        return False
    if word(tokens, i - 1) == "NAME" and word(tokens, i - 2) == "BY":
        # UNION ALL BY NAME
        return False
    opening = kinds[start]
    if not queried and opening in _AWAITS_QUERY and kinds[i] is TokenType.SELECT:
        # Only the rows of VALUES can have been it instead.
        if opening is not TokenType.INSERT or before is not TokenType.R_PAREN:
            return False
    verb = word(tokens, start)
    if verb == "BEGIN" and word(tokens, start + 1) in TRANSACTION_WORDS:
        verb = "START"
    if verb not in _INTERRUPTIBLE or word(tokens, i - 1) in _OPEN_WORDS or not _has_words_of_a_statement(tokens, i):
        return False
    current = word(tokens, i)
    if verb == "ALTER" and current in ("DROP", "ALTER", "CREATE", "TRUNCATE", "GRANT"):
        # ALTER TABLE t DROP INDEX i, ALTER DEFAULT PRIVILEGES GRANT …
        return word(tokens, i + 1) == "TABLE"
    if verb == "CREATE" and (
        word(tokens, start + 1) == "SCHEMA"
        or not any(word(tokens, j) in _DEFINES_DATA for j in range(start + 1, start + 7))
    ):
        # What a schema is created with belongs to it.
        return False
    return _is_complete(tokens, kinds, marks, start, i, verb, current)


def _has_words_of_a_statement(tokens: list[Token], i: int) -> bool:
    current = word(tokens, i)
    if current in ("SELECT", "SEL", "GRANT"):
        return True
    if current in ("COMMIT", "ROLLBACK"):
        return last_on_line(tokens, i) or word(tokens, i + 1) in (";", "WORK", "TRANSACTION")
    if current == "UPDATE":
        ahead = [word(tokens, j) for j in range(i + 2, i + 9)]
        return "SET" in (ahead[: ahead.index(";")] if ";" in ahead else ahead)
    return word(tokens, i + 1) in _FOLLOWING.get(current, ())


def _has_several_targets(tokens: list[Token], start: int) -> bool:
    """``INSERT [OVERWRITE] ALL | FIRST …``: the query comes after all the targets and their VALUES."""
    behind = start + 1
    while word(tokens, behind) == "OVERWRITE" or tokens[behind].token_type is TokenType.HINT:
        behind += 1
    return word(tokens, behind) in ("ALL", "FIRST")


def _is_complete(
    tokens: list[Token], kinds: list[TokenType], marks: list[int], start: int, i: int, verb: str, current: str
) -> bool:
    """Whether all parentheses are closed before `i` and the verb at `start` has got what it needs."""
    depth = 0
    queries = verb in ("SELECT", "SEL")
    reads = False
    # The word VALUES, which only INSERT is interested in, is not among the marks.
    looked_at = range(start, i) if verb == "INSERT" else marks[bisect_left(marks, start) : bisect_left(marks, i)]
    for j in looked_at:
        kind = kinds[j]
        if kind in OPENING:
            depth += 1
        elif kind in CLOSING:
            depth -= 1
        elif not depth:
            if kind is TokenType.SELECT:
                queries = True
            elif kind is TokenType.FROM:
                reads = True
                if not queries and verb == "WITH":
                    # Hive: one source and several inserts
                    return False
            elif verb == "INSERT" and word(tokens, j) == "VALUES" and not _has_several_targets(tokens, start):
                queries = reads = True
    if depth:
        return False
    if current in ("SELECT", "SEL"):
        # A query may be what the statement is still waiting for.
        return (queries and reads) or verb in ("UPDATE", "DELETE") or verb in COMMANDS
    return queries or verb not in ("WITH", "INSERT")


Piece = tuple[int, int, int]
"""First token, token after the last, and the offset after the terminator (0: there is none)."""

_SEMICOLON = TokenType.SEMICOLON
_SELECT = TokenType.SELECT
_COMMAND = TokenType.COMMAND
_SLASH = TokenType.SLASH
_BEGINNINGS = frozenset(
    {
        TokenType.ALTER,
        TokenType.BEGIN,
        TokenType.COMMAND,
        TokenType.COMMENT,
        TokenType.COMMIT,
        TokenType.CREATE,
        TokenType.DECLARE,
        TokenType.DELETE,
        TokenType.DROP,
        TokenType.EXECUTE,
        TokenType.GRANT,
        TokenType.INSERT,
        TokenType.LT,
        TokenType.MERGE,
        TokenType.REVOKE,
        TokenType.ROLLBACK,
        TokenType.SELECT,
        TokenType.SET,
        TokenType.SLASH,
        TokenType.TRUNCATE,
        TokenType.UPDATE,
        TokenType.WITH,
    }
)
"""Tokens that begin a statement and follow no division sign."""
_BEGINNING_WORDS = frozenset(
    "DECLARE BEGIN CALL EXEC EXECUTE REPLACE RENAME ANALYZE LOCK PURGE AUDIT EXPLAIN USE".split()
)
"""The same, where the tokenizer has no type for them."""
_LEFT_DELIMITERS = frozenset({"~", "/", "//", "$$", "|", "||", "\\"})
"""What MySQL scripts end routines with; some of them lost the DELIMITER command that said so."""


def cut(
    tokens: list[Token], kinds: list[TokenType], marks: list[int], dialect: SqlDialect, cleared: Cleared
) -> Iterable[Piece]:
    """The statements of a token list, in order.

    `kinds` are the types of the tokens, `marks` the places of those that are watched or tell the structure.
    """
    borders = _line_terminators(tokens, kinds, dialect, cleared.text)
    batch = _batch_t_sql if dialect.family.batches else _batch
    if tokens and not (borders or cleared.breaks or cleared.bodies):
        return batch(tokens, kinds, marks, 0, len(tokens), dialect)
    pieces: list[Piece] = []
    for start, stop in _batches(tokens, borders, cleared):
        if cleared.bodies and cleared.in_body(tokens[start].start):
            pieces.extend(_whole(tokens, start, stop, dialect.family))
        else:
            pieces.extend(batch(tokens, kinds, marks, start, stop, dialect))
    return pieces


def _batches(tokens: list[Token], borders: list[tuple[int, int]], cleared: Cleared) -> Iterator[tuple[int, int]]:
    """Ranges of tokens that no statement crosses."""
    if cleared.breaks:
        starts = [token.start for token in tokens]
        borders.extend((found, found) for found in (bisect_left(starts, offset) for offset in cleared.breaks))
        borders.sort()
    start = 0
    for stop, behind in borders:
        if stop > start:
            yield start, stop
        start = max(start, behind)
    if start < len(tokens):
        yield start, len(tokens)


def _line_terminators(
    tokens: list[Token], kinds: list[TokenType], dialect: SqlDialect, text: str
) -> list[tuple[int, int]]:
    """``GO`` and ``/`` on a line of their own: the token and the one after the terminator.

    Tools that run the scripts of several databases take a slash for all of them, not for Oracle alone.
    """
    if dialect.family.batches:
        if _COMMAND in kinds:
            candidates = [i for i, kind in enumerate(kinds) if kind is _COMMAND]
            return [(i, _behind_go(tokens, i)) for i in candidates if _is_go(tokens, i)]
    elif (dialect.family.slash_lines or "\n/" in text) and _SLASH in kinds:
        candidates = [i for i, kind in enumerate(kinds) if kind is _SLASH]
        return [(i, i + 1) for i in candidates if _is_slash_line(tokens, i)]
    return []


def _is_slash_line(tokens: list[Token], i: int) -> bool:
    """A slash on its own line, unless it divides: then no statement ends before it and none begins after it."""
    if not first_on_line(tokens, i) or not last_on_line(tokens, i):
        return False
    if i == 0 or i + 1 == len(tokens):
        return True
    before, following = tokens[i - 1].token_type, tokens[i + 1]
    return before is _SEMICOLON or following.token_type in _BEGINNINGS or following.text.upper() in _BEGINNING_WORDS


def _is_go(tokens: list[Token], i: int) -> bool:
    if tokens[i].text.upper() != "GO" or not first_on_line(tokens, i):
        return False
    if last_on_line(tokens, i):
        return True
    following = tokens[i + 1].token_type
    return (following is TokenType.NUMBER or following is _SEMICOLON) and last_on_line(tokens, i + 1)


def _behind_go(tokens: list[Token], i: int) -> int:
    return i + 1 if last_on_line(tokens, i) else i + 2


def _whole(tokens: list[Token], start: int, stop: int, family: Family) -> Iterator[Piece]:
    """All of a batch whose end was announced: semicolons are inside it, except at its very end.

    Before a routine, scripts have plain statements that end with a semicolon all the same.
    """
    while (end := _plain_end(tokens, start, stop, family)) < stop:
        if end > start:
            yield start, end, tokens[end].end + 1
        start = end + 1
    span_end = 0
    while stop > start and tokens[stop - 1].token_type is _SEMICOLON:
        span_end = tokens[stop - 1].end + 1
        stop -= 1
    if stop > start:
        yield start, stop, span_end


def _plain_end(tokens: list[Token], start: int, stop: int, family: Family) -> int:
    """The semicolon that ends the statement at `start`, which has no body; `stop` if it may have one, or is the last."""
    opening = tokens[start].token_type if start < stop else _SEMICOLON
    if opening in BODY_STARTS and (opening is not TokenType.CREATE or body_end(tokens, start, stop, family) >= 0):
        return stop
    return next((i for i in range(start, stop) if tokens[i].token_type is _SEMICOLON), stop)


def _batch(
    tokens: list[Token], kinds: list[TokenType], marks: list[int], start: int, stop: int, dialect: SqlDialect
) -> Iterator[Piece]:
    """Statements that end with a semicolon or with the beginning of another, those with a body included."""
    inside = marks[bisect_left(marks, start) : bisect_left(marks, stop)]
    watched = list(compress(inside, map(WATCHED.__contains__, map(kinds.__getitem__, inside))))
    watched.append(stop)
    next_mark = 0
    i = start
    while i < stop:
        opening = kinds[i]
        if opening is _SEMICOLON:
            i += 1
            continue
        end = body_end(tokens, i, stop, dialect.family) if opening in BODY_STARTS else -1
        if end < 0:
            while watched[next_mark] <= i:
                next_mark += 1
            queried = opening is _SELECT
            end = watched[next_mark]
            while end < stop:
                kind = kinds[end]
                if kind is _SEMICOLON or begins_anew(tokens, kinds, marks, i, end, queried):
                    break
                queried = queried or kind is _SELECT
                next_mark += 1
                end = watched[next_mark]
        closed = end < stop and kinds[end] is _SEMICOLON
        last = _without_delimiter(tokens, i, end) if dialect.family.leaves_delimiters else end
        yield i, last, tokens[end].end + 1 if closed and last == end else 0
        i = end + 1 if closed else end


def _without_delimiter(tokens: list[Token], start: int, end: int) -> int:
    if tokens[start].token_type is TokenType.CREATE:
        while end - 1 > start and tokens[end - 1].text in _LEFT_DELIMITERS:
            end -= 1
    return end


def _batch_t_sql(
    tokens: list[Token], kinds: list[TokenType], marks: list[int], start: int, stop: int, dialect: SqlDialect
) -> Iterator[Piece]:
    for first, end in batch_statements(tokens, kinds, start, stop):
        last = end
        while last > first and kinds[last - 1] is _SEMICOLON:
            last -= 1
        if last > first:
            closed = last < stop and kinds[last] is _SEMICOLON
            yield first, last, tokens[last].end + 1 if closed else 0
