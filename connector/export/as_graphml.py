"""GraphML for graph tools: a node for every entity, column and process, and edges with their type and clause."""

from __future__ import annotations

from connector.export.graph import Box, build_graph
from connector.export.view import LEVELS, ExportOptions, escape
from connector.model import Model

_KEYS = (("label", "node"), ("kind", "node"), ("parent", "node"), ("type", "edge"), ("clause", "edge"))


class GraphmlExporter:
    name = "graphml"
    levels = LEVELS

    def render(self, model: Model, level: str, options: ExportOptions) -> str:
        graph = build_graph(model, level, options)
        lines = [
            '<?xml version="1.0" encoding="UTF-8"?>',
            '<graphml xmlns="http://graphml.graphdrawing.org/xmlns">',
            *[f'  <key id="{name}" for="{owner}" attr.name="{name}" attr.type="string"/>' for name, owner in _KEYS],
            '  <graph id="lineage" edgedefault="directed">',
        ]
        for box in graph.boxes:
            lines.extend(_box(box))
        for number, arrow in enumerate(graph.arrows):
            source, target = arrow.source_row or arrow.source, arrow.target_row or arrow.target
            data = _data(type=arrow.type, clause=arrow.label)
            lines.append(f'    <edge id="a{number}" source="{source}" target="{target}">{data}</edge>')
        lines.extend(["  </graph>", "</graphml>", ""])
        return "\n".join(lines)


def _box(box: Box) -> list[str]:
    lines = [f'    <node id="{box.key}">{_data(label=box.label, kind=box.kind)}</node>']
    for key, label in box.rows.items():
        lines.append(f'    <node id="{key}">{_data(label=label, kind="column", parent=box.key)}</node>')
    return lines


def _data(**values: str | None) -> str:
    return "".join([f'<data key="{key}">{escape(value)}</data>' for key, value in values.items() if value is not None])
