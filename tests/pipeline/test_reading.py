"""What is known of sources before they are read."""

from pathlib import Path

from connector.pipeline.reading import ReadSource
from connector.sources.models import LogSource
from connector.sources.record import SourceStatement


def of_log(*files: str) -> ReadSource:
    source = LogSource(name="log", paths=("unused",), columns={"text": "query"})
    return ReadSource(source, {"files": [[str(Path("logs", name)), 1000, 0] for name in files]})


def test_files_of_text_tell_how_much_there_is_to_read() -> None:
    assert of_log("a.csv", "b.JSONL").letters == 2000


def test_packed_files_and_columns_do_not() -> None:
    for name in ("b.csv.gz", "b.parquet", "table"):
        assert of_log("a.csv", name).letters is None


def test_a_log_that_is_elsewhere_does_not() -> None:
    assert ReadSource(of_log().source, {"files": None}).letters is None


def test_scripts_have_been_read() -> None:
    statements = [SourceStatement("select 1", "sql"), SourceStatement("select 22", "sql")]
    assert ReadSource(of_log().source, {}, statements=statements).letters == 17
