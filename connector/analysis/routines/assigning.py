"""Assigns the columns of a result or an expression to variables."""

from __future__ import annotations

from sqlglot.tokenizer_core import Token

from connector.analysis.builder import ROWS, STAR, Impacts
from connector.analysis.context import Context
from connector.analysis.routines.branches import Branches
from connector.analysis.routines.variables import Place, Variable, VariableScope, row_of
from connector.analysis.rowset import Rowset
from connector.model import Column, EffectType, ProcessType, Span
from connector.sql.statement import Statement


class Binder:
    """Writes variables."""

    def __init__(self, ctx: Context, scope: VariableScope, branches: Branches) -> None:
        self.ctx = ctx
        self.scope = scope
        self.branches = branches

    def bind(self, result: Rowset, targets: list[list[Token]], effect: EffectType, statement: Statement) -> None:
        """The rows of a result go into variables: into a record as a whole, else column by column.

        The process at hand is the one that writes.
        """
        builder = self.ctx.builder
        single = len(targets) == 1
        written: dict[Rowset, None] = {}
        outputs = result.outputs
        if not outputs and isinstance(result, Variable) and result.entity.sub_type == "scalar":
            # The elements of an array.
            outputs = [(result.key[0], result.own(builder))]
        for position, tokens in enumerate(targets):
            place = self.scope.place(tokens, statement, records=single and len(outputs) > 1)
            if place is None:
                continue
            rowset = place.rowset
            if single and isinstance(rowset, Variable) and place.field is None and self._takes_all(rowset, result):
                self._replace(place, result)
                by_position = rowset.known is not None and not any(key in rowset.known for key, _ in outputs)
                rowset.fill(builder, result, effect, by_position=by_position)
                self.ctx.writes(rowset.entity)
                return
            self._replace(place, result)
            source = self._source(outputs, position)
            if source is not None:
                builder.direct(self._column(place, statement), source, effect)
            elif result.stars or not outputs:
                self._unknown_column(place, result, effect, statement)
            written[rowset] = None
        for rowset in written:
            if isinstance(rowset, Variable):
                rowset.limit(builder, result, effect)
            self.ctx.writes(rowset.entity)

    def _replace(self, place: Place, source: Rowset | None = None) -> None:
        """The old value of the variable ends here, if it surely does."""
        rowset = place.rowset
        if not isinstance(rowset, Variable) or rowset is source or not self.branches.certain:
            return
        reads = self.ctx.names.reads
        if place.field is None:
            if rowset.entity.sub_type != "table":
                rowset.renew()
        elif rowset in reads and place.field_key in rowset.entity.columns and rowset.entity.sub_type == "record":
            # A field that has a value: those who have read the record before do not get the new one.
            reads.discard(rowset)
            process = self.ctx.builder.process
            rowset.divide(self.ctx.builder, place.field_key)
            self.ctx.builder.process = process

    def _takes_all(self, variable: Variable, result: Rowset) -> bool:
        """A record takes a whole row; a collection of single values takes a single column, unless it is a table."""
        sub_type = variable.entity.sub_type
        if sub_type == "scalar":
            return not variable.entity.columns and (len(result.outputs) > 1 or bool(result.stars))
        if sub_type != "table" or self.ctx.dialect.family.table_variables:
            return True
        return len(result.outputs) > 1 or bool(result.stars) or variable.known is not None

    @staticmethod
    def _source(outputs: list[tuple[str, Column]], position: int) -> Column | None:
        for place, (key, column) in enumerate(outputs):
            if key == STAR or place == position:
                return column
        return None

    def _unknown_column(self, place: Place, result: Rowset, effect: EffectType, statement: Statement) -> None:
        """A result with unknown columns: what the variable takes is one of them."""
        star = result.entity.columns.get(STAR)
        if star is not None:
            self.ctx.builder.direct(self._column(place, statement), star, effect)

    def _column(self, place: Place, statement: Statement) -> Column:
        builder = self.ctx.builder
        rowset = place.rowset
        if place.field is not None:
            base = statement.base
            token = place.field
            span = (statement.script, token.start + base, token.end + 1 + base)
            return rowset.column(builder, place.field_key, token.text, span)
        if isinstance(rowset, Variable):
            return rowset.own(builder)
        return builder.rows(rowset.entity)

    def _begin(self, label: ProcessType) -> None:
        """A process for a value that turned out to move data; what was read for it so far belongs to it."""
        builder = self.ctx.builder
        if builder.process is None:
            sources = builder.flow.sources
            self.ctx.begin(label)
            builder.flow.sources.update(sources)

    def set_place(
        self,
        place: Place,
        out: list[Column],
        impacts: Impacts,
        effect: EffectType,
        label: ProcessType,
        statement: Statement,
        value: Span | None,
    ) -> None:
        """One value to one place. Nothing happens, and no process is made, when the value is a constant."""
        sources = [column for column in out if not self._is_itself(place, column)]
        grows = len(sources) < len(out)
        if not grows:
            self._replace(place)
        if not sources and not any(impacts.values()):
            return
        builder = self.ctx.builder
        self._begin(label)
        if place.rowset.entity.kind != "variable":
            effect = "trigger"
        column = self._column(place, statement)
        builder.compute(column, sources, effect, value)
        self._influence(place.rowset, column, impacts, effect)
        self.ctx.writes(place.rowset.entity)

    def _influence(self, rowset: Rowset, column: Column, impacts: Impacts, effect: EffectType) -> None:
        builder = self.ctx.builder
        for clause, columns in impacts.items():
            rows = {source: None for source in columns if source.entity.kind == "variable" and source.system}
            builder.relate("fdr", column, [source for source in columns if source not in rows], effect, clause)
            if rows and isinstance(rowset, Variable):
                builder.relate("fdr", builder.rows(rowset.show(builder)), rows, effect)
            elif rows:
                builder.relate("fdr", column, rows, effect, clause)

    def pass_value(
        self, parameter: Variable, out: list[Column], limits: dict[Column, None], effect: EffectType, label: ProcessType
    ) -> None:
        """An argument to a parameter. What reads the parameter may have been read before: limits go with the value."""
        if not out and not limits:
            return
        builder = self.ctx.builder
        self._begin(label)
        column = parameter.own(builder)
        builder.relate("fdd", column, out, effect)
        builder.relate("fdr", column, limits, effect, "select")
        self.ctx.writes(parameter.entity)

    def copy(self, target: Rowset, source: Rowset, effect: EffectType, label: ProcessType) -> None:
        """One record to another, column by column."""
        if target is source or not isinstance(target, Variable):
            return
        builder = self.ctx.builder
        self.ctx.names.wholes.add(source)
        row = row_of(source)
        if not row.outputs and ROWS not in source.entity.columns:
            return
        self._begin(label)
        self._replace(Place(target), source)
        target.fill(builder, row, effect)
        self.ctx.writes(target.entity)

    @staticmethod
    def _is_itself(place: Place, column: Column) -> bool:
        rowset = place.rowset
        if column.entity is not rowset.entity:
            return False
        key = place.field_key if place.field is not None else rowset.key[0] if rowset.key else ""
        return rowset.entity.columns.get(key) is column and rowset.entity.kind == "variable"
