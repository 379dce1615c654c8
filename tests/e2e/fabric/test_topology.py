"""The topology tab in Chromium: from the studio to a torus, down to a node, and to another topology."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect

from tests.conftest import OpenPage
from tests.e2e.looks import assert_no_sideways_scrolling, assert_usable, assert_well_drawn
from tests.e2e.navigation import open_section


def test_from_the_studio_to_a_node_of_a_torus_and_back(open_page: OpenPage) -> None:
    page = open_page("/designs/gpt_3_175b_on_128_dgx_a100", bypass_csp=True)
    page.get_by_text("Fabric details").click()
    shape = page.locator('.field[data-path="pod.fabric.shape"] input')
    shape.fill("8 x 16")
    open_section(page, "Fabric", "Topology")
    page.wait_for_url("**/topology?s=*")
    page.get_by_role("link", name="2D torus").click()
    page.wait_for_url("**/designs/*?s=*")
    expect(page.locator('.field[data-path="pod.fabric.topology"]')).to_contain_text("2D torus")
    open_section(page, "Fabric", "Topology")
    page.wait_for_url("**/topology?s=*")
    chart = page.locator("#section #figure-topology")  # the tab that is left has a picture of the same name
    expect(chart).to_contain_text("A 2D torus of 8 × 16")
    assert_well_drawn(page)
    detail = chart.locator(".detail")
    expect(detail.locator("h4")).to_have_text("Node 1")
    detail.get_by_role("button", name="Next").click()
    expect(detail.locator("h4")).to_have_text("Node 2")
    expect(detail).to_contain_text("place 1, 2")
    assert_usable(page, "light", "dark")
    page.get_by_role("link", name=re.compile("^Bisection")).click()
    beside = page.get_by_role("region", name="Explain this number")
    expect(beside).to_contain_text("Bisection bandwidth")
    page.keyboard.press("Escape")
    page.set_viewport_size({"width": 360, "height": 800})
    assert_no_sideways_scrolling(page)


@pytest.mark.parametrize("width", [1280, 360])
def test_failures_and_a_route_on_the_picture(open_page: OpenPage, width: int) -> None:
    page = open_page("/fabric/gpt_3_175b_on_128_dgx_a100/topology", width=width, bypass_csp=True)
    chart = page.locator("#figure-topology")
    expect(chart.locator(".plot-frame .plot")).to_have_attribute("data-drawn", "true", timeout=60_000)
    form = page.get_by_role("form", name="Failures and route")
    form.get_by_label("Route from").fill("node-1")
    form.get_by_label("to", exact=True).fill("node-128")
    form.get_by_label("Failed switches").fill("leaf-1")
    form.get_by_label("Failed switches").press("Enter")
    page.wait_for_url("**one=node-1**")
    expect(chart).to_contain_text("From node-1 to node-128")
    expect(chart).to_contain_text("Failed")
    assert_well_drawn(page)
    detail = chart.locator(".detail")
    expect(detail.locator("h4")).to_contain_text("node-0001")
    detail.get_by_role("button", name="Previous").click()
    expect(detail).to_contain_text("Rate per port, one way")
    expect(detail).to_contain_text("When one fails: hosts cut off")
    assert_usable(page, "light", "dark")
    assert_no_sideways_scrolling(page)
    with page.expect_download() as started:
        page.get_by_role("link", name="Download SVG, dark").click()
    assert started.value.suggested_filename.endswith(".svg")
    page.get_by_role("link", name="Clear").click()
    expect(chart).not_to_contain_text("From node-1")


@pytest.mark.parametrize(
    "design", ["llama_3_1_405b_on_gb200_nvl72", "deepseek_r1_on_cloudmatrix384", "tpu_v5p_pod"]
)
@pytest.mark.parametrize("width", [1280, 360])
def test_the_scale_up_domain_is_drawn(open_page: OpenPage, design: str, width: int) -> None:
    page = open_page(f"/fabric/{design}/topology", width=width, bypass_csp=True)
    several = design == "llama_3_1_405b_on_gb200_nvl72"
    figure = page.locator("#figure-supernode_inside" if several else "#figure-topology")
    figure.scroll_into_view_if_needed()
    expect(figure.locator(".plot-frame .plot")).to_have_attribute("data-drawn", "true", timeout=60_000)
    page.evaluate("() => scrollTo(0, 0)")  # no link half under the bar at the top
    assert_usable(page, "light", "dark")
    assert_no_sideways_scrolling(page)
