"""Selecting columns by a pattern: DuckDB's and ClickHouse's COLUMNS(…), and stars with LIKE, GLOB or SIMILAR TO."""

from __future__ import annotations

import re
from collections.abc import Callable
from fnmatch import fnmatchcase
from operator import ge, gt, le, lt
from typing import Any

from sqlglot import exp

from connector.analysis.builder import STAR
from connector.analysis.names import NameResolver
from connector.analysis.rowset import Rowset
from connector.analysis.scope import Scope
from connector.model import Column

Match = tuple[str, str, Column]
"""Key, name and column; the key of a star means that not all columns are known."""

_Test = Callable[[str], bool]
_ORDERS: dict[type, Callable[[str, str], bool]] = {exp.LT: lt, exp.LTE: le, exp.GT: gt, exp.GTE: ge}
_FILTERS = (exp.Like, exp.ILike, exp.Glob, exp.SimilarTo, exp.RegexpLike)


def is_filtered_star(node: Any) -> bool:
    """`* LIKE 'q%'` and the like."""
    if node.__class__ is exp.Not:
        node = node.args["this"]
    return isinstance(node, _FILTERS) and _is_star(node.args.get("this"))


def columns_node(node: Any) -> Any:
    """The COLUMNS(…) that an expression is repeated for, None when it has none."""
    return next((found for found in node.find_all(exp.Columns) if not _is_unpacked(found)), None)


def _is_unpacked(node: Any) -> bool:
    """`*COLUMNS(…)` and `UNPACK(COLUMNS(…))`: all the columns are arguments of one call."""
    parent = node.parent
    return bool(node.args.get("unpack")) or (parent.__class__ is exp.Anonymous and parent.name.lower() == "unpack")


def applied_functions(node: Any) -> tuple[Any, str]:
    """ClickHouse's `* APPLY(f) APPLY(g)`: the call that is repeated for each column, and the pattern of its name.

    Any other expression comes back as it is, without a pattern.
    """
    functions: list[str] = []
    inner = node
    while inner.__class__ is exp.Apply:
        functions.append(inner.args["expression"].name)
        inner = inner.args["this"]
    if not functions:
        return node, ""
    call = exp.Columns(this=inner.copy()) if _is_star(inner) else inner.copy()
    pattern = "{}"
    for function in reversed(functions):
        if function:
            call = exp.func(function, call, dialect="clickhouse")
            pattern = f"{function}({pattern})"
    return call, pattern


def excluded_keys(names: NameResolver, items: Any, scope: Scope, source: Rowset) -> frozenset[str]:
    """The columns of a rowset that EXCEPT or EXCLUDE takes from a star; what is no name there excludes nothing.

    `* EXCLUDE (t.a)` takes the column of that table alone, and where `t` is no table, a field of a struct.
    """
    found: set[str] = set()
    for item in items if isinstance(items, list) else [items]:
        is_column = item.__class__ is exp.Column
        identifier = item.args["this"] if is_column else item
        qualifier = item.args.get("table") if is_column else None
        if identifier.__class__ is exp.Identifier and (
            qualifier is None or names.source_of(qualifier, scope) is source
        ):
            found.add(names.key(identifier))
    return frozenset(found)


def matching_columns(node: Any, scope: Scope, names: NameResolver) -> list[Match]:
    """The columns of the FROM clause that a pattern selects, in order."""
    star: Any = None
    test: _Test = _any
    exceptions: Any = None
    if node.__class__ is exp.Columns:
        pattern = node.args["this"]
        if _is_star(pattern):
            star = pattern
        else:
            test = _test(pattern)
    else:
        negated = node.__class__ is exp.Not
        inner = node.args["this"] if negated else node
        star = inner.args["this"]
        test = _condition(inner)
        if negated:
            test = _negation(test)
    table = None
    if star is not None:
        table = star.args.get("table") if star.__class__ is exp.Column else None
        plain = star.args["this"] if star.__class__ is exp.Column else star
        exceptions = plain.args.get("except_")
        if plain.args.get("ilike") is not None:
            test = _like(plain.args["ilike"].name, re.IGNORECASE)
    found: list[Match] = []
    sources = [names.source_of(table, scope)] if table is not None else list(scope.sources.values())
    merged: set[str] = set()
    for source in sources:
        if source is None:
            continue
        excluded = excluded_keys(names, exceptions, scope, source)
        for key, name, column in _columns(source, names):
            if key == STAR or (key not in excluded and key not in merged and test(name)):
                found.append((key, name, column))
            if table is None and scope.merged is not None and key in scope.merged:
                merged.add(key)
    return found


