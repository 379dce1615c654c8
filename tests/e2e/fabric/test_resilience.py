"""Faults and sharing in a browser: in both looks, and from the form to what comes of it."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from tests.conftest import OpenPage
from tests.e2e.looks import assert_usable, assert_well_drawn, click_mark, draw_all

FABRIC = "/fabric/deepseek_v3_on_256_hgx_h800"
LEFT = "#figure-fabric_left .plot-frame .plot"


def test_faults_from_the_form_to_what_is_left(open_page: OpenPage) -> None:
    page = open_page(f"{FABRIC}/faults", bypass_csp=True)
    page.locator("#section").get_by_label("Switches", exact=True).fill("leaf-3, spine-1")
    page.locator("#section").get_by_label("Bandwidth between").fill("node-0001")
    page.locator("#section").get_by_label("and", exact=True).fill("unit-2")
    page.locator("#section").get_by_label("and", exact=True).press("Enter")
    expect(page.locator("#figure-fabric_left h3")).to_have_text("All 256 hosts still reach each other.")
    expect(page.get_by_text("87.5 % of 400 GB/s, node-0001 and unit-2")).to_be_visible()
    assert_well_drawn(page)
    assert_usable(page, "light", "dark")


def test_a_part_of_the_picture_is_clicked_to_fail_and_another_by_its_button(open_page: OpenPage) -> None:
    page = open_page(f"{FABRIC}/faults")
    figure = page.locator("#figure-fabric_left")
    draw_all(page)
    click_mark(page, LEFT, *place_of(page, "spine-02"))
    expect(page.locator("#section").get_by_label("Switches", exact=True)).to_have_value("spine-02")
    draw_all(page)
    expect(figure.locator(".chart-data")).to_contain_text("spine-02")
    page.goto(page.url)  # the first part is open again
    draw_all(page)
    figure.get_by_role("button", name="Fail unit 1").focus()
    page.keyboard.press("Enter")
    expect(page.locator("#section").get_by_label("Hosts or units")).to_have_value("unit-1")
    expect(page.locator("#section").get_by_label("Switches", exact=True)).to_have_value("spine-02")
    expect(figure.locator("h3")).to_have_text("32 of 256 hosts are cut off.")
    expect(page.get_by_role("row", name="Spare SuperNodes installed")).to_be_visible()
    expect(page.get_by_role("row", name="Spare parts in the store")).to_contain_text("of switches")
    expect(page.get_by_text("Shown(")).to_have_count(0)
    expect(page.get_by_role("table", name="Reachability")).to_contain_text("stops")


def test_a_link_of_the_picture_is_clicked_to_fail(open_page: OpenPage) -> None:
    page = open_page(f"{FABRIC}/faults")
    draw_all(page)
    title = page.evaluate(
        """() => document.querySelector('#figure-fabric_left .plot-frame .plot').data
          .find(({ meta }) => meta === 'choosable').customdata.map(([name]) => name).find((name) => name.includes(' to '))"""
    )
    click_mark(page, LEFT, *place_of(page, title))
    expect(page.locator("#section").get_by_label("Links, device and port")).not_to_have_value("")
    expect(page.locator("#figure-fabric_left h3")).to_have_text("All 256 hosts still reach each other.")
    expect(page.get_by_role("row", name="Failed links")).not_to_contain_text("nothing has failed")


@pytest.mark.parametrize("width", [1280, 360])
def test_failed_units_and_switches_in_every_look(open_page: OpenPage, width: int) -> None:
    page = open_page(f"{FABRIC}/faults?hosts=unit-2&switches=spine-3", width=width, bypass_csp=True)
    assert_well_drawn(page)
    assert_usable(page, "light", "dark")


def place_of(page: Page, title: str) -> tuple[float, float]:
    """Where a mark is on the screen."""
    page.locator("#figure-fabric_left .plot-frame .plot").scroll_into_view_if_needed()
    found = page.evaluate(
        """(title) => {
          const plot = document.querySelector('#figure-fabric_left .plot-frame .plot');
          const { xaxis, yaxis } = plot._fullLayout;
          const trace = plot.data.find(({ meta }) => meta === 'choosable');
          const at = trace.customdata.findIndex(([name]) => name === title);
          const { left, top } = plot.getBoundingClientRect();
          return [left + xaxis._offset + xaxis.d2p(trace.x[at]), top + yaxis._offset + yaxis.d2p(trace.y[at])];
        }""",
        title,
    )
    return found[0], found[1]


def test_jobs_from_the_form_to_their_slow_down_on_a_small_screen(open_page: OpenPage) -> None:
    page = open_page(f"{FABRIC}/sharing", width=360, bypass_csp=True)
    page.locator("#section").get_by_label("Routing").select_option("ecmp")
    page.locator("#section input[type=text], #section textarea").last.press("Tab")
    expect(page.get_by_role("table", name="Pace of each job")).to_contain_text("to spine-")
    assert_well_drawn(page)
    assert_usable(page, "light", "dark")
