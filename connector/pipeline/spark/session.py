"""The Spark session of a run: a local one by default, the cluster or Connect server of the settings, or the one we run in.

Spark says much and says it to the streams of the process that starts it. Ours carry results and messages, so a Java
process that we start writes to a hidden file, which is shown if it fails to start or with --verbose.
"""

from __future__ import annotations

import logging
import os
import re
import signal
import socket
import sys
import tempfile
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any
from urllib.parse import urlsplit

from connector.common.extras import missing_package
from connector.common.failures import first_line, raise_if_interrupted
from connector.errors import ConfigurationError, UnavailableError
from connector.pipeline.spark import daemon
from connector.pipeline.spark.executors import SERVERS_OWN, likely_pythons, prepare_executors
from connector.pipeline.spark.java import find_java

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

    from connector.settings.models import SparkSettings

_log = logging.getLogger("connector.pipeline")
# The bridge to Java reports an interrupt with a traceback of its own, unless its messages are caught.
logging.getLogger("py4j").addHandler(logging.NullHandler())

_GIGABYTE = 1 << 30

_EVERY_SESSION = {
    "spark.sql.execution.arrow.pyspark.enabled": "true",
    "spark.sql.session.timeZone": "UTC",
}
"""What the pipeline relies on, wherever it runs. These can be set on a session that exists already."""

_LOCAL = {
    "spark.ui.enabled": "false",
    "spark.ui.showConsoleProgress": "false",
    # Nothing of a local run listens to the network.
    "spark.driver.host": "127.0.0.1",
    "spark.driver.bindAddress": "127.0.0.1",
    # The work is done in Python: a simple collector and the first compiler stage start sooner and take fewer cores from it.
    # Spark's classes alone take 150 MB: with room for them from the start, they are not looked through again and again.
    "spark.driver.extraJavaOptions": "-XX:+UseSerialGC -XX:TieredStopAtLevel=1 -XX:MetaspaceSize=256m -Xmn256m",
}

_NOISE = re.compile(r"\s*(at |\.\.\. \d+ more|Using Spark's|Setting default|To adjust|WARNING:|\S+ \S+ WARN )")
_PREFIX = re.compile(r"(\S+ \S+ ERROR \w+: |Exception in thread \S+ |Caused by: |[\w.$]+(Exception|Error): )+")


@contextmanager
def spark_session(settings: SparkSettings, name: str, *, verbose: bool = False) -> Iterator[SparkSession]:
    """A session for the time of a block. One that was there before stays open behind it."""
    borrowed = _active_session() is not None
    with _quiet_interrupts(verbose=verbose or borrowed) as restore:
        spark = open_spark(settings, name, verbose=verbose)
        restore()
        try:
            yield spark
        finally:
            if not borrowed:
                close_spark(spark)


@contextmanager
def _quiet_interrupts(*, verbose: bool) -> Iterator[Callable[[], None]]:
    """Ctrl-C ends a run with a line of ours. Gives what has to be called when Spark has started.

    Spark answers an interrupt by calling Java in the middle of whatever call is going on. That fails, and its client prints two
    tracebacks on the root logger. By that the root logger gets a handler, which would show what the client's own loggers say
    from then on.
    """
    interrupt = signal.getsignal(signal.SIGINT)

    def restore() -> None:
        if interrupt is not None and threading.current_thread() is threading.main_thread():
            signal.signal(signal.SIGINT, interrupt)

    root, client = logging.getLogger(), logging.getLogger("py4j")
    propagated = client.propagate
    if not verbose:
        root.addFilter(_not_py4j)
        client.propagate = False
    try:
        yield restore
    finally:
        root.removeFilter(_not_py4j)
        client.propagate = propagated


def _not_py4j(record: logging.LogRecord) -> bool:
    return Path(record.pathname).parent.name != "py4j"


def open_spark(settings: SparkSettings, name: str, *, verbose: bool = False) -> SparkSession:
    """The session to run a job in.

    In order: the session that is open in this process (a notebook, a test), the application that spark-submit has started us
    in, the Connect server of the settings or of SPARK_REMOTE, the master of the settings, and `local[*]`.

    Executors on other machines are asked what they have; see `prepare_executors`.
    """
    _needs_pyspark()
    active = _active_session()
    if active is not None:
        return _configured(active, {**_EVERY_SESSION, **_session_conf(settings)})
    if "PYSPARK_GATEWAY_PORT" in os.environ:
        return _submitted(settings, name, verbose=verbose)
    remote = settings.remote or os.environ.get("SPARK_REMOTE")
    if remote and not settings.master:
        return _connected(settings, remote, name)
    return _started(settings, name, verbose=verbose)


