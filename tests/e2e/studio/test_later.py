"""A slow section in a browser: inputs and key figures at once, then the section; a link without scripts."""

from __future__ import annotations

import re

from playwright.sync_api import Route, expect

from tests.browser import held_back
from tests.conftest import OpenPage
from tests.e2e.looks import assert_usable

RUN = "/operations/edge_node/run"


def test_the_page_comes_first_and_its_section_follows(open_page: OpenPage) -> None:
    page = open_page("/help", bypass_csp=True)
    held: list[Route] = []
    page.route(re.compile(r"/operations/edge_node/run"), lambda route: held.append(route)
               if "podwright-part" in route.request.headers else route.continue_())  # fmt: skip
    page.goto(RUN)
    expect(page.locator("#section")).to_contain_text("Calculating")
    expect(page.locator(".key-figures")).to_be_visible()
    assert_usable(page, "light", "dark")
    held_back(page, held).continue_()
    expect(page.locator("#section figure.chart").first).to_be_visible(timeout=60_000)
    expect(page.locator("#section")).not_to_contain_text("Calculating")
    expect(page).to_have_url(re.compile(f"{RUN}$"))


def test_without_scripts_a_link_shows_it(open_page: OpenPage) -> None:
    page = open_page(RUN, scripts=False)
    page.locator("#section").get_by_role("link", name="Show Simulated run").click()
    expect(page.locator("#section figure.chart").first).to_be_visible(timeout=60_000)
