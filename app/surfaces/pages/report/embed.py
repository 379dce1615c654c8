"""One chart of a design by itself, for a frame of another page: always of the newest revision, drawn without
scripts."""

from __future__ import annotations

from typing import Literal

from fastapi import APIRouter, HTTPException, Request
from fastapi.responses import HTMLResponse
from markupsafe import Markup

from app.catalog.ready import ready_engine
from app.charts import FIGURES
from app.charts.vector import plot_svg
from app.likeness import nearest_names
from app.saved.store import SavedWork
from app.scenarios.errors import ScenarioError
from app.settings import Settings
from app.surfaces.pages.designs import Designs, DesignsDep
from app.surfaces.pages.report.pictures import Theme
from app.surfaces.pages.report.routes import opened_work
from app.surfaces.pages.saved.rights import ReadDep
from app.surfaces.pages.sharing.share import secrets_in
from app.surfaces.pages.templating import Templates, TemplatesDep
from app.teams.sharing import NoShareError, follow
from app.views.colours import colours, in_colours

router = APIRouter(include_in_schema=False, default_response_class=HTMLResponse)

WIDTH = 720.0
POLICY = (
    "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; frame-ancestors "
)


@router.get("/designs/{key}/embed/{name}")
def embed(
    key: str, name: str, source: DesignsDep, work: ReadDep, page: TemplatesDep, request: Request, s: str = "",
    theme: Literal["light", "dark"] = "light",
) -> HTMLResponse:  # fmt: skip
    """The chart alone, with its takeaway, its caption, and a link to the design.

    Nothing can be changed in it.
    """
    return _chart(source, work, page, request, key, name, s, theme, f"/designs/{key}{f'?s={s}' if s else ''}")


@router.get("/s/{token}/embed/{name}")
def embed_by_link(
    token: str, name: str, source: DesignsDep, work: ReadDep, page: TemplatesDep, request: Request,
    theme: Literal["light", "dark"] = "light",
) -> HTMLResponse:  # fmt: skip
    """The same for those who have a link, without a cookie, as frames of other sites send none: live until it
    is revoked."""
    try:
        target = follow(ready_engine(request.app.state.settings), secrets_in(request.app), token)
    except NoShareError:
        return page.page("sharing/gone.html", status=404)
    if target.kind != "scenario":
        raise HTTPException(404, "Charts are of designs; this link leads to something else.")
    key = f"{target.id}@{target.revision}" if target.revision else target.id
    return _chart(source, work, page, request, key, name, "", theme, f"/s/{token}")


def _chart(
    source: Designs, work: SavedWork, page: Templates, request: Request, key: str, name: str, s: str, theme: Theme, address: str,
) -> HTMLResponse:  # fmt: skip
    if name not in FIGURES:
        raise HTTPException(
            404, f"There is no chart {name[:40]}. Nearest: {nearest_names(name[:80], FIGURES)}."
        )
    opened = opened_work(source, work, key, s)
    try:
        figure = FIGURES[name](opened.evaluated.as_json)
    except ScenarioError as error:
        raise HTTPException(422, error.errors[0].words) from None
    drawing = ""
    if figure.plot is not None:
        drawing = Markup(
            plot_svg(in_colours(figure.plot, theme), WIDTH, label=f"{figure.eyebrow}. {figure.takeaway}")
        )
    text = page.text(
        "report/embed.html", figure=figure, drawing=drawing, title=opened.document.name, colours=colours(theme), theme=theme,
        address=address,
    )  # fmt: skip
    settings: Settings = request.app.state.settings
    headers = {
        "content-security-policy": POLICY + settings.frame_ancestors,
        "cross-origin-resource-policy": "cross-origin",
        "cache-control": "no-cache",
    }
    return HTMLResponse(text, headers=headers)
