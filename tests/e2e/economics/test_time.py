"""Cost against time in a browser: drawn in both looks, other systems chosen, and a pod opened in the studio."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect

from tests.conftest import OpenPage
from tests.e2e.looks import assert_usable, assert_well_drawn, draw_all

TIME = "/economics/edge_node/time?system=dgx_h100&system=tpu_v5p_pod"


@pytest.mark.parametrize("width", [1280, 360])
def test_cost_against_time_in_every_look(open_page: OpenPage, width: int) -> None:
    page = open_page(TIME, width=width, bypass_csp=True)
    assert_well_drawn(page)
    assert_usable(page, "light", "dark")


def test_other_systems_and_terms_then_a_pod_in_the_studio(open_page: OpenPage) -> None:
    page = open_page(TIME)
    draw_all(page)
    page.locator(".time-systems summary").click()
    page.locator("#section").get_by_label("TPU v5p pod").uncheck()
    page.locator("#section").get_by_label("DGX B200", exact=True).check()
    page.locator("#section").get_by_label("Cost of the run", exact=True).select_option("on_demand")
    expect(page.locator(".time-system")).to_have_count(3)
    expect(page.locator(".time-figure")).to_contain_text("rented on demand")
    expect(page.locator("#section").get_by_label("Cost of the run", exact=True)).to_have_value("on_demand")
    page.locator("tbody", has_text="DGX B200").locator("tr.selected a").click()
    expect(page).to_have_url(re.compile(r"/designs/edge_node\?s="))
    expect(page.locator('[name="supernode.system"]')).to_have_value("dgx_b200")
