"""One statement of a routine body, without control flow: what it does with variables, cursors, dynamic SQL and calls."""

from __future__ import annotations

from sqlglot.tokenizer_core import Token, TokenType

from connector.sql.cursor import TokenCursor, name_end, split_list
from connector.sql.families import Family
from connector.sql.procedural.heads import read_parameters
from connector.sql.procedural.steps import (
    Argument,
    Assign,
    Call,
    Declare,
    Execute,
    Fetch,
    Open,
    Parameter,
    Return,
    Skip,
    Sql,
    Step,
)
from connector.sql.words import STRINGS, like

_CURSOR_OPTIONS = ("FOR", "IS", "AS")
_TYPE_ENDS = ("DEFAULT", ":=", "=", "NOT", "NULL", "COLLATE")


def read_declaration(tokens: list[Token], closed: int, family: Family) -> list[Declare]:
    """The declaration whose tokens these are, without the word DECLARE and the semicolon.

    One step for each kind of variable; several names of one type stay together.
    """
    walker = TokenCursor(tokens)
    at = 0
    while walker.word_at(at) in ("OR", "REPLACE", "VARIABLE", "LET", "VAR"):
        at += 1
    if walker.word_at(at) == "CURSOR" and walker.is_name(at + 1):
        return [_cursor(walker, [tokens[at + 1]], at + 2, closed, family)]
    if walker.word_at(at) == "TYPE" and walker.word_at(at + 2) in ("IS", "AS"):
        return [Declare(tokens, closed, [tokens[at + 1]], is_type=True, datatype=tokens[at + 3 :])]
    if walker.word_at(at) in ("SUBTYPE", "PRAGMA", "USING", "TYPE"):
        return []
    names, at = _names(walker, at)
    if not names:
        return []
    found = walker.seek(at, "CURSOR")
    if found < walker.stop and found - at <= 8 and walker.word_at(found + 1) != "%":
        return [_cursor(walker, names, found + 1, closed, family)]
    if walker.word_at(at) == "TABLE" and walker.word_at(at + 1) == "(":
        columns = tokens[at + 2 : walker.close(at + 1)]
        return [Declare(tokens, closed, names, kind="table", columns=columns)]
    if walker.word_at(at) == "CONSTANT":
        at += 1
    if walker.word_at(at) == "ALIAS" and walker.word_at(at + 1) == "FOR":
        return [Declare(tokens, closed, names, default=tokens[at + 2 :])]
    if walker.word_at(at) in ("CONDITION", "EXCEPTION", "HANDLER", "STATEMENT"):
        return []
    end = walker.seek(at, *_TYPE_ENDS)
    datatype = tokens[at:end]
    start = walker.seek(end, "DEFAULT", ":=", "=")
    return [Declare(tokens, closed, names, datatype=datatype, default=tokens[start + 1 :])]


def _names(walker: TokenCursor, at: int) -> tuple[list[Token], int]:
    names: list[Token] = []
    while walker.is_name(at):
        names.append(walker.tokens[at])
        at += 1
        if walker.word_at(at) != ",":
            break
        at += 1
    return names, at


def _cursor(walker: TokenCursor, names: list[Token], at: int, closed: int, family: Family) -> Declare:
    """``CURSOR c (p type) [RETURN type] IS query``, ``c CURSOR [options] [(p type)] FOR query``; `at` is after both words."""
    tokens = walker.tokens
    parameters: list[Parameter] = []
    if walker.word_at(at) == "(":
        closing = walker.close(at)
        parameters = read_parameters(tokens[at + 1 : closing], family)
        at = closing + 1
    query = walker.seek(at, *_CURSOR_OPTIONS)
    return Declare(tokens, closed, names, kind="cursor", query=tokens[query + 1 :], parameters=parameters)