def close_spark(spark: SparkSession) -> None:
    """Stop a session. What Spark has to say to that does not matter any more."""
    from py4j.protocol import Py4JError
    from pyspark.errors import PySparkException

    try:
        spark.stop()
    except (PySparkException, Py4JError, OSError) as error:
        _log.debug("Spark did not stop properly: %s", error)


@contextmanager
def spark_failures() -> Iterator[None]:
    """What Spark raises while a job runs, as an error of ours: the session is gone or cannot do its work. An interrupt stays one."""
    from py4j.protocol import Py4JError
    from pyspark.errors import PySparkException

    try:
        yield
    except Exception as error:
        raise_if_interrupted(error)
        if not isinstance(error, (PySparkException, Py4JError, ConnectionError)):
            raise
        _log.debug("Spark failed", exc_info=error)
        raise UnavailableError(
            f"Spark failed during the run: {first_line(error)}. Nothing is lost: the next run resumes here; "
            "--verbose shows the messages of Spark."
        ) from error


def _needs_pyspark() -> None:
    try:
        import pyspark  # noqa: F401
    except ModuleNotFoundError as error:
        raise missing_package(error, "spark") from None


def _active_session() -> SparkSession | None:
    from pyspark.sql import SparkSession

    try:
        return SparkSession.getActiveSession()
    except ImportError:  # asked in Connect mode, without the libraries of Connect
        return None


def _session_conf(settings: SparkSettings) -> dict[str, str]:
    """What the settings say of queries, as opposed to processes, which exist already."""
    conf = {name: value for name, value in settings.conf.items() if name.startswith("spark.sql.")}
    if settings.partitions:
        conf.setdefault("spark.sql.shuffle.partitions", str(settings.partitions))
    return conf


def _configured(spark: SparkSession, conf: Mapping[str, str]) -> SparkSession:
    from pyspark.errors import PySparkException

    for name, value in conf.items():
        try:
            spark.conf.set(name, value)
        except PySparkException as error:
            raise ConfigurationError(f"Spark rejects the setting {name}: {first_line(error)}") from None
    return spark


# --- the ways to a session ------------------------------------------------------------------------------------------


def _submitted(settings: SparkSettings, name: str, *, verbose: bool) -> SparkSession:
    """The application of spark-submit. Its master, memory and cluster options are on its own command line."""
    from pyspark.sql import SparkSession

    builder = SparkSession.builder.appName(name).config("spark.ui.showConsoleProgress", "false")
    for key, value in settings.conf.items():
        builder = builder.config(key, value)
    with _python_of_executors(settings.conf.get("spark.pyspark.python") or os.environ.get("PYSPARK_PYTHON")):
        spark = builder.getOrCreate()
    if not verbose:
        spark.sparkContext.setLogLevel("ERROR")
    _configured(spark, {**_EVERY_SESSION, **_session_conf(settings)})
    if not (spark.sparkContext.master or "").startswith("local"):
        submitted = dict(spark.sparkContext.getConf().getAll())
        prepare_executors(spark, settings, likely_pythons({**submitted, **settings.conf}))
    return spark


def _connected(settings: SparkSettings, url: str, name: str) -> SparkSession:
    from pyspark.errors import PySparkException
    from pyspark.sql import SparkSession

    place = url.partition(";")[0]  # behind it come parameters, a token among them
    _knock(place, 15002, f"The Spark Connect server {place}")
    try:
        spark = SparkSession.builder.remote(url).appName(name).getOrCreate()
        _configured(spark, {**_EVERY_SESSION, **_session_conf(settings)})
        prepare_executors(spark, settings, [settings.conf.get("spark.sql.execution.pyspark.python", SERVERS_OWN)])
        return spark
    except ImportError as error:
        raise ConfigurationError(f"Spark Connect needs: pip install 'pyspark[connect]' ({first_line(error)})") from None
    except PySparkException as error:
        raise UnavailableError(f"The Spark Connect server {place} does not respond: {first_line(error)}") from None


