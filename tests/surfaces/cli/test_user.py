"""podwright user: accounts made and looked after from the command line."""

from __future__ import annotations

import io
import json

import pytest

from app.settings import get_settings
from app.teams import signing_in
from app.teams.errors import SignInError
from app.teams.notifying import of_teams
from app.teams.people import People
from tests.people import cheap_passwords

GOOD = "quite unlikely words"


@pytest.fixture(scope="module", autouse=True)
def cheap():
    with cheap_passwords():
        yield


@pytest.fixture
def typed(monkeypatch):
    """What comes on standard input."""

    def type_in(text: str) -> None:
        monkeypatch.setattr("sys.stdin", io.StringIO(text))

    return type_in


@pytest.fixture
def account(run, typed):
    """An account that is made once."""

    def made(email: str, *words: str) -> str:
        typed(GOOD + "\n")
        run("user", "add", email, "--password-stdin", *words)
        return email

    return made


def listed(run):
    return {one["email"]: one for one in json.loads(run("user", "list", "--json")[1])}


def test_an_account_is_made_and_what_to_do_next_is_said(run, typed):
    assert "podwright user add" in run("user", "list")[1]
    typed(GOOD + "\n")
    code, out, err = run("user", "add", "ada@example.org", "--name", "Ada", "--admin", "--password-stdin")
    assert (code, err) == (0, "")
    assert "ada@example.org can sign in and look after this server." in out
    assert "PODWRIGHT_SECRET" in out
    assert GOOD not in out
    found = listed(run)["ada@example.org"]
    assert (found["name"], found["is_admin"], found["has_password"]) == ("Ada", True, True)
    assert "Ada  administrator, never seen" in run("user", "list")[1]
    assert signing_in.sign_in(People.of(get_settings()), "ada@example.org", GOOD)


@pytest.mark.parametrize(
    ("words", "password", "said"),
    [
        (["ada"], GOOD, "no address of mail"),
        (["new@example.org"], "short", "at least 12"),
        (["new@example.org"], "passwordpassword", "tried first"),
    ],
)
def test_what_cannot_be_is_one_message_and_exit_2(run, typed, words, password, said):
    typed(password + "\n")
    code, out, err = run("user", "add", *words, "--password-stdin")
    assert (code, out) == (2, "")
    assert said in err
    assert password not in err
    assert "new@example.org" not in listed(run)


def test_an_address_is_taken_once(run, account, typed):
    account("twice@example.org")
    typed(GOOD + "\n")
    code, _, err = run("user", "add", "TWICE@example.org", "--password-stdin")
    assert (code, "There is an account with this address" in err) == (2, True)


def test_one_for_the_provider_has_no_password(run):
    assert run("user", "add", "sso@example.org", "--no-password")[0] == 0
    assert listed(run)["sso@example.org"]["has_password"] is False


def test_a_password_is_replaced(run, account, typed):
    account("pw@example.org")
    typed("other unlikely words\n")
    assert run("user", "password", "pw@example.org", "--password-stdin")[0] == 0
    people = People.of(get_settings())
    assert signing_in.sign_in(people, "pw@example.org", "other unlikely words")
    with pytest.raises(SignInError):
        signing_in.sign_in(people, "pw@example.org", GOOD)


def test_an_account_is_disabled_enabled_and_deleted(run, account):
    account("gone@example.org")
    assert run("user", "disable", "gone@example.org")[0] == 0
    assert listed(run)["gone@example.org"]["disabled_at"]
    assert "disabled" in run("user", "list")[1]
    assert run("user", "enable", "gone@example.org")[0] == 0
    assert run("user", "delete", "gone@example.org", "--yes")[0] == 0
    assert "gone@example.org" not in listed(run)
    code, _, err = run("user", "disable", "gone@example.org")
    assert (code, "There is no account" in err) == (2, True)


def test_the_last_administrator_stays(run, account):
    account("boss@example.org", "--admin")
    run("user", "admin", "ada@example.org", "--no")
    code, _, err = run("user", "admin", "boss@example.org", "--no")
    assert (code, "last administrator" in err) == (2, True)
    assert run("user", "delete", "boss@example.org", "--yes")[0] == 2
    assert run("user", "admin", "ada@example.org")[0] == 0


def test_a_token_is_printed_alone_so_that_it_can_be_kept(run, account):
    account("robot@example.org")
    code, out, err = run("user", "token", "robot@example.org", "--scope", "write", "--days", "7")
    assert code == 0
    assert out.startswith("pwt_")
    assert len(out.split()) == 1
    assert "PODWRIGHT_SECRET is not set" in err
    assert run("user", "token", "robot@example.org", "--scope", "fly")[0] == 2
    assert run("user", "token", "robot@example.org", "--workspace", "nowhere")[0] == 2


def test_an_invitation_needs_a_team(run):
    code, _, err = run("user", "invite", "nowhere")
    assert (code, "There is no team" in err) == (2, True)


@pytest.fixture
def team(run, account):
    """A team of this server."""
    from sqlmodel import select

    from app.catalog.ready import ready_engine
    from app.db.session import write_session
    from app.db.tables import WorkspaceRow

    run("user", "list")
    with write_session(ready_engine(get_settings())) as session:
        if session.exec(select(WorkspaceRow).where(WorkspaceRow.key == "hook-lab")).first() is None:
            session.add(WorkspaceRow(key="hook-lab", name="Hook lab", kind="team"))
    return "hook-lab"


def test_the_webhook_of_a_team_is_set_shown_tested_and_removed(run, team, monkeypatch):
    answers: list[tuple[str, str]] = []

    def post(url, secret, *_, private_addresses):
        answers.append((url, secret))
        if len(answers) > 1:
            raise of_teams.DeliveryError("The webhook answered 500.")

    monkeypatch.setattr(of_teams, "post_webhook", post)
    url = "https://hooks.example.org/pods"
    code, _, err = run("user", "webhook", team)
    assert (code, "has no webhook" in err) == (2, True)
    code, secret, err = run("user", "webhook", team, "--set", url)
    assert (code, len(secret.split()), "not shown again" in err) == (0, 1, True)
    assert run("user", "webhook", team)[:2] == (0, f"{url}\n")
    assert run("user", "webhook", team, "--test")[:2] == (0, "The test was accepted.\n")
    code, out, err = run("user", "webhook", team, "--test")
    assert (code, out, "The webhook answered 500." in err) == (1, "", True)
    assert answers == [(url, secret.strip())] * 2
    assert run("user", "webhook", team, "--remove")[0] == 0
    assert run("user", "webhook", team, "--test")[0] == 2


def test_a_webhook_that_cannot_be_is_one_message_and_exit_2(run, team):
    code, out, err = run("user", "webhook", team, "--set", "http://hooks.example.org")
    assert (code, out, "https://" in err) == (2, "", True)
    assert run("user", "webhook", team, "--set", "https://x.org", "--remove")[0] == 2
    assert "There is no team" in run("user", "webhook", "nowhere")[2]
