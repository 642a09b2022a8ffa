"""Commands for client programs are passed over, wherever they may stand, and never inside a statement."""

from __future__ import annotations

import pytest
from sql_reading import texts

SCRIPTS = [
    (
        "oracle",
        (
            "SET ECHO ON\nPROMPT it's done\nselect 1 from a;\nREM it's\n@run.sql\n@@dir/other\nspool x.log\nselect 2 from b;\n"
            "COLUMN c FORMAT a10\nWHENEVER SQLERROR EXIT 1\nDEFINE x = 'a'\nshow errors\nVARIABLE v NUMBER\nconn a/b'@c\nexit;\n"
        ),
    ),
    ("oracle", "ttitle left 'it' -\n 'goes on''\nselect 1 from a;\nselect 2 from b;"),
    (
        "postgresql",
        "\\set x 'it\n\\connect db\nselect 1 from a;\n\\echo it's\nselect 2 from b;\n\\q",
    ),
    ("postgresql", "select 1 from a \\gexec\nselect 2 from b \\g out.txt"),
    ("redshift", "\\timing on\nselect 1 from a;\nselect 2 from b;"),
    ("vertica", "\\o out.txt\nselect 1 from a;\nselect 2 from b;"),
    (
        "teradata",
        ".LOGON h/u,p'w;\n.SET WIDTH 100\nselect 1 from a;\n.IF ERRORCODE <> 0 THEN .QUIT 1\nselect 2 from b;\n.LOGOFF",
    ),
    ("teradata", ".BEGIN IMPORT MLOAD\n  TABLES t\n  ERRLIMIT 5;\nselect 1 from a;\nselect 2 from b;"),
    ("mssql", ":setvar db it's\n:r other.sql\n!!dir\nselect 1 from a;\nselect 2 from b"),
    ("mysql", "source x.sql\nselect 1 from a\\G\ntee it's.log\nselect 2 from b;\n\\q"),
    ("snowflake", "!set variable_substitution=true\nselect 1 from a;\n!print it's\nselect 2 from b;"),
    ("sqlite", ".mode csv\n.print it's\nselect 1 from a;\nselect 2 from b;"),
    ("hive", "!sh echo it's\nselect 1 from a;\nselect 2 from b;"),
    (
        "databricks",
        "-- Databricks notebook source\nselect 1 from a\n\n-- COMMAND ----------\n\n-- MAGIC %md it's\n\n-- COMMAND ----------\n%sql\nselect 2 from b",
    ),
    (
        "databricks",
        "%md\nit's text; select 9\n-- COMMAND ----------\n%sql select 1 from a\n-- COMMAND ----------\nselect 2 from b",
    ),
    (
        "sparksql",
        (
            '# Databricks notebook source\nprint("it\'s")\n# COMMAND ----------\n# MAGIC %sql\n# MAGIC select 1 from a\n# COMMAND ----------\n'
            "# MAGIC %md it's\n# COMMAND ----------\n# MAGIC %sql select 2 from b"
        ),
    ),
]


@pytest.mark.parametrize(
    ("dialect", "script"), SCRIPTS, ids=[f"{dialect}-{i}" for i, (dialect, _) in enumerate(SCRIPTS)]
)
def test_only_the_statements_are_left(dialect: str, script: str) -> None:
    assert texts(script, dialect) == ["select 1 from a", "select 2 from b"]


def test_psqls_copy_is_a_statement_that_ends_with_its_line_or_its_parenthesis() -> None:
    script = "select 1 from a;\n\\copy t from 'x.csv' csv\n\\COPY (\n  select b\n  from u\n) to y.csv\nselect 2 from b"
    assert texts(script, "postgresql") == [
        "select 1 from a",
        "copy t from 'x.csv' csv",
        "COPY (\n  select b\n  from u\n) to y.csv",
        "select 2 from b",
    ]


@pytest.mark.parametrize(
    ("dialect", "statement"),
    [
        ("oracle", "update t\nset a = 1"),
        ("oracle", "select 'x\nPROMPT y\n@z' from t"),
        ("oracle", "select a\n/* x\nPROMPT y */\nfrom t order by a\ndesc"),
        ("teradata", "select a\n.b from a"),
        ("mysql", "update t join u\nuse index (i) on 1 = 1 set a = 1"),
        ("snowflake", "select a\n!= b from t"),
        ("oracle", "set role none"),
    ],
)
def test_words_inside_statements_stay(dialect: str, statement: str) -> None:
    assert texts(f"select 0 from a;\n{statement};\nselect 1 from b", dialect)[1] == statement


def test_exec_ends_with_its_line() -> None:
    assert texts("exec p(1)\nselect 1 from a;", "oracle") == ["exec p(1)", "select 1 from a"]


def test_notebook_lines_keep_their_offsets() -> None:
    script = "# Databricks notebook source\n# MAGIC %sql\n# MAGIC select a\n# MAGIC from t\n"
    assert texts(script, "databricks") == ["select a\n# MAGIC from t"]


def test_rows_behind_copy_are_no_statements() -> None:
    script = "copy t from stdin;\n1\tit's; select 9;\n2\t\\N\n\\.\nselect 2 from b;"
    assert texts(script, "postgresql") == ["copy t from stdin", "select 2 from b"]