def read_variable_list(tokens: list[Token], closed: int) -> list[Declare]:
    """``DECLARE @a int = 1, @t TABLE (…)``: T-SQL declares a list, each with its own type."""
    found = []
    for item in split_list(tokens):
        walker = TokenCursor(item)
        if walker.word_at(0) != "@" or not walker.is_name(1):
            continue
        at = 3 if walker.word_at(2) == "AS" else 2
        name = item[1]
        if walker.word_at(at) == "TABLE":
            columns = item[at + 2 : walker.close(at + 1)]
            found.append(Declare(item, closed, [name], "@", "table", columns=columns))
        elif walker.word_at(at) == "CURSOR":
            query = walker.seek(at, "FOR")
            found.append(Declare(item, closed, [name], "@", "cursor", query=item[query + 1 :]))
        else:
            end = walker.seek(at, "=")
            found.append(Declare(item, closed, [name], "@", datatype=item[at:end], default=item[end + 1 :]))
    return found


SILENT = frozenset(
    """
    NULL EXIT CONTINUE LEAVE ITERATE BREAK GOTO RAISE SIGNAL RESIGNAL COMMIT ROLLBACK SAVEPOINT RELEASE CLOSE ASSERT PRAGMA GET
    LOCK PRINT RAISERROR THROW WAITFOR DEALLOCATE RETURNS STOP ABORT BT ET SHOW RESET LISTEN NOTIFY UNLISTEN ANALYZE VACUUM
    GRANT REVOKE COLLECT QUIT CANCEL AWAIT ASYNC ALLOCATE ASSOCIATE
    """.split()
)
"""Words that begin a statement which moves no data."""
SKIPS = frozenset("EXIT CONTINUE LEAVE ITERATE BREAK".split())
"""Those after which a loop goes on from its beginning, or does not."""
_SQL = frozenset(
    """
    SELECT INSERT UPDATE DELETE MERGE WITH CREATE DROP ALTER TRUNCATE COPY UNLOAD LOAD EXPORT REFRESH RENAME USE COMMENT
    LOCKING REPLACE UPSERT EXPLAIN VALUES TABLE
    """.split()
)
_CALLS = frozenset({"CALL", "PERFORM"})
_EXECUTING = {
    "SYSEXECSQL": (0, ""),
    "EXEC_DDL_STATEMENT": (0, ""),
    "PARSE": (1, "STATEMENT"),
    "ADMIN_CMD": (0, ""),
}
"""Procedures of Teradata, Oracle and Db2 that run a text; which argument the text is, and its name."""
_JOBS = {
    "SUBMIT": (1, "WHAT"),
    "ISUBMIT": (1, "WHAT"),
    "CREATE_JOB": (2, "JOB_ACTION"),
    "CREATE_PROGRAM": (2, "PROGRAM_ACTION"),
}
"""Procedures of Oracle that run the statements of a block later."""


_LIST_ENDS = ("FROM", "INTO", "WHERE", "LIMIT", "UNION", "ORDER BY", "ORDER", "GROUP BY", "GROUP", "HAVING")
"""Words after a select list."""


def read_simple(tokens: list[Token], closed: int, family: Family) -> list[Step]:
    """The steps of a statement that ends with a semicolon."""
    walker = TokenCursor(tokens)
    first = walker.word_at(0)
    following = walker.word_at(1)
    if first in _SQL and following not in (":=", ".") and not (following == "=" and family.assigns_with_equals):
        return _sql(walker, first, closed, family)
    if first in ("SET", "LET"):
        return _set(walker, closed, family)
    if first == "RETURN":
        return _return(walker, closed)
    if first in ("EXECUTE", "EXEC"):
        return _execute(walker, closed, family)
    if first == "PREPARE":
        found = walker.seek(1, "FROM", "AS")
        if found < walker.stop:
            return [Execute(tokens, closed, tokens[found + 1 :], name=tokens[1], prepare=True)]
        return []
    if first == "OPEN":
        return _open(walker, closed)
    if first == "FETCH":
        return _fetch(walker, closed)
    if first in _CALLS:
        return _call(walker, 1, closed)
    if first == "DO" and following != "BEGIN" and family.session_variables:
        # MySQL: expressions, for what they do.
        return [Sql([like(tokens[0], TokenType.SELECT, "SELECT"), *tokens[1:]], closed)]
    if first == "PIPE" and following == "ROW":
        return [Return(tokens, closed, tokens[2:])]
    if first == "ASYNC" and following == "(":
        return read_simple(tokens[2 : walker.close(1)], closed, family)
    if first in SILENT and following not in (":=", ".", "="):
        if first not in SKIPS:
            return []
        when = walker.seek(1, "WHEN") if first in ("EXIT", "CONTINUE") else walker.stop
        return [Skip(tokens, closed, tokens[when + 1 :])]
    return _assignment_or_call(walker, closed, family)


