"""The page on which a report is put together: usable on every screen, and its form fills the preview."""

from __future__ import annotations

import zipfile

import pytest
from playwright.sync_api import expect

from app.surfaces.pages.studio.state import encode_state
from tests.conftest import OpenPage
from tests.e2e.looks import assert_usable

REPORT = "/designs/edge_node/report"
STUDY = {
    "name": "8B on eight",
    "workload": {"training": {"kind": "training", "model": "llama_3_1_8b", "tokens": 1e12, "sequence_length": 8192, "global_batch_sequences": 512}},
    "candidates": {"systems": ["dgx_h100"], "supernodes": [8], "sites": ["dallas", "oslo"]},
}  # fmt: skip


def prepared(open_page: OpenPage, address: str) -> None:
    """Make the report once: a page is loaded when the report within it is, which takes long on a busy machine."""
    page = open_page("/terms")
    assert page.request.get(address.replace("/report", "/report/document"), timeout=200_000).ok


@pytest.mark.parametrize("width", [1280, 360])
def test_the_page_is_usable(open_page: OpenPage, width: int) -> None:
    prepared(open_page, REPORT)
    page = open_page(REPORT, scheme="light", width=width, bypass_csp=True)
    expect(page.frame_locator("iframe").get_by_role("heading", level=1)).to_have_text(
        "Edge node, Llama 3.1 8B"
    )
    assert_usable(page, "light", "dark")


def test_the_form_fills_the_preview_and_sends_files(open_page: OpenPage) -> None:
    page = open_page(REPORT)
    page.get_by_label("Full, all rooms").check()
    page.get_by_label("Title").fill("For the board")
    page.get_by_label("Prices and costs").check()
    page.get_by_role("button", name="Update preview").click()
    shown = page.frame_locator("iframe")
    expect(shown.get_by_role("heading", level=1)).to_have_text("For the board")
    expect(shown.get_by_text("every amount of money")).to_be_visible()
    with page.expect_download() as found:
        page.get_by_role("button", name="Download HTML").click()
    assert found.value.suggested_filename.endswith(".html")


def test_a_pack_tells_how_far_it_is_and_is_saved(open_page: OpenPage) -> None:
    page = open_page(REPORT)
    with page.expect_download() as found:
        page.get_by_role("button", name="Download pack").click()
    assert found.value.suggested_filename.endswith(".zip")
    with zipfile.ZipFile(found.value.path()) as pack:
        assert pack.testzip() is None
        assert "quote.xlsx" in pack.namelist()
    expect(page.locator("#pack-said")).to_contain_text("kB")
    expect(page.locator("#pack-progress")).to_be_hidden()
    expect(page.get_by_role("button", name="Download pack")).to_be_enabled()


def test_a_pack_can_be_cancelled(open_page: OpenPage) -> None:
    page = open_page(REPORT, bypass_csp=True)
    page.route("**/pack/steps?*", lambda route: None)  # an answer that does not come
    page.get_by_role("button", name="Download pack").click()
    progress = page.locator("#pack-progress")
    expect(progress.get_by_role("button", name="Cancel")).to_be_focused()
    assert_usable(page, "light", "dark")
    progress.get_by_role("button", name="Cancel").click()
    expect(page.locator("#pack-said")).to_have_text("Cancelled; nothing was kept.")
    expect(page.get_by_role("button", name="Download pack")).to_be_focused()


@pytest.mark.parametrize("width", [1280, 360])
def test_the_page_of_a_study_is_usable(open_page: OpenPage, width: int) -> None:
    address = f"/studies/new/report?s={encode_state(STUDY)}"
    prepared(open_page, address)
    page = open_page(address, scheme="light", width=width, bypass_csp=True)
    expect(page.frame_locator("iframe").get_by_role("heading", level=1)).to_have_text("8B on eight")
    assert_usable(page, "light", "dark")


def test_a_study_is_reported_and_compared(open_page: OpenPage) -> None:
    page = open_page(f"/studies/new?s={encode_state(STUDY)}")
    expect(page.locator("#verdict")).to_be_visible()
    page.get_by_role("link", name="Report and workbook").click()
    shown = page.frame_locator("iframe")
    expect(shown.get_by_role("heading", level=1)).to_have_text("8B on eight")
    page.get_by_label("Full, all of the answer").check()
    page.get_by_role("button", name="Update preview").click()
    expect(shown.get_by_role("heading", name="Delivery and cash")).to_be_visible()
    with page.expect_download() as found:
        page.get_by_role("button", name="Download workbook").click()
    assert found.value.suggested_filename.endswith(".xlsx")
