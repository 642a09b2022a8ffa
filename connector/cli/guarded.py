"""Analysis under a time and a memory limit: what breaks them is taken out and reported, the rest is analysed.

The work is done in a child process: for `analyze` from the text to the rendered result, so that no model has to come back,
for other commands as far as the model's rows. Usually one call is all. Only when that is stopped is it found out which
scripts, and which statements in them, are to blame.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any, TypeVar

import typer

from connector.api import analyze_scripts
from connector.cli import codes
from connector.guard import Guard, Limits, Stopped
from connector.lineage import Lineage
from connector.metadata import MetadataProvider
from connector.model import Problem, ProblemType, Script
from connector.model.script import PositionScript
from connector.options import Options
from connector.pipeline.model_rows import ModelRows, model_of, rows_of
from connector.sql.dialects import get_dialect
from connector.sql.identity import literal_mask
from connector.sql.split import read_statements

__all__ = ["Answer", "Request", "analyze_within", "render_within"]

_log = logging.getLogger("connector")
_Result = TypeVar("_Result")


@dataclass(frozen=True, slots=True)
class Blame:
    """A place in a script that is left out, and why."""

    script: int
    start: int
    end: int
    type: ProblemType
    message: str


@dataclass(frozen=True, slots=True)
class Request:
    """Everything that the child needs to know."""

    scripts: tuple[tuple[str, str], ...]
    """Name and text of each."""
    dialect: str
    metadata: MetadataProvider | None
    default_database: str | None
    default_schema: str | None
    cluster: str | None
    options: Options
    format: str = ""
    level: str = ""
    """What to render, where a rendered result is asked for."""
    left_out: tuple[Blame, ...] = ()


@dataclass(frozen=True, slots=True)
class Answer:
    """What comes back."""

    result: str
    processes: int
    relations: int
    told: tuple[tuple[ProblemType, str, int, str, int, int], ...]
    """Of each problem the type, the message, number and name of its script, line and column."""

    @property
    def problems(self) -> list[Problem]:
        found = []
        for kind, message, index, name, line, column in self.told:
            at = PositionScript.pack(line, column)
            found.append(Problem(kind, message, (PositionScript("", index, name), at, at)))
        return found


def render_within(request: Request, limits: Limits, format: str, level: str) -> Answer:
    """The rendered lineage of what stays within the limits, and the problems, what was left out among them."""
    return _guarded(_answer, replace(request, format=format, level=level), limits)


def analyze_within(request: Request, limits: Limits) -> Lineage:
    """The lineage of what stays within the limits. Its problems say what was left out."""
    rows = _guarded(_rows, request, limits)
    model = model_of(rows, [text for _, text in request.scripts])
    return Lineage(model, request.options, literal_mask(request.dialect))


def _guarded(task: Callable[[Request], _Result], request: Request, limits: Limits) -> _Result:
    with Guard(task, limits) as guard:
        try:
            return guard(request)
        except Stopped as stop:
            if len(request.scripts) == 1 and not request.scripts[0][1]:
                raise _too_much(stop) from stop
            blamed = _find_blame(request, guard, limits, stop)
        if not blamed:
            # Nobody is to blame: it is a lot of work, and each part of it is within the limits.
            guard.limits = replace(limits, seconds=limits.seconds * max(len(request.scripts), 2))
        try:
            return guard(replace(request, left_out=blamed))
        except Stopped as stop:
            raise _too_much(stop) from stop


def _too_much(stop: Stopped) -> typer.Exit:
    _log.error("Together the scripts exceed the limits, although no single statement does: %s", stop)
    return typer.Exit(codes.FAILURES)


def _find_blame(request: Request, guard: Guard[Request, Any], limits: Limits, stop: Stopped) -> tuple[Blame, ...]:
    found: list[Blame] = []
    # Where statements begin and end is found out by the usual limits: the text of all of them is read for it.
    usual = Limits()
    reading = Limits(max(limits.seconds, usual.seconds), max(limits.memory_mb, usual.memory_mb))
    with Guard(_places, reading) as cutting:
        for number, script in enumerate(request.scripts):
            alone = replace(request, scripts=(script,))
            stopped = stop if len(request.scripts) == 1 else _try(alone, guard)
            if stopped is None:
                continue
            blamed = _in_script(alone, guard, cutting)
            if not blamed or _try(replace(alone, left_out=tuple(blamed)), guard) is not None:
                blamed = [_blame(0, len(script[1]), stopped)]
            found.extend(replace(each, script=number) for each in blamed)
    return tuple(found)


def _in_script(
    alone: Request, guard: Guard[Request, Any], cutting: Guard[tuple[str, str], list[tuple[int, int]]]
) -> list[Blame]:
    """The statements of a script that cannot be analysed even by themselves."""
    name, text = alone.scripts[0]
    try:
        places = cutting((text, alone.dialect))
    except Stopped as stopped:
        return [_blame(0, len(text), stopped)]
    blamed = []
    for start, end in places:
        stopped_at = _try(replace(alone, scripts=((name, text[start:end]),)), guard)
        if stopped_at is not None:
            blamed.append(_blame(start, end, stopped_at))
    return blamed


def _try(request: Request, guard: Guard[Request, Any]) -> Stopped | None:
    try:
        guard(request)
    except Stopped as stopped:
        return stopped
    return None


def _blame(start: int, end: int, stopped: Stopped) -> Blame:
    kind: ProblemType = "Timeout" if stopped.reason == "timeout" else "AnalyzeError"
    return Blame(0, start, end, kind, f"{stopped.message}; skipped")


# --- in the child -----------------------------------------------------------------------------------------------------


def _answer(request: Request) -> Answer:
    """Analyse and render."""
    lineage = _analysed(request)
    result = lineage.render(request.format, request.level)
    model = lineage.model
    return Answer(result, len(model.processes), len(model.relations), tuple(map(_told, _sorted(model.problems))))


def _rows(request: Request) -> ModelRows:
    """Analyse, and take the model apart for the way back."""
    return rows_of(_analysed(request).model)


def _analysed(request: Request) -> Lineage:
    """Analyse. What is left out is white space to the analysis, so that all places stay what they are."""
    scripts = []
    for number, (name, text) in enumerate(request.scripts):
        for blame in request.left_out:
            if blame.script == number:
                text = text[: blame.start] + _blank(text[blame.start : blame.end]) + text[blame.end :]
        scripts.append(Script(text, number, name))
    lineage = analyze_scripts(
        scripts,
        request.dialect,
        metadata=request.metadata,
        default_database=request.default_database,
        default_schema=request.default_schema,
        cluster=request.cluster,
        options=request.options,
    )
    for blame in request.left_out:
        place = (scripts[blame.script], blame.start, blame.end)
        lineage.model.problems.append(Problem(blame.type, blame.message, place))
    return lineage


def _sorted(problems: Sequence[Problem]) -> list[Problem]:
    return sorted(problems, key=lambda problem: (problem.span[0].index, problem.span[1]))


def _told(problem: Problem) -> tuple[ProblemType, str, int, str, int, int]:
    script, start, _ = problem.span
    return (problem.type, problem.message, script.index, script.name, *script.position(start))


def _blank(text: str) -> str:
    return "".join(["\n" if letter == "\n" else " " for letter in text])


def _places(order: tuple[str, str]) -> list[tuple[int, int]]:
    """Where the statements of a text stand."""
    text, dialect = order
    return [(each.start, each.end) for each in read_statements(Script(text), get_dialect(dialect)).statements]
