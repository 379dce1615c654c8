"""Ladders in Chromium: in every look, and a system that is chosen beside the design."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.conftest import OpenPage
from tests.e2e.looks import assert_usable, assert_well_drawn, draw_all

BANDWIDTH = "/fabric/llama_3_1_405b_on_2048_dgx_h100/bandwidth"


@pytest.mark.parametrize("width", [1280, 360])
def test_ladders_in_every_look(open_page: OpenPage, width: int) -> None:
    page = open_page(f"{BANDWIDTH}?with=gb200_nvl72&with=tpu_v5p_pod", width=width, bypass_csp=True)
    draw_all(page)
    assert_well_drawn(page)
    assert_usable(page, "light", "dark")


def test_a_system_is_put_beside_the_design(open_page: OpenPage) -> None:
    page = open_page(BANDWIDTH)
    draw_all(page)
    field = page.locator("#section").get_by_role("combobox", name="System 1 to compare with")
    expect(field).to_have_attribute("placeholder", "Compare with a system")
    field.fill("CloudMatrix384 / Atlas 900 A3 SuperPoD")
    field.press("Enter")
    expect(page.locator("#section").get_by_role("combobox", name="System 1 to compare with")).to_have_value(
        "CloudMatrix384 / Atlas 900 A3 SuperPoD"
    )
    expect(page.locator("#section").get_by_role("combobox", name="System 2 to compare with")).to_have_value(
        ""
    )
    expect(page.get_by_role("columnheader", name="CloudMatrix384")).to_be_visible()
    expect(page.locator("#figure-bandwidth_ladders .plot")).to_contain_text("7.8× less")
