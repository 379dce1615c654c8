"""To the OpenID Connect provider and back."""

from __future__ import annotations

import json
import secrets as random
import time
from dataclasses import asdict
from typing import Any
from urllib.parse import unquote

from fastapi import APIRouter, HTTPException, Request, Response
from fastapi.responses import HTMLResponse, RedirectResponse
from sqlmodel import Session

from app.scenarios.errors import InputError
from app.settings import Settings
from app.surfaces.pages.people.asking import (
    PeopleDep,
    SettingsDep,
    drop,
    local_path,
    origin,
    private,
    put,
    put_sign_in,
)
from app.surfaces.pages.templating import TemplatesDep
from app.teams import invitations
from app.teams.accounts import email_key
from app.teams.asking import asked
from app.teams.errors import NotThereError, SignInError
from app.teams.oidc.entering import connect, entered
from app.teams.oidc.provider import Claims, Going, Provider, ProviderError
from app.teams.people import People
from app.teams.secrets import new_secret, same
from app.teams.signing_in import enter

router = APIRouter(prefix="/sign-in/oidc", include_in_schema=False, default_response_class=HTMLResponse)

COOKIE = "podwright_oidc"
LASTS_S = 600
INVITATION = "/invitations/"
LOST = "Signing in took too long, or was begun in another browser. Try again."


@router.get("")
def leave(request: Request, found: PeopleDep, settings: SettingsDep, next: str = "") -> Response:
    """Sends a browser to the provider. What must be the same when it comes back is in a signed cookie."""
    provider = _provider(request)
    going = Going(state=new_secret(), nonce=new_secret(), verifier=random.token_urlsafe(48))
    kept = {**asdict(going), "next": local_path(next), "sign_in": asked().sign_in, "at": time.time()}
    try:
        address = provider.address(going, _redirect_uri(request, settings))
    except ProviderError as error:
        raise HTTPException(502, str(error)) from None
    response = RedirectResponse(address, 303)
    text = json.dumps(kept).encode().hex()
    put(response, request, COOKIE, f"{text}.{found.secrets.proof('oidc', text)}", LASTS_S)
    return private(response)


@router.get("/callback")
def come_back(
    request: Request,
    page: TemplatesDep,
    found: PeopleDep,
    settings: SettingsDep,
    code: str = "",
    state: str = "",
    error: str = "",
) -> Response:
    """Signs in whom the provider vouches for, or connects them with the account that is signed in."""
    kept = _kept(found, request.cookies.get(COOKIE, ""))
    try:
        if kept is None or not same(kept["state"], state):
            raise SignInError(LOST)
        if error or not code:
            raise SignInError(f"The provider refused: {error[:80] or 'it sent no code'}.")
        going = Going(state=kept["state"], nonce=kept["nonce"], verifier=kept["verifier"])
        claims = _provider(request).claims(code, going, _redirect_uri(request, settings))
        response = _connected(found, kept, claims) or _signed_in(request, found, settings, kept, claims)
    except (SignInError, ProviderError) as refused:
        faults = [InputError(path="", value=None, rule="oidc", message=str(refused))]
        response = page.page(
            "people/sign_in.html",
            status=403,
            next=local_path(kept["next"]) if kept else "/",
            email="",
            faults=faults,
            local=settings.local_sign_in,
            provider=settings.oidc_name,
        )
    drop(response, request, COOKIE)
    return private(response)


def _connected(found: People, kept: dict[str, Any], claims: Claims) -> Response | None:
    """Where someone was signed in who went to the provider, and still is, it is their account from now on."""
    asking = asked()
    if asking.by != "browser" or not kept["sign_in"] or kept["sign_in"] != asking.sign_in:
        return None
    with found.writing() as session:
        connect(session, asking, claims)
    return RedirectResponse("/account", 303)


def _signed_in(
    request: Request, found: People, settings: Settings, kept: dict[str, Any], claims: Claims
) -> Response:
    onward = local_path(kept["next"])
    with found.writing() as session:
        invited = _is_invited(session, found, onward, claims)
        account = entered(session, claims, settings.teams_of_groups, invited=invited)
        secret = enter(session, found, account, "oidc", instead_of=asked().sign_in)
    response = RedirectResponse(onward, 303)
    put_sign_in(response, request, secret)
    return response


def _is_invited(session: Session, found: People, onward: str, claims: Claims) -> bool:
    """Return whether someone is on the way to an invitation that is theirs to accept."""
    if not onward.startswith(INVITATION):
        return False
    try:
        invitation = invitations.opened(session, found.secrets, unquote(onward.removeprefix(INVITATION)))
    except NotThereError:
        return False
    is_theirs = not invitation.email or email_key(invitation.email) == email_key(claims.email)
    return invitation.state == "open" and is_theirs


def _kept(found: People, cookie: str) -> dict[str, Any] | None:
    """What was put aside when the browser left, where it is ours and not too old."""
    text, _, proof = cookie.partition(".")
    if not found.secrets.proves("oidc", text, proof):
        return None
    kept: dict[str, Any] = json.loads(bytes.fromhex(text))
    return kept if 0 <= time.time() - kept["at"] <= LASTS_S else None


def _redirect_uri(request: Request, settings: Settings) -> str:
    return f"{origin(request, settings)}/sign-in/oidc/callback"


def _provider(request: Request) -> Provider:
    found: Provider | None = request.app.state.provider
    if found is None:
        raise HTTPException(404, "This server has no provider to sign in with.")
    return found
