"""The tables of the store, in their latest version.

Two tables come from the model's specification: every database object with the guid of its parent, and every column. All others
contain lineage. Edges refer to their ends by number, which is the guid of the object or column as an integer, so that the
recursive queries only compare integers. The keys of the edge tables start with the target, for upstream queries; an index that
starts with the source serves downstream queries.

A statement is one row, however often it is seen. When it was seen is not part of that row: a load records its set of statements
once (a batch), and each run refers to its batch, so that loading the same input again only adds one row to the runs.
"""

from __future__ import annotations

from sqlalchemy import (
    BigInteger,
    Boolean,
    Column,
    DateTime,
    Index,
    Integer,
    MetaData,
    String,
    Table,
    Text,
    UniqueConstraint,
    column,
    select,
    table,
)

NO_PROCESS = 0
"""The process number of an edge without a statement, such as a foreign key in a CREATE TABLE."""

REFERENCE = MetaData()
"""The tables of the model's specification."""

OBJECTS = Table(
    "sqlflow_dbobjects",
    REFERENCE,
    Column("guid", String(40), primary_key=True),
    Column("parent_id", String(40), index=True),
    Column("qualified_name", Text, nullable=False),
    Column("object_type", String(40), nullable=False),
    Column("ddl", Text),
    Column("ddl_hashId", String(40)),
    Column("comment", Text),
    UniqueConstraint("qualified_name", "object_type"),
)

COLUMNS = Table(
    "sqlflow_columns",
    REFERENCE,
    Column("guid", String(40), primary_key=True),
    Column("parent_id", String(40), nullable=False, index=True),
    Column("qualified_name", Text, nullable=False),
    Column("comment", Text),
)

OBJECT_NAMES = select(OBJECTS.c.guid, OBJECTS.c.qualified_name, OBJECTS.c.object_type)
COLUMN_NAMES = select(COLUMNS.c.guid, COLUMNS.c.qualified_name, OBJECTS.c.object_type).join(
    OBJECTS, OBJECTS.c.guid == COLUMNS.c.parent_id
)
"""Guid, name and the type of the object: its own, or that of the object the column belongs to."""

LINEAGE = MetaData()
"""The tables that contain lineage."""

VERSION = Table("lineage_schema_version", LINEAGE, Column("version", Integer, nullable=False))
"""One row: which version of the schema the store has."""

PROCESSES = Table(
    "lineage_processes",
    LINEAGE,
    Column("id", BigInteger, primary_key=True, autoincrement=False),
    Column("qualified_name", Text, nullable=False, unique=True),
    Column("type", String(80), nullable=False),
    Column("query_hash_id", String(40), nullable=False, index=True),
    Column("text_hash_id", String(40), nullable=False),
    Column("procedure_name", Text, nullable=False),
    Column("approximate", Boolean, nullable=False),
    Column("sql_text", Text),
)

COLUMN_EDGES = Table(
    "lineage_column_edges",
    LINEAGE,
    Column("target_id", BigInteger, primary_key=True, autoincrement=False),
    Column("source_id", BigInteger, primary_key=True, autoincrement=False),
    Column("process_id", BigInteger, primary_key=True, autoincrement=False, index=True),
    Column("type", String(8), primary_key=True),
    Column("effect_type", String(40)),
    Column("clause_type", String(40)),
    Column("join_type", String(40)),
    Column("condition", Text),
    Column("expression", Text),
    Column("transformation", String(40)),
    Index("ix_lineage_column_edges_downstream", "source_id", "target_id"),
    sqlite_with_rowid=False,
)

TABLE_EDGES = Table(
    "lineage_table_edges",
    LINEAGE,
    Column("target_id", BigInteger, primary_key=True, autoincrement=False),
    Column("source_id", BigInteger, primary_key=True, autoincrement=False),
    Column("process_id", BigInteger, primary_key=True, autoincrement=False, index=True),
    Column("type", String(8), nullable=False),
    Index("ix_lineage_table_edges_downstream", "source_id", "target_id"),
    sqlite_with_rowid=False,
)

BATCHES = Table(
    "lineage_batches",
    LINEAGE,
    Column("id", BigInteger, primary_key=True, autoincrement=False),
    Column("processes", Integer, nullable=False),
)

