"""The head of a routine: its name, its parameters, the event of a trigger, and the position of the body."""

from __future__ import annotations

from dataclasses import dataclass, field

from sqlglot.tokenizer_core import Token, TokenType

from connector.sql.cursor import TokenCursor, name_end, split_list
from connector.sql.families import FAMILIES, Family
from connector.sql.procedural.steps import Parameter
from connector.sql.words import STRINGS

_KINDS = {
    "PROCEDURE": "procedure",
    "PROC": "procedure",
    "FUNCTION": "function",
    "TRIGGER": "trigger",
    "PACKAGE": "package",
    "TYPE": "type",
    "MACRO": "macro",
    "EVENT": "event",
    "RULE": "trigger",
}
_BEFORE_KIND = frozenset(
    """
    CREATE DEFINE ALTER REPLACE OR DATA METRIC EDITIONABLE NONEDITIONABLE TEMP TEMPORARY AGGREGATE SECURE DEFINER SQL SECURITY INVOKER TABLE
    PUBLIC PRIVATE IF NOT EXISTS CONSTRAINT SPECIFIC EXTERNAL NO FORCE DBA
    """.split()
)
_MODES = {"IN": "IN", "OUT": "OUT", "INOUT": "INOUT", "OUTPUT": "OUT", "VARIADIC": "IN"}
_BODY_WORDS = frozenset(
    """
    BEGIN DECLARE RETURN SELECT INSERT UPDATE DELETE MERGE WITH SET IF CALL REPLACE WHILE LOOP REPEAT FOR CASE VALUES TRUNCATE
    BEGIN_PROC
    """.split()
)
_SPL_BODY_WORDS = _BODY_WORDS | {
    "DEFINE",
    "LET",
    "FOREACH",
    "ON",
    "EXECUTE",
    "CREATE",
    "DROP",
    "TRACE",
    "RAISE",
    "SYSTEM",
}
_QUOTING_BODY_WORDS = frozenset({"BEGIN", "DECLARE", "RETURN", "BEGIN_PROC"})
"""With what a body begins where most bodies are quoted, and other words are options."""
_TRANSITION = frozenset({"OLD", "NEW", "OLD_TABLE", "NEW_TABLE"})


@dataclass(slots=True, eq=False)
class Head:
    """What stands before the body."""

    kind: str
    """``procedure``, ``function``, ``trigger``, ``package``, ``macro``, ``event``; ``block`` for an anonymous one."""
    name: list[Token] = field(default_factory=list)
    parameters: list[Parameter] = field(default_factory=list)
    language: str = ""
    table: list[Token] = field(default_factory=list)
    """The table a trigger is on."""
    new_names: list[Token] = field(default_factory=list)
    old_names: list[Token] = field(default_factory=list)
    condition: list[Token] = field(default_factory=list)
    """The condition on which a trigger or a rule acts."""
    executes: list[Token] = field(default_factory=list)
    """The function a trigger executes."""
    result: list[Token] = field(default_factory=list)
    """The type of what a function gives back."""
    body: tuple[int, int] = (0, 0)
    """Token range of a body that is not quoted."""
    single: bool = False
    """Whether the body is one expression or query, whose value or rows are the result."""
    quoted: Token | None = None
    """The string that holds the body."""
    search_path: Token | None = None
    """The schema that the routine sets for the time it runs."""


def routine_kind(walker: TokenCursor, i: int) -> int:
    """The place of the word PROCEDURE, FUNCTION … in the CREATE at `i`, -1 when it creates something else."""
    limit = min(i + 16, walker.stop)
    quoted_owner = False
    while i < limit:
        current = walker.word_at(i)
        if current in _KINDS:
            if current == "TYPE" and walker.word_at(i + 1) != "BODY":
                return -1
            if (
                current == "EVENT"
                and walker.word_at(i + 1) in ("SESSION", "NOTIFICATION", "TABLE")
                and walker.is_name(i + 2)
            ):
                return -1
            if current == "FUNCTION" and walker.word_at(i + 1) == "MAPPING" and walker.is_name(i + 2):
                return -1
            if current == "RULE" and not walker.words(name_end(walker, i + 1), "AS", "ON"):
                return -1
            return i
        if current == "DEFINER":
            quoted_owner = True
        elif current not in _BEFORE_KIND and not (
            quoted_owner and (current in ("=", "@", "", "(", ")") or walker.is_name(i))
        ):
            return -1
        i += 1
    return -1


