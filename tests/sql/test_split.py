from __future__ import annotations

import pytest
from sql_reading import read, statement, texts

from connector.model import Script
from connector.sql.dialects import get_dialect, supported_dialects
from connector.sql.split import read_fragment


def test_offsets_hold_the_text_without_terminator_white_space_and_comments() -> None:
    text = "-- head\n  select a ; -- tail\n/* x */ insert into t values (1)  \n"
    first, second = read(text, "ansi").statements
    assert text[first.start : first.end] == first.text == "select a"
    assert text[first.start : first.span_end] == "select a ;"
    assert second.text == "insert into t values (1)"
    assert second.span_end == second.end


def test_hash_is_md5_of_the_text() -> None:
    found = statement("/* c */ INSERT INTO raw_customers (id, first_name, last_name) VALUES(0, '', '') ;\n-- end")
    assert found.hash == "04ebc5aec1a07e1db80b0bc798742875"


@pytest.mark.parametrize("dialect", supported_dialects())
def test_semicolons_in_strings_names_and_comments_end_nothing(dialect: str) -> None:
    quote = get_dialect(dialect).quotes[0]
    closing = "]" if quote == "[" else quote
    first = f"select 'a;b' as {quote}x;y{closing} /* ; */ from t"
    assert texts(f"{first};\n-- ;\nselect 2;;", dialect) == [first, "select 2"]


@pytest.mark.parametrize(
    ("dialect", "literal"),
    [
        ("oracle", "q'[it's;]'"),
        ("oracle", "nq'!it's;!'"),
        ("postgresql", "$$it's;$$"),
        ("postgresql", "$fn$it's; $$ $fn$"),
        ("postgresql", r"E'it\'s;'"),
        ("snowflake", "$$it's;$$"),
        ("snowflake", r"'it\'s;'"),
        ("bigquery", '"""it\'s; "quoted" """'),
        ("bigquery", "r'''a;'b'''"),
        ("mysql", '"it\'s;"'),
        ("mysql", r"'it\'s;'"),
        ("duckdb", "$$it's;$$"),
        ("mssql", "N'it''s;'"),
        ("sparksql", r"'it\'s;'"),
    ],
)
def test_string_forms_of_the_dialects(dialect: str, literal: str) -> None:
    assert texts(f"select {literal} from a; select 2", dialect) == [f"select {literal} from a", "select 2"]


def test_nested_comments_where_the_dialect_nests_them() -> None:
    assert texts("/* a /* b; */ c; */ select 1; select 2", "postgresql") == ["select 1", "select 2"]


def test_empty_scripts_have_no_statements() -> None:
    for text in ("", "  \n", ";", "-- only a comment", "/* x */;;"):
        assert texts(text) == []


def test_slash_on_its_own_line_ends_a_statement_in_oracle() -> None:
    assert texts("select 1 from a\n/\nselect 2 from b\n /\n", "oracle") == ["select 1 from a", "select 2 from b"]


def test_slash_that_divides_is_no_terminator() -> None:
    divided = "select case when a > 0 then abs(b)\n/\nc end from t"
    assert texts(divided, "oracle") == [divided]


def test_a_fragment_adds_its_base() -> None:
    body = "insert into t select 1; delete from u;"
    script = Script(f"create function f() as $${body}$$")
    base = script.text.index(body)
    found = read_fragment(script, body, base, get_dialect("postgresql")).statements
    assert [item.text for item in found] == ["insert into t select 1", "delete from u"]
    assert found[1].tokens[0].start + found[1].base == found[1].start == script.text.index("delete")


def test_an_open_quote_costs_one_statement() -> None:
    text = "select 1;\nselect 'open from t;\nselect 2;\nselect 3"
    result = read(text, "ansi")
    assert [item.text for item in result.statements] == ["select 1", "select 2", "select 3"]
    (problem,) = result.problems
    assert problem.type == "SyntaxError"
    assert "never closed" in problem.message
    script, start, end = problem.span
    assert text[start:end] == "select 'open from t;"
    assert script.position(start) == (2, 1)


def test_tokens_behind_an_open_quote_keep_their_place() -> None:
    text = "select 'open;\n\nselect a\nfrom b"
    (found,) = read(text, "snowflake").statements
    assert text[found.tokens[-1].start :] == "b"
    assert found.tokens[-1].line == 4


def test_an_open_comment_is_reported() -> None:
    result = read("select 1; /* open\nselect 2", "mysql")
    assert [item.text for item in result.statements][:1] == ["select 1"]


def test_strings_with_backslash_escapes_are_read_where_the_standard_forbids_them() -> None:
    assert texts(r"select 'it\'s;' from t; select 2") == [r"select 'it\'s;' from t", "select 2"]


def test_informix_databases_are_qualifiers() -> None:
    found = statement("select a, :b from db:own.t", "informix")
    assert [token.text for token in found.tokens][3:] == [":", "b", "from", "db", ".", "own", ".", "t"]
    assert found.text == "select a, :b from db:own.t"
