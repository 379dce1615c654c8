"""The catalog in a browser: every look, the keyboard, search as one types, and life without scripts."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Route, expect

from app.catalog.ready import ready_catalog
from app.surfaces.pages.catalog.kinds import VIEWS
from tests.browser import Watch, held_back, until
from tests.conftest import OpenPage
from tests.e2e.looks import assert_no_sideways_scrolling, assert_usable

ACCELERATORS = len(ready_catalog().parts("accelerators"))
PAGES = [
    "/catalog",
    "/catalog/accelerators",
    "/catalog/systems?sort=accelerators&order=desc&year_from=2024",
    "/catalog/accelerators?q=h1000",
    "/catalog/accelerators/nvidia_h100_sxm",
    "/catalog/climate/singapore",
    "/catalog/models/deepseek_v3",
]
FAULTY = [
    ("/catalog/accelerators?tdp_w_min=much&page=9", "422"),
    ("/catalog/accelerators/nvidia_h10", "404"),
    ("/catalog/acelerators", "404"),
]


@pytest.mark.parametrize("width", [1280, 360])
@pytest.mark.parametrize("path", PAGES)
def test_page_in_every_look(open_page: OpenPage, path: str, width: int) -> None:
    page = open_page(path, width=width, bypass_csp=True)
    page.evaluate("document.querySelectorAll('details').forEach((part) => { part.open = true; })")
    assert_usable(page, "light", "dark")


@pytest.mark.parametrize(("path", "status"), FAULTY)
def test_faulty_page(open_page: OpenPage, watch: Watch, path: str, status: str) -> None:
    page = open_page(path, bypass_csp=True)
    assert_usable(page, "light")
    page.set_viewport_size({"width": 360, "height": 740})
    assert_usable(page, "dark")
    watch.forgive(status)


def test_no_kind_is_wider_than_its_window(open_page: OpenPage) -> None:
    page = open_page("/catalog")
    for kind in VIEWS:
        page.goto(f"/catalog/{kind}")
        for width in (1280, 1260, 1200, 360):
            page.set_viewport_size({"width": width, "height": 900})
            assert_no_sideways_scrolling(page)


def test_source_takes_no_more_than_two_lines(open_page: OpenPage) -> None:
    page = open_page("/catalog/accelerators/nvidia_h100_sxm")
    heights = page.evaluate(
        "[...document.querySelectorAll('.part-facts .cited')].map((part) => part.offsetHeight)"
    )
    assert len(heights) > 20
    assert max(heights) <= 2 * 20


def test_wide_tables_scroll_in_their_frame(open_page: OpenPage) -> None:
    page = open_page("/catalog/accelerators", width=360)
    frame = page.get_by_role("region", name="Accelerators, table")
    frame.focus()
    page.keyboard.press("ArrowRight")
    until(page, "document.querySelector('.browse-frame').scrollLeft > 0")
    name = page.locator(".browse tbody th").first
    frame_box, name_box = frame.bounding_box(), name.bounding_box()
    assert frame_box
    assert name_box
    assert abs(frame_box["x"] - name_box["x"]) < 1  # the name stays in sight


def test_header_stays_in_sight(open_page: OpenPage) -> None:
    page = open_page("/catalog/rentals")
    page.mouse.wheel(0, 1500)
    until(page, "scrollY > 800")
    box = page.locator(".browse thead th").first.bounding_box()
    assert box
    assert 0 <= box["y"] <= 50


def test_tabs_show_the_current_kind(open_page: OpenPage) -> None:
    page = open_page("/catalog/aliases", width=360)
    expect(page.locator(".kind-tabs [aria-current]")).to_be_in_viewport()


def test_search_follows_what_is_typed(open_page: OpenPage) -> None:
    page = open_page("/catalog/accelerators")
    search = page.get_by_role("searchbox")
    search.press_sequentially("mi3")
    status = page.locator("#results [role=status]")
    expect(status).to_have_text(f"4 of {ACCELERATORS} accelerators")
    expect(page).to_have_url("/catalog/accelerators?q=mi3")
    expect(search).to_be_focused()
    page.get_by_label("Source kind").select_option("Assumption")
    expect(page).to_have_url("/catalog/accelerators?q=mi3&source=assumption")
    page.get_by_role("link", name="TDP").click()
    expect(page.get_by_role("columnheader", name="TDP")).to_have_attribute("aria-sort", "descending")
    expect(page.get_by_role("searchbox")).to_have_value("mi3")
    page.reload()
    expect(page.get_by_role("searchbox")).to_have_value("mi3")


def test_bad_range_is_said_and_kept(open_page: OpenPage, watch: Watch) -> None:
    page = open_page("/catalog/accelerators")
    page.get_by_text("Ranges").click()
    box = page.get_by_label("TDP from, W")
    box.fill("much")
    box.press("Enter")
    expect(page.get_by_role("alert")).to_contain_text("“much” is not a number.")
    expect(box).to_have_value("much")
    watch.forgive("422")
    box.fill("1000")
    box.press("Enter")
    expect(page.get_by_role("alert")).to_have_count(0)
    expect(page.locator("#results [role=status]")).to_have_text(f"14 of {ACCELERATORS} accelerators")


def test_nothing_typed_is_lost_when_the_server_stops(open_page: OpenPage, watch: Watch) -> None:
    page = open_page("/catalog/accelerators")
    page.route("**/catalog/accelerators?*", lambda route: route.abort())
    page.get_by_role("searchbox").press_sequentially("h100")
    expect(page.get_by_role("alert")).to_contain_text("The server does not answer.")
    expect(page.get_by_role("searchbox")).to_have_value("h100")
    assert page.locator(".browse tbody tr").count() == 50
    watch.forgive("Failed to load resource")
    page.unroute("**/catalog/accelerators?*")
    page.get_by_role("searchbox").press("Enter")
    expect(page.get_by_role("alert")).to_have_count(0)


def test_keyboard_from_search_to_a_row_and_back(open_page: OpenPage) -> None:
    page = open_page("/catalog")
    page.locator("a[href='/catalog/accelerators']").focus()
    page.keyboard.press("Enter")
    page.wait_for_url("**/catalog/accelerators")
    while page.evaluate("document.activeElement.type") != "search":
        page.keyboard.press("Tab")
    page.keyboard.type("h200 sxm")
    expect(page.locator("#results [role=status]")).to_have_text(f"3 of {ACCELERATORS} accelerators")
    while page.evaluate("document.activeElement.textContent") != "H200 SXM 141GB":
        page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", level=1)).to_have_text("H200 SXM 141GB")
    page.go_back()  # Alt+Left belongs to the window, which a headless browser has not
    expect(page.get_by_role("searchbox")).to_have_value("h200 sxm")
    expect(page.locator(".browse tbody tr")).to_have_count(3)


def test_source_of_a_value_is_one_step_away(open_page: OpenPage) -> None:
    page = open_page("/catalog/accelerators/nvidia_h100_sxm")
    row = page.locator("#fact-bf16_flop_per_s")
    source = row.get_by_role("link", name=re.compile("^Source "))
    place = str(source.get_attribute("href"))
    source.click()
    expect(page.locator(place)).to_be_in_viewport()
    expect(page.locator(place)).to_contain_text("https://")


def test_without_scripts(open_page: OpenPage) -> None:
    page = open_page("/catalog/switches", scripts=False)
    page.get_by_role("searchbox").fill("quantum")
    page.locator("select[name=vendor]").select_option("NVIDIA")
    page.get_by_role("button", name="Apply").click()
    page.wait_for_url(
        re.compile("q=quantum")
    )  # all of it is there, where an address alone comes with its first line
    assert "vendor=NVIDIA" in page.url
    names = page.locator(".browse tbody th a").all_text_contents()
    assert names
    page.locator(".browse tbody th a").first.click()
    expect(page.get_by_role("heading", level=1)).to_have_text(names[0])


def test_slow_answers_never_overtake(open_page: OpenPage) -> None:
    """An answer to what was typed before does not replace that to what is typed now."""
    page = open_page("/catalog/accelerators")
    held: list[Route] = []

    def hold(route: Route) -> None:
        held.append(route)

    page.route("**/catalog/accelerators?q=a", hold)
    search = page.get_by_role("searchbox")
    with page.expect_request("**/catalog/accelerators?q=a"):
        search.fill("a")
    search.fill("gaudi")
    status = page.locator("#results [role=status]")
    expect(status).to_have_text(f"2 of {ACCELERATORS} accelerators")
    held_back(page, held).continue_()
    page.wait_for_timeout(1000)  # time enough to overtake
    expect(status).to_have_text(f"2 of {ACCELERATORS} accelerators")
