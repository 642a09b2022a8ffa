"""How a source column gets into a target column, in OpenLineage's words: all the ways, not just the strongest."""

from __future__ import annotations

from connector.model import Column, Entity, Model, Process, Relation
from connector.model.levels.versions import separate_versions
from connector.model.levels.walk import Writes, end_entities, sort_by_target
from connector.naming import unquote

__all__ = ["Origins", "Way", "column_origins"]

Way = tuple[str, str | None]
"""DIRECT or INDIRECT, and the subtype."""

Origins = dict[Column, dict[Way, None]]
"""The source columns of one target column, each with the ways it takes."""

_IDENTITY: Way = ("DIRECT", "IDENTITY")
_TRANSFORMATION: Way = ("DIRECT", "TRANSFORMATION")
_AGGREGATION: Way = ("DIRECT", "AGGREGATION")
_STRENGTH = {_IDENTITY: 0, _TRANSFORMATION: 1, _AGGREGATION: 2}
_UNKNOWN: Way = ("INDIRECT", None)

_SUBTYPES = {
    "where": "FILTER",
    "having": "FILTER",
    "qualify": "FILTER",
    "limit": "FILTER",
    "connectBy": "FILTER",
    "joinCondition": "JOIN",
    "using": "JOIN",
    "mergeCondition": "JOIN",
    "groupBy": "GROUP_BY",
    "distinct": "GROUP_BY",
    "setOperation": "GROUP_BY",
    "orderBy": "SORT",
    "partitionBy": "WINDOW",
    "case condition": "CONDITIONAL",
    "caseCondition": "CONDITIONAL",
}
_CALCULATED = frozenset({"select_list", "insert-select", "update-select", "update-set", "merge-insert", "merge-update"})
"""Resultsets whose columns are expressions; unions, CTEs and the like hand columns on by position."""

_AGGREGATES = frozenset(
    """any_value approx_count_distinct approx_distinct approx_percentile array_agg avg bit_and bit_or bit_xor bool_and
    bool_or checksum collect_list collect_set corr count count_big count_if countif covar_pop covar_samp every first
    group_concat grouping hll json_agg json_arrayagg json_object_agg json_objectagg jsonb_agg jsonb_object_agg kurtosis
    last listagg logical_and logical_or max max_by mean median min min_by mode ndv object_agg percentile
    percentile_approx percentile_cont percentile_disc regr_slope skewness stddev stddev_pop stddev_samp stdev stdevp
    string_agg sum sumif total var var_pop var_samp variance variance_pop varp wm_concat xmlagg""".split()
)


def column_origins(
    model: Model, *, impact: bool, keep_temporaries: bool
) -> dict[tuple[Process, Entity], dict[Column, Origins]]:
    """For each process and entity it writes: the columns written, their sources, and the ways between them."""
    ends = end_entities(model.entities, keep_temporaries=keep_temporaries)
    relations = model.relations if keep_temporaries else separate_versions(model)
    roots, between, _ = sort_by_target(relations, ends)
    found: dict[tuple[Process, Entity], dict[Column, Origins]] = {}
    for process, writes in roots.items():
        if process is None:
            continue
        for target, written_by in writes.items():
            origins = _origins(written_by, between, ends, impact)
            if origins:
                found.setdefault((process, target.entity), {})[target] = origins
    return found


def _origins(written_by: list[Relation], between: Writes, ends: set[Entity], impact: bool) -> Origins:
    origins: Origins = {}
    queue: list[tuple[Column, Way]] = []
    for relation in written_by:
        queue.extend(_step(relation, _IDENTITY, impact))
    seen: set[tuple[Column, Way]] = set()
    for column, way in queue:
        if (column, way) in seen:
            continue
        seen.add((column, way))
        if column.entity in ends:
            origins.setdefault(column, {})[way] = None
        else:
            for relation in between.get(column, ()):
                queue.extend(_step(relation, way, impact))
    return origins


def _step(relation: Relation, way: Way, impact: bool) -> list[tuple[Column, Way]]:
    """The sources of a relation, each with the way it takes when the target goes on by `way`."""
    target = relation.target
    if relation.type == "fdr":
        if not impact:
            return []
        subtype = _SUBTYPES.get(relation.clause or "")
        if relation.clause == "orderBy" and target.entity.type == "function":
            subtype = "WINDOW"
        if subtype:
            way = ("INDIRECT", subtype)
        elif way[0] == "DIRECT":
            way = _UNKNOWN
        return [(source, way) for source in relation.sources]
    if way[0] == "INDIRECT":
        return [(source, way) for source in relation.sources]
    return [(source, max(way, _kind(relation, source), key=_STRENGTH.__getitem__)) for source in relation.sources]


def _kind(relation: Relation, source: Column) -> Way:
    target = relation.target
    if target.entity.type == "function":
        return _AGGREGATION if unquote(target.name).lower() in _AGGREGATES else _TRANSFORMATION
    if target.entity.type not in _CALCULATED or source.entity.type == "function":
        return _IDENTITY
    alike = len(relation.sources) == 1 and unquote(source.name).lower() == unquote(target.name).lower()
    return _IDENTITY if alike else _TRANSFORMATION
