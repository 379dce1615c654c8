"""The library: SuperNode and SuperPOD designs that scenarios share, and projections of scaling laws."""

from __future__ import annotations

from typing import Annotated, Any, NamedTuple

from fastapi import APIRouter, Depends, HTTPException, Request, Response
from fastapi.responses import HTMLResponse, JSONResponse, RedirectResponse

from app.saved.errors import NotSavedError
from app.saved.expand import DESIGN_KINDS
from app.saved.records import WORDS, Kind, Saved
from app.saved.store import SavedWork
from app.scenarios.errors import ScenarioError
from app.scenarios.load import build_scenario
from app.scenarios.reading.json_text import read_json
from app.surfaces.pages.designs import NEW, NEW_DESIGN, DesignsDep
from app.surfaces.pages.saved.cards import SORTS, Asked, SavedCard, Shelf, shared_cards, shelf
from app.surfaces.pages.saved.forms import FormDep, asked_again, done, tags_of
from app.surfaces.pages.saved.home import just_deleted
from app.surfaces.pages.saved.opened import detached, opened_values
from app.surfaces.pages.saved.rights import ReadDep, WriteDep, may_keep, saved_key
from app.surfaces.pages.studio.form import stated_values
from app.surfaces.pages.studio.requests import own_json
from app.surfaces.pages.studio.state import encode_state
from app.surfaces.pages.templating import TemplatesDep, script_json

router = APIRouter(include_in_schema=False, default_response_class=HTMLResponse)

BodyDep = Annotated[dict[str, Any], Depends(own_json)]


SHELVES: dict[Kind, str] = {"supernode": "SuperNodes", "pod": "SuperPODs", "projection": "Projections"}


class Use(NamedTuple):
    """The scenarios that name a design, and the address of a new one that does."""

    scenarios: tuple[Saved, ...]
    start: str


class Shelved(NamedTuple):
    title: str
    shelf: Shelf
    uses: dict[str, Use]  # by id


@router.get("/library")
def library(
    work: ReadDep, page: TemplatesDep, q: str = "", tag: str = "", sort: str = "", after: str = "",
    kind: str = "", deleted: str = "",
) -> HTMLResponse:  # fmt: skip
    """Every kind; `kind` is the one that `after` belongs to."""
    shelves = []
    for each, title in SHELVES.items() if work.has_lists else ():
        asked = Asked(q, tag, sort, after if kind == each else "")
        listed = shelf(work, each, f"/library?kind={each}", asked)
        uses = {card.id: _use(work, card) for card in listed.cards} if each in DESIGN_KINDS else {}
        shelves.append(Shelved(title, listed, uses))
    gone = next((found for each in SHELVES if (found := just_deleted(work, each, deleted))), None)
    tags: dict[str, int] = {}
    for one in shelves:
        for name, count in one.shelf.tags:
            tags[name] = tags.get(name, 0) + count
    tools = Shelf("/library", "supernode", Asked(q, tag, sort), (), tuple(sorted(tags.items())), "")
    shared = shared_cards(work, tuple(SHELVES))
    return page.page(
        "saved/library.html", shelves=shelves, tools=tools, sorts=SORTS, gone=gone, shared=shared
    )


@router.get("/library/new")
def design_form(
    kind: Kind, source: DesignsDep, page: TemplatesDep, key: str = NEW, s: str = ""
) -> HTMLResponse:
    """Names the SuperNode or pod of a scenario, so that others can be built on it."""
    values = opened_values(source, key, s)
    if not may_keep():
        return page.page("saved/no_save.html", back=f"/designs/{key}", looking=False)
    return page.page("saved/design.html", **_form(kind, key, values, {}))


@router.post("/library/new")
def save_design(request: Request, form: FormDep, work: WriteDep, page: TemplatesDep) -> Response:
    kind: Kind = "pod" if form.get("kind") == "pod" else "supernode"
    values: Any = {}
    try:
        values = stated_values(build_scenario(read_json(form.get("scenario", ""))))
        document = {
            "name": form.get("name", "").strip(),
            "description": form.get("description", "").strip(),
            kind: detached(values, kind, work, _holder(work, form.get("key", ""))).get(kind, {}),
        }
        saved = work.create(
            kind, document, note=form.get("note", "").strip(), tags=tags_of(form.get("tags", ""))
        )
    except ScenarioError as error:
        again = _form(kind, form.get("key", NEW), values, form, error.errors)
        return asked_again(request, page, "saved/design.html", **again)
    told = {"id": saved.id, "name": saved.name, "kind": kind, "use": bool(form.get("use"))}
    return done(request, "/library", said=f"{saved.name} is in the library", saved=told)


@router.get("/designs/{key}/detach/{part}")
def detach(key: str, part: Kind, work: ReadDep, source: DesignsDep, s: str = "") -> Response:
    """The same scenario with the values of its design written out."""
    values = opened_values(source, key, s)
    try:
        state = encode_state(detached(values, part, work, _holder(work, key)))
    except ScenarioError as error:
        raise HTTPException(422, str(error)) from None
    return RedirectResponse(f"/designs/{key}?s={state}", 303)


@router.post("/studio/detach")
def detach_for_script(body: BodyDep, work: ReadDep) -> JSONResponse:
    """The same for what is open in the studio, or what is wrong with it."""
    values, part = body.get("scenario"), body.get("part")
    if part not in DESIGN_KINDS or not isinstance(values, dict):
        raise HTTPException(400, "Name a part, supernode or pod, and a scenario.")
    try:
        holder = _holder(work, str(body.get("key", "")))
        return JSONResponse({"scenario": detached(values, part, work, holder)})
    except ScenarioError as error:
        return JSONResponse({"errors": [each.as_dict() for each in error.errors]})


def _holder(work: SavedWork, key: str) -> Saved | None:
    """What a scenario is made from, where that is saved and still there."""
    named = saved_key(key)
    try:
        return work.get("scenario", named.id) if named else None
    except NotSavedError:
        return None


def _use(work: SavedWork, card: SavedCard) -> Use:
    part = {"design": card.id}
    start = {**NEW_DESIGN, "name": f"New design on {card.title}"[:200], card.kind: part}
    return Use(work.used_by(card.kind, card.id), f"/designs/{NEW}?s={encode_state(start)}")


def _form(
    kind: Kind, key: str, values: Any, typed: dict[str, str], faults: tuple[Any, ...] = ()
) -> dict[str, Any]:
    return {
        "kind": kind,
        "word": WORDS[kind],
        "key": key,
        "scenario": script_json(values),
        "typed": {name: typed.get(name, "") for name in ("name", "description", "tags", "note")},
        "use": bool(typed.get("use")) if typed else True,
        "faults": faults,
    }
