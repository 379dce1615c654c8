"""How sure in a browser: drawn in both looks, a range typed and changed, indices computed and cancelled."""

from __future__ import annotations

import re
import time
from typing import Any

import pytest
from playwright.sync_api import Page, Route, expect

from app.scenarios.examples import example
from app.surfaces.pages.studio.state import decode_state, encode_state
from tests.browser import Watch, held_back, until
from tests.conftest import OpenPage
from tests.e2e.looks import assert_usable, assert_well_drawn

DESIGN = "edge_node"
SURE = f"/economics/{DESIGN}/uncertainty"


@pytest.mark.parametrize("width", [1280, 360])
def test_how_sure_in_every_look(open_page: OpenPage, width: int) -> None:
    page = open_page(f"{SURE}?range=economics.utilisation", width=width, bypass_csp=True)
    assert_well_drawn(page)
    assert_usable(page, "light", "dark")


def test_a_range_in_the_studio_and_what_ends_it(open_page: OpenPage, watch: Watch) -> None:
    page = open_page(f"/designs/{DESIGN}")
    row = page.locator('.field[data-path="economics.wacc"]')
    page.locator("#panel-economics > summary").click()
    box = row.locator('input[type="text"]')
    box.fill("8 to 12")
    expect(row.locator(".mark-button")).to_have_attribute("data-kind", "Range by you")
    expect(page.locator(".last-change")).to_contain_text("a range of 8 to 12 %")
    slider = row.locator(".slider")
    slider.focus()
    page.keyboard.press("ArrowRight")
    expect(row.locator(".mark-button")).to_have_attribute("data-kind", "Set by you")
    page.keyboard.press("Control+z")
    expect(box).to_have_value("8 to 12")
    expect(row.locator(".mark-button")).to_have_attribute("data-kind", "Range by you")
    box.fill("12 to 8")
    expect(row.locator(".field-error")).to_contain_text("low end, 0.12, above its high end, 0.08")
    expect(box).to_have_value("12 to 8")
    before = page.url
    row.get_by_role("button", name="Reset").click()
    expect(row.locator(".field-error")).to_be_hidden()
    until(page, "(before) => location.href !== before", before)
    before = page.url
    box.fill("8 to 12")
    expect(row.locator(".mark-button")).to_have_attribute("data-kind", "Range by you")
    until(page, "(before) => location.href !== before && location.search.includes('s=')", before)
    page.reload()
    expect(page.locator('.field[data-path="economics.wacc"] input[type="text"]')).to_have_value("8 to 12")


def indices(page: Page) -> None:
    page.get_by_role("link", name="Compute Sobol indices").click()


def test_a_range_is_changed_and_indices_are_computed(open_page: OpenPage, watch: Watch) -> None:
    page = open_page(f"{SURE}?range=economics.utilisation")
    page.locator("#section").get_by_label("Low end").fill("60")
    page.locator("#section").get_by_label("High end").fill("50")
    page.get_by_role("button", name="Use this range").click()
    expect(page.locator("#range-low-error")).to_contain_text("above its high end")
    expect(page.locator("#section").get_by_label("High end")).to_have_value("50")
    watch.forgive("422")
    page.locator("#range-typical").fill("")
    page.locator("#section").get_by_label("High end").fill("90")
    page.get_by_role("button", name="Use this range").click()
    line = page.locator(".doubt-inputs tbody tr", has_text="Utilisation").last
    expect(line).to_contain_text("your range")
    held: list[Route] = []

    def hold(route: Route) -> None:
        held.append(route)

    page.route("**/sobol?*", hold)  # it takes long enough to be cancelled
    indices(page)
    held_back(page, held)
    page.get_by_role("button", name="Cancel").click()
    expect(page.locator("#doubt-indices")).to_contain_text("Cancelled; nothing was kept.")
    page.unroute("**/sobol?*")
    indices(page)
    expect(page.locator("#figure-sobol .plot")).to_have_attribute("data-drawn", "true", timeout=60_000)
    expect(page.locator("#doubt-verdict")).to_contain_text(re.compile("decides?\\."))


def addressed(page: Page) -> dict[str, Any]:
    """The scenario in the address of a page."""
    values = decode_state(page.evaluate("() => new URL(location.href).searchParams.get('s')"))
    assert values is not None
    return values


def test_correlations_stay_while_an_end_is_typed_anew(open_page: OpenPage, watch: Watch) -> None:
    pair = {"between": ["economics.wacc", "economics.utilisation"], "coefficient": 0.5}
    values = example(DESIGN).read().model_dump(exclude_unset=True, mode="json")
    values["economics"] = {"wacc": "0.08 to 0.12", "utilisation": "0.4 to 0.9"}
    values["uncertainty"] = {"correlations": [pair]}
    page = open_page(f"/designs/{DESIGN}?s={encode_state(values)}")
    page.locator("#panel-economics > summary").click()
    row = page.locator('.field[data-path="economics.wacc"]')
    row.locator('input[type="text"]').press("End")
    for key in ("Backspace", "Backspace", "1", "5"):
        page.keyboard.press(key)
    expect(page.locator(".last-change")).to_contain_text("a range of 8 to 15 %")
    # The address follows a moment after the last key, and holds the ends typed on the way before that.
    end = time.monotonic() + 60
    while (kept := addressed(page))["uncertainty"]["inputs"]["economics.wacc"]["high"] != pytest.approx(0.15):
        assert time.monotonic() < end, kept["uncertainty"]
        page.wait_for_timeout(50)
    assert kept["uncertainty"]["correlations"] == [pair]
