"""Where statements come from: files, dbt projects, query logs and databases.

`read_plain` yields them one by one in this process, `read_spark` returns them as a DataFrame. Neither Spark nor a database
library is imported before it is needed.
"""

from typing import TYPE_CHECKING

from connector.common.lazy import lazy_names

if TYPE_CHECKING:
    from connector.sources.checking import Finding, check_source
    from connector.sources.models import DatabaseSource, DbtSource, FilesSource, LogSource, Source
    from connector.sources.reading import read_plain, read_spark, table_columns
    from connector.sources.record import (
        Defaults,
        SourceStatement,
        TableColumns,
        Tally,
        arrow_schema,
        metadata_of,
        spark_schema,
    )
else:
    __getattr__ = lazy_names(
        __name__,
        {
            "checking": ("Finding", "check_source"),
            "models": ("DatabaseSource", "DbtSource", "FilesSource", "LogSource", "Source"),
            "reading": ("read_plain", "read_spark", "table_columns"),
            "record": (
                "Defaults",
                "SourceStatement",
                "TableColumns",
                "Tally",
                "arrow_schema",
                "metadata_of",
                "spark_schema",
            ),
        },
    )

__all__ = [
    "DatabaseSource",
    "DbtSource",
    "Defaults",
    "FilesSource",
    "Finding",
    "LogSource",
    "Source",
    "SourceStatement",
    "TableColumns",
    "Tally",
    "arrow_schema",
    "check_source",
    "metadata_of",
    "read_plain",
    "read_spark",
    "spark_schema",
    "table_columns",
]
