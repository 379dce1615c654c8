"""Sizes and growth in Chromium: in every look, and topologies and stages that are chosen."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.conftest import OpenPage
from tests.e2e.looks import assert_usable, assert_well_drawn, draw_all

DESIGN = "/fabric/llama_3_1_405b_on_2048_dgx_h100"


@pytest.mark.parametrize("width", [1280, 360])
def test_sizes_in_every_look(open_page: OpenPage, width: int) -> None:
    page = open_page(f"{DESIGN}/sizes", width=width, bypass_csp=True)
    assert_well_drawn(page)
    assert_usable(page, "light", "dark")


@pytest.mark.parametrize("width", [1280, 360])
def test_growth_in_every_look(open_page: OpenPage, width: int) -> None:
    page = open_page(f"{DESIGN}/growth", width=width, bypass_csp=True)
    assert_well_drawn(page)
    assert_usable(page, "light", "dark")


def test_other_topologies_then_other_stages(open_page: OpenPage) -> None:
    page = open_page(f"{DESIGN}/sizes")
    draw_all(page)
    page.locator("#section").get_by_label("Dragonfly+").check()
    page.locator("#section").get_by_label("Fat tree by rack").uncheck()
    expect(page.locator("#section").get_by_label("Dragonfly+")).to_be_checked()
    expect(page.locator("#section").get_by_label("Fat tree by rack")).not_to_be_checked()
    draw_all(page)
    page.get_by_role("link", name="Expansion").click()
    page.locator("#section").get_by_role("textbox", name="Stages").fill("128, 256")
    expect(page.locator("#section").get_by_role("textbox", name="Stages")).to_have_value("128, 256")
    expect(page.get_by_role("heading", name="Laid out for the final size")).to_be_visible()
