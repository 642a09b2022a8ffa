"""Statements that cannot be parsed, or whose reader fails: the tables that can still be found, and the problem to report.

Read approximately, for their tables, when the grammar does not know them; reported as a fault of this program when a reader raises;
reported as incomplete when a part is missing; and reported as another dialect when most statements fail and another grammar reads them.

``update set x = 1`` becomes a tree of an UPDATE without a table. Readers rely on complete trees. Where one of them stumbles, the tree
is searched for the hole: if there is one, the statement is wrong, and not this program.
"""

from __future__ import annotations

import logging
import traceback
from pathlib import Path
from typing import Any

from sqlglot import exp
from sqlglot.errors import ParseError

from connector.analysis.context import Context
from connector.analysis.nodes import BASE
from connector.analysis.parsing import parse_statement, parse_tokens, parser_of, recover_statement
from connector.analysis.rowset import Rowset
from connector.sql.dialects import SqlDialect, get_dialect
from connector.sql.statement import Statement
from connector.sql.table_names import NameRef
from connector.sql.tolerant import read_tables


def read_approximately(ctx: Context) -> None:
    """Adds a process, marked approximate, with the tables that the statement reads and writes."""
    reading = read_tables(ctx.statement, ctx.dialect)
    if reading is None or not (reading.inputs or reading.outputs):
        return
    process = ctx.begin(reading.type)
    process.approximate = True
    builder = ctx.builder
    sources = [_table(ctx, ref) for ref in reading.inputs]
    for source in sources:
        builder.flow.sources[source.entity] = None
    if not reading.outputs:
        process.flows.append(builder.flow)
    for ref in reading.outputs:
        ctx.writes(_table(ctx, ref).entity)


def _table(ctx: Context, ref: NameRef) -> Rowset:
    base = ctx.statement.base
    script = ctx.statement.script
    start, end = ref.start + base, ref.end + base
    return ctx.catalog.table(tuple(ref.parts), script.text[start:end], (script, start, end))


_log = logging.getLogger("connector")
_PACKAGE = Path(__file__).parents[1]


def internal_fault(error: Exception, statement: Statement) -> str:
    """What to say of an exception that a statement caused. It is logged with the place in our code."""
    script = statement.script
    where = f"{script.name or 'statement'}:{script.position(statement.start)[0]}"
    message = f"internal error ({type(error).__name__} in {_place(error)}): only the tables of the statement are reported, not its columns"
    _log.warning("%s: %s; please report it together with the statement", where, message)
    _log.debug("%s", where, exc_info=error)
    return message


def _place(error: Exception) -> str:
    """The innermost line of this package that the exception passed."""
    ours = [frame for frame in traceback.extract_tb(error.__traceback__) if _PACKAGE in Path(frame.filename).parents]
    if not ours:
        return "unknown code"
    file = Path(ours[-1].filename).relative_to(_PACKAGE.parent).as_posix()
    return f"{file}, line {ours[-1].lineno}"


STUMBLES = (AssertionError, AttributeError, IndexError, KeyError, TypeError, ValueError)
"""What a reader raises when it meets a hole."""

_LACKING: dict[type, str] = {
    exp.Insert: "the target table is missing",
    exp.Update: "the target table is missing",
    exp.Delete: "the target table is missing",
    exp.Merge: "the target table is missing",
    exp.Table: "the name of a table is missing",
    exp.Column: "the name of a column is missing",
    exp.Identifier: "a name is missing",
    exp.Alias: "the expression before an alias is missing",
    exp.Join: "the table to join is missing",
    exp.From: "the table after FROM is missing",
    exp.CTE: "the query of a common table expression is missing",
    exp.Subquery: "a query is missing",
    exp.Dot: "the name before a dot is missing",
}
_PARTS = frozenset({"this", "expression", "expressions", "on", "using", "then", "fields", "columns", "query", "alias"})
_MAIN_PARTS = frozenset({"this", "expression", "true", "false"})
_WRITING = frozenset({exp.Insert, exp.Update, exp.Delete, exp.Merge})
_NO_TARGETS = (exp.Select, getattr(exp, "SetOperation", exp.Union), exp.Values, exp.Struct, exp.Unnest)
_TRUTHS = (exp.Boolean, exp.Var, exp.Literal)


