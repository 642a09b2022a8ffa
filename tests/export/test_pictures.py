"""Mermaid, DOT, GraphML and text: what a name can do to them, and that they say the same."""

from __future__ import annotations

import re
from xml.etree.ElementTree import fromstring

from hand_made import Builder, insert_with_cte
from samples import SAMPLES, where_clause

from connector.export import FORMATS, LEVELS, ExportOptions
from connector.export.graph import build_graph
from connector.model import Model


def render(name: str, model: Model, level: str = "complete", **switches: bool) -> str:
    return FORMATS[name].render(model, level, ExportOptions(**switches))


def nasty() -> Model:
    build = Builder()
    process = build.process("Insert")
    build.entity('"]; end\n<b>', table="x")
    build.entity("o")
    build.relation('"]; end\n<b>.`a`"c', "o.\x1b[31m", process)
    build.flow(process, "o", "o")
    return build.model


def test_arrows_lead_from_box_to_box() -> None:
    for make in SAMPLES.values():
        for level in LEVELS:
            graph = build_graph(make(), level, ExportOptions())
            keys = {box.key: box for box in graph.boxes}
            for arrow in graph.arrows:
                assert arrow.source_row is None or arrow.source_row in keys[arrow.source].rows
                assert arrow.target_row is None or arrow.target_row in keys[arrow.target].rows
                assert arrow.source in keys
                assert arrow.target in keys


def test_mermaid_names_cannot_break_out() -> None:
    text = render("mermaid", nasty())
    assert "#34;#93;#59; end#10;#60;b#62;" in text
    for line in text.splitlines():
        assert line.count('"') in (0, 2)


def test_dot_names_cannot_break_out() -> None:
    text = render("dot", nasty())
    assert "&quot;]; end&#10;&lt;b&gt;" in text
    for line in text.splitlines():
        if "label=<" in line:
            label = re.search(r"label=<(.*)>\];$", line)
            assert label is not None
            fromstring(label[1])


def test_graphml_is_xml_with_nodes_for_all_ends() -> None:
    space = "{http://graphml.graphdrawing.org/xmlns}"
    for make in SAMPLES.values():
        for level in LEVELS:
            root = fromstring(render("graphml", make(), level))
            nodes = {node.attrib["id"] for node in root.iter(f"{space}node")}
            for edge in root.iter(f"{space}edge"):
                assert {edge.attrib["source"], edge.attrib["target"]} <= nodes


def test_text_is_a_tree() -> None:
    assert render("text", insert_with_cte(), "column").splitlines() == [
        "Insert  line 1",
        "└─ o",
        "   ├─ y",
        "   │  └─ <- t.a",
        "   └─ PseudoRows",
        "      └─ <~ t.b  (where)",
    ]


def test_text_shows_statements_that_only_read() -> None:
    assert render("text", where_clause(), "table") == "Select  line 1\n└─ reads scott.emp\n"


def test_text_says_when_there_is_nothing() -> None:
    assert render("text", Builder().model) == "no lineage\n"


def test_text_has_colours_only_when_asked_and_never_those_of_a_name() -> None:
    assert "\x1b" not in render("text", nasty())
    coloured = render("text", nasty(), color=True)
    assert "\x1b[32mo\x1b[0m" in coloured
    assert "\x1b[31m\n" not in coloured


def test_table_level_pictures_have_processes_between() -> None:
    graph = build_graph(insert_with_cte(), "table", ExportOptions())
    assert [(box.kind, box.label) for box in graph.boxes] == [
        ("table", "o"),
        ("table", "t"),
        ("process", "Query Insert"),
    ]
    assert [(arrow.source, arrow.target) for arrow in graph.arrows] == [("e4", "p1"), ("p1", "e2")]
