"""Our source in the workflow, in more situations; the command is started from a process that has it loaded."""

from __future__ import annotations

import csv
import json
from typing import Any

import pytest
import yaml
from catalog import Catalog
from expected import expected_edges
from sending import entries, read
from server import PERSON, READER, OpenMetadataServer
from shop import COUNTRIES, DAILY, MAILS, ORDERS, SCRIPT, SERVICE, add_tables
from workflow import Run, Workflow


def told(run: Run) -> str:
    return " ".join(run.output.split())


@pytest.fixture(autouse=True)
def _tables(catalog: Catalog) -> None:
    add_tables(catalog)


class TestOptions:
    @pytest.mark.parametrize(
        "name",
        [
            "connector.openmetadata.LineageSource",
            "connector.catalogs.openmetadata.source.LineageSource",
        ],
    )
    def test_names_of_the_class(self, workflow: Workflow, catalog: Catalog, name: str) -> None:
        workflow.write_job(SCRIPT)
        workflow.source_class = name
        run = workflow.run()
        assert run.code == 0, run.output
        assert catalog.mappings() == expected_edges(read(SCRIPT), SERVICE)

    def test_settings_in_the_workflow_itself(self, workflow: Workflow, catalog: Catalog) -> None:
        workflow.write_job(SCRIPT)
        workflow.options = {
            "dialect": "postgres",
            "default_database": "shop",
            "sources": yaml.safe_dump([{"files": "sql/"}]),
        }
        run = workflow.run()
        assert run.code == 0, run.output
        assert catalog.mappings() == expected_edges(read(SCRIPT), SERVICE)

    def test_one_of_several_jobs(self, workflow: Workflow, catalog: Catalog) -> None:
        workflow.write_job(SCRIPT)
        job = {"dialect": "postgres", "default_database": "shop", "sources": [{"files": "sql/"}]}
        document = {"jobs": [{"name": "a", **job}, {"name": "b", **job}]}
        (workflow.folder / "lineage.yaml").write_text(yaml.safe_dump(document))
        run = workflow.run()
        assert run.code != 0
        assert "job" in told(run)
        workflow.options["job"] = "b"
        run = workflow.run()
        assert run.code == 0, run.output
        assert all('"source": "b"' in edge["description"] for edge in catalog.edges().values())

    @pytest.mark.parametrize(
        ("options", "word"),
        [
            ({}, "config"),
            ({"config": "nowhere.yaml"}, "nowhere.yaml"),
            ({"sources": "sql/", "dialekt": "postgres"}, "did you mean dialect"),
            ({"sources": "sql/", "dialect": "klingon"}, "klingon"),
            ({"sources": "[", "dialect": "postgres"}, "YAML"),
            ({"sources": "sql/", "token": "x"}, "openMetadataServerConfig"),
            ({"sources": "sql/", "mapping": "nowhere"}, "nowhere"),
            ({"sources": "sql/", "workers": "many"}, "workers"),
            ({"sources": "sql/", "verify": "perhaps"}, "verify"),
        ],
    )
    def test_mistakes_are_told(
        self, workflow: Workflow, server: OpenMetadataServer, options: dict[str, str], word: str
    ) -> None:
        workflow.write_job(SCRIPT)
        workflow.options = options
        run = workflow.run()
        assert run.code != 0
        assert word in told(run)
        assert server.log.writes() == []

    def test_a_mistake_in_the_file_has_its_line(self, workflow: Workflow) -> None:
        workflow.write_job(SCRIPT, dialekt="x")
        run = workflow.run()
        assert run.code != 0
        assert "lineage.yaml:" in told(run)
        assert "dialekt" in told(run)


