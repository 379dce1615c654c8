"""Signing in with a password, and how slow guessing is made."""

from __future__ import annotations

import os
import sys
import threading
from contextlib import ExitStack
from datetime import timedelta

import pytest
from sqlmodel import select

from app.db.tables import AccountRow, AuditEntryRow, SignInAttemptRow, SignInRow
from app.db.tables.base import now
from app.scenarios.errors import ScenarioError
from app.teams import accounts, passwords, signed_in, signing_in
from app.teams.asking import Whence, set_whence
from app.teams.errors import SignInError, ThrottledError
from app.teams.passwords import Cost
from tests.teams.conftest import MACHINE

GOOD = "quite unlikely words"


@pytest.fixture
def account(desk, monkeypatch):
    """An account with a password, forgotten attempts, an address of the network, and pauses that last."""
    moment = now()
    monkeypatch.setattr("app.teams.throttle.now", lambda: moment)
    with desk.writing() as session:
        for row in session.exec(select(SignInAttemptRow)).all():
            session.delete(row)
        found = accounts.by_email(session, "ada@example.org") or accounts.create(
            session, MACHINE, email="ada@example.org"
        )
        found.password_hash = passwords.hashed(GOOD)
        found.disabled_at = None
    set_whence(Whence(address="192.0.2.1", browser="A browser", request_id="r1"))
    yield found
    set_whence(Whence())


def test_address_and_password_open_a_browser(desk, account):
    secret = signing_in.sign_in(desk, " ADA@example.org", GOOD)
    with desk.reading() as session:
        row = session.get(SignInRow, desk.secrets.hash("sign-in", secret))
        entry = session.exec(
            select(AuditEntryRow)
            .where(AuditEntryRow.action == "sign_in.began")
            .order_by(AuditEntryRow.id.desc())
        ).first()
    assert (row.account_id, row.method, row.browser, row.address) == (
        account.id,
        "password",
        "A browser",
        "192.0.2.1",
    )
    assert row.expires_at - row.created_at == timedelta(days=14)
    assert (entry.account_id, entry.address, entry.request_id) == (account.id, "192.0.2.1", "r1")
    assert secret not in str(row)


def test_a_wrong_password_and_an_unknown_address_get_the_same_answer(desk, account, monkeypatch):
    hashes = []
    original = passwords._hasher

    def counted(cost):
        hashes.append(cost)
        return original(cost)

    monkeypatch.setattr(passwords, "_hasher", counted)
    answers = []
    for email, password in (("ada@example.org", "not the right one"), ("unknown@example.org", GOOD)):
        hashes.clear()
        with pytest.raises(SignInError) as refused:
            signing_in.sign_in(desk, email, password)
        answers.append((str(refused.value), len(hashes) > 0))
    assert answers[0] == answers[1] == (signing_in.NO_ENTRY, True)
    with desk.reading() as session:
        failed = session.exec(select(AuditEntryRow).where(AuditEntryRow.action == "sign_in.failed")).all()
    assert {entry.resource_id for entry in failed} == {account.id, ""}


def test_a_disabled_account_says_so_only_to_whoever_has_its_password(desk, account):
    with desk.writing() as session:
        session.get(AccountRow, account.id).disabled_at = now()
    with pytest.raises(SignInError, match="disabled"):
        signing_in.sign_in(desk, "ada@example.org", GOOD)
    with pytest.raises(SignInError, match="do not belong together"):
        signing_in.sign_in(desk, "ada@example.org", "not the right one")


def test_a_cheap_hash_is_made_anew_at_the_next_sign_in(desk, account, monkeypatch):
    before = account.password_hash
    monkeypatch.setattr(passwords, "COST", Cost(2, 16, 1))
    signing_in.sign_in(desk, "ada@example.org", GOOD)
    with desk.reading() as session:
        after = session.get(AccountRow, account.id).password_hash
    assert "m=8,t=1" in before
    assert "m=16,t=2" in after
    assert passwords.verified(GOOD, after) == (True, None)


def test_failures_cost_growing_pauses_and_the_right_password_waits_too(desk, account):
    waited = []
    for _ in range(9):
        with pytest.raises((SignInError, ThrottledError)) as refused:
            signing_in.sign_in(desk, "ada@example.org", "not the right one")
        waited.append(getattr(refused.value, "retry_after_s", 0))
        over(desk, only_after=refused.value)
    assert waited[:6] == [0] * 6
    assert waited[6:] == [1, 0, 2]  # a refused attempt is not counted
    fail_until_paused(desk)
    with pytest.raises(ThrottledError):
        signing_in.sign_in(desk, "ada@example.org", GOOD)
    over(desk)
    signing_in.sign_in(desk, "ada@example.org", GOOD)
    with desk.reading() as session:
        (left,) = session.exec(select(SignInAttemptRow)).all()  # of the network
    assert left.failures > 5


