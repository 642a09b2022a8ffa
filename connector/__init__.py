"""Open SQL lineage for Apache Atlas and OpenMetadata.

>>> from connector import analyze
>>> analyze("insert into o (x) select a from t").to_dict(level="table")["statements"][0]["type"]
'Insert'
"""

from connector.api import analyze, analyze_scripts, read_metadata
from connector.errors import (
    ConfigurationError,
    ConnectorError,
    SourceError,
    UnavailableError,
    UnknownDialectError,
)
from connector.lineage import Lineage
from connector.model import Model, Script
from connector.options import Options

__all__ = [
    "ConfigurationError",
    "ConnectorError",
    "Lineage",
    "Model",
    "Options",
    "Script",
    "SourceError",
    "UnavailableError",
    "UnknownDialectError",
    "analyze",
    "analyze_scripts",
    "read_metadata",
]
__version__ = "0.1.0"
