"""What the forms have in common: binary operators in parentheses, functions by name with their arguments."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from sqlglot import exp

from connector.analysis.expressions import ExpressionReader
from connector.analysis.nodes import BASE, KIND, NodeKind, children
from connector.analysis.positions import call_around, first_offset

_DEEPEST = 50
"""Expressions nested deeper keep their text: they are not referred to by name."""
_FUNCTION_KINDS = (NodeKind.FUNCTION, NodeKind.AGGREGATE)
CASTS = (exp.Cast, exp.TryCast)

OPERATORS: dict[type, str] = {
    exp.Add: "+",
    exp.Sub: "-",
    exp.Mul: "*",
    exp.Div: "/",
    exp.Mod: "%",
    exp.EQ: "=",
    exp.NEQ: "!=",
    exp.GT: ">",
    exp.GTE: ">=",
    exp.LT: "<",
    exp.LTE: "<=",
    exp.And: "AND",
    exp.Or: "OR",
    exp.BitwiseAnd: "&",
    exp.BitwiseOr: "|",
    exp.BitwiseXor: "^",
}


class UnprintableError(Exception):
    """The form of an expression is not known; its text as written has to do."""


def function_word(node: Any, expressions: ExpressionReader) -> str | None:
    """The name of a called function as the script has it; None where it cannot be found."""
    if node.__class__ is exp.Anonymous:
        return str(node.name)
    meta = node._meta
    if meta and "start" in meta:
        place = meta["start"], meta["end"] + 1
    elif KIND[node.__class__] in _FUNCTION_KINDS:
        offset, depth = first_offset(node)
        found = call_around(expressions.statement.index, offset, depth) if offset >= 0 else None
        if found is None:
            return None
        place = found
    else:
        return None
    base = expressions.builder.base
    return expressions.builder.script.text[place[0] + base : place[1] + base]


class Form:
    """What the three have in common: binary operators in parentheses, functions by name with their arguments."""

    operators: Mapping[type, str] = OPERATORS

    def __init__(self, expressions: ExpressionReader) -> None:
        self.expressions = expressions
        self._writers: dict[type, Callable[[Any, int], str]] = {
            exp.Alias: lambda node, depth: self.text(node.args["this"], depth),
            exp.Paren: lambda node, depth: self.text(node.args["this"], depth),
            exp.Column: self.column,
            exp.Literal: self.literal,
            exp.Null: lambda node, depth: "NULL",
            exp.Boolean: lambda node, depth: "true" if node.args.get("this") else "false",
            exp.Neg: self.negative,
            exp.Not: self.negation,
            exp.Is: self.is_,
            exp.In: self.in_,
            exp.Between: self.between,
            exp.Like: self.like,
            exp.DPipe: self.concatenation,
            exp.Case: self.case,
            exp.Cast: self.cast,
            exp.TryCast: self.cast,
            exp.Bracket: self.bracket,
            exp.Star: lambda node, depth: "*",
            exp.Distinct: lambda node, depth: "DISTINCT " + self.joined(node.args.get("expressions"), depth),
            exp.Window: self.window,
            exp.Filter: self.filter,
        }

    def kept(self, node: Any) -> Any:
        """The identifier whose name an item keeps."""
        return None

    def text(self, node: Any, depth: int) -> str:
        """The node in the engine's form."""
        if depth > _DEEPEST:
            raise UnprintableError
        writer = self._writers.get(node.__class__)
        if writer is not None:
            return writer(node, depth + 1)
        operator = self.operators.get(node.__class__)
        if operator is not None and not (node._meta and "start" in node._meta):
            return self.binary(operator, node, depth + 1)
        if isinstance(node, exp.Func):
            return self.call(node, depth + 1)
        raise UnprintableError

    def joined(self, nodes: Any, depth: int) -> str:
        return ", ".join([self.text(node, depth) for node in nodes or ()])

    # --- words ------------------------------------------------------------------------------------------------------

    def column(self, node: Any, depth: int) -> str:
        return str(node.name)

    def literal(self, node: Any, depth: int) -> str:
        if not (node._meta and "start" in node._meta):
            # The grammar changed it: a format, or an index that it counts from zero.
            raise UnprintableError
        return self.string(node.name) if node.args.get("is_string") else str(node.name)

    def string(self, content: str) -> str:
        return "'" + content.replace("'", "''") + "'"

    def type_name(self, node: Any) -> str:
        return str(node.args["to"].sql(self.grammar))

    grammar = ""

    # --- operators --------------------------------------------------------------------------------------------------

    def binary(self, operator: str, node: Any, depth: int) -> str:
        return f"({self.text(node.args['this'], depth)} {operator} {self.text(node.args['expression'], depth)})"

    def negative(self, node: Any, depth: int) -> str:
        inner = node.args["this"]
        text = self.text(inner, depth)
        return f"-{text}" if inner.__class__ is exp.Literal else self.minus(text)

    def minus(self, text: str) -> str:
        return f"(-({text}))"

    def negation(self, node: Any, depth: int) -> str:
        inner = node.args["this"]
        if inner.__class__ is exp.Is:
            return self.is_(inner, depth, "IS NOT")
        return f"(NOT {self.text(inner, depth)})"

    def is_(self, node: Any, depth: int, word: str = "IS") -> str:
        return f"({self.text(node.args['this'], depth)} {word} {self.text(node.args['expression'], depth)})"

    def in_(self, node: Any, depth: int) -> str:
        if not node.args.get("expressions"):
            raise UnprintableError
        return f"({self.text(node.args['this'], depth)} IN ({self.joined(node.args['expressions'], depth)}))"

    def between(self, node: Any, depth: int) -> str:
        args = node.args
        low, high = self.text(args["low"], depth), self.text(args["high"], depth)
        return f"({self.text(args['this'], depth)} BETWEEN {low} AND {high})"

    def like(self, node: Any, depth: int) -> str:
        raise UnprintableError

    def concatenation(self, node: Any, depth: int) -> str:
        return self.binary("||", node, depth)

    # --- calls ------------------------------------------------------------------------------------------------------

    def call(self, node: Any, depth: int) -> str:
        """A function: its name in small letters and its arguments in the order of the text."""
        word = function_word(node, self.expressions)
        if word is None:
            if KIND[node.__class__] not in _FUNCTION_KINDS:
                raise UnprintableError
            if first_offset(node)[0] < 0:
                return self.word_alone(str(node.sql_names()[0]).lower())
            raise UnprintableError
        return f"{self.function(word)}({', '.join(self.arguments(node, depth))})"

    def word_alone(self, word: str) -> str:
        """A function that is called without parentheses, such as CURRENT_DATE."""
        return word

    def function(self, word: str) -> str:
        return word.lower()

    def arguments(self, node: Any, depth: int) -> list[str]:
        children: list[Any] = []
        for part, child in node.args.items():
            if child.__class__ is list:
                children.extend(child)
            elif isinstance(child, BASE) and part != "nulls_first":
                children.append(child)
        placed = [(_offset(child), child) for child in children]
        if all(offset >= 0 for offset, _ in placed):
            children = [child for _, child in sorted(placed, key=lambda entry: entry[0])]
        return [self.text(_unwrapped(child), depth) for child in children]

    def case(self, node: Any, depth: int) -> str:
        args = node.args
        operand = self.text(args["this"], depth) if args.get("this") is not None else None
        branches = []
        for branch in args.get("ifs") or ():
            condition = self.text(branch.args["this"], depth)
            if operand is not None:
                condition = f"({operand} = {condition})"
            branches.append((condition, self.text(branch.args["true"], depth)))
        default = self.text(args["default"], depth) if args.get("default") is not None else None
        return self.branches(branches, default)

    def branches(self, branches: list[tuple[str, str]], default: str | None) -> str:
        whens = "".join(f" WHEN {condition} THEN {value}" for condition, value in branches)
        return f"CASE{whens}{f' ELSE {default}' if default is not None else ''} END"

    def cast(self, node: Any, depth: int) -> str:
        inner = node.args["this"]
        text = self.text(inner, depth)
        if inner.__class__ is exp.Literal and not inner.args.get("is_string"):
            meta = inner.meta
            if len(text) < meta["end"] + 1 - meta["start"]:
                return text  # 1L, 1.0D
        return f"CAST({text} AS {self.type_name(node)})"

    def bracket(self, node: Any, depth: int) -> str:
        return f"{self.text(node.args['this'], depth)}[{self.joined(node.args.get('expressions'), depth)}]"

    def filter(self, node: Any, depth: int) -> str:
        condition = self.text(node.args["expression"].args["this"], depth)
        return f"{self.text(node.args['this'], depth)} FILTER (WHERE {condition})"

    # --- windows ----------------------------------------------------------------------------------------------------

    def window(self, node: Any, depth: int) -> str:
        args = node.args
        if args.get("alias") is not None or args.get("first") is not None:
            raise UnprintableError
        return self.written_window(args, depth)

    def written_window(self, args: Mapping[str, Any], depth: int) -> str:
        """A call with its window, of which these are the parts."""
        parts = []
        if args.get("partition_by"):
            parts.append("PARTITION BY " + self.joined(args["partition_by"], depth))
        order = args.get("order")
        if order is not None:
            parts.append("ORDER BY " + ", ".join(self.ordered(item, depth) for item in order.args["expressions"]))
        frame = self.frame(args.get("spec"), args["this"], order is not None, depth)
        if frame:
            parts.append(frame)
        return f"{self.text(args['this'], depth)} OVER ({' '.join(parts)})"

    def ordered(self, item: Any, depth: int) -> str:
        return self.text(item.args["this"], depth) + (" DESC" if item.args.get("desc") else "")

    def frame(self, spec: Any, call: Any, is_ordered: bool, depth: int) -> str:
        if spec is None:
            return ""
        ends = []
        for part in ("start", "end"):
            bound, side = spec.args.get(part), spec.args.get(f"{part}_side")
            bound = self.text(bound, depth) if isinstance(bound, BASE) else bound or "CURRENT ROW"
            ends.append(f"{bound} {side}".upper() if side else str(bound).upper())
        return f"{str(spec.args.get('kind')).upper()} BETWEEN {ends[0]} AND {ends[1]}"


def chain(node: Any, kinds: tuple[type, ...]) -> list[Any]:
    """The operands of an operator; those of a whole chain where the engine takes it as one."""
    kind = node.__class__
    found = [node.args["expression"]]
    left = node.args["this"]
    while kind in kinds and left.__class__ is kind:
        found.append(left.args["expression"])
        left = left.args["this"]
    found.append(left)
    found.reverse()
    return found


def _unwrapped(node: Any) -> Any:
    """An argument without the conversion that the grammar put around it."""
    while (
        isinstance(node, exp.Func)
        and node.__class__.__name__.startswith("TsOrDs")
        and not (node._meta and "start" in node._meta)
        and isinstance(node.args.get("this"), BASE)
    ):
        node = node.args["this"]
    return node


def _offset(node: Any) -> int:
    """The first place that the text of a node is known to have, -1 where none is."""
    if not isinstance(node, BASE):
        return -1
    found = -1
    stack = [node]
    while stack:
        item = stack.pop()
        meta = item._meta
        if meta and "start" in meta:
            start = int(meta["start"])
            if found < 0 or start < found:
                found = start
            continue
        stack += children(item)
    return found
