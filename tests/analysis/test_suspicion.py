"""A wrong dialect is suspected aloud."""

from __future__ import annotations

import pytest

from connector import analyze

TSQL = "SELECT TOP 5 [a] FROM [dbo].[t];\nSELECT [b] INTO [#x] FROM [dbo].[u];\nSELECT [c] FROM [x].[y] WITH (NOLOCK);"
BIGQUERY = (
    "select * except (a) from `p.d.t`;\n"
    "select x from `p.d.t`, unnest(items) as x with offset;\n"
    "create table `p.d.o` as select a from `p.d.t` qualify row_number() over (partition by k order by d) = 1;"
)


def hints(script: str, dialect: str) -> list[str]:
    return [problem.message for problem in analyze(script, dialect=dialect).problems if problem.type == "SyntaxHint"]


@pytest.mark.parametrize(
    ("script", "dialect", "other"),
    [
        (TSQL, "postgresql", "mssql"),
        (TSQL, "oracle", "mssql"),
        (BIGQUERY, "mssql", "bigquery"),
        (BIGQUERY, "oracle", "bigquery"),
    ],
)
def test_another_dialect_reads_what_this_one_refuses(script: str, dialect: str, other: str) -> None:
    (hint,) = hints(script, dialect)
    assert f"cannot be parsed as {dialect}" in hint
    assert other in hint


def test_one_bad_statement_is_no_suspicion() -> None:
    assert hints("select a from t; select b from u; select from from;", "postgresql") == []
    assert hints(TSQL, "mssql") == []
