"""Two tabs change the same scenario: different fields go together, the same one is asked, nothing is lost."""

from __future__ import annotations

from playwright.sync_api import Page, expect

from tests.browser import with_patience
from tests.conftest import OpenPage
from tests.e2e.saved.conftest import Save
from tests.e2e.saved.test_journeys import SAVED, live
from tests.e2e.studio.test_journeys import after_change, box, field


def save_revision(page: Page, note: str) -> None:
    page.keyboard.press("Control+s")
    asked = page.get_by_role("dialog")
    asked.get_by_label("Note on the change").fill(note)
    asked.get_by_role("button", name="Save as revision").click()


def test_two_tabs_merge_and_lose_nothing(open_page: OpenPage, save: Save) -> None:
    address = save("Shared pod")
    one = open_page(address)
    live(one)
    two = one.context.new_page()
    with_patience(two)
    two.goto(address)
    live(two)
    after_change(one, lambda: box(one, "workload.sequence_length").fill("4096"))
    after_change(two, lambda: box(two, "workload.tokens").fill("10"))
    save_revision(one, "Shorter sequences")
    expect(one.locator(".meta")).to_contain_text("Revision 2, saved just now")
    one.keyboard.press("Control+z")
    expect(one.locator(".meta")).to_contain_text("1 unsaved change")
    one.keyboard.press("Control+y")
    expect(one.locator(".meta")).not_to_contain_text("unsaved")
    after_change(one, lambda: box(one, "workload.tokens").fill("12"))
    after_change(one, lambda: box(one, "workload.global_batch_sequences").fill("1024"))
    # Different fields: they go together, and what was typed comes back with Undo.
    save_revision(two, "Fewer tokens")
    expect(two.locator("#toast")).to_contain_text("Merged with revision 2: 1 field of theirs taken")
    expect(two.locator(".meta")).to_contain_text("Revision 3, saved just now")
    expect(box(two, "workload.sequence_length")).to_have_value("4,096")
    expect(two.locator(".meta")).not_to_contain_text("unsaved")
    after_change(two, lambda: two.locator("#toast").get_by_role("button", name="Undo").click())
    expect(box(two, "workload.sequence_length")).to_have_value("8,192")
    expect(box(two, "workload.tokens")).to_have_value("10")
    after_change(two, lambda: two.get_by_role("button", name="Redo").click())
    expect(box(two, "workload.sequence_length")).to_have_value("4,096")
    # The same field: the second is asked, with what merges by itself beside it.
    expect(one.locator("#changed-bar")).to_contain_text("your changes are merged when you save")
    save_revision(one, "Mine")
    told = one.get_by_role("dialog", name="Revision 3 was saved meanwhile")
    expect(told).to_contain_text("You changed from revision 2.")
    clash = told.get_by_role("group", name="Training tokens")
    expect(clash).to_contain_text("Revision 2: 15.6 T")
    expect(told.locator(".settled")).to_contain_text("Global batch size 2,048 seqs to 1,024 seqs Yours")
    told.get_by_role("button", name="Save the merge").click()
    expect(told).to_be_visible()  # nothing is chosen for anybody
    after_change(two, lambda: box(two, "workload.global_batch_sequences").fill("4096"))
    clash.get_by_label("Theirs 10 T").check()
    told.get_by_role("button", name="Save the merge").click()
    expect(one.locator(".meta")).to_contain_text("Revision 5, saved just now")
    expect(box(one, "workload.tokens")).to_have_value("10")
    expect(box(one, "workload.global_batch_sequences")).to_have_value("1,024")
    # Taking theirs: one's own come back with Undo.
    expect(field(two, "workload.global_batch_sequences")).to_contain_text("was 2,048")
    save_revision(two, "Larger")
    after_change(two, lambda: two.get_by_role("link", name="Take theirs").click())
    expect(box(two, "workload.global_batch_sequences")).to_have_value("1,024")
    expect(two.locator("#aside-bar")).to_contain_text("were set aside")
    after_change(two, lambda: two.locator("#toast").get_by_role("button", name="Undo").click())
    expect(box(two, "workload.global_batch_sequences")).to_have_value("4,096")
    # And as a scenario of its own.
    after_change(one, lambda: box(one, "workload.global_batch_sequences").fill("512"))
    save_revision(one, "Smaller")
    expect(one.locator(".meta")).to_contain_text("Revision 6")
    save_revision(two, "Mine after all")
    told = two.get_by_role("dialog", name="Revision 6 was saved meanwhile")
    told.get_by_label("Name").fill("Shared pod, mine")
    told.get_by_role("button", name="Save mine as a new scenario").click()
    two.wait_for_url(SAVED)
    expect(two.get_by_role("heading", level=1)).to_have_text("Shared pod, mine")
    expect(box(two, "workload.global_batch_sequences")).to_have_value("4,096")


def test_history_names_undoes_and_does_again(open_page: OpenPage, save: Save) -> None:
    address = save("Named pod")
    save("Named pod", at=address, note="Shorter", workload__sequence_length=4096)
    page = open_page(f"{address}/history")
    page.get_by_role("link", name="Name revision 1").click()
    asked = page.get_by_role("dialog", name="Name revision 1")
    asked.get_by_label("Name of this revision").fill("As ordered")
    asked.get_by_role("button", name="Save the name").click()
    expect(page.get_by_role("row", name="As ordered")).to_contain_text("Revision 1")
    expect(page.locator("#toast")).to_contain_text("Revision 1 is called As ordered")
    page.get_by_role("button", name="Undo this save").click()
    expect(page.get_by_role("row", name="Undid revision 2")).to_contain_text("4,096 tokens to 8,192 tokens")
    page.get_by_role("button", name="Redo revision 2").click()
    expect(page.get_by_role("row", name="Undid revision 3")).to_contain_text("8,192 tokens to 4,096 tokens")
    page.get_by_role("link", name="Revision 1", exact=True).click()
    expect(page.get_by_role("heading", name="Revision 1 “As ordered”")).to_be_visible()
    expect(page.locator("#figure-step_time .plot")).to_have_attribute("data-drawn", "true")
    page.get_by_role("link", name="Save as a new scenario").click()
    expect(page.get_by_role("dialog", name="Save as").get_by_label("Name")).to_have_value("Named pod (copy)")