def new_name(node: Any, alias: str, name: str) -> str:
    r"""The name that `COLUMNS('q(\d)') AS 'n\1'` gives to one of its columns."""
    pattern = node.args["this"]
    if pattern.__class__ is exp.Literal and "\\" in alias:
        match = re.search(pattern.name, name, re.IGNORECASE)
        if match is not None:
            # To Python \0 is a character, to DuckDB all that fits.
            return match.expand(alias.replace("\\0", "\\g<0>"))
    if pattern.__class__ is not exp.Literal:
        # Without a regular expression every name fits as a whole.
        return alias.replace("\\0", name)
    return alias


def _columns(source: Rowset, names: NameResolver) -> list[Match]:
    builder = names.builder
    if source.outputs:
        return [(key, column.name, column) for key, column in source.outputs]
    if source.known is None:
        return [(STAR, STAR, source.column(builder, STAR, STAR, None))]
    return [(key, name, source.column(builder, key, name, None)) for key, name in source.known.items()]


def _is_star(node: Any) -> bool:
    return node.__class__ is exp.Star or (node.__class__ is exp.Column and node.args["this"].__class__ is exp.Star)


def _any(name: str) -> bool:
    return True


def _negation(test: _Test) -> _Test:
    return lambda name: not test(name)


def _test(pattern: Any) -> _Test:
    """What the argument of COLUMNS(…) asks of a name; whatever is not understood lets every column through."""
    if pattern.__class__ is exp.Literal:
        return _regular_expression(pattern.name)
    if pattern.__class__ is exp.Array:
        items = pattern.args.get("expressions") or []
        if len(items) == 1 and items[0].__class__ is exp.Comprehension:
            # [c for c in (*) if c like 'q%']
            condition = items[0].args.get("condition")
            return _condition(condition) if condition is not None else _any
        listed = {item.name.lower() for item in pattern.args.get("expressions") or ()}
        return lambda name: name.lower() in listed
    if pattern.__class__ is exp.Lambda:
        return _condition(pattern.args["this"])
    return _any


def _condition(node: Any) -> _Test:
    """A condition on the name of a column."""
    kind = node.__class__
    args = node.args
    if kind is exp.Paren:
        return _condition(args["this"])
    if kind is exp.Not:
        return _negation(_condition(args["this"]))
    if kind in (exp.And, exp.Or):
        left, right = _condition(args["this"]), _condition(args["expression"])
        if kind is exp.And:
            return lambda name: left(name) and right(name)
        return lambda name: left(name) or right(name)
    if kind is exp.In:
        listed = {item.name.lower() for item in args.get("expressions") or ()}
        return lambda name: name.lower() in listed
    wanted = args.get("expression")
    if wanted.__class__ is not exp.Literal:
        return _any
    test = _comparison(kind, wanted.name)
    return _negation(test) if args.get("negate") else test


def _comparison(kind: type, text: str) -> _Test:
    if kind in (exp.Like, exp.ILike):
        return _like(text, re.IGNORECASE if kind is exp.ILike else 0)
    if kind is exp.Glob:
        return lambda name: fnmatchcase(name, text)
    if kind is exp.SimilarTo:
        return _regular_expression(f"^(?:{text})$")
    if kind is exp.RegexpLike:
        return _regular_expression(text)
    if kind is exp.EQ:
        return lambda name: name == text
    if kind is exp.NEQ:
        return lambda name: name != text
    if kind is exp.StartsWith:
        return lambda name: name.startswith(text)
    if kind in _ORDERS:
        return lambda name: _ORDERS[kind](name, text)
    return _any


def _like(pattern: str, flags: int) -> _Test:
    parts = [".*" if character == "%" else "." if character == "_" else re.escape(character) for character in pattern]
    compiled = re.compile("".join(parts), flags | re.DOTALL)
    return lambda name: compiled.fullmatch(name) is not None


def _regular_expression(pattern: str) -> _Test:
    try:
        compiled = re.compile(pattern, re.IGNORECASE)
    except re.error:
        return _any
    return lambda name: compiled.search(name) is not None
