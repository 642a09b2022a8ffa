"""The server's lineage, statement by statement as it was seen on a real one."""

from __future__ import annotations

import uuid
from typing import Any

import pytest
from catalog import Catalog
from rest import Rest, encoded
from server import PERSON, READER, OpenMetadataServer

Entity = dict[str, Any]


@pytest.fixture
def a(catalog: Catalog) -> Entity:
    return catalog.table("svc", "db", "s", "a", {"id": None, "rec": {"x": None}, "we.ird": None})


@pytest.fixture
def b(catalog: Catalog) -> Entity:
    return catalog.table("svc", "db", "s", "b", ["id", "total"])


def ref(entity: Entity, type: str = "table") -> dict[str, str]:
    return {"id": entity["id"], "type": type}


def put(rest: Rest, source: Entity, target: Entity, details: Any = None, types: str = "table table") -> Any:
    kinds = types.split()
    edge: dict[str, Any] = {"fromEntity": ref(source, kinds[0]), "toEntity": ref(target, kinds[1])}
    if details is not None:
        edge["lineageDetails"] = details
    return rest.put("lineage", {"edge": edge})


def read(rest: Rest, source: Entity, target: Entity) -> Any:
    answer = rest.get(f"lineage/getLineageEdge/{source['id']}/{target['id']}")
    assert answer.status_code == 200, answer.text
    return answer.json()["edge"]


def pairs(*columns: tuple[list[str], str]) -> dict[str, Any]:
    return {"columnsLineage": [{"fromColumns": sources, "toColumn": target} for sources, target in columns]}


A, B = "svc.db.s.a", "svc.db.s.b"


