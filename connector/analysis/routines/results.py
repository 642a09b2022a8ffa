"""What routines return to their callers: functions in FROM and in expressions, INSERT … EXEC.

A caller may come before the definition. Then it waits, and is linked when the body has been read.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from itertools import islice
from typing import Any

from sqlglot import exp

from connector.analysis.builder import ROWS, STAR
from connector.analysis.context import Context
from connector.analysis.foreign import ForeignReader
from connector.analysis.methods import is_method
from connector.analysis.routines.registry import Given, Registry, Routine
from connector.analysis.routines.variables import Variable
from connector.analysis.rowset import Rowset
from connector.analysis.scope import Scope
from connector.analysis.table_functions import function_call
from connector.analysis.text_functions import TextFunctions
from connector.model import Column, Flow


@dataclass(slots=True, eq=False)
class _Waiting:
    """A call of a function that is not defined yet."""

    path: tuple[str, ...]
    count: int
    link: Callable[[Routine], None]


class Results:
    """The routines of a run, and the calls that wait for theirs to be defined."""

    __slots__ = ("_waiting", "ctx", "instance", "registry")

    def __init__(self, ctx: Context) -> None:
        self.ctx = ctx
        self.registry = Registry()
        self._waiting: dict[str, list[_Waiting]] = {}
        self.instance: Callable[[Routine, Mapping[str, str]], Routine] | None = None
        """Reads a routine that is given the names of tables once more, with these names in it."""

    def __contains__(self, name: str) -> bool:
        return name in self.registry

    # --- definitions --------------------------------------------------------------------------------------------

    def settle(self, routine: Routine) -> None:
        """The body has been read: those who called the routine before get what it gives."""
        routine.done = True
        waiting = self._waiting.pop(routine.path[-1], [])
        others = []
        for call in waiting:
            if self.registry.find(call.path, call.count) is routine:
                call.link(routine)
            else:
                others.append(call)
        if others:
            self._waiting[routine.path[-1]] = others

    def wait(self, path: tuple[str, ...], count: int, link: Callable[[Routine], None]) -> None:
        """Calls `link` when a routine that fits has been read."""
        self._waiting.setdefault(path[-1], []).append(_Waiting(path, count, link))

    def find(self, path: tuple[str, ...], count: int) -> Routine | None:
        """The routine that a call means, if its body has been read."""
        found = self.registry.find(path, count, self.ctx.procedure)
        return found if found is not None and found.done else None

    # --- calls --------------------------------------------------------------------------------------------------

    def rows_of(self, path: tuple[str, ...], arguments: list[Any], scope: Scope) -> Rowset | None:
        """The rows of a function in FROM; None when the input does not define it, or not yet."""
        routine = self.find(path, len(arguments))
        if routine is None:
            return None
        found = self.result(self._called_with(routine, arguments))
        if found is None:
            return None
        out: list[Column] = []
        for argument in arguments:
            self.ctx.expressions.value(_given_value(argument), scope, out, scope.impacts)
        self.ctx.builder.flow.sources[found.entity] = None
        return self._call(found, out)

    def _called_with(self, routine: Routine, arguments: list[Any]) -> Routine:
        """The routine with the names of tables that it is called with."""
        if routine.template is None or self.instance is None:
            return routine
        texts = routine.template.texts(arguments)
        key = tuple(sorted(texts.items()))
        found = routine.instances.get(key)
        if found is None:
            found = routine.instances[key] = self.instance(routine, texts)
        return found

    def _call(self, found: Rowset, arguments: list[Column]) -> Rowset:
        """The rows of one call: what the routine gives, limited by the arguments of this call and of no other."""
        builder = self.ctx.builder
        queries = self.ctx.queries
        call = Rowset(builder.resultset("function"))
        if found.outputs:
            queries.rename_columns(call, found, ())
        elif found.known is not None:
            for key, name in found.known.items():
                queries.direct_output(call, key, name, None, found.column(builder, key, name, None))
        if found.feeds is not None:
            call.feeds = found.feeds
        limits = dict.fromkeys(arguments)
        builder.relate("fdr", builder.rows(call.entity), limits, "function", "select")
        rows = found.entity.columns.get(ROWS)
        if rows is not None:
            builder.relate("fdr", builder.rows(call.entity), [rows], "function")
        builder.finish(call.entity, builder.reach)
        return call

    def fields_read(self, path: tuple[str, ...], count: int, place: int) -> list[tuple[str, str]] | None:
        """Key and name of the fields that a routine reads of a row that it is given; None where it may be all of them."""
        routine = self.find(path, count)
        if routine is None or place >= len(routine.parameters):
            return None
        parameter = routine.parameters[place]
        entity = parameter.entity
        if entity is not parameter.first or entity.sub_type != "record" or parameter in self.ctx.names.wholes:
            return None
        fields = [(key, column.name) for key, column in entity.columns.items() if key != ROWS]
        return fields if all(key != STAR for key, _ in fields) else None

    def value_of(self, path: tuple[str, ...], column: Column, arguments: list[Any]) -> bool:
        """A function in an expression: what it gives back goes into the column of its call, now or when it is known.

        Its arguments are in that column already. True where it is known to give several rows.
        """
        process = self.ctx.builder.process
        flow = self.ctx.builder.flow

        def link(routine: Routine) -> None:
            builder = self.ctx.builder
            around, builder.process = builder.process, process
            found = self.result(self._called_with(routine, arguments))
            if found is not None:
                columns = found.feeds if found.feeds is not None else [each for _, each in found.outputs]
                builder.relate("fdd", column, columns, "function")
                rows = found.entity.columns.get(ROWS)
                if rows is not None:
                    builder.relate("fdr", column, [rows], "function", "select")
                flow.sources[found.entity] = None
            builder.process = around

        routine = self.find(path, len(arguments))
        if routine is not None:
            link(routine)
            return routine.several
        self.wait(path, len(arguments), link)
        return False

    def takes_values(self, path: tuple[str, ...], count: int) -> bool:
        """Whether a call in an expression runs a routine that writes: what it is called with may be written."""
        routine = self.find(path, count)
        return routine is not None and routine.writes

    def pass_values(self, path: tuple[str, ...], values: list[tuple[str, list[Column]]]) -> None:
        """The arguments of such a call to its parameters: by name, or in order."""
        routine = self.find(path, len(values))
        parameters = routine.parameters if routine is not None else []
        places = {parameter.key[0].lower(): parameter for parameter in parameters}
        builder = self.ctx.builder
        for place, (name, columns) in enumerate(values):
            parameter = places.get(name.lower()) if name else parameters[place] if place < len(parameters) else None
            if parameter is not None and columns:
                # The body has been read: its statements have to do with the first version of a parameter.
                current, parameter.entity = parameter.entity, parameter.first
                builder.relate("fdd", parameter.own(builder), columns, "call")
                parameter.entity = current

    def join_later(self, path: tuple[str, ...], count: int, found: Rowset) -> None:
        """A function in FROM that is not defined yet: its rows turn out to be those that the routine gives."""
        builder = self.ctx.builder
        process = builder.process
        relations = builder.model.relations
        before = len(relations)

        def link(routine: Routine) -> None:
            result = self.result(routine)
            if result is None or process is None:
                return
            around, builder.process = builder.process, process
            entity = found.entity
            for relation in islice(relations, before, None):
                if relation.process is not process:
                    break
                if relation.target.entity is entity and relation.type == "fdd":
                    # What the arguments are made of decides the rows, as for any call of a function that is known.
                    relation.type, relation.clause = "fdr", "select"
            if entity.kind == "table":
                entity.kind = "variable"
                entity.type, entity.sub_type = "variable", "table"
                entity.temporary = True
            for key, column in list(entity.columns.items()):
                source = builder.rows(result.entity) if key == ROWS else result.column(builder, key, column.name, None)
                builder.relate("fdr" if key == ROWS else "fdd", column, [source], "function")
            rows = result.entity.columns.get(ROWS)
            for flow in process.flows:
                flow.sources[entity] = None
                if rows is not None and flow.target is not None:
                    builder.relate("fdr", builder.rows(flow.target), [rows], "select")
            process.flows.append(Flow(entity, {result.entity: None}))
            builder.process = around

        self.wait(path, count, link)

    # --- results ------------------------------------------------------------------------------------------------

    def result(self, routine: Routine) -> Rowset | None:
        """What the routine gives back, created when it is first needed."""
        if routine.result is None and routine.given:
            queries = [given for given in routine.given if given.result is not None]
            routine.result = self._rows(routine, queries) if queries else self._value(routine)
        found = routine.result
        if isinstance(found, Variable):
            found.show(self.ctx.builder)
        return found

    def _rows(self, routine: Routine, queries: list[Given]) -> Rowset:
        """One table of all that its queries give, column by column in order."""
        builder = self.ctx.builder
        names = self.ctx.names
        name = routine.procedure.name
        known = {names.key_of(column): column for column in routine.columns} or None
        found = Variable(name, names.key_of(name), "table", routine.procedure.span, known)
        around = builder.process
        values = [given for given in routine.given if given.result is None]
        for given in queries:
            assert given.result is not None
            builder.process = given.process
            by_position = found.known is not None and not given.named
            found.fill(builder, given.result, "select", by_position=by_position)
            if given.limits:
                builder.relate("fdr", builder.rows(found.entity), given.limits, "select", "where")
            given.process.flows.append(Flow(found.entity, given.sources))
        for _, column in found.outputs[:1] if values else ():
            self._give(column, values, column)
        builder.process = around
        return found

    def _give(self, column: Column, values: list[Given], limited: Column) -> None:
        """Values that are returned go into a column; what limits them, into that one or into the row column."""
        builder = self.ctx.builder
        for given in values:
            builder.process = given.process
            builder.relate("fdd", column, given.columns, "select")
            builder.relate("fdr", limited, given.limits, "select", "select")
            given.process.flows.append(Flow(column.entity, given.sources))

    def _value(self, routine: Routine) -> Rowset:
        """The value of a function, of which any column is made where it is read as a table."""
        builder = self.ctx.builder
        names = self.ctx.names
        name = routine.procedure.name
        found = Variable(name, names.key_of(name), "scalar", routine.procedure.span)
        around = builder.process
        column = found.own(builder)
        limited = (
            builder.rows(found.entity) if routine.several and any(each.limits for each in routine.given) else column
        )
        self._give(column, routine.given, limited)
        builder.process = around
        found.outputs = [(found.key[0], column)]
        found.feeds = [column]
        return found


def _given_value(argument: Any) -> Any:
    return argument.args["expression"] if argument.__class__ is exp.Kwarg else argument


class FollowedCalls:
    """Knows the rows of the functions that the scripts define."""

    __slots__ = ("_foreign", "_results", "_texts")

    def __init__(self, foreign: ForeignReader, texts: TextFunctions | None, results: Results) -> None:
        self._foreign = foreign
        self._texts = texts
        self._results = results

    def rows(self, node: Any, scope: Scope) -> Rowset | None:
        """The rows of the function; None if they are not known yet."""
        path, call = self._path(node)
        if path and path[-1] in self._results.registry:
            found = self._results.rows_of(path, call.args.get("expressions") or [], scope)
            if found is not None:
                return found
        found = self._foreign.rows(node)
        return self._texts.rows(node) if found is None and self._texts is not None else found

    def missed(self, node: Any, found: Rowset) -> None:
        """The function has been read without knowing it: should it be defined later, its rows are known then."""
        path, call = self._path(node)
        if path:
            self._results.join_later(path, len(call.args.get("expressions") or ()), found)

    @staticmethod
    def _path(node: Any) -> tuple[tuple[str, ...], Any]:
        qualifiers, call = function_call(node)
        if call.__class__ is not exp.Anonymous or (qualifiers and is_method(call.name)):
            return (), call
        parts = [*(part.name for part in qualifiers), str(call.args["this"])]
        return tuple(part.lower() for part in parts if part), call
