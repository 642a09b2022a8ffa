"""From rows of sources to units, in DataFrames.

Everything is the DataFrame API, so that it runs on Spark Connect as well. Texts are moved as little as may be: what is
distinct, known or chosen is decided on hashes, and only what is analysed travels whole.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from pyspark.sql import functions as sf
from pyspark.sql.window import Window

from connector.pipeline.spark.workers import IDENTIFIED, UNIT_DDL, IdentifyTexts, SessionUnits

if TYPE_CHECKING:
    import pyarrow
    from pyspark.sql import Column, DataFrame

__all__ = [
    "GIANT",
    "Figures",
    "Identifying",
    "choose_units",
    "figures_of",
    "fingerprints",
    "group_rows",
    "history_of",
    "prepare",
    "session_units",
    "single_units",
    "spread",
]

_GROUP = ("gid", "text", "dialect", "database", "schema", "cluster", "source", "query", "origin", "first_line")
GIANT = 512_000
_LETTERS_FOR_A_UNIT = 500
"""What a unit costs beyond its letters, in letters."""
_MOST_PARTITIONS = 2000


def fingerprints(rows: DataFrame) -> DataFrame:
    """Log rows by what makes them one and the same run of a statement, in whichever export they come again."""
    parts = [
        sf.coalesce(sf.col(name).cast("string"), sf.lit("\0"))
        for name in (
            "source",
            "run_id",
            "session_id",
            "user",
            "started_at",
            "duration_ms",
            "database",
            "schema",
            "text",
        )
    ]
    return rows.withColumn("row_hash", sf.unhex(sf.md5(sf.concat_ws("\1", *parts))))


def prepare(rows: DataFrame) -> DataFrame:
    """Rows with the number of their group: everything that decides how a text is understood, and where it comes from.

    The rows of one log count as one place, in however many files it comes.
    """
    query = sf.col("kind") == "query"
    rows = (
        rows.withColumn("query", query)
        .withColumn("origin", sf.when(query, sf.col("source")).otherwise(sf.col("origin")))
        .withColumn("first_line", sf.when(query, sf.lit(1)).otherwise(sf.col("first_line")))
    )
    names = ("text", "dialect", "database", "schema", "cluster", "source", "query", "origin", "first_line")
    parts = [sf.coalesce(sf.col(name).cast("string"), sf.lit("\0")) for name in names]
    return rows.withColumn("gid", sf.md5(sf.concat_ws("\1", *parts)))


def group_rows(rows: DataFrame) -> DataFrame:
    """One row for each text in its place, with what its new runs tell."""
    new = sf.col("new")
    return rows.groupBy(*_GROUP).agg(
        sf.count(sf.when(new, 1)).alias("runs"),
        sf.min(sf.when(new, sf.col("started_at"))).alias("first_seen"),
        sf.max(sf.when(new, sf.col("started_at"))).alias("last_seen"),
        sf.collect_set(sf.when(new, sf.col("user"))).alias("users"),
    )


@dataclass(frozen=True)
class Identifying:
    """Adds to groups what their texts hold."""

    worker: IdentifyTexts

    def __call__(self, groups: DataFrame) -> DataFrame:
        schema = ", ".join(f"`{field.name}` {field.dataType.simpleString()}" for field in groups.schema.fields)
        return groups.mapInArrow(self.worker, f"{schema}, {IDENTIFIED}")


def history_of(groups: DataFrame) -> DataFrame:
    """When, how often and by whom each statement was run."""
    exploded = groups.where(sf.col("query") & (sf.col("runs") > 0)).select(
        "source", sf.explode("identities").alias("identity"), "first_seen", "last_seen", "runs", "users"
    )
    return exploded.groupBy("source", "identity").agg(
        sf.min("first_seen").alias("first_seen"),
        sf.max("last_seen").alias("last_seen"),
        sf.sum("runs").alias("run_count"),
        sf.array_sort(sf.array_distinct(sf.flatten(sf.collect_list("users")))).alias("users"),
    )


def single_units(groups: DataFrame) -> DataFrame:
    """Each text as a unit of its own."""
    text = sf.struct(sf.col("text"), sf.col("origin").alias("name"), sf.col("database"), sf.col("schema"))
    return groups.where(sf.col("statements") > 0).select(
        "gid",
        "key",
        sf.md5("text").alias("chosen_by"),
        "dialect",
        "cluster",
        "source",
        sf.col("first_line").alias("line"),
        "statements",
        "size",
        "reason",
        "message",
        sf.array(text).alias("texts"),
    )


def session_units(rows: DataFrame, groups: DataFrame, worker: SessionUnits) -> tuple[DataFrame, DataFrame]:
    """Sessions that change state as units, and the groups that also stand outside of such sessions."""
    session = ["source", "session_id"]
    in_session = rows.where(sf.col("session_id").isNotNull() & sf.col("query")).select(
        "gid", *session, "started_at", "sequence"
    )
    changing = groups.where("changes").select("gid")
    stateful = in_session.join(changing, "gid", "left_semi").select(*session).distinct()
    described = groups.select(
        "gid", "text", "dialect", "database", "schema", "cluster", "origin", "identities", "changes"
    )
    members = in_session.join(stateful, session, "left_semi").join(described, "gid")

    def units_of(table: pyarrow.Table) -> pyarrow.Table:  # Spark counts the arguments of what it is given
        return worker(table)

    units = members.groupBy(*session).applyInArrow(units_of, UNIT_DDL)
    outside = rows.select("gid", *session).join(stateful, session, "left_anti").select("gid").distinct()
    return units, groups.join(outside, "gid", "left_semi")


def choose_units(candidates: DataFrame, known: DataFrame | None) -> DataFrame:
    """One unit for each key, without its texts, and whether it is known."""
    name = sf.col("texts").getItem(0).getField("name").alias("name")
    heads = candidates.select("key", "chosen_by", "source", "line", name, "gid", "size")
    order = Window.partitionBy("key").orderBy("chosen_by", "source", "line", "name", "gid")
    chosen = heads.withColumn("place", sf.row_number().over(order)).where("place = 1").select("key", "gid", "size")
    if known is None:
        return chosen.withColumn("known", sf.lit(False))
    flagged = chosen.join(known.withColumn("found", sf.lit(True)), "key", "left")
    return flagged.withColumn("known", sf.coalesce("found", sf.lit(False))).drop("found")


def spread(chosen: DataFrame, candidates: DataFrame, figures: Figures, wanted: int | None) -> DataFrame:
    """Units over partitions: giants alone, the others so that each partition has about the same to do.

    What is in a partition, and in which order, follows from keys and sizes alone.
    """
    cost = figures.letters + figures.units * _LETTERS_FOR_A_UNIT
    partitions = wanted or min(max(-(-cost // GIANT), 1), _MOST_PARTITIONS)
    place: Column = sf.pmod(sf.xxhash64("key"), sf.lit(partitions)).cast("int")
    if figures.giants and not wanted:
        large = chosen.where(sf.col("size") > GIANT).select("key")
        numbered = large.withColumn("giant", sf.row_number().over(Window.orderBy("key")) + sf.lit(partitions - 1))
        chosen = chosen.join(sf.broadcast(numbered), "key", "left")
        place = sf.coalesce(sf.col("giant"), place)
        partitions += figures.giants
    located = chosen.select("key", "gid", place.alias("place"))
    located = candidates.join(located, ["key", "gid"])
    spread_out = (
        located.repartitionById(partitions, sf.col("place"))
        if hasattr(located, "repartitionById")
        else located.repartition(partitions, "place")
    )
    return spread_out.drop("place", "gid").sortWithinPartitions("key")


@dataclass(frozen=True)
class Figures:
    """How much there is to do."""

    units: int
    letters: int
    giants: int
    """Units that are too large to share a partition with others."""
    known: int = 0

    def share(self, parts: int) -> Figures:
        """About what falls to one of several parts."""
        return Figures(self.units // parts, self.letters // parts, self.giants)


def figures_of(chosen: DataFrame) -> DataFrame:
    """One row with what `Figures` wants to know."""
    new = ~sf.col("known")
    return chosen.agg(
        sf.count(sf.when(new, 1)).alias("units"),
        sf.coalesce(sf.sum(sf.when(new, sf.col("size"))), sf.lit(0)).alias("letters"),
        sf.count(sf.when(new & (sf.col("size") > GIANT), 1)).alias("giants"),
        sf.count(sf.when(~new, 1)).alias("known"),
    )
