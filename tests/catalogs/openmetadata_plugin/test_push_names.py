"""Names: dots, quotes, case, missing layers, nested columns."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
import yaml
from catalog import Catalog
from sending import send
from server import OpenMetadataServer
from shop import SERVICE

from connector import analyze
from connector.catalogs.openmetadata import OpenMetadataSettings, push
from connector.common.resources import resource_folder


def mapping(folder: Path, **changes: Any) -> str:
    """The shipped mapping with other rules for services."""
    document = yaml.safe_load((resource_folder("mappings") / "openmetadata.yaml").read_text(encoding="utf-8"))
    for rule in document["services"]:
        rule.update(changes)
    file = folder / "mapping.yaml"
    file.write_text(yaml.safe_dump(document), encoding="utf-8")
    return str(file)


class TestCharacters:
    @pytest.mark.parametrize(
        ("written", "stored"),
        [
            ('"we.ird"', "we.ird"),
            ('"with space"', "with space"),
            ('"a/b?c#d%2e"', "a/b?c#d%2e"),
            ('"Größe"', "Größe"),
            ('"a""b"', "a__reserved__quote__b"),
            ('"a>b"', "a__reserved__arrow__b"),
            ('"a::b"', "a__reserved__colon__b"),
            ('"x.""y"', "x.__reserved__quote__y"),
            ('"it\'s"', "it's"),
            ('"50%"', "50%"),
            ('"a*b"', "a*b"),
            ('"back\\slash"', "back\\slash"),
        ],
    )
    def test_of_tables_and_columns(
        self, catalog: Catalog, settings: OpenMetadataSettings, written: str, stored: str
    ) -> None:
        column = f'"c{written[1:]}'
        catalog.table(SERVICE, "shop", "raw", stored, ["plain", f"c{stored}"])
        catalog.table(SERVICE, "shop", "mart", stored, ["plain", f"c{stored}"])
        summary = send(
            f"insert into mart.{written} (plain, {column}) select {column}, plain from raw.{written}", settings
        )
        assert not summary.failures
        assert not summary.notes
        table, part = (f'"{name}"' if "." in name else name for name in (stored, f"c{stored}"))
        assert catalog.mappings() == {
            (f"{SERVICE}.shop.raw.{table}", f"{SERVICE}.shop.mart.{table}"): {(part, "plain"), ("plain", part)}
        }

    def test_of_services_databases_and_schemas(
        self, catalog: Catalog, server: OpenMetadataServer, tmp_path: Path
    ) -> None:
        for table in "ab":
            catalog.table("my.service", "my.db", "my.schema", table, ["x"])
        settings = OpenMetadataSettings(
            url=server.url, token=server.token(), state=tmp_path / "s.db", service="my.service"
        )
        lineage = analyze('insert into "my.db"."my.schema".b (x) select x from "my.db"."my.schema".a', "postgres")
        assert not push([lineage], settings, source="t").failures
        ends = tuple(f'"my.service"."my.db"."my.schema".{table}' for table in "ab")
        assert catalog.mappings() == {ends: {("x", "x")}}


class TestCase:
    @pytest.mark.parametrize(
        ("dialect", "written"), [("snowflake", "orders"), ("postgres", "ORDERS"), ("mssql", "Orders")]
    )
    @pytest.mark.parametrize("stored", ["orders", "ORDERS", "Orders"])
    def test_does_not_count_for_names_without_quotes(
        self, catalog: Catalog, settings: OpenMetadataSettings, dialect: str, written: str, stored: str
    ) -> None:
        catalog.table(SERVICE, "Shop", "Raw", stored, ["Id"])
        catalog.table(SERVICE, "Shop", "Raw", "Target", ["ID"])
        sql = f"insert into shop.raw.target (id) select id from shop.raw.{written}"
        summary = push([analyze(sql, dialect)], settings, source="t")
        assert not summary.failures
        assert catalog.mappings() == {(f"{SERVICE}.Shop.Raw.{stored}", f"{SERVICE}.Shop.Raw.Target"): {("Id", "ID")}}

    def test_counts_where_two_tables_differ_in_it(self, catalog: Catalog, settings: OpenMetadataSettings) -> None:
        for name in ("orders", "ORDERS", "b"):
            catalog.table(SERVICE, "shop", "public", name, ["id"])
        send('insert into b select id from "ORDERS"', settings)
        send("insert into b select id from orders", settings, "two")
        name = f"{SERVICE}.shop.public."
        assert catalog.edges().keys() == {(f"{name}ORDERS", f"{name}b"), (f"{name}orders", f"{name}b")}

    def test_is_not_guessed(self, catalog: Catalog, settings: OpenMetadataSettings) -> None:
        for name in ("Orders", "ORDERS", "b"):
            catalog.table(SERVICE, "shop", "public", name, ["id"])
        summary = send("insert into b select id from orders", settings)
        assert catalog.edges() == {}
        (failure,) = summary.failures
        assert "Orders" in failure.reason
        assert "ORDERS" in failure.reason

    def test_of_a_quoted_name_counts(self, catalog: Catalog, settings: OpenMetadataSettings) -> None:
        for name in ("ORDERS", "b"):
            catalog.table(SERVICE, "shop", "public", name, ["id"])
        assert len(send('insert into b select id from "orders"', settings).failures) == 1
        assert catalog.edges() == {}

    def test_of_columns(self, catalog: Catalog, settings: OpenMetadataSettings) -> None:
        catalog.table(SERVICE, "shop", "public", "a", ["Id", "id", "NAME"])
        catalog.table(SERVICE, "shop", "public", "b", ["ID", "name"])
        send('insert into b (id, name) select "Id", name from a', settings)
        ((_, columns),) = catalog.mappings().items()
        assert columns == {("Id", "ID"), ("NAME", "name")}

    @pytest.mark.parametrize("search", [True, False])
    def test_with_and_without_the_search_engine(
        self,
        catalog: Catalog,
        settings: OpenMetadataSettings,
        server: OpenMetadataServer,
        pauses: list[float],
        search: bool,
    ) -> None:
        for name in ("Orders", "B"):
            catalog.table(SERVICE, "Shop", "Public", name, ["ID"])
        server.search.down = not search
        assert not send("insert into b (id) select id from orders", settings).failures
        assert catalog.mappings() == {(f"{SERVICE}.Shop.Public.Orders", f"{SERVICE}.Shop.Public.B"): {("ID", "ID")}}


class TestLayers:
    def test_a_schema_that_is_not_said_is_looked_for(self, catalog: Catalog, settings: OpenMetadataSettings) -> None:
        catalog.table(SERVICE, "d", "one", "a", ["x"])
        catalog.table(SERVICE, "d", "two", "b", ["x"])
        lineage = analyze("insert into b (x) select x from a", "postgres")
        assert not push([lineage], settings, source="t").failures
        assert catalog.mappings() == {(f"{SERVICE}.d.one.a", f"{SERVICE}.d.two.b"): {("x", "x")}}

    def test_but_not_guessed(self, catalog: Catalog, settings: OpenMetadataSettings) -> None:
        for schema in ("one", "two"):
            catalog.table(SERVICE, "d", schema, "a", ["x"])
        catalog.table(SERVICE, "d", "two", "b", ["x"])
        summary = push([analyze("insert into b (x) select x from a", "postgres")], settings, source="t")
        assert catalog.edges() == {}
        assert f"{SERVICE}.d.one.a" in summary.failures[0].reason

    def test_dialects_without_schemas(self, catalog: Catalog, settings: OpenMetadataSettings) -> None:
        for table in "ab":
            catalog.table(SERVICE, "default", "sales", table, ["x"])
        assert not push(
            [analyze("insert into sales.b (x) select x from sales.a", "mysql")], settings, source="t"
        ).failures
        assert catalog.mappings() == {(f"{SERVICE}.default.sales.a", f"{SERVICE}.default.sales.b"): {("x", "x")}}

    def test_a_service_for_each_cluster(self, catalog: Catalog, settings: OpenMetadataSettings, tmp_path: Path) -> None:
        for service in ("pg-east", "pg-west"):
            for table in "ab":
                catalog.table(service, "shop", "public", table, ["x"])
        own = settings.model_copy(update={"mapping": mapping(tmp_path, service="pg-{cluster}")})
        lineages = [
            analyze("insert into shop.public.b (x) select x from shop.public.a", "postgres", cluster=cluster)
            for cluster in ("east", "west")
        ]
        assert not push(lineages, own, source="t").failures
        assert catalog.edges().keys() == {
            (f"{service}.shop.public.a", f"{service}.shop.public.b") for service in ("pg-east", "pg-west")
        }


class TestNested:
    def test_fields_by_their_path(self, catalog: Catalog, settings: OpenMetadataSettings) -> None:
        catalog.table(SERVICE, "shop", "raw", "events", {"id": None, "payload": {"user": {"name": None}, "ip": None}})
        catalog.table(SERVICE, "shop", "mart", "users", ["id", "name", "ip"])
        sql = "insert into shop.mart.users (id, name, ip) select e.id, e.payload.user.name, e.payload.ip from shop.raw.events e"
        summary = push([analyze(sql, "bigquery")], settings, source="t")
        assert not summary.failures
        ((_, columns),) = catalog.mappings().items()
        assert columns == {("id", "id"), ("payload.user.name", "name"), ("payload.ip", "ip")}

    def test_a_field_that_the_server_does_not_know_is_its_column(
        self, catalog: Catalog, settings: OpenMetadataSettings
    ) -> None:
        catalog.table(SERVICE, "shop", "raw", "events", ["payload"])
        catalog.table(SERVICE, "shop", "mart", "users", ["ip"])
        sql = "insert into shop.mart.users (ip) select e.payload.ip from shop.raw.events e"
        push([analyze(sql, "bigquery")], settings, source="t")
        ((_, columns),) = catalog.mappings().items()
        assert columns == {("payload", "ip")}


class TestCreation:
    def test_in_order_and_only_what_the_mapping_allows(
        self, catalog: Catalog, settings: OpenMetadataSettings, server: OpenMetadataServer, tmp_path: Path
    ) -> None:
        all_of_it = mapping(tmp_path, create=["service", "database", "schema", "table"])
        own = settings.model_copy(update={"mapping": all_of_it})
        sql = 'insert into mart."We.Ird" (id, "n""") select id, upper(name) from raw.customers'
        assert not send(sql, own).failures
        assert catalog.names("databaseService") == [SERVICE]
        assert sorted(catalog.names("table")) == [f'{SERVICE}.shop.mart."We.Ird"', f"{SERVICE}.shop.raw.customers"]
        ((_, columns),) = catalog.mappings().items()
        assert columns == {("id", "id"), ("name", "n__reserved__quote__")}
        server.log.clear()
        assert not send(sql, own).changed
        assert server.log.writes() == []

    def test_a_new_column_of_a_table_that_we_made(
        self, catalog: Catalog, settings: OpenMetadataSettings, tmp_path: Path
    ) -> None:
        """A table that exists is not ours to change: its columns are reported."""
        own = settings.model_copy(
            update={"mapping": mapping(tmp_path, create=["service", "database", "schema", "table"])}
        )
        send("insert into mart.b (x) select x from raw.a", own)
        summary = send("insert into mart.b (x, y) select x, y from raw.a", own)
        told = json.dumps(summary.to_dict())
        found = catalog.mappings()[f"{SERVICE}.shop.raw.a", f"{SERVICE}.shop.mart.b"]
        assert found == {("x", "x"), ("y", "y")} or "mart.b.y" in told

    def test_a_table_without_its_schema_is_reported(
        self, catalog: Catalog, settings: OpenMetadataSettings, tmp_path: Path
    ) -> None:
        own = settings.model_copy(update={"mapping": mapping(tmp_path, create=["table"])})
        summary = send("insert into mart.b (x) select x from raw.a", own)
        assert len(summary.failures) == 1
        assert catalog.names("table") == []


def test_many_tables_are_read_in_pages(
    catalog: Catalog, settings: OpenMetadataSettings, server: OpenMetadataServer
) -> None:
    number = 250
    for index in range(number):
        catalog.table(SERVICE, "shop", "public", f"t{index}", ["x"])
    sql = ";\n".join(f"insert into t{index + 1} (x) select x from t{index}" for index in range(number - 1))
    summary = send(sql, settings)
    assert not summary.failures
    assert len(catalog.edges()) == number - 1
    assert server.log.find("GET", "/v1/tables/name/") == []
    assert len(server.log.find("GET", "/v1/tables")) == 3


def test_a_large_schema_is_not_read_for_a_few_tables(
    catalog: Catalog, settings: OpenMetadataSettings, server: OpenMetadataServer
) -> None:
    for index in range(30):
        catalog.table(SERVICE, "shop", "public", f"t{index}", ["x"])
    send("insert into t1 (x) select x from t0", settings)
    assert [logged for logged in server.log.all() if logged.path == "/v1/tables"] == []
