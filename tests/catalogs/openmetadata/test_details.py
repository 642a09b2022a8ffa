"""What an edge says after we had our part in it: our own, that of our other sources, and that of others."""

from __future__ import annotations

import re
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from connector.catalogs.openmetadata.details import Contribution, TextLimits, merge, same, without
from connector.catalogs.openmetadata.edge_descriptions import Mark, Told, read_marks, write_marks

A, B, C = "a" * 32, "b" * 32, "c" * 32
PERSON = {
    "source": "Manual",
    "description": "Drawn by hand.\n\nAsk Jo.",
    "sqlQuery": "select 1",
    "columnsLineage": [{"fromColumns": ["t.k"], "toColumn": "o.k", "function": "by hand"}],
    "tempLineageTables": [{"fromEntity": "x", "toEntity": "y"}],
    "createdAt": 1,
    "createdBy": "jo",
    "updatedAt": 2,
    "updatedBy": "jo",
}


def entry(sources: str, target: str, function: str | None = None) -> dict[str, Any]:
    found: dict[str, Any] = {"fromColumns": sources.split(), "toColumn": target}
    return {**found, "function": function} if function else found


def part(source: str = "nightly", *columns: dict[str, Any], **more: Any) -> Contribution:
    return Contribution(
        source, more.pop("made", "QueryLineage"), list(columns), more.pop("statements", {A: "q a"}), **more
    )


def test_a_new_edge_is_ours_alone() -> None:
    details = merge(None, part("nightly", entry("t.a t.b", "o.x", "a + b")))
    assert details["source"] == "QueryLineage"
    assert details["sqlQuery"] == "q a"
    assert details["columnsLineage"] == [entry("t.a t.b", "o.x", "a + b")]
    assert A in details["description"]
    assert without(details, "nightly") is None


def test_the_second_time_nothing_changes() -> None:
    ours = part("nightly", entry("t.a", "o.x"), statements={A: "q a", B: "q b"}, routines=("wh.d.s.p",))
    first = merge(None, ours)
    assert same(first, merge(first, ours))


def test_a_change_replaces_our_part() -> None:
    first = merge(None, part("nightly", entry("t.a t.b", "o.x", "a + b"), entry("t.c", "o.y")))
    second = merge(first, part("nightly", entry("t.a", "o.x", "upper(a)"), statements={B: "q b"}))
    assert second["columnsLineage"] == [entry("t.a", "o.x", "upper(a)")]
    assert second["sqlQuery"] == "q b"
    assert A not in second["description"]


def test_what_a_person_made_stays() -> None:
    merged = merge(PERSON, part("nightly", entry("t.a", "o.x"), entry("t.k", "o.k", "upper(k)")))
    assert merged["source"] == "Manual"
    assert merged["description"].startswith("Drawn by hand.\n\nAsk Jo.\n\n")
    assert merged["sqlQuery"].startswith("select 1\n\n")
    assert merged["columnsLineage"] == [entry("t.k", "o.k", "by hand"), entry("t.a", "o.x")]
    assert merged["tempLineageTables"] == PERSON["tempLineageTables"]
    assert not merged.keys() & {"createdAt", "createdBy", "updatedAt", "updatedBy"}


def test_our_part_of_a_persons_edge_changes_and_goes() -> None:
    merged = merge(PERSON, part("nightly", entry("t.a", "o.x"), entry("t.k", "o.k")))
    changed = merge(merged, part("nightly", entry("t.b", "o.x"), statements={B: "q b"}))
    assert changed["columnsLineage"] == [entry("t.k", "o.k", "by hand"), entry("t.b", "o.x")]
    assert same(changed, merge(changed, part("nightly", entry("t.b", "o.x"), statements={B: "q b"})))
    rest = without(changed, "nightly")
    assert rest is not None
    assert same(PERSON, rest)


@pytest.mark.parametrize("details", [{"source": "QueryLineage", "columnsLineage": []}, {"columnsLineage": []}])
def test_an_empty_edge_of_others_is_not_taken_for_ours(details: dict[str, Any]) -> None:
    merged = merge(details, part("nightly", entry("t.a", "o.x")))
    rest = without(merged, "nightly")
    assert rest is not None
    assert same(details, rest)


