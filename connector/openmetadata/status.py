"""The status of the plugin's step, which decides about the exit code of the workflow."""

from __future__ import annotations

from typing import Any

from metadata.generated.schema.api.lineage.addLineage import AddLineageRequest
from metadata.ingestion.api.status import Status

__all__ = ["EdgeStatus"]


class EdgeStatus(Status):  # type: ignore[misc]  # the client is not there where types are checked
    """As any status, but an edge that failed is a failure of the workflow, however many others succeeded."""

    failed_edges: int = 0
    """Also what stopped the run as a whole. Statements that cannot be read are not counted here."""

    def scanned(self, record: Any) -> None:
        if isinstance(record, AddLineageRequest):
            edge = record.edge
            self.records.append(f"{edge.fromEntity.fullyQualifiedName} -> {edge.toEntity.fullyQualifiedName}")
        else:
            super().scanned(record)

    def calculate_success(self) -> float:
        return 0.0 if self.failed_edges else float(super().calculate_success())
