"""A fleet in Chromium: from the form to its answer, what is refused, and back to the list."""

from __future__ import annotations

import re

from playwright.sync_api import expect

from tests.conftest import OpenPage
from tests.e2e.looks import assert_no_sideways_scrolling, assert_usable, assert_well_drawn


def test_from_the_form_to_the_answer(open_page: OpenPage) -> None:
    page = open_page("/fleet/new", bypass_csp=True)
    assert_usable(page, "light", "dark")
    rows = page.locator("#classes .fleet-row")
    page.get_by_role("button", name="Add a class").click()
    expect(rows).to_have_count(3)
    page.get_by_role("button", name="Remove class 3").click()
    expect(rows).to_have_count(2)
    page.locator("[id='days']").fill("4")
    page.get_by_label("Smallest fleet for the service level").uncheck()
    page.get_by_role("button", name="Run the fleet", exact=True).click()
    expect(page.locator(".sweep-count")).to_have_text(re.compile("^9 of 9"), timeout=120_000)
    expect(page.get_by_role("heading", name="Policies")).to_be_visible()
    assert_well_drawn(page)
    page.get_by_role("button", name="Copy as").click()
    expect(page.locator("#copy-as").get_by_role("button", name="Markdown")).to_be_visible()
    assert "name:" in str(page.locator("#copy-as").get_attribute("data-text"))
    page.keyboard.press("Escape")
    expect(page.locator("#copy-as")).to_be_hidden()
    assert_usable(page, "light", "dark")
    view = page.get_by_role("form", name="View")
    view.get_by_label("Policy").select_option("fifo")
    view.get_by_label("Placement at").select_option(index=3)
    view.get_by_role("button", name="Show").click()
    expect(page.get_by_role("heading", name="Waiting and placement")).to_be_visible()
    assert "policy=fifo" in page.url
    page.set_viewport_size({"width": 360, "height": 800})
    assert_no_sideways_scrolling(page)
    page.locator(".back a").click()
    page.wait_for_url("**/fleet")
    expect(page.get_by_role("table")).to_contain_text("A shared pod")
    assert_usable(page)
    assert_no_sideways_scrolling(page)
    page.get_by_role("table").get_by_role("link").first.click()
    page.get_by_role("button", name="Save the run").click()
    page.get_by_role("link", name="Use in a study").click()
    expect(page.locator("#fleet-used")).to_contain_text("from the fleet A shared pod, revision")
    page.get_by_role("button", name="Cancel").click()
    assert_usable(page, "light", "dark")
    assert_no_sideways_scrolling(page)


def test_a_trace_is_previewed_on_a_phone(open_page: OpenPage) -> None:
    page = open_page("/fleet/new", bypass_csp=True)
    page.set_viewport_size({"width": 360, "height": 800})
    assert_no_sideways_scrolling(page)
    page.get_by_label("Or its lines").fill("arrival_s,accelerators,duration_s\n0,4,60\n1,2,-3\n")
    page.get_by_role("button", name="Preview the trace").click()
    expect(page.locator("#preview")).to_contain_text("1 rows with errors")
    expect(page.locator("#bad-rows")).to_contain_text("Row 3")
    assert_usable(page, "light", "dark")
    assert_no_sideways_scrolling(page)
