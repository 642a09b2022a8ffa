"""What the model's reference fixes of the store's rows."""

from __future__ import annotations

__all__ = ["DIALECT_ROWS"]

DIALECT_ROWS: dict[str, str] = {
    "bigquery": "101",
    "couchbase": "102",
    "dax": "103",
    "db2": "104",
    "exasol": "105",
    "greenplum": "106",
    "hana": "107",
    "hive": "108",
    "impala": "109",
    "informix": "121",
    "mdx": "122",
    "mysql": "123",
    "netezza": "124",
    "odbc": "125",
    "openedge": "126",
    "oracle": "127",
    "postgresql": "128",
    "redshift": "129",
    "snowflake": "130",
    "sparksql": "131",
    "sqlserver": "132",
    "sybase": "133",
    "teradata": "134",
    "vertica": "135",
}
"""Name and guid of the predefined dialects. The reference prints 121 to 126 twice; the second six are 130 to 135 here."""
