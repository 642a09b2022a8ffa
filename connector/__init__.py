"""Open SQL lineage for Apache Atlas and OpenMetadata.

>>> from connector import analyze
>>> analyze("insert into o (x) select a from t").to_dict(level="table")["statements"][0]["type"]
'Insert'
"""

from typing import TYPE_CHECKING

from connector.common.lazy import lazy_names
from connector.errors import (
    ConfigurationError,
    ConnectorError,
    SourceError,
    UnavailableError,
    UnknownDialectError,
)
from connector.options import Options

if TYPE_CHECKING:
    from connector.api import analyze, analyze_scripts, read_metadata
    from connector.lineage import ColumnName, ColumnRelation, Lineage, StatementSummary, TableName, TableRelation
    from connector.model import Model, Script
else:
    __getattr__ = lazy_names(
        __name__,
        {
            "api": ("analyze", "analyze_scripts", "read_metadata"),
            "lineage": (
                "ColumnName",
                "ColumnRelation",
                "Lineage",
                "StatementSummary",
                "TableName",
                "TableRelation",
            ),
            "model": ("Model", "Script"),
        },
    )

__all__ = [
    "ColumnName",
    "ColumnRelation",
    "ConfigurationError",
    "ConnectorError",
    "Lineage",
    "Model",
    "Options",
    "Script",
    "SourceError",
    "StatementSummary",
    "TableName",
    "TableRelation",
    "UnavailableError",
    "UnknownDialectError",
    "analyze",
    "analyze_scripts",
    "read_metadata",
]
__version__ = "0.1.0"
