"""The parts and the sizes of a SuperNode in Chromium: in every look, and in the studio as its size is changed."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.conftest import OpenPage
from tests.e2e.looks import assert_usable, assert_well_drawn

DESIGN = "llama_3_1_405b_on_gb200_nvl72"
COST = "#figure-supernode_size_cost"


@pytest.mark.parametrize("width", [1280, 360])
def test_the_supernode_in_every_look(open_page: OpenPage, width: int) -> None:
    page = open_page(f"/fabric/{DESIGN}/supernode", width=width, bypass_csp=True)
    page.locator("#supernode-sizes").scroll_into_view_if_needed()
    expect(page.locator(f"{COST} .plot")).to_have_attribute("data-drawn", "true", timeout=60_000)
    assert page.locator("figure.chart").count() == 4
    assert_well_drawn(page)
    assert_usable(page, "light", "dark")


@pytest.mark.slow
def test_another_size_moves_price_and_power(open_page: OpenPage) -> None:
    page = open_page(f"/designs/{DESIGN}")
    size = page.locator("#inputs").get_by_label("Accelerators per SuperNode", exact=False).first
    size.fill("144")
    size.press("Enter")
    page.locator("#supernode-sizes").scroll_into_view_if_needed()
    expect(page.locator(COST)).to_contain_text("This design pays", ignore_case=True, timeout=60_000)
