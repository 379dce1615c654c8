"""The cost of a run in a browser: drawn in both looks, a rate of serving, a mistake corrected, research."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect

from tests.browser import Watch
from tests.conftest import OpenPage
from tests.e2e.looks import assert_usable, assert_well_drawn

RUNS = "/economics/edge_node/runs"


@pytest.mark.parametrize("width", [1280, 360])
def test_the_cost_of_a_run_in_every_look(open_page: OpenPage, width: int) -> None:
    page = open_page(f"{RUNS}?tokens_per_s=500", width=width, bypass_csp=True)
    assert_well_drawn(page)
    assert_usable(page, "light", "dark")


def test_a_rate_put_right_and_research(open_page: OpenPage, watch: Watch) -> None:
    page = open_page(RUNS)
    page.locator("#section").get_by_label("Tokens served per second").fill("-5")
    expect(page.locator("#tokens_per_s-error")).to_contain_text("must be above 0")
    expect(page.locator("#section").get_by_label("Tokens served per second")).to_have_value("-5")
    watch.forgive("422")
    page.locator("#section").get_by_label("Tokens served per second").fill("500")
    page.locator("#section").get_by_label("Research multiplier").fill("3")
    expect(page).to_have_url(re.compile(r"[?&]s=.*tokens_per_s=500|tokens_per_s=500&s="))
    expect(page.get_by_role("region", name="Cost per 1 M tokens served, table")).to_contain_text("on demand")
    expect(page.locator("#figure-run_methods")).to_contain_text("The diamond is the project")
