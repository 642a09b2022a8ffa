"""Real clusters for the tests, on free ports of this machine: HDFS and YARN, Spark standalone, Spark Connect, S3.

Hadoop's jars come from Maven Central and are kept in `.cache/clusters`; Spark's servers are in the pyspark wheel, and S3 is
moto's server. Every server runs below a keeper (see keeper.py), which ends it when the tests' process ends, however that
happens.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import re
import shutil
import signal
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path

from filelock import FileLock

from tests.support.machine import free_port, free_ports, run_command

__all__ = [
    "BUCKET",
    "CACHE",
    "ConnectServer",
    "HadoopServer",
    "S3Server",
    "Server",
    "StandaloneServer",
    "is_running",
    "processes",
]

_HERE = Path(__file__).resolve().parent
_REPOSITORY = _HERE.parents[2]
CACHE = _REPOSITORY / ".cache" / "clusters"
BUCKET = "lineage"
_STARTUP_SECONDS = 240
_SMALL_JAVA = ("-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-Djava.net.preferIPv4Stack=true")
_HADOOP_JAVA = ("--add-opens", "java.base/java.lang=ALL-UNNAMED", *_SMALL_JAVA)

Say = Callable[[str], None]


@dataclass
class Server:
    """Processes that belong together. It can be written down and read back, so several test processes may share one."""

    home: str
    owner: int
    """The process whose end is the servers' end, too."""
    kept: dict[str, int] = field(default_factory=dict)
    """The keepers' process ids, by the names of what they keep."""

    def stop(self) -> None:
        """End all processes and remove their files."""
        for name in list(self.kept):
            self._end(name)
        shutil.rmtree(self.home, ignore_errors=True)

    def written(self) -> dict[str, object]:
        return asdict(self)

    def kill(self, name: str) -> None:
        """Kill one process with SIGKILL, as if its machine had lost power; the keeper sweeps up what it had started."""
        for pid, _ in processes(self.kept[name], deep=False):
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
        self._end(name)

    def _end(self, name: str) -> None:
        keeper = self.kept.pop(name)
        with contextlib.suppress(ProcessLookupError):
            os.kill(keeper, signal.SIGTERM)
        while is_running(keeper):
            time.sleep(0.05)

    def _keep(
        self,
        name: str,
        command: Sequence[str],
        ready: Callable[[str], object],
        environment: Mapping[str, str] | None = None,
    ) -> str:
        """Start a process and wait until it is ready; what it has written by then."""
        log = Path(self.home) / f"{name}.log"
        log.parent.mkdir(parents=True, exist_ok=True)
        with log.open("wb") as output:
            keeper = subprocess.Popen(
                [sys.executable, str(_HERE / "keeper.py"), str(self.owner), *command],
                cwd=self.home,
                env={**_clean_environment(), **(environment or {})},
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=subprocess.STDOUT,
                start_new_session=True,
            )
        self.kept[name] = keeper.pid
        deadline = time.monotonic() + _STARTUP_SECONDS
        while time.monotonic() < deadline:
            said = log.read_text(errors="replace")
            if ready(said):
                keeper.returncode = 0  # it outlives this object, which need not warn of that; `is_running` reaps it
                return said
            if keeper.poll() is not None:
                break
            time.sleep(0.1)
        self.kept.pop(name)
        keeper.terminate()
        keeper.wait()
        raise RuntimeError(f"{name} did not start:\n{log.read_text(errors='replace')[-3000:]}")


# --- Hadoop -----------------------------------------------------------------------------------------------------------


@dataclass
class HadoopServer(Server):
    """HDFS with one data node, and YARN with two node managers, each a process of its own."""

    hdfs: str = ""
    """``hdfs://localhost:…``"""

    @property
    def conf(self) -> str:
        """The value of HADOOP_CONF_DIR."""
        return f"{self.home}/conf"

    def start(self, say: Say) -> None:
        assemble_hadoop(say)
        said = self._keep("master", _hadoop("384m", self.home, "master"), lambda text: "READY" in text)
        (self.hdfs,) = re.findall(r"READY (\S+)", said)
        self.complete()

    def complete(self) -> None:
        """Start the node managers that are not running."""
        for name in ("node-1", "node-2"):
            if name not in self.kept:
                self._keep(name, _hadoop("256m", self.home, "node", name), lambda text: "READY" in text)


