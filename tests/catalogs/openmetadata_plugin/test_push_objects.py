"""What is not a plain table: paths, stages, procedures, temporary tables, and edges that are outdated."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import yaml
from catalog import Catalog
from sending import entries, read, send
from server import PERSON, OpenMetadataServer
from shop import MAILS, ORDERS, SERVICE, add_tables

from connector import analyze
from connector.catalogs.openmetadata import OpenMetadataSettings, push
from connector.common.resources import resource_folder


def creating(folder: Path) -> str:
    """The shipped mapping, creating everything."""
    document: dict[str, Any] = yaml.safe_load(
        (resource_folder("mappings") / "openmetadata.yaml").read_text(encoding="utf-8")
    )
    for rule in document["services"]:
        rule["create"] = ["service", "database", "schema", "table", "procedure"]
    for rule in document["storage"]:
        rule["create"] = ["service", "container"]
    file = folder / "creating.yaml"
    file.write_text(yaml.safe_dump(document), encoding="utf-8")
    return str(file)


class TestPaths:
    COPY = (
        "copy into shop.raw.orders from 's3://lake/landing/orders/2024/part-0.parquet' file_format = (type = parquet)"
    )

    def test_a_file_belongs_to_the_container_around_it(self, catalog: Catalog, settings: OpenMetadataSettings) -> None:
        catalog.table(SERVICE, "SHOP", "RAW", "ORDERS", ["ID"])
        catalog.container("s3", "lake", path="s3://lake")
        orders = catalog.container("s3", "orders", ["ID"], path="s3://lake/landing/orders")
        summary = push([analyze(self.COPY, "snowflake")], settings, source="t")
        assert not summary.failures
        ((pair, edge),) = catalog.edges().items()
        assert pair == (orders["fullyQualifiedName"], f"{SERVICE}.SHOP.RAW.ORDERS")
        assert edge["source"] in ("QueryLineage", "ExternalTableLineage")

    def test_a_path_without_a_container_is_reported(self, catalog: Catalog, settings: OpenMetadataSettings) -> None:
        catalog.table(SERVICE, "SHOP", "RAW", "ORDERS", ["ID"])
        summary = push([analyze(self.COPY, "snowflake")], settings, source="t")
        (failure,) = summary.failures
        assert "landing/orders" in failure.name + failure.reason
        assert catalog.edges() == {}

    def test_containers_are_created_where_the_mapping_says_so(
        self, catalog: Catalog, settings: OpenMetadataSettings, server: OpenMetadataServer, tmp_path: Path
    ) -> None:
        own = settings.model_copy(update={"mapping": creating(tmp_path)})
        assert not push([analyze(self.COPY, "snowflake")], own, source="t").failures
        assert catalog.names("storageService") == ["s3"]
        ((source, target),) = catalog.edges()
        assert source in catalog.names("container")
        assert "landing/orders" in source
        assert target == f"{SERVICE}.SHOP.RAW.ORDERS"
        server.log.clear()
        push([analyze(self.COPY, "snowflake")], own, source="t")
        assert server.log.writes() == []

    def test_as_targets(self, catalog: Catalog, settings: OpenMetadataSettings) -> None:
        catalog.table(SERVICE, "default", "shop", "orders", ["id", "total"])
        catalog.container("s3", "orders", ["id", "total"], path="s3://lake/orders")
        sql = "insert overwrite directory 's3a://lake/orders/' select id, total from shop.orders"
        summary = push([analyze(sql, "hive")], settings, source="t")
        assert not summary.failures
        assert catalog.edges().keys() == {(f"{SERVICE}.default.shop.orders", "s3.orders")}

    def test_stages(self, catalog: Catalog, settings: OpenMetadataSettings) -> None:
        catalog.table(SERVICE, "SHOP", "RAW", "ORDERS", ["ID"])
        catalog.container("stages", "shop.raw.landing")
        sql = "copy into shop.raw.orders from @shop.raw.landing"
        summary = push([analyze(sql, "snowflake")], settings, source="t")
        assert not summary.failures
        ((pair, _),) = catalog.edges().items()
        assert pair == ('stages."shop.raw.landing"', f"{SERVICE}.SHOP.RAW.ORDERS")


class TestMissingStages:
    """bucket -> stage -> table is bucket -> table where OpenMetadata does not have the stage."""

    LOAD = "copy into shop.raw.orders (id) from (select $1 from @shop.raw.landing/2024)"
    STAGE = "create stage shop.raw.landing url = 's3://lake/landing'"
    TABLE = f"{SERVICE}.SHOP.RAW.ORDERS"

    def test_are_looked_through(self, catalog: Catalog, settings: OpenMetadataSettings) -> None:
        catalog.table(SERVICE, "SHOP", "RAW", "ORDERS", ["ID"])
        catalog.container("s3", "landing", path="s3://lake/landing")
        lineages = [analyze(sql, "snowflake") for sql in (self.STAGE, self.LOAD)]
        summary = push(lineages, settings, source="t")
        assert (summary.failures, summary.missing) == ([], [])
        assert catalog.edges().keys() == {("s3.landing", self.TABLE)}
        assert "copy into shop.raw.orders" in catalog.edges()["s3.landing", self.TABLE]["sqlQuery"]

    def test_what_is_unloaded_goes_to_their_place(self, catalog: Catalog, settings: OpenMetadataSettings) -> None:
        catalog.table(SERVICE, "SHOP", "RAW", "ORDERS", ["ID"])
        catalog.container("s3", "landing", path="s3://lake/landing")
        sql = f"{self.STAGE}; copy into @shop.raw.landing/out from shop.raw.orders"
        assert not push([analyze(sql, "snowflake")], settings, source="t").failures
        assert catalog.edges().keys() == {(self.TABLE, "s3.landing")}

    def test_without_a_place_lead_on(self, catalog: Catalog, settings: OpenMetadataSettings) -> None:
        for table in ("ORDERS", "SALES"):
            catalog.table(SERVICE, "SHOP", "RAW", table, ["ID"])
        sql = "copy into @shop.raw.landing from shop.raw.sales; " + self.LOAD
        assert not push([analyze(sql, "snowflake")], settings, source="t").failures
        assert catalog.edges().keys() == {(f"{SERVICE}.SHOP.RAW.SALES", self.TABLE)}

    def test_that_lead_nowhere_are_reported(self, catalog: Catalog, settings: OpenMetadataSettings) -> None:
        catalog.table(SERVICE, "SHOP", "RAW", "ORDERS", ["ID"])
        summary = push([analyze(self.LOAD, "snowflake")], settings, source="t")
        assert summary.missing == [("container", 'stages."shop.raw.landing"')]

    def test_a_stage_that_is_there_stays(self, catalog: Catalog, settings: OpenMetadataSettings) -> None:
        catalog.table(SERVICE, "SHOP", "RAW", "ORDERS", ["ID"])
        catalog.container("s3", "landing", path="s3://lake/landing")
        stage = catalog.container("stages", "shop.raw.landing")["fullyQualifiedName"]
        push([analyze(f"{self.STAGE}; {self.LOAD}", "snowflake")], settings, source="t")
        assert catalog.edges().keys() == {("s3.landing", stage), (stage, self.TABLE)}


class TestProcedures:
    SQL = """\
