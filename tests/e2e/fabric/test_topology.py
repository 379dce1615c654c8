"""The topology tab in Chromium: from the studio to a torus, down to a node, and to another topology."""

from __future__ import annotations

import re

from playwright.sync_api import expect

from tests.conftest import OpenPage
from tests.e2e.looks import assert_no_sideways_scrolling, assert_usable, assert_well_drawn


def test_from_the_studio_to_a_node_of_a_torus_and_back(open_page: OpenPage) -> None:
    page = open_page("/designs/gpt_3_175b_on_128_dgx_a100", bypass_csp=True)
    page.get_by_text("Fabric details").click()
    shape = page.locator('.field[data-path="pod.fabric.shape"] input')
    shape.fill("8 x 16")
    page.get_by_role("link", name="Fabric in detail").click()
    page.wait_for_url("**/topology?s=*")
    page.get_by_role("link", name="2D torus").click()
    page.wait_for_url("**/designs/*?s=*")
    expect(page.locator('.field[data-path="pod.fabric.topology"]')).to_contain_text("2D torus")
    page.get_by_role("link", name="Fabric in detail").click()
    page.wait_for_url("**/topology?s=*")
    chart = page.locator("#figure-topology")
    expect(chart).to_contain_text("A 2D torus of 8 × 16")
    assert_well_drawn(page)
    detail = chart.locator(".detail")
    expect(detail.locator("h4")).to_have_text("Node 1")
    detail.get_by_role("button", name="Next").click()
    expect(detail.locator("h4")).to_have_text("Node 2")
    expect(detail).to_contain_text("place 1, 2")
    assert_usable(page, "light", "dark")
    page.get_by_role("link", name=re.compile("^Bisection")).click()
    page.wait_for_url("**/explain/**")
    expect(page.get_by_role("heading", level=1)).to_contain_text("Bisection bandwidth")
    page.go_back()
    page.set_viewport_size({"width": 360, "height": 800})
    assert_no_sideways_scrolling(page)
