"""Pages of people: what each shows and does, to whom, and that no other site's page can do it."""

from __future__ import annotations

import itertools
import re

import pytest
from sqlmodel import select

from app.db.session import read_session, write_session
from app.db.tables import AccountRow, AuditEntryRow, MembershipRow, SignInAttemptRow, WorkspaceRow
from app.surfaces.pages.people.routes import ROUTERS
from app.teams import passwords
from tests.people import People, email_of

GOOD = "quite unlikely words"
PRESSED = {"button": "pressed"}  # a form without fields of its own
_numbers = itertools.count()


@pytest.fixture
def key(people: People) -> str:
    key = f"page-lab-{next(_numbers)}"
    people.team(key, {"Olga": "owner", "Edna": "editor", "Vera": "viewer"})
    people.account("Mallory"), people.account("Root", admin=True)
    return key


@pytest.fixture
def olga(people: People) -> People:
    with write_session(people.engine) as session:
        for row in session.exec(select(SignInAttemptRow)).all():
            session.delete(row)
        session.exec(
            select(AccountRow).where(AccountRow.name == "Olga")
        ).one().password_hash = passwords.hashed(GOOD)
    return people.client("Olga")


def role(people, key, name):
    with read_session(people.engine) as session:
        team = session.exec(select(WorkspaceRow.id).where(WorkspaceRow.key == key)).one()
        row = session.get(MembershipRow, (team, people.account(name).id))
        return row.role if row else None


POSTS = [
    (method, route.path)
    for router in ROUTERS
    for route in router.routes
    for method in route.methods
    if method == "POST" and route.path not in ("/sign-in",)
]


@pytest.mark.parametrize(("method", "path"), POSTS, ids=[path for _, path in POSTS])
def test_every_change_asks_for_the_token_of_its_page(people, key, method, path):
    """Root is known to the server; only the token that pages carry is missing, or is another's."""
    address = re.sub(r"\{[a-z_]+\}", "x", path).replace("/teams/x", f"/teams/{key}")
    root = people.account("Root")
    browser = people.client()
    before = entries(people)
    for csrf in ("", "A" * 43, people.account("Mallory").csrf):
        answer = browser.post(address, data={"csrf": csrf}, headers=root.headers)
        assert answer.status_code == 403, path
        assert "earlier sign-in" in answer.text
    foreign = browser.post(
        address, data={"csrf": root.csrf}, headers={**root.headers, "origin": "https://evil.example.org"}
    )
    assert foreign.status_code == 403
    assert entries(people) == before


def entries(people):
    with read_session(people.engine) as session:
        return len(session.exec(select(AuditEntryRow.id)).all())


def test_members_see_the_team_and_owners_change_it(people, key):
    seen = people.client("Vera").get(f"/teams/{key}")
    assert seen.status_code == 200
    assert "Olga" in seen.text
    assert "Create link" not in seen.text
    assert "Create link" in people.client("Olga").get(f"/teams/{key}").text
    assert people.client("Mallory").get(f"/teams/{key}").status_code == 404
    assert "look after its members" in people.client("Root").get(f"/teams/{key}").text
    token = people.token("Olga", ["read", "manage"])
    assert people.client(token).get(f"/teams/{key}").status_code == 403


def test_roles_are_set_and_members_removed(people, key, olga):
    at = f"/teams/{key}/members"
    vera, edna = people.account("Vera").id, people.account("Edna").id
    assert olga.post(f"{at}/{vera}/role", data={"role": "commenter"}).status_code == 303
    assert role(people, key, "Vera") == "commenter"
    assert people.client("Edna").post(f"{at}/{vera}/role", data={"role": "owner"}).status_code == 403
    assert olga.post(f"{at}/{edna}/remove", data=PRESSED).status_code == 303
    assert role(people, key, "Edna") is None
    assert people.client("Edna").get(f"/teams/{key}").status_code == 404
    last = olga.post(f"{at}/{people.account('Olga').id}/remove", data=PRESSED)
    assert (last.status_code, "no owner" in last.text) == (422, True)
    assert people.client("Vera").post(f"{at}/{vera}/remove", data=PRESSED).headers["location"] == "/teams"


