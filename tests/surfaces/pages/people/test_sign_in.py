"""Signing in and out in a browser: what it holds, where it goes on to, and what others cannot do with it."""

from __future__ import annotations

import re
from contextlib import ExitStack

import pytest
from sqlmodel import select

from app.db.session import read_session, write_session
from app.db.tables import AccountRow, SignInAttemptRow, SignInRow
from app.db.tables.base import now
from app.teams import passwords
from app.teams.identify import SIGN_IN_COOKIE
from tests.people import People, email_of, people_over

GOOD = "quite unlikely words"


@pytest.fixture
def ada(people: People) -> dict[str, str]:
    """What Ada types, and no one has failed yet."""
    id = people.account("Ada").id
    with write_session(people.engine) as session:
        session.get(AccountRow, id).password_hash = passwords.hashed(GOOD)
        for row in session.exec(select(SignInAttemptRow)).all():
            session.delete(row)
    return {"email": email_of("Ada"), "password": GOOD}


def cookie_in(answer) -> str:
    found = [cookie for cookie in answer.headers.get_list("set-cookie") if cookie.startswith(SIGN_IN_COOKIE)]
    return found[0] if found else ""


def test_a_page_asks_for_a_sign_in_and_one_goes_on_to_it(people, ada):
    browser = people.client()
    asked = browser.get("/library?q=a%26b", headers={"accept": "text/html"})
    assert (asked.status_code, asked.headers["location"]) == (303, "/sign-in?next=/library%3Fq%3Da%2526b")
    form = browser.get(asked.headers["location"])
    assert 'autocomplete="current-password"' in form.text
    assert 'autocomplete="username"' in form.text
    (onward,) = re.findall(r'name="next" value="([^"]*)"', form.text)
    answer = browser.post("/sign-in", data={**ada, "next": onward})
    assert (answer.status_code, answer.headers["location"]) == (303, "/library?q=a%26b")
    assert browser.get("/library").status_code == 200
    assert "Ada" in browser.get("/account").text


def test_the_cookie_is_out_of_reach_of_scripts_other_sites_and_plain_http(
    seeded_data_dir, tmp_path, people, ada
):
    plain = cookie_in(people.client().post("/sign-in", data=ada))
    assert {"HttpOnly", "SameSite=lax", "Path=/"} <= set(plain.split("; "))
    assert "Secure" not in plain
    assert len(plain.split(";")[0].partition("=")[2]) == 43  # 256 bits
    with people_over(seeded_data_dir, tmp_path, public_url="https://pods.example.org") as served:
        id = served.account("Ada").id
        with write_session(served.engine) as session:
            session.get(AccountRow, id).password_hash = passwords.hashed(GOOD)
        assert "Secure" in cookie_in(served.client().post("/sign-in", data=ada)).split("; ")


def test_a_secret_that_somebody_set_before_is_not_the_one_that_is_signed_in(people, ada):
    planted = "A" * 43
    browser = people.client()
    answer = browser.post("/sign-in", data=ada, headers={"cookie": f"{SIGN_IN_COOKIE}={planted}"})
    assert answer.status_code == 303
    assert planted not in cookie_in(answer)
    stolen = people.client().get("/account", headers={"cookie": f"{SIGN_IN_COOKIE}={planted}"})
    assert stolen.status_code == 303


def test_signing_in_again_ends_the_sign_in_before(people, ada):
    browser = people.client()
    before = cookie_in(browser.post("/sign-in", data=ada)).split(";")[0]
    token = re.search(r'name="csrf" value="([^"]+)"', browser.get("/account").text)[1]
    browser.post("/sign-in", data={**ada, "csrf": token})
    assert people.client().get("/account", headers={"cookie": before}).status_code == 303


@pytest.mark.parametrize(
    "next",
    [
        "//evil.example.org",
        "https://evil.example.org/",
        "/\\evil.example.org",
        "javascript:alert(1)",
        "\\\\evil",
        "evil",
        "/a\r\nset-cookie: x=y",
        "/\tevil",
        "///evil.example.org",
        "http:evil",
    ],
)
def test_one_goes_on_to_paths_of_this_server_only(people, ada, next):
    answer = people.client().post("/sign-in", data={**ada, "next": next})
    assert (answer.status_code, answer.headers["location"]) == (303, "/")
    page = people.client().get("/sign-in", params={"next": next})
    assert 'name="next" value="/"' in page.text
    signed_in = people.client("Ada").get("/sign-in", params={"next": next})
    assert signed_in.headers["location"] == "/"


