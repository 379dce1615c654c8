"""The build-out in a browser: drawn in both looks, and terms that are changed."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.conftest import OpenPage
from tests.e2e.looks import assert_usable, assert_well_drawn

BUILD_OUT = "/economics/edge_node/build_out"


@pytest.mark.parametrize("width", [1280, 360])
def test_the_build_out_in_every_look(open_page: OpenPage, width: int) -> None:
    page = open_page(BUILD_OUT, width=width, bypass_csp=True)
    assert_well_drawn(page)
    assert_usable(page, "light", "dark")


def test_bridge_power_is_drawn_when_it_is_chosen(open_page: OpenPage) -> None:
    page = open_page(BUILD_OUT)
    page.locator("#section").get_by_label("Bridge power", exact=True).select_option("gas_engine")
    page.locator("#section").get_by_label("Paid for by").select_option("level_loan")
    expect(page.locator(".cash-verdict")).to_contain_text("full power of")
    expect(page.locator("#figure-build_out_cash")).to_contain_text("Interest during construction")
