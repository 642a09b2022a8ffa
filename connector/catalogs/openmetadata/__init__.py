"""OpenMetadata: lineage written as edges between the tables and containers that it knows.

>>> from connector import analyze
>>> from connector.catalogs.openmetadata import OpenMetadataSettings, push
>>> lineage = analyze("insert into o (x) select a from t", dialect="snowflake")
>>> push([lineage], OpenMetadataSettings(url="https://openmetadata:8585"), source="nightly")  # doctest: +SKIP

The same inside of OpenMetadata's own ingestion is :class:`connector.openmetadata.LineageSource`.
"""

from connector.catalogs.openmetadata.catalog import OpenMetadataCatalog, push
from connector.catalogs.openmetadata.client import OpenMetadataClient
from connector.catalogs.openmetadata.loading import check_server
from connector.catalogs.openmetadata.mapping import Mapping, load_mapping
from connector.catalogs.openmetadata.plan import Plan
from connector.catalogs.openmetadata.planning import make_plan
from connector.catalogs.openmetadata.prune import Outdated
from connector.catalogs.openmetadata.settings import OpenMetadataSettings
from connector.catalogs.openmetadata.writing import Outcome
from connector.catalogs.summary import Counts, Failure, Summary

__all__ = [
    "Counts",
    "Failure",
    "Mapping",
    "OpenMetadataCatalog",
    "OpenMetadataClient",
    "OpenMetadataSettings",
    "Outcome",
    "Outdated",
    "Plan",
    "Summary",
    "check_server",
    "load_mapping",
    "make_plan",
    "push",
]
