"""Explanation of a difference, in a browser: a design chosen, drawn in both looks, another figure taken."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.conftest import OpenPage
from tests.e2e.looks import assert_usable, assert_well_drawn

GPT_3 = "/economics/gpt_3_175b_on_128_dgx_a100/difference"


@pytest.mark.parametrize("width", [1280, 360])
def test_the_difference_in_every_look(open_page: OpenPage, width: int) -> None:
    page = open_page(f"{GPT_3}?other=fft_3d_on_512_dgx_a100", width=width, bypass_csp=True)
    assert_well_drawn(page)
    assert_usable(page, "light", "dark")


def test_a_design_and_a_figure_are_chosen(open_page: OpenPage) -> None:
    page = open_page(GPT_3)
    expect(page.get_by_role("heading", name="Choose what to set it against.")).to_be_visible()
    page.locator("#section").get_by_label("B, the other design").select_option("fft_3d_on_512_dgx_a100")
    page.locator("#section").get_by_label("Figure", exact=True).select_option("carbon")
    expect(page.get_by_role("heading", name="Carbon per run", exact=True)).to_be_visible()
    expect(page.get_by_role("heading", name="By cause")).to_be_visible()
    expect(page.locator("#section").get_by_label("Figure", exact=True)).to_have_value("carbon")
