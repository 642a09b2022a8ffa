"""Finds the statements in a text, with the identity that the job's `query_identity` selects.

Most statements of a log stand for themselves, and the same one is analysed once however often it comes. A session that
makes temporary tables, changes the current schema or sets variables has to be read as a whole. What drivers send at the
beginning of every connection (time zones, character sets, transaction modes) changes nothing that lineage depends on, and
must not turn every session into one.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from threading import local

from sqlglot.tokenizer_core import Token

from connector.common.hashing import text_hash
from connector.model import Script
from connector.pipeline.units import Identified, Question
from connector.sql.dialects import SqlDialect, get_dialect
from connector.sql.identity import identity_hash
from connector.sql.outlines import ShapeMemory, outline_of
from connector.sql.split import read_statements
from connector.sql.statement import Statement

_TEMPORARY = frozenset({"TEMP", "TEMPORARY", "VOLATILE"})
_PLACES = frozenset(
    """
    SEARCH_PATH SCHEMA CURRENT_SCHEMA CURRENT_SQLID SQLID CATALOG DATABASE NAMESPACE CURRENT_DATABASE CURRENT_CATALOG
    PATH CURRENT_PATH @@DATASET_ID @@DATASET_PROJECT_ID
    """.split()
)
_SCOPES = frozenset({"SESSION", "LOCAL", "CURRENT", "="})
_HEAD = 12
"""So many tokens at the beginning of a statement say what it is."""


def change_state(statements: Iterable[Statement], dialect: SqlDialect) -> bool:
    """Whether one of the statements has to be known to read what follows it in its session."""
    return any(_changes(statement.tokens, dialect) for statement in statements)


def _changes(tokens: list[Token], dialect: SqlDialect) -> bool:
    words = [token.text.upper() for token in tokens[:_HEAD]]
    first = words[0]
    second = words[1] if len(words) > 1 else ""
    if first == "USE":
        return second not in ("ROLE", "WAREHOUSE", "SECONDARY")
    if first == "SET":
        return _sets(words[1:], dialect)
    if first in ("DATABASE", "PREPARE"):
        return True
    if first == "ALTER":
        return second == "SESSION" and not _PLACES.isdisjoint(words)
    if first in ("CREATE", "REPLACE", "DECLARE"):
        return not _TEMPORARY.isdisjoint(words[1:6]) or _makes_hash_table(tokens, words)
    if dialect.family.batches and first in ("SELECT", "WITH"):
        return _selects_into_hash_table(tokens)
    return False


def _sets(words: list[str], dialect: SqlDialect) -> bool:
    """A SET of a place for names, or of a variable. Settings of the server are no variables."""
    while words and words[0] in _SCOPES:
        words = words[1:]
    if not words:
        return False
    name = words[0]
    if name in _PLACES or (name == "SEARCH" and words[1:2] == ["_PATH"]):
        return True
    if name.startswith("@"):
        return (not name.startswith("@@") and name != "@") or (name == "@" and words[1:2] not in (["@"], []))
    if dialect.family.set_declares:
        return "=" in words[1:] or name == "("
    if dialect.substitutes_variables:
        return name in ("HIVEVAR", "VAR", "VARIABLE") or words[1:2] == ["="]
    return False


def _makes_hash_table(tokens: list[Token], words: list[str]) -> bool:
    """T-SQL: ``CREATE TABLE #t``."""
    return "TABLE" in words[1:4] and any(token.text.startswith("#") for token in tokens[:_HEAD])


def _selects_into_hash_table(tokens: list[Token]) -> bool:
    """T-SQL: ``SELECT … INTO #t``."""
    return any(
        token.text.upper() == "INTO" and tokens[at + 1].text.startswith("#") for at, token in enumerate(tokens[:-1])
    )


class _Memories(local):
    """The shapes that a thread has met, as long as it lives."""

    def __init__(self) -> None:
        self.shapes: ShapeMemory[Identified] = ShapeMemory()


_MEMORIES = _Memories()


def identify(question: Question) -> Identified:
    """The identities of the statements in a text."""
    dialect = get_dialect(question.dialect)
    outline = outline_of(question.text, dialect) if question.mode == "shape" else None
    if outline is not None:
        known = _MEMORIES.shapes.find(outline)
        if known is not None:
            return known
    read = read_statements(Script(question.text), dialect)
    if not read.statements:
        # What cannot even be cut into words is still something that the log holds, and that has to be reported.
        return Identified((text_hash(question.text),) if read.problems else ())
    identities = tuple(identity_hash(statement, question.mode) for statement in read.statements)
    answer = Identified(identities, change_state(read.statements, dialect))
    if outline is not None and not read.problems:
        _MEMORIES.shapes.keep(outline, question.text, dialect, read.statements, answer)
    return answer


def identify_all(questions: Sequence[Question]) -> list[Identified]:
    """The same for many, as the task of a guard."""
    return [identify(question) for question in questions]
