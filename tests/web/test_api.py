"""What the server answers, and that it answers as its own description says."""

from __future__ import annotations

import csv
import io
import json
from typing import Any
from urllib.parse import quote

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from jsonschema import Draft202012Validator
from starlette.testclient import TestClient

from connector import analyze
from connector.export import FORMATS
from connector.export.page import page_document
from connector.options import Options

SCRIPT = """create view mart.revenue as
select c.country, sum(o.amount) as total
from core.orders o join core.customers c on c.id = o.customer_id
where o.status = 'paid'
group by c.country;
"""


@pytest.fixture(scope="session")
def description(client: TestClient) -> dict[str, Any]:
    answer = client.get("/api/openapi.json")
    assert answer.status_code == 200
    return answer.json()


@pytest.fixture(scope="session")
def fits(description: dict[str, Any]) -> Any:
    """Checks an answer against what the description promises for that operation and status."""

    def check(answer: Any, method: str, path: str) -> Any:
        promised = description["paths"][path][method]["responses"][str(answer.status_code)]
        schema = promised["content"]["application/json"]["schema"]
        content = answer.json()
        Draft202012Validator({**schema, "components": description["components"]}).validate(content)
        return content

    return check


def test_the_description_names_every_path(description):
    assert set(description["paths"]) == {
        "/api/info",
        "/api/analyze",
        "/api/export/{format}",
        "/api/objects",
        "/api/objects/{reference}",
        "/api/processes/{reference}",
        "/api/lineage/{way}",
        "/api/impact",
        "/api/overview",
    }
    Draft202012Validator.check_schema(description["components"]["schemas"]["PageDocument"])


def test_info(client, bare, fits):
    info = fits(client.get("/api/info"), "get", "/api/info")
    assert "snowflake" in info["dialects"]
    assert [each["name"] for each in info["formats"]] == list(FORMATS)
    assert info["limits"]["maxSize"] == 5_000_000
    assert info["store"] is True
    assert "lineage.db" not in json.dumps(info)
    assert fits(bare.get("/api/info"), "get", "/api/info")["store"] is False


# --- analysis ---------------------------------------------------------------------------------------------------------


def test_analysis_is_what_the_page_draws(client, fits):
    answer = client.post("/api/analyze", json={"sql": SCRIPT, "dialect": "snowflake"})
    document = fits(answer, "post", "/api/analyze")
    assert document == json.loads(json.dumps(page_document(analyze(SCRIPT, "snowflake").model, Options())))
    assert {"complete", "column", "table"} <= document["levels"].keys()


def test_analysis_takes_everything_that_python_takes(client):
    asked = {
        "sql": "create view v as select * from t",
        "dialect": "oracle",
        "metadata": {"hr.t": ["a", "b"]},
        "default_database": "db",
        "default_schema": "hr",
        "cluster": "prod",
        "options": {"row_column": "RelationRows", "impact": False},
        "title": "mine",
        "level": "table",
    }
    document = client.post("/api/analyze", json=asked).json()
    table = next(entity for entity in document["entities"] if entity["kind"] == "table")
    assert table["qualifiedName"] == "db.hr.t@prod"
    assert [column[0] for column in table["columns"] if not column[2]] == ["a", "b"]
    assert (document["title"], document["opens"]["level"], document["opens"]["impact"]) == ("mine", "table", False)


def test_bad_sql_is_a_problem_in_the_answer_not_an_error(client):
    answer = client.post("/api/analyze", json={"sql": f"select a b c d from ((;\n{SCRIPT}"})
    assert answer.status_code == 200
    document = answer.json()
    script, start, _ = document["problems"][0]["place"]
    assert script == 0
    assert start < 23
    assert document["levels"]["column"]
    assert client.post("/api/analyze", json={"sql": ""}).status_code == 200


def test_odd_text_comes_back_as_it_was_sent(client):
    """But for half of a surrogate pair, which is no character and cannot be written."""
    sql = "select 'ä\U0001f600\ud800' as \"größe\" from maße"
    body = json.dumps({"sql": sql}).encode("ascii")
    answer = client.post("/api/analyze", content=body, headers={"content-type": "application/json"})
    assert answer.status_code == 200
    assert json.loads(answer.content)["scripts"][0]["text"] == sql.replace("\ud800", "?")


