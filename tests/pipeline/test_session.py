"""What `run` hands to Spark for a cluster, and how its executors get their Python, without any cluster."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from connector.errors import ConfigurationError
from connector.pipeline.environment import ENVIRONMENT
from connector.pipeline.spark import daemon, executors, probe
from connector.pipeline.spark.executors import PACKED_PYTHON, likely_pythons, prepare_executors
from connector.pipeline.spark.session import _conf_of_driver
from connector.settings.models import SparkSettings

IMAGE = {"spark.kubernetes.container.image": "apache/spark:4.0.0", "spark.kubernetes.namespace": "lineage"}


def kubernetes(**more: Any) -> SparkSettings:
    return SparkSettings(master="k8s://https://host:6443", conf=IMAGE, **more)


def test_kubernetes_gets_the_settings_as_they_are_and_nothing_of_a_local_run() -> None:
    conf = _conf_of_driver(kubernetes(partitions=7), "k8s://https://host:6443", "nightly")
    assert conf == {
        **IMAGE,
        "spark.app.name": "nightly",
        "spark.master": "k8s://https://host:6443",
        "spark.sql.execution.arrow.pyspark.enabled": "true",
        "spark.sql.session.timeZone": "UTC",
        "spark.sql.shuffle.partitions": "7",
    }
    local = _conf_of_driver(SparkSettings(), "local[*]", "nightly")
    assert local["spark.driver.host"] == "127.0.0.1"
    assert "spark.driver.memory" in local
    assert local["spark.python.daemon.module"] == "connector.pipeline.spark.daemon"
    elsewhere = SparkSettings(conf={"spark.pyspark.python": "/opt/python"})
    assert "spark.python.daemon.module" not in _conf_of_driver(elsewhere, "local[*]", "nightly")


def test_local_workers_import_the_installed_pyspark_and_not_its_archive(tmp_path: Path) -> None:
    package = tmp_path / "site" / "pyspark"
    archives = package / "python" / "lib"
    archives.mkdir(parents=True)
    (package / "__init__.py").touch()
    own = [str(archives / "pyspark.zip"), str(archives / "py4j-0.10.9.9-src.zip")]
    path = [*own, "/opt/tools.zip", str(tmp_path / "site")]
    daemon.prefer_installed(path)
    assert path == ["/opt/tools.zip", str(tmp_path / "site")]
    # Those of another Spark belong to the Java that is running, and so does a PySpark that is nowhere else.
    for kept in (["/opt/spark/python/lib/pyspark.zip", str(tmp_path / "site")], own):
        path = list(kept)
        daemon.prefer_installed(path)
        assert path == kept


@pytest.mark.parametrize(
    ("conf", "expected"),
    [
        ({}, ["/driver/python", "python3"]),
        ({"spark.archives": f"s3a://b/e.tar.gz#{ENVIRONMENT}"}, [PACKED_PYTHON, "/driver/python", "python3"]),
        ({"spark.pyspark.python": "/opt/python"}, ["/opt/python"]),
    ],
)
def test_the_pythons_of_executors_that_are_asked(
    conf: dict[str, str], expected: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("PYSPARK_PYTHON", raising=False)
    monkeypatch.setattr("sys.executable", "/driver/python")
    assert likely_pythons({**IMAGE, **conf}) == expected


class _Cluster:
    """A session whose executors have an image without our package, until an archive is sent to them."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.shipped: list[str] = []
        self.settings: dict[str, str] = {}
        self.sparkContext = SimpleNamespace(addArchive=self.shipped.append, pythonExec="")
        self.conf = SimpleNamespace(set=self.settings.__setitem__)
        monkeypatch.setattr(executors, "_ask", self._ask)

    def _ask(self, _: object, pythons: list[str]) -> dict[str, list[Any]]:
        found = {**probe.installed(), "host": "pod-1"}
        return {python: [found if python == PACKED_PYTHON and self.shipped else None] for python in pythons}


def test_the_archive_is_sent_to_pods_that_lack_the_connector(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    archive = tmp_path / "environment.tar.gz"
    monkeypatch.setattr(executors, "read_manifest", lambda _: probe.installed())
    cluster: Any = _Cluster(monkeypatch)
    ready = prepare_executors(cluster, kubernetes(environment=archive), ["/driver/python", "python3"])
    assert cluster.shipped == [f"{archive}#{ENVIRONMENT}"]
    assert cluster.settings == {"spark.sql.execution.pyspark.python": PACKED_PYTHON}
    assert cluster.sparkContext.pythonExec == PACKED_PYTHON
    assert (ready.python, ready.hosts, ready.shipped) == (PACKED_PYTHON, ("pod-1",), archive)


def test_without_an_archive_the_message_says_how_to_bring_one(monkeypatch: pytest.MonkeyPatch) -> None:
    cluster: Any = _Cluster(monkeypatch)
    with pytest.raises(ConfigurationError, match=r"no Python at python3.*lineage-connector pack"):
        prepare_executors(cluster, kubernetes(), ["python3"])
