"""Terms in labels: explained on hover, on keyboard focus and by tap; the glossary follows what is typed."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from app.catalog.glossary import glossary
from tests.browser import until
from tests.conftest import OpenPage
from tests.e2e.looks import assert_usable

pytestmark = pytest.mark.browser

DESIGN = "/designs/edge_node"
MARKED = "() => (CSS.highlights.get('glossary')?.size ?? 0) > 0"


def marked(page: Page) -> None:
    until(page, MARKED)


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_a_term_in_a_label_is_explained_where_the_pointer_rests(open_page: OpenPage, scheme: str) -> None:
    page = open_page(DESIGN, scheme=scheme, bypass_csp=True)
    marked(page)
    note = page.locator("#glossary-note")
    page.locator(".key-label", has_text="PUE").hover(position={"x": 8, "y": 8})
    expect(note).to_contain_text(glossary()["pue"].what)
    assert_usable(page)
    note.hover()  # it can be reached, and stays
    page.wait_for_timeout(600)
    expect(note).to_be_visible()
    page.mouse.move(900, 700)
    expect(note).to_be_hidden()


def test_keyboard_focus_explains_and_escape_closes(open_page: OpenPage) -> None:
    page = open_page(DESIGN)
    marked(page)
    page.locator('input[name="parallelism"]:checked').focus()
    note = page.locator("#glossary-note")
    for _ in range(8):
        page.keyboard.press("Tab")
        if page.evaluate(
            "document.activeElement.name === 'parallelism.tp' && document.activeElement.type === 'text'"
        ):
            break
    expect(note).to_contain_text(glossary()["tensor_parallel"].what)
    focused = page.evaluate("document.activeElement.getAttribute('aria-describedby')")
    assert focused
    page.keyboard.press("Escape")
    expect(note).to_be_hidden()
    page.keyboard.press("Tab")
    page.keyboard.press("5")  # what is typed is not covered
    page.wait_for_timeout(900)
    expect(note).to_be_hidden()


def test_a_box_that_is_clicked_is_explained_by_the_keyboard_alone(open_page: OpenPage) -> None:
    """A note beside what was clicked would cover what is clicked next."""
    page = open_page(DESIGN)
    marked(page)
    box, note = page.locator('input[type="text"][name="parallelism.tp"]'), page.locator("#glossary-note")
    box.click()
    page.wait_for_timeout(900)
    expect(note).to_be_hidden()
    page.keyboard.press("Shift+Tab")
    page.keyboard.press("Tab")
    expect(box).to_be_focused()
    expect(note).to_contain_text(glossary()["tensor_parallel"].what)


def test_words_with_another_meaning_are_left_alone(open_page: OpenPage) -> None:
    page = open_page("/catalog/accelerators")
    marked(page)
    words = page.evaluate("[...CSS.highlights.get('glossary')].map(String)")
    assert len(words) == len(set(map(str.lower, words))) > 0  # each where it comes first
    assert "Generation" not in words
    assert page.locator("main .term-mark").count() == 0  # the page itself is unchanged


@pytest.mark.parametrize("width", [1280, 360])
def test_the_glossary_follows_what_is_typed(open_page: OpenPage, width: int) -> None:
    page = open_page("/terms", width=width, bypass_csp=True)
    expect(page.get_by_role("heading", level=1)).to_have_text("Glossary")
    page.get_by_role("searchbox", name="Search the glossary").fill("busbar")
    expect(page.get_by_role("status").first).to_contain_text(" of ")
    expect(page.locator("#busbar")).to_be_visible()
    assert_usable(page, "light", "dark")
