"""The help in a browser: from a tab to its method, a search that follows what is typed, every look."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.conftest import OpenPage
from tests.e2e.looks import assert_no_sideways_scrolling, assert_usable
from tests.e2e.navigation import follow_menu

pytestmark = pytest.mark.browser


@pytest.mark.parametrize("width", [1280, 360])
def test_pages_in_every_look(open_page: OpenPage, width: int) -> None:
    page = open_page("/help", width=width, bypass_csp=True)
    assert_usable(page, "light", "dark")
    for address in ("/help?q=oversubscription", "/help/methods", "/help/fabric", "/help/quantities/carbon"):
        page.goto(address)
        assert_usable(page)


@pytest.mark.parametrize("address", ["/help/api", "/help/economics", "/help/validation", "/help/deploy"])
def test_long_tables_and_code_stay_inside_a_narrow_page(open_page: OpenPage, address: str) -> None:
    assert_no_sideways_scrolling(open_page(address, width=360))


def test_a_tab_leads_to_its_method_and_back(open_page: OpenPage) -> None:
    page = open_page("/facility/edge_node/cooling")
    page.get_by_role("link", name="Method: Power and cooling: Cooling plants").click()
    page.wait_for_url("**/help/facility#cooling-plants")
    expect(page.locator("#cooling-plants")).to_be_in_viewport()
    page.go_back()
    page.wait_for_url("**/facility/edge_node/cooling")
    expect(page.get_by_role("link", name="Method: Power and cooling: Cooling plants")).to_be_visible()


def test_a_search_follows_what_is_typed(open_page: OpenPage) -> None:
    page = open_page("/claims")
    follow_menu(page, "Help", "Guide")
    page.get_by_role("searchbox", name="Search the help").fill("bill of materials")
    page.locator(".help-hits").get_by_role("link", name="Bill of materials").first.click()
    page.wait_for_url("**/help/fabric#bill-of-materials")
    page.get_by_role("navigation", name="Contents of Fabric").get_by_role("link", name="Faults").click()
    expect(page.locator("#faults")).to_be_in_viewport()


def test_the_search_works_without_scripts(open_page: OpenPage) -> None:
    page = open_page("/help/fabric", scripts=False)
    page.get_by_role("searchbox", name="Search the help").fill("chekpoints")
    page.locator("main").get_by_role("button", name="Search").click()
    expect(page.get_by_role("heading", name="No section matches.")).to_be_visible()
    page.get_by_role("link", name="Checkpoints", exact=True).first.click()
    expect(page.locator("#checkpoints")).to_be_in_viewport()
