"""Every command of the README and its pages is run as it stands, in a folder that has the files they speak of.

What needs a server, a cluster or a package index is listed in `NOT_RUN` with its reason. Of those that are commands of ours
the arguments are checked all the same.
"""

from __future__ import annotations

import json
import re
import shlex
from pathlib import Path

import pytest
import typer
import yaml
from pages import PAGES, ROOT, blocks, commands, console_blocks, make_workshop, run

from connector import analyze
from connector.catalogs.atlas.mapping import Mapping as AtlasMapping
from connector.catalogs.openmetadata.mapping import Mapping as OpenMetadataMapping
from connector.cli import app
from connector.settings import load_settings

NOT_RUN = {
    r"pip install ": "installs packages; the extras are looked up in pyproject.toml",
    r"make (demo|test|format)": "runs this very test, or the quickstart, which has a test of its own",
    r"(LINEAGE_\w+=\S+ )?pytest ": "runs tests",
    r"python -m tests\.engines": "runs tests",
    r"lineage-connector typedefs (diff|apply)": "needs Atlas: tests/catalogs/atlas/test_real_documentation.py",
    r"lineage-connector push atlas ": "needs Atlas: tests/catalogs/atlas/test_real_documentation.py",
    r"lineage-connector push openmetadata (?!.*--dry-run)": "needs OpenMetadata: tests/catalogs/openmetadata_plugin/test_documentation.py",
    r"lineage-connector load .* postgresql://": "needs PostgreSQL: tests/store/test_documentation.py",
    r"lineage-connector serve ": "does not end: tests/web/test_documentation.py",
    r"curl ": "needs the server: tests/web/test_documentation.py",
    r"metadata ingest ": "needs OpenMetadata's own client: tests/catalogs/openmetadata_plugin/test_workflow.py runs the workflow",
    r"spark-submit |MASTER=": "needs a cluster",
    r"export .*…": "a secret of the reader's; the tests with servers run it with theirs",
}
"""What is not run, by how it begins, and why."""

MAY_END_WITH = {
    r"lineage-connector diff|diff ": (0, 1),
    r"lineage-connector analyze etl/ -d bigquery": (0, 1),  # the scripts here are Snowflake's
}
"""Codes that say something else than failure."""


def reason_not_to_run(command: str) -> str | None:
    return next((reason for start, reason in NOT_RUN.items() if re.match(start, command)), None)


ALL = [
    (page, number, command, output)
    for page in PAGES
    for number, block in enumerate(console_blocks(page))
    for command, output in commands(block)
]


@pytest.fixture
def workshop(tmp_path: Path) -> Path:
    return make_workshop(tmp_path)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_commands_do_what_the_page_says(page: Path, workshop: Path) -> None:
    text = page.read_text(encoding="utf-8")
    settings = re.search(r"^```yaml\n(# lineage\.yaml\n.*?)^```$", text, re.M | re.S)
    if settings is not None and "${" not in settings[1]:
        (workshop / "lineage.yaml").write_text(settings[1], encoding="utf-8")
    environment = {"OPENMETADATA_URL": "https://openmetadata.example:8585"}
    for where, _, command, output in ALL:
        if where != page or reason_not_to_run(command) or needs_missing(command, workshop):
            continue
        result = run(command, workshop, environment)
        codes = next((codes for start, codes in MAY_END_WITH.items() if re.match(start, command)), (0,))
        assert result.returncode in codes, f"{command}\n{result.stdout[-2000:]}{result.stderr[-2000:]}"
        if output:
            assert _sized(result.stdout) == _sized(output), command


def _sized(text: str) -> str:
    """The text without the size of an archive, which grows with what is packed."""
    return re.sub(r"\d+ MB", "… MB", text)


def needs_missing(command: str, workshop: Path) -> bool:
    """Whether it runs settings that the page shows with secrets, or that other pages test: see `tests/cli/running`."""
    return "-c lineage.yaml" in command and not (workshop / "lineage.yaml").exists()


def test_what_runs_elsewhere_does() -> None:
    for reason in NOT_RUN.values():
        for file in re.findall(r"tests/\S+\.py", reason):
            assert (ROOT / file).exists(), file


