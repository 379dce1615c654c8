"""Pages of sharing, and every page as those see it that something was shared with."""

from __future__ import annotations

import json
import re
from urllib.parse import urlencode

import pytest

from app.teams.identify import LINKS_APART, LINKS_COOKIE, MOST_LINKS
from tests.support import read_example

FORM = {"content-type": "application/x-www-form-urlencoded"}
NODE = {"name": "Node", "supernode": {"system": "dgx_h100", "override": {"max_power_w": 9000}}}
PROJECTION = {"name": "Best model", "deadline_days": 90.0}


class Shared:
    """What one team shares: a scenario with a design of its own, a projection, and something that it does not."""

    def __init__(self, people):
        people.team("alpha", {"Ada": "owner", "Vi": "viewer"})
        people.team("beta", {"Bob": "editor", "Bo": "viewer"})
        self.people = people
        self.ada = people.client("Ada")
        self.node = self.made("designs", NODE)
        self.document = {**read_example("edge_node").as_dict(), "supernode": {"design": self.node}}
        self.scenario = self.made("scenarios", {**self.document, "name": "Pod"})
        self.ada.request("PATCH", self.api, json={"name": "Pod two"}, headers={"if-match": "*"})
        self.hidden = self.made("scenarios", {**self.document, "name": "Hidden pod"})
        self.projection = self.made("saved-projections", {**PROJECTION, "scenario": self.scenario})

    @property
    def api(self):
        return f"/api/v1/scenarios/{self.scenario}"

    def made(self, kind, document):
        answer = self.ada.post(f"/api/v1/{kind}?workspace=alpha", json=document)
        assert answer.status_code == 201, answer.text
        return answer.json()["id"]

    def link(self, kind="scenarios", id="", **body):
        return self.ada.post(f"/api/v1/{kind}/{id or self.scenario}/links", json=body).json()

    def guest(self, *links):
        guest = self.people.client()
        for link in links:
            assert guest.get(link["path"]).status_code == 303
        return guest


@pytest.fixture(scope="module")
def shared(people):
    return Shared(people)


def sent(client, path, **fields):
    return client.request("POST", path, content=urlencode(fields), headers=FORM)


def page_of(client, path, status=200):
    answer = client.get(path, headers={"accept": "text/html"})
    assert answer.status_code == status, (path, answer.status_code, answer.text[-600:])
    return answer.text


def test_the_page_says_who_can_see_it_and_changes_that(shared):
    share = f"/saved/scenario/{shared.scenario}/share"
    shown = page_of(shared.ada, share)
    assert all(words in shown for words in ("Share Pod two", "Shared with no other team.", "Vi"))
    assert sent(shared.ada, f"{share}/teams", other="beta", role="commenter").headers["location"] == share
    assert sent(shared.ada, f"{share}/links", role="viewer", end="7", label="Vendor").status_code == 303
    shown = page_of(shared.ada, share)
    assert all(words in shown for words in ("Beta", "Vendor", "/s/pwl_", "never opened"))
    link = shared.ada.get(f"{shared.api}/links").json()["items"][0]
    assert sent(shared.ada, f"{share}/links/{link['id']}/extend", end="never").status_code == 303
    assert "never ends" in page_of(shared.ada, share)
    assert sent(shared.ada, f"{share}/links/{link['id']}/revoke").status_code == 303
    assert sent(shared.ada, f"{share}/teams/beta/withdraw").status_code == 303
    shown = page_of(shared.ada, share)
    assert "Revoked" in shown
    assert link["token"] not in shown
    assert "Shared with no other team." in shown


def test_a_script_is_given_the_dialog_again(shared):
    share = f"/saved/scenario/{shared.scenario}/share"
    wants = {**FORM, "accept": "application/json"}
    fields = urlencode({"role": "viewer", "end": "1"})
    told = shared.ada.request("POST", f"{share}/links", content=fields, headers=wants)
    assert (told.status_code, "data-copy" in told.json()["form"]) == (200, True)


