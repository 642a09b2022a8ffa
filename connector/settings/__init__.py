"""The settings of scheduled runs: lineage.yaml.

>>> from connector.settings import load_settings
>>> settings = load_settings("lineage.yaml")  # doctest: +SKIP
>>> [job.name for job in settings.jobs]  # doctest: +SKIP
"""

from connector.settings.loading import load_settings
from connector.settings.models import GuardSettings, Job, Settings, SparkSettings, StoreSettings
from connector.settings.schema import settings_schema

__all__ = ["GuardSettings", "Job", "Settings", "SparkSettings", "StoreSettings", "load_settings", "settings_schema"]