def family_of(tokens: list[Token], family: Family, start: int = 0, stop: int | None = None) -> Family:
    """The family that the routine at `start` belongs to: where two are known, Oracle's have IS or AS before their body."""
    if not family.oracle_routines:
        return family
    walker = TokenCursor(tokens, start, len(tokens) if stop is None else stop)
    at = routine_kind(walker, start)
    if at < 0:
        block = walker.word_at(start) == "DECLARE" and walker.word_at(start + 1) not in ("CONTINUE", "EXIT")
        return FAMILIES["plsql"] if block and walker.seek(start, "BEGIN") < walker.stop else family
    behind = walker.seek(at, "IS", "AS", "BEGIN", "RETURNS", ";")
    packaged = walker.word_at(at) == "PACKAGE"
    oracle = packaged or (walker.word_at(at) in ("PROCEDURE", "FUNCTION") and walker.word_at(behind) in ("IS", "AS"))
    return FAMILIES["plsql"] if oracle else family


def read_head(tokens: list[Token], start: int, stop: int, family: Family) -> Head | None:
    """The head of the routine that a CREATE at `start` makes; also of one inside a package, without the CREATE."""
    walker = TokenCursor(tokens, start, stop)
    at = routine_kind(walker, start)
    if at < 0:
        return None
    head = Head(_KINDS[walker.word_at(at)])
    at += 1
    if walker.word_at(at) == "BODY":
        at += 1
    if walker.words(at, "IF", "NOT", "EXISTS"):
        at += 3
    end = name_end(walker, at)
    head.name = tokens[at:end]
    at = end
    if family.batches and walker.word_at(at) == ";":
        at += 2
    if walker.words(at, "AS", "ON") and head.kind == "trigger":
        _read_rule(walker, at + 2, head)
        return head
    if head.kind == "trigger":
        _read_trigger(walker, at, head, family)
        return head
    if head.kind in ("package", "type"):
        body = walker.seek(at, "IS", "AS")
        head.body = (min(body + 1, stop), stop)
        return head
    if head.kind == "event":
        body = walker.seek(at, "DO")
        head.body = (min(body + 1, stop), stop)
        return head
    if walker.word_at(at) == "(":
        closing = walker.close(at)
        head.parameters = read_parameters(tokens[at + 1 : closing], family)
        at = closing + 1
    elif family.batches:
        behind = walker.seek(at, "AS", "WITH", "RETURNS", "FOR")
        head.parameters = read_parameters(tokens[at:behind], family)
        at = behind
    _read_rest(walker, at, head, family)
    return head