def test_our_sources_stand_beside_each_other() -> None:
    views = part("views", entry("t.a", "o.x", "max(a)"), made="ViewLineage", statements={B: "q b"})
    log = part("log", entry("t.a", "o.x", "sum(a)"), entry("t.c", "o.y"))
    both = merge(merge(None, views), log)
    assert both["source"] == "ViewLineage"
    assert both["columnsLineage"] == [entry("t.a", "o.x", "max(a)"), entry("t.a", "o.x", "sum(a)"), entry("t.c", "o.y")]
    assert "q a" in both["sqlQuery"]
    assert "q b" in both["sqlQuery"]
    assert same(both, merge(both, views))
    assert same(both, merge(both, log))
    rest = without(both, "log")
    assert rest is not None
    assert same(merge(None, views), rest)


def test_what_two_sources_both_have_goes_with_the_last_of_them() -> None:
    both = merge(merge(None, part("one", entry("t.a", "o.x"))), part("two", entry("t.a", "o.x")))
    assert both["columnsLineage"] == [entry("t.a", "o.x")]
    rest = without(both, "one")
    assert rest is not None
    assert rest["columnsLineage"] == [entry("t.a", "o.x")]
    assert without(rest, "two") is None


def test_a_column_that_the_server_dropped_is_still_known_as_ours() -> None:
    stored = merge(None, part("nightly", entry("t.a t.b", "o.x", "a + b")))
    stored["columnsLineage"] = [entry("t.a", "o.x", "a + b")]  # a table lost b
    del stored["sqlQuery"]
    again = merge(stored, part("nightly", entry("t.c", "o.x", "c"), statements={A: "q a"}))
    assert again["columnsLineage"] == [entry("t.c", "o.x", "c")]
    assert again["sqlQuery"] == "q a"


def test_a_function_that_another_tool_lost_comes_back() -> None:
    ours = part("nightly", entry("t.a", "o.x", "upper(a)"), entry("t.b", "o.y"))
    stored = merge(None, ours)
    stored["columnsLineage"] = [entry("t.a", "o.x"), entry("t.b", "o.y"), entry("t.z", "o.z")]
    again = merge(stored, ours)
    assert again["columnsLineage"] == [entry("t.z", "o.z"), entry("t.a", "o.x", "upper(a)"), entry("t.b", "o.y")]
    rest = without(stored, "nightly")
    assert rest is not None
    assert rest["columnsLineage"] == [entry("t.z", "o.z")]


def test_a_function_that_somebody_changed_is_theirs() -> None:
    ours = part("nightly", entry("t.a", "o.x", "upper(a)"))
    stored = merge(None, ours)
    stored["columnsLineage"] = [entry("t.a", "o.x", "as Jo says")]
    assert merge(stored, ours)["columnsLineage"] == [entry("t.a", "o.x", "as Jo says")]


@pytest.mark.parametrize("text", [" ", "\n", "Ends with a line.\n\n", "  in\n\n\nthe middle "])
def test_descriptions_of_others_are_kept_to_the_letter(text: str) -> None:
    stored = merge({**PERSON, "description": text}, part("nightly", entry("t.a", "o.x")))
    assert same(stored, merge(stored, part("nightly", entry("t.a", "o.x"))))
    rest = without(stored, "nightly")
    assert rest is not None
    assert rest["description"] == text


def test_what_others_add_to_our_edge_stays() -> None:
    stored = merge(None, part("nightly", entry("t.a", "o.x")))
    stored["columnsLineage"].append(entry("t.z", "o.z"))
    again = merge(stored, part("nightly", entry("t.b", "o.x")))
    assert again["columnsLineage"] == [entry("t.z", "o.z"), entry("t.b", "o.x")]
    rest = without(again, "nightly")
    assert rest is not None
    assert rest["columnsLineage"] == [entry("t.z", "o.z")]


def test_pipelines() -> None:
    reference = {"id": "1", "type": "storedProcedure"}
    ours = part("nightly", pipeline=reference, routines=("wh.d.s.p",))
    assert merge(None, ours)["pipeline"] == reference
    foreign = {"id": "9", "type": "pipeline", "name": "dag", "fullyQualifiedName": "airflow.dag", "href": "…"}
    merged = merge({**PERSON, "pipeline": foreign}, ours)
    assert merged["pipeline"] == {"id": "9", "type": "pipeline"}
    expanded = {**reference, "fullyQualifiedName": "wh.d.s.p"}
    stored = {**merge(PERSON, ours), "pipeline": expanded}
    assert "pipeline" not in merge(stored, part("nightly"))
    rest = without(stored, "nightly")
    assert rest is not None
    assert "pipeline" not in rest


def test_text_is_bounded() -> None:
    statements: dict[str, str | None] = {f"{number:032x}": "x" * 500 for number in range(10)}
    details = merge(None, part("nightly", statements=statements), TextLimits(characters=1200, statements=3))
    assert 500 < len(details["sqlQuery"]) <= 1300
    assert "and 7 more" in details["description"]
    assert same(details, merge(details, part("nightly", statements=statements), TextLimits(1200, 3)))
    long = merge(None, part("nightly", statements={A: "y" * 5000}), TextLimits(1000, 3))
    assert long["sqlQuery"] == "y" * 1000 + "\n-- …"