def assigned_in_list(walker: TokenCursor) -> list[list[Token]]:
    """MySQL: the items ``@x := value`` in the select list of a query."""
    tokens = walker.tokens
    if not any(token.token_type is TokenType.COLON_EQ for token in tokens):
        return []
    items = split_list(tokens[1 : walker.seek(1, *_LIST_ENDS)])
    return [item for item in items if len(item) > 3 and item[0].text == "@" and item[2].text == ":="]


def _assigning_query(walker: TokenCursor, items: list[list[Token]], closed: int) -> Assign:
    """The query without the variables, as what they are set to."""
    tokens = walker.tokens
    value = tokens[:1]
    for item in items:
        if len(value) > 1:
            value.append(like(item[0], TokenType.COMMA, ","))
        value += item[3:]
    value += tokens[walker.seek(1, *_LIST_ENDS) :]
    return Assign(tokens, closed, [item[:2] for item in items], value)


def _sql(walker: TokenCursor, first: str, closed: int, family: Family) -> list[Step]:
    """SQL; DB2 also sets variables with VALUES … INTO, MySQL in the select list."""
    tokens = walker.tokens
    if first == "SELECT" and family.session_variables:
        items = assigned_in_list(walker)
        if items:
            return [Sql(tokens, closed), _assigning_query(walker, items, closed)]
    into = walker.seek(1, "INTO")
    if first == "VALUES" and into < walker.stop:
        return [Assign(tokens, closed, targets_of(tokens[into + 1 :]), tokens[1:into])]
    if family.spl and first == "INSERT" and (call := walker.seek(1, "EXECUTE")) < walker.stop:
        # Informix: INSERT INTO t EXECUTE FUNCTION f()
        return _call(walker, call + 2, closed, tokens[:call])
    return [Sql(tokens, closed)]


def targets_of(tokens: list[Token]) -> list[list[Token]]:
    """The variables of an INTO list or an assignment, each as its tokens."""
    walker = TokenCursor(tokens)
    if walker.word_at(0) == "(" and walker.close(0) == walker.stop - 1:
        tokens = tokens[1:-1]
    return split_list(tokens)


def _set(walker: TokenCursor, closed: int, family: Family) -> list[Step]:
    """``SET x = value``, lists and tuples of it, ``LET x type := value``."""
    tokens = walker.tokens
    at = 1
    if walker.word_at(0) == "LET":
        return _let(walker, closed, family)
    named = at + 1 if walker.word_at(at) in ("SESSION", "LOCAL") else at
    if walker.word_at(named) in ("SEARCH_PATH", "SCHEMA", "CURRENT_SCHEMA") or walker.words(named, "CURRENT", "SCHEMA"):
        return [Sql(tokens, closed)]
    if walker.word_at(named) == "QUERY_BAND":
        # Teradata: a label for the session or the transaction.
        return []
    if walker.word_at(at) in ("VAR", "VARIABLE") and walker.word_at(at + 1) not in ("=", ":="):
        at += 1
    if walker.word_at(at) == "(":
        closing = walker.close(at)
        if walker.word_at(closing + 1) in ("=", ":="):
            return [Assign(tokens, closed, targets_of(tokens[at : closing + 1]), tokens[closing + 2 :])]
        return []
    name = name_end(walker, at)
    if walker.words(name, "=", "CURSOR"):
        # DB2: a variable of a cursor type.
        query = walker.seek(name + 1, "FOR")
        return [Open(tokens, closed, tokens[at:name], tokens[query + 1 :])]
    steps: list[Step] = []
    for item in split_list(tokens[at:]):
        inner = TokenCursor(item)
        end = name_end(inner, 0, subscripts=True)
        if end and inner.word_at(end) in ("=", ":=") and end + 1 < len(item):
            steps.append(Assign(tokens, closed, [item[:end]], item[end + 1 :]))
    return steps


