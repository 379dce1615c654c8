"""The claims pages in a browser: the chart, filters that follow, and the way to a calculation."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.conftest import OpenPage
from tests.e2e.looks import assert_usable, assert_well_drawn
from tests.e2e.navigation import follow_menu


@pytest.mark.parametrize("width", [1280, 360])
def test_pages_in_every_look(open_page: OpenPage, width: int) -> None:
    page = open_page("/claims?verdict=wrong", width=width, bypass_csp=True)
    assert_well_drawn(page)
    assert_usable(page, "light", "dark")
    page.goto("/claims/S2-37")
    assert_usable(page, "dark", "light")


def test_from_all_claims_to_a_calculation(open_page: OpenPage) -> None:
    page = open_page("/")
    follow_menu(page, "Accuracy", "Claims")
    expect(page.get_by_role("heading", level=1)).to_have_text("Claims checked")
    page.get_by_role("combobox", name="Verdict").select_option("wrong")
    expect(page.locator("#results [role=status]")).to_have_text("13 of 127 claims")
    page.get_by_role("searchbox").fill("gpu-days")
    expect(page.locator("#results [role=status]")).to_have_text("1 of 127 claims")
    page.get_by_role("link", name="At 300 TFLOP/s that is about 130 GPU-days").click()
    expect(page.locator(".compared").first).to_contain_text("1,620")


def test_without_scripts_the_form_does_the_same(open_page: OpenPage) -> None:
    page = open_page("/claims", scripts=False)
    page.get_by_role("combobox", name="Verdict").select_option("unverifiable")
    page.get_by_role("button", name="Apply").click()
    expect(page.locator("#results [role=status]")).to_have_text("14 of 127 claims")