class TestExitCode:
    def many(self, catalog: Catalog, missing: int) -> str:
        for number in range(30):
            catalog.table(SERVICE, "shop", "many", f"t{number}", ["x"])
        names = [f"many.t{number}" for number in range(30)] + [f"many.none{number}" for number in range(missing)]
        return ";\n".join(f"insert into {name} (x) select id from raw.orders" for name in names)

    def test_one_failure_among_many_counts(self, workflow: Workflow, catalog: Catalog) -> None:
        workflow.write_job(self.many(catalog, 1))
        run = workflow.run()
        assert run.code == 1
        assert f"{ORDERS} -> {SERVICE}.shop.many.none0" in told(run)
        assert len(catalog.edges()) == 30

    def test_unless_missing_tables_are_only_worth_a_warning(self, workflow: Workflow, catalog: Catalog) -> None:
        workflow.write_job(self.many(catalog, 1))
        workflow.options["missing"] = "warn"
        run = workflow.run()
        assert run.code == 0, run.output
        assert "many.none0" in told(run)

    def test_a_refused_edge_counts(self, workflow: Workflow, catalog: Catalog, server: OpenMetadataServer) -> None:
        workflow.write_job(self.many(catalog, 0))
        server.faults.answer(400, skip=5, message="Invalid request format")
        run = workflow.run()
        assert run.code == 1
        assert "Invalid request format" in told(run)
        assert len(catalog.edges()) == 29
        again = workflow.run()
        assert again.code == 0
        assert len(catalog.edges()) == 30

    def test_a_server_that_dies_in_the_middle(
        self, workflow: Workflow, catalog: Catalog, server: OpenMetadataServer
    ) -> None:
        workflow.write_job(self.many(catalog, 0))
        workflow.options["attempts"] = "2"
        server.faults.cut(skip=20, times=None)
        run = workflow.run()
        assert run.code == 1
        assert 20 <= len(catalog.edges()) < 30
        server.faults.clear()
        assert workflow.run().code == 0
        assert len(catalog.edges()) == 30

    def test_a_statement_that_cannot_be_read_counts(self, workflow: Workflow, catalog: Catalog) -> None:
        workflow.write_job(SCRIPT + "insert into mart.mails select from from where;")
        run = workflow.run()
        assert "script.sql:8" in told(run)
        assert catalog.mappings() == expected_edges(read(SCRIPT), SERVICE)
        assert run.code == 1

    def test_no_right_to_write(self, workflow: Workflow, catalog: Catalog, server: OpenMetadataServer) -> None:
        workflow.write_job(SCRIPT)
        workflow.token = server.token(READER)
        run = workflow.run()
        assert run.code != 0
        assert "EditLineage" in told(run)
        assert catalog.edges() == {}

    def test_overload_passes(self, workflow: Workflow, catalog: Catalog, server: OpenMetadataServer) -> None:
        workflow.write_job(SCRIPT)
        server.faults.overload(2, methods="PUT GET", path="^/v1/lineage")
        assert workflow.run().code == 0
        assert catalog.mappings() == expected_edges(read(SCRIPT), SERVICE)

    def test_nothing_to_read(self, workflow: Workflow, catalog: Catalog) -> None:
        workflow.write_job("select 1;")
        run = workflow.run()
        assert run.code == 0, run.output
        assert catalog.edges() == {}


class TestSecrets:
    @pytest.mark.parametrize("trouble", ["none", "refused", "down"])
    def test_the_token_is_in_no_log_and_no_file(
        self, workflow: Workflow, server: OpenMetadataServer, trouble: str
    ) -> None:
        workflow.write_job(SCRIPT)
        workflow.options["attempts"] = "1"
        if trouble == "refused":
            server.faults.answer(400, times=None, message="no")
        if trouble == "down":
            server.faults.cut(times=None)
        run = workflow.run()
        assert (run.code == 0) is (trouble == "none")
        assert workflow.token not in run.output
        for file in workflow.folder.rglob("*"):
            if file.is_file() and file.name != "workflow.yaml":
                assert workflow.token.encode() not in file.read_bytes()

    def test_literals_do_not_leave_the_machine(
        self, workflow: Workflow, catalog: Catalog, server: OpenMetadataServer
    ) -> None:
        workflow.write_job(SCRIPT)
        run = workflow.run()
        assert run.code == 0
        sent = b"".join(logged.body for logged in server.log.all())
        assert b"secret region" not in sent
        assert b"12345" not in sent
        assert "secret region" not in run.output


