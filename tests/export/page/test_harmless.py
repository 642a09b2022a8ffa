"""Names and SQL that would like to be more than text. The fixture fails a test in which anything of it runs."""

from __future__ import annotations

import base64
import hashlib
import re

from looking import card, choose_wire, row
from playwright.sync_api import expect

from connector import analyze
from connector.export.page import server_page

EVIL = "</script><script>alert(1)</script><img src=x onerror=alert(2)>"
SCRIPT = f"""insert into "{EVIL}" ("<svg onload=alert(3)>")
select "<b>{{{{data}}}}</b>" from "<!--" where x = '{EVIL}' and y = '\u2028';
select from <script>alert(4)</script>;
"""


def test_markup_in_names_and_sql_is_text(open_sql):
    page = open_sql(SCRIPT, level="complete")
    expect(page.get_by_label("SQL text")).to_have_value(SCRIPT)
    names = page.evaluate(
        "[...document.querySelectorAll('#picture .card-box')].map(box => box.getAttribute('aria-label'))"
    )
    assert any(EVIL in name for name in names)
    row(page, "<!--", "<b>{{data}}</b>").click()
    expect(page.locator("#details h2")).to_have_text("<b>{{data}}</b>")
    expect(page.locator("#details")).to_contain_text("<svg onload=alert(3)>")
    card(page, "<!--").hover()
    choose_wire(page, "fdd")
    page.get_by_role("radio", name="List").click()
    page.get_by_role("combobox", name="Find a table or column").fill("<img")
    expect(page.locator("#search-results")).to_contain_text(EVIL)
    made = page.evaluate("document.querySelectorAll('img, b, script, svg[onload]').length")
    assert made == 3
    assert page.evaluate("document.scripts.length") == 3


def test_the_policy_lets_nothing_else_run(browser, tmp_path):
    """Even if text of the data became elements, the browser would not run it."""
    file = tmp_path / "page.html"
    file.write_text(analyze("create view v as select a from t").render("html", "column"), encoding="utf-8")
    context = browser.new_context()
    page = context.new_page()
    page.goto(file.as_uri())
    ran, refused = page.evaluate(
        """async () => {
            const refused = new Set();
            document.addEventListener('securitypolicyviolation', event => refused.add(event.effectiveDirective));
            const script = document.createElement('script');
            script.textContent = 'window.ran = 1';
            const box = document.createElement('div');
            box.innerHTML = '<img src="data:x" onerror="window.ran = 2"><b style="color: red">x</b>';
            document.body.append(script, box);
            await fetch('https://example.org/').catch(() => {});
            while (refused.size < 4) await new Promise(requestAnimationFrame);
            return [window.ran ?? null, [...refused].sort()];
        }"""
    )
    context.close()
    assert ran is None
    assert refused == ["connect-src", "script-src-attr", "script-src-elem", "style-src-attr"]


def test_the_policy_names_what_is_there():
    html = analyze("create view v as select a from t").render("html", "column")
    policy = re.search(r'Content-Security-Policy" content="([^"]+)"', html)[1].replace("&#x27;", "'")
    style = re.search(r"<style>(.*?)</style>", html, re.S)[1]
    script = re.findall(r"<script>(.*?)</script>", html, re.S)
    assert len(script) == 1
    for text in (style, script[0]):
        assert f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'" in policy
    assert "default-src 'none'" in policy
    assert "connect-src 'none'" in policy
    assert "unsafe" not in policy.replace("'wasm-unsafe-eval'", "")
    assert " style=" not in html.replace(style, "").replace(script[0], "")


def test_the_page_of_the_server_asks_the_server_only():
    page = server_page()
    assert "connect-src 'self'" in page.content_security_policy
    assert "frame-ancestors 'none'" in page.content_security_policy
    assert page is server_page()


def test_it_works_without_a_network():
    html = analyze("create view v as select a from t").render("html", "column")
    outside = set(re.findall(r'(?:src|href)="([^"]*)"', html)) - {"#list", "data:,"}
    assert outside == set()
    assert "@license" in html or "Permission is hereby granted" in html
