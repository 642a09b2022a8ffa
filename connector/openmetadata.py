"""The name of the plugin in a workflow of OpenMetadata: ``sourcePythonClass: connector.openmetadata.LineageSource``.

The class needs the package openmetadata-ingestion, which takes seconds to load, so it is loaded when it is asked for.
"""

from connector.common.lazy import lazy_names

__all__ = ["LineageSource"]  # noqa: F822

__getattr__ = lazy_names("connector.catalogs.openmetadata", {"source": ("LineageSource",)})
