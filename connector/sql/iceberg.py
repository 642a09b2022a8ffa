"""Names of tables that lie inside of an Iceberg table: its branches and tags, and the tables that describe it."""

from __future__ import annotations

from connector.sql.dialects import SqlDialect

__all__ = ["described_table"]

NamePart = tuple[str, bool]

_DESCRIBING = frozenset(
    """
    all_data_files all_delete_files all_entries all_files all_manifests data_files delete_files entries files history
    manifests metadata_log_entries partitions position_deletes properties refs snapshots
    """.split()
)
_VERSIONS = ("branch_", "tag_")


def described_table(parts: tuple[NamePart, ...], dialect: SqlDialect) -> tuple[tuple[NamePart, ...], bool] | None:
    """The table that a name lies inside of, and whether it has the columns of that table; None for all other names.

    Hive, Impala and Spark write ``db.t.branch_x`` and ``db.t.snapshots``, Trino writes ``"t$snapshots"``.
    """
    name, quoted = parts[-1]
    if dialect.inner_table_suffix:
        table, dollar, inner = name.rpartition("$")
        return ((*parts[:-1], (table, quoted)), False) if dollar and table and inner.lower() in _DESCRIBING else None
    if not 0 < dialect.inner_table_parts <= len(parts):
        return None
    lower = name.lower()
    if lower.startswith(_VERSIONS):
        return parts[:-1], True
    return (parts[:-1], False) if lower in _DESCRIBING else None
