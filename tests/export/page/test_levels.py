"""The page shows what the other exports show: every level under every switch, on all samples of the project."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from looking import titles

from connector import analyze
from connector.export.page import page_document

TESTS = Path(__file__).parents[2]
NAMES = {"top_select": "select"}
"""Switches whose name in the page differs from the one in Python."""

COMBINATIONS: list[dict[str, bool]] = [
    {"impact": False},
    {"dataflow": False},
    {"joins": False, "top_select": True},
    {"function": False},
    {"recordset": False},
    {"function": False, "recordset": False, "columns": False},
    {"temporaries": True},
]
"""Each sample is looked at without and with two of these, which change from sample to sample."""


def samples() -> list[tuple[str, str]]:
    """Text and dialect of the goldens and of the reference's samples."""
    found = []
    for file in sorted(TESTS.rglob("*.sql")):
        folder = file.relative_to(TESTS).parts
        if folder[0] == "golden":
            found.append((file.read_text(encoding="utf-8"), folder[1]))
        elif folder[:2] == ("analysis", "reference"):
            found.append((file.read_text(encoding="utf-8"), file.name.split(".")[1]))
    return found


SAMPLES = samples()
PARTS = 2
"""The samples go to the browser in as many parts, which workers take side by side."""


@pytest.mark.parametrize("part", range(PARTS))
def test_every_level_and_switch_is_as_python_has_it(warehouse, part):
    assert len(SAMPLES) > 300
    cases: list[list[Any]] = []
    for at, (text, dialect) in enumerate(SAMPLES[part::PARTS]):
        lineage = analyze(text, dialect)
        wanted = [
            [
                {"level": level, **{NAMES.get(name, name): on for name, on in switches.items()}},
                lineage.to_dict(level, **switches),
            ]
            for level in ("complete", "column", "table")
            for switches in ({}, COMBINATIONS[at % len(COMBINATIONS)], COMBINATIONS[(at + 3) % len(COMBINATIONS)])
        ]
        cases.append([page_document(lineage.model), wanted])
    differing = warehouse.evaluate(
        """text_of_cases => {
            const cases = JSON.parse(text_of_cases);
            const same = (one, other) => {
                if (one === other) return true;
                if (one === null || other === null || typeof one !== 'object' || typeof other !== 'object') return false;
                const keys = Object.keys(one);
                return keys.length === Object.keys(other).length
                    && Array.isArray(one) === Array.isArray(other)
                    && keys.every(key => key in other && same(one[key], other[key]));
            };
            const differing = [];
            cases.forEach(([raw, wanted], at) => {
                for (const [switches, python] of wanted) {
                    if (!same(lineagePage.json(raw, switches), python)) differing.push([at, switches]);
                }
            });
            return differing;
        }""",
        json.dumps(cases),
    )
    assert [(SAMPLES[part::PARTS][at], switches) for at, switches in differing] == []


def test_steps_have_names_that_people_know(open_sql):
    page = open_sql(
        """create view v as
with recent as (select a, b from t)
select sum(q.a) as total, row_number() over (order by q.b) as place
from (select a, b from recent) q
union all
select a, b from u""",
        level="complete",
        size=(1900, 1000),
    )
    shown = titles(page)
    assert {"recent", "sum", "row_number", "q", "select, line 3", "select, line 6", "t", "u", "v"} <= shown
    assert not [title for title in shown if title.startswith(("RS-", "FUNCTION-", "CTE-", "UNION-"))]
    captions = set(page.locator(".card-caption").all_text_contents())
    assert {"CTE, line 2", "function, line 3", "select, line 4"} <= captions
