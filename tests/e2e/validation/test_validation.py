"""The validation pages in a browser: charts drawn in both looks, filters that follow, a run that opens."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, expect

from app.catalog.validated import validated_runs
from tests.browser import until
from tests.conftest import OpenPage
from tests.e2e.looks import assert_usable, assert_well_drawn, draw_all
from tests.e2e.navigation import follow_menu

SCATTER = "#figure-predicted_measured"
RUNS = validated_runs()
MIXTURES = f"{sum(run.architecture == 'moe' for run in RUNS)} of {len(RUNS)} runs"


@pytest.mark.parametrize("width", [1280, 360])
def test_pages_in_every_look(open_page: OpenPage, width: int) -> None:
    page = open_page("/validation", width=width, bypass_csp=True)
    assert_well_drawn(page)
    assert_usable(page, "light", "dark")
    page.goto("/validation/training")
    assert_usable(page)
    page.get_by_role("region", name="Training runs, table").get_by_role("link").last.click()
    page.wait_for_url("**/validation/training/**")
    assert_well_drawn(page)
    assert_usable(page, "dark", "light")


def test_from_all_runs_to_one_and_to_its_design(open_page: OpenPage) -> None:
    page = open_page("/")
    follow_menu(page, "Accuracy", "Validation")
    expect(page.get_by_role("heading", level=1)).to_have_text("Validation")
    page.get_by_role("combobox", name="Architecture").select_option("moe")
    expect(page.locator("#results [role=status]")).to_have_text(MIXTURES)
    assert draw_all(page) == 2
    page.get_by_role("link", name="With the runs in the fit").first.click()
    expect(page.locator(".fit-switch [aria-current=true]").first).to_have_text("With the runs in the fit")
    expect(page.locator("#results [role=status]")).to_have_text(MIXTURES)
    draw_all(page)
    name = click_first_marker(page)
    expect(page.get_by_role("heading", level=1)).to_have_text(name)
    page.get_by_role("link", name="Open as a design").click()
    expect(page.get_by_role("heading", level=1)).to_have_text(name)


def click_first_marker(page: Page, address: str = "**/validation/training/*") -> str:
    """Open a measurement from its marker; the name that the marker says it has."""
    page.locator(SCATTER).scroll_into_view_if_needed()
    place, name = page.evaluate(
        """selector => {
          const plot = document.querySelector(`${selector} .plot-frame .plot`);
          const trace = plot.data.find(({ mode }) => mode === 'markers');
          const box = plot.getBoundingClientRect();
          const { xaxis, yaxis } = plot._fullLayout;
          const x = box.left + xaxis._offset + xaxis.l2p(Math.log10(trace.x[0]));
          const y = box.top + yaxis._offset + yaxis.l2p(Math.log10(trace.y[0]));
          return [[x, y], trace.customdata[0][1]];
        }""",
        SCATTER,
    )
    page.mouse.move(*place)
    until(page, "document.querySelector('.hoverlayer .hovertext') !== null")
    shown = page.locator(".hoverlayer .hovertext").first.text_content() or ""
    assert shown.startswith(name)
    page.mouse.click(*place)
    page.wait_for_url(address)
    return str(name)


def test_collectives_open_from_their_markers_and_explain_themselves(open_page: OpenPage) -> None:
    page = open_page("/validation", bypass_csp=True)
    page.get_by_role("navigation", name="Kind of measurement").get_by_role("link", name="Collectives").click()
    page.wait_for_url("**/validation/collectives*")
    page.get_by_role("combobox", name="System").select_option("AWS p5.48xlarge x2")
    expect(page.locator("#results [role=status]")).to_have_text("25 of 1,913 measurements")
    draw_all(page)
    assert_usable(page)
    page.locator(".misses tbody a").first.click()
    page.wait_for_url("**/validation/collectives/table/**")
    assert_well_drawn(page)
    page.get_by_text("Time of one operation by the three-term model").first.click()
    expect(page.get_by_text("Launch", exact=False).first).to_be_visible()
    assert_usable(page, "light", "dark")
    # what a term means opens by keyboard, and closes again; the formula is closed, as it would lie half below that
    page.get_by_text("Time of one operation by the three-term model").first.click()
    term = page.get_by_role("button", name="In-switch reduction")
    term.focus()
    page.keyboard.press("Enter")
    expect(page.get_by_role("dialog", name="In-switch reduction")).to_be_visible()
    assert_usable(page)
    page.keyboard.press("Escape")
    expect(page.get_by_role("dialog", name="In-switch reduction")).to_be_hidden()


@pytest.mark.parametrize("width", [1280, 360])
def test_scaling_laws_and_terms_are_usable(open_page: OpenPage, width: int) -> None:
    page = open_page("/validation/scaling", width=width, bypass_csp=True)
    page.get_by_text("explained", exact=True).first.click()
    expect(page.get_by_text("Why they differ").first).to_be_visible()
    assert_usable(page, "light", "dark")
    page.get_by_role("contentinfo").get_by_role("link", name="Glossary").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Glossary")
    page.get_by_role("searchbox", name="Search the glossary").fill("busbar")
    page.keyboard.press("Enter")
    expect(page.get_by_role("status").first).to_contain_text("terms")
    assert_usable(page, "light", "dark")


def test_fabrics_are_usable(open_page: OpenPage) -> None:
    page = open_page("/validation/fabric", width=360, bypass_csp=True)
    page.get_by_text("DGX SuperPOD A100", exact=False).first.click()
    expect(page.get_by_text("1,124 cables lead to nodes", exact=False).first).to_be_visible()
    assert_usable(page, "light", "dark")


def test_power_and_cooling_is_usable(open_page: OpenPage) -> None:
    page = open_page("/validation/power", width=360, bypass_csp=True)
    draw_all(page)
    page.locator("#h100_node_lora64 summary").click()
    expect(page.get_by_text("DGX H100, strong scaled")).to_be_visible()
    far = page.get_by_role("region", name="Regions, table").locator("tr", has_text="894 km").first
    far.locator("summary").click()
    expect(far.get_by_text("Climate of Singapore", exact=False)).to_be_visible()
    assert_usable(page, "light", "dark")


def test_served_models_open_from_their_markers(open_page: OpenPage) -> None:
    page = open_page("/validation", bypass_csp=True)
    page.get_by_role("navigation", name="Kind of measurement").get_by_role("link", name="Serving").click()
    expect(page.get_by_role("note")).to_contain_text("not to be trusted above 128 requests in flight")
    assert_usable(page, "light", "dark")
    choice = page.get_by_role("navigation", name="Latencies and throughputs")
    choice.get_by_role("link", name="Time per token", exact=True).click()
    page.wait_for_url("**/validation/serving/tpot")
    page.get_by_role("combobox", name="Engine").select_option("sglang")
    expect(page).to_have_url(re.compile("engine=sglang"))  # the charts of the others are replaced
    draw_all(page)
    page.get_by_role("link", name="With all in the fit").first.click()
    expect(page.locator("[aria-current=true]")).to_have_text("With all in the fit")
    assert "engine=sglang" in page.url
    assert_well_drawn(page)
    assert_usable(page)
    name = click_first_marker(page, "**/validation/serving/tpot/table/*")
    expect(page.get_by_role("heading", level=1)).to_have_text(name)
    expect(page.get_by_text("The same deployment under other loads").first).to_be_visible()
    assert_usable(page, "dark", "light")


@pytest.mark.parametrize("latency", ["tpot-disaggregated", "ttft"])
def test_other_latencies_are_usable_where_there_is_little_room(open_page: OpenPage, latency: str) -> None:
    page = open_page(f"/validation/serving/{latency}", width=360, bypass_csp=True)
    assert_well_drawn(page)
    assert page.get_by_role("note").count() == (1 if latency == "ttft" else 0)
    assert_usable(page, "light", "dark")


def test_throughputs_are_usable(open_page: OpenPage) -> None:
    page = open_page("/validation/serving/throughput", width=360, bypass_csp=True)
    idealised = page.locator("tr", has_text="idealised, not scored").first
    idealised.locator("summary").click()
    expect(idealised.get_by_text("perfect balance over the experts", exact=False).first).to_be_visible()
    assert_usable(page, "light", "dark")


def test_without_scripts(open_page: OpenPage) -> None:
    page = open_page("/validation", scripts=False)
    expect(page.locator(f"{SCATTER} .chart-data table")).to_be_visible()
    page.locator("select[name=precision]").select_option("fp8")
    page.get_by_role("button", name="Apply").click()
    expect(page).to_have_url(re.compile("precision=fp8"))
    page.get_by_role("link", name="Each source left out").first.click()
    expect(page).to_have_url(re.compile("basis=source"))
    assert "precision=fp8" in page.url
    page.get_by_role("link", name="As a table").first.click()
    page.get_by_role("link", name="Error").click()
    expect(page.get_by_role("columnheader", name="Error")).to_have_attribute("aria-sort", "descending")
    first = page.get_by_role("region", name="Training runs, table").locator("tbody th a").first
    name = first.text_content() or ""
    first.click()
    expect(page.get_by_role("heading", level=1)).to_contain_text(name)
    expect(page.locator("#figure-step_time .chart-data table")).to_be_visible()


def test_costs_of_runs_are_usable(open_page: OpenPage) -> None:
    page = open_page("/validation/cost", width=360, bypass_csp=True)
    page.locator("#dsv3_total summary").click()
    expect(page.get_by_text("2,788,000 accelerator-hours x 2 USD/h")).to_be_visible()
    assert_usable(page, "light", "dark")
