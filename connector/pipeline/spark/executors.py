"""The Python of the executors: finds it, compares it with the driver's, and ships an environment if the connector is missing.

In client mode executors run what PYSPARK_PYTHON names, and what that is on another machine is unknown before the first
task fails with a long stack trace. So the executors are asked first, through a command that needs nothing but a shell: which of
the Pythons that come into question they have, and what is installed there.
"""

from __future__ import annotations

import json
import logging
import os
import sys
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING, Any

from connector.errors import ConfigurationError
from connector.pipeline.environment import ENVIRONMENT, read_manifest
from connector.pipeline.spark import probe

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

    from connector.settings.models import SparkSettings

_log = logging.getLogger("connector.pipeline")

PACKED_PYTHON = f"./{ENVIRONMENT}/bin/python"
"""Where executors have the Python of an archive: Spark unpacks it into their working folder."""
_WORKER_PYTHON = "spark.sql.execution.pyspark.python"
_ASK = """\
cat >/dev/null
code=$1; shift
while [ "$1" != -- ]; do PYTHONPATH="$PWD/$1${PYTHONPATH:+:$PYTHONPATH}"; shift; done
shift; export PYTHONPATH
for python; do
  answer=$("$python" -c "$code" 2>/dev/null) || answer=null
  printf '%s\\t%s\\n' "$python" "$answer"
done
"""
"""Each Python with its answer, `null` for one that does not start. Spark writes to the command, and that has to be read.

In front of `--` stand the files of `--py-files`: executors have them in their working folder, and only Spark's own workers
look there by themselves.
"""
_MOST_TASKS = 200
SERVERS_OWN = "the server's own"
"""The Python that a Connect server runs by itself, and whose path only it knows."""

Found = Mapping[str, Any]
"""What `probe.installed` says of a Python."""


@dataclass(frozen=True, slots=True)
class Executors:
    """Executors that can do the work."""

    python: str
    """The Python they run, as PYSPARK_PYTHON names it."""
    version: str
    hosts: tuple[str, ...]
    shipped: Path | None = None
    """The archive that was sent to them, if they needed it."""


def likely_pythons(conf: Mapping[str, str]) -> list[str]:
    """Pythons that executors may have, likeliest first. If one is configured, it is the only one."""
    named = conf.get("spark.pyspark.python") or os.environ.get("PYSPARK_PYTHON")
    if named:
        return [named]
    archives = (conf.get(name, "") for name in ("spark.archives", "spark.yarn.dist.archives"))
    packed = [PACKED_PYTHON] if any(f"#{ENVIRONMENT}" in each for each in archives) else []
    return [*packed, sys.executable, "python3"]


def prepare_executors(spark: SparkSession, settings: SparkSettings, pythons: Sequence[str]) -> Executors:
    """Make the session use a Python that has on every executor what the driver has; ship the archive if there is none.

    Raises ConfigurationError that says what is missing and how to bring it.
    """
    driver: Found = probe.installed()
    answers = _ask(spark, pythons)
    for python in pythons:
        if not _differences(answers[python], driver):
            return _use(spark, python, answers[python])
    if settings.environment is None:
        raise ConfigurationError(_missing(pythons, answers, driver))
    differences = _differences([read_manifest(settings.environment)], driver, judges_host=False)
    if differences:
        raise ConfigurationError(
            f"{settings.environment} does not fit: {differences}. "
            f"Pack it again with `lineage-connector pack -o {settings.environment}`."
        )
    _log.info("The executors lack the connector: sending them %s", settings.environment)
    _ship(spark, settings.environment)
    shipped = _ask(spark, [PACKED_PYTHON])[PACKED_PYTHON]
    differences = _differences(shipped, driver)
    if differences:
        raise ConfigurationError(
            f"{settings.environment} was sent to the executors but does not work there: {differences}. "
            "Pack it on a machine with the same system and processor as theirs."
        )
    return _use(spark, PACKED_PYTHON, shipped, settings.environment)


def _use(spark: SparkSession, python: str, found: Sequence[Found | None], shipped: Path | None = None) -> Executors:
    if python != SERVERS_OWN:
        spark.conf.set(_WORKER_PYTHON, python)
    context: Any = getattr(spark, "sparkContext", None)
    if context is not None:
        context.pythonExec = python  # not all of Spark's operators look at the session's setting
    hosts = tuple(sorted({each["host"] for each in found if each is not None}))
    version = next(each["python"] for each in found if each is not None)
    _log.debug("Python %s of the executors: %s (%s)", version, python, ", ".join(hosts))
    return Executors(python, version, hosts, shipped)


# --- asking -----------------------------------------------------------------------------------------------------------


