"""Reads identifiers: their folded names, their spelling and their places in the script."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from sqlglot import exp
from sqlglot.errors import ParseError

from connector.analysis.builder import Builder
from connector.model import Span
from connector.sql.dialects import SqlDialect

_FOLDS: dict[str, Callable[[str], str]] = {"ab": str.lower, "AB": str.upper, "aB": str}
"""By what becomes of ``aB``."""


class Identifiers:
    """What identifiers say, by the rules of one dialect."""

    __slots__ = ("_fold", "builder", "dialect", "fold_plain")

    def __init__(self, builder: Builder, dialect: SqlDialect) -> None:
        self.builder = builder
        self.dialect = dialect
        self._fold = dialect.fold_column
        self.fold_plain = _FOLDS[dialect.fold_column("aB", False)]
        """The folded form of an unquoted name, without the cost of a function of ours."""

    def key(self, identifier: Any) -> str:
        """The folded name of an identifier."""
        args = identifier.args
        if args.get("quoted"):
            return self._fold(identifier.name, True)
        name = args.get("this")
        if name.__class__ is not str or identifier.__class__ is not exp.Identifier:
            name = identifier.name
        return self.fold_plain(name)

    def label(self, identifier: Any) -> tuple[str, str]:
        """Folded name and spelling of a name in a select list; the query reaches as far as it."""
        args = identifier.args
        name = args.get("this")
        quoted = args.get("quoted")
        if not name and not quoted:
            raise ParseError("incomplete statement: a name is missing")
        if name.__class__ is not str:
            return self.key(identifier), self.written(identifier) or str(identifier.sql())
        key = self._fold(name, True) if quoted else self.fold_plain(name)
        meta = identifier._meta
        if meta and "start" in meta:
            builder = self.builder
            end = meta["end"] + 1 + builder.base
            if end > builder.reach:
                builder.reach = end
            if quoted:
                name = builder.script.text[meta["start"] + builder.base : end]
        return key, name

    def written(self, identifier: Any) -> str:
        """A name as the script spells it, quotes included."""
        if identifier.args.get("quoted"):
            meta = identifier._meta
            if meta and "start" in meta:
                base = self.builder.base
                return self.builder.script.text[meta["start"] + base : meta["end"] + 1 + base]
        return str(identifier.name)

    def span(self, node: Any) -> Span | None:
        """The place of a word in the script."""
        meta = node._meta
        if meta and "start" in meta:
            base = self.builder.base
            return self.builder.script, meta["start"] + base, meta["end"] + 1 + base
        return None

    def reach(self, node: Any) -> None:
        """Notes that the query at hand reaches as far as this word."""
        meta = node._meta
        if meta and "start" in meta:
            end = meta["end"] + 1 + self.builder.base
            if end > self.builder.reach:
                self.builder.reach = end

    def key_of(self, name: str) -> str:
        """The folded form of an unquoted name."""
        return self.fold_plain(name)
