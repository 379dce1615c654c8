"""What is done with one saved scenario or design: rename, tag, duplicate, delete and bring back."""

from __future__ import annotations

from typing import Any

from fastapi import APIRouter, Request, Response
from fastapi.responses import HTMLResponse

from app.saved.errors import ChangedMeanwhileError
from app.saved.records import WORDS, Kind, Saved
from app.saved.store import SavedWork
from app.scenarios.errors import ScenarioError
from app.surfaces.pages.saved.cards import saved_card
from app.surfaces.pages.saved.forms import FormDep, asked_again, done, tags_of, version_of
from app.surfaces.pages.saved.rights import ReadDep, WriteDep
from app.surfaces.pages.templating import TemplatesDep

router = APIRouter(prefix="/saved/{kind}/{id}", include_in_schema=False, default_response_class=HTMLResponse)


@router.get("/rename")
def rename_form(kind: Kind, id: str, work: ReadDep, page: TemplatesDep) -> HTMLResponse:
    saved = work.get(kind, id)
    work.require_on("write", kind, id)
    return page.page("saved/rename.html", **_form(saved, name=saved.name))


@router.post("/rename")
def rename(
    kind: Kind, id: str, request: Request, form: FormDep, work: WriteDep, page: TemplatesDep
) -> Response:
    name = form.get("name", "").strip()
    saved = work.get(kind, id)
    if name == saved.name:
        return done(request, home_of(kind), **told_of(saved, ""))
    try:
        renamed = work.update(kind, id, version=version_of(form), name=name)
    except ScenarioError as error:
        return asked_again(request, page, "saved/rename.html", **_form(saved, name=name, faults=error.errors))
    except ChangedMeanwhileError as error:
        return asked_again(
            request, page, "saved/rename.html", status=409, **_form(error.current, name=name, moved=True)
        )
    return done(request, home_of(kind), **told_of(renamed, f"Renamed to {renamed.name}"))


@router.get("/tags")
def tags_form(kind: Kind, id: str, work: ReadDep, page: TemplatesDep) -> HTMLResponse:
    saved = work.get(kind, id)
    work.require_on("write", kind, id)
    return page.page("saved/tags.html", known=_known(work, kind), **_form(saved, tags=", ".join(saved.tags)))


@router.post("/tags")
def tags(
    kind: Kind, id: str, request: Request, form: FormDep, work: WriteDep, page: TemplatesDep
) -> Response:
    text = form.get("tags", "")
    try:
        tagged = work.update(kind, id, version=version_of(form), tags=tags_of(text))
    except ScenarioError as error:
        refused = _form(work.get(kind, id), tags=text, faults=error.errors)
        return asked_again(request, page, "saved/tags.html", known=_known(work, kind), **refused)
    except ChangedMeanwhileError as error:
        moved = _form(error.current, tags=text, moved=True)
        return asked_again(request, page, "saved/tags.html", status=409, known=_known(work, kind), **moved)
    return done(request, home_of(kind), **told_of(tagged, "Tags saved"))


@router.post("/duplicate")
def duplicate(kind: Kind, id: str, request: Request, form: FormDep, work: WriteDep) -> Response:
    made = work.duplicate(kind, id)
    return done(request, home_of(kind), **told_of(made, f"{made.name} was made"))


@router.post("/delete")
def delete(kind: Kind, id: str, request: Request, form: FormDep, work: WriteDep) -> Response:
    """Whatever state it is in: it can be brought back as it was."""
    gone = work.delete(kind, id, version=None)
    undo = f"/saved/{kind}/{id}/restore"
    return done(
        request, f"{home_of(kind)}?deleted={gone.id}", **told_of(gone, f"{gone.name} was deleted"), undo=undo
    )


@router.post("/restore")
def restore(kind: Kind, id: str, request: Request, form: FormDep, work: WriteDep) -> Response:
    back = work.restore(kind, id)
    return done(request, home_of(kind), **told_of(back, f"{back.name} is back"))


def _known(work: SavedWork, kind: Kind) -> tuple[tuple[str, int], ...]:
    """Tags in use in the workspace; there is none for who came by a link."""
    return work.tags(kind) if work.has_lists else ()


def home_of(kind: Kind) -> str:
    """The page that lists a kind."""
    return {"scenario": "/", "study": "/studies", "fleet": "/fleet"}.get(kind, "/library")


def _form(saved: Saved, **typed: Any) -> dict[str, Any]:
    """Contents of the forms: `typed` is what stands in them."""
    return {"card": saved_card(saved), "word": WORDS[saved.kind], "back": home_of(saved.kind),
            "faults": (), "moved": False, **typed}  # fmt: skip


def told_of(saved: Saved, words: str) -> dict[str, Any]:
    """What a script is told of a change."""
    return {
        "said": words,
        "saved": {"id": saved.id, "name": saved.name, "revision": saved.revision, "version": saved.version,
                  "tags": saved.tags},
    }  # fmt: skip
