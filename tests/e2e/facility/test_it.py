"""IT power in a browser: drawn in both looks and narrow, and a ramp limit of one's own."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.conftest import OpenPage
from tests.e2e.looks import assert_usable, assert_well_drawn

IT = "/facility/llama_3_1_405b_on_2048_dgx_h100/it"


@pytest.mark.parametrize("width", [1280, 360])
def test_it_power_in_every_look(open_page: OpenPage, width: int) -> None:
    page = open_page(IT, width=width, bypass_csp=True)
    assert_well_drawn(page)
    assert_usable(page, "light", "dark")
    page.locator("#section").get_by_label("Ramp limit of the feed, kW/s").fill("20")
    expect(page.locator("#figure-power_swing")).to_contain_text("per second")
    expect(page.locator("#section").get_by_label("Ramp limit of the feed, kW/s")).to_have_value("20")