def _read_rest(walker: TokenCursor, at: int, head: Head, family: Family) -> None:
    """Between the parameters and the body: result, language, options."""
    tokens = walker.tokens
    stop = walker.stop
    if family.batches:
        if walker.word_at(at) == "RETURNS":
            end = walker.seek(at + 1, "AS", "BEGIN", "RETURN", "WITH")
            head.result = tokens[at + 1 : end]
        body = walker.seek(at, "AS", "BEGIN", "RETURN")
        if walker.word_at(body) == "AS":
            while body > at and walker.word_at(body - 1) == "EXECUTE":
                # WITH EXECUTE AS OWNER
                body = walker.seek(body + 1, "AS", "BEGIN", "RETURN")
                if walker.word_at(body) != "AS":
                    break
        if walker.word_at(body) == "AS":
            body += 1
        if walker.words(body, "EXTERNAL", "NAME"):
            # A method of an assembly.
            body = stop
        head.body = (body, stop)
        return
    quoted = _quoted_body(walker, at, head)
    if quoted is not None:
        head.quoted = quoted
        return
    if family.declares_after_is:
        if walker.word_at(at) == "RETURN":
            end = walker.seek(
                at + 1, "IS", "AS", "DETERMINISTIC", "PIPELINED", "PARALLEL_ENABLE", "RESULT_CACHE", "AUTHID"
            )
            head.result = tokens[at + 1 : end]
        body = walker.seek(at, "IS", "AS", "BEGIN")
        if walker.word_at(body) in ("IS", "AS"):
            body += 1
        if walker.word_at(body) in ("LANGUAGE", "EXTERNAL", "MLE"):
            body = stop
        head.body = (body, stop)
        return
    if walker.word_at(at) == "AS" and (
        (head.kind == "macro" and not family.statement_macros)
        or (head.kind == "function" and head.parameters and walker.word_at(at + 1) not in _BLOCK_OR_QUERY)
    ):
        _read_macro(walker, at + 1, head)
        return
    if head.kind == "macro":
        body = walker.seek(at, "AS")
        if walker.word_at(body + 1) == "(":
            head.body = (body + 2, walker.close(body + 1))
        else:
            head.body = (min(body + 1, stop), stop)
        return
    if walker.word_at(at) == "RETURN" and walker.word_at(typed := walker.seek(at + 1, "AS", "RETURN")) == "AS":
        # Vertica: RETURN INT AS BEGIN RETURN a + 1; END
        at = typed
    words = _QUOTING_BODY_WORDS if family.quotes_bodies else _SPL_BODY_WORDS if family.spl else _BODY_WORDS
    head.body = (_body_start(walker, at, words), stop)


def overloads(tokens: list[Token], family: Family) -> list[list[Token]]:
    """DuckDB: ``MACRO f(a) AS …, (a, b) AS …`` as one statement for each list of parameters."""
    walker = TokenCursor(tokens)
    at = routine_kind(walker, 0) if not family.statement_macros else -1
    if at < 0 or walker.word_at(at) != "MACRO":
        return [tokens]
    head = name_end(walker, at + 4 if walker.words(at + 1, "IF", "NOT", "EXISTS") else at + 1)
    starts = [head]
    i = head
    while i < walker.stop:
        if walker.word_at(i) == "(":
            closed = walker.close(i)
            if walker.word_at(i - 1) == "," and walker.word_at(closed + 1) == "AS":
                starts.append(i)
            i = closed
        i += 1
    ends = [*(start - 1 for start in starts[1:]), walker.stop]
    return [[*tokens[:head], *tokens[start:end]] for start, end in zip(starts, ends, strict=True)]


_BLOCK_OR_QUERY = ("", "(", "BEGIN", "DECLARE", "SELECT", "WITH")
"""What comes after AS in functions whose body is no bare expression."""


def _read_macro(walker: TokenCursor, at: int, head: Head) -> None:
    """DuckDB: `MACRO f(a) AS expression` or `AS TABLE query` is a function, and FUNCTION is another word for MACRO."""
    head.kind = "function"
    head.single = True
    stop = walker.stop
    if walker.word_at(at) == "TABLE":
        at += 1
    else:
        stop = walker.seek(at, ",", ";")
    if walker.word_at(at) == "(" and walker.close(at) == stop - 1:
        at, stop = at + 1, stop - 1
    head.body = (at, stop)


