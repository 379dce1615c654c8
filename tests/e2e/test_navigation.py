"""The header's menus by mouse, by keyboard alone, on a phone and without scripts."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.conftest import OpenPage
from tests.e2e.looks import assert_usable
from tests.e2e.navigation import follow_menu

pytestmark = pytest.mark.browser


def test_two_clicks_reach_a_page_and_one_elsewhere_closes_the_menu(open_page: OpenPage) -> None:
    page = open_page("/claims")
    opened = page.locator(".nav-menu[open]")
    page.locator("#nav-reference").click()
    page.locator("#nav-help").click()
    expect(opened).to_have_count(1)
    page.locator(".foot").click()
    expect(opened).to_have_count(0)
    follow_menu(page, "Help", "Glossary")
    page.wait_for_url("**/terms")
    expect(page.locator(".nav-menu.is-current summary")).to_contain_text("Help")


def test_the_keyboard_alone_opens_moves_and_closes(open_page: OpenPage) -> None:
    page = open_page("/claims")
    page.locator("#nav-design").focus()
    page.keyboard.press("ArrowRight")
    expect(page.locator("#nav-compare")).to_be_focused()
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Enter")
    page.keyboard.press("Tab")
    expect(page.get_by_role("link", name="Catalog", exact=True)).to_be_focused()
    page.keyboard.press("ArrowUp")
    expect(page.get_by_role("link", name="Growth", exact=True)).to_be_focused()
    page.keyboard.press("Escape")
    expect(page.locator("#nav-reference")).to_be_focused()
    expect(page.locator(".nav-menu[open]")).to_have_count(0)
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    page.wait_for_url("**/catalog")


def test_menus_open_without_scripts(open_page: OpenPage) -> None:
    page = open_page("/claims", scripts=False)
    follow_menu(page, "Reference", "Catalog")
    page.wait_for_url("**/catalog")


@pytest.mark.parametrize("width", [1280, 360])
def test_an_open_menu_is_usable_in_every_look(open_page: OpenPage, width: int) -> None:
    page = open_page("/claims", width=width, bypass_csp=True)
    page.locator("#nav-reference" if width > 1100 else ".nav-button").click()
    expect(page.get_by_role("link", name="Reference designs", exact=True)).to_be_visible()
    assert_usable(page, "light", "dark")
    if width < 1100:
        page.get_by_role("navigation", name="Main").get_by_role(
            "link", name="Glossary", exact=True
        ).click()  # two clicks on a phone as well
        page.wait_for_url("**/terms")
