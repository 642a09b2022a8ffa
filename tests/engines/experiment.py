"""Hunt for disagreements: ``python -m tests.engines.experiment --first 0 --count 200``.

Draws statements, judges each, shrinks what fails, and prints it with what was lost or invented.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter

from tests.engines.grammar.pieces import shrink
from tests.engines.grammar.statements import Statement, draw
from tests.engines.grammar.world import TABLES
from tests.engines.judge import Fault, Verdict, judge
from tests.engines.lab import Lab


def shrunk(statement: Statement, fault: Fault, labs: list[Lab], budget: int = 300) -> Verdict:
    """The smallest statement found with a fault of the same kind at the same base column."""

    def fails(text: str) -> bool:
        verdict = judge(statement.case_of(text), labs, only=fault.source if fault.source[1] else None)
        return any(found.kind == fault.kind and found.source == fault.source for found in verdict.faults)

    tree = shrink(statement.tree, fails, budget)
    return judge(statement.case_of(str(tree)), labs)


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--first", type=int, default=0, help="number of the first statement")
    parser.add_argument("--count", type=int, default=100)
    parser.add_argument("--seeds", type=int, nargs="*", default=[1, 2], help="seeds of the data")
    parser.add_argument("--kinds", nargs="*", default=["lost", "misplaced", "unknown", "unnamed", "error"])
    parser.add_argument("--no-shrink", action="store_true")
    parser.add_argument("--show-refused", action="store_true")
    options = parser.parse_args(arguments)
    labs = [Lab(TABLES, seed) for seed in options.seeds]
    counts: Counter[str] = Counter()
    features: Counter[str] = Counter()
    out = sys.stdout.write
    for number in range(options.first, options.first + options.count):
        statement = draw(number)
        verdict = judge(statement.case, labs)
        if not verdict.ran:
            counts["refused" if verdict.refused else "unstable"] += 1
            if options.show_refused:
                out(f"-- {verdict.refused.splitlines()[0] if verdict.refused else 'unstable'}\n   {statement.tree}\n")
            continue
        counts["ran"] += 1
        counts["with rows"] += verdict.rows > 0
        counts["influences"] += verdict.influences
        features.update(statement.features.keys())
        for kind in {fault.kind for fault in verdict.faults}:
            counts[f"with {kind}"] += 1
        faults = verdict.of(*options.kinds)
        if faults:
            out(f"{verdict if options.no_shrink else shrunk(statement, faults[0], labs)}\n\n")
            sys.stdout.flush()
    out(f"\n{dict(counts)}\n{dict(features.most_common())}\n")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
