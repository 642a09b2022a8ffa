"""Reads identifiers (folded names, spelling, places), and resolves the names of variables to columns of the model."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from sqlglot import exp
from sqlglot.errors import ParseError

from connector.analysis.builder import ROWS, Builder
from connector.analysis.rowset import Rowset
from connector.analysis.scope import Scope
from connector.model import Column, Span
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


class VariableNames(Identifiers):
    """Knows the variables of the routine at hand."""

    __slots__ = (
        "_variables_win",
        "bare_variables",
        "bindings",
        "blocks",
        "packages",
        "reads",
        "unwritten",
        "variables",
        "wholes",
    )

    def __init__(self, builder: Builder, dialect: SqlDialect) -> None:
        super().__init__(builder, dialect)
        self.variables: dict[str, Rowset] = {}
        """Variables of the routine at hand, by folded name."""
        self.bare_variables = not dialect.family.signed_variables
        """Whether a bare name may be a variable where tables are read; some dialects want a sign before it."""
        self.bindings: dict[str, list[Column]] = {}
        """Names that stand for values: the arguments of dynamic SQL, the columns of a loop's query."""
        self.reads: set[Rowset] = set()
        """Variables that something has read."""
        self.wholes: set[Rowset] = set()
        """Of these, records that were not read field by field alone."""
        self.blocks: frozenset[str] = frozenset()
        """Names of the routines around, which may qualify their variables."""
        self.packages: dict[str, dict[str, Rowset]] = {}
        """The variables and cursors of packages, by the folded names of the package and of the variable."""
        self.unwritten: frozenset[Rowset] = frozenset()
        """Variables of the routines around that nothing has written yet when the one inside them is read."""
        self._variables_win = dialect.family.variables_win

    def is_variable(self, scope: Scope, key: str, name: str, span: Span | None, out: list[Column]) -> bool:
        """Whether the name is that of a variable: it is, unless a table is known to have such a column and wins."""
        bound = self.bindings.get(key)
        variable = self.variables.get(key)
        if (bound is None and variable is None) or not self.bare_variables:
            return False
        if not self._variables_win:
            level: Scope | None = scope
            while level is not None:
                if any(source.has(key) for source in level.sources.values()):
                    return False
                level = level.parent
        if variable is None:
            self.bound(bound or [], scope, out)
        elif variable.entity.kind == "variable" and variable.entity.sub_type != "cursor":
            # A cursor is no value: its query may have a column of its name.
            self.variable(variable, scope, out, span)
        else:
            return False
        return True

    def bound(self, columns: list[Column], scope: Scope, out: list[Column]) -> None:
        """Columns that stand for a name: the arguments of dynamic SQL, the columns of a loop; with what limits them."""
        out.extend(columns)
        rows = {limit: None for column in columns if (limit := _limit_of(column)) is not None}
        if rows:
            scope.impact("select", rows)

    def variable(self, found: Rowset, scope: Scope | None, out: list[Column], span: Span | None = None) -> None:
        """A variable where a value stands: its own column, or all columns of a record."""
        entity = found.entity
        if entity.sub_type == "scalar" or not entity.columns:
            out.append(found.column(self.builder, found.key[0], entity.name, span or entity.span))
        else:
            out.extend([column for key, column in entity.columns.items() if key])
        self.wholes.add(found)
        self._limited(found, scope)

    def _limited(self, found: Rowset, scope: Scope | None) -> None:
        """What limits the value of a variable limits whatever is made with it."""
        self.reads.add(found)
        if scope is not None and found.entity.kind == "variable":
            rows = found.entity.columns.get(ROWS)
            if rows is None and found in self.unwritten:
                rows = found.rows(self.builder)
            if rows is not None:
                scope.impact("select", {rows: None})

    def is_field(
        self, keys: list[str], scope: Scope, key: str, name: str, span: Span | None, out: list[Column]
    ) -> bool:
        """`rec.field`, or a variable qualified with the name of its routine or package."""
        found = self.variables.get(keys[-1]) or self.variables.get(keys[0])
        if found is not None:
            out.append(self._field(found, key, name, span))
            self._limited(found, scope)
            return True
        found = self.member(keys[-1], key)
        if found is not None:
            self.variable(found, scope, out, span)
        return found is not None

    def member(self, qualifier: str, key: str) -> Rowset | None:
        """The variable of that name in the routine or package that qualifies it."""
        found = self.variables.get(key) if qualifier in self.blocks else None
        if found is None and qualifier in self.packages:
            found = self.packages[qualifier].get(key)
        return found

    def field(self, found: Rowset, identifier: Any, scope: Scope, out: list[Column]) -> None:
        """A field of a record."""
        out.append(self._field(found, self.key(identifier), self.written(identifier), self.span(identifier)))
        self._limited(found, scope)

    def _field(self, found: Rowset, key: str, name: str, span: Span | None) -> Column:
        """The field; of a value that came as a whole, such as an object or what a function gave back, all of it."""
        columns = found.entity.columns
        if not columns and found.entity.sub_type == "scalar":
            # Declared with a type that is defined elsewhere.
            found.entity.sub_type = "record"
        whole = columns.get(found.key[0]) if key not in columns and found.entity.kind == "variable" else None
        return whole if whole is not None else found.column(self.builder, key, name, span)

    def record_of(self, node: Any) -> Rowset | None:
        """The record or collection that a bare name means, or a collection's element; None for anything else."""
        if not self.variables:
            return None
        if node.__class__ is exp.Anonymous and isinstance(node.this, str):
            found = self.variables.get(self.key_of(node.this))
        elif node.__class__ is exp.Column and node.args.get("table") is None:
            found = self.variables.get(self.key(node.args["this"]))
        else:
            return None
        if found is None or found.entity.sub_type not in ("record", "table", "cursor"):
            return None
        self.wholes.add(found)
        return found

    def record_in(self, node: Any, scope: Scope) -> Rowset | None:
        """The record that a name in parentheses means; None where it may be a column or a row of a table."""
        key = self.key(node.args["this"])
        found = self.variables.get(key) if node.args.get("table") is None else None
        level: Scope | None = scope if found is not None else None
        while level is not None:
            if key in level.sources or any(source.has(key) for source in level.sources.values()):
                return None
            level = level.parent
        return found if found is not None and found.entity.kind == "variable" else None

    def signed(self, node: Any) -> Rowset | None:
        """The variable that `@x`, `:x` or `$1` means."""
        name = node.name
        variables = self.variables
        return variables.get(self.key_of("@" + name)) or variables.get(self.key_of(name)) or variables.get("$" + name)


def _limit_of(column: Column) -> Column | None:
    """The row column of the variable that a column belongs to, where something limited it."""
    return column.entity.columns.get(ROWS) if column.entity.kind == "variable" else None
