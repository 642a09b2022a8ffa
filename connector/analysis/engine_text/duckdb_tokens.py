"""What DuckDB prints as it was written: the names of types, arrows, and directions that the grammar has already understood."""

from __future__ import annotations

from bisect import bisect_right
from typing import Any

from sqlglot import exp
from sqlglot.tokenizer_core import Token

from connector.analysis.engine_text.form import CASTS, UnprintableError
from connector.analysis.expressions import ExpressionReader
from connector.analysis.nodes import children
from connector.sql.cursor import TokenCursor
from connector.sql.statement import Statement
from connector.sql.words import STRINGS

_STANDARD = {
    "int": "INTEGER",
    "integer": "INTEGER",
    "smallint": "SMALLINT",
    "bigint": "BIGINT",
    "real": "FLOAT",
    "float": "FLOAT",
    "double": "DOUBLE",
    "decimal": "DECIMAL",
    "dec": "DECIMAL",
    "numeric": "DECIMAL",
    "boolean": "BOOLEAN",
    "char": "VARCHAR",
    "character": "VARCHAR",
    "varchar": "VARCHAR",
    "bit": "BIT",
    "time": "TIME",
    "timestamp": "TIMESTAMP",
    "interval": "INTERVAL",
    "json": '"json"',
}
"""Types with a word of their own in the grammar; all others keep the name that they were given."""
_ZONED = ("WITH", "WITHOUT")
_ARROWS = frozenset({"->", "->>"})
_CLOSING = frozenset({")", "]", "}"})


