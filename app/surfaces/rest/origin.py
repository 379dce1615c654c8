"""Changes are not taken from pages of other sites: a browser would make them with the rights of its user."""

from __future__ import annotations

from urllib.parse import urlsplit

from fastapi import Request

from app.surfaces.rest.problem_types import FOREIGN_SITE
from app.surfaces.rest.problems import ProblemError

SAFE_METHODS = ("GET", "HEAD", "OPTIONS")


def refuse_foreign_site(request: Request) -> None:
    """A dependency of routes that change something.

    Browsers say where a request comes from; what says nothing is no browser, and carries no cookie.

    Raises
    ------
    ProblemError : a page of another site asks for a change
    """
    if request.method in SAFE_METHODS:
        return
    site = request.headers.get("sec-fetch-site")
    origin = request.headers.get("origin")
    foreign = site is not None and site not in ("same-origin", "none")
    if origin is not None and urlsplit(origin).netloc != request.headers.get("host", ""):
        foreign = True
    if foreign:
        raise ProblemError(FOREIGN_SITE, "Only pages of this server may change what is saved on it.")
