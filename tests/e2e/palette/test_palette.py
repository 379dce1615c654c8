"""The command palette by keyboard alone, on a phone, and in every look."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, Route, expect

from tests.browser import held_back
from tests.conftest import OpenPage
from tests.e2e.looks import assert_usable

pytestmark = pytest.mark.browser

DESIGN = "/designs/edge_node"


def typed(page: Page, text: str) -> None:
    page.keyboard.press("Control+k")
    expect(page.get_by_role("combobox", name=re.compile("Search inputs"))).to_be_focused()
    page.keyboard.type(text)
    expect(page.locator("#palette-list")).to_have_attribute("data-of", text)  # what is shown is of all of it


def selected(page: Page) -> str:
    return page.locator('#palette [aria-selected="true"] .palette-name').inner_text()


def test_an_input_of_the_design_is_focused(open_page: OpenPage) -> None:
    page = open_page(DESIGN)
    typed(page, "cooling redundancy")
    option = page.get_by_role("option", name=re.compile("^Cooling redundancy"))
    expect(option).to_have_attribute("aria-selected", "true")
    page.keyboard.press("Enter")
    expect(page.locator("#palette")).to_be_hidden()
    row = page.locator('.field[data-label="Cooling redundancy"]')
    expect(row.locator(":focus")).to_have_count(1)
    expect(row).to_be_in_viewport()


def test_enter_before_the_results_takes_the_first_of_them(open_page: OpenPage) -> None:
    page = open_page("/claims")
    typed(page, "h100")
    held: list[Route] = []

    def hold(route: Route) -> None:
        held.append(route)

    page.route("**/palette.json?q=b300*", hold)
    page.get_by_role("combobox", name=re.compile("Search inputs")).fill("b300 sxm")
    page.keyboard.press("Enter")
    held_back(page, held).continue_()
    page.wait_for_url("**/catalog/accelerators/*b300*")


def test_a_figure_of_the_design_is_explained_beside_it(open_page: OpenPage) -> None:
    page = open_page(DESIGN)
    typed(page, "flops utilisation")
    figure = page.get_by_role("group", name="Figures").get_by_role("option").first
    expect(figure).to_contain_text("%")
    for _ in range(20):
        if page.locator("#palette-input").get_attribute("aria-activedescendant") == figure.get_attribute(
            "id"
        ):
            break
        page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    expect(page.locator("#explain-panel")).to_be_visible()


def test_a_part_a_page_and_a_document_are_reached(open_page: OpenPage) -> None:
    page = open_page("/claims")
    typed(page, "h100 sxm5 80gb")
    expect(page.get_by_role("group", name="Catalog")).to_be_visible()
    page.keyboard.press("Enter")
    page.wait_for_url("**/catalog/accelerators/nvidia_h100_sxm")
    typed(page, "bill of materials")
    page.get_by_role("group", name="Help").get_by_role("option").first.click()
    page.wait_for_url("**/help/fabric#bill-of-materials")


def test_arrows_go_round_and_escape_gives_the_focus_back(open_page: OpenPage) -> None:
    page = open_page("/claims")
    page.locator("#palette-button").focus()
    page.keyboard.press("Enter")
    expect(page.locator("#palette").get_by_role("option").first).to_be_visible()
    first = selected(page)
    page.keyboard.press("ArrowUp")
    last = selected(page)
    assert last != first
    page.keyboard.press("ArrowDown")
    assert selected(page) == first
    page.keyboard.type("zzzz")
    expect(page.locator(".palette-status")).to_contain_text("Nothing matches “zzzz”")
    page.keyboard.press("Enter")  # nothing to open
    page.keyboard.press("Escape")
    expect(page.locator("#palette")).to_be_hidden()
    expect(page.locator("#palette-button")).to_be_focused()


@pytest.mark.parametrize("width", [1280, 360])
def test_the_palette_is_usable_in_every_look(open_page: OpenPage, width: int) -> None:
    page = open_page(DESIGN, width=width, bypass_csp=True)
    page.locator("#palette-button").click()
    page.keyboard.type("power")
    expect(page.locator("#palette-list")).to_have_attribute("data-of", "power")
    expect(page.get_by_role("group", name="Figures")).to_be_visible()
    assert_usable(page, "light", "dark")
