"""`lineage-connector mcp`, asked by the official client over the pipes of a real process."""

from __future__ import annotations

import json
import sys
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import anyio
import pytest
from mcp import ClientSession, StdioServerParameters, stdio_client
from planted import READ, SCRIPT, leaks

from connector import analyze
from connector.store import Store

SQL = """
insert into core.daily_revenue (day, revenue)
select o.order_date, sum(l.quantity * l.unit_price * 1.19)
from raw.orders o join raw.order_lines l on l.order_id = o.order_id
where o.status = 'paid secretly' group by o.order_date;
create view mart.v_sales as select revenue * 2 as doubled from core.daily_revenue;
"""


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("store") / "lineage.db"
    with Store.open(path) as opened:
        opened.load(analyze(SQL, "snowflake").model, source="test")
    return path


def ask(store: Path, questions: Callable[[ClientSession], Awaitable[Any]]) -> Any:
    """What the server answers; it is started and stopped by the client."""
    server = StdioServerParameters(
        command=sys.executable, args=["-m", "connector", "mcp", "--store", str(store)], cwd=Path(__file__).parents[1]
    )

    async def session() -> Any:
        async with stdio_client(server) as (read, write), ClientSession(read, write) as client:
            await client.initialize()
            return await questions(client)

    return anyio.run(session)


def answers(store: Path, *calls: tuple[str, dict[str, Any]]) -> list[Any]:
    async def questions(client: ClientSession) -> list[Any]:
        return [await client.call_tool(tool, arguments) for tool, arguments in calls]

    found: list[Any] = ask(store, questions)
    return found


def content(result: Any) -> Any:
    assert not result.is_error, result.content
    return json.loads(result.content[0].text)


def test_the_questions_of_the_store(store: Path) -> None:
    before = store.read_bytes()
    search, columns, upstream, downstream, column, impact, made, unknown, table = answers(
        store,
        ("search", {"text": "revenue"}),
        ("search", {"text": "revenue", "kind": "column"}),
        ("upstream", {"name": "mart.v_sales"}),
        ("downstream", {"name": "raw.orders", "depth": 1}),
        ("upstream", {"name": "mart.v_sales.doubled"}),
        ("impact", {"name": "raw.orders.status"}),
        ("how_column_is_made", {"name": "core.daily_revenue.revenue"}),
        ("upstream", {"name": "nobody"}),
        ("how_column_is_made", {"name": "mart.v_sales"}),
    )
    assert [hit["name"] for hit in content(search)["objects"]] == ["default.core.daily_revenue@default"]
    assert "default.core.daily_revenue.revenue@default" in content(columns)["columns"]
    assert {(edge["source"], edge["target"]) for edge in content(upstream)["edges"]} == {
        ("default.core.daily_revenue@default", "default.mart.v_sales@default"),
        ("default.raw.orders@default", "default.core.daily_revenue@default"),
        ("default.raw.order_lines@default", "default.core.daily_revenue@default"),
    }
    assert [edge["target"] for edge in content(downstream)["edges"]] == ["default.core.daily_revenue@default"]
    (doubled,) = [edge for edge in content(column)["edges"] if edge["target"].endswith(".doubled@default")]
    assert (doubled["relation"], doubled["transformation"]) == ("direct", "transformation")
    assert doubled["expression"] == "revenue * ?"
    assert content(impact)["touches"][0]["name"] == "default.core.daily_revenue@default"
    direct = [edge for edge in content(made)["made_from"] if edge["relation"] == "direct"]
    assert {(edge["source"], edge["transformation"], edge["expression"]) for edge in direct} == {
        ("default.raw.order_lines.quantity@default", "aggregation", "sum(l.quantity * l.unit_price * ?)"),
        ("default.raw.order_lines.unit_price@default", "aggregation", "sum(l.quantity * l.unit_price * ?)"),
    }
    (statement,) = content(made)["statements"]
    assert statement["type"] == "Insert"
    assert "secretly" not in statement["text"]
    assert unknown.is_error
    assert "nobody" in unknown.content[0].text
    assert table.is_error
    assert "name one of its columns" in table.content[0].text
    assert store.read_bytes() == before


def test_planted_words_reach_no_answer(tmp_path: Path) -> None:
    planted = tmp_path / "lineage.db"
    with Store.open(planted) as opened:
        opened.load(analyze(SCRIPT, "snowflake").model, source="test")
    column = {"name": "raw.t.card"}

    async def questions(client: ClientSession) -> list[Any]:
        names = [tool.name for tool in (await client.list_tools()).tools if tool.name != "search"]
        found = [
            await client.call_tool("search", {"text": text, "kind": "column"}) for text in ("core", "4555", "Hunter")
        ]
        found += [await client.call_tool("search", {"text": "core"})]
        for tool in names:
            for name in READ:
                found.append(await client.call_tool(tool, {"name": name}))
        made = json.loads((await client.call_tool("downstream", column)).content[0].text)
        for edge in made["edges"]:
            found.append(await client.call_tool("how_column_is_made", {"name": edge["target"]}))
        return found

    texts = [result.content[0].text for result in ask(planted, questions)]
    assert len(texts) > 30
    assert any("case when card = ? then x else ? end #" in text for text in texts)
    assert not [text for text in texts if leaks(text)]


def test_the_tools_say_that_they_only_read(store: Path) -> None:
    async def questions(client: ClientSession) -> Any:
        return (await client.list_tools()).tools

    tools = ask(store, questions)
    assert {tool.name for tool in tools} == {"search", "upstream", "downstream", "impact", "how_column_is_made"}
    assert all(tool.annotations.read_only_hint and tool.description for tool in tools)
