"""Signing in with a provider: who gets in, whose account it is, and what is not believed."""

from __future__ import annotations

import time

import pytest
from joserfc.jwk import ECKey
from sqlmodel import select

from app.db.session import read_session, write_session
from app.db.tables import AccountIdentityRow, AccountRow, MembershipRow, SignInRow
from app.db.tables.base import now
from app.saved.access import LOCAL
from app.teams import invitations
from app.teams.asking import Asking
from app.teams.oidc.provider import Provider
from tests.oidc_provider import ISSUER, SETTINGS, FakeProvider
from tests.people import People, people_over

RULES = "engineers=lab:editor,leads=lab:owner"


@pytest.fixture(scope="module")
def people(seeded_data_dir, tmp_path_factory):
    with people_over(seeded_data_dir, tmp_path_factory.mktemp("oidc"), oidc_teams=RULES, **SETTINGS) as made:
        made.team("lab", {"Olga": "owner"})
        yield made


@pytest.fixture
def provider(people):
    fake = FakeProvider()
    people.app.state.provider = Provider(people.settings, fake.transport())
    return fake


def go(browser, provider, next="/", **claims):
    """A browser that goes to the provider and comes back; the answer to its coming back."""
    leaving = browser.get(f"/sign-in/oidc?next={next}")
    assert leaving.status_code == 303
    return browser.get(provider.authorize(leaving.headers["location"], **claims))


def claims(sub, **more):
    return {
        "sub": sub,
        "email": f"{sub}@example.org",
        "email_verified": True,
        "name": sub.capitalize(),
        **more,
    }


def account_of(people: People, sub: str) -> AccountRow | None:
    with read_session(people.engine) as session:
        identity = session.get(AccountIdentityRow, (ISSUER, sub))
        return session.get(AccountRow, identity.account_id) if identity else None


def role(people: People, account_id: str, team: str) -> str | None:
    with read_session(people.engine) as session:
        row = session.get(MembershipRow, (people.team(team), account_id))
        return row.role if row else None


def test_somebody_in_a_group_gets_an_account_and_their_role_follows_the_group(people, provider):
    browser = people.client()
    answer = go(browser, provider, "/catalog", **claims("gina", groups=["engineers", "other"]))
    assert (answer.status_code, answer.headers["location"]) == (303, "/catalog")
    gina = account_of(people, "gina")
    assert (gina.name, gina.email, gina.password_hash) == ("Gina", "gina@example.org", None)
    assert role(people, gina.id, "lab") == "editor"
    assert "Gina" in browser.get("/account").text
    go(people.client(), provider, **claims("gina", groups=["leads"], email="another@example.org"))
    assert role(people, gina.id, "lab") == "owner"
    go(people.client(), provider, **claims("gina"))
    assert role(people, gina.id, "lab") is None
    assert account_of(people, "gina").id == gina.id


def test_a_role_that_people_gave_is_left_as_it_is(people, provider):
    go(people.client(), provider, **claims("hana", groups=["engineers"]))
    hana = account_of(people, "hana")
    with write_session(people.engine) as session:
        session.get(MembershipRow, (_team(session), hana.id)).created_by = "somebody"
    go(people.client(), provider, **claims("hana"))
    assert role(people, hana.id, "lab") == "editor"


def _team(session):
    from app.db.tables import WorkspaceRow

    return session.exec(select(WorkspaceRow.id).where(WorkspaceRow.key == "lab")).one()


def test_whoever_is_unknown_gets_nothing(people, provider):
    browser = people.client()
    answer = go(browser, provider, **claims("stranger"))
    assert answer.status_code == 403
    assert "no account for you" in answer.text
    assert account_of(people, "stranger") is None
    assert browser.get("/account").status_code == 303


def test_an_address_alone_opens_no_account_that_has_a_password(people, provider):
    victim = people.account("Victor").id
    with write_session(people.engine) as session:
        session.get(AccountRow, victim).password_hash = "a hash"
    answer = go(people.client(), provider, **claims("victor", groups=["leads"]))
    assert answer.status_code == 403
    assert "Sign in with its password" in answer.text
    assert account_of(people, "victor") is None


def test_an_account_made_to_be_found_is_found_once_and_only_by_a_verified_address(people, provider):
    with write_session(people.engine) as session:
        session.add(AccountRow(email="Paula@example.org", email_key="paula@example.org", name="Paula"))
    refused = go(people.client(), provider, **claims("paula", email_verified=False))
    assert refused.status_code == 403
    assert "verified" in refused.text
    assert go(people.client(), provider, **claims("paula")).status_code == 303
    assert account_of(people, "paula").name == "Paula"
    impostor = go(
        people.client(), provider, **claims("impostor", email="paula@example.org", groups=["leads"])
    )
    assert impostor.status_code == 403


def test_an_open_invitation_lets_somebody_make_an_account(people, provider):
    with write_session(people.engine) as session:
        asking = Asking(actor=LOCAL, by="local")
        _, secret = invitations.invite(session, asking, people.secrets, "lab", "viewer", "ines@example.org")
    made_up = go(people.client(), provider, "/invitations/made-up", **claims("ines"))
    another = go(people.client(), provider, f"/invitations/{secret}", **claims("other"))
    assert (made_up.status_code, another.status_code) == (403, 403)
    browser = people.client()
    answer = go(browser, provider, f"/invitations/{secret}", **claims("ines"))
    assert answer.headers["location"] == f"/invitations/{secret}"
    assert "Join Lab" in browser.get(f"/invitations/{secret}").text


