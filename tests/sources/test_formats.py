"""The same rows in every format of files, read by us and by Spark."""

from __future__ import annotations

import bz2
import csv
import gzip
import io
import json
import lzma
import sys
from collections.abc import Callable
from datetime import datetime, timedelta, timezone
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pyarrow as pa
import pytest
from pyarrow import orc, parquet
from vendor_logs import PRESETS, in_order, vendor_log

from connector.errors import ConfigurationError, SourceError
from connector.sources import Defaults, LogSource, SourceStatement, Tally, read_plain, read_spark, spark_schema
from connector.sources.record import FIELDS

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

START = datetime(2024, 5, 1, 9, tzinfo=timezone.utc)
TEXTS = [
    "select 1",
    "select \"a, b\",\r\n  'it''s'\tfrom t; -- \"quoted\"\n",
    "select 'größe €  中文 🙂' from t",
    "",
    "insert into t\\n select '\\' from \\N",
    "select '" + "x" * 200_000 + "'",
]
COLUMNS = {
    "text": "q",
    "started_at": "at",
    "duration": "ms",
    "user": "who",
    "session_id": "meta.session",
    "run_id": "id",
}


def rows() -> list[dict[str, Any]]:
    return [
        {
            "id": number,
            "q": text,
            "at": START + timedelta(seconds=number, microseconds=7),
            "ms": number * 10,
            "who": "ana" if number % 2 else None,
            "meta": {"session": f"s{number}"},
            "status": "ok",
        }
        for number, text in enumerate(TEXTS)
    ]


def expected(source: LogSource, *, nested: bool = True) -> list[SourceStatement]:
    return [
        SourceStatement(
            text=row["q"],
            dialect="snowflake",
            kind="query",
            origin=source.name,
            user=row["who"],
            started_at=row["at"],
            duration_ms=row["ms"],
            run_id=str(row["id"]),
            session_id=row["meta"]["session"] if nested else None,
            source=source.name,
        )
        for row in rows()
        if row["q"]
    ]


def collect(frame: DataFrame) -> list[SourceStatement]:
    assert [field.name for field in frame.schema] == [field.name for field in spark_schema()]
    return [SourceStatement(**{name: row[name] for name in FIELDS}) for row in frame.toArrow().to_pylist()]


def csv_text(delimiter: str = ",", **format_: Any) -> str:
    text = io.StringIO(newline="")
    writer = csv.writer(text, delimiter=delimiter, **format_)
    writer.writerow(["id", "q", "at", "ms", "who", "meta.session", "status"])
    for row in rows():
        at = row["at"].isoformat()
        writer.writerow([row["id"], row["q"], at, row["ms"], row["who"], row["meta"]["session"], row["status"]])
    return text.getvalue()


def json_rows() -> list[dict[str, Any]]:
    return [{**row, "at": row["at"].isoformat()} for row in rows()]


def write_csv(path: Path) -> None:
    path.write_bytes(csv_text().encode())


def write_jsonl(path: Path) -> None:
    path.write_text("\n".join(json.dumps(row, ensure_ascii=False) for row in json_rows()) + "\n", encoding="utf-8")


def write_json(path: Path) -> None:
    path.write_text(json.dumps({"res": json_rows(), "next": "x"}, indent=1), encoding="utf-8")


def write_parquet(path: Path) -> None:
    parquet.write_table(pa.Table.from_pylist(rows()), path)


def write_orc(path: Path) -> None:
    orc.write_table(pa.Table.from_pylist(rows()), str(path))


def packed(pack: Callable[[bytes], bytes], write: Callable[[Path], None]) -> Callable[[Path], None]:
    def write_packed(path: Path) -> None:
        write(path)
        path.write_bytes(pack(path.read_bytes()))

    return write_packed


def write_marked(path: Path) -> None:
    path.write_bytes(csv_text().encode("utf-8-sig"))


def write_tabs(path: Path) -> None:
    path.write_bytes(csv_text("\t", lineterminator="\n").encode())