class TestPut:
    def test_answers_nothing_for_create_and_update(self, rest: Rest, a: Entity, b: Entity) -> None:
        for _ in range(2):
            answer = put(rest, a, b, {"source": "QueryLineage"})
            assert (answer.status_code, answer.content) == (200, b"")
            assert "Content-Type" not in answer.headers

    def test_replaces_all(self, rest: Rest, a: Entity, b: Entity, catalog: Catalog) -> None:
        procedure = catalog.procedure("svc", "db", "s", "p")
        full = {
            "sqlQuery": "q",
            "description": "d",
            "source": "QueryLineage",
            "pipeline": ref(procedure, "storedProcedure"),
            **pairs(([f"{A}.id"], f"{B}.id")),
        }
        put(rest, a, b, full)
        put(rest, a, b, {"source": "ViewLineage"})
        edge = read(rest, a, b)
        assert edge.pop("columnsLineage") == []
        assert edge.keys() == {"source", "createdAt", "createdBy", "updatedAt", "updatedBy"}
        assert edge["source"] == "ViewLineage"

    @pytest.mark.parametrize("details", [None, {}])
    def test_without_details_is_manual(self, rest: Rest, a: Entity, b: Entity, details: Any) -> None:
        put(rest, a, b, details)
        edge = read(rest, a, b)
        assert (edge["source"], edge["columnsLineage"]) == ("Manual", [])

    def test_keeps_texts_as_they_are(self, rest: Rest, a: Entity, b: Entity) -> None:
        long, empty = "f" * 50_000, ""
        entries = [
            {"fromColumns": [f"{A}.id"], "toColumn": f"{B}.id", "function": long},
            {"fromColumns": [f"{A}.id"], "toColumn": f"{B}.id", "function": empty},
        ]
        temporary = [{"fromEntity": "x", "toEntity": "y"}]
        query = "select '\u00e9'\n" + "-" * 1_000_000
        details = {"columnsLineage": entries, "sqlQuery": query, "tempLineageTables": temporary, "assetEdges": 3}
        put(rest, a, b, {**details, "description": " d\n"})
        edge = read(rest, a, b)
        assert edge["columnsLineage"] == entries
        assert {key: edge[key] for key in details} == details
        assert edge["description"] == " d\n"

    def test_loses_the_description_of_the_edge_itself(self, rest: Rest, a: Entity, b: Entity) -> None:
        answer = rest.put("lineage", {"edge": {"fromEntity": ref(a), "toEntity": ref(b), "description": "lost"}})
        assert answer.status_code == 200
        assert "description" not in read(rest, a, b)

    def test_times_and_users(self, server: OpenMetadataServer, rest: Rest, a: Entity, b: Entity) -> None:
        put(rest, a, b, {"createdAt": 2000, "updatedAt": 3000})
        first = read(rest, a, b)
        assert (first["createdAt"], first["updatedAt"]) == (2000, 3000)
        assert (first["createdBy"], first["updatedBy"]) == ("ingestion-bot", "ingestion-bot")
        put(rest, a, b, {"createdAt": 2500, "updatedAt": 2500})
        assert [read(rest, a, b)[key] for key in ("createdAt", "updatedAt")] == [2000, 3000]
        with Rest(server.url, server.token(PERSON)) as ada:
            put(ada, a, b, {"createdAt": 1000})
        edge = read(rest, a, b)
        assert edge["createdAt"] == 1000
        assert edge["updatedAt"] > 3000
        assert (edge["createdBy"], edge["updatedBy"]) == ("ingestion-bot", "ada")

    def test_an_identical_one_moves_the_time(self, rest: Rest, a: Entity, b: Entity) -> None:
        put(rest, a, b, {"sqlQuery": "q"})
        before = read(rest, a, b)["updatedAt"]
        put(rest, a, b, {"sqlQuery": "q"})
        assert read(rest, a, b)["updatedAt"] > before

    def test_from_a_table_to_itself(self, rest: Rest, a: Entity) -> None:
        assert put(rest, a, a, {}).status_code == 200
        assert read(rest, a, a)["source"] == "Manual"

    def test_by_name(self, rest: Rest, a: Entity, b: Entity) -> None:
        path = f"lineage/table/name/{encoded(A)}/table/name/{encoded(B)}"
        assert rest.put(path).status_code == 200
        assert rest.put(path, {"source": "QueryLineage", **pairs(([f"{A}.id"], f"{B}.id"))}).status_code == 200
        found = rest.get(f"lineage/getLineageEdge/table/name/{encoded(A)}/table/name/{encoded(B)}").json()["edge"]
        assert found == read(rest, a, b)
        assert found["columnsLineage"] == [{"fromColumns": [f"{A}.id"], "toColumn": f"{B}.id"}]
        assert rest.delete(path).status_code == 200
        assert rest.delete(path).status_code == 404

    def test_stores_and_fails_without_a_search_engine(
        self, server: OpenMetadataServer, rest: Rest, a: Entity, b: Entity
    ) -> None:
        server.search.down = True
        answer = put(rest, a, b, {"sqlQuery": "q"})
        assert (answer.status_code, answer.json()["errorType"]) == (500, "UNHANDLED_SERVER_EXCEPTION")
        assert read(rest, a, b)["sqlQuery"] == "q"

    def test_stores_and_fails_for_a_null_source(self, rest: Rest, a: Entity, b: Entity) -> None:
        assert put(rest, a, b, {"source": None, "sqlQuery": "q"}).status_code == 500
        assert read(rest, a, b)["sqlQuery"] == "q"

    def test_between_services_makes_an_edge_of_services(self, rest: Rest, a: Entity, catalog: Catalog) -> None:
        other = catalog.table("other", "db", "s", "c", ["id"])
        put(rest, a, other, {"source": "QueryLineage"})
        edge = read(rest, a["service"], other["service"])
        assert (edge["source"], edge["assetEdges"]) == ("ChildAssets", 1)
        rest.delete(f"lineage/table/{a['id']}/table/{other['id']}")
        answer = rest.get(f"lineage/getLineageEdge/{a['service']['id']}/{other['service']['id']}")
        assert answer.status_code == 404


