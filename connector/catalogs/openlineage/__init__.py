"""OpenLineage: events sent to a service that collects them, or written to a file.

>>> from connector import analyze
>>> from connector.catalogs.openlineage import OpenLineageSettings, push
>>> lineage = analyze("insert into o (x) select a from t", dialect="snowflake")
>>> push([lineage], OpenLineageSettings(url="https://marquez:5000"), source="nightly")  # doctest: +SKIP
"""

from connector.catalogs.openlineage.catalog import OpenLineageCatalog
from connector.catalogs.openlineage.settings import OpenLineageSettings
from connector.catalogs.summary import Summary

__all__ = ["OpenLineageCatalog", "OpenLineageSettings", "Summary", "push"]

push = OpenLineageCatalog.push
