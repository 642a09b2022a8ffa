"""What the trees of FROM items say: the parts of a table's name, and what stands around it."""

from __future__ import annotations

from typing import Any

from sqlglot import exp

from connector.analysis.catalog import NamePart
from connector.analysis.places import connection_of
from connector.sql.dialects import SqlDialect

_NO_NAME = exp.Identifier(this="", quoted=False)
"""The missing middle of `db..table`."""


def unpivoted_object(node: Any) -> Any:
    """Redshift: ``UNPIVOT t.object AS value AT attribute`` and ``t.array AS element AT index``: as UNNEST does it."""
    value = node.args["this"] if node.__class__ is exp.AtIndex else node
    columns = [value.args["alias"].copy()]
    if value is not node:
        columns.append(node.args["expression"].copy())
    return exp.Unnest(expressions=[value.args["this"].copy()], alias=exp.TableAlias(columns=columns))


def unnested(table: Any) -> Any:
    """BigQuery and Redshift: ``FROM t, t.items AS x``: each element of an array, by its name alone, as UNNEST does it."""
    parts = name_identifiers(table.args)
    array = exp.column(*reversed(parts[:4]), fields=parts[4:])
    alias = table.args.get("alias")
    named = parts[-1:]
    if alias is not None:
        named = [alias.args["this"]] if alias.args.get("this") is not None else alias.args["columns"]
    columns = [identifier.copy() for identifier in named]
    return exp.Unnest(expressions=[array], alias=exp.TableAlias(columns=columns))


def applied_table(lateral: Any) -> Any | None:
    """``CROSS APPLY t AS x``: a table may stand there as well as a function or a query; None where one of those does."""
    this = lateral.args["this"]
    if lateral.args.get("cross_apply") is None or this.__class__ not in (exp.Identifier, exp.Dot, exp.Parameter):
        return None
    parts = []
    while this.__class__ is exp.Dot:
        parts.append(this.args.get("expression") or _NO_NAME)
        this = this.args["this"]
    parts.append(this)
    if any(part.__class__ is not exp.Identifier for part in parts[:-1]) or len(parts) > 4:
        return None
    if len(parts) == 4:
        parts[:2] = [exp.Dot(this=parts[1].copy(), expression=parts[0].copy())]
    named = {name: part.copy() for name, part in zip(("this", "db", "catalog"), parts, strict=False)}
    alias = lateral.args.get("alias")
    return exp.Table(**named, alias=alias.copy() if alias is not None else None)


def bare_call(node: Any) -> Any | None:
    """Oracle: the name in ``TABLE(package.f)``, where a function without arguments needs no parentheses; else None."""
    call = node.args.get("this")
    if call.__class__ is not exp.Anonymous or call.name.upper() not in ("TABLE", "THE"):
        return None
    arguments: list[Any] = call.args.get("expressions") or []
    name = arguments[0] if len(arguments) == 1 else None
    return name if name.__class__ is exp.Column and name.args.get("table") is not None else None


def with_call(node: Any, name: Any) -> Any:
    """The FROM item with a call in the place of that name."""
    call = exp.Anonymous(this=name.name, expressions=[])
    call.meta.update(name.args["this"].meta)
    qualifier = name.args["table"].copy()
    if name.args.get("db") is not None:
        qualifier = exp.Dot(this=name.args["db"].copy(), expression=qualifier)
    called = exp.Dot(this=qualifier, expression=call)
    made = node.copy()
    made.args["this"].set("expressions", [called])
    return made


def is_group(node: Any) -> bool:
    """A parenthesis in FROM that holds tables and joins, not a query."""
    inner = node.args["this"]
    while inner.__class__ is exp.Subquery:
        if inner.args.get("alias") is not None or inner.args.get("joins"):
            return True
        inner = inner.args["this"]
    return inner.__class__ is exp.Table and not node.args.get("pivots")


def has_options(node: Any, dialect: SqlDialect) -> bool:
    """Hive: ``t('acid.fetch.deleted.rows' = 'true')`` is a table and how to read it, and no call.

    ClickHouse: ``v(day = '2024-01-01')`` is a view with values for its parameters.
    """
    arguments = node.args.get("expressions") if node.__class__ is exp.Anonymous else None
    return bool(arguments) and all(
        item.__class__ is exp.EQ
        and (item.args["this"].__class__ is exp.Column or (dialect.storage_handlers and item.args["this"].is_string))
        for item in arguments or ()
    )


def named_as_table(call: Any) -> Any:
    """The name of a call as the name of a table, at its place."""
    identifier = exp.Identifier(this=str(call.name), quoted=False)
    identifier.meta.update(call.meta)
    return identifier


def name_identifiers(args: dict[str, Any]) -> list[Any]:
    """The identifiers that the name of a table consists of, the outermost first."""
    this = args["this"]
    catalog, db = args.get("catalog"), args.get("db")
    if catalog is None and db is None and this.__class__ is exp.Identifier:
        return [this]
    # Asking a node whether it equals a text costs much, asking for its class next to nothing.
    found = [part for part in (catalog, db) if part is not None]
    while this.__class__ is exp.Dot:
        found.append(this.args["this"])
        this = this.args["expression"]
    found.append(this)
    return [_NO_NAME if part.__class__ is str else part for part in found]


def name_part(identifier: Any) -> NamePart:
    """The name and whether it is quoted, with the sign of a temporary table that the grammar takes off."""
    inner = identifier.args
    if len(inner) == 2 and "quoted" in inner and inner["this"].__class__ is str:
        return inner["this"], bool(inner["quoted"])
    if identifier.__class__ is exp.Anonymous:
        # OPENDATASOURCE(…).database.schema.table
        return connection_of(identifier), True
    name = str(identifier.name)
    if inner.get("temporary"):
        name = "#" + name
    elif inner.get("global_"):
        name = "##" + name
    return name, bool(inner.get("quoted"))


_READING_MODES = frozenset({exp.Final, exp.Stream})


def without_reading_mode(node: Any) -> Any:
    """``t FINAL``, ``STREAM t``, ``STREAM(t) AS s``: how a table is read, not what."""
    while node.__class__ in _READING_MODES:
        alias = node.args.get("alias")
        node = node.args["this"]
        if node.__class__ is exp.Subquery and node.args["this"].__class__ is exp.Table and not node.args.get("alias"):
            node = node.args["this"]
        if alias is not None and node.args.get("alias") is None:
            node = node.copy()
            node.set("alias", alias.copy())
    return node
