"""The form in which DuckDB prints an expression as the name of its column."""

from __future__ import annotations

import re
from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

from sqlglot import exp

from connector.analysis.engine_text.duckdb_tokens import Written, arrows_of, is_arrow
from connector.analysis.engine_text.form import OPERATORS, Form, UnprintableError, chain, function_word
from connector.analysis.expressions import ExpressionReader
from connector.analysis.nodes import BASE
from connector.analysis.written_lists import position_taken

_PLAIN = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
_TRIMS = {"LEADING": "ltrim", "TRAILING": "rtrim"}
_SIGNS = frozenset({"**", "^", "^@", "@>", "&&"})
_TAKE = "(lambda elem: struct_extract(elem, '{}'))"
_WHOLE = "CAST(trunc({}) AS INTEGER)"
_UNITS = {
    **dict.fromkeys(("year", "quarter", "month", "week", "day"), _WHOLE),
    **dict.fromkeys(("hour", "minute"), "CAST(trunc({}) AS BIGINT)"),
    **dict.fromkeys(("second", "millisecond"), "{}"),
}
"""By their names, how the number of units is made one of the type that their function takes."""


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
        self.written = Written(expressions)
        write, joined, text = self._writers, self.joined, self.text
        write[exp.If] = lambda node, depth: f'"if"({", ".join(self.arguments(node, depth))})'
        write[exp.Tuple] = lambda node, depth: f'"row"({joined(node.args.get("expressions"), depth)})'
        write[exp.Array] = self.array
        write[exp.Struct] = lambda node, depth: f"struct_pack({joined(node.args.get('expressions'), depth)})"
        write[exp.PropertyEQ] = lambda node, depth: (
            f"{self.quoted(node.name)} := {text(node.args['expression'], depth)}"
        )
        write[exp.ToMap] = self.to_map
        write[exp.Map] = lambda node, depth: f'"map"({joined([node.args.get("keys"), node.args.get("values")], depth)})'
        write[exp.Pow] = self.sign
        write[exp.StartsWith] = write[exp.ArrayContainsAll] = write[exp.ArrayOverlaps] = self.sign
        write[exp.Trim] = self.trim
        write[exp.Escape] = self.escape
        write[exp.AtTimeZone] = lambda node, depth: f"timezone({joined([node.args['zone'], node.args['this']], depth)})"
        write[exp.GroupingId] = lambda node, depth: f"GROUPING({joined(node.args.get('expressions'), depth)})"
        write[exp.RawString] = lambda node, depth: self.string(node.name)
        write[exp.Dot] = self.dot
        write[exp.Slice] = self.slice
        write[exp.Interval] = self.interval
        write[exp.JSONExtract] = write[exp.JSONExtractScalar] = self.arrows
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
        parameters = [item for item in (args["expression"], args.get("position")) if isinstance(item, BASE)]
        elements = self.text(args["iterator"], depth)
        if args.get("condition") is None:
            return f"list_apply({elements}, {self.lambda_(parameters, args['this'], depth)})"
        kept, result = self.text(args["condition"], depth), self.text(args["this"], depth)
        names = ", ".join(item.name for item in parameters)
        marked = f'list_apply({elements}, (lambda {names}: struct_pack("filter" := {kept}, result := {result})))'
        return f"list_apply(list_filter({marked}, {_TAKE.format('filter')}), {_TAKE.format('result')})"

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
        return self.written.type_name(node)

    def cast(self, node: Any, depth: int) -> str:
        return ("TRY_" if node.__class__ is exp.TryCast else "") + super().cast(node, depth)

    def binary(self, operator: str, node: Any, depth: int) -> str:
        return f"({f' {operator} '.join(self.text(item, depth) for item in chain(node, (exp.And, exp.Or)))})"

    def column(self, node: Any, depth: int) -> str:
        parts = node.parts if node.__class__ is exp.Column else [node]
        return ".".join(self.quoted(part.name) for part in parts)

    def quoted(self, name: str) -> str:
        return name if _PLAIN.fullmatch(name) and name.lower() not in self._keywords else f'"{name}"'

    def to_map(self, node: Any, depth: int) -> str:
        made = node.args["this"]
        if made.__class__ is exp.Bracket:
            # The grammar takes ``MAP {'a': b}[c]`` for a map of an element.
            return f"{self.to_map(made, depth)}[{self.joined(made.args.get('expressions'), depth)}]"
        items = made.args.get("expressions") or ()
        if made.__class__ is not exp.Struct or any(item.__class__ is not exp.PropertyEQ for item in items):
            raise UnprintableError
        pairs = [item.args for item in items]
        keys, values = (self.joined([pair[part] for pair in pairs], depth) for part in ("this", "expression"))
        return f'"map"(list_value({keys}), list_value({values}))'

    def sign(self, node: Any, depth: int) -> str:
        """A function that may be written as an operator, and one that has several signs."""
        if node._meta and "start" in node._meta:
            return self.call(node, depth)
        operator = self.written.operator(node)
        if operator not in _SIGNS:
            raise UnprintableError
        return self.binary(operator, node, depth)

    def trim(self, node: Any, depth: int) -> str:
        args = node.args
        name = _TRIMS.get(str(args.get("position") or "").upper(), '"trim"')
        return f"{name}({self.joined([part for part in (args['this'], args.get('expression')) if part], depth)})"

    def escape(self, node: Any, depth: int) -> str:
        like = node.args["this"]
        if like.__class__ not in (exp.Like, exp.ILike):
            raise UnprintableError
        parts = [like.args["this"], like.args["expression"], node.args["expression"]]
        text = f"{'i' if like.__class__ is exp.ILike else ''}like_escape({self.joined(parts, depth)})"
        return f"(NOT {text})" if like.args.get("negate") else text

    def is_(self, node: Any, depth: int, word: str = "IS") -> str:
        if node.args["expression"].__class__ is not exp.Boolean:
            return super().is_(node, depth, word)
        value, wanted = (self.text(node.args[part], depth) for part in ("this", "expression"))
        return f"(CAST({value} AS BOOLEAN) IS {'NOT ' if word == 'IS' else ''}DISTINCT FROM {wanted})"

    def dot(self, node: Any, depth: int) -> str:
        """A field of a value, or a function as its method; the method of a column stays one."""
        left, right = node.args["this"], node.args["expression"]
        value = self.text(left, depth)
        if right.__class__ is exp.Identifier:
            return f"{value if _is_name(left) else f'({value})'}.{self.quoted(right.name)}"
        if right.__class__ is not exp.Anonymous:
            raise UnprintableError
        arguments = self.joined(right.args.get("expressions"), depth)
        if _is_name(left):
            return f"{value}.{right.name}({arguments})"
        return f"{self.function(right.name)}({', '.join([value, *([arguments] if arguments else [])])})"

    def bracket(self, node: Any, depth: int) -> str:
        taken = position_taken(node, self.expressions.names)
        if taken is None:
            return super().bracket(node, depth)
        position = int(taken[0][1:])
        return f"{self.text(node.args['this'], depth)}[{position if position < 0 else position + 1}]"

    def slice(self, node: Any, depth: int) -> str:
        if node.args.get("step") is not None:
            raise UnprintableError
        return ":".join(
            self.text(node.args[part], depth) if node.args.get(part) else "" for part in ("this", "expression")
        )

    def interval(self, node: Any, depth: int) -> str:
        """An interval of so many units is a function of their number."""
        unit = node.args.get("unit")
        name = unit.name.lower().removesuffix("s") if unit is not None else "day"
        if name not in _UNITS:
            raise UnprintableError
        value = node.args.get("this")
        placed = value.__class__ is not exp.Literal or "start" in value.meta
        text = self.text(value, depth) if placed else self.written.interval(node)
        if any(letter.isalpha() for letter in text) and value.__class__ is exp.Literal:
            return f"CAST({text} AS INTERVAL)"
        number = f"CAST({text} AS DOUBLE)"
        return f"to_{name}s({_UNITS[name].format(number)})"

    def arrows(self, node: Any, depth: int) -> str:
        """Fields of a document. DuckDB takes a chain of arrows from the right."""
        if not is_arrow(node):
            raise UnprintableError
        node, count = arrows_of(node)
        value = self.text(node, depth)
        steps = self.written.arrows(node, count)
        text = steps[-1][1]
        for place in range(count - 1, 0, -1):
            text = f"({steps[place - 1][1]} {steps[place][0]} {text})"
        return f"({value} {steps[0][0]} {text})"

    def ordered(self, item: Any, depth: int) -> str:
        return self.text(item.args["this"], depth) + self.written.direction(item.args["this"])

    def frame(self, spec: Any, call: Any, is_ordered: bool, depth: int) -> str:
        text = super().frame(spec, call, is_ordered, depth)
        if text.endswith(" BETWEEN UNBOUNDED PRECEDING AND UNBOUNDED FOLLOWING"):
            text = f"ROWS{text[text.index(' ') :]}"
        exclude = spec.args.get("exclude") if spec is not None else None
        return f"{text} EXCLUDE {str(getattr(exclude, 'name', exclude)).upper()}" if exclude else text

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


def _is_name(node: Any) -> bool:
    """Whether a value is a column, or a field of one by its path."""
    while node.__class__ is exp.Dot and node.args["expression"].__class__ is exp.Identifier:
        node = node.args["this"]
    return node.__class__ in (exp.Identifier, exp.Column)
