"""Home: saved scenarios and worked examples as cards, and what was deleted."""

from __future__ import annotations

from fastapi import APIRouter
from fastapi.responses import HTMLResponse

from app.scenarios.saved.errors import NotSavedError
from app.scenarios.saved.records import KINDS
from app.web.cards import card
from app.web.designs import DesignsDep
from app.web.saved.cards import SavedCard, saved_card
from app.web.saved.ready import ReadDep
from app.web.saved.shelf import SORTS, Asked, shelf
from app.web.templating import TemplatesDep

router = APIRouter(include_in_schema=False, default_response_class=HTMLResponse)

DELETED_AT_ONCE = 100


@router.get("/")
def home(
    work: ReadDep, source: DesignsDep, page: TemplatesDep, q: str = "", tag: str = "", sort: str = "", after: str = "",
    deleted: str = "",
) -> HTMLResponse:  # fmt: skip
    """`deleted` is the id of a scenario that was just deleted without scripts: it can be brought back here."""
    return page.page(
        "saved/home.html",
        shelf=shelf(work, "scenario", "/", Asked(q, tag, sort, after)),
        sorts=SORTS,
        examples=[card(source.evaluated(key)) for key in source.listed()],
        gone=just_deleted(work, "scenario", deleted),
    )


@router.get("/deleted")
def deleted(work: ReadDep, page: TemplatesDep) -> HTMLResponse:
    """Everything that was deleted, newest first, with a way back."""
    found = [
        saved_card(saved)
        for kind in KINDS
        for saved in work.listed(kind, limit=DELETED_AT_ONCE, deleted=True).items
    ]
    found.sort(key=lambda card: card.deleted_at or card.changed_at, reverse=True)
    return page.page("saved/deleted.html", cards=found)


def just_deleted(work: ReadDep, kind: str, id: str) -> SavedCard | None:
    """What was deleted a moment ago, if it still is."""
    try:
        return saved_card(work.get(kind, id, deleted=True)) if id else None  # type: ignore[arg-type]
    except NotSavedError:
        return None
