"""What the goldens do not show: elements, places, names, dynamic texts, and texts that are broken."""

from __future__ import annotations

from typing import Any

import pytest
from generated import plsql_script, tsql_script

from connector import analyze


def complete(sql: str, dialect: str, **more: Any) -> dict[str, Any]:
    return analyze(sql, dialect=dialect, **more).to_dict(level="complete")


def edges(sql: str, dialect: str, **more: Any) -> set[tuple[str, str, str]]:
    found = analyze(sql, dialect=dialect, **more).to_dict(level="column")
    assert found["errors"] == []
    return {
        (
            f"{edge['source']['table']}.{edge['source']['column']}",
            edge["type"],
            f"{edge['target']['table']}.{edge['target']['column']}",
        )
        for edge in found["relations"]
        if edge["type"] != "join"
    }


def objects(document: dict[str, Any], kind: str) -> dict[str, dict[str, Any]]:
    return {found["name"]: found for found in document["dbobjs"] if found["type"] == kind}


def cut_out(sql: str, coordinates: list[list[int]]) -> str:
    lines = sql.split("\n")
    (line, column, _), (end_line, end_column, _) = coordinates
    if line == end_line:
        return lines[line - 1][column - 1 : end_column - 1]
    middle = lines[line : end_line - 1]
    return "\n".join([lines[line - 1][column - 1 :], *middle, lines[end_line - 1][: end_column - 1]])


# --- elements -------------------------------------------------------------------------------------------------------


def test_procedure_with_arguments() -> None:
    sql = (
        "CREATE PROCEDURE sales.p (IN a DATE, OUT b DECIMAL(10, 2), INOUT c VARCHAR(5))\n"
        "BEGIN\n  SELECT max(x) INTO b FROM t WHERE d = a;\nEND"
    )
    document = complete(sql, "mysql")
    procedure = objects(document, "procedure")["sales.p"]
    assert procedure["subType"] == "createprocedure"
    assert [(one["name"], one["datatype"], one["inout"]) for one in procedure["arguments"]] == [
        ("a", "DATE", "IN"),
        ("b", "DECIMAL(10, 2)", "OUT"),
        ("c", "VARCHAR(5)", "INOUT"),
    ]
    assert cut_out(sql, procedure["arguments"][1]["coordinates"]) == "b"
    variables = objects(document, "variable")
    assert {name: variable["subType"] for name, variable in variables.items()} == {"a": "scalar", "b": "scalar"}
    assert variables["b"]["columns"][0]["name"] == "b"


@pytest.mark.parametrize(
    ("sql", "dialect", "kind", "name"),
    [
        ("CREATE FUNCTION f(a INT) RETURNS INT RETURN a + 1", "mysql", "createfunction", "f"),
        (
            "CREATE OR REPLACE TRIGGER s.t BEFORE INSERT ON x FOR EACH ROW BEGIN NULL; END;",
            "oracle",
            "createtrigger",
            "s.t",
        ),
        ("CREATE PACKAGE BODY s.p AS PROCEDURE q IS BEGIN NULL; END; END;", "oracle", "createpackage", "s.p"),
        ("CREATE OR ALTER PROCEDURE [my proc] AS SELECT 1", "mssql", "createprocedure", "[my proc]"),
    ],
)
def test_kinds_of_routines(sql: str, dialect: str, kind: str, name: str) -> None:
    assert objects(complete(sql, dialect), "procedure")[name]["subType"] == kind


def test_declared_variables_that_nothing_flows_through_are_not_shown() -> None:
    sql = "DECLARE a NUMBER; b NUMBER := 1; BEGIN b := b + 1; INSERT INTO t (x) VALUES (b); END;"
    assert set(objects(complete(sql, "oracle"), "variable")) == {"b"}


