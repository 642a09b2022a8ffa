"""Queries that another server runs: OPENQUERY, EXTERNAL_QUERY, dblink and similar functions.

The text is a query in the language of that server, and its tables are there: they are named by the connection. The
result is a source of the query around it like any derived table.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from sqlglot import exp
from sqlglot.errors import ParseError, TokenError

from connector.analysis.context import Context, Target
from connector.analysis.nameless import NAMELESS, shown
from connector.analysis.nodes import children
from connector.analysis.parsing import parse_statement
from connector.analysis.places import connection_name
from connector.analysis.routines.texts import DynamicScript, Text
from connector.analysis.routines.unknown import has_unknown, without_unknown
from connector.analysis.rowset import Rowset
from connector.model import ProblemType
from connector.sql.dialects import SqlDialect, get_dialect
from connector.sql.statement import Statement

_SERVERS = ("mssql", "oracle", "postgresql", "mysql", "db2", "teradata")
"""The dialects that a linked server may have; the first that parses the text is used."""

_PROVIDERS = {"oraoledb": ("oracle",), "msdaora": ("oracle",), "sqlncli": ("mssql",), "msoledbsql": ("mssql",)}
"""By the beginning of an OLE DB provider's name what its server speaks."""

_FUNCTIONS: dict[str, tuple[str, ...]] = {
    "openquery": _SERVERS,
    "openrowset": _SERVERS,
    "external_query": ("postgresql", "mysql", "bigquery"),
    "dblink": ("postgresql",),
    "postgres_query": ("postgresql",),
    "mysql_query": ("mysql",),
    "sqlite_query": ("sqlite",),
    "remote_query": ("postgresql", "mysql", "mssql", "oracle", "snowflake"),
}
"""Functions whose first argument is a connection and whose last is a query, and what the query may be written in."""

_TABLE_FUNCTIONS = {
    "remote": ("clickhouse", 0),
    "remotesecure": ("clickhouse", 0),
    "mysql": ("mysql", 0),
    "postgresql": ("postgresql", 5),
}
"""Functions that give the rows of a table of another server, or take rows for it: what that server speaks, and which
argument is the schema, if any is."""

_QUERY = re.compile(r"[\s(]*(?:SELECT|WITH|VALUES)\b", re.I)
"""How a text begins that is a query."""

_SIGNS = {"oracle": ("(+)",), "mysql": ("`",), "postgresql": ("::",), "mssql": ("[",)}
"""What other languages might read too, but only one of them writes."""


@dataclass(slots=True)
class _Call:
    """A query for another server."""

    connection: str
    query: Any
    """The node of the text, None where it is not a constant."""
    dialects: tuple[str, ...]
    place: Any

    def __post_init__(self) -> None:
        self.connection = shown(self.connection)

    @property
    def server(self) -> str:
        return self.connection or "another server"