create procedure mart.load_mails() language plpgsql as $$
begin
  insert into mart.mails (id, mail) select id, lower(email) from raw.orders;
end $$;
"""

    def test_are_the_pipeline_of_their_edges(self, catalog: Catalog, settings: OpenMetadataSettings) -> None:
        add_tables(catalog)
        procedure = catalog.procedure(SERVICE, "shop", "mart", "load_mails")
        summary = send(self.SQL, settings)
        assert not summary.failures
        edge = catalog.edges()[ORDERS, MAILS]
        assert (edge["pipeline"]["id"], edge["pipeline"]["type"]) == (procedure["id"], "storedProcedure")
        assert edge["source"] == "PipelineLineage"
        assert catalog.mappings()[ORDERS, MAILS] == {("id", "id"), ("email", "mail")}

    def test_that_are_missing_do_not_lose_the_edge(self, catalog: Catalog, settings: OpenMetadataSettings) -> None:
        add_tables(catalog)
        summary = send(self.SQL, settings)
        assert "pipeline" not in catalog.edges()[ORDERS, MAILS]
        assert "load_mails" in json.dumps(summary.to_dict())

    def test_are_created_where_the_mapping_says_so(
        self, catalog: Catalog, settings: OpenMetadataSettings, server: OpenMetadataServer, tmp_path: Path
    ) -> None:
        add_tables(catalog)
        own = settings.model_copy(update={"mapping": creating(tmp_path)})
        assert not send(self.SQL, own).failures
        assert catalog.names("storedProcedure") == [f"{SERVICE}.shop.mart.load_mails"]
        code = catalog.find("storedProcedure", f"{SERVICE}.shop.mart.load_mails")["storedProcedureCode"]
        assert "insert into mart.mails" in code["code"]
        server.log.clear()
        send(self.SQL, own)
        assert server.log.writes() == []


class TestTemporaries:
    def test_are_looked_through(self, catalog: Catalog, settings: OpenMetadataSettings) -> None:
        add_tables(catalog)
        sql = """\
