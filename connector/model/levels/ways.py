"""How a source column reaches a target column: the expressions along the path, as written, and what they do to the value.

The analysis only records the locations of expressions in the text. The paths between two columns are computed on demand: each
written column is traced back once per process, and only then are the texts extracted.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence, Set
from typing import Literal, NamedTuple

from connector.model.entities import Column, Entity, Process, Relation

Transformation = Literal[
    "identity",
    "transformation",
    "aggregation",
    "filter",
    "join",
    "group_by",
    "sort",
    "window",
    "conditional",
    "influence",
]
"""What happens to the value of a source column.

The first three are data flow: copied, computed from a single row, computed from many rows. The others are impact, named after the
clause that contains the source, or `influence` if no clause is more specific (the number of rows, for example).
"""

_STRENGTH: dict[Transformation, int] = {"identity": 0, "transformation": 1, "aggregation": 2}

BY_CLAUSE: dict[str, Transformation] = {
    "where": "filter",
    "having": "filter",
    "qualify": "filter",
    "limit": "filter",
    "connectBy": "filter",
    "joinCondition": "join",
    "using": "join",
    "mergeCondition": "join",
    "groupBy": "group_by",
    "distinct": "group_by",
    "setOperation": "group_by",
    "orderBy": "sort",
    "partitionBy": "window",
    "case condition": "conditional",
    "caseCondition": "conditional",
}

_AGGREGATES = frozenset(
    """any_value approx_count_distinct approx_distinct approx_percentile array_agg avg bit_and bit_or bit_xor bool_and
    bool_or checksum collect_list collect_set corr count count_big count_if countif covar_pop covar_samp every first
    group_concat grouping hll json_agg json_arrayagg json_object_agg json_objectagg jsonb_agg jsonb_object_agg kurtosis
    last listagg logical_and logical_or max max_by mean median min min_by mode ndv object_agg percentile
    percentile_approx percentile_cont percentile_disc regr_slope skewness stddev stddev_pop stddev_samp stdev stdevp
    string_agg sum sumif total var var_pop var_samp variance variance_pop varp wm_concat xmlagg""".split()
)

_SELECTED = frozenset({"select_list", "insert-select", "update-select"})
"""Resultsets whose columns are written as the items of a select list."""

_ARROW = " → "
_LONGEST = 2000
"""Maximum length of an expression: every source column of a long one carries it."""

_READERS = 16
"""How many readers of a column are followed on the way back. Each reaches the same sources, only by other expressions, and a
temporary table that a thousand statements update has a thousand."""

_NAME = r"""(?:[\w$#@]+|"[^"]*"|`[^`]*`|\[[^\]]*\])"""
PLAIN_NAME = re.compile(rf"(?:{_NAME}\s*\.\s*)*(?:{_NAME}|\*)")
"""A reference to a column: ``a``, ``t.a``, ``"t"."a"``, ``t.*``."""

_ASSIGNED = re.compile(r"\s*=\s*")


class Way(NamedTuple):
    """A path from a source column to a target column."""

    transformation: Transformation
    expression: str | None = None
    """The expressions along the path as written, innermost first; for a plain copy, the column as written."""
    steps: tuple[Relation, ...] = ()
    """The relations along the path that compute or select something, from the source to the target."""

    @property
    def direct(self) -> bool:
        """Whether data flows, rather than impact."""
        return self.transformation in _STRENGTH


class TakenWay(NamedTuple):
    """A path with the columns that it connects and the process that writes the second one."""

    process: Process | None
    source: Column
    target: Column
    transformation: Transformation
    steps: tuple[Relation, ...]


_Step = tuple[Column, Relation, Transformation, tuple[Relation, ...]]
"""A column on the way back, the relation that reads it, and what happens from there to the target."""


class Ways:
    """The paths between the end columns of one level."""

    __slots__ = ("_between", "_ends", "_expressions", "_found", "_roots", "_texts")

    def __init__(
        self,
        roots: dict[Process | None, dict[Column, list[Relation]]],
        between: dict[Column, list[Relation]],
        ends: Set[Entity],
    ) -> None:
        self._roots = roots
        self._between = between
        self._ends = ends
        self._found: dict[tuple[Process | None, Column], dict[Column, tuple[Way, ...]]] = {}
        self._expressions: dict[tuple[Relation, ...], str | None] = {}
        self._texts: dict[Relation, tuple[str | None, bool]] = {}
        """The expression of a relation, and whether it is merely a reference to a column."""

    @classmethod
    def known(cls, taken: Iterable[TakenWay]) -> Ways:
        """The paths as they were found before."""
        ways = cls({}, {}, frozenset())
        for process, source, target, kind, steps in taken:
            ways._roots.setdefault(process, {}).setdefault(target, [])
            found = ways._found.setdefault((process, target), {})
            found[source] = (*found.get(source, ()), Way(kind, ways._expression(steps), steps))
        return ways

    def taken(self) -> Iterator[TakenWay]:
        """All paths, for `known` to take them back."""
        for process, target in self.written():
            for source, ways in self.into(process, target).items():
                for way in ways:
                    yield TakenWay(process, source, target, way.transformation, way.steps)

    def written(self) -> Iterator[tuple[Process | None, Column]]:
        """Each process with each column that it writes."""
        for process, writes in self._roots.items():
            for column in writes:
                yield process, column

    def into(self, process: Process | None, target: Column) -> dict[Column, tuple[Way, ...]]:
        """The source columns of a written column, each with its paths."""
        key = (process, target)
        found = self._found.get(key)
        if found is None:
            found = self._found[key] = self._walk(self._roots.get(process, {}).get(target, ()))
        return found

    def _walk(self, written_by: Sequence[Relation]) -> dict[Column, tuple[Way, ...]]:
        found: dict[Column, tuple[Way, ...]] = {}
        ends, between = self._ends, self._between
        queue: list[_Step] = []
        for relation in written_by:
            self._go_back(queue, relation, "identity", ())
        seen: dict[tuple[Column, Transformation], set[Relation]] = {}
        for column, reader, kind, steps in queue:
            if column.entity in ends:
                way = Way(kind, self._expression(steps), steps)
                known = found.get(column)
                if known is None:
                    found[column] = (way,)
                elif way not in known:
                    found[column] = (*known, way)
                continue
            readers = seen.setdefault((column, kind), set())
            if reader not in readers and len(readers) < _READERS:
                readers.add(reader)
                for relation in between.get(column, ()):
                    self._go_back(queue, relation, kind, steps)
        return found

    def _go_back(
        self, queue: list[_Step], relation: Relation, kind: Transformation, steps: tuple[Relation, ...]
    ) -> None:
        """Queues the sources of a relation whose target continues with `kind` and `steps`."""
        if relation.type == "fdd":
            if relation.expression is not None or relation.target.entity.type in _SELECTED:
                steps = (relation, *steps)
            if kind in _STRENGTH and kind != "aggregation":
                own = self._data_flow(relation)
                if _STRENGTH[own] > _STRENGTH[kind]:
                    kind = own
        elif relation.type == "fdr":
            kind = _impact(relation, kind)
        else:
            return
        queue.extend([(source, relation, kind, steps) for source in relation.sources])

    def _data_flow(self, relation: Relation) -> Transformation:
        if relation.effect == "function" or relation.target.entity.type == "function":
            return "aggregation" if relation.target.name.strip('"`[]').lower() in _AGGREGATES else "transformation"
        if relation.expression is not None and not self._text(relation)[1]:
            return "transformation"
        # A name that stands for columns of several tables (USING) is put together from them.
        several = len(relation.sources) > 1 and relation.target.entity.type in _SELECTED
        return "transformation" if several else "identity"

    def _text(self, relation: Relation) -> tuple[str | None, bool]:
        found = self._texts.get(relation)
        if found is None:
            text = expression_of(relation)
            found = self._texts[relation] = text, relation.expression is None or is_plain(text)
        return found

    def _expression(self, steps: tuple[Relation, ...]) -> str | None:
        if not steps:
            return None
        if steps in self._expressions:
            return self._expressions[steps]
        texts = [self._text(step) for step in steps]
        computed = dict.fromkeys([text for text, plain in texts if text is not None and not plain])
        if computed:
            text: str | None = _ARROW.join(computed)
            if text is not None and len(text) > _LONGEST:
                text = text[:_LONGEST] + "…"
        else:
            text = next((text for text, _ in texts if text is not None), None)
        self._expressions[steps] = text
        return text


def strongest(ways: tuple[Way, ...]) -> Way:
    """The most informative path: for data flow the one that changes the value most, for impact the first."""
    return ways[0] if len(ways) == 1 else max(ways, key=lambda way: _STRENGTH.get(way.transformation, 0))


def _impact(relation: Relation, onwards: Transformation) -> Transformation:
    if relation.clause == "orderBy" and relation.target.entity.type == "function":
        return "window"
    kind = BY_CLAUSE.get(relation.clause or "")
    if kind is not None:
        return kind
    return "influence" if onwards in _STRENGTH else onwards


def is_plain(text: str | None) -> bool:
    """Whether an expression is merely a reference to a column."""
    if text is None:
        return True
    while text.startswith("(") and text.endswith(")"):
        text = text[1:-1].strip()
    return PLAIN_NAME.fullmatch(text) is not None


def expression_of(relation: Relation) -> str | None:
    """The expression that computes the target of a relation, as written; None if it has no text of its own."""
    if relation.expression is not None:
        script, start, end = relation.expression
        return _without_alias(script.text[start:end]) or None
    span = relation.target.span
    if span is None or relation.type != "fdd" or relation.target.entity.type not in _SELECTED:
        return None
    script, start, end = span
    named = PLAIN_NAME.match(script.text, start, end)
    if named is not None and (behind := _ASSIGNED.match(script.text, named.end(), end)) is not None:
        named = PLAIN_NAME.match(script.text, behind.end(), end)  # alias = column
    return named[0] if named is not None else None


def _without_alias(text: str) -> str:
    """Without what introduces the alias: ``AS`` and comments after the expression, or the ``=`` of ``alias = expression``."""
    named = False
    while True:
        text = text.rstrip()
        if text.endswith("*/") and "/*" in text:
            text = text[: text.rindex("/*")]
        elif not named and text[-2:].lower() == "as" and not (text[-3:-2].isalnum() or text[-3:-2] in ("_", "$", ".")):
            named, text = True, text[:-2]
        else:
            return text.lstrip().removeprefix("=").lstrip()
