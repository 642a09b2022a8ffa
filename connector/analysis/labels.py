"""The names that engines give to select items without an alias.

A later query, statement or script refers to such a column by the name its engine made up, so the name has to be the
engine's own. `SqlDialect.labels` says which of the rules below a dialect follows.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from sqlglot import exp
from sqlglot.tokenizer_core import Token

from connector.analysis.engine_text import FORMS, Form, UnprintableError, function_word
from connector.analysis.expressions import ExpressionReader
from connector.analysis.nameless import shown
from connector.analysis.nodes import KIND, NodeKind
from connector.analysis.set_returning import output_names
from connector.sql.dialects import SqlDialect
from connector.sql.masked_names import mask_name, may_hold_literal
from connector.sql.words import STRINGS

Label = Any
"""A text, or the identifier whose name the item keeps."""

Rule = Callable[[Any, int, int, int, str], Label]
"""(item, its place as written, its place in the result, how many before it have no name, its text) -> label."""

_FUNCTION_KINDS = (NodeKind.FUNCTION, NodeKind.AGGREGATE)
_SUFFIXES = (
    exp.Paren,
    exp.Bracket,
    exp.Collate,
    exp.Window,
    exp.Filter,
    exp.WithinGroup,
    exp.IgnoreNulls,
    exp.RespectNulls,
)
"""What may stand around an expression and leaves it its name."""
_CASTS = (exp.Cast, exp.TryCast)

_SHOWING_LITERALS = frozenset({"ansi", "mysql", "oracle", "text", *FORMS})
"""The rules that write an expression, and with it its literals, into the name."""

_VIEWS = frozenset({"Create View", "Create Materialized View"})

_UNNAMED = "?column?"
_TYPE_NAMES = {
    "BIGINT": "int8",
    "BOOLEAN": "bool",
    "CHAR": "bpchar",
    "DECIMAL": "numeric",
    "DOUBLE": "float8",
    "FLOAT": "float4",
    "INT": "int4",
    "SMALLINT": "int2",
}
"""PostgreSQL's types whose internal name differs from the word in the statement."""
_SYNTAX_NAMES: dict[type, str] = {
    exp.Array: "array",
    exp.AtTimeZone: "timezone",
    exp.Coalesce: "coalesce",
    exp.Exists: "exists",
    exp.Interval: "interval",
    exp.Nullif: "nullif",
    exp.Tuple: "row",
}
"""PostgreSQL's names of what is no call, or calls a function of another name."""
_TRIM_NAMES = {"LEADING": "ltrim", "TRAILING": "rtrim"}