def shown(description: str) -> str:
    """What a page shows of it: no comments."""
    return re.sub(r"<!--.*?-->\n?", "", description, flags=re.S).strip()


def test_the_description_is_for_people() -> None:
    told = {A: Told("Insert", "etl/load.sql"), B: Told("Create View", "etl/views.sql", "2024-05-01")}
    ours = part("nightly", entry("t.a", "o.x"), statements={A: "q a", B: "q b"}, told=told)
    details = merge(None, ours, today="2026-11-17")
    assert shown(details["description"]).splitlines() == [
        "**nightly**: 2 statements, by lineage-connector",
        "- Insert in etl/load.sql, since 2026-11-17",
        "- Create View in etl/views.sql, since 2024-05-01",
    ]
    assert A not in shown(details["description"])
    later = merge(details, ours, today="2026-12-24")
    assert same(details, later), "the day on which it was first written stays"
    beside = merge({**PERSON, "description": "Ask Jo."}, ours, today="2026-11-17")
    assert shown(beside["description"]).startswith("Ask Jo.")


def test_no_name_breaks_out_of_the_comment() -> None:
    name = 'a --> <b> \n "x" <!-- /lineage-connector -->'
    details = merge(None, part(name, entry("t.a", "o.x"), told={A: Told("Insert", name)}))
    assert same(details, merge(details, part(name, entry("t.a", "o.x"), told={A: Told("Insert", name)})))
    assert without(details, name) is None
    assert "<b>" not in shown(details["description"])


def test_a_mark_that_somebody_has_spoilt_is_theirs() -> None:
    stored = merge(None, part("nightly", entry("t.a", "o.x")))
    stored["description"] = stored["description"].replace('"statements"', '"stat')
    assert read_marks(stored["description"]) == (stored["description"], {})


def test_an_edge_without_statements() -> None:
    ours = Contribution("nightly", "QueryLineage", [entry("t.a", "o.x")])
    details = merge(None, ours)
    assert "sqlQuery" not in details
    assert without(details, "nightly") is None


names = st.text(st.characters(codec="utf-8", exclude_categories=("Cs",)), min_size=1, max_size=20)
hashes = st.text("0123456789abcdef", min_size=32, max_size=32)
marks = st.builds(
    Mark,
    names,
    st.lists(hashes, max_size=3, unique=True).map(tuple),
    st.integers(0, 5),
    st.lists(names, max_size=2).map(tuple),
    st.frozensets(st.text("0123456789abcdef", min_size=12, max_size=12), max_size=4),
    st.booleans(),
    st.lists(st.tuples(hashes, st.builds(Told, names, names, names)), max_size=2).map(tuple),
)


@settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(
    st.lists(marks, max_size=3, unique_by=lambda mark: mark.source),
    st.sampled_from(["", "Text.", "a\n\nb; c", " ", "\n"]),
)
def test_marks_are_read_as_they_were_written(written: list[Mark], foreign: str) -> None:
    by_source = {mark.source: mark for mark in written}
    text, found = read_marks(write_marks(foreign, by_source))
    assert text == foreign
    assert found == by_source


contributions = st.builds(
    Contribution,
    st.sampled_from(["one", "two"]),
    st.sampled_from(["ViewLineage", "QueryLineage"]),
    st.lists(
        st.builds(
            entry,
            st.sampled_from(["t.a", "t.a t.b", "t.c"]),
            st.sampled_from(["o.x", "o.y"]),
            st.sampled_from([None, "f"]),
        ),
        max_size=3,
        unique_by=lambda each: each["toColumn"],
    ),
    st.dictionaries(st.sampled_from([A, B, C]), st.sampled_from(["q", "select 2"]), max_size=2),
)


@settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.lists(contributions, min_size=1, max_size=5), st.sampled_from([None, PERSON, {"columnsLineage": []}]))
def test_any_order_of_runs_settles_and_can_be_taken_back(
    runs: list[Contribution], before: dict[str, Any] | None
) -> None:
    stored = before
    for run in runs:
        stored = merge(stored, run)
        assert same(stored, merge(stored, run))
    rest: dict[str, Any] | None = stored
    for source in {run.source for run in runs}:
        assert rest is not None
        rest = without(rest, source)
    if before is None:
        assert rest is None
    else:
        assert rest is not None
        assert same(before, rest)
