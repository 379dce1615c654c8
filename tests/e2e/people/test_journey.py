"""From an account made on the command line to a team of two, whose roles hold."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect

from tests.e2e.looks import switch

TOO_WIDE = "document.documentElement.scrollWidth - innerWidth"
GOOD = "quite unlikely words"


def looks_well(page, axe) -> None:
    assert axe(page) == []
    page.set_viewport_size({"width": 360, "height": 740})
    assert page.evaluate(TOO_WIDE) <= 0
    switch(page, "dark")
    assert axe(page) == []
    switch(page, "light")
    page.set_viewport_size({"width": 1280, "height": 900})


@pytest.mark.slow
def test_two_people_work_in_a_team(open_page, axe, watch):
    ada = open_page("/library", bypass_csp=True)
    expect(ada.get_by_role("heading", name="Sign in")).to_be_visible()
    looks_well(ada, axe)
    ada.get_by_label("E-mail address").fill("ada@example.org")
    ada.get_by_label("Password").fill("not the right one")
    ada.get_by_role("button", name="Sign in").click()
    expect(ada.get_by_role("alert")).to_contain_text("do not belong together")
    watch.forgive("422")
    expect(ada.get_by_label("E-mail address")).to_have_value("ada@example.org")
    ada.get_by_label("Password").fill(GOOD)
    ada.get_by_role("button", name="Sign in").click()
    expect(ada).to_have_url(re.compile("/library$"))

    ada.get_by_role("button", name="Ada").click()
    ada.get_by_role("link", name="Teams").click()
    ada.get_by_label("Name").fill("Research lab")
    ada.get_by_label("Key").fill("research-lab")
    ada.get_by_role("button", name="Create team").click()
    expect(ada.get_by_role("button", name="Ada")).to_contain_text("Research lab")
    looks_well(ada, axe)
    ada.locator("#invitations").scroll_into_view_if_needed()
    ada.locator("form[action$=invitations] select").select_option("viewer")
    ada.get_by_role("button", name="Create link").click()
    link = ada.get_by_label("Link").input_value()
    looks_well(ada, axe)

    grace = open_page(link, bypass_csp=True, scripts=False)  # without scripts
    expect(grace.get_by_text("Ada invites you to join as viewer")).to_be_visible()
    grace.get_by_label("E-mail address").fill("grace@example.org")
    grace.get_by_label("Name").fill("Grace")
    grace.get_by_label("Password").fill("other unlikely words")
    grace.get_by_role("button", name="Create account and join").click()
    expect(grace.get_by_role("heading", name="Research lab")).to_be_visible()
    expect(grace.get_by_role("button", name="Create link")).to_have_count(0)
    grace.goto("/designs/edge_node/save?new=1")
    expect(grace.get_by_text("In Research lab you are a viewer, and saving needs an editor")).to_be_visible()
    expect(grace.get_by_role("button", name="Save")).to_have_count(0)

    ada.goto("/teams/research-lab")
    ada.get_by_label("Role of Grace").select_option("editor")
    with ada.expect_navigation():
        ada.get_by_role("row", name="Grace").get_by_role("button", name="Set").click()
    expect(ada.get_by_label("Role of Grace")).to_have_value("editor")
    grace.goto("/designs/edge_node/save?new=1")
    grace.get_by_role("button", name="Save").click()
    expect(grace).to_have_url(re.compile("/designs/[0-9a-f]{32}$"))
    address = grace.url
    ada.goto(f"{address}/history")
    expect(ada.get_by_text("Grace").first).to_be_visible()

    grace.get_by_role("button", name="Grace").click()
    grace.get_by_role("button", name="Sign out").click()
    expect(grace.get_by_role("heading", name="Sign in")).to_be_visible()
    grace.goto(address)
    expect(grace.get_by_role("heading", name="Sign in")).to_be_visible()

    for path in ("/account", "/admin", "/admin/log"):
        ada.goto(path)
        looks_well(ada, axe)
