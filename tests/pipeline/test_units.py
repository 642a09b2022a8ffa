"""Units, their keys, and the pipeline in one thread."""

from __future__ import annotations

import random
from dataclasses import replace
from datetime import datetime, timedelta, timezone
from pathlib import Path

import pytest

from connector import Lineage, analyze
from connector.common.hashing import text_hash
from connector.guard import Limits
from connector.metadata import TableInfo
from connector.model.rows import model_of, rows_of
from connector.options import Options, QueryIdentity
from connector.pipeline.arrow import pack_results, unpack_levels, unpack_results
from connector.pipeline.context import AnalysisContext, load_context, save_context
from connector.pipeline.identify import identify
from connector.pipeline.plain import analyse_plain, collect_units
from connector.pipeline.spark import deduplication
from connector.pipeline.storage import Storage
from connector.pipeline.units import (
    Question,
    SessionStatement,
    UnitText,
    session_pieces,
    unit_key,
)
from connector.sources.record import SourceStatement

CONTEXT = AnalysisContext(Options(), Limits(20, 300))
START = datetime(2024, 1, 1, tzinfo=timezone.utc)
ROOT = Path(__file__).parents[2]
SCRIPTS = sorted([*ROOT.glob("examples/**/*.sql"), *ROOT.glob("tests/analysis/routines/golden/**/*.sql")])


def query(
    text: str, second: int = 0, *, session: str | None = None, user: str | None = "ann", schema: str | None = None
) -> SourceStatement:
    return SourceStatement(
        text,
        "snowflake",
        "query",
        "log",
        schema=schema,
        user=user,
        started_at=START + timedelta(seconds=second),
        session_id=session,
        sequence=second,
        source="log",
    )


def identity_context(mode: QueryIdentity) -> AnalysisContext:
    return AnalysisContext(Options(query_identity=mode), Limits(20, 300))


# --- state ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("dialect", "text"),
    [
        ("snowflake", "use schema x"),
        ("snowflake", "USE DATABASE y"),
        ("snowflake", "set cut_off = '2024-01-01'"),
        ("snowflake", "create or replace temporary table t as select 1 as a"),
        ("snowflake", "create temp view v as select 1 as a"),
        ("postgresql", "set search_path to a, b"),
        ("postgresql", "SET LOCAL search_path = a"),
        ("oracle", "alter session set current_schema = hr"),
        ("teradata", "create multiset volatile table t as (select a from b) with data"),
        ("teradata", "database sales"),
        ("mssql", "create table #t (a int)"),
        ("mssql", "select a into #t from b"),
        ("mysql", "set @x = 1"),
        ("hive", "set hivevar:day=2024"),
        ("sparksql", "create or replace temporary view v as select a from t"),
    ],
)
def test_statements_that_change_state(dialect: str, text: str) -> None:
    assert identify(Question(text, dialect, "text")).changes_state


@pytest.mark.parametrize(
    ("dialect", "text"),
    [
        ("postgresql", "set timezone to 'UTC'"),
        ("postgresql", "SET client_encoding TO 'UTF8'"),
        ("mysql", "set names utf8mb4"),
        ("mysql", "set @@session.sql_mode = ''"),
        ("mysql", "set autocommit = 0"),
        ("snowflake", "use warehouse w"),
        ("snowflake", "insert into temp_orders select a from t"),
        ("snowflake", "create table t as select a from temporary_things"),
        ("hive", "set hive.exec.parallel=true"),
        ("mssql", "select a from #t"),
        ("mssql", "set nocount on"),
        ("oracle", "alter session set nls_date_format = 'YYYY'"),
        ("oracle", "create table gt (a int)"),
    ],
)
def test_statements_that_do_not(dialect: str, text: str) -> None:
    assert not identify(Question(text, dialect, "text")).changes_state


# --- identity and keys ----------------------------------------------------------------------------------------------


def test_identities_are_those_of_the_processes() -> None:
    text = "insert into a select x from b where y = 1; -- done\n\ninsert into c select x from d;"
    for mode in ("text", "canonical", "shape"):
        processes = analyze(text, "snowflake", options=Options(query_identity=mode)).model.processes
        assert identify(Question(text, "snowflake", mode)).identities == tuple(p.identity for p in processes)


def test_a_text_without_statements_holds_none_and_a_broken_one_is_kept() -> None:
    assert identify(Question("-- nothing\n ;", "snowflake", "text")).identities == ()
    assert len(identify(Question("select 'open", "snowflake", "text")).identities) == 1