@pytest.mark.parametrize(
    ("asked", "said"),
    [
        ({"dialect": "oracle"}, "sql: Field required"),
        ({"sql": 1}, "sql: "),
        ({"sql": "select 1", "dialect": "klingon"}, "klingon"),
        ({"sql": "select 1", "options": {"impact": "maybe"}}, "options.impact: "),
        ({"sql": "select 1", "options": {"colour": True}}, "options.colour: "),
        ({"sql": "select 1", "level": "cellar"}, "level: "),
        ({"sql": "select 1", "metadata": {"t": 7}}, "expected a list of columns"),
        ({"sql": "select 1", "file": "/etc/passwd"}, "file: "),
        ([], ""),
    ],
)
def test_a_wrong_request_is_told_what_is_wrong(client, fits, asked, said):
    answer = client.post("/api/analyze", json=asked)
    assert answer.status_code == 422
    problem = fits(answer, "post", "/api/analyze")
    assert problem["code"] == "invalid"
    assert said in problem["detail"]


def test_json_that_is_none(client):
    for body in (b"{", b"\xff\xfe", b"[" * 100_000, b""):
        answer = client.post("/api/analyze", content=body, headers={"content-type": "application/json"})
        assert answer.status_code in (400, 422)
        assert answer.json()["code"] == "invalid"


@pytest.mark.parametrize("format", FORMATS)
def test_every_format_can_be_downloaded(client, format):
    answer = client.post(f"/api/export/{format}", json={"sql": SCRIPT, "dialect": "snowflake"})
    assert answer.status_code == 200
    exporter = FORMATS[format]
    assert answer.text == analyze(SCRIPT, "snowflake").render(format, exporter.levels[0])
    assert answer.headers["content-disposition"].startswith('attachment; filename="lineage.')


def test_an_export_has_the_level_and_the_options_that_are_asked_for(client):
    asked = {"sql": SCRIPT, "dialect": "snowflake", "level": "table", "options": {"safe_csv": True}}
    rows = list(csv.reader(io.StringIO(client.post("/api/export/csv", json=asked).text), delimiter=";"))
    assert "source_column" not in rows[0]
    assert len(rows) == 3
    assert client.post("/api/export/csv", json={**asked, "level": "complete"}).status_code == 422
    assert client.post("/api/export/docx", json=asked).status_code == 404


# --- the store --------------------------------------------------------------------------------------------------------


def test_objects_in_pages(client, fits):
    first = fits(client.get("/api/objects?pageSize=5"), "get", "/api/objects")
    assert (first["page"], first["pageSize"], len(first["objects"])) == (1, 5, 5)
    assert first["total"] == sum(first["kinds"].values())
    seen = []
    for page in range(1, first["pages"] + 1):
        answer = client.get("/api/objects", params={"page": page, "pageSize": 5})
        seen += [each["qualifiedName"] for each in fits(answer, "get", "/api/objects")["objects"]]
    assert len(seen) == len(set(seen)) == first["total"]
    assert seen == sorted(seen, key=str.lower)
    views = client.get("/api/objects?kind=view").json()
    assert {each["kind"] for each in views["objects"]} == {"view"}
    assert views["total"] == first["kinds"]["view"]


@pytest.mark.parametrize(
    ("search", "first"),
    [
        ("dim_customer", "shop.core.dim_customer@default"),
        ("CORE.DIM_CUSTOMER", "shop.core.dim_customer@default"),
        ("customer dim", "shop.core.dim_customer@default"),
        ("dimcust", "shop.core.dim_customer@default"),
        ("dim_custmoer", "shop.core.dim_customer@default"),
        ("core sales", "shop.core.fact_sales@default"),
        ("events.csv", "s3://bucket/in/events.csv@default"),
    ],
)
def test_search_forgives(client, search, first):
    found = client.get("/api/objects", params={"search": search}).json()
    assert found["objects"][0]["qualifiedName"] == first


def test_search_finds_columns_too(client, fits):
    found = fits(client.get("/api/objects?search=customer_key&kind=column"), "get", "/api/objects")
    best = found["objects"][0]
    assert (best["kind"], best["column"]) == ("column", "customer_key")
    assert client.get(f"/api/objects/{best['objectId']}").json()["qualifiedName"].endswith("@default")
    assert client.get("/api/objects", params={"search": "100%_\\"}).json()["total"] == 0


def test_the_page_of_a_table(client, fits):
    page = fits(client.get("/api/objects/dim_customer"), "get", "/api/objects/{reference}")
    assert page["qualifiedName"] == "shop.core.dim_customer@default"
    assert "customer_key" in [column["name"] for column in page["columns"]]
    assert page["columns"][-1]["rows"] is True
    assert page["definition"].startswith("create table")
    assert "varchar(?)" not in page["definition"]
    assert [column["name"] for column in page["columns"]][:3] == ["customer_key", "customer_id", "full_name"]
    assert "shop.staging.customers@default" in [each["qualifiedName"] for each in page["upstream"]]
    assert "shop.core.fact_sales@default" in [each["qualifiedName"] for each in page["downstream"]]
    assert {each["type"] for each in page["writtenBy"]} & {"Merge", "Insert", "Update"}
    assert all(each["count"] == 2 for each in page["writtenBy"])
    assert page["firstSeen"] <= page["lastSeen"]
    again = client.get(f"/api/objects/{page['id']}").json()
    assert again == page
    assert client.get("/api/objects/shop.core.dim_customer%40default").json() == page


