"""Tabs of a served model in a browser: drawn in both looks, wide and narrow, a form by keyboard, a mistake corrected."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect

from app.surfaces.pages.studio.state import encode_state
from tests.browser import Watch
from tests.conftest import OpenPage
from tests.e2e.looks import assert_usable, assert_well_drawn
from tests.support import read_example

PAGE = "/serving/deepseek_r1_on_8_h200"
DRAWN = ["latency", "simulation", "roofline", "memory", "cost", "edge"]


@pytest.mark.parametrize("width", [1280, 360])
@pytest.mark.parametrize("tab", [*DRAWN, "sizing"])
def test_every_tab_in_every_look(open_page: OpenPage, tab: str, width: int) -> None:
    page = open_page(f"{PAGE}/{tab}", width=width, bypass_csp=True)
    if tab in DRAWN:
        assert_well_drawn(page)
    assert_usable(page, "light", "dark")


@pytest.mark.parametrize("width", [1280, 360])
def test_a_week_of_demand_in_every_look(open_page: OpenPage, width: int) -> None:
    values = read_example("deepseek_r1_on_8_h200").as_dict()
    values["workload"]["demand"] = {
        "requests_per_s": 30, "shape": "coding_week", "autoscaling": {"enabled": True, "headroom": 0.02},
    }  # fmt: skip
    page = open_page(f"{PAGE}/sizing?s={encode_state(values)}", width=width, bypass_csp=True)
    assert_well_drawn(page)
    assert_usable(page, "light", "dark")
    expect(page.get_by_role("heading", name="Too little headroom")).to_be_visible()


def test_from_the_studio_and_back(open_page: OpenPage) -> None:
    page = open_page("/designs/deepseek_r1_on_8_h200")
    page.get_by_role("navigation", name="Tabs of the design").get_by_role("link", name="Serving").click()
    expect(page).to_have_url(re.compile(r"/serving/deepseek_r1_on_8_h200/latency"))
    page.get_by_label("Load in").select_option("requests_per_s")
    expect(page).to_have_url(re.compile("against=requests_per_s"))
    page.get_by_role("link", name="Overview", exact=True).click()
    expect(page).to_have_url(re.compile("/designs/deepseek_r1_on_8_h200"))


def test_a_demand_put_right(open_page: OpenPage, watch: Watch) -> None:
    page = open_page(f"{PAGE}/sizing")
    box = page.locator("#section").get_by_label("Mean demand")
    box.fill("-5")
    box.press("Enter")
    expect(box).to_have_value("-5")
    expect(page.get_by_role("alert")).to_contain_text("Not changed")
    watch.forgive("422")
    box.fill("30")
    box.press("Enter")
    expect(page.locator(".lead")).to_contain_text("replicas of TP 8 at its peak")


def test_a_design_that_serves_nothing(open_page: OpenPage) -> None:
    page = open_page("/serving/edge_node/latency", bypass_csp=True)
    assert_usable(page, "light", "dark")
    page.get_by_role("link", name="Back to the design").click()
    expect(page).to_have_url(re.compile("/designs/edge_node"))


def test_no_column_of_the_costs_is_cut_off(open_page: OpenPage) -> None:
    page = open_page(f"{PAGE}/cost", width=1720)
    frames = page.locator(".table-frame").evaluate_all(
        "all => all.map(one => one.scrollWidth - one.clientWidth)"
    )
    assert frames
    assert max(frames) <= 0
