"""The locks carry hashes, and the page of licences lists what they pin."""

from __future__ import annotations

import re
import runpy
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
LOCKS = sorted((ROOT / "requirements").glob("*.txt"))


@pytest.mark.parametrize("lock", LOCKS, ids=lambda lock: lock.stem)
def test_every_package_has_hashes(lock: Path) -> None:
    entries = re.split(r"\n(?=\S)", lock.read_text(encoding="utf-8").strip())
    assert len(entries) > {"uv": 0, "build": 5}.get(lock.stem, 20)
    assert not [entry.partition(" ")[0] for entry in entries if "--hash=sha256:" not in entry]


def test_make_installs_by_hash() -> None:
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    assert "--require-hashes -r requirements/$(2).txt" in makefile
    assert "--generate-hashes" in makefile
    assert makefile.count("pip install") == makefile.count("--require-hashes -r requirements/") + makefile.count(
        "--no-deps"
    ), "everything but the project itself"
    builds = [line for line in makefile.splitlines() if "$(UV) build" in line or "--editable ." in line]
    assert len(builds) == 3
    assert all("$(BUILD)" in line for line in builds), "what builds the project is checked too"
    assert "--build-constraints requirements/build.txt" in makefile
    version = re.search(r"^UV_VERSION := (\S+)$", makefile, re.M)
    assert version is not None
    assert (ROOT / "requirements" / "uv.txt").read_text(encoding="utf-8").startswith(f"uv=={version[1]} ")


def test_the_page_of_licences_is_current() -> None:
    listed = runpy.run_path(str(ROOT / "requirements" / "list_licences.py"))
    assert listed["PAGE"].read_text(encoding="utf-8") == listed["page"](), "make licences writes it anew"
