"""The elements that the builder makes are complete, although it sets their fields itself."""

from __future__ import annotations

from dataclasses import fields
from typing import Any

from connector.analysis.builder import Builder
from connector.model import Column, Model, Relation, Script


def values(element: Any) -> dict[str, Any]:
    return {field.name: getattr(element, field.name) for field in fields(element)}


def test_a_column_has_all_fields() -> None:
    builder = Builder(Model("dbvansi"), "PseudoRows")
    entity = builder.resultset("select_list")
    span = (Script("select a"), 7, 8)
    made = builder.column(entity, "a", "A", span)
    assert values(made) == values(Column(made.id, "A", entity, span))


def test_relations_have_all_fields() -> None:
    builder = Builder(Model("dbvansi"), "PseudoRows")
    entity = builder.resultset("select_list")
    first, second, third = (builder.column(entity, name, name, None) for name in "abc")
    span = (Script("select a + b"), 7, 12)
    builder.direct(third, first, "select")
    builder.relate("fdr", third, [first, second, first], "select", "where")
    builder.compute(third, [second, second], "select", span)
    builder.join(first, second, "left", "a = b")
    direct, impact, computed, join = builder.model.relations
    assert values(direct) == values(Relation(direct.id, "fdd", third, [first], "select"))
    assert values(impact) == values(Relation(impact.id, "fdr", third, [first, second], "select", "where"))
    assert values(computed) == values(Relation(computed.id, "fdd", third, [second], "select", expression=span))
    assert values(join) == values(
        Relation(join.id, "join", second, [first], "select", "joinCondition", None, "left", "a = b")
    )


def test_a_relation_without_sources_is_none() -> None:
    builder = Builder(Model("dbvansi"), "PseudoRows")
    column = builder.column(builder.resultset("select_list"), "a", "a", None)
    builder.relate("fdd", column, [], "select")
    builder.compute(column, [], "select", None)
    assert builder.model.relations == []
