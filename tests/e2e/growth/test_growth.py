"""The growth page in a browser: charts in both looks, and without scripts."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect

from tests.conftest import OpenPage
from tests.e2e.looks import assert_usable, assert_well_drawn


@pytest.mark.parametrize(("width", "schemes"), [(1280, ("light", "dark")), (360, ())])
def test_the_page_in_every_look(open_page: OpenPage, width: int, schemes: tuple[str, ...]) -> None:
    page = open_page("/trends", width=width, bypass_csp=True)
    assert_well_drawn(page)
    assert_usable(page, *schemes)


def test_another_trend_and_other_devices(open_page: OpenPage) -> None:
    page = open_page("/trends", scripts=False)
    page.locator("select[name=trend]").select_option("cluster_accelerators")
    page.get_by_role("button", name="Show").click()
    expect(page.locator("#figure-growth_projection-name")).to_contain_text(
        "Accelerators of a leading cluster"
    )
    page.locator("select[name=to]").select_option("nvidia_gb200")
    page.get_by_role("button", name="Compare").click()
    expect(page).to_have_url(re.compile("trend=cluster_accelerators"))
    expect(page.locator("#figure-growth_gap .chart-data")).to_contain_text("×40")
