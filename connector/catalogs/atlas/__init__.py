"""Apache Atlas: types, mappings, and lineage written as entities and processes.

>>> from connector import analyze
>>> from connector.catalogs.atlas import AtlasSettings, push
>>> lineage = analyze("insert into o (x) select a from t", dialect="snowflake")
>>> push([lineage], AtlasSettings(url="https://atlas:21443", user="loader"), source="nightly")  # doctest: +SKIP
"""

from connector.catalogs.atlas.catalog import AtlasCatalog
from connector.catalogs.atlas.settings import AtlasSettings
from connector.catalogs.summary import Summary

__all__ = ["AtlasCatalog", "AtlasSettings", "Summary", "push"]

push = AtlasCatalog.push