FILES: dict[str, Callable[[Path], None]] = {
    "log.csv": write_csv,
    "marked.csv": write_marked,
    "log.csv.gz": packed(gzip.compress, write_csv),
    "log.csv.bz2": packed(bz2.compress, write_csv),
    "log.csv.xz": packed(lzma.compress, write_csv),
    "log.tsv": write_tabs,
    "log.jsonl": write_jsonl,
    "log.ndjson.gz": packed(gzip.compress, write_jsonl),
    "log.json": write_json,
    "log.parquet": write_parquet,
    "log.orc": write_orc,
}

DEFAULTS = Defaults("snowflake")


def log(*paths: Path, **settings: Any) -> LogSource:
    given = {"name": "history", "paths": [str(path) for path in paths], "columns": COLUMNS, **settings}
    return LogSource.model_validate(given)


@pytest.mark.parametrize("name", FILES)
def test_a_file_is_read_without_spark(tmp_path: Path, name: str) -> None:
    FILES[name](tmp_path / name)
    source = log(tmp_path / name)
    tally = Tally()
    assert list(read_plain(source, DEFAULTS, tally=tally)) == expected(source)
    assert (tally.read, tally.empty, tally.passed_over) == (5, 1, 1)


@pytest.mark.parametrize("name", FILES)
def test_a_file_is_read_by_spark(tmp_path: Path, name: str, spark: SparkSession) -> None:
    FILES[name](tmp_path / name)
    source = log(tmp_path / name)
    assert in_order(collect(read_spark(spark, source, DEFAULTS))) == in_order(expected(source))


@pytest.mark.parametrize("preset", PRESETS)
def test_spark_reads_what_we_read(preset: str, spark: SparkSession) -> None:
    from pyspark.sql import Observation

    source = vendor_log(preset)
    tally, observation = Tally(), Observation()
    plain = list(read_plain(source, tally=tally))
    frame = read_spark(spark, source, observation=observation)
    assert in_order(collect(frame)) == in_order(plain)
    assert Tally.of(observation.get) == tally


def both(spark: SparkSession, source: LogSource, since: datetime | None = None) -> list[SourceStatement]:
    """What both readers give, which is the same."""
    plain = in_order(read_plain(source, DEFAULTS, since=since))
    assert in_order(collect(read_spark(spark, source, DEFAULTS, since=since))) == plain
    return plain


def test_a_folder_of_files_whose_columns_differ(tmp_path: Path, spark: SparkSession) -> None:
    (tmp_path / "day=1").mkdir()
    (tmp_path / "a.csv").write_text("q,user\nselect 1,ana\n")
    (tmp_path / "b.csv").write_text("USER,ignored,Q\nbob,x,select 2\n")
    (tmp_path / "day=1" / "c.jsonl").write_text('{"q": "select 3"}\nno JSON\n{"user": "eve", "Q": "select 4"}\n')
    (tmp_path / "d [1] {2} 100%.csv").write_text("q\nselect 5\n")
    (tmp_path / "_SUCCESS").touch()
    source = log(tmp_path, preset="hive", columns={"text": "q"}, dialect="ansi")
    found = [(each.text, each.user) for each in both(spark, source)]
    assert found == [
        ("select 1", "ana"),
        ("select 2", "bob"),
        ("select 3", None),
        ("select 4", "eve"),
        ("select 5", None),
    ]


def test_a_glob(tmp_path: Path, spark: SparkSession) -> None:
    for day in (1, 2):
        (tmp_path / f"log-{day}.csv").write_text(f"q\nselect {day}\n")
    (tmp_path / "other.csv").write_text("q\nselect 3\n")
    assert [each.text for each in both(spark, log(tmp_path / "log-*.csv", columns={"text": "q"}))] == [
        "select 1",
        "select 2",
    ]


