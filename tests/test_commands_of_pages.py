"""Every command of the README and its pages is run as it stands, in a folder that has the files they speak of.

What needs a server, a cluster or a package index is listed in `NOT_RUN` with its reason. Of those that are commands of ours
the arguments are checked all the same.
"""

from __future__ import annotations

import os
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
import typer

from connector.cli import app

ROOT = Path(__file__).parents[1]
PAGES = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").glob("*.md"))]

NOT_RUN = {
    r"pip install ": "installs packages; the extras are looked up in pyproject.toml",
    r"make (demo|test|format)": "runs this very test, or the quickstart, which has a test of its own",
    r"(LINEAGE_\w+=\S+ )?pytest ": "runs tests",
    r"python -m tests\.engines": "runs tests",
    r"lineage-connector typedefs (diff|apply)": "needs Atlas; tests/atlas runs it against a server",
    r"lineage-connector push atlas ": "needs Atlas; tests/atlas runs it against a server",
    r"lineage-connector push openmetadata (?!.*--dry-run)": "needs OpenMetadata; tests/openmetadata runs it",
    r"lineage-connector load .* postgresql://": "needs PostgreSQL; tests/store runs it",
    r"lineage-connector serve ": "does not end; tests/web runs it",
    r"lineage-connector mcp ": "does not end; it has tests of its own",
    r"curl ": "needs the server; tests/web asks the same",
    r"metadata ingest ": "needs OpenMetadata's own client; tests/openmetadata runs it",
    r"spark-submit |MASTER=": "needs a cluster",
    r"export .*…": "a secret of the reader's",
}
"""What is not run, by how it begins, and why."""

MAY_END_WITH = {
    r"lineage-connector diff|diff ": (0, 1),
    r"lineage-connector analyze etl/ -d bigquery": (0, 1),  # the scripts here are Snowflake's
}
"""Codes that say something else than failure."""


def console_blocks(page: Path) -> list[str]:
    return re.findall(r"^```console\n(.*?)^```$", page.read_text(encoding="utf-8"), re.M | re.S)


def commands(block: str) -> list[tuple[str, str]]:
    """Each command of a block, and what stands below it as its output."""
    found: list[tuple[str, str]] = []
    for line in block.splitlines():
        if line.startswith("$ "):
            found.append((line[2:], ""))
        elif found and found[-1][0].endswith("\\"):
            found[-1] = (f"{found[-1][0][:-1]}{line.strip()}", "")
        else:
            found[-1] = (found[-1][0], f"{found[-1][1]}{line}\n")
    return [(re.sub(r"\s{2,}#.*$", "", command), output) for command, output in found]


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
    """A folder with the files that the pages name."""
    (tmp_path / "examples").symlink_to(ROOT / "examples")
    for name in ("etl", "sql", "main/sql", "branch/sql"):
        shutil.copytree(ROOT / "examples" / "warehouse", tmp_path / name, ignore=shutil.ignore_patterns("*.yaml"))
    for name in ("etl/load.sql", "load_orders.sql"):
        shutil.copy(ROOT / "examples" / "daily_revenue.sql", tmp_path / name)
    shutil.copy(ROOT / "examples" / "daily_revenue.sql", tmp_path / "branch" / "sql" / "daily_revenue.sql")
    (tmp_path / "etl" / "revenue.sql").write_text(
        "insert into raw.orders (amount) select total from landing.orders;\n"
        "create table mart.revenue as select amount from raw.orders;\n"
    )
    shutil.copy(ROOT / "examples" / "snowflake-to-atlas" / "query_history.csv", tmp_path)
    for command in (
        "init -q -b main",
        "add etl sql",
        "commit -q -m scripts",
        "update-ref refs/remotes/origin/main HEAD",
    ):
        subprocess.run(["git", *command.split()], cwd=tmp_path, check=True, env={**os.environ, **AUTHOR})
    return tmp_path


AUTHOR = {f"GIT_{role}_{what}": f"{what}@example" for role in ("AUTHOR", "COMMITTER") for what in ("NAME", "EMAIL")}


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_commands_do_what_the_page_says(page: Path, workshop: Path) -> None:
    text = page.read_text(encoding="utf-8")
    settings = re.search(r"^```yaml\n(# lineage\.yaml\n.*?)^```$", text, re.M | re.S)
    if settings is not None and "${" not in settings[1]:
        (workshop / "lineage.yaml").write_text(settings[1], encoding="utf-8")
    environment = {
        **os.environ,
        "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}",
        "XDG_STATE_HOME": str(workshop / "state"),
        "OPENMETADATA_URL": "https://openmetadata.example:8585",
    }
    for where, _, command, output in ALL:
        if where != page or reason_not_to_run(command) or needs_missing(command, workshop):
            continue
        result = subprocess.run(
            ["bash", "-o", "pipefail", "-c", command],
            cwd=workshop,
            env=environment,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            encoding="utf-8",
            timeout=600,
            check=False,
        )
        codes = next((codes for start, codes in MAY_END_WITH.items() if re.match(start, command)), (0,))
        assert result.returncode in codes, f"{command}\n{result.stdout[-2000:]}{result.stderr[-2000:]}"
        if output:
            assert result.stdout == output, command


def needs_missing(command: str, workshop: Path) -> bool:
    """Whether it runs settings that the page shows with secrets, or that other pages test: see `tests/running`."""
    return "-c lineage.yaml" in command and not (workshop / "lineage.yaml").exists()


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