def test_everything_that_decides_is_in_the_key() -> None:
    keys = [
        unit_key("c", "hive", None, [(None, None, ["a"])]),
        unit_key("d", "hive", None, [(None, None, ["a"])]),
        unit_key("c", "mysql", None, [(None, None, ["a"])]),
        unit_key("c", "hive", "x", [(None, None, ["a"])]),
        unit_key("c", "hive", "", [(None, None, ["a"])]),
        unit_key("c", "hive", None, [("x", None, ["a"])]),
        unit_key("c", "hive", None, [(None, "x", ["a"])]),
        unit_key("c", "hive", None, [(None, None, ["a", "b"])]),
        unit_key("c", "hive", None, [(None, None, ["a"]), (None, None, ["b"])]),
    ]
    assert len(set(keys)) == len(keys)


def test_options_metadata_and_version_are_in_the_digest_and_looks_and_limits_are_not() -> None:
    digest = CONTEXT.digest
    assert AnalysisContext(Options(count_direct=False), Limits()).digest != digest
    assert AnalysisContext(Options(), Limits(), ([(("t",), TableInfo(("a",)))],)).digest != digest
    assert AnalysisContext(Options(color=True, impact=False), Limits(5, 77)).digest == digest


def test_a_context_survives_its_file(tmp_path: Path) -> None:
    defined = (("hive", "primary", [(("u",), TableInfo(("c",), masked=(("c", "masked"),)))]),)
    known = TableInfo(("a", "b"), True, ("int", None), "As the shop sends them")
    context = AnalysisContext(Options(count_direct=False), Limits(3, 99), ([(("s", "t"), known)],), defined)
    storage = Storage(str(tmp_path))
    read = load_context(storage.local_copy(save_context(context, storage)))
    assert read == context
    assert read.digest == context.digest
    general, hive = read.provider("ansi", None), read.provider("hive", "primary")
    assert general is not None
    assert hive is not None
    assert general.describe(None, None, "u") is None
    assert hive.describe(None, None, "u") is not None
    assert hive.describe(None, "S", "T") == known


# --- sessions -------------------------------------------------------------------------------------------------------


def member(name: str, changes: bool = False) -> SessionStatement:
    return SessionStatement(UnitText(name), (text_hash(name),), changes)


def test_before_the_first_change_statements_stand_alone_and_long_sessions_are_cut() -> None:
    session = [member("a"), member("USE"), member("b"), member("TEMP", True), member("c"), member("d"), member("e")]
    session[1] = member("USE", True)
    pieces = [[each.text.text for each in piece] for piece in session_pieces(session, 3)]
    assert pieces == [["a"], ["USE", "b", "TEMP"], ["USE", "TEMP", "c", "d", "e"]]


def test_sessions_are_followed_and_kept_apart() -> None:
    rows = [
        query("create temporary table work as select a from raw.one", 1, session="x"),
        query("create temporary table work as select b from raw.two", 2, session="y"),
        query("insert into m.result_x select a from work", 3, session="x"),
        query("insert into m.result_y select b from work", 4, session="y"),
        query("insert into m.plain select c from raw.three", 5, session="z"),
        query("use schema other", 6, session="u"),
        query("insert into here select d from there", 7, session="u"),
    ]
    random.Random(5).shuffle(rows)
    collected = collect_units(rows, CONTEXT, guarded=False)
    assert sorted(len(unit.texts) for unit in collected.units) == [1, 2, 2, 2]
    edges = set()
    for result in analyse_plain(collected.units, CONTEXT, guarded=False):
        for relation in Lineage(result.model).to_dict("table")["relations"]:
            edges.add((relation["source"]["qualifiedName"], relation["target"]["qualifiedName"]))
    assert edges == {
        ("default.raw.one@default", "default.m.result_x@default"),
        ("default.raw.two@default", "default.m.result_y@default"),
        ("default.raw.three@default", "default.m.plain@default"),
        ("default.other.there@default", "default.other.here@default"),
    }


def test_the_log_knows_better_where_a_statement_ran() -> None:
    rows = [
        query("set x = 1", 1, session="s", schema="first"),
        query("insert into t select a from u", 2, session="s", schema="first"),
        query("insert into t select a from u", 3, session="s", schema="second"),
    ]
    [unit] = collect_units(rows, CONTEXT, guarded=False).units
    [result] = analyse_plain([unit], CONTEXT, guarded=False)
    written = {entity.schema for entity in result.model.entities if entity.name == "t"}
    assert written == {"first", "second"}


# --- distinct statements and their history --------------------------------------------------------------------------


