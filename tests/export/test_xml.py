"""XML: the form of the reference, and the way back."""

from __future__ import annotations

from xml.etree.ElementTree import Element, fromstring

import pytest
from hand_made import Builder
from samples import SAMPLES, hiredate_view, rename_table, where_clause

from connector.errors import SourceError
from connector.export import FORMATS, ExportOptions, read_xml, to_dict
from connector.model import Model
from connector.model.levels import column_level


def document(model: Model, level: str, **switches: bool) -> Element:
    return fromstring(FORMATS["xml"].render(model, level, ExportOptions(**switches)))


def attributes(element: Element, *names: str) -> dict[str, str]:
    return {name: element.attrib[name] for name in names if name in element.attrib}


def test_the_where_sample_ids_aside() -> None:
    root = document(where_clause(), "complete")
    assert root.tag == "dlineage"
    assert root.findall("process") == []
    (table,) = root.findall("table")
    assert attributes(table, "schema", "name", "alias", "type", "coordinate") == {
        "schema": "scott",
        "name": "scott.emp",
        "alias": "a",
        "type": "table",
        "coordinate": "[2,6,0],[2,17,0]",
    }
    (resultset,) = root.findall("resultset")
    assert [attributes(column, "name", "coordinate", "source") for column in resultset] == [
        {"name": '"eName"', "coordinate": "[1,8,0],[1,25,0]"},
        {"name": "PseudoRows", "coordinate": "[1,8,0],[1,25,0]", "source": "system"},
    ]
    direct, impact = root.findall("relation")
    assert attributes(direct, "type", "effectType", "processId") == {"type": "fdd", "effectType": "select"}
    assert [(end.tag, attributes(end, "column", "parent_name", "clauseType", "source")) for end in impact] == [
        ("target", {"column": "PseudoRows", "parent_name": "RS-1", "source": "system"}),
        ("source", {"column": "sal", "parent_name": "scott.emp", "clauseType": "where"}),
    ]


def test_a_bare_select_is_a_process_when_asked() -> None:
    root = document(where_clause(), "complete", top_select=True)
    (process,) = root.findall("process")
    assert process.attrib["type"] == "Select"
    assert {relation.attrib["processId"] for relation in root.findall("relation")} == {process.attrib["id"]}


def table_steps(root: Element) -> list[tuple[str, str, str]]:
    names = {element.attrib["id"]: element.attrib["name"] for element in root if element.tag != "relation"}
    steps = []
    for relation in root.findall("relation"):
        target, source = relation.find("target"), relation.find("source")
        assert target is not None
        assert source is not None
        assert names[source.attrib["source_id"]] == source.attrib["source_name"]
        assert names[target.attrib["target_id"]] == target.attrib["target_name"]
        steps.append((relation.attrib["type"], source.attrib["source_name"], target.attrib["target_name"]))
    return steps


def test_the_table_level_puts_processes_between_tables() -> None:
    root = document(rename_table(), "table")
    assert table_steps(root) == [
        ("fdd", "t2", "Query Create View"),
        ("fdd", "Query Create View", "v1"),
        ("fdd", "t2", "Query Alter Table"),
        ("fdd", "Query Alter Table", "t3"),
    ]
    assert root.find("resultset") is None
    assert root.find("*/column") is None


def test_the_table_level_of_the_hiredate_sample() -> None:
    assert table_steps(document(hiredate_view(), "table")) == [
        ("fdd", "Person.Person", "Query Create View"),
        ("fdd", "Query Create View", "dbo.hiredate_view"),
        ("fdd", "HumanResources.Employee", "Query Create View"),
        ("fdd", "Query Create View", "dbo.hiredate_view"),
    ]


def test_ids_of_the_table_level_are_new() -> None:
    model = rename_table()
    root = document(model, "table")
    ids = [element.attrib["id"] for element in root.iter() if "id" in element.attrib]
    assert len(ids) == len(set(ids))


def test_the_column_level_has_no_resultsets() -> None:
    root = document(hiredate_view(), "column", impact=False, joins=False)
    assert root.find("resultset") is None
    (process,) = root.findall("process")
    relations = root.findall("relation")
    assert len(relations) == 4
    assert {relation.attrib["processId"] for relation in relations} == {process.attrib["id"]}
    assert {relation.attrib["effectType"] for relation in relations} == {"create_view"}


@pytest.mark.parametrize("sample", SAMPLES)
def test_read_back_gives_the_same_model(sample: str) -> None:
    model = SAMPLES[sample]()
    options = ExportOptions(top_select=True)
    text = FORMATS["xml"].render(model, "complete", options)
    again = read_xml(text)
    for level in ("complete", "column", "table"):
        assert to_dict(again, level, options) == to_dict(model, level, options)
    assert FORMATS["xml"].render(again, "complete", options) == text


def test_column_level_documents_can_be_read_too() -> None:
    again = read_xml(FORMATS["xml"].render(hiredate_view(), "column", ExportOptions()))
    assert [repr(edge.source) for edge in column_level(again)] == [
        repr(edge.source) for edge in column_level(hiredate_view())
    ]


def test_the_references_other_spellings_are_read() -> None:
    model = read_xml(
        """<dligneage>
             <process id="11" name="Query Update" type="Update" coordinate="[1,1,0],[1,9,0]"/>
             <table id="1" name="s.t" type="table" tableType="function" coordinate="[1,1,f904],[1,2,f904]">
               <column id="14_0" name="a" coordinate="[-1,-1,0]"/>
             </table>
             <table id="2" name="o" type="table" processIds="11"><column id="3" name="b"/></table>
             <resultset id="4" name="UPDATE-SET-1" type="update_set"><column id="5" name="a"/></resultset>
             <relation id="1" type="frd"><target id="5" column="a"/><source id="14_0" column="a"/></relation>
             <relation id="2" type="fdd" effectType="update">
               <target id="3" column="b"/><source id="5" column="a"/>
             </relation>
           </dligneage>"""
    )
    assert model.entities[2].type == "update-set"
    assert (model.entities[0].table, model.entities[0].sub_type) == ("t", "function")
    (edge,) = column_level(model)
    assert (repr(edge.source), edge.type, repr(edge.target)) == ("s.t.a", "fdr", "o.b")
    assert edge.process is model.processes[0]
    (flow,) = model.processes[0].flows
    assert flow.target is model.entities[1]
    assert list(flow.sources) == [model.entities[0]]


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("select 1", "not an XML document"),
        ("<html/>", "root element is <html>"),
        ('<dlineage><relation id="1" type="fdd"><target target_id="2"/></relation></dlineage>', "without columns"),
        ('<dlineage><relation id="1" type="fdd"><target id="2" column="a"/></relation></dlineage>', "'2'"),
    ],
)
def test_what_cannot_be_read_is_said(text: str, reason: str) -> None:
    with pytest.raises(SourceError, match=reason):
        read_xml(text)


def test_characters_that_xml_cannot_hold_are_replaced() -> None:
    build = Builder()
    build.entity("a\x00b")
    root = document(build.model, "complete")
    assert root[0].attrib["name"] == "a\N{REPLACEMENT CHARACTER}b"
