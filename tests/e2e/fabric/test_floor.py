"""The floor in a browser: drawn in both looks, opened by a click, and a rack asked for by its name."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.conftest import OpenPage
from tests.e2e.looks import assert_usable, assert_well_drawn, click_mark, draw_all

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
    page.locator('input[name="rack"]').fill("R01-05")
    page.locator("#section").get_by_role("combobox", name="Colour").select_option("air_heat")
    page.locator('input[name="rack"]').press("Enter")
    expect(page.locator("#figure-rack_elevation h3")).to_contain_text("8 QM9700")
    expect(page.locator("#figure-floor_plan .eyebrow")).to_have_text("Floor plan, heat to air by rack")


def test_the_plan_has_halls_aisles_and_power_rooms_and_opens_a_rack_by_a_click(open_page: OpenPage) -> None:
    page = open_page("/fabric/llama_3_1_405b_on_gb200_nvl72/floor")
    draw_all(page)
    figure = page.locator("#figure-floor_plan")
    for words in ("Hall", "Power room A", "CDUs"):
        expect(figure.locator(".plot-frame .annotation", has_text=words).first).to_be_visible()
    for words in ("SuperNodes 64 racks", "Switches 29 racks", "Hot aisle", "CDUs 7"):
        expect(figure.locator(".chart-legend")).to_contain_text(words)
    page.locator("#figure-floor_plan .plot-frame .plot").scroll_into_view_if_needed()
    point = page.evaluate(
        """() => {
          const plot = document.querySelector('#figure-floor_plan .plot-frame .plot');
          const { xaxis, yaxis } = plot._fullLayout;
          const trace = plot.data.find(({ meta }) => meta === 'choosable');
          const { left, top } = plot.getBoundingClientRect();
          return [left + xaxis._offset + xaxis.d2p(trace.x[5]), top + yaxis._offset + yaxis.d2p(trace.y[5])];
        }"""
    )
    click_mark(page, "#figure-floor_plan .plot-frame .plot", *point)
    expect(figure.locator(".detail h4")).to_have_text("Rack R01-06")
    expect(figure.locator(".detail .fact-list")).to_contain_text("Rated power")
