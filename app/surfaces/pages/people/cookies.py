"""The cookies of people: which browser is signed in, and in which workspace it works."""

from __future__ import annotations

from fastapi import Request, Response

from app.settings import Settings
from app.teams.identify import SIGN_IN_COOKIE, WORKSPACE_COOKIE
from app.teams.signed_in import LONGEST

LONGEST_S = int(LONGEST.total_seconds())


def put(response: Response, request: Request, name: str, value: str, seconds: int = LONGEST_S) -> None:
    """A cookie that scripts cannot read and other sites' forms do not send; with https it goes nowhere else."""
    response.set_cookie(
        name, value, max_age=seconds, httponly=True, samesite="lax", secure=_by_https(request), path="/"
    )


def drop(response: Response, request: Request, name: str) -> None:
    """Have the browser forget a cookie."""
    response.delete_cookie(name, httponly=True, samesite="lax", secure=_by_https(request), path="/")


def put_sign_in(response: Response, request: Request, secret: str) -> None:
    """The browser is signed in from now on."""
    put(response, request, SIGN_IN_COOKIE, secret)


def put_workspace(response: Response, request: Request, key: str) -> None:
    """The browser works in this workspace until it says otherwise."""
    put(response, request, WORKSPACE_COOKIE, key)


def _by_https(request: Request) -> bool:
    settings: Settings = request.app.state.settings
    return request.url.scheme == "https" or settings.public_url.startswith("https://")
