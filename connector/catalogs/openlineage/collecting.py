"""The events of any number of models: one for each job, whatever the order in which the models come.

A statement that was found in several places is one job. What its places say is put together, and everything is sorted, so
that the same lineage always gives the same event and a digest tells whether there is anything new to say.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from datetime import datetime, timezone
from hashlib import sha256
from typing import Any
from uuid import NAMESPACE_URL, uuid5

from connector.catalogs.catalog import Seen
from connector.catalogs.openlineage.settings import OpenLineageSettings
from connector.export.as_openlineage import events, facet
from connector.lineage import Lineage
from connector.model import Model, Process
from connector.naming import Namer
from connector.sql.dialects import get_dialect
from connector.sql.identity import literal_mask, mask_literals


@dataclass(frozen=True, slots=True)
class JobEvent:
    """What is said of one job."""

    name: str
    """Namespace and name of the job."""
    digest: str
    """The same as long as there is nothing new to say."""
    content: dict[str, Any]

    @property
    def run_id(self) -> str:
        run_id: str = self.content["run"]["runId"]
        return run_id


@dataclass(frozen=True, slots=True)
class Plan:
    """The events of a source."""

    source: str
    events: list[JobEvent]


def time_text(moment: datetime) -> str:
    """A time as OpenLineage writes it."""
    return moment.astimezone(timezone.utc).isoformat(timespec="milliseconds").replace("+00:00", "Z")


def collect(
    lineages: Iterable[Lineage],
    settings: OpenLineageSettings,
    *,
    now: datetime,
    seen: Mapping[str, Seen] | None = None,
) -> list[JobEvent]:
    """The events of the lineages together. A job that a log has seen ran when it was last seen; any other runs now."""
    jobs: dict[tuple[str, str], dict[str, Any]] = {}
    times: dict[tuple[str, str], datetime] = {}
    for lineage in lineages:
        model = lineage.model
        options = replace(lineage.options, namespace=settings.namespace)
        processes = _processes(model)
        shown = literal_mask(model.vendor)
        levels = lineage.levels(temporaries=options.temporaries)
        for event in events(model, options, columns=settings.level == "column", shown=shown, levels=levels):
            key = (event["job"]["namespace"], event["job"]["name"])
            process = processes[key[1]]
            if settings.query == "masked":
                event["job"]["facets"]["sql"] = _sql_facet(model, process)
            jobs[key] = _merged(jobs[key], event) if key in jobs else event
            known = (seen or {}).get(process.identity)
            if known is not None and known.last is not None:
                times[key] = max(times.get(key, known.last), known.last)
    return [_finished(jobs[key], times.get(key, now)) for key in sorted(jobs)]


def _processes(model: Model) -> dict[str, Process]:
    """The statements by the names that their jobs have."""
    namer = Namer(model)
    found: dict[str, Process] = {}
    for process in model.processes:
        found.setdefault(namer.process(process, cluster=False), process)
    return found


def _sql_facet(model: Model, process: Process) -> dict[str, Any]:
    return facet("SQLJobFacet", "1-0-1", query=mask_literals(process.text, get_dialect(model.vendor)))


def _finished(event: dict[str, Any], moment: datetime) -> JobEvent:
    """The event with its run. The run's id comes from what is said, so that an event that is sent twice is one run."""
    event["inputs"] = sorted(event["inputs"], key=_name)
    event["outputs"] = sorted((_sorted_output(output) for output in event["outputs"]), key=_name)
    name = f"{event['job']['namespace']}/{event['job']['name']}"
    said = {key: value for key, value in event.items() if key not in ("eventTime", "run")}
    digest = sha256(json.dumps(said, sort_keys=True).encode()).hexdigest()
    event["eventTime"] = time_text(moment)
    event["run"] = {"runId": str(uuid5(NAMESPACE_URL, f"{name}#{digest}")), "facets": {}}
    return JobEvent(name, digest, event)


# --- putting together what several places say -----------------------------------------------------------------------


def _merged(one: dict[str, Any], other: dict[str, Any]) -> dict[str, Any]:
    inputs = {_name(each): each for each in (*one["inputs"], *other["inputs"])}
    outputs = {_name(each): each for each in one["outputs"]}
    for each in other["outputs"]:
        known = outputs.get(_name(each))
        outputs[_name(each)] = each if known is None else _merged_output(known, each)
    return {**one, "inputs": list(inputs.values()), "outputs": list(outputs.values())}


def _merged_output(one: dict[str, Any], other: dict[str, Any]) -> dict[str, Any]:
    first, second = one["facets"].get("columnLineage"), other["facets"].get("columnLineage")
    if not first or not second:
        return one if first else other
    fields: dict[str, Any] = dict(first["fields"])
    for name, field in second["fields"].items():
        known = fields.get(name, {"inputFields": []})["inputFields"]
        fields[name] = {"inputFields": _merged_fields(known, field["inputFields"])}
    facet = {**first, "fields": fields}
    dataset = _merged_fields(first.get("dataset", ()), second.get("dataset", ()))
    if dataset:
        facet["dataset"] = dataset
    return {**one, "facets": {**one["facets"], "columnLineage": facet}}


def _merged_fields(one: Iterable[dict[str, Any]], other: Iterable[dict[str, Any]]) -> list[dict[str, Any]]:
    found: dict[tuple[str, str, str], dict[str, Any]] = {}
    for field in (*one, *other):
        key = (*_name(field), field["field"])
        known = found.get(key)
        if known is None:
            found[key] = field
        else:
            ways = [
                *known["transformations"],
                *(w for w in field["transformations"] if w not in known["transformations"]),
            ]
            found[key] = {**known, "transformations": ways}
    return list(found.values())


def _sorted_output(output: dict[str, Any]) -> dict[str, Any]:
    facet = output["facets"].get("columnLineage")
    if not facet:
        return output
    facet = {**facet, "fields": {name: _sorted_fields(facet["fields"][name]) for name in sorted(facet["fields"])}}
    if "dataset" in facet:
        facet["dataset"] = _sorted_fields({"inputFields": facet["dataset"]})["inputFields"]
    return {**output, "facets": {**output["facets"], "columnLineage": facet}}


def _sorted_fields(field: dict[str, Any]) -> dict[str, Any]:
    ordered = sorted(field["inputFields"], key=lambda each: (*_name(each), each["field"]))
    return {
        "inputFields": [
            {**each, "transformations": sorted(each["transformations"], key=lambda way: json.dumps(way))}
            for each in ordered
        ]
    }


def _name(dataset: dict[str, Any]) -> tuple[str, str]:
    return dataset["namespace"], dataset["name"]
