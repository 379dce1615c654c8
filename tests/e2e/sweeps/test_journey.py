"""A sweep in Chromium: from the studio through the form to its results, and back into the studio."""

from __future__ import annotations

import re

from playwright.sync_api import expect

from tests.conftest import OpenPage
from tests.e2e.looks import assert_no_sideways_scrolling, assert_usable, assert_well_drawn


def test_from_the_studio_to_results_and_back(open_page: OpenPage) -> None:
    page = open_page("/designs/edge_node", bypass_csp=True)
    name = page.locator('.field[data-path="name"] input')
    name.fill("Not saved yet")
    expect(page.get_by_role("heading", level=1)).to_have_text("Not saved yet")
    page.get_by_role("link", name="Sweep over values").click()
    expect(page.locator(".back")).to_have_text("Not saved yet")
    assert_usable(page, "light", "dark")
    page.get_by_label("Field").nth(0).select_option("economics.wacc")
    page.locator("#from1").fill("2")
    page.locator("#to1").fill("20")
    page.get_by_label("Field").nth(1).select_option("facility.coolant_supply_c")
    page.locator("#from2").fill("20")
    page.locator("#to2").fill("44")
    page.locator("#steps2").fill("12")
    page.get_by_role("button", name="Start the sweep").click()
    # progress goes on by itself, and results come when it is over
    expect(page.locator(".sweep-count")).to_have_text(re.compile("^240 of 240 designs"))
    expect(page.get_by_role("heading", name="Best designs")).to_be_visible()
    assert_well_drawn(page)
    assert_usable(page, "light", "dark")
    page.set_viewport_size({"width": 360, "height": 800})
    assert_no_sideways_scrolling(page)
    page.get_by_role("link", name="Sweeps").first.click()
    page.wait_for_url("**/sweeps")
    expect(page.get_by_role("table")).to_contain_text("Not saved yet")
    assert_usable(page)
    page.get_by_role("table").get_by_role("link", name="Not saved yet").first.click()
    expect(page.get_by_role("heading", name="Best designs")).to_be_visible()
    page.get_by_role("link", name=re.compile("^Open")).first.click()
    page.wait_for_url("**/designs/new-*")
    expect(page.get_by_role("heading", level=1)).to_have_text("Not saved yet")
    wacc = page.locator('.field[data-path="economics.wacc"] input[type="text"]')
    expect(wacc).to_have_value("2")