def test_a_team_is_made_renamed_deleted_and_restored(people, olga):
    refused = olga.post("/teams", data={"key": "Bad Key", "name": "<i>Mine"})
    assert refused.status_code == 422
    assert 'value="Bad Key"' in refused.text
    assert "&lt;i&gt;Mine" in refused.text
    made = olga.post("/teams", data={"key": "made-lab", "name": "<i>Mine"})
    assert made.headers["location"] == "/teams/made-lab"
    assert "<i>Mine" not in olga.get("/teams/made-lab").text
    olga.post("/teams/made-lab/rename", data={"name": "Ours"})
    assert "Ours" in olga.get("/teams").text
    assert olga.post("/teams/made-lab/delete", data={"confirm": "made"}).status_code == 422
    assert olga.post("/teams/made-lab/delete", data={"confirm": "made-lab"}).headers["location"] == "/teams"
    assert olga.get("/teams/made-lab").status_code == 404
    people.account("Root", admin=True)
    root = people.client("Root")
    assert "made-lab" in root.get("/admin/teams").text
    assert root.post("/admin/teams/made-lab/restore", data=PRESSED).status_code == 303
    assert olga.get("/teams/made-lab").status_code == 200


def test_an_invitation_is_passed_on_and_taken_with_a_new_account(people, key, olga):
    made = olga.post(f"/teams/{key}/invitations", data={"role": "editor", "email": ""})
    (link,) = re.findall(r'value="http://127.0.0.1(/invitations/[^"]+)"', made.text)
    assert made.headers["cache-control"] == "no-store"
    newcomer = people.client()
    assert "Olga invites you" in newcomer.get(link).text
    name = f"nina{next(_numbers)}"
    typed = {"email": f"{name}@example.org", "name": "Nina", "password": "short"}
    refused = newcomer.post(f"{link}/join", data=typed)
    assert (refused.status_code, "at least 12" in refused.text) == (422, True)
    assert f'value="{name}@example.org"' in refused.text
    joined = newcomer.post(f"{link}/join", data={**typed, "password": GOOD})
    assert joined.headers["location"] == f"/teams/{key}"
    assert "Create link" not in newcomer.get(f"/teams/{key}").text
    assert newcomer.get("/api/v1/account").json()["workspace"] == key
    again = people.client("Mallory").post(f"{link}/accept", data=PRESSED)
    assert (again.status_code, "used already" in again.text) == (422, True)
    assert role(people, key, "Mallory") is None


def test_an_invitation_for_an_address_makes_an_account_of_that_address_only(people, key, olga):
    name = f"ines{next(_numbers)}"
    made = olga.post(f"/teams/{key}/invitations", data={"role": "owner", "email": f"{name}@example.org"})
    (link,) = re.findall(r'value="http://127.0.0.1(/invitations/[^"]+)"', made.text)
    newcomer = people.client()
    typed = {"email": "attacker@example.org", "name": "X", "password": GOOD}
    assert newcomer.post(f"{link}/join", data=typed).status_code == 303
    assert f"{name}@example.org" in newcomer.get("/account").text


def test_an_invitation_is_accepted_by_whoever_is_signed_in_or_revoked(people, key, olga):
    made = olga.post(f"/teams/{key}/invitations", data={"role": "viewer", "email": email_of("Mallory")})
    (link,) = re.findall(r'value="http://127.0.0.1(/invitations/[^"]+)"', made.text)
    assert "Join Page-lab" in people.client("Mallory").get(link).text
    (revoke,) = re.findall(
        rf'action="(/teams/{key}/invitations/[0-9a-f]+/revoke)"', olga.get(f"/teams/{key}").text
    )
    assert people.client("Edna").post(revoke, data=PRESSED).status_code == 403
    assert olga.post(revoke, data=PRESSED).status_code == 303
    assert people.client("Mallory").post(f"{link}/accept", data=PRESSED).status_code == 422
    assert "taken back" in people.client().get(link).text
    assert people.client().get("/invitations/made-up").status_code == 404


