"""What `load` and `diff` take: scripts, folders of scripts, exports of an earlier run, and stores.

What a file is shows in its content: an export that is piped in, or called otherwise, is still an export. A file is read
once, so that a pipe (`<(git show main:load.sql)`) does as well.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from connector.addresses import safe_url
from connector.api import analyze_scripts, read_metadata
from connector.cli.git import is_revision, read_revision
from connector.compare import ComparedLevel, Edge, document_edges, document_level, model_edges, model_of_document
from connector.errors import ConfigurationError, SourceError
from connector.export import read_xml
from connector.metadata import as_provider, merge_metadata
from connector.model import Model, Problem, Script
from connector.options import Options
from connector.sql.dialects import get_dialect
from connector.sql.encoding import decode, read_scripts
from connector.sql.masked_names import mask_names

if TYPE_CHECKING:
    from connector.guard import Limits
    from connector.lineage import Lineage

__all__ = ["Reading", "Side", "read_models", "read_side"]

_SQLITE = b"SQLite format 3\0"
_BOTH: tuple[ComparedLevel, ...] = ("column", "table")


@dataclass(frozen=True, slots=True)
class Reading:
    """How scripts are analysed."""

    dialect: str
    metadata: Sequence[Path] | None = None
    default_database: str | None = None
    default_schema: str | None = None
    cluster: str | None = None
    options: Options | None = None
    limits: Limits | None = None
    """What one statement may take."""

    def analyze(self, scripts: Sequence[Script], known: Mapping[str, Sequence[str]] | None = None) -> Lineage:
        """The lineage of scripts. `known` are the columns that somebody else knows; the files of metadata come first."""
        providers = [read_metadata(path, self.dialect) for path in self.metadata or ()]
        further = as_provider({table: list(columns) for table, columns in known.items()}) if known else None
        metadata = merge_metadata([*providers, *([further] if further is not None else [])])
        if self.limits is None:
            return analyze_scripts(
                scripts,
                dialect=self.dialect,
                metadata=metadata,
                default_database=self.default_database,
                default_schema=self.default_schema,
                cluster=self.cluster,
                options=self.options,
            )
        from connector.cli.guarded import Request, analyze_within

        request = Request(
            scripts=tuple((script.name, script.text) for script in scripts),
            dialect=self.dialect,
            metadata=metadata,
            default_database=self.default_database,
            default_schema=self.default_schema,
            cluster=self.cluster,
            options=self.options or Options(),
        )
        return analyze_within(request, self.limits)


@dataclass(slots=True, eq=False)
class Side:
    """One of two lineages that are compared: the levels it can show, and their edges."""

    name: str
    levels: tuple[ComparedLevel, ...]
    edges: Callable[[ComparedLevel], Iterable[Edge]]
    problems: list[Problem] = field(default_factory=list)
    masked: bool = False
    """Whether its names never contain literals."""


def read_side(target: str, reading: Reading) -> Side:
    """A store by its URL or file, an export, a script, a folder, or `-` for stdin."""
    if "://" in target:
        return _store_side(target)
    if ":" in target and not Path(target).exists() and is_revision(target):
        return _model_side(target, reading.analyze(read_revision(target)).model)
    data = _content(Path(target))
    if data is None:
        model = reading.analyze(read_scripts([target])).model
        return _model_side(target, model)
    if data.startswith(_SQLITE):
        return _store_side(target)
    text = decode(data)
    document = _json(text)
    for level in _BOTH:
        if document_level(document) == level:
            return Side(target, (level,), lambda wanted: document_edges(document, wanted, get_dialect(reading.dialect)))
    model = _export(target, text, document, reading) or reading.analyze([_script(target, text)]).model
    return _model_side(target, model)


def read_models(targets: Iterable[Path], reading: Reading) -> list[Model]:
    """The models of the exports among the inputs, each by itself, and before them one of all the scripts."""
    models: list[Model] = []
    scripts: list[Script] = []
    for target in targets:
        data = _content(target)
        if data is None:
            found = read_scripts([target])
        elif data.startswith(_SQLITE):
            raise ConfigurationError(f"{target} is a store; load accepts scripts and exports.")
        else:
            text = decode(data)
            document = _json(text)
            if document_level(document) in _BOTH:
                raise SourceError(f"{target}: cannot load a derived level; use an export of the complete level.")
            model = _export(str(target), text, document, reading)
            if model is not None:
                models.append(model)
                continue
            found = [_script(str(target), text)]
        for script in found:
            script.index = len(scripts)
            scripts.append(script)
    if scripts:
        models.insert(0, reading.analyze(scripts).model)
    return models


def _content(path: Path) -> bytes | None:
    """The bytes of a file or of stdin; None for a folder."""
    if str(path) == "-":
        return sys.stdin.buffer.read()
    if path.is_dir():
        return None
    try:
        return path.read_bytes()
    except OSError as error:
        raise SourceError(f"{path}: {error.strerror or error}") from error


def _script(name: str, text: str) -> Script:
    return Script(text, 0, name)


def _json(text: str) -> Any:
    """The value of a JSON text, None for anything else; no SQL begins with a brace."""
    if not text.lstrip().startswith("{"):
        return None
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return None


def _export(name: str, text: str, document: Any, reading: Reading) -> Model | None:
    """The model of an export with the complete level; None when the text is a script."""
    try:
        if document_level(document) == "complete":
            model = model_of_document(document, reading.cluster)
        elif text.lstrip().startswith("<"):
            model = read_xml(text)
        else:
            return None
    except SourceError as error:
        raise SourceError(f"{name}: {error}") from error
    mask_names(model, get_dialect(reading.dialect))
    return model


def _model_side(name: str, model: Model) -> Side:
    return Side(name, _BOTH, lambda level: model_edges(model, level), model.problems)


def _store_side(target: str) -> Side:
    return Side(safe_url(target), _BOTH, lambda level: _stored_edges(target, level), masked=True)


def _stored_edges(target: str, level: ComparedLevel) -> Iterator[Edge]:
    # SQLAlchemy takes a while to load, and only stores need it.
    from connector.store import Store

    with Store.open(target, create=False) as store:
        for edge in store.edges(level):
            if edge.type in ("fdd", "fdr"):
                yield Edge(edge.type, edge.source, edge.source_kind, edge.target, edge.target_kind)
