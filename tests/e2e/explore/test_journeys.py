"""Searching the layouts of a design, in Chromium, against the real server."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, expect

from tests.browser import until
from tests.conftest import OpenPage
from tests.e2e.looks import assert_no_sideways_scrolling, assert_usable, click_mark, draw_all

EDGE = "edge_node"
CLUSTER = "gpt_3_175b_on_128_dgx_a100"
HEAT = "#figure-degrees .plot-frame .plot"
FIND_CELL = """(name) => {
  const plot = document.querySelector(name);
  const { left, top } = plot.getBoundingClientRect();
  const { _fullLayout: { xaxis, yaxis }, _fullData: [{ x, y }] } = plot;
  const last = y.length - 1;
  return [left + xaxis._offset + xaxis.l2p(0), top + yaxis._offset + yaxis.l2p(last), x[0], y[last]];
}"""


def drawn(page: Page, plot: str) -> None:
    page.locator(plot).scroll_into_view_if_needed()
    expect(page.locator(plot)).to_have_attribute("data-drawn", "true")


def test_search_from_the_studio_and_adopt_a_layout(open_page: OpenPage) -> None:
    page = open_page(f"/designs/{EDGE}")
    name = page.locator('.field[data-path="name"] input')
    name.fill("Not saved yet")
    expect(page.get_by_role("heading", level=1)).to_have_text("Not saved yet")
    page.get_by_role("link", name="Search every layout").click()
    expect(page.locator("#headline")).to_have_text(re.compile(r"^\d+ of [\d,]+ layouts can run$"))
    expect(page.locator(".back")).to_have_text("Not saved yet")
    draw_all(page)  # a chart above that is still to be drawn would move it
    page.locator(HEAT).scroll_into_view_if_needed()
    # a cell of the heat map opens the studio with its layout, the unsaved name kept
    x, y, tp, pp = page.evaluate(FIND_CELL, HEAT)
    click_mark(page, HEAT, x, y)
    page.wait_for_url(f"**/designs/{EDGE}?s=*")
    expect(page.get_by_role("heading", level=1)).to_have_text("Not saved yet")
    expect(page.locator('.field[data-path="parallelism.tp"] input[type="text"]')).to_have_value(str(tp))
    expect(page.locator('.field[data-path="parallelism.pp"] input[type="text"]')).to_have_value(str(pp))
    page.go_back()
    expect(page.locator("#headline")).to_be_visible()
    # and by keyboard, from the table
    page.get_by_role("button", name=re.compile("^Adopt")).nth(1).focus()
    page.keyboard.press("Enter")
    page.wait_for_url(f"**/designs/{EDGE}?s=*")
    expect(page.get_by_role("heading", level=1)).to_have_text("Not saved yet")


def test_an_adopted_layout_and_a_full_load_are_undone(open_page: OpenPage) -> None:
    page = open_page(f"/designs/{EDGE}")
    undo, redo = (page.get_by_role("button", name=name, exact=True) for name in ("Undo", "Redo"))
    expect(undo).to_be_disabled()
    length = page.locator('.field[data-path="workload.sequence_length"] input[type="text"]')
    before = length.input_value()
    length.fill("2048")
    length.press("Enter")
    page.get_by_role("link", name="Search every layout").click()
    page.get_by_role("button", name=re.compile("^Adopt")).nth(1).click()
    page.wait_for_url(f"**/designs/{EDGE}?s=*")
    micro = page.locator('.field[data-path="parallelism.micro_batch"] input[type="text"]')
    adopted = page.url
    expect(undo).to_be_enabled()
    undo.click()
    page.wait_for_url(lambda url: url != adopted)
    expect(length).to_have_value("2,048")  # the layout alone is undone
    page.reload()
    expect(redo).to_be_enabled()
    expect(undo).to_be_enabled()
    undo.click()
    expect(length).to_have_value(before)
    expect(undo).to_be_disabled()
    redo.click()
    redo.click()
    page.wait_for_url(lambda url: url == adopted)
    expect(micro).to_be_visible()
    other = open_page(f"/designs/{CLUSTER}")
    expect(other.get_by_role("button", name="Undo", exact=True)).to_be_disabled()


def test_domains_are_worked_out_again_once_a_change_has_settled(open_page: OpenPage) -> None:
    page = open_page(f"/designs/{CLUSTER}/supernode")
    assert page.locator("#figure-domain_sizes").count() == 0
    page.locator("#supernode-buys").scroll_into_view_if_needed()
    drawn(page, "#figure-domain_sizes .plot")
    table = page.locator("#figure-domain_sizes-data table")
    first = table.inner_text()
    page.locator('.field[data-path="workload.global_batch_sequences"] input[type="text"]').fill("256")
    page.locator("#supernode-buys").scroll_into_view_if_needed()
    until(
        page,
        "first => document.querySelector('#figure-domain_sizes-data table').innerText !== first",
        arg=first,
    )
    expect(page.locator("#domain-study")).not_to_have_attribute("data-own-working", "")


@pytest.mark.slow
def test_the_page_is_usable_in_both_themes_and_on_a_phone(open_page: OpenPage) -> None:
    page = open_page(f"/explore/{EDGE}?hold.tp=1", bypass_csp=True)
    expect(page.locator("#headline")).to_be_visible()
    page.locator("#supernode-buys").scroll_into_view_if_needed()
    drawn(page, "#figure-domain_sizes .plot")
    assert draw_all(page) == 5
    assert_usable(page, "light", "dark")
    narrow = open_page(f"/explore/{EDGE}", bypass_csp=True, width=360, height=740)
    expect(narrow.locator("#headline")).to_be_visible()
    draw_all(narrow)
    assert_usable(narrow)


def test_without_scripts_the_search_is_in_the_page(open_page: OpenPage) -> None:
    page = open_page(f"/explore/{EDGE}", scripts=False, width=360, height=740)
    page.wait_for_url("**?now=1")
    expect(page.locator("#headline")).to_be_visible()
    assert_no_sideways_scrolling(page)
    page.get_by_label("Rows in the list").fill("2")
    page.locator("main").get_by_role("button", name="Search").click()
    expect(page.locator(".ranked tbody tr")).to_have_count(2)
    page.get_by_label("Micro-batch size from").select_option(index=0)
    page.get_by_label("Micro-batch size to").select_option(index=0)
    page.get_by_role("button", name="Filter").click()
    expect(page.locator("#held .panel-summary")).to_have_text("1 held")
    expect(page.get_by_role("link", name="Show all again")).to_be_visible()
    page.locator(".ranked td button").first.click()
    expect(page.locator('input[name="parallelism.tp"]')).to_be_visible()
