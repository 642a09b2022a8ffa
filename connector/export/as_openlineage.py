"""OpenLineage: one RunEvent for each statement that writes, with the column-lineage facet on its outputs.

One event stands on each line. Data flow is DIRECT: IDENTITY where a column is handed on under its name, AGGREGATION through
an aggregate function, TRANSFORMATION otherwise. Impact is INDIRECT, its subtype comes from the clause. Impact on the rows
of a target belongs to the dataset, impact on a column to its field. Row columns are no fields, they do not appear.
"""

from __future__ import annotations

import json
from typing import Any
from uuid import NAMESPACE_URL, uuid5

from connector.export.options import ExportOptions, Level
from connector.export.transformations import Origins, column_origins
from connector.model import Column, Entity, Model, Process
from connector.model.levels import table_level
from connector.naming import Namer, bare_name, quote_part, unquote

__all__ = ["OpenLineageExporter", "events"]

_PRODUCER = "urn:lineage-connector"
_SPEC = "https://openlineage.io/spec"
_OBJECT_STORES = frozenset({"s3", "s3a", "s3n", "gs", "gcs", "abfs", "abfss", "wasb", "wasbs"})


class OpenLineageExporter:
    name = "openlineage"
    levels: tuple[Level, ...] = ("column", "table")

    def render(self, model: Model, level: str, options: ExportOptions) -> str:
        found = events(model, options, columns=level == "column")
        return "".join([json.dumps(event, ensure_ascii=False) + "\n" for event in found])


def events(model: Model, options: ExportOptions, *, columns: bool = True) -> list[dict[str, Any]]:
    """The events of a model. A statement that comes twice in one procedure is one job and gives one event."""
    names = _Datasets(model, options)
    inputs: dict[Process, dict[Entity, None]] = {}
    outputs: dict[Process, dict[Entity, None]] = {}
    level = table_level(model, impact=options.impact, keep_temporaries=options.temporaries)
    for edge in level.relations:
        if edge.process is not None:
            inputs.setdefault(edge.process, {})[edge.source] = None
            outputs.setdefault(edge.process, {})[edge.target] = None
    for facts in level.statements:
        if facts.process.bare_select and not options.top_select:
            continue
        outputs.setdefault(facts.process, {}).update(dict.fromkeys(facts.outputs))
        if facts.process.bare_select:
            inputs.setdefault(facts.process, {}).update(dict.fromkeys(facts.inputs))
    lineage = column_origins(model, impact=options.impact, keep_temporaries=options.temporaries) if columns else {}
    found = []
    jobs: set[tuple[str, str]] = set()
    for process in model.processes:
        job = (process.identity, process.procedure_name)
        if job in jobs or not (inputs.get(process) or outputs.get(process)):
            continue
        jobs.add(job)
        found.append(
            {
                "eventType": "COMPLETE",
                "eventTime": options.event_time,
                "run": {"runId": _run_id(names.job_name(process), options), "facets": {}},
                "job": _job(process, names),
                "inputs": [{**names.dataset(entity), "facets": {}} for entity in inputs.get(process, ())],
                "outputs": [
                    {**names.dataset(entity), "facets": _facets(lineage.get((process, entity)), names)}
                    for entity in outputs.get(process, ())
                ],
                "producer": _PRODUCER,
                "schemaURL": f"{_SPEC}/2-0-2/OpenLineage.json#/$defs/RunEvent",
            }
        )
    return found


def _run_id(job: str, options: ExportOptions) -> str:
    """The same for the same job and time, so that a second export repeats a run instead of inventing one."""
    return str(uuid5(NAMESPACE_URL, f"{job}#{options.event_time}"))


def _job(process: Process, names: _Datasets) -> dict[str, Any]:
    facet = {
        "_producer": _PRODUCER,
        "_schemaURL": f"{_SPEC}/facets/2-0-4/JobTypeJobFacet.json#/$defs/JobTypeJobFacet",
        "processingType": "BATCH",
        "integration": "SQL",
        "jobType": "QUERY",
    }
    return {"namespace": names.namespace, "name": names.job_name(process), "facets": {"jobType": facet}}


def _facets(origins: dict[Column, Origins] | None, names: _Datasets) -> dict[str, Any]:
    if not origins:
        return {}
    fields: dict[str, Any] = {}
    dataset: list[dict[str, Any]] = []
    for target, sources in origins.items():
        found = [
            {
                **names.dataset(source.entity),
                "field": unquote(source.name),
                "transformations": [
                    {"type": kind, "subtype": subtype} if subtype else {"type": kind} for kind, subtype in ways
                ],
            }
            for source, ways in sources.items()
            if not source.system and source.entity.type != "pseudoTable"
        ]
        if target.system:
            dataset.extend(found)
        elif found:
            fields[unquote(target.name)] = {"inputFields": found}
    if not fields and not dataset:
        return {}
    facet: dict[str, Any] = {
        "_producer": _PRODUCER,
        "_schemaURL": f"{_SPEC}/facets/1-2-0/ColumnLineageDatasetFacet.json#/$defs/ColumnLineageDatasetFacet",
        "fields": fields,
    }
    if dataset:
        facet["dataset"] = dataset
    return {"columnLineage": facet}


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