# --- names and places -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("sql", "dialect", "names"),
    [
        ("CREATE PROCEDURE p AS BEGIN INSERT INTO t SELECT a FROM s END", "mssql", {"p"}),
        ("CREATE PROCEDURE d.dbo.p AS INSERT INTO t SELECT a FROM s", "mssql", {"d.dbo.p"}),
        ("USE d;\nCREATE PROCEDURE dbo.p AS INSERT INTO t SELECT a FROM s", "mssql", {"d.dbo.p"}),
        (
            "CREATE PACKAGE BODY s.k AS PROCEDURE q IS BEGIN INSERT INTO t SELECT a FROM s; END; END;",
            "oracle",
            {"s.k.q"},
        ),
        ("BEGIN INSERT INTO t SELECT a FROM s; END;", "oracle", {"batchQueries"}),
        (
            'CREATE PROCEDURE "a.b"() LANGUAGE plpgsql AS $$ BEGIN INSERT INTO t SELECT 1; END $$',
            "postgresql",
            {'"a.b"'},
        ),
    ],
)
def test_procedure_names(sql: str, dialect: str, names: set[str]) -> None:
    processes = complete(sql, dialect)["processes"]
    assert {process["procedureName"] for process in processes if process["type"] == "Insert"} == names


@pytest.mark.parametrize(
    ("sql", "dialect"),
    [
        (
            "CREATE FUNCTION f() RETURNS void AS $body$\nBEGIN\n  INSERT INTO t (x)\n  SELECT a FROM s;\nEND $body$",
            "postgresql",
        ),
        ("CREATE FUNCTION f() RETURNS void AS '\nBEGIN\n  INSERT INTO t (x)\n  SELECT a FROM s;\nEND'", "postgresql"),
        (
            "CREATE PROCEDURE p() RETURNS INT LANGUAGE SQL AS $$\nBEGIN\n  INSERT INTO t (x)\n  SELECT a FROM s;\nEND $$",
            "snowflake",
        ),
        ("CREATE PROCEDURE p AS\nBEGIN\n  INSERT INTO t (x)\n  SELECT a FROM s;\nEND", "mssql"),
        ("CREATE PROCEDURE p IS\nBEGIN\n  INSERT INTO t (x)\n  SELECT a FROM s;\nEND;", "oracle"),
    ],
)
def test_places_point_into_the_script(sql: str, dialect: str) -> None:
    document = complete(sql, dialect)
    (insert,) = [process for process in document["processes"] if process["type"] == "Insert"]
    assert cut_out(sql, insert["coordinates"]) == "INSERT INTO t (x)\n  SELECT a FROM s;"
    source = objects(document, "table")["s"]
    assert cut_out(sql, source["coordinates"]) == "s"
    assert cut_out(sql, source["columns"][0]["coordinates"]) == "a"


def test_the_hash_is_that_of_the_statement_alone() -> None:
    inside = complete("BEGIN\n  INSERT INTO t SELECT a FROM s;\nEND;", "oracle")["processes"]
    alone = complete("INSERT INTO t SELECT a FROM s", "oracle")["processes"]
    assert [one["queryHashId"] for one in inside] == [one["queryHashId"] for one in alone]


def test_places_in_dynamic_sql() -> None:
    sql = "BEGIN\n  EXECUTE IMMEDIATE 'INSERT INTO t (x) SELECT a FROM s';\nEND;"
    document = complete(sql, "oracle")
    (insert,) = document["processes"]
    assert cut_out(sql, insert["coordinates"]).startswith("EXECUTE IMMEDIATE")
    assert cut_out(sql, objects(document, "table")["s"]["coordinates"]) == "s"


# --- variables ------------------------------------------------------------------------------------------------------


def test_a_variable_wins_unless_the_column_is_known() -> None:
    sql = "CREATE PROCEDURE p(amount NUMBER) IS BEGIN INSERT INTO o (x) SELECT amount FROM t; END;"
    assert edges(sql, "oracle") == set()
    assert edges(sql, "oracle", metadata={"t": ["amount"]}) == {("t.amount", "fdd", "o.x")}


def test_in_mysql_a_variable_always_wins() -> None:
    sql = "CREATE PROCEDURE p(amount INT) BEGIN INSERT INTO o (x) SELECT amount FROM t; END"
    assert edges(sql, "mysql", metadata={"t": ["amount"]}) == set()


def test_a_new_value_ends_the_old_one() -> None:
    sql = """CREATE PROCEDURE p AS
    DECLARE @n INT
    SELECT @n = a FROM s1
    INSERT INTO o1 (x) VALUES (@n)
    SELECT @n = b FROM s2
    INSERT INTO o2 (x) VALUES (@n)
    SET @n = 0
    INSERT INTO o3 (x) VALUES (@n)"""
    assert edges(sql, "mssql") == {("s1.a", "fdd", "o1.x"), ("s2.b", "fdd", "o2.x")}


