"""Two people at one scenario, in Chromium, against a real server that asks them to sign in."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest
from playwright.sync_api import Browser, Page, expect

from app.scenarios.examples import example
from app.surfaces.pages.studio.form import stated_values
from tests.axe import violations
from tests.browser import PATIENCE_MS, Watch, with_patience
from tests.people import SIGNING_IN, Person, people_of
from tests.running_server import Server, running_server

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def team(seeded_data_dir: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[str, Any]]:
    """A server, two members of a team who are signed in, and a scenario of the team."""
    data_dir = Path(shutil.copytree(seeded_data_dir, tmp_path_factory.mktemp("together") / "data"))
    with people_of(data_dir) as people:
        people.account("Root", admin=True)
        people.team("crew", {"Ada Lovelace": "owner", "Bob": "editor"})
        document = stated_values(example("edge_node").read())
        made = people.client("Ada Lovelace").post("/api/v1/scenarios?workspace=crew", json=document)
        with running_server(data_dir, settings=SIGNING_IN) as server:
            yield {
                "server": server,
                "id": made.json()["id"],
                "ada": people.account("Ada Lovelace"),
                "bob": people.account("Bob"),
            }


@pytest.fixture
def watch(team: dict[str, Any]) -> Iterator[Watch]:
    watching = Watch(team["server"].base_url)
    yield watching
    assert not watching.problems, "\n".join(watching.problems)


def opened(browser: Browser, server: Server, who: Person, watch: Watch, path: str, **more: Any) -> Page:
    """A page of someone who is signed in, in a browser of their own."""
    context = browser.new_context(base_url=server.base_url, viewport={"width": 1280, "height": 900}, **more)
    context.set_default_timeout(PATIENCE_MS)
    name, _, value = who.headers["cookie"].partition("=")
    context.add_cookies([{"name": name, "value": value, "url": server.base_url}])
    page = context.new_page()
    watch.over(page)
    with_patience(page)
    page.goto(path)
    return page


def set_field(page: Page, path: str, text: str) -> None:
    field = page.locator(f'.field[data-path="{path}"] input[type="text"]')
    field.evaluate("(field) => { for (let part = field.closest('details'); part; part = part.parentElement.closest('details')) part.open = true }")  # fmt: skip
    field.fill(text)
    field.press("Tab")


def save(page: Page) -> None:
    page.locator('[data-action="save"]').click()
    page.locator("dialog[open] button.primary").click()


def test_two_people_at_one_scenario(browser: Browser, team: dict[str, Any], watch: Watch) -> None:
    server, path = team["server"], f"/designs/{team['id']}"
    ada = opened(browser, server, team["ada"], watch, path)
    bob = opened(browser, server, team["bob"], watch, path)

    # Each sees the other, and at which field they are.
    expect(ada.locator("#presence")).to_contain_text("Also here: Bob")
    expect(bob.locator("#presence")).to_contain_text("Also here: Ada Lovelace")
    bob.locator('.field[data-path="pod.supernodes"] input[type="text"]').focus()
    expect(ada.locator('.field[data-path="pod.supernodes"] .editor-mark')).to_contain_text("Bob")
    ada.locator("#presence button").press("Enter")
    expect(ada.locator("#presence-list")).to_contain_text("Bob, at SuperNodes")
    ada.keyboard.press("Escape")

    # What Ada saves is there where nothing was changed.
    set_field(ada, "economics.wacc", "12")
    save(ada)
    expect(ada.locator(".meta")).to_contain_text("Revision 2")
    expect(bob.locator("#toast")).to_contain_text("Ada Lovelace saved revision 2: Cost of capital")
    expect(bob.locator(".meta")).to_contain_text("Revision 2")
    expect(bob.locator('.field[data-path="economics.wacc"] input[type="text"]')).to_have_value("12")

    # Where something was, it is offered, and merged at the save.
    set_field(bob, "economics.utilisation", "70")
    expect(bob.locator(".meta")).to_contain_text("1 unsaved change")
    set_field(ada, "economics.wacc", "13")
    save(ada)
    bar = bob.locator("#changed-bar")
    expect(bar).to_contain_text("Ada Lovelace saved revision 3 (1 field). Keep editing")
    assert "a=" in (bar.get_by_role("link", name="See what changed").get_attribute("href") or "")
    expect(bar.get_by_role("button", name="Take theirs")).to_be_visible()
    save(bob)
    expect(bob.locator("#toast")).to_contain_text("Merged with revision 3 by Ada Lovelace")
    expect(bar).to_have_count(0)
    expect(ada.locator(".meta")).to_contain_text("Revision 4")
    expect(ada.locator('.field[data-path="economics.utilisation"] input[type="text"]')).to_have_value("70")

    # A comment on a field, with somebody named, appears where the other looks.
    row = bob.locator('.field[data-path="economics.wacc"]')
    row.hover()
    row.get_by_role("button", name="Comment on Cost of capital").click()
    composer = bob.locator("#comments-panel .composer textarea")
    composer.press_sequentially("Is this right, @ad")
    expect(bob.locator(".names-list li")).to_have_text(["Ada Lovelace"])
    composer.press("Enter")
    composer.press_sequentially("?")
    expect(composer).to_have_value('Is this right, @"Ada Lovelace" ?')
    bob.locator("#comments-panel .composer button").click()
    expect(bob.locator("#comments-panel .comment-body")).to_contain_text("Is this right")
    mark = ada.locator('.field[data-path="economics.wacc"] .comment-mark')
    expect(mark).to_have_attribute("title", "1 comment on Cost of capital")
    expect(ada.locator('[data-action="comments"]')).to_have_text("Comments (1)")
    mark.click()
    ada.locator("#comments-panel .reply summary").click()
    ada.locator("#comments-panel .reply textarea").fill("It is.")
    ada.locator("#comments-panel .reply button").click()
    expect(bob.locator("#comments-panel .replies")).to_contain_text("It is.")
    ada.keyboard.press("Escape")
    expect(ada.locator("#comments-panel")).to_be_hidden()
    ada.goto("/mentions")
    expect(ada.locator(".mentions-link")).to_contain_text("1 unread")
    ada.get_by_role("link", name="Edge node").click()
    expect(ada.locator(".thread:target .comment-body").first).to_contain_text("Is this right")

    # A page without changes of its own says that it is old.
    ada.goto(f"{path}/history")
    set_field(bob, "economics.wacc", "14")
    bob.keyboard.press("Control+s")
    bob.locator("dialog[open] button.primary").click()
    expect(ada.locator(".changed-note")).to_have_text("Bob changed this meanwhile. Reload")

    for page in (ada, bob):
        page.context.close()


@pytest.mark.parametrize(("width", "scheme"), [(360, "light"), (1280, "dark")])
def test_pages_of_comments_are_accessible(
    browser: Browser, team: dict[str, Any], watch: Watch, width: int, scheme: str
) -> None:
    server, id = team["server"], team["id"]
    with httpx.Client(base_url=server.base_url, headers=team["bob"].writing) as bob:
        for body in ("A <b>remark</b> of Bob's: @Ada, https://example.org/" + "long" * 30, "Another"):
            bob.post(f"/api/v1/scenarios/{id}/comments", json={"body": body}).raise_for_status()
    more: dict[str, Any] = {"bypass_csp": True, "color_scheme": scheme}
    page = opened(browser, server, team["ada"], watch, f"/designs/{id}/comments", **more)
    page.set_viewport_size({"width": width, "height": 900})
    for path in (f"/designs/{id}/comments", "/mentions"):
        page.goto(path)
        expect(page.locator(".thread").first).to_be_visible()
        assert violations(page) == []
        assert page.evaluate("document.documentElement.scrollWidth") <= width
    page.goto(f"/designs/{id}")
    page.locator('[data-action="comments"]').click()
    expect(page.locator("#comments-panel .thread").first).to_be_visible()
    assert violations(page) == []
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    page.context.close()
