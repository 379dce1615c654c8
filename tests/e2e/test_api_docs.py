"""The API's own pages in a browser: nothing from elsewhere, nothing that the content policy forbids."""

from __future__ import annotations

import pytest

pytestmark = pytest.mark.browser


def test_the_docs_show_every_operation_and_run_one(open_page):
    page = open_page("/docs")
    page.wait_for_selector(".opblock")
    assert page.locator(".opblock").count() == 11
    page.locator("#operations-health-healthz .opblock-summary-control").click()
    page.locator("#operations-health-healthz .try-out__btn").click()
    page.locator("#operations-health-healthz .execute").click()
    answer = page.locator("#operations-health-healthz .live-responses-table .response-col_status")
    answer.get_by_text("200").first.wait_for()


def test_an_evaluation_runs_from_the_docs_as_it_stands(open_page):
    page = open_page("/docs")
    block = page.locator("#operations-evaluations-evaluate")
    block.locator(".opblock-summary-control").click()
    block.locator(".try-out__btn").click()
    assert "Llama 3.1 405B" in block.locator("textarea.body-param__text").input_value()
    block.locator(".execute").click()
    block.locator(".live-responses-table .response-col_status").get_by_text("200").first.wait_for()


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [360, 1280])
def test_the_docs_are_accessible(open_page, axe, scheme, width):
    page = open_page("/docs", scheme=scheme, width=width, bypass_csp=True)
    page.wait_for_selector(".opblock")
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    assert axe(page) == []


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [360, 1280])
def test_the_page_of_problems_is_accessible(open_page, axe, scheme, width):
    page = open_page("/docs/problems#invalid-scenario", scheme=scheme, width=width, bypass_csp=True)
    assert page.locator("#invalid-scenario h2").inner_text() == "The scenario cannot be used"
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    assert axe(page) == []