def test_one_s_name_address_and_password_are_changed(people, olga):
    typed = {"name": "Olga Owner", "email": "olga.owner@example.org", "password": "wrong wrong wrong"}
    refused = olga.post("/account/profile", data=typed)
    assert (refused.status_code, "not the password" in refused.text) == (422, True)
    assert 'value="olga.owner@example.org"' in refused.text
    assert olga.post("/account/profile", data={**typed, "password": GOOD}).status_code == 303
    assert "Olga Owner, olga.owner@example.org" in olga.get("/account").text
    back = {"name": "Olga", "email": email_of("Olga"), "password": GOOD}
    assert olga.post("/account/profile", data=back).status_code == 303
    for change, words in (
        ({"new_password": "elevenchars"}, "at least 12"),
        ({"new_password": GOOD + "!", "again": "another"}, "two passwords differ"),
        (
            {"new_password": GOOD + "!", "again": GOOD + "!", "password": "not the right one"},
            "not the password",
        ),
    ):
        answer = olga.post("/account/password", data={"password": GOOD, **change})
        assert (answer.status_code, words in answer.text) == (422, True)
        assert GOOD not in answer.text
    elsewhere = people.signed_in(people.account("Olga").id)
    done = olga.post(
        "/account/password", data={"password": GOOD, "new_password": GOOD + "!", "again": GOOD + "!"}
    )
    assert done.status_code == 303
    assert olga.get("/account").status_code == 200
    assert people.client().get("/account", headers=elsewhere.headers).status_code == 303


def test_browsers_are_signed_out_from_another(people, olga):
    others = [people.signed_in(people.account("Olga").id) for _ in range(2)]
    page = olga.get("/account").text
    assert "This browser" in page
    which = people.secrets.hash("sign-in", others[0].headers["cookie"].partition("=")[2])
    assert which in page
    assert people.client("Mallory").post("/account/sign-ins/end", data={"which": which}).status_code == 404
    assert olga.post("/account/sign-ins/end", data={"which": which}).status_code == 303
    assert people.client().get("/account", headers=others[0].headers).status_code == 303
    olga.post("/account/sign-ins/end", data={"which": "others"})
    assert people.client().get("/account", headers=others[1].headers).status_code == 303
    assert olga.get("/account").status_code == 200


def test_a_token_is_made_shown_once_and_revoked(people, olga):
    refused = olga.post("/account/tokens", data={"name": "R", "days": "soon", "scope_write": "yes"})
    assert (refused.status_code, "whole number" in refused.text) == (422, True)
    made = olga.post("/account/tokens", data={"name": "Report", "days": "9", "scope_write": "yes"})
    (text,) = re.findall(r'value="(pwt_[^"]+)"', made.text)
    assert made.headers["cache-control"] == "no-store"
    client = people.client(text)
    assert client.get("/api/v1/account").json()["scopes"] == ["read", "write"]
    page = olga.get("/account").text
    assert text not in page
    assert "Report" in page
    id = text[4:20]
    assert people.client("Mallory").post(f"/account/tokens/{id}/revoke", data=PRESSED).status_code == 404
    assert olga.post(f"/account/tokens/{id}/revoke", data=PRESSED).status_code == 303
    assert client.get("/api/v1/account").status_code == 401


