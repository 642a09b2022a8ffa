"""A trace as a tree for people, from the start outwards.

Arrows point in the direction of the data: ``<-`` and ``->`` for data flow, ``<~`` and ``~>`` for impact. Nodes that were already shown are
named again but not expanded, so the tree is no longer than the list of edges.
"""

from __future__ import annotations

from collections import Counter

from connector.model import BATCH
from connector.store.render.ends import short_names
from connector.store.trace import Step, Trace, TraceNode

__all__ = ["render_text"]

_ARROWS = {"upstream": {"fdd": "<-", "fdr": "<~"}, "downstream": {"fdd": "->", "fdr": "~>"}}
_NOTHING = {"upstream": "nothing upstream", "downstream": "nothing downstream"}


def render_text(trace: Trace) -> str:
    return "\n".join(_Tree(trace).lines()) + "\n"


class _Tree:
    def __init__(self, trace: Trace) -> None:
        self._trace = trace
        self._names = short_names(trace)
        self._arrows = _ARROWS[trace.direction]
        self._steps: dict[TraceNode, list[Step]] = {}
        for step in trace.steps:
            self._steps.setdefault(trace.near(step), []).append(step)

    def lines(self) -> list[str]:
        trace = self._trace
        name = _printable(self._names[trace.name])
        if not trace.steps:
            return [f"{name}: {_NOTHING[trace.direction]}"]
        lines = [name]
        if [node.qualified_name for node in trace.starts] == [trace.name]:
            self._unfold(trace.starts[0], "", lines, set())
            return lines
        shown: set[TraceNode] = set()
        starts = [node for node in trace.starts if node in self._steps]
        for node in starts:
            last = node is starts[-1]
            lines.append(f"{'└─ ' if last else '├─ '}{_printable(self._names[node.qualified_name])}")
            self._unfold(node, "   " if last else "│  ", lines, shown)
        return lines

    def _unfold(self, root: TraceNode, margin: str, lines: list[str], shown: set[TraceNode]) -> None:
        """Depth first, without recursion: chains of lineage can be longer than Python's stack."""
        shown.add(root)
        pending = [(step, margin, at == 0) for at, step in enumerate(reversed(self._steps.get(root, [])))]
        while pending:
            step, margin, last = pending.pop()
            node = self._trace.far(step)
            again = node in shown and node in self._steps
            name = _printable(self._names[node.qualified_name])
            mark = "  (shown above)" if again else ""
            lines.append(f"{margin}{'└─ ' if last else '├─ '}{self._arrows[step.type]} {name}{_statements(step)}{mark}")
            if node in shown:
                continue
            shown.add(node)
            inner = margin + ("   " if last else "│  ")
            pending.extend((onward, inner, at == 0) for at, onward in enumerate(reversed(self._steps.get(node, []))))


def _statements(step: Step) -> str:
    """`  [2 Insert, Merge in shop.load_orders]`."""
    kinds = Counter(
        process.type if process.procedure_name == BATCH else f"{process.type} in {process.procedure_name}"
        for process in step.processes
    )
    if not kinds:
        return ""
    return f"  [{', '.join(_printable(kind) if n == 1 else f'{n} {_printable(kind)}' for kind, n in sorted(kinds.items()))}]"


def _printable(text: str) -> str:
    """Control characters in a name must not reach a terminal."""
    return text if text.isprintable() else "".join([c if c.isprintable() else repr(c)[1:-1] for c in text])
