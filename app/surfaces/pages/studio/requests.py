"""What the studio's endpoints let in: JSON of their own pages, within limits."""

from __future__ import annotations

from typing import Any
from urllib.parse import urlsplit

from fastapi import HTTPException, Request

from app.scenarios.errors import ScenarioError
from app.scenarios.reading.json_text import MOST_BYTES, read_json
from app.teams.asking import asked
from app.teams.secrets import same


async def own_json(request: Request) -> dict[str, Any]:
    """The JSON object of a request that a page of this server sent.

    Raises
    ------
    HTTPException : another site sent it, it is no JSON, too large, or not an object
    """
    check_origin(request)
    check_csrf(request)
    kind = request.headers.get("content-type", "").split(";")[0].strip().lower()
    if kind != "application/json":
        raise HTTPException(415, "Send application/json.")
    content = bytearray()
    async for chunk in request.stream():
        content += chunk
        if len(content) > MOST_BYTES:
            raise HTTPException(413, f"Send at most {MOST_BYTES:,} bytes.")
    try:
        values = read_json(content.decode())
    except (UnicodeDecodeError, ScenarioError) as error:
        raise HTTPException(400, f"The body cannot be read: {error}") from None
    if not isinstance(values, dict):
        raise HTTPException(400, "The body is not an object.")
    return values


def check_csrf(request: Request, given: str = "") -> None:
    """A browser that is signed in sends what only pages of ours can know, in a header or in the form (`given`).

    Raises
    ------
    HTTPException : it is missing, or of another sign-in
    """
    wanted = asked().csrf
    if wanted and not same(wanted, request.headers.get("x-csrf-token", "") or given):
        raise HTTPException(403, "This page is of an earlier sign-in. Reload it and try again.")


def check_origin(request: Request) -> None:
    """Browsers say where a request comes from; what says nothing is no browser, and carries no cookie."""
    site = request.headers.get("sec-fetch-site")
    origin = request.headers.get("origin")
    foreign = site is not None and site not in ("same-origin", "none")
    if origin is not None and urlsplit(origin).netloc != request.headers.get("host", ""):
        foreign = True
    if foreign:
        raise HTTPException(403, "Only pages of this server may ask for this.")
