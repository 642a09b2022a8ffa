"""Mermaid flowcharts, for READMEs and merge requests. Solid arrows are data flow, dotted ones impact, dotted lines joins."""

from __future__ import annotations

from connector.export.graph import Arrow, Box, build_graph
from connector.export.view import LEVELS, ExportOptions
from connector.model import Model

_SHAPES = {"process": ("([", "])"), "path": ("[/", "/]"), "stage": ("[/", "/]"), "view": ("[[", "]]")}


class MermaidExporter:
    name = "mermaid"
    levels = LEVELS

    def render(self, model: Model, level: str, options: ExportOptions) -> str:
        graph = build_graph(model, level, options)
        lines = ["flowchart LR"]
        for box in graph.boxes:
            lines.extend(_box(box))
        lines.extend(_arrow(arrow) for arrow in graph.arrows)
        return "\n".join(lines) + "\n"


def _box(box: Box) -> list[str]:
    if not box.rows:
        opening, closing = _SHAPES.get(box.kind, ("[", "]"))
        return [f"  {box.key}{opening}{_label(box.label)}{closing}"]
    rows = [f"    {key}[{_label(label)}]" for key, label in box.rows.items()]
    return [f"  subgraph {box.key}[{_label(box.label)}]", *rows, "  end"]


def _arrow(arrow: Arrow) -> str:
    source, target = arrow.source_row or arrow.source, arrow.target_row or arrow.target
    if arrow.type in ("join", "er"):
        return f"  {source} -. {arrow.type} .- {target}"
    line = "-->" if arrow.type == "fdd" else "-.->"
    label = f"|{_label(arrow.label)}|" if arrow.label else ""
    return f"  {source} {line}{label} {target}"


def _label(text: str) -> str:
    """Quoted text. Characters that could end or format it are written as ``#number;``, which Mermaid decodes."""
    return (
        '"' + "".join([char if char.isalnum() or char in " _.,:/$@()*+-=" else f"#{ord(char)};" for char in text]) + '"'
    )
