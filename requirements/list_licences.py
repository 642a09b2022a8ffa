"""Write docs/dependencies.md: what an installation brings along, and under which licences (`make licences`).

The names come from requirements/run.txt and from the extras in pyproject.toml, the licences from the packages themselves as
they are installed here.
"""

from __future__ import annotations

import re
import sys
from importlib.metadata import PackageNotFoundError, metadata
from pathlib import Path

ROOT = Path(__file__).parents[1]
PAGE = ROOT / "docs" / "dependencies.md"

ELSEWHERE = {"colorama": "BSD-3-Clause", "requests-kerberos": "ISC"}
"""Packages that are not installed where the page is made: needed on Windows only, or for one way to log in."""

HEAD = """# Dependencies and their licences

The packages that `pip install` installs with the connector and its extras, excluding tools for tests. `make licences` writes this
page from the packages that `requirements/` pins; each of them is installed by its hash.

| package | licence | needed by |
|---|---|---|
"""


def page() -> str:
    """The whole page."""
    direct = _direct()
    names = sorted({*_pinned(), *direct})
    return HEAD + "".join(
        f"| [{name}]({_home(name)}) | {_licence(name)} | {direct.get(name, '')} |\n" for name in names
    )


def _pinned() -> list[str]:
    text = (ROOT / "requirements" / "run.txt").read_text(encoding="utf-8")
    return [_folded(name) for name in re.findall(r"^([\w.-]+)==", text, re.M)]


def _direct() -> dict[str, str]:
    """The packages that the project itself names, and which of its extras want them."""
    text = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
    core = text.partition("\ndependencies = [")[2].partition("\n]")[0]
    extras = text.partition("[project.optional-dependencies]")[2].partition("\n[")[0]
    found: dict[str, list[str]] = {}
    for name in re.findall(r'"([\w.-]+)', core):
        found.setdefault(_folded(name), []).append("the connector")
    for extra, packages in re.findall(r"^(\w+) = \[(.*?)\]$", extras, re.M | re.S):
        for name in re.findall(r'"([\w.-]+)', packages):
            found.setdefault(_folded(name), []).append(f"`{extra}`")
    return {name: ", ".join(dict.fromkeys(users)) for name, users in found.items()}


def _folded(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()


def _licence(name: str) -> str:
    try:
        found = metadata(name)
    except PackageNotFoundError:
        return ELSEWHERE[name]
    if found["License-Expression"]:
        return str(found["License-Expression"])
    classes = [
        each.rpartition(" :: ")[2] for each in found.get_all("Classifier") or () if each.startswith("License ::")
    ]
    classes = [each for each in classes if each != "OSI Approved"]
    return " or ".join(classes) or str(found["License"] or "").partition("\n")[0] or "see its page"


def _home(name: str) -> str:
    return f"https://pypi.org/project/{name}/"


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
    sys.stdout.write(f"{PAGE}\n")
