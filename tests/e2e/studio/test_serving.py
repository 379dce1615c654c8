"""A served model in the studio: from another kind of workload, with its layout stated, and corrected by a measurement."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect

from tests.browser import Watch
from tests.conftest import OpenPage
from tests.e2e.looks import assert_no_sideways_scrolling, assert_usable
from tests.e2e.studio.test_journeys import after_change, box, field

KEY = "deepseek_r1_on_8_h200"


def test_a_training_run_becomes_a_served_model_and_back(open_page: OpenPage) -> None:
    page = open_page("/designs/new", bypass_csp=True)
    kind = field(page, "workload.kind")
    figures = page.locator(".key-figures")
    after_change(page, lambda: kind.get_by_label("Serving", exact=True).check())
    expect(figures).to_contain_text("Time per output token")
    expect(field(page, "workload.tokens")).to_have_count(0)
    after_change(page, lambda: box(page, "workload.requests.output_tokens").fill("512"))
    assert_usable(page, "dark", "light")
    after_change(page, lambda: kind.get_by_label("Generic job", exact=True).check())
    expect(figures).to_contain_text("Fraction of peak")
    after_change(page, lambda: kind.get_by_role("button", name="Reset").click())
    expect(figures).to_contain_text("MFU")
    expect(page.locator(".panel-head .chip")).to_have_count(0)
    after_change(page, lambda: page.keyboard.press("Control+z"))
    after_change(page, lambda: page.keyboard.press("Control+z"))
    expect(box(page, "workload.requests.output_tokens")).to_have_value(
        "512"
    )  # nothing that was typed is lost


def test_tools_of_a_chart_are_called_after_what_it_shows(open_page: OpenPage) -> None:
    page = open_page("/designs/new", bypass_csp=True)
    kind = field(page, "workload.kind")
    for name in ("Serving", "Generic job"):
        after_change(page, lambda name=name: kind.get_by_label(name, exact=True).check())
        wrong = page.locator("#results figure.chart").evaluate_all(
            """all => all.flatMap((one) => {
                const eyebrow = one.querySelector('.eyebrow').textContent;
                return [...one.querySelectorAll('.chart-tools .visually-hidden')]
                    .map((said) => said.textContent).filter((said) => !said.endsWith(eyebrow));
            })"""
        )
        assert wrong == []


def test_a_layout_is_stated_and_a_bad_one_is_said_at_its_field(open_page: OpenPage) -> None:
    page = open_page(f"/designs/{KEY}", bypass_csp=True)
    layout = field(page, "workload.layout")
    after_change(page, lambda: layout.get_by_label("Search", exact=True).check())
    expect(box(page, "workload.layout.tp")).to_have_count(0)
    after_change(page, lambda: layout.get_by_label("Aggregated", exact=True).check())
    expect(box(page, "workload.layout.tp")).to_have_value(re.compile(r"^\d+$"))
    box(page, "workload.layout.tp").fill("3")
    expect(field(page, "workload.layout.tp").locator(".field-error")).to_contain_text("heads")
    expect(box(page, "workload.layout.tp")).to_have_value("3")
    after_change(page, lambda: box(page, "workload.layout.tp").fill("8"))
    page.set_viewport_size({"width": 360, "height": 780})
    assert_no_sideways_scrolling(page)


def test_a_measured_point_corrects_it(open_page: OpenPage, watch: Watch) -> None:
    page = open_page(f"/designs/{KEY}", bypass_csp=True)
    page.locator("#panel-workload-more > summary").click()
    page.get_by_role("link", name="Calibrate on an own measurement").click()
    assert_usable(page, "dark", "light")
    page.get_by_label("Time per output token, mean").fill("slow")
    page.get_by_role("button", name="Calibrate", exact=True).click()
    expect(page.locator("#tpots-error")).to_contain_text("is not a number")
    expect(page.get_by_label("Time per output token, mean")).to_have_value("slow")
    watch.forgive("422")
    page.get_by_label("Time per output token, mean").fill("60")
    page.get_by_role("button", name="Calibrate", exact=True).click()
    expect(page.locator("#headline")).to_have_text(re.compile("longer than predicted$"))
    assert_usable(page, "dark", "light")
    page.set_viewport_size({"width": 360, "height": 780})
    assert_no_sideways_scrolling(page)
    page.set_viewport_size({"width": 1280, "height": 900})
    page.get_by_role("link", name="Apply to the design").click()
    expect(page.locator("#figure-step_time")).to_contain_text("Own runs take")


@pytest.mark.parametrize("tab", ["Serving", "Power and cooling", "Cost"])
def test_what_is_not_saved_goes_along(open_page: OpenPage, tab: str) -> None:
    page = open_page(f"/designs/{KEY}")
    after_change(page, lambda: box(page, "workload.requests.output_tokens").fill("512"))
    page.get_by_role("navigation", name="Tabs of the design").get_by_role("link", name=tab).click()
    page.wait_for_url(re.compile(r"\?s="))
    page.reload()
    expect(box(page, "workload.requests.output_tokens")).to_have_value("512")


def test_a_demand_whose_amount_is_cleared_says_the_way_out_and_goes_with_its_growth(
    open_page: OpenPage,
) -> None:
    page = open_page(f"/designs/{KEY}", bypass_csp=True)
    page.locator("#panel-workload-more > summary").click()
    amount = box(page, "workload.demand.requests_per_s")
    amount.fill("")
    said = field(page, "workload.demand.requests_per_s").locator(".field-error")
    expect(said).to_contain_text("leave demand out")
    box(page, "workload.demand.growth_per_year").fill("0")
    after_change(page, lambda: box(page, "workload.demand.years").fill("0"))
    expect(said).to_have_text("")
    after_change(page, lambda: amount.fill("1"))
    expect(amount).to_have_value("1")
