"""The verdict on one statement: what the experiment saw, held against what the analyser says."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from tests.engines.lab import Lab, Outcome, Refused
from tests.engines.reported import ROWS, Column, Reported, report

SEVERAL = 3
"""As many columns are changed together before each of them is changed alone."""


@dataclass(frozen=True)
class Case:
    """A script, split into statements, and the table in which its result is looked for."""

    name: str
    statements: tuple[str, ...]
    target: str
    dialect: str = "duckdb"
    spelled_out: bool = False
    """Every base column that can matter stands in the text: there is no star, no natural join, no whole row."""
    key_unnamed: bool = False
    """A constraint that neither text nor metadata shows decides the rows: what is misplaced is not asked."""
    rows_end: bool = False
    """A permanent table stands between the base tables and the target, and what decides its rows goes no further."""

    @property
    def script(self) -> str:
        return ";\n".join(self.statements)


@dataclass(frozen=True, order=True)
class Fault:
    """One disagreement.

    ``lost``      a base column changes what is written, and no relation leads from it to the target
    ``misplaced`` there is a relation, but at the complete level it reaches neither this column nor the rows
    ``unknown``   a source column that no table has, or one that could not be linked
    ``unnamed``   a target column that the engine does not write
    ``invented``  a direct edge, and nothing that was done to its source ever changed its target
    ``error``     the analyser reports an error for what the engine runs
    """

    kind: str
    source: Column
    output: str = ""
    how: str = ""

    def __str__(self) -> str:
        arrow = f" -> {self.output}" if self.output else ""
        how = f" ({self.how})" if self.how else ""
        return f"{self.kind}: {'.'.join(part for part in self.source if part)}{arrow}{how}"


@dataclass
class Verdict:
    """The faults of one statement, and whether the experiment could say anything at all."""

    case: Case
    faults: list[Fault] = field(default_factory=list)
    ran: int = 0
    rows: int = 0
    refused: str = ""
    unstable: bool = False
    influences: int = 0
    confirmed: int = 0
    """Direct edges of which an effect was seen."""

    def of(self, *kinds: str) -> list[Fault]:
        return [fault for fault in self.faults if fault.kind in kinds]

    def __str__(self) -> str:
        return "\n".join([f"== {self.case.name}", *map(str, sorted(self.faults)), self.case.script])


@dataclass
class _Seen:
    """What one laboratory saw: which outputs answered to which column, and which outputs cannot be trusted."""

    outputs: set[str]
    shaky: set[str]
    rows: int
    influences: dict[Column, dict[str, str]] = field(default_factory=lambda: defaultdict(dict))


def judge(case: Case, labs: Sequence[Lab], only: Column | None = None, more: Iterable[Lab] = ()) -> Verdict:
    """Run the experiment in each laboratory.

    `only` asks about one base column. In the laboratories of `more`, which are made when they are asked for, direct edges
    are confirmed that were not so far.
    """
    verdict = Verdict(case)
    metadata = {name: list(table.columns) for name, table in labs[0].tables.items()}
    reported = report(case.script, case.target, metadata, case.dialect)
    influences: dict[Column, dict[str, str]] = defaultdict(dict)
    outputs: set[str] = set()
    shaky: set[str] = set()
    for lab in _needed(labs, more, reported, influences, case.target):
        try:
            seen = _observe(case, lab, reported, influences, only)
        except Refused as refused:
            verdict.refused = str(refused)
            continue
        if seen is None:
            verdict.unstable = True
            continue
        verdict.ran += 1
        verdict.rows = max(verdict.rows, seen.rows)
        outputs |= seen.outputs
        shaky |= seen.shaky
    if not verdict.ran:
        return verdict
    verdict.influences = len(influences)
    verdict.confirmed = sum(output in influences.get(source, ()) for source, output in reported.direct)
    verdict.faults += _lost(influences, reported, misplaced=not (case.key_unnamed or case.rows_end))
    known = {table: {name.lower() for name in names} for table, names in metadata.items()}
    verdict.faults += _unknown(reported, known, case)
    named = {output for outs in reported.sources.values() for output in outs} - {ROWS}
    if case.dialect == "duckdb":  # others name an expression in their own way
        # Metadata has no types: whether a list is unnested, or a struct whose fields become columns, cannot be told.
        named = {output for output in named if not output.startswith("unnest(")}
        verdict.faults += [Fault("unnamed", (case.target, output)) for output in sorted(named - outputs)]
    verdict.faults += [Fault("error", ("", ""), how=error) for error in reported.errors]
    if verdict.rows:
        verdict.faults += [
            Fault("invented", source, output)
            for source, output in sorted(reported.direct)
            if output in outputs - shaky
            and output not in influences[source]
            and source[1] in known.get(source[0], ())
            and source != (case.target, output)
        ]
    if only:
        verdict.faults = [fault for fault in verdict.faults if fault.source == only]
    return verdict


def _needed(
    labs: Sequence[Lab],
    more: Iterable[Lab],
    reported: Reported,
    influences: Mapping[Column, Mapping[str, str]],
    target: str,
) -> Iterator[Lab]:
    yield from labs
    wanted = {edge for edge in reported.direct if edge[0] != (target, edge[1]) and edge[0] in labs[0].versions}
    for lab in more:
        if all(output in influences.get(source, ()) for source, output in wanted):
            return
        yield lab


def _observe(
    case: Case, lab: Lab, reported: Reported, influences: dict[Column, dict[str, str]], only: Column | None
) -> _Seen | None:
    """Change one column after the other. None: the result depends on the order of the rows."""
    base = lab.run(case.statements, case.target)
    orders = lab.shuffled(case.statements, case.target)
    if any(again.rows != base.rows or again.columns.keys() != base.columns.keys() for again in orders):
        return None
    shaky = {name for name, values in base.columns.items() if any(again.columns[name] != values for again in orders)}
    seen = _Seen(set(base.columns), shaky, base.rows)
    used = _words(case.script)
    asked = [
        column
        for column in lab.versions
        if column[0] in used and (column[1] in used or not case.spelled_out) and only in (None, column)
    ]
    silent = _silent(case, lab, base, shaky, [column for column in asked if column not in reported.sources])
    for column in asked:
        if column in silent:
            continue
        open_questions = _questions(column, seen, reported, case) - influences[column].keys()
        for version in lab.versions[column]:
            if not open_questions:
                break
            try:
                outcome = lab.changed(case.statements, case.target, version)
            except Refused:
                continue
            for output in _changes(base, outcome, column, case) - shaky:
                influences[column].setdefault(output, version.change)
            open_questions -= influences[column].keys()
            if influences[column] and column not in reported.sources:
                break
    for column in [column for column, seen_outputs in influences.items() if not seen_outputs]:
        del influences[column]
    return seen


def _silent(case: Case, lab: Lab, base: Outcome, shaky: set[str], columns: Sequence[Column]) -> Sequence[Column]:
    """All of the columns, of which nothing is reported, where nothing differs once they are changed all together."""
    if len(columns) < SEVERAL:
        return ()
    for version in lab.together(columns):
        try:
            outcome = lab.changed(case.statements, case.target, version)
        except Refused:
            return ()
        if outcome.rows != base.rows or outcome.columns.keys() != base.columns.keys():
            return ()
        if any(outcome.columns[name] != values for name, values in base.columns.items() if name not in shaky):
            return ()
    return columns


def _questions(column: Column, seen: _Seen, reported: Reported, case: Case) -> set[str]:
    """The outputs of which a change would tell something: they are not covered, or an edge to them wants confirming."""
    reached = reported.reached.get(column, set())
    direct = {output for source, output in reported.direct if source == column and output in seen.outputs}
    uncovered = set() if ROWS in reached and column in reported.sources else {*seen.outputs, ROWS} - reached
    if column not in reported.sources:
        uncovered = {*seen.outputs, ROWS}
    return {output for output in uncovered | direct if column != (case.target, output)} - seen.shaky


def _changes(base: Outcome, changed: Outcome, column: Column, case: Case) -> set[str]:
    if changed.columns.keys() != base.columns.keys():
        return {ROWS}  # a pivot over other values has other columns
    different = {name for name, values in base.columns.items() if changed.columns[name] != values}
    different -= {column[1]} if column[0] == case.target else set()
    return different | ({ROWS} if changed.rows != base.rows else set())


def _lost(influences: Mapping[Column, Mapping[str, str]], reported: Reported, misplaced: bool) -> list[Fault]:
    faults = []
    for column, outputs in influences.items():
        if column not in reported.sources:
            faults += [Fault("lost", column, output, how) for output, how in list(outputs.items())[:1]]
            continue
        reached = reported.reached.get(column, set())
        if ROWS in reached or not misplaced:
            continue
        # Where the number of rows changes, every column changes with it.
        missing = [ROWS] if ROWS in outputs else sorted(outputs.keys() - reached)
        faults += [Fault("misplaced", column, output, outputs[output]) for output in missing]
    return faults


def _unknown(reported: Reported, known: Mapping[str, set[str]], case: Case) -> list[Fault]:
    made = {case.target, *_made(case)}
    return [
        Fault("unknown", source)
        for source in sorted(reported.sources)
        if source[1] != ROWS
        and not (source[0] in made and source[0] not in known)
        and source[1] not in known.get(source[0], ())
    ]


def _made(case: Case) -> set[str]:
    """Names that earlier statements of the script create."""
    return {words[2].lower() for words in (text.split() for text in case.statements) if words[0].lower() == "create"}


def _words(text: str) -> set[str]:
    return set("".join(char.lower() if char.isalnum() or char == "_" else " " for char in text).split())