BATCH_PROCESSES = Table(
    "lineage_batch_processes",
    LINEAGE,
    Column("process_id", BigInteger, primary_key=True, autoincrement=False),
    Column("batch_id", BigInteger, primary_key=True, autoincrement=False),
    sqlite_with_rowid=False,
)

RUNS = Table(
    "lineage_runs",
    LINEAGE,
    Column("id", Integer, primary_key=True),
    Column("run", Text, nullable=False),
    Column("source", Text, nullable=False),
    Column("batch_id", BigInteger, nullable=False, index=True),
    Column("started_at", DateTime(timezone=True), nullable=False),
    Column("finished_at", DateTime(timezone=True), nullable=False),
    Column("problems", Integer, nullable=False),
    Column("created", Integer, nullable=False),
    Column("updated", Integer, nullable=False),
    Column("removed", Integer, nullable=False),
    Column("unchanged", Integer, nullable=False),
)

LOG_HISTORY = Table(
    "lineage_log_history",
    LINEAGE,
    Column("query_hash_id", String(40), primary_key=True),
    Column("source", String(200), primary_key=True),
    Column("first_seen", DateTime(timezone=True)),
    Column("last_seen", DateTime(timezone=True)),
    Column("run_count", BigInteger, nullable=False),
    Column("users", Text, nullable=False),
)
"""What query logs record about statements: when, how often and by whom they were run. Users are a JSON array."""

DELIVERIES = Table(
    "lineage_deliveries",
    LINEAGE,
    Column("delivery", String(80), primary_key=True),
    Column("delivered_at", DateTime(timezone=True), nullable=False),
)
"""The deliveries of a pipeline. A delivery is recorded in the transaction that loads it, so it is loaded only once."""

OBJECT, COLUMN = "object", "column"
"""The kinds of descriptions."""

DESCRIPTIONS = Table(
    "lineage_descriptions",
    LINEAGE,
    Column("kind", String(8), primary_key=True),
    Column("guid", String(40), primary_key=True),
    Column("data_type", Text),
    Column("comment", Text),
    sqlite_with_rowid=False,
)
"""What definitions and metadata say about an `object` or a `column`. The comments of the `sqlflow_` tables belong to people."""

FIRST_PROCESS_HISTORY_DDL = """
CREATE VIEW lineage_process_history AS
SELECT member.process_id AS process_id,
       min(runs.started_at) AS first_seen,
       max(runs.started_at) AS last_seen,
       count(DISTINCT runs.run) AS run_count
FROM lineage_batch_processes AS member
JOIN lineage_runs AS runs ON runs.batch_id = member.batch_id
GROUP BY member.process_id
"""
"""As version 2 has it."""

PROCESS_HISTORY_DDL = """
CREATE VIEW lineage_process_history AS
SELECT process.id AS process_id,
       coalesce(log.first_seen, loads.first_seen) AS first_seen,
       coalesce(log.last_seen, loads.last_seen) AS last_seen,
       coalesce(log.run_count, loads.run_count) AS run_count
FROM lineage_processes AS process
LEFT JOIN (SELECT query_hash_id, min(first_seen) AS first_seen, max(last_seen) AS last_seen,
                  CAST(sum(run_count) AS BIGINT) AS run_count
           FROM lineage_log_history GROUP BY query_hash_id) AS log ON log.query_hash_id = process.query_hash_id
LEFT JOIN (SELECT member.process_id AS process_id, min(runs.started_at) AS first_seen, max(runs.started_at) AS last_seen,
                  count(DISTINCT runs.run) AS run_count
           FROM lineage_batch_processes AS member
           JOIN lineage_runs AS runs ON runs.batch_id = member.batch_id
           GROUP BY member.process_id) AS loads ON loads.process_id = process.id
"""

PROCESS_HISTORY = table(
    "lineage_process_history",
    column("process_id", BigInteger),
    column("first_seen", DateTime(timezone=True)),
    column("last_seen", DateTime(timezone=True)),
    column("run_count", Integer),
)
"""When each process was first and last seen, and how often: after the query logs that hold it, else after the loads."""