def test_a_value_that_may_be_new_leaves_the_old_one() -> None:
    sql = """DECLARE n NUMBER; BEGIN
    SELECT a INTO n FROM s1;
    IF n > 1 THEN SELECT b INTO n FROM s2; END IF;
    BEGIN
      SELECT c INTO n FROM s3;
    EXCEPTION WHEN NO_DATA_FOUND THEN n := 0;
    END;
    INSERT INTO o (x) VALUES (n);
    END;"""
    assert edges(sql, "oracle") == {("s3.c", "fdd", "o.x")}


def test_a_variable_may_be_qualified_with_its_routine() -> None:
    sql = "CREATE PROCEDURE drop_one(id NUMBER) IS BEGIN DELETE FROM t WHERE t.id = drop_one.id; END;"
    assert edges(sql, "oracle") == {("t.id", "fdr", "t.PseudoRows")}


# --- calls ----------------------------------------------------------------------------------------------------------


def test_calls_before_and_behind_the_definition() -> None:
    procedure = "CREATE PROCEDURE dbo.q @v INT AS INSERT INTO o (x) VALUES (@v)"
    call = "DECLARE @a INT; SELECT @a = c FROM s; EXEC dbo.q @a"
    for sql in (f"{procedure}\nGO\n{call}", f"{call}\nGO\n{procedure}"):
        assert edges(sql, "mssql") == {("s.c", "fdd", "o.x")}
        calls = [relation for relation in complete(sql, "mssql")["relations"] if relation["type"] == "call"]
        assert [relation["target"]["parentName"] for relation in calls] == ["dbo.q"]
        assert all("processId" in relation for relation in calls)


def test_out_arguments_come_back() -> None:
    sql = """CREATE PROCEDURE q(p_out OUT NUMBER) IS BEGIN SELECT MAX(a) INTO p_out FROM s; END;
/
DECLARE v NUMBER; BEGIN q(p_out => v); INSERT INTO o (x) VALUES (v); END;
/"""
    assert ("s.a", "fdd", "o.x") in edges(sql, "oracle")


# --- dynamic SQL ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("body", "dialect"),
    [
        ("BEGIN EXECUTE IMMEDIATE 'INSERT INTO o (x) ' || 'SELECT a FROM s'; END;", "oracle"),
        (
            "DECLARE q VARCHAR2(99) := 'INSERT INTO o (x) '; BEGIN q := q || 'SELECT a FROM s'; EXECUTE IMMEDIATE q; END;",
            "oracle",
        ),
        ("DO $$ BEGIN EXECUTE format('INSERT INTO %I (x) SELECT %I FROM s', 'o', 'a'); END $$", "postgresql"),
        ("EXEC ('INSERT INTO o (x) SELECT a FROM s')", "mssql"),
        ("DECLARE @q NVARCHAR(99) = N'INSERT INTO o (x) SELECT a FROM s'; EXEC sp_executesql @stmt = @q", "mssql"),
        ("INSERT INTO o (x) EXEC ('SELECT a FROM s')", "mssql"),
        ("SET @q = 'INSERT INTO o (x) SELECT a FROM s'; PREPARE p FROM @q; EXECUTE p;", "mysql"),
        ("EXECUTE IMMEDIATE 'INSERT INTO o (x) SELECT a FROM s'", "snowflake"),
        ("EXECUTE IMMEDIATE CONCAT('INSERT INTO o (x) ', 'SELECT a FROM s')", "bigquery"),
        ("BEGIN EXECUTE IMMEDIATE 'BEGIN INSERT INTO o (x) SELECT a FROM s; END;'; END;", "oracle"),
    ],
)
def test_texts_of_literals_are_statements(body: str, dialect: str) -> None:
    assert edges(body, dialect) == {("s.a", "fdd", "o.x")}


def test_arguments_of_dynamic_sql() -> None:
    sql = "DECLARE v NUMBER; BEGIN SELECT a INTO v FROM s; EXECUTE IMMEDIATE 'INSERT INTO o (x) VALUES (:1)' USING v; END;"
    assert edges(sql, "oracle") == {("s.a", "fdd", "o.x")}