@pytest.mark.parametrize(("mode", "units"), [("text", 4), ("canonical", 3), ("shape", 2)])
def test_the_identity_decides_what_is_one_statement(mode: QueryIdentity, units: int) -> None:
    rows = [
        query("insert into a select x from b where y = 1", 3, user="bob"),
        query("insert into a select x from b where y = 1", 1),
        query("INSERT INTO a select x  from b where y = 1", 2),
        query("insert into a select x from b where y = 2", 9, user=None),
        query("insert into c select x from d", 4),
    ]
    collected = collect_units(rows, identity_context(mode), guarded=False)
    assert len(collected.units) == collected.statements == units
    assert sum(each.run_count for each in collected.history) == 5
    if mode == "shape":
        most = max(collected.history, key=lambda each: each.run_count)
        assert (most.first_seen, most.last_seen) == (START + timedelta(seconds=1), START + timedelta(seconds=9))
        assert most.users == ("ann", "bob")


def test_the_order_of_rows_does_not_matter() -> None:
    rows = [query(f"insert into t{at % 7} select a from u where b = {at}", at) for at in range(50)]
    rows += [query("use schema s", 60, session="q"), query("insert into v select a from w", 61, session="q")]
    expected = collect_units(rows, identity_context("shape"), guarded=False)
    random.Random(1).shuffle(rows)
    assert collect_units(rows, identity_context("shape"), guarded=False) == expected


# --- results as rows ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("script", SCRIPTS, ids=[str(path.relative_to(ROOT)) for path in SCRIPTS])
def test_a_model_comes_back_as_it_was(script: Path) -> None:
    dialect = script.parent.name if script.parent.parent.name == "golden" else "snowflake"
    text = script.read_text(encoding="utf-8")
    lineage = analyze(text, dialect)
    again = Lineage(model_of(rows_of(lineage.model), [text]))
    for level in ("complete", "column", "table"):
        assert again.to_json(level) == lineage.to_json(level)


def test_results_survive_arrow() -> None:
    texts = [*(script.read_text(encoding="utf-8") for script in SCRIPTS[:15]), "select 1", "nonsense ("]
    rows = [SourceStatement(text, "oracle", "script", f"s{at}") for at, text in enumerate(texts)]
    units = collect_units(rows, CONTEXT, guarded=False).units
    results = list(analyse_plain(units, CONTEXT, guarded=False))
    batch = pack_results(results)
    again = unpack_results(batch)
    for result in results:
        result.seconds = 0.0
    assert again == results
    stored = [
        replace(result.levels, ways=[], facts=[], collapsed=[]) for result in results if result.levels is not None
    ]
    assert [rows for rows in unpack_levels(batch) if rows is not None] == stored


def test_results_of_a_log_name_the_row() -> None:
    """A query id and a time find a row in any log; of equal texts it is the same row whatever the order."""
    at = datetime(2026, 3, 1, 12, 30, tzinfo=timezone.utc)
    bad, good = "insert into o (x) select from where", "insert into p (y) select b from u"
    rows = [
        SourceStatement(bad, "ansi", "query", "h.csv", run_id="q-2", started_at=at, source="history"),
        SourceStatement(bad, "ansi", "query", "h.csv", run_id="q-1", started_at=at, source="history"),
        SourceStatement(good, "ansi", "query", "part-7.csv", source="history"),
        SourceStatement("create temp table w as select 1", "ansi", "query", "h.csv", session_id="77", source="history"),
    ]
    context = AnalysisContext(Options(), Limits())
    for order in (rows, rows[::-1]):
        units = collect_units(order, context, guarded=False).units
        places = {result.origin for result in analyse_plain(units, context, guarded=False)}
        assert places == {
            "history (query q-1 of 2026-03-01 12:30:00 UTC)",
            "history (part-7.csv)",
            "history (session 77)",
        }


# --- deduplication in a worker ----------------------------------------------------------------------------------------


def test_what_a_worker_holds_counts_and_not_what_it_has_read(monkeypatch: pytest.MonkeyPatch) -> None:
    """A log of many rows and few shapes leaves a worker as one row for each shape, with all of its runs."""
    monkeypatch.setattr(deduplication, "_HELD_ROWS", 100)
    rows = [query(f"insert into t{at % 20} select a from s where b = {at}", at) for at in range(5000)]
    batches = list(deduplication.Deduplicate("log", "context", "shape", 20, 300)(rows))
    texts = [row for batch in batches for row in batch.to_pylist() if row["kind"] == deduplication.TEXT]
    assert len(texts) == 20
    assert {row["runs"] for row in texts} == {250}
    assert {len(row["fingerprints"]) for row in texts} == {250}
