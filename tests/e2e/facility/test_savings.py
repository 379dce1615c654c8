"""The savings in a browser: drawn in both looks, a step switched off, and a mistake corrected."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.browser import Watch
from tests.conftest import OpenPage
from tests.e2e.looks import assert_usable, assert_well_drawn

SAVINGS = "/facility/edge_node/savings"


@pytest.mark.parametrize("width", [1280, 360])
def test_the_savings_in_every_look(open_page: OpenPage, width: int) -> None:
    page = open_page(SAVINGS, width=width, bypass_csp=True)
    assert_well_drawn(page)
    assert_usable(page, "light", "dark")


def test_a_step_is_switched_off_and_a_share_put_right(open_page: OpenPage, watch: Watch) -> None:
    page = open_page(SAVINGS)
    page.locator("#section").get_by_label("Renewables and storage").uncheck()
    page.locator("#section").get_by_label("Deferrable work").fill("1.5")
    expect(page.locator("#flexible_share-error")).to_contain_text("at most 1")
    expect(page.locator("#section").get_by_label("Deferrable work")).to_have_value("1.5")
    expect(page.locator("#section").get_by_label("Renewables and storage")).not_to_be_checked()
    watch.forgive("422")
    page.locator("#section").get_by_label("Deferrable work").fill("0.5")
    expect(page.locator(".saving-steps")).to_contain_text("50\u202f% of the work waits")
    expect(page.locator(".saving-verdict")).to_have_text("Not reached, with renewables counted or without.")
    expect(page.locator("#figure-week_0")).to_have_count(0)
