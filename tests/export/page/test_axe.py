"""What axe finds: nothing, in any state that people meet, light and dark."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from axe_playwright_python.sync_playwright import Axe
from looking import choose_wire, level, search, settle
from playwright.sync_api import Page

OPTIONS = {"rules": {"label-content-name-mismatch": {"enabled": True}}}


def menu(name: str) -> Callable[[Page], None]:
    return lambda page: page.locator(f"#{name}-button").click()


STATES: dict[str, Callable[[Page], None]] = {
    "open": lambda page: None,
    "searching": lambda page: page.locator("#search").fill("monthly"),
    "a column": lambda page: search(page, "monthly revenue_eur"),
    "a join": lambda page: choose_wire(page, "join"),
    "the list": lambda page: page.keyboard.press("l"),
    "the summary": lambda page: page.locator("[data-view=summary]").click(),
    "the text": lambda page: page.locator("[data-view=text]").click(),
    "every step": lambda page: level(page, "Every step"),
    "switches": menu("show"),
    "filters": menu("filter"),
    "files": menu("export"),
    "help": menu("help"),
}


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("name", STATES)
def test_axe_finds_nothing(open_page, warehouse_file, name, scheme):
    page = open_page(warehouse_file, scheme=scheme)
    STATES[name](page)
    settle(page)
    found = Axe().run(page, options=OPTIONS)
    assert [(each["id"], each["nodes"][0]["html"]) for each in found.response["violations"]] == []
