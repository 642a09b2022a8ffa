"""The plugin for OpenMetadata's own ingestion: ``metadata ingest -c workflow.yaml`` with our source.

In the workflow it is named ``sourcePythonClass: connector.openmetadata.LineageSource``. It needs the package
openmetadata-ingestion, which takes seconds to load, so the class is loaded when it is asked for and not before.
"""

from __future__ import annotations

from typing import Any

__all__ = ["LineageSource"]


def __getattr__(name: str) -> Any:
    if name == "LineageSource":
        from connector.openmetadata.source import LineageSource

        return LineageSource
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