def test_no_account_is_locked_for_ever(desk, account):
    with desk.writing() as session:
        for row in session.exec(select(SignInAttemptRow)).all():
            session.delete(row)
    with pytest.raises(SignInError):
        signing_in.sign_in(desk, "ada@example.org", "not the right one")
    with desk.writing() as session:
        for row in session.exec(select(SignInAttemptRow)).all():
            row.failures = 1_000_000
    with pytest.raises(SignInError):
        signing_in.sign_in(desk, "ada@example.org", "not the right one")
    with pytest.raises(ThrottledError) as refused:
        signing_in.sign_in(desk, "ada@example.org", GOOD)
    assert refused.value.retry_after_s <= 300
    with desk.writing() as session:
        for row in session.exec(select(SignInAttemptRow)).all():
            row.blocked_until, row.last_at = now() - timedelta(hours=1), now() - timedelta(days=2)
    assert signing_in.sign_in(desk, "ada@example.org", GOOD)


def test_a_clock_that_is_put_back_locks_nobody_out(desk, account, monkeypatch):
    ahead = now() + timedelta(days=300)
    with monkeypatch.context() as patch:
        patch.setattr("app.teams.throttle.now", lambda: ahead)
        fail_until_paused(desk)
        with pytest.raises(ThrottledError):
            signing_in.sign_in(desk, "ada@example.org", GOOD)
    with pytest.raises(SignInError):  # guessing goes on to cost what it did
        signing_in.sign_in(desk, "ada@example.org", "not the right one")
    with pytest.raises(ThrottledError) as refused:
        signing_in.sign_in(desk, "ada@example.org", GOOD)
    assert refused.value.retry_after_s <= 300


def test_one_place_cannot_try_many_accounts(desk, account):
    for number in range(31):
        with pytest.raises(SignInError):
            signing_in.sign_in(desk, f"n{number}@example.org", "not the right one")
    with pytest.raises(ThrottledError):
        signing_in.sign_in(desk, "ada@example.org", GOOD)
    set_whence(Whence(address="192.0.2.99"))
    assert signing_in.sign_in(desk, "ada@example.org", GOOD)


def test_signing_in_ends_what_the_browser_had_before(desk, account):
    first = signing_in.sign_in(desk, "ada@example.org", GOOD)
    hashed = desk.secrets.hash("sign-in", first)
    second = signing_in.sign_in(desk, "ada@example.org", GOOD, instead_of=hashed)
    assert second != first
    with desk.reading() as session:
        assert session.get(SignInRow, hashed) is None


def test_browsers_are_listed_and_signed_out_one_or_all(desk, account):
    with desk.writing() as session:
        signed_in.end_others(session, account.id)
    secrets = [
        desk.secrets.hash("sign-in", signing_in.sign_in(desk, "ada@example.org", GOOD)) for _ in range(3)
    ]
    with desk.writing() as session:
        assert {row.secret_hash for row in signed_in.signed_in(session, account.id)} == set(secrets)
        assert signed_in.end(session, account.id, secrets[0])
        assert not signed_in.end(session, "0" * 32, secrets[1])
        signed_in.end_others(session, account.id, but=secrets[1])
        assert [row.secret_hash for row in signed_in.signed_in(session, account.id)] == [secrets[1]]


def test_a_new_password_signs_out_everywhere_else(desk, account):
    here, there = (
        desk.secrets.hash("sign-in", signing_in.sign_in(desk, "ada@example.org", GOOD)) for _ in range(2)
    )
    with desk.writing() as session:
        accounts.set_password(
            session, MACHINE, account.id, passwords.hashed("other unlikely words"), stay=here
        )
    with desk.reading() as session:
        assert session.get(SignInRow, here) is not None
        assert session.get(SignInRow, there) is None


def test_what_cannot_be_taken_back_asks_for_the_password(desk, account):
    with desk.reading() as session:
        row = session.get(AccountRow, account.id)
    signing_in.require_password(desk, row, GOOD)
    with pytest.raises(ScenarioError, match="not the password"):
        signing_in.require_password(desk, row, "not the right one")


def over(desk, only_after: object = None) -> None:
    """The pauses are over."""
    if only_after is not None and not isinstance(only_after, ThrottledError):
        return
    with desk.writing() as session:
        for row in session.exec(select(SignInAttemptRow)).all():
            row.blocked_until = None


def fail_until_paused(desk) -> None:
    while True:
        try:
            signing_in.sign_in(desk, "ada@example.org", "not the right one")
        except SignInError:
            continue
        except ThrottledError:
            return


def test_a_crowd_is_told_to_wait_before_anything_is_written_down(desk, account):
    with ExitStack() as crowd:
        for _ in range(passwords.MOST_SIGN_INS):
            crowd.enter_context(passwords.room_to_sign_in())
        with pytest.raises(ThrottledError, match="Too many people are signing in at once"):
            signing_in.sign_in(desk, "ada@example.org", GOOD)
        with desk.reading() as session:
            assert session.exec(select(SignInAttemptRow)).all() == []
    assert signing_in.sign_in(desk, "ada@example.org", GOOD)


@pytest.mark.skipif(sys.platform != "linux", reason="threads have no priority of their own")
def test_hashes_are_made_at_a_lower_priority_than_pages():
    niceness = passwords._hashing.submit(lambda: os.getpriority(os.PRIO_PROCESS, threading.get_native_id()))
    assert niceness.result() >= os.getpriority(os.PRIO_PROCESS, threading.get_native_id()) + 5
