"""Pages of saved work as people with any screen, colours and aids meet them."""

from __future__ import annotations

from playwright.sync_api import Page, expect

from tests.conftest import OpenPage
from tests.e2e.looks import assert_usable, draw_all
from tests.e2e.saved.conftest import MAIN, Save
from tests.e2e.saved.test_journeys import live
from tests.e2e.studio.test_journeys import after_change, box


def look(page: Page) -> None:
    """Light and dark, wide and narrow."""
    for width in (1280, 360):
        page.set_viewport_size({"width": width, "height": 800})
        assert_usable(page, "light", "dark")
    page.set_viewport_size({"width": 1280, "height": 900})


def test_home_and_its_dialogs(open_page: OpenPage, save: Save) -> None:
    save(
        "A name that is long enough to need more than one line on any card of this page",
        tags="first, second one",
    )
    page = open_page("/", bypass_csp=True)
    page.get_by_role("button", name="More for A name that").first.click()
    look(page)
    page.keyboard.press("Escape")
    page.get_by_role("link", name="Import").first.click()
    asked = page.get_by_role("dialog", name="Import a scenario")
    asked.get_by_label("Scenario as YAML or JSON").fill("name: [")
    asked.get_by_role("button", name="Open in the studio").click()
    expect(asked.get_by_role("alert")).to_contain_text("line")
    look(page)
    page.goto("/deleted")
    look(page)


def test_history_and_an_old_revision(open_page: OpenPage, save: Save) -> None:
    address = save("Aged pod", note="First")
    save("Aged pod", at=address, note="Longer", workload__tokens=20e12)
    page = open_page(f"{address}/history", bypass_csp=True)
    look(page)
    page.get_by_role("link", name="Revision 1", exact=True).click()
    assert draw_all(page) > 0
    look(page)


def test_comparison(open_page: OpenPage, save: Save) -> None:
    address = save("Other pod", workload__tokens=20e12, parallelism__pp=8)
    page = open_page(f"/compare?a={MAIN}&b={address.rsplit('/', 1)[-1]}", bypass_csp=True)
    assert draw_all(page) > 0
    look(page)
    chosen = page.get_by_role("combobox", name="Design B")
    chosen.click()
    page.keyboard.type("edge")
    assert_usable(page, "light")
    page.get_by_role("option", name="Edge node").click()
    page.wait_for_url("**b=edge_node**")
    expect(page.locator(".side").nth(1)).to_contain_text("Edge node")


def test_library_and_a_conflict(open_page: OpenPage, save: Save) -> None:
    address = save("Clashing pod")
    page = open_page(address, bypass_csp=True)
    live(page)
    after_change(page, lambda: box(page, "workload.sequence_length").fill("4096"))
    page.locator("#panel-pod").get_by_role("link", name="Save this pod as a design").click()
    asked = page.get_by_role("dialog", name="Save this pod as a design")
    asked.get_by_label("Name").fill("Common pod")
    after_change(page, lambda: asked.get_by_role("button", name="Save the design").click())
    save("Clashing pod", at=address, workload__sequence_length=2048)
    page.keyboard.press("Control+s")
    page.get_by_role("button", name="Save as revision").click()
    expect(page.get_by_role("dialog", name="Revision 2 was saved meanwhile")).to_be_visible()
    look(page)
    page.goto("/library")
    expect(page.locator(".card")).not_to_have_count(0)
    look(page)
