"""The server seen through the real client: what it offers, and what its sink does to edges."""

from __future__ import annotations

from typing import Any

import pytest
from catalog import Catalog
from metadata.generated.schema.api.data.createContainer import CreateContainerRequest
from metadata.generated.schema.api.data.createDatabase import CreateDatabaseRequest
from metadata.generated.schema.api.data.createDatabaseSchema import CreateDatabaseSchemaRequest
from metadata.generated.schema.api.data.createStoredProcedure import CreateStoredProcedureRequest
from metadata.generated.schema.api.data.createTable import CreateTableRequest
from metadata.generated.schema.api.lineage.addLineage import AddLineageRequest
from metadata.generated.schema.api.services.createDatabaseService import CreateDatabaseServiceRequest
from metadata.generated.schema.api.services.createStorageService import CreateStorageServiceRequest
from metadata.generated.schema.entity.data.container import Container
from metadata.generated.schema.entity.data.database import Database
from metadata.generated.schema.entity.data.storedProcedure import StoredProcedure
from metadata.generated.schema.entity.data.table import Table
from metadata.generated.schema.entity.services.databaseService import DatabaseService
from metadata.ingestion.ometa.ometa_api import OpenMetadata
from server import OpenMetadataServer

Entity = dict[str, Any]


def request(source: Entity, target: Entity, /, **details: Any) -> AddLineageRequest:
    ends = {"fromEntity": {"id": source["id"], "type": "table"}, "toEntity": {"id": target["id"], "type": "table"}}
    return AddLineageRequest.model_validate({"edge": {**ends, "lineageDetails": details}})


def column(source: Entity, target: Entity, name: str, function: str | None = None) -> dict[str, Any]:
    ends = {
        "fromColumns": [f"{source['fullyQualifiedName']}.{name}"],
        "toColumn": f"{target['fullyQualifiedName']}.{name}",
    }
    return {**ends, "function": function} if function else ends


@pytest.fixture
def ends(catalog: Catalog) -> tuple[Entity, Entity]:
    return tuple(catalog.table("svc", "db", "s", name, ["x", "y"]) for name in "ab")  # type: ignore[return-value]


def test_makes_and_finds_everything(client: OpenMetadata, server: OpenMetadataServer) -> None:
    assert client.health_check()
    client.validate_versions()
    client.create_or_update(
        CreateDatabaseServiceRequest.model_validate({"name": "svc", "serviceType": "CustomDatabase"})
    )
    client.create_or_update(CreateDatabaseRequest.model_validate({"name": "db", "service": "svc"}))
    client.create_or_update(CreateDatabaseSchemaRequest.model_validate({"name": "s", "database": "svc.db"}))
    columns = [
        {"name": "id", "dataType": "INT"},
        {"name": "st", "dataType": "STRUCT", "children": [{"name": "k", "dataType": "INT"}]},
    ]
    made: Table = client.create_or_update(
        CreateTableRequest.model_validate({"name": "we.ird", "databaseSchema": "svc.db.s", "columns": columns})
    )
    found = client.get_by_name(Table, 'svc.db.s."we.ird"', fields=["columns"])
    assert found == made
    assert client.get_by_id(Table, made.id) == made
    assert client.get_by_name(Table, "svc.db.s.none") is None
    assert client.get_by_name(DatabaseService, "svc") is not None
    assert client.get_by_name(Database, "svc.db") is not None
    code = {"language": "SQL", "code": "begin end"}
    client.create_or_update(
        CreateStoredProcedureRequest.model_validate(
            {"name": "p", "databaseSchema": "svc.db.s", "storedProcedureCode": code}
        )
    )
    assert client.get_by_name(StoredProcedure, "svc.db.s.p") is not None
    client.create_or_update(
        CreateStorageServiceRequest.model_validate({"name": "lake", "serviceType": "CustomStorage"})
    )
    model = {"isPartitioned": False, "columns": [{"name": "id", "dataType": "INT"}]}
    client.create_or_update(CreateContainerRequest.model_validate({"name": "c", "service": "lake", "dataModel": model}))
    container = client.get_by_name(Container, "lake.c")
    assert container.dataModel.columns[0].fullyQualifiedName.root == "lake.c.id"
    assert all(logged.status < 300 or logged.status == 404 for logged in server.log.all())


def test_writes_forbidden_characters_as_words(client: OpenMetadata, catalog: Catalog) -> None:
    catalog.schema("svc", "db", "s")
    columns = [{"name": 'c"1', "dataType": "INT"}]
    client.create_or_update(
        CreateTableRequest.model_validate({"name": 'a"b>c::d', "databaseSchema": "svc.db.s", "columns": columns})
    )
    assert catalog.names("table") == ["svc.db.s.a__reserved__quote__b__reserved__arrow__c__reserved__colon__d"]
    assert catalog.find("table", catalog.names("table")[0])["columns"][0]["name"] == "c__reserved__quote__1"


def test_pages_through_tables(client: OpenMetadata, catalog: Catalog) -> None:
    for number in range(7):
        catalog.table("svc", "db", "s", f"t{number}", ["a"])
    found = client.list_all_entities(Table, fields=["columns"], limit=3, params={"databaseSchema": "svc.db.s"})
    assert [entity.name.root for entity in found] == [f"t{number}" for number in range(7)]


def test_searches_whatever_the_case(client: OpenMetadata, catalog: Catalog) -> None:
    catalog.table("svc", "db", "s", "Orders", ["a"])
    (found,) = client.es_search_from_fqn(Table, "svc.db.s.ORDERS")
    assert found.fullyQualifiedName.root == "svc.db.s.Orders"


def test_adds_and_reads_lineage(client: OpenMetadata, ends: tuple[Entity, Entity], catalog: Catalog) -> None:
    a, b = ends
    client.add_lineage(request(a, b, source="QueryLineage", columnsLineage=[column(a, b, "x", "f")], sqlQuery="1"))
    client.add_lineage(request(a, b, source="ViewLineage", columnsLineage=[column(a, b, "y", "g")]))
    ((name, edge),) = catalog.edges().items()
    assert name == ("svc.db.s.a", "svc.db.s.b")
    assert edge["columnsLineage"] == [column(a, b, "y", "g")]
    assert (edge["source"], edge.get("sqlQuery")) == ("ViewLineage", None)
    graph = client.get_lineage_by_name(Table, "svc.db.s.b", up_depth=3)
    assert [found["fromEntity"] for found in graph["upstreamEdges"]] == [a["id"]]
    assert client.get_lineage_edge(a["id"], b["id"])["edge"]["columnsLineage"] == edge["columnsLineage"]


def test_its_sink_unites_columns_and_loses_functions(
    client: OpenMetadata, ends: tuple[Entity, Entity], catalog: Catalog, server: OpenMetadataServer
) -> None:
    """Why edges are not handed to the sink of the workflow."""
    a, b = ends
    client.add_lineage(request(a, b, description="1", columnsLineage=[column(a, b, "x", "f")]), check_patch=True)
    client.add_lineage(request(a, b, description="2", columnsLineage=[column(a, b, "y", "g")]), check_patch=True)
    (edge,) = catalog.edges().values()
    found = sorted(edge["columnsLineage"], key=lambda entry: str(entry["toColumn"]))
    assert found == [column(a, b, "x"), column(a, b, "y")]
    assert edge["description"] == "1"
    assert [logged.method for logged in server.log.writes()] == ["PUT", "PATCH"]
