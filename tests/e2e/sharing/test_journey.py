"""From the owner of a design to someone without an account, and back when the link is revoked."""

from __future__ import annotations

from playwright.sync_api import Page, expect

from tests.browser import Watch, until
from tests.conftest import OpenPage
from tests.e2e.looks import assert_usable
from tests.e2e.sharing.conftest import Team
from tests.e2e.studio.test_journeys import after_change, box
from tests.running_server import Server


def signed_in(page: Page, server: Server, team: Team) -> None:
    name, _, value = team.cookie.partition("=")
    page.context.add_cookies([{"name": name, "value": value, "url": server.base_url}])


def test_a_guest_opens_a_link_plays_and_cannot_save(
    open_page: OpenPage, server: Server, team: Team, watch: Watch
) -> None:
    owner = open_page("/sign-in", bypass_csp=True)
    signed_in(owner, server, team)
    owner.goto(f"/designs/{team.scenario}")
    until(owner, "document.querySelector('.studio[data-live]') !== null")
    owner.get_by_role("link", name="Share", exact=True).click()
    dialog = owner.get_by_role("dialog")
    dialog.get_by_label("For whom").fill("The vendor")
    dialog.get_by_role("button", name="Create link").click()
    address = dialog.get_by_label("Address of The vendor")
    expect(address).to_be_visible()
    link = address.input_value()
    assert link.startswith(f"{server.base_url}/s/pwl_")
    assert_usable(owner, "light", "dark")

    guest = open_page("/sign-in", bypass_csp=True)
    guest.goto(link)
    assert guest.url == f"{server.base_url}/designs/{team.scenario}"
    expect(guest.get_by_role("banner")).to_contain_text("Guest")
    expect(guest.locator(".meta")).to_contain_text("Shared with you, from Alpha, to look at")
    expect(guest.get_by_role("link", name="Share", exact=True)).to_have_count(0)
    until(guest, "document.querySelector('.studio[data-live]') !== null")
    after_change(guest, lambda: box(guest, "workload.tokens").fill("2"))
    expect(guest.locator(".meta")).to_contain_text("1 unsaved change")
    expect(guest.get_by_role("link", name="Save", exact=True)).to_have_count(0)
    guest.get_by_role("link", name="Sign in to save").click()
    asked = guest.get_by_role("dialog")
    expect(asked).to_contain_text("Saving needs an account")
    expect(asked.get_by_role("link", name="Sign in")).to_have_attribute(
        "href", f"/sign-in?next=/designs/{team.scenario}"
    )
    asked.get_by_role("link", name="Go on without").click()
    guest.goto("/")
    expect(guest.get_by_role("region", name="Shared with you")).to_contain_text("Edge pod")
    assert_usable(guest)

    dialog.get_by_role("button", name="Revoke The vendor").click()
    expect(dialog.get_by_text("Revoked")).to_be_visible()
    expect(dialog.get_by_label("Address of The vendor")).to_have_count(0)
    answer = guest.goto(link)
    assert answer is not None
    assert answer.status == 404
    expect(guest.get_by_role("heading", level=1)).to_have_text("This link is not valid.")
    watch.forgive("404")
    guest.goto(f"/designs/{team.scenario}")
    assert "/sign-in" in guest.url


def test_it_works_on_a_small_screen_without_scripts(open_page: OpenPage, server: Server, team: Team) -> None:
    page = open_page("/sign-in", width=360, scripts=False)
    signed_in(page, server, team)
    page.goto(f"/saved/scenario/{team.scenario}/share")
    page.get_by_label("For whom").fill("On paper")
    page.get_by_role("button", name="Create link").click()
    link = page.get_by_label("Address of On paper").input_value()
    reader = open_page("/sign-in", width=360, scripts=False)
    reader.goto(link)
    expect(reader.get_by_role("heading", level=1)).to_have_text("Edge pod")
    reader.goto("/")
    expect(reader.get_by_role("region", name="Shared with you")).to_contain_text("Edge pod")
