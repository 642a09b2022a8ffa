"""Groups the rows of a source: which contain the same statements in the same context, and which are the same row."""

from __future__ import annotations

from collections.abc import Iterable
from hashlib import md5
from typing import NamedTuple

from connector.common.hashing import text_hash
from connector.pipeline.units import Identified, Unit, UnitText, unit_key
from connector.sources.record import SourceStatement


class Group(NamedTuple):
    """A text in its place: everything that decides how it is understood, and where it comes from."""

    text: str
    dialect: str
    database: str | None
    schema: str | None
    cluster: str | None
    source: str
    query: bool
    origin: str
    line: int

    @property
    def number(self) -> str:
        """What tells it from all others."""
        return md5(_bytes(self), usedforsecurity=False).hexdigest()


def group_of(row: SourceStatement) -> Group:
    """The group of a row. The rows of one log count as one place, in however many files it comes."""
    query = row.kind == "query"
    return Group(
        row.text,
        row.dialect,
        row.database,
        row.schema,
        row.cluster,
        row.source,
        query,
        row.source if query else row.origin,
        1 if query else row.first_line,
    )


def row_name(row: SourceStatement) -> str:
    """How people find a row of a log: by its query id and time, or else in its file; empty for anything but a log.

    Of several rows with the same text, the first by this name is the one that messages refer to, on any number of workers.
    """
    if row.kind != "query":
        return ""
    started = (
        "" if row.started_at is None else f" of {str(row.started_at)[:19]} UTC"
    )  # a format takes ten times as long
    return f"query {row.run_id or ''}{started}" if row.run_id or started else row.origin


def fingerprint(row: SourceStatement) -> bytes:
    """What makes a row of a log one and the same run of a statement, in whichever export it comes again."""
    started = row.started_at
    words = (
        row.source,
        row.run_id,
        row.session_id,
        row.user,
        None if started is None else started.isoformat(),
        row.duration_ms,
        row.database,
        row.schema,
        row.text,
    )
    return md5(_bytes(words), usedforsecurity=False).digest()


def single_unit(group: Group, identified: Identified, context: str, row: str = "") -> Unit:
    """A text as a unit of its own; `row` is the name of a row of a log that has it."""
    identities = identified.identities
    return Unit(
        unit_key(context, group.dialect, group.cluster, [(group.database, group.schema, identities)]),
        group.dialect,
        group.cluster,
        (UnitText(group.text, group.origin, group.database, group.schema),),
        group.source,
        group.line,
        len(identities),
        identified.reason,
        identified.message,
        group.query,
        row,
    )


def precedence(unit: Unit, number: str) -> str:
    """Of several units with one key the first by this is analysed. It depends on content alone, not on any order."""
    chosen_by = text_hash("\0".join([text.text for text in unit.texts]))
    return f"{chosen_by}\0{unit.source}\0{unit.line:012}\0{unit.texts[0].name}\0{number}\0{unit.row}"


def _bytes(words: Iterable[object]) -> bytes:
    """Words as something to hash: none is not the same as an empty one."""
    return "\1".join(["\0" if word is None else str(word) for word in words]).encode("utf-8", "surrogatepass")