def test_who_ran_it_and_when(client):
    page = client.get("/api/objects/monthly_department").json()
    writer = page["writtenBy"][0]
    assert (writer["users"], writer["count"], writer["origin"]) == (["ann", "etl_nightly"], 31, "query log")
    assert (writer["firstSeen"], writer["lastSeen"]) == ("2024-05-01T03:15:00Z", "2024-06-01T03:15:00Z")
    assert page["users"] == ["ann", "etl_nightly"]
    impact = client.get("/api/impact?name=v_sales").json()["objects"]
    owners = {each["name"]: each["owners"] for each in impact}
    assert owners["monthly_department"] == ["ann", "etl_nightly"]


def test_the_page_of_a_path(client):
    page = client.get("/api/objects/s3%3A%2F%2Fbucket%2Fin%2Fevents.csv%40default").json()
    assert (page["kind"], page["name"]) == ("path", "s3://bucket/in/events.csv")


def test_names_that_mean_nothing_or_too_much(client, fits):
    unknown = client.get("/api/objects/nobody")
    assert unknown.status_code == 404
    assert fits(unknown, "get", "/api/objects/{reference}")["code"] == "not_found"
    ambiguous = client.get("/api/objects/customers")
    assert ambiguous.status_code == 409
    problem = fits(ambiguous, "get", "/api/objects/{reference}")
    assert problem["candidates"] == ["shop.raw.customers@default", "shop.staging.customers@default"]
    assert client.get("/api/objects/9999999999999999999999999").status_code == 404
    assert client.get("/api/processes/4711").status_code == 404
    assert client.get("/api/lineage/sideways?name=dim_customer").status_code == 422
    assert client.get("/api/lineage/both?name=dim_customer&depth=0").status_code == 422
    assert client.get("/api/lineage/both").status_code == 422


def test_statements_show_no_literals(client, make_client, store_file, fits):
    evil = client.get("/api/objects", params={"search": "<script>"}).json()["objects"][0]
    made = client.get(f"/api/objects/{evil['id']}").json()["writtenBy"][0]
    page = fits(client.get(f"/api/processes/{made['hash']}"), "get", "/api/processes/{reference}")
    assert page["literalsMasked"] is True
    assert "secret-4711" not in page["text"]
    assert "k = ?" in page["text"]
    assert [each["name"] for each in page["outputs"]] == ["<script>alert(1)</script>"]
    open_one = make_client(store=str(store_file), show_literals=True)
    assert "'secret-4711'" in open_one.get(f"/api/processes/{made['hash']}").json()["text"]
    assert client.get(f"/api/processes/{made['id']}").json() == page


def names(document: dict[str, Any]) -> set[str]:
    return {entity["name"] for entity in document["entities"]}


def test_lineage_around_a_table(client, fits):
    up = fits(client.get("/api/lineage/upstream?name=dim_customer"), "get", "/api/lineage/{way}")
    assert {"core.dim_customer", "staging.customers", "raw.customers"} <= names(up)
    assert "mart.v_customer_value" not in names(up)
    assert up["levels"]["column"] == []
    near = client.get("/api/lineage/upstream?name=dim_customer&depth=1").json()
    assert "staging.customers" in names(near)
    assert "raw.customers" not in names(near)
    both = client.get("/api/lineage/both?name=dim_customer&columns=true").json()
    assert {"raw.customers", "core.fact_sales"} <= names(both)
    assert both["levels"]["column"]
    assert both["levels"]["table"]
    assert both["start"]["qualifiedName"] == "shop.core.dim_customer@default"
    assert all("text" in process for process in both["processes"])


def test_lineage_around_a_column(client):
    document = client.get("/api/lineage/upstream?name=dim_customer.country_code").json()
    assert document["start"]["column"] == "country_code"
    columns = [(entity["name"], column[0]) for entity in document["entities"] for column in entity["columns"]]
    sources = {columns[row[1]] for row in document["levels"]["column"] if row[0] == "fdd"}
    assert ("staging.customers", "country_code") in sources
    assert document["levels"]["table"]


