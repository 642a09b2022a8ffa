"""Much of everything: statements, columns, tables, requests at a time."""

from __future__ import annotations

import random

from catalog import Catalog
from sending import entries, read, send
from server import OpenMetadataServer
from shop import MAILS, ORDERS, SERVICE, add_tables

from connector.catalogs.openmetadata import OpenMetadataSettings, push


def test_many_statements_of_one_pair(
    catalog: Catalog, settings: OpenMetadataSettings, server: OpenMetadataServer
) -> None:
    """What an edge carries is bounded, and the same on every run."""
    add_tables(catalog)
    filler = f"coalesce({', '.join(['email'] * 150)})"
    texts = [f"insert into mart.mails (mail) select {filler} || {number} from raw.orders" for number in range(150)]
    assert not send(";\n".join(texts), settings).failures
    edge = catalog.edges()[ORDERS, MAILS]
    assert len(edge["sqlQuery"]) < 150_000
    assert len(edge["description"]) < 20_000
    assert len(entries(edge)["mail"][1] or "") < 20_000
    server.log.clear()
    assert not send(";\n".join(texts), settings).changed
    assert server.log.writes() == []


def test_the_order_of_the_input_does_not_count(
    catalog: Catalog, settings: OpenMetadataSettings, server: OpenMetadataServer
) -> None:
    add_tables(catalog)
    texts = [
        f"insert into mart.mails (id, mail) select {function}(id), {function}(email || {column}) from raw.orders"
        for function in ("upper", "lower", "trim")
        for column in ("day", "country", "amount")
    ]
    push([read(text) for text in texts], settings, source="t")
    server.log.clear()
    shuffled = random.Random(4)
    for _ in range(3):
        shuffled.shuffle(texts)
        push([read(text) for text in texts], settings, source="t")
        push([read(";".join(texts))], settings, source="t")
    assert list(map(str, server.log.writes())) == []


def test_wide_tables(catalog: Catalog, settings: OpenMetadataSettings) -> None:
    columns = [f"c{number}" for number in range(2000)]
    for table in "ab":
        catalog.table(SERVICE, "shop", "public", table, columns)
    listed = ", ".join(columns)
    assert not send(f"insert into b ({listed}) select {listed} from a", settings).failures
    ((_, found),) = catalog.mappings().items()
    assert found == {(column, column) for column in columns}


def test_no_more_requests_at_a_time_than_workers(
    catalog: Catalog, settings: OpenMetadataSettings, server: OpenMetadataServer
) -> None:
    for number in range(60):
        catalog.table(SERVICE, "shop", f"s{number % 7}", f"t{number}", ["x"])
    sql = ";".join(f"insert into s{n % 7}.t{n} (x) select x from s{(n - 1) % 7}.t{n - 1}" for n in range(1, 60))
    send(sql, settings.model_copy(update={"workers": 3}))
    assert len(catalog.edges()) == 59
    assert server.log.most_at_once <= 3