def _quoted_body(walker: TokenCursor, at: int, head: Head) -> Token | None:
    """The string after AS; notes the language on the way."""
    found = None
    result = -1
    i = at
    while i < walker.stop:
        current = walker.word_at(i)
        if current == "LANGUAGE" and not head.language:
            head.language = walker.tokens[i + 1].text.lower() if i + 1 < walker.stop else ""
        elif current in ("RETURNS", "RETURN") and result < 0:
            result = i + 1
        elif current == "SEARCH_PATH" and walker.word_at(i - 1) == "SET" and walker.word_at(i + 1) in ("=", "TO"):
            head.search_path = _first_schema(walker, i + 2)
        elif current in ("AS", "IS"):
            following = walker.tokens[i + 1] if i + 1 < walker.stop else None
            if following is not None and following.token_type in STRINGS and walker.word_at(i + 2) != ",":
                found = following
            if result > 0 and not head.result:
                head.result = walker.tokens[result:i]
        elif current in ("BEGIN", "DECLARE", "SELECT", "INSERT", "BEGIN_PROC") and found is None:
            break
        elif current == "(":
            i = walker.close(i)
        i += 1
    if result > 0 and not head.result:
        end = walker.close(result + 1) + 1 if walker.words(result, "TABLE", "(") else result + 4
        head.result = walker.tokens[result:end]
    return found


def _first_schema(walker: TokenCursor, i: int) -> Token | None:
    """The first name of a search path that is no place of the server's own."""
    while i < walker.stop:
        token = walker.tokens[i]
        if token.text and token.text.lower() not in ("$user", "pg_temp", "pg_catalog"):
            return token
        if walker.word_at(i + 1) != ",":
            break
        i += 2
    return None


def _body_start(walker: TokenCursor, at: int, words: frozenset[str]) -> int:
    """The first word that begins a statement, or the parenthesis after AS."""
    i = at
    while i < walker.stop:
        current = walker.word_at(i)
        if current == "(":
            if walker.word_at(i - 1) == "AS":
                return i
            i = walker.close(i)
        elif current in words:
            option = (
                (current == "SET" and walker.word_at(i + 1) in ("OPTION", "OPTIONS"))
                or (current == "CALL" and walker.word_at(i - 1) == "NO")
                or (current == "WITH" and walker.word_at(i + 1) in ("CONNECTION", "RESULT", "ENCRYPTION"))
                or walker.words(i, "WITH", "(")
            )
            labelled = walker.word_at(i - 1) == ":" and i - 2 >= at
            if labelled:
                return i - 2
            if not option:
                return i
        elif walker.word_at(i - 1) == "AS" and walker.is_name(i) and walker.word_at(i + 1) == ":":
            return i
        i += 1
    return walker.stop


# --- triggers ---------------------------------------------------------------------------------------------------


def _read_trigger(walker: TokenCursor, at: int, head: Head, family: Family) -> None:
    tokens = walker.tokens
    stop = walker.stop
    on = walker.seek(at, "ON")
    end = name_end(walker, on + 1)
    if walker.words(on + 1, "NESTED", "TABLE"):
        on = walker.seek(on + 1, "OF")
        end = name_end(walker, on + 1)
    scheduled = walker.word_at(on + 1) == "SCHEDULE" and walker.is_name(on + 2)
    if walker.word_at(on + 1) not in ("DATABASE", "ALL", "SCHEMA") and not scheduled:
        head.table = tokens[on + 1 : end]
    if family.batches:
        body = walker.seek(end, "AS")
        while walker.word_at(body - 1) == "EXECUTE" and body < stop:
            body = walker.seek(body + 1, "AS")
        head.body = (min(body + 1, stop), stop)
        return
    i = end
    while i < stop:
        current = walker.word_at(i)
        if current == "REFERENCING":
            i = _read_referencing(walker, i + 1, head)
            continue
        if current == "WHEN":
            # SQLite writes no parentheses.
            behind = walker.close(i + 1) + 1 if walker.word_at(i + 1) == "(" else walker.seek(i, "BEGIN")
            head.condition = tokens[i + 1 : behind]
            i = behind
            continue
        if current in ("EXECUTE", "EXEC") and walker.word_at(i + 1) in ("FUNCTION", "PROCEDURE", "PROC"):
            behind = name_end(walker, i + 2)
            head.executes = tokens[i + 2 : behind]
            head.body = (stop, stop)
            return
        if current == "COMPOUND" and walker.word_at(i + 1) == "TRIGGER":
            head.body = (i + 2, stop)
            return
        if current == "FOR" and walker.word_at(i + 1) in ("EACH", "ROW", "STATEMENT"):
            i += 3 if walker.word_at(i + 1) == "EACH" else 2
            continue
        if walker.words(i, "BEGIN", "ATOMIC", "("):
            # Teradata
            i += 2
            current = "("
        if current == "(":
            head.body = (i + 1, walker.close(i))
            return
        if current in _BODY_WORDS or (walker.word_at(i + 1) == ":" and walker.is_name(i)):
            head.body = (i, stop)
            return
        i += 1
    head.body = (stop, stop)