def _let(walker: TokenCursor, closed: int, family: Family) -> list[Step]:
    """Snowflake: a variable that begins to live in the middle of a block."""
    tokens = walker.tokens
    found = walker.seek(1, ":=", "=", "DEFAULT")
    declared = read_declaration(tokens[1:], closed, family)
    steps: list[Step] = list(declared)
    if found < walker.stop and not (declared and declared[0].kind):
        for step in declared:
            step.default = []
        steps.append(Assign(tokens, closed, [tokens[1:2]], tokens[found + 1 :]))
    return steps


def _return(walker: TokenCursor, closed: int) -> list[Step]:
    tokens = walker.tokens
    following = walker.word_at(1)
    if following in ("QUERY", "NEXT"):
        if walker.word_at(2) == "EXECUTE":
            return [Return(tokens, closed, tokens[3:], dynamic=True)]
        return [Return(tokens, closed, tokens[2:])]
    if following == "VALUES" and len(tokens) > 2:
        return [Return(tokens, closed, tokens[2:])]
    return [Return(tokens, closed, tokens[1:])]


def _execute(walker: TokenCursor, closed: int, family: Family) -> list[Step]:
    """``EXECUTE [IMMEDIATE] text [INTO …] [USING …]``; also of a prepared statement, and procedures called so."""
    tokens = walker.tokens
    at = 1
    immediate = walker.word_at(1) == "IMMEDIATE"
    if immediate:
        at = 2
    if walker.word_at(at) in ("PROCEDURE", "FUNCTION") or (walker.word_at(at) == "SCRIPT" and walker.is_name(at + 1)):
        return _call(walker, at + 1, closed)
    if family.slash_lines and not immediate and (walker.is_name(1) or walker.word_at(1) == ":"):
        # SQL*Plus: a block of one statement.
        return read_simple(tokens[1:], closed, family)
    if walker.word_at(at) == "FROM" or (
        walker.word_at(at) in ("TASK", "ALERT", "JOB", "NOTEBOOK", "SERVICE", "DATA", "DBT", "MANAGED")
        and walker.is_name(at + 1)
    ):
        # What runs stands somewhere else.
        return []
    into = walker.seek(at, "INTO", "BULK COLLECT INTO")
    using = walker.seek(at, "USING")
    returning = walker.seek(at, "RETURNING", "RETURN")
    end = min(into, using, returning, walker.seek(at, "WITH") if at < walker.stop else walker.stop)
    if immediate and walker.word_at(end) == "WITH":
        # HANA: WITH RESULT VIEW
        end = min(into, using, returning)
    targets: list[list[Token]] = []
    if into < walker.stop:
        behind = walker.seek(into + 1, "USING", "RETURNING", "RETURN", "DEFAULT")
        start = into + 2 if walker.word_at(into + 1) == "STRICT" else into + 1
        targets = targets_of(tokens[start:behind])
    arguments: list[Argument] = []
    if using < walker.stop:
        behind = walker.seek(using + 1, "INTO", "RETURNING", "RETURN", "BULK COLLECT INTO")
        arguments = read_arguments(tokens[using + 1 : behind])
    return [Execute(tokens, closed, tokens[at:end], targets, arguments)]


def says_out(argument: list[Token]) -> bool:
    """``@x OUT``: whether the word after an argument says that it takes a value; ``@out`` is a variable."""
    return (
        len(argument) > 1
        and argument[-1].text.upper() in ("OUTPUT", "OUT")
        and argument[-2].token_type is not TokenType.PARAMETER
    )