def _hadoop(memory: str, home: str, role: str, *names: str) -> list[str]:
    classes = f"{_hadoop_home()}/classes:{_hadoop_home()}/lib/*"
    temporary = f"{home}/tmp"
    Path(temporary).mkdir(parents=True, exist_ok=True)
    options = (f"-Xmx{memory}", f"-Djava.io.tmpdir={temporary}", *_HADOOP_JAVA)
    return [_java(), *options, "-cp", classes, "Hadoop", role, home, *names]


def _hadoop_home() -> Path:
    """Where it is assembled. Another checkout that shares the cache may have other versions in use."""
    recipe = hashlib.sha256(b"".join(file.read_bytes() for file in sorted((_HERE / "server").iterdir()))).hexdigest()
    return CACHE / f"hadoop-{recipe[:12]}"


def assemble_hadoop(say: Say) -> None:
    """Fetch the jars and compile our program; nothing is done the second time."""
    home = _hadoop_home()
    ready = home / "assembled"
    CACHE.mkdir(parents=True, exist_ok=True)
    with FileLock(CACHE / "assemble.lock"):
        if ready.exists():
            return
        say("fetching Hadoop's jars with mvn (about 100 MB, once)")
        shutil.rmtree(home, ignore_errors=True)
        maven = shutil.which("mvn")
        if maven is None:
            raise RuntimeError("The tests on HDFS and YARN need Maven (mvn) to fetch Hadoop.")
        pom = _HERE / "server" / "pom.xml"
        copy = [f"-Dmaven.repo.local={home}/m2", "dependency:copy-dependencies", f"-DoutputDirectory={home}/lib"]
        run_command([maven, "-q", "-B", "-f", str(pom), *copy])
        shutil.rmtree(home / "m2")
        compiler = [_java(), "-m", "jdk.compiler/com.sun.tools.javac.Main"]
        source = _HERE / "server" / "Hadoop.java"
        jars = ":".join(map(str, sorted((home / "lib").glob("*.jar"))))
        run_command([*compiler, "-d", f"{home}/classes", "-cp", jars, str(source)])
        ready.touch()


# --- Spark ------------------------------------------------------------------------------------------------------------


@dataclass
class StandaloneServer(Server):
    """A standalone master and two workers, each a process of its own, whose Python has no packages at all."""

    url: str = ""
    """``spark://127.0.0.1:…``"""

    def start(self, say: Say) -> None:
        say("starting a standalone cluster")
        port, page = free_ports(2)
        self.url = f"spark://127.0.0.1:{port}"
        python = Path(self.home) / "bare"
        run_command([sys.executable, "-m", "venv", "--without-pip", str(python)])
        master = ["org.apache.spark.deploy.master.Master", "--host", "127.0.0.1", "--port", str(port)]
        command = _spark_class([*master, "--webui-port", str(page)])
        self._keep("master", command, lambda text: "I have been elected leader" in text, self._environment())
        self.complete()

    def complete(self) -> None:
        """Start the workers that are not running."""
        for name in ("worker-1", "worker-2"):
            if name not in self.kept:
                worker = ["org.apache.spark.deploy.worker.Worker", "--host", "127.0.0.1", "--webui-port", "0"]
                room = ["--cores", "4", "--memory", "6g", "--work-dir", f"{self.home}/{name}"]
                command = _spark_class([*worker, *room, self.url])
                self._keep(name, command, lambda text: "Successfully registered" in text, self._environment())

    def _environment(self) -> dict[str, str]:
        path = f"{self.home}/bare/bin:{Path(_java()).parent}:/usr/bin:/bin"
        own = {"PATH": path, "SPARK_LOCAL_IP": "127.0.0.1", "SPARK_LOCAL_DIRS": f"{self.home}/scratch"}
        # What Spark's start scripts would set, for the executors that a worker starts.
        return {**own, "SPARK_HOME": str(_spark_home()), "SPARK_SCALA_VERSION": "2.13"}


@dataclass
class ConnectServer(Server):
    """A Spark Connect server over `local[2]`, whose Python has no packages at all."""

    url: str = ""
    """``sc://127.0.0.1:…``"""

    def start(self, say: Say) -> None:
        say("starting a Spark Connect server")
        port = free_port()
        self.url = f"sc://127.0.0.1:{port}"
        run_command([sys.executable, "-m", "venv", "--without-pip", f"{self.home}/bare"])
        conf = {
            "spark.connect.grpc.binding.address": "127.0.0.1",
            "spark.connect.grpc.binding.port": str(port),
            "spark.driver.bindAddress": "127.0.0.1",
            "spark.driver.host": "127.0.0.1",
            "spark.master": "local[2]",
            "spark.ui.enabled": "false",
            "spark.sql.warehouse.dir": f"{self.home}/warehouse",
        }
        options = [word for name, value in conf.items() for word in ("--conf", f"{name}={value}")]
        main = ["--class", "org.apache.spark.sql.connect.service.SparkConnectServer", "spark-internal"]
        temporary = Path(self.home) / "tmp"  # copies of the archive that clients send
        temporary.mkdir()
        command = _spark_class(["org.apache.spark.deploy.SparkSubmit", *options, *main], "1g")  # it executes, too
        command.insert(1, f"-Djava.io.tmpdir={temporary}")
        environment = {
            "PYSPARK_PYTHON": f"{self.home}/bare/bin/python",
            "SPARK_HOME": str(_spark_home()),
            "SPARK_LOCAL_DIRS": f"{self.home}/scratch",
        }
        self._keep("connect", command, lambda _: _listens(port), environment)


