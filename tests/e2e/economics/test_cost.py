"""The build-up in a browser: drawn in both looks, and a term that is changed and corrected."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.browser import Watch
from tests.conftest import OpenPage
from tests.e2e.looks import assert_usable, assert_well_drawn

COST = "/economics/edge_node/cost"


@pytest.mark.parametrize("width", [1280, 360])
def test_the_build_up_in_every_look(open_page: OpenPage, width: int) -> None:
    page = open_page(COST, width=width, bypass_csp=True)
    assert_well_drawn(page)
    assert_usable(page, "light", "dark")


def test_into_colocation_with_a_mistake_put_right(open_page: OpenPage, watch: Watch) -> None:
    page = open_page(COST)
    page.locator("#section").get_by_label("Equipment life").fill("0")
    page.locator("#section").get_by_role("combobox", name="Building").select_option("colocation")
    expect(page.locator("#economics-life-years-error")).to_contain_text("0")
    expect(page.locator("#section").get_by_label("Equipment life")).to_have_value("0")
    watch.forgive("422")
    page.locator("#section").get_by_label("Equipment life").fill("4")
    expect(page.locator(".cost-tree")).to_contain_text("Colocation")
    expect(page.locator(".cost-tree")).not_to_contain_text("Land")
    expect(page.get_by_text("this design is in colocation")).to_be_visible()
    page.locator('.cost-tree a[data-explain$=".colocation"]').click()
    expect(page.get_by_role("heading", name="Annual cost of colocation")).to_be_visible()
