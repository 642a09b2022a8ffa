"""How objects are found: which questions are asked, and that nothing is guessed."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from urllib.parse import parse_qs, unquote, urlsplit

import pytest
import responses
from requests import PreparedRequest

from connector.catalogs.openmetadata import OpenMetadataSettings
from connector.catalogs.openmetadata.client import build, decode_name, encode_name, split
from connector.catalogs.openmetadata.lookup import Lookup
from connector.catalogs.openmetadata.plan import ColumnRef, Plan
from connector.catalogs.settings import Backoff
from connector.common.progress import NoProgress

MakePlan = Callable[..., Plan]
URL = "http://om.example/api"
Answer = tuple[int, dict[str, str], str]


class Server:
    """A catalog of tables, answered from memory, with a list of what was asked."""

    def __init__(self, *tables: str, search: bool = True) -> None:
        self.tables = {name: _table(name) for name in tables}
        self.search = search
        self.asked: list[str] = []

    def __call__(self, request: PreparedRequest) -> Answer:
        parts = urlsplit(str(request.url))
        path = parts.path.removeprefix("/api/v1/")
        query = {name: values[0] for name, values in parse_qs(parts.query).items()}
        self.asked.append(path.partition("/name/")[0] if "/name/" in path else path)
        if path == "search/fieldQuery":
            return self._searched(query["fieldValue"]) if self.search else (500, {}, "{}")
        if path.startswith("tables/name/"):
            found = self.tables.get(unquote(path.removeprefix("tables/name/")))
            return _json(found) if found else (404, {}, '{"code":404,"message":"no such table"}')
        if path == "tables":
            schema = query["databaseSchema"]
            return self._page([each for name, each in self.tables.items() if build(split(name)[:-1]) == schema], query)
        depth, above = (2, query["service"]) if path == "databases" else (3, query["database"])
        names = {build(split(name)[:depth]) for name in self.tables}
        inside = sorted(name for name in names if build(split(name)[:-1]) == above)
        return self._page([{"name": split(name)[-1], "fullyQualifiedName": name} for name in inside], query)

    def _searched(self, pattern: str) -> Answer:
        fits = re.compile(re.escape(pattern).replace(r"\*", ".*"), re.I)
        names = [name for name in self.tables if fits.fullmatch(name)][:10]
        return _json({"hits": {"hits": [{"_source": {"fullyQualifiedName": name}} for name in names]}})

    def _page(self, found: list[dict[str, object]], query: dict[str, str]) -> Answer:
        start, limit = int(query.get("after", 0)), int(query["limit"])
        paging: dict[str, object] = {"total": len(found)}
        if start + limit < len(found):
            paging["after"] = str(start + limit)
        return _json({"data": found[start : start + limit], "paging": paging})


def _table(name: str) -> dict[str, object]:
    columns = [{"name": "ID"}, {"name": "rec", "children": [{"name": "a"}, {"name": "we.ird"}]}, {"name": "id"}]
    return {"id": f"id of {name}", "name": split(name)[-1], "fullyQualifiedName": name, "columns": columns}


def _json(value: object) -> Answer:
    return 200, {"Content-Type": "application/json"}, json.dumps(value)


@pytest.fixture
def look() -> Iterator[Callable[[Server, Plan], Lookup]]:
    pool = ThreadPoolExecutor(2)

    def run(server: Server, plan: Plan) -> Lookup:
        settings = OpenMetadataSettings(url=URL, token="t", page_size=10)
        with responses.RequestsMock(assert_all_requests_are_fired=False) as mocked:
            mocked.add_callback(responses.GET, re.compile(".*"), server)
            with settings.connect(Backoff(attempts=2, sleep=lambda _: None)) as client:
                lookup = Lookup(client, pool, NoProgress())
                lookup.find_all(plan.wanted())
                return lookup

    yield run
    pool.shutdown()


Look = Callable[[Server, Plan], Lookup]


def names(lookup: Lookup) -> list[str]:
    return sorted(found.fqn for found in lookup.found.values())


def test_by_name_each_once(look: Look, planned: MakePlan) -> None:
    server = Server("wh.D.S.T", "wh.D.S.O")
    plan = planned("insert into d.s.o select a from d.s.t; insert into d.s.o select b from D.S.T")
    assert names(look(server, plan)) == ["wh.D.S.O", "wh.D.S.T"]
    assert server.asked == ["tables", "tables"]


def test_another_case_is_searched_for(look: Look, planned: MakePlan) -> None:
    plan = planned("insert into d.s.o select a from d.s.t")
    assert names(look(Server("wh.d.S.t", "wh.D.S.O"), plan)) == ["wh.D.S.O", "wh.d.S.t"]


def test_without_a_search_engine_the_lists_decide(look: Look, planned: MakePlan) -> None:
    server = Server("wh.d.s.t", "wh.d.s.o", search=False)
    plan = planned("insert into d.s.o select a from d.s.t")
    assert names(look(server, plan)) == ["wh.d.s.o", "wh.d.s.t"]
    assert [each for each in server.asked if each in ("databases", "databaseSchemas")] == [
        "databases",
        "databaseSchemas",
    ]


def test_names_that_differ_in_case_only_are_not_guessed(look: Look, planned: MakePlan) -> None:
    plan = planned("insert into d.s.o select a from d.s.t", "mssql")
    lookup = look(Server("wh.d.s.T", "wh.D.s.T", "wh.d.s.o"), plan)
    assert names(lookup) == ["wh.d.s.o"]
    assert lookup.reasons == {("table", "wh.d.s.t"): "several objects may be meant: wh.D.s.T, wh.d.s.T"}
    assert names(look(Server("wh.d.s.T", "wh.d.s.t", "wh.d.s.o"), plan)) == ["wh.d.s.o", "wh.d.s.t"]


def test_quotes_keep_the_case(look: Look, planned: MakePlan) -> None:
    plan = planned('insert into d.s."o" select a from d.s.t')
    lookup = look(Server("wh.D.S.T", "wh.D.S.O"), plan)
    assert list(lookup.reasons.values()) == ["OpenMetadata has no table wh.D.S.o"]


def test_a_layer_that_nobody_says(look: Look, planned: MakePlan) -> None:
    plan = planned("insert into o select a from s.t")
    assert names(look(Server("wh.d1.S.T", "wh.d2.x.O"), plan)) == ["wh.d1.S.T", "wh.d2.x.O"]
    lookup = look(Server("wh.d1.S.T", "wh.d2.S.T", "wh.d2.x.O"), plan)
    assert names(lookup) == ["wh.d2.x.O"]
    assert list(lookup.reasons.values()) == ["several objects may be meant: wh.d1.S.T, wh.d2.S.T"]
    assert not lookup.absent  # so nobody creates a third one
    assert look(Server("wh.d2.x.O"), plan).absent == {("table", "wh.*.S.T")}


@pytest.mark.parametrize("search", [True, False])
def test_a_star_in_a_name_is_no_pattern(look: Look, planned: MakePlan, search: bool) -> None:
    plan = planned('insert into d.s.o select a from d.s."T*"')
    lookup = look(Server("wh.D.S.T1", "wh.D.S.O", search=search), plan)
    assert names(lookup) == ["wh.D.S.O"]


def test_many_tables_of_a_schema_come_in_pages(look: Look, planned: MakePlan) -> None:
    tables = [f"wh.D.S.T{number}" for number in range(60)]
    server = Server(*tables, "wh.D.S.O")
    plan = planned("".join(f"insert into d.s.o select a from d.s.t{number};" for number in range(60)))
    assert len(look(server, plan).found) == 61
    assert len(server.asked) == 7


def test_a_list_that_is_much_too_long_is_left(look: Look, planned: MakePlan) -> None:
    tables = [f"wh.D.S.T{number}" for number in range(1000)]
    server = Server(*tables, "wh.D.S.O")
    plan = planned("".join(f"insert into d.s.o select a from d.s.t{number};" for number in range(55)))
    assert len(look(server, plan).found) == 56
    assert len(server.asked) <= 57


def test_columns(look: Look, planned: MakePlan) -> None:
    found = look(Server("wh.D.S.T", "wh.D.S.O"), planned("insert into d.s.o select a from d.s.t")).found
    table = found["table", "wh.D.S.T"]
    assert table.column(ColumnRef(("ID",))) == "wh.D.S.T.ID"
    assert table.column(ColumnRef(("id",))) == "wh.D.S.T.id"
    assert table.column(ColumnRef(("Id",))) is None
    assert table.column(ColumnRef(("REC",))) == "wh.D.S.T.rec"
    assert table.column(ColumnRef(("REC",), exact=True)) is None
    assert table.column(ColumnRef(("rec", "A"))) == "wh.D.S.T.rec.a"
    assert table.column(ColumnRef(("rec", "we.ird"))) == 'wh.D.S.T.rec."we.ird"'
    assert table.column(ColumnRef(("rec", "other"))) == "wh.D.S.T.rec"
    assert table.column(ColumnRef(("rec.a",))) == "wh.D.S.T.rec.a"
    assert table.column(ColumnRef(("nothing",))) is None


@pytest.mark.parametrize("name", ["plain", "with.dot", 'a"b', "x>y", "p::q", "line\nfeed", "tab\t", "ü ß"])
def test_names_go_there_and_back(name: str) -> None:
    encoded = encode_name(name)
    assert not re.search(r'[>"\x00-\x1f]|::', encoded)
    assert decode_name(encoded) == name
    assert split(build(("a.b", encoded, "c"))) == ["a.b", encoded, "c"]
