"""The carbon of a run in a browser: drawn in both looks, and a site and a share of clean energy put in."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.browser import Watch
from tests.conftest import OpenPage
from tests.e2e.looks import assert_usable, assert_well_drawn

CARBON = "/economics/edge_node/carbon"


@pytest.mark.parametrize("width", [1280, 360])
def test_the_carbon_in_every_look(open_page: OpenPage, width: int) -> None:
    page = open_page(CARBON, width=width, bypass_csp=True)
    assert_well_drawn(page)
    assert_usable(page, "light", "dark")


def test_a_share_is_put_right_and_a_site_chosen(open_page: OpenPage, watch: Watch) -> None:
    page = open_page(CARBON)
    page.locator("#section").get_by_label("Contracted clean energy").fill("150")
    page.locator("#section").get_by_label("Embodied carbon of the building").fill("2000")
    expect(page.locator("#facility-clean-energy-share-error")).to_contain_text("at most 1")
    watch.forgive("422")
    page.locator("#section").get_by_label("Contracted clean energy").fill("50")
    page.locator("#section").get_by_label("Site", exact=True).select_option("paris")
    expect(page.get_by_text("Grid of Paris")).to_be_visible()
    expect(page.locator("#section").get_by_label("Embodied carbon of the building")).to_have_value("2000")
    expect(page.get_by_role("rowheader", name="Contracts, by the year")).to_be_visible()