def _spark_class(arguments: Sequence[str], memory: str = "384m") -> list[str]:
    """A class of the pyspark wheel. The shell scripts of Spark would stand between its process and the keeper."""
    jars = _spark_home() / "jars"
    opened = "lang lang.invoke lang.reflect io net nio util util.concurrent util.concurrent.atomic".split()
    opens = [f"--add-opens=java.base/java.{name}=ALL-UNNAMED" for name in opened]
    inner = ["sun.nio.ch", "sun.nio.cs", "sun.security.action", "sun.util.calendar"]
    opens += [f"--add-opens=java.base/{name}=ALL-UNNAMED" for name in inner]
    return [_java(), f"-Xmx{memory}", *_SMALL_JAVA, *opens, "-cp", f"{jars}/*", *arguments]


def _spark_home() -> Path:
    import pyspark

    return Path(pyspark.__file__).parent


# --- S3 ---------------------------------------------------------------------------------------------------------------


@dataclass
class S3Server(Server):
    """S3 over HTTP, with one empty bucket."""

    url: str = ""

    @property
    def environment(self) -> dict[str, str]:
        """How clients of AWS find it."""
        return {
            "AWS_ACCESS_KEY_ID": "test",
            "AWS_SECRET_ACCESS_KEY": "test",
            "AWS_REGION": "us-east-1",
            "AWS_DEFAULT_REGION": "us-east-1",
            "AWS_ENDPOINT_URL": self.url,
            "AWS_ALLOW_HTTP": "true",
        }

    def start(self, say: Say) -> None:
        say("starting S3")
        port = free_port()
        self.url = f"http://127.0.0.1:{port}"
        program = "from moto.server import main; main()"
        command = [sys.executable, "-c", program, "-H", "127.0.0.1", "-p", str(port)]
        self._keep("s3", command, lambda _: _listens(port), self.environment)
        urllib.request.urlopen(urllib.request.Request(f"{self.url}/{BUCKET}", method="PUT"), timeout=60).close()


# --- small things -----------------------------------------------------------------------------------------------------


def processes(above: int, *, deep: bool = True) -> list[tuple[int, str]]:
    """Ids and command lines of the processes below one; with `deep` also of those below these."""
    parents: dict[int, int] = {}
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            with contextlib.suppress(OSError, IndexError):
                parents[int(entry.name)] = int((entry / "stat").read_text().rpartition(")")[2].split()[1])
    reached = [pid for pid, parent in parents.items() if parent == above]
    if deep:
        for each in reached:
            reached.extend(pid for pid, parent in parents.items() if parent == each)
    found = []
    for pid in reached:
        with contextlib.suppress(OSError):
            found.append((pid, (Path("/proc") / str(pid) / "cmdline").read_bytes().replace(b"\0", b" ").decode()))
    return found


def _clean_environment() -> dict[str, str]:
    """Ours without what belongs to another Spark, another Hadoop or another cloud."""
    foreign = ("SPARK_", "PYSPARK_", "HADOOP_", "YARN_", "AWS_", "PYTHON")
    return {name: value for name, value in os.environ.items() if not name.startswith(foreign)}


def _java() -> str:
    found = shutil.which("java")
    if found is None:
        raise RuntimeError("The tests on clusters need a JDK 17 or newer on the PATH.")
    return found


def is_running(pid: int) -> bool:
    """Whether a process is there and is more than an entry that its parent has not looked at yet."""
    with contextlib.suppress(ChildProcessError):
        os.waitpid(pid, os.WNOHANG)
    try:
        return (Path("/proc") / str(pid) / "stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except (OSError, IndexError):
        return False


def _listens(port: int) -> bool:
    try:
        socket.create_connection(("127.0.0.1", port), timeout=1).close()
    except OSError:
        return False
    return True