create temporary table work as select id, email from raw.orders;
insert into mart.mails (id, mail) select id, upper(email) from work;
"""
        summary = send(sql, settings)
        assert not summary.failures
        assert catalog.mappings() == {(ORDERS, MAILS): {("id", "id"), ("email", "mail")}}
        assert "upper(email)" in str(entries(catalog.edges()[ORDERS, MAILS])["mail"][1])


class TestOutdated:
    ONE = "insert into mart.mails (id) select id from raw.orders;"
    TWO = "insert into mart.daily (day) select day from raw.orders;"

    def test_stays_unless_pruning_is_asked_for(self, catalog: Catalog, settings: OpenMetadataSettings) -> None:
        add_tables(catalog)
        send(self.ONE + self.TWO, settings)
        send(self.ONE, settings)
        assert len(catalog.edges()) == 2
        send(self.ONE, settings, prune_if=lambda outdated: True)
        assert catalog.edges().keys() == {(ORDERS, MAILS)}

    def test_goes_also_without_the_ledger(
        self, catalog: Catalog, settings: OpenMetadataSettings, tmp_path: Path
    ) -> None:
        add_tables(catalog)
        send(self.ONE + self.TWO, settings)
        other = settings.model_copy(update={"state": tmp_path / "new.db"})
        send(self.ONE, other, prune_if=lambda outdated: True)
        assert catalog.edges().keys() == {(ORDERS, MAILS)}

    def test_of_another_source_stays(self, catalog: Catalog, settings: OpenMetadataSettings) -> None:
        add_tables(catalog)
        send(self.ONE, settings, "one")
        send(self.TWO, settings, "two", prune_if=lambda outdated: True)
        assert len(catalog.edges()) == 2

    def test_of_people_stays(self, catalog: Catalog, settings: OpenMetadataSettings) -> None:
        add_tables(catalog)
        ends = catalog.find("table", ORDERS), catalog.find("table", MAILS)
        catalog.edge(*ends, {"description": "drawn by hand"}, PERSON)
        before = catalog.edges()[ORDERS, MAILS]
        send(self.ONE + self.TWO, settings)
        send(self.TWO, settings, prune_if=lambda outdated: True)
        after = catalog.edges()[ORDERS, MAILS]
        for moved in ("updatedAt", "updatedBy"):
            before.pop(moved)
            after.pop(moved)
        assert after == before

    def test_nothing_goes_when_the_answer_is_no(self, catalog: Catalog, settings: OpenMetadataSettings) -> None:
        add_tables(catalog)
        send(self.ONE + self.TWO, settings)
        send(self.ONE, settings, prune_if=lambda outdated: False)
        assert len(catalog.edges()) == 2


def test_several_models_make_one_edge(
    catalog: Catalog, settings: OpenMetadataSettings, server: OpenMetadataServer
) -> None:
    add_tables(catalog)
    texts = [
        "insert into mart.mails (id) select id from raw.orders",
        "insert into mart.mails (mail) select email from raw.orders",
    ]
    assert not push([read(text) for text in texts], settings, source="t").failures
    assert catalog.mappings() == {(ORDERS, MAILS): {("id", "id"), ("email", "mail")}}
    assert len(server.log.writes()) == 1


def test_a_table_that_feeds_itself(catalog: Catalog, settings: OpenMetadataSettings) -> None:
    add_tables(catalog)
    send("insert into mart.mails (id, mail) select m.id, upper(m.mail) from mart.mails m", settings)
    assert catalog.mappings() == {(MAILS, MAILS): {("id", "id"), ("mail", "mail")}}