def test_a_wrong_password_keeps_the_address_and_says_nothing_of_who_has_an_account(people, ada):
    wrong = people.client().post("/sign-in", data={**ada, "password": "<b>not the right one"})
    unknown = people.client().post("/sign-in", data={"email": "unknown@example.org", "password": GOOD})
    assert wrong.status_code == unknown.status_code == 422
    assert f'value="{ada["email"]}"' in wrong.text
    assert "<b>not" not in wrong.text
    assert wrong.text.replace(ada["email"], "X") == unknown.text.replace("unknown@example.org", "X")
    assert cookie_in(wrong) == ""


def test_too_many_failures_are_429_and_the_right_password_waits_too(people, ada, monkeypatch):
    moment = now()
    monkeypatch.setattr("app.teams.throttle.now", lambda: moment)  # the pause is not over meanwhile
    browser = people.client()
    answers = [browser.post("/sign-in", data={**ada, "password": "not the right one"}) for _ in range(7)]
    assert [answer.status_code for answer in answers] == [422] * 6 + [429]
    assert answers[-1].headers["retry-after"] == "1"
    assert f'value="{ada["email"]}"' in answers[-1].text
    assert browser.post("/sign-in", data=ada).status_code == 429


def test_signing_out_ends_it_on_the_server(people, ada):
    browser = people.client()
    secret = cookie_in(browser.post("/sign-in", data=ada)).split(";")[0]
    token = re.search(r'name="csrf" value="([^"]+)"', browser.get("/account").text)[1]
    answer = browser.post("/sign-out", data={"csrf": token})
    assert answer.headers["location"] == "/sign-in"
    assert browser.get("/account").status_code == 303
    assert people.client().get("/account", headers={"cookie": secret}).status_code == 303
    with read_session(people.engine) as session:
        hashed = people.secrets.hash("sign-in", secret.partition("=")[2])
        assert session.get(SignInRow, hashed) is None


def test_another_site_cannot_sign_anybody_in(people, ada):
    for headers in ({"origin": "https://evil.example.org"}, {"sec-fetch-site": "cross-site"}):
        answer = people.client().post("/sign-in", data=ada, headers=headers)
        assert (answer.status_code, cookie_in(answer)) == (403, "")


def test_the_workspace_is_chosen_among_one_s_own(people, ada):
    people.team("chosen-lab", {"Ada": "viewer"})
    people.team("other-lab", {"Olga": "owner"})
    browser = people.client("Ada")
    assert browser.get("/api/v1/account").json()["workspace"].startswith("p-")
    assert browser.post("/workspace", data={"key": "other-lab"}).status_code == 404
    chosen = browser.post("/workspace", data={"key": "chosen-lab", "next": "/library"})
    assert chosen.headers["location"] == "/library"
    assert browser.get("/api/v1/account").json()["workspace"] == "chosen-lab"
    assert 'aria-current="true">Chosen-lab' in browser.get("/library").text
    people.team("chosen-lab")
    with write_session(people.engine) as session:
        from app.db.tables import MembershipRow

        session.delete(session.get(MembershipRow, (people_team(session), people.account("Ada").id)))
    assert browser.get("/api/v1/account").json()["workspace"].startswith("p-")


def people_team(session):
    from app.db.tables import WorkspaceRow

    return session.exec(select(WorkspaceRow.id).where(WorkspaceRow.key == "chosen-lab")).one()


def test_where_nobody_signs_in_there_is_nothing_of_it(reading_client):
    home = reading_client.get("/").text
    assert "Sign out" not in home
    assert 'href="/sign-in"' not in home
    assert "who-menu" not in home
    assert reading_client.get("/sign-in").headers["location"] == "/"
    for path in ("/account", "/teams", "/admin"):
        answer = reading_client.get(path)
        assert answer.status_code == 404
        assert "Sign-in is not enabled on this machine" in answer.text


def test_a_crowd_at_the_door_is_429_and_keeps_the_address_that_was_typed(people, ada):
    with ExitStack() as crowd:
        for _ in range(passwords.MOST_SIGN_INS):
            crowd.enter_context(passwords.room_to_sign_in())
        answer = people.client().post("/sign-in", data=ada)
    assert (answer.status_code, answer.headers["retry-after"]) == (429, "2")
    assert "Too many people are signing in at once. Try again in 2 seconds." in answer.text
    assert ada["email"] in answer.text
    assert people.client().post("/sign-in", data=ada).status_code == 303
