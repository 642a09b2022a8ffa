"""Steps of T-SQL bodies, in which a statement ends where the next one begins."""

from __future__ import annotations

from sqlglot.tokenizer_core import Token, TokenType

from connector.sql.cursor import TokenCursor, name_end, split_list
from connector.sql.families import FAMILIES
from connector.sql.harmless import HARMLESS_VERBS
from connector.sql.procedural.statements import (
    SILENT,
    SKIPS,
    read_arguments,
    read_declaration,
    read_simple,
    read_variable_list,
    says_out,
)
from connector.sql.procedural.steps import (
    Argument,
    Assign,
    Call,
    Enter,
    Execute,
    Leave,
    Open,
    Return,
    Skip,
    Sql,
    Step,
    Turn,
    Unread,
)
from connector.sql.tsql_batches import Batch
from connector.sql.words import LITERALS, STRINGS, TRANSACTION_WORDS, closing, like, word

_FAMILY = FAMILIES["tsql"]
_ASSIGNING = ("=", "+", "-", "*", "/", "%", "&", "|", "^")
_EACH = frozenset({"sp_msforeachdb", "sp_msforeachtable", "sp_ineachdb", "sp_foreachdb"})
"""Procedures that run a text once for every database or table."""
_FIRST_ARGUMENTS = LITERALS | {TokenType.PARAMETER, TokenType.DASH, TokenType.NULL, TokenType.DEFAULT}
"""What may come after the name of a procedure that is called without EXEC."""
_DEPTH_LIMIT = 120
_INSERT_HEAD = 400
"""How far from its INSERT an EXECUTE may stand."""


class BatchReader:
    """Reads a batch or a body into steps."""

    def __init__(self, tokens: list[Token], start: int, stop: int) -> None:
        self.tokens = tokens
        self.start = start
        self.stop = stop
        self.batch = Batch(tokens, start, stop)
        self.steps: list[Step] = []

    def read(self) -> list[Step]:
        i = self.start
        while i < self.stop:
            i = max(self._next(i, 0), i + 1)
        return self.steps

    def _word(self, i: int) -> str:
        return word(self.tokens, i) if i < self.stop else ""

    def _next(self, i: int, depth: int) -> int:
        """Reads the statement at `i`; gives the place after it."""
        current = self._word(i)
        if current == ";":
            return i + 1
        if depth > _DEPTH_LIMIT:
            self.steps.append(Unread(self.tokens[i : self.stop], 0, "blocks are nested too deeply"))
            return self.stop
        if current == "IF" or current == "WHILE":
            return self._conditional(i, depth)
        if current == "BEGIN" and self._word(i + 1) not in TRANSACTION_WORDS:
            return self._block(i, depth)
        if current == "END" or current == "ELSE":
            # One END too many: nothing to close.
            return i + 1
        if self._word(i + 1) == ":" and self.tokens[i].token_type is TokenType.VAR:
            return i + 2
        end = max(self.batch.simple_end(i, current), i + 1)
        self._simple(i, end)
        return end

    def _mark(self, i: int) -> list[Token]:
        return self.tokens[i : i + 1]

    def _conditional(self, i: int, depth: int) -> int:
        current = self._word(i)
        j = self.batch.condition_end(i)
        kind = "branch" if current == "IF" else "loop"
        self.steps.append(Enter(self._mark(i), 0, kind, self.tokens[i + 1 : j]))
        if j < self.stop and self._word(j) != ";":
            j = self._next(j, depth + 1)
        behind = j + 1 if self._word(j) == ";" else j
        if current == "IF" and self._word(behind) == "ELSE":
            self.steps.append(Turn(self._mark(behind), 0))
            j = self._next(behind + 1, depth + 1) if behind + 1 < self.stop else self.stop
        self.steps.append(Leave(self._mark(i), 0))
        return j

    def _block(self, i: int, depth: int) -> int:
        """BEGIN … END. Variables live to the end of the batch, so a block only holds statements together."""
        kind = self._word(i + 1)
        if kind == "CATCH":
            self.steps.append(Enter(self._mark(i), 0, "branch"))
        j = i + 2 if kind in ("TRY", "CATCH", "ATOMIC") else i + 1
        if kind == "ATOMIC" and self._word(j) == "WITH" and self._word(j + 1) == "(":
            j = closing(self.tokens, j + 1) + 1
        while j < self.stop and self._word(j) != "END":
            j = max(self._next(j, depth + 1), j + 1)
        if kind == "CATCH":
            self.steps.append(Leave(self._mark(i), 0))
        if j >= self.stop:
            return self.stop
        return j + 2 if self._word(j + 1) in ("TRY", "CATCH") else j + 1

    # --- simple statements --------------------------------------------------------------------------------------

    def _simple(self, i: int, end: int) -> None:
        closed = 0
        if self._word(end) == ";":
            closed = self.tokens[end].end + 1
        while end > i and self._word(end - 1) == ";":
            end -= 1
        if end > i:
            self.steps.extend(read_batch_statement(self.tokens[i:end], closed))


