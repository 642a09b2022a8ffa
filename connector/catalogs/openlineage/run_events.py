"""Events of the connector's own runs, so that whoever watches pipelines sees this one among them."""

from __future__ import annotations

from datetime import datetime
from typing import Any, Literal

from connector.catalogs.openlineage.collecting import time_text
from connector.catalogs.openlineage.destinations import open_destination
from connector.catalogs.openlineage.settings import OpenLineageSettings
from connector.errors import UnavailableError

__all__ = ["RunEvents"]

_PRODUCER = "urn:lineage-connector"
_SPEC = "https://openlineage.io/spec"

State = Literal["START", "COMPLETE", "FAIL"]


class RunEvents:
    """Tells a service or a file how a run goes."""

    def __init__(self, settings: OpenLineageSettings, *, job: str, run_id: str) -> None:
        self._settings = settings
        self._job = job
        self._run_id = run_id

    def start(self, moment: datetime) -> None:
        self._send("START", moment, {})

    def complete(self, moment: datetime) -> None:
        self._send("COMPLETE", moment, {})

    def fail(self, moment: datetime, reason: str) -> None:
        facet = {
            "_producer": _PRODUCER,
            "_schemaURL": f"{_SPEC}/facets/1-0-1/ErrorMessageRunFacet.json#/$defs/ErrorMessageRunFacet",
            "message": reason,
            "programmingLanguage": "Python",
        }
        self._send("FAIL", moment, {"errorMessage": facet})

    def _send(self, state: State, moment: datetime, facets: dict[str, Any]) -> None:
        event = {
            "eventType": state,
            "eventTime": time_text(moment),
            "run": {"runId": self._run_id, "facets": facets},
            "job": {
                "namespace": self._settings.namespace or "lineage-connector",
                "name": self._job,
                "facets": {
                    "jobType": {
                        "_producer": _PRODUCER,
                        "_schemaURL": f"{_SPEC}/facets/2-0-4/JobTypeJobFacet.json#/$defs/JobTypeJobFacet",
                        "processingType": "BATCH",
                        "integration": "LINEAGE_CONNECTOR",
                        "jobType": "JOB",
                    }
                },
            },
            "inputs": [],
            "outputs": [],
            "producer": _PRODUCER,
            "schemaURL": f"{_SPEC}/2-0-2/OpenLineage.json#/$defs/RunEvent",
        }
        with open_destination(self._settings) as destination:
            (refused,) = destination.send([event])
        if refused is not None:
            raise UnavailableError(f"OpenLineage at {self._settings.place} rejected the event of this run: {refused}")