@pytest.mark.parametrize("start", NOT_RUN)
def test_the_list_of_what_is_not_run_has_no_more_than_it_needs(start: str) -> None:
    assert [command for _, _, command, _ in ALL if re.match(start, command)], "no page has such a command"


@pytest.mark.parametrize(
    "command",
    sorted(
        {command for _, _, command, _ in ALL if command.startswith("lineage-connector") and reason_not_to_run(command)}
    ),
)
def test_arguments_of_commands_that_need_a_server(command: str) -> None:
    arguments_fit(command)


def arguments_fit(command: str) -> None:
    """A command of ours would take these arguments."""
    found, arguments = typer.main.get_command(app), shlex.split(command)[1:]
    context = None
    while hasattr(found, "get_command"):
        context = found.make_context(arguments[0], [], parent=context, resilient_parsing=True)
        found, arguments = found.get_command(context, arguments[0]), arguments[1:]
        assert found is not None
    found.make_context(found.name, arguments, parent=context)


def test_extras_that_are_installed_exist() -> None:
    project = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
    known = set(
        re.findall(r"^(\w+) = \[", project.partition("[project.optional-dependencies]")[2].partition("\n[")[0], re.M)
    )
    asked = {
        extra
        for page in PAGES
        for extras in re.findall(r"'\.\[([\w,]+)\]'", page.read_text(encoding="utf-8"))
        for extra in extras.split(",")
    }
    assert asked
    assert asked <= known


# --- blocks that are no commands ------------------------------------------------------------------------------------

SETTINGS = ("sources", "store", "spark", "catalogs", "jobs", "defaults")
"""Keys of lineage.yaml."""
NO_SETTINGS = {
    "- alert:": "a rule for Prometheus",
    "repos:": "the settings of pre-commit; tests/cli/test_pull_request.py runs its hooks",
}
"""YAML of other programs."""
NOT_CHECKED = {"cron": "a line for crontab, whose command is checked below", "text": "a drawing"}


def test_every_block_is_looked_at() -> None:
    known = {"console", "python", "yaml", "json", "sql", *NOT_CHECKED}
    assert {language for page in PAGES for language, _ in blocks(page)} == known


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_settings_and_mappings(page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for number, text in enumerate(text for language, text in blocks(page) if language == "yaml"):
        if any(text.startswith(start) for start in NO_SETTINGS):
            continue
        for variable in re.findall(r"\$\{env:(\w+)", text):
            monkeypatch.setenv(variable, "x")
        file = tmp_path / f"{number}.yaml"
        (tmp_path / "secret").write_text("x")
        whole = re.sub(r"\$\{file:[^}]*\}", "${file:secret}", text)
        if not re.search(r"^(sources|jobs):", text, re.M) and re.search(rf"^({'|'.join(SETTINGS)}):", text, re.M):
            whole += "\nsources: [{files: sql/}]\n"
        if re.search(r"^(sources|jobs):", whole, re.M):
            file.write_text(whole, encoding="utf-8")
            assert load_settings(file).jobs
        else:
            mapping = OpenMetadataMapping if "services:" in text else AtlasMapping
            # An ellipsis stands for what a page leaves out.
            parsed = yaml.safe_load("\n".join(line for line in text.splitlines() if line.strip() != "…"))
            assert set(parsed) <= {field.alias or name for name, field in mapping.model_fields.items()}


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_documents_and_statements(page: Path, tmp_path: Path) -> None:
    for language, text in blocks(page):
        if language == "json":
            document = json.loads(text)
            if "mcpServers" in document:
                (server,) = document["mcpServers"].values()
                arguments_fit(shlex.join([server["command"], *server["args"]]))
            else:
                file = tmp_path / "metadata.json"
                file.write_text(text)
                found = analyze("insert into o select * from raw.orders", dialect="snowflake", metadata=str(file))
                assert "order_id" in {str(edge.source).rpartition(".")[2] for edge in found.column_edges()}
        elif language == "sql":
            assert not analyze(text, dialect="snowflake").problems
        elif language == "cron":
            arguments_fit(text.split(None, 5)[5].strip())