class ForeignReader:
    """Reads foreign queries into the model of the query around them."""

    __slots__ = ("_contexts", "ctx")

    def __init__(self, ctx: Context) -> None:
        self.ctx = ctx
        self._contexts: dict[tuple[str, str], Context] = {}

    def rows(self, node: Any) -> Rowset | None:
        """The rows of a function in FROM that asks another server; None when it is no such function."""
        call = _foreign_call(node)
        if call is None and self.ctx.dialect.own_query_functions:
            call = self._own_call(node)
        if call is None:
            return None
        if call.query is None:
            if not self._is_template(call.place):
                self.not_constant(call.connection, call.place)
            return self._nameless()
        for statement, dialect, query in self._readings(call):
            if NAMELESS in statement.script.text:
                message = f"Part of the query for {call.server} is not constant: it may read further tables"
                self._problem("Note", message, call.place)
            return self._read(statement, dialect, query, call)
        if str(call.query.name).lstrip().lower().startswith(("exec", "call", "{")):
            message = f"These rows come from a procedure of {call.server}: its sources are unknown"
            self._problem("SyntaxHint", message, call.place)
        else:
            self._problem("SyntaxError", f"The query for {call.server} cannot be parsed", call.place)
        return self._nameless()

    def _is_template(self, call: Any) -> bool:
        """Whether the text is made of the parameters of a macro: it is known for each of its calls."""
        names = self.ctx.names
        if not names.variables or not self.ctx.dialect.own_query_functions:
            return False
        return any(names.key(column.args["this"]) in names.variables for column in call.find_all(exp.Column))

    def own_rows(self, text: Any, place: Any) -> Rowset | None:
        """The rows of a query that the server itself runs, for a function that is given it as a text; None of any other."""
        text = _joined(text)
        if not _is_known(text) or not _QUERY.match(str(text.name)):
            return None
        call = _Call("", text, (self.ctx.dialect.name,), place)
        return next((self._read(*found, call) for found in self._readings(call)), None)

    def target(self, node: Any) -> tuple[Rowset, list[Target]] | None:
        """The table that is written through a query of another server, and the columns that the query shows of it."""
        call = _foreign_call(node)
        if call is None or call.query is None:
            return None
        for statement, dialect, query in self._readings(call):
            from_clause = query.args.get("from_")
            table = from_clause.args["this"] if from_clause is not None else None
            if table.__class__ is not exp.Table:
                return None
            with self._inside(statement, dialect, call) as foreign:
                items = [item for item in query.args.get("expressions") or () if item.__class__ is exp.Column]
                names = [(self.ctx.names.key_of(item.name), item.name, None) for item in items]
                return foreign.target(table), [name for name in names if name[0] != "*"]
        return None

    def _own_call(self, node: Any) -> _Call | None:
        """``query('SELECT …')``, ``query_table('t')``: a text for the server itself."""
        call = node.args.get("this")
        name = str(call.args["this"]).lower() if call.__class__ is exp.Anonymous else ""
        arguments = call.args.get("expressions") or [] if name in ("query", "query_table") else []
        if not arguments:
            return None
        text = _joined(arguments[0])
        if name == "query_table":
            tables = [_joined(table) for table in text.args["expressions"]] if text.__class__ is exp.Array else [text]
            union = " UNION ALL BY NAME " if len(arguments) > 1 else " UNION ALL "
            if all(map(_is_known, tables)):
                text = exp.Literal.string(union.join([f"FROM {table.name}" for table in tables]))
        if not _is_known(text):
            return _Call(name, None, (), call)
        return _Call("", text, (self.ctx.dialect.name,), call)

    def _readings(self, call: _Call) -> Iterator[tuple[Statement, SqlDialect, Any]]:
        """The text as a query, in each of the languages that it may be written in and that read it."""
        text = self._text(call.query)
        script = DynamicScript(self.ctx.builder.script, text, *_ends(text))
        for name in _by_signs(text.text, call.dialects):
            dialect = get_dialect(name)
            try:
                tokens = dialect.sqlglot.tokenize(text.text)
            except TokenError:
                continue
            while tokens and tokens[-1].text == ";":
                tokens.pop()
            if has_unknown(tokens):
                tokens, _ = without_unknown(tokens)
            if not tokens:
                return
            end = tokens[-1].end + 1
            statement = Statement(script, 0, tokens, tokens[0].start, end, end)
            try:
                nodes = parse_statement(statement, dialect)
            except (ParseError, RecursionError):
                continue
            if len(nodes) == 1 and isinstance(nodes[0], exp.Query):
                yield statement, dialect, nodes[0]

    def _text(self, node: Any) -> Text:
        """The text of a literal, each letter with its place in the script."""
        builder = self.ctx.builder
        content = str(node.name)
        meta = node._meta
        if not meta or "start" not in meta:
            return Text(content, (0,) * len(content))
        start, end = meta["start"] + builder.base, meta["end"] + 1 + builder.base
        found = builder.script.text.find(content, start, end)
        first = found if found >= 0 else start
        last = max(end - 1, first)
        return Text(content, tuple(min(first + place, last) for place in range(len(content))))

    def _read(self, statement: Statement, dialect: SqlDialect, query: Any, call: _Call) -> Rowset:
        with self._inside(statement, dialect, call) as foreign:
            result = foreign.queries.read(query, None, None)
        return self._folded(result, dialect)

    @contextmanager
    def _inside(self, statement: Statement, dialect: SqlDialect, call: _Call) -> Iterator[Context]:
        """While the foreign text is read, places are places in it."""
        builder = self.ctx.builder
        foreign = self._context(call.connection, dialect) if call.connection else self.ctx
        outer = foreign.statement
        around = builder.script, builder.base, builder.reach
        foreign.statement = foreign.expressions.statement = statement
        builder.script, builder.base, builder.reach = statement.script, 0, -1
        try:
            yield foreign
        finally:
            builder.script, builder.base, builder.reach = around
            foreign.statement = foreign.expressions.statement = outer

    def _folded(self, result: Rowset, dialect: SqlDialect) -> Rowset:
        """The columns under the names that the query around knows them by: its own dialect folds them."""
        fold = self.ctx.names.key_of
        if dialect.fold_column("aB", False) != fold("aB"):
            entity = result.entity
            entity.columns = {fold(key): column for key, column in entity.columns.items()}
            result.outputs = [(fold(key), column) for key, column in result.outputs]
        return result

    def _context(self, connection: str, dialect: SqlDialect) -> Context:
        """Readers for a language, whose tables are those of the connection."""
        found = self._contexts.get((connection, dialect.name))
        if found is None:
            ctx = self.ctx
            found = Context.create(ctx.builder.model, dialect, ctx.options, None, ctx.statement, ctx.builder)
            found.catalog.connect((connection, True), ctx.catalog)
            self._contexts[connection, dialect.name] = found
        return found

    def _nameless(self) -> Rowset:
        """Rows of which nothing is known."""
        builder = self.ctx.builder
        found = Rowset(builder.resultset("function"))
        found.feeds = []
        builder.finish(found.entity, builder.reach)
        return found

    def not_constant(self, name: str, place: Any) -> None:
        """Says that the text of a query depends on something."""
        self._problem("SyntaxHint", f"The query for {name} is not constant: its tables are unknown", place)

    def _problem(self, kind: ProblemType, message: str, place: Any) -> None:
        statement = self.ctx.statement
        span = self.ctx.names.span(place)
        start, end = (span[1], span[2]) if span is not None else (statement.start, statement.end)
        self.ctx.builder.problem(kind, message, start, end)


