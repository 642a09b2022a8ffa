"""Edges in which others have a part: other tools, people, the package's own sink, other sources of ours."""

from __future__ import annotations

from typing import Any

import pytest
from catalog import Catalog
from metadata.generated.schema.api.lineage.addLineage import AddLineageRequest
from metadata.ingestion.ometa.ometa_api import OpenMetadata
from sending import entries, send
from server import PERSON, OpenMetadataServer
from shop import MAILS, ORDERS, add_tables

from connector.catalogs.openmetadata import OpenMetadataSettings

SQL = "insert into mart.mails (id, mail) select id, lower(email) from raw.orders"


@pytest.fixture(autouse=True)
def _tables(catalog: Catalog) -> None:
    add_tables(catalog)


def mapping(source: str, target: str, function: str | None = None) -> dict[str, Any]:
    entry: dict[str, Any] = {"fromColumns": [f"{ORDERS}.{source}"], "toColumn": f"{MAILS}.{target}"}
    return {**entry, "function": function} if function else entry


def from_sink(client: OpenMetadata, catalog: Catalog, *columns: dict[str, Any], source: str = "QueryLineage") -> None:
    """What a lineage workflow of the package would write."""
    edge = {
        "fromEntity": {"id": catalog.find("table", ORDERS)["id"], "type": "table"},
        "toEntity": {"id": catalog.find("table", MAILS)["id"], "type": "table"},
        "lineageDetails": {"source": source, "sqlQuery": "from the sink", "columnsLineage": list(columns)},
    }
    client.add_lineage(AddLineageRequest.model_validate({"edge": edge}), check_patch=True)


def test_what_the_packages_sink_adds_to_ours_stays(
    client: OpenMetadata, catalog: Catalog, settings: OpenMetadataSettings, server: OpenMetadataServer
) -> None:
    send(SQL, settings)
    from_sink(client, catalog, mapping("quantity", "id"))
    assert entries(catalog.edges()[ORDERS, MAILS])["mail"][1] is None, "the sink has lost our function"
    send(SQL, settings)
    assert catalog.mappings()[ORDERS, MAILS] == {("id", "id"), ("email", "mail"), ("quantity", "id")}
    assert "lower(email)" in str(entries(catalog.edges()[ORDERS, MAILS])["mail"][1])
    server.log.clear()
    send(SQL, settings)
    assert server.log.writes() == []
    send(SQL.replace("id, lower(email)", "day, upper(email)"), settings)
    assert catalog.mappings()[ORDERS, MAILS] == {("day", "id"), ("email", "mail"), ("quantity", "id")}


def test_a_tool_that_replaces_the_edge_does_not_lose_ours_for_good(
    catalog: Catalog, settings: OpenMetadataSettings
) -> None:
    send(SQL, settings)
    ends = catalog.find("table", ORDERS), catalog.find("table", MAILS)
    theirs = {"source": "DbtLineage", "description": "theirs", "columnsLineage": [mapping("quantity", "id", "f")]}
    catalog.edge(*ends, theirs, PERSON)
    send(SQL, settings)
    edge = catalog.edges()[ORDERS, MAILS]
    assert edge["source"] == "DbtLineage"
    assert edge["description"].startswith("theirs")
    assert mapping("quantity", "id", "f") in edge["columnsLineage"]
    assert catalog.mappings()[ORDERS, MAILS] == {("id", "id"), ("email", "mail"), ("quantity", "id")}


def test_a_person_who_edits_our_description_keeps_the_text(catalog: Catalog, settings: OpenMetadataSettings) -> None:
    send(SQL, settings)
    ends = catalog.find("table", ORDERS), catalog.find("table", MAILS)
    edge = catalog.edges()[ORDERS, MAILS]
    catalog.edge(*ends, {**edge, "description": "Reviewed by Ada.\n\n" + edge["description"]}, PERSON)
    for text in (SQL, SQL.replace("lower", "upper"), SQL):
        send(text, settings)
        assert catalog.edges()[ORDERS, MAILS]["description"].startswith("Reviewed by Ada.")
        assert catalog.mappings()[ORDERS, MAILS] == {("id", "id"), ("email", "mail")}


def test_pruning_leaves_the_parts_of_others(
    client: OpenMetadata, catalog: Catalog, settings: OpenMetadataSettings
) -> None:
    send(SQL, settings)
    from_sink(client, catalog, mapping("quantity", "id"))
    send("insert into mart.daily (day) select day from raw.orders", settings, prune_if=lambda outdated: True)
    assert catalog.mappings()[ORDERS, MAILS] == {("quantity", "id")}
    assert "lineage-connector" not in str(catalog.edges()[ORDERS, MAILS].get("description"))


def test_two_sources_of_ours_in_one_edge(
    catalog: Catalog, settings: OpenMetadataSettings, server: OpenMetadataServer
) -> None:
    one = "insert into mart.mails (id) select id from raw.orders"
    two = "create view mart.mails as select email as mail, id from raw.orders"
    send(one, settings, "one")
    send(two, settings, "two")
    server.log.clear()
    send(one, settings, "one")
    send(two, settings, "two")
    assert server.log.writes() == []
    assert catalog.edges()[ORDERS, MAILS]["source"] == "ViewLineage"
    send("insert into mart.daily (day) select day from raw.orders", settings, "two", prune_if=lambda outdated: True)
    assert catalog.mappings()[ORDERS, MAILS] == {("id", "id")}
    assert '"source": "two"' not in catalog.edges()[ORDERS, MAILS]["description"]


@pytest.mark.parametrize("theirs", ["lineage-connector", "<!-- lineage-connector {} -->", "a\r\nb", " "])
def test_descriptions_that_look_like_ours_are_kept(
    catalog: Catalog, settings: OpenMetadataSettings, server: OpenMetadataServer, theirs: str
) -> None:
    ends = catalog.find("table", ORDERS), catalog.find("table", MAILS)
    catalog.edge(*ends, {"source": "Manual", "description": theirs}, PERSON)
    send(SQL, settings)
    assert theirs.strip() in catalog.edges()[ORDERS, MAILS]["description"]
    server.log.clear()
    send(SQL, settings)
    assert server.log.writes() == []
