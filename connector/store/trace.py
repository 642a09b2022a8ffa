"""The lineage of an object: what feeds it, or what it feeds, step by step."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Literal

__all__ = ["Direction", "Step", "Trace", "TraceNode", "TraceProcess", "build_trace"]

Direction = Literal["upstream", "downstream"]


@dataclass(frozen=True, slots=True)
class TraceProcess:
    """A statement along the path."""

    number: int
    qualified_name: str
    type: str
    query_hash_id: str
    procedure_name: str


@dataclass(slots=True, eq=False)
class TraceNode:
    """A table or column that was reached."""

    qualified_name: str
    kind: str
    distance: int = 0
    """Steps from the start; 0 is the start itself."""
    type: str = "fdd"
    """`fdd` if at least one path from the start is data flow throughout, `fdr` if every path contains impact."""


@dataclass(slots=True, eq=False)
class Step:
    """An edge with all the statements that create it."""

    type: str
    source: TraceNode
    target: TraceNode
    processes: list[TraceProcess] = field(default_factory=list)


@dataclass(slots=True, eq=False)
class Trace:
    """The part of the lineage graph that can be reached from the start in one direction."""

    name: str
    direction: Direction
    columns: bool
    """Whether the nodes are columns."""
    starts: list[TraceNode]
    nodes: list[TraceNode]
    """Without the start, nearest first."""
    steps: list[Step]
    """Ordered by the distance of the nearer end from the start."""

    def near(self, step: Step) -> TraceNode:
        """The end of a step on the side of the start."""
        return step.target if self.direction == "upstream" else step.source

    def far(self, step: Step) -> TraceNode:
        return step.source if self.direction == "upstream" else step.target


RawEdge = tuple[int, int, str, int]
"""Near end, far end, type, process."""


def build_trace(
    name: str,
    direction: Direction,
    starts: Iterable[int],
    edges: Iterable[RawEdge],
    names: Mapping[int, tuple[str, str]],
    processes: Mapping[int, TraceProcess],
    *,
    columns: bool,
    depth: int | None,
) -> Trace:
    """Computes distances and chain types breadth-first from the start, up to `depth`."""
    outward: dict[int, dict[int, list[tuple[str, int]]]] = {}
    for near, far, kind, process in edges:
        outward.setdefault(near, {}).setdefault(far, []).append((kind, process))
    roots = sorted(set(starts), key=lambda number: names[number])
    distance = dict.fromkeys(roots, 0)
    queue = list(roots)
    for number in queue:
        if depth is not None and distance[number] >= depth:
            continue
        for far in sorted(outward.get(number, ()), key=lambda number: names[number]):
            if far not in distance:
                distance[far] = distance[number] + 1
                queue.append(far)
    direct = _direct(roots, outward, distance, depth)
    nodes = {
        number: TraceNode(*names[number], distance[number], "fdd" if number in direct else "fdr") for number in queue
    }
    steps: list[Step] = []
    for number in queue:
        if depth is not None and distance[number] >= depth:
            continue
        for far in sorted(outward.get(number, ()), key=lambda number: names[number]):
            made = outward[number][far]
            kind = "fdd" if any(kind == "fdd" for kind, _ in made) else "fdr"
            source, target = (far, number) if direction == "upstream" else (number, far)
            step = Step(kind, nodes[source], nodes[target])
            step.processes = sorted(
                {processes[process] for _, process in made if process in processes},
                key=lambda process: process.qualified_name,
            )
            steps.append(step)
    return Trace(
        name, direction, columns, [nodes[number] for number in roots], [nodes[n] for n in queue if distance[n]], steps
    )


def _direct(
    roots: list[int],
    outward: Mapping[int, Mapping[int, list[tuple[str, int]]]],
    distance: Mapping[int, int],
    depth: int | None,
) -> set[int]:
    """What data flow alone reaches through visible nodes; such a path may be longer than the shortest one."""
    reached = set(roots)
    layer = list(roots)
    steps = 0
    while layer and (depth is None or steps < depth):
        following = []
        for number in layer:
            for far, made in outward.get(number, {}).items():
                if far in distance and far not in reached and any(kind == "fdd" for kind, _ in made):
                    reached.add(far)
                    following.append(far)
        layer = following
        steps += 1
    return reached
