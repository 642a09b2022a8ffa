"""Finds the procedural statements of a script, and reads the steps of their bodies."""

from __future__ import annotations

from sqlglot.errors import TokenError
from sqlglot.tokenizer_core import Token, TokenType

from connector.model import Script
from connector.sql.client_commands import clear_hash_lines
from connector.sql.cursor import TokenCursor, name_end
from connector.sql.dialects import SqlDialect
from connector.sql.families import Family
from connector.sql.placeholders import fill_placeholders, restore
from connector.sql.procedural.bodies import BodyReader
from connector.sql.procedural.heads import Head, routine_kind
from connector.sql.procedural.spl import SplReader
from connector.sql.procedural.statements import assigned_in_list, read_simple
from connector.sql.procedural.steps import Return, Sql, Step
from connector.sql.procedural.tsql_steps import BatchReader, is_bare_call
from connector.sql.words import TRANSACTION_WORDS, like

_CREATES = frozenset({"CREATE", "DEFINE", "ALTER", "REPLACE"})
_ALWAYS = frozenset(
    "DECLARE IF WHILE LOOP REPEAT FOR CALL EXECUTE EXEC PREPARE FETCH OPEN LET ELSE END ELSEIF FOREACH RETURN LEAVE".split()
)


def is_procedural(tokens: list[Token], family: Family) -> bool:
    """Whether a statement of a script is one for the routine reader."""
    first = tokens[0].text.upper()
    kind = tokens[0].token_type
    if kind is TokenType.SELECT:
        return (family.batches or family.selects_into_variables) and _assigns(tokens, family)
    if first in _CREATES:
        if family.batches and is_table_type(tokens):
            return True
        kind_at = routine_kind(TokenCursor(tokens), 0)
        if first == "ALTER" and not family.batches:
            # MySQL gives an event another statement to run.
            return kind_at >= 0 and tokens[kind_at].text.upper() == "EVENT" and _runs(tokens)
        return kind_at >= 0
    if first in ("FUNCTION", "PROCEDURE"):
        # A part of a package in a file of its own.
        return family.declares_after_is and len(tokens) > 2
    if first == "BEGIN":
        following = tokens[1].text.upper() if len(tokens) > 1 else ""
        return following != "" and following not in TRANSACTION_WORDS
    if first == "END" and len(tokens) > 1 and tokens[1].text.upper() in TRANSACTION_WORDS:
        return False
    if first in _ALWAYS:
        return kind is not TokenType.IDENTIFIER and not (
            first == "OPEN" and len(tokens) > 1 and tokens[-2].text.upper() == "SCHEMA"
        )
    if first == "DO":
        return len(tokens) > 1
    if first == "SET":
        return family.sets_variables and len(tokens) > 3
    if family.batches and first in ("INSERT", "UPDATE", "DELETE", "MERGE"):
        if len(tokens) > 3 and tokens[1].text.upper() == "TOP":
            return True
        if first == "INSERT" and any(token.token_type is TokenType.PARAMETER for token in tokens[1:3]):
            return True
        return first == "INSERT" and any(token.token_type is TokenType.EXECUTE for token in tokens[2:400])
    if family.batches and (first in ("RECEIVE", "WAITFOR") or is_bare_call(tokens)):
        return True
    if family.spl and first == "INSERT":
        return any(token.token_type is TokenType.EXECUTE for token in tokens[2:400])
    if first == "CASE":
        return family.case_in_scripts
    if first == "<" or (len(tokens) > 2 and tokens[1].token_type is TokenType.COLON):
        return first == "<" or tokens[2].text.upper() in ("BEGIN", "LOOP", "WHILE", "REPEAT", "FOR", "IF", "CASE")
    return False


def _runs(tokens: list[Token]) -> bool:
    """Whether DO stands before a statement."""
    walker = TokenCursor(tokens)
    return walker.seek(0, "DO") < walker.stop


def is_table_type(tokens: list[Token]) -> bool:
    """``CREATE TYPE t AS TABLE (…)``: variables and parameters of the type are tables with its columns."""
    if len(tokens) < 7 or tokens[1].text.upper() != "TYPE":
        return False
    walker = TokenCursor(tokens)
    return walker.words(name_end(walker, 2), "AS", "TABLE", "(")


def _assigns(tokens: list[Token], family: Family) -> bool:
    """Whether a SELECT outside any routine may set variables."""
    if family.batches:
        return any(token.token_type is TokenType.PARAMETER for token in tokens[1:12])
    walker = TokenCursor(tokens)
    if family.session_variables and assigned_in_list(walker):
        return True
    into = walker.seek(1, "INTO")
    return into < walker.stop and walker.word_at(into + 1) in ("@", ":")


