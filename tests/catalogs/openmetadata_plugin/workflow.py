"""Workflows of the ingestion package, written to a file and run by its own command."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import yaml
from server import OpenMetadataServer

__all__ = ["Launcher", "Run", "Workflow"]

_SECONDS = 600
_HERE = Path(__file__).parent


@dataclass(frozen=True, slots=True)
class Run:
    """What came of a command."""

    code: int
    stdout: str
    stderr: str

    @property
    def output(self) -> str:
        return self.stdout + self.stderr


class Launcher:
    """Starts the command from a process that has imported it already. That process starts when it is first needed."""

    def __init__(self) -> None:
        self._process: subprocess.Popen[str] | None = None

    def run(self, arguments: list[str], folder: Path, environment: Mapping[str, str]) -> int:
        if self._process is None:
            self._process = subprocess.Popen(
                [sys.executable, str(_HERE / "launcher.py")], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
            )
            assert self._answer() == "ready"
        order = {
            "arguments": arguments,
            "folder": str(folder),
            "environment": dict(environment),
            "stdout": str(folder / "stdout.txt"),
            "stderr": str(folder / "stderr.txt"),
            "seconds": _SECONDS,
        }
        assert self._process.stdin is not None
        self._process.stdin.write(json.dumps(order) + "\n")
        self._process.stdin.flush()
        return int(self._answer())

    def close(self) -> None:
        """Its standard input ends, and so does it."""
        if self._process is not None:
            self._process.communicate(timeout=60)

    def _answer(self) -> str:
        assert self._process is not None
        assert self._process.stdout is not None
        return self._process.stdout.readline().strip()


class Workflow:
    """A workflow file with our source, in a folder of its own."""

    def __init__(self, folder: Path, server: OpenMetadataServer, launcher: Launcher) -> None:
        self.folder = folder
        self.token = server.token()
        self.environment = {
            "PATH": os.environ["PATH"],
            "HOME": str(folder),
            "XDG_STATE_HOME": str(folder / "state"),
            "PYTHONPATH": str(_HERE),
            "PYTHONWARNINGS": "ignore",
        }
        self._url = server.url
        self._launcher = launcher
        self.source_class = "connector.catalogs.openmetadata.source.LineageSource"
        self.service = "warehouse"
        self.options: dict[str, str] = {}
        self.server_config: dict[str, Any] = {}
        self.workflow_config: dict[str, Any] = {}

    def write_job(self, sql: str, **settings: Any) -> None:
        """The script and the settings of a job that reads it; the workflow's options name them."""
        folder = self.folder / "sql"
        folder.mkdir(exist_ok=True)
        (folder / "script.sql").write_text(sql, encoding="utf-8")
        job = {
            "name": "nightly",
            "dialect": "postgres",
            "default_database": "shop",
            "default_schema": "public",
            "sources": [{"files": "sql/"}],
            **settings,
        }
        file = self.folder / "lineage.yaml"
        file.write_text(yaml.safe_dump(job), encoding="utf-8")
        self.options["config"] = str(file)

    def document(self) -> dict[str, Any]:
        """The workflow as the ingestion package wants it."""
        connection = {
            "type": "CustomDatabase",
            "sourcePythonClass": self.source_class,
            "connectionOptions": self.options,
        }
        return {
            "source": {
                "type": "CustomDatabase",
                "serviceName": self.service,
                "serviceConnection": {"config": connection},
                "sourceConfig": {"config": {"type": "DatabaseMetadata"}},
            },
            "sink": {"type": "metadata-rest", "config": {}},
            "workflowConfig": {
                "loggerLevel": "DEBUG",
                "openMetadataServerConfig": {
                    "hostPort": self._url,
                    "authProvider": "openmetadata",
                    "securityConfig": {"jwtToken": self.token},
                    **self.server_config,
                },
                **self.workflow_config,
            },
        }

    def run(self, *, fresh: bool = False) -> Run:
        """`metadata ingest -c workflow.yaml`; `fresh` starts the installed command itself, imports and all."""
        file = self.folder / "workflow.yaml"
        file.write_text(yaml.safe_dump(self.document()), encoding="utf-8")
        arguments = ["ingest", "-c", str(file)]
        if not fresh:
            code = self._launcher.run(arguments, self.folder, self.environment)
            texts = ((self.folder / name).read_text(encoding="utf-8") for name in ("stdout.txt", "stderr.txt"))
            return Run(code, *texts)
        command = [str(Path(sys.executable).with_name("metadata")), *arguments]
        done = subprocess.run(
            command,
            cwd=self.folder,
            env=self.environment,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=_SECONDS,
            check=False,
        )
        return Run(done.returncode, done.stdout, done.stderr)