class TestRefusals:
    def test_of_a_body_without_an_edge(self, rest: Rest) -> None:
        answer = rest.put("lineage", {})
        assert (answer.status_code, answer.json()["message"]) == (400, "[query param edge must not be null]")

    @pytest.mark.parametrize("place", ["top", "edge", "reference"])
    def test_of_unknown_properties(self, rest: Rest, a: Entity, b: Entity, place: str) -> None:
        document: dict[str, Any] = {"edge": {"fromEntity": ref(a), "toEntity": ref(b)}}
        {"top": document, "edge": document["edge"], "reference": document["edge"]["toEntity"]}[place]["odd"] = 1
        answer = rest.put("lineage", document)
        assert (answer.status_code, answer.json()["message"]) == (400, "Invalid request format")

    def test_but_not_of_those_in_the_details(self, rest: Rest, a: Entity, b: Entity) -> None:
        assert put(rest, a, b, {"odd": 1}).status_code == 200
        assert "odd" not in read(rest, a, b)

    def test_of_an_unknown_source(self, rest: Rest, a: Entity, b: Entity) -> None:
        answer = put(rest, a, b, {"source": "Guess"})
        assert (answer.status_code, answer.json()["message"]) == (400, "Invalid request format")

    def test_of_what_is_not_json(self, rest: Rest) -> None:
        answer = rest.send("PUT", "lineage", raw=b"{")
        assert answer.status_code == 400
        assert answer.headers["Content-Type"] == "text/plain"

    def test_of_an_unknown_id(self, rest: Rest, a: Entity) -> None:
        stranger = str(uuid.uuid4())
        answer = put(rest, a, {"id": stranger})
        assert (answer.status_code, answer.json()["message"]) == (404, f"Entity not found: table {stranger}")

    def test_of_a_user_who_may_not(self, server: OpenMetadataServer, a: Entity, b: Entity) -> None:
        with Rest(server.url, server.token(READER)) as joe:
            answer = put(joe, a, b)
        message = "Principal: CatalogPrincipal{name='joe'} operations [EditLineage] not allowed"
        assert (answer.status_code, answer.json()) == (403, {"code": 403, "message": message})