def _by_signs(text: str, dialects: tuple[str, ...]) -> list[str]:
    """The languages, those first whose own signs stand in the text."""
    return sorted(dialects, key=lambda name: not any(sign in text for sign in _SIGNS.get(name, ())))


def _ends(text: Text) -> tuple[int, int]:
    return (text.origins[0], text.origins[-1] + 1) if text.origins else (0, 0)


def _foreign_call(node: Any) -> _Call | None:
    """The foreign query that a FROM item asks for."""
    call = node.args.get("this")
    if call.__class__ is not exp.Anonymous:
        return None
    name = str(call.args["this"]).lower()
    arguments = call.args.get("expressions") or []
    if name == "table" and len(arguments) == 1:
        return _passed_through(arguments[0])
    if name in _TABLE_FUNCTIONS and len(arguments) > 1:
        return _table_of_a_server(call, name, arguments)
    dialects = _FUNCTIONS.get(name)
    if dialects is None or not arguments:
        return None
    positional = [argument for argument in arguments if argument.__class__ is not exp.Kwarg]
    named = {str(item.this.name).lower(): item.expression for item in arguments if item.__class__ is exp.Kwarg}
    if name == "openrowset":
        return _open_rowset(call, positional)
    if name == "dblink" and positional and positional[-1].__class__ is exp.Boolean:
        positional.pop()
    query = named.get("query") or (positional[-1] if positional else None)
    connection = name
    if len(positional) + len(named) > 1 and positional and (_is_string(positional[0]) or name == "openquery"):
        connection = connection_name(positional[0])
    if connection.startswith(NAMELESS):
        # Dynamic SQL: the connection is unknown.
        connection = name
    return _Call(connection, query if _is_known(query) else None, dialects, call)


