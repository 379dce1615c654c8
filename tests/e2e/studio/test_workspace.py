"""One workspace: tabs and sections beside the inputs, live, with an address each."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Locator, Page, Route, expect

from app.surfaces.pages.workspace import TABS, Section, tabs_of
from tests.browser import Watch, held_back
from tests.conftest import OpenPage
from tests.e2e import navigation
from tests.e2e.looks import assert_no_sideways_scrolling, assert_usable
from tests.support import part_of

KEY = "llama_3_1_405b_on_2048_dgx_h100"
SERVED = "deepseek_r1_on_8_h200"
TRAINING = [section for tab in tabs_of(serves=False, published=True) for section in tab.sections]


def supernodes(page: Page) -> Locator:
    return page.locator('.field[data-path="pod.supernodes"] input[type="text"]')


def open_section(page: Page, section: Section) -> None:
    """Two clicks from anywhere in the workspace: its tab, and itself."""
    tab = next(tab for tab in TABS if section in tab.sections)
    navigation.open_section(page, tab.title, "" if section == tab.first else section.title)


@pytest.mark.parametrize("section", part_of(TRAINING, parts=6), ids=lambda section: section.place)
def test_two_clicks_to_any_section_with_the_inputs_in_view(open_page: OpenPage, section: Section) -> None:
    page = open_page(f"/designs/{KEY}")
    open_section(page, section)
    page.wait_for_url(f"**{section.address(KEY)}")
    expect(page.locator(f'a[data-place="{section.place}"]').last).to_have_attribute("aria-current", "page")
    expect(page.locator("#inputs")).to_be_visible()
    expect(page.locator(".key-figures")).to_be_visible()
    place = page.locator("#section" if section.room else "#results .part").first
    expect(place).to_be_visible(timeout=60_000)
    assert place.inner_text().strip()
    page.reload()
    expect(page.locator(f'a[data-place="{section.place}"]').last).to_have_attribute("aria-current", "page")


def test_a_section_follows_its_inputs_and_its_own_form(open_page: OpenPage) -> None:
    page = open_page(f"/designs/{KEY}")
    open_section(page, Section("fabric/faults", "Failure analysis"))
    section, studio = page.locator("#section"), page.locator("#studio")
    expect(section).to_contain_text("Nothing has failed", timeout=60_000)
    assert section.get_by_role("button", name="Simulate").count() == 0, "nothing to press"
    section.get_by_label("Switches", exact=True).fill("leaf-3")
    expect(section).not_to_contain_text("Nothing has failed", timeout=60_000)
    expect(page).to_have_url(re.compile("leaf-3"))
    shown = studio.get_attribute("data-shown") or ""
    supernodes(page).fill("1024")
    expect(studio).not_to_have_attribute("data-shown", shown, timeout=60_000)
    expect(page.locator(".design-head")).to_contain_text("8,192 accelerators")
    expect(section.get_by_label("Switches", exact=True)).to_have_value("leaf-3")
    expect(page).to_have_url(re.compile(r"leaf-3.*s=1\."))
    page.reload()
    expect(supernodes(page)).to_have_value("1,024")
    expect(page.locator("#section").get_by_label("Switches", exact=True)).to_have_value("leaf-3")


def test_what_is_typed_while_an_answer_is_on_its_way_is_kept(open_page: OpenPage) -> None:
    page = open_page("/economics/edge_node/cash")
    section = page.locator("#section")
    asks = re.compile("/economics/edge_node/cash")
    held: list[Route] = []

    def hold(route: Route) -> None:
        held.append(route)

    page.route(asks, hold)
    section.get_by_label("Debt share").fill("50")
    first = held_back(page, held)
    answer = first.fetch()
    section.get_by_label("Debt term").fill("4")
    section.get_by_label("Jurisdiction").fill("us")
    first.fulfill(response=answer)  # it knows of no term
    page.unroute(asks)
    for later in held[1:]:
        later.continue_()
    expect(section.get_by_label("Debt term")).to_have_value("4")
    expect(section.locator(".cash-years")).to_contain_text("Debt service cover")
    expect(page).to_have_url(re.compile(r"s=1\."))
    page.reload()
    expect(section.get_by_label("Debt term")).to_have_value("4")
    expect(section.get_by_label("Debt share")).to_have_value("50")


def test_what_a_form_refuses_is_said_and_kept(open_page: OpenPage, watch: Watch) -> None:
    page = open_page(f"/operations/{KEY}/run?runs=50")
    page.locator('#section input[name="deadline_days"]').fill("-7")
    expect(page.locator("#deadline_days-error")).to_be_visible(timeout=60_000)
    expect(page.locator('#section input[name="deadline_days"]')).to_have_value("-7")
    watch.forgive("422")


def test_back_and_forward_keep_what_was_changed_and_undo_goes_on(open_page: OpenPage) -> None:
    page = open_page(f"/designs/{KEY}")
    first = page.locator(".key-figures .key-value").first.inner_text()
    open_section(page, Section("economics/rent", "Own or rent"))
    page.wait_for_url("**/economics/**")
    supernodes(page).fill("1024")
    expect(page.locator(".key-figures .key-value").first).not_to_have_text(first)
    page.go_back()
    page.wait_for_url(re.compile(r"/designs/[^/]+/cost"))
    expect(page.locator("#results #cost")).to_be_visible()
    expect(page.locator("#section")).to_be_hidden()
    expect(supernodes(page)).to_have_value(re.compile("1,?024"))
    page.go_forward()
    page.wait_for_url("**/economics/**")
    expect(page.locator("#section")).to_contain_text("Ways to pay", timeout=60_000)
    page.keyboard.press("Control+z")
    expect(page.locator(".key-figures .key-value").first).to_have_text(first)


def test_by_keyboard_alone(open_page: OpenPage) -> None:
    page = open_page(f"/designs/{KEY}")
    tab = page.get_by_role("navigation", name="Tabs of the design").get_by_role("link", name="Fabric")
    tab.focus()
    page.keyboard.press("Enter")
    page.wait_for_url("**/fabric")
    expect(page.locator("#results #fabric")).to_be_visible()
    sections = page.get_by_role("navigation", name="Fabric", exact=True).get_by_role("link")
    sections.nth(2).focus()
    page.keyboard.press("Enter")
    page.wait_for_url("**/networks")
    expect(page.locator("#section")).to_contain_text(re.compile("network", re.IGNORECASE), timeout=60_000)


@pytest.mark.parametrize("width", [1280, 360])
@pytest.mark.parametrize("place", ["fabric/faults", "economics/rent", "facility/cooling", "supernode"])
def test_sections_in_every_look(open_page: OpenPage, place: str, width: int) -> None:
    page = open_page(Section(place, "").address(KEY), width=width, bypass_csp=True)
    expect(page.locator("#studio")).to_have_attribute("data-live", "")
    assert_usable(page, "light", "dark")
    assert_no_sideways_scrolling(page)


def test_only_what_serves_has_a_tab_of_serving(open_page: OpenPage) -> None:
    tabs = open_page(f"/designs/{SERVED}").get_by_role("navigation", name="Tabs of the design")
    expect(tabs.get_by_role("link", name="Serving")).to_be_visible()
    other = open_page(f"/designs/{KEY}").get_by_role("navigation", name="Tabs of the design")
    expect(other.get_by_role("link", name="Serving")).to_have_count(0)


def shown_fields(page: Page) -> list[str]:
    return page.locator("#panel-parts .field:visible").evaluate_all(
        "all => all.map((one) => one.dataset.path)"
    )


def test_a_dozen_inputs_at_first_and_the_rest_by_search(open_page: OpenPage) -> None:
    page = open_page(f"/designs/{KEY}")
    page.locator("#inputs").get_by_role("button", name="Basic").click()
    basic = shown_fields(page)
    assert 10 <= len(basic) <= 16, basic
    search = page.get_by_role("searchbox", name="Find an input")
    search.fill("recomputation")
    assert shown_fields(page) == ["parallelism.recompute"]
    page.locator('.field[data-path="parallelism.recompute"]').get_by_label("Selective").check()
    expect(page.locator(".panel-head .chip")).to_have_text("1 changed")
    search.fill("no such input")
    expect(page.locator("#find-none")).to_contain_text("No input is called")
    search.press("Escape")
    assert set(shown_fields(page)) == {*basic, "parallelism.recompute"}
    page.locator("#inputs").get_by_role("button", name="Changed").click()
    assert shown_fields(page) == ["name", "parallelism.recompute"]
    page.reload()
    assert shown_fields(page) == ["name", "parallelism.recompute"], "the choice is kept"
    page.locator("#inputs").get_by_role("button", name="All", exact=True).click()
    assert len(shown_fields(page)) > len(basic)
