"""Searching the layouts of a served model, in Chromium, against the real server."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect

from tests.conftest import OpenPage
from tests.e2e.looks import assert_no_sideways_scrolling, assert_usable, click_mark, draw_all

KEY = "deepseek_r1_on_8_h200"
FIRST_POINT = """(name) => {
  const plot = document.querySelector(name);
  const { left, top } = plot.getBoundingClientRect();
  const { _fullLayout: { xaxis, yaxis }, _fullData: [{ x, y }] } = plot;
  return [left + xaxis._offset + xaxis.d2p(x[0]), top + yaxis._offset + yaxis.d2p(y[0])];
}"""
PLOT = "#figure-serving_pareto .plot-frame .plot"


def test_a_point_of_the_front_is_adopted(open_page: OpenPage) -> None:
    page = open_page(f"/explore/{KEY}")
    expect(page.locator("#headline")).to_have_text(re.compile(r"^\d+ of \d+ layouts hold a request$"))
    draw_all(page)  # a chart above that is still to be drawn would move it
    page.locator(PLOT).scroll_into_view_if_needed()
    x, y = page.evaluate(FIRST_POINT, PLOT)
    click_mark(page, PLOT, x, y)
    page.wait_for_url(f"**/designs/{KEY}?s=*")
    page.go_back()
    expect(page.locator("#headline")).to_be_visible()
    # and by keyboard, from the table
    page.get_by_role("button", name=re.compile("^Adopt")).first.focus()
    page.keyboard.press("Enter")
    page.wait_for_url(f"**/designs/{KEY}?s=*")


def test_options_are_chosen_and_kept(open_page: OpenPage) -> None:
    page = open_page(f"/explore/{KEY}")
    expect(page.locator("#headline")).to_be_visible()
    page.get_by_label("Power at the meter").fill("20")
    page.get_by_role("radio", name="Aggregated").check()
    page.get_by_role("complementary", name="Options of the search").get_by_role(
        "button", name="Search"
    ).click()
    expect(page.locator("td.words", has_text=re.compile("Within 20.0.kW"))).to_be_visible()
    expect(page.get_by_label("Power at the meter")).to_have_value("20")
    expect(page).to_have_url(re.compile("mode=aggregated"))


@pytest.mark.slow
def test_the_page_is_usable_in_both_themes_and_on_a_phone(open_page: OpenPage) -> None:
    page = open_page(f"/explore/{KEY}?system=dgx_b200&precision=nvfp4&power_limit_kw=20", bypass_csp=True)
    expect(page.locator("#headline")).to_be_visible()
    page.locator("#supernode-buys").scroll_into_view_if_needed()
    expect(page.locator("#figure-domain_sizes .plot")).to_have_attribute("data-drawn", "true", timeout=60_000)
    assert draw_all(page) == 2
    frames = page.locator(".table-frame").evaluate_all(
        "all => all.map(one => one.scrollWidth - one.clientWidth)"
    )
    assert max(frames) <= 0  # at 1280 no table hides a column
    assert_usable(page, "light", "dark")
    page.set_viewport_size({"width": 360, "height": 800})
    assert_no_sideways_scrolling(page)
