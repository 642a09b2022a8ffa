"""The forms in which ClickHouse, DuckDB and Spark print an expression as the name of its column."""

from __future__ import annotations

import re
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


_TYPES = {"INT": "INTEGER", "TEXT": "VARCHAR"}


class DuckDbForm(Form):
    """DuckDB: everything in its own parentheses, COUNT(*) under its internal name, keywords in quotes."""

    grammar = "duckdb"
    operators: Mapping[type, str] = MappingProxyType(
        {
            **OPERATORS,
            exp.IntDiv: "//",
            exp.BitwiseLeftShift: "<<",
            exp.BitwiseRightShift: ">>",
            exp.NullSafeEQ: "IS NOT DISTINCT FROM",
            exp.NullSafeNEQ: "IS DISTINCT FROM",
            exp.Glob: "~~~",
        }
    )
    _keywords = frozenset(
        """
        century day decade filter first glob hour if last left map microsecond millennium millisecond minute mode month
        nullif overlay position quarter range replace right row second substring trim week year
        """.split()
    )

    def __init__(self, expressions: ExpressionReader) -> None:
        super().__init__(expressions)
        write, joined, text = self._writers, self.joined, self.text
        write[exp.If] = lambda node, depth: f'"if"({", ".join(self.arguments(node, depth))})'
        write[exp.Tuple] = lambda node, depth: f'"row"({joined(node.args.get("expressions"), depth)})'
        write[exp.Array] = self.array
        write[exp.Struct] = lambda node, depth: f"struct_pack({joined(node.args.get('expressions'), depth)})"
        write[exp.PropertyEQ] = lambda node, depth: f"{node.name} := {text(node.args['expression'], depth)}"
        write[exp.Identifier] = self.column
        write[exp.Lambda] = lambda node, depth: self.lambda_(node.args["expressions"], node.args["this"], depth)
        write[exp.ILike] = self.like
        write[exp.BitwiseNot] = lambda node, depth: f"(~({text(node.args['this'], depth)}))"
        write[exp.Extract] = lambda node, depth: (
            f"date_part('{node.name.upper()}', {text(node.args['expression'], depth)})"
        )
        write[exp.RegexpLike] = lambda node, depth: f"regexp_matches({joined(node.args.values(), depth)})"
        write[exp.SimilarTo] = lambda node, depth: f"regexp_full_match({joined(node.args.values(), depth)})"
        write[exp.WithinGroup] = self.within_group
        write[exp.Order] = lambda node, depth: self.in_order(node.args["this"], node, depth)

    def array(self, node: Any, depth: int) -> str:
        items = node.args.get("expressions") or []
        if not items or items[0].__class__ is not exp.Comprehension:
            return f"list_value({self.joined(items, depth)})"
        args = items[0].args
        if args.get("condition") is not None or args.get("position"):
            raise UnprintableError
        body = self.lambda_([args["expression"]], args["this"], depth)
        return f"list_apply({self.text(args['iterator'], depth)}, {body})"

    def lambda_(self, parameters: list[Any], body: Any, depth: int) -> str:
        return f"(lambda {', '.join(item.name for item in parameters)}: {self.text(body, depth)})"

    def within_group(self, node: Any, depth: int) -> str:
        call, order = node.args["this"], node.args["expression"]
        name = {exp.PercentileCont: "quantile_cont", exp.PercentileDisc: "quantile_disc"}.get(call.__class__)
        if name is None or order.__class__ is not exp.Order:
            raise UnprintableError
        return f"{name}({self.in_order(call.args['this'], order, depth)})"

    def in_order(self, value: Any, order: Any, depth: int) -> str:
        if order.parent.args.get("separator") is not None:
            raise UnprintableError
        items = ", ".join(self.ordered(item, depth) for item in order.args["expressions"])
        return f"{self.text(value, depth)} ORDER BY {items}"

    def type_name(self, node: Any) -> str:
        return re.sub(r"\b(INT|TEXT)\b", lambda word: _TYPES[word[0]], super().type_name(node))

    def cast(self, node: Any, depth: int) -> str:
        return ("TRY_" if node.__class__ is exp.TryCast else "") + super().cast(node, depth)

    def binary(self, operator: str, node: Any, depth: int) -> str:
        return f"({f' {operator} '.join(self.text(item, depth) for item in chain(node, (exp.And, exp.Or)))})"

    def column(self, node: Any, depth: int) -> str:
        return ".".join(part.name for part in node.parts) if node.__class__ is exp.Column else str(node.name)

    def like(self, node: Any, depth: int) -> str:
        operator = "!~~" if node.args.get("negate") else "~~"
        return self.binary(operator + ("*" if node.__class__ is exp.ILike else ""), node, depth)

    def branches(self, branches: list[tuple[str, str]], default: str | None) -> str:
        whens = "".join(f" WHEN ({condition}) THEN ({value})" for condition, value in branches)
        return f"CASE {whens} ELSE {default or 'NULL'} END"

    def call(self, node: Any, depth: int) -> str:
        if node.__class__ is exp.Count and node.args.get("this").__class__ in (exp.Star, type(None)):
            return "count()" if node.parent.__class__ is exp.Window else "count_star()"
        if node.__class__ is exp.StrPosition and function_word(node, self.expressions) == "position":
            return f'"position"({self.joined([node.args["this"], node.args["substr"]], depth)})'
        if node.__class__ is exp.Coalesce:
            return f"COALESCE({', '.join(self.arguments(node, depth))})"
        return super().call(node, depth)

    def function(self, word: str) -> str:
        word = word.lower()
        return f'"{word}"' if word in self._keywords else word

    def window(self, node: Any, depth: int) -> str:
        """A named window is written out."""
        args = dict(node.args)
        query = node.find_ancestor(exp.Select)
        named = {window.name: window for window in (query.args.get("windows") if query is not None else None) or ()}
        name = args.get("alias")
        while name is not None:
            window = named.pop(name.name, None)
            if window is None:
                raise UnprintableError
            for part in ("partition_by", "order", "spec"):
                args[part] = args.get(part) or window.args.get(part)
            name = window.args.get("alias") or window.args.get("first")
        return self.written_window(args, depth)


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