class Labeller:
    """Names select items by the rule of one dialect."""

    __slots__ = ("_dialect", "_expressions", "_makes_columns", "_rule", "_shows_literals")

    def __init__(self, expressions: ExpressionReader, dialect: SqlDialect) -> None:
        self._expressions = expressions
        self._dialect = dialect
        self._rule: Rule | None = None
        """Made for the first item that needs it: most statements name everything they select."""
        self._makes_columns = dialect.generates_columns
        self._shows_literals = dialect.labels in _SHOWING_LITERALS

    def label(self, item: Any, place: int, output: int, unnamed: int, text: str) -> Label:
        """The name of an item: a text, or the identifier of the column whose name it keeps."""
        while item.__class__ is exp.Paren:
            item = item.args["this"]
        if item.__class__ is exp.Column and item.args["this"].__class__ is exp.Identifier:
            return item.args["this"]
        rule = self._rule
        if rule is None:
            rule = self._rule = self._make_rule()
        label = rule(item, place, output, unnamed, text)
        if label.__class__ is str:
            label = shown(label)
        # The empty name and the star have meanings of their own.
        return text if label.__class__ is str and label in ("", "*") else label

    def masked(self, name: str, text: str, place: tuple[int, int] | None) -> str | None:
        """The name of an item with this text without its literals; None if the rule's names contain none."""
        if not self._shows_literals or not may_hold_literal(text):
            return None
        return mask_name(name, text, self._dialect, self._tokens(text, place) if place is not None else None)

    def _tokens(self, text: str, place: tuple[int, int]) -> list[Token] | None:
        """The tokens at a place of the script, if they are those of the text and none of them was put in another's place."""
        builder = self._expressions.builder
        base, whole = builder.base, builder.script.text
        start, end = place[0] - base, place[1] - base
        if whole[place[0] : place[1]] != text:
            return None
        index = self._expressions.statement.index
        first = index.at(start)
        tokens = index.tokens[first : index.at(end - 1) + 1] if first >= 0 else []
        behind = start
        for token in tokens:
            first, last = token.start, token.end + 1
            if first < behind or (first > behind and not whole[behind + base : first + base].isspace()):
                return None
            if token.token_type in STRINGS and whole[first + base : last + base] == token.text:
                # A string has quotes: this is a word that was made one for the grammar.
                return None
            behind = last
        return tokens if behind == end else None

    def _make_rule(self) -> Rule:
        kind = self._dialect.labels
        if kind in FORMS:
            return _written_back(FORMS[kind](self._expressions))
        return _rule_of(kind, self._expressions)

    def generated(self, item: Any) -> list[str] | None:
        """The columns of a function that makes rows, where it stands in a select list of Hive or Spark; else None."""
        if not self._makes_columns or KIND[item.__class__] not in _FUNCTION_KINDS:
            return None
        names = output_names(item, self._dialect)
        if names:
            return list(names)
        arguments = list(item.args.get("expressions") or ())
        name = str(item.name).lower() if item.__class__ is exp.Anonymous else str(item.key)
        if name in ("json_tuple", "parse_url_tuple"):
            return [f"c{place}" for place in range(len(arguments) - 1)] or None
        if name == "stack":
            rows, *values = arguments if item.__class__ is exp.Anonymous else [item.args["this"], *arguments]
            if str(rows.name).isdigit():
                return [f"col{place}" for place in range(-(-len(values) // max(int(rows.name), 1)))] or None
        return None


def _rule_of(kind: str, expressions: ExpressionReader) -> Rule:
    maker = {"postgres": _postgres, "hive": _hive}.get(kind)
    return maker(expressions) if maker is not None else _RULES[kind]


_VALUES_LABELS: dict[str, str] = {
    "clickhouse": "c{1}",
    "duckdb": "col{0}",
    "hive": "col{1}",
    "mysql": "column_{0}",
    "spark": "col{1}",
    "trino": "_col{0}",
}


def values_label(dialect: SqlDialect, place: int) -> str:
    """The name of a column of VALUES that has none, by its place from zero."""
    return _VALUES_LABELS.get(dialect.labels, "column{1}").format(place, place + 1)


# --- rules ------------------------------------------------------------------------------------------------------


def _as_written(item: Any, place: int, output: int, unnamed: int, text: str) -> Label:
    """MySQL and SQLite, and wherever the engine gives no name that a query could use."""
    return text


def _as_written_or_cast(item: Any, place: int, output: int, unnamed: int, text: str) -> Label:
    """No engine in particular: as written, but `x::type` keeps the name of x."""
    if item.__class__ in _CASTS and item.args["this"].__class__ is exp.Column and not item._meta and "::" in text:
        return item.args["this"].args["this"]
    return text


def _string_content(item: Any, place: int, output: int, unnamed: int, text: str) -> Label:
    """MySQL: as written, a string without its quotes."""
    if item.__class__ is exp.Literal and item.args.get("is_string"):
        return item.name
    return text


def _without_spaces(item: Any, place: int, output: int, unnamed: int, text: str) -> Label:
    """Oracle: the text in capitals, without white space outside of strings."""
    parts = text.split("'")
    parts[::2] = ["".join(part.split()) for part in parts[::2]]
    return "'".join(parts).upper()


def _field(item: Any) -> Any:
    """The field that `(expression).field` takes, None for anything else."""
    if item.__class__ is exp.Dot and item.args.get("expression").__class__ is exp.Identifier:
        return item.args["expression"]
    return None


def _hive(expressions: ExpressionReader) -> Rule:
    """Hive: the place as written, but in a view's definition the place in the result."""

    def rule(item: Any, place: int, output: int, unnamed: int, text: str) -> Label:
        process = expressions.builder.process
        if process is not None and process.type in _VIEWS:
            place = output
        return _field(item) or f"_c{place}"

    return rule


def _by_output(pattern: str) -> Rule:
    def rule(item: Any, place: int, output: int, unnamed: int, text: str) -> Label:
        return _field(item) or pattern.format(output)

    return rule


def _by_unnamed(pattern: str, first: int) -> Rule:
    def rule(item: Any, place: int, output: int, unnamed: int, text: str) -> Label:
        return _field(item) or pattern.format(unnamed + first)

    return rule


def _postgres(expressions: ExpressionReader) -> Rule:
    """PostgreSQL and its kin: the column or function that decides, else the type of a cast, else CASE, else nothing."""

    def rule(item: Any, place: int, output: int, unnamed: int, text: str) -> Label:
        weak = _UNNAMED
        while True:
            kind = item.__class__
            if kind is exp.Column:
                identifier = item.args["this"]
                return identifier if identifier.__class__ is exp.Identifier else weak
            if kind in _SUFFIXES:
                item = item.args["this"]
            elif kind in _CASTS:
                if weak is _UNNAMED:
                    weak = _type_name(item.args.get("to"))
                item, text = item.args["this"], ""
            elif kind is exp.Case:
                if weak is _UNNAMED:
                    weak = "case"
                item, text = item.args.get("default"), ""
                if item is None:
                    return weak
            elif isinstance(item, exp.Query):
                item, text, weak = _first_item(item), "", _UNNAMED
                if item is None:
                    return weak
                if item.__class__ is exp.Alias:
                    return item.args["alias"]
            elif kind is exp.Dot:
                item, text = item.args.get("expression"), ""
                if item.__class__ is exp.Identifier:
                    return item
            else:
                return _SYNTAX_NAMES.get(kind) or _function_name(item, text, expressions) or weak

    return rule


def _first_item(query: Any) -> Any:
    """The first item of a query's leftmost select list."""
    while query is not None and query.__class__ is not exp.Select:
        query = query.args.get("this")
    items = query.args.get("expressions") if query is not None else None
    return items[0] if items else None


def _type_name(data_type: Any) -> str:
    """The last word of PostgreSQL's internal name of a type."""
    while data_type is not None and data_type.args.get("nested") and data_type.args.get("expressions"):
        data_type = data_type.args["expressions"][0]
    if data_type is None:
        return _UNNAMED
    kind = data_type.args.get("this")
    name = str(getattr(kind, "value", kind))
    if name == "USER-DEFINED":
        return str(data_type.args.get("kind") or name).rpartition(".")[2].lower()
    return _TYPE_NAMES.get(name, name.lower())


def _function_name(item: Any, text: str, expressions: ExpressionReader) -> str | None:
    """PostgreSQL's name of a called function, None when the item is no call."""
    if not isinstance(item, exp.Func):
        return None
    if item.__class__ is exp.Trim and not item._meta:
        return _TRIM_NAMES.get(str(item.args.get("position") or "").upper(), "btrim")
    word = function_word(item, expressions)
    if word is not None:
        return word.lower()
    if KIND[item.__class__] not in _FUNCTION_KINDS:
        return None
    first = text.partition("(")[0].strip()
    return first.lower() if first.isidentifier() else str(item.sql_names()[0]).lower()


def _written_back(form: Form) -> Rule:
    def rule(item: Any, place: int, output: int, unnamed: int, text: str) -> Label:
        kept = form.kept(item)
        if kept is not None:
            return kept
        try:
            return form.text(item, 0)
        except UnprintableError:
            return text

    return rule


_RULES: dict[str, Rule] = {
    "text": _as_written,
    "ansi": _as_written_or_cast,
    "mysql": _string_content,
    "oracle": _without_spaces,
    "trino": _by_output("_col{}"),
    "calcite": _by_output("EXPR${}"),
    "bigquery": _by_unnamed("f{}_", 0),
    "couchbase": _by_unnamed("${}", 1),
}
