"""A day of work with saved scenarios, in Chromium, against the real server."""

from __future__ import annotations

import random
import re
from pathlib import Path

from playwright.sync_api import Locator, Page, expect

from tests.browser import until, with_patience
from tests.conftest import OpenPage
from tests.databases import engine_in
from tests.e2e.navigation import follow_menu
from tests.e2e.saved.conftest import Save
from tests.e2e.studio.test_journeys import after_change, box, elapsed, field

SAVED = re.compile(r"/designs/[0-9a-f]{32}$")


def live(page: Page) -> None:
    """The studio listens to its inputs."""
    expect(page.locator("#studio[data-live]")).to_have_count(1)


def card(page: Page, name: str) -> Locator:
    return page.locator(".card", has=page.get_by_role("heading", name=name, exact=True))


def test_first_visit_to_a_saved_design(open_page: OpenPage) -> None:
    page = open_page("/")
    expect(page.locator(".card dd").first).to_have_text(re.compile(r"\d"))
    page.get_by_role("link", name="Llama 3.1 405B on 2,048 DGX H100").click()
    live(page)
    expect(page.locator(".meta")).to_contain_text("Not saved")
    after_change(page, lambda: box(page, "workload.sequence_length").fill("4096"))
    expect(page.locator(".meta")).to_contain_text("1 unsaved change")
    page.keyboard.press("Control+s")
    asked = page.get_by_role("dialog", name="Save as")
    expect(asked.get_by_label("Name")).to_be_focused()
    asked.get_by_label("Name").fill("First pod")
    asked.get_by_label("Note on the change").fill("Shorter sequences")
    asked.get_by_label("Tags").fill("Phase 2, Oslo")
    asked.get_by_label("Name").press("Enter")
    page.wait_for_url(SAVED)
    live(page)
    expect(page.locator("#toast")).to_have_text("Saved as First pod")
    expect(page.get_by_role("heading", level=1)).to_have_text("First pod")
    expect(page.locator(".meta")).to_contain_text("Revision 1, saved just now")
    expect(page.locator(".meta")).not_to_contain_text("unsaved")
    expect(page.locator("#draft-bar")).to_have_count(0)
    page.keyboard.press("Control+s")
    expect(page.locator("#toast")).to_contain_text("Nothing to save")
    follow_menu(page, "Design", "Designs")
    mine = card(page, "First pod")
    expect(mine).to_contain_text("Fits")
    expect(mine).to_contain_text("phase 2")
    mine.get_by_role("button", name="More for First pod").click()
    page.get_by_role("link", name="Rename").click()
    renaming = page.get_by_role("dialog", name="Rename")
    renaming.get_by_label("Name of this scenario").fill("Oslo pod")
    renaming.get_by_role("button", name="Rename").click()
    expect(card(page, "Oslo pod")).to_contain_text("Revision 2")
    page.get_by_role("searchbox").fill("nothing of that name")
    expect(page.locator("#shelf")).to_contain_text("No designs match.")
    page.get_by_role("searchbox").fill("oslo")
    expect(card(page, "Oslo pod")).to_be_visible()


def test_change_and_compare_with_saved(open_page: OpenPage, save: Save) -> None:
    page = open_page(save("Compared pod"))
    live(page)
    after_change(
        page,
        lambda: box(page, "economics.wacc").evaluate("""box => {
        box.closest('details').open = true; box.value = '8';
        box.dispatchEvent(new Event('input', {bubbles: true})); }"""),
    )
    cost = page.locator('.key-figures a[data-explain="cost.usd_per_run"]')
    expect(cost.locator(".key-change")).to_have_text(re.compile("^\u2212[\\d.]+.M$"))
    expect(cost).to_contain_text("better than saved")
    expect(field(page, "economics.wacc")).to_contain_text("was 10")
    page.get_by_role("link", name="Compare with saved").click()
    page.wait_for_url("**/compare?**")
    expect(page.locator("#says")).to_contain_text("M\u00a0USD less")
    expect(page.get_by_role("table").nth(1).locator("tbody tr")).to_have_count(1)
    expect(page.get_by_role("region", name="Inputs, table")).to_contain_text(
        "Cost of capital10\u202f%8\u202f%".replace("\u202f", " ")
    )
    expect(page.locator("#figure-tco-b .plot")).to_have_count(1)
    page.get_by_role("link", name="All rows").click()
    expect(page.get_by_role("region", name="Inputs, table")).to_contain_text("Training tokens")
    page.locator(".side").nth(1).get_by_role("link").click()
    live(page)
    page.get_by_role("link", name="Save", exact=True).click()
    asked = page.get_by_role("dialog", name="Save revision 2")
    asked.get_by_label("Note on the change").fill("Cheaper money")
    asked.get_by_role("button", name="Save as revision 2").click()
    expect(page.locator(".meta")).to_contain_text("Revision 2, saved just now")
    expect(page.locator(".meta")).not_to_contain_text("unsaved")
    expect(field(page, "economics.wacc")).not_to_contain_text("was")
    page.get_by_role("link", name="Revision 2").click()
    expect(page.locator("tbody tr").first).to_contain_text("Cheaper money")
    expect(page.locator("tbody tr").first).to_contain_text("1 field: Cost of capital")
    page.get_by_role("button", name="Compare the two marked").click()
    expect(page.locator("#says")).to_contain_text("less")


