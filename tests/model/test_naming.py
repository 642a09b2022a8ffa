"""Qualified names, and the way back from them."""

from __future__ import annotations

import pytest
from hand_made import Builder
from hypothesis import given
from hypothesis import strategies as st

from connector.model import Entity, Model, Process
from connector.naming import Namer, QualifiedName, bare_name, join_name, parse_name, split_parts, unquote

parts = st.text(st.sampled_from('ab.@"`[]/ :\n\té'), max_size=6)


@given(st.lists(parts, min_size=2, max_size=4), st.one_of(st.none(), parts))
def test_every_name_can_be_read_back(names: list[str], cluster: str | None) -> None:
    assert parse_name(join_name(names, cluster)) == QualifiedName(tuple(names), cluster)


@given(st.lists(parts, min_size=2, max_size=4))
def test_different_names_stay_different(names: list[str]) -> None:
    assert join_name(names) != join_name([*names, "a"])


@pytest.mark.parametrize(
    ("written", "bare"),
    [
        ("emp", "emp"),
        ('"eName"', "eName"),
        ("`a``b`", "a`b"),
        ("[order]", "order"),
        ('"say ""hi"""', 'say "hi"'),
        ('"a" || "b"', '"a" || "b"'),
        ("[a] + [b]", "[a] + [b]"),
        ('"', '"'),
        ("'text'", "'text'"),
        ("", ""),
    ],
)
def test_unquote(written: str, bare: str) -> None:
    assert unquote(written) == bare


@pytest.mark.parametrize(
    ("written", "split"),
    [
        ("scott.emp", ["scott", "emp"]),
        ('a."b.c".`d.e`', ["a", "b.c", "d.e"]),
        ("[my db]..[t]", ["my db", "", "t"]),
        ("t", ["t"]),
        ('"unclosed', ['"unclosed']),
    ],
)
def test_split_parts(written: str, split: list[str]) -> None:
    assert split_parts(written) == split


def named(entity: Entity, **settings: object) -> str:
    return Namer(Model("dbvansi", **settings)).entity(entity)  # type: ignore[arg-type]


def test_tables_get_the_defaults_of_the_dialect() -> None:
    build = Builder()
    assert named(build.entity("t")) == "default.default.t@default"
    assert named(build.entity("t"), default_schema="dbo") == "default.dbo.t@default"
    assert named(build.entity("ABCDPROD.HARDWARE.SUBRACK_I_TRG"), cluster="xzy001db03.ddc.nba.com") == (
        "ABCDPROD.HARDWARE.SUBRACK_I_TRG@xzy001db03.ddc.nba.com"
    )


def test_two_layers_have_no_schema() -> None:
    build = Builder()
    table = build.entity("tableA", database="sampledb")
    assert named(table, layers=2, cluster="primary") == "sampledb.tableA@primary"
    assert named(build.entity("s.t"), layers=2, cluster="primary") == "s.t@primary"


def test_parts_that_would_be_ambiguous_are_quoted() -> None:
    build = Builder()
    table = build.entity("t", table="a.b", schema="x@y", database='say "hi"')
    name = named(table, cluster="me@home")
    assert name == '"say ""hi"""."x@y"."a.b"@"me@home"'
    assert parse_name(name) == QualifiedName(('say "hi"', "x@y", "a.b"), "me@home")


@pytest.mark.parametrize(
    ("uri", "name"),
    [
        ("s3://load/a.b/file.csv", "s3://load/a.b/file.csv@primary"),
        ("/tmp/out", "/tmp/out@primary"),
        ("data/in.csv", '"data/in.csv"@primary'),
        ("abfss://box@account.dfs/x", "abfss://box@account.dfs/x@primary"),
    ],
)
def test_paths_are_their_uri(uri: str, name: str) -> None:
    build = Builder()
    path = build.entity("p", "path", uri=uri)
    assert bare_name(path) == uri
    assert named(path, cluster="primary") == name
    assert parse_name(name) == QualifiedName((uri,), "primary")


def test_a_path_on_a_cluster_with_an_at_sign() -> None:
    assert parse_name('/tmp/out@"a@b"') == QualifiedName(("/tmp/out",), "a@b")
    assert parse_name("/tmp/out") == QualifiedName(("/tmp/out",), None)


def test_columns_and_processes() -> None:
    build = Builder("", cluster="c")
    namer = Namer(build.model)
    build.entity("d.s.t")
    assert namer.column(build.column("d.s.t.a")) == "d.s.t.a@c"
    assert namer.column(build.column("d.s.t.rows")) == "d.s.t.PseudoRows@c"
    column = build.column("d.s.t.a")
    column.name = '"x.y"'
    assert namer.column(column) == 'd.s.t."x.y"@c'
    process = Process(1, "Insert", (build.script, 0, 0), "f" * 32, "HR.PKG.LOAD", "f" * 32)
    assert namer.process(process) == f"default.HR.PKG.LOAD.{'f' * 32}@c"
    build.flow(process, "d.s.t")
    assert namer.process(process) == f"d.HR.PKG.LOAD.{'f' * 32}@c"


def test_columns_of_a_path() -> None:
    build = Builder("", cluster="primary")
    build.entity("p", "path", uri="/tmp/out", columns="uri='/tmp/out'")
    (column,) = build.entities["p"].columns.values()
    name = Namer(build.model).column(column)
    assert name == "\"/tmp/out\".uri='/tmp/out'@primary"
    assert parse_name(name) == QualifiedName(("/tmp/out", "uri='/tmp/out'"), "primary")