def test_impact_of_a_column(client, fits):
    impact = fits(client.get("/api/impact?name=staging.customers.country_code"), "get", "/api/impact")
    assert impact["column"] == "country_code"
    objects = {each["qualifiedName"]: each for each in impact["objects"]}
    dimension = objects["shop.core.dim_customer@default"]
    assert (dimension["relation"], dimension["distance"]) == ("direct", 1)
    assert "country_code" in [column["name"] for column in dimension["columns"]]
    assert dimension["statements"]
    assert [each["distance"] for each in impact["objects"]] == sorted(each["distance"] for each in impact["objects"])
    assert impact["total"] == len(objects)
    assert "shop.raw.customers@default" not in objects


def test_impact_of_a_table(client):
    impact = client.get("/api/impact?name=raw.customers").json()
    objects = {each["qualifiedName"]: each["distance"] for each in impact["objects"]}
    assert objects["shop.staging.customers@default"] == 1
    assert objects["shop.core.dim_customer@default"] == 2
    assert impact["name"] not in objects
    assert client.get("/api/impact?name=v_customer_value").json()["objects"] == []


def test_overview(client, fits):
    document = fits(client.get("/api/overview"), "get", "/api/overview")
    total = client.get("/api/objects").json()["total"]
    assert len(document["entities"]) == document["total"] == total
    assert document["opens"]["level"] == "table"
    assert document["levels"]["table"]
    some = client.get("/api/overview?most=4").json()
    assert len(some["entities"]) == 4
    assert some["truncated"] is True


def test_without_a_store(bare, fits):
    for path in ("/api/objects", "/api/objects/x", "/api/processes/x", "/api/lineage/both?name=x", "/api/overview"):
        answer = bare.get(path)
        assert answer.status_code == 404
        assert answer.json()["code"] == "no_store"
    assert fits(bare.get("/api/impact?name=x"), "get", "/api/impact")["code"] == "no_store"


# --- whatever is asked --------------------------------------------------------------------------------------------------

ANYTHING = st.one_of(
    st.text(max_size=40),
    st.text(alphabet="abc_.@\"'`[]%\\/ *?#\0:", max_size=20),
    st.integers(min_value=0).map(str),
    st.sampled_from(
        ["dim_customer", "shop.core.dim_customer@default", "customers.country_code", "@", ".", '"', "@@", "a@b@c"]
    ),
)


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(name=ANYTHING)
def test_no_name_makes_it_stumble(client, name):
    kept = name.encode("utf-8", "replace").decode("utf-8")
    path = quote(kept, safe="")
    answers = [
        client.get("/api/objects", params={"search": kept}),
        client.get("/api/objects", params={"search": kept, "kind": "column"}),
        client.get("/api/lineage/both", params={"name": kept, "columns": True, "depth": 2}),
        client.get("/api/impact", params={"name": kept}),
        client.get(f"/api/objects/{path}"),
        client.get(f"/api/processes/{path}"),
    ]
    assert {answer.status_code for answer in answers} <= {200, 404, 409, 422}


def _nested(inner: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    return st.lists(inner, max_size=3) | st.dictionaries(
        st.sampled_from(["t", "s.t", "databases", "impact", ""]), inner
    )


@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(body=st.recursive(st.none() | st.booleans() | st.integers() | st.text(max_size=5), _nested, max_leaves=8))
def test_no_body_makes_it_stumble(client, body):
    for content in (body, {"sql": body}, {"sql": "select a from t", "metadata": body}, {"sql": "", "options": body}):
        answer = client.post("/api/analyze", json=content)
        assert answer.status_code in (200, 422), answer.text


def test_the_interface_as_a_page_for_people(client):
    answer = client.get("/api")
    assert answer.headers["content-type"].startswith("text/html")
    assert "script-src" not in answer.headers["content-security-policy"]
    for path in client.get("/api/openapi.json").json()["paths"]:
        assert f"</span> {path}</h2>" in answer.text
    for words in ("Columns of known tables", "list of ObjectRef", "upstream | downstream | both", "default_database"):
        assert words in answer.text


def test_every_parameter_and_field_is_explained(description):
    """The page of the interface shows these words in its column of meanings."""
    silent = [
        f"{name}.{field}"
        for name, schema in description["components"]["schemas"].items()
        for field, described in schema.get("properties", {}).items()
        if not described.get("description")
    ]
    silent += [
        f"{path} {parameter['name']}"
        for path, methods in description["paths"].items()
        for operation in methods.values()
        for parameter in operation.get("parameters", [])
        if not parameter.get("description")
    ]
    assert silent == []


def test_the_page_of_the_interface_explains_types_inside_of_answers(client):
    text = client.get("/api").text
    assert "<td></td>" not in text
    for name in ("StoreColumnInfo", "StatementInfo", "AnalysisOptions"):
        assert f'<h3 id="{name}">' in text
    assert "As the definition or the metadata write it." in text
    assert "<code>GET /api/info</code>" in text
    assert "`" not in text
