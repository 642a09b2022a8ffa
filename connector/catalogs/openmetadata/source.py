"""The plugin under the name of its catalog. In a workflow ``connector.openmetadata.LineageSource`` is the same, and shorter."""

from connector.openmetadata.source import LineageSource

__all__ = ["LineageSource"]
