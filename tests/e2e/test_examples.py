"""The worked examples in a browser, from the real server."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from app.scenarios.examples import list_examples
from tests.conftest import OpenPage
from tests.e2e.looks import assert_no_sideways_scrolling, assert_well_drawn

KEYS = [example.key for example in list_examples()]
MAIN = "llama_3_1_405b_on_2048_dgx_h100"


def test_home_opens_on_the_examples(page: Page) -> None:
    assert page.locator(".card").count() == len(KEYS) >= 7
    page.get_by_role("link", name="Llama 3.1 405B on 2,048 DGX H100").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Llama 3.1 405B on 2,048 DGX H100")
    for name in ("Elapsed time", "MFU", "Cost per run", "Utility peak", "PUE", "ETTR"):
        expect(page.locator(".key-figures")).to_contain_text(name)


@pytest.mark.parametrize("key", KEYS)
def test_example(open_page: OpenPage, axe: Callable[..., list[str]], key: str) -> None:
    page = open_page(f"/designs/{key}", bypass_csp=True)
    assert_well_drawn(page)
    assert_no_sideways_scrolling(page)
    assert axe(page) == []


@pytest.mark.parametrize(("scheme", "width"), [("dark", 1280), ("light", 360), ("dark", 360)])
def test_main_example_in_every_look(
    open_page: OpenPage, axe: Callable[..., list[str]], scheme: str, width: int
) -> None:
    page = open_page(f"/designs/{MAIN}", scheme=scheme, width=width, bypass_csp=True)
    assert_well_drawn(page)
    assert_no_sideways_scrolling(page)
    assert axe(page) == []


def test_three_views_are_drawn_from_the_evaluation(open_page: OpenPage) -> None:
    page = open_page(f"/designs/{MAIN}")
    assert_well_drawn(page)
    expect(page.locator("#figure-topology")).to_contain_text("64 units")
    expect(page.locator("#figure-bandwidth .plot")).to_contain_text("9.0× less")
    expect(page.locator("#figure-tco .plot")).to_contain_text("Capital cost")


@pytest.mark.parametrize("key", KEYS)
def test_every_figure_that_is_linked_explains_itself(open_page: OpenPage, key: str) -> None:
    page = open_page(f"/designs/{key}")
    links = page.evaluate(
        "[...new Set([...document.querySelectorAll('a[href*=\"/explain/\"]')].map(a => a.href))]"
    )
    assert links
    answers = page.evaluate(
        "links => Promise.all(links.map(link => fetch(link).then(answer => [link, answer.status])))", links
    )
    assert [link for link, status in answers if status != 200] == []


def test_explanation_is_accessible(open_page: OpenPage, axe: Callable[..., list[str]]) -> None:
    page = open_page(f"/designs/{MAIN}/explain/fabric.bandwidth_gap", bypass_csp=True)
    for summary in page.locator(".tree > li > details > summary").all():
        summary.click()
    assert axe(page) == []
    assert_no_sideways_scrolling(page)
