"""The networks tab in Chromium: networks are added, looked at, explained, and taken along to the studio."""

from __future__ import annotations

from playwright.sync_api import expect

from tests.conftest import OpenPage
from tests.e2e.looks import assert_no_sideways_scrolling, assert_usable, assert_well_drawn


def test_networks_are_added_and_explained(open_page: OpenPage) -> None:
    page = open_page("/fabric/llama_3_1_405b_on_2048_dgx_h100/networks", bypass_csp=True)
    table = page.get_by_role("region", name="Four networks, table")
    expect(table.get_by_text("Not built")).to_have_count(3)
    page.get_by_role("link", name="all").click()
    expect(table.get_by_text("Not built")).to_have_count(0)
    expect(table).to_contain_text("SN2201")
    assert_well_drawn(page)
    assert_usable(page, "light", "dark")
    page.set_viewport_size({"width": 360, "height": 800})
    assert_no_sideways_scrolling(page)
    page.set_viewport_size({"width": 1280, "height": 800})
    page.get_by_role("link", name="Overview", exact=True).click()
    control = page.locator('.field[data-path="pod.networks.storage.carried_by"]')
    expect(control.locator("input:checked")).to_have_value("own")