def missing_in(statement: Statement, dialect: SqlDialect) -> str | None:
    """What a statement lacks whose trees are no longer at hand; None if it is complete."""
    try:
        trees = parse_statement(statement, dialect)
    except ParseError as error:
        recovered = recover_statement(statement, dialect, error)
        trees = recovered[0] if recovered is not None else []
    found = (missing_part(tree) for tree in trees if tree is not None)
    return next((each for each in found if each is not None), None)


def missing_part(tree: Any) -> str | None:
    """What a tree lacks, in words; None if it is complete."""
    pending = [tree]
    while pending:
        node = pending.pop()
        hole = _hole(node)
        if hole is not None:
            return hole
        for name, value in node.args.items():
            if isinstance(value, list):
                if None in value:
                    return f"a part of {node.key.upper()} is missing"
                pending.extend([each for each in value if isinstance(each, BASE)])
            elif isinstance(value, BASE):
                pending.append(value)
            elif (
                isinstance(value, bool) and name in (_PARTS if value else _MAIN_PARTS) and not isinstance(node, _TRUTHS)
            ):
                return f"a part of {node.key.upper()} is missing"
    return None


def _hole(node: Any) -> str | None:
    """What a single node lacks."""
    kind, args = node.__class__, node.args
    this = args.get("this")
    said = _LACKING.get(kind)
    if said is not None and (this is None or (kind in _WRITING and isinstance(this, _NO_TARGETS))):
        return said
    if kind is exp.Column and isinstance(this, (exp.Tuple, exp.Paren)):
        return _LACKING[exp.Column]
    if kind is exp.Alias and args.get("alias") is None:
        return "the name of an alias is missing"
    if kind is exp.CTE and (args.get("alias") is None or args["alias"].args.get("this") is None):
        return "the name of a common table expression is missing"
    if kind is exp.Pivot and isinstance(args.get("expressions"), bool):
        return "a part of PIVOT is missing"
    if kind is exp.Insert and not args.get("expression") and not args.get("default"):
        return "the rows to insert are missing"
    if isinstance(node, exp.Binary) and (this is None or args.get("expression") is None):
        return f"an operand of {node.key.upper()} is missing"
    if (kind is exp.Tuple and not args.get("expressions")) or node.error_messages():
        return f"a part of {node.key.upper()} is missing"
    return None


_CANDIDATES = (
    "postgresql mysql mssql oracle bigquery snowflake databricks hive redshift clickhouse teradata trino duckdb sqlite exasol"
).split()
_FEWEST = 2
_TRIED = 12
"""How many statements are tried in other dialects, and how long they may be."""
_LONGEST = 20_000


def suspected_dialect(failed: list[Statement], count: int, dialect: SqlDialect) -> str | None:
    """The dialect that reads what this one refuses, where that is most of `count` statements; None without suspicion."""
    if len(failed) < _FEWEST or len(failed) * 2 <= count:
        return None
    texts = [statement.text for statement in failed[:_TRIED] if len(statement.text) <= _LONGEST]
    most = 0
    best: list[str] = []
    for name in _CANDIDATES:
        other = get_dialect(name)
        if other.name == dialect.name:
            continue
        readable = sum(_reads(text, other) for text in texts)
        if readable * 5 < len(texts) * 4 or readable < max(most, 1):
            continue
        best = [*best, name] if readable == most else [name]
        most = readable
    return " or ".join(best[:2]) or None


def _reads(text: str, dialect: SqlDialect) -> bool:
    try:
        tokens = dialect.sqlglot.tokenize(text)
        nodes = parse_tokens(parser_of(dialect), tokens, text)
    except MemoryError:
        raise
    except Exception:  # noqa: BLE001 - a grammar that was not made for this text may fail in any way
        return False
    return bool(nodes) and not any(isinstance(node, (exp.Command, exp.Condition, exp.Alias)) for node in nodes)
