"""What pages of people need of a request: who it is, and the services that change people."""

from __future__ import annotations

from typing import Annotated
from urllib.parse import quote, urlsplit

from fastapi import Depends, FastAPI, HTTPException, Request, Response

from app.settings import Settings
from app.surfaces.pages.errors import error_response
from app.teams.asking import Asking, asked
from app.teams.audit import require_administrator
from app.teams.errors import NotThereError, ThrottledError
from app.teams.identify import SIGN_IN_COOKIE, WORKSPACE_COOKIE
from app.teams.people import People
from app.teams.signed_in import LONGEST

NOBODY_SIGNS_IN = (
    "Sign-in is not enabled on this machine, so it has no accounts and no teams. To work with others, serve it to "
    "them: docs/people.md says how."
)


def add_people_handlers(app: FastAPI) -> None:
    """What is not there is 404; anyone who failed too often waits."""

    async def missing(request: Request, error: Exception) -> Response:
        return error_response(request, 404, str(error))

    async def throttled(request: Request, error: Exception) -> Response:
        assert isinstance(error, ThrottledError)
        return error_response(request, 429, str(error), {"retry-after": str(error.retry_after_s)})

    app.add_exception_handler(NotThereError, missing)
    app.add_exception_handler(ThrottledError, throttled)


def people(request: Request) -> People:
    """Accounts and teams of this server."""
    found: People = request.app.state.people
    return found


def settings(request: Request) -> Settings:
    """The settings of this server."""
    found: Settings = request.app.state.settings
    return found


def person(request: Request) -> Asking:
    """Someone who is signed in in a browser: what they are shown and do here is for no one else's eyes.

    Raises
    ------
    HTTPException : no one signs in here, or the caller has not
    """
    asking = asked()
    if asking.by == "local":
        raise HTTPException(404, NOBODY_SIGNS_IN)
    if asking.by == "token":
        raise HTTPException(403, "A token cannot open this page: sign in in a browser, or use the API.")
    if asking.by != "browser":
        raise HTTPException(303, headers={"location": f"/sign-in?next={quote(request.url.path, safe='/')}"})
    return asking


def administrator(request: Request) -> Asking:
    """Someone who looks after this server.

    Raises
    ------
    ForbiddenError : they do not
    """
    asking = person(request)
    require_administrator(asking)
    return asking


PeopleDep = Annotated[People, Depends(people)]
SettingsDep = Annotated[Settings, Depends(settings)]
PersonDep = Annotated[Asking, Depends(person)]
AdministratorDep = Annotated[Asking, Depends(administrator)]


def local_path(wanted: str, usual: str = "/") -> str:
    """A path of this server to go on to, `usual` where something else was asked for.

    >>> local_path("/designs/a?s=1"), local_path("//elsewhere.org"), local_path("/\\\\elsewhere.org")
    ('/designs/a?s=1', '/', '/')
    """
    parts = urlsplit(wanted) if wanted.isprintable() else None
    if parts is None or parts.scheme or parts.netloc or "\\" in wanted or len(wanted) > 4000:
        return usual
    return wanted if wanted.startswith("/") and not wanted.startswith("//") else usual


def origin(request: Request, found: Settings) -> str:
    """The address of this server as people use it, for links that are passed on."""
    return found.public_url or f"{request.url.scheme}://{request.url.netloc}"


def private(response: Response) -> Response:
    """What is about one person is kept by no cache."""
    response.headers["cache-control"] = "no-store"
    return response


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
