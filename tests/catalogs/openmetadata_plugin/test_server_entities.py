"""The server's services, tables and other entities, its errors and its ways to fail."""

from __future__ import annotations

import time
import uuid
from typing import Any

import pytest
import requests
from catalog import Catalog
from rest import Rest, encoded
from server import PERSON, READER, OpenMetadataServer


def table(name: str, *columns: Any, schema: str = "svc.db.s") -> dict[str, Any]:
    made = [column if isinstance(column, dict) else {"name": column, "dataType": "INT"} for column in columns]
    return {"name": name, "databaseSchema": schema, "columns": made}


@pytest.fixture(autouse=True)
def _schema(catalog: Catalog) -> None:
    catalog.schema("svc", "db", "s")


class TestAccess:
    def test_the_version_needs_no_token(self, server: OpenMetadataServer) -> None:
        with Rest(server.url, None) as nobody:
            answer = nobody.get("system/version")
        assert answer.status_code == 200
        assert answer.json().keys() == {"version", "revision", "timestamp"}
        assert answer.json()["version"] == "2.0.0"

    def test_no_token(self, server: OpenMetadataServer) -> None:
        with Rest(server.url, None) as nobody:
            answer = nobody.get("tables")
        assert (answer.status_code, answer.json()["message"]) == (401, "Not Authorized! Token not present")
        assert answer.headers["WWW-Authenticate"] == "om-auth"
        basic = requests.get(f"{server.url}/v1/tables", auth=("a", "b"), timeout=30)
        assert (basic.status_code, basic.json()["message"]) == (401, "Not Authorized! Token not present")

    @pytest.mark.parametrize("change", ["nonsense", "a.b.c", None])
    def test_a_bad_token(self, server: OpenMetadataServer, change: str | None) -> None:
        token = change or server.token()[:-4] + "AAAA"
        with Rest(server.url, token) as stranger:
            answer = stranger.get("tables")
        assert (answer.status_code, answer.json()["message"]) == (401, "Not Authorized! Invalid token.")

    def test_a_token_without_a_key(self, server: OpenMetadataServer) -> None:
        with Rest(server.url, server.token(key_id=False)) as stranger:
            answer = stranger.get("tables")
        assert (answer.status_code, answer.json()["errorType"]) == (500, "UNHANDLED_SERVER_EXCEPTION")

    def test_a_user_who_may_only_read(self, server: OpenMetadataServer) -> None:
        with Rest(server.url, server.token(READER)) as joe:
            assert joe.get("tables").status_code == 200
            answer = joe.put("tables", table("t", "a"))
        assert answer.status_code == 403
        assert "CatalogPrincipal{name='joe'} operations [Create] not allowed" in answer.json()["message"]


