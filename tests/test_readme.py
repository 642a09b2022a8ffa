"""What the README and its pages show is what the program does."""

from __future__ import annotations

import re
import shlex
from pathlib import Path
from xml.etree import ElementTree

import pytest
from typer.testing import CliRunner

from connector import analyze
from connector.cli import app
from connector.export import FORMATS

ROOT = Path(__file__).parents[1]
README = (ROOT / "README.md").read_text(encoding="utf-8")
EXAMPLE = (ROOT / "examples" / "daily_revenue.sql").read_text(encoding="utf-8")
PAGES = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").glob("*.md"))]
SVG = "{http://www.w3.org/2000/svg}"


def blocks(text: str, language: str) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)


def test_the_statement_in_the_readme_is_the_example():
    assert blocks(README, "sql") == [EXAMPLE]


def test_the_picture_has_the_columns_and_the_lines_of_the_example():
    picture = ElementTree.parse(ROOT / "docs" / "lineage.svg").getroot()
    edges = [
        edge for edge in analyze(EXAMPLE, dialect="snowflake").to_dict("column")["relations"] if edge["type"] != "join"
    ]
    rows = {"PseudoRows": "(rows)"}
    ends = {(end["table"], rows.get(end["column"], end["column"])) for edge in edges for end in edge_ends(edge)}
    drawn = [text.text for text in picture.iter(f"{SVG}text") if text.get("class") in ("col", "rows")]
    assert sorted(drawn) == sorted(column for _, column in ends)
    for kind in ("fdd", "fdr"):
        lines = [path for path in picture.iter(f"{SVG}path") if path.get("class") == kind]
        in_the_key = 1
        assert len(lines) - in_the_key == sum(edge["type"] == kind for edge in edges), kind


def edge_ends(edge):
    return edge["source"], edge["target"]


def test_the_command_in_the_readme_prints_what_stands_below_it(monkeypatch):
    monkeypatch.chdir(ROOT)
    shown = [block.split("\n", 1) for block in blocks(README, "console")]
    (command, output), *others = [
        (first.removeprefix("$ lineage-connector "), rest)
        for first, rest in shown
        if first.startswith("$ lineage-connector ") and rest and not rest.startswith("$")
    ]
    assert not others
    assert CliRunner().invoke(app, shlex.split(command)).stdout == output


def test_every_format_is_described():
    page = (ROOT / "docs" / "workflow.md").read_text(encoding="utf-8")
    assert not [name for name in FORMATS if f"`{name}`" not in page]


# The programs of pipeline.md read tables: tests/pipeline/test_engines.py runs them where there are some.
@pytest.mark.parametrize("page", [page for page in PAGES if page.name != "pipeline.md"], ids=lambda page: page.name)
def test_python_on_a_page_runs(page, capsys):
    for block in blocks(page.read_text(encoding="utf-8"), "python"):
        exec(compile(block, page.name, "exec"), {})


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_links_lead_to_files(page):
    for target in re.findall(r"\]\(([^)#]+)(?:#[^)]*)?\)", page.read_text(encoding="utf-8")):
        if not target.startswith("http"):
            assert (page.parent / target).exists(), target
