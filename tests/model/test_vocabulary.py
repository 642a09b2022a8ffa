"""The words of the model are the ones that an analysis uses."""

from __future__ import annotations

from pathlib import Path
from typing import get_args

import pytest

from connector import analyze
from connector.model import ClauseType, EffectType, ProblemType, ProcessType, RelationType

GOLDEN = Path(__file__).parents[1] / "golden"


@pytest.mark.parametrize("dialect", ["clickhouse", "hive", "mssql", "oracle", "snowflake", "teradata"])
def test_goldens_use_no_other_words(dialect: str) -> None:
    for path in sorted((GOLDEN / dialect).glob("*.sql")):
        model = analyze(path.read_text(), dialect).model
        assert {process.type for process in model.processes} <= set(get_args(ProcessType)), path
        assert {found.type for found in model.relations} <= set(get_args(RelationType)), path
        assert {found.effect for found in model.relations} - {None} <= set(get_args(EffectType)), path
        assert {found.clause for found in model.relations} - {None} <= set(get_args(ClauseType)), path
        assert {problem.type for problem in model.problems} <= set(get_args(ProblemType)), path