def _started(settings: SparkSettings, name: str, *, verbose: bool) -> SparkSession:
    """A driver of our own, in a Java process of our own."""
    from py4j.protocol import Py4JError
    from pyspark import SparkConf, SparkContext
    from pyspark.errors import PySparkException
    from pyspark.java_gateway import launch_gateway
    from pyspark.sql import SparkSession

    master = settings.master or "local[*]"
    local = master.startswith("local")
    if master.startswith("spark://") and "," not in master:  # with commas there are several, and one is enough
        _knock(master, 7077, f"The Spark master {master}")
    java = find_java()
    _log.debug("Spark on %s, with Java %d (%s)", master, java.version, java.origin)
    # Spark reads both from the environment and from nowhere else.
    os.environ["JAVA_HOME"] = str(java.home)
    pythons = likely_pythons(settings.conf)
    if local and "spark.pyspark.python" not in settings.conf:
        pythons = [sys.executable]  # this machine has what this process has
    conf = SparkConf(loadDefaults=False)
    conf.setAll(list(_conf_of_driver(settings, master, name).items()))
    with tempfile.TemporaryFile() as said:
        try:
            gateway = SparkContext._gateway
            if gateway is None:  # else an earlier session of this process has left it: Spark keeps one Java process
                stream: IO[Any] | int = 2 if verbose else said
                gateway = launch_gateway(conf, {"stdout": stream, "stderr": stream})  # type: ignore[no-untyped-call]
            with _python_of_executors(pythons[0]):
                SparkContext(conf=conf, gateway=gateway).setLogLevel("WARN" if verbose else "ERROR")
            spark = _configured(SparkSession.builder.getOrCreate(), _EVERY_SESSION)
        except (PySparkException, Py4JError, OSError) as error:
            reason = _reason(said) or first_line(error)
            message = f"Spark cannot be started on {master}: {reason}."
            # A driver that came up and found no cluster may find it tomorrow; one that did not come up is set up wrongly.
            absent = not local and isinstance(error, Py4JError)
            raise (UnavailableError if absent else ConfigurationError)(message) from None
    if pythons != [sys.executable]:
        try:
            prepare_executors(spark, settings, pythons)
        except BaseException:
            close_spark(spark)
            raise
    return spark


@contextmanager
def _python_of_executors(python: str | None) -> Iterator[None]:
    """What a context that is started now makes its executors run.

    In client mode this variable decides and `spark.pyspark.python` does not: only spark-submit looks at that. It is put back,
    because the next job of this process may want another one.
    """
    before = os.environ.get("PYSPARK_PYTHON")
    os.environ["PYSPARK_PYTHON"] = python or sys.executable
    try:
        yield
    finally:
        if before is None:
            del os.environ["PYSPARK_PYTHON"]
        else:
            os.environ["PYSPARK_PYTHON"] = before


def _knock(url: str, default_port: int, what: str) -> None:
    """Whether the server responds. Spark itself tries for minutes before it reports that it does not."""
    parts = urlsplit(url)
    try:
        with socket.create_connection((parts.hostname or "", parts.port or default_port), timeout=10):
            pass
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise UnavailableError(f"{what} does not respond: {reason}.") from None


def _conf_of_driver(settings: SparkSettings, master: str, name: str) -> dict[str, str]:
    """Our defaults, overridden by the settings."""
    conf = {"spark.app.name": name, "spark.master": master, **_EVERY_SESSION}
    if master.startswith("local"):
        conf |= _LOCAL
        if "spark.pyspark.python" not in settings.conf:
            conf["spark.python.daemon.module"] = daemon.MODULE
        conf["spark.driver.memory"] = f"{_driver_memory() >> 20}m"
    if settings.partitions:
        conf["spark.sql.shuffle.partitions"] = str(settings.partitions)
    return conf | dict(settings.conf)


# --- how much memory a local driver gets ----------------------------------------------------------------------------


def _driver_memory() -> int:
    """A quarter of what this machine or container has: the larger part is for the Python workers that analyse."""
    return min(max(_machine_memory() // 4, _GIGABYTE), 8 * _GIGABYTE)


def _machine_memory() -> int:
    found = [4 * _GIGABYTE]
    if hasattr(os, "sysconf"):
        found = [os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")]
    for file in ("/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory/memory.limit_in_bytes"):
        try:
            found.append(int(Path(file).read_text(encoding="ascii")))
        except (OSError, ValueError):  # no such control group, or one without a limit: the word "max"
            continue
    return min(found)


# --- what Spark says about a failure --------------------------------------------------------------------------------


def _reason(said: IO[bytes]) -> str:
    """The last line that is not part of a stack trace, without the names of classes in front of it."""
    said.seek(0)
    lines = said.read().decode("utf-8", "replace").splitlines()
    telling = [line for line in lines if line.strip() and not _NOISE.match(line)]
    return _PREFIX.sub("", telling[-1]).strip().rstrip(".") if telling else ""
