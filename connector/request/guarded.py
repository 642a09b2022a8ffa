"""Analysis under a time and a memory limit: statements that exceed them are skipped and reported, the rest is analysed.

The work is done in a child process, which returns either a rendered result or the rows of a model. Usually one call is
enough. Only when it is stopped are the scripts, and the statements in them, tried alone to find those to blame.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, NamedTuple, TypeVar

from connector.errors import LimitError
from connector.guard import Guard, Limits, Stopped
from connector.guard.blame import Place, attempt, blank_out, isolate
from connector.lineage import Lineage
from connector.model import Problem, ProblemType, Script
from connector.model.entities import PositionScript
from connector.model.rows import ModelRows, model_of, rows_of
from connector.request import AnalysisRequest
from connector.sql.dialects import get_dialect
from connector.sql.identity import credential_blank, literal_mask
from connector.sql.split import read_statements

_Result = TypeVar("_Result")


class _Skipped(NamedTuple):
    """A place in a script that is not analysed, and why."""

    script: int
    start: int
    end: int
    stopped: Stopped


@dataclass(frozen=True, slots=True)
class _Task:
    """Everything that the child needs to know."""

    request: AnalysisRequest
    scripts: tuple[tuple[str, str], ...]
    """Name and text of each."""
    skipped: tuple[_Skipped, ...] = ()
    format: str = ""
    level: str = ""
    """What to render, when a rendered result is needed."""


@dataclass(frozen=True, slots=True)
class Rendered:
    """A rendered result, and the figures and problems of its model."""

    result: str
    processes: int
    relations: int
    located: tuple[tuple[ProblemType, str, int, str, int, int], ...]
    """For each problem its type and message, the index and name of its script, line and column."""

    @property
    def problems(self) -> list[Problem]:
        found = []
        for kind, message, index, name, line, column in self.located:
            at = PositionScript.pack(line, column)
            found.append(Problem(kind, message, (PositionScript("", index, name), at, at)))
        return found


def render_within(
    request: AnalysisRequest, scripts: Sequence[Script], limits: Limits, format: str, level: str
) -> Rendered:
    """The rendered lineage of the statements that stay within the limits; the others are among its problems."""
    return _guarded(_render, replace(_task(request, scripts), format=format, level=level), limits)


def analyze_within(request: AnalysisRequest, scripts: Sequence[Script], limits: Limits) -> Lineage:
    """The lineage of the statements that stay within the limits; the others are among its problems."""
    rows = _guarded(_model_rows, _task(request, scripts), limits)
    model = model_of(rows, [script.text for script in scripts])
    return Lineage(model, request.options, literal_mask(request.dialect), credential_blank(request.dialect))


def statement_places(text: str, dialect: str) -> list[Place]:
    """Where the statements of a text begin and end."""
    return [(each.start, each.end) for each in read_statements(Script(text), get_dialect(dialect)).statements]


def _task(request: AnalysisRequest, scripts: Sequence[Script]) -> _Task:
    plain = replace(request, metadata=request.provider(), limits=None)
    return _Task(plain, tuple((script.name, script.text) for script in scripts))


def _guarded(run: Callable[[_Task], _Result], task: _Task, limits: Limits) -> _Result:
    with Guard(run, limits) as guard:
        result = attempt(partial(guard, task))
        if not isinstance(result, Stopped):
            return result
        skipped = _find_blame(task, guard, limits, result)
    # If no statement is to blame, the scripts are only a lot of work together.
    longer = limits if skipped else replace(limits, seconds=limits.seconds * max(len(task.scripts), 2))
    with Guard(run, longer) as guard:
        result = attempt(partial(guard, replace(task, skipped=skipped)))
    if isinstance(result, Stopped):
        raise LimitError(f"Together the scripts exceed the limits, although no single statement does: {result}")
    return result


def _find_blame(task: _Task, guard: Guard[_Task, Any], limits: Limits, stopped: Stopped) -> tuple[_Skipped, ...]:
    """The statements to skip, or whole scripts if that does not help."""
    found: list[_Skipped] = []
    # Splitting reads a whole text, so at least the usual limits apply to it.
    usual = Limits()
    splitting = Limits(max(limits.seconds, usual.seconds), max(limits.memory_mb, usual.memory_mb))
    with Guard(_places, splitting) as split:
        for number, (name, text) in enumerate(task.scripts):
            alone = replace(task, scripts=((name, text),))
            reason = stopped if len(task.scripts) == 1 else attempt(partial(guard, alone))
            if isinstance(reason, Stopped) and text:
                found.extend(skipped._replace(script=number) for skipped in _in_script(alone, guard, split, reason))
    return tuple(found)


def _in_script(
    alone: _Task, guard: Guard[_Task, Any], split: Guard[tuple[str, str], list[Place]], stopped: Stopped
) -> list[_Skipped]:
    ((name, text),) = alone.scripts
    whole = [_Skipped(0, 0, len(text), stopped)]
    places = attempt(partial(split, (text, alone.request.dialect)))
    if isinstance(places, Stopped):
        return [whole[0]._replace(stopped=places)]
    found = isolate(
        places,
        lambda place: guard(replace(alone, scripts=((name, text[slice(*place)]),))),
        lambda blamed: guard(replace(alone, scripts=((name, blank_out(text, blamed)),))),
    )
    if not found.blamed or isinstance(found.rest, Stopped):
        return whole
    return [_Skipped(0, *place, reason) for place, reason in found.blamed]


# --- in the child -----------------------------------------------------------------------------------------------------


def _places(order: tuple[str, str]) -> list[Place]:
    return statement_places(*order)


def _render(task: _Task) -> Rendered:
    lineage = _analyze(task)
    result = lineage.render(task.format, task.level)
    model = lineage.model
    problems = sorted(model.problems, key=lambda problem: (problem.span[0].index, problem.span[1]))
    return Rendered(result, len(model.processes), len(model.relations), tuple(map(_located, problems)))


def _model_rows(task: _Task) -> ModelRows:
    return rows_of(_analyze(task).model)


def _analyze(task: _Task) -> Lineage:
    scripts = []
    for number, (name, text) in enumerate(task.scripts):
        places = [(each.start, each.end) for each in task.skipped if each.script == number]
        scripts.append(Script(blank_out(text, places), number, name))
    lineage = task.request.analyze(scripts)
    for each in task.skipped:
        kind: ProblemType = "Timeout" if each.stopped.reason == "timeout" else "AnalyzeError"
        place = (scripts[each.script], each.start, each.end)
        lineage.model.problems.append(Problem(kind, f"{each.stopped.message}; skipped", place))
    return lineage


def _located(problem: Problem) -> tuple[ProblemType, str, int, str, int, int]:
    script, start, _ = problem.span
    return (problem.type, problem.message, script.index, script.name, *script.position(start))
