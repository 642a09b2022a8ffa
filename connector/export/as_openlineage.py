"""OpenLineage: one RunEvent for each statement that writes, with the column-lineage facet on its outputs.

One event stands on each line. Data flow is DIRECT: IDENTITY where a column is copied, under whatever name, AGGREGATION
through an aggregate function, TRANSFORMATION otherwise. Impact is INDIRECT, its subtype comes from the clause. The
description of a transformation is its expression, with literals masked. Impact on the rows of a target belongs to the dataset, impact
on a column to its field. Row columns are no fields, they do not appear.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from typing import Any
from uuid import NAMESPACE_URL, uuid5

from connector.export.view import ExportOptions, Level
from connector.model import Entity, Model, Process
from connector.model.levels import Levels, Way, Ways
from connector.naming import Namer, bare_name, quote_part, unquote

PRODUCER = "urn:lineage-connector"
_SPEC = "https://openlineage.io/spec"
_OBJECT_STORES = frozenset({"s3", "s3a", "s3n", "gs", "gcs", "abfs", "abfss", "wasb", "wasbs"})


class OpenLineageExporter:
    name = "openlineage"
    levels: tuple[Level, ...] = ("column", "table")

    def __init__(self, shown: Callable[[str], str] = str) -> None:
        """`shown` turns an expression into what may be told of it."""
        self._shown = shown

    def render(self, model: Model, level: str, options: ExportOptions) -> str:
        found = events(model, options, columns=level == "column", shown=self._shown)
        return "".join([json.dumps(event, ensure_ascii=False) + "\n" for event in found])


def events(
    model: Model,
    options: ExportOptions,
    *,
    columns: bool = True,
    shown: Callable[[str], str] = str,
    levels: Levels | None = None,
) -> list[dict[str, Any]]:
    """The events of a model. A statement that comes twice in one procedure is one job and gives one event.

    `shown` turns an expression into what may be told of it, where the events leave the machine. `levels` are those of the
    model, where they are known.
    """
    levels = levels or Levels.of(model, keep_temporaries=options.temporaries)
    names = _Datasets(model, options)
    inputs: dict[Process, dict[Entity, None]] = {}
    outputs: dict[Process, dict[Entity, None]] = {}
    for edge in levels.tables.relations:
        if edge.process is not None and (options.impact or edge.type == "fdd"):
            inputs.setdefault(edge.process, {})[edge.source] = None
            outputs.setdefault(edge.process, {})[edge.target] = None
    for facts in levels.tables.statements:
        if facts.process.bare_select and not options.top_select:
            continue
        outputs.setdefault(facts.process, {}).update(dict.fromkeys(facts.outputs))
        if facts.process.bare_select:
            inputs.setdefault(facts.process, {}).update(dict.fromkeys(facts.inputs))
    lineage = _column_lineage(levels.ways, options, names, shown) if columns else {}
    found = []
    jobs: set[tuple[str, str]] = set()
    for process in model.processes:
        job = (process.identity, process.procedure_name)
        if job in jobs or not (inputs.get(process) or outputs.get(process)):
            continue
        jobs.add(job)
        found.append(
            run_event(
                "COMPLETE",
                options.event_time,
                {"runId": _run_id(names.job_name(process), options), "facets": {}},
                _job(process, names),
                [{**names.dataset(entity), "facets": {}} for entity in inputs.get(process, ())],
                [
                    {**names.dataset(entity), "facets": lineage.get((process, entity), {})}
                    for entity in outputs.get(process, ())
                ],
            )
        )
    return found


def run_event(
    state: str,
    time: str,
    run: dict[str, Any],
    job: dict[str, Any],
    inputs: Sequence[dict[str, Any]] = (),
    outputs: Sequence[dict[str, Any]] = (),
) -> dict[str, Any]:
    """An event about one run of a job."""
    return {
        "eventType": state,
        "eventTime": time,
        "run": run,
        "job": job,
        "inputs": list(inputs),
        "outputs": list(outputs),
        "producer": PRODUCER,
        "schemaURL": f"{_SPEC}/2-0-2/OpenLineage.json#/$defs/RunEvent",
    }


def facet(name: str, version: str, **content: Any) -> dict[str, Any]:
    """A facet, with the schema that describes it."""
    schema = f"{_SPEC}/facets/{version}/{name}.json#/$defs/{name}"
    return {"_producer": PRODUCER, "_schemaURL": schema, **content}


def job_type(integration: str, kind: str) -> dict[str, Any]:
    """The facet that says what a job is."""
    return facet("JobTypeJobFacet", "2-0-4", processingType="BATCH", integration=integration, jobType=kind)


def _run_id(job: str, options: ExportOptions) -> str:
    """The same for the same job and time, so that a second export repeats a run instead of inventing one."""
    return str(uuid5(NAMESPACE_URL, f"{job}#{options.event_time}"))


def _job(process: Process, names: _Datasets) -> dict[str, Any]:
    facets = {"jobType": job_type("SQL", "QUERY")}
    return {"namespace": names.namespace, "name": names.job_name(process), "facets": facets}


def _column_lineage(
    ways: Ways, options: ExportOptions, names: _Datasets, shown: Callable[[str], str]
) -> dict[tuple[Process, Entity], dict[str, Any]]:
    """For each process and each entity that it writes, the facets of that output."""
    found: dict[tuple[Process, Entity], dict[str, Any]] = {}
    for process, target in ways.written():
        if process is None:
            continue
        inputs = [
            {
                **names.dataset(source.entity),
                "field": unquote(source.public_name),
                "transformations": transformations,
            }
            for source, taken in ways.into(process, target).items()
            if not source.system and source.entity.type != "pseudoTable"
            if (transformations := _transformations(taken, options.impact, shown))
        ]
        if inputs:
            facets = found.setdefault((process, target.entity), {})
            if not facets:
                facets["columnLineage"] = facet("ColumnLineageDatasetFacet", "1-2-0", fields={})
            columns = facets["columnLineage"]
            if target.system:
                columns.setdefault("dataset", []).extend(inputs)
            else:
                columns["fields"][unquote(target.public_name)] = {"inputFields": inputs}
    return found


def _transformations(ways: tuple[Way, ...], impact: bool, shown: Callable[[str], str]) -> list[dict[str, str]]:
    found: list[dict[str, str]] = []
    for way in ways:
        if not (way.direct or impact):
            continue
        entry = {"type": "DIRECT" if way.direct else "INDIRECT"}
        if way.transformation != "influence":
            entry["subtype"] = way.transformation.upper()
        if way.expression is not None:
            entry["description"] = shown(way.expression)
        if entry not in found:
            found.append(entry)
    return found


class _Datasets:
    """Names as OpenLineage wants them: a namespace, and a name that is unique in it."""

    def __init__(self, model: Model, options: ExportOptions) -> None:
        self.namespace = options.namespace or model.cluster
        self._namer = Namer(model)

    def job_name(self, process: Process) -> str:
        return self._namer.process(process, cluster=False)

    def dataset(self, entity: Entity) -> dict[str, Any]:
        if entity.kind == "path":
            namespace, name = _location(bare_name(entity))
            return {"namespace": namespace, "name": name}
        return {
            "namespace": self.namespace,
            "name": ".".join([quote_part(part) for part in self._namer.parts(entity)]),
        }


def _location(uri: str) -> tuple[str, str]:
    scheme, separator, rest = uri.partition("://")
    if not separator:
        return "file", uri
    authority, slash, path = rest.partition("/")
    if scheme in _OBJECT_STORES:
        return f"{scheme}://{authority}", path or "/"
    return (f"{scheme}://{authority}" if authority else scheme), slash + path or "/"
