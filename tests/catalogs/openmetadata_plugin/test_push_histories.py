"""Long histories of one edge: two sources of ours, another tool, a person and the ingestion of tables, in any order.

After every run of ours the edge has to hold what our sources say now, with the right functions, and everything that others
ever said of it and did not take back.
"""

from __future__ import annotations

import random
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from catalog import Catalog
from sending import read
from server import PERSON, OpenMetadataServer
from shop import MAILS, ORDERS, SERVICE, add_tables

from connector.catalogs.openmetadata import OpenMetadataSettings, push

_SOURCES = ["id", "day", "country", "amount", "quantity", "email"]
_TARGETS = ["id", "mail"]
_FUNCTIONS = ["", "upper", "lower", "trim"]

Ours = dict[tuple[str, str], str]
"""Function by source column and target column."""


@dataclass
class History:
    """What has been said of the edge."""

    catalog: Catalog
    server: OpenMetadataServer
    settings: OpenMetadataSettings
    choose: random.Random
    ours: dict[str, Ours] = field(default_factory=lambda: {"one": {}, "two": {}})
    theirs: set[tuple[str, str]] = field(default_factory=set)
    remarks: list[str] = field(default_factory=list)
    made_by_others: bool = False

    # --- what may happen --------------------------------------------------------------------------------------------

    def our_statements_change(self) -> None:
        name = self.choose.choice(["one", "two"])
        pairs = [(source, target) for source in _SOURCES for target in _TARGETS]
        chosen = self.choose.sample(pairs, self.choose.randint(1, 4))
        self.ours[name] = {pair: self.choose.choice(_FUNCTIONS) for pair in chosen}

    def our_statements_go(self) -> None:
        self.ours[self.choose.choice(["one", "two"])] = {}

    def a_tool_adds_columns(self) -> None:
        """As the sink of the ingestion package does it: a union, and all functions are gone."""
        edge = self._edge()
        known = {(column, entry["toColumn"]) for entry in edge["columnsLineage"] for column in entry["fromColumns"]}
        added = (self.choose.choice(_SOURCES), self.choose.choice(_TARGETS))
        full = (f"{ORDERS}.{added[0]}", f"{MAILS}.{added[1]}")
        if full in known:
            return
        self.theirs.add(added)
        columns = [{"fromColumns": [one], "toColumn": two} for one, two in sorted({*known, full})]
        self._put({**edge, "columnsLineage": columns})

    def a_person_writes_a_remark(self) -> None:
        edge = self._edge()
        self.remarks.append(f"remark {len(self.remarks)}.")
        self._put({**edge, "description": f"{self.remarks[-1]}\n\n{edge.get('description') or ''}".strip()})

    def a_column_goes_and_comes_back(self) -> None:
        column = self.choose.choice(_TARGETS)
        self.theirs = {pair for pair in self.theirs if pair[1] != column}
        for columns in ([name for name in _TARGETS if name != column], _TARGETS):
            self.catalog.table(SERVICE, "shop", "mart", "mails", columns)

    def somebody_deletes_the_edge(self) -> None:
        self.catalog.remove_edges()
        self.theirs, self.remarks, self.made_by_others = set(), [], False

    # --- what we do about it ----------------------------------------------------------------------------------------

    def run_ours(self) -> None:
        for name, ours in self.ours.items():
            statements = [
                f"insert into mart.mails ({target}) select {f'{function}({source})' if function else source} from raw.orders"
                for (source, target), function in ours.items()
            ]
            self.choose.shuffle(statements)
            lineages = [read(statement) for statement in statements]
            summary = push(lineages, self.settings, source=name, prune_if=lambda outdated: True)
            assert not summary.failures

    def check(self) -> None:
        wanted = self.theirs.union(*self.ours.values())
        found = self.catalog.mappings().get((ORDERS, MAILS))
        if not wanted and not self.remarks and not self.made_by_others:
            assert found is None
            return
        assert found == wanted
        edge = self.catalog.edges()[ORDERS, MAILS]
        for remark in self.remarks:
            assert remark in edge["description"]
        for name, ours in self.ours.items():
            assert (f'"source": "{name}"' in edge.get("description", "")) is bool(ours)
        for (source, target), function in {**self.ours["one"], **self.ours["two"]}.items():
            both = {ours.get((source, target)) for ours in self.ours.values()} - {None}
            if len(both) == 1 and function and (source, target) not in self.theirs:
                entries = [
                    entry
                    for entry in edge["columnsLineage"]
                    if f"{ORDERS}.{source}" in entry["fromColumns"] and entry["toColumn"] == f"{MAILS}.{target}"
                ]
                assert any(f"{function}({source})" in entry.get("function", "") for entry in entries)

    def _edge(self) -> dict[str, object]:
        known = self.catalog.edges().get((ORDERS, MAILS))
        if known is None:
            self.made_by_others = True
            return {"source": "Manual", "columnsLineage": []}
        return known

    def _put(self, details: dict[str, object]) -> None:
        ends = self.catalog.find("table", ORDERS), self.catalog.find("table", MAILS)
        self.catalog.edge(*ends, details, PERSON)


@pytest.mark.parametrize("seed", range(8))
def test_any_history(seed: int, catalog: Catalog, server: OpenMetadataServer, tmp_path: Path) -> None:
    add_tables(catalog)
    settings = OpenMetadataSettings(
        url=server.url, token=server.token(), state=tmp_path / "state.db", service=SERVICE, workers=1
    )
    history = History(catalog, server, settings, random.Random(seed))
    steps = [
        history.our_statements_change,
        history.our_statements_change,
        history.our_statements_go,
        history.a_tool_adds_columns,
        history.a_person_writes_a_remark,
        history.a_column_goes_and_comes_back,
        history.somebody_deletes_the_edge,
    ]
    done = []
    for _ in range(10):
        step = history.choose.choice(steps)
        done.append(step.__name__)
        step()
        history.run_ours()
        history.check()
        server.log.clear()
        history.run_ours()
        assert list(map(str, server.log.writes())) == [], done
        history.check()