def read_steps(tokens: list[Token], family: Family) -> list[Step]:
    """The steps of a statement of a script that creates nothing."""
    if family.batches:
        return BatchReader(tokens, 0, len(tokens)).read()
    if family.spl:
        return SplReader(tokens, 0, len(tokens), family).read()
    return BodyReader(tokens, 0, len(tokens), family).read()


def read_body(head: Head, tokens: list[Token], family: Family) -> list[Step]:
    """The steps of a routine whose body is not quoted."""
    start, stop = head.body
    while stop > start and tokens[stop - 1].token_type is TokenType.SEMICOLON:
        stop -= 1
    if start >= stop:
        return []
    if family.batches:
        return BatchReader(tokens, start, stop).read()
    if family.spl:
        return SplReader(tokens, start, stop, family).read()
    if head.single:
        body = tokens[start:stop]
        return [Return(body, 0, body)]
    walker = TokenCursor(tokens, start, stop)
    first = walker.word_at(start)
    if first == "(" and head.kind == "function":
        closing = walker.close(start)
        body = tokens[start + 1 : closing]
        return [Return(body, 0, body)] if body else []
    if first == "RETURN" and head.kind == "function":
        return read_simple(tokens[start:stop], 0, family)
    reader = BodyReader(tokens, start, stop, family)
    declaring = (
        family.declares_after_is
        and first not in ("BEGIN", "DECLARE", "<", "CALL")
        and head.kind not in ("macro", "block")
    )
    steps = reader.read(declaring=declaring)
    return [*steps, *_result_view(head, tokens)] if family.table_variables else steps


def _result_view(head: Head, tokens: list[Token]) -> list[Step]:
    """HANA: ``WITH RESULT VIEW v`` makes a view of the table that the procedure gives."""
    walker = TokenCursor(tokens, 0, head.body[0])
    clause = walker.seek(0, "RESULT")
    given = next((each.name for each in head.parameters if each.inout == "OUT"), None)
    end = name_end(walker, clause + 2) if walker.word_at(clause + 1) == "VIEW" else 0
    if not end or given is None:
        return []
    here = tokens[clause]
    head_of_view = [like(here, TokenType.CREATE, "CREATE"), tokens[clause + 1], *tokens[clause + 2 : end]]
    words = ((TokenType.ALIAS, "AS"), (TokenType.SELECT, "SELECT"), (TokenType.STAR, "*"), (TokenType.FROM, "FROM"))
    # The parameter stands before the clause, and a statement ends where its last token does.
    last = tokens[end - 1]
    query = [*(like(last, kind, text) for kind, text in words), like(last, TokenType.COLON, ":")]
    return [Sql([*head_of_view, *query, like(last, given.token_type, given.text)], 0)]


def quoted_tokens(script: Script, token: Token, base: int, dialect: SqlDialect) -> list[Token]:
    """The tokens of a body in quotes, with offsets in the script. No tokens when the text cannot be read."""
    raw_start = token.start + base
    raw_end = token.end + 1 + base
    text, start = _content(script.text, raw_start, raw_end)
    prepared, fills = fill_placeholders(clear_hash_lines(text, dialect), dialect)
    try:
        tokens = dialect.sqlglot.tokenize(prepared)
    except TokenError:
        return []
    if fills:
        tokens, _ = restore(tokens, fills)
    shift = start - base
    line = token.line - 1
    for found in tokens:
        found.start += shift
        found.end += shift
        found.line += line
    return tokens


def _content(text: str, start: int, end: int) -> tuple[str, int]:
    """The text inside the quotes, of the same length as in the script, and where it begins."""
    first = text[start]
    if first == "$":
        inner = text.index("$", start + 1) + 1
        return text[inner : end - (inner - start)], inner
    opening = start
    while opening < end and text[opening] not in "'\"":
        opening += 1
    quote = text[opening] if opening < end else "'"
    width = 3 if text.startswith(quote * 3, opening) and end - opening >= 6 else 1
    inner = opening + width
    content = text[inner : end - width]
    if width == 1 and quote * 2 in content:
        content = _undouble(content, quote)
    return content, inner


def _undouble(content: str, quote: str) -> str:
    """Doubled quotes made single ones, each with a blank on its outer side so that nothing moves."""
    pieces = content.split(quote * 2)
    found = [pieces[0]]
    inside = False
    for piece in pieces[1:]:
        found.append(f"{quote} " if inside else f" {quote}")
        inside = not inside
        found.append(piece)
    return "".join(found)
