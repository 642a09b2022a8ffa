"""The inputs of commands: scripts, folders of scripts, exports of an earlier run, and stores.

The content of a file decides what it is, so an export may be piped in or have any name. A file is read only once, so that
a pipe (`<(git show main:load.sql)`) works as well.
"""

from __future__ import annotations

import io
import json
import subprocess
import sys
import tarfile
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from connector.addresses import safe_url
from connector.compare import ComparedLevel, Edge, document_edges, document_level, model_edges, model_of_document
from connector.errors import ConfigurationError, SourceError
from connector.export import read_xml
from connector.model import Model, Problem, Script
from connector.request import AnalysisRequest
from connector.sql.dialects import get_dialect
from connector.sql.encoding import decode, read_scripts
from connector.sql.masked_names import mask_names

_SQLITE = b"SQLite format 3\0"
_BOTH: tuple[ComparedLevel, ...] = ("column", "table")


@dataclass(slots=True, eq=False)
class Side:
    """One of two lineages that are compared: the levels it can show, and their edges."""

    name: str
    levels: tuple[ComparedLevel, ...]
    edges: Callable[[ComparedLevel], Iterable[Edge]]
    problems: list[Problem] = field(default_factory=list)
    masked: bool = False
    """Whether its names never contain literals."""


def read_side(target: str, request: AnalysisRequest) -> Side:
    """A store by its URL or file, an export, a script, a folder, or `-` for stdin."""
    if "://" in target:
        return _store_side(target)
    if ":" in target and not Path(target).exists() and is_revision(target):
        return _model_side(target, request.analyze(read_revision(target)).model)
    data = _content(Path(target))
    if data is None:
        model = request.analyze(read_scripts([target])).model
        return _model_side(target, model)
    if data.startswith(_SQLITE):
        return _store_side(target)
    text = decode(data)
    document = _json(text)
    for level in _BOTH:
        if document_level(document) == level:
            return Side(target, (level,), lambda wanted: document_edges(document, wanted, get_dialect(request.dialect)))
    model = _export(target, text, document, request) or request.analyze([Script(text, 0, target)]).model
    return _model_side(target, model)


def read_models(targets: Iterable[Path], request: AnalysisRequest) -> list[Model]:
    """One model for all scripts among the inputs, followed by one for each export."""
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
            model = _export(str(target), text, document, request)
            if model is not None:
                models.append(model)
                continue
            found = [Script(text, 0, str(target))]
        for script in found:
            script.index = len(scripts)
            scripts.append(script)
    if scripts:
        models.insert(0, request.analyze(scripts).model)
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


def _json(text: str) -> Any:
    """The value of a JSON text, None for anything else; no SQL begins with a brace."""
    if not text.lstrip().startswith("{"):
        return None
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return None


def _export(name: str, text: str, document: Any, request: AnalysisRequest) -> Model | None:
    """The model of an export with the complete level; None when the text is a script."""
    try:
        if document_level(document) == "complete":
            model = model_of_document(document, request.cluster)
        elif text.lstrip().startswith("<"):
            model = read_xml(text)
        else:
            return None
    except SourceError as error:
        raise SourceError(f"{name}: {error}") from error
    mask_names(model, get_dialect(request.dialect))
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


def is_revision(target: str) -> bool:
    """Whether the part before the first colon names a revision of the repository around the working directory."""
    revision = target.partition(":")[0]
    if not revision or revision.startswith("-"):
        return False
    try:
        found = subprocess.run(
            ["git", "rev-parse", "--quiet", "--verify", f"{revision}^{{commit}}"], capture_output=True, check=False
        )
    except OSError:  # there is no git
        return False
    return found.returncode == 0


def read_revision(target: str) -> list[Script]:
    """The scripts of ``REVISION:PATH``, the path seen from the working directory; a path that is not there has none."""
    revision, _, path = target.partition(":")
    known = subprocess.run(["git", "ls-tree", "--name-only", revision, "--", path], capture_output=True, check=True)
    if path not in ("", ".") and not known.stdout.strip():
        return []
    archive = subprocess.run(
        ["git", "archive", "--format=tar", revision, "--", path or "."], capture_output=True, check=False
    )
    if archive.returncode:
        raise SourceError(f"{target}: {archive.stderr.decode(errors='replace').strip()}")
    with TemporaryDirectory() as folder:
        with tarfile.open(fileobj=io.BytesIO(archive.stdout)) as content:
            content.extractall(folder, filter="data")
        scripts = read_scripts([Path(folder, path)])
        for script in scripts:
            script.name = f"{revision}:{Path(script.name).relative_to(folder)}"
    return scripts
