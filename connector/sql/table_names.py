"""Names of tables read from bare tokens, names of common table expressions that hide them, and names inside Iceberg tables."""

from __future__ import annotations

from dataclasses import dataclass

from sqlglot.tokenizer_core import Token, TokenType

from connector.sql.dialects import SqlDialect
from connector.sql.statement import Statement
from connector.sql.words import LITERALS, word

NOT_A_NAME = frozenset(
    """
    SELECT WITH VALUES WHERE GROUP ORDER HAVING LIMIT SET ON USING UNION EXCEPT INTERSECT MINUS FROM JOIN INNER LEFT RIGHT
    FULL CROSS OUTER NATURAL UNNEST WHEN THEN AND OR NOT NULL CASE INTO AS INSERT UPDATE DELETE MERGE OUTFILE DUMPFILE
    DIRECTORY LOCAL IF EXISTS
    """.split()
)
"""Words that end the search for a table."""


@dataclass(frozen=True, slots=True)
class NameRef:
    """A name as written: its parts without quotes, each with whether it was quoted, and its place (token offsets)."""

    parts: list[tuple[str, bool]]
    start: int
    end: int


def read_name(tokens: list[Token], i: int) -> tuple[NameRef | None, int]:
    """The dotted name that starts at `i`, if one does, and the token after it."""
    parts: list[tuple[str, bool]] = []
    start = tokens[i].start
    if stands_in_variable(tokens, i):
        return None, i
    while i < len(tokens):
        part, i = _part(tokens, i, first=not parts)
        if part is None:
            break
        parts.append(part)
        if not _is_dot(tokens, i):
            break
        i += 1
        if _is_dot(tokens, i):
            # SQL Server: db..table
            parts.append(("", False))
            i += 1
    if not parts:
        return None, i
    return NameRef(parts, start, tokens[i - 1].end + 1), i


def stands_in_variable(tokens: list[Token], i: int) -> bool:
    """``IDENTIFIER($target)``: a name that only the run knows."""
    return word(tokens, i) == "IDENTIFIER" and word(tokens, i + 1) == "(" and word(tokens, i + 2) in ("$", ":", "?")


def _is_dot(tokens: list[Token], i: int) -> bool:
    return i < len(tokens) and tokens[i].token_type is TokenType.DOT


def _part(tokens: list[Token], i: int, first: bool) -> tuple[tuple[str, bool] | None, int]:
    token = tokens[i]
    if token.token_type is TokenType.IDENTIFIER:
        return (token.text, True), i + 1
    prefix = ""
    while token.token_type in (TokenType.HASH, TokenType.PARAMETER) and i + 1 < len(tokens):
        if tokens[i + 1].start != token.end + 1:
            return None, i
        prefix += token.text
        i += 1
        token = tokens[i]
    text = token.text
    begins = text[:1].isalpha() or text[:1] in tuple("_$#{&%@:")
    if not (begins or (text[:1].isdigit() and token.token_type is TokenType.VAR)) or token.token_type in LITERALS:
        return None, i
    if first and text.upper() in NOT_A_NAME:
        return None, i
    i += 1
    while _is_dashed(tokens, i):
        text += "-" + tokens[i + 1].text
        i += 2
    return (prefix + text, False), i


def _is_dashed(tokens: list[Token], i: int) -> bool:
    """BigQuery: a dash inside the name of a project, without white space around it."""
    return (
        i + 1 < len(tokens)
        and tokens[i].token_type is TokenType.DASH
        and tokens[i].start == tokens[i - 1].end + 1
        and tokens[i + 1].start == tokens[i].end + 1
    )


def common_tables(statement: Statement, dialect: SqlDialect) -> list[tuple[str, int]]:
    """Names of common table expressions, each with the offset from which it hides a table of that name."""
    tokens = statement.tokens
    found: list[tuple[str, int]] = []
    for i, token in enumerate(tokens):
        if token.token_type is TokenType.WITH:
            found.extend(_expressions(statement, i + 1, dialect))
    return found


def _expressions(statement: Statement, i: int, dialect: SqlDialect) -> list[tuple[str, int]]:
    """The expressions of the WITH clause whose list begins at `i`."""
    tokens, index = statement.tokens, statement.index
    found: list[tuple[str, int]] = []
    recursive = word(tokens, i) == "RECURSIVE"
    if recursive:
        i += 1
    recursive = recursive or dialect.implicit_recursion
    while i < len(tokens):
        name = tokens[i]
        i += 1
        if word(tokens, i) == "(":
            i = index.close(i) + 1
        if word(tokens, i) != "AS":
            break
        i += 1
        while word(tokens, i) in ("NOT", "MATERIALIZED"):
            i += 1
        if word(tokens, i) != "(":
            break
        closed = index.close(i)
        visible = tokens[i if recursive else closed].start
        found.append((dialect.fold_column(name.text, name.token_type is TokenType.IDENTIFIER), visible))
        i = closed + 1
        if word(tokens, i) != ",":
            break
        i += 1
    return found


NamePart = tuple[str, bool]

_DESCRIBING = frozenset(
    """
    all_data_files all_delete_files all_entries all_files all_manifests data_files delete_files entries files history
    manifests metadata_log_entries partitions position_deletes properties refs snapshots
    """.split()
)
_VERSIONS = ("branch_", "tag_")


def described_table(parts: tuple[NamePart, ...], dialect: SqlDialect) -> tuple[tuple[NamePart, ...], bool] | None:
    """The table that a name lies inside of, and whether it has the columns of that table; None for all other names.

    Hive, Impala and Spark write ``db.t.branch_x`` and ``db.t.snapshots``, Trino writes ``"t$snapshots"``.
    """
    name, quoted = parts[-1]
    if dialect.inner_table_suffix:
        table, dollar, inner = name.rpartition("$")
        return ((*parts[:-1], (table, quoted)), False) if dollar and table and inner.lower() in _DESCRIBING else None
    if not 0 < dialect.inner_table_parts <= len(parts):
        return None
    lower = name.lower()
    if lower.startswith(_VERSIONS):
        return parts[:-1], True
    return (parts[:-1], False) if lower in _DESCRIBING else None