def read_arguments(tokens: list[Token]) -> list[Argument]:
    """The arguments of a call or of USING."""
    walker = TokenCursor(tokens)
    if walker.word_at(0) == "(" and walker.close(0) == walker.stop - 1 and walker.word_at(1) not in ("SELECT", "WITH"):
        tokens = tokens[1:-1]
    found = []
    for item in split_list(tokens):
        inner = TokenCursor(item)
        name = ""
        out = False
        if inner.word_at(0) in ("IN", "OUT") and len(item) > 1:
            out = "OUT" in (inner.word_at(0), inner.word_at(1))
            item = item[2:] if inner.word_at(1) == "OUT" else item[1:]
            inner = TokenCursor(item)
        if inner.word_at(1) in ("=>", ":=") and inner.is_name(0):
            name, item = item[0].text, item[2:]
        elif inner.word_at(0) == "@" and inner.word_at(2) == "=" and len(item) > 3:
            name, item = item[1].text, item[3:]
        else:
            named = inner.seek(0, "AS")
            if 0 < named == len(item) - 2 and inner.is_name(named + 1):
                name, item = item[named + 1].text, item[:named]
        if says_out(item):
            out, item = True, item[:-1]
        found.append(Argument(item, name, out))
    return found


def _open(walker: TokenCursor, closed: int) -> list[Step]:
    tokens = walker.tokens
    at = 2 if walker.word_at(1) == "GLOBAL" else 1
    end = name_end(walker, at)
    cursor = tokens[at:end]
    if not cursor:
        return []
    arguments: list[Argument] = []
    if walker.word_at(end) == "(":
        arguments = read_arguments(tokens[end : walker.close(end) + 1])
    found = walker.seek(end, "FOR")
    if found < walker.stop:
        using = walker.seek(found, "USING")
        start = found + 1
        query = tokens[start:using]
        if TokenCursor(query).word_at(0) == "EXECUTE":
            query = query[1:]
        return [Open(tokens, closed, cursor, query, using=split_list(tokens[using + 1 :]))]
    using = walker.seek(end, "USING")
    if using < walker.stop:
        arguments = read_arguments(tokens[using + 1 :])
    return [Open(tokens, closed, cursor, arguments=arguments)]


def _fetch(walker: TokenCursor, closed: int) -> list[Step]:
    """``FETCH [NEXT FROM] cursor [BULK COLLECT] INTO …``."""
    tokens = walker.tokens
    into = walker.seek(1, "INTO", "BULK COLLECT INTO")
    start = walker.seek(1, "FROM", "IN")
    at = start + 1 if start < into else 1
    if start >= into:
        while walker.word_at(at) in ("NEXT", "FIRST", "LAST", "PRIOR") and walker.is_name(at + 1):
            at += 1
    if walker.word_at(at) == "GLOBAL":
        at += 1
    end = name_end(walker, at)
    if into >= walker.stop or end <= at:
        return []
    behind = walker.seek(into + 1, "LIMIT", "FOR")
    return [Fetch(tokens, closed, tokens[at:end], targets_of(tokens[into + 1 : behind]))]


def _call(walker: TokenCursor, at: int, closed: int, head: list[Token] | None = None) -> list[Step]:
    """``CALL p(…)``, also with INTO or RETURNING for what it gives; PERFORM is a query whose result is discarded."""
    tokens = walker.tokens
    end = name_end(walker, at)
    if walker.word_at(0) == "PERFORM":
        called = end > at and walker.word_at(end) == "(" and walker.close(end) == walker.stop - 1
        if called and walker.word_at(at) != "EXISTS":
            return [Call(tokens, closed, tokens[at:end], read_arguments(tokens[end:]))]
        if walker.word_at(1) in _SQL:
            return [Sql(tokens[1:], closed, discarded=True)]
        return [Sql([like(tokens[0], TokenType.SELECT, "SELECT"), *tokens[1:]], closed, discarded=True)]
    if end <= at:
        return []
    into = walker.seek(end, "INTO", "RETURNING")
    arguments = read_arguments(tokens[end:into]) if walker.word_at(end) == "(" else []
    dynamic = _executing_call(tokens[at:end], arguments)
    if dynamic:
        return [Execute(tokens, closed, dynamic)]
    call = Call(tokens, closed, tokens[at:end], arguments, head or [])
    if into == walker.stop:
        return [call]
    targets = targets_of(tokens[into + 1 :])
    return [call, Assign(tokens, closed, targets, given_by(tokens[at:into], len(targets)))]


