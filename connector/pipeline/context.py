"""What all units of a job have in common: options, metadata, limits.

Metadata may be large. It is written to a file once for each version of it and read by each process that analyses, once;
no task carries it along.
"""

from __future__ import annotations

import json
from dataclasses import asdict, astuple, dataclass, fields, replace
from functools import cached_property, lru_cache
from hashlib import sha256
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import TYPE_CHECKING, Any

from connector import __version__
from connector.guard import Limits
from connector.metadata import MappingMetadata, MetadataProvider, TableInfo, merge_metadata
from connector.options import Options, Switches

if TYPE_CHECKING:
    from connector.pipeline.storage import Storage

_RESULT_VERSION = 3
"""Counted up when the rows of a result change their meaning."""


try:
    _PARSER = version("sqlglot")
except PackageNotFoundError:  # it is on the path without being installed
    _PARSER = "unknown"

ANALYSER_VERSION = f"{__version__}/{_RESULT_VERSION}/{_PARSER}"
"""The connector, its results, and the parser: a change of any of them may change what is found."""

_SHOWN_ONLY = frozenset(field.name for field in fields(Switches)) - {"temporaries"}
"""Options that decide how a model is shown, and not what is in it or in its levels as they are stored."""

Tables = list[tuple[tuple[str, ...], TableInfo]]
"""The parts of a name, and what is known of the table."""


@dataclass(frozen=True)
class AnalysisContext:
    """How units are analysed."""

    options: Options
    limits: Limits
    metadata: tuple[Tables, ...] = ()
    """Of several the first that knows a table decides."""
    defined: tuple[tuple[str, str | None, Tables], ...] = ()
    """Dialect, cluster, and what the job's scripts define there. A table of another cluster is another table."""

    @cached_property
    def digest(self) -> str:
        """What decides how a statement is understood, its text and surroundings apart. Limits do not."""
        options = {name: value for name, value in asdict(self.options).items() if name not in _SHOWN_ONLY}
        content = [ANALYSER_VERSION, options, self.metadata_version]
        return sha256(json.dumps(content, sort_keys=True).encode()).hexdigest()[:32]

    @cached_property
    def metadata_version(self) -> str:
        if not self.metadata and not self.defined:
            return ""
        return sha256(json.dumps(_plain(self)).encode()).hexdigest()[:32]

    def options_of(self, *, log: bool) -> Options:
        """The options with the identity that holds for statements of a query log, or for those of scripts."""
        return self._of_logs if log else self.options

    @cached_property
    def _of_logs(self) -> Options:
        return replace(self.options, query_identity=self.options.identity_of(log=True))

    def provider(self, dialect: str, cluster: str | None) -> MetadataProvider | None:
        """The metadata in the form that the analysis asks."""
        defined = self._defined.get((dialect, cluster))
        return merge_metadata([*self._general, *([defined] if defined is not None else [])])

    @cached_property
    def _general(self) -> list[MappingMetadata]:
        return [MappingMetadata(tables) for tables in self.metadata]

    @cached_property
    def _defined(self) -> dict[tuple[str, str | None], MappingMetadata]:
        return {(dialect, cluster): MappingMetadata(tables) for dialect, cluster, tables in self.defined}


def _plain(context: AnalysisContext) -> dict[str, Any]:
    """The metadata of a context as JSON has it."""

    def rows(tables: Tables) -> list[tuple[Any, ...]]:
        return [(parts, *astuple(info)) for parts, info in tables]

    return {
        "metadata": [rows(tables) for tables in context.metadata],
        "defined": [(dialect, cluster, rows(tables)) for dialect, cluster, tables in context.defined],
    }


def serialised(context: AnalysisContext) -> bytes:
    """The content of the file that `load_context` reads."""
    return json.dumps(
        {
            "options": asdict(context.options),
            "limits": [context.limits.seconds, context.limits.memory_mb],
            **_plain(context),
        }
    ).encode()


def save_context(context: AnalysisContext, storage: Storage) -> str:
    """Write the context where the processes that analyse can read it; its path there, which is made of the content."""
    content = serialised(context)
    folder, name = "_context", f"{sha256(content).hexdigest()[:32]}.json"
    if storage.list_files(folder).get(name) != len(content):  # a file that a worker may be reading is not replaced
        storage.write(f"{folder}/{name}", content)
    return f"{folder}/{name}"


@lru_cache(maxsize=2)
def load_context(file: str) -> AnalysisContext:
    """What was saved. A process asks many times and reads once: the name changes with the content."""
    content: dict[str, Any] = json.loads(Path(file).read_text(encoding="utf-8"))
    return AnalysisContext(
        Options(**content["options"]),
        Limits(*content["limits"]),
        tuple(_rows(tables) for tables in content["metadata"]),
        tuple((dialect, cluster, _rows(tables)) for dialect, cluster, tables in content["defined"]),
    )


def _rows(tables: Any) -> Tables:
    return [
        (tuple(parts), TableInfo(tuple(columns), view, tuple(types), comment, tuple((n, m) for n, m in masked)))
        for parts, columns, view, types, comment, masked in tables
    ]


def tables_of(provider: MappingMetadata) -> Tables:
    """Metadata as plain data, in an order that does not depend on the order in which it was read."""
    return sorted(provider.entries(), key=lambda entry: entry[0])
