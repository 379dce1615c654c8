"""Attempts to sign in, made slow: after some failures each further one costs a longer pause.

Counted for an address of mail, so that one account cannot be guessed from many places, and for an address of
the network, so that one place cannot try many accounts. The counts are in the database, for all processes. An
attempt counts as failed before it is looked at, so that many at once gain nothing. No one is locked out for
ever: the longest pause is a few minutes, and what is old is forgotten.
"""

from __future__ import annotations

import ipaddress
import math
from datetime import timedelta
from typing import NamedTuple

import sqlalchemy as sa
from sqlalchemy.dialects import postgresql, sqlite
from sqlmodel import Session, col, delete, select

from app.db.engine import is_server
from app.db.tables import SignInAttemptRow, table_of
from app.db.tables.base import now
from app.teams.errors import ThrottledError
from app.teams.secrets import Secrets

LONGEST_PAUSE_S = 300
FORGOTTEN_AFTER = timedelta(hours=24)
CLOCKS_APART = timedelta(minutes=1)
"""Machines that share a database may be so far apart; what was counted later than that was before a clock was put back."""


class Allowance(NamedTuple):
    """Failures that cost nothing; the pause after the next is a second, and doubles with each more."""

    failures: int

    def pause_s(self, failures: int) -> int:
        """The pause after so many failures [s].

        >>> [Allowance(5).pause_s(failures) for failures in (5, 6, 7, 10, 200)]
        [0, 1, 2, 16, 300]
        """
        beyond = failures - self.failures
        return 0 if beyond < 1 else int(min(LONGEST_PAUSE_S, 2.0 ** min(beyond - 1, 20)))


OF_MAIL = Allowance(5)
OF_NETWORK = Allowance(30)  # a whole office may stand behind one address


def begin_attempt(session: Session, secrets: Secrets, email_key: str, address: str) -> None:
    """Count an attempt; nothing is counted while a pause lasts.

    Raises
    ------
    ThrottledError : there were too many failures, and the pause is not over
    """
    moment = now()
    counted = [
        (_row(session, key), allowance)
        for key, allowance in sorted(_keys(secrets, email_key, address), key=lambda each: each[0])
    ]
    waits = [
        row.blocked_until
        for row, _ in counted
        if row.blocked_until and row.blocked_until > moment and row.last_at <= moment + CLOCKS_APART
    ]
    if waits:
        raise ThrottledError(max(1, math.ceil((max(waits) - moment).total_seconds())))
    for row, allowance in counted:
        if row.last_at < moment - FORGOTTEN_AFTER:
            row.failures = 0
        row.failures += 1
        row.last_at = moment
        pause_s = allowance.pause_s(row.failures)
        row.blocked_until = moment + timedelta(seconds=pause_s) if pause_s else None


def succeeded(session: Session, secrets: Secrets, email_key: str, address: str) -> None:
    """The attempt that was counted did not fail."""
    for key, allowance in _keys(secrets, email_key, address):
        row = session.get(SignInAttemptRow, key, with_for_update=True)
        if row is None:
            continue
        if allowance is OF_MAIL:
            session.delete(row)
        else:  # who guesses must not begin again by signing in to an account of their own
            row.failures = max(0, row.failures - 1)
            row.blocked_until = None if row.failures <= allowance.failures else row.blocked_until
    session.exec(delete(SignInAttemptRow).where(col(SignInAttemptRow.last_at) < now() - FORGOTTEN_AFTER))


def network_of(address: str) -> str:
    """What stands for one place: an address, of IPv6 the network that one customer is given.

    >>> network_of("192.0.2.7"), network_of("2001:db8:1:2:3::9"), network_of("testclient")
    ('192.0.2.7', '2001:db8:1:2::/64', 'testclient')
    """
    try:
        found = ipaddress.ip_address(address)
    except ValueError:
        return address
    if found.version == 4:
        return str(found)
    if found.ipv4_mapped:
        return str(found.ipv4_mapped)
    return str(ipaddress.ip_network((found, 64), strict=False))


def _keys(secrets: Secrets, email_key: str, address: str) -> list[tuple[str, Allowance]]:
    keys = [(secrets.hash("attempt", f"mail {email_key}"), OF_MAIL)]
    if address:
        keys.append((secrets.hash("attempt", f"network {network_of(address)}"), OF_NETWORK))
    return keys


def _row(session: Session, key: str) -> SignInAttemptRow:
    """The count of a key, locked; made where there was none, also by another process at this moment."""
    dialect = postgresql if is_server(session.connection()) else sqlite
    values = {"key_hash": key, "failures": 0, "last_at": now()}
    made: sa.Executable = dialect.insert(table_of(SignInAttemptRow)).values(values).on_conflict_do_nothing()
    session.execute(made)
    return session.exec(
        select(SignInAttemptRow).where(SignInAttemptRow.key_hash == key).with_for_update()
    ).one()
