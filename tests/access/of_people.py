"""What routes of accounts, teams, their members and the log need."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tests.access.actors import Need, Outcome, Somebody
from tests.access.rule import Build, Rule, body, form
from tests.access.world import Item


def in_person(somebody: Somebody) -> Outcome | None:
    """Pages about an account are for people who signed in: not for programs, and guests are asked to."""
    if somebody.name.startswith("token "):
        return "forbidden"
    return "sign in" if somebody.name.startswith("link ") else None


def with_an_account(somebody: Somebody) -> Outcome | None:
    """The same of the API, which asks no one to sign in."""
    return None if somebody.has_account and not somebody.name.startswith("token ") else "forbidden"


def or_administrator(somebody: Somebody) -> Outcome | None:
    """Administrators look after teams, without being of them; the tokens are for another team."""
    if somebody.name.startswith("token "):
        return "hidden"
    return "allowed" if somebody.is_admin else None


def in_person_or_administrator(somebody: Somebody) -> Outcome | None:
    return in_person(somebody) or or_administrator(somebody)


def about_people(
    need: Need,
    *routes: str,
    send: Build = lambda item: {},
    instead: Callable[[Somebody], Outcome | None] = lambda somebody: None,
) -> dict[str, Rule]:
    return {
        route: Rule(need, send=send, instead=instead, place=of_people, nothing=need in ("account", "admin"))
        for route in routes
    }


def of_people(item: Item) -> dict[str, str]:
    return {
        "key": item["spare"],
        "account_id": item["another"],
        "id": item["invitation"],
        "invitation_id": item["invitation"],
        "token_id": "0" * 16,
        "what": "disable",
    }


PERSON: dict[str, Any] = {"instead": in_person}
LOOKED_AFTER: dict[str, Any] = {"instead": in_person_or_administrator}
OF_PEOPLE = {
    **about_people(
        "account", "GET /account", "GET /account/delete", "GET /account/export", "GET /teams", **PERSON
    ),
    **about_people("known", "GET /mentions", "GET /api/v1/teams", "GET /api/v1/tokens"),
    **about_people("account", "GET /api/v1/audit", instead=with_an_account),
    **about_people("known", "POST /mentions/read", send=form()),
    **about_people(
        "account", "POST /account/delete", "POST /account/password", "POST /account/profile",
        "POST /account/sign-ins/end", "POST /account/tokens", "POST /account/tokens/{id}/revoke", "POST /teams",
        send=form(), **PERSON,
    ),
    **about_people(
        "account", "POST /api/v1/tokens", send=body({"name": "New", "scopes": ["read"]}), instead=with_an_account
    ),
    **about_people("account", "DELETE /api/v1/tokens/{token_id}"),
    **about_people("account", "POST /api/v1/teams", send=body({"key": "a b", "name": "New"}), instead=with_an_account),
    **about_people("admin", "GET /admin", "GET /admin/log", "GET /admin/teams", **PERSON),
    **about_people(
        "admin", "POST /admin/accounts", "POST /admin/accounts/{id}/{what}", "POST /admin/teams/{key}/restore",
        send=form(), **PERSON,
    ),
    **about_people("read", "GET /teams/{key}", **LOOKED_AFTER),
    **about_people("read", "GET /api/v1/teams/{key}", "GET /api/v1/teams/{key}/members", instead=or_administrator),
    **about_people("manage", "GET /teams/{key}/log", **LOOKED_AFTER),
    **about_people("manage", "GET /api/v1/teams/{key}/invitations", instead=or_administrator),
    **about_people("manage", "POST /teams/{key}/rename", send=form(name="Team"), **LOOKED_AFTER),
    **about_people("manage", "POST /teams/{key}/webhook", send=form(url="https://hooks.example.org/a"), **LOOKED_AFTER),
    **about_people(
        "manage", "GET /api/v1/teams/{key}/webhook", "DELETE /api/v1/teams/{key}/webhook",
        "POST /api/v1/teams/{key}/webhook/test", instead=or_administrator,
    ),
    **about_people(
        "manage", "PUT /api/v1/teams/{key}/webhook", send=body({"url": "https://hooks.example.org/a"}),
        instead=or_administrator,
    ),
    **about_people("manage", "PATCH /api/v1/teams/{key}", send=body({"name": "Team"}), instead=or_administrator),
    **about_people("manage", "POST /teams/{key}/invitations", send=form(role="viewer"), **LOOKED_AFTER),
    **about_people(
        "manage", "POST /api/v1/teams/{key}/invitations", send=body({"role": "viewer"}), instead=or_administrator
    ),
    **about_people(
        "manage", "POST /teams/{key}/invitations/{id}/revoke", send=form(), **LOOKED_AFTER
    ),
    **about_people(
        "manage", "DELETE /api/v1/teams/{key}/invitations/{invitation_id}", instead=or_administrator
    ),
    **about_people("manage", "POST /teams/{key}/members/{account_id}/role", send=form(role="viewer"), **LOOKED_AFTER),
    **about_people(
        "manage", "PATCH /api/v1/teams/{key}/members/{account_id}", send=body({"role": "viewer"}), instead=or_administrator
    ),
    **about_people("manage", "POST /teams/{key}/members/{account_id}/remove", send=form(), **LOOKED_AFTER),
    **about_people("manage", "DELETE /api/v1/teams/{key}/members/{account_id}", instead=or_administrator),
    **about_people("manage", "POST /teams/{key}/delete", send=lambda item: form(confirm=item["spare"])(item), **LOOKED_AFTER),
    **about_people("manage", "DELETE /api/v1/teams/{key}", instead=or_administrator),
}  # fmt: skip
