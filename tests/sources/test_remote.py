"""Scripts and logs at addresses are read as those of this machine are: on S3 and on HDFS, with real servers."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Callable
from datetime import datetime, timedelta, timezone
from typing import Any

import pytest
from cluster_fixtures import hadoop, s3, say  # noqa: F401 - fixtures
from servers import BUCKET, HadoopServer, S3Server

from connector.errors import ConfigurationError, SourceError, UnavailableError
from connector.sources import FilesSource, LogSource
from connector.sources.addresses import find_remote
from connector.sources.files import list_files, read_files
from connector.sources.logs.locating import fetched_files
from connector.sources.logs.plain import read_fetched
from connector.sources.record import Defaults

FILES = {
    "sql/b.sql": "select 1",
    "sql/deep/a.sql": "insert into t select x from u",
    "sql/deep/notes.md": "no SQL",
    "log/day-1.csv": "query_text,user_name\nselect 1,ann\n",
    "log/day-2.csv": "user_name,query_text\nbob,select 2\n",
    "log/_SUCCESS": "",
}


def archive() -> bytes:
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w") as opened:
        opened.writestr("inside/z.sql", "select 9")
    return content.getvalue()


@pytest.fixture(scope="module", params=["s3", "hdfs"])
def remote(request: pytest.FixtureRequest) -> tuple[str, dict[str, str]]:
    """The address of a folder with the files, and how to reach it."""
    import pyarrow.fs as arrow_fs
    from deltalake.fs import DeltaStorageHandler

    if request.param == "s3":
        server: S3Server | HadoopServer = request.getfixturevalue("s3")
        address, options = f"s3://{BUCKET}/sources", server.environment
    else:
        server = request.getfixturevalue("hadoop")
        address, options = f"{server.hdfs}/sources", {}
    files = arrow_fs.PyFileSystem(DeltaStorageHandler(address, options))
    for name, text in {**FILES, "zipped/scripts.zip": archive()}.items():
        with files.open_output_stream(name, buffer_size=1 << 16) as stream:
            stream.write(text if isinstance(text, bytes) else text.encode())
    return address, options


Names = Callable[..., list[str]]


@pytest.fixture
def names(remote: tuple[str, dict[str, str]]) -> Names:
    address, options = remote

    def find(*paths: str, **more: Any) -> list[str]:
        source = FilesSource(paths=[f"{address}/{path}" for path in paths], options=options, **more)
        return [file.name for file in list_files(source)]

    return find


def test_folders_globs_files_and_archives(names: Names) -> None:
    assert names("sql") == ["b.sql", "deep/a.sql"]
    assert names("sql/") == ["b.sql", "deep/a.sql"]
    assert names("sql", exclude=["deep/*"]) == ["b.sql"]
    assert names("sql/*.sql") == ["b.sql"]
    assert names("sql/**/*.sql") == ["b.sql", "deep/a.sql"]
    assert names("sql/d??p/[a-c].sql") == ["deep/a.sql"]
    assert names("sql/deep/notes.md") == ["notes.md"], "a file that is named is meant"
    assert names("sql/b.sql", "sql/deep/a.sql") == ["a.sql", "b.sql"]
    assert names("zipped/scripts.zip") == ["scripts.zip/inside/z.sql"]


def test_scripts_are_read(remote: tuple[str, dict[str, str]]) -> None:
    address, options = remote
    source = FilesSource(name="s", paths=[f"{address}/sql", f"{address}/zipped/*.zip"], options=options)
    found = {each.origin: each.text for each in read_files(source, Defaults("ansi"))}
    assert found == {"b.sql": "select 1", "deep/a.sql": FILES["sql/deep/a.sql"], "scripts.zip/inside/z.sql": "select 9"}


def test_what_is_not_there(names: Names) -> None:
    with pytest.raises(SourceError, match="no SQL file found"):
        names("nowhere")
    with pytest.raises(SourceError, match="no SQL file found"):
        names("sql/*.ddl")


@pytest.mark.parametrize("remote", ["s3"], indirect=True)
def test_a_log_on_s3_is_fetched_file_by_file(remote: tuple[str, dict[str, str]]) -> None:
    address, options = remote
    columns = {"text": "query_text", "user": "user_name"}
    source = LogSource(name="log", paths=[f"{address}/log"], columns=columns, options=options)
    with pytest.raises(ConfigurationError, match="configure two sources"):
        fetched_files(source.model_copy(update={"paths": (*source.paths, "hdfs://host/log")}))
    files = fetched_files(source)
    assert [file.name for file in files] == ["day-1.csv", "day-2.csv"]
    assert files[0].modified is not None
    assert fetched_files(source, files[0].modified)[0] == files[0]
    assert fetched_files(source, datetime.now(timezone.utc) + timedelta(days=1)) == [], "nothing was written since"
    found = [
        (each.text, each.user) for each in read_fetched(source, files, Defaults("ansi")) if not isinstance(each, str)
    ]
    assert found == [("select 1", "ann"), ("select 2", "bob")]
    with pytest.raises(SourceError, match="there is no such file"):
        fetched_files(source.model_copy(update={"paths": (f"{address}/nothing",)}))


def test_a_storage_that_does_not_answer_and_no_secret_is_told() -> None:
    options = {"AWS_ENDPOINT_URL": "http://127.0.0.1:9", "AWS_ALLOW_HTTP": "true", "AWS_REGION": "x"}
    secret = {"AWS_ACCESS_KEY_ID": "id", "AWS_SECRET_ACCESS_KEY": "hidden-secret", "max_retries": "0"}
    with pytest.raises(UnavailableError, match="s3://bucket/sql: the storage cannot be read") as caught:
        find_remote("s3://bucket/sql", {**options, **secret})
    assert "hidden-secret" not in str(caught.value)
    assert "hidden-secret" not in repr(FilesSource(paths=["s3://bucket/sql"], options=secret))


def test_an_address_of_another_kind_is_refused() -> None:
    with pytest.raises(ConfigurationError, match=r"files cannot be read from ftp://"):
        list_files(FilesSource(paths=["ftp://host/sql"]))
