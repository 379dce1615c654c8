"""Home: saved scenarios, what others share, and worked examples as cards. It answers before other pages are loaded."""

from __future__ import annotations

from fastapi import APIRouter, HTTPException
from fastapi.responses import HTMLResponse

from app.saved.errors import NotSavedError
from app.saved.records import KINDS
from app.surfaces.pages.cards import Card, card, pending_card
from app.surfaces.pages.designs import Designs, DesignsDep
from app.surfaces.pages.questions.rooms import ROOM_QUESTIONS
from app.surfaces.pages.saved.cards import SORTS, Asked, SavedCard, saved_card, shared_cards, shelf
from app.surfaces.pages.saved.rights import ReadDep
from app.surfaces.pages.studies.asking import first_values, inputs_of
from app.surfaces.pages.templating import TemplatesDep
from app.views.questions.words import QUESTION_WORDS

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
        questions=QUESTION_WORDS,
        asked=ROOM_QUESTIONS,
        asks=inputs_of(first_values(), source.catalog(), source.choices(), first=True)[0],
        examples=example_cards(source),
        gone=just_deleted(work, "scenario", deleted),
    )


@router.get("/examples/{key}/card")
def example_card(key: str, source: DesignsDep, page: TemplatesDep) -> HTMLResponse:
    """The card of a worked example, for a home page that was there before its evaluation."""
    if key not in source.listed():
        raise HTTPException(404, f"There is no worked example {key[:80]!r}.")
    return page.page("saved/example_card.html", card=card(source.evaluated(key)))


def example_cards(source: Designs) -> list[Card]:
    """The worked examples. Those that are not evaluated yet, soon after the start of a server, have no
    figures: the page asks for each of them, so that no one waits for all.
    """
    found = ((key, source.at_hand(key)) for key in source.listed())
    return [card(one) if one is not None else pending_card(key, source.title(key)) for key, one in found]


def just_deleted(work: ReadDep, kind: str, id: str) -> SavedCard | None:
    """What was deleted a moment ago, if it still is."""
    try:
        return saved_card(work.get(kind, id, deleted=True)) if id else None  # type: ignore[arg-type]
    except NotSavedError:
        return None
