"""Home: saved scenarios, what others share, and worked examples as cards. It answers before other pages are loaded."""

from __future__ import annotations

from fastapi import APIRouter
from fastapi.responses import HTMLResponse

from app.saved.errors import NotSavedError
from app.saved.records import KINDS
from app.surfaces.pages.cards import card
from app.surfaces.pages.designs import DesignsDep
from app.surfaces.pages.saved.cards import SORTS, Asked, SavedCard, saved_card, shared_cards, shelf
from app.surfaces.pages.saved.rights import ReadDep
from app.surfaces.pages.templating import TemplatesDep

router = APIRouter(include_in_schema=False, default_response_class=HTMLResponse)


@router.get("/")
def home(
    work: ReadDep, source: DesignsDep, page: TemplatesDep, q: str = "", tag: str = "", sort: str = "", after: str = "",
    deleted: str = "",
) -> HTMLResponse:  # fmt: skip
    """`deleted` is the id of a scenario that was just deleted without scripts: it can be brought back here."""
    return page.page(
        "saved/home.html",
        shelf=shelf(work, "scenario", "/", Asked(q, tag, sort, after)) if work.has_lists else None,
        shared=shared_cards(work, ("scenario",)) if work.has_lists else shared_cards(work, KINDS),
        sorts=SORTS,
        examples=[card(source.evaluated(key)) for key in source.listed()],
        gone=just_deleted(work, "scenario", deleted),
    )


def just_deleted(work: ReadDep, kind: str, id: str) -> SavedCard | None:
    """What was deleted a moment ago, if it still is."""
    try:
        return saved_card(work.get(kind, id, deleted=True)) if id else None  # type: ignore[arg-type]
    except NotSavedError:
        return None