def given_by(call: list[Token], count: int) -> list[Token]:
    """The value of a call, or the row of several values that it gives."""
    if count < 2:
        return call
    words = ((TokenType.SELECT, "SELECT"), (TokenType.STAR, "*"), (TokenType.FROM, "FROM"))
    return [*(like(call[0], kind, text) for kind, text in words), *call]


def _executing_call(name: list[Token], arguments: list[Argument]) -> list[Token]:
    """The text that a call runs, where the called procedure is one of the vendor's for just that."""
    called = name[-1].text.upper()
    if called in _JOBS and _is_block_of_job(name, arguments):
        block = _argument(arguments, *_JOBS[called])
        if not block:
            return []
        first, last = block[0], block[-1]
        plus = like(first, TokenType.DPIPE, "||")
        return [like(first, TokenType.STRING, "BEGIN "), plus, *block, plus, like(last, TokenType.STRING, " END;")]
    return _argument(arguments, *_EXECUTING[called]) if called in _EXECUTING else []


def _is_block_of_job(name: list[Token], arguments: list[Argument]) -> bool:
    """Whether the job is one whose action is a text; those of other kinds name a procedure or a program."""
    package = name[-3].text.upper() if len(name) > 2 else ""
    if package == "DBMS_SCHEDULER":
        return any(len(given.value) == 1 and given.value[0].text.upper() == "PLSQL_BLOCK" for given in arguments)
    return package == "DBMS_JOB"


def _argument(arguments: list[Argument], place: int, label: str) -> list[Token]:
    """An argument by its name or its place."""
    named = next((given.value for given in arguments if label and given.name.upper() == label), None)
    if named is not None:
        return named
    return arguments[place].value if place < len(arguments) and not arguments[place].name else []


def _assignment_or_call(walker: TokenCursor, closed: int, family: Family) -> list[Step]:
    tokens = walker.tokens
    if walker.word_at(0) == "$" and walker.word_at(2) == ":=":
        # PostgreSQL: a parameter by its position.
        parameter = Token(
            TokenType.VAR, f"${tokens[1].text}", tokens[0].line, tokens[0].col, tokens[0].start, tokens[1].end
        )
        return [Assign(tokens, closed, [[parameter]], tokens[3:])]
    end = name_end(walker, 0, subscripts=True)
    if end and walker.word_at(end) == ":=":
        return [Assign(tokens, closed, [tokens[:end]], tokens[end + 1 :])]
    if end and walker.words(end, "<", "-") and family.quotes_bodies:
        # Vertica: an assignment that cuts what is too long.
        return [Assign(tokens, closed, [tokens[:end]], tokens[end + 2 :])]
    if end and walker.word_at(end) == "=" and family.assigns_with_equals:
        return [Assign(tokens, closed, [tokens[:end]], tokens[end + 1 :])]
    names = split_list(tokens[: walker.seek(0, "=", ":=")])
    if (
        len(names) > 1
        and walker.word_at(len(tokens) - 1) != ""
        and walker.seek(0, "=") < walker.stop
        and family.table_variables
    ):
        found = walker.seek(0, "=")
        return [Assign(tokens, closed, names, tokens[found + 1 :])]
    name = name_end(walker, 0)
    if name == walker.stop or (walker.word_at(name) == "(" and walker.close(name) == walker.stop - 1):
        if name and tokens[0].token_type not in STRINGS:
            arguments = read_arguments(tokens[name:]) if name < walker.stop else []
            dynamic = _executing_call(tokens[:name], arguments)
            if dynamic:
                return [Execute(tokens, closed, dynamic)]
            return [Call(tokens, closed, tokens[:name], arguments)]
    return [Sql(tokens, closed)]
