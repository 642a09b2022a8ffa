"""The samples of the model's reference as models written by hand, coordinates included."""

from __future__ import annotations

from collections.abc import Callable

from hand_made import Builder

from connector.model import Model

HIREDATE = """\
CREATE VIEW dbo.hiredate_view
AS
SELECT p.FirstName, p.LastName, e.BusinessEntityID, e.HireDate
FROM HumanResources.Employee e
JOIN Person.Person AS p ON e.BusinessEntityID = p.BusinessEntityID ;
"""


def hiredate_view() -> Model:
    build = Builder(HIREDATE, vendor="dbvmssql", default_schema="dbo")
    process = build.process("Create View", "1,1-5,69", text=HIREDATE.rstrip(" ;\n"))
    build.entity("HumanResources.Employee", at="4,6-4,31", alias="e")
    build.entity("Person.Person", at="5,6-5,24", alias="p")
    build.entity("dbo.hiredate_view", "view", at="1,13-1,30")
    build.entity("RS-1", "resultset", "select_list", at="3,8-3,63")
    for table, column, place in (
        ("Person.Person", "FirstName", "3,8-3,19"),
        ("Person.Person", "LastName", "3,21-3,31"),
        ("HumanResources.Employee", "BusinessEntityID", "3,33-3,51"),
        ("HumanResources.Employee", "HireDate", "3,53-3,63"),
    ):
        build.column(f"{table}.{column}", place)
        build.column(f"RS-1.{column}", place)
        build.column(f"dbo.hiredate_view.{column}", place)
        build.relation(f"{table}.{column}", f"RS-1.{column}", process)
        build.relation(f"RS-1.{column}", f"dbo.hiredate_view.{column}", process, effect="create_view")
    build.column("Person.Person.BusinessEntityID", "5,49-5,67")
    keys = "HumanResources.Employee.BusinessEntityID", "Person.Person.BusinessEntityID"
    build.relation(" ".join(keys), "RS-1.rows", process, "fdr", clause="joinCondition")
    build.relation("RS-1.rows", "dbo.hiredate_view.rows", process, "fdr", effect="create_view")
    condition = "e.BusinessEntityID = p.BusinessEntityID"
    build.relation(*keys, process, "join", join_type="inner", condition=condition)
    build.flow(process, "dbo.hiredate_view", "Person.Person HumanResources.Employee")
    return build.model


UPDATED = """\
CREATE VIEW dbo.hiredate_view(FirstName,LastName)
AS
SELECT p.FirstName, p.LastName
from Person.Person AS p
GO

update dbo.hiredate_view h
set h.FirstName = p.FirstName
from h join Person.Person p
on h.id = p.id;

insert into  dbo.hiredate_view (FirstName,LastName)
SELECT p.FirstName, p.LastName
from Person.Person AS p ;
"""


def hiredate_view_updated() -> Model:
    build = Builder(UPDATED, vendor="dbvmssql", default_schema="dbo")
    create = build.process("Create View", "1,1-4,24", text="create")
    update = build.process("Update", "7,1-10,16", text="update")
    insert = build.process("Insert", "12,1-14,26", text="insert")
    build.entity("Person.Person", at="4,6-4,24", alias="p", columns="FirstName@3,8-3,19 LastName@3,21-3,31")
    build.entity("dbo.hiredate_view", "view", at="1,13-1,30", columns="FirstName@1,31-1,40 LastName@1,41-1,49")
    build.column("dbo.hiredate_view.id", "10,4-10,8")
    build.column("Person.Person.id", "10,11-10,15")
    build.entity("RS-1", "resultset", "select_list", at="3,8-3,31", columns="FirstName@3,8-3,19 LastName@3,21-3,31")
    build.entity("UPDATE-SET-1", "resultset", "update-set", at="7,1-10,16", columns="FirstName@8,5-8,16")
    build.entity(
        "INSERT-SELECT-1",
        "resultset",
        "insert-select",
        at="13,8-13,31",
        columns="FirstName@13,8-13,19 LastName@13,21-13,31",
    )
    for column in ("FirstName", "LastName"):
        build.relation(f"Person.Person.{column}", f"RS-1.{column}", create)
        build.relation(f"RS-1.{column}", f"dbo.hiredate_view.{column}", create, effect="create_view")
    build.relation("Person.Person.FirstName", "UPDATE-SET-1.FirstName", update, effect="update")
    build.relation("UPDATE-SET-1.FirstName", "dbo.hiredate_view.FirstName", update, effect="update")
    build.relation(
        "dbo.hiredate_view.id Person.Person.id",
        "UPDATE-SET-1.rows",
        update,
        "fdr",
        effect="update",
        clause="joinCondition",
    )
    for column in ("FirstName", "LastName"):
        build.relation(f"Person.Person.{column}", f"INSERT-SELECT-1.{column}", insert)
        build.relation(f"INSERT-SELECT-1.{column}", f"dbo.hiredate_view.{column}", insert, effect="insert")
    build.flow(create, "dbo.hiredate_view", "Person.Person")
    build.flow(update, "dbo.hiredate_view", "Person.Person")
    build.flow(insert, "dbo.hiredate_view", "Person.Person")
    return build.model


RENAME = """\
create view v1 as select f1 from t2;
alter table t2 rename to t3;
"""