@pytest.mark.parametrize(
    ("path", "fields", "words"),
    [
        ("/teams", {"other": "nowhere", "role": "viewer"}, "There is no team"),
        ("/teams", {"role": "viewer"}, "There is no team"),
        ("/links", {"role": "editor", "revision": "1", "end": "7"}, "look at only"),
        ("/links", {"role": "viewer", "end": "date", "date": "soon"}, "is not a date"),
        ("/links", {"role": "viewer", "end": "date", "date": "2001-01-01"}, "has passed"),
        ("/links", {"role": "viewer", "revision": "x", "end": "7"}, "not the number of a revision"),
    ],
)
def test_what_cannot_be_shared_so_keeps_what_was_typed(shared, path, fields, words):
    answer = sent(shared.ada, f"/saved/scenario/{shared.scenario}/share{path}", **fields, label="Kept words")
    assert (answer.status_code, words in answer.text, "Kept words" in answer.text) == (422, True, True)


def test_a_form_without_its_token_changes_nothing(shared):
    share = f"/saved/scenario/{shared.scenario}/share"
    before = shared.ada.get(f"{shared.api}/links").json()
    without = {**FORM, "x-csrf-token": ""}
    answer = shared.ada.request("POST", f"{share}/links", content="role=viewer&end=7", headers=without)
    assert answer.status_code == 403
    assert shared.ada.get(f"{shared.api}/links").json() == before


def test_a_link_leads_to_its_page_and_is_kept_in_a_cookie_of_its_own(shared):
    live, pinned = shared.link(), shared.link(revision=1)
    guest = shared.people.client()
    opened = guest.get(live["path"])
    assert opened.headers["location"] == f"/designs/{shared.scenario}"
    cookie = opened.headers["set-cookie"]
    assert all(words in cookie for words in (LINKS_COOKIE, "HttpOnly", "SameSite=lax"))
    assert guest.get(pinned["path"]).headers["location"] == f"/designs/{shared.scenario}?revision=1"
    projection = shared.link("saved-projections", shared.projection)
    assert guest.get(projection["path"]).headers["location"] == f"/scaling/{shared.projection}"
    node = shared.link("designs", shared.node)
    assert guest.get(node["path"]).headers["location"] == f"/saved/supernode/{shared.node}"
    home = page_of(guest, "/")
    assert all(words in home for words in ("Shared with you", "Pod two", "Revision 1, as it was", "Guest"))
    assert "Hidden pod" not in home


def test_the_newest_links_are_kept(shared):
    guest = shared.people.client()
    links = [shared.link("designs", shared.node) for _ in range(MOST_LINKS + 1)]
    for link in links:
        cookie = guest.get(link["path"]).headers["set-cookie"]
    kept = re.match(rf"{LINKS_COOKIE}=\"?([^;\"]*)", cookie)[1].split(LINKS_APART)
    assert kept == [link["token"] for link in reversed(links)][:MOST_LINKS]


def test_a_live_link_shows_one_chart_without_a_cookie_until_it_is_revoked(shared):
    link = shared.link(role="editor")
    address = f"{link['path']}/embed/step_time"
    visitor = shared.people.client()
    chart = visitor.get(address)
    assert chart.status_code == 200
    assert chart.text.count("<svg") == 1
    assert "set-cookie" not in chart.headers, "nothing is kept"
    assert "<script" not in chart.text
    assert "<form" not in chart.text
    before = shared.ada.get(shared.api).json()["revision"]
    for method in ("POST", "PUT", "PATCH", "DELETE"):
        assert visitor.request(method, address).status_code in (401, 403, 404, 405)
    assert shared.ada.get(shared.api).json()["revision"] == before
    assert visitor.get(shared.api).status_code == 401, "the address lets in to the chart alone"
    assert visitor.get(f"{link['path']}/embed/step_time/../../../designs").status_code != 200
    revoked = shared.ada.request("DELETE", f"{shared.api}/links/{link['id']}")
    assert revoked.status_code in (200, 204), revoked.text
    assert visitor.get(address).status_code == 404


