"""What tests do with the page and read from it, in one place."""

from __future__ import annotations

import re
from typing import Any

from playwright.sync_api import Locator, Page, expect


def settle(page: Page) -> None:
    """Two frames: what was asked for is drawn."""
    page.evaluate("new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))")


def card(page: Page, title: str) -> Locator:
    """A card by the last part of its name."""
    written = re.escape(title).replace("/", r"\/")
    name = re.compile(rf"(^|[ .]){written}(@[^,]*)?(,|$)")
    return page.locator("#picture [data-card]").filter(has=page.get_by_role("button", name=name))


def box(page: Page, title: str) -> Locator:
    """What has the focus when the card has."""
    return card(page, title).locator(".card-box")


def row(page: Page, table: str, column: str) -> Locator:
    return card(page, table).locator(".row").filter(has=page.get_by_text(column, exact=True))


def point_of_wire(page: Page, type_: str, at: int = 0) -> tuple[float, float]:
    """A place on a line at which no other line lies above it."""
    x, y = page.evaluate(
        """([type, at]) => {
            const line = document.querySelectorAll(`#picture .wire.type-${type}`)[at];
            const path = line.querySelector('.wire-line');
            const length = path.getTotalLength();
            for (let part = 2; part <= 18; part += 1) {
                const point = path.getPointAtLength((length * part) / 20).matrixTransform(path.getScreenCTM());
                if (line.contains(document.elementFromPoint(point.x, point.y))) return [point.x, point.y];
            }
            throw new Error(`No place on the line ${type} ${at} can be pointed at.`);
        }""",
        [type_, at],
    )
    return x, y


def choose_wire(page: Page, type_: str, at: int = 0) -> None:
    page.mouse.click(*point_of_wire(page, type_, at))


def search(page: Page, text: str) -> None:
    """Type into the search box and take the first of what is found."""
    page.get_by_role("combobox", name="Find a table or column").fill(text)
    page.keyboard.press("Enter")


def lit_columns(page: Page) -> set[str]:
    """``table.column`` of all lit rows."""
    found: list[str] = page.evaluate(
        """[...document.querySelectorAll('#picture .row.lit')].map(row => {
            const title = row.closest('.card').querySelector('.card-title').textContent;
            return `${title}.${row.querySelector('.row-label').textContent}`;
        })"""
    )
    return set(found)


def lit_cards(page: Page) -> set[str]:
    found: list[str] = page.evaluate(
        """[...document.querySelectorAll('#picture .card.lit')].map(card =>
            [...card.querySelectorAll('.card-title, .card-process, .card-large')].map(t => t.textContent).join(''))"""
    )
    return set(found)


def titles(page: Page) -> set[str]:
    """The titles of all cards that are drawn, once those that are known have been drawn."""
    wait_until(page, "lineagePage.scene().cards === 0 || document.querySelector('#picture .card') !== null")
    settle(page)
    found: list[str] = page.evaluate(
        """[...document.querySelectorAll('#picture .card')].map(card =>
            [...card.querySelectorAll('.card-title, .card-process, .card-large')].map(t => t.textContent).join(''))"""
    )
    return set(found)


def transform(page: Page) -> tuple[float, float, float]:
    """Where the picture stands and how large it is."""
    text = page.locator("#picture .world").get_attribute("transform") or ""
    x, y, zoom = (float(number) for number in re.findall(r"-?\d+(?:\.\d+)?(?:e-?\d+)?", text))
    return x, y, zoom


def switch(page: Page, label: str, on: bool) -> None:
    """Turn a switch of the menu on or off."""
    menu = page.locator("#show-menu")
    if menu.is_hidden():
        page.get_by_role("button", name=re.compile("^Show")).click()
    page.get_by_role("checkbox", name=re.compile(f"^{label}")).set_checked(on)
    page.keyboard.press("Escape")
    expect(menu).to_be_hidden()


def wait_until(page: Page, condition: str) -> None:
    """Until a condition holds. The browser must not evaluate text on this page, so it is asked from outside."""
    page.evaluate(
        f"new Promise(done => {{ const look = () => {condition} ? done() : requestAnimationFrame(look); look(); }})"
    )


def level(page: Page, name: str) -> None:
    page.get_by_role("radiogroup", name="Level").get_by_role("radio", name=name).click()


def state(page: Page) -> dict[str, Any]:
    found: dict[str, Any] = page.evaluate("lineagePage.state()")
    return found
