"""Links as they are opened: what they give is kept in a cookie, and the page of what is shared is shown."""

from __future__ import annotations

from fastapi import APIRouter, Request, Response
from fastapi.responses import HTMLResponse, RedirectResponse

from app.catalog.ready import ready_engine
from app.settings import Settings
from app.surfaces.pages.saved.rights import address_of
from app.surfaces.pages.sharing.share import secrets_in
from app.surfaces.pages.templating import TemplatesDep
from app.teams.identify import LINKS_APART, LINKS_COOKIE, MOST_LINKS
from app.teams.sharing import NoShareError, follow

router = APIRouter(include_in_schema=False, default_response_class=HTMLResponse)

KEPT_S = 180 * 86_400


@router.get("/s/{token}")
def open_link(token: str, request: Request, page: TemplatesDep) -> Response:
    """Anybody may ask. What is wrong with a link that opens nothing is not said."""
    settings: Settings = request.app.state.settings
    try:
        target = follow(ready_engine(settings), secrets_in(request.app), token)
    except NoShareError:
        return page.page("sharing/gone.html", status=404)
    answer = RedirectResponse(address_of(target.kind, target.id, target.revision), 303)
    answer.headers["cache-control"] = "no-store"
    if settings.asks_to_sign_in:
        before = request.cookies.get(LINKS_COOKIE, "").split(LINKS_APART)
        links = [token, *(link for link in before if link and link != token)][:MOST_LINKS]
        answer.set_cookie(
            LINKS_COOKIE,
            LINKS_APART.join(links),
            max_age=KEPT_S,
            httponly=True,
            samesite="lax",
            secure=settings.public_url.startswith("https://") or request.url.scheme == "https",
        )
    return answer
