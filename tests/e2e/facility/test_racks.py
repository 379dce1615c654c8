"""Racks in a browser: in both looks and both widths, and from one kind of rack to another."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.conftest import OpenPage
from tests.e2e.looks import assert_usable, assert_well_drawn

RACKS = "/facility/llama_3_1_405b_on_gb200_nvl72/racks"


@pytest.mark.parametrize("width", [1280, 360])
def test_racks_in_every_look(open_page: OpenPage, width: int) -> None:
    page = open_page(RACKS, width=width, bypass_csp=True)
    assert_well_drawn(page)
    assert_usable(page, "light", "dark")
    if width < 1280:
        return
    page.locator("#section").get_by_role("combobox", name="Rack").select_option(
        label="23 \u00d7 QM9700 / QM9790, 20 racks"
    )
    expect(page.locator(".racks-says")).to_contain_text(
        "23 \u00d7 QM9700 / QM9790: the first limit is planned power per rack"
    )
    page.get_by_role("link", name="GB200 NVL72").last.click()
    expect(page.locator(".racks-says")).to_contain_text("GB200 NVL72 (DGX GB200): the first limit is")
