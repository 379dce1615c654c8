"""From the home page by each question to a saved design, in Chromium, against the real server."""

from __future__ import annotations

import re
from urllib.parse import parse_qs, urlparse

import pytest
from playwright.sync_api import Page, expect

from app.views.questions.words import QUESTION_WORDS, Words
from tests.browser import until
from tests.conftest import OpenPage
from tests.e2e.looks import assert_no_sideways_scrolling, assert_usable, assert_well_drawn

SAVED = re.compile(r"/designs/[0-9a-f]{32}$")
OF_EACH = pytest.mark.parametrize("words", QUESTION_WORDS, ids=[words.key for words in QUESTION_WORDS])
WAIT_MS = 60_000


def answered(page: Page) -> None:
    """The answer to what is typed is there."""
    expect(page.locator("#verdict")).to_be_visible(timeout=WAIT_MS)
    expect(page.locator("#answer[aria-busy], #answer.is-old")).to_have_count(0, timeout=WAIT_MS)


def changed(page: Page, label: str, text: str) -> None:
    """Type into an input, and wait for the answer to it."""
    with page.expect_response(lambda answer: "live=1" in answer.url, timeout=WAIT_MS):
        page.get_by_label(label, exact=True).fill(text)
    answered(page)


@OF_EACH
def test_from_home_to_a_saved_design(open_page: OpenPage, words: Words) -> None:
    page = open_page("/")
    page.get_by_role("link", name=words.title).click()
    expect(page.get_by_role("heading", level=1)).to_have_text(words.title)
    answered(page)
    assert_well_drawn(page)
    page.get_by_role("link", name="Open in full").click()
    expect(page.locator("#studio[data-live]")).to_have_count(1)
    title = page.get_by_role("heading", level=1).inner_text()
    assert title != "New design"
    page.keyboard.press("Control+s")
    asked = page.get_by_role("dialog", name="Save as")
    expect(asked.get_by_label("Name")).to_have_value(title)
    asked.get_by_label("Name").press("Enter")
    page.wait_for_url(SAVED)
    expect(page.get_by_role("heading", level=1)).to_have_text(title)


def test_the_answer_follows_what_is_typed(open_page: OpenPage) -> None:
    page = open_page("/start/train?model=llama_3_1_8b&tokens=1&system=dgx_h100&deadline_days=30")
    answered(page)
    expect(page.locator("#verdict")).to_contain_text("6 × DGX H100")
    expect(page.locator(".question-send")).to_be_hidden()
    changed(page, "Deadline", "10")
    expect(page.locator("#verdict")).to_contain_text("16 × DGX H100")
    assert parse_qs(urlparse(page.url).query)["deadline_days"] == ["10"]
    page.reload()
    answered(page)
    expect(page.get_by_label("Deadline", exact=True)).to_have_value("10")
    expect(page.locator("#verdict")).to_contain_text("16 × DGX H100")


def test_a_refused_input_keeps_what_was_typed_and_the_last_answer(open_page: OpenPage) -> None:
    page = open_page("/start/extend")
    answered(page)
    box = page.get_by_label("SuperNodes added", exact=True)
    box.fill("many")
    fault = page.locator('[data-error="added"]')
    expect(fault).to_be_visible(timeout=WAIT_MS)
    expect(fault).to_contain_text("Enter a whole number")
    expect(box).to_have_value("many")
    expect(box).to_have_attribute("aria-invalid", "true")
    expect(page.locator("#answer.is-old #verdict")).to_have_count(1)
    changed(page, "SuperNodes added", "32")
    expect(fault).to_be_hidden()
    expect(page.locator("#verdict")).to_contain_text("32 × DGX H100 more")


def test_what_nothing_does_is_refused_in_words(open_page: OpenPage) -> None:
    page = open_page("/start/site?power_w=0.05", bypass_csp=True)
    answered(page)
    expect(page.locator(".question-verdict.is-refused")).to_contain_text("carries none")
    expect(page.get_by_role("link", name="Open in full")).to_have_count(0)
    assert_usable(page, "light", "dark")


def test_by_keyboard_alone(open_page: OpenPage) -> None:
    page = open_page("/")
    link = page.get_by_role("link", name="Plan a site")
    for _ in range(60):
        page.keyboard.press("Tab")
        if link.evaluate("link => link === document.activeElement"):
            break
    page.keyboard.press("Enter")
    page.wait_for_url("**/start/site*")
    answered(page)
    box = page.get_by_label("Utility power")
    for _ in range(60):
        page.keyboard.press("Tab")
        if box.evaluate("box => box === document.activeElement"):
            break
    before = page.locator("#verdict").inner_text()
    page.keyboard.press("Control+a")
    page.keyboard.type("4")
    expect(page.locator("#verdict")).to_contain_text("4.00 MW", timeout=WAIT_MS)
    assert page.locator("#verdict").inner_text() != before
    answered(page)
    open_in_full = page.get_by_role("link", name="Open in full")
    for _ in range(20):
        page.keyboard.press("Tab")
        if open_in_full.evaluate("link => link === document.activeElement"):
            break
    page.keyboard.press("Enter")
    page.wait_for_url("**/designs/new*")


def test_without_scripts_the_button_answers(open_page: OpenPage) -> None:
    page = open_page("/start/compare", scripts=False)
    page.get_by_label("Accelerators", exact=True).fill("64")
    page.get_by_role("button", name="Answer").click()
    expect(page.locator("#verdict")).to_contain_text("at the least cost", timeout=WAIT_MS)
    expect(page.get_by_role("table", name="Systems compared")).to_be_visible()


@pytest.mark.parametrize("width", [1280, 360])
@OF_EACH
def test_in_every_look(open_page: OpenPage, words: Words, width: int) -> None:
    page = open_page(f"/start/{words.key}", width=width, bypass_csp=True)
    answered(page)
    assert_well_drawn(page)
    assert_usable(page, "light", "dark")
    assert_no_sideways_scrolling(page)


@pytest.mark.parametrize("width", [1280, 360])
def test_home_in_every_look(open_page: OpenPage, width: int) -> None:
    page = open_page("/", width=width, bypass_csp=True)
    until(page, "!document.querySelector('.card[data-pending]')")
    expect(page.locator(".card .pod-glyph").first).to_be_visible()
    assert_usable(page, "light", "dark")