def test_links_that_open_nothing_do_not_say_why(shared):
    revoked = shared.link()
    shared.ada.delete(f"{shared.api}/links/{revoked['id']}")
    guest = shared.people.client()
    answers = {page_of(guest, path, 404) for path in (revoked["path"], "/s/pwl_guess", "/s/x")}
    pages = {re.sub(r"<code>.*?</code>", "", text) for text in answers}
    assert len(pages) == 1
    assert "This link is not valid." in pages.pop()


PAGES = [
    "/designs/{id}", "/designs/{id}/history", "/designs/{id}?revision=1",
    "/designs/{id}/explain/performance.mfu", "/designs/{id}/explain/performance.mfu?revision=1",
    "/designs/{id}/export", "/designs/{id}/export/evaluation/csv", "/designs/{id}@1/export/evaluation/csv",
    "/designs/{id}/save", "/designs/{id}/save?new=yes", "/compare", "/compare?a={id}@1&b={id}",
    "/explore/{id}", "/explore/{id}/answer", "/scaling?design={id}&deadline_days=30", "/library",
    "/library/new?kind=pod&key={id}", "/templates", "/", "/scaling/compare",
]  # fmt: skip
"""What works with something that is shared, with the designs of its workspace."""


@pytest.mark.slow
@pytest.mark.parametrize("who", ["guest", "Bo"])
def test_every_page_works_with_what_is_shared(shared, who):
    if who == "guest":
        client = shared.guest(shared.link())
    else:
        client = shared.people.client(who)
        shared.ada.put(f"{shared.api}/shares/beta", json={"role": "viewer"})
    for path in PAGES:
        shown = page_of(client, path.format(id=shared.scenario))
        assert "Hidden pod" not in shown, path
        assert "Restore as revision" not in shown, path
    for path, body in (
        ("/studio/evaluate", {"revision": 2}),
        ("/studio/explain", {"path": "performance.mfu"}),
        ("/studio/export/evaluation/csv", {}),
        ("/studio/detach", {"part": "supernode"}),
        ("/explore/domains", {}),
    ):
        asked = {"key": shared.scenario, "scenario": shared.document, **body}
        answer = client.request("POST", path, json=asked)
        assert (answer.status_code, '"errors"' in answer.text) == (200, False), (path, answer.text[:300])
    page_of(client, f"/designs/{shared.hidden}", 404)
    page_of(client, f"/designs/{shared.hidden}?revision=1", 404)
    page_of(client, f"/saved/supernode/{shared.node}", 404)  # it is seen in the scenario, not by itself
    for form in ("share", "rename"):
        page_of(client, f"/saved/scenario/{shared.scenario}/{form}", 403)


def test_a_design_by_name_is_only_used_where_it_is_named(shared):
    guest = shared.guest(shared.link())
    other = {
        **shared.document,
        "supernode": {"design": shared.made("designs", {**NODE, "name": "Not named"})},
    }
    answer = guest.request("POST", "/studio/evaluate", json={"key": shared.scenario, "scenario": other})
    assert "There is no saved" in answer.json()["errors"][0]["message"]


def test_a_guest_with_a_revision_sees_nothing_newer(shared):
    guest = shared.guest(shared.link(revision=1))
    shown = page_of(guest, f"/designs/{shared.scenario}?revision=1")
    assert "Pod two" not in shown
    assert "Evaluate with today" not in shown
    for path in ("", "?revision=2", "/history", "/export", "/save", "/explain/performance.mfu"):
        page_of(guest, f"/designs/{shared.scenario}{path}", 404)
    page_of(guest, f"/designs/{shared.scenario}@1/export")


def test_a_guest_plays_but_cannot_save(shared):
    guest = shared.guest(shared.link())
    assert "Saving needs an account" in page_of(guest, f"/designs/{shared.scenario}/save")
    fields = {"scenario": json.dumps(shared.document), "revision": "2", "name": "Mine"}
    assert sent(guest, f"/designs/{shared.scenario}/save", **fields).status_code == 403
    assert sent(guest, f"/designs/{shared.scenario}/save", **fields, new="yes").status_code == 404
    assert sent(guest, f"/saved/scenario/{shared.scenario}/delete").status_code == 403
    editor = shared.guest(shared.link(role="editor"))
    changed = {**shared.document, "name": "Pod two", "description": "Seen by a guest"}
    saved = sent(editor, f"/designs/{shared.scenario}/save", scenario=json.dumps(changed), revision="2")
    assert saved.status_code == 303
    newest = shared.ada.get(shared.api).json()
    assert (newest["revision"], newest["document"]["description"]) == (3, "Seen by a guest")


