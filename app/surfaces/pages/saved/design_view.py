"""A SuperNode or SuperPOD design by itself, for those it was shared with; other kinds have pages of their own."""

from __future__ import annotations

from typing import Any, NamedTuple

from fastapi import APIRouter, Response
from fastapi.responses import HTMLResponse, RedirectResponse

from app.saved.expand import DESIGN_KINDS
from app.saved.records import Kind, Saved
from app.saved.store import SavedWork
from app.scenarios.reading.yaml_text import write_yaml
from app.surfaces.pages.designs import NEW, NEW_DESIGN
from app.surfaces.pages.saved.cards import SavedCard, saved_card
from app.surfaces.pages.saved.rights import ReadDep, Rights, address_of, rights
from app.surfaces.pages.studio.state import encode_state
from app.surfaces.pages.templating import TemplatesDep

router = APIRouter(include_in_schema=False, default_response_class=HTMLResponse)


class DesignView(NamedTuple):
    """`start` is the address of a new scenario with its values."""

    saved: Saved
    card: SavedCard
    is_newest: bool
    rights: Rights
    text: str
    start: str


@router.get("/saved/{kind}/{id}")
def view(kind: Kind, id: str, work: ReadDep, page: TemplatesDep, revision: int = 0) -> Response:
    """Looked at; what it says is used by its values, as anyone who sees it may not see its workspace."""
    if kind not in DESIGN_KINDS:
        return RedirectResponse(address_of(kind, id, revision or None), 303)
    return page.page("saved/design_view.html", view=design_view(work, kind, id, revision))


def design_view(work: SavedWork, kind: Kind, id: str, revision: int) -> DesignView:
    """A design, or one revision of it.

    Raises
    ------
    NotSavedError : there is none that may be seen
    """
    saved = work.shown(kind, id, revision) if revision else work.get(kind, id)
    part: Any = (
        {"design": id} if not revision and saved.workspace_id == work.workspace_id else saved.document[kind]
    )
    start = {**NEW_DESIGN, "name": f"New design on {saved.name}"[:200], kind: part}
    return DesignView(
        saved=saved,
        card=saved_card(saved),
        is_newest=not revision,
        rights=rights(work.rights(kind, id)),
        text=write_yaml(saved.document),
        start=f"/designs/{NEW}?s={encode_state(start)}",
    )
