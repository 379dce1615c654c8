"""A team's own values in a browser: a price overridden, its source in the explanation, a bad file looked at."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import expect

from tests.browser import Watch
from tests.conftest import OpenPage
from tests.e2e.looks import assert_usable

BAD = (
    "key,part_key,item,unit,condition,typical,source,as_of,value_kind\n"
    "our_rack,dgx_h10,Our rack,USD/systm,quote,-1,,2026-13,guess\n"
)
EXPLAIN = "/designs/new/explain/cost.capex_usd"
PRICE = "/catalog/prices/dgx_h100"


@pytest.fixture
def nothing_left(open_page: OpenPage) -> Iterator[None]:
    """Rows of the personal workspace count for every other test as well."""
    yield
    page = open_page("/catalog")
    page.request.delete("/api/v1/catalog/prices/dgx_h100", headers={"if-match": "*"})


def test_a_price_of_ones_own(open_page: OpenPage, watch: Watch, nothing_left: None) -> None:
    page = open_page(EXPLAIN, bypass_csp=True)
    before = page.locator(".put-in").first.text_content()
    page.goto(PRICE)
    page.get_by_role("link", name="Override values").click()
    assert_usable(page, "light", "dark")
    page.get_by_label("Value, typical").fill("200000")
    page.get_by_role("button", name="Save").click()
    expect(page.get_by_text("source is missing")).to_be_visible()
    watch.forgive("422")
    page.get_by_label("Source", exact=False).first.fill("Quote 4711")
    page.get_by_label("As of").fill("2026-11")
    page.get_by_label("Kind of value").select_option("vendor")
    page.get_by_role("button", name="Save").click()
    page.wait_for_url(f"**{PRICE}")
    expect(page.get_by_text("Your own").first).to_be_visible()
    assert_usable(page, "light")
    page.goto(EXPLAIN)
    page.evaluate("document.querySelectorAll('details').forEach((part) => { part.open = true; })")
    expect(page.get_by_text("Quote 4711").first).to_be_visible()
    expect(page.locator(".tree").get_by_text("Your own").first).to_be_visible()
    assert page.locator(".put-in").first.text_content() != before


def test_a_bad_file_is_looked_at(open_page: OpenPage) -> None:
    page = open_page("/catalog/own/import", bypass_csp=True)
    assert_usable(page, "light")
    page.get_by_label("CSV file or Excel workbook").set_input_files(
        {"name": "prices.csv", "mimeType": "text/csv", "buffer": BAD.encode()}
    )
    page.get_by_role("button", name="Preview").click()
    expect(page.get_by_text("0 added, 0 changed, 0 the same, 1 refused")).to_be_visible()
    expect(page.get_by_text("unknown unit")).to_be_visible()
    expect(page.get_by_text("There is nothing to write.")).to_be_visible()
    assert_usable(page, "light", "dark")
    page.set_viewport_size({"width": 360, "height": 740})
    assert_usable(page, "light")
    page.goto("/catalog/own")
    expect(page.get_by_text("There are no own rows yet.")).to_be_visible()
    assert_usable(page, "dark")
