"""Every node class of the parser is accounted for."""

from __future__ import annotations

from connector.analysis.nodes import KIND, all_node_classes, unlisted


def test_every_node_class_is_read_or_listed_as_neutral() -> None:
    """Fails when a new sqlglot brings a class nobody has thought about: put it into a list of connector.analysis.nodes."""
    assert unlisted() == []


def test_every_class_has_a_kind() -> None:
    assert set(all_node_classes()) <= set(KIND)
