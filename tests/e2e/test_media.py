"""Pages on paper, and in the colours of a system with high contrast: nothing cut, nothing that cannot be distinguished."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from tests.browser import until
from tests.conftest import OpenPage
from tests.e2e.looks import assert_no_sideways_scrolling, draw_all

MAIN = "/designs/llama_3_1_405b_on_2048_dgx_h100"
EXPLAINED = f"{MAIN}/explain/fabric.bandwidth_gap"
PAPER_PX = 688  # the width of text on A4 with our margins
LANDSCAPE_PX = 1017

SPILLING = """
() => [...document.querySelectorAll('.table-frame, .plot-frame, .chart-data, .formula, .key-figures, .key-beside')]
  .filter((part) => part.offsetParent && part.scrollWidth > part.clientWidth + 1)
  .map((part) => part.closest('[id]').id)
"""
FILLS = """
(selector) => new Set([...document.querySelectorAll(selector)].map((part) => getComputedStyle(part).fill)).size
"""


def print_out(page: Page) -> None:
    """As the browser does it: it says so first, and then the rules for paper hold."""
    page.evaluate("dispatchEvent(new Event('beforeprint'))")
    page.emulate_media(media="print", color_scheme="dark")
    assert page.evaluate("getComputedStyle(document.body).backgroundColor") == "rgb(255, 255, 255)"


def test_design_on_paper(open_page: OpenPage) -> None:
    page = open_page(f"{MAIN}/all", scheme="dark", width=PAPER_PX)
    expect(page.locator("#figure-step_time .plot")).to_have_attribute("data-drawn", "true")
    print_out(page)
    charts = page.locator("figure.chart")
    expect(page.locator("figure.chart .plot-frame .plot[data-drawn]")).to_have_count(charts.count())
    until(
        page,
        "getComputedStyle(document.querySelector('#figure-step_time .barlayer .point path')).fill"
        " === 'rgb(43, 89, 195)'",
    )
    assert page.evaluate(SPILLING) == []
    assert_no_sideways_scrolling(page)
    for gone in ("#inputs", ".tabs", ".chart-tools", ".note .button", ".bar nav"):
        expect(page.locator(gone).first).to_be_hidden()
    for figure in charts.all():
        expect(figure.locator(".chart-data table")).to_be_visible()
    expect(page.locator(".print-inputs")).to_contain_text("2,048 SuperNodes")
    page.emulate_media(media="screen", color_scheme="dark")
    page.evaluate("dispatchEvent(new Event('afterprint'))")
    until(
        page,
        "getComputedStyle(document.querySelector('#figure-step_time .barlayer .point path')).fill"
        " === 'rgb(125, 162, 255)'",
    )


def test_catalog_on_paper(open_page: OpenPage) -> None:
    page = open_page("/catalog/systems", scheme="dark", width=LANDSCAPE_PX)
    print_out(page)
    assert_no_sideways_scrolling(page)
    expect(page.locator(".filters")).to_be_hidden()
    expect(page.locator(".browse tbody tr").last).to_be_visible()
    for path in ("/catalog/accelerators/nvidia_h100_sxm", "/catalog/climate/singapore"):
        page.set_viewport_size({"width": PAPER_PX, "height": 900})
        page.goto(path)
        assert_no_sideways_scrolling(page)
        expect(page.locator(".data tbody tr").last).to_be_visible()


def test_explanation_on_paper(open_page: OpenPage) -> None:
    page = open_page(EXPLAINED, scheme="dark", width=PAPER_PX)
    print_out(page)
    assert page.evaluate(SPILLING) == []
    assert_no_sideways_scrolling(page)
    expect(page.locator(".tree .formula").last).to_be_visible()  # opened, as nobody can open it there


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_design_in_forced_colours(open_page: OpenPage, scheme: str) -> None:
    page = open_page("/", scheme=scheme)
    page.emulate_media(forced_colors="active", color_scheme="dark" if scheme == "dark" else "light")
    page.goto(f"{MAIN}/all")
    draw_all(page)
    assert page.evaluate(FILLS, "#figure-step_time .barlayer .point path") >= 4
    assert (
        page.evaluate(FILLS, "#figure-pue_hours .heatmaplayer image, #figure-power_flow .sankey-node rect")
        >= 2
    )
    ground = page.evaluate("getComputedStyle(document.querySelector('.plot')).backgroundColor")
    assert ground == ("rgb(18, 22, 28)" if scheme == "dark" else "rgb(255, 255, 255)")
    lines = page.evaluate(
        "[...document.querySelectorAll('.strip .tabs a')].map((tab) => getComputedStyle(tab).borderBottomColor)"
    )
    assert len(lines) > 4
    assert len(set(lines)) == 2  # the current section and the others
    assert page.evaluate("getComputedStyle(document.querySelector('.slider')).forcedColorAdjust") == "none"


def test_catalog_in_forced_colours(open_page: OpenPage) -> None:
    page = open_page("/catalog")
    page.emulate_media(forced_colors="active")
    page.goto("/catalog/accelerators")
    marks = page.evaluate(
        "['vendor', 'measured', 'assumption'].map((kind) => {"
        " const mark = getComputedStyle(document.querySelector(`.source-mark.${kind}`));"
        " return [mark.color, mark.backgroundColor, mark.borderColor, mark.clipPath].join() })"
    )
    assert len(set(marks)) == 3
    tabs = page.evaluate(
        "[...document.querySelectorAll('.kind-tabs a')].map((tab) => getComputedStyle(tab).borderBottomColor)"
    )
    assert len(set(tabs)) == 2


def test_explanation_in_forced_colours(open_page: OpenPage) -> None:
    page = open_page("/")
    page.emulate_media(forced_colors="active")
    page.goto(EXPLAINED)
    edge = page.evaluate("getComputedStyle(document.querySelector('.formula')).borderTopColor")
    assert edge != page.evaluate("getComputedStyle(document.body).backgroundColor")
    page.locator(".tree > li > details > summary").first.click()
    expect(page.locator(".tree .formula").first).to_be_visible()
