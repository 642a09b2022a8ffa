"""A source as anybody would write it, to see what the workflow and its sink make of what they get."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any

from metadata.generated.schema.api.lineage.addLineage import AddLineageRequest
from metadata.generated.schema.metadataIngestion.workflow import Source as SourceConfig
from metadata.ingestion.api.models import Either, StackTraceError
from metadata.ingestion.api.steps import Source
from metadata.ingestion.ometa.ometa_api import OpenMetadata


class PlainSource(Source):
    """Yields the lineage requests of a file, and failures for its other lines."""

    def __init__(self, config: SourceConfig, metadata: OpenMetadata) -> None:
        super().__init__()
        self.config = config
        self.metadata = metadata

    @classmethod
    def create(
        cls, config_dict: dict[str, Any], metadata: OpenMetadata, pipeline_name: str | None = None
    ) -> PlainSource:
        return cls(SourceConfig.model_validate(config_dict), metadata)

    def prepare(self) -> None:
        pass

    def test_connection(self) -> None:
        pass

    def _iter(self) -> Iterable[Either]:
        options = self.config.serviceConnection.root.config.connectionOptions.root
        for line in open(options["file"], encoding="utf-8"):  # noqa: PTH123, SIM115
            document = json.loads(line)
            if "edge" in document:
                yield Either(right=AddLineageRequest.model_validate(document))
            else:
                yield Either(left=StackTraceError(name="plain", error=document["error"]))

    def close(self) -> None:
        pass
