"""From the sources of a job to lineage: the pipeline of the scheduled run, in this process."""

from __future__ import annotations

from collections.abc import Iterator

from connector.lineage import Lineage
from connector.model import FAILURES, Model
from connector.pipeline.plain import analyse_plain, collect_units
from connector.pipeline.reading import context_of
from connector.settings import Job
from connector.sources import read_plain
from connector.sources.record import SourceStatement, Tally

__all__ = ["Input"]


class Input:
    """Reads a job once, and keeps count of what could not be read."""

    def __init__(self, job: Job) -> None:
        self._job = job
        self.statements = 0
        """Distinct ones."""
        self.failures: list[tuple[str, str]] = []
        """Where, and why."""
        self.notes: list[str] = []
        """What was skipped."""

    def lineages(self) -> Iterator[Lineage]:
        """The lineage of everything that the job's sources hold. No statement can stop the others."""
        rows = list(self._rows())
        context = context_of(self._job, rows)
        collected = collect_units(rows, context)
        self.statements = collected.statements
        for result in analyse_plain(collected.units, context):
            if result.status == "failed":
                place = f"{result.origin or result.source}:{result.line}"
                self.failures.append((place, f"{place}: {result.reason}: {result.message}"))
                continue
            model = result.model
            self._keep(model, result.line)
            yield Lineage(model, self._job.options)

    def _rows(self) -> Iterator[SourceStatement]:
        for source in self._job.sources:
            tally = Tally()
            yield from read_plain(source, self._job.defaults, tally=tally)
            if tally.passed_over or tally.truncated:
                self.notes.append(
                    f"{source.name}: {tally.passed_over} rows were skipped ({tally.failed} of failed queries, "
                    f"{tally.hidden} without a visible text, {tally.empty} empty, {tally.unreadable} unreadable), "
                    f"{tally.truncated} texts are truncated by the log"
                )

    def _keep(self, model: Model, first_line: int) -> None:
        for problem in model.problems:
            if problem.type in FAILURES:
                script, start, _ = problem.span
                line, column = script.position(start)
                place = f"{script.name}:{line + first_line - 1}:{column}"
                self.failures.append((place, f"{place}: {problem.message}"))
