"""Creates the elements of a model: ids, columns, relations and resultset names, for one analysis of one or more scripts."""

from __future__ import annotations

from bisect import bisect_right
from collections import defaultdict
from collections.abc import Collection, Iterable

from connector.model import (
    ClauseType,
    Column,
    EffectType,
    Entity,
    Flow,
    Model,
    Problem,
    ProblemType,
    Process,
    Relation,
    RelationType,
    Script,
    Span,
)
from connector.sql.masked_names import DerivedName

Impacts = dict[ClauseType, dict[Column, None]]
"""Columns with an indirect effect, by clause."""

ROWS = ""
"""Key of the row column among an entity's columns."""
STAR = "*"
"""Key of the column that stands for all columns that are not known yet."""

_new = object.__new__
"""Columns and relations are made by the dozen for every query. Calling their class costs more than setting their fields."""

_PREFIX = {
    "select_list": "RS",
    "select_union": "UNION",
    "insert-select": "INSERT-SELECT",
    "update-set": "UPDATE-SET",
    "update-select": "UPDATE-SELECT",
    "merge-insert": "MERGE-INSERT",
    "merge-update": "MERGE-UPDATE",
    "function": "FUNCTION",
    "pivot_table": "PIVOT",
    "unpivot_table": "UNPIVOT",
    "alias": "ALIAS",
}


class Builder:
    """Adds to one model. `script`, `base`, `process` and `flow` say where the analysis stands at the moment."""

    __slots__ = (
        "_counters",
        "_doubtful",
        "_next_id",
        "_opaque",
        "_relations",
        "_row_name",
        "_unnamed",
        "base",
        "flow",
        "masked",
        "masks",
        "model",
        "process",
        "reach",
        "script",
    )

    def __init__(self, model: Model, row_column: str) -> None:
        self.model = model
        self._relations = model.relations
        self._row_name = row_column
        self._next_id = 0
        self._counters: defaultdict[str, int] = defaultdict(int)
        self._opaque: list[Span] = []
        """What was not understood in the script at hand, and how many relations there were before."""
        self._doubtful = 0
        self._unnamed: list[tuple[int, int, Entity, str]] = []
        self.masked: dict[str, str] = {}
        """Names that were derived from expressions with literals, and what they are without them."""
        self.masks = False
        """Whether there are such names, or columns that are named after values."""
        self.script: Script = Script("")
        self.base = 0
        self.process: Process | None = None
        self.flow: Flow = Flow(None)
        self.reach = -1
        """The furthest offset read so far within the query or function at hand; resultsets are numbered by it."""

    def next_id(self) -> int:
        self._next_id += 1
        return self._next_id

    @property
    def last_id(self) -> int:
        """The identity that was given last: what is made from here on has a higher one."""
        return self._next_id

    # --- entities -----------------------------------------------------------------------------------------------

    def entity(self, entity: Entity) -> Entity:
        self.model.entities.append(entity)
        return entity

    def enter(self, entity: Entity) -> None:
        """Takes a variable into the model, which holds those that something is written to or read from."""
        if not entity.id:
            entity.id = self.next_id()
            self.model.entities.append(entity)

    def resultset(self, kind: str, span: Span | None = None) -> Entity:
        """A new resultset. It gets its name when the statement ends (see `finish`), by its place in the text."""
        self._next_id = number = self._next_id + 1
        found = Entity(number, "resultset", "", kind, {})
        found.span = span
        self.model.entities.append(found)
        return found

    def finish(self, resultset: Entity, reach: int, prefix: str | None = None) -> None:
        """Says where in the text a resultset ended, so that it can be numbered in that order."""
        self._unnamed.append((reach, self._next_id, resultset, prefix or _PREFIX[resultset.type]))

    def number_resultsets(self) -> None:
        """Names the resultsets of a statement: inner before outer, left before right."""
        unnamed = self._unnamed
        if len(unnamed) > 1:
            unnamed.sort(key=_order)
        counters = self._counters
        for _, _, found, prefix in unnamed:
            counters[prefix] = number = counters[prefix] + 1
            found.name = f"{prefix}-{number}"
        unnamed.clear()

    # --- columns ------------------------------------------------------------------------------------------------

    def column(self, entity: Entity, key: str, name: str, span: Span | None) -> Column:
        """A new column. Where the name is there already (`SELECT a.id, b.id`) both columns stay, the first is found."""
        self._next_id = number = self._next_id + 1
        columns = entity.columns
        if key in columns or not key:
            count = 2
            while f"{key}\0{count}" in columns:
                count += 1
            key = f"{key}\0{count}"
        column = columns[key] = _new(Column)
        column.id = number
        column.name = name
        column.entity = entity
        column.span = span
        column.system = False
        column.occurrences = None
        column.masked = None
        if self.masks:
            column.masked = name.masked if isinstance(name, DerivedName) else self.masked.get(name)
        return column

    def settle_names(self) -> None:
        """Leaves ordinary strings in a finished model: nothing is named after its columns any more."""
        if self.masks:
            for entity in self.model.entities:
                for column in entity.columns.values():
                    column.name = str(column.name)

    def rows(self, entity: Entity) -> Column:
        """The row column of an entity, made when something first needs it."""
        column = entity.columns.get(ROWS)
        if column is None:
            if not entity.id:
                self.enter(entity)
            self._next_id = number = self._next_id + 1
            column = entity.columns[ROWS] = Column(number, self._row_name, entity, entity.span, True)
        return column

    # --- relations ----------------------------------------------------------------------------------------------

    def relate(
        self,
        kind: RelationType,
        target: Column,
        sources: Collection[Column],
        effect: EffectType | None,
        clause: ClauseType | None = None,
    ) -> None:
        """Adds a relation; nothing when there is no source."""
        if sources:
            self._relation(kind, target, _each_once(sources), effect, clause)

    def direct(self, target: Column, source: Column, effect: EffectType) -> None:
        """One source, one target, data flow: the commonest relation by far."""
        self._relation("fdd", target, [source], effect, None)

    def compute(self, target: Column, sources: list[Column], effect: EffectType, expression: Span | None) -> None:
        """Data flow through an expression that stands in the text; nothing when it has no source."""
        if sources:
            self._relation("fdd", target, _each_once(sources), effect, None).expression = expression

    def _relation(
        self,
        kind: RelationType,
        target: Column,
        sources: list[Column],
        effect: EffectType | None,
        clause: ClauseType | None,
    ) -> Relation:
        self._next_id = number = self._next_id + 1
        relation = _new(Relation)
        relation.id = number
        relation.type = kind
        relation.target = target
        relation.sources = sources
        relation.effect = effect
        relation.clause = clause
        relation.process = self.process
        relation.join_type = None
        relation.condition = None
        relation.approximate = False
        relation.expression = None
        self._relations.append(relation)
        return relation

    def join(self, left: Column, right: Column, join_type: str, condition: str) -> None:
        relation = self._relation("join", right, [left], "select", "joinCondition")
        relation.join_type = join_type
        relation.condition = condition

    # --- what is not understood ----------------------------------------------------------------------------------

    def opaque(self, start: int, end: int, message: str) -> None:
        """A region that the grammar does not understand: a note, and what is read in it is marked as approximate."""
        self.problem("Note", message, start, end)
        if not self._opaque:
            self._doubtful = len(self.model.relations)
        self._opaque.append((self.script, start, end))

    def mark_approximate(self) -> None:
        """Marks the relations that come from a region that was not understood. For the end of a script."""
        if self._opaque:
            mark_relations(self.model.relations[self._doubtful :], self._opaque)
            self._opaque.clear()

    # --- problems -----------------------------------------------------------------------------------------------

    def problem(self, kind: ProblemType, message: str, start: int, end: int) -> None:
        self.model.problems.append(Problem(kind, message, (self.script, start, end)))