@pytest.mark.parametrize("encoding", ["utf-16", "latin-1", "cp1252"])
def test_an_encoding(tmp_path: Path, encoding: str, spark: SparkSession) -> None:
    (tmp_path / "log.csv").write_bytes("q\nselect 'größe'\n".encode(encoding))
    (found,) = both(spark, log(tmp_path / "log.csv", encoding=encoding, columns={"text": "q"}))
    assert found.text == "select 'größe'"


def test_a_file_without_a_first_line_of_names(tmp_path: Path, spark: SparkSession) -> None:
    (tmp_path / "log.csv").write_text("ana|'select ''a|b'''\nbob|select 2\n")
    source = log(tmp_path / "log.csv", header=["u", "q"], delimiter="|", quote="'", columns={"text": "q", "user": "u"})
    assert [(each.user, each.text) for each in both(spark, source)] == [("ana", "select 'a|b'"), ("bob", "select 2")]


def test_quotes_behind_a_backslash(tmp_path: Path, spark: SparkSession) -> None:
    (tmp_path / "log.csv").write_text('q,u\n"select \\"a\\"",ana\n')
    source = log(tmp_path / "log.csv", escape="\\", columns={"text": "q", "user": "u"})
    assert [(each.text, each.user) for each in both(spark, source)] == [('select "a"', "ana")]


def test_only_what_is_new(tmp_path: Path, spark: SparkSession) -> None:
    write_parquet(tmp_path / "log.parquet")
    found = both(spark, log(tmp_path / "log.parquet"), since=START + timedelta(seconds=2))
    assert [each.run_id for each in found] == ["2", "4", "5"]


def test_times_without_a_zone(tmp_path: Path, spark: SparkSession) -> None:
    table = pa.table({"q": ["select 1"], "at": pa.array([datetime(2024, 5, 1, 11)], pa.timestamp("us"))})
    parquet.write_table(table, tmp_path / "log.parquet")
    source = log(tmp_path / "log.parquet", columns={"text": "q", "started_at": "at"}, timezone="Europe/Berlin")
    assert [each.started_at for each in both(spark, source)] == [START]


