"""Lambdas over lists of structs: `list_transform(l, lambda e: e.p)` takes one field of each element, and leaves the others."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from sqlglot import exp

from connector.analysis.builder import Impacts
from connector.analysis.nodes import BASE, children
from connector.analysis.rowset import Path
from connector.analysis.scope import Scope
from connector.analysis.structs import struct_origins
from connector.model import Column

if TYPE_CHECKING:
    from connector.analysis.expressions import ExpressionReader
    from connector.analysis.names import NameResolver

MAPPING = frozenset({exp.Transform, exp.Exists})
"""Functions of a list and a lambda that give what the lambda makes of the elements, and nothing of the elements themselves."""


def mapped_fields(node: Any, scope: Scope, expressions: ExpressionReader, out: list[Column], impacts: Impacts) -> bool:
    """Whether such a function reads no more than fields of structs that the query puts together; adds these fields."""
    mapping = node.args.get("expression")
    parameters = mapping.args.get("expressions") or [] if mapping.__class__ is exp.Lambda else []
    if not parameters:
        return False
    return read_fields(node.args["this"], parameters[0], [mapping.args["this"]], scope, expressions, out, impacts)


def read_fields(
    elements: Any,
    parameter: Any,
    bodies: list[Any],
    scope: Scope,
    expressions: ExpressionReader,
    out: list[Column],
    impacts: Impacts,
) -> bool:
    """Whether all that the bodies read of a list's elements are fields whose origins are known; adds these."""
    names = expressions.names
    paths = _paths(names.key(parameter), bodies, names)
    origins = struct_origins(elements, scope, expressions) if paths else None
    if origins is None or origins.values:
        return False
    for path in paths or ():
        origins.add(path, out, impacts)
    return True


def _paths(parameter: str, bodies: list[Any], names: NameResolver) -> list[Path] | None:
    """The fields of the parameter that the bodies name; None where one of them uses all of it."""
    found: list[Path] = []
    stack = list(bodies)
    while stack:
        item = stack.pop()
        path = _path(item, parameter, names)
        if path:
            found.append(path)
        elif path is not None or _hides(item, parameter, names):
            return None
        else:
            stack += children(item)
    return found


def _path(node: Any, parameter: str, names: NameResolver) -> list[tuple[str, str]] | None:
    """The fields that lead from the parameter to a node, none for the parameter itself; None for any other value."""
    path: list[tuple[str, str]] = []
    while True:
        args = node.args
        kind = node.__class__
        if kind is exp.Column:
            parts = [args[part] for part in ("catalog", "db", "table", "this") if args.get(part) is not None]
            head = parts[0]
            path[:0] = [(names.key(part), names.written(part)) for part in parts[1:]]
        elif kind is exp.Dot and args["expression"].__class__ is exp.Identifier:
            path.insert(0, (names.key(args["expression"]), names.written(args["expression"])))
            node = args["this"]
            continue
        elif kind is exp.Paren:
            node = args["this"]
            continue
        elif kind is exp.Bracket and len(args["expressions"]) == 1 and args["expressions"][0].is_string:
            name = args["expressions"][0].name
            path.insert(0, (names.key_of(name), name))
            node = args["this"]
            continue
        else:
            head = node
        return path if head.__class__ is exp.Identifier and names.key(head) == parameter else None


def _hides(node: Any, parameter: str, names: NameResolver) -> bool:
    """Whether a lambda inside has a parameter of the same name."""
    if node.__class__ is exp.Comprehension:
        inputs = [node.args.get("expression"), node.args.get("position")]
    else:
        inputs = node.args.get("expressions") or [] if node.__class__ is exp.Lambda else []
    return any(isinstance(item, BASE) and names.key(item) == parameter for item in inputs)