def read_batch_statement(tokens: list[Token], closed: int) -> list[Step]:
    """The steps of one statement of T-SQL."""
    walker = TokenCursor(tokens)
    first = walker.word_at(0)
    if first == "DECLARE":
        if walker.word_at(1) == "@":
            return list(read_variable_list(tokens[1:], closed))
        return list(read_declaration(tokens[1:], closed, _FAMILY))
    if first == "SET":
        return _set(walker, closed)
    if first == "SELECT":
        return [_select(walker, closed)]
    if first == "RECEIVE":
        return [_receive(walker, closed)]
    if first == "WAITFOR" and walker.word_at(1) == "(":
        return read_batch_statement(tokens[2 : walker.close(1)], closed)
    if first in ("EXEC", "EXECUTE"):
        return _execute(walker, closed, 1, [])
    if first == "INSERT":
        found = _inserted_call(walker)
        if found:
            return _execute(walker, closed, found + 1, tokens[:found])
        return [Sql(tokens, closed)]
    if first == "RETURN":
        return [Return(tokens, closed, tokens[1:])]
    if first in ("OPEN", "FETCH"):
        return read_simple(tokens, closed, _FAMILY)
    if first in SILENT:
        return [Skip(tokens, closed, [])] if first in SKIPS else []
    if is_bare_call(tokens):
        return _execute(walker, closed, 0, [])
    return [Sql(tokens, closed)]


def is_bare_call(tokens: list[Token]) -> bool:
    """The first statement of a batch may call a procedure by its name alone."""
    walker = TokenCursor(tokens)
    end = name_end(walker, 0)
    if not end or tokens[0].token_type not in (TokenType.VAR, TokenType.IDENTIFIER):
        return False
    if end == walker.stop:
        return end > 1
    following = tokens[end].token_type
    if following is TokenType.PARAMETER and walker.word_at(end + 2) == "=":
        return True
    system = tokens[end - 1].text[:3].lower() in ("sp_", "xp_")
    if (following not in _FIRST_ARGUMENTS and not system) or (end == 1 and tokens[0].text.upper() in HARMLESS_VERBS):
        return False
    return all(_is_plain_argument(item) for item in split_list(tokens[end:]))


def _is_plain_argument(tokens: list[Token]) -> bool:
    """A literal, a variable or a word, with its name before it or OUTPUT after it: no expression, and no query."""
    if len(tokens) > 3 and tokens[0].token_type is TokenType.PARAMETER and tokens[2].token_type is TokenType.EQ:
        tokens = tokens[3:]
    if says_out(tokens):
        tokens = tokens[:-1]
    if len(tokens) == 2:
        return tokens[0].token_type in (TokenType.PARAMETER, TokenType.DASH)
    return len(tokens) == 1


def _inserted_call(walker: TokenCursor) -> int:
    """The EXEC that gives an INSERT its rows, 0 when there is none."""
    at = walker.seek(1, "EXEC", "EXECUTE", "SELECT", "VALUES")
    while at < walker.stop and walker.word_at(at - 1) == "@":
        at = walker.seek(at + 1, "EXEC", "EXECUTE", "SELECT", "VALUES")
    return at if at < min(walker.stop, _INSERT_HEAD) and walker.word_at(at) in ("EXEC", "EXECUTE") else 0


def _set(walker: TokenCursor, closed: int) -> list[Step]:
    tokens = walker.tokens
    if walker.word_at(1) != "@":
        return []
    end = name_end(walker, 1)
    at = end
    while walker.word_at(at) in _ASSIGNING and walker.word_at(at) != "=":
        at += 1
    if walker.word_at(at) != "=":
        return []
    value = tokens[at + 1 :]
    if walker.word_at(at + 1) == "CURSOR":
        query = walker.seek(at + 1, "FOR")
        return [Open(tokens, closed, tokens[1:end], tokens[query + 1 :])]
    if at > end:
        # SET @s += x: the old value is part of the new one.
        value = [*tokens[1 : end + 1], *value]
    return [Assign(tokens, closed, [tokens[1:end]], value)]


def _receive(walker: TokenCursor, closed: int) -> Step:
    """``RECEIVE TOP (1) @b = message_body FROM q [INTO @t]``: the messages of a queue, as the rows of a query."""
    tokens = walker.tokens
    into = walker.seek(1, "INTO")
    query = [like(tokens[0], TokenType.SELECT, "SELECT"), *tokens[1:into]]
    if into == walker.stop:
        return _select(TokenCursor(query), closed)
    end = walker.seek(into, "WHERE")
    insert = like(tokens[0], TokenType.INSERT, "INSERT")
    return Sql([insert, *tokens[into:end], *query, *tokens[end:]], closed)


