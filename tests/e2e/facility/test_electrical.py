"""The electrical chain in a browser: drawn in both looks, a block lost by its link, and sizes by another standard."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.conftest import OpenPage
from tests.e2e.looks import assert_usable, assert_well_drawn, draw_all

ELECTRICAL = "/facility/llama_3_1_405b_on_2048_dgx_h100/electrical"


@pytest.mark.parametrize("width", [1280, 360])
def test_the_chain_in_every_look(open_page: OpenPage, width: int) -> None:
    page = open_page(f"{ELECTRICAL}?lost=ups", width=width, bypass_csp=True)
    assert_well_drawn(page)
    assert_usable(page, "light", "dark")


def test_from_the_table_to_a_lost_block(open_page: OpenPage) -> None:
    page = open_page(ELECTRICAL)
    draw_all(page)
    expect(page.locator("#figure-single_line h3")).to_contain_text("Two paths")
    page.get_by_role("region", name="N-1 analysis, table").get_by_role("link", name="MV transformer").click()
    expect(page.locator("#figure-single_line h3")).to_contain_text("With one MV transformer lost")
    page.locator("#section").get_by_role("combobox", name="Breakers").select_option("iec")
    page.locator("#section").get_by_role("combobox", name="Sized on").select_option("peak")
    feeds = page.get_by_role("region", name="Blocks, table").get_by_role("row", name="Rack feed")
    expect(feeds).to_contain_text("63")
    expect(page.locator("#figure-single_line h3")).to_contain_text("With one MV transformer lost")