class TestTables:
    def test_put_is_an_upsert(self, rest: Rest) -> None:
        first, again = rest.put("tables", table("t", "a")), rest.put("tables", table("t", "a"))
        assert (first.status_code, again.status_code) == (201, 200)
        made = again.json()
        assert made == first.json()
        assert made["fullyQualifiedName"] == "svc.db.s.t"
        assert made["columns"][0]["fullyQualifiedName"] == "svc.db.s.t.a"
        assert [made[end]["fullyQualifiedName"] for end in ("service", "database", "databaseSchema")] == [
            "svc",
            "svc.db",
            "svc.db.s",
        ]

    def test_post_of_an_existing_one(self, rest: Rest) -> None:
        assert rest.send("POST", "tables", table("t", "a")).status_code == 201
        answer = rest.send("POST", "tables", table("t", "a"))
        assert (answer.status_code, answer.json()["message"]) == (409, "Entity already exists")

    def test_by_name_and_id(self, rest: Rest) -> None:
        made = rest.put("tables", table("t", "a")).json()
        assert rest.get(f"tables/name/{encoded('svc.db.s.t')}", fields="columns").json() == made
        assert rest.get(f"tables/{made['id']}").json() == made
        for name in ("svc.db.s.T", "svc.db.s.none", 'svc.db.s."t"'):
            answer = rest.get(f"tables/name/{encoded(name)}")
            assert (answer.status_code, answer.json()["message"]) == (404, f"table instance for {name} not found")
        assert rest.get(f"tables/{uuid.uuid4()}").status_code == 404
        assert rest.get(f"tables/{made['id']}", fields="odd").status_code == 400

    def test_case_makes_two(self, rest: Rest) -> None:
        one, two = rest.put("tables", table("a", "x")).json(), rest.put("tables", table("A", "x")).json()
        assert one["id"] != two["id"]

    @pytest.mark.parametrize("name", ["with.dot", "with space", "a/b?c#d%25", "ünïcode", "a:b", "it's", "x" * 256])
    def test_odd_names(self, rest: Rest, name: str) -> None:
        made = rest.put("tables", table(name, "a")).json()
        shown = f'"{name}"' if "." in name else name
        assert made["fullyQualifiedName"] == f"svc.db.s.{shown}"
        assert rest.get(f"tables/name/{encoded(made['fullyQualifiedName'])}").json()["id"] == made["id"]

    @pytest.mark.parametrize("name", ['a"b', "a>b", "a::b", "a\nb", "", "x" * 257])
    def test_refused_names(self, rest: Rest, name: str) -> None:
        assert rest.put("tables", table(name, "a")).status_code == 400
        if len(name) < 257:
            assert rest.put("tables", table("t", name)).status_code == 400

    @pytest.mark.parametrize(
        "columns",
        [
            ("a", "a"),
            ({"name": "a", "dataType": "VARCHAR"},),
            ({"name": "a", "dataType": "NO_SUCH"},),
            ({"name": "a", "dataType": "INT", "odd": 1},),
        ],
    )
    def test_refused_columns(self, rest: Rest, columns: Any) -> None:
        assert rest.put("tables", table("t", *columns)).status_code == 400

    def test_the_schema_has_to_be_there(self, rest: Rest) -> None:
        answer = rest.put("tables", table("t", "a", schema="svc.db.none"))
        assert (answer.status_code, answer.json()["message"]) == (
            404,
            "databaseSchema instance for svc.db.none not found",
        )

    def test_a_bot_keeps_what_people_wrote(self, server: OpenMetadataServer, rest: Rest) -> None:
        with Rest(server.url, server.token(PERSON)) as ada:
            ada.put("tables", {**table("t", "a"), "description": "by hand"})
        assert rest.put("tables", {**table("t", "a"), "description": "by a bot"}).json()["description"] == "by hand"

    def test_patch(self, rest: Rest) -> None:
        made = rest.put("tables", table("t", "a")).json()
        answer = rest.patch(f"tables/{made['id']}", [{"op": "add", "path": "/description", "value": "d"}])
        assert (answer.status_code, answer.json()["description"]) == (200, "d")
        assert rest.patch(f"tables/{made['id']}", [{"op": "remove", "path": "/odd"}]).status_code == 400

    def test_pages(self, rest: Rest) -> None:
        rest.put("tables", table("elsewhere", "a"))
        rest.put("databaseSchemas", {"name": "many", "database": "svc.db"})
        names = [f"t{number:02}" for number in range(25)]
        for name in names:
            rest.put("tables", table(name, "a", schema="svc.db.many"))
        query: dict[str, str | int] = {"databaseSchema": "svc.db.many", "limit": 10, "fields": "columns"}
        found: list[str] = []
        while True:
            page = rest.get("tables", **query).json()
            assert page["paging"]["total"] == 25
            found += [entity["name"] for entity in page["data"]]
            if "after" not in page["paging"]:
                break
            query["after"] = page["paging"]["after"]
        assert found == names
        assert len(rest.get("tables").json()["data"]) == 10
        assert rest.get("tables", limit=2_000_000).status_code == 400

    def test_bulk_answers_200_whatever_fails(self, rest: Rest) -> None:
        answer = rest.put("tables/bulk?async=false", [table("good", "a"), table("b>ad", "a")])
        assert answer.status_code == 200
        result = answer.json()
        assert (result["status"], result["numberOfRowsProcessed"]) == ("partialSuccess", 2)
        (failed,) = result["failedRequest"]
        assert failed.keys() == {"request", "message", "status", "hasSideEffects"}
        assert (failed["request"]["name"], failed["status"]) == ("b>ad", 400)
        assert rest.put("tables/bulk?async=false", [table("b>ad", "a")]).json()["status"] == "failure"
        assert rest.put("tables/bulk?async=false", [table("good", "a")]).json()["status"] == "success"


