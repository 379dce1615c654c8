"""The worked examples in a browser, from the real server."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from app.scenarios.examples import list_examples
from tests.conftest import OpenPage
from tests.e2e.looks import assert_usable, assert_well_drawn

KEYS = [example.key for example in list_examples()]
MAIN = "llama_3_1_405b_on_2048_dgx_h100"


def test_home_opens_on_the_examples(page: Page) -> None:
    shown = page.get_by_role("region", name="Worked examples").locator(".card")
    assert shown.count() == len(KEYS) >= 7
    page.get_by_role("link", name="Llama 3.1 405B on 2,048 DGX H100").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Llama 3.1 405B on 2,048 DGX H100")
    for name in ("Elapsed time", "MFU", "Cost per run", "Utility peak", "PUE", "ETTR"):
        expect(page.locator(".key-figures")).to_contain_text(name)
    assert_well_drawn(page)
    expect(page.locator("#figure-topology")).to_contain_text("64 units")
    expect(page.locator("#figure-bandwidth .plot")).to_contain_text("9.0× less")
    expect(page.locator("#figure-tco .plot")).to_contain_text("Capital cost")


@pytest.mark.parametrize("key", [key for key in KEYS if key != MAIN])
def test_example(open_page: OpenPage, key: str) -> None:
    page = open_page(f"/designs/{key}", bypass_csp=True)
    assert_well_drawn(page)
    assert_usable(page)


@pytest.mark.parametrize("width", [1280, 360])
def test_main_example_in_every_look(open_page: OpenPage, width: int) -> None:
    page = open_page(f"/designs/{MAIN}", width=width, bypass_csp=True)
    assert_well_drawn(page)
    assert_usable(page, "light", "dark")


def test_explanation_is_accessible(open_page: OpenPage) -> None:
    page = open_page(f"/designs/{MAIN}/explain/fabric.bandwidth_gap", bypass_csp=True)
    for summary in page.locator(".tree > li > details > summary").all():
        summary.click()
    assert_usable(page, "light", "dark")
