"""The API's own pages in a browser: nothing from elsewhere, nothing that the content policy forbids."""

from __future__ import annotations

from collections import Counter

import pytest
from playwright.sync_api import Locator, Page

from tests.browser import until
from tests.conftest import OpenPage
from tests.e2e.looks import assert_usable

pytestmark = pytest.mark.browser


def try_out(block: Locator) -> None:
    block.locator(".opblock-summary-control").click()
    block.locator(".try-out__btn").click()


def answers_200(block: Locator) -> None:
    block.locator(".execute").click()
    block.locator(".live-responses-table .response-col_status").get_by_text("200").first.wait_for()


def operations(page: Page) -> Counter[str]:
    """How many operations each tag has; the page is there when it shows the tags."""
    paths = page.request.get("/openapi.json").json()["paths"].values()
    found = Counter(operation["tags"][0] for path in paths for operation in path.values())
    until(page, "count => document.querySelectorAll('.opblock-tag').length === count", len(found))
    return found


def test_operations_run_from_the_docs_as_they_stand(open_page: OpenPage) -> None:
    page = open_page("/docs")
    counts = operations(page)
    for tag in ("health", "evaluations"):
        page.locator(f"#operations-tag-{tag}").click()
    until(
        page,
        "count => document.querySelectorAll('.opblock').length === count",
        counts["health"] + counts["evaluations"],
    )
    health = page.locator("#operations-health-healthz")
    try_out(health)
    answers_200(health)
    evaluations = page.locator("#operations-evaluations-evaluate")
    try_out(evaluations)
    assert "Llama 3.1 405B" in evaluations.locator("textarea.body-param__text").input_value()
    answers_200(evaluations)


@pytest.mark.parametrize("width", [360, 1280])
def test_the_docs_are_usable_in_every_look(open_page: OpenPage, width: int) -> None:
    page = open_page("/docs", width=width, bypass_csp=True)
    operations(page)
    page.locator("#operations-tag-health").click()
    page.evaluate("scrollTo(0, 0)")  # what lies half under the header is smaller than it is
    assert_usable(page, "light", "dark")


@pytest.mark.parametrize("width", [360, 1280])
def test_the_page_of_problems_is_usable_in_every_look(open_page: OpenPage, width: int) -> None:
    page = open_page("/docs/problems#invalid-scenario", width=width, bypass_csp=True)
    assert page.locator("#invalid-scenario h2").inner_text() == "The scenario cannot be used"
    assert_usable(page, "light", "dark")