class TestColumns:
    def test_unknown_ones_are_dropped_in_silence(self, rest: Rest, a: Entity, b: Entity) -> None:
        details = pairs(
            ([f"{A}.id", f"{A}.nope"], f"{B}.id"),
            ([f"{A}.nope"], f"{B}.total"),
            ([f"{A}.id"], f"{B}.nope"),
            ([f"{A}.ID"], f"{B}.id"),
        )
        assert put(rest, a, b, details).status_code == 200
        assert read(rest, a, b)["columnsLineage"] == [{"fromColumns": [f"{A}.id"], "toColumn": f"{B}.id"}]

    @pytest.mark.parametrize(
        ("column", "kept"), [("rec.x", True), ('"we.ird"', True), ("we.ird", False), ('"id"', False)]
    )
    def test_nested_and_quoted_ones(self, rest: Rest, a: Entity, b: Entity, column: str, kept: bool) -> None:
        put(rest, a, b, pairs(([f"{A}.{column}"], f"{B}.id")))
        assert bool(read(rest, a, b)["columnsLineage"]) is kept

    def test_in_an_array_of_structures(self, rest: Rest, b: Entity, catalog: Catalog) -> None:
        held = catalog.schema("svc", "db", "s")
        nested = {
            "name": "arr",
            "dataType": "ARRAY",
            "arrayDataType": "STRUCT",
            "children": [{"name": "k", "dataType": "INT"}],
        }
        table = {"name": "n", "databaseSchema": held["fullyQualifiedName"], "columns": [nested]}
        made = rest.put("tables", table).json()
        put(rest, made, b, pairs((["svc.db.s.n.arr.k"], f"{B}.id")))
        assert len(read(rest, made, b)["columnsLineage"]) == 1

    def test_a_bare_name_is_kept_as_it_is(self, rest: Rest, a: Entity, b: Entity) -> None:
        put(rest, a, b, pairs((["id"], "id")))
        assert read(rest, a, b)["columnsLineage"] == [{"fromColumns": ["id"], "toColumn": "id"}]

    @pytest.mark.parametrize(
        "entry",
        [
            {"fromColumns": [f"{A}.id"]},
            {"fromColumns": None, "toColumn": f"{B}.id"},
            {"fromColumns": [f"{A}.id", None], "toColumn": f"{B}.id"},
        ],
    )
    def test_nulls_are_an_error_of_the_server(self, rest: Rest, a: Entity, b: Entity, entry: Any) -> None:
        answer = put(rest, a, b, {"columnsLineage": [entry]})
        assert (answer.status_code, answer.json()["code"]) == (500, 500)

    @pytest.mark.parametrize("entry", [{"toColumn": f"{B}.id"}, {"toColumn": f"{B}.id", "fromColumns": []}])
    def test_nothing_on_the_left_is_dropped(self, rest: Rest, a: Entity, b: Entity, entry: Any) -> None:
        assert put(rest, a, b, {"columnsLineage": [entry]}).status_code == 200
        assert read(rest, a, b)["columnsLineage"] == []

    def test_ten_thousand(self, rest: Rest, a: Entity, b: Entity) -> None:
        entries = [{"fromColumns": [f"{A}.id"], "toColumn": f"{B}.id", "function": str(n)} for n in range(10_000)]
        put(rest, a, b, {"columnsLineage": entries})
        assert read(rest, a, b)["columnsLineage"] == entries

    @pytest.mark.parametrize("columns", [["total"], ["ID", "total"]], ids=["removed", "renamed"])
    def test_gone_from_the_table(self, rest: Rest, a: Entity, b: Entity, columns: list[str], catalog: Catalog) -> None:
        details = pairs(([f"{A}.id"], f"{B}.id"), ([f"{A}.id"], f"{B}.total"))
        put(rest, a, b, {**details, "sqlQuery": "q", "description": "d"})
        catalog.table("svc", "db", "s", "b", columns)
        edge = read(rest, a, b)
        assert edge["columnsLineage"] == [{"fromColumns": [f"{A}.id"], "toColumn": f"{B}.total"}]
        assert "sqlQuery" not in edge
        assert edge["description"] == "d"

    def test_a_new_one_is_harmless(self, rest: Rest, a: Entity, b: Entity, catalog: Catalog) -> None:
        put(rest, a, b, {**pairs(([f"{A}.id"], f"{B}.id")), "sqlQuery": "q"})
        before = read(rest, a, b)
        catalog.table("svc", "db", "s", "b", ["id", "total", "more"])
        assert read(rest, a, b) == before


class TestReferences:
    def test_a_procedure_is_expanded(self, rest: Rest, a: Entity, b: Entity, catalog: Catalog) -> None:
        procedure = catalog.procedure("svc", "db", "s", "load")
        assert put(rest, a, b, {"pipeline": ref(procedure, "storedProcedure")}).status_code == 200
        found = read(rest, a, b)["pipeline"]
        assert (found["id"], found["type"]) == (procedure["id"], "storedProcedure")
        assert found["fullyQualifiedName"] == "svc.db.s.load"

    def test_any_kind_will_do_if_it_exists(self, rest: Rest, a: Entity, b: Entity) -> None:
        assert put(rest, a, b, {"pipeline": ref(b)}).status_code == 200
        assert put(rest, a, b, {"pipeline": {"id": str(uuid.uuid4()), "type": "pipeline"}}).status_code == 404

    def test_containers_have_columns_with_a_data_model(self, rest: Rest, b: Entity, catalog: Catalog) -> None:
        full, bare = catalog.container("lake", "full", ["id"]), catalog.container("lake", "bare")
        for container, name, kept in ((full, "full", 1), (bare, "bare", 0)):
            put(rest, container, b, pairs(([f"lake.{name}.id"], f"{B}.id")), "container table")
            assert len(read(rest, container, b)["columnsLineage"]) == kept
        put(rest, b, full, pairs(([f"{B}.id"], "lake.full.id")), "table container")
        assert len(read(rest, b, full)["columnsLineage"]) == 1