def test_delete_and_undo(open_page: OpenPage, save: Save) -> None:
    save("Doomed pod")
    page = open_page("/?q=doomed")
    doomed = card(page, "Doomed pod")

    def delete() -> None:
        doomed.get_by_role("button", name="More for Doomed pod").click()
        doomed.get_by_role("button", name="Delete").click()
        expect(doomed).to_have_count(0)

    delete()
    expect(page.locator("#toast")).to_contain_text("Doomed pod was deleted")
    page.get_by_role("button", name="Undo").click()
    expect(doomed).to_have_count(1)
    delete()
    page.get_by_role("link", name="Deleted").click()
    row = page.get_by_role("row", name="Doomed pod")
    row.get_by_role("button", name="Restore").click()
    expect(row).to_have_count(0)
    page.goto("/?q=doomed")
    expect(doomed).to_have_count(1)


def test_old_revision_after_the_catalog_changed(open_page: OpenPage, save: Save, data_dir: Path) -> None:
    address = save("Old pod", note="As it was")
    page = open_page(address)
    then = elapsed(page).inner_text()
    save("Old pod", at=address, note="Longer", workload__tokens=20e12)
    with engine_in(data_dir).begin() as database:
        database.exec_driver_sql(
            "UPDATE fact SET value = value * 0.25 WHERE field = 'memory_bandwidth_bytes_per_s' AND part_id = "
            "(SELECT id FROM part WHERE kind = 'accelerators' AND key = 'nvidia_h100_sxm')"
        )
        database.exec_driver_sql("UPDATE setting SET value = 'later' WHERE name = 'catalog_revision'")
    page.goto(address)
    expect(page.locator(".meta")).to_contain_text("The catalog has changed since it was saved")
    page.goto(f"{address}/history")
    page.get_by_role("link", name="Revision 1", exact=True).click()
    expect(elapsed(page)).to_have_text(then)
    expect(page.locator(".record-bar")).to_contain_text("\u201cAs it was\u201d")
    moved = page.get_by_role("region", name="Catalog values that have moved, table")
    expect(moved.locator("tbody tr")).to_have_count(1)
    expect(moved).to_contain_text("TB/s")
    expect(box(page, "workload.tokens")).to_be_disabled()
    page.locator('.key-figures a[data-explain="performance.elapsed_time_s"]').click()
    expect(page.locator(".explain-value")).to_have_text(then)
    page.locator(".back a").click()
    page.get_by_role("link", name="Evaluate with today's catalog").click()
    live(page)
    expect(elapsed(page)).not_to_have_text(then)
    page.go_back()
    page.get_by_role("button", name="Restore as revision 3").click()
    page.wait_for_url("**/history")
    expect(page.locator("tbody tr").first).to_contain_text("Restored from revision 1")


def test_export_and_import_come_to_the_same_figures(open_page: OpenPage, save: Save, tmp_path: Path) -> None:
    page = open_page(save("Travelling pod", pod__supernodes=1024, workload__global_batch_sequences=1024))
    live(page)
    after_change(page, lambda: box(page, "workload.sequence_length").fill("4096"))
    figures = page.locator(".key-value").all_inner_texts()
    page.get_by_role("button", name="Export").click()
    with page.expect_download() as exported:
        page.get_by_role("link", name="Scenario, YAML").click()
    file = tmp_path / exported.value.suggested_filename
    exported.value.save_as(file)
    assert file.name == "Travelling pod.yaml"
    page.goto("/")
    page.get_by_role("link", name="Import").first.click()
    asked = page.get_by_role("dialog", name="Import a scenario")
    text = asked.get_by_label("Scenario as YAML or JSON")
    text.fill("name: [unclosed\nworkload: 3\n")
    asked.get_by_role("button", name="Open in the studio").click()
    expect(asked.get_by_role("alert")).to_contain_text("line 2")
    expect(text).to_have_value("name: [unclosed\nworkload: 3\n")
    asked.locator('input[type="file"]').set_input_files(file)
    page.wait_for_url("**/designs/new?s=**")
    live(page)
    assert page.locator(".key-value").all_inner_texts() == figures
    expect(page.get_by_role("heading", level=1)).to_have_text("Travelling pod")


