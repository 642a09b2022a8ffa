"""Apache Atlas: types, mappings, and lineage written as entities and processes.

>>> from connector import analyze
>>> from connector.catalogs.atlas import AtlasSettings, push
>>> lineage = analyze("insert into o (x) select a from t", dialect="snowflake")
>>> push([lineage], AtlasSettings(url="https://atlas:21443", user="loader"), source="nightly")  # doctest: +SKIP
"""

from connector.catalogs.atlas.catalog import AtlasCatalog, push
from connector.catalogs.atlas.client import AtlasClient
from connector.catalogs.atlas.loading import CheckedMapping, checked_mapping, make_plan
from connector.catalogs.atlas.plan import Key, Plan, PlannedEntity
from connector.catalogs.atlas.prune import Outdated
from connector.catalogs.atlas.settings import AtlasSettings
from connector.catalogs.atlas.typedef_changes import TypeChange, apply_changes, find_changes
from connector.catalogs.atlas.typedefs import TypeSystem, load_typedefs, own_typedefs
from connector.catalogs.catalog import Seen
from connector.catalogs.summary import Counts, Failure, Summary

__all__ = [
    "AtlasCatalog",
    "AtlasClient",
    "AtlasSettings",
    "CheckedMapping",
    "Counts",
    "Failure",
    "Key",
    "Outdated",
    "Plan",
    "PlannedEntity",
    "Seen",
    "Summary",
    "TypeChange",
    "TypeSystem",
    "apply_changes",
    "checked_mapping",
    "find_changes",
    "load_typedefs",
    "make_plan",
    "own_typedefs",
    "push",
]
