"""The README and its pages as tests read them: their blocks, their commands, and a folder with the files they speak of."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from collections.abc import Iterable, Mapping
from pathlib import Path

__all__ = ["PAGES", "ROOT", "blocks", "commands", "console_blocks", "make_workshop", "run", "run_together"]

ROOT = Path(__file__).resolve().parents[2]
PAGES = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").glob("*.md"))]
_BIN = ROOT / ".venv" / "bin"
_AUTHOR = {f"GIT_{role}_{what}": f"{what}@example" for role in ("AUTHOR", "COMMITTER") for what in ("NAME", "EMAIL")}
_FENCE = re.compile(r"^([ ]*)```(\w*)\n(.*?)^\1```$", re.M | re.S)


def blocks(page: Path) -> list[tuple[str, str]]:
    """Language and text of every block of a page, also of one inside a list."""
    found = []
    for indent, language, text in _FENCE.findall(page.read_text(encoding="utf-8")):
        found.append((language, re.sub(rf"^{indent}", "", text, flags=re.M)))
    return found


def console_blocks(page: Path) -> list[str]:
    return [text for language, text in blocks(page) if language == "console"]


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


def make_workshop(folder: Path) -> Path:
    """A folder with the files that the pages name."""
    (folder / "examples").symlink_to(ROOT / "examples")
    for name in ("etl", "sql", "main/sql", "branch/sql"):
        shutil.copytree(ROOT / "examples" / "warehouse", folder / name, ignore=shutil.ignore_patterns("*.yaml"))
    for name in ("etl/load.sql", "load_orders.sql"):
        shutil.copy(ROOT / "examples" / "daily_revenue.sql", folder / name)
    shutil.copy(ROOT / "examples" / "daily_revenue.sql", folder / "branch" / "sql" / "daily_revenue.sql")
    (folder / "etl" / "revenue.sql").write_text(
        "insert into raw.orders (amount) select total from landing.orders;\n"
        "create table mart.revenue as select amount from raw.orders;\n"
    )
    shutil.copy(ROOT / "examples" / "snowflake-to-atlas" / "query_history.csv", folder)
    for command in (
        "init -q -b main",
        "add etl sql",
        "commit -q -m scripts",
        "update-ref refs/remotes/origin/main HEAD",
    ):
        subprocess.run(["git", *command.split()], cwd=folder, check=True, env={**os.environ, **_AUTHOR})
    return folder


def run(command: str, workshop: Path, environment: Mapping[str, str] | None = None) -> subprocess.CompletedProcess[str]:
    """A command as a reader would run it, in the folder and with the environment of the checkout."""
    return subprocess.run(
        ["bash", "-o", "pipefail", "-c", command],
        cwd=workshop,
        env={
            **os.environ,
            "PATH": f"{_BIN}{os.pathsep}{os.environ['PATH']}",
            "XDG_STATE_HOME": str(workshop / "state"),
            **(environment or {}),
        },
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        encoding="utf-8",
        timeout=600,
        check=False,
    )


def run_together(page: Path, starts: Iterable[str], real: Mapping[str, str], workshop: Path, code: int = 0) -> str:
    """The commands of a page that begin so, in one shell and in order; what they print.

    `real` replaces the addresses and secrets of the page with those of a server that exists.
    """
    chosen = [
        command
        for block in console_blocks(page)
        for command, _ in commands(block)
        if any(command.startswith(start) for start in starts)
    ]
    assert chosen, f"{page.name} has no such command"
    script = "\n".join(["set -e", *chosen])
    for shown, there in real.items():
        assert shown in script, f"{page.name} does not show {shown}"
        script = script.replace(shown, there)
    done = run(script, workshop)
    assert done.returncode == code, f"{script}\n{done.stdout[-2000:]}{done.stderr[-3000:]}"
    return done.stdout