def _ask(spark: SparkSession, pythons: Sequence[str]) -> dict[str, list[Found | None]]:
    """For each Python what the executors found there, one answer from each task; None where it does not start."""
    context: Any = getattr(spark, "sparkContext", None)
    if context is None:
        return {python: _ask_through_connect(spark, python) for python in pythons}
    from py4j.java_collections import ListConverter

    convert, client = ListConverter().convert, context._gateway._gateway_client
    tasks = min(max(int(context.defaultParallelism), 2), _MOST_TASKS)
    code = _probe()
    command = ["sh", "-c", _ASK, "probe", code, *context._python_includes, "--", *pythons]
    rows = context._jsc.parallelize(convert(list(range(tasks)), client), tasks)
    answers: dict[str, list[Found | None]] = {python: [] for python in pythons}
    for line in rows.pipe(convert(command, client)).collect():
        python, _, answer = line.partition("\t")
        answers[python].append(json.loads(answer))
    return answers


def _probe() -> str:
    """What the executors are to run, as text."""
    return (files(probe.__package__) / "probe.py").read_text(encoding="utf-8")


def _ask_through_connect(spark: SparkSession, python: str) -> list[Found | None]:
    """A Connect server runs nothing but Python: a function that is sent as it is, for its module may be missing there."""
    from pyspark.errors import PySparkException
    from pyspark.sql import functions as sf

    space: dict[str, Any] = {"__name__": "probed"}
    exec(compile(_probe(), "probe", "exec"), space)
    answer = space["answer"]
    if python != SERVERS_OWN:
        spark.conf.set(_WORKER_PYTHON, python)
    asked = sf.udf(lambda _: answer(), "string", useArrow=False)("id")
    try:
        rows = spark.range(0, 2, 1, 2).select(asked.alias("answer")).collect()
    except PySparkException as error:
        _log.debug("%s does not respond: %s", python, error)
        return [None]
    return [json.loads(row["answer"]) for row in rows]


def _ship(spark: SparkSession, archive: Path) -> None:
    address = f"{archive.absolute()}#{ENVIRONMENT}"
    context: Any = getattr(spark, "sparkContext", None)
    if context is None:
        spark.addArtifact(address, archive=True)
    else:
        context.addArchive(address)


# --- comparing --------------------------------------------------------------------------------------------------------


def _differences(found: Iterable[Found | None], driver: Found, *, judges_host: bool = True) -> str:
    """What keeps these executors from doing the driver's work, in words; nothing if they can."""
    told: dict[str, None] = {}
    for each in found:
        if each is None:
            told["it does not start"] = None
            continue
        where = f" on {each['host']}" if judges_host else ""
        if _minor(each["python"]) != _minor(driver["python"]):
            told[f"Python {each['python']}{where} instead of {driver['python']}"] = None
        packages = dict(each["packages"])
        if each["code"] is not None and each["code"] == driver["code"]:
            # The same code, whatever an installation beside it says; an archive of modules says nothing at all.
            packages["lineage-connector"] = driver["packages"]["lineage-connector"]
        lacking = [name for name, version in packages.items() if version is None and driver["packages"][name]]
        if lacking:
            told[f"{' and '.join(lacking)} missing{where}"] = None
        for name in ("lineage-connector", "sqlglot"):
            version = packages[name]
            if version is not None and version != driver["packages"][name]:
                told[f"{name} {version}{where} instead of {driver['packages'][name]}"] = None
        same_version = packages["lineage-connector"] == driver["packages"]["lineage-connector"]
        if same_version and each["code"] != driver["code"]:
            told[f"other code of lineage-connector {packages['lineage-connector']}{where}"] = None
    return ", ".join(told)


def _minor(version: str) -> list[str]:
    return version.split(".")[:2]


def _missing(pythons: Sequence[str], answers: Mapping[str, Sequence[Found | None]], driver: Found) -> str:
    """The error message for executors that cannot run the analysis."""
    there = [python for python in pythons if any(each is not None for each in answers[python])]
    if there:
        python = there[-1]
        problem = f"The executors' Python ({python}) does not fit: {_differences(answers[python], driver)}"
    else:
        problem = f"The executors have no Python at {' or '.join(pythons)}"
    packages = driver["packages"]
    return (
        f"{problem}. Bring them this environment with `lineage-connector pack -o environment.tar.gz` and "
        "`spark: {environment: environment.tar.gz}` in lineage.yaml, or install "
        f"lineage-connector {packages['lineage-connector']} and sqlglot {packages['sqlglot']} for "
        f"Python {'.'.join(_minor(driver['python']))} on every executor and name that Python in PYSPARK_PYTHON."
    )
