"""The bill in Chromium: in every look, and lengths that are taken over."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.conftest import OpenPage
from tests.e2e.looks import assert_usable, assert_well_drawn, draw_all

BILL = "/fabric/llama_3_1_405b_on_2048_dgx_h100/bill"


@pytest.mark.parametrize("width", [1280, 360])
def test_the_bill_in_every_look(open_page: OpenPage, width: int) -> None:
    page = open_page(f"{BILL}?patched_from_m=30", width=width, bypass_csp=True)
    assert_well_drawn(page)
    assert_usable(page, "light", "dark")


def test_from_the_bill_to_other_lengths(open_page: OpenPage) -> None:
    page = open_page(BILL)
    draw_all(page)
    page.locator("#section").get_by_label("Lengths of cables").select_option("assumed")
    expect(page.locator("#section").get_by_label("Lengths of cables")).to_have_value("assumed")
    page.get_by_role("link", name="Assume the lengths of the floor plan").click()
    expect(page.get_by_text("The evaluation assumes the mean lengths of the floor plan.")).to_be_visible()