def _select(walker: TokenCursor, closed: int) -> Step:
    """``SELECT @a = x, @b = y FROM …``: an assignment whose value is the query without the variables."""
    tokens = walker.tokens
    depth = 0
    at_item = True
    kept = [tokens[0]]
    targets: list[list[Token]] = []
    i = 1
    while i < walker.stop:
        token = tokens[i]
        current = walker.word_at(i)
        if at_item and not depth:
            if current in ("DISTINCT", "ALL"):
                kept.append(token)
                i += 1
                continue
            if current == "TOP":
                behind = walker.close(i + 1) + 1 if walker.word_at(i + 1) == "(" else i + 2
                if walker.word_at(behind) == "PERCENT":
                    behind += 1
                kept.extend(tokens[i:behind])
                i = behind
                continue
            if current == "@" and walker.word_at(i + 1) != "@":
                assigned = i + 2
                while walker.word_at(assigned) in _ASSIGNING and walker.word_at(assigned) != "=":
                    assigned += 1
                if walker.word_at(assigned) == "=":
                    targets.append(tokens[i : i + 2])
                    if assigned > i + 2:
                        kept.extend(tokens[i : i + 3])
                    i = assigned + 1
                    at_item = False
                    continue
        if token.token_type is TokenType.L_PAREN:
            depth += 1
        elif token.token_type is TokenType.R_PAREN:
            depth -= 1
        if current == "FROM" and not depth:
            kept.extend(tokens[i:])
            break
        at_item = current == "," and not depth
        kept.append(token)
        i += 1
    return Assign(tokens, closed, targets, kept) if targets else Sql(tokens, closed)


def _execute(walker: TokenCursor, closed: int, at: int, head: list[Token]) -> list[Step]:
    """EXEC of a text, of sp_executesql, or of a procedure."""
    tokens = walker.tokens
    if walker.word_at(at) in ("AS",):
        return []
    if walker.word_at(at) == "(":
        closing = walker.close(at)
        # EXEC ('…') [AS USER = 'u'] AT [DATA_SOURCE] server
        start = walker.seek(closing + 1, "AT") + 1
        if walker.word_at(start) == "DATA_SOURCE":
            start += 1
        server = tokens[start] if start < len(tokens) else None
        # After the text stand the values for its question marks.
        items = split_list(tokens[at + 1 : closing])
        return [Execute(tokens, closed, items[0] if items else [], head=head, server=server)]
    if walker.word_at(at) == "@" and walker.word_at(at + 2) == "=":
        # What the procedure returns is a code, no data.
        at += 3
    end = name_end(walker, at)
    if end <= at:
        return []
    options = walker.seek(end, "WITH")
    arguments = read_arguments(tokens[end:options])
    name = tokens[at:end]
    procedure = tokens[end - 1].text.lower()
    if procedure == "sp_executesql":
        database = name[0] if len(name) > 3 and name[0].text else None
        return executed_text(tokens, closed, arguments, head, database)
    if procedure == "sp_execute_external_script":
        # A script in another language, over the rows of a query.
        query = next((argument for argument in arguments if argument.name.lower() == "input_data_1"), None)
        if query is not None:
            return [Execute(tokens, closed, query.value, head=head)]
    if procedure == "sp_add_jobstep":
        return _job_step(tokens, closed, arguments) or [Call(tokens, closed, name, arguments, head)]
    if procedure in _EACH and arguments:
        named = {argument.name.lower(): argument for argument in arguments}
        text = named.get("command1") or named.get("command") or arguments[0]
        return [Execute(tokens, closed, text.value, head=head, each=True)]
    return [Call(tokens, closed, name, arguments, head)]


def _job_step(tokens: list[Token], closed: int, arguments: list[Argument]) -> list[Step]:
    """The statement that a job of SQL Server's agent runs, in the database that its step names."""
    named = {argument.name.lower(): argument.value for argument in arguments}
    command, system, database = (named.get(name, []) for name in ("command", "subsystem", "database_name"))
    if not command or (system and system[0].text.upper() != "TSQL"):
        return []
    place = database[0] if len(database) == 1 and database[0].token_type in STRINGS else None
    return [Execute(tokens, closed, command, database=place)]


def executed_text(
    tokens: list[Token], closed: int, arguments: list[Argument], head: list[Token], database: Token | None
) -> list[Step]:
    """What ``sp_executesql`` does with its arguments: a text, the declaration of its parameters, and their values."""
    named = {argument.name.lower(): argument for argument in arguments}
    text = named.get("stmt") or named.get("statement") or (arguments[0] if arguments else None)
    if text is None:
        return []
    rest = [argument for argument in arguments if argument is not text]
    declares: list[Token] = []
    if rest and (not rest[0].name or rest[0].name.lower() in ("params", "parameters", "param")):
        declares = rest.pop(0).value
    return [Execute(tokens, closed, text.value, using=rest, head=head, database=database, declares=declares)]
