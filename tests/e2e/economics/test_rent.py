"""Own or rent in a browser: drawn in both looks, a price stated, a mistake corrected."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.browser import Watch
from tests.conftest import OpenPage
from tests.e2e.looks import assert_usable, assert_well_drawn

RENT = "/economics/gpt_3_175b_on_128_dgx_a100/rent"


@pytest.mark.parametrize("width", [1280, 360])
def test_own_or_rent_in_every_look(open_page: OpenPage, width: int) -> None:
    page = open_page(RENT, width=width, bypass_csp=True)
    assert_well_drawn(page)
    assert_usable(page, "light", "dark")


def test_a_price_is_stated_and_a_share_put_right(open_page: OpenPage, watch: Watch) -> None:
    page = open_page(RENT)
    terms = page.get_by_role("form", name="Financial terms")
    terms.get_by_label("Utilisation").fill("120")
    terms.get_by_label("On-demand rental price").fill("0.01")
    expect(page.locator("#economics-utilisation-error")).to_contain_text("at most")
    expect(terms.get_by_label("On-demand rental price")).to_have_value("0.01")
    watch.forgive("422")
    terms.get_by_label("Utilisation").fill("60")
    expect(page.locator(".rent-verdict")).to_contain_text("at 60\u202f% use renting on demand costs least")
    page.get_by_role("link", name="Reserved", exact=True).click()
    expect(page.locator("[aria-current=true]", has_text="Reserved")).to_be_visible()
    expect(terms.get_by_label("On-demand rental price")).to_have_value("0.01")
