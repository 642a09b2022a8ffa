"""The forms in which ClickHouse and Spark print an expression as the name of its column."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

from sqlglot import exp

from connector.analysis.engine_text.form import CASTS, OPERATORS, Form, UnprintableError, chain, function_word
from connector.analysis.expressions import ExpressionReader

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


_DEFAULTS: dict[tuple[str, int], tuple[str, ...]] = {
    ("regexp_replace", 3): ("1",),
    ("split", 2): ("-1",),
    ("percentile_approx", 2): ("10000",),
    ("from_unixtime", 1): ("yyyy-MM-dd HH:mm:ss",),
    ("unix_timestamp", 1): ("yyyy-MM-dd HH:mm:ss",),
    ("lag", 1): ("1", "NULL"),
    ("lag", 2): ("NULL",),
    ("lead", 1): ("1", "NULL"),
    ("lead", 2): ("NULL",),
}
"""Arguments that Spark adds when they are left out."""


class SparkForm(Form):
    """Spark and Databricks: strings without quotes, columns without their tables, COUNT(*) as it is computed."""

    grammar = "spark"
    operators: Mapping[type, str] = MappingProxyType({**OPERATORS, exp.NullSafeEQ: "<=>", exp.IntDiv: "div"})
    _ranking = frozenset({"row_number", "rank", "dense_rank", "percent_rank", "ntile"})

    def __init__(self, expressions: ExpressionReader) -> None:
        super().__init__(expressions)
        self._writers[exp.NEQ] = lambda node, depth: f"(NOT {self.binary('=', node, depth)})"
        self._writers[exp.If] = self.if_
        self._writers[exp.RegexpLike] = self.rlike
        self._writers[exp.Subquery] = lambda node, depth: "scalarsubquery()"
        self._writers[exp.Exists] = lambda node, depth: "exists()"

    def kept(self, node: Any) -> Any:
        """A cast column keeps its name, a field is called by its own."""
        if node.__class__ in CASTS:
            inner = node.args["this"]
            while inner.__class__ is exp.Paren:
                inner = inner.args["this"]
            if inner.__class__ is exp.Column:
                return inner.args["this"]
        if node.__class__ is exp.Dot and node.args.get("expression").__class__ is exp.Identifier:
            return node.args["expression"]
        return None

    def string(self, content: str) -> str:
        return content

    def word_alone(self, word: str) -> str:
        return f"{word}()"

    def minus(self, text: str) -> str:
        return f"(- {text})"

    def negation(self, node: Any, depth: int) -> str:
        inner = node.args["this"]
        if inner.__class__ is exp.Is and inner.args["expression"].__class__ is not exp.Null:
            return f"(NOT {self.is_(inner, depth)})"
        return super().negation(node, depth)

    def between(self, node: Any, depth: int) -> str:
        args = node.args
        return f"between({self.joined([args['this'], args['low'], args['high']], depth)})"

    def like(self, node: Any, depth: int) -> str:
        text = f"{self.text(node.args['this'], depth)} LIKE {self.text(node.args['expression'], depth)}"
        return f"(NOT {text})" if node.args.get("negate") else text

    def rlike(self, node: Any, depth: int) -> str:
        return f"RLIKE({self.joined([node.args['this'], node.args['expression']], depth)})"

    def concatenation(self, node: Any, depth: int) -> str:
        return f"concat({self.joined([node.args['this'], node.args['expression']], depth)})"

    def if_(self, node: Any, depth: int) -> str:
        args = node.args
        return f"(IF({self.joined([args['this'], args['true'], args.get('false') or exp.Null()], depth)}))"

    def arguments(self, node: Any, depth: int) -> list[str]:
        if node.__class__ is exp.Count and node.args.get("this").__class__ is exp.Star:
            return ["1"]
        found = super().arguments(node, depth)
        word = function_word(node, self.expressions)
        if word is not None:
            found.extend(_DEFAULTS.get((word.lower(), len(found)), ()))
        return found

    def ordered(self, item: Any, depth: int) -> str:
        direction = "DESC NULLS LAST" if item.args.get("desc") else "ASC NULLS FIRST"
        return f"{self.text(item.args['this'], depth)} {direction}"

    def frame(self, spec: Any, call: Any, is_ordered: bool, depth: int) -> str:
        if spec is not None:
            return super().frame(spec, call, is_ordered, depth)
        if not is_ordered:
            return "ROWS BETWEEN UNBOUNDED PRECEDING AND UNBOUNDED FOLLOWING"
        word = (function_word(call, self.expressions) or "").lower()
        if word in ("lag", "lead"):
            raise UnprintableError
        return f"{'ROWS' if word in self._ranking else 'RANGE'} BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW"
