"""Metric views of Databricks as the queries that they stand for.

``CREATE VIEW v WITH METRICS LANGUAGE YAML AS $$ … $$`` lists a source, joins, dimensions and measures. Of YAML they use little:
keys with a value on their line or in a block below it, and lists of such keys.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from sqlglot.errors import TokenError
from sqlglot.tokenizer_core import Token, TokenType

from connector.sql.cursor import TokenCursor, name_end
from connector.sql.dialects import SqlDialect
from connector.sql.words import Tokens, in_parentheses, like

_ENTRY = re.compile(r"^(?P<indent>[ ]*(?:-[ ]+)?)(?P<key>\w+):[ \t]*(?P<value>.*?)[ \t]*$")
_SECTIONS = frozenset({"dimensions", "measures", "fields", "joins"})


_Value = tuple[str, int]
"""The value of a key, and its place in the text."""


@dataclass(slots=True)
class _Entry:
    """An item of a list, or the view itself: its depth, and the values of its keys with their places in the text."""

    section: str
    depth: int
    values: dict[str, _Value] = field(default_factory=dict)


def metric_view(tokens: Tokens, dialect: SqlDialect) -> Tokens | None:
    """The tokens of a metric view as those of ``CREATE VIEW … AS SELECT``; None for anything else."""
    walker = TokenCursor(tokens)
    view, text = walker.seek(0, "VIEW", "("), tokens[-1]
    metrics = walker.seek(view, "METRICS")
    if text.token_type is not TokenType.HEREDOC_STRING or walker.word_at(metrics - 1) != "WITH":
        return None
    start = view + 4 if walker.words(view + 1, "IF", "NOT", "EXISTS") else view + 1
    entries = _entries(text.text)
    source = entries[0].values.get("source")
    items = [entry for entry in entries if entry.section not in ("", "joins") and "expr" in entry.values]
    if source is None or not items:
        return None
    try:
        query = _query(entries, items, source, _Written(text, dialect))
    except TokenError:
        return None
    return [*tokens[: name_end(walker, start)], like(text, TokenType.ALIAS, "AS"), *query]


def _query(entries: list[_Entry], items: list[_Entry], source: _Value, written: _Written) -> Tokens:
    """``SELECT items FROM source LEFT JOIN … WHERE filter``."""
    text = written.text
    query = [like(text, TokenType.SELECT, "SELECT")]
    for entry in items:
        name = entry.values.get("name", entry.values["expr"])
        comma = [like(text, TokenType.COMMA, ",")] if len(query) > 1 else []
        query += [*comma, *written.tokens(entry.values["expr"]), *written.alias(name)]
    query += [like(text, TokenType.FROM, "FROM"), *written.rows(source), *written.alias(("source", source[1]))]
    for entry in entries:
        if entry.section == "joins" and "source" in entry.values and "name" in entry.values:
            query += [like(text, TokenType.LEFT, "LEFT"), like(text, TokenType.JOIN, "JOIN")]
            query += [*written.rows(entry.values["source"]), *written.alias(entry.values["name"])]
            if "on" in entry.values:
                query += [like(text, TokenType.ON, "ON"), *written.tokens(entry.values["on"])]
    if "filter" in entries[0].values:
        query += [like(text, TokenType.WHERE, "WHERE"), *written.tokens(entries[0].values["filter"])]
    return query


@dataclass(slots=True)
class _Written:
    """Pieces of the text as tokens at their places."""

    text: Token
    dialect: SqlDialect

    def tokens(self, value: _Value) -> Tokens:
        piece, at = value
        base = self.text.start + 2 + at
        return [
            Token(token.token_type, token.text, self.text.line, self.text.col, base + token.start, base + token.end, [])
            for token in self.dialect.sqlglot.tokenize(piece)
        ]

    def rows(self, value: _Value) -> Tokens:
        """A table, or a query in parentheses."""
        found = self.tokens(value)
        if not found or found[0].token_type not in (TokenType.SELECT, TokenType.WITH):
            return found
        return in_parentheses(found)

    def alias(self, value: _Value) -> Tokens:
        start = self.text.start + 2 + value[1]
        name = Token(
            TokenType.IDENTIFIER, value[0], self.text.line, self.text.col, start, start + len(value[0]) - 1, []
        )
        return [like(self.text, TokenType.ALIAS, "AS"), name]


def _entries(text: str) -> list[_Entry]:
    """The view itself, and behind it all items of its lists."""
    found = [_Entry("", -1)]
    sections: list[tuple[int, str]] = []
    for depth, is_item, key, value in _values(text):
        while sections and sections[-1][0] >= depth:
            sections.pop()
        if key in _SECTIONS and not value[0]:
            sections.append((depth, key))
            continue
        section = sections[-1][1] if sections else ""
        if is_item:
            found.append(_Entry(section, depth))
        entry = next((each for each in reversed(found) if each.depth == depth), found[0])
        if (section or depth == 0) and value[0].strip():
            entry.values.setdefault(key, value)
    return found


def _values(text: str) -> Iterator[tuple[int, bool, str, _Value]]:
    """For each key its depth, whether it begins an item, and its value with its place."""
    lines = text.split("\n")
    at = place = 0
    while at < len(lines):
        line = lines[at]
        match = _ENTRY.match(line)
        here = place
        place += len(line) + 1
        at += 1
        if match is None or line.lstrip().startswith("#"):
            continue
        depth, value, start = len(match["indent"]), match["value"], here + match.start("value")
        if value in ("", "|", ">", "|-", ">-"):
            block: list[str] = []
            start = place
            while (
                value
                and at < len(lines)
                and (not lines[at].strip() or len(lines[at]) - len(lines[at].lstrip()) > depth)
            ):
                block.append(lines[at])
                place += len(lines[at]) + 1
                at += 1
            value = "\n".join(block)
        elif value[0] in "\"'" and value[-1] == value[0] and len(value) > 1:
            value, start = value[1:-1], start + 1
        yield depth, "-" in match["indent"], match["key"], (value, start)
