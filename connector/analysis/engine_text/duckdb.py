"""Expressions as DuckDB writes them back."""

from __future__ import annotations

from typing import Any

from sqlglot import exp

from connector.analysis.engine_text.form import Form, chain
from connector.analysis.expressions import ExpressionReader

__all__ = ["DuckDbForm"]


class DuckDbForm(Form):
    """DuckDB: everything in its own parentheses, COUNT(*) under its internal name, keywords in quotes."""

    grammar = "duckdb"
    _keywords = frozenset("if left nullif position right row substring trim".split())

    def __init__(self, expressions: ExpressionReader) -> None:
        super().__init__(expressions)
        self._writers[exp.If] = lambda node, depth: f'"if"({", ".join(self.arguments(node, depth))})'
        self._writers[exp.Tuple] = lambda node, depth: f'"row"({self.joined(node.args.get("expressions"), depth)})'

    def type_name(self, node: Any) -> str:
        name = super().type_name(node)
        return {"INT": "INTEGER", "TEXT": "VARCHAR"}.get(name, name)

    def binary(self, operator: str, node: Any, depth: int) -> str:
        return f"({f' {operator} '.join(self.text(item, depth) for item in chain(node, (exp.And, exp.Or)))})"

    def column(self, node: Any, depth: int) -> str:
        return ".".join(part.name for part in node.parts)

    def like(self, node: Any, depth: int) -> str:
        operator = "!~~" if node.args.get("negate") else "~~"
        return self.binary(operator, node, depth)

    def branches(self, branches: list[tuple[str, str]], default: str | None) -> str:
        whens = "".join(f" WHEN ({condition}) THEN ({value})" for condition, value in branches)
        return f"CASE {whens} ELSE {default or 'NULL'} END"

    def call(self, node: Any, depth: int) -> str:
        if node.__class__ is exp.Count and node.args.get("this").__class__ is exp.Star:
            return "count_star()"
        if node.__class__ is exp.Coalesce:
            return f"COALESCE({', '.join(self.arguments(node, depth))})"
        return super().call(node, depth)

    def function(self, word: str) -> str:
        word = word.lower()
        return f'"{word}"' if word in self._keywords else word
