"""Faults and sharing in a browser: in both looks, and from the form to what comes of it."""

from __future__ import annotations

from playwright.sync_api import expect

from tests.conftest import OpenPage
from tests.e2e.looks import assert_usable, assert_well_drawn

FABRIC = "/fabric/deepseek_v3_on_256_hgx_h800"


def test_faults_from_the_form_to_what_is_left(open_page: OpenPage) -> None:
    page = open_page(f"{FABRIC}/faults", bypass_csp=True)
    page.get_by_label("Switches", exact=True).fill("leaf-3, spine-1")
    page.get_by_label("Bandwidth between").fill("node-0001")
    page.get_by_label("and", exact=True).fill("unit-2")
    page.get_by_role("button", name="Let it fail").click()
    expect(page.locator("#figure-fabric_left h3")).to_have_text("All 256 hosts still reach each other.")
    expect(page.get_by_text("87.5 % of 400 GB/s, node-0001 and unit-2")).to_be_visible()
    assert_well_drawn(page)
    assert_usable(page, "light", "dark")


def test_jobs_from_the_form_to_their_slow_down_on_a_small_screen(open_page: OpenPage) -> None:
    page = open_page(f"{FABRIC}/sharing", width=360, bypass_csp=True)
    page.get_by_label("Routing").select_option("ecmp")
    page.get_by_role("button", name="Share the fabric").click()
    expect(page.get_by_role("table", name="Pace of each job")).to_contain_text("to spine-")
    assert_well_drawn(page)
    assert_usable(page, "light", "dark")