def _table_of_a_server(call: Any, name: str, arguments: list[Any]) -> _Call | None:
    """ClickHouse: ``remote('address', db.t)``, ``mysql('address', 'db', 't', …)``: a table of another server."""
    named = (
        arguments[1:2] if arguments[1].__class__ is exp.Column and arguments[1].args.get("table") else arguments[1:3]
    )
    if any(not (_is_known(part) or part.__class__ is exp.Column) for part in named):
        return None
    dialect, schema = _TABLE_FUNCTIONS[name]
    if 0 < schema < len(arguments) and _is_known(arguments[schema]):
        named = [named[0], arguments[schema], *named[1:]]
    *qualifiers, table = ".".join(part.name if _is_string(part) else part.sql() for part in named).split(".")
    # Which database of the server it is belongs to the connection: a name has no place for more layers.
    connection = ".".join([connection_name(arguments[0]), *qualifiers])
    return _Call(connection, exp.Literal.string(f"SELECT * FROM {table}"), (dialect,), call)


def _open_rowset(call: Any, arguments: list[Any]) -> _Call | None:
    """``OPENROWSET('provider', 'connection', 'query')``; with BULK it reads a file, and a name is read as a table."""
    if len(arguments) < 3 or not _is_string(arguments[0]):
        return None
    provider = arguments[0].name.lower()
    dialects = next((found for start, found in _PROVIDERS.items() if provider.startswith(start)), _SERVERS)
    connection = connection_name(arguments[1])
    last = arguments[-1]
    if last.__class__ is exp.Column:
        parts = [last.args.get(part) for part in ("catalog", "db", "table", "this")]
        query = "SELECT * FROM " + ".".join(part.sql(dialect="tsql") for part in parts if part is not None)
        last = exp.Literal.string(query)
    return _Call(connection, last if _is_known(last) else None, dialects, call)


def _passed_through(argument: Any) -> _Call | None:
    """Trino: ``TABLE(catalog.system.query(query => '…'))``."""
    if argument.__class__ is not exp.Dot or argument.args["expression"].__class__ is not exp.Anonymous:
        return None
    inner = argument.args["expression"]
    qualifier = argument.args["this"]
    if str(inner.args["this"]).lower() != "query" or qualifier.__class__ is not exp.Dot:
        return None
    if str(qualifier.args["expression"].name).lower() != "system":
        return None
    catalog = qualifier.args["this"].name
    items = inner.args.get("expressions") or []
    texts = [item.expression if item.__class__ is exp.Kwarg else item for item in items]
    query = next((text for text in texts if _is_string(text)), None)
    return _Call(catalog, query, (*(each for each in _SERVERS if each in catalog.lower()), *_SERVERS), inner)


def _is_known(node: Any) -> bool:
    """Whether a text is constant: in dynamic SQL a part of it may be unknown."""
    return _is_string(node) and not str(node.name).startswith(NAMELESS)


def _is_string(node: Any) -> bool:
    return node.__class__ in (exp.Literal, exp.National, exp.RawString) and (
        node.__class__ is not exp.Literal or bool(node.args.get("is_string"))
    )


def _joined(node: Any) -> Any:
    """Constants that are put together, ``'FROM ' || 't'``, as one; any other value as it is."""
    if node.__class__ not in (exp.DPipe, exp.Concat):
        return node
    parts = [_joined(part) for part in children(node)]
    return exp.Literal.string("".join(str(part.name) for part in parts)) if all(map(_is_known, parts)) else node
