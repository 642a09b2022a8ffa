"""Golden pairs of stored routines, one folder for each dialect: whole procedures as people write them."""

from __future__ import annotations

from pathlib import Path

import pytest
from test_golden import check_golden, read_sections

from connector import analyze

HERE = Path(__file__).parent
GOLDENS = sorted((HERE / "golden").glob("*/*.sql"))


def routines_in(path: Path) -> int:
    lineage = analyze(path.read_text(encoding="utf-8"), dialect=path.parent.name).to_dict(level="complete")
    return sum(1 for found in lineage["dbobjs"] if "arguments" in found and found["subType"] != "createpackage")


def name_of(path: Path) -> str:
    return f"{path.parent.name}/{path.stem}"


def test_there_is_an_answer_for_each_script() -> None:
    assert {path.with_suffix("") for path in GOLDENS} == {
        path.with_suffix("") for path in (HERE / "golden").glob("*/*.lineage")
    }
    assert len({path.parent.name for path in GOLDENS}) >= 8


def test_there_are_enough_routines() -> None:
    assert sum(routines_in(path) for path in GOLDENS) >= 60


@pytest.mark.parametrize("path", GOLDENS, ids=name_of)
def test_golden(path: Path) -> None:
    check_golden(path)


@pytest.mark.parametrize("path", GOLDENS, ids=name_of)
def test_answers_say_whether_there_are_errors(path: Path) -> None:
    assert {"column", "table", "errors"} <= set(read_sections(path.with_suffix(".lineage").read_text(encoding="utf-8")))