def test_what_is_shared_is_saved_as_ones_own_with_its_designs_written_out(shared):
    shared.ada.put(f"{shared.api}/shares/beta", json={"role": "viewer"})
    bob = shared.people.client("Bob")
    assert "Save as" in page_of(bob, f"/designs/{shared.scenario}/save")  # nothing to overwrite
    fields = {"scenario": json.dumps(shared.document), "name": "Mine", "new": "yes"}
    made = sent(bob, f"/designs/{shared.scenario}/save?workspace=beta", **fields)
    own = bob.get(f"/api/v1/scenarios/{made.headers['location'].split('/')[-1]}").json()
    assert own["document"]["supernode"] == NODE["supernode"]
    assert own["forked_from"] == shared.scenario
    shown = page_of(bob, made.headers["location"])
    assert "Copied from" in shown
    assert f"/compare?a={shared.scenario}&amp;b={own['id']}" in shown


def test_a_copy_is_made_in_the_workspace_that_is_chosen(shared):
    fork = f"/saved/scenario/{shared.scenario}/fork"
    shown = page_of(shared.ada, fork)
    assert "Alpha" in shown
    answer = sent(shared.ada, fork, workspace="beta", name="Nope")
    assert (answer.status_code, "no workspace of yours" in answer.text) == (422, True)
    key = next(each for each in re.findall(r'<option value="(p-[0-9a-f]+)"', shown))
    sent(shared.ada, fork, workspace=key, name="My own copy")
    own = shared.ada.get(f"/api/v1/scenarios?workspace={key}").json()["items"]
    assert [each["name"] for each in own] == ["My own copy"]
    page_of(shared.people.client("Vi"), f"{fork}?workspace=alpha", 403)


def test_a_copy_asks_for_own_prices_and_what_differs(shared):
    row = "/api/v1/catalog/prices/quoted"
    values = {
        "part_key": "dgx_h100",
        "item": "As quoted",
        "unit": "USD/system",
        "condition": "quote",
        "typical": 3e5,
    }
    source = {"citation": "Quote 4711", "as_of": "2026-05-01", "kind": "vendor"}
    made = shared.ada.put(f"{row}?workspace=alpha", json={"lines": [{"values": values, "source": source}]})
    assert made.status_code in (200, 201), made.text
    quoted = {**read_example("edge_node").as_dict(), "supernode": {"system": "dgx_h100"}, "name": "Quoted"}
    fork = f"/saved/scenario/{shared.made('scenarios', quoted)}/fork"
    shown = page_of(shared.ada, fork)
    assert "Include own prices" in shown
    key = next(each for each in re.findall(r'<option value="(p-[0-9a-f]+)"', shown))
    assert sent(shared.ada, fork, workspace=key, name="With prices", own_prices="yes").status_code == 303
    assert shared.ada.get(f"{row}?workspace={key}").status_code == 200
    other = {**values, "typical": 1e5}
    changed = shared.ada.put(
        f"{row}?workspace={key}",
        json={"lines": [{"values": other, "source": source}]},
        headers={"if-match": "*"},
    )
    assert changed.status_code == 200, changed.text
    refused = sent(shared.ada, fork, workspace=key, name="Again", own_prices="yes")
    assert (refused.status_code, "Own rows that differ in the workspace" in refused.text) == (422, True)
    assert 'name="own_prices" value="yes" checked' in refused.text
    again = sent(shared.ada, fork, workspace=key, name="Again", own_prices="yes", conflicts="rename")
    assert again.status_code == 303
    kept = shared.ada.get(f"{row}?workspace={key}").json()
    assert "100000" in json.dumps(kept) or "100,000" in json.dumps(kept)
    shared.ada.delete(f"{row}?workspace=alpha", headers={"if-match": "*"})


