"""Units are chosen by keyboard, and charts, labels and pages follow."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.conftest import OpenPage
from tests.e2e.looks import assert_usable, draw_all
from tests.e2e.navigation import follow_menu

pytestmark = pytest.mark.browser


@pytest.mark.parametrize("width", [1280, 360])
def test_the_page_is_usable_in_every_look(open_page: OpenPage, width: int) -> None:
    assert_usable(open_page("/units?saved=true", width=width, bypass_csp=True), "light", "dark")


def test_bits_and_fahrenheit_are_chosen_by_keyboard(open_page: OpenPage) -> None:
    page = open_page("/claims")
    follow_menu(page, "Help", "Units")
    page.get_by_role("radio", name="Bytes per second").focus()
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Tab")
    page.keyboard.press("Tab")
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    expect(page.get_by_role("status").first).to_have_text("Saved in this browser.")
    page.goto("/facility/llama_3_1_405b_on_2048_dgx_h100/hours")
    weather = page.locator("#figure-weather_duration")
    draw_all(page)
    assert "\u00b0F" in page.evaluate(
        "JSON.stringify(document.querySelector('#figure-weather_duration .plot-frame .plot').layout)"
    )
    expect(weather).to_contain_text("\u00b0F")
    page.goto("/designs/edge_node")
    expect(page.locator("#figure-bandwidth")).to_contain_text("bit/s")
