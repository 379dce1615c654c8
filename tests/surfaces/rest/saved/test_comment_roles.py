"""Comments of a team: what each role may, who is told, and guests with a link."""

from __future__ import annotations

import pytest

from app.db.session import write_session
from app.db.tables import ShareGrantRow, ShareLinkRow
from tests.people import people_over
from tests.surfaces.rest.conftest import assert_problem
from tests.surfaces.rest.saved.conftest import edge_node, said

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def people(seeded_data_dir, tmp_path_factory):
    with people_over(seeded_data_dir, tmp_path_factory.mktemp("comments")) as people:
        people.team(
            "crew", {"Owner": "owner", "Editor": "editor", "Commenter": "commenter", "Viewer": "viewer"}
        )
        people.team("guild", {"Ally": "editor"})
        people.account("Stranger")
        yield people


@pytest.fixture
def path(people):
    answer = people.client("Owner").post("/api/v1/scenarios?workspace=crew", json=edge_node())
    return f"{said(answer, 201)['links']['self']}/comments"


def link_to(people, path, role, revision=None):
    """The token of a link to a scenario."""
    saved_id = path.split("/")[-2]
    crew = people.team("crew")
    with write_session(people.engine) as session:
        row = ShareLinkRow(workspace_id=crew, kind="scenario", saved_id=saved_id, role=role, revision=revision)  # fmt: skip
        session.add(row)
    return f"pwl_{row.id}.{people.secrets.proof('link', row.id)}"


@pytest.mark.parametrize(
    ("who", "reads", "writes"),
    [
        ("Owner", 200, 201),
        ("Editor", 200, 201),
        ("Commenter", 200, 201),
        ("Viewer", 200, 403),
        ("Stranger", 404, 404),
        (None, 401, 401),
    ],
)
def test_roles(people, path, who, reads, writes):
    client = people.client(who)
    assert client.get(path).status_code == reads
    assert client.post(path, json={"body": "Hello"}).status_code == writes


def test_whose_comment_it_is(people, path):
    owner, editor, commenter = (people.client(name) for name in ("Owner", "Editor", "Commenter"))
    first = said(editor.post(path, json={"body": "Mine"}), 201)
    address = f"{path}/{first['id']}"
    assert_problem(owner.patch(address, json={"body": "Yours"}), 403)
    assert_problem(commenter.delete(address), 403)
    (seen,) = said(commenter.get(path))["items"]
    assert (seen["author"], seen["may_edit"], seen["may_delete"]) == ("Editor", False, False)
    said(commenter.post(f"{address}/resolve"))
    assert said(owner.get(path))["items"][0]["resolved_by"] == "Commenter"
    assert said(owner.get(path))["items"][0]["may_delete"]
    assert owner.delete(address).status_code == 204


def test_a_token_writes_by_its_scope(people, path):
    for scopes, status in ((("read",), 403), (("read", "comment"), 201)):
        client = people.client(people.token("Editor", scopes))
        assert client.post(path, json={"body": "By a program"}).status_code == status


def test_who_is_told(people, path):
    editor = people.client("Editor")
    text = '@Viewer and @"owner", not @Stranger, @Editor or @viewer@example.org.evil'
    made = said(editor.post(path, json={"body": text}), 201)
    assert made["mentions"] == ["Owner", "Viewer"]
    page = people.client("Viewer").get("/mentions").text
    assert "1 unread" in page
    assert "@Viewer and" in page
    assert "unread" not in people.client("Stranger").get("/mentions").text
    edited = said(editor.patch(f"{path}/{made['id']}", json={"body": "@Commenter only"}))
    assert edited["mentions"] == ["Commenter"]
    assert "unread" not in people.client("Viewer").get("/mentions").text
    commenter = people.client("Commenter")
    csrf = people.account("Commenter").csrf
    read = commenter.post("/mentions/read", data={"comment": made["id"], "csrf": csrf})
    assert read.status_code == 303
    assert "unread" not in commenter.get("/mentions").text
    editor.delete(f"{path}/{made['id']}")
    assert "only" not in commenter.get("/mentions").text


def test_another_team_that_it_is_shared_with(people, path):
    ally = people.client("Ally")
    assert ally.get(path).status_code == 404
    guild = people.team("guild")
    with write_session(people.engine) as session:
        session.add(ShareGrantRow(saved_id=path.split("/")[-2], workspace_id=guild, kind="scenario", role="commenter"))  # fmt: skip
    said(ally.post(path, json={"body": "From the guild"}), 201)
    assert said(people.client("Owner").post(path, json={"body": "@Ally"}), 201)["mentions"] == ["Ally"]
    assert "1 unread" in ally.get("/").text


def test_guests(people, path):
    guest = people.client(link_to(people, path, "commenter"))
    assert_problem(guest.post(path, json={"body": "Hello"}), 422, "invalid-comment")
    made = said(guest.post(path, json={"body": "Hello @Owner", "guest_name": "<b>Zoe</b>"}), 201)
    assert (made["author"], made["may_edit"], made["mentions"]) == ("Guest: <b>Zoe</b>", False, ["Owner"])
    assert_problem(guest.patch(f"{path}/{made['id']}", json={"body": "Other"}), 403)
    assert_problem(people.client(link_to(people, path, "viewer")).post(path, json={"body": "x", "guest_name": "Y"}), 403)  # fmt: skip


def test_a_link_to_one_revision_shows_what_was_said_until_then(people, path):
    owner = people.client("Owner")
    owner.post(path, json={"body": "On the first"})
    document = edge_node() | {"description": "Another"}
    said(owner.put(path.removesuffix("/comments"), json=document, headers={"if-match": "*"}))
    owner.post(path, json={"body": "On the second"})
    guest = people.client(link_to(people, path, "commenter", revision=1))
    assert [one["body"] for one in said(guest.get(f"{path}?revision=1"))["items"]] == ["On the first"]
    assert_problem(guest.get(path), 404)
    assert_problem(guest.get(f"{path}?revision=2"), 404)
    assert_problem(guest.post(path, json={"body": "x", "guest_name": "Y"}), 404)
    assert_problem(guest.get(path.replace("/comments", "/events")), 404)


def test_changes_need_the_token_of_the_page(people, path):
    without = people.client("Editor")
    del without.headers["x-csrf-token"]
    assert_problem(without.post(path, json={"body": "Forged"}), 403, "no-csrf-token")
    form = without.post(path.replace("/api/v1/scenarios", "/saved/scenario"), data={"body": "Forged"})
    assert form.status_code == 403
