"""The services on people, over the database of the people that a test makes."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable

import pytest

from app.saved.access import LOCAL
from app.teams.asking import Asking
from app.teams.people import People as Desk
from tests.people import People

MACHINE = Asking(actor=dataclasses.replace(LOCAL, name="Command line"), by="local")

AskingOf = Callable[[str], Asking]


@pytest.fixture(scope="module")
def desk(people: People) -> Desk:
    """Transactions on people."""
    return Desk(lambda: people.engine, lambda: people.secrets)


@pytest.fixture
def asking_of(people: People) -> AskingOf:
    """Who asks, as a request of someone's browser or with their token would find out."""
    from app.teams.identify import SIGN_IN_COOKIE, Identify

    identify = Identify(lambda: people.engine, lambda: people.secrets, required=True)

    def found(who: str) -> Asking:
        if who.startswith("pwt_"):
            return identify.asking(bearer=who, cookies={}, workspace="")
        secret = people.account(who).headers["cookie"].partition("=")[2]
        return identify.asking(bearer="", cookies={SIGN_IN_COOKIE: secret}, workspace="")

    return found
