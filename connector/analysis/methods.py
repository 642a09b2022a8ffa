"""Methods of values: ``doc.value('…', 'int')``, ``geo.STAsText()``, ``XMLTYPE(x).getClobVal()``.

The grammar takes whatever stands before ``.name(…)`` for the qualifier of a function and makes plain names of all columns
in it, those inside of a subquery included. Here the value is told from the qualifier, and its columns come back.
"""

from __future__ import annotations

from typing import Any

from sqlglot import exp

from connector.analysis.nodes import BASE
from connector.sql.dialects import SqlDialect

_METHODS = frozenset(
    """
    value query exist nodes modify
    tostring getlevel getancestor getdescendant isdescendantof getreparentedvalue
    asbinaryzm astextzm asgml bufferwithcurves bufferwithtolerance envelopeangle envelopecenter instanceof isnull
    isvaliddetailed makevalid mindbcompatibilitylevel numrings reduce reorientobject ringn shortestlineto
    curvetolinewithtolerance filter
    getclobval getstringval getnumberval getblobval getrootelement getnamespace getschemaurl existsnode isfragment transform
    toobject extract appendchildxml createnonschemabasedxml
    get_wkt get_wkb get_gtype get_dims get_geojson get_lrs_dim
    to_string to_clob to_number get_string get_number get_object get_array get_clob get_boolean get_size
    string stringonly numberonly booleanonly dsinterval yminterval
    accessnumber accessvarchar2 accessvarchar accessdate gettypename getobject
    """.split()
)
"""Methods of XML, hierarchyid, spatial and JSON types in SQL Server and Oracle, folded."""

_TYPES = frozenset({"xmltype", "geometry", "geography", "hierarchyid", "anydata", "sdo_geometry", "json"})
"""Types whose static functions are written as methods of the type."""

PROPERTIES = frozenset({"lat", "long", "z", "m", "stx", "sty", "stsrid", "hasz", "hasm"})
"""What values of spatial types say without parentheses, folded."""

_SCHEMAS = frozenset({"main", "pg_catalog", "information_schema", "system"})
"""In DuckDB every function may be called as a method; these qualify one."""

_NAMES_ONLY = frozenset(
    {
        exp.Identifier,
        exp.Column,
        exp.Table,
        exp.TableAlias,
        exp.ColumnDef,
        exp.DataType,
        exp.Schema,
        exp.Star,
        exp.Kwarg,
        exp.PropertyEQ,
        exp.CTE,
    }
)
"""Nodes whose own identifiers are names, not values."""
_NAME_ARGUMENTS = frozenset({"alias", "using", "first", "with_", "hint"})


def is_method(name: str) -> bool:
    """Whether a function of that name is one that values have; ``ST…`` are those of the spatial standard."""
    return name.lower() in _METHODS or (name.startswith("ST") and name[2:3].isupper())


def method_value(left: Any, name: str, dialect: SqlDialect) -> Any:
    """The value whose method is called, with its columns restored; None when `left` only qualifies a function."""
    method = is_method(name) or (dialect.any_function_is_method and left.name.lower() not in _SCHEMAS)
    if left.__class__ is exp.Identifier:
        if not method or left.name.lower() in _TYPES:
            return None
    elif _is_dotted_name(left):
        if not method:
            return None
    elif not isinstance(left, BASE):
        return None
    else:
        # A tree that is being read stays as it is.
        restored = left.copy()
        chained = restored.__class__ is exp.Dot and isinstance(restored.args.get("expression"), exp.Func)
        # What stands before a method of the chain is told from a qualifier when that method is read.
        _restore(restored.args["expression"] if chained else restored)
        return restored
    return _as_column(left)


def qualified_value(parts: list[Any], name: str) -> Any:
    """The same where the grammar took the value for the schema of a table function."""
    if not parts or not is_method(name):
        return None
    if parts[-1].__class__ is not exp.Identifier:
        return parts[-1]
    return _column(parts)


def _is_dotted_name(node: Any) -> bool:
    while node.__class__ is exp.Dot:
        if node.args.get("expression").__class__ is not exp.Identifier:
            return False
        node = node.args["this"]
    return node.__class__ is exp.Identifier


def _as_column(node: Any) -> Any:
    """A name or dotted name as a column; any other node as it is."""
    if node.__class__ is exp.Identifier:
        return _column([node])
    if _is_dotted_name(node):
        parts: list[Any] = []
        while node.__class__ is exp.Dot:
            parts.append(node.args["expression"])
            node = node.args["this"]
        return _column([node, *reversed(parts)])
    return node


def _column(parts: list[Any]) -> Any:
    names = dict(zip(("this", "table", "db", "catalog"), reversed(parts), strict=False))
    return exp.Column(**{place: part.copy() for place, part in names.items()})


def _restore(node: Any) -> None:
    """Makes columns again of the names in a tree, wherever a value stands."""
    stack = [node]
    while stack:
        current = stack.pop()
        if current.__class__ is exp.Lambda:
            _restore_body(current)
            continue
        if current.__class__ in _NAMES_ONLY:
            if current.__class__ in (exp.Kwarg, exp.PropertyEQ):
                # name := value
                restored = _value(current, current.args.get("expression"))
                current.set("expression", restored)
            if current.__class__ in (exp.CTE, exp.Table, exp.Kwarg, exp.PropertyEQ):
                stack.extend(_nodes(current))
            continue
        for name, child in list(current.args.items()):
            if name in _NAME_ARGUMENTS:
                if name == "with_" and isinstance(child, BASE):
                    stack.append(child)
            elif child.__class__ is list:
                for place, item in enumerate(child):
                    restored = _value(current, item)
                    if restored is not item:
                        child[place] = restored
                        restored.parent = current
                    elif isinstance(item, BASE):
                        stack.append(item)
            elif isinstance(child, BASE):
                restored = _value(current, child)
                if restored is not child:
                    current.set(name, restored)
                else:
                    stack.append(child)


def _restore_body(function: Any) -> None:
    """Makes columns again of the names in the body of a lambda function, except of its parameters."""
    parameters = {parameter.name for parameter in function.args.get("expressions") or []}
    body = _value(function, function.args["this"])
    function.set("this", body)
    _restore(body)
    for column in list(body.find_all(exp.Column)):
        if column.args.get("table") is None and column.name in parameters:
            column.replace(column.this)


def _nodes(node: Any) -> list[Any]:
    return [
        item
        for name, child in node.args.items()
        if name not in ("this", "db", "catalog") or node.__class__ is exp.CTE
        for item in (child if child.__class__ is list else [child])
        if isinstance(item, BASE) and item.__class__ is not exp.Identifier
    ]


def _value(parent: Any, node: Any) -> Any:
    if node.__class__ is exp.Identifier:
        return node if parent.__class__ in (exp.Dot, exp.ScopeResolution) else _column([node])
    if node.__class__ is exp.Dot and _is_dotted_name(node):
        return _as_column(node)
    return node
