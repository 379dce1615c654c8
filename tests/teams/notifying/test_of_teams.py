"""The webhook of a team: who may set it, where it may be, and what is posted to it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from app.settings import Settings
from app.teams.notifying import of_teams
from app.teams.notifying.webhook import DeliveryError
from tests.people import People, people_of

URL = "https://hooks.example.org/pods"


@pytest.fixture
def people(tmp_path: Path) -> Iterator[People]:
    with people_of(tmp_path) as found:
        found.account("Root", admin=True)
        found.team("crew", {"Ada": "owner", "Bob": "editor"})
        yield found


def asked(people: People, name: str, **form: str) -> Any:
    return people.client(name).post("/teams/crew/webhook", data=form)


def test_an_owner_sets_tries_and_removes_it(people: People, monkeypatch: pytest.MonkeyPatch) -> None:
    posted: list[tuple[str, str, dict[str, Any]]] = []

    def post(url: str, secret: str, id: str, content: dict[str, Any], *, private_addresses: bool) -> None:
        assert not private_addresses
        posted.append((url, secret, content))

    monkeypatch.setattr(of_teams, "post_webhook", post)
    page = asked(people, "Ada", url=URL)
    assert page.status_code == 200, page.text[:300]
    secret = re.findall(r'id="webhook-secret">([^<]+)<', page.text)[0]
    assert len(secret) >= 32
    assert secret not in people.client("Ada").get("/teams/crew").text, "it is shown once"
    assert "The test was taken" in asked(people, "Ada", do="test").text
    assert [(url, signs, content["event"]) for url, signs, content in posted] == [(URL, secret, "tested")]
    assert asked(people, "Bob", url=URL).status_code == 403
    assert asked(people, "Ada", do="remove").status_code in (200, 303)
    assert URL not in people.client("Ada").get("/teams/crew").text
    assert asked(people, "Ada", do="test").status_code == 404


def test_a_test_that_is_not_taken_says_why(people: People, monkeypatch: pytest.MonkeyPatch) -> None:
    def post(*_: Any, **__: Any) -> None:
        raise DeliveryError("The webhook answered 500.")

    monkeypatch.setattr(of_teams, "post_webhook", post)
    asked(people, "Ada", url=URL)
    answer = asked(people, "Ada", do="test")
    assert answer.status_code == 422
    assert "The webhook answered 500." in answer.text


@pytest.mark.parametrize("url", ["", "http://hooks.example.org", "https://", "https://a:b@example.org", "https://x.org/a b", "https://x.org:no"])  # fmt: skip
def test_an_address_that_cannot_be_used_is_refused_and_kept(people: People, url: str) -> None:
    answer = asked(people, "Ada", url=url)
    assert answer.status_code == 422
    assert "https://" in answer.text


def test_a_server_limits_the_hosts() -> None:
    settings = Settings(webhook_hosts="chat.example.org, Hooks.example.org")
    assert settings.webhook_hosts_allowed == ("chat.example.org", "hooks.example.org")
    with pytest.raises(DeliveryError, match="evil"):
        of_teams.post_for_team(settings, "https://evil.example.org/", "k" * 32, "id", {})


def test_a_private_address_is_refused_unless_its_host_is_listed(monkeypatch: pytest.MonkeyPatch) -> None:
    seen = []
    monkeypatch.setattr(
        of_teams, "post_webhook", lambda *_, private_addresses: seen.append(private_addresses)
    )
    for hosts in ("", "hooks.local"):
        of_teams.post_for_team(Settings(webhook_hosts=hosts), "https://hooks.local/", "k" * 32, "id", {})
    assert seen == [False, True]
