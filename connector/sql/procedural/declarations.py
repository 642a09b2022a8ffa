"""Declarations: variables, cursors, types, in the spelling of each family."""

from __future__ import annotations

from sqlglot.tokenizer_core import Token

from connector.sql.cursor import TokenCursor, split_list
from connector.sql.families import Family
from connector.sql.procedural.heads import read_parameters
from connector.sql.procedural.steps import Declare, Parameter

__all__ = ["read_declaration", "read_variable_list"]

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
    """``CURSOR c (p type) [RETURN type] IS query``, ``c CURSOR [options] [(p type)] FOR query``; `at` is behind both words."""
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