def rename_table() -> Model:
    build = Builder(RENAME, vendor="dbvoracle")
    create = build.process("Create View", "1,1-1,37", text="create view v1 as select f1 from t2")
    alter = build.process("Alter Table", "2,1-2,29", text="alter table t2 rename to t3")
    build.entity("t2", at="1,34-1,36", columns="f1@1,26-1,28")
    build.entity("t3", at="2,26-2,28")
    build.entity("v1", "view", at="1,13-1,15", columns="f1@1,26-1,28")
    build.entity("RS-1", "resultset", "select_list", at="1,26-1,28", columns="f1@1,26-1,28")
    build.relation("t2.f1", "RS-1.f1", create)
    build.relation("RS-1.f1", "v1.f1", create, effect="create_view")
    build.relation("t2.rows", "t3.rows", alter, effect="rename_table")
    build.flow(create, "v1", "t2")
    build.flow(alter, "t3", "t2")
    return build.model


WHERE = """\
SELECT a.empName "eName"
FROM scott.emp a
Where sal > 1000
"""


def where_clause() -> Model:
    build = Builder(WHERE, vendor="dbvoracle")
    process = build.process("Select", "1,1-3,17", text=WHERE.rstrip())
    build.entity("scott.emp", at="2,6-2,17", alias="a", columns="empName@1,8-1,17 sal@3,7-3,10")
    top = build.entity("RS-1", "resultset", "select_list", at="1,8-1,25", columns='"eName"@1,8-1,25')
    top.processes.append(process)
    build.relation("scott.emp.empName", 'RS-1."eName"', process)
    build.relation("scott.emp.sal", "RS-1.rows", process, "fdr", clause="where")
    build.flow(process, None, "scott.emp")
    return build.model


ROUND = "select round(salary) as sal from scott.emp"


def round_function() -> Model:
    build = Builder(ROUND, vendor="dbvoracle")
    process = build.process("Select", text=ROUND)
    build.entity("scott.emp", at="1,34-1,43", columns="salary@1,14-1,20")
    build.entity("RS-1", "resultset", "select_list", at="1,8-1,28", columns="sal@1,8-1,28").processes.append(process)
    build.entity("FUNCTION-1", "resultset", "function", at="1,8-1,21", columns="round@1,8-1,13")
    build.relation("FUNCTION-1.round", "RS-1.sal", process)
    build.relation("scott.emp.salary", "FUNCTION-1.round", process, effect="function")
    build.flow(process, None, "scott.emp")
    return build.model


OVERWRITE = """\
INSERT OVERWRITE LOCAL DIRECTORY '/tmp/pv_gender_sum'
SELECT pv_gender_sum.*
FROM pv_gender_sum;
"""


def insert_overwrite() -> Model:
    build = Builder(OVERWRITE, vendor="dbvhive", layers=2, cluster="primary")
    process = build.process("Insert", "1,1-3,20", text=OVERWRITE.rstrip(";\n"))
    uri = "/tmp/pv_gender_sum"
    build.entity(uri, "path", at="1,34-1,54", uri=uri, sub_type="file", columns=f"uri='{uri}'")
    build.entity("pv_gender_sum", at="3,6-3,19", columns="*@2,8-2,23")
    build.entity("INSERT-SELECT-1", "resultset", "insert-select", at="2,8-2,23", columns="*@2,8-2,23")
    build.relation("pv_gender_sum.*", "INSERT-SELECT-1.*", process)
    build.relation("INSERT-SELECT-1.*", f"{uri}.uri='{uri}'", process, effect="insert")
    build.flow(process, uri, "pv_gender_sum")
    return build.model


def everything() -> Model:
    """No sample: one of each element and attribute that an output can hold, with names that need care."""
    build = Builder("select '<&\"' ;\nupdate x", vendor="dbvsnowflake", cluster="acme@eu")
    build.script.name = "etl/<load>.sql"
    process = build.process("Update", "1,1-1,14", text="select", procedure='HR."P.1"')
    process.identity = "0" * 32
    process.approximate = True
    build.entity('db.s."weird.""t@"', at="1,8-1,13", temporary=True, sub_type="function", alias='"a<b"').occurrences = [
        (build.script, 15, 21),
        (build.script, 22, 23),
    ]
    build.entity("=stage", "stage", columns="s3://load/")
    build.entity("s3://load/a.csv", "path", uri="s3://load/a.csv", file_format="CSV", columns="$1")
    build.entity("rec", "variable", sub_type="record")
    build.entity("pseudo_table_include_orphan_column", type="pseudoTable")
    build.entity("o")
    build.column("o.x").occurrences = [(build.script, 15, 21)]
    build.relation("=stage.s3://load/ pseudo_table_include_orphan_column.q", "rec.v", process, effect="cursor")
    build.relation("rec.v", "o.x", process, effect="update")
    build.relation("rec.rows", "o.rows", process, "fdr", effect=None, clause="case condition")
    build.relation('db.s."weird.""t@".k', "o.x", process, "join", join_type="left", condition='"k" <\n x & y')
    build.relation("o.x", "o.y", None, "er", effect="foreign_key")
    build.flow(process, "o", "=stage")
    build.procedure("HR.P", [("a", "NUMBER(3)", "in"), ("b", "CURSOR", "inout")], "1,1-1,7")
    build.problem("unexpected '<' & \"x\"\nhere", "2,1-2,7")
    return build.model


SAMPLES: dict[str, Callable[[], Model]] = {
    "hiredate_view": hiredate_view,
    "hiredate_view_updated": hiredate_view_updated,
    "rename_table": rename_table,
    "where_clause": where_clause,
    "round_function": round_function,
    "insert_overwrite": insert_overwrite,
    "everything": everything,
}
