"""Where the query of a CREATE statement ends."""

from __future__ import annotations

import pytest

from connector import analyze
from connector.sql.readers.queries import _RARE_WORDS, _TAILS


@pytest.mark.parametrize("tail", [*_TAILS, ("COMMENT", "'x'")], ids=" ".join)
def test_every_tail_holds_one_of_the_words_that_are_looked_for_first(tail: tuple[str, ...]) -> None:
    assert any(rare in word for word in tail for rare in _RARE_WORDS)


@pytest.mark.parametrize("tail", ["with data", "With  No\nData", "distributed by (a)", "on commit preserve rows", ""])
def test_the_tail_is_no_part_of_the_query(tail: str) -> None:
    lineage = analyze(f"create table o as select a, b from t {tail}", dialect="greenplum")
    assert not lineage.problems
    assert [edge["source"]["column"] for edge in lineage.to_dict("column")["relations"]] == ["a", "b"]
