"""The timeline of a training step in the studio, in Chromium, against the real server."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, expect

from tests.browser import until
from tests.conftest import OpenPage
from tests.e2e.looks import assert_no_sideways_scrolling, assert_usable, assert_well_drawn

DESIGN = "/designs/llama_3_1_70b_on_trn2_ultraserver/performance"
PLOT = "#figure-step_timeline .plot-frame .plot"
RANGE = f"document.querySelector('{PLOT}')._fullLayout.xaxis.range"


def timeline_drawn(page: Page) -> None:
    page.locator("#step-timeline").scroll_into_view_if_needed()
    expect(page.locator(PLOT)).to_have_attribute("data-drawn", "true")


def test_a_pipeline_is_drawn_by_stage_and_can_be_enlarged(open_page: OpenPage) -> None:
    page = open_page(DESIGN)
    timeline_drawn(page)
    figure = page.locator("#figure-step_timeline")
    expect(figure.locator(".chart-legend")).to_contain_text("Waiting")
    expect(figure.locator("figcaption")).to_contain_text(
        re.compile(r"simulated [\d.]+\s?s, closed form [\d.]+\s?s")
    )
    assert figure.locator(".chart-data tbody tr").count() == 4
    assert page.locator(f"{PLOT} .ytick").all_text_contents() == [f"Stage {place}" for place in (1, 2, 3, 4)]
    assert_well_drawn(page)  # a chart above that is still to be drawn would move it while it is dragged
    whole = page.evaluate(RANGE)
    page.locator(f"{PLOT} .nsewdrag").hover()
    area = page.locator(f"{PLOT} .nsewdrag").bounding_box()
    assert area is not None
    left, middle = area["x"] + area["width"] * 0.2, area["y"] + area["height"] / 2
    page.mouse.move(left, middle)
    page.mouse.down()
    page.mouse.move(left + area["width"] * 0.2, middle, steps=5)
    page.mouse.up()
    until(page, f"{RANGE}[1] - {RANGE}[0] < {0.4 * (whole[1] - whole[0])}")
    page.mouse.dblclick(left, middle)
    until(page, f"Math.abs({RANGE}[1] - {whole[1]}) < 1e-9")


def test_it_follows_the_scenario_and_goes_where_there_is_one_stage(open_page: OpenPage) -> None:
    page = open_page(DESIGN)
    timeline_drawn(page)
    caption = page.locator("#figure-step_timeline figcaption")
    before = caption.inner_text()
    page.locator('.field[data-path="workload.sequence_length"] input[type="text"]').fill("4096")
    expect(caption).not_to_have_text(before)
    one_stage = open_page("/designs/edge_node/performance")
    expect(one_stage.locator("#pipeline")).to_be_hidden()
    serving = open_page("/designs/deepseek_r1_on_8_h200/performance")
    expect(serving.locator("#pipeline")).to_be_hidden()


@pytest.mark.slow
def test_it_is_usable_in_both_themes_and_on_a_phone(open_page: OpenPage) -> None:
    page = open_page(DESIGN, bypass_csp=True)
    timeline_drawn(page)
    assert_usable(page, "light", "dark")
    narrow = open_page(DESIGN, bypass_csp=True, width=360, height=740)
    timeline_drawn(narrow)
    assert_no_sideways_scrolling(narrow)
