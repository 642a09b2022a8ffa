"""Pseudo-columns: names that exist without being declared, by dialect or family.

Some belong to the rows of a table (`ROWID`, `INPUT__FILE__NAME`): they are columns of it that `*` leaves out. Others are
words of the language (`ROWNUM`, `SYSDATE`, `DEFAULT`, `GROUPING__ID`) and belong to no table.
"""

from __future__ import annotations

from functools import cache

from connector.sql.dialects import SqlDialect

QUOTABLE = frozenset({"grouping__id"})
"""Words that mean the same in quotes."""


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


_DEFAULT = frozenset({"default"})
"""A word in VALUES and SET nearly everywhere, and nowhere the name of a column unless it is quoted."""

_HIVE = _words(
    """
    input__file__name block__offset__inside__file row__offset__inside__block raw__data__size row__id row__is__deleted
    partition__spec__id partition__hash partition__projection file__path row__position snapshot__id row__lineage__id
    last__updated__sequence__number
    """
)
_POSTGRES = _words("ctid tableoid xmin xmax cmin cmax")
_FILES = _words("$path $file_size $file_modified_time $bucket $partition $row_id")

_ROW_COLUMNS: dict[str, frozenset[str]] = {
    "bigquery": _words(
        """
        _partitiontime _partitiondate _table_suffix _file_name _change_type _change_timestamp _change_sequence_number
        """
    ),
    "clickhouse": _words(
        """
        _path _file _size _time _etag _part _part_index _part_uuid _part_offset _part_data_version _partition_id
        _partition_value _sample_factor _table _database _row_exists _block_number _block_offset _disk_name _shard_num
        _topic _key _offset _timestamp _timestamp_ms _partition _error _raw_message _subject
        """
    ),
    "drill": _words("filename filepath fqn suffix dir0 dir1 dir2 dir3 dir4"),
    "dremio": _words("dir0 dir1 dir2 dir3 dir4"),
    "duckdb": _words("rowid file_row_number file_index"),
    "greenplum": _POSTGRES | {"gp_segment_id", "oid"},
    "hive": _HIVE,
    "impala": _HIVE | {"file__position"},
    "netezza": _words("rowid datasliceid createxid deletexid"),
    "plpgsql": _POSTGRES,
    "plsql": _words(
        """
        rowid ora_rowscn object_id object_value column_value xmldata versions_startscn versions_starttime versions_endscn
        versions_endtime versions_xid versions_operation
        """
    ),
    "redshift": _POSTGRES | _words("oid $path $size $spectrum_oid"),
    "snowflake": _words(
        """
        metadata$filename metadata$file_row_number metadata$file_content_key metadata$file_last_modified
        metadata$start_scan_time metadata$action metadata$isupdate metadata$row_id metadata$row_version
        metadata$partition metadata$event_table
        """
    ),
    "spark2": frozenset(),
    "sparksql": frozenset({"_metadata"}),
    "sqlite": _words("rowid oid _rowid_"),
    "trino": _FILES,
    "tsql": _words("$identity $rowguid $node_id $edge_id $from_id $to_id"),
    "vertica": frozenset({"epoch"}),
    "mysql": frozenset({"_rowid"}),
    "db2": frozenset({"rowid"}),
    "teradata": _words("rowid partition"),
}

STREAM_COLUMNS = ("METADATA$ACTION", "METADATA$ISUPDATE", "METADATA$ROW_ID")
"""What a stream of Snowflake tells of each change, besides the columns of what it watches."""

_VALUE_WORDS: dict[str, frozenset[str]] = {
    "plsql": _words(
        """
        rownum level sysdate systimestamp user uid connect_by_isleaf connect_by_iscycle
        current_date current_timestamp sessiontimezone dbtimezone sql%rowcount sqlerrm sqlcode
        """
    ),
    "teradata": _words("user date time session account current_timestamp current_date profile role"),
    "db2": _words("user sysdate current"),
    "informix": _words("user today current sysdate dbservername sitename"),
    "tsql": _words("$action user current_user session_user system_user"),
    "mysql": _words("utc_date utc_time utc_timestamp"),
    "plpgsql": _words(
        """
        sysdate user current_role sqlerrm
        tg_name tg_when tg_level tg_op tg_relid tg_relname tg_table_name tg_table_schema tg_nargs tg_argv tg_event tg_tag
        """
    ),
    "redshift": _words("sysdate user current_role current_namespace"),
    "snowflake": frozenset({"sysdate"}),
    "hive": frozenset({"grouping__id"}),
    "sparksql": frozenset({"grouping__id"}),
}


@cache
def row_columns(dialect: SqlDialect) -> frozenset[str]:
    """Columns that every table has without having declared them, in small letters."""
    return dialect.of(_ROW_COLUMNS, frozenset())


@cache
def value_words(dialect: SqlDialect) -> frozenset[str]:
    """Words that stand for a value and belong to no table, in small letters."""
    return _DEFAULT | dialect.of(_VALUE_WORDS, frozenset())