def test_pieces_over_many_partitions_and_files(tmp_path: Path, spark: SparkSession) -> None:
    texts = {
        f"{number}": "".join(f"select {number}, {piece};" for piece in range(number % 7 + 1)) for number in range(200)
    }
    pieces = [
        (key, number, text[number * 10 : number * 10 + 10])
        for key, text in texts.items()
        for number in range(-(-len(text) // 10))
    ]
    pieces.sort(key=lambda piece: (hash(piece[2]) % 17, piece))
    for part in range(4):
        body = "".join(f'{key},{number},"{text}"\n' for key, number, text in pieces[part::4])
        (tmp_path / f"texts-{part}.csv").write_text(f"id,n,piece\n{body}")
    (tmp_path / "log.csv").write_text("id,who\n" + "".join(f"{key},ana\n" for key in texts))
    how = {
        "pieces": {"key": "id", "sequence": "n", "text": "piece", "size": 10},
        "columns": {"run_id": "id", "user": "who"},
    }
    source = log(tmp_path / "log.csv", texts=str(tmp_path / "texts-*.csv"), **how)
    assert {each.run_id: each.text for each in both(spark, source)} == texts


def test_a_table_of_sparks_catalog(tmp_path: Path, spark: SparkSession) -> None:
    write_parquet(tmp_path / "log.parquet")
    spark.sql("CREATE DATABASE IF NOT EXISTS audit")
    spark.sql("DROP TABLE IF EXISTS audit.query_log")
    stored = "STORED AS" if spark.conf.get("spark.sql.catalogImplementation") == "hive" else "USING"
    columns = "id BIGINT, q STRING, at TIMESTAMP, ms BIGINT, who STRING, meta STRUCT<session: STRING>"
    spark.sql(f"CREATE TABLE audit.query_log ({columns}) {stored} PARQUET")
    spark.read.parquet(str(tmp_path / "log.parquet")).drop("status").write.insertInto("audit.query_log")
    source = log(table="audit.query_log", paths=[])
    assert in_order(collect(read_spark(spark, source, DEFAULTS))) == in_order(expected(source))
    query = log(query="SELECT q, id FROM audit.query_log WHERE id < 2", paths=[], columns={"text": "q", "run_id": "id"})
    assert [each.run_id for each in in_order(collect(read_spark(spark, query, DEFAULTS)))] == ["0", "1"]
    with pytest.raises(ConfigurationError, match="is read from Spark's catalog, which requires Spark"):
        list(read_plain(source, DEFAULTS))


def test_a_database_through_jdbc(tmp_path: Path, spark: SparkSession) -> None:
    """Derby comes with Spark, so that a real JDBC driver is at hand."""
    url = f"jdbc:derby:{tmp_path / 'derby'}"
    columns = spark.createDataFrame([(1, "select 1", START), (2, "select 2", START)], "id int, q string, at timestamp")
    columns.write.format("jdbc").options(url=f"{url};create=true", dbtable="log").save()
    how = {"columns": {"text": "q", "run_id": "id", "started_at": "at"}, "paths": [], "url": url}
    for place in ({"table": "log"}, {"query": "SELECT * FROM log WHERE 1 = 1"}):
        found = in_order(collect(read_spark(spark, log(**how, **place), DEFAULTS)))
        assert [(each.text, each.run_id, each.started_at) for each in found] == [
            ("select 1", "1", START),
            ("select 2", "2", START),
        ]
    execute = columns.selectExpr("id + 2 AS id", "q", "at + INTERVAL 1 HOUR AS at").write.mode("append").format("jdbc")
    execute.options(url=url, dbtable="log").save()
    from pyspark.sql import Observation

    tally = Observation()
    later = read_spark(spark, log(**how, table="log"), since=START + timedelta(minutes=1), observation=tally)
    assert sorted(each.run_id or "" for each in collect(later)) == ["3", "4"]
    assert Tally.of(tally.get).old == 0, "the database has left them out"
    parts = {"partitionColumn": "id", "lowerBound": "1", "upperBound": "3", "numPartitions": "2"}
    found = collect(read_spark(spark, log(**how, table="log", reader_options=parts), DEFAULTS))
    assert len(found) == 4


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("log.csv", b"", "the file is empty"),
        ("log.csv", b"q\nselect \xff", "not valid utf-8: invalid start byte; set encoding"),
        ("log.parquet", b"no", "not a valid Parquet file: "),
        ("log.orc", b"no", "not a valid ORC file: "),
        ("log.jsonl", b"no\n", "its rows are not valid JSON objects"),
        ("log.csv.gz", b"no", "the file is damaged: Not a gzipped file (b'no')"),
        ("log.xml", b"<a/>", "cannot infer the format from the file name (.csv, "),
    ],
)
def test_a_file_that_cannot_be_read_is_said(tmp_path: Path, name: str, content: bytes, message: str) -> None:
    (tmp_path / name).write_bytes(content)
    with pytest.raises((SourceError, ConfigurationError)) as caught:
        list(read_plain(log(tmp_path / name, columns={"text": "q"})))
    assert str(caught.value).replace(f"{tmp_path}/", "").startswith(f"{name}: {message}")


def test_a_file_that_is_missing_is_said(tmp_path: Path) -> None:
    with pytest.raises(SourceError, match=r"none\.csv: no such file"):
        list(read_plain(log(tmp_path / "none.csv")))
    with pytest.raises(ConfigurationError, match="only Spark can read files that are not on this machine"):
        list(read_plain(LogSource(paths=("s3a://bucket/log.csv",), preset="snowflake")))


def test_nothing_of_spark_is_loaded_without_it() -> None:
    import subprocess

    program = "import sys, connector.sources, connector.settings; print({'pyspark', 'pyarrow', 'sqlalchemy'} & set(sys.modules))"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "set()"
