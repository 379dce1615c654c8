"""An own model in a browser: from the first page to its first result, and from a picker that knows no such model."""

from __future__ import annotations

import time
from collections.abc import Iterator

import pytest
from playwright.sync_api import Page, expect

from tests.browser import Watch, until
from tests.conftest import OpenPage
from tests.e2e.looks import assert_usable

FIELDS = {
    "Model name": "Journey 9B", "Layers": "36", "Hidden size": "4096", "Vocabulary": "128000",
    "Query heads": "32", "Key and value heads": "8", "Feed-forward size": "14336",
}  # fmt: skip


@pytest.fixture
def nothing_left(open_page: OpenPage) -> Iterator[None]:
    """Rows of the personal workspace count for every other test as well."""
    yield
    page = open_page("/catalog")
    for key in ("journey_9b", "zz_brand_new"):
        page.request.delete(f"/api/v1/catalog/models/{key}", headers={"if-match": "*"})


def fill(page: Page, label: str, text: str) -> None:
    page.locator("#model-form").get_by_label(label, exact=False).first.fill(text)


@pytest.mark.parametrize("width", [1280, 360])
def test_from_the_first_page_to_a_result(
    open_page: OpenPage, watch: Watch, nothing_left: None, width: int
) -> None:
    page = open_page("/", width=width, bypass_csp=True)
    visited = [page.url]
    page.on("framenavigated", lambda frame: visited.append(frame.url) if frame == page.main_frame else None)
    begun = time.monotonic()
    page.get_by_role("link", name="Use your own model").click()
    page.wait_for_url("**/catalog/own/model?design=new")
    for label, text in FIELDS.items():
        fill(page, label, text)
    expect(page.locator("[data-size=parameters]")).to_contain_text("8,900,313,088")
    page.get_by_role("button", name="Save and use in the design").last.click()
    page.wait_for_url("**/designs/new?s=*")
    expect(page.locator(".key-figures .key-value").first).to_contain_text("days")
    assert time.monotonic() - begun < 180  # a minute on an idle machine
    pages = [url.split("?")[0] for place, url in enumerate(visited) if url != visited[place - 1] or not place]
    assert len(dict.fromkeys(pages)) == 3, pages
    expect(page.locator("#results")).to_contain_text("Journey 9B")


def test_the_form_looks_well_and_keeps_what_was_typed(open_page: OpenPage, watch: Watch) -> None:
    page = open_page("/catalog/own/model", bypass_csp=True)
    fill(page, "Hidden size", "1000")
    fill(page, "Query heads", "7")
    page.get_by_label("Kind of attention").select_option(label="Multi-head latent (MLA)")
    expect(page.get_by_label("Latent value size")).to_be_visible()
    page.get_by_role("button", name="Save").last.click()
    expect(page.locator("#faults")).to_be_focused()
    expect(page.locator("#faults")).to_contain_text("Latent value size: A value is required")
    expect(page.get_by_label("Hidden size").first).to_have_value("1000")
    assert_usable(page, "light", "dark")
    page.set_viewport_size({"width": 360, "height": 740})
    assert_usable(page, "light", "dark")
    watch.forgive("422")


def test_a_picker_that_knows_no_such_model(open_page: OpenPage, nothing_left: None) -> None:
    page = open_page("/designs/new", bypass_csp=True)
    until(page, "document.querySelector('.studio[data-live]') !== null")
    box = page.locator('.field[data-path="workload.model"] input')
    box.fill("Zz brand new")
    page.get_by_role("option", name="Add your own model").click()
    page.wait_for_url("**/catalog/own/model?**")
    assert page.get_by_label("Model name").input_value() == "Zz brand new"
    page.get_by_label("Start from a known model").select_option("llama_3_1_8b")
    page.wait_for_url("**begin=llama_3_1_8b**")
    fill(page, "Model name", "Zz brand new")
    page.get_by_role("button", name="Save and use in the design").last.click()
    page.wait_for_url("**/designs/new?s=*")
    expect(page.locator("#results")).to_contain_text("Zz brand new")
