"""Ladders in Chromium: in every look, and a system that is chosen beside the design."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.conftest import OpenPage
from tests.e2e.looks import assert_usable, assert_well_drawn, draw_all

BANDWIDTH = "/fabric/llama_3_1_405b_on_2048_dgx_h100/bandwidth"


@pytest.mark.parametrize("width", [1280, 360])
def test_ladders_in_every_look(open_page: OpenPage, width: int) -> None:
    page = open_page(f"{BANDWIDTH}?with=gb200_nvl72&with=tpu_v5p_pod", width=width, bypass_csp=True)
    draw_all(page)
    assert_well_drawn(page)
    assert_usable(page, "light", "dark")


def test_a_system_is_put_beside_the_design(open_page: OpenPage) -> None:
    page = open_page(BANDWIDTH)
    draw_all(page)
    page.get_by_label("First system").select_option("huawei_cloudmatrix384")
    page.get_by_role("button", name="Compare").click()
    expect(page.get_by_label("First system")).to_have_value("huawei_cloudmatrix384")
    expect(page.get_by_role("columnheader", name="CloudMatrix384")).to_be_visible()