def test_whoever_is_signed_in_connects_the_provider(people, provider):
    browser, mallory = people.client("Clara"), people.client("Mallory")
    assert (
        go(browser, provider, "/account", **claims("clara-sub", email_verified=False)).headers["location"]
        == "/account"
    )
    assert account_of(people, "clara-sub").name == "Clara"
    taken = go(mallory, provider, "/account", **claims("clara-sub"))
    assert taken.status_code == 403
    assert "another account" in taken.text
    assert account_of(people, "clara-sub").name == "Clara"


def test_a_disabled_account_stays_out(people, provider):
    go(people.client(), provider, **claims("dina", groups=["engineers"]))
    with write_session(people.engine) as session:
        session.get(AccountRow, account_id(people, "dina")).disabled_at = now()
    answer = go(people.client(), provider, **claims("dina", groups=["engineers"]))
    assert (answer.status_code, "disabled" in answer.text) == (403, True)


def account_id(people, sub):
    return account_of(people, sub).id


@pytest.mark.parametrize(
    "lie",
    [
        {"nonce": "another"},
        {"aud": "another"},
        {"iss": "https://evil.example.org"},
        {"exp": int(time.time()) - 600},
        {"azp": "another"},
    ],
    ids=lambda lie: next(iter(lie)),
)
def test_what_is_not_for_this_sign_in_is_not_believed(people, provider, lie):
    answer = go(people.client(), provider, **claims("liar", groups=["leads"], **lie))
    assert answer.status_code == 403
    assert account_of(people, "liar") is None


def test_another_key_is_not_believed_and_a_new_one_of_the_provider_is(people, provider):
    provider.key = ECKey.generate_key("P-256", {"kid": "two"})
    assert go(people.client(), provider, **claims("keyed", groups=["engineers"])).status_code == 403
    provider.published.append(provider.key)
    assert go(people.client(), provider, **claims("keyed", groups=["engineers"])).status_code == 303


def test_a_state_of_another_browser_or_none_is_refused(people, provider):
    mine, theirs = people.client(), people.client()
    away = mine.get("/sign-in/oidc").headers["location"]
    back = provider.authorize(away, **claims("gina", groups=["engineers"]))
    assert theirs.get(back).status_code == 403  # no cookie: somebody was given a link that signs them in
    theirs.get("/sign-in/oidc")
    assert theirs.get(back).status_code == 403  # the cookie of another sign-in
    assert mine.get(back.replace("state=", "state=x")).status_code == 403
    answer = mine.get("/sign-in/oidc/callback?error=access_denied")
    assert answer.status_code == 403


def test_a_cookie_that_was_changed_or_is_old_is_refused(people, provider, monkeypatch):
    browser = people.client()
    leaving = browser.get("/sign-in/oidc")
    cookie = leaving.headers["set-cookie"].split(";")[0]
    back = provider.authorize(leaving.headers["location"], **claims("gina", groups=["engineers"]))
    name, _, value = cookie.partition("=")
    changed = people.client().get(back, headers={"cookie": f"{name}=00{value}"})
    assert changed.status_code == 403
    later = time.time() + 3600
    monkeypatch.setattr("app.surfaces.pages.people.oidc.time.time", lambda: later)
    assert people.client().get(back, headers={"cookie": cookie}).status_code == 403


def test_a_provider_that_is_down_or_another_says_so(people, provider):
    provider.is_down = True
    answer = people.client().get("/sign-in/oidc")
    assert (answer.status_code, "cannot be reached" in answer.text) == (502, True)
    provider.is_down = False
    provider.discovery["issuer"] = "https://evil.example.org"
    assert people.client().get("/sign-in/oidc").status_code == 502


def test_the_secret_is_new_at_every_sign_in(people, provider):
    browser = people.client()
    first = go(browser, provider, **claims("gina", groups=["engineers"])).headers.get_list("set-cookie")
    second = go(people.client(), provider, **claims("gina", groups=["engineers"])).headers.get_list(
        "set-cookie"
    )
    assert [cookie for cookie in first if cookie.startswith("podwright_sign_in")] != [
        cookie for cookie in second if cookie.startswith("podwright_sign_in")
    ]
    with read_session(people.engine) as session:
        methods = session.exec(
            select(SignInRow.method).where(SignInRow.account_id == account_id(people, "gina"))
        ).all()
    assert set(methods) == {"oidc"}


def test_where_passwords_are_off_only_the_provider_is_offered(seeded_data_dir, tmp_path):
    with people_over(seeded_data_dir, tmp_path, local_sign_in=False, **SETTINGS) as people:
        page = people.client().get("/sign-in").text
        assert "Sign in with Example ID" in page
        assert 'name="password"' not in page
        answer = people.client().post("/sign-in", data={"email": "a@example.org", "password": "x" * 12})
        assert answer.status_code == 403


def test_without_its_packages_it_says_what_to_install(people, provider, monkeypatch):
    monkeypatch.setitem(__import__("sys").modules, "authlib.oauth2.rfc7636", None)
    answer = people.client().get("/sign-in/oidc")
    assert (answer.status_code, "podwright[oidc]" in answer.text) == (502, True)
