"""A difference as text and as JSON."""

from __future__ import annotations

import json
from typing import Any

from connector.compare.difference import Difference
from connector.compare.edges import ComparedLevel, Edge
from connector.naming import join_name, parse_name

__all__ = ["render_json", "render_text"]

_ARROWS = {"fdd": "->", "fdr": "~>"}


def render_text(difference: Difference, level: ComparedLevel) -> str:
    """One line for each edge, as patches are read: ``+`` for what is new, ``-`` for what is gone; nothing if they agree."""
    marked = [("-", edge) for edge in difference.removed] + [("+", edge) for edge in difference.added]
    marked.sort(key=lambda line: (line[1].target.lower(), line[0] == "+", line[1].source))
    clusters = {parse_name(name).cluster for _, edge in marked for name in (edge.source, edge.target)}
    drop = join_name([], clusters.pop()) if len(clusters) == 1 and None not in clusters else ""
    return "".join([f"{mark} {_line(edge, drop)}\n" for mark, edge in marked])


def _line(edge: Edge, drop: str) -> str:
    place = f"  ({edge.place})" if edge.place else ""
    return _printable(
        f"{edge.source.removesuffix(drop)} {_ARROWS.get(edge.type, edge.type)} {edge.target.removesuffix(drop)}{place}"
    )


def _printable(text: str) -> str:
    """Control characters in a name must not reach a terminal."""
    return text if text.isprintable() else "".join([c if c.isprintable() else repr(c)[1:-1] for c in text])


def render_json(difference: Difference, level: ComparedLevel) -> str:
    document = {
        "level": level,
        "added": [_edge(edge) for edge in difference.added],
        "removed": [_edge(edge) for edge in difference.removed],
    }
    return json.dumps(document, indent=2, ensure_ascii=False) + "\n"


def _edge(edge: Edge) -> dict[str, Any]:
    return {
        "type": edge.type,
        "source": {"kind": edge.source_kind, "qualifiedName": edge.source},
        "target": {"kind": edge.target_kind, "qualifiedName": edge.target},
        "place": edge.place,
    }