class TestInput:
    def test_a_query_log(self, workflow: Workflow, catalog: Catalog) -> None:
        file = workflow.folder / "log.csv"
        with file.open("w", newline="") as stream:
            writer = csv.writer(stream)
            writer.writerow(["query_text", "user"])
            for number in range(3):
                writer.writerow(
                    [f"insert into mart.mails (id) select id from raw.orders where amount > {number}", "etl"]
                )
            writer.writerow(["create view mart.daily as select day from raw.orders", "etl"])
        source = {"log": "log.csv", "columns": {"text": "query_text", "user": "user"}}
        workflow.write_job("", sources=[source])
        run = workflow.run()
        assert run.code == 0, run.output
        assert catalog.mappings() == {(ORDERS, MAILS): {("id", "id")}, (ORDERS, DAILY): {("day", "day")}}
        assert catalog.edges()[ORDERS, DAILY]["source"] == "ViewLineage"
        assert catalog.edges()[ORDERS, MAILS]["source"] == "QueryLineage"

    def test_sessions_of_a_query_log(self, workflow: Workflow, catalog: Catalog) -> None:
        """A temporary table lives in its session, whatever other sessions do in between."""
        lines = [
            ("1", "create temporary table work as select id, email from raw.orders"),
            ("2", "create temporary table work as select code from raw.countries"),
            ("1", "insert into mart.mails (id, mail) select id, email from work"),
            ("2", "insert into mart.daily (day) select code from work"),
        ]
        with (workflow.folder / "log.csv").open("w", newline="") as stream:
            writer = csv.writer(stream)
            writer.writerow(["query_text", "session", "number"])
            writer.writerows([text, session, number] for number, (session, text) in enumerate(lines))
        columns = {"text": "query_text", "session_id": "session", "sequence": "number"}
        workflow.write_job("", sources=[{"log": "log.csv", "columns": columns}])
        run = workflow.run()
        assert run.code == 0, run.output
        assert catalog.mappings() == {
            (ORDERS, MAILS): {("id", "id"), ("email", "mail")},
            (COUNTRIES, DAILY): {("code", "day")},
        }

    def test_columns_from_metadata(self, workflow: Workflow, catalog: Catalog) -> None:
        (workflow.folder / "columns.json").write_text(json.dumps({"shop.raw.orders": ["id", "email"]}))
        workflow.write_job("insert into mart.mails (id, mail) select * from raw.orders", metadata=["columns.json"])
        assert workflow.run().code == 0
        assert catalog.mappings() == {(ORDERS, MAILS): {("id", "id"), ("email", "mail")}}

    def test_columns_from_the_server(self, workflow: Workflow, catalog: Catalog) -> None:
        catalog.table(SERVICE, "shop", "raw", "mails", ["ID", "mail"])
        workflow.write_job("insert into mart.mails select * from raw.mails")
        workflow.run()
        pair = (f"{SERVICE}.shop.raw.mails", MAILS)
        assert catalog.mappings() == {pair: set()}
        workflow.options["server_columns"] = "true"
        assert workflow.run().code == 0
        assert catalog.mappings() == {pair: {("ID", "id"), ("mail", "mail")}}

    def test_a_statement_that_is_too_deep_stops_nobody_else(self, workflow: Workflow, catalog: Catalog) -> None:
        deep = "(" * 20_000 + "1" + ")" * 20_000
        workflow.write_job(f"insert into mart.mails (id) select {deep} from raw.countries;\n{SCRIPT}")
        run = workflow.run()
        assert run.code == 1
        assert "script.sql:1" in told(run)
        wanted = expected_edges(read(SCRIPT), SERVICE)
        assert {pair: columns for pair, columns in catalog.mappings().items() if pair in wanted} == wanted


class TestState:
    def test_what_others_made_survives(self, workflow: Workflow, catalog: Catalog) -> None:
        ends = catalog.find("table", COUNTRIES), catalog.find("table", MAILS)
        catalog.edge(*ends, {"source": "Manual", "description": "drawn by hand"}, PERSON)
        by_hand = catalog.edges()[COUNTRIES, MAILS]
        workflow.write_job(SCRIPT)
        workflow.options["prune"] = "true"
        assert workflow.run().code == 0
        workflow.write_job("select 1")
        assert workflow.run().code == 0
        assert catalog.edges() == {(COUNTRIES, MAILS): by_hand}

    def test_three_runs_leave_what_one_would(self, workflow: Workflow, catalog: Catalog) -> None:
        """The sink of the package would have lost functions by now."""
        texts = [SCRIPT, SCRIPT.replace("lower(email)", "upper(email)"), SCRIPT]
        states: list[Any] = []
        for text in texts:
            workflow.write_job(text)
            assert workflow.run().code == 0
            states.append({pair: entries(edge) for pair, edge in catalog.edges().items()})
        assert states[0] == states[2]
        assert "upper(email)" in str(states[1][ORDERS, MAILS]["mail"][1])

    def test_an_edge_that_somebody_spoilt_is_mended(self, workflow: Workflow, catalog: Catalog) -> None:
        workflow.write_job(SCRIPT)
        workflow.run()
        before = catalog.mappings()
        catalog.table(SERVICE, "shop", "mart", "mails", ["id"])
        catalog.table(SERVICE, "shop", "mart", "mails", ["id", "mail"])
        assert catalog.mappings() != before
        assert workflow.run().code == 0
        assert catalog.mappings() == before
        assert "sqlQuery" in catalog.edges()[ORDERS, MAILS]

    def test_missing_columns_are_a_warning(self, workflow: Workflow, catalog: Catalog) -> None:
        catalog.table(SERVICE, "shop", "mart", "mails", ["id"])
        workflow.write_job(SCRIPT)
        run = workflow.run()
        assert run.code == 0
        assert f"{MAILS}.mail" in told(run)

    def test_the_service_of_the_workflow_is_that_of_the_tables(self, workflow: Workflow, catalog: Catalog) -> None:
        for table, columns in (("a", ["x"]), ("b", ["x"])):
            catalog.table("elsewhere", "shop", "public", table, columns)
        workflow.service = "elsewhere"
        workflow.write_job("insert into b (x) select x from a")
        assert workflow.run().code == 0
        assert catalog.edges().keys() == {("elsewhere.shop.public.a", "elsewhere.shop.public.b")}