class Written:
    """The tokens of the statement at hand, by the nodes that they were read into."""

    __slots__ = ("_cursor", "_expressions", "_starts", "_statement")

    def __init__(self, expressions: ExpressionReader) -> None:
        self._expressions = expressions
        self._statement: Statement | None = None
        self._starts: list[int] = []
        self._cursor = TokenCursor([])

    def cursor(self) -> TokenCursor:
        statement = self._expressions.statement
        if self._statement is not statement:
            self._statement = statement
            self._cursor = TokenCursor(statement.tokens)
            self._starts = [token.start for token in statement.tokens]
        return self._cursor

    def behind(self, node: Any) -> int:
        """The place of the first token behind a node and the brackets that are closed there."""
        cursor = self.cursor()
        end = self._end(node)
        if end < 0:
            raise UnprintableError
        i = bisect_right(self._starts, end, hi=cursor.stop)
        if node.__class__ is exp.Bracket and cursor.word_at(i) == "[":
            i = cursor.close(i) + 1
        while cursor.word_at(i) in _CLOSING:
            i += 1
        return i

    def _end(self, node: Any) -> int:
        found = -1
        stack = [node]
        while stack:
            item = stack.pop()
            meta = item._meta
            if meta and "end" in meta:
                found = max(found, meta["end"])
            if item.__class__ in CASTS:
                found = max(found, self._last(self._type(item)[1]))
            elif is_arrow(item):
                value, count = arrows_of(item)
                found = max(found, self._last(self.behind(value) + 2 * count))
            else:
                stack += children(item)
        return found

    def _last(self, i: int) -> int:
        """Where the token before a place ends."""
        tokens = self._cursor.tokens
        if not 0 < i <= len(tokens):
            raise UnprintableError
        return int(tokens[i - 1].end)

    def type_name(self, cast: Any) -> str:
        return self._type(cast)[0]

    def _type(self, cast: Any) -> tuple[str, int]:
        """The type of a cast, as DuckDB prints it, and the place behind it."""
        value = cast.args["this"]
        i = self.behind(value)
        cursor = self._cursor
        if cursor.word_at(i) in ("::", "AS"):
            return self._type_at(i + 1)
        if value.__class__ is exp.Literal:
            # DATE '2024-01-31'
            first = bisect_right(self._starts, value.meta["start"], hi=cursor.stop) - 1
            if cursor.word_at(first - 1).isidentifier():
                return self._type_at(first - 1)[0], first + 1
        raise UnprintableError

    def _type_at(self, i: int) -> tuple[str, int]:
        cursor = self._cursor
        if i >= cursor.stop:
            raise UnprintableError
        token = cursor.tokens[i]
        # DOUBLE PRECISION and the like are one token.
        word = token.text.lower().split()[0] if token.text.strip() else ""
        name = _STANDARD.get(word, token.text)
        i += 1
        if word in ("double", "character") and cursor.word_at(i) in ("PRECISION", "VARYING"):
            i += 1
        if word in ("struct", "map", "row") and cursor.word_at(i) == "(":
            return self._arrays(*self._nested(word, i))
        if cursor.word_at(i) == "(":
            closing = cursor.close(i)
            given = [_constant(each) for each in cursor.tokens[i + 1 : closing] if each.text != ","]
            name += f"({', '.join(given)})"
            i = closing + 1
        if word in ("time", "timestamp") and cursor.word_at(i) in _ZONED:
            name += " WITH TIME ZONE" if cursor.word_at(i) == "WITH" else ""
            i += 3
        return self._arrays(name, i)

    def _nested(self, word: str, i: int) -> tuple[str, int]:
        cursor = self._cursor
        closing = cursor.close(i)
        parts: list[str] = []
        i += 1
        while i < closing:
            label = ""
            if word != "map":
                label = f"{cursor.tokens[i].text} "
                i += 1
            text, i = self._type_at(i)
            parts.append(label + text)
            i += 1
        return f"{'MAP' if word == 'map' else 'STRUCT'}({', '.join(parts)})", closing + 1

    def _arrays(self, name: str, i: int) -> tuple[str, int]:
        cursor = self._cursor
        while cursor.word_at(i) == "[":
            closing = cursor.close(i)
            name += f"[{''.join(token.text for token in cursor.tokens[i + 1 : closing])}]"
            i = closing + 1
        return name, i

    def direction(self, value: Any) -> str:
        """What stands behind an expression in ORDER BY."""
        i = self.behind(value)
        cursor = self._cursor
        words = []
        if cursor.word_at(i) in ("ASC", "DESC"):
            words.append(cursor.word_at(i))
            i += 1
        if cursor.word_at(i) == "NULLS" and cursor.word_at(i + 1) in ("FIRST", "LAST"):
            words.append(f"NULLS {cursor.word_at(i + 1)}")
        return " ".join(["", *words])

    def arrows(self, value: Any, count: int) -> list[tuple[str, str]]:
        """So many arrows behind a document, each with the key or the place as it is written."""
        i = self.behind(value)
        cursor = self._cursor
        found: list[tuple[str, str]] = []
        for _ in range(count):
            if cursor.word_at(i) not in _ARROWS or i + 1 >= cursor.stop:
                raise UnprintableError
            found.append((cursor.word_at(i), _constant(cursor.tokens[i + 1])))
            i += 2
        return found

    def operator(self, node: Any) -> str:
        """The sign between the two operands of an operator that has several."""
        return self.cursor().word_at(self.behind(node.args["this"]))

    def interval(self, node: Any) -> str:
        """The number or the text of an interval, of which the grammar keeps no place: it is looked for behind what stands
        before it."""
        parent = node.parent
        if not isinstance(parent, exp.Binary) or parent.args["expression"] is not node:
            raise UnprintableError
        i = self.behind(parent.args["this"]) + 1
        cursor = self._cursor
        if cursor.word_at(i) != "INTERVAL" or i + 1 >= cursor.stop:
            raise UnprintableError
        return _constant(cursor.tokens[i + 1])


def is_arrow(node: Any) -> bool:
    """Whether a field of a document is taken with an arrow, and not with a function."""
    return node.__class__ in (exp.JSONExtract, exp.JSONExtractScalar) and "start" not in node.meta


def arrows_of(node: Any) -> tuple[Any, int]:
    """The document that a chain of arrows starts at, and how many they are."""
    count = 0
    while is_arrow(node):
        count += 1
        node = node.args["this"]
    return node, count


def _constant(token: Token) -> str:
    content = token.text.replace("'", "''")
    return f"'{content}'" if token.token_type in STRINGS else token.text
