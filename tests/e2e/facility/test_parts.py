"""CDUs, busway and power racks by name, in a browser: chosen in the studio, and the rows of the catalog."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.conftest import OpenPage
from tests.e2e.looks import assert_usable

DESIGN = "/designs/llama_3_1_405b_on_gb200_nvl72"


def test_a_cdu_is_chosen_by_typing(open_page: OpenPage) -> None:
    page = open_page(DESIGN)
    page.evaluate("document.querySelectorAll('details').forEach(part => { part.open = true })")
    field = page.locator('[data-path="facility.cdu"]')
    field.locator("input").first.click()
    page.keyboard.type("CHx")
    page.get_by_role("option", name="CoolIT CHx2000").click()
    expect(page.locator(".last-change")).to_contain_text("Coolant distribution unit")
    expect(field).to_contain_text("CoolIT, 2.00")
    expect(field).to_contain_text("Reset")


def test_what_does_not_fit_says_the_way_out(open_page: OpenPage) -> None:
    page = open_page(DESIGN)
    page.evaluate("document.querySelectorAll('details').forEach(part => { part.open = true })")
    field = page.locator('[data-path="facility.rectifier"]')
    field.locator("input").first.click()
    page.keyboard.type("solid")
    page.get_by_role("option", name="Delta solid-state transformer").click()
    expect(field.locator(".field-error")).to_contain_text("dc_800")


@pytest.mark.parametrize("width", [1280, 360])
def test_units_in_the_catalog_in_every_look(open_page: OpenPage, width: int) -> None:
    page = open_page("/catalog/facility_parts", width=width, bypass_csp=True)
    expect(page.get_by_role("main")).to_contain_text("22 power and cooling units")
    expect(page.get_by_role("main")).to_contain_text("CDU, liquid to liquid")
    assert_usable(page, "light", "dark")
