"""From distinct rows to units and history, in DataFrames.

Everything is the DataFrame API, so that it runs on Spark Connect as well. What is distinct or known is decided on keys, and
a text travels once more at most: to where it is analysed. Types and conditions are objects and no texts, for which Spark would
load its parser of SQL.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from pyspark.sql import functions as sf
from pyspark.sql.pandas.types import from_arrow_schema
from pyspark.sql.types import IntegerType
from pyspark.sql.window import Window

from connector.pipeline.spark.deduplication import RUN, TALLY, TEXT
from connector.pipeline.spark.sessions import MEMBER_SCHEMA, OF_SESSIONS, UNIT_SCHEMA, SessionUnits, SplitSessions
from connector.pipeline.spark.small import UNIT

if TYPE_CHECKING:
    from pyspark.sql import Column, DataFrame

GIANT = 512_000
"""Characters of a unit that gets a partition of its own, and the least that others have together."""
_MOST_TOGETHER = 8 * GIANT
"""The most: a task that is lost is done again, and the driver hears of progress by tasks."""
_ROUNDS = 4
"""How many tasks each core gets at least, where there is enough to do, so that all end at about the same time."""
_LETTERS_FOR_A_UNIT = 500
"""What a unit costs beyond its letters, in letters."""
_MOST_PARTITIONS = 2000
TALLIES = ("source", "key", "runs", "last_seen", "sessions")
"""What a tally consists of."""
_UNIT = ("key", "precedence", "size", "unit")


def tallies_of(distinct: DataFrame) -> DataFrame:
    """What each task has counted, the latest time it has seen, and the sessions that change state. They are few enough to be
    added up by the driver."""
    return distinct.where(sf.col("kind") == TALLY).select(*TALLIES)


def settled_units(distinct: DataFrame) -> DataFrame:
    """The units of a small input, which the driver has made."""
    return distinct.where(sf.col("kind") == UNIT).select(*_UNIT)


def single_units(distinct: DataFrame) -> DataFrame:
    """Each text as a unit of its own."""
    return distinct.where(sf.col("kind") == TEXT).select(*_UNIT)


def session_units(distinct: DataFrame, stateful: frozenset[tuple[str, str]], context: str) -> DataFrame:
    """Sessions that change state as units, and the texts that also stand outside of such sessions."""
    texts = distinct.where(sf.col("kind") == TEXT)
    members = from_arrow_schema(MEMBER_SCHEMA)
    split = texts.where(~sf.col("alone")).select(*OF_SESSIONS).mapInArrow(SplitSessions(stateful), members)
    together = split.repartition("place").sortWithinPartitions("place")
    units = together.mapInArrow(SessionUnits(context), from_arrow_schema(UNIT_SCHEMA))
    return units.unionByName(texts.where(sf.col("alone")).select(*_UNIT))


def runs_of(distinct: DataFrame) -> DataFrame:
    """What the logs tell of runs."""
    return distinct.where(sf.col("kind").isin(TEXT, RUN) & sf.col("runs").isNotNull()).select(
        "source", "identities", "runs", "first_seen", "last_seen", "users", "fingerprints"
    )


def new_runs(runs: DataFrame, counted: DataFrame) -> DataFrame:
    """The runs that were not counted before. Each has a row of its own."""
    named = runs.withColumn("fingerprint", sf.element_at("fingerprints", 1))
    return named.join(counted, "fingerprint", "left_anti").drop("fingerprint")


def fingerprints_of(runs: DataFrame) -> DataFrame:
    """The rows of the logs that are counted with these runs."""
    return runs.select(sf.explode("fingerprints").alias("fingerprint")).distinct()


def history_of(runs: DataFrame) -> DataFrame:
    """When, how often and by whom each statement was run."""
    exploded = runs.select(
        "source", sf.explode("identities").alias("identity"), "first_seen", "last_seen", "runs", "users"
    )
    return exploded.groupBy("source", "identity").agg(
        sf.min("first_seen").alias("first_seen"),
        sf.max("last_seen").alias("last_seen"),
        sf.sum("runs").alias("run_count"),
        sf.array_sort(sf.array_distinct(sf.flatten(sf.collect_list("users")))).alias("users"),
    )


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

    def partitions(self, parallelism: int) -> int:
        """How many partitions so much is worth, where so many tasks run at once. Each task costs something by itself."""
        cost = self.letters + self.units * _LETTERS_FOR_A_UNIT
        fewest, most = (-(-cost // size) for size in (_MOST_TOGETHER, GIANT))
        return max(1, min(max(fewest, min(most, _ROUNDS * parallelism)), _MOST_PARTITIONS))


def figures_of(candidates: DataFrame, known: DataFrame | None) -> DataFrame:
    """One row with what `Figures` wants to know."""
    units = candidates.groupBy("key").agg(sf.max("size").alias("size"))
    new: Column = sf.lit(True)
    if known is not None:
        units = units.join(known.withColumn("found", sf.lit(True)), "key", "left")
        new = sf.col("found").isNull()
    return units.agg(
        sf.count(sf.when(new, 1)).alias("units"),
        sf.coalesce(sf.sum(sf.when(new, sf.col("size"))), sf.lit(0)).alias("letters"),
        sf.count(sf.when(new & (sf.col("size") > GIANT), 1)).alias("giants"),
        sf.count(sf.when(~new, 1)).alias("known"),
    )


def spread(units: DataFrame, figures: Figures, partitions: int, *, giants_apart: bool = True) -> DataFrame:
    """Units over partitions: giants alone, the others so that each partition has about the same to do.

    All units with one key come to the same partition, the one that is analysed first.
    """
    place: Column = sf.pmod(sf.xxhash64("key"), sf.lit(partitions)).cast(IntegerType())
    if figures.giants and giants_apart:
        large = units.where(sf.col("size") > GIANT).select("key").distinct()
        numbered = large.withColumn("giant", sf.row_number().over(Window.orderBy("key")) + sf.lit(partitions - 1))
        units = units.join(sf.broadcast(numbered), "key", "left")
        place = sf.coalesce(sf.col("giant"), place)
        partitions += figures.giants
    placed = units.select("key", "precedence", "unit", place.alias("place"))
    spread_out = (
        placed.repartitionById(partitions, sf.col("place"))
        if hasattr(placed, "repartitionById")
        else placed.repartition(partitions, "place")
    )
    return spread_out.sortWithinPartitions("key", "precedence").select("key", "unit")