class TestReadAndPatch:
    def test_what_is_not_there(self, rest: Rest, a: Entity, b: Entity) -> None:
        put(rest, a, b)
        for one, two in ((b["id"], a["id"]), (a["id"], str(uuid.uuid4()))):
            answer = rest.get(f"lineage/getLineageEdge/{one}/{two}")
            assert answer.status_code == 404
            assert answer.json() == {"code": 404, "message": f"Lineage edge not found between {one} and  {two}"}

    def test_patch(self, rest: Rest, a: Entity, b: Entity) -> None:
        path = f"lineage/table/{a['id']}/table/{b['id']}"
        assert rest.patch(path, []).status_code == 404
        put(rest, a, b, {"description": "d"})
        answer = rest.patch(path, [{"op": "add", "path": "/sqlQuery", "value": "q"}])
        assert answer.status_code == 200
        assert answer.json() == read(rest, a, b)
        assert (answer.json()["sqlQuery"], answer.json()["description"]) == ("q", "d")
        assert rest.patch(path, [{"op": "remove", "path": "/pipeline"}]).status_code == 400
        assert rest.patch(path, []).status_code == 200
        assert rest.send("PATCH", path, []).status_code == 415

    def test_delete(self, rest: Rest, a: Entity, b: Entity) -> None:
        put(rest, a, b)
        path = f"lineage/table/{a['id']}/table/{b['id']}"
        answer = rest.delete(path)
        assert (answer.status_code, answer.content) == (200, b"")
        again = rest.delete(path)
        assert (again.status_code, again.json()["message"]) == (404, "Lineage edge not found")

    def test_delete_by_source_takes_what_leads_there(self, rest: Rest, a: Entity, b: Entity, catalog: Catalog) -> None:
        c = catalog.table("svc", "db", "s", "c", ["id"])
        put(rest, a, b, {"source": "ViewLineage"})
        put(rest, c, b, {"source": "QueryLineage"})
        put(rest, b, c, {"source": "ViewLineage"})
        for _ in range(2):
            assert rest.delete(f"lineage/source/name/table/{encoded(B)}/type/ViewLineage").status_code == 200
        assert catalog.edges().keys() == {("svc.db.s.c", B), (B, "svc.db.s.c")}
        assert rest.delete("lineage/source/name/table/nobody/type/ViewLineage").status_code == 200

    def test_graph(self, rest: Rest, a: Entity, b: Entity, catalog: Catalog) -> None:
        c = catalog.table("svc", "db", "s", "c", ["id"])
        put(rest, a, b, {"sqlQuery": "1"})
        put(rest, b, c, {"sqlQuery": "2"})
        graph = rest.get(f"lineage/table/name/{encoded(B)}", upstreamDepth=3, downstreamDepth=3).json()
        assert graph["entity"]["id"] == b["id"]
        assert {node["id"] for node in graph["nodes"]} == {a["id"], c["id"]}
        (up,), (down,) = graph["upstreamEdges"], graph["downstreamEdges"]
        assert (up["fromEntity"], up["toEntity"], up["lineageDetails"]["sqlQuery"]) == (a["id"], b["id"], "1")
        assert (down["fromEntity"], down["toEntity"], down["lineageDetails"]["sqlQuery"]) == (b["id"], c["id"], "2")
        far = rest.get(f"lineage/table/{a['id']}", downstreamDepth=2).json()
        assert len(far["downstreamEdges"]) == 2
        assert rest.get(f"lineage/table/{a['id']}", downstreamDepth=4).status_code == 400

    def test_soft_and_hard_deletion(self, rest: Rest, a: Entity, b: Entity, catalog: Catalog) -> None:
        put(rest, a, b, {"sqlQuery": "q"})
        assert rest.delete(f"tables/{b['id']}").status_code == 200
        assert rest.get(f"tables/name/{encoded(B)}").status_code == 404
        assert read(rest, a, b)["sqlQuery"] == "q"
        assert put(rest, a, b).status_code == 404
        back = catalog.table("svc", "db", "s", "b", ["id", "total"])
        assert (back["id"], back["deleted"]) == (b["id"], False)
        assert put(rest, a, b).status_code == 200
        rest.delete(f"tables/{b['id']}?hardDelete=true")
        assert rest.get(f"lineage/getLineageEdge/{a['id']}/{b['id']}").status_code == 404