def test_a_design_begins_as_a_copy_of_a_template(shared):
    item = f"/saved/scenario/{shared.scenario}"
    assert sent(shared.ada, f"{item}/template").status_code == 303
    assert "Pod two" in page_of(shared.ada, "/templates?workspace=alpha")
    assert "Template" in page_of(shared.ada, f"/designs/{shared.scenario}")
    made = sent(shared.ada, f"{item}/begin?workspace=alpha").headers["location"].split("/")[-1]
    begun = shared.ada.get(f"/api/v1/scenarios/{made}").json()
    assert (begun["name"], begun["template"], begun["forked_from"]) == ("Pod two", False, shared.scenario)
    assert sent(shared.ada, f"{item}/template/remove").status_code == 303
    assert "No templates yet." in page_of(shared.ada, "/templates?workspace=alpha")
    assert sent(shared.people.client("Vi"), f"{item}/template").status_code == 403


def test_the_trash_says_who_and_only_owners_empty_it(shared):
    gone = shared.made("scenarios", {**shared.document, "name": "Old idea"})
    sent(shared.ada, f"/saved/scenario/{gone}/delete")
    shown = page_of(shared.ada, "/deleted?workspace=alpha")
    assert all(words in shown for words in ("Old idea", "by Ada", "Delete for good"))
    seen = page_of(shared.people.client("Vi"), "/deleted?workspace=alpha")
    assert "Delete for good" not in seen
    assert "Restore</button>" not in seen
    erase = f"/saved/scenario/{gone}/erase?workspace=alpha"
    assert "Nothing brings them back" in page_of(shared.ada, erase)
    assert sent(shared.people.client("Vi"), erase).status_code == 403
    assert sent(shared.ada, erase).status_code == 303
    assert "Old idea" not in page_of(shared.ada, "/deleted?workspace=alpha")
    node = shared.made("designs", {**NODE, "name": "In use"})
    shared.made("scenarios", {**shared.document, "name": "The user", "supernode": {"design": node}})
    sent(shared.ada, f"/saved/supernode/{node}/delete")
    answer = sent(shared.ada, f"/saved/supernode/{node}/erase")
    assert (answer.status_code, "is used by The user" in answer.text) == (422, True)


def test_a_guest_who_may_comment_is_not_offered_to_save(shared):
    guest = shared.guest(shared.link(role="commenter"))
    page = page_of(guest, f"/designs/{shared.scenario}")
    assert ">Save</a>" not in page
    assert ">Sign in to save</a>" in page
    viewer = page_of(shared.people.client("Vi"), f"/designs/{shared.scenario}?workspace=alpha")
    assert ">Save</a>" not in viewer
    assert ">Save</a>" in page_of(shared.ada, f"/designs/{shared.scenario}?workspace=alpha")


def test_the_name_of_a_guest_is_asked_once(shared):
    guest = shared.guest(shared.link(role="commenter"))
    page = f"/saved/scenario/{shared.scenario}/comments"
    asked = "Your name, so that others know who writes"
    assert asked in page_of(guest, page)
    assert sent(guest, page, body="Nameless").status_code == 422
    assert asked in page_of(guest, page)
    name = "Zoë <b>; Ltd, 50 %"
    answer = sent(guest, page, body="First", guest_name=name)
    assert answer.status_code == 303
    assert all(word in answer.headers["set-cookie"] for word in ("HttpOnly", "SameSite=lax"))
    shown = page_of(guest, page)
    assert asked not in shown
    assert "Commenting as Zoë &lt;b&gt;; Ltd, 50 %" in shown
    assert sent(guest, page, body="Second", guest_name=name).status_code == 303
    assert sent(guest, page, body="Third", guest_name="Yan").status_code == 303
    assert "Commenting as Yan" in page_of(guest, f"/designs/{shared.scenario}/comments?panel=1")
    assert "Commenting as" not in page_of(shared.ada, page)
    assert "podwright_guest_name" not in str(sent(shared.ada, page, body="Signed", guest_name="X").headers)
