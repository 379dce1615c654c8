"""The hours of a design in a browser: drawn in both looks, filled more slowly, and a figure explained."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.conftest import OpenPage
from tests.e2e.looks import assert_usable, assert_well_drawn

HOURS = "/facility/llama_3_1_405b_on_2048_dgx_h100/hours"


@pytest.mark.parametrize("width", [1280, 360])
def test_the_year_in_every_look(open_page: OpenPage, width: int) -> None:
    page = open_page(HOURS, width=width, bypass_csp=True)
    assert_well_drawn(page)
    assert_usable(page, "light", "dark")


def test_a_slower_ramp_and_where_a_figure_comes_from(open_page: OpenPage) -> None:
    page = open_page(HOURS)
    page.locator("#section").get_by_label("Months to full load").fill("24")
    expect(page.locator("#figure-part_load h3")).to_contain_text("filled evenly over 24 months")
    page.get_by_role("link", name="CUE, location based").click()
    expect(page.get_by_text("Carbon usage effectiveness").first).to_be_visible()