def test_an_account_is_taken_along_and_deleted(people):
    leaver = people.client("Lena")
    with write_session(people.engine) as session:
        session.get(AccountRow, _id(session, "Lena")).password_hash = passwords.hashed(GOOD)
    answer = leaver.get("/account/export")
    assert (answer.headers["content-type"], answer.content[:2]) == ("application/zip", b"PK")
    assert leaver.post("/account/delete", data={"confirm": "x", "password": GOOD}).status_code == 422
    wrong = leaver.post(
        "/account/delete", data={"confirm": email_of("Lena"), "password": "wrong wrong wrong"}
    )
    assert wrong.status_code == 422
    assert (
        leaver.post("/account/delete", data={"confirm": email_of("Lena"), "password": GOOD}).status_code
        == 303
    )
    assert leaver.get("/account").status_code == 303


def _id(session, name):
    return session.exec(select(AccountRow.id).where(AccountRow.name == name)).one()


def test_administrators_look_after_accounts(people, key):
    root = people.client("Root")
    name = f"new{next(_numbers)}"
    typed = {"email": f"{name}@example.org", "name": "New", "password": "short"}
    refused = root.post("/admin/accounts", data=typed)
    assert (refused.status_code, f"{name}@example.org" in refused.text) == (422, True)
    assert root.post("/admin/accounts", data={**typed, "password": GOOD}).status_code == 303
    found = root.get(f"/admin?q={name}").text
    (id,) = set(re.findall(r"/admin/accounts/([0-9a-f]{32})/disable", found))
    assert people.client().post("/sign-in", data={**typed, "password": GOOD}).status_code == 303
    assert root.post(f"/admin/accounts/{id}/disable", data=PRESSED).status_code == 303
    assert "Disabled" in root.get(f"/admin?q={name}").text
    root.post(f"/admin/accounts/{id}/enable", data=PRESSED)
    root.post(f"/admin/accounts/{id}/password", data={"password": GOOD + "!"})
    assert people.client().post("/sign-in", data={**typed, "password": GOOD + "!"}).status_code == 303
    root.post(f"/admin/accounts/{id}/administrator", data={"is_admin": "yes"})
    assert root.post(f"/admin/accounts/{id}/fly", data=PRESSED).status_code == 404
    assert root.post(f"/admin/accounts/{id}/delete", data=PRESSED).status_code == 303
    assert f"{name}@example.org" not in root.get("/admin").text
    own = people.account("Root").id
    last = root.post(f"/admin/accounts/{own}/disable", data=PRESSED)
    assert (last.status_code, "last administrator" in last.text) == (422, True)
    assert "No account is called so" in root.get("/admin?q=unknown-account").text


def test_administration_is_for_administrators(people, key):
    for path in ("/admin", "/admin/teams", "/admin/log"):
        assert people.client("Olga").get(path).status_code == 403
        assert people.client().get(path, headers={"accept": "text/html"}).status_code == 303
    victim = people.account("Vera").id
    assert people.client("Olga").post(f"/admin/accounts/{victim}/disable", data=PRESSED).status_code == 403
    assert people.client("Olga").post("/admin/accounts", data={"email": "x@example.org"}).status_code == 403


@pytest.mark.slow
def test_the_log_is_narrowed_and_paged(people, key, olga):
    for number in range(55):
        olga.post(f"/teams/{key}/rename", data={"name": f"Name {number}"})
    first = olga.get(f"/teams/{key}/log?area=team")
    assert "name Name 54" in first.text
    assert "name Name 0<" not in first.text
    (older,) = re.findall(r'href="([^"]+)">Older', first.text)
    assert "name Name 0<" in olga.get(older.replace("&amp;", "&")).text
    assert people.client("Edna").get(f"/teams/{key}/log").status_code == 403
    assert people.client("Mallory").get(f"/teams/{key}/log").status_code == 404
    root = people.client("Root")
    assert "name Name 54" in root.get(f"/admin/log?area=team&email={email_of('Olga')}").text
    assert "Nothing of this kind" in root.get("/admin/log?email=unknown@example.org").text
    assert root.get("/admin/log?before=x&area=made-up").status_code == 200
