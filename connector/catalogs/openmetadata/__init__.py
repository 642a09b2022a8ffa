"""OpenMetadata: lineage written as edges between the tables and containers that it knows.

>>> from connector import analyze
>>> from connector.catalogs.openmetadata import OpenMetadataSettings, push
>>> lineage = analyze("insert into o (x) select a from t", dialect="snowflake")
>>> push([lineage], OpenMetadataSettings(url="https://openmetadata:8585"), source="nightly")  # doctest: +SKIP

The same inside of OpenMetadata's own ingestion is :class:`connector.openmetadata.LineageSource`.
"""

from connector.catalogs.openmetadata.catalog import OpenMetadataCatalog
from connector.catalogs.openmetadata.settings import OpenMetadataSettings
from connector.catalogs.summary import Summary

__all__ = ["OpenMetadataCatalog", "OpenMetadataSettings", "Summary", "push"]

push = OpenMetadataCatalog.push
