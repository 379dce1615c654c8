"""The cash flow in a browser: drawn in both looks, and terms that are changed and corrected."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.browser import Watch
from tests.conftest import OpenPage
from tests.e2e.looks import assert_usable, assert_well_drawn

CASH = "/economics/edge_node/cash"


@pytest.mark.parametrize("width", [1280, 360])
def test_the_cash_flow_in_every_look(open_page: OpenPage, width: int) -> None:
    page = open_page(CASH, width=width, bypass_csp=True)
    assert_well_drawn(page)
    assert_usable(page, "light", "dark")


def test_half_on_credit_with_a_mistake_put_right(open_page: OpenPage, watch: Watch) -> None:
    page = open_page(CASH)
    page.locator("#section").get_by_label("Debt share").fill("50")
    page.locator("#section").get_by_label("Debt term").fill("0")
    page.locator("#section").get_by_label("Jurisdiction").fill("us")  # MACRS is the law there
    page.locator("#section").get_by_label("Depreciation", exact=True).select_option("macrs")
    expect(page.locator("#economics-finance-debt-years-error")).to_contain_text("0")
    expect(page.locator("#section").get_by_label("Debt share")).to_have_value("50")
    watch.forgive("422")
    page.locator("#section").get_by_label("Debt term").fill("4")
    expect(page.locator(".cash-years")).to_contain_text("Debt service cover")
    expect(page.locator(".cash-basis")).to_contain_text("MACRS")
    with page.expect_download() as started:
        page.get_by_role("link", name="Excel, with formulas").click()
    assert started.value.suggested_filename.endswith(".cash.xlsx")
