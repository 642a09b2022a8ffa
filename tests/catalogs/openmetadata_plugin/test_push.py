"""Lineage written without the workflow: what stands on the server afterwards, and which calls brought it there."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from catalog import Catalog
from expected import expected_edges
from sending import entries, read, send
from server import PERSON, READER, OpenMetadataServer
from shop import COUNTRIES, DAILY, MAILS, ORDERS, SCRIPT, SERVICE, add_tables

from connector.catalogs.openmetadata import OpenMetadataSettings
from connector.errors import ConnectorError, UnavailableError


class TestFirstRun:
    def test_holds_what_the_model_holds(self, catalog: Catalog, settings: OpenMetadataSettings) -> None:
        add_tables(catalog)
        summary = send(SCRIPT, settings)
        assert not summary.failures
        assert catalog.mappings() == expected_edges(read(SCRIPT), SERVICE)
        assert catalog.mappings()[ORDERS, DAILY] == {
            ("day", "day"),
            ("amount", "revenue"),
            ("quantity", "revenue"),
        }

    def test_makes_one_request_for_each_pair(
        self, catalog: Catalog, settings: OpenMetadataSettings, server: OpenMetadataServer
    ) -> None:
        add_tables(catalog)
        send(SCRIPT + "insert into mart.mails (id) select id from raw.orders where day = 5;", settings)
        assert [(logged.method, logged.path) for logged in server.log.writes()] == [("PUT", "/v1/lineage")] * 3
        edge = catalog.edges()[ORDERS, MAILS]
        assert "**tests**: 2 statements" in edge["description"]

    def test_says_how_columns_are_made(self, catalog: Catalog, settings: OpenMetadataSettings) -> None:
        add_tables(catalog)
        send(SCRIPT, settings)
        found = entries(catalog.edges()[ORDERS, DAILY])
        assert found["day"] == (["day"], None)
        sources, function = found["revenue"]
        assert sources == ["amount", "quantity"]
        assert function is not None
        assert "sum(o.amount * o.quantity)" in function

    def test_masks_the_query_and_names_it(self, catalog: Catalog, settings: OpenMetadataSettings) -> None:
        add_tables(catalog)
        send(SCRIPT, settings)
        lineage = read(SCRIPT)
        hashes = {process.identity for process in lineage.model.processes}
        for edge in catalog.edges().values():
            assert edge["source"] == "QueryLineage"
            assert "secret" not in json.dumps(edge)
            assert "12345" not in edge["sqlQuery"]
            assert any(name in edge["description"] for name in hashes)
        assert "create table mart.daily" in catalog.edges()[ORDERS, DAILY]["sqlQuery"]

    def test_a_view_is_view_lineage(self, catalog: Catalog, settings: OpenMetadataSettings) -> None:
        add_tables(catalog)
        send("create view mart.mails as select id, email as mail from raw.orders", settings)
        assert catalog.edges()[ORDERS, MAILS]["source"] == "ViewLineage"

    def test_looks_each_table_up_once(
        self, catalog: Catalog, settings: OpenMetadataSettings, server: OpenMetadataServer
    ) -> None:
        add_tables(catalog)
        send(SCRIPT, settings)
        looked = [logged.path for logged in server.log.find("GET", "/v1/tables/name/")]
        assert len(looked) == len(set(looked)) == 4


class TestSecondRun:
    def test_writes_nothing(self, catalog: Catalog, settings: OpenMetadataSettings, server: OpenMetadataServer) -> None:
        add_tables(catalog)
        send(SCRIPT, settings)
        before = catalog.edges()
        server.log.clear()
        summary = send(SCRIPT, settings)
        assert server.log.writes() == []
        assert not summary.changed
        assert catalog.edges() == before

    def test_writes_nothing_without_its_ledger(
        self, catalog: Catalog, settings: OpenMetadataSettings, server: OpenMetadataServer, tmp_path: Path
    ) -> None:
        add_tables(catalog)
        send(SCRIPT, settings)
        server.log.clear()
        send(SCRIPT, settings.model_copy(update={"state": tmp_path / "other.db"}))
        assert server.log.writes() == []

    def test_mends_what_others_broke_when_asked_to_verify(
        self, catalog: Catalog, settings: OpenMetadataSettings, server: OpenMetadataServer
    ) -> None:
        add_tables(catalog)
        send(SCRIPT, settings)
        before = catalog.mappings()
        catalog.remove_edges()
        send(SCRIPT, settings, verify=True)
        assert catalog.mappings() == before

    def test_mends_the_query_that_a_removed_column_took_along(
        self, catalog: Catalog, settings: OpenMetadataSettings
    ) -> None:
        add_tables(catalog)
        send(SCRIPT, settings)
        catalog.table(SERVICE, "shop", "mart", "daily", ["day", "orders"])
        assert "sqlQuery" not in catalog.edges()[ORDERS, DAILY]
        summary = send(SCRIPT, settings, verify=True)
        assert "sqlQuery" in catalog.edges()[ORDERS, DAILY]
        assert catalog.mappings()[ORDERS, DAILY] == {("day", "day")}
        assert summary.missing == [("column", f"{DAILY}.revenue")]

    def test_brings_back_a_table_that_was_deleted_and_made_again(
        self, catalog: Catalog, settings: OpenMetadataSettings
    ) -> None:
        add_tables(catalog)
        send(SCRIPT, settings)
        before = catalog.mappings()
        catalog.delete(catalog.find("table", DAILY), hard=True)
        add_tables(catalog)
        send(SCRIPT, settings)
        assert catalog.mappings() == before


class TestChanges:
    def test_stale_columns_go_and_functions_stay(self, catalog: Catalog, settings: OpenMetadataSettings) -> None:
        add_tables(catalog)
        send("insert into mart.mails (id, mail) select upper(id), lower(email) from raw.orders", settings)
        send("insert into mart.mails (id, mail) select day, trim(email) from raw.orders", settings)
        edge = catalog.edges()[ORDERS, MAILS]
        found = entries(edge)
        assert found["id"] == (["day"], None)
        assert found["mail"][0] == ["email"]
        assert "trim(email)" in (found["mail"][1] or "")
        assert "lower" not in json.dumps(edge)

    def test_another_source_name_adds_its_part(self, catalog: Catalog, settings: OpenMetadataSettings) -> None:
        add_tables(catalog)
        one = "insert into mart.mails (id) select id from raw.orders"
        two = "insert into mart.mails (mail) select email from raw.orders"
        send(one, settings, "one")
        send(two, settings, "two")
        assert catalog.mappings()[ORDERS, MAILS] == {("id", "id"), ("email", "mail")}
        send("insert into mart.mails (mail) select upper(email) from raw.orders", settings, "two")
        assert catalog.mappings()[ORDERS, MAILS] == {("id", "id"), ("email", "mail")}
        assert "upper(email)" in str(entries(catalog.edges()[ORDERS, MAILS])["mail"][1])


class TestOthers:
    def test_edges_of_other_pairs_are_left_alone(self, catalog: Catalog, settings: OpenMetadataSettings) -> None:
        add_tables(catalog)
        ends = catalog.find("table", COUNTRIES), catalog.find("table", MAILS)
        catalog.edge(*ends, {"source": "Manual", "description": "drawn by hand"}, PERSON)
        before = catalog.edges()[COUNTRIES, MAILS]
        send(SCRIPT, settings)
        send("select 1", settings)
        assert catalog.edges()[COUNTRIES, MAILS] == before

    def test_what_they_said_of_the_same_pair_stays(self, catalog: Catalog, settings: OpenMetadataSettings) -> None:
        add_tables(catalog)
        ends = catalog.find("table", ORDERS), catalog.find("table", MAILS)
        theirs = {
            "source": "DbtLineage",
            "description": "from dbt",
            "sqlQuery": "select their query",
            "columnsLineage": [
                {"fromColumns": [f"{ORDERS}.day"], "toColumn": f"{MAILS}.id", "function": "theirs"},
                {"fromColumns": [f"{ORDERS}.email"], "toColumn": f"{MAILS}.mail", "function": "also theirs"},
            ],
        }
        catalog.edge(*ends, theirs, PERSON)
        for _ in range(2):
            send(SCRIPT, settings)
            edge = catalog.edges()[ORDERS, MAILS]
            assert edge["source"] == "DbtLineage"
            assert "from dbt" in edge["description"]
            assert "select their query" in edge["sqlQuery"]
            for entry in theirs["columnsLineage"]:
                assert entry in edge["columnsLineage"]
            assert catalog.mappings()[ORDERS, MAILS] == {("day", "id"), ("email", "mail"), ("id", "id")}
        send("insert into mart.mails (id) select quantity from raw.orders", settings)
        assert catalog.mappings()[ORDERS, MAILS] == {("day", "id"), ("email", "mail"), ("quantity", "id")}


class TestTroubles:
    def test_a_missing_table_is_reported_with_its_edge(self, catalog: Catalog, settings: OpenMetadataSettings) -> None:
        add_tables(catalog)
        catalog.delete(catalog.find("table", COUNTRIES))
        summary = send(SCRIPT, settings)
        assert catalog.mappings().keys() == {(ORDERS, DAILY), (ORDERS, MAILS)}
        told = json.dumps(summary.to_dict())
        assert COUNTRIES in told
        assert DAILY in told

    def test_what_is_missing_is_told_once_with_all_that_wanted_it(
        self, catalog: Catalog, settings: OpenMetadataSettings
    ) -> None:
        add_tables(catalog)
        catalog.delete(catalog.find("table", ORDERS))
        summary = send(SCRIPT, settings)
        assert summary.missing == [("table", ORDERS)]
        assert summary.wanted_by == {("table", ORDERS): [f"{ORDERS} -> {DAILY}", f"{ORDERS} -> {MAILS}"]}
        assert [*summary.missing_lines()] == [f"table {ORDERS}, wanted by {ORDERS} -> {DAILY}, {ORDERS} -> {MAILS}"]
        assert (summary.parts["objects"].missing, summary.parts["lineage"].missing) == (1, 2)
        assert [failure.lacking for failure in summary.failures] == [True, True]
        assert summary.to_dict()["missing"] == [
            {
                "type": "table",
                "name": ORDERS,
                "wanted_by": [f"{ORDERS} -> {DAILY}", f"{ORDERS} -> {MAILS}"],
            }
        ]
        again = send(SCRIPT, settings.model_copy(update={"missing": "warn"}))
        assert (again.failures, again.missing) == ([], summary.missing)

    def test_missing_columns_are_reported(self, catalog: Catalog, settings: OpenMetadataSettings) -> None:
        add_tables(catalog)
        catalog.table(SERVICE, "shop", "mart", "mails", ["id"])
        summary = send(SCRIPT, settings)
        assert catalog.mappings()[ORDERS, MAILS] == {("id", "id")}
        assert summary.wanted_by == {("column", f"{MAILS}.mail"): [f"{ORDERS} -> {MAILS}"]}
        assert summary.parts["objects"].missing == 1
        assert (summary.parts["lineage"].created, summary.parts["lineage"].missing) == (3, 0)

    @pytest.mark.parametrize("written", [True, False])
    def test_a_500_is_looked_at_and_repeated(
        self,
        catalog: Catalog,
        settings: OpenMetadataSettings,
        server: OpenMetadataServer,
        written: bool,
        pauses: list[float],
    ) -> None:
        add_tables(catalog)
        server.faults.answer(500, skip=1, times=1, after_writing=written)
        summary = send(SCRIPT, settings)
        assert not summary.failures
        assert catalog.mappings() == expected_edges(read(SCRIPT), SERVICE)

    def test_a_500_that_stays_is_a_failure_and_the_rest_arrives(
        self, catalog: Catalog, settings: OpenMetadataSettings, server: OpenMetadataServer, pauses: list[float]
    ) -> None:
        add_tables(catalog)
        one_worker = settings.model_copy(update={"workers": 1})
        server.faults.answer(500, times=settings.attempts)
        summary = send(SCRIPT, one_worker)
        assert len(catalog.edges()) == 2
        assert len(summary.failures) == 1
        letters = settings.dead_letter_file.read_text().splitlines()
        assert len(letters) == 1
        send(SCRIPT, settings)
        assert catalog.mappings() == expected_edges(read(SCRIPT), SERVICE)

    def test_a_search_engine_that_is_down_does_not_matter(
        self, catalog: Catalog, settings: OpenMetadataSettings, server: OpenMetadataServer, pauses: list[float]
    ) -> None:
        add_tables(catalog)
        server.search.down = True
        send(SCRIPT, settings)
        assert catalog.mappings() == expected_edges(read(SCRIPT), SERVICE)

    def test_overload_and_cut_connections_pass(
        self, catalog: Catalog, settings: OpenMetadataSettings, server: OpenMetadataServer, pauses: list[float]
    ) -> None:
        add_tables(catalog)
        server.faults.overload(2)
        server.faults.cut(after_writing=True)
        server.faults.cut(methods="GET", path="^/v1/tables/name", skip=1)
        server.faults.answer(429, skip=1, message=None)
        summary = send(SCRIPT, settings)
        assert not summary.failures
        assert pauses
        assert catalog.mappings() == expected_edges(read(SCRIPT), SERVICE)

    def test_a_server_that_is_down(
        self, settings: OpenMetadataSettings, server: OpenMetadataServer, pauses: list[float]
    ) -> None:
        server.stop()
        with pytest.raises(UnavailableError):
            send(SCRIPT, settings)

    def test_a_server_that_goes_down_in_the_middle(
        self, catalog: Catalog, settings: OpenMetadataSettings, server: OpenMetadataServer, pauses: list[float]
    ) -> None:
        add_tables(catalog)
        server.faults.cut(skip=1, times=None)
        with pytest.raises(UnavailableError):
            send(SCRIPT, settings.model_copy(update={"workers": 1}))
        assert len(catalog.edges()) == 1
        server.faults.clear()
        send(SCRIPT, settings)
        assert catalog.mappings() == expected_edges(read(SCRIPT), SERVICE)

    @pytest.mark.parametrize("token", ["bad.bad.bad", "expired", "nokid"])
    def test_a_bad_token_is_told_and_never_shown(
        self,
        catalog: Catalog,
        settings: OpenMetadataSettings,
        server: OpenMetadataServer,
        token: str,
        pauses: list[float],
        caplog: pytest.LogCaptureFixture,
    ) -> None:
        add_tables(catalog)
        caplog.set_level("DEBUG")
        real = {"expired": server.token(expired=True), "nokid": server.token(key_id=False)}.get(token, token)
        bad = OpenMetadataSettings(url=server.url, token=real, state=settings.state, service=SERVICE)
        with pytest.raises(ConnectorError) as caught:
            send(SCRIPT, bad)
        assert real not in str(caught.value)
        why = {"expired": "Expired token!", "bad.bad.bad": "Invalid token"}
        assert why.get(token, "") in str(caught.value)
        assert real not in caplog.text
        assert real not in repr(bad)
        assert catalog.edges() == {}

    def test_a_user_who_may_not_write(
        self, catalog: Catalog, settings: OpenMetadataSettings, server: OpenMetadataServer
    ) -> None:
        add_tables(catalog)
        joe = OpenMetadataSettings(url=server.url, token=server.token(READER), state=settings.state, service=SERVICE)
        try:
            told = str([each.reason for each in send(SCRIPT, joe).failures])
        except ConnectorError as error:
            told = str(error)
        assert "EditLineage" in told
        assert catalog.edges() == {}

    def test_a_server_of_another_version(
        self, catalog: Catalog, settings: OpenMetadataSettings, server: OpenMetadataServer
    ) -> None:
        add_tables(catalog)
        server.version = "1.4.0"
        with pytest.raises(ConnectorError, match=r"1\.4\.0"):
            send(SCRIPT, settings)
        assert catalog.edges() == {}
        send(SCRIPT, settings.model_copy(update={"version_check": "off"}))
        assert len(catalog.edges()) == 3

    def test_no_token_in_any_file(
        self, catalog: Catalog, settings: OpenMetadataSettings, server: OpenMetadataServer, tmp_path: Path
    ) -> None:
        add_tables(catalog)
        assert settings.token is not None
        secret = settings.token.get_secret_value()
        server.faults.answer(400, message="no")
        send(SCRIPT, settings)
        for file in tmp_path.rglob("*"):
            if file.is_file():
                assert secret.encode() not in file.read_bytes()
