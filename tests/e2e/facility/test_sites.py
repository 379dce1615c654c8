"""Sites in a browser: drawn in both looks, sorted, compared by another plant, and a design opened elsewhere."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect

from tests.conftest import OpenPage
from tests.e2e.looks import assert_usable, assert_well_drawn, draw_all

SITES = "/facility/llama_3_1_405b_on_gb200_nvl72/sites"


@pytest.mark.parametrize("width", [1280, 360])
def test_sites_in_every_look(open_page: OpenPage, width: int) -> None:
    page = open_page(SITES, width=width, bypass_csp=True)
    assert_well_drawn(page)
    assert_usable(page, "light", "dark")


def test_from_the_ranking_to_the_design_elsewhere(open_page: OpenPage) -> None:
    page = open_page(SITES)
    draw_all(page)
    rows = page.locator(".sites-table tbody tr")
    expect(rows).to_have_count(61)
    page.get_by_role("link", name="Carbon").click()
    expect(page.locator('.sites-table th[aria-sort="ascending"]')).to_contain_text("Carbon")
    expect(rows.first).to_contain_text("Stockholm")
    page.locator("#section").get_by_label("Plant").select_option("direct_liquid_tower")
    expect(rows.first).to_contain_text("Liquid, cooling tower")
    expect(page.locator('.sites-table th[aria-sort="ascending"]')).to_contain_text("Carbon")
    page.get_by_role("rowheader", name="Phoenix AZ").get_by_role("link").click()
    expect(page).to_have_url(re.compile(r"/designs/llama_3_1_405b_on_gb200_nvl72\?s="))
    expect(page.locator('[name="facility.site"]')).to_have_value("phoenix")
