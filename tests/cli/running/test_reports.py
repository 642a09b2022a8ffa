"""The forms of a report: table, JSON, Prometheus."""

from __future__ import annotations

import re
from datetime import datetime, timezone

import jsonschema

from connector.catalogs.summary import Summary
from connector.cli.run_summary import summary_table
from connector.pipeline.run_report import (
    CatalogOutcome,
    FailedJob,
    FailedUnit,
    RunReport,
    SourceOutcome,
    WorstUnit,
    prometheus_text,
    report_document,
    report_schema,
)

NOON = datetime(2026, 3, 1, 12, 0, tzinfo=timezone.utc)


def report() -> RunReport:
    sent = Summary()
    sent.of("sql_table").created = 1234
    sent.of("sql_process").failed = 1
    return RunReport(
        "nightly",
        "5b0c9a",
        NOON,
        NOON,
        seconds=40.0,
        stages={"start": 5.0, "identify": 6.5, "analyse": 20.0},
        sources=[SourceOutcome("scripts", 1), SourceOutcome("history", 20_000), SourceOutcome("old", skipped=True)],
        rows=20_001,
        statements=400,
        units=300,
        known=10,
        analysed=290,
        failed=2,
        problems=3,
        errors={"timeout": 2, "SyntaxError": 3},
        failures=[
            FailedUnit("timeout", "The time limit of 30 s was exceeded", "history", "h.csv", 17, 1200, "select ?")
        ],
        slowest=[WorstUnit(30.0, 1200, "history", "h.csv", 17, "select ?")],
        column_edges=3000,
        table_edges=500,
        store="lineage.db",
        stored={"run": "5b0c9a", "created": 5, "column_edges": {"created": 4, "updated": 0, "unchanged": 7}},
        catalogs=[
            CatalogOutcome("atlas", "http://atlas:21000", 5, sent),
            CatalogOutcome("openlineage", "http://marquez:5000", 0, None, "it does not answer"),
        ],
    )


def test_the_table_says_what_a_person_wants_to_know() -> None:
    table = summary_table(report())
    lines = [" ".join(re.split(r"[│\s]+", line)).strip() for line in table.splitlines()]
    assert lines[0] == "nightly: done, with failures in 40.0 s (incremental)"
    for line in (
        "source scripts 1 new row",
        "source history 20,000 new rows",
        "source old unchanged, not read",
        "known from earlier runs 10 of 300 statements, scripts and sessions",
        "analysed 290 (14/s)",
        "errors and notes SyntaxError 3, timeout 2",
        "slowest 30.00 s h.csv:17",
        "store: column edges 4 created, 7 unchanged",
        "atlas http://atlas:21000: 1,234 created, 1 failed",
        "openlineage http://marquez:5000: it does not answer",
        "rows per second 500",
    ):
        assert line in lines
    assert max(map(len, table.splitlines())) <= 100
    assert "\x1b" not in table


def test_the_document_is_as_its_schema_says() -> None:
    document = report_document([report(), FailedJob("other", "there is no store", 3)])
    jsonschema.Draft202012Validator.check_schema(report_schema())
    jsonschema.validate(document, report_schema())
    done, failed = document["jobs"]
    assert (done["status"], done["rows_per_second"], done["errors"]["timeout"]) == ("failures", 500.0, 2)
    assert failed == {"job": "other", "status": "error", "error": "there is no store"}


def test_every_figure_of_the_report_is_in_the_schema() -> None:
    schema = report_schema()["$defs"]["done"]
    assert set(schema["properties"]) == set(schema["required"]) == {"status", *report().to_dict()}


def test_the_figures_for_prometheus_can_be_parsed() -> None:
    text = prometheus_text([report(), FailedJob('a "b"\\c\nd', "x", 2)], now=7.0)
    found: dict[str, str] = {}
    described: list[str] = []
    for line in text.splitlines():
        if line.startswith("#"):
            described.append(line.split()[2])
            continue
        sample = re.fullmatch(r'(lineage_run_\w+)(\{(?:\w+="(?:[^"\\\n]|\\["\\n])*",?)*\}) (\S+)', line)
        assert sample, line
        assert sample[1] in described
        assert float(sample[3]) >= 0
        found[sample[1] + sample[2]] = sample[3]
    assert text.endswith("\n")
    assert len(set(described)) == len(described) / 2
    assert found['lineage_run_success{lineage_job="nightly"}'] == "0"
    assert found['lineage_run_timestamp_seconds{lineage_job="nightly"}'] == f"{NOON.timestamp():.15g}"
    assert found['lineage_run_timestamp_seconds{lineage_job="a \\"b\\"\\\\c\\nd"}'] == "7"
    assert found['lineage_run_stage_seconds{lineage_job="nightly",stage="analyse"}'] == "20"
    labels = 'lineage_job="nightly",type="openlineage",catalog="http://marquez:5000"'
    assert found[f"lineage_run_catalog_up{{{labels}}}"] == "0"
