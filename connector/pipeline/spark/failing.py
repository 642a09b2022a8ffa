"""A log that Spark cannot read: found out by itself, and reported with the reason that a plain reader gives."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from py4j.protocol import Py4JError
from pyspark.errors import PySparkException

from connector.errors import ConnectorError, SourceError, UnavailableError
from connector.pipeline.spark.steps import first_line
from connector.sources import read_plain
from connector.sources.models import LogSource

if TYPE_CHECKING:
    from connector.pipeline.reading import ReadSource, Unread
    from connector.sources.record import Defaults

__all__ = ["reading_source"]


@contextmanager
def reading_source(source: ReadSource, defaults: Defaults, unread: Unread) -> Iterator[None]:
    """Failures to read one source, noted so that the others can be read."""
    try:
        yield
    except ConnectorError as error:
        unread[source.name] = error
    except (PySparkException, Py4JError) as error:
        unread[source.name] = _reason(source, defaults, error)


def _reason(source: ReadSource, defaults: Defaults, error: Exception) -> ConnectorError:
    """Spark names a class and a line of Java; where the files are on this machine, we can say which of them is broken."""
    if isinstance(source.source, LogSource) and source.mark.get("files") is not None:
        try:
            for _ in read_plain(source.source, defaults):
                pass
        except ConnectorError as ours:
            return ours
        except OSError as ours:
            return SourceError(f"{ours.filename or source.source.place}: {ours.strerror or ours}")
    return UnavailableError(f"{source.source.place}: Spark cannot read it: {first_line(error)}")
