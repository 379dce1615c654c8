"""Two people at one study, an approval, a locked baseline, and an outside reviewer, in Chromium."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest
from playwright.sync_api import Browser, expect

from tests.axe import violations
from tests.browser import PATIENCE_MS, Watch, with_patience
from tests.e2e.study.test_study import STUDY, WAIT_MS, answered
from tests.e2e.together.test_journey import opened
from tests.people import SIGNING_IN, people_of
from tests.running_server import running_server

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def team(seeded_data_dir: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[str, Any]]:
    """A server, an owner and an editor who are signed in, and a study of their team with a link for a reviewer."""
    data_dir = Path(shutil.copytree(seeded_data_dir, tmp_path_factory.mktemp("review") / "data"))
    with people_of(data_dir) as people:
        people.account("Root", admin=True)
        people.team("crew", {"Ada": "owner", "Bob": "editor"})
        columns = [
            {"name": name, "candidate": {"system": "dgx_h100", "supernodes": count, "site": "oslo"}}
            for name, count in (("Four", 4), ("Eight", 8))
        ]
        ada = people.client("Ada")
        made = ada.post("/api/v1/saved-studies?workspace=crew", json={**STUDY, "chosen": columns})
        assert made.status_code == 201, made.text
        id = made.json()["id"]
        link = ada.post(f"/api/v1/saved-studies/{id}/links", json={"role": "commenter", "label": "Reviewer"})
        with running_server(data_dir, settings=SIGNING_IN) as server:
            yield {
                "server": server,
                "id": id,
                "link": link.json()["path"],
                "ada": people.account("Ada"),
                "bob": people.account("Bob"),
            }


@pytest.fixture
def watch(team: dict[str, Any]) -> Iterator[Watch]:
    watching = Watch(team["server"].base_url)
    yield watching
    assert not watching.problems, "\n".join(watching.problems)


def test_a_team_decides(browser: Browser, team: dict[str, Any], watch: Watch) -> None:
    server, path = team["server"], f"/studies/{team['id']}"
    ada = opened(browser, server, team["ada"], watch, path)
    bob = opened(browser, server, team["bob"], watch, path, bypass_csp=True)
    answered(bob)
    expect(bob.locator(".study-board thead")).to_contain_text("Four")

    # Both change what they see, each from revision 1: both changes are there. What is typed is not lost by the other's change.
    ada.get_by_label("Finish within").fill("10")
    bob.get_by_label("Decision and reasons").fill("Eight servers, as four take too long.")
    bob.get_by_role("button", name="Save the decision").click()
    expect(bob.locator(".study-decided")).to_contain_text("Eight servers")
    expect(ada.locator(".changed-note")).to_contain_text("Bob changed this", timeout=WAIT_MS)
    ada.get_by_role("button", name="Save and search").click()
    expect(ada.locator(".study-decided")).to_contain_text("Eight servers")
    expect(ada.get_by_label("Finish within")).to_have_value("10")

    # Bob has typed nothing since: his page shows what Ada saved, and who it was.
    expect(bob.get_by_label("Finish within")).to_have_value("10", timeout=WAIT_MS)
    expect(bob.locator(".changed-note")).to_contain_text("Ada changed this")

    # Bob sends it for review; Ada approves it, which keeps it as it is.
    expect(bob.locator("#review-state")).to_have_text("Draft")
    bob.get_by_role("button", name="Send for review").click()
    expect(bob.locator("#review-state")).to_have_text("In review", timeout=WAIT_MS)
    expect(bob.get_by_role("button", name="Approve")).to_have_count(0)
    expect(ada.locator("#review-state")).to_have_text(
        "In review", timeout=WAIT_MS
    )  # without a reload of hers
    expect(ada.locator("#verdict")).to_be_visible()  # the answer that was kept, nothing is computed
    expect(ada.locator(".study-kept")).to_be_visible()
    ada.get_by_role("button", name="Approve").click()
    expect(ada.locator("#review-state")).to_have_text("Approved")
    expect(bob.locator("#review-state")).to_have_text("Approved", timeout=WAIT_MS)
    expect(bob.locator(".changed-note")).to_contain_text("Ada changed this")
    assert violations(bob) == []

    # An outside reviewer comes by a link, looks, and comments on a cell of the board.
    guest = browser.new_context(base_url=server.base_url)
    guest.set_default_timeout(PATIENCE_MS)
    page = guest.new_page()
    watch.over(page)
    with_patience(page)
    page.goto(team["link"])
    page.wait_for_url(f"**{path}")
    expect(page.locator("#verdict")).to_be_visible()
    assert page.get_by_role("button", name="Save and search").count() == 0
    page.locator('tr[data-row="tco_usd"] a.comment-mark').first.click()
    page.get_by_label("Your name").fill("Rita")
    page.locator(".composer textarea").fill("Is the discount in it?")
    page.locator(".composer button[type=submit]").click()
    expect(page.locator(".thread")).to_contain_text("Is the discount in it?")
    expect(page.locator(".thread")).to_contain_text("total cost of ownership")
    ada.goto(path)
    expect(ada.locator("a.comment-mark.has-open")).to_have_count(1)

    # A change is a new draft; the baseline stays.
    ada.get_by_label("Finish within").fill("9")
    ada.get_by_role("button", name="Save and search").click()
    expect(ada.locator("#review-state")).to_have_text("Draft")
    expect(ada.locator("#baseline")).to_contain_text("approved by Ada")
    ada.locator("#baseline a").click()
    expect(ada.locator("#verdict")).to_be_visible()
    assert ada.get_by_label("Finish within").count() == 0  # an old revision takes no change
    cookie = {"cookie": team["bob"].headers["cookie"]}
    review = httpx.get(f"{server.base_url}/api/v1/saved-studies/{team['id']}/review", headers=cookie).json()
    assert (review["state"], review["baseline"]["state"]) == ("draft", "approved")
