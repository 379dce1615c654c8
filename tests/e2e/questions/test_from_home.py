"""Five questions of a newcomer, each from the home page to its answer, clicks and fields counted, in Chromium."""

from __future__ import annotations

import re
from dataclasses import dataclass

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.conftest import OpenPage
from tests.e2e.looks import assert_no_sideways_scrolling, assert_usable

pytestmark = pytest.mark.slow

WAIT_MS = 60_000
SEARCH_MS = 120_000
MOST_STEPS = 3


@dataclass
class Newcomer:
    """Someone at a page: every click and every field that is filled in counts as one step."""

    page: Page
    steps: int = 0

    def click(self, place: Locator) -> None:
        self.steps += 1
        place.click(timeout=WAIT_MS)

    def asks(self, title: str) -> None:
        self.click(
            self.page.get_by_role("navigation", name="Questions with an answer").get_by_text(
                title, exact=True
            )
        )

    def is_told(self, place: Locator, pattern: str, timeout: float = WAIT_MS) -> None:
        expect(place).to_contain_text(re.compile(pattern), timeout=timeout)
        assert self.steps <= MOST_STEPS


@pytest.fixture
def newcomer(open_page: OpenPage) -> Newcomer:
    return Newcomer(open_page("/", bypass_csp=True))


def test_why_is_mfu_41_percent(newcomer: Newcomer) -> None:
    newcomer.asks("Why is MFU 41 %?")
    newcomer.is_told(
        newcomer.page.locator("p.lead"), r"^MFU is 41\.\d\s%; .* lost to kernels below peak \(\d"
    )
    assert_usable(newcomer.page, "light")


def test_own_or_rent_for_18_months(newcomer: Newcomer) -> None:
    newcomer.asks("Own or rent for 18 months?")
    newcomer.is_told(newcomer.page.locator(".decision-verdict"), r"^(Own|Rent|Reserve).* USD over 18 months")
    expect(newcomer.page.get_by_label("Work for")).to_have_value("18")


def test_what_breaks_first_at_100_000_gpus(newcomer: Newcomer) -> None:
    newcomer.asks("What breaks first at 100,000 GPUs?")
    newcomer.is_told(
        newcomer.page.locator("p.lead"),
        r"^Accelerators break first: .*100,000 accelerators every .* stays useful\.$",
    )
    rows = newcomer.page.get_by_role("table", name="What breaks first").locator("tbody tr")
    expect(rows.nth(0)).to_contain_text("Accelerators")
    expect(rows.nth(0)).to_contain_text("64 %")
    assert_usable(newcomer.page, "dark")


def test_where_to_build_for_least_carbon(newcomer: Newcomer) -> None:
    newcomer.asks("Where to build for least carbon?")
    newcomer.is_told(
        newcomer.page.locator("#sites-verdict"), r"^Least carbon: .*\s% less carbon and .* than at Ashburn"
    )
    first = newcomer.page.locator(".sites-table tbody tr").nth(0)
    named = first.locator("th a").inner_text()
    expect(newcomer.page.locator("#sites-verdict")).to_contain_text(named)


def test_which_supernode_trains_405b_fastest(newcomer: Newcomer) -> None:
    newcomer.asks("Which SuperNode trains Llama 3.1 405B fastest under 20 MW?")
    expect(newcomer.page.get_by_label("Power at the meter at most")).to_have_value("20")
    expect(newcomer.page.locator(".lead")).to_contain_text("Which SuperNode trains Llama 3.1 405B fastest")
    newcomer.is_told(newcomer.page.locator("#verdict"), r"(NVL72|DGX)", SEARCH_MS)
    assert newcomer.page.locator(".study-ranked tbody tr").count() >= 1


@pytest.mark.parametrize("width", [1280, 360])
def test_the_questions_of_the_home_page_look_right(open_page: OpenPage, width: int) -> None:
    page = open_page("/", width=width, bypass_csp=True)
    expect(page.get_by_role("navigation", name="Questions with an answer").get_by_role("link")).to_have_count(
        5
    )
    assert_no_sideways_scrolling(page)