def _each_once(columns: Collection[Column]) -> list[Column]:
    """The columns in order, none of them twice. Most have one source or two, which need no look-up."""
    found = list(columns)
    if len(found) < 2 or (len(found) == 2 and found[0] is not found[1]) or isinstance(columns, dict):
        return found
    return list(dict.fromkeys(found))


def _order(item: tuple[int, int, Entity, str]) -> tuple[int, int]:
    return item[0], item[1]


def mark_relations(relations: Iterable[Relation], regions: Iterable[Span]) -> None:
    """Marks what leads into the expression that stands for a region, and what a name in a region decides."""
    places = _Places(regions)
    for relation in relations:
        if relation.type == "fdd":
            entity = relation.target.entity
            relation.approximate = entity.type == "function" and places.hold(entity.span)
        elif relation.clause is not None:
            relation.approximate = any(places.name(column) for column in relation.sources)


class _Places:
    """Regions by script, in order."""

    def __init__(self, regions: Iterable[Span]) -> None:
        self._starts: defaultdict[Script, list[int]] = defaultdict(list)
        self._ends: defaultdict[Script, list[int]] = defaultdict(list)
        for script, start, end in sorted(regions, key=lambda span: span[1]):
            self._starts[script].append(start)
            self._ends[script].append(end)
        self._named: dict[Column, bool] = {}

    def hold(self, span: Span | None) -> bool:
        """Whether the place begins in one of the regions."""
        if span is None or span[0] not in self._starts:
            return False
        at = bisect_right(self._starts[span[0]], span[1]) - 1
        return at >= 0 and span[1] < self._ends[span[0]][at]

    def name(self, column: Column) -> bool:
        """Whether one of the regions names the column."""
        known = self._named.get(column)
        if known is None:
            spans = (column.span, *(column.occurrences or ()))
            known = self._named[column] = any(self.hold(span) for span in spans)
        return known
