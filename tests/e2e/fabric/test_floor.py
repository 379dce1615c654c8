"""The floor in a browser: drawn in both looks, opened by a click, and a rack asked for by its name."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.conftest import OpenPage
from tests.e2e.looks import assert_usable, assert_well_drawn, draw_all

FLOOR = "/fabric/llama_3_1_405b_on_2048_dgx_h100/floor"


@pytest.mark.parametrize("width", [1280, 360])
def test_the_floor_in_every_look(open_page: OpenPage, width: int) -> None:
    page = open_page(f"{FLOOR}?rack=R01-05", width=width, bypass_csp=True)
    assert_well_drawn(page)
    assert_usable(page, "light", "dark")


def test_from_the_plan_to_a_rack(open_page: OpenPage) -> None:
    page = open_page(FLOOR)
    draw_all(page)
    detail = page.locator("#figure-floor_plan .detail")
    expect(detail.locator("h4")).to_have_text("Rack R01-01")
    detail.get_by_role("button", name="Next").click()
    expect(detail.locator("h4")).to_have_text("Rack R01-02")
    page.get_by_label("Rack", exact=False).first.fill("R01-05")
    page.get_by_role("combobox", name="Colour").select_option("air_heat")
    page.get_by_role("button", name="Show").click()
    expect(page.locator("#figure-rack_elevation h3")).to_contain_text("8 QM9700")
    expect(page.locator("#figure-floor_plan .eyebrow")).to_have_text("Floor plan, heat to air by rack")
