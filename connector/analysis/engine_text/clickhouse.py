"""Expressions as ClickHouse writes them back."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

from sqlglot import exp

from connector.analysis.engine_text.form import Form, UnprintableError, chain, function_word
from connector.analysis.expressions import ExpressionReader

__all__ = ["ClickHouseForm"]

_FUNCTIONS: dict[type, str] = {
    exp.Add: "plus",
    exp.Sub: "minus",
    exp.Mul: "multiply",
    exp.Div: "divide",
    exp.Mod: "modulo",
    exp.EQ: "equals",
    exp.NEQ: "notEquals",
    exp.GT: "greater",
    exp.GTE: "greaterOrEquals",
    exp.LT: "less",
    exp.LTE: "lessOrEquals",
    exp.And: "and",
    exp.Or: "or",
}


class ClickHouseForm(Form):
    """ClickHouse: operators are functions, the names of functions keep their spelling."""

    grammar = "clickhouse"
    operators: Mapping[type, str] = MappingProxyType(_FUNCTIONS)

    def __init__(self, expressions: ExpressionReader) -> None:
        super().__init__(expressions)
        self._writers[exp.Tuple] = lambda node, depth: f"({self.joined(node.args.get('expressions'), depth)})"
        self._writers[exp.If] = lambda node, depth: f"if({', '.join(self.arguments(node, depth))})"
        self._writers[exp.Array] = lambda node, depth: f"[{self.joined(node.args.get('expressions'), depth)}]"

    def string(self, content: str) -> str:
        return "'" + content.replace("'", "\\'") + "'"

    def binary(self, operator: str, node: Any, depth: int) -> str:
        return f"{operator}({self.joined(chain(node, (exp.And, exp.Or, exp.DPipe)), depth)})"

    def minus(self, text: str) -> str:
        return f"negate({text})"

    def negation(self, node: Any, depth: int) -> str:
        inner = node.args["this"]
        if inner.__class__ is exp.In:
            return "notIn" + self.in_(inner, depth)[2:]
        if inner.__class__ is exp.Is and inner.args["expression"].__class__ is exp.Null:
            return f"isNotNull({self.text(inner.args['this'], depth)})"
        return f"not({self.text(inner, depth)})"

    def is_(self, node: Any, depth: int, word: str = "IS") -> str:
        if node.args["expression"].__class__ is not exp.Null:
            raise UnprintableError
        return f"isNull({self.text(node.args['this'], depth)})"

    def in_(self, node: Any, depth: int) -> str:
        if not node.args.get("expressions"):
            raise UnprintableError
        return f"in({self.text(node.args['this'], depth)}, ({self.joined(node.args['expressions'], depth)}))"

    def between(self, node: Any, depth: int) -> str:
        args = node.args
        value, low, high = (self.text(args[part], depth) for part in ("this", "low", "high"))
        return f"and(greaterOrEquals({value}, {low}), lessOrEquals({value}, {high}))"

    def like(self, node: Any, depth: int) -> str:
        name = "notLike" if node.args.get("negate") else "like"
        return f"{name}({self.joined([node.args['this'], node.args['expression']], depth)})"

    def concatenation(self, node: Any, depth: int) -> str:
        return f"concat({self.joined(chain(node, (exp.And, exp.Or, exp.DPipe)), depth)})"

    def call(self, node: Any, depth: int) -> str:
        inner = node.args.get("this")
        if node.__class__ is exp.Count and inner.__class__ is exp.Star:
            return f"{function_word(node, self.expressions) or 'count'}()"
        if inner.__class__ is exp.Distinct:
            word = function_word(node, self.expressions)
            if word is None:
                raise UnprintableError
            return f"{word}Distinct({self.joined(inner.args.get('expressions'), depth)})"
        return super().call(node, depth)

    def function(self, word: str) -> str:
        return word

    def branches(self, branches: list[tuple[str, str]], default: str | None) -> str:
        parts = [part for branch in branches for part in branch]
        return f"multiIf({', '.join([*parts, default or 'NULL'])})"

    def case(self, node: Any, depth: int) -> str:
        args = node.args
        if args.get("this") is None:
            return super().case(node, depth)
        parts = [args["this"]]
        for branch in args.get("ifs") or ():
            parts += [branch.args["this"], branch.args["true"]]
        default = self.text(args["default"], depth) if args.get("default") is not None else "NULL"
        return f"caseWithExpression({self.joined(parts, depth)}, {default})"

    def cast(self, node: Any, depth: int) -> str:
        raise UnprintableError

    def bracket(self, node: Any, depth: int) -> str:
        raise UnprintableError

    def ordered(self, item: Any, depth: int) -> str:
        return self.text(item.args["this"], depth) + (" DESC" if item.args.get("desc") else " ASC")