@pytest.mark.parametrize(
    ("body", "hints"),
    [
        ("EXECUTE IMMEDIATE p;", 1),
        ("EXECUTE IMMEDIATE 'INSERT INTO ' || p || ' SELECT a FROM s';", 1),
        ("EXECUTE IMMEDIATE 'INSERT INTO o SELECT a FROM s' || p;", 1),
        ("EXECUTE IMMEDIATE 'DROP TABLE ' || p;", 0),
        ("EXECUTE IMMEDIATE 'ALTER SESSION SET x = ' || p;", 0),
        ("EXECUTE IMMEDIATE 'DELETE FROM o WHERE d = ''' || p || '''';", 0),
        ("EXECUTE IMMEDIATE 'DELETE FROM o WHERE d = ' || p;", 0),
    ],
)
def test_what_is_not_known_is_said(body: str, hints: int) -> None:
    errors = complete(f"CREATE PROCEDURE x(p VARCHAR2) IS BEGIN {body} END;", "oracle")["errors"]
    assert [error["errorType"] for error in errors] == ["SyntaxHint"] * hints


# --- robustness -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("dialect", "script"), [("oracle", plsql_script(60)), ("mssql", tsql_script(60))])
def test_no_text_makes_it_raise(dialect: str, script: str) -> None:
    """Cut off anywhere, or with a line missing, the text is still read as far as it goes."""
    lines = script.split("\n")
    for at in range(0, len(script), 97):
        analyze(script[:at], dialect=dialect).to_dict(level="complete")
    for at in range(len(lines)):
        analyze("\n".join(lines[:at] + lines[at + 1 :]), dialect=dialect).to_dict(level="column")


@pytest.mark.parametrize(
    "dialect", ["oracle", "mssql", "postgresql", "mysql", "snowflake", "bigquery", "teradata", "db2", "hana"]
)
def test_a_body_of_another_dialect_does_not_raise(dialect: str) -> None:
    for script in (plsql_script(40), tsql_script(40)):
        analyze(script, dialect=dialect).to_dict(level="table")


def test_a_broken_statement_costs_itself() -> None:
    sql = "BEGIN\n  INSERT INTO a SELECT x FROM b;\n  INSERT INTO FROM FROM;\n  INSERT INTO c SELECT y FROM d;\nEND;"
    document = analyze(sql, dialect="oracle").to_dict(level="column")
    assert [error["coordinates"][0][0] for error in document["errors"]] == [3]
    assert {(edge["source"]["table"], edge["target"]["table"]) for edge in document["relations"]} == {
        ("b", "a"),
        ("d", "c"),
    }


def test_what_a_loop_writes_does_not_reach_those_before_it() -> None:
    sql = """DECLARE n NUMBER; BEGIN
    SELECT a INTO n FROM s1;
    INSERT INTO before_loop (x) VALUES (n);
    FOR r IN (SELECT b FROM s2) LOOP
      INSERT INTO in_loop (x) VALUES (n);
      n := n + r.b;
    END LOOP;
    INSERT INTO behind_loop (x) VALUES (n);
    END;"""
    assert edges(sql, "oracle") == {
        ("s1.a", "fdd", "before_loop.x"),
        ("s1.a", "fdd", "in_loop.x"),
        ("s2.b", "fdd", "in_loop.x"),
        ("s1.a", "fdd", "behind_loop.x"),
        ("s2.b", "fdd", "behind_loop.x"),
    }


def test_what_a_trigger_function_sets_is_written_by_its_trigger() -> None:
    sql = (
        "CREATE FUNCTION f() RETURNS trigger AS $$ BEGIN NEW.total := NEW.price; RETURN NEW; END $$ LANGUAGE plpgsql;"
        "CREATE TRIGGER g BEFORE INSERT ON t FOR EACH ROW EXECUTE FUNCTION f();"
    )
    found = analyze(sql, dialect="postgresql").to_dict(level="column")
    (edge,) = found["relations"]
    process = next(each for each in found["processes"] if each["id"] == edge["processId"])
    assert (edge["target"]["column"], process["type"]) == ("total", "Create Trigger")
