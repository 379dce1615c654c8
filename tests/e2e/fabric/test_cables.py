"""The cables in Chromium: found by device, taken away as a file, and compared with it again."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import expect

from tests.conftest import OpenPage
from tests.e2e.looks import assert_usable

CABLES = "/fabric/gpt_3_175b_on_128_dgx_a100/cables"


@pytest.mark.parametrize("width", [1280, 360])
def test_the_cables_in_every_look(open_page: OpenPage, width: int) -> None:
    page = open_page(f"{CABLES}?q=leaf-01-3", width=width, bypass_csp=True)
    expect(page.get_by_role("region", name="Schedule, table")).to_contain_text("node-0001 3")
    assert_usable(page, "light", "dark")


def test_from_the_schedule_to_its_differences(open_page: OpenPage, tmp_path: Path) -> None:
    page = open_page(CABLES, bypass_csp=True)
    with page.expect_download() as download:
        page.get_by_role("link", name="Schedule, CSV").click()
    laid = tmp_path / "laid.csv"
    rows = download.value.path().read_text(encoding="utf-8").splitlines()
    laid.write_text("\n".join([*rows[:5], *rows[6:]]), encoding="utf-8")
    page.locator("#section").get_by_label("CSV, Excel, NetBox").set_input_files(laid)
    page.get_by_role("button", name="Compare", exact=True).click()
    expect(page.locator("#section").get_by_role("status")).to_contain_text(
        "laid.csv lists 3,263 cables, the design has 3,264"
    )
    expect(page.get_by_role("region", name="Differences, table")).to_contain_text(
        "node-0001 5 to leaf-01-5 1"
    )
    assert_usable(page, "light", "dark")
    page.get_by_role("link", name="Compare another file").click()
    expect(page.get_by_role("heading", name="Compare with installed cables")).to_be_visible()
