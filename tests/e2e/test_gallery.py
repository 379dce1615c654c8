"""The gallery and a generic job in a browser: every look, from a published figure into the studio."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.browser import until
from tests.conftest import OpenPage
from tests.e2e.looks import assert_usable


@pytest.mark.parametrize("width", [1280, 360])
@pytest.mark.parametrize("path", ["/gallery", "/gallery/colossus_200k"])
def test_gallery_in_every_look(open_page: OpenPage, path: str, width: int) -> None:
    page = open_page(path, width=width, bypass_csp=True)
    assert_usable(page, "light", "dark")


def test_from_the_gallery_into_the_studio(open_page: OpenPage) -> None:
    page = open_page("/gallery")
    page.get_by_role("link", name="GB200 NVL72, one rack").click()
    expect(page.get_by_role("heading", name="Published and computed")).to_be_visible()
    page.get_by_role("link", name="Open in the studio").click()
    expect(page.get_by_role("heading", level=1)).to_contain_text("GB200 NVL72, one rack")


def test_a_generic_job_is_changed_and_studied(open_page: OpenPage) -> None:
    page = open_page("/designs/seismic_stencil_on_8_gb200_nvl72", bypass_csp=True)
    until(page, "document.querySelector('#figure-step_time .plot')?.dataset.drawn === 'true'")
    field = page.get_by_label("Steps", exact=True).first
    field.fill("4,000,000")
    field.press("Enter")
    expect(page.locator("#verdict")).to_contain_text("runs 4,000,000 steps")  # what is read aloud says so too
    page.goto("/explore/seismic_stencil_on_8_gb200_nvl72")
    until(page, "document.querySelector('#figure-domain_sizes .plot')?.dataset.drawn === 'true'")
    assert_usable(page, "light")
