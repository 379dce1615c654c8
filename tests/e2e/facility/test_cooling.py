"""The cooling of a design in a browser: drawn in both looks, with a tank that is and one that cannot be."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.browser import Watch
from tests.conftest import OpenPage
from tests.e2e.looks import assert_usable, assert_well_drawn

COOLING = "/facility/llama_3_1_405b_on_gb200_nvl72/cooling"


@pytest.mark.parametrize("width", [1280, 360])
def test_loops_and_plants_in_every_look(open_page: OpenPage, width: int) -> None:
    page = open_page(COOLING, width=width, bypass_csp=True)
    assert_well_drawn(page)
    assert_usable(page, "light", "dark")
    expect(page.get_by_role("region", name="Plants, table")).to_contain_text("This design")


def test_a_tank_buys_the_time_that_chillers_need(open_page: OpenPage, watch: Watch) -> None:
    page = open_page(COOLING)
    lost = page.get_by_role("region", name="Thermal ride-through, table")
    expect(lost).to_contain_text("of cold water, or chillers on the UPS")
    page.locator("#section").get_by_label("Tank of cold water, m³").fill("a pond")
    expect(page.locator("#section").get_by_label("Tank of cold water, m³")).to_have_value("a pond")
    expect(page.locator("#tank-fault")).to_be_visible()
    watch.forgive("422")
    page.locator("#section").get_by_label("Tank of cold water, m³").fill("40")
    row = lost.get_by_role("row", name="Heat rejection stops")
    expect(row).to_contain_text("Passes")
