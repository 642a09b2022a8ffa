"""Placeholders are names or values, never errors, and keep their spelling."""

from __future__ import annotations

import pytest
from sql_reading import read, statement, texts, token_texts
from sqlglot import exp
from sqlglot.tokenizer_core import TokenType

from connector.sql.dialects import get_dialect


def parsed(text: str, dialect: str) -> exp.Expression:
    found = statement(text, dialect)
    tree = get_dialect(dialect).sqlglot.parser().parse(found.tokens, text)[0]
    assert isinstance(tree, exp.Expression)
    return tree


@pytest.mark.parametrize(
    ("dialect", "table", "parts"),
    [
        ("hive", "${db}.t", ["${db}", "t"]),
        ("hive", "${hiveconf:db}.t_${env}", ["${hiveconf:db}", "t_${env}"]),
        ("postgresql", "${db}.t", ["${db}", "t"]),
        ("bigquery", "`${project}.d.t`", ["${project}", "d", "t"]),
        ("snowflake", '"${db}".t', ["${db}", "t"]),
        ("snowflake", "&db.t", ["&db", "t"]),
        ("oracle", "&owner..emp", ["&owner.", "emp"]),
        ("oracle", "&&owner..emp", ["&&owner.", "emp"]),
        ("mssql", "$(db).dbo.t", ["$(db)", "dbo", "t"]),
        ("ansi", "@db@.t", ["@db@", "t"]),
        ("ansi", "t_%s", ["t_%s"]),
        ("ansi", "%s.t", ["%s", "t"]),
        ("ansi", "{schema}.t_{day}", ["{schema}", "t_{day}"]),
        ("mysql", "#{db}.t", ["#{db}", "t"]),
        ("ansi", ":tab", [":tab"]),
        ("ansi", "{{ ref('orders') }}", ["orders"]),
        ("ansi", "{{ref(\"pkg\", 'orders')}}", ["orders"]),
        ("snowflake", "{{ source('raw', 'orders') }}", ["raw", "orders"]),
        ("bigquery", "{{ this }}", ["this"]),
        ("ansi", "{{ var('db') }}.t", ["db", "t"]),
    ],
)
def test_in_the_place_of_a_table(dialect: str, table: str, parts: list[str]) -> None:
    text = f"select a from {table} as x where b = 1"
    found = parsed(text, dialect).find(exp.Table)
    assert found is not None
    assert [part.name for part in found.parts] == parts
    assert statement(text, dialect).text == text


@pytest.mark.parametrize(
    ("dialect", "value"),
    [
        ("postgresql", "%s"),
        ("mysql", "%(day)s"),
        ("hive", "${day}"),
        ("oracle", "&day"),
        ("ansi", "{day}"),
        ("ansi", "?"),
        ("ansi", ":day"),
        ("snowflake", "{{ var('day') }}"),
        ("mssql", "$(day)"),
        ("ansi", "@day@"),
    ],
)
@pytest.mark.parametrize(
    "template", ["select a from t where a = {}", "select a from t where a in (1, {})", "select f({}) from t"]
)
def test_in_the_place_of_a_value(dialect: str, value: str, template: str) -> None:
    tree = parsed(template.replace("{}", value), dialect)
    assert {column.name for column in tree.find_all(exp.Column)} <= {"a"}


def test_inside_strings_nothing_changes() -> None:
    assert token_texts("select '${a} %s &b {{ c }}' from t")[1] == "${a} %s &b {{ c }}"


def test_quotes_inside_a_template_expression_do_not_end_a_string() -> None:
    assert token_texts("select '{{ var('start') }}' as a, b from t")[1] == "{{ var('start') }}"


def test_a_remainder_is_no_placeholder() -> None:
    assert token_texts("select a%s, a % s from t")[1:4] == ["a", "%", "s"]
    assert token_texts("select a & b from t", "mssql")[2] == "&"


def test_offsets_stay() -> None:
    text = "select a from {{ ref('orders') }} where ${c} = 1"
    for token in statement(text).tokens:
        if token.token_type is TokenType.VAR and token.text.isalpha() and token.text != "orders":
            assert text[token.start : token.end + 1] == token.text


def test_template_statements_and_comments_are_white_space() -> None:
    script = "{{ config(materialized='table', pre_hook=\"it's\") }}\n{% set x = \"it's\" %}\n{# it's; #}\nselect a from t;\nselect 2"
    assert texts(script, "snowflake") == ["select a from t", "select 2"]


def alternatives(script: str) -> list[str]:
    return [" ".join(token.text for token in found.tokens) for found in read(script, "ansi").statements]


def test_every_branch_counts() -> None:
    script = "select a from t {% if x %} where b = 1 {% elif y %} where c = 1 {% else %} where d = 1 {% endif %}"
    assert alternatives(script) == [f"select a from t where {name} = 1" for name in "bcd"]


def test_nested_branches() -> None:
    script = "select {% if a %}{% if b %}1{% else %}2{% endif %}{% else %}{% if c %}3{% else %}4{% endif %}{% endif %} from t"
    assert sorted(alternatives(script)) == [f"select {number} from t" for number in range(1, 5)]


def test_a_branch_that_is_no_sql_is_told() -> None:
    result = read("select a from t {% if x %} where b = 1 {% else %} it's {% endif %}", "ansi")
    assert [problem.type for problem in result.problems] == ["Note"]


def test_a_loop_over_unknown_values_runs_once_and_is_told() -> None:
    script = (
        "select {% for c in cols %}sum({{ c }}) as {{ c }}_sum{% if not loop.last %},{% endif %}{% endfor %} from t"
    )
    assert alternatives(script) == ["select sum ( {{ c }} ) as c_sum from t"]
    assert [problem.type for problem in read(script, "ansi").problems] == ["Note"]


@pytest.mark.parametrize("values", ["{% for c in ['x', 'y'] %}", "{% set l = ['x', 'y'] %}{% for c in l %}"])
def test_a_loop_over_a_list_is_expanded(values: str) -> None:
    script = (
        f"select {values}sum({{{{ c }}}}) as {{{{ c }}}}_sum{{% if not loop.last %}},{{% endif %}}{{% endfor %}} from t"
    )
    assert alternatives(script) == ["select sum ( x ) as x_sum , sum ( y ) as y_sum from t"]
    assert read(script, "ansi").problems == []


def test_macros_are_no_statements() -> None:
    assert texts("{% macro m(a) %} select it's {{ a }} {% endmacro %}\nselect 1") == ["select 1"]


def test_a_macro_call_that_stands_for_a_clause_is_left_out() -> None:
    script = "select a from t\n{{ my_filter() }}\nwhere b = 1"
    assert alternatives(script) == ["select a from t where b = 1"]
    assert [problem.message for problem in read(script, "ansi").problems] == ["the macro my_filter is not expanded"]


def test_data_with_signs_of_jinja_hides_no_statement() -> None:
    """A dump of texts that are no template: macros of another tool, braces that nothing closes."""
    values = ("{#NAME}", "{{ITEM.VALUE}.regsub(a, b)}", "{{#A}/{#B}", "{% of all", "}}", "%}", "it is #1}")
    inserts = "".join(f"insert into t (a) values ('{value}');\n" for value in values)
    result = read(3 * (inserts + "insert into o (a) select a from t;\n"), "mysql")
    assert len(result.statements) == 3 * (len(values) + 1)
    assert not result.problems
