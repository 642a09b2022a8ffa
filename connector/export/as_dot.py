"""Graphviz: a table with a port for each column, solid arrows for data flow, dashed ones for impact, dotted lines for joins."""

from __future__ import annotations

from connector.export.graph import Arrow, Box, build_graph
from connector.export.view import LEVELS, ExportOptions, escape
from connector.model import Model

_COLORS = {
    "table": "#dbe9f6",
    "view": "#e2f0d9",
    "path": "#fff2cc",
    "stage": "#fff2cc",
    "process": "#eeeeee",
    "variable": "#f4e1f0",
    "resultset": "#f7f7f7",
}
_STYLES = {"fdd": "", "fdr": " [style=dashed]", "call": " [style=bold]"}


class DotExporter:
    name = "dot"
    levels = LEVELS

    def render(self, model: Model, level: str, options: ExportOptions) -> str:
        graph = build_graph(model, level, options)
        lines = [
            "digraph lineage {",
            "  rankdir=LR;",
            '  node [shape=plain, fontname="Helvetica", fontsize=10];',
            *[_box(box) for box in graph.boxes],
            *[_arrow(arrow) for arrow in graph.arrows],
            "}",
        ]
        return "\n".join(lines) + "\n"


def _box(box: Box) -> str:
    color = _COLORS.get(box.kind, "#ffffff")
    style = ' STYLE="ROUNDED"' if box.kind == "process" else ""
    rows = "".join([f'<TR><TD PORT="{key}" ALIGN="LEFT">{escape(label)}</TD></TR>' for key, label in box.rows.items()])
    title = f'<TR><TD BGCOLOR="{color}"><B>{escape(box.label)}</B></TD></TR>'
    return f'  {box.key} [label=<<TABLE BORDER="0" CELLBORDER="1" CELLSPACING="0"{style}>{title}{rows}</TABLE>>];'


def _arrow(arrow: Arrow) -> str:
    source = f"{arrow.source}:{arrow.source_row}:e" if arrow.source_row else arrow.source
    target = f"{arrow.target}:{arrow.target_row}:w" if arrow.target_row else arrow.target
    style = _STYLES.get(arrow.type, " [style=dotted, dir=none, constraint=false]")
    return f"  {source} -> {target}{style};"
