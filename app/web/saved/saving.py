"""Saving what is open in the studio: as a new revision, or as a scenario of its own."""

from __future__ import annotations

from typing import Any

from fastapi import APIRouter, HTTPException, Request, Response
from fastapi.responses import HTMLResponse

from app.scenarios.errors import InputError, ScenarioError
from app.scenarios.json_text import read_json
from app.scenarios.saved.errors import ChangedMeanwhileError, NotSavedError
from app.scenarios.saved.records import Saved
from app.scenarios.saved.store import SavedWork
from app.web.designs import DesignsDep
from app.web.saved.conflict import Conflict, conflict
from app.web.saved.forms import FormDep, asked_again, done, tags_of, version_of
from app.web.saved.keys import SavedKey, saved_key
from app.web.saved.opened import opened_values
from app.web.saved.ready import ReadDep, WriteDep
from app.web.templating import Templates, TemplatesDep, script_json

router = APIRouter(prefix="/designs/{key}", include_in_schema=False, default_response_class=HTMLResponse)

DELETED = (
    "This scenario was deleted meanwhile. Save yours under a name, or restore it from the deleted ones first."
)


@router.get("/save")
def save_form(
    key: str, work: ReadDep, source: DesignsDep, page: TemplatesDep, s: str = "", new: bool = False
) -> HTMLResponse:
    """Asks for a note, and for a name where a scenario begins; `s` is the scenario to be saved."""
    values = opened_values(source, key, s)
    target = None if new else saved_key(key)
    saved = work.get("scenario", target.id) if target else None
    name = f"{values.get('name', '')}{' (copy)' if saved_key(key) else ''}"
    return page.page(
        "saved/save.html", **_form(key, saved, values, {}, name=name, note="", tags="", faults=())
    )


@router.post("/save")
def save(
    key: str, request: Request, form: FormDep, work: WriteDep, source: DesignsDep, page: TemplatesDep
) -> Response:
    """A revision of the scenario `key`, or a new scenario where the form says so or `key` is an example."""
    origin = saved_key(key)
    target = None if form.get("new") or origin is None else origin
    typed = {"name": form.get("name", ""), "note": form.get("note", ""), "tags": form.get("tags", "")}
    values: Any = {}
    try:
        values = read_json(form.get("scenario", ""))
        if not isinstance(values, dict):
            raise HTTPException(400, "The scenario is not an object.")
        saved = _replaced(work, target, values, form) if target else _created(work, origin, values, form)
    except ScenarioError as error:
        kept = work.get("scenario", target.id) if target else None
        return asked_again(
            request, page, "saved/save.html", **_form(key, kept, values, form, faults=error.errors, **typed)
        )
    except NotSavedError:
        gone = InputError(path="", value=None, rule="deleted", message=DELETED)
        return asked_again(
            request, page, "saved/save.html", **_form(key, None, values, form, faults=(gone,), **typed)
        )
    except ChangedMeanwhileError as error:
        found = conflict(work, error.current, values, _number(form.get("revision", "")), source.choices())
        return _choices(request, page, found, values, **typed)
    said = f"Saved as revision {saved.revision}" if target else f"Saved as {saved.name}"
    told = {"id": saved.id, "revision": saved.revision, "version": saved.version, "is_new": target is None}
    return done(request, f"/designs/{saved.id}", said=said, saved=told)


@router.post("/revisions/{number}/restore")
def restore(
    key: str,
    number: int,
    request: Request,
    form: FormDep,
    work: WriteDep,
    page: TemplatesDep,
    source: DesignsDep,
) -> Response:
    """An old revision saved again as the newest."""
    document = work.revision("scenario", key, number).document
    note = f"Restored from revision {number}"
    try:
        saved = work.replace("scenario", key, document, version=_version(form), note=note)
    except ChangedMeanwhileError as error:
        found = conflict(work, error.current, document, number, source.choices())
        return _choices(request, page, found, document, note=note)
    except ScenarioError as error:
        raise HTTPException(422, f"Revision {number} cannot be saved again: {error}") from None
    return done(request, f"/designs/{key}/history", said=f"Restored as revision {saved.revision}")


def _replaced(work: SavedWork, target: SavedKey, values: dict[str, Any], form: dict[str, str]) -> Saved:
    note = form.get("note", "").strip()
    try:
        return work.replace("scenario", target.id, values, version=_version(form), note=note)
    except ChangedMeanwhileError as error:
        if error.current.revision != _number(form.get("revision", "")):
            raise
        # Tags were changed meanwhile, the scenario itself was not: there is nothing to choose between.
        return work.replace("scenario", target.id, values, version=error.current.version, note=note)


def _created(work: SavedWork, origin: SavedKey | None, values: dict[str, Any], form: dict[str, str]) -> Saved:
    return work.create(
        "scenario",
        {**values, "name": form.get("name", "").strip()},
        note=form.get("note", "").strip(),
        tags=tags_of(form.get("tags", "")),
        forked_from_id=origin.id if origin else None,
    )


def _choices(
    request: Request, page: Templates, found: Conflict, values: dict[str, Any], *, name: str = "", note: str = "",
    tags: str = "",
) -> Response:  # fmt: skip
    """What can be done where somebody saved meanwhile; what was typed goes on."""
    context = {"conflict": found, "key": found.current.id, "scenario": script_json(values)}
    return asked_again(
        request, page, "saved/conflict.html", status=409, name=name, note=note, tags=tags, **context
    )


def _form(key: str, saved: Saved | None, values: Any, form: dict[str, str], **typed: Any) -> dict[str, Any]:
    """The form as it was sent, with the version that it was made from; a new one is made from what is saved."""
    return {
        "key": key,
        "saved": saved,
        "made_from": {name: form.get(name) or getattr(saved, name, "") for name in ("version", "revision")},
        "scenario": script_json(values),
        "back": f"/designs/{key}",
        "from_saved": saved_key(key) is not None,
        **typed,
    }


def _version(form: dict[str, str]) -> int:
    """A save names the version it was made from, else it could write over somebody's work unseen."""
    version = version_of(form)
    if version is None:
        raise HTTPException(400, "The form does not say which version it was made from. Reload the page.")
    return version


def _number(text: str) -> int:
    return int(text) if text.isascii() and text.isdigit() and len(text) < 10 else 0
