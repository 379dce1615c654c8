"""Operations in a browser: every tab in both looks and on a small screen, a simulated run, and a calibration."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.browser import Watch
from tests.conftest import OpenPage
from tests.e2e.looks import assert_usable, assert_well_drawn
from tests.e2e.navigation import open_section

KEY = "llama_3_1_405b_on_2048_dgx_h100"
OPERATIONS = f"/operations/{KEY}"


@pytest.mark.parametrize("width", [1280, 360])
@pytest.mark.parametrize("tab", ["goodput", "size", "checkpoints", "run?runs=50", "spares"])
def test_every_tab_in_every_look(open_page: OpenPage, tab: str, width: int) -> None:
    page = open_page(f"{OPERATIONS}/{tab}", width=width, bypass_csp=True)
    assert_well_drawn(page)
    assert_usable(page, "light", "dark")


@pytest.mark.parametrize("width", [1280, 360])
def test_the_calibration_in_every_look(open_page: OpenPage, width: int) -> None:
    page = open_page(f"{OPERATIONS}/calibrate?count=419&node_days=110592", width=width, bypass_csp=True)
    assert_usable(page, "light", "dark")


def test_a_run_wanted_by_a_day(open_page: OpenPage, watch: Watch) -> None:
    page = open_page(f"{OPERATIONS}/run?runs=50")
    page.locator("#section").get_by_label("Wanted by day").fill("80")
    expect(page.locator("#figure-finish h3")).to_contain_text("by day 80.0 it is")
    page.locator("#section").get_by_label("Wanted by day").fill("-1")
    expect(page.locator("#section").get_by_label("Wanted by day")).to_have_value("-1")
    expect(page.locator("#deadline_days-error")).to_be_visible()
    watch.forgive("422")


def test_own_interruptions_go_into_the_design(open_page: OpenPage) -> None:
    page = open_page(f"{OPERATIONS}/calibrate")
    page.locator("#section").get_by_label("Interruptions", exact=True).fill("419")
    page.locator("#section").get_by_label("Node-days").fill("110592")
    expect(page.get_by_role("row", name="This fleet")).to_contain_text("3.08")
    page.get_by_role("link", name="Use in this design").click()
    page.wait_for_url(f"**/designs/{KEY}?s=*")


def test_from_the_studio_to_a_figure(open_page: OpenPage) -> None:
    page = open_page(f"/designs/{KEY}")
    open_section(page, "Reliability", "Goodput")
    page.wait_for_url("**/operations/**")
    # The table below the chart: the chart's own table goes out of sight once the chart is drawn.
    page.locator("#section .operations-table").get_by_role("link", name="Restarts").click()
    expect(page.get_by_text("Share of elapsed time in restarts").first).to_be_visible()