def _read_rule(walker: TokenCursor, at: int, head: Head) -> None:
    """PostgreSQL: ``ON INSERT TO table [WHERE …] DO [ALSO | INSTEAD] statement``, or several in parentheses."""
    to = walker.seek(at, "TO")
    end = name_end(walker, to + 1)
    head.table = walker.tokens[to + 1 : end]
    body = walker.seek(end, "DO") + 1
    if walker.word_at(end) == "WHERE":
        head.condition = walker.tokens[end + 1 : body - 1]
    if walker.word_at(body) in ("ALSO", "INSTEAD"):
        body += 1
    stop = walker.stop
    if walker.word_at(body) == "(":
        head.body = (body + 1, walker.close(body))
    else:
        head.body = (body, stop) if walker.word_at(body) in _BODY_WORDS else (stop, stop)


def _read_referencing(walker: TokenCursor, i: int, head: Head) -> int:
    """``REFERENCING NEW [ROW|TABLE] AS n OLD AS o``."""
    while walker.word_at(i) in _TRANSITION:
        names = head.new_names if walker.word_at(i).startswith("NEW") else head.old_names
        i += 1
        while walker.word_at(i) in ("ROW", "TABLE", "AS"):
            i += 1
        if walker.is_name(i):
            names.append(walker.tokens[i])
            i += 1
        if walker.word_at(i) == ",":
            i += 1
    return i


# --- parameters -------------------------------------------------------------------------------------------------


def read_parameters(tokens: list[Token], family: Family) -> list[Parameter]:
    """The parameters of a routine or cursor."""
    return [_parameter(item, family) for item in split_list(tokens)]


def _parameter(tokens: list[Token], family: Family) -> Parameter:
    walker = TokenCursor(tokens)
    at = 0
    sign = ""
    inout = ""
    if walker.word_at(at) in ("@", ":"):
        sign = walker.word_at(at)
        at += 1
    elif walker.word_at(at) in _MODES and len(tokens) > 1:
        inout = _MODES[walker.word_at(at)]
        at += 1
        if inout == "IN" and walker.word_at(at) == "OUT" and len(tokens) > at + 2:
            inout = "INOUT"
            at += 1
    name: Token | None = None
    if walker.is_name(at) and (at + 1 < len(tokens) or not family.unnamed_parameters):
        if walker.word_at(at + 1) not in ("(", "[", ".") or family.batches:
            name = tokens[at]
            at += 1
    if not inout and walker.word_at(at) in _MODES:
        inout = _MODES[walker.word_at(at)]
        at += 1
        if inout == "IN" and walker.word_at(at) == "OUT":
            inout = "INOUT"
            at += 1
    while walker.word_at(at) in ("NOCOPY", "AS"):
        at += 1
    end = walker.seek(at, "DEFAULT", ":=", "=", "OUT", "OUTPUT", "READONLY", "NOT", "NULL")
    datatype = tokens[at:end]
    default: list[Token] = []
    if walker.word_at(end) in ("DEFAULT", ":=", "="):
        behind = walker.seek(end + 1, "OUT", "OUTPUT", "READONLY")
        default = tokens[end + 1 : behind]
        end = behind
    if walker.word_at(end) in ("OUT", "OUTPUT"):
        inout = "OUT"
    if name is not None and tokens and tokens[0].token_type is TokenType.STRING:
        name = None
    readonly = walker.word_at(len(tokens) - 1) == "READONLY"
    return Parameter(name, sign if sign == "@" else "", datatype, inout or "IN", default, readonly)
