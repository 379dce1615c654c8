"""The decision in a browser: drawn in both looks, and turned by what only the reader knows."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.conftest import OpenPage
from tests.e2e.looks import assert_usable, assert_well_drawn

DECISION = "/economics/llama_3_1_405b_on_2048_dgx_h100/decision"


@pytest.mark.parametrize("width", [1280, 360])
def test_the_decision_in_every_look(open_page: OpenPage, width: int) -> None:
    page = open_page(DECISION, width=width, bypass_csp=True)
    assert_well_drawn(page)
    assert_usable(page, "light", "dark")


def test_what_only_the_reader_knows_turns_it(open_page: OpenPage) -> None:
    page = open_page(DECISION)
    verdict = page.locator(".decision-verdict")
    expect(verdict).to_contain_text("Own, for")
    page.locator("#section").get_by_label("Is data residency required?").select_option("yes")
    page.locator("#section").get_by_label("Work for").fill("1")
    expect(verdict).to_contain_text("Own: data must stay")
    expect(verdict).to_contain_text("over 1 month")
    page.locator("#section").get_by_label("Is data residency required?").select_option("no")
    expect(verdict).to_contain_text("Rent on demand")
    expect(page.locator("#section").get_by_label("Work for")).to_have_value("1")
