"""What a loop or a branch changes: the variables it writes, told before it begins.

A statement before a loop has read the old value of a variable. What the loop writes must not reach that statement, and
yet inside the loop and behind it both values count. So a variable that has been read gets a second version where the
loop begins, which starts with what the first one held.
"""

from __future__ import annotations

from sqlglot.tokenizer_core import Token

from connector.analysis.routines.preparing import take_into
from connector.sql.families import Family
from connector.sql.procedural.steps import Assign, Enter, Execute, Fetch, Leave, Sql, Step

__all__ = ["assigned_within"]


def assigned_within(steps: list[Step], at: int, family: Family) -> list[list[Token]]:
    """The targets of all that is written between the Enter at `at` and its Leave."""
    found: list[list[Token]] = []
    depth = 0
    for step in steps[at:]:
        if isinstance(step, Enter):
            depth += 1
        elif isinstance(step, Leave):
            depth -= 1
            if not depth:
                break
        elif isinstance(step, (Assign, Fetch, Execute)):
            found.extend(step.targets)
        elif isinstance(step, Sql) and not family.batches:
            found.extend(take_into(step.tokens)[1])
    return found
