"""Two tabs change the same scenario: the second is told, and nothing is lost."""

from __future__ import annotations

from playwright.sync_api import Page, expect

from tests.conftest import OpenPage
from tests.e2e.saved.conftest import Save
from tests.e2e.saved.test_journeys import SAVED, live
from tests.e2e.studio.test_journeys import after_change, box, field


def save_revision(page: Page, note: str) -> None:
    page.keyboard.press("Control+s")
    asked = page.get_by_role("dialog")
    asked.get_by_label("What changed").fill(note)
    asked.get_by_role("button", name="Save as revision").click()


def test_second_tab_is_told_and_loses_nothing(open_page: OpenPage, save: Save) -> None:
    address = save("Shared pod")
    one = open_page(address)
    live(one)
    two = one.context.new_page()
    two.goto(address)
    live(two)
    after_change(one, lambda: box(one, "workload.sequence_length").fill("4096"))
    after_change(two, lambda: box(two, "workload.sequence_length").fill("2048"))
    save_revision(one, "Theirs")
    expect(one.locator(".meta")).to_contain_text("Revision 2, saved just now")
    one.keyboard.press("Control+z")
    expect(one.locator(".meta")).to_contain_text("1 unsaved change")
    one.keyboard.press("Control+Shift+z")
    expect(one.locator(".meta")).not_to_contain_text("unsaved")
    # Over theirs.
    save_revision(two, "Mine")
    told = two.get_by_role("dialog", name="Revision 2 was saved meanwhile")
    expect(told).to_contain_text("You changed from revision 1.")
    expect(told.get_by_role("row", name="Sequence length")).to_have_text(
        "Sequence length8,192 tokens4,096 tokens2,048 tokens"
    )
    told.get_by_role("button", name="Save mine as revision 3").click()
    expect(two.locator(".meta")).to_contain_text("Revision 3, saved just now")
    # The first tab is behind now. It takes theirs, and its own come back with Undo.
    after_change(one, lambda: box(one, "workload.sequence_length").fill("1024"))
    expect(one.locator(".meta")).to_contain_text("Revision 3 was saved elsewhere")
    expect(field(one, "workload.sequence_length")).to_contain_text("was 4,096")
    save_revision(one, "Again")
    after_change(one, lambda: one.get_by_role("link", name="Take theirs").click())
    expect(box(one, "workload.sequence_length")).to_have_value("2,048")
    expect(one.locator(".meta")).to_contain_text("Revision 3")
    expect(one.locator("#aside-bar")).to_contain_text("were set aside")
    after_change(one, lambda: one.locator("#toast").get_by_role("button", name="Undo").click())
    expect(box(one, "workload.sequence_length")).to_have_value("1,024")
    # And as a scenario of its own.
    after_change(two, lambda: box(two, "workload.sequence_length").fill("512"))
    save_revision(two, "Fourth")
    expect(two.locator(".meta")).to_contain_text("Revision 4")
    save_revision(one, "Mine after all")
    told = one.get_by_role("dialog", name="Revision 4 was saved meanwhile")
    told.get_by_label("Name").fill("Shared pod, mine")
    told.get_by_role("button", name="Save mine as a new scenario").click()
    one.wait_for_url(SAVED)
    expect(one.get_by_role("heading", level=1)).to_have_text("Shared pod, mine")
    expect(box(one, "workload.sequence_length")).to_have_value("1,024")