def test_draft_survives_a_crash(open_page: OpenPage, save: Save) -> None:
    address = save("Drafted pod")
    page = open_page(address)
    live(page)
    after_change(page, lambda: box(page, "workload.sequence_length").fill("4096"))
    changed = elapsed(page).inner_text()
    until(page, "Object.values(localStorage).join().includes('4096')")
    page.close(run_before_unload=False)
    again = page.context.new_page()
    with_patience(again)
    again.goto(address)
    expect(again.locator("#draft-bar")).to_contain_text(
        re.compile(r"Unsaved changes from \d\d:\d\d restored\.")
    )
    expect(elapsed(again)).to_have_text(changed)
    expect(box(again, "workload.sequence_length")).to_have_value("4,096")
    again.goto("/?q=drafted")
    expect(card(again, "Drafted pod")).to_contain_text("Unsaved changes from")
    again.goto(address)
    again.get_by_role("button", name="Discard").click()
    expect(again.locator(".meta")).not_to_contain_text("unsaved")
    expect(again).to_have_url(re.compile(r"^[^?]+$"))  # the address follows what is typed
    again.reload()
    live(again)
    expect(again.locator("#draft-bar")).to_have_count(0)
    # What an address carries wins; the draft it does not hold is kept beside it.
    after_change(again, lambda: box(again, "workload.sequence_length").fill("2048"))
    again.wait_for_url("**?s=**")
    carried = again.url
    after_change(again, lambda: box(again, "workload.sequence_length").fill("1024"))
    until(again, "Object.values(localStorage).join().includes('1024')")
    again.goto(carried)
    expect(box(again, "workload.sequence_length")).to_have_value("2,048")
    again.get_by_role("button", name="Bring them back").click()
    expect(box(again, "workload.sequence_length")).to_have_value("1,024")


def test_scenario_too_large_for_an_address(open_page: OpenPage, save: Save) -> None:
    chance = random.Random(1)
    figures = [
        {
            "quantity": "performance.mfu",
            "value": 0.4,
            "unit": "fraction",
            "source": chance.randbytes(90).hex(),
        }
        for _ in range(50)
    ]
    address = save("Large pod", published=figures)
    page = open_page(address)
    live(page)
    after_change(page, lambda: box(page, "workload.sequence_length").fill("4096"))
    page.get_by_role("button", name="More", exact=True).click()
    page.get_by_role("button", name="Copy address with changes").click()
    expect(page.locator("#toast")).to_contain_text("too large for an address")
    assert "?s=" not in page.url
    page.reload()
    expect(page.locator("#draft-bar")).to_be_visible()
    expect(box(page, "workload.sequence_length")).to_have_value("4,096")


def test_designs_of_the_library(open_page: OpenPage, save: Save) -> None:
    page = open_page(save("Node pod"))
    live(page)
    first = elapsed(page).inner_text()
    page.get_by_role("link", name="Save this SuperNode as a design").click()
    asked = page.get_by_role("dialog", name="Save this SuperNode as a design")
    asked.get_by_label("Name").fill("House node")
    after_change(page, lambda: asked.get_by_role("button", name="Save the design").click())
    expect(page.locator("#panel-supernode .panel-foot")).to_contain_text("From your design House node")
    expect(page.get_by_role("combobox", name="System")).to_have_value("House node")
    expect(elapsed(page)).to_have_text(first)
    page.keyboard.press("Control+s")
    page.get_by_role("button", name="Save as revision 2").click()
    expect(page.locator(".meta")).to_contain_text("Revision 2")
    page.goto("/library")
    node = card(page, "House node")
    expect(node).to_contain_text("Used by 1 scenario")
    node.get_by_text("Used by 1 scenario").click()
    node.get_by_role("link", name="Node pod").click()
    live(page)
    after_change(page, lambda: page.get_by_role("link", name="Detach").click())
    expect(page.get_by_role("combobox", name="System")).to_have_value("DGX H100")
    expect(elapsed(page)).to_have_text(first)
    page.get_by_role("combobox", name="System").click()
    expect(page.get_by_role("option").first).to_have_text("House node")
    after_change(page, lambda: page.get_by_role("option", name="House node").click())
    expect(page.locator(".meta")).not_to_contain_text("unsaved")


def test_home_without_scripts(open_page: OpenPage, save: Save) -> None:
    """Open, rename, duplicate, delete, undo, save: plain forms do it all."""
    save("Plain pod")
    page = open_page("/?q=plain", scripts=False)
    page.get_by_role("button", name="More for Plain pod").click()
    page.get_by_role("button", name="Duplicate").click()
    page.get_by_role("button", name="More for Plain pod (copy)").click()
    card(page, "Plain pod (copy)").get_by_role("link", name="Rename").click()
    page.get_by_label("Name of this scenario").fill("Plainer pod")
    page.get_by_role("button", name="Rename").click()
    page.get_by_role("button", name="More for Plainer pod").click()
    card(page, "Plainer pod").get_by_role("button", name="Delete").click()
    expect(card(page, "Plainer pod")).to_have_count(0)
    page.get_by_role("button", name="Undo").click()
    expect(card(page, "Plainer pod")).to_have_count(1)
    page.get_by_role("link", name="Plainer pod").click()
    page.locator('[name="workload.tokens"]').fill("7.8")
    page.get_by_role("button", name="Evaluate").click()
    page.get_by_role("link", name="Save", exact=True).click()
    page.get_by_label("Note on the change").fill("Half the tokens")
    page.get_by_role("button", name="Save as revision 3").click()
    expect(page.locator(".meta")).to_contain_text("Revision 3")
    expect(page.locator("#verdict")).to_contain_text("7.80 T")
