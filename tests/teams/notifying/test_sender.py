"""Sending what waits: once by one process, later where it is not taken, and given up in the end."""

from __future__ import annotations

import smtplib
from datetime import timedelta

import pytest
from sqlmodel import Session, select

from app.db.session import read_session, write_session
from app.db.tables import AccountRow, NotificationRow
from app.db.tables.base import now
from app.settings import Settings
from app.teams.notifying import mail
from app.teams.notifying.sender import KEPT_FOR, WAITS, Place, clear_sent, deliver, send_due
from app.teams.notifying.webhook import DeliveryError

SETTINGS = Settings(
    public_url="https://podwright.example.org", smtp_host="mail.example.org", mail_from="p@example.org"
)
CONTENT = {"path": "/studies/ab", "says": "Ada mentioned you.", "text": "Look\nhere"}


@pytest.fixture
def row(engine):
    with write_session(engine) as session:
        session.add(AccountRow(id="a" * 32, email="bea@example.org", email_key="bea@example.org", name="Bea"))
        session.add(
            NotificationRow(
                id="n" * 32, workspace_id=1, saved_id="s" * 32, channel="mail", recipient="a" * 32,
                event="mentioned", content=CONTENT,
            )
        )  # fmt: skip


def only(engine):
    with read_session(engine) as session:
        return session.exec(select(NotificationRow)).one()


def refuse(*_asked):
    raise DeliveryError("It is away.")


def test_what_is_taken_is_sent_once(engine, row):
    sent = []
    assert send_due(engine, SETTINGS, lambda _settings, _row, to: sent.append(to.address)) == 1
    assert send_due(engine, SETTINGS, lambda _settings, _row, to: sent.append(to.address)) == 0
    assert sent == ["bea@example.org"]
    assert (only(engine).done_at is not None, only(engine).error) == (True, "")


def test_what_is_not_taken_is_tried_later_each_time_and_then_given_up(engine, row):
    for attempt in range(len(WAITS) + 1):
        before = now()
        assert send_due(engine, SETTINGS, refuse) == 0
        found = only(engine)
        assert (found.attempts, found.error) == (attempt + 1, "It is away.")
        assert send_due(engine, SETTINGS, refuse) == 0, "it is not due again"
        if attempt < len(WAITS):
            assert found.done_at is None
            assert found.next_try_at - before >= WAITS[attempt]
            _make_due(engine)
    assert only(engine).done_at is not None
    _make_due(engine)
    assert send_due(engine, SETTINGS, lambda *_asked: None) == 0


def test_two_processes_send_it_once(engine, row):
    sent = []

    def send(_settings, _row, to):
        sent.append(to.address)
        send_due(engine, SETTINGS, send)  # another process looks meanwhile

    send_due(engine, SETTINGS, send)
    assert len(sent) == 1


def test_an_account_that_was_disabled_is_not_written_to(engine, row):
    with write_session(engine) as session:
        account = session.get(AccountRow, "a" * 32)
        account.disabled_at = now()
        session.add(account)
    assert send_due(engine, SETTINGS) == 0
    assert "no address" in only(engine).error


def test_a_mail_has_one_line_of_subject_and_the_page(engine, row, monkeypatch):
    seen = []

    class Server:
        def __init__(self, host, port, timeout):
            seen.append((host, port))

        def __enter__(self):
            return self

        def __exit__(self, *_):
            pass

        def starttls(self, context):
            seen.append("tls")

        def send_message(self, message):
            seen.append(message)

    monkeypatch.setattr(mail.smtplib, "SMTP", Server)
    deliver(SETTINGS, only(engine), Place("bea@example.org"))
    (_, _, message) = seen
    assert seen[:2] == [("mail.example.org", 587), "tls"]
    assert (message["To"], message["Subject"]) == ("bea@example.org", "Ada mentioned you.")
    assert "https://podwright.example.org/studies/ab" in message.get_content()


def test_a_mail_server_that_refuses_is_a_fault(engine, row, monkeypatch):
    def away(*_asked, **_more):
        raise smtplib.SMTPServerDisconnected("gone")

    monkeypatch.setattr(mail.smtplib, "SMTP", away)
    with pytest.raises(DeliveryError, match="did not take it"):
        deliver(SETTINGS, only(engine), Place("bea@example.org"))


def test_what_was_sent_long_ago_is_forgotten(engine, row):
    send_due(engine, SETTINGS, lambda *_asked: None)
    clear_sent(engine)
    only(engine)
    with write_session(engine) as session:
        _change(session, done_at=now() - KEPT_FOR - timedelta(days=1))
    clear_sent(engine)
    with read_session(engine) as session:
        assert session.exec(select(NotificationRow)).all() == []


def _make_due(engine):
    with write_session(engine) as session:
        _change(session, next_try_at=now())


def _change(session: Session, **values):
    row = session.exec(select(NotificationRow)).one()
    for name, value in values.items():
        setattr(row, name, value)
    session.add(row)
