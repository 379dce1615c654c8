"""Missing inputs in the browser: one suggestion accepted, then all, the figures marked, and all of it undone."""

from __future__ import annotations

import re
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, expect

from app.surfaces.pages.studio.state import encode_state
from tests.conftest import OpenPage
from tests.e2e.looks import assert_no_sideways_scrolling, assert_usable
from tests.e2e.studio.test_journeys import after_change

SCENARIO: dict[str, Any] = {
    "name": "Four GB300 racks",
    "workload": {
        "kind": "training",
        "model": "llama_3_1_8b",
        "tokens": 100e9,
        "sequence_length": 8192,
        "global_batch_sequences": 576,
        "precision": "bf16",
    },
    "supernode": {"system": "gb300_nvl72"},
    "pod": {"supernodes": 4},
}
ADDRESS = f"/designs/new?s={encode_state(SCENARIO)}"


def key_figure(page: Page, label: str) -> Locator:
    return page.locator(".key-figures li").filter(has_text=label)


def badges(page: Page) -> Locator:
    return page.locator(".key-figures .chip.estimate")


def test_accept_one_then_all_see_cost_and_power_and_undo(open_page: OpenPage) -> None:
    page = open_page(ADDRESS)
    missing, accepted = page.locator("#missing"), page.locator("#accepted")
    expect(missing).to_contain_text("3 inputs are not published")
    expect(key_figure(page, "Utility peak")).to_contain_text("unknown")
    expect(missing).to_contain_text(re.compile(r"Suggested: .*range .* to "))
    one = missing.locator("li").filter(has_text="typical power")
    opened = page.url
    after_change(page, lambda: one.get_by_role("link", name="Accept").click())
    page.wait_for_url(lambda url: url != opened)  # it follows a change a little later
    with_one = page.url
    expect(accepted).to_contain_text("1 accepted estimate")
    expect(page.locator(".last-change")).to_contain_text("1 estimate accepted")
    asked: list[str] = []
    page.on(
        "request",
        lambda request: asked.append(request.url) if request.url.endswith("/studio/evaluate") else None,
    )
    after_change(page, lambda: page.get_by_role("link", name="Accept all suggestions").click())
    assert len(asked) == 1
    expect(missing).to_have_count(0)
    for label in ("Cost per run", "Utility peak"):
        expect(key_figure(page, label)).not_to_contain_text("unknown")
        expect(key_figure(page, label).locator(".chip.estimate")).to_be_visible()
    page.wait_for_url(lambda url: url != with_one)
    page.reload()  # the address holds what was accepted
    expect(badges(page).first).to_be_visible()
    expect(missing).to_have_count(0)


def test_an_estimate_is_changed_removed_and_undone(open_page: OpenPage) -> None:
    page = open_page(ADDRESS)
    accepted = page.locator("#accepted")
    after_change(page, lambda: page.get_by_role("link", name="Accept all suggestions").click())
    peak = key_figure(page, "Utility peak").locator(".key-value")
    before = peak.inner_text()
    box = accepted.get_by_label("Value of Q3400-RA / Q3401-RD, typical power")
    box.fill("40k")
    after_change(page, lambda: box.press("Enter"))
    expect(peak).not_to_have_text(before)
    expect(accepted).to_contain_text("Set by hand; suggested was:")
    after_change(page, lambda: page.get_by_role("button", name="Undo").click())
    expect(peak).to_have_text(before)
    row = accepted.locator("li").filter(has_text="typical power")
    after_change(page, lambda: row.get_by_role("link", name="Remove").click())
    expect(page.locator("#missing")).to_contain_text("typical power")
    after_change(page, lambda: page.keyboard.press("Control+z"))
    after_change(page, lambda: page.keyboard.press("Control+z"))
    expect(accepted).to_have_count(0)  # as before all were accepted
    expect(page.locator("#missing")).to_contain_text("3 inputs are not published")


@pytest.mark.parametrize("width", [1280, 360])
def test_estimates_are_usable_in_both_colour_schemes(open_page: OpenPage, width: int) -> None:
    for more in ("", "&accept=all"):
        page = open_page(f"{ADDRESS}{more}", width=width, bypass_csp=True)
        assert_no_sideways_scrolling(page)
        assert_usable(page, "light", "dark")
