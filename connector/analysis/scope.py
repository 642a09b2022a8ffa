"""Scopes: the rowsets that a name in a query can refer to."""

from __future__ import annotations

from typing import TYPE_CHECKING

from connector.analysis.builder import Impacts
from connector.analysis.rowset import Rowset
from connector.model import ClauseType, Column

if TYPE_CHECKING:
    from sqlglot import exp


_NO_SOURCES: tuple[list[Rowset], list[Rowset]] = ([], [])


class Scope:
    """One query level. `parent` is where correlated columns are looked up; CTEs have a chain of their own,
    because a derived table sees the CTEs around it but not the tables beside it."""

    __slots__ = (
        "aggregates",
        "aliases",
        "cte_parent",
        "ctes",
        "found",
        "found_among",
        "group",
        "grouped",
        "impacts",
        "leading",
        "merged",
        "parent",
        "prefers_alias",
        "result",
        "sorted",
        "sorted_count",
        "sources",
        "windows",
    )

    def __init__(self, parent: Scope | None = None, cte_parent: Scope | None = None) -> None:
        self.parent = parent
        self.cte_parent = cte_parent if cte_parent is not None else parent
        self.ctes: dict[str, Rowset] | None = None
        self.sources: dict[str, Rowset] = {}
        """FROM items by alias or name."""
        self.merged: dict[str, list[Rowset]] | None = None
        """Columns that USING or NATURAL made one, with the rowsets that give their values."""
        self.leading: dict[Rowset, list[str]] | None = None
        """The first rowset of each sequence of joins, and the merged columns that a star shows before all others."""
        self.impacts: Impacts = {}
        """Columns that limit the rows, by clause."""
        self.aggregates: list[tuple[Column, bool]] = []
        """Function columns of the aggregates in the select list, and whether each counts rows already."""
        self.aliases: dict[str, tuple[Column | None, exp.Expression]] | None = None
        """Select-list aliases that may be referred to: the result's column once it is there, and the expression."""
        self.found: dict[str, Rowset] = {}
        """Unqualified names and the rowsets they were found in, as long as the FROM clause has `found_among` items."""
        self.found_among = 0
        self.sorted = _NO_SOURCES
        """What `sorted_sources` found, as long as the FROM clause has `sorted_count` items."""
        self.sorted_count = 0
        self.prefers_alias = False
        """Whether an alias wins over a column that a table may have but is not known to have."""
        self.result: Rowset | None = None
        """The result, once its select list is read: the clauses after it may mean its columns."""
        self.group: exp.Expression | None = None
        """The GROUP BY clause."""
        self.grouped: dict[str, exp.Expression] | None = None
        """The qualified columns of the GROUP BY clause by their folded names, once they are needed."""
        self.windows: dict[str, exp.Expression] | None = None
        """The WINDOW clause."""

    def cte(self, key: str) -> Rowset | None:
        """The CTE of that name, innermost first."""
        scope: Scope | None = self
        while scope is not None:
            if scope.ctes is not None and key in scope.ctes:
                return scope.ctes[key]
            scope = scope.cte_parent
        return None

    def sees(self, key: str) -> bool:
        """Whether this query or one around it has a FROM item of that name."""
        scope: Scope | None = self
        while scope is not None:
            if key in scope.sources:
                return True
            scope = scope.parent
        return False

    def add(self, key: str, source: Rowset) -> None:
        """Adds a FROM item; a second one under the same name (illegal but seen) keeps both reachable."""
        sources = self.sources
        if key in sources:
            count = 2
            while f"{key}\0{count}" in sources:
                count += 1
            key = f"{key}\0{count}"
        sources[key] = source

    def clear(self) -> None:
        """Takes all FROM items away."""
        self.sources.clear()
        self.sorted_count = 0

    def sorted_sources(self) -> tuple[list[Rowset], list[Rowset]]:
        """The tables that may have any column, and all else in the FROM clause."""
        if self.sorted_count != len(self.sources):
            self.sorted_count = len(self.sources)
            tables: list[Rowset] = []
            others: list[Rowset] = []
            for source in self.sources.values():
                is_open = source.known is None and source.entity.kind != "resultset"
                (tables if is_open else others).append(source)
            self.sorted = (tables, others)
        return self.sorted

    def impact(self, clause: ClauseType, columns: dict[Column, None]) -> None:
        """Notes columns that limit the rows of this query; the dictionary is the scope's from here on."""
        if columns:
            known = self.impacts.get(clause)
            if known is None:
                self.impacts[clause] = columns
            else:
                known.update(columns)
