"""The routines of the input: found by name, qualifier and number of arguments, wherever they are defined."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from connector.analysis.routines.variables import Variable
from connector.analysis.rowset import Rowset
from connector.model import Column, Entity, Procedure, Process

if TYPE_CHECKING:
    from connector.analysis.routines.templates import Template


@dataclass(slots=True, eq=False)
class Given:
    """What one statement of a routine gives back: the rows of a query, or a value."""

    process: Process
    sources: dict[Entity, None]
    """What the statement reads."""
    result: Rowset | None = None
    columns: list[Column] = field(default_factory=list)
    limits: list[Column] = field(default_factory=list)
    named: bool = False
    """The columns of the result are found by their names, and not by their places."""


@dataclass(slots=True, eq=False)
class Routine:
    """A routine that a script defines."""

    procedure: Procedure
    full_name: str
    kind: str
    path: tuple[str, ...] = ()
    """The folded parts of its name."""
    parameters: list[Variable] = field(default_factory=list)
    modes: list[str] = field(default_factory=list)
    optional: int = 0
    """How many of the parameters have a default."""
    columns: list[str] = field(default_factory=list)
    """The names in ``RETURNS TABLE (a INT, b INT)``."""
    several: bool = False
    """``RETURNS SETOF INT``, ``RETURNS TABLE (a INT)``: it gives rows, in an expression too."""
    given: list[Given] = field(default_factory=list)
    writes: bool = False
    """Whether its body writes tables, for which the values that it is called with matter."""
    done: bool = False
    """Whether its body has been read."""
    result: Rowset | None = None
    """What it gives back, as a source for those who call it."""
    template: Template | None = None
    """Of a routine that is given the names of tables: its definition."""
    instances: dict[tuple[tuple[str, str], ...], Routine] = field(default_factory=dict)
    """The same routine with such names in it, by what it was called with."""

    def takes(self, arguments: int) -> bool:
        """Whether it can be called with so many arguments."""
        return len(self.parameters) - self.optional <= arguments <= len(self.parameters)


class Registry:
    """Routines by name. A second definition of the same name and number of parameters takes the place of the first."""

    __slots__ = ("_routines",)

    def __init__(self) -> None:
        self._routines: dict[str, list[Routine]] = {}

    def __contains__(self, name: str) -> bool:
        return name in self._routines

    def add(self, routine: Routine) -> None:
        known = self._routines.setdefault(routine.path[-1], [])
        known[:] = [
            other for other in known if other.path != routine.path or len(other.parameters) != len(routine.parameters)
        ]
        known.append(routine)

    def is_template(self, name: str) -> bool:
        """Whether what a routine of that name reads depends on the texts that it is called with."""
        return any(routine.template is not None for routine in self._routines.get(name, ()))

    def find(self, path: tuple[str, ...], arguments: int, inside: str = "") -> Routine | None:
        """The routine that a call means; None where none or more than one fits.

        `inside` is the routine around the call: what stands in the same package needs no qualifier.
        """
        known = self._routines.get(path[-1])
        if known is None:
            return None
        fit = [routine for routine in known if _is_qualified_so(routine.path, path)]
        if len(fit) > 1:
            fit = [routine for routine in fit if routine.takes(arguments)] or fit
        if len(fit) > 1:
            fit = [routine for routine in fit if routine.path[-len(path) :] == path] or fit
        if len(fit) > 1 and inside:
            around = tuple(inside.lower().split("."))[:-1]
            fit = [routine for routine in fit if routine.path[:-1] == around] or fit
        return fit[0] if len(fit) == 1 else None


def _is_qualified_so(defined: tuple[str, ...], called: tuple[str, ...]) -> bool:
    """Whether two names may mean the same: what both say is the same."""
    return all(one == other for one, other in zip(reversed(defined), reversed(called), strict=False))
