"""From the model to planned entities."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from datetime import datetime, timezone
from pathlib import Path

import pytest
import yaml

from connector import Lineage, analyze
from connector.api import analyze_scripts
from connector.catalogs.atlas.plan import Plan
from connector.catalogs.atlas.statements import Planner, make_plan
from connector.catalogs.atlas.validation import checked_mapping
from connector.catalogs.catalog import Seen
from connector.common.resources import resource_folder
from connector.model import Script
from connector.model.levels import column_level
from connector.naming import Namer


def planned(sql: str, mapping: str = "default", dialect: str = "snowflake", **more: object) -> Plan:
    lineage = analyze(sql, dialect=dialect, cluster="c", **more)  # type: ignore[arg-type]
    return make_plan([lineage], checked_mapping(mapping).mapping, "test")


def names(plan: Plan, kind: str) -> list[str]:
    return [entity.key[1] for entity in plan.entities.values() if entity.kind == kind]


@pytest.fixture
def changed(tmp_path: Path) -> Callable[..., str]:
    """The default mapping with some keys changed."""

    def change(**keys: object) -> str:
        mapping = yaml.safe_load((resource_folder("mappings") / "default.yaml").read_text())
        file = tmp_path / "changed.yaml"
        file.write_text(yaml.safe_dump({**mapping, **keys}))
        return str(file)

    return change


def test_names_are_those_of_the_model() -> None:
    lineage = analyze(
        'insert into "My Db"."s.x"."T" ("a@b") select c from d.e.f', dialect="snowflake", cluster="host.corp"
    )
    plan = make_plan([lineage], checked_mapping("default").mapping, "test")
    namer = Namer(lineage.model)
    edges = column_level(lineage.model, joins=False)
    assert {namer.entity(entity) for edge in edges for entity in (edge.source.entity, edge.target.entity)} == {
        *names(plan, "table")
    }
    assert {namer.column(column) for edge in edges for column in (edge.source, edge.target)} == {*names(plan, "column")}
    assert names(plan, "process") == [namer.process(lineage.model.processes[0])]
    assert set(names(plan, "schema")) == {'My Db."s.x"@host.corp', "d.e@host.corp"}


def test_parents_come_before_children_and_exist() -> None:
    plan = planned(
        "create stage s1 url='s3://b/x'; copy into t from @s1; create view v as select a from t; insert into u select a from v"
    )
    order = list(plan.by_kind())
    for entity in plan.entities.values():
        for key in entity.needs:
            assert key in plan.entities
            assert order.index(plan.entities[key].kind) < order.index(entity.kind)


def test_one_column_lineage_for_each_target_column() -> None:
    plan = planned("insert into o (a, b) select x + y, x from t where z = 1")
    process = names(plan, "process")[0]
    assert sorted(names(plan, "column_lineage")) == [f"{process}:PseudoRows", f"{process}:a", f"{process}:b"]
    lineage = plan.entities[("sql_column_lineage", f"{process}:a")]
    assert lineage.attributes["directInputs"] == ["default.default.t.x@c", "default.default.t.y@c"]
    assert lineage.references == {"process": ("sql_process", process)}
    assert set(plan.entities[("sql_process", process)].children) == {
        ("sql_column_lineage", f"{process}:a"),
        ("sql_column_lineage", f"{process}:b"),
        ("sql_column_lineage", f"{process}:PseudoRows"),
    }


def test_targets_with_other_inputs_are_other_processes() -> None:
    """Atlas joins every input with every output, so one process would show lineage that is not there."""
    merged = analyze("insert into o1 select x from a", dialect="snowflake", cluster="c")
    model = merged.model
    first = model.processes[0]
    other = analyze("insert into o2 select y from b", dialect="snowflake", cluster="c").model
    model.entities += other.entities
    for relation in other.relations:
        relation.process = first if relation.process is not None else None
        model.relations.append(relation)
    first.flows += other.processes[0].flows
    plan = make_plan([Lineage(model)], checked_mapping("default").mapping, "test")
    found = {
        entity.key[1]: (entity.inputs, entity.outputs) for entity in plan.entities.values() if entity.kind == "process"
    }
    base = Namer(model).process(first)
    assert found == {
        f"{base}->default.default.o1": (
            [("sql_table", "default.default.a@c")],
            [("sql_table", "default.default.o1@c")],
        ),
        f"{base}->default.default.o2": (
            [("sql_table", "default.default.b@c")],
            [("sql_table", "default.default.o2@c")],
        ),
    }


def test_the_same_statement_twice_is_one_process() -> None:
    sql = "insert into o (a) select x from t"
    lineages = [
        analyze(f"{sql};\n{sql}", dialect="snowflake", cluster="c"),
        analyze(sql, dialect="snowflake", cluster="c"),
    ]
    plan = make_plan(lineages, checked_mapping("default").mapping, "test")
    (process,) = [entity for entity in plan.entities.values() if entity.kind == "process"]
    assert process.attributes["runCount"] == 3


def test_a_log_tells_when_and_how_often() -> None:
    lineage = analyze("insert into o (a) select x from t", dialect="snowflake", cluster="c")
    identity = lineage.model.processes[0].identity
    one, two = (
        Seen(datetime(2024, 1, day, tzinfo=timezone.utc), datetime(2024, 2, day, tzinfo=timezone.utc), 4)
        for day in (1, 2)
    )
    mapping = checked_mapping("default").mapping
    planner = Planner(mapping, "test")
    planner.add(lineage, seen={identity: two})
    planner.add(lineage, seen={identity: one})
    (process,) = [entity for entity in planner.plan().entities.values() if entity.kind == "process"]
    assert process.attributes["runCount"] == 8
    assert process.attributes["firstSeen"] == 1704067200000
    assert process.attributes["lastSeen"] == 1706832000000


def test_query_text(changed: Callable[..., str]) -> None:
    sql = "insert into o (a) select x from t where k = 'secret'"
    (masked,) = [e for e in planned(sql).entities.values() if e.kind == "process"]
    assert masked.attributes["queryText"] == "insert into o (a) select x from t where k = ?"
    (full,) = [e for e in planned(sql, changed(query_text="full")).entities.values() if e.kind == "process"]
    assert full.attributes["queryText"] == sql
    (none,) = [e for e in planned(sql, changed(query_text="none")).entities.values() if e.kind == "process"]
    assert "queryText" not in none.attributes


def test_skip_levels_and_relations(changed: Callable[..., str]) -> None:
    sql = "insert into o (a) select x from t where k = 1; insert into tmp_1 (a) select x from t"
    plan = planned(sql, changed(skip=["*.TMP_*"]))
    assert len(names(plan, "process")) == 1
    assert not [name for name in names(plan, "table") if "tmp" in name]
    tables = planned(sql, changed(levels=["table"]))
    assert not names(tables, "column_lineage")
    assert any(name.endswith(".PseudoRows@c") for name in names(planned(sql), "column"))
    without = planned(sql, changed(row_columns=False))
    assert not any(name.endswith(".PseudoRows@c") for name in names(without, "column"))
    process = next(e for e in without.entities.values() if e.kind == "process")
    assert process.attributes["rowInputs"] == ["default.default.t.k@c"]
    data = planned(
        "insert into o (a) select count(*) from t join u on t.i = u.i", changed(relations=["fdd"], objects="lineage")
    )
    assert Counter(entity.kind for entity in data.entities.values())["column"] == 0


def test_temporary_tables_are_looked_through() -> None:
    plan = planned("create temporary table x as select a from t; insert into o (a) select a from x")
    assert names(plan, "table") == ["default.default.t@c", "default.default.o@c"]
    assert len(names(plan, "process")) == 1


def test_case_rules() -> None:
    plan = planned("INSERT INTO Db1.Orders SELECT Id FROM DB1.Raw", "hive", "hive")
    assert set(names(plan, "table")) == {"db1.orders@c", "db1.raw@c"}
    assert set(names(plan, "column")) == {"db1.orders.id@c", "db1.raw.id@c"}


def test_routines_own_their_statements() -> None:
    script = Path(__file__).parent / "scripts" / "routines.oracle.sql"
    plan = planned(script.read_text(), dialect="oracle")
    assert "app.etl.copy_customers@c" in names(plan, "procedure")
    owners = {e.references.get("procedure", ("", ""))[1] for e in plan.entities.values() if e.kind == "process"}
    assert owners == {"app.etl.copy_customers@c", "app.close_month@c"}


def test_what_a_mapping_has_no_place_for_is_noted() -> None:
    plan = planned("create stage s1 url='s3://b/x'; copy into t from @s1", "rdbms")
    assert plan.notes
    assert all("the mapping has no rule" in note for note in plan.notes)


def test_names_that_people_can_read() -> None:
    sql = """
        insert into core.daily_revenue (revenue) select amount from raw.orders;
        create view marts.v as select revenue from core.daily_revenue;
        merge into core.m using raw.orders o on m.id = o.id when matched then update set a = o.amount;
        delete from core.m where id in (select id from raw.orders)
    """
    plan = planned(sql)
    titles = [entity.attributes["name"] for entity in plan.entities.values() if entity.kind == "process"]
    assert {"Insert into core.daily_revenue", "Create view marts.v", "Merge into core.m", "Delete from core.m"} <= {
        *titles
    }
    columns = [entity.attributes["name"] for entity in plan.entities.values() if entity.kind == "column_lineage"]
    assert "core.daily_revenue.revenue" in columns
    hive = planned("insert into sales.totals select id from sales.orders", "hive", "hive")
    (process,) = [entity for entity in hive.entities.values() if entity.kind == "process"]
    assert process.attributes["name"] == "Insert into sales.totals"
    assert process.initial["startTime"] > 1_700_000_000_000
    assert "startTime" not in process.attributes


def test_inputs_that_only_decide_have_a_process_of_their_own() -> None:
    plan = planned("insert into o (k, n) select t.k, sum(t.v) over (partition by t.email) from t join u on u.k = t.k")
    process = names(plan, "process")[0]
    data, apart = (plan.entities[("sql_process", name)] for name in (process, f"{process}:indirect"))
    assert (data.inputs, data.through) == ([("sql_table", "default.default.t@c")], "dataset_process_inputs")
    assert (apart.inputs, apart.through) == ([("sql_table", "default.default.u@c")], "sql_process_indirect_inputs")
    assert data.outputs == apart.outputs == [("sql_table", "default.default.o@c")]
    column = plan.entities[("sql_column_lineage", f"{process}:n")]
    assert column.inputs == [("sql_column", "default.default.t.v@c")]
    beside = plan.entities[("sql_column_lineage", f"{process}:n:indirect")]
    assert ("sql_column", "default.default.t.email@c") in (beside.inputs or ())
    assert beside.key in data.children


def test_files_are_named_by_their_place_in_the_input() -> None:
    def attributes(folder: str) -> set[object]:
        scripts = [
            Script("insert into o (a) select x from t", 0, f"{folder}/daily/a.sql"),
            Script("insert into p (a) select x from t", 1, f"{folder}/b.sql"),
        ]
        lineage = analyze_scripts(scripts, dialect="snowflake", cluster="c")
        plan = make_plan([lineage], checked_mapping("default").mapping, "test")
        return {entity.attributes["script"] for entity in plan.entities.values() if entity.kind == "process"}

    assert attributes("/home/ann/etl") == attributes("repo/etl") == {"daily/a.sql", "b.sql"}