class TestSearch:
    def find(self, rest: Rest, value: str, field: str = "fullyQualifiedName") -> list[str]:
        answer = rest.get(
            "search/fieldQuery", fieldName=field, fieldValue=value, index="table_search_index", deleted="false"
        )
        assert answer.status_code == 200, answer.text
        return [hit["_source"]["fullyQualifiedName"] for hit in answer.json()["hits"]["hits"]]

    def test_case_does_not_count(self, rest: Rest) -> None:
        rest.put("tables", table("Orders", "a"))
        assert self.find(rest, "SVC.db.S.orders") == ["svc.db.s.Orders"]
        assert self.find(rest, "ORDERS", "name.keyword") == ["svc.db.s.Orders"]

    def test_wildcards_and_their_escape(self, rest: Rest) -> None:
        for name in ("a1", "a2", "a*"):
            rest.put("tables", table(name, "x"))
        assert self.find(rest, "svc.*.a?") == ["svc.db.s.a*", "svc.db.s.a1", "svc.db.s.a2"]
        assert self.find(rest, r"svc.db.s.a\*") == ["svc.db.s.a*"]

    def test_ten_at_most(self, rest: Rest) -> None:
        for number in range(12):
            rest.put("tables", table(f"t{number}", "x"))
        assert len(self.find(rest, "svc.db.s.t*")) == 10

    def test_by_query(self, rest: Rest) -> None:
        rest.put("tables", table("we.Ird", "a"))
        hits = rest.get(
            "search/query", q=r'fullyQualifiedName:"svc.db.s.\"WE.ird\""', index="table_search_index"
        ).json()
        assert [hit["_source"]["name"] for hit in hits["hits"]["hits"]] == ["we.Ird"]
        assert rest.get("search/query", q="(", index="table_search_index").status_code == 400


class TestFailures:
    def test_overload(self, server: OpenMetadataServer, rest: Rest) -> None:
        server.faults.overload(2)
        assert [(answer.status_code, answer.content) for answer in (rest.get("tables"), rest.get("tables"))] == [
            (503, b"")
        ] * 2
        assert rest.get("tables").status_code == 200

    def test_the_nth_write_after_it_was_done(self, server: OpenMetadataServer, rest: Rest) -> None:
        server.faults.answer(500, methods="PUT", path="^/v1/tables$", skip=1, after_writing=True)
        statuses = [rest.put("tables", table(name, "a")).status_code for name in ("t0", "t1", "t2")]
        assert statuses == [201, 500, 201]
        assert rest.get(f"tables/name/{encoded('svc.db.s.t1')}").status_code == 200

    def test_a_cut_connection(self, server: OpenMetadataServer, rest: Rest) -> None:
        server.faults.cut(methods="PUT", path="^/v1/tables$")
        with pytest.raises(requests.ConnectionError):
            rest.put("tables", table("t", "a"))
        assert rest.put("tables", table("t", "a")).status_code == 201

    @pytest.mark.parametrize("cause", ["405", "415", "401"])
    def test_the_connection_after_some_refusals(self, server: OpenMetadataServer, cause: str) -> None:
        with Rest(server.url, "bad" if cause == "401" else server.token()) as other:
            if cause == "405":
                answer = other.send("POST", "lineage", {})
            elif cause == "415":
                answer = other.send("PUT", "tables", {}, type="text/plain")
            else:
                answer = other.send("PUT", "tables", {"name": "x" * 10_000})
            assert answer.status_code == int(cause)
            with pytest.raises(requests.ConnectionError):
                other.get("system/version")
            assert other.get("system/version").status_code == 200

    def test_down_and_up_again(self, server: OpenMetadataServer, rest: Rest) -> None:
        rest.put("tables", table("t", "a"))
        server.stop()
        began = time.monotonic()
        with pytest.raises(requests.ConnectionError):
            rest.get("tables")
        assert time.monotonic() - began < 5
        server.start()
        assert rest.get("tables").json()["paging"]["total"] == 1

    def test_unknown_addresses(self, rest: Rest) -> None:
        assert rest.get("nothing").status_code == 404
        assert rest.get("tables/not-an-id").status_code == 404

    def test_what_was_asked_is_kept(self, server: OpenMetadataServer, rest: Rest) -> None:
        rest.get("tables", limit=5)
        rest.put("tables", table("t", "a"))
        read, write = server.log.all()
        assert (read.method, read.path, read.query, read.status) == ("GET", "/v1/tables", {"limit": "5"}, 200)
        assert server.log.writes() == [write]
        assert (write.json["name"], write.user) == ("t", "ingestion-bot")
